// Types of quantized elements read as MLIR has them: one scale, or one for every index along an axis.
// RUN: opt-tool %s | opt-tool | filecheck %s

// CHECK: func.func private @per_tensor() -> tensor<2x!quant.uniform<i8:f32, 0.5:3>>
func.func private @per_tensor() -> tensor<2x!quant.uniform<i8:f32, 0.5:3>>
// CHECK: func.func private @symmetric() -> tensor<2x!quant.uniform<u8:f32, 0.003921569>>
func.func private @symmetric() -> tensor<2x!quant.uniform<u8:f32, 0.003921569:0>>
// CHECK: func.func private @per_axis() -> tensor<?x2x!quant.uniform<i8:f32:1, {1.0e-05, 0.25:-2}>>
func.func private @per_axis() -> tensor<?x2x!quant.uniform<i8:f32:1, {0.00001, 0.25:-2}>>
// CHECK: func.func private @large() -> !quant.uniform<i16:f32, 3.4028234663852886e+38>
func.func private @large() -> !quant.uniform<i16:f32, 3.4028235e+38>
// CHECK: func.func private @narrow() -> tensor<2x!quant.uniform<i8<-127:127>:f32:0, {0.02, 0.03:1}>>
func.func private @narrow() -> tensor<2x!quant.uniform<i8<-127:127>:f32:0, {2.0e-02, 3.0e-2:1}>>
// CHECK: func.func private @all_codes() -> !quant.uniform<u8:f32, 0.5>
func.func private @all_codes() -> !quant.uniform<u8<0:255>:f32, 0.5>
