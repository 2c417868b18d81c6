// RUN: opt-tool %s --raise-loop-ports | filecheck %s
// RUN: opt-tool %s --raise-loop-ports --verify-numerics

// Each iteration sets the next row, from the first to the last.
// CHECK-LABEL: func.func @filled
// CHECK:      infra.loop %{{.*}}, %{{.*}}, %t inputs [#infra.invariant] outputs [#infra.concatenated<result = 0, axis = 0, start = 0, end = -1, stride = 1, part_size = 1>]
// CHECK-NOT:  tfl.dynamic_update_slice
// CHECK:      func.return
func.func @filled(%x: tensor<4x2xf32>, %t: tensor<1x2xf32>) -> tensor<4x2xf32> {
  %free = nn.constant dense<-1> : tensor<i64>
  %true = nn.constant dense<true> : tensor<i1>
  %zero = nn.constant dense<0> : tensor<i32>
  %r = infra.loop %free, %true, %zero, %x, %t inputs [#infra.merged<result = 0>, #infra.merged<result = 1>, #infra.merged<result = 2>] outputs [#infra.iteration<result = 1, iteration = -1>] body_names ["a", "b", "c"] {body_condition = 3 : i64} : (tensor<i64>, tensor<i1>, tensor<i32>, tensor<4x2xf32>, tensor<1x2xf32>) -> (tensor<4x2xf32>) {
  ^bb0(%a: tensor<i32>, %b: tensor<4x2xf32>, %c: tensor<1x2xf32>):
    %one = nn.constant dense<1> : tensor<i32>
    %i = nn.add %a, %one : (tensor<i32>, tensor<i32>) -> tensor<i32>
    %limit = nn.constant dense<4> : tensor<i32>
    %go = nn.less %i, %limit : (tensor<i32>, tensor<i32>) -> tensor<i1>
    %index = nn.constant dense<0> : tensor<1xi64>
    %axis = nn.constant dense<0> : tensor<i64>
    %along = nn.constant dense<0> : tensor<1xi32>
    %first = nn.unsqueeze %a, %index : (tensor<i32>, tensor<1xi64>) -> tensor<1xi32>
    %f = nn.convert %a to f32 : tensor<i32> -> tensor<f32>
    %item = nn.add %c, %f : (tensor<1x2xf32>, tensor<f32>) -> tensor<1x2xf32>
    %place = nn.concat %first, %along {axis = 0 : i64} : (tensor<1xi32>, tensor<1xi32>) -> tensor<2xi32>
    %d = "tfl.dynamic_update_slice"(%b, %item, %place) : (tensor<4x2xf32>, tensor<1x2xf32>, tensor<2xi32>) -> tensor<4x2xf32>
    infra.yield %i, %d, %c, %go : tensor<i32>, tensor<4x2xf32>, tensor<1x2xf32>, tensor<i1>
  }
  func.return %r : tensor<4x2xf32>
}

// The last row stays as it was.
// CHECK-LABEL: func.func @not_to_the_end
// CHECK-NOT:  infra.concatenated
// CHECK:      tfl.dynamic_update_slice
func.func @not_to_the_end(%x: tensor<4x2xf32>, %t: tensor<1x2xf32>) -> tensor<4x2xf32> {
  %free = nn.constant dense<-1> : tensor<i64>
  %true = nn.constant dense<true> : tensor<i1>
  %zero = nn.constant dense<0> : tensor<i32>
  %r = infra.loop %free, %true, %zero, %x, %t inputs [#infra.merged<result = 0>, #infra.merged<result = 1>, #infra.merged<result = 2>] outputs [#infra.iteration<result = 1, iteration = -1>] body_names ["a", "b", "c"] {body_condition = 3 : i64} : (tensor<i64>, tensor<i1>, tensor<i32>, tensor<4x2xf32>, tensor<1x2xf32>) -> (tensor<4x2xf32>) {
  ^bb0(%a: tensor<i32>, %b: tensor<4x2xf32>, %c: tensor<1x2xf32>):
    %one = nn.constant dense<1> : tensor<i32>
    %i = nn.add %a, %one : (tensor<i32>, tensor<i32>) -> tensor<i32>
    %limit = nn.constant dense<3> : tensor<i32>
    %go = nn.less %i, %limit : (tensor<i32>, tensor<i32>) -> tensor<i1>
    %index = nn.constant dense<0> : tensor<1xi64>
    %axis = nn.constant dense<0> : tensor<i64>
    %along = nn.constant dense<0> : tensor<1xi32>
    %first = nn.unsqueeze %a, %index : (tensor<i32>, tensor<1xi64>) -> tensor<1xi32>
    %f = nn.convert %a to f32 : tensor<i32> -> tensor<f32>
    %item = nn.add %c, %f : (tensor<1x2xf32>, tensor<f32>) -> tensor<1x2xf32>
    %place = nn.concat %first, %along {axis = 0 : i64} : (tensor<1xi32>, tensor<1xi32>) -> tensor<2xi32>
    %d = "tfl.dynamic_update_slice"(%b, %item, %place) : (tensor<4x2xf32>, tensor<1x2xf32>, tensor<2xi32>) -> tensor<4x2xf32>
    infra.yield %i, %d, %c, %go : tensor<i32>, tensor<4x2xf32>, tensor<1x2xf32>, tensor<i1>
  }
  func.return %r : tensor<4x2xf32>
}

// Each row is made of the first one, too.
// CHECK-LABEL: func.func @read
// CHECK-NOT:  infra.concatenated
// CHECK:      tfl.dynamic_update_slice
func.func @read(%x: tensor<4x2xf32>, %t: tensor<1x2xf32>) -> tensor<4x2xf32> {
  %free = nn.constant dense<-1> : tensor<i64>
  %true = nn.constant dense<true> : tensor<i1>
  %zero = nn.constant dense<0> : tensor<i32>
  %r = infra.loop %free, %true, %zero, %x, %t inputs [#infra.merged<result = 0>, #infra.merged<result = 1>, #infra.merged<result = 2>] outputs [#infra.iteration<result = 1, iteration = -1>] body_names ["a", "b", "c"] {body_condition = 3 : i64} : (tensor<i64>, tensor<i1>, tensor<i32>, tensor<4x2xf32>, tensor<1x2xf32>) -> (tensor<4x2xf32>) {
  ^bb0(%a: tensor<i32>, %b: tensor<4x2xf32>, %c: tensor<1x2xf32>):
    %one = nn.constant dense<1> : tensor<i32>
    %i = nn.add %a, %one : (tensor<i32>, tensor<i32>) -> tensor<i32>
    %limit = nn.constant dense<4> : tensor<i32>
    %go = nn.less %i, %limit : (tensor<i32>, tensor<i32>) -> tensor<i1>
    %index = nn.constant dense<0> : tensor<1xi64>
    %axis = nn.constant dense<0> : tensor<i64>
    %along = nn.constant dense<0> : tensor<1xi32>
    %first = nn.unsqueeze %a, %index : (tensor<i32>, tensor<1xi64>) -> tensor<1xi32>
    %f = nn.convert %a to f32 : tensor<i32> -> tensor<f32>
    %item = nn.add %c, %f : (tensor<1x2xf32>, tensor<f32>) -> tensor<1x2xf32>
    %read = nn.gather %b, %index, %axis {batch_dims = 0 : i64} : (tensor<4x2xf32>, tensor<1xi64>, tensor<i64>) -> tensor<1x2xf32>
    %both = nn.add %item, %read : (tensor<1x2xf32>, tensor<1x2xf32>) -> tensor<1x2xf32>
    %place = nn.concat %first, %along {axis = 0 : i64} : (tensor<1xi32>, tensor<1xi32>) -> tensor<2xi32>
    %d = "tfl.dynamic_update_slice"(%b, %both, %place) : (tensor<4x2xf32>, tensor<1x2xf32>, tensor<2xi32>) -> tensor<4x2xf32>
    infra.yield %i, %d, %c, %go : tensor<i32>, tensor<4x2xf32>, tensor<1x2xf32>, tensor<i1>
  }
  func.return %r : tensor<4x2xf32>
}

// The same, cut and put together again.
// CHECK-LABEL: func.func @spliced
// CHECK:      infra.loop %{{.*}}, %{{.*}}, %t inputs [#infra.invariant] outputs [#infra.concatenated<result = 0, axis = 0, start = 0, end = -1, stride = 1, part_size = 1>]
// CHECK-NOT:  nn.concat
// CHECK:      func.return
func.func @spliced(%x: tensor<4x2xf32>, %t: tensor<1x2xf32>) -> tensor<4x2xf32> {
  %free = nn.constant dense<-1> : tensor<i64>
  %true = nn.constant dense<true> : tensor<i1>
  %zero = nn.constant dense<0> : tensor<i32>
  %r = infra.loop %free, %true, %zero, %x, %t inputs [#infra.merged<result = 0>, #infra.merged<result = 1>, #infra.merged<result = 2>] outputs [#infra.iteration<result = 1, iteration = -1>] body_names ["a", "b", "c"] {body_condition = 3 : i64} : (tensor<i64>, tensor<i1>, tensor<i32>, tensor<4x2xf32>, tensor<1x2xf32>) -> (tensor<4x2xf32>) {
  ^bb0(%a: tensor<i32>, %b: tensor<4x2xf32>, %c: tensor<1x2xf32>):
    %one = nn.constant dense<1> : tensor<i32>
    %i = nn.add %a, %one : (tensor<i32>, tensor<i32>) -> tensor<i32>
    %limit = nn.constant dense<4> : tensor<i32>
    %go = nn.less %i, %limit : (tensor<i32>, tensor<i32>) -> tensor<i1>
    %index = nn.constant dense<0> : tensor<1xi64>
    %axis = nn.constant dense<0> : tensor<i64>
    %along = nn.constant dense<0> : tensor<1xi32>
    %first = nn.unsqueeze %a, %index : (tensor<i32>, tensor<1xi64>) -> tensor<1xi32>
    %f = nn.convert %a to f32 : tensor<i32> -> tensor<f32>
    %item = nn.add %c, %f : (tensor<1x2xf32>, tensor<f32>) -> tensor<1x2xf32>
    %far = nn.constant dense<9223372036854775807> : tensor<1xi64>
    %step = nn.constant dense<1> : tensor<1xi64>
    %stop = nn.convert %first to i64 : tensor<1xi32> -> tensor<1xi64>
    %onward = nn.add %stop, %step : (tensor<1xi64>, tensor<1xi64>) -> tensor<1xi64>
    %before = nn.slice %b, %index, %stop, %step, %index : (tensor<4x2xf32>, tensor<1xi64>, tensor<1xi64>, tensor<1xi64>, tensor<1xi64>) -> tensor<?x2xf32>
    %after = nn.slice %b, %onward, %far, %step, %index : (tensor<4x2xf32>, tensor<1xi64>, tensor<1xi64>, tensor<1xi64>, tensor<1xi64>) -> tensor<?x2xf32>
    %d = nn.concat %before, %item, %after {axis = 0 : i64} : (tensor<?x2xf32>, tensor<1x2xf32>, tensor<?x2xf32>) -> tensor<?x2xf32>
    infra.yield %i, %d, %c, %go : tensor<i32>, tensor<?x2xf32>, tensor<1x2xf32>, tensor<i1>
  }
  func.return %r : tensor<4x2xf32>
}

// What begins empty grows by a row in each iteration, however many there are.
// CHECK-LABEL: func.func @grows
// CHECK:      infra.loop %{{.*}}, %{{.*}}, %t inputs [#infra.invariant] outputs [#infra.concatenated<result = 0, axis = 0, start = 0, end = -1, stride = 1, part_size = 1>]
// CHECK-NOT:  nn.concat
// CHECK:      func.return
func.func @grows(%t: tensor<1x2xf32>) -> tensor<?x2xf32> {
  %free = nn.constant dense<-1> : tensor<i64>
  %true = nn.constant dense<true> : tensor<i1>
  %zero = nn.constant dense<0> : tensor<i32>
  %empty = nn.constant dense<> : tensor<0x2xf32>
  %r = infra.loop %free, %true, %zero, %empty, %t inputs [#infra.merged<result = 0>, #infra.merged<result = 1>, #infra.merged<result = 2>] outputs [#infra.iteration<result = 1, iteration = -1>] body_names ["a", "b", "c"] {body_condition = 3 : i64} : (tensor<i64>, tensor<i1>, tensor<i32>, tensor<0x2xf32>, tensor<1x2xf32>) -> (tensor<?x2xf32>) {
  ^bb0(%a: tensor<i32>, %b: tensor<?x2xf32>, %c: tensor<1x2xf32>):
    %one = nn.constant dense<1> : tensor<i32>
    %i = nn.add %a, %one : (tensor<i32>, tensor<i32>) -> tensor<i32>
    %limit = nn.constant dense<3> : tensor<i32>
    %go = nn.less %i, %limit : (tensor<i32>, tensor<i32>) -> tensor<i1>
    %index = nn.constant dense<0> : tensor<1xi64>
    %axis = nn.constant dense<0> : tensor<i64>
    %along = nn.constant dense<0> : tensor<1xi32>
    %first = nn.unsqueeze %a, %index : (tensor<i32>, tensor<1xi64>) -> tensor<1xi32>
    %f = nn.convert %a to f32 : tensor<i32> -> tensor<f32>
    %item = nn.add %c, %f : (tensor<1x2xf32>, tensor<f32>) -> tensor<1x2xf32>
    %far = nn.constant dense<9223372036854775807> : tensor<1xi64>
    %step = nn.constant dense<1> : tensor<1xi64>
    %stop = nn.convert %first to i64 : tensor<1xi32> -> tensor<1xi64>
    %onward = nn.add %stop, %step : (tensor<1xi64>, tensor<1xi64>) -> tensor<1xi64>
    %before = nn.slice %b, %index, %stop, %step, %index : (tensor<?x2xf32>, tensor<1xi64>, tensor<1xi64>, tensor<1xi64>, tensor<1xi64>) -> tensor<?x2xf32>
    %after = nn.slice %b, %onward, %far, %step, %index : (tensor<?x2xf32>, tensor<1xi64>, tensor<1xi64>, tensor<1xi64>, tensor<1xi64>) -> tensor<?x2xf32>
    %d = nn.concat %before, %item, %after {axis = 0 : i64} : (tensor<?x2xf32>, tensor<1x2xf32>, tensor<?x2xf32>) -> tensor<?x2xf32>
    infra.yield %i, %d, %c, %go : tensor<i32>, tensor<?x2xf32>, tensor<1x2xf32>, tensor<i1>
  }
  func.return %r : tensor<?x2xf32>
}
