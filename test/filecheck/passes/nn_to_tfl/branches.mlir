// RUN: opt-tool %s --nn-to-tfl | filecheck %s

// A body that gives a constant computes it: of a RESHAPE of a constant LiteRT frees what it did not allocate. What is
// given twice, and what a body is given, is a RESHAPE.

// CHECK:      func.func private @else
// CHECK:      [[N:%.*]] = "tfl.pseudo_const"() <{value = #nn.blob<dense<true> : tensor<i1>>}>
// CHECK-NEXT: [[FIRST:%.*]] = "tfl.logical_or"([[N]], [[N]])
// CHECK:      [[SECOND:%.*]] = "tfl.reshape"([[FIRST]]
// CHECK:      [[OWN:%.*]] = "tfl.reshape"(%{{.*}}) <{new_shape = array<i32>}>
// CHECK:      func.return [[FIRST]], [[SECOND]], [[OWN]]
func.func @main(%c: tensor<i1>, %x: tensor<i1>) -> (tensor<i1>, tensor<i1>, tensor<i1>) {
  %y, %z, %o = infra.if %c, %x : (tensor<i1>, tensor<i1>) -> (tensor<i1>, tensor<i1>, tensor<i1>) {
  ^bb0(%a: tensor<i1>):
    %r = nn.logical_not %a : tensor<i1>
    infra.yield %r, %r, %a : tensor<i1>, tensor<i1>, tensor<i1>
  } else {
  ^bb0(%b: tensor<i1>):
    %n = nn.constant dense<true> : tensor<i1>
    infra.yield %n, %n, %b : tensor<i1>, tensor<i1>, tensor<i1>
  }
  func.return %y, %z, %o : tensor<i1>, tensor<i1>, tensor<i1>
}
