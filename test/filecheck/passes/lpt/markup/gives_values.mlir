// RUN: opt-tool %s --lpt-markup=preset=cpu-x86-exact | filecheck %s

// Limits that are codes, or beyond all of them, leave codes; one between codes leaves nothing to share a grid for.
// CHECK-LABEL: @clips_to_codes
// CHECK: qnn.fake_quantize %a, {{.*}}lpt.intervals_alignment
// CHECK-LABEL: @clips_between_codes
// CHECK-NOT: lpt.intervals_alignment
// CHECK: func.return
func.func @clips_to_codes(%a: tensor<1x2x2x2xf32>, %b: tensor<1x2x2x2xf32>) -> tensor<1x1x2x2xf32> {
  %zero = nn.constant dense<0.0> : tensor<f32>
  %one = nn.constant dense<2.55> : tensor<f32>
  %two = nn.constant dense<5.1> : tensor<f32>
  %p = qnn.fake_quantize %a, %zero, %one, %zero, %one {levels = 256 : i64} : (tensor<1x2x2x2xf32>, tensor<f32>, tensor<f32>, tensor<f32>, tensor<f32>) -> tensor<1x2x2x2xf32>
  %q = qnn.fake_quantize %b, %zero, %two, %zero, %two {levels = 256 : i64} : (tensor<1x2x2x2xf32>, tensor<f32>, tensor<f32>, tensor<f32>, tensor<f32>) -> tensor<1x2x2x2xf32>
  %c = nn.concat %p, %q {axis = 1 : i64} : (tensor<1x2x2x2xf32>, tensor<1x2x2x2xf32>) -> tensor<1x4x2x2xf32>
  %d = nn.clamp %c {min = 0.0 : f64, max = 6.0 : f64} : tensor<1x4x2x2xf32>
  %w = nn.constant dense<1> : tensor<1x4x1x1xi8>
  %f = qnn.dequantize %w scale <dense<0.5> : tensor<f32>> : tensor<1x4x1x1xi8> -> tensor<1x4x1x1xf32>
  %y = nn.convolution %d, %f {strides = array<i64: 1, 1>, pads_begin = array<i64: 0, 0>, pads_end = array<i64: 0, 0>, dilations = array<i64: 1, 1>} : (tensor<1x4x2x2xf32>, tensor<1x4x1x1xf32>) -> tensor<1x1x2x2xf32>
  func.return %y : tensor<1x1x2x2xf32>
}
func.func @clips_between_codes(%a: tensor<1x2x2x2xf32>, %b: tensor<1x2x2x2xf32>) -> tensor<1x1x2x2xf32> {
  %zero = nn.constant dense<0.0> : tensor<f32>
  %one = nn.constant dense<2.55> : tensor<f32>
  %two = nn.constant dense<5.1> : tensor<f32>
  %p = qnn.fake_quantize %a, %zero, %one, %zero, %one {levels = 256 : i64} : (tensor<1x2x2x2xf32>, tensor<f32>, tensor<f32>, tensor<f32>, tensor<f32>) -> tensor<1x2x2x2xf32>
  %q = qnn.fake_quantize %b, %zero, %two, %zero, %two {levels = 256 : i64} : (tensor<1x2x2x2xf32>, tensor<f32>, tensor<f32>, tensor<f32>, tensor<f32>) -> tensor<1x2x2x2xf32>
  %c = nn.concat %p, %q {axis = 1 : i64} : (tensor<1x2x2x2xf32>, tensor<1x2x2x2xf32>) -> tensor<1x4x2x2xf32>
  %d = nn.clamp %c {min = 0.0 : f64, max = 2.005 : f64} : tensor<1x4x2x2xf32>
  %w = nn.constant dense<1> : tensor<1x4x1x1xi8>
  %f = qnn.dequantize %w scale <dense<0.5> : tensor<f32>> : tensor<1x4x1x1xi8> -> tensor<1x4x1x1xf32>
  %y = nn.convolution %d, %f {strides = array<i64: 1, 1>, pads_begin = array<i64: 0, 0>, pads_end = array<i64: 0, 0>, dilations = array<i64: 1, 1>} : (tensor<1x4x2x2xf32>, tensor<1x4x1x1xf32>) -> tensor<1x1x2x2xf32>
  func.return %y : tensor<1x1x2x2xf32>
}

// The nearest element is one of the codes, a mean of two is none.
// CHECK-LABEL: @nearest
// CHECK: qnn.fake_quantize %a, {{.*}}lpt.intervals_alignment
// CHECK-LABEL: @linear
// CHECK-NOT: lpt.intervals_alignment
// CHECK: func.return
func.func @nearest(%a: tensor<1x2x2x2xf32>, %b: tensor<1x2x2x2xf32>) -> tensor<1x1x4x4xf32> {
  %zero = nn.constant dense<0.0> : tensor<f32>
  %one = nn.constant dense<2.55> : tensor<f32>
  %two = nn.constant dense<5.1> : tensor<f32>
  %p = qnn.fake_quantize %a, %zero, %one, %zero, %one {levels = 256 : i64} : (tensor<1x2x2x2xf32>, tensor<f32>, tensor<f32>, tensor<f32>, tensor<f32>) -> tensor<1x2x2x2xf32>
  %q = qnn.fake_quantize %b, %zero, %two, %zero, %two {levels = 256 : i64} : (tensor<1x2x2x2xf32>, tensor<f32>, tensor<f32>, tensor<f32>, tensor<f32>) -> tensor<1x2x2x2xf32>
  %c = nn.concat %p, %q {axis = 1 : i64} : (tensor<1x2x2x2xf32>, tensor<1x2x2x2xf32>) -> tensor<1x4x2x2xf32>
  %s = nn.constant dense<[4, 4]> : tensor<2xi64>
  %x = nn.constant dense<[2, 3]> : tensor<2xi64>
  %d = nn.interpolate %c, %s, %x {mode = "nearest", shape_calculation_mode = "sizes", coordinate_transformation_mode = "asymmetric", nearest_mode = "floor", pads_begin = array<i64>, pads_end = array<i64>} : (tensor<1x4x2x2xf32>, tensor<2xi64>, tensor<2xi64>) -> tensor<1x4x4x4xf32>
  %w = nn.constant dense<1> : tensor<1x4x1x1xi8>
  %f = qnn.dequantize %w scale <dense<0.5> : tensor<f32>> : tensor<1x4x1x1xi8> -> tensor<1x4x1x1xf32>
  %y = nn.convolution %d, %f {strides = array<i64: 1, 1>, pads_begin = array<i64: 0, 0>, pads_end = array<i64: 0, 0>, dilations = array<i64: 1, 1>} : (tensor<1x4x4x4xf32>, tensor<1x4x1x1xf32>) -> tensor<1x1x4x4xf32>
  func.return %y : tensor<1x1x4x4xf32>
}
func.func @linear(%a: tensor<1x2x2x2xf32>, %b: tensor<1x2x2x2xf32>) -> tensor<1x1x4x4xf32> {
  %zero = nn.constant dense<0.0> : tensor<f32>
  %one = nn.constant dense<2.55> : tensor<f32>
  %two = nn.constant dense<5.1> : tensor<f32>
  %p = qnn.fake_quantize %a, %zero, %one, %zero, %one {levels = 256 : i64} : (tensor<1x2x2x2xf32>, tensor<f32>, tensor<f32>, tensor<f32>, tensor<f32>) -> tensor<1x2x2x2xf32>
  %q = qnn.fake_quantize %b, %zero, %two, %zero, %two {levels = 256 : i64} : (tensor<1x2x2x2xf32>, tensor<f32>, tensor<f32>, tensor<f32>, tensor<f32>) -> tensor<1x2x2x2xf32>
  %c = nn.concat %p, %q {axis = 1 : i64} : (tensor<1x2x2x2xf32>, tensor<1x2x2x2xf32>) -> tensor<1x4x2x2xf32>
  %s = nn.constant dense<[4, 4]> : tensor<2xi64>
  %x = nn.constant dense<[2, 3]> : tensor<2xi64>
  %d = nn.interpolate %c, %s, %x {mode = "linear_onnx", shape_calculation_mode = "sizes", coordinate_transformation_mode = "asymmetric", nearest_mode = "floor", pads_begin = array<i64>, pads_end = array<i64>} : (tensor<1x4x2x2xf32>, tensor<2xi64>, tensor<2xi64>) -> tensor<1x4x4x4xf32>
  %w = nn.constant dense<1> : tensor<1x4x1x1xi8>
  %f = qnn.dequantize %w scale <dense<0.5> : tensor<f32>> : tensor<1x4x1x1xi8> -> tensor<1x4x1x1xf32>
  %y = nn.convolution %d, %f {strides = array<i64: 1, 1>, pads_begin = array<i64: 0, 0>, pads_end = array<i64: 0, 0>, dilations = array<i64: 1, 1>} : (tensor<1x4x4x4xf32>, tensor<1x4x1x1xf32>) -> tensor<1x1x4x4xf32>
  func.return %y : tensor<1x1x4x4xf32>
}

// 0 is a code, another value may be none.
// CHECK-LABEL: @pads_with_zero
// CHECK: qnn.fake_quantize %a, {{.*}}lpt.intervals_alignment
// CHECK-LABEL: @pads_with_another
// CHECK-NOT: lpt.intervals_alignment
// CHECK: func.return
func.func @pads_with_zero(%a: tensor<1x2x2x2xf32>, %b: tensor<1x2x2x2xf32>) -> tensor<1x1x4x4xf32> {
  %zero = nn.constant dense<0.0> : tensor<f32>
  %one = nn.constant dense<2.55> : tensor<f32>
  %two = nn.constant dense<5.1> : tensor<f32>
  %p = qnn.fake_quantize %a, %zero, %one, %zero, %one {levels = 256 : i64} : (tensor<1x2x2x2xf32>, tensor<f32>, tensor<f32>, tensor<f32>, tensor<f32>) -> tensor<1x2x2x2xf32>
  %q = qnn.fake_quantize %b, %zero, %two, %zero, %two {levels = 256 : i64} : (tensor<1x2x2x2xf32>, tensor<f32>, tensor<f32>, tensor<f32>, tensor<f32>) -> tensor<1x2x2x2xf32>
  %c = nn.concat %p, %q {axis = 1 : i64} : (tensor<1x2x2x2xf32>, tensor<1x2x2x2xf32>) -> tensor<1x4x2x2xf32>
  %n = nn.constant dense<[0, 0, 1, 1]> : tensor<4xi64>
  %v = nn.constant dense<0.0> : tensor<f32>
  %d = nn.pad %c, %n, %n, %v {pad_mode = "constant"} : (tensor<1x4x2x2xf32>, tensor<4xi64>, tensor<4xi64>, tensor<f32>) -> tensor<1x4x4x4xf32>
  %w = nn.constant dense<1> : tensor<1x4x1x1xi8>
  %f = qnn.dequantize %w scale <dense<0.5> : tensor<f32>> : tensor<1x4x1x1xi8> -> tensor<1x4x1x1xf32>
  %y = nn.convolution %d, %f {strides = array<i64: 1, 1>, pads_begin = array<i64: 0, 0>, pads_end = array<i64: 0, 0>, dilations = array<i64: 1, 1>} : (tensor<1x4x4x4xf32>, tensor<1x4x1x1xf32>) -> tensor<1x1x4x4xf32>
  func.return %y : tensor<1x1x4x4xf32>
}
func.func @pads_with_another(%a: tensor<1x2x2x2xf32>, %b: tensor<1x2x2x2xf32>) -> tensor<1x1x4x4xf32> {
  %zero = nn.constant dense<0.0> : tensor<f32>
  %one = nn.constant dense<2.55> : tensor<f32>
  %two = nn.constant dense<5.1> : tensor<f32>
  %p = qnn.fake_quantize %a, %zero, %one, %zero, %one {levels = 256 : i64} : (tensor<1x2x2x2xf32>, tensor<f32>, tensor<f32>, tensor<f32>, tensor<f32>) -> tensor<1x2x2x2xf32>
  %q = qnn.fake_quantize %b, %zero, %two, %zero, %two {levels = 256 : i64} : (tensor<1x2x2x2xf32>, tensor<f32>, tensor<f32>, tensor<f32>, tensor<f32>) -> tensor<1x2x2x2xf32>
  %c = nn.concat %p, %q {axis = 1 : i64} : (tensor<1x2x2x2xf32>, tensor<1x2x2x2xf32>) -> tensor<1x4x2x2xf32>
  %n = nn.constant dense<[0, 0, 1, 1]> : tensor<4xi64>
  %v = nn.constant dense<0.5> : tensor<f32>
  %d = nn.pad %c, %n, %n, %v {pad_mode = "constant"} : (tensor<1x4x2x2xf32>, tensor<4xi64>, tensor<4xi64>, tensor<f32>) -> tensor<1x4x4x4xf32>
  %w = nn.constant dense<1> : tensor<1x4x1x1xi8>
  %f = qnn.dequantize %w scale <dense<0.5> : tensor<f32>> : tensor<1x4x1x1xi8> -> tensor<1x4x1x1xf32>
  %y = nn.convolution %d, %f {strides = array<i64: 1, 1>, pads_begin = array<i64: 0, 0>, pads_end = array<i64: 0, 0>, dilations = array<i64: 1, 1>} : (tensor<1x4x4x4xf32>, tensor<1x4x1x1xf32>) -> tensor<1x1x4x4xf32>
  func.return %y : tensor<1x1x4x4xf32>
}

// Nor are means rounded in front of it.
// CHECK-LABEL: @rounds
// CHECK: nn.avg_pool {{.*}}lpt.avg_pool_precision_preserved
// CHECK-LABEL: @keeps_fractions
// CHECK: nn.avg_pool
// CHECK-NOT: lpt.avg_pool_precision_preserved
func.func @rounds(%a: tensor<1x2x2x2xf32>, %b: tensor<1x2x2x2xf32>) -> tensor<1x1x4x4xf32> {
  %zero = nn.constant dense<0.0> : tensor<f32>
  %one = nn.constant dense<2.55> : tensor<f32>
  %two = nn.constant dense<5.1> : tensor<f32>
  %p = qnn.fake_quantize %a, %zero, %one, %zero, %one {levels = 256 : i64} : (tensor<1x2x2x2xf32>, tensor<f32>, tensor<f32>, tensor<f32>, tensor<f32>) -> tensor<1x2x2x2xf32>
  %q = qnn.fake_quantize %b, %zero, %two, %zero, %two {levels = 256 : i64} : (tensor<1x2x2x2xf32>, tensor<f32>, tensor<f32>, tensor<f32>, tensor<f32>) -> tensor<1x2x2x2xf32>
  %c = nn.concat %p, %q {axis = 1 : i64} : (tensor<1x2x2x2xf32>, tensor<1x2x2x2xf32>) -> tensor<1x4x2x2xf32>
  %d = nn.avg_pool %c {exclude_pad = true, kernel = array<i64: 2, 2>, strides = array<i64: 1, 1>, pads_begin = array<i64: 0, 0>, pads_end = array<i64: 0, 0>, dilations = array<i64: 1, 1>, rounding_type = "floor"} : tensor<1x4x2x2xf32> -> tensor<1x4x1x1xf32>
  %s = nn.constant dense<[4, 4]> : tensor<2xi64>
  %x = nn.constant dense<[2, 3]> : tensor<2xi64>
  %e = nn.interpolate %d, %s, %x {mode = "nearest", shape_calculation_mode = "sizes", coordinate_transformation_mode = "asymmetric", nearest_mode = "floor", pads_begin = array<i64>, pads_end = array<i64>} : (tensor<1x4x1x1xf32>, tensor<2xi64>, tensor<2xi64>) -> tensor<1x4x4x4xf32>
  %w = nn.constant dense<1> : tensor<1x4x1x1xi8>
  %f = qnn.dequantize %w scale <dense<0.5> : tensor<f32>> : tensor<1x4x1x1xi8> -> tensor<1x4x1x1xf32>
  %y = nn.convolution %e, %f {strides = array<i64: 1, 1>, pads_begin = array<i64: 0, 0>, pads_end = array<i64: 0, 0>, dilations = array<i64: 1, 1>} : (tensor<1x4x4x4xf32>, tensor<1x4x1x1xf32>) -> tensor<1x1x4x4xf32>
  func.return %y : tensor<1x1x4x4xf32>
}
func.func @keeps_fractions(%a: tensor<1x2x2x2xf32>, %b: tensor<1x2x2x2xf32>) -> tensor<1x1x4x4xf32> {
  %zero = nn.constant dense<0.0> : tensor<f32>
  %one = nn.constant dense<2.55> : tensor<f32>
  %two = nn.constant dense<5.1> : tensor<f32>
  %p = qnn.fake_quantize %a, %zero, %one, %zero, %one {levels = 256 : i64} : (tensor<1x2x2x2xf32>, tensor<f32>, tensor<f32>, tensor<f32>, tensor<f32>) -> tensor<1x2x2x2xf32>
  %q = qnn.fake_quantize %b, %zero, %two, %zero, %two {levels = 256 : i64} : (tensor<1x2x2x2xf32>, tensor<f32>, tensor<f32>, tensor<f32>, tensor<f32>) -> tensor<1x2x2x2xf32>
  %c = nn.concat %p, %q {axis = 1 : i64} : (tensor<1x2x2x2xf32>, tensor<1x2x2x2xf32>) -> tensor<1x4x2x2xf32>
  %d = nn.avg_pool %c {exclude_pad = true, kernel = array<i64: 2, 2>, strides = array<i64: 1, 1>, pads_begin = array<i64: 0, 0>, pads_end = array<i64: 0, 0>, dilations = array<i64: 1, 1>, rounding_type = "floor"} : tensor<1x4x2x2xf32> -> tensor<1x4x1x1xf32>
  %s = nn.constant dense<[4, 4]> : tensor<2xi64>
  %x = nn.constant dense<[2, 3]> : tensor<2xi64>
  %e = nn.interpolate %d, %s, %x {mode = "linear_onnx", shape_calculation_mode = "sizes", coordinate_transformation_mode = "asymmetric", nearest_mode = "floor", pads_begin = array<i64>, pads_end = array<i64>} : (tensor<1x4x1x1xf32>, tensor<2xi64>, tensor<2xi64>) -> tensor<1x4x4x4xf32>
  %w = nn.constant dense<1> : tensor<1x4x1x1xi8>
  %f = qnn.dequantize %w scale <dense<0.5> : tensor<f32>> : tensor<1x4x1x1xi8> -> tensor<1x4x1x1xf32>
  %y = nn.convolution %e, %f {strides = array<i64: 1, 1>, pads_begin = array<i64: 0, 0>, pads_end = array<i64: 0, 0>, dilations = array<i64: 1, 1>} : (tensor<1x4x4x4xf32>, tensor<1x4x1x1xf32>) -> tensor<1x1x4x4xf32>
  func.return %y : tensor<1x1x4x4xf32>
}
