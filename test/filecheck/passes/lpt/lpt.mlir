// RUN: opt-tool %s --lpt >%t.once
// RUN: filecheck %s --input-file %t.once
// RUN: opt-tool %s --lpt --lpt >%t.twice
// RUN: cmp %t.once %t.twice
// RUN: opt-tool %s --lpt-prerequisites --lpt-markup --lpt-main --lpt-cleanup >%t.steps
// RUN: cmp %t.once %t.steps
// RUN: opt-tool %s --lpt --low-latency2 2>/dev/null | filecheck %s --check-prefix STATEFUL
// RUN: opt-tool %s --low-latency2 --lpt 2>/dev/null | filecheck %s --check-prefix STATEFUL

// From FakeQuantize on activations and weights to a product of codes; the product keeps its name.
// CHECK-LABEL: @fully_connected
// CHECK: [[Q:%.*]] = qnn.fake_quantize %x, {{.*}} {nn.name = "fq", levels = 256 : i64, output_type = ui8}
// CHECK-NEXT: [[W:%.*]] = nn.constant {nn.name = "wq"} dense<{{\[\[127, 63\], \[-127, 127\]\]}}> : tensor<2x2xi8>
// CHECK-NEXT: [[Y:%.*]] = nn.mat_mul [[Q]], [[W]] {nn.name = "fc_original", transpose_b = true} : (tensor<3x2xui8>, tensor<2x2xi8>) -> tensor<3x2xi32>
// CHECK-NEXT: [[F:%.*]] = nn.convert [[Y]] to f32
// CHECK-NEXT: [[S:%.*]] = nn.constant {{.*}} : tensor<1x2xf32>
// CHECK-NEXT: [[M:%.*]] = nn.multiply [[F]], [[S]] {nn.name = "fc"}
// CHECK: nn.add [[M]], %b {nn.name = "bias", lpt.declined
// CHECK-NEXT: func.return
func.func @fully_connected(%x: tensor<3x2xf32>) -> tensor<3x2xf32> {
  %l = nn.constant dense<0.0> : tensor<1x1xf32>
  %h = nn.constant dense<2.55> : tensor<1x1xf32>
  %q = qnn.fake_quantize %x, %l, %h, %l, %h {levels = 256 : i64, nn.name = "fq"} : (tensor<3x2xf32>, tensor<1x1xf32>, tensor<1x1xf32>, tensor<1x1xf32>, tensor<1x1xf32>) -> tensor<3x2xf32>
  %w = nn.constant dense<[[1.0, 0.5], [-2.0, 2.0]]> : tensor<2x2xf32>
  %wl = nn.constant dense<[[-1.0], [-2.0]]> : tensor<2x1xf32>
  %wh = nn.constant dense<[[1.0], [2.0]]> : tensor<2x1xf32>
  %wq = qnn.fake_quantize %w, %wl, %wh, %wl, %wh {levels = 255 : i64, nn.name = "wq"} : (tensor<2x2xf32>, tensor<2x1xf32>, tensor<2x1xf32>, tensor<2x1xf32>, tensor<2x1xf32>) -> tensor<2x2xf32>
  %y = nn.mat_mul %q, %wq {transpose_b = true, nn.name = "fc"} : (tensor<3x2xf32>, tensor<2x2xf32>) -> tensor<3x2xf32>
  %b = nn.constant dense<[[1.0, 2.0]]> : tensor<1x2xf32>
  %z = nn.add %y, %b {nn.name = "bias"} : (tensor<3x2xf32>, tensor<1x2xf32>) -> tensor<3x2xf32>
  func.return %z : tensor<3x2xf32>
}

// No consumer takes codes: everything as it was.
// CHECK-LABEL: @fake_quantize_alone
// CHECK-NEXT: %l = nn.constant dense<0.0>
// CHECK-NEXT: %h = nn.constant dense<2.55>
// CHECK: qnn.fake_quantize %x, %l, %h, {{.*}} {nn.name = "fq", levels = 256 : i64} : {{.*}} -> tensor<4xf32>
// CHECK-NEXT: nn.sigmoid
// CHECK-NEXT: func.return
func.func @fake_quantize_alone(%x: tensor<4xf32>) -> tensor<4xf32> {
  %l = nn.constant dense<0.0> : tensor<f32>
  %h = nn.constant dense<2.55> : tensor<f32>
  %q = qnn.fake_quantize %x, %l, %h, %l, %h {levels = 256 : i64, nn.name = "fq"} : (tensor<4xf32>, tensor<f32>, tensor<f32>, tensor<f32>, tensor<f32>) -> tensor<4xf32>
  %y = nn.sigmoid %q : tensor<4xf32>
  func.return %y : tensor<4xf32>
}

// The right operand of a product is i8; these are u8, and stay in floating point.
// CHECK-LABEL: @unsigned_times_unsigned
// CHECK: qnn.fake_quantize %x, {{.*}} -> tensor<2x2xf32>
// CHECK: qnn.fake_quantize %y, {{.*}} -> tensor<2x2xf32>
// CHECK: nn.mat_mul {{.*}} {nn.name = "product", lpt.declined = "input 1 is quantized with a zero point; quantize it symmetrically around 0"} : (tensor<2x2xf32>
// CHECK-NEXT: func.return
func.func @unsigned_times_unsigned(%x: tensor<2x2xf32>, %y: tensor<2x2xf32>) -> tensor<2x2xf32> {
  %l = nn.constant dense<0.0> : tensor<f32>
  %h = nn.constant dense<2.55> : tensor<f32>
  %p = qnn.fake_quantize %x, %l, %h, %l, %h {levels = 256 : i64} : (tensor<2x2xf32>, tensor<f32>, tensor<f32>, tensor<f32>, tensor<f32>) -> tensor<2x2xf32>
  %q = qnn.fake_quantize %y, %l, %h, %l, %h {levels = 256 : i64} : (tensor<2x2xf32>, tensor<f32>, tensor<f32>, tensor<f32>, tensor<f32>) -> tensor<2x2xf32>
  %m = nn.mat_mul %p, %q {nn.name = "product"} : (tensor<2x2xf32>, tensor<2x2xf32>) -> tensor<2x2xf32>
  func.return %m : tensor<2x2xf32>
}

// One user takes codes, one does not.
// CHECK-LABEL: @two_users
// CHECK: [[Q:%.*]] = qnn.fake_quantize %x, {{.*}} {nn.name = "fq_original", levels = 256 : i64, output_type = i8}
// CHECK: [[F:%.*]] = nn.convert [[Q]] to f32
// CHECK: [[M:%.*]] = nn.multiply [[F]], {{.*}} {nn.name = "fq"}
// CHECK: nn.mat_mul [[Q]], %w
// CHECK: nn.sigmoid [[M]]
func.func @two_users(%x: tensor<2x2xf32>) -> (tensor<2x2xf32>, tensor<2x2xf32>) {
  %l = nn.constant dense<-1.28> : tensor<f32>
  %h = nn.constant dense<1.27> : tensor<f32>
  %q = qnn.fake_quantize %x, %l, %h, %l, %h {levels = 256 : i64, nn.name = "fq"} : (tensor<2x2xf32>, tensor<f32>, tensor<f32>, tensor<f32>, tensor<f32>) -> tensor<2x2xf32>
  %w = nn.constant dense<[[1, 2], [3, 4]]> : tensor<2x2xi8>
  %f = nn.convert %w to f32 : tensor<2x2xi8> -> tensor<2x2xf32>
  %s = nn.constant dense<0.5> : tensor<f32>
  %wq = nn.multiply %f, %s : (tensor<2x2xf32>, tensor<f32>) -> tensor<2x2xf32>
  %m = nn.mat_mul %q, %wq : (tensor<2x2xf32>, tensor<2x2xf32>) -> tensor<2x2xf32>
  %y = nn.sigmoid %q : tensor<2x2xf32>
  func.return %m, %y : tensor<2x2xf32>, tensor<2x2xf32>
}

// A weight in 8 bits is no quantized product: the activations are in floating point.
// CHECK-LABEL: @weights_only
// CHECK: [[F:%.*]] = nn.convert %w to f32
// CHECK: [[W:%.*]] = nn.multiply [[F]], {{%[a-z_0-9]*}} : (tensor<2x2xf32>, tensor<f32>)
// CHECK: nn.mat_mul %x, [[W]] {lpt.declined = "input 0 is not quantized; put a FakeQuantize on it"} : (tensor<2x2xf32>
func.func @weights_only(%x: tensor<2x2xf32>) -> tensor<2x2xf32> {
  %w = nn.constant dense<[[1, 2], [3, 4]]> : tensor<2x2xi8>
  %f = nn.convert %w to f32 : tensor<2x2xi8> -> tensor<2x2xf32>
  %s = nn.constant dense<0.5> : tensor<f32>
  %wq = nn.multiply %f, %s : (tensor<2x2xf32>, tensor<f32>) -> tensor<2x2xf32>
  %m = nn.mat_mul %x, %wq : (tensor<2x2xf32>, tensor<2x2xf32>) -> tensor<2x2xf32>
  func.return %m : tensor<2x2xf32>
}

// A body, where it stands and where it was inlined.
// CHECK-LABEL: @body
// CHECK: infra.tensor_iterator
// CHECK: nn.mat_mul {{.*}} : (tensor<1x4xi8>, tensor<4x4xi8>) -> tensor<1x4xi32>
// CHECK: infra.yield
// STATEFUL-LABEL: @body
// STATEFUL-NOT: infra.tensor_iterator
// STATEFUL: [[H:%.*]] = infra.read_value
// STATEFUL: [[Q:%.*]] = qnn.fake_quantize [[H]], {{.*}} output_type = i8
// STATEFUL: nn.mat_mul [[Q]], {{.*}} : (tensor<1x4xi8>, tensor<4x4xi8>) -> tensor<1x4xi32>
// STATEFUL: infra.assign
func.func @body(%x: tensor<1x4xf32>, %h0: tensor<1x4xf32>) -> tensor<1x4xf32> {
  %y = infra.tensor_iterator %x, %h0
      inputs [#infra.sliced<axis = 0, start = 0, end = -1, stride = 1, part_size = 1>, #infra.merged<result = 0>]
      outputs [#infra.concatenated<result = 0, axis = 0, start = 0, end = -1, stride = 1, part_size = 1>]
      body_names ["X_t", "H_t"] {nn.name = "loop"} : (tensor<1x4xf32>, tensor<1x4xf32>) -> tensor<1x4xf32> {
  ^bb0(%xt: tensor<1x4xf32>, %ht: tensor<1x4xf32>):
    %l = nn.constant dense<-1.28> : tensor<f32>
    %h = nn.constant dense<1.27> : tensor<f32>
    %q = qnn.fake_quantize %ht, %l, %h, %l, %h {levels = 256 : i64} : (tensor<1x4xf32>, tensor<f32>, tensor<f32>, tensor<f32>, tensor<f32>) -> tensor<1x4xf32>
    %w = nn.constant dense<[[1, 2, 3, 4], [5, 6, 7, 8], [-1, -2, -3, -4], [-5, -6, -7, -8]]> : tensor<4x4xi8>
    %f = nn.convert %w to f32 : tensor<4x4xi8> -> tensor<4x4xf32>
    %s = nn.constant dense<[[0.01], [0.02], [0.03], [0.04]]> : tensor<4x1xf32>
    %wq = nn.multiply %f, %s : (tensor<4x4xf32>, tensor<4x1xf32>) -> tensor<4x4xf32>
    %m = nn.mat_mul %q, %wq {transpose_b = true} : (tensor<1x4xf32>, tensor<4x4xf32>) -> tensor<1x4xf32>
    %sum = nn.add %xt, %m : (tensor<1x4xf32>, tensor<1x4xf32>) -> tensor<1x4xf32>
    %next = nn.tanh %sum : tensor<1x4xf32>
    infra.yield %next : tensor<1x4xf32>
  }
  func.return %y : tensor<1x4xf32>
}
