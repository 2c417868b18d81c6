// RUN: opt-tool %s --nn-to-kernels --expand-math | filecheck %s

// x limited, P and Q of its square by Horner's rule, x P / Q.
// CHECK-LABEL: func.func @tanh(
// CHECK:         %0 = kernel.map [4] ins(%x : tensor<4xf32>) outs() access [affine_map<(d0) -> (d0)>, affine_map<(d0) -> (d0)>] -> tensor<4xf32> {
// CHECK-NEXT:    ^bb0(%1: f32):
// CHECK-NEXT:      %2 = arith.constant -7.90531111 : f32
// CHECK-NEXT:      %3 = arith.cmpf ogt, %2, %1 : f32
// CHECK-NEXT:      %4 = arith.select %3, %2, %1 : f32
// CHECK-NEXT:      %5 = arith.constant 7.90531111 : f32
// CHECK-NEXT:      %6 = arith.cmpf ogt, %4, %5 : f32
// CHECK-NEXT:      %7 = arith.select %6, %5, %4 : f32
// CHECK-NEXT:      %8 = arith.mulf %7, %7 : f32
// CHECK-NEXT:      %9 = arith.constant 0.0179385077 : f32
// CHECK-NEXT:      %10 = arith.constant 25.6159687 : f32
// CHECK-NEXT:      %11 = math.fma %9, %8, %10 : f32
// CHECK-NEXT:      %12 = arith.constant 4163.625 : f32
// CHECK-NEXT:      %13 = math.fma %11, %8, %12 : f32
// CHECK-NEXT:      %14 = arith.constant 156490.422 : f32
// CHECK-NEXT:      %15 = math.fma %13, %8, %14 : f32
// CHECK-NEXT:      %16 = arith.constant 1163469.5 : f32
// CHECK-NEXT:      %17 = math.fma %15, %8, %16 : f32
// CHECK-NEXT:      %18 = arith.constant 398.260437 : f32
// CHECK-NEXT:      %19 = arith.addf %8, %18 : f32
// CHECK-NEXT:      %20 = arith.constant 30472.2852 : f32
// CHECK-NEXT:      %21 = math.fma %19, %8, %20 : f32
// CHECK-NEXT:      %22 = arith.constant 544313.625 : f32
// CHECK-NEXT:      %23 = math.fma %21, %8, %22 : f32
// CHECK-NEXT:      %24 = arith.constant 1163469.5 : f32
// CHECK-NEXT:      %25 = math.fma %23, %8, %24 : f32
// CHECK-NEXT:      %26 = arith.divf %17, %25 : f32
// CHECK-NEXT:      %27 = arith.mulf %7, %26 : f32
// CHECK-NEXT:      kernel.yield %27 : f32
// CHECK:         func.return %0 : tensor<4xf32>
func.func @tanh(%x: tensor<4xf32>) -> tensor<4xf32> {
  %0 = nn.tanh %x : tensor<4xf32>
  func.return %0 : tensor<4xf32>
}

// In f32, a polynomial below 0.92 and an exponential function of one above, without a division.
// CHECK-LABEL:    func.func @erf(
// CHECK:            arith.constant 9.200000e-01 : f32
// CHECK-COUNT-19:   math.fma
// CHECK-NOT:        arith.divf
// CHECK:            func.return
func.func @erf(%x: tensor<4xf32>) -> tensor<4xf32> {
  %0 = nn.erf %x : tensor<4xf32>
  func.return %0 : tensor<4xf32>
}

// In f64 they would not do.
// CHECK-LABEL: func.func @wide_erf(
// CHECK:         arith.divf
// CHECK:         func.return
func.func @wide_erf(%x: tensor<4xf64>) -> tensor<4xf64> {
  %0 = nn.erf %x : tensor<4xf64>
  func.return %0 : tensor<4xf64>
}

// s / (s + s exp(|x|)), and 1 less that where x is positive; 2ⁿ s comes from the last bits of a number.
// CHECK-LABEL: func.func @sigmoid(
// CHECK:       %0 = kernel.map [4] ins(%x : tensor<4xf32>) outs() access [affine_map<(d0) -> (d0)>, affine_map<(d0) -> (d0)>] -> tensor<4xf32> {
// CHECK-NEXT:  ^bb0(%1: f32):
// CHECK-NEXT:    %2 = math.absf %1 : f32
// CHECK-NEXT:    %3 = arith.constant 1.040000e+02 : f32
// CHECK-NEXT:    %4 = arith.cmpf ogt, %2, %3 : f32
// CHECK-NEXT:    %5 = arith.select %4, %3, %2 : f32
// CHECK-NEXT:    %6 = arith.constant 1.44269502 : f32
// CHECK-NEXT:    %7 = arith.constant 0x4B400067 : f32
// CHECK-NEXT:    %8 = math.fma %5, %6, %7 : f32
// CHECK-NEXT:    %9 = arith.constant 0x4B400067 : f32
// CHECK-NEXT:    %10 = arith.subf %8, %9 : f32
// CHECK-NEXT:    %11 = arith.constant -0.693147182 : f32
// CHECK-NEXT:    %12 = math.fma %10, %11, %5 : f32
// CHECK-NEXT:    %13 = arith.bitcast %8 : f32 to i32
// CHECK-NEXT:    %14 = arith.constant 23 : i32
// CHECK-NEXT:    %15 = arith.shli %13, %14 : i32
// CHECK-NEXT:    %16 = arith.bitcast %15 : i32 to f32
// CHECK-NEXT:    %17 = arith.constant 0.00829027221 : f32
// CHECK-NEXT:    %18 = arith.constant 0.0418981612 : f32
// CHECK-NEXT:    %19 = math.fma %17, %12, %18 : f32
// CHECK-NEXT:    %20 = arith.constant 0.166676387 : f32
// CHECK-NEXT:    %21 = math.fma %19, %12, %20 : f32
// CHECK-NEXT:    %22 = arith.constant 0.499991477 : f32
// CHECK-NEXT:    %23 = math.fma %21, %12, %22 : f32
// CHECK-NEXT:    %24 = arith.constant 0.999999702 : f32
// CHECK-NEXT:    %25 = math.fma %23, %12, %24 : f32
// CHECK-NEXT:    %26 = arith.constant 1.000000e+00 : f32
// CHECK-NEXT:    %27 = math.fma %25, %12, %26 : f32
// CHECK-NEXT:    %28 = arith.constant 5.96046448e-08 : f32
// CHECK-NEXT:    %29 = math.fma %27, %16, %28 : f32
// CHECK-NEXT:    %30 = arith.constant 5.96046448e-08 : f32
// CHECK-NEXT:    %31 = arith.divf %30, %29 : f32
// CHECK-NEXT:    %32 = arith.constant 0.000000e+00 : f32
// CHECK-NEXT:    %33 = arith.cmpf ogt, %1, %32 : f32
// CHECK-NEXT:    %34 = arith.constant 1.000000e+00 : f32
// CHECK-NEXT:    %35 = arith.subf %34, %31 : f32
// CHECK-NEXT:    %36 = arith.select %33, %35, %31 : f32
// CHECK-NEXT:    kernel.yield %36 : f32
// CHECK:       func.return %0 : tensor<4xf32>
func.func @sigmoid(%x: tensor<4xf32>) -> tensor<4xf32> {
  %0 = nn.sigmoid %x : tensor<4xf32>
  func.return %0 : tensor<4xf32>
}

// Other functions stay.
// CHECK-LABEL: func.func @half(
// CHECK:         %0 = kernel.map [4] ins(%x : tensor<4xf16>) outs() access [affine_map<(d0) -> (d0)>, affine_map<(d0) -> (d0)>] -> tensor<4xf16> {
// CHECK-NEXT:    ^bb0(%1: f32):
// CHECK-NEXT:      %2 = arith.constant 0.000000e+00 : f32
// CHECK-NEXT:      %3 = arith.cmpf ogt, %2, %1 : f32
// CHECK-NEXT:      %4 = arith.select %3, %2, %1 : f32
// CHECK-NEXT:      kernel.yield %4 : f32
// CHECK:         func.return %0 : tensor<4xf16>
func.func @half(%x: tensor<4xf16>) -> tensor<4xf16> {
  %0 = nn.relu %x : tensor<4xf16>
  func.return %0 : tensor<4xf16>
}

// A quotient by a constant is a product with its reciprocal, corrected by what is left over.
// CHECK-LABEL: func.func @division_by_a_constant(
// CHECK:         ^bb0(%1: f32):
// CHECK-NEXT:      %2 = arith.constant 6.000000e+00 : f32
// CHECK-NEXT:      %3 = arith.constant 0.166666672 : f32
// CHECK-NEXT:      %4 = arith.mulf %1, %3 : f32
// CHECK-NEXT:      %5 = arith.negf %4 : f32
// CHECK-NEXT:      %6 = math.fma %5, %2, %1 : f32
// CHECK-NEXT:      %7 = arith.constant 0.166666672 : f32
// CHECK-NEXT:      %8 = math.fma %6, %7, %4 : f32
// CHECK-NEXT:      %9 = arith.constant 0.000000e+00 : f32
// CHECK-NEXT:      %10 = arith.cmpf ueq, %8, %9 : f32
// CHECK-NEXT:      %11 = arith.select %10, %4, %8 : f32
// CHECK-NEXT:      kernel.yield %11 : f32
func.func @division_by_a_constant(%x: tensor<4xf32>) -> tensor<4xf32> {
  %c = nn.constant dense<6.0> : tensor<f32>
  %0 = nn.divide %x, %c : (tensor<4xf32>, tensor<f32>) -> tensor<4xf32>
  func.return %0 : tensor<4xf32>
}

// The reciprocal of a power of two is exact.
// CHECK-LABEL: func.func @division_by_a_power_of_two(
// CHECK:         arith.constant 2.500000e-01 : f32
// CHECK-NEXT:    arith.mulf
// CHECK-NEXT:    kernel.yield
func.func @division_by_a_power_of_two(%x: tensor<4xf32>) -> tensor<4xf32> {
  %c = nn.constant dense<4.0> : tensor<f32>
  %0 = nn.divide %x, %c : (tensor<4xf32>, tensor<f32>) -> tensor<4xf32>
  func.return %0 : tensor<4xf32>
}

// The reciprocal of this one is subnormal; and f64 is divided.
// CHECK-LABEL: func.func @other_divisions(
// CHECK:         arith.divf %{{.*}} : f32
// CHECK:         arith.divf %{{.*}} : f64
func.func @other_divisions(%x: tensor<4xf32>, %y: tensor<4xf64>) -> (tensor<4xf32>, tensor<4xf64>) {
  %c = nn.constant dense<2.0e+38> : tensor<f32>
  %0 = nn.divide %x, %c : (tensor<4xf32>, tensor<f32>) -> tensor<4xf32>
  %d = nn.constant dense<6.0> : tensor<f64>
  %1 = nn.divide %y, %d : (tensor<4xf64>, tensor<f64>) -> tensor<4xf64>
  func.return %0, %1 : tensor<4xf32>, tensor<4xf64>
}
