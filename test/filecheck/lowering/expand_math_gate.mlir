// RUN: opt-tool %s --expand-math | filecheck %s

// What a gate lets through is one division; y is multiplied last, however small it is.
// CHECK-LABEL: func.func @gate(
// CHECK:       %0 = kernel.map [4] ins(%x, %y : tensor<4xf32>, tensor<4xf32>) outs() access [affine_map<(d0) -> (d0)>, affine_map<(d0) -> (d0)>, affine_map<(d0) -> (d0)>] -> tensor<4xf32> {
// CHECK-NEXT:  ^bb0(%1: f32, %2: f32):
// CHECK-NEXT:    %3 = arith.constant -1.040000e+02 : f32
// CHECK-NEXT:    %4 = arith.cmpf ogt, %3, %1 : f32
// CHECK-NEXT:    %5 = arith.select %4, %3, %1 : f32
// CHECK-NEXT:    %6 = arith.constant 4.000000e+01 : f32
// CHECK-NEXT:    %7 = arith.cmpf ogt, %5, %6 : f32
// CHECK-NEXT:    %8 = arith.select %7, %6, %5 : f32
// CHECK-NEXT:    %9 = arith.negf %8 : f32
// CHECK-NEXT:    %10 = arith.constant 1.44269502 : f32
// CHECK-NEXT:    %11 = arith.constant 0x4B40004A : f32
// CHECK-NEXT:    %12 = math.fma %9, %10, %11 : f32
// CHECK-NEXT:    %13 = arith.constant 0x4B40004A : f32
// CHECK-NEXT:    %14 = arith.subf %12, %13 : f32
// CHECK-NEXT:    %15 = arith.constant -0.693147182 : f32
// CHECK-NEXT:    %16 = math.fma %14, %15, %9 : f32
// CHECK-NEXT:    %17 = arith.bitcast %12 : f32 to i32
// CHECK-NEXT:    %18 = arith.constant 23 : i32
// CHECK-NEXT:    %19 = arith.shli %17, %18 : i32
// CHECK-NEXT:    %20 = arith.bitcast %19 : i32 to f32
// CHECK-NEXT:    %21 = arith.constant 0.00829027221 : f32
// CHECK-NEXT:    %22 = arith.constant 0.0418981612 : f32
// CHECK-NEXT:    %23 = math.fma %21, %16, %22 : f32
// CHECK-NEXT:    %24 = arith.constant 0.166676387 : f32
// CHECK-NEXT:    %25 = math.fma %23, %16, %24 : f32
// CHECK-NEXT:    %26 = arith.constant 0.499991477 : f32
// CHECK-NEXT:    %27 = math.fma %25, %16, %26 : f32
// CHECK-NEXT:    %28 = arith.constant 0.999999702 : f32
// CHECK-NEXT:    %29 = math.fma %27, %16, %28 : f32
// CHECK-NEXT:    %30 = arith.constant 1.000000e+00 : f32
// CHECK-NEXT:    %31 = math.fma %29, %16, %30 : f32
// CHECK-NEXT:    %32 = arith.constant 1.11022302e-16 : f32
// CHECK-NEXT:    %33 = math.fma %31, %20, %32 : f32
// CHECK-NEXT:    %34 = arith.constant -7.90531111 : f32
// CHECK-NEXT:    %35 = arith.cmpf ogt, %34, %2 : f32
// CHECK-NEXT:    %36 = arith.select %35, %34, %2 : f32
// CHECK-NEXT:    %37 = arith.constant 7.90531111 : f32
// CHECK-NEXT:    %38 = arith.cmpf ogt, %36, %37 : f32
// CHECK-NEXT:    %39 = arith.select %38, %37, %36 : f32
// CHECK-NEXT:    %40 = arith.mulf %39, %39 : f32
// CHECK-NEXT:    %41 = arith.constant 1.99157443e-18 : f32
// CHECK-NEXT:    %42 = arith.constant 2.84394383e-15 : f32
// CHECK-NEXT:    %43 = math.fma %41, %40, %42 : f32
// CHECK-NEXT:    %44 = arith.constant 4.62255234e-13 : f32
// CHECK-NEXT:    %45 = math.fma %43, %40, %44 : f32
// CHECK-NEXT:    %46 = arith.constant 1.73739269e-11 : f32
// CHECK-NEXT:    %47 = math.fma %45, %40, %46 : f32
// CHECK-NEXT:    %48 = arith.constant 1.29171063e-10 : f32
// CHECK-NEXT:    %49 = math.fma %47, %40, %48 : f32
// CHECK-NEXT:    %50 = arith.constant 398.260437 : f32
// CHECK-NEXT:    %51 = arith.addf %40, %50 : f32
// CHECK-NEXT:    %52 = arith.constant 30472.2852 : f32
// CHECK-NEXT:    %53 = math.fma %51, %40, %52 : f32
// CHECK-NEXT:    %54 = arith.constant 544313.625 : f32
// CHECK-NEXT:    %55 = math.fma %53, %40, %54 : f32
// CHECK-NEXT:    %56 = arith.constant 1163469.5 : f32
// CHECK-NEXT:    %57 = math.fma %55, %40, %56 : f32
// CHECK-NEXT:    %58 = arith.mulf %33, %57 : f32
// CHECK-NEXT:    %59 = arith.divf %49, %58 : f32
// CHECK-NEXT:    %60 = arith.mulf %39, %59 : f32
// CHECK-NEXT:    kernel.yield %60 : f32
// CHECK:       func.return %0 : tensor<4xf32>
func.func @gate(%x: tensor<4xf32>, %y: tensor<4xf32>) -> tensor<4xf32> {
  %0 = kernel.map [4] ins(%x, %y : tensor<4xf32>, tensor<4xf32>) outs() access [affine_map<(d0) -> (d0)>, affine_map<(d0) -> (d0)>, affine_map<(d0) -> (d0)>] -> tensor<4xf32> {
  ^bb0(%1: f32, %2: f32):
    %3 = kernel.sigmoid %1 : f32
    %4 = math.tanh %2 : f32
    %5 = arith.mulf %4, %3 : f32
    kernel.yield %5 : f32
  }
  func.return %0 : tensor<4xf32>
}

// What another value is multiplied by needs no regard to the sign of x.
// CHECK-LABEL: func.func @swish(
// CHECK-NOT:   math.absf
// CHECK:       [[GATE:%\w+]] = arith.divf
// CHECK-NEXT:  [[Y:%\w+]] = arith.mulf %1, [[GATE]] : f32
// CHECK-NEXT:  kernel.yield [[Y]] : f32
func.func @swish(%x: tensor<4xf32>) -> tensor<4xf32> {
  %0 = kernel.map [4] ins(%x : tensor<4xf32>) outs() access [affine_map<(d0) -> (d0)>, affine_map<(d0) -> (d0)>] -> tensor<4xf32> {
  ^bb0(%1: f32):
    %2 = kernel.sigmoid %1 : f32
    %3 = arith.mulf %2, %1 : f32
    kernel.yield %3 : f32
  }
  func.return %0 : tensor<4xf32>
}

// The square of a sigmoid is no gate.
// CHECK-LABEL: func.func @square(
// CHECK:       math.absf
func.func @square(%x: tensor<4xf32>) -> tensor<4xf32> {
  %0 = kernel.map [4] ins(%x : tensor<4xf32>) outs() access [affine_map<(d0) -> (d0)>, affine_map<(d0) -> (d0)>] -> tensor<4xf32> {
  ^bb0(%1: f32):
    %2 = kernel.sigmoid %1 : f32
    %3 = arith.mulf %2, %2 : f32
    kernel.yield %3 : f32
  }
  func.return %0 : tensor<4xf32>
}

// What is used otherwise too is computed by itself.
// CHECK-LABEL: func.func @used_otherwise(
// CHECK-COUNT-2: arith.divf
// CHECK-NOT:     arith.divf
func.func @used_otherwise(%x: tensor<4xf32>, %y: tensor<4xf32>) -> tensor<4xf32> {
  %0 = kernel.map [4] ins(%x, %y : tensor<4xf32>, tensor<4xf32>) outs() access [affine_map<(d0) -> (d0)>, affine_map<(d0) -> (d0)>, affine_map<(d0) -> (d0)>] -> tensor<4xf32> {
  ^bb0(%1: f32, %2: f32):
    %3 = kernel.sigmoid %1 : f32
    %4 = math.tanh %2 : f32
    %5 = arith.mulf %3, %4 : f32
    %6 = arith.addf %5, %3 : f32
    kernel.yield %6 : f32
  }
  func.return %0 : tensor<4xf32>
}

// In f64 as well.
// CHECK-LABEL: func.func @wide(
// CHECK-COUNT-2: arith.divf
// CHECK-NOT:     arith.divf
func.func @wide(%x: tensor<4xf64>, %y: tensor<4xf64>) -> tensor<4xf64> {
  %0 = kernel.map [4] ins(%x, %y : tensor<4xf64>, tensor<4xf64>) outs() access [affine_map<(d0) -> (d0)>, affine_map<(d0) -> (d0)>, affine_map<(d0) -> (d0)>] -> tensor<4xf64> {
  ^bb0(%1: f64, %2: f64):
    %3 = kernel.sigmoid %1 : f64
    %4 = math.tanh %2 : f64
    %5 = arith.mulf %3, %4 : f64
    kernel.yield %5 : f64
  }
  func.return %0 : tensor<4xf64>
}
