// RUN: opt-tool %s --raise-loop-ports | filecheck %s
// RUN: opt-tool %s --raise-loop-ports --verify-numerics

// What the body gives back as it was given is invariant; after the loop it is the operand.
// CHECK-LABEL: func.func @stays
// CHECK:      infra.loop %{{.*}}, %{{.*}}, %x, %w inputs [#infra.merged<result = 0>, #infra.invariant] outputs [#infra.iteration<result = 0, iteration = -1>]
// CHECK:      func.return %{{.*}}, %w
func.func @stays(%x: tensor<2xf32>, %w: tensor<2xf32>) -> (tensor<2xf32>, tensor<2xf32>) {
  %free = nn.constant dense<-1> : tensor<i64>
  %true = nn.constant dense<true> : tensor<i1>
  %zero = nn.constant dense<0> : tensor<i32>
  %r, %s = infra.loop %free, %true, %zero, %x, %w inputs [#infra.merged<result = 0>, #infra.merged<result = 1>, #infra.merged<result = 2>] outputs [#infra.iteration<result = 1, iteration = -1>, #infra.iteration<result = 2, iteration = -1>] body_names ["a", "b", "c"] {body_condition = 3 : i64} : (tensor<i64>, tensor<i1>, tensor<i32>, tensor<2xf32>, tensor<2xf32>) -> (tensor<2xf32>, tensor<2xf32>) {
  ^bb0(%a: tensor<i32>, %b: tensor<2xf32>, %c: tensor<2xf32>):
    %one = nn.constant dense<1> : tensor<i32>
    %i = nn.add %a, %one : (tensor<i32>, tensor<i32>) -> tensor<i32>
    %limit = nn.constant dense<3> : tensor<i32>
    %go = nn.less %i, %limit : (tensor<i32>, tensor<i32>) -> tensor<i1>
    %n = nn.add %b, %c : (tensor<2xf32>, tensor<2xf32>) -> tensor<2xf32>
    infra.yield %i, %n, %c, %go : tensor<i32>, tensor<2xf32>, tensor<2xf32>, tensor<i1>
  }
  func.return %r, %s : tensor<2xf32>, tensor<2xf32>
}

// What comes back as something else is not, though it is only read here.
// CHECK-LABEL: func.func @changes
// CHECK:      infra.loop %{{.*}}, %{{.*}}, %x, %w inputs [#infra.merged<result = 0>, #infra.merged<result = 1>]
func.func @changes(%x: tensor<2xf32>, %w: tensor<2xf32>) -> (tensor<2xf32>, tensor<2xf32>) {
  %free = nn.constant dense<-1> : tensor<i64>
  %true = nn.constant dense<true> : tensor<i1>
  %zero = nn.constant dense<0> : tensor<i32>
  %r, %s = infra.loop %free, %true, %zero, %x, %w inputs [#infra.merged<result = 0>, #infra.merged<result = 1>, #infra.merged<result = 2>] outputs [#infra.iteration<result = 1, iteration = -1>, #infra.iteration<result = 2, iteration = -1>] body_names ["a", "b", "c"] {body_condition = 3 : i64} : (tensor<i64>, tensor<i1>, tensor<i32>, tensor<2xf32>, tensor<2xf32>) -> (tensor<2xf32>, tensor<2xf32>) {
  ^bb0(%a: tensor<i32>, %b: tensor<2xf32>, %c: tensor<2xf32>):
    %one = nn.constant dense<1> : tensor<i32>
    %i = nn.add %a, %one : (tensor<i32>, tensor<i32>) -> tensor<i32>
    %limit = nn.constant dense<3> : tensor<i32>
    %go = nn.less %i, %limit : (tensor<i32>, tensor<i32>) -> tensor<i1>
    %k = nn.add %c, %c : (tensor<2xf32>, tensor<2xf32>) -> tensor<2xf32>
    %n = nn.add %b, %c : (tensor<2xf32>, tensor<2xf32>) -> tensor<2xf32>
    infra.yield %i, %n, %k, %go : tensor<i32>, tensor<2xf32>, tensor<2xf32>, tensor<i1>
  }
  func.return %r, %s : tensor<2xf32>, tensor<2xf32>
}

// So are codes that are quantized again from what they stand for.
// CHECK-LABEL: func.func @codes_stay
// CHECK:      infra.loop %{{.*}}, %{{.*}}, %x, %w inputs [#infra.merged<result = 0>, #infra.invariant]
// CHECK:      func.return %{{.*}}, %w
func.func @codes_stay(%x: tensor<2xf32>, %w: tensor<2xui8>) -> (tensor<2xf32>, tensor<2xui8>) {
  %free = nn.constant dense<-1> : tensor<i64>
  %true = nn.constant dense<true> : tensor<i1>
  %zero = nn.constant dense<0> : tensor<i32>
  %r, %s = infra.loop %free, %true, %zero, %x, %w inputs [#infra.merged<result = 0>, #infra.merged<result = 1>, #infra.merged<result = 2>] outputs [#infra.iteration<result = 1, iteration = -1>, #infra.iteration<result = 2, iteration = -1>] body_names ["a", "b", "c"] {body_condition = 3 : i64} : (tensor<i64>, tensor<i1>, tensor<i32>, tensor<2xf32>, tensor<2xui8>) -> (tensor<2xf32>, tensor<2xui8>) {
  ^bb0(%a: tensor<i32>, %b: tensor<2xf32>, %c: tensor<2xui8>):
    %one = nn.constant dense<1> : tensor<i32>
    %i = nn.add %a, %one : (tensor<i32>, tensor<i32>) -> tensor<i32>
    %limit = nn.constant dense<3> : tensor<i32>
    %go = nn.less %i, %limit : (tensor<i32>, tensor<i32>) -> tensor<i1>
    %d = qnn.dequantize %c scale <dense<0.5> : tensor<f32>> : tensor<2xui8> -> tensor<2xf32>
    %n = nn.add %b, %d : (tensor<2xf32>, tensor<2xf32>) -> tensor<2xf32>
    %low = nn.constant dense<0.0> : tensor<f32>
    %high = nn.constant dense<127.5> : tensor<f32>
    %last = nn.constant dense<255.0> : tensor<f32>
    %k = qnn.fake_quantize %d, %low, %high, %low, %last {levels = 256 : i64, output_type = ui8} : (tensor<2xf32>, tensor<f32>, tensor<f32>, tensor<f32>, tensor<f32>) -> tensor<2xui8>
    infra.yield %i, %n, %k, %go : tensor<i32>, tensor<2xf32>, tensor<2xui8>, tensor<i1>
  }
  func.return %r, %s : tensor<2xf32>, tensor<2xui8>
}

// A wider interval gives others.
// CHECK-LABEL: func.func @other_codes
// CHECK:      infra.loop %{{.*}}, %{{.*}}, %x, %w inputs [#infra.merged<result = 0>, #infra.merged<result = 1>]
func.func @other_codes(%x: tensor<2xf32>, %w: tensor<2xui8>) -> (tensor<2xf32>, tensor<2xui8>) {
  %free = nn.constant dense<-1> : tensor<i64>
  %true = nn.constant dense<true> : tensor<i1>
  %zero = nn.constant dense<0> : tensor<i32>
  %r, %s = infra.loop %free, %true, %zero, %x, %w inputs [#infra.merged<result = 0>, #infra.merged<result = 1>, #infra.merged<result = 2>] outputs [#infra.iteration<result = 1, iteration = -1>, #infra.iteration<result = 2, iteration = -1>] body_names ["a", "b", "c"] {body_condition = 3 : i64} : (tensor<i64>, tensor<i1>, tensor<i32>, tensor<2xf32>, tensor<2xui8>) -> (tensor<2xf32>, tensor<2xui8>) {
  ^bb0(%a: tensor<i32>, %b: tensor<2xf32>, %c: tensor<2xui8>):
    %one = nn.constant dense<1> : tensor<i32>
    %i = nn.add %a, %one : (tensor<i32>, tensor<i32>) -> tensor<i32>
    %limit = nn.constant dense<3> : tensor<i32>
    %go = nn.less %i, %limit : (tensor<i32>, tensor<i32>) -> tensor<i1>
    %d = qnn.dequantize %c scale <dense<0.5> : tensor<f32>> : tensor<2xui8> -> tensor<2xf32>
    %n = nn.add %b, %d : (tensor<2xf32>, tensor<2xf32>) -> tensor<2xf32>
    %low = nn.constant dense<0.0> : tensor<f32>
    %high = nn.constant dense<255.0> : tensor<f32>
    %last = nn.constant dense<255.0> : tensor<f32>
    %k = qnn.fake_quantize %d, %low, %high, %low, %last {levels = 256 : i64, output_type = ui8} : (tensor<2xf32>, tensor<f32>, tensor<f32>, tensor<f32>, tensor<f32>) -> tensor<2xui8>
    infra.yield %i, %n, %k, %go : tensor<i32>, tensor<2xf32>, tensor<2xui8>, tensor<i1>
  }
  func.return %r, %s : tensor<2xf32>, tensor<2xui8>
}
