// RUN: opt-tool %s --split-input-file --share-concatenations | filecheck %s

// Each begins like the one before; of two beginnings, the longer one is shared.
// CHECK-LABEL: @dense
// CHECK:       %[[AB:.*]] = nn.concat %a, %b {axis = 1 : i64}
// CHECK:       %[[ABC:.*]] = nn.concat %[[AB]], %c {axis = 1 : i64}
// CHECK-SAME:  (tensor<1x4xf32>, tensor<1x2xf32>) -> tensor<1x6xf32>
// CHECK:       nn.concat %[[ABC]], %a, %b {axis = 1 : i64}
func.func @dense(%a: tensor<1x2xf32>, %b: tensor<1x2xf32>, %c: tensor<1x2xf32>) -> (tensor<1x4xf32>, tensor<1x6xf32>, tensor<1x10xf32>) {
  %0 = nn.concat %a, %b {axis = 1 : i64} : (tensor<1x2xf32>, tensor<1x2xf32>) -> tensor<1x4xf32>
  %x = nn.relu %0 : tensor<1x4xf32>
  %1 = nn.concat %a, %b, %c {axis = 1 : i64} : (tensor<1x2xf32>, tensor<1x2xf32>, tensor<1x2xf32>) -> tensor<1x6xf32>
  %y = nn.relu %1 : tensor<1x6xf32>
  %2 = nn.concat %a, %b, %c, %a, %b {axis = 1 : i64} : (tensor<1x2xf32>, tensor<1x2xf32>, tensor<1x2xf32>, tensor<1x2xf32>, tensor<1x2xf32>) -> tensor<1x10xf32>
  %z = nn.relu %2 : tensor<1x10xf32>
  func.return %x, %y, %z : tensor<1x4xf32>, tensor<1x6xf32>, tensor<1x10xf32>
}

// -----

// Another axis, another order, and one that is computed later: nothing to share.
// CHECK-LABEL: @others
// CHECK:       nn.concat %a, %b, %c {axis = 1 : i64}
// CHECK:       nn.concat %a, %b, %c {axis = 0 : i64}
// CHECK:       nn.concat %b, %a, %c {axis = 1 : i64}
// CHECK:       nn.concat %a, %b {axis = 1 : i64}
func.func @others(%a: tensor<1x2xf32>, %b: tensor<1x2xf32>, %c: tensor<1x2xf32>) -> (tensor<1x6xf32>, tensor<3x2xf32>, tensor<1x6xf32>, tensor<1x4xf32>) {
  %0 = nn.concat %a, %b, %c {axis = 1 : i64} : (tensor<1x2xf32>, tensor<1x2xf32>, tensor<1x2xf32>) -> tensor<1x6xf32>
  %w = nn.relu %0 : tensor<1x6xf32>
  %1 = nn.concat %a, %b, %c {axis = 0 : i64} : (tensor<1x2xf32>, tensor<1x2xf32>, tensor<1x2xf32>) -> tensor<3x2xf32>
  %x = nn.relu %1 : tensor<3x2xf32>
  %2 = nn.concat %b, %a, %c {axis = 1 : i64} : (tensor<1x2xf32>, tensor<1x2xf32>, tensor<1x2xf32>) -> tensor<1x6xf32>
  %y = nn.relu %2 : tensor<1x6xf32>
  %3 = nn.concat %a, %b {axis = 1 : i64} : (tensor<1x2xf32>, tensor<1x2xf32>) -> tensor<1x4xf32>
  %z = nn.relu %3 : tensor<1x4xf32>
  func.return %w, %x, %y, %z : tensor<1x6xf32>, tensor<3x2xf32>, tensor<1x6xf32>, tensor<1x4xf32>
}

// -----

// The shorter one is an output, which lies in a buffer of its own: it would be copied into the longer one.
// CHECK-LABEL: @returned
// CHECK:       nn.concat %a, %b {axis = 1 : i64}
// CHECK:       nn.concat %a, %b, %c {axis = 1 : i64}
func.func @returned(%a: tensor<1x2xf32>, %b: tensor<1x2xf32>, %c: tensor<1x2xf32>) -> (tensor<1x4xf32>, tensor<1x6xf32>) {
  %0 = nn.concat %a, %b {axis = 1 : i64} : (tensor<1x2xf32>, tensor<1x2xf32>) -> tensor<1x4xf32>
  %1 = nn.concat %a, %b, %c {axis = 1 : i64} : (tensor<1x2xf32>, tensor<1x2xf32>, tensor<1x2xf32>) -> tensor<1x6xf32>
  %y = nn.relu %1 : tensor<1x6xf32>
  func.return %0, %y : tensor<1x4xf32>, tensor<1x6xf32>
}
