// RUN: opt-tool %s --raise-loop-ports | filecheck %s
// RUN: opt-tool %s --raise-loop-ports --verify-numerics

// The sum is made in each iteration, and nobody reads it.
// CHECK-LABEL: func.func @nobody
// CHECK:      infra.loop %{{.*}}, %{{.*}}, %x inputs [#infra.merged<result = 0>]
// CHECK-NOT:  body_condition
// CHECK:      func.return
func.func @nobody(%x: tensor<2xf32>, %w: tensor<2xf32>) -> tensor<2xf32> {
  %free = nn.constant dense<-1> : tensor<i64>
  %true = nn.constant dense<true> : tensor<i1>
  %zero = nn.constant dense<0> : tensor<i32>
  %r = infra.loop %free, %true, %zero, %x, %w inputs [#infra.merged<result = 0>, #infra.merged<result = 1>, #infra.merged<result = 2>] outputs [#infra.iteration<result = 1, iteration = -1>] body_names ["a", "b", "c"] {body_condition = 3 : i64} : (tensor<i64>, tensor<i1>, tensor<i32>, tensor<2xf32>, tensor<2xf32>) -> (tensor<2xf32>) {
  ^bb0(%a: tensor<i32>, %b: tensor<2xf32>, %c: tensor<2xf32>):
    %one = nn.constant dense<1> : tensor<i32>
    %i = nn.add %a, %one : (tensor<i32>, tensor<i32>) -> tensor<i32>
    %limit = nn.constant dense<3> : tensor<i32>
    %go = nn.less %i, %limit : (tensor<i32>, tensor<i32>) -> tensor<i1>
    %d = nn.add %b, %b : (tensor<2xf32>, tensor<2xf32>) -> tensor<2xf32>
    %e = nn.add %c, %b : (tensor<2xf32>, tensor<2xf32>) -> tensor<2xf32>
    infra.yield %i, %d, %e, %go : tensor<i32>, tensor<2xf32>, tensor<2xf32>, tensor<i1>
  }
  func.return %r : tensor<2xf32>
}

// Nobody reads the first two values after the loop, but the third is made of the second, and that of the first.
// CHECK-LABEL: func.func @within
// CHECK:      infra.loop %{{.*}}, %{{.*}}, %v, %x, %w inputs [#infra.merged<result = 0>, #infra.merged<result = 1>, #infra.merged<result = 2>]
func.func @within(%v: tensor<2xf32>, %x: tensor<2xf32>, %w: tensor<2xf32>) -> tensor<2xf32> {
  %free = nn.constant dense<-1> : tensor<i64>
  %true = nn.constant dense<true> : tensor<i1>
  %zero = nn.constant dense<0> : tensor<i32>
  %r = infra.loop %free, %true, %zero, %v, %x, %w inputs [#infra.merged<result = 0>, #infra.merged<result = 1>, #infra.merged<result = 2>, #infra.merged<result = 3>] outputs [#infra.iteration<result = 3, iteration = -1>] body_names ["a", "v", "b", "c"] {body_condition = 4 : i64} : (tensor<i64>, tensor<i1>, tensor<i32>, tensor<2xf32>, tensor<2xf32>, tensor<2xf32>) -> (tensor<2xf32>) {
  ^bb0(%a: tensor<i32>, %p: tensor<2xf32>, %b: tensor<2xf32>, %c: tensor<2xf32>):
    %one = nn.constant dense<1> : tensor<i32>
    %i = nn.add %a, %one : (tensor<i32>, tensor<i32>) -> tensor<i32>
    %limit = nn.constant dense<3> : tensor<i32>
    %go = nn.less %i, %limit : (tensor<i32>, tensor<i32>) -> tensor<i1>
    %q = nn.add %p, %p : (tensor<2xf32>, tensor<2xf32>) -> tensor<2xf32>
    %d = nn.add %b, %p : (tensor<2xf32>, tensor<2xf32>) -> tensor<2xf32>
    %e = nn.add %c, %b : (tensor<2xf32>, tensor<2xf32>) -> tensor<2xf32>
    infra.yield %i, %q, %d, %e, %go : tensor<i32>, tensor<2xf32>, tensor<2xf32>, tensor<2xf32>, tensor<i1>
  }
  func.return %r : tensor<2xf32>
}
