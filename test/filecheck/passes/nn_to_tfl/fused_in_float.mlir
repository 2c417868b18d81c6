// RUN: opt-tool %s --split-input-file --nn-to-tfl | filecheck %s

// A normalization behind a convolution is its weights and bias, an activation what it does besides.

// CHECK-LABEL: func.func @main
// CHECK-SAME:    -> (tensor<1x2x2x2xf32> {{.*}}, tensor<1x2x2x2xf32> {{.*}}, tensor<1x3xf32> {{.*}})
func.func @main(%x: tensor<1x1x2x2xf32>, %v: tensor<1x2xf32>)
    -> (tensor<1x2x2x2xf32>, tensor<1x2x2x2xf32>, tensor<1x3xf32>) {
  %w = nn.constant dense<[[[[2.0]]], [[[3.0]]]]> : tensor<2x1x1x1xf32>
  %scale = nn.constant dense<[[[10.0]], [[100.0]]]> : tensor<2x1x1xf32>
  %shift = nn.constant dense<[[[5.0]], [[7.0]]]> : tensor<2x1x1xf32>
  %y = nn.convolution %x, %w {strides = array<i64: 1, 1>, pads_begin = array<i64: 0, 0>, pads_end = array<i64: 0, 0>,
    dilations = array<i64: 1, 1>} : (tensor<1x1x2x2xf32>, tensor<2x1x1x1xf32>) -> tensor<1x2x2x2xf32>
  %b = nn.add %y, %shift : (tensor<1x2x2x2xf32>, tensor<2x1x1xf32>) -> tensor<1x2x2x2xf32>
  %n = nn.multiply %b, %scale : (tensor<1x2x2x2xf32>, tensor<2x1x1xf32>) -> tensor<1x2x2x2xf32>
  // CHECK:      #nn.blob<dense<{{\[\[\[\[}}20.0]]], {{\[\[\[}}300.0]]]]>
  // CHECK:      #nn.blob<dense<[50.0, 700.0]>
  // CHECK:      "tfl.conv_2d"
  // CHECK-SAME:   fused_activation_function = "RELU"
  // CHECK-NOT:  "tfl.relu"
  %r = nn.relu %n : tensor<1x2x2x2xf32>

  // What is read before its activation, too, keeps it behind; what differs along a row is no factor of outputs.
  // CHECK:      "tfl.conv_2d"
  // CHECK-SAME:   fused_activation_function = "NONE"
  // CHECK:      "tfl.mul"
  // CHECK-SAME:   fused_activation_function = "RELU6"
  %z = nn.convolution %x, %w {strides = array<i64: 1, 1>, pads_begin = array<i64: 0, 0>, pads_end = array<i64: 0, 0>,
    dilations = array<i64: 1, 1>} : (tensor<1x1x2x2xf32>, tensor<2x1x1x1xf32>) -> tensor<1x2x2x2xf32>
  %row = nn.constant dense<[2.0, 4.0]> : tensor<2xf32>
  %m = nn.multiply %z, %row : (tensor<1x2x2x2xf32>, tensor<2xf32>) -> tensor<1x2x2x2xf32>
  %c = nn.clamp %m {min = 0.0 : f64, max = 6.0 : f64} : tensor<1x2x2x2xf32>

  // CHECK:      "tfl.fully_connected"
  // CHECK-NOT:  "tfl.add"
  %k = nn.constant dense<[[1.0, 2.0, 3.0], [4.0, 5.0, 6.0]]> : tensor<2x3xf32>
  %one = nn.constant dense<1.0> : tensor<f32>
  %f = nn.mat_mul %v, %k : (tensor<1x2xf32>, tensor<2x3xf32>) -> tensor<1x3xf32>
  %g = nn.add %f, %one : (tensor<1x3xf32>, tensor<f32>) -> tensor<1x3xf32>
  func.return %r, %c, %g : tensor<1x2x2x2xf32>, tensor<1x2x2x2xf32>, tensor<1x3xf32>
}

// -----

// A bias behind a reshape goes before it where it is one for each output; zeros are none.
// CHECK-LABEL: func.func @main
// CHECK:      [[B:%.*]] = "tfl.pseudo_const"() <{value = #nn.blob<dense<[7.0, 8.0]>
// CHECK:      "tfl.fully_connected"(%x, {{%.*}}, [[B]])
// CHECK-NOT:  "tfl.add"
// CHECK:      "tfl.reshape"
// CHECK:      "tfl.reshape"
// CHECK:      "tfl.add"
func.func @main(%x: tensor<2x2xf32>) -> (tensor<2x1x2xf32>, tensor<4xf32>) {
  %w = nn.constant dense<[[1.0, 2.0], [3.0, 4.0]]> : tensor<2x2xf32>
  %b = nn.constant dense<[[[7.0, 8.0]]]> : tensor<1x1x2xf32>
  %zero = nn.constant dense<0.0> : tensor<2xf32>
  %y = nn.mat_mul %x, %w : (tensor<2x2xf32>, tensor<2x2xf32>) -> tensor<2x2xf32>
  %shape = nn.constant dense<[2, 1, 2]> : tensor<3xi64>
  %r = nn.reshape %y, %shape : (tensor<2x2xf32>, tensor<3xi64>) -> tensor<2x1x2xf32>
  %z = nn.add %r, %b : (tensor<2x1x2xf32>, tensor<1x1x2xf32>) -> tensor<2x1x2xf32>
  %n = nn.add %z, %zero : (tensor<2x1x2xf32>, tensor<2xf32>) -> tensor<2x1x2xf32>
  %v = nn.constant dense<[[1.0, 2.0], [5.0, 6.0]]> : tensor<2x2xf32>
  %line = nn.constant dense<[4]> : tensor<1xi64>
  %along = nn.constant dense<[1.0, 2.0, 3.0, 4.0]> : tensor<4xf32>
  %p = nn.mat_mul %x, %v : (tensor<2x2xf32>, tensor<2x2xf32>) -> tensor<2x2xf32>
  %s = nn.reshape %p, %line : (tensor<2x2xf32>, tensor<1xi64>) -> tensor<4xf32>
  %t = nn.add %s, %along : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
  func.return %n, %t : tensor<2x1x2xf32>, tensor<4xf32>
}
