// RUN: opt-tool %s --nn-to-kernels | filecheck %s

// Each element lies between two, which are read once for both of its halves; channels are beside each other.
// CHECK-LABEL: func.func @by_phases(
// CHECK-NOT:     kernel.mat_mul
// CHECK:         kernel.map [1, 6, 2, 32] ins(%[[F:.*]], %[[X:.*]], %[[X]] : tensor<6x2xf32>, tensor<1x8x32xf32>, tensor<1x8x32xf32>)
// CHECK-SAME:    outs() access [affine_map<(d0, d1, d2, d3) -> (d1, d2)>, affine_map<(d0, d1, d2, d3) -> (d0, d1, d3)>, affine_map<(d0, d1, d2, d3) -> (d0, (d1 + 2), d3)>,
// CHECK:         kernel.convolution
func.func @by_phases(%x: tensor<1x32x3xf32>, %f: tensor<1x32x1xf32>) -> tensor<1x1x12xf32> {
  %sizes = nn.constant dense<12> : tensor<1xi64>
  %axes = nn.constant dense<2> : tensor<1xi64>
  %y = nn.interpolate %x, %sizes, %axes {mode = "linear_onnx", shape_calculation_mode = "sizes", coordinate_transformation_mode = "half_pixel", pads_begin = array<i64>, pads_end = array<i64>} : (tensor<1x32x3xf32>, tensor<1xi64>, tensor<1xi64>) -> tensor<1x32x12xf32>
  %z = nn.relu %y : tensor<1x32x12xf32>
  %r = nn.convolution %z, %f {strides = array<i64: 1>, pads_begin = array<i64: 0>, pads_end = array<i64: 0>, dilations = array<i64: 1>} : (tensor<1x32x12xf32>, tensor<1x32x1xf32>) -> tensor<1x1x12xf32>
  func.return %r : tensor<1x1x12xf32>
}

// Channels that do not fill vectors.
// CHECK-LABEL: func.func @few_channels(
// CHECK:         kernel.mat_mul [
func.func @few_channels(%x: tensor<1x31x3xf32>, %f: tensor<1x31x1xf32>) -> tensor<1x1x12xf32> {
  %sizes = nn.constant dense<12> : tensor<1xi64>
  %axes = nn.constant dense<2> : tensor<1xi64>
  %y = nn.interpolate %x, %sizes, %axes {mode = "linear_onnx", shape_calculation_mode = "sizes", coordinate_transformation_mode = "half_pixel", pads_begin = array<i64>, pads_end = array<i64>} : (tensor<1x31x3xf32>, tensor<1xi64>, tensor<1xi64>) -> tensor<1x31x12xf32>
  %z = nn.relu %y : tensor<1x31x12xf32>
  %r = nn.convolution %z, %f {strides = array<i64: 1>, pads_begin = array<i64: 0>, pads_end = array<i64: 0>, dilations = array<i64: 1>} : (tensor<1x31x12xf32>, tensor<1x31x1xf32>) -> tensor<1x1x12xf32>
  func.return %r : tensor<1x1x12xf32>
}

// No convolution reads it, so channels come first.
// CHECK-LABEL: func.func @a_result(
// CHECK:         kernel.mat_mul [
func.func @a_result(%x: tensor<1x32x3xf32>, %f: tensor<1x32x1xf32>) -> tensor<1x32x12xf32> {
  %sizes = nn.constant dense<12> : tensor<1xi64>
  %axes = nn.constant dense<2> : tensor<1xi64>
  %y = nn.interpolate %x, %sizes, %axes {mode = "linear_onnx", shape_calculation_mode = "sizes", coordinate_transformation_mode = "half_pixel", pads_begin = array<i64>, pads_end = array<i64>} : (tensor<1x32x3xf32>, tensor<1xi64>, tensor<1xi64>) -> tensor<1x32x12xf32>
  func.return %y : tensor<1x32x12xf32>
}

// Distances that are no power of two differ by roundings.
// CHECK-LABEL: func.func @odd_factor(
// CHECK:         kernel.mat_mul [
func.func @odd_factor(%x: tensor<1x32x3xf32>, %f: tensor<1x32x1xf32>) -> tensor<1x1x9xf32> {
  %sizes = nn.constant dense<9> : tensor<1xi64>
  %axes = nn.constant dense<2> : tensor<1xi64>
  %y = nn.interpolate %x, %sizes, %axes {mode = "linear_onnx", shape_calculation_mode = "sizes", coordinate_transformation_mode = "half_pixel", pads_begin = array<i64>, pads_end = array<i64>} : (tensor<1x32x3xf32>, tensor<1xi64>, tensor<1xi64>) -> tensor<1x32x9xf32>
  %z = nn.relu %y : tensor<1x32x9xf32>
  %r = nn.convolution %z, %f {strides = array<i64: 1>, pads_begin = array<i64: 0>, pads_end = array<i64: 0>, dilations = array<i64: 1>} : (tensor<1x32x9xf32>, tensor<1x32x1xf32>) -> tensor<1x1x9xf32>
  func.return %r : tensor<1x1x9xf32>
}

// Corners that are aligned have other distances everywhere.
// CHECK-LABEL: func.func @aligned_corners(
// CHECK:         kernel.mat_mul [
func.func @aligned_corners(%x: tensor<1x32x3xf32>, %f: tensor<1x32x1xf32>) -> tensor<1x1x12xf32> {
  %sizes = nn.constant dense<12> : tensor<1xi64>
  %axes = nn.constant dense<2> : tensor<1xi64>
  %y = nn.interpolate %x, %sizes, %axes {mode = "linear_onnx", shape_calculation_mode = "sizes", coordinate_transformation_mode = "align_corners", pads_begin = array<i64>, pads_end = array<i64>} : (tensor<1x32x3xf32>, tensor<1xi64>, tensor<1xi64>) -> tensor<1x32x12xf32>
  %z = nn.relu %y : tensor<1x32x12xf32>
  %r = nn.convolution %z, %f {strides = array<i64: 1>, pads_begin = array<i64: 0>, pads_end = array<i64: 0>, dilations = array<i64: 1>} : (tensor<1x32x12xf32>, tensor<1x32x1xf32>) -> tensor<1x1x12xf32>
  func.return %r : tensor<1x1x12xf32>
}

// Two of eight elements are looked up, as vectors; of the last axis, two of sixty-four.
// CHECK-LABEL: func.func @taps(
// CHECK:         %[[Y:.*]] = kernel.gather [2, 4, 64] axis 1 x(%x, %x : tensor<2x8x64xf32>, tensor<2x8x64xf32>)
// CHECK-SAME:    points [affine_map<(d0, d1, d2) -> (d0, 0, d2)>, affine_map<(d0, d1, d2) -> (d0, 0, d2)>]
// CHECK-SAME:    places [affine_map<(d0, d1, d2) -> (d1)>, affine_map<(d0, d1, d2) -> (d1)>]
// CHECK-SAME:    ins(%{{.*}}, %{{.*}} : tensor<4xf32>, tensor<4xf32>)
// CHECK:         kernel.gather [2, 4, 48] axis 2 x(%[[Y]], %[[Y]] :
// CHECK-NOT:     kernel.mat_mul
// CHECK:         func.return
func.func @taps(%x: tensor<2x8x64xf32>) -> tensor<2x4x48xf32> {
  %sizes = nn.constant dense<[4, 48]> : tensor<2xi64>
  %axes = nn.constant dense<[1, 2]> : tensor<2xi64>
  %y = nn.interpolate %x, %sizes, %axes {mode = "linear_onnx", shape_calculation_mode = "sizes", coordinate_transformation_mode = "half_pixel", pads_begin = array<i64>, pads_end = array<i64>} : (tensor<2x8x64xf32>, tensor<2xi64>, tensor<2xi64>) -> tensor<2x4x48xf32>
  func.return %y : tensor<2x4x48xf32>
}

// Of fewer, products take less.
// CHECK-LABEL: func.func @short_axes(
// CHECK-NOT:     kernel.gather
// CHECK:         kernel.mat_mul [126, 4]
// CHECK:         kernel.mat_mul [8, 48]
func.func @short_axes(%x: tensor<2x7x63xf32>) -> tensor<2x4x48xf32> {
  %sizes = nn.constant dense<[4, 48]> : tensor<2xi64>
  %axes = nn.constant dense<[1, 2]> : tensor<2xi64>
  %y = nn.interpolate %x, %sizes, %axes {mode = "linear_onnx", shape_calculation_mode = "sizes", coordinate_transformation_mode = "half_pixel", pads_begin = array<i64>, pads_end = array<i64>} : (tensor<2x7x63xf32>, tensor<2xi64>, tensor<2xi64>) -> tensor<2x4x48xf32>
  func.return %y : tensor<2x4x48xf32>
}

// Each element is made of nine.
// CHECK-LABEL: func.func @many_taps(
// CHECK-NOT:     kernel.gather
// CHECK:         kernel.mat_mul [
func.func @many_taps(%x: tensor<90x64xf32>) -> tensor<18x64xf32> {
  %sizes = nn.constant dense<[18]> : tensor<1xi64>
  %axes = nn.constant dense<[0]> : tensor<1xi64>
  %y = nn.interpolate %x, %sizes, %axes {mode = "linear", antialias = true, shape_calculation_mode = "sizes", coordinate_transformation_mode = "half_pixel", pads_begin = array<i64>, pads_end = array<i64>} : (tensor<90x64xf32>, tensor<1xi64>, tensor<1xi64>) -> tensor<18x64xf32>
  func.return %y : tensor<18x64xf32>
}

// Images grow along the last axis first, whose products have fewer rows then.
// CHECK-LABEL: func.func @grows(
// CHECK:         kernel.mat_mul [32, 64]
// CHECK:         kernel.gather [2, 64, 64] axis 1
// CHECK-NOT:     kernel.mat_mul
// CHECK:         func.return
func.func @grows(%x: tensor<2x16x16xf32>) -> tensor<2x64x64xf32> {
  %sizes = nn.constant dense<64> : tensor<2xi64>
  %axes = nn.constant dense<[1, 2]> : tensor<2xi64>
  %y = nn.interpolate %x, %sizes, %axes {mode = "linear_onnx", shape_calculation_mode = "sizes", coordinate_transformation_mode = "half_pixel", pads_begin = array<i64>, pads_end = array<i64>} : (tensor<2x16x16xf32>, tensor<2xi64>, tensor<2xi64>) -> tensor<2x64x64xf32>
  func.return %y : tensor<2x64x64xf32>
}

// They shrink along it last.
// CHECK-LABEL: func.func @shrinks(
// CHECK:         kernel.gather [2, 4, 32] axis 1
// CHECK:         kernel.mat_mul [8, 16]
func.func @shrinks(%x: tensor<2x8x32xf32>) -> tensor<2x4x16xf32> {
  %sizes = nn.constant dense<[16, 4]> : tensor<2xi64>
  %axes = nn.constant dense<[2, 1]> : tensor<2xi64>
  %y = nn.interpolate %x, %sizes, %axes {mode = "linear_onnx", shape_calculation_mode = "sizes", coordinate_transformation_mode = "half_pixel", pads_begin = array<i64>, pads_end = array<i64>} : (tensor<2x8x32xf32>, tensor<2xi64>, tensor<2xi64>) -> tensor<2x4x16xf32>
  func.return %y : tensor<2x4x16xf32>
}

// Integers that are rounded after each axis are so in the order of the specification, the last axis first.
// CHECK-LABEL: func.func @rounds_each(
// CHECK:         kernel.mat_mul [16, 16]
// CHECK:         math.roundeven
// CHECK:         kernel.mat_mul [32, 4]
// CHECK:         math.roundeven
func.func @rounds_each(%x: tensor<2x8x32xi8>) -> tensor<2x4x16xi8> {
  %sizes = nn.constant dense<[4, 16]> : tensor<2xi64>
  %axes = nn.constant dense<[1, 2]> : tensor<2xi64>
  %y = nn.interpolate %x, %sizes, %axes {mode = "bilinear_pillow", shape_calculation_mode = "sizes", coordinate_transformation_mode = "half_pixel", pads_begin = array<i64>, pads_end = array<i64>} : (tensor<2x8x32xi8>, tensor<2xi64>, tensor<2xi64>) -> tensor<2x4x16xi8>
  func.return %y : tensor<2x4x16xi8>
}

// 8 bits leave f32 enough for the weights.
// CHECK-LABEL: func.func @codes(
// CHECK:         kernel.mat_mul {{.*}} -> tensor<{{.*}}xf32>
// CHECK-NOT:     f64
// CHECK:         math.roundeven
func.func @codes(%x: tensor<2x8x32xui8>) -> tensor<2x8x16xui8> {
  %sizes = nn.constant dense<[16]> : tensor<1xi64>
  %axes = nn.constant dense<[2]> : tensor<1xi64>
  %y = nn.interpolate %x, %sizes, %axes {mode = "linear_onnx", shape_calculation_mode = "sizes", coordinate_transformation_mode = "half_pixel", pads_begin = array<i64>, pads_end = array<i64>} : (tensor<2x8x32xui8>, tensor<1xi64>, tensor<1xi64>) -> tensor<2x8x16xui8>
  func.return %y : tensor<2x8x16xui8>
}

// CHECK-LABEL: func.func @wider_integers(
// CHECK:         kernel.mat_mul {{.*}} -> tensor<{{.*}}xf64>
func.func @wider_integers(%x: tensor<2x8x32xi16>) -> tensor<2x8x16xi16> {
  %sizes = nn.constant dense<[16]> : tensor<1xi64>
  %axes = nn.constant dense<[2]> : tensor<1xi64>
  %y = nn.interpolate %x, %sizes, %axes {mode = "linear_onnx", shape_calculation_mode = "sizes", coordinate_transformation_mode = "half_pixel", pads_begin = array<i64>, pads_end = array<i64>} : (tensor<2x8x32xi16>, tensor<1xi64>, tensor<1xi64>) -> tensor<2x8x16xi16>
  func.return %y : tensor<2x8x16xi16>
}
