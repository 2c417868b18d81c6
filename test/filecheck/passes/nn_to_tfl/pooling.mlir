// RUN: not opt-tool %s --split-input-file --nn-to-tfl 2>&1 | filecheck %s
// RUN: not opt-tool %s --split-input-file --nn-to-tfl 2>&1 | filecheck %s --check-prefix REFUSED

// CHECK:      "tfl.max_pool_2d"(%{{.*}}) <{padding = "VALID", stride_h = 2 : i32, stride_w = 2 : i32
func.func @main(%x: tensor<1x1x4x4xf32>) -> tensor<1x1x2x2xf32> {
  %y = nn.max_pool %x {kernel = array<i64: 2, 2>, strides = array<i64: 2, 2>, pads_begin = array<i64: 0, 0>, pads_end = array<i64: 0, 0>, dilations = array<i64: 1, 1>} : tensor<1x1x4x4xf32> -> tensor<1x1x2x2xf32>
  func.return %y : tensor<1x1x2x2xf32>
}

// -----

// REFUSED: nn.avg_pool: cannot be written for LiteRT: LiteRT has no mean of int32 windows; convert its input
func.func @main(%x: tensor<1x1x4xi32>) -> tensor<1x1x2xi32> {
  %y = nn.avg_pool %x {kernel = array<i64: 2>, strides = array<i64: 2>, pads_begin = array<i64: 0>, pads_end = array<i64: 0>, dilations = array<i64: 1>, exclude_pad = false} : tensor<1x1x4xi32> -> tensor<1x1x2xi32>
  func.return %y : tensor<1x1x2xi32>
}
