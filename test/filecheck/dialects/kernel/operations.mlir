// Every operation of kernel reads what it prints, in the custom and in the generic form.
// RUN: opt-tool %s | opt-tool | filecheck %s
// RUN: opt-tool %s --print-op-generic | opt-tool | filecheck %s

// CHECK-LABEL: @tensors(
func.func @tensors(%x: tensor<2x4xf32>, %row: tensor<4xf32>, %q: tensor<1x3xui8>, %w: tensor<8x3xi8>) {
  // CHECK-NEXT: %odd = kernel.call_parity : tensor<i1>
  %odd = kernel.call_parity : tensor<i1>
  // CHECK-NEXT: %0 = kernel.map [2, 4] ins(%x, %row : tensor<2x4xf32>, tensor<4xf32>) outs() access [affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d1)>, affine_map<(d0, d1) -> (d0, d1)>] -> tensor<2x4xf32> {
  // CHECK-NEXT: ^bb0(%a: f32, %b: f32):
  // CHECK-NEXT:   %s = arith.addf %a, %b : f32
  // CHECK-NEXT:   kernel.yield %s : f32
  %0 = kernel.map [2, 4] ins(%x, %row : tensor<2x4xf32>, tensor<4xf32>) outs() access [affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d1)>, affine_map<(d0, d1) -> (d0, d1)>] -> tensor<2x4xf32> {
  ^bb0(%a: f32, %b: f32):
    %s = arith.addf %a, %b : f32
    kernel.yield %s : f32
  }
  // CHECK:      %1 = kernel.map [2, 2] ins(%x : tensor<2x4xf32>) outs() access [affine_map<(d0, d1) -> (d0, ((d1 * -2) + 3))>, affine_map<(d0, d1) -> (d0, d1)>] attributes {kernel.origins = [{name = "cut", type = "Slice", low_precision = false}]} -> tensor<2x2xf32> {
  %1 = kernel.map [2, 2] ins(%x : tensor<2x4xf32>) outs() access [affine_map<(d0, d1) -> (d0, d1 * -2 + 3)>, affine_map<(d0, d1) -> (d0, d1)>] attributes {kernel.origins = [{name = "cut", type = "Slice", low_precision = false}]} -> tensor<2x2xf32> {
  ^bb0(%a: f32):
    kernel.yield %a : f32
  }
  // CHECK:      %2 = kernel.mat_mul [1, 4] groups 2 a(%q : tensor<1x3xui8>) b(%w : tensor<8x3xi8>) ins() outs() access [affine_map<(d0, d1) -> (d0, d1)>] attributes {offset_a = array<i64: 128>} -> tensor<1x4xi32> {
  %2 = kernel.mat_mul [1, 4] groups 2 a(%q : tensor<1x3xui8>) b(%w : tensor<8x3xi8>) ins() outs() access [affine_map<(d0, d1) -> (d0, d1)>] attributes {offset_a = array<i64: 128>} -> tensor<1x4xi32> {
  ^bb0(%a: i32, %b: i32):
    %s = arith.addi %a, %b : i32
    kernel.yield %s : i32
  }
  // CHECK:      %3 = kernel.reshape %x : tensor<2x4xf32> -> tensor<8xf32>
  %3 = kernel.reshape %x : tensor<2x4xf32> -> tensor<8xf32>
  // CHECK-NEXT: %4 = kernel.concat %x, %x axis 1 : (tensor<2x4xf32>, tensor<2x4xf32>) -> tensor<2x8xf32>
  %4 = kernel.concat %x, %x axis 1 : (tensor<2x4xf32>, tensor<2x4xf32>) -> tensor<2x8xf32>
  func.return
}

// CHECK:      kernel.program @main inputs ["X"] outputs ["Y"] states ["h"] assigned [true] inits [unit] {
// CHECK-NEXT: ^bb0(%x: memref<3x4xf32>, %y: memref<4xf32>, %h: memref<4xf32>, %next: memref<4xf32>, %arena: memref<128xi8>):
kernel.program @main inputs ["X"] outputs ["Y"] states ["h"] assigned [true] inits [unit] {
^bb0(%x: memref<3x4xf32>, %y: memref<4xf32>, %h: memref<4xf32>, %next: memref<4xf32>, %arena: memref<128xi8>):
  // CHECK-NEXT: %c = kernel.constant <dense<1.0> : tensor<4xf32>> at 64 : memref<4xf32>
  %c = kernel.constant <dense<1.0> : tensor<4xf32>> at 64 : memref<4xf32>
  // CHECK-NEXT: %b = kernel.buffer %arena at 0 : memref<128xi8> -> memref<4xf32>
  %b = kernel.buffer %arena at 0 : memref<128xi8> -> memref<4xf32>
  // CHECK-NEXT: kernel.copy %c to %b : memref<4xf32> to memref<4xf32>
  kernel.copy %c to %b : memref<4xf32> to memref<4xf32>
  // CHECK-NEXT: kernel.fail "it does not fit"
  kernel.fail "it does not fit"
  // CHECK-NEXT: kernel.if_unset 0 {
  // CHECK-NEXT:   kernel.copy %c to %h : memref<4xf32> to memref<4xf32>
  kernel.if_unset 0 {
    kernel.copy %c to %h : memref<4xf32> to memref<4xf32>
  }
  // CHECK:      kernel.for 3 {
  // CHECK-NEXT: ^bb0(%i: index):
  // CHECK-NEXT:   %part = kernel.view %x offset 0 index %i step 16 : memref<3x4xf32> -> memref<4xf32>
  // CHECK-NEXT:   kernel.map [4] ins(%part, %b : memref<4xf32>, memref<4xf32>) outs(%b : memref<4xf32>) access [affine_map<(d0) -> (d0)>, affine_map<(d0) -> (d0)>, affine_map<(d0) -> (d0)>] {
  kernel.for 3 {
  ^bb0(%i: index):
    %part = kernel.view %x offset 0 index %i step 16 : memref<3x4xf32> -> memref<4xf32>
    kernel.map [4] ins(%part, %b : memref<4xf32>, memref<4xf32>) outs(%b : memref<4xf32>) access [affine_map<(d0) -> (d0)>, affine_map<(d0) -> (d0)>, affine_map<(d0) -> (d0)>] {
    ^bb0(%p: f32, %q: f32):
      %s = arith.addf %p, %q : f32
      kernel.yield %s : f32
    }
  }
  // CHECK:      %v = kernel.view %b offset 8 : memref<4xf32> -> memref<2xf32>
  %v = kernel.view %b offset 8 : memref<4xf32> -> memref<2xf32>
  // CHECK-NEXT: %odd = kernel.buffer %arena at 64 : memref<128xi8> -> memref<i1>
  // CHECK-NEXT: kernel.call_parity to %odd : memref<i1>
  %odd = kernel.buffer %arena at 64 : memref<128xi8> -> memref<i1>
  kernel.call_parity to %odd : memref<i1>
  kernel.copy %b to %next : memref<4xf32> to memref<4xf32>
  kernel.copy %h to %y : memref<4xf32> to memref<4xf32>
}

// CHECK-LABEL: func.func @functions(
// CHECK:           kernel.sigmoid %{{.*}} : f32
// CHECK-NEXT:      kernel.erfc %{{.*}} : f32
// CHECK-NEXT:      kernel.remainder %{{.*}}, %{{.*}} : f32
// CHECK:           kernel.integer_power %{{.*}}, %{{.*}} : i64
func.func @functions(%x: tensor<4xf32>) -> tensor<4xf32> {
  %0 = kernel.map [4] ins(%x : tensor<4xf32>) outs() access [affine_map<(d0) -> (d0)>, affine_map<(d0) -> (d0)>] -> tensor<4xf32> {
  ^bb0(%1: f32):
    %2 = kernel.sigmoid %1 : f32
    %3 = kernel.erfc %2 : f32
    %4 = kernel.remainder %2, %3 : f32
    %5 = arith.fptosi %4 : f32 to i64
    %6 = kernel.integer_power %5, %5 : i64
    %7 = arith.sitofp %6 : i64 to f32
    kernel.yield %7 : f32
  }
  func.return %0 : tensor<4xf32>
}
