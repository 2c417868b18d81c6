// RUN: opt-tool %s --split-input-file --verify-diagnostics | filecheck %s

// An operation that holds; each of those below breaks one part of it.
// CHECK-LABEL: @holds
// CHECK:       kernel.softmax [4, 8] partials 4 x(
func.func @holds(%x: tensor<4x8xf32>) {
  %0 = kernel.softmax [4, 8] partials 4 x(%x : tensor<4x8xf32>) x_access affine_map<(d0, d1) -> (d0, d1)> ins() outs() access [affine_map<(d0, d1) -> (d0, d1)>] -> tensor<4x8xf32> power {
  ^bb0(%s: f32, %m: f32):
    kernel.yield %s, %m : f32, f32
  } total {
  ^bb0(%s: f32):
    kernel.yield %s : f32
  } finish {
  ^bb0(%p: f32, %t: f32):
    kernel.yield %p : f32
  }
  func.return
}
// -----
func.func @no_elements(%x: tensor<4x8xf32>) {
  // expected-error@below {{kernel.softmax: domain [4, 0]; its last dimension needs an element}}
  %0 = kernel.softmax [4, 0] partials 4 x(%x : tensor<4x8xf32>) x_access affine_map<(d0, d1) -> (d0, d1)> ins() outs() access [affine_map<(d0, d1) -> (d0, d1)>] -> tensor<4x8xf32> power {
  ^bb0(%s: f32, %m: f32):
    kernel.yield %s, %m : f32, f32
  } total {
  ^bb0(%s: f32):
    kernel.yield %s : f32
  } finish {
  ^bb0(%p: f32, %t: f32):
    kernel.yield %p : f32
  }
  func.return
}
// -----
func.func @no_dimension(%x: tensor<4x8xf32>) {
  // expected-error@below {{kernel.softmax: domain []; its last dimension needs an element}}
  %0 = kernel.softmax [] partials 4 x(%x : tensor<4x8xf32>) x_access affine_map<(d0, d1) -> (d0, d1)> ins() outs() access [affine_map<(d0, d1) -> (d0, d1)>] -> tensor<4x8xf32> power {
  ^bb0(%s: f32, %m: f32):
    kernel.yield %s, %m : f32, f32
  } total {
  ^bb0(%s: f32):
    kernel.yield %s : f32
  } finish {
  ^bb0(%p: f32, %t: f32):
    kernel.yield %p : f32
  }
  func.return
}
// -----
func.func @partials(%x: tensor<4x8xf32>) {
  // expected-error@below {{kernel.softmax: 3 partials; it is a power of two}}
  %0 = kernel.softmax [4, 8] partials 3 x(%x : tensor<4x8xf32>) x_access affine_map<(d0, d1) -> (d0, d1)> ins() outs() access [affine_map<(d0, d1) -> (d0, d1)>] -> tensor<4x8xf32> power {
  ^bb0(%s: f32, %m: f32):
    kernel.yield %s, %m : f32, f32
  } total {
  ^bb0(%s: f32):
    kernel.yield %s : f32
  } finish {
  ^bb0(%p: f32, %t: f32):
    kernel.yield %p : f32
  }
  func.return
}
// -----
func.func @no_partials(%x: tensor<4x8xf32>) {
  // expected-error@below {{kernel.softmax: 0 partials; it is a power of two}}
  %0 = kernel.softmax [4, 8] partials 0 x(%x : tensor<4x8xf32>) x_access affine_map<(d0, d1) -> (d0, d1)> ins() outs() access [affine_map<(d0, d1) -> (d0, d1)>] -> tensor<4x8xf32> power {
  ^bb0(%s: f32, %m: f32):
    kernel.yield %s, %m : f32, f32
  } total {
  ^bb0(%s: f32):
    kernel.yield %s : f32
  } finish {
  ^bb0(%p: f32, %t: f32):
    kernel.yield %p : f32
  }
  func.return
}
// -----
func.func @outside(%x: tensor<4x8xf32>) {
  // expected-error@below {{kernel.softmax: x_access (d0, d1) -> (d0, d1) leaves an operand of type tensor<4x8xf32> on domain [4, 9]}}
  %0 = kernel.softmax [4, 9] partials 4 x(%x : tensor<4x8xf32>) x_access affine_map<(d0, d1) -> (d0, d1)> ins() outs() access [affine_map<(d0, d1) -> (d0, d1)>] -> tensor<4x8xf32> power {
  ^bb0(%s: f32, %m: f32):
    kernel.yield %s, %m : f32, f32
  } total {
  ^bb0(%s: f32):
    kernel.yield %s : f32
  } finish {
  ^bb0(%p: f32, %t: f32):
    kernel.yield %p : f32
  }
  func.return
}
// -----
func.func @rank(%x: tensor<4x8xf32>) {
  // expected-error@below {{kernel.softmax: x_access (d0) -> (d0, 0) leaves an operand of type tensor<4x8xf32> on domain [4, 8]}}
  %0 = kernel.softmax [4, 8] partials 4 x(%x : tensor<4x8xf32>) x_access affine_map<(d0) -> (d0, 0)> ins() outs() access [affine_map<(d0, d1) -> (d0, d1)>] -> tensor<4x8xf32> power {
  ^bb0(%s: f32, %m: f32):
    kernel.yield %s, %m : f32, f32
  } total {
  ^bb0(%s: f32):
    kernel.yield %s : f32
  } finish {
  ^bb0(%p: f32, %t: f32):
    kernel.yield %p : f32
  }
  func.return
}
// -----
func.func @codes(%x: tensor<4x8xi8>) {
  // expected-error@below {{kernel.softmax: x tensor<4x8xi8> is not computed with in f32}}
  %0 = kernel.softmax [4, 8] partials 4 x(%x : tensor<4x8xi8>) x_access affine_map<(d0, d1) -> (d0, d1)> ins() outs() access [affine_map<(d0, d1) -> (d0, d1)>] -> tensor<4x8xf32> power {
  ^bb0(%s: f32, %m: f32):
    kernel.yield %s, %m : f32, f32
  } total {
  ^bb0(%s: f32):
    kernel.yield %s : f32
  } finish {
  ^bb0(%p: f32, %t: f32):
    kernel.yield %p : f32
  }
  func.return
}
// -----
func.func @power(%x: tensor<4x8xf32>) {
  // expected-error@below {{kernel.softmax: power must take 2 and yield 2 of f32}}
  %0 = kernel.softmax [4, 8] partials 4 x(%x : tensor<4x8xf32>) x_access affine_map<(d0, d1) -> (d0, d1)> ins() outs() access [affine_map<(d0, d1) -> (d0, d1)>] -> tensor<4x8xf32> power {
  ^bb0(%s: f32, %m: f32):
    kernel.yield %s : f32
  } total {
  ^bb0(%s: f32):
    kernel.yield %s : f32
  } finish {
  ^bb0(%p: f32, %t: f32):
    kernel.yield %p : f32
  }
  func.return
}
// -----
func.func @power_takes(%x: tensor<4x8xf32>) {
  // expected-error@below {{kernel.softmax: power must take 2 and yield 2 of f32}}
  %0 = kernel.softmax [4, 8] partials 4 x(%x : tensor<4x8xf32>) x_access affine_map<(d0, d1) -> (d0, d1)> ins() outs() access [affine_map<(d0, d1) -> (d0, d1)>] -> tensor<4x8xf32> power {
  ^bb0(%s: f32, %m: f64):
    kernel.yield %s, %s : f32, f32
  } total {
  ^bb0(%s: f32):
    kernel.yield %s : f32
  } finish {
  ^bb0(%p: f32, %t: f32):
    kernel.yield %p : f32
  }
  func.return
}
// -----
func.func @total(%x: tensor<4x8xf32>) {
  // expected-error@below {{kernel.softmax: total must take 1 and yield 1 of f32}}
  %0 = kernel.softmax [4, 8] partials 4 x(%x : tensor<4x8xf32>) x_access affine_map<(d0, d1) -> (d0, d1)> ins() outs() access [affine_map<(d0, d1) -> (d0, d1)>] -> tensor<4x8xf32> power {
  ^bb0(%s: f32, %m: f32):
    kernel.yield %s, %m : f32, f32
  } total {
  ^bb0(%s: f32):
    kernel.yield %s, %s : f32, f32
  } finish {
  ^bb0(%p: f32, %t: f32):
    kernel.yield %p : f32
  }
  func.return
}
// -----
func.func @finish(%x: tensor<4x8xf32>) {
  // expected-error@below {{kernel.softmax: body takes ['f32'], the operands give ['f32', 'f32']}}
  %0 = kernel.softmax [4, 8] partials 4 x(%x : tensor<4x8xf32>) x_access affine_map<(d0, d1) -> (d0, d1)> ins() outs() access [affine_map<(d0, d1) -> (d0, d1)>] -> tensor<4x8xf32> power {
  ^bb0(%s: f32, %m: f32):
    kernel.yield %s, %m : f32, f32
  } total {
  ^bb0(%s: f32):
    kernel.yield %s : f32
  } finish {
  ^bb0(%p: f32):
    kernel.yield %p : f32
  }
  func.return
}
