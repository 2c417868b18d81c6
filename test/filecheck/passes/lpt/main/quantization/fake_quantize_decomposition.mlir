// RUN: opt-tool %s --lpt-main | filecheck %s

// An interval that starts at 0 becomes u8.
// CHECK-LABEL: @unsigned
// CHECK: nn.constant dense<2.55>
// CHECK-NEXT: [[L:%.*]] = nn.constant dense<0.0> : tensor<f32>
// CHECK-NEXT: [[H:%.*]] = nn.constant dense<255.0> : tensor<f32>
// CHECK-NEXT: [[Q:%.*]] = qnn.fake_quantize %x, %l, %h, [[L]], [[H]] {nn.name = "fq_original", levels = 256 : i64, output_type = ui8}
// CHECK-NEXT: qnn.dequantize [[Q]] scale <dense<0.01> : tensor<f32>> {lpt.output_interval = [#nn.blob<dense<0.0> : tensor<f32>>, #nn.blob<dense<2.55> : tensor<f32>>], nn.name = "fq"} : tensor<4xui8> -> tensor<4xf32>
func.func @unsigned(%x: tensor<4xf32>) -> tensor<4xf32> {
  %l = nn.constant dense<0.0> : tensor<f32>
  %h = nn.constant dense<2.55> : tensor<f32>
  %q = qnn.fake_quantize %x, %l, %h, %l, %h {levels = 256 : i64, nn.name = "fq"} : (tensor<4xf32>, tensor<f32>, tensor<f32>, tensor<f32>, tensor<f32>) -> tensor<4xf32>
  func.return %q : tensor<4xf32>
}

// A symmetric one becomes i8; the input interval is another matter.
// CHECK-LABEL: @signed
// CHECK: [[L:%.*]] = nn.constant dense<-128.0> : tensor<f32>
// CHECK-NEXT: [[H:%.*]] = nn.constant dense<127.0> : tensor<f32>
// CHECK-NEXT: [[Q:%.*]] = qnn.fake_quantize %x, %il, %ih, [[L]], [[H]] {levels = 256 : i64, output_type = i8}
// CHECK-NEXT: qnn.dequantize [[Q]] scale <dense<0.01> : tensor<f32>> {lpt
func.func @signed(%x: tensor<4xf32>) -> tensor<4xf32> {
  %il = nn.constant dense<-3.0> : tensor<f32>
  %ih = nn.constant dense<5.0> : tensor<f32>
  %l = nn.constant dense<-1.28> : tensor<f32>
  %h = nn.constant dense<1.27> : tensor<f32>
  %q = qnn.fake_quantize %x, %il, %ih, %l, %h {levels = 256 : i64} : (tensor<4xf32>, tensor<f32>, tensor<f32>, tensor<f32>, tensor<f32>) -> tensor<4xf32>
  func.return %q : tensor<4xf32>
}

// 255 levels leave out the lowest code, 16 fill four bits of the eight.
// CHECK-LABEL: @other_levels
// CHECK-DAG: nn.constant dense<-127.0>
// CHECK-DAG: nn.constant dense<127.0>
// CHECK: qnn.dequantize {{.*}} scale <dense<0.01> : tensor<f32>>
// CHECK-DAG: nn.constant dense<-8.0>
// CHECK-DAG: nn.constant dense<7.0>
// CHECK: qnn.dequantize {{.*}} scale <dense<0.1> : tensor<f32>>
func.func @other_levels(%x: tensor<4xf32>) -> (tensor<4xf32>, tensor<4xf32>) {
  %l = nn.constant dense<-1.27> : tensor<f32>
  %h = nn.constant dense<1.27> : tensor<f32>
  %q = qnn.fake_quantize %x, %l, %h, %l, %h {levels = 255 : i64} : (tensor<4xf32>, tensor<f32>, tensor<f32>, tensor<f32>, tensor<f32>) -> tensor<4xf32>
  %m = nn.constant dense<-0.8> : tensor<f32>
  %n = nn.constant dense<0.7> : tensor<f32>
  %r = qnn.fake_quantize %x, %m, %n, %m, %n {levels = 16 : i64} : (tensor<4xf32>, tensor<f32>, tensor<f32>, tensor<f32>, tensor<f32>) -> tensor<4xf32>
  func.return %q, %r : tensor<4xf32>, tensor<4xf32>
}

// One that is not symmetric takes the first type that is allowed, and a zero point.
// CHECK-LABEL: @asymmetric
// CHECK: output_type = ui8
// CHECK-NEXT: qnn.dequantize {{.*}} scale <dense<0.01> : tensor<f32>> zero_point <dense<55> : tensor<ui8>>
func.func @asymmetric(%x: tensor<4xf32>) -> tensor<4xf32> {
  %l = nn.constant dense<-0.55> : tensor<f32>
  %h = nn.constant dense<2.0> : tensor<f32>
  %q = qnn.fake_quantize %x, %l, %h, %l, %h {levels = 256 : i64} : (tensor<4xf32>, tensor<f32>, tensor<f32>, tensor<f32>, tensor<f32>) -> tensor<4xf32>
  func.return %q : tensor<4xf32>
}

// The plan decides: an unsigned interval where i8 is wanted.
// CHECK-LABEL: @restricted
// CHECK: output_type = i8
// CHECK-NEXT: qnn.dequantize {{.*}} scale <dense<0.01> : tensor<f32>> zero_point <dense<-128> : tensor<i8>>
func.func @restricted(%x: tensor<4xf32>) -> tensor<4xf32> {
  %l = nn.constant dense<0.0> : tensor<f32>
  %h = nn.constant dense<2.55> : tensor<f32>
  %q = qnn.fake_quantize %x, %l, %h, %l, %h {levels = 256 : i64, lpt.precisions = {output0 = [i8]}} : (tensor<4xf32>, tensor<f32>, tensor<f32>, tensor<f32>, tensor<f32>) -> tensor<4xf32>
  func.return %q : tensor<4xf32>
}

// A scale for each channel; a channel that is always 0 has one code, and scale 0.
// CHECK-LABEL: @per_channel
// CHECK: [[H:%.*]] = nn.constant dense<{{\[\[255.0\], \[0.0\]\]}}> : tensor<2x1xf32>
// CHECK: qnn.fake_quantize %x, %l, %h, {{%[0-9]*}}, [[H]] {
// CHECK: qnn.dequantize {{.*}} scale <dense<{{\[\[0.01\], \[0.0\]\]}}> : tensor<2x1xf32>> {lpt
func.func @per_channel(%x: tensor<2x2xf32>) -> tensor<2x2xf32> {
  %l = nn.constant dense<[[0.0], [0.0]]> : tensor<2x1xf32>
  %h = nn.constant dense<[[2.55], [0.0]]> : tensor<2x1xf32>
  %q = qnn.fake_quantize %x, %l, %h, %l, %h {levels = 256 : i64} : (tensor<2x2xf32>, tensor<2x1xf32>, tensor<2x1xf32>, tensor<2x1xf32>, tensor<2x1xf32>) -> tensor<2x2xf32>
  func.return %q : tensor<2x2xf32>
}

// The dequantization of an f16 model computes in f32.
// CHECK-LABEL: @half
// CHECK: qnn.fake_quantize %x, {{.*}} output_type = ui8} : (tensor<4xf16>, tensor<f16>
// CHECK-NEXT: qnn.dequantize {{.*}} scale <dense<{{[0-9.]*}}> : tensor<f32>> {lpt.output_interval = {{.*}}, output_type = f16} : tensor<4xui8> -> tensor<4xf16>
func.func @half(%x: tensor<4xf16>) -> tensor<4xf16> {
  %l = nn.constant dense<0.0> : tensor<f16>
  %h = nn.constant dense<2.55> : tensor<f16>
  %q = qnn.fake_quantize %x, %l, %h, %l, %h {levels = 256 : i64} : (tensor<4xf16>, tensor<f16>, tensor<f16>, tensor<f16>, tensor<f16>) -> tensor<4xf16>
  func.return %q : tensor<4xf16>
}

// Any number of levels up to 256.
// CHECK-LABEL: @few_levels
// CHECK: [[H:%.*]] = nn.constant dense<127.0> : tensor<f32>
// CHECK: [[Q:%.*]] = qnn.fake_quantize %x, %l, %h, {{%[0-9]*}}, [[H]] {levels = 128 : i64{{.*}} output_type = ui8}
// CHECK: qnn.dequantize [[Q]] scale <dense<0.02> : tensor<f32>>
func.func @few_levels(%x: tensor<4xf32>) -> tensor<4xf32> {
  %l = nn.constant dense<0.0> : tensor<f32>
  %h = nn.constant dense<2.54> : tensor<f32>
  %q = qnn.fake_quantize %x, %l, %h, %l, %h {levels = 128 : i64} : (tensor<4xf32>, tensor<f32>, tensor<f32>, tensor<f32>, tensor<f32>) -> tensor<4xf32>
  func.return %q : tensor<4xf32>
}

// CHECK-LABEL: @levels
// CHECK: lpt.declined = "257 levels; low precision takes 2 to 256"
func.func @levels(%x: tensor<4xf32>) -> tensor<4xf32> {
  %l = nn.constant dense<0.0> : tensor<f32>
  %h = nn.constant dense<2.55> : tensor<f32>
  %q = qnn.fake_quantize %x, %l, %h, %l, %h {levels = 257 : i64} : (tensor<4xf32>, tensor<f32>, tensor<f32>, tensor<f32>, tensor<f32>) -> tensor<4xf32>
  func.return %q : tensor<4xf32>
}

// CHECK-LABEL: @computed_interval
// CHECK: lpt.declined = "an interval that is computed while running; low precision takes constants"
func.func @computed_interval(%x: tensor<4xf32>, %h: tensor<f32>) -> tensor<4xf32> {
  %l = nn.constant dense<0.0> : tensor<f32>
  %q = qnn.fake_quantize %x, %l, %h, %l, %h {levels = 256 : i64} : (tensor<4xf32>, tensor<f32>, tensor<f32>, tensor<f32>, tensor<f32>) -> tensor<4xf32>
  func.return %q : tensor<4xf32>
}

// The output interval says what codes mean; limits of each row may come from elsewhere.
// CHECK-LABEL: @computed_input_interval
// CHECK: [[Q:%.*]] = qnn.fake_quantize %x, %r, %s, {{.*}} {levels = 256 : i64, output_type = i8}
// CHECK-NEXT: qnn.dequantize [[Q]] scale <dense<1.0> : tensor<f32>> {{.*}} : tensor<4x2xi8> -> tensor<4x2xf32>
func.func @computed_input_interval(%x: tensor<4x2xf32>, %r: tensor<4x1xf32>, %s: tensor<4x1xf32>) -> tensor<4x2xf32> {
  %l = nn.constant dense<-128.0> : tensor<f32>
  %h = nn.constant dense<127.0> : tensor<f32>
  %q = qnn.fake_quantize %x, %r, %s, %l, %h {levels = 256 : i64} : (tensor<4x2xf32>, tensor<4x1xf32>, tensor<4x1xf32>, tensor<f32>, tensor<f32>) -> tensor<4x2xf32>
  func.return %q : tensor<4x2xf32>
}

// CHECK-LABEL: @inverted
// CHECK: lpt.declined = "an inverted output interval, whose codes would fall where values rise; negate both ends, and multiply by -1 behind it"
func.func @inverted(%x: tensor<4xf32>) -> tensor<4xf32> {
  %l = nn.constant dense<0.0> : tensor<f32>
  %h = nn.constant dense<2.55> : tensor<f32>
  %q = qnn.fake_quantize %x, %l, %h, %h, %l {levels = 256 : i64} : (tensor<4xf32>, tensor<f32>, tensor<f32>, tensor<f32>, tensor<f32>) -> tensor<4xf32>
  func.return %q : tensor<4xf32>
}

// One channel of two.
// CHECK-LABEL: @one_inverted
// CHECK: lpt.declined = "an inverted output interval, whose codes would fall where values rise; negate both ends, and multiply by -1 behind it"
func.func @one_inverted(%x: tensor<1x2xf32>) -> tensor<1x2xf32> {
  %l = nn.constant dense<0.0> : tensor<f32>
  %h = nn.constant dense<2.55> : tensor<f32>
  %low = nn.constant dense<[[0.0, 2.55]]> : tensor<1x2xf32>
  %high = nn.constant dense<[[2.55, 0.0]]> : tensor<1x2xf32>
  %q = qnn.fake_quantize %x, %l, %h, %low, %high {levels = 256 : i64} : (tensor<1x2xf32>, tensor<f32>, tensor<f32>, tensor<1x2xf32>, tensor<1x2xf32>) -> tensor<1x2xf32>
  func.return %q : tensor<1x2xf32>
}

// CHECK-LABEL: @one_point
// CHECK: lpt.declined = "a single point other than 0 for output interval, which no scale expresses"
func.func @one_point(%x: tensor<4xf32>) -> tensor<4xf32> {
  %l = nn.constant dense<0.0> : tensor<f32>
  %h = nn.constant dense<2.55> : tensor<f32>
  %q = qnn.fake_quantize %x, %l, %h, %h, %h {levels = 256 : i64} : (tensor<4xf32>, tensor<f32>, tensor<f32>, tensor<f32>, tensor<f32>) -> tensor<4xf32>
  func.return %q : tensor<4xf32>
}

// A step at one point stays; two levels in an interval do not.
// CHECK-LABEL: @binarization
// CHECK: qnn.fake_quantize {{.*}}lpt.declined = "an input interval of one point, which is a test and no quantization; give it two ends"
// CHECK: qnn.fake_quantize {{.*}}output_type = ui8
func.func @binarization(%x: tensor<4xf32>) -> (tensor<4xf32>, tensor<4xf32>) {
  %p = nn.constant dense<0.5> : tensor<f32>
  %l = nn.constant dense<-1.0> : tensor<f32>
  %h = nn.constant dense<1.0> : tensor<f32>
  %q = qnn.fake_quantize %x, %p, %p, %l, %h {levels = 2 : i64} : (tensor<4xf32>, tensor<f32>, tensor<f32>, tensor<f32>, tensor<f32>) -> tensor<4xf32>
  %r = qnn.fake_quantize %x, %l, %h, %l, %h {levels = 2 : i64} : (tensor<4xf32>, tensor<f32>, tensor<f32>, tensor<f32>, tensor<f32>) -> tensor<4xf32>
  func.return %q, %r : tensor<4xf32>, tensor<4xf32>
}

// CHECK-LABEL: @nothing_allowed
// CHECK: lpt.declined = "no 8-bit type that preset 'cpu-x86' lets its consumers take"
func.func @nothing_allowed(%x: tensor<4xf32>) -> tensor<4xf32> {
  %l = nn.constant dense<0.0> : tensor<f32>
  %h = nn.constant dense<2.55> : tensor<f32>
  %q = qnn.fake_quantize %x, %l, %h, %l, %h {levels = 256 : i64, lpt.precisions = {output0 = []}} : (tensor<4xf32>, tensor<f32>, tensor<f32>, tensor<f32>, tensor<f32>) -> tensor<4xf32>
  func.return %q : tensor<4xf32>
}

// On the grid of [0, 25.5], 26 codes, 0.1 apart, lie in [0, 2.55]; the next is further from its end.
// CHECK-LABEL: @aligned
// CHECK-DAG: [[IL:%.*]] = nn.constant dense<0.0> : tensor<f32>
// CHECK-DAG: [[IH:%.*]] = nn.constant dense<2.5> : tensor<f32>
// CHECK-DAG: [[H:%.*]] = nn.constant dense<25.0> : tensor<f32>
// CHECK: qnn.fake_quantize %x, {{%[a-z0-9_]*}}, [[IH]], {{%[a-z0-9_]*}}, [[H]] {{{.*}}levels = 26 : i64, output_type = ui8
// CHECK-NEXT: qnn.dequantize {{.*}} scale <dense<0.1> : tensor<f32>> {lpt.output_interval = [{{.*}}], lpt.input_interval = [#nn.blob<dense<0.0> : tensor<f32>>, #nn.blob<dense<2.55> : tensor<f32>>], lpt.levels = 256 : i64}
func.func @aligned(%x: tensor<4xf32>) -> tensor<4xf32> {
  %l = nn.constant dense<0.0> : tensor<f32>
  %h = nn.constant dense<2.55> : tensor<f32>
  %q = qnn.fake_quantize %x, %l, %h, %l, %h {levels = 256 : i64, lpt.precisions = {output0 = [ui8]}, lpt.intervals_alignment = {high = 25.5 : f64, levels = 256 : i64, low = 0.0 : f64, min_levels = 26 : i64}} : (tensor<4xf32>, tensor<f32>, tensor<f32>, tensor<f32>, tensor<f32>) -> tensor<4xf32>
  func.return %q : tensor<4xf32>
}

// CHECK-LABEL: @too_few_levels
// CHECK: lpt.declined = "too few levels in common with what it is joined with, 2 of 256; give these FakeQuantize intervals of like size"
func.func @too_few_levels(%x: tensor<4xf32>) -> tensor<4xf32> {
  %l = nn.constant dense<0.0> : tensor<f32>
  %h = nn.constant dense<2.55> : tensor<f32>
  %q = qnn.fake_quantize %x, %l, %h, %l, %h {levels = 256 : i64, lpt.intervals_alignment = {high = 255.0 : f64, levels = 256 : i64, low = 0.0 : f64, min_levels = 2 : i64}} : (tensor<4xf32>, tensor<f32>, tensor<f32>, tensor<f32>, tensor<f32>) -> tensor<4xf32>
  func.return %q : tensor<4xf32>
}

// Codes of a type that is not wanted are made anew; those that are wanted, or used as they are, stay.
// CHECK-LABEL: @other_codes
// CHECK: [[Q:%.*]] = qnn.fake_quantize %x, {{.*}}nn.name = "q", {{.*}}output_type = ui8
// CHECK-NEXT: qnn.dequantize [[Q]] scale <dense<0.01> : tensor<f32>> zero_point <dense<128> : tensor<ui8>> {nn.name = "y"}
// CHECK-LABEL: @these_codes
// CHECK: output_type = i8
// CHECK-LABEL: @codes_are_used
// CHECK: output_type = i8
// CHECK-NOT: lpt.declined
// CHECK: func.return
// CHECK-LABEL: @codes_of_two_scales
// CHECK: qnn.fake_quantize {{.*}}output_type = i8
// CHECK-NEXT: qnn.dequantize {{.*}} scale <dense<0.01> : tensor<f32>>
// CHECK-NEXT: qnn.dequantize {{.*}} scale <dense<0.02> : tensor<f32>>
func.func @other_codes(%x: tensor<4xf32>) -> tensor<4xf32> {
  %l = nn.constant dense<-128.0> : tensor<f32>
  %h = nn.constant dense<127.0> : tensor<f32>
  %q = qnn.fake_quantize %x, %l, %h, %l, %h {levels = 256 : i64, output_type = i8, lpt.precisions = {output0 = [ui8]}, nn.name = "q"} : (tensor<4xf32>, tensor<f32>, tensor<f32>, tensor<f32>, tensor<f32>) -> tensor<4xi8>
  %y = qnn.dequantize %q scale <dense<0.01> : tensor<f32>> {nn.name = "y"} : tensor<4xi8> -> tensor<4xf32>
  func.return %y : tensor<4xf32>
}
func.func @these_codes(%x: tensor<4xf32>) -> tensor<4xf32> {
  %l = nn.constant dense<-128.0> : tensor<f32>
  %h = nn.constant dense<127.0> : tensor<f32>
  %q = qnn.fake_quantize %x, %l, %h, %l, %h {levels = 256 : i64, output_type = i8, lpt.precisions = {output0 = [ui8, i8]}} : (tensor<4xf32>, tensor<f32>, tensor<f32>, tensor<f32>, tensor<f32>) -> tensor<4xi8>
  %y = qnn.dequantize %q scale <dense<0.01> : tensor<f32>> : tensor<4xi8> -> tensor<4xf32>
  func.return %y : tensor<4xf32>
}
func.func @codes_are_used(%x: tensor<4xf32>) -> (tensor<4xf32>, tensor<4xi8>) {
  %l = nn.constant dense<-128.0> : tensor<f32>
  %h = nn.constant dense<127.0> : tensor<f32>
  %q = qnn.fake_quantize %x, %l, %h, %l, %h {levels = 256 : i64, output_type = i8, lpt.precisions = {output0 = [ui8]}} : (tensor<4xf32>, tensor<f32>, tensor<f32>, tensor<f32>, tensor<f32>) -> tensor<4xi8>
  %y = qnn.dequantize %q scale <dense<0.01> : tensor<f32>> : tensor<4xi8> -> tensor<4xf32>
  func.return %y, %q : tensor<4xf32>, tensor<4xi8>
}
func.func @codes_of_two_scales(%x: tensor<4xf32>) -> (tensor<4xf32>, tensor<4xf32>) {
  %l = nn.constant dense<-128.0> : tensor<f32>
  %h = nn.constant dense<127.0> : tensor<f32>
  %q = qnn.fake_quantize %x, %l, %h, %l, %h {levels = 256 : i64, output_type = i8, lpt.precisions = {output0 = [ui8]}} : (tensor<4xf32>, tensor<f32>, tensor<f32>, tensor<f32>, tensor<f32>) -> tensor<4xi8>
  %y = qnn.dequantize %q scale <dense<0.01> : tensor<f32>> : tensor<4xi8> -> tensor<4xf32>
  %z = qnn.dequantize %q scale <dense<0.02> : tensor<f32>> : tensor<4xi8> -> tensor<4xf32>
  func.return %y, %z : tensor<4xf32>, tensor<4xf32>
}

// Steps below what f32 can tell apart.
// CHECK-LABEL: @too_short
// CHECK: lpt.declined = "an output interval that is too short for f32 to tell its levels apart"
func.func @too_short(%x: tensor<4xf32>) -> tensor<4xf32> {
  %l = nn.constant dense<0.0> : tensor<f32>
  %h = nn.constant dense<1.0> : tensor<f32>
  %t = nn.constant dense<1.0e-38> : tensor<f32>
  %q = qnn.fake_quantize %x, %l, %h, %l, %t {levels = 256 : i64} : (tensor<4xf32>, tensor<f32>, tensor<f32>, tensor<f32>, tensor<f32>) -> tensor<4xf32>
  func.return %q : tensor<4xf32>
}
