// RUN: opt-tool %s --split-input-file --make-stateful='inputs=H,C outputs=HN,CN' | filecheck %s

// What a call gives as HN, the next one reads as H. Another output of the same value stays.
// CHECK:      infra.variable @HHN : tensor<1x4xf32>
// CHECK-NEXT: infra.variable @CCN : tensor<1x4xf32>
// CHECK-NEXT: func.func @main(%x: tensor<1x4xf32> {nn.names = ["X"]}) -> (tensor<1x4xf32> {nn.names = ["Y"]}) {
// CHECK:      [[C:%.*]] = infra.read_value @CCN, %{{.*}} : tensor<1x4xf32> -> tensor<1x4xf32>
// CHECK:      [[H:%.*]] = infra.read_value @HHN, %{{.*}} : tensor<1x4xf32> -> tensor<1x4xf32>
// CHECK-NEXT: %s = nn.add %x, [[H]]
// CHECK-NEXT: %cn = nn.multiply %s, [[C]]
// CHECK-NEXT: infra.assign @HHN, %s : tensor<1x4xf32>
// CHECK-NEXT: infra.assign @CCN, %cn : tensor<1x4xf32>
// CHECK-NEXT: func.return %s : tensor<1x4xf32>
func.func @main(%x: tensor<1x4xf32> {nn.names = ["X"]}, %h: tensor<1x4xf32> {nn.names = ["H"]}, %c: tensor<1x4xf32> {nn.names = ["C"]})
    -> (tensor<1x4xf32> {nn.names = ["Y"]}, tensor<1x4xf32> {nn.names = ["HN"]}, tensor<1x4xf32> {nn.names = ["CN"]}) {
  %s = nn.add %x, %h : (tensor<1x4xf32>, tensor<1x4xf32>) -> tensor<1x4xf32>
  %cn = nn.multiply %s, %c : (tensor<1x4xf32>, tensor<1x4xf32>) -> tensor<1x4xf32>
  func.return %s, %s, %cn : tensor<1x4xf32>, tensor<1x4xf32>, tensor<1x4xf32>
}

// -----

// A cache of unknown length begins empty. What two states swap is what each was before the call.
// CHECK:      infra.variable @HHN : tensor<1x?xf32>
// CHECK-NEXT: infra.variable @CCN : tensor<1x?xf32>
// CHECK:      nn.constant {{.*}} : tensor<1x0xf32>
// CHECK-NEXT: [[C:%.*]] = infra.read_value @CCN, %{{.*}} : tensor<1x0xf32> -> tensor<1x?xf32>
// CHECK:      [[H:%.*]] = infra.read_value @HHN, %{{.*}} : tensor<1x0xf32> -> tensor<1x?xf32>
// CHECK-NEXT: infra.assign @HHN, [[C]]
// CHECK-NEXT: infra.assign @CCN, [[H]]
func.func @main(%h: tensor<1x?xf32> {nn.names = ["H"]}, %c: tensor<1x?xf32> {nn.names = ["C"]})
    -> (tensor<1x?xf32> {nn.names = ["HN"]}, tensor<1x?xf32> {nn.names = ["CN"]}) {
  func.return %c, %h : tensor<1x?xf32>, tensor<1x?xf32>
}
