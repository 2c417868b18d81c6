// What legalize-tfl-to-nn refuses, and how it says so.
// RUN: opt-tool %s --legalize-tfl-to-nn --split-input-file --verify-diagnostics | filecheck %s

// CHECK: RFFT2D: LiteRT's complex numbers are not read; read the model of TensorFlow
func.func @unknown(%x: tensor<2x4xf32>, %n: tensor<2xi32>) -> tensor<2x4xf32> {
  %0 = "tfl.rfft2d"(%x, %n) : (tensor<2x4xf32>, tensor<2xi32>) -> tensor<2x4xf32>
  func.return %0 : tensor<2x4xf32>
}

// -----

// CHECK: TRANSPOSE: its permutation must be constant; convert the model with fixed shapes
func.func @computed(%x: tensor<2x3xf32>, %p: tensor<2xi32>) -> tensor<3x2xf32> {
  %0 = "tfl.transpose"(%x, %p) : (tensor<2x3xf32>, tensor<2xi32>) -> tensor<3x2xf32>
  func.return %0 : tensor<3x2xf32>
}

// -----

// CHECK: ADD: fused activation SIGN_BIT cannot be read
func.func @sign_bit(%x: tensor<2xf32>) -> tensor<2xf32> {
  %0 = "tfl.add"(%x, %x) <{fused_activation_function = "SIGN_BIT"}> : (tensor<2xf32>, tensor<2xf32>) -> tensor<2xf32>
  func.return %0 : tensor<2xf32>
}

// -----

// CHECK: IF: there is no function @nowhere to run
func.func @nowhere_to_run(%c: tensor<i1>) {
  "tfl.if"(%c) <{then_subgraph = @nowhere, else_subgraph = @nowhere}> : (tensor<i1>) -> ()
  func.return
}

// -----

// CHECK: CALL_ONCE: subgraph 'again' runs itself; unroll the recursion
func.func @recursion() {
  "tfl.call_once"() <{init_subgraph = @again}> : () -> ()
  func.return
}
func.func private @again() {
  "tfl.call_once"() <{init_subgraph = @again}> : () -> ()
  func.return
}
