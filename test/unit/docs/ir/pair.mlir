func.func @main(%x: tensor<1x4xf32> {nn.names = ["X"]}, %h: tensor<1x4xf32> {nn.names = ["h"]})
    -> (tensor<1x4xf32> {nn.names = ["Y"]}, tensor<1x4xf32> {nn.names = ["hn"]}) {
  %s = nn.add %x, %h : (tensor<1x4xf32>, tensor<1x4xf32>) -> tensor<1x4xf32>
  func.return %s, %s : tensor<1x4xf32>, tensor<1x4xf32>
}
