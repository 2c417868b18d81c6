// RUN: opt-tool %s --lpt-main | filecheck %s

// CHECK-LABEL: @per_tensor
// CHECK: [[A:%.*]], [[B:%.*]] = nn.split %q, %axis {nn.name = "split_original", num_splits = 2 : i64} : (tensor<2x4xui8>, tensor<i64>) -> (tensor<2x2xui8>, tensor<2x2xui8>)
// CHECK-NEXT: qnn.dequantize [[A]] scale <dense<0.5> : tensor<f32>> zero_point <dense<3> : tensor<ui8>> {nn.name = "split"}
// CHECK-NEXT: qnn.dequantize [[B]] scale <dense<0.5> : tensor<f32>> zero_point <dense<3> : tensor<ui8>> {nn.name = "split"}
func.func @per_tensor(%q: tensor<2x4xui8>) -> (tensor<2x2xf32>, tensor<2x2xf32>) {
  %axis = nn.constant dense<-1> : tensor<i64>
  %x = qnn.dequantize %q scale <dense<0.5> : tensor<f32>> zero_point <dense<3> : tensor<ui8>> : tensor<2x4xui8> -> tensor<2x4xf32>
  %a, %b = nn.split %x, %axis {num_splits = 2 : i64, nn.name = "split"} : (tensor<2x4xf32>, tensor<i64>) -> (tensor<2x2xf32>, tensor<2x2xf32>)
  func.return %a, %b : tensor<2x2xf32>, tensor<2x2xf32>
}

// Scales along the axis are split, those across it go to every part.
// CHECK-LABEL: @per_channel
// CHECK: [[A:%.*]], [[B:%.*]] = nn.split %q
// CHECK-NEXT: qnn.dequantize [[A]] scale <dense<[1.0, 2.0]> : tensor<2xf32>>
// CHECK-NEXT: qnn.dequantize [[B]] scale <dense<[3.0, 4.0]> : tensor<2xf32>>
// CHECK: [[A:%.*]], [[B:%.*]] = nn.split %p
// CHECK-NEXT: qnn.dequantize [[A]] scale <dense<{{\[\[1.0\], \[2.0\]\]}}> : tensor<2x1xf32>>
// CHECK-NEXT: qnn.dequantize [[B]] scale <dense<{{\[\[1.0\], \[2.0\]\]}}> : tensor<2x1xf32>>
func.func @per_channel(%q: tensor<4xi8>, %p: tensor<2x2xi8>) -> (tensor<2xf32>, tensor<2xf32>, tensor<2x1xf32>, tensor<2x1xf32>) {
  %axis = nn.constant dense<-1> : tensor<i64>
  %x = qnn.dequantize %q scale <dense<[1.0, 2.0, 3.0, 4.0]> : tensor<4xf32>> : tensor<4xi8> -> tensor<4xf32>
  %a, %b = nn.split %x, %axis {num_splits = 2 : i64} : (tensor<4xf32>, tensor<i64>) -> (tensor<2xf32>, tensor<2xf32>)
  %y = qnn.dequantize %p scale <dense<[[1.0], [2.0]]> : tensor<2x1xf32>> : tensor<2x2xi8> -> tensor<2x2xf32>
  %c, %d = nn.split %y, %axis {num_splits = 2 : i64} : (tensor<2x2xf32>, tensor<i64>) -> (tensor<2x1xf32>, tensor<2x1xf32>)
  func.return %a, %b, %c, %d : tensor<2xf32>, tensor<2xf32>, tensor<2x1xf32>, tensor<2x1xf32>
}

// CHECK-LABEL: @sum_of_products
// CHECK: nn.split {{.*}} {lpt.declined = "its input is the 32-bit sum of a product; it is dequantized in front of it"
func.func @sum_of_products(%q: tensor<4xi32>) -> (tensor<2xf32>, tensor<2xf32>) {
  %axis = nn.constant dense<0> : tensor<i64>
  %x = qnn.dequantize %q scale <dense<0.5> : tensor<f32>> : tensor<4xi32> -> tensor<4xf32>
  %a, %b = nn.split %x, %axis {num_splits = 2 : i64} : (tensor<4xf32>, tensor<i64>) -> (tensor<2xf32>, tensor<2xf32>)
  func.return %a, %b : tensor<2xf32>, tensor<2xf32>
}
