// RUN: opt-tool %s --decompose-cells | filecheck %s
// RUN: opt-tool %s --decompose-cells --verify-numerics

// The gates are one sum, split in the order f, i, c, o; the new hidden state has the cell's name.
// CHECK-LABEL: func.func @lstm
// CHECK-NEXT:    [[XW:%.*]] = nn.mat_mul %x, %w {nn.name = "cell/X", transpose_b = true} : (tensor<1x3xf32>, tensor<8x3xf32>) -> tensor<1x8xf32>
// CHECK-NEXT:    [[HR:%.*]] = nn.mat_mul %h, %r {nn.name = "cell/H", transpose_b = true} : (tensor<1x2xf32>, tensor<8x2xf32>) -> tensor<1x8xf32>
// CHECK-NEXT:    [[SUM:%.*]] = nn.add [[XW]], [[HR]]
// CHECK-NEXT:    [[ALL:%.*]] = nn.add [[SUM]], %b
// CHECK-NEXT:    [[AXIS:%.*]] = nn.constant dense<1> : tensor<i64>
// CHECK-NEXT:    [[F:%.*]], [[I:%.*]], [[C:%.*]], [[O:%.*]] = nn.split [[ALL]], [[AXIS]] {num_splits = 4 : i64}
// CHECK-NEXT:    [[SF:%.*]] = nn.sigmoid [[F]]
// CHECK-NEXT:    [[KEPT:%.*]] = nn.multiply [[SF]], %c
// CHECK-NEXT:    [[SI:%.*]] = nn.sigmoid [[I]]
// CHECK-NEXT:    [[G:%.*]] = nn.tanh [[C]]
// CHECK-NEXT:    [[NEW:%.*]] = nn.multiply [[SI]], [[G]]
// CHECK-NEXT:    [[CELL:%.*]] = nn.add [[KEPT]], [[NEW]]
// CHECK-NEXT:    [[T:%.*]] = nn.tanh [[CELL]]
// CHECK-NEXT:    [[SO:%.*]] = nn.sigmoid [[O]]
// CHECK-NEXT:    [[H:%.*]] = nn.multiply [[SO]], [[T]] {nn.name = "cell"}
// CHECK-NEXT:    func.return [[H]], [[CELL]]
func.func @lstm(%x: tensor<1x3xf32>, %h: tensor<1x2xf32>, %c: tensor<1x2xf32>, %w: tensor<8x3xf32>, %r: tensor<8x2xf32>, %b: tensor<8xf32>) -> (tensor<1x2xf32>, tensor<1x2xf32>) {
  %h1, %c1 = rnn.lstm_cell %x, %h, %c, %w, %r, %b {hidden_size = 2 : i64, nn.name = "cell"} : (tensor<1x3xf32>, tensor<1x2xf32>, tensor<1x2xf32>, tensor<8x3xf32>, tensor<8x2xf32>, tensor<8xf32>) -> (tensor<1x2xf32>, tensor<1x2xf32>)
  func.return %h1, %c1 : tensor<1x2xf32>, tensor<1x2xf32>
}

// A clip stands before the activations of gates, not before the one of the cell state.
// CHECK-LABEL: func.func @clip
// CHECK:         [[F:%[0-9]+]], {{.*}} = nn.split
// CHECK-NEXT:    [[CF:%.*]] = nn.clamp [[F]] {min = -3.000000e+00 : f64, max = 3.000000e+00 : f64}
// CHECK-NEXT:    nn.sigmoid [[CF]]
// CHECK:         nn.clamp
// CHECK:         nn.clamp
// CHECK-NEXT:    nn.relu
// CHECK:         [[CELL:%.*]] = nn.add
// CHECK-NEXT:    nn.tanh [[CELL]]
// CHECK-NEXT:    nn.clamp
func.func @clip(%x: tensor<1x3xf32>, %h: tensor<1x2xf32>, %c: tensor<1x2xf32>, %w: tensor<8x3xf32>, %r: tensor<8x2xf32>, %b: tensor<8xf32>) -> (tensor<1x2xf32>, tensor<1x2xf32>) {
  %h1, %c1 = rnn.lstm_cell %x, %h, %c, %w, %r, %b {hidden_size = 2 : i64, clip = 3.0 : f64, activations = ["sigmoid", "relu", "tanh"]} : (tensor<1x3xf32>, tensor<1x2xf32>, tensor<1x2xf32>, tensor<8x3xf32>, tensor<8x2xf32>, tensor<8xf32>) -> (tensor<1x2xf32>, tensor<1x2xf32>)
  func.return %h1, %c1 : tensor<1x2xf32>, tensor<1x2xf32>
}

// Constant weights are cut while compiling; the reset gate acts on the state.
// CHECK-LABEL: func.func @gru
// CHECK-NEXT:    [[W0:%.*]] = nn.constant dense<{{\[\[}}1.0], [2.0]]> : tensor<2x1xf32>
// CHECK-NEXT:    [[W1:%.*]] = nn.constant dense<{{\[\[}}3.0]]> : tensor<1x1xf32>
// CHECK-NEXT:    [[R0:%.*]] = nn.constant dense<0.5> : tensor<2x1xf32>
// CHECK-NEXT:    [[R1:%.*]] = nn.constant dense<0.5> : tensor<1x1xf32>
// CHECK-NEXT:    [[B0:%.*]] = nn.constant dense<[4.0, 5.0]> : tensor<2xf32>
// CHECK-NEXT:    [[B1:%.*]] = nn.constant dense<[6.0]> : tensor<1xf32>
// CHECK-NEXT:    [[XW:%.*]] = nn.mat_mul %x, [[W0]]
// CHECK-NEXT:    [[HR:%.*]] = nn.mat_mul %h, [[R0]]
// CHECK-NEXT:    [[SUM:%.*]] = nn.add [[XW]], [[HR]]
// CHECK-NEXT:    [[BOTH:%.*]] = nn.add [[SUM]], [[B0]]
// CHECK:         [[Z:%.*]], [[RESET:%.*]] = nn.split [[BOTH]]
// CHECK:         [[SZ:%.*]] = nn.sigmoid [[Z]]
// CHECK:         [[SR:%.*]] = nn.sigmoid [[RESET]]
// CHECK:         [[CUT:%.*]] = nn.multiply [[SR]], %h
// CHECK:         [[XH:%.*]] = nn.mat_mul %x, [[W1]]
// CHECK:         [[HH:%.*]] = nn.mat_mul [[CUT]], [[R1]]
// CHECK:         nn.add [[XH]], [[HH]]
// CHECK:         nn.add {{.*}} {nn.name = "cell"}
func.func @gru(%x: tensor<1x1xf32>, %h: tensor<1x1xf32>) -> tensor<1x1xf32> {
  %w = nn.constant dense<[[1.0], [2.0], [3.0]]> : tensor<3x1xf32>
  %r = nn.constant dense<0.5> : tensor<3x1xf32>
  %b = nn.constant dense<[4.0, 5.0, 6.0]> : tensor<3xf32>
  %h1 = rnn.gru_cell %x, %h, %w, %r, %b {hidden_size = 1 : i64, nn.name = "cell"} : (tensor<1x1xf32>, tensor<1x1xf32>, tensor<3x1xf32>, tensor<3x1xf32>, tensor<3xf32>) -> tensor<1x1xf32>
  func.return %h1 : tensor<1x1xf32>
}

// Linear before reset: it acts on the product, and the product has a bias of its own. Other weights are sliced.
// CHECK-LABEL: func.func @linear_before_reset
// CHECK:         nn.slice %w,
// CHECK:         nn.slice %b,
// CHECK:         [[SR:%.*]] = nn.sigmoid
// CHECK:         [[SR:%.*]] = nn.sigmoid
// CHECK:         [[HH:%.*]] = nn.mat_mul %h,
// CHECK:         [[HB:%.*]] = nn.add [[HH]],
// CHECK-NEXT:    nn.multiply [[SR]], [[HB]]
func.func @linear_before_reset(%x: tensor<2x3xf32>, %h: tensor<2x4xf32>, %w: tensor<12x3xf32>, %r: tensor<12x4xf32>, %b: tensor<16xf32>) -> tensor<2x4xf32> {
  %h1 = rnn.gru_cell %x, %h, %w, %r, %b {hidden_size = 4 : i64, linear_before_reset = true} : (tensor<2x3xf32>, tensor<2x4xf32>, tensor<12x3xf32>, tensor<12x4xf32>, tensor<16xf32>) -> tensor<2x4xf32>
  func.return %h1 : tensor<2x4xf32>
}

// Also in bodies, and where the batch is not known.
// CHECK-LABEL: func.func @rnn
// CHECK:         ^bb0
// CHECK-NEXT:      [[XW:%.*]] = nn.mat_mul %xt, %wt {nn.name = "cell/X", transpose_b = true} : (tensor<?x3xf32>, tensor<2x3xf32>) -> tensor<?x2xf32>
// CHECK-NEXT:      [[HR:%.*]] = nn.mat_mul %ht, %rt
// CHECK-NEXT:      [[SUM:%.*]] = nn.add [[XW]], [[HR]]
// CHECK-NEXT:      [[ALL:%.*]] = nn.add [[SUM]], %bt
// CHECK-NEXT:      [[H:%.*]] = nn.relu [[ALL]] {nn.name = "cell"} : tensor<?x2xf32>
// CHECK-NEXT:      infra.yield [[H]]
func.func @rnn(%x: tensor<?x3xf32>, %h: tensor<?x2xf32>, %w: tensor<2x3xf32>, %r: tensor<2x2xf32>, %b: tensor<2xf32>) -> tensor<?x2xf32> {
  %y = infra.tensor_iterator %x, %h, %w, %r, %b
      inputs [#infra.sliced<axis = 1, start = 0, end = -1, stride = 3, part_size = 3>, #infra.merged<result = 0>, #infra.invariant, #infra.invariant, #infra.invariant]
      outputs [#infra.iteration<result = 0, iteration = -1>]
      body_names ["X", "H", "W", "R", "B"] : (tensor<?x3xf32>, tensor<?x2xf32>, tensor<2x3xf32>, tensor<2x2xf32>, tensor<2xf32>) -> tensor<?x2xf32> {
  ^bb0(%xt: tensor<?x3xf32>, %ht: tensor<?x2xf32>, %wt: tensor<2x3xf32>, %rt: tensor<2x2xf32>, %bt: tensor<2xf32>):
    %h1 = rnn.rnn_cell %xt, %ht, %wt, %rt, %bt {hidden_size = 2 : i64, activations = ["relu"], nn.name = "cell"} : (tensor<?x3xf32>, tensor<?x2xf32>, tensor<2x3xf32>, tensor<2x2xf32>, tensor<2xf32>) -> tensor<?x2xf32>
    infra.yield %h1 : tensor<?x2xf32>
  }
  func.return %y : tensor<?x2xf32>
}

// A cell that said less than its decomposition does: what follows knows it, too.
// CHECK-LABEL: func.func @sharper
// CHECK-SAME:    -> tensor<1x2xf32>
// CHECK:         nn.tanh
// CHECK-NEXT:    nn.sigmoid {{.*}} : tensor<1x2xf32>
func.func @sharper(%x: tensor<1x3xf32>, %h: tensor<1x2xf32>, %w: tensor<2x3xf32>, %r: tensor<2x2xf32>, %b: tensor<2xf32>) -> tensor<?x2xf32> {
  %h1 = rnn.rnn_cell %x, %h, %w, %r, %b {hidden_size = 2 : i64} : (tensor<1x3xf32>, tensor<1x2xf32>, tensor<2x3xf32>, tensor<2x2xf32>, tensor<2xf32>) -> tensor<?x2xf32>
  %y = nn.sigmoid %h1 : tensor<?x2xf32>
  func.return %y : tensor<?x2xf32>
}

// Dequantized weights are cut at their constants: each part is codes, converted, less a zero point, times its scales.
// CHECK-LABEL: func.func @quantized
// CHECK-NEXT:    [[Q:%.*]] = nn.constant dense<{{\[\[}}1], [2]]> : tensor<2x1xi8>
// CHECK-NEXT:    [[C:%.*]] = nn.convert [[Q]] to f32 : tensor<2x1xi8> -> tensor<2x1xf32>
// CHECK-NEXT:    [[Z:%.*]] = nn.constant dense<4.0> : tensor<f32>
// CHECK-NEXT:    [[D:%.*]] = nn.subtract [[C]], [[Z]]
// CHECK-NEXT:    [[S:%.*]] = nn.constant dense<{{\[\[}}0.5], [0.25]]> : tensor<2x1xf32>
// CHECK-NEXT:    [[W:%.*]] = nn.multiply [[D]], [[S]]
// CHECK-NEXT:    nn.constant dense<{{\[\[}}3]]> : tensor<1x1xi8>
// CHECK:         nn.constant dense<{{\[\[}}0.125]]> : tensor<1x1xf32>
// CHECK-NOT:     nn.slice
// CHECK:         nn.mat_mul %x, [[W]]
// CHECK-NOT:     nn.slice
// CHECK:         func.return
func.func @quantized(%x: tensor<1x1xf32>, %h: tensor<1x1xf32>) -> tensor<1x1xf32> {
  %q = nn.constant dense<[[1], [2], [3]]> : tensor<3x1xi8>
  %c = nn.convert %q to f32 : tensor<3x1xi8> -> tensor<3x1xf32>
  %z = nn.constant dense<4.0> : tensor<f32>
  %d = nn.subtract %c, %z : (tensor<3x1xf32>, tensor<f32>) -> tensor<3x1xf32>
  %s = nn.constant dense<[[0.5], [0.25], [0.125]]> : tensor<3x1xf32>
  %w = nn.multiply %d, %s : (tensor<3x1xf32>, tensor<3x1xf32>) -> tensor<3x1xf32>
  %r = nn.constant dense<0.5> : tensor<3x1xf32>
  %b = nn.constant dense<[4.0, 5.0, 6.0]> : tensor<3xf32>
  %h1 = rnn.gru_cell %x, %h, %w, %r, %b {hidden_size = 1 : i64} : (tensor<1x1xf32>, tensor<1x1xf32>, tensor<3x1xf32>, tensor<3x1xf32>, tensor<3xf32>) -> tensor<1x1xf32>
  func.return %h1 : tensor<1x1xf32>
}

// A computed scale is no constant: the weights are sliced.
// CHECK-LABEL: func.func @scaled_by_input
// CHECK:         nn.slice
// CHECK:         func.return
func.func @scaled_by_input(%x: tensor<1x1xf32>, %h: tensor<1x1xf32>, %s: tensor<3x1xf32>) -> tensor<1x1xf32> {
  %q = nn.constant dense<[[1], [2], [3]]> : tensor<3x1xi8>
  %c = nn.convert %q to f32 : tensor<3x1xi8> -> tensor<3x1xf32>
  %w = nn.multiply %c, %s : (tensor<3x1xf32>, tensor<3x1xf32>) -> tensor<3x1xf32>
  %b = nn.constant dense<[4.0, 5.0, 6.0]> : tensor<3xf32>
  %h1 = rnn.gru_cell %x, %h, %w, %w, %b {hidden_size = 1 : i64} : (tensor<1x1xf32>, tensor<1x1xf32>, tensor<3x1xf32>, tensor<3x1xf32>, tensor<3xf32>) -> tensor<1x1xf32>
  func.return %h1 : tensor<1x1xf32>
}
