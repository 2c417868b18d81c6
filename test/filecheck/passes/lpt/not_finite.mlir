// RUN: not opt-tool %s --trim=outputs=weights --lpt 2>&1 | filecheck %s --check-prefix WEIGHTS
// RUN: not opt-tool %s --trim=outputs=more_levels --lpt 2>&1 | filecheck %s --check-prefix LEVELS
// RUN: opt-tool %s --trim=outputs=scale --lpt | filecheck %s --check-prefix SCALE
// RUN: opt-tool %s --trim=outputs=zero_point --lpt | filecheck %s --check-prefix ZERO

// NaN is reported before it becomes a code.
// WEIGHTS: error: qnn.fake_quantize 'weights': the constant that it quantizes holds NaN; train or export it again
// LEVELS: error: qnn.fake_quantize 'more_levels': the constant that it quantizes holds NaN; train or export it again
// A scale or a zero point that is not finite is arithmetic as any other, as a preprocessing that divides by 0.
// SCALE: nn.multiply {{.*}}nn.name = "scale"
// ZERO: nn.subtract
// ZERO: nn.multiply {{.*}}nn.name = "zero_point"
func.func @main(%q: tensor<2xi8>) -> (tensor<2xf32>, tensor<2xf32>, tensor<2xf32>, tensor<2xf32>) {
  %nan = nn.constant dense<0x7FC00000> : tensor<f32>
  %infinite = nn.constant dense<0x7F800000> : tensor<f32>
  %high = nn.constant dense<1.27> : tensor<f32>
  %low = nn.constant dense<-1.27> : tensor<f32>
  %w = nn.constant dense<[1.0, 0x7FC00000]> : tensor<2xf32>
  %v = nn.convert %q to f32 : tensor<2xi8> -> tensor<2xf32>
  %u = nn.subtract %v, %nan : (tensor<2xf32>, tensor<f32>) -> tensor<2xf32>
  %0 = qnn.fake_quantize %w, %low, %high, %low, %high {levels = 255 : i64, nn.name = "weights"} : (tensor<2xf32>, tensor<f32>, tensor<f32>, tensor<f32>, tensor<f32>) -> tensor<2xf32>
  %1 = qnn.fake_quantize %w, %low, %high, %low, %high {levels = 1000 : i64, nn.name = "more_levels"} : (tensor<2xf32>, tensor<f32>, tensor<f32>, tensor<f32>, tensor<f32>) -> tensor<2xf32>
  %2 = nn.multiply %v, %infinite {nn.name = "scale"} : (tensor<2xf32>, tensor<f32>) -> tensor<2xf32>
  %3 = nn.multiply %u, %high {nn.name = "zero_point"} : (tensor<2xf32>, tensor<f32>) -> tensor<2xf32>
  func.return %0, %1, %2, %3 : tensor<2xf32>, tensor<2xf32>, tensor<2xf32>, tensor<2xf32>
}
