// RUN: opt-tool %s --lpt-markup | filecheck %s

// No transformation is about a sigmoid or a power; integers are no values.
// CHECK-LABEL: @values_only
// CHECK: nn.sigmoid %x {lpt.precisions = {input0 = []}}
// CHECK-NEXT: nn.power {{.*}} {lpt.precisions = {input0 = [], input1 = []}}
// CHECK-NOT: lpt.precisions
// CHECK: func.return
func.func @values_only(%x: tensor<4xf32>, %i: tensor<4xi32>) -> (tensor<4xf32>, tensor<4xf32>, tensor<4xi32>) {
  %a = nn.sigmoid %x : tensor<4xf32>
  %b = nn.power %a, %x : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
  %c = nn.relu %b : tensor<4xf32>
  %d = nn.convert %i to f32 : tensor<4xi32> -> tensor<4xf32>
  %e = nn.power %i, %i : (tensor<4xi32>, tensor<4xi32>) -> tensor<4xi32>
  func.return %c, %d, %e : tensor<4xf32>, tensor<4xf32>, tensor<4xi32>
}

// What makes values takes any, codes in floating point, too.
// CHECK-LABEL: @conversion
// CHECK-NOT: lpt.precisions
// CHECK: func.return
func.func @conversion(%x: tensor<4xf16>, %q: tensor<4xf32>) -> (tensor<4xf32>, tensor<4xf32>) {
  %a = nn.convert %x to f32 : tensor<4xf16> -> tensor<4xf32>
  %b = qnn.dequantize %q scale <dense<0.5> : tensor<f32>> : tensor<4xf32> -> tensor<4xf32>
  func.return %a, %b : tensor<4xf32>, tensor<4xf32>
}
