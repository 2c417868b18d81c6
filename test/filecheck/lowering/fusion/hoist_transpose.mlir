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

// What lies around the input is less than all of it.
// CHECK-LABEL: func.func @max_pool(
// CHECK:         [[PAD:%.*]] = kernel.pad %{{.*}} low [0, 1, 1, 0] high [0, 0, 0, 0] interior [0, 0, 0, 0] value -128 : i32 : tensor<1x4x4x8xi8> -> tensor<1x5x5x8xi8>
// CHECK-NEXT:    kernel.reduce "max" [1, 2, 2, 8] window [3, 3] x([[PAD]] : tensor<1x5x5x8xi8>) points [affine_map<(d0, d1, d2, d3) -> (d0, (d1 * 2), (d2 * 2), d3)>] steps [affine_map<(d0, d1) -> (0, d0, d1, 0)>] ins() outs() access [affine_map<(d0, d1, d2, d3) -> (d0, d3, d1, d2)>] -> tensor<1x8x2x2xi8> element {
func.func @max_pool(%x: tensor<1x8x4x4xi8>) -> tensor<1x8x2x2xi8> {
  %0 = nn.max_pool %x {kernel = array<i64: 3, 3>, strides = array<i64: 2, 2>, pads_begin = array<i64: 1, 1>, pads_end = array<i64: 0, 0>, dilations = array<i64: 1, 1>} : tensor<1x8x4x4xi8> -> tensor<1x8x2x2xi8>
  func.return %0 : tensor<1x8x2x2xi8>
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

// One of two equal transposes leaves, and needs a buffer of its own: both are written.
// CHECK-LABEL: func.func @one_leaves(
// CHECK:         %0, %1 = kernel.map [2, 3] ins(%x : tensor<2x3xf32>) outs() access [affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d1, d0)>, affine_map<(d0, d1) -> (d1, d0)>] -> tensor<3x2xf32>, tensor<3x2xf32> {
// CHECK:         %4 = kernel.mat_mul [3, 4] groups 1 a(%0 : tensor<3x2xf32>) b(%w : tensor<4x2xf32>) ins() outs() access [affine_map<(d0, d1) -> (d0, d1)>] -> tensor<3x4xf32> {
// CHECK:         func.return %1, %4 : tensor<3x2xf32>, tensor<3x4xf32>
func.func @one_leaves(%x: tensor<2x3xf32>, %w: tensor<4x2xf32>) -> (tensor<3x2xf32>, tensor<3x4xf32>) {
  %order = nn.constant dense<[1, 0]> : tensor<2xi64>
  %0 = nn.tanh %x : tensor<2x3xf32>
  %1 = nn.transpose %0, %order : (tensor<2x3xf32>, tensor<2xi64>) -> tensor<3x2xf32>
  %2 = nn.transpose %0, %order : (tensor<2x3xf32>, tensor<2xi64>) -> tensor<3x2xf32>
  %3 = nn.mat_mul %2, %w {transpose_b = true} : (tensor<3x2xf32>, tensor<4x2xf32>) -> tensor<3x4xf32>
  func.return %1, %3 : tensor<3x2xf32>, tensor<3x4xf32>
}

// -----

// Two equal transposes of which none leaves are one value.
// CHECK-LABEL: func.func @twice(
// CHECK:         [[T:%.*]] = kernel.map [2, 3] ins(%x : tensor<2x3xf32>) {{.*}} -> tensor<3x2xf32> {
// CHECK-NOT:     kernel.map
// CHECK:         kernel.mat_mul [3, 4] groups 1 a([[T]]
// CHECK:         kernel.mat_mul [3, 4] groups 1 a([[T]]
func.func @twice(%x: tensor<2x3xf32>, %w: tensor<4x2xf32>, %v: tensor<4x2xf32>) -> (tensor<3x4xf32>, tensor<3x4xf32>) {
  %order = nn.constant dense<[1, 0]> : tensor<2xi64>
  %0 = nn.tanh %x : tensor<2x3xf32>
  %1 = nn.transpose %0, %order : (tensor<2x3xf32>, tensor<2xi64>) -> tensor<3x2xf32>
  %2 = nn.transpose %0, %order : (tensor<2x3xf32>, tensor<2xi64>) -> tensor<3x2xf32>
  %3 = nn.mat_mul %1, %w {transpose_b = true} : (tensor<3x2xf32>, tensor<4x2xf32>) -> tensor<3x4xf32>
  %4 = nn.mat_mul %2, %v {transpose_b = true} : (tensor<3x2xf32>, tensor<4x2xf32>) -> tensor<3x4xf32>
  func.return %3, %4 : tensor<3x4xf32>, tensor<3x4xf32>
}

// -----

// What pads or joins writes the other order at once, also where the result leaves.
// CHECK-LABEL: func.func @leaves(
// CHECK:         [[A:%.*]] = kernel.map [2, 3] ins(%x : tensor<2x3xf32>) {{.*}} -> tensor<3x2xf32> {
// CHECK:         [[B:%.*]] = kernel.map [2, 3] ins(%y : tensor<2x3xf32>) {{.*}} -> tensor<3x2xf32> {
// CHECK:         [[C:%.*]] = kernel.concat [[A]], [[B]] axis 1 : (tensor<3x2xf32>, tensor<3x2xf32>) -> tensor<3x4xf32>
// CHECK:         [[D:%.*]] = kernel.map [2, 3] ins(%y : tensor<2x3xf32>) outs() access [affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d1, d0)>] -> tensor<3x2xf32> {
// CHECK:         [[E:%.*]] = kernel.pad [[D]] low [1, 0] high [1, 0] interior [0, 0] value 0.000000e+00 : f32 : tensor<3x2xf32> -> tensor<5x2xf32>
// CHECK:         func.return [[C]], [[E]]
func.func @leaves(%x: tensor<2x3xf32>, %y: tensor<2x3xf32>) -> (tensor<3x4xf32>, tensor<5x2xf32>) {
  %order = nn.constant dense<[1, 0]> : tensor<2xi64>
  %low = nn.constant dense<[0, 1]> : tensor<2xi64>
  %high = nn.constant dense<[0, 1]> : tensor<2xi64>
  %0 = nn.tanh %x : tensor<2x3xf32>
  %1 = nn.abs %y : tensor<2x3xf32>
  %2 = nn.concat %0, %1 {axis = 0 : i64} : (tensor<2x3xf32>, tensor<2x3xf32>) -> tensor<4x3xf32>
  %3 = nn.transpose %2, %order : (tensor<4x3xf32>, tensor<2xi64>) -> tensor<3x4xf32>
  %4 = nn.tanh %y : tensor<2x3xf32>
  %5 = nn.pad %4, %low, %high {pad_mode = "constant"} : (tensor<2x3xf32>, tensor<2xi64>, tensor<2xi64>) -> tensor<2x5xf32>
  %6 = nn.transpose %5, %order : (tensor<2x5xf32>, tensor<2xi64>) -> tensor<5x2xf32>
  func.return %3, %6 : tensor<3x4xf32>, tensor<5x2xf32>
}

// -----

// A reshape writes nothing: the transpose behind it stays.
// CHECK-LABEL: func.func @reshaped(
// CHECK:         [[R:%.*]] = kernel.reshape %{{.*}} : tensor<3x4xf32> -> tensor<2x6xf32>
// CHECK:         [[T:%.*]] = kernel.map [6, 2] ins([[R]] : tensor<2x6xf32>)
// CHECK:         kernel.mat_mul [6, 5] groups 1 a([[T]] : tensor<6x2xf32>)
func.func @reshaped(%x: tensor<3x4xf32>, %w: tensor<5x2xf32>) -> tensor<6x5xf32> {
  %order = nn.constant dense<[1, 0]> : tensor<2xi64>
  %shape = nn.constant dense<[2, 6]> : tensor<2xi64>
  %0 = nn.tanh %x : tensor<3x4xf32>
  %1 = nn.reshape %0, %shape : (tensor<3x4xf32>, tensor<2xi64>) -> tensor<2x6xf32>
  %2 = nn.transpose %1, %order : (tensor<2x6xf32>, tensor<2xi64>) -> tensor<6x2xf32>
  %3 = nn.mat_mul %2, %w {transpose_b = true} : (tensor<6x2xf32>, tensor<5x2xf32>) -> tensor<6x5xf32>
  func.return %3 : tensor<6x5xf32>
}
