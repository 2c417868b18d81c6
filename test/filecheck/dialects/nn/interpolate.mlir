// Reads what it prints, in the custom and in the generic form.
// RUN: opt-tool %s | opt-tool | filecheck %s
// RUN: opt-tool %s --print-op-generic | opt-tool | filecheck %s

// CHECK-LABEL: @interpolate(
func.func @interpolate(%x: tensor<1x3x4x?xf32>, %sizes: tensor<2xi64>) {
  // CHECK-NEXT: %scales = nn.constant dense<[1.5, 2.5]> : tensor<2xf32>
  %scales = nn.constant dense<[1.5, 2.5]> : tensor<2xf32>
  // CHECK-NEXT: %axes = nn.constant dense<[2, 3]> : tensor<2xi64>
  %axes = nn.constant dense<[2, 3]> : tensor<2xi64>
  // CHECK-NEXT: %0 = nn.interpolate %x, %sizes, %axes {mode = "nearest", shape_calculation_mode = "sizes", pads_begin = array<i64>, pads_end = array<i64>} : (tensor<1x3x4x?xf32>, tensor<2xi64>, tensor<2xi64>) -> tensor<1x3x?x?xf32>
  %0 = nn.interpolate %x, %sizes, %axes {mode = "nearest", shape_calculation_mode = "sizes", pads_begin = array<i64>, pads_end = array<i64>} : (tensor<1x3x4x?xf32>, tensor<2xi64>, tensor<2xi64>) -> tensor<1x3x?x?xf32>
  // CHECK-NEXT: %1 = nn.interpolate %x, %scales, %axes {mode = "cubic", shape_calculation_mode = "scales", coordinate_transformation_mode = "align_corners", nearest_mode = "floor", antialias = true, pads_begin = array<i64: 0, 0, 1, 0>, pads_end = array<i64: 0, 0, 1, 0>, cube_coeff = -5.000000e-01 : f64} : (tensor<1x3x4x?xf32>, tensor<2xf32>, tensor<2xi64>) -> tensor<1x3x9x?xf32>
  %1 = nn.interpolate %x, %scales, %axes {mode = "cubic", shape_calculation_mode = "scales", coordinate_transformation_mode = "align_corners", nearest_mode = "floor", antialias = true, pads_begin = array<i64: 0, 0, 1, 0>, pads_end = array<i64: 0, 0, 1, 0>, cube_coeff = -5.000000e-01 : f64} : (tensor<1x3x4x?xf32>, tensor<2xf32>, tensor<2xi64>) -> tensor<1x3x9x?xf32>
  // CHECK-NEXT: func.return
  func.return
}
