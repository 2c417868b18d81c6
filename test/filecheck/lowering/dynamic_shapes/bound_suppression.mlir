// RUN: opt-tool %s --split-input-file --bound-suppression | filecheck %s

// Only the first 3 rows are read, through what leaves rows in their places; the larger of two slices counts.
// CHECK-LABEL: @read_of_the_best
// CHECK: [[COUNT:%.*]] = nn.constant dense<3> : tensor<i64>
// CHECK: nn.non_max_suppression %boxes, %scores, [[COUNT]]
func.func @read_of_the_best(%boxes: tensor<1x9x4xf32>, %scores: tensor<1x1x9xf32>) -> (tensor<?xi64>, tensor<?x3xi64>) {
  %count = nn.constant dense<9> : tensor<i64>
  %iou = nn.constant dense<0.5> : tensor<f32>
  %rows, %values, %valid = nn.non_max_suppression %boxes, %scores, %count, %iou : (tensor<1x9x4xf32>, tensor<1x1x9xf32>, tensor<i64>, tensor<f32>) -> (tensor<?x3xi64>, tensor<?x3xf32>, tensor<1xi64>)
  %two = nn.constant dense<[2]> : tensor<1xi64>
  %one = nn.constant dense<[1]> : tensor<1xi64>
  %zero = nn.constant dense<[0]> : tensor<1xi64>
  %three = nn.constant dense<[3]> : tensor<1xi64>
  %axis = nn.constant dense<1> : tensor<i64>
  %box = nn.gather %rows, %two, %axis {batch_dims = 0 : i64} : (tensor<?x3xi64>, tensor<1xi64>, tensor<i64>) -> tensor<?x1xi64>
  %flat = nn.squeeze %box, %one {allow_axis_skip = false} : (tensor<?x1xi64>, tensor<1xi64>) -> tensor<?xi64>
  %first = nn.slice %flat, %zero, %three, %one, %zero : (tensor<?xi64>, tensor<1xi64>, tensor<1xi64>, tensor<1xi64>, tensor<1xi64>) -> tensor<?xi64>
  %others = nn.slice %rows, %zero, %two, %one, %zero : (tensor<?x3xi64>, tensor<1xi64>, tensor<1xi64>, tensor<1xi64>, tensor<1xi64>) -> tensor<?x3xi64>
  func.return %first, %others : tensor<?xi64>, tensor<?x3xi64>
}
// -----
// The slice is behind a branch.
// CHECK-LABEL: @read_of_a_branch
// CHECK: [[COUNT:%.*]] = nn.constant dense<3> : tensor<i64>
// CHECK: nn.non_max_suppression %{{.*}}, %{{.*}}, [[COUNT]]
func.func @read_of_a_branch(%go: tensor<i1>, %boxes: tensor<1x9x4xf32>, %scores: tensor<1x1x9xf32>) -> tensor<?x3xi64> {
  %one = nn.constant dense<[1]> : tensor<1xi64>
  %zero = nn.constant dense<[0]> : tensor<1xi64>
  %three = nn.constant dense<[3]> : tensor<1xi64>
  %all = infra.if %go, %boxes, %scores : (tensor<i1>, tensor<1x9x4xf32>, tensor<1x1x9xf32>) -> tensor<?x3xi64> {
  ^bb0(%b: tensor<1x9x4xf32>, %s: tensor<1x1x9xf32>):
    %count = nn.constant dense<9> : tensor<i64>
    %iou = nn.constant dense<0.5> : tensor<f32>
    %rows, %values, %valid = nn.non_max_suppression %b, %s, %count, %iou : (tensor<1x9x4xf32>, tensor<1x1x9xf32>, tensor<i64>, tensor<f32>) -> (tensor<?x3xi64>, tensor<?x3xf32>, tensor<1xi64>)
    infra.yield %rows : tensor<?x3xi64>
  } else {
  ^bb0(%b: tensor<1x9x4xf32>, %s: tensor<1x1x9xf32>):
    %none = nn.constant dense<"0x"> : tensor<0x3xi64>
    infra.yield %none : tensor<0x3xi64>
  }
  %first = nn.slice %all, %zero, %three, %one, %zero : (tensor<?x3xi64>, tensor<1xi64>, tensor<1xi64>, tensor<1xi64>, tensor<1xi64>) -> tensor<?x3xi64>
  func.return %first : tensor<?x3xi64>
}
// -----
// Nearest misses: the slice takes the last rows; another reader takes all; the number of rows is a result.
// CHECK-LABEL: @last_rows
// CHECK-NOT: dense<3> : tensor<i64>
func.func @last_rows(%boxes: tensor<1x9x4xf32>, %scores: tensor<1x1x9xf32>) -> tensor<?x3xi64> {
  %count = nn.constant dense<9> : tensor<i64>
  %iou = nn.constant dense<0.5> : tensor<f32>
  %one = nn.constant dense<[1]> : tensor<1xi64>
  %zero = nn.constant dense<[0]> : tensor<1xi64>
  %three = nn.constant dense<[3]> : tensor<1xi64>
  %rows, %values, %valid = nn.non_max_suppression %boxes, %scores, %count, %iou : (tensor<1x9x4xf32>, tensor<1x1x9xf32>, tensor<i64>, tensor<f32>) -> (tensor<?x3xi64>, tensor<?x3xf32>, tensor<1xi64>)
  %part = nn.slice %rows, %one, %three, %one, %zero : (tensor<?x3xi64>, tensor<1xi64>, tensor<1xi64>, tensor<1xi64>, tensor<1xi64>) -> tensor<?x3xi64>
  func.return %part : tensor<?x3xi64>
}
// CHECK-LABEL: @all_rows
// CHECK-NOT: dense<3> : tensor<i64>
func.func @all_rows(%boxes: tensor<1x9x4xf32>, %scores: tensor<1x1x9xf32>) -> (tensor<?x3xi64>, tensor<?x3xf32>) {
  %count = nn.constant dense<9> : tensor<i64>
  %iou = nn.constant dense<0.5> : tensor<f32>
  %one = nn.constant dense<[1]> : tensor<1xi64>
  %zero = nn.constant dense<[0]> : tensor<1xi64>
  %three = nn.constant dense<[3]> : tensor<1xi64>
  %rows, %values, %valid = nn.non_max_suppression %boxes, %scores, %count, %iou : (tensor<1x9x4xf32>, tensor<1x1x9xf32>, tensor<i64>, tensor<f32>) -> (tensor<?x3xi64>, tensor<?x3xf32>, tensor<1xi64>)
  %part = nn.slice %rows, %zero, %three, %one, %zero : (tensor<?x3xi64>, tensor<1xi64>, tensor<1xi64>, tensor<1xi64>, tensor<1xi64>) -> tensor<?x3xi64>
  func.return %part, %values : tensor<?x3xi64>, tensor<?x3xf32>
}
// CHECK-LABEL: @number_of_rows
// CHECK-NOT: dense<3> : tensor<i64>
func.func @number_of_rows(%boxes: tensor<1x9x4xf32>, %scores: tensor<1x1x9xf32>) -> (tensor<?x3xi64>, tensor<1xi64>) {
  %count = nn.constant dense<9> : tensor<i64>
  %iou = nn.constant dense<0.5> : tensor<f32>
  %one = nn.constant dense<[1]> : tensor<1xi64>
  %zero = nn.constant dense<[0]> : tensor<1xi64>
  %three = nn.constant dense<[3]> : tensor<1xi64>
  %rows, %values, %valid = nn.non_max_suppression %boxes, %scores, %count, %iou : (tensor<1x9x4xf32>, tensor<1x1x9xf32>, tensor<i64>, tensor<f32>) -> (tensor<?x3xi64>, tensor<?x3xf32>, tensor<1xi64>)
  %part = nn.slice %rows, %zero, %three, %one, %zero : (tensor<?x3xi64>, tensor<1xi64>, tensor<1xi64>, tensor<1xi64>, tensor<1xi64>) -> tensor<?x3xi64>
  func.return %part, %valid : tensor<?x3xi64>, tensor<1xi64>
}
