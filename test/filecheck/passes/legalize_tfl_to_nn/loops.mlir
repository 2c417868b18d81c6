// Functions that operations run become their bodies.
// RUN: opt-tool %s --legalize-tfl-to-nn --dce | filecheck %s

// `if(c, x) = then(x)` or `else(x)`
// CHECK-LABEL: @if(
// CHECK-NEXT: %0 = infra.if %c, %x : (tensor<i1>, tensor<2xf32>) -> tensor<2xf32> {
// CHECK-NEXT: ^bb0(%1: tensor<2xf32>):
// CHECK-NEXT: %2 = nn.exp %1 : tensor<2xf32>
// CHECK-NEXT: infra.yield %2 : tensor<2xf32>
// CHECK-NEXT: } else {
// CHECK-NEXT: ^bb0(%3: tensor<2xf32>):
// CHECK-NEXT: infra.yield %3 : tensor<2xf32>
// CHECK-NEXT: }
// CHECK-NEXT: func.return %0 : tensor<2xf32>
// CHECK-NEXT: }
func.func @if(%c: tensor<i1>, %x: tensor<2xf32>) -> tensor<2xf32> {
  %0 = "tfl.if"(%c, %x) <{then_subgraph = @exp, else_subgraph = @same}> : (tensor<i1>, tensor<2xf32>) -> tensor<2xf32>
  func.return %0 : tensor<2xf32>
}
func.func private @exp(%x: tensor<2xf32>) -> tensor<2xf32> {
  %0 = "tfl.exp"(%x) : (tensor<2xf32>) -> tensor<2xf32>
  func.return %0 : tensor<2xf32>
}
func.func private @same(%x: tensor<2xf32>) -> tensor<2xf32> {
  func.return %x : tensor<2xf32>
}

// A counter with a limit is a trip count.
// CHECK-LABEL: @while(
// CHECK-NEXT: %0 = nn.constant dense<true> : tensor<i1>
// CHECK-NEXT: %1 = nn.constant dense<3> : tensor<i64>
// CHECK-NEXT: %2 = infra.loop %1, %0, %x inputs [#infra.merged<result = 0>] outputs [#infra.iteration<result = 0, iteration = -1>] body_names ["input1"] : (tensor<i64>, tensor<i1>, tensor<2xf32>) -> tensor<2xf32> {
// CHECK-NEXT: ^bb0(%3: tensor<2xf32>):
// CHECK-NEXT: %4 = nn.tanh %3 : tensor<2xf32>
// CHECK-NEXT: infra.yield %4 : tensor<2xf32>
// CHECK-NEXT: }
// CHECK-NEXT: func.return %2 : tensor<2xf32>
// CHECK-NEXT: }
func.func @while(%x: tensor<2xf32>) -> tensor<2xf32> {
  %z = "tfl.pseudo_const"() <{value = dense<0> : tensor<i32>}> : () -> tensor<i32>
  %0, %1 = "tfl.while"(%z, %x) <{cond_subgraph = @less, body_subgraph = @step}> : (tensor<i32>, tensor<2xf32>) -> (tensor<i32>, tensor<2xf32>)
  func.return %1 : tensor<2xf32>
}
func.func private @less(%i: tensor<i32>, %x: tensor<2xf32>) -> tensor<i1> {
  %n = "tfl.pseudo_const"() <{value = dense<3> : tensor<i32>}> : () -> tensor<i32>
  %0 = "tfl.less"(%i, %n) : (tensor<i32>, tensor<i32>) -> tensor<i1>
  func.return %0 : tensor<i1>
}
func.func private @step(%i: tensor<i32>, %x: tensor<2xf32>) -> (tensor<i32>, tensor<2xf32>) {
  %n = "tfl.pseudo_const"() <{value = dense<1> : tensor<i32>}> : () -> tensor<i32>
  %0 = "tfl.add"(%i, %n) <{fused_activation_function = "NONE"}> : (tensor<i32>, tensor<i32>) -> tensor<i32>
  %1 = "tfl.tanh"(%x) : (tensor<2xf32>) -> tensor<2xf32>
  func.return %0, %1 : tensor<i32>, tensor<2xf32>
}
