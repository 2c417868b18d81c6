// RUN: opt-tool %s --split-input-file --nn-to-tfl | filecheck %s

// A kernel with weights in codes finds the step of each row itself.
// CHECK:      [[W:%.*]] = "tfl.pseudo_const"() {{.*}} -> tensor<3x2x!quant.uniform
// CHECK-NOT:  tfl.round
// CHECK:      "tfl.fully_connected"(%x, [[W]], {{%.*}})
// CHECK-NEXT: func.return
func.func @main(%x: tensor<6x2xf32>) -> tensor<6x3xf32> {
  %codes = nn.constant dense<[[1, 2], [3, -4], [5, 6]]> : tensor<3x2xi8>
  %w = qnn.dequantize %codes scale <dense<0.5> : tensor<f32>> : tensor<3x2xi8> -> tensor<3x2xf32>
  %axis = nn.constant dense<[-1]> : tensor<1xi64>
  %a = nn.abs %x : tensor<6x2xf32>
  %m = nn.reduce_max %a, %axis {keep_dims = true} : (tensor<6x2xf32>, tensor<1xi64>) -> tensor<6x1xf32>
  %least = nn.constant dense<1.0e-30> : tensor<f32>
  %last = nn.maximum %m, %least : (tensor<6x1xf32>, tensor<f32>) -> tensor<6x1xf32>
  %share = nn.constant dense<-1.007874> : tensor<f32>
  %first = nn.multiply %last, %share : (tensor<6x1xf32>, tensor<f32>) -> tensor<6x1xf32>
  %low = nn.constant dense<-128.0> : tensor<f32>
  %high = nn.constant dense<127.0> : tensor<f32>
  %q = qnn.fake_quantize %x, %first, %last, %low, %high {levels = 256 : i64} : (tensor<6x2xf32>, tensor<6x1xf32>, tensor<6x1xf32>, tensor<f32>, tensor<f32>) -> tensor<6x2xf32>
  %p = nn.mat_mul %q, %w {transpose_b = true} : (tensor<6x2xf32>, tensor<3x2xf32>) -> tensor<6x3xf32>
  %width = nn.constant dense<0.007874016> : tensor<f32>
  %step = nn.multiply %last, %width : (tensor<6x1xf32>, tensor<f32>) -> tensor<6x1xf32>
  %y = nn.multiply %p, %step : (tensor<6x3xf32>, tensor<6x1xf32>) -> tensor<6x3xf32>
  func.return %y : tensor<6x3xf32>
}

// -----

// The sums of steps are a result, too.
// CHECK:      "tfl.round"
// CHECK:      "tfl.dequantize"
// CHECK:      "tfl.fully_connected"
// CHECK:      "tfl.mul"
func.func @main(%x: tensor<6x2xf32>) -> (tensor<6x3xf32>, tensor<6x3xf32>) {
  %codes = nn.constant dense<[[1, 2], [3, -4], [5, 6]]> : tensor<3x2xi8>
  %w = qnn.dequantize %codes scale <dense<0.5> : tensor<f32>> : tensor<3x2xi8> -> tensor<3x2xf32>
  %axis = nn.constant dense<[-1]> : tensor<1xi64>
  %a = nn.abs %x : tensor<6x2xf32>
  %m = nn.reduce_max %a, %axis {keep_dims = true} : (tensor<6x2xf32>, tensor<1xi64>) -> tensor<6x1xf32>
  %least = nn.constant dense<1.0e-30> : tensor<f32>
  %last = nn.maximum %m, %least : (tensor<6x1xf32>, tensor<f32>) -> tensor<6x1xf32>
  %share = nn.constant dense<-1.007874> : tensor<f32>
  %first = nn.multiply %last, %share : (tensor<6x1xf32>, tensor<f32>) -> tensor<6x1xf32>
  %low = nn.constant dense<-128.0> : tensor<f32>
  %high = nn.constant dense<127.0> : tensor<f32>
  %q = qnn.fake_quantize %x, %first, %last, %low, %high {levels = 256 : i64} : (tensor<6x2xf32>, tensor<6x1xf32>, tensor<6x1xf32>, tensor<f32>, tensor<f32>) -> tensor<6x2xf32>
  %p = nn.mat_mul %q, %w {transpose_b = true} : (tensor<6x2xf32>, tensor<3x2xf32>) -> tensor<6x3xf32>
  %width = nn.constant dense<0.007874016> : tensor<f32>
  %step = nn.multiply %last, %width : (tensor<6x1xf32>, tensor<f32>) -> tensor<6x1xf32>
  %y = nn.multiply %p, %step : (tensor<6x3xf32>, tensor<6x1xf32>) -> tensor<6x3xf32>
  func.return %y, %p : tensor<6x3xf32>, tensor<6x3xf32>
}
