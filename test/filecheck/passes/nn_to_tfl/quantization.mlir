// RUN: opt-tool %s --split-input-file --nn-to-tfl | filecheck %s

// A product between fake quantizations is one operator on codes, its bias and activation in it.
// CHECK:      [[X:%.*]] = "tfl.quantize"(%x) : (tensor<1x2xf32>) -> tensor<1x2x!quant.uniform<i8:f32, 0.01>>
// CHECK:      [[Y:%.*]] = "tfl.fully_connected"([[X]], {{.*}}fused_activation_function = "RELU"{{.*}}-> tensor<1x1x!quant.uniform<i8:f32, 0.01:-128>>
// CHECK-NEXT: "tfl.dequantize"([[Y]])
func.func @main(%x: tensor<1x2xf32>) -> tensor<1x1xf32> {
  %low = nn.constant dense<-1.28> : tensor<f32>
  %high = nn.constant dense<1.27> : tensor<f32>
  %wl = nn.constant dense<-1.27> : tensor<f32>
  %zero = nn.constant dense<0.0> : tensor<f32>
  %top = nn.constant dense<2.55> : tensor<f32>
  %w = nn.constant dense<[[0.5, 1.27]]> : tensor<1x2xf32>
  %bias = nn.constant dense<0.25> : tensor<1xf32>
  %q = qnn.fake_quantize %x, %low, %high, %low, %high {levels = 256 : i64} : (tensor<1x2xf32>, tensor<f32>, tensor<f32>, tensor<f32>, tensor<f32>) -> tensor<1x2xf32>
  %wq = qnn.fake_quantize %w, %wl, %high, %wl, %high {levels = 255 : i64} : (tensor<1x2xf32>, tensor<f32>, tensor<f32>, tensor<f32>, tensor<f32>) -> tensor<1x2xf32>
  %p = nn.mat_mul %q, %wq {transpose_b = true} : (tensor<1x2xf32>, tensor<1x2xf32>) -> tensor<1x1xf32>
  %s = nn.add %p, %bias : (tensor<1x1xf32>, tensor<1xf32>) -> tensor<1x1xf32>
  %r = nn.relu %s : tensor<1x1xf32>
  %y = qnn.fake_quantize %r, %zero, %top, %zero, %top {levels = 256 : i64} : (tensor<1x1xf32>, tensor<f32>, tensor<f32>, tensor<f32>, tensor<f32>) -> tensor<1x1xf32>
  func.return %y : tensor<1x1xf32>
}

// -----

// No code stands for 0: the numbers are rounded as they are.
// CHECK-NOT:  tfl.quantize
// CHECK:      "tfl.round"
func.func @main(%x: tensor<1x2xf32>) -> tensor<1x2xf32> {
  %low = nn.constant dense<0.5> : tensor<f32>
  %high = nn.constant dense<1.0> : tensor<f32>
  %q = qnn.fake_quantize %x, %low, %high, %low, %high {levels = 256 : i64} : (tensor<1x2xf32>, tensor<f32>, tensor<f32>, tensor<f32>, tensor<f32>) -> tensor<1x2xf32>
  func.return %q : tensor<1x2xf32>
}
