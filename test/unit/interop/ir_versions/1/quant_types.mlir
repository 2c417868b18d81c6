builtin.module attributes {infra.ir_version = 1 : i64} {
  func.func private @per_tensor() -> tensor<2x!quant.uniform<i8:f32, 0.5:3>>
  func.func private @symmetric() -> tensor<2x!quant.uniform<u8:f32, 0.003921569>>
  func.func private @per_axis() -> tensor<?x2x!quant.uniform<i8:f32:1, {1.0e-05, 0.25:-2}>>
  func.func private @large() -> !quant.uniform<i16:f32, 3.4028234663852886e+38>
}
