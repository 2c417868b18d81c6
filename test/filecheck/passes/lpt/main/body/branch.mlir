// RUN: opt-tool %s --lpt-main | filecheck %s

// CHECK-LABEL: @in_and_out
// CHECK:      [[Y:%.*]] = infra.if %c, %p : (tensor<i1>, tensor<2x2xi8>) -> tensor<2x2xi8>
// CHECK:        nn.mat_mul %{{.*}} : (tensor<2x2xi8>, tensor<2x2xi8>) -> tensor<2x2xi32>
// CHECK:        infra.yield %{{.*}} : tensor<2x2xi8>
// CHECK:        infra.yield %{{.*}} : tensor<2x2xi8>
// CHECK:      nn.mat_mul [[Y]], %w : (tensor<2x2xi8>, tensor<2x2xi8>) -> tensor<2x2xi32>
func.func @in_and_out(%c: tensor<i1>, %p: tensor<2x2xi8>, %w: tensor<2x2xi8>) -> tensor<2x2xf32> {
  %x = qnn.dequantize %p scale <dense<0.5> : tensor<f32>> : tensor<2x2xi8> -> tensor<2x2xf32>
  %y = infra.if %c, %x : (tensor<i1>, tensor<2x2xf32>) -> tensor<2x2xf32> {
  ^bb0(%a: tensor<2x2xf32>):
    %codes = nn.constant dense<[[1, 2], [3, 4]]> : tensor<2x2xi8>
    %v = qnn.dequantize %codes scale <dense<0.5> : tensor<f32>> : tensor<2x2xi8> -> tensor<2x2xf32>
    %b = nn.mat_mul %a, %v : (tensor<2x2xf32>, tensor<2x2xf32>) -> tensor<2x2xf32>
    %low = nn.constant dense<-64.0> : tensor<f32>
    %high = nn.constant dense<63.5> : tensor<f32>
    %q = qnn.fake_quantize %b, %low, %high, %low, %high {levels = 256 : i64} : (tensor<2x2xf32>, tensor<f32>, tensor<f32>, tensor<f32>, tensor<f32>) -> tensor<2x2xf32>
    infra.yield %q : tensor<2x2xf32>
  } else {
  ^bb0(%d: tensor<2x2xf32>):
    infra.yield %d : tensor<2x2xf32>
  }
  %u = qnn.dequantize %w scale <dense<0.5> : tensor<f32>> : tensor<2x2xi8> -> tensor<2x2xf32>
  %r = nn.mat_mul %y, %u : (tensor<2x2xf32>, tensor<2x2xf32>) -> tensor<2x2xf32>
  func.return %r : tensor<2x2xf32>
}

// Bodies that give values of different grids give values.
// CHECK-LABEL: @two_grids
// CHECK:      [[Y:%.*]] = infra.if %c, %p, %q : (tensor<i1>, tensor<2x2xf32>, tensor<2x2xf32>) -> tensor<2x2xf32>
func.func @two_grids(%c: tensor<i1>, %p: tensor<2x2xf32>, %q: tensor<2x2xf32>, %w: tensor<2x2xi8>) -> tensor<2x2xf32> {
  %y = infra.if %c, %p, %q : (tensor<i1>, tensor<2x2xf32>, tensor<2x2xf32>) -> tensor<2x2xf32> {
  ^bb0(%a: tensor<2x2xf32>, %b: tensor<2x2xf32>):
    %low = nn.constant dense<-64.0> : tensor<f32>
    %high = nn.constant dense<63.5> : tensor<f32>
    %d = qnn.fake_quantize %a, %low, %high, %low, %high {levels = 256 : i64} : (tensor<2x2xf32>, tensor<f32>, tensor<f32>, tensor<f32>, tensor<f32>) -> tensor<2x2xf32>
    infra.yield %d : tensor<2x2xf32>
  } else {
  ^bb0(%a: tensor<2x2xf32>, %b: tensor<2x2xf32>):
    %low = nn.constant dense<-128.0> : tensor<f32>
    %high = nn.constant dense<127.0> : tensor<f32>
    %d = qnn.fake_quantize %b, %low, %high, %low, %high {levels = 256 : i64} : (tensor<2x2xf32>, tensor<f32>, tensor<f32>, tensor<f32>, tensor<f32>) -> tensor<2x2xf32>
    infra.yield %d : tensor<2x2xf32>
  }
  %u = qnn.dequantize %w scale <dense<0.5> : tensor<f32>> : tensor<2x2xi8> -> tensor<2x2xf32>
  %r = nn.mat_mul %y, %u : (tensor<2x2xf32>, tensor<2x2xf32>) -> tensor<2x2xf32>
  func.return %r : tensor<2x2xf32>
}

// Codes would be dequantized in a body that does nothing with them.
// CHECK-LABEL: @of_no_use
// CHECK:      infra.if %c, %{{.*}} : (tensor<i1>, tensor<2x2xf32>) -> tensor<2x2xf32>
func.func @of_no_use(%c: tensor<i1>, %p: tensor<2x2xi8>) -> tensor<2x2xf32> {
  %x = qnn.dequantize %p scale <dense<0.5> : tensor<f32>> : tensor<2x2xi8> -> tensor<2x2xf32>
  %y = infra.if %c, %x : (tensor<i1>, tensor<2x2xf32>) -> tensor<2x2xf32> {
  ^bb0(%a: tensor<2x2xf32>):
    infra.yield %a : tensor<2x2xf32>
  } else {
  ^bb0(%d: tensor<2x2xf32>):
    %t = nn.tanh %d : tensor<2x2xf32>
    infra.yield %t : tensor<2x2xf32>
  }
  func.return %y : tensor<2x2xf32>
}

// What a body computes on codes leaves it as codes, too: the branch is asked again behind its bodies.
// CHECK-LABEL: @computed_on_codes
// CHECK:      [[Y:%.*]] = infra.if %c, %p : (tensor<i1>, tensor<2x2xui8>) -> tensor<2x2xui8>
// CHECK:        [[R:%.*]] = nn.relu {{.*}} : tensor<2x2xui8>
// CHECK-NOT:    qnn.dequantize
// CHECK:        infra.yield [[R]] : tensor<2x2xui8>
// CHECK:      nn.mat_mul [[Y]], %w : (tensor<2x2xui8>, tensor<2x2xi8>) -> tensor<2x2xi32>
func.func @computed_on_codes(%c: tensor<i1>, %p: tensor<2x2xui8>, %w: tensor<2x2xi8>) -> tensor<2x2xf32> {
  %x = qnn.dequantize %p scale <dense<0.5> : tensor<f32>> : tensor<2x2xui8> -> tensor<2x2xf32>
  %y = infra.if %c, %x : (tensor<i1>, tensor<2x2xf32>) -> tensor<2x2xf32> {
  ^bb0(%a: tensor<2x2xf32>):
    infra.yield %a : tensor<2x2xf32>
  } else {
  ^bb0(%d: tensor<2x2xf32>):
    %e = nn.relu %d : tensor<2x2xf32>
    infra.yield %e : tensor<2x2xf32>
  }
  %u = qnn.dequantize %w scale <dense<0.5> : tensor<f32>> : tensor<2x2xi8> -> tensor<2x2xf32>
  %r = nn.mat_mul %y, %u : (tensor<2x2xf32>, tensor<2x2xf32>) -> tensor<2x2xf32>
  func.return %r : tensor<2x2xf32>
}

// Nearest miss: a sum has another grid than its operands.
// CHECK-LABEL: @computed_on_another_grid
// CHECK:      infra.if %c, %p : (tensor<i1>, tensor<2x2xui8>) -> tensor<2x2xf32>
func.func @computed_on_another_grid(%c: tensor<i1>, %p: tensor<2x2xui8>, %w: tensor<2x2xi8>) -> tensor<2x2xf32> {
  %x = qnn.dequantize %p scale <dense<0.5> : tensor<f32>> : tensor<2x2xui8> -> tensor<2x2xf32>
  %y = infra.if %c, %x : (tensor<i1>, tensor<2x2xf32>) -> tensor<2x2xf32> {
  ^bb0(%a: tensor<2x2xf32>):
    infra.yield %a : tensor<2x2xf32>
  } else {
  ^bb0(%d: tensor<2x2xf32>):
    %one = nn.constant dense<1.0> : tensor<f32>
    %e = nn.add %d, %one : (tensor<2x2xf32>, tensor<f32>) -> tensor<2x2xf32>
    infra.yield %e : tensor<2x2xf32>
  }
  %u = qnn.dequantize %w scale <dense<0.5> : tensor<f32>> : tensor<2x2xi8> -> tensor<2x2xf32>
  %r = nn.mat_mul %y, %u : (tensor<2x2xf32>, tensor<2x2xf32>) -> tensor<2x2xf32>
  func.return %r : tensor<2x2xf32>
}
