// RUN: opt-tool %s --lpt-main | filecheck %s

// CHECK-LABEL: @one_input
// CHECK: [[Y:%.*]] = nn.reverse_sequence %q, %lengths {{.*}}nn.name = "y_original"{{.*}} : (tensor<2x3xui8>, tensor<2xi64>) -> tensor<2x3xui8>
// CHECK-NEXT: qnn.dequantize [[Y]] scale <dense<0.5> : tensor<f32>> zero_point <dense<3> : tensor<ui8>> {nn.name = "y"}
func.func @one_input(%q: tensor<2x3xui8>, %lengths: tensor<2xi64>) -> tensor<2x3xf32> {
  %x = qnn.dequantize %q scale <dense<0.5> : tensor<f32>> zero_point <dense<3> : tensor<ui8>> : tensor<2x3xui8> -> tensor<2x3xf32>
  %y = nn.reverse_sequence %x, %lengths {batch_axis = 0 : i64, seq_axis = 1 : i64, nn.name = "y"} : (tensor<2x3xf32>, tensor<2xi64>) -> tensor<2x3xf32>
  func.return %y : tensor<2x3xf32>
}

// Scales along a dimension are moved alike where all else is known.
// CHECK-LABEL: @channels
// CHECK: [[A:%.*]] = nn.reverse %q
// CHECK-NEXT: qnn.dequantize [[A]] scale <dense<{{\[\[0.25, 0.5\]\]}}> : tensor<1x2xf32>>
// CHECK: nn.reverse_sequence {{.*}} {lpt.declined = "its input is quantized per channel along dimension 1, which it rearranges; quantize it per tensor"
func.func @channels(%q: tensor<2x2xi8>, %lengths: tensor<2xi64>) -> (tensor<2x2xf32>, tensor<2x2xf32>) {
  %axes = nn.constant dense<[1]> : tensor<1xi64>
  %x = qnn.dequantize %q scale <dense<[0.5, 0.25]> : tensor<2xf32>> : tensor<2x2xi8> -> tensor<2x2xf32>
  %y = nn.reverse %x, %axes {mode = "index"} : (tensor<2x2xf32>, tensor<1xi64>) -> tensor<2x2xf32>
  %z = nn.reverse_sequence %x, %lengths {batch_axis = 0 : i64, seq_axis = 1 : i64} : (tensor<2x2xf32>, tensor<2xi64>) -> tensor<2x2xf32>
  func.return %y, %z : tensor<2x2xf32>, tensor<2x2xf32>
}

// Lengths are constant, but scales would differ along both dimensions.
// CHECK-LABEL: @channels_of_each_batch
// CHECK: nn.reverse_sequence {{.*}} {lpt.declined = "its input is quantized per channel along dimension 1, which it rearranges; quantize it per tensor"
func.func @channels_of_each_batch(%q: tensor<2x2xi8>) -> tensor<2x2xf32> {
  %lengths = nn.constant dense<[1, 2]> : tensor<2xi64>
  %x = qnn.dequantize %q scale <dense<[0.5, 0.25]> : tensor<2xf32>> : tensor<2x2xi8> -> tensor<2x2xf32>
  %y = nn.reverse_sequence %x, %lengths {batch_axis = 0 : i64, seq_axis = 1 : i64} : (tensor<2x2xf32>, tensor<2xi64>) -> tensor<2x2xf32>
  func.return %y : tensor<2x2xf32>
}

// CHECK-LABEL: @several_inputs
// CHECK: [[C:%.*]] = nn.constant dense<[4, -2]> : tensor<2xi8>
// CHECK: nn.select %c, [[C]], %q {{.*}} -> tensor<2xi8>
// CHECK: nn.select {{.*}} {{.*}}lpt.declined = "input 1 (then_value) is a constant with values off the grid of what it is joined with; give it values that the FakeQuantize keeps"
// CHECK: nn.select {{.*}} {{.*}}lpt.declined = "its inputs have different scales or types; give their FakeQuantize one interval"
func.func @several_inputs(%c: tensor<2xi1>, %q: tensor<2xi8>) -> (tensor<2xf32>, tensor<2xf32>, tensor<2xf32>) {
  %x = qnn.dequantize %q scale <dense<0.5> : tensor<f32>> : tensor<2xi8> -> tensor<2xf32>
  %z = qnn.dequantize %q scale <dense<0.25> : tensor<f32>> : tensor<2xi8> -> tensor<2xf32>
  %on = nn.constant dense<[2.0, -1.0]> : tensor<2xf32>
  %off = nn.constant dense<[2.0, -1.25]> : tensor<2xf32>
  %a = nn.select %c, %on, %x : (tensor<2xi1>, tensor<2xf32>, tensor<2xf32>) -> tensor<2xf32>
  %b = nn.select %c, %off, %x : (tensor<2xi1>, tensor<2xf32>, tensor<2xf32>) -> tensor<2xf32>
  %d = nn.select %c, %z, %x : (tensor<2xi1>, tensor<2xf32>, tensor<2xf32>) -> tensor<2xf32>
  func.return %a, %b, %d : tensor<2xf32>, tensor<2xf32>, tensor<2xf32>
}

// Out of range, gather_elements gives 0, which must be code 0.
// CHECK-LABEL: @zero
// CHECK: nn.gather_elements %q, %i {{.*}} -> tensor<2xi8>
// CHECK: nn.gather_elements {{.*}} {lpt.declined = "its input is quantized with a zero point, and what lies outside of it is 0; quantize it symmetrically around 0"
func.func @zero(%q: tensor<4xi8>, %i: tensor<2xi64>) -> (tensor<2xf32>, tensor<2xf32>) {
  %x = qnn.dequantize %q scale <dense<0.5> : tensor<f32>> : tensor<4xi8> -> tensor<4xf32>
  %y = nn.gather_elements %x, %i {axis = 0 : i64} : (tensor<4xf32>, tensor<2xi64>) -> tensor<2xf32>
  %v = qnn.dequantize %q scale <dense<0.5> : tensor<f32>> zero_point <dense<1> : tensor<i8>> : tensor<4xi8> -> tensor<4xf32>
  %z = nn.gather_elements %v, %i {axis = 0 : i64} : (tensor<4xf32>, tensor<2xi64>) -> tensor<2xf32>
  func.return %y, %z : tensor<2xf32>, tensor<2xf32>
}

// Updates that are added are not moved.
// CHECK-LABEL: @sums
// CHECK: nn.scatter_elements_update %q, %i, %q
// CHECK: nn.scatter_elements_update {{.*}} -> tensor<2xf32>
func.func @sums(%q: tensor<2xi8>, %i: tensor<2xi64>) -> (tensor<2xf32>, tensor<2xf32>) {
  %axis = nn.constant dense<0> : tensor<i64>
  %x = qnn.dequantize %q scale <dense<0.5> : tensor<f32>> : tensor<2xi8> -> tensor<2xf32>
  %y = nn.scatter_elements_update %x, %i, %x, %axis {reduction = "none", use_init_val = true} : (tensor<2xf32>, tensor<2xi64>, tensor<2xf32>, tensor<i64>) -> tensor<2xf32>
  %z = nn.scatter_elements_update %x, %i, %x, %axis {reduction = "sum", use_init_val = true} : (tensor<2xf32>, tensor<2xi64>, tensor<2xf32>, tensor<i64>) -> tensor<2xf32>
  func.return %y, %z : tensor<2xf32>, tensor<2xf32>
}
