// RUN: opt-tool %s --legalize-tf-to-nn --allow-unregistered-dialect --split-input-file | filecheck %s

// CHECK-LABEL: @greatest
// CHECK: nn.max_pool {{.*}}strides = array<i64: 2, 1>, {{.*}}auto_pad = "same_upper", kernel = array<i64: 3, 2>} : tensor<1x3x7x?xf32>
// CHECK: func.return {{.*}} : tensor<1x4x?x3xf32>
func.func @greatest(%x: tensor<1x7x?x3xf32>) -> tensor<*xf32> {
  %y = "tf.MaxPool"(%x) {ksize = [1, 3, 2, 1], strides = [1, 2, 1, 1], padding = "SAME", data_format = "NHWC", explicit_paddings = []} : (tensor<1x7x?x3xf32>) -> tensor<*xf32>
  func.return %y : tensor<*xf32>
}

// -----

// CHECK-LABEL: @explicit
// CHECK: nn.max_pool {{.*}}pads_begin = array<i64: 1, 0>, pads_end = array<i64: 2, 1>, kernel
// CHECK: func.return {{.*}} : tensor<1x4x4x3xf32>
func.func @explicit(%x: tensor<1x7x7x3xf32>) -> tensor<*xf32> {
  %y = "tf.MaxPool"(%x) {ksize = [1, 3, 2, 1], strides = [1, 2, 2, 1], padding = "EXPLICIT", explicit_paddings = [0, 0, 1, 2, 0, 1, 0, 0]} : (tensor<1x7x7x3xf32>) -> tensor<*xf32>
  func.return %y : tensor<*xf32>
}

// -----

// Padding is no part of a mean.
// CHECK-LABEL: @mean
// CHECK: nn.avg_pool %x {{.*}}kernel = array<i64: 3, 2>, exclude_pad = true}
// CHECK: func.return {{.*}} : tensor<1x3x4x4xf32>
func.func @mean(%x: tensor<1x3x7x7xf32>) -> tensor<*xf32> {
  %y = "tf.AvgPool"(%x) {ksize = [1, 1, 3, 2], strides = [1, 1, 2, 2], padding = "SAME", data_format = "NCHW"} : (tensor<1x3x7x7xf32>) -> tensor<*xf32>
  func.return %y : tensor<*xf32>
}

// -----

// CHECK-LABEL: @volume
// CHECK: nn.avg_pool {{.*}}auto_pad = "valid", kernel = array<i64: 2, 3, 1>, exclude_pad = true}
// CHECK: func.return {{.*}} : tensor<1x3x2x6x2xf32>
func.func @volume(%x: tensor<1x4x5x6x2xf32>) -> tensor<*xf32> {
  %y = "tf.AvgPool3D"(%x) {ksize = [1, 2, 3, 1, 1], strides = [1, 1, 2, 1, 1], padding = "VALID", data_format = "NDHWC"} : (tensor<1x4x5x6x2xf32>) -> tensor<*xf32>
  func.return %y : tensor<*xf32>
}
