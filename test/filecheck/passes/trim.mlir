// RUN: opt-tool %s --split-input-file --trim='inputs=Reshape_1' | filecheck %s
// RUN: opt-tool %s --split-input-file --trim='outputs=Reshape_1' | filecheck %s --check-prefix HEAD
// RUN: opt-tool %s --split-input-file --trim='inputs="X,Reshape_1" outputs=Y' | filecheck %s --check-prefix KEEP

// What lies before the operation goes, its constant too; its result is an input. Other inputs come first.
// CHECK-LABEL: func.func @main(%h: tensor<1x4xf32> {nn.names = ["H"]}, %r: tensor<2x4xf32> {nn.names = ["Reshape_1"]})
// CHECK-SAME:      -> (tensor<2x4xf32> {nn.names = ["Y"]}, tensor<1x4xf32> {nn.names = ["Z"]})
// CHECK-NEXT:    [[Y:%.*]] = nn.add %r, %h
// CHECK-NEXT:    [[Z:%.*]] = nn.tanh %h
// CHECK-NEXT:    func.return [[Y]], [[Z]]
// What no output needs goes: operations and inputs.
// HEAD-LABEL:  func.func @main(%x: tensor<1x2x4xf32> {nn.names = ["X"]})
// HEAD-SAME:       -> (tensor<2x4xf32> {nn.names = ["Reshape_1"]})
// HEAD-NEXT:     %shape = nn.constant
// HEAD-NEXT:     [[R:%.*]] = nn.reshape %x, %shape
// HEAD-NEXT:     func.return [[R]] : tensor<2x4xf32>
// An input that is named stays though nothing reads it; of several outputs the named one stays.
// KEEP-LABEL:  func.func @main(%x: tensor<1x2x4xf32> {nn.names = ["X"]}, %h: tensor<1x4xf32> {nn.names = ["H"]},
// KEEP-SAME:       %r: tensor<2x4xf32> {nn.names = ["Reshape_1"]}) -> (tensor<2x4xf32> {nn.names = ["Y"]})
// KEEP-NEXT:     nn.add %r, %h
// KEEP-NEXT:     func.return
func.func @main(%x: tensor<1x2x4xf32> {nn.names = ["X"]}, %h: tensor<1x4xf32> {nn.names = ["H"]})
    -> (tensor<2x4xf32> {nn.names = ["Y"]}, tensor<1x4xf32> {nn.names = ["Z"]}) {
  %shape = nn.constant dense<[2, 4]> : tensor<2xi64>
  %r = nn.reshape %x, %shape {nn.name = "Reshape_1"} : (tensor<1x2x4xf32>, tensor<2xi64>) -> tensor<2x4xf32>
  %y = nn.add %r, %h : (tensor<2x4xf32>, tensor<1x4xf32>) -> tensor<2x4xf32>
  %z = nn.tanh %h : tensor<1x4xf32>
  func.return %y, %z : tensor<2x4xf32>, tensor<1x4xf32>
}

// -----

// A state that an output depends on stays, with all that assigns it; one that none depends on goes, and what
// only it needed.
// CHECK-NOT:   infra.variable @dead
// CHECK:       infra.variable @live
// CHECK-NOT:   infra.variable @dead
// CHECK-LABEL: func.func @main(%u: tensor<4xf32> {nn.names = ["U"]}, %r: tensor<4xf32> {nn.names = ["Reshape_1"]})
// CHECK:         infra.read_value @live
// CHECK-NOT:     @dead
// CHECK:         infra.assign @live, %u
// CHECK-NOT:     @dead
// HEAD:        builtin.module {
// HEAD-NEXT:     func.func @main(%x: tensor<4xf32> {nn.names = ["X"]})
infra.variable @live : tensor<4xf32>
infra.variable @dead : tensor<4xf32>
func.func @main(%x: tensor<4xf32> {nn.names = ["X"]}, %u: tensor<4xf32> {nn.names = ["U"]}, %v: tensor<4xf32> {nn.names = ["V"]})
    -> (tensor<4xf32> {nn.names = ["Y"]}) {
  %r = nn.relu %x {nn.name = "Reshape_1"} : tensor<4xf32>
  %d = infra.read_value @dead, %v : tensor<4xf32> -> tensor<4xf32>
  infra.assign @dead, %d : tensor<4xf32>
  %l = infra.read_value @live, %r : tensor<4xf32> -> tensor<4xf32>
  %y = nn.add %r, %l : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
  infra.assign @live, %u : tensor<4xf32>
  func.return %y : tensor<4xf32>
}

// -----

// A state that a body assigns keeps the iterator; of several results each becomes an input.
// CHECK-LABEL: func.func @main(%x: tensor<2x4xf32> {nn.names = ["X"]}, %a: tensor<1x4xf32> {nn.names = ["Reshape_1.0"]})
// CHECK-NEXT:    %s = infra.read_value @s, %a
// CHECK-NEXT:    infra.tensor_iterator %x
// CHECK:           infra.assign @s
// CHECK:         func.return %s
infra.variable @s : tensor<1x4xf32>
func.func @main(%x: tensor<2x4xf32> {nn.names = ["X"]}) -> (tensor<1x4xf32> {nn.names = ["Y"]}) {
  %axis = nn.constant dense<0> : tensor<i64>
  %a, %b = nn.split %x, %axis {num_splits = 2 : i64, nn.name = "Reshape_1"} : (tensor<2x4xf32>, tensor<i64>) -> (tensor<1x4xf32>, tensor<1x4xf32>)
  %s = infra.read_value @s, %a : tensor<1x4xf32> -> tensor<1x4xf32>
  %unused = infra.tensor_iterator %x
      inputs [#infra.sliced<axis = 0, start = 0, end = -1, stride = 1, part_size = 1>]
      outputs [#infra.iteration<result = 0, iteration = -1>]
      body_names ["X_t"] : (tensor<2x4xf32>) -> tensor<1x4xf32> {
  ^bb0(%xt: tensor<1x4xf32>):
    infra.assign @s, %xt : tensor<1x4xf32>
    infra.yield %xt : tensor<1x4xf32>
  }
  func.return %s : tensor<1x4xf32>
}
