// RUN: opt-tool %s --split-input-file -p 'bound-inputs{most=64 states=0,1,0}' --verify-diagnostics | filecheck %s
// RUN: opt-tool %s --split-input-file -p 'bound-inputs{most=64 states=0,1,0},bound-dynamic-shapes' --verify-diagnostics | filecheck %s --check-prefix SIZES

// A state has room for what it becomes; what counts of it fills its beginning.

// CHECK-LABEL: @main
// CHECK-SAME: (%x: tensor<1x2x8xf32>, %[[SIZE:.*]]: tensor<1xi64>)
// CHECK: %[[COUNT:.*]] = nn.clamp %[[SIZE]] {min = 0.000000e+00 : f64, max = 6.400000e+01 : f64}
// CHECK: %[[OLD:.*]] = infra.read_value @keys, %{{.*}} padded : tensor<1x66x8xf32> -> tensor<1x66x8xf32>
// CHECK: %[[PART:.*]] = nn.slice %[[OLD]], %{{.*}}, %[[COUNT]], %{{.*}}, %{{.*}} -> tensor<1x?x8xf32>
// CHECK: nn.concat %[[PART]], %x

// What is appended is written behind it, in its place.

// SIZES-LABEL: @main
// SIZES-SAME: kernel.state_sizes = array<i64: 0, 1, 1>
// SIZES: %[[OLD:.*]] = infra.read_value @keys
// SIZES: %[[ALL:.*]] = nn.scatter_update %[[OLD]], %{{.*}}, %x
// SIZES: infra.assign @keys, %[[ALL]] in_place : tensor<1x66x8xf32>
// SIZES: func.return %{{.*}}, %{{.*}} : tensor<1x2x8xf32>, tensor<1xi64>
infra.variable @keys : tensor<1x?x8xf32>
func.func @main(%x: tensor<1x2x8xf32>) -> tensor<1x2x8xf32> {
  %none = nn.constant dense<0.0> : tensor<1x0x8xf32>
  %old = infra.read_value @keys, %none : tensor<1x0x8xf32> -> tensor<1x?x8xf32>
  %all = nn.concat %old, %x {axis = 1 : i64} : (tensor<1x?x8xf32>, tensor<1x2x8xf32>) -> tensor<1x?x8xf32>
  infra.assign @keys, %all : tensor<1x?x8xf32>
  %y = nn.add %x, %x : (tensor<1x2x8xf32>, tensor<1x2x8xf32>) -> tensor<1x2x8xf32>
  func.return %y : tensor<1x2x8xf32>
}

// -----

// What takes the place of a row that counts is not written there: a call that fails must not have changed the state.

// SIZES-LABEL: @last
// SIZES: %[[OLD:.*]] = infra.read_value @keys
// SIZES: %[[ALL:.*]] = nn.scatter_update %[[OLD]], %{{.*}}, %x
// SIZES: %[[ZEROS:.*]] = nn.select %{{.*}}, %[[ALL]], %{{.*}}
// SIZES: infra.assign @keys, %[[ZEROS]] : tensor<1x64x8xf32>
infra.variable @keys : tensor<1x?x8xf32>
func.func @last(%x: tensor<1x1x8xf32>) -> tensor<1x1x8xf32> {
  %none = nn.constant dense<0.0> : tensor<1x0x8xf32>
  %zero = nn.constant dense<0> : tensor<1xi64>
  %one = nn.constant dense<1> : tensor<1xi64>
  %end = nn.constant dense<-1> : tensor<1xi64>
  %old = infra.read_value @keys, %none : tensor<1x0x8xf32> -> tensor<1x?x8xf32>
  %part = nn.slice %old, %zero, %end, %one, %one : (tensor<1x?x8xf32>, tensor<1xi64>, tensor<1xi64>, tensor<1xi64>, tensor<1xi64>) -> tensor<1x?x8xf32>
  %all = nn.concat %part, %x {axis = 1 : i64} : (tensor<1x?x8xf32>, tensor<1x1x8xf32>) -> tensor<1x?x8xf32>
  infra.assign @keys, %all : tensor<1x?x8xf32>
  func.return %x : tensor<1x1x8xf32>
}

// -----

// expected-error@unknown {{there is no dimension 1 of state 0 to be bounded}}
infra.variable @keys : tensor<?xf32>
func.func @main(%x: tensor<1xf32>) -> tensor<1xf32> {
  func.return %x : tensor<1xf32>
}
