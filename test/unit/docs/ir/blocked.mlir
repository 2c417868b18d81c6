func.func @main(%x: tensor<1x49x10xf32> {nn.names = ["X"]}, %h0: tensor<1x10xf32> {nn.names = ["H"]}) -> (tensor<1x10xf32> {nn.names = ["Y"]}) {
  %target = nn.constant {nn.name = "target"} dense<[1, 49, 10]> : tensor<3xi64>
  %r = nn.reshape %x, %target {nn.name = "Reshape_layer"} : (tensor<1x49x10xf32>, tensor<3xi64>) -> tensor<1x49x10xf32>
  %y = infra.tensor_iterator %r, %h0
      inputs [#infra.sliced<axis = 1, start = 0, end = -1, stride = 1, part_size = 1>, #infra.merged<result = 0>]
      outputs [#infra.iteration<result = 0, iteration = -1>]
      body_names ["X_t", "H_t"] {nn.name = "TI"} : (tensor<1x49x10xf32>, tensor<1x10xf32>) -> tensor<1x10xf32> {
  ^bb0(%xt: tensor<1x1x10xf32>, %ht: tensor<1x10xf32>):
    %axis = nn.constant dense<1> : tensor<1xi64>
    %x0 = nn.squeeze %xt, %axis : (tensor<1x1x10xf32>, tensor<1xi64>) -> tensor<1x10xf32>
    %next = nn.add %x0, %ht : (tensor<1x10xf32>, tensor<1x10xf32>) -> tensor<1x10xf32>
    infra.yield %next : tensor<1x10xf32>
  }
  func.return %y : tensor<1x10xf32>
}
