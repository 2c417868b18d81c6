// RUN: opt-tool %s --raise-loop-ports | filecheck %s

// 0 to 3 are less than 3.5.
// CHECK-LABEL: func.func @less
// CHECK:      [[TRIPS:%.*]] = nn.constant dense<4> : tensor<i64>
// CHECK:      infra.loop [[TRIPS]],
// CHECK-NOT:  body_condition
// CHECK:      func.return
func.func @less(%x: tensor<2xf32>) -> tensor<2xf32> {
  %free = nn.constant dense<-1> : tensor<i64>
  %true = nn.constant dense<true> : tensor<i1>
  %start = nn.constant dense<0> : tensor<i32>
  %r = infra.loop %free, %true, %start, %x inputs [#infra.merged<result = 0>, #infra.merged<result = 1>] outputs [#infra.iteration<result = 1, iteration = -1>] body_names ["a", "b"] {body_condition = 2 : i64} : (tensor<i64>, tensor<i1>, tensor<i32>, tensor<2xf32>) -> (tensor<2xf32>) {
  ^bb0(%a: tensor<i32>, %b: tensor<2xf32>):
    %one = nn.constant dense<1> : tensor<i32>
    %i = nn.add %a, %one : (tensor<i32>, tensor<i32>) -> tensor<i32>
    %f = nn.convert %i to f32 : tensor<i32> -> tensor<f32>
    %limit = nn.constant dense<3.5> : tensor<f32>
    %go = nn.less %f, %limit : (tensor<f32>, tensor<f32>) -> tensor<i1>
    %d = nn.add %b, %b : (tensor<2xf32>, tensor<2xf32>) -> tensor<2xf32>
    infra.yield %i, %d, %go : tensor<i32>, tensor<2xf32>, tensor<i1>
  }
  func.return %r : tensor<2xf32>
}

// 0 to 3 are at most 3.5; the limit stands first.
// CHECK-LABEL: func.func @at_most
// CHECK:      [[TRIPS:%.*]] = nn.constant dense<4> : tensor<i64>
// CHECK:      infra.loop [[TRIPS]],
// CHECK-NOT:  body_condition
// CHECK:      func.return
func.func @at_most(%x: tensor<2xf32>) -> tensor<2xf32> {
  %free = nn.constant dense<-1> : tensor<i64>
  %true = nn.constant dense<true> : tensor<i1>
  %start = nn.constant dense<0> : tensor<i32>
  %r = infra.loop %free, %true, %start, %x inputs [#infra.merged<result = 0>, #infra.merged<result = 1>] outputs [#infra.iteration<result = 1, iteration = -1>] body_names ["a", "b"] {body_condition = 2 : i64} : (tensor<i64>, tensor<i1>, tensor<i32>, tensor<2xf32>) -> (tensor<2xf32>) {
  ^bb0(%a: tensor<i32>, %b: tensor<2xf32>):
    %one = nn.constant dense<1> : tensor<i32>
    %i = nn.add %a, %one : (tensor<i32>, tensor<i32>) -> tensor<i32>
    %f = nn.convert %i to f32 : tensor<i32> -> tensor<f32>
    %limit = nn.constant dense<3.5> : tensor<f32>
    %go = nn.greater_equal %limit, %f : (tensor<f32>, tensor<f32>) -> tensor<i1>
    %d = nn.add %b, %b : (tensor<2xf32>, tensor<2xf32>) -> tensor<2xf32>
    infra.yield %i, %d, %go : tensor<i32>, tensor<2xf32>, tensor<i1>
  }
  func.return %r : tensor<2xf32>
}

// Both sides were integers.
// CHECK-LABEL: func.func @both_converted
// CHECK:      [[TRIPS:%.*]] = nn.constant dense<4> : tensor<i64>
// CHECK:      infra.loop [[TRIPS]],
// CHECK-NOT:  body_condition
// CHECK:      func.return
func.func @both_converted(%x: tensor<2xf32>) -> tensor<2xf32> {
  %free = nn.constant dense<-1> : tensor<i64>
  %true = nn.constant dense<true> : tensor<i1>
  %start = nn.constant dense<0> : tensor<i32>
  %r = infra.loop %free, %true, %start, %x inputs [#infra.merged<result = 0>, #infra.merged<result = 1>] outputs [#infra.iteration<result = 1, iteration = -1>] body_names ["a", "b"] {body_condition = 2 : i64} : (tensor<i64>, tensor<i1>, tensor<i32>, tensor<2xf32>) -> (tensor<2xf32>) {
  ^bb0(%a: tensor<i32>, %b: tensor<2xf32>):
    %one = nn.constant dense<1> : tensor<i32>
    %i = nn.add %a, %one : (tensor<i32>, tensor<i32>) -> tensor<i32>
    %n = nn.constant dense<4> : tensor<i64>
    %limit = nn.convert %n to f32 : tensor<i64> -> tensor<f32>
    %f = nn.convert %i to f32 : tensor<i32> -> tensor<f32>
    %go = nn.less %f, %limit : (tensor<f32>, tensor<f32>) -> tensor<i1>
    %d = nn.add %b, %b : (tensor<2xf32>, tensor<2xf32>) -> tensor<2xf32>
    infra.yield %i, %d, %go : tensor<i32>, tensor<2xf32>, tensor<i1>
  }
  func.return %r : tensor<2xf32>
}

// In f16, 2048 is the last integer that has both neighbours.
// CHECK-LABEL: func.func @half
// CHECK:      [[TRIPS:%.*]] = nn.constant dense<2048> : tensor<i64>
// CHECK:      infra.loop [[TRIPS]],
// CHECK-NOT:  body_condition
// CHECK:      func.return
func.func @half(%x: tensor<2xf32>) -> tensor<2xf32> {
  %free = nn.constant dense<-1> : tensor<i64>
  %true = nn.constant dense<true> : tensor<i1>
  %start = nn.constant dense<0> : tensor<i32>
  %r = infra.loop %free, %true, %start, %x inputs [#infra.merged<result = 0>, #infra.merged<result = 1>] outputs [#infra.iteration<result = 1, iteration = -1>] body_names ["a", "b"] {body_condition = 2 : i64} : (tensor<i64>, tensor<i1>, tensor<i32>, tensor<2xf32>) -> (tensor<2xf32>) {
  ^bb0(%a: tensor<i32>, %b: tensor<2xf32>):
    %one = nn.constant dense<1> : tensor<i32>
    %i = nn.add %a, %one : (tensor<i32>, tensor<i32>) -> tensor<i32>
    %f = nn.convert %i to f16 : tensor<i32> -> tensor<f16>
    %limit = nn.constant dense<2048.0> : tensor<f16>
    %go = nn.less %f, %limit : (tensor<f16>, tensor<f16>) -> tensor<i1>
    %d = nn.add %b, %b : (tensor<2xf32>, tensor<2xf32>) -> tensor<2xf32>
    infra.yield %i, %d, %go : tensor<i32>, tensor<2xf32>, tensor<i1>
  }
  func.return %r : tensor<2xf32>
}

// 2049 is no number of f16, and 2050 stands for it.
// CHECK-LABEL: func.func @too_far
// CHECK:      infra.loop
// CHECK-SAME: body_condition
// CHECK:      func.return
func.func @too_far(%x: tensor<2xf32>) -> tensor<2xf32> {
  %free = nn.constant dense<-1> : tensor<i64>
  %true = nn.constant dense<true> : tensor<i1>
  %start = nn.constant dense<0> : tensor<i32>
  %r = infra.loop %free, %true, %start, %x inputs [#infra.merged<result = 0>, #infra.merged<result = 1>] outputs [#infra.iteration<result = 1, iteration = -1>] body_names ["a", "b"] {body_condition = 2 : i64} : (tensor<i64>, tensor<i1>, tensor<i32>, tensor<2xf32>) -> (tensor<2xf32>) {
  ^bb0(%a: tensor<i32>, %b: tensor<2xf32>):
    %one = nn.constant dense<1> : tensor<i32>
    %i = nn.add %a, %one : (tensor<i32>, tensor<i32>) -> tensor<i32>
    %f = nn.convert %i to f16 : tensor<i32> -> tensor<f16>
    %limit = nn.constant dense<2050.0> : tensor<f16>
    %go = nn.less %f, %limit : (tensor<f16>, tensor<f16>) -> tensor<i1>
    %d = nn.add %b, %b : (tensor<2xf32>, tensor<2xf32>) -> tensor<2xf32>
    infra.yield %i, %d, %go : tensor<i32>, tensor<2xf32>, tensor<i1>
  }
  func.return %r : tensor<2xf32>
}

// Nothing is less than what is no number.
// CHECK-LABEL: func.func @not_a_number
// CHECK:      infra.loop
// CHECK-SAME: body_condition
// CHECK:      func.return
func.func @not_a_number(%x: tensor<2xf32>) -> tensor<2xf32> {
  %free = nn.constant dense<-1> : tensor<i64>
  %true = nn.constant dense<true> : tensor<i1>
  %start = nn.constant dense<0> : tensor<i32>
  %r = infra.loop %free, %true, %start, %x inputs [#infra.merged<result = 0>, #infra.merged<result = 1>] outputs [#infra.iteration<result = 1, iteration = -1>] body_names ["a", "b"] {body_condition = 2 : i64} : (tensor<i64>, tensor<i1>, tensor<i32>, tensor<2xf32>) -> (tensor<2xf32>) {
  ^bb0(%a: tensor<i32>, %b: tensor<2xf32>):
    %one = nn.constant dense<1> : tensor<i32>
    %i = nn.add %a, %one : (tensor<i32>, tensor<i32>) -> tensor<i32>
    %f = nn.convert %i to f32 : tensor<i32> -> tensor<f32>
    %limit = nn.constant dense<0x7FC00000> : tensor<f32>
    %go = nn.less %f, %limit : (tensor<f32>, tensor<f32>) -> tensor<i1>
    %d = nn.add %b, %b : (tensor<2xf32>, tensor<2xf32>) -> tensor<2xf32>
    infra.yield %i, %d, %go : tensor<i32>, tensor<2xf32>, tensor<i1>
  }
  func.return %r : tensor<2xf32>
}

// Every i8 is less than 1000.
// CHECK-LABEL: func.func @out_of_range
// CHECK:      infra.loop
// CHECK-SAME: body_condition
// CHECK:      func.return
func.func @out_of_range(%x: tensor<2xf32>) -> tensor<2xf32> {
  %free = nn.constant dense<-1> : tensor<i64>
  %true = nn.constant dense<true> : tensor<i1>
  %start = nn.constant dense<0> : tensor<i8>
  %r = infra.loop %free, %true, %start, %x inputs [#infra.merged<result = 0>, #infra.merged<result = 1>] outputs [#infra.iteration<result = 1, iteration = -1>] body_names ["a", "b"] {body_condition = 2 : i64} : (tensor<i64>, tensor<i1>, tensor<i8>, tensor<2xf32>) -> (tensor<2xf32>) {
  ^bb0(%a: tensor<i8>, %b: tensor<2xf32>):
    %one = nn.constant dense<1> : tensor<i8>
    %i = nn.add %a, %one : (tensor<i8>, tensor<i8>) -> tensor<i8>
    %f = nn.convert %i to f32 : tensor<i8> -> tensor<f32>
    %limit = nn.constant dense<1000.0> : tensor<f32>
    %go = nn.less %f, %limit : (tensor<f32>, tensor<f32>) -> tensor<i1>
    %d = nn.add %b, %b : (tensor<2xf32>, tensor<2xf32>) -> tensor<2xf32>
    infra.yield %i, %d, %go : tensor<i8>, tensor<2xf32>, tensor<i1>
  }
  func.return %r : tensor<2xf32>
}
