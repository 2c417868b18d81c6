// RUN: opt-tool %s --split-input-file --concatenate-products | filecheck %s

// Two rows: one product, of what both multiply; it counts for both.
// CHECK-LABEL: @gates
// CHECK: [[A:%.*]] = nn.concat %x, %h {axis = 1 : i64} : (tensor<2x1xf32>, tensor<2x2xf32>) -> tensor<2x3xf32>
// CHECK-NEXT: [[W:%.*]] = nn.constant dense<1.0> : tensor<64x3xf32>
// CHECK-NEXT: [[Y:%.*]] = nn.mat_mul [[A]], [[W]] {kernel.origins = [{name = "cell/X"{{.*}}name = "cell/H"{{.*}}], transpose_b = true} : (tensor<2x3xf32>, tensor<64x3xf32>) -> tensor<2x64xf32>
// CHECK-NEXT: func.return [[Y]]
func.func @gates(%x: tensor<2x1xf32>, %h: tensor<2x2xf32>) -> tensor<2x64xf32> {
  %w = nn.constant dense<1.0> : tensor<64x1xf32>
  %r = nn.constant dense<1.0> : tensor<64x2xf32>
  %p = nn.mat_mul %x, %w {nn.name = "cell/X", transpose_b = true} : (tensor<2x1xf32>, tensor<64x1xf32>) -> tensor<2x64xf32>
  %q = nn.mat_mul %h, %r {nn.name = "cell/H", transpose_b = true} : (tensor<2x2xf32>, tensor<64x2xf32>) -> tensor<2x64xf32>
  %y = nn.add %p, %q : (tensor<2x64xf32>, tensor<2x64xf32>) -> tensor<2x64xf32>
  func.return %y : tensor<2x64xf32>
}

// -----

// Weights as rows of what is multiplied; a batch of one row each.
// CHECK-LABEL: @batch
// CHECK: nn.concat %x, %h {axis = 2 : i64}
// CHECK: nn.mat_mul {{.*}} : (tensor<2x1x3xf32>, tensor<3x64xf32>) -> tensor<2x1x64xf32>
func.func @batch(%x: tensor<2x1x1xf32>, %h: tensor<2x1x2xf32>) -> tensor<2x1x64xf32> {
  %w = nn.constant dense<1.0> : tensor<1x64xf32>
  %r = nn.constant dense<1.0> : tensor<2x64xf32>
  %p = nn.mat_mul %x, %w : (tensor<2x1x1xf32>, tensor<1x64xf32>) -> tensor<2x1x64xf32>
  %q = nn.mat_mul %h, %r : (tensor<2x1x2xf32>, tensor<2x64xf32>) -> tensor<2x1x64xf32>
  %y = nn.add %p, %q : (tensor<2x1x64xf32>, tensor<2x1x64xf32>) -> tensor<2x1x64xf32>
  func.return %y : tensor<2x1x64xf32>
}

// -----

// One row has room for both sums.
// CHECK-LABEL: @row
// CHECK-NOT: nn.concat
func.func @row(%x: tensor<1x1xf32>, %h: tensor<1x2xf32>) -> tensor<1x64xf32> {
  %w = nn.constant dense<1.0> : tensor<1x64xf32>
  %r = nn.constant dense<1.0> : tensor<2x64xf32>
  %p = nn.mat_mul %x, %w : (tensor<1x1xf32>, tensor<1x64xf32>) -> tensor<1x64xf32>
  %q = nn.mat_mul %h, %r : (tensor<1x2xf32>, tensor<2x64xf32>) -> tensor<1x64xf32>
  %y = nn.add %p, %q : (tensor<1x64xf32>, tensor<1x64xf32>) -> tensor<1x64xf32>
  func.return %y : tensor<1x64xf32>
}

// -----

// Few columns are not worth a copy.
// CHECK-LABEL: @few
// CHECK-NOT: nn.concat
func.func @few(%x: tensor<2x1xf32>, %h: tensor<2x2xf32>) -> tensor<2x63xf32> {
  %w = nn.constant dense<1.0> : tensor<1x63xf32>
  %r = nn.constant dense<1.0> : tensor<2x63xf32>
  %p = nn.mat_mul %x, %w : (tensor<2x1xf32>, tensor<1x63xf32>) -> tensor<2x63xf32>
  %q = nn.mat_mul %h, %r : (tensor<2x2xf32>, tensor<2x63xf32>) -> tensor<2x63xf32>
  %y = nn.add %p, %q : (tensor<2x63xf32>, tensor<2x63xf32>) -> tensor<2x63xf32>
  func.return %y : tensor<2x63xf32>
}

// -----

// Codes have scales of their own. A product that something else reads stays, and so does one of computed weights.
// CHECK-LABEL: @others
// CHECK-NOT: nn.concat
func.func @others(%x: tensor<2x1xf32>, %h: tensor<2x2xf32>, %c: tensor<2x1xi8>, %v: tensor<2x64xf32>)
    -> (tensor<2x64xi32>, tensor<2x64xf32>, tensor<2x64xf32>, tensor<2x64xf32>) {
  %k = nn.constant dense<1> : tensor<1x64xi8>
  %i = nn.mat_mul %c, %k : (tensor<2x1xi8>, tensor<1x64xi8>) -> tensor<2x64xi32>
  %j = nn.mat_mul %c, %k : (tensor<2x1xi8>, tensor<1x64xi8>) -> tensor<2x64xi32>
  %s = nn.add %i, %j : (tensor<2x64xi32>, tensor<2x64xi32>) -> tensor<2x64xi32>
  %w = nn.constant dense<1.0> : tensor<1x64xf32>
  %r = nn.constant dense<1.0> : tensor<2x64xf32>
  %p = nn.mat_mul %x, %w : (tensor<2x1xf32>, tensor<1x64xf32>) -> tensor<2x64xf32>
  %q = nn.mat_mul %h, %r : (tensor<2x2xf32>, tensor<2x64xf32>) -> tensor<2x64xf32>
  %y = nn.add %p, %q : (tensor<2x64xf32>, tensor<2x64xf32>) -> tensor<2x64xf32>
  %m = nn.mat_mul %x, %w : (tensor<2x1xf32>, tensor<1x64xf32>) -> tensor<2x64xf32>
  %n = nn.mat_mul %h, %v : (tensor<2x2xf32>, tensor<2x64xf32>) -> tensor<2x64xf32>
  %z = nn.add %m, %n : (tensor<2x64xf32>, tensor<2x64xf32>) -> tensor<2x64xf32>
  func.return %s, %p, %y, %z : tensor<2x64xi32>, tensor<2x64xf32>, tensor<2x64xf32>, tensor<2x64xf32>
}
