// RUN: opt-tool %s --pack-weights=isa=portable | filecheck %s
// RUN: opt-tool %s --pack-weights=isa=avx512_vnni | filecheck %s

// What computes an operand and transposes it on the way, writes it as it reads. Nearest miss: something else reads it, too.
// CHECK-LABEL: func.func @computed_in_place(
// CHECK-NEXT:    [[W:%.*]] = kernel.map [48, 64] ins(%w : tensor<48x64xf32>) outs() access [affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d0, d1)>] -> tensor<48x64xf32>
// CHECK-NOT:     kernel.map
// CHECK:         kernel.mat_mul [1, 64] groups 1 a(%x : tensor<1x48xf32>) b([[W]] : tensor<48x64xf32>)
// CHECK-SAME:      attributes {k_by_n}
func.func @computed_in_place(%x: tensor<1x48xf32>, %w: tensor<48x64xf32>) -> tensor<1x64xf32> {
  %0 = kernel.map [48, 64] ins(%w : tensor<48x64xf32>) outs() access [affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d1, d0)>] -> tensor<64x48xf32> {
  ^bb0(%e: f32):
    %f = arith.mulf %e, %e : f32
    kernel.yield %f : f32
  }
  %1 = kernel.mat_mul [1, 64] groups 1 a(%x : tensor<1x48xf32>) b(%0 : tensor<64x48xf32>) ins() outs() access [affine_map<(d0, d1) -> (d0, d1)>] -> tensor<1x64xf32> {
  ^bb0(%e: f32):
    kernel.yield %e : f32
  }
  func.return %1 : tensor<1x64xf32>
}

// CHECK-LABEL: func.func @computed_for_others(
// CHECK-NOT:     k_by_n
// CHECK:         func.return
func.func @computed_for_others(%x: tensor<8x48xf32>, %w: tensor<48x64xf32>) -> (tensor<8x64xf32>, tensor<64x48xf32>) {
  %0 = kernel.map [48, 64] ins(%w : tensor<48x64xf32>) outs() access [affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d1, d0)>] -> tensor<64x48xf32> {
  ^bb0(%e: f32):
    %f = arith.mulf %e, %e : f32
    kernel.yield %f : f32
  }
  %1 = kernel.mat_mul [8, 64] groups 1 a(%x : tensor<8x48xf32>) b(%0 : tensor<64x48xf32>) ins() outs() access [affine_map<(d0, d1) -> (d0, d1)>] -> tensor<8x64xf32> {
  ^bb0(%e: f32):
    kernel.yield %e : f32
  }
  func.return %1, %0 : tensor<8x64xf32>, tensor<64x48xf32>
}

// Codes are read where they lie, too, however many of k an instruction multiplies.
// CHECK-LABEL: func.func @codes(
// CHECK-NEXT:    kernel.mat_mul [1, 64] groups 1 a(%x : tensor<1x48xui8>) b(%w : tensor<48x64xi8>)
// CHECK-SAME:      attributes {k_by_n}
func.func @codes(%x: tensor<1x48xui8>, %w: tensor<48x64xi8>) -> tensor<1x64xi32> {
  %0 = kernel.map [64, 48] ins(%w : tensor<48x64xi8>) outs() access [affine_map<(d0, d1) -> (d1, d0)>, affine_map<(d0, d1) -> (d0, d1)>] -> tensor<64x48xi8> {
  ^bb0(%e: i32):
    kernel.yield %e : i32
  }
  %1 = kernel.mat_mul [1, 64] groups 1 a(%x : tensor<1x48xui8>) b(%0 : tensor<64x48xi8>) ins() outs() access [affine_map<(d0, d1) -> (d0, d1)>] -> tensor<1x64xi32> {
  ^bb0(%e: i32):
    kernel.yield %e : i32
  }
  func.return %1 : tensor<1x64xi32>
}
