func.func @main(%x: tensor<2x1x16xf32> {nn.names = ["X"]}, %h0: tensor<1x16xf32> {nn.names = ["H"]}) -> (tensor<2x1x16xf32> {nn.names = ["Y"]}) {
  %y = infra.tensor_iterator %x, %h0
      inputs [#infra.sliced<axis = 0, start = 0, end = -1, stride = 1, part_size = 1>, #infra.merged<result = 1>]
      outputs [#infra.concatenated<result = 0, axis = 0, start = 0, end = -1, stride = 1, part_size = 1>]
      body_names ["X_t", "H_t"] {nn.name = "TI"} : (tensor<2x1x16xf32>, tensor<1x16xf32>) -> tensor<2x1x16xf32> {
  ^bb0(%xt: tensor<1x1x16xf32>, %ht: tensor<1x16xf32>):
    %zero = nn.constant dense<0> : tensor<1xi64>
    %step = nn.squeeze %xt, %zero : (tensor<1x1x16xf32>, tensor<1xi64>) -> tensor<1x16xf32>
    %next = nn.add %step, %ht : (tensor<1x16xf32>, tensor<1x16xf32>) -> tensor<1x16xf32>
    %out = nn.unsqueeze %next, %zero : (tensor<1x16xf32>, tensor<1xi64>) -> tensor<1x1x16xf32>
    infra.yield %out, %next : tensor<1x1x16xf32>, tensor<1x16xf32>
  }
  func.return %y : tensor<2x1x16xf32>
}
