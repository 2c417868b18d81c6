// RUN: opt-tool %s --lpt-markup --lpt-main | filecheck %s
// RUN: opt-tool %s --lpt --precision-report='file="attention.csv"' >%t.out
// RUN: filecheck %s --input-file attention.csv --check-prefix REPORT

// Scores are a product of codes, means of values are not; rows have the layer's name.
// CHECK-LABEL: @masked
// CHECK-NEXT: [[S:%.*]] = nn.mat_mul %q, %k {{.*}} : (tensor<2x3x4xui8>, tensor<2x5x4xi8>) -> tensor<2x3x5xi32>
// CHECK-NEXT: qnn.dequantize [[S]] scale <dense<0.0625> : tensor<f32>>
// CHECK: nn.add {{.*}}, %mask
// CHECK: nn.mat_mul {{.*}}, %v
// REPORT: attention,MatMul,u8 i8,i32,{{$}}
// REPORT: attention,MatMul,f32 f32,f32,input 0 is not quantized
func.func @masked(%q: tensor<2x3x4xui8>, %k: tensor<2x5x4xi8>, %v: tensor<2x5x6xf32>, %mask: tensor<3x5xf32>) -> tensor<2x3x6xf32> {
  %x = qnn.dequantize %q scale <dense<0.5> : tensor<f32>> : tensor<2x3x4xui8> -> tensor<2x3x4xf32>
  %w = qnn.dequantize %k scale <dense<0.25> : tensor<f32>> : tensor<2x5x4xi8> -> tensor<2x5x4xf32>
  %y = nn.scaled_dot_product_attention %x, %w, %v, %mask {nn.name = "attention"} : (tensor<2x3x4xf32>, tensor<2x5x4xf32>, tensor<2x5x6xf32>, tensor<3x5xf32>) -> tensor<2x3x6xf32>
  func.return %y : tensor<2x3x6xf32>
}

// Heads that share keys are rows of one product.
// CHECK-LABEL: @shared_keys
// CHECK: [[Q:%.*]] = nn.reshape %q, {{.*}} -> tensor<2x6x4xi8>
// CHECK: nn.mat_mul [[Q]], %k {{.*}} : (tensor<2x6x4xi8>, tensor<2x5x4xi8>) -> tensor<2x6x5xi32>
func.func @shared_keys(%q: tensor<4x3x4xi8>, %k: tensor<2x5x4xi8>, %v: tensor<2x5x6xf32>) -> tensor<4x3x6xf32> {
  %x = qnn.dequantize %q scale <dense<0.5> : tensor<f32>> : tensor<4x3x4xi8> -> tensor<4x3x4xf32>
  %w = qnn.dequantize %k scale <dense<0.25> : tensor<f32>> : tensor<2x5x4xi8> -> tensor<2x5x4xf32>
  %y = nn.scaled_dot_product_attention %x, %w, %v {causal = true} : (tensor<4x3x4xf32>, tensor<2x5x4xf32>, tensor<2x5x6xf32>) -> tensor<4x3x6xf32>
  func.return %y : tensor<4x3x6xf32>
}

// CHECK-LABEL: @keys_in_float
// CHECK: nn.scaled_dot_product_attention {{.*}}lpt.declined = "input 1 (key) is not quantized; put a FakeQuantize on it"
func.func @keys_in_float(%q: tensor<2x3x4xi8>, %k: tensor<2x5x4xf32>) -> tensor<2x3x4xf32> {
  %x = qnn.dequantize %q scale <dense<0.5> : tensor<f32>> : tensor<2x3x4xi8> -> tensor<2x3x4xf32>
  %y = nn.scaled_dot_product_attention %x, %k, %k : (tensor<2x3x4xf32>, tensor<2x5x4xf32>, tensor<2x5x4xf32>) -> tensor<2x3x4xf32>
  func.return %y : tensor<2x3x4xf32>
}

// Keys get i8, as the right operand of a product does, also where their interval begins at 0.
// CHECK-LABEL: @wanted
// CHECK: qnn.fake_quantize %k, {{.*}}output_type = i8
func.func @wanted(%q: tensor<2x3x4xi8>, %k: tensor<2x5x4xf32>, %v: tensor<2x5x6xf32>) -> tensor<2x3x6xf32> {
  %low = nn.constant dense<0.0> : tensor<f32>
  %high = nn.constant dense<1.0> : tensor<f32>
  %x = qnn.dequantize %q scale <dense<0.5> : tensor<f32>> : tensor<2x3x4xi8> -> tensor<2x3x4xf32>
  %w = qnn.fake_quantize %k, %low, %high, %low, %high {levels = 256 : i64} : (tensor<2x5x4xf32>, tensor<f32>, tensor<f32>, tensor<f32>, tensor<f32>) -> tensor<2x5x4xf32>
  %y = nn.scaled_dot_product_attention %x, %w, %v : (tensor<2x3x4xf32>, tensor<2x5x4xf32>, tensor<2x5x6xf32>) -> tensor<2x3x6xf32>
  func.return %y : tensor<2x3x6xf32>
}

// CHECK-LABEL: @unknown
// CHECK: nn.scaled_dot_product_attention {{.*}}lpt.declined = "its sizes are unknown; reshape the model"
func.func @unknown(%q: tensor<2x?x4xi8>, %k: tensor<2x5x4xi8>, %v: tensor<2x5x6xf32>) -> tensor<2x?x6xf32> {
  %x = qnn.dequantize %q scale <dense<0.5> : tensor<f32>> : tensor<2x?x4xi8> -> tensor<2x?x4xf32>
  %w = qnn.dequantize %k scale <dense<0.25> : tensor<f32>> : tensor<2x5x4xi8> -> tensor<2x5x4xf32>
  %y = nn.scaled_dot_product_attention %x, %w, %v : (tensor<2x?x4xf32>, tensor<2x5x4xf32>, tensor<2x5x6xf32>) -> tensor<2x?x6xf32>
  func.return %y : tensor<2x?x6xf32>
}

// Keys of u8, as the right operand of a product; queries around a zero point, which this preset leaves where it is.
// CHECK-LABEL: @keys_of_another_type
// CHECK: nn.scaled_dot_product_attention {{.*}}lpt.declined = "input 1 (key) is quantized to ui8; preset 'cpu-x86' takes i8 there; quantize it to i8"
// CHECK-LABEL: @queries_around_zero_point
// CHECK: nn.scaled_dot_product_attention {{.*}}lpt.declined = "input 0 (query) is quantized with a zero point; quantize it symmetrically around 0"
func.func @keys_of_another_type(%q: tensor<2x3x4xi8>, %k: tensor<2x5x4xui8>, %v: tensor<2x5x6xf32>) -> tensor<2x3x6xf32> {
  %x = qnn.dequantize %q scale <dense<0.5> : tensor<f32>> : tensor<2x3x4xi8> -> tensor<2x3x4xf32>
  %w = qnn.dequantize %k scale <dense<0.25> : tensor<f32>> : tensor<2x5x4xui8> -> tensor<2x5x4xf32>
  %y = nn.scaled_dot_product_attention %x, %w, %v : (tensor<2x3x4xf32>, tensor<2x5x4xf32>, tensor<2x5x6xf32>) -> tensor<2x3x6xf32>
  func.return %y : tensor<2x3x6xf32>
}
func.func @queries_around_zero_point(%q: tensor<2x3x4xui8>, %k: tensor<2x5x4xi8>, %v: tensor<2x5x6xf32>) -> tensor<2x3x6xf32> {
  %x = qnn.dequantize %q scale <dense<0.5> : tensor<f32>> zero_point <dense<3> : tensor<ui8>> : tensor<2x3x4xui8> -> tensor<2x3x4xf32>
  %w = qnn.dequantize %k scale <dense<0.25> : tensor<f32>> : tensor<2x5x4xi8> -> tensor<2x5x4xf32>
  %y = nn.scaled_dot_product_attention %x, %w, %v : (tensor<2x3x4xf32>, tensor<2x5x4xf32>, tensor<2x5x6xf32>) -> tensor<2x3x6xf32>
  func.return %y : tensor<2x3x6xf32>
}
