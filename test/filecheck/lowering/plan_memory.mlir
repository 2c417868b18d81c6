// RUN: opt-tool %s --split-input-file --nn-to-kernels --separate-results --fuse-kernels --plan-memory | filecheck %s

// Outputs are written by what computes them; buffers whose lifetimes do not meet share their place.
// CHECK-LABEL: kernel.program @reuse inputs ["X", "input1"] outputs ["output0"] states [] assigned [] inits []
// CHECK:       ^bb0(%x: memref<2x2xf32>, %w: memref<2x2xf32>, %0: memref<2x2xf32>, %arena: memref<128xi8>):
// CHECK:         %1 = kernel.buffer %arena at 0 : memref<128xi8> -> memref<2x2xf32>
// CHECK:         kernel.mat_mul [2, 2] groups 1 a(%x : memref<2x2xf32>) b(%w : memref<2x2xf32>) ins() outs(%1 : memref<2x2xf32>)
// CHECK:         %3 = kernel.buffer %arena at 64 : memref<128xi8> -> memref<2x2xf32>
// CHECK:         kernel.mat_mul [2, 2] groups 1 a(%1 : memref<2x2xf32>) b(%w : memref<2x2xf32>) ins() outs(%3 : memref<2x2xf32>)
// CHECK:         %5 = kernel.buffer %arena at 0 : memref<128xi8> -> memref<2x2xf32>
// CHECK:         kernel.mat_mul [2, 2] groups 1 a(%3 : memref<2x2xf32>) b(%w : memref<2x2xf32>) ins() outs(%5 : memref<2x2xf32>)
// CHECK:         kernel.mat_mul [2, 2] groups 1 a(%5 : memref<2x2xf32>) b(%w : memref<2x2xf32>) ins() outs(%0 : memref<2x2xf32>)
// CHECK-NOT:   kernel.copy
// CHECK-NOT:   kernel.buffer
func.func @reuse(%x: tensor<2x2xf32> {nn.names = ["X"]}, %w: tensor<2x2xf32>) -> tensor<2x2xf32> {
  %0 = nn.mat_mul %x, %w {transpose_b = true} : (tensor<2x2xf32>, tensor<2x2xf32>) -> tensor<2x2xf32>
  %1 = nn.mat_mul %0, %w {transpose_b = true} : (tensor<2x2xf32>, tensor<2x2xf32>) -> tensor<2x2xf32>
  %2 = nn.mat_mul %1, %w {transpose_b = true} : (tensor<2x2xf32>, tensor<2x2xf32>) -> tensor<2x2xf32>
  %3 = nn.mat_mul %2, %w {transpose_b = true} : (tensor<2x2xf32>, tensor<2x2xf32>) -> tensor<2x2xf32>
  func.return %3 : tensor<2x2xf32>
}
// -----
// The parts of a concatenation are made in their places; only an input is copied.
// CHECK-LABEL: kernel.program @concat inputs ["input0", "input1"] outputs ["output0"] states [] assigned [] inits []
// CHECK:       ^bb0(%x: memref<1x2xf32>, %y: memref<1x2xf32>, %0: memref<1x6xf32>, %arena: memref<0xi8>):
// CHECK:         %1 = kernel.view %0 offset 0 : memref<1x6xf32> -> memref<1x2xf32, strided<[6, 1], offset: ?>>
// CHECK:         kernel.map [1, 2] ins(%x : memref<1x2xf32>) outs(%1 : memref<1x2xf32, strided<[6, 1], offset: ?>>)
// CHECK:         %6 = kernel.view %0 offset 8 : memref<1x6xf32> -> memref<1x2xf32, strided<[6, 1], offset: ?>>
// CHECK:         kernel.map [1, 2] ins(%y : memref<1x2xf32>) outs(%6 : memref<1x2xf32, strided<[6, 1], offset: ?>>)
// CHECK:         %9 = kernel.view %0 offset 16 : memref<1x6xf32> -> memref<1x2xf32, strided<[6, 1], offset: ?>>
// CHECK:         kernel.copy %x to %9 : memref<1x2xf32> to memref<1x2xf32, strided<[6, 1], offset: ?>>
// CHECK-NOT:   kernel.buffer
func.func @concat(%x: tensor<1x2xf32>, %y: tensor<1x2xf32>) -> tensor<1x6xf32> {
  %0 = nn.relu %x : tensor<1x2xf32>
  %1 = nn.tanh %y : tensor<1x2xf32>
  %2 = nn.concat %0, %1, %x {axis = 1 : i64} : (tensor<1x2xf32>, tensor<1x2xf32>, tensor<1x2xf32>) -> tensor<1x6xf32>
  func.return %2 : tensor<1x6xf32>
}
// -----
// One value in two places is made in one and copied to the other.
// CHECK-LABEL: kernel.program @concat_twice inputs ["input0"] outputs ["output0"] states [] assigned [] inits []
// CHECK:       ^bb0(%x: memref<2xf32>, %0: memref<4xf32>, %arena: memref<0xi8>):
// CHECK:         %1 = kernel.view %0 offset 0 : memref<4xf32> -> memref<2xf32>
// CHECK:         kernel.map [2] ins(%x : memref<2xf32>) outs(%1 : memref<2xf32>)
// CHECK:         %6 = kernel.view %0 offset 8 : memref<4xf32> -> memref<2xf32>
// CHECK:         kernel.copy %1 to %6 : memref<2xf32> to memref<2xf32>
// CHECK-NOT:   kernel.buffer
func.func @concat_twice(%x: tensor<2xf32>) -> tensor<4xf32> {
  %0 = nn.relu %x : tensor<2xf32>
  %1 = nn.concat %0, %0 {axis = 0 : i64} : (tensor<2xf32>, tensor<2xf32>) -> tensor<4xf32>
  func.return %1 : tensor<4xf32>
}
// -----
// A state's next value beside its current one; what is also an output is written to both.
// CHECK-LABEL: kernel.program @state inputs ["input0"] outputs ["output0"] states ["h"] assigned [true] inits [#nn.blob<dense<0.0> : tensor<2xf32>>]
// CHECK:       ^bb0(%x: memref<2xf32>, %0: memref<2xf32>, %1: memref<2xf32>, %2: memref<2xf32>, %arena: memref<0xi8>):
// CHECK:         kernel.map [2] ins(%x, %1 : memref<2xf32>, memref<2xf32>) outs(%2, %0 : memref<2xf32>, memref<2xf32>)
// CHECK-NOT:   kernel.copy
// CHECK-NOT:   kernel.buffer
infra.variable @h : tensor<2xf32>
func.func @state(%x: tensor<2xf32>) -> tensor<2xf32> {
  %zero = nn.constant dense<0.0> : tensor<2xf32>
  %h = infra.read_value @h, %zero : tensor<2xf32> -> tensor<2xf32>
  %0 = nn.add %x, %h : (tensor<2xf32>, tensor<2xf32>) -> tensor<2xf32>
  infra.assign @h, %0 : tensor<2xf32>
  func.return %0 : tensor<2xf32>
}
// -----
// An initial value is computed where the state lies, only while it is unset.
// CHECK-LABEL: kernel.program @if_unset inputs ["input0"] outputs ["output0"] states ["h"] assigned [false] inits [unit]
// CHECK:       ^bb0(%x: memref<2xf32>, %0: memref<2xf32>, %1: memref<2xf32>, %2: memref<2xf32>, %arena: memref<0xi8>):
// CHECK:         kernel.if_unset 0 {
// CHECK:           kernel.map [2] ins(%x : memref<2xf32>) outs(%1 : memref<2xf32>)
// CHECK:         kernel.map [2] ins(%x, %1 : memref<2xf32>, memref<2xf32>) outs(%0 : memref<2xf32>)
// CHECK-NOT:   kernel.copy
// CHECK-NOT:   kernel.buffer
infra.variable @h : tensor<2xf32>
func.func @if_unset(%x: tensor<2xf32>) -> tensor<2xf32> {
  %init = nn.relu %x : tensor<2xf32>
  %h = infra.read_value @h, %init : tensor<2xf32> -> tensor<2xf32>
  %0 = nn.add %x, %h : (tensor<2xf32>, tensor<2xf32>) -> tensor<2xf32>
  func.return %0 : tensor<2xf32>
}
// -----
// One that others read too is computed always, and copied.
// CHECK-LABEL: kernel.program @if_unset_shared inputs ["input0"] outputs ["output0", "output1"] states ["h"] assigned [false] inits [unit]
// CHECK:       ^bb0(%x: memref<2xf32>, %0: memref<2xf32>, %1: memref<2xf32>, %2: memref<2xf32>, %3: memref<2xf32>, %arena: memref<0xi8>):
// CHECK:         kernel.map [2] ins(%x : memref<2xf32>) outs(%0 : memref<2xf32>)
// CHECK:         kernel.if_unset 0 {
// CHECK:           kernel.copy %0 to %2 : memref<2xf32> to memref<2xf32>
// CHECK:         kernel.map [2] ins(%2 : memref<2xf32>) outs(%1 : memref<2xf32>)
// CHECK-NOT:   kernel.buffer
infra.variable @h : tensor<2xf32>
func.func @if_unset_shared(%x: tensor<2xf32>) -> (tensor<2xf32>, tensor<2xf32>) {
  %init = nn.relu %x : tensor<2xf32>
  %h = infra.read_value @h, %init : tensor<2xf32> -> tensor<2xf32>
  %0 = nn.tanh %h : tensor<2xf32>
  func.return %init, %0 : tensor<2xf32>, tensor<2xf32>
}
// -----
// Parts of sliced and concatenated ports are views; what is carried lies where the last value goes.
// CHECK-LABEL: kernel.program @loop inputs ["input0", "input1", "input2"] outputs ["output0", "output1"] states [] assigned [] inits []
// CHECK:       ^bb0(%x: memref<3x2xf32>, %h0: memref<1x2xf32>, %w: memref<1x2xf32>, %0: memref<3x2xf32>, %1: memref<1x2xf32>, %arena: memref<0xi8>):
// CHECK:         kernel.copy %h0 to %1 : memref<1x2xf32> to memref<1x2xf32>
// CHECK:         kernel.for 3 {
// CHECK:         ^bb0(%2: index):
// CHECK:           %3 = kernel.view %x offset 0 index %2 step 8 : memref<3x2xf32> -> memref<1x2xf32>
// CHECK:           %4 = kernel.view %0 offset 16 index %2 step -8 : memref<3x2xf32> -> memref<1x2xf32>
// CHECK:           kernel.map [1, 2] ins(%1, %w, %3 : memref<1x2xf32>, memref<1x2xf32>, memref<1x2xf32>) outs(%4 : memref<1x2xf32>)
// CHECK:           kernel.copy %4 to %1 : memref<1x2xf32> to memref<1x2xf32>
// CHECK-NOT:   kernel.buffer
func.func @loop(%x: tensor<3x2xf32>, %h0: tensor<1x2xf32>, %w: tensor<1x2xf32>) -> (tensor<3x2xf32>, tensor<1x2xf32>) {
  %ys, %h = infra.tensor_iterator %x, %h0, %w
      inputs [#infra.sliced<axis = 0, start = 0, end = -1, stride = 1, part_size = 1>, #infra.merged<result = 0>, #infra.invariant]
      outputs [#infra.concatenated<result = 0, axis = 0, start = -1, end = 0, stride = -1, part_size = 1>, #infra.iteration<result = 0, iteration = -1>]
      body_names ["x", "h", "w"] : (tensor<3x2xf32>, tensor<1x2xf32>, tensor<1x2xf32>) -> (tensor<3x2xf32>, tensor<1x2xf32>) {
  ^bb0(%xt: tensor<1x2xf32>, %ht: tensor<1x2xf32>, %wt: tensor<1x2xf32>):
    %0 = nn.multiply %ht, %wt : (tensor<1x2xf32>, tensor<1x2xf32>) -> tensor<1x2xf32>
    %1 = nn.add %0, %xt : (tensor<1x2xf32>, tensor<1x2xf32>) -> tensor<1x2xf32>
    infra.yield %1 : tensor<1x2xf32>
  }
  func.return %ys, %h : tensor<3x2xf32>, tensor<1x2xf32>
}
// -----
// A state is read in the size that it has, and assigned in the one that it gets; the part that is new is made in its place.
// CHECK-LABEL: kernel.program @grows inputs ["input0"] outputs ["output0"] states ["s"] assigned [true]
// CHECK:       ^bb0(%x: memref<1x4xf32>, %0: memref<1x4xf32>, %1: memref<2x4xf32>, %2: memref<3x4xf32>, %arena: memref<0xi8>):
// CHECK:         kernel.copy %1 to {{%.*}} : memref<2x4xf32> to memref<2x4xf32
// CHECK-NOT:   kernel.buffer
infra.variable @s : tensor<?x4xf32>
func.func @grows(%x: tensor<1x4xf32>) -> tensor<1x4xf32> {
  %init = nn.constant dense<1.0> : tensor<2x4xf32>
  %s = infra.read_value @s, %init : tensor<2x4xf32> -> tensor<2x4xf32>
  %0 = nn.relu %x : tensor<1x4xf32>
  %1 = nn.concat %s, %0 {axis = 0 : i64} : (tensor<2x4xf32>, tensor<1x4xf32>) -> tensor<3x4xf32>
  infra.assign @s, %1 : tensor<3x4xf32>
  %2 = nn.tanh %x : tensor<1x4xf32>
  func.return %2 : tensor<1x4xf32>
}
// -----
// What a scatter updates is made in the place of its result.
// CHECK-LABEL: kernel.program @scatter_in_place
// CHECK:       ^bb0(%x: memref<4x2xf32>, %i: memref<2xi64>, %u: memref<2x2xf32>, [[Y:%.*]]: memref<4x2xf32>, %arena: memref<0xi8>):
// CHECK:         kernel.map [4, 2] ins(%x : memref<4x2xf32>) outs([[Y]] : memref<4x2xf32>)
// CHECK-NOT:   kernel.copy
// CHECK:         kernel.scatter axis 0 ins([[Y]], %i, %u : memref<4x2xf32>, memref<2xi64>, memref<2x2xf32>) outs([[Y]] : memref<4x2xf32>)
func.func @scatter_in_place(%x: tensor<4x2xf32>, %i: tensor<2xi64>, %u: tensor<2x2xf32>) -> tensor<4x2xf32> {
  %axis = nn.constant dense<0> : tensor<i64>
  %r = nn.relu %x : tensor<4x2xf32>
  %y = nn.scatter_update %r, %i, %u, %axis : (tensor<4x2xf32>, tensor<2xi64>, tensor<2x2xf32>, tensor<i64>) -> tensor<4x2xf32>
  func.return %y : tensor<4x2xf32>
}
// -----
// So is a result that is written over an input.
// CHECK-LABEL: kernel.program @aliases
// CHECK-SAME:    aliases [0, 0]
// CHECK:       ^bb0(%x: memref<4x2xf32>, %i: memref<2xi64>, %u: memref<2x2xf32>, %{{.*}}: memref<4x2xf32>, %arena: memref<0xi8>):
// CHECK-NOT:     kernel.copy
// CHECK:         kernel.scatter axis 0 ins(%x, %i, %u : memref<4x2xf32>, memref<2xi64>, memref<2x2xf32>) outs(%x : memref<4x2xf32>)
func.func @aliases(%x: tensor<4x2xf32>, %i: tensor<2xi64>, %u: tensor<2x2xf32>) -> tensor<4x2xf32> attributes {kernel.aliases = array<i64: 0, 0>} {
  %axis = nn.constant dense<0> : tensor<i64>
  %y = nn.scatter_update %x, %i, %u, %axis : (tensor<4x2xf32>, tensor<2xi64>, tensor<2x2xf32>, tensor<i64>) -> tensor<4x2xf32>
  func.return %y : tensor<4x2xf32>
}
// -----
// Unless something else reads it, too: then it is copied there.
// CHECK-LABEL: kernel.program @scatter_copy
// CHECK:       ^bb0(%x: memref<4x2xf32>, %i: memref<2xi64>, %u: memref<2x2xf32>, [[Y:%.*]]: memref<4x2xf32>, [[Z:%.*]]: memref<4x2xf32>, %arena: memref<0xi8>):
// CHECK:         kernel.map [4, 2] ins(%x : memref<4x2xf32>) outs([[Z]] : memref<4x2xf32>)
// CHECK:         kernel.copy [[Z]] to [[Y]]
// CHECK:         kernel.scatter axis 0 ins([[Y]], %i, %u : memref<4x2xf32>, memref<2xi64>, memref<2x2xf32>) outs([[Y]] : memref<4x2xf32>)
func.func @scatter_copy(%x: tensor<4x2xf32>, %i: tensor<2xi64>, %u: tensor<2x2xf32>) -> (tensor<4x2xf32>, tensor<4x2xf32>) {
  %axis = nn.constant dense<0> : tensor<i64>
  %r = nn.relu %x : tensor<4x2xf32>
  %y = nn.scatter_update %r, %i, %u, %axis : (tensor<4x2xf32>, tensor<2xi64>, tensor<2x2xf32>, tensor<i64>) -> tensor<4x2xf32>
  func.return %y, %r : tensor<4x2xf32>, tensor<4x2xf32>
}

// -----
// What iterations put together is 0 where none runs. No constant of its size is kept for that.
// CHECK-LABEL: kernel.program @cleared
// CHECK:       ^bb0(%n: memref<i64>, %x: memref<5x4xf32>, [[Y:%.*]]: memref<5x4xf32>,
// CHECK-NOT:     kernel.constant {{.*}} memref<5x4xf32>
// CHECK:         kernel.map [5, 4] ins() outs([[Y]] : memref<5x4xf32>)
// CHECK-NEXT:      [[ZERO:%.*]] = arith.constant 0.000000e+00 : f32
// CHECK-NEXT:      kernel.yield [[ZERO]]
// CHECK-NOT:     kernel.copy
// CHECK:         kernel.while
func.func @cleared(%n: tensor<i64>, %x: tensor<5x4xf32>) -> tensor<5x4xf32> {
  %go = nn.constant dense<true> : tensor<i1>
  %all = infra.loop %n, %go, %x
      inputs [#infra.sliced<axis = 0, start = 0, end = -1, stride = 1, part_size = 1>]
      outputs [#infra.concatenated<result = 0, axis = 0, start = 0, end = -1, stride = 1, part_size = 1>]
      body_names ["X"] : (tensor<i64>, tensor<i1>, tensor<5x4xf32>) -> tensor<5x4xf32> {
  ^bb0(%b: tensor<1x4xf32>):
    %next = nn.add %b, %b : (tensor<1x4xf32>, tensor<1x4xf32>) -> tensor<1x4xf32>
    infra.yield %next : tensor<1x4xf32>
  }
  func.return %all : tensor<5x4xf32>
}

// -----
// The same is true of a last value that is no merged input's, since a loop may run no iteration.
// CHECK-LABEL: kernel.program @last
// CHECK:         [[LAST:%.*]] = kernel.buffer {{.*}} memref<4xf32>
// CHECK:         kernel.map [4] ins() outs([[LAST]] : memref<4xf32>)
// CHECK-NEXT:      [[ZERO:%.*]] = arith.constant 0.000000e+00 : f32
// CHECK-NEXT:      kernel.yield [[ZERO]]
// CHECK:         kernel.while
// CHECK-NOT:     kernel.copy [[LAST]]
func.func @last(%x: tensor<4xf32>, %n: tensor<i64>) -> tensor<4xf32> {
  %go = nn.constant dense<true> : tensor<i1>
  %trip = nn.constant dense<9> : tensor<i64>
  %other = infra.loop %trip, %go, %x, %n inputs [#infra.merged<result = 1>, #infra.invariant]
      outputs [#infra.iteration<result = 2, iteration = -1>]
      body_names ["H", "N"] {body_condition = 0 : i64, current_iteration}
      : (tensor<i64>, tensor<i1>, tensor<4xf32>, tensor<i64>) -> tensor<4xf32> {
  ^bb0(%b: tensor<4xf32>, %limit: tensor<i64>, %i: tensor<i64>):
    %next = nn.add %b, %b : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
    %y = nn.multiply %next, %next : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
    %c = nn.less %i, %limit : (tensor<i64>, tensor<i64>) -> tensor<i1>
    infra.yield %c, %next, %y : tensor<i1>, tensor<4xf32>, tensor<4xf32>
  }
  %y = nn.relu %other : tensor<4xf32>
  func.return %y : tensor<4xf32>
}

// -----
// A last value that is a merged input's has its initial value.
// CHECK-LABEL: kernel.program @last_merged
// CHECK-NOT:     kernel.map [4] ins()
// CHECK:         kernel.while
func.func @last_merged(%x: tensor<4xf32>, %n: tensor<i64>) -> tensor<4xf32> {
  %go = nn.constant dense<true> : tensor<i1>
  %last = infra.loop %n, %go, %x inputs [#infra.merged<result = 0>]
      outputs [#infra.iteration<result = 0, iteration = -1>]
      body_names ["H"] : (tensor<i64>, tensor<i1>, tensor<4xf32>) -> tensor<4xf32> {
  ^bb0(%b: tensor<4xf32>):
    %next = nn.add %b, %b : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
    infra.yield %next : tensor<4xf32>
  }
  %y = nn.relu %last : tensor<4xf32>
  func.return %y : tensor<4xf32>
}
