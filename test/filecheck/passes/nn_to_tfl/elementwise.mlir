// RUN: not opt-tool %s --split-input-file --nn-to-tfl 2>&1 | filecheck %s
// RUN: not opt-tool %s --split-input-file --nn-to-tfl 2>&1 | filecheck %s --check-prefix REFUSED

// Both operands lie with channels last, as the convolution in front gives them: nothing is transposed in between.
// CHECK:      [[A:%.*]] = "tfl.conv_2d"
// CHECK-NEXT: [[B:%.*]] = "tfl.logistic"([[A]])
// CHECK-NEXT: "tfl.mul"([[A]], [[B]])
func.func @main(%x: tensor<1x2x4x4xf32>) -> tensor<1x2x4x4xf32> {
  %w = nn.constant dense<1.0> : tensor<2x2x1x1xf32>
  %a = nn.convolution %x, %w {strides = array<i64: 1, 1>, pads_begin = array<i64: 0, 0>, pads_end = array<i64: 0, 0>, dilations = array<i64: 1, 1>} : (tensor<1x2x4x4xf32>, tensor<2x2x1x1xf32>) -> tensor<1x2x4x4xf32>
  %b = nn.sigmoid %a : tensor<1x2x4x4xf32>
  %c = nn.multiply %a, %b : (tensor<1x2x4x4xf32>, tensor<1x2x4x4xf32>) -> tensor<1x2x4x4xf32>
  func.return %c : tensor<1x2x4x4xf32>
}

// -----

// What the kernel does not take is computed in a type that holds it.
// CHECK:      [[X:%.*]] = "tfl.cast"(%x) : (tensor<4xf16>) -> tensor<4xf32>
// CHECK-NEXT: [[Y:%.*]] = "tfl.exp"([[X]])
// CHECK-NEXT: "tfl.cast"([[Y]])
func.func @main(%x: tensor<4xf16>) -> tensor<4xf16> {
  %y = nn.exp %x : tensor<4xf16>
  func.return %y : tensor<4xf16>
}

// -----

// A model that is LiteRT's already.
// REFUSED: tfl.exp: cannot be written for LiteRT: it is LiteRT's already; run legalize-tfl-to-nn on the model first
func.func @main(%x: tensor<4xf32>) -> tensor<4xf32> {
  %y = "tfl.exp"(%x) : (tensor<4xf32>) -> tensor<4xf32>
  func.return %y : tensor<4xf32>
}

// -----

// No type of the kernel holds every f64.
// REFUSED: nn.exp: cannot be written for LiteRT: LiteRT's EXP computes in float32, not in float64; convert the model to one of these
func.func @main(%x: tensor<4xf64>) -> tensor<4xf64> {
  %y = nn.exp %x : tensor<4xf64>
  func.return %y : tensor<4xf64>
}
