// RUN: opt-tool %s --low-latency2 --lpt --mlir-print-debuginfo | filecheck %s

// What a pass makes of an operation stands where that operation does, its constants too.

// CHECK: infra.variable @"rnn/H/variable_1" {{.*}} loc("{{.*}}locations.mlir":14:8)
// CHECK: infra.read_value @"rnn/H/variable_1", {{.*}} loc("{{.*}}locations.mlir":14:8)
// CHECK: nn.constant dense<-128.0> {{.*}} loc("{{.*}}locations.mlir":21:10)
// CHECK: qnn.fake_quantize {{.*}}output_type = i8{{.*}} loc("{{.*}}locations.mlir":21:10)
// CHECK: nn.mat_mul {{.*}} -> tensor<1x4xi32> loc("{{.*}}locations.mlir":25:10)
// CHECK: nn.convert {{.*}} loc("{{.*}}locations.mlir":25:10)
// CHECK: nn.multiply {{.*}} loc("{{.*}}locations.mlir":25:10)
// CHECK: infra.assign @"rnn/H/variable_1", {{.*}} loc("{{.*}}locations.mlir":14:8)
func.func @main(%x: tensor<1x4xf32>, %h: tensor<1x4xf32>) -> tensor<1x4xf32> {
  %y = infra.tensor_iterator %x, %h
      inputs [#infra.sliced<axis = 0, start = 0, end = -1, stride = 1, part_size = 1>, #infra.merged<result = 0>]
      outputs [#infra.iteration<result = 0, iteration = -1>]
      body_names ["X", "H"] {nn.name = "rnn"} : (tensor<1x4xf32>, tensor<1x4xf32>) -> tensor<1x4xf32> {
  ^bb0(%xt: tensor<1x4xf32>, %ht: tensor<1x4xf32>):
    %low = nn.constant dense<-1.0> : tensor<f32>
    %high = nn.constant dense<0.9921875> : tensor<f32>
    %q = qnn.fake_quantize %ht, %low, %high, %low, %high {levels = 256 : i64} : (tensor<1x4xf32>, tensor<f32>, tensor<f32>, tensor<f32>, tensor<f32>) -> tensor<1x4xf32>
    %codes = nn.constant dense<3> : tensor<4x4xi8>
    %values = nn.convert %codes to f32 : tensor<4x4xi8> -> tensor<4x4xf32>
    %w = nn.multiply %values, %low : (tensor<4x4xf32>, tensor<f32>) -> tensor<4x4xf32>
    %p = nn.mat_mul %q, %w : (tensor<1x4xf32>, tensor<4x4xf32>) -> tensor<1x4xf32>
    %next = nn.add %xt, %p : (tensor<1x4xf32>, tensor<1x4xf32>) -> tensor<1x4xf32>
    infra.yield %next : tensor<1x4xf32>
  }
  func.return %y : tensor<1x4xf32>
}
