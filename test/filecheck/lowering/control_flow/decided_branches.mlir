// RUN: opt-tool %s --split-input-file -p 'bound-inputs{most=64 dimensions=1,1,0 conditions=2,1}' --verify-diagnostics | filecheck %s
// RUN: opt-tool %s --split-input-file -p 'bound-inputs{most=64 dimensions=1,1,0 conditions=2,0}' --verify-diagnostics | filecheck %s --check-prefix FALSE
// RUN: opt-tool %s --split-input-file -p 'bound-inputs{most=64 dimensions=1,1,0 conditions=2,1},bound-dynamic-shapes' --verify-diagnostics | filecheck %s --check-prefix SIZES

// A call with another condition ends; for the others there is one body, which appends in place.

// CHECK-LABEL: @main
// CHECK: %[[C:.*]] = nn.reshape %c, %{{.*}} : (tensor<1xi1>, tensor<0xi64>) -> tensor<i1>
// CHECK-NEXT: infra.if %[[C]] : (tensor<i1>) -> () {
// CHECK-NEXT: infra.yield
// CHECK-NEXT: } else {
// CHECK-NEXT: infra.fail
// CHECK-NOT: infra.if
// CHECK: nn.concat %{{.*}}, %x

// FALSE-LABEL: @main
// FALSE: infra.if %{{.*}} : (tensor<i1>) -> () {
// FALSE-NEXT: infra.fail
// FALSE-NOT: infra.if
// FALSE: func.return %x

// SIZES-LABEL: @main
// SIZES-SAME: kernel.aliases = array<i64: 0, 1>
func.func @main(%x: tensor<1x1x8xf32>, %keys: tensor<1x?x8xf32>, %c: tensor<1xi1>) -> tensor<1x?x8xf32> {
  %scalar = nn.constant dense<> : tensor<0xi64>
  %given = nn.reshape %c, %scalar : (tensor<1xi1>, tensor<0xi64>) -> tensor<i1>
  %all = infra.if %given, %x, %keys : (tensor<i1>, tensor<1x1x8xf32>, tensor<1x?x8xf32>) -> tensor<1x?x8xf32> {
  ^bb0(%y: tensor<1x1x8xf32>, %k: tensor<1x?x8xf32>):
    %joined = nn.concat %k, %y {axis = 1 : i64} : (tensor<1x?x8xf32>, tensor<1x1x8xf32>) -> tensor<1x?x8xf32>
    infra.yield %joined : tensor<1x?x8xf32>
  } else {
  ^bb0(%z: tensor<1x1x8xf32>, %l: tensor<1x?x8xf32>):
    %same = nn.concat %z {axis = 1 : i64} : (tensor<1x1x8xf32>) -> tensor<1x?x8xf32>
    infra.yield %same : tensor<1x?x8xf32>
  }
  func.return %all : tensor<1x?x8xf32>
}

// -----

// What is computed of an input is not its value.

// expected-error@unknown {{bound-inputs: input 2 is no condition of a branch; give numbers of inputs that are, and 0 or 1 for each}}
func.func @computed(%x: tensor<1x1x8xf32>, %keys: tensor<1x?x8xf32>, %c: tensor<i1>) -> tensor<1x1x8xf32> {
  %other = nn.logical_not %c : tensor<i1>
  %y = infra.if %other, %x : (tensor<i1>, tensor<1x1x8xf32>) -> tensor<1x1x8xf32> {
  ^bb0(%a: tensor<1x1x8xf32>):
    infra.yield %a : tensor<1x1x8xf32>
  } else {
  ^bb0(%b: tensor<1x1x8xf32>):
    %r = nn.relu %b : tensor<1x1x8xf32>
    infra.yield %r : tensor<1x1x8xf32>
  }
  func.return %y : tensor<1x1x8xf32>
}

// -----

// Nor is a number a boolean: it may be 2.

// expected-error@unknown {{bound-inputs: input 2 is no condition of a branch; give numbers of inputs that are, and 0 or 1 for each}}
func.func @number(%x: tensor<1x1x8xf32>, %keys: tensor<1x?x8xf32>, %c: tensor<i32>) -> tensor<1x1x8xf32> {
  %y = infra.if %c, %x : (tensor<i32>, tensor<1x1x8xf32>) -> tensor<1x1x8xf32> {
  ^bb0(%a: tensor<1x1x8xf32>):
    infra.yield %a : tensor<1x1x8xf32>
  } else {
  ^bb0(%b: tensor<1x1x8xf32>):
    %r = nn.relu %b : tensor<1x1x8xf32>
    infra.yield %r : tensor<1x1x8xf32>
  }
  func.return %y : tensor<1x1x8xf32>
}
