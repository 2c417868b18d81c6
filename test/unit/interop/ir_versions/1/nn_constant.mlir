builtin.module attributes {infra.ir_version = 1 : i64} {
  func.func @every_element_type() {
    %0 = nn.constant dense<[0.1, -0.0, 1.0e+300]> : tensor<3xf64>
    %1 = nn.constant dense<[0.1, -3.4028235e+38, 0x7F800000, 0xFF800000]> : tensor<4xf32>
    %2 = nn.constant dense<[0.0999756, 65504.0]> : tensor<2xf16>
    %3 = nn.constant dense<[0.100098, 3.38953e+38]> : tensor<2xbf16>
    %4 = nn.constant dense<[-9223372036854775808, 9223372036854775807]> : tensor<2xi64>
    %5 = nn.constant dense<[-2147483648, 7]> : tensor<2xi32>
    %6 = nn.constant dense<[-32768, 7]> : tensor<2xi16>
    %7 = nn.constant dense<[-128, 127]> : tensor<2xi8>
    %8 = nn.constant dense<[-8, 7, 1]> : tensor<3xi4>
    %9 = nn.constant dense<[true, false, true]> : tensor<3xi1>
    %10 = nn.constant dense<[18446744073709551615, 0]> : tensor<2xui64>
    %11 = nn.constant dense<[4294967295, 0]> : tensor<2xui32>
    %12 = nn.constant dense<[65535, 0]> : tensor<2xui16>
    %13 = nn.constant dense<[255, 0]> : tensor<2xui8>
    %14 = nn.constant dense<[15, 0]> : tensor<2xui4>
    func.return
  }
  func.func @shapes() {
    %0 = nn.constant dense<1.0> : tensor<f32>
    %1 = nn.constant dense<[[1, 2, 3], [4, 5, 6]]> : tensor<2x3xi8>
    %2 = nn.constant dense<"0x"> : tensor<0x4xf32>
    %3 = nn.constant dense<"0x"> : tensor<2x0xf32>
    %4 = nn.constant {nn.name = "bias"} dense<[1, 2]> : tensor<2xi8>
    func.return
  }
  func.func @nan_keeps_its_bits() {
    %0 = nn.constant dense<"0x0100C07F0000803F"> : tensor<2xf32>
    %1 = nn.constant dense<"0x017E"> : tensor<3xf16>
    func.return
  }
  func.func @a_splat_stays_one_value() {
    %0 = nn.constant dense<2.5> : tensor<200000000xf32>
    %1 = nn.constant dense<true> : tensor<200000000xi1>
    %2 = nn.constant dense<-3> : tensor<20000x10000xi4>
    func.return
  }
  func.func @hexadecimal_digits_are_bytes_of_integers_too() {
    %0 = nn.constant dense<[1, 2, -1]> : tensor<3xi8>
    %1 = nn.constant dense<[16, 255]> : tensor<2xui8>
    func.return
  }
}
