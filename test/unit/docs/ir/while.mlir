func.func @main(%buffer: tensor<4x2xf32>, %x: tensor<4x2xf32>) -> tensor<4x2xf32> {
  %unlimited = nn.constant dense<-1> : tensor<i64>
  %true = nn.constant dense<true> : tensor<i1>
  %zero = nn.constant dense<0> : tensor<i32>
  %n, %y = infra.loop %unlimited, %true, %zero, %buffer, %x
      inputs [#infra.merged<result = 0>, #infra.merged<result = 1>, #infra.merged<result = 2>]
      outputs [#infra.iteration<result = 0, iteration = -1>, #infra.iteration<result = 1, iteration = -1>]
      body_names ["i", "buffer", "x"] {body_condition = 3 : i64} : (tensor<i64>, tensor<i1>, tensor<i32>, tensor<4x2xf32>, tensor<4x2xf32>) -> (tensor<i32>, tensor<4x2xf32>) {
  ^bb0(%i: tensor<i32>, %b: tensor<4x2xf32>, %table: tensor<4x2xf32>):
    %axis = nn.constant dense<0> : tensor<i64>
    %first = nn.constant dense<0> : tensor<i32>
    %one = nn.constant dense<1> : tensor<i32>
    %four = nn.constant dense<4> : tensor<i32>
    %front = nn.constant dense<0> : tensor<1xi64>
    %row = nn.gather %table, %i, %axis {batch_dims = 0 : i64} : (tensor<4x2xf32>, tensor<i32>, tensor<i64>) -> tensor<2xf32>
    %double = nn.add %row, %row : (tensor<2xf32>, tensor<2xf32>) -> tensor<2xf32>
    %part = nn.unsqueeze %double, %front : (tensor<2xf32>, tensor<1xi64>) -> tensor<1x2xf32>
    %is = nn.unsqueeze %i, %front : (tensor<i32>, tensor<1xi64>) -> tensor<1xi32>
    %column = nn.constant dense<0> : tensor<1xi32>
    %place = nn.concat %is, %column {axis = 0 : i64} : (tensor<1xi32>, tensor<1xi32>) -> tensor<2xi32>
    %next = "tfl.dynamic_update_slice"(%b, %part, %place) : (tensor<4x2xf32>, tensor<1x2xf32>, tensor<2xi32>) -> tensor<4x2xf32>
    %i1 = nn.add %i, %one : (tensor<i32>, tensor<i32>) -> tensor<i32>
    %go_on = nn.less %i1, %four : (tensor<i32>, tensor<i32>) -> tensor<i1>
    infra.yield %i1, %next, %table, %go_on : tensor<i32>, tensor<4x2xf32>, tensor<4x2xf32>, tensor<i1>
  }
  func.return %y : tensor<4x2xf32>
}
