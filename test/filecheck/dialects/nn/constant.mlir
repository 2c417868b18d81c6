// Constants of every element type, small, empty, splat and with bits that no number spells.
// RUN: opt-tool %s | opt-tool | filecheck %s
// RUN: opt-tool %s --print-op-generic | opt-tool | filecheck %s

// CHECK-LABEL: @every_element_type(
func.func @every_element_type() {
  // CHECK-NEXT: %0 = nn.constant dense<[0.1, -0.0, 1.0e+300]> : tensor<3xf64>
  %0 = nn.constant dense<[0.1, -0.0, 1.0e+300]> : tensor<3xf64>
  // CHECK-NEXT: %1 = nn.constant dense<[0.1, -3.4028235e+38, 0x7F800000, 0xFF800000]> : tensor<4xf32>
  %1 = nn.constant dense<[0.1, -3.4028235e+38, 0x7F800000, 0xFF800000]> : tensor<4xf32>
  // CHECK-NEXT: %2 = nn.constant dense<[0.0999756, 65504.0]> : tensor<2xf16>
  %2 = nn.constant dense<[0.1, 65504.0]> : tensor<2xf16>
  // CHECK-NEXT: %3 = nn.constant dense<[0.100098, 3.38953e+38]> : tensor<2xbf16>
  %3 = nn.constant dense<[0.1, 3.38953e+38]> : tensor<2xbf16>
  // CHECK-NEXT: %4 = nn.constant dense<[-9223372036854775808, 9223372036854775807]> : tensor<2xi64>
  %4 = nn.constant dense<[-9223372036854775808, 9223372036854775807]> : tensor<2xi64>
  // CHECK-NEXT: %5 = nn.constant dense<[-2147483648, 7]> : tensor<2xi32>
  %5 = nn.constant dense<[-2147483648, 7]> : tensor<2xi32>
  // CHECK-NEXT: %6 = nn.constant dense<[-32768, 7]> : tensor<2xi16>
  %6 = nn.constant dense<[-32768, 7]> : tensor<2xi16>
  // CHECK-NEXT: %7 = nn.constant dense<[-128, 127]> : tensor<2xi8>
  %7 = nn.constant dense<[-128, 127]> : tensor<2xi8>
  // CHECK-NEXT: %8 = nn.constant dense<[-8, 7, 1]> : tensor<3xi4>
  %8 = nn.constant dense<[-8, 7, 1]> : tensor<3xi4>
  // CHECK-NEXT: %9 = nn.constant dense<[true, false, true]> : tensor<3xi1>
  %9 = nn.constant dense<[true, false, true]> : tensor<3xi1>
  // CHECK-NEXT: %10 = nn.constant dense<[18446744073709551615, 0]> : tensor<2xui64>
  %10 = nn.constant dense<[18446744073709551615, 0]> : tensor<2xui64>
  // CHECK-NEXT: %11 = nn.constant dense<[4294967295, 0]> : tensor<2xui32>
  %11 = nn.constant dense<[4294967295, 0]> : tensor<2xui32>
  // CHECK-NEXT: %12 = nn.constant dense<[65535, 0]> : tensor<2xui16>
  %12 = nn.constant dense<[65535, 0]> : tensor<2xui16>
  // CHECK-NEXT: %13 = nn.constant dense<[255, 0]> : tensor<2xui8>
  %13 = nn.constant dense<[255, 0]> : tensor<2xui8>
  // CHECK-NEXT: %14 = nn.constant dense<[15, 0]> : tensor<2xui4>
  %14 = nn.constant dense<[15, 0]> : tensor<2xui4>
  // CHECK-NEXT: func.return
  func.return
}

// CHECK-LABEL: @shapes(
func.func @shapes() {
  // CHECK-NEXT: %0 = nn.constant dense<1.0> : tensor<f32>
  %0 = nn.constant dense<1.0> : tensor<f32>
  // CHECK-NEXT: %1 = nn.constant dense<{{\[\[}}1, 2, 3], [4, 5, 6]]> : tensor<2x3xi8>
  %1 = nn.constant dense<[[1, 2, 3], [4, 5, 6]]> : tensor<2x3xi8>
  // CHECK-NEXT: %2 = nn.constant dense<"0x"> : tensor<0x4xf32>
  %2 = nn.constant dense<"0x"> : tensor<0x4xf32>
  // CHECK-NEXT: %3 = nn.constant dense<"0x"> : tensor<2x0xf32>
  %3 = nn.constant dense<[[], []]> : tensor<2x0xf32>
  // CHECK-NEXT: %4 = nn.constant {nn.name = "bias"} dense<[1, 2]> : tensor<2xi8>
  %4 = nn.constant {nn.name = "bias"} dense<[1, 2]> : tensor<2xi8>
  // CHECK-NEXT: func.return
  func.return
}

// CHECK-LABEL: @nan_keeps_its_bits(
func.func @nan_keeps_its_bits() {
  // CHECK-NEXT: %0 = nn.constant dense<"0x0100C07F0000803F"> : tensor<2xf32>
  %0 = nn.constant dense<"0x0100C07F0000803F"> : tensor<2xf32>
  // CHECK-NEXT: %1 = nn.constant dense<"0x017E"> : tensor<3xf16>
  %1 = nn.constant dense<"0x017E"> : tensor<3xf16>
  // CHECK-NEXT: func.return
  func.return
}

// CHECK-LABEL: @a_splat_stays_one_value(
func.func @a_splat_stays_one_value() {
  // CHECK-NEXT: %0 = nn.constant dense<2.5> : tensor<200000000xf32>
  %0 = nn.constant dense<2.5> : tensor<200000000xf32>
  // CHECK-NEXT: %1 = nn.constant dense<true> : tensor<200000000xi1>
  %1 = nn.constant dense<true> : tensor<200000000xi1>
  // CHECK-NEXT: %2 = nn.constant dense<-3> : tensor<20000x10000xi4>
  %2 = nn.constant dense<-3> : tensor<20000x10000xi4>
  // CHECK-NEXT: func.return
  func.return
}

// CHECK-LABEL: @hexadecimal_digits_are_bytes_of_integers_too(
func.func @hexadecimal_digits_are_bytes_of_integers_too() {
  // CHECK-NEXT: %0 = nn.constant dense<[1, 2, -1]> : tensor<3xi8>
  %0 = nn.constant dense<"0x0102FF"> : tensor<3xi8>
  // CHECK-NEXT: %1 = nn.constant dense<[16, 255]> : tensor<2xui8>
  %1 = nn.constant dense<[0x10, 0xFF]> : tensor<2xui8>
  // CHECK-NEXT: func.return
  func.return
}
