// Elementwise builtins are their namesakes, element for element.
// RUN: opt-tool %s --legalize-tfl-to-nn --dce | filecheck %s

// `relu(x)`; a value that users take keeps its name.
// CHECK-LABEL: @namesake(
// CHECK-NEXT: %0 = nn.relu %x {nn.name = "y"} : tensor<2xf32>
// CHECK-NEXT: func.return %0 : tensor<2xf32>
// CHECK-NEXT: }
func.func @namesake(%x: tensor<2xf32>) -> tensor<2xf32> {
  %0 = "tfl.relu"(%x) {nn.name = "y"} : (tensor<2xf32>) -> tensor<2xf32>
  func.return %0 : tensor<2xf32>
}

// `add{RELU6}(x, y) = clamp(add(x, y), 0, 6)`
// CHECK-LABEL: @fused_activation(
// CHECK-NEXT: %0 = nn.add %x, %y : (tensor<2xf32>, tensor<2xf32>) -> tensor<2xf32>
// CHECK-NEXT: %1 = nn.clamp %0 {min = 0.000000e+00 : f64, max = 6.000000e+00 : f64} : tensor<2xf32>
// CHECK-NEXT: func.return %1 : tensor<2xf32>
// CHECK-NEXT: }
func.func @fused_activation(%x: tensor<2xf32>, %y: tensor<2xf32>) -> tensor<2xf32> {
  %0 = "tfl.add"(%x, %y) <{fused_activation_function = "RELU6"}> : (tensor<2xf32>, tensor<2xf32>) -> tensor<2xf32>
  func.return %0 : tensor<2xf32>
}

// `add{NONE}(x, y) = add(x, y)`
// CHECK-LABEL: @no_fused_activation(
// CHECK-NEXT: %0 = nn.add %x, %y : (tensor<2xf32>, tensor<2xf32>) -> tensor<2xf32>
// CHECK-NEXT: func.return %0 : tensor<2xf32>
// CHECK-NEXT: }
func.func @no_fused_activation(%x: tensor<2xf32>, %y: tensor<2xf32>) -> tensor<2xf32> {
  %0 = "tfl.add"(%x, %y) <{fused_activation_function = "NONE"}> : (tensor<2xf32>, tensor<2xf32>) -> tensor<2xf32>
  func.return %0 : tensor<2xf32>
}

// `floor_div(x, y) = floor(x / y)` of numbers with a fraction
// CHECK-LABEL: @floor_div(
// CHECK-NEXT: %0 = nn.divide %x, %y : (tensor<2xf32>, tensor<2xf32>) -> tensor<2xf32>
// CHECK-NEXT: %1 = nn.floor %0 : tensor<2xf32>
// CHECK-NEXT: func.return %1 : tensor<2xf32>
// CHECK-NEXT: }
func.func @floor_div(%x: tensor<2xf32>, %y: tensor<2xf32>) -> tensor<2xf32> {
  %0 = "tfl.floor_div"(%x, %y) : (tensor<2xf32>, tensor<2xf32>) -> tensor<2xf32>
  func.return %0 : tensor<2xf32>
}

// Integers are divided so already.
// CHECK-LABEL: @floor_div_of_integers(
// CHECK-NEXT: %0 = nn.divide %x, %y : (tensor<2xi32>, tensor<2xi32>) -> tensor<2xi32>
// CHECK-NEXT: func.return %0 : tensor<2xi32>
// CHECK-NEXT: }
func.func @floor_div_of_integers(%x: tensor<2xi32>, %y: tensor<2xi32>) -> tensor<2xi32> {
  %0 = "tfl.floor_div"(%x, %y) : (tensor<2xi32>, tensor<2xi32>) -> tensor<2xi32>
  func.return %0 : tensor<2xi32>
}

// `softmax{beta}(x) = softmax(beta * x)` along the last dimension
// CHECK-LABEL: @softmax(
// CHECK-NEXT: %0 = nn.constant dense<2.0> : tensor<f32>
// CHECK-NEXT: %1 = nn.multiply %x, %0 : (tensor<2x3xf32>, tensor<f32>) -> tensor<2x3xf32>
// CHECK-NEXT: %2 = nn.softmax %1 {axis = -1 : i64} : tensor<2x3xf32>
// CHECK-NEXT: func.return %2 : tensor<2x3xf32>
// CHECK-NEXT: }
func.func @softmax(%x: tensor<2x3xf32>) -> tensor<2x3xf32> {
  %0 = "tfl.softmax"(%x) <{beta = 2.0 : f32}> : (tensor<2x3xf32>) -> tensor<2x3xf32>
  func.return %0 : tensor<2x3xf32>
}

// A cast to its own type is nothing.
// CHECK-LABEL: @cast(
// CHECK-NEXT: %0 = nn.convert %x to f32 : tensor<2xi32> -> tensor<2xf32>
// CHECK-NEXT: func.return %0, %x : tensor<2xf32>, tensor<2xi32>
// CHECK-NEXT: }
func.func @cast(%x: tensor<2xi32>) -> (tensor<2xf32>, tensor<2xi32>) {
  %0 = "tfl.cast"(%x) : (tensor<2xi32>) -> tensor<2xf32>
  %1 = "tfl.cast"(%x) : (tensor<2xi32>) -> tensor<2xi32>
  func.return %0, %1 : tensor<2xf32>, tensor<2xi32>
}

// What is ours already stays, and takes what LiteRT's operations have become.
// CHECK-LABEL: @mixed(
// CHECK-NEXT: %0 = nn.abs %x : tensor<2xf32>
// CHECK-NEXT: %1 = nn.exp %0 : tensor<2xf32>
// CHECK-NEXT: func.return %1 : tensor<2xf32>
// CHECK-NEXT: }
func.func @mixed(%x: tensor<2xf32>) -> tensor<2xf32> {
  %0 = "tfl.abs"(%x) : (tensor<2xf32>) -> tensor<2xf32>
  %1 = nn.exp %0 : tensor<2xf32>
  func.return %1 : tensor<2xf32>
}
