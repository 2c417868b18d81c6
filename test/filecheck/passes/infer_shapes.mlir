// RUN: opt-tool %s --allow-unregistered-dialect --infer-shapes | filecheck %s

// Types follow from the inputs; what said more than that becomes unknown, and so does the function's result.
// CHECK-LABEL: func.func @forward
// CHECK-SAME:    (%x: tensor<?x4xf32>, %y: tensor<2x4xf32>) -> (tensor<?x4xf32>, tensor<2x4xf32>)
// CHECK-NEXT:    nn.add %x, %x : (tensor<?x4xf32>, tensor<?x4xf32>) -> tensor<?x4xf32>
// CHECK-NEXT:    nn.add %y, %y : (tensor<2x4xf32>, tensor<2x4xf32>) -> tensor<2x4xf32>
func.func @forward(%x: tensor<?x4xf32>, %y: tensor<2x4xf32>) -> (tensor<1x4xf32>, tensor<?x4xf32>) {
  %a = nn.add %x, %x : (tensor<?x4xf32>, tensor<?x4xf32>) -> tensor<1x4xf32>
  %b = nn.add %y, %y : (tensor<2x4xf32>, tensor<2x4xf32>) -> tensor<?x4xf32>
  func.return %a, %b : tensor<1x4xf32>, tensor<?x4xf32>
}

// A shape that is computed from known shapes is known …
// CHECK-LABEL: func.func @computed
// CHECK:         nn.reshape %x, {{.*}} -> tensor<6x2xf32>
// CHECK:         nn.broadcast {{.*}} -> tensor<2x3x2xf32>
func.func @computed(%x: tensor<2x3x2xf32>, %s: tensor<f32>) -> (tensor<?x?xf32>, tensor<?x?x?xf32>) {
  %shape = nn.shape_of %x : tensor<2x3x2xf32> -> tensor<3xi64>
  %axis = nn.constant dense<0> : tensor<i64>
  %parts:3 = nn.split %shape, %axis {num_splits = 3 : i64} : (tensor<3xi64>, tensor<i64>) -> (tensor<1xi64>, tensor<1xi64>, tensor<1xi64>)
  %rows = nn.multiply %parts#0, %parts#1 : (tensor<1xi64>, tensor<1xi64>) -> tensor<1xi64>
  %target = nn.concat %rows, %parts#2 {axis = 0 : i64} : (tensor<1xi64>, tensor<1xi64>) -> tensor<2xi64>
  %y = nn.reshape %x, %target : (tensor<2x3x2xf32>, tensor<2xi64>) -> tensor<?x?xf32>
  %z = nn.broadcast %s, %shape : (tensor<f32>, tensor<3xi64>) -> tensor<?x?x?xf32>
  func.return %y, %z : tensor<?x?xf32>, tensor<?x?x?xf32>
}

// … what of it depends on data or on an unknown dimension is not.
// CHECK-LABEL: func.func @data
// CHECK:         nn.reshape %x, %target : {{.*}} -> tensor<?x?xf32>
// CHECK:         nn.broadcast {{.*}} -> tensor<?x3xf32>
func.func @data(%x: tensor<2x3xf32>, %target: tensor<2xi64>, %u: tensor<?x3xf32>, %s: tensor<f32>) -> (tensor<2x3xf32>, tensor<?x3xf32>) {
  %y = nn.reshape %x, %target : (tensor<2x3xf32>, tensor<2xi64>) -> tensor<2x3xf32>
  %shape = nn.shape_of %u : tensor<?x3xf32> -> tensor<2xi64>
  %z = nn.broadcast %s, %shape : (tensor<f32>, tensor<2xi64>) -> tensor<?x3xf32>
  func.return %y, %z : tensor<2x3xf32>, tensor<?x3xf32>
}

// Body arguments follow from the ports: parts, invariants, and what comes back from the last iteration.
// CHECK-LABEL: func.func @body
// CHECK:         %y, %h = infra.tensor_iterator
// CHECK-SAME:      -> (tensor<6x2x4xf32>, tensor<2x4xf32>)
// CHECK-NEXT:    ^bb0(%xt: tensor<2x2x4xf32>, %wt: tensor<4xf32>, %ht: tensor<2x4xf32>):
func.func @body(%x: tensor<6x2x4xf32>, %w: tensor<4xf32>, %h0: tensor<2x4xf32>) -> (tensor<?x?x4xf32>, tensor<?x4xf32>) {
  %y, %h = infra.tensor_iterator %x, %w, %h0
      inputs [#infra.sliced<axis = 0, start = 0, end = -1, stride = 2, part_size = 2>, #infra.invariant, #infra.merged<result = 1>]
      outputs [#infra.concatenated<result = 0, axis = 0, start = 0, end = -1, stride = 2, part_size = 2>, #infra.iteration<result = 1, iteration = -1>]
      body_names ["X", "W", "H"] : (tensor<6x2x4xf32>, tensor<4xf32>, tensor<2x4xf32>) -> (tensor<?x?x4xf32>, tensor<?x4xf32>) {
  ^bb0(%xt: tensor<2x?x4xf32>, %wt: tensor<?xf32>, %ht: tensor<?x4xf32>):
    %y = nn.tanh %xt : tensor<2x?x4xf32>
    %h = nn.multiply %ht, %wt : (tensor<?x4xf32>, tensor<?xf32>) -> tensor<?x4xf32>
    infra.yield %y, %h : tensor<2x?x4xf32>, tensor<?x4xf32>
  }
  func.return %y, %h : tensor<?x?x4xf32>, tensor<?x4xf32>
}

// What grows from one iteration to the next has no known size.
// CHECK-LABEL: func.func @grows
// CHECK:         infra.tensor_iterator {{.*}} -> tensor<?xf32>
// CHECK-NEXT:    ^bb0(%xt: tensor<1xf32>, %ht: tensor<?xf32>):
func.func @grows(%x: tensor<3xf32>, %h0: tensor<1xf32>) -> tensor<?xf32> {
  %h = infra.tensor_iterator %x, %h0
      inputs [#infra.sliced<axis = 0, start = 0, end = -1, stride = 1, part_size = 1>, #infra.merged<result = 0>]
      outputs [#infra.iteration<result = 0, iteration = -1>]
      body_names ["X", "H"] : (tensor<3xf32>, tensor<1xf32>) -> tensor<?xf32> {
  ^bb0(%xt: tensor<1xf32>, %ht: tensor<?xf32>):
    %h = nn.concat %xt, %ht {axis = 0 : i64} : (tensor<1xf32>, tensor<?xf32>) -> tensor<?xf32>
    infra.yield %h : tensor<?xf32>
  }
  func.return %h : tensor<?xf32>
}

// A state has the type it is declared with.
// CHECK-LABEL: func.func @state
// CHECK:         infra.read_value @s, %x : tensor<2x4xf32> -> tensor<?x4xf32>
// CHECK-NEXT:    nn.relu {{.*}} : tensor<?x4xf32>
infra.variable @s : tensor<?x4xf32>
func.func @state(%x: tensor<2x4xf32>) -> tensor<2x4xf32> {
  %s = infra.read_value @s, %x : tensor<2x4xf32> -> tensor<2x4xf32>
  %y = nn.relu %s : tensor<2x4xf32>
  func.return %y : tensor<2x4xf32>
}

// Foreign operations stay as they are; ours inside of them do not.
// CHECK-LABEL: func.func @foreign
// CHECK:         "other.op"() ({
// CHECK-NEXT:    ^{{.*}}(%a: tensor<2xf32>, %b: tensor<1xf32>):
// CHECK-NEXT:      nn.add %a, %b : (tensor<2xf32>, tensor<1xf32>) -> tensor<2xf32>
// CHECK:         }) : () -> tensor<?xf32>
// CHECK-NEXT:    nn.relu {{.*}} : tensor<?xf32>
func.func @foreign() -> tensor<?xf32> {
  %x = "other.op"() ({
  ^bb0(%a: tensor<2xf32>, %b: tensor<1xf32>):
    %c = nn.add %a, %b : (tensor<2xf32>, tensor<1xf32>) -> tensor<?xf32>
    "other.end"(%c) : (tensor<?xf32>) -> ()
  }) : () -> tensor<?xf32>
  %y = nn.relu %x : tensor<?xf32>
  func.return %y : tensor<?xf32>
}

// Loops and branches: bodies get their types from outside, a loop's count of iterations keeps its own.
// CHECK-LABEL: func.func @control
// CHECK:         infra.loop {{.*}} -> tensor<6x4xf32>
// CHECK-NEXT:    ^bb0(%xt: tensor<2x4xf32>, %i: tensor<i64>):
// CHECK:         infra.if {{.*}} -> tensor<?x4xf32>
// CHECK-NEXT:    ^bb0(%a: tensor<2x4xf32>, %b: tensor<3x4xf32>):
func.func @control(%x: tensor<2x4xf32>, %y: tensor<3x4xf32>, %c: tensor<i1>) -> (tensor<?x4xf32>, tensor<2x4xf32>) {
  %trip = nn.constant dense<3> : tensor<i64>
  %true = nn.constant dense<true> : tensor<i1>
  %l = infra.loop %trip, %true, %x inputs [#infra.invariant]
      outputs [#infra.concatenated<result = 0, axis = 0, start = 0, end = -1, stride = 1, part_size = 2>]
      body_names ["X"] {current_iteration} : (tensor<i64>, tensor<i1>, tensor<2x4xf32>) -> tensor<?x4xf32> {
  ^bb0(%xt: tensor<?x4xf32>, %i: tensor<i64>):
    %t = nn.tanh %xt : tensor<?x4xf32>
    infra.yield %t : tensor<?x4xf32>
  }
  %f = infra.if %c, %x, %y : (tensor<i1>, tensor<2x4xf32>, tensor<3x4xf32>) -> tensor<2x4xf32> {
  ^bb0(%a: tensor<2x4xf32>, %b: tensor<?x4xf32>):
    infra.yield %a : tensor<2x4xf32>
  } else {
  ^bb1(%a: tensor<2x4xf32>, %b: tensor<?x4xf32>):
    infra.yield %b : tensor<?x4xf32>
  }
  func.return %l, %f : tensor<?x4xf32>, tensor<2x4xf32>
}

// What is known of a target shape's elements is known of the result, whatever the others are.
// CHECK-LABEL: func.func @partly
// CHECK:         nn.broadcast %s, {{.*}} -> tensor<?x5x7xf32>
// CHECK:         nn.broadcast %s, {{.*}} -> tensor<?x5xf32>
func.func @partly(%x: tensor<?x5xf32>, %s: tensor<f32>) -> (tensor<?x?x?xf32>, tensor<?x?xf32>) {
  %shape = nn.shape_of %x {output_type = i32} : tensor<?x5xf32> -> tensor<2xi32>
  %seven = nn.constant dense<7> : tensor<1xi32>
  %target = nn.concat %shape, %seven {axis = 0 : i64} : (tensor<2xi32>, tensor<1xi32>) -> tensor<3xi32>
  %long = nn.convert %target to i64 : tensor<3xi32> -> tensor<3xi64>
  %y = nn.broadcast %s, %long : (tensor<f32>, tensor<3xi64>) -> tensor<?x?x?xf32>
  %z = nn.broadcast %s, %shape : (tensor<f32>, tensor<2xi32>) -> tensor<?x?xf32>
  func.return %y, %z : tensor<?x?x?xf32>, tensor<?x?xf32>
}

// So it is of what is taken of a shape, and of a reshape; where the target's 0 stands for a dimension, only that is known.
// CHECK-LABEL: func.func @taken
// CHECK:         nn.reshape {{.*}} -> tensor<?x5xf32>
// CHECK:         nn.reshape {{.*}} -> tensor<?x?xf32>
// CHECK:         nn.broadcast {{.*}} -> tensor<5xf32>
// CHECK:         nn.broadcast {{.*}} -> tensor<?xf32>
func.func @taken(%x: tensor<?x5xf32>, %e: tensor<?x0xf32>, %s: tensor<f32>) -> (tensor<?x?xf32>, tensor<?x?xf32>, tensor<?xf32>, tensor<?xf32>) {
  %shape = nn.shape_of %x {output_type = i64} : tensor<?x5xf32> -> tensor<2xi64>
  %empty = nn.shape_of %e {output_type = i64} : tensor<?x0xf32> -> tensor<2xi64>
  %zero = nn.constant dense<0> : tensor<i64>
  %first = nn.constant dense<0> : tensor<1xi64>
  %last = nn.constant dense<1> : tensor<1xi64>
  %steps = nn.gather %shape, %last, %zero {batch_dims = 0 : i64} : (tensor<2xi64>, tensor<1xi64>, tensor<i64>) -> tensor<1xi64>
  %batch = nn.gather %shape, %first, %zero {batch_dims = 0 : i64} : (tensor<2xi64>, tensor<1xi64>, tensor<i64>) -> tensor<1xi64>
  %r = nn.reshape %x, %shape : (tensor<?x5xf32>, tensor<2xi64>) -> tensor<?x?xf32>
  %z = nn.reshape %e, %empty {special_zero = true} : (tensor<?x0xf32>, tensor<2xi64>) -> tensor<?x?xf32>
  %y = nn.broadcast %s, %steps : (tensor<f32>, tensor<1xi64>) -> tensor<?xf32>
  %b = nn.broadcast %s, %batch : (tensor<f32>, tensor<1xi64>) -> tensor<?xf32>
  func.return %r, %z, %y, %b : tensor<?x?xf32>, tensor<?x?xf32>, tensor<?xf32>, tensor<?xf32>
}

// A trip count that known shapes determine says how many parts a loop puts together; one that is given does not.
// CHECK-LABEL: func.func @counted
// CHECK:         infra.loop {{.*}} -> tensor<5x4xf32>
// CHECK:         infra.loop {{.*}} -> tensor<?x4xf32>
func.func @counted(%x: tensor<5x4xf32>, %given: tensor<i64>) -> (tensor<?x4xf32>, tensor<?x4xf32>) {
  %true = nn.constant dense<true> : tensor<i1>
  %zero = nn.constant dense<0> : tensor<i64>
  %shape = nn.shape_of %x : tensor<5x4xf32> -> tensor<2xi64>
  %count = nn.gather %shape, %zero, %zero {batch_dims = 0 : i64} : (tensor<2xi64>, tensor<i64>, tensor<i64>) -> tensor<i64>
  %y = infra.loop %count, %true, %x inputs [#infra.invariant]
      outputs [#infra.concatenated<result = 0, axis = 0, start = 0, end = -1, stride = 1, part_size = 1>]
      body_names ["X"] {current_iteration} : (tensor<i64>, tensor<i1>, tensor<5x4xf32>) -> tensor<?x4xf32> {
  ^bb0(%a: tensor<5x4xf32>, %i: tensor<i64>):
    %axis = nn.constant dense<0> : tensor<1xi64>
    %t = nn.reduce_sum %a, %axis {keep_dims = true} : (tensor<5x4xf32>, tensor<1xi64>) -> tensor<1x4xf32>
    infra.yield %t : tensor<1x4xf32>
  }
  %z = infra.loop %given, %true, %x inputs [#infra.invariant]
      outputs [#infra.concatenated<result = 0, axis = 0, start = 0, end = -1, stride = 1, part_size = 1>]
      body_names ["X"] {current_iteration} : (tensor<i64>, tensor<i1>, tensor<5x4xf32>) -> tensor<?x4xf32> {
  ^bb0(%a: tensor<5x4xf32>, %i: tensor<i64>):
    %axis = nn.constant dense<0> : tensor<1xi64>
    %t = nn.reduce_sum %a, %axis {keep_dims = true} : (tensor<5x4xf32>, tensor<1xi64>) -> tensor<1x4xf32>
    infra.yield %t : tensor<1x4xf32>
  }
  func.return %y, %z : tensor<?x4xf32>, tensor<?x4xf32>
}
