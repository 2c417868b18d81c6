// RUN: opt-tool %s --split-input-file -p 'bound-inputs{most=64 dimensions=1,1,0}' --verify-diagnostics | filecheck %s
// RUN: opt-tool %s --split-input-file -p 'bound-inputs{most=64 dimensions=1,1,0},bound-dynamic-shapes' --verify-diagnostics | filecheck %s --check-prefix SIZES

// What a call gives fills the beginning of 64 rows; the size is a further input.

// CHECK-LABEL: @main
// CHECK-SAME: (%x: tensor<1x1x8xf32> {nn.names = ["x"]}, %keys: tensor<1x64x8xf32> {nn.names = ["keys"]}, %[[SIZE:.*]]: tensor<1xi64>)
// CHECK: %[[COUNT:.*]] = nn.clamp %[[SIZE]] {min = 0.000000e+00 : f64, max = 6.400000e+01 : f64}
// CHECK: %[[PART:.*]] = nn.slice %keys, %{{.*}}, %[[COUNT]], %{{.*}}, %{{.*}} -> tensor<1x?x8xf32>
// CHECK: nn.concat %[[PART]], %x

// The shape of the result is put together of a known and an unknown size: it needs no computing.

// CHECK: nn.reshape %{{.*}}, %{{.*}} : (tensor<1x?x8xf32>, tensor<2xi64>) -> tensor<?x8xf32>

// SIZES-LABEL: @main
// SIZES: func.return %{{.*}}, %{{.*}} : tensor<65x8xf32>, tensor<1xi64>
func.func @main(%x: tensor<1x1x8xf32> {nn.names = ["x"]}, %keys: tensor<1x?x8xf32> {nn.names = ["keys"]}) -> tensor<?x8xf32> {
  %all = nn.concat %keys, %x {axis = 1 : i64} : (tensor<1x?x8xf32>, tensor<1x1x8xf32>) -> tensor<1x?x8xf32>
  %shape = nn.shape_of %all : tensor<1x?x8xf32> -> tensor<3xi64>
  %one = nn.constant dense<[1]> : tensor<1xi64>
  %three = nn.constant dense<[3]> : tensor<1xi64>
  %zero = nn.constant dense<[0]> : tensor<1xi64>
  %target = nn.slice %shape, %one, %three, %one, %zero : (tensor<3xi64>, tensor<1xi64>, tensor<1xi64>, tensor<1xi64>, tensor<1xi64>) -> tensor<2xi64>
  %rows = nn.reshape %all, %target : (tensor<1x?x8xf32>, tensor<2xi64>) -> tensor<?x8xf32>
  func.return %rows : tensor<?x8xf32>
}

// -----

// A result that is an input with something behind it is written over it, where there is room for that.

// CHECK-LABEL: @main
// CHECK-SAME: %keys: tensor<1x66x8xf32> {nn.names = ["keys"], infra.padded}, %[[SIZE:.*]]: tensor<1xi64>)
// CHECK: %[[COUNT:.*]] = nn.clamp %[[SIZE]] {min = 0.000000e+00 : f64, max = 6.400000e+01 : f64}
// CHECK: nn.slice %keys, %{{.*}}, %[[COUNT]]

// SIZES-LABEL: @main
// SIZES-SAME: kernel.aliases = array<i64: 1, 1>
// SIZES: %[[ALL:.*]] = nn.scatter_update %keys, %{{.*}}, %x
// SIZES: func.return %{{.*}}, %[[ALL]], %{{.*}} : tensor<1x2x8xf32>, tensor<1x66x8xf32>, tensor<1xi64>
func.func @main(%x: tensor<1x2x8xf32>, %keys: tensor<1x?x8xf32> {nn.names = ["keys"]}) -> (tensor<1x2x8xf32>, tensor<1x?x8xf32>) {
  %all = nn.concat %keys, %x {axis = 1 : i64} : (tensor<1x?x8xf32>, tensor<1x2x8xf32>) -> tensor<1x?x8xf32>
  %y = nn.add %x, %x : (tensor<1x2x8xf32>, tensor<1x2x8xf32>) -> tensor<1x2x8xf32>
  func.return %y, %all : tensor<1x2x8xf32>, tensor<1x?x8xf32>
}

// -----

// An input that leaves unchanged may be the result, also through a concatenation of it alone; not what is computed of it,
// nor a scalar.

// CHECK-LABEL: @main
// CHECK-SAME: %cross: tensor<3x2xf32> {nn.names = ["cross"], infra.returned}, %other: tensor<3x2xf32>, %scalar: tensor<f32>, %{{.*}}: tensor<1xi64>)
// CHECK: func.return %{{.*}}, %cross, %relu, %scalar
func.func @main(%x: tensor<1x2x8xf32>, %keys: tensor<1x?x8xf32>, %cross: tensor<3x2xf32> {nn.names = ["cross"]}, %other: tensor<3x2xf32>, %scalar: tensor<f32>) -> (tensor<1x?x8xf32>, tensor<3x2xf32>, tensor<3x2xf32>, tensor<f32>) {
  %all = nn.concat %keys, %x {axis = 1 : i64} : (tensor<1x?x8xf32>, tensor<1x2x8xf32>) -> tensor<1x?x8xf32>
  %relu = nn.relu %other : tensor<3x2xf32>
  %alone = nn.concat %cross {axis = 0 : i64} : (tensor<3x2xf32>) -> tensor<3x2xf32>
  func.return %all, %alone, %relu, %scalar : tensor<1x?x8xf32>, tensor<3x2xf32>, tensor<3x2xf32>, tensor<f32>
}

// -----

// One that is returned twice is written over it once; behind other rows, or a part of it, nothing is.

// SIZES-LABEL: @twice
// SIZES-SAME: kernel.aliases = array<i64: 0, 1>
func.func @twice(%x: tensor<1x2x8xf32>, %keys: tensor<1x?x8xf32>) -> (tensor<1x?x8xf32>, tensor<1x?x8xf32>) {
  %all = nn.concat %keys, %x {axis = 1 : i64} : (tensor<1x?x8xf32>, tensor<1x2x8xf32>) -> tensor<1x?x8xf32>
  func.return %all, %all : tensor<1x?x8xf32>, tensor<1x?x8xf32>
}

// -----

// CHECK-LABEL: @in_front
// CHECK-SAME: %keys: tensor<1x64x8xf32>,
// SIZES-LABEL: @in_front
// SIZES-NOT: kernel.aliases
func.func @in_front(%x: tensor<1x2x8xf32>, %keys: tensor<1x?x8xf32>) -> tensor<1x?x8xf32> {
  %all = nn.concat %x, %keys {axis = 1 : i64} : (tensor<1x2x8xf32>, tensor<1x?x8xf32>) -> tensor<1x?x8xf32>
  func.return %all : tensor<1x?x8xf32>
}

// -----

// CHECK-LABEL: @part
// CHECK-SAME: %keys: tensor<1x64x8xf32>,
// SIZES-LABEL: @part
// SIZES-NOT: kernel.aliases
func.func @part(%x: tensor<1x2x8xf32>, %keys: tensor<1x?x8xf32>) -> tensor<1x?x8xf32> {
  %zero = nn.constant dense<0> : tensor<1xi64>
  %one = nn.constant dense<1> : tensor<1xi64>
  %end = nn.constant dense<-1> : tensor<1xi64>
  %part = nn.slice %keys, %zero, %end, %one, %one : (tensor<1x?x8xf32>, tensor<1xi64>, tensor<1xi64>, tensor<1xi64>, tensor<1xi64>) -> tensor<1x?x8xf32>
  %all = nn.concat %part, %x {axis = 1 : i64} : (tensor<1x?x8xf32>, tensor<1x2x8xf32>) -> tensor<1x?x8xf32>
  func.return %all : tensor<1x?x8xf32>
}

// -----

// Nor what is put together of three, with what is itself of dynamic size, or along a dimension that is known.

// CHECK-LABEL: @of_three
// CHECK-SAME: %keys: tensor<1x64x8xf32>,
// SIZES-LABEL: @of_three
// SIZES-NOT: kernel.aliases
func.func @of_three(%x: tensor<1x2x8xf32>, %keys: tensor<1x?x8xf32>) -> tensor<1x?x8xf32> {
  %all = nn.concat %keys, %x, %x {axis = 1 : i64} : (tensor<1x?x8xf32>, tensor<1x2x8xf32>, tensor<1x2x8xf32>) -> tensor<1x?x8xf32>
  func.return %all : tensor<1x?x8xf32>
}

// -----

// CHECK-LABEL: @behind_which_is_a_part
// CHECK-SAME: %keys: tensor<1x64x8xf32>,
// SIZES-LABEL: @behind_which_is_a_part
// SIZES-NOT: kernel.aliases
// SIZES: nn.scatter_update {{.*}} -> tensor<1x66x8xf32>
func.func @behind_which_is_a_part(%x: tensor<1x2x8xf32>, %keys: tensor<1x?x8xf32>, %n: tensor<1xi64>) -> tensor<1x?x8xf32> {
  %zero = nn.constant dense<0> : tensor<1xi64>
  %one = nn.constant dense<1> : tensor<1xi64>
  %part = nn.slice %x, %zero, %n, %one, %one : (tensor<1x2x8xf32>, tensor<1xi64>, tensor<1xi64>, tensor<1xi64>, tensor<1xi64>) -> tensor<1x?x8xf32>
  %all = nn.concat %keys, %part {axis = 1 : i64} : (tensor<1x?x8xf32>, tensor<1x?x8xf32>) -> tensor<1x?x8xf32>
  func.return %all : tensor<1x?x8xf32>
}

// -----

// CHECK-LABEL: @beside
// CHECK-SAME: %keys: tensor<1x64x8xf32>,
// SIZES-LABEL: @beside
// SIZES-NOT: kernel.aliases
func.func @beside(%x: tensor<1x2x8xf32>, %keys: tensor<1x?x8xf32>) -> tensor<1x?x16xf32> {
  %all = nn.concat %keys, %keys {axis = 2 : i64} : (tensor<1x?x8xf32>, tensor<1x?x8xf32>) -> tensor<1x?x16xf32>
  func.return %all : tensor<1x?x16xf32>
}

// -----

// expected-error@unknown {{there is no dimension 1 of input 1}}
func.func @main(%x: tensor<?xf32>) -> tensor<?xf32> {
  func.return %x : tensor<?xf32>
}
