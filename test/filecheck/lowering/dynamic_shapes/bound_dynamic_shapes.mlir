// RUN: opt-tool %s --split-input-file --bound-dynamic-shapes --verify-diagnostics | filecheck %s

// What reads the first elements reads all of them; how many there are leaves behind the results. A stop may count
// from the end, and lie beyond it.
// CHECK-LABEL: @elementwise(%x: tensor<8x2xf32>, %n: tensor<1xi64>) -> (tensor<8x2xf32>, tensor<1xi64>) attributes {kernel.sizes = array<i64: 0, 0, 1>}
// CHECK-NOT: nn.slice
// CHECK: [[BACK:%.*]] = nn.add %n, %{{.*}}
// CHECK: [[NEGATIVE:%.*]] = nn.less %n, %{{.*}}
// CHECK: [[STOP:%.*]] = nn.select [[NEGATIVE]], [[BACK]], %n
// CHECK: [[N:%.*]] = nn.clamp [[STOP]] {min = 0.000000e+00 : f64, max = 8.000000e+00 : f64}
// CHECK: [[Y:%.*]] = nn.relu %x : tensor<8x2xf32>
// CHECK: func.return [[Y]], [[N]]
func.func @elementwise(%x: tensor<8x2xf32>, %n: tensor<1xi64>) -> tensor<?x2xf32> {
  %0 = nn.constant dense<0> : tensor<1xi64>
  %1 = nn.constant dense<1> : tensor<1xi64>
  %s = nn.slice %x, %0, %n, %1, %0 : (tensor<8x2xf32>, tensor<1xi64>, tensor<1xi64>, tensor<1xi64>, tensor<1xi64>) -> tensor<?x2xf32>
  %y = nn.relu %s : tensor<?x2xf32>
  func.return %y : tensor<?x2xf32>
}
// -----
// A sum takes zeros for what is not there; no size is left.
// CHECK-LABEL: @sum
// CHECK: [[N:%.*]] = nn.clamp
// CHECK: [[EXISTS:%.*]] = nn.less %{{.*}}, [[N]]
// CHECK: [[WIDE:%.*]] = nn.reshape [[EXISTS]], {{.*}} -> tensor<8x1xi1>
// CHECK: [[SOME:%.*]] = nn.select [[WIDE]], %x, %{{.*}}
// CHECK: [[Y:%.*]] = nn.reduce_sum [[SOME]]
// CHECK: func.return [[Y]] : tensor<2xf32>
func.func @sum(%x: tensor<8x2xf32>, %n: tensor<1xi64>) -> tensor<2xf32> {
  %0 = nn.constant dense<0> : tensor<1xi64>
  %1 = nn.constant dense<1> : tensor<1xi64>
  %s = nn.slice %x, %0, %n, %1, %0 : (tensor<8x2xf32>, tensor<1xi64>, tensor<1xi64>, tensor<1xi64>, tensor<1xi64>) -> tensor<?x2xf32>
  %y = nn.reduce_sum %s, %0 : (tensor<?x2xf32>, tensor<1xi64>) -> tensor<2xf32>
  func.return %y : tensor<2xf32>
}
// -----
// Sums that begin at the end of the rows need zeros beyond; those from the first row on never meet what lies there.

// CHECK-LABEL: @cumulative_sums
// CHECK: [[SOME:%.*]] = nn.select {{.*}}, %x, %{{.*}}
// CHECK: nn.cum_sum [[SOME]], {{.*}} {reverse = true}
// CHECK: nn.cum_sum %x, %{{[0-9]*}} : tensor<8x2xf32>
// CHECK: nn.cum_sum %x, {{.*}} {reverse = true}
func.func @cumulative_sums(%x: tensor<8x2xf32>, %n: tensor<1xi64>) -> (tensor<?x2xf32>, tensor<?x2xf32>, tensor<?x2xf32>) {
  %0 = nn.constant dense<0> : tensor<1xi64>
  %1 = nn.constant dense<1> : tensor<1xi64>
  %s = nn.slice %x, %0, %n, %1, %0 : (tensor<8x2xf32>, tensor<1xi64>, tensor<1xi64>, tensor<1xi64>, tensor<1xi64>) -> tensor<?x2xf32>
  %a = nn.cum_sum %s, %0 {reverse = true} : tensor<?x2xf32>, tensor<1xi64>
  %b = nn.cum_sum %s, %0 : tensor<?x2xf32>, tensor<1xi64>
  %c = nn.cum_sum %s, %1 {reverse = true} : tensor<?x2xf32>, tensor<1xi64>
  func.return %a, %b, %c : tensor<?x2xf32>, tensor<?x2xf32>, tensor<?x2xf32>
}
// -----
// A product that sums along it takes zeros for what is not there.
// CHECK-LABEL: @product
// CHECK: [[SOME:%.*]] = nn.select %{{.*}}, %x, %{{.*}}
// CHECK: [[Y:%.*]] = nn.mat_mul %w, [[SOME]]
// CHECK: func.return [[Y]] : tensor<4x2xf32>
func.func @product(%x: tensor<8x2xf32>, %n: tensor<1xi64>, %w: tensor<4x8xf32>) -> tensor<4x2xf32> {
  %0 = nn.constant dense<0> : tensor<1xi64>
  %1 = nn.constant dense<1> : tensor<1xi64>
  %s = nn.slice %x, %0, %n, %1, %0 : (tensor<8x2xf32>, tensor<1xi64>, tensor<1xi64>, tensor<1xi64>, tensor<1xi64>) -> tensor<?x2xf32>
  %y = nn.mat_mul %w, %s : (tensor<4x8xf32>, tensor<?x2xf32>) -> tensor<4x2xf32>
  func.return %y : tensor<4x2xf32>
}
// -----
// Rows that a reshape splits: what is there comes first, before and after.
// CHECK-LABEL: @split
// CHECK: [[COUNT:%.*]] = nn.divide
// CHECK: [[FLAT:%.*]] = nn.reshape %x, {{.*}} -> tensor<16xf32>
// CHECK: [[PART:%.*]] = nn.slice [[FLAT]]
// CHECK: [[Y:%.*]] = nn.reshape [[PART]], {{.*}} -> tensor<4x4xf32>
// CHECK: func.return [[Y]], [[COUNT]]
func.func @split(%x: tensor<8x2xf32>, %n: tensor<1xi64>) -> tensor<?x4xf32> {
  %0 = nn.constant dense<0> : tensor<1xi64>
  %1 = nn.constant dense<1> : tensor<1xi64>
  %s = nn.slice %x, %0, %n, %1, %0 : (tensor<8x2xf32>, tensor<1xi64>, tensor<1xi64>, tensor<1xi64>, tensor<1xi64>) -> tensor<?x2xf32>
  %shape = nn.constant dense<[-1, 4]> : tensor<2xi64>
  %y = nn.reshape %s, %shape : (tensor<?x2xf32>, tensor<2xi64>) -> tensor<?x4xf32>
  func.return %y : tensor<?x4xf32>
}
// -----
// What follows a part of dynamic size is written behind what there is.
// CHECK-LABEL: @concat
// CHECK: [[ROOM:%.*]] = nn.pad %x, {{.*}} -> tensor<12x2xf32>
// CHECK: nn.scatter_update [[ROOM]], %{{.*}}, %w, %{{.*}} : (tensor<12x2xf32>, tensor<4xi64>, tensor<4x2xf32>, tensor<i64>) -> tensor<12x2xf32>
func.func @concat(%x: tensor<8x2xf32>, %n: tensor<1xi64>, %w: tensor<4x2xf32>) -> tensor<?x2xf32> {
  %0 = nn.constant dense<0> : tensor<1xi64>
  %1 = nn.constant dense<1> : tensor<1xi64>
  %s = nn.slice %x, %0, %n, %1, %0 : (tensor<8x2xf32>, tensor<1xi64>, tensor<1xi64>, tensor<1xi64>, tensor<1xi64>) -> tensor<?x2xf32>
  %y = nn.concat %s, %w {axis = 0 : i64} : (tensor<?x2xf32>, tensor<4x2xf32>) -> tensor<?x2xf32>
  func.return %y : tensor<?x2xf32>
}
// -----
// Many parts, as those of all classes of a detector, are put together once; one scatter moves what there is to the front.

// CHECK-LABEL: @concat_of_5
// CHECK: [[COUNTS:%.*]] = nn.concat {{.*}} -> tensor<5xi64>
// CHECK: [[ALL:%.*]] = nn.concat %x, %x, %x, %x, %x {{.*}} -> tensor<40x2xf32>
// CHECK-NEXT: [[ZEROS:%.*]] = nn.constant dense<0.0{{.*}}> : tensor<40x2xf32>
// CHECK: nn.scatter_update [[ZEROS]], %{{.*}}, [[ALL]], %{{.*}} -> tensor<40x2xf32>
// CHECK-NOT: nn.scatter_update
// CHECK: nn.reduce_sum [[COUNTS]]
func.func @concat_of_5(%x: tensor<8x2xf32>, %n: tensor<1xi64>) -> tensor<?x2xf32> {
  %0 = nn.constant dense<0> : tensor<1xi64>
  %1 = nn.constant dense<1> : tensor<1xi64>
  %s = nn.slice %x, %0, %n, %1, %0 : (tensor<8x2xf32>, tensor<1xi64>, tensor<1xi64>, tensor<1xi64>, tensor<1xi64>) -> tensor<?x2xf32>
  %y = nn.concat %s, %s, %s, %s, %s {axis = 0 : i64} : (tensor<?x2xf32>, tensor<?x2xf32>, tensor<?x2xf32>, tensor<?x2xf32>, tensor<?x2xf32>) -> tensor<?x2xf32>
  func.return %y : tensor<?x2xf32>
}
// -----
// Few parts are written one after the other.

// CHECK-LABEL: @concat_of_4
// CHECK-COUNT-3: nn.scatter_update
// CHECK: func.return
func.func @concat_of_4(%x: tensor<8x2xf32>, %n: tensor<1xi64>) -> tensor<?x2xf32> {
  %0 = nn.constant dense<0> : tensor<1xi64>
  %1 = nn.constant dense<1> : tensor<1xi64>
  %s = nn.slice %x, %0, %n, %1, %0 : (tensor<8x2xf32>, tensor<1xi64>, tensor<1xi64>, tensor<1xi64>, tensor<1xi64>) -> tensor<?x2xf32>
  %y = nn.concat %s, %s, %s, %s {axis = 0 : i64} : (tensor<?x2xf32>, tensor<?x2xf32>, tensor<?x2xf32>, tensor<?x2xf32>) -> tensor<?x2xf32>
  func.return %y : tensor<?x2xf32>
}
// -----
// One index for all elements of a row: rows are updated, as a detector does that computes the regions of each level for themselves.

// CHECK-LABEL: @scatter_rows
// CHECK: [[PLACES:%.*]] = nn.select {{.*}} -> tensor<4xi64>
// CHECK: nn.scatter_update %x, [[PLACES]], %u, %{{.*}} : (tensor<8x2xf32>, tensor<4xi64>, tensor<4x2xf32>, tensor<i64>) -> tensor<8x2xf32>
func.func @scatter_rows(%x: tensor<8x2xf32>, %i: tensor<4x1xi64>, %n: tensor<1xi64>, %u: tensor<4x2xf32>) -> tensor<8x2xf32> {
  %0 = nn.constant dense<0> : tensor<1xi64>
  %1 = nn.constant dense<1> : tensor<1xi64>
  %axis = nn.constant dense<0> : tensor<i64>
  %two = nn.constant dense<[1, 2]> : tensor<2xi64>
  %s = nn.slice %i, %0, %n, %1, %0 : (tensor<4x1xi64>, tensor<1xi64>, tensor<1xi64>, tensor<1xi64>, tensor<1xi64>) -> tensor<?x1xi64>
  %v = nn.slice %u, %0, %n, %1, %0 : (tensor<4x2xf32>, tensor<1xi64>, tensor<1xi64>, tensor<1xi64>, tensor<1xi64>) -> tensor<?x2xf32>
  %b = nn.broadcast %s, %two {mode = "bidirectional"} : (tensor<?x1xi64>, tensor<2xi64>) -> tensor<?x2xi64>
  %y = nn.scatter_elements_update %x, %b, %v, %axis {reduction = "none", use_init_val = true} : (tensor<8x2xf32>, tensor<?x2xi64>, tensor<?x2xf32>, tensor<i64>) -> tensor<8x2xf32>
  func.return %y : tensor<8x2xf32>
}
// -----
// As many updates as there are indices, which count in another type, of a value that may have more. They may also be
// as many of something else, which is refused.

// CHECK-LABEL: @scatter_cut
// CHECK: nn.scatter_update %x, %{{.*}}, %u, %{{.*}} : (tensor<8x2xf32>, tensor<4xi64>, tensor<4x2xf32>, tensor<i64>) -> tensor<8x2xf32>
func.func @scatter_cut(%x: tensor<8x2xf32>, %i: tensor<4x1xi64>, %n: tensor<1xi64>, %m: tensor<1xi64>, %u: tensor<4x2xf32>) -> tensor<8x2xf32> {
  %0 = nn.constant dense<0> : tensor<1xi64>
  %1 = nn.constant dense<1> : tensor<1xi64>
  %axis = nn.constant dense<0> : tensor<i64>
  %two = nn.constant dense<[1, 2]> : tensor<2xi64>
  %s = nn.slice %i, %0, %n, %1, %0 : (tensor<4x1xi64>, tensor<1xi64>, tensor<1xi64>, tensor<1xi64>, tensor<1xi64>) -> tensor<?x1xi64>
  %v = nn.slice %u, %0, %m, %1, %0 : (tensor<4x2xf32>, tensor<1xi64>, tensor<1xi64>, tensor<1xi64>, tensor<1xi64>) -> tensor<?x2xf32>
  %b = nn.broadcast %s, %two {mode = "bidirectional"} : (tensor<?x1xi64>, tensor<2xi64>) -> tensor<?x2xi64>
  %c = nn.convert %b to i32 : tensor<?x2xi64> -> tensor<?x2xi32>
  %size = nn.shape_of %c : tensor<?x2xi32> -> tensor<2xi64>
  %00 = nn.constant dense<0> : tensor<2xi64>
  %11 = nn.constant dense<1> : tensor<2xi64>
  %01 = nn.constant dense<[0, 1]> : tensor<2xi64>
  %w = nn.slice %v, %00, %size, %11, %01 : (tensor<?x2xf32>, tensor<2xi64>, tensor<2xi64>, tensor<2xi64>, tensor<2xi64>) -> tensor<?x2xf32>
  %y = nn.scatter_elements_update %x, %c, %w, %axis {reduction = "none", use_init_val = true} : (tensor<8x2xf32>, tensor<?x2xi32>, tensor<?x2xf32>, tensor<i64>) -> tensor<8x2xf32>
  func.return %y : tensor<8x2xf32>
}
// -----
func.func @scatter_otherwise_cut(%x: tensor<8x2xf32>, %i: tensor<4x1xi64>, %n: tensor<1xi64>, %m: tensor<1xi64>, %u: tensor<4x2xf32>) -> tensor<8x2xf32> {
  %0 = nn.constant dense<0> : tensor<1xi64>
  %1 = nn.constant dense<1> : tensor<1xi64>
  %axis = nn.constant dense<0> : tensor<i64>
  %two = nn.constant dense<[1, 2]> : tensor<2xi64>
  %s = nn.slice %i, %0, %n, %1, %0 : (tensor<4x1xi64>, tensor<1xi64>, tensor<1xi64>, tensor<1xi64>, tensor<1xi64>) -> tensor<?x1xi64>
  %v = nn.slice %u, %0, %m, %1, %0 : (tensor<4x2xf32>, tensor<1xi64>, tensor<1xi64>, tensor<1xi64>, tensor<1xi64>) -> tensor<?x2xf32>
  %b = nn.broadcast %s, %two {mode = "bidirectional"} : (tensor<?x1xi64>, tensor<2xi64>) -> tensor<?x2xi64>
  %c = nn.convert %b to i32 : tensor<?x2xi64> -> tensor<?x2xi32>
  %size = nn.shape_of %v : tensor<?x2xf32> -> tensor<2xi64>
  %00 = nn.constant dense<0> : tensor<2xi64>
  %11 = nn.constant dense<1> : tensor<2xi64>
  %01 = nn.constant dense<[0, 1]> : tensor<2xi64>
  %w = nn.slice %v, %00, %size, %11, %01 : (tensor<?x2xf32>, tensor<2xi64>, tensor<2xi64>, tensor<2xi64>, tensor<2xi64>) -> tensor<?x2xf32>
  // expected-error@below {{reads a value whose size only the run can tell}}
  %y = nn.scatter_elements_update %x, %c, %w, %axis {reduction = "none", use_init_val = true} : (tensor<8x2xf32>, tensor<?x2xi32>, tensor<?x2xf32>, tensor<i64>) -> tensor<8x2xf32>
  func.return %y : tensor<8x2xf32>
}
// -----
// Sums keep an index for each element, and so do parts of rows.

// CHECK-LABEL: @scatter_sums
// CHECK: nn.scatter_elements_update %x
func.func @scatter_sums(%x: tensor<8x2xf32>, %i: tensor<4x1xi64>, %n: tensor<1xi64>, %u: tensor<4x2xf32>) -> tensor<8x2xf32> {
  %0 = nn.constant dense<0> : tensor<1xi64>
  %1 = nn.constant dense<1> : tensor<1xi64>
  %axis = nn.constant dense<0> : tensor<i64>
  %two = nn.constant dense<[1, 2]> : tensor<2xi64>
  %s = nn.slice %i, %0, %n, %1, %0 : (tensor<4x1xi64>, tensor<1xi64>, tensor<1xi64>, tensor<1xi64>, tensor<1xi64>) -> tensor<?x1xi64>
  %v = nn.slice %u, %0, %n, %1, %0 : (tensor<4x2xf32>, tensor<1xi64>, tensor<1xi64>, tensor<1xi64>, tensor<1xi64>) -> tensor<?x2xf32>
  %b = nn.broadcast %s, %two {mode = "bidirectional"} : (tensor<?x1xi64>, tensor<2xi64>) -> tensor<?x2xi64>
  %y = nn.scatter_elements_update %x, %b, %v, %axis {reduction = "sum", use_init_val = true} : (tensor<8x2xf32>, tensor<?x2xi64>, tensor<?x2xf32>, tensor<i64>) -> tensor<8x2xf32>
  func.return %y : tensor<8x2xf32>
}
// -----
// CHECK-LABEL: @scatter_parts
// CHECK: nn.scatter_elements_update %x
func.func @scatter_parts(%x: tensor<8x3xf32>, %i: tensor<4x1xi64>, %n: tensor<1xi64>, %u: tensor<4x2xf32>) -> tensor<8x3xf32> {
  %0 = nn.constant dense<0> : tensor<1xi64>
  %1 = nn.constant dense<1> : tensor<1xi64>
  %axis = nn.constant dense<0> : tensor<i64>
  %two = nn.constant dense<[1, 2]> : tensor<2xi64>
  %s = nn.slice %i, %0, %n, %1, %0 : (tensor<4x1xi64>, tensor<1xi64>, tensor<1xi64>, tensor<1xi64>, tensor<1xi64>) -> tensor<?x1xi64>
  %v = nn.slice %u, %0, %n, %1, %0 : (tensor<4x2xf32>, tensor<1xi64>, tensor<1xi64>, tensor<1xi64>, tensor<1xi64>) -> tensor<?x2xf32>
  %b = nn.broadcast %s, %two {mode = "bidirectional"} : (tensor<?x1xi64>, tensor<2xi64>) -> tensor<?x2xi64>
  %y = nn.scatter_elements_update %x, %b, %v, %axis {reduction = "none", use_init_val = true} : (tensor<8x3xf32>, tensor<?x2xi64>, tensor<?x2xf32>, tensor<i64>) -> tensor<8x3xf32>
  func.return %y : tensor<8x3xf32>
}
// -----
// All but the last of one more than there are: as many as there are, without a look whether there is one.

// CHECK-LABEL: @all_but_the_last
// CHECK-NOT: nn.select
// CHECK-NOT: nn.maximum %{{.*}}, %{{.*}} : (tensor<1xi64>, tensor<i64>)
// CHECK: func.return
func.func @all_but_the_last(%x: tensor<8x2xf32>, %size: tensor<1xi64>, %w: tensor<1x2xf32>) -> tensor<?x2xf32> {
  %0 = nn.constant dense<0> : tensor<1xi64>
  %1 = nn.constant dense<1> : tensor<1xi64>
  %end = nn.constant dense<-1> : tensor<1xi64>
  %n = nn.clamp %size {min = 0.0 : f64, max = 8.0 : f64} : tensor<1xi64>
  %s = nn.slice %x, %0, %n, %1, %0 : (tensor<8x2xf32>, tensor<1xi64>, tensor<1xi64>, tensor<1xi64>, tensor<1xi64>) -> tensor<?x2xf32>
  %all = nn.concat %s, %w {axis = 0 : i64} : (tensor<?x2xf32>, tensor<1x2xf32>) -> tensor<?x2xf32>
  %y = nn.slice %all, %0, %end, %1, %0 : (tensor<?x2xf32>, tensor<1xi64>, tensor<1xi64>, tensor<1xi64>, tensor<1xi64>) -> tensor<?x2xf32>
  func.return %y : tensor<?x2xf32>
}

// -----

// A least size is the one that never is larger: rows n to n + 1 are one row.

// CHECK-LABEL: @one_row
// CHECK-NOT: nn.minimum
// CHECK: nn.gather %table, %{{.*}} -> tensor<1x2xf32>
// CHECK: func.return %{{.*}} : tensor<1x2xf32>
func.func @one_row(%table: tensor<100x2xf32>, %size: tensor<1xi64>) -> tensor<?x2xf32> {
  %0 = nn.constant dense<0> : tensor<1xi64>
  %1 = nn.constant dense<1> : tensor<1xi64>
  %most = nn.constant dense<100> : tensor<1xi64>
  %n = nn.clamp %size {min = 0.0 : f64, max = 8.0 : f64} : tensor<1xi64>
  %more = nn.add %n, %1 : (tensor<1xi64>, tensor<1xi64>) -> tensor<1xi64>
  %stop = nn.minimum %most, %more : (tensor<1xi64>, tensor<1xi64>) -> tensor<1xi64>
  %y = nn.slice %table, %n, %stop, %1, %0 : (tensor<100x2xf32>, tensor<1xi64>, tensor<1xi64>, tensor<1xi64>, tensor<1xi64>) -> tensor<?x2xf32>
  func.return %y : tensor<?x2xf32>
}

// -----

// The best of those that are there: what is not is worse than all, and at most three are computed.
// CHECK-LABEL: @best
// CHECK: [[SOME:%.*]] = nn.select %{{.*}}, %x, %{{.*}}
// CHECK: nn.top_k [[SOME]], %{{.*}} -> (tensor<3xf32>, tensor<3xi32>)
func.func @best(%x: tensor<8xf32>, %n: tensor<1xi64>, %m: tensor<i64>) -> tensor<?xf32> {
  %0 = nn.constant dense<0> : tensor<1xi64>
  %1 = nn.constant dense<1> : tensor<1xi64>
  %3 = nn.constant dense<3> : tensor<i64>
  %k = nn.minimum %m, %3 : (tensor<i64>, tensor<i64>) -> tensor<i64>
  %s = nn.slice %x, %0, %n, %1, %0 : (tensor<8xf32>, tensor<1xi64>, tensor<1xi64>, tensor<1xi64>, tensor<1xi64>) -> tensor<?xf32>
  %y, %i = nn.top_k %s, %k {axis = 0 : i64, mode = "max", sort = "value", index_element_type = i32} : (tensor<?xf32>, tensor<i64>) -> (tensor<?xf32>, tensor<?xi32>)
  func.return %y : tensor<?xf32>
}
// -----
// Nearest miss: sorted by index, those that are not there would come first or in between.
func.func @by_index(%x: tensor<8xf32>, %k: tensor<i64>) -> tensor<?xf32> {
  // expected-error@below {{nn.top_k: only the run can tell the size of its result, and there is no law for how it is computed; let that size be fixed (with a mask for what counts), or end the model in front of it (trim)}}
  %y, %i = nn.top_k %x, %k {axis = 0 : i64, mode = "max", sort = "index", index_element_type = i32} : (tensor<8xf32>, tensor<i64>) -> (tensor<?xf32>, tensor<?xi32>)
  func.return %y : tensor<?xf32>
}
// -----
// Either body may be the larger one: both are computed, in a shape that holds both.
// CHECK-LABEL: @branch(%c: tensor<i1>, %x: tensor<3xf32>) -> (tensor<3xf32>, tensor<1xi64>)
// CHECK: [[N:%.*]] = nn.select %c
// CHECK: [[TWO:%.*]] = nn.concat %{{.*}}, %{{.*}} {axis = 0 : i64} : (tensor<2xf32>, tensor<1xf32>) -> tensor<3xf32>
// CHECK: [[Y:%.*]] = nn.select %c, [[TWO]], %x
// CHECK: func.return [[Y]], [[N]]
func.func @branch(%c: tensor<i1>, %x: tensor<3xf32>) -> tensor<?xf32> {
  %y = infra.if %c, %x : (tensor<i1>, tensor<3xf32>) -> tensor<?xf32> {
  ^bb0(%a: tensor<3xf32>):
    %two = nn.constant dense<[1.0, 2.0]> : tensor<2xf32>
    infra.yield %two : tensor<2xf32>
  } else {
  ^bb0(%b: tensor<3xf32>):
    infra.yield %b : tensor<3xf32>
  }
  func.return %y : tensor<?xf32>
}
// -----
// A size that begins in a body, and ends there: what is summed up is made 0 beyond it.
// CHECK-LABEL: @within_a_branch
// CHECK-NOT: infra.if
// CHECK: [[PART:%.*]] = nn.select %{{.*}}, %x, %{{.*}}
// CHECK: [[SUM:%.*]] = nn.reduce_sum [[PART]], %{{.*}} -> tensor<2xf32>
// CHECK: [[Y:%.*]] = nn.select %c, %{{.*}}, [[SUM]]
// CHECK: func.return [[Y]]
func.func @within_a_branch(%c: tensor<i1>, %x: tensor<8x2xf32>, %n: tensor<1xi64>) -> tensor<2xf32> {
  %r = infra.if %c, %x, %n : (tensor<i1>, tensor<8x2xf32>, tensor<1xi64>) -> tensor<2xf32> {
  ^bb0(%y: tensor<8x2xf32>, %m: tensor<1xi64>):
    %zero = nn.constant dense<0.0> : tensor<2xf32>
    infra.yield %zero : tensor<2xf32>
  } else {
  ^bb0(%y: tensor<8x2xf32>, %m: tensor<1xi64>):
    %0 = nn.constant dense<[0]> : tensor<1xi64>
    %1 = nn.constant dense<[1]> : tensor<1xi64>
    %part = nn.slice %y, %0, %m, %1, %0 : (tensor<8x2xf32>, tensor<1xi64>, tensor<1xi64>, tensor<1xi64>, tensor<1xi64>) -> tensor<?x2xf32>
    %sum = nn.reduce_sum %part, %0 {keep_dims = false} : (tensor<?x2xf32>, tensor<1xi64>) -> tensor<2xf32>
    infra.yield %sum : tensor<2xf32>
  }
  func.return %r : tensor<2xf32>
}
// -----
// Repeated as often as something else is large, of which it is known how large that may be.
// CHECK-LABEL: @repeated
// CHECK: nn.broadcast %v, %{{.*}} -> tensor<8x2xf32>
func.func @repeated(%x: tensor<8xf32>, %n: tensor<1xi64>, %v: tensor<2xf32>) -> tensor<?x2xf32> {
  %0 = nn.constant dense<0> : tensor<1xi64>
  %1 = nn.constant dense<1> : tensor<1xi64>
  %2 = nn.constant dense<2> : tensor<1xi64>
  %s = nn.slice %x, %0, %n, %1, %0 : (tensor<8xf32>, tensor<1xi64>, tensor<1xi64>, tensor<1xi64>, tensor<1xi64>) -> tensor<?xf32>
  %size = nn.shape_of %s {output_type = i64} : tensor<?xf32> -> tensor<1xi64>
  %shape = nn.concat %size, %2 {axis = 0 : i64} : (tensor<1xi64>, tensor<1xi64>) -> tensor<2xi64>
  %y = nn.broadcast %v, %shape : (tensor<2xf32>, tensor<2xi64>) -> tensor<?x2xf32>
  func.return %y : tensor<?x2xf32>
}
// -----
// Nearest miss: as often as an input says.
func.func @anyhow(%shape: tensor<2xi64>, %v: tensor<2xf32>) -> tensor<?x?xf32> {
  // expected-error@below {{nn.broadcast: only the run can tell the size of its result, and there is no law for how it is computed; let that size be fixed (with a mask for what counts), or end the model in front of it (trim)}}
  %y = nn.broadcast %v, %shape : (tensor<2xf32>, tensor<2xi64>) -> tensor<?x?xf32>
  func.return %y : tensor<?x?xf32>
}
// -----
// A slice with gaps has every second of the elements in front of its stop.
// CHECK-LABEL: @gaps
// CHECK: [[N:%.*]] = nn.clamp %{{.*}} {min = 0.000000e+00 : f64, max = 7.000000e+00 : f64}
// CHECK: [[S:%.*]] = nn.slice %x, {{.*}} -> tensor<4x2xf32>
// CHECK: [[MORE:%.*]] = nn.add [[N]], %{{.*}}
// CHECK: [[COUNT:%.*]] = nn.divide [[MORE]], %{{.*}}
// CHECK: func.return [[S]], [[COUNT]]
func.func @gaps(%x: tensor<7x2xf32>, %n: tensor<1xi64>) -> tensor<?x2xf32> {
  %0 = nn.constant dense<0> : tensor<1xi64>
  %2 = nn.constant dense<2> : tensor<1xi64>
  %s = nn.slice %x, %0, %n, %2, %0 : (tensor<7x2xf32>, tensor<1xi64>, tensor<1xi64>, tensor<1xi64>, tensor<1xi64>) -> tensor<?x2xf32>
  func.return %s : tensor<?x2xf32>
}
// -----
// Nearest miss: a slice backward.
func.func @backward(%x: tensor<8x2xf32>, %n: tensor<1xi64>) -> tensor<?x2xf32> {
  %0 = nn.constant dense<0> : tensor<1xi64>
  %2 = nn.constant dense<-2> : tensor<1xi64>
  // expected-error@below {{nn.slice: only the run can tell the size of its result, and there is no law for how it is computed; let that size be fixed (with a mask for what counts), or end the model in front of it (trim)}}
  %s = nn.slice %x, %n, %0, %2, %0 : (tensor<8x2xf32>, tensor<1xi64>, tensor<1xi64>, tensor<1xi64>, tensor<1xi64>) -> tensor<?x2xf32>
  func.return %s : tensor<?x2xf32>
}
// -----
// Nearest miss: numbers that count by two.
func.func @by_two(%n: tensor<i64>) -> tensor<?xi64> {
  %0 = nn.constant dense<0> : tensor<i64>
  %2 = nn.constant dense<2> : tensor<i64>
  %9 = nn.constant dense<9> : tensor<i64>
  %m = nn.minimum %n, %9 : (tensor<i64>, tensor<i64>) -> tensor<i64>
  // expected-error@below {{nn.range: only the run can tell the size of its result, and there is no law for how it is computed}}
  %y = nn.range %0, %m, %2 {output_type = i64} : (tensor<i64>, tensor<i64>, tensor<i64>) -> tensor<?xi64>
  func.return %y : tensor<?xi64>
}
// -----
// A strided slice with computed limits is slices, and gathers of what is a single element.
// CHECK-LABEL: @strided(%x: tensor<4x8xf32>, %n: tensor<3xi64>) -> (tensor<1x6xf32>, tensor<1xi64>)
// CHECK: [[ROW:%.*]] = nn.slice %n
// CHECK: [[ONE:%.*]] = nn.gather %x, [[ROW]], %{{.*}} -> tensor<1x8xf32>
// CHECK-NOT: nn.strided_slice
// CHECK: [[FLAT:%.*]] = nn.squeeze %{{.*}} -> tensor<6xf32>
// CHECK: nn.unsqueeze [[FLAT]]
// CHECK: func.return
func.func @strided(%x: tensor<4x8xf32>, %n: tensor<3xi64>) -> tensor<1x?xf32> {
  %ends = nn.constant dense<[0, 0, 6]> : tensor<3xi64>
  %strides = nn.constant dense<1> : tensor<3xi64>
  %s = nn.strided_slice %x, %n, %ends, %strides {begin_mask = array<i64: 0, 0, 0>, end_mask = array<i64: 0, 0, 0>,
      new_axis_mask = array<i64: 0, 1, 0>, shrink_axis_mask = array<i64: 1, 0, 0>, ellipsis_mask = array<i64: 0, 0, 0>}
      : (tensor<4x8xf32>, tensor<3xi64>, tensor<3xi64>, tensor<3xi64>) -> tensor<1x?xf32>
  func.return %s : tensor<1x?xf32>
}
// -----
// A dimension of known size is taken backward, whatever is computed of another one.
// CHECK-LABEL: @backward(%x: tensor<4x8xf32>, %n: tensor<2xi64>)
// CHECK: nn.constant dense<[2147483647]>
// CHECK-NEXT: nn.constant dense<[-2147483647]>
// CHECK: nn.slice %x, {{.*}} -> tensor<4x8xf32>
func.func @backward(%x: tensor<4x8xf32>, %n: tensor<2xi64>) -> tensor<?x8xf32> {
  %strides = nn.constant dense<[1, -1]> : tensor<2xi64>
  %s = nn.strided_slice %x, %n, %n, %strides {begin_mask = array<i64: 1, 1>, end_mask = array<i64: 0, 1>,
      new_axis_mask = array<i64: 0, 0>, shrink_axis_mask = array<i64: 0, 0>, ellipsis_mask = array<i64: 0, 0>}
      : (tensor<4x8xf32>, tensor<2xi64>, tensor<2xi64>, tensor<2xi64>) -> tensor<?x8xf32>
  func.return %s : tensor<?x8xf32>
}
// -----
// Nearest miss: a dimension whose size is computed.
func.func @backward_from_the_end(%x: tensor<8x2xf32>, %n: tensor<1xi64>) -> tensor<?x2xf32> {
  %0 = nn.constant dense<0> : tensor<1xi64>
  %1 = nn.constant dense<1> : tensor<1xi64>
  %strides = nn.constant dense<-1> : tensor<1xi64>
  %a = nn.slice %x, %0, %n, %1, %0 : (tensor<8x2xf32>, tensor<1xi64>, tensor<1xi64>, tensor<1xi64>, tensor<1xi64>) -> tensor<?x2xf32>
  // expected-error@below {{nn.strided_slice: reads a value whose size only the run can tell, and has no law for that}}
  %s = nn.strided_slice %a, %0, %0, %strides {begin_mask = array<i64: 1>, end_mask = array<i64: 1>, new_axis_mask = array<i64: 0>,
      shrink_axis_mask = array<i64: 0>, ellipsis_mask = array<i64: 0>} : (tensor<?x2xf32>, tensor<1xi64>, tensor<1xi64>, tensor<1xi64>) -> tensor<?x2xf32>
  func.return %s : tensor<?x2xf32>
}
// -----
// Nearest miss: strides that are computed.
func.func @computed_strides(%x: tensor<8xf32>, %n: tensor<1xi64>) -> tensor<?xf32> {
  %0 = nn.constant dense<0> : tensor<1xi64>
  %8 = nn.constant dense<8> : tensor<1xi64>
  // expected-error@below {{nn.strided_slice: reads a value whose size only the run can tell, and has no law for that}}
  %s = nn.strided_slice %x, %0, %8, %n {begin_mask = array<i64: 0>, end_mask = array<i64: 0>, new_axis_mask = array<i64: 0>,
      shrink_axis_mask = array<i64: 0>, ellipsis_mask = array<i64: 0>} : (tensor<8xf32>, tensor<1xi64>, tensor<1xi64>, tensor<1xi64>) -> tensor<?xf32>
  func.return %s : tensor<?xf32>
}
// -----
// As many rows are appended as are missing: the size is known again.
// CHECK-LABEL: @filled(%x: tensor<8x2xf32>, %n: tensor<1xi64>) -> tensor<8x2xf32>
// CHECK: [[EXISTS:%.*]] = nn.reshape %{{.*}} -> tensor<8x1xi1>
// CHECK: [[Y:%.*]] = nn.select [[EXISTS]]
// CHECK: func.return [[Y]] : tensor<8x2xf32>
func.func @filled(%x: tensor<8x2xf32>, %n: tensor<1xi64>) -> tensor<?x2xf32> {
  %0 = nn.constant dense<0> : tensor<1xi64>
  %1 = nn.constant dense<1> : tensor<1xi64>
  %none = nn.constant dense<0> : tensor<2xi64>
  %axis = nn.constant dense<0> : tensor<i64>
  %all = nn.constant dense<8> : tensor<1xi64>
  %s = nn.slice %x, %0, %n, %1, %0 : (tensor<8x2xf32>, tensor<1xi64>, tensor<1xi64>, tensor<1xi64>, tensor<1xi64>) -> tensor<?x2xf32>
  %shape = nn.shape_of %s : tensor<?x2xf32> -> tensor<2xi64>
  %rows = nn.gather %shape, %0, %axis {batch_dims = 0 : i64} : (tensor<2xi64>, tensor<1xi64>, tensor<i64>) -> tensor<1xi64>
  %missing = nn.subtract %all, %rows : (tensor<1xi64>, tensor<1xi64>) -> tensor<1xi64>
  %end = nn.concat %missing, %0 {axis = 0 : i64} : (tensor<1xi64>, tensor<1xi64>) -> tensor<2xi64>
  %y = nn.pad %s, %none, %end {pad_mode = "constant"} : (tensor<?x2xf32>, tensor<2xi64>, tensor<2xi64>) -> tensor<?x2xf32>
  func.return %y : tensor<?x2xf32>
}
// -----
// An image in a dynamic size that is at most 6: a product with weights.
// CHECK-LABEL: @resized
// CHECK: [[WEIGHTS:%.*]] = nn.relu %{{.*}} : tensor<6x4xf32>
// CHECK: [[Y:%.*]] = nn.mat_mul %x, [[WEIGHTS]] {transpose_b = true} : (tensor<1x3x4xf32>, tensor<6x4xf32>) -> tensor<1x3x6xf32>
// CHECK: [[SIZE:%.*]] = nn.maximum
// CHECK: func.return [[Y]], [[SIZE]]
func.func @resized(%x: tensor<1x3x4xf32>, %n: tensor<1xi64>) -> tensor<1x3x?xf32> {
  %axis = nn.constant dense<2> : tensor<1xi64>
  %size = nn.clamp %n {min = 1.0 : f64, max = 6.0 : f64} : tensor<1xi64>
  %y = nn.interpolate %x, %size, %axis {mode = "linear_onnx", shape_calculation_mode = "sizes", pads_begin = array<i64>, pads_end = array<i64>} : (tensor<1x3x4xf32>, tensor<1xi64>, tensor<1xi64>) -> tensor<1x3x?xf32>
  func.return %y : tensor<1x3x?xf32>
}
// -----
// Nearest miss: nothing says how large it may be.
func.func @unbounded(%x: tensor<1x3x4xf32>, %n: tensor<1xi64>) -> tensor<1x3x?xf32> {
  %axis = nn.constant dense<2> : tensor<1xi64>
  // expected-error@below {{nn.interpolate: nothing bounds the size of its result, which only the run can tell; let the model limit it, as by the minimum of it and a constant}}
  %y = nn.interpolate %x, %n, %axis {mode = "linear_onnx", shape_calculation_mode = "sizes", pads_begin = array<i64>, pads_end = array<i64>} : (tensor<1x3x4xf32>, tensor<1xi64>, tensor<1xi64>) -> tensor<1x3x?xf32>
  func.return %y : tensor<1x3x?xf32>
}
// -----
// A loop over what is there: the body is given all of it, and runs at most eight times.
// CHECK-LABEL: @loop
// CHECK: infra.loop {{.*}} most_iterations = 8 : i64
// CHECK: ^bb0(%{{.*}}: tensor<8x2xf32>,
// CHECK: func.return %{{.*}}, %{{.*}} : tensor<8x2xf32>, tensor<1xi64>
func.func @loop(%x: tensor<8x2xf32>, %n: tensor<1xi64>) -> tensor<?x2xf32> {
  %0 = nn.constant dense<0> : tensor<1xi64>
  %1 = nn.constant dense<1> : tensor<1xi64>
  %true = nn.constant dense<true> : tensor<i1>
  %axis = nn.constant dense<0> : tensor<i64>
  %s = nn.slice %x, %0, %n, %1, %0 : (tensor<8x2xf32>, tensor<1xi64>, tensor<1xi64>, tensor<1xi64>, tensor<1xi64>) -> tensor<?x2xf32>
  %shape = nn.shape_of %s : tensor<?x2xf32> -> tensor<2xi64>
  %rows = nn.gather %shape, %axis, %axis {batch_dims = 0 : i64} : (tensor<2xi64>, tensor<i64>, tensor<i64>) -> tensor<i64>
  %y = infra.loop %rows, %true, %s inputs [#infra.invariant] outputs [#infra.concatenated<result = 0, axis = 0, start = 0, end = -1, stride = 1, part_size = 1>] body_names ["X"] {current_iteration} : (tensor<i64>, tensor<i1>, tensor<?x2xf32>) -> tensor<?x2xf32> {
  ^bb0(%a: tensor<?x2xf32>, %i: tensor<i64>):
    %zero = nn.constant dense<0> : tensor<i64>
    %axes = nn.constant dense<0> : tensor<1xi64>
    %row = nn.gather %a, %i, %zero {batch_dims = 0 : i64} : (tensor<?x2xf32>, tensor<i64>, tensor<i64>) -> tensor<2xf32>
    %part = nn.unsqueeze %row, %axes : (tensor<2xf32>, tensor<1xi64>) -> tensor<1x2xf32>
    infra.yield %part : tensor<1x2xf32>
  }
  func.return %y : tensor<?x2xf32>
}
// -----
// A row of indices names an element of what is there: its indices count from that end, and lie beyond it.
// CHECK-LABEL: @named
// CHECK: [[SIZE:%.*]] = nn.concat {{.*}} -> tensor<2xi64>
// CHECK: nn.add %i, [[SIZE]]
// CHECK: [[PLACES:%.*]] = nn.select {{.*}} : (tensor<6x2xi1>, tensor<6x2xi64>, tensor<2xi64>)
// CHECK: nn.reduce_sum
// CHECK: func.return %{{.*}} : tensor<6xf32>
func.func @named(%x: tensor<8x2xf32>, %n: tensor<1xi64>, %i: tensor<6x2xi64>) -> tensor<6xf32> {
  %0 = nn.constant dense<0> : tensor<1xi64>
  %1 = nn.constant dense<1> : tensor<1xi64>
  %s = nn.slice %x, %0, %n, %1, %0 : (tensor<8x2xf32>, tensor<1xi64>, tensor<1xi64>, tensor<1xi64>, tensor<1xi64>) -> tensor<?x2xf32>
  %y = nn.gather_nd %s, %i : (tensor<?x2xf32>, tensor<6x2xi64>) -> tensor<6xf32>
  func.return %y : tensor<6xf32>
}
// -----
// Nearest miss: updates without indices.
func.func @unnamed(%x: tensor<8x2xf32>, %n: tensor<1xi64>, %z: tensor<8x2xf32>, %i: tensor<8x1xi64>) -> tensor<8x2xf32> {
  %0 = nn.constant dense<0> : tensor<1xi64>
  %1 = nn.constant dense<1> : tensor<1xi64>
  %s = nn.slice %x, %0, %n, %1, %0 : (tensor<8x2xf32>, tensor<1xi64>, tensor<1xi64>, tensor<1xi64>, tensor<1xi64>) -> tensor<?x2xf32>
  // expected-error@below {{nn.scatter_nd_update: reads a value whose size only the run can tell, and has no law for that}}
  %y = nn.scatter_nd_update %z, %i, %s : (tensor<8x2xf32>, tensor<8x1xi64>, tensor<?x2xf32>) -> tensor<8x2xf32>
  func.return %y : tensor<8x2xf32>
}

// -----

// Zeros behind what counts of an input are kept by who appends to it.

// expected-error@unknown {{input 0 has room for what is appended to it, and no result is written there}}
func.func @main(%keys: tensor<1x66x8xf32> {infra.padded}) -> tensor<1x66x8xf32> {
  func.return %keys : tensor<1x66x8xf32>
}
