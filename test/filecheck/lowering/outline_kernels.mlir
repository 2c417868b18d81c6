// RUN: opt-tool %s --split-input-file --outline-kernels | filecheck %s

// Two layers that differ in a scale: both read it. What is equal in both, and limits, stay numbers.
// CHECK-LABEL: @layers
// CHECK:       %[[A:.*]] = nn.constant dense<[0.5]> : tensor<1xf32>
// CHECK:       kernel.map [4] ins(%q, %[[A]] : tensor<4xi8>, tensor<1xf32>) outs() access [affine_map<(d0) -> (d0)>, affine_map<(d0) -> (0)>, affine_map<(d0) -> (d0)>]
// CHECK:         %[[X:.*]] = arith.mulf %{{.*}}, %{{.*}} : f32
// CHECK:         arith.constant 3.000000e+00 : f32
// CHECK:         arith.constant 1.000000e+02 : f32
// CHECK:       %[[B:.*]] = nn.constant dense<[0.25]> : tensor<1xf32>
// CHECK:       kernel.map [4] ins(%{{.*}}, %[[B]] : tensor<4xi8>, tensor<1xf32>)
func.func @layers(%q: tensor<4xi8>) -> tensor<4xi8> {
  %y = kernel.map [4] ins(%q : tensor<4xi8>) outs()
      access [affine_map<(d0) -> (d0)>, affine_map<(d0) -> (d0)>] -> tensor<4xi8> {
  ^bb0(%x: i32):
    %0 = arith.sitofp %x : i32 to f32
    %s = arith.constant 0.5 : f32
    %1 = arith.mulf %0, %s : f32
    %b = arith.constant 3.0 : f32
    %2 = arith.addf %1, %b : f32
    %most = arith.constant 100.0 : f32
    %3 = arith.cmpf ogt, %2, %most : f32
    %4 = arith.select %3, %most, %2 : f32
    %5 = arith.fptosi %4 : f32 to i32
    kernel.yield %5 : i32
  }
  %z = kernel.map [4] ins(%y : tensor<4xi8>) outs()
      access [affine_map<(d0) -> (d0)>, affine_map<(d0) -> (d0)>] -> tensor<4xi8> {
  ^bb0(%x: i32):
    %0 = arith.sitofp %x : i32 to f32
    %s = arith.constant 0.25 : f32
    %1 = arith.mulf %0, %s : f32
    %b = arith.constant 3.0 : f32
    %2 = arith.addf %1, %b : f32
    %most = arith.constant 100.0 : f32
    %3 = arith.cmpf ogt, %2, %most : f32
    %4 = arith.select %3, %most, %2 : f32
    %5 = arith.fptosi %4 : f32 to i32
    kernel.yield %5 : i32
  }
  func.return %z : tensor<4xi8>
}

// -----

// Other limits, another operation, another size: nothing to share.
// CHECK-LABEL: @others
// CHECK-NOT:   nn.constant
func.func @others(%q: tensor<4xf32>, %r: tensor<5xf32>) -> (tensor<4xf32>, tensor<4xf32>, tensor<5xf32>, tensor<4xf32>) {
  %a = kernel.map [4] ins(%q : tensor<4xf32>) outs()
      access [affine_map<(d0) -> (d0)>, affine_map<(d0) -> (d0)>] -> tensor<4xf32> {
  ^bb0(%x: f32):
    %s = arith.constant 0.5 : f32
    %0 = arith.mulf %x, %s : f32
    kernel.yield %0 : f32
  }
  %b = kernel.map [4] ins(%q : tensor<4xf32>) outs()
      access [affine_map<(d0) -> (d0)>, affine_map<(d0) -> (d0)>] -> tensor<4xf32> {
  ^bb0(%x: f32):
    %s = arith.constant 0.25 : f32
    %0 = arith.addf %x, %s : f32
    kernel.yield %0 : f32
  }
  %c = kernel.map [5] ins(%r : tensor<5xf32>) outs()
      access [affine_map<(d0) -> (d0)>, affine_map<(d0) -> (d0)>] -> tensor<5xf32> {
  ^bb0(%x: f32):
    %s = arith.constant 0.25 : f32
    %0 = arith.mulf %x, %s : f32
    kernel.yield %0 : f32
  }
  %d = kernel.map [4] ins(%q : tensor<4xf32>) outs()
      access [affine_map<(d0) -> (d0)>, affine_map<(d0) -> (d0)>] -> tensor<4xf32> {
  ^bb0(%x: f32):
    %s = arith.constant 0.25 : f32
    %0 = arith.divf %x, %s : f32
    kernel.yield %0 : f32
  }
  func.return %a, %b, %c, %d : tensor<4xf32>, tensor<4xf32>, tensor<5xf32>, tensor<4xf32>
}

// -----

// Limits of a clamp that a product reads differ: both kernels read them.
// CHECK-LABEL: @limits
// CHECK:       nn.constant dense<[20.0, 0.5]> : tensor<2xf32>
// CHECK:       arith.constant 1.000000e+02 : f32
// CHECK:       nn.constant dense<[30.0, 0.25]> : tensor<2xf32>
func.func @limits(%q: tensor<4xi8>) -> tensor<4xi8> {
  %y = kernel.map [4] ins(%q : tensor<4xi8>) outs()
      access [affine_map<(d0) -> (d0)>, affine_map<(d0) -> (d0)>] -> tensor<4xi8> {
  ^bb0(%x: i32):
    %0 = arith.sitofp %x : i32 to f32
    %inner = arith.constant 20.0 : f32
    %1 = arith.cmpf ogt, %0, %inner : f32
    %2 = arith.select %1, %inner, %0 : f32
    %s = arith.constant 0.5 : f32
    %3 = arith.mulf %2, %s : f32
    %last = arith.constant 100.0 : f32
    %4 = arith.cmpf ogt, %3, %last : f32
    %5 = arith.select %4, %last, %3 : f32
    %6 = arith.fptosi %5 : f32 to i32
    kernel.yield %6 : i32
  }
  %z = kernel.map [4] ins(%y : tensor<4xi8>) outs()
      access [affine_map<(d0) -> (d0)>, affine_map<(d0) -> (d0)>] -> tensor<4xi8> {
  ^bb0(%x: i32):
    %0 = arith.sitofp %x : i32 to f32
    %inner = arith.constant 30.0 : f32
    %1 = arith.cmpf ogt, %0, %inner : f32
    %2 = arith.select %1, %inner, %0 : f32
    %s = arith.constant 0.25 : f32
    %3 = arith.mulf %2, %s : f32
    %last = arith.constant 100.0 : f32
    %4 = arith.cmpf ogt, %3, %last : f32
    %5 = arith.select %4, %last, %3 : f32
    %6 = arith.fptosi %5 : f32 to i32
    kernel.yield %6 : i32
  }
  func.return %z : tensor<4xi8>
}

// -----

// The last limits differ, too: they stay, and with them the kernels two.
// CHECK-LABEL: @last_limits
// CHECK-NOT:   nn.constant
func.func @last_limits(%q: tensor<4xi8>) -> tensor<4xi8> {
  %y = kernel.map [4] ins(%q : tensor<4xi8>) outs()
      access [affine_map<(d0) -> (d0)>, affine_map<(d0) -> (d0)>] -> tensor<4xi8> {
  ^bb0(%x: i32):
    %0 = arith.sitofp %x : i32 to f32
    %inner = arith.constant 20.0 : f32
    %1 = arith.cmpf ogt, %0, %inner : f32
    %2 = arith.select %1, %inner, %0 : f32
    %s = arith.constant 0.5 : f32
    %3 = arith.mulf %2, %s : f32
    %last = arith.constant 100.0 : f32
    %4 = arith.cmpf ogt, %3, %last : f32
    %5 = arith.select %4, %last, %3 : f32
    %6 = arith.fptosi %5 : f32 to i32
    kernel.yield %6 : i32
  }
  %z = kernel.map [4] ins(%y : tensor<4xi8>) outs()
      access [affine_map<(d0) -> (d0)>, affine_map<(d0) -> (d0)>] -> tensor<4xi8> {
  ^bb0(%x: i32):
    %0 = arith.sitofp %x : i32 to f32
    %inner = arith.constant 30.0 : f32
    %1 = arith.cmpf ogt, %0, %inner : f32
    %2 = arith.select %1, %inner, %0 : f32
    %s = arith.constant 0.25 : f32
    %3 = arith.mulf %2, %s : f32
    %last = arith.constant 110.0 : f32
    %4 = arith.cmpf ogt, %3, %last : f32
    %5 = arith.select %4, %last, %3 : f32
    %6 = arith.fptosi %5 : f32 to i32
    kernel.yield %6 : i32
  }
  func.return %z : tensor<4xi8>
}

// -----

// Numbers that are divided, as those of sigmoids are, become operands.
// CHECK-LABEL: @quotients
// CHECK:       nn.constant dense<[0.5]> : tensor<1xf32>
// CHECK:       nn.constant dense<[0.25]> : tensor<1xf32>
func.func @quotients(%q: tensor<4xf32>) -> (tensor<4xf32>, tensor<4xf32>) {
  %y = kernel.map [4] ins(%q : tensor<4xf32>) outs()
      access [affine_map<(d0) -> (d0)>, affine_map<(d0) -> (d0)>] -> tensor<4xf32> {
  ^bb0(%x: f32):
    %s = arith.constant 0.5 : f32
    %0 = arith.divf %s, %x : f32
    kernel.yield %0 : f32
  }
  %z = kernel.map [4] ins(%y : tensor<4xf32>) outs()
      access [affine_map<(d0) -> (d0)>, affine_map<(d0) -> (d0)>] -> tensor<4xf32> {
  ^bb0(%x: f32):
    %s = arith.constant 0.25 : f32
    %0 = arith.divf %s, %x : f32
    kernel.yield %0 : f32
  }
  func.return %y, %z : tensor<4xf32>, tensor<4xf32>
}

// -----

// Numbers that divide stay.
// CHECK-LABEL: @divisors
// CHECK-NOT:   nn.constant
func.func @divisors(%q: tensor<4xf32>) -> (tensor<4xf32>, tensor<4xf32>) {
  %y = kernel.map [4] ins(%q : tensor<4xf32>) outs()
      access [affine_map<(d0) -> (d0)>, affine_map<(d0) -> (d0)>] -> tensor<4xf32> {
  ^bb0(%x: f32):
    %s = arith.constant 0.5 : f32
    %0 = arith.divf %x, %s : f32
    kernel.yield %0 : f32
  }
  %z = kernel.map [4] ins(%y : tensor<4xf32>) outs()
      access [affine_map<(d0) -> (d0)>, affine_map<(d0) -> (d0)>] -> tensor<4xf32> {
  ^bb0(%x: f32):
    %s = arith.constant 0.25 : f32
    %0 = arith.divf %x, %s : f32
    kernel.yield %0 : f32
  }
  func.return %y, %z : tensor<4xf32>, tensor<4xf32>
}

// -----

// Reductions whose elements are computed alike are one function, too.
// CHECK-LABEL: @reductions
// CHECK:       nn.constant dense<[0.5]> : tensor<1xf32>
// CHECK:       nn.constant dense<[0.25]> : tensor<1xf32>
func.func @reductions(%a: tensor<4xf32>) -> (tensor<1xf32>, tensor<1xf32>) {
  %y = kernel.reduce "sum" [1] window [4] x(%a : tensor<4xf32>)
      points [affine_map<(d0) -> (0)>] steps [affine_map<(d0) -> (d0)>] ins() outs()
      access [affine_map<(d0) -> (d0)>] -> tensor<1xf32> element {
  ^bb0(%x: f32):
    %0 = arith.mulf %x, %x : f32
    kernel.yield %0 : f32
  } finish {
  ^bb0(%sum: f32):
    %s = arith.constant 0.5 : f32
    %0 = arith.mulf %sum, %s : f32
    kernel.yield %0 : f32
  }
  %z = kernel.reduce "sum" [1] window [4] x(%a : tensor<4xf32>)
      points [affine_map<(d0) -> (0)>] steps [affine_map<(d0) -> (d0)>] ins() outs()
      access [affine_map<(d0) -> (d0)>] -> tensor<1xf32> element {
  ^bb0(%x: f32):
    %0 = arith.mulf %x, %x : f32
    kernel.yield %0 : f32
  } finish {
  ^bb0(%sum: f32):
    %s = arith.constant 0.25 : f32
    %0 = arith.mulf %sum, %s : f32
    kernel.yield %0 : f32
  }
  func.return %y, %z : tensor<1xf32>, tensor<1xf32>
}

// -----

// Those whose elements are computed otherwise are not.
// CHECK-LABEL: @elements
// CHECK-NOT:   nn.constant
func.func @elements(%a: tensor<4xf32>) -> (tensor<1xf32>, tensor<1xf32>) {
  %y = kernel.reduce "sum" [1] window [4] x(%a : tensor<4xf32>)
      points [affine_map<(d0) -> (0)>] steps [affine_map<(d0) -> (d0)>] ins() outs()
      access [affine_map<(d0) -> (d0)>] -> tensor<1xf32> element {
  ^bb0(%x: f32):
    %0 = arith.mulf %x, %x : f32
    kernel.yield %0 : f32
  } finish {
  ^bb0(%sum: f32):
    %s = arith.constant 0.5 : f32
    %0 = arith.mulf %sum, %s : f32
    kernel.yield %0 : f32
  }
  %z = kernel.reduce "sum" [1] window [4] x(%a : tensor<4xf32>)
      points [affine_map<(d0) -> (0)>] steps [affine_map<(d0) -> (d0)>] ins() outs()
      access [affine_map<(d0) -> (d0)>] -> tensor<1xf32> element {
  ^bb0(%x: f32):
    %0 = arith.addf %x, %x : f32
    kernel.yield %0 : f32
  } finish {
  ^bb0(%sum: f32):
    %s = arith.constant 0.25 : f32
    %0 = arith.mulf %sum, %s : f32
    kernel.yield %0 : f32
  }
  func.return %y, %z : tensor<1xf32>, tensor<1xf32>
}
