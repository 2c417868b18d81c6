// RUN: opt-tool %s --fold-constants="dequantization=true" | filecheck %s

// Dequantization is computed, too, whatever its form.
// CHECK-LABEL: func.func @weights
// CHECK-NEXT:    [[A:%.*]] = nn.constant dense<[-1.0, -2.5]> : tensor<2xf32>
// CHECK-NEXT:    [[B:%.*]] = nn.constant dense<[0.5, -1.0]> : tensor<2xf32>
// CHECK-NEXT:    [[C:%.*]] = nn.constant dense<[0.0, 1.0]> : tensor<2xf32>
// CHECK-NEXT:    func.return [[A]], [[B]], [[C]]
func.func @weights() -> (tensor<2xf32>, tensor<2xf32>, tensor<2xf32>) {
  %q = nn.constant dense<[1, -2]> : tensor<2xi4>
  %f = nn.convert %q to f32 : tensor<2xi4> -> tensor<2xf32>
  %z = nn.constant dense<3> : tensor<i4>
  %zf = nn.convert %z to f32 : tensor<i4> -> tensor<f32>
  %s = nn.subtract %f, %zf : (tensor<2xf32>, tensor<f32>) -> tensor<2xf32>
  %scale = nn.constant dense<0.5> : tensor<f32>
  %w = nn.multiply %s, %scale : (tensor<2xf32>, tensor<f32>) -> tensor<2xf32>
  %p = nn.constant dense<[1, -2]> : tensor<2xi8>
  %d = qnn.dequantize %p scale <dense<0.5> : tensor<f32>> : tensor<2xi8> -> tensor<2xf32>
  %x = nn.constant dense<[0.1, 3.0]> : tensor<2xf32>
  %low = nn.constant dense<-1.0> : tensor<f32>
  %high = nn.constant dense<1.0> : tensor<f32>
  %fq = qnn.fake_quantize %x, %low, %high, %low, %high {levels = 3 : i64} : (tensor<2xf32>, tensor<f32>, tensor<f32>, tensor<f32>, tensor<f32>) -> tensor<2xf32>
  func.return %w, %d, %fq : tensor<2xf32>, tensor<2xf32>, tensor<2xf32>
}

// What repeats a few of them is not blown up.
// CHECK-LABEL: func.func @room
// CHECK:         nn.constant dense<[1.0, 2.0, 3.0]> : tensor<3xf32>
// CHECK:         nn.broadcast {{.*}} -> tensor<1024x1024x3xf32>
func.func @room() -> tensor<1024x1024x3xf32> {
  %few = nn.constant dense<[1, 2, 3]> : tensor<3xi8>
  %f = nn.convert %few to f32 : tensor<3xi8> -> tensor<3xf32>
  %shape = nn.constant dense<[1024, 1024, 3]> : tensor<3xi64>
  %b = nn.broadcast %f, %shape : (tensor<3xf32>, tensor<3xi64>) -> tensor<1024x1024x3xf32>
  func.return %b : tensor<1024x1024x3xf32>
}
