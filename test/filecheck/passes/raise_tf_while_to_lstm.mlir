// RUN: opt-tool %s --raise-tf-while-to-lstm | filecheck %s
// RUN: opt-tool %s --raise-tf-while-to-lstm --verify-numerics

// A step of a simple RNN; the sequence has its batch first.
// CHECK-LABEL: func.func @simple
// CHECK:      [[X:%.*]] = nn.transpose %x,
// CHECK:      [[Y:%.*]], [[H:%.*]] = rnn.rnn_sequence [[X]],
// CHECK-NOT:  infra.tensor_iterator
// CHECK:      func.return
func.func @simple(%x: tensor<5x2x3xf32>, %h0: tensor<2x4xf32>, %w: tensor<3x4xf32>, %r: tensor<4x4xf32>, %b: tensor<4xf32>) -> (tensor<5x2x4xf32>, tensor<2x4xf32>) {
  %y, %last = infra.tensor_iterator %x, %h0, %w, %r, %b inputs [#infra.sliced<axis = 0, start = 0, end = -1, stride = 1, part_size = 1>, #infra.merged<result = 0>, #infra.invariant, #infra.invariant, #infra.invariant] outputs [#infra.concatenated<result = 1, axis = 0, start = 0, end = -1, stride = 1, part_size = 1>, #infra.iteration<result = 0, iteration = -1>] body_names ["x", "h", "w", "r", "b"] : (tensor<5x2x3xf32>, tensor<2x4xf32>, tensor<3x4xf32>, tensor<4x4xf32>, tensor<4xf32>) -> (tensor<5x2x4xf32>, tensor<2x4xf32>) {
  ^bb0(%xt: tensor<1x2x3xf32>, %h: tensor<2x4xf32>, %wt: tensor<3x4xf32>, %rt: tensor<4x4xf32>, %bt: tensor<4xf32>):
    %zero = nn.constant dense<[0]> : tensor<1xi64>
    %e = nn.squeeze %xt, %zero : (tensor<1x2x3xf32>, tensor<1xi64>) -> tensor<2x3xf32>
    %a = nn.mat_mul %e, %wt : (tensor<2x3xf32>, tensor<3x4xf32>) -> tensor<2x4xf32>
    %c = nn.mat_mul %h, %rt : (tensor<2x4xf32>, tensor<4x4xf32>) -> tensor<2x4xf32>
    %t = nn.add %a, %c : (tensor<2x4xf32>, tensor<2x4xf32>) -> tensor<2x4xf32>
    %s = nn.add %t, %bt : (tensor<2x4xf32>, tensor<4xf32>) -> tensor<2x4xf32>
    %n = nn.tanh %s : tensor<2x4xf32>
    %u = nn.unsqueeze %n, %zero : (tensor<2x4xf32>, tensor<1xi64>) -> tensor<1x2x4xf32>
    infra.yield %n, %u : tensor<2x4xf32>, tensor<1x2x4xf32>
  }
  func.return %y, %last : tensor<5x2x4xf32>, tensor<2x4xf32>
}

// Weights with a row for each cell are as those of rnn.
// CHECK-LABEL: func.func @transposed
// CHECK:      [[X:%.*]] = nn.transpose %x,
// CHECK:      [[Y:%.*]], [[H:%.*]] = rnn.rnn_sequence [[X]],
// CHECK-NOT:  infra.tensor_iterator
// CHECK:      func.return
func.func @transposed(%x: tensor<5x2x3xf32>, %h0: tensor<2x4xf32>, %w: tensor<4x3xf32>, %r: tensor<4x4xf32>, %b: tensor<4xf32>) -> (tensor<5x2x4xf32>, tensor<2x4xf32>) {
  %y, %last = infra.tensor_iterator %x, %h0, %w, %r, %b inputs [#infra.sliced<axis = 0, start = 0, end = -1, stride = 1, part_size = 1>, #infra.merged<result = 0>, #infra.invariant, #infra.invariant, #infra.invariant] outputs [#infra.concatenated<result = 1, axis = 0, start = 0, end = -1, stride = 1, part_size = 1>, #infra.iteration<result = 0, iteration = -1>] body_names ["x", "h", "w", "r", "b"] : (tensor<5x2x3xf32>, tensor<2x4xf32>, tensor<4x3xf32>, tensor<4x4xf32>, tensor<4xf32>) -> (tensor<5x2x4xf32>, tensor<2x4xf32>) {
  ^bb0(%xt: tensor<1x2x3xf32>, %h: tensor<2x4xf32>, %wt: tensor<4x3xf32>, %rt: tensor<4x4xf32>, %bt: tensor<4xf32>):
    %zero = nn.constant dense<[0]> : tensor<1xi64>
    %e = nn.squeeze %xt, %zero : (tensor<1x2x3xf32>, tensor<1xi64>) -> tensor<2x3xf32>
    %a = nn.mat_mul %e, %wt {transpose_b = true} : (tensor<2x3xf32>, tensor<4x3xf32>) -> tensor<2x4xf32>
    %c = nn.mat_mul %h, %rt : (tensor<2x4xf32>, tensor<4x4xf32>) -> tensor<2x4xf32>
    %t = nn.add %a, %c : (tensor<2x4xf32>, tensor<2x4xf32>) -> tensor<2x4xf32>
    %s = nn.add %t, %bt : (tensor<2x4xf32>, tensor<4xf32>) -> tensor<2x4xf32>
    %n = nn.tanh %s : tensor<2x4xf32>
    %u = nn.unsqueeze %n, %zero : (tensor<2x4xf32>, tensor<1xi64>) -> tensor<1x2x4xf32>
    infra.yield %n, %u : tensor<2x4xf32>, tensor<1x2x4xf32>
  }
  func.return %y, %last : tensor<5x2x4xf32>, tensor<2x4xf32>
}

// Sums in another order are the same sum.
// CHECK-LABEL: func.func @other_order
// CHECK:      [[X:%.*]] = nn.transpose %x,
// CHECK:      [[Y:%.*]], [[H:%.*]] = rnn.rnn_sequence [[X]],
// CHECK-NOT:  infra.tensor_iterator
// CHECK:      func.return
func.func @other_order(%x: tensor<5x2x3xf32>, %h0: tensor<2x4xf32>, %w: tensor<3x4xf32>, %r: tensor<4x4xf32>, %b: tensor<4xf32>) -> (tensor<5x2x4xf32>, tensor<2x4xf32>) {
  %y, %last = infra.tensor_iterator %x, %h0, %w, %r, %b inputs [#infra.sliced<axis = 0, start = 0, end = -1, stride = 1, part_size = 1>, #infra.merged<result = 0>, #infra.invariant, #infra.invariant, #infra.invariant] outputs [#infra.concatenated<result = 1, axis = 0, start = 0, end = -1, stride = 1, part_size = 1>, #infra.iteration<result = 0, iteration = -1>] body_names ["x", "h", "w", "r", "b"] : (tensor<5x2x3xf32>, tensor<2x4xf32>, tensor<3x4xf32>, tensor<4x4xf32>, tensor<4xf32>) -> (tensor<5x2x4xf32>, tensor<2x4xf32>) {
  ^bb0(%xt: tensor<1x2x3xf32>, %h: tensor<2x4xf32>, %wt: tensor<3x4xf32>, %rt: tensor<4x4xf32>, %bt: tensor<4xf32>):
    %zero = nn.constant dense<[0]> : tensor<1xi64>
    %e = nn.squeeze %xt, %zero : (tensor<1x2x3xf32>, tensor<1xi64>) -> tensor<2x3xf32>
    %c = nn.mat_mul %h, %rt : (tensor<2x4xf32>, tensor<4x4xf32>) -> tensor<2x4xf32>
    %t = nn.add %c, %bt : (tensor<2x4xf32>, tensor<4xf32>) -> tensor<2x4xf32>
    %a = nn.mat_mul %e, %wt : (tensor<2x3xf32>, tensor<3x4xf32>) -> tensor<2x4xf32>
    %s = nn.add %t, %a : (tensor<2x4xf32>, tensor<2x4xf32>) -> tensor<2x4xf32>
    %n = nn.tanh %s : tensor<2x4xf32>
    %u = nn.unsqueeze %n, %zero : (tensor<2x4xf32>, tensor<1xi64>) -> tensor<1x2x4xf32>
    infra.yield %n, %u : tensor<2x4xf32>, tensor<1x2x4xf32>
  }
  func.return %y, %last : tensor<5x2x4xf32>, tensor<2x4xf32>
}

// What is computed of weights alone moves out.
// CHECK-LABEL: func.func @weights_of_weights
// CHECK:      nn.multiply %w, %w
// CHECK:      [[Y:%.*]], [[H:%.*]] = rnn.rnn_sequence [[X]],
// CHECK-NOT:  infra.tensor_iterator
// CHECK:      func.return
func.func @weights_of_weights(%x: tensor<5x2x3xf32>, %h0: tensor<2x4xf32>, %w: tensor<3x4xf32>, %r: tensor<4x4xf32>, %b: tensor<4xf32>) -> (tensor<5x2x4xf32>, tensor<2x4xf32>) {
  %y, %last = infra.tensor_iterator %x, %h0, %w, %r, %b inputs [#infra.sliced<axis = 0, start = 0, end = -1, stride = 1, part_size = 1>, #infra.merged<result = 0>, #infra.invariant, #infra.invariant, #infra.invariant] outputs [#infra.concatenated<result = 1, axis = 0, start = 0, end = -1, stride = 1, part_size = 1>, #infra.iteration<result = 0, iteration = -1>] body_names ["x", "h", "w", "r", "b"] : (tensor<5x2x3xf32>, tensor<2x4xf32>, tensor<3x4xf32>, tensor<4x4xf32>, tensor<4xf32>) -> (tensor<5x2x4xf32>, tensor<2x4xf32>) {
  ^bb0(%xt: tensor<1x2x3xf32>, %h: tensor<2x4xf32>, %wt: tensor<3x4xf32>, %rt: tensor<4x4xf32>, %bt: tensor<4xf32>):
    %zero = nn.constant dense<[0]> : tensor<1xi64>
    %e = nn.squeeze %xt, %zero : (tensor<1x2x3xf32>, tensor<1xi64>) -> tensor<2x3xf32>
    %w2 = nn.multiply %wt, %wt : (tensor<3x4xf32>, tensor<3x4xf32>) -> tensor<3x4xf32>
    %a = nn.mat_mul %e, %w2 : (tensor<2x3xf32>, tensor<3x4xf32>) -> tensor<2x4xf32>
    %c = nn.mat_mul %h, %rt : (tensor<2x4xf32>, tensor<4x4xf32>) -> tensor<2x4xf32>
    %t = nn.add %a, %c : (tensor<2x4xf32>, tensor<2x4xf32>) -> tensor<2x4xf32>
    %s = nn.add %t, %bt : (tensor<2x4xf32>, tensor<4xf32>) -> tensor<2x4xf32>
    %n = nn.tanh %s : tensor<2x4xf32>
    %u = nn.unsqueeze %n, %zero : (tensor<2x4xf32>, tensor<1xi64>) -> tensor<1x2x4xf32>
    infra.yield %n, %u : tensor<2x4xf32>, tensor<1x2x4xf32>
  }
  func.return %y, %last : tensor<5x2x4xf32>, tensor<2x4xf32>
}

// rnn has no such activation.
// CHECK-LABEL: func.func @other_activation
// CHECK-NOT:  rnn.
// CHECK:      infra.tensor_iterator
// CHECK-NOT:  rnn.
// CHECK:      func.return
func.func @other_activation(%x: tensor<5x2x3xf32>, %h0: tensor<2x4xf32>, %w: tensor<3x4xf32>, %r: tensor<4x4xf32>, %b: tensor<4xf32>) -> (tensor<5x2x4xf32>, tensor<2x4xf32>) {
  %y, %last = infra.tensor_iterator %x, %h0, %w, %r, %b inputs [#infra.sliced<axis = 0, start = 0, end = -1, stride = 1, part_size = 1>, #infra.merged<result = 0>, #infra.invariant, #infra.invariant, #infra.invariant] outputs [#infra.concatenated<result = 1, axis = 0, start = 0, end = -1, stride = 1, part_size = 1>, #infra.iteration<result = 0, iteration = -1>] body_names ["x", "h", "w", "r", "b"] : (tensor<5x2x3xf32>, tensor<2x4xf32>, tensor<3x4xf32>, tensor<4x4xf32>, tensor<4xf32>) -> (tensor<5x2x4xf32>, tensor<2x4xf32>) {
  ^bb0(%xt: tensor<1x2x3xf32>, %h: tensor<2x4xf32>, %wt: tensor<3x4xf32>, %rt: tensor<4x4xf32>, %bt: tensor<4xf32>):
    %zero = nn.constant dense<[0]> : tensor<1xi64>
    %e = nn.squeeze %xt, %zero : (tensor<1x2x3xf32>, tensor<1xi64>) -> tensor<2x3xf32>
    %a = nn.mat_mul %e, %wt : (tensor<2x3xf32>, tensor<3x4xf32>) -> tensor<2x4xf32>
    %c = nn.mat_mul %h, %rt : (tensor<2x4xf32>, tensor<4x4xf32>) -> tensor<2x4xf32>
    %t = nn.add %a, %c : (tensor<2x4xf32>, tensor<2x4xf32>) -> tensor<2x4xf32>
    %s = nn.add %t, %bt : (tensor<2x4xf32>, tensor<4xf32>) -> tensor<2x4xf32>
    %n = nn.exp %s : tensor<2x4xf32>
    %u = nn.unsqueeze %n, %zero : (tensor<2x4xf32>, tensor<1xi64>) -> tensor<1x2x4xf32>
    infra.yield %n, %u : tensor<2x4xf32>, tensor<1x2x4xf32>
  }
  func.return %y, %last : tensor<5x2x4xf32>, tensor<2x4xf32>
}

// The state is more than the cell's.
// CHECK-LABEL: func.func @residual
// CHECK-NOT:  rnn.
// CHECK:      infra.tensor_iterator
// CHECK-NOT:  rnn.
// CHECK:      func.return
func.func @residual(%x: tensor<5x2x3xf32>, %h0: tensor<2x4xf32>, %w: tensor<3x4xf32>, %r: tensor<4x4xf32>, %b: tensor<4xf32>) -> (tensor<5x2x4xf32>, tensor<2x4xf32>) {
  %y, %last = infra.tensor_iterator %x, %h0, %w, %r, %b inputs [#infra.sliced<axis = 0, start = 0, end = -1, stride = 1, part_size = 1>, #infra.merged<result = 0>, #infra.invariant, #infra.invariant, #infra.invariant] outputs [#infra.concatenated<result = 1, axis = 0, start = 0, end = -1, stride = 1, part_size = 1>, #infra.iteration<result = 0, iteration = -1>] body_names ["x", "h", "w", "r", "b"] : (tensor<5x2x3xf32>, tensor<2x4xf32>, tensor<3x4xf32>, tensor<4x4xf32>, tensor<4xf32>) -> (tensor<5x2x4xf32>, tensor<2x4xf32>) {
  ^bb0(%xt: tensor<1x2x3xf32>, %h: tensor<2x4xf32>, %wt: tensor<3x4xf32>, %rt: tensor<4x4xf32>, %bt: tensor<4xf32>):
    %zero = nn.constant dense<[0]> : tensor<1xi64>
    %e = nn.squeeze %xt, %zero : (tensor<1x2x3xf32>, tensor<1xi64>) -> tensor<2x3xf32>
    %a = nn.mat_mul %e, %wt : (tensor<2x3xf32>, tensor<3x4xf32>) -> tensor<2x4xf32>
    %c = nn.mat_mul %h, %rt : (tensor<2x4xf32>, tensor<4x4xf32>) -> tensor<2x4xf32>
    %t = nn.add %a, %c : (tensor<2x4xf32>, tensor<2x4xf32>) -> tensor<2x4xf32>
    %s = nn.add %t, %bt : (tensor<2x4xf32>, tensor<4xf32>) -> tensor<2x4xf32>
    %m = nn.tanh %s : tensor<2x4xf32>
    %n = nn.add %m, %h : (tensor<2x4xf32>, tensor<2x4xf32>) -> tensor<2x4xf32>

    %u = nn.unsqueeze %n, %zero : (tensor<2x4xf32>, tensor<1xi64>) -> tensor<1x2x4xf32>
    infra.yield %n, %u : tensor<2x4xf32>, tensor<1x2x4xf32>
  }
  func.return %y, %last : tensor<5x2x4xf32>, tensor<2x4xf32>
}

// Two products with the input are no cell's.
// CHECK-LABEL: func.func @two_products
// CHECK-NOT:  rnn.
// CHECK:      infra.tensor_iterator
// CHECK-NOT:  rnn.
// CHECK:      func.return
func.func @two_products(%x: tensor<5x2x3xf32>, %h0: tensor<2x4xf32>, %w: tensor<3x4xf32>, %r: tensor<4x4xf32>, %b: tensor<4xf32>) -> (tensor<5x2x4xf32>, tensor<2x4xf32>) {
  %y, %last = infra.tensor_iterator %x, %h0, %w, %r, %b inputs [#infra.sliced<axis = 0, start = 0, end = -1, stride = 1, part_size = 1>, #infra.merged<result = 0>, #infra.invariant, #infra.invariant, #infra.invariant] outputs [#infra.concatenated<result = 1, axis = 0, start = 0, end = -1, stride = 1, part_size = 1>, #infra.iteration<result = 0, iteration = -1>] body_names ["x", "h", "w", "r", "b"] : (tensor<5x2x3xf32>, tensor<2x4xf32>, tensor<3x4xf32>, tensor<4x4xf32>, tensor<4xf32>) -> (tensor<5x2x4xf32>, tensor<2x4xf32>) {
  ^bb0(%xt: tensor<1x2x3xf32>, %h: tensor<2x4xf32>, %wt: tensor<3x4xf32>, %rt: tensor<4x4xf32>, %bt: tensor<4xf32>):
    %zero = nn.constant dense<[0]> : tensor<1xi64>
    %e = nn.squeeze %xt, %zero : (tensor<1x2x3xf32>, tensor<1xi64>) -> tensor<2x3xf32>
    %a = nn.mat_mul %e, %wt : (tensor<2x3xf32>, tensor<3x4xf32>) -> tensor<2x4xf32>
    %c = nn.mat_mul %h, %rt : (tensor<2x4xf32>, tensor<4x4xf32>) -> tensor<2x4xf32>
    %a2 = nn.mat_mul %e, %wt : (tensor<2x3xf32>, tensor<3x4xf32>) -> tensor<2x4xf32>
    %t = nn.add %a, %c : (tensor<2x4xf32>, tensor<2x4xf32>) -> tensor<2x4xf32>
    %t2 = nn.add %t, %a2 : (tensor<2x4xf32>, tensor<2x4xf32>) -> tensor<2x4xf32>
    %s = nn.add %t2, %bt : (tensor<2x4xf32>, tensor<4xf32>) -> tensor<2x4xf32>
    %n = nn.tanh %s : tensor<2x4xf32>
    %u = nn.unsqueeze %n, %zero : (tensor<2x4xf32>, tensor<1xi64>) -> tensor<1x2x4xf32>
    infra.yield %n, %u : tensor<2x4xf32>, tensor<1x2x4xf32>
  }
  func.return %y, %last : tensor<5x2x4xf32>, tensor<2x4xf32>
}

// Without the input there is no cell.
// CHECK-LABEL: func.func @no_input
// CHECK-NOT:  rnn.
// CHECK:      infra.tensor_iterator
// CHECK-NOT:  rnn.
// CHECK:      func.return
func.func @no_input(%x: tensor<5x2x3xf32>, %h0: tensor<2x4xf32>, %w: tensor<3x4xf32>, %r: tensor<4x4xf32>, %b: tensor<4xf32>) -> (tensor<5x2x4xf32>, tensor<2x4xf32>) {
  %y, %last = infra.tensor_iterator %x, %h0, %w, %r, %b inputs [#infra.sliced<axis = 0, start = 0, end = -1, stride = 1, part_size = 1>, #infra.merged<result = 0>, #infra.invariant, #infra.invariant, #infra.invariant] outputs [#infra.concatenated<result = 1, axis = 0, start = 0, end = -1, stride = 1, part_size = 1>, #infra.iteration<result = 0, iteration = -1>] body_names ["x", "h", "w", "r", "b"] : (tensor<5x2x3xf32>, tensor<2x4xf32>, tensor<3x4xf32>, tensor<4x4xf32>, tensor<4xf32>) -> (tensor<5x2x4xf32>, tensor<2x4xf32>) {
  ^bb0(%xt: tensor<1x2x3xf32>, %h: tensor<2x4xf32>, %wt: tensor<3x4xf32>, %rt: tensor<4x4xf32>, %bt: tensor<4xf32>):
    %zero = nn.constant dense<[0]> : tensor<1xi64>
    %e = nn.squeeze %xt, %zero : (tensor<1x2x3xf32>, tensor<1xi64>) -> tensor<2x3xf32>
    %c = nn.mat_mul %h, %rt : (tensor<2x4xf32>, tensor<4x4xf32>) -> tensor<2x4xf32>
    %s = nn.add %c, %bt : (tensor<2x4xf32>, tensor<4xf32>) -> tensor<2x4xf32>
    %n = nn.tanh %s : tensor<2x4xf32>
    %u = nn.unsqueeze %n, %zero : (tensor<2x4xf32>, tensor<1xi64>) -> tensor<1x2x4xf32>
    infra.yield %n, %u : tensor<2x4xf32>, tensor<1x2x4xf32>
  }
  func.return %y, %last : tensor<5x2x4xf32>, tensor<2x4xf32>
}

// The output of the first step is nobody's state.
// CHECK-LABEL: func.func @first_step
// CHECK-NOT:  rnn.
// CHECK:      infra.tensor_iterator
// CHECK-NOT:  rnn.
// CHECK:      func.return
func.func @first_step(%x: tensor<5x2x3xf32>, %h0: tensor<2x4xf32>, %w: tensor<3x4xf32>, %r: tensor<4x4xf32>, %b: tensor<4xf32>) -> (tensor<5x2x4xf32>, tensor<2x4xf32>) {
  %y, %last = infra.tensor_iterator %x, %h0, %w, %r, %b inputs [#infra.sliced<axis = 0, start = 0, end = -1, stride = 1, part_size = 1>, #infra.merged<result = 0>, #infra.invariant, #infra.invariant, #infra.invariant] outputs [#infra.concatenated<result = 1, axis = 0, start = 0, end = -1, stride = 1, part_size = 1>, #infra.iteration<result = 0, iteration = 0>] body_names ["x", "h", "w", "r", "b"] : (tensor<5x2x3xf32>, tensor<2x4xf32>, tensor<3x4xf32>, tensor<4x4xf32>, tensor<4xf32>) -> (tensor<5x2x4xf32>, tensor<2x4xf32>) {
  ^bb0(%xt: tensor<1x2x3xf32>, %h: tensor<2x4xf32>, %wt: tensor<3x4xf32>, %rt: tensor<4x4xf32>, %bt: tensor<4xf32>):
    %zero = nn.constant dense<[0]> : tensor<1xi64>
    %e = nn.squeeze %xt, %zero : (tensor<1x2x3xf32>, tensor<1xi64>) -> tensor<2x3xf32>
    %a = nn.mat_mul %e, %wt : (tensor<2x3xf32>, tensor<3x4xf32>) -> tensor<2x4xf32>
    %c = nn.mat_mul %h, %rt : (tensor<2x4xf32>, tensor<4x4xf32>) -> tensor<2x4xf32>
    %t = nn.add %a, %c : (tensor<2x4xf32>, tensor<2x4xf32>) -> tensor<2x4xf32>
    %s = nn.add %t, %bt : (tensor<2x4xf32>, tensor<4xf32>) -> tensor<2x4xf32>
    %n = nn.tanh %s : tensor<2x4xf32>
    %u = nn.unsqueeze %n, %zero : (tensor<2x4xf32>, tensor<1xi64>) -> tensor<1x2x4xf32>
    infra.yield %n, %u : tensor<2x4xf32>, tensor<1x2x4xf32>
  }
  func.return %y, %last : tensor<5x2x4xf32>, tensor<2x4xf32>
}

// It gives what enters the activation, too.
// CHECK-LABEL: func.func @gate_too
// CHECK-NOT:  rnn.
// CHECK:      infra.tensor_iterator
// CHECK-NOT:  rnn.
// CHECK:      func.return
func.func @gate_too(%x: tensor<5x2x3xf32>, %h0: tensor<2x4xf32>, %w: tensor<3x4xf32>, %r: tensor<4x4xf32>, %b: tensor<4xf32>) -> (tensor<5x2x4xf32>, tensor<2x4xf32>) {
  %y, %last = infra.tensor_iterator %x, %h0, %w, %r, %b inputs [#infra.sliced<axis = 0, start = 0, end = -1, stride = 1, part_size = 1>, #infra.merged<result = 0>, #infra.invariant, #infra.invariant, #infra.invariant] outputs [#infra.concatenated<result = 1, axis = 0, start = 0, end = -1, stride = 1, part_size = 1>, #infra.iteration<result = 2, iteration = -1>] body_names ["x", "h", "w", "r", "b"] : (tensor<5x2x3xf32>, tensor<2x4xf32>, tensor<3x4xf32>, tensor<4x4xf32>, tensor<4xf32>) -> (tensor<5x2x4xf32>, tensor<2x4xf32>) {
  ^bb0(%xt: tensor<1x2x3xf32>, %h: tensor<2x4xf32>, %wt: tensor<3x4xf32>, %rt: tensor<4x4xf32>, %bt: tensor<4xf32>):
    %zero = nn.constant dense<[0]> : tensor<1xi64>
    %e = nn.squeeze %xt, %zero : (tensor<1x2x3xf32>, tensor<1xi64>) -> tensor<2x3xf32>
    %a = nn.mat_mul %e, %wt : (tensor<2x3xf32>, tensor<3x4xf32>) -> tensor<2x4xf32>
    %c = nn.mat_mul %h, %rt : (tensor<2x4xf32>, tensor<4x4xf32>) -> tensor<2x4xf32>
    %t = nn.add %a, %c : (tensor<2x4xf32>, tensor<2x4xf32>) -> tensor<2x4xf32>
    %s = nn.add %t, %bt : (tensor<2x4xf32>, tensor<4xf32>) -> tensor<2x4xf32>
    %n = nn.tanh %s : tensor<2x4xf32>
    %u = nn.unsqueeze %n, %zero : (tensor<2x4xf32>, tensor<1xi64>) -> tensor<1x2x4xf32>
    infra.yield %n, %u, %s : tensor<2x4xf32>, tensor<1x2x4xf32>, tensor<2x4xf32>
  }
  func.return %y, %last : tensor<5x2x4xf32>, tensor<2x4xf32>
}

// From the end to the start.
// CHECK-LABEL: func.func @backward
// CHECK-NOT:  rnn.
// CHECK:      infra.tensor_iterator
// CHECK-NOT:  rnn.
// CHECK:      func.return
func.func @backward(%x: tensor<5x2x3xf32>, %h0: tensor<2x4xf32>, %w: tensor<3x4xf32>, %r: tensor<4x4xf32>, %b: tensor<4xf32>) -> (tensor<5x2x4xf32>, tensor<2x4xf32>) {
  %y, %last = infra.tensor_iterator %x, %h0, %w, %r, %b inputs [#infra.sliced<axis = 0, start = -1, end = 0, stride = -1, part_size = 1>, #infra.merged<result = 0>, #infra.invariant, #infra.invariant, #infra.invariant] outputs [#infra.concatenated<result = 1, axis = 0, start = 0, end = -1, stride = 1, part_size = 1>, #infra.iteration<result = 0, iteration = -1>] body_names ["x", "h", "w", "r", "b"] : (tensor<5x2x3xf32>, tensor<2x4xf32>, tensor<3x4xf32>, tensor<4x4xf32>, tensor<4xf32>) -> (tensor<5x2x4xf32>, tensor<2x4xf32>) {
  ^bb0(%xt: tensor<1x2x3xf32>, %h: tensor<2x4xf32>, %wt: tensor<3x4xf32>, %rt: tensor<4x4xf32>, %bt: tensor<4xf32>):
    %zero = nn.constant dense<[0]> : tensor<1xi64>
    %e = nn.squeeze %xt, %zero : (tensor<1x2x3xf32>, tensor<1xi64>) -> tensor<2x3xf32>
    %a = nn.mat_mul %e, %wt : (tensor<2x3xf32>, tensor<3x4xf32>) -> tensor<2x4xf32>
    %c = nn.mat_mul %h, %rt : (tensor<2x4xf32>, tensor<4x4xf32>) -> tensor<2x4xf32>
    %t = nn.add %a, %c : (tensor<2x4xf32>, tensor<2x4xf32>) -> tensor<2x4xf32>
    %s = nn.add %t, %bt : (tensor<2x4xf32>, tensor<4xf32>) -> tensor<2x4xf32>
    %n = nn.tanh %s : tensor<2x4xf32>
    %u = nn.unsqueeze %n, %zero : (tensor<2x4xf32>, tensor<1xi64>) -> tensor<1x2x4xf32>
    infra.yield %n, %u : tensor<2x4xf32>, tensor<1x2x4xf32>
  }
  func.return %y, %last : tensor<5x2x4xf32>, tensor<2x4xf32>
}

// The last output comes first.
// CHECK-LABEL: func.func @outputs_backward
// CHECK-NOT:  rnn.
// CHECK:      infra.tensor_iterator
// CHECK-NOT:  rnn.
// CHECK:      func.return
func.func @outputs_backward(%x: tensor<5x2x3xf32>, %h0: tensor<2x4xf32>, %w: tensor<3x4xf32>, %r: tensor<4x4xf32>, %b: tensor<4xf32>) -> (tensor<5x2x4xf32>, tensor<2x4xf32>) {
  %y, %last = infra.tensor_iterator %x, %h0, %w, %r, %b inputs [#infra.sliced<axis = 0, start = 0, end = -1, stride = 1, part_size = 1>, #infra.merged<result = 0>, #infra.invariant, #infra.invariant, #infra.invariant] outputs [#infra.concatenated<result = 1, axis = 0, start = -1, end = 0, stride = -1, part_size = 1>, #infra.iteration<result = 0, iteration = -1>] body_names ["x", "h", "w", "r", "b"] : (tensor<5x2x3xf32>, tensor<2x4xf32>, tensor<3x4xf32>, tensor<4x4xf32>, tensor<4xf32>) -> (tensor<5x2x4xf32>, tensor<2x4xf32>) {
  ^bb0(%xt: tensor<1x2x3xf32>, %h: tensor<2x4xf32>, %wt: tensor<3x4xf32>, %rt: tensor<4x4xf32>, %bt: tensor<4xf32>):
    %zero = nn.constant dense<[0]> : tensor<1xi64>
    %e = nn.squeeze %xt, %zero : (tensor<1x2x3xf32>, tensor<1xi64>) -> tensor<2x3xf32>
    %a = nn.mat_mul %e, %wt : (tensor<2x3xf32>, tensor<3x4xf32>) -> tensor<2x4xf32>
    %c = nn.mat_mul %h, %rt : (tensor<2x4xf32>, tensor<4x4xf32>) -> tensor<2x4xf32>
    %t = nn.add %a, %c : (tensor<2x4xf32>, tensor<2x4xf32>) -> tensor<2x4xf32>
    %s = nn.add %t, %bt : (tensor<2x4xf32>, tensor<4xf32>) -> tensor<2x4xf32>
    %n = nn.tanh %s : tensor<2x4xf32>
    %u = nn.unsqueeze %n, %zero : (tensor<2x4xf32>, tensor<1xi64>) -> tensor<1x2x4xf32>
    infra.yield %n, %u : tensor<2x4xf32>, tensor<1x2x4xf32>
  }
  func.return %y, %last : tensor<5x2x4xf32>, tensor<2x4xf32>
}

// A loop over all steps is no other.
// CHECK-LABEL: func.func @all_steps
// CHECK:      [[Y:%.*]], [[H:%.*]] = rnn.rnn_sequence
// CHECK-NOT:  infra.
// CHECK:      func.return
func.func @all_steps(%x: tensor<5x2x3xf32>, %h0: tensor<2x4xf32>, %w: tensor<3x4xf32>, %r: tensor<4x4xf32>, %b: tensor<4xf32>) -> (tensor<5x2x4xf32>, tensor<2x4xf32>) {
  %trip = nn.constant dense<5> : tensor<i64>
  %go = nn.constant dense<true> : tensor<i1>
  %y, %last = infra.loop %trip, %go, %x, %h0, %w, %r, %b inputs [#infra.sliced<axis = 0, start = 0, end = -1, stride = 1, part_size = 1>, #infra.merged<result = 0>, #infra.invariant, #infra.invariant, #infra.invariant] outputs [#infra.concatenated<result = 1, axis = 0, start = 0, end = -1, stride = 1, part_size = 1>, #infra.iteration<result = 0, iteration = -1>] body_names ["x", "h", "w", "r", "b"] : (tensor<i64>, tensor<i1>, tensor<5x2x3xf32>, tensor<2x4xf32>, tensor<3x4xf32>, tensor<4x4xf32>, tensor<4xf32>) -> (tensor<5x2x4xf32>, tensor<2x4xf32>) {
  ^bb0(%xt: tensor<1x2x3xf32>, %h: tensor<2x4xf32>, %wt: tensor<3x4xf32>, %rt: tensor<4x4xf32>, %bt: tensor<4xf32>):
    %zero = nn.constant dense<[0]> : tensor<1xi64>
    %e = nn.squeeze %xt, %zero : (tensor<1x2x3xf32>, tensor<1xi64>) -> tensor<2x3xf32>
    %a = nn.mat_mul %e, %wt : (tensor<2x3xf32>, tensor<3x4xf32>) -> tensor<2x4xf32>
    %c = nn.mat_mul %h, %rt : (tensor<2x4xf32>, tensor<4x4xf32>) -> tensor<2x4xf32>
    %t = nn.add %a, %c : (tensor<2x4xf32>, tensor<2x4xf32>) -> tensor<2x4xf32>
    %s = nn.add %t, %bt : (tensor<2x4xf32>, tensor<4xf32>) -> tensor<2x4xf32>
    %n = nn.tanh %s : tensor<2x4xf32>
    %u = nn.unsqueeze %n, %zero : (tensor<2x4xf32>, tensor<1xi64>) -> tensor<1x2x4xf32>
    infra.yield %n, %u : tensor<2x4xf32>, tensor<1x2x4xf32>
  }
  func.return %y, %last : tensor<5x2x4xf32>, tensor<2x4xf32>
}

// It leaves steps out.
// CHECK-LABEL: func.func @some_steps
// CHECK-NOT:  rnn.
// CHECK:      infra.loop
// CHECK-NOT:  rnn.
// CHECK:      func.return
func.func @some_steps(%x: tensor<5x2x3xf32>, %h0: tensor<2x4xf32>, %w: tensor<3x4xf32>, %r: tensor<4x4xf32>, %b: tensor<4xf32>) -> (tensor<3x2x4xf32>, tensor<2x4xf32>) {
  %trip = nn.constant dense<3> : tensor<i64>
  %go = nn.constant dense<true> : tensor<i1>
  %y, %last = infra.loop %trip, %go, %x, %h0, %w, %r, %b inputs [#infra.sliced<axis = 0, start = 0, end = -1, stride = 1, part_size = 1>, #infra.merged<result = 0>, #infra.invariant, #infra.invariant, #infra.invariant] outputs [#infra.concatenated<result = 1, axis = 0, start = 0, end = -1, stride = 1, part_size = 1>, #infra.iteration<result = 0, iteration = -1>] body_names ["x", "h", "w", "r", "b"] : (tensor<i64>, tensor<i1>, tensor<5x2x3xf32>, tensor<2x4xf32>, tensor<3x4xf32>, tensor<4x4xf32>, tensor<4xf32>) -> (tensor<3x2x4xf32>, tensor<2x4xf32>) {
  ^bb0(%xt: tensor<1x2x3xf32>, %h: tensor<2x4xf32>, %wt: tensor<3x4xf32>, %rt: tensor<4x4xf32>, %bt: tensor<4xf32>):
    %zero = nn.constant dense<[0]> : tensor<1xi64>
    %e = nn.squeeze %xt, %zero : (tensor<1x2x3xf32>, tensor<1xi64>) -> tensor<2x3xf32>
    %a = nn.mat_mul %e, %wt : (tensor<2x3xf32>, tensor<3x4xf32>) -> tensor<2x4xf32>
    %c = nn.mat_mul %h, %rt : (tensor<2x4xf32>, tensor<4x4xf32>) -> tensor<2x4xf32>
    %t = nn.add %a, %c : (tensor<2x4xf32>, tensor<2x4xf32>) -> tensor<2x4xf32>
    %s = nn.add %t, %bt : (tensor<2x4xf32>, tensor<4xf32>) -> tensor<2x4xf32>
    %n = nn.tanh %s : tensor<2x4xf32>
    %u = nn.unsqueeze %n, %zero : (tensor<2x4xf32>, tensor<1xi64>) -> tensor<1x2x4xf32>
    infra.yield %n, %u : tensor<2x4xf32>, tensor<1x2x4xf32>
  }
  func.return %y, %last : tensor<3x2x4xf32>, tensor<2x4xf32>
}

// It ends when its body says so.
// CHECK-LABEL: func.func @until
// CHECK-NOT:  rnn.
// CHECK:      infra.loop
// CHECK-NOT:  rnn.
// CHECK:      func.return
func.func @until(%x: tensor<5x2x3xf32>, %h0: tensor<2x4xf32>, %w: tensor<3x4xf32>, %r: tensor<4x4xf32>, %b: tensor<4xf32>) -> (tensor<?x2x4xf32>, tensor<2x4xf32>) {
  %trip = nn.constant dense<5> : tensor<i64>
  %go = nn.constant dense<true> : tensor<i1>
  %y, %last = infra.loop %trip, %go, %x, %h0, %w, %r, %b inputs [#infra.sliced<axis = 0, start = 0, end = -1, stride = 1, part_size = 1>, #infra.merged<result = 0>, #infra.invariant, #infra.invariant, #infra.invariant] outputs [#infra.concatenated<result = 1, axis = 0, start = 0, end = -1, stride = 1, part_size = 1>, #infra.iteration<result = 0, iteration = -1>] body_names ["x", "h", "w", "r", "b"] {body_condition = 2 : i64} : (tensor<i64>, tensor<i1>, tensor<5x2x3xf32>, tensor<2x4xf32>, tensor<3x4xf32>, tensor<4x4xf32>, tensor<4xf32>) -> (tensor<?x2x4xf32>, tensor<2x4xf32>) {
  ^bb0(%xt: tensor<1x2x3xf32>, %h: tensor<2x4xf32>, %wt: tensor<3x4xf32>, %rt: tensor<4x4xf32>, %bt: tensor<4xf32>):
    %zero = nn.constant dense<[0]> : tensor<1xi64>
    %e = nn.squeeze %xt, %zero : (tensor<1x2x3xf32>, tensor<1xi64>) -> tensor<2x3xf32>
    %a = nn.mat_mul %e, %wt : (tensor<2x3xf32>, tensor<3x4xf32>) -> tensor<2x4xf32>
    %c = nn.mat_mul %h, %rt : (tensor<2x4xf32>, tensor<4x4xf32>) -> tensor<2x4xf32>
    %t = nn.add %a, %c : (tensor<2x4xf32>, tensor<2x4xf32>) -> tensor<2x4xf32>
    %s = nn.add %t, %bt : (tensor<2x4xf32>, tensor<4xf32>) -> tensor<2x4xf32>
    %n = nn.tanh %s : tensor<2x4xf32>
    %axes = nn.constant dense<[0, 1]> : tensor<2xi64>
    %sum = nn.reduce_sum %n, %axes : (tensor<2x4xf32>, tensor<2xi64>) -> tensor<f32>
    %limit = nn.constant dense<3.0> : tensor<f32>
    %more = nn.less %sum, %limit : (tensor<f32>, tensor<f32>) -> tensor<i1>
    %u = nn.unsqueeze %n, %zero : (tensor<2x4xf32>, tensor<1xi64>) -> tensor<1x2x4xf32>
    infra.yield %n, %u, %more : tensor<2x4xf32>, tensor<1x2x4xf32>, tensor<i1>
  }
  func.return %y, %last : tensor<?x2x4xf32>, tensor<2x4xf32>
}

// Steps that do not count give zeros.
// CHECK-LABEL: func.func @masked_zeros
// CHECK:      rnn.rnn_sequence
// CHECK-NOT:  infra.
// CHECK:      func.return
func.func @masked_zeros(%x: tensor<5x2x3xf32>, %m: tensor<5x2x1xi1>, %h0: tensor<2x4xf32>, %w: tensor<3x4xf32>, %r: tensor<4x4xf32>) -> tensor<5x2x4xf32> {
  %f = nn.constant dense<0.0> : tensor<2x4xf32>
  %y = infra.tensor_iterator %x, %m, %h0, %f, %w, %r inputs [#infra.sliced<axis = 0, start = 0, end = -1, stride = 1, part_size = 1>, #infra.sliced<axis = 0, start = 0, end = -1, stride = 1, part_size = 1>, #infra.merged<result = 0>, #infra.invariant, #infra.invariant, #infra.invariant] outputs [#infra.concatenated<result = 1, axis = 0, start = 0, end = -1, stride = 1, part_size = 1>] body_names ["x", "m", "h", "f", "w", "r"] : (tensor<5x2x3xf32>, tensor<5x2x1xi1>, tensor<2x4xf32>, tensor<2x4xf32>, tensor<3x4xf32>, tensor<4x4xf32>) -> tensor<5x2x4xf32> {
  ^bb0(%xt: tensor<1x2x3xf32>, %mt: tensor<1x2x1xi1>, %h: tensor<2x4xf32>, %ft: tensor<2x4xf32>, %wt: tensor<3x4xf32>, %rt: tensor<4x4xf32>):
    %zero = nn.constant dense<[0]> : tensor<1xi64>
    %e = nn.squeeze %xt, %zero : (tensor<1x2x3xf32>, tensor<1xi64>) -> tensor<2x3xf32>
    %k = nn.squeeze %mt, %zero : (tensor<1x2x1xi1>, tensor<1xi64>) -> tensor<2x1xi1>
    %a = nn.mat_mul %e, %wt : (tensor<2x3xf32>, tensor<3x4xf32>) -> tensor<2x4xf32>
    %c = nn.mat_mul %h, %rt : (tensor<2x4xf32>, tensor<4x4xf32>) -> tensor<2x4xf32>
    %t = nn.add %a, %c : (tensor<2x4xf32>, tensor<2x4xf32>) -> tensor<2x4xf32>
    %n = nn.tanh %t : tensor<2x4xf32>
    %g = nn.select %k, %n, %h : (tensor<2x1xi1>, tensor<2x4xf32>, tensor<2x4xf32>) -> tensor<2x4xf32>
    %o = nn.select %k, %n, %ft : (tensor<2x1xi1>, tensor<2x4xf32>, tensor<2x4xf32>) -> tensor<2x4xf32>
    %u = nn.unsqueeze %o, %zero : (tensor<2x4xf32>, tensor<1xi64>) -> tensor<1x2x4xf32>
    infra.yield %g, %u : tensor<2x4xf32>, tensor<1x2x4xf32>
  }
  func.return %y : tensor<5x2x4xf32>
}

// They give something else.
// CHECK-LABEL: func.func @masked_ones
// CHECK-NOT:  rnn.
// CHECK:      infra.tensor_iterator
// CHECK-NOT:  rnn.
// CHECK:      func.return
func.func @masked_ones(%x: tensor<5x2x3xf32>, %m: tensor<5x2x1xi1>, %h0: tensor<2x4xf32>, %w: tensor<3x4xf32>, %r: tensor<4x4xf32>) -> tensor<5x2x4xf32> {
  %f = nn.constant dense<1.0> : tensor<2x4xf32>
  %y = infra.tensor_iterator %x, %m, %h0, %f, %w, %r inputs [#infra.sliced<axis = 0, start = 0, end = -1, stride = 1, part_size = 1>, #infra.sliced<axis = 0, start = 0, end = -1, stride = 1, part_size = 1>, #infra.merged<result = 0>, #infra.invariant, #infra.invariant, #infra.invariant] outputs [#infra.concatenated<result = 1, axis = 0, start = 0, end = -1, stride = 1, part_size = 1>] body_names ["x", "m", "h", "f", "w", "r"] : (tensor<5x2x3xf32>, tensor<5x2x1xi1>, tensor<2x4xf32>, tensor<2x4xf32>, tensor<3x4xf32>, tensor<4x4xf32>) -> tensor<5x2x4xf32> {
  ^bb0(%xt: tensor<1x2x3xf32>, %mt: tensor<1x2x1xi1>, %h: tensor<2x4xf32>, %ft: tensor<2x4xf32>, %wt: tensor<3x4xf32>, %rt: tensor<4x4xf32>):
    %zero = nn.constant dense<[0]> : tensor<1xi64>
    %e = nn.squeeze %xt, %zero : (tensor<1x2x3xf32>, tensor<1xi64>) -> tensor<2x3xf32>
    %k = nn.squeeze %mt, %zero : (tensor<1x2x1xi1>, tensor<1xi64>) -> tensor<2x1xi1>
    %a = nn.mat_mul %e, %wt : (tensor<2x3xf32>, tensor<3x4xf32>) -> tensor<2x4xf32>
    %c = nn.mat_mul %h, %rt : (tensor<2x4xf32>, tensor<4x4xf32>) -> tensor<2x4xf32>
    %t = nn.add %a, %c : (tensor<2x4xf32>, tensor<2x4xf32>) -> tensor<2x4xf32>
    %n = nn.tanh %t : tensor<2x4xf32>
    %g = nn.select %k, %n, %h : (tensor<2x1xi1>, tensor<2x4xf32>, tensor<2x4xf32>) -> tensor<2x4xf32>
    %o = nn.select %k, %n, %ft : (tensor<2x1xi1>, tensor<2x4xf32>, tensor<2x4xf32>) -> tensor<2x4xf32>
    %u = nn.unsqueeze %o, %zero : (tensor<2x4xf32>, tensor<1xi64>) -> tensor<1x2x4xf32>
    infra.yield %g, %u : tensor<2x4xf32>, tensor<1x2x4xf32>
  }
  func.return %y : tensor<5x2x4xf32>
}

// Steps that do not count give the output before, which is zeros at first.
// CHECK-LABEL: func.func @masked_before
// CHECK:      rnn.rnn_sequence
// CHECK-NOT:  infra.
// CHECK:      func.return
func.func @masked_before(%x: tensor<5x2x3xf32>, %m: tensor<5x2x1xi1>, %h0: tensor<2x4xf32>, %w: tensor<3x4xf32>, %r: tensor<4x4xf32>) -> tensor<5x2x4xf32> {
  %f = nn.constant dense<0.0> : tensor<2x4xf32>
  %y = infra.tensor_iterator %x, %m, %h0, %f, %w, %r inputs [#infra.sliced<axis = 0, start = 0, end = -1, stride = 1, part_size = 1>, #infra.sliced<axis = 0, start = 0, end = -1, stride = 1, part_size = 1>, #infra.merged<result = 0>, #infra.merged<result = 2>, #infra.invariant, #infra.invariant] outputs [#infra.concatenated<result = 1, axis = 0, start = 0, end = -1, stride = 1, part_size = 1>] body_names ["x", "m", "h", "f", "w", "r"] : (tensor<5x2x3xf32>, tensor<5x2x1xi1>, tensor<2x4xf32>, tensor<2x4xf32>, tensor<3x4xf32>, tensor<4x4xf32>) -> tensor<5x2x4xf32> {
  ^bb0(%xt: tensor<1x2x3xf32>, %mt: tensor<1x2x1xi1>, %h: tensor<2x4xf32>, %ft: tensor<2x4xf32>, %wt: tensor<3x4xf32>, %rt: tensor<4x4xf32>):
    %zero = nn.constant dense<[0]> : tensor<1xi64>
    %e = nn.squeeze %xt, %zero : (tensor<1x2x3xf32>, tensor<1xi64>) -> tensor<2x3xf32>
    %k = nn.squeeze %mt, %zero : (tensor<1x2x1xi1>, tensor<1xi64>) -> tensor<2x1xi1>
    %a = nn.mat_mul %e, %wt : (tensor<2x3xf32>, tensor<3x4xf32>) -> tensor<2x4xf32>
    %c = nn.mat_mul %h, %rt : (tensor<2x4xf32>, tensor<4x4xf32>) -> tensor<2x4xf32>
    %t = nn.add %a, %c : (tensor<2x4xf32>, tensor<2x4xf32>) -> tensor<2x4xf32>
    %n = nn.tanh %t : tensor<2x4xf32>
    %g = nn.select %k, %n, %h : (tensor<2x1xi1>, tensor<2x4xf32>, tensor<2x4xf32>) -> tensor<2x4xf32>
    %o = nn.select %k, %n, %ft : (tensor<2x1xi1>, tensor<2x4xf32>, tensor<2x4xf32>) -> tensor<2x4xf32>
    %u = nn.unsqueeze %o, %zero : (tensor<2x4xf32>, tensor<1xi64>) -> tensor<1x2x4xf32>
    infra.yield %g, %u, %o : tensor<2x4xf32>, tensor<1x2x4xf32>, tensor<2x4xf32>
  }
  func.return %y : tensor<5x2x4xf32>
}

// It is something else at first.
// CHECK-LABEL: func.func @masked_before_ones
// CHECK-NOT:  rnn.
// CHECK:      infra.tensor_iterator
// CHECK-NOT:  rnn.
// CHECK:      func.return
func.func @masked_before_ones(%x: tensor<5x2x3xf32>, %m: tensor<5x2x1xi1>, %h0: tensor<2x4xf32>, %w: tensor<3x4xf32>, %r: tensor<4x4xf32>) -> tensor<5x2x4xf32> {
  %f = nn.constant dense<1.0> : tensor<2x4xf32>
  %y = infra.tensor_iterator %x, %m, %h0, %f, %w, %r inputs [#infra.sliced<axis = 0, start = 0, end = -1, stride = 1, part_size = 1>, #infra.sliced<axis = 0, start = 0, end = -1, stride = 1, part_size = 1>, #infra.merged<result = 0>, #infra.merged<result = 2>, #infra.invariant, #infra.invariant] outputs [#infra.concatenated<result = 1, axis = 0, start = 0, end = -1, stride = 1, part_size = 1>] body_names ["x", "m", "h", "f", "w", "r"] : (tensor<5x2x3xf32>, tensor<5x2x1xi1>, tensor<2x4xf32>, tensor<2x4xf32>, tensor<3x4xf32>, tensor<4x4xf32>) -> tensor<5x2x4xf32> {
  ^bb0(%xt: tensor<1x2x3xf32>, %mt: tensor<1x2x1xi1>, %h: tensor<2x4xf32>, %ft: tensor<2x4xf32>, %wt: tensor<3x4xf32>, %rt: tensor<4x4xf32>):
    %zero = nn.constant dense<[0]> : tensor<1xi64>
    %e = nn.squeeze %xt, %zero : (tensor<1x2x3xf32>, tensor<1xi64>) -> tensor<2x3xf32>
    %k = nn.squeeze %mt, %zero : (tensor<1x2x1xi1>, tensor<1xi64>) -> tensor<2x1xi1>
    %a = nn.mat_mul %e, %wt : (tensor<2x3xf32>, tensor<3x4xf32>) -> tensor<2x4xf32>
    %c = nn.mat_mul %h, %rt : (tensor<2x4xf32>, tensor<4x4xf32>) -> tensor<2x4xf32>
    %t = nn.add %a, %c : (tensor<2x4xf32>, tensor<2x4xf32>) -> tensor<2x4xf32>
    %n = nn.tanh %t : tensor<2x4xf32>
    %g = nn.select %k, %n, %h : (tensor<2x1xi1>, tensor<2x4xf32>, tensor<2x4xf32>) -> tensor<2x4xf32>
    %o = nn.select %k, %n, %ft : (tensor<2x1xi1>, tensor<2x4xf32>, tensor<2x4xf32>) -> tensor<2x4xf32>
    %u = nn.unsqueeze %o, %zero : (tensor<2x4xf32>, tensor<1xi64>) -> tensor<1x2x4xf32>
    infra.yield %g, %u, %o : tensor<2x4xf32>, tensor<1x2x4xf32>, tensor<2x4xf32>
  }
  func.return %y : tensor<5x2x4xf32>
}

// What they give is the state of something else.
// CHECK-LABEL: func.func @masked_other
// CHECK-NOT:  rnn.
// CHECK:      infra.tensor_iterator
// CHECK-NOT:  rnn.
// CHECK:      func.return
func.func @masked_other(%x: tensor<5x2x3xf32>, %m: tensor<5x2x1xi1>, %h0: tensor<2x4xf32>, %w: tensor<3x4xf32>, %r: tensor<4x4xf32>) -> tensor<5x2x4xf32> {
  %f = nn.constant dense<0.0> : tensor<2x4xf32>
  %y = infra.tensor_iterator %x, %m, %h0, %f, %w, %r inputs [#infra.sliced<axis = 0, start = 0, end = -1, stride = 1, part_size = 1>, #infra.sliced<axis = 0, start = 0, end = -1, stride = 1, part_size = 1>, #infra.merged<result = 0>, #infra.merged<result = 2>, #infra.invariant, #infra.invariant] outputs [#infra.concatenated<result = 1, axis = 0, start = 0, end = -1, stride = 1, part_size = 1>] body_names ["x", "m", "h", "f", "w", "r"] : (tensor<5x2x3xf32>, tensor<5x2x1xi1>, tensor<2x4xf32>, tensor<2x4xf32>, tensor<3x4xf32>, tensor<4x4xf32>) -> tensor<5x2x4xf32> {
  ^bb0(%xt: tensor<1x2x3xf32>, %mt: tensor<1x2x1xi1>, %h: tensor<2x4xf32>, %ft: tensor<2x4xf32>, %wt: tensor<3x4xf32>, %rt: tensor<4x4xf32>):
    %zero = nn.constant dense<[0]> : tensor<1xi64>
    %e = nn.squeeze %xt, %zero : (tensor<1x2x3xf32>, tensor<1xi64>) -> tensor<2x3xf32>
    %k = nn.squeeze %mt, %zero : (tensor<1x2x1xi1>, tensor<1xi64>) -> tensor<2x1xi1>
    %a = nn.mat_mul %e, %wt : (tensor<2x3xf32>, tensor<3x4xf32>) -> tensor<2x4xf32>
    %c = nn.mat_mul %h, %rt : (tensor<2x4xf32>, tensor<4x4xf32>) -> tensor<2x4xf32>
    %t = nn.add %a, %c : (tensor<2x4xf32>, tensor<2x4xf32>) -> tensor<2x4xf32>
    %n = nn.tanh %t : tensor<2x4xf32>
    %g = nn.select %k, %n, %h : (tensor<2x1xi1>, tensor<2x4xf32>, tensor<2x4xf32>) -> tensor<2x4xf32>
    %o = nn.select %k, %n, %ft : (tensor<2x1xi1>, tensor<2x4xf32>, tensor<2x4xf32>) -> tensor<2x4xf32>
    %u = nn.unsqueeze %o, %zero : (tensor<2x4xf32>, tensor<1xi64>) -> tensor<1x2x4xf32>
    infra.yield %g, %u, %n : tensor<2x4xf32>, tensor<1x2x4xf32>, tensor<2x4xf32>
  }
  func.return %y : tensor<5x2x4xf32>
}

// A step of an LSTM.
// CHECK-LABEL: func.func @long_memory
// CHECK:      rnn.lstm_sequence
// CHECK-NOT:  infra.
// CHECK:      func.return
func.func @long_memory(%x: tensor<5x2x3xf32>, %w: tensor<3x4xf32>, %r: tensor<4x4xf32>, %h0: tensor<2x4xf32>, %c0: tensor<2x4xf32>) -> tensor<2x4xf32> {
  %last = infra.tensor_iterator %x, %w, %r, %h0, %c0 inputs [#infra.sliced<axis = 0, start = 0, end = -1, stride = 1, part_size = 1>, #infra.invariant, #infra.invariant, #infra.merged<result = 0>, #infra.merged<result = 1>] outputs [#infra.iteration<result = 0, iteration = -1>] body_names ["X", "W", "R", "H", "C"] : (tensor<5x2x3xf32>, tensor<3x4xf32>, tensor<4x4xf32>, tensor<2x4xf32>, tensor<2x4xf32>) -> tensor<2x4xf32> {
  ^bb0(%xt: tensor<1x2x3xf32>, %wt: tensor<3x4xf32>, %rt: tensor<4x4xf32>, %h: tensor<2x4xf32>, %c: tensor<2x4xf32>):
    %zero = nn.constant dense<[0]> : tensor<1xi64>
    %e = nn.squeeze %xt, %zero : (tensor<1x2x3xf32>, tensor<1xi64>) -> tensor<2x3xf32>
    %a = nn.mat_mul %e, %wt : (tensor<2x3xf32>, tensor<3x4xf32>) -> tensor<2x4xf32>
    %fh = nn.mat_mul %h, %rt : (tensor<2x4xf32>, tensor<4x4xf32>) -> tensor<2x4xf32>
    %fs = nn.add %a, %fh : (tensor<2x4xf32>, tensor<2x4xf32>) -> tensor<2x4xf32>
    %f = nn.sigmoid %fs : tensor<2x4xf32>
    %ih = nn.mat_mul %h, %rt : (tensor<2x4xf32>, tensor<4x4xf32>) -> tensor<2x4xf32>
    %is = nn.add %a, %ih : (tensor<2x4xf32>, tensor<2x4xf32>) -> tensor<2x4xf32>
    %i = nn.sigmoid %is : tensor<2x4xf32>
    %gh = nn.mat_mul %h, %rt : (tensor<2x4xf32>, tensor<4x4xf32>) -> tensor<2x4xf32>
    %gs = nn.add %a, %gh : (tensor<2x4xf32>, tensor<2x4xf32>) -> tensor<2x4xf32>
    %g = nn.tanh %gs : tensor<2x4xf32>
    %oh = nn.mat_mul %h, %rt : (tensor<2x4xf32>, tensor<4x4xf32>) -> tensor<2x4xf32>
    %os = nn.add %a, %oh : (tensor<2x4xf32>, tensor<2x4xf32>) -> tensor<2x4xf32>
    %o = nn.sigmoid %os : tensor<2x4xf32>
    %k = nn.multiply %f, %c : (tensor<2x4xf32>, tensor<2x4xf32>) -> tensor<2x4xf32>
    %n = nn.multiply %i, %g : (tensor<2x4xf32>, tensor<2x4xf32>) -> tensor<2x4xf32>
    %cn = nn.add %k, %n : (tensor<2x4xf32>, tensor<2x4xf32>) -> tensor<2x4xf32>
    %t = nn.tanh %cn : tensor<2x4xf32>
    %hn = nn.multiply %o, %t : (tensor<2x4xf32>, tensor<2x4xf32>) -> tensor<2x4xf32>
    infra.yield %hn, %cn : tensor<2x4xf32>, tensor<2x4xf32>
  }
  func.return %last : tensor<2x4xf32>
}

// It keeps its output, not its cell state.
// CHECK-LABEL: func.func @other_memory
// CHECK-NOT:  rnn.
// CHECK:      infra.tensor_iterator
// CHECK-NOT:  rnn.
// CHECK:      func.return
func.func @other_memory(%x: tensor<5x2x3xf32>, %w: tensor<3x4xf32>, %r: tensor<4x4xf32>, %h0: tensor<2x4xf32>, %c0: tensor<2x4xf32>) -> tensor<2x4xf32> {
  %last = infra.tensor_iterator %x, %w, %r, %h0, %c0 inputs [#infra.sliced<axis = 0, start = 0, end = -1, stride = 1, part_size = 1>, #infra.invariant, #infra.invariant, #infra.merged<result = 0>, #infra.merged<result = 1>] outputs [#infra.iteration<result = 0, iteration = -1>] body_names ["X", "W", "R", "H", "C"] : (tensor<5x2x3xf32>, tensor<3x4xf32>, tensor<4x4xf32>, tensor<2x4xf32>, tensor<2x4xf32>) -> tensor<2x4xf32> {
  ^bb0(%xt: tensor<1x2x3xf32>, %wt: tensor<3x4xf32>, %rt: tensor<4x4xf32>, %h: tensor<2x4xf32>, %c: tensor<2x4xf32>):
    %zero = nn.constant dense<[0]> : tensor<1xi64>
    %e = nn.squeeze %xt, %zero : (tensor<1x2x3xf32>, tensor<1xi64>) -> tensor<2x3xf32>
    %a = nn.mat_mul %e, %wt : (tensor<2x3xf32>, tensor<3x4xf32>) -> tensor<2x4xf32>
    %fh = nn.mat_mul %h, %rt : (tensor<2x4xf32>, tensor<4x4xf32>) -> tensor<2x4xf32>
    %fs = nn.add %a, %fh : (tensor<2x4xf32>, tensor<2x4xf32>) -> tensor<2x4xf32>
    %f = nn.sigmoid %fs : tensor<2x4xf32>
    %ih = nn.mat_mul %h, %rt : (tensor<2x4xf32>, tensor<4x4xf32>) -> tensor<2x4xf32>
    %is = nn.add %a, %ih : (tensor<2x4xf32>, tensor<2x4xf32>) -> tensor<2x4xf32>
    %i = nn.sigmoid %is : tensor<2x4xf32>
    %gh = nn.mat_mul %h, %rt : (tensor<2x4xf32>, tensor<4x4xf32>) -> tensor<2x4xf32>
    %gs = nn.add %a, %gh : (tensor<2x4xf32>, tensor<2x4xf32>) -> tensor<2x4xf32>
    %g = nn.tanh %gs : tensor<2x4xf32>
    %oh = nn.mat_mul %h, %rt : (tensor<2x4xf32>, tensor<4x4xf32>) -> tensor<2x4xf32>
    %os = nn.add %a, %oh : (tensor<2x4xf32>, tensor<2x4xf32>) -> tensor<2x4xf32>
    %o = nn.sigmoid %os : tensor<2x4xf32>
    %k = nn.multiply %f, %h : (tensor<2x4xf32>, tensor<2x4xf32>) -> tensor<2x4xf32>
    %n = nn.multiply %i, %g : (tensor<2x4xf32>, tensor<2x4xf32>) -> tensor<2x4xf32>
    %cn = nn.add %k, %n : (tensor<2x4xf32>, tensor<2x4xf32>) -> tensor<2x4xf32>
    %t = nn.tanh %cn : tensor<2x4xf32>
    %hn = nn.multiply %o, %t : (tensor<2x4xf32>, tensor<2x4xf32>) -> tensor<2x4xf32>
    infra.yield %hn, %cn : tensor<2x4xf32>, tensor<2x4xf32>
  }
  func.return %last : tensor<2x4xf32>
}

// rnn has one activation for all gates.
// CHECK-LABEL: func.func @other_gate
// CHECK-NOT:  rnn.
// CHECK:      infra.tensor_iterator
// CHECK-NOT:  rnn.
// CHECK:      func.return
func.func @other_gate(%x: tensor<5x2x3xf32>, %w: tensor<3x4xf32>, %r: tensor<4x4xf32>, %h0: tensor<2x4xf32>, %c0: tensor<2x4xf32>) -> tensor<2x4xf32> {
  %last = infra.tensor_iterator %x, %w, %r, %h0, %c0 inputs [#infra.sliced<axis = 0, start = 0, end = -1, stride = 1, part_size = 1>, #infra.invariant, #infra.invariant, #infra.merged<result = 0>, #infra.merged<result = 1>] outputs [#infra.iteration<result = 0, iteration = -1>] body_names ["X", "W", "R", "H", "C"] : (tensor<5x2x3xf32>, tensor<3x4xf32>, tensor<4x4xf32>, tensor<2x4xf32>, tensor<2x4xf32>) -> tensor<2x4xf32> {
  ^bb0(%xt: tensor<1x2x3xf32>, %wt: tensor<3x4xf32>, %rt: tensor<4x4xf32>, %h: tensor<2x4xf32>, %c: tensor<2x4xf32>):
    %zero = nn.constant dense<[0]> : tensor<1xi64>
    %e = nn.squeeze %xt, %zero : (tensor<1x2x3xf32>, tensor<1xi64>) -> tensor<2x3xf32>
    %a = nn.mat_mul %e, %wt : (tensor<2x3xf32>, tensor<3x4xf32>) -> tensor<2x4xf32>
    %fh = nn.mat_mul %h, %rt : (tensor<2x4xf32>, tensor<4x4xf32>) -> tensor<2x4xf32>
    %fs = nn.add %a, %fh : (tensor<2x4xf32>, tensor<2x4xf32>) -> tensor<2x4xf32>
    %f = nn.sigmoid %fs : tensor<2x4xf32>
    %ih = nn.mat_mul %h, %rt : (tensor<2x4xf32>, tensor<4x4xf32>) -> tensor<2x4xf32>
    %is = nn.add %a, %ih : (tensor<2x4xf32>, tensor<2x4xf32>) -> tensor<2x4xf32>
    %i = nn.relu %is : tensor<2x4xf32>
    %gh = nn.mat_mul %h, %rt : (tensor<2x4xf32>, tensor<4x4xf32>) -> tensor<2x4xf32>
    %gs = nn.add %a, %gh : (tensor<2x4xf32>, tensor<2x4xf32>) -> tensor<2x4xf32>
    %g = nn.tanh %gs : tensor<2x4xf32>
    %oh = nn.mat_mul %h, %rt : (tensor<2x4xf32>, tensor<4x4xf32>) -> tensor<2x4xf32>
    %os = nn.add %a, %oh : (tensor<2x4xf32>, tensor<2x4xf32>) -> tensor<2x4xf32>
    %o = nn.sigmoid %os : tensor<2x4xf32>
    %k = nn.multiply %f, %c : (tensor<2x4xf32>, tensor<2x4xf32>) -> tensor<2x4xf32>
    %n = nn.multiply %i, %g : (tensor<2x4xf32>, tensor<2x4xf32>) -> tensor<2x4xf32>
    %cn = nn.add %k, %n : (tensor<2x4xf32>, tensor<2x4xf32>) -> tensor<2x4xf32>
    %t = nn.tanh %cn : tensor<2x4xf32>
    %hn = nn.multiply %o, %t : (tensor<2x4xf32>, tensor<2x4xf32>) -> tensor<2x4xf32>
    infra.yield %hn, %cn : tensor<2x4xf32>, tensor<2x4xf32>
  }
  func.return %last : tensor<2x4xf32>
}

// A step of a GRU.
// CHECK-LABEL: func.func @gated
// CHECK:      rnn.gru_sequence
// CHECK-NOT:  infra.
// CHECK:      func.return
func.func @gated(%x: tensor<5x2x3xf32>, %w: tensor<3x4xf32>, %r: tensor<4x4xf32>, %h0: tensor<2x4xf32>) -> tensor<2x4xf32> {
  %last = infra.tensor_iterator %x, %w, %r, %h0 inputs [#infra.sliced<axis = 0, start = 0, end = -1, stride = 1, part_size = 1>, #infra.invariant, #infra.invariant, #infra.merged<result = 0>] outputs [#infra.iteration<result = 0, iteration = -1>] body_names ["X", "W", "R", "H"] : (tensor<5x2x3xf32>, tensor<3x4xf32>, tensor<4x4xf32>, tensor<2x4xf32>) -> tensor<2x4xf32> {
  ^bb0(%xt: tensor<1x2x3xf32>, %wt: tensor<3x4xf32>, %rt: tensor<4x4xf32>, %h: tensor<2x4xf32>):
    %zero = nn.constant dense<[0]> : tensor<1xi64>
    %e = nn.squeeze %xt, %zero : (tensor<1x2x3xf32>, tensor<1xi64>) -> tensor<2x3xf32>
    %a = nn.mat_mul %e, %wt : (tensor<2x3xf32>, tensor<3x4xf32>) -> tensor<2x4xf32>
    %zh = nn.mat_mul %h, %rt : (tensor<2x4xf32>, tensor<4x4xf32>) -> tensor<2x4xf32>
    %zs = nn.add %a, %zh : (tensor<2x4xf32>, tensor<2x4xf32>) -> tensor<2x4xf32>
    %z = nn.sigmoid %zs : tensor<2x4xf32>
    %qh = nn.mat_mul %h, %rt : (tensor<2x4xf32>, tensor<4x4xf32>) -> tensor<2x4xf32>
    %qs = nn.add %a, %qh : (tensor<2x4xf32>, tensor<2x4xf32>) -> tensor<2x4xf32>
    %q = nn.sigmoid %qs : tensor<2x4xf32>
    %u = nn.multiply %z, %h : (tensor<2x4xf32>, tensor<2x4xf32>) -> tensor<2x4xf32>
    %qh2 = nn.multiply %q, %h : (tensor<2x4xf32>, tensor<2x4xf32>) -> tensor<2x4xf32>
    %gh = nn.mat_mul %qh2, %rt : (tensor<2x4xf32>, tensor<4x4xf32>) -> tensor<2x4xf32>
    %gs = nn.add %a, %gh : (tensor<2x4xf32>, tensor<2x4xf32>) -> tensor<2x4xf32>
    %g = nn.tanh %gs : tensor<2x4xf32>
    %one = nn.constant dense<1.0> : tensor<f32>
    %v = nn.subtract %one, %z : (tensor<f32>, tensor<2x4xf32>) -> tensor<2x4xf32>
    %n = nn.multiply %v, %g : (tensor<2x4xf32>, tensor<2x4xf32>) -> tensor<2x4xf32>
    %hn = nn.add %u, %n : (tensor<2x4xf32>, tensor<2x4xf32>) -> tensor<2x4xf32>
    infra.yield %hn : tensor<2x4xf32>
  }
  func.return %last : tensor<2x4xf32>
}

// What the update leaves is not what enters.
// CHECK-LABEL: func.func @other_rest
// CHECK-NOT:  rnn.
// CHECK:      infra.tensor_iterator
// CHECK-NOT:  rnn.
// CHECK:      func.return
func.func @other_rest(%x: tensor<5x2x3xf32>, %w: tensor<3x4xf32>, %r: tensor<4x4xf32>, %h0: tensor<2x4xf32>) -> tensor<2x4xf32> {
  %last = infra.tensor_iterator %x, %w, %r, %h0 inputs [#infra.sliced<axis = 0, start = 0, end = -1, stride = 1, part_size = 1>, #infra.invariant, #infra.invariant, #infra.merged<result = 0>] outputs [#infra.iteration<result = 0, iteration = -1>] body_names ["X", "W", "R", "H"] : (tensor<5x2x3xf32>, tensor<3x4xf32>, tensor<4x4xf32>, tensor<2x4xf32>) -> tensor<2x4xf32> {
  ^bb0(%xt: tensor<1x2x3xf32>, %wt: tensor<3x4xf32>, %rt: tensor<4x4xf32>, %h: tensor<2x4xf32>):
    %zero = nn.constant dense<[0]> : tensor<1xi64>
    %e = nn.squeeze %xt, %zero : (tensor<1x2x3xf32>, tensor<1xi64>) -> tensor<2x3xf32>
    %a = nn.mat_mul %e, %wt : (tensor<2x3xf32>, tensor<3x4xf32>) -> tensor<2x4xf32>
    %zh = nn.mat_mul %h, %rt : (tensor<2x4xf32>, tensor<4x4xf32>) -> tensor<2x4xf32>
    %zs = nn.add %a, %zh : (tensor<2x4xf32>, tensor<2x4xf32>) -> tensor<2x4xf32>
    %z = nn.sigmoid %zs : tensor<2x4xf32>
    %qh = nn.mat_mul %h, %rt : (tensor<2x4xf32>, tensor<4x4xf32>) -> tensor<2x4xf32>
    %qs = nn.add %a, %qh : (tensor<2x4xf32>, tensor<2x4xf32>) -> tensor<2x4xf32>
    %q = nn.sigmoid %qs : tensor<2x4xf32>
    %u = nn.multiply %z, %h : (tensor<2x4xf32>, tensor<2x4xf32>) -> tensor<2x4xf32>
    %qh2 = nn.multiply %q, %h : (tensor<2x4xf32>, tensor<2x4xf32>) -> tensor<2x4xf32>
    %gh = nn.mat_mul %qh2, %rt : (tensor<2x4xf32>, tensor<4x4xf32>) -> tensor<2x4xf32>
    %gs = nn.add %a, %gh : (tensor<2x4xf32>, tensor<2x4xf32>) -> tensor<2x4xf32>
    %g = nn.tanh %gs : tensor<2x4xf32>
    %one = nn.constant dense<1.0> : tensor<f32>
    %v = nn.subtract %one, %g : (tensor<f32>, tensor<2x4xf32>) -> tensor<2x4xf32>
    %n = nn.multiply %v, %g : (tensor<2x4xf32>, tensor<2x4xf32>) -> tensor<2x4xf32>
    %hn = nn.add %u, %n : (tensor<2x4xf32>, tensor<2x4xf32>) -> tensor<2x4xf32>
    infra.yield %hn : tensor<2x4xf32>
  }
  func.return %last : tensor<2x4xf32>
}
