// RUN: not opt-tool %s --split-input-file --nn-to-tfl 2>&1 | filecheck %s
// RUN: not opt-tool %s --split-input-file --nn-to-tfl 2>&1 | filecheck %s --check-prefix REFUSED

// CHECK:      [[X:%.*]] = "tfl.transpose"(%x, 
// CHECK:      "tfl.depth_to_space"([[X]]) <{block_size = 2 : i32}>
func.func @main(%x: tensor<1x8x2x2xf32>) -> tensor<1x2x4x4xf32> {
  %y = nn.depth_to_space %x {mode = "blocks_first", block_size = 2 : i64} : tensor<1x8x2x2xf32> -> tensor<1x2x4x4xf32>
  func.return %y : tensor<1x2x4x4xf32>
}

// -----

// REFUSED: nn.depth_to_space: cannot be written for LiteRT: it needs known sizes; give the inputs shapes, for example model.reshape({0: [1, 8, 2, 2]})
func.func @main(%x: tensor<?x8x2x2xf32>) -> tensor<?x2x4x4xf32> {
  %y = nn.depth_to_space %x {mode = "depth_first", block_size = 2 : i64} : tensor<?x8x2x2xf32> -> tensor<?x2x4x4xf32>
  func.return %y : tensor<?x2x4x4xf32>
}
