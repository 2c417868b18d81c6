// RUN: opt-tool %s --lpt-cleanup | filecheck %s

// CHECK-LABEL: @multiply
// CHECK: [[H:%.*]] = nn.constant dense<2.0> : tensor<f32>
// CHECK: qnn.fake_quantize %x, %l, %h, {{%.*}}, [[H]] {nn.name = "product", levels = 128 : i64}
// CHECK-NEXT: func.return
func.func @multiply(%x: tensor<4xf32>) -> tensor<4xf32> {
  %l = nn.constant dense<0.0> : tensor<f32>
  %h = nn.constant dense<4.0> : tensor<f32>
  %q = qnn.fake_quantize %x, %l, %h, %l, %h {levels = 128 : i64, nn.name = "fq"} : (tensor<4xf32>, tensor<f32>, tensor<f32>, tensor<f32>, tensor<f32>) -> tensor<4xf32>
  %c = nn.constant dense<0.5> : tensor<f32>
  %y = nn.multiply %q, %c {nn.name = "product"} : (tensor<4xf32>, tensor<f32>) -> tensor<4xf32>
  func.return %y : tensor<4xf32>
}

// It would invert the interval.
// CHECK-LABEL: @negative
// CHECK: nn.multiply
func.func @negative(%x: tensor<4xf32>) -> tensor<4xf32> {
  %l = nn.constant dense<0.0> : tensor<f32>
  %h = nn.constant dense<4.0> : tensor<f32>
  %q = qnn.fake_quantize %x, %l, %h, %l, %h {levels = 128 : i64, nn.name = "fq"} : (tensor<4xf32>, tensor<f32>, tensor<f32>, tensor<f32>, tensor<f32>) -> tensor<4xf32>
  %c = nn.constant dense<-0.5> : tensor<f32>
  %y = nn.multiply %q, %c : (tensor<4xf32>, tensor<f32>) -> tensor<4xf32>
  func.return %y : tensor<4xf32>
}

// CHECK-LABEL: @subtract
// CHECK: [[L:%.*]] = nn.constant dense<-1.0> : tensor<f32>
// CHECK: [[H:%.*]] = nn.constant dense<3.0> : tensor<f32>
// CHECK: qnn.fake_quantize %x, %l, %h, [[L]], [[H]]
// CHECK-NEXT: func.return
func.func @subtract(%x: tensor<4xf32>) -> tensor<4xf32> {
  %l = nn.constant dense<0.0> : tensor<f32>
  %h = nn.constant dense<4.0> : tensor<f32>
  %q = qnn.fake_quantize %x, %l, %h, %l, %h {levels = 128 : i64, nn.name = "fq"} : (tensor<4xf32>, tensor<f32>, tensor<f32>, tensor<f32>, tensor<f32>) -> tensor<4xf32>
  %c = nn.constant dense<1.0> : tensor<f32>
  %y = nn.subtract %q, %c : (tensor<4xf32>, tensor<f32>) -> tensor<4xf32>
  func.return %y : tensor<4xf32>
}

// Somebody else reads it.
// CHECK-LABEL: @twice
// CHECK: nn.subtract
func.func @twice(%x: tensor<4xf32>) -> (tensor<4xf32>, tensor<4xf32>) {
  %l = nn.constant dense<0.0> : tensor<f32>
  %h = nn.constant dense<4.0> : tensor<f32>
  %q = qnn.fake_quantize %x, %l, %h, %l, %h {levels = 128 : i64, nn.name = "fq"} : (tensor<4xf32>, tensor<f32>, tensor<f32>, tensor<f32>, tensor<f32>) -> tensor<4xf32>
  %c = nn.constant dense<1.0> : tensor<f32>
  %y = nn.subtract %q, %c : (tensor<4xf32>, tensor<f32>) -> tensor<4xf32>
  func.return %q, %y : tensor<4xf32>, tensor<4xf32>
}

// Both ends would be rounded to one number.
// CHECK-LABEL: @one_number
// CHECK: nn.subtract
func.func @one_number(%x: tensor<4xf32>) -> tensor<4xf32> {
  %l = nn.constant dense<0.0> : tensor<f32>
  %h = nn.constant dense<4.0> : tensor<f32>
  %q = qnn.fake_quantize %x, %l, %h, %l, %h {levels = 128 : i64} : (tensor<4xf32>, tensor<f32>, tensor<f32>, tensor<f32>, tensor<f32>) -> tensor<4xf32>
  %c = nn.constant dense<1.0e+09> : tensor<f32>
  %y = nn.subtract %q, %c : (tensor<4xf32>, tensor<f32>) -> tensor<4xf32>
  func.return %y : tensor<4xf32>
}

// The upper end would be infinite.
// CHECK-LABEL: @infinite
// CHECK: nn.multiply
func.func @infinite(%x: tensor<4xf32>) -> tensor<4xf32> {
  %l = nn.constant dense<0.0> : tensor<f32>
  %h = nn.constant dense<4.0> : tensor<f32>
  %q = qnn.fake_quantize %x, %l, %h, %l, %h {levels = 128 : i64} : (tensor<4xf32>, tensor<f32>, tensor<f32>, tensor<f32>, tensor<f32>) -> tensor<4xf32>
  %c = nn.constant dense<3.0e+38> : tensor<f32>
  %y = nn.multiply %q, %c : (tensor<4xf32>, tensor<f32>) -> tensor<4xf32>
  func.return %y : tensor<4xf32>
}

// Halves are rounded before they are multiplied.
// CHECK-LABEL: @halves
// CHECK: nn.multiply
func.func @halves(%x: tensor<4xf16>) -> tensor<4xf16> {
  %l = nn.constant dense<0.0> : tensor<f16>
  %h = nn.constant dense<4.0> : tensor<f16>
  %q = qnn.fake_quantize %x, %l, %h, %l, %h {levels = 128 : i64} : (tensor<4xf16>, tensor<f16>, tensor<f16>, tensor<f16>, tensor<f16>) -> tensor<4xf16>
  %c = nn.constant dense<0.3> : tensor<f16>
  %y = nn.multiply %q, %c : (tensor<4xf16>, tensor<f16>) -> tensor<4xf16>
  func.return %y : tensor<4xf16>
}

// A FakeQuantize has no interval for each element.
// CHECK-LABEL: @two_dimensions
// CHECK: nn.multiply
func.func @two_dimensions(%x: tensor<2x2xf32>) -> tensor<2x2xf32> {
  %l = nn.constant dense<0.0> : tensor<f32>
  %h = nn.constant dense<4.0> : tensor<f32>
  %q = qnn.fake_quantize %x, %l, %h, %l, %h {levels = 128 : i64} : (tensor<2x2xf32>, tensor<f32>, tensor<f32>, tensor<f32>, tensor<f32>) -> tensor<2x2xf32>
  %c = nn.constant dense<[[0.5, 1.0], [2.0, 3.0]]> : tensor<2x2xf32>
  %y = nn.multiply %q, %c : (tensor<2x2xf32>, tensor<2x2xf32>) -> tensor<2x2xf32>
  func.return %y : tensor<2x2xf32>
}

// The product is declared to have a size that what is quantized does not tell.
// CHECK-LABEL: @declared
// CHECK: nn.multiply {{.*}} -> tensor<2x4xf32>
func.func @declared(%x: tensor<?x4xf32>) -> tensor<2x4xf32> {
  %l = nn.constant dense<0.0> : tensor<f32>
  %h = nn.constant dense<4.0> : tensor<f32>
  %q = qnn.fake_quantize %x, %l, %h, %l, %h {levels = 128 : i64} : (tensor<?x4xf32>, tensor<f32>, tensor<f32>, tensor<f32>, tensor<f32>) -> tensor<?x4xf32>
  %c = nn.constant dense<0.5> : tensor<f32>
  %y = nn.multiply %q, %c : (tensor<?x4xf32>, tensor<f32>) -> tensor<2x4xf32>
  func.return %y : tensor<2x4xf32>
}

// Codes are no values.
// CHECK-LABEL: @codes
// CHECK: nn.multiply
func.func @codes(%x: tensor<4xf32>) -> tensor<4xui8> {
  %l = nn.constant dense<0.0> : tensor<f32>
  %h = nn.constant dense<255.0> : tensor<f32>
  %q = qnn.fake_quantize %x, %l, %h, %l, %h {levels = 256 : i64, output_type = ui8} : (tensor<4xf32>, tensor<f32>, tensor<f32>, tensor<f32>, tensor<f32>) -> tensor<4xui8>
  %c = nn.constant dense<2> : tensor<ui8>
  %y = nn.multiply %q, %c : (tensor<4xui8>, tensor<ui8>) -> tensor<4xui8>
  func.return %y : tensor<4xui8>
}
