builtin.module attributes {infra.ir_version = 1 : i64} {
  func.func @main(%x: tensor<3x4xf32> {nn.names = ["X"]}, %h: tensor<1x4xf32> {nn.names = ["H"]}) -> (tensor<1x4xf32> {nn.names = ["Y"]}) {
    %y = infra.tensor_iterator %x, %h inputs [#infra.sliced<axis = 0, start = 0, end = -1, stride = 1, part_size = 1>, #infra.merged<result = 0>] outputs [#infra.iteration<result = 0, iteration = -1>] body_names ["X_t", "H_t"] {nn.name = "rnn"} : (tensor<3x4xf32>, tensor<1x4xf32>) -> tensor<1x4xf32> {
    ^bb0(%xt: tensor<1x4xf32>, %ht: tensor<1x4xf32>):
      %low = nn.constant dense<-1.0> : tensor<f32>
      %high = nn.constant dense<0.9921875> : tensor<f32>
      %0 = nn.constant dense<-128.0> : tensor<f32>
      %1 = nn.constant dense<127.0> : tensor<f32>
      %q = qnn.fake_quantize %ht, %low, %high, %0, %1 {levels = 256 : i64, output_type = i8} : (tensor<1x4xf32>, tensor<f32>, tensor<f32>, tensor<f32>, tensor<f32>) -> tensor<1x4xi8>
      %codes = nn.constant dense<[[9, -3, 5, 1], [0, 7, 2, -8], [4, 4, -6, 3], [1, 0, 2, 5]]> : tensor<4x4xi8>
      %p = nn.mat_mul %q, %codes {nn.name = "product_original"} : (tensor<1x4xi8>, tensor<4x4xi8>) -> tensor<1x4xi32>
      %p_1 = nn.convert %p to f32 : tensor<1x4xi32> -> tensor<1x4xf32>
      %p_2 = nn.constant dense<0.00048828125> : tensor<f32>
      %p_3 = nn.multiply %p_1, %p_2 {nn.name = "product"} : (tensor<1x4xf32>, tensor<f32>) -> tensor<1x4xf32>
      %s = nn.add %xt, %p_3 {lpt.declined = "neither input is quantized to 8 bits; put a FakeQuantize on one"} : (tensor<1x4xf32>, tensor<1x4xf32>) -> tensor<1x4xf32>
      %next = nn.tanh %s : tensor<1x4xf32>
      infra.yield %next : tensor<1x4xf32>
    }
    func.return %y : tensor<1x4xf32>
  }
}
