// RUN: opt-tool %s --lpt-main | filecheck %s

// CHECK-LABEL: @one_scale
// CHECK-NEXT: [[Y:%.*]] = nn.concat %p, %q {axis = 0 : i64} : (tensor<2xui8>, tensor<4xui8>) -> tensor<6xui8>
// CHECK-NEXT: qnn.dequantize [[Y]] scale <dense<0.5> : tensor<f32>> zero_point <dense<3> : tensor<ui8>>
func.func @one_scale(%p: tensor<2xui8>, %q: tensor<4xui8>) -> tensor<6xf32> {
  %x = qnn.dequantize %p scale <dense<0.5> : tensor<f32>> zero_point <dense<3> : tensor<ui8>> : tensor<2xui8> -> tensor<2xf32>
  %y = qnn.dequantize %q scale <dense<0.5> : tensor<f32>> zero_point <dense<3> : tensor<ui8>> : tensor<4xui8> -> tensor<4xf32>
  %z = nn.concat %x, %y {axis = 0 : i64} : (tensor<2xf32>, tensor<4xf32>) -> tensor<6xf32>
  func.return %z : tensor<6xf32>
}

// CHECK-LABEL: @other_scale
// CHECK: nn.concat {{.*}} {lpt.declined = "its inputs have different scales; give their FakeQuantize one interval"
func.func @other_scale(%p: tensor<2xui8>, %q: tensor<4xui8>) -> tensor<6xf32> {
  %x = qnn.dequantize %p scale <dense<0.5> : tensor<f32>> : tensor<2xui8> -> tensor<2xf32>
  %y = qnn.dequantize %q scale <dense<0.25> : tensor<f32>> : tensor<4xui8> -> tensor<4xf32>
  %z = nn.concat %x, %y {axis = 0 : i64} : (tensor<2xf32>, tensor<4xf32>) -> tensor<6xf32>
  func.return %z : tensor<6xf32>
}

// The same scale, but other codes.
// CHECK-LABEL: @other_type
// CHECK: nn.concat {{.*}} {lpt.declined = "its inputs have different scales; give their FakeQuantize one interval"
func.func @other_type(%p: tensor<2xui8>, %q: tensor<4xi8>) -> tensor<6xf32> {
  %x = qnn.dequantize %p scale <dense<0.5> : tensor<f32>> : tensor<2xui8> -> tensor<2xf32>
  %y = qnn.dequantize %q scale <dense<0.5> : tensor<f32>> : tensor<4xi8> -> tensor<4xf32>
  %z = nn.concat %x, %y {axis = 0 : i64} : (tensor<2xf32>, tensor<4xf32>) -> tensor<6xf32>
  func.return %z : tensor<6xf32>
}

// CHECK-LABEL: @one_not_quantized
// CHECK: nn.concat {{.*}} {lpt.declined = "input 1 is not quantized; put a FakeQuantize on it"
func.func @one_not_quantized(%p: tensor<2xui8>, %y: tensor<4xf32>) -> tensor<6xf32> {
  %x = qnn.dequantize %p scale <dense<0.5> : tensor<f32>> : tensor<2xui8> -> tensor<2xf32>
  %z = nn.concat %x, %y {axis = 0 : i64} : (tensor<2xf32>, tensor<4xf32>) -> tensor<6xf32>
  func.return %z : tensor<6xf32>
}

// CHECK-LABEL: @sum_of_products
// CHECK: nn.concat {{.*}} {lpt.declined = "its input is the 32-bit sum of a product; it is dequantized in front of it"
func.func @sum_of_products(%p: tensor<2xi32>) -> tensor<4xf32> {
  %x = qnn.dequantize %p scale <dense<0.5> : tensor<f32>> : tensor<2xi32> -> tensor<2xf32>
  %z = nn.concat %x, %x {axis = 0 : i64} : (tensor<2xf32>, tensor<2xf32>) -> tensor<4xf32>
  func.return %z : tensor<4xf32>
}
