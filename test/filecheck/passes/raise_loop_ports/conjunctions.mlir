// RUN: opt-tool %s --raise-loop-ports | filecheck %s
// RUN: opt-tool %s --raise-loop-ports --verify-numerics

// While the counter is less than 4 and the number less than 9.
// CHECK-LABEL: func.func @both
// CHECK:      [[TRIPS:%.*]] = nn.constant dense<4> : tensor<i64>
// CHECK:      infra.loop [[TRIPS]],
// CHECK-SAME: body_condition
// CHECK-NOT:  infra.if
// CHECK:      func.return
func.func @both(%x: tensor<f32>) -> tensor<f32> {
  %free = nn.constant dense<9223372036854775807> : tensor<i64>
  %true = nn.constant dense<true> : tensor<i1>
  %zero = nn.constant dense<0> : tensor<i64>
  %r = infra.loop %free, %true, %zero, %x inputs [#infra.merged<result = 0>, #infra.merged<result = 1>] outputs [#infra.iteration<result = 1, iteration = -1>] body_names ["a", "b"] {body_condition = 2 : i64} : (tensor<i64>, tensor<i1>, tensor<i64>, tensor<f32>) -> tensor<f32> {
  ^bb0(%a: tensor<i64>, %b: tensor<f32>):
    %one = nn.constant dense<1> : tensor<i64>
    %i = nn.add %a, %one : (tensor<i64>, tensor<i64>) -> tensor<i64>
    %d = nn.add %b, %b : (tensor<f32>, tensor<f32>) -> tensor<f32>
    %nine = nn.constant dense<9.0> : tensor<f32>
    %small = nn.less %d, %nine : (tensor<f32>, tensor<f32>) -> tensor<i1>
    %go = infra.if %small, %i : (tensor<i1>, tensor<i64>) -> tensor<i1> {
    ^bb0(%j: tensor<i64>):
      %limit = nn.constant dense<4> : tensor<i64>
      %less = nn.less %j, %limit : (tensor<i64>, tensor<i64>) -> tensor<i1>
      infra.yield %less : tensor<i1>
    } else {
    ^bb0(%j: tensor<i64>):
      %no = nn.constant dense<false> : tensor<i1>
      infra.yield %no : tensor<i1>
    }
    infra.yield %i, %d, %go : tensor<i64>, tensor<f32>, tensor<i1>
  }
  func.return %r : tensor<f32>
}

// The second condition may be there already: the branch gives an input of its own.
// CHECK-LABEL: func.func @given
// CHECK:      [[TRIPS:%.*]] = nn.constant dense<4> : tensor<i64>
// CHECK:      infra.loop [[TRIPS]],
// CHECK-SAME: body_condition
// CHECK-NOT:  infra.if
// CHECK:      func.return
func.func @given(%x: tensor<f32>) -> tensor<f32> {
  %free = nn.constant dense<9223372036854775807> : tensor<i64>
  %true = nn.constant dense<true> : tensor<i1>
  %zero = nn.constant dense<0> : tensor<i64>
  %r = infra.loop %free, %true, %zero, %x inputs [#infra.merged<result = 0>, #infra.merged<result = 1>] outputs [#infra.iteration<result = 1, iteration = -1>] body_names ["a", "b"] {body_condition = 2 : i64} : (tensor<i64>, tensor<i1>, tensor<i64>, tensor<f32>) -> tensor<f32> {
  ^bb0(%a: tensor<i64>, %b: tensor<f32>):
    %one = nn.constant dense<1> : tensor<i64>
    %i = nn.add %a, %one : (tensor<i64>, tensor<i64>) -> tensor<i64>
    %d = nn.add %b, %b : (tensor<f32>, tensor<f32>) -> tensor<f32>
    %nine = nn.constant dense<9.0> : tensor<f32>
    %small = nn.less %d, %nine : (tensor<f32>, tensor<f32>) -> tensor<i1>
    %limit = nn.constant dense<4> : tensor<i64>
    %less = nn.less %i, %limit : (tensor<i64>, tensor<i64>) -> tensor<i1>
    %go = infra.if %small, %less : (tensor<i1>, tensor<i1>) -> tensor<i1> {
    ^bb0(%j: tensor<i1>):
      infra.yield %j : tensor<i1>
    } else {
    ^bb0(%j: tensor<i1>):
      %no = nn.constant dense<false> : tensor<i1>
      infra.yield %no : tensor<i1>
    }
    infra.yield %i, %d, %go : tensor<i64>, tensor<f32>, tensor<i1>
  }
  func.return %r : tensor<f32>
}

// `small or less` goes on for more iterations than the counter allows.
// CHECK-LABEL: func.func @either
// CHECK:      infra.loop
// CHECK:      infra.if
// CHECK:      func.return
func.func @either(%x: tensor<f32>) -> tensor<f32> {
  %free = nn.constant dense<100> : tensor<i64>
  %true = nn.constant dense<true> : tensor<i1>
  %zero = nn.constant dense<0> : tensor<i64>
  %r = infra.loop %free, %true, %zero, %x inputs [#infra.merged<result = 0>, #infra.merged<result = 1>] outputs [#infra.iteration<result = 1, iteration = -1>] body_names ["a", "b"] {body_condition = 2 : i64} : (tensor<i64>, tensor<i1>, tensor<i64>, tensor<f32>) -> tensor<f32> {
  ^bb0(%a: tensor<i64>, %b: tensor<f32>):
    %one = nn.constant dense<1> : tensor<i64>
    %i = nn.add %a, %one : (tensor<i64>, tensor<i64>) -> tensor<i64>
    %d = nn.add %b, %b : (tensor<f32>, tensor<f32>) -> tensor<f32>
    %nine = nn.constant dense<9.0> : tensor<f32>
    %small = nn.less %d, %nine : (tensor<f32>, tensor<f32>) -> tensor<i1>
    %large = nn.logical_not %small : tensor<i1>
    %go = infra.if %large, %i : (tensor<i1>, tensor<i64>) -> tensor<i1> {
    ^bb0(%j: tensor<i64>):
      %limit = nn.constant dense<4> : tensor<i64>
      %less = nn.less %j, %limit : (tensor<i64>, tensor<i64>) -> tensor<i1>
      infra.yield %less : tensor<i1>
    } else {
    ^bb0(%j: tensor<i64>):
      %yes = nn.constant dense<true> : tensor<i1>
      infra.yield %yes : tensor<i1>
    }
    infra.yield %i, %d, %go : tensor<i64>, tensor<f32>, tensor<i1>
  }
  func.return %r : tensor<f32>
}

// A branch that compares whole tensors is taken only where it must be.
// CHECK-LABEL: func.func @tensors
// CHECK:      infra.loop
// CHECK:      infra.if
// CHECK:      func.return
func.func @tensors(%x: tensor<64xf32>) -> tensor<64xf32> {
  %free = nn.constant dense<100> : tensor<i64>
  %true = nn.constant dense<true> : tensor<i1>
  %zero = nn.constant dense<0> : tensor<i64>
  %r = infra.loop %free, %true, %zero, %x inputs [#infra.merged<result = 0>, #infra.merged<result = 1>] outputs [#infra.iteration<result = 1, iteration = -1>] body_names ["a", "b"] {body_condition = 2 : i64} : (tensor<i64>, tensor<i1>, tensor<i64>, tensor<64xf32>) -> tensor<64xf32> {
  ^bb0(%a: tensor<i64>, %b: tensor<64xf32>):
    %one = nn.constant dense<1> : tensor<i64>
    %i = nn.add %a, %one : (tensor<i64>, tensor<i64>) -> tensor<i64>
    %d = nn.add %b, %b : (tensor<64xf32>, tensor<64xf32>) -> tensor<64xf32>
    %limit = nn.constant dense<4> : tensor<i64>
    %square = nn.multiply %i, %i : (tensor<i64>, tensor<i64>) -> tensor<i64>
    %less = nn.less %square, %limit : (tensor<i64>, tensor<i64>) -> tensor<i1>
    %go = infra.if %less, %d : (tensor<i1>, tensor<64xf32>) -> tensor<i1> {
    ^bb0(%e: tensor<64xf32>):
      %nine = nn.constant dense<9.0> : tensor<f32>
      %small = nn.less %e, %nine : (tensor<64xf32>, tensor<f32>) -> tensor<64xi1>
      %axis = nn.constant dense<0> : tensor<1xi64>
      %all = nn.reduce_logical_and %small, %axis {keep_dims = false} : (tensor<64xi1>, tensor<1xi64>) -> tensor<i1>
      infra.yield %all : tensor<i1>
    } else {
    ^bb0(%e: tensor<64xf32>):
      %no = nn.constant dense<false> : tensor<i1>
      infra.yield %no : tensor<i1>
    }
    infra.yield %i, %d, %go : tensor<i64>, tensor<64xf32>, tensor<i1>
  }
  func.return %r : tensor<64xf32>
}

// What a branch computes with other types stays there.
// CHECK-LABEL: func.func @foreign
// CHECK:      infra.if
// CHECK:      func.return
func.func @foreign(%x: tensor<f32>) -> tensor<f32> {
  %free = nn.constant dense<9223372036854775807> : tensor<i64>
  %true = nn.constant dense<true> : tensor<i1>
  %zero = nn.constant dense<0> : tensor<i64>
  %r = infra.loop %free, %true, %zero, %x inputs [#infra.merged<result = 0>, #infra.merged<result = 1>] outputs [#infra.iteration<result = 1, iteration = -1>] body_names ["a", "b"] {body_condition = 2 : i64} : (tensor<i64>, tensor<i1>, tensor<i64>, tensor<f32>) -> tensor<f32> {
  ^bb0(%a: tensor<i64>, %b: tensor<f32>):
    %one = nn.constant dense<1> : tensor<i64>
    %i = nn.add %a, %one : (tensor<i64>, tensor<i64>) -> tensor<i64>
    %d = nn.add %b, %b : (tensor<f32>, tensor<f32>) -> tensor<f32>
    %nine = nn.constant dense<9.0> : tensor<f32>
    %small = nn.less %d, %nine : (tensor<f32>, tensor<f32>) -> tensor<i1>
    %limit = nn.constant dense<4> : tensor<i64>
    %less = nn.less %i, %limit : (tensor<i64>, tensor<i64>) -> tensor<i1>
    %go = infra.if %small, %less : (tensor<i1>, tensor<i1>) -> tensor<i1> {
    ^bb0(%j: tensor<i1>):
      %k = arith.constant 1 : i32
      infra.yield %j : tensor<i1>
    } else {
    ^bb0(%j: tensor<i1>):
      %no = nn.constant dense<false> : tensor<i1>
      infra.yield %no : tensor<i1>
    }
    infra.yield %i, %d, %go : tensor<i64>, tensor<f32>, tensor<i1>
  }
  func.return %r : tensor<f32>
}
