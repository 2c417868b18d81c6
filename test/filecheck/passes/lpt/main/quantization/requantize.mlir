// RUN: opt-tool %s --lpt-main=only=requantize | filecheck %s

// CHECK-LABEL: @its_own_codes
// CHECK: func.return %q : tensor<4xi8>
func.func @its_own_codes(%q: tensor<4xi8>) -> tensor<4xi8> {
  %x = qnn.dequantize %q scale <dense<0.5> : tensor<f32>> : tensor<4xi8> -> tensor<4xf32>
  %il = nn.constant dense<-64.0> : tensor<f32>
  %ih = nn.constant dense<63.5> : tensor<f32>
  %ol = nn.constant dense<-128.0> : tensor<f32>
  %oh = nn.constant dense<127.0> : tensor<f32>
  %y = qnn.fake_quantize %x, %il, %ih, %ol, %oh {levels = 256 : i64, output_type = i8} : (tensor<4xf32>, tensor<f32>, tensor<f32>, tensor<f32>, tensor<f32>) -> tensor<4xi8>
  func.return %y : tensor<4xi8>
}

// CHECK-LABEL: @other_scale
// CHECK: [[Y:%.*]] = qnn.fake_quantize
// CHECK: func.return [[Y]]
func.func @other_scale(%q: tensor<4xi8>) -> tensor<4xi8> {
  %x = qnn.dequantize %q scale <dense<0.25> : tensor<f32>> : tensor<4xi8> -> tensor<4xf32>
  %il = nn.constant dense<-64.0> : tensor<f32>
  %ih = nn.constant dense<63.5> : tensor<f32>
  %ol = nn.constant dense<-128.0> : tensor<f32>
  %oh = nn.constant dense<127.0> : tensor<f32>
  %y = qnn.fake_quantize %x, %il, %ih, %ol, %oh {levels = 256 : i64, output_type = i8} : (tensor<4xf32>, tensor<f32>, tensor<f32>, tensor<f32>, tensor<f32>) -> tensor<4xi8>
  func.return %y : tensor<4xi8>
}

// The lowest code would become the one above it.
// CHECK-LABEL: @fewer_levels
// CHECK: [[Y:%.*]] = qnn.fake_quantize
// CHECK: func.return [[Y]]
func.func @fewer_levels(%q: tensor<4xi8>) -> tensor<4xi8> {
  %x = qnn.dequantize %q scale <dense<0.5> : tensor<f32>> : tensor<4xi8> -> tensor<4xf32>
  %il = nn.constant dense<-63.5> : tensor<f32>
  %ih = nn.constant dense<63.5> : tensor<f32>
  %ol = nn.constant dense<-127.0> : tensor<f32>
  %oh = nn.constant dense<127.0> : tensor<f32>
  %y = qnn.fake_quantize %x, %il, %ih, %ol, %oh {levels = 255 : i64, output_type = i8} : (tensor<4xf32>, tensor<f32>, tensor<f32>, tensor<f32>, tensor<f32>) -> tensor<4xi8>
  func.return %y : tensor<4xi8>
}

// The ends are those of the codes, but only every other one is given.
// CHECK-LABEL: @fewer_between_the_same_ends
// CHECK: [[Y:%.*]] = qnn.fake_quantize
// CHECK: func.return [[Y]]
func.func @fewer_between_the_same_ends(%q: tensor<4xi8>) -> tensor<4xf32> {
  %x = qnn.dequantize %q scale <dense<0.5> : tensor<f32>> : tensor<4xi8> -> tensor<4xf32>
  %low = nn.constant dense<-64.0> : tensor<f32>
  %high = nn.constant dense<63.5> : tensor<f32>
  %y = qnn.fake_quantize %x, %low, %high, %low, %high {levels = 128 : i64} : (tensor<4xf32>, tensor<f32>, tensor<f32>, tensor<f32>, tensor<f32>) -> tensor<4xf32>
  func.return %y : tensor<4xf32>
}

// The same numbers, of a wider type.
// CHECK-LABEL: @wider_type
// CHECK: [[Y:%.*]] = qnn.fake_quantize
// CHECK: func.return [[Y]]
func.func @wider_type(%q: tensor<4xi8>) -> tensor<4xi16> {
  %x = qnn.dequantize %q scale <dense<0.5> : tensor<f32>> : tensor<4xi8> -> tensor<4xf32>
  %il = nn.constant dense<-64.0> : tensor<f32>
  %ih = nn.constant dense<63.5> : tensor<f32>
  %ol = nn.constant dense<-128.0> : tensor<f32>
  %oh = nn.constant dense<127.0> : tensor<f32>
  %y = qnn.fake_quantize %x, %il, %ih, %ol, %oh {levels = 256 : i64, output_type = i16} : (tensor<4xf32>, tensor<f32>, tensor<f32>, tensor<f32>, tensor<f32>) -> tensor<4xi16>
  func.return %y : tensor<4xi16>
}

// CHECK-LABEL: @other_type
// CHECK: [[Y:%.*]] = qnn.fake_quantize
// CHECK: func.return [[Y]]
func.func @other_type(%q: tensor<4xui8>) -> tensor<4xi8> {
  %x = qnn.dequantize %q scale <dense<0.5> : tensor<f32>> zero_point <dense<128> : tensor<ui8>> : tensor<4xui8> -> tensor<4xf32>
  %il = nn.constant dense<-64.0> : tensor<f32>
  %ih = nn.constant dense<63.5> : tensor<f32>
  %ol = nn.constant dense<-128.0> : tensor<f32>
  %oh = nn.constant dense<127.0> : tensor<f32>
  %y = qnn.fake_quantize %x, %il, %ih, %ol, %oh {levels = 256 : i64, output_type = i8} : (tensor<4xf32>, tensor<f32>, tensor<f32>, tensor<f32>, tensor<f32>) -> tensor<4xi8>
  func.return %y : tensor<4xi8>
}

// CHECK-LABEL: @its_own_values
// CHECK: [[X:%.*]] = qnn.dequantize %q
// CHECK: func.return [[X]]
func.func @its_own_values(%q: tensor<4xi8>) -> tensor<4xf32> {
  %x = qnn.dequantize %q scale <dense<0.5> : tensor<f32>> : tensor<4xi8> -> tensor<4xf32>
  %low = nn.constant dense<-64.0> : tensor<f32>
  %high = nn.constant dense<63.5> : tensor<f32>
  %y = qnn.fake_quantize %x, %low, %high, %low, %high {levels = 256 : i64} : (tensor<4xf32>, tensor<f32>, tensor<f32>, tensor<f32>, tensor<f32>) -> tensor<4xf32>
  func.return %y : tensor<4xf32>
}

// CHECK-LABEL: @other_values
// CHECK: [[Y:%.*]] = qnn.fake_quantize
// CHECK: func.return [[Y]]
func.func @other_values(%q: tensor<4xi8>) -> tensor<4xf32> {
  %x = qnn.dequantize %q scale <dense<0.5> : tensor<f32>> : tensor<4xi8> -> tensor<4xf32>
  %low = nn.constant dense<-64.0> : tensor<f32>
  %high = nn.constant dense<63.5> : tensor<f32>
  %end = nn.constant dense<127.0> : tensor<f32>
  %y = qnn.fake_quantize %x, %low, %high, %low, %end {levels = 256 : i64} : (tensor<4xf32>, tensor<f32>, tensor<f32>, tensor<f32>, tensor<f32>) -> tensor<4xf32>
  func.return %y : tensor<4xf32>
}

// What the plan wants are codes of another type.
// CHECK-LABEL: @planned_otherwise
// CHECK: [[Y:%.*]] = qnn.fake_quantize
// CHECK: func.return [[Y]]
func.func @planned_otherwise(%q: tensor<4xi8>) -> tensor<4xf32> {
  %x = qnn.dequantize %q scale <dense<0.5> : tensor<f32>> : tensor<4xi8> -> tensor<4xf32>
  %low = nn.constant dense<-64.0> : tensor<f32>
  %high = nn.constant dense<63.5> : tensor<f32>
  %y = qnn.fake_quantize %x, %low, %high, %low, %high {levels = 256 : i64, lpt.precisions = {output0 = [ui8]}} : (tensor<4xf32>, tensor<f32>, tensor<f32>, tensor<f32>, tensor<f32>) -> tensor<4xf32>
  func.return %y : tensor<4xf32>
}

// CHECK-LABEL: @computed_interval
// CHECK: [[Y:%.*]] = qnn.fake_quantize
// CHECK: func.return [[Y]]
func.func @computed_interval(%q: tensor<4xui8>, %high: tensor<f32>) -> tensor<4xf32> {
  %x = qnn.dequantize %q scale <dense<0.5> : tensor<f32>> : tensor<4xui8> -> tensor<4xf32>
  %low = nn.constant dense<0.0> : tensor<f32>
  %y = qnn.fake_quantize %x, %low, %high, %low, %high {levels = 256 : i64} : (tensor<4xf32>, tensor<f32>, tensor<f32>, tensor<f32>, tensor<f32>) -> tensor<4xf32>
  func.return %y : tensor<4xf32>
}

// Codes that are joined with others get the grid of all.
// CHECK-LABEL: @aligned
// CHECK: qnn.dequantize
// CHECK: qnn.fake_quantize
func.func @aligned(%q: tensor<4xui8>) -> tensor<4xf32> {
  %x = qnn.dequantize %q scale <dense<0.5> : tensor<f32>> : tensor<4xui8> -> tensor<4xf32>
  %low = nn.constant dense<0.0> : tensor<f32>
  %high = nn.constant dense<127.5> : tensor<f32>
  %y = qnn.fake_quantize %x, %low, %high, %low, %high {levels = 256 : i64, lpt.intervals_alignment = {high = 255.0 : f64, levels = 256 : i64, low = 0.0 : f64, min_levels = 128 : i64}} : (tensor<4xf32>, tensor<f32>, tensor<f32>, tensor<f32>, tensor<f32>) -> tensor<4xf32>
  func.return %y : tensor<4xf32>
}
