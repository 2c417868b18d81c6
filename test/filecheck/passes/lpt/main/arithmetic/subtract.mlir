// RUN: opt-tool %s --lpt-main | filecheck %s

// 0.01 q - 0.3 = 0.01 (q - 30): the constant is 30 codes but for its rounding to f32.
// CHECK-LABEL: @constant
// CHECK-NEXT: qnn.dequantize %p scale <dense<0.01> : tensor<f32>> zero_point <dense<30> : tensor<ui8>> {nn.name = "difference"} : tensor<4xui8>
// CHECK-NEXT: func.return
func.func @constant(%p: tensor<4xui8>) -> tensor<4xf32> {
  %x = qnn.dequantize %p scale <dense<0.01> : tensor<f32>> : tensor<4xui8> -> tensor<4xf32>
  %c = nn.constant dense<0.3> : tensor<f32>
  %y = nn.subtract %x, %c {nn.name = "difference"} : (tensor<4xf32>, tensor<f32>) -> tensor<4xf32>
  func.return %y : tensor<4xf32>
}

// Between two codes it stays there.
// CHECK-LABEL: @between_codes
// CHECK: qnn.dequantize %p scale <dense<0.5> : tensor<f32>> zero_point <dense<1.5> : tensor<f32>>
func.func @between_codes(%p: tensor<4xui8>) -> tensor<4xf32> {
  %x = qnn.dequantize %p scale <dense<0.5> : tensor<f32>> zero_point <dense<1> : tensor<ui8>> : tensor<4xui8> -> tensor<4xf32>
  %c = nn.constant dense<0.25> : tensor<f32>
  %y = nn.subtract %x, %c : (tensor<4xf32>, tensor<f32>) -> tensor<4xf32>
  func.return %y : tensor<4xf32>
}

// Of two values one is read as codes: 0.5 p - 0.25 (q - 3) = -0.25 (-2 (p + 1.5) + q), and p - f = 0.5 (p - 2 f).
// CHECK-LABEL: @two_scales
// CHECK-NEXT: [[X:%.*]] = qnn.dequantize %p scale <dense<-2.0> : tensor<f32>> zero_point <dense<-1.5> : tensor<f32>> : tensor<4xui8> -> tensor<4xf32>
// CHECK-NEXT: [[Y:%.*]] = nn.convert %q to f32
// CHECK-NEXT: [[Z:%.*]] = nn.add [[X]], [[Y]] {nn.name = "difference_original"}
// CHECK-NEXT: qnn.dequantize [[Z]] scale <dense<-0.25> : tensor<f32>> {nn.name = "difference"}
func.func @two_scales(%p: tensor<4xui8>, %q: tensor<4xi8>) -> tensor<4xf32> {
  %x = qnn.dequantize %p scale <dense<0.5> : tensor<f32>> : tensor<4xui8> -> tensor<4xf32>
  %y = qnn.dequantize %q scale <dense<0.25> : tensor<f32>> zero_point <dense<3> : tensor<i8>> : tensor<4xi8> -> tensor<4xf32>
  %z = nn.subtract %x, %y {nn.name = "difference"} : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
  func.return %z : tensor<4xf32>
}

// CHECK-LABEL: @value
// CHECK: [[X:%.*]] = qnn.dequantize %f scale <dense<-2.0> : tensor<f32>> : tensor<4xf32> -> tensor<4xf32>
// CHECK-NEXT: [[Y:%.*]] = nn.convert %p to f32
// CHECK-NEXT: [[Z:%.*]] = nn.add [[Y]], [[X]]
// CHECK-NEXT: qnn.dequantize [[Z]] scale <dense<0.5> : tensor<f32>>
func.func @value(%p: tensor<4xui8>, %f: tensor<4xf32>) -> tensor<4xf32> {
  %x = qnn.dequantize %p scale <dense<0.5> : tensor<f32>> : tensor<4xui8> -> tensor<4xf32>
  %g = nn.subtract %x, %f : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
  func.return %g : tensor<4xf32>
}

// What quantization took from a value stays exact.
// CHECK-LABEL: @codes_off_a_value
// CHECK: nn.subtract {{.*}} {lpt.declined = "it takes codes off a value in floating point; put a FakeQuantize on input 0"}
func.func @codes_off_a_value(%p: tensor<4xui8>, %f: tensor<4xf32>) -> tensor<4xf32> {
  %x = qnn.dequantize %p scale <dense<0.5> : tensor<f32>> : tensor<4xui8> -> tensor<4xf32>
  %g = nn.subtract %f, %x : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
  func.return %g : tensor<4xf32>
}

// CHECK-LABEL: @scale_of_zero
// CHECK: nn.subtract {{.*}} {lpt.declined = "an input has a scale of 0, or next to it, which cannot be divided by"}
func.func @scale_of_zero(%p: tensor<4xui8>, %f: tensor<4xf32>) -> tensor<4xf32> {
  %x = qnn.dequantize %p scale <dense<0.0> : tensor<f32>> : tensor<4xui8> -> tensor<4xf32>
  %y = nn.subtract %x, %f : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
  func.return %y : tensor<4xf32>
}

// CHECK-LABEL: @no_scale
// CHECK: nn.subtract {{.*}} {lpt.declined = "its input has a scale of 0, which no zero point can shift"}
func.func @no_scale(%p: tensor<4xui8>) -> tensor<4xf32> {
  %x = qnn.dequantize %p scale <dense<0.0> : tensor<f32>> : tensor<4xui8> -> tensor<4xf32>
  %c = nn.constant dense<0.25> : tensor<f32>
  %y = nn.subtract %x, %c : (tensor<4xf32>, tensor<f32>) -> tensor<4xf32>
  func.return %y : tensor<4xf32>
}

// 0.25 - 0.5 (p - 1) = -0.5 (p - 1.5)
// CHECK-LABEL: @from_a_constant
// CHECK: qnn.dequantize %p scale <dense<-0.5> : tensor<f32>> zero_point <dense<1.5> : tensor<f32>>
func.func @from_a_constant(%p: tensor<4xui8>) -> tensor<4xf32> {
  %x = qnn.dequantize %p scale <dense<0.5> : tensor<f32>> zero_point <dense<1> : tensor<ui8>> : tensor<4xui8> -> tensor<4xf32>
  %c = nn.constant dense<0.25> : tensor<f32>
  %y = nn.subtract %c, %x : (tensor<f32>, tensor<4xf32>) -> tensor<4xf32>
  func.return %y : tensor<4xf32>
}

// Nearest miss: both codes are constants, and what they are taken off, or what is taken off them, is in floating point.
// CHECK-LABEL: @dequantized_constants
// CHECK: nn.subtract %{{.*}}, %f : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
// CHECK: nn.subtract %f, %{{.*}} : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
func.func @dequantized_constants(%f: tensor<4xf32>) -> (tensor<4xf32>, tensor<4xf32>) {
  %c = nn.constant dense<[1, 2, 3, 4]> : tensor<4xi8>
  %x = qnn.dequantize %c scale <dense<0.25> : tensor<f32>> : tensor<4xi8> -> tensor<4xf32>
  %y = nn.subtract %x, %f : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
  %z = nn.subtract %f, %x : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
  func.return %y, %z : tensor<4xf32>, tensor<4xf32>
}
