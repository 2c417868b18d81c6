// RUN: opt-tool %s --lpt-main | filecheck %s

// CHECK:      infra.variable @kept scale <dense<0.5> : tensor<f32>> : tensor<2x3xi8>
// CHECK-NEXT: infra.variable @unsigned scale <dense<0.5> : tensor<f32>> zero_point <dense<100> : tensor<ui8>> : tensor<2x3xui8>
// CHECK-NEXT: infra.variable @fifo scale <dense<0.5> : tensor<f32>> : tensor<1x4xui8>
// CHECK-NEXT: infra.variable @channels scale <dense<{{.}}[1.0], [0.5]]> : tensor<2x1xf32>> : tensor<2x3xui8>
// CHECK-NEXT: infra.variable @two scale <dense<0.5> : tensor<f32>> : tensor<2x3xi8>
// CHECK-NEXT: infra.variable @given scale <dense<0.5> : tensor<f32>> : tensor<2x3xi8>
// CHECK-NEXT: infra.variable @float : tensor<2x3xf32>
// CHECK-NEXT: infra.variable @scales : tensor<2x3xf32>
// CHECK-NEXT: infra.variable @between : tensor<2x3xf32>
// CHECK-NEXT: infra.variable @beside : tensor<2x3xf32>
// CHECK-NEXT: infra.variable @outside : tensor<2x3xf32>
// CHECK-NEXT: infra.variable @entered : tensor<2x3xf32>
// CHECK-NEXT: infra.variable @sum : tensor<2x3xf32>
// CHECK-NEXT: infra.variable @moved : tensor<3x3xf32>
// CHECK-NEXT: infra.variable @alone : tensor<2x3xf32>
infra.variable @kept : tensor<2x3xf32>
infra.variable @unsigned : tensor<2x3xf32>
infra.variable @fifo : tensor<1x4xf32>
infra.variable @channels : tensor<2x3xf32>
infra.variable @two : tensor<2x3xf32>
infra.variable @given : tensor<2x3xf32>
infra.variable @float : tensor<2x3xf32>
infra.variable @scales : tensor<2x3xf32>
infra.variable @between : tensor<2x3xf32>
infra.variable @beside : tensor<2x3xf32>
infra.variable @outside : tensor<2x3xf32>
infra.variable @entered : tensor<2x3xf32>
infra.variable @sum : tensor<2x3xf32>
infra.variable @moved : tensor<3x3xf32>
infra.variable @alone : tensor<2x3xf32>

// What is assigned is quantized, and the initial value has codes.
// CHECK-LABEL: @kept_as_codes
// CHECK:      [[INIT:%.*]] = nn.constant dense<2> : tensor<2x3xi8>
// CHECK-NEXT: [[CODES:%.*]] = infra.read_value @kept, [[INIT]] {nn.name = "read_original"} : tensor<2x3xi8> -> tensor<2x3xi8>
// CHECK-NEXT: [[VALUES:%.*]] = qnn.dequantize [[CODES]] scale <dense<0.5> : tensor<f32>> {nn.name = "read"}
// CHECK-NEXT: nn.tanh [[VALUES]]
// CHECK:      [[Q:%.*]] = qnn.fake_quantize {{.*}} output_type = i8
// CHECK:      infra.assign @kept, [[Q]] {nn.name = "assign"} : tensor<2x3xi8>
func.func @kept_as_codes(%x: tensor<2x3xf32>) -> tensor<2x3xf32> {
  %init = nn.constant dense<1.0> : tensor<2x3xf32>
  %low = nn.constant dense<-64.0> : tensor<f32>
  %high = nn.constant dense<63.5> : tensor<f32>
  %old = infra.read_value @kept, %init {nn.name = "read"} : tensor<2x3xf32> -> tensor<2x3xf32>
  %y = nn.tanh %old : tensor<2x3xf32>
  %new = qnn.fake_quantize %x, %low, %high, %low, %high {levels = 256 : i64} : (tensor<2x3xf32>, tensor<f32>, tensor<f32>, tensor<f32>, tensor<f32>) -> tensor<2x3xf32>
  infra.assign @kept, %new {nn.name = "assign"} : tensor<2x3xf32>
  func.return %y : tensor<2x3xf32>
}

// 0 has the code 100 here.
// CHECK-LABEL: @zero_point
// CHECK:      [[INIT:%.*]] = nn.constant dense<100> : tensor<2x3xui8>
// CHECK-NEXT: [[CODES:%.*]] = infra.read_value @unsigned, [[INIT]]
// CHECK-NEXT: qnn.dequantize [[CODES]] scale <dense<0.5> : tensor<f32>> zero_point <dense<100> : tensor<ui8>>
func.func @zero_point(%x: tensor<2x3xf32>) -> tensor<2x3xf32> {
  %init = nn.constant dense<0.0> : tensor<2x3xf32>
  %low = nn.constant dense<-50.0> : tensor<f32>
  %high = nn.constant dense<77.5> : tensor<f32>
  %old = infra.read_value @unsigned, %init : tensor<2x3xf32> -> tensor<2x3xf32>
  %new = qnn.fake_quantize %x, %low, %high, %low, %high {levels = 256 : i64} : (tensor<2x3xf32>, tensor<f32>, tensor<f32>, tensor<f32>, tensor<f32>) -> tensor<2x3xf32>
  infra.assign @unsigned, %new : tensor<2x3xf32>
  func.return %old : tensor<2x3xf32>
}

// A queue of quantized values: what it keeps is what it was given.
// CHECK-LABEL: @queue
// CHECK:      [[OLD:%.*]] = infra.read_value @fifo, {{.*}} : tensor<1x4xui8> -> tensor<1x4xui8>
// CHECK:      [[X:%.*]] = qnn.fake_quantize {{.*}} output_type = ui8
// CHECK:      [[ALL:%.*]] = nn.concat [[OLD]], [[X]]
// CHECK:      [[NEW:%.*]] = nn.slice [[ALL]]
// CHECK:      infra.assign @fifo, [[NEW]] : tensor<1x4xui8>
func.func @queue(%x: tensor<1x1xf32>) -> tensor<1x4xf32> {
  %init = nn.constant dense<0.0> : tensor<1x4xf32>
  %low = nn.constant dense<0.0> : tensor<f32>
  %high = nn.constant dense<127.5> : tensor<f32>
  %one = nn.constant dense<1> : tensor<1xi64>
  %five = nn.constant dense<5> : tensor<1xi64>
  %old = infra.read_value @fifo, %init : tensor<1x4xf32> -> tensor<1x4xf32>
  %q = qnn.fake_quantize %x, %low, %high, %low, %high {levels = 256 : i64} : (tensor<1x1xf32>, tensor<f32>, tensor<f32>, tensor<f32>, tensor<f32>) -> tensor<1x1xf32>
  %all = nn.concat %old, %q {axis = 1 : i64} : (tensor<1x4xf32>, tensor<1x1xf32>) -> tensor<1x5xf32>
  %new = nn.slice %all, %one, %five, %one, %one : (tensor<1x5xf32>, tensor<1xi64>, tensor<1xi64>, tensor<1xi64>, tensor<1xi64>) -> tensor<1x4xf32>
  infra.assign @fifo, %new : tensor<1x4xf32>
  func.return %new : tensor<1x4xf32>
}

// A scale for each channel stays with its channel.
// CHECK-LABEL: @per_channel
// CHECK:      [[CODES:%.*]] = infra.read_value @channels
// CHECK-NEXT: qnn.dequantize [[CODES]] scale <dense<{{\[\[}}1.0], [0.5]]> : tensor<2x1xf32>>
func.func @per_channel(%x: tensor<2x3xf32>) -> tensor<2x3xf32> {
  %init = nn.constant dense<0.0> : tensor<2x3xf32>
  %low = nn.constant dense<0.0> : tensor<2x1xf32>
  %high = nn.constant dense<[[255.0], [127.5]]> : tensor<2x1xf32>
  %old = infra.read_value @channels, %init : tensor<2x3xf32> -> tensor<2x3xf32>
  %new = qnn.fake_quantize %x, %low, %high, %low, %high {levels = 256 : i64} : (tensor<2x3xf32>, tensor<2x1xf32>, tensor<2x1xf32>, tensor<2x1xf32>, tensor<2x1xf32>) -> tensor<2x3xf32>
  infra.assign @channels, %new : tensor<2x3xf32>
  func.return %old : tensor<2x3xf32>
}

// Two assigns, in two bodies, both on the grid.
// CHECK-LABEL: @two_assigns
// CHECK:      infra.read_value @two, {{.*}} : tensor<2x3xi8> -> tensor<2x3xi8>
// CHECK:      infra.assign @two, {{.*}} : tensor<2x3xi8>
// CHECK:      nn.constant dense<4> : tensor<2x3xi8>
// CHECK:      infra.assign @two, {{.*}} : tensor<2x3xi8>
func.func @two_assigns(%x: tensor<2x3xf32>, %c: tensor<i1>) -> tensor<2x3xf32> {
  %init = nn.constant dense<1.0> : tensor<2x3xf32>
  %old = infra.read_value @two, %init : tensor<2x3xf32> -> tensor<2x3xf32>
  infra.if %c, %x : (tensor<i1>, tensor<2x3xf32>) -> () {
  ^bb0(%a: tensor<2x3xf32>):
    %low = nn.constant dense<-64.0> : tensor<f32>
    %high = nn.constant dense<63.5> : tensor<f32>
    %new = qnn.fake_quantize %a, %low, %high, %low, %high {levels = 256 : i64} : (tensor<2x3xf32>, tensor<f32>, tensor<f32>, tensor<f32>, tensor<f32>) -> tensor<2x3xf32>
    infra.assign @two, %new : tensor<2x3xf32>
    infra.yield
  } else {
  ^bb0(%b: tensor<2x3xf32>):
    %new = nn.constant dense<2.0> : tensor<2x3xf32>
    infra.assign @two, %new : tensor<2x3xf32>
    infra.yield
  }
  func.return %old : tensor<2x3xf32>
}

// The initial value is quantized, too.
// CHECK-LABEL: @given_init
// CHECK:      [[INIT:%.*]] = qnn.fake_quantize %i, {{.*}} output_type = i8
// CHECK:      infra.read_value @given, [[INIT]] : tensor<2x3xi8> -> tensor<2x3xi8>
func.func @given_init(%x: tensor<2x3xf32>, %i: tensor<2x3xf32>) -> tensor<2x3xf32> {
  %low = nn.constant dense<-64.0> : tensor<f32>
  %high = nn.constant dense<63.5> : tensor<f32>
  %init = qnn.fake_quantize %i, %low, %high, %low, %high {levels = 256 : i64} : (tensor<2x3xf32>, tensor<f32>, tensor<f32>, tensor<f32>, tensor<f32>) -> tensor<2x3xf32>
  %old = infra.read_value @given, %init : tensor<2x3xf32> -> tensor<2x3xf32>
  %new = qnn.fake_quantize %x, %low, %high, %low, %high {levels = 256 : i64} : (tensor<2x3xf32>, tensor<f32>, tensor<f32>, tensor<f32>, tensor<f32>) -> tensor<2x3xf32>
  infra.assign @given, %new : tensor<2x3xf32>
  func.return %old : tensor<2x3xf32>
}

// CHECK-LABEL: @not_quantized
// CHECK: infra.read_value @float, {{.*}} {lpt.declined = "nn.tanh 'squashed' gives it values that are not quantized; put a FakeQuantize on them"}
func.func @not_quantized(%x: tensor<2x3xf32>) -> tensor<2x3xf32> {
  %init = nn.constant dense<1.0> : tensor<2x3xf32>
  %old = infra.read_value @float, %init : tensor<2x3xf32> -> tensor<2x3xf32>
  %new = nn.tanh %x {nn.name = "squashed"} : tensor<2x3xf32>
  infra.assign @float, %new : tensor<2x3xf32>
  func.return %old : tensor<2x3xf32>
}

// CHECK-LABEL: @other_scale
// CHECK: infra.read_value @scales, {{.*}} {lpt.declined = "what is given to it has different scales; give all FakeQuantize one interval"}
func.func @other_scale(%p: tensor<2x3xi8>, %q: tensor<2x3xi8>) -> tensor<2x3xf32> {
  %init = qnn.dequantize %p scale <dense<0.5> : tensor<f32>> : tensor<2x3xi8> -> tensor<2x3xf32>
  %old = infra.read_value @scales, %init : tensor<2x3xf32> -> tensor<2x3xf32>
  %new = qnn.dequantize %q scale <dense<0.25> : tensor<f32>> : tensor<2x3xi8> -> tensor<2x3xf32>
  infra.assign @scales, %new : tensor<2x3xf32>
  func.return %old : tensor<2x3xf32>
}

// CHECK-LABEL: @init_between_codes
// CHECK: infra.read_value @between, {{.*}} {lpt.declined = "nn.constant 'init' has values off the grid of what else is given to it; give it values that the FakeQuantize keeps"}
func.func @init_between_codes(%q: tensor<2x3xi8>) -> tensor<2x3xf32> {
  %init = nn.constant {nn.name = "init"} dense<[[0.0, 0.5, 1.0], [1.25, 0.0, 0.0]]> : tensor<2x3xf32>
  %old = infra.read_value @between, %init : tensor<2x3xf32> -> tensor<2x3xf32>
  %new = qnn.dequantize %q scale <dense<0.5> : tensor<f32>> : tensor<2x3xi8> -> tensor<2x3xf32>
  infra.assign @between, %new : tensor<2x3xf32>
  func.return %old : tensor<2x3xf32>
}

// A three-hundredth of a step beside a code is not the rounding of f32.
// CHECK-LABEL: @init_beside_a_code
// CHECK: infra.read_value @beside, {{.*}} {lpt.declined = "nn.constant has values off the grid
func.func @init_beside_a_code(%q: tensor<2x3xi8>) -> tensor<2x3xf32> {
  %init = nn.constant dense<1.0015> : tensor<2x3xf32>
  %old = infra.read_value @beside, %init : tensor<2x3xf32> -> tensor<2x3xf32>
  %new = qnn.dequantize %q scale <dense<0.5> : tensor<f32>> : tensor<2x3xi8> -> tensor<2x3xf32>
  infra.assign @beside, %new : tensor<2x3xf32>
  func.return %old : tensor<2x3xf32>
}

// A multiple of the scale, but i8 ends before.
// CHECK-LABEL: @init_outside
// CHECK: infra.read_value @outside, {{.*}} {lpt.declined = "nn.constant has values off the grid
func.func @init_outside(%q: tensor<2x3xi8>) -> tensor<2x3xf32> {
  %init = nn.constant dense<64.0> : tensor<2x3xf32>
  %old = infra.read_value @outside, %init : tensor<2x3xf32> -> tensor<2x3xf32>
  %new = qnn.dequantize %q scale <dense<0.5> : tensor<f32>> : tensor<2x3xi8> -> tensor<2x3xf32>
  infra.assign @outside, %new : tensor<2x3xf32>
  func.return %old : tensor<2x3xf32>
}

// CHECK-LABEL: @init_from_outside
// CHECK: infra.read_value @entered, {{.*}} {lpt.declined = "an input of the model gives it values that are not quantized; put a FakeQuantize on them"}
func.func @init_from_outside(%q: tensor<2x3xi8>, %init: tensor<2x3xf32>) -> tensor<2x3xf32> {
  %old = infra.read_value @entered, %init : tensor<2x3xf32> -> tensor<2x3xf32>
  %new = qnn.dequantize %q scale <dense<0.5> : tensor<f32>> : tensor<2x3xi8> -> tensor<2x3xf32>
  infra.assign @entered, %new : tensor<2x3xf32>
  func.return %old : tensor<2x3xf32>
}

// CHECK-LABEL: @sum_of_products
// CHECK: infra.read_value @sum, {{.*}} {lpt.declined = "it is the 32-bit sum of a product; put a FakeQuantize on it"}
func.func @sum_of_products(%q: tensor<2x3xi32>) -> tensor<2x3xf32> {
  %init = nn.constant dense<0.0> : tensor<2x3xf32>
  %old = infra.read_value @sum, %init : tensor<2x3xf32> -> tensor<2x3xf32>
  %new = qnn.dequantize %q scale <dense<0.5> : tensor<f32>> : tensor<2x3xi32> -> tensor<2x3xf32>
  infra.assign @sum, %new : tensor<2x3xf32>
  func.return %old : tensor<2x3xf32>
}

// CHECK-LABEL: @moved_channels
// CHECK: infra.read_value @moved, {{.*}} {lpt.declined = "what is given to it is quantized per channel and moved; quantize it per tensor"}
func.func @moved_channels(%q: tensor<3x3xi8>) -> tensor<3x3xf32> {
  %init = nn.constant dense<0.0> : tensor<3x3xf32>
  %order = nn.constant dense<[1, 0]> : tensor<2xi64>
  %old = infra.read_value @moved, %init : tensor<3x3xf32> -> tensor<3x3xf32>
  %x = qnn.dequantize %q scale <dense<[[0.5], [0.25], [1.0]]> : tensor<3x1xf32>> : tensor<3x3xi8> -> tensor<3x3xf32>
  %new = nn.transpose %x, %order : (tensor<3x3xf32>, tensor<2xi64>) -> tensor<3x3xf32>
  infra.assign @moved, %new : tensor<3x3xf32>
  func.return %old : tensor<3x3xf32>
}

// CHECK-LABEL: @never_assigned
// CHECK: infra.read_value @alone, {{.*}} {lpt.declined = "nothing quantized is ever given to it"}
func.func @never_assigned() -> tensor<2x3xf32> {
  %init = nn.constant dense<0.0> : tensor<2x3xf32>
  %old = infra.read_value @alone, %init : tensor<2x3xf32> -> tensor<2x3xf32>
  func.return %old : tensor<2x3xf32>
}
