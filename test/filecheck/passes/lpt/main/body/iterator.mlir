// RUN: opt-tool %s --lpt-main | filecheck %s

// Codes go in, are sliced, and come out of the body again.
// CHECK-LABEL: @in_and_out
// CHECK:      [[Y:%.*]] = infra.tensor_iterator %p, %s
// CHECK-SAME:   (tensor<4x2xui8>, tensor<1x2xui8>) -> tensor<4x2xui8>
// CHECK-NEXT: ^bb0([[X:%.*]]: tensor<1x2xui8>, [[S:%.*]]: tensor<1x2xui8>):
// CHECK:        nn.mat_mul [[X]], {{.*}} : (tensor<1x2xui8>, tensor<2x2xi8>) -> tensor<1x2xi32>
// CHECK:        nn.mat_mul [[S]], {{.*}} : (tensor<1x2xui8>, tensor<2x2xi8>) -> tensor<1x2xi32>
// CHECK:        [[Q:%.*]] = qnn.fake_quantize {{.*}} output_type = ui8
// CHECK:        infra.yield [[Q]] : tensor<1x2xui8>
// CHECK:      nn.mat_mul [[Y]], {{.*}} : (tensor<4x2xui8>, tensor<2x2xi8>) -> tensor<4x2xi32>
func.func @in_and_out(%p: tensor<4x2xui8>, %s: tensor<1x2xui8>, %w: tensor<2x2xi8>) -> tensor<4x2xf32> {
  %x = qnn.dequantize %p scale <dense<0.5> : tensor<f32>> : tensor<4x2xui8> -> tensor<4x2xf32>
  %z = qnn.dequantize %s scale <dense<[[0.5]]> : tensor<1x1xf32>> : tensor<1x2xui8> -> tensor<1x2xf32>
  %y = infra.tensor_iterator %x, %z
      inputs [#infra.sliced<axis = 0, start = 0, end = -1, stride = 1, part_size = 1>, #infra.invariant]
      outputs [#infra.concatenated<result = 0, axis = 0, start = 0, end = -1, stride = 1, part_size = 1>]
      body_names ["X", "S"] : (tensor<4x2xf32>, tensor<1x2xf32>) -> tensor<4x2xf32> {
  ^bb0(%xt: tensor<1x2xf32>, %st: tensor<1x2xf32>):
    %codes = nn.constant dense<[[1, 2], [3, 4]]> : tensor<2x2xi8>
    %v = qnn.dequantize %codes scale <dense<0.5> : tensor<f32>> : tensor<2x2xi8> -> tensor<2x2xf32>
    %a = nn.mat_mul %xt, %v : (tensor<1x2xf32>, tensor<2x2xf32>) -> tensor<1x2xf32>
    %b = nn.mat_mul %st, %v : (tensor<1x2xf32>, tensor<2x2xf32>) -> tensor<1x2xf32>
    %c = nn.add %a, %b : (tensor<1x2xf32>, tensor<1x2xf32>) -> tensor<1x2xf32>
    %low = nn.constant dense<0.0> : tensor<f32>
    %high = nn.constant dense<255.0> : tensor<f32>
    %q = qnn.fake_quantize %c, %low, %high, %low, %high {levels = 256 : i64} : (tensor<1x2xf32>, tensor<f32>, tensor<f32>, tensor<f32>, tensor<f32>) -> tensor<1x2xf32>
    infra.yield %q : tensor<1x2xf32>
  }
  %u = qnn.dequantize %w scale <dense<0.5> : tensor<f32>> : tensor<2x2xi8> -> tensor<2x2xf32>
  %r = nn.mat_mul %y, %u : (tensor<4x2xf32>, tensor<2x2xf32>) -> tensor<4x2xf32>
  func.return %r : tensor<4x2xf32>
}

// What goes around is quantized in the body, and 0 at the start; so also in a loop that may run no time.
// CHECK-LABEL: @around
// CHECK:      [[START:%.*]] = nn.constant dense<0> : tensor<1x2xi8>
// CHECK:      [[LAST:%.*]] = infra.loop %n, %go, [[START]]
// CHECK-NEXT: ^bb0([[H:%.*]]: tensor<1x2xi8>):
// CHECK:        nn.mat_mul [[H]], {{.*}} : (tensor<1x2xi8>, tensor<2x2xi8>) -> tensor<1x2xi32>
// CHECK:        infra.yield {{.*}} : tensor<1x2xi8>
// CHECK:      qnn.dequantize [[LAST]] scale <dense<1.0> : tensor<f32>>
func.func @around(%n: tensor<i64>, %go: tensor<i1>) -> tensor<1x2xf32> {
  %start = nn.constant dense<0.0> : tensor<1x2xf32>
  %y = infra.loop %n, %go, %start
      inputs [#infra.merged<result = 0>]
      outputs [#infra.iteration<result = 0, iteration = -1>]
      body_names ["H"] : (tensor<i64>, tensor<i1>, tensor<1x2xf32>) -> tensor<1x2xf32> {
  ^bb0(%h: tensor<1x2xf32>):
    %codes = nn.constant dense<[[1, 2], [3, 4]]> : tensor<2x2xi8>
    %v = qnn.dequantize %codes scale <dense<0.5> : tensor<f32>> : tensor<2x2xi8> -> tensor<2x2xf32>
    %a = nn.mat_mul %h, %v : (tensor<1x2xf32>, tensor<2x2xf32>) -> tensor<1x2xf32>
    %low = nn.constant dense<-128.0> : tensor<f32>
    %high = nn.constant dense<127.0> : tensor<f32>
    %q = qnn.fake_quantize %a, %low, %high, %low, %high {levels = 256 : i64} : (tensor<1x2xf32>, tensor<f32>, tensor<f32>, tensor<f32>, tensor<f32>) -> tensor<1x2xf32>
    infra.yield %q : tensor<1x2xf32>
  }
  func.return %y : tensor<1x2xf32>
}

// A state that low-latency2 would make of it begins with code 0, which means -10 here.
// CHECK-LABEL: @around_with_zero_point
// CHECK: infra.tensor_iterator {{.*}} (tensor<1x2xf32>) -> tensor<1x2xf32>
func.func @around_with_zero_point() -> tensor<1x2xf32> {
  %start = nn.constant dense<0.0> : tensor<1x2xf32>
  %y = infra.tensor_iterator %start
      inputs [#infra.merged<result = 0>]
      outputs [#infra.iteration<result = 0, iteration = -1>]
      body_names ["H"] : (tensor<1x2xf32>) -> tensor<1x2xf32> {
  ^bb0(%h: tensor<1x2xf32>):
    %codes = nn.constant dense<[[1, 2], [3, 4]]> : tensor<2x2xi8>
    %v = qnn.dequantize %codes scale <dense<0.5> : tensor<f32>> : tensor<2x2xi8> -> tensor<2x2xf32>
    %a = nn.mat_mul %h, %v : (tensor<1x2xf32>, tensor<2x2xf32>) -> tensor<1x2xf32>
    %low = nn.constant dense<-10.0> : tensor<f32>
    %high = nn.constant dense<245.0> : tensor<f32>
    %q = qnn.fake_quantize %a, %low, %high, %low, %high {levels = 256 : i64} : (tensor<1x2xf32>, tensor<f32>, tensor<f32>, tensor<f32>, tensor<f32>) -> tensor<1x2xf32>
    infra.yield %q : tensor<1x2xf32>
  }
  func.return %y : tensor<1x2xf32>
}

// It begins between codes.
// CHECK-LABEL: @around_from_elsewhere
// CHECK: infra.tensor_iterator {{.*}} (tensor<1x2xf32>) -> tensor<1x2xf32>
func.func @around_from_elsewhere() -> tensor<1x2xf32> {
  %start = nn.constant dense<0.5> : tensor<1x2xf32>
  %y = infra.tensor_iterator %start
      inputs [#infra.merged<result = 0>]
      outputs [#infra.iteration<result = 0, iteration = -1>]
      body_names ["H"] : (tensor<1x2xf32>) -> tensor<1x2xf32> {
  ^bb0(%h: tensor<1x2xf32>):
    %codes = nn.constant dense<[[1, 2], [3, 4]]> : tensor<2x2xi8>
    %v = qnn.dequantize %codes scale <dense<0.5> : tensor<f32>> : tensor<2x2xi8> -> tensor<2x2xf32>
    %a = nn.mat_mul %h, %v : (tensor<1x2xf32>, tensor<2x2xf32>) -> tensor<1x2xf32>
    %low = nn.constant dense<-128.0> : tensor<f32>
    %high = nn.constant dense<127.0> : tensor<f32>
    %q = qnn.fake_quantize %a, %low, %high, %low, %high {levels = 256 : i64} : (tensor<1x2xf32>, tensor<f32>, tensor<f32>, tensor<f32>, tensor<f32>) -> tensor<1x2xf32>
    infra.yield %q : tensor<1x2xf32>
  }
  func.return %y : tensor<1x2xf32>
}

// Scales differ along the dimension that is cut into parts.
// CHECK-LABEL: @sliced_channels
// CHECK: infra.tensor_iterator {{.*}} (tensor<2x2xf32>) -> tensor<2x2xf32>
func.func @sliced_channels(%p: tensor<2x2xi8>) -> tensor<2x2xf32> {
  %x = qnn.dequantize %p scale <dense<[[0.5], [0.25]]> : tensor<2x1xf32>> : tensor<2x2xi8> -> tensor<2x2xf32>
  %y = infra.tensor_iterator %x
      inputs [#infra.sliced<axis = 0, start = 0, end = -1, stride = 1, part_size = 1>]
      outputs [#infra.concatenated<result = 0, axis = 0, start = 0, end = -1, stride = 1, part_size = 1>]
      body_names ["X"] : (tensor<2x2xf32>) -> tensor<2x2xf32> {
  ^bb0(%xt: tensor<1x2xf32>):
    %codes = nn.constant dense<[[1, 2], [3, 4]]> : tensor<2x2xi8>
    %v = qnn.dequantize %codes scale <dense<0.5> : tensor<f32>> : tensor<2x2xi8> -> tensor<2x2xf32>
    %a = nn.mat_mul %xt, %v : (tensor<1x2xf32>, tensor<2x2xf32>) -> tensor<1x2xf32>
    infra.yield %a : tensor<1x2xf32>
  }
  func.return %y : tensor<2x2xf32>
}

// Nothing in the body, and nothing behind it, multiplies codes.
// CHECK-LABEL: @of_no_use
// CHECK: infra.tensor_iterator {{.*}} (tensor<2x2xf32>) -> tensor<2x2xf32>
func.func @of_no_use(%p: tensor<2x2xi8>) -> tensor<2x2xf32> {
  %x = qnn.dequantize %p scale <dense<0.5> : tensor<f32>> : tensor<2x2xi8> -> tensor<2x2xf32>
  %y = infra.tensor_iterator %x
      inputs [#infra.sliced<axis = 0, start = 0, end = -1, stride = 1, part_size = 1>]
      outputs [#infra.concatenated<result = 0, axis = 0, start = 0, end = -1, stride = 1, part_size = 1>]
      body_names ["X"] : (tensor<2x2xf32>) -> tensor<2x2xf32> {
  ^bb0(%xt: tensor<1x2xf32>):
    %a = nn.tanh %xt : tensor<1x2xf32>
    infra.yield %a : tensor<1x2xf32>
  }
  func.return %y : tensor<2x2xf32>
}

// What goes around is quantized at the start alone.
// CHECK-LABEL: @around_from_codes
// CHECK: infra.tensor_iterator {{.*}} (tensor<1x2xf32>) -> tensor<1x2xf32>
func.func @around_from_codes(%p: tensor<1x2xi8>) -> tensor<1x2xf32> {
  %start = qnn.dequantize %p scale <dense<0.5> : tensor<f32>> : tensor<1x2xi8> -> tensor<1x2xf32>
  %y = infra.tensor_iterator %start
      inputs [#infra.merged<result = 0>]
      outputs [#infra.iteration<result = 0, iteration = -1>]
      body_names ["H"] : (tensor<1x2xf32>) -> tensor<1x2xf32> {
  ^bb0(%h: tensor<1x2xf32>):
    %codes = nn.constant dense<[[1, 2], [3, 4]]> : tensor<2x2xi8>
    %v = qnn.dequantize %codes scale <dense<0.5> : tensor<f32>> : tensor<2x2xi8> -> tensor<2x2xf32>
    %a = nn.mat_mul %h, %v : (tensor<1x2xf32>, tensor<2x2xf32>) -> tensor<1x2xf32>
    infra.yield %a : tensor<1x2xf32>
  }
  func.return %y : tensor<1x2xf32>
}
