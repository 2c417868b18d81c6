// RUN: opt-tool %s --nn-to-kernels --pack-weights=isa=avx512_vnni --mlir-elide-elementsattrs-if-larger=8 | filecheck %s

// Codes from -8 to 7 lie two in a byte where few rows stream many of them: of 32 elements, 4 in a step, and of 8 vectors 4 are stored.
// CHECK-LABEL: func.func @four_bits(
// CHECK:         kernel.mat_mul [1, 1024] groups 1 a(%x : tensor<1x32xui8>) b(%w : tensor<8x8x1x4x16x4xi8>) ins() outs() access [affine_map<(d0, d1) -> (d0, d1)>] attributes {layout = {lanes = 16 : i64, kr = 4 : i64, nr_vectors = 8 : i64, bits = 4 : i64}}
func.func @four_bits(%x: tensor<1x32xui8>) -> tensor<1x1024xi32> {
  %w = nn.constant dense<-8> : tensor<1024x32xi8>
  %0 = nn.mat_mul %x, %w {transpose_b = true} : (tensor<1x32xui8>, tensor<1024x32xi8>) -> tensor<1x1024xi32>
  func.return %0 : tensor<1x1024xi32>
}

// A vector alone would leave the other half of its bytes empty: there are two.
// CHECK-LABEL: func.func @one_vector(
// CHECK:         kernel.mat_mul [1, 16] groups 1 a(%x : tensor<1x2048xui8>) b(%w : tensor<1x512x1x1x16x4xi8>) {{.*}} attributes {layout = {lanes = 16 : i64, kr = 4 : i64, nr_vectors = 2 : i64, bits = 4 : i64}}
func.func @one_vector(%x: tensor<1x2048xui8>) -> tensor<1x16xi32> {
  %w = nn.constant dense<-8> : tensor<16x2048xi8>
  %0 = nn.mat_mul %x, %w {transpose_b = true} : (tensor<1x2048xui8>, tensor<16x2048xi8>) -> tensor<1x16xi32>
  func.return %0 : tensor<1x16xi32>
}

// 8 is not one of them.
// CHECK-LABEL: func.func @five_bits(
// CHECK:         kernel.mat_mul [1, 1024] groups 1 a(%x : tensor<1x32xui8>) b(%w : tensor<8x8x1x8x16x4xi8>) ins() outs() access [affine_map<(d0, d1) -> (d0, d1)>] attributes {layout = {lanes = 16 : i64, kr = 4 : i64, nr_vectors = 8 : i64}}
func.func @five_bits(%x: tensor<1x32xui8>) -> tensor<1x1024xi32> {
  %w = nn.constant dense<8> : tensor<1024x32xi8>
  %0 = nn.mat_mul %x, %w {transpose_b = true} : (tensor<1x32xui8>, tensor<1024x32xi8>) -> tensor<1x1024xi32>
  func.return %0 : tensor<1x1024xi32>
}

// Few weights stay in the nearest cache.
// CHECK-LABEL: func.func @near(
// CHECK:         kernel.mat_mul [1, 512] {{.*}} attributes {layout = {lanes = 16 : i64, kr = 4 : i64, nr_vectors = 8 : i64}}
func.func @near(%x: tensor<1x32xui8>) -> tensor<1x512xi32> {
  %w = nn.constant dense<-8> : tensor<512x32xi8>
  %0 = nn.mat_mul %x, %w {transpose_b = true} : (tensor<1x32xui8>, tensor<512x32xi8>) -> tensor<1x512xi32>
  func.return %0 : tensor<1x512xi32>
}

// More rows multiply longer than weights are read.
// CHECK-LABEL: func.func @rows(
// CHECK:         kernel.mat_mul [3, 1024] {{.*}} attributes {layout = {lanes = 16 : i64, kr = 4 : i64, nr_vectors = {{[0-9]+}} : i64}}
func.func @rows(%x: tensor<3x32xui8>) -> tensor<3x1024xi32> {
  %w = nn.constant dense<-8> : tensor<1024x32xi8>
  %0 = nn.mat_mul %x, %w {transpose_b = true} : (tensor<3x32xui8>, tensor<1024x32xi8>) -> tensor<3x1024xi32>
  func.return %0 : tensor<3x1024xi32>
}
