// What kernel refuses, and how it says so.
// RUN: opt-tool %s --split-input-file --verify-diagnostics | filecheck %s

func.func @f(%x: tensor<4xf32>) {
  // expected-error@below {{kernel.map: 1 accesses for 1 inputs and 1 outputs}}
  %0 = kernel.map [4] ins(%x : tensor<4xf32>) outs() access [affine_map<(d0) -> (d0)>] -> tensor<4xf32> {
  ^bb0(%a: f32):
    kernel.yield %a : f32
  }
  func.return
}
// -----
func.func @f(%x: tensor<4xf32>) {
  // expected-error@below {{kernel.map: access (d0) -> ((d0 + 1)) leaves an operand of type tensor<4xf32> on domain [4]}}
  %0 = kernel.map [4] ins(%x : tensor<4xf32>) outs() access [affine_map<(d0) -> (d0 + 1)>, affine_map<(d0) -> (d0)>] -> tensor<4xf32> {
  ^bb0(%a: f32):
    kernel.yield %a : f32
  }
  func.return
}
// -----
func.func @f(%x: tensor<4xf32>) {
  // expected-error@below {{kernel.map: access (d0, d1) -> (d0) leaves an operand}}
  %0 = kernel.map [4] ins(%x : tensor<4xf32>) outs() access [affine_map<(d0, d1) -> (d0)>, affine_map<(d0) -> (d0)>] -> tensor<4xf32> {
  ^bb0(%a: f32):
    kernel.yield %a : f32
  }
  func.return
}
// -----
func.func @f(%x: tensor<4xf32>) {
  // expected-error@below {{access (d0 + d1) uses more than one dimension; use d * c + c}}
  %0 = kernel.map [2, 2] ins(%x : tensor<4xf32>) outs() access [affine_map<(d0, d1) -> (d0 + d1)>, affine_map<(d0, d1) -> (d0)>] -> tensor<4xf32> {
  ^bb0(%a: f32):
    kernel.yield %a : f32
  }
  func.return
}
// -----
func.func @f(%x: tensor<4xf32>) {
  // expected-error@below {{kernel.map: body takes ['i32'], the operands give ['f32']}}
  %0 = kernel.map [4] ins(%x : tensor<4xf32>) outs() access [affine_map<(d0) -> (d0)>, affine_map<(d0) -> (d0)>] -> tensor<4xf32> {
  ^bb0(%a: i32):
    %c = arith.constant 1.0 : f32
    kernel.yield %c : f32
  }
  func.return
}
// -----
func.func @f(%x: tensor<4xf32>) {
  // expected-error@below {{kernel.map: the body must end in kernel.yield}}
  %0 = kernel.map [4] ins(%x : tensor<4xf32>) outs() access [affine_map<(d0) -> (d0)>, affine_map<(d0) -> (d0)>] -> tensor<4xf32> {
  ^bb0(%a: f32):
    infra.yield
  }
  func.return
}
// -----
func.func @f(%x: tensor<4xf32>) {
  // expected-error@below {{kernel.map: body yields ['i32'], the outputs take ['f32']}}
  %0 = kernel.map [4] ins(%x : tensor<4xf32>) outs() access [affine_map<(d0) -> (d0)>, affine_map<(d0) -> (d0)>] -> tensor<4xf32> {
  ^bb0(%a: f32):
    %c = arith.constant 1 : i32
    kernel.yield %c : i32
  }
  func.return
}
// -----
func.func @f(%x: tensor<4xf32>, %y: memref<4xf32>) {
  // expected-error@below {{kernel.map: mixes tensors and memrefs; results go with tensors, outs with memrefs}}
  kernel.map [4] ins(%x : tensor<4xf32>) outs(%y : memref<4xf32>) access [affine_map<(d0) -> (d0)>, affine_map<(d0) -> (d0)>] {
  ^bb0(%a: f32):
    kernel.yield %a : f32
  }
  func.return
}
// -----
func.func @f(%a: tensor<1x3xf32>, %b: tensor<4x3xf32>) {
  // expected-error@below {{kernel.mat_mul: 2 left and 1 right operands, 2 offsets; they go together}}
  %0 = kernel.mat_mul [1, 4] groups 1 a(%a, %a : tensor<1x3xf32>, tensor<1x3xf32>) b(%b : tensor<4x3xf32>) ins() outs() access [affine_map<(d0, d1) -> (d0, d1)>] -> tensor<1x4xf32> {
  ^bb0(%s0: f32):
    kernel.yield %s0 : f32
  }
  func.return
}
// -----
func.func @f(%a: tensor<1x3xf32>, %b: tensor<4x3xf32>) {
  // expected-error@below {{kernel.mat_mul: 1 left and 1 right operands, 2 offsets; they go together}}
  %0 = kernel.mat_mul [1, 4] groups 1 a(%a : tensor<1x3xf32>) b(%b : tensor<4x3xf32>) ins() outs() access [affine_map<(d0, d1) -> (d0, d1)>] attributes {offset_a = array<i64: 0, 0>} -> tensor<1x4xf32> {
  ^bb0(%s0: f32):
    kernel.yield %s0 : f32
  }
  func.return
}
// -----
func.func @f(%a: tensor<1x3xf32>, %b: tensor<4x3xf32>) {
  // expected-error@below {{kernel.mat_mul: domain [4] in 1 groups; it needs rows, columns and a group}}
  %0 = kernel.mat_mul [4] groups 1 a(%a : tensor<1x3xf32>) b(%b : tensor<4x3xf32>) ins() outs() access [affine_map<(d0) -> (d0)>] -> tensor<4xf32> {
  ^bb0(%s0: f32):
    kernel.yield %s0 : f32
  }
  func.return
}
// -----
func.func @f(%a: tensor<1x3xf32>, %b: tensor<4x3xf32>) {
  // expected-error@below {{kernel.mat_mul: domain [1, 4] in 0 groups; it needs rows, columns and a group}}
  %0 = kernel.mat_mul [1, 4] groups 0 a(%a : tensor<1x3xf32>) b(%b : tensor<4x3xf32>) ins() outs() access [affine_map<(d0, d1) -> (d0, d1)>] -> tensor<1x4xf32> {
  ^bb0(%s0: f32):
    kernel.yield %s0 : f32
  }
  func.return
}
// -----
func.func @f(%a: tensor<1x8xi8>, %b: tensor<1x1x1x1x4x4xi8>) {
  // expected-error@below {{kernel.mat_mul: weights are packed in 0 bits, not 4 or 8}}
  %0 = kernel.mat_mul [1, 4] groups 1 a(%a : tensor<1x8xi8>) b(%b : tensor<1x1x1x1x4x4xi8>) ins() outs() access [affine_map<(d0, d1) -> (d0, d1)>] attributes {layout = {lanes = 4 : i64, kr = 4 : i64, nr_vectors = 1 : i64, bits = 0 : i64}} -> tensor<1x4xi32> {
  ^bb0(%s0: i32):
    kernel.yield %s0 : i32
  }
  func.return
}
// -----
func.func @f(%a: tensor<1x8xi8>, %b: tensor<1x1x1x1x4x4xui8>) {
  // expected-error@below {{kernel.mat_mul: codes of 4 bits lie in i8, not in ui8}}
  %0 = kernel.mat_mul [1, 4] groups 1 a(%a : tensor<1x8xi8>) b(%b : tensor<1x1x1x1x4x4xui8>) ins() outs() access [affine_map<(d0, d1) -> (d0, d1)>] attributes {layout = {lanes = 4 : i64, kr = 4 : i64, nr_vectors = 1 : i64, bits = 4 : i64}} -> tensor<1x4xi32> {
  ^bb0(%s0: i32):
    kernel.yield %s0 : i32
  }
  func.return
}
// -----
func.func @f(%a: tensor<1x3xf32>, %b: tensor<4x3xi32>) {
  // expected-error@below {{kernel.mat_mul: cannot sum f32 x i32 in f32}}
  %0 = kernel.mat_mul [1, 4] groups 1 a(%a : tensor<1x3xf32>) b(%b : tensor<4x3xi32>) ins() outs() access [affine_map<(d0, d1) -> (d0, d1)>] -> tensor<1x4xf32> {
  ^bb0(%s0: f32):
    kernel.yield %s0 : f32
  }
  func.return
}
// -----
func.func @f(%a: tensor<2x3xf32>, %b: tensor<4x3xf32>) {
  // expected-error@below {{kernel.mat_mul: left operand tensor<2x3xf32> does not fit domain [1, 4]}}
  %0 = kernel.mat_mul [1, 4] groups 1 a(%a : tensor<2x3xf32>) b(%b : tensor<4x3xf32>) ins() outs() access [affine_map<(d0, d1) -> (d0, d1)>] -> tensor<1x4xf32> {
  ^bb0(%s0: f32):
    kernel.yield %s0 : f32
  }
  func.return
}
// -----
func.func @f(%a: tensor<2x1x3xf32>, %b: tensor<4x3xf32>) {
  // expected-error@below {{kernel.mat_mul: left operand tensor<2x1x3xf32> does not fit domain [1, 4]}}
  %0 = kernel.mat_mul [1, 4] groups 1 a(%a : tensor<2x1x3xf32>) b(%b : tensor<4x3xf32>) ins() outs() access [affine_map<(d0, d1) -> (d0, d1)>] -> tensor<1x4xf32> {
  ^bb0(%s0: f32):
    kernel.yield %s0 : f32
  }
  func.return
}
// -----
func.func @f(%a: tensor<1x3xf32>, %b: tensor<4x3xf32>) {
  // expected-error@below {{kernel.mat_mul: right operand tensor<4x3xf32> is not [8, 3]}}
  %0 = kernel.mat_mul [1, 4] groups 2 a(%a : tensor<1x3xf32>) b(%b : tensor<4x3xf32>) ins() outs() access [affine_map<(d0, d1) -> (d0, d1)>] -> tensor<1x4xf32> {
  ^bb0(%s0: f32, %s1: f32):
    kernel.yield %s0 : f32
  }
  func.return
}
// -----
func.func @f(%a: tensor<2x1x3xf32>, %b: tensor<3x4x3xf32>) {
  // expected-error@below {{kernel.mat_mul: right operand tensor<3x4x3xf32> is not [4, 3]}}
  %0 = kernel.mat_mul [2, 1, 4] groups 1 a(%a : tensor<2x1x3xf32>) b(%b : tensor<3x4x3xf32>) ins() outs() access [affine_map<(d0, d1, d2) -> (d0, d1, d2)>] -> tensor<2x1x4xf32> {
  ^bb0(%s0: f32):
    kernel.yield %s0 : f32
  }
  func.return
}
// -----
func.func @f(%a: tensor<1x3xf32>, %b: tensor<4x3xf32>) {
  // expected-error@below {{kernel.mat_mul: right operand tensor<4x3xf32> is not [3, 4]}}
  %0 = kernel.mat_mul [1, 4] groups 1 a(%a : tensor<1x3xf32>) b(%b : tensor<4x3xf32>) ins() outs() access [affine_map<(d0, d1) -> (d0, d1)>] attributes {k_by_n} -> tensor<1x4xf32> {
  ^bb0(%s0: f32):
    kernel.yield %s0 : f32
  }
  func.return
}
// -----
func.func @f(%a: tensor<1x3xf32>, %b: tensor<1x3x1x1x4x1xf32>) {
  // expected-error@below {{kernel.mat_mul: its right operands are packed and k_by_n; leave one out}}
  %0 = kernel.mat_mul [1, 4] groups 1 a(%a : tensor<1x3xf32>) b(%b : tensor<1x3x1x1x4x1xf32>) ins() outs() access [affine_map<(d0, d1) -> (d0, d1)>] attributes {k_by_n, layout = {lanes = 4 : i64, kr = 1 : i64, nr_vectors = 1 : i64}} -> tensor<1x4xf32> {
  ^bb0(%s0: f32):
    kernel.yield %s0 : f32
  }
  func.return
}
// -----
func.func @f(%a: tensor<1x3xf32>, %b: tensor<4x3xf32>) {
  // expected-error@below {{kernel.mat_mul: packed operand tensor<4x3xf32> is not [1, 3, 1, 1, 4, 1]}}
  %0 = kernel.mat_mul [1, 4] groups 1 a(%a : tensor<1x3xf32>) b(%b : tensor<4x3xf32>) ins() outs() access [affine_map<(d0, d1) -> (d0, d1)>] attributes {layout = {lanes = 4 : i64, kr = 1 : i64, nr_vectors = 1 : i64}} -> tensor<1x4xf32> {
  ^bb0(%s0: f32):
    kernel.yield %s0 : f32
  }
  func.return
}
// -----
func.func @f(%x: tensor<4xf32>) {
  // expected-error@below {{kernel.reshape: tensor<4xf32> and tensor<5xf32> differ in size or element type}}
  %0 = kernel.reshape %x : tensor<4xf32> -> tensor<5xf32>
  func.return
}
// -----
func.func @f(%x: tensor<4xf32>) {
  // expected-error@below {{kernel.reshape: tensor<4xf32> and tensor<4xi32> differ in size or element type}}
  %0 = kernel.reshape %x : tensor<4xf32> -> tensor<4xi32>
  func.return
}
// -----
func.func @f(%x: tensor<4xf32>) {
  // expected-error@below {{kernel.concat: tensor<4xf32>, tensor<4xf32> along axis 0 is not tensor<9xf32>}}
  %0 = kernel.concat %x, %x axis 0 : (tensor<4xf32>, tensor<4xf32>) -> tensor<9xf32>
  func.return
}
// -----
func.func @f(%x: tensor<4xf32>) {
  // expected-error@below {{kernel.concat: tensor<4xf32>, tensor<4xf32> along axis 1 is not tensor<8xf32>}}
  %0 = kernel.concat %x, %x axis 1 : (tensor<4xf32>, tensor<4xf32>) -> tensor<8xf32>
  func.return
}
// -----
func.func @f(%x: tensor<4xf32>) {
  // expected-error@below {{kernel.concat: tensor<4xf32>, tensor<4xf32> along axis 0 is not tensor<8xi32>}}
  %0 = kernel.concat %x, %x axis 0 : (tensor<4xf32>, tensor<4xf32>) -> tensor<8xi32>
  func.return
}
// -----
kernel.program @main inputs ["X"] outputs ["Y"] states [] assigned [] inits [] {
^bb0(%x: memref<4xf32>, %y: memref<4xf32>, %arena: memref<128xi8>):
  %b = kernel.buffer %arena at 0 : memref<128xi8> -> memref<3xf32>
  // expected-error@below {{kernel.copy: cannot copy memref<4xf32> to memref<3xf32>}}
  kernel.copy %x to %b : memref<4xf32> to memref<3xf32>
}
// -----
kernel.program @main inputs ["X"] outputs ["Y"] states [] assigned [] inits [] {
^bb0(%x: memref<4xf32>, %y: memref<4xf32>, %arena: memref<128xi8>):
  // expected-error@below {{kernel.for: needs a count and one index argument}}
  kernel.for 2 {
  ^bb0(%i: i32):
    kernel.copy %x to %y : memref<4xf32> to memref<4xf32>
  }
}
// -----
// expected-error@below {{kernel.buffer: bytes 128 to 144 in an arena of 128; buffers lie inside it, at multiples of 64}}
kernel.program @main inputs ["X"] outputs ["Y"] states [] assigned [] inits [] {
^bb0(%x: memref<4xf32>, %y: memref<4xf32>, %arena: memref<128xi8>):
  %b = kernel.buffer %arena at 128 : memref<128xi8> -> memref<4xf32>
}
// -----
// expected-error@below {{kernel.buffer: bytes 8 to 24 in an arena of 128; buffers lie inside it, at multiples of 64}}
kernel.program @main inputs ["X"] outputs ["Y"] states [] assigned [] inits [] {
^bb0(%x: memref<4xf32>, %y: memref<4xf32>, %arena: memref<128xi8>):
  %b = kernel.buffer %arena at 8 : memref<128xi8> -> memref<4xf32>
}
// -----
// expected-error@below {{kernel.view: bytes 8 to 24 leave a base of type memref<4xf32>}}
kernel.program @main inputs ["X"] outputs ["Y"] states [] assigned [] inits [] {
^bb0(%x: memref<4xf32>, %y: memref<4xf32>, %arena: memref<128xi8>):
  %v = kernel.view %x offset 8 : memref<4xf32> -> memref<4xf32>
}
// -----
// expected-error@below {{kernel.copy: reads a buffer at byte 64 of the arena that holds nothing, or whose place was reused}}
kernel.program @main inputs ["X"] outputs ["Y"] states [] assigned [] inits [] {
^bb0(%x: memref<4xf32>, %y: memref<4xf32>, %arena: memref<128xi8>):
  %b = kernel.buffer %arena at 64 : memref<128xi8> -> memref<4xf32>
  kernel.copy %b to %y : memref<4xf32> to memref<4xf32>
}
// -----
// expected-error@below {{kernel.copy: reads a buffer at byte 0 of the arena that holds nothing, or whose place was reused}}
kernel.program @main inputs ["X"] outputs ["Y"] states [] assigned [] inits [] {
^bb0(%x: memref<4xf32>, %y: memref<4xf32>, %arena: memref<128xi8>):
  %b = kernel.buffer %arena at 0 : memref<128xi8> -> memref<4xf32>
  %c = kernel.buffer %arena at 0 : memref<128xi8> -> memref<4xf32>
  kernel.copy %x to %b : memref<4xf32> to memref<4xf32>
  kernel.copy %x to %c : memref<4xf32> to memref<4xf32>
  kernel.copy %b to %y : memref<4xf32> to memref<4xf32>
}
// -----
// expected-error@below {{kernel.copy: reads and writes bytes 0 to 16 of the arena through two buffers}}
kernel.program @main inputs ["X"] outputs ["Y"] states [] assigned [] inits [] {
^bb0(%x: memref<4xf32>, %y: memref<4xf32>, %arena: memref<128xi8>):
  %b = kernel.buffer %arena at 0 : memref<128xi8> -> memref<4xf32>
  %c = kernel.buffer %arena at 0 : memref<128xi8> -> memref<4xf32>
  kernel.copy %x to %b : memref<4xf32> to memref<4xf32>
  kernel.copy %b to %c : memref<4xf32> to memref<4xf32>
}
// -----
// expected-error@below {{kernel.copy: writes into an input of the program}}
kernel.program @main inputs ["X"] outputs ["Y"] states [] assigned [] inits [] {
^bb0(%x: memref<4xf32>, %y: memref<4xf32>, %arena: memref<128xi8>):
  kernel.copy %y to %x : memref<4xf32> to memref<4xf32>
}
// -----
// Unless an output is written over it.
// CHECK: kernel.program @over
kernel.program @over inputs ["X"] outputs ["Y"] states [] assigned [] inits [] aliases [0, 0] {
^bb0(%x: memref<4xf32>, %y: memref<4xf32>, %arena: memref<128xi8>):
  kernel.copy %y to %x : memref<4xf32> to memref<4xf32>
}
// -----
// expected-error@below {{kernel.program: an output is written over an input, as memref<2xf32> over memref<4xf32>}}
kernel.program @main inputs ["X"] outputs ["Y"] states [] assigned [] inits [] aliases [0, 0] {
^bb0(%x: memref<4xf32>, %y: memref<2xf32>, %arena: memref<128xi8>):
}
// -----
// expected-error@below {{kernel.program: output 0 of 1 is written over input 1 of 1; aliases are pairs of an output and an input}}
kernel.program @main inputs ["X"] outputs ["Y"] states [] assigned [] inits [] aliases [0, 1] {
^bb0(%x: memref<4xf32>, %y: memref<4xf32>, %arena: memref<128xi8>):
}
// -----
// expected-error@below {{kernel.program: two outputs are written over one input}}
kernel.program @main inputs ["X"] outputs ["Y", "Z"] states [] assigned [] inits [] aliases [0, 0, 1, 0] {
^bb0(%x: memref<4xf32>, %y: memref<4xf32>, %z: memref<4xf32>, %arena: memref<128xi8>):
}
// -----
// expected-error@below {{kernel.copy: writes into a constant}}
kernel.program @main inputs ["X"] outputs ["Y"] states [] assigned [] inits [] {
^bb0(%x: memref<4xf32>, %y: memref<4xf32>, %arena: memref<128xi8>):
  %c = kernel.constant <dense<1.0> : tensor<4xf32>> at 0 : memref<4xf32>
  kernel.copy %x to %c : memref<4xf32> to memref<4xf32>
}
// -----
// expected-error@below {{has no place in a program}}
kernel.program @main inputs ["X"] outputs ["Y"] states [] assigned [] inits [] {
^bb0(%x: memref<4xf32>, %y: memref<4xf32>, %arena: memref<128xi8>):
  %c = arith.constant 1 : i32
}
// -----
// expected-error@below {{kernel.program: 3 arguments, its ports and states need 5}}
kernel.program @main inputs ["X"] outputs ["Y"] states ["h"] assigned [true] inits [unit] {
^bb0(%x: memref<4xf32>, %y: memref<4xf32>, %arena: memref<128xi8>):
}
// -----
// expected-error@below {{kernel.program: state 's' is read as memref<1x4xf32> and assigned as memref<2x4xi32>; only sizes may differ}}
kernel.program @main inputs [] outputs [] states ["s"] assigned [true] inits [unit] {
^bb0(%s: memref<1x4xf32>, %next: memref<2x4xi32>, %arena: memref<0xi8>):
}
// -----
// expected-error@below {{kernel.program: state 's' is read as memref<4xf32> and assigned as memref<2x4xf32>; only sizes may differ}}
kernel.program @main inputs [] outputs [] states ["s"] assigned [true] inits [unit] {
^bb0(%s: memref<4xf32>, %next: memref<2x4xf32>, %arena: memref<0xi8>):
}
// -----
// Sizes may.
// CHECK: kernel.program @grows
kernel.program @grows inputs [] outputs [] states ["s"] assigned [true] inits [unit] {
^bb0(%s: memref<1x4xf32>, %next: memref<2x4xf32>, %arena: memref<0xi8>):
}
// -----
func.func @block(%x: tensor<7x2xf32>, %w: tensor<2x2x1x1x4x1xf32>) {
  // expected-error@below {{kernel.mat_mul: mr [1, 3] is not 1 positive number}}
  %0 = kernel.mat_mul [7, 8] groups 1 a(%x : tensor<7x2xf32>) b(%w : tensor<2x2x1x1x4x1xf32>) ins() outs() access [affine_map<(d0, d1) -> (d0, d1)>] attributes {layout = {lanes = 4 : i64, kr = 1 : i64, nr_vectors = 1 : i64}, mr = array<i64: 1, 3>} -> tensor<7x8xf32> {
  ^bb0(%s: f32):
    kernel.yield %s : f32
  }
  func.return
}
// -----
func.func @block_alone(%x: tensor<7x2xf32>, %w: tensor<8x2xf32>) {
  // expected-error@below {{kernel.mat_mul: mr [3] of weights that are not packed in tiles}}
  %0 = kernel.mat_mul [7, 8] groups 1 a(%x : tensor<7x2xf32>) b(%w : tensor<8x2xf32>) ins() outs() access [affine_map<(d0, d1) -> (d0, d1)>] attributes {mr = array<i64: 3>} -> tensor<7x8xf32> {
  ^bb0(%s: f32):
    kernel.yield %s : f32
  }
  func.return
}
// -----
func.func @nowhere() {
  // expected-error@below {{kernel.call_parity: gives a tensor, or writes to memory}}
  kernel.call_parity
  func.return
}
// -----
func.func @f(%x: tensor<4xi8>) {
  %0 = kernel.map [4] ins(%x : tensor<4xi8>) outs() access [affine_map<(d0) -> (d0)>, affine_map<(d0) -> (d0)>] -> tensor<4xi8> {
  ^bb0(%a: i32):
    // expected-error@below {{kernel.lookup: the table has 3 codes; give 256, one for each code of 8 bits}}
    %y = kernel.lookup %a table [1, 2, 3] : i32
    kernel.yield %y : i32
  }
  func.return
}
// -----
func.func @f(%x: tensor<4xi8>) {
  %0 = kernel.map [4] ins(%x : tensor<4xi8>) outs() access [affine_map<(d0) -> (d0)>, affine_map<(d0) -> (d0)>] -> tensor<4xi8> {
  ^bb0(%a: i32):
    // expected-error@below {{kernel.lookup: the table has codes from 0 to 256; they must fit i8 or ui8}}
    %y = kernel.lookup %a table [0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 256] : i32
    kernel.yield %y : i32
  }
  func.return
}
// -----
func.func @f(%x: tensor<4xi8>) {
  %0 = kernel.map [4] ins(%x : tensor<4xi8>) outs() access [affine_map<(d0) -> (d0)>, affine_map<(d0) -> (d0)>] -> tensor<4xi8> {
  ^bb0(%a: i32):
    // expected-error@below {{kernel.lookup: the table has codes from -1 to 128; they must fit i8 or ui8}}
    %y = kernel.lookup %a table [-1, 128, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0] : i32
    kernel.yield %y : i32
  }
  func.return
}
// -----
func.func @f(%x: tensor<4xi8>) {
  %0 = kernel.map [4] ins(%x : tensor<4xi8>) outs() access [affine_map<(d0) -> (d0)>, affine_map<(d0) -> (d0)>] -> tensor<4xi8> {
  ^bb0(%a: i32):
    // expected-error@below {{kernel.lookup: the table has codes from -129 to 0; they must fit i8 or ui8}}
    %y = kernel.lookup %a table [-129, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0] : i32
    kernel.yield %y : i32
  }
  func.return
}
