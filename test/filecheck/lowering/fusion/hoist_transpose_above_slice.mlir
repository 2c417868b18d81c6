// RUN: opt-tool %s --split-input-file --nn-to-kernels --separate-results --fuse-kernels | filecheck %s

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

// A map above writes channels last, and the convolution reads a view.
// CHECK-LABEL: func.func @map(
// CHECK-NEXT:    %0 = kernel.map [1, 8, 2, 2] ins(%x : tensor<1x8x2x2xf32>) outs() access [affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>, affine_map<(d0, d1, d2, d3) -> (d0, d2, d3, d1)>] -> tensor<1x2x2x8xf32> {
// CHECK-NEXT:    ^bb0(%1: f32):
// CHECK-NEXT:      %2 = math.absf %1 : f32
// CHECK-NEXT:      kernel.yield %2 : f32
// CHECK:         %3 = kernel.map [1, 4, 2, 2] ins(%0 : tensor<1x2x2x8xf32>) outs() access [affine_map<(d0, d1, d2, d3) -> (d0, d2, d3, d1)>, affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>] -> tensor<1x4x2x2xf32> {
// CHECK-NEXT:    ^bb0(%4: f32):
// CHECK-NEXT:      %5 = math.tanh %4 : f32
// CHECK-NEXT:      kernel.yield %5 : f32
// CHECK:         %6 = kernel.reshape %v : tensor<4x4x1x1xf32> -> tensor<4x1x1x4xf32>
// CHECK-NEXT:    %7 = kernel.slice %0 offsets [0, 0, 0, 4] steps [1, 1, 1, 1] : tensor<1x2x2x8xf32> -> tensor<1x2x2x4xf32>
// CHECK-NEXT:    %8 = kernel.convolution [1, 2, 2, 4] groups 1 taps [1, 1] strides [1, 1] dilations [1, 1] a(%7 : tensor<1x2x2x4xf32>) b(%6 : tensor<4x1x1x4xf32>) ins() outs() access [affine_map<(d0, d1, d2, d3) -> (d0, d3, d1, d2)>] -> tensor<1x4x2x2xf32> {
// CHECK-NEXT:    ^bb0(%9: f32):
// CHECK-NEXT:      kernel.yield %9 : f32
// CHECK:         func.return %3, %8 : tensor<1x4x2x2xf32>, tensor<1x4x2x2xf32>
func.func @map(%x: tensor<1x8x2x2xf32>, %v: tensor<4x4x1x1xf32>) -> (tensor<1x4x2x2xf32>, tensor<1x4x2x2xf32>) {
  %axis = nn.constant dense<1> : tensor<i64>
  %0 = nn.abs %x : tensor<1x8x2x2xf32>
  %1, %2 = nn.split %0, %axis {num_splits = 2 : i64} : (tensor<1x8x2x2xf32>, tensor<i64>) -> (tensor<1x4x2x2xf32>, tensor<1x4x2x2xf32>)
  %3 = nn.tanh %1 : tensor<1x4x2x2xf32>
  %4 = nn.convolution %2, %v {strides = array<i64: 1, 1>, pads_begin = array<i64: 0, 0>, pads_end = array<i64: 0, 0>, dilations = array<i64: 1, 1>} : (tensor<1x4x2x2xf32>, tensor<4x4x1x1xf32>) -> tensor<1x4x2x2xf32>
  func.return %3, %4 : tensor<1x4x2x2xf32>, tensor<1x4x2x2xf32>
}

// -----

// There is no kernel above that could write channels last.
// CHECK-LABEL: func.func @argument(
// CHECK-NEXT:    %0 = kernel.map [1, 4, 2, 2] ins(%x : tensor<1x8x2x2xf32>) outs() access [affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>, affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>] -> tensor<1x4x2x2xf32> {
// CHECK-NEXT:    ^bb0(%1: f32):
// CHECK-NEXT:      %2 = math.absf %1 : f32
// CHECK-NEXT:      kernel.yield %2 : f32
// CHECK:         %3 = kernel.reshape %v : tensor<4x4x1x1xf32> -> tensor<4x1x1x4xf32>
// CHECK-NEXT:    %4 = kernel.map [1, 2, 2, 4] ins(%x : tensor<1x8x2x2xf32>) outs() access [affine_map<(d0, d1, d2, d3) -> (d0, (d3 + 4), d1, d2)>, affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>] -> tensor<1x2x2x4xf32> {
// CHECK-NEXT:    ^bb0(%5: f32):
// CHECK-NEXT:      kernel.yield %5 : f32
// CHECK:         %6 = kernel.convolution [1, 2, 2, 4] groups 1 taps [1, 1] strides [1, 1] dilations [1, 1] a(%4 : tensor<1x2x2x4xf32>) b(%3 : tensor<4x1x1x4xf32>) ins() outs() access [affine_map<(d0, d1, d2, d3) -> (d0, d3, d1, d2)>] -> tensor<1x4x2x2xf32> {
// CHECK-NEXT:    ^bb0(%7: f32):
// CHECK-NEXT:      kernel.yield %7 : f32
// CHECK:         func.return %0, %6 : tensor<1x4x2x2xf32>, tensor<1x4x2x2xf32>
func.func @argument(%x: tensor<1x8x2x2xf32>, %v: tensor<4x4x1x1xf32>) -> (tensor<1x4x2x2xf32>, tensor<1x4x2x2xf32>) {
  %axis = nn.constant dense<1> : tensor<i64>
  %1, %2 = nn.split %x, %axis {num_splits = 2 : i64} : (tensor<1x8x2x2xf32>, tensor<i64>) -> (tensor<1x4x2x2xf32>, tensor<1x4x2x2xf32>)
  %3 = nn.abs %1 : tensor<1x4x2x2xf32>
  %4 = nn.convolution %2, %v {strides = array<i64: 1, 1>, pads_begin = array<i64: 0, 0>, pads_end = array<i64: 0, 0>, dilations = array<i64: 1, 1>} : (tensor<1x4x2x2xf32>, tensor<4x4x1x1xf32>) -> tensor<1x4x2x2xf32>
  func.return %3, %4 : tensor<1x4x2x2xf32>, tensor<1x4x2x2xf32>
}

// -----

// Two convolutions read parts of an argument: it is transposed once.
// CHECK-LABEL: func.func @twice(
// CHECK:       %[[T:[0-9]+]] = kernel.map [1, 2, 2, 8] ins(%x : tensor<1x8x2x2xf32>)
// CHECK-NOT:   kernel.map
// CHECK:       kernel.slice %[[T]] offsets [0, 0, 0, 0]
// CHECK-NOT:   kernel.map
// CHECK:       kernel.slice %[[T]] offsets [0, 0, 0, 4]
// CHECK-NOT:   kernel.map
// CHECK:       func.return
func.func @twice(%x: tensor<1x8x2x2xf32>, %v: tensor<4x4x1x1xf32>) -> (tensor<1x4x2x2xf32>, tensor<1x4x2x2xf32>) {
  %axis = nn.constant dense<1> : tensor<i64>
  %1, %2 = nn.split %x, %axis {num_splits = 2 : i64} : (tensor<1x8x2x2xf32>, tensor<i64>) -> (tensor<1x4x2x2xf32>, tensor<1x4x2x2xf32>)
  %3 = nn.convolution %1, %v {strides = array<i64: 1, 1>, pads_begin = array<i64: 0, 0>, pads_end = array<i64: 0, 0>, dilations = array<i64: 1, 1>} : (tensor<1x4x2x2xf32>, tensor<4x4x1x1xf32>) -> tensor<1x4x2x2xf32>
  %4 = nn.convolution %2, %v {strides = array<i64: 1, 1>, pads_begin = array<i64: 0, 0>, pads_end = array<i64: 0, 0>, dilations = array<i64: 1, 1>} : (tensor<1x4x2x2xf32>, tensor<4x4x1x1xf32>) -> tensor<1x4x2x2xf32>
  func.return %3, %4 : tensor<1x4x2x2xf32>, tensor<1x4x2x2xf32>
}

// -----

// What joins or pads can write the other order, too.
// CHECK-LABEL: func.func @joined(
// CHECK:         [[C:%.*]] = kernel.concat %{{.*}} axis 1 : (tensor<3x2xf32>, tensor<3x2xf32>) -> tensor<3x4xf32>
// CHECK:         [[S:%.*]] = kernel.slice [[C]] offsets [0, 0] steps [1, 1] : tensor<3x4xf32> -> tensor<2x4xf32>
// CHECK:         kernel.mat_mul [2, 4] groups 1 a([[S]] : tensor<2x4xf32>)
// CHECK:         [[P:%.*]] = kernel.pad %{{.*}} low [1, 0] high [1, 0] {{.*}} : tensor<3x2xf32> -> tensor<5x2xf32>
// CHECK:         [[V:%.*]] = kernel.slice [[P]] offsets [0, 0] steps [1, 1] : tensor<5x2xf32> -> tensor<2x2xf32>
// CHECK:         kernel.mat_mul [2, 4] groups 1 a([[V]] : tensor<2x2xf32>)
func.func @joined(%x: tensor<2x3xf32>, %y: tensor<2x3xf32>, %w: tensor<4x4xf32>, %v: tensor<4x2xf32>) -> (tensor<2x4xf32>, tensor<2x4xf32>) {
  %order = nn.constant dense<[1, 0]> : tensor<2xi64>
  %zero = nn.constant dense<[0]> : tensor<1xi64>
  %one = nn.constant dense<[1]> : tensor<1xi64>
  %two = nn.constant dense<[2]> : tensor<1xi64>
  %low = nn.constant dense<[0, 1]> : tensor<2xi64>
  %0 = nn.tanh %x : tensor<2x3xf32>
  %1 = nn.abs %y : tensor<2x3xf32>
  %2 = nn.concat %0, %1 {axis = 0 : i64} : (tensor<2x3xf32>, tensor<2x3xf32>) -> tensor<4x3xf32>
  %3 = nn.slice %2, %zero, %two, %one, %one : (tensor<4x3xf32>, tensor<1xi64>, tensor<1xi64>, tensor<1xi64>, tensor<1xi64>) -> tensor<4x2xf32>
  %4 = nn.transpose %3, %order : (tensor<4x2xf32>, tensor<2xi64>) -> tensor<2x4xf32>
  %5 = nn.mat_mul %4, %w {transpose_b = true} : (tensor<2x4xf32>, tensor<4x4xf32>) -> tensor<2x4xf32>
  %6 = nn.pad %1, %low, %low {pad_mode = "constant"} : (tensor<2x3xf32>, tensor<2xi64>, tensor<2xi64>) -> tensor<2x5xf32>
  %7 = nn.slice %6, %zero, %two, %one, %one : (tensor<2x5xf32>, tensor<1xi64>, tensor<1xi64>, tensor<1xi64>, tensor<1xi64>) -> tensor<2x2xf32>
  %8 = nn.transpose %7, %order : (tensor<2x2xf32>, tensor<2xi64>) -> tensor<2x2xf32>
  %9 = nn.mat_mul %8, %v {transpose_b = true} : (tensor<2x2xf32>, tensor<4x2xf32>) -> tensor<2x4xf32>
  func.return %5, %9 : tensor<2x4xf32>, tensor<2x4xf32>
}

// -----

// A part that leaves needs a buffer of its own, so it is copied anyway.
// CHECK-LABEL: func.func @leaves(
// CHECK:         [[T:%.*]] = kernel.map [4, 3] ins(%x : tensor<4x3xf32>) {{.*}} -> tensor<4x3xf32>
// CHECK:         [[P:%.*]] = kernel.map [2, 4] ins([[T]] : tensor<4x3xf32>) outs() access [affine_map<(d0, d1) -> (d1, d0)>, affine_map<(d0, d1) -> (d0, d1)>] -> tensor<2x4xf32>
// CHECK:         func.return [[P]]
func.func @leaves(%x: tensor<4x3xf32>) -> tensor<2x4xf32> {
  %order = nn.constant dense<[1, 0]> : tensor<2xi64>
  %zero = nn.constant dense<[0]> : tensor<1xi64>
  %one = nn.constant dense<[1]> : tensor<1xi64>
  %two = nn.constant dense<[2]> : tensor<1xi64>
  %0 = nn.tanh %x : tensor<4x3xf32>
  %1 = nn.slice %0, %zero, %two, %one, %one : (tensor<4x3xf32>, tensor<1xi64>, tensor<1xi64>, tensor<1xi64>, tensor<1xi64>) -> tensor<4x2xf32>
  %2 = nn.transpose %1, %order : (tensor<4x2xf32>, tensor<2xi64>) -> tensor<2x4xf32>
  func.return %2 : tensor<2x4xf32>
}
