// RUN: opt-tool %s --unroll-loops | filecheck %s
// RUN: opt-tool %s --unroll-loops --verify-numerics
// RUN: opt-tool %s --unroll-loops >%t.once && opt-tool %s --unroll-loops --unroll-loops | cmp %t.once -

infra.variable @count : tensor<1xf32>
infra.variable @own : tensor<1xf32>

// Each copy takes its part and what the copy before gave. The outputs stand in order, copies have numbers.
// CHECK-LABEL: func.func @forward
// CHECK-NEXT:    [[AXIS:%.*]] = nn.constant dense<0> : tensor<i64>
// CHECK-NEXT:    [[X0:%.*]], [[X1:%.*]], [[X2:%.*]] = nn.split %x, [[AXIS]] {num_splits = 3 : i64}
// CHECK-NEXT:    [[H0:%.*]] = nn.add [[X0]], %h {nn.name = "sum/0"}
// CHECK-NEXT:    [[H1:%.*]] = nn.add [[X1]], [[H0]] {nn.name = "sum/1"}
// CHECK-NEXT:    [[H2:%.*]] = nn.add [[X2]], [[H1]] {nn.name = "sum/2"}
// CHECK-NEXT:    [[Y:%.*]] = nn.concat [[H0]], [[H1]], [[H2]] {nn.name = "TI", axis = 0 : i64}
// CHECK-NEXT:    func.return [[Y]], [[H2]], [[H0]]
func.func @forward(%x: tensor<3xf32>, %h: tensor<1xf32>) -> (tensor<3xf32>, tensor<1xf32>, tensor<1xf32>) {
  %y, %last, %first = infra.tensor_iterator %x, %h
      inputs [#infra.sliced<axis = 0, start = 0, end = -1, stride = 1, part_size = 1>, #infra.merged<result = 0>]
      outputs [#infra.concatenated<result = 0, axis = 0, start = 0, end = -1, stride = 1, part_size = 1>, #infra.iteration<result = 0, iteration = -1>, #infra.iteration<result = 0, iteration = 0>]
      body_names ["X", "H"] {nn.name = "TI"} : (tensor<3xf32>, tensor<1xf32>) -> (tensor<3xf32>, tensor<1xf32>, tensor<1xf32>) {
  ^bb0(%xt: tensor<1xf32>, %ht: tensor<1xf32>):
    %sum = nn.add %xt, %ht {nn.name = "sum"} : (tensor<1xf32>, tensor<1xf32>) -> tensor<1xf32>
    infra.yield %sum : tensor<1xf32>
  }
  func.return %y, %last, %first : tensor<3xf32>, tensor<1xf32>, tensor<1xf32>
}

// Backward the last part comes first, and stands last. Parts that do not fill the dimension are slices.
// CHECK-LABEL: func.func @backward
// CHECK:         [[START:%.*]] = nn.constant dense<[3]> : tensor<1xi64>
// CHECK-NEXT:    [[STOP:%.*]] = nn.constant dense<[5]> : tensor<1xi64>
// CHECK:         [[X0:%.*]] = nn.slice %x, [[START]], [[STOP]]
// CHECK:         [[START:%.*]] = nn.constant dense<[1]> : tensor<1xi64>
// CHECK-NEXT:    [[STOP:%.*]] = nn.constant dense<[3]> : tensor<1xi64>
// CHECK:         [[X1:%.*]] = nn.slice %x, [[START]], [[STOP]]
// CHECK:         [[H0:%.*]] = nn.add [[X0]], %h
// CHECK-NEXT:    [[H1:%.*]] = nn.add [[X1]], [[H0]]
// CHECK-NEXT:    nn.concat [[H1]], [[H0]] {axis = 0 : i64}
func.func @backward(%x: tensor<5xf32>, %h: tensor<2xf32>) -> tensor<4xf32> {
  %y = infra.tensor_iterator %x, %h
      inputs [#infra.sliced<axis = 0, start = -1, end = 1, stride = -2, part_size = 2>, #infra.merged<result = 0>]
      outputs [#infra.concatenated<result = 0, axis = 0, start = -1, end = 0, stride = -2, part_size = 2>]
      body_names ["X", "H"] : (tensor<5xf32>, tensor<2xf32>) -> tensor<4xf32> {
  ^bb0(%xt: tensor<2xf32>, %ht: tensor<2xf32>):
    %sum = nn.add %xt, %ht : (tensor<2xf32>, tensor<2xf32>) -> tensor<2xf32>
    infra.yield %sum : tensor<2xf32>
  }
  func.return %y : tensor<4xf32>
}

// The number of the iteration is a constant; a body condition that never holds leaves one iteration of five.
// CHECK-LABEL: func.func @loop
// CHECK:         [[ZERO:%.*]] = nn.constant dense<0> : tensor<i64>
// CHECK:         [[A:%.*]] = nn.add %h, [[ZERO]]
// CHECK:         [[ONE:%.*]] = nn.constant dense<1> : tensor<i64>
// CHECK:         [[B:%.*]] = nn.add [[A]], [[ONE]]
// CHECK:         [[ZERO:%.*]] = nn.constant dense<0> : tensor<i64>
// CHECK-NOT:     nn.constant dense<1>
// CHECK:         [[C:%.*]] = nn.multiply [[B]], [[ZERO]]
// CHECK-NEXT:    func.return [[C]]
func.func @loop(%h: tensor<i64>) -> tensor<i64> {
  %two = nn.constant dense<2> : tensor<i64>
  %five = nn.constant dense<5> : tensor<i64>
  %true = nn.constant dense<true> : tensor<i1>
  %y = infra.loop %two, %true, %h inputs [#infra.merged<result = 0>] outputs [#infra.iteration<result = 0, iteration = -1>]
      body_names ["H"] {current_iteration} : (tensor<i64>, tensor<i1>, tensor<i64>) -> tensor<i64> {
  ^bb0(%ht: tensor<i64>, %i: tensor<i64>):
    %sum = nn.add %ht, %i : (tensor<i64>, tensor<i64>) -> tensor<i64>
    infra.yield %sum : tensor<i64>
  }
  %z = infra.loop %five, %true, %y inputs [#infra.merged<result = 1>] outputs [#infra.iteration<result = 1, iteration = -1>]
      body_names ["H"] {current_iteration, body_condition = 0 : i64} : (tensor<i64>, tensor<i1>, tensor<i64>) -> tensor<i64> {
  ^bb0(%ht: tensor<i64>, %i: tensor<i64>):
    %never = nn.constant dense<false> : tensor<i1>
    %product = nn.multiply %ht, %i : (tensor<i64>, tensor<i64>) -> tensor<i64>
    infra.yield %never, %product : tensor<i1>, tensor<i64>
  }
  func.return %z : tensor<i64>
}

// No iteration: the initial value, and nothing put together.
// CHECK-LABEL: func.func @never
// CHECK:         [[NOTHING:%.*]] = nn.constant {nn.name = "L"} dense<{{.*}}> : tensor<2x0xf32>
// CHECK-NEXT:    func.return %h, [[NOTHING]] : tensor<2x1xf32>, tensor<2x0xf32>
func.func @never(%h: tensor<2x1xf32>) -> (tensor<2x1xf32>, tensor<2x?xf32>) {
  %none = nn.constant dense<0> : tensor<i64>
  %true = nn.constant dense<true> : tensor<i1>
  %y, %all = infra.loop %none, %true, %h inputs [#infra.merged<result = 0>]
      outputs [#infra.iteration<result = 0, iteration = -1>, #infra.concatenated<result = 0, axis = 1, start = 0, end = -1, stride = 1, part_size = 1>]
      body_names ["H"] {nn.name = "L"} : (tensor<i64>, tensor<i1>, tensor<2x1xf32>) -> (tensor<2x1xf32>, tensor<2x?xf32>) {
  ^bb0(%ht: tensor<2x1xf32>):
    %t = nn.tanh %ht : tensor<2x1xf32>
    infra.yield %t : tensor<2x1xf32>
  }
  func.return %y, %all : tensor<2x1xf32>, tensor<2x?xf32>
}

// A count or a condition that is not known: the operation stays, and what is known in its body goes.
// CHECK-LABEL: func.func @unknown
// CHECK:         infra.loop %n,
// CHECK-NOT:       infra.if
// CHECK:           nn.tanh
// CHECK:           infra.yield
// CHECK:         infra.loop {{.*}} {body_condition = 0 : i64}
// CHECK:         infra.tensor_iterator %x
func.func @unknown(%n: tensor<i64>, %x: tensor<?xf32>, %h: tensor<1xf32>, %c: tensor<i1>) -> (tensor<1xf32>, tensor<1xf32>, tensor<?xf32>) {
  %true = nn.constant dense<true> : tensor<i1>
  %two = nn.constant dense<2> : tensor<i64>
  %y = infra.loop %n, %true, %h inputs [#infra.merged<result = 0>] outputs [#infra.iteration<result = 0, iteration = -1>]
      body_names ["H"] : (tensor<i64>, tensor<i1>, tensor<1xf32>) -> tensor<1xf32> {
  ^bb0(%ht: tensor<1xf32>):
    %yes = nn.constant dense<true> : tensor<i1>
    %next = infra.if %yes, %ht : (tensor<i1>, tensor<1xf32>) -> tensor<1xf32> {
    ^bb1(%a: tensor<1xf32>):
      %t = nn.tanh %a : tensor<1xf32>
      infra.yield %t : tensor<1xf32>
    } else {
    ^bb2(%b: tensor<1xf32>):
      infra.yield %b : tensor<1xf32>
    }
    infra.yield %next : tensor<1xf32>
  }
  %z = infra.loop %two, %true, %c, %y inputs [#infra.merged<result = 0>, #infra.merged<result = 1>] outputs [#infra.iteration<result = 1, iteration = -1>]
      body_names ["C", "H"] {body_condition = 0 : i64} : (tensor<i64>, tensor<i1>, tensor<i1>, tensor<1xf32>) -> tensor<1xf32> {
  ^bb0(%ct: tensor<i1>, %ht: tensor<1xf32>):
    %t = nn.relu %ht : tensor<1xf32>
    infra.yield %ct, %t : tensor<i1>, tensor<1xf32>
  }
  %all = infra.tensor_iterator %x inputs [#infra.sliced<axis = 0, start = 0, end = -1, stride = 1, part_size = 1>]
      outputs [#infra.concatenated<result = 0, axis = 0, start = 0, end = -1, stride = 1, part_size = 1>] body_names ["X"] : (tensor<?xf32>) -> tensor<?xf32> {
  ^bb0(%xt: tensor<1xf32>):
    %t = nn.relu %xt : tensor<1xf32>
    infra.yield %t : tensor<1xf32>
  }
  func.return %y, %z, %all : tensor<1xf32>, tensor<1xf32>, tensor<?xf32>
}

// The body that runs, in the place of a branch; a condition of the caller leaves it.
// CHECK-LABEL: func.func @branch
// CHECK-NOT:     nn.relu
// CHECK:         [[A:%.*]] = nn.tanh %x {nn.name = "choice"}
// CHECK:         infra.if %c, [[A]]
func.func @branch(%x: tensor<2xf32>, %c: tensor<i1>) -> tensor<?xf32> {
  %no = nn.constant dense<false> : tensor<i1>
  %y = infra.if %no, %x {nn.name = "choice"} : (tensor<i1>, tensor<2xf32>) -> tensor<?xf32> {
  ^bb0(%a: tensor<2xf32>):
    %r = nn.relu %a : tensor<2xf32>
    infra.yield %r : tensor<2xf32>
  } else {
  ^bb0(%b: tensor<2xf32>):
    %t = nn.tanh %b : tensor<2xf32>
    infra.yield %t : tensor<2xf32>
  }
  %z = infra.if %c, %y : (tensor<i1>, tensor<?xf32>) -> tensor<?xf32> {
  ^bb0(%a: tensor<?xf32>):
    %r = nn.sigmoid %a : tensor<?xf32>
    infra.yield %r : tensor<?xf32>
  } else {
  ^bb0(%b: tensor<?xf32>):
    infra.yield %b : tensor<?xf32>
  }
  func.return %z : tensor<?xf32>
}

// An inner count that the outer iteration decides is known in each copy: none, then one.
// CHECK-LABEL: func.func @inner
// CHECK-NOT:     infra.
// CHECK:         [[Y:%.*]] = nn.tanh %h
// CHECK-NOT:     nn.tanh
// CHECK:         func.return [[Y]]
func.func @inner(%h: tensor<1xf32>) -> tensor<1xf32> {
  %two = nn.constant dense<2> : tensor<i64>
  %true = nn.constant dense<true> : tensor<i1>
  %y = infra.loop %two, %true, %h inputs [#infra.merged<result = 0>] outputs [#infra.iteration<result = 0, iteration = -1>]
      body_names ["H"] {current_iteration} : (tensor<i64>, tensor<i1>, tensor<1xf32>) -> tensor<1xf32> {
  ^bb0(%ht: tensor<1xf32>, %i: tensor<i64>):
    %yes = nn.constant dense<true> : tensor<i1>
    %next = infra.loop %i, %yes, %ht inputs [#infra.merged<result = 0>] outputs [#infra.iteration<result = 0, iteration = -1>]
        body_names ["H"] : (tensor<i64>, tensor<i1>, tensor<1xf32>) -> tensor<1xf32> {
    ^bb1(%inner: tensor<1xf32>):
      %t = nn.tanh %inner : tensor<1xf32>
      infra.yield %t : tensor<1xf32>
    }
    infra.yield %next : tensor<1xf32>
  }
  func.return %y : tensor<1xf32>
}

// A state that the body reads is, in the second copy, what the first one assigned.
// CHECK-LABEL: func.func @state
// CHECK:         [[READ:%.*]] = infra.read_value @count
// CHECK-NEXT:    [[FIRST:%.*]] = nn.add [[READ]],
// CHECK-NOT:     infra.assign
// CHECK:         [[SECOND:%.*]] = nn.add [[FIRST]],
// CHECK-NEXT:    infra.assign @count, [[SECOND]]
// CHECK-NOT:     infra.
// CHECK:         func.return
func.func @state(%x: tensor<2xf32>) -> tensor<2xf32> {
  %y = infra.tensor_iterator %x inputs [#infra.sliced<axis = 0, start = 0, end = -1, stride = 1, part_size = 1>]
      outputs [#infra.concatenated<result = 0, axis = 0, start = 0, end = -1, stride = 1, part_size = 1>] body_names ["X"] : (tensor<2xf32>) -> tensor<2xf32> {
  ^bb0(%xt: tensor<1xf32>):
    %zero = nn.constant dense<0.0> : tensor<1xf32>
    %before = infra.read_value @count, %zero : tensor<1xf32> -> tensor<1xf32>
    %sum = nn.add %before, %xt : (tensor<1xf32>, tensor<1xf32>) -> tensor<1xf32>
    infra.assign @count, %sum : tensor<1xf32>
    infra.yield %sum : tensor<1xf32>
  }
  func.return %y : tensor<2xf32>
}

// A state that is read after the operation, too, gives its value at entry to the call: the operation stays.
// CHECK-LABEL: func.func @shared
// CHECK:         infra.tensor_iterator
func.func @shared(%x: tensor<2xf32>) -> tensor<1xf32> {
  %zero = nn.constant dense<0.0> : tensor<1xf32>
  infra.tensor_iterator %x inputs [#infra.sliced<axis = 0, start = 0, end = -1, stride = 1, part_size = 1>]
      outputs [] body_names ["X"] : (tensor<2xf32>) -> () {
  ^bb0(%xt: tensor<1xf32>):
    infra.assign @own, %xt : tensor<1xf32>
    infra.yield
  }
  %read = infra.read_value @own, %zero : tensor<1xf32> -> tensor<1xf32>
  func.return %read : tensor<1xf32>
}

// So does one whose body reads what its own inner body assigns, unless it runs once.
// CHECK-LABEL: func.func @levels
// CHECK:         infra.loop
// CHECK:         infra.if
// CHECK-LABEL: func.func @level
// CHECK-NOT:     infra.loop
// CHECK:         infra.if
func.func @levels(%h: tensor<1xf32>, %c: tensor<i1>) -> tensor<1xf32> {
  %two = nn.constant dense<2> : tensor<i64>
  %true = nn.constant dense<true> : tensor<i1>
  %y = infra.loop %two, %true, %h, %c inputs [#infra.merged<result = 0>, #infra.invariant] outputs [#infra.iteration<result = 0, iteration = -1>]
      body_names ["H", "C"] : (tensor<i64>, tensor<i1>, tensor<1xf32>, tensor<i1>) -> tensor<1xf32> {
  ^bb0(%ht: tensor<1xf32>, %ct: tensor<i1>):
    %read = infra.read_value @own, %ht : tensor<1xf32> -> tensor<1xf32>
    infra.if %ct, %read : (tensor<i1>, tensor<1xf32>) -> () {
    ^bb1(%a: tensor<1xf32>):
      %t = nn.tanh %a : tensor<1xf32>
      infra.assign @own, %t : tensor<1xf32>
      infra.yield
    } else {
    ^bb1(%a: tensor<1xf32>):
      infra.yield
    }
    infra.yield %read : tensor<1xf32>
  }
  func.return %y : tensor<1xf32>
}
func.func @level(%h: tensor<1xf32>, %c: tensor<i1>) -> tensor<1xf32> {
  %one = nn.constant dense<1> : tensor<i64>
  %true = nn.constant dense<true> : tensor<i1>
  %y = infra.loop %one, %true, %h, %c inputs [#infra.merged<result = 0>, #infra.invariant] outputs [#infra.iteration<result = 0, iteration = -1>]
      body_names ["H", "C"] : (tensor<i64>, tensor<i1>, tensor<1xf32>, tensor<i1>) -> tensor<1xf32> {
  ^bb0(%ht: tensor<1xf32>, %ct: tensor<i1>):
    %read = infra.read_value @own, %ht : tensor<1xf32> -> tensor<1xf32>
    infra.if %ct, %read : (tensor<i1>, tensor<1xf32>) -> () {
    ^bb1(%a: tensor<1xf32>):
      %t = nn.tanh %a : tensor<1xf32>
      infra.assign @own, %t : tensor<1xf32>
      infra.yield
    } else {
    ^bb1(%a: tensor<1xf32>):
      infra.yield
    }
    infra.yield %read : tensor<1xf32>
  }
  func.return %y : tensor<1xf32>
}
