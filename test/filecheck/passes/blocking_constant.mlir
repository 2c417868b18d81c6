// RUN: not opt-tool %s --reshape='inputs="X=1x1x10"' 2>&1 | filecheck %s
// RUN: python -c 'import sys, numpy; numpy.save(sys.argv[1], [1, 1, 10])' %t.npy
// RUN: opt-tool %s --trim='inputs=Reshape_layer' --reshape='inputs="Reshape_layer=1x1x10"' --low-latency2 | filecheck %s --check-prefixes REPAIRED,TRIMMED
// RUN: opt-tool %s --replace-constant='name=target file="'%t.npy'"' --reshape='inputs="X=1x1x10"' --low-latency2 2>/dev/null | filecheck %s --check-prefixes REPAIRED,REPLACED
// RUN: opt-tool %s --relax-constants --reshape='inputs="X=1x1x10"' --low-latency2 2>/dev/null | filecheck %s --check-prefixes REPAIRED,RELAXED
// RUN: opt-tool %s --reshape='inputs="X=1x49x10"' | filecheck %s --check-prefix SAME

// The constant that holds the length of the signal keeps it from being shorter. Each of the three ways out leads to
// a model of one iteration, which low-latency2 inlines. The same length is no trouble.
// CHECK:          blocking_constant.mlir:{{[0-9]+:[0-9]+}}: error: reshape: nn.reshape 'Reshape_layer': 10 elements of shape [1, 1, 10] do not fit into [1, 49, 10]; constant 'target' holds 49 for dimension 1 of nn.reshape 'Reshape_layer': let it follow the inputs (relax-constants), replace it (replace-constant{name="target" file=….npy}) or cut it off (trim{inputs="Reshape_layer"})
// REPAIRED-LABEL: infra.variable @"TI/H_t/variable_1" : tensor<1x10xf32>
// TRIMMED:        func.func @main(%h0: tensor<1x10xf32> {{.*}}, %r: tensor<1x1x10xf32> {nn.names = ["Reshape_layer"]})
// TRIMMED-NOT:    nn.reshape
// REPLACED:       nn.constant {nn.name = "target"} dense<[1, 1, 10]> : tensor<3xi64>
// RELAXED:        nn.constant {nn.name = "target"} dense<[0, 0, 0]> : tensor<3xi64>
// RELAXED:        nn.reshape {{.*}} {nn.name = "Reshape_layer", special_zero = true}
// REPAIRED-NOT:   infra.tensor_iterator
// REPAIRED:       infra.assign @"TI/H_t/variable_1"
// SAME:           infra.tensor_iterator
func.func @main(%x: tensor<1x49x10xf32> {nn.names = ["X"]}, %h0: tensor<1x10xf32> {nn.names = ["H"]}) -> (tensor<1x10xf32> {nn.names = ["Y"]}) {
  %target = nn.constant {nn.name = "target"} dense<[1, 49, 10]> : tensor<3xi64>
  %r = nn.reshape %x, %target {nn.name = "Reshape_layer"} : (tensor<1x49x10xf32>, tensor<3xi64>) -> tensor<1x49x10xf32>
  %y = infra.tensor_iterator %r, %h0
      inputs [#infra.sliced<axis = 1, start = 0, end = -1, stride = 1, part_size = 1>, #infra.merged<result = 0>]
      outputs [#infra.iteration<result = 0, iteration = -1>]
      body_names ["X_t", "H_t"] {nn.name = "TI"} : (tensor<1x49x10xf32>, tensor<1x10xf32>) -> tensor<1x10xf32> {
  ^bb0(%xt: tensor<1x1x10xf32>, %ht: tensor<1x10xf32>):
    %axis = nn.constant dense<1> : tensor<1xi64>
    %x0 = nn.squeeze %xt, %axis : (tensor<1x1x10xf32>, tensor<1xi64>) -> tensor<1x10xf32>
    %next = nn.add %x0, %ht : (tensor<1x10xf32>, tensor<1x10xf32>) -> tensor<1x10xf32>
    infra.yield %next : tensor<1x10xf32>
  }
  func.return %y : tensor<1x10xf32>
}
