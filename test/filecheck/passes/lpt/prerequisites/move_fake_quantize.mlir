// RUN: opt-tool %s --lpt-prerequisites | filecheck %s

// CHECK-LABEL: @concat
// CHECK: [[A:%.*]] = qnn.fake_quantize %a, %low, %high, %low, %high {nn.name = "fq_1", levels = 256 : i64} {{.*}} -> tensor<1x2xf32>
// CHECK-NEXT: [[B:%.*]] = qnn.fake_quantize %b, %low, %high, %low, %high {nn.name = "fq_2", levels = 256 : i64} {{.*}} -> tensor<1x?xf32>
// CHECK-NEXT: nn.concat [[A]], [[B]] {nn.name = "fq", axis = 1 : i64}
func.func @concat(%a: tensor<1x2xf32>, %b: tensor<1x?xf32>, %low: tensor<f32>, %high: tensor<1x1xf32>) -> tensor<1x?xf32> {
  %x = nn.concat %a, %b {axis = 1 : i64, nn.name = "concat"} : (tensor<1x2xf32>, tensor<1x?xf32>) -> tensor<1x?xf32>
  %y = qnn.fake_quantize %x, %low, %high, %low, %high {levels = 256 : i64, nn.name = "fq"} : (tensor<1x?xf32>, tensor<f32>, tensor<1x1xf32>, tensor<f32>, tensor<1x1xf32>) -> tensor<1x?xf32>
  func.return %y : tensor<1x?xf32>
}

// Limits of channels go to their channels; Relu moves along.
// CHECK-LABEL: @per_channel
// CHECK: [[RA:%.*]] = nn.relu %a {nn.name = "relu_1"}
// CHECK: [[HA:%.*]] = nn.constant dense<{{\[\[\[1.0\], \[2.0\]\]\]}}> : tensor<1x2x1xf32>
// CHECK: [[A:%.*]] = qnn.fake_quantize [[RA]], %low, [[HA]], %low, {{.*}} {nn.name = "fq_1", levels = 256 : i64} {{.*}} -> tensor<1x2x4xf32>
// CHECK: [[RB:%.*]] = nn.relu %b {nn.name = "relu_2"}
// CHECK: [[HB:%.*]] = nn.constant dense<{{\[\[\[3.0\]\]\]}}> : tensor<1x1x1xf32>
// CHECK: [[B:%.*]] = qnn.fake_quantize [[RB]], %low, [[HB]], %low, {{.*}} {nn.name = "fq_2", levels = 256 : i64} {{.*}} -> tensor<1x1x4xf32>
// CHECK: nn.concat [[A]], [[B]] {nn.name = "fq", axis = -2 : i64}
func.func @per_channel(%a: tensor<1x2x4xf32>, %b: tensor<1x1x4xf32>) -> tensor<1x3x4xf32> {
  %low = nn.constant dense<0.0> : tensor<f32>
  %high = nn.constant dense<[[[1.0], [2.0], [3.0]]]> : tensor<1x3x1xf32>
  %x = nn.concat %a, %b {axis = -2 : i64, nn.name = "concat"} : (tensor<1x2x4xf32>, tensor<1x1x4xf32>) -> tensor<1x3x4xf32>
  %r = nn.relu %x {nn.name = "relu"} : tensor<1x3x4xf32>
  %y = qnn.fake_quantize %r, %low, %high, %low, %high {levels = 256 : i64, nn.name = "fq"} : (tensor<1x3x4xf32>, tensor<f32>, tensor<1x3x1xf32>, tensor<f32>, tensor<1x3x1xf32>) -> tensor<1x3x4xf32>
  func.return %y : tensor<1x3x4xf32>
}

// Of quantize/dequantize, dequantization moves along: each producer may get codes of another type.
// CHECK-LABEL: @codes
// CHECK: [[A:%.*]] = qnn.fake_quantize %a, {{.*}} -> tensor<1x2xui8>
// CHECK: [[B:%.*]] = qnn.fake_quantize %b, {{.*}} -> tensor<1x3xui8>
// CHECK-NEXT: [[X:%.*]] = qnn.dequantize [[A]]
// CHECK-NEXT: [[Y:%.*]] = qnn.dequantize [[B]]
// CHECK-NEXT: nn.concat [[X]], [[Y]] {{.*}} -> tensor<1x5xf32>
func.func @codes(%a: tensor<1x2xf32>, %b: tensor<1x3xf32>) -> tensor<1x5xf32> {
  %low = nn.constant dense<0.0> : tensor<f32>
  %high = nn.constant dense<2.55> : tensor<f32>
  %last = nn.constant dense<255.0> : tensor<f32>
  %scale = nn.constant dense<0.01> : tensor<f32>
  %x = nn.concat %a, %b {axis = 1 : i64} : (tensor<1x2xf32>, tensor<1x3xf32>) -> tensor<1x5xf32>
  %f = qnn.fake_quantize %x, %low, %high, %low, %last {levels = 256 : i64} : (tensor<1x5xf32>, tensor<f32>, tensor<f32>, tensor<f32>, tensor<f32>) -> tensor<1x5xf32>
  %q = nn.convert %f to ui8 : tensor<1x5xf32> -> tensor<1x5xui8>
  %v = nn.convert %q to f32 : tensor<1x5xui8> -> tensor<1x5xf32>
  %y = nn.multiply %v, %scale : (tensor<1x5xf32>, tensor<f32>) -> tensor<1x5xf32>
  func.return %y : tensor<1x5xf32>
}

// Arithmetic with constants moves along, as the FakeQuantize takes it; those of channels go to their channels.
// CHECK-LABEL: @arithmetic
// CHECK: [[FA:%.*]] = nn.constant dense<{{\[\[1.0, 2.0\]\]}}> : tensor<1x2xf32>
// CHECK: [[MA:%.*]] = nn.multiply %a, [[FA]] {nn.name = "scale_1"}
// CHECK: [[SA:%.*]] = nn.subtract [[MA]], %{{.*}} {nn.name = "shift_1"}
// CHECK: [[A:%.*]] = qnn.fake_quantize [[SA]]
// CHECK: [[FB:%.*]] = nn.constant dense<{{\[\[3.0\]\]}}> : tensor<1x1xf32>
// CHECK: [[MB:%.*]] = nn.multiply %b, [[FB]] {nn.name = "scale_2"}
// CHECK: [[SB:%.*]] = nn.subtract [[MB]], %{{.*}} {nn.name = "shift_2"}
// CHECK: [[B:%.*]] = qnn.fake_quantize [[SB]]
// CHECK: nn.concat [[A]], [[B]]
func.func @arithmetic(%a: tensor<1x2xf32>, %b: tensor<1x1xf32>, %low: tensor<f32>, %high: tensor<f32>) -> tensor<1x3xf32> {
  %factors = nn.constant dense<[[1.0, 2.0, 3.0]]> : tensor<1x3xf32>
  %shift = nn.constant dense<0.5> : tensor<f32>
  %x = nn.concat %a, %b {axis = 1 : i64} : (tensor<1x2xf32>, tensor<1x1xf32>) -> tensor<1x3xf32>
  %m = nn.multiply %x, %factors {nn.name = "scale"} : (tensor<1x3xf32>, tensor<1x3xf32>) -> tensor<1x3xf32>
  %s = nn.subtract %m, %shift {nn.name = "shift"} : (tensor<1x3xf32>, tensor<f32>) -> tensor<1x3xf32>
  %y = qnn.fake_quantize %s, %low, %high, %low, %high {levels = 256 : i64} : (tensor<1x3xf32>, tensor<f32>, tensor<f32>, tensor<f32>, tensor<f32>) -> tensor<1x3xf32>
  func.return %y : tensor<1x3xf32>
}

// What is computed, or makes the concatenation larger, stays behind it.
// CHECK-LABEL: @computed_factor
// CHECK: nn.concat
// CHECK-NEXT: nn.multiply
// CHECK-NEXT: qnn.fake_quantize
// CHECK: nn.concat
// CHECK-NEXT: nn.add
// CHECK-NEXT: qnn.fake_quantize
func.func @computed_factor(%a: tensor<1x1xf32>, %f: tensor<f32>, %low: tensor<f32>, %high: tensor<f32>) -> (tensor<1x2xf32>, tensor<3x2xf32>) {
  %x = nn.concat %a, %a {axis = 1 : i64} : (tensor<1x1xf32>, tensor<1x1xf32>) -> tensor<1x2xf32>
  %m = nn.multiply %x, %f : (tensor<1x2xf32>, tensor<f32>) -> tensor<1x2xf32>
  %y = qnn.fake_quantize %m, %low, %high, %low, %high {levels = 256 : i64} : (tensor<1x2xf32>, tensor<f32>, tensor<f32>, tensor<f32>, tensor<f32>) -> tensor<1x2xf32>
  %rows = nn.constant dense<[[1.0], [2.0], [3.0]]> : tensor<3x1xf32>
  %c = nn.concat %a, %a {axis = 1 : i64} : (tensor<1x1xf32>, tensor<1x1xf32>) -> tensor<1x2xf32>
  %t = nn.add %c, %rows : (tensor<1x2xf32>, tensor<3x1xf32>) -> tensor<3x2xf32>
  %z = qnn.fake_quantize %t, %low, %high, %low, %high {levels = 256 : i64} : (tensor<3x2xf32>, tensor<f32>, tensor<f32>, tensor<f32>, tensor<f32>) -> tensor<3x2xf32>
  func.return %y, %z : tensor<1x2xf32>, tensor<3x2xf32>
}

// What was split has no producers of its own.
// CHECK-LABEL: @split
// CHECK: [[X:%.*]] = nn.concat
// CHECK-NEXT: qnn.fake_quantize [[X]]
func.func @split(%a: tensor<1x2xf32>, %low: tensor<f32>, %high: tensor<f32>) -> tensor<1x2xf32> {
  %axis = nn.constant dense<1> : tensor<i64>
  %l, %r = nn.split %a, %axis {num_splits = 2 : i64} : (tensor<1x2xf32>, tensor<i64>) -> (tensor<1x1xf32>, tensor<1x1xf32>)
  %x = nn.concat %r, %l {axis = 1 : i64} : (tensor<1x1xf32>, tensor<1x1xf32>) -> tensor<1x2xf32>
  %y = qnn.fake_quantize %x, %low, %high, %low, %high {levels = 256 : i64} : (tensor<1x2xf32>, tensor<f32>, tensor<f32>, tensor<f32>, tensor<f32>) -> tensor<1x2xf32>
  func.return %y : tensor<1x2xf32>
}

// CHECK-LABEL: @used_otherwise
// CHECK: [[X:%.*]] = nn.concat
// CHECK-NEXT: qnn.fake_quantize [[X]]
// CHECK: [[C:%.*]] = nn.concat
// CHECK-NEXT: [[R:%.*]] = nn.relu [[C]]
// CHECK-NEXT: qnn.fake_quantize [[R]]
func.func @used_otherwise(%a: tensor<1x2xf32>, %low: tensor<f32>, %high: tensor<f32>) -> (tensor<1x4xf32>, tensor<1x4xf32>, tensor<1x4xf32>, tensor<1x4xf32>) {
  %x = nn.concat %a, %a {axis = 1 : i64} : (tensor<1x2xf32>, tensor<1x2xf32>) -> tensor<1x4xf32>
  %y = qnn.fake_quantize %x, %low, %high, %low, %high {levels = 256 : i64} : (tensor<1x4xf32>, tensor<f32>, tensor<f32>, tensor<f32>, tensor<f32>) -> tensor<1x4xf32>
  %c = nn.concat %a, %a {axis = 1 : i64} : (tensor<1x2xf32>, tensor<1x2xf32>) -> tensor<1x4xf32>
  %r = nn.relu %c : tensor<1x4xf32>
  %z = qnn.fake_quantize %r, %low, %high, %low, %high {levels = 256 : i64} : (tensor<1x4xf32>, tensor<f32>, tensor<f32>, tensor<f32>, tensor<f32>) -> tensor<1x4xf32>
  func.return %x, %y, %r, %z : tensor<1x4xf32>, tensor<1x4xf32>, tensor<1x4xf32>, tensor<1x4xf32>
}

// CHECK-LABEL: @computed_limits
// CHECK: [[X:%.*]] = nn.concat
// CHECK-NEXT: qnn.fake_quantize [[X]]
func.func @computed_limits(%a: tensor<1x2xf32>, %low: tensor<f32>, %high: tensor<1x4xf32>) -> tensor<1x4xf32> {
  %x = nn.concat %a, %a {axis = 1 : i64} : (tensor<1x2xf32>, tensor<1x2xf32>) -> tensor<1x4xf32>
  %y = qnn.fake_quantize %x, %low, %high, %low, %high {levels = 256 : i64} : (tensor<1x4xf32>, tensor<f32>, tensor<1x4xf32>, tensor<f32>, tensor<1x4xf32>) -> tensor<1x4xf32>
  func.return %y : tensor<1x4xf32>
}

// CHECK-LABEL: @unknown_size
// CHECK: [[X:%.*]] = nn.concat
// CHECK-NEXT: qnn.fake_quantize [[X]]
func.func @unknown_size(%a: tensor<1x?xf32>) -> tensor<1x3xf32> {
  %low = nn.constant dense<0.0> : tensor<f32>
  %high = nn.constant dense<[[1.0, 2.0, 3.0]]> : tensor<1x3xf32>
  %b = nn.constant dense<4.0> : tensor<1x1xf32>
  %x = nn.concat %a, %b {axis = 1 : i64} : (tensor<1x?xf32>, tensor<1x1xf32>) -> tensor<1x3xf32>
  %y = qnn.fake_quantize %x, %low, %high, %low, %high {levels = 256 : i64} : (tensor<1x3xf32>, tensor<f32>, tensor<1x3xf32>, tensor<f32>, tensor<1x3xf32>) -> tensor<1x3xf32>
  func.return %y : tensor<1x3xf32>
}
