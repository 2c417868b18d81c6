// RUN: not opt-tool %s --split-input-file --nn-to-tfl 2>&1 | filecheck %s
// RUN: not opt-tool %s --split-input-file --nn-to-tfl 2>&1 | filecheck %s --check-prefix REFUSED

// CHECK:      func.func private @body
// CHECK:      "tfl.gather"
// CHECK:      "tfl.dynamic_update_slice"
// CHECK:      func.func private @condition
// CHECK:      "tfl.less"
// CHECK:      func.func @main
// CHECK:      "tfl.while"({{.*}}%x, %h, {{.*}}) <{cond_subgraph = @condition, body_subgraph = @body}>
func.func @main(%x: tensor<4x2xf32>, %h: tensor<1x2xf32>) -> tensor<4x2xf32> {
  %y = infra.tensor_iterator %x, %h inputs [#infra.sliced<axis = 0, start = 0, end = -1, stride = 1, part_size = 1>, #infra.merged<result = 0>] outputs [#infra.concatenated<result = 0, axis = 0, start = 0, end = -1, stride = 1, part_size = 1>] body_names ["a", "b"] : (tensor<4x2xf32>, tensor<1x2xf32>) -> (tensor<4x2xf32>) {
  ^bb0(%a: tensor<1x2xf32>, %b: tensor<1x2xf32>):
    %c = nn.add %a, %b : (tensor<1x2xf32>, tensor<1x2xf32>) -> tensor<1x2xf32>
    infra.yield %c : tensor<1x2xf32>
  }
  func.return %y : tensor<4x2xf32>
}

// -----

// A file may call several functions the same.
// CHECK:      func.func private @body(
// CHECK:      func.func private @condition(
// CHECK:      func.func private @body_1({{.*}} attributes {tfl.name = "body"}
// CHECK:      func.func private @condition_1({{.*}} attributes {tfl.name = "condition"}
// CHECK:      "tfl.while"({{.*}}) <{cond_subgraph = @condition, body_subgraph = @body}>
// CHECK:      "tfl.while"({{.*}}) <{cond_subgraph = @condition_1, body_subgraph = @body_1}>
func.func @main(%x: tensor<1x2xf32>) -> tensor<1x2xf32> {
  %y = infra.tensor_iterator %x, %x inputs [#infra.sliced<axis = 1, start = 0, end = -1, stride = 1, part_size = 1>, #infra.merged<result = 0>] outputs [#infra.iteration<result = 0, iteration = -1>] body_names ["a", "b"] : (tensor<1x2xf32>, tensor<1x2xf32>) -> (tensor<1x2xf32>) {
  ^bb0(%a: tensor<1x1xf32>, %b: tensor<1x2xf32>):
    %c = nn.add %a, %b : (tensor<1x1xf32>, tensor<1x2xf32>) -> tensor<1x2xf32>
    infra.yield %c : tensor<1x2xf32>
  }
  %z = infra.tensor_iterator %y, %y inputs [#infra.sliced<axis = 1, start = 0, end = -1, stride = 1, part_size = 1>, #infra.merged<result = 0>] outputs [#infra.iteration<result = 0, iteration = -1>] body_names ["a", "b"] : (tensor<1x2xf32>, tensor<1x2xf32>) -> (tensor<1x2xf32>) {
  ^bb0(%a: tensor<1x1xf32>, %b: tensor<1x2xf32>):
    %c = nn.multiply %a, %b : (tensor<1x1xf32>, tensor<1x2xf32>) -> tensor<1x2xf32>
    infra.yield %c : tensor<1x2xf32>
  }
  func.return %z : tensor<1x2xf32>
}

// -----

// What is put together follows the batch, of which the sum in the body has two: one may be 1.
// CHECK:      func.func @main
// CHECK:      [[NONE:%.*]] = "tfl.pseudo_const"() <{value = #nn.blob<dense<0.0> : tensor<1x4x2xf32>>}>
// CHECK:      [[H:%.*]] = "tfl.select_v2"({{.*}}, [[NONE]], [[NONE]]) {{.*}} -> tensor<?x4x2xf32>
// CHECK:      [[X:%.*]] = "tfl.select_v2"({{.*}}, [[H]], [[H]]) {{.*}} -> tensor<?x4x2xf32>
// CHECK:      "tfl.while"({{.*}}%x, %h, [[X]])
func.func @main(%x: tensor<?x4x2xf32>, %h: tensor<?x2xf32>) -> tensor<?x4x2xf32> {
  %y = infra.tensor_iterator %x, %h inputs [#infra.sliced<axis = 1, start = 0, end = -1, stride = 1, part_size = 1>, #infra.merged<result = 1>] outputs [#infra.concatenated<result = 0, axis = 1, start = 0, end = -1, stride = 1, part_size = 1>] body_names ["a", "b"] : (tensor<?x4x2xf32>, tensor<?x2xf32>) -> (tensor<?x4x2xf32>) {
  ^bb0(%a: tensor<?x1x2xf32>, %b: tensor<?x2xf32>):
    %axis = nn.constant dense<1> : tensor<1xi64>
    %s = nn.squeeze %a, %axis : (tensor<?x1x2xf32>, tensor<1xi64>) -> tensor<?x2xf32>
    %c = nn.add %s, %b : (tensor<?x2xf32>, tensor<?x2xf32>) -> tensor<?x2xf32>
    %d = nn.unsqueeze %c, %axis : (tensor<?x2xf32>, tensor<1xi64>) -> tensor<?x1x2xf32>
    infra.yield %d, %c : tensor<?x1x2xf32>, tensor<?x2xf32>
  }
  func.return %y : tensor<?x4x2xf32>
}

// -----

// Twice the batch is the size of no operand.
// REFUSED: infra.tensor_iterator: cannot be written for LiteRT: a result has unknown sizes; give the inputs shapes, for example model.reshape({0: [1, 4, 2]})
func.func @main(%x: tensor<?x4x2xf32>) -> tensor<?x4x2xf32> {
  %y = infra.tensor_iterator %x inputs [#infra.sliced<axis = 1, start = 0, end = -1, stride = 1, part_size = 1>] outputs [#infra.concatenated<result = 0, axis = 1, start = 0, end = -1, stride = 1, part_size = 1>] body_names ["a"] : (tensor<?x4x2xf32>) -> (tensor<?x4x2xf32>) {
  ^bb0(%a: tensor<?x1x2xf32>):
    %d = nn.concat %a, %a {axis = 0 : i64} : (tensor<?x1x2xf32>, tensor<?x1x2xf32>) -> tensor<?x1x2xf32>
    infra.yield %d : tensor<?x1x2xf32>
  }
  func.return %y : tensor<?x4x2xf32>
}

// -----

// REFUSED: infra.tensor_iterator: cannot be written for LiteRT: how often it runs is unknown; give the inputs shapes, for example model.reshape({0: [1, 2]})
func.func @main(%x: tensor<?x2xf32>, %h: tensor<1x2xf32>) -> tensor<?x2xf32> {
  %y = infra.tensor_iterator %x, %h inputs [#infra.sliced<axis = 0, start = 0, end = -1, stride = 2, part_size = 2>, #infra.invariant] outputs [#infra.concatenated<result = 0, axis = 0, start = 0, end = -1, stride = 2, part_size = 2>] body_names ["a", "b"] : (tensor<?x2xf32>, tensor<1x2xf32>) -> (tensor<?x2xf32>) {
  ^bb0(%a: tensor<2x2xf32>, %b: tensor<1x2xf32>):
    %c = nn.add %a, %b : (tensor<2x2xf32>, tensor<1x2xf32>) -> tensor<2x2xf32>
    infra.yield %c : tensor<2x2xf32>
  }
  func.return %y : tensor<?x2xf32>
}
