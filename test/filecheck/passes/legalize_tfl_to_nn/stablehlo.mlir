// StableHLO's updates at indices and reductions of windows.
// RUN: opt-tool %s --legalize-tfl-to-nn --dce --split-input-file | filecheck %s

// Columns lie in front while they are updated.
// CHECK-LABEL: @columns(
// CHECK: [[FRONT:%.*]] = nn.transpose %x, %{{.*}} : (tensor<3x4xf32>, tensor<2xi64>) -> tensor<4x3xf32>
// CHECK: [[ROWS:%.*]] = nn.transpose %u, %{{.*}} -> tensor<2x3xf32>
// CHECK: [[NEW:%.*]] = nn.scatter_nd_update [[FRONT]], %{{.*}}, [[ROWS]] {reduction = "sum"{{.*}}} : (tensor<4x3xf32>, tensor<2x1xi32>, tensor<2x3xf32>) -> tensor<4x3xf32>
// CHECK: nn.transpose [[NEW]], %{{.*}} -> tensor<3x4xf32>
func.func @columns(%x: tensor<3x4xf32>, %u: tensor<3x2xf32>) -> tensor<3x4xf32> {
  %i = "tfl.pseudo_const"() <{value = dense<[2, 0]> : tensor<2xi32>}> : () -> tensor<2xi32>
  %0 = "tfl.stablehlo_scatter"(%x, %i, %u) <{update_window_dims = array<i32: 0>, inserted_window_dims = array<i32: 1>, scatter_dims_to_operand_dims = array<i32: 1>, index_vector_dim = 1 : i32, update_computation_subgraph = @add}> : (tensor<3x4xf32>, tensor<2xi32>, tensor<3x2xf32>) -> tensor<3x4xf32>
  func.return %0 : tensor<3x4xf32>
}
func.func private @add(%a: tensor<f32>, %b: tensor<f32>) -> tensor<f32> {
  %0 = "tfl.add"(%a, %b) <{fused_activation_function = "NONE"}> : (tensor<f32>, tensor<f32>) -> tensor<f32>
  func.return %0 : tensor<f32>
}

// -----

// Indices that a call gives are beyond the end where they are below 0.
// CHECK-LABEL: @computed(
// CHECK: [[BELOW:%.*]] = nn.less [[PLACES:%.*]], %{{.*}}
// CHECK: [[ROWS:%.*]] = nn.select [[BELOW]], %{{.*}}, [[PLACES]]
// CHECK: nn.scatter_nd_update %x, [[ROWS]], %u : 
func.func @computed(%x: tensor<4xf32>, %i: tensor<2xi32>, %u: tensor<2xf32>) -> tensor<4xf32> {
  %0 = "tfl.stablehlo_scatter"(%x, %i, %u) <{inserted_window_dims = array<i32: 0>, scatter_dims_to_operand_dims = array<i32: 0>, index_vector_dim = 1 : i32, update_computation_subgraph = @second}> : (tensor<4xf32>, tensor<2xi32>, tensor<2xf32>) -> tensor<4xf32>
  func.return %0 : tensor<4xf32>
}
func.func private @second(%a: tensor<f32>, %b: tensor<f32>) -> tensor<f32> {
  func.return %b : tensor<f32>
}

// -----

// Only the dimensions along which windows do anything are pooled.
// CHECK-LABEL: @greatest(
// CHECK: [[FLAT:%.*]] = nn.reshape %x, %{{.*}} -> tensor<1x2x3x4xf32>
// CHECK: [[MOST:%.*]] = nn.max_pool [[FLAT]] {{.*}} : tensor<1x2x3x4xf32> -> tensor<1x2x2x2xf32>
// CHECK-NOT: nn.maximum
// CHECK: nn.reshape [[MOST]], %{{.*}} -> tensor<2x2x2xf32>
func.func @greatest(%x: tensor<2x3x4xf32>) -> tensor<2x2x2xf32> {
  %s = "tfl.pseudo_const"() <{value = dense<0xFF800000> : tensor<f32>}> : () -> tensor<f32>
  %0 = "tfl.stablehlo_reduce_window"(%x, %s) <{window_dimensions = array<i32: 1, 2, 2>, window_strides = array<i32: 1, 1, 1>, base_dilations = array<i32: 1, 1, 1>, window_dilations = array<i32: 1, 1, 2>, padding = array<i32: 0, 0, 0, 0, 0, 0>, body_subgraph = @maximum}> : (tensor<2x3x4xf32>, tensor<f32>) -> tensor<2x2x2xf32>
  func.return %0 : tensor<2x2x2xf32>
}
func.func private @maximum(%a: tensor<f32>, %b: tensor<f32>) -> tensor<f32> {
  %0 = "tfl.maximum"(%a, %b) : (tensor<f32>, tensor<f32>) -> tensor<f32>
  func.return %0 : tensor<f32>
}
