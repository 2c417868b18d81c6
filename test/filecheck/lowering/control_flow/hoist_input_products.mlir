// RUN: opt-tool %s --split-input-file --hoist-input-products | filecheck %s

// A part of each step, of [batch, steps, size], times constant weights: one product of all steps, whose parts are taken.
// CHECK-LABEL: @backward
// CHECK: [[W:%.*]] = nn.constant dense<[[1.0, 2.0], [3.0, 4.0], [5.0, 6.0]]> : tensor<3x2xf32>
// CHECK-NEXT: [[Y:%.*]] = nn.mat_mul %x, [[W]] {nn.name = "cell/X", transpose_b = true} : (tensor<1x4x2xf32>, tensor<3x2xf32>) -> tensor<1x4x3xf32>
// CHECK-NEXT: infra.tensor_iterator %x, %h0, [[Y]]
// CHECK-SAME: #infra.sliced<axis = 1, start = -1, end = 0, stride = -1, part_size = 1>] outputs
// CHECK-SAME: body_names ["X", "H", "product2"]
// CHECK-NEXT: ^{{.*}}(%a: tensor<1x1x2xf32>, %h: tensor<1x3xf32>, [[P:%.*]]: tensor<1x1x3xf32>):
// CHECK: [[S:%.*]] = nn.squeeze [[P]], {{.*}} -> tensor<1x3xf32>
// CHECK-NEXT: nn.add [[S]], %h
func.func @backward(%x: tensor<1x4x2xf32>, %h0: tensor<1x3xf32>) -> tensor<1x3xf32> {
  %y = infra.tensor_iterator %x, %h0
      inputs [#infra.sliced<axis = 1, start = -1, end = 0, stride = -1, part_size = 1>, #infra.merged<result = 0>]
      outputs [#infra.iteration<result = 0, iteration = -1>]
      body_names ["X", "H"] : (tensor<1x4x2xf32>, tensor<1x3xf32>) -> tensor<1x3xf32> {
  ^bb0(%a: tensor<1x1x2xf32>, %h: tensor<1x3xf32>):
    %w = nn.constant dense<[[1.0, 2.0], [3.0, 4.0], [5.0, 6.0]]> : tensor<3x2xf32>
    %axis = nn.constant dense<[1]> : tensor<1xi64>
    %s = nn.squeeze %a, %axis : (tensor<1x1x2xf32>, tensor<1xi64>) -> tensor<1x2xf32>
    %p = nn.mat_mul %s, %w {nn.name = "cell/X", transpose_b = true} : (tensor<1x2xf32>, tensor<3x2xf32>) -> tensor<1x3xf32>
    %n = nn.add %p, %h : (tensor<1x3xf32>, tensor<1x3xf32>) -> tensor<1x3xf32>
    infra.yield %n : tensor<1x3xf32>
  }
  func.return %y : tensor<1x3xf32>
}

// -----

// Steps of a matrix, codes: the part is the product's row.
// CHECK-LABEL: @rows
// CHECK: [[Y:%.*]] = nn.mat_mul %x, %{{.*}} : (tensor<4x2xi8>, tensor<2x3xi8>) -> tensor<4x3xi32>
// CHECK-NEXT: infra.tensor_iterator %x, [[Y]]
// CHECK-NEXT: ^{{.*}}(%a: tensor<1x2xi8>, [[P:%.*]]: tensor<1x3xi32>):
// CHECK-NEXT: infra.yield [[P]]
func.func @rows(%x: tensor<4x2xi8>) -> tensor<4x3xi32> {
  %y = infra.tensor_iterator %x
      inputs [#infra.sliced<axis = 0, start = 0, end = -1, stride = 1, part_size = 1>]
      outputs [#infra.concatenated<result = 0, axis = 0, start = 0, end = -1, stride = 1, part_size = 1>]
      body_names ["X"] : (tensor<4x2xi8>) -> tensor<4x3xi32> {
  ^bb0(%a: tensor<1x2xi8>):
    %w = nn.constant dense<1> : tensor<2x3xi8>
    %p = nn.mat_mul %a, %w : (tensor<1x2xi8>, tensor<2x3xi8>) -> tensor<1x3xi32>
    infra.yield %p : tensor<1x3xi32>
  }
  func.return %y : tensor<4x3xi32>
}

// -----

// Three steps are too few.
// CHECK-LABEL: @few
// CHECK: infra.tensor_iterator %x inputs
// CHECK: nn.mat_mul
func.func @few(%x: tensor<3x2xf32>) -> tensor<3x3xf32> {
  %y = infra.tensor_iterator %x
      inputs [#infra.sliced<axis = 0, start = 0, end = -1, stride = 1, part_size = 1>]
      outputs [#infra.concatenated<result = 0, axis = 0, start = 0, end = -1, stride = 1, part_size = 1>]
      body_names ["X"] : (tensor<3x2xf32>) -> tensor<3x3xf32> {
  ^bb0(%a: tensor<1x2xf32>):
    %w = nn.constant dense<1.0> : tensor<2x3xf32>
    %p = nn.mat_mul %a, %w : (tensor<1x2xf32>, tensor<2x3xf32>) -> tensor<1x3xf32>
    infra.yield %p : tensor<1x3xf32>
  }
  func.return %y : tensor<3x3xf32>
}

// -----

// Steps of nine rows read weights seldom enough.
// CHECK-LABEL: @many_rows
// CHECK: infra.tensor_iterator %x inputs
// CHECK: nn.mat_mul
func.func @many_rows(%x: tensor<4x9x2xf32>) -> tensor<4x9x3xf32> {
  %y = infra.tensor_iterator %x
      inputs [#infra.sliced<axis = 0, start = 0, end = -1, stride = 1, part_size = 1>]
      outputs [#infra.concatenated<result = 0, axis = 0, start = 0, end = -1, stride = 1, part_size = 1>]
      body_names ["X"] : (tensor<4x9x2xf32>) -> tensor<4x9x3xf32> {
  ^bb0(%a: tensor<1x9x2xf32>):
    %w = nn.constant dense<1.0> : tensor<2x3xf32>
    %p = nn.mat_mul %a, %w : (tensor<1x9x2xf32>, tensor<2x3xf32>) -> tensor<1x9x3xf32>
    infra.yield %p : tensor<1x9x3xf32>
  }
  func.return %y : tensor<4x9x3xf32>
}

// -----

// Along the axis that is summed over, steps have one element each, and nothing is the product of all.
// CHECK-LABEL: @summed_axis
// CHECK: infra.tensor_iterator %x inputs
// CHECK: nn.mat_mul
func.func @summed_axis(%x: tensor<2x4xf32>) -> tensor<2x12xf32> {
  %y = infra.tensor_iterator %x
      inputs [#infra.sliced<axis = 1, start = 0, end = -1, stride = 1, part_size = 1>]
      outputs [#infra.concatenated<result = 0, axis = 1, start = 0, end = -1, stride = 3, part_size = 3>]
      body_names ["X"] : (tensor<2x4xf32>) -> tensor<2x12xf32> {
  ^bb0(%a: tensor<2x1xf32>):
    %w = nn.constant dense<1.0> : tensor<1x3xf32>
    %p = nn.mat_mul %a, %w : (tensor<2x1xf32>, tensor<1x3xf32>) -> tensor<2x3xf32>
    infra.yield %p : tensor<2x3xf32>
  }
  func.return %y : tensor<2x12xf32>
}

// -----

// Four of a thousand rows are taken: a product of all would be a waste.
// CHECK-LABEL: @some_rows
// CHECK: infra.tensor_iterator %x inputs
// CHECK: nn.mat_mul
func.func @some_rows(%x: tensor<1000x2xf32>) -> tensor<4x3xf32> {
  %y = infra.tensor_iterator %x
      inputs [#infra.sliced<axis = 0, start = 0, end = 4, stride = 1, part_size = 1>]
      outputs [#infra.concatenated<result = 0, axis = 0, start = 0, end = -1, stride = 1, part_size = 1>]
      body_names ["X"] : (tensor<1000x2xf32>) -> tensor<4x3xf32> {
  ^bb0(%a: tensor<1x2xf32>):
    %w = nn.constant dense<1.0> : tensor<2x3xf32>
    %p = nn.mat_mul %a, %w : (tensor<1x2xf32>, tensor<2x3xf32>) -> tensor<1x3xf32>
    infra.yield %p : tensor<1x3xf32>
  }
  func.return %y : tensor<4x3xf32>
}

// -----

// The product is of the transposed part.
// CHECK-LABEL: @transposed
// CHECK: infra.tensor_iterator %x inputs
// CHECK: nn.mat_mul
func.func @transposed(%x: tensor<4x2x2xf32>) -> tensor<4x2x3xf32> {
  %y = infra.tensor_iterator %x
      inputs [#infra.sliced<axis = 0, start = 0, end = -1, stride = 1, part_size = 1>]
      outputs [#infra.concatenated<result = 0, axis = 0, start = 0, end = -1, stride = 1, part_size = 1>]
      body_names ["X"] : (tensor<4x2x2xf32>) -> tensor<4x2x3xf32> {
  ^bb0(%a: tensor<1x2x2xf32>):
    %w = nn.constant dense<1.0> : tensor<2x3xf32>
    %p = nn.mat_mul %a, %w {transpose_a = true} : (tensor<1x2x2xf32>, tensor<2x3xf32>) -> tensor<1x2x3xf32>
    infra.yield %p : tensor<1x2x3xf32>
  }
  func.return %y : tensor<4x2x3xf32>
}

// -----

// A reshape puts the part's elements into other rows.
// CHECK-LABEL: @other_rows
// CHECK: infra.tensor_iterator %x inputs
// CHECK: nn.mat_mul
func.func @other_rows(%x: tensor<4x3x2xf32>) -> tensor<4x2x3xf32> {
  %y = infra.tensor_iterator %x
      inputs [#infra.sliced<axis = 0, start = 0, end = -1, stride = 1, part_size = 1>]
      outputs [#infra.concatenated<result = 0, axis = 0, start = 0, end = -1, stride = 1, part_size = 1>]
      body_names ["X"] : (tensor<4x3x2xf32>) -> tensor<4x2x3xf32> {
  ^bb0(%a: tensor<1x3x2xf32>):
    %shape = nn.constant dense<[1, 2, 3]> : tensor<3xi64>
    %b = nn.reshape %a, %shape : (tensor<1x3x2xf32>, tensor<3xi64>) -> tensor<1x2x3xf32>
    %w = nn.constant dense<1.0> : tensor<3x3xf32>
    %p = nn.mat_mul %b, %w : (tensor<1x2x3xf32>, tensor<3x3xf32>) -> tensor<1x2x3xf32>
    infra.yield %p : tensor<1x2x3xf32>
  }
  func.return %y : tensor<4x2x3xf32>
}
