// Every operation and attribute of infra reads what it prints, in the custom and in the generic form.
// RUN: opt-tool %s | opt-tool | filecheck %s
// RUN: opt-tool %s --print-op-generic | opt-tool | filecheck %s
// CHECK: infra.variable @"TI/H_t/variable_1" : tensor<1x8xf32>
infra.variable @"TI/H_t/variable_1" : tensor<1x8xf32>
// CHECK-NEXT: infra.variable @plain : tensor<?x8xf32>
infra.variable @plain : tensor<?x8xf32>
// CHECK-NEXT: infra.variable @codes scale <dense<0.5> : tensor<f32>> zero_point <dense<128> : tensor<ui8>> : tensor<?x8xui8>
infra.variable @codes scale <dense<0.5> : tensor<f32>> zero_point <dense<128> : tensor<ui8>> : tensor<?x8xui8>

// CHECK-LABEL: @states(
func.func @states(%init: tensor<1x8xf32>) {
  // CHECK-NEXT: %0 = infra.read_value @"TI/H_t/variable_1", %init {nn.name = "read"} : tensor<1x8xf32> -> tensor<1x8xf32>
  %0 = infra.read_value @"TI/H_t/variable_1", %init {nn.name = "read"} : tensor<1x8xf32> -> tensor<1x8xf32>
  // CHECK-NEXT: infra.assign @"TI/H_t/variable_1", %0 : tensor<1x8xf32>
  infra.assign @"TI/H_t/variable_1", %0 : tensor<1x8xf32>
  // CHECK-NEXT: %1 = infra.read_value @plain, %init : tensor<1x8xf32> -> tensor<?x8xf32>
  %1 = infra.read_value @plain, %init : tensor<1x8xf32> -> tensor<?x8xf32>
  // CHECK-NEXT: func.return
  func.return
}

// CHECK-LABEL: @iterator(
func.func @iterator(%x: tensor<1x5x4xf32>, %h: tensor<1x4xf32>) {
  // CHECK-NEXT: %0, %1 = infra.tensor_iterator %x, %h, %h inputs [#infra.sliced<axis = 1, start = 0, end = -1, stride = 1, part_size = 1>, #infra.merged<result = 0>, #infra.invariant] outputs [#infra.concatenated<result = 1, axis = 1, start = 0, end = -1, stride = 1, part_size = 1>, #infra.iteration<result = 0, iteration = -1>] body_names ["x", "h", "c"] {nn.name = "TI"} : (tensor<1x5x4xf32>, tensor<1x4xf32>, tensor<1x4xf32>) -> (tensor<1x5x4xf32>, tensor<1x4xf32>) {
  %0, %1 = infra.tensor_iterator %x, %h, %h inputs [#infra.sliced<axis = 1, start = 0, end = -1, stride = 1, part_size = 1>, #infra.merged<result = 0>, #infra.invariant] outputs [#infra.concatenated<result = 1, axis = 1, start = 0, end = -1, stride = 1, part_size = 1>, #infra.iteration<result = 0, iteration = -1>] body_names ["x", "h", "c"] {nn.name = "TI"} : (tensor<1x5x4xf32>, tensor<1x4xf32>, tensor<1x4xf32>) -> (tensor<1x5x4xf32>, tensor<1x4xf32>) {
  // CHECK-NEXT: ^bb0(%x_t: tensor<1x1x4xf32>, %h_t: tensor<1x4xf32>, %c: tensor<1x4xf32>):
  ^bb0(%x_t: tensor<1x1x4xf32>, %h_t: tensor<1x4xf32>, %c: tensor<1x4xf32>):
    // CHECK-NEXT: %2 = nn.add %h_t, %c : (tensor<1x4xf32>, tensor<1x4xf32>) -> tensor<1x4xf32>
    %2 = nn.add %h_t, %c : (tensor<1x4xf32>, tensor<1x4xf32>) -> tensor<1x4xf32>
    // CHECK-NEXT: infra.yield %2, %x_t : tensor<1x4xf32>, tensor<1x1x4xf32>
    infra.yield %2, %x_t : tensor<1x4xf32>, tensor<1x1x4xf32>
  // CHECK-NEXT: }
  }
  // CHECK-NEXT: func.return
  func.return
}

// CHECK-LABEL: @nothing_comes_out(
func.func @nothing_comes_out(%h: tensor<1x4xf32>) {
  // CHECK-NEXT: infra.tensor_iterator %h inputs [#infra.invariant] outputs [] body_names ["h"] : (tensor<1x4xf32>) -> () {
  infra.tensor_iterator %h inputs [#infra.invariant] outputs [] body_names ["h"] : (tensor<1x4xf32>) -> () {
  // CHECK-NEXT: ^bb0(%h_t: tensor<1x4xf32>):
  ^bb0(%h_t: tensor<1x4xf32>):
    // CHECK-NEXT: infra.yield
    infra.yield
  // CHECK-NEXT: }
  }
  // CHECK-NEXT: func.return
  func.return
}

// CHECK-LABEL: @loop(
func.func @loop(%trip: tensor<i64>, %true: tensor<i1>, %x: tensor<1x4xf32>) {
  // CHECK-NEXT: %0 = infra.loop %trip, %true, %x inputs [#infra.merged<result = 0>] outputs [#infra.iteration<result = 0, iteration = -1>] body_names ["x"] {current_iteration, body_condition = 1 : i64} : (tensor<i64>, tensor<i1>, tensor<1x4xf32>) -> tensor<1x4xf32> {
  %0 = infra.loop %trip, %true, %x inputs [#infra.merged<result = 0>] outputs [#infra.iteration<result = 0, iteration = -1>] body_names ["x"] {current_iteration, body_condition = 1 : i64} : (tensor<i64>, tensor<i1>, tensor<1x4xf32>) -> tensor<1x4xf32> {
  // CHECK-NEXT: ^bb0(%x_t: tensor<1x4xf32>, %i: tensor<i64>):
  ^bb0(%x_t: tensor<1x4xf32>, %i: tensor<i64>):
    // CHECK-NEXT: %go_on = nn.constant dense<true> : tensor<i1>
    %go_on = nn.constant dense<true> : tensor<i1>
    // CHECK-NEXT: infra.yield %x_t, %go_on : tensor<1x4xf32>, tensor<i1>
    infra.yield %x_t, %go_on : tensor<1x4xf32>, tensor<i1>
  // CHECK-NEXT: }
  }
  // CHECK-NEXT: infra.loop %trip, %true inputs [] outputs [] body_names [] : (tensor<i64>, tensor<i1>) -> () {
  infra.loop %trip, %true inputs [] outputs [] body_names [] : (tensor<i64>, tensor<i1>) -> () {
    // CHECK-NEXT: infra.yield
    infra.yield
  // CHECK-NEXT: }
  }
  // CHECK-NEXT: func.return
  func.return
}

// CHECK-LABEL: @branch(
func.func @branch(%c: tensor<i1>, %x: tensor<4xf32>) {
  // CHECK-NEXT: %0 = infra.if %c, %x {nn.name = "If"} : (tensor<i1>, tensor<4xf32>) -> tensor<4xf32> {
  %0 = infra.if %c, %x {nn.name = "If"} : (tensor<i1>, tensor<4xf32>) -> tensor<4xf32> {
  // CHECK-NEXT: ^bb0(%a: tensor<4xf32>):
  ^bb0(%a: tensor<4xf32>):
    // CHECK-NEXT: infra.yield %a : tensor<4xf32>
    infra.yield %a : tensor<4xf32>
  // CHECK-NEXT: } else {
  } else {
  // CHECK-NEXT: ^bb0(%b: tensor<4xf32>):
  ^bb0(%b: tensor<4xf32>):
    // CHECK-NEXT: %1 = nn.relu %b : tensor<4xf32>
    %1 = nn.relu %b : tensor<4xf32>
    // CHECK-NEXT: infra.yield %1 : tensor<4xf32>
    infra.yield %1 : tensor<4xf32>
  // CHECK-NEXT: }
  }
  // CHECK-NEXT: func.return
  func.return
}

// CHECK-LABEL: @fail(
func.func @fail(%c: tensor<i1>, %x: tensor<4xf32>) {
  %0 = infra.if %c, %x : (tensor<i1>, tensor<4xf32>) -> tensor<4xf32> {
  ^bb0(%a: tensor<4xf32>):
    // CHECK: infra.fail "it does not fit" {nn.name = "Squeeze"}
    infra.fail "it does not fit" {nn.name = "Squeeze"}
    infra.yield %a : tensor<4xf32>
  } else {
  ^bb0(%b: tensor<4xf32>):
    infra.yield %b : tensor<4xf32>
  }
  func.return
}
