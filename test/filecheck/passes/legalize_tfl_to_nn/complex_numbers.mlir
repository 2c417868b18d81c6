// Complex numbers are pairs along a further dimension.
// RUN: opt-tool %s --legalize-tfl-to-nn --dce | filecheck %s

// `|rfft(x)| = √(real² + imaginary²)`; a dimension of 1 that is taken out is counted without the pairs.
// CHECK-LABEL: @spectrum(
// CHECK: [[AXES:%.*]] = nn.constant dense<[-2, -1]> : tensor<2xi64>
// CHECK: [[PAIRS:%.*]] = nn.rdft %x, [[AXES]], %{{.*}} : (tensor<1x8xf32>, tensor<2xi64>, tensor<2xi64>) -> tensor<1x5x2xf32>
// CHECK: [[FLAT:%.*]] = nn.reshape [[PAIRS]], %{{.*}} -> tensor<5x2xf32>
// CHECK: nn.reduce_l2 [[FLAT]], %{{.*}} : (tensor<5x2xf32>, tensor<1xi64>) -> tensor<5xf32>
func.func @spectrum(%x: tensor<1x8xf32>) -> tensor<5xf32> {
  %n = "tfl.pseudo_const"() <{value = dense<[1, 8]> : tensor<2xi32>}> : () -> tensor<2xi32>
  %0 = "tfl.rfft2d"(%x, %n) : (tensor<1x8xf32>, tensor<2xi32>) -> tensor<1x5xcomplex<f32>>
  %1 = "tfl.squeeze"(%0) <{squeeze_dims = array<i32: -2>}> : (tensor<1x5xcomplex<f32>>) -> tensor<5xcomplex<f32>>
  %2 = "tfl.complex_abs"(%1) : (tensor<5xcomplex<f32>>) -> tensor<5xf32>
  func.return %2 : tensor<5xf32>
}
