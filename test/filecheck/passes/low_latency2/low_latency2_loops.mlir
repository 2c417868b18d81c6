// RUN: opt-tool %s --low-latency2 >%t.once
// RUN: filecheck %s --input-file %t.once
// RUN: opt-tool %s --low-latency2 --low-latency2 2>/dev/null | cmp %t.once -
// RUN: opt-tool %s --low-latency2 --verify-numerics

// One iteration is inlined; its number is 0.
// CHECK-LABEL: func.func @once
// CHECK-NEXT:    [[ZERO:%.*]] = nn.constant dense<0.0> : tensor<1xf32>
// CHECK-NEXT:    [[H:%.*]] = infra.read_value @"once/H_t/variable_1", [[ZERO]]
// CHECK-NEXT:    [[I:%.*]] = nn.constant dense<0> : tensor<i64>
// CHECK-NEXT:    [[F:%.*]] = nn.convert [[I]] to f32
// CHECK-NEXT:    [[A:%.*]] = nn.add %x, [[H]]
// CHECK-NEXT:    [[B:%.*]] = nn.add [[A]], [[F]] {nn.name = "once"}
// CHECK:         infra.assign @"once/H_t/variable_1", [[B]]
// CHECK-NEXT:    func.return [[B]]
func.func @once(%x: tensor<1xf32>) -> tensor<1xf32> {
  %h = nn.constant dense<3.0> : tensor<1xf32>
  %one = nn.constant dense<1> : tensor<i64>
  %true = nn.constant dense<true> : tensor<i1>
  %y = infra.loop %one, %true, %x, %h
      inputs [#infra.sliced<axis = 0, start = 0, end = -1, stride = 1, part_size = 1>, #infra.merged<result = 1>]
      outputs [#infra.concatenated<result = 1, axis = 0, start = 0, end = -1, stride = 1, part_size = 1>]
      body_names ["X_t", "H_t"] {nn.name = "once", body_condition = 0 : i64, current_iteration} : (tensor<i64>, tensor<i1>, tensor<1xf32>, tensor<1xf32>) -> tensor<1xf32> {
  ^bb0(%xt: tensor<1xf32>, %ht: tensor<1xf32>, %i: tensor<i64>):
    %f = nn.convert %i to f32 : tensor<i64> -> tensor<f32>
    %a = nn.add %xt, %ht : (tensor<1xf32>, tensor<1xf32>) -> tensor<1xf32>
    %b = nn.add %a, %f : (tensor<1xf32>, tensor<f32>) -> tensor<1xf32>
    %go = nn.constant dense<true> : tensor<i1>
    infra.yield %go, %b : tensor<i1>, tensor<1xf32>
  }
  func.return %y : tensor<1xf32>
}

// A trip count of five, and a body condition that never holds: one iteration. So it is where the condition comes in
// as an invariant, but not where it is carried.
// CHECK-LABEL: func.func @condition
// CHECK:         infra.read_value @"never/H_t/variable_0"
// CHECK-NOT:     infra.loop
// CHECK:         infra.assign @"never/H_t/variable_0"
// CHECK:         infra.read_value @"given/H_t/variable_1"
// CHECK-NOT:     infra.loop
// CHECK:         infra.assign @"given/H_t/variable_1"
// CHECK:         infra.loop
func.func @condition(%h: tensor<1xf32>) -> tensor<1xf32> {
  %five = nn.constant dense<5> : tensor<i64>
  %true = nn.constant dense<true> : tensor<i1>
  %false = nn.constant dense<false> : tensor<i1>
  %y = infra.loop %five, %true, %h inputs [#infra.merged<result = 1>] outputs [#infra.iteration<result = 1, iteration = -1>]
      body_names ["H_t"] {nn.name = "never", body_condition = 0 : i64} : (tensor<i64>, tensor<i1>, tensor<1xf32>) -> tensor<1xf32> {
  ^bb0(%ht: tensor<1xf32>):
    %go = nn.constant dense<false> : tensor<i1>
    %t = nn.tanh %ht : tensor<1xf32>
    infra.yield %go, %t : tensor<i1>, tensor<1xf32>
  }
  %z = infra.loop %five, %true, %false, %y inputs [#infra.invariant, #infra.merged<result = 1>] outputs [#infra.iteration<result = 1, iteration = -1>]
      body_names ["C", "H_t"] {nn.name = "given", body_condition = 0 : i64} : (tensor<i64>, tensor<i1>, tensor<i1>, tensor<1xf32>) -> tensor<1xf32> {
  ^bb0(%go: tensor<i1>, %ht: tensor<1xf32>):
    %t = nn.tanh %ht : tensor<1xf32>
    infra.yield %go, %t : tensor<i1>, tensor<1xf32>
  }
  %u = infra.loop %five, %true, %false, %z inputs [#infra.merged<result = 0>, #infra.merged<result = 1>] outputs [#infra.iteration<result = 1, iteration = -1>]
      body_names ["C", "H_t"] {nn.name = "carried", body_condition = 0 : i64} : (tensor<i64>, tensor<i1>, tensor<i1>, tensor<1xf32>) -> tensor<1xf32> {
  ^bb0(%go: tensor<i1>, %ht: tensor<1xf32>):
    %t = nn.tanh %ht : tensor<1xf32>
    infra.yield %go, %t : tensor<i1>, tensor<1xf32>
  }
  func.return %u : tensor<1xf32>
}

// Two iterations, a count or a condition that only the caller knows: the loop stays between read and assign.
// CHECK-LABEL: func.func @stays
// CHECK:         [[H:%.*]] = infra.read_value @"two/H_t/variable_0"
// CHECK-NEXT:    [[Y:%.*]] = infra.loop {{.*}}, {{.*}}, [[H]]
// CHECK:         infra.assign @"two/H_t/variable_0", [[Y]]
// CHECK:         infra.read_value @"n/H_t/variable_0"
// CHECK-NEXT:    infra.loop %n,
// CHECK:         infra.assign @"n/H_t/variable_0"
// CHECK:         infra.read_value @"c/H_t/variable_0"
// CHECK-NEXT:    infra.loop {{%.*}}, %c,
// CHECK:         infra.assign @"c/H_t/variable_0"
// CHECK:         infra.read_value @"data/H_t/variable_0"
// CHECK-NEXT:    infra.loop
// CHECK:         infra.assign @"data/H_t/variable_0"
func.func @stays(%h: tensor<1xf32>, %n: tensor<i64>, %c: tensor<i1>) -> tensor<1xf32> {
  %one = nn.constant dense<1> : tensor<i64>
  %two = nn.constant dense<2> : tensor<i64>
  %true = nn.constant dense<true> : tensor<i1>
  %limit = nn.constant dense<0.0> : tensor<1xf32>
  %y = infra.loop %two, %true, %h inputs [#infra.merged<result = 0>] outputs [#infra.iteration<result = 0, iteration = -1>]
      body_names ["H_t"] {nn.name = "two"} : (tensor<i64>, tensor<i1>, tensor<1xf32>) -> tensor<1xf32> {
  ^bb0(%ht: tensor<1xf32>):
    %t = nn.tanh %ht : tensor<1xf32>
    infra.yield %t : tensor<1xf32>
  }
  %z = infra.loop %n, %true, %y inputs [#infra.merged<result = 0>] outputs [#infra.iteration<result = 0, iteration = -1>]
      body_names ["H_t"] {nn.name = "n"} : (tensor<i64>, tensor<i1>, tensor<1xf32>) -> tensor<1xf32> {
  ^bb0(%ht: tensor<1xf32>):
    %t = nn.tanh %ht : tensor<1xf32>
    infra.yield %t : tensor<1xf32>
  }
  %u = infra.loop %one, %c, %z inputs [#infra.merged<result = 0>] outputs [#infra.iteration<result = 0, iteration = -1>]
      body_names ["H_t"] {nn.name = "c"} : (tensor<i64>, tensor<i1>, tensor<1xf32>) -> tensor<1xf32> {
  ^bb0(%ht: tensor<1xf32>):
    %t = nn.tanh %ht : tensor<1xf32>
    infra.yield %t : tensor<1xf32>
  }
  %v = infra.loop %two, %true, %u inputs [#infra.merged<result = 1>] outputs [#infra.iteration<result = 1, iteration = -1>]
      body_names ["H_t"] {nn.name = "data", body_condition = 0 : i64} : (tensor<i64>, tensor<i1>, tensor<1xf32>) -> tensor<1xf32> {
  ^bb0(%ht: tensor<1xf32>):
    %t = nn.tanh %ht : tensor<1xf32>
    %zero = nn.constant dense<0.0> : tensor<1xf32>
    %go = nn.greater %t, %zero : (tensor<1xf32>, tensor<1xf32>) -> tensor<1xi1>
    infra.yield %go, %t : tensor<1xi1>, tensor<1xf32>
  }
  func.return %v : tensor<1xf32>
}

// An iterator in the bodies of a loop that stays and of a branch.
// CHECK-LABEL: func.func @bodies
// CHECK:         infra.loop
// CHECK-NEXT:    ^bb0
// CHECK:           infra.read_value @"inner/H_t/variable_0"
// CHECK-NEXT:      nn.tanh
// CHECK-NEXT:      infra.assign @"inner/H_t/variable_0"
// CHECK:         infra.assign @"outer/H_t/variable_0"
// CHECK:         infra.if %c,
// CHECK:           infra.read_value @"branch/H_t/variable_0"
// CHECK-NEXT:      nn.relu
// CHECK-NEXT:      infra.assign @"branch/H_t/variable_0"
// CHECK:         else
// CHECK-NOT:       infra.read_value
// CHECK:         func.return
func.func @bodies(%h: tensor<1xf32>, %n: tensor<i64>, %c: tensor<i1>) -> tensor<1xf32> {
  %true = nn.constant dense<true> : tensor<i1>
  %y = infra.loop %n, %true, %h inputs [#infra.merged<result = 0>] outputs [#infra.iteration<result = 0, iteration = -1>]
      body_names ["H_t"] {nn.name = "outer"} : (tensor<i64>, tensor<i1>, tensor<1xf32>) -> tensor<1xf32> {
  ^bb0(%ht: tensor<1xf32>):
    %in = infra.tensor_iterator %ht inputs [#infra.merged<result = 0>] outputs [#infra.iteration<result = 0, iteration = -1>]
        body_names ["H_t"] {nn.name = "inner"} : (tensor<1xf32>) -> tensor<1xf32> {
    ^bb1(%it: tensor<1xf32>):
      %t = nn.tanh %it : tensor<1xf32>
      infra.yield %t : tensor<1xf32>
    }
    infra.yield %in : tensor<1xf32>
  }
  %z = infra.if %c, %y : (tensor<i1>, tensor<1xf32>) -> tensor<1xf32> {
  ^bb0(%a: tensor<1xf32>):
    %in = infra.tensor_iterator %a inputs [#infra.merged<result = 0>] outputs [#infra.iteration<result = 0, iteration = -1>]
        body_names ["H_t"] {nn.name = "branch"} : (tensor<1xf32>) -> tensor<1xf32> {
    ^bb1(%it: tensor<1xf32>):
      %t = nn.relu %it : tensor<1xf32>
      infra.yield %t : tensor<1xf32>
    }
    infra.yield %in : tensor<1xf32>
  } else {
  ^bb0(%b: tensor<1xf32>):
    infra.yield %b : tensor<1xf32>
  }
  func.return %z : tensor<1xf32>
}

// A loop without a trip count ends where its slices do. What it gives has a known length once its body takes its place:
// then the loop behind it runs once, too.
// CHECK-LABEL: func.func @one_behind_the_other
// CHECK-NOT:     infra.loop
// CHECK:         infra.assign @"first/H_t/variable_1"
// CHECK-NOT:     infra.loop
// CHECK:         infra.assign @"second/H_t/variable_1"
// CHECK-NEXT:    func.return {{.*}} : tensor<1xf32>
func.func @one_behind_the_other(%x: tensor<1xf32>) -> tensor<?xf32> {
  %h = nn.constant dense<0.0> : tensor<1xf32>
  %any = nn.constant dense<-1> : tensor<i64>
  %true = nn.constant dense<true> : tensor<i1>
  %y = infra.loop %any, %true, %x, %h
      inputs [#infra.sliced<axis = 0, start = 0, end = -1, stride = 1, part_size = 1>, #infra.merged<result = 1>]
      outputs [#infra.concatenated<result = 1, axis = 0, start = 0, end = -1, stride = 1, part_size = 1>]
      body_names ["X_t", "H_t"] {nn.name = "first", body_condition = 0 : i64} : (tensor<i64>, tensor<i1>, tensor<1xf32>, tensor<1xf32>) -> tensor<?xf32> {
  ^bb0(%xt: tensor<1xf32>, %ht: tensor<1xf32>):
    %a = nn.add %xt, %ht : (tensor<1xf32>, tensor<1xf32>) -> tensor<1xf32>
    %go = nn.constant dense<true> : tensor<i1>
    infra.yield %go, %a : tensor<i1>, tensor<1xf32>
  }
  %r = nn.relu %y : tensor<?xf32>
  %z = infra.loop %any, %true, %r, %h
      inputs [#infra.sliced<axis = 0, start = 0, end = -1, stride = 1, part_size = 1>, #infra.merged<result = 1>]
      outputs [#infra.concatenated<result = 1, axis = 0, start = 0, end = -1, stride = 1, part_size = 1>]
      body_names ["X_t", "H_t"] {nn.name = "second", body_condition = 0 : i64} : (tensor<i64>, tensor<i1>, tensor<?xf32>, tensor<1xf32>) -> tensor<?xf32> {
  ^bb0(%xt: tensor<1xf32>, %ht: tensor<1xf32>):
    %a = nn.add %xt, %ht : (tensor<1xf32>, tensor<1xf32>) -> tensor<1xf32>
    %go = nn.constant dense<true> : tensor<i1>
    infra.yield %go, %a : tensor<i1>, tensor<1xf32>
  }
  func.return %z : tensor<?xf32>
}
