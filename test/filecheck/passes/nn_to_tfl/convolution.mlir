// RUN: not opt-tool %s --split-input-file --nn-to-tfl 2>&1 | filecheck %s
// RUN: not opt-tool %s --split-input-file --nn-to-tfl 2>&1 | filecheck %s --check-prefix REFUSED

// Padding of SAME is the kernel's own; filters are put in LiteRT's order.
// CHECK:      [[X:%.*]] = "tfl.transpose"(%x, 
// CHECK:      [[W:%.*]] = "tfl.pseudo_const"() {{.*}} -> tensor<2x3x3x1xf32>
// CHECK:      "tfl.conv_2d"([[X]], [[W]], %{{.*}}) <{{{.*}}padding = "SAME"
func.func @main(%x: tensor<1x1x4x4xf32>) -> tensor<1x2x4x4xf32> {
  %w = nn.constant dense<[[[[1.0, 2.0, 3.0], [4.0, 5.0, 6.0], [7.0, 8.0, 9.0]]], [[[1.0, 1.0, 1.0], [1.0, 1.0, 1.0], [1.0, 1.0, 1.0]]]]> : tensor<2x1x3x3xf32>
  %y = nn.convolution %x, %w {strides = array<i64: 1, 1>, pads_begin = array<i64: 1, 1>, pads_end = array<i64: 1, 1>, dilations = array<i64: 1, 1>} : (tensor<1x1x4x4xf32>, tensor<2x1x3x3xf32>) -> tensor<1x2x4x4xf32>
  func.return %y : tensor<1x2x4x4xf32>
}

// -----

// Padding of one side only stands in front.
// CHECK:      [[PADS:%.*]] = "tfl.pseudo_const"() <{value = #nn.blob<dense<{{\[\[0, 0\], \[0, 0\], \[1, 0\], \[0, 0\]\]}}>
// CHECK:      [[X:%.*]] = "tfl.pad"(%{{.*}}, [[PADS]])
// CHECK:      "tfl.conv_2d"([[X]], {{.*}}padding = "VALID"
func.func @main(%x: tensor<1x1x4x4xf32>) -> tensor<1x1x3x4xf32> {
  %w = nn.constant dense<2.0> : tensor<1x1x2x2xf32>
  %y = nn.convolution %x, %w {strides = array<i64: 1, 1>, pads_begin = array<i64: 0, 1>, pads_end = array<i64: 0, 0>, dilations = array<i64: 1, 1>} : (tensor<1x1x4x4xf32>, tensor<1x1x2x2xf32>) -> tensor<1x1x3x4xf32>
  func.return %y : tensor<1x1x3x4xf32>
}

// -----

// How much stands in front depends on a size that is unknown.
// REFUSED: nn.convolution: cannot be written for LiteRT: its padding depends on an unknown size; give the inputs shapes first
func.func @main(%x: tensor<1x1x?x4xf32>) -> tensor<1x1x?x4xf32> {
  %w = nn.constant dense<2.0> : tensor<1x1x2x2xf32>
  %y = nn.convolution %x, %w {strides = array<i64: 2, 1>, pads_begin = array<i64: 0, 0>, pads_end = array<i64: 0, 0>, dilations = array<i64: 1, 1>, auto_pad = "same_lower"} : (tensor<1x1x?x4xf32>, tensor<1x1x2x2xf32>) -> tensor<1x1x?x4xf32>
  func.return %y : tensor<1x1x?x4xf32>
}
