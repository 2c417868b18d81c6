// RUN: opt-tool %s --lower-to-kernels=isa=portable | filecheck %s

// What a batch normalization computes of constants is constant: 3 / √4, and 1 - 2 * that; no kernel computes it in calls.
// CHECK:      kernel.program @main
// CHECK:      kernel.map [1, 2, 3]
// CHECK-DAG:  arith.constant 1.500000e+00
// CHECK-DAG:  arith.constant -2.000000e+00
// CHECK-NOT:  math.sqrt
// CHECK-NOT:  kernel.map
func.func @main(%x: tensor<1x2x3xf32>) -> tensor<1x2x3xf32> {
  %gamma = nn.constant dense<3.0> : tensor<2xf32>
  %beta = nn.constant dense<1.0> : tensor<2xf32>
  %mean = nn.constant dense<2.0> : tensor<2xf32>
  %variance = nn.constant dense<4.0> : tensor<2xf32>
  %y = nn.batch_norm_inference %x, %gamma, %beta, %mean, %variance {epsilon = 0.0 : f64}
      : (tensor<1x2x3xf32>, tensor<2xf32>, tensor<2xf32>, tensor<2xf32>, tensor<2xf32>) -> tensor<1x2x3xf32>
  func.return %y : tensor<1x2x3xf32>
}
