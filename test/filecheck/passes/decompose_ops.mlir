// RUN: opt-tool %s --decompose-ops | filecheck %s
// RUN: opt-tool %s "--decompose-ops=only=hswish" | filecheck %s --check-prefix ONLY

// A derived operation becomes the operations that define it.
// CHECK-LABEL: @hswish
// CHECK: [[SUM:%.*]] = nn.add %x, {{.*}}type = "HSwish"
// CHECK: [[INNER:%.*]] = nn.clamp [[SUM]] {{.*}}max = 6.0
// CHECK: [[PART:%.*]] = nn.multiply [[INNER]], {{.*}}
// CHECK: nn.multiply %x, [[PART]] {{.*}}nn.name = "act"
// CHECK-NEXT: func.return
// ONLY-LABEL: @hswish
// ONLY-NOT: nn.hswish
func.func @hswish(%x: tensor<4xf32>) -> tensor<4xf32> {
  %y = nn.hswish %x {nn.name = "act"} : tensor<4xf32>
  func.return %y : tensor<4xf32>
}

// Numbers of 16 bits are computed with in 32 and rounded once.
// CHECK-LABEL: @narrow
// CHECK: nn.convert %x to f32
// CHECK: nn.reduce_max
// CHECK: nn.exp
// CHECK: nn.reduce_sum
// CHECK: nn.convert {{%.*}} to f16
// CHECK-NEXT: func.return
// ONLY-LABEL: @narrow
// ONLY: nn.softmax
func.func @narrow(%x: tensor<2x4xf16>) -> tensor<2x4xf16> {
  %y = nn.softmax %x {axis = 1 : i64} : tensor<2x4xf16>
  func.return %y : tensor<2x4xf16>
}

// What only moves elements needs no other type.
// CHECK-LABEL: @moves
// CHECK-NOT: nn.convert
// CHECK: nn.reshape
// CHECK: nn.transpose
// CHECK: nn.reshape
// CHECK-NEXT: func.return
func.func @moves(%x: tensor<1x8x2x3xf16>) -> tensor<1x2x4x6xf16> {
  %y = nn.depth_to_space %x {mode = "blocks_first", block_size = 2 : i64} : tensor<1x8x2x3xf16> -> tensor<1x2x4x6xf16>
  func.return %y : tensor<1x2x4x6xf16>
}

// An axis whose elements stay where they are costs nothing.
// CHECK-LABEL: @rolls
// CHECK: [[END:%.*]] = nn.slice %x,
// CHECK: [[FRONT:%.*]] = nn.slice %x,
// CHECK: nn.concat [[END]], [[FRONT]] {{.*}}nn.name = "turn", axis = -1
// CHECK-NEXT: func.return
func.func @rolls(%x: tensor<2x4xi8>) -> tensor<2x4xi8> {
  %shift = nn.constant dense<[4, -3]> : tensor<2xi64>
  %axes = nn.constant dense<[0, -1]> : tensor<2xi64>
  %y = nn.roll %x, %shift, %axes {nn.name = "turn"} : (tensor<2x4xi8>, tensor<2xi64>, tensor<2xi64>) -> tensor<2x4xi8>
  func.return %y : tensor<2x4xi8>
}

// What is written twice is computed once: two rows and two columns, of which each of the four pixels has one.
// CHECK-LABEL: @reads
// CHECK-COUNT-4: nn.greater_equal
// CHECK-NOT: nn.greater_equal
// CHECK: func.return
func.func @reads(%x: tensor<1x3x4x5xf32>, %grid: tensor<1x2x3x2xf32>) -> tensor<1x3x2x3xf32> {
  %y = nn.grid_sample %x, %grid {align_corners = false, mode = "bilinear", padding_mode = "zeros"}
    : (tensor<1x3x4x5xf32>, tensor<1x2x3x2xf32>) -> tensor<1x3x2x3xf32>
  func.return %y : tensor<1x3x2x3xf32>
}

// Groups are only what means and variances are of: what is written for each channel is read for the input as it lies.
// CHECK-LABEL: @group
// CHECK: [[GROUPED:%.*]] = nn.reshape %x, {{.*}} -> tensor<1x2x3x5xf32>
// CHECK: [[MEAN:%.*]] = nn.reduce_mean [[GROUPED]]
// CHECK: nn.subtract %x, %{{.*}} : (tensor<1x6x5xf32>, tensor<1x6x1xf32>)
// CHECK-NEXT: nn.multiply {{.*}} : (tensor<1x6x5xf32>, tensor<1x6x1xf32>)
// CHECK-NOT: tensor<1x2x3x5xf32>
// CHECK: func.return
func.func @group(%x: tensor<1x6x5xf32>, %a: tensor<6xf32>, %b: tensor<6xf32>) -> tensor<1x6x5xf32> {
  %y = nn.group_normalization %x, %a, %b {num_groups = 2 : i64, epsilon = 1.0e-05 : f64}
    : (tensor<1x6x5xf32>, tensor<6xf32>, tensor<6xf32>) -> tensor<1x6x5xf32>
  func.return %y : tensor<1x6x5xf32>
}

// Core operations stay.
// CHECK-LABEL: @core
// CHECK: nn.relu
func.func @core(%x: tensor<4xf32>) -> tensor<4xf32> {
  %y = nn.relu %x : tensor<4xf32>
  func.return %y : tensor<4xf32>
}

// A transform of 128 numbers has stages of 8 and of 16: a product of a small matrix, a turn of each complex number, and
// another product, whose index is in order. That of 60 is one product.
// CHECK-LABEL: @spectrum
// CHECK: nn.mat_mul {{.*}} : (tensor<16x8xf32>, tensor<3x8x16xf32>) -> tensor<3x16x16xf32>
// CHECK: nn.subtract
// CHECK: nn.add
// CHECK: nn.transpose {{.*}} -> tensor<3x2x16x8x1xf32>
// CHECK: nn.mat_mul {{.*}} : (tensor<18x32xf32>, tensor<3x32x8xf32>) -> tensor<3x18x8xf32>
// CHECK-NOT: nn.mat_mul
// ONLY-LABEL: @spectrum
// ONLY: nn.rdft
func.func @spectrum(%x: tensor<3x128xf32>) -> tensor<3x65x2xf32> {
  %axes = nn.constant dense<[1]> : tensor<1xi64>
  %y = nn.rdft %x, %axes : (tensor<3x128xf32>, tensor<1xi64>) -> tensor<3x65x2xf32>
  func.return %y : tensor<3x65x2xf32>
}

// CHECK-LABEL: @short_spectrum
// CHECK: nn.mat_mul {{.*}} : (tensor<3x60xf32>, tensor<60x62xf32>) -> tensor<3x62xf32>
// CHECK-NOT: nn.mat_mul
func.func @short_spectrum(%x: tensor<3x60xf32>) -> tensor<3x31x2xf32> {
  %axes = nn.constant dense<[1]> : tensor<1xi64>
  %y = nn.rdft %x, %axes : (tensor<3x60xf32>, tensor<1xi64>) -> tensor<3x31x2xf32>
  func.return %y : tensor<3x31x2xf32>
}
