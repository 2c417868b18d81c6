func.func @main(%x: tensor<5x1x3xf32>, %h0: tensor<1x2xf32>) -> tensor<5x1x2xf32> {
  %y = infra.tensor_iterator %x, %h0
      inputs [#infra.sliced<axis = 0, start = 0, end = -1, stride = 1, part_size = 1>, #infra.merged<result = 0>]
      outputs [#infra.concatenated<result = 1, axis = 0, start = 0, end = -1, stride = 1, part_size = 1>]
      body_names ["x", "h"] {nn.name = "layer"} : (tensor<5x1x3xf32>, tensor<1x2xf32>) -> tensor<5x1x2xf32> {
  ^bb0(%xt: tensor<1x1x3xf32>, %h: tensor<1x2xf32>):
    %w = nn.constant dense<0.5> : tensor<3x2xf32>
    %r = nn.constant dense<0.25> : tensor<2x2xf32>
    %axis = nn.constant dense<0> : tensor<1xi64>
    %step = nn.squeeze %xt, %axis : (tensor<1x1x3xf32>, tensor<1xi64>) -> tensor<1x3xf32>
    %a = nn.mat_mul %step, %w : (tensor<1x3xf32>, tensor<3x2xf32>) -> tensor<1x2xf32>
    %b = nn.mat_mul %h, %r : (tensor<1x2xf32>, tensor<2x2xf32>) -> tensor<1x2xf32>
    %sum = nn.add %a, %b : (tensor<1x2xf32>, tensor<1x2xf32>) -> tensor<1x2xf32>
    %next = nn.tanh %sum : tensor<1x2xf32>
    %out = nn.unsqueeze %next, %axis : (tensor<1x2xf32>, tensor<1xi64>) -> tensor<1x1x2xf32>
    infra.yield %next, %out : tensor<1x2xf32>, tensor<1x1x2xf32>
  }
  func.return %y : tensor<5x1x2xf32>
}
