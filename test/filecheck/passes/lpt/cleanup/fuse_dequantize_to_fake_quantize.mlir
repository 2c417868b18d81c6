// RUN: opt-tool %s --lpt-cleanup | filecheck %s

// The interval in values: what the codes 0 and 255 stand for.
// CHECK-LABEL: @computes_the_interval
// CHECK-DAG: [[L:%.*]] = nn.constant dense<-1.5> : tensor<f32>
// CHECK-DAG: [[H:%.*]] = nn.constant dense<126.0> : tensor<f32>
// CHECK: qnn.fake_quantize %x, %l, %h, [[L]], [[H]] {nn.name = "fq", levels = 256 : i64} : {{.*}} -> tensor<4xf32>
// CHECK-NEXT: func.return
func.func @computes_the_interval(%x: tensor<4xf32>) -> tensor<4xf32> {
  %l = nn.constant dense<-1.0> : tensor<f32>
  %h = nn.constant dense<255.0> : tensor<f32>
  %z = nn.constant dense<0.0> : tensor<f32>
  %q = qnn.fake_quantize %x, %l, %h, %z, %h {levels = 256 : i64, output_type = ui8, nn.name = "fq_original"} : (tensor<4xf32>, tensor<f32>, tensor<f32>, tensor<f32>, tensor<f32>) -> tensor<4xui8>
  %y = qnn.dequantize %q scale <dense<0.5> : tensor<f32>> zero_point <dense<3> : tensor<ui8>> {nn.name = "fq"} : tensor<4xui8> -> tensor<4xf32>
  func.return %y : tensor<4xf32>
}

// The interval as it was, to the last bit.
// CHECK-LABEL: @puts_it_back
// CHECK-DAG: nn.constant dense<-0.1> : tensor<f32>
// CHECK-DAG: nn.constant dense<0.7> : tensor<f32>
// CHECK: qnn.fake_quantize
// CHECK-NOT: lpt.
// CHECK: func.return
func.func @puts_it_back(%x: tensor<4xf32>) -> tensor<4xf32> {
  %h = nn.constant dense<255.0> : tensor<f32>
  %z = nn.constant dense<0.0> : tensor<f32>
  %q = qnn.fake_quantize %x, %z, %h, %z, %h {levels = 256 : i64, output_type = ui8} : (tensor<4xf32>, tensor<f32>, tensor<f32>, tensor<f32>, tensor<f32>) -> tensor<4xui8>
  %y = qnn.dequantize %q scale <dense<0.5> : tensor<f32>> {lpt.output_interval = [#nn.blob<dense<-0.1> : tensor<f32>>, #nn.blob<dense<0.7> : tensor<f32>>]} : tensor<4xui8> -> tensor<4xf32>
  func.return %y : tensor<4xf32>
}

// A user of the codes keeps them.
// CHECK-LABEL: @codes_are_used
// CHECK: qnn.fake_quantize {{.*}} output_type = ui8
// CHECK: nn.multiply
func.func @codes_are_used(%x: tensor<4xf32>) -> (tensor<4xf32>, tensor<4xui8>) {
  %h = nn.constant dense<255.0> : tensor<f32>
  %z = nn.constant dense<0.0> : tensor<f32>
  %q = qnn.fake_quantize %x, %z, %h, %z, %h {levels = 256 : i64, output_type = ui8} : (tensor<4xf32>, tensor<f32>, tensor<f32>, tensor<f32>, tensor<f32>) -> tensor<4xui8>
  %y = qnn.dequantize %q scale <dense<0.5> : tensor<f32>> : tensor<4xui8> -> tensor<4xf32>
  %r = nn.relu %q : tensor<4xui8>
  func.return %y, %r : tensor<4xf32>, tensor<4xui8>
}

// CHECK-LABEL: @other_floating_point
// CHECK: output_type = ui8
// CHECK: nn.convert {{.*}} to f16
func.func @other_floating_point(%x: tensor<4xf32>) -> tensor<4xf16> {
  %h = nn.constant dense<255.0> : tensor<f32>
  %z = nn.constant dense<0.0> : tensor<f32>
  %q = qnn.fake_quantize %x, %z, %h, %z, %h {levels = 256 : i64, output_type = ui8} : (tensor<4xf32>, tensor<f32>, tensor<f32>, tensor<f32>, tensor<f32>) -> tensor<4xui8>
  %y = qnn.dequantize %q scale <dense<0.5> : tensor<f32>> {output_type = f16} : tensor<4xui8> -> tensor<4xf16>
  func.return %y : tensor<4xf16>
}

// CHECK-LABEL: @interval_is_computed
// CHECK: qnn.fake_quantize %x, %h, %h, %z, %h {{.*}} output_type = ui8
// CHECK: nn.multiply
func.func @interval_is_computed(%x: tensor<4xf32>, %z: tensor<f32>, %h: tensor<f32>) -> tensor<4xf32> {
  %q = qnn.fake_quantize %x, %h, %h, %z, %h {levels = 256 : i64, output_type = ui8} : (tensor<4xf32>, tensor<f32>, tensor<f32>, tensor<f32>, tensor<f32>) -> tensor<4xui8>
  %y = qnn.dequantize %q scale <dense<0.5> : tensor<f32>> : tensor<4xui8> -> tensor<4xf32>
  func.return %y : tensor<4xf32>
}

// One that was aligned gets its levels and both intervals back.
// CHECK-LABEL: @aligned
// CHECK-DAG: [[IL:%.*]] = nn.constant dense<-0.2> : tensor<f32>
// CHECK-DAG: [[IH:%.*]] = nn.constant dense<0.8> : tensor<f32>
// CHECK-DAG: [[OL:%.*]] = nn.constant dense<-0.1> : tensor<f32>
// CHECK-DAG: [[OH:%.*]] = nn.constant dense<0.7> : tensor<f32>
// CHECK: qnn.fake_quantize %x, [[IL]], [[IH]], [[OL]], [[OH]] {levels = 256 : i64} :
func.func @aligned(%x: tensor<4xf32>) -> tensor<4xf32> {
  %h = nn.constant dense<3.0> : tensor<f32>
  %z = nn.constant dense<0.0> : tensor<f32>
  %q = qnn.fake_quantize %x, %z, %h, %z, %h {levels = 4 : i64, output_type = ui8} : (tensor<4xf32>, tensor<f32>, tensor<f32>, tensor<f32>, tensor<f32>) -> tensor<4xui8>
  %y = qnn.dequantize %q scale <dense<0.5> : tensor<f32>> {lpt.output_interval = [#nn.blob<dense<-0.1> : tensor<f32>>, #nn.blob<dense<0.7> : tensor<f32>>], lpt.input_interval = [#nn.blob<dense<-0.2> : tensor<f32>>, #nn.blob<dense<0.8> : tensor<f32>>], lpt.levels = 256 : i64} : tensor<4xui8> -> tensor<4xf32>
  func.return %y : tensor<4xf32>
}

// Two dequantizations would be two FakeQuantize.
// CHECK-LABEL: @two_dequantizations
// CHECK: qnn.fake_quantize {{.*}} output_type = ui8
// CHECK-NOT: qnn.fake_quantize
// CHECK: func.return
func.func @two_dequantizations(%x: tensor<4xf32>) -> (tensor<4xf32>, tensor<4xf32>) {
  %h = nn.constant dense<255.0> : tensor<f32>
  %z = nn.constant dense<0.0> : tensor<f32>
  %q = qnn.fake_quantize %x, %z, %h, %z, %h {levels = 256 : i64, output_type = ui8} : (tensor<4xf32>, tensor<f32>, tensor<f32>, tensor<f32>, tensor<f32>) -> tensor<4xui8>
  %y = qnn.dequantize %q scale <dense<0.5> : tensor<f32>> : tensor<4xui8> -> tensor<4xf32>
  %w = qnn.dequantize %q scale <dense<0.25> : tensor<f32>> : tensor<4xui8> -> tensor<4xf32>
  func.return %y, %w : tensor<4xf32>, tensor<4xf32>
}

// A negative scale stays behind the codes: the interval would be inverted.
// CHECK-LABEL: @negative
// CHECK: qnn.fake_quantize {{.*}} output_type = ui8
// CHECK: nn.multiply
func.func @negative(%x: tensor<4xf32>) -> tensor<4xf32> {
  %l = nn.constant dense<0.0> : tensor<f32>
  %h = nn.constant dense<255.0> : tensor<f32>
  %q = qnn.fake_quantize %x, %l, %h, %l, %h {levels = 256 : i64, output_type = ui8} : (tensor<4xf32>, tensor<f32>, tensor<f32>, tensor<f32>, tensor<f32>) -> tensor<4xui8>
  %y = qnn.dequantize %q scale <dense<-0.5> : tensor<f32>> : tensor<4xui8> -> tensor<4xf32>
  func.return %y : tensor<4xf32>
}

// 255 * 2e36 is no f32.
// CHECK-LABEL: @infinite
// CHECK: qnn.fake_quantize {{.*}} output_type = ui8
// CHECK: nn.multiply
func.func @infinite(%x: tensor<4xf32>) -> tensor<4xf32> {
  %l = nn.constant dense<0.0> : tensor<f32>
  %h = nn.constant dense<255.0> : tensor<f32>
  %q = qnn.fake_quantize %x, %l, %h, %l, %h {levels = 256 : i64, output_type = ui8} : (tensor<4xf32>, tensor<f32>, tensor<f32>, tensor<f32>, tensor<f32>) -> tensor<4xui8>
  %y = qnn.dequantize %q scale <dense<2.0e+36> : tensor<f32>> : tensor<4xui8> -> tensor<4xf32>
  func.return %y : tensor<4xf32>
}

// CHECK-LABEL: @halves
// CHECK-DAG: [[L:%.*]] = nn.constant dense<1.0> : tensor<f16>
// CHECK-DAG: [[H:%.*]] = nn.constant dense<4.1875> : tensor<f16>
// CHECK: qnn.fake_quantize %x, {{%.*}}, {{%.*}}, [[L]], [[H]] {levels = 256 : i64} : {{.*}} -> tensor<4xf16>
// CHECK-NEXT: func.return
func.func @halves(%x: tensor<4xf16>) -> tensor<4xf16> {
  %l = nn.constant dense<0.0> : tensor<f16>
  %h = nn.constant dense<255.0> : tensor<f16>
  %q = qnn.fake_quantize %x, %l, %h, %l, %h {levels = 256 : i64, output_type = ui8} : (tensor<4xf16>, tensor<f16>, tensor<f16>, tensor<f16>, tensor<f16>) -> tensor<4xui8>
  %y = qnn.dequantize %q scale <dense<0.0125> : tensor<f32>> zero_point <dense<-80.0> : tensor<f32>> {output_type = f16} : tensor<4xui8> -> tensor<4xf16>
  func.return %y : tensor<4xf16>
}

// Next to 8, halves are 80 steps apart: what the ends are rounded by, all values would be.
// CHECK-LABEL: @halves_far_from_zero
// CHECK: qnn.fake_quantize {{.*}} output_type = ui8
// CHECK: nn.convert {{.*}} to f16
func.func @halves_far_from_zero(%x: tensor<4xf16>) -> tensor<4xf16> {
  %l = nn.constant dense<0.0> : tensor<f16>
  %h = nn.constant dense<255.0> : tensor<f16>
  %q = qnn.fake_quantize %x, %l, %h, %l, %h {levels = 256 : i64, output_type = ui8} : (tensor<4xf16>, tensor<f16>, tensor<f16>, tensor<f16>, tensor<f16>) -> tensor<4xui8>
  %y = qnn.dequantize %q scale <dense<0.0001> : tensor<f32>> zero_point <dense<-80000.0> : tensor<f32>> {output_type = f16} : tensor<4xui8> -> tensor<4xf16>
  func.return %y : tensor<4xf16>
}
