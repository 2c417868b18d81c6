// RUN: opt-tool %s --nn-to-tfl --tfl-weights='type=int8 least=4' | filecheck %s
// RUN: opt-tool %s --nn-to-tfl --tfl-weights='type=float16 least=4' | filecheck %s --check-prefix HALF

// A scale for each output, and for the sum none: it is no weight.
// CHECK:      #nn.blob<dense<{{\[\[}}127, 64], [127, -127]]> : tensor<2x2xi8>>
// CHECK-SAME:   -> tensor<2x2x!quant.uniform<i8:f32:0, {
// CHECK:      "tfl.fully_connected"
// CHECK-SAME:   (tensor<1x2xf32>, tensor<2x2x!quant.uniform<i8:f32:0, {{.*}}>>, none) -> tensor<1x2xf32>
// CHECK:      dense<{{.*}}> : tensor<2x2xf32>
// CHECK-NEXT: "tfl.add"

// HALF:      tensor<2x2xf16>
// HALF:      [[W:%.*]] = "tfl.dequantize"(%{{.*}}) : (tensor<2x2xf16>) -> tensor<2x2xf32>
// HALF:      "tfl.fully_connected"(%x, [[W]]
func.func @main(%x: tensor<1x2xf32>) -> tensor<2x2xf32> {
  %w = nn.constant dense<[[2.0, 1.0], [3.0, -3.0]]> : tensor<2x2xf32>
  %c = nn.constant dense<[[1.0, 2.0], [3.0, 4.0]]> : tensor<2x2xf32>
  %y = nn.mat_mul %x, %w {transpose_b = true} : (tensor<1x2xf32>, tensor<2x2xf32>) -> tensor<1x2xf32>
  %z = nn.add %y, %c : (tensor<1x2xf32>, tensor<2x2xf32>) -> tensor<2x2xf32>
  func.return %z : tensor<2x2xf32>
}
