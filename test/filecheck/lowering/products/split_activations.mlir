// RUN: opt-tool %s --split-activations=isa=avx2 | filecheck %s
// RUN: opt-tool %s --split-activations=isa=avx512_vnni | filecheck %s --check-prefix=BYTES

// Four bits, a scale and a zero point for each group: blocks are groups, scales that f16 has are f16.
// CHECK-LABEL: @groups
// CHECK:      %[[D:.*]], %[[U:.*]], %[[S:.*]] = kernel.split_digits block 64 ins(%x : tensor<2x128xf32>) outs() -> tensor<2x2x3x64xi8>, tensor<2x2xf32>, tensor<2x2x3xi32>
// CHECK:      [[C:%.*]] = nn.constant dense<3> : tensor<128x128xui8>
// CHECK-NEXT: [[W:%.*]] = nn.constant dense<0.5> : tensor<128x2xf16>
// CHECK-NEXT: kernel.compressed_mat_mul [2, 128] bits 4 block 64 zero 8 digits(%[[D]], %[[U]], %[[S]] : {{.*}}) codes([[C]] : tensor<128x128xui8>) scales([[W]] : tensor<128x2xf16>) zeros() ins() outs()
// CHECK-NOT:  nn.mat_mul
func.func @groups(%x: tensor<2x128xf32>) -> tensor<2x128xf32> {
  %c = nn.constant dense<3> : tensor<128x2x64xui8>
  %f = qnn.dequantize %c scale <dense<0.5> : tensor<128x2x1xf32>> zero_point <dense<8> : tensor<128x2x1xui8>> : tensor<128x2x64xui8> -> tensor<128x2x64xf32>
  %s = nn.constant dense<128> : tensor<2xi64>
  %w = nn.reshape %f, %s : (tensor<128x2x64xf32>, tensor<2xi64>) -> tensor<128x128xf32>
  %y = nn.mat_mul %x, %w {transpose_b = true} : (tensor<2x128xf32>, tensor<128x128xf32>) -> tensor<2x128xf32>
  func.return %y : tensor<2x128xf32>
}

// Eight bits, and scales that f16 has not.
// CHECK-LABEL: @bytes
// CHECK: nn.constant dense<0.1> : tensor<128x2xf32>
// CHECK: kernel.compressed_mat_mul [1, 128] bits 8 block 64 zero 0
func.func @bytes(%x: tensor<1x128xf32>) -> tensor<1x128xf32> {
  %c = nn.constant dense<16> : tensor<128x2x64xui8>
  %f = qnn.dequantize %c scale <dense<0.1> : tensor<128x2x1xf32>> zero_point <dense<0> : tensor<128x2x1xui8>> : tensor<128x2x64xui8> -> tensor<128x2x64xf32>
  %s = nn.constant dense<128> : tensor<2xi64>
  %w = nn.reshape %f, %s : (tensor<128x2x64xf32>, tensor<2xi64>) -> tensor<128x128xf32>
  %y = nn.mat_mul %x, %w {transpose_b = true} : (tensor<1x128xf32>, tensor<128x128xf32>) -> tensor<1x128xf32>
  func.return %y : tensor<1x128xf32>
}

// No groups: blocks of 128, the last of which is shorter.
// CHECK-LABEL: @columns
// CHECK: kernel.split_digits block 128 {{.*}} -> tensor<4x2x3x128xi8>
// CHECK: kernel.compressed_mat_mul [4, 128] bits 8 block 128 zero 9 {{.*}} scales() zeros()
// CHECK: nn.reshape {{.*}} -> tensor<2x2x128xf32>
func.func @columns(%x: tensor<2x2x200xf32>) -> tensor<2x2x128xf32> {
  %c = nn.constant dense<100> : tensor<128x200xui8>
  %w = qnn.dequantize %c scale <dense<1.0> : tensor<f32>> zero_point <dense<9> : tensor<128x1xui8>> : tensor<128x200xui8> -> tensor<128x200xf32>
  %y = nn.mat_mul %x, %w {transpose_b = true} : (tensor<2x2x200xf32>, tensor<128x200xf32>) -> tensor<2x2x128xf32>
  func.return %y : tensor<2x2x128xf32>
}

// Zero points that differ are an array.
// CHECK-LABEL: @zeros
// CHECK: kernel.compressed_mat_mul [1, 2] bits 8 block 128 zero 0 {{.*}} scales() zeros({{.*}} : tensor<2x64xui8>)
func.func @zeros(%x: tensor<1x8192xf32>) -> tensor<1x2xf32> {
  %c = nn.constant dense<100> : tensor<2x8192xui8>
  %w = qnn.dequantize %c scale <dense<1.0> : tensor<f32>> zero_point <dense<[[8], [9]]> : tensor<2x1xui8>> : tensor<2x8192xui8> -> tensor<2x8192xf32>
  %y = nn.mat_mul %x, %w {transpose_b = true} : (tensor<1x8192xf32>, tensor<2x8192xf32>) -> tensor<1x2xf32>
  func.return %y : tensor<1x2xf32>
}

// A fifth row: weights are numbers, unless instructions sum products of bytes.
// CHECK-LABEL: @five_rows
// CHECK: nn.mat_mul %x, %w {transpose_b = true}
// BYTES-LABEL: @five_rows
// BYTES: kernel.compressed_mat_mul [5, 128] bits 8 block 128 zero 8
func.func @five_rows(%x: tensor<5x128xf32>) -> tensor<5x128xf32> {
  %c = nn.constant dense<100> : tensor<128x128xui8>
  %w = qnn.dequantize %c scale <dense<1.0> : tensor<f32>> zero_point <dense<8> : tensor<128x1xui8>> : tensor<128x128xui8> -> tensor<128x128xf32>
  %y = nn.mat_mul %x, %w {transpose_b = true} : (tensor<5x128xf32>, tensor<128x128xf32>) -> tensor<5x128xf32>
  func.return %y : tensor<5x128xf32>
}

// Weights of which there is another reader are numbers.
// CHECK-LABEL: @returned
// CHECK: nn.mat_mul %x, %w {transpose_b = true}
func.func @returned(%x: tensor<1x128xf32>) -> (tensor<1x128xf32>, tensor<128x128xf32>) {
  %c = nn.constant dense<100> : tensor<128x128xui8>
  %w = qnn.dequantize %c scale <dense<1.0> : tensor<f32>> zero_point <dense<8> : tensor<128x1xui8>> : tensor<128x128xui8> -> tensor<128x128xf32>
  %y = nn.mat_mul %x, %w {transpose_b = true} : (tensor<1x128xf32>, tensor<128x128xf32>) -> tensor<1x128xf32>
  func.return %y, %w : tensor<1x128xf32>, tensor<128x128xf32>
}

// Codes with a sign are not yet those that sink-constants writes.
// CHECK-LABEL: @signed
// CHECK: nn.mat_mul %x, %w {transpose_b = true}
func.func @signed(%x: tensor<1x128xf32>) -> tensor<1x128xf32> {
  %c = nn.constant dense<100> : tensor<128x128xi8>
  %w = qnn.dequantize %c scale <dense<1.0> : tensor<f32>> zero_point <dense<8> : tensor<128x1xi8>> : tensor<128x128xi8> -> tensor<128x128xf32>
  %y = nn.mat_mul %x, %w {transpose_b = true} : (tensor<1x128xf32>, tensor<128x128xf32>) -> tensor<1x128xf32>
  func.return %y : tensor<1x128xf32>
}
