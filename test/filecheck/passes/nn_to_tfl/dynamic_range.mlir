// RUN: opt-tool %s --split-input-file --nn-to-tfl | filecheck %s

// A kernel with weights in codes finds the interval of each row itself.
// CHECK-LABEL: func.func @main
// CHECK:      [[W:%.*]] = "tfl.pseudo_const"() {{.*}} -> tensor<3x2x!quant.uniform
// CHECK-NOT:  tfl.round
// CHECK:      "tfl.fully_connected"(%x, [[W]], {{%.*}})
// CHECK-NEXT: func.return
func.func @main(%x: tensor<6x2xf32>) -> tensor<6x3xf32> {
  %codes = nn.constant dense<[[1, 2], [3, -4], [5, 6]]> : tensor<3x2xi8>
  %w = qnn.dequantize %codes scale <dense<0.5> : tensor<f32>> : tensor<3x2xi8> -> tensor<3x2xf32>
  %axis = nn.constant dense<[-1]> : tensor<1xi64>
  %most = nn.reduce_max %x, %axis {keep_dims = true} : (tensor<6x2xf32>, tensor<1xi64>) -> tensor<6x1xf32>
  %least = nn.constant dense<1.0e-30> : tensor<f32>
  %high = nn.maximum %most, %least : (tensor<6x1xf32>, tensor<f32>) -> tensor<6x1xf32>
  %zero = nn.constant dense<0.0> : tensor<f32>
  %m = nn.reduce_min %x, %axis {keep_dims = true} : (tensor<6x2xf32>, tensor<1xi64>) -> tensor<6x1xf32>
  %low = nn.minimum %m, %zero : (tensor<6x1xf32>, tensor<f32>) -> tensor<6x1xf32>
  %width = nn.subtract %high, %low : (tensor<6x1xf32>, tensor<6x1xf32>) -> tensor<6x1xf32>
  %share = nn.constant dense<0.003921569> : tensor<f32>
  %step = nn.multiply %width, %share : (tensor<6x1xf32>, tensor<f32>) -> tensor<6x1xf32>
  %n = nn.divide %low, %step : (tensor<6x1xf32>, tensor<6x1xf32>) -> tensor<6x1xf32>
  %whole = nn.round %n : tensor<6x1xf32>
  %first = nn.multiply %whole, %step : (tensor<6x1xf32>, tensor<6x1xf32>) -> tensor<6x1xf32>
  %steps = nn.constant dense<255.0> : tensor<f32>
  %all = nn.multiply %step, %steps : (tensor<6x1xf32>, tensor<f32>) -> tensor<6x1xf32>
  %last = nn.add %first, %all : (tensor<6x1xf32>, tensor<6x1xf32>) -> tensor<6x1xf32>
  %q = qnn.fake_quantize %x, %first, %last, %first, %last {levels = 256 : i64} : (tensor<6x2xf32>, tensor<6x1xf32>, tensor<6x1xf32>, tensor<6x1xf32>, tensor<6x1xf32>) -> tensor<6x2xf32>
  %y = nn.mat_mul %q, %w {transpose_b = true} : (tensor<6x2xf32>, tensor<3x2xf32>) -> tensor<6x3xf32>
  func.return %y : tensor<6x3xf32>
}

// -----

// From 0 on behind a relu.
// CHECK-LABEL: func.func @main
// CHECK:      [[W:%.*]] = "tfl.pseudo_const"() {{.*}} -> tensor<3x2x!quant.uniform
// CHECK:      [[R:%.*]] = "tfl.relu"(%x)
// CHECK:      "tfl.fully_connected"([[R]], [[W]], {{%.*}})
// CHECK-NEXT: func.return
func.func @main(%x: tensor<6x2xf32>) -> tensor<6x3xf32> {
  %codes = nn.constant dense<[[1, 2], [3, -4], [5, 6]]> : tensor<3x2xi8>
  %w = qnn.dequantize %codes scale <dense<0.5> : tensor<f32>> : tensor<3x2xi8> -> tensor<3x2xf32>
  %r = nn.relu %x : tensor<6x2xf32>
  %axis = nn.constant dense<[-1]> : tensor<1xi64>
  %most = nn.reduce_max %r, %axis {keep_dims = true} : (tensor<6x2xf32>, tensor<1xi64>) -> tensor<6x1xf32>
  %least = nn.constant dense<1.0e-30> : tensor<f32>
  %high = nn.maximum %most, %least : (tensor<6x1xf32>, tensor<f32>) -> tensor<6x1xf32>
  %zero = nn.constant dense<0.0> : tensor<f32>
  %q = qnn.fake_quantize %r, %zero, %high, %zero, %high {levels = 256 : i64} : (tensor<6x2xf32>, tensor<f32>, tensor<6x1xf32>, tensor<f32>, tensor<6x1xf32>) -> tensor<6x2xf32>
  %y = nn.mat_mul %q, %w {transpose_b = true} : (tensor<6x2xf32>, tensor<3x2xf32>) -> tensor<6x3xf32>
  func.return %y : tensor<6x3xf32>
}

// -----

// The interval leaves out what is below 0.
// CHECK-LABEL: func.func @main
// CHECK:      "tfl.round"
// CHECK:      "tfl.dequantize"
// CHECK:      "tfl.fully_connected"
func.func @main(%x: tensor<6x2xf32>) -> tensor<6x3xf32> {
  %codes = nn.constant dense<[[1, 2], [3, -4], [5, 6]]> : tensor<3x2xi8>
  %w = qnn.dequantize %codes scale <dense<0.5> : tensor<f32>> : tensor<3x2xi8> -> tensor<3x2xf32>
  %axis = nn.constant dense<[-1]> : tensor<1xi64>
  %most = nn.reduce_max %x, %axis {keep_dims = true} : (tensor<6x2xf32>, tensor<1xi64>) -> tensor<6x1xf32>
  %least = nn.constant dense<1.0e-30> : tensor<f32>
  %high = nn.maximum %most, %least : (tensor<6x1xf32>, tensor<f32>) -> tensor<6x1xf32>
  %zero = nn.constant dense<0.0> : tensor<f32>
  %m = nn.reduce_min %x, %axis {keep_dims = true} : (tensor<6x2xf32>, tensor<1xi64>) -> tensor<6x1xf32>
  %low = nn.maximum %m, %zero : (tensor<6x1xf32>, tensor<f32>) -> tensor<6x1xf32>
  %width = nn.subtract %high, %low : (tensor<6x1xf32>, tensor<6x1xf32>) -> tensor<6x1xf32>
  %share = nn.constant dense<0.003921569> : tensor<f32>
  %step = nn.multiply %width, %share : (tensor<6x1xf32>, tensor<f32>) -> tensor<6x1xf32>
  %n = nn.divide %low, %step : (tensor<6x1xf32>, tensor<6x1xf32>) -> tensor<6x1xf32>
  %whole = nn.round %n : tensor<6x1xf32>
  %first = nn.multiply %whole, %step : (tensor<6x1xf32>, tensor<6x1xf32>) -> tensor<6x1xf32>
  %steps = nn.constant dense<255.0> : tensor<f32>
  %all = nn.multiply %step, %steps : (tensor<6x1xf32>, tensor<f32>) -> tensor<6x1xf32>
  %last = nn.add %first, %all : (tensor<6x1xf32>, tensor<6x1xf32>) -> tensor<6x1xf32>
  %q = qnn.fake_quantize %x, %first, %last, %first, %last {levels = 256 : i64} : (tensor<6x2xf32>, tensor<6x1xf32>, tensor<6x1xf32>, tensor<6x1xf32>, tensor<6x1xf32>) -> tensor<6x2xf32>
  %y = nn.mat_mul %q, %w {transpose_b = true} : (tensor<6x2xf32>, tensor<3x2xf32>) -> tensor<6x3xf32>
  func.return %y : tensor<6x3xf32>
}

// -----

// A convolution's kernel finds the step of each image.
// CHECK-LABEL: func.func @main
// CHECK-NOT:  tfl.round
// CHECK:      "tfl.conv_2d"
// CHECK-NOT:  tfl.mul
// CHECK:      func.return
func.func @main(%x: tensor<1x2x2x4xf32>) -> tensor<1x3x2x4xf32> {
  %codes = nn.constant dense<[[[[1]], [[2]]], [[[3]], [[-4]]], [[[5]], [[6]]]]> : tensor<3x2x1x1xi8>
  %w = qnn.dequantize %codes scale <dense<0.5> : tensor<f32>> : tensor<3x2x1x1xi8> -> tensor<3x2x1x1xf32>
  %axes = nn.constant dense<[1, 2, 3]> : tensor<3xi64>
  %a = nn.abs %x : tensor<1x2x2x4xf32>
  %m = nn.reduce_max %a, %axes {keep_dims = true} : (tensor<1x2x2x4xf32>, tensor<3xi64>) -> tensor<1x1x1x1xf32>
  %least = nn.constant dense<1.0e-30> : tensor<f32>
  %last = nn.maximum %m, %least : (tensor<1x1x1x1xf32>, tensor<f32>) -> tensor<1x1x1x1xf32>
  %share = nn.constant dense<-1.007874> : tensor<f32>
  %first = nn.multiply %last, %share : (tensor<1x1x1x1xf32>, tensor<f32>) -> tensor<1x1x1x1xf32>
  %low = nn.constant dense<-128.0> : tensor<f32>
  %high = nn.constant dense<127.0> : tensor<f32>
  %q = qnn.fake_quantize %x, %first, %last, %low, %high {levels = 256 : i64} : (tensor<1x2x2x4xf32>, tensor<1x1x1x1xf32>, tensor<1x1x1x1xf32>, tensor<f32>, tensor<f32>) -> tensor<1x2x2x4xf32>
  %p = nn.convolution %q, %w {strides = array<i64: 1, 1>, pads_begin = array<i64: 0, 0>, pads_end = array<i64: 0, 0>, dilations = array<i64: 1, 1>} : (tensor<1x2x2x4xf32>, tensor<3x2x1x1xf32>) -> tensor<1x3x2x4xf32>
  %width = nn.constant dense<0.007874016> : tensor<f32>
  %step = nn.multiply %last, %width : (tensor<1x1x1x1xf32>, tensor<f32>) -> tensor<1x1x1x1xf32>
  %y = nn.multiply %p, %step : (tensor<1x3x2x4xf32>, tensor<1x1x1x1xf32>) -> tensor<1x3x2x4xf32>
  func.return %y : tensor<1x3x2x4xf32>
}

// -----

// The sums of steps are a result, too.
// CHECK-LABEL: func.func @main
// CHECK:      "tfl.round"
// CHECK:      "tfl.dequantize"
// CHECK:      "tfl.conv_2d"
// CHECK:      tfl.mul
func.func @main(%x: tensor<1x2x2x4xf32>) -> (tensor<1x3x2x4xf32>, tensor<1x3x2x4xf32>) {
  %codes = nn.constant dense<[[[[1]], [[2]]], [[[3]], [[-4]]], [[[5]], [[6]]]]> : tensor<3x2x1x1xi8>
  %w = qnn.dequantize %codes scale <dense<0.5> : tensor<f32>> : tensor<3x2x1x1xi8> -> tensor<3x2x1x1xf32>
  %axes = nn.constant dense<[1, 2, 3]> : tensor<3xi64>
  %a = nn.abs %x : tensor<1x2x2x4xf32>
  %m = nn.reduce_max %a, %axes {keep_dims = true} : (tensor<1x2x2x4xf32>, tensor<3xi64>) -> tensor<1x1x1x1xf32>
  %least = nn.constant dense<1.0e-30> : tensor<f32>
  %last = nn.maximum %m, %least : (tensor<1x1x1x1xf32>, tensor<f32>) -> tensor<1x1x1x1xf32>
  %share = nn.constant dense<-1.007874> : tensor<f32>
  %first = nn.multiply %last, %share : (tensor<1x1x1x1xf32>, tensor<f32>) -> tensor<1x1x1x1xf32>
  %low = nn.constant dense<-128.0> : tensor<f32>
  %high = nn.constant dense<127.0> : tensor<f32>
  %q = qnn.fake_quantize %x, %first, %last, %low, %high {levels = 256 : i64} : (tensor<1x2x2x4xf32>, tensor<1x1x1x1xf32>, tensor<1x1x1x1xf32>, tensor<f32>, tensor<f32>) -> tensor<1x2x2x4xf32>
  %p = nn.convolution %q, %w {strides = array<i64: 1, 1>, pads_begin = array<i64: 0, 0>, pads_end = array<i64: 0, 0>, dilations = array<i64: 1, 1>} : (tensor<1x2x2x4xf32>, tensor<3x2x1x1xf32>) -> tensor<1x3x2x4xf32>
  %width = nn.constant dense<0.007874016> : tensor<f32>
  %step = nn.multiply %last, %width : (tensor<1x1x1x1xf32>, tensor<f32>) -> tensor<1x1x1x1xf32>
  %y = nn.multiply %p, %step : (tensor<1x3x2x4xf32>, tensor<1x1x1x1xf32>) -> tensor<1x3x2x4xf32>
  func.return %y, %p : tensor<1x3x2x4xf32>, tensor<1x3x2x4xf32>
}
