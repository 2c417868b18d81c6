// RUN: opt-tool %s --lpt-markup=preset=cpu-x86-exact --lpt-main=preset=cpu-x86-exact | filecheck %s

// Ones in the place of one operand sum the other's rows or columns.
// CHECK-LABEL: @both
// CHECK-NEXT: [[P:%.*]] = nn.mat_mul %a, %b {{.*}}nn.name = "y_original"{{.*}} -> tensor<1x3xi32>
// CHECK-NEXT: [[L:%.*]] = nn.constant dense<1> : tensor<1x2xi8>
// CHECK-NEXT: [[C:%.*]] = nn.mat_mul [[L]], %b : (tensor<1x2xi8>, tensor<2x3xi8>) -> tensor<1x3xi32>
// CHECK-NEXT: [[Z:%.*]] = nn.constant dense<10> : tensor<i32>
// CHECK-NEXT: [[T:%.*]] = nn.multiply [[C]], [[Z]]
// CHECK-NEXT: [[D:%.*]] = nn.subtract [[P]], [[T]]
// CHECK-NEXT: [[R:%.*]] = nn.constant dense<1> : tensor<2x1xi8>
// CHECK-NEXT: [[S:%.*]] = nn.mat_mul %a, [[R]] : (tensor<1x2xui8>, tensor<2x1xi8>) -> tensor<1x1xi32>
// CHECK-NEXT: [[Y:%.*]] = nn.constant dense<-3> : tensor<i32>
// CHECK-NEXT: [[U:%.*]] = nn.multiply [[S]], [[Y]]
// CHECK-NEXT: [[E:%.*]] = nn.subtract [[D]], [[U]]
// CHECK-NEXT: qnn.dequantize [[E]] scale <dense<0.125> : tensor<f32>> zero_point <dense<60> : tensor<i32>> {nn.name = "y"}
func.func @both(%a: tensor<1x2xui8>, %b: tensor<2x3xi8>) -> tensor<1x3xf32> {
  %x = qnn.dequantize %a scale <dense<0.5> : tensor<f32>> zero_point <dense<10> : tensor<ui8>> : tensor<1x2xui8> -> tensor<1x2xf32>
  %w = qnn.dequantize %b scale <dense<0.25> : tensor<f32>> zero_point <dense<-3> : tensor<i8>> : tensor<2x3xi8> -> tensor<2x3xf32>
  %y = nn.mat_mul %x, %w {nn.name = "y"} : (tensor<1x2xf32>, tensor<2x3xf32>) -> tensor<1x3xf32>
  func.return %y : tensor<1x3xf32>
}

// What a constant sums to is part of the zero point: 10 times the column sums of [[2, 1], [0, 3]].
// CHECK-LABEL: @constant
// CHECK: [[P:%.*]] = nn.mat_mul %a
// CHECK: [[S:%.*]] = nn.mat_mul %a
// CHECK-NEXT: [[Z:%.*]] = nn.constant dense<{{\[\[1, 2\]\]}}> : tensor<1x2xi32>
// CHECK-NEXT: [[T:%.*]] = nn.multiply [[S]], [[Z]]
// CHECK-NEXT: [[E:%.*]] = nn.subtract [[P]], [[T]]
// CHECK-NEXT: qnn.dequantize [[E]] {{.*}} zero_point <dense<{{\[\[20, 40\]\]}}> : tensor<1x2xi32>>
func.func @constant(%a: tensor<1x2xui8>) -> tensor<1x2xf32> {
  %b = nn.constant dense<[[3, 3], [1, 5]]> : tensor<2x2xi8>
  %x = qnn.dequantize %a scale <dense<0.5> : tensor<f32>> zero_point <dense<10> : tensor<ui8>> : tensor<1x2xui8> -> tensor<1x2xf32>
  %w = qnn.dequantize %b scale <dense<0.25> : tensor<f32>> zero_point <dense<[1, 2]> : tensor<2xi8>> : tensor<2x2xi8> -> tensor<2x2xf32>
  %y = nn.mat_mul %x, %w : (tensor<1x2xf32>, tensor<2x2xf32>) -> tensor<1x2xf32>
  func.return %y : tensor<1x2xf32>
}

// Zero points between codes go off the dequantized sums, 0.25 * 1.25 times those of rows; those that differ along the
// sum are not taken out of it.
// CHECK-LABEL: @between
// CHECK: [[P:%.*]] = nn.mat_mul %a, %b {nn.name = "y/sums_original", {{.*}} -> tensor<1x2xi32>
// CHECK-NEXT: [[D:%.*]] = qnn.dequantize [[P]] scale <dense<0.125> : tensor<f32>> {nn.name = "y/sums"}
// CHECK-NEXT: [[O:%.*]] = nn.constant dense<1> : tensor<2x1xi8>
// CHECK: [[R:%.*]] = nn.mat_mul %a, [[O]] {{.*}} -> tensor<1x1xi32>
// CHECK-NEXT: [[Z:%.*]] = qnn.dequantize [[R]] scale <dense<0.15625> : tensor<f32>>
// CHECK-NEXT: nn.subtract [[D]], [[Z]] {nn.name = "y"
// CHECK: nn.mat_mul {{.*}} lpt.declined = "input 1 is quantized with a zero point; quantize it symmetrically around 0"
func.func @between(%a: tensor<1x2xui8>, %b: tensor<2x2xi8>) -> (tensor<1x2xf32>, tensor<1x2xf32>) {
  %x = qnn.dequantize %a scale <dense<0.5> : tensor<f32>> : tensor<1x2xui8> -> tensor<1x2xf32>
  %w = qnn.dequantize %b scale <dense<0.25> : tensor<f32>> zero_point <dense<1.25> : tensor<f32>> : tensor<2x2xi8> -> tensor<2x2xf32>
  %y = nn.mat_mul %x, %w {nn.name = "y"} : (tensor<1x2xf32>, tensor<2x2xf32>) -> tensor<1x2xf32>
  %v = qnn.dequantize %b scale <dense<0.25> : tensor<f32>> zero_point <dense<[[1], [2]]> : tensor<2x1xi8>> : tensor<2x2xi8> -> tensor<2x2xf32>
  %z = nn.mat_mul %x, %v : (tensor<1x2xf32>, tensor<2x2xf32>) -> tensor<1x2xf32>
  func.return %y, %z : tensor<1x2xf32>, tensor<1x2xf32>
}

// 255 * (128 + 1) for each of 65283 products leaves i32.
// CHECK-LABEL: @overflow
// CHECK: nn.mat_mul {{.*}} -> tensor<1x1xi32>
// CHECK: nn.mat_mul {{.*}} lpt.declined = "input 1 is quantized with a zero point
func.func @overflow(%a: tensor<1x65282xui8>, %b: tensor<65282x1xi8>, %c: tensor<1x65283xui8>, %d: tensor<65283x1xi8>) -> (tensor<1x1xf32>, tensor<1x1xf32>) {
  %x = qnn.dequantize %a scale <dense<0.5> : tensor<f32>> : tensor<1x65282xui8> -> tensor<1x65282xf32>
  %w = qnn.dequantize %b scale <dense<0.25> : tensor<f32>> zero_point <dense<1> : tensor<i8>> : tensor<65282x1xi8> -> tensor<65282x1xf32>
  %y = nn.mat_mul %x, %w : (tensor<1x65282xf32>, tensor<65282x1xf32>) -> tensor<1x1xf32>
  %v = qnn.dequantize %c scale <dense<0.5> : tensor<f32>> : tensor<1x65283xui8> -> tensor<1x65283xf32>
  %u = qnn.dequantize %d scale <dense<0.25> : tensor<f32>> zero_point <dense<1> : tensor<i8>> : tensor<65283x1xi8> -> tensor<65283x1xf32>
  %z = nn.mat_mul %v, %u : (tensor<1x65283xf32>, tensor<65283x1xf32>) -> tensor<1x1xf32>
  func.return %y, %z : tensor<1x1xf32>, tensor<1x1xf32>
}
