// RUN: opt-tool %s --split-input-file --fuse-kernels | filecheck %s

// What is constant counts as nothing that is stored: codes are multiplied where they are read.
// CHECK-LABEL: func.func @scaled(
// CHECK-NEXT:   %scale = nn.constant dense<[1.0, 2.0, 3.0, 4.0]> : tensor<4xf32>
// CHECK-NEXT:   %0 = kernel.map [2, 4] ins(%y, %q, %scale : tensor<2x4xf32>, tensor<4xui8>, tensor<4xf32>) outs() access [affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d1)>, affine_map<(d0, d1) -> (d1)>, affine_map<(d0, d1) -> (d0, d1)>] -> tensor<2x4xf32> {
// CHECK-NEXT:   ^bb0(%1: f32, %2: i32, %3: f32):
// CHECK-NEXT:     %x = arith.uitofp %2 : i32 to f32
// CHECK-NEXT:     %m = arith.mulf %x, %3 : f32
// CHECK-NEXT:     %c = arith.addf %1, %m : f32
// CHECK-NEXT:     kernel.yield %c : f32
// CHECK:        func.return %0 : tensor<2x4xf32>
func.func @scaled(%q: tensor<4xui8>, %y: tensor<2x4xf32>) -> tensor<2x4xf32> {
  %scale = nn.constant dense<[1.0, 2.0, 3.0, 4.0]> : tensor<4xf32>
  %0 = kernel.map [4] ins(%q, %scale : tensor<4xui8>, tensor<4xf32>) outs()
      access [affine_map<(d0) -> (d0)>, affine_map<(d0) -> (d0)>, affine_map<(d0) -> (d0)>] -> tensor<4xf32> {
  ^bb0(%i: i32, %s: f32):
    %x = arith.uitofp %i : i32 to f32
    %m = arith.mulf %x, %s : f32
    kernel.yield %m : f32
  }
  %1 = kernel.map [2, 4] ins(%y, %0 : tensor<2x4xf32>, tensor<4xf32>) outs()
      access [affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d1)>, affine_map<(d0, d1) -> (d0, d1)>] -> tensor<2x4xf32> {
  ^bb0(%a: f32, %b: f32):
    %c = arith.addf %a, %b : f32
    kernel.yield %c : f32
  }
  func.return %1 : tensor<2x4xf32>
}

// -----

// Of two codes, sums are stored.
// CHECK-LABEL: func.func @two_codes(
// CHECK-NEXT:   %0 = kernel.map [4] ins(%q, %p : tensor<4xui8>, tensor<4xui8>) outs() access [affine_map<(d0) -> (d0)>, affine_map<(d0) -> (d0)>, affine_map<(d0) -> (d0)>] -> tensor<4xf32> {
// CHECK-NEXT:   ^bb0(%i: i32, %j: i32):
// CHECK-NEXT:     %s = arith.addi %i, %j : i32
// CHECK-NEXT:     %x = arith.uitofp %s : i32 to f32
// CHECK-NEXT:     kernel.yield %x : f32
// CHECK:        %1 = kernel.map [2, 4] ins(%y, %0 : tensor<2x4xf32>, tensor<4xf32>) outs() access [affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d1)>, affine_map<(d0, d1) -> (d0, d1)>] -> tensor<2x4xf32> {
// CHECK-NEXT:   ^bb0(%a: f32, %b: f32):
// CHECK-NEXT:     %c = arith.addf %a, %b : f32
// CHECK-NEXT:     kernel.yield %c : f32
// CHECK:        func.return %1 : tensor<2x4xf32>
func.func @two_codes(%q: tensor<4xui8>, %p: tensor<4xui8>, %y: tensor<2x4xf32>) -> tensor<2x4xf32> {
  %0 = kernel.map [4] ins(%q, %p : tensor<4xui8>, tensor<4xui8>) outs()
      access [affine_map<(d0) -> (d0)>, affine_map<(d0) -> (d0)>, affine_map<(d0) -> (d0)>] -> tensor<4xf32> {
  ^bb0(%i: i32, %j: i32):
    %s = arith.addi %i, %j : i32
    %x = arith.uitofp %s : i32 to f32
    kernel.yield %x : f32
  }
  %1 = kernel.map [2, 4] ins(%y, %0 : tensor<2x4xf32>, tensor<4xf32>) outs()
      access [affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d1)>, affine_map<(d0, d1) -> (d0, d1)>] -> tensor<2x4xf32> {
  ^bb0(%a: f32, %b: f32):
    %c = arith.addf %a, %b : f32
    kernel.yield %c : f32
  }
  func.return %1 : tensor<2x4xf32>
}

// -----

// Eight operations are as many as are done again.
// CHECK-LABEL: func.func @cheap(
// CHECK-NEXT:   %0 = kernel.map [2, 4] ins(%y, %q : tensor<2x4xf32>, tensor<4xui8>) outs() access [affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d1)>, affine_map<(d0, d1) -> (d0, d1)>] -> tensor<2x4xf32> {
// CHECK-NEXT:   ^bb0(%1: f32, %2: i32):
// CHECK-NEXT:     %x0 = arith.uitofp %2 : i32 to f32
// CHECK-NEXT:     %x1 = math.absf %x0 : f32
// CHECK-NEXT:     %x2 = math.sqrt %x1 : f32
// CHECK-NEXT:     %x3 = math.absf %x2 : f32
// CHECK-NEXT:     %x4 = math.sqrt %x3 : f32
// CHECK-NEXT:     %x5 = math.absf %x4 : f32
// CHECK-NEXT:     %x6 = math.sqrt %x5 : f32
// CHECK-NEXT:     %c = arith.addf %1, %x6 : f32
// CHECK-NEXT:     kernel.yield %c : f32
// CHECK:        func.return %0 : tensor<2x4xf32>
func.func @cheap(%q: tensor<4xui8>, %y: tensor<2x4xf32>) -> tensor<2x4xf32> {
  %0 = kernel.map [4] ins(%q : tensor<4xui8>) outs() access [affine_map<(d0) -> (d0)>, affine_map<(d0) -> (d0)>] -> tensor<4xf32> {
  ^bb0(%i: i32):
    %x0 = arith.uitofp %i : i32 to f32
    %x1 = math.absf %x0 : f32
    %x2 = math.sqrt %x1 : f32
    %x3 = math.absf %x2 : f32
    %x4 = math.sqrt %x3 : f32
    %x5 = math.absf %x4 : f32
    %x6 = math.sqrt %x5 : f32
    kernel.yield %x6 : f32
  }
  %1 = kernel.map [2, 4] ins(%y, %0 : tensor<2x4xf32>, tensor<4xf32>) outs()
      access [affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d1)>, affine_map<(d0, d1) -> (d0, d1)>] -> tensor<2x4xf32> {
  ^bb0(%a: f32, %b: f32):
    %c = arith.addf %a, %b : f32
    kernel.yield %c : f32
  }
  func.return %1 : tensor<2x4xf32>
}

// -----

// Nine are one more.
// CHECK-LABEL: func.func @dear(
// CHECK-NEXT:   %0 = kernel.map [4] ins(%q : tensor<4xui8>) outs() access [affine_map<(d0) -> (d0)>, affine_map<(d0) -> (d0)>] -> tensor<4xf32> {
// CHECK-NEXT:   ^bb0(%i: i32):
// CHECK-NEXT:     %x0 = arith.uitofp %i : i32 to f32
// CHECK-NEXT:     %x1 = math.absf %x0 : f32
// CHECK-NEXT:     %x2 = math.sqrt %x1 : f32
// CHECK-NEXT:     %x3 = math.absf %x2 : f32
// CHECK-NEXT:     %x4 = math.sqrt %x3 : f32
// CHECK-NEXT:     %x5 = math.absf %x4 : f32
// CHECK-NEXT:     %x6 = math.sqrt %x5 : f32
// CHECK-NEXT:     %x7 = math.absf %x6 : f32
// CHECK-NEXT:     kernel.yield %x7 : f32
// CHECK:        %1 = kernel.map [2, 4] ins(%y, %0 : tensor<2x4xf32>, tensor<4xf32>) outs() access [affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d1)>, affine_map<(d0, d1) -> (d0, d1)>] -> tensor<2x4xf32> {
// CHECK-NEXT:   ^bb0(%a: f32, %b: f32):
// CHECK-NEXT:     %c = arith.addf %a, %b : f32
// CHECK-NEXT:     kernel.yield %c : f32
// CHECK:        func.return %1 : tensor<2x4xf32>
func.func @dear(%q: tensor<4xui8>, %y: tensor<2x4xf32>) -> tensor<2x4xf32> {
  %0 = kernel.map [4] ins(%q : tensor<4xui8>) outs() access [affine_map<(d0) -> (d0)>, affine_map<(d0) -> (d0)>] -> tensor<4xf32> {
  ^bb0(%i: i32):
    %x0 = arith.uitofp %i : i32 to f32
    %x1 = math.absf %x0 : f32
    %x2 = math.sqrt %x1 : f32
    %x3 = math.absf %x2 : f32
    %x4 = math.sqrt %x3 : f32
    %x5 = math.absf %x4 : f32
    %x6 = math.sqrt %x5 : f32
    %x7 = math.absf %x6 : f32
    kernel.yield %x7 : f32
  }
  %1 = kernel.map [2, 4] ins(%y, %0 : tensor<2x4xf32>, tensor<4xf32>) outs()
      access [affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d1)>, affine_map<(d0, d1) -> (d0, d1)>] -> tensor<2x4xf32> {
  ^bb0(%a: f32, %b: f32):
    %c = arith.addf %a, %b : f32
    kernel.yield %c : f32
  }
  func.return %1 : tensor<2x4xf32>
}

// -----

// An element that is written elsewhere than at its point is stored.
// CHECK-LABEL: func.func @written_elsewhere(
// CHECK-NEXT:   %0 = kernel.map [4, 4] ins(%q : tensor<4x4xui8>) outs() access [affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d1, d0)>] -> tensor<4x4xf32> {
// CHECK-NEXT:   ^bb0(%i: i32):
// CHECK-NEXT:     %x = arith.uitofp %i : i32 to f32
// CHECK-NEXT:     kernel.yield %x : f32
// CHECK:        %1 = kernel.map [2, 4, 4] ins(%y, %0 : tensor<2x4x4xf32>, tensor<4x4xf32>) outs() access [affine_map<(d0, d1, d2) -> (d0, d1, d2)>, affine_map<(d0, d1, d2) -> (d1, d2)>, affine_map<(d0, d1, d2) -> (d0, d1, d2)>] -> tensor<2x4x4xf32> {
// CHECK-NEXT:   ^bb0(%a: f32, %b: f32):
// CHECK-NEXT:     %c = arith.addf %a, %b : f32
// CHECK-NEXT:     kernel.yield %c : f32
// CHECK:        func.return %1 : tensor<2x4x4xf32>
func.func @written_elsewhere(%q: tensor<4x4xui8>, %y: tensor<2x4x4xf32>) -> tensor<2x4x4xf32> {
  %0 = kernel.map [4, 4] ins(%q : tensor<4x4xui8>) outs() access [affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d1, d0)>] -> tensor<4x4xf32> {
  ^bb0(%i: i32):
    %x = arith.uitofp %i : i32 to f32
    kernel.yield %x : f32
  }
  %1 = kernel.map [2, 4, 4] ins(%y, %0 : tensor<2x4x4xf32>, tensor<4x4xf32>) outs()
      access [affine_map<(d0, d1, d2) -> (d0, d1, d2)>, affine_map<(d0, d1, d2) -> (d1, d2)>, affine_map<(d0, d1, d2) -> (d0, d1, d2)>] -> tensor<2x4x4xf32> {
  ^bb0(%a: f32, %b: f32):
    %c = arith.addf %a, %b : f32
    kernel.yield %c : f32
  }
  func.return %1 : tensor<2x4x4xf32>
}

// -----

// A kernel that gives something else beside what it moves is none that moves.
// CHECK-LABEL: func.func @more_than_moved(
// CHECK-NEXT:   %0, %1 = kernel.map [4, 8] ins(%x : tensor<4x8xf32>) outs() access [affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d0, d1)>] -> tensor<4x8xf32>, tensor<4x8xf32> {
// CHECK-NEXT:   ^bb0(%a: f32):
// CHECK-NEXT:     %b = math.exp %a : f32
// CHECK-NEXT:     kernel.yield %a, %b : f32, f32
// CHECK:        %2 = kernel.reduce "sum" [4, 1] window [8] x(%0 : tensor<4x8xf32>) points [affine_map<(d0, d1) -> (d0, 0)>] steps [affine_map<(d0) -> (0, d0)>] ins() outs() access [affine_map<(d0, d1) -> (d0, d1)>] -> tensor<4x1xf32> element {
// CHECK-NEXT:   ^bb0(%a_1: f32):
// CHECK-NEXT:     kernel.yield %a_1 : f32
// CHECK-NEXT:   } finish {
// CHECK-NEXT:   ^bb0(%s: f32):
// CHECK-NEXT:     kernel.yield %s : f32
// CHECK:        func.return %2, %1 : tensor<4x1xf32>, tensor<4x8xf32>
func.func @more_than_moved(%x: tensor<4x8xf32>) -> (tensor<4x1xf32>, tensor<4x8xf32>) {
  %0, %1 = kernel.map [4, 8] ins(%x : tensor<4x8xf32>) outs()
      access [affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d0, d1)>] -> tensor<4x8xf32>, tensor<4x8xf32> {
  ^bb0(%a: f32):
    %b = math.exp %a : f32
    kernel.yield %a, %b : f32, f32
  }
  %2 = kernel.reduce "sum" [4, 1] window [8] x(%0 : tensor<4x8xf32>) points [affine_map<(d0, d1) -> (d0, 0)>] steps [affine_map<(d0) -> (0, d0)>] ins() outs() access [affine_map<(d0, d1) -> (d0, d1)>] -> tensor<4x1xf32> element {
  ^bb0(%a: f32):
    kernel.yield %a : f32
  } finish {
  ^bb0(%s: f32):
    kernel.yield %s : f32
  }
  func.return %2, %1 : tensor<4x1xf32>, tensor<4x8xf32>
}

// -----

// Nor is one that reads nothing.
// CHECK-LABEL: func.func @nothing_moved(
// CHECK-NEXT:   %0 = kernel.reduce "sum" [4, 1] window [8] x() points [] steps [] ins() outs() access [affine_map<(d0, d1) -> (d0, d1)>] -> tensor<4x1xf32> element {
// CHECK-NEXT:     %a = arith.constant 1.000000e+00 : f32
// CHECK-NEXT:     kernel.yield %a : f32
// CHECK-NEXT:   } finish {
// CHECK-NEXT:   ^bb0(%s: f32):
// CHECK-NEXT:     kernel.yield %s : f32
// CHECK:        func.return %0 : tensor<4x1xf32>
func.func @nothing_moved() -> tensor<4x1xf32> {
  %0 = kernel.map [4, 8] ins() outs() access [affine_map<(d0, d1) -> (d0, d1)>] -> tensor<4x8xf32> {
  ^bb0():
    %a = arith.constant 1.0 : f32
    kernel.yield %a : f32
  }
  %2 = kernel.reduce "sum" [4, 1] window [8] x(%0 : tensor<4x8xf32>) points [affine_map<(d0, d1) -> (d0, 0)>] steps [affine_map<(d0) -> (0, d0)>] ins() outs() access [affine_map<(d0, d1) -> (d0, d1)>] -> tensor<4x1xf32> element {
  ^bb0(%a: f32):
    kernel.yield %a : f32
  } finish {
  ^bb0(%s: f32):
    kernel.yield %s : f32
  }
  func.return %2 : tensor<4x1xf32>
}

// -----

// What is read and written in one order is no transpose.
// CHECK-LABEL: func.func @in_one_order(
// CHECK-NEXT:   %0 = kernel.map [4, 4] ins(%x : tensor<4x4xf32>) outs() access [affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d0, d1)>] -> tensor<4x4xf32> {
// CHECK-NEXT:   ^bb0(%1: f32):
// CHECK-NEXT:     %b = math.exp %1 : f32
// CHECK-NEXT:     kernel.yield %b : f32
// CHECK:        %2 = kernel.mat_mul [4, 3] groups 1 a(%0 : tensor<4x4xf32>) b(%w : tensor<3x4xf32>) ins() outs() access [affine_map<(d0, d1) -> (d0, d1)>] -> tensor<4x3xf32> {
// CHECK-NEXT:   ^bb0(%s: f32):
// CHECK-NEXT:     kernel.yield %s : f32
// CHECK:        func.return %2 : tensor<4x3xf32>
func.func @in_one_order(%x: tensor<4x4xf32>, %w: tensor<3x4xf32>) -> tensor<4x3xf32> {
  %e = kernel.map [4, 4] ins(%x : tensor<4x4xf32>) outs() access [affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d0, d1)>] -> tensor<4x4xf32> {
  ^bb0(%a: f32):
    %b = math.exp %a : f32
    kernel.yield %b : f32
  }
  %0 = kernel.map [4, 4] ins(%e : tensor<4x4xf32>) outs() access [affine_map<(d0, d1) -> (d1, d0)>, affine_map<(d0, d1) -> (d1, d0)>] -> tensor<4x4xf32> {
  ^bb0(%a: f32):
    kernel.yield %a : f32
  }
  %1 = kernel.mat_mul [4, 3] groups 1 a(%0 : tensor<4x4xf32>) b(%w : tensor<3x4xf32>) ins() outs()
      access [affine_map<(d0, d1) -> (d0, d1)>] -> tensor<4x3xf32> {
  ^bb0(%s: f32):
    kernel.yield %s : f32
  }
  func.return %1 : tensor<4x3xf32>
}
