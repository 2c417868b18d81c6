// RUN: opt-tool %s --split-input-file --convolution-multiply-fusion | filecheck %s

// A batch normalization: its scales go into the filters and the bias, its offsets into the bias.
// CHECK-LABEL: func.func @normalized(
// CHECK-NEXT:    %[[F:.*]] = nn.constant dense<{{\[\[\[2.0\]\], \[\[6.0\]\]\]}}> : tensor<2x1x1xf32>
// CHECK-NEXT:    %[[X:.*]] = nn.convolution %x, %[[F]]
// CHECK-NEXT:    %[[B:.*]] = nn.constant dense<{{\[\[\[11.0\], \[35.0\]\]\]}}> : tensor<1x2x1xf32>
// CHECK-NEXT:    %[[Y:.*]] = nn.add %[[X]], %[[B]]
// CHECK-NEXT:    func.return %[[Y]]
func.func @normalized(%x: tensor<1x1x4xf32>) -> tensor<1x2x4xf32> {
  %f = nn.constant dense<[[[1.0]], [[2.0]]]> : tensor<2x1x1xf32>
  %b = nn.constant dense<[[5.0], [10.0]]> : tensor<2x1xf32>
  %scale = nn.constant dense<[[2.0], [3.0]]> : tensor<2x1xf32>
  %offset = nn.constant dense<[[1.0], [5.0]]> : tensor<2x1xf32>
  %0 = nn.convolution %x, %f {strides = array<i64: 1>, dilations = array<i64: 1>, pads_begin = array<i64: 0>, pads_end = array<i64: 0>} : (tensor<1x1x4xf32>, tensor<2x1x1xf32>) -> tensor<1x2x4xf32>
  %1 = nn.add %0, %b : (tensor<1x2x4xf32>, tensor<2x1xf32>) -> tensor<1x2x4xf32>
  %2 = nn.multiply %scale, %1 : (tensor<2x1xf32>, tensor<1x2x4xf32>) -> tensor<1x2x4xf32>
  %3 = nn.add %2, %offset : (tensor<1x2x4xf32>, tensor<2x1xf32>) -> tensor<1x2x4xf32>
  func.return %3 : tensor<1x2x4xf32>
}

// -----

// Scales of columns are no scales of outputs; constants of outputs and of columns together would be a matrix.
// CHECK-LABEL: func.func @other_axes(
// CHECK:         nn.convolution
// CHECK-NEXT:    nn.multiply
// CHECK-NEXT:    nn.convolution
// CHECK-NEXT:    nn.add
// CHECK-NEXT:    nn.add
func.func @other_axes(%x: tensor<1x1x4xf32>) -> (tensor<1x2x4xf32>, tensor<1x2x4xf32>) {
  %f = nn.constant dense<[[[1.0]], [[2.0]]]> : tensor<2x1x1xf32>
  %b = nn.constant dense<[[5.0], [10.0]]> : tensor<2x1xf32>
  %columns = nn.constant dense<[1.0, 2.0, 3.0, 4.0]> : tensor<4xf32>
  %0 = nn.convolution %x, %f {strides = array<i64: 1>, dilations = array<i64: 1>, pads_begin = array<i64: 0>, pads_end = array<i64: 0>} : (tensor<1x1x4xf32>, tensor<2x1x1xf32>) -> tensor<1x2x4xf32>
  %1 = nn.multiply %0, %columns : (tensor<1x2x4xf32>, tensor<4xf32>) -> tensor<1x2x4xf32>
  %2 = nn.convolution %x, %f {strides = array<i64: 1>, dilations = array<i64: 1>, pads_begin = array<i64: 0>, pads_end = array<i64: 0>} : (tensor<1x1x4xf32>, tensor<2x1x1xf32>) -> tensor<1x2x4xf32>
  %3 = nn.add %2, %b : (tensor<1x2x4xf32>, tensor<2x1xf32>) -> tensor<1x2x4xf32>
  %4 = nn.add %3, %columns : (tensor<1x2x4xf32>, tensor<4xf32>) -> tensor<1x2x4xf32>
  func.return %1, %4 : tensor<1x2x4xf32>, tensor<1x2x4xf32>
}

// -----

// Somebody else reads the sum; and a product of matrices keeps its weights, which may be large.
// CHECK-LABEL: func.func @read_twice(
// CHECK:         nn.convolution
// CHECK-NEXT:    nn.multiply
// CHECK-NEXT:    nn.add
// CHECK:         nn.mat_mul
// CHECK-NEXT:    nn.multiply
func.func @read_twice(%x: tensor<1x1x4xf32>, %y: tensor<1x1xf32>) -> (tensor<1x2x4xf32>, tensor<1x2xf32>) {
  %f = nn.constant dense<[[[1.0]], [[2.0]]]> : tensor<2x1x1xf32>
  %w = nn.constant dense<[[1.0, 2.0]]> : tensor<1x2xf32>
  %s = nn.constant dense<2.0> : tensor<f32>
  %0 = nn.convolution %x, %f {strides = array<i64: 1>, dilations = array<i64: 1>, pads_begin = array<i64: 0>, pads_end = array<i64: 0>} : (tensor<1x1x4xf32>, tensor<2x1x1xf32>) -> tensor<1x2x4xf32>
  %1 = nn.multiply %0, %s : (tensor<1x2x4xf32>, tensor<f32>) -> tensor<1x2x4xf32>
  %2 = nn.add %1, %0 : (tensor<1x2x4xf32>, tensor<1x2x4xf32>) -> tensor<1x2x4xf32>
  %3 = nn.mat_mul %y, %w {transpose_a = false, transpose_b = false} : (tensor<1x1xf32>, tensor<1x2xf32>) -> tensor<1x2xf32>
  %4 = nn.multiply %3, %s : (tensor<1x2xf32>, tensor<f32>) -> tensor<1x2xf32>
  func.return %2, %4 : tensor<1x2x4xf32>, tensor<1x2xf32>
}
