// RUN: not opt-tool %s --infer-shapes 2>&1 | filecheck %s
// RUN: not opt-tool %s --verify-numerics=steps=few 2>&1 | filecheck %s --check-prefix USAGE
// RUN: not opt-tool %s --low-latency2=use-const-initializer=1 2>&1 | filecheck %s --check-prefix OPTION

// USAGE: --verify-numerics: 'steps=few' is none of inputs=N, steps=N and seed=N
// OPTION: use-const-initializer

// What is carried loses a dimension in the first iteration, so no type fits the second one.
// CHECK: invalid.mlir: error: infra.tensor_iterator 'TI': an iteration is given tensor<1x4xf32> and leaves tensor<4xf32> to the next one; element type and rank must stay
func.func @rank(%x: tensor<3xf32>, %h: tensor<1x4xf32>) -> tensor<?x4xf32> {
  %y = infra.tensor_iterator %x, %h
      inputs [#infra.sliced<axis = 0, start = 0, end = -1, stride = 1, part_size = 1>, #infra.merged<result = 0>]
      outputs [#infra.iteration<result = 0, iteration = -1>]
      body_names ["X", "H"] {nn.name = "TI"} : (tensor<3xf32>, tensor<1x4xf32>) -> tensor<?x4xf32> {
  ^bb0(%xt: tensor<1xf32>, %ht: tensor<?x4xf32>):
    %next = nn.squeeze %ht : (tensor<?x4xf32>) -> tensor<?x4xf32>
    infra.yield %next : tensor<?x4xf32>
  }
  func.return %y : tensor<?x4xf32>
}
