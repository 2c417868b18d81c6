// RUN: opt-tool %s --offset-codes=isa=avx512_vnni | filecheck %s

// Codes of i8 become what vpdpbusd takes once, and the sums of the weights, 16 * 2 for each column, 128 times, go again.
// CHECK-LABEL: func.func @once(
// CHECK:         [[CODES:%.*]] = kernel.map [8, 16] ins(%x : tensor<8x16xi8>) {{.*}} -> tensor<8x16xui8> {
// CHECK-NEXT:    ^bb0([[X:%.*]]: i32):
// CHECK-NEXT:      [[OFFSET:%.*]] = arith.constant 128 : i32
// CHECK-NEXT:      [[MOVED:%.*]] = arith.addi [[X]], [[OFFSET]] : i32
// CHECK-NEXT:      kernel.yield [[MOVED]] : i32
// CHECK:         [[SUMS:%.*]] = nn.constant dense<4096> : tensor<64xi32>
// CHECK-NEXT:    kernel.mat_mul [8, 64] groups 1 a([[CODES]] : tensor<8x16xui8>) b(%w : tensor<64x16xi8>) ins([[SUMS]] : tensor<64xi32>) outs() access [affine_map<(d0, d1) -> (d1)>, affine_map<(d0, d1) -> (d0, d1)>] -> tensor<8x64xi32> {
// CHECK-NEXT:    ^bb0([[SUM:%.*]]: i32, [[LESS:%.*]]: i32):
// CHECK-NEXT:      [[RESULT:%.*]] = arith.subi [[SUM]], [[LESS]] : i32
// CHECK-NEXT:      kernel.yield [[RESULT]] : i32
func.func @once(%x: tensor<8x16xi8>) -> tensor<8x64xi32> {
  %w = nn.constant dense<2> : tensor<64x16xi8>
  %0 = kernel.mat_mul [8, 64] groups 1 a(%x : tensor<8x16xi8>) b(%w : tensor<64x16xi8>) ins() outs()
      access [affine_map<(d0, d1) -> (d0, d1)>] -> tensor<8x64xi32> {
  ^bb0(%s: i32):
    kernel.yield %s : i32
  }
  func.return %0 : tensor<8x64xi32>
}

// Gates are columns, too; each of two products has its codes and its sums, of which a gate has its own.
// CHECK-LABEL: func.func @gates(
// CHECK:         [[X:%.*]] = kernel.map [8, 16] ins(%x : tensor<8x16xi8>)
// CHECK:         [[H:%.*]] = kernel.map [8, 32] ins(%h : tensor<8x32xi8>)
// CHECK:         kernel.mat_mul [8, 32] groups 2 a([[X]], [[H]] : tensor<8x16xui8>, tensor<8x32xui8>) {{.*}} access [affine_map<(d0, d1) -> (d1)>, affine_map<(d0, d1) -> ((d1 + 32))>, affine_map<(d0, d1) -> (d1)>, affine_map<(d0, d1) -> ((d1 + 32))>, affine_map<(d0, d1) -> (d0, d1)>]
func.func @gates(%x: tensor<8x16xi8>, %h: tensor<8x32xi8>) -> tensor<8x32xi32> {
  %w = nn.constant dense<2> : tensor<64x16xi8>
  %r = nn.constant dense<1> : tensor<64x32xi8>
  %0 = kernel.mat_mul [8, 32] groups 2 a(%x, %h : tensor<8x16xi8>, tensor<8x32xi8>)
      b(%w, %r : tensor<64x16xi8>, tensor<64x32xi8>) ins() outs()
      access [affine_map<(d0, d1) -> (d0, d1)>] -> tensor<8x32xi32> {
  ^bb0(%a: i32, %b: i32, %c: i32, %d: i32):
    %e = arith.addi %a, %c : i32
    %f = arith.addi %b, %d : i32
    %g = arith.muli %e, %f : i32
    kernel.yield %g : i32
  }
  func.return %0 : tensor<8x32xi32>
}

// Two products of the same codes share what they become.
// CHECK-LABEL: func.func @shared(
// CHECK:         [[CODES:%.*]] = kernel.map
// CHECK-NOT:     kernel.map
// CHECK:         kernel.mat_mul [8, 64] groups 1 a([[CODES]] :
// CHECK:         kernel.mat_mul [8, 64] groups 1 a([[CODES]] :
func.func @shared(%x: tensor<8x16xi8>) -> (tensor<8x64xi32>, tensor<8x64xi32>) {
  %w = nn.constant dense<2> : tensor<64x16xi8>
  %0 = kernel.mat_mul [8, 64] groups 1 a(%x : tensor<8x16xi8>) b(%w : tensor<64x16xi8>) ins() outs()
      access [affine_map<(d0, d1) -> (d0, d1)>] -> tensor<8x64xi32> {
  ^bb0(%s: i32):
    kernel.yield %s : i32
  }
  %1 = kernel.mat_mul [8, 64] groups 1 a(%x : tensor<8x16xi8>) b(%w : tensor<64x16xi8>) ins() outs()
      access [affine_map<(d0, d1) -> (d0, d1)>] -> tensor<8x64xi32> {
  ^bb0(%s: i32):
    kernel.yield %s : i32
  }
  func.return %0, %1 : tensor<8x64xi32>, tensor<8x64xi32>
}

// Of seven rows, what takes the time is to read weights.
// CHECK-LABEL: func.func @few_rows(
// CHECK-NOT:     kernel.map
func.func @few_rows(%x: tensor<7x16xi8>) -> tensor<7x64xi32> {
  %w = nn.constant dense<2> : tensor<64x16xi8>
  %0 = kernel.mat_mul [7, 64] groups 1 a(%x : tensor<7x16xi8>) b(%w : tensor<64x16xi8>) ins() outs()
      access [affine_map<(d0, d1) -> (d0, d1)>] -> tensor<7x64xi32> {
  ^bb0(%s: i32):
    kernel.yield %s : i32
  }
  func.return %0 : tensor<7x64xi32>
}

// Codes of u8 are what the instruction takes.
// CHECK-LABEL: func.func @unsigned(
// CHECK-NOT:     kernel.map
func.func @unsigned(%x: tensor<8x16xui8>) -> tensor<8x64xi32> {
  %w = nn.constant dense<2> : tensor<64x16xi8>
  %0 = kernel.mat_mul [8, 64] groups 1 a(%x : tensor<8x16xui8>) b(%w : tensor<64x16xi8>) ins() outs()
      access [affine_map<(d0, d1) -> (d0, d1)>] -> tensor<8x64xi32> {
  ^bb0(%s: i32):
    kernel.yield %s : i32
  }
  func.return %0 : tensor<8x64xi32>
}

// Sums of computed weights are not known.
// CHECK-LABEL: func.func @computed(
// CHECK-NOT:     kernel.map
func.func @computed(%x: tensor<8x16xi8>, %w: tensor<64x16xi8>) -> tensor<8x64xi32> {
  %0 = kernel.mat_mul [8, 64] groups 1 a(%x : tensor<8x16xi8>) b(%w : tensor<64x16xi8>) ins() outs()
      access [affine_map<(d0, d1) -> (d0, d1)>] -> tensor<8x64xi32> {
  ^bb0(%s: i32):
    kernel.yield %s : i32
  }
  func.return %0 : tensor<8x64xi32>
}
