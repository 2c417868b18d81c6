// RUN: opt-tool %s --lpt-markup --lpt-main | filecheck %s

// A bias is added in floating point, right behind the dequantization of the product.
// CHECK-LABEL: @bias
// CHECK: [[Y:%.*]] = nn.mat_mul
// CHECK-NEXT: [[D:%.*]] = qnn.dequantize [[Y]]
// CHECK: nn.add [[D]], {{.*}} lpt.declined = "it adds a bias, which belongs to the dequantization of the product before it"
func.func @bias(%a: tensor<1x2xui8>, %b: tensor<2x2xi8>) -> tensor<1x2xf32> {
  %x = qnn.dequantize %a scale <dense<0.5> : tensor<f32>> : tensor<1x2xui8> -> tensor<1x2xf32>
  %w = qnn.dequantize %b scale <dense<0.25> : tensor<f32>> : tensor<2x2xi8> -> tensor<2x2xf32>
  %y = nn.mat_mul %x, %w : (tensor<1x2xf32>, tensor<2x2xf32>) -> tensor<1x2xf32>
  %c = nn.constant dense<[[1.0, 2.0]]> : tensor<1x2xf32>
  %z = nn.add %y, %c : (tensor<1x2xf32>, tensor<1x2xf32>) -> tensor<1x2xf32>
  func.return %z : tensor<1x2xf32>
}

// CHECK-LABEL: @two_products
// CHECK: nn.add {{.*}} {lpt.declined = "it adds 32-bit sums of products, each with its own scale"}
func.func @two_products(%a: tensor<2x2xui8>, %b: tensor<2x2xi8>) -> tensor<2x2xf32> {
  %x = qnn.dequantize %a scale <dense<0.5> : tensor<f32>> : tensor<2x2xui8> -> tensor<2x2xf32>
  %w = qnn.dequantize %b scale <dense<0.25> : tensor<f32>> : tensor<2x2xi8> -> tensor<2x2xf32>
  %y = nn.mat_mul %x, %w : (tensor<2x2xf32>, tensor<2x2xf32>) -> tensor<2x2xf32>
  %z = nn.mat_mul %w, %w : (tensor<2x2xf32>, tensor<2x2xf32>) -> tensor<2x2xf32>
  %s = nn.add %y, %z : (tensor<2x2xf32>, tensor<2x2xf32>) -> tensor<2x2xf32>
  func.return %s : tensor<2x2xf32>
}

// CHECK-LABEL: @two_scales
// CHECK: nn.add {{.*}} {lpt.declined = "its inputs have a scale each; their sum needs one of its own: put a FakeQuantize on it"}
func.func @two_scales(%a: tensor<4xui8>, %b: tensor<4xi8>) -> tensor<4xf32> {
  %x = qnn.dequantize %a scale <dense<0.5> : tensor<f32>> : tensor<4xui8> -> tensor<4xf32>
  %w = qnn.dequantize %b scale <dense<0.25> : tensor<f32>> : tensor<4xi8> -> tensor<4xf32>
  %s = nn.add %x, %w : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
  func.return %s : tensor<4xf32>
}

// CHECK-LABEL: @one_side
// CHECK: nn.add {{.*}} {lpt.declined = "input 1 is not quantized, and the sum takes its type"}
func.func @one_side(%a: tensor<4xui8>, %f: tensor<4xf32>) -> tensor<4xf32> {
  %x = qnn.dequantize %a scale <dense<0.5> : tensor<f32>> : tensor<4xui8> -> tensor<4xf32>
  %s = nn.add %x, %f : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
  func.return %s : tensor<4xf32>
}

// CHECK-LABEL: @nothing_to_do
// CHECK-NOT: lpt.declined
// CHECK: func.return
func.func @nothing_to_do(%f: tensor<4xf32>) -> tensor<4xf32> {
  %s = nn.add %f, %f : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
  func.return %s : tensor<4xf32>
}
