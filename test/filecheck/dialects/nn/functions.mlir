// Reads what it prints, in the custom and in the generic form.
// RUN: opt-tool %s | opt-tool | filecheck %s
// RUN: opt-tool %s --print-op-generic | opt-tool | filecheck %s

// CHECK-LABEL: @functions(
func.func @functions(%x: tensor<2x4xf32>, %i: tensor<?xi8>) {
  // CHECK-NEXT: %0 = nn.exp %x : tensor<2x4xf32>
  %0 = nn.exp %x : tensor<2x4xf32>
  // CHECK-NEXT: %1 = nn.log %x : tensor<2x4xf32>
  %1 = nn.log %x : tensor<2x4xf32>
  // CHECK-NEXT: %2 = nn.sqrt %x : tensor<2x4xf32>
  %2 = nn.sqrt %x : tensor<2x4xf32>
  // CHECK-NEXT: %3 = nn.abs %i : tensor<?xi8>
  %3 = nn.abs %i : tensor<?xi8>
  // CHECK-NEXT: %4 = nn.negative %i : tensor<?xi8>
  %4 = nn.negative %i : tensor<?xi8>
  // CHECK-NEXT: %5 = nn.floor %x : tensor<2x4xf32>
  %5 = nn.floor %x : tensor<2x4xf32>
  // CHECK-NEXT: %6 = nn.ceiling %x : tensor<2x4xf32>
  %6 = nn.ceiling %x : tensor<2x4xf32>
  // CHECK-NEXT: %7 = nn.sign %i : tensor<?xi8>
  %7 = nn.sign %i : tensor<?xi8>
  // CHECK-NEXT: %8 = nn.round %x : tensor<2x4xf32>
  %8 = nn.round %x : tensor<2x4xf32>
  // CHECK-NEXT: %9 = nn.round %x {mode = "half_away_from_zero"} : tensor<2x4xf32>
  %9 = nn.round %x {mode = "half_away_from_zero"} : tensor<2x4xf32>
  // CHECK-NEXT: func.return
  func.return
}

// CHECK-LABEL: @arithmetic(
func.func @arithmetic(%x: tensor<2x4xf32>, %row: tensor<4xf32>) {
  // CHECK-NEXT: %0 = nn.power %x, %row : (tensor<2x4xf32>, tensor<4xf32>) -> tensor<2x4xf32>
  %0 = nn.power %x, %row : (tensor<2x4xf32>, tensor<4xf32>) -> tensor<2x4xf32>
  // CHECK-NEXT: %1 = nn.squared_difference %x, %row : (tensor<2x4xf32>, tensor<4xf32>) -> tensor<2x4xf32>
  %1 = nn.squared_difference %x, %row : (tensor<2x4xf32>, tensor<4xf32>) -> tensor<2x4xf32>
  // CHECK-NEXT: %2 = nn.floor_mod %x, %row : (tensor<2x4xf32>, tensor<4xf32>) -> tensor<2x4xf32>
  %2 = nn.floor_mod %x, %row : (tensor<2x4xf32>, tensor<4xf32>) -> tensor<2x4xf32>
  // CHECK-NEXT: func.return
  func.return
}
