// What legalize-tfl-to-nn refuses, and how it says so.
// RUN: opt-tool %s --split-input-file --verify-diagnostics --legalize-tfl-to-nn

func.func @unknown(%n: tensor<2xi32>) -> tensor<2x4xf32> {
  // expected-error@below {{RANDOM_UNIFORM: LiteRT's random numbers come out otherwise on each machine; give them as an input}}
  %0 = "tfl.random_uniform"(%n) : (tensor<2xi32>) -> tensor<2x4xf32>
  func.return %0 : tensor<2x4xf32>
}

// -----

func.func @products_of_complex_numbers(%x: tensor<1x8xf32>, %n: tensor<2xi32>) -> tensor<1x5xf32> {
  %0 = "tfl.rfft2d"(%x, %n) : (tensor<1x8xf32>, tensor<2xi32>) -> tensor<1x5xcomplex<f32>>
  // expected-error@below {{MUL: complex numbers are read of RFFT2D alone}}
  %1 = "tfl.mul"(%0, %0) <{fused_activation_function = "NONE"}> : (tensor<1x5xcomplex<f32>>, tensor<1x5xcomplex<f32>>) -> tensor<1x5xcomplex<f32>>
  %2 = "tfl.real"(%1) : (tensor<1x5xcomplex<f32>>) -> tensor<1x5xf32>
  func.return %2 : tensor<1x5xf32>
}

// -----

func.func @computed(%x: tensor<2x3xf32>, %p: tensor<2xi32>) -> tensor<3x2xf32> {
  // expected-error@below {{TRANSPOSE: its permutation must be constant; convert the model with fixed shapes}}
  %0 = "tfl.transpose"(%x, %p) : (tensor<2x3xf32>, tensor<2xi32>) -> tensor<3x2xf32>
  func.return %0 : tensor<3x2xf32>
}

// -----

func.func @sign_bit(%x: tensor<2xf32>) -> tensor<2xf32> {
  // expected-error@below {{ADD: fused activation SIGN_BIT cannot be read}}
  %0 = "tfl.add"(%x, %x) <{fused_activation_function = "SIGN_BIT"}> : (tensor<2xf32>, tensor<2xf32>) -> tensor<2xf32>
  func.return %0 : tensor<2xf32>
}

// -----

func.func @nowhere_to_run(%c: tensor<i1>) {
  // expected-error@below {{IF: there is no function @nowhere to run}}
  "tfl.if"(%c) <{then_subgraph = @nowhere, else_subgraph = @nowhere}> : (tensor<i1>) -> ()
  func.return
}

// -----

func.func @recursion() {
  // expected-error@below {{CALL_ONCE: subgraph 'again' runs itself; unroll the recursion}}
  "tfl.call_once"() <{init_subgraph = @again}> : () -> ()
  func.return
}
func.func private @again() {
  "tfl.call_once"() <{init_subgraph = @again}> : () -> ()
  func.return
}

// -----

// expected-error@unknown {{function @several has 2 blocks; functions of models have one, and branch by operations such as infra.if}}
func.func @runs() {
  "tfl.call_once"() <{init_subgraph = @several}> : () -> ()
  func.return
}
func.func private @several() {
  func.return
^more:
  func.return
}
