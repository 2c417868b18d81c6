// RUN: opt-tool %s --split-input-file --nn-to-kernels --separate-results --fuse-kernels | filecheck %s

// Codes go through memory, and are widened element by element.
// CHECK-LABEL: func.func @codes(
// CHECK-NEXT:    %0 = kernel.reduce "sum" [1, 8, 1, 1] window [6, 6] x(%x : tensor<1x8x6x6xui8>) points [affine_map<(d0, d1, d2, d3) -> (0, d1, 0, 0)>] steps [affine_map<(d0, d1) -> (0, 0, d0, d1)>] ins() outs() access [affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>] -> tensor<1x8x1x1xf32> element {
// CHECK-NEXT:    ^bb0(%1: i32):
// CHECK-NEXT:      %2 = arith.uitofp %1 : i32 to f32
// CHECK-NEXT:      kernel.yield %2 : f32
// CHECK-NEXT:    } finish {
// CHECK-NEXT:    ^bb0(%3: f32):
// CHECK-NEXT:      %4 = arith.constant 3.600000e+01 : f32
// CHECK-NEXT:      %5 = arith.divf %3, %4 : f32
func.func @codes(%x: tensor<1x8x6x6xui8>) -> tensor<1x8x1x1xf32> {
  %axes = nn.constant dense<[2, 3]> : tensor<2xi64>
  %wide = nn.convert %x to f32 : tensor<1x8x6x6xui8> -> tensor<1x8x6x6xf32>
  %0 = nn.reduce_mean %wide, %axes {keep_dims = true} : (tensor<1x8x6x6xf32>, tensor<2xi64>) -> tensor<1x8x1x1xf32>
  func.return %0 : tensor<1x8x1x1xf32>
}

// -----

// What a narrow number would have lost on its way through memory it loses in the kernel as well.
// CHECK-LABEL: func.func @halves(
// CHECK:         kernel.reduce "sum"{{.*}} x(%x : tensor<1x8x6x6xui8>)
// CHECK:           arith.uitofp
// CHECK:           arith.truncf {{.*}} : f32 to f16
// CHECK-NEXT:      {{.*}} = arith.extf
func.func @halves(%x: tensor<1x8x6x6xui8>) -> tensor<1x8x1x1xf16> {
  %axes = nn.constant dense<[2, 3]> : tensor<2xi64>
  %wide = nn.convert %x to f16 : tensor<1x8x6x6xui8> -> tensor<1x8x6x6xf16>
  %0 = nn.reduce_mean %wide, %axes {keep_dims = true} : (tensor<1x8x6x6xf16>, tensor<2xi64>) -> tensor<1x8x1x1xf16>
  func.return %0 : tensor<1x8x1x1xf16>
}

// -----

// Codes are widened again by each that reads them.
// CHECK-LABEL: func.func @widened_twice(
// CHECK-NOT:     kernel.map
// CHECK:         kernel.reduce "sum" [4, 1] window [8] x(%x : tensor<4x8xui8>)
// CHECK-NOT:     kernel.map
// CHECK:         kernel.reduce "sum" [1, 8] window [4] x(%x : tensor<4x8xui8>)
func.func @widened_twice(%x: tensor<4x8xui8>) -> (tensor<4x1xf32>, tensor<1x8xf32>) {
  %rows = nn.constant dense<[0]> : tensor<1xi64>
  %columns = nn.constant dense<[1]> : tensor<1xi64>
  %wide = nn.convert %x to f32 : tensor<4x8xui8> -> tensor<4x8xf32>
  %0 = nn.reduce_sum %wide, %columns {keep_dims = true} : (tensor<4x8xf32>, tensor<1xi64>) -> tensor<4x1xf32>
  %1 = nn.reduce_sum %wide, %rows {keep_dims = true} : (tensor<4x8xf32>, tensor<1xi64>) -> tensor<1x8xf32>
  func.return %0, %1 : tensor<4x1xf32>, tensor<1x8xf32>
}

// -----

// What neither moves nor widens is computed once for two reductions.
// CHECK-LABEL: func.func @computed_once(
// CHECK-NEXT:    %e = kernel.map [4, 8] ins(%x : tensor<4x8xf32>) outs() access [affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d0, d1)>] -> tensor<4x8xf32> {
// CHECK-NEXT:    ^bb0(%0: f32):
// CHECK-NEXT:      %1 = math.absf %0 : f32
// CHECK-NEXT:      kernel.yield %1 : f32
// CHECK:         %2 = kernel.reduce "sum" [4, 1] window [8] x(%e : tensor<4x8xf32>) points [affine_map<(d0, d1) -> (d0, 0)>] steps [affine_map<(d0) -> (0, d0)>] ins() outs() access [affine_map<(d0, d1) -> (d0, d1)>] -> tensor<4x1xf32> element {
// CHECK-NEXT:    ^bb0(%3: f32):
// CHECK-NEXT:      kernel.yield %3 : f32
// CHECK:         } finish {
// CHECK-NEXT:    ^bb0(%4: f32):
// CHECK-NEXT:      kernel.yield %4 : f32
// CHECK:         %5 = kernel.reduce "sum" [1, 8] window [4] x(%e : tensor<4x8xf32>) points [affine_map<(d0, d1) -> (0, d1)>] steps [affine_map<(d0) -> (d0, 0)>] ins() outs() access [affine_map<(d0, d1) -> (d0, d1)>] -> tensor<1x8xf32> element {
// CHECK-NEXT:    ^bb0(%6: f32):
// CHECK-NEXT:      kernel.yield %6 : f32
// CHECK:         } finish {
// CHECK-NEXT:    ^bb0(%7: f32):
// CHECK-NEXT:      kernel.yield %7 : f32
// CHECK:         func.return %2, %5 : tensor<4x1xf32>, tensor<1x8xf32>
func.func @computed_once(%x: tensor<4x8xf32>) -> (tensor<4x1xf32>, tensor<1x8xf32>) {
  %rows = nn.constant dense<[0]> : tensor<1xi64>
  %columns = nn.constant dense<[1]> : tensor<1xi64>
  %e = nn.abs %x : tensor<4x8xf32>
  %0 = nn.reduce_sum %e, %columns {keep_dims = true} : (tensor<4x8xf32>, tensor<1xi64>) -> tensor<4x1xf32>
  %1 = nn.reduce_sum %e, %rows {keep_dims = true} : (tensor<4x8xf32>, tensor<1xi64>) -> tensor<1x8xf32>
  func.return %0, %1 : tensor<4x1xf32>, tensor<1x8xf32>
}

// -----

// A variance centers what it reads: the mean is a reduction of the same numbers, which are there anyway.
// CHECK-LABEL: func.func @centered(
// CHECK-NOT:     kernel.map
// CHECK:         [[MEAN:%.*]] = kernel.reduce "sum" [4, 1] window [8] x(%x : tensor<4x8xf32>)
// CHECK-NOT:     kernel.map
// CHECK:         [[FACTOR:%.*]] = kernel.reduce "sum" [4, 1] window [8] x(%x, [[MEAN]] : tensor<4x8xf32>, tensor<4x1xf32>)
// CHECK:           arith.subf
// CHECK-NEXT:      arith.mulf
// CHECK:         kernel.map [4, 8] ins(%x, [[MEAN]], [[FACTOR]] :
// CHECK-NOT:     kernel.map
// CHECK:         func.return
func.func @centered(%x: tensor<4x8xf32>) -> tensor<4x8xf32> {
  %axes = nn.constant dense<[1]> : tensor<1xi64>
  %0 = nn.reduce_mean %x, %axes {keep_dims = true} : (tensor<4x8xf32>, tensor<1xi64>) -> tensor<4x1xf32>
  %1 = nn.subtract %x, %0 : (tensor<4x8xf32>, tensor<4x1xf32>) -> tensor<4x8xf32>
  %2 = nn.multiply %1, %1 : (tensor<4x8xf32>, tensor<4x8xf32>) -> tensor<4x8xf32>
  %3 = nn.reduce_mean %2, %axes {keep_dims = true} : (tensor<4x8xf32>, tensor<1xi64>) -> tensor<4x1xf32>
  %4 = nn.multiply %1, %3 : (tensor<4x8xf32>, tensor<4x1xf32>) -> tensor<4x8xf32>
  func.return %4 : tensor<4x8xf32>
}

// -----

// Codes are centered as they are read, too.
// CHECK-LABEL: func.func @centered_codes(
// CHECK-NOT:     kernel.map
// CHECK:         [[MEAN:%.*]] = kernel.reduce "sum" [4, 1] window [8] x(%x : tensor<4x8xi8>)
// CHECK:         kernel.reduce "sum" [4, 1] window [8] x(%x, [[MEAN]] : tensor<4x8xi8>, tensor<4x1xf32>)
// CHECK:         kernel.map [4, 8] ins(%x, [[MEAN]],
// CHECK-NOT:     kernel.map
// CHECK:         func.return
func.func @centered_codes(%x: tensor<4x8xi8>) -> tensor<4x8xf32> {
  %axes = nn.constant dense<[1]> : tensor<1xi64>
  %c = nn.convert %x to f32 : tensor<4x8xi8> -> tensor<4x8xf32>
  %0 = nn.reduce_mean %c, %axes {keep_dims = true} : (tensor<4x8xf32>, tensor<1xi64>) -> tensor<4x1xf32>
  %1 = nn.subtract %c, %0 : (tensor<4x8xf32>, tensor<4x1xf32>) -> tensor<4x8xf32>
  %2 = nn.multiply %1, %1 : (tensor<4x8xf32>, tensor<4x8xf32>) -> tensor<4x8xf32>
  %3 = nn.reduce_mean %2, %axes {keep_dims = true} : (tensor<4x8xf32>, tensor<1xi64>) -> tensor<4x1xf32>
  %4 = nn.multiply %1, %3 : (tensor<4x8xf32>, tensor<4x1xf32>) -> tensor<4x8xf32>
  func.return %4 : tensor<4x8xf32>
}

// -----

// So it does where groups of an image with channels last are normalized as rows: nothing is transposed.
// CHECK-LABEL: func.func @group(
// CHECK:         [[Y:%.*]] = kernel.convolution [1, 5, 8]
// CHECK-NOT:     kernel.map
// CHECK:         [[MEAN:%.*]] = kernel.reduce "sum" [1, 1, 1] window [8, 5] x([[Y]] : tensor<1x5x8xf32>)
// CHECK:         [[FACTOR:%.*]] = kernel.reduce "sum" [1, 1, 1] window [8, 5] x([[Y]], [[MEAN]] :
// CHECK:         kernel.map {{.*}} ins([[Y]], [[MEAN]], [[FACTOR]] :
// CHECK-NOT:     kernel.map
// CHECK:         kernel.convolution
func.func @group(%x: tensor<1x3x5xf32>, %w: tensor<8x3x1xf32>, %v: tensor<4x8x1xf32>) -> tensor<1x4x5xf32> {
  %axes = nn.constant dense<[2]> : tensor<1xi64>
  %row = nn.constant dense<[1, 1, 40]> : tensor<3xi64>
  %image = nn.constant dense<[1, 8, 5]> : tensor<3xi64>
  %0 = nn.convolution %x, %w {strides = array<i64: 1>, pads_begin = array<i64: 0>, pads_end = array<i64: 0>, dilations = array<i64: 1>} : (tensor<1x3x5xf32>, tensor<8x3x1xf32>) -> tensor<1x8x5xf32>
  %1 = nn.reshape %0, %row : (tensor<1x8x5xf32>, tensor<3xi64>) -> tensor<1x1x40xf32>
  %2 = nn.reduce_mean %1, %axes {keep_dims = true} : (tensor<1x1x40xf32>, tensor<1xi64>) -> tensor<1x1x1xf32>
  %3 = nn.subtract %1, %2 : (tensor<1x1x40xf32>, tensor<1x1x1xf32>) -> tensor<1x1x40xf32>
  %4 = nn.multiply %3, %3 : (tensor<1x1x40xf32>, tensor<1x1x40xf32>) -> tensor<1x1x40xf32>
  %5 = nn.reduce_mean %4, %axes {keep_dims = true} : (tensor<1x1x40xf32>, tensor<1xi64>) -> tensor<1x1x1xf32>
  %6 = nn.multiply %3, %5 : (tensor<1x1x40xf32>, tensor<1x1x1xf32>) -> tensor<1x1x40xf32>
  %7 = nn.reshape %6, %image : (tensor<1x1x40xf32>, tensor<3xi64>) -> tensor<1x8x5xf32>
  %8 = nn.convolution %7, %v {strides = array<i64: 1>, pads_begin = array<i64: 0>, pads_end = array<i64: 0>, dilations = array<i64: 1>} : (tensor<1x8x5xf32>, tensor<4x8x1xf32>) -> tensor<1x4x5xf32>
  func.return %8 : tensor<1x4x5xf32>
}

// -----

// What no other reduction reads is centered once: it may be the sums of a product, which are not stored then.
// CHECK-LABEL: func.func @shifted(
// CHECK:         [[Y:%.*]] = kernel.map [4, 8] ins(%x, %b :
// CHECK:         kernel.reduce "sum" [4, 1] window [8] x([[Y]] : tensor<4x8xf32>)
// CHECK:         kernel.reduce "sum" [1, 8] window [4] x([[Y]] : tensor<4x8xf32>)
func.func @shifted(%x: tensor<4x8xf32>, %b: tensor<8xf32>) -> (tensor<4x1xf32>, tensor<1x8xf32>) {
  %rows = nn.constant dense<[0]> : tensor<1xi64>
  %columns = nn.constant dense<[1]> : tensor<1xi64>
  %0 = nn.subtract %x, %b : (tensor<4x8xf32>, tensor<8xf32>) -> tensor<4x8xf32>
  %1 = nn.reduce_sum %0, %columns {keep_dims = true} : (tensor<4x8xf32>, tensor<1xi64>) -> tensor<4x1xf32>
  %2 = nn.reduce_sum %0, %rows {keep_dims = true} : (tensor<4x8xf32>, tensor<1xi64>) -> tensor<1x8xf32>
  func.return %1, %2 : tensor<4x1xf32>, tensor<1x8xf32>
}
