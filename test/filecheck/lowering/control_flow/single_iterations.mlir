// RUN: opt-tool %s --lower-single-iterations | filecheck %s

// The second of three iterations: all are put together, the second is cut out.
// CHECK-LABEL: @second
// CHECK: %[[ALL:.*]] = infra.tensor_iterator
// CHECK-SAME: outputs [#infra.concatenated<result = 1, axis = 0
// CHECK-SAME: -> tensor<3x1x4xf32>
// CHECK: %[[LAYER:.*]] = nn.unsqueeze %[[N:.*]], %{{.*}} -> tensor<1x1x4xf32>
// CHECK: infra.yield %[[N]], %[[LAYER]]
// CHECK: nn.slice %[[ALL]]
// CHECK: nn.squeeze %{{.*}} -> tensor<1x4xf32>
func.func @second(%x: tensor<3x4xf32>) -> tensor<1x4xf32> {
  %y = infra.tensor_iterator %x
      inputs [#infra.sliced<axis = 0, start = 0, end = -1, stride = 1, part_size = 1>]
      outputs [#infra.iteration<result = 0, iteration = 1>]
      body_names ["X"] : (tensor<3x4xf32>) -> tensor<1x4xf32> {
  ^bb0(%a: tensor<1x4xf32>):
    %n = nn.relu %a : tensor<1x4xf32>
    infra.yield %n : tensor<1x4xf32>
  }
  func.return %y : tensor<1x4xf32>
}

// Nearest miss: the last one, under either name, is what a loop leaves.
// CHECK-LABEL: @last
// CHECK: outputs [#infra.iteration<result = 0, iteration = 2>, #infra.iteration<result = 0, iteration = -1>]
func.func @last(%x: tensor<3x4xf32>) -> (tensor<1x4xf32>, tensor<1x4xf32>) {
  %y, %z = infra.tensor_iterator %x
      inputs [#infra.sliced<axis = 0, start = 0, end = -1, stride = 1, part_size = 1>]
      outputs [#infra.iteration<result = 0, iteration = 2>, #infra.iteration<result = 0, iteration = -1>]
      body_names ["X"] : (tensor<3x4xf32>) -> (tensor<1x4xf32>, tensor<1x4xf32>) {
  ^bb0(%a: tensor<1x4xf32>):
    %n = nn.relu %a : tensor<1x4xf32>
    infra.yield %n : tensor<1x4xf32>
  }
  func.return %y, %z : tensor<1x4xf32>, tensor<1x4xf32>
}
