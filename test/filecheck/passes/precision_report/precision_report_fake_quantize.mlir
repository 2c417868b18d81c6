// RUN: opt-tool %s --lpt --precision-report='file="precision_report_fake_quantize.csv"' >%t.out
// RUN: filecheck %s --input-file precision_report_fake_quantize.csv

// A FakeQuantize in floating point, where what reads it takes the codes of its other input; nearest miss: nothing does.

// CHECK: codes,FakeQuantize,f32 f32 f32 f32 f32,u8,
// CHECK: values,FakeQuantize,f32 f32 f32 f32 f32,f32,what reads it computes on the codes of its other input
// CHECK: unread,FakeQuantize,f32 f32 f32 f32 f32,f32,nothing behind it computes on 8-bit codes
func.func @main(%x: tensor<3x2xf32>, %y: tensor<3x2xf32>, %g: tensor<3x2xf32>) -> (tensor<3x2xf32>, tensor<3x2xf32>) {
  %l = nn.constant dense<0.0> : tensor<f32>
  %h = nn.constant dense<2.55> : tensor<f32>
  %codes = qnn.fake_quantize %x, %l, %h, %l, %h {levels = 255 : i64, nn.name = "codes"} : (tensor<3x2xf32>, tensor<f32>, tensor<f32>, tensor<f32>, tensor<f32>) -> tensor<3x2xf32>
  %values = qnn.fake_quantize %y, %l, %h, %l, %h {levels = 256 : i64, nn.name = "values"} : (tensor<3x2xf32>, tensor<f32>, tensor<f32>, tensor<f32>, tensor<f32>) -> tensor<3x2xf32>
  %product = nn.multiply %values, %codes : (tensor<3x2xf32>, tensor<3x2xf32>) -> tensor<3x2xf32>
  %unread = qnn.fake_quantize %g, %l, %h, %l, %h {levels = 256 : i64, nn.name = "unread"} : (tensor<3x2xf32>, tensor<f32>, tensor<f32>, tensor<f32>, tensor<f32>) -> tensor<3x2xf32>
  func.return %product, %unread : tensor<3x2xf32>, tensor<3x2xf32>
}
