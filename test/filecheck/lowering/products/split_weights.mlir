// RUN: opt-tool %s --split-input-file --split-weights=isa=avx512_vnni | filecheck %s
// RUN: opt-tool %s --split-input-file --split-weights=isa=avx2 | filecheck %s --check-prefix=PAIRS

// 0.75 is 6291456 units of 2^-23: digits 96, 0 and 0. Instructions that sum two products take as long as f32.
// CHECK-LABEL: @codes
// CHECK-NOT:  nn.convert %c
// CHECK:      [[D:%.*]] = nn.constant {{.*}} : tensor<48x32xi8>
// CHECK-NEXT: [[S:%.*]] = nn.mat_mul %c, [[D]] {{.*}}name = "y", type = "MatMul"{{.*}}transpose_b = true} : (tensor<5x32xui8>, tensor<48x32xi8>) -> tensor<5x48xi32>
// CHECK-NEXT: nn.constant dense<1>
// CHECK-NEXT: %[[P0:.*]], %[[P1:.*]], %[[P2:.*]] = nn.split [[S]], {{.*}} {{.*}}num_splits = 3 : i64
// CHECK-NEXT: [[HIGH:%.*]] = nn.convert %[[P0]] to f32
// CHECK-NEXT: [[MIDDLE:%.*]] = nn.convert %[[P1]] to f32
// CHECK-NEXT: [[LOW:%.*]] = nn.convert %[[P2]] to f32
// CHECK-NEXT: nn.constant dense<256.0>
// CHECK-NEXT: [[M:%.*]] = nn.multiply [[HIGH]]
// CHECK-NEXT: [[A:%.*]] = nn.add [[M]], [[MIDDLE]]
// CHECK-NEXT: nn.constant dense<256.0>
// CHECK-NEXT: [[N:%.*]] = nn.multiply [[A]]
// CHECK-NEXT: [[B:%.*]] = nn.add [[N]], [[LOW]]
// CHECK-NEXT: [[U:%.*]] = nn.constant dense<5.9604645e-08> : tensor<16xf32>
// CHECK-NEXT: nn.multiply [[B]], [[U]]
// PAIRS-LABEL: @codes
// PAIRS: nn.mat_mul {{.*}} : (tensor<5x32xf32>, tensor<16x32xf32>)
func.func @codes(%c: tensor<5x32xui8>) -> tensor<5x16xf32> {
  %f = nn.convert %c to f32 : tensor<5x32xui8> -> tensor<5x32xf32>
  %s = nn.constant dense<0.5> : tensor<f32>
  %x = nn.multiply %f, %s : (tensor<5x32xf32>, tensor<f32>) -> tensor<5x32xf32>
  %w = nn.constant dense<0.75> : tensor<16x32xf32>
  %y = nn.mat_mul %x, %w {nn.name = "y", transpose_b = true} : (tensor<5x32xf32>, tensor<16x32xf32>) -> tensor<5x16xf32>
  func.return %y : tensor<5x16xf32>
}

// -----

// A scale for each element of the sum does not leave it.
// CHECK-LABEL: @channels
// CHECK: nn.mat_mul {{.*}} : (tensor<5x32xf32>, tensor<32x16xf32>)
func.func @channels(%c: tensor<5x32xi8>) -> tensor<5x16xf32> {
  %f = nn.convert %c to f32 : tensor<5x32xi8> -> tensor<5x32xf32>
  %s = nn.constant dense<0.5> : tensor<32xf32>
  %x = nn.multiply %f, %s : (tensor<5x32xf32>, tensor<32xf32>) -> tensor<5x32xf32>
  %w = nn.constant dense<0.75> : tensor<32x16xf32>
  %y = nn.mat_mul %x, %w : (tensor<5x32xf32>, tensor<32x16xf32>) -> tensor<5x16xf32>
  func.return %y : tensor<5x16xf32>
}

// -----

// Three sums for 31 products each are not worth it.
// CHECK-LABEL: @short
// CHECK: nn.mat_mul {{.*}} : (tensor<5x31xf32>, tensor<31x16xf32>)
func.func @short(%c: tensor<5x31xi8>) -> tensor<5x16xf32> {
  %f = nn.convert %c to f32 : tensor<5x31xi8> -> tensor<5x31xf32>
  %s = nn.constant dense<0.5> : tensor<f32>
  %x = nn.multiply %f, %s : (tensor<5x31xf32>, tensor<f32>) -> tensor<5x31xf32>
  %w = nn.constant dense<0.75> : tensor<31x16xf32>
  %y = nn.mat_mul %x, %w : (tensor<5x31xf32>, tensor<31x16xf32>) -> tensor<5x16xf32>
  func.return %y : tensor<5x16xf32>
}

// -----

// What is infinite has no digits.
// CHECK-LABEL: @infinite
// CHECK: nn.mat_mul {{.*}} : (tensor<5x32xf32>, tensor<32x16xf32>)
func.func @infinite(%c: tensor<5x32xi8>) -> tensor<5x16xf32> {
  %f = nn.convert %c to f32 : tensor<5x32xi8> -> tensor<5x32xf32>
  %s = nn.constant dense<0.5> : tensor<f32>
  %x = nn.multiply %f, %s : (tensor<5x32xf32>, tensor<f32>) -> tensor<5x32xf32>
  %w = nn.constant dense<0x7F800000> : tensor<32x16xf32>
  %y = nn.mat_mul %x, %w : (tensor<5x32xf32>, tensor<32x16xf32>) -> tensor<5x16xf32>
  func.return %y : tensor<5x16xf32>
}
