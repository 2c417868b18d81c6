builtin.module attributes {infra.ir_version = 1 : i64} {
  func.func @selection(%x: tensor<2x8x?xf32>, %i: tensor<2x3xi32>, %l: tensor<2xi32>, %k: tensor<f32>, %unknown: tensor<2xi64>) {
    %axis = nn.constant dense<1> : tensor<i64>
    %begin = nn.constant dense<[1, 0, -1]> : tensor<3xi64>
    %end = nn.constant dense<[2, 0, 9]> : tensor<3xi64>
    %strides = nn.constant dense<[1, 1, 2]> : tensor<3xi64>
    %lengths = nn.constant dense<[3, -1]> : tensor<2xi64>
    %repeats = nn.constant dense<[2, 1, 3, 1]> : tensor<4xi64>
    %0 = nn.gather %x, %i, %axis {batch_dims = 1 : i64} : (tensor<2x8x?xf32>, tensor<2x3xi32>, tensor<i64>) -> tensor<2x3x?xf32>
    %1 = nn.strided_slice %x, %begin, %end, %strides {begin_mask = array<i64: 0, 0, 1>, end_mask = array<i64>, new_axis_mask = array<i64: 0, 1, 0>, shrink_axis_mask = array<i64: 1, 0, 0>, ellipsis_mask = array<i64>} : (tensor<2x8x?xf32>, tensor<3xi64>, tensor<3xi64>, tensor<3xi64>) -> tensor<1x4x?xf32>
    %2 = nn.strided_slice %x, %unknown, %lengths {begin_mask = array<i64>, end_mask = array<i64>, new_axis_mask = array<i64>, shrink_axis_mask = array<i64>, ellipsis_mask = array<i64: 1, 0>} : (tensor<2x8x?xf32>, tensor<2xi64>, tensor<2xi64>) -> tensor<2x8x?xf32>
    %3, %4 = nn.variadic_split %x, %axis, %lengths : (tensor<2x8x?xf32>, tensor<i64>, tensor<2xi64>) -> (tensor<2x3x?xf32>, tensor<2x5x?xf32>)
    %5 = nn.reverse_sequence %x, %l {batch_axis = 0 : i64, seq_axis = 1 : i64} : (tensor<2x8x?xf32>, tensor<2xi32>) -> tensor<2x8x?xf32>
    %6 = nn.tile %x, %repeats : (tensor<2x8x?xf32>, tensor<4xi64>) -> tensor<2x2x24x?xf32>
    %7 = nn.range %axis, %k, %axis {output_type = f32} : (tensor<i64>, tensor<f32>, tensor<i64>) -> tensor<?xf32>
    %8 = nn.range %axis, %axis, %axis {output_type = i64} : (tensor<i64>, tensor<i64>, tensor<i64>) -> tensor<0xi64>
    %9 = nn.one_hot %i, %axis, %k, %k {axis = -1 : i64} : (tensor<2x3xi32>, tensor<i64>, tensor<f32>, tensor<f32>) -> tensor<2x3x1xf32>
    func.return
  }
}
