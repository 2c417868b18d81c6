// RUN: opt-tool %s --lpt-prerequisites | filecheck %s

// CHECK-LABEL: @codes
// CHECK: [[Q:%.*]] = qnn.fake_quantize {{.*}}output_type = ui8{{.*}} -> tensor<4xui8>
// CHECK-NEXT: qnn.dequantize [[Q]] scale <dense<0.5> : tensor<f32>> zero_point <dense<3> : tensor<ui8>>
func.func @codes(%x: tensor<4xf32>, %il: tensor<f32>, %ih: tensor<f32>) -> tensor<4xf32> {
  %ol = nn.constant dense<0.0> : tensor<f32>
  %oh = nn.constant dense<255.0> : tensor<f32>
  %z = nn.constant dense<3.0> : tensor<f32>
  %s = nn.constant dense<0.5> : tensor<f32>
  %f = qnn.fake_quantize %x, %il, %ih, %ol, %oh {levels = 256 : i64} : (tensor<4xf32>, tensor<f32>, tensor<f32>, tensor<f32>, tensor<f32>) -> tensor<4xf32>
  %q = nn.convert %f to ui8 : tensor<4xf32> -> tensor<4xui8>
  %v = nn.convert %q to f32 : tensor<4xui8> -> tensor<4xf32>
  %d = nn.subtract %v, %z : (tensor<4xf32>, tensor<f32>) -> tensor<4xf32>
  %y = nn.multiply %d, %s : (tensor<4xf32>, tensor<f32>) -> tensor<4xf32>
  func.return %y : tensor<4xf32>
}

// Codes that the type does not hold, that lie two apart, between whole numbers, or that are used otherwise.
// CHECK-LABEL: @others
// CHECK-COUNT-4: nn.convert {{.*}} to i8
func.func @others(%x: tensor<4xf32>, %il: tensor<f32>, %ih: tensor<f32>) -> (tensor<4xi8>, tensor<4xi8>, tensor<4xi8>, tensor<4xi8>, tensor<4xf32>) {
  %zero = nn.constant dense<0.0> : tensor<f32>
  %low = nn.constant dense<-128.0> : tensor<f32>
  %half = nn.constant dense<-127.5> : tensor<f32>
  %most = nn.constant dense<127.0> : tensor<f32>
  %more = nn.constant dense<127.5> : tensor<f32>
  %high = nn.constant dense<255.0> : tensor<f32>
  %a = qnn.fake_quantize %x, %il, %ih, %zero, %high {levels = 256 : i64} : (tensor<4xf32>, tensor<f32>, tensor<f32>, tensor<f32>, tensor<f32>) -> tensor<4xf32>
  %p = nn.convert %a to i8 : tensor<4xf32> -> tensor<4xi8>
  %b = qnn.fake_quantize %x, %il, %ih, %low, %most {levels = 16 : i64} : (tensor<4xf32>, tensor<f32>, tensor<f32>, tensor<f32>, tensor<f32>) -> tensor<4xf32>
  %q = nn.convert %b to i8 : tensor<4xf32> -> tensor<4xi8>
  %c = qnn.fake_quantize %x, %il, %ih, %half, %more {levels = 256 : i64} : (tensor<4xf32>, tensor<f32>, tensor<f32>, tensor<f32>, tensor<f32>) -> tensor<4xf32>
  %r = nn.convert %c to i8 : tensor<4xf32> -> tensor<4xi8>
  %d = qnn.fake_quantize %x, %il, %ih, %low, %most {levels = 256 : i64} : (tensor<4xf32>, tensor<f32>, tensor<f32>, tensor<f32>, tensor<f32>) -> tensor<4xf32>
  %s = nn.convert %d to i8 : tensor<4xf32> -> tensor<4xi8>
  func.return %p, %q, %r, %s, %d : tensor<4xi8>, tensor<4xi8>, tensor<4xi8>, tensor<4xi8>, tensor<4xf32>
}

// 16 bits are no codes.
// CHECK-LABEL: @wide
// CHECK: nn.convert {{.*}} to i16
func.func @wide(%x: tensor<4xf32>, %il: tensor<f32>, %ih: tensor<f32>) -> tensor<4xi16> {
  %zero = nn.constant dense<0.0> : tensor<f32>
  %high = nn.constant dense<255.0> : tensor<f32>
  %a = qnn.fake_quantize %x, %il, %ih, %zero, %high {levels = 256 : i64} : (tensor<4xf32>, tensor<f32>, tensor<f32>, tensor<f32>, tensor<f32>) -> tensor<4xf32>
  %p = nn.convert %a to i16 : tensor<4xf32> -> tensor<4xi16>
  func.return %p : tensor<4xi16>
}
