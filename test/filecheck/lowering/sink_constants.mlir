// RUN: opt-tool %s --sink-constants=isa=avx2 | filecheck %s

// Weights that are transposed and sliced in front of a loop are the body's own, and one constant.
// CHECK-LABEL: @weights
// CHECK: infra.tensor_iterator %x, %h0 inputs [#infra.sliced<
// CHECK-SAME: body_names ["X", "H"]
// CHECK-NEXT: ^{{.*}}(%a: tensor<1x2xf32>, %b: tensor<1x2xf32>):
// CHECK-NEXT: [[W:%.*]] = nn.constant {nn.name = "W"} {{.*}} : tensor<2x2xf32>
// CHECK-NEXT: nn.mat_mul %b, [[W]]
func.func @weights(%x: tensor<3x2xf32>, %h0: tensor<1x2xf32>) -> tensor<1x2xf32> {
  %c = nn.constant dense<[[1.0, 2.0], [3.0, 4.0], [5.0, 6.0]]> : tensor<3x2xf32>
  %from = nn.constant dense<[1]> : tensor<1xi64>
  %to = nn.constant dense<[3]> : tensor<1xi64>
  %axis = nn.constant dense<[0]> : tensor<1xi64>
  %part = nn.slice %c, %from, %to, %from, %axis : (tensor<3x2xf32>, tensor<1xi64>, tensor<1xi64>, tensor<1xi64>, tensor<1xi64>) -> tensor<2x2xf32>
  %order = nn.constant dense<[1, 0]> : tensor<2xi64>
  %w = nn.transpose %part, %order {nn.name = "W"} : (tensor<2x2xf32>, tensor<2xi64>) -> tensor<2x2xf32>
  %h = infra.tensor_iterator %x, %w, %h0
      inputs [#infra.sliced<axis = 0, start = 0, end = -1, stride = 1, part_size = 1>, #infra.invariant, #infra.merged<result = 0>]
      outputs [#infra.iteration<result = 0, iteration = -1>]
      body_names ["X", "W", "H"] : (tensor<3x2xf32>, tensor<2x2xf32>, tensor<1x2xf32>) -> tensor<1x2xf32> {
  ^bb0(%a: tensor<1x2xf32>, %m: tensor<2x2xf32>, %b: tensor<1x2xf32>):
    %p = nn.mat_mul %b, %m : (tensor<1x2xf32>, tensor<2x2xf32>) -> tensor<1x2xf32>
    %n = nn.add %a, %p : (tensor<1x2xf32>, tensor<1x2xf32>) -> tensor<1x2xf32>
    infra.yield %n : tensor<1x2xf32>
  }
  func.return %h : tensor<1x2xf32>
}

// Both bodies of a branch have their own; i8 codes are numbers there.
// CHECK-LABEL: @branch
// CHECK: infra.if %c, %x :
// CHECK-NEXT: ^{{.*}}(%a: tensor<2xf32>):
// CHECK-NEXT: [[W:%.*]] = nn.constant dense<[0.5, -1.0]> : tensor<2xf32>
// CHECK-NEXT: nn.add %a, [[W]]
// CHECK: else
// CHECK-NEXT: ^{{.*}}(%b: tensor<2xf32>):
// CHECK-NEXT: [[V:%.*]] = nn.constant dense<[1.0, -2.0]> : tensor<2xf32>
// CHECK-NEXT: nn.multiply %b, [[V]]
func.func @branch(%c: tensor<i1>, %x: tensor<2xf32>) -> tensor<2xf32> {
  %q = nn.constant dense<[1, -2]> : tensor<2xi8>
  %y = infra.if %c, %q, %x : (tensor<i1>, tensor<2xi8>, tensor<2xf32>) -> tensor<2xf32> {
  ^bb0(%k: tensor<2xi8>, %a: tensor<2xf32>):
    %f = nn.convert %k to f32 : tensor<2xi8> -> tensor<2xf32>
    %s = nn.constant dense<0.5> : tensor<f32>
    %w = nn.multiply %f, %s : (tensor<2xf32>, tensor<f32>) -> tensor<2xf32>
    %r = nn.add %a, %w : (tensor<2xf32>, tensor<2xf32>) -> tensor<2xf32>
    infra.yield %r : tensor<2xf32>
  } else {
  ^bb0(%k: tensor<2xi8>, %b: tensor<2xf32>):
    %f = nn.convert %k to f32 : tensor<2xi8> -> tensor<2xf32>
    %r = nn.multiply %b, %f : (tensor<2xf32>, tensor<2xf32>) -> tensor<2xf32>
    infra.yield %r : tensor<2xf32>
  }
  func.return %y : tensor<2xf32>
}

// What is carried along unchanged is a constant, what is changed is not; the number of the iteration stays.
// CHECK-LABEL: @carried
// CHECK: infra.loop %n, %{{.*}}, %{{.*}} inputs [#infra.merged<result = 1>]
// CHECK-SAME: body_names ["K"]
// CHECK-NEXT: ^{{.*}}(%k: tensor<i64>, %i: tensor<i64>):
// CHECK-NEXT: [[W:%.*]] = nn.constant dense<3> : tensor<i64>
// CHECK-NEXT: nn.add %k, [[W]]
// CHECK: infra.yield [[W]],
func.func @carried(%n: tensor<i64>) -> tensor<i64> {
  %true = nn.constant dense<true> : tensor<i1>
  %zero = nn.constant dense<0> : tensor<i64>
  %three = nn.constant dense<3> : tensor<i64>
  %y = infra.loop %n, %true, %three, %zero
      inputs [#infra.merged<result = 0>, #infra.merged<result = 1>]
      outputs [#infra.iteration<result = 1, iteration = -1>]
      body_names ["W", "K"] {current_iteration}
      : (tensor<i64>, tensor<i1>, tensor<i64>, tensor<i64>) -> tensor<i64> {
  ^bb0(%w: tensor<i64>, %k: tensor<i64>, %i: tensor<i64>):
    %s = nn.add %k, %w : (tensor<i64>, tensor<i64>) -> tensor<i64>
    %t = nn.add %s, %i : (tensor<i64>, tensor<i64>) -> tensor<i64>
    infra.yield %w, %t : tensor<i64>, tensor<i64>
  }
  func.return %y : tensor<i64>
}

// Through a body into the one inside, with what the outer one computes of it.
// CHECK-LABEL: @nested
// CHECK-NEXT: infra.if %c, %c, %x :
// CHECK: infra.if %{{.*}}, %{{.*}} :
// CHECK-NEXT: ^{{.*}}(%{{.*}}: tensor<2xf32>):
// CHECK-NEXT: [[W:%.*]] = nn.constant dense<[-1.0, -2.0]> : tensor<2xf32>
// CHECK-NEXT: nn.add %{{.*}}, [[W]]
func.func @nested(%c: tensor<i1>, %x: tensor<2xf32>) -> tensor<2xf32> {
  %w = nn.constant dense<[1.0, 2.0]> : tensor<2xf32>
  %y = infra.if %c, %c, %x, %w : (tensor<i1>, tensor<i1>, tensor<2xf32>, tensor<2xf32>) -> tensor<2xf32> {
  ^bb0(%d: tensor<i1>, %a: tensor<2xf32>, %v: tensor<2xf32>):
    %m = nn.negative %v : tensor<2xf32>
    %z = infra.if %d, %a, %m : (tensor<i1>, tensor<2xf32>, tensor<2xf32>) -> tensor<2xf32> {
    ^bb0(%e: tensor<2xf32>, %f: tensor<2xf32>):
      %r = nn.add %e, %f : (tensor<2xf32>, tensor<2xf32>) -> tensor<2xf32>
      infra.yield %r : tensor<2xf32>
    } else {
    ^bb0(%e: tensor<2xf32>, %f: tensor<2xf32>):
      infra.yield %e : tensor<2xf32>
    }
    infra.yield %z : tensor<2xf32>
  } else {
  ^bb0(%d: tensor<i1>, %a: tensor<2xf32>, %v: tensor<2xf32>):
    infra.yield %a : tensor<2xf32>
  }
  func.return %y : tensor<2xf32>
}

// Of products with few rows, codes stay, and their scales move behind the sums; with a row more they are numbers.
// CHECK-LABEL: @codes
// CHECK: [[W:%.*]] = nn.constant dense<2.5> : tensor<128x128xf32>
// CHECK: [[C:%.*]] = nn.constant dense<5> : tensor<128x128xui8>
// CHECK-NEXT: [[F:%.*]] = qnn.dequantize [[C]] scale <dense<1.0> : tensor<f32>> zero_point <dense<0> : tensor<128x1xui8>>
// CHECK-NEXT: [[P:%.*]] = nn.mat_mul %x, [[F]] {nn.name = "M_original", transpose_b = true}
// CHECK: nn.multiply [[P]], %{{.*}} {nn.name = "M"}
// CHECK: nn.mat_mul %y, [[W]]
func.func @codes(%x: tensor<4x128xf32>, %y: tensor<5x128xf32>) -> (tensor<4x128xf32>, tensor<5x128xf32>) {
  %c = nn.constant dense<133> : tensor<128x128xui8>
  %f = nn.convert %c to f32 : tensor<128x128xui8> -> tensor<128x128xf32>
  %z = nn.constant dense<128.0> : tensor<1x1xf32>
  %d = nn.subtract %f, %z : (tensor<128x128xf32>, tensor<1x1xf32>) -> tensor<128x128xf32>
  %s = nn.constant dense<0.5> : tensor<1x128xf32>
  %w = nn.multiply %d, %s : (tensor<128x128xf32>, tensor<1x128xf32>) -> tensor<128x128xf32>
  %p = nn.mat_mul %x, %w {nn.name = "M"} : (tensor<4x128xf32>, tensor<128x128xf32>) -> tensor<4x128xf32>
  %q = nn.mat_mul %y, %w : (tensor<5x128xf32>, tensor<128x128xf32>) -> tensor<5x128xf32>
  func.return %p, %q : tensor<4x128xf32>, tensor<5x128xf32>
}

// Groups of a column keep their scales and zero points, and lie behind each other in each column; codes start at 0.
// CHECK-LABEL: @groups
// CHECK: [[C:%.*]] = nn.constant dense<7> : tensor<128x4x32xui8>
// CHECK-NEXT: [[F:%.*]] = qnn.dequantize [[C]] scale <dense<0.5> : tensor<128x4x1xf32>> zero_point <dense<0> : tensor<128x4x1xui8>>
// CHECK: [[W:%.*]] = nn.reshape [[F]]
// CHECK-NEXT: nn.mat_mul %x, [[W]] {nn.name = "M", transpose_b = true}
func.func @groups(%x: tensor<1x128xf32>) -> tensor<1x128xf32> {
  %c = nn.constant dense<3> : tensor<4x32x128xi8>
  %f = nn.convert %c to f32 : tensor<4x32x128xi8> -> tensor<4x32x128xf32>
  %z = nn.constant dense<-4.0> : tensor<4x1x1xf32>
  %d = nn.subtract %f, %z : (tensor<4x32x128xf32>, tensor<4x1x1xf32>) -> tensor<4x32x128xf32>
  %s = nn.constant dense<0.5> : tensor<4x1x128xf32>
  %w = nn.multiply %d, %s : (tensor<4x32x128xf32>, tensor<4x1x128xf32>) -> tensor<4x32x128xf32>
  %n = nn.constant dense<128> : tensor<2xi64>
  %m = nn.reshape %w, %n : (tensor<4x32x128xf32>, tensor<2xi64>) -> tensor<128x128xf32>
  %y = nn.mat_mul %x, %m {nn.name = "M"} : (tensor<1x128xf32>, tensor<128x128xf32>) -> tensor<1x128xf32>
  func.return %y : tensor<1x128xf32>
}

// Groups of fewer than 16 elements, or scales along what is summed, make numbers.
// CHECK-LABEL: @small_groups
// CHECK-NOT: qnn.dequantize
func.func @small_groups(%x: tensor<1x128xf32>) -> tensor<1x128xf32> {
  %c = nn.constant dense<3> : tensor<128x16x8xi8>
  %f = nn.convert %c to f32 : tensor<128x16x8xi8> -> tensor<128x16x8xf32>
  %s = nn.constant dense<0.5> : tensor<128x16x1xf32>
  %w = nn.multiply %f, %s : (tensor<128x16x8xf32>, tensor<128x16x1xf32>) -> tensor<128x16x8xf32>
  %n = nn.constant dense<128> : tensor<2xi64>
  %m = nn.reshape %w, %n : (tensor<128x16x8xf32>, tensor<2xi64>) -> tensor<128x128xf32>
  %y = nn.mat_mul %x, %m {transpose_b = true} : (tensor<1x128xf32>, tensor<128x128xf32>) -> tensor<1x128xf32>
  func.return %y : tensor<1x128xf32>
}

// A lookup reads codes, and dequantizes what it finds, where each index has its scale.
// CHECK-LABEL: @table
// CHECK: [[C:%.*]] = nn.gather %c, %i, %axis {{.*}} -> tensor<2x4xi8>
// CHECK-NEXT: [[F:%.*]] = nn.convert [[C]] to f32
// CHECK-NEXT: [[Z:%.*]] = nn.gather %z, %i, %axis {{.*}} -> tensor<2x1xf32>
// CHECK-NEXT: [[D:%.*]] = nn.subtract [[F]], [[Z]]
// CHECK-NEXT: [[S:%.*]] = nn.gather %s, %i, %axis {{.*}} -> tensor<2x1xf32>
// CHECK-NEXT: %y = nn.multiply [[D]], [[S]]
func.func @table(%i: tensor<2xi64>) -> tensor<2x4xf32> {
  %c = nn.constant dense<[[1, 2, 3, 4], [5, 6, 7, 8], [-1, -2, -3, -4]]> : tensor<3x4xi8>
  %z = nn.constant dense<[[1.0], [2.0], [3.0]]> : tensor<3x1xf32>
  %s = nn.constant dense<[[0.5], [0.25], [0.125]]> : tensor<3x1xf32>
  %axis = nn.constant dense<0> : tensor<i64>
  %f = nn.convert %c to f32 : tensor<3x4xi8> -> tensor<3x4xf32>
  %d = nn.subtract %f, %z : (tensor<3x4xf32>, tensor<3x1xf32>) -> tensor<3x4xf32>
  %t = nn.multiply %d, %s : (tensor<3x4xf32>, tensor<3x1xf32>) -> tensor<3x4xf32>
  %y = nn.gather %t, %i, %axis {batch_dims = 0 : i64} : (tensor<3x4xf32>, tensor<2xi64>, tensor<i64>) -> tensor<2x4xf32>
  func.return %y : tensor<2x4xf32>
}

// An index out of range gives 0, which a zero point for all indices would move.
// CHECK-LABEL: @one_zero_point
// CHECK: nn.gather %{{.*}} : (tensor<3x4xf32>
func.func @one_zero_point(%i: tensor<2xi64>) -> tensor<2x4xf32> {
  %c = nn.constant dense<[[1, 2, 3, 4], [5, 6, 7, 8], [-1, -2, -3, -4]]> : tensor<3x4xi8>
  %z = nn.constant dense<1.0> : tensor<1x1xf32>
  %axis = nn.constant dense<0> : tensor<i64>
  %f = nn.convert %c to f32 : tensor<3x4xi8> -> tensor<3x4xf32>
  %t = nn.subtract %f, %z : (tensor<3x4xf32>, tensor<1x1xf32>) -> tensor<3x4xf32>
  %y = nn.gather %t, %i, %axis {batch_dims = 0 : i64} : (tensor<3x4xf32>, tensor<2xi64>, tensor<i64>) -> tensor<2x4xf32>
  func.return %y : tensor<2x4xf32>
}

// Codes that take as many bytes with their scales are numbers, and so is a table that is read otherwise, too.
// CHECK-LABEL: @no_fewer_bytes
// CHECK: nn.gather %{{.*}} : (tensor<3x4xf32>
func.func @no_fewer_bytes(%i: tensor<2xi64>) -> tensor<2x4xf32> {
  %c = nn.constant dense<[[1, 2, 3, 4], [5, 6, 7, 8], [-1, -2, -3, -4]]> : tensor<3x4xi8>
  %s = nn.constant dense<[[0.5, 1.0, 2.0, 4.0], [0.25, 1.0, 2.0, 4.0], [0.125, 1.0, 2.0, 4.0]]> : tensor<3x4xf32>
  %axis = nn.constant dense<0> : tensor<i64>
  %f = nn.convert %c to f32 : tensor<3x4xi8> -> tensor<3x4xf32>
  %t = nn.multiply %f, %s : (tensor<3x4xf32>, tensor<3x4xf32>) -> tensor<3x4xf32>
  %y = nn.gather %t, %i, %axis {batch_dims = 0 : i64} : (tensor<3x4xf32>, tensor<2xi64>, tensor<i64>) -> tensor<2x4xf32>
  func.return %y : tensor<2x4xf32>
}

// CHECK-LABEL: @also_read
// CHECK: nn.gather %{{.*}} : (tensor<3x4xf32>
func.func @also_read(%i: tensor<2xi64>) -> (tensor<2x4xf32>, tensor<3x4xf32>) {
  %c = nn.constant dense<[[1, 2, 3, 4], [5, 6, 7, 8], [-1, -2, -3, -4]]> : tensor<3x4xi8>
  %axis = nn.constant dense<0> : tensor<i64>
  %t = nn.convert %c to f32 : tensor<3x4xi8> -> tensor<3x4xf32>
  %y = nn.gather %t, %i, %axis {batch_dims = 0 : i64} : (tensor<3x4xf32>, tensor<2xi64>, tensor<i64>) -> tensor<2x4xf32>
  func.return %y, %t : tensor<2x4xf32>, tensor<3x4xf32>
}
