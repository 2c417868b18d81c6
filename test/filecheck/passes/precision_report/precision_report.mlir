// RUN: opt-tool %s --allow-unregistered-dialect --lpt --precision-report='file="precision_report.csv"' >%t.out
// RUN: filecheck %s --input-file precision_report.csv
// RUN: opt-tool %s --allow-unregistered-dialect --lpt --precision-report='file="precision_report.json"' >%t.out
// RUN: filecheck %s --input-file precision_report.json --check-prefix JSON
// RUN: opt-tool %s --allow-unregistered-dialect --lpt --precision-report 2>&1 >%t.out | filecheck %s --check-prefix TABLE
// RUN: not opt-tool %s --allow-unregistered-dialect --precision-report='file="precision_report.xlsx"' 2>&1 | filecheck %s --check-prefix ENDING

// CHECK:      name,type,inputs,outputs,reason
// CHECK-NEXT: fq,FakeQuantize,f32 f32 f32 f32 f32,u8,
// CHECK-NEXT: fc,MatMul,u8 i8,i32,
// CHECK-NEXT: ,Convert,i32,f32,it turns codes back into values
// CHECK-NEXT: fc,Multiply,f32 f32,f32,it turns codes back into values
// CHECK-NEXT: bias,Add,f32 f32,f32,"it adds a bias, which belongs to the dequantization of the product before it"
// CHECK-NEXT: relu,ReLU,f32,f32,its inputs are not quantized
// CHECK-NEXT: sigmoid,Sigmoid,f32,f32,Sigmoid has no 8-bit form
// CHECK-NEXT: whole,Convert,f32,i64,"it gives integers, which are exact"
// CHECK-NEXT: far,FakeQuantize,f32 f32 f32 f32 f32,f32,nothing behind it computes on 8-bit codes
// CHECK-NEXT: near,FakeQuantize,f32 f32 f32 f32 f32,f32,nn.mat_mul 'wrong' cannot use its codes: input 1 is not quantized; put a FakeQuantize on it
// CHECK-NEXT: wrong,MatMul,f32 f32,f32,input 1 is not quantized; put a FakeQuantize on it
// CHECK-NEXT: levels,FakeQuantize,f32 f32 f32 f32 f32,f32,257 levels; low precision takes 2 to 256
// CHECK-NEXT: ,foreign.op,f32,f32,foreign.op has no 8-bit form

// JSON: "name": "fc",
// JSON-NEXT: "type": "MatMul",
// JSON-NEXT: "inputs": [
// JSON-NEXT: "u8",
// JSON-NEXT: "i8"
// JSON-NEXT: ],
// JSON-NEXT: "outputs": [
// JSON-NEXT: "i32"
// JSON-NEXT: ],
// JSON-NEXT: "reason": ""

// TABLE: name {{.*}} type {{.*}} inputs {{.*}} outputs
// TABLE: fc {{.*}} MatMul {{.*}} u8 i8

// ENDING: error: precision-report: '{{.*}}.xlsx' must end in .json or .csv
func.func @main(%x: tensor<3x2xf32>, %g: tensor<2x3xf32>) -> (tensor<3x2xf32>, tensor<3x2xi64>, tensor<3x2xf32>, tensor<3x3xf32>, tensor<3x2xf32>) {
  %l = nn.constant dense<0.0> : tensor<f32>
  %h = nn.constant dense<2.55> : tensor<f32>
  %q = qnn.fake_quantize %x, %l, %h, %l, %h {levels = 256 : i64, nn.name = "fq"} : (tensor<3x2xf32>, tensor<f32>, tensor<f32>, tensor<f32>, tensor<f32>) -> tensor<3x2xf32>
  %w = nn.constant dense<[[1, 2], [3, 4]]> : tensor<2x2xi8>
  %f = nn.convert %w to f32 : tensor<2x2xi8> -> tensor<2x2xf32>
  %s = nn.constant dense<0.5> : tensor<f32>
  %wq = nn.multiply %f, %s : (tensor<2x2xf32>, tensor<f32>) -> tensor<2x2xf32>
  %y = nn.mat_mul %q, %wq {nn.name = "fc"} : (tensor<3x2xf32>, tensor<2x2xf32>) -> tensor<3x2xf32>
  %b = nn.constant dense<[[1.0, 2.0]]> : tensor<1x2xf32>
  %z = nn.add %y, %b {nn.name = "bias"} : (tensor<3x2xf32>, tensor<1x2xf32>) -> tensor<3x2xf32>
  %r = nn.relu %z {nn.name = "relu"} : tensor<3x2xf32>
  %o = nn.sigmoid %r {nn.name = "sigmoid"} : tensor<3x2xf32>
  %n = nn.convert %o to i64 {nn.name = "whole"} : tensor<3x2xf32> -> tensor<3x2xi64>
  %far = qnn.fake_quantize %o, %l, %h, %l, %h {levels = 256 : i64, nn.name = "far"} : (tensor<3x2xf32>, tensor<f32>, tensor<f32>, tensor<f32>, tensor<f32>) -> tensor<3x2xf32>
  %near = qnn.fake_quantize %o, %l, %h, %l, %h {levels = 256 : i64, nn.name = "near"} : (tensor<3x2xf32>, tensor<f32>, tensor<f32>, tensor<f32>, tensor<f32>) -> tensor<3x2xf32>
  %wrong = nn.mat_mul %near, %g {nn.name = "wrong"} : (tensor<3x2xf32>, tensor<2x3xf32>) -> tensor<3x3xf32>
  %levels = qnn.fake_quantize %x, %l, %h, %l, %h {levels = 257 : i64, nn.name = "levels"} : (tensor<3x2xf32>, tensor<f32>, tensor<f32>, tensor<f32>, tensor<f32>) -> tensor<3x2xf32>
  %foreign = "foreign.op"(%levels) : (tensor<3x2xf32>) -> tensor<3x2xf32>
  func.return %o, %n, %far, %wrong, %foreign : tensor<3x2xf32>, tensor<3x2xi64>, tensor<3x2xf32>, tensor<3x3xf32>, tensor<3x2xf32>
}
