// RUN: opt-tool %s --lpt-prerequisites | filecheck %s

// CHECK-LABEL: @rounds_at_the_end
// CHECK-NEXT: qnn.dequantize %q scale <dense<0.1> : tensor<f32>> {nn.name = "y", output_type = f16} : tensor<4xi8> -> tensor<4xf16>
// CHECK-NEXT: func.return
func.func @rounds_at_the_end(%q: tensor<4xi8>) -> tensor<4xf16> {
  %x = qnn.dequantize %q scale <dense<0.1> : tensor<f32>> : tensor<4xi8> -> tensor<4xf32>
  %y = nn.convert %x to f16 {nn.name = "y"} : tensor<4xf32> -> tensor<4xf16>
  func.return %y : tensor<4xf16>
}

// To integers it is no dequantization any more.
// CHECK-LABEL: @to_integers
// CHECK: nn.convert
func.func @to_integers(%q: tensor<4xi8>) -> tensor<4xi32> {
  %x = qnn.dequantize %q scale <dense<0.1> : tensor<f32>> : tensor<4xi8> -> tensor<4xf32>
  %y = nn.convert %x to i32 : tensor<4xf32> -> tensor<4xi32>
  func.return %y : tensor<4xi32>
}

// Rounded twice is not rounded once.
// CHECK-LABEL: @rounds_twice
// CHECK: nn.convert
func.func @rounds_twice(%q: tensor<4xi8>) -> tensor<4xbf16> {
  %x = qnn.dequantize %q scale <dense<0.1> : tensor<f32>> {output_type = f16} : tensor<4xi8> -> tensor<4xf16>
  %y = nn.convert %x to bf16 : tensor<4xf16> -> tensor<4xbf16>
  func.return %y : tensor<4xbf16>
}
