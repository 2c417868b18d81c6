func.func @main(%x: tensor<2xf32>, %h: tensor<1xf32>) -> tensor<2xf32> {
  %y = infra.tensor_iterator %x, %h
      inputs [#infra.sliced<axis = 0, start = 0, end = -1, stride = 1, part_size = 1>, #infra.merged<result = 0>]
      outputs [#infra.concatenated<result = 0, axis = 0, start = 0, end = -1, stride = 1, part_size = 1>]
      body_names ["X", "H"] {nn.name = "TI"} : (tensor<2xf32>, tensor<1xf32>) -> tensor<2xf32> {
  ^bb0(%xt: tensor<1xf32>, %ht: tensor<1xf32>):
    %sum = nn.add %xt, %ht {nn.name = "sum"} : (tensor<1xf32>, tensor<1xf32>) -> tensor<1xf32>
    infra.yield %sum : tensor<1xf32>
  }
  func.return %y : tensor<2xf32>
}
