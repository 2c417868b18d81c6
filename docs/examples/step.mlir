func.func @main(%x: tensor<1x4xf32> {nn.names = ["X"]}, %h: tensor<1x4xf32> {nn.names = ["H"]})
    -> (tensor<1x4xf32> {nn.names = ["Y"]}) {
  %y = infra.tensor_iterator %x, %h
      inputs [#infra.sliced<axis = 0, start = 0, end = -1, stride = 1, part_size = 1>, #infra.merged<result = 0>]
      outputs [#infra.iteration<result = 0, iteration = -1>]
      body_names ["X_t", "H_t"] {nn.name = "rnn"} : (tensor<1x4xf32>, tensor<1x4xf32>) -> tensor<1x4xf32> {
  ^bb0(%xt: tensor<1x4xf32>, %ht: tensor<1x4xf32>):
    %low = nn.constant dense<-1.0> : tensor<f32>
    %high = nn.constant dense<0.9921875> : tensor<f32>
    %q = qnn.fake_quantize %ht, %low, %high, %low, %high {levels = 256 : i64} : (tensor<1x4xf32>, tensor<f32>, tensor<f32>, tensor<f32>, tensor<f32>) -> tensor<1x4xf32>
    %codes = nn.constant dense<[[9, -3, 5, 1], [0, 7, 2, -8], [4, 4, -6, 3], [1, 0, 2, 5]]> : tensor<4x4xi8>
    %values = nn.convert %codes to f32 : tensor<4x4xi8> -> tensor<4x4xf32>
    %scale = nn.constant dense<0.0625> : tensor<f32>
    %w = nn.multiply %values, %scale : (tensor<4x4xf32>, tensor<f32>) -> tensor<4x4xf32>
    %p = nn.mat_mul %q, %w {nn.name = "product"} : (tensor<1x4xf32>, tensor<4x4xf32>) -> tensor<1x4xf32>
    %s = nn.add %xt, %p : (tensor<1x4xf32>, tensor<1x4xf32>) -> tensor<1x4xf32>
    %next = nn.tanh %s : tensor<1x4xf32>
    infra.yield %next : tensor<1x4xf32>
  }
  func.return %y : tensor<1x4xf32>
}
