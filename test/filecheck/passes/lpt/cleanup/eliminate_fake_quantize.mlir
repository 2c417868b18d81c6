// RUN: opt-tool %s --lpt-cleanup | filecheck %s

// All codes, each its own level.
// CHECK-LABEL: @codes
// CHECK-NOT: qnn.fake_quantize
// CHECK: func.return %q : tensor<4xui8>
func.func @codes(%q: tensor<4xui8>) -> tensor<4xui8> {
  %l = nn.constant dense<0.0> : tensor<f32>
  %h = nn.constant dense<255.0> : tensor<f32>
  %x = nn.convert %q to f32 : tensor<4xui8> -> tensor<4xf32>
  %y = qnn.fake_quantize %x, %l, %h, %l, %h {levels = 256 : i64, output_type = ui8} : (tensor<4xf32>, tensor<f32>, tensor<f32>, tensor<f32>, tensor<f32>) -> tensor<4xui8>
  func.return %y : tensor<4xui8>
}

// CHECK-LABEL: @values
// CHECK: [[X:%.*]] = nn.convert %q to f32
// CHECK-NEXT: func.return [[X]] : tensor<4xf32>
func.func @values(%q: tensor<4xi8>) -> tensor<4xf32> {
  %l = nn.constant dense<-128.0> : tensor<f32>
  %h = nn.constant dense<127.0> : tensor<f32>
  %x = nn.convert %q to f32 : tensor<4xi8> -> tensor<4xf32>
  %y = qnn.fake_quantize %x, %l, %h, %l, %h {levels = 256 : i64} : (tensor<4xf32>, tensor<f32>, tensor<f32>, tensor<f32>, tensor<f32>) -> tensor<4xf32>
  func.return %y : tensor<4xf32>
}

// It clamps.
// CHECK-LABEL: @fewer
// CHECK: qnn.fake_quantize
func.func @fewer(%q: tensor<4xui8>) -> tensor<4xui8> {
  %l = nn.constant dense<0.0> : tensor<f32>
  %h = nn.constant dense<254.0> : tensor<f32>
  %x = nn.convert %q to f32 : tensor<4xui8> -> tensor<4xf32>
  %y = qnn.fake_quantize %x, %l, %h, %l, %h {levels = 255 : i64, output_type = ui8} : (tensor<4xf32>, tensor<f32>, tensor<f32>, tensor<f32>, tensor<f32>) -> tensor<4xui8>
  func.return %y : tensor<4xui8>
}

// It rounds.
// CHECK-LABEL: @levels
// CHECK: qnn.fake_quantize
func.func @levels(%q: tensor<4xui8>) -> tensor<4xf32> {
  %l = nn.constant dense<0.0> : tensor<f32>
  %h = nn.constant dense<255.0> : tensor<f32>
  %x = nn.convert %q to f32 : tensor<4xui8> -> tensor<4xf32>
  %y = qnn.fake_quantize %x, %l, %h, %l, %h {levels = 16 : i64} : (tensor<4xf32>, tensor<f32>, tensor<f32>, tensor<f32>, tensor<f32>) -> tensor<4xf32>
  func.return %y : tensor<4xf32>
}

// It gives other codes.
// CHECK-LABEL: @other_type
// CHECK: qnn.fake_quantize
func.func @other_type(%q: tensor<4xui8>) -> tensor<4xi8> {
  %l = nn.constant dense<0.0> : tensor<f32>
  %h = nn.constant dense<255.0> : tensor<f32>
  %x = nn.convert %q to f32 : tensor<4xui8> -> tensor<4xf32>
  %y = qnn.fake_quantize %x, %l, %h, %l, %h {levels = 256 : i64, output_type = i8} : (tensor<4xf32>, tensor<f32>, tensor<f32>, tensor<f32>, tensor<f32>) -> tensor<4xi8>
  func.return %y : tensor<4xi8>
}

// Truth values are no codes.
// CHECK-LABEL: @truth
// CHECK: qnn.fake_quantize
func.func @truth(%q: tensor<4xi1>) -> tensor<4xf32> {
  %l = nn.constant dense<0.0> : tensor<f32>
  %h = nn.constant dense<1.0> : tensor<f32>
  %x = nn.convert %q to f32 : tensor<4xi1> -> tensor<4xf32>
  %y = qnn.fake_quantize %x, %l, %h, %l, %h {levels = 2 : i64} : (tensor<4xf32>, tensor<f32>, tensor<f32>, tensor<f32>, tensor<f32>) -> tensor<4xf32>
  func.return %y : tensor<4xf32>
}

// Floats of 8 bits are no codes.
// CHECK-LABEL: @short_floats
// CHECK: qnn.fake_quantize
func.func @short_floats(%q: tensor<4xf8E4M3FN>) -> tensor<4xf32> {
  %l = nn.constant dense<-128.0> : tensor<f32>
  %h = nn.constant dense<127.0> : tensor<f32>
  %x = nn.convert %q to f32 : tensor<4xf8E4M3FN> -> tensor<4xf32>
  %y = qnn.fake_quantize %x, %l, %h, %l, %h {levels = 256 : i64} : (tensor<4xf32>, tensor<f32>, tensor<f32>, tensor<f32>, tensor<f32>) -> tensor<4xf32>
  func.return %y : tensor<4xf32>
}
