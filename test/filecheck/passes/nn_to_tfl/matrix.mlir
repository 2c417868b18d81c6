// RUN: not opt-tool %s --split-input-file --nn-to-tfl 2>&1 | filecheck %s
// RUN: not opt-tool %s --split-input-file --nn-to-tfl 2>&1 | filecheck %s --check-prefix REFUSED

// CHECK:      [[W:%.*]] = "tfl.pseudo_const"()
// CHECK:      [[NONE:%.*]] = "tfl.no_value"()
// CHECK:      "tfl.fully_connected"(%x, [[W]], [[NONE]])
func.func @main(%x: tensor<2x3xf32>) -> tensor<2x4xf32> {
  %w = nn.constant dense<[[1.0, 2.0, 3.0], [1.0, 2.0, 3.0], [1.0, 2.0, 3.0], [1.0, 2.0, 4.0]]> : tensor<4x3xf32>
  %y = nn.mat_mul %x, %w {transpose_b = true} : (tensor<2x3xf32>, tensor<4x3xf32>) -> tensor<2x4xf32>
  func.return %y : tensor<2x4xf32>
}

// -----

// Two computed operands.
// CHECK:      "tfl.batch_matmul"(%a, %b) <{adj_x = false, adj_y = true}>
func.func @main(%a: tensor<2x3xf32>, %b: tensor<4x3xf32>) -> tensor<2x4xf32> {
  %y = nn.mat_mul %a, %b {transpose_b = true} : (tensor<2x3xf32>, tensor<4x3xf32>) -> tensor<2x4xf32>
  func.return %y : tensor<2x4xf32>
}

// -----

// Sums of codes that f32 does not hold.
// REFUSED: nn.mat_mul: cannot be written for LiteRT: a sum of 515 products of codes is not exact in float32; dequantize its result, as lpt leaves it
func.func @main(%a: tensor<1x515xui8>, %b: tensor<515x1xi8>) -> tensor<1x1xi32> {
  %y = nn.mat_mul %a, %b : (tensor<1x515xui8>, tensor<515x1xi8>) -> tensor<1x1xi32>
  %z = nn.add %y, %y : (tensor<1x1xi32>, tensor<1x1xi32>) -> tensor<1x1xi32>
  func.return %z : tensor<1x1xi32>
}
