// RUN: opt-tool %s --legalize-tf-to-nn --allow-unregistered-dialect --split-input-file | filecheck %s

// What the statistics make is of channels alone, and is computed once.
// CHECK-LABEL: @inference
// CHECK: [[E:%.*]] = nn.constant dense<0.001>
// CHECK: [[V:%.*]] = nn.add %v, [[E]]
// CHECK: [[D:%.*]] = nn.sqrt [[V]]
// CHECK: [[F:%.*]] = nn.divide %s, [[D]]
// CHECK: [[M:%.*]] = nn.multiply %m, [[F]]
// CHECK: [[B:%.*]] = nn.subtract %o, [[M]]
// CHECK: [[Y:%.*]] = nn.multiply %x, [[F]]
// CHECK: [[R:%.*]] = nn.add [[Y]], [[B]]
// CHECK: func.return [[R]]
func.func @inference(%x: tensor<1x4x4x2xf32>, %s: tensor<2xf32>, %o: tensor<2xf32>, %m: tensor<2xf32>, %v: tensor<2xf32>) -> tensor<*xf32> {
  %y, %a, %b, %c, %d, %e = "tf.FusedBatchNormV3"(%x, %s, %o, %m, %v) {data_format = "NHWC", epsilon = 1.000000e-03 : f32, is_training = false} : (tensor<1x4x4x2xf32>, tensor<2xf32>, tensor<2xf32>, tensor<2xf32>, tensor<2xf32>) -> (tensor<*xf32>, tensor<2xf32>, tensor<2xf32>, tensor<2xf32>, tensor<2xf32>, tensor<*xf32>)
  func.return %y : tensor<*xf32>
}

// -----

// The statistics of the batch itself; shorter images are computed in f32.
// CHECK-LABEL: @training
// CHECK: [[X:%.*]] = nn.convert %x to f32
// CHECK: [[A:%.*]] = nn.constant dense<[0, 2, 3]>
// CHECK: [[N:%.*]] = nn.mvn [[X]], [[A]]
// CHECK: [[S:%.*]] = nn.unsqueeze %s, {{.*}} -> tensor<2x1x1xf32>
// CHECK: nn.multiply [[N]], [[S]]
// CHECK: nn.unsqueeze %o, {{.*}} -> tensor<2x1x1xf32>
// CHECK: nn.convert {{.*}} to f16
func.func @training(%x: tensor<1x2x4x4xf16>, %s: tensor<2xf32>, %o: tensor<2xf32>, %m: tensor<0xf32>) -> tensor<*xf16> {
  %y, %a, %b, %c, %d, %e = "tf.FusedBatchNormV3"(%x, %s, %o, %m, %m) {data_format = "NCHW", epsilon = 1.000000e-03 : f32, is_training = true} : (tensor<1x2x4x4xf16>, tensor<2xf32>, tensor<2xf32>, tensor<0xf32>, tensor<0xf32>) -> (tensor<*xf16>, tensor<2xf32>, tensor<2xf32>, tensor<2xf32>, tensor<2xf32>, tensor<*xf32>)
  func.return %y : tensor<*xf16>
}
