// RUN: opt-tool %s --lower-to-kernels=isa=portable | filecheck %s

// A GELU that is rounded to codes is a polynomial, also where each column has a scale: neither its factor of a half nor
// the scale is folded into the other before.
// CHECK:     kernel.mat_mul [4, 3]
// CHECK-NOT: arith.divf
// CHECK:     arith.constant 5.000000e+00 : f32
// CHECK-NOT: arith.divf
// CHECK:     kernel.yield
func.func @main(%x: tensor<4x8xi8> {nn.names = ["X"]}) -> (tensor<4x3xui8> {nn.names = ["Y"]}) {
  %w = nn.constant dense<3> : tensor<8x3xi8>
  %s = nn.constant dense<[[0.01, 0.02, 0.03]]> : tensor<1x3xf32>
  %b = nn.constant dense<[0.5, -0.5, 0.0]> : tensor<3xf32>
  %low = nn.constant dense<[[-0.96875, -1.9375, -0.484375]]> : tensor<1x3xf32>
  %high = nn.constant dense<[[3.015625, 6.03125, 1.5078125]]> : tensor<1x3xf32>
  %from = nn.constant dense<0.0> : tensor<f32>
  %to = nn.constant dense<255.0> : tensor<f32>
  %0 = nn.mat_mul %x, %w : (tensor<4x8xi8>, tensor<8x3xi8>) -> tensor<4x3xi32>
  %1 = nn.convert %0 to f32 : tensor<4x3xi32> -> tensor<4x3xf32>
  %2 = nn.multiply %1, %s : (tensor<4x3xf32>, tensor<1x3xf32>) -> tensor<4x3xf32>
  %3 = nn.add %2, %b : (tensor<4x3xf32>, tensor<3xf32>) -> tensor<4x3xf32>
  %4 = nn.gelu %3 : tensor<4x3xf32>
  %5 = qnn.fake_quantize %4, %low, %high, %from, %to {levels = 256 : i64, output_type = ui8} : (tensor<4x3xf32>, tensor<1x3xf32>, tensor<1x3xf32>, tensor<f32>, tensor<f32>) -> tensor<4x3xui8>
  func.return %5 : tensor<4x3xui8>
}
