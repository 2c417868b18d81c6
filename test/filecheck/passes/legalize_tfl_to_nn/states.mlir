// What is kept between calls is a state, which begins with zeros, or with what `tfl.call_once` assigns.
// RUN: opt-tool %s --legalize-tfl-to-nn --dce | filecheck %s

// CHECK: infra.variable @begun : tensor<2xf32>
// CHECK: infra.variable @total : tensor<2xf32>

// CHECK-LABEL: @zeros(
// CHECK-NEXT: %0 = nn.constant dense<0.0> : tensor<2xf32>
// CHECK-NEXT: %1 = infra.read_value @total, %0 : tensor<2xf32> -> tensor<2xf32>
// CHECK-NEXT: %2 = nn.add %1, %x : (tensor<2xf32>, tensor<2xf32>) -> tensor<2xf32>
// CHECK-NEXT: infra.assign @total, %2 : tensor<2xf32>
// CHECK-NEXT: func.return %2 : tensor<2xf32>
// CHECK-NEXT: }
func.func @zeros(%x: tensor<2xf32>) -> tensor<2xf32> {
  %h = "tfl.var_handle"() <{shared_name = "total"}> : () -> tensor<!tfl.resource>
  %0 = "tfl.read_variable"(%h) : (tensor<!tfl.resource>) -> tensor<2xf32>
  %1 = "tfl.add"(%0, %x) <{fused_activation_function = "NONE"}> : (tensor<2xf32>, tensor<2xf32>) -> tensor<2xf32>
  "tfl.assign_variable"(%h, %1) : (tensor<!tfl.resource>, tensor<2xf32>) -> ()
  func.return %1 : tensor<2xf32>
}

// The function that runs once is no longer there.
// CHECK-LABEL: @initialized(
// CHECK-NEXT: %0 = nn.constant dense<[1.0, 2.0]> : tensor<2xf32>
// CHECK-NEXT: %1 = infra.read_value @begun, %0 : tensor<2xf32> -> tensor<2xf32>
// CHECK-NEXT: %2 = nn.negative %1 : tensor<2xf32>
// CHECK-NEXT: infra.assign @begun, %2 : tensor<2xf32>
// CHECK-NEXT: func.return %1 : tensor<2xf32>
// CHECK-NEXT: }
func.func @initialized() -> tensor<2xf32> {
  "tfl.call_once"() <{init_subgraph = @once}> : () -> ()
  %h = "tfl.var_handle"() <{shared_name = "begun"}> : () -> tensor<!tfl.resource>
  %0 = "tfl.read_variable"(%h) : (tensor<!tfl.resource>) -> tensor<2xf32>
  %1 = "tfl.neg"(%0) : (tensor<2xf32>) -> tensor<2xf32>
  "tfl.assign_variable"(%h, %1) : (tensor<!tfl.resource>, tensor<2xf32>) -> ()
  func.return %0 : tensor<2xf32>
}
func.func private @once() {
  %h = "tfl.var_handle"() <{shared_name = "begun"}> : () -> tensor<!tfl.resource>
  %0 = "tfl.pseudo_const"() <{value = dense<[1.0, 2.0]> : tensor<2xf32>}> : () -> tensor<2xf32>
  "tfl.assign_variable"(%h, %0) : (tensor<!tfl.resource>, tensor<2xf32>) -> ()
  func.return
}
