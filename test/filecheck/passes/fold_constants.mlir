// RUN: opt-tool %s --allow-unregistered-dialect --fold-constants | filecheck %s

// Operations on constants become constants under their name, and what only they used goes.
// CHECK-LABEL: func.func @arithmetic
// CHECK-NEXT:    [[C:%.*]] = nn.constant {nn.name = "sum"} dense<[4.0, 7.0]> : tensor<2xf32>
// CHECK-NEXT:    [[LO:%.*]] = nn.constant {nn.name = "parts.0"} dense<[1]> : tensor<1xi64>
// CHECK-NEXT:    [[HI:%.*]] = nn.constant {nn.name = "parts.1"} dense<[2]> : tensor<1xi64>
// CHECK-NEXT:    func.return [[C]], [[LO]], [[HI]]
func.func @arithmetic() -> (tensor<2xf32>, tensor<1xi64>, tensor<1xi64>) {
  %a = nn.constant dense<[1.0, 2.0]> : tensor<2xf32>
  %b = nn.constant dense<[3.0, 3.0]> : tensor<2xf32>
  %ab = nn.multiply %a, %b : (tensor<2xf32>, tensor<2xf32>) -> tensor<2xf32>
  %c = nn.constant dense<1.0> : tensor<f32>
  %sum = nn.add %ab, %c {nn.name = "sum"} : (tensor<2xf32>, tensor<f32>) -> tensor<2xf32>
  %i = nn.constant dense<[1, 2]> : tensor<2xi64>
  %axis = nn.constant dense<0> : tensor<i64>
  %lo, %hi = nn.split %i, %axis {num_splits = 2 : i64, nn.name = "parts"} : (tensor<2xi64>, tensor<i64>) -> (tensor<1xi64>, tensor<1xi64>)
  func.return %sum, %lo, %hi : tensor<2xf32>, tensor<1xi64>, tensor<1xi64>
}

// An input is not known, nor what a foreign operation or a state gives. Its shape may be.
// CHECK-LABEL: func.func @unknown
// CHECK:         nn.add %x,
// CHECK-NEXT:    "other.op"
// CHECK-NEXT:    nn.relu
// CHECK:         infra.read_value
// CHECK-NEXT:    nn.relu
// CHECK-NEXT:    nn.constant dense<[2]> : tensor<1xi64>
// CHECK-NEXT:    nn.shape_of %y
infra.variable @s : tensor<2xf32>
func.func @unknown(%x: tensor<2xf32>, %y: tensor<?xf32>) -> (tensor<2xf32>, tensor<2xf32>, tensor<2xf32>, tensor<1xi64>, tensor<1xi64>) {
  %c = nn.constant dense<1.0> : tensor<f32>
  %a = nn.add %x, %c : (tensor<2xf32>, tensor<f32>) -> tensor<2xf32>
  %f = "other.op"(%c) : (tensor<f32>) -> tensor<2xf32>
  %b = nn.relu %f : tensor<2xf32>
  %init = nn.constant dense<1.0> : tensor<2xf32>
  %s = infra.read_value @s, %init : tensor<2xf32> -> tensor<2xf32>
  %d = nn.relu %s : tensor<2xf32>
  %known = nn.shape_of %x : tensor<2xf32> -> tensor<1xi64>
  %not = nn.shape_of %y : tensor<?xf32> -> tensor<1xi64>
  func.return %a, %b, %d, %known, %not : tensor<2xf32>, tensor<2xf32>, tensor<2xf32>, tensor<1xi64>, tensor<1xi64>
}

// The dequantization of weights stays, whatever its form; 32-bit integers and scales are folded.
// CHECK-LABEL: func.func @weights
// CHECK:         [[Q:%.*]] = nn.constant dense<[1, -2]> : tensor<2xi8>
// CHECK:         [[F:%.*]] = nn.convert [[Q]] to f32
// CHECK:         [[ZP:%.*]] = nn.convert {{.*}} to f32 : tensor<i8> -> tensor<f32>
// CHECK:         [[S:%.*]] = nn.subtract [[F]], [[ZP]]
// CHECK:         nn.constant dense<0.5> : tensor<f32>
// CHECK:         nn.multiply [[S]],
// CHECK:         nn.convert {{.*}} to f32 : tensor<2xi4> -> tensor<2xf32>
// CHECK:         qnn.dequantize [[Q]] scale
// CHECK:         qnn.fake_quantize
// CHECK:         nn.constant dense<[1.0, 2.0]> : tensor<2xf32>
// CHECK-NOT:     to f32
func.func @weights() -> (tensor<2xf32>, tensor<2xf32>, tensor<2xf32>, tensor<2xf32>, tensor<2xf32>) {
  %q = nn.constant dense<[1, -2]> : tensor<2xi8>
  %f = nn.convert %q to f32 : tensor<2xi8> -> tensor<2xf32>
  %z = nn.constant dense<3> : tensor<i8>
  %zf = nn.convert %z to f32 : tensor<i8> -> tensor<f32>
  %s = nn.subtract %f, %zf : (tensor<2xf32>, tensor<f32>) -> tensor<2xf32>
  %h = nn.constant dense<0.5> : tensor<f16>
  %scale = nn.convert %h to f32 : tensor<f16> -> tensor<f32>
  %w = nn.multiply %s, %scale : (tensor<2xf32>, tensor<f32>) -> tensor<2xf32>
  %q4 = nn.constant dense<[1, -2]> : tensor<2xi4>
  %w4 = nn.convert %q4 to f32 : tensor<2xi4> -> tensor<2xf32>
  %d = qnn.dequantize %q scale <dense<0.5> : tensor<f32>> : tensor<2xi8> -> tensor<2xf32>
  %x = nn.constant dense<[0.1, 0.2]> : tensor<2xf32>
  %low = nn.constant dense<-1.0> : tensor<f32>
  %high = nn.constant dense<1.0> : tensor<f32>
  %fq = qnn.fake_quantize %x, %low, %high, %low, %high {levels = 255 : i64} : (tensor<2xf32>, tensor<f32>, tensor<f32>, tensor<f32>, tensor<f32>) -> tensor<2xf32>
  %q32 = nn.constant dense<[1, 2]> : tensor<2xi32>
  %f32 = nn.convert %q32 to f32 : tensor<2xi32> -> tensor<2xf32>
  func.return %w, %w4, %d, %fq, %f32 : tensor<2xf32>, tensor<2xf32>, tensor<2xf32>, tensor<2xf32>, tensor<2xf32>
}

// Equal elements stay one element, at any size …
// CHECK-LABEL: func.func @uniform
// CHECK-NEXT:    [[Y:%.*]] = nn.constant dense<-2.0> : tensor<4096x32768xf32>
// CHECK-NEXT:    func.return [[Y]]
func.func @uniform() -> tensor<4096x32768xf32> {
  %one = nn.constant dense<[2.0]> : tensor<1xf32>
  %shape = nn.constant dense<[32768, 4096]> : tensor<2xi64>
  %x = nn.broadcast %one, %shape : (tensor<1xf32>, tensor<2xi64>) -> tensor<32768x4096xf32>
  %order = nn.constant dense<[1, 0]> : tensor<2xi64>
  %t = nn.transpose %x, %order : (tensor<32768x4096xf32>, tensor<2xi64>) -> tensor<4096x32768xf32>
  %zero = nn.constant dense<0.0> : tensor<f32>
  %y = nn.subtract %zero, %t : (tensor<f32>, tensor<4096x32768xf32>) -> tensor<4096x32768xf32>
  func.return %y : tensor<4096x32768xf32>
}

// … others are not blown up.
// CHECK-LABEL: func.func @budget
// CHECK:         nn.broadcast {{.*}} -> tensor<1024x1024x2xf32>
func.func @budget() -> tensor<1024x1024x2xf32> {
  %two = nn.constant dense<[1.0, 2.0]> : tensor<2xf32>
  %shape = nn.constant dense<[1024, 1024, 2]> : tensor<3xi64>
  %x = nn.broadcast %two, %shape : (tensor<2xf32>, tensor<3xi64>) -> tensor<1024x1024x2xf32>
  func.return %x : tensor<1024x1024x2xf32>
}

// A result that was less known than its value is known now, and so is what it gives.
// CHECK-LABEL: func.func @sharper
// CHECK-SAME:    -> tensor<2xf32>
// CHECK-NEXT:    [[C:%.*]] = nn.constant dense<[2.0, 3.0]> : tensor<2xf32>
// CHECK-NEXT:    nn.add %x, [[C]] : (tensor<1xf32>, tensor<2xf32>) -> tensor<2xf32>
func.func @sharper(%x: tensor<1xf32>) -> tensor<?xf32> {
  %c = nn.constant dense<[[2.0, 3.0]]> : tensor<1x2xf32>
  %t = nn.constant dense<[-1]> : tensor<1xi64>
  %u = nn.reshape %c, %t : (tensor<1x2xf32>, tensor<1xi64>) -> tensor<?xf32>
  %r = nn.add %x, %u : (tensor<1xf32>, tensor<?xf32>) -> tensor<?xf32>
  func.return %r : tensor<?xf32>
}

// What is taken of a shape is known where these sizes are, whatever the others.
// CHECK-LABEL: func.func @taken
// CHECK-NEXT:    [[SHAPE:%.*]] = nn.shape_of %x
// CHECK:         [[N:%.*]] = nn.gather [[SHAPE]],
// CHECK:         [[RANGE:%.*]] = nn.constant dense<[0, 1, 2]> : tensor<3xi64>
// CHECK-NEXT:    func.return [[N]], [[RANGE]]
func.func @taken(%x: tensor<?x3xf32>) -> (tensor<i64>, tensor<3xi64>) {
  %shape = nn.shape_of %x : tensor<?x3xf32> -> tensor<2xi64>
  %zero = nn.constant dense<0> : tensor<i64>
  %one = nn.constant dense<1> : tensor<i64>
  %n = nn.gather %shape, %zero, %zero {batch_dims = 0 : i64} : (tensor<2xi64>, tensor<i64>, tensor<i64>) -> tensor<i64>
  %m = nn.gather %shape, %one, %zero {batch_dims = 0 : i64} : (tensor<2xi64>, tensor<i64>, tensor<i64>) -> tensor<i64>
  %r = nn.range %zero, %m, %one {output_type = i64} : (tensor<i64>, tensor<i64>, tensor<i64>) -> tensor<3xi64>
  func.return %n, %r : tensor<i64>, tensor<3xi64>
}

// Behind integers whose number is unknown, no place tells which size is taken.
// CHECK-LABEL: func.func @behind
// CHECK:         [[G:%.*]] = nn.gather
// CHECK-NEXT:    func.return [[G]]
func.func @behind(%i: tensor<?xi64>, %x: tensor<?x4xf32>) -> tensor<1xi64> {
  %s = nn.shape_of %x : tensor<?x4xf32> -> tensor<2xi64>
  %c = nn.concat %i, %s {axis = 0 : i64} : (tensor<?xi64>, tensor<2xi64>) -> tensor<?xi64>
  %two = nn.constant dense<[2]> : tensor<1xi64>
  %zero = nn.constant dense<0> : tensor<i64>
  %g = nn.gather %c, %two, %zero {batch_dims = 0 : i64} : (tensor<?xi64>, tensor<1xi64>, tensor<i64>) -> tensor<1xi64>
  func.return %g : tensor<1xi64>
}
