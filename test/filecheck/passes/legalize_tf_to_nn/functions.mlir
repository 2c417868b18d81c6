// RUN: opt-tool %s --legalize-tf-to-nn --allow-unregistered-dialect | filecheck %s

// Functions that the entry calls go, public ones, too: what is left is the entry.
// CHECK:      builtin.module {
// CHECK-NEXT:   func.func @serving(%x: tensor<2xf32>) -> (tensor<2xf32>) {
// CHECK-NEXT:     [[Y:%.*]] = nn.relu %x : tensor<2xf32>
// CHECK-NEXT:     func.return [[Y]] : tensor<2xf32>
// CHECK-NEXT:   }
// CHECK-NEXT: }
func.func @layer(%x: tensor<2xf32>) -> tensor<2xf32> {
  %y = "tf.Relu"(%x) : (tensor<2xf32>) -> tensor<2xf32>
  func.return %y : tensor<2xf32>
}
func.func @serving(%x: tensor<2xf32>) -> tensor<2xf32> {
  %y = "tf.PartitionedCall"(%x) {f = @layer} : (tensor<2xf32>) -> tensor<2xf32>
  func.return %y : tensor<2xf32>
}
