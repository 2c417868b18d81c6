// RUN: opt-tool %s --split-input-file --fuse-kernels | filecheck %s

// Of two reshapes the second is left.
// CHECK-LABEL: func.func @twice(
// CHECK-NEXT:    %0 = kernel.reshape %x : tensor<2x4xf32> -> tensor<4x2xf32>
// CHECK-NEXT:    func.return %0 : tensor<4x2xf32>
func.func @twice(%x: tensor<2x4xf32>) -> tensor<4x2xf32> {
  %0 = kernel.reshape %x : tensor<2x4xf32> -> tensor<8xf32>
  %1 = kernel.reshape %0 : tensor<8xf32> -> tensor<4x2xf32>
  func.return %1 : tensor<4x2xf32>
}

// -----

// A reshape back to the first shape is none.
// CHECK-LABEL: func.func @back(
// CHECK-NEXT:    func.return %x : tensor<2x4xf32>
func.func @back(%x: tensor<2x4xf32>) -> tensor<2x4xf32> {
  %0 = kernel.reshape %x : tensor<2x4xf32> -> tensor<8xf32>
  %1 = kernel.reshape %0 : tensor<8xf32> -> tensor<2x4xf32>
  func.return %1 : tensor<2x4xf32>
}

// -----

// Padding between them keeps both.
// CHECK-LABEL: func.func @between(
// CHECK-NEXT:    %0 = kernel.reshape %x : tensor<2x4xf32> -> tensor<8xf32>
// CHECK-NEXT:    %1 = kernel.pad %0 low [1] high [1] interior [0] value 0.000000e+00 : f32 : tensor<8xf32> -> tensor<10xf32>
// CHECK-NEXT:    %2 = kernel.reshape %1 : tensor<10xf32> -> tensor<5x2xf32>
// CHECK-NEXT:    func.return %2 : tensor<5x2xf32>
func.func @between(%x: tensor<2x4xf32>) -> tensor<5x2xf32> {
  %0 = kernel.reshape %x : tensor<2x4xf32> -> tensor<8xf32>
  %1 = kernel.pad %0 low [1] high [1] interior [0] value 0.0 : f32 : tensor<8xf32> -> tensor<10xf32>
  %2 = kernel.reshape %1 : tensor<10xf32> -> tensor<5x2xf32>
  func.return %2 : tensor<5x2xf32>
}
