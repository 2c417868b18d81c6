// RUN: opt-tool %s --split-input-file --bound-dynamic-shapes --verify-diagnostics | filecheck %s

// Numbers up to the last of cumulative sums: seven counts of at most 10 make 70. A stop below 0 is 0.
// CHECK-LABEL: @total
// CHECK: [[SUM:%.*]] = nn.gather
// CHECK: [[SIZE:%.*]] = nn.maximum [[SUM]], %{{.*}}
// CHECK: [[Y:%.*]] = nn.range {{.*}} -> tensor<70xi64>
// CHECK: func.return [[Y]], [[SIZE]]
func.func @total(%x: tensor<7xi64>) -> tensor<?xi64> {
  %0 = nn.constant dense<0> : tensor<i64>
  %1 = nn.constant dense<1> : tensor<i64>
  %last = nn.constant dense<-1> : tensor<1xi64>
  %axis = nn.constant dense<0> : tensor<1xi64>
  %counts = nn.clamp %x {min = 0.0 : f64, max = 10.0 : f64} : tensor<7xi64>
  %sums = nn.cum_sum %counts, %0 : tensor<7xi64>, tensor<i64>
  %some = nn.gather %sums, %last, %0 {batch_dims = 0 : i64} : (tensor<7xi64>, tensor<1xi64>, tensor<i64>) -> tensor<1xi64>
  %n = nn.squeeze %some, %axis : (tensor<1xi64>, tensor<1xi64>) -> tensor<i64>
  %y = nn.range %0, %n, %1 {output_type = i64} : (tensor<i64>, tensor<i64>, tensor<i64>) -> tensor<?xi64>
  func.return %y : tensor<?xi64>
}
// -----
// Cumulative sums that leave out the element itself have one term less, and the first has none: of counts below 0, it
// is the largest.
// CHECK-LABEL: @exclusive
// CHECK: nn.range {{.*}} -> tensor<0xi64>
func.func @exclusive(%x: tensor<7xi64>) -> tensor<?xi64> {
  %0 = nn.constant dense<0> : tensor<i64>
  %1 = nn.constant dense<1> : tensor<i64>
  %counts = nn.clamp %x {min = -3.0 : f64, max = -1.0 : f64} : tensor<7xi64>
  %sums = nn.cum_sum %counts, %0 {exclusive = true} : tensor<7xi64>, tensor<i64>
  %n = nn.gather %sums, %0, %0 {batch_dims = 0 : i64} : (tensor<7xi64>, tensor<i64>, tensor<i64>) -> tensor<i64>
  %y = nn.range %0, %n, %1 {output_type = i64} : (tensor<i64>, tensor<i64>, tensor<i64>) -> tensor<?xi64>
  func.return %y : tensor<?xi64>
}
// -----
// CHECK-LABEL: @one_term_less
// CHECK: nn.range {{.*}} -> tensor<60xi64>
func.func @one_term_less(%x: tensor<7xi64>, %place: tensor<i64>) -> tensor<?xi64> {
  %0 = nn.constant dense<0> : tensor<i64>
  %1 = nn.constant dense<1> : tensor<i64>
  %counts = nn.clamp %x {min = 0.0 : f64, max = 10.0 : f64} : tensor<7xi64>
  %sums = nn.cum_sum %counts, %0 {exclusive = true, reverse = true} : tensor<7xi64>, tensor<i64>
  %n = nn.gather %sums, %place, %0 {batch_dims = 0 : i64} : (tensor<7xi64>, tensor<i64>, tensor<i64>) -> tensor<i64>
  %y = nn.range %0, %n, %1 {output_type = i64} : (tensor<i64>, tensor<i64>, tensor<i64>) -> tensor<?xi64>
  func.return %y : tensor<?xi64>
}
// -----
// A sum has as many terms as the input has elements for each of the result.
// CHECK-LABEL: @sum
// CHECK: nn.range {{.*}} -> tensor<20xi64>
func.func @sum(%x: tensor<2x5xi64>, %place: tensor<i64>) -> tensor<?xi64> {
  %0 = nn.constant dense<0> : tensor<i64>
  %1 = nn.constant dense<1> : tensor<i64>
  %counts = nn.clamp %x {min = -2.0 : f64, max = 4.0 : f64} : tensor<2x5xi64>
  %sums = nn.reduce_sum %counts, %1 {keep_dims = false} : (tensor<2x5xi64>, tensor<i64>) -> tensor<2xi64>
  %n = nn.gather %sums, %place, %0 {batch_dims = 0 : i64} : (tensor<2xi64>, tensor<i64>, tensor<i64>) -> tensor<i64>
  %y = nn.range %0, %n, %1 {output_type = i64} : (tensor<i64>, tensor<i64>, tensor<i64>) -> tensor<?xi64>
  func.return %y : tensor<?xi64>
}
// -----
// Nearest miss: nothing limits the counts.
func.func @unlimited(%x: tensor<7xi64>) -> tensor<?xi64> {
  %0 = nn.constant dense<0> : tensor<1xi64>
  %start = nn.constant dense<0> : tensor<i64>
  %1 = nn.constant dense<1> : tensor<i64>
  %n = nn.reduce_sum %x, %0 {keep_dims = false} : (tensor<7xi64>, tensor<1xi64>) -> tensor<i64>
  // expected-error@below {{nn.range: nothing bounds the size of its result, which only the run can tell; let the model limit it, as by the minimum of it and a constant}}
  %y = nn.range %start, %n, %1 {output_type = i64} : (tensor<i64>, tensor<i64>, tensor<i64>) -> tensor<?xi64>
  func.return %y : tensor<?xi64>
}
// -----
// Nearest miss: sums of floats are rounded.
func.func @rounded(%x: tensor<7xf32>) -> tensor<?xi64> {
  %0 = nn.constant dense<0> : tensor<1xi64>
  %start = nn.constant dense<0> : tensor<i64>
  %1 = nn.constant dense<1> : tensor<i64>
  %counts = nn.clamp %x {min = 0.0 : f64, max = 10.0 : f64} : tensor<7xf32>
  %sum = nn.reduce_sum %counts, %0 {keep_dims = false} : (tensor<7xf32>, tensor<1xi64>) -> tensor<f32>
  %n = nn.convert %sum to i64 : tensor<f32> -> tensor<i64>
  // expected-error@below {{nn.range: nothing bounds the size of its result, which only the run can tell; let the model limit it, as by the minimum of it and a constant}}
  %y = nn.range %start, %n, %1 {output_type = i64} : (tensor<i64>, tensor<i64>, tensor<i64>) -> tensor<?xi64>
  func.return %y : tensor<?xi64>
}
// -----
// Of floats that a clamp limits, NaN becomes 0, which may be the least count or the largest, and all else is truncated.
// CHECK-LABEL: @truncated
// CHECK: nn.range {{.*}} -> tensor<70xi64>
func.func @truncated(%x: tensor<7xf32>) -> tensor<?xi64> {
  %0 = nn.constant dense<0> : tensor<i64>
  %1 = nn.constant dense<1> : tensor<i64>
  %limited = nn.clamp %x {min = 2.0 : f64, max = 10.0 : f64} : tensor<7xf32>
  %counts = nn.convert %limited to i64 : tensor<7xf32> -> tensor<7xi64>
  %n = nn.reduce_sum %counts, %0 {keep_dims = false} : (tensor<7xi64>, tensor<i64>) -> tensor<i64>
  %y = nn.range %0, %n, %1 {output_type = i64} : (tensor<i64>, tensor<i64>, tensor<i64>) -> tensor<?xi64>
  func.return %y : tensor<?xi64>
}
// -----
// CHECK-LABEL: @below_zero
// CHECK: nn.range {{.*}} -> tensor<7xi64>
func.func @below_zero(%x: tensor<7xf32>) -> tensor<?xi64> {
  %0 = nn.constant dense<0> : tensor<i64>
  %1 = nn.constant dense<1> : tensor<i64>
  %7 = nn.constant dense<7> : tensor<i64>
  %limited = nn.clamp %x {min = -4.0 : f64, max = -2.0 : f64} : tensor<7xf32>
  %counts = nn.convert %limited to i64 : tensor<7xf32> -> tensor<7xi64>
  %sum = nn.reduce_sum %counts, %0 {keep_dims = false} : (tensor<7xi64>, tensor<i64>) -> tensor<i64>
  %n = nn.add %sum, %7 : (tensor<i64>, tensor<i64>) -> tensor<i64>
  %y = nn.range %0, %n, %1 {output_type = i64} : (tensor<i64>, tensor<i64>, tensor<i64>) -> tensor<?xi64>
  func.return %y : tensor<?xi64>
}
// -----
// A sum of seven i8 up to 100 may wrap: it is any i8, not 0 to 700, and 700 less that is at most 828.
// CHECK-LABEL: @wrapped
// CHECK: nn.range {{.*}} -> tensor<828xi64>
func.func @wrapped(%x: tensor<7xi8>) -> tensor<?xi64> {
  %0 = nn.constant dense<0> : tensor<i64>
  %1 = nn.constant dense<1> : tensor<i64>
  %axes = nn.constant dense<0> : tensor<1xi64>
  %700 = nn.constant dense<700> : tensor<i64>
  %counts = nn.clamp %x {min = 0.0 : f64, max = 100.0 : f64} : tensor<7xi8>
  %sum = nn.reduce_sum %counts, %axes {keep_dims = false} : (tensor<7xi8>, tensor<1xi64>) -> tensor<i8>
  %wide = nn.convert %sum to i64 : tensor<i8> -> tensor<i64>
  %n = nn.subtract %700, %wide : (tensor<i64>, tensor<i64>) -> tensor<i64>
  %y = nn.range %0, %n, %1 {output_type = i64} : (tensor<i64>, tensor<i64>, tensor<i64>) -> tensor<?xi64>
  func.return %y : tensor<?xi64>
}
// -----
// Nearest miss: of seven i8 up to 18, it does not.
// CHECK-LABEL: @fitting
// CHECK: nn.range {{.*}} -> tensor<700xi64>
func.func @fitting(%x: tensor<7xi8>) -> tensor<?xi64> {
  %0 = nn.constant dense<0> : tensor<i64>
  %1 = nn.constant dense<1> : tensor<i64>
  %axes = nn.constant dense<0> : tensor<1xi64>
  %700 = nn.constant dense<700> : tensor<i64>
  %counts = nn.clamp %x {min = 0.0 : f64, max = 18.0 : f64} : tensor<7xi8>
  %sum = nn.reduce_sum %counts, %axes {keep_dims = false} : (tensor<7xi8>, tensor<1xi64>) -> tensor<i8>
  %wide = nn.convert %sum to i64 : tensor<i8> -> tensor<i64>
  %n = nn.subtract %700, %wide : (tensor<i64>, tensor<i64>) -> tensor<i64>
  %y = nn.range %0, %n, %1 {output_type = i64} : (tensor<i64>, tensor<i64>, tensor<i64>) -> tensor<?xi64>
  func.return %y : tensor<?xi64>
}
// -----
// The product of the sizes in front is one number of all elements: what is left to -1 is known.
// CHECK-LABEL: @flattened(%x: tensor<2x8xf32>, %n: tensor<1xi64>) -> (tensor<16x1xf32>, tensor<1xi64>)
// CHECK-SAME: kernel.sizes = array<i64: 0, 0, 1>
func.func @flattened(%x: tensor<2x8xf32>, %n: tensor<1xi64>) -> tensor<?x?xf32> {
  %0 = nn.constant dense<0> : tensor<1xi64>
  %1 = nn.constant dense<1> : tensor<1xi64>
  %2 = nn.constant dense<2> : tensor<1xi64>
  %s = nn.slice %x, %0, %n, %1, %1 : (tensor<2x8xf32>, tensor<1xi64>, tensor<1xi64>, tensor<1xi64>, tensor<1xi64>) -> tensor<2x?xf32>
  %shape = nn.shape_of %s {output_type = i64} : tensor<2x?xf32> -> tensor<2xi64>
  %front = nn.strided_slice %shape, %0, %2, %1 {begin_mask = array<i64: 0>, end_mask = array<i64: 0>, new_axis_mask = array<i64>, shrink_axis_mask = array<i64>, ellipsis_mask = array<i64>} : (tensor<2xi64>, tensor<1xi64>, tensor<1xi64>, tensor<1xi64>) -> tensor<2xi64>
  %count = nn.reduce_prod %front, %0 {keep_dims = true} : (tensor<2xi64>, tensor<1xi64>) -> tensor<1xi64>
  %rest = nn.constant dense<-1> : tensor<1xi64>
  %flat = nn.concat %count, %rest {axis = 0 : i64} : (tensor<1xi64>, tensor<1xi64>) -> tensor<2xi64>
  %y = nn.reshape %s, %flat {special_zero = true} : (tensor<2x?xf32>, tensor<2xi64>) -> tensor<?x?xf32>
  func.return %y : tensor<?x?xf32>
}
// -----
// Of the product of other sizes, it is not.
func.func @flattened_otherwise(%x: tensor<2x8xf32>, %n: tensor<1xi64>, %m: tensor<1xi64>) -> tensor<?x?xf32> {
  %0 = nn.constant dense<0> : tensor<1xi64>
  %1 = nn.constant dense<1> : tensor<1xi64>
  %s = nn.slice %x, %0, %n, %1, %1 : (tensor<2x8xf32>, tensor<1xi64>, tensor<1xi64>, tensor<1xi64>, tensor<1xi64>) -> tensor<2x?xf32>
  %two = nn.constant dense<2> : tensor<1xi64>
  %both = nn.concat %two, %m {axis = 0 : i64} : (tensor<1xi64>, tensor<1xi64>) -> tensor<2xi64>
  %count = nn.reduce_prod %both, %0 {keep_dims = true} : (tensor<2xi64>, tensor<1xi64>) -> tensor<1xi64>
  %rest = nn.constant dense<-1> : tensor<1xi64>
  %flat = nn.concat %count, %rest {axis = 0 : i64} : (tensor<1xi64>, tensor<1xi64>) -> tensor<2xi64>
  // expected-error@below {{nn.reshape: reads a value whose size only the run can tell, and has no law for that}}
  %y = nn.reshape %s, %flat {special_zero = true} : (tensor<2x?xf32>, tensor<2xi64>) -> tensor<?x?xf32>
  func.return %y : tensor<?x?xf32>
}
// -----
// The last of a table, as many as something else has: positions that are added, such as those of ALiBi.
// CHECK-LABEL: @the_last(%table: tensor<64xf32>, %x: tensor<8xf32>, %n: tensor<1xi64>) -> (tensor<8xf32>, tensor<1xi64>)
// CHECK: nn.gather %table, {{.*}} -> tensor<8xf32>
func.func @the_last(%table: tensor<64xf32>, %x: tensor<8xf32>, %n: tensor<1xi64>) -> tensor<?xf32> {
  %0 = nn.constant dense<0> : tensor<1xi64>
  %1 = nn.constant dense<1> : tensor<1xi64>
  %end = nn.constant dense<9223372036854775807> : tensor<1xi64>
  %most = nn.constant dense<64> : tensor<1xi64>
  %m = nn.clamp %n {min = 0.0 : f64, max = 8.0 : f64} : tensor<1xi64>
  %s = nn.slice %x, %0, %m, %1, %0 : (tensor<8xf32>, tensor<1xi64>, tensor<1xi64>, tensor<1xi64>, tensor<1xi64>) -> tensor<?xf32>
  %begin = nn.subtract %most, %m : (tensor<1xi64>, tensor<1xi64>) -> tensor<1xi64>
  %last = nn.slice %table, %begin, %end, %1, %0 : (tensor<64xf32>, tensor<1xi64>, tensor<1xi64>, tensor<1xi64>, tensor<1xi64>) -> tensor<?xf32>
  %y = nn.add %s, %last : (tensor<?xf32>, tensor<?xf32>) -> tensor<?xf32>
  func.return %y : tensor<?xf32>
}
