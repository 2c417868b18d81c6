// Codes are given and taken; between operations are the numbers that they stand for.
// RUN: opt-tool %s --legalize-tfl-to-nn --dce | filecheck %s

// `q = quantize(relu(scale * (x - zero_point)))`
// CHECK-LABEL: @codes(
// CHECK-NEXT: %0 = qnn.dequantize %x scale <dense<0.5> : tensor<f32>> zero_point <dense<3> : tensor<i8>> : tensor<2xi8> -> tensor<2xf32>
// CHECK-NEXT: %1 = nn.relu %0 : tensor<2xf32>
// CHECK-NEXT: %2 = nn.constant dense<0.0> : tensor<f32>
// CHECK-NEXT: %3 = nn.constant dense<63.75> : tensor<f32>
// CHECK-NEXT: %4 = nn.constant dense<0.0> : tensor<f32>
// CHECK-NEXT: %5 = nn.constant dense<63.75> : tensor<f32>
// CHECK-NEXT: %6 = qnn.fake_quantize %1, %2, %3, %4, %5 {levels = 256 : i64} : (tensor<2xf32>, tensor<f32>, tensor<f32>, tensor<f32>, tensor<f32>) -> tensor<2xf32>
// CHECK-NEXT: %7 = nn.constant dense<0.0> : tensor<f32>
// CHECK-NEXT: %8 = nn.constant dense<63.75> : tensor<f32>
// CHECK-NEXT: %9 = nn.constant dense<-128.0> : tensor<f32>
// CHECK-NEXT: %10 = nn.constant dense<127.0> : tensor<f32>
// CHECK-NEXT: %11 = qnn.fake_quantize %6, %7, %8, %9, %10 {levels = 256 : i64, output_type = i8} : (tensor<2xf32>, tensor<f32>, tensor<f32>, tensor<f32>, tensor<f32>) -> tensor<2xi8>
// CHECK-NEXT: func.return %11 : tensor<2xi8>
// CHECK-NEXT: }
func.func @codes(%x: tensor<2x!quant.uniform<i8:f32, 0.5:3>>) -> tensor<2x!quant.uniform<i8:f32, 0.25:-128>> {
  %0 = "tfl.relu"(%x) : (tensor<2x!quant.uniform<i8:f32, 0.5:3>>) -> tensor<2x!quant.uniform<i8:f32, 0.25:-128>>
  func.return %0 : tensor<2x!quant.uniform<i8:f32, 0.25:-128>>
}

// Scales along an axis are a vector there; a bias in 32 bits is what it stands for.
// CHECK-LABEL: @weights(
// CHECK-NEXT: %0 = nn.constant {nn.name = "w"} dense<[[1, 2], [3, 4]]> : tensor<2x2xi8>
// CHECK-NEXT: %1 = qnn.dequantize %0 scale <dense<[[0.5], [0.25]]> : tensor<2x1xf32>> : tensor<2x2xi8> -> tensor<2x2xf32>
// CHECK-NEXT: %2 = nn.constant {nn.name = "b"} dense<[2.0, 4.0]> : tensor<2xf32>
// CHECK-NEXT: %3 = nn.mat_mul %x, %1 {transpose_b = true} : (tensor<1x2xf32>, tensor<2x2xf32>) -> tensor<1x2xf32>
// CHECK-NEXT: %4 = nn.add %3, %2 : (tensor<1x2xf32>, tensor<2xf32>) -> tensor<1x2xf32>
// CHECK-NEXT: func.return %4 : tensor<1x2xf32>
// CHECK-NEXT: }
func.func @weights(%x: tensor<1x2xf32>) -> tensor<1x2xf32> {
  %w = "tfl.pseudo_const"() <{value = dense<[[1, 2], [3, 4]]> : tensor<2x2xi8>}> {nn.name = "w"} : () -> tensor<2x2x!quant.uniform<i8:f32:0, {0.5, 0.25}>>
  %b = "tfl.pseudo_const"() <{value = dense<[4, 8]> : tensor<2xi32>}> {nn.name = "b"} : () -> tensor<2x!quant.uniform<i32:f32, 0.5>>
  %0 = "tfl.fully_connected"(%x, %w, %b) <{fused_activation_function = "NONE", weights_format = "DEFAULT", keep_num_dims = false}> : (tensor<1x2xf32>, tensor<2x2x!quant.uniform<i8:f32:0, {0.5, 0.25}>>, tensor<2x!quant.uniform<i32:f32, 0.5>>) -> tensor<1x2xf32>
  func.return %0 : tensor<1x2xf32>
}

// Elements that only move are of the grid that they were of.
// CHECK-LABEL: @moved(
// CHECK-NEXT: %0 = qnn.dequantize %x scale <dense<0.5> : tensor<f32>> : tensor<2x3xi8> -> tensor<2x3xf32>
// CHECK-NEXT: %1 = nn.constant dense<[1, 0]> : tensor<2xi64>
// CHECK-NEXT: %2 = nn.transpose %0, %1 : (tensor<2x3xf32>, tensor<2xi64>) -> tensor<3x2xf32>
// CHECK-NEXT: %3 = nn.constant dense<-64.0> : tensor<f32>
// CHECK-NEXT: %4 = nn.constant dense<63.5> : tensor<f32>
// CHECK-NEXT: %5 = nn.constant dense<-128.0> : tensor<f32>
// CHECK-NEXT: %6 = nn.constant dense<127.0> : tensor<f32>
// CHECK-NEXT: %7 = qnn.fake_quantize %2, %3, %4, %5, %6 {levels = 256 : i64, output_type = i8} : (tensor<3x2xf32>, tensor<f32>, tensor<f32>, tensor<f32>, tensor<f32>) -> tensor<3x2xi8>
// CHECK-NEXT: func.return %7 : tensor<3x2xi8>
// CHECK-NEXT: }
func.func @moved(%x: tensor<2x3x!quant.uniform<i8:f32, 0.5>>) -> tensor<3x2x!quant.uniform<i8:f32, 0.5>> {
  %p = "tfl.pseudo_const"() <{value = dense<[1, 0]> : tensor<2xi32>}> : () -> tensor<2xi32>
  %0 = "tfl.transpose"(%x, %p) : (tensor<2x3x!quant.uniform<i8:f32, 0.5>>, tensor<2xi32>) -> tensor<3x2x!quant.uniform<i8:f32, 0.5>>
  func.return %0 : tensor<3x2x!quant.uniform<i8:f32, 0.5>>
}

// A reshape that gives codes another scale and zero point leaves them as they are.
// CHECK-LABEL: @another_meaning(
// CHECK-NEXT: %0 = qnn.dequantize %x scale <dense<0.5> : tensor<f32>>
// CHECK: %5 = qnn.fake_quantize %0, {{.*}} output_type = i8
// CHECK: %7 = nn.reshape %5, {{.*}} -> tensor<3x2xi8>
// CHECK-NEXT: %8 = qnn.dequantize %7 scale <dense<0.25> : tensor<f32>> zero_point <dense<7> : tensor<i8>>
// CHECK: qnn.fake_quantize %8, {{.*}} output_type = i8
func.func @another_meaning(%x: tensor<2x3x!quant.uniform<i8:f32, 0.5>>) -> tensor<3x2x!quant.uniform<i8:f32, 0.25:7>> {
  %s = "tfl.pseudo_const"() <{value = dense<[3, 2]> : tensor<2xi32>}> : () -> tensor<2xi32>
  %0 = "tfl.reshape"(%x, %s) : (tensor<2x3x!quant.uniform<i8:f32, 0.5>>, tensor<2xi32>) -> tensor<3x2x!quant.uniform<i8:f32, 0.25:7>>
  func.return %0 : tensor<3x2x!quant.uniform<i8:f32, 0.25:7>>
}

// One that keeps them moves what they stand for.
// CHECK-LABEL: @same_meaning(
// CHECK-NEXT: %0 = qnn.dequantize %x scale <dense<0.5> : tensor<f32>>
// CHECK: %2 = nn.reshape %0, {{.*}} -> tensor<3x2xf32>
// CHECK: qnn.fake_quantize %2, {{.*}} output_type = i8
func.func @same_meaning(%x: tensor<2x3x!quant.uniform<i8:f32, 0.5>>) -> tensor<3x2x!quant.uniform<i8:f32, 0.5>> {
  %s = "tfl.pseudo_const"() <{value = dense<[3, 2]> : tensor<2xi32>}> : () -> tensor<2xi32>
  %0 = "tfl.reshape"(%x, %s) : (tensor<2x3x!quant.uniform<i8:f32, 0.5>>, tensor<2xi32>) -> tensor<3x2x!quant.uniform<i8:f32, 0.5>>
  func.return %0 : tensor<3x2x!quant.uniform<i8:f32, 0.5>>
}

// Codes that are fewer than their type has are the levels of a FakeQuantize.
// CHECK-LABEL: @narrow(
// CHECK: nn.constant dense<-31.75> : tensor<f32>
// CHECK: nn.constant dense<-127.0> : tensor<f32>
// CHECK: qnn.fake_quantize {{.*}} {levels = 255 : i64, output_type = i8}
func.func @narrow(%x: tensor<2xf32>) -> tensor<2x!quant.uniform<i8<-127:127>:f32, 0.25>> {
  %0 = "tfl.quantize"(%x) {qtype = tensor<2x!quant.uniform<i8<-127:127>:f32, 0.25>>} : (tensor<2xf32>) -> tensor<2x!quant.uniform<i8<-127:127>:f32, 0.25>>
  func.return %0 : tensor<2x!quant.uniform<i8<-127:127>:f32, 0.25>>
}
