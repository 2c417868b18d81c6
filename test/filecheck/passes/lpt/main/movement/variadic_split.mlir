// RUN: opt-tool %s --lpt-main | filecheck %s

// CHECK-LABEL: @per_channel
// CHECK: [[Y:%.*]], [[Z:%.*]] = nn.variadic_split %q
// CHECK-NEXT: qnn.dequantize [[Y]] scale <dense<1.0> : tensor<f32>>
// CHECK-NEXT: qnn.dequantize [[Z]] scale <dense<{{\[\[2.0, 3.0\]\]}}> : tensor<1x2xf32>>
func.func @per_channel(%q: tensor<1x3xui8>) -> (tensor<1x1xf32>, tensor<1x2xf32>) {
  %a = nn.constant dense<1> : tensor<i64>
  %l = nn.constant dense<[1, -1]> : tensor<2xi64>
  %x = qnn.dequantize %q scale <dense<[1.0, 2.0, 3.0]> : tensor<3xf32>> : tensor<1x3xui8> -> tensor<1x3xf32>
  %y, %z = nn.variadic_split %x, %a, %l : (tensor<1x3xf32>, tensor<i64>, tensor<2xi64>) -> (tensor<1x1xf32>, tensor<1x2xf32>)
  func.return %y, %z : tensor<1x1xf32>, tensor<1x2xf32>
}

// CHECK-LABEL: @unknown_parts
// CHECK: nn.variadic_split %q, 
func.func @unknown_parts(%q: tensor<1x3xui8>, %l: tensor<2xi64>) -> (tensor<1x?xf32>, tensor<1x?xf32>) {
  %a = nn.constant dense<1> : tensor<i64>
  %x = qnn.dequantize %q scale <dense<0.5> : tensor<f32>> : tensor<1x3xui8> -> tensor<1x3xf32>
  %y, %z = nn.variadic_split %x, %a, %l : (tensor<1x3xf32>, tensor<i64>, tensor<2xi64>) -> (tensor<1x?xf32>, tensor<1x?xf32>)
  func.return %y, %z : tensor<1x?xf32>, tensor<1x?xf32>
}

// CHECK-LABEL: @unknown_parts_per_channel
// CHECK: nn.variadic_split {{.*}}lpt.declined = "its input is quantized per channel along parts of unknown size; fix split_lengths"
func.func @unknown_parts_per_channel(%q: tensor<1x3xui8>, %l: tensor<2xi64>) -> (tensor<1x?xf32>, tensor<1x?xf32>) {
  %a = nn.constant dense<1> : tensor<i64>
  %x = qnn.dequantize %q scale <dense<[1.0, 2.0, 3.0]> : tensor<3xf32>> : tensor<1x3xui8> -> tensor<1x3xf32>
  %y, %z = nn.variadic_split %x, %a, %l : (tensor<1x3xf32>, tensor<i64>, tensor<2xi64>) -> (tensor<1x?xf32>, tensor<1x?xf32>)
  func.return %y, %z : tensor<1x?xf32>, tensor<1x?xf32>
}
