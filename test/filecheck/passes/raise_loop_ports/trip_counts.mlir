// RUN: opt-tool %s --raise-loop-ports | filecheck %s
// RUN: opt-tool %s --raise-loop-ports --verify-numerics

// 0, 1, 2, 3 are less than 4.
// CHECK-LABEL: func.func @less
// CHECK:      [[TRIPS:%.*]] = nn.constant dense<4> : tensor<i64>
// CHECK:      infra.loop [[TRIPS]],
// CHECK-NOT:  body_condition
// CHECK:      func.return
func.func @less(%x: tensor<2xf32>) -> tensor<2xf32> {
  %free = nn.constant dense<-1> : tensor<i64>
  %true = nn.constant dense<true> : tensor<i1>
  %zero = nn.constant dense<0> : tensor<i32>
  %r = infra.loop %free, %true, %zero, %x inputs [#infra.merged<result = 0>, #infra.merged<result = 1>] outputs [#infra.iteration<result = 1, iteration = -1>] body_names ["a", "b"] {body_condition = 2 : i64} : (tensor<i64>, tensor<i1>, tensor<i32>, tensor<2xf32>) -> (tensor<2xf32>) {
  ^bb0(%a: tensor<i32>, %b: tensor<2xf32>):
    %one = nn.constant dense<1> : tensor<i32>
    %i = nn.add %a, %one : (tensor<i32>, tensor<i32>) -> tensor<i32>
    %limit = nn.constant dense<4> : tensor<i32>
    %go = nn.less %i, %limit : (tensor<i32>, tensor<i32>) -> tensor<i1>
    %d = nn.add %b, %b : (tensor<2xf32>, tensor<2xf32>) -> tensor<2xf32>
    infra.yield %i, %d, %go : tensor<i32>, tensor<2xf32>, tensor<i1>
  }
  func.return %r : tensor<2xf32>
}

// 0, 3, 6 are at most 6: the limit may stand first.
// CHECK-LABEL: func.func @at_most_in_steps
// CHECK:      [[TRIPS:%.*]] = nn.constant dense<3> : tensor<i64>
// CHECK:      infra.loop [[TRIPS]],
// CHECK-NOT:  body_condition
// CHECK:      func.return
func.func @at_most_in_steps(%x: tensor<2xf32>) -> tensor<2xf32> {
  %free = nn.constant dense<-1> : tensor<i64>
  %true = nn.constant dense<true> : tensor<i1>
  %zero = nn.constant dense<0> : tensor<i32>
  %r = infra.loop %free, %true, %zero, %x inputs [#infra.merged<result = 0>, #infra.merged<result = 1>] outputs [#infra.iteration<result = 1, iteration = -1>] body_names ["a", "b"] {body_condition = 2 : i64} : (tensor<i64>, tensor<i1>, tensor<i32>, tensor<2xf32>) -> (tensor<2xf32>) {
  ^bb0(%a: tensor<i32>, %b: tensor<2xf32>):
    %one = nn.constant dense<3> : tensor<i32>
    %i = nn.add %a, %one : (tensor<i32>, tensor<i32>) -> tensor<i32>
    %limit = nn.constant dense<6> : tensor<i32>
    %go = nn.greater_equal %limit, %i : (tensor<i32>, tensor<i32>) -> tensor<i1>
    %d = nn.add %b, %b : (tensor<2xf32>, tensor<2xf32>) -> tensor<2xf32>
    infra.yield %i, %d, %go : tensor<i32>, tensor<2xf32>, tensor<i1>
  }
  func.return %r : tensor<2xf32>
}

// A limit that an input gives, and that stays.
// CHECK-LABEL: func.func @given
// CHECK:      [[LIMIT:%.*]] = nn.convert %n
// CHECK:      [[TRIPS:%.*]] = nn.maximum [[LIMIT]],
// CHECK:      infra.loop [[TRIPS]],
// CHECK-NOT:  body_condition
// CHECK:      func.return
func.func @given(%x: tensor<2xf32>, %n: tensor<i32>) -> tensor<2xf32> {
  %free = nn.constant dense<-1> : tensor<i64>
  %true = nn.constant dense<true> : tensor<i1>
  %zero = nn.constant dense<0> : tensor<i32>
  %first = nn.less %zero, %n : (tensor<i32>, tensor<i32>) -> tensor<i1>
  %r = infra.loop %free, %first, %zero, %x, %n inputs [#infra.merged<result = 0>, #infra.merged<result = 1>, #infra.merged<result = 2>] outputs [#infra.iteration<result = 1, iteration = -1>] body_names ["a", "b", "c"] {body_condition = 3 : i64} : (tensor<i64>, tensor<i1>, tensor<i32>, tensor<2xf32>, tensor<i32>) -> (tensor<2xf32>) {
  ^bb0(%a: tensor<i32>, %b: tensor<2xf32>, %c: tensor<i32>):
    %one = nn.constant dense<1> : tensor<i32>
    %i = nn.add %a, %one : (tensor<i32>, tensor<i32>) -> tensor<i32>
    %go = nn.less %i, %c : (tensor<i32>, tensor<i32>) -> tensor<i1>
    %d = nn.add %b, %b : (tensor<2xf32>, tensor<2xf32>) -> tensor<2xf32>
    infra.yield %i, %d, %c, %go : tensor<i32>, tensor<2xf32>, tensor<i32>, tensor<i1>
  }
  func.return %r : tensor<2xf32>
}

// Such a limit is not divided by a step.
// CHECK-LABEL: func.func @given_in_steps
// CHECK:      infra.loop
// CHECK-SAME: body_condition
func.func @given_in_steps(%x: tensor<2xf32>, %n: tensor<i32>) -> tensor<2xf32> {
  %free = nn.constant dense<-1> : tensor<i64>
  %true = nn.constant dense<true> : tensor<i1>
  %zero = nn.constant dense<0> : tensor<i32>
  %first = nn.less %zero, %n : (tensor<i32>, tensor<i32>) -> tensor<i1>
  %r = infra.loop %free, %first, %zero, %x, %n inputs [#infra.merged<result = 0>, #infra.merged<result = 1>, #infra.merged<result = 2>] outputs [#infra.iteration<result = 1, iteration = -1>] body_names ["a", "b", "c"] {body_condition = 3 : i64} : (tensor<i64>, tensor<i1>, tensor<i32>, tensor<2xf32>, tensor<i32>) -> (tensor<2xf32>) {
  ^bb0(%a: tensor<i32>, %b: tensor<2xf32>, %c: tensor<i32>):
    %one = nn.constant dense<2> : tensor<i32>
    %i = nn.add %a, %one : (tensor<i32>, tensor<i32>) -> tensor<i32>
    %go = nn.less %i, %c : (tensor<i32>, tensor<i32>) -> tensor<i1>
    %d = nn.add %b, %b : (tensor<2xf32>, tensor<2xf32>) -> tensor<2xf32>
    infra.yield %i, %d, %c, %go : tensor<i32>, tensor<2xf32>, tensor<i32>, tensor<i1>
  }
  func.return %r : tensor<2xf32>
}

// Counted down.
// CHECK-LABEL: func.func @down
// CHECK:      infra.loop
// CHECK-SAME: body_condition
func.func @down(%x: tensor<2xf32>) -> tensor<2xf32> {
  %free = nn.constant dense<-1> : tensor<i64>
  %true = nn.constant dense<true> : tensor<i1>
  %zero = nn.constant dense<0> : tensor<i32>
  %r = infra.loop %free, %true, %zero, %x inputs [#infra.merged<result = 0>, #infra.merged<result = 1>] outputs [#infra.iteration<result = 1, iteration = -1>] body_names ["a", "b"] {body_condition = 2 : i64} : (tensor<i64>, tensor<i1>, tensor<i32>, tensor<2xf32>) -> (tensor<2xf32>) {
  ^bb0(%a: tensor<i32>, %b: tensor<2xf32>):
    %one = nn.constant dense<1> : tensor<i32>
    %i = nn.subtract %a, %one : (tensor<i32>, tensor<i32>) -> tensor<i32>
    %limit = nn.constant dense<-4> : tensor<i32>
    %go = nn.greater %i, %limit : (tensor<i32>, tensor<i32>) -> tensor<i1>
    %d = nn.add %b, %b : (tensor<2xf32>, tensor<2xf32>) -> tensor<2xf32>
    infra.yield %i, %d, %go : tensor<i32>, tensor<2xf32>, tensor<i1>
  }
  func.return %r : tensor<2xf32>
}

// 5 is not less than 3, but only compared after the first iteration.
// CHECK-LABEL: func.func @once_anyway
// CHECK:      [[TRIPS:%.*]] = nn.constant dense<1> : tensor<i64>
// CHECK:      infra.loop [[TRIPS]],
// CHECK-NOT:  body_condition
// CHECK:      func.return
func.func @once_anyway(%x: tensor<2xf32>) -> tensor<2xf32> {
  %free = nn.constant dense<-1> : tensor<i64>
  %true = nn.constant dense<true> : tensor<i1>
  %start = nn.constant dense<5> : tensor<i32>
  %r = infra.loop %free, %true, %start, %x inputs [#infra.merged<result = 0>, #infra.merged<result = 1>] outputs [#infra.iteration<result = 1, iteration = -1>] body_names ["a", "b"] {body_condition = 2 : i64} : (tensor<i64>, tensor<i1>, tensor<i32>, tensor<2xf32>) -> (tensor<2xf32>) {
  ^bb0(%a: tensor<i32>, %b: tensor<2xf32>):
    %one = nn.constant dense<1> : tensor<i32>
    %i = nn.add %a, %one : (tensor<i32>, tensor<i32>) -> tensor<i32>
    %limit = nn.constant dense<3> : tensor<i32>
    %go = nn.less %i, %limit : (tensor<i32>, tensor<i32>) -> tensor<i1>
    %d = nn.add %b, %b : (tensor<2xf32>, tensor<2xf32>) -> tensor<2xf32>
    infra.yield %i, %d, %go : tensor<i32>, tensor<2xf32>, tensor<i1>
  }
  func.return %r : tensor<2xf32>
}

// The same of a limit that an input gives.
// CHECK-LABEL: func.func @given_once_anyway
// CHECK:      [[LIMIT:%.*]] = nn.convert %n
// CHECK:      [[ONE:%.*]] = nn.constant dense<1> : tensor<i64>
// CHECK:      [[ONCE:%.*]] = nn.maximum [[LIMIT]], [[ONE]]
// CHECK:      [[TRIPS:%.*]] = nn.maximum [[ONCE]],
// CHECK:      infra.loop [[TRIPS]],
// CHECK-NOT:  body_condition
// CHECK:      func.return
func.func @given_once_anyway(%x: tensor<2xf32>, %n: tensor<i32>) -> tensor<2xf32> {
  %free = nn.constant dense<-1> : tensor<i64>
  %true = nn.constant dense<true> : tensor<i1>
  %zero = nn.constant dense<0> : tensor<i32>
  %r = infra.loop %free, %true, %zero, %x, %n inputs [#infra.merged<result = 0>, #infra.merged<result = 1>, #infra.merged<result = 2>] outputs [#infra.iteration<result = 1, iteration = -1>] body_names ["a", "b", "c"] {body_condition = 3 : i64} : (tensor<i64>, tensor<i1>, tensor<i32>, tensor<2xf32>, tensor<i32>) -> (tensor<2xf32>) {
  ^bb0(%a: tensor<i32>, %b: tensor<2xf32>, %c: tensor<i32>):
    %one = nn.constant dense<1> : tensor<i32>
    %i = nn.add %a, %one : (tensor<i32>, tensor<i32>) -> tensor<i32>
    %go = nn.less %i, %c : (tensor<i32>, tensor<i32>) -> tensor<i1>
    %d = nn.add %b, %b : (tensor<2xf32>, tensor<2xf32>) -> tensor<2xf32>
    infra.yield %i, %d, %c, %go : tensor<i32>, tensor<2xf32>, tensor<i32>, tensor<i1>
  }
  func.return %r : tensor<2xf32>
}

// That it runs is not to be seen in the computed trip count, so its last value has a first one.
// CHECK-LABEL: func.func @last_value
// CHECK:      [[ZEROS:%.*]] = nn.constant dense<0.0> : tensor<2xf32>
// CHECK:      [[TRIPS:%.*]] = nn.maximum {{.*}}
// CHECK-NEXT: infra.loop [[TRIPS]], {{%.*}}, %x, [[ZEROS]] inputs [#infra.merged<result = 0>, #infra.merged<result = 1>]
// CHECK-NOT:  body_condition
// CHECK:      func.return
func.func @last_value(%x: tensor<2xf32>, %n: tensor<i64>) -> (tensor<2xf32>) {
  %trip = nn.constant dense<9> : tensor<i64>
  %true = nn.constant dense<true> : tensor<i1>
  %r = infra.loop %trip, %true, %x, %n inputs [#infra.merged<result = 1>, #infra.invariant] outputs [#infra.iteration<result = 2, iteration = -1>] body_names ["h", "n"] {body_condition = 0 : i64, current_iteration} : (tensor<i64>, tensor<i1>, tensor<2xf32>, tensor<i64>) -> tensor<2xf32> {
  ^bb0(%h: tensor<2xf32>, %limit: tensor<i64>, %i: tensor<i64>):
    %d = nn.add %h, %h : (tensor<2xf32>, tensor<2xf32>) -> tensor<2xf32>
    %last = nn.negative %d : tensor<2xf32>
    %go = nn.less %i, %limit : (tensor<i64>, tensor<i64>) -> tensor<i1>
    infra.yield %go, %d, %last : tensor<i1>, tensor<2xf32>, tensor<2xf32>
  }
  func.return %r : tensor<2xf32>
}

// Zeros of an unknown shape are no constant.
// CHECK-LABEL: func.func @last_value_of_unknown_size
// CHECK:      [[TRIPS:%.*]] = nn.constant dense<9> : tensor<i64>
// CHECK:      infra.loop [[TRIPS]], {{%.*}} inputs [#infra.merged<result = 1>, #infra.invariant]
// CHECK-SAME: body_condition = 0
// CHECK:      func.return
func.func @last_value_of_unknown_size(%x: tensor<?xf32>, %n: tensor<i64>) -> (tensor<?xf32>) {
  %trip = nn.constant dense<9> : tensor<i64>
  %true = nn.constant dense<true> : tensor<i1>
  %r = infra.loop %trip, %true, %x, %n inputs [#infra.merged<result = 1>, #infra.invariant] outputs [#infra.iteration<result = 2, iteration = -1>] body_names ["h", "n"] {body_condition = 0 : i64, current_iteration} : (tensor<i64>, tensor<i1>, tensor<?xf32>, tensor<i64>) -> tensor<?xf32> {
  ^bb0(%h: tensor<?xf32>, %limit: tensor<i64>, %i: tensor<i64>):
    %d = nn.add %h, %h : (tensor<?xf32>, tensor<?xf32>) -> tensor<?xf32>
    %last = nn.negative %d : tensor<?xf32>
    %go = nn.less %i, %limit : (tensor<i64>, tensor<i64>) -> tensor<i1>
    infra.yield %go, %d, %last : tensor<i1>, tensor<?xf32>, tensor<?xf32>
  }
  func.return %r : tensor<?xf32>
}
