// RUN: not opt-tool %s --split-input-file --nn-to-tfl 2>&1 | filecheck %s
// RUN: not opt-tool %s --split-input-file --nn-to-tfl 2>&1 | filecheck %s --check-prefix REFUSED

// CHECK:      func.func private @"make h"
// CHECK:      [[H:%.*]] = "tfl.var_handle"() <{container = "", shared_name = "h"}>
// CHECK:      "tfl.assign_variable"([[H]]
// CHECK:      func.func @main
// CHECK:      "tfl.call_once"() <{init_subgraph = @"make h"}>
// CHECK-NEXT: [[H:%.*]] = "tfl.var_handle"()
// CHECK:      [[HELD:%.*]] = "tfl.read_variable"([[H]])
// CHECK:      "tfl.select_v2"(%{{.*}}, [[HELD]], %{{.*}})
// CHECK:      "tfl.assign_variable"([[H]]
// CHECK:      "tfl.rnn"
infra.variable @h : tensor<1x2xf32>
func.func @main(%x: tensor<1x2xf32>) -> tensor<1x2xf32> {
  %zero = nn.constant dense<0.5> : tensor<1x2xf32>
  %h = infra.read_value @h, %zero : tensor<1x2xf32> -> tensor<1x2xf32>
  %y = nn.add %x, %h : (tensor<1x2xf32>, tensor<1x2xf32>) -> tensor<1x2xf32>
  infra.assign @h, %y : tensor<1x2xf32>
  func.return %y : tensor<1x2xf32>
}

// -----

// REFUSED: infra.assign: cannot be written for LiteRT: its value has shape
infra.variable @h : tensor<?x2xf32>
func.func @main(%x: tensor<?x2xf32>) -> tensor<?x2xf32> {
  %zero = nn.constant dense<0.5> : tensor<1x2xf32>
  infra.assign @h, %x : tensor<?x2xf32>
  func.return %x : tensor<?x2xf32>
}
