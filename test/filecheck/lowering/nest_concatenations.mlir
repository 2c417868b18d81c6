// RUN: opt-tool %s --nest-concatenations | filecheck %s

// The longest earlier one with these first parts comes in their place.
// CHECK-LABEL: @earlier
// CHECK: %two = kernel.concat %a, %b axis 1 : (tensor<1x2x4xf32>, tensor<1x3x4xf32>)
// CHECK-NEXT: %three = kernel.concat %two, %c axis 1 : (tensor<1x5x4xf32>, tensor<1x1x4xf32>)
// CHECK-NEXT: %four = kernel.concat %three, %a axis 1 : (tensor<1x6x4xf32>, tensor<1x2x4xf32>)
func.func @earlier(%a: tensor<1x2x4xf32>, %b: tensor<1x3x4xf32>, %c: tensor<1x1x4xf32>)
    -> (tensor<1x5x4xf32>, tensor<1x6x4xf32>, tensor<1x8x4xf32>) {
  %two = kernel.concat %a, %b axis 1 : (tensor<1x2x4xf32>, tensor<1x3x4xf32>) -> tensor<1x5x4xf32>
  %three = kernel.concat %a, %b, %c axis 1 : (tensor<1x2x4xf32>, tensor<1x3x4xf32>, tensor<1x1x4xf32>) -> tensor<1x6x4xf32>
  %four = kernel.concat %a, %b, %c, %a axis 1 : (tensor<1x2x4xf32>, tensor<1x3x4xf32>, tensor<1x1x4xf32>, tensor<1x2x4xf32>) -> tensor<1x8x4xf32>
  func.return %two, %three, %four : tensor<1x5x4xf32>, tensor<1x6x4xf32>, tensor<1x8x4xf32>
}

// One that comes later, begins otherwise, or lies along another axis is none.
// CHECK-LABEL: @others
// CHECK: kernel.concat %a, %b, %b axis 1
// CHECK: kernel.concat %b, %a axis 1
// CHECK: kernel.concat %a, %b axis 2
// CHECK: kernel.concat %a, %b, %a axis 1
// CHECK: kernel.concat %a, %b axis 1
func.func @others(%a: tensor<1x2x2xf32>, %b: tensor<1x2x2xf32>)
    -> (tensor<1x6x2xf32>, tensor<1x4x2xf32>, tensor<1x2x4xf32>, tensor<1x6x2xf32>, tensor<1x4x2xf32>) {
  %0 = kernel.concat %a, %b, %b axis 1 : (tensor<1x2x2xf32>, tensor<1x2x2xf32>, tensor<1x2x2xf32>) -> tensor<1x6x2xf32>
  %1 = kernel.concat %b, %a axis 1 : (tensor<1x2x2xf32>, tensor<1x2x2xf32>) -> tensor<1x4x2xf32>
  %2 = kernel.concat %a, %b axis 2 : (tensor<1x2x2xf32>, tensor<1x2x2xf32>) -> tensor<1x2x4xf32>
  %3 = kernel.concat %a, %b, %a axis 1 : (tensor<1x2x2xf32>, tensor<1x2x2xf32>, tensor<1x2x2xf32>) -> tensor<1x6x2xf32>
  %4 = kernel.concat %a, %b axis 1 : (tensor<1x2x2xf32>, tensor<1x2x2xf32>) -> tensor<1x4x2xf32>
  func.return %0, %1, %2, %3, %4 : tensor<1x6x2xf32>, tensor<1x4x2xf32>, tensor<1x2x4xf32>, tensor<1x6x2xf32>, tensor<1x4x2xf32>
}

// Parts that would have gaps inside of the larger one are copied.
// CHECK-LABEL: @gaps
// CHECK: kernel.concat %a, %b, %a axis 1
func.func @gaps(%a: tensor<2x2xf32>, %b: tensor<2x2xf32>) -> (tensor<2x4xf32>, tensor<2x6xf32>) {
  %0 = kernel.concat %a, %b axis 1 : (tensor<2x2xf32>, tensor<2x2xf32>) -> tensor<2x4xf32>
  %1 = kernel.concat %a, %b, %a axis 1 : (tensor<2x2xf32>, tensor<2x2xf32>, tensor<2x2xf32>) -> tensor<2x6xf32>
  func.return %0, %1 : tensor<2x4xf32>, tensor<2x6xf32>
}
