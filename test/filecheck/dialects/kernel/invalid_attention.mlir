// RUN: opt-tool %s --split-input-file --verify-diagnostics | filecheck %s

// An operation that holds; each of those below breaks one part of it.
// CHECK-LABEL: @holds
// CHECK:       kernel.attention [4, 8] keys 5 weights f32 partials 4 query(
func.func @holds(%q: tensor<4x8xf32>, %k: tensor<5x8xf32>, %v: tensor<8x5xf32>) {
  %0 = kernel.attention [4, 8] keys 5 weights f32 partials 4 query(%q : tensor<4x8xf32>) key(%k : tensor<5x8xf32>) value(%v : tensor<8x5xf32>) masks() mask_access [] ins() outs() access [affine_map<(d0, d1) -> (d0, d1)>] -> tensor<4x8xf32> score {
  ^bb0(%s: f32):
    kernel.yield %s : f32
  } power {
  ^bb0(%s: f32, %m: f32):
    kernel.yield %s : f32
  } total {
  ^bb0(%s: f32):
    kernel.yield %s : f32
  } weight {
  ^bb0(%p: f32, %t: f32):
    kernel.yield %p : f32
  } finish {
  ^bb0(%s: f32, %t: f32):
    kernel.yield %s : f32
  }
  func.return
}
// -----
func.func @no_keys(%q: tensor<4x8xf32>, %k: tensor<5x8xf32>, %v: tensor<8x5xf32>) {
  // expected-error@below {{kernel.attention: domain [4, 8] and 0 keys; it needs rows, columns and a key}}
  %0 = kernel.attention [4, 8] keys 0 weights f32 partials 4 query(%q : tensor<4x8xf32>) key(%k : tensor<5x8xf32>) value(%v : tensor<8x5xf32>) masks() mask_access [] ins() outs() access [affine_map<(d0, d1) -> (d0, d1)>] -> tensor<4x8xf32> score {
  ^bb0(%s: f32):
    kernel.yield %s : f32
  } power {
  ^bb0(%s: f32, %m: f32):
    kernel.yield %s : f32
  } total {
  ^bb0(%s: f32):
    kernel.yield %s : f32
  } weight {
  ^bb0(%p: f32, %t: f32):
    kernel.yield %p : f32
  } finish {
  ^bb0(%s: f32, %t: f32):
    kernel.yield %s : f32
  }
  func.return
}
// -----
func.func @odd_partials(%q: tensor<4x8xf32>, %k: tensor<5x8xf32>, %v: tensor<8x5xf32>) {
  // expected-error@below {{kernel.attention: 3 partials; it is a power of two}}
  %0 = kernel.attention [4, 8] keys 5 weights f32 partials 3 query(%q : tensor<4x8xf32>) key(%k : tensor<5x8xf32>) value(%v : tensor<8x5xf32>) masks() mask_access [] ins() outs() access [affine_map<(d0, d1) -> (d0, d1)>] -> tensor<4x8xf32> score {
  ^bb0(%s: f32):
    kernel.yield %s : f32
  } power {
  ^bb0(%s: f32, %m: f32):
    kernel.yield %s : f32
  } total {
  ^bb0(%s: f32):
    kernel.yield %s : f32
  } weight {
  ^bb0(%p: f32, %t: f32):
    kernel.yield %p : f32
  } finish {
  ^bb0(%s: f32, %t: f32):
    kernel.yield %s : f32
  }
  func.return
}
// -----
func.func @other_rows(%q: tensor<4x8xf32>, %k: tensor<5x8xf32>, %v: tensor<8x5xf32>) {
  // expected-error@below {{kernel.attention: query tensor<4x8xf32> does not fit domain [3, 8]}}
  %0 = kernel.attention [3, 8] keys 5 weights f32 partials 4 query(%q : tensor<4x8xf32>) key(%k : tensor<5x8xf32>) value(%v : tensor<8x5xf32>) masks() mask_access [] ins() outs() access [affine_map<(d0, d1) -> (d0, d1)>] -> tensor<4x8xf32> score {
  ^bb0(%s: f32):
    kernel.yield %s : f32
  } power {
  ^bb0(%s: f32, %m: f32):
    kernel.yield %s : f32
  } total {
  ^bb0(%s: f32):
    kernel.yield %s : f32
  } weight {
  ^bb0(%p: f32, %t: f32):
    kernel.yield %p : f32
  } finish {
  ^bb0(%s: f32, %t: f32):
    kernel.yield %s : f32
  }
  func.return
}
// -----
func.func @other_keys(%q: tensor<4x8xf32>, %k: tensor<5x8xf32>, %v: tensor<8x5xf32>) {
  // expected-error@below {{kernel.attention: key tensor<5x8xf32> is not [6, 8]}}
  %0 = kernel.attention [4, 8] keys 6 weights f32 partials 4 query(%q : tensor<4x8xf32>) key(%k : tensor<5x8xf32>) value(%v : tensor<8x5xf32>) masks() mask_access [] ins() outs() access [affine_map<(d0, d1) -> (d0, d1)>] -> tensor<4x8xf32> score {
  ^bb0(%s: f32):
    kernel.yield %s : f32
  } power {
  ^bb0(%s: f32, %m: f32):
    kernel.yield %s : f32
  } total {
  ^bb0(%s: f32):
    kernel.yield %s : f32
  } weight {
  ^bb0(%p: f32, %t: f32):
    kernel.yield %p : f32
  } finish {
  ^bb0(%s: f32, %t: f32):
    kernel.yield %s : f32
  }
  func.return
}
// -----
func.func @other_columns(%q: tensor<4x8xf32>, %k: tensor<5x8xf32>, %v: tensor<8x5xf32>) {
  // expected-error@below {{kernel.attention: value tensor<8x5xf32> is not [9, 5]}}
  %0 = kernel.attention [4, 9] keys 5 weights f32 partials 4 query(%q : tensor<4x8xf32>) key(%k : tensor<5x8xf32>) value(%v : tensor<8x5xf32>) masks() mask_access [] ins() outs() access [affine_map<(d0, d1) -> (d0, d1)>] -> tensor<4x8xf32> score {
  ^bb0(%s: f32):
    kernel.yield %s : f32
  } power {
  ^bb0(%s: f32, %m: f32):
    kernel.yield %s : f32
  } total {
  ^bb0(%s: f32):
    kernel.yield %s : f32
  } weight {
  ^bb0(%p: f32, %t: f32):
    kernel.yield %p : f32
  } finish {
  ^bb0(%s: f32, %t: f32):
    kernel.yield %s : f32
  }
  func.return
}
// -----
func.func @codes(%q: tensor<4x8xf32>, %k: tensor<5x8xf32>, %v: tensor<8x5xf32>) {
  // expected-error@below {{kernel.attention: cannot sum i8 x f32 in i32}}
  %0 = kernel.attention [4, 8] keys 5 weights i8 partials 4 query(%q : tensor<4x8xf32>) key(%k : tensor<5x8xf32>) value(%v : tensor<8x5xf32>) masks() mask_access [] ins() outs() access [affine_map<(d0, d1) -> (d0, d1)>] -> tensor<4x8xf32> score {
  ^bb0(%s: f32):
    kernel.yield %s : f32
  } power {
  ^bb0(%s: f32, %m: f32):
    kernel.yield %s : f32
  } total {
  ^bb0(%s: f32):
    kernel.yield %s : f32
  } weight {
  ^bb0(%p: f32, %t: f32):
    kernel.yield %p : f32
  } finish {
  ^bb0(%s: f32, %t: f32):
    kernel.yield %s : f32
  }
  func.return
}
// -----
func.func @scale(%q: tensor<4x8xf32>, %k: tensor<5x8xf32>, %v: tensor<8x5xf32>, %c: tensor<2xf32>) {
  // expected-error@below {{kernel.attention: scale tensor<2xf32> is not one f32}}
  %0 = kernel.attention [4, 8] keys 5 weights f32 partials 4 query(%q : tensor<4x8xf32>) key(%k : tensor<5x8xf32>) value(%v : tensor<8x5xf32>) masks() mask_access [] scales(%c : tensor<2xf32>) ins() outs() access [affine_map<(d0, d1) -> (d0, d1)>] -> tensor<4x8xf32> score {
  ^bb0(%s: f32):
    kernel.yield %s : f32
  } power {
  ^bb0(%s: f32, %m: f32):
    kernel.yield %s : f32
  } total {
  ^bb0(%s: f32):
    kernel.yield %s : f32
  } weight {
  ^bb0(%p: f32, %t: f32, %scale: f32):
    kernel.yield %p : f32
  } finish {
  ^bb0(%s: f32, %t: f32):
    kernel.yield %s : f32
  }
  func.return
}
// -----
func.func @no_access(%q: tensor<4x8xf32>, %k: tensor<5x8xf32>, %v: tensor<8x5xf32>) {
  // expected-error@below {{kernel.attention: 0 mask accesses for 1 masks}}
  %0 = kernel.attention [4, 8] keys 5 weights f32 partials 4 query(%q : tensor<4x8xf32>) key(%k : tensor<5x8xf32>) value(%v : tensor<8x5xf32>) masks(%k : tensor<5x8xf32>) mask_access [] ins() outs() access [affine_map<(d0, d1) -> (d0, d1)>] -> tensor<4x8xf32> score {
  ^bb0(%s: f32):
    kernel.yield %s : f32
  } power {
  ^bb0(%s: f32, %m: f32):
    kernel.yield %s : f32
  } total {
  ^bb0(%s: f32):
    kernel.yield %s : f32
  } weight {
  ^bb0(%p: f32, %t: f32):
    kernel.yield %p : f32
  } finish {
  ^bb0(%s: f32, %t: f32):
    kernel.yield %s : f32
  }
  func.return
}
// -----
func.func @score(%q: tensor<4x8xf32>, %k: tensor<5x8xf32>, %v: tensor<8x5xf32>) {
  // expected-error@below {{kernel.attention: score must take f32 and yield f32}}
  %0 = kernel.attention [4, 8] keys 5 weights f32 partials 4 query(%q : tensor<4x8xf32>) key(%k : tensor<5x8xf32>) value(%v : tensor<8x5xf32>) masks() mask_access [] ins() outs() access [affine_map<(d0, d1) -> (d0, d1)>] -> tensor<4x8xf32> score {
  ^bb0(%s: f32, %m: f32):
    kernel.yield %s : f32
  } power {
  ^bb0(%s: f32, %m: f32):
    kernel.yield %s : f32
  } total {
  ^bb0(%s: f32):
    kernel.yield %s : f32
  } weight {
  ^bb0(%p: f32, %t: f32):
    kernel.yield %p : f32
  } finish {
  ^bb0(%s: f32, %t: f32):
    kernel.yield %s : f32
  }
  func.return
}
// -----
func.func @weight(%q: tensor<4x8xf32>, %k: tensor<5x8xf32>, %v: tensor<8x5xf32>) {
  // expected-error@below {{kernel.attention: weight must take f32, f32 and yield f32}}
  %0 = kernel.attention [4, 8] keys 5 weights f32 partials 4 query(%q : tensor<4x8xf32>) key(%k : tensor<5x8xf32>) value(%v : tensor<8x5xf32>) masks() mask_access [] ins() outs() access [affine_map<(d0, d1) -> (d0, d1)>] -> tensor<4x8xf32> score {
  ^bb0(%s: f32):
    kernel.yield %s : f32
  } power {
  ^bb0(%s: f32, %m: f32):
    kernel.yield %s : f32
  } total {
  ^bb0(%s: f32):
    kernel.yield %s : f32
  } weight {
  ^bb0(%p: f32):
    kernel.yield %p : f32
  } finish {
  ^bb0(%s: f32, %t: f32):
    kernel.yield %s : f32
  }
  func.return
}
// -----
func.func @beyond(%q: tensor<4x8xf32>, %k: tensor<5x8xf32>, %v: tensor<8x5xf32>) {
  // expected-error@below {{kernel.attention: mask access (d0, d1) -> (d1, d0) leaves a mask of type tensor<4x8xf32> on scores [4, 5]}}
  %0 = kernel.attention [4, 8] keys 5 weights f32 partials 4 query(%q : tensor<4x8xf32>) key(%k : tensor<5x8xf32>) value(%v : tensor<8x5xf32>) masks(%q : tensor<4x8xf32>) mask_access [affine_map<(d0, d1) -> (d1, d0)>] ins() outs() access [affine_map<(d0, d1) -> (d0, d1)>] -> tensor<4x8xf32> score {
  ^bb0(%s: f32):
    kernel.yield %s : f32
  } power {
  ^bb0(%s: f32, %m: f32):
    kernel.yield %s : f32
  } total {
  ^bb0(%s: f32):
    kernel.yield %s : f32
  } weight {
  ^bb0(%p: f32, %t: f32):
    kernel.yield %p : f32
  } finish {
  ^bb0(%s: f32, %t: f32):
    kernel.yield %s : f32
  }
  func.return
}
