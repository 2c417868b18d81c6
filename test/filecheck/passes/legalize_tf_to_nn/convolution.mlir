// RUN: opt-tool %s --legalize-tf-to-nn --allow-unregistered-dialect --split-input-file | filecheck %s

// Channels go in front of space, and back; SAME is decided where sizes are known, at last.
// CHECK-LABEL: @same
// CHECK: [[W:%.*]] = nn.transpose %w,
// CHECK: [[X:%.*]] = nn.transpose %x, {{.*}} -> tensor<1x3x7x?xf32>
// CHECK: [[Y:%.*]] = nn.convolution [[X]], [[W]] {strides = array<i64: 2, 1>, {{.*}}auto_pad = "same_upper"} : (tensor<1x3x7x?xf32>, tensor<8x3x3x3xf32>)
// CHECK: [[R:%.*]] = nn.transpose [[Y]], {{.*}} -> tensor<1x4x?x8xf32>
// CHECK: func.return [[R]]
func.func @same(%x: tensor<1x7x?x3xf32>, %w: tensor<3x3x3x8xf32>) -> tensor<*xf32> {
  %y = "tf.Conv2D"(%x, %w) {strides = [1, 2, 1, 1], padding = "SAME", data_format = "NHWC", dilations = [1, 1, 1, 1], explicit_paddings = []} : (tensor<1x7x?x3xf32>, tensor<3x3x3x8xf32>) -> tensor<*xf32>
  func.return %y : tensor<*xf32>
}

// -----

// As many channels as filters take twice: two groups.
// CHECK-LABEL: @groups
// CHECK: nn.reshape {{.*}} -> tensor<2x4x3x3x3xf32>
// CHECK: nn.group_convolution {{.*}}dilations = array<i64: 1, 2>, {{.*}}auto_pad = "valid"}
// CHECK: func.return {{.*}} : tensor<1x5x3x8xf32>
func.func @groups(%x: tensor<1x7x7x6xf32>, %w: tensor<3x3x3x8xf32>) -> tensor<*xf32> {
  %y = "tf.Conv2D"(%x, %w) {strides = [1, 1, 1, 1], padding = "VALID", dilations = [1, 1, 2, 1]} : (tensor<1x7x7x6xf32>, tensor<3x3x3x8xf32>) -> tensor<*xf32>
  func.return %y : tensor<*xf32>
}

// -----

// Channels in front already: nothing moves, and the numbers stand in that order.
// CHECK-LABEL: @front
// CHECK: nn.convolution %x, {{.*}} {strides = array<i64: 2, 3>, dilations = array<i64: 1, 1>, pads_begin = array<i64: 1, 3>, pads_end = array<i64: 2, 4>}
// CHECK: func.return {{.*}} : tensor<1x8x4x4xf32>
func.func @front(%x: tensor<1x3x7x7xf32>, %w: tensor<3x3x3x8xf32>) -> tensor<*xf32> {
  %y = "tf.Conv2D"(%x, %w) {strides = [1, 1, 2, 3], padding = "EXPLICIT", data_format = "NCHW", explicit_paddings = [0, 0, 0, 0, 1, 2, 3, 4]} : (tensor<1x3x7x7xf32>, tensor<3x3x3x8xf32>) -> tensor<*xf32>
  func.return %y : tensor<*xf32>
}

// -----

// Each channel is a group, its outputs beside one another.
// CHECK-LABEL: @depthwise
// CHECK: [[W:%.*]] = nn.transpose %w, {{.*}} -> tensor<3x2x3x3xf32>
// CHECK: [[G:%.*]] = nn.unsqueeze [[W]], {{.*}} -> tensor<3x2x1x3x3xf32>
// CHECK: nn.group_convolution {{%.*}}, [[G]]
// CHECK: func.return {{.*}} : tensor<?x7x7x6xf32>
func.func @depthwise(%x: tensor<?x7x7x3xf32>, %w: tensor<3x3x3x2xf32>) -> tensor<*xf32> {
  %y = "tf.DepthwiseConv2dNative"(%x, %w) {strides = [1, 1, 1, 1], padding = "SAME", data_format = "NHWC"} : (tensor<?x7x7x3xf32>, tensor<3x3x3x2xf32>) -> tensor<*xf32>
  func.return %y : tensor<*xf32>
}

// -----

// CHECK-LABEL: @volume
// CHECK: nn.transpose %w, {{.*}} -> tensor<4x2x1x2x3xf32>
// CHECK: nn.convolution {{.*}} {strides = array<i64: 1, 2, 1>
// CHECK: func.return {{.*}} : tensor<1x4x2x4x4xf32>
func.func @volume(%x: tensor<1x4x5x6x2xf32>, %w: tensor<1x2x3x2x4xf32>) -> tensor<*xf32> {
  %y = "tf.Conv3D"(%x, %w) {strides = [1, 1, 2, 1, 1], padding = "VALID", data_format = "NDHWC"} : (tensor<1x4x5x6x2xf32>, tensor<1x2x3x2x4xf32>) -> tensor<*xf32>
  func.return %y : tensor<*xf32>
}

// -----

// A convolution with SAME of 8 is padded by one element at the end, of 7 at both.
// CHECK-LABEL: @transposed_even
// CHECK: nn.transpose %w, {{.*}} -> tensor<6x2x3x3xf32>
// CHECK: nn.convolution_backprop_data {{.*}}pads_begin = array<i64: 0, 1>, pads_end = array<i64: 1, 1>, output_padding = array<i64: 0, 0>}
// CHECK: func.return {{.*}} : tensor<1x8x7x2xf32>
func.func @transposed_even(%x: tensor<1x4x4x6xf32>, %w: tensor<3x3x2x6xf32>) -> tensor<*xf32> {
  %s = "tf.Const"() {value = dense<[1, 8, 7, 2]> : tensor<4xi32>} : () -> tensor<4xi32>
  %y = "tf.Conv2DBackpropInput"(%s, %w, %x) {strides = [1, 2, 2, 1], padding = "SAME", data_format = "NHWC"} : (tensor<4xi32>, tensor<3x3x2x6xf32>, tensor<1x4x4x6xf32>) -> tensor<*xf32>
  func.return %y : tensor<*xf32>
}

// -----

// Sizes that are computed stay so; how much is cut off before follows from them.
// CHECK-LABEL: @transposed_computed
// CHECK: [[S:%.*]] = nn.slice
// CHECK: nn.convolution_backprop_data {{.*}}, [[S]] {{.*}}auto_pad = "same_lower"
// CHECK: func.return {{.*}} : tensor<1x?x?x2xf32>
func.func @transposed_computed(%x: tensor<1x4x4x6xf32>, %w: tensor<3x3x2x6xf32>, %s: tensor<4xi32>) -> tensor<*xf32> {
  %y = "tf.Conv2DBackpropInput"(%s, %w, %x) {strides = [1, 2, 2, 1], padding = "SAME", data_format = "NHWC"} : (tensor<4xi32>, tensor<3x3x2x6xf32>, tensor<1x4x4x6xf32>) -> tensor<*xf32>
  func.return %y : tensor<*xf32>
}

// -----

// One more element than the window reaches; the batch may be unknown, and sizes of space stand alone.
// CHECK-LABEL: @transposed_valid
// CHECK: nn.convolution_backprop_data {{.*}}pads_begin = array<i64: 0, 0>, pads_end = array<i64: 0, 0>, output_padding = array<i64: 1, 0>}
// CHECK: func.return {{.*}} : tensor<?x10x9x2xf32>
func.func @transposed_valid(%x: tensor<?x4x4x6xf32>, %w: tensor<3x3x2x6xf32>) -> tensor<*xf32> {
  %s = "tf.Const"() {value = dense<[10, 9]> : tensor<2xi32>} : () -> tensor<2xi32>
  %y = "tf.Conv2DBackpropInput"(%s, %w, %x) {strides = [1, 2, 2, 1], padding = "VALID", data_format = "NHWC"} : (tensor<2xi32>, tensor<3x3x2x6xf32>, tensor<?x4x4x6xf32>) -> tensor<*xf32>
  func.return %y : tensor<*xf32>
}
