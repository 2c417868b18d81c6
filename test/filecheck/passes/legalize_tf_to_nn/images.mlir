// RUN: opt-tool %s --legalize-tf-to-nn --allow-unregistered-dialect --split-input-file | filecheck %s

// Three ways to say where elements lie.
// CHECK-LABEL: @corners
// CHECK: nn.interpolate {{.*}} {mode = "linear_onnx", {{.*}}coordinate_transformation_mode = "asymmetric"
// CHECK: func.return {{.*}} : tensor<1x8x6x2xf32>
func.func @corners(%x: tensor<1x4x4x2xf32>) -> tensor<*xf32> {
  %s = "tf.Const"() {value = dense<[8, 6]> : tensor<2xi32>} : () -> tensor<2xi32>
  %y = "tf.ResizeBilinear"(%x, %s) {align_corners = false, half_pixel_centers = false} : (tensor<1x4x4x2xf32>, tensor<2xi32>) -> tensor<*xf32>
  func.return %y : tensor<*xf32>
}

// -----

// CHECK-LABEL: @aligned
// CHECK: nn.interpolate {{.*}} {mode = "nearest", {{.*}}coordinate_transformation_mode = "align_corners", nearest_mode = "round_prefer_ceil"
func.func @aligned(%x: tensor<1x4x4x2xf32>) -> tensor<*xf32> {
  %s = "tf.Const"() {value = dense<[8, 6]> : tensor<2xi32>} : () -> tensor<2xi32>
  %y = "tf.ResizeNearestNeighbor"(%x, %s) {align_corners = true, half_pixel_centers = false} : (tensor<1x4x4x2xf32>, tensor<2xi32>) -> tensor<*xf32>
  func.return %y : tensor<*xf32>
}

// -----

// Bytes become f32 between pixels.
// CHECK-LABEL: @centers
// CHECK: nn.convert %x to f32
// CHECK: nn.interpolate {{.*}} {mode = "linear_onnx", shape_calculation_mode = "sizes", nearest_mode
func.func @centers(%x: tensor<1x4x4x2xui8>) -> tensor<*xf32> {
  %s = "tf.Const"() {value = dense<[8, 6]> : tensor<2xi32>} : () -> tensor<2xi32>
  %y = "tf.ResizeBilinear"(%x, %s) {align_corners = false, half_pixel_centers = true} : (tensor<1x4x4x2xui8>, tensor<2xi32>) -> tensor<*xf32>
  func.return %y : tensor<*xf32>
}

// -----

// CHECK-LABEL: @blocks
// CHECK: [[B:%.*]] = nn.constant dense<[1, 2, 2, 1]>
// CHECK: [[F:%.*]] = nn.constant dense<[0, 0, 2, 0]>
// CHECK: [[L:%.*]] = nn.constant dense<[0, 1, 0, 0]>
// CHECK: nn.batch_to_space %x, [[B]], [[F]], [[L]]
// CHECK: func.return {{.*}} : tensor<1x5x4x2xf32>
func.func @blocks(%x: tensor<4x3x3x2xf32>) -> tensor<*xf32> {
  %b = "tf.Const"() {value = dense<2> : tensor<2xi32>} : () -> tensor<2xi32>
  %c = "tf.Const"() {value = dense<[[0, 1], [2, 0]]> : tensor<2x2xi32>} : () -> tensor<2x2xi32>
  %y = "tf.BatchToSpaceND"(%x, %b, %c) : (tensor<4x3x3x2xf32>, tensor<2xi32>, tensor<2x2xi32>) -> tensor<*xf32>
  func.return %y : tensor<*xf32>
}

// -----

// CHECK-LABEL: @mirror
// CHECK: nn.pad %x, {{.*}} {pad_mode = "reflect"}
// CHECK: func.return {{.*}} : tensor<6xf32>
func.func @mirror(%x: tensor<3xf32>) -> tensor<*xf32> {
  %p = "tf.Const"() {value = dense<[[1, 2]]> : tensor<1x2xi32>} : () -> tensor<1x2xi32>
  %y = "tf.MirrorPad"(%x, %p) {mode = "REFLECT"} : (tensor<3xf32>, tensor<1x2xi32>) -> tensor<*xf32>
  func.return %y : tensor<*xf32>
}
