// RUN: opt-tool %s --lpt-main | filecheck %s

// CHECK-LABEL: @one_scale
// CHECK-NEXT: [[Y:%.*]] = nn.concat %p, %q {axis = 0 : i64} : (tensor<2xui8>, tensor<4xui8>) -> tensor<6xui8>
// CHECK-NEXT: qnn.dequantize [[Y]] scale <dense<0.5> : tensor<f32>> zero_point <dense<3> : tensor<ui8>>
func.func @one_scale(%p: tensor<2xui8>, %q: tensor<4xui8>) -> tensor<6xf32> {
  %x = qnn.dequantize %p scale <dense<0.5> : tensor<f32>> zero_point <dense<3> : tensor<ui8>> : tensor<2xui8> -> tensor<2xf32>
  %y = qnn.dequantize %q scale <dense<0.5> : tensor<f32>> zero_point <dense<3> : tensor<ui8>> : tensor<4xui8> -> tensor<4xf32>
  %z = nn.concat %x, %y {axis = 0 : i64} : (tensor<2xf32>, tensor<4xf32>) -> tensor<6xf32>
  func.return %z : tensor<6xf32>
}

// A scale for each input, or for each of its channels; one has no zero point.
// CHECK-LABEL: @scale_for_each
// CHECK-NEXT: [[Y:%.*]] = nn.concat %p, %q {axis = -1 : i64}
// CHECK-NEXT: qnn.dequantize [[Y]] scale <dense<{{\[\[0.5, 0.5, 0.25, 0.125\]\]}}> : tensor<1x4xf32>> zero_point <dense<{{\[\[3, 3, 0, 0\]\]}}> : tensor<1x4xui8>>
func.func @scale_for_each(%p: tensor<1x2xui8>, %q: tensor<1x2xui8>) -> tensor<1x4xf32> {
  %x = qnn.dequantize %p scale <dense<0.5> : tensor<f32>> zero_point <dense<3> : tensor<ui8>> : tensor<1x2xui8> -> tensor<1x2xf32>
  %y = qnn.dequantize %q scale <dense<[0.25, 0.125]> : tensor<2xf32>> : tensor<1x2xui8> -> tensor<1x2xf32>
  %z = nn.concat %x, %y {axis = -1 : i64} : (tensor<1x2xf32>, tensor<1x2xf32>) -> tensor<1x4xf32>
  func.return %z : tensor<1x4xf32>
}

// The same codes would mean other values in another type.
// CHECK-LABEL: @other_type
// CHECK: nn.concat {{.*}}lpt.declined = "its inputs have codes of ui8 and i8; put one FakeQuantize behind it, which lpt moves in front of it"
func.func @other_type(%p: tensor<2xui8>, %q: tensor<4xi8>) -> tensor<6xf32> {
  %x = qnn.dequantize %p scale <dense<0.5> : tensor<f32>> : tensor<2xui8> -> tensor<2xf32>
  %y = qnn.dequantize %q scale <dense<0.5> : tensor<f32>> : tensor<4xi8> -> tensor<4xf32>
  %z = nn.concat %x, %y {axis = 0 : i64} : (tensor<2xf32>, tensor<4xf32>) -> tensor<6xf32>
  func.return %z : tensor<6xf32>
}

// Scales along another dimension repeat along the one that is joined.
// CHECK-LABEL: @other_dimension
// CHECK-NEXT: nn.concat %p, %q {{.*}} -> tensor<4x2xui8>
// CHECK-NEXT: qnn.dequantize {{.*}} scale <dense<{{\[\[}}0.5, 0.5], [0.5, 0.5], [0.25, 0.125], [0.25, 0.125]]> : tensor<4x2xf32>>
func.func @other_dimension(%p: tensor<2x2xui8>, %q: tensor<2x2xui8>) -> tensor<4x2xf32> {
  %x = qnn.dequantize %p scale <dense<0.5> : tensor<f32>> : tensor<2x2xui8> -> tensor<2x2xf32>
  %y = qnn.dequantize %q scale <dense<[0.25, 0.125]> : tensor<2xf32>> : tensor<2x2xui8> -> tensor<2x2xf32>
  %z = nn.concat %x, %y {axis = 0 : i64} : (tensor<2x2xf32>, tensor<2x2xf32>) -> tensor<4x2xf32>
  func.return %z : tensor<4x2xf32>
}

// The same scales stay as they are.
// CHECK-LABEL: @same_in_another_dimension
// CHECK-NEXT: nn.concat %p, %q {{.*}} -> tensor<4x2xui8>
// CHECK-NEXT: qnn.dequantize {{.*}} scale <dense<{{.*}}0.25, 0.125]{{.*}}> : tensor<1x2xf32>>
func.func @same_in_another_dimension(%p: tensor<2x2xui8>, %q: tensor<2x2xui8>) -> tensor<4x2xf32> {
  %x = qnn.dequantize %p scale <dense<[0.25, 0.125]> : tensor<2xf32>> : tensor<2x2xui8> -> tensor<2x2xf32>
  %y = qnn.dequantize %q scale <dense<[0.25, 0.125]> : tensor<2xf32>> : tensor<2x2xui8> -> tensor<2x2xf32>
  %z = nn.concat %x, %y {axis = 0 : i64} : (tensor<2x2xf32>, tensor<2x2xf32>) -> tensor<4x2xf32>
  func.return %z : tensor<4x2xf32>
}

// Weights stay constants when their parts change places, as the gates of a recurrent layer do.
// CHECK-LABEL: @weights
// CHECK-NEXT: nn.constant dense<[3, 4, 1, 2]> : tensor<4xi8>
// CHECK-NEXT: qnn.dequantize {{.*}} scale <dense<[0.25, 0.125, 0.5, 1.0]> : tensor<4xf32>>
// CHECK-NEXT: func.return
func.func @weights() -> tensor<4xf32> {
  %codes = nn.constant dense<[1, 2, 3, 4]> : tensor<4xi8>
  %axis = nn.constant dense<0> : tensor<i64>
  %x = qnn.dequantize %codes scale <dense<[0.5, 1.0, 0.25, 0.125]> : tensor<4xf32>> : tensor<4xi8> -> tensor<4xf32>
  %first, %second = nn.split %x, %axis {num_splits = 2 : i64} : (tensor<4xf32>, tensor<i64>) -> (tensor<2xf32>, tensor<2xf32>)
  %z = nn.concat %second, %first {axis = 0 : i64} : (tensor<2xf32>, tensor<2xf32>) -> tensor<4xf32>
  func.return %z : tensor<4xf32>
}

// CHECK-LABEL: @unknown_size
// CHECK: nn.concat {{.*}}lpt.declined = "its inputs have different scales, and one an unknown size; fix its size"
// CHECK: nn.concat %p, %p {axis = 0 : i64} : (tensor<?xui8>
func.func @unknown_size(%p: tensor<?xui8>, %q: tensor<4xui8>) -> (tensor<?xf32>, tensor<?xf32>) {
  %x = qnn.dequantize %p scale <dense<0.5> : tensor<f32>> : tensor<?xui8> -> tensor<?xf32>
  %y = qnn.dequantize %q scale <dense<0.25> : tensor<f32>> : tensor<4xui8> -> tensor<4xf32>
  %z = nn.concat %x, %y {axis = 0 : i64} : (tensor<?xf32>, tensor<4xf32>) -> tensor<?xf32>
  %w = nn.concat %x, %x {axis = 0 : i64} : (tensor<?xf32>, tensor<?xf32>) -> tensor<?xf32>
  func.return %z, %w : tensor<?xf32>, tensor<?xf32>
}

// CHECK-LABEL: @one_not_quantized
// CHECK: nn.concat {{.*}}lpt.declined = "input 1 is not quantized; put a FakeQuantize on it"
func.func @one_not_quantized(%p: tensor<2xui8>, %y: tensor<4xf32>) -> tensor<6xf32> {
  %x = qnn.dequantize %p scale <dense<0.5> : tensor<f32>> : tensor<2xui8> -> tensor<2xf32>
  %z = nn.concat %x, %y {axis = 0 : i64} : (tensor<2xf32>, tensor<4xf32>) -> tensor<6xf32>
  func.return %z : tensor<6xf32>
}

// CHECK-LABEL: @sum_of_products
// CHECK: nn.concat {{.*}}lpt.declined = "its input is the 32-bit sum of a product; it is dequantized in front of it"
func.func @sum_of_products(%p: tensor<2xi32>) -> tensor<4xf32> {
  %x = qnn.dequantize %p scale <dense<0.5> : tensor<f32>> : tensor<2xi32> -> tensor<2xf32>
  %z = nn.concat %x, %x {axis = 0 : i64} : (tensor<2xf32>, tensor<2xf32>) -> tensor<4xf32>
  func.return %z : tensor<4xf32>
}
