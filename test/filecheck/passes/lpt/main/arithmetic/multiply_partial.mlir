// RUN: opt-tool %s --lpt-main | filecheck %s

// 0.5 (p - 3) * 0.25 q = 0.125 (p - 3) * q.
// CHECK-LABEL: @two_scales
// CHECK-NEXT: [[X:%.*]] = qnn.dequantize %p scale <dense<0.125> : tensor<f32>> zero_point <dense<3> : tensor<ui8>> : tensor<4xui8> -> tensor<4xf32>
// CHECK-NEXT: [[Y:%.*]] = nn.convert %q to f32
// CHECK-NEXT: [[Z:%.*]] = nn.multiply [[X]], [[Y]]
// CHECK-NEXT: qnn.dequantize [[Z]] scale <dense<1.0>
func.func @two_scales(%p: tensor<4xui8>, %q: tensor<4xi8>) -> tensor<4xf32> {
  %x = qnn.dequantize %p scale <dense<0.5> : tensor<f32>> zero_point <dense<3> : tensor<ui8>> : tensor<4xui8> -> tensor<4xf32>
  %y = qnn.dequantize %q scale <dense<0.25> : tensor<f32>> : tensor<4xi8> -> tensor<4xf32>
  %z = nn.multiply %x, %y : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
  func.return %z : tensor<4xf32>
}

// The one with a zero point keeps it.
// CHECK-LABEL: @right_has_a_zero_point
// CHECK-DAG: [[X:%.*]] = nn.convert %p to f32
// CHECK-DAG: [[Y:%.*]] = qnn.dequantize %q scale <dense<0.125> : tensor<f32>> zero_point <dense<3> : tensor<i8>>
// CHECK: nn.multiply [[X]], [[Y]]
func.func @right_has_a_zero_point(%p: tensor<4xui8>, %q: tensor<4xi8>) -> tensor<4xf32> {
  %x = qnn.dequantize %p scale <dense<0.5> : tensor<f32>> : tensor<4xui8> -> tensor<4xf32>
  %y = qnn.dequantize %q scale <dense<0.25> : tensor<f32>> zero_point <dense<3> : tensor<i8>> : tensor<4xi8> -> tensor<4xf32>
  %z = nn.multiply %x, %y : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
  func.return %z : tensor<4xf32>
}

// A constant joins the scale, of a product too; a scale may become 0.
// CHECK-LABEL: @constant
// CHECK: qnn.dequantize %p scale <dense<{{\[\[0.25, -1.0\]\]}}> : tensor<1x2xf32>> zero_point <dense<3> : tensor<ui8>> {nn.name = "y"} : tensor<1x2xui8>
// CHECK-NEXT: qnn.dequantize %s scale <dense<0.0> : tensor<f32>> : tensor<1x2xi32>
func.func @constant(%p: tensor<1x2xui8>, %s: tensor<1x2xi32>) -> (tensor<1x2xf32>, tensor<1x2xf32>) {
  %x = qnn.dequantize %p scale <dense<0.5> : tensor<f32>> zero_point <dense<3> : tensor<ui8>> : tensor<1x2xui8> -> tensor<1x2xf32>
  %c = nn.constant dense<[0.5, -2.0]> : tensor<2xf32>
  %y = nn.multiply %c, %x {nn.name = "y"} : (tensor<2xf32>, tensor<1x2xf32>) -> tensor<1x2xf32>
  %t = qnn.dequantize %s scale <dense<0.5> : tensor<f32>> : tensor<1x2xi32> -> tensor<1x2xf32>
  %o = nn.constant dense<0.0> : tensor<f32>
  %z = nn.multiply %t, %o : (tensor<1x2xf32>, tensor<f32>) -> tensor<1x2xf32>
  func.return %y, %z : tensor<1x2xf32>, tensor<1x2xf32>
}

// CHECK-LABEL: @constant_is_larger
// CHECK: nn.multiply {{.*}} {lpt.declined = "its constant is larger than its other input"}
func.func @constant_is_larger(%p: tensor<1xui8>) -> tensor<2xf32> {
  %x = qnn.dequantize %p scale <dense<0.5> : tensor<f32>> : tensor<1xui8> -> tensor<1xf32>
  %c = nn.constant dense<[1.0, 0.5]> : tensor<2xf32>
  %s = nn.multiply %x, %c : (tensor<1xf32>, tensor<2xf32>) -> tensor<2xf32>
  func.return %s : tensor<2xf32>
}

// CHECK-LABEL: @constant_is_too_large
// CHECK: nn.multiply {{.*}} {lpt.declined = "its constant is too large for the scale of its input"}
func.func @constant_is_too_large(%p: tensor<1xui8>) -> tensor<1xf32> {
  %x = qnn.dequantize %p scale <dense<1.0e30> : tensor<f32>> : tensor<1xui8> -> tensor<1xf32>
  %c = nn.constant dense<1.0e30> : tensor<f32>
  %s = nn.multiply %x, %c : (tensor<1xf32>, tensor<f32>) -> tensor<1xf32>
  func.return %s : tensor<1xf32>
}

// CHECK-LABEL: @one_not_quantized
// CHECK: nn.multiply {{.*}} {lpt.declined = "input 1 is not quantized; put a FakeQuantize on it"}
func.func @one_not_quantized(%p: tensor<4xui8>, %f: tensor<4xf32>) -> tensor<4xf32> {
  %x = qnn.dequantize %p scale <dense<0.5> : tensor<f32>> : tensor<4xui8> -> tensor<4xf32>
  %z = nn.multiply %x, %f : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
  func.return %z : tensor<4xf32>
}

// CHECK-LABEL: @two_sums
// CHECK: nn.multiply {{.*}} {lpt.declined = "neither input is quantized to 8 bits; put a FakeQuantize on one"}
func.func @two_sums(%p: tensor<4xi32>) -> tensor<4xf32> {
  %x = qnn.dequantize %p scale <dense<0.5> : tensor<f32>> : tensor<4xi32> -> tensor<4xf32>
  %z = nn.multiply %x, %x : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
  func.return %z : tensor<4xf32>
}

// CHECK-LABEL: @two_zero_points
// CHECK: nn.multiply {{.*}} {lpt.declined = "its inputs are quantized with zero points; quantize one symmetrically around 0"}
func.func @two_zero_points(%p: tensor<4xui8>) -> tensor<4xf32> {
  %x = qnn.dequantize %p scale <dense<0.5> : tensor<f32>> zero_point <dense<3> : tensor<ui8>> : tensor<4xui8> -> tensor<4xf32>
  %z = nn.multiply %x, %x : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
  func.return %z : tensor<4xf32>
}

// CHECK-LABEL: @far_scales
// CHECK: nn.multiply {{.*}} {lpt.declined = "the product of the scales of its inputs is too large"}
func.func @far_scales(%p: tensor<4xui8>) -> tensor<4xf32> {
  %x = qnn.dequantize %p scale <dense<1.0e30> : tensor<f32>> : tensor<4xui8> -> tensor<4xf32>
  %z = nn.multiply %x, %x : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
  func.return %z : tensor<4xf32>
}

// CHECK-LABEL: @broadcast
// CHECK: nn.multiply {{.*}} {lpt.declined = "input 0 is broadcast along the dimension in which input 1 has scales"}
func.func @broadcast(%a: tensor<1x2x1x1xui8>, %b: tensor<1x2x1x3xi8>) -> tensor<1x2x1x3xf32> {
  %x = qnn.dequantize %a scale <dense<0.5> : tensor<f32>> : tensor<1x2x1x1xui8> -> tensor<1x2x1x1xf32>
  %y = qnn.dequantize %b scale <dense<[0.25, 0.5, 1.0]> : tensor<3xf32>> : tensor<1x2x1x3xi8> -> tensor<1x2x1x3xf32>
  %s = nn.multiply %x, %y : (tensor<1x2x1x1xf32>, tensor<1x2x1x3xf32>) -> tensor<1x2x1x3xf32>
  func.return %s : tensor<1x2x1x3xf32>
}

// What computed codes lack goes before the input that has none.
// CHECK-LABEL: @computed_from_codes
// CHECK: nn.multiply {{.*}} {lpt.declined = "its input is computed in floating point from codes; put a FakeQuantize on it"}
func.func @computed_from_codes(%p: tensor<4xf32>, %x: tensor<4xf32>) -> tensor<4xf32> {
  %y = qnn.dequantize %p scale <dense<0.5> : tensor<f32>> : tensor<4xf32> -> tensor<4xf32>
  %z = nn.multiply %x, %y : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
  func.return %z : tensor<4xf32>
}
