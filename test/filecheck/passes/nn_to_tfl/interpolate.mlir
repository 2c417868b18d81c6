// RUN: not opt-tool %s --split-input-file --nn-to-tfl 2>&1 | filecheck %s
// RUN: not opt-tool %s --split-input-file --nn-to-tfl 2>&1 | filecheck %s --check-prefix REFUSED

// CHECK:      "tfl.resize_bilinear"(%{{.*}}, %{{.*}}) <{align_corners = false, half_pixel_centers = true}>
func.func @main(%x: tensor<1x1x2x2xf32>) -> tensor<1x1x4x4xf32> {
  %sizes = nn.constant dense<[4, 4]> : tensor<2xi64>
  %axes = nn.constant dense<[2, 3]> : tensor<2xi64>
  %y = nn.interpolate %x, %sizes, %axes {mode = "linear_onnx", shape_calculation_mode = "sizes", pads_begin = array<i64: 0, 0, 0, 0>, pads_end = array<i64: 0, 0, 0, 0>, coordinate_transformation_mode = "half_pixel"} : (tensor<1x1x2x2xf32>, tensor<2xi64>, tensor<2xi64>) -> tensor<1x1x4x4xf32>
  func.return %y : tensor<1x1x4x4xf32>
}

// -----

// REFUSED: nn.interpolate: cannot be written for LiteRT: it needs known sizes of what it resizes; give the inputs shapes, for example model.reshape({0: [1, 1, 16, 2]})
func.func @main(%x: tensor<1x1x?x2xf32>) -> tensor<1x1x4x4xf32> {
  %sizes = nn.constant dense<[4, 4]> : tensor<2xi64>
  %axes = nn.constant dense<[2, 3]> : tensor<2xi64>
  %y = nn.interpolate %x, %sizes, %axes {mode = "linear_onnx", shape_calculation_mode = "sizes", pads_begin = array<i64: 0, 0, 0, 0>, pads_end = array<i64: 0, 0, 0, 0>, coordinate_transformation_mode = "half_pixel"} : (tensor<1x1x?x2xf32>, tensor<2xi64>, tensor<2xi64>) -> tensor<1x1x4x4xf32>
  func.return %y : tensor<1x1x4x4xf32>
}
