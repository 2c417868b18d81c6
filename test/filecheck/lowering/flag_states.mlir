// RUN: opt-tool %s --flag-states | filecheck %s

// A branch computes an initial value: the state has a flag, and the value is computed while that is false.
// CHECK: infra.variable @s flag @"s/is_set" : tensor<2xf32>
// CHECK-NEXT: infra.variable @outside : tensor<2xf32>
// CHECK-NEXT: infra.variable @constant : tensor<2xf32>
// CHECK-NEXT: infra.variable @"s/is_set" : tensor<i1>
infra.variable @s : tensor<2xf32>
infra.variable @outside : tensor<2xf32>
infra.variable @constant : tensor<2xf32>
// CHECK-LABEL: @main
// CHECK: infra.if %c, %x
// CHECK-NEXT: ^{{.*}}(%a: tensor<2xf32>):
// CHECK-NEXT: [[FALSE:%.*]] = nn.constant dense<false> : tensor<i1>
// CHECK-NEXT: [[SET:%.*]] = infra.read_value @"s/is_set", [[FALSE]]
// CHECK-NEXT: [[ZERO:%.*]] = nn.constant dense<0.0> : tensor<2xf32>
// CHECK-NEXT: [[S:%.*]] = infra.read_value @s, [[ZERO]]
// CHECK-NEXT: [[H:%.*]] = infra.if [[SET]], [[S]], %a
// CHECK-NEXT: ^{{.*}}([[THEN:%.*]]: tensor<2xf32>, {{%.*}}: tensor<2xf32>):
// CHECK-NEXT: infra.yield [[THEN]]
// CHECK-NEXT: } else {
// CHECK-NEXT: ^{{.*}}({{%.*}}: tensor<2xf32>, [[A:%.*]]: tensor<2xf32>):
// CHECK-NEXT: [[INIT:%.*]] = nn.tanh [[A]]
// CHECK-NEXT: infra.yield [[INIT]]
// CHECK: [[TRUE:%.*]] = nn.constant dense<true> : tensor<i1>
// CHECK-NEXT: infra.assign @"s/is_set", [[TRUE]]
// CHECK-NEXT: infra.assign @s
func.func @main(%x: tensor<2xf32>, %c: tensor<i1>) -> tensor<2xf32> {
  %y = infra.if %c, %x : (tensor<i1>, tensor<2xf32>) -> tensor<2xf32> {
  ^bb0(%a: tensor<2xf32>):
    %t = nn.tanh %a : tensor<2xf32>
    %h = infra.read_value @s, %t : tensor<2xf32> -> tensor<2xf32>
    %n = nn.add %h, %a : (tensor<2xf32>, tensor<2xf32>) -> tensor<2xf32>
    infra.assign @s, %n : tensor<2xf32>
    infra.yield %n : tensor<2xf32>
  } else {
  ^bb0(%a: tensor<2xf32>):
    infra.yield %a : tensor<2xf32>
  }
  func.return %y : tensor<2xf32>
}

// A computed value outside of bodies, and a constant one inside, need none.
// CHECK-LABEL: @none
// CHECK-NOT: is_set
func.func private @none(%x: tensor<2xf32>, %c: tensor<i1>) -> tensor<2xf32> {
  %t = nn.tanh %x : tensor<2xf32>
  %h = infra.read_value @outside, %t : tensor<2xf32> -> tensor<2xf32>
  %y = infra.if %c, %h : (tensor<i1>, tensor<2xf32>) -> tensor<2xf32> {
  ^bb0(%a: tensor<2xf32>):
    %one = nn.constant dense<1.0> : tensor<2xf32>
    %k = infra.read_value @constant, %one : tensor<2xf32> -> tensor<2xf32>
    infra.assign @constant, %a : tensor<2xf32>
    infra.yield %k : tensor<2xf32>
  } else {
  ^bb0(%a: tensor<2xf32>):
    infra.yield %a : tensor<2xf32>
  }
  infra.assign @outside, %y : tensor<2xf32>
  func.return %y : tensor<2xf32>
}
