// RUN: opt-tool %s --view-op-graph 2>&1 >%t.out | filecheck %s
// RUN: opt-tool %s --view-op-graph=file=view_op_graph.dot >%t.out
// RUN: filecheck %s --input-file view_op_graph.dot
// RUN: not opt-tool %s --view-op-graph=file=view_op_graph.txt 2>&1 | filecheck %s --check-prefix ENDING

// A cluster for each function, state and body. Constants, and what is made of them alone, are left away.
// CHECK:       digraph "" {
// CHECK-NEXT:  graph [
// CHECK-NEXT:  node [
// CHECK-NEXT:  edge [
// CHECK-NEXT:  subgraph cluster_legend {
// CHECK-NEXT:    node [
// CHECK-NEXT:    low [label="8 bits or fewer" class="legend low"
// CHECK-NEXT:    float [label="f32, f64"
// CHECK-NEXT:    state [
// CHECK-NEXT:    port [
// CHECK-NEXT:  }
// CHECK-NEXT:  subgraph cluster_c0 {
// CHECK-NEXT:    graph [label="@main" class=body
// CHECK-NEXT:    n0 [label="Input\nX\nf32[1,?,4]" class=port
// CHECK-NEXT:    n6 [label="MatMul\nfc <\"1\">\nf32 → f32" class=float {{.*}} tooltip="MatMul\nfc <\"1\">\nf32 → f32\nits inputs are not quantized; put a FakeQuantize on them"]
// CHECK-NEXT:    n8 [label="Output\nY\nf32[1,4]" class=port
// CHECK-NEXT:    subgraph cluster_c1 {
// CHECK-NEXT:      graph [label="state h" class=state
// CHECK-NEXT:      n1 [label="ReadValue\nf32[1,4]" class=state
// CHECK-NEXT:      n7 [label="Assign\nf32[1,4]" class=state
// CHECK-NEXT:    }
// CHECK-NEXT:    subgraph cluster_c2 {
// CHECK-NEXT:      graph [label="steps: TensorIterator, ? iterations" class=body
// CHECK-NEXT:      n2 [label="Sliced\npart\nf32[1,1,4]"
// CHECK-NEXT:      n3 [label="Merged\nbefore\nf32[1,4]"
// CHECK-NEXT:      n4 [label="Reshape\nf32 → f32" class=float
// CHECK-NEXT:      n5 [label="Add\nf32 → f32" class=float
// CHECK-NEXT:    }
// CHECK-NEXT:  }
// CHECK-NEXT:  subgraph cluster_c3 {
// CHECK-NEXT:    graph [label="@choice" class=body
// CHECK:         n12 [label="If\nboolean u8 → i32" class=low
// CHECK:         graph [label="If, then" class=body
// CHECK-NEXT:    n11 [label="Convert\nu8 → i32" class=low
// CHECK:         graph [label="If, else" class=body
// CHECK:         graph [label="LSTMSequence of 5 steps" class=body

// What goes to the next iteration or call is dashed.
// CHECK:         n0 -> n2 [label=" f32[1,?,4]" edgetooltip="f32[1,?,4]"]
// CHECK-NEXT:    n1 -> n3 [
// CHECK-NEXT:    n2 -> n4 [
// CHECK-NEXT:    n4 -> n5 [
// CHECK-NEXT:    n3 -> n5 [
// CHECK-NEXT:    n5 -> n3 [label=" f32[1,4]" edgetooltip="f32[1,4]" style=dashed constraint=false]
// CHECK-NEXT:    n5 -> n6 [
// CHECK-NEXT:    n6 -> n7 [
// CHECK-NEXT:    n6 -> n8 [
// CHECK-NEXT:    n10 -> n11 [
// CHECK-NEXT:    n9 -> n12 [label=" boolean[]"
// CHECK-NEXT:    n11 -> n12 [
// CHECK-NEXT:    n12 -> n13 [
// CHECK:         n7 -> n1 [label=" next call" edgetooltip="next call" style=dashed constraint=false]

// ENDING: error: pipeline 'view-op-graph{file=view_op_graph.txt}': view-op-graph: 'view_op_graph.txt' must end in .dot or .svg

builtin.module {
  infra.variable @h : tensor<1x4xf32>
  func.func @main(%x: tensor<1x?x4xf32> {nn.names = ["X"]}) -> (tensor<1x4xf32> {nn.names = ["Y"]}) {
    %zero = nn.constant dense<0.0> : tensor<1x4xf32>
    %one = nn.constant dense<1.0> : tensor<1x4xf32>
    %init = nn.add %zero, %one : (tensor<1x4xf32>, tensor<1x4xf32>) -> tensor<1x4xf32>
    %h = infra.read_value @h, %init : tensor<1x4xf32> -> tensor<1x4xf32>
    %last = infra.tensor_iterator %x, %h
        inputs [#infra.sliced<axis = 1, start = 0, end = -1, stride = 1, part_size = 1>, #infra.merged<result = 0>]
        outputs [#infra.iteration<result = 0, iteration = -1>]
        body_names ["part", "before"] {nn.name = "steps"} : (tensor<1x?x4xf32>, tensor<1x4xf32>) -> tensor<1x4xf32> {
    ^bb0(%part: tensor<1x1x4xf32>, %before: tensor<1x4xf32>):
      %shape = nn.constant dense<[1, 4]> : tensor<2xi64>
      %row = nn.reshape %part, %shape : (tensor<1x1x4xf32>, tensor<2xi64>) -> tensor<1x4xf32>
      %sum = nn.add %row, %before : (tensor<1x4xf32>, tensor<1x4xf32>) -> tensor<1x4xf32>
      infra.yield %sum : tensor<1x4xf32>
    }
    %w = nn.constant dense<1.0> : tensor<4x4xf32>
    %y = nn.mat_mul %last, %w {nn.name = "fc <\"1\">"} : (tensor<1x4xf32>, tensor<4x4xf32>) -> tensor<1x4xf32>
    infra.assign @h, %y : tensor<1x4xf32>
    func.return %y : tensor<1x4xf32>
  }
  func.func @choice(%c: tensor<i1>, %x: tensor<2xui8>) -> tensor<2xi32> {
    %y = infra.if %c, %x : (tensor<i1>, tensor<2xui8>) -> tensor<2xi32> {
    ^bb0(%a: tensor<2xui8>):
      %wide = nn.convert %a to i32 : tensor<2xui8> -> tensor<2xi32>
      infra.yield %wide : tensor<2xi32>
    } else {
    ^bb0(%b: tensor<2xui8>):
      %two = nn.constant dense<2> : tensor<2xi32>
      infra.yield %two : tensor<2xi32>
    }
    func.return %y : tensor<2xi32>
  }
  func.func @sequence(%x: tensor<?x5x3xf32>, %h: tensor<?x1x2xf32>, %n: tensor<?xi32>, %w: tensor<1x8x3xf32>, %r: tensor<1x8x2xf32>, %b: tensor<1x8xf32>) -> tensor<?x1x5x2xf32> {
    %0, %1, %2 = rnn.lstm_sequence %x, %h, %h, %n, %w, %r, %b {hidden_size = 2 : i64} : (tensor<?x5x3xf32>, tensor<?x1x2xf32>, tensor<?x1x2xf32>, tensor<?xi32>, tensor<1x8x3xf32>, tensor<1x8x2xf32>, tensor<1x8xf32>) -> (tensor<?x1x5x2xf32>, tensor<?x1x2xf32>, tensor<?x1x2xf32>)
    func.return %0 : tensor<?x1x5x2xf32>
  }
}
