builtin.module attributes {infra.ir_version = 1 : i64} {
  infra.variable @"rnn/H_t/variable_1" : tensor<1x4xf32>
  func.func @main(%x: tensor<1x4xf32> {nn.names = ["X"]}, %h: tensor<1x4xf32> {nn.names = ["H"]}) -> (tensor<1x4xf32> {nn.names = ["Y"]}) {
    %0 = nn.constant dense<0.0> : tensor<1x4xf32>
    %ht = infra.read_value @"rnn/H_t/variable_1", %0 : tensor<1x4xf32> -> tensor<1x4xf32>
    %low = nn.constant dense<-1.0> : tensor<f32>
    %high = nn.constant dense<0.9921875> : tensor<f32>
    %q = qnn.fake_quantize %ht, %low, %high, %low, %high {levels = 256 : i64} : (tensor<1x4xf32>, tensor<f32>, tensor<f32>, tensor<f32>, tensor<f32>) -> tensor<1x4xf32>
    %codes = nn.constant dense<[[9, -3, 5, 1], [0, 7, 2, -8], [4, 4, -6, 3], [1, 0, 2, 5]]> : tensor<4x4xi8>
    %values = nn.convert %codes to f32 : tensor<4x4xi8> -> tensor<4x4xf32>
    %scale = nn.constant dense<0.0625> : tensor<f32>
    %w = nn.multiply %values, %scale : (tensor<4x4xf32>, tensor<f32>) -> tensor<4x4xf32>
    %p = nn.mat_mul %q, %w {nn.name = "product"} : (tensor<1x4xf32>, tensor<4x4xf32>) -> tensor<1x4xf32>
    %s = nn.add %x, %p : (tensor<1x4xf32>, tensor<1x4xf32>) -> tensor<1x4xf32>
    %next = nn.tanh %s {nn.name = "rnn"} : tensor<1x4xf32>
    infra.assign @"rnn/H_t/variable_1", %next : tensor<1x4xf32>
    func.return %next : tensor<1x4xf32>
  }
}
