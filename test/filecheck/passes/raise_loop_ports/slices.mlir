// RUN: opt-tool %s --raise-loop-ports | filecheck %s
// RUN: opt-tool %s --raise-loop-ports --verify-numerics

// CHECK-LABEL: func.func @rows
// CHECK:      infra.loop %{{.*}}, %{{.*}}, %x, %t inputs [#infra.merged<result = 0>, #infra.sliced<axis = 0, start = 0, end = -1, stride = 1, part_size = 1>]
// CHECK-NOT:  nn.gather
// CHECK:      func.return
func.func @rows(%x: tensor<2xf32>, %t: tensor<4x2xf32>) -> tensor<2xf32> {
  %free = nn.constant dense<-1> : tensor<i64>
  %true = nn.constant dense<true> : tensor<i1>
  %zero = nn.constant dense<0> : tensor<i32>
  %r = infra.loop %free, %true, %zero, %x, %t inputs [#infra.merged<result = 0>, #infra.merged<result = 1>, #infra.merged<result = 2>] outputs [#infra.iteration<result = 1, iteration = -1>] body_names ["a", "b", "c"] {body_condition = 3 : i64} : (tensor<i64>, tensor<i1>, tensor<i32>, tensor<2xf32>, tensor<4x2xf32>) -> (tensor<2xf32>) {
  ^bb0(%a: tensor<i32>, %b: tensor<2xf32>, %c: tensor<4x2xf32>):
    %one = nn.constant dense<1> : tensor<i32>
    %i = nn.add %a, %one : (tensor<i32>, tensor<i32>) -> tensor<i32>
    %axis = nn.constant dense<0> : tensor<i64>
    %row = nn.gather %c, %a, %axis {batch_dims = 0 : i64} : (tensor<4x2xf32>, tensor<i32>, tensor<i64>) -> tensor<2xf32>
    %d = nn.add %b, %row : (tensor<2xf32>, tensor<2xf32>) -> tensor<2xf32>
    %limit = nn.constant dense<4> : tensor<i32>
    %go = nn.less %i, %limit : (tensor<i32>, tensor<i32>) -> tensor<i1>
    infra.yield %i, %d, %c, %go : tensor<i32>, tensor<2xf32>, tensor<4x2xf32>, tensor<i1>
  }
  func.return %r : tensor<2xf32>
}

// A fifth row would be zeros: it is outside.
// CHECK-LABEL: func.func @outside
// CHECK-NOT:  infra.sliced
// CHECK:      nn.gather
func.func @outside(%x: tensor<2xf32>, %t: tensor<4x2xf32>) -> tensor<2xf32> {
  %free = nn.constant dense<-1> : tensor<i64>
  %true = nn.constant dense<true> : tensor<i1>
  %zero = nn.constant dense<0> : tensor<i32>
  %r = infra.loop %free, %true, %zero, %x, %t inputs [#infra.merged<result = 0>, #infra.merged<result = 1>, #infra.merged<result = 2>] outputs [#infra.iteration<result = 1, iteration = -1>] body_names ["a", "b", "c"] {body_condition = 3 : i64} : (tensor<i64>, tensor<i1>, tensor<i32>, tensor<2xf32>, tensor<4x2xf32>) -> (tensor<2xf32>) {
  ^bb0(%a: tensor<i32>, %b: tensor<2xf32>, %c: tensor<4x2xf32>):
    %one = nn.constant dense<1> : tensor<i32>
    %i = nn.add %a, %one : (tensor<i32>, tensor<i32>) -> tensor<i32>
    %axis = nn.constant dense<0> : tensor<i64>
    %row = nn.gather %c, %a, %axis {batch_dims = 0 : i64} : (tensor<4x2xf32>, tensor<i32>, tensor<i64>) -> tensor<2xf32>
    %d = nn.add %b, %row : (tensor<2xf32>, tensor<2xf32>) -> tensor<2xf32>
    %limit = nn.constant dense<5> : tensor<i32>
    %go = nn.less %i, %limit : (tensor<i32>, tensor<i32>) -> tensor<i1>
    infra.yield %i, %d, %c, %go : tensor<i32>, tensor<2xf32>, tensor<4x2xf32>, tensor<i1>
  }
  func.return %r : tensor<2xf32>
}

// As many iterations as there are rows, however many that is: the slices end the loop.
// CHECK-LABEL: func.func @all
// CHECK:      infra.loop %{{.*}}, %{{.*}}, %x, %t inputs [#infra.merged<result = 0>, #infra.sliced<axis = 0, start = 0, end = -1, stride = 1, part_size = 1>]
func.func @all(%x: tensor<2xf32>, %t: tensor<?x2xf32>, %u: tensor<?x2xf32>) -> tensor<2xf32> {
  %free = nn.constant dense<-1> : tensor<i64>
  %true = nn.constant dense<true> : tensor<i1>
  %zero = nn.constant dense<0> : tensor<i32>
  %index = nn.constant dense<0> : tensor<i64>
  %sizes = nn.shape_of %t {output_type = i32} : tensor<?x2xf32> -> tensor<2xi32>
  %n = nn.gather %sizes, %index, %index {batch_dims = 0 : i64} : (tensor<2xi32>, tensor<i64>, tensor<i64>) -> tensor<i32>
  %first = nn.less %zero, %n : (tensor<i32>, tensor<i32>) -> tensor<i1>
  %r = infra.loop %free, %first, %zero, %x, %t, %n inputs [#infra.merged<result = 0>, #infra.merged<result = 1>, #infra.merged<result = 2>, #infra.merged<result = 3>] outputs [#infra.iteration<result = 1, iteration = -1>] body_names ["a", "b", "c", "d"] {body_condition = 4 : i64} : (tensor<i64>, tensor<i1>, tensor<i32>, tensor<2xf32>, tensor<?x2xf32>, tensor<i32>) -> (tensor<2xf32>) {
  ^bb0(%a: tensor<i32>, %b: tensor<2xf32>, %c: tensor<?x2xf32>, %dd: tensor<i32>):
    %one = nn.constant dense<1> : tensor<i32>
    %i = nn.add %a, %one : (tensor<i32>, tensor<i32>) -> tensor<i32>
    %axis = nn.constant dense<0> : tensor<i64>
    %row = nn.gather %c, %a, %axis {batch_dims = 0 : i64} : (tensor<?x2xf32>, tensor<i32>, tensor<i64>) -> tensor<2xf32>
    %d = nn.add %b, %row : (tensor<2xf32>, tensor<2xf32>) -> tensor<2xf32>
    %go = nn.less %i, %dd : (tensor<i32>, tensor<i32>) -> tensor<i1>
    infra.yield %i, %d, %c, %dd, %go : tensor<i32>, tensor<2xf32>, tensor<?x2xf32>, tensor<i32>, tensor<i1>
  }
  func.return %r : tensor<2xf32>
}

// As many as something else has.
// CHECK-LABEL: func.func @others
// CHECK-NOT:  infra.sliced
// CHECK:      return
func.func @others(%x: tensor<2xf32>, %t: tensor<?x2xf32>, %u: tensor<?x2xf32>) -> tensor<2xf32> {
  %free = nn.constant dense<-1> : tensor<i64>
  %true = nn.constant dense<true> : tensor<i1>
  %zero = nn.constant dense<0> : tensor<i32>
  %index = nn.constant dense<0> : tensor<i64>
  %sizes = nn.shape_of %u {output_type = i32} : tensor<?x2xf32> -> tensor<2xi32>
  %n = nn.gather %sizes, %index, %index {batch_dims = 0 : i64} : (tensor<2xi32>, tensor<i64>, tensor<i64>) -> tensor<i32>
  %first = nn.less %zero, %n : (tensor<i32>, tensor<i32>) -> tensor<i1>
  %r = infra.loop %free, %first, %zero, %x, %t, %n inputs [#infra.merged<result = 0>, #infra.merged<result = 1>, #infra.merged<result = 2>, #infra.merged<result = 3>] outputs [#infra.iteration<result = 1, iteration = -1>] body_names ["a", "b", "c", "d"] {body_condition = 4 : i64} : (tensor<i64>, tensor<i1>, tensor<i32>, tensor<2xf32>, tensor<?x2xf32>, tensor<i32>) -> (tensor<2xf32>) {
  ^bb0(%a: tensor<i32>, %b: tensor<2xf32>, %c: tensor<?x2xf32>, %dd: tensor<i32>):
    %one = nn.constant dense<1> : tensor<i32>
    %i = nn.add %a, %one : (tensor<i32>, tensor<i32>) -> tensor<i32>
    %axis = nn.constant dense<0> : tensor<i64>
    %row = nn.gather %c, %a, %axis {batch_dims = 0 : i64} : (tensor<?x2xf32>, tensor<i32>, tensor<i64>) -> tensor<2xf32>
    %d = nn.add %b, %row : (tensor<2xf32>, tensor<2xf32>) -> tensor<2xf32>
    %go = nn.less %i, %dd : (tensor<i32>, tensor<i32>) -> tensor<i1>
    infra.yield %i, %d, %c, %dd, %go : tensor<i32>, tensor<2xf32>, tensor<?x2xf32>, tensor<i32>, tensor<i1>
  }
  func.return %r : tensor<2xf32>
}

// Parts that lie over each other are gathered, so that their size is known.
// CHECK-LABEL: func.func @over_each_other
// CHECK-NOT:  infra.sliced
// CHECK:      nn.gather %{{.*}}, %{{.*}}, %{{.*}} {batch_dims = 0 : i64} : (tensor<4x2xf32>, tensor<2xi64>, tensor<i64>) -> tensor<2x2xf32>
// CHECK:      return
func.func @over_each_other(%x: tensor<2x2xf32>, %t: tensor<4x2xf32>) -> tensor<2x2xf32> {
  %count = nn.constant dense<3> : tensor<i64>
  %true = nn.constant dense<true> : tensor<i1>
  %r = infra.loop %count, %true, %x, %t inputs [#infra.merged<result = 0>, #infra.invariant] outputs [#infra.iteration<result = 0, iteration = -1>] body_names ["x", "t"] {current_iteration} : (tensor<i64>, tensor<i1>, tensor<2x2xf32>, tensor<4x2xf32>) -> tensor<2x2xf32> {
  ^bb0(%b: tensor<2x2xf32>, %c: tensor<4x2xf32>, %i: tensor<i64>):
    %axes = nn.constant dense<[1, 0]> : tensor<2xi64>
    %steps = nn.constant dense<1> : tensor<2xi64>
    %low0 = nn.constant dense<[0]> : tensor<1xi64>
    %axis = nn.constant dense<[0]> : tensor<1xi64>
    %at = nn.unsqueeze %i, %axis : (tensor<i64>, tensor<1xi64>) -> tensor<1xi64>
    %two = nn.constant dense<[2]> : tensor<1xi64>
    %to = nn.add %at, %two : (tensor<1xi64>, tensor<1xi64>) -> tensor<1xi64>
    %start = nn.concat %low0, %at {axis = 0 : i64} : (tensor<1xi64>, tensor<1xi64>) -> tensor<2xi64>
    %stop = nn.concat %two, %to {axis = 0 : i64} : (tensor<1xi64>, tensor<1xi64>) -> tensor<2xi64>
    %rows = nn.slice %c, %start, %stop, %steps, %axes : (tensor<4x2xf32>, tensor<2xi64>, tensor<2xi64>, tensor<2xi64>, tensor<2xi64>) -> tensor<?x2xf32>
    %sum = nn.reduce_sum %rows, %axis {keep_dims = true} : (tensor<?x2xf32>, tensor<1xi64>) -> tensor<1x2xf32>
    %d = nn.add %b, %sum : (tensor<2x2xf32>, tensor<1x2xf32>) -> tensor<2x2xf32>
    infra.yield %d : tensor<2x2xf32>
  }
  func.return %r : tensor<2x2xf32>
}

// The last one is shorter.
// CHECK-LABEL: func.func @shorter_at_the_end
// CHECK:      nn.slice %{{.*}} -> tensor<?x2xf32>
// CHECK:      return
func.func @shorter_at_the_end(%x: tensor<2x2xf32>, %t: tensor<4x2xf32>) -> tensor<2x2xf32> {
  %count = nn.constant dense<4> : tensor<i64>
  %true = nn.constant dense<true> : tensor<i1>
  %r = infra.loop %count, %true, %x, %t inputs [#infra.merged<result = 0>, #infra.invariant] outputs [#infra.iteration<result = 0, iteration = -1>] body_names ["x", "t"] {current_iteration} : (tensor<i64>, tensor<i1>, tensor<2x2xf32>, tensor<4x2xf32>) -> tensor<2x2xf32> {
  ^bb0(%b: tensor<2x2xf32>, %c: tensor<4x2xf32>, %i: tensor<i64>):
    %axes = nn.constant dense<[1, 0]> : tensor<2xi64>
    %steps = nn.constant dense<1> : tensor<2xi64>
    %low0 = nn.constant dense<[0]> : tensor<1xi64>
    %axis = nn.constant dense<[0]> : tensor<1xi64>
    %at = nn.unsqueeze %i, %axis : (tensor<i64>, tensor<1xi64>) -> tensor<1xi64>
    %two = nn.constant dense<[2]> : tensor<1xi64>
    %to = nn.add %at, %two : (tensor<1xi64>, tensor<1xi64>) -> tensor<1xi64>
    %start = nn.concat %low0, %at {axis = 0 : i64} : (tensor<1xi64>, tensor<1xi64>) -> tensor<2xi64>
    %stop = nn.concat %two, %to {axis = 0 : i64} : (tensor<1xi64>, tensor<1xi64>) -> tensor<2xi64>
    %rows = nn.slice %c, %start, %stop, %steps, %axes : (tensor<4x2xf32>, tensor<2xi64>, tensor<2xi64>, tensor<2xi64>, tensor<2xi64>) -> tensor<?x2xf32>
    %sum = nn.reduce_sum %rows, %axis {keep_dims = true} : (tensor<?x2xf32>, tensor<1xi64>) -> tensor<1x2xf32>
    %d = nn.add %b, %sum : (tensor<2x2xf32>, tensor<1x2xf32>) -> tensor<2x2xf32>
    infra.yield %d : tensor<2x2xf32>
  }
  func.return %r : tensor<2x2xf32>
}
