func.func @main(%x: tensor<1x4xf32>, %h0: tensor<1x4xf32>) -> tensor<1x4xf32> {
  %y = infra.tensor_iterator %x, %h0
      inputs [#infra.sliced<axis = 0, start = 0, end = -1, stride = 1, part_size = 1>, #infra.merged<result = 0>]
      outputs [#infra.iteration<result = 0, iteration = -1>]
      body_names ["X_t", "H_t"] {nn.name = "TI"} : (tensor<1x4xf32>, tensor<1x4xf32>) -> tensor<1x4xf32> {
  ^bb0(%xt: tensor<1x4xf32>, %ht: tensor<1x4xf32>):
    %next = nn.add %xt, %ht : (tensor<1x4xf32>, tensor<1x4xf32>) -> tensor<1x4xf32>
    infra.yield %next : tensor<1x4xf32>
  }
  func.return %y : tensor<1x4xf32>
}
