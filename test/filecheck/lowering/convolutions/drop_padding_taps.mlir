// RUN: opt-tool %s --split-input-file --drop-padding-taps | filecheck %s

// The first and the last tap lie in the padding whatever the position: a convolution of one tap, without padding.
// CHECK-LABEL: @everywhere
// CHECK: [[F:%.*]] = nn.constant dense<[[[2]]]> : tensor<1x1x1xi8>
// CHECK: nn.convolution %{{.*}}, [[F]] {{.*}}pads_begin = array<i64: 0>{{.*}} : (tensor<1x1x4xi8>, tensor<1x1x1xi8>) -> tensor<1x1x4xi32>
// CHECK-NOT: nn.convolution
func.func @everywhere(%x: tensor<1x1x4xi8>) -> tensor<1x1x4xi32> {
  %f = nn.constant dense<[[[1, 2, 3]]]> : tensor<1x1x3xi8>
  %y = nn.convolution %x, %f {strides = array<i64: 1>, pads_begin = array<i64: 9>, pads_end = array<i64: 9>, dilations = array<i64: 9>} : (tensor<1x1x4xi8>, tensor<1x1x3xi8>) -> tensor<1x1x4xi32>
  func.return %y : tensor<1x1x4xi32>
}
// -----
// The first outputs need the last two taps, most the middle one, the last outputs the first two.
// CHECK-LABEL: @regions
// CHECK: [[LAST:%.*]] = nn.constant dense<[[[2, 3]]]> : tensor<1x1x2xi8>
// CHECK: nn.convolution %{{.*}}, [[LAST]] {{.*}} -> tensor<1x1x20xi32>
// CHECK: nn.relu
// CHECK: [[MIDDLE:%.*]] = nn.constant dense<[[[2]]]> : tensor<1x1x1xi8>
// CHECK: nn.convolution %{{.*}}, [[MIDDLE]] {{.*}} -> tensor<1x1x60xi32>
// CHECK: nn.relu
// CHECK: [[FIRST:%.*]] = nn.constant dense<[[[1, 2]]]> : tensor<1x1x2xi8>
// CHECK: nn.convolution %{{.*}}, [[FIRST]] {{.*}} -> tensor<1x1x20xi32>
// CHECK: nn.relu
// CHECK: nn.concat %{{.*}} {axis = 1 : i64} : {{.*}} -> tensor<1x100x1xi32>
func.func @regions(%x: tensor<1x1x100xi8>) -> tensor<1x1x100xi32> {
  %f = nn.constant dense<[[[1, 2, 3]]]> : tensor<1x1x3xi8>
  %y = nn.convolution %x, %f {strides = array<i64: 1>, pads_begin = array<i64: 80>, pads_end = array<i64: 80>, dilations = array<i64: 80>} : (tensor<1x1x100xi8>, tensor<1x1x3xi8>) -> tensor<1x1x100xi32>
  %z = nn.relu %y : tensor<1x1x100xi32>
  func.return %z : tensor<1x1x100xi32>
}
// -----
// Borders of one output are no regions.
// CHECK-LABEL: @small
// CHECK: nn.convolution %x, %f
func.func @small(%x: tensor<1x1x100xi8>) -> tensor<1x1x100xi32> {
  %f = nn.constant dense<[[[1, 2, 3]]]> : tensor<1x1x3xi8>
  %y = nn.convolution %x, %f {strides = array<i64: 1>, pads_begin = array<i64: 1>, pads_end = array<i64: 1>, dilations = array<i64: 1>} : (tensor<1x1x100xi8>, tensor<1x1x3xi8>) -> tensor<1x1x100xi32>
  func.return %y : tensor<1x1x100xi32>
}
// -----
// Taps that read a zero point around the input are a number for each channel.
// CHECK-LABEL: @zero_point
// CHECK: [[F:%.*]] = nn.constant dense<{{\[\[\[}}2{{\]\]}}, {{\[\[}}-1{{\]\]\]}}> : tensor<2x1x1xi8>
// CHECK: [[SUM:%.*]] = nn.convolution %x, [[F]] {{.*}}pads_begin = array<i64: 0>{{.*}} -> tensor<1x2x4xi32>
// CHECK: [[REST:%.*]] = nn.constant dense<{{\[\[\[}}20{{\]}}, {{\[}}-40{{\]\]\]}}> : tensor<1x2x1xi32>
// CHECK: nn.add [[SUM]], [[REST]]
func.func @zero_point(%x: tensor<1x1x4xi8>) -> tensor<1x2x4xi32> {
  %f = nn.constant dense<[[[1, 2, 3]], [[-3, -1, -5]]]> : tensor<2x1x3xi8>
  %y = nn.convolution %x, %f {strides = array<i64: 1>, pads_begin = array<i64: 9>, pads_end = array<i64: 9>, dilations = array<i64: 9>, pad_value = 5 : i64} : (tensor<1x1x4xi8>, tensor<2x1x3xi8>) -> tensor<1x2x4xi32>
  func.return %y : tensor<1x2x4xi32>
}
// -----
// Filters that are computed stay.
// CHECK-LABEL: @computed
// CHECK: nn.convolution %x, %f
func.func @computed(%x: tensor<1x1x4xf32>, %f: tensor<1x1x3xf32>) -> tensor<1x1x4xf32> {
  %y = nn.convolution %x, %f {strides = array<i64: 1>, pads_begin = array<i64: 9>, pads_end = array<i64: 9>, dilations = array<i64: 9>} : (tensor<1x1x4xf32>, tensor<1x1x3xf32>) -> tensor<1x1x4xf32>
  func.return %y : tensor<1x1x4xf32>
}
// -----
// What an infinite tap makes of 0 is no number: it stays, as do the others.
// CHECK-LABEL: @infinite
// CHECK: nn.convolution %x, %f {{.*}} : (tensor<1x1x4xf32>, tensor<1x1x3xf32>)
func.func @infinite(%x: tensor<1x1x4xf32>) -> tensor<1x1x4xf32> {
  %f = nn.constant dense<[[[1.0, 2.0, 0x7F800000]]]> : tensor<1x1x3xf32>
  %y = nn.convolution %x, %f {strides = array<i64: 1>, pads_begin = array<i64: 9>, pads_end = array<i64: 9>, dilations = array<i64: 9>} : (tensor<1x1x4xf32>, tensor<1x1x3xf32>) -> tensor<1x1x4xf32>
  func.return %y : tensor<1x1x4xf32>
}
// -----
// CHECK-LABEL: @finite
// CHECK: nn.convolution %{{.*}} : (tensor<1x1x4xf32>, tensor<1x1x1xf32>)
func.func @finite(%x: tensor<1x1x4xf32>) -> tensor<1x1x4xf32> {
  %f = nn.constant dense<[[[1.0, 2.0, 3.0]]]> : tensor<1x1x3xf32>
  %y = nn.convolution %x, %f {strides = array<i64: 1>, pads_begin = array<i64: 9>, pads_end = array<i64: 9>, dilations = array<i64: 9>} : (tensor<1x1x4xf32>, tensor<1x1x3xf32>) -> tensor<1x1x4xf32>
  func.return %y : tensor<1x1x4xf32>
}
// -----
// Of volumes whose planes Winograd's algorithm may compute, regions are planes: each of the two needs two of three.
// CHECK-LABEL: @planes
// CHECK-COUNT-2: nn.convolution %{{.*}} : (tensor<1x16x2x42x42xf32>, tensor<16x16x2x3x3xf32>) -> tensor<1x16x1x40x40xf32>
// CHECK-NOT: nn.convolution
func.func @planes(%x: tensor<1x16x2x40x40xf32>) -> tensor<1x16x2x40x40xf32> {
  %f = nn.constant dense<1.0> : tensor<16x16x3x3x3xf32>
  %y = nn.convolution %x, %f {strides = array<i64: 1, 1, 1>, pads_begin = array<i64: 1, 1, 1>, pads_end = array<i64: 1, 1, 1>, dilations = array<i64: 1, 1, 1>} : (tensor<1x16x2x40x40xf32>, tensor<16x16x3x3x3xf32>) -> tensor<1x16x2x40x40xf32>
  func.return %y : tensor<1x16x2x40x40xf32>
}
// -----
// Of fewer channels, the kernel leaves out the taps that see only zeros: there are no regions.
// CHECK-LABEL: @few_channels
// CHECK: nn.convolution %x, %f
func.func @few_channels(%x: tensor<1x15x2x2x2xf32>) -> tensor<1x16x2x2x2xf32> {
  %f = nn.constant dense<1.0> : tensor<16x15x3x3x3xf32>
  %y = nn.convolution %x, %f {strides = array<i64: 1, 1, 1>, pads_begin = array<i64: 1, 1, 1>, pads_end = array<i64: 1, 1, 1>, dilations = array<i64: 1, 1, 1>} : (tensor<1x15x2x2x2xf32>, tensor<16x15x3x3x3xf32>) -> tensor<1x16x2x2x2xf32>
  func.return %y : tensor<1x16x2x2x2xf32>
}
// -----
// Nearest miss: signed codes may be read as unsigned ones, and their zeros are none then.
// CHECK-LABEL: @signed_codes
// CHECK-COUNT-8: nn.convolution %{{.*}} : (tensor<8x15x2x2x2xi8>, tensor<16x15x2x2x2xi8>) -> tensor<8x16x1x1x1xi32>
func.func @signed_codes(%x: tensor<8x15x2x2x2xi8>) -> tensor<8x16x2x2x2xi32> {
  %f = nn.constant dense<1> : tensor<16x15x3x3x3xi8>
  %y = nn.convolution %x, %f {strides = array<i64: 1, 1, 1>, pads_begin = array<i64: 1, 1, 1>, pads_end = array<i64: 1, 1, 1>, dilations = array<i64: 1, 1, 1>} : (tensor<8x15x2x2x2xi8>, tensor<16x15x3x3x3xi8>) -> tensor<8x16x2x2x2xi32>
  func.return %y : tensor<8x16x2x2x2xi32>
}
// -----
// A depthwise convolution has no regions.
// CHECK-LABEL: @depthwise
// CHECK: nn.group_convolution %x, %f
func.func @depthwise(%x: tensor<1x2x100xf32>) -> tensor<1x2x100xf32> {
  %f = nn.constant dense<1.0> : tensor<2x1x1x3xf32>
  %y = nn.group_convolution %x, %f {strides = array<i64: 1>, pads_begin = array<i64: 80>, pads_end = array<i64: 80>, dilations = array<i64: 80>} : (tensor<1x2x100xf32>, tensor<2x1x1x3xf32>) -> tensor<1x2x100xf32>
  func.return %y : tensor<1x2x100xf32>
}
// -----
// But taps that see only padding for all outputs are dropped.
// CHECK-LABEL: @depthwise_everywhere
// CHECK: nn.group_convolution %{{.*}} : (tensor<1x2x4xf32>, tensor<2x1x1x1xf32>) -> tensor<1x2x4xf32>
func.func @depthwise_everywhere(%x: tensor<1x2x4xf32>) -> tensor<1x2x4xf32> {
  %f = nn.constant dense<1.0> : tensor<2x1x1x3xf32>
  %y = nn.group_convolution %x, %f {strides = array<i64: 1>, pads_begin = array<i64: 9>, pads_end = array<i64: 9>, dilations = array<i64: 9>} : (tensor<1x2x4xf32>, tensor<2x1x1x3xf32>) -> tensor<1x2x4xf32>
  func.return %y : tensor<1x2x4xf32>
}
// -----
// Nearest miss: with two channels in each group, there are three regions.
// CHECK-LABEL: @two_channels_in_a_group
// CHECK-COUNT-3: nn.group_convolution
// CHECK-NOT: nn.group_convolution
func.func @two_channels_in_a_group(%x: tensor<1x4x100xf32>) -> tensor<1x4x100xf32> {
  %f = nn.constant dense<1.0> : tensor<2x2x2x3xf32>
  %y = nn.group_convolution %x, %f {strides = array<i64: 1>, pads_begin = array<i64: 80>, pads_end = array<i64: 80>, dilations = array<i64: 80>} : (tensor<1x4x100xf32>, tensor<2x2x2x3xf32>) -> tensor<1x4x100xf32>
  func.return %y : tensor<1x4x100xf32>
}
