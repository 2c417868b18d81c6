// RUN: opt-tool %s --lpt-cleanup | filecheck %s

// CHECK-LABEL: @folds
// CHECK: nn.constant dense<[1.0, 2.0]> : tensor<2xf32>
// CHECK-NEXT: func.return
func.func @folds() -> tensor<2xf32> {
  %c = nn.constant dense<[1.0, 2.0]> : tensor<2xf16>
  %x = nn.convert %c to f32 : tensor<2xf16> -> tensor<2xf32>
  func.return %x : tensor<2xf32>
}

// Weights stay short.
// CHECK-LABEL: @weights
// CHECK: nn.constant dense<[1, 2]> : tensor<2xi8>
// CHECK-NEXT: nn.convert
func.func @weights() -> tensor<2xf32> {
  %c = nn.constant dense<[1, 2]> : tensor<2xi8>
  %x = nn.convert %c to f32 : tensor<2xi8> -> tensor<2xf32>
  func.return %x : tensor<2xf32>
}

// CHECK-LABEL: @computed
// CHECK: nn.convert %x to f32
func.func @computed(%x: tensor<2xf16>) -> tensor<2xf32> {
  %y = nn.convert %x to f32 : tensor<2xf16> -> tensor<2xf32>
  func.return %y : tensor<2xf32>
}
