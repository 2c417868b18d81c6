// RUN: opt-tool %s --lpt-cleanup | filecheck %s

// CHECK-LABEL: @main
// CHECK: nn.mat_mul %a, %b {lpt.declined = "because"}
// CHECK: nn.add {{%[a-z0-9_]*}}, %c : (
// CHECK: nn.relu {{%[a-z0-9_]*}} : tensor
func.func @main(%a: tensor<2x2xf32>, %b: tensor<2x2xf32>) -> tensor<2x2xf32> {
  %y = nn.mat_mul %a, %b {lpt.precisions = {input0 = [ui8]}, lpt.quantization_granularity = {input0 = "per_tensor"}, lpt.declined = "because"} : (tensor<2x2xf32>, tensor<2x2xf32>) -> tensor<2x2xf32>
  %c = nn.constant dense<1.0> : tensor<f32>
  %z = nn.add %y, %c {lpt.bias} : (tensor<2x2xf32>, tensor<f32>) -> tensor<2x2xf32>
  %r = nn.relu %z {lpt.precision_preserved} : tensor<2x2xf32>
  func.return %r : tensor<2x2xf32>
}
