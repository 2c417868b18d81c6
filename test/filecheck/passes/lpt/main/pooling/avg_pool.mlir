// RUN: opt-tool %s --lpt-main | filecheck %s

// What is behind it wants codes: means are rounded to them.
// CHECK-LABEL: @to_codes
// CHECK-NEXT: [[Y:%.*]] = nn.avg_pool %q {{.*}} nn.name = "y_original"{{.*}} : tensor<1x2x4xui8> -> tensor<1x2x3xui8>
// CHECK-NEXT: qnn.dequantize [[Y]] scale <dense<{{\[\[\[0.5\], \[0.25\]\]\]}}> : tensor<1x2x1xf32>> zero_point <dense<3> : tensor<ui8>> {nn.name = "y"} : tensor<1x2x3xui8>
func.func @to_codes(%q: tensor<1x2x4xui8>) -> tensor<1x2x3xf32> {
  %x = qnn.dequantize %q scale <dense<[[0.5], [0.25]]> : tensor<2x1xf32>> zero_point <dense<3> : tensor<ui8>> : tensor<1x2x4xui8> -> tensor<1x2x4xf32>
  %y = nn.avg_pool %x {exclude_pad = false, kernel = array<i64: 2>, strides = array<i64: 1>, pads_begin = array<i64: 0>, pads_end = array<i64: 0>, dilations = array<i64: 1>, lpt.avg_pool_precision_preserved, nn.name = "y"} : tensor<1x2x4xf32> -> tensor<1x2x3xf32>
  func.return %y : tensor<1x2x3xf32>
}

// Nothing does: they stay between codes.
// CHECK-LABEL: @to_values
// CHECK-NEXT: [[X:%.*]] = nn.convert %q to f32
// CHECK-NEXT: [[Y:%.*]] = nn.avg_pool [[X]] {{.*}} : tensor<1x2x4xf32> -> tensor<1x2x3xf32>
// CHECK-NEXT: qnn.dequantize [[Y]] scale <dense<0.5> : tensor<f32>> zero_point <dense<3.0> : tensor<f32>> : tensor<1x2x3xf32>
func.func @to_values(%q: tensor<1x2x4xui8>) -> tensor<1x2x3xf32> {
  %x = qnn.dequantize %q scale <dense<0.5> : tensor<f32>> zero_point <dense<3> : tensor<ui8>> : tensor<1x2x4xui8> -> tensor<1x2x4xf32>
  %y = nn.avg_pool %x {exclude_pad = false, kernel = array<i64: 2>, strides = array<i64: 1>, pads_begin = array<i64: 0>, pads_end = array<i64: 0>, dilations = array<i64: 1>} : tensor<1x2x4xf32> -> tensor<1x2x3xf32>
  func.return %y : tensor<1x2x3xf32>
}

// Padding that counts is code 0; where that is not 0, it must not count.
// CHECK-LABEL: @padding
// CHECK: nn.avg_pool %q {{.*}} : tensor<1x2x4xui8> -> tensor<1x2x5xui8>
// CHECK-LABEL: @padding_beside_a_zero_point
// CHECK: nn.avg_pool {{.*}}lpt.declined = "its input is quantized with a zero point, and its padding counts as zeros; quantize it symmetrically around 0"
// CHECK-LABEL: @padding_that_does_not_count
// CHECK: nn.avg_pool %q
// CHECK-LABEL: @windows_of_padding
// CHECK: nn.avg_pool {{.*}}lpt.declined = "its input is quantized with a zero point, and its padding counts as zeros; quantize it symmetrically around 0"
func.func @padding(%q: tensor<1x2x4xui8>) -> tensor<1x2x5xf32> {
  %x = qnn.dequantize %q scale <dense<0.5> : tensor<f32>> : tensor<1x2x4xui8> -> tensor<1x2x4xf32>
  %y = nn.avg_pool %x {exclude_pad = false, kernel = array<i64: 2>, strides = array<i64: 1>, pads_begin = array<i64: 1>, pads_end = array<i64: 1>, dilations = array<i64: 1>, lpt.avg_pool_precision_preserved} : tensor<1x2x4xf32> -> tensor<1x2x5xf32>
  func.return %y : tensor<1x2x5xf32>
}
func.func @padding_beside_a_zero_point(%q: tensor<1x2x4xui8>) -> tensor<1x2x5xf32> {
  %x = qnn.dequantize %q scale <dense<0.5> : tensor<f32>> zero_point <dense<3> : tensor<ui8>> : tensor<1x2x4xui8> -> tensor<1x2x4xf32>
  %y = nn.avg_pool %x {exclude_pad = false, kernel = array<i64: 2>, strides = array<i64: 1>, pads_begin = array<i64: 1>, pads_end = array<i64: 1>, dilations = array<i64: 1>, lpt.avg_pool_precision_preserved} : tensor<1x2x4xf32> -> tensor<1x2x5xf32>
  func.return %y : tensor<1x2x5xf32>
}
func.func @padding_that_does_not_count(%q: tensor<1x2x4xui8>) -> tensor<1x2x5xf32> {
  %x = qnn.dequantize %q scale <dense<0.5> : tensor<f32>> zero_point <dense<3> : tensor<ui8>> : tensor<1x2x4xui8> -> tensor<1x2x4xf32>
  %y = nn.avg_pool %x {exclude_pad = true, kernel = array<i64: 2>, strides = array<i64: 1>, pads_begin = array<i64: 1>, pads_end = array<i64: 1>, dilations = array<i64: 1>, lpt.avg_pool_precision_preserved} : tensor<1x2x4xf32> -> tensor<1x2x5xf32>
  func.return %y : tensor<1x2x5xf32>
}
func.func @windows_of_padding(%q: tensor<1x2x4xui8>) -> tensor<1x2x6xf32> {
  %x = qnn.dequantize %q scale <dense<0.5> : tensor<f32>> zero_point <dense<3> : tensor<ui8>> : tensor<1x2x4xui8> -> tensor<1x2x4xf32>
  %y = nn.avg_pool %x {exclude_pad = true, kernel = array<i64: 2>, strides = array<i64: 1>, pads_begin = array<i64: 2>, pads_end = array<i64: 1>, dilations = array<i64: 1>, lpt.avg_pool_precision_preserved} : tensor<1x2x4xf32> -> tensor<1x2x6xf32>
  func.return %y : tensor<1x2x6xf32>
}

// Rounded up, the last window reaches beyond the input, where zeros count; with larger steps it may lie there as a whole,
// and so may the taps of a window with gaps. With steps of 1 there is no such window.
// CHECK-LABEL: @last_window_counts_zeros
// CHECK: nn.avg_pool {{.*}}lpt.declined = "its input is quantized with a zero point, and its padding counts as zeros; quantize it symmetrically around 0"
// CHECK-LABEL: @last_window_may_be_padding
// CHECK: nn.avg_pool {{.*}}lpt.declined = "its input is quantized with a zero point, and its padding counts as zeros; quantize it symmetrically around 0"
// CHECK-LABEL: @no_last_window
// CHECK: nn.avg_pool %q {{.*}} : tensor<1x1x4xui8> -> tensor<1x1x5xui8>
// CHECK-LABEL: @taps_may_be_padding
// CHECK: nn.avg_pool {{.*}}lpt.declined = "its input is quantized with a zero point, and its padding counts as zeros; quantize it symmetrically around 0"
func.func @last_window_counts_zeros(%q: tensor<1x1x4xui8>) -> tensor<1x1x2xf32> {
  %x = qnn.dequantize %q scale <dense<0.5> : tensor<f32>> zero_point <dense<3> : tensor<ui8>> : tensor<1x1x4xui8> -> tensor<1x1x4xf32>
  %y = nn.avg_pool %x {exclude_pad = false, kernel = array<i64: 3>, strides = array<i64: 2>, pads_begin = array<i64: 0>, pads_end = array<i64: 0>, dilations = array<i64: 1>, rounding_type = "ceil", lpt.avg_pool_precision_preserved} : tensor<1x1x4xf32> -> tensor<1x1x2xf32>
  func.return %y : tensor<1x1x2xf32>
}
func.func @last_window_may_be_padding(%q: tensor<1x1x4xui8>) -> tensor<1x1x3xf32> {
  %x = qnn.dequantize %q scale <dense<0.5> : tensor<f32>> zero_point <dense<3> : tensor<ui8>> : tensor<1x1x4xui8> -> tensor<1x1x4xf32>
  %y = nn.avg_pool %x {exclude_pad = true, kernel = array<i64: 2>, strides = array<i64: 3>, pads_begin = array<i64: 1>, pads_end = array<i64: 1>, dilations = array<i64: 1>, rounding_type = "ceil", lpt.avg_pool_precision_preserved} : tensor<1x1x4xf32> -> tensor<1x1x3xf32>
  func.return %y : tensor<1x1x3xf32>
}
func.func @no_last_window(%q: tensor<1x1x4xui8>) -> tensor<1x1x5xf32> {
  %x = qnn.dequantize %q scale <dense<0.5> : tensor<f32>> zero_point <dense<3> : tensor<ui8>> : tensor<1x1x4xui8> -> tensor<1x1x4xf32>
  %y = nn.avg_pool %x {exclude_pad = true, kernel = array<i64: 2>, strides = array<i64: 1>, pads_begin = array<i64: 1>, pads_end = array<i64: 1>, dilations = array<i64: 1>, rounding_type = "ceil", lpt.avg_pool_precision_preserved} : tensor<1x1x4xf32> -> tensor<1x1x5xf32>
  func.return %y : tensor<1x1x5xf32>
}
func.func @taps_may_be_padding(%q: tensor<1x1x1xui8>) -> tensor<1x1x1xf32> {
  %x = qnn.dequantize %q scale <dense<0.5> : tensor<f32>> zero_point <dense<3> : tensor<ui8>> : tensor<1x1x1xui8> -> tensor<1x1x1xf32>
  %y = nn.avg_pool %x {exclude_pad = true, kernel = array<i64: 2>, strides = array<i64: 1>, pads_begin = array<i64: 1>, pads_end = array<i64: 1>, dilations = array<i64: 2>, rounding_type = "floor", lpt.avg_pool_precision_preserved} : tensor<1x1x1xf32> -> tensor<1x1x1xf32>
  func.return %y : tensor<1x1x1xf32>
}

// CHECK-LABEL: @scales_along_the_window
// CHECK: nn.avg_pool {{.*}}lpt.declined = "its input is quantized per channel along dimension 2, which it rearranges; quantize it per tensor"
func.func @scales_along_the_window(%q: tensor<1x1x2xui8>) -> tensor<1x1x1xf32> {
  %x = qnn.dequantize %q scale <dense<[0.5, 0.25]> : tensor<2xf32>> : tensor<1x1x2xui8> -> tensor<1x1x2xf32>
  %y = nn.avg_pool %x {exclude_pad = false, kernel = array<i64: 2>, strides = array<i64: 1>, pads_begin = array<i64: 0>, pads_end = array<i64: 0>, dilations = array<i64: 1>} : tensor<1x1x2xf32> -> tensor<1x1x1xf32>
  func.return %y : tensor<1x1x1xf32>
}

// CHECK-LABEL: @sum_of_products
// CHECK: nn.avg_pool {{.*}}lpt.declined = "its input is the 32-bit sum of a product; it is dequantized in front of it"
func.func @sum_of_products(%q: tensor<1x1x2xi32>) -> tensor<1x1x1xf32> {
  %x = qnn.dequantize %q scale <dense<0.5> : tensor<f32>> : tensor<1x1x2xi32> -> tensor<1x1x2xf32>
  %y = nn.avg_pool %x {exclude_pad = false, kernel = array<i64: 2>, strides = array<i64: 1>, pads_begin = array<i64: 0>, pads_end = array<i64: 0>, dilations = array<i64: 1>} : tensor<1x1x2xf32> -> tensor<1x1x1xf32>
  func.return %y : tensor<1x1x1xf32>
}

// Few codes with long steps: means are rounded to sixteenths of them, which their type has room for.
// CHECK-LABEL: @sixteen_levels
// CHECK: [[X:%.*]] = nn.convert %q to f32
// CHECK-NEXT: [[Y:%.*]] = nn.avg_pool [[X]] {{.*}}nn.name = "y_original"{{.*}} : tensor<1x2x4xf32> -> tensor<1x2x3xf32>
// CHECK-NEXT: [[A:%.*]] = nn.constant dense<0.0>
// CHECK-NEXT: [[B:%.*]] = nn.constant dense<15.9375>
// CHECK-NEXT: [[C:%.*]] = nn.constant dense<0.0>
// CHECK-NEXT: [[D:%.*]] = nn.constant dense<255.0>
// CHECK-NEXT: [[R:%.*]] = qnn.fake_quantize [[Y]], [[A]], [[B]], [[C]], [[D]] {levels = 256 : i64, output_type = ui8}
// CHECK-NEXT: qnn.dequantize [[R]] scale <dense<0.03125> : tensor<f32>> zero_point <dense<48> : tensor<ui8>> {nn.name = "y"}
func.func @sixteen_levels(%f: tensor<1x2x4xf32>, %l: tensor<f32>, %h: tensor<f32>) -> tensor<1x2x3xf32> {
  %a = nn.constant dense<0.0> : tensor<f32>
  %b = nn.constant dense<15.0> : tensor<f32>
  %q = qnn.fake_quantize %f, %l, %h, %a, %b {levels = 16 : i64, output_type = ui8} : (tensor<1x2x4xf32>, tensor<f32>, tensor<f32>, tensor<f32>, tensor<f32>) -> tensor<1x2x4xui8>
  %x = qnn.dequantize %q scale <dense<0.5> : tensor<f32>> zero_point <dense<3> : tensor<ui8>> : tensor<1x2x4xui8> -> tensor<1x2x4xf32>
  %y = nn.avg_pool %x {exclude_pad = false, kernel = array<i64: 2>, strides = array<i64: 1>, pads_begin = array<i64: 0>, pads_end = array<i64: 0>, dilations = array<i64: 1>, lpt.avg_pool_precision_preserved, nn.name = "y"} : tensor<1x2x4xf32> -> tensor<1x2x3xf32>
  func.return %y : tensor<1x2x3xf32>
}

// From -8 to 7; and from 0 to 64, which may be multiplied by 2 only in ui8.
// CHECK-LABEL: @signed
// CHECK: nn.constant dense<-8.0>
// CHECK: nn.constant dense<7.9375>
// CHECK: output_type = i8
// CHECK-NEXT: scale <dense<0.03125>
// CHECK-LABEL: @no_room
// CHECK: nn.avg_pool %q {{.*}} : tensor<1x2x4xi8> -> tensor<1x2x3xi8>
func.func @signed(%f: tensor<1x2x4xf32>, %l: tensor<f32>, %h: tensor<f32>) -> tensor<1x2x3xf32> {
  %a = nn.constant dense<-8.0> : tensor<f32>
  %b = nn.constant dense<7.0> : tensor<f32>
  %q = qnn.fake_quantize %f, %l, %h, %a, %b {levels = 16 : i64, output_type = i8} : (tensor<1x2x4xf32>, tensor<f32>, tensor<f32>, tensor<f32>, tensor<f32>) -> tensor<1x2x4xi8>
  %x = qnn.dequantize %q scale <dense<0.5> : tensor<f32>> : tensor<1x2x4xi8> -> tensor<1x2x4xf32>
  %y = nn.avg_pool %x {exclude_pad = false, kernel = array<i64: 2>, strides = array<i64: 1>, pads_begin = array<i64: 0>, pads_end = array<i64: 0>, dilations = array<i64: 1>, lpt.avg_pool_precision_preserved} : tensor<1x2x4xf32> -> tensor<1x2x3xf32>
  func.return %y : tensor<1x2x3xf32>
}
func.func @no_room(%f: tensor<1x2x4xf32>, %l: tensor<f32>, %h: tensor<f32>) -> tensor<1x2x3xf32> {
  %a = nn.constant dense<0.0> : tensor<f32>
  %b = nn.constant dense<64.0> : tensor<f32>
  %q = qnn.fake_quantize %f, %l, %h, %a, %b {levels = 65 : i64, output_type = i8} : (tensor<1x2x4xf32>, tensor<f32>, tensor<f32>, tensor<f32>, tensor<f32>) -> tensor<1x2x4xi8>
  %x = qnn.dequantize %q scale <dense<0.5> : tensor<f32>> : tensor<1x2x4xi8> -> tensor<1x2x4xf32>
  %y = nn.avg_pool %x {exclude_pad = false, kernel = array<i64: 2>, strides = array<i64: 1>, pads_begin = array<i64: 0>, pads_end = array<i64: 0>, dilations = array<i64: 1>, lpt.avg_pool_precision_preserved} : tensor<1x2x4xf32> -> tensor<1x2x3xf32>
  func.return %y : tensor<1x2x3xf32>
}

// A grid that others share, codes of one value, and codes that are computed are not scaled.
// CHECK-LABEL: @shared_grid
// CHECK: nn.avg_pool %q
// CHECK-LABEL: @only_zero
// CHECK: nn.avg_pool %q
// CHECK-LABEL: @computed_codes
// CHECK: nn.avg_pool %q
func.func @shared_grid(%f: tensor<1x2x4xf32>, %l: tensor<f32>, %h: tensor<f32>) -> tensor<1x2x3xf32> {
  %a = nn.constant dense<0.0> : tensor<f32>
  %b = nn.constant dense<15.0> : tensor<f32>
  %q = qnn.fake_quantize %f, %l, %h, %a, %b {levels = 16 : i64, output_type = ui8} : (tensor<1x2x4xf32>, tensor<f32>, tensor<f32>, tensor<f32>, tensor<f32>) -> tensor<1x2x4xui8>
  %x = qnn.dequantize %q scale <dense<0.5> : tensor<f32>> {lpt.input_interval = []} : tensor<1x2x4xui8> -> tensor<1x2x4xf32>
  %y = nn.avg_pool %x {exclude_pad = false, kernel = array<i64: 2>, strides = array<i64: 1>, pads_begin = array<i64: 0>, pads_end = array<i64: 0>, dilations = array<i64: 1>, lpt.avg_pool_precision_preserved} : tensor<1x2x4xf32> -> tensor<1x2x3xf32>
  func.return %y : tensor<1x2x3xf32>
}
func.func @only_zero(%f: tensor<1x2x4xf32>, %l: tensor<f32>, %h: tensor<f32>) -> tensor<1x2x3xf32> {
  %a = nn.constant dense<0.0> : tensor<f32>
  %q = qnn.fake_quantize %f, %l, %h, %a, %a {levels = 256 : i64, output_type = ui8} : (tensor<1x2x4xf32>, tensor<f32>, tensor<f32>, tensor<f32>, tensor<f32>) -> tensor<1x2x4xui8>
  %x = qnn.dequantize %q scale <dense<0.5> : tensor<f32>> : tensor<1x2x4xui8> -> tensor<1x2x4xf32>
  %y = nn.avg_pool %x {exclude_pad = false, kernel = array<i64: 2>, strides = array<i64: 1>, pads_begin = array<i64: 0>, pads_end = array<i64: 0>, dilations = array<i64: 1>, lpt.avg_pool_precision_preserved} : tensor<1x2x4xf32> -> tensor<1x2x3xf32>
  func.return %y : tensor<1x2x3xf32>
}
func.func @computed_codes(%f: tensor<1x2x4xf32>, %l: tensor<f32>, %h: tensor<f32>) -> tensor<1x2x3xf32> {
  %q = qnn.fake_quantize %f, %l, %h, %l, %h {levels = 16 : i64, output_type = ui8} : (tensor<1x2x4xf32>, tensor<f32>, tensor<f32>, tensor<f32>, tensor<f32>) -> tensor<1x2x4xui8>
  %x = qnn.dequantize %q scale <dense<0.5> : tensor<f32>> : tensor<1x2x4xui8> -> tensor<1x2x4xf32>
  %y = nn.avg_pool %x {exclude_pad = false, kernel = array<i64: 2>, strides = array<i64: 1>, pads_begin = array<i64: 0>, pads_end = array<i64: 0>, dilations = array<i64: 1>, lpt.avg_pool_precision_preserved} : tensor<1x2x4xf32> -> tensor<1x2x3xf32>
  func.return %y : tensor<1x2x3xf32>
}
