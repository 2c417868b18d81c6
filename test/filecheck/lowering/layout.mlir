// RUN: opt-tool %s --split-input-file --nn-to-kernels --separate-results --fuse-kernels | filecheck %s

// Between two convolutions everything lies channels last; only the network's ends are permuted.
// CHECK-LABEL: @chain
// CHECK:       kernel.map [1, 2, 2, 4] ins(%x : tensor<1x4x2x2xf32>)
// CHECK:       %[[A:[0-9]+]] = kernel.convolution [1, 2, 2, 4] groups 1 taps [1, 1]{{.*}} -> tensor<1x2x2x4xf32>
// CHECK:       %[[P:[0-9]+]] = kernel.pad %[[A]] low [0, 1, 1, 0] high [0, 1, 1, 0]
// CHECK-NOT:   kernel.map
// CHECK:       %[[B:[0-9]+]] = kernel.convolution [1, 2, 2, 4] groups 1 taps [3, 3]{{.*}} a(%[[P]] {{.*}} (d0, d3, d1, d2)>] {{.*}}-> tensor<1x4x2x2xf32>
// CHECK-NOT:   kernel.map
// CHECK:       func.return %[[B]]
func.func @chain(%x: tensor<1x4x2x2xf32>, %w: tensor<4x4x1x1xf32>, %v: tensor<4x4x3x3xf32>) -> tensor<1x4x2x2xf32> {
  %0 = nn.convolution %x, %w {strides = array<i64: 1, 1>, pads_begin = array<i64: 0, 0>, pads_end = array<i64: 0, 0>, dilations = array<i64: 1, 1>} : (tensor<1x4x2x2xf32>, tensor<4x4x1x1xf32>) -> tensor<1x4x2x2xf32>
  %1 = nn.relu %0 : tensor<1x4x2x2xf32>
  %2 = nn.convolution %1, %v {strides = array<i64: 1, 1>, pads_begin = array<i64: 1, 1>, pads_end = array<i64: 1, 1>, dilations = array<i64: 1, 1>} : (tensor<1x4x2x2xf32>, tensor<4x4x3x3xf32>) -> tensor<1x4x2x2xf32>
  func.return %2 : tensor<1x4x2x2xf32>
}

// -----

// What somebody else wants as it was is written both ways.
// CHECK-LABEL: @returned
// CHECK:       %[[R:[0-9]+]], %[[M:[0-9]+]] = kernel.map {{.*}} -> tensor<1x4x2x2xf32>, tensor<1x2x2x4xf32>
// CHECK:       kernel.convolution {{.*}} a(%[[M]]
func.func @returned(%x: tensor<1x4x2x2xf32>, %w: tensor<4x4x1x1xf32>) -> (tensor<1x4x2x2xf32>, tensor<1x4x2x2xf32>) {
  %0 = nn.relu %x : tensor<1x4x2x2xf32>
  %1 = nn.convolution %0, %w {strides = array<i64: 1, 1>, pads_begin = array<i64: 0, 0>, pads_end = array<i64: 0, 0>, dilations = array<i64: 1, 1>} : (tensor<1x4x2x2xf32>, tensor<4x4x1x1xf32>) -> tensor<1x4x2x2xf32>
  func.return %0, %1 : tensor<1x4x2x2xf32>, tensor<1x4x2x2xf32>
}

// -----

// A concatenation of channels becomes one along the last dimension.
// CHECK-LABEL: @concat
// CHECK:       kernel.concat %{{[0-9]+}}, %{{[0-9]+}} axis 3 : (tensor<1x2x2x4xf32>, tensor<1x2x2x4xf32>) -> tensor<1x2x2x8xf32>
func.func @concat(%x: tensor<1x4x2x2xf32>, %w: tensor<4x4x1x1xf32>, %v: tensor<4x8x1x1xf32>) -> tensor<1x4x2x2xf32> {
  %0 = nn.convolution %x, %w {strides = array<i64: 1, 1>, pads_begin = array<i64: 0, 0>, pads_end = array<i64: 0, 0>, dilations = array<i64: 1, 1>} : (tensor<1x4x2x2xf32>, tensor<4x4x1x1xf32>) -> tensor<1x4x2x2xf32>
  %1 = nn.relu %0 : tensor<1x4x2x2xf32>
  %2 = nn.tanh %0 : tensor<1x4x2x2xf32>
  %3 = nn.concat %1, %2 {axis = 1 : i64} : (tensor<1x4x2x2xf32>, tensor<1x4x2x2xf32>) -> tensor<1x8x2x2xf32>
  %4 = nn.convolution %3, %v {strides = array<i64: 1, 1>, pads_begin = array<i64: 0, 0>, pads_end = array<i64: 0, 0>, dilations = array<i64: 1, 1>} : (tensor<1x8x2x2xf32>, tensor<4x8x1x1xf32>) -> tensor<1x4x2x2xf32>
  func.return %4 : tensor<1x4x2x2xf32>
}

// -----

// A convolution looks into a part of the channels; nobody copies it.
// CHECK-LABEL: @split
// CHECK:       %[[A:[0-9]+]] = kernel.convolution [1, 2, 2, 8]{{.*}} -> tensor<1x2x2x8xf32>
// CHECK-NEXT:  ^bb0
// CHECK:       %[[S:[0-9]+]] = kernel.slice %[[A]] offsets [0, 0, 0, 4] steps [1, 1, 1, 1] : tensor<1x2x2x8xf32> -> tensor<1x2x2x4xf32>
// CHECK:       kernel.convolution [1, 2, 2, 4]{{.*}} a(%[[S]]
func.func @split(%x: tensor<1x4x2x2xf32>, %w: tensor<8x4x1x1xf32>, %v: tensor<4x4x1x1xf32>) -> (tensor<1x4x2x2xf32>, tensor<1x4x2x2xf32>) {
  %0 = nn.convolution %x, %w {strides = array<i64: 1, 1>, pads_begin = array<i64: 0, 0>, pads_end = array<i64: 0, 0>, dilations = array<i64: 1, 1>} : (tensor<1x4x2x2xf32>, tensor<8x4x1x1xf32>) -> tensor<1x8x2x2xf32>
  %axis = nn.constant dense<1> : tensor<i64>
  %1, %2 = nn.split %0, %axis {num_splits = 2 : i64} : (tensor<1x8x2x2xf32>, tensor<i64>) -> (tensor<1x4x2x2xf32>, tensor<1x4x2x2xf32>)
  %3 = nn.relu %1 : tensor<1x4x2x2xf32>
  %4 = nn.convolution %2, %v {strides = array<i64: 1, 1>, pads_begin = array<i64: 0, 0>, pads_end = array<i64: 0, 0>, dilations = array<i64: 1, 1>} : (tensor<1x4x2x2xf32>, tensor<4x4x1x1xf32>) -> tensor<1x4x2x2xf32>
  func.return %3, %4 : tensor<1x4x2x2xf32>, tensor<1x4x2x2xf32>
}

// -----

// Sixteen units of sixteen positions lie in registers side by side: a map turns them.
// CHECK-LABEL: @many
// CHECK:       %[[C:[0-9]+]] = kernel.convolution [1, 4, 4, 16]{{.*}} access [affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>]{{.*}} -> tensor<1x4x4x16xf32>
// CHECK:       %[[T:[0-9]+]] = kernel.map [1, 16, 4, 4] ins(%[[C]] : tensor<1x4x4x16xf32>) outs() access [affine_map<(d0, d1, d2, d3) -> (d0, d2, d3, d1)>, affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>]
// CHECK:       func.return %[[T]]
func.func @many(%x: tensor<1x4x4x4xf32>, %w: tensor<16x4x1x1xf32>) -> tensor<1x16x4x4xf32> {
  %0 = nn.convolution %x, %w {strides = array<i64: 1, 1>, pads_begin = array<i64: 0, 0>, pads_end = array<i64: 0, 0>, dilations = array<i64: 1, 1>} : (tensor<1x4x4x4xf32>, tensor<16x4x1x1xf32>) -> tensor<1x16x4x4xf32>
  %1 = nn.relu %0 : tensor<1x16x4x4xf32>
  func.return %1 : tensor<1x16x4x4xf32>
}

// -----

// Of fifteen positions the convolution writes each result alone.
// CHECK-LABEL: @few
// CHECK:       %[[C:[0-9]+]] = kernel.convolution [1, 3, 5, 16]{{.*}} access [affine_map<(d0, d1, d2, d3) -> (d0, d3, d1, d2)>]{{.*}} -> tensor<1x16x3x5xf32>
// CHECK:       func.return %[[C]]
func.func @few(%x: tensor<1x4x3x5xf32>, %w: tensor<16x4x1x1xf32>) -> tensor<1x16x3x5xf32> {
  %0 = nn.convolution %x, %w {strides = array<i64: 1, 1>, pads_begin = array<i64: 0, 0>, pads_end = array<i64: 0, 0>, dilations = array<i64: 1, 1>} : (tensor<1x4x3x5xf32>, tensor<16x4x1x1xf32>) -> tensor<1x16x3x5xf32>
  %1 = nn.relu %0 : tensor<1x16x3x5xf32>
  func.return %1 : tensor<1x16x3x5xf32>
}

// -----

// So are two results.
// CHECK-LABEL: @both
// CHECK:       %[[R:[0-9]+]], %[[C:[0-9]+]] = kernel.convolution [1, 4, 4, 16]{{.*}} -> tensor<1x4x4x16xf32>, tensor<1x4x4x16xf32>
// CHECK:       kernel.map [1, 16, 4, 4] ins(%{{[0-9]+}} : tensor<1x4x4x16xf32>)
// CHECK:       kernel.map [1, 16, 4, 4] ins(%{{[0-9]+}} : tensor<1x4x4x16xf32>)
func.func @both(%x: tensor<1x4x4x4xf32>, %w: tensor<16x4x1x1xf32>) -> (tensor<1x16x4x4xf32>, tensor<1x16x4x4xf32>) {
  %0 = nn.convolution %x, %w {strides = array<i64: 1, 1>, pads_begin = array<i64: 0, 0>, pads_end = array<i64: 0, 0>, dilations = array<i64: 1, 1>} : (tensor<1x4x4x4xf32>, tensor<16x4x1x1xf32>) -> tensor<1x16x4x4xf32>
  %1 = nn.relu %0 : tensor<1x16x4x4xf32>
  func.return %0, %1 : tensor<1x16x4x4xf32>, tensor<1x16x4x4xf32>
}
