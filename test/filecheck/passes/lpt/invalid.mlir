// RUN: not opt-tool %s --lpt=preset=tpu 2>&1 | filecheck %s --check-prefix PRESET
// RUN: not opt-tool %s --lpt-main=only=mat_mull 2>&1 | filecheck %s --check-prefix ONLY
// RUN: opt-tool %s --lpt-main=only=relu | filecheck %s --check-prefix RELU

// PRESET: error: lpt has no preset 'tpu'; there is cpu-x86
// ONLY: error: lpt has no transformation 'mat_mull'; there is mat_mul

// Only what was asked for.
// RELU: nn.relu %q : tensor<4xi8>
// RELU: nn.unsqueeze %x
func.func @main(%q: tensor<4xi8>) -> (tensor<4xf32>, tensor<1x4xf32>) {
  %x = qnn.dequantize %q scale <dense<0.5> : tensor<f32>> : tensor<4xi8> -> tensor<4xf32>
  %y = nn.relu %x : tensor<4xf32>
  %axis = nn.constant dense<0> : tensor<i64>
  %z = nn.unsqueeze %x, %axis : (tensor<4xf32>, tensor<i64>) -> tensor<1x4xf32>
  func.return %y, %z : tensor<4xf32>, tensor<1x4xf32>
}
