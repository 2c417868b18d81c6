// RUN: opt-tool %s --low-latency2 2>%t.notes >%t.once
// RUN: filecheck %s --input-file %t.once
// RUN: filecheck %s --check-prefix NOTE --input-file %t.notes
// RUN: opt-tool %s --low-latency2=use-const-initializer=false | filecheck %s --check-prefix KEEP
// RUN: opt-tool %s --low-latency2 --low-latency2 2>%t.again >%t.twice
// RUN: cmp %t.once %t.twice
// RUN: filecheck %s --check-prefix AGAIN --input-file %t.again

// NOTE: low-latency2: infra.tensor_iterator 'same': a state of this name exists; the new ones are named 'same_1/…'
// NOTE-NEXT: low-latency2: infra.tensor_iterator 'twice' still runs 2 iterations in each call;
// NOTE-NEXT: low-latency2: infra.tensor_iterator 'unknown' still runs an unknown number of iterations in each call;
// NOTE-NEXT: low-latency2: infra.tensor_iterator 'outer' still runs 3 iterations in each call;
// NOTE-NOT: low-latency2
// AGAIN: low-latency2 changed nothing: nothing lacks a state (states in the model: 15)

// CHECK:      infra.variable @own : tensor<1x4xf32>
// CHECK-NEXT: infra.variable @"once/H_t/variable_1" : tensor<1x4xf32>

infra.variable @own : tensor<1x4xf32>

// One iteration: the body takes the operation's place, and its last operation the name.
// CHECK-LABEL: func.func @once
// CHECK-SAME:    (%x: tensor<1x4xf32>, %h0: tensor<1x4xf32>)
// CHECK-NEXT:    [[ZERO:%.*]] = nn.constant dense<0.0> : tensor<1x4xf32>
// CHECK-NEXT:    [[H:%.*]] = infra.read_value @"once/H_t/variable_1", [[ZERO]] : tensor<1x4xf32> -> tensor<1x4xf32>
// CHECK-NEXT:    [[SUM:%.*]] = nn.add %x, [[H]] {nn.name = "sum"}
// CHECK-NEXT:    [[NEXT:%.*]] = nn.tanh [[SUM]] {nn.name = "once"} : tensor<1x4xf32>
// CHECK-NEXT:    infra.assign @"once/H_t/variable_1", [[NEXT]] : tensor<1x4xf32>
// CHECK-NEXT:    func.return [[NEXT]], [[NEXT]]
// KEEP-LABEL: func.func @once
// KEEP-NEXT:     infra.read_value @"once/H_t/variable_1", %h0 : tensor<1x4xf32> -> tensor<1x4xf32>
func.func @once(%x: tensor<1x4xf32>, %h0: tensor<1x4xf32>) -> (tensor<1x4xf32>, tensor<1x4xf32>) {
  %y, %h = infra.tensor_iterator %x, %h0
      inputs [#infra.sliced<axis = 0, start = 0, end = -1, stride = 1, part_size = 1>, #infra.merged<result = 0>]
      outputs [#infra.concatenated<result = 0, axis = 0, start = 0, end = -1, stride = 1, part_size = 1>, #infra.iteration<result = 0, iteration = -1>]
      body_names ["X_t", "H_t"] {nn.name = "once"} : (tensor<1x4xf32>, tensor<1x4xf32>) -> (tensor<1x4xf32>, tensor<1x4xf32>) {
  ^bb0(%xt: tensor<1x4xf32>, %ht: tensor<1x4xf32>):
    %sum = nn.add %xt, %ht {nn.name = "sum"} : (tensor<1x4xf32>, tensor<1x4xf32>) -> tensor<1x4xf32>
    %next = nn.tanh %sum : tensor<1x4xf32>
    infra.yield %next : tensor<1x4xf32>
  }
  func.return %y, %h : tensor<1x4xf32>, tensor<1x4xf32>
}

// Two iterations: the operation stays between its state's read and assign.
// CHECK-LABEL: func.func @twice
// CHECK-NEXT:    [[ZERO:%.*]] = nn.constant dense<0.0> : tensor<1x4xf32>
// CHECK-NEXT:    [[H:%.*]] = infra.read_value @"twice/H_t/variable_1", [[ZERO]]
// CHECK-NEXT:    [[Y:%.*]], [[LAST:%.*]] = infra.tensor_iterator %x, [[H]]
// CHECK:         infra.yield
// CHECK-NEXT:    }
// CHECK-NEXT:    infra.assign @"twice/H_t/variable_1", [[LAST]] : tensor<1x4xf32>
// CHECK-NEXT:    func.return [[Y]], [[LAST]]
// KEEP-LABEL: func.func @twice
// KEEP-NEXT:     [[H:%.*]] = infra.read_value @"twice/H_t/variable_1", %h0
// KEEP-NEXT:     infra.tensor_iterator %x, [[H]]
func.func @twice(%x: tensor<2x4xf32>, %h0: tensor<1x4xf32>) -> (tensor<2x4xf32>, tensor<1x4xf32>) {
  %y, %h = infra.tensor_iterator %x, %h0
      inputs [#infra.sliced<axis = 0, start = 0, end = -1, stride = 1, part_size = 1>, #infra.merged<result = 0>]
      outputs [#infra.concatenated<result = 0, axis = 0, start = 0, end = -1, stride = 1, part_size = 1>, #infra.iteration<result = 0, iteration = -1>]
      body_names ["X_t", "H_t"] {nn.name = "twice"} : (tensor<2x4xf32>, tensor<1x4xf32>) -> (tensor<2x4xf32>, tensor<1x4xf32>) {
  ^bb0(%xt: tensor<1x4xf32>, %ht: tensor<1x4xf32>):
    %next = nn.add %xt, %ht : (tensor<1x4xf32>, tensor<1x4xf32>) -> tensor<1x4xf32>
    infra.yield %next : tensor<1x4xf32>
  }
  func.return %y, %h : tensor<2x4xf32>, tensor<1x4xf32>
}

// An unknown number of iterations: as many. The last iteration's output is added, and n counts all inputs.
// CHECK-LABEL: func.func @unknown
// CHECK:         [[H:%.*]] = infra.read_value @"unknown/H_t/variable_2"
// CHECK-NEXT:    [[Y:%.*]], [[LAST:%.*]] = infra.tensor_iterator %x, %w, [[H]]
// CHECK-SAME:      outputs [#infra.concatenated<result = 1, {{.*}}>, #infra.iteration<result = 0, iteration = -1>]
// CHECK-SAME:      (tensor<?x4xf32>, tensor<4xf32>, tensor<1x4xf32>) -> (tensor<?x4xf32>, tensor<1x4xf32>)
// CHECK:         infra.assign @"unknown/H_t/variable_2", [[LAST]]
// CHECK-NEXT:    func.return [[Y]] : tensor<?x4xf32>
func.func @unknown(%x: tensor<?x4xf32>, %w: tensor<4xf32>) -> tensor<?x4xf32> {
  %h0 = nn.constant dense<1.0> : tensor<1x4xf32>
  %y = infra.tensor_iterator %x, %w, %h0
      inputs [#infra.sliced<axis = 0, start = 0, end = -1, stride = 1, part_size = 1>, #infra.invariant, #infra.merged<result = 0>]
      outputs [#infra.concatenated<result = 1, axis = 0, start = 0, end = -1, stride = 1, part_size = 1>]
      body_names ["X_t", "W", "H_t"] {nn.name = "unknown"} : (tensor<?x4xf32>, tensor<4xf32>, tensor<1x4xf32>) -> tensor<?x4xf32> {
  ^bb0(%xt: tensor<1x4xf32>, %wt: tensor<4xf32>, %ht: tensor<1x4xf32>):
    %next = nn.multiply %ht, %wt : (tensor<1x4xf32>, tensor<4xf32>) -> tensor<1x4xf32>
    %out = nn.add %xt, %next : (tensor<1x4xf32>, tensor<1x4xf32>) -> tensor<1x4xf32>
    infra.yield %next, %out : tensor<1x4xf32>, tensor<1x4xf32>
  }
  func.return %y : tensor<?x4xf32>
}

// The part of the one iteration is not the whole dimension: a slice.
// CHECK-LABEL: func.func @part
// CHECK:         [[START:%.*]] = nn.constant dense<[2]> : tensor<1xi64>
// CHECK-NEXT:    [[STOP:%.*]] = nn.constant dense<[4]> : tensor<1xi64>
// CHECK-NEXT:    [[STEP:%.*]] = nn.constant dense<[1]> : tensor<1xi64>
// CHECK-NEXT:    [[AXIS:%.*]] = nn.constant dense<[1]> : tensor<1xi64>
// CHECK-NEXT:    [[PART:%.*]] = nn.slice %x, [[START]], [[STOP]], [[STEP]], [[AXIS]]
// CHECK-SAME:      -> tensor<1x2xf32>
// CHECK-NEXT:    nn.add [[PART]],
func.func @part(%x: tensor<1x5xf32>, %h0: tensor<1x2xf32>) -> tensor<1x2xf32> {
  %y = infra.tensor_iterator %x, %h0
      inputs [#infra.sliced<axis = 1, start = -2, end = 2, stride = -2, part_size = 2>, #infra.merged<result = 0>]
      outputs [#infra.iteration<result = 0, iteration = -1>]
      body_names ["X_t", "H_t"] {nn.name = "part"} : (tensor<1x5xf32>, tensor<1x2xf32>) -> tensor<1x2xf32> {
  ^bb0(%xt: tensor<1x2xf32>, %ht: tensor<1x2xf32>):
    %next = nn.add %xt, %ht : (tensor<1x2xf32>, tensor<1x2xf32>) -> tensor<1x2xf32>
    infra.yield %next : tensor<1x2xf32>
  }
  func.return %y : tensor<1x2xf32>
}

// An initial value of unknown size: the zeros get its size at run time.
// CHECK-LABEL: func.func @batch
// CHECK-NEXT:    [[ZERO:%.*]] = nn.constant dense<0.0> : tensor<f32>
// CHECK-NEXT:    [[SHAPE:%.*]] = nn.shape_of %h0 : tensor<?x4xf32> -> tensor<2xi64>
// CHECK-NEXT:    [[INIT:%.*]] = nn.broadcast [[ZERO]], [[SHAPE]] : (tensor<f32>, tensor<2xi64>) -> tensor<?x4xf32>
// CHECK-NEXT:    [[H:%.*]] = infra.read_value @"batch/H_t/variable_1", [[INIT]] : tensor<?x4xf32> -> tensor<?x4xf32>
// CHECK-NEXT:    nn.add %x, [[H]]
func.func @batch(%x: tensor<?x4xf32>, %h0: tensor<?x4xf32>) -> tensor<?x4xf32> {
  %y = infra.tensor_iterator %x, %h0
      inputs [#infra.sliced<axis = 1, start = 0, end = -1, stride = 4, part_size = 4>, #infra.merged<result = 0>]
      outputs [#infra.iteration<result = 0, iteration = -1>]
      body_names ["X_t", "H_t"] {nn.name = "batch"} : (tensor<?x4xf32>, tensor<?x4xf32>) -> tensor<?x4xf32> {
  ^bb0(%xt: tensor<?x4xf32>, %ht: tensor<?x4xf32>):
    %next = nn.add %xt, %ht : (tensor<?x4xf32>, tensor<?x4xf32>) -> tensor<?x4xf32>
    infra.yield %next : tensor<?x4xf32>
  }
  func.return %y : tensor<?x4xf32>
}

// What the caller knows better than the body did goes into the body's types.
// CHECK-LABEL: func.func @sharper
// CHECK-SAME:    -> tensor<1x4xf32>
// CHECK:         nn.tanh %x : tensor<1x4xf32>
func.func @sharper(%x: tensor<1x4xf32>) -> tensor<1x?xf32> {
  %y = infra.tensor_iterator %x inputs [#infra.invariant] outputs [#infra.iteration<result = 0, iteration = -1>]
      body_names ["X"] : (tensor<1x4xf32>) -> tensor<1x?xf32> {
  ^bb0(%xt: tensor<1x?xf32>):
    %next = nn.tanh %xt : tensor<1x?xf32>
    infra.yield %next : tensor<1x?xf32>
  }
  func.return %y : tensor<1x?xf32>
}

// What only a run could tell stays as it is declared where other types get sharper.
// CHECK-LABEL: func.func @declared
// CHECK:         [[Y:%.*]] = nn.tanh %x : tensor<1x4xf32>
// CHECK-NEXT:    nn.reshape [[Y]], %shape : (tensor<1x4xf32>, tensor<2xi64>) -> tensor<2x2xf32>
func.func @declared(%x: tensor<1x4xf32>, %shape: tensor<2xi64>) -> tensor<2x2xf32> {
  %y = infra.tensor_iterator %x inputs [#infra.invariant] outputs [#infra.iteration<result = 0, iteration = -1>]
      body_names ["X"] : (tensor<1x4xf32>) -> tensor<1x?xf32> {
  ^bb0(%xt: tensor<1x?xf32>):
    %next = nn.tanh %xt : tensor<1x?xf32>
    infra.yield %next : tensor<1x?xf32>
  }
  %z = nn.reshape %y, %shape : (tensor<1x?xf32>, tensor<2xi64>) -> tensor<2x2xf32>
  func.return %z : tensor<2x2xf32>
}

// A model's own state stays, and an input that it feeds has its state already.
// CHECK-LABEL: func.func @stateful
// CHECK:         [[H:%.*]] = infra.read_value @own, %h0
// CHECK-NEXT:    nn.add %x, [[H]]
// CHECK-NEXT:    infra.assign @own
// CHECK-NOT:     infra.
// CHECK:         func.return
func.func @stateful(%x: tensor<1x4xf32>, %h0: tensor<1x4xf32>) -> tensor<1x4xf32> {
  %read = infra.read_value @own, %h0 : tensor<1x4xf32> -> tensor<1x4xf32>
  %y = infra.tensor_iterator %x, %read
      inputs [#infra.sliced<axis = 0, start = 0, end = -1, stride = 1, part_size = 1>, #infra.merged<result = 0>]
      outputs [#infra.iteration<result = 0, iteration = -1>]
      body_names ["X_t", "H_t"] {nn.name = "stateful"} : (tensor<1x4xf32>, tensor<1x4xf32>) -> tensor<1x4xf32> {
  ^bb0(%xt: tensor<1x4xf32>, %ht: tensor<1x4xf32>):
    %next = nn.add %xt, %ht : (tensor<1x4xf32>, tensor<1x4xf32>) -> tensor<1x4xf32>
    infra.yield %next : tensor<1x4xf32>
  }
  infra.assign @own, %y : tensor<1x4xf32>
  func.return %y : tensor<1x4xf32>
}

// Bodies are visited: the inner operation goes, the outer one stays.
// CHECK-LABEL: func.func @nested
// CHECK:         [[OUT:%.*]] = infra.read_value @"outer/H_t/variable_1"
// CHECK-NEXT:    [[LAST:%.*]] = infra.tensor_iterator %x, [[OUT]]
// CHECK:           [[IN:%.*]] = infra.read_value @"inner/H_t/variable_1"
// CHECK-NEXT:      [[NEXT:%.*]] = nn.add %xt, [[IN]]
// CHECK-NEXT:      infra.assign @"inner/H_t/variable_1", [[NEXT]]
// CHECK-NEXT:      infra.yield [[NEXT]]
// CHECK:         infra.assign @"outer/H_t/variable_1", [[LAST]]
// KEEP-LABEL: func.func @nested
// KEEP:          infra.read_value @"outer/H_t/variable_1", %h0
// KEEP:          infra.read_value @"inner/H_t/variable_1", %ht
func.func @nested(%x: tensor<3x4xf32>, %h0: tensor<1x4xf32>) -> tensor<1x4xf32> {
  %y = infra.tensor_iterator %x, %h0
      inputs [#infra.sliced<axis = 0, start = 0, end = -1, stride = 1, part_size = 1>, #infra.merged<result = 0>]
      outputs [#infra.iteration<result = 0, iteration = -1>]
      body_names ["X_t", "H_t"] {nn.name = "outer"} : (tensor<3x4xf32>, tensor<1x4xf32>) -> tensor<1x4xf32> {
  ^bb0(%xt: tensor<1x4xf32>, %ht: tensor<1x4xf32>):
    %in = infra.tensor_iterator %xt, %ht
        inputs [#infra.sliced<axis = 0, start = 0, end = -1, stride = 1, part_size = 1>, #infra.merged<result = 0>]
        outputs [#infra.iteration<result = 0, iteration = -1>]
        body_names ["X_t", "H_t"] {nn.name = "inner"} : (tensor<1x4xf32>, tensor<1x4xf32>) -> tensor<1x4xf32> {
    ^bb1(%xu: tensor<1x4xf32>, %hu: tensor<1x4xf32>):
      %next = nn.add %xu, %hu : (tensor<1x4xf32>, tensor<1x4xf32>) -> tensor<1x4xf32>
      infra.yield %next : tensor<1x4xf32>
    }
    infra.yield %in : tensor<1x4xf32>
  }
  func.return %y : tensor<1x4xf32>
}

// Two operations of one name: the second one's states are told apart. Without a name it is the operation's.
// CHECK-LABEL: func.func @names
// CHECK:         infra.read_value @"same/H_t/variable_0"
// CHECK:         infra.read_value @"same_1/H_t/variable_0"
// CHECK:         infra.read_value @"infra.tensor_iterator/H_t/variable_0"
func.func @names(%h0: tensor<f32>) -> tensor<f32> {
  %a = infra.tensor_iterator %h0 inputs [#infra.merged<result = 0>] outputs [#infra.iteration<result = 0, iteration = -1>]
      body_names ["H_t"] {nn.name = "same"} : (tensor<f32>) -> tensor<f32> {
  ^bb0(%ht: tensor<f32>):
    %next = nn.sigmoid %ht : tensor<f32>
    infra.yield %next : tensor<f32>
  }
  %b = infra.tensor_iterator %a inputs [#infra.merged<result = 0>] outputs [#infra.iteration<result = 0, iteration = -1>]
      body_names ["H_t"] {nn.name = "same"} : (tensor<f32>) -> tensor<f32> {
  ^bb0(%ht: tensor<f32>):
    %next = nn.sigmoid %ht : tensor<f32>
    infra.yield %next : tensor<f32>
  }
  %c = infra.tensor_iterator %b inputs [#infra.merged<result = 0>] outputs [#infra.iteration<result = 0, iteration = -1>]
      body_names ["H_t"] : (tensor<f32>) -> tensor<f32> {
  ^bb0(%ht: tensor<f32>):
    %next = nn.sigmoid %ht : tensor<f32>
    infra.yield %next : tensor<f32>
  }
  func.return %c : tensor<f32>
}

// Nothing is carried: one iteration is inlined, more than one are left as they are.
// CHECK-LABEL: func.func @stateless
// CHECK-NEXT:    [[ONE:%.*]] = nn.sigmoid %x
// CHECK-NEXT:    [[MORE:%.*]] = infra.tensor_iterator %xs
// CHECK-NOT:     infra.assign
// CHECK:         func.return [[ONE]], [[MORE]]
func.func @stateless(%x: tensor<1xf32>, %xs: tensor<2xf32>) -> (tensor<1xf32>, tensor<2xf32>) {
  %one = infra.tensor_iterator %x
      inputs [#infra.sliced<axis = 0, start = 0, end = -1, stride = 1, part_size = 1>]
      outputs [#infra.concatenated<result = 0, axis = 0, start = 0, end = -1, stride = 1, part_size = 1>]
      body_names ["X_t"] {nn.name = "stateless"} : (tensor<1xf32>) -> tensor<1xf32> {
  ^bb0(%xt: tensor<1xf32>):
    %next = nn.sigmoid %xt : tensor<1xf32>
    infra.yield %next : tensor<1xf32>
  }
  %more = infra.tensor_iterator %xs
      inputs [#infra.sliced<axis = 0, start = 0, end = -1, stride = 1, part_size = 1>]
      outputs [#infra.concatenated<result = 0, axis = 0, start = 0, end = -1, stride = 1, part_size = 1>]
      body_names ["X_t"] {nn.name = "stateless"} : (tensor<2xf32>) -> tensor<2xf32> {
  ^bb0(%xt: tensor<1xf32>):
    %next = nn.sigmoid %xt : tensor<1xf32>
    infra.yield %next : tensor<1xf32>
  }
  func.return %one, %more : tensor<1xf32>, tensor<2xf32>
}

// Types of states: integers and half precision get zeros of their own.
// CHECK-LABEL: func.func @types
// CHECK:         nn.constant dense<0> : tensor<2xi64>
// CHECK:         nn.constant dense<false> : tensor<2xi1>
// CHECK:         nn.constant dense<0.0> : tensor<2xf16>
// CHECK:         nn.constant dense<0> : tensor<2xui8>
func.func @types(%a: tensor<2xi64>, %b: tensor<2xi1>, %c: tensor<2xf16>, %d: tensor<2xui8>) {
  infra.tensor_iterator %a, %b, %c, %d
      inputs [#infra.merged<result = 0>, #infra.merged<result = 1>, #infra.merged<result = 2>, #infra.merged<result = 3>]
      outputs [] body_names ["A", "B", "C", "D"] {nn.name = "types"} : (tensor<2xi64>, tensor<2xi1>, tensor<2xf16>, tensor<2xui8>) -> () {
  ^bb0(%p: tensor<2xi64>, %q: tensor<2xi1>, %r: tensor<2xf16>, %s: tensor<2xui8>):
    infra.yield %p, %q, %r, %s : tensor<2xi64>, tensor<2xi1>, tensor<2xf16>, tensor<2xui8>
  }
  func.return
}
