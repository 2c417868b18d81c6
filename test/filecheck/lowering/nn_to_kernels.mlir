// RUN: opt-tool %s --nn-to-kernels | filecheck %s

// Operands broadcast by access; a constant that repeats one element is a number in the body.
// CHECK-LABEL: func.func @broadcast(
// CHECK:         %half = nn.constant dense<0.5> : tensor<f32>
// CHECK-NEXT:    %0 = kernel.map [2, 4] ins(%x, %row : tensor<2x4xf32>, tensor<4xf32>) outs() access [affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d1)>, affine_map<(d0, d1) -> (d0, d1)>] attributes {kernel.origins = [{name = "sum", type = "Add", low_precision = false}]} -> tensor<2x4xf32> {
// CHECK-NEXT:    ^bb0(%1: f32, %2: f32):
// CHECK-NEXT:      %3 = arith.addf %1, %2 : f32
// CHECK-NEXT:      kernel.yield %3 : f32
// CHECK:         %4 = kernel.map [2, 4] ins(%0, %column : tensor<2x4xf32>, tensor<2x1xf32>) outs() access [affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d0, 0)>, affine_map<(d0, d1) -> (d0, d1)>] -> tensor<2x4xf32> {
// CHECK-NEXT:    ^bb0(%5: f32, %6: f32):
// CHECK-NEXT:      %7 = arith.mulf %5, %6 : f32
// CHECK-NEXT:      kernel.yield %7 : f32
// CHECK:         %8 = kernel.map [2, 4] ins(%4 : tensor<2x4xf32>) outs() access [affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d0, d1)>] -> tensor<2x4xf32> {
// CHECK-NEXT:    ^bb0(%9: f32):
// CHECK-NEXT:      %10 = arith.constant 5.000000e-01 : f32
// CHECK-NEXT:      %11 = arith.subf %9, %10 : f32
// CHECK-NEXT:      kernel.yield %11 : f32
// CHECK:         func.return %8 : tensor<2x4xf32>
func.func @broadcast(%x: tensor<2x4xf32>, %row: tensor<4xf32>, %column: tensor<2x1xf32>) -> tensor<2x4xf32> {
  %half = nn.constant dense<0.5> : tensor<f32>
  %0 = nn.add %x, %row {nn.name = "sum"} : (tensor<2x4xf32>, tensor<4xf32>) -> tensor<2x4xf32>
  %1 = nn.multiply %0, %column : (tensor<2x4xf32>, tensor<2x1xf32>) -> tensor<2x4xf32>
  %2 = nn.subtract %1, %half : (tensor<2x4xf32>, tensor<f32>) -> tensor<2x4xf32>
  func.return %2 : tensor<2x4xf32>
}

// CHECK-LABEL: func.func @functions(
// CHECK:         %0 = kernel.map [4] ins(%x : tensor<4xf32>) outs() access [affine_map<(d0) -> (d0)>, affine_map<(d0) -> (d0)>] -> tensor<4xf32> {
// CHECK-NEXT:    ^bb0(%1: f32):
// CHECK-NEXT:      %2 = arith.constant 0.000000e+00 : f32
// CHECK-NEXT:      %3 = arith.cmpf ogt, %2, %1 : f32
// CHECK-NEXT:      %4 = arith.select %3, %2, %1 : f32
// CHECK-NEXT:      kernel.yield %4 : f32
// CHECK:         %5 = kernel.map [4] ins(%0 : tensor<4xf32>) outs() access [affine_map<(d0) -> (d0)>, affine_map<(d0) -> (d0)>] -> tensor<4xf32> {
// CHECK-NEXT:    ^bb0(%6: f32):
// CHECK-NEXT:      %7 = kernel.sigmoid %6 : f32
// CHECK-NEXT:      kernel.yield %7 : f32
// CHECK:         %8 = kernel.map [4] ins(%5 : tensor<4xf32>) outs() access [affine_map<(d0) -> (d0)>, affine_map<(d0) -> (d0)>] -> tensor<4xf32> {
// CHECK-NEXT:    ^bb0(%9: f32):
// CHECK-NEXT:      %10 = math.tanh %9 : f32
// CHECK-NEXT:      kernel.yield %10 : f32
// CHECK:         %11 = kernel.map [4] ins(%8 : tensor<4xf32>) outs() access [affine_map<(d0) -> (d0)>, affine_map<(d0) -> (d0)>] -> tensor<4xf32> {
// CHECK-NEXT:    ^bb0(%12: f32):
// CHECK-NEXT:      %13 = arith.constant -1.000000e+00 : f32
// CHECK-NEXT:      %14 = arith.cmpf ogt, %13, %12 : f32
// CHECK-NEXT:      %15 = arith.select %14, %13, %12 : f32
// CHECK-NEXT:      %16 = arith.constant 5.000000e-01 : f32
// CHECK-NEXT:      %17 = arith.cmpf ogt, %15, %16 : f32
// CHECK-NEXT:      %18 = arith.select %17, %16, %15 : f32
// CHECK-NEXT:      kernel.yield %18 : f32
// CHECK:         %19 = kernel.map [4] ins(%11, %y : tensor<4xf32>, tensor<4xf32>) outs() access [affine_map<(d0) -> (d0)>, affine_map<(d0) -> (d0)>, affine_map<(d0) -> (d0)>] -> tensor<4xf32> {
// CHECK-NEXT:    ^bb0(%20: f32, %21: f32):
// CHECK-NEXT:      %22 = arith.divf %20, %21 : f32
// CHECK-NEXT:      kernel.yield %22 : f32
// CHECK:         %23 = kernel.map [4] ins(%19, %y : tensor<4xf32>, tensor<4xf32>) outs() access [affine_map<(d0) -> (d0)>, affine_map<(d0) -> (d0)>, affine_map<(d0) -> (d0)>] -> tensor<4xf32> {
// CHECK-NEXT:    ^bb0(%24: f32, %25: f32):
// CHECK-NEXT:      %26 = arith.maximumf %24, %25 : f32
// CHECK-NEXT:      kernel.yield %26 : f32
// CHECK:         %27 = kernel.map [4] ins(%23, %y : tensor<4xf32>, tensor<4xf32>) outs() access [affine_map<(d0) -> (d0)>, affine_map<(d0) -> (d0)>, affine_map<(d0) -> (d0)>] -> tensor<4xf32> {
// CHECK-NEXT:    ^bb0(%28: f32, %29: f32):
// CHECK-NEXT:      %30 = arith.minimumf %28, %29 : f32
// CHECK-NEXT:      kernel.yield %30 : f32
// CHECK:         func.return %27 : tensor<4xf32>
func.func @functions(%x: tensor<4xf32>, %y: tensor<4xf32>) -> tensor<4xf32> {
  %0 = nn.relu %x : tensor<4xf32>
  %1 = nn.sigmoid %0 : tensor<4xf32>
  %2 = nn.tanh %1 : tensor<4xf32>
  %3 = nn.clamp %2 {min = -1.0 : f64, max = 0.5 : f64} : tensor<4xf32>
  %4 = nn.divide %3, %y : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
  %5 = nn.maximum %4, %y : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
  %6 = nn.minimum %5, %y : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
  func.return %6 : tensor<4xf32>
}

// 8-bit integers are i32 in bodies, so what overflows wraps by hand; limits of a clamp are whole.
// CHECK-LABEL: func.func @integers(
// CHECK:         %0 = kernel.map [4] ins(%x, %y : tensor<4xi8>, tensor<4xi8>) outs() access [affine_map<(d0) -> (d0)>, affine_map<(d0) -> (d0)>, affine_map<(d0) -> (d0)>] -> tensor<4xi8> {
// CHECK-NEXT:    ^bb0(%1: i32, %2: i32):
// CHECK-NEXT:      %3 = arith.addi %1, %2 : i32
// CHECK-NEXT:      %4 = arith.constant 24 : i32
// CHECK-NEXT:      %5 = arith.shli %3, %4 : i32
// CHECK-NEXT:      %6 = arith.shrsi %5, %4 : i32
// CHECK-NEXT:      kernel.yield %6 : i32
// CHECK:         %7 = kernel.map [4] ins(%0 : tensor<4xi8>) outs() access [affine_map<(d0) -> (d0)>, affine_map<(d0) -> (d0)>] -> tensor<4xi8> {
// CHECK-NEXT:    ^bb0(%8: i32):
// CHECK-NEXT:      %9 = arith.constant -1 : i32
// CHECK-NEXT:      %10 = arith.cmpi sgt, %9, %8 : i32
// CHECK-NEXT:      %11 = arith.select %10, %9, %8 : i32
// CHECK-NEXT:      %12 = arith.constant 127 : i32
// CHECK-NEXT:      %13 = arith.cmpi sgt, %11, %12 : i32
// CHECK-NEXT:      %14 = arith.select %13, %12, %11 : i32
// CHECK-NEXT:      kernel.yield %14 : i32
// CHECK:         func.return %7 : tensor<4xi8>
func.func @integers(%x: tensor<4xi8>, %y: tensor<4xi8>) -> tensor<4xi8> {
  %0 = nn.add %x, %y : (tensor<4xi8>, tensor<4xi8>) -> tensor<4xi8>
  %1 = nn.clamp %0 {min = -1.5 : f64, max = 600.0 : f64} : tensor<4xi8>
  func.return %1 : tensor<4xi8>
}

// CHECK-LABEL: func.func @convert(
// CHECK:         %0 = kernel.map [4] ins(%x : tensor<4xui8>) outs() access [affine_map<(d0) -> (d0)>, affine_map<(d0) -> (d0)>] -> tensor<4xf32> {
// CHECK-NEXT:    ^bb0(%1: i32):
// CHECK-NEXT:      %2 = arith.uitofp %1 : i32 to f32
// CHECK-NEXT:      kernel.yield %2 : f32
// CHECK:         %3 = kernel.map [4] ins(%x : tensor<4xui8>) outs() access [affine_map<(d0) -> (d0)>, affine_map<(d0) -> (d0)>] -> tensor<4xi8> {
// CHECK-NEXT:    ^bb0(%4: i32):
// CHECK-NEXT:      %5 = arith.constant 24 : i32
// CHECK-NEXT:      %6 = arith.shli %4, %5 : i32
// CHECK-NEXT:      %7 = arith.shrsi %6, %5 : i32
// CHECK-NEXT:      kernel.yield %7 : i32
// CHECK:         %8 = kernel.map [4] ins(%0 : tensor<4xf32>) outs() access [affine_map<(d0) -> (d0)>, affine_map<(d0) -> (d0)>] -> tensor<4xi1> {
// CHECK-NEXT:    ^bb0(%9: f32):
// CHECK-NEXT:      %10 = arith.constant 0.000000e+00 : f32
// CHECK-NEXT:      %11 = arith.cmpf une, %9, %10 : f32
// CHECK-NEXT:      kernel.yield %11 : i1
// CHECK:         %12 = kernel.map [4] ins(%b : tensor<4xi1>) outs() access [affine_map<(d0) -> (d0)>, affine_map<(d0) -> (d0)>] -> tensor<4xf32> {
// CHECK-NEXT:    ^bb0(%13: i1):
// CHECK-NEXT:      %14 = arith.uitofp %13 : i1 to f32
// CHECK-NEXT:      kernel.yield %14 : f32
// CHECK:         func.return %0, %3, %8, %12 : tensor<4xf32>, tensor<4xi8>, tensor<4xi1>, tensor<4xf32>
func.func @convert(%x: tensor<4xui8>, %b: tensor<4xi1>) -> (tensor<4xf32>, tensor<4xi8>, tensor<4xi1>, tensor<4xf32>) {
  %0 = nn.convert %x to f32 : tensor<4xui8> -> tensor<4xf32>
  %1 = nn.convert %x to i8 : tensor<4xui8> -> tensor<4xi8>
  %2 = nn.convert %0 to i1 : tensor<4xf32> -> tensor<4xi1>
  %3 = nn.convert %b to f32 : tensor<4xi1> -> tensor<4xf32>
  func.return %0, %1, %2, %3 : tensor<4xf32>, tensor<4xi8>, tensor<4xi1>, tensor<4xf32>
}

// Movement is access.
// CHECK-LABEL: func.func @movement(
// CHECK:         %axis = nn.constant dense<-1> : tensor<i64>
// CHECK-NEXT:    %order = nn.constant dense<[1, 0]> : tensor<2xi64>
// CHECK-NEXT:    %start = nn.constant dense<[-1]> : tensor<1xi64>
// CHECK-NEXT:    %stop = nn.constant dense<[-100]> : tensor<1xi64>
// CHECK-NEXT:    %step = nn.constant dense<[-2]> : tensor<1xi64>
// CHECK-NEXT:    %axes = nn.constant dense<[0]> : tensor<1xi64>
// CHECK-NEXT:    %target = nn.constant dense<[2, 4, 6]> : tensor<3xi64>
// CHECK-NEXT:    %0 = kernel.map [6, 4] ins(%x : tensor<4x6xf32>) outs() access [affine_map<(d0, d1) -> (d1, d0)>, affine_map<(d0, d1) -> (d0, d1)>] -> tensor<6x4xf32> {
// CHECK-NEXT:    ^bb0(%1: f32):
// CHECK-NEXT:      kernel.yield %1 : f32
// CHECK:         %2 = kernel.map [4, 3] ins(%x : tensor<4x6xf32>) outs() access [affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d0, d1)>] -> tensor<4x3xf32> {
// CHECK-NEXT:    ^bb0(%3: f32):
// CHECK-NEXT:      kernel.yield %3 : f32
// CHECK:         %4 = kernel.map [4, 3] ins(%x : tensor<4x6xf32>) outs() access [affine_map<(d0, d1) -> (d0, (d1 + 3))>, affine_map<(d0, d1) -> (d0, d1)>] -> tensor<4x3xf32> {
// CHECK-NEXT:    ^bb0(%5: f32):
// CHECK-NEXT:      kernel.yield %5 : f32
// CHECK:         %6 = kernel.map [2, 6] ins(%x : tensor<4x6xf32>) outs() access [affine_map<(d0, d1) -> (((d0 * -2) + 3), d1)>, affine_map<(d0, d1) -> (d0, d1)>] -> tensor<2x6xf32> {
// CHECK-NEXT:    ^bb0(%7: f32):
// CHECK-NEXT:      kernel.yield %7 : f32
// CHECK:         %8 = kernel.map [2, 4, 6] ins(%x : tensor<4x6xf32>) outs() access [affine_map<(d0, d1, d2) -> (d1, d2)>, affine_map<(d0, d1, d2) -> (d0, d1, d2)>] -> tensor<2x4x6xf32> {
// CHECK-NEXT:    ^bb0(%9: f32):
// CHECK-NEXT:      kernel.yield %9 : f32
// CHECK:         func.return %0, %4, %6, %8 : tensor<6x4xf32>, tensor<4x3xf32>, tensor<2x6xf32>, tensor<2x4x6xf32>
func.func @movement(%x: tensor<4x6xf32>) -> (tensor<6x4xf32>, tensor<4x3xf32>, tensor<2x6xf32>, tensor<2x4x6xf32>) {
  %axis = nn.constant dense<-1> : tensor<i64>
  %order = nn.constant dense<[1, 0]> : tensor<2xi64>
  %start = nn.constant dense<[-1]> : tensor<1xi64>
  %stop = nn.constant dense<[-100]> : tensor<1xi64>
  %step = nn.constant dense<[-2]> : tensor<1xi64>
  %axes = nn.constant dense<[0]> : tensor<1xi64>
  %target = nn.constant dense<[2, 4, 6]> : tensor<3xi64>
  %0 = nn.transpose %x, %order : (tensor<4x6xf32>, tensor<2xi64>) -> tensor<6x4xf32>
  %1, %2 = nn.split %x, %axis {num_splits = 2 : i64} : (tensor<4x6xf32>, tensor<i64>) -> (tensor<4x3xf32>, tensor<4x3xf32>)
  %3 = nn.slice %x, %start, %stop, %step, %axes : (tensor<4x6xf32>, tensor<1xi64>, tensor<1xi64>, tensor<1xi64>, tensor<1xi64>) -> tensor<2x6xf32>
  %4 = nn.broadcast %x, %target : (tensor<4x6xf32>, tensor<3xi64>) -> tensor<2x4x6xf32>
  func.return %0, %2, %3, %4 : tensor<6x4xf32>, tensor<4x3xf32>, tensor<2x6xf32>, tensor<2x4x6xf32>
}

// CHECK-LABEL: func.func @shape(
// CHECK:         %axis = nn.constant dense<[1]> : tensor<1xi64>
// CHECK-NEXT:    %shape = nn.constant dense<[-1]> : tensor<1xi64>
// CHECK-NEXT:    %0 = kernel.concat %x, %y axis 1 : (tensor<1x4xf32>, tensor<1x2xf32>) -> tensor<1x6xf32>
// CHECK-NEXT:    %1 = kernel.reshape %0 : tensor<1x6xf32> -> tensor<1x1x6xf32>
// CHECK-NEXT:    %2 = nn.constant dense<[1, 6]> : tensor<2xi64>
// CHECK-NEXT:    func.return %1, %2 : tensor<1x1x6xf32>, tensor<2xi64>
func.func @shape(%x: tensor<1x4xf32>, %y: tensor<1x2xf32>) -> (tensor<1x1x6xf32>, tensor<2xi64>) {
  %axis = nn.constant dense<[1]> : tensor<1xi64>
  %shape = nn.constant dense<[-1]> : tensor<1xi64>
  %0 = nn.concat %x, %y {axis = -1 : i64} : (tensor<1x4xf32>, tensor<1x2xf32>) -> tensor<1x6xf32>
  %1 = nn.unsqueeze %0, %axis : (tensor<1x6xf32>, tensor<1xi64>) -> tensor<1x1x6xf32>
  %2 = nn.shape_of %0 : tensor<1x6xf32> -> tensor<2xi64>
  func.return %1, %2 : tensor<1x1x6xf32>, tensor<2xi64>
}

// Codes from 0: the steps alone.
// CHECK-LABEL: func.func @quantize(
// CHECK:         %il = nn.constant dense<0.0> : tensor<f32>
// CHECK-NEXT:    %ih = nn.constant dense<2.55> : tensor<f32>
// CHECK-NEXT:    %ol = nn.constant dense<0.0> : tensor<f32>
// CHECK-NEXT:    %oh = nn.constant dense<255.0> : tensor<f32>
// CHECK-NEXT:    %0 = kernel.map [4] ins(%x : tensor<4xf32>) outs() access [affine_map<(d0) -> (d0)>, affine_map<(d0) -> (d0)>] attributes {kernel.origins = [{name = "q", type = "FakeQuantize", low_precision = true}]} -> tensor<4xui8> {
// CHECK-NEXT:    ^bb0(%1: f32):
// CHECK-NEXT:      %2 = arith.constant 1.000000e+02 : f32
// CHECK-NEXT:      %3 = arith.mulf %1, %2 : f32
// CHECK-NEXT:      %4 = math.roundeven %3 : f32
// CHECK-NEXT:      %5 = arith.constant 0.000000e+00 : f32
// CHECK-NEXT:      %6 = arith.cmpf ogt, %5, %4 : f32
// CHECK-NEXT:      %7 = arith.select %6, %5, %4 : f32
// CHECK-NEXT:      %8 = arith.constant 2.550000e+02 : f32
// CHECK-NEXT:      %9 = arith.cmpf ogt, %7, %8 : f32
// CHECK-NEXT:      %10 = arith.select %9, %8, %7 : f32
// CHECK-NEXT:      %11 = arith.fptosi %10 : f32 to i32
// CHECK-NEXT:      kernel.yield %11 : i32
// CHECK:         func.return %0 : tensor<4xui8>
func.func @quantize(%x: tensor<4xf32>) -> tensor<4xui8> {
  %il = nn.constant dense<0.0> : tensor<f32>
  %ih = nn.constant dense<2.55> : tensor<f32>
  %ol = nn.constant dense<0.0> : tensor<f32>
  %oh = nn.constant dense<255.0> : tensor<f32>
  %0 = qnn.fake_quantize %x, %il, %ih, %ol, %oh {levels = 256 : i64, output_type = ui8, nn.name = "q"} : (tensor<4xf32>, tensor<f32>, tensor<f32>, tensor<f32>, tensor<f32>) -> tensor<4xui8>
  func.return %0 : tensor<4xui8>
}

// An even first code needs no shift: -128; an odd one does: -127.
// CHECK-LABEL: func.func @quantize_shift(
// CHECK:         %0 = nn.constant dense<-64.0> : tensor<f32>
// CHECK-NEXT:    %1 = nn.constant dense<63.5> : tensor<f32>
// CHECK-NEXT:    %2 = nn.constant dense<-128.0> : tensor<f32>
// CHECK-NEXT:    %3 = nn.constant dense<127.0> : tensor<f32>
// CHECK-NEXT:    %4 = nn.constant dense<-63.5> : tensor<f32>
// CHECK-NEXT:    %5 = nn.constant dense<-127.0> : tensor<f32>
// CHECK-NEXT:    %6 = kernel.map [4] ins(%x : tensor<4xf32>) outs() access [affine_map<(d0) -> (d0)>, affine_map<(d0) -> (d0)>] -> tensor<4xi8> {
// CHECK-NEXT:    ^bb0(%7: f32):
// CHECK-NEXT:      %8 = arith.constant 2.000000e+00 : f32
// CHECK-NEXT:      %9 = arith.mulf %7, %8 : f32
// CHECK-NEXT:      %10 = math.roundeven %9 : f32
// CHECK-NEXT:      %11 = arith.constant -1.280000e+02 : f32
// CHECK-NEXT:      %12 = arith.cmpf ogt, %11, %10 : f32
// CHECK-NEXT:      %13 = arith.select %12, %11, %10 : f32
// CHECK-NEXT:      %14 = arith.constant 1.270000e+02 : f32
// CHECK-NEXT:      %15 = arith.cmpf ogt, %13, %14 : f32
// CHECK-NEXT:      %16 = arith.select %15, %14, %13 : f32
// CHECK-NEXT:      %17 = arith.fptosi %16 : f32 to i32
// CHECK-NEXT:      kernel.yield %17 : i32
// CHECK:         %18 = kernel.map [4] ins(%x : tensor<4xf32>) outs() access [affine_map<(d0) -> (d0)>, affine_map<(d0) -> (d0)>] -> tensor<4xi8> {
// CHECK-NEXT:    ^bb0(%19: f32):
// CHECK-NEXT:      %20 = arith.constant 2.000000e+00 : f32
// CHECK-NEXT:      %21 = arith.constant 1.270000e+02 : f32
// CHECK-NEXT:      %22 = arith.constant -1.270000e+02 : f32
// CHECK-NEXT:      %23 = math.fma %19, %20, %21 : f32
// CHECK-NEXT:      %24 = math.roundeven %23 : f32
// CHECK-NEXT:      %25 = arith.constant 0.000000e+00 : f32
// CHECK-NEXT:      %26 = arith.cmpf ogt, %25, %24 : f32
// CHECK-NEXT:      %27 = arith.select %26, %25, %24 : f32
// CHECK-NEXT:      %28 = arith.constant 2.540000e+02 : f32
// CHECK-NEXT:      %29 = arith.cmpf ogt, %27, %28 : f32
// CHECK-NEXT:      %30 = arith.select %29, %28, %27 : f32
// CHECK-NEXT:      %31 = arith.addf %30, %22 : f32
// CHECK-NEXT:      %32 = math.roundeven %31 : f32
// CHECK-NEXT:      %33 = arith.fptosi %32 : f32 to i32
// CHECK-NEXT:      kernel.yield %33 : i32
// CHECK:         func.return %6, %18 : tensor<4xi8>, tensor<4xi8>
func.func @quantize_shift(%x: tensor<4xf32>) -> (tensor<4xi8>, tensor<4xi8>) {
  %0 = nn.constant dense<-64.0> : tensor<f32>
  %1 = nn.constant dense<63.5> : tensor<f32>
  %2 = nn.constant dense<-128.0> : tensor<f32>
  %3 = nn.constant dense<127.0> : tensor<f32>
  %4 = nn.constant dense<-63.5> : tensor<f32>
  %5 = nn.constant dense<-127.0> : tensor<f32>
  %6 = qnn.fake_quantize %x, %0, %1, %2, %3 {levels = 256 : i64, output_type = i8} : (tensor<4xf32>, tensor<f32>, tensor<f32>, tensor<f32>, tensor<f32>) -> tensor<4xi8>
  %7 = qnn.fake_quantize %x, %4, %1, %5, %3 {levels = 255 : i64, output_type = i8} : (tensor<4xf32>, tensor<f32>, tensor<f32>, tensor<f32>, tensor<f32>) -> tensor<4xi8>
  func.return %6, %7 : tensor<4xi8>, tensor<4xi8>
}

// Values, not codes: by out_step and out_low, here for each channel.
// CHECK-LABEL: func.func @quantize_values(
// CHECK:         %0 = nn.constant dense<[0.0, 1.0]> : tensor<2xf32>
// CHECK-NEXT:    %1 = nn.constant dense<[3.0, 4.0]> : tensor<2xf32>
// CHECK-NEXT:    %2 = nn.constant dense<[0.0, -1.0]> : tensor<2xf32>
// CHECK-NEXT:    %3 = nn.constant dense<[0.0, 1.0]> : tensor<2xf32>
// CHECK-NEXT:    %4 = kernel.map [1, 2] ins(%x, %2, %3 : tensor<1x2xf32>, tensor<2xf32>, tensor<2xf32>) outs() access [affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d1)>, affine_map<(d0, d1) -> (d1)>, affine_map<(d0, d1) -> (d0, d1)>] -> tensor<1x2xf32> {
// CHECK-NEXT:    ^bb0(%5: f32, %6: f32, %7: f32):
// CHECK-NEXT:      %8 = arith.constant 1.000000e+00 : f32
// CHECK-NEXT:      %9 = math.fma %5, %8, %6 : f32
// CHECK-NEXT:      %10 = math.roundeven %9 : f32
// CHECK-NEXT:      %11 = arith.constant 0.000000e+00 : f32
// CHECK-NEXT:      %12 = arith.cmpf ogt, %11, %10 : f32
// CHECK-NEXT:      %13 = arith.select %12, %11, %10 : f32
// CHECK-NEXT:      %14 = arith.constant 3.000000e+00 : f32
// CHECK-NEXT:      %15 = arith.cmpf ogt, %13, %14 : f32
// CHECK-NEXT:      %16 = arith.select %15, %14, %13 : f32
// CHECK-NEXT:      %17 = arith.addf %16, %7 : f32
// CHECK-NEXT:      kernel.yield %17 : f32
// CHECK:         func.return %4 : tensor<1x2xf32>
func.func @quantize_values(%x: tensor<1x2xf32>) -> tensor<1x2xf32> {
  %0 = nn.constant dense<[0.0, 1.0]> : tensor<2xf32>
  %1 = nn.constant dense<[3.0, 4.0]> : tensor<2xf32>
  %2 = qnn.fake_quantize %x, %0, %1, %0, %1 {levels = 4 : i64} : (tensor<1x2xf32>, tensor<2xf32>, tensor<2xf32>, tensor<2xf32>, tensor<2xf32>) -> tensor<1x2xf32>
  func.return %2 : tensor<1x2xf32>
}

// CHECK-LABEL: func.func @dequantize(
// CHECK:         %0 = nn.constant dense<[0.5, 0.25]> : tensor<2xf32>
// CHECK-NEXT:    %1 = kernel.map [2, 2] ins(%x, %0 : tensor<2x2xui8>, tensor<2xf32>) outs() access [affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d1)>, affine_map<(d0, d1) -> (d0, d1)>] -> tensor<2x2xf32> {
// CHECK-NEXT:    ^bb0(%2: i32, %3: f32):
// CHECK-NEXT:      %4 = arith.constant 1.280000e+02 : f32
// CHECK-NEXT:      %5 = arith.uitofp %2 : i32 to f32
// CHECK-NEXT:      %6 = arith.subf %5, %4 : f32
// CHECK-NEXT:      %7 = arith.mulf %6, %3 : f32
// CHECK-NEXT:      kernel.yield %7 : f32
// CHECK:         %8 = kernel.map [2, 2] ins(%x : tensor<2x2xui8>) outs() access [affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d0, d1)>] -> tensor<2x2xf64> {
// CHECK-NEXT:    ^bb0(%9: i32):
// CHECK-NEXT:      %10 = arith.constant 5.000000e-01 : f64
// CHECK-NEXT:      %11 = arith.uitofp %9 : i32 to f64
// CHECK-NEXT:      %12 = arith.mulf %11, %10 : f64
// CHECK-NEXT:      kernel.yield %12 : f64
// CHECK:         func.return %1, %8 : tensor<2x2xf32>, tensor<2x2xf64>
func.func @dequantize(%x: tensor<2x2xui8>) -> (tensor<2x2xf32>, tensor<2x2xf64>) {
  %0 = qnn.dequantize %x scale <dense<[0.5, 0.25]> : tensor<2xf32>> zero_point <dense<128> : tensor<ui8>> : tensor<2x2xui8> -> tensor<2x2xf32>
  %1 = qnn.dequantize %x scale <dense<0.5> : tensor<f64>> zero_point <dense<0> : tensor<ui8>> : tensor<2x2xui8> -> tensor<2x2xf64>
  func.return %0, %1 : tensor<2x2xf32>, tensor<2x2xf64>
}

// The summed dimension last on both sides: by a kernel that moves, or none.
// CHECK-LABEL: func.func @transposes(
// CHECK:         %0 = kernel.mat_mul [2, 4] groups 1 a(%x : tensor<2x3xf32>) b(%y : tensor<4x3xf32>) ins() outs() access [affine_map<(d0, d1) -> (d0, d1)>] -> tensor<2x4xf32> {
// CHECK-NEXT:    ^bb0(%1: f32):
// CHECK-NEXT:      kernel.yield %1 : f32
// CHECK:         %2 = kernel.map [4, 3] ins(%z : tensor<3x4xf32>) outs() access [affine_map<(d0, d1) -> (d1, d0)>, affine_map<(d0, d1) -> (d0, d1)>] -> tensor<4x3xf32> {
// CHECK-NEXT:    ^bb0(%3: f32):
// CHECK-NEXT:      kernel.yield %3 : f32
// CHECK:         %4 = kernel.mat_mul [2, 4] groups 1 a(%x : tensor<2x3xf32>) b(%2 : tensor<4x3xf32>) ins() outs() access [affine_map<(d0, d1) -> (d0, d1)>] -> tensor<2x4xf32> {
// CHECK-NEXT:    ^bb0(%5: f32):
// CHECK-NEXT:      kernel.yield %5 : f32
// CHECK:         %6 = kernel.map [4, 3] ins(%z : tensor<3x4xf32>) outs() access [affine_map<(d0, d1) -> (d1, d0)>, affine_map<(d0, d1) -> (d0, d1)>] -> tensor<4x3xf32> {
// CHECK-NEXT:    ^bb0(%7: f32):
// CHECK-NEXT:      kernel.yield %7 : f32
// CHECK:         %8 = kernel.mat_mul [4, 4] groups 1 a(%6 : tensor<4x3xf32>) b(%y : tensor<4x3xf32>) ins() outs() access [affine_map<(d0, d1) -> (d0, d1)>] -> tensor<4x4xf32> {
// CHECK-NEXT:    ^bb0(%9: f32):
// CHECK-NEXT:      kernel.yield %9 : f32
// CHECK:         func.return
func.func @transposes(%x: tensor<2x3xf32>, %y: tensor<4x3xf32>, %z: tensor<3x4xf32>) {
  %0 = nn.mat_mul %x, %y {transpose_b = true} : (tensor<2x3xf32>, tensor<4x3xf32>) -> tensor<2x4xf32>
  %1 = nn.mat_mul %x, %z : (tensor<2x3xf32>, tensor<3x4xf32>) -> tensor<2x4xf32>
  %2 = nn.mat_mul %z, %y {transpose_a = true, transpose_b = true} : (tensor<3x4xf32>, tensor<4x3xf32>) -> tensor<4x4xf32>
  func.return
}

// A constant is transposed once, here.
// CHECK-LABEL: func.func @constant(
// CHECK:         %w = nn.constant dense<[[1.0, 2.0, 3.0], [4.0, 5.0, 6.0]]> : tensor<2x3xf32>
// CHECK-NEXT:    %0 = nn.constant dense<[[1.0, 4.0], [2.0, 5.0], [3.0, 6.0]]> : tensor<3x2xf32>
// CHECK-NEXT:    %1 = kernel.mat_mul [1, 3] groups 1 a(%x : tensor<1x2xf32>) b(%0 : tensor<3x2xf32>) ins() outs() access [affine_map<(d0, d1) -> (d0, d1)>] -> tensor<1x3xf32> {
// CHECK-NEXT:    ^bb0(%2: f32):
// CHECK-NEXT:      kernel.yield %2 : f32
// CHECK:         func.return %1 : tensor<1x3xf32>
func.func @constant(%x: tensor<1x2xf32>) -> tensor<1x3xf32> {
  %w = nn.constant dense<[[1.0, 2.0, 3.0], [4.0, 5.0, 6.0]]> : tensor<2x3xf32>
  %0 = nn.mat_mul %x, %w : (tensor<1x2xf32>, tensor<2x3xf32>) -> tensor<1x3xf32>
  func.return %0 : tensor<1x3xf32>
}

// CHECK-LABEL: func.func @vectors(
// CHECK:         %0 = kernel.reshape %x : tensor<3xf32> -> tensor<1x3xf32>
// CHECK-NEXT:    %1 = kernel.reshape %x : tensor<3xf32> -> tensor<1x3xf32>
// CHECK-NEXT:    %2 = kernel.mat_mul [1, 1] groups 1 a(%0 : tensor<1x3xf32>) b(%1 : tensor<1x3xf32>) ins() outs() access [affine_map<(d0, d1) -> (d0, d1)>] -> tensor<1x1xf32> {
// CHECK-NEXT:    ^bb0(%3: f32):
// CHECK-NEXT:      kernel.yield %3 : f32
// CHECK:         %4 = kernel.reshape %2 : tensor<1x1xf32> -> tensor<f32>
// CHECK-NEXT:    %5 = kernel.reshape %x : tensor<3xf32> -> tensor<1x3xf32>
// CHECK-NEXT:    %6 = kernel.mat_mul [4, 1] groups 1 a(%y : tensor<4x3xf32>) b(%5 : tensor<1x3xf32>) ins() outs() access [affine_map<(d0, d1) -> (d0, d1)>] -> tensor<4x1xf32> {
// CHECK-NEXT:    ^bb0(%7: f32):
// CHECK-NEXT:      kernel.yield %7 : f32
// CHECK:         %8 = kernel.reshape %6 : tensor<4x1xf32> -> tensor<4xf32>
// CHECK-NEXT:    func.return %4, %8 : tensor<f32>, tensor<4xf32>
func.func @vectors(%x: tensor<3xf32>, %y: tensor<4x3xf32>) -> (tensor<f32>, tensor<4xf32>) {
  %0 = nn.mat_mul %x, %x : (tensor<3xf32>, tensor<3xf32>) -> tensor<f32>
  %1 = nn.mat_mul %y, %x : (tensor<4x3xf32>, tensor<3xf32>) -> tensor<4xf32>
  func.return %0, %1 : tensor<f32>, tensor<4xf32>
}

// Batches repeat on either side; 8-bit operands multiply as they are, f16 in f32, wider integers in f64.
// CHECK-LABEL: func.func @types(
// CHECK:         %0 = kernel.mat_mul [2, 1, 4] groups 1 a(%a : tensor<2x1x3xui8>) b(%b : tensor<4x3xi8>) ins() outs() access [affine_map<(d0, d1, d2) -> (d0, d1, d2)>] -> tensor<2x1x4xi32> {
// CHECK-NEXT:    ^bb0(%1: i32):
// CHECK-NEXT:      kernel.yield %1 : i32
// CHECK:         %2 = kernel.map [1, 3] ins(%h : tensor<1x3xf16>) outs() access [affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d0, d1)>] -> tensor<1x3xf32> {
// CHECK-NEXT:    ^bb0(%3: f32):
// CHECK-NEXT:      kernel.yield %3 : f32
// CHECK:         %4 = kernel.map [1, 3] ins(%h : tensor<1x3xf16>) outs() access [affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d0, d1)>] -> tensor<1x3xf32> {
// CHECK-NEXT:    ^bb0(%5: f32):
// CHECK-NEXT:      kernel.yield %5 : f32
// CHECK:         %6 = kernel.mat_mul [1, 1] groups 1 a(%2 : tensor<1x3xf32>) b(%4 : tensor<1x3xf32>) ins() outs() access [affine_map<(d0, d1) -> (d0, d1)>] -> tensor<1x1xf16> {
// CHECK-NEXT:    ^bb0(%7: f32):
// CHECK-NEXT:      kernel.yield %7 : f32
// CHECK:         %8 = kernel.map [1, 3] ins(%i : tensor<1x3xi32>) outs() access [affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d0, d1)>] -> tensor<1x3xf64> {
// CHECK-NEXT:    ^bb0(%9: i32):
// CHECK-NEXT:      %10 = arith.sitofp %9 : i32 to f64
// CHECK-NEXT:      kernel.yield %10 : f64
// CHECK:         %11 = kernel.map [1, 3] ins(%i : tensor<1x3xi32>) outs() access [affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d0, d1)>] -> tensor<1x3xf64> {
// CHECK-NEXT:    ^bb0(%12: i32):
// CHECK-NEXT:      %13 = arith.sitofp %12 : i32 to f64
// CHECK-NEXT:      kernel.yield %13 : f64
// CHECK:         %14 = kernel.mat_mul [1, 1] groups 1 a(%8 : tensor<1x3xf64>) b(%11 : tensor<1x3xf64>) ins() outs() access [affine_map<(d0, d1) -> (d0, d1)>] -> tensor<1x1xi32> {
// CHECK-NEXT:    ^bb0(%15: f64):
// CHECK-NEXT:      %16 = arith.fptosi %15 : f64 to i64
// CHECK-NEXT:      %17 = arith.trunci %16 : i64 to i32
// CHECK-NEXT:      kernel.yield %17 : i32
// CHECK:         func.return
func.func @types(%a: tensor<2x1x3xui8>, %b: tensor<4x3xi8>, %h: tensor<1x3xf16>, %i: tensor<1x3xi32>) {
  %0 = nn.mat_mul %a, %b {transpose_b = true} : (tensor<2x1x3xui8>, tensor<4x3xi8>) -> tensor<2x1x4xi32>
  %1 = nn.mat_mul %h, %h {transpose_b = true} : (tensor<1x3xf16>, tensor<1x3xf16>) -> tensor<1x1xf16>
  %2 = nn.mat_mul %i, %i {transpose_b = true} : (tensor<1x3xi32>, tensor<1x3xi32>) -> tensor<1x1xi32>
  func.return
}

// Floats of positions that lie a quarter of a cache's way apart compete for its sets: a line lies between them then.
// CHECK-LABEL: func.func @competing(
// CHECK: kernel.pad %{{[0-9]+}} low [0, 1, 0] high [0, 1, 16]
// CHECK-SAME: -> tensor<1x6x272xf32>
// CHECK: kernel.map [1, 6, 256]
// CHECK: kernel.convolution
func.func @competing(%x: tensor<1x256x4xf32>, %f: tensor<8x256x3xf32>) -> tensor<1x8x4xf32> {
  %y = nn.convolution %x, %f {strides = array<i64: 1>, pads_begin = array<i64: 1>, pads_end = array<i64: 1>, dilations = array<i64: 1>} : (tensor<1x256x4xf32>, tensor<8x256x3xf32>) -> tensor<1x8x4xf32>
  func.return %y : tensor<1x8x4xf32>
}

// CHECK-LABEL: func.func @elsewhere(
// CHECK: kernel.pad %{{[0-9]+}} low [0, 1, 0] high [0, 1, 0]
func.func @elsewhere(%x: tensor<1x255x4xf32>, %f: tensor<8x255x3xf32>) -> tensor<1x8x4xf32> {
  %y = nn.convolution %x, %f {strides = array<i64: 1>, pads_begin = array<i64: 1>, pads_end = array<i64: 1>, dilations = array<i64: 1>} : (tensor<1x255x4xf32>, tensor<8x255x3xf32>) -> tensor<1x8x4xf32>
  func.return %y : tensor<1x8x4xf32>
}
// Lines that are written around codes are zeros, which nothing needs to multiply.
// CHECK-LABEL: @zero_lines
// CHECK: kernel.convolution {{.*}}zeros = array<i64: 2, 1, 0, 0>
func.func @zero_lines(%x: tensor<1x4x5x5xui8>, %f: tensor<8x4x3x3xi8>) -> tensor<1x8x6x3xi32> {
  %y = nn.convolution %x, %f {strides = array<i64: 1, 1>, pads_begin = array<i64: 2, 0>, pads_end = array<i64: 1, 0>, dilations = array<i64: 1, 1>} : (tensor<1x4x5x5xui8>, tensor<8x4x3x3xi8>) -> tensor<1x8x6x3xi32>
  func.return %y : tensor<1x8x6x3xi32>
}
// So are columns.
// CHECK-LABEL: @zero_columns
// CHECK: kernel.convolution {{.*}}zeros = array<i64: 0, 0, 2, 1>
func.func @zero_columns(%x: tensor<1x4x5x5xui8>, %f: tensor<8x4x3x3xi8>) -> tensor<1x8x3x6xi32> {
  %y = nn.convolution %x, %f {strides = array<i64: 1, 1>, pads_begin = array<i64: 0, 2>, pads_end = array<i64: 0, 1>, dilations = array<i64: 1, 1>} : (tensor<1x4x5x5xui8>, tensor<8x4x3x3xi8>) -> tensor<1x8x3x6xi32>
  func.return %y : tensor<1x8x3x6xi32>
}
// So are those around floats.
// CHECK-LABEL: @zeros_around_floats
// CHECK: kernel.convolution {{.*}}zeros = array<i64: 1, 1, 1, 1>
func.func @zeros_around_floats(%x: tensor<1x4x5x5xf32>) -> tensor<1x8x5x5xf32> {
  %f = nn.constant dense<1.0> : tensor<8x4x3x3xf32>
  %y = nn.convolution %x, %f {strides = array<i64: 1, 1>, pads_begin = array<i64: 1, 1>, pads_end = array<i64: 1, 1>, dilations = array<i64: 1, 1>} : (tensor<1x4x5x5xf32>, tensor<8x4x3x3xf32>) -> tensor<1x8x5x5xf32>
  func.return %y : tensor<1x8x5x5xf32>
}
// What an infinite filter makes of them is no number;
// CHECK-LABEL: @infinite_filter
// CHECK-NOT: zeros =
func.func @infinite_filter(%x: tensor<1x4x5x5xf32>) -> tensor<1x8x5x5xf32> {
  %f = nn.constant dense<0x7F800000> : tensor<8x4x3x3xf32>
  %y = nn.convolution %x, %f {strides = array<i64: 1, 1>, pads_begin = array<i64: 1, 1>, pads_end = array<i64: 1, 1>, dilations = array<i64: 1, 1>} : (tensor<1x4x5x5xf32>, tensor<8x4x3x3xf32>) -> tensor<1x8x5x5xf32>
  func.return %y : tensor<1x8x5x5xf32>
}
// and few of the products of a large image are with them.
// CHECK-LABEL: @large_image
// CHECK-NOT: zeros =
func.func @large_image(%x: tensor<1x4x40x40xf32>) -> tensor<1x8x40x40xf32> {
  %f = nn.constant dense<1.0> : tensor<8x4x3x3xf32>
  %y = nn.convolution %x, %f {strides = array<i64: 1, 1>, pads_begin = array<i64: 1, 1>, pads_end = array<i64: 1, 1>, dilations = array<i64: 1, 1>} : (tensor<1x4x40x40xf32>, tensor<8x4x3x3xf32>) -> tensor<1x8x40x40xf32>
  func.return %y : tensor<1x8x40x40xf32>
}
// A zero point is not 0.
// CHECK-LABEL: @zero_point_lines
// CHECK: kernel.convolution
// CHECK-NOT: zeros =
func.func @zero_point_lines(%x: tensor<1x4x5x5xui8>, %f: tensor<8x4x3x3xi8>) -> tensor<1x8x6x3xi32> {
  %y = nn.convolution %x, %f {strides = array<i64: 1, 1>, pads_begin = array<i64: 2, 0>, pads_end = array<i64: 1, 0>, dilations = array<i64: 1, 1>, pad_value = 3 : i64} : (tensor<1x4x5x5xui8>, tensor<8x4x3x3xi8>) -> tensor<1x8x6x3xi32>
  func.return %y : tensor<1x8x6x3xi32>
}

// Columns of codes are summed apart; their sums are multiplied by their scales.
// CHECK-LABEL: func.func @sums_of_columns(
// CHECK: kernel.convolution [1, 2, 2] groups 2 taps [2] {{.*}}a({{.*}} : tensor<1x3x4xui8>) b({{.*}} : tensor<2x2x2xi8>) ins([[S:%.*]], [[S]] : tensor<2x2xf32>, tensor<2x2xf32>) {{.*}}affine_map<(d0, d1, d2) -> (0, d2)>, affine_map<(d0, d1, d2) -> (1, d2)>{{.*}}column_sums
// CHECK-NEXT: ^bb0([[FIRST:%.*]]: i32, [[SECOND:%.*]]: i32, [[S1:%.*]]: f32, [[S2:%.*]]: f32):
// CHECK: math.fma {{.*}}, [[S2]], {{.*}} : f32
func.func @sums_of_columns(%x: tensor<1x4x3xui8>) -> tensor<1x2x2xf32> {
  %f = nn.constant dense<[[[[1, 2], [3, 4]]], [[[5, 6], [7, 8]]]]> : tensor<2x1x2x2xi8>
  %y = nn.group_convolution %x, %f {strides = array<i64: 1>, pads_begin = array<i64: 0>, pads_end = array<i64: 0>, dilations = array<i64: 1>, column_scale = #nn.blob<dense<[[[[0.5, 2.0]]], [[[3.0, 2.0]]]]> : tensor<2x1x1x2xf32>>} : (tensor<1x4x3xui8>, tensor<2x1x2x2xi8>) -> tensor<1x2x2xf32>
  func.return %y : tensor<1x2x2xf32>
}

// So are those of one channel, of several rows.
// CHECK-LABEL: func.func @sums_of_columns_of_one_channel(
// CHECK: kernel.convolution [1, 1, 1, 2] groups 2 taps [2, 2] {{.*}}a({{.*}} : tensor<1x2x2x2xui8>) b({{.*}} : tensor<2x2x2x1xi8>) ins([[S:%.*]], [[S]] : tensor<2x2xf32>, tensor<2x2xf32>) {{.*}}column_sums
// CHECK-NEXT: ^bb0([[FIRST:%.*]]: i32, [[SECOND:%.*]]: i32, [[S1:%.*]]: f32, [[S2:%.*]]: f32):
func.func @sums_of_columns_of_one_channel(%x: tensor<1x2x2x2xui8>) -> tensor<1x2x1x1xf32> {
  %f = nn.constant dense<[[[[[1, 2], [3, 4]]]], [[[[5, 6], [7, 8]]]]]> : tensor<2x1x1x2x2xi8>
  %y = nn.group_convolution %x, %f {strides = array<i64: 1, 1>, pads_begin = array<i64: 0, 0>, pads_end = array<i64: 0, 0>, dilations = array<i64: 1, 1>, column_scale = #nn.blob<dense<[[[[[0.5, 2.0]]]], [[[[3.0, 2.0]]]]]> : tensor<2x1x1x1x2xf32>>} : (tensor<1x2x2x2xui8>, tensor<2x1x1x2x2xi8>) -> tensor<1x2x1x1xf32>
  func.return %y : tensor<1x2x1x1xf32>
}

// Of one row, a column is one product: codes are multiplied by taps in f32.
// CHECK-LABEL: func.func @scaled_taps(
// CHECK: nn.constant dense<{{\[\[\[0.5\], \[4.0\]\], \[\[9.0\], \[8.0\]\]\]}}> : tensor<2x2x1xf32>
// CHECK: kernel.convolution {{.*}}a({{.*}} : tensor<1x3x2xui8>) b({{.*}} : tensor<2x2x1xf32>) ins() outs()
func.func @scaled_taps(%x: tensor<1x2x3xui8>) -> tensor<1x2x2xf32> {
  %f = nn.constant dense<[[[[1, 2]]], [[[3, 4]]]]> : tensor<2x1x1x2xi8>
  %y = nn.group_convolution %x, %f {strides = array<i64: 1>, pads_begin = array<i64: 0>, pads_end = array<i64: 0>, dilations = array<i64: 1>, column_scale = #nn.blob<dense<[[[[0.5, 2.0]]], [[[3.0, 2.0]]]]> : tensor<2x1x1x2xf32>>} : (tensor<1x2x3xui8>, tensor<2x1x1x2xi8>) -> tensor<1x2x2xf32>
  func.return %y : tensor<1x2x2xf32>
}

// The sums of five columns are too many for registers.
// CHECK-LABEL: func.func @many_columns(
// CHECK: kernel.convolution {{.*}}a({{.*}} : tensor<1x5x2xf32>) b({{.*}} : tensor<1x5x2xf32>)
func.func @many_columns(%x: tensor<1x2x5xui8>) -> tensor<1x1x1xf32> {
  %f = nn.constant dense<1> : tensor<1x1x2x5xi8>
  %y = nn.group_convolution %x, %f {strides = array<i64: 1>, pads_begin = array<i64: 0>, pads_end = array<i64: 0>, dilations = array<i64: 1>, column_scale = #nn.blob<dense<[[[[0.5, 2.0, 3.0, 4.0, 5.0]]]]> : tensor<1x1x1x5xf32>>} : (tensor<1x2x5xui8>, tensor<1x1x2x5xi8>) -> tensor<1x1x1xf32>
  func.return %y : tensor<1x1x1xf32>
}
