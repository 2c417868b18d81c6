// RUN: opt-tool %s --split-input-file --fuse-kernels | filecheck %s

// Maps read rows first as well as columns first, so products and concatenations keep the order of the products.
// CHECK-LABEL: func.func @read_by_access(
// CHECK:         [[A:%.*]] = kernel.mat_mul {{.*}} access [affine_map<(d0, d1) -> (d0, d1)>] -> tensor<2x4xf32>
// CHECK:         [[B:%.*]] = kernel.mat_mul {{.*}} access [affine_map<(d0, d1) -> (d0, d1)>] -> tensor<2x4xf32>
// CHECK:         [[C:%.*]] = kernel.concat [[A]], [[B]] axis 1 : (tensor<2x4xf32>, tensor<2x4xf32>) -> tensor<2x8xf32>
// CHECK:         kernel.map [3, 8, 2] ins([[C]], %y : tensor<2x8xf32>, tensor<3x8x2xf32>) outs() access [affine_map<(d0, d1, d2) -> (d2, d1)>
// CHECK:         [[D:%.*]] = kernel.mat_mul {{.*}} access [affine_map<(d0, d1) -> (d0, d1)>] -> tensor<2x4xf32>
// CHECK:         [[E:%.*]] = kernel.concat [[C]], [[D]] axis 1 : (tensor<2x8xf32>, tensor<2x4xf32>) -> tensor<2x12xf32>
// CHECK:         kernel.map [3, 12, 2] ins([[E]], %z : tensor<2x12xf32>, tensor<3x12x2xf32>) outs() access [affine_map<(d0, d1, d2) -> (d2, d1)>
func.func @read_by_access(%x: tensor<2x3xf32>, %w: tensor<4x3xf32>, %y: tensor<3x8x2xf32>, %z: tensor<3x12x2xf32>) -> (tensor<3x8x2xf32>, tensor<3x12x2xf32>) {
  %0 = kernel.mat_mul [2, 4] groups 1 a(%x : tensor<2x3xf32>) b(%w : tensor<4x3xf32>) ins() outs()
      access [affine_map<(d0, d1) -> (d1, d0)>] -> tensor<4x2xf32> {
  ^bb0(%s: f32):
    kernel.yield %s : f32
  }
  %1 = kernel.mat_mul [2, 4] groups 1 a(%x : tensor<2x3xf32>) b(%w : tensor<4x3xf32>) ins() outs()
      access [affine_map<(d0, d1) -> (d1, d0)>] -> tensor<4x2xf32> {
  ^bb0(%s: f32):
    kernel.yield %s : f32
  }
  %2 = kernel.concat %0, %1 axis 0 : (tensor<4x2xf32>, tensor<4x2xf32>) -> tensor<8x2xf32>
  %3 = kernel.map [3, 8, 2] ins(%2, %y : tensor<8x2xf32>, tensor<3x8x2xf32>) outs()
      access [affine_map<(d0, d1, d2) -> (d1, d2)>, affine_map<(d0, d1, d2) -> (d0, d1, d2)>, affine_map<(d0, d1, d2) -> (d0, d1, d2)>] -> tensor<3x8x2xf32> {
  ^bb0(%a: f32, %b: f32):
    %c = arith.addf %a, %b : f32
    kernel.yield %c : f32
  }
  %4 = kernel.mat_mul [2, 4] groups 1 a(%x : tensor<2x3xf32>) b(%w : tensor<4x3xf32>) ins() outs()
      access [affine_map<(d0, d1) -> (d1, d0)>] -> tensor<4x2xf32> {
  ^bb0(%s: f32):
    kernel.yield %s : f32
  }
  %5 = kernel.concat %2, %4 axis 0 : (tensor<8x2xf32>, tensor<4x2xf32>) -> tensor<12x2xf32>
  %6 = kernel.map [3, 12, 2] ins(%5, %z : tensor<12x2xf32>, tensor<3x12x2xf32>) outs()
      access [affine_map<(d0, d1, d2) -> (d1, d2)>, affine_map<(d0, d1, d2) -> (d0, d1, d2)>, affine_map<(d0, d1, d2) -> (d0, d1, d2)>] -> tensor<3x12x2xf32> {
  ^bb0(%a: f32, %b: f32):
    %c = arith.addf %a, %b : f32
    kernel.yield %c : f32
  }
  func.return %3, %6 : tensor<3x8x2xf32>, tensor<3x12x2xf32>
}

// -----

// A caller wants columns first, of a concatenation that takes this one.
// CHECK-LABEL: func.func @returned(
// CHECK:         kernel.concat {{.*}} axis 0 : (tensor<4x2xf32>, tensor<4x2xf32>) -> tensor<8x2xf32>
// CHECK:         kernel.concat {{.*}} axis 0 : (tensor<8x2xf32>, tensor<4x2xf32>) -> tensor<12x2xf32>
func.func @returned(%x: tensor<2x3xf32>, %w: tensor<4x3xf32>, %y: tensor<3x8x2xf32>) -> (tensor<3x8x2xf32>, tensor<12x2xf32>) {
  %0 = kernel.mat_mul [2, 4] groups 1 a(%x : tensor<2x3xf32>) b(%w : tensor<4x3xf32>) ins() outs()
      access [affine_map<(d0, d1) -> (d1, d0)>] -> tensor<4x2xf32> {
  ^bb0(%s: f32):
    kernel.yield %s : f32
  }
  %1 = kernel.mat_mul [2, 4] groups 1 a(%x : tensor<2x3xf32>) b(%w : tensor<4x3xf32>) ins() outs()
      access [affine_map<(d0, d1) -> (d1, d0)>] -> tensor<4x2xf32> {
  ^bb0(%s: f32):
    kernel.yield %s : f32
  }
  %2 = kernel.concat %0, %1 axis 0 : (tensor<4x2xf32>, tensor<4x2xf32>) -> tensor<8x2xf32>
  %3 = kernel.map [3, 8, 2] ins(%2, %y : tensor<8x2xf32>, tensor<3x8x2xf32>) outs()
      access [affine_map<(d0, d1, d2) -> (d1, d2)>, affine_map<(d0, d1, d2) -> (d0, d1, d2)>, affine_map<(d0, d1, d2) -> (d0, d1, d2)>] -> tensor<3x8x2xf32> {
  ^bb0(%a: f32, %b: f32):
    %c = arith.addf %a, %b : f32
    kernel.yield %c : f32
  }
  %4 = kernel.mat_mul [2, 4] groups 1 a(%x : tensor<2x3xf32>) b(%w : tensor<4x3xf32>) ins() outs()
      access [affine_map<(d0, d1) -> (d1, d0)>] -> tensor<4x2xf32> {
  ^bb0(%s: f32):
    kernel.yield %s : f32
  }
  %5 = kernel.concat %2, %4 axis 0 : (tensor<8x2xf32>, tensor<4x2xf32>) -> tensor<12x2xf32>
  func.return %3, %5 : tensor<3x8x2xf32>, tensor<12x2xf32>
}

// -----

// A part is given columns first.
// CHECK-LABEL: func.func @given(
// CHECK:         kernel.concat {{.*}} axis 0 : (tensor<4x2xf32>, tensor<4x2xf32>) -> tensor<8x2xf32>
func.func @given(%x: tensor<2x3xf32>, %w: tensor<4x3xf32>, %p: tensor<4x2xf32>, %y: tensor<3x8x2xf32>) -> tensor<3x8x2xf32> {
  %0 = kernel.mat_mul [2, 4] groups 1 a(%x : tensor<2x3xf32>) b(%w : tensor<4x3xf32>) ins() outs()
      access [affine_map<(d0, d1) -> (d1, d0)>] -> tensor<4x2xf32> {
  ^bb0(%s: f32):
    kernel.yield %s : f32
  }
  %1 = kernel.concat %0, %p axis 0 : (tensor<4x2xf32>, tensor<4x2xf32>) -> tensor<8x2xf32>
  %2 = kernel.map [3, 8, 2] ins(%1, %y : tensor<8x2xf32>, tensor<3x8x2xf32>) outs()
      access [affine_map<(d0, d1, d2) -> (d1, d2)>, affine_map<(d0, d1, d2) -> (d0, d1, d2)>, affine_map<(d0, d1, d2) -> (d0, d1, d2)>] -> tensor<3x8x2xf32> {
  ^bb0(%a: f32, %b: f32):
    %c = arith.addf %a, %b : f32
    kernel.yield %c : f32
  }
  func.return %2 : tensor<3x8x2xf32>
}

// -----

// A product multiplies a part as it lies in memory.
// CHECK-LABEL: func.func @multiplied(
// CHECK:         kernel.concat {{.*}} axis 0 : (tensor<4x2xf32>, tensor<4x2xf32>) -> tensor<8x2xf32>
func.func @multiplied(%x: tensor<2x3xf32>, %w: tensor<4x3xf32>, %y: tensor<3x8x2xf32>) -> (tensor<3x8x2xf32>, tensor<4x4xf32>) {
  %0 = kernel.mat_mul [2, 4] groups 1 a(%x : tensor<2x3xf32>) b(%w : tensor<4x3xf32>) ins() outs()
      access [affine_map<(d0, d1) -> (d1, d0)>] -> tensor<4x2xf32> {
  ^bb0(%s: f32):
    kernel.yield %s : f32
  }
  %1 = kernel.mat_mul [2, 4] groups 1 a(%x : tensor<2x3xf32>) b(%w : tensor<4x3xf32>) ins() outs()
      access [affine_map<(d0, d1) -> (d1, d0)>] -> tensor<4x2xf32> {
  ^bb0(%s: f32):
    kernel.yield %s : f32
  }
  %2 = kernel.concat %0, %1 axis 0 : (tensor<4x2xf32>, tensor<4x2xf32>) -> tensor<8x2xf32>
  %3 = kernel.map [3, 8, 2] ins(%2, %y : tensor<8x2xf32>, tensor<3x8x2xf32>) outs()
      access [affine_map<(d0, d1, d2) -> (d1, d2)>, affine_map<(d0, d1, d2) -> (d0, d1, d2)>, affine_map<(d0, d1, d2) -> (d0, d1, d2)>] -> tensor<3x8x2xf32> {
  ^bb0(%a: f32, %b: f32):
    %c = arith.addf %a, %b : f32
    kernel.yield %c : f32
  }
  %4 = kernel.mat_mul [4, 4] groups 1 a(%0 : tensor<4x2xf32>) b(%1 : tensor<4x2xf32>) ins() outs()
      access [affine_map<(d0, d1) -> (d0, d1)>] -> tensor<4x4xf32> {
  ^bb0(%s: f32):
    kernel.yield %s : f32
  }
  func.return %3, %4 : tensor<3x8x2xf32>, tensor<4x4xf32>
}

// -----

// Two concatenations take one part, as layers do that each put together all features in front of them.
// CHECK-LABEL: func.func @part_of_two(
// CHECK:         [[A:%.*]] = kernel.mat_mul {{.*}} -> tensor<2x4xf32>
// CHECK:         [[B:%.*]] = kernel.mat_mul {{.*}} -> tensor<2x4xf32>
// CHECK-DAG:     kernel.concat [[A]], [[B]] axis 1 : (tensor<2x4xf32>, tensor<2x4xf32>) -> tensor<2x8xf32>
// CHECK-DAG:     kernel.concat [[B]], [[A]] axis 1 : (tensor<2x4xf32>, tensor<2x4xf32>) -> tensor<2x8xf32>
func.func @part_of_two(%x: tensor<2x3xf32>, %w: tensor<4x3xf32>, %y: tensor<3x8x2xf32>) -> (tensor<3x8x2xf32>, tensor<3x8x2xf32>) {
  %0 = kernel.mat_mul [2, 4] groups 1 a(%x : tensor<2x3xf32>) b(%w : tensor<4x3xf32>) ins() outs()
      access [affine_map<(d0, d1) -> (d1, d0)>] -> tensor<4x2xf32> {
  ^bb0(%s: f32):
    kernel.yield %s : f32
  }
  %1 = kernel.mat_mul [2, 4] groups 1 a(%x : tensor<2x3xf32>) b(%w : tensor<4x3xf32>) ins() outs()
      access [affine_map<(d0, d1) -> (d1, d0)>] -> tensor<4x2xf32> {
  ^bb0(%s: f32):
    kernel.yield %s : f32
  }
  %2 = kernel.concat %0, %1 axis 0 : (tensor<4x2xf32>, tensor<4x2xf32>) -> tensor<8x2xf32>
  %3 = kernel.map [3, 8, 2] ins(%2, %y : tensor<8x2xf32>, tensor<3x8x2xf32>) outs()
      access [affine_map<(d0, d1, d2) -> (d1, d2)>, affine_map<(d0, d1, d2) -> (d0, d1, d2)>, affine_map<(d0, d1, d2) -> (d0, d1, d2)>] -> tensor<3x8x2xf32> {
  ^bb0(%a: f32, %b: f32):
    %c = arith.addf %a, %b : f32
    kernel.yield %c : f32
  }
  %4 = kernel.concat %1, %0 axis 0 : (tensor<4x2xf32>, tensor<4x2xf32>) -> tensor<8x2xf32>
  %5 = kernel.map [3, 8, 2] ins(%4, %y : tensor<8x2xf32>, tensor<3x8x2xf32>) outs()
      access [affine_map<(d0, d1, d2) -> (d1, d2)>, affine_map<(d0, d1, d2) -> (d0, d1, d2)>, affine_map<(d0, d1, d2) -> (d0, d1, d2)>] -> tensor<3x8x2xf32> {
  ^bb0(%a: f32, %b: f32):
    %c = arith.addf %a, %b : f32
    kernel.yield %c : f32
  }
  func.return %3, %5 : tensor<3x8x2xf32>, tensor<3x8x2xf32>
}

// -----

// One product computes both parts.
// CHECK-LABEL: func.func @two_results(
// CHECK:         kernel.concat {{.*}} axis 0 : (tensor<4x2xf32>, tensor<4x2xf32>) -> tensor<8x2xf32>
func.func @two_results(%x: tensor<2x3xf32>, %w: tensor<4x3xf32>, %y: tensor<3x8x2xf32>) -> tensor<3x8x2xf32> {
  %0, %1 = kernel.mat_mul [2, 4] groups 1 a(%x : tensor<2x3xf32>) b(%w : tensor<4x3xf32>) ins() outs()
      access [affine_map<(d0, d1) -> (d1, d0)>, affine_map<(d0, d1) -> (d1, d0)>] -> tensor<4x2xf32>, tensor<4x2xf32> {
  ^bb0(%s: f32):
    %n = arith.negf %s : f32
    kernel.yield %s, %n : f32, f32
  }
  %2 = kernel.concat %0, %1 axis 0 : (tensor<4x2xf32>, tensor<4x2xf32>) -> tensor<8x2xf32>
  %3 = kernel.map [3, 8, 2] ins(%2, %y : tensor<8x2xf32>, tensor<3x8x2xf32>) outs()
      access [affine_map<(d0, d1, d2) -> (d1, d2)>, affine_map<(d0, d1, d2) -> (d0, d1, d2)>, affine_map<(d0, d1, d2) -> (d0, d1, d2)>] -> tensor<3x8x2xf32> {
  ^bb0(%a: f32, %b: f32):
    %c = arith.addf %a, %b : f32
    kernel.yield %c : f32
  }
  func.return %3 : tensor<3x8x2xf32>
}
