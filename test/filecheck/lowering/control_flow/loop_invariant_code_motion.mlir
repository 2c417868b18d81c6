// RUN: opt-tool %s --nn-to-kernels --loop-invariant-code-motion | filecheck %s

// Weights that the caller gives are transposed once, also where iterations pass them on; the product stays.
// CHECK-LABEL: func.func @weights
// CHECK: [[T:%.*]] = kernel.map [2, 2] ins(%w : tensor<2x2xf32>)
// CHECK: infra.tensor_iterator %x, %w, %h0, [[T]]
// CHECK-SAME: #infra.invariant] outputs
// CHECK-SAME: body_names ["X", "W", "H", "invariant3"]
// CHECK-NEXT: ^{{.*}}(%a: tensor<1x2xf32>, %m: tensor<2x2xf32>, %b: tensor<1x2xf32>, [[M:%.*]]: tensor<2x2xf32>):
// CHECK-NEXT: kernel.mat_mul [1, 2] groups 1 a(%b : tensor<1x2xf32>) b([[M]] : tensor<2x2xf32>)
func.func @weights(%x: tensor<3x2xf32>, %w: tensor<2x2xf32>, %h0: tensor<1x2xf32>) -> tensor<1x2xf32> {
  %h = infra.tensor_iterator %x, %w, %h0
      inputs [#infra.sliced<axis = 0, start = 0, end = -1, stride = 1, part_size = 1>, #infra.merged<result = 1>, #infra.merged<result = 0>]
      outputs [#infra.iteration<result = 0, iteration = -1>]
      body_names ["X", "W", "H"] : (tensor<3x2xf32>, tensor<2x2xf32>, tensor<1x2xf32>) -> tensor<1x2xf32> {
  ^bb0(%a: tensor<1x2xf32>, %m: tensor<2x2xf32>, %b: tensor<1x2xf32>):
    %p = nn.mat_mul %b, %m : (tensor<1x2xf32>, tensor<2x2xf32>) -> tensor<1x2xf32>
    %n = nn.add %a, %p : (tensor<1x2xf32>, tensor<1x2xf32>) -> tensor<1x2xf32>
    infra.yield %n, %m : tensor<1x2xf32>, tensor<2x2xf32>
  }
  func.return %h : tensor<1x2xf32>
}

// Out of two loops, with a constant; what would be larger in memory than what it reads stays inside.
// CHECK-LABEL: func.func @nested
// CHECK: [[TWO:%.*]] = nn.constant dense<[2.0, 3.0]>
// CHECK: [[G:%.*]] = kernel.map [2] ins(%w, [[TWO]] : tensor<2xf32>, tensor<2xf32>)
// CHECK: infra.tensor_iterator %x, %w, [[G]]
// CHECK: infra.tensor_iterator
// CHECK-NOT: arith.mulf
// CHECK: kernel.map [4, 2]
func.func @nested(%x: tensor<3x4x2xf32>, %w: tensor<2xf32>) -> tensor<3x4x2xf32> {
  %y = infra.tensor_iterator %x, %w
      inputs [#infra.sliced<axis = 0, start = 0, end = -1, stride = 1, part_size = 1>, #infra.invariant]
      outputs [#infra.concatenated<result = 0, axis = 0, start = 0, end = -1, stride = 1, part_size = 1>]
      body_names ["X", "W"] : (tensor<3x4x2xf32>, tensor<2xf32>) -> tensor<3x4x2xf32> {
  ^bb0(%a: tensor<1x4x2xf32>, %v: tensor<2xf32>):
    %z = infra.tensor_iterator %a, %v
        inputs [#infra.sliced<axis = 0, start = 0, end = -1, stride = 1, part_size = 1>, #infra.invariant]
        outputs [#infra.concatenated<result = 0, axis = 0, start = 0, end = -1, stride = 1, part_size = 1>]
        body_names ["X", "W"] : (tensor<1x4x2xf32>, tensor<2xf32>) -> tensor<1x4x2xf32> {
    ^bb1(%b: tensor<1x4x2xf32>, %u: tensor<2xf32>):
      %two = nn.constant dense<[2.0, 3.0]> : tensor<2xf32>
      %g = nn.multiply %u, %two : (tensor<2xf32>, tensor<2xf32>) -> tensor<2xf32>
      %shape = nn.constant dense<[4, 2]> : tensor<2xi64>
      %wide = nn.broadcast %g, %shape : (tensor<2xf32>, tensor<2xi64>) -> tensor<4x2xf32>
      %n = nn.add %b, %wide : (tensor<1x4x2xf32>, tensor<4x2xf32>) -> tensor<1x4x2xf32>
      infra.yield %n : tensor<1x4x2xf32>
    }
    infra.yield %z : tensor<1x4x2xf32>
  }
  func.return %y : tensor<3x4x2xf32>
}
