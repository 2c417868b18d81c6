// RUN: opt-tool %s --split-input-file --split-depth=isa=avx2 | filecheck %s
// RUN: opt-tool %s --split-input-file --split-depth=isa=avx512_vnni | filecheck %s --check-prefix=LARGE

// Rows of 516 KiB: three blocks of 1024, whose sums are added.
// CHECK-LABEL: @deep
// CHECK:      [[X0:%.*]] = nn.slice %x, {{.*}} -> tensor<43x1024xf32>
// CHECK-NEXT: [[W0:%.*]] = nn.constant {{.*}} : tensor<256x1024xf32>
// CHECK-NEXT: [[Y0:%.*]] = nn.mat_mul [[X0]], [[W0]] {{.*}}name = "y", type = "MatMul"{{.*}}transpose_b = true}
// CHECK:      [[Y1:%.*]] = nn.mat_mul {{.*}} : (tensor<43x1024xf32>, tensor<256x1024xf32>) -> tensor<43x256xf32>
// CHECK-NEXT: [[S1:%.*]] = nn.add [[Y1]], [[Y0]]
// CHECK:      [[Y2:%.*]] = nn.mat_mul {{.*}} : (tensor<43x1024xf32>, tensor<256x1024xf32>) -> tensor<43x256xf32>
// CHECK-NEXT: [[S2:%.*]] = nn.add [[Y2]], [[S1]]
// CHECK-NEXT: func.return [[S2]]
// LARGE-LABEL: @deep
// LARGE: nn.mat_mul {{.*}} : (tensor<43x3072xf32>, tensor<256x3072xf32>)
func.func @deep(%x: tensor<43x3072xf32>) -> tensor<43x256xf32> {
  %w = nn.constant dense<1.0> : tensor<256x3072xf32>
  %y = nn.mat_mul %x, %w {nn.name = "y", transpose_b = true} : (tensor<43x3072xf32>, tensor<256x3072xf32>) -> tensor<43x256xf32>
  func.return %y : tensor<43x256xf32>
}
// -----
// Blocks differ by an element; weights lie as [K, N], rows in a batch.
// CHECK-LABEL: @uneven
// CHECK: nn.mat_mul {{.*}} : (tensor<2x30x768xf32>, tensor<768x256xf32>) -> tensor<2x30x256xf32>
// CHECK: nn.mat_mul {{.*}} : (tensor<2x30x768xf32>, tensor<768x256xf32>) -> tensor<2x30x256xf32>
// CHECK: nn.mat_mul {{.*}} : (tensor<2x30x768xf32>, tensor<768x256xf32>) -> tensor<2x30x256xf32>
// CHECK: nn.mat_mul {{.*}} : (tensor<2x30x769xf32>, tensor<769x256xf32>) -> tensor<2x30x256xf32>
func.func @uneven(%x: tensor<2x30x3073xf32>) -> tensor<2x30x256xf32> {
  %w = nn.constant dense<1.0> : tensor<3073x256xf32>
  %y = nn.mat_mul %x, %w : (tensor<2x30x3073xf32>, tensor<3073x256xf32>) -> tensor<2x30x256xf32>
  func.return %y : tensor<2x30x256xf32>
}
// -----
// Nearest misses: rows that stay in a cache of 512 KiB, one element less of K, one column less, computed weights.
// CHECK-LABEL: @near
// CHECK: nn.mat_mul {{.*}} : (tensor<42x3072xf32>, tensor<3072x256xf32>)
func.func @near(%x: tensor<42x3072xf32>) -> tensor<42x256xf32> {
  %w = nn.constant dense<1.0> : tensor<3072x256xf32>
  %y = nn.mat_mul %x, %w : (tensor<42x3072xf32>, tensor<3072x256xf32>) -> tensor<42x256xf32>
  func.return %y : tensor<42x256xf32>
}
// -----
// CHECK-LABEL: @shallow
// CHECK: nn.mat_mul {{.*}} : (tensor<64x3071xf32>, tensor<3071x256xf32>)
func.func @shallow(%x: tensor<64x3071xf32>) -> tensor<64x256xf32> {
  %w = nn.constant dense<1.0> : tensor<3071x256xf32>
  %y = nn.mat_mul %x, %w : (tensor<64x3071xf32>, tensor<3071x256xf32>) -> tensor<64x256xf32>
  func.return %y : tensor<64x256xf32>
}
// -----
// CHECK-LABEL: @narrow
// CHECK: nn.mat_mul {{.*}} : (tensor<64x3072xf32>, tensor<3072x255xf32>)
func.func @narrow(%x: tensor<64x3072xf32>) -> tensor<64x255xf32> {
  %w = nn.constant dense<1.0> : tensor<3072x255xf32>
  %y = nn.mat_mul %x, %w : (tensor<64x3072xf32>, tensor<3072x255xf32>) -> tensor<64x255xf32>
  func.return %y : tensor<64x255xf32>
}
// -----
// CHECK-LABEL: @computed
// CHECK: nn.mat_mul {{.*}} : (tensor<64x3072xf32>, tensor<3072x256xf32>)
func.func @computed(%x: tensor<64x3072xf32>, %w: tensor<3072x256xf32>) -> tensor<64x256xf32> {
  %y = nn.mat_mul %x, %w : (tensor<64x3072xf32>, tensor<3072x256xf32>) -> tensor<64x256xf32>
  func.return %y : tensor<64x256xf32>
}
