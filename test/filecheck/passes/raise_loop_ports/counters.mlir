// RUN: opt-tool %s --raise-loop-ports | filecheck %s
// RUN: opt-tool %s --raise-loop-ports --verify-numerics

// In the body it is twice the number of the iteration, after the loop twice their count.
// CHECK-LABEL: func.func @counted
// CHECK:      [[COUNT:%.*]] = nn.constant dense<4> : tensor<i64>
// CHECK:      infra.loop %{{.*}}, %{{.*}}, %x inputs [#infra.merged<result = 0>]
// CHECK-SAME: current_iteration
// CHECK:      func.return
func.func @counted(%x: tensor<2xf32>) -> (tensor<i32>, tensor<2xf32>) {
  %free = nn.constant dense<-1> : tensor<i64>
  %true = nn.constant dense<true> : tensor<i1>
  %zero = nn.constant dense<0> : tensor<i32>
  %n, %r = infra.loop %free, %true, %zero, %x inputs [#infra.merged<result = 0>, #infra.merged<result = 1>] outputs [#infra.iteration<result = 0, iteration = -1>, #infra.iteration<result = 1, iteration = -1>] body_names ["a", "b"] {body_condition = 2 : i64} : (tensor<i64>, tensor<i1>, tensor<i32>, tensor<2xf32>) -> (tensor<i32>, tensor<2xf32>) {
  ^bb0(%a: tensor<i32>, %b: tensor<2xf32>):
    %one = nn.constant dense<2> : tensor<i32>
    %i = nn.add %a, %one : (tensor<i32>, tensor<i32>) -> tensor<i32>
    %limit = nn.constant dense<8> : tensor<i32>
    %go = nn.less %i, %limit : (tensor<i32>, tensor<i32>) -> tensor<i1>
    %f = nn.convert %a to f32 : tensor<i32> -> tensor<f32>
    %d = nn.add %b, %f : (tensor<2xf32>, tensor<f32>) -> tensor<2xf32>
    infra.yield %i, %d, %go : tensor<i32>, tensor<2xf32>, tensor<i1>
  }
  func.return %n, %r : tensor<i32>, tensor<2xf32>
}

// A condition may end the loop before: what was counted then comes back.
// CHECK-LABEL: func.func @ended_before
// CHECK:      infra.loop %{{.*}}, %{{.*}}, %zero, %x inputs [#infra.merged<result = 0>, #infra.merged<result = 1>]
// CHECK-SAME: body_condition
func.func @ended_before(%x: tensor<2xf32>) -> (tensor<i32>, tensor<2xf32>) {
  %free = nn.constant dense<-1> : tensor<i64>
  %true = nn.constant dense<true> : tensor<i1>
  %zero = nn.constant dense<0> : tensor<i32>
  %n, %r = infra.loop %free, %true, %zero, %x inputs [#infra.merged<result = 0>, #infra.merged<result = 1>] outputs [#infra.iteration<result = 0, iteration = -1>, #infra.iteration<result = 1, iteration = -1>] body_names ["a", "b"] {body_condition = 2 : i64} : (tensor<i64>, tensor<i1>, tensor<i32>, tensor<2xf32>) -> (tensor<i32>, tensor<2xf32>) {
  ^bb0(%a: tensor<i32>, %b: tensor<2xf32>):
    %one = nn.constant dense<2> : tensor<i32>
    %i = nn.add %a, %one : (tensor<i32>, tensor<i32>) -> tensor<i32>
    %limit = nn.constant dense<8> : tensor<i32>
    %go = nn.less %i, %limit : (tensor<i32>, tensor<i32>) -> tensor<i1>
    %f = nn.convert %a to f32 : tensor<i32> -> tensor<f32>
    %d = nn.add %b, %f : (tensor<2xf32>, tensor<f32>) -> tensor<2xf32>
    %index = nn.constant dense<0> : tensor<1xi64>
    %sum = nn.reduce_sum %d, %index {keep_dims = false} : (tensor<2xf32>, tensor<1xi64>) -> tensor<f32>
    %most = nn.constant dense<9.0> : tensor<f32>
    %small = nn.less %sum, %most : (tensor<f32>, tensor<f32>) -> tensor<i1>
    %on = nn.logical_and %go, %small : (tensor<i1>, tensor<i1>) -> tensor<i1>
    infra.yield %i, %d, %on : tensor<i32>, tensor<2xf32>, tensor<i1>
  }
  func.return %n, %r : tensor<i32>, tensor<2xf32>
}
