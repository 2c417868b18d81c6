// RUN: opt-tool %s --lpt-main | filecheck %s
// RUN: opt-tool %s --lpt-main --lpt-cleanup | filecheck %s --check-prefix WRITTEN

// Nothing of scale and zero point is left but eps.
// CHECK-LABEL: @inside_sqrt
// CHECK: [[V:%.*]] = nn.convert %q to f32 : tensor<1x2x4xui8> -> tensor<1x2x4xf32>
// CHECK-NEXT: [[Y:%.*]] = nn.mvn [[V]], {{.*}} {nn.name = "mvn_original", eps = 4.000000e-06 : f64, eps_mode = "inside_sqrt", normalize_variance = true}
// CHECK-NEXT: qnn.dequantize [[Y]] scale <dense<1.0> : tensor<f32>> {nn.name = "mvn"} : tensor<1x2x4xf32> -> tensor<1x2x4xf32>

// WRITTEN-LABEL: @inside_sqrt
// WRITTEN: [[Y:%.*]] = nn.mvn {{.*}}nn.name = "mvn"
// WRITTEN-NEXT: func.return [[Y]]
func.func @inside_sqrt(%q: tensor<1x2x4xui8>) -> tensor<1x2x4xf32> {
  %axes = nn.constant dense<-1> : tensor<1xi64>
  %x = qnn.dequantize %q scale <dense<0.5> : tensor<f32>> zero_point <dense<[[3], [4]]> : tensor<2x1xui8>> : tensor<1x2x4xui8> -> tensor<1x2x4xf32>
  %y = nn.mvn %x, %axes {eps = 1.0e-06 : f64, eps_mode = "inside_sqrt", normalize_variance = true, nn.name = "mvn"} : tensor<1x2x4xf32>, tensor<1xi64>
  func.return %y : tensor<1x2x4xf32>
}

// Signs remain.
// CHECK-LABEL: @outside_sqrt
// CHECK: [[Y:%.*]] = nn.mvn {{.*}} {eps = 2.000000e-06 : f64, eps_mode = "outside_sqrt"
// CHECK-NEXT: qnn.dequantize [[Y]] scale <dense<{{\[\[\[1.0\], \[-1.0\]\]\]}}> : tensor<1x2x1xf32>> : tensor<1x2x4xf32> -> tensor<1x2x4xf32>
func.func @outside_sqrt(%q: tensor<1x2x4xi8>) -> tensor<1x2x4xf32> {
  %axes = nn.constant dense<2> : tensor<1xi64>
  %x = qnn.dequantize %q scale <dense<[[0.5], [-0.5]]> : tensor<2x1xf32>> : tensor<1x2x4xi8> -> tensor<1x2x4xf32>
  %y = nn.mvn %x, %axes {eps = 1.0e-06 : f64, eps_mode = "outside_sqrt", normalize_variance = true} : tensor<1x2x4xf32>, tensor<1xi64>
  func.return %y : tensor<1x2x4xf32>
}

// Only the mean is removed: the scale stays as it is.
// CHECK-LABEL: @mean_only
// CHECK: [[Y:%.*]] = nn.mvn {{.*}} {eps = 1.000000e-06 : f64
// CHECK-NEXT: qnn.dequantize [[Y]] scale <dense<{{\[\[\[0.5\], \[0.25\]\]\]}}> : tensor<1x2x1xf32>> : tensor<1x2x4xf32> -> tensor<1x2x4xf32>
func.func @mean_only(%q: tensor<1x2x4xui8>) -> tensor<1x2x4xf32> {
  %axes = nn.constant dense<2> : tensor<1xi64>
  %x = qnn.dequantize %q scale <dense<[[0.5], [0.25]]> : tensor<2x1xf32>> zero_point <dense<[[3], [4]]> : tensor<2x1xui8>> : tensor<1x2x4xui8> -> tensor<1x2x4xf32>
  %y = nn.mvn %x, %axes {eps = 1.0e-06 : f64, eps_mode = "inside_sqrt", normalize_variance = false} : tensor<1x2x4xf32>, tensor<1xi64>
  func.return %y : tensor<1x2x4xf32>
}

// Channels that are always 0 stay so.
// CHECK-LABEL: @pruned_channel
// CHECK: [[Y:%.*]] = nn.mvn {{.*}} {eps = 4.000000e-06 : f64
// CHECK-NEXT: qnn.dequantize [[Y]] scale <dense<{{\[\[\[1.0\], \[0.0\]\]\]}}> : tensor<1x2x1xf32>>
func.func @pruned_channel(%q: tensor<1x2x4xi8>) -> tensor<1x2x4xf32> {
  %axes = nn.constant dense<2> : tensor<1xi64>
  %x = qnn.dequantize %q scale <dense<[[0.5], [0.0]]> : tensor<2x1xf32>> : tensor<1x2x4xi8> -> tensor<1x2x4xf32>
  %y = nn.mvn %x, %axes {eps = 1.0e-06 : f64, eps_mode = "inside_sqrt", normalize_variance = true} : tensor<1x2x4xf32>, tensor<1xi64>
  func.return %y : tensor<1x2x4xf32>
}

// Without eps, channels may have a scale each.
// CHECK-LABEL: @without_eps
// CHECK: [[Y:%.*]] = nn.mvn
// CHECK-NEXT: qnn.dequantize [[Y]] scale <dense<1.0> : tensor<f32>>
func.func @without_eps(%q: tensor<1x2x4xi8>) -> tensor<1x2x4xf32> {
  %axes = nn.constant dense<2> : tensor<1xi64>
  %x = qnn.dequantize %q scale <dense<[[0.5], [0.25]]> : tensor<2x1xf32>> : tensor<1x2x4xi8> -> tensor<1x2x4xf32>
  %y = nn.mvn %x, %axes {eps = 0.0 : f64, eps_mode = "inside_sqrt", normalize_variance = true} : tensor<1x2x4xf32>, tensor<1xi64>
  func.return %y : tensor<1x2x4xf32>
}

// CHECK-LABEL: @per_channel
// CHECK: nn.mvn {{.*}} {lpt.declined = "its input is quantized per channel, and eps would be another number in each; quantize it per tensor"
func.func @per_channel(%q: tensor<1x2x4xi8>) -> tensor<1x2x4xf32> {
  %axes = nn.constant dense<2> : tensor<1xi64>
  %x = qnn.dequantize %q scale <dense<[[0.5], [0.25]]> : tensor<2x1xf32>> : tensor<1x2x4xi8> -> tensor<1x2x4xf32>
  %y = nn.mvn %x, %axes {eps = 1.0e-06 : f64, eps_mode = "inside_sqrt", normalize_variance = true} : tensor<1x2x4xf32>, tensor<1xi64>
  func.return %y : tensor<1x2x4xf32>
}

// CHECK-LABEL: @along_channels
// CHECK: nn.mvn {{.*}} {lpt.declined = "its input is quantized per channel along dimension 1, which it rearranges; quantize it per tensor"
func.func @along_channels(%q: tensor<1x2x4xi8>) -> tensor<1x2x4xf32> {
  %axes = nn.constant dense<[1, 2]> : tensor<2xi64>
  %x = qnn.dequantize %q scale <dense<[[0.5], [0.25]]> : tensor<2x1xf32>> : tensor<1x2x4xi8> -> tensor<1x2x4xf32>
  %y = nn.mvn %x, %axes {eps = 0.0 : f64, eps_mode = "inside_sqrt", normalize_variance = false} : tensor<1x2x4xf32>, tensor<2xi64>
  func.return %y : tensor<1x2x4xf32>
}

// CHECK-LABEL: @zero_scale
// CHECK: nn.mvn {{.*}} {lpt.declined = "its input has a scale of 0, so it is a constant"
func.func @zero_scale(%q: tensor<1x4xi8>) -> tensor<1x4xf32> {
  %axes = nn.constant dense<1> : tensor<1xi64>
  %x = qnn.dequantize %q scale <dense<0.0> : tensor<f32>> : tensor<1x4xi8> -> tensor<1x4xf32>
  %y = nn.mvn %x, %axes {eps = 1.0e-06 : f64, eps_mode = "inside_sqrt", normalize_variance = true} : tensor<1x4xf32>, tensor<1xi64>
  func.return %y : tensor<1x4xf32>
}

// CHECK-LABEL: @smallest_scale
// CHECK: nn.mvn {{.*}} {lpt.declined = "its input has a scale of 1e-30, beside which eps is too large"
func.func @smallest_scale(%q: tensor<1x4xi8>) -> tensor<1x4xf32> {
  %axes = nn.constant dense<1> : tensor<1xi64>
  %x = qnn.dequantize %q scale <dense<1.0e-30> : tensor<f32>> : tensor<1x4xi8> -> tensor<1x4xf32>
  %y = nn.mvn %x, %axes {eps = 1.0e+300 : f64, eps_mode = "inside_sqrt", normalize_variance = true} : tensor<1x4xf32>, tensor<1xi64>
  func.return %y : tensor<1x4xf32>
}
