// RUN: opt-tool %s --lpt-markup | filecheck %s

// A convolution takes one scale: the interval that holds both, and the one type that it takes.
// CHECK-LABEL: @shared_quantization_parameters
// CHECK: qnn.fake_quantize %a, {{.*}}lpt.precisions = {output0 = [ui8]}, lpt.intervals_alignment = {high = {{25.39[0-9]*}} : f64, levels = 256 : i64, low = {{-25.6[0-9]*}} : f64, min_levels = 14 : i64}
// CHECK: qnn.fake_quantize %b, {{.*}}lpt.precisions = {output0 = [ui8]}, lpt.intervals_alignment = {high = {{25.39[0-9]*}} : f64, levels = 256 : i64, low = {{-25.6[0-9]*}} : f64, min_levels = 14 : i64}
// CHECK: nn.relu {{.*}}lpt.quantization_alignment
// CHECK: nn.concat {{.*}}lpt.quantization_alignment
func.func @shared_quantization_parameters(%a: tensor<1x1x4xf32>, %b: tensor<1x1x4xf32>) -> tensor<1x1x4xf32> {
  %l = nn.constant dense<0.0> : tensor<f32>
  %h = nn.constant dense<2.55> : tensor<f32>
  %m = nn.constant dense<-25.6> : tensor<f32>
  %n = nn.constant dense<25.4> : tensor<f32>
  %p0 = qnn.fake_quantize %a, %l, %h, %l, %h {levels = 256 : i64} : (tensor<1x1x4xf32>, tensor<f32>, tensor<f32>, tensor<f32>, tensor<f32>) -> tensor<1x1x4xf32>
  %q = qnn.fake_quantize %b, %m, %n, %m, %n {levels = 256 : i64} : (tensor<1x1x4xf32>, tensor<f32>, tensor<f32>, tensor<f32>, tensor<f32>) -> tensor<1x1x4xf32>
  %p = nn.relu %p0 : tensor<1x1x4xf32>
  %c = nn.concat %p, %q {axis = 1 : i64} : (tensor<1x1x4xf32>, tensor<1x1x4xf32>) -> tensor<1x2x4xf32>
  %w = nn.constant dense<[[[1], [2]]]> : tensor<1x2x1xi8>
  %d = qnn.dequantize %w scale <dense<0.5> : tensor<f32>> : tensor<1x2x1xi8> -> tensor<1x2x1xf32>
  %y = nn.convolution %c, %d {strides = array<i64: 1>, pads_begin = array<i64: 0>, pads_end = array<i64: 0>, dilations = array<i64: 1>} : (tensor<1x2x4xf32>, tensor<1x2x1xf32>) -> tensor<1x1x4xf32>
  func.return %y : tensor<1x1x4xf32>
}

// The convolution stays in floating point: one type, but a grid for each.
// CHECK-LABEL: @one_type
// CHECK: qnn.fake_quantize %a, {{.*}}lpt.precisions = {output0 = [ui8]}
// CHECK: qnn.fake_quantize %b, {{.*}}lpt.precisions = {output0 = [ui8]}
// CHECK-NOT: lpt.quantization_alignment
// CHECK: func.return
func.func @one_type(%a: tensor<1x1x4xf32>, %b: tensor<1x1x4xf32>, %d: tensor<1x2x1xf32>) -> tensor<1x1x4xf32> {
  %l = nn.constant dense<0.0> : tensor<f32>
  %h = nn.constant dense<2.55> : tensor<f32>
  %m = nn.constant dense<-25.6> : tensor<f32>
  %n = nn.constant dense<25.4> : tensor<f32>
  %p = qnn.fake_quantize %a, %l, %h, %l, %h {levels = 256 : i64} : (tensor<1x1x4xf32>, tensor<f32>, tensor<f32>, tensor<f32>, tensor<f32>) -> tensor<1x1x4xf32>
  %q = qnn.fake_quantize %b, %m, %n, %m, %n {levels = 256 : i64} : (tensor<1x1x4xf32>, tensor<f32>, tensor<f32>, tensor<f32>, tensor<f32>) -> tensor<1x1x4xf32>
  %c = nn.concat %p, %q {axis = 1 : i64} : (tensor<1x1x4xf32>, tensor<1x1x4xf32>) -> tensor<1x2x4xf32>
  %y = nn.convolution %c, %d {strides = array<i64: 1>, pads_begin = array<i64: 0>, pads_end = array<i64: 0>, dilations = array<i64: 1>} : (tensor<1x2x4xf32>, tensor<1x2x1xf32>) -> tensor<1x1x4xf32>
  func.return %y : tensor<1x1x4xf32>
}

// Where both can do without a zero point, they do.
// CHECK-LABEL: @no_zero_points
// CHECK: qnn.fake_quantize %a, {{.*}}lpt.precisions = {output0 = [i8]}
// CHECK: qnn.fake_quantize %b, {{.*}}lpt.precisions = {output0 = [i8]}
func.func @no_zero_points(%a: tensor<1x1x4xf32>, %b: tensor<1x1x4xf32>) -> tensor<1x2x4xf32> {
  %l = nn.constant dense<0.0> : tensor<f32>
  %h = nn.constant dense<2.55> : tensor<f32>
  %m = nn.constant dense<-25.6> : tensor<f32>
  %n = nn.constant dense<25.4> : tensor<f32>
  %p = qnn.fake_quantize %a, %m, %n, %m, %n {levels = 256 : i64} : (tensor<1x1x4xf32>, tensor<f32>, tensor<f32>, tensor<f32>, tensor<f32>) -> tensor<1x1x4xf32>
  %q = qnn.fake_quantize %b, %m, %n, %m, %n {levels = 256 : i64} : (tensor<1x1x4xf32>, tensor<f32>, tensor<f32>, tensor<f32>, tensor<f32>) -> tensor<1x1x4xf32>
  %c = nn.concat %p, %q {axis = 1 : i64} : (tensor<1x1x4xf32>, tensor<1x1x4xf32>) -> tensor<1x2x4xf32>
  func.return %c : tensor<1x2x4xf32>
}

// What nothing quantizes, joined with them, leaves each its types.
// CHECK-LABEL: @open
// CHECK: qnn.fake_quantize %a, {{.*}}lpt.precisions = {output0 = [ui8, i8]}
// CHECK: qnn.fake_quantize %b, {{.*}}lpt.precisions = {output0 = [ui8, i8]}
func.func @open(%a: tensor<1x1x4xf32>, %b: tensor<1x1x4xf32>) -> tensor<1x3x4xf32> {
  %m = nn.constant dense<-25.6> : tensor<f32>
  %n = nn.constant dense<25.4> : tensor<f32>
  %p = qnn.fake_quantize %a, %m, %n, %m, %n {levels = 256 : i64} : (tensor<1x1x4xf32>, tensor<f32>, tensor<f32>, tensor<f32>, tensor<f32>) -> tensor<1x1x4xf32>
  %q = qnn.fake_quantize %b, %m, %n, %m, %n {levels = 256 : i64} : (tensor<1x1x4xf32>, tensor<f32>, tensor<f32>, tensor<f32>, tensor<f32>) -> tensor<1x1x4xf32>
  %c = nn.concat %p, %q, %a {axis = 1 : i64} : (tensor<1x1x4xf32>, tensor<1x1x4xf32>, tensor<1x1x4xf32>) -> tensor<1x3x4xf32>
  func.return %c : tensor<1x3x4xf32>
}

// The same interval needs no alignment; nor can one with a value that nothing quantizes, those of 256
// and of 254 levels, or one with an interval for each channel be aligned.
// CHECK-LABEL: @same_interval
// CHECK-NOT: lpt.intervals_alignment
// CHECK: nn.concat {{.*}}lpt.quantization_alignment
// CHECK-LABEL: @not_quantized
// CHECK-NOT: alignment
// CHECK-LABEL: @levels
// CHECK-NOT: lpt.intervals_alignment
// CHECK-LABEL: @channels
// CHECK-NOT: lpt.intervals_alignment
// CHECK: func.return
func.func @same_interval(%a: tensor<1x1x4xf32>, %b: tensor<1x1x4xf32>) -> tensor<1x1x4xf32> {
  %l = nn.constant dense<0.0> : tensor<f32>
  %h = nn.constant dense<2.55> : tensor<f32>
  %m = nn.constant dense<-25.6> : tensor<f32>
  %n = nn.constant dense<25.4> : tensor<f32>
  %p = qnn.fake_quantize %a, %l, %h, %l, %h {levels = 256 : i64} : (tensor<1x1x4xf32>, tensor<f32>, tensor<f32>, tensor<f32>, tensor<f32>) -> tensor<1x1x4xf32>
  %q = qnn.fake_quantize %b, %l, %h, %l, %h {levels = 256 : i64} : (tensor<1x1x4xf32>, tensor<f32>, tensor<f32>, tensor<f32>, tensor<f32>) -> tensor<1x1x4xf32>
  %c = nn.concat %p, %q {axis = 1 : i64} : (tensor<1x1x4xf32>, tensor<1x1x4xf32>) -> tensor<1x2x4xf32>
  %w = nn.constant dense<[[[1], [2]]]> : tensor<1x2x1xi8>
  %d = qnn.dequantize %w scale <dense<0.5> : tensor<f32>> : tensor<1x2x1xi8> -> tensor<1x2x1xf32>
  %y = nn.convolution %c, %d {strides = array<i64: 1>, pads_begin = array<i64: 0>, pads_end = array<i64: 0>, dilations = array<i64: 1>} : (tensor<1x2x4xf32>, tensor<1x2x1xf32>) -> tensor<1x1x4xf32>
  func.return %y : tensor<1x1x4xf32>
}
func.func @not_quantized(%a: tensor<1x1x4xf32>, %b: tensor<1x1x4xf32>) -> tensor<1x1x4xf32> {
  %l = nn.constant dense<0.0> : tensor<f32>
  %h = nn.constant dense<2.55> : tensor<f32>
  %m = nn.constant dense<-25.6> : tensor<f32>
  %n = nn.constant dense<25.4> : tensor<f32>
  %p = qnn.fake_quantize %a, %l, %h, %l, %h {levels = 256 : i64} : (tensor<1x1x4xf32>, tensor<f32>, tensor<f32>, tensor<f32>, tensor<f32>) -> tensor<1x1x4xf32>
  %p1 = qnn.fake_quantize %b, %m, %n, %m, %n {levels = 256 : i64} : (tensor<1x1x4xf32>, tensor<f32>, tensor<f32>, tensor<f32>, tensor<f32>) -> tensor<1x1x4xf32>
  %e = nn.concat %p1, %b {axis = 1 : i64} : (tensor<1x1x4xf32>, tensor<1x1x4xf32>) -> tensor<1x2x4xf32>
  %c = nn.concat %p, %e {axis = 1 : i64} : (tensor<1x1x4xf32>, tensor<1x2x4xf32>) -> tensor<1x3x4xf32>
  %w = nn.constant dense<[[[1], [2], [3]]]> : tensor<1x3x1xi8>
  %d = qnn.dequantize %w scale <dense<0.5> : tensor<f32>> : tensor<1x3x1xi8> -> tensor<1x3x1xf32>
  %y = nn.convolution %c, %d {strides = array<i64: 1>, pads_begin = array<i64: 0>, pads_end = array<i64: 0>, dilations = array<i64: 1>} : (tensor<1x3x4xf32>, tensor<1x3x1xf32>) -> tensor<1x1x4xf32>
  func.return %y : tensor<1x1x4xf32>
}
func.func @levels(%a: tensor<1x1x4xf32>, %b: tensor<1x1x4xf32>) -> tensor<1x1x4xf32> {
  %l = nn.constant dense<0.0> : tensor<f32>
  %h = nn.constant dense<2.55> : tensor<f32>
  %m = nn.constant dense<-25.6> : tensor<f32>
  %n = nn.constant dense<25.4> : tensor<f32>
  %p = qnn.fake_quantize %a, %l, %h, %l, %h {levels = 256 : i64} : (tensor<1x1x4xf32>, tensor<f32>, tensor<f32>, tensor<f32>, tensor<f32>) -> tensor<1x1x4xf32>
  %q = qnn.fake_quantize %b, %m, %n, %m, %n {levels = 254 : i64} : (tensor<1x1x4xf32>, tensor<f32>, tensor<f32>, tensor<f32>, tensor<f32>) -> tensor<1x1x4xf32>
  %c = nn.concat %p, %q {axis = 1 : i64} : (tensor<1x1x4xf32>, tensor<1x1x4xf32>) -> tensor<1x2x4xf32>
  %w = nn.constant dense<[[[1], [2]]]> : tensor<1x2x1xi8>
  %d = qnn.dequantize %w scale <dense<0.5> : tensor<f32>> : tensor<1x2x1xi8> -> tensor<1x2x1xf32>
  %y = nn.convolution %c, %d {strides = array<i64: 1>, pads_begin = array<i64: 0>, pads_end = array<i64: 0>, dilations = array<i64: 1>} : (tensor<1x2x4xf32>, tensor<1x2x1xf32>) -> tensor<1x1x4xf32>
  func.return %y : tensor<1x1x4xf32>
}
func.func @channels(%a: tensor<1x2x4xf32>, %b: tensor<1x1x4xf32>) -> tensor<1x1x4xf32> {
  %l = nn.constant dense<0.0> : tensor<f32>
  %h = nn.constant dense<2.55> : tensor<f32>
  %m = nn.constant dense<-25.6> : tensor<f32>
  %n = nn.constant dense<25.4> : tensor<f32>
  %k = nn.constant dense<[[2.55], [5.1]]> : tensor<2x1xf32>
  %p = qnn.fake_quantize %a, %l, %k, %l, %k {levels = 256 : i64} : (tensor<1x2x4xf32>, tensor<f32>, tensor<2x1xf32>, tensor<f32>, tensor<2x1xf32>) -> tensor<1x2x4xf32>
  %q = qnn.fake_quantize %b, %m, %n, %m, %n {levels = 256 : i64} : (tensor<1x1x4xf32>, tensor<f32>, tensor<f32>, tensor<f32>, tensor<f32>) -> tensor<1x1x4xf32>
  %c = nn.concat %p, %q {axis = 1 : i64} : (tensor<1x2x4xf32>, tensor<1x1x4xf32>) -> tensor<1x3x4xf32>
  %w = nn.constant dense<[[[1], [2], [3]]]> : tensor<1x3x1xi8>
  %d = qnn.dequantize %w scale <dense<0.5> : tensor<f32>> : tensor<1x3x1xi8> -> tensor<1x3x1xf32>
  %y = nn.convolution %c, %d {strides = array<i64: 1>, pads_begin = array<i64: 0>, pads_end = array<i64: 0>, dilations = array<i64: 1>} : (tensor<1x3x4xf32>, tensor<1x3x1xf32>) -> tensor<1x1x4xf32>
  func.return %y : tensor<1x1x4xf32>
}

// Behind arithmetic with a constant codes are the same, but not their scale: one type, and a grid for each. What a
// computed value multiplies is not quantized.
// CHECK-LABEL: @scaled
// CHECK: qnn.fake_quantize %a, {{.*}}lpt.precisions = {output0 = [ui8]}, levels
// CHECK: qnn.fake_quantize %b, {{.*}}lpt.precisions = {output0 = [ui8]}, levels
// CHECK-LABEL: @multiplied
// CHECK: qnn.fake_quantize %a, {{.*}}lpt.precisions = {output0 = [ui8, i8]}, levels
// CHECK: qnn.fake_quantize %b, {{.*}}lpt.precisions = {output0 = [ui8, i8]}, levels
func.func @scaled(%a: tensor<1x1x4xf32>, %b: tensor<1x1x4xf32>) -> tensor<1x1x4xf32> {
  %l = nn.constant dense<0.0> : tensor<f32>
  %h = nn.constant dense<2.55> : tensor<f32>
  %m = nn.constant dense<-25.6> : tensor<f32>
  %n = nn.constant dense<25.4> : tensor<f32>
  %p0 = qnn.fake_quantize %a, %l, %h, %l, %h {levels = 256 : i64} : (tensor<1x1x4xf32>, tensor<f32>, tensor<f32>, tensor<f32>, tensor<f32>) -> tensor<1x1x4xf32>
  %q = qnn.fake_quantize %b, %m, %n, %m, %n {levels = 256 : i64} : (tensor<1x1x4xf32>, tensor<f32>, tensor<f32>, tensor<f32>, tensor<f32>) -> tensor<1x1x4xf32>
  %p1 = nn.multiply %p0, %h : (tensor<1x1x4xf32>, tensor<f32>) -> tensor<1x1x4xf32>
  %p = nn.subtract %p1, %h : (tensor<1x1x4xf32>, tensor<f32>) -> tensor<1x1x4xf32>
  %c = nn.concat %p, %q {axis = 1 : i64} : (tensor<1x1x4xf32>, tensor<1x1x4xf32>) -> tensor<1x2x4xf32>
  %w = nn.constant dense<[[[1], [2]]]> : tensor<1x2x1xi8>
  %d = qnn.dequantize %w scale <dense<0.5> : tensor<f32>> : tensor<1x2x1xi8> -> tensor<1x2x1xf32>
  %y = nn.convolution %c, %d {strides = array<i64: 1>, pads_begin = array<i64: 0>, pads_end = array<i64: 0>, dilations = array<i64: 1>} : (tensor<1x2x4xf32>, tensor<1x2x1xf32>) -> tensor<1x1x4xf32>
  func.return %y : tensor<1x1x4xf32>
}
func.func @multiplied(%a: tensor<1x1x4xf32>, %b: tensor<1x1x4xf32>) -> tensor<1x2x4xf32> {
  %l = nn.constant dense<0.0> : tensor<f32>
  %h = nn.constant dense<2.55> : tensor<f32>
  %m = nn.constant dense<-25.6> : tensor<f32>
  %n = nn.constant dense<25.4> : tensor<f32>
  %p0 = qnn.fake_quantize %a, %l, %h, %l, %h {levels = 256 : i64} : (tensor<1x1x4xf32>, tensor<f32>, tensor<f32>, tensor<f32>, tensor<f32>) -> tensor<1x1x4xf32>
  %q = qnn.fake_quantize %b, %m, %n, %m, %n {levels = 256 : i64} : (tensor<1x1x4xf32>, tensor<f32>, tensor<f32>, tensor<f32>, tensor<f32>) -> tensor<1x1x4xf32>
  %p = nn.multiply %p0, %a : (tensor<1x1x4xf32>, tensor<1x1x4xf32>) -> tensor<1x1x4xf32>
  %c = nn.concat %p, %q {axis = 1 : i64} : (tensor<1x1x4xf32>, tensor<1x1x4xf32>) -> tensor<1x2x4xf32>
  func.return %c : tensor<1x2x4xf32>
}

// Those of a FakeQuantize that something else scales still share their grid with others.
// CHECK-LABEL: @scaled_elsewhere
// CHECK: qnn.fake_quantize %a, {{.*}}lpt.intervals_alignment
// CHECK: qnn.fake_quantize %b, {{.*}}lpt.intervals_alignment
func.func @scaled_elsewhere(%a: tensor<1x1x4xf32>, %b: tensor<1x1x4xf32>) -> (tensor<1x1x4xf32>, tensor<1x1x4xf32>) {
  %l = nn.constant dense<0.0> : tensor<f32>
  %h = nn.constant dense<2.55> : tensor<f32>
  %m = nn.constant dense<-25.6> : tensor<f32>
  %n = nn.constant dense<25.4> : tensor<f32>
  %p = qnn.fake_quantize %a, %l, %h, %l, %h {levels = 256 : i64} : (tensor<1x1x4xf32>, tensor<f32>, tensor<f32>, tensor<f32>, tensor<f32>) -> tensor<1x1x4xf32>
  %q = qnn.fake_quantize %b, %m, %n, %m, %n {levels = 256 : i64} : (tensor<1x1x4xf32>, tensor<f32>, tensor<f32>, tensor<f32>, tensor<f32>) -> tensor<1x1x4xf32>
  %s = nn.multiply %p, %h : (tensor<1x1x4xf32>, tensor<f32>) -> tensor<1x1x4xf32>
  %c = nn.concat %p, %q {axis = 1 : i64} : (tensor<1x1x4xf32>, tensor<1x1x4xf32>) -> tensor<1x2x4xf32>
  %w = nn.constant dense<[[[1], [2]]]> : tensor<1x2x1xi8>
  %d = qnn.dequantize %w scale <dense<0.5> : tensor<f32>> : tensor<1x2x1xi8> -> tensor<1x2x1xf32>
  %y = nn.convolution %c, %d {strides = array<i64: 1>, pads_begin = array<i64: 0>, pads_end = array<i64: 0>, dilations = array<i64: 1>} : (tensor<1x2x4xf32>, tensor<1x2x1xf32>) -> tensor<1x1x4xf32>
  func.return %y, %s : tensor<1x1x4xf32>, tensor<1x1x4xf32>
}

// Codes that no FakeQuantize gives have their type; codes of two types leave each its own.
// CHECK-LABEL: @given_codes
// CHECK: qnn.fake_quantize {{.*}}lpt.precisions = {output0 = [i8]}, levels
// CHECK-LABEL: @codes_of_two_types
// CHECK: qnn.fake_quantize {{.*}}lpt.precisions = {output0 = [ui8, i8]}, levels
func.func @given_codes(%a: tensor<1x1x4xf32>, %q: tensor<1x1x4xi8>) -> tensor<1x2x4xf32> {
  %l = nn.constant dense<0.0> : tensor<f32>
  %h = nn.constant dense<2.55> : tensor<f32>
  %p = qnn.fake_quantize %a, %l, %h, %l, %h {levels = 256 : i64} : (tensor<1x1x4xf32>, tensor<f32>, tensor<f32>, tensor<f32>, tensor<f32>) -> tensor<1x1x4xf32>
  %d = qnn.dequantize %q scale <dense<0.5> : tensor<f32>> : tensor<1x1x4xi8> -> tensor<1x1x4xf32>
  %c = nn.concat %p, %d {axis = 1 : i64} : (tensor<1x1x4xf32>, tensor<1x1x4xf32>) -> tensor<1x2x4xf32>
  func.return %c : tensor<1x2x4xf32>
}
func.func @codes_of_two_types(%a: tensor<1x1x4xf32>, %q: tensor<1x1x4xi8>, %r: tensor<1x1x4xui8>) -> tensor<1x3x4xf32> {
  %l = nn.constant dense<0.0> : tensor<f32>
  %h = nn.constant dense<2.55> : tensor<f32>
  %p = qnn.fake_quantize %a, %l, %h, %l, %h {levels = 256 : i64} : (tensor<1x1x4xf32>, tensor<f32>, tensor<f32>, tensor<f32>, tensor<f32>) -> tensor<1x1x4xf32>
  %d = qnn.dequantize %q scale <dense<0.5> : tensor<f32>> : tensor<1x1x4xi8> -> tensor<1x1x4xf32>
  %e = qnn.dequantize %r scale <dense<0.5> : tensor<f32>> : tensor<1x1x4xui8> -> tensor<1x1x4xf32>
  %c = nn.concat %p, %d, %e {axis = 1 : i64} : (tensor<1x1x4xf32>, tensor<1x1x4xf32>, tensor<1x1x4xf32>) -> tensor<1x3x4xf32>
  func.return %c : tensor<1x3x4xf32>
}

// Codes that the model makes itself keep their grid; they have one type.
// CHECK-LABEL: @own_codes
// CHECK: qnn.fake_quantize %a, {{.*}}lpt.precisions = {output0 = [ui8]}, levels
// CHECK: qnn.fake_quantize %b, {{.*}}lpt.precisions = {output0 = [ui8]}, levels
func.func @own_codes(%a: tensor<1x1x4xf32>, %b: tensor<1x1x4xf32>) -> tensor<1x1x4xf32> {
  %l = nn.constant dense<0.0> : tensor<f32>
  %h = nn.constant dense<2.55> : tensor<f32>
  %k = nn.constant dense<25.5> : tensor<f32>
  %m = nn.constant dense<255.0> : tensor<f32>
  %p = qnn.fake_quantize %a, %l, %h, %l, %m {levels = 256 : i64, output_type = ui8} : (tensor<1x1x4xf32>, tensor<f32>, tensor<f32>, tensor<f32>, tensor<f32>) -> tensor<1x1x4xui8>
  %q = qnn.fake_quantize %b, %l, %k, %l, %m {levels = 256 : i64, output_type = ui8} : (tensor<1x1x4xf32>, tensor<f32>, tensor<f32>, tensor<f32>, tensor<f32>) -> tensor<1x1x4xui8>
  %x = qnn.dequantize %p scale <dense<0.01> : tensor<f32>> : tensor<1x1x4xui8> -> tensor<1x1x4xf32>
  %z = qnn.dequantize %q scale <dense<0.1> : tensor<f32>> : tensor<1x1x4xui8> -> tensor<1x1x4xf32>
  %c = nn.concat %x, %z {axis = 1 : i64} : (tensor<1x1x4xf32>, tensor<1x1x4xf32>) -> tensor<1x2x4xf32>
  %w = nn.constant dense<[[[1], [2]]]> : tensor<1x2x1xi8>
  %d = qnn.dequantize %w scale <dense<0.5> : tensor<f32>> : tensor<1x2x1xi8> -> tensor<1x2x1xf32>
  %y = nn.convolution %c, %d {strides = array<i64: 1>, pads_begin = array<i64: 0>, pads_end = array<i64: 0>, dilations = array<i64: 1>} : (tensor<1x2x4xf32>, tensor<1x2x1xf32>) -> tensor<1x1x4xf32>
  func.return %y : tensor<1x1x4xf32>
}

// Codes that something else reads as they are, stay: what joins them has their type.
// CHECK-LABEL: @codes_that_are_read
// CHECK: qnn.fake_quantize %b, {{.*}}lpt.precisions = {output0 = [ui8]}
func.func @codes_that_are_read(%a: tensor<4xf32>, %b: tensor<4xf32>) -> (tensor<8xf32>, tensor<4xf32>) {
  %l = nn.constant dense<-1.0> : tensor<f32>
  %h = nn.constant dense<1.55> : tensor<f32>
  %zero = nn.constant dense<0.0> : tensor<f32>
  %most = nn.constant dense<255.0> : tensor<f32>
  %m = nn.constant dense<-1.27> : tensor<f32>
  %n = nn.constant dense<1.27> : tensor<f32>
  %codes = qnn.fake_quantize %a, %l, %h, %zero, %most {levels = 256 : i64, output_type = ui8} : (tensor<4xf32>, tensor<f32>, tensor<f32>, tensor<f32>, tensor<f32>) -> tensor<4xui8>
  %p = qnn.dequantize %codes scale <dense<0.01> : tensor<f32>> zero_point <dense<100.0> : tensor<f32>> : tensor<4xui8> -> tensor<4xf32>
  %q = qnn.fake_quantize %b, %m, %n, %m, %n {levels = 255 : i64} : (tensor<4xf32>, tensor<f32>, tensor<f32>, tensor<f32>, tensor<f32>) -> tensor<4xf32>
  %c = nn.concat %p, %q {axis = 0 : i64} : (tensor<4xf32>, tensor<4xf32>) -> tensor<8xf32>
  %read = nn.convert %codes to f32 : tensor<4xui8> -> tensor<4xf32>
  func.return %c, %read : tensor<8xf32>, tensor<4xf32>
}
