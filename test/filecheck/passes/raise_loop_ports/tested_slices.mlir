// RUN: opt-tool %s --raise-loop-ports | filecheck %s

// CHECK-LABEL: func.func @within
// CHECK-NOT:  nn.slice
// CHECK:      nn.gather %{{.*}} -> tensor<1x2xf32>
// CHECK:      return
func.func @within(%x: tensor<1x2xf32>, %t: tensor<4x2xf32>) -> tensor<1x2xf32> {
  %free = nn.constant dense<-1> : tensor<i64>
  %true = nn.constant dense<true> : tensor<i1>
  %zero = nn.constant dense<0> : tensor<i64>
  %r = infra.loop %free, %true, %zero, %x, %t inputs [#infra.merged<result = 0>, #infra.merged<result = 1>, #infra.invariant] outputs [#infra.iteration<result = 1, iteration = -1>] body_names ["i", "x", "t"] {body_condition = 2 : i64} : (tensor<i64>, tensor<i1>, tensor<i64>, tensor<1x2xf32>, tensor<4x2xf32>) -> tensor<1x2xf32> {
  ^bb0(%i: tensor<i64>, %b: tensor<1x2xf32>, %c: tensor<4x2xf32>):
    %axis = nn.constant dense<[0]> : tensor<1xi64>
    %one = nn.constant dense<[1]> : tensor<1xi64>
    %at = nn.unsqueeze %i, %axis : (tensor<i64>, tensor<1xi64>) -> tensor<1xi64>
    %to = nn.add %at, %one : (tensor<1xi64>, tensor<1xi64>) -> tensor<1xi64>
    %row = nn.slice %c, %at, %to, %one, %axis : (tensor<4x2xf32>, tensor<1xi64>, tensor<1xi64>, tensor<1xi64>, tensor<1xi64>) -> tensor<?x2xf32>
    %sum = nn.reduce_sum %row, %axis {keep_dims = true} : (tensor<?x2xf32>, tensor<1xi64>) -> tensor<1x2xf32>
    %more = nn.add %b, %sum : (tensor<1x2xf32>, tensor<1x2xf32>) -> tensor<1x2xf32>
    %d = nn.abs %more : tensor<1x2xf32>
    %all = nn.constant dense<[0, 1]> : tensor<2xi64>
    %total = nn.reduce_sum %d, %all : (tensor<1x2xf32>, tensor<2xi64>) -> tensor<f32>
    %half = nn.constant dense<0.5> : tensor<f32>
    %stays = nn.less %total, %half : (tensor<f32>, tensor<f32>) -> tensor<i1>
    %n = infra.if %stays, %i : (tensor<i1>, tensor<i64>) -> tensor<i64> {
    ^bb1(%j: tensor<i64>):
      %two = nn.constant dense<2> : tensor<i64>
      %k = nn.add %j, %two : (tensor<i64>, tensor<i64>) -> tensor<i64>
      infra.yield %k : tensor<i64>
    } else {
    ^bb2(%j: tensor<i64>):
      %by = nn.constant dense<1> : tensor<i64>
      %k = nn.add %j, %by : (tensor<i64>, tensor<i64>) -> tensor<i64>
      infra.yield %k : tensor<i64>
    }
    %limit = nn.constant dense<4> : tensor<i64>
    %go = nn.less %n, %limit : (tensor<i64>, tensor<i64>) -> tensor<i1>
    infra.yield %n, %d, %go : tensor<i64>, tensor<1x2xf32>, tensor<i1>
  }
  func.return %r : tensor<1x2xf32>
}

// The last one may be empty.
// CHECK-LABEL: func.func @beyond
// CHECK:      nn.slice %{{.*}} -> tensor<?x2xf32>
// CHECK:      return
func.func @beyond(%x: tensor<1x2xf32>, %t: tensor<4x2xf32>) -> tensor<1x2xf32> {
  %free = nn.constant dense<-1> : tensor<i64>
  %true = nn.constant dense<true> : tensor<i1>
  %zero = nn.constant dense<0> : tensor<i64>
  %r = infra.loop %free, %true, %zero, %x, %t inputs [#infra.merged<result = 0>, #infra.merged<result = 1>, #infra.invariant] outputs [#infra.iteration<result = 1, iteration = -1>] body_names ["i", "x", "t"] {body_condition = 2 : i64} : (tensor<i64>, tensor<i1>, tensor<i64>, tensor<1x2xf32>, tensor<4x2xf32>) -> tensor<1x2xf32> {
  ^bb0(%i: tensor<i64>, %b: tensor<1x2xf32>, %c: tensor<4x2xf32>):
    %axis = nn.constant dense<[0]> : tensor<1xi64>
    %one = nn.constant dense<[1]> : tensor<1xi64>
    %at = nn.unsqueeze %i, %axis : (tensor<i64>, tensor<1xi64>) -> tensor<1xi64>
    %to = nn.add %at, %one : (tensor<1xi64>, tensor<1xi64>) -> tensor<1xi64>
    %row = nn.slice %c, %at, %to, %one, %axis : (tensor<4x2xf32>, tensor<1xi64>, tensor<1xi64>, tensor<1xi64>, tensor<1xi64>) -> tensor<?x2xf32>
    %sum = nn.reduce_sum %row, %axis {keep_dims = true} : (tensor<?x2xf32>, tensor<1xi64>) -> tensor<1x2xf32>
    %more = nn.add %b, %sum : (tensor<1x2xf32>, tensor<1x2xf32>) -> tensor<1x2xf32>
    %d = nn.abs %more : tensor<1x2xf32>
    %all = nn.constant dense<[0, 1]> : tensor<2xi64>
    %total = nn.reduce_sum %d, %all : (tensor<1x2xf32>, tensor<2xi64>) -> tensor<f32>
    %half = nn.constant dense<0.5> : tensor<f32>
    %stays = nn.less %total, %half : (tensor<f32>, tensor<f32>) -> tensor<i1>
    %n = infra.if %stays, %i : (tensor<i1>, tensor<i64>) -> tensor<i64> {
    ^bb1(%j: tensor<i64>):
      %two = nn.constant dense<2> : tensor<i64>
      %k = nn.add %j, %two : (tensor<i64>, tensor<i64>) -> tensor<i64>
      infra.yield %k : tensor<i64>
    } else {
    ^bb2(%j: tensor<i64>):
      %by = nn.constant dense<1> : tensor<i64>
      %k = nn.add %j, %by : (tensor<i64>, tensor<i64>) -> tensor<i64>
      infra.yield %k : tensor<i64>
    }
    %limit = nn.constant dense<5> : tensor<i64>
    %go = nn.less %n, %limit : (tensor<i64>, tensor<i64>) -> tensor<i1>
    infra.yield %n, %d, %go : tensor<i64>, tensor<1x2xf32>, tensor<i1>
  }
  func.return %r : tensor<1x2xf32>
}

// From -1 it counts from the end.
// CHECK-LABEL: func.func @falls
// CHECK:      nn.slice %{{.*}} -> tensor<?x2xf32>
// CHECK:      return
func.func @falls(%x: tensor<1x2xf32>, %t: tensor<4x2xf32>) -> tensor<1x2xf32> {
  %free = nn.constant dense<-1> : tensor<i64>
  %true = nn.constant dense<true> : tensor<i1>
  %zero = nn.constant dense<0> : tensor<i64>
  %r = infra.loop %free, %true, %zero, %x, %t inputs [#infra.merged<result = 0>, #infra.merged<result = 1>, #infra.invariant] outputs [#infra.iteration<result = 1, iteration = -1>] body_names ["i", "x", "t"] {body_condition = 2 : i64} : (tensor<i64>, tensor<i1>, tensor<i64>, tensor<1x2xf32>, tensor<4x2xf32>) -> tensor<1x2xf32> {
  ^bb0(%i: tensor<i64>, %b: tensor<1x2xf32>, %c: tensor<4x2xf32>):
    %axis = nn.constant dense<[0]> : tensor<1xi64>
    %one = nn.constant dense<[1]> : tensor<1xi64>
    %at = nn.unsqueeze %i, %axis : (tensor<i64>, tensor<1xi64>) -> tensor<1xi64>
    %to = nn.add %at, %one : (tensor<1xi64>, tensor<1xi64>) -> tensor<1xi64>
    %row = nn.slice %c, %at, %to, %one, %axis : (tensor<4x2xf32>, tensor<1xi64>, tensor<1xi64>, tensor<1xi64>, tensor<1xi64>) -> tensor<?x2xf32>
    %sum = nn.reduce_sum %row, %axis {keep_dims = true} : (tensor<?x2xf32>, tensor<1xi64>) -> tensor<1x2xf32>
    %more = nn.add %b, %sum : (tensor<1x2xf32>, tensor<1x2xf32>) -> tensor<1x2xf32>
    %d = nn.abs %more : tensor<1x2xf32>
    %all = nn.constant dense<[0, 1]> : tensor<2xi64>
    %total = nn.reduce_sum %d, %all : (tensor<1x2xf32>, tensor<2xi64>) -> tensor<f32>
    %half = nn.constant dense<0.5> : tensor<f32>
    %stays = nn.less %total, %half : (tensor<f32>, tensor<f32>) -> tensor<i1>
    %n = infra.if %stays, %i : (tensor<i1>, tensor<i64>) -> tensor<i64> {
    ^bb1(%j: tensor<i64>):
      %two = nn.constant dense<2> : tensor<i64>
      %k = nn.add %j, %two : (tensor<i64>, tensor<i64>) -> tensor<i64>
      infra.yield %k : tensor<i64>
    } else {
    ^bb2(%j: tensor<i64>):
      %by = nn.constant dense<-1> : tensor<i64>
      %k = nn.add %j, %by : (tensor<i64>, tensor<i64>) -> tensor<i64>
      infra.yield %k : tensor<i64>
    }
    %limit = nn.constant dense<4> : tensor<i64>
    %go = nn.less %n, %limit : (tensor<i64>, tensor<i64>) -> tensor<i1>
    infra.yield %n, %d, %go : tensor<i64>, tensor<1x2xf32>, tensor<i1>
  }
  func.return %r : tensor<1x2xf32>
}
