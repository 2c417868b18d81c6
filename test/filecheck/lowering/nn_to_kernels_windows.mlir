// RUN: opt-tool %s --decompose-ops --nn-to-kernels | filecheck %s
// RUN: opt-tool %s --decompose-ops=only=reduce_windows | filecheck %s --check-prefix DECOMPOSED

// It has a kernel of its own, and is decomposed where that is asked for.
// CHECK-LABEL: func.func @greatest(
// CHECK-DAG:     [[BEGINS:%.*]] = kernel.reshape %b : tensor<4x5x2xi32> -> tensor<20x2xi32>
// CHECK-DAG:     [[ENDS:%.*]] = kernel.reshape %e : tensor<4x5x2xi32> -> tensor<20x2xi32>
// CHECK:         [[Y:%.*]] = kernel.reduce_windows "max" ins(%x, [[BEGINS]], [[ENDS]] : tensor<6x8x3xf32>, tensor<20x2xi32>, tensor<20x2xi32>) outs() -> tensor<20x3xf32> {
// CHECK-NEXT:    ^bb0([[MOST:%.*]]: f32):
// CHECK-NEXT:      kernel.yield [[MOST]] : f32
// CHECK:         kernel.reshape [[Y]] : tensor<20x3xf32> -> tensor<4x5x3xf32>
// DECOMPOSED-LABEL: func.func @greatest(
// DECOMPOSED-NOT:   nn.reduce_windows
// DECOMPOSED:       nn.reduce_max
// DECOMPOSED:       nn.reduce_max
func.func @greatest(%x: tensor<6x8x3xf32>, %b: tensor<4x5x2xi32>, %e: tensor<4x5x2xi32>) -> tensor<4x5x3xf32> {
  %y = nn.reduce_windows %x, %b, %e {reduction = "max"} : (tensor<6x8x3xf32>, tensor<4x5x2xi32>, tensor<4x5x2xi32>) -> tensor<4x5x3xf32>
  func.return %y : tensor<4x5x3xf32>
}
