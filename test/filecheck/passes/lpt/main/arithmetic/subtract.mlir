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

// CHECK-LABEL: @computed
// CHECK: nn.subtract {{.*}} {lpt.declined = "it subtracts what is computed while running; only constants join a zero point"}
func.func @computed(%p: tensor<4xui8>, %f: tensor<4xf32>) -> tensor<4xf32> {
  %x = qnn.dequantize %p scale <dense<0.5> : tensor<f32>> : tensor<4xui8> -> tensor<4xf32>
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

// CHECK-LABEL: @from_a_constant
// CHECK-NOT: lpt.declined
// CHECK: func.return
func.func @from_a_constant(%p: tensor<4xui8>) -> tensor<4xf32> {
  %x = qnn.dequantize %p scale <dense<0.5> : tensor<f32>> : tensor<4xui8> -> tensor<4xf32>
  %c = nn.constant dense<0.25> : tensor<f32>
  %y = nn.subtract %c, %x : (tensor<f32>, tensor<4xf32>) -> tensor<4xf32>
  func.return %y : tensor<4xf32>
}
