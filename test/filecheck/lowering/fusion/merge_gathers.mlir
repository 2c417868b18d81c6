// RUN: opt-tool %s --split-input-file --nn-to-kernels --separate-results --fuse-kernels | filecheck %s

// Elements at two sets of indices that meet in a kernel are looked up by one, which keeps what else both do.
// CHECK-LABEL: func.func @two_gathers(
// CHECK-NEXT:    [[Y:%.*]] = kernel.gather [2, 4] axis 0 x(%x, %z : tensor<8x4xf32>, tensor<5x4xf32>) points [affine_map<(d0, d1) -> (0, d1)>, affine_map<(d0, d1) -> (0, d1)>] indices(%i, %j : tensor<2xi32>, tensor<2xi64>) places [affine_map<(d0, d1) -> (d0)>, affine_map<(d0, d1) -> (d0)>] ins(%s : tensor<4xf32>) outs() access [affine_map<(d0, d1) -> (d1)>, affine_map<(d0, d1) -> (d0, d1)>] -> tensor<2x4xf32> {
// CHECK-NEXT:    ^bb0([[A:%.*]]: f32, [[B:%.*]]: f32, [[S:%.*]]: f32):
// CHECK-NEXT:      [[SCALED:%.*]] = arith.mulf [[B]], [[S]] : f32
// CHECK-NEXT:      [[SUM:%.*]] = arith.addf [[A]], [[SCALED]] : f32
// CHECK-NEXT:      kernel.yield [[SUM]] : f32
// CHECK:         func.return [[Y]]
func.func @two_gathers(%x: tensor<8x4xf32>, %z: tensor<5x4xf32>, %i: tensor<2xi32>, %j: tensor<2xi64>, %s: tensor<4xf32>) -> tensor<2x4xf32> {
  %axis = nn.constant dense<0> : tensor<i64>
  %a = nn.gather %x, %i, %axis {batch_dims = 0 : i64} : (tensor<8x4xf32>, tensor<2xi32>, tensor<i64>) -> tensor<2x4xf32>
  %b = nn.gather %z, %j, %axis {batch_dims = 0 : i64} : (tensor<5x4xf32>, tensor<2xi64>, tensor<i64>) -> tensor<2x4xf32>
  %c = nn.multiply %b, %s : (tensor<2x4xf32>, tensor<4xf32>) -> tensor<2x4xf32>
  %y = nn.add %a, %c : (tensor<2x4xf32>, tensor<2x4xf32>) -> tensor<2x4xf32>
  func.return %y : tensor<2x4xf32>
}

// -----

// Not where one says where the other looks.
// CHECK-LABEL: func.func @dependent(
// CHECK:         [[A:%.*]] = kernel.gather [8, 2] axis 0 x(%x : tensor<8x2xi32>)
// CHECK:         kernel.gather [8, 2] axis 0 x(%x : tensor<8x2xi32>) {{.*}} indices([[A]] :
func.func @dependent(%x: tensor<8x2xi32>) -> tensor<8x2xi32> {
  %a = nn.gather_elements %x, %x {axis = 0 : i64} : (tensor<8x2xi32>, tensor<8x2xi32>) -> tensor<8x2xi32>
  %b = nn.gather_elements %x, %a {axis = 0 : i64} : (tensor<8x2xi32>, tensor<8x2xi32>) -> tensor<8x2xi32>
  %c = nn.add %a, %b : (tensor<8x2xi32>, tensor<8x2xi32>) -> tensor<8x2xi32>
  func.return %c : tensor<8x2xi32>
}

// -----

// Nor where they look along different axes.
// CHECK-LABEL: func.func @two_axes(
// CHECK:         kernel.gather [2, 2] axis 1 x(%x : tensor<2x2xf32>)
// CHECK:         kernel.gather [2, 2] axis 0 x(%x : tensor<2x2xf32>)
func.func @two_axes(%x: tensor<2x2xf32>, %i: tensor<2xi32>) -> tensor<2x2xf32> {
  %first = nn.constant dense<0> : tensor<i64>
  %second = nn.constant dense<1> : tensor<i64>
  %a = nn.gather %x, %i, %first {batch_dims = 0 : i64} : (tensor<2x2xf32>, tensor<2xi32>, tensor<i64>) -> tensor<2x2xf32>
  %b = nn.gather %x, %i, %second {batch_dims = 0 : i64} : (tensor<2x2xf32>, tensor<2xi32>, tensor<i64>) -> tensor<2x2xf32>
  %y = nn.add %a, %b : (tensor<2x2xf32>, tensor<2x2xf32>) -> tensor<2x2xf32>
  func.return %y : tensor<2x2xf32>
}

// -----

// Whichever of them comes first.
// CHECK-LABEL: func.func @depends_on_the_second(
// CHECK:         [[A:%.*]] = kernel.gather [8, 2] axis 0 x(%x : tensor<8x2xi32>)
// CHECK:         kernel.gather [8, 2] axis 0 x(%x : tensor<8x2xi32>) {{.*}} indices([[A]] :
func.func @depends_on_the_second(%x: tensor<8x2xi32>) -> tensor<8x2xi32> {
  %a = nn.gather_elements %x, %x {axis = 0 : i64} : (tensor<8x2xi32>, tensor<8x2xi32>) -> tensor<8x2xi32>
  %b = nn.gather_elements %x, %a {axis = 0 : i64} : (tensor<8x2xi32>, tensor<8x2xi32>) -> tensor<8x2xi32>
  %c = nn.subtract %b, %a : (tensor<8x2xi32>, tensor<8x2xi32>) -> tensor<8x2xi32>
  func.return %c : tensor<8x2xi32>
}

// -----

// Nor where they look up elements of other numbers.
// CHECK-LABEL: func.func @two_domains(
// CHECK:         kernel.gather [1, 4] axis 0
// CHECK:         kernel.gather [2, 4] axis 0
func.func @two_domains(%x: tensor<8x4xf32>, %i: tensor<1xi32>, %j: tensor<2xi32>) -> tensor<2x4xf32> {
  %axis = nn.constant dense<0> : tensor<i64>
  %a = nn.gather %x, %i, %axis {batch_dims = 0 : i64} : (tensor<8x4xf32>, tensor<1xi32>, tensor<i64>) -> tensor<1x4xf32>
  %b = nn.gather %x, %j, %axis {batch_dims = 0 : i64} : (tensor<8x4xf32>, tensor<2xi32>, tensor<i64>) -> tensor<2x4xf32>
  %y = nn.add %a, %b : (tensor<1x4xf32>, tensor<2x4xf32>) -> tensor<2x4xf32>
  func.return %y : tensor<2x4xf32>
}
