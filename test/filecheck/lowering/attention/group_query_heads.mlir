// RUN: opt-tool %s --split-input-file --group-query-heads | filecheck %s

// One row of each head: the heads that share a key are the rows of one product.
// CHECK-LABEL: @token
// CHECK: [[ROWS:%.*]] = nn.reshape %q, {{.*}} -> tensor<1x2x3x8xf32>
// CHECK-NEXT: [[S:%.*]] = nn.mat_mul [[ROWS]], %k {nn.name = "scores", {{.*}}transpose_b = true} : (tensor<1x2x3x8xf32>, tensor<1x2x5x8xf32>) -> tensor<1x2x3x5xf32>
// CHECK: [[Y:%.*]] = nn.reshape [[S]], {{.*}} -> tensor<1x6x1x5xf32>
// CHECK-NEXT: func.return [[Y]]
func.func @token(%q: tensor<1x6x1x8xf32>, %k: tensor<1x2x5x8xf32>) -> tensor<1x6x1x5xf32> {
  %two = nn.constant dense<[2]> : tensor<1xi64>
  %apart = nn.unsqueeze %k, %two : (tensor<1x2x5x8xf32>, tensor<1xi64>) -> tensor<1x2x1x5x8xf32>
  %shape = nn.constant dense<[1, 2, 3, 5, 8]> : tensor<5xi64>
  %all = nn.broadcast %apart, %shape {mode = "bidirectional"} : (tensor<1x2x1x5x8xf32>, tensor<5xi64>) -> tensor<1x2x3x5x8xf32>
  %heads = nn.constant dense<[1, 6, 5, 8]> : tensor<4xi64>
  %keys = nn.reshape %all, %heads : (tensor<1x2x3x5x8xf32>, tensor<4xi64>) -> tensor<1x6x5x8xf32>
  %s = nn.mat_mul %q, %keys {nn.name = "scores", transpose_b = true} : (tensor<1x6x1x8xf32>, tensor<1x6x5x8xf32>) -> tensor<1x6x1x5xf32>
  func.return %s : tensor<1x6x1x5xf32>
}

// -----

// Two rows of each head; the number of keys is unknown, they are turned in three dimensions, and scaled.
// CHECK-LABEL: @rows
// CHECK-NOT: nn.broadcast
// CHECK: [[SCALED:%.*]] = nn.multiply %q, {{.*}} : (tensor<1x6x2x8xf32>, tensor<f32>) -> tensor<1x6x2x8xf32>
// CHECK: [[GROUPED:%.*]] = nn.reshape [[SCALED]], {{.*}} -> tensor<1x2x3x2x8xf32>
// CHECK: nn.mat_mul [[GROUPED]], {{.*}} : (tensor<1x2x3x2x8xf32>, tensor<1x2x1x8x?xf32>) -> tensor<1x2x3x2x?xf32>
// CHECK: nn.reshape {{.*}} -> tensor<1x6x2x?xf32>
func.func @rows(%q: tensor<1x6x2x8xf32>, %k: tensor<1x2x?x8xf32>, %shape: tensor<5xi64>) -> tensor<1x6x2x?xf32> {
  %two = nn.constant dense<[2]> : tensor<1xi64>
  %apart = nn.unsqueeze %k, %two : (tensor<1x2x?x8xf32>, tensor<1xi64>) -> tensor<1x2x1x?x8xf32>
  %all = nn.broadcast %apart, %shape {mode = "bidirectional"} : (tensor<1x2x1x?x8xf32>, tensor<5xi64>) -> tensor<1x2x3x?x8xf32>
  %flat = nn.constant dense<[6, -1, 8]> : tensor<3xi64>
  %heads = nn.reshape %all, %flat : (tensor<1x2x3x?x8xf32>, tensor<3xi64>) -> tensor<6x?x8xf32>
  %order = nn.constant dense<[0, 2, 1]> : tensor<3xi64>
  %turned = nn.transpose %heads, %order : (tensor<6x?x8xf32>, tensor<3xi64>) -> tensor<6x8x?xf32>
  %ranks = nn.constant dense<[1, 6, 8, -1]> : tensor<4xi64>
  %four = nn.reshape %turned, %ranks : (tensor<6x8x?xf32>, tensor<4xi64>) -> tensor<1x6x8x?xf32>
  %scale = nn.constant dense<0.5> : tensor<1x1x1x1xf32>
  %keys = nn.multiply %four, %scale : (tensor<1x6x8x?xf32>, tensor<1x1x1x1xf32>) -> tensor<1x6x8x?xf32>
  %s = nn.mat_mul %q, %keys : (tensor<1x6x2x8xf32>, tensor<1x6x8x?xf32>) -> tensor<1x6x2x?xf32>
  func.return %s : tensor<1x6x2x?xf32>
}

// -----

// All heads share one.
// CHECK-LABEL: @one_head
// CHECK: nn.mat_mul {{.*}} : (tensor<1x1x6x8xf32>, tensor<1x1x5x8xf32>) -> tensor<1x1x6x5xf32>
func.func @one_head(%q: tensor<1x6x1x8xf32>, %k: tensor<1x1x5x8xf32>) -> tensor<1x6x1x5xf32> {
  %shape = nn.constant dense<[1, 6, 5, 8]> : tensor<4xi64>
  %keys = nn.broadcast %k, %shape {mode = "numpy"} : (tensor<1x1x5x8xf32>, tensor<4xi64>) -> tensor<1x6x5x8xf32>
  %s = nn.mat_mul %q, %keys {transpose_b = true} : (tensor<1x6x1x8xf32>, tensor<1x6x5x8xf32>) -> tensor<1x6x1x5xf32>
  func.return %s : tensor<1x6x1x5xf32>
}

// -----

// A scale of keys alone.
// CHECK-LABEL: @scaled
// CHECK: [[SCALED:%.*]] = nn.multiply %q, {{.*}} : (tensor<6x1x8xf32>, tensor<f32>) -> tensor<6x1x8xf32>
// CHECK-NEXT: nn.mat_mul [[SCALED]], %k {transpose_b = true}
func.func @scaled(%q: tensor<6x1x8xf32>, %k: tensor<6x5x8xf32>) -> tensor<6x1x5xf32> {
  %scale = nn.constant dense<0.5> : tensor<f32>
  %keys = nn.multiply %k, %scale : (tensor<6x5x8xf32>, tensor<f32>) -> tensor<6x5x8xf32>
  %s = nn.mat_mul %q, %keys {transpose_b = true} : (tensor<6x1x8xf32>, tensor<6x5x8xf32>) -> tensor<6x1x5xf32>
  func.return %s : tensor<6x1x5xf32>
}

// -----

// A scale of each column stays.
// CHECK-LABEL: @columns
// CHECK: [[KEYS:%.*]] = nn.multiply %k
// CHECK-NEXT: nn.mat_mul %q, [[KEYS]]
func.func @columns(%q: tensor<6x1x8xf32>, %k: tensor<6x5x8xf32>) -> tensor<6x1x5xf32> {
  %scale = nn.constant dense<[0.5, 1.0, 2.0, 3.0, 4.0, 5.0, 6.0, 7.0]> : tensor<8xf32>
  %keys = nn.multiply %k, %scale : (tensor<6x5x8xf32>, tensor<8xf32>) -> tensor<6x5x8xf32>
  %s = nn.mat_mul %q, %keys {transpose_b = true} : (tensor<6x1x8xf32>, tensor<6x5x8xf32>) -> tensor<6x1x5xf32>
  func.return %s : tensor<6x1x5xf32>
}

// -----

// What is repeated is summed up: that is no head.
// CHECK-LABEL: @depth
// CHECK: nn.broadcast
func.func @depth(%q: tensor<2x1x8xf32>, %k: tensor<2x5x1xf32>) -> tensor<2x1x5xf32> {
  %shape = nn.constant dense<[2, 5, 8]> : tensor<3xi64>
  %keys = nn.broadcast %k, %shape {mode = "numpy"} : (tensor<2x5x1xf32>, tensor<3xi64>) -> tensor<2x5x8xf32>
  %s = nn.mat_mul %q, %keys {transpose_b = true} : (tensor<2x1x8xf32>, tensor<2x5x8xf32>) -> tensor<2x1x5xf32>
  func.return %s : tensor<2x1x5xf32>
}

// -----

// A reshape that takes a head apart.
// CHECK-LABEL: @apart
// CHECK: nn.broadcast
func.func @apart(%q: tensor<3x4x1x4xf32>, %k: tensor<1x2x5x8xf32>) -> tensor<3x4x1x5xf32> {
  %shape = nn.constant dense<[3, 2, 5, 8]> : tensor<4xi64>
  %all = nn.broadcast %k, %shape {mode = "numpy"} : (tensor<1x2x5x8xf32>, tensor<4xi64>) -> tensor<3x2x5x8xf32>
  %other = nn.constant dense<[3, 4, 5, 4]> : tensor<4xi64>
  %keys = nn.reshape %all, %other : (tensor<3x2x5x8xf32>, tensor<4xi64>) -> tensor<3x4x5x4xf32>
  %s = nn.mat_mul %q, %keys {transpose_b = true} : (tensor<3x4x1x4xf32>, tensor<3x4x5x4xf32>) -> tensor<3x4x1x5xf32>
  func.return %s : tensor<3x4x1x5xf32>
}

// -----

// The rows of a prompt are many.
// CHECK-LABEL: @prompt
// CHECK: nn.broadcast
func.func @prompt(%q: tensor<1x6x32x8xf32>, %k: tensor<1x1x5x8xf32>) -> tensor<1x6x32x5xf32> {
  %shape = nn.constant dense<[1, 6, 5, 8]> : tensor<4xi64>
  %keys = nn.broadcast %k, %shape {mode = "numpy"} : (tensor<1x1x5x8xf32>, tensor<4xi64>) -> tensor<1x6x5x8xf32>
  %s = nn.mat_mul %q, %keys {transpose_b = true} : (tensor<1x6x32x8xf32>, tensor<1x6x5x8xf32>) -> tensor<1x6x32x5xf32>
  func.return %s : tensor<1x6x32x5xf32>
}

// -----

// Rows that are repeated are no heads, though there are as many in both operands.
// CHECK-LABEL: @repeated_rows
// CHECK: nn.broadcast
func.func @repeated_rows(%q: tensor<2x5x5xf32>, %k: tensor<2x1x8xf32>) -> tensor<2x5x8xf32> {
  %shape = nn.constant dense<[2, 5, 8]> : tensor<3xi64>
  %keys = nn.broadcast %k, %shape {mode = "numpy"} : (tensor<2x1x8xf32>, tensor<3xi64>) -> tensor<2x5x8xf32>
  %s = nn.mat_mul %q, %keys : (tensor<2x5x5xf32>, tensor<2x5x8xf32>) -> tensor<2x5x8xf32>
  func.return %s : tensor<2x5x8xf32>
}

// -----

// Queries without heads, or with one for all, are not grouped.
// CHECK-LABEL: @no_heads
// CHECK: nn.broadcast
// CHECK: nn.broadcast
func.func @no_heads(%q: tensor<3x4xf32>, %one: tensor<1x3x4xf32>, %k: tensor<1x4x5xf32>) -> (tensor<4x3x5xf32>, tensor<4x3x5xf32>) {
  %shape = nn.constant dense<[4, 4, 5]> : tensor<3xi64>
  %keys = nn.broadcast %k, %shape {mode = "numpy"} : (tensor<1x4x5xf32>, tensor<3xi64>) -> tensor<4x4x5xf32>
  %s = nn.mat_mul %q, %keys : (tensor<3x4xf32>, tensor<4x4x5xf32>) -> tensor<4x3x5xf32>
  %values = nn.broadcast %k, %shape {mode = "numpy"} : (tensor<1x4x5xf32>, tensor<3xi64>) -> tensor<4x4x5xf32>
  %t = nn.mat_mul %one, %values : (tensor<1x3x4xf32>, tensor<4x4x5xf32>) -> tensor<4x3x5xf32>
  func.return %s, %t : tensor<4x3x5xf32>, tensor<4x3x5xf32>
}

// -----

// Queries that are turned have their rows last.
// CHECK-LABEL: @turned_queries
// CHECK: nn.broadcast
func.func @turned_queries(%q: tensor<6x1x2xf32>, %k: tensor<1x1x5xf32>) -> tensor<6x2x5xf32> {
  %shape = nn.constant dense<[6, 1, 5]> : tensor<3xi64>
  %keys = nn.broadcast %k, %shape {mode = "numpy"} : (tensor<1x1x5xf32>, tensor<3xi64>) -> tensor<6x1x5xf32>
  %s = nn.mat_mul %q, %keys {transpose_a = true} : (tensor<6x1x2xf32>, tensor<6x1x5xf32>) -> tensor<6x2x5xf32>
  func.return %s : tensor<6x2x5xf32>
}

// -----

// Two sizes are unknown, of which a reshape can find one.
// CHECK-LABEL: @unknown_sizes
// CHECK: nn.broadcast
func.func @unknown_sizes(%q: tensor<?x6x1x8xf32>, %k: tensor<?x1x?x8xf32>, %shape: tensor<4xi64>) -> tensor<?x6x1x?xf32> {
  %keys = nn.broadcast %k, %shape {mode = "bidirectional"} : (tensor<?x1x?x8xf32>, tensor<4xi64>) -> tensor<?x6x?x8xf32>
  %s = nn.mat_mul %q, %keys {transpose_b = true} : (tensor<?x6x1x8xf32>, tensor<?x6x?x8xf32>) -> tensor<?x6x1x?xf32>
  func.return %s : tensor<?x6x1x?xf32>
}

// -----

// The queries and the result have one unknown size each, their parts two.
// CHECK-LABEL: @unknown_parts
// CHECK: nn.broadcast
func.func @unknown_parts(%q: tensor<?x6x1x8xf32>, %k: tensor<1x1x?x8xf32>, %shape: tensor<4xi64>) -> tensor<?x6x1x?xf32> {
  %keys = nn.broadcast %k, %shape {mode = "bidirectional"} : (tensor<1x1x?x8xf32>, tensor<4xi64>) -> tensor<1x6x?x8xf32>
  %s = nn.mat_mul %q, %keys {transpose_b = true} : (tensor<?x6x1x8xf32>, tensor<1x6x?x8xf32>) -> tensor<?x6x1x?xf32>
  func.return %s : tensor<?x6x1x?xf32>
}

// -----

// A scale of more dimensions than its values, and one of integers, stay.
// CHECK-LABEL: @other_scales
// CHECK: [[KEYS:%.*]] = nn.multiply %k
// CHECK-NEXT: nn.mat_mul %q, [[KEYS]]
// CHECK: [[CODES:%.*]] = nn.multiply %c
// CHECK-NEXT: nn.mat_mul %p, [[CODES]]
func.func @other_scales(%q: tensor<1x8xf32>, %k: tensor<8x5xf32>, %p: tensor<1x8xi32>, %c: tensor<8x5xi32>) -> (tensor<1x1x5xf32>, tensor<1x5xi32>) {
  %scale = nn.constant dense<0.5> : tensor<1x1x1xf32>
  %keys = nn.multiply %k, %scale : (tensor<8x5xf32>, tensor<1x1x1xf32>) -> tensor<1x8x5xf32>
  %s = nn.mat_mul %q, %keys : (tensor<1x8xf32>, tensor<1x8x5xf32>) -> tensor<1x1x5xf32>
  %three = nn.constant dense<3> : tensor<i32>
  %codes = nn.multiply %c, %three : (tensor<8x5xi32>, tensor<i32>) -> tensor<8x5xi32>
  %t = nn.mat_mul %p, %codes : (tensor<1x8xi32>, tensor<8x5xi32>) -> tensor<1x5xi32>
  func.return %s, %t : tensor<1x1x5xf32>, tensor<1x5xi32>
}

// -----

// Without an order, a transpose reverses all dimensions; none stay where keys are empty.
// CHECK-LABEL: @reversed
// CHECK: nn.mat_mul {{.*}} : (tensor<1x6x2xf32>, tensor<1x2x5xf32>)
// CHECK: nn.broadcast
func.func @reversed(%q: tensor<6x1x2xf32>, %k: tensor<5x2x1xf32>, %none: tensor<1x0x2xf32>) -> (tensor<6x1x5xf32>, tensor<6x1x0xf32>) {
  %shape = nn.constant dense<[5, 2, 6]> : tensor<3xi64>
  %all = nn.broadcast %k, %shape {mode = "numpy"} : (tensor<5x2x1xf32>, tensor<3xi64>) -> tensor<5x2x6xf32>
  %order = nn.constant dense<> : tensor<0xi64>
  %keys = nn.transpose %all, %order : (tensor<5x2x6xf32>, tensor<0xi64>) -> tensor<6x2x5xf32>
  %s = nn.mat_mul %q, %keys : (tensor<6x1x2xf32>, tensor<6x2x5xf32>) -> tensor<6x1x5xf32>
  %heads = nn.constant dense<[6, 0, 2]> : tensor<3xi64>
  %empty = nn.broadcast %none, %heads {mode = "numpy"} : (tensor<1x0x2xf32>, tensor<3xi64>) -> tensor<6x0x2xf32>
  %t = nn.mat_mul %q, %empty {transpose_b = true} : (tensor<6x1x2xf32>, tensor<6x0x2xf32>) -> tensor<6x1x0xf32>
  func.return %s, %t : tensor<6x1x5xf32>, tensor<6x1x0xf32>
}
