builtin.module attributes {infra.ir_version = 1 : i64} {
  func.func @elementwise(%x: tensor<2x4xf32>, %row: tensor<4xf32>, %i: tensor<?xi8>) {
    %0 = nn.relu %x : tensor<2x4xf32>
    %1 = nn.sigmoid %x : tensor<2x4xf32>
    %2 = nn.tanh %x : tensor<2x4xf32>
    %3 = nn.clamp %x {min = -1.000000e+00 : f64, max = 6.500000e+00 : f64} : tensor<2x4xf32>
    %4 = nn.add %x, %row : (tensor<2x4xf32>, tensor<4xf32>) -> tensor<2x4xf32>
    %5 = nn.subtract %x, %row : (tensor<2x4xf32>, tensor<4xf32>) -> tensor<2x4xf32>
    %6 = nn.multiply %x, %row : (tensor<2x4xf32>, tensor<4xf32>) -> tensor<2x4xf32>
    %7 = nn.divide %x, %row : (tensor<2x4xf32>, tensor<4xf32>) -> tensor<2x4xf32>
    %8 = nn.maximum %x, %row : (tensor<2x4xf32>, tensor<4xf32>) -> tensor<2x4xf32>
    %9 = nn.minimum %x, %row : (tensor<2x4xf32>, tensor<4xf32>) -> tensor<2x4xf32>
    %10 = nn.convert %i to f32 {nn.name = "Convert_7"} : tensor<?xi8> -> tensor<?xf32>
    %11 = nn.add %x, %x {auto_broadcast = "none"} : (tensor<2x4xf32>, tensor<2x4xf32>) -> tensor<2x4xf32>
    func.return
  }
  func.func @matrix(%a: tensor<2x64xui8>, %b: tensor<8x64xi8>, %x: tensor<?x4xf32>, %v: tensor<4xf32>) {
    %0 = nn.mat_mul %a, %b {transpose_b = true} : (tensor<2x64xui8>, tensor<8x64xi8>) -> tensor<2x8xi32>
    %1 = nn.mat_mul %x, %v : (tensor<?x4xf32>, tensor<4xf32>) -> tensor<?xf32>
    %2 = nn.mat_mul %x, %x {transpose_a = true} : (tensor<?x4xf32>, tensor<?x4xf32>) -> tensor<4x4xf32>
    func.return
  }
  func.func @shape(%x: tensor<2x1x6xf32>, %scalar: tensor<f32>, %target: tensor<2xi64>) {
    %axis = nn.constant dense<1> : tensor<i64>
    %axes = nn.constant dense<[1]> : tensor<1xi64>
    %sizes = nn.constant dense<[0, -1]> : tensor<2xi64>
    %0 = nn.reshape %x, %sizes {special_zero = true} : (tensor<2x1x6xf32>, tensor<2xi64>) -> tensor<2x6xf32>
    %1 = nn.reshape %x, %target : (tensor<2x1x6xf32>, tensor<2xi64>) -> tensor<?x?xf32>
    %2 = nn.squeeze %x, %axes : (tensor<2x1x6xf32>, tensor<1xi64>) -> tensor<2x6xf32>
    %3 = nn.squeeze %x : (tensor<2x1x6xf32>) -> tensor<2x6xf32>
    %4 = nn.squeeze %x, %axes {allow_axis_skip = true} : (tensor<2x1x6xf32>, tensor<1xi64>) -> tensor<2x6xf32>
    %5 = nn.unsqueeze %x, %axis : (tensor<2x1x6xf32>, tensor<i64>) -> tensor<2x1x1x6xf32>
    %6 = nn.shape_of %x : tensor<2x1x6xf32> -> tensor<3xi64>
    %7 = nn.shape_of %x {output_type = i32} : tensor<2x1x6xf32> -> tensor<3xi32>
    %8 = nn.broadcast %scalar, %target : (tensor<f32>, tensor<2xi64>) -> tensor<?x?xf32>
    %9 = nn.broadcast %x, %target {mode = "bidirectional"} : (tensor<2x1x6xf32>, tensor<2xi64>) -> tensor<2x?x6xf32>
    func.return
  }
  func.func @movement(%x: tensor<2x8xf32>, %y: tensor<2x?xf32>) {
    %axis = nn.constant dense<1> : tensor<i64>
    %order = nn.constant dense<[1, 0]> : tensor<2xi64>
    %start = nn.constant dense<[-4]> : tensor<1xi64>
    %stop = nn.constant dense<[9223372036854775807]> : tensor<1xi64>
    %step = nn.constant dense<[2]> : tensor<1xi64>
    %axes = nn.constant dense<[1]> : tensor<1xi64>
    %0, %1 = nn.split %x, %axis {num_splits = 2 : i64} : (tensor<2x8xf32>, tensor<i64>) -> (tensor<2x4xf32>, tensor<2x4xf32>)
    %2 = nn.slice %x, %start, %stop, %step, %axes : (tensor<2x8xf32>, tensor<1xi64>, tensor<1xi64>, tensor<1xi64>, tensor<1xi64>) -> tensor<2x2xf32>
    %3 = nn.concat %x, %y {axis = 1 : i64} : (tensor<2x8xf32>, tensor<2x?xf32>) -> tensor<2x?xf32>
    %4 = nn.transpose %x, %order : (tensor<2x8xf32>, tensor<2xi64>) -> tensor<8x2xf32>
    func.return
  }
  func.func @comparison(%x: tensor<2x4xf32>, %row: tensor<4xf32>, %a: tensor<2x4xi1>, %b: tensor<4xi1>) {
    %0 = nn.equal %x, %row : (tensor<2x4xf32>, tensor<4xf32>) -> tensor<2x4xi1>
    %1 = nn.not_equal %x, %row : (tensor<2x4xf32>, tensor<4xf32>) -> tensor<2x4xi1>
    %2 = nn.less %x, %row : (tensor<2x4xf32>, tensor<4xf32>) -> tensor<2x4xi1>
    %3 = nn.less_equal %x, %row : (tensor<2x4xf32>, tensor<4xf32>) -> tensor<2x4xi1>
    %4 = nn.greater %x, %row : (tensor<2x4xf32>, tensor<4xf32>) -> tensor<2x4xi1>
    %5 = nn.greater_equal %x, %row : (tensor<2x4xf32>, tensor<4xf32>) -> tensor<2x4xi1>
    %6 = nn.logical_and %a, %b : (tensor<2x4xi1>, tensor<4xi1>) -> tensor<2x4xi1>
    %7 = nn.logical_or %a, %b : (tensor<2x4xi1>, tensor<4xi1>) -> tensor<2x4xi1>
    %8 = nn.logical_xor %a, %b : (tensor<2x4xi1>, tensor<4xi1>) -> tensor<2x4xi1>
    %9 = nn.logical_not %a : tensor<2x4xi1>
    %10 = nn.select %b, %x, %row : (tensor<4xi1>, tensor<2x4xf32>, tensor<4xf32>) -> tensor<2x4xf32>
    func.return
  }
}
