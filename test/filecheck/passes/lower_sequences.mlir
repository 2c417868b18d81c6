// RUN: opt-tool %s --lower-sequences | filecheck %s
// RUN: opt-tool %s --lower-sequences --verify-numerics

// All steps count: an iterator over the cell, its weights in the body, states without their dimension.
// CHECK-LABEL: func.func @lstm
// CHECK-NEXT:    [[ONE:%.*]] = nn.constant dense<[1]> : tensor<1xi64>
// CHECK-NEXT:    [[H0:%.*]] = nn.squeeze %h, [[ONE]] : (tensor<2x1x1xf32>, tensor<1xi64>) -> tensor<2x1xf32>
// CHECK:         [[C0:%.*]] = nn.squeeze %c,
// CHECK:         [[Y:%.*]], [[H:%.*]], [[C:%.*]] = infra.tensor_iterator %x, [[H0]], [[C0]]
// CHECK-SAME:      inputs [#infra.sliced<axis = 1, start = 0, end = -1, stride = 1, part_size = 1>, #infra.merged<result = 0>, #infra.merged<result = 1>]
// CHECK-SAME:      outputs [#infra.concatenated<result = 2, axis = 1, start = 0, end = -1, stride = 1, part_size = 1>, #infra.iteration<result = 0, iteration = -1>, #infra.iteration<result = 1, iteration = -1>]
// CHECK-SAME:      body_names ["X", "H", "C"] {nn.name = "S/forward", infra.sequence = "S"}
// CHECK-NEXT:    ^bb0([[XT:%.*]]: tensor<2x1x1xf32>, [[HT:%.*]]: tensor<2x1xf32>, [[CT:%.*]]: tensor<2x1xf32>):
// CHECK-NEXT:      [[W:%.*]] = nn.constant dense<1.0> : tensor<4x1xf32>
// CHECK-NEXT:      [[R:%.*]] = nn.constant dense<0.5> : tensor<4x1xf32>
// CHECK-NEXT:      [[B:%.*]] = nn.constant dense<[1.0, 2.0, 3.0, 4.0]> : tensor<4xf32>
// CHECK:           [[STEP:%.*]] = nn.squeeze [[XT]],
// CHECK-NEXT:      [[HN:%.*]], [[CN:%.*]] = rnn.lstm_cell [[STEP]], [[HT]], [[CT]], [[W]], [[R]], [[B]] {nn.name = "S/forward/cell", hidden_size = 1 : i64
// CHECK:           [[OUT:%.*]] = nn.unsqueeze [[HN]],
// CHECK-NEXT:      infra.yield [[HN]], [[CN]], [[OUT]]
// CHECK:         nn.unsqueeze [[Y]], {{.*}} {nn.name = "S"} : (tensor<2x3x1xf32>, tensor<1xi64>) -> tensor<2x1x3x1xf32>
// CHECK:         nn.unsqueeze [[H]],
// CHECK:         nn.unsqueeze [[C]],
func.func @lstm(%x: tensor<2x3x1xf32>, %h: tensor<2x1x1xf32>, %c: tensor<2x1x1xf32>) -> (tensor<2x1x3x1xf32>, tensor<2x1x1xf32>, tensor<2x1x1xf32>) {
  %lengths = nn.constant dense<[3, 4]> : tensor<2xi64>
  %w = nn.constant dense<1.0> : tensor<1x4x1xf32>
  %r = nn.constant dense<0.5> : tensor<1x4x1xf32>
  %b = nn.constant dense<[[1.0, 2.0, 3.0, 4.0]]> : tensor<1x4xf32>
  %y, %hn, %cn = rnn.lstm_sequence %x, %h, %c, %lengths, %w, %r, %b {hidden_size = 1 : i64, nn.name = "S"} : (tensor<2x3x1xf32>, tensor<2x1x1xf32>, tensor<2x1x1xf32>, tensor<2xi64>, tensor<1x4x1xf32>, tensor<1x4x1xf32>, tensor<1x4xf32>) -> (tensor<2x1x3x1xf32>, tensor<2x1x1xf32>, tensor<2x1x1xf32>)
  func.return %y, %hn, %cn : tensor<2x1x3x1xf32>, tensor<2x1x1xf32>, tensor<2x1x1xf32>
}

// One entry is shorter, and the steps are read from the end: where a step does not count, the state stays and
// the output is zero. Weights that are not known are invariant inputs.
// CHECK-LABEL: func.func @reverse
// CHECK:         [[STEPS:%.*]] = nn.constant dense<{{\[\[\[}}0], [1], [2]]]> : tensor<1x3x1xi64>
// CHECK:         [[LENGTHS:%.*]] = nn.unsqueeze {{.*}} -> tensor<2x1x1xi64>
// CHECK-NEXT:    [[COUNTS:%.*]] = nn.less [[STEPS]], [[LENGTHS]] : {{.*}} -> tensor<2x3x1xi1>
// CHECK:         [[W:%.*]] = nn.squeeze %w, {{.*}} -> tensor<1x1xf32>
// CHECK:         infra.tensor_iterator %x, [[COUNTS]], {{%.*}}, [[W]]
// CHECK-SAME:      inputs [#infra.sliced<axis = 1, start = -1, end = 0, stride = -1, part_size = 1>, #infra.sliced<axis = 1, start = -1, end = 0, stride = -1, part_size = 1>, #infra.merged<result = 0>, #infra.invariant, #infra.invariant, #infra.invariant]
// CHECK-SAME:      outputs [#infra.concatenated<result = 1, axis = 1, start = -1, end = 0, stride = -1, part_size = 1>
// CHECK-SAME:      {nn.name = "S/reverse", infra.sequence = "S"}
// CHECK-NEXT:    ^bb0({{.*}}, [[HT:%.*]]: tensor<2x1xf32>, {{.*}}):
// CHECK:           [[NEW:%.*]] = rnn.rnn_cell
// CHECK:           [[NOW:%.*]] = nn.squeeze {{.*}} -> tensor<2x1xi1>
// CHECK-NEXT:      [[KEPT:%.*]] = nn.select [[NOW]], [[NEW]], [[HT]]
// CHECK-NEXT:      [[ZERO:%.*]] = nn.constant dense<0.0> : tensor<f32>
// CHECK-NEXT:      [[OUT:%.*]] = nn.select [[NOW]], [[NEW]], [[ZERO]]
// CHECK:           infra.yield [[KEPT]],
func.func @reverse(%x: tensor<2x3x1xf32>, %h: tensor<2x1x1xf32>, %w: tensor<1x1x1xf32>, %r: tensor<1x1x1xf32>, %b: tensor<1x1xf32>) -> (tensor<2x1x3x1xf32>, tensor<2x1x1xf32>) {
  %lengths = nn.constant dense<[3, 2]> : tensor<2xi32>
  %y, %hn = rnn.rnn_sequence %x, %h, %lengths, %w, %r, %b {hidden_size = 1 : i64, nn.name = "S", direction = "reverse"} : (tensor<2x3x1xf32>, tensor<2x1x1xf32>, tensor<2xi32>, tensor<1x1x1xf32>, tensor<1x1x1xf32>, tensor<1x1xf32>) -> (tensor<2x1x3x1xf32>, tensor<2x1x1xf32>)
  func.return %y, %hn : tensor<2x1x3x1xf32>, tensor<2x1x1xf32>
}

// Both directions: an iterator for each, with its part of states and weights; quantized ones stay so.
// CHECK-LABEL: func.func @both
// CHECK:         [[H0:%[0-9]+]], [[H1:%.*]] = nn.split %h,
// CHECK:         [[F:%.*]], [[FH:%.*]] = infra.tensor_iterator {{.*}} {nn.name = "S/forward"}
// CHECK:           [[Q:%.*]] = nn.constant dense<{{\[\[}}1], [2], [3]]> : tensor<3x1xi8>
// CHECK-NEXT:      [[C:%.*]] = nn.convert [[Q]]
// CHECK-NEXT:      [[S:%.*]] = nn.constant dense<{{.*}}0.5{{.*}}> : tensor<1x1xf32>
// CHECK-NEXT:      [[W:%.*]] = nn.multiply [[C]], [[S]]
// CHECK:           rnn.gru_cell {{%.*}}, {{%.*}}, [[W]], {{.*}}linear_before_reset = true
// CHECK:         [[B:%.*]], [[BH:%.*]] = infra.tensor_iterator {{.*}} {nn.name = "S/reverse"}
// CHECK:           nn.constant dense<{{\[\[}}4], [5], [6]]> : tensor<3x1xi8>
// CHECK:           nn.constant dense<{{.*}}0.25{{.*}}> : tensor<1x1xf32>
// CHECK:         nn.concat {{.*}} {nn.name = "S", axis = 1 : i64}
// CHECK:         nn.concat {{.*}} {axis = 1 : i64} : {{.*}} -> tensor<1x2x1xf32>
func.func @both(%x: tensor<1x2x1xf32>, %h: tensor<1x2x1xf32>, %lengths: tensor<1xi64>, %r: tensor<2x3x1xf32>, %b: tensor<2x4xf32>) -> (tensor<1x2x2x1xf32>, tensor<1x2x1xf32>) {
  %q = nn.constant dense<[[[1], [2], [3]], [[4], [5], [6]]]> : tensor<2x3x1xi8>
  %c = nn.convert %q to f32 : tensor<2x3x1xi8> -> tensor<2x3x1xf32>
  %s = nn.constant dense<[[[0.5]], [[0.25]]]> : tensor<2x1x1xf32>
  %w = nn.multiply %c, %s : (tensor<2x3x1xf32>, tensor<2x1x1xf32>) -> tensor<2x3x1xf32>
  %y, %hn = rnn.gru_sequence %x, %h, %lengths, %w, %r, %b {hidden_size = 1 : i64, nn.name = "S", direction = "bidirectional", linear_before_reset = true} : (tensor<1x2x1xf32>, tensor<1x2x1xf32>, tensor<1xi64>, tensor<2x3x1xf32>, tensor<2x3x1xf32>, tensor<2x4xf32>) -> (tensor<1x2x2x1xf32>, tensor<1x2x1xf32>)
  func.return %y, %hn : tensor<1x2x2x1xf32>, tensor<1x2x1xf32>
}

// Lengths that are computed from the shape cover all steps.
// CHECK-LABEL: func.func @computed
// CHECK-NOT:     nn.less
// CHECK:         infra.tensor_iterator
// CHECK-NOT:       nn.select
// CHECK:         func.return
func.func @computed(%x: tensor<1x3x1xf32>, %h: tensor<1x1x1xf32>, %w: tensor<1x1x1xf32>, %b: tensor<1x1xf32>) -> tensor<1x1x3x1xf32> {
  %shape = nn.shape_of %x : tensor<1x3x1xf32> -> tensor<3xi64>
  %one = nn.constant dense<[1]> : tensor<1xi64>
  %two = nn.constant dense<[2]> : tensor<1xi64>
  %zero = nn.constant dense<[0]> : tensor<1xi64>
  %lengths = nn.slice %shape, %one, %two, %one, %zero : (tensor<3xi64>, tensor<1xi64>, tensor<1xi64>, tensor<1xi64>, tensor<1xi64>) -> tensor<1xi64>
  %y, %hn = rnn.rnn_sequence %x, %h, %lengths, %w, %w, %b {hidden_size = 1 : i64} : (tensor<1x3x1xf32>, tensor<1x1x1xf32>, tensor<1xi64>, tensor<1x1x1xf32>, tensor<1x1x1xf32>, tensor<1x1xf32>) -> (tensor<1x1x3x1xf32>, tensor<1x1x1xf32>)
  func.return %y : tensor<1x1x3x1xf32>
}

// An unknown number of steps: the sequence stays.
// CHECK-LABEL: func.func @unknown
// CHECK-NEXT:    rnn.rnn_sequence
func.func @unknown(%x: tensor<1x?x1xf32>, %h: tensor<1x1x1xf32>, %lengths: tensor<1xi64>, %w: tensor<1x1x1xf32>, %b: tensor<1x1xf32>) -> tensor<1x1x?x1xf32> {
  %y, %hn = rnn.rnn_sequence %x, %h, %lengths, %w, %w, %b {hidden_size = 1 : i64} : (tensor<1x?x1xf32>, tensor<1x1x1xf32>, tensor<1xi64>, tensor<1x1x1xf32>, tensor<1x1x1xf32>, tensor<1x1xf32>) -> (tensor<1x1x?x1xf32>, tensor<1x1x1xf32>)
  func.return %y : tensor<1x1x?x1xf32>
}
