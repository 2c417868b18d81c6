// RUN: opt-tool %s --lpt-prerequisites | filecheck %s

// CHECK-LABEL: @whole
// CHECK-NEXT: qnn.dequantize %q scale <dense<0.5> : tensor<f32>> zero_point <dense<128> : tensor<ui8>> {nn.name = "x"} : tensor<4xui8> -> tensor<4xf32>
func.func @whole(%q: tensor<4xui8>) -> tensor<4xf32> {
  %x = qnn.dequantize %q scale <dense<0.5> : tensor<f32>> zero_point <dense<128.0> : tensor<f32>> {nn.name = "x"} : tensor<4xui8> -> tensor<4xf32>
  func.return %x : tensor<4xf32>
}

// Whole but for rounding, for each channel.
// CHECK-LABEL: @nearly_whole
// CHECK-NEXT: qnn.dequantize %q scale <dense<0.1> : tensor<f32>> zero_point <dense<[-3, 4]> : tensor<2xi8>> {output_type = f16} : tensor<2xi8> -> tensor<2xf16>
func.func @nearly_whole(%q: tensor<2xi8>) -> tensor<2xf16> {
  %x = qnn.dequantize %q scale <dense<0.1> : tensor<f32>> zero_point <dense<[-3.001, 4.0]> : tensor<2xf32>> {output_type = f16} : tensor<2xi8> -> tensor<2xf16>
  func.return %x : tensor<2xf16>
}

// CHECK-LABEL: @zero
// CHECK-NEXT: qnn.dequantize %q scale <dense<0.5> : tensor<f32>> : tensor<4xui8> -> tensor<4xf32>
func.func @zero(%q: tensor<4xui8>) -> tensor<4xf32> {
  %x = qnn.dequantize %q scale <dense<0.5> : tensor<f32>> zero_point <dense<0.001> : tensor<f32>> : tensor<4xui8> -> tensor<4xf32>
  func.return %x : tensor<4xf32>
}

// Rounded, it would shift all values by a quarter of a step.
// CHECK-LABEL: @between_codes
// CHECK-NEXT: qnn.dequantize %q {{.*}} zero_point <dense<128.25> : tensor<f32>>
func.func @between_codes(%q: tensor<4xui8>) -> tensor<4xf32> {
  %x = qnn.dequantize %q scale <dense<0.5> : tensor<f32>> zero_point <dense<128.25> : tensor<f32>> : tensor<4xui8> -> tensor<4xf32>
  func.return %x : tensor<4xf32>
}

// CHECK-LABEL: @beyond_the_type
// CHECK-NEXT: qnn.dequantize %q {{.*}} zero_point <dense<128.0> : tensor<f32>>
func.func @beyond_the_type(%q: tensor<4xi8>) -> tensor<4xf32> {
  %x = qnn.dequantize %q scale <dense<0.5> : tensor<f32>> zero_point <dense<128.0> : tensor<f32>> : tensor<4xi8> -> tensor<4xf32>
  func.return %x : tensor<4xf32>
}

// What belongs to sums is exact as it is.
// CHECK-LABEL: @sum_of_products
// CHECK-NEXT: qnn.dequantize %q {{.*}} zero_point <dense<1000.0> : tensor<f32>>
func.func @sum_of_products(%q: tensor<4xi32>) -> tensor<4xf32> {
  %x = qnn.dequantize %q scale <dense<0.5> : tensor<f32>> zero_point <dense<1000.0> : tensor<f32>> : tensor<4xi32> -> tensor<4xf32>
  func.return %x : tensor<4xf32>
}
