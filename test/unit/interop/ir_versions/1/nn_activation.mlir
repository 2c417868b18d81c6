builtin.module attributes {infra.ir_version = 1 : i64} {
  func.func @activation(%x: tensor<1x3x4xf32>, %slope: tensor<3xf32>, %k: tensor<f32>) {
    %0 = nn.p_relu %x, %slope : (tensor<1x3x4xf32>, tensor<3xf32>) -> tensor<1x3x4xf32>
    %1 = nn.elu %x {alpha = 1.500000e+00 : f64} : tensor<1x3x4xf32>
    %2 = nn.hard_sigmoid %x, %k, %k : tensor<1x3x4xf32>, tensor<f32>, tensor<f32>
    %3 = nn.hswish %x : tensor<1x3x4xf32>
    %4 = nn.swish %x : (tensor<1x3x4xf32>) -> tensor<1x3x4xf32>
    %5 = nn.swish %x, %k : (tensor<1x3x4xf32>, tensor<f32>) -> tensor<1x3x4xf32>
    %6 = nn.gelu %x : tensor<1x3x4xf32>
    %7 = nn.gelu %x {approximation_mode = "tanh"} : tensor<1x3x4xf32>
    func.return
  }
}
