// RUN: opt-tool %s --split-input-file --bound-iterations | filecheck %s

// A loop that a condition may end counts its iterations; behind it a slice has as many parts as ran.
// CHECK-LABEL: @counted
// CHECK:      [[ALL:%.*]], [[COUNT:%.*]] = infra.loop {{.*}} outputs [#infra.concatenated<{{.*}}>, #infra.iteration<result = 2, iteration = -1>]
// CHECK-SAME: most_iterations = 8 : i64
// CHECK-SAME: -> (tensor<16x4xf32>, tensor<1xi64>)
// CHECK:      [[STOP:%.*]] = nn.multiply [[COUNT]]
// CHECK:      nn.slice [[ALL]], %{{.*}}, [[STOP]]
func.func @counted(%x: tensor<2x4xf32>, %go: tensor<i1>) -> tensor<?x4xf32> {
  %most = nn.constant dense<8> : tensor<i64>
  %y = infra.loop %most, %go, %x, %go inputs [#infra.invariant, #infra.invariant] outputs [#infra.concatenated<result = 0, axis = 0, start = 0, end = -1, stride = 2, part_size = 2>] body_names ["X", "G"] {body_condition = 1 : i64} : (tensor<i64>, tensor<i1>, tensor<2x4xf32>, tensor<i1>) -> tensor<?x4xf32> {
  ^bb0(%a: tensor<2x4xf32>, %g: tensor<i1>):
    infra.yield %a, %g : tensor<2x4xf32>, tensor<i1>
  }
  func.return %y : tensor<?x4xf32>
}
// -----
// Without a limit the module says for how many there is room.
// CHECK-LABEL: @unlimited
// CHECK:      most_iterations = 100 : i64
builtin.module attributes {infra.room = 100 : i64} {
func.func @unlimited(%x: tensor<1x4xf32>, %n: tensor<i64>) -> tensor<?x4xf32> {
  %true = nn.constant dense<true> : tensor<i1>
  %y = infra.loop %n, %true, %x inputs [#infra.invariant] outputs [#infra.concatenated<result = 0, axis = 0, start = 0, end = -1, stride = 1, part_size = 1>] body_names ["X"] : (tensor<i64>, tensor<i1>, tensor<1x4xf32>) -> tensor<?x4xf32> {
  ^bb0(%a: tensor<1x4xf32>):
    infra.yield %a : tensor<1x4xf32>
  }
  func.return %y : tensor<?x4xf32>
}
}
// -----
// Nearest miss: it is known how often it runs.
// CHECK-LABEL: @known
// CHECK-NOT:  most_iterations
// CHECK-NOT:  nn.slice
func.func @known(%x: tensor<1x4xf32>) -> tensor<3x4xf32> {
  %three = nn.constant dense<3> : tensor<i64>
  %true = nn.constant dense<true> : tensor<i1>
  %y = infra.loop %three, %true, %x inputs [#infra.invariant] outputs [#infra.concatenated<result = 0, axis = 0, start = 0, end = -1, stride = 1, part_size = 1>] body_names ["X"] : (tensor<i64>, tensor<i1>, tensor<1x4xf32>) -> tensor<3x4xf32> {
  ^bb0(%a: tensor<1x4xf32>):
    infra.yield %a : tensor<1x4xf32>
  }
  func.return %y : tensor<3x4xf32>
}
// -----
// The second loop runs as often as the first one's result has parts, which is known once that one's condition is raised.
// CHECK-LABEL: @one_after_the_other
// CHECK-NOT:  most_iterations
// CHECK:      func.return %{{.*}} : tensor<3x4xf32>
func.func @one_after_the_other(%x: tensor<1x4xf32>) -> tensor<?x4xf32> {
  %free = nn.constant dense<-1> : tensor<i64>
  %true = nn.constant dense<true> : tensor<i1>
  %zero = nn.constant dense<0> : tensor<i64>
  %three = nn.constant dense<3> : tensor<i64>
  %y = infra.loop %free, %true, %zero, %x, %three inputs [#infra.merged<result = 0>, #infra.invariant, #infra.invariant] outputs [#infra.concatenated<result = 1, axis = 0, start = 0, end = -1, stride = 1, part_size = 1>] body_names ["I", "X", "N"] {body_condition = 2 : i64} : (tensor<i64>, tensor<i1>, tensor<i64>, tensor<1x4xf32>, tensor<i64>) -> tensor<?x4xf32> {
  ^bb0(%i: tensor<i64>, %a: tensor<1x4xf32>, %n: tensor<i64>):
    %one = nn.constant dense<1> : tensor<i64>
    %j = nn.add %i, %one : (tensor<i64>, tensor<i64>) -> tensor<i64>
    %go = nn.less %j, %n : (tensor<i64>, tensor<i64>) -> tensor<i1>
    infra.yield %j, %a, %go : tensor<i64>, tensor<1x4xf32>, tensor<i1>
  }
  %shape = nn.shape_of %y : tensor<?x4xf32> -> tensor<2xi64>
  %size = nn.gather %shape, %zero, %zero {batch_dims = 0 : i64} : (tensor<2xi64>, tensor<i64>, tensor<i64>) -> tensor<i64>
  %z = infra.loop %free, %true, %zero, %x, %size inputs [#infra.merged<result = 0>, #infra.invariant, #infra.invariant] outputs [#infra.concatenated<result = 1, axis = 0, start = 0, end = -1, stride = 1, part_size = 1>] body_names ["I", "X", "N"] {body_condition = 2 : i64} : (tensor<i64>, tensor<i1>, tensor<i64>, tensor<1x4xf32>, tensor<i64>) -> tensor<?x4xf32> {
  ^bb0(%i: tensor<i64>, %a: tensor<1x4xf32>, %n: tensor<i64>):
    %one = nn.constant dense<1> : tensor<i64>
    %j = nn.add %i, %one : (tensor<i64>, tensor<i64>) -> tensor<i64>
    %go = nn.less %j, %n : (tensor<i64>, tensor<i64>) -> tensor<i1>
    infra.yield %j, %a, %go : tensor<i64>, tensor<1x4xf32>, tensor<i1>
  }
  func.return %z : tensor<?x4xf32>
}
