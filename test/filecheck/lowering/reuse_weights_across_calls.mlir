// RUN: opt-tool %s --split-input-file --reuse-weights-across-calls | filecheck %s

// Two layers, 3 MiB of weights: the state's part of the second one is summed before the first one, or in its place.
// CHECK-LABEL: @layers
// CHECK:       %[[ODD:.*]] = kernel.call_parity : tensor<i1>
// CHECK:       %[[AHEAD:.*]] = infra.if %[[ODD]], %h : (tensor<i1>, tensor<1x1024xi8>) -> tensor<1x1024xi32> {
// CHECK:         kernel.mat_mul [1, 1024] groups 1 a(%{{.*}} : tensor<1x1024xi8>) b(%{{.*}} : tensor<1024x1024xi8>) ins()
// CHECK:           kernel.yield %{{.*}} : i32
// CHECK:       } else {
// CHECK:         kernel.map [1, 1024] ins() outs()
// CHECK:       }
// CHECK:       %[[FIRST:.*]] = kernel.mat_mul [1, 1024] groups 1 a(%x
// CHECK:       %[[IN:.*]] = kernel.mat_mul [1, 1024] groups 1 a(%[[FIRST]] : tensor<1x1024xi8>)
// CHECK:       %[[STATE:.*]] = infra.if %[[ODD]], %h, %[[AHEAD]]
// CHECK:         kernel.map [1, 1024]
// CHECK:       } else {
// CHECK:         kernel.mat_mul [1, 1024]
// CHECK:       }
// CHECK:       kernel.map [1, 1024] ins(%[[IN]], %[[STATE]] : tensor<1x1024xi32>, tensor<1x1024xi32>) outs()
// CHECK:         %{{.*}} = arith.addi
func.func @layers(%x: tensor<1x1024xi8>, %h: tensor<1x1024xi8>) -> tensor<1x1024xi8> {
  %w0 = nn.constant dense<1> : tensor<1024x1024xi8>
  %w1 = nn.constant dense<2> : tensor<1024x1024xi8>
  %w2 = nn.constant dense<3> : tensor<1024x1024xi8>
  %y = kernel.mat_mul [1, 1024] groups 1 a(%x : tensor<1x1024xi8>) b(%w0 : tensor<1024x1024xi8>) ins() outs()
      access [affine_map<(d0, d1) -> (d0, d1)>] -> tensor<1x1024xi8> {
  ^bb0(%s: i32):
    kernel.yield %s : i32
  }
  %z = kernel.mat_mul [1, 1024] groups 1 a(%y, %h : tensor<1x1024xi8>, tensor<1x1024xi8>)
      b(%w1, %w2 : tensor<1024x1024xi8>, tensor<1024x1024xi8>) ins() outs()
      access [affine_map<(d0, d1) -> (d0, d1)>] -> tensor<1x1024xi8> {
  ^bb0(%s: i32, %t: i32):
    %0 = arith.addi %s, %t : i32
    kernel.yield %0 : i32
  }
  func.return %z : tensor<1x1024xi8>
}

// -----

// Weights that stay near.
// CHECK-LABEL: @small
// CHECK-NOT:   kernel.call_parity
func.func @small(%x: tensor<1x64xi8>, %h: tensor<1x64xi8>) -> tensor<1x64xi8> {
  %w = nn.constant dense<1> : tensor<64x64xi8>
  %y = kernel.mat_mul [1, 64] groups 1 a(%x : tensor<1x64xi8>) b(%w : tensor<64x64xi8>) ins() outs()
      access [affine_map<(d0, d1) -> (d0, d1)>] -> tensor<1x64xi8> {
  ^bb0(%s: i32):
    kernel.yield %s : i32
  }
  %z = kernel.mat_mul [1, 64] groups 1 a(%y, %h : tensor<1x64xi8>, tensor<1x64xi8>)
      b(%w, %w : tensor<64x64xi8>, tensor<64x64xi8>) ins() outs()
      access [affine_map<(d0, d1) -> (d0, d1)>] -> tensor<1x64xi8> {
  ^bb0(%s: i32, %t: i32):
    %0 = arith.addi %s, %t : i32
    kernel.yield %0 : i32
  }
  func.return %z : tensor<1x64xi8>
}

// -----

// Both parts of the second layer wait for the first one.
// CHECK-LABEL: @waits
// CHECK-NOT:   kernel.call_parity
func.func @waits(%x: tensor<1x1024xi8>) -> tensor<1x1024xi8> {
  %w0 = nn.constant dense<1> : tensor<1024x1024xi8>
  %w1 = nn.constant dense<2> : tensor<1024x1024xi8>
  %w2 = nn.constant dense<3> : tensor<1024x1024xi8>
  %y = kernel.mat_mul [1, 1024] groups 1 a(%x : tensor<1x1024xi8>) b(%w0 : tensor<1024x1024xi8>) ins() outs()
      access [affine_map<(d0, d1) -> (d0, d1)>] -> tensor<1x1024xi8> {
  ^bb0(%s: i32):
    kernel.yield %s : i32
  }
  %h = kernel.map [1, 1024] ins(%y : tensor<1x1024xi8>) outs()
      access [affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d0, d1)>] -> tensor<1x1024xi8> {
  ^bb0(%s: i32):
    kernel.yield %s : i32
  }
  %z = kernel.mat_mul [1, 1024] groups 1 a(%y, %h : tensor<1x1024xi8>, tensor<1x1024xi8>)
      b(%w1, %w2 : tensor<1024x1024xi8>, tensor<1024x1024xi8>) ins() outs()
      access [affine_map<(d0, d1) -> (d0, d1)>] -> tensor<1x1024xi8> {
  ^bb0(%s: i32, %t: i32):
    %0 = arith.addi %s, %t : i32
    kernel.yield %0 : i32
  }
  func.return %z : tensor<1x1024xi8>
}

// -----

// Several rows use weights several times.
// CHECK-LABEL: @rows
// CHECK-NOT:   kernel.call_parity
func.func @rows(%x: tensor<4x1024xi8>, %h: tensor<4x1024xi8>) -> tensor<4x1024xi8> {
  %w0 = nn.constant dense<1> : tensor<1024x1024xi8>
  %w1 = nn.constant dense<2> : tensor<1024x1024xi8>
  %w2 = nn.constant dense<3> : tensor<1024x1024xi8>
  %y = kernel.mat_mul [4, 1024] groups 1 a(%x : tensor<4x1024xi8>) b(%w0 : tensor<1024x1024xi8>) ins() outs()
      access [affine_map<(d0, d1) -> (d0, d1)>] -> tensor<4x1024xi8> {
  ^bb0(%s: i32):
    kernel.yield %s : i32
  }
  %z = kernel.mat_mul [4, 1024] groups 1 a(%y, %h : tensor<4x1024xi8>, tensor<4x1024xi8>)
      b(%w1, %w2 : tensor<1024x1024xi8>, tensor<1024x1024xi8>) ins() outs()
      access [affine_map<(d0, d1) -> (d0, d1)>] -> tensor<4x1024xi8> {
  ^bb0(%s: i32, %t: i32):
    %0 = arith.addi %s, %t : i32
    kernel.yield %0 : i32
  }
  func.return %z : tensor<4x1024xi8>
}

// -----

// Sums of floats depend on where they are rounded.
// CHECK-LABEL: @floats
// CHECK-NOT:   kernel.call_parity
func.func @floats(%x: tensor<1x1024xf32>, %h: tensor<1x1024xf32>) -> tensor<1x1024xf32> {
  %w0 = nn.constant dense<1.0> : tensor<1024x1024xf32>
  %w1 = nn.constant dense<2.0> : tensor<1024x1024xf32>
  %y = kernel.mat_mul [1, 1024] groups 1 a(%x : tensor<1x1024xf32>) b(%w0 : tensor<1024x1024xf32>) ins() outs()
      access [affine_map<(d0, d1) -> (d0, d1)>] -> tensor<1x1024xf32> {
  ^bb0(%s: f32):
    kernel.yield %s : f32
  }
  %z = kernel.mat_mul [1, 1024] groups 1 a(%y, %h : tensor<1x1024xf32>, tensor<1x1024xf32>)
      b(%w1, %w1 : tensor<1024x1024xf32>, tensor<1024x1024xf32>) ins() outs()
      access [affine_map<(d0, d1) -> (d0, d1)>] -> tensor<1x1024xf32> {
  ^bb0(%s: f32, %t: f32):
    %0 = arith.addf %s, %t : f32
    kernel.yield %0 : f32
  }
  func.return %z : tensor<1x1024xf32>
}
