// RUN: opt-tool %s --split-input-file --verify-diagnostics | filecheck %s

// Operations that hold; each of those below breaks one part of them.
// CHECK-LABEL: @holds
// CHECK:       kernel.split_digits block 12 ins(%x : tensor<2x20xf32>)
// CHECK:       kernel.compressed_mat_mul [2, 5] bits 4 block 12 zero 8 digits(
func.func @holds(%x: tensor<2x20xf32>, %c: tensor<5x20xui8>, %w: tensor<5x2xf16>, %z: tensor<5x2xui8>) {
  %d, %u, %s = kernel.split_digits block 12 ins(%x : tensor<2x20xf32>) outs() -> tensor<2x2x3x16xi8>, tensor<2x2xf32>, tensor<2x2x3xi32> {
  ^bb0(%0: f32):
    kernel.yield %0 : f32
  }
  %y = kernel.compressed_mat_mul [2, 5] bits 4 block 12 zero 8 digits(%d, %u, %s : tensor<2x2x3x16xi8>, tensor<2x2xf32>, tensor<2x2x3xi32>) codes(%c : tensor<5x20xui8>) scales(%w : tensor<5x2xf16>) zeros(%z : tensor<5x2xui8>) ins() outs() access [affine_map<(d0, d1) -> (d0, d1)>] -> tensor<2x5xf32> {
  ^bb0(%sum: f32):
    kernel.yield %sum : f32
  }
  func.return
}
// -----
func.func @no_block(%x: tensor<2x20xf32>, %c: tensor<5x20xui8>, %w: tensor<5x2xf16>, %z: tensor<5x2xui8>) {
  // expected-error@below {{kernel.split_digits: block 0 is not from 1 to 256}}
  %d, %u, %s = kernel.split_digits block 0 ins(%x : tensor<2x20xf32>) outs() -> tensor<2x2x3x16xi8>, tensor<2x2xf32>, tensor<2x2x3xi32> {
  ^bb0(%0: f32):
    kernel.yield %0 : f32
  }
  func.return
}
// -----
func.func @long_block(%x: tensor<2x20xf32>, %c: tensor<5x20xui8>, %w: tensor<5x2xf16>, %z: tensor<5x2xui8>) {
  // expected-error@below {{kernel.split_digits: block 257 is not from 1 to 256}}
  %d, %u, %s = kernel.split_digits block 257 ins(%x : tensor<2x20xf32>) outs() -> tensor<2x2x3x16xi8>, tensor<2x2xf32>, tensor<2x2x3xi32> {
  ^bb0(%0: f32):
    kernel.yield %0 : f32
  }
  func.return
}
// -----
func.func @vector(%x: tensor<20xf32>, %c: tensor<5x20xui8>, %w: tensor<5x2xf16>, %z: tensor<5x2xui8>) {
  // expected-error@below {{kernel.split_digits: takes activations [rows, depth]}}
  %d, %u, %s = kernel.split_digits block 12 ins(%x : tensor<20xf32>) outs() -> tensor<2x2x3x16xi8>, tensor<2x2xf32>, tensor<2x2x3xi32> {
  ^bb0(%0: f32):
    kernel.yield %0 : f32
  }
  func.return
}
// -----
func.func @blocks(%x: tensor<2x20xf32>, %c: tensor<5x20xui8>, %w: tensor<5x2xf16>, %z: tensor<5x2xui8>) {
  // expected-error@below {{kernel.split_digits: gives [2, 1, 3, 24] of i8, [2, 1] of f32, [2, 1, 3] of i32 in blocks of 20}}
  %d, %u, %s = kernel.split_digits block 20 ins(%x : tensor<2x20xf32>) outs() -> tensor<2x2x3x16xi8>, tensor<2x2xf32>, tensor<2x2x3xi32> {
  ^bb0(%0: f32):
    kernel.yield %0 : f32
  }
  func.return
}
// -----
func.func @bits(%x: tensor<2x20xf32>, %c: tensor<5x20xui8>, %w: tensor<5x2xf16>, %z: tensor<5x2xui8>) {
  %d, %u, %s = kernel.split_digits block 12 ins(%x : tensor<2x20xf32>) outs() -> tensor<2x2x3x16xi8>, tensor<2x2xf32>, tensor<2x2x3xi32> {
  ^bb0(%0: f32):
    kernel.yield %0 : f32
  }
  // expected-error@below {{kernel.compressed_mat_mul: codes of 5 bits; they have 4 or 8}}
  %y = kernel.compressed_mat_mul [2, 5] bits 5 block 12 zero 8 digits(%d, %u, %s : tensor<2x2x3x16xi8>, tensor<2x2xf32>, tensor<2x2x3xi32>) codes(%c : tensor<5x20xui8>) scales(%w : tensor<5x2xf16>) zeros(%z : tensor<5x2xui8>) ins() outs() access [affine_map<(d0, d1) -> (d0, d1)>] -> tensor<2x5xf32> {
  ^bb0(%sum: f32):
    kernel.yield %sum : f32
  }
  func.return
}
// -----
func.func @other_block(%x: tensor<2x20xf32>, %c: tensor<5x20xui8>, %w: tensor<5x2xf16>, %z: tensor<5x2xui8>) {
  %d, %u, %s = kernel.split_digits block 12 ins(%x : tensor<2x20xf32>) outs() -> tensor<2x2x3x16xi8>, tensor<2x2xf32>, tensor<2x2x3xi32> {
  ^bb0(%0: f32):
    kernel.yield %0 : f32
  }
  // expected-error@below {{kernel.compressed_mat_mul: takes digits, units and sums of 2 rows as kernel.split_digits gives them for blocks of 20}}
  %y = kernel.compressed_mat_mul [2, 5] bits 4 block 20 zero 8 digits(%d, %u, %s : tensor<2x2x3x16xi8>, tensor<2x2xf32>, tensor<2x2x3xi32>) codes(%c : tensor<5x20xui8>) scales(%w : tensor<5x2xf16>) zeros(%z : tensor<5x2xui8>) ins() outs() access [affine_map<(d0, d1) -> (d0, d1)>] -> tensor<2x5xf32> {
  ^bb0(%sum: f32):
    kernel.yield %sum : f32
  }
  func.return
}
// -----
func.func @rows(%x: tensor<2x20xf32>, %c: tensor<5x20xui8>, %w: tensor<5x2xf16>, %z: tensor<5x2xui8>) {
  %d, %u, %s = kernel.split_digits block 12 ins(%x : tensor<2x20xf32>) outs() -> tensor<2x2x3x16xi8>, tensor<2x2xf32>, tensor<2x2x3xi32> {
  ^bb0(%0: f32):
    kernel.yield %0 : f32
  }
  // expected-error@below {{kernel.compressed_mat_mul: takes digits, units and sums of 3 rows as kernel.split_digits gives them for blocks of 12}}
  %y = kernel.compressed_mat_mul [3, 5] bits 4 block 12 zero 8 digits(%d, %u, %s : tensor<2x2x3x16xi8>, tensor<2x2xf32>, tensor<2x2x3xi32>) codes(%c : tensor<5x20xui8>) scales(%w : tensor<5x2xf16>) zeros(%z : tensor<5x2xui8>) ins() outs() access [affine_map<(d0, d1) -> (d0, d1)>] -> tensor<3x5xf32> {
  ^bb0(%sum: f32):
    kernel.yield %sum : f32
  }
  func.return
}
// -----
func.func @depth(%x: tensor<2x20xf32>, %c: tensor<5x25xui8>, %w: tensor<5x2xf16>, %z: tensor<5x2xui8>) {
  %d, %u, %s = kernel.split_digits block 12 ins(%x : tensor<2x20xf32>) outs() -> tensor<2x2x3x16xi8>, tensor<2x2xf32>, tensor<2x2x3xi32> {
  ^bb0(%0: f32):
    kernel.yield %0 : f32
  }
  // expected-error@below {{kernel.compressed_mat_mul: codes tensor<5x25xui8> are not bytes for 5 columns and 2 blocks}}
  %y = kernel.compressed_mat_mul [2, 5] bits 4 block 12 zero 8 digits(%d, %u, %s : tensor<2x2x3x16xi8>, tensor<2x2xf32>, tensor<2x2x3xi32>) codes(%c : tensor<5x25xui8>) scales(%w : tensor<5x2xf16>) zeros(%z : tensor<5x2xui8>) ins() outs() access [affine_map<(d0, d1) -> (d0, d1)>] -> tensor<2x5xf32> {
  ^bb0(%sum: f32):
    kernel.yield %sum : f32
  }
  func.return
}
// -----
func.func @words(%x: tensor<2x20xf32>, %c: tensor<5x20xi16>, %w: tensor<5x2xf16>, %z: tensor<5x2xui8>) {
  %d, %u, %s = kernel.split_digits block 12 ins(%x : tensor<2x20xf32>) outs() -> tensor<2x2x3x16xi8>, tensor<2x2xf32>, tensor<2x2x3xi32> {
  ^bb0(%0: f32):
    kernel.yield %0 : f32
  }
  // expected-error@below {{kernel.compressed_mat_mul: codes tensor<5x20xi16> are not bytes for 5 columns and 2 blocks}}
  %y = kernel.compressed_mat_mul [2, 5] bits 4 block 12 zero 8 digits(%d, %u, %s : tensor<2x2x3x16xi8>, tensor<2x2xf32>, tensor<2x2x3xi32>) codes(%c : tensor<5x20xi16>) scales(%w : tensor<5x2xf16>) zeros(%z : tensor<5x2xui8>) ins() outs() access [affine_map<(d0, d1) -> (d0, d1)>] -> tensor<2x5xf32> {
  ^bb0(%sum: f32):
    kernel.yield %sum : f32
  }
  func.return
}
// -----
func.func @packed(%x: tensor<2x20xf32>, %c: tensor<5x20xui8>, %w: tensor<5x2xf16>, %z: tensor<5x2xui8>) {
  %d, %u, %s = kernel.split_digits block 12 ins(%x : tensor<2x20xf32>) outs() -> tensor<2x2x3x16xi8>, tensor<2x2xf32>, tensor<2x2x3xi32> {
  ^bb0(%0: f32):
    kernel.yield %0 : f32
  }
  // expected-error@below {{kernel.compressed_mat_mul: codes tensor<5x20xui8> are not bytes for 5 columns and 2 blocks}}
  %y = kernel.compressed_mat_mul [2, 5] bits 4 block 12 zero 8 digits(%d, %u, %s : tensor<2x2x3x16xi8>, tensor<2x2xf32>, tensor<2x2x3xi32>) codes(%c : tensor<5x20xui8>) scales(%w : tensor<5x2xf16>) zeros(%z : tensor<5x2xui8>) ins() outs() access [affine_map<(d0, d1) -> (d0, d1)>] attributes {layout = {lanes = 4 : i64, kr = 4 : i64, nr_vectors = 1 : i64}} -> tensor<2x5xf32> {
  ^bb0(%sum: f32):
    kernel.yield %sum : f32
  }
  func.return
}
// -----
func.func @scales(%x: tensor<2x20xf32>, %c: tensor<5x20xui8>, %w: tensor<5x1xf16>, %z: tensor<5x2xui8>) {
  %d, %u, %s = kernel.split_digits block 12 ins(%x : tensor<2x20xf32>) outs() -> tensor<2x2x3x16xi8>, tensor<2x2xf32>, tensor<2x2x3xi32> {
  ^bb0(%0: f32):
    kernel.yield %0 : f32
  }
  // expected-error@below {{kernel.compressed_mat_mul: scales are one array of [5, 2] or none}}
  %y = kernel.compressed_mat_mul [2, 5] bits 4 block 12 zero 8 digits(%d, %u, %s : tensor<2x2x3x16xi8>, tensor<2x2xf32>, tensor<2x2x3xi32>) codes(%c : tensor<5x20xui8>) scales(%w : tensor<5x1xf16>) zeros(%z : tensor<5x2xui8>) ins() outs() access [affine_map<(d0, d1) -> (d0, d1)>] -> tensor<2x5xf32> {
  ^bb0(%sum: f32):
    kernel.yield %sum : f32
  }
  func.return
}
// -----
func.func @two_scales(%x: tensor<2x20xf32>, %c: tensor<5x20xui8>, %w: tensor<5x2xf16>, %z: tensor<5x2xui8>) {
  %d, %u, %s = kernel.split_digits block 12 ins(%x : tensor<2x20xf32>) outs() -> tensor<2x2x3x16xi8>, tensor<2x2xf32>, tensor<2x2x3xi32> {
  ^bb0(%0: f32):
    kernel.yield %0 : f32
  }
  // expected-error@below {{kernel.compressed_mat_mul: scales are one array of [5, 2] or none}}
  %y = kernel.compressed_mat_mul [2, 5] bits 4 block 12 zero 8 digits(%d, %u, %s : tensor<2x2x3x16xi8>, tensor<2x2xf32>, tensor<2x2x3xi32>) codes(%c : tensor<5x20xui8>) scales(%w, %w : tensor<5x2xf16>, tensor<5x2xf16>) zeros(%z : tensor<5x2xui8>) ins() outs() access [affine_map<(d0, d1) -> (d0, d1)>] -> tensor<2x5xf32> {
  ^bb0(%sum: f32):
    kernel.yield %sum : f32
  }
  func.return
}
// -----
func.func @scale_type(%x: tensor<2x20xf32>, %c: tensor<5x20xui8>, %w: tensor<5x2xi32>, %z: tensor<5x2xui8>) {
  %d, %u, %s = kernel.split_digits block 12 ins(%x : tensor<2x20xf32>) outs() -> tensor<2x2x3x16xi8>, tensor<2x2xf32>, tensor<2x2x3xi32> {
  ^bb0(%0: f32):
    kernel.yield %0 : f32
  }
  // expected-error@below {{kernel.compressed_mat_mul: scales of i32}}
  %y = kernel.compressed_mat_mul [2, 5] bits 4 block 12 zero 8 digits(%d, %u, %s : tensor<2x2x3x16xi8>, tensor<2x2xf32>, tensor<2x2x3xi32>) codes(%c : tensor<5x20xui8>) scales(%w : tensor<5x2xi32>) zeros(%z : tensor<5x2xui8>) ins() outs() access [affine_map<(d0, d1) -> (d0, d1)>] -> tensor<2x5xf32> {
  ^bb0(%sum: f32):
    kernel.yield %sum : f32
  }
  func.return
}
// -----
func.func @zeros(%x: tensor<2x20xf32>, %c: tensor<5x20xui8>, %w: tensor<5x2xf16>, %z: tensor<2x5xui8>) {
  %d, %u, %s = kernel.split_digits block 12 ins(%x : tensor<2x20xf32>) outs() -> tensor<2x2x3x16xi8>, tensor<2x2xf32>, tensor<2x2x3xi32> {
  ^bb0(%0: f32):
    kernel.yield %0 : f32
  }
  // expected-error@below {{kernel.compressed_mat_mul: zeros are one array of [5, 2] or none}}
  %y = kernel.compressed_mat_mul [2, 5] bits 4 block 12 zero 8 digits(%d, %u, %s : tensor<2x2x3x16xi8>, tensor<2x2xf32>, tensor<2x2x3xi32>) codes(%c : tensor<5x20xui8>) scales(%w : tensor<5x2xf16>) zeros(%z : tensor<2x5xui8>) ins() outs() access [affine_map<(d0, d1) -> (d0, d1)>] -> tensor<2x5xf32> {
  ^bb0(%sum: f32):
    kernel.yield %sum : f32
  }
  func.return
}
// -----
func.func @zero_type(%x: tensor<2x20xf32>, %c: tensor<5x20xui8>, %w: tensor<5x2xf16>, %z: tensor<5x2xf32>) {
  %d, %u, %s = kernel.split_digits block 12 ins(%x : tensor<2x20xf32>) outs() -> tensor<2x2x3x16xi8>, tensor<2x2xf32>, tensor<2x2x3xi32> {
  ^bb0(%0: f32):
    kernel.yield %0 : f32
  }
  // expected-error@below {{kernel.compressed_mat_mul: zeros of f32}}
  %y = kernel.compressed_mat_mul [2, 5] bits 4 block 12 zero 8 digits(%d, %u, %s : tensor<2x2x3x16xi8>, tensor<2x2xf32>, tensor<2x2x3xi32>) codes(%c : tensor<5x20xui8>) scales(%w : tensor<5x2xf16>) zeros(%z : tensor<5x2xf32>) ins() outs() access [affine_map<(d0, d1) -> (d0, d1)>] -> tensor<2x5xf32> {
  ^bb0(%sum: f32):
    kernel.yield %sum : f32
  }
  func.return
}
// -----
func.func @domain(%x: tensor<2x20xf32>, %c: tensor<5x20xui8>, %w: tensor<5x2xf16>, %z: tensor<5x2xui8>) {
  %d, %u, %s = kernel.split_digits block 12 ins(%x : tensor<2x20xf32>) outs() -> tensor<2x2x3x16xi8>, tensor<2x2xf32>, tensor<2x2x3xi32> {
  ^bb0(%0: f32):
    kernel.yield %0 : f32
  }
  // expected-error@below {{kernel.compressed_mat_mul: domain [1, 2, 5]; it is rows and columns}}
  %y = kernel.compressed_mat_mul [1, 2, 5] bits 4 block 12 zero 8 digits(%d, %u, %s : tensor<2x2x3x16xi8>, tensor<2x2xf32>, tensor<2x2x3xi32>) codes(%c : tensor<5x20xui8>) scales(%w : tensor<5x2xf16>) zeros(%z : tensor<5x2xui8>) ins() outs() access [affine_map<(d0, d1, d2) -> (d1, d2)>] -> tensor<2x5xf32> {
  ^bb0(%sum: f32):
    kernel.yield %sum : f32
  }
  func.return
}
