// RUN: printf 'disabled = ["max_pool"]\n' >precision_report_disabled.toml
// RUN: printf 'disabled = ["fake_quantize_decomposition"]\n' >precision_report_codes.toml
// RUN: printf '[precisions."nn.convolution"]\ninput0 = []\ninput1 = ["i8"]\n' >precision_report_port.toml
// RUN: printf '[precisions."nn.mat_mul"]\ninput0 = ["u8"]\ninput1 = ["u8"]\n' >precision_report_type.toml
// RUN: opt-tool %s --lpt --precision-report='file="precision_report_configuration.csv"' >%t.out
// RUN: filecheck %s --input-file precision_report_configuration.csv
// RUN: opt-tool %s --lpt='preset=cpu-arm' --precision-report='file="precision_report_configuration.csv"' >%t.out
// RUN: filecheck %s --input-file precision_report_configuration.csv --check-prefix ARM
// RUN: opt-tool %s --lpt='config="precision_report_disabled.toml"' --precision-report='file="precision_report_configuration.csv"' >%t.out
// RUN: filecheck %s --input-file precision_report_configuration.csv --check-prefix DISABLED
// RUN: opt-tool %s --lpt='config="precision_report_codes.toml"' --precision-report='file="precision_report_configuration.csv"' >%t.out
// RUN: filecheck %s --input-file precision_report_configuration.csv --check-prefix CODES
// RUN: opt-tool %s --lpt='config="precision_report_port.toml"' --precision-report='file="precision_report_configuration.csv"' >%t.out
// RUN: filecheck %s --input-file precision_report_configuration.csv --check-prefix PORT
// RUN: opt-tool %s --lpt='config="precision_report_type.toml"' --precision-report='file="precision_report_configuration.csv"' >%t.out
// RUN: filecheck %s --input-file precision_report_configuration.csv --check-prefix TYPE

// The default takes all but weights of u8, and says so.
// CHECK: pool,MaxPool,u8,u8,{{$}}
// CHECK: conv,Convolution,u8 i8,i32,{{$}}
// CHECK: fc,MatMul,f32 f32,f32,input 1 is quantized to ui8; preset 'cpu-x86' takes i8 there{{.*}}

// ARM: fq,FakeQuantize,{{.*}},nn.max_pool 'pool' cannot use its codes: preset 'cpu-arm' disables max_pool{{$}}
// ARM: pool,MaxPool,f32,f32,preset 'cpu-arm' disables max_pool{{$}}
// ARM: conv,Convolution,f32 f32,f32,preset 'cpu-arm' disables weights_zero_point and convolution{{$}}
// ARM: fc,MatMul,f32 f32,f32,input 1 is quantized to ui8; preset 'cpu-arm' takes i8 there{{.*}}

// Disabled by name, and what is behind it.
// DISABLED: pool,MaxPool,f32,f32,the configuration disables max_pool{{$}}
// DISABLED: conv,Convolution,f32 f32,f32,input 0 is not quantized: nn.max_pool 'pool' gives values: the configuration disables max_pool{{$}}

// CODES: fq,FakeQuantize,{{.*}},the configuration disables fake_quantize_decomposition{{$}}
// CODES: conv,Convolution,f32 f32,f32,input 0 is not quantized by qnn.fake_quantize 'fq': the configuration disables fake_quantize_decomposition{{$}}

// A port that takes no codes, and one that takes others.
// PORT: fq,FakeQuantize,{{.*}},no 8-bit type that the configuration lets its consumers take{{$}}
// PORT: conv,Convolution,f32 f32,f32,the configuration keeps input 0 in floating point{{$}}
// PORT: fc,MatMul,f32 f32,f32,input 1 is quantized to ui8; the configuration takes i8 there{{.*}}
// TYPE: conv,Convolution,u8 i8,i32,{{$}}
// TYPE: fc,MatMul,u8 u8,i32,{{$}}
func.func @main(%x: tensor<1x3x4x4xf32>, %y: tensor<2x3xf32>) -> (tensor<1x2x4x4xf32>, tensor<2x2xf32>) {
  %l = nn.constant dense<0.0> : tensor<f32>
  %h = nn.constant dense<2.55> : tensor<f32>
  %q = qnn.fake_quantize %x, %l, %h, %l, %h {levels = 256 : i64, nn.name = "fq"} : (tensor<1x3x4x4xf32>, tensor<f32>, tensor<f32>, tensor<f32>, tensor<f32>) -> tensor<1x3x4x4xf32>
  %p = nn.max_pool %q {kernel = array<i64: 1, 1>, strides = array<i64: 1, 1>, pads_begin = array<i64: 0, 0>, pads_end = array<i64: 0, 0>, dilations = array<i64: 1, 1>, nn.name = "pool"} : tensor<1x3x4x4xf32> -> tensor<1x3x4x4xf32>
  %c = nn.constant dense<3> : tensor<2x3x1x1xi8>
  %f = qnn.dequantize %c scale <dense<0.5> : tensor<f32>> : tensor<2x3x1x1xi8> -> tensor<2x3x1x1xf32>
  %conv = nn.convolution %p, %f {strides = array<i64: 1, 1>, pads_begin = array<i64: 0, 0>, pads_end = array<i64: 0, 0>, dilations = array<i64: 1, 1>, nn.name = "conv"} : (tensor<1x3x4x4xf32>, tensor<2x3x1x1xf32>) -> tensor<1x2x4x4xf32>
  %d = qnn.fake_quantize %y, %l, %h, %l, %h {levels = 256 : i64, nn.name = "data"} : (tensor<2x3xf32>, tensor<f32>, tensor<f32>, tensor<f32>, tensor<f32>) -> tensor<2x3xf32>
  %u = nn.constant dense<200> : tensor<3x2xui8>
  %w = qnn.dequantize %u scale <dense<0.5> : tensor<f32>> : tensor<3x2xui8> -> tensor<3x2xf32>
  %fc = nn.mat_mul %d, %w {nn.name = "fc"} : (tensor<2x3xf32>, tensor<3x2xf32>) -> tensor<2x2xf32>
  func.return %conv, %fc : tensor<1x2x4x4xf32>, tensor<2x2xf32>
}
