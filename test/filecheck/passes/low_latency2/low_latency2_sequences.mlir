// RUN: opt-tool %s --low-latency2 2>%t.notes >%t.once
// RUN: filecheck %s --input-file %t.once
// RUN: filecheck %s --check-prefix NOTE --input-file %t.notes
// RUN: opt-tool %s --low-latency2 --low-latency2 2>/dev/null | cmp %t.once -
// RUN: opt-tool %s --low-latency2=use-const-initializer=false | filecheck %s --check-prefix KEEP
// RUN: opt-tool %s --low-latency2 --verify-numerics

// NOTE: low-latency2: rnn.rnn_sequence 'S': a state of this name exists; the new ones are named 'S_1/…'

// One step: the cell, whatever sequence_lengths say.
// CHECK-LABEL: func.func @lstm
// CHECK:         [[H:%.*]] = infra.read_value @"S/variable_0"
// CHECK:         [[C:%.*]] = infra.read_value @"S/variable_1"
// CHECK:         [[XT:%.*]] = nn.squeeze %x, {{.*}} -> tensor<2x3xf32>
// CHECK:         [[HT:%.*]] = nn.squeeze [[H]], {{.*}} -> tensor<2x1xf32>
// CHECK:         [[CT:%.*]] = nn.squeeze [[C]], {{.*}} -> tensor<2x1xf32>
// CHECK:         [[HN:%.*]], [[CN:%.*]] = rnn.lstm_cell [[XT]], [[HT]], [[CT]], {{.*}} {nn.name = "S/forward", hidden_size = 1 : i64
// CHECK:         [[HL:%.*]] = nn.unsqueeze [[HN]], {{.*}} -> tensor<2x1x1xf32>
// CHECK:         [[CL:%.*]] = nn.unsqueeze [[CN]], {{.*}} -> tensor<2x1x1xf32>
// CHECK:         [[Y:%.*]] = nn.unsqueeze [[HL]], {{.*}} {nn.name = "S"} : {{.*}} -> tensor<2x1x1x1xf32>
// CHECK-DAG:     infra.assign @"S/variable_0", [[HL]]
// CHECK-DAG:     infra.assign @"S/variable_1", [[CL]]
// CHECK:         func.return [[Y]]
// KEEP-LABEL: func.func @lstm
// KEEP:          infra.read_value @"S/variable_0", %h
// KEEP:          infra.read_value @"S/variable_1", %c
func.func @lstm(%x: tensor<2x1x3xf32>, %h: tensor<2x1x1xf32>, %c: tensor<2x1x1xf32>, %lengths: tensor<2xi64>, %w: tensor<1x4x3xf32>, %r: tensor<1x4x1xf32>, %b: tensor<1x4xf32>) -> tensor<2x1x1x1xf32> {
  %y, %hn, %cn = rnn.lstm_sequence %x, %h, %c, %lengths, %w, %r, %b {hidden_size = 1 : i64, nn.name = "S"} : (tensor<2x1x3xf32>, tensor<2x1x1xf32>, tensor<2x1x1xf32>, tensor<2xi64>, tensor<1x4x3xf32>, tensor<1x4x1xf32>, tensor<1x4xf32>) -> (tensor<2x1x1x1xf32>, tensor<2x1x1xf32>, tensor<2x1x1xf32>)
  func.return %y : tensor<2x1x1x1xf32>
}

// More steps, or an unknown number: the sequence stays between its states.
// CHECK-LABEL: func.func @gru
// CHECK:         [[H:%.*]] = infra.read_value @"G/variable_0"
// CHECK-NEXT:    [[Y:%.*]], [[L:%.*]] = rnn.gru_sequence %x, [[H]]
// CHECK-NEXT:    infra.assign @"G/variable_0", [[L]]
// CHECK:         [[H:%.*]] = infra.read_value @"rnn.gru_sequence/variable_0"
// CHECK-NEXT:    rnn.gru_sequence %any, [[H]]
func.func @gru(%x: tensor<1x2x1xf32>, %any: tensor<1x?x1xf32>, %h: tensor<1x1x1xf32>, %lengths: tensor<1xi64>, %w: tensor<1x3x1xf32>, %b: tensor<1x3xf32>) -> (tensor<1x1x2x1xf32>, tensor<1x1x?x1xf32>) {
  %y, %hn = rnn.gru_sequence %x, %h, %lengths, %w, %w, %b {hidden_size = 1 : i64, nn.name = "G"} : (tensor<1x2x1xf32>, tensor<1x1x1xf32>, tensor<1xi64>, tensor<1x3x1xf32>, tensor<1x3x1xf32>, tensor<1x3xf32>) -> (tensor<1x1x2x1xf32>, tensor<1x1x1xf32>)
  %z, %zn = rnn.gru_sequence %any, %h, %lengths, %w, %w, %b {hidden_size = 1 : i64} : (tensor<1x?x1xf32>, tensor<1x1x1xf32>, tensor<1xi64>, tensor<1x3x1xf32>, tensor<1x3x1xf32>, tensor<1x3xf32>) -> (tensor<1x1x?x1xf32>, tensor<1x1x1xf32>)
  func.return %y, %z : tensor<1x1x2x1xf32>, tensor<1x1x?x1xf32>
}

// Both directions of one step: two cells of one state. The name is taken.
// CHECK-LABEL: func.func @both
// CHECK:         [[H:%.*]] = infra.read_value @"S_1/variable_0"{{.*}} -> tensor<1x2x1xf32>
// CHECK:         [[H0:%[0-9]+]], [[H1:%[0-9]+]] = nn.split [[H]],
// CHECK:         [[A:%.*]] = rnn.rnn_cell {{.*}} {nn.name = "S/forward"
// CHECK:         [[B:%.*]] = rnn.rnn_cell {{.*}} {nn.name = "S/reverse"
// CHECK:         [[L:%.*]] = nn.concat {{.*}} {axis = 1 : i64} : (tensor<1x1x1xf32>, tensor<1x1x1xf32>) -> tensor<1x2x1xf32>
// CHECK:         [[Y:%.*]] = nn.unsqueeze [[L]], {{.*}} -> tensor<1x2x1x1xf32>
// CHECK-NEXT:    infra.assign @"S_1/variable_0", [[L]]
func.func @both(%x: tensor<1x1x1xf32>, %h: tensor<1x2x1xf32>, %lengths: tensor<1xi64>, %w: tensor<2x1x1xf32>, %b: tensor<2x1xf32>) -> (tensor<1x2x1x1xf32>, tensor<1x2x1xf32>) {
  %y, %hn = rnn.rnn_sequence %x, %h, %lengths, %w, %w, %b {hidden_size = 1 : i64, nn.name = "S", direction = "bidirectional"} : (tensor<1x1x1xf32>, tensor<1x2x1xf32>, tensor<1xi64>, tensor<2x1x1xf32>, tensor<2x1x1xf32>, tensor<2x1xf32>) -> (tensor<1x2x1x1xf32>, tensor<1x2x1xf32>)
  func.return %y, %hn : tensor<1x2x1x1xf32>, tensor<1x2x1xf32>
}

// A batch that is declared to be unknown is that of the cell, for what reads it, too.
// CHECK-LABEL: func.func @sharper
// CHECK:         nn.tanh {{.*}} : tensor<1x1x1x1xf32>
// CHECK:         func.return {{.*}} : tensor<1x1x1x1xf32>
func.func @sharper(%x: tensor<1x1x1xf32>, %h: tensor<1x1x1xf32>, %lengths: tensor<1xi64>, %w: tensor<1x1x1xf32>, %b: tensor<1x1xf32>) -> tensor<?x1x1x1xf32> {
  %y, %hn = rnn.rnn_sequence %x, %h, %lengths, %w, %w, %b {hidden_size = 1 : i64, nn.name = "sharper"} : (tensor<1x1x1xf32>, tensor<1x1x1xf32>, tensor<1xi64>, tensor<1x1x1xf32>, tensor<1x1x1xf32>, tensor<1x1xf32>) -> (tensor<?x1x1x1xf32>, tensor<1x1x1xf32>)
  %z = nn.tanh %y : tensor<?x1x1x1xf32>
  func.return %z : tensor<?x1x1x1xf32>
}

// A model's own state stays, and becomes no second one.
// CHECK-LABEL: func.func @stateful
// CHECK:         infra.read_value @own, %h
// CHECK:         rnn.rnn_cell
// CHECK:         infra.assign @own
// CHECK-NOT:     infra.
// CHECK:         func.return
infra.variable @own : tensor<1x1x1xf32>
func.func @stateful(%x: tensor<1x1x1xf32>, %h: tensor<1x1x1xf32>, %lengths: tensor<1xi64>, %w: tensor<1x1x1xf32>, %b: tensor<1x1xf32>) -> tensor<1x1x1x1xf32> {
  %read = infra.read_value @own, %h : tensor<1x1x1xf32> -> tensor<1x1x1xf32>
  %y, %hn = rnn.rnn_sequence %x, %read, %lengths, %w, %w, %b {hidden_size = 1 : i64, direction = "reverse"} : (tensor<1x1x1xf32>, tensor<1x1x1xf32>, tensor<1xi64>, tensor<1x1x1xf32>, tensor<1x1x1xf32>, tensor<1x1xf32>) -> (tensor<1x1x1x1xf32>, tensor<1x1x1xf32>)
  infra.assign @own, %hn : tensor<1x1x1xf32>
  func.return %y : tensor<1x1x1x1xf32>
}

// A state that is read without the dimension of directions is one already.
// CHECK-LABEL: func.func @read
// CHECK:         infra.read_value @held
// CHECK:         rnn.rnn_cell
// CHECK-NOT:     infra.assign @"R/variable_0"
// CHECK:         infra.assign @held
infra.variable @held : tensor<2x1xf32>
func.func @read(%x: tensor<2x1x3xf32>, %h: tensor<2x1xf32>, %lengths: tensor<2xi64>, %w: tensor<1x1x3xf32>, %r: tensor<1x1x1xf32>, %b: tensor<1x1xf32>) -> tensor<2x1x1x1xf32> {
  %held = infra.read_value @held, %h : tensor<2x1xf32> -> tensor<2x1xf32>
  %axis = nn.constant dense<[1]> : tensor<1xi64>
  %begin = nn.unsqueeze %held, %axis : (tensor<2x1xf32>, tensor<1xi64>) -> tensor<2x1x1xf32>
  %y, %last = rnn.rnn_sequence %x, %begin, %lengths, %w, %r, %b {hidden_size = 1 : i64, nn.name = "R"} : (tensor<2x1x3xf32>, tensor<2x1x1xf32>, tensor<2xi64>, tensor<1x1x3xf32>, tensor<1x1x1xf32>, tensor<1x1xf32>) -> (tensor<2x1x1x1xf32>, tensor<2x1x1xf32>)
  %flat = nn.squeeze %last, %axis : (tensor<2x1x1xf32>, tensor<1xi64>) -> tensor<2x1xf32>
  infra.assign @held, %flat : tensor<2x1xf32>
  func.return %y : tensor<2x1x1x1xf32>
}

// An outer iterator computes the H that the sequence begins with from the one that it ended with: it is no state.
// CHECK-LABEL: func.func @zoneout
// CHECK:         [[H:%.*]] = infra.read_value @"outer/H_t/variable_1"
// CHECK-NOT:     infra.read_value
// CHECK:         [[NEXT:%.*]] = rnn.rnn_cell
// CHECK-NOT:     infra.assign @"Z/variable_0"
// CHECK:         infra.assign @"outer/H_t/variable_1"
func.func @zoneout(%x: tensor<1x1x3xf32>, %h: tensor<1x1x1xf32>, %lengths: tensor<1xi64>, %w: tensor<1x1x3xf32>, %r: tensor<1x1x1xf32>, %b: tensor<1x1xf32>) -> tensor<1x1x1xf32> {
  %y = infra.tensor_iterator %x, %h, %lengths, %w, %r, %b
      inputs [#infra.sliced<axis = 1, start = 0, end = -1, stride = 1, part_size = 1>, #infra.merged<result = 0>, #infra.invariant, #infra.invariant, #infra.invariant, #infra.invariant]
      outputs [#infra.iteration<result = 0, iteration = -1>]
      body_names ["X_t", "H_t", "L", "W", "R", "B"] {nn.name = "outer"} : (tensor<1x1x3xf32>, tensor<1x1x1xf32>, tensor<1xi64>, tensor<1x1x3xf32>, tensor<1x1x1xf32>, tensor<1x1xf32>) -> tensor<1x1x1xf32> {
  ^bb0(%xt: tensor<1x1x3xf32>, %ht: tensor<1x1x1xf32>, %l: tensor<1xi64>, %wt: tensor<1x1x3xf32>, %rt: tensor<1x1x1xf32>, %bt: tensor<1x1xf32>):
    %order = nn.constant dense<[1, 0, 2]> : tensor<3xi64>
    %first = nn.transpose %ht, %order : (tensor<1x1x1xf32>, tensor<3xi64>) -> tensor<1x1x1xf32>
    %steps, %last = rnn.rnn_sequence %xt, %first, %l, %wt, %rt, %bt {hidden_size = 1 : i64, nn.name = "Z"} : (tensor<1x1x3xf32>, tensor<1x1x1xf32>, tensor<1xi64>, tensor<1x1x3xf32>, tensor<1x1x1xf32>, tensor<1x1xf32>) -> (tensor<1x1x1x1xf32>, tensor<1x1x1xf32>)
    %half = nn.constant dense<0.5> : tensor<f32>
    %kept = nn.multiply %ht, %half : (tensor<1x1x1xf32>, tensor<f32>) -> tensor<1x1x1xf32>
    %next = nn.add %kept, %last : (tensor<1x1x1xf32>, tensor<1x1x1xf32>) -> tensor<1x1x1xf32>
    infra.yield %next : tensor<1x1x1xf32>
  }
  func.return %y : tensor<1x1x1xf32>
}

// So is one of which the model's own state keeps a part.
// CHECK-LABEL: func.func @part
// CHECK:         infra.read_value @kept_part
// CHECK-NOT:     infra.read_value
// CHECK:         infra.assign @kept_part
infra.variable @kept_part : tensor<1x1x1xf32>
func.func @part(%x: tensor<1x1x3xf32>, %h: tensor<1x1x1xf32>, %lengths: tensor<1xi64>, %w: tensor<1x1x3xf32>, %r: tensor<1x1x1xf32>, %b: tensor<1x1xf32>) -> tensor<1x1x1x1xf32> {
  %half = nn.constant dense<0.5> : tensor<f32>
  %read = infra.read_value @kept_part, %h : tensor<1x1x1xf32> -> tensor<1x1x1xf32>
  %begin = nn.multiply %read, %half : (tensor<1x1x1xf32>, tensor<f32>) -> tensor<1x1x1xf32>
  %y, %last = rnn.rnn_sequence %x, %begin, %lengths, %w, %r, %b {hidden_size = 1 : i64, nn.name = "P"} : (tensor<1x1x3xf32>, tensor<1x1x1xf32>, tensor<1xi64>, tensor<1x1x3xf32>, tensor<1x1x1xf32>, tensor<1x1xf32>) -> (tensor<1x1x1x1xf32>, tensor<1x1x1xf32>)
  infra.assign @kept_part, %last : tensor<1x1x1xf32>
  func.return %y : tensor<1x1x1x1xf32>
}

// So is one that a loop begins with, which gives it back where it has no iteration.
// CHECK-LABEL: func.func @skipped
// CHECK:         infra.read_value @kept_or_not
// CHECK-NOT:     infra.read_value
// CHECK:         infra.assign @kept_or_not
infra.variable @kept_or_not : tensor<1x1x1xf32>
func.func @skipped(%n: tensor<i64>, %x: tensor<1x1x3xf32>, %h: tensor<1x1x1xf32>, %lengths: tensor<1xi64>, %w: tensor<1x1x3xf32>, %r: tensor<1x1x1xf32>, %b: tensor<1x1xf32>) -> tensor<1x1x1x1xf32> {
  %true = nn.constant dense<true> : tensor<i1>
  %read = infra.read_value @kept_or_not, %h : tensor<1x1x1xf32> -> tensor<1x1x1xf32>
  %begin = infra.loop %n, %true, %read, %h
      inputs [#infra.merged<result = 0>, #infra.invariant]
      outputs [#infra.iteration<result = 0, iteration = -1>]
      body_names ["K", "H"] {nn.name = "begin_anew"} : (tensor<i64>, tensor<i1>, tensor<1x1x1xf32>, tensor<1x1x1xf32>) -> tensor<1x1x1xf32> {
  ^bb0(%k: tensor<1x1x1xf32>, %anew: tensor<1x1x1xf32>):
    infra.yield %anew : tensor<1x1x1xf32>
  }
  %y, %last = rnn.rnn_sequence %x, %begin, %lengths, %w, %r, %b {hidden_size = 1 : i64, nn.name = "S"} : (tensor<1x1x3xf32>, tensor<1x1x1xf32>, tensor<1xi64>, tensor<1x1x3xf32>, tensor<1x1x1xf32>, tensor<1x1xf32>) -> (tensor<1x1x1x1xf32>, tensor<1x1x1xf32>)
  infra.assign @kept_or_not, %last : tensor<1x1x1xf32>
  func.return %y : tensor<1x1x1x1xf32>
}

// The nearest miss: what another sequence ends with, which has a state, is where this one begins, and it has one, too.
// CHECK-LABEL: func.func @decoder
// CHECK:         infra.read_value @"encoder/variable_0"
// CHECK:         infra.read_value @"decoder/variable_0"
func.func @decoder(%x: tensor<1x1x3xf32>, %h: tensor<1x1x1xf32>, %lengths: tensor<1xi64>, %w: tensor<1x1x3xf32>, %r: tensor<1x1x1xf32>, %b: tensor<1x1xf32>) -> tensor<1x1x1x1xf32> {
  %e, %end = rnn.rnn_sequence %x, %h, %lengths, %w, %r, %b {hidden_size = 1 : i64, nn.name = "encoder"} : (tensor<1x1x3xf32>, tensor<1x1x1xf32>, tensor<1xi64>, tensor<1x1x3xf32>, tensor<1x1x1xf32>, tensor<1x1xf32>) -> (tensor<1x1x1x1xf32>, tensor<1x1x1xf32>)
  %y, %last = rnn.rnn_sequence %x, %end, %lengths, %w, %r, %b {hidden_size = 1 : i64, nn.name = "decoder"} : (tensor<1x1x3xf32>, tensor<1x1x1xf32>, tensor<1xi64>, tensor<1x1x3xf32>, tensor<1x1x1xf32>, tensor<1x1xf32>) -> (tensor<1x1x1x1xf32>, tensor<1x1x1xf32>)
  func.return %y : tensor<1x1x1x1xf32>
}
