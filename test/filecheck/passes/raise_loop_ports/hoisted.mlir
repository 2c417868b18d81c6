// RUN: opt-tool %s --raise-loop-ports | filecheck %s
// RUN: opt-tool %s --raise-loop-ports --verify-numerics

// What the inner loop takes at the number of the outer iteration is a slice of the outer one.
// CHECK-LABEL: func.func @of_the_outer_iteration
// CHECK:      infra.loop %{{.*}}, %{{.*}}, %x, %e inputs [#infra.merged<result = 0>, #infra.sliced<axis = 0, start = 0, end = -1, stride = 1, part_size = 1>]
// CHECK:      infra.loop %{{.*}}, %{{.*}}, %{{.*}}, %{{.*}} inputs [#infra.merged<result = 0>, #infra.invariant]
// CHECK-NOT:  nn.slice
// CHECK:      func.return
func.func @of_the_outer_iteration(%x: tensor<1x2xf32>, %e: tensor<3x2xf32>) -> tensor<1x2xf32> {
  %three = nn.constant dense<3> : tensor<i64>
  %true = nn.constant dense<true> : tensor<i1>
  %r = infra.loop %three, %true, %x, %e inputs [#infra.merged<result = 0>, #infra.invariant] outputs [#infra.iteration<result = 0, iteration = -1>] body_names ["x", "e"] {current_iteration} : (tensor<i64>, tensor<i1>, tensor<1x2xf32>, tensor<3x2xf32>) -> tensor<1x2xf32> {
  ^bb0(%y: tensor<1x2xf32>, %f: tensor<3x2xf32>, %t: tensor<i64>):
    %five = nn.constant dense<5> : tensor<i64>
    %go = nn.constant dense<true> : tensor<i1>
    %s = infra.loop %five, %go, %y, %f, %t inputs [#infra.merged<result = 0>, #infra.invariant, #infra.invariant] outputs [#infra.iteration<result = 0, iteration = -1>] body_names ["x", "e", "t"] : (tensor<i64>, tensor<i1>, tensor<1x2xf32>, tensor<3x2xf32>, tensor<i64>) -> tensor<1x2xf32> {
    ^bb0(%z: tensor<1x2xf32>, %g: tensor<3x2xf32>, %u: tensor<i64>):
      %axis = nn.constant dense<[0]> : tensor<1xi64>
      %one = nn.constant dense<[1]> : tensor<1xi64>
      %begin = nn.unsqueeze %u, %axis : (tensor<i64>, tensor<1xi64>) -> tensor<1xi64>
      %end = nn.add %begin, %one : (tensor<1xi64>, tensor<1xi64>) -> tensor<1xi64>
      %p = nn.slice %g, %begin, %end, %one, %axis : (tensor<3x2xf32>, tensor<1xi64>, tensor<1xi64>, tensor<1xi64>, tensor<1xi64>) -> tensor<?x2xf32>
      %shape = nn.constant dense<[1, 2]> : tensor<2xi64>
      %w = nn.reshape %p, %shape : (tensor<?x2xf32>, tensor<2xi64>) -> tensor<1x2xf32>
      %n = nn.add %z, %w : (tensor<1x2xf32>, tensor<1x2xf32>) -> tensor<1x2xf32>
      infra.yield %n : tensor<1x2xf32>
    }
    infra.yield %s : tensor<1x2xf32>
  }
  func.return %r : tensor<1x2xf32>
}

// What is taken of a value that the loop changes stays.
// CHECK-LABEL: func.func @of_what_changes
// CHECK:      infra.loop
// CHECK:      ^{{.*}}:
// CHECK:      nn.slice
func.func @of_what_changes(%x: tensor<2x2xf32>) -> tensor<2x2xf32> {
  %three = nn.constant dense<3> : tensor<i64>
  %true = nn.constant dense<true> : tensor<i1>
  %r = infra.loop %three, %true, %x inputs [#infra.merged<result = 0>] outputs [#infra.iteration<result = 0, iteration = -1>] body_names ["x"] : (tensor<i64>, tensor<i1>, tensor<2x2xf32>) -> tensor<2x2xf32> {
  ^bb0(%y: tensor<2x2xf32>):
    %axis = nn.constant dense<[0]> : tensor<1xi64>
    %one = nn.constant dense<[1]> : tensor<1xi64>
    %two = nn.constant dense<[2]> : tensor<1xi64>
    %p = nn.slice %y, %one, %two, %one, %axis : (tensor<2x2xf32>, tensor<1xi64>, tensor<1xi64>, tensor<1xi64>, tensor<1xi64>) -> tensor<1x2xf32>
    %n = nn.add %y, %p : (tensor<2x2xf32>, tensor<1x2xf32>) -> tensor<2x2xf32>
    infra.yield %n : tensor<2x2xf32>
  }
  func.return %r : tensor<2x2xf32>
}
