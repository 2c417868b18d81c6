// The endings of both files say their formats, as for every other tool.
// RUN: opt-tool %s --low-latency2 -o %t.onnx && opt-tool %t.onnx --canonicalize | filecheck %s
// RUN: opt-tool %s -o %t.xml && opt-tool %t.xml --low-latency2 -o %t.dot && filecheck %s --check-prefix=PICTURE < %t.dot
// RUN: not opt-tool %t.onnx --reshape X=1x5 -o %t.absent.onnx 2>&1 | filecheck %s --check-prefix=ERROR
// RUN: not ls %t.absent.onnx

// CHECK: func.func @main({{.*}}tensor<1x4xf32> {nn.names = ["X"]}
// CHECK: nn.add
// PICTURE: digraph
// ERROR: formats.mlir.tmp.onnx: error: reshape: {{.*}}[1, 5]

func.func @main(%x: tensor<1x4xf32> {nn.names = ["X"]}, %h0: tensor<1x4xf32> {nn.names = ["H"]}) -> (tensor<1x4xf32> {nn.names = ["Y"]}) {
  %y = infra.tensor_iterator %x, %h0
      inputs [#infra.sliced<axis = 0, start = 0, end = -1, stride = 1, part_size = 1>, #infra.merged<result = 0>]
      outputs [#infra.iteration<result = 0, iteration = -1>]
      body_names ["X_t", "H_t"] {nn.name = "TI"} : (tensor<1x4xf32>, tensor<1x4xf32>) -> tensor<1x4xf32> {
  ^bb0(%xt: tensor<1x4xf32>, %ht: tensor<1x4xf32>):
    %next = nn.add %xt, %ht : (tensor<1x4xf32>, tensor<1x4xf32>) -> tensor<1x4xf32>
    infra.yield %next : tensor<1x4xf32>
  }
  func.return %y : tensor<1x4xf32>
}
