// RUN: opt-tool %s --lpt-markup --lpt-main=only=shift_data | filecheck %s
// RUN: opt-tool %s --lpt-markup --lpt-main | filecheck %s --check-prefix ALL

// Signed codes, which a model is given, become unsigned ones.
// CHECK-LABEL: @given
// CHECK: [[WIDE:%.*]] = nn.convert %q to i16
// CHECK-NEXT: [[MIDDLE:%.*]] = nn.constant dense<128> : tensor<i16>
// CHECK-NEXT: [[SUM:%.*]] = nn.add [[WIDE]], [[MIDDLE]]
// CHECK-NEXT: [[CODES:%.*]] = nn.convert [[SUM]] to ui8
// CHECK-NEXT: [[DATA:%.*]] = qnn.dequantize [[CODES]] scale <dense<0.5> : tensor<f32>> zero_point <dense<138> : tensor<ui8>>
// CHECK-NEXT: nn.convolution [[DATA]], %w
// ALL-LABEL: @given
// ALL: nn.convolution {{.*}} {{.*}}pad_value = 138{{.*}} : (tensor<1x2x3xui8>, tensor<1x2x1xi8>) -> tensor<1x1x5xi32>
func.func @given(%q: tensor<1x2x3xi8>) -> tensor<1x1x5xf32> {
  %c = nn.constant dense<[[[1], [2]]]> : tensor<1x2x1xi8>
  %x = qnn.dequantize %q scale <dense<0.5> : tensor<f32>> zero_point <dense<10> : tensor<i8>> : tensor<1x2x3xi8> -> tensor<1x2x3xf32>
  %w = qnn.dequantize %c scale <dense<0.5> : tensor<f32>> : tensor<1x2x1xi8> -> tensor<1x2x1xf32>
  %y = nn.convolution %x, %w {strides = array<i64: 1>, pads_begin = array<i64: 1>, pads_end = array<i64: 1>, dilations = array<i64: 1>} : (tensor<1x2x3xf32>, tensor<1x2x1xf32>) -> tensor<1x1x5xf32>
  func.return %y : tensor<1x1x5xf32>
}

// Each group of an image; its zero point is 0.
// CHECK-LABEL: @grouped
// CHECK: qnn.dequantize {{.*}} zero_point <dense<128> : tensor<ui8>>
// CHECK-NEXT: nn.group_convolution
// ALL-LABEL: @grouped
// ALL: nn.group_convolution {{.*}} : (tensor<1x2x3x3xui8>, tensor<2x1x1x1x1xi8>) -> tensor<1x2x3x3xi32>
func.func @grouped(%q: tensor<1x2x3x3xi8>) -> tensor<1x2x3x3xf32> {
  %c = nn.constant dense<1> : tensor<2x1x1x1x1xi8>
  %x = qnn.dequantize %q scale <dense<0.5> : tensor<f32>> : tensor<1x2x3x3xi8> -> tensor<1x2x3x3xf32>
  %w = qnn.dequantize %c scale <dense<0.5> : tensor<f32>> : tensor<2x1x1x1x1xi8> -> tensor<2x1x1x1x1xf32>
  %y = nn.group_convolution %x, %w {strides = array<i64: 1, 1>, pads_begin = array<i64: 0, 0>, pads_end = array<i64: 0, 0>, dilations = array<i64: 1, 1>} : (tensor<1x2x3x3xf32>, tensor<2x1x1x1x1xf32>) -> tensor<1x2x3x3xf32>
  func.return %y : tensor<1x2x3x3xf32>
}

// Nearest misses: unsigned codes; filters that are not constant; a volume, whose data GroupConvolution takes as i8, too;
// codes that lpt chose for a matrix product as well.
// CHECK-LABEL: @unsigned
// CHECK-NOT: to i16
// CHECK-LABEL: @computed_filters
// CHECK-NOT: to i16
// CHECK-LABEL: @grouped_volume
// CHECK-NOT: to i16
// CHECK-LABEL: @chosen
// CHECK-NOT: to i16
// CHECK: func.return
func.func @unsigned(%q: tensor<1x2x3xui8>) -> tensor<1x1x3xf32> {
  %c = nn.constant dense<[[[1], [2]]]> : tensor<1x2x1xi8>
  %x = qnn.dequantize %q scale <dense<0.5> : tensor<f32>> : tensor<1x2x3xui8> -> tensor<1x2x3xf32>
  %w = qnn.dequantize %c scale <dense<0.5> : tensor<f32>> : tensor<1x2x1xi8> -> tensor<1x2x1xf32>
  %y = nn.convolution %x, %w {strides = array<i64: 1>, pads_begin = array<i64: 0>, pads_end = array<i64: 0>, dilations = array<i64: 1>} : (tensor<1x2x3xf32>, tensor<1x2x1xf32>) -> tensor<1x1x3xf32>
  func.return %y : tensor<1x1x3xf32>
}
func.func @computed_filters(%q: tensor<1x2x3xi8>, %c: tensor<1x2x1xi8>) -> tensor<1x1x3xf32> {
  %x = qnn.dequantize %q scale <dense<0.5> : tensor<f32>> : tensor<1x2x3xi8> -> tensor<1x2x3xf32>
  %w = qnn.dequantize %c scale <dense<0.5> : tensor<f32>> : tensor<1x2x1xi8> -> tensor<1x2x1xf32>
  %y = nn.convolution %x, %w {strides = array<i64: 1>, pads_begin = array<i64: 0>, pads_end = array<i64: 0>, dilations = array<i64: 1>} : (tensor<1x2x3xf32>, tensor<1x2x1xf32>) -> tensor<1x1x3xf32>
  func.return %y : tensor<1x1x3xf32>
}
func.func @grouped_volume(%q: tensor<1x2x3x3x3xi8>) -> tensor<1x2x3x3x3xf32> {
  %c = nn.constant dense<1> : tensor<2x1x1x1x1x1xi8>
  %x = qnn.dequantize %q scale <dense<0.5> : tensor<f32>> : tensor<1x2x3x3x3xi8> -> tensor<1x2x3x3x3xf32>
  %w = qnn.dequantize %c scale <dense<0.5> : tensor<f32>> : tensor<2x1x1x1x1x1xi8> -> tensor<2x1x1x1x1x1xf32>
  %y = nn.group_convolution %x, %w {strides = array<i64: 1, 1, 1>, pads_begin = array<i64: 0, 0, 0>, pads_end = array<i64: 0, 0, 0>, dilations = array<i64: 1, 1, 1>} : (tensor<1x2x3x3x3xf32>, tensor<2x1x1x1x1x1xf32>) -> tensor<1x2x3x3x3xf32>
  func.return %y : tensor<1x2x3x3x3xf32>
}
func.func @chosen(%f: tensor<1x2x3xf32>) -> tensor<1x1x3xf32> {
  %low = nn.constant dense<-64.0> : tensor<f32>
  %high = nn.constant dense<63.5> : tensor<f32>
  %code_low = nn.constant dense<-128.0> : tensor<f32>
  %code_high = nn.constant dense<127.0> : tensor<f32>
  %q = qnn.fake_quantize %f, %low, %high, %code_low, %code_high {levels = 256 : i64, output_type = i8} : (tensor<1x2x3xf32>, tensor<f32>, tensor<f32>, tensor<f32>, tensor<f32>) -> tensor<1x2x3xi8>
  %c = nn.constant dense<[[[1], [2]]]> : tensor<1x2x1xi8>
  %x = qnn.dequantize %q scale <dense<0.5> : tensor<f32>> : tensor<1x2x3xi8> -> tensor<1x2x3xf32>
  %w = qnn.dequantize %c scale <dense<0.5> : tensor<f32>> : tensor<1x2x1xi8> -> tensor<1x2x1xf32>
  %y = nn.convolution %x, %w {strides = array<i64: 1>, pads_begin = array<i64: 0>, pads_end = array<i64: 0>, dilations = array<i64: 1>} : (tensor<1x2x3xf32>, tensor<1x2x1xf32>) -> tensor<1x1x3xf32>
  func.return %y : tensor<1x1x3xf32>
}
