builtin.module attributes {infra.ir_version = 1 : i64} {
  func.func @pad(%x: tensor<4x?xi8>, %k: tensor<i8>, %unknown: tensor<2xi64>) {
    %begin = nn.constant dense<[1, 0]> : tensor<2xi64>
    %end = nn.constant dense<[-2, 1]> : tensor<2xi64>
    %0 = nn.pad %x, %begin, %end {pad_mode = "edge"} : (tensor<4x?xi8>, tensor<2xi64>, tensor<2xi64>) -> tensor<3x?xi8>
    %1 = nn.pad %x, %begin, %unknown, %k {pad_mode = "constant"} : (tensor<4x?xi8>, tensor<2xi64>, tensor<2xi64>, tensor<i8>) -> tensor<?x?xi8>
    func.return
  }
  func.func @blocks(%x: tensor<4x8x6x?xf32>) {
    %block = nn.constant dense<[1, 2, 1, 2]> : tensor<4xi64>
    %begin = nn.constant dense<[0, 1, 1, 0]> : tensor<4xi64>
    %end = nn.constant dense<[0, 1, 0, 1]> : tensor<4xi64>
    %0 = nn.depth_to_space %x {block_size = 2 : i64, mode = "blocks_first"} : tensor<4x8x6x?xf32> -> tensor<4x2x12x?xf32>
    %1 = nn.space_to_depth %x {block_size = 2 : i64, mode = "depth_first"} : tensor<4x8x6x?xf32> -> tensor<4x32x3x?xf32>
    %2 = nn.batch_to_space %x, %block, %begin, %end : (tensor<4x8x6x?xf32>, tensor<4xi64>, tensor<4xi64>, tensor<4xi64>) -> tensor<1x14x5x?xf32>
    %3 = nn.space_to_batch %x, %block, %begin, %end : (tensor<4x8x6x?xf32>, tensor<4xi64>, tensor<4xi64>, tensor<4xi64>) -> tensor<16x5x7x?xf32>
    %4 = nn.shuffle_channels %x {axis = 1 : i64, group = 4 : i64} : tensor<4x8x6x?xf32>
    func.return
  }
}
