// RUN: opt-tool %s --lower-to-kernels=isa=portable | filecheck %s
// RUN: opt-tool %s --lower-to-kernels=isa=portable | opt-tool | filecheck %s

// A step of a recurrent layer is one kernel: two products in four groups, all gates behind their sums, both
// states and the output written in place.
// CHECK:       kernel.program @main inputs ["X"] outputs ["Y"] states ["h", "c"] assigned [true, true]
// CHECK-NEXT:  ^bb0(%x: memref<1x3xf32>, [[Y:%\d+]]: memref<1x2xf32>, [[H:%\d+]]: memref<1x2xf32>, [[HN:%\d+]]: memref<1x2xf32>, [[C:%\d+]]: memref<1x2xf32>, [[CN:%\d+]]: memref<1x2xf32>, %arena: memref<0xi8>):
// CHECK-NEXT:    [[R:%\d+]] = kernel.constant
// CHECK-NEXT:    [[W:%\d+]] = kernel.constant
// CHECK-NEXT:    kernel.mat_mul [1, 2] groups 4 a(%x, [[H]] : memref<1x3xf32>, memref<1x2xf32>) b([[W]], [[R]] : {{.*}}) ins([[C]] : memref<1x2xf32>) outs([[CN]], [[HN]], [[Y]] :
// CHECK-SAME:    kernel.origins = [{name = "cell/X", type = "MatMul", low_precision = false}, {name = "cell/H", type = "MatMul", low_precision = false}, {name = "cell", type = "Multiply", low_precision = false}]
// CHECK-NOT:     kernel.map
// CHECK-NOT:     kernel.copy
// CHECK-NOT:     math.tanh
infra.variable @h : tensor<1x2xf32>
infra.variable @c : tensor<1x2xf32>
func.func @main(%x: tensor<1x3xf32> {nn.names = ["X"]}) -> (tensor<1x2xf32> {nn.names = ["Y"]}) {
  %zero = nn.constant dense<0.0> : tensor<1x2xf32>
  %w = nn.constant dense<0.5> : tensor<8x3xf32>
  %r = nn.constant dense<0.25> : tensor<8x2xf32>
  %b = nn.constant dense<1.0> : tensor<8xf32>
  %h = infra.read_value @h, %zero : tensor<1x2xf32> -> tensor<1x2xf32>
  %c = infra.read_value @c, %zero : tensor<1x2xf32> -> tensor<1x2xf32>
  %ho, %co = rnn.lstm_cell %x, %h, %c, %w, %r, %b {hidden_size = 2 : i64, nn.name = "cell"} : (tensor<1x3xf32>, tensor<1x2xf32>, tensor<1x2xf32>, tensor<8x3xf32>, tensor<8x2xf32>, tensor<8xf32>) -> (tensor<1x2xf32>, tensor<1x2xf32>)
  infra.assign @h, %ho : tensor<1x2xf32>
  infra.assign @c, %co : tensor<1x2xf32>
  func.return %ho : tensor<1x2xf32>
}
