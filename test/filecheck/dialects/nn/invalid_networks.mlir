// What operations of networks refuse, and how they say so.
// RUN: opt-tool %s --split-input-file --verify-diagnostics

func.func @f(%q: tensor<3x8xf32>, %k: tensor<5x7xf32>, %v: tensor<5x6xf32>) {
  // expected-error@below {{nn.scaled_dot_product_attention: queries [3, 8], keys [5, 7] and values [5, 6] do not fit}}
  %0 = nn.scaled_dot_product_attention %q, %k, %v : (tensor<3x8xf32>, tensor<5x7xf32>, tensor<5x6xf32>) -> tensor<3x6xf32>
  func.return
}
// -----
func.func @f(%q: tensor<3x8xf32>, %v: tensor<3x6xf32>, %m: tensor<f32>, %s: tensor<2xf32>) {
  // expected-error@below {{nn.scaled_dot_product_attention: scale is a tensor<2xf32>; it must be one number}}
  %0 = nn.scaled_dot_product_attention %q, %q, %v, %m, %s : (tensor<3x8xf32>, tensor<3x8xf32>, tensor<3x6xf32>, tensor<f32>, tensor<2xf32>) -> tensor<3x6xf32>
  func.return
}
// -----
func.func @f(%q: tensor<3x8xf32>, %v: tensor<3x6xf32>, %m: tensor<2x3x3xf32>) {
  // expected-error@below {{nn.scaled_dot_product_attention: mask [2, 3, 3] has more dimensions than the scores [3, 3]}}
  %0 = nn.scaled_dot_product_attention %q, %q, %v, %m : (tensor<3x8xf32>, tensor<3x8xf32>, tensor<3x6xf32>, tensor<2x3x3xf32>) -> tensor<3x6xf32>
  func.return
}
// -----
func.func @f(%x: tensor<1x8x7xf32>) {
  %s = nn.constant dense<[3, 2]> : tensor<2xi64>
  // expected-error@below {{nn.adaptive_avg_pool: output_shape [3, 2] must be 1 positive sizes, one for each spatial dimension}}
  %0 = nn.adaptive_avg_pool %x, %s : (tensor<1x8x7xf32>, tensor<2xi64>) -> tensor<1x8x3xf32>
  func.return
}
// -----
func.func @f(%x: tensor<1x3x4x5xf32>, %g: tensor<2x2x3x2xf32>) {
  // expected-error@below {{nn.grid_sample: a grid for 2 images reads 1}}
  %0 = nn.grid_sample %x, %g : (tensor<1x3x4x5xf32>, tensor<2x2x3x2xf32>) -> tensor<1x3x2x3xf32>
  func.return
}
// -----
func.func @f(%x: tensor<2x3x6x8xf32>, %r: tensor<4x4xf32>, %i: tensor<4xi32>) {
  // expected-error@below {{nn.roi_align: sampling_ratio -1; it is a number of points, or 0: as many as a bin is large}}
  %0 = nn.roi_align %x, %r, %i {pooled_h = 2 : i64, pooled_w = 2 : i64, sampling_ratio = -1 : i64, spatial_scale = 0.5 : f64, mode = "avg"} : (tensor<2x3x6x8xf32>, tensor<4x4xf32>, tensor<4xi32>) -> tensor<4x3x2x2xf32>
  func.return
}
// -----
func.func @f(%y: tensor<1x4x6x1xf32>, %uv: tensor<1x2x2x2xf32>) {
  // expected-error@below {{nn.nv12_to_rgb: plane [1, 2, 2, 2] must be [1, 2, 3, 2], half of the first}}
  %0 = nn.nv12_to_rgb %y, %uv : (tensor<1x4x6x1xf32>, tensor<1x2x2x2xf32>) -> tensor<1x4x6x3xf32>
  func.return
}
// -----
func.func @f(%x: tensor<1x2x4x5xf32>, %o: tensor<1x8x3x3xf32>, %w: tensor<3x2x2x2xf32>) {
  // expected-error@below {{nn.deformable_convolution: offsets [1, 8, 3, 3] must be [1, 8, 3, 4]}}
  %0 = nn.deformable_convolution %x, %o, %w {strides = array<i64: 1, 1>, pads_begin = array<i64: 0, 0>, pads_end = array<i64: 0, 0>, dilations = array<i64: 1, 1>} : (tensor<1x2x4x5xf32>, tensor<1x8x3x3xf32>, tensor<3x2x2x2xf32>) -> tensor<1x3x3x4xf32>
  func.return
}
// -----
func.func @f(%t: tensor<5x2xf32>, %i: tensor<4xi64>, %o: tensor<3xi64>, %d: tensor<i64>, %w: tensor<4xf32>) {
  // expected-error@below {{nn.embedding_bag_offsets: a mean takes no weights; use reduction 'sum'}}
  %0 = nn.embedding_bag_offsets %t, %i, %o, %d, %w {reduction = "mean"} : (tensor<5x2xf32>, tensor<4xi64>, tensor<3xi64>, tensor<i64>, tensor<4xf32>) -> tensor<3x2xf32>
  func.return
}
// -----
func.func @f(%x: tensor<1x15x2x3xf32>) {
  // expected-error@below {{nn.region_yolo: input [1, 15, 2, 3] must be [batch, 2 regions * 8 numbers, height, width]}}
  %0 = nn.region_yolo %x {coords = 4 : i64, classes = 3 : i64, num = 2 : i64, do_softmax = false, mask = array<i64: 0, 1>, axis = 1 : i64, end_axis = 3 : i64} : tensor<1x15x2x3xf32> -> tensor<1x15x2x3xf32>
  func.return
}
// -----
func.func @f(%x: tensor<6x2x4xf32>, %m: tensor<6x3xf32>) {
  // expected-error@below {{nn.ctc_greedy_decoder: lengths [6, 3] do not fit [6, 2, 4]; they are [6, 2]}}
  %0 = nn.ctc_greedy_decoder %x, %m : (tensor<6x2x4xf32>, tensor<6x3xf32>) -> tensor<2x6x1x1xf32>
  func.return
}
// -----
func.func @f(%x: tensor<8x11x6x8xf32>, %r: tensor<4x5xf32>) {
  // expected-error@below {{nn.psroi_pooling: input [8, 11, 6, 8] has 11 channels; 3 of the result read 12}}
  %0 = nn.psroi_pooling %x, %r {output_dim = 3 : i64, group_size = 2 : i64, spatial_scale = 0.5 : f64} : (tensor<8x11x6x8xf32>, tensor<4x5xf32>) -> tensor<4x3x2x2xf32>
  func.return
}
// -----
func.func @f(%x: tensor<6x8x3xf32>, %l: tensor<4x3xi32>) {
  // expected-error@below {{nn.reduce_windows: limits [4, 3] and [4, 3] are not [window…, 2], one for each dimension but the last of [6, 8, 3]}}
  %0 = nn.reduce_windows %x, %l, %l {reduction = "max"} : (tensor<6x8x3xf32>, tensor<4x3xi32>, tensor<4x3xi32>) -> tensor<4x3xf32>
  func.return
}
// -----
func.func @f(%c: tensor<2xi64>) {
  // expected-error@below {{nn.prior_box: 0 fixed_size need as many density of at least 1, not [1.0]}}
  %0 = nn.prior_box %c, %c {density = [1.0 : f64], offset = 0.5 : f64} : (tensor<2xi64>, tensor<2xi64>) -> tensor<2x?xf32>
  func.return
}
// -----
func.func @f(%x: tensor<6x3xf32>) {
  %a = nn.constant dense<[0]> : tensor<1xi64>
  // expected-error@below {{nn.dft: data [6, 3] are not complex numbers; the last dimension must be 2}}
  %0 = nn.dft %x, %a : (tensor<6x3xf32>, tensor<1xi64>) -> tensor<6x3xf32>
  func.return
}
// -----
func.func @f(%x: tensor<6x3xf32>) {
  %a = nn.constant dense<[1]> : tensor<1xi64>
  %s = nn.constant dense<[0]> : tensor<1xi64>
  // expected-error@below {{nn.rdft: signal_size [0] must have a size above 0, or -1, for each of [1]}}
  %0 = nn.rdft %x, %a, %s : (tensor<6x3xf32>, tensor<1xi64>, tensor<1xi64>) -> tensor<6x1x2xf32>
  func.return
}
// -----
func.func @f(%x: tensor<6x2xf32>) {
  %a = nn.constant dense<> : tensor<0xi64>
  // expected-error@below {{nn.idft: axes are none; it needs one or more}}
  %0 = nn.idft %x, %a : (tensor<6x2xf32>, tensor<0xi64>) -> tensor<6x2xf32>
  func.return
}
// -----
func.func @f(%x: tensor<9xf32>, %w: tensor<4xf32>) {
  %n = nn.constant dense<4> : tensor<i64>
  %s = nn.constant dense<0> : tensor<i64>
  // expected-error@below {{nn.stft: frame_step [0] must be one number above 0}}
  %0 = nn.stft %x, %w, %n, %s {transpose_frames = true} : (tensor<9xf32>, tensor<4xf32>, tensor<i64>, tensor<i64>) -> tensor<3x?x2xf32>
  func.return
}
// -----
func.func @f(%x: tensor<9xf32>, %w: tensor<5xf32>) {
  %n = nn.constant dense<4> : tensor<i64>
  // expected-error@below {{nn.stft: window [5] must be a vector of at most frame_size 4}}
  %0 = nn.stft %x, %w, %n, %n {transpose_frames = true} : (tensor<9xf32>, tensor<5xf32>, tensor<i64>, tensor<i64>) -> tensor<3x2x2xf32>
  func.return
}
// -----
func.func @f(%x: tensor<4x2x2xf32>, %w: tensor<4xf32>) {
  %n = nn.constant dense<4> : tensor<i64>
  // expected-error@below {{nn.istft: data [4, 2, 2] must have frame_size 4 / 2 + 1 frequencies}}
  %0 = nn.istft %x, %w, %n, %n {center = false, normalized = false} : (tensor<4x2x2xf32>, tensor<4xf32>, tensor<i64>, tensor<i64>) -> tensor<8xf32>
  func.return
}
