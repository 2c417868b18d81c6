// What does not compile, and how lowering says so.
// RUN: opt-tool %s --split-input-file --verify-diagnostics --lower-to-kernels=isa=portable

func.func @main(%x: tensor<?x4xf32>) -> tensor<?x4xf32> {
  // expected-error@below {{nn.relu 'act': type tensor<?x4xf32> has unknown dimensions while compiling; reshape the model or give inputs of known shape}}
  %0 = nn.relu %x {nn.name = "act"} : tensor<?x4xf32>
  func.return %0 : tensor<?x4xf32>
}
// -----
func.func @main(%x: tensor<4xf32>, %start: tensor<1xi64>) -> tensor<2xf32> {
  %two = nn.constant dense<[2]> : tensor<1xi64>
  %one = nn.constant dense<[1]> : tensor<1xi64>
  %zero = nn.constant dense<[0]> : tensor<1xi64>
  // expected-error@below {{nn.slice 'cut': start is not constant; run fold-constants first or make it one}}
  %0 = nn.slice %x, %start, %two, %one, %zero {nn.name = "cut"} : (tensor<4xf32>, tensor<1xi64>, tensor<1xi64>, tensor<1xi64>, tensor<1xi64>) -> tensor<2xf32>
  func.return %0 : tensor<2xf32>
}
// -----
func.func @main(%x: tensor<4xi1>) -> tensor<i1> {
  %axes = nn.constant dense<[0]> : tensor<1xi64>
  // expected-error@below {{nn.reduce_max 'top': booleans are not numbers; convert them to i32}}
  %0 = nn.reduce_max %x, %axes {nn.name = "top", keep_dims = false} : (tensor<4xi1>, tensor<1xi64>) -> tensor<i1>
  func.return %0 : tensor<i1>
}
// -----
func.func @main(%x: tensor<4xi1>) -> tensor<4xi1> {
  // expected-error@below {{nn.add: booleans do not add up; convert them to i32}}
  %0 = nn.add %x, %x : (tensor<4xi1>, tensor<4xi1>) -> tensor<4xi1>
  func.return %0 : tensor<4xi1>
}
// -----
func.func @main(%x: tensor<4xf32>, %n: tensor<i64>) -> tensor<4xf32> {
  %true = nn.constant dense<true> : tensor<i1>
  // expected-error@below {{infra.loop 'loop': gives the value of iteration 1, and it is not known how many there are; only the last one compiles}}
  %0 = infra.loop %n, %true, %x inputs [#infra.merged<result = 0>] outputs [#infra.iteration<result = 0, iteration = 1>]
      body_names ["x"] {nn.name = "loop"} : (tensor<i64>, tensor<i1>, tensor<4xf32>) -> tensor<4xf32> {
  ^bb0(%xt: tensor<4xf32>):
    %1 = nn.relu %xt : tensor<4xf32>
    infra.yield %1 : tensor<4xf32>
  }
  func.return %0 : tensor<4xf32>
}
// -----
func.func @main(%x: tensor<4xf32>) -> tensor<4xf32> {
  // expected-error@below {{func.call: cannot be compiled; rewrite it in operations of nn first}}
  %0 = func.call @main(%x) : (tensor<4xf32>) -> tensor<4xf32>
  func.return %0 : tensor<4xf32>
}
// -----
infra.variable @s : tensor<?xf32>
func.func @main(%x: tensor<2xf32>) -> tensor<?xf32> {
  // expected-error@below {{infra.read_value: variable 's' is tensor<?xf32>, of unknown size while compiling; give its initial value a shape that follows from those of inputs and states}}
  %s = infra.read_value @s, %x : tensor<2xf32> -> tensor<?xf32>
  func.return %s : tensor<?xf32>
}
// -----
infra.variable @s : tensor<?xf32>
func.func @main(%x: tensor<2xf32>, %y: tensor<3xf32>, %c: tensor<i1>) -> tensor<2xf32> {
  %0 = infra.if %c, %x, %y : (tensor<i1>, tensor<2xf32>, tensor<3xf32>) -> tensor<2xf32> {
  ^bb0(%a: tensor<2xf32>, %b: tensor<3xf32>):
    infra.assign @s, %a : tensor<2xf32>
    infra.yield %a : tensor<2xf32>
  } else {
  ^bb0(%a: tensor<2xf32>, %b: tensor<3xf32>):
    // expected-error@below {{infra.assign: variable 's' is tensor<3xf32> here and tensor<2xf32> elsewhere; give it one size}}
    infra.assign @s, %b : tensor<3xf32>
    infra.yield %a : tensor<2xf32>
  }
  func.return %0 : tensor<2xf32>
}
// -----
func.func @main(%x: tensor<6x2xf32>, %i: tensor<6xi32>) -> tensor<?x2xf32> {
  // expected-error@below {{nn.segment_max: only the run can tell how many segments there are; give a constant num_segments}}
  %y = nn.segment_max %x, %i {fill_mode = "zero"} : (tensor<6x2xf32>, tensor<6xi32>) -> tensor<?x2xf32>
  func.return %y : tensor<?x2xf32>
}
