// RUN: opt-tool %s --low-latency2 2>/dev/null | filecheck %s

infra.variable @"loop/B/variable_2" : tensor<1x4xf32>

// The name of the second state is taken, so that both have another one. Both keep what one result of the body is in the
// end, which the loop then gives once.
// CHECK:         infra.variable @"loop_1/A/variable_1" : tensor<1x4xf32>
// CHECK-NEXT:    infra.variable @"loop_1/B/variable_2" : tensor<1x4xf32>
// CHECK-LABEL: func.func @main
// CHECK:         [[Y:%.*]] = infra.tensor_iterator {{.*}} outputs [#infra.iteration<result = 0, iteration = -1>] body_names
// CHECK:         infra.assign @"loop_1/A/variable_1", [[Y]]
// CHECK-NEXT:    infra.assign @"loop_1/B/variable_2", [[Y]]
func.func @main(%x: tensor<2x4xf32>, %a: tensor<1x4xf32>) {
  infra.tensor_iterator %x, %a, %a
      inputs [#infra.sliced<axis = 0, start = 0, end = -1, stride = 1, part_size = 1>, #infra.merged<result = 0>, #infra.merged<result = 0>]
      outputs []
      body_names ["X", "A", "B"] {nn.name = "loop"} : (tensor<2x4xf32>, tensor<1x4xf32>, tensor<1x4xf32>) -> () {
  ^bb0(%xt: tensor<1x4xf32>, %at: tensor<1x4xf32>, %bt: tensor<1x4xf32>):
    %s = nn.add %at, %bt : (tensor<1x4xf32>, tensor<1x4xf32>) -> tensor<1x4xf32>
    %t = nn.add %s, %xt : (tensor<1x4xf32>, tensor<1x4xf32>) -> tensor<1x4xf32>
    infra.yield %t : tensor<1x4xf32>
  }
  func.return
}
