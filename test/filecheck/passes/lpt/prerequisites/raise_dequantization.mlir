// RUN: opt-tool %s --lpt-prerequisites | filecheck %s

// CHECK-LABEL: @weights
// CHECK-NEXT: [[W:%.*]] = nn.constant dense<{{.*}}> : tensor<2x4xi8>
// CHECK-NEXT: qnn.dequantize [[W]] scale <dense<{{\[\[0.5\], \[0.25\]\]}}> : tensor<2x1xf32>> {nn.name = "w"} : tensor<2x4xi8> -> tensor<2x4xf32>
// CHECK-NEXT: func.return
func.func @weights() -> tensor<2x4xf32> {
  %w = nn.constant dense<[[1, 2, 3, 4], [5, 6, 7, 8]]> : tensor<2x4xi8>
  %f = nn.convert %w to f32 : tensor<2x4xi8> -> tensor<2x4xf32>
  %s = nn.constant dense<[[0.5], [0.25]]> : tensor<2x1xf32>
  %y = nn.multiply %f, %s {nn.name = "w"} : (tensor<2x4xf32>, tensor<2x1xf32>) -> tensor<2x4xf32>
  func.return %y : tensor<2x4xf32>
}

// The codes may be the second factor, whose constant is no scale.
// CHECK-LABEL: @scale_first
// CHECK-NEXT: [[W:%.*]] = nn.constant dense<{{.*}}> : tensor<2x4xi8>
// CHECK-NEXT: qnn.dequantize [[W]] scale <dense<{{\[\[0.5\], \[0.25\]\]}}> : tensor<2x1xf32>> : tensor<2x4xi8> -> tensor<2x4xf32>
// CHECK-NEXT: func.return
func.func @scale_first() -> tensor<2x4xf32> {
  %s = nn.constant dense<[[0.5], [0.25]]> : tensor<2x1xf32>
  %w = nn.constant dense<[[1, 2, 3, 4], [5, 6, 7, 8]]> : tensor<2x4xi8>
  %f = nn.convert %w to f32 : tensor<2x4xi8> -> tensor<2x4xf32>
  %y = nn.multiply %s, %f : (tensor<2x1xf32>, tensor<2x4xf32>) -> tensor<2x4xf32>
  func.return %y : tensor<2x4xf32>
}

// Codes that are broadcast to a larger constant are no weights of its shape.
// CHECK-LABEL: @larger_scale_first
// CHECK: nn.multiply
func.func @larger_scale_first() -> tensor<2x4xf32> {
  %s = nn.constant dense<[[0.5, 1.0, 2.0, 3.0], [0.25, 4.0, 5.0, 6.0]]> : tensor<2x4xf32>
  %w = nn.constant dense<[[1], [5]]> : tensor<2x1xi8>
  %f = nn.convert %w to f32 : tensor<2x1xi8> -> tensor<2x1xf32>
  %y = nn.multiply %s, %f : (tensor<2x4xf32>, tensor<2x1xf32>) -> tensor<2x4xf32>
  func.return %y : tensor<2x4xf32>
}

// A zero point in the codes' type, converted before it is subtracted.
// CHECK-LABEL: @zero_point
// CHECK-NEXT: qnn.dequantize %q scale <dense<0.5> : tensor<f32>> zero_point <dense<128> : tensor<ui8>> : tensor<4xui8> -> tensor<4xf32>
func.func @zero_point(%q: tensor<4xui8>) -> tensor<4xf32> {
  %f = nn.convert %q to f32 : tensor<4xui8> -> tensor<4xf32>
  %z = nn.constant dense<128> : tensor<ui8>
  %zf = nn.convert %z to f32 : tensor<ui8> -> tensor<f32>
  %c = nn.subtract %f, %zf : (tensor<4xf32>, tensor<f32>) -> tensor<4xf32>
  %s = nn.constant dense<0.5> : tensor<f32>
  %y = nn.multiply %c, %s : (tensor<4xf32>, tensor<f32>) -> tensor<4xf32>
  func.return %y : tensor<4xf32>
}

// A zero point between two codes stays in floating point; the scale may stand first.
// CHECK-LABEL: @between_codes
// CHECK-NEXT: qnn.dequantize %q scale <dense<0.5> : tensor<f32>> zero_point <dense<1.5> : tensor<f32>> : tensor<4xui8> -> tensor<4xf32>
func.func @between_codes(%q: tensor<4xui8>) -> tensor<4xf32> {
  %f = nn.convert %q to f32 : tensor<4xui8> -> tensor<4xf32>
  %z = nn.constant dense<1.5> : tensor<f32>
  %c = nn.subtract %f, %z : (tensor<4xf32>, tensor<f32>) -> tensor<4xf32>
  %s = nn.constant dense<0.5> : tensor<f32>
  %y = nn.multiply %s, %c : (tensor<f32>, tensor<4xf32>) -> tensor<4xf32>
  func.return %y : tensor<4xf32>
}

// CHECK-LABEL: @sum_of_products
// CHECK: [[Y:%.*]] = nn.mat_mul
// CHECK-NEXT: qnn.dequantize [[Y]] scale <dense<0.5> : tensor<f32>> : tensor<1x2xi32> -> tensor<1x2xf32>
func.func @sum_of_products(%a: tensor<1x4xui8>, %b: tensor<4x2xi8>) -> tensor<1x2xf32> {
  %m = nn.mat_mul %a, %b : (tensor<1x4xui8>, tensor<4x2xi8>) -> tensor<1x2xi32>
  %f = nn.convert %m to f32 : tensor<1x2xi32> -> tensor<1x2xf32>
  %s = nn.constant dense<0.5> : tensor<f32>
  %y = nn.multiply %f, %s : (tensor<1x2xf32>, tensor<f32>) -> tensor<1x2xf32>
  func.return %y : tensor<1x2xf32>
}

// The sums that a zero point of the weights multiplies were split off the product.
// CHECK-LABEL: @sum_without_zero_points
// CHECK: [[Y:%.*]] = nn.subtract {{.*}} : (tensor<1x2xi32>, tensor<1x1xi32>) -> tensor<1x2xi32>
// CHECK-NEXT: qnn.dequantize [[Y]] scale <dense<0.5> : tensor<f32>> : tensor<1x2xi32> -> tensor<1x2xf32>
func.func @sum_without_zero_points(%a: tensor<1x4xui8>, %b: tensor<4x2xi8>, %sums: tensor<1x1xi32>) -> tensor<1x2xf32> {
  %m = nn.mat_mul %a, %b : (tensor<1x4xui8>, tensor<4x2xi8>) -> tensor<1x2xi32>
  %d = nn.subtract %m, %sums : (tensor<1x2xi32>, tensor<1x1xi32>) -> tensor<1x2xi32>
  %f = nn.convert %d to f32 : tensor<1x2xi32> -> tensor<1x2xf32>
  %s = nn.constant dense<0.5> : tensor<f32>
  %y = nn.multiply %f, %s : (tensor<1x2xf32>, tensor<f32>) -> tensor<1x2xf32>
  func.return %y : tensor<1x2xf32>
}

// A difference of other integers is a number.
// CHECK-LABEL: @difference_of_numbers
// CHECK-NOT: qnn.dequantize
// CHECK: nn.multiply
func.func @difference_of_numbers(%m: tensor<1x2xi32>, %sums: tensor<1x1xi32>) -> tensor<1x2xf32> {
  %d = nn.subtract %m, %sums : (tensor<1x2xi32>, tensor<1x1xi32>) -> tensor<1x2xi32>
  %f = nn.convert %d to f32 : tensor<1x2xi32> -> tensor<1x2xf32>
  %s = nn.constant dense<0.5> : tensor<f32>
  %y = nn.multiply %f, %s : (tensor<1x2xf32>, tensor<f32>) -> tensor<1x2xf32>
  func.return %y : tensor<1x2xf32>
}

// Other integers are numbers, not codes.
// CHECK-LABEL: @numbers
// CHECK-NOT: qnn.dequantize
// CHECK: nn.multiply
// CHECK: nn.multiply
func.func @numbers(%n: tensor<2xi32>, %t: tensor<2xi1>) -> (tensor<2xf32>, tensor<2xf32>) {
  %s = nn.constant dense<0.5> : tensor<f32>
  %f = nn.convert %n to f32 : tensor<2xi32> -> tensor<2xf32>
  %y = nn.multiply %f, %s : (tensor<2xf32>, tensor<f32>) -> tensor<2xf32>
  %g = nn.convert %t to f32 : tensor<2xi1> -> tensor<2xf32>
  %z = nn.multiply %g, %s : (tensor<2xf32>, tensor<f32>) -> tensor<2xf32>
  func.return %y, %z : tensor<2xf32>, tensor<2xf32>
}

// CHECK-LABEL: @scale_is_computed
// CHECK-NOT: qnn.dequantize
// CHECK: nn.multiply
func.func @scale_is_computed(%q: tensor<4xi8>, %s: tensor<f32>) -> tensor<4xf32> {
  %f = nn.convert %q to f32 : tensor<4xi8> -> tensor<4xf32>
  %y = nn.multiply %f, %s : (tensor<4xf32>, tensor<f32>) -> tensor<4xf32>
  func.return %y : tensor<4xf32>
}

// CHECK-LABEL: @zero_point_is_computed
// CHECK-NOT: qnn.dequantize
// CHECK: nn.multiply
func.func @zero_point_is_computed(%q: tensor<4xi8>, %z: tensor<f32>) -> tensor<4xf32> {
  %f = nn.convert %q to f32 : tensor<4xi8> -> tensor<4xf32>
  %c = nn.subtract %f, %z : (tensor<4xf32>, tensor<f32>) -> tensor<4xf32>
  %s = nn.constant dense<0.5> : tensor<f32>
  %y = nn.multiply %c, %s : (tensor<4xf32>, tensor<f32>) -> tensor<4xf32>
  func.return %y : tensor<4xf32>
}

// The constant broadcasts the codes: it is more than a scale.
// CHECK-LABEL: @scale_is_larger
// CHECK-NOT: qnn.dequantize
// CHECK: nn.multiply
func.func @scale_is_larger(%q: tensor<1xi8>) -> tensor<2xf32> {
  %f = nn.convert %q to f32 : tensor<1xi8> -> tensor<1xf32>
  %s = nn.constant dense<[0.5, 0.25]> : tensor<2xf32>
  %y = nn.multiply %f, %s : (tensor<1xf32>, tensor<2xf32>) -> tensor<2xf32>
  func.return %y : tensor<2xf32>
}
