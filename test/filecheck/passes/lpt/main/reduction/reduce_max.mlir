// RUN: opt-tool %s --lpt-main | filecheck %s

// CHECK-LABEL: @drops_the_dimension
// CHECK: [[Y:%.*]] = nn.reduce_max %q{{.*}}tensor<1x2xui8>
// CHECK-NEXT: qnn.dequantize [[Y]] scale <dense<{{\[\[0.5, 2.0\]\]}}> : tensor<1x2xf32>> zero_point <dense<3> : tensor<ui8>>
func.func @drops_the_dimension(%q: tensor<1x2x4xui8>) -> tensor<1x2xf32> {
  %a = nn.constant dense<[-1]> : tensor<1xi64>
  %x = qnn.dequantize %q scale <dense<[[[0.5], [2.0]]]> : tensor<1x2x1xf32>> zero_point <dense<3> : tensor<ui8>> : tensor<1x2x4xui8> -> tensor<1x2x4xf32>
  %y = nn.reduce_max %x, %a : (tensor<1x2x4xf32>, tensor<1xi64>) -> tensor<1x2xf32>
  func.return %y : tensor<1x2xf32>
}

// CHECK-LABEL: @keeps_the_dimension
// CHECK: [[Y:%.*]] = nn.reduce_max %q{{.*}}tensor<1x2x1xui8>
// CHECK-NEXT: qnn.dequantize [[Y]] scale <dense<{{\[\[\[0.5\], \[2.0\]\]\]}}> : tensor<1x2x1xf32>>
func.func @keeps_the_dimension(%q: tensor<1x2x4xui8>) -> tensor<1x2x1xf32> {
  %a = nn.constant dense<[2]> : tensor<1xi64>
  %x = qnn.dequantize %q scale <dense<[[[0.5], [2.0]]]> : tensor<1x2x1xf32>> : tensor<1x2x4xui8> -> tensor<1x2x4xf32>
  %y = nn.reduce_max %x, %a {keep_dims = true} : (tensor<1x2x4xf32>, tensor<1xi64>) -> tensor<1x2x1xf32>
  func.return %y : tensor<1x2x1xf32>
}

// CHECK-LABEL: @per_channel
// CHECK: nn.reduce_max {{.*}}lpt.declined = "its input is quantized per channel along dimension 1, which it rearranges; quantize it per tensor"
func.func @per_channel(%q: tensor<1x2x4xui8>) -> tensor<1x4xf32> {
  %a = nn.constant dense<[1]> : tensor<1xi64>
  %x = qnn.dequantize %q scale <dense<[[[0.5], [2.0]]]> : tensor<1x2x1xf32>> : tensor<1x2x4xui8> -> tensor<1x2x4xf32>
  %y = nn.reduce_max %x, %a : (tensor<1x2x4xf32>, tensor<1xi64>) -> tensor<1x4xf32>
  func.return %y : tensor<1x4xf32>
}

// CHECK-LABEL: @negative_scale
// CHECK: nn.reduce_max {{.*}}lpt.declined = "its input has a negative scale, which reverses the order of its codes"
func.func @negative_scale(%q: tensor<1x2x4xui8>) -> tensor<1x4xf32> {
  %a = nn.constant dense<[1]> : tensor<1xi64>
  %x = qnn.dequantize %q scale <dense<-0.5> : tensor<f32>> : tensor<1x2x4xui8> -> tensor<1x2x4xf32>
  %y = nn.reduce_max %x, %a : (tensor<1x2x4xf32>, tensor<1xi64>) -> tensor<1x4xf32>
  func.return %y : tensor<1x4xf32>
}
