// RUN: opt-tool %s --split-input-file --split-transposed-convolutions | filecheck %s

// Both phases of both channels are channels of one convolution with every second tap, and the bias has a number for
// each; positions and phases together are the outputs.
// CHECK-LABEL: @channels
// CHECK: [[F:%.*]] = nn.constant dense<[[[3, 1]], [[7, 5]], [[4, 2]], [[8, 6]]]> : tensor<4x1x2xi8>
// CHECK: [[SUMS:%.*]] = nn.convolution %{{.*}}, [[F]] {strides = array<i64: 1>, {{.*}} -> tensor<1x4x4xi32>
// CHECK: [[BIAS:%.*]] = nn.constant dense<[[[10], [20], [10], [20]]]> : tensor<1x4x1xi32>
// CHECK: [[ADDED:%.*]] = nn.add [[SUMS]], [[BIAS]]
// CHECK: [[LAST:%.*]] = nn.transpose [[ADDED]], {{.*}} -> tensor<1x4x4xi32>
// CHECK: nn.reshape %{{.*}} -> tensor<1x8x2xi32>
func.func @channels(%x: tensor<1x1x3xi8>) -> tensor<1x2x8xi32> {
  %f = nn.constant dense<[[[1, 2, 3, 4], [5, 6, 7, 8]]]> : tensor<1x2x4xi8>
  %b = nn.constant dense<[[10], [20]]> : tensor<2x1xi32>
  %y = nn.convolution_backprop_data %x, %f {strides = array<i64: 2>, pads_begin = array<i64: 0>, pads_end = array<i64: 0>, dilations = array<i64: 1>, output_padding = array<i64: 0>} : (tensor<1x1x3xi8>, tensor<1x2x4xi8>) -> tensor<1x2x8xi32>
  %z = nn.add %y, %b : (tensor<1x2x8xi32>, tensor<2x1xi32>) -> tensor<1x2x8xi32>
  func.return %z : tensor<1x2x8xi32>
}
// -----
// Channels of a depthwise convolution fill vectors anyway: each phase is a convolution, and their results interleave.
// CHECK-LABEL: @depthwise
// CHECK: nn.group_convolution
// CHECK: nn.group_convolution
// CHECK: nn.concat %{{.*}}, %{{.*}} {axis = 2 : i64} : (tensor<1x1000x1x64xf32>, tensor<1x1000x1x64xf32>) -> tensor<1x1000x2x64xf32>
func.func @depthwise(%x: tensor<1x64x999xf32>) -> tensor<1x64x2000xf32> {
  %f = nn.constant dense<1.5> : tensor<64x1x1x4xf32>
  %y = nn.group_convolution_backprop_data %x, %f {strides = array<i64: 2>, pads_begin = array<i64: 0>, pads_end = array<i64: 0>, dilations = array<i64: 1>, output_padding = array<i64: 0>} : (tensor<1x64x999xf32>, tensor<64x1x1x4xf32>) -> tensor<1x64x2000xf32>
  func.return %y : tensor<1x64x2000xf32>
}
// -----
// One whose filters lie side by side multiplies each element by its filter, and adds the bias of its channel.
// CHECK-LABEL: @scaled
// CHECK: [[X:%.*]] = nn.reshape %x, {{.*}} -> tensor<1x2x3x1x5x1xf32>
// CHECK: [[F:%.*]] = nn.constant dense<{{.*}}> : tensor<1x2x1x1x1x2xf32>
// CHECK: [[Y:%.*]] = nn.multiply [[X]], [[F]] : {{.*}} -> tensor<1x2x3x1x5x2xf32>
// CHECK: [[B:%.*]] = nn.constant dense<{{.*}}> : tensor<1x2x1x1x1x1xf32>
// CHECK: [[Z:%.*]] = nn.add [[Y]], [[B]]
// CHECK: nn.reshape [[Z]], {{.*}} -> tensor<1x2x3x10xf32>
// CHECK-NOT: nn.group_convolution
func.func @scaled(%x: tensor<1x2x3x5xf32>) -> tensor<1x2x3x10xf32> {
  %f = nn.constant dense<[[[[[1.0, 2.0]]]], [[[[3.0, 4.0]]]]]> : tensor<2x1x1x1x2xf32>
  %b = nn.constant dense<[[[5.0]], [[6.0]]]> : tensor<2x1x1xf32>
  %y = nn.group_convolution_backprop_data %x, %f {strides = array<i64: 1, 2>, pads_begin = array<i64: 0, 0>, pads_end = array<i64: 0, 0>, dilations = array<i64: 1, 1>, output_padding = array<i64: 0, 0>} : (tensor<1x2x3x5xf32>, tensor<2x1x1x1x2xf32>) -> tensor<1x2x3x10xf32>
  %z = nn.add %y, %b : (tensor<1x2x3x10xf32>, tensor<2x1x1xf32>) -> tensor<1x2x3x10xf32>
  func.return %z : tensor<1x2x3x10xf32>
}
// -----
// Outputs of padding are no such products.
// CHECK-LABEL: @padded
// CHECK: nn.group_convolution
func.func @padded(%x: tensor<1x2x5xf32>) -> tensor<1x2x10xf32> {
  %f = nn.constant dense<1.5> : tensor<2x1x1x2xf32>
  %y = nn.group_convolution_backprop_data %x, %f {strides = array<i64: 2>, pads_begin = array<i64: 1>, pads_end = array<i64: 0>, dilations = array<i64: 1>, output_padding = array<i64: 1>} : (tensor<1x2x5xf32>, tensor<2x1x1x2xf32>) -> tensor<1x2x10xf32>
  func.return %y : tensor<1x2x10xf32>
}
// -----
// Filters that are computed stay.
// CHECK-LABEL: @computed
// CHECK: nn.convolution_backprop_data
func.func @computed(%x: tensor<1x1x3xf32>, %f: tensor<1x1x4xf32>) -> tensor<1x1x8xf32> {
  %y = nn.convolution_backprop_data %x, %f {strides = array<i64: 2>, pads_begin = array<i64: 0>, pads_end = array<i64: 0>, dilations = array<i64: 1>, output_padding = array<i64: 0>} : (tensor<1x1x3xf32>, tensor<1x1x4xf32>) -> tensor<1x1x8xf32>
  func.return %y : tensor<1x1x8xf32>
}
// -----
// Of 4 taps on 4 inputs most see only padding: the convolution keeps it as its own, so that drop-padding-taps finds it.
// CHECK-LABEL: @padding
// CHECK-NOT: nn.pad
// CHECK: nn.convolution %x, %{{.*}} {strides = array<i64: 1, 1>, pads_begin = array<i64: 3, 3>, pads_end = array<i64: 3, 3>, dilations = array<i64: 1, 1>, pad_value = 3 : i64}
func.func @padding(%x: tensor<1x1x4x4xi8>) -> tensor<1x1x7x7xi32> {
  %f = nn.constant dense<1> : tensor<1x1x4x4xi8>
  %y = nn.convolution_backprop_data %x, %f {strides = array<i64: 1, 1>, pads_begin = array<i64: 0, 0>, pads_end = array<i64: 0, 0>, dilations = array<i64: 1, 1>, output_padding = array<i64: 0, 0>, zero_point = 3 : i64} : (tensor<1x1x4x4xi8>, tensor<1x1x4x4xi8>) -> tensor<1x1x7x7xi32>
  func.return %y : tensor<1x1x7x7xi32>
}
// -----
// Few do here: the input is padded.
// CHECK-LABEL: @little_padding
// CHECK: [[PADDED:%.*]] = nn.pad
// CHECK: nn.convolution [[PADDED]]
func.func @little_padding(%x: tensor<1x1x64xf32>) -> tensor<1x1x67xf32> {
  %f = nn.constant dense<1.0> : tensor<1x1x4xf32>
  %y = nn.convolution_backprop_data %x, %f {strides = array<i64: 1>, pads_begin = array<i64: 0>, pads_end = array<i64: 0>, dilations = array<i64: 1>, output_padding = array<i64: 0>} : (tensor<1x1x64xf32>, tensor<1x1x4xf32>) -> tensor<1x1x67xf32>
  func.return %y : tensor<1x1x67xf32>
}
