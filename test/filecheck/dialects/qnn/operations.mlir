// Every operation of qnn reads what it prints, in the custom and in the generic form.
// RUN: opt-tool %s | opt-tool | filecheck %s
// RUN: opt-tool %s --print-op-generic | opt-tool | filecheck %s

// CHECK-LABEL: @fake_quantize(
func.func @fake_quantize(%x: tensor<1x2x?xf32>, %il: tensor<1x2x1xf32>, %limit: tensor<f32>) {
  // CHECK-NEXT: %0 = qnn.fake_quantize %x, %il, %limit, %limit, %limit {levels = 256 : i64} : (tensor<1x2x?xf32>, tensor<1x2x1xf32>, tensor<f32>, tensor<f32>, tensor<f32>) -> tensor<1x2x?xf32>
  %0 = qnn.fake_quantize %x, %il, %limit, %limit, %limit {levels = 256 : i64} : (tensor<1x2x?xf32>, tensor<1x2x1xf32>, tensor<f32>, tensor<f32>, tensor<f32>) -> tensor<1x2x?xf32>
  // CHECK-NEXT: %1 = qnn.fake_quantize %x, %il, %limit, %limit, %limit {nn.name = "FQ", levels = 255 : i64, output_type = i8} : (tensor<1x2x?xf32>, tensor<1x2x1xf32>, tensor<f32>, tensor<f32>, tensor<f32>) -> tensor<1x2x?xi8>
  %1 = qnn.fake_quantize %x, %il, %limit, %limit, %limit {levels = 255 : i64, output_type = i8, nn.name = "FQ"} : (tensor<1x2x?xf32>, tensor<1x2x1xf32>, tensor<f32>, tensor<f32>, tensor<f32>) -> tensor<1x2x?xi8>
  // CHECK-NEXT: func.return
  func.return
}

// CHECK-LABEL: @dequantize(
func.func @dequantize(%q: tensor<2x4xui8>, %i: tensor<2x4xi32>, %f: tensor<4xf32>) {
  // CHECK-NEXT: %0 = qnn.dequantize %q scale <dense<0.5> : tensor<f32>> zero_point <dense<128> : tensor<ui8>> : tensor<2x4xui8> -> tensor<2x4xf32>
  %0 = qnn.dequantize %q scale <dense<0.5> : tensor<f32>> zero_point <dense<128> : tensor<ui8>> : tensor<2x4xui8> -> tensor<2x4xf32>
  // CHECK-NEXT: %1 = qnn.dequantize %i scale <dense<{{\[\[}}0.5], [0.25]]> : tensor<2x1xf32>> : tensor<2x4xi32> -> tensor<2x4xf32>
  %1 = qnn.dequantize %i scale <dense<[[0.5], [0.25]]> : tensor<2x1xf32>> : tensor<2x4xi32> -> tensor<2x4xf32>
  // CHECK-NEXT: %2 = qnn.dequantize %f scale <dense<0.5> : tensor<4xf32>> {nn.name = "dq"} : tensor<4xf32> -> tensor<4xf32>
  %2 = qnn.dequantize %f scale <dense<0.5> : tensor<4xf32>> {nn.name = "dq"} : tensor<4xf32> -> tensor<4xf32>
  // CHECK-NEXT: %3 = qnn.dequantize %q scale <dense<0.5> : tensor<f32>> {output_type = f16} : tensor<2x4xui8> -> tensor<2x4xf16>
  %3 = qnn.dequantize %q scale <dense<0.5> : tensor<f32>> {output_type = f16} : tensor<2x4xui8> -> tensor<2x4xf16>
  // CHECK-NEXT: func.return
  func.return
}

// With two levels, the input interval may be one point.
// CHECK-LABEL: @binarization(
func.func @binarization(%x: tensor<2xf32>) {
  // CHECK: qnn.fake_quantize
  %point = nn.constant dense<0.5> : tensor<f32>
  %low = nn.constant dense<-1.0> : tensor<f32>
  %high = nn.constant dense<1.0> : tensor<f32>
  %0 = qnn.fake_quantize %x, %point, %point, %low, %high {levels = 2 : i64} : (tensor<2xf32>, tensor<f32>, tensor<f32>, tensor<f32>, tensor<f32>) -> tensor<2xf32>
  func.return
}

// A channel whose intervals are both one point was pruned, and is no error.
// CHECK-LABEL: @a_pruned_channel(
func.func @a_pruned_channel(%x: tensor<2xf32>) {
  // CHECK: qnn.fake_quantize
  %low = nn.constant dense<0.0> : tensor<f32>
  %high = nn.constant dense<[1.0, 0.0]> : tensor<2xf32>
  %0 = qnn.fake_quantize %x, %low, %high, %low, %high {levels = 256 : i64} : (tensor<2xf32>, tensor<f32>, tensor<2xf32>, tensor<f32>, tensor<2xf32>) -> tensor<2xf32>
  func.return
}
