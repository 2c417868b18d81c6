// What each step leaves of a quantized convolution: intervals, codes and scales.
// RUN: opt-tool %s --lpt-prerequisites --lpt-markup | filecheck %s --check-prefix MARKUP
// RUN: opt-tool %s --lpt-prerequisites --lpt-markup --lpt-main | filecheck %s --check-prefix MAIN
// RUN: opt-tool %s --lpt-prerequisites --lpt-markup --lpt-main --lpt-cleanup | filecheck %s --check-prefix CLEANUP

// Signed data of convolutions gets u8 on cpu-x86, and 128 for a zero point, which is 128 times the sum of the
// weights behind the product.
// MARKUP-LABEL: @signed_data
// MARKUP: qnn.fake_quantize {{.*}} {nn.name = "fq", lpt.precisions = {output0 = [ui8]}
// MARKUP: qnn.fake_quantize {{.*}} {nn.name = "wfq", lpt.precisions = {output0 = [i8]}
// MARKUP: nn.convolution {{.*}}lpt.precisions = {input0 = [ui8], input1 = [i8]}

// MAIN-LABEL: @signed_data
// MAIN-DAG: [[FIRST:%.*]] = nn.constant dense<0.0> : tensor<f32>
// MAIN-DAG: [[LAST:%.*]] = nn.constant dense<255.0> : tensor<f32>
// MAIN: [[Q:%.*]] = qnn.fake_quantize %x, {{%[a-z]+}}, {{%[a-z]+}}, [[FIRST]], [[LAST]] {{.*}}output_type = ui8
// MAIN: [[W:%.*]] = nn.constant {{.*}}dense<{{\[\[\[5\], \[-2\]\]\]|\[\[\[5\]\], \[\[-2\]\]\]}}> : tensor<2x1x1xi8>
// MAIN: [[C:%.*]] = nn.convolution [[Q]], [[W]] {nn.name = "conv_original"
// MAIN-NEXT: qnn.dequantize [[C]] scale <dense<0.0001> : tensor<f32>> zero_point <dense<{{\[\[\[640\], \[-256\]\]\]}}> : tensor<1x2x1xi32>> {nn.name = "conv"}

// CLEANUP-LABEL: @signed_data
// CLEANUP: [[C:%.*]] = nn.convolution
// CLEANUP-NEXT: [[F:%.*]] = nn.convert [[C]] to f32
// CLEANUP-NEXT: [[Z:%.*]] = nn.constant dense<{{\[\[\[640.0\], \[-256.0\]\]\]}}>
// CLEANUP-NEXT: [[D:%.*]] = nn.subtract [[F]], [[Z]]
// CLEANUP-NEXT: [[S:%.*]] = nn.constant dense<0.0001>
// CLEANUP-NEXT: nn.multiply [[D]], [[S]] {nn.name = "conv"}
func.func @signed_data(%x: tensor<1x1x4xf32>) -> tensor<1x2x4xf32> {
  %l = nn.constant dense<-1.28> : tensor<f32>
  %h = nn.constant dense<1.27> : tensor<f32>
  %wl = nn.constant dense<-1.27> : tensor<f32>
  %w = nn.constant dense<[[[0.05]], [[-0.02]]]> : tensor<2x1x1xf32>
  %q = qnn.fake_quantize %x, %l, %h, %l, %h {levels = 256 : i64, nn.name = "fq"} : (tensor<1x1x4xf32>, tensor<f32>, tensor<f32>, tensor<f32>, tensor<f32>) -> tensor<1x1x4xf32>
  %f = qnn.fake_quantize %w, %wl, %h, %wl, %h {levels = 255 : i64, nn.name = "wfq"} : (tensor<2x1x1xf32>, tensor<f32>, tensor<f32>, tensor<f32>, tensor<f32>) -> tensor<2x1x1xf32>
  %y = nn.convolution %q, %f {strides = array<i64: 1>, pads_begin = array<i64: 0>, pads_end = array<i64: 0>, dilations = array<i64: 1>, nn.name = "conv"} : (tensor<1x1x4xf32>, tensor<2x1x1xf32>) -> tensor<1x2x4xf32>
  func.return %y : tensor<1x2x4xf32>
}
