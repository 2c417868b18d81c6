// What infra refuses, and how it says so.
// RUN: opt-tool %s --split-input-file --verify-diagnostics

func.func @f(%x: tensor<4xf32>) {
  // expected-error@below {{infra.read_value 'read': variable 'h' is not declared in this module}}
  %0 = infra.read_value @h, %x {nn.name = "read"} : tensor<4xf32> -> tensor<4xf32>
  func.return
}
// -----
infra.variable @h : tensor<5xf32>
func.func @f(%x: tensor<4xf32>) {
  // expected-error@below {{infra.read_value: has type tensor<4xf32>, variable 'h' is declared as tensor<5xf32>}}
  %0 = infra.read_value @h, %x : tensor<4xf32> -> tensor<4xf32>
  func.return
}
// -----
infra.variable @h : tensor<5xf32>
func.func @f(%x: tensor<4xf32>) {
  // expected-error@below {{infra.read_value: init has type tensor<4xf32>, the result tensor<5xf32>}}
  %0 = infra.read_value @h, %x : tensor<4xf32> -> tensor<5xf32>
  func.return
}
// -----
infra.variable @h : tensor<5xf32>
func.func @f(%x: tensor<4xf32>) {
  // expected-error@below {{infra.assign: variable 'c' is not declared in this module}}
  infra.assign @c, %x : tensor<4xf32>
  func.return
}
// -----
infra.variable @h : tensor<4xf16>
func.func @f(%x: tensor<4xf32>) {
  // expected-error@below {{infra.assign: has type tensor<4xf32>, variable 'h' is declared as tensor<4xf16>}}
  infra.assign @h, %x : tensor<4xf32>
  func.return
}
// -----
// expected-error@below {{infra.variable 'h': has a scale, so it holds codes; tensor<4xf32> are none}}
infra.variable @h scale <dense<0.5> : tensor<f32>> : tensor<4xf32>
// -----
// expected-error@below {{infra.variable 'h': has a zero point, but no scale}}
"infra.variable"() <{sym_name = "h", type = tensor<4xi8>, zero_point = #nn.blob<dense<1> : tensor<i8>>}> : () -> ()
// -----
// expected-error@below {{infra.variable 'h': scale or zero point of shape [3] does not broadcast to tensor<?x4xi8>}}
infra.variable @h scale <dense<0.5> : tensor<3xf32>> : tensor<?x4xi8>
// -----
func.func @f(%x: tensor<4xf32>) {
  // expected-error@below {{infra.tensor_iterator 'TI': the body must end in infra.yield}}
  "infra.tensor_iterator"(%x) <{inputs = [#infra.invariant], outputs = [], body_names = ["x"]}> ({
  ^bb0(%a: tensor<4xf32>):
    llvm.unreachable
  }) {nn.name = "TI"} : (tensor<4xf32>) -> ()
  func.return
}
// -----
func.func @f(%x: tensor<4xf32>) {
  // expected-error@below {{infra.tensor_iterator: 1 operands, 2 input ports, 1 body arguments and 1 names must be as many}}
  infra.tensor_iterator %x inputs [#infra.invariant, #infra.invariant] outputs [] body_names ["x"] : (tensor<4xf32>) -> () {
  ^bb0(%a: tensor<4xf32>):
    infra.yield
  }
  func.return
}
// -----
func.func @f(%x: tensor<4xf32>) {
  // expected-error@below {{infra.tensor_iterator: 0 output ports for 1 results}}
  %0 = infra.tensor_iterator %x inputs [#infra.invariant] outputs [] body_names ["x"] : (tensor<4xf32>) -> tensor<4xf32> {
  ^bb0(%a: tensor<4xf32>):
    infra.yield %a : tensor<4xf32>
  }
  func.return
}
// -----
func.func @f(%x: tensor<4xf32>) {
  // expected-error@below {{infra.tensor_iterator: a body argument of type tensor<5xf32> is given tensor<4xf32>}}
  infra.tensor_iterator %x inputs [#infra.invariant] outputs [] body_names ["x"] : (tensor<4xf32>) -> () {
  ^bb0(%a: tensor<5xf32>):
    infra.yield
  }
  func.return
}
// -----
func.func @f(%x: tensor<4xf32>) {
  // expected-error@below {{infra.tensor_iterator: infra.iteration cannot be an input port}}
  infra.tensor_iterator %x inputs [#infra.iteration<result = 0, iteration = -1>] outputs [] body_names ["x"] : (tensor<4xf32>) -> () {
  ^bb0(%a: tensor<4xf32>):
    infra.yield
  }
  func.return
}
// -----
func.func @f(%x: tensor<4xf32>) {
  // expected-error@below {{infra.tensor_iterator: infra.merged cannot be an output port}}
  %0 = infra.tensor_iterator %x inputs [#infra.invariant] outputs [#infra.merged<result = 0>] body_names ["x"] : (tensor<4xf32>) -> tensor<4xf32> {
  ^bb0(%a: tensor<4xf32>):
    infra.yield %a : tensor<4xf32>
  }
  func.return
}
// -----
func.func @f(%x: tensor<4xf32>) {
  // expected-error@below {{infra.tensor_iterator: there is no body result 1; the body gives 1}}
  infra.tensor_iterator %x inputs [#infra.merged<result = 1>] outputs [] body_names ["x"] : (tensor<4xf32>) -> () {
  ^bb0(%a: tensor<4xf32>):
    infra.yield %a : tensor<4xf32>
  }
  func.return
}
// -----
func.func @f(%x: tensor<4xf32>, %y: tensor<5xf32>) {
  // expected-error@below {{infra.tensor_iterator: body result 0 of type tensor<5xf32> comes back as an argument of type tensor<4xf32>}}
  infra.tensor_iterator %x, %y inputs [#infra.merged<result = 0>, #infra.invariant] outputs [] body_names ["x", "y"] : (tensor<4xf32>, tensor<5xf32>) -> () {
  ^bb0(%a: tensor<4xf32>, %b: tensor<5xf32>):
    infra.yield %b : tensor<5xf32>
  }
  func.return
}
// -----
func.func @f(%x: tensor<4xf32>) {
  // expected-error@below {{infra.tensor_iterator: stride 0 with part size 1 never ends; use a stride other than 0 and a positive part size}}
  infra.tensor_iterator %x inputs [#infra.sliced<axis = 0, start = 0, end = -1, stride = 0, part_size = 1>] outputs [] body_names ["x"] : (tensor<4xf32>) -> () {
  ^bb0(%a: tensor<1xf32>):
    infra.yield
  }
  func.return
}
// -----
func.func @f(%x: tensor<4xf32>) {
  // expected-error@below {{infra.tensor_iterator: axis 1 is out of range for rank 1}}
  infra.tensor_iterator %x inputs [#infra.sliced<axis = 1, start = 0, end = -1, stride = 1, part_size = 1>] outputs [] body_names ["x"] : (tensor<4xf32>) -> () {
  ^bb0(%a: tensor<1xf32>):
    infra.yield
  }
  func.return
}
// -----
func.func @f(%x: tensor<4xf32>) {
  // expected-error@below {{infra.tensor_iterator: iteration 3 takes elements 3 to 5 of dimension 0, which has 4}}
  infra.tensor_iterator %x inputs [#infra.sliced<axis = 0, start = 0, end = -1, stride = 1, part_size = 2>] outputs [] body_names ["x"] : (tensor<4xf32>) -> () {
  ^bb0(%a: tensor<2xf32>):
    infra.yield
  }
  func.return
}
// -----
func.func @f(%x: tensor<4xf32>, %y: tensor<5xf32>) {
  // expected-error@below {{infra.tensor_iterator: sliced inputs give different numbers of iterations: [4, 5]}}
  infra.tensor_iterator %x, %y inputs [#infra.sliced<axis = 0, start = 0, end = -1, stride = 1, part_size = 1>, #infra.sliced<axis = 0, start = 0, end = -1, stride = 1, part_size = 1>] outputs [] body_names ["x", "y"] : (tensor<4xf32>, tensor<5xf32>) -> () {
  ^bb0(%a: tensor<1xf32>, %b: tensor<1xf32>):
    infra.yield
  }
  func.return
}
// -----
func.func @f(%x: tensor<4xf32>) {
  // expected-error@below {{infra.tensor_iterator: there is no iteration 4; the last one is -1}}
  %0 = infra.tensor_iterator %x inputs [#infra.sliced<axis = 0, start = 0, end = -1, stride = 1, part_size = 1>] outputs [#infra.iteration<result = 0, iteration = 4>] body_names ["x"] : (tensor<4xf32>) -> tensor<1xf32> {
  ^bb0(%a: tensor<1xf32>):
    infra.yield %a : tensor<1xf32>
  }
  func.return
}
// -----
func.func @f(%x: tensor<4xf32>) {
  // expected-error@below {{infra.tensor_iterator: parts of size 2 are put together, body result 0 has size 1 along axis 0}}
  %0 = infra.tensor_iterator %x inputs [#infra.sliced<axis = 0, start = 0, end = -1, stride = 1, part_size = 1>] outputs [#infra.concatenated<result = 0, axis = 0, start = 0, end = -1, stride = 1, part_size = 2>] body_names ["x"] : (tensor<4xf32>) -> tensor<8xf32> {
  ^bb0(%a: tensor<1xf32>):
    infra.yield %a : tensor<1xf32>
  }
  func.return
}
// -----
func.func @f(%x: tensor<4xf32>) {
  // expected-error@below {{infra.tensor_iterator: result type tensor<5xf32> does not fit; operands give tensor<4xf32>}}
  %0 = infra.tensor_iterator %x inputs [#infra.sliced<axis = 0, start = 0, end = -1, stride = 1, part_size = 1>] outputs [#infra.concatenated<result = 0, axis = 0, start = 0, end = -1, stride = 1, part_size = 1>] body_names ["x"] : (tensor<4xf32>) -> tensor<5xf32> {
  ^bb0(%a: tensor<1xf32>):
    infra.yield %a : tensor<1xf32>
  }
  func.return
}

// -----

func.func @main(%h: tensor<f32>, %n: tensor<i64>, %c: tensor<i1>) -> tensor<f32> {
  // expected-error@below {{infra.loop 'L': there is no body result 7; the body gives 1}}
  %y = infra.loop %n, %c, %h inputs [#infra.merged<result = 0>] outputs [#infra.iteration<result = 0, iteration = -1>] body_names ["H"] {nn.name = "L", body_condition = 7 : i64} : (tensor<i64>, tensor<i1>, tensor<f32>) -> tensor<f32> {
  ^bb0(%ht: tensor<f32>):
    infra.yield %ht : tensor<f32>
  }
  func.return %y : tensor<f32>
}

// -----

func.func @main(%h: tensor<f32>, %n: tensor<i64>, %c: tensor<i1>) -> tensor<f32> {
  // expected-error@below {{infra.loop 'L': body result 0, its condition, has type tensor<f32>, not tensor<i1>}}
  %y = infra.loop %n, %c, %h inputs [#infra.merged<result = 0>] outputs [#infra.iteration<result = 0, iteration = -1>] body_names ["H"] {nn.name = "L", body_condition = 0 : i64} : (tensor<i64>, tensor<i1>, tensor<f32>) -> tensor<f32> {
  ^bb0(%ht: tensor<f32>):
    infra.yield %ht : tensor<f32>
  }
  func.return %y : tensor<f32>
}

// -----

func.func @main(%n: tensor<2xi64>, %c: tensor<i1>) {
  // expected-error@below {{infra.loop: the trip count has type tensor<2xi64>, not a scalar}}
  infra.loop %n, %c inputs [] outputs [] body_names [] : (tensor<2xi64>, tensor<i1>) -> () {
    infra.yield
  }
  func.return
}

// -----

func.func @main(%x: tensor<2xf32>) {
  %n = nn.constant dense<3> : tensor<i64>
  %c = nn.constant dense<true> : tensor<i1>
  // expected-error@below {{infra.loop: runs 3 iterations, a sliced input has 2 parts}}
  infra.loop %n, %c, %x inputs [#infra.sliced<axis = 0, start = 0, end = -1, stride = 1, part_size = 1>] outputs [] body_names ["X"] : (tensor<i64>, tensor<i1>, tensor<2xf32>) -> () {
  ^bb0(%xt: tensor<1xf32>):
    infra.yield
  }
  func.return
}

// -----

func.func @main(%h: tensor<f32>) -> tensor<f32> {
  %n = nn.constant dense<-1> : tensor<i64>
  %c = nn.constant dense<true> : tensor<i1>
  // expected-error@below {{infra.loop 'L': never ends, without a trip count and with conditions that always hold; give it a trip count, compute its condition, or slice an input}}
  %y = infra.loop %n, %c, %h inputs [#infra.merged<result = 0>] outputs [#infra.iteration<result = 0, iteration = -1>] body_names ["H"] {nn.name = "L"} : (tensor<i64>, tensor<i1>, tensor<f32>) -> tensor<f32> {
  ^bb0(%h_t: tensor<f32>):
    infra.yield %h_t : tensor<f32>
  }
  func.return %y : tensor<f32>
}

// -----

func.func @main(%c: tensor<2xi1>) {
  // expected-error@below {{infra.if: the condition has type tensor<2xi1>, not a scalar}}
  infra.if %c : (tensor<2xi1>) -> () {
    infra.yield
  } else {
    infra.yield
  }
  func.return
}

// -----

func.func @main(%c: tensor<i1>, %x: tensor<2xf32>) {
  // expected-error@below {{infra.if: a body takes ['tensor<3xf32>'], it is given ['tensor<2xf32>']}}
  infra.if %c, %x : (tensor<i1>, tensor<2xf32>) -> () {
  ^bb0(%a: tensor<2xf32>):
    infra.yield
  } else {
  ^bb0(%b: tensor<3xf32>):
    infra.yield
  }
  func.return
}

// -----

func.func @main(%c: tensor<i1>, %x: tensor<2xf32>) {
  // expected-error@below {{infra.if: bodies give [0, 1] results, the operation 0}}
  infra.if %c, %x : (tensor<i1>, tensor<2xf32>) -> () {
  ^bb0(%a: tensor<2xf32>):
    infra.yield
  } else {
  ^bb0(%b: tensor<2xf32>):
    infra.yield %b : tensor<2xf32>
  }
  func.return
}

// -----

func.func @main(%c: tensor<i1>, %x: tensor<2xf32>, %t: tensor<2xi1>) -> tensor<2xf32> {
  // expected-error@below {{infra.if 'choice': its bodies give tensor<2xf32> and tensor<2xi1>; types must agree}}
  %y = infra.if %c, %x, %t {nn.name = "choice"} : (tensor<i1>, tensor<2xf32>, tensor<2xi1>) -> tensor<2xf32> {
  ^bb0(%a: tensor<2xf32>, %d: tensor<2xi1>):
    infra.yield %a : tensor<2xf32>
  } else {
  ^bb0(%b: tensor<2xf32>, %e: tensor<2xi1>):
    infra.yield %e : tensor<2xi1>
  }
  func.return %y : tensor<2xf32>
}

// -----

// expected-error@below {{infra.variable: the id "" names nothing; give the variable another}}
infra.variable @"" : tensor<2xf32>
