builtin.module attributes {infra.ir_version = 1 : i64} {
  func.func @interpolate(%x: tensor<1x3x4x?xf32>, %sizes: tensor<2xi64>) {
    %scales = nn.constant dense<[1.5, 2.5]> : tensor<2xf32>
    %axes = nn.constant dense<[2, 3]> : tensor<2xi64>
    %0 = nn.interpolate %x, %sizes, %axes {mode = "nearest", shape_calculation_mode = "sizes", pads_begin = array<i64>, pads_end = array<i64>} : (tensor<1x3x4x?xf32>, tensor<2xi64>, tensor<2xi64>) -> tensor<1x3x?x?xf32>
    %1 = nn.interpolate %x, %scales, %axes {mode = "cubic", shape_calculation_mode = "scales", coordinate_transformation_mode = "align_corners", nearest_mode = "floor", antialias = true, pads_begin = array<i64: 0, 0, 1, 0>, pads_end = array<i64: 0, 0, 1, 0>, cube_coeff = -5.000000e-01 : f64} : (tensor<1x3x4x?xf32>, tensor<2xf32>, tensor<2xi64>) -> tensor<1x3x9x?xf32>
    func.return
  }
}
