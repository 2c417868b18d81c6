// RUN: opt-tool %s --lpt-prerequisites | filecheck %s

// CHECK-LABEL: @around_128
// CHECK-NEXT: [[W:%.*]] = nn.constant {nn.name = "codes"} dense<[-128, 0, 127]> : tensor<3xi8>
// CHECK-NEXT: qnn.dequantize [[W]] scale <dense<0.5> : tensor<f32>> {nn.name = "w", output_type = f16} : tensor<3xi8> -> tensor<3xf16>
// CHECK-NEXT: func.return
func.func @around_128() -> tensor<3xf16> {
  %w = nn.constant {nn.name = "codes"} dense<[0, 128, 255]> : tensor<3xui8>
  %x = qnn.dequantize %w scale <dense<0.5> : tensor<f32>> zero_point <dense<128> : tensor<ui8>> {nn.name = "w", output_type = f16} : tensor<3xui8> -> tensor<3xf16>
  func.return %x : tensor<3xf16>
}

// CHECK-LABEL: @per_channel
// CHECK-NEXT: [[W:%.*]] = nn.constant dense<{{\[\[-128, 100\], \[5, -3\]\]}}> : tensor<2x2xi8>
// CHECK-NEXT: qnn.dequantize [[W]] scale <dense<{{\[\[0.5\], \[0.25\]\]}}> : tensor<2x1xf32>> : tensor<2x2xi8> -> tensor<2x2xf32>
func.func @per_channel() -> tensor<2x2xf32> {
  %w = nn.constant dense<[[-125, 103], [1, -7]]> : tensor<2x2xi8>
  %x = qnn.dequantize %w scale <dense<[[0.5], [0.25]]> : tensor<2x1xf32>> zero_point <dense<[[3], [-4]]> : tensor<2x1xi8>> : tensor<2x2xi8> -> tensor<2x2xf32>
  func.return %x : tensor<2x2xf32>
}

// Differences that i8 does not hold; zero points between codes; codes that are computed.
// CHECK-LABEL: @others
// CHECK: qnn.dequantize {{.*}} zero_point <dense<3> : tensor<i8>>
// CHECK-NEXT: qnn.dequantize {{.*}} zero_point <dense<3.5> : tensor<f32>>
// CHECK-NEXT: qnn.dequantize {{.*}} zero_point <dense<3> : tensor<i8>>
func.func @others(%q: tensor<2xi8>) -> (tensor<2xf32>, tensor<2xf32>, tensor<2xf32>) {
  %w = nn.constant dense<[-126, 103]> : tensor<2xi8>
  %v = nn.constant dense<[1, 2]> : tensor<2xi8>
  %x = qnn.dequantize %w scale <dense<0.5> : tensor<f32>> zero_point <dense<3> : tensor<i8>> : tensor<2xi8> -> tensor<2xf32>
  %y = qnn.dequantize %v scale <dense<0.5> : tensor<f32>> zero_point <dense<3.5> : tensor<f32>> : tensor<2xi8> -> tensor<2xf32>
  %z = qnn.dequantize %q scale <dense<0.5> : tensor<f32>> zero_point <dense<3> : tensor<i8>> : tensor<2xi8> -> tensor<2xf32>
  func.return %x, %y, %z : tensor<2xf32>, tensor<2xf32>, tensor<2xf32>
}

// One more than i8 holds: around 128, a zero point is left.
// CHECK-LABEL: @one_over
// CHECK-NEXT: [[W:%.*]] = nn.constant dense<[-128, 127]> : tensor<2xi8>
// CHECK-NEXT: qnn.dequantize [[W]] {{.*}} zero_point <dense<-1> : tensor<i8>>
func.func @one_over() -> tensor<2xf32> {
  %w = nn.constant dense<[0, 255]> : tensor<2xui8>
  %x = qnn.dequantize %w scale <dense<0.5> : tensor<f32>> zero_point <dense<127> : tensor<ui8>> : tensor<2xui8> -> tensor<2xf32>
  func.return %x : tensor<2xf32>
}

// A zero point that 4 bits do not hold.
// CHECK-LABEL: @beyond_four_bits
// CHECK-NEXT: [[W:%.*]] = nn.constant dense<[-16, -1]> : tensor<2xi8>
// CHECK-NEXT: qnn.dequantize [[W]] scale <dense<0.5> : tensor<f32>> : tensor<2xi8>
func.func @beyond_four_bits() -> tensor<2xf32> {
  %w = nn.constant dense<[-8, 7]> : tensor<2xi4>
  %x = qnn.dequantize %w scale <dense<0.5> : tensor<f32>> zero_point <dense<8.0> : tensor<f32>> : tensor<2xi4> -> tensor<2xf32>
  func.return %x : tensor<2xf32>
}

// Weights of 4 bits are widened beside quantized data only.
// CHECK-LABEL: @four_bits
// CHECK: nn.constant dense<{{\[\[-8, 7\]\]}}> : tensor<1x2xi8>
// CHECK: nn.mat_mul
// CHECK: nn.constant dense<{{\[\[-8, 7\]\]}}> : tensor<1x2xi4>
// CHECK: nn.mat_mul
func.func @four_bits(%f: tensor<2x1xf32>) -> (tensor<2x2xf32>, tensor<2x2xf32>) {
  %l = nn.constant dense<0.0> : tensor<f32>
  %h = nn.constant dense<2.55> : tensor<f32>
  %q = qnn.fake_quantize %f, %l, %h, %l, %h {levels = 256 : i64} : (tensor<2x1xf32>, tensor<f32>, tensor<f32>, tensor<f32>, tensor<f32>) -> tensor<2x1xf32>
  %w = nn.constant dense<[[-8, 7]]> : tensor<1x2xi4>
  %x = qnn.dequantize %w scale <dense<0.5> : tensor<f32>> : tensor<1x2xi4> -> tensor<1x2xf32>
  %y = nn.mat_mul %q, %x : (tensor<2x1xf32>, tensor<1x2xf32>) -> tensor<2x2xf32>
  %v = nn.constant dense<[[-8, 7]]> : tensor<1x2xi4>
  %u = qnn.dequantize %v scale <dense<0.5> : tensor<f32>> : tensor<1x2xi4> -> tensor<1x2xf32>
  %z = nn.mat_mul %f, %u : (tensor<2x1xf32>, tensor<1x2xf32>) -> tensor<2x2xf32>
  func.return %y, %z : tensor<2x2xf32>, tensor<2x2xf32>
}

// So are those of u8 that i8 holds.
// CHECK-LABEL: @unsigned
// CHECK: nn.constant dense<{{\[\[0, 127\]\]}}> : tensor<1x2xi8>
// CHECK-NEXT: qnn.dequantize {{.*}} scale <dense<0.5> : tensor<f32>> : tensor<1x2xi8>
// CHECK: nn.constant dense<{{\[\[0, 128\]\]}}> : tensor<1x2xui8>
// CHECK: nn.constant dense<{{\[\[0, 127\]\]}}> : tensor<1x2xui8>
func.func @unsigned(%f: tensor<2x1xf32>) -> (tensor<2x2xf32>, tensor<2x2xf32>, tensor<2x2xf32>) {
  %l = nn.constant dense<0.0> : tensor<f32>
  %h = nn.constant dense<2.55> : tensor<f32>
  %q = qnn.fake_quantize %f, %l, %h, %l, %h {levels = 256 : i64} : (tensor<2x1xf32>, tensor<f32>, tensor<f32>, tensor<f32>, tensor<f32>) -> tensor<2x1xf32>
  %w = nn.constant dense<[[0, 127]]> : tensor<1x2xui8>
  %x = qnn.dequantize %w scale <dense<0.5> : tensor<f32>> : tensor<1x2xui8> -> tensor<1x2xf32>
  %y = nn.mat_mul %q, %x : (tensor<2x1xf32>, tensor<1x2xf32>) -> tensor<2x2xf32>
  %w2 = nn.constant dense<[[0, 128]]> : tensor<1x2xui8>
  %x2 = qnn.dequantize %w2 scale <dense<0.5> : tensor<f32>> : tensor<1x2xui8> -> tensor<1x2xf32>
  %y2 = nn.mat_mul %q, %x2 : (tensor<2x1xf32>, tensor<1x2xf32>) -> tensor<2x2xf32>
  %v = nn.constant dense<[[0, 127]]> : tensor<1x2xui8>
  %u = qnn.dequantize %v scale <dense<0.5> : tensor<f32>> : tensor<1x2xui8> -> tensor<1x2xf32>
  %z = nn.mat_mul %f, %u : (tensor<2x1xf32>, tensor<1x2xf32>) -> tensor<2x2xf32>
  func.return %y, %y2, %z : tensor<2x2xf32>, tensor<2x2xf32>, tensor<2x2xf32>
}

// Each channel has its own zero point, and i8 holds the differences of each; nor does it hold a zero point of 300 less 128.
// CHECK-LABEL: @unsigned_per_channel
// CHECK: nn.constant dense<{{\[\[-50, 50\], \[-45, 55\]\]}}> : tensor<2x2xi8>
// CHECK: qnn.dequantize {{.*}} zero_point <dense<300.0> : tensor<f32>> : tensor<2xui8>
func.func @unsigned_per_channel() -> (tensor<2x2xf32>, tensor<2xf32>) {
  %w = nn.constant dense<[[0, 100], [155, 255]]> : tensor<2x2xui8>
  %x = qnn.dequantize %w scale <dense<0.5> : tensor<f32>> zero_point <dense<[[50], [200]]> : tensor<2x1xui8>> : tensor<2x2xui8> -> tensor<2x2xf32>
  %v = nn.constant dense<[0, 255]> : tensor<2xui8>
  %y = qnn.dequantize %v scale <dense<0.5> : tensor<f32>> zero_point <dense<300.0> : tensor<f32>> : tensor<2xui8> -> tensor<2xf32>
  func.return %x, %y : tensor<2x2xf32>, tensor<2xf32>
}
