// RUN: opt-tool %s --split-activations='isa=avx512_vnni' | filecheck %s
// RUN: opt-tool %s --split-activations='isa=avx2' | filecheck %s --check-prefix=WIDE

// Two rows of f32 times i8 codes: eight rows of digits times the codes.
// CHECK-LABEL: @two_rows
// CHECK: [[LEFT:%.*]] = nn.reshape {{.*}} -> tensor<8x128xui8>
// CHECK-NEXT: nn.mat_mul [[LEFT]], %c {transpose_b = true} : (tensor<8x128xui8>, tensor<128x128xi8>) -> tensor<8x128xi32>
// WIDE-LABEL: @two_rows
// WIDE: nn.mat_mul %x, %w {transpose_b = true}
func.func @two_rows(%x: tensor<2x128xf32>) -> tensor<2x128xf32> {
  %c = nn.constant dense<3> : tensor<128x128xi8>
  %w = nn.convert %c to f32 : tensor<128x128xi8> -> tensor<128x128xf32>
  %y = nn.mat_mul %x, %w {transpose_b = true} : (tensor<2x128xf32>, tensor<128x128xf32>) -> tensor<2x128xf32>
  func.return %y : tensor<2x128xf32>
}

// With a third row, widening the codes once is as fast.
// CHECK-LABEL: @three_rows
// CHECK: nn.mat_mul %x, %w {transpose_b = true}
func.func @three_rows(%x: tensor<3x128xf32>) -> tensor<3x128xf32> {
  %c = nn.constant dense<3> : tensor<128x128xi8>
  %w = nn.convert %c to f32 : tensor<128x128xi8> -> tensor<128x128xf32>
  %y = nn.mat_mul %x, %w {transpose_b = true} : (tensor<3x128xf32>, tensor<128x128xf32>) -> tensor<3x128xf32>
  func.return %y : tensor<3x128xf32>
}

// A batch, such as the groups of weights with scales of their own: each row of each has its factor.
// CHECK-LABEL: @groups
// CHECK: nn.reduce_max {{.*}} -> tensor<4x1x1x1xf32>
// CHECK: nn.mat_mul {{.*}}, %c {transpose_b = true} : (tensor<4x4x32xui8>, tensor<4x128x32xi8>) -> tensor<4x4x128xi32>
func.func @groups(%x: tensor<4x1x32xf32>) -> tensor<4x1x128xf32> {
  %c = nn.constant dense<3> : tensor<4x128x32xi8>
  %w = nn.convert %c to f32 : tensor<4x128x32xi8> -> tensor<4x128x32xf32>
  %y = nn.mat_mul %x, %w {transpose_b = true} : (tensor<4x1x32xf32>, tensor<4x128x32xf32>) -> tensor<4x1x128xf32>
  func.return %y : tensor<4x1x128xf32>
}

// One left operand for all matrices of a batch is read by each.
// CHECK-LABEL: @broadcast
// CHECK: nn.mat_mul %x, %w {transpose_b = true}
func.func @broadcast(%x: tensor<1x1x32xf32>) -> tensor<4x1x128xf32> {
  %c = nn.constant dense<3> : tensor<4x128x32xi8>
  %w = nn.convert %c to f32 : tensor<4x128x32xi8> -> tensor<4x128x32xf32>
  %y = nn.mat_mul %x, %w {transpose_b = true} : (tensor<1x1x32xf32>, tensor<4x128x32xf32>) -> tensor<4x1x128xf32>
  func.return %y : tensor<4x1x128xf32>
}

// The instruction sums unsigned digits with signed codes.
// CHECK-LABEL: @unsigned
// CHECK: nn.mat_mul %x, %w {transpose_b = true}
func.func @unsigned(%x: tensor<1x128xf32>) -> tensor<1x128xf32> {
  %c = nn.constant dense<3> : tensor<128x128xui8>
  %w = nn.convert %c to f32 : tensor<128x128xui8> -> tensor<128x128xf32>
  %y = nn.mat_mul %x, %w {transpose_b = true} : (tensor<1x128xf32>, tensor<128x128xf32>) -> tensor<1x128xf32>
  func.return %y : tensor<1x128xf32>
}
