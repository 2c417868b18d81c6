// RUN: opt-tool %s --eliminate-dead-results | filecheck %s

// A result that nobody reads goes, and with it what only it needed; the others are counted anew.
// CHECK-LABEL: @unread_result
// CHECK: infra.tensor_iterator
// CHECK-SAME: #infra.merged<result = 0>
// CHECK-SAME: outputs [#infra.iteration<result = 0, iteration = -1>]
// CHECK-NOT: nn.tanh
// CHECK: infra.yield %{{.*}} : tensor<1x4xf32>
func.func @unread_result(%x: tensor<3x4xf32>, %h0: tensor<1x4xf32>) -> tensor<1x4xf32> {
  %y, %h = infra.tensor_iterator %x, %h0
      inputs [#infra.sliced<axis = 0, start = 0, end = -1, stride = 1, part_size = 1>, #infra.merged<result = 1>]
      outputs [#infra.concatenated<result = 0, axis = 0, start = 0, end = -1, stride = 1, part_size = 1>, #infra.iteration<result = 1, iteration = -1>]
      body_names ["X", "H"] : (tensor<3x4xf32>, tensor<1x4xf32>) -> (tensor<3x4xf32>, tensor<1x4xf32>) {
  ^bb0(%a: tensor<1x4xf32>, %b: tensor<1x4xf32>):
    %t = nn.tanh %a : tensor<1x4xf32>
    %n = nn.add %a, %b : (tensor<1x4xf32>, tensor<1x4xf32>) -> tensor<1x4xf32>
    infra.yield %t, %n : tensor<1x4xf32>, tensor<1x4xf32>
  }
  func.return %h : tensor<1x4xf32>
}

// Nearest miss: everything is read.
// CHECK-LABEL: @read_results
// CHECK: outputs [#infra.concatenated<result = 0
// CHECK: nn.tanh
func.func @read_results(%x: tensor<3x4xf32>, %h0: tensor<1x4xf32>) -> (tensor<3x4xf32>, tensor<1x4xf32>) {
  %y, %h = infra.tensor_iterator %x, %h0
      inputs [#infra.sliced<axis = 0, start = 0, end = -1, stride = 1, part_size = 1>, #infra.merged<result = 1>]
      outputs [#infra.concatenated<result = 0, axis = 0, start = 0, end = -1, stride = 1, part_size = 1>, #infra.iteration<result = 1, iteration = -1>]
      body_names ["X", "H"] : (tensor<3x4xf32>, tensor<1x4xf32>) -> (tensor<3x4xf32>, tensor<1x4xf32>) {
  ^bb0(%a: tensor<1x4xf32>, %b: tensor<1x4xf32>):
    %t = nn.tanh %a : tensor<1x4xf32>
    %n = nn.add %a, %b : (tensor<1x4xf32>, tensor<1x4xf32>) -> tensor<1x4xf32>
    infra.yield %t, %n : tensor<1x4xf32>, tensor<1x4xf32>
  }
  func.return %y, %h : tensor<3x4xf32>, tensor<1x4xf32>
}

// A loop whose count is known loses its condition: this one runs once.
// CHECK-LABEL: @known_count
// CHECK: %[[COUNT:.*]] = nn.constant dense<1> : tensor<i64>
// CHECK: infra.loop %[[COUNT]]
// CHECK-NOT: body_condition
func.func @known_count(%h0: tensor<4xf32>) -> tensor<4xf32> {
  %n = nn.constant dense<5> : tensor<i64>
  %true = nn.constant dense<true> : tensor<i1>
  %h = infra.loop %n, %true, %h0 inputs [#infra.merged<result = 0>]
      outputs [#infra.iteration<result = 0, iteration = -1>] body_names ["H"] {body_condition = 1 : i64}
      : (tensor<i64>, tensor<i1>, tensor<4xf32>) -> tensor<4xf32> {
  ^bb0(%b: tensor<4xf32>):
    %t = nn.tanh %b : tensor<4xf32>
    %stop = nn.constant dense<false> : tensor<i1>
    infra.yield %t, %stop : tensor<4xf32>, tensor<i1>
  }
  func.return %h : tensor<4xf32>
}

// Nearest miss: a trip count that is an input.
// CHECK-LABEL: @unknown_count
// CHECK: body_condition = 1
func.func @unknown_count(%h0: tensor<4xf32>, %n: tensor<i64>, %go: tensor<i1>) -> tensor<4xf32> {
  %h = infra.loop %n, %go, %h0 inputs [#infra.merged<result = 0>]
      outputs [#infra.iteration<result = 0, iteration = -1>] body_names ["H"] {body_condition = 1 : i64}
      : (tensor<i64>, tensor<i1>, tensor<4xf32>) -> tensor<4xf32> {
  ^bb0(%b: tensor<4xf32>):
    %t = nn.tanh %b : tensor<4xf32>
    %more = nn.constant dense<true> : tensor<i1>
    infra.yield %t, %more : tensor<4xf32>, tensor<i1>
  }
  func.return %h : tensor<4xf32>
}

// CHECK-LABEL: @branch
// CHECK: infra.if
// CHECK-NOT: nn.tanh
func.func @branch(%c: tensor<i1>, %x: tensor<4xf32>) -> tensor<4xf32> {
  %y, %z = infra.if %c, %x : (tensor<i1>, tensor<4xf32>) -> (tensor<4xf32>, tensor<4xf32>) {
  ^bb0(%a: tensor<4xf32>):
    %t = nn.tanh %a : tensor<4xf32>
    infra.yield %t, %a : tensor<4xf32>, tensor<4xf32>
  } else {
  ^bb0(%a: tensor<4xf32>):
    %r = nn.relu %a : tensor<4xf32>
    infra.yield %a, %r : tensor<4xf32>, tensor<4xf32>
  }
  func.return %z : tensor<4xf32>
}
