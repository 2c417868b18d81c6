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
