// Convolutions and paddings read what they print, in the custom and in the generic form.
// RUN: opt-tool %s | opt-tool | filecheck %s
// RUN: opt-tool %s --print-op-generic | opt-tool | filecheck %s

// CHECK-LABEL: @convolution(
func.func @convolution(%x: tensor<1x9x9x4xi8>, %w: tensor<6x3x3x2xi8>, %p: tensor<2x1x1x5x1x16x4xi8>) {
  // CHECK-NEXT: %0 = kernel.convolution [1, 4, 4, 6] groups 2 taps [3, 3] strides [2, 2] dilations [1, 1] a(%x : tensor<1x9x9x4xi8>) b(%w : tensor<6x3x3x2xi8>) ins() outs() access [affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>] -> tensor<1x4x4x6xi32> {
  %0 = kernel.convolution [1, 4, 4, 6] groups 2 taps [3, 3] strides [2, 2] dilations [1, 1] a(%x : tensor<1x9x9x4xi8>) b(%w : tensor<6x3x3x2xi8>) ins() outs() access [affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>] -> tensor<1x4x4x6xi32> {
  ^bb0(%s: i32):
    kernel.yield %s : i32
  }
  // CHECK: attributes {offset_a = 128 : i64, layout = {lanes = 16 : i64, kr = 4 : i64, nr_vectors = 1 : i64, merged = 2 : i64}, mr = array<i64: 1, 3>}
  %1 = kernel.convolution [1, 4, 4, 6] groups 2 taps [3, 3] strides [2, 2] dilations [1, 1] a(%x : tensor<1x9x9x4xi8>) b(%p : tensor<2x1x1x5x1x16x4xi8>) ins() outs() access [affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>] attributes {offset_a = 128 : i64, layout = {lanes = 16 : i64, kr = 4 : i64, nr_vectors = 1 : i64, merged = 2 : i64}, mr = array<i64: 1, 3>} -> tensor<1x4x4x6xi32> {
  ^bb0(%s: i32):
    kernel.yield %s : i32
  }
  // CHECK: kernel.pad %x low [0, 1, 1, 0] high [0, 2, 1, 0] interior [0, 1, 0, 0] value 5 : i32 : tensor<1x9x9x4xi8> -> tensor<1x20x11x4xi8>
  %2 = kernel.pad %x low [0, 1, 1, 0] high [0, 2, 1, 0] interior [0, 1, 0, 0] value 5 : i32 : tensor<1x9x9x4xi8> -> tensor<1x20x11x4xi8>
  // CHECK: kernel.slice %x offsets [0, 1, 0, 0] steps [1, 2, 1, 1] : tensor<1x9x9x4xi8> -> tensor<1x4x9x4xi8>
  %3 = kernel.slice %x offsets [0, 1, 0, 0] steps [1, 2, 1, 1] : tensor<1x9x9x4xi8> -> tensor<1x4x9x4xi8>
  func.return
}
