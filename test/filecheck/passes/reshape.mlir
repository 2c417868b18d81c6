// RUN: opt-tool %s --split-input-file --reshape='inputs="X=1x1x4"' | filecheck %s
// RUN: opt-tool %s --split-input-file --shape '0=[?,1,4]' | filecheck %s --check-prefix OPEN
// RUN: opt-tool %s --split-input-file --shape '0=[2..4,1,4]' | filecheck %s --check-prefix LIMITS
// RUN: opt-tool %s --split-input-file --reshape='inputs="X=1x1x4"' --low-latency2 | filecheck %s --check-prefix STEP

// How often an iterator runs follows from its input, and so does what it puts together; its body stays.
// CHECK-LABEL: func.func @main
// CHECK-SAME:    (%x: tensor<1x1x4xf32> {{.*}}, %h0: tensor<1x4xf32> {{.*}}) -> (tensor<1x1x4xf32> {{.*}})
// CHECK-NEXT:    infra.tensor_iterator %x, %h0 {{.*}} -> tensor<1x1x4xf32>
// CHECK-NEXT:    ^bb0(%xt: tensor<1x1x4xf32>, %ht: tensor<1x4xf32>):
// OPEN-LABEL:  func.func @main
// OPEN-SAME:     (%x: tensor<?x1x4xf32> {{.*}}, %h0: tensor<1x4xf32> {{.*}}) -> (tensor<?x1x4xf32> {{.*}})
// OPEN-NEXT:     infra.tensor_iterator %x, %h0 {{.*}} -> tensor<?x1x4xf32>
// LIMITS:      (%x: tensor<?x1x4xf32> {nn.names = ["X"], nn.limits = "[2..4,1,4]"}
// OPEN-NEXT:     ^bb0(%xt: tensor<1x1x4xf32>, %ht: tensor<1x4xf32>):
// One iteration: low-latency2 needs no iterator.
// STEP-LABEL:  infra.variable @"TI/H_t/variable_1" : tensor<1x4xf32>
// STEP-NOT:    infra.tensor_iterator
// STEP:        infra.assign @"TI/H_t/variable_1"
func.func @main(%x: tensor<2x1x4xf32> {nn.names = ["X"]}, %h0: tensor<1x4xf32> {nn.names = ["H"]}) -> (tensor<2x1x4xf32> {nn.names = ["Y"]}) {
  %y = infra.tensor_iterator %x, %h0
      inputs [#infra.sliced<axis = 0, start = 0, end = -1, stride = 1, part_size = 1>, #infra.merged<result = 1>]
      outputs [#infra.concatenated<result = 0, axis = 0, start = 0, end = -1, stride = 1, part_size = 1>]
      body_names ["X_t", "H_t"] {nn.name = "TI"} : (tensor<2x1x4xf32>, tensor<1x4xf32>) -> tensor<2x1x4xf32> {
  ^bb0(%xt: tensor<1x1x4xf32>, %ht: tensor<1x4xf32>):
    %axis = nn.constant dense<0> : tensor<1xi64>
    %x0 = nn.squeeze %xt, %axis : (tensor<1x1x4xf32>, tensor<1xi64>) -> tensor<1x4xf32>
    %next = nn.add %x0, %ht : (tensor<1x4xf32>, tensor<1x4xf32>) -> tensor<1x4xf32>
    %out = nn.unsqueeze %next, %axis : (tensor<1x4xf32>, tensor<1xi64>) -> tensor<1x1x4xf32>
    infra.yield %out, %next : tensor<1x1x4xf32>, tensor<1x4xf32>
  }
  func.return %y : tensor<2x1x4xf32>
}

// -----

// Bodies of loops and branches follow; a trip count is one of the model's own.
// CHECK-LABEL: func.func @main
// CHECK:         infra.loop {{.*}} -> tensor<3x1x4xf32>
// CHECK-NEXT:    ^bb0(%xt: tensor<1x1x4xf32>):
// CHECK:         infra.if {{.*}} -> tensor<1x1x4xf32>
// CHECK-NEXT:    ^bb0(%a: tensor<1x1x4xf32>):
func.func @main(%x: tensor<2x1x4xf32> {nn.names = ["X"]}, %c: tensor<i1> {nn.names = ["C"]}) -> (tensor<6x1x4xf32>, tensor<2x1x4xf32>) {
  %trip = nn.constant dense<3> : tensor<i64>
  %true = nn.constant dense<true> : tensor<i1>
  %l = infra.loop %trip, %true, %x inputs [#infra.invariant]
      outputs [#infra.concatenated<result = 0, axis = 0, start = 0, end = -1, stride = 1, part_size = 1>]
      body_names ["X"] : (tensor<i64>, tensor<i1>, tensor<2x1x4xf32>) -> tensor<3x1x4xf32> {
  ^bb0(%xt: tensor<2x1x4xf32>):
    %axis = nn.constant dense<0> : tensor<1xi64>
    %start = nn.constant dense<0> : tensor<1xi64>
    %one = nn.constant dense<1> : tensor<1xi64>
    %t = nn.slice %xt, %start, %one, %one, %axis : (tensor<2x1x4xf32>, tensor<1xi64>, tensor<1xi64>, tensor<1xi64>, tensor<1xi64>) -> tensor<1x1x4xf32>
    infra.yield %t : tensor<1x1x4xf32>
  }
  %f = infra.if %c, %x : (tensor<i1>, tensor<2x1x4xf32>) -> tensor<2x1x4xf32> {
  ^bb0(%a: tensor<2x1x4xf32>):
    infra.yield %a : tensor<2x1x4xf32>
  } else {
  ^bb0(%b: tensor<2x1x4xf32>):
    %n = nn.tanh %b : tensor<2x1x4xf32>
    infra.yield %n : tensor<2x1x4xf32>
  }
  %twice = nn.concat %l, %l {axis = 0 : i64} : (tensor<3x1x4xf32>, tensor<3x1x4xf32>) -> tensor<6x1x4xf32>
  func.return %twice, %f : tensor<6x1x4xf32>, tensor<2x1x4xf32>
}

// -----

// A state follows an initial value that follows an input; one with a constant keeps its size; what is
// assigned another size than that has none, and what had none gets none.
// CHECK:       infra.variable @follows : tensor<1x1x4xf32>
// CHECK-NEXT:  infra.variable @keeps : tensor<2x1x4xf32>
// CHECK-NEXT:  infra.variable @grows : tensor<?x1x4xf32>
// CHECK-NEXT:  infra.variable @open : tensor<?x1x4xf32>
// CHECK-LABEL: func.func @main
// CHECK:         infra.read_value @follows, {{.*}} : tensor<1x1x4xf32> -> tensor<1x1x4xf32>
// CHECK:         infra.read_value @grows, {{.*}} : tensor<1x1x4xf32> -> tensor<?x1x4xf32>
infra.variable @follows : tensor<2x1x4xf32>
infra.variable @keeps : tensor<2x1x4xf32>
infra.variable @grows : tensor<2x1x4xf32>
infra.variable @open : tensor<?x1x4xf32>
func.func @main(%x: tensor<2x1x4xf32> {nn.names = ["X"]}) -> (tensor<2x1x4xf32> {nn.names = ["Y"]}) {
  %zero = nn.constant dense<0.0> : tensor<f32>
  %two = nn.constant dense<0.0> : tensor<2x1x4xf32>
  %shape = nn.shape_of %x : tensor<2x1x4xf32> -> tensor<3xi64>
  %init = nn.broadcast %zero, %shape : (tensor<f32>, tensor<3xi64>) -> tensor<2x1x4xf32>
  %f = infra.read_value @follows, %init : tensor<2x1x4xf32> -> tensor<2x1x4xf32>
  %k = infra.read_value @keeps, %two : tensor<2x1x4xf32> -> tensor<2x1x4xf32>
  %g = infra.read_value @grows, %init : tensor<2x1x4xf32> -> tensor<2x1x4xf32>
  %o = infra.read_value @open, %init : tensor<2x1x4xf32> -> tensor<?x1x4xf32>
  %sum = nn.add %f, %x : (tensor<2x1x4xf32>, tensor<2x1x4xf32>) -> tensor<2x1x4xf32>
  %more = nn.add %g, %two : (tensor<2x1x4xf32>, tensor<2x1x4xf32>) -> tensor<2x1x4xf32>
  infra.assign @follows, %sum : tensor<2x1x4xf32>
  infra.assign @keeps, %k : tensor<2x1x4xf32>
  infra.assign @grows, %more : tensor<2x1x4xf32>
  infra.assign @open, %o : tensor<?x1x4xf32>
  func.return %sum : tensor<2x1x4xf32>
}

// -----

// A shape that is computed follows; a constant that asks for it does (0 copies, -1 is what is left).
// CHECK-LABEL: func.func @main
// CHECK:         nn.reshape %x, %shape : {{.*}} -> tensor<1x4xf32>
// CHECK:         nn.reshape %x, %copies {special_zero = true} : {{.*}} -> tensor<1x4x1xf32>
// OPEN-LABEL:  func.func @main
// OPEN:          nn.reshape %x, %copies {special_zero = true} : {{.*}} -> tensor<?x4x?xf32>
func.func @main(%x: tensor<2x1x4xf32> {nn.names = ["X"]}) -> (tensor<2x4xf32>, tensor<2x4x1xf32>) {
  %whole = nn.shape_of %x : tensor<2x1x4xf32> -> tensor<3xi64>
  %axis = nn.constant dense<0> : tensor<i64>
  %a, %b, %c = nn.split %whole, %axis {num_splits = 3 : i64} : (tensor<3xi64>, tensor<i64>) -> (tensor<1xi64>, tensor<1xi64>, tensor<1xi64>)
  %shape = nn.concat %a, %c {axis = 0 : i64} : (tensor<1xi64>, tensor<1xi64>) -> tensor<2xi64>
  %y = nn.reshape %x, %shape : (tensor<2x1x4xf32>, tensor<2xi64>) -> tensor<2x4xf32>
  %copies = nn.constant dense<[0, 4, -1]> : tensor<3xi64>
  %z = nn.reshape %x, %copies {special_zero = true} : (tensor<2x1x4xf32>, tensor<3xi64>) -> tensor<2x4x1xf32>
  func.return %y, %z : tensor<2x4xf32>, tensor<2x4x1xf32>
}
