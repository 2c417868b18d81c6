// RUN: opt-tool %s --split-input-file --quantize-states='multiple=4' | filecheck %s

// What is assigned is quantized, and the initial value at once; reads of codes need nothing more.
// CHECK:      infra.variable @h : tensor<?x4xi8>
// CHECK-NEXT: func.func @main
// CHECK:      [[C:%.*]] = nn.constant {{.*}}dense<{{\[\[-2, -1, 0, 1\]\]}}> : tensor<1x4xi8>
// CHECK-NEXT: [[H:%.*]] = infra.read_value @h, [[C]] : tensor<1x4xi8> -> tensor<?x4xi8>
// CHECK:      [[Q:%.*]] = qnn.fake_quantize %x, %{{.*}} {nn.name = "FQ", levels = 256 : i64, output_type = i8}
// CHECK-NEXT: infra.assign @h, [[Q]] : tensor<?x4xi8>
// CHECK-NEXT: func.return [[H]], [[H]] : tensor<?x4xi8>, tensor<?x4xi8>
infra.variable @h : tensor<?x4xf32>
func.func @main(%x: tensor<?x4xf32>) -> (tensor<?x4xi8>, tensor<?x4xi8>) {
  %init = nn.constant dense<[[-2.2, -0.6, 0.5, 1.4]]> : tensor<1x4xf32>
  %low = nn.constant dense<-128.0> : tensor<f32>
  %high = nn.constant dense<127.0> : tensor<f32>
  %h = infra.read_value @h, %init : tensor<1x4xf32> -> tensor<?x4xf32>
  %p = qnn.fake_quantize %h, %low, %high, %low, %high {nn.name = "FQ", levels = 256 : i64, output_type = i8}
      : (tensor<?x4xf32>, tensor<f32>, tensor<f32>, tensor<f32>, tensor<f32>) -> tensor<?x4xi8>
  %q = qnn.fake_quantize %h, %low, %high, %low, %high {levels = 256 : i64, output_type = i8}
      : (tensor<?x4xf32>, tensor<f32>, tensor<f32>, tensor<f32>, tensor<f32>) -> tensor<?x4xi8>
  infra.assign @h, %x : tensor<?x4xf32>
  func.return %p, %q : tensor<?x4xi8>, tensor<?x4xi8>
}

// -----

// An initial value that is computed is quantized by the call.
// CHECK:      infra.variable @h : tensor<4xf32>
// CHECK:      [[I:%.*]] = qnn.fake_quantize %x, %{{.*}} {levels = 256 : i64}
// CHECK-NEXT: [[H:%.*]] = infra.read_value @h, [[I]]
// CHECK:      [[Q:%.*]] = qnn.fake_quantize %x, %{{.*}} {levels = 256 : i64}
// CHECK-NEXT: infra.assign @h, [[Q]]
// CHECK-NEXT: func.return [[H]]
infra.variable @h : tensor<4xf32>
func.func @main(%x: tensor<4xf32>) -> tensor<4xf32> {
  %low = nn.constant dense<-1.0> : tensor<f32>
  %high = nn.constant dense<1.0> : tensor<f32>
  %h = infra.read_value @h, %x : tensor<4xf32> -> tensor<4xf32>
  %q = qnn.fake_quantize %h, %low, %high, %low, %high {levels = 256 : i64}
      : (tensor<4xf32>, tensor<f32>, tensor<f32>, tensor<f32>, tensor<f32>) -> tensor<4xf32>
  infra.assign @h, %x : tensor<4xf32>
  func.return %q : tensor<4xf32>
}

// -----

// The nearest misses: a value that something else reads, two grids, limits that are computed, 3 elements.
// CHECK-COUNT-4: infra.variable {{.*}}f32>
// CHECK-COUNT-4: infra.assign {{.*}}, %{{x|three}} : tensor<{{[34]}}xf32>
infra.variable @read : tensor<4xf32>
infra.variable @grids : tensor<4xf32>
infra.variable @limits : tensor<4xf32>
infra.variable @short : tensor<3xf32>
func.func @main(%x: tensor<4xf32>, %low: tensor<f32>, %three: tensor<3xf32>)
    -> (tensor<4xf32>, tensor<4xi8>, tensor<4xi8>, tensor<4xi8>, tensor<4xi8>, tensor<3xi8>) {
  %high = nn.constant dense<127.0> : tensor<f32>
  %most = nn.constant dense<63.5> : tensor<f32>
  %least = nn.constant dense<-128.0> : tensor<f32>
  %a = infra.read_value @read, %x : tensor<4xf32> -> tensor<4xf32>
  %b = infra.read_value @grids, %x : tensor<4xf32> -> tensor<4xf32>
  %c = infra.read_value @limits, %x : tensor<4xf32> -> tensor<4xf32>
  %d = infra.read_value @short, %three : tensor<3xf32> -> tensor<3xf32>
  %p = qnn.fake_quantize %a, %least, %high, %least, %high {levels = 256 : i64, output_type = i8}
      : (tensor<4xf32>, tensor<f32>, tensor<f32>, tensor<f32>, tensor<f32>) -> tensor<4xi8>
  %q = qnn.fake_quantize %b, %least, %high, %least, %high {levels = 256 : i64, output_type = i8}
      : (tensor<4xf32>, tensor<f32>, tensor<f32>, tensor<f32>, tensor<f32>) -> tensor<4xi8>
  %r = qnn.fake_quantize %b, %least, %most, %least, %high {levels = 256 : i64, output_type = i8}
      : (tensor<4xf32>, tensor<f32>, tensor<f32>, tensor<f32>, tensor<f32>) -> tensor<4xi8>
  %s = qnn.fake_quantize %c, %low, %high, %least, %high {levels = 256 : i64, output_type = i8}
      : (tensor<4xf32>, tensor<f32>, tensor<f32>, tensor<f32>, tensor<f32>) -> tensor<4xi8>
  %t = qnn.fake_quantize %d, %least, %high, %least, %high {levels = 256 : i64, output_type = i8}
      : (tensor<3xf32>, tensor<f32>, tensor<f32>, tensor<f32>, tensor<f32>) -> tensor<3xi8>
  infra.assign @read, %x : tensor<4xf32>
  infra.assign @grids, %x : tensor<4xf32>
  infra.assign @limits, %x : tensor<4xf32>
  infra.assign @short, %three : tensor<3xf32>
  func.return %a, %p, %q, %r, %s, %t : tensor<4xf32>, tensor<4xi8>, tensor<4xi8>, tensor<4xi8>, tensor<4xi8>, tensor<3xi8>
}
