// RUN: opt-tool %s --decompose-ops --split-input-file --verify-diagnostics

func.func @more_than_i32_counts(%x: tensor<3x1000000000xi8>) -> tensor<2x?xi64> {
  // expected-error@below {{nn.non_zero: input has 3000000000 elements, whose indices do not fit into i32; split it into parts of at most 2147483647}}
  %y = nn.non_zero %x {output_type = i64} : tensor<3x1000000000xi8> -> tensor<2x?xi64>
  func.return %y : tensor<2x?xi64>
}
