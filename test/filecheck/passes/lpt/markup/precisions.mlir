// RUN: opt-tool %s --lpt-markup | filecheck %s

// What a product takes on its left, and on its right; a sigmoid takes values.
// CHECK-LABEL: @restrictions
// CHECK: nn.mat_mul %a, %b {lpt.precisions = {input0 = [ui8, i8], input1 = [i8]}}
// CHECK-NEXT: nn.sigmoid {{%[a-z_0-9]*}} {lpt.precisions = {input0 = []}} : tensor
func.func @restrictions(%a: tensor<2x2xf32>, %b: tensor<2x2xf32>) -> tensor<2x2xf32> {
  %y = nn.mat_mul %a, %b : (tensor<2x2xf32>, tensor<2x2xf32>) -> tensor<2x2xf32>
  %z = nn.sigmoid %y : tensor<2x2xf32>
  func.return %z : tensor<2x2xf32>
}

// From the product's right, up through operations that preserve precision.
// CHECK-LABEL: @propagates
// CHECK: qnn.fake_quantize %a, {{.*}} {lpt.precisions = {output0 = [ui8, i8]}
// CHECK: qnn.fake_quantize %b, {{.*}} {lpt.precisions = {output0 = [i8]}
func.func @propagates(%a: tensor<2x2xf32>, %b: tensor<2x2xf32>) -> tensor<2x2xf32> {
  %l = nn.constant dense<0.0> : tensor<f32>
  %h = nn.constant dense<2.55> : tensor<f32>
  %order = nn.constant dense<[1, 0]> : tensor<2xi64>
  %qa = qnn.fake_quantize %a, %l, %h, %l, %h {levels = 256 : i64} : (tensor<2x2xf32>, tensor<f32>, tensor<f32>, tensor<f32>, tensor<f32>) -> tensor<2x2xf32>
  %qb = qnn.fake_quantize %b, %l, %h, %l, %h {levels = 256 : i64} : (tensor<2x2xf32>, tensor<f32>, tensor<f32>, tensor<f32>, tensor<f32>) -> tensor<2x2xf32>
  %r = nn.relu %qb : tensor<2x2xf32>
  %t = nn.transpose %r, %order : (tensor<2x2xf32>, tensor<2xi64>) -> tensor<2x2xf32>
  %y = nn.mat_mul %qa, %t : (tensor<2x2xf32>, tensor<2x2xf32>) -> tensor<2x2xf32>
  func.return %y : tensor<2x2xf32>
}

// Two users: what both take.
// CHECK-LABEL: @both_sides
// CHECK: qnn.fake_quantize %a, {{.*}} {lpt.precisions = {output0 = [i8]}
func.func @both_sides(%a: tensor<2x2xf32>) -> tensor<2x2xf32> {
  %l = nn.constant dense<-1.28> : tensor<f32>
  %h = nn.constant dense<1.27> : tensor<f32>
  %q = qnn.fake_quantize %a, %l, %h, %l, %h {levels = 256 : i64} : (tensor<2x2xf32>, tensor<f32>, tensor<f32>, tensor<f32>, tensor<f32>) -> tensor<2x2xf32>
  %y = nn.mat_mul %q, %q : (tensor<2x2xf32>, tensor<2x2xf32>) -> tensor<2x2xf32>
  func.return %y : tensor<2x2xf32>
}

// Up through arithmetic with constants, which dequantization takes over; not through that of two values.
// CHECK-LABEL: @through_constants
// CHECK: qnn.fake_quantize %a, {{.*}} {lpt.precisions = {output0 = [i8]}
// CHECK: qnn.fake_quantize %b, {{.*}} {lpt.precisions = {output0 = [ui8, i8]}
func.func @through_constants(%a: tensor<2x2xf32>, %b: tensor<2x2xf32>) -> (tensor<2x2xf32>, tensor<2x2xf32>) {
  %l = nn.constant dense<0.0> : tensor<f32>
  %h = nn.constant dense<2.55> : tensor<f32>
  %c = nn.constant dense<0.5> : tensor<f32>
  %qa = qnn.fake_quantize %a, %l, %h, %l, %h {levels = 256 : i64} : (tensor<2x2xf32>, tensor<f32>, tensor<f32>, tensor<f32>, tensor<f32>) -> tensor<2x2xf32>
  %qb = qnn.fake_quantize %b, %l, %h, %l, %h {levels = 256 : i64} : (tensor<2x2xf32>, tensor<f32>, tensor<f32>, tensor<f32>, tensor<f32>) -> tensor<2x2xf32>
  %m = nn.multiply %c, %qa : (tensor<f32>, tensor<2x2xf32>) -> tensor<2x2xf32>
  %s = nn.subtract %m, %c : (tensor<2x2xf32>, tensor<f32>) -> tensor<2x2xf32>
  %t = nn.add %s, %c : (tensor<2x2xf32>, tensor<f32>) -> tensor<2x2xf32>
  %u = nn.multiply %qb, %a : (tensor<2x2xf32>, tensor<2x2xf32>) -> tensor<2x2xf32>
  %y = nn.mat_mul %a, %t : (tensor<2x2xf32>, tensor<2x2xf32>) -> tensor<2x2xf32>
  %z = nn.mat_mul %a, %u : (tensor<2x2xf32>, tensor<2x2xf32>) -> tensor<2x2xf32>
  func.return %y, %z : tensor<2x2xf32>, tensor<2x2xf32>
}

// An operation that does not preserve precision ends the way up.
// CHECK-LABEL: @sigmoid_ends_it
// CHECK: qnn.fake_quantize %b, {{.*}} {lpt.precisions = {output0 = [ui8, i8]}
func.func @sigmoid_ends_it(%a: tensor<2x2xf32>, %b: tensor<2x2xf32>) -> tensor<2x2xf32> {
  %l = nn.constant dense<-1.28> : tensor<f32>
  %h = nn.constant dense<1.27> : tensor<f32>
  %q = qnn.fake_quantize %b, %l, %h, %l, %h {levels = 256 : i64} : (tensor<2x2xf32>, tensor<f32>, tensor<f32>, tensor<f32>, tensor<f32>) -> tensor<2x2xf32>
  %s = nn.sigmoid %q : tensor<2x2xf32>
  %y = nn.mat_mul %a, %s : (tensor<2x2xf32>, tensor<2x2xf32>) -> tensor<2x2xf32>
  func.return %y : tensor<2x2xf32>
}

// Out of a body, and back through a state, to the FakeQuantize: the right side of a product takes i8.
// CHECK-LABEL: @through_a_body
// CHECK: qnn.fake_quantize {{.*}} {lpt.precisions = {output0 = [i8]}
infra.variable @kept : tensor<2x2xf32>
func.func @through_a_body(%x: tensor<4x2xf32>, %y: tensor<2x2xf32>) -> tensor<4x2xf32> {
  %low = nn.constant dense<0.0> : tensor<f32>
  %high = nn.constant dense<1.0> : tensor<f32>
  %q = qnn.fake_quantize %x, %low, %high, %low, %high {levels = 256 : i64} : (tensor<4x2xf32>, tensor<f32>, tensor<f32>, tensor<f32>, tensor<f32>) -> tensor<4x2xf32>
  %z = infra.tensor_iterator %q, %y
      inputs [#infra.sliced<axis = 0, start = 0, end = -1, stride = 2, part_size = 2>, #infra.invariant]
      outputs [#infra.concatenated<result = 0, axis = 0, start = 0, end = -1, stride = 2, part_size = 2>]
      body_names ["X", "Y"] : (tensor<4x2xf32>, tensor<2x2xf32>) -> tensor<4x2xf32> {
  ^bb0(%xt: tensor<2x2xf32>, %yt: tensor<2x2xf32>):
    %p = nn.mat_mul %yt, %xt : (tensor<2x2xf32>, tensor<2x2xf32>) -> tensor<2x2xf32>
    infra.yield %p : tensor<2x2xf32>
  }
  func.return %z : tensor<4x2xf32>
}

// CHECK-LABEL: @through_a_state
// CHECK: qnn.fake_quantize {{.*}} {lpt.precisions = {output0 = [i8]}
func.func @through_a_state(%x: tensor<2x2xf32>, %y: tensor<2x2xf32>) -> tensor<2x2xf32> {
  %low = nn.constant dense<0.0> : tensor<f32>
  %high = nn.constant dense<1.0> : tensor<f32>
  %init = nn.constant dense<0.0> : tensor<2x2xf32>
  %old = infra.read_value @kept, %init : tensor<2x2xf32> -> tensor<2x2xf32>
  %z = nn.mat_mul %y, %old : (tensor<2x2xf32>, tensor<2x2xf32>) -> tensor<2x2xf32>
  %q = qnn.fake_quantize %x, %low, %high, %low, %high {levels = 256 : i64} : (tensor<2x2xf32>, tensor<f32>, tensor<f32>, tensor<f32>, tensor<f32>) -> tensor<2x2xf32>
  infra.assign @kept, %q : tensor<2x2xf32>
  func.return %z : tensor<2x2xf32>
}

// Through a FakeQuantize that gives back what the one above gives; the last one here has another interval.
// CHECK-LABEL: @gives_back
// CHECK: qnn.fake_quantize %a, {{.*}} {lpt.precisions = {output0 = [i8]}
// CHECK: qnn.fake_quantize %b, {{.*}} {lpt.precisions = {output0 = [ui8, i8]}
func.func @gives_back(%a: tensor<2x2xf32>, %b: tensor<2x2xf32>) -> (tensor<2x2xf32>, tensor<2x2xf32>) {
  %l = nn.constant dense<0.0> : tensor<f32>
  %h = nn.constant dense<2.55> : tensor<f32>
  %k = nn.constant dense<2.0> : tensor<f32>
  %h2 = nn.constant dense<5.1> : tensor<f32>
  %qa = qnn.fake_quantize %a, %l, %h, %l, %h {levels = 256 : i64} : (tensor<2x2xf32>, tensor<f32>, tensor<f32>, tensor<f32>, tensor<f32>) -> tensor<2x2xf32>
  %m = nn.multiply %qa, %k : (tensor<2x2xf32>, tensor<f32>) -> tensor<2x2xf32>
  %ra = qnn.fake_quantize %m, %l, %h2, %l, %h2 {levels = 256 : i64} : (tensor<2x2xf32>, tensor<f32>, tensor<f32>, tensor<f32>, tensor<f32>) -> tensor<2x2xf32>
  %qb = qnn.fake_quantize %b, %l, %h, %l, %h {levels = 256 : i64} : (tensor<2x2xf32>, tensor<f32>, tensor<f32>, tensor<f32>, tensor<f32>) -> tensor<2x2xf32>
  %rb = qnn.fake_quantize %qb, %l, %h2, %l, %h2 {levels = 256 : i64} : (tensor<2x2xf32>, tensor<f32>, tensor<f32>, tensor<f32>, tensor<f32>) -> tensor<2x2xf32>
  %y = nn.mat_mul %a, %ra : (tensor<2x2xf32>, tensor<2x2xf32>) -> tensor<2x2xf32>
  %z = nn.mat_mul %a, %rb : (tensor<2x2xf32>, tensor<2x2xf32>) -> tensor<2x2xf32>
  func.return %y, %z : tensor<2x2xf32>, tensor<2x2xf32>
}

// Through two multiplications; not with fewer levels above, whose values are others.
// CHECK-LABEL: @gives_back_levels
// CHECK: qnn.fake_quantize %a, {{.*}} {lpt.precisions = {output0 = [i8]}
// CHECK: qnn.fake_quantize %b, {{.*}} {lpt.precisions = {output0 = [ui8, i8]}
func.func @gives_back_levels(%a: tensor<2x2xf32>, %b: tensor<2x2xf32>) -> (tensor<2x2xf32>, tensor<2x2xf32>) {
  %l = nn.constant dense<0.0> : tensor<f32>
  %h = nn.constant dense<2.55> : tensor<f32>
  %k = nn.constant dense<2.0> : tensor<f32>
  %k2 = nn.constant dense<4.0> : tensor<f32>
  %h8 = nn.constant dense<20.4> : tensor<f32>
  %qa = qnn.fake_quantize %a, %l, %h, %l, %h {levels = 256 : i64} : (tensor<2x2xf32>, tensor<f32>, tensor<f32>, tensor<f32>, tensor<f32>) -> tensor<2x2xf32>
  %m = nn.multiply %qa, %k : (tensor<2x2xf32>, tensor<f32>) -> tensor<2x2xf32>
  %m2 = nn.multiply %m, %k2 : (tensor<2x2xf32>, tensor<f32>) -> tensor<2x2xf32>
  %ra = qnn.fake_quantize %m2, %l, %h8, %l, %h8 {levels = 256 : i64} : (tensor<2x2xf32>, tensor<f32>, tensor<f32>, tensor<f32>, tensor<f32>) -> tensor<2x2xf32>
  %qb = qnn.fake_quantize %b, %l, %h, %l, %h {levels = 128 : i64} : (tensor<2x2xf32>, tensor<f32>, tensor<f32>, tensor<f32>, tensor<f32>) -> tensor<2x2xf32>
  %rb = qnn.fake_quantize %qb, %l, %h, %l, %h {levels = 256 : i64} : (tensor<2x2xf32>, tensor<f32>, tensor<f32>, tensor<f32>, tensor<f32>) -> tensor<2x2xf32>
  %y = nn.mat_mul %a, %ra : (tensor<2x2xf32>, tensor<2x2xf32>) -> tensor<2x2xf32>
  %z = nn.mat_mul %a, %rb : (tensor<2x2xf32>, tensor<2x2xf32>) -> tensor<2x2xf32>
  func.return %y, %z : tensor<2x2xf32>, tensor<2x2xf32>
}

// Not on an interval that is computed or of each channel, nor behind a factor for each.
// CHECK-LABEL: @gives_other_values
// CHECK: qnn.fake_quantize %a, {{.*}} {lpt.precisions = {output0 = [ui8, i8]}
// CHECK: qnn.fake_quantize %a, {{.*}} {lpt.precisions = {output0 = [ui8, i8]}
// CHECK: qnn.fake_quantize %a, {{.*}} {lpt.precisions = {output0 = [ui8, i8]}
func.func @gives_other_values(%a: tensor<2x2xf32>, %i: tensor<f32>) -> (tensor<2x2xf32>, tensor<2x2xf32>, tensor<2x2xf32>) {
  %l = nn.constant dense<0.0> : tensor<f32>
  %h = nn.constant dense<2.55> : tensor<f32>
  %ls = nn.constant dense<0.0> : tensor<1x2xf32>
  %hs = nn.constant dense<[[2.55, 5.1]]> : tensor<1x2xf32>
  %k = nn.constant dense<[[1.0, 2.0]]> : tensor<1x2xf32>
  %p = qnn.fake_quantize %a, %l, %i, %l, %i {levels = 256 : i64} : (tensor<2x2xf32>, tensor<f32>, tensor<f32>, tensor<f32>, tensor<f32>) -> tensor<2x2xf32>
  %rp = qnn.fake_quantize %p, %l, %i, %l, %i {levels = 256 : i64} : (tensor<2x2xf32>, tensor<f32>, tensor<f32>, tensor<f32>, tensor<f32>) -> tensor<2x2xf32>
  %q = qnn.fake_quantize %a, %ls, %hs, %ls, %hs {levels = 256 : i64} : (tensor<2x2xf32>, tensor<1x2xf32>, tensor<1x2xf32>, tensor<1x2xf32>, tensor<1x2xf32>) -> tensor<2x2xf32>
  %rq = qnn.fake_quantize %q, %ls, %hs, %ls, %hs {levels = 256 : i64} : (tensor<2x2xf32>, tensor<1x2xf32>, tensor<1x2xf32>, tensor<1x2xf32>, tensor<1x2xf32>) -> tensor<2x2xf32>
  %t = qnn.fake_quantize %a, %l, %h, %l, %h {levels = 256 : i64} : (tensor<2x2xf32>, tensor<f32>, tensor<f32>, tensor<f32>, tensor<f32>) -> tensor<2x2xf32>
  %m = nn.multiply %t, %k : (tensor<2x2xf32>, tensor<1x2xf32>) -> tensor<2x2xf32>
  %rt = qnn.fake_quantize %m, %l, %h, %l, %h {levels = 256 : i64} : (tensor<2x2xf32>, tensor<f32>, tensor<f32>, tensor<f32>, tensor<f32>) -> tensor<2x2xf32>
  %x = nn.mat_mul %a, %rp : (tensor<2x2xf32>, tensor<2x2xf32>) -> tensor<2x2xf32>
  %y = nn.mat_mul %a, %rq : (tensor<2x2xf32>, tensor<2x2xf32>) -> tensor<2x2xf32>
  %z = nn.mat_mul %a, %rt : (tensor<2x2xf32>, tensor<2x2xf32>) -> tensor<2x2xf32>
  func.return %x, %y, %z : tensor<2x2xf32>, tensor<2x2xf32>, tensor<2x2xf32>
}

// The convolution takes u8, the product's right side i8: the last of them decides.
// CHECK-LABEL: @nothing_in_common
// CHECK: qnn.fake_quantize %a, {{.*}} {lpt.precisions = {output0 = [i8]}
// CHECK: qnn.fake_quantize %b, {{.*}} {lpt.precisions = {output0 = [ui8]}
func.func @nothing_in_common(%a: tensor<1x2x2xf32>, %b: tensor<1x2x2xf32>, %w: tensor<1x2x1xf32>, %x: tensor<1x2x2xf32>) -> (tensor<1x1x2xf32>, tensor<1x2x2xf32>, tensor<1x2x2xf32>, tensor<1x1x2xf32>) {
  %l = nn.constant dense<0.0> : tensor<f32>
  %h = nn.constant dense<2.55> : tensor<f32>
  %qa = qnn.fake_quantize %a, %l, %h, %l, %h {levels = 256 : i64} : (tensor<1x2x2xf32>, tensor<f32>, tensor<f32>, tensor<f32>, tensor<f32>) -> tensor<1x2x2xf32>
  %qb = qnn.fake_quantize %b, %l, %h, %l, %h {levels = 256 : i64} : (tensor<1x2x2xf32>, tensor<f32>, tensor<f32>, tensor<f32>, tensor<f32>) -> tensor<1x2x2xf32>
  %y0 = nn.convolution %qa, %w {strides = array<i64: 1>, pads_begin = array<i64: 0>, pads_end = array<i64: 0>, dilations = array<i64: 1>} : (tensor<1x2x2xf32>, tensor<1x2x1xf32>) -> tensor<1x1x2xf32>
  %y1 = nn.mat_mul %x, %qa : (tensor<1x2x2xf32>, tensor<1x2x2xf32>) -> tensor<1x2x2xf32>
  %y2 = nn.mat_mul %x, %qb : (tensor<1x2x2xf32>, tensor<1x2x2xf32>) -> tensor<1x2x2xf32>
  %y3 = nn.convolution %qb, %w {strides = array<i64: 1>, pads_begin = array<i64: 0>, pads_end = array<i64: 0>, dilations = array<i64: 1>} : (tensor<1x2x2xf32>, tensor<1x2x1xf32>) -> tensor<1x1x2xf32>
  func.return %y0, %y1, %y2, %y3 : tensor<1x1x2xf32>, tensor<1x2x2xf32>, tensor<1x2x2xf32>, tensor<1x1x2xf32>
}

// Out of a branch.
// CHECK-LABEL: @through_a_branch
// CHECK: qnn.fake_quantize {{.*}} {lpt.precisions = {output0 = [i8]}
func.func @through_a_branch(%c: tensor<i1>, %x: tensor<2x2xf32>) -> tensor<2x2xf32> {
  %low = nn.constant dense<0.0> : tensor<f32>
  %high = nn.constant dense<1.0> : tensor<f32>
  %q = qnn.fake_quantize %x, %low, %high, %low, %high {levels = 256 : i64} : (tensor<2x2xf32>, tensor<f32>, tensor<f32>, tensor<f32>, tensor<f32>) -> tensor<2x2xf32>
  %z = infra.if %c, %q, %x : (tensor<i1>, tensor<2x2xf32>, tensor<2x2xf32>) -> tensor<2x2xf32> {
  ^bb0(%a: tensor<2x2xf32>, %b: tensor<2x2xf32>):
    %p = nn.mat_mul %b, %a : (tensor<2x2xf32>, tensor<2x2xf32>) -> tensor<2x2xf32>
    infra.yield %p : tensor<2x2xf32>
  } else {
  ^bb0(%d: tensor<2x2xf32>, %e: tensor<2x2xf32>):
    infra.yield %e : tensor<2x2xf32>
  }
  func.return %z : tensor<2x2xf32>
}
