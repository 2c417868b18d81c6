// RUN: opt-tool %s --lpt-prerequisites | filecheck %s

// CHECK-LABEL: @adds
// CHECK: [[C:%.*]] = nn.constant dense<{{\[\[4.0\], \[5.0\]\]}}> : tensor<2x1xf32>
// CHECK-NEXT: nn.add %x, [[C]] {nn.name = "second"} : (tensor<2x3xf32>, tensor<2x1xf32>) -> tensor<2x3xf32>
// CHECK-NEXT: func.return
func.func @adds(%x: tensor<2x3xf32>) -> tensor<2x3xf32> {
  %a = nn.constant dense<[[1.0], [2.0]]> : tensor<2x1xf32>
  %b = nn.constant dense<3.0> : tensor<f32>
  %y = nn.add %a, %x {nn.name = "first"} : (tensor<2x1xf32>, tensor<2x3xf32>) -> tensor<2x3xf32>
  %z = nn.add %y, %b {nn.name = "second"} : (tensor<2x3xf32>, tensor<f32>) -> tensor<2x3xf32>
  func.return %z : tensor<2x3xf32>
}

// One number, where all are the same, but for constants that make the value larger.
// CHECK-LABEL: @the_same_everywhere
// CHECK: [[C:%.*]] = nn.constant dense<4.0> : tensor<f32>
// CHECK-NEXT: nn.add %x, [[C]]
// CHECK: [[D:%.*]] = nn.constant dense<4.0> : tensor<2x3xf32>
// CHECK-NEXT: nn.add %s, [[D]]
func.func @the_same_everywhere(%x: tensor<2x3xf32>, %s: tensor<1x3xf32>) -> (tensor<2x3xf32>, tensor<2x3xf32>) {
  %a = nn.constant dense<[[1.0], [2.0]]> : tensor<2x1xf32>
  %b = nn.constant dense<[[3.0], [2.0]]> : tensor<2x1xf32>
  %x1 = nn.add %x, %a : (tensor<2x3xf32>, tensor<2x1xf32>) -> tensor<2x3xf32>
  %y = nn.add %x1, %b : (tensor<2x3xf32>, tensor<2x1xf32>) -> tensor<2x3xf32>
  %c = nn.constant dense<1.0> : tensor<2x3xf32>
  %d = nn.constant dense<3.0> : tensor<f32>
  %s1 = nn.add %s, %c : (tensor<1x3xf32>, tensor<2x3xf32>) -> tensor<2x3xf32>
  %z = nn.add %s1, %d : (tensor<2x3xf32>, tensor<f32>) -> tensor<2x3xf32>
  func.return %y, %z : tensor<2x3xf32>, tensor<2x3xf32>
}

// What is fused stands where the first of it stood.
// CHECK-LABEL: @where_the_first_stood
// CHECK: nn.multiply %x
// CHECK-NEXT: nn.tanh
func.func @where_the_first_stood(%x: tensor<4xf32>, %y: tensor<4xf32>) -> (tensor<4xf32>, tensor<4xf32>) {
  %a = nn.constant dense<2.0> : tensor<f32>
  %m = nn.multiply %x, %a : (tensor<4xf32>, tensor<f32>) -> tensor<4xf32>
  %t = nn.tanh %y : tensor<4xf32>
  %n = nn.multiply %m, %a : (tensor<4xf32>, tensor<f32>) -> tensor<4xf32>
  func.return %t, %n : tensor<4xf32>, tensor<4xf32>
}

// Dequantization with it, in f16 models too.
// CHECK-LABEL: @multiplies
// CHECK-NEXT: qnn.dequantize %q scale <dense<[0.5, 1.0]> : tensor<2xf32>> {nn.name = "z", output_type = f16} : tensor<2xi8> -> tensor<2xf16>
// CHECK-NEXT: func.return
func.func @multiplies(%q: tensor<2xi8>) -> tensor<2xf16> {
  %s = nn.constant dense<0.25> : tensor<f16>
  %b = nn.constant dense<[2.0, 4.0]> : tensor<2xf16>
  %x = nn.convert %q to f16 : tensor<2xi8> -> tensor<2xf16>
  %y = nn.multiply %x, %s : (tensor<2xf16>, tensor<f16>) -> tensor<2xf16>
  %z = nn.multiply %y, %b {nn.name = "z"} : (tensor<2xf16>, tensor<2xf16>) -> tensor<2xf16>
  func.return %z : tensor<2xf16>
}

// The factor reaches the one above the addition, whose reason of an earlier run stays. Constants stand in front of what
// takes them, as in what a second run writes.
// CHECK-LABEL: @through_an_addition
// CHECK: [[F:%.*]] = nn.constant dense<6.0> : tensor<f32>
// CHECK-NEXT: [[P:%.*]] = nn.multiply %x, [[F]]
// CHECK-NEXT: [[S:%.*]] = nn.constant dense<30.0> : tensor<f32>
// CHECK-NEXT: nn.add [[P]], [[S]] {lpt.declined = "why", nn.name = "w"}
// CHECK-NEXT: func.return
func.func @through_an_addition(%x: tensor<4xf32>) -> tensor<4xf32> {
  %a = nn.constant dense<2.0> : tensor<f32>
  %b = nn.constant dense<10.0> : tensor<f32>
  %c = nn.constant dense<3.0> : tensor<f32>
  %y = nn.multiply %x, %a {nn.name = "y"} : (tensor<4xf32>, tensor<f32>) -> tensor<4xf32>
  %z = nn.add %y, %b {lpt.declined = "why", nn.name = "z"} : (tensor<4xf32>, tensor<f32>) -> tensor<4xf32>
  %w = nn.multiply %z, %c {nn.name = "w"} : (tensor<4xf32>, tensor<f32>) -> tensor<4xf32>
  func.return %w : tensor<4xf32>
}

// In f16, the difference of near numbers is exact before it is scaled, not after.
// CHECK-LABEL: @half
// CHECK: [[Y:%.*]] = nn.add %x
// CHECK-NEXT: nn.multiply [[Y]]
func.func @half(%x: tensor<4xf16>) -> tensor<4xf16> {
  %a = nn.constant dense<-127.0> : tensor<f16>
  %b = nn.constant dense<0.017> : tensor<f16>
  %y = nn.add %x, %a : (tensor<4xf16>, tensor<f16>) -> tensor<4xf16>
  %z = nn.multiply %y, %b : (tensor<4xf16>, tensor<f16>) -> tensor<4xf16>
  func.return %z : tensor<4xf16>
}

// CHECK-LABEL: @used_in_between
// CHECK-COUNT-2: nn.add
// CHECK-COUNT-2: nn.multiply
func.func @used_in_between(%x: tensor<4xf32>) -> (tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>) {
  %a = nn.constant dense<2.0> : tensor<f32>
  %y = nn.add %x, %a : (tensor<4xf32>, tensor<f32>) -> tensor<4xf32>
  %z = nn.add %y, %a : (tensor<4xf32>, tensor<f32>) -> tensor<4xf32>
  %v = nn.multiply %z, %a : (tensor<4xf32>, tensor<f32>) -> tensor<4xf32>
  %w = nn.multiply %v, %a : (tensor<4xf32>, tensor<f32>) -> tensor<4xf32>
  func.return %y, %z, %v, %w : tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>
}

// CHECK-LABEL: @computed
// CHECK-COUNT-2: nn.multiply
func.func @computed(%x: tensor<4xf32>, %a: tensor<f32>) -> tensor<4xf32> {
  %b = nn.constant dense<2.0> : tensor<f32>
  %y = nn.multiply %x, %a : (tensor<4xf32>, tensor<f32>) -> tensor<4xf32>
  %z = nn.multiply %y, %b : (tensor<4xf32>, tensor<f32>) -> tensor<4xf32>
  func.return %z : tensor<4xf32>
}

// Their product is 0, or infinite.
// CHECK-LABEL: @out_of_range
// CHECK-COUNT-4: nn.multiply
func.func @out_of_range(%x: tensor<4xf32>) -> (tensor<4xf32>, tensor<4xf32>) {
  %tiny = nn.constant dense<1.0e-30> : tensor<f32>
  %huge = nn.constant dense<1.0e+30> : tensor<f32>
  %y = nn.multiply %x, %tiny : (tensor<4xf32>, tensor<f32>) -> tensor<4xf32>
  %z = nn.multiply %y, %tiny : (tensor<4xf32>, tensor<f32>) -> tensor<4xf32>
  %v = nn.multiply %x, %huge : (tensor<4xf32>, tensor<f32>) -> tensor<4xf32>
  %w = nn.multiply %v, %huge : (tensor<4xf32>, tensor<f32>) -> tensor<4xf32>
  func.return %z, %w : tensor<4xf32>, tensor<4xf32>
}

// A row and a column would make a matrix.
// CHECK-LABEL: @too_large
// CHECK-COUNT-2: nn.multiply
func.func @too_large(%x: tensor<2x2xf32>) -> tensor<2x2xf32> {
  %a = nn.constant dense<[[1.0, 2.0]]> : tensor<1x2xf32>
  %b = nn.constant dense<[[3.0], [4.0]]> : tensor<2x1xf32>
  %y = nn.multiply %x, %a : (tensor<2x2xf32>, tensor<1x2xf32>) -> tensor<2x2xf32>
  %z = nn.multiply %y, %b : (tensor<2x2xf32>, tensor<2x1xf32>) -> tensor<2x2xf32>
  func.return %z : tensor<2x2xf32>
}

// CHECK-LABEL: @integers
// CHECK-COUNT-2: nn.add
func.func @integers(%x: tensor<4xi32>) -> tensor<4xi32> {
  %a = nn.constant dense<2> : tensor<i32>
  %y = nn.add %x, %a : (tensor<4xi32>, tensor<i32>) -> tensor<4xi32>
  %z = nn.add %y, %a : (tensor<4xi32>, tensor<i32>) -> tensor<4xi32>
  func.return %z : tensor<4xi32>
}
