// What operations of detectors refuse, and how they say so.
// RUN: opt-tool %s --split-input-file --verify-diagnostics

func.func @f(%b: tensor<1x5x4xf32>, %s: tensor<1x2x6xf32>) {
  // expected-error@below {{nn.non_max_suppression: takes boxes [batch, box, 4] and scores [batch, class, box], not [1, 5, 4] and [1, 2, 6]}}
  %i, %v, %n = nn.non_max_suppression %b, %s : (tensor<1x5x4xf32>, tensor<1x2x6xf32>) -> (tensor<?x3xi64>, tensor<?x3xf32>, tensor<1xi64>)
  func.return
}
// -----
func.func @f(%b: tensor<1x5x4xf32>, %s: tensor<1x2x5xf32>) {
  // expected-error@below {{nn.non_max_suppression: box_encoding 'edges' is not supported; use 'corner' or 'center'}}
  %i, %v, %n = nn.non_max_suppression %b, %s {box_encoding = "edges"} : (tensor<1x5x4xf32>, tensor<1x2x5xf32>) -> (tensor<?x3xi64>, tensor<?x3xf32>, tensor<1xi64>)
  func.return
}
// -----
func.func @f(%b: tensor<1x5x4xf32>, %s: tensor<1x2x5xf32>) {
  // expected-error@below {{nn.select_boxes: max_output 6 is not between 0 and the 5 boxes}}
  %n, %v = nn.select_boxes %b, %s {max_output = 6 : i64, iou_threshold = 0.5 : f64, score_threshold = 0.1 : f64} : (tensor<1x5x4xf32>, tensor<1x2x5xf32>) -> (tensor<1x2x6xi32>, tensor<1x2x6xf32>)
  func.return
}
// -----
func.func @f(%b: tensor<1x5x4xf32>, %s: tensor<1x2x5xf32>) {
  // expected-error@below {{nn.select_boxes: soft_nms_sigma -1.0 is below 0; use 0 for none}}
  %n, %v = nn.select_boxes %b, %s {max_output = 3 : i64, iou_threshold = 0.5 : f64, score_threshold = 0.1 : f64, soft_nms_sigma = -1.0 : f64} : (tensor<1x5x4xf32>, tensor<1x2x5xf32>) -> (tensor<1x2x3xi32>, tensor<1x2x3xf32>)
  func.return
}
// -----
func.func @f(%b: tensor<1x5x4xf32>, %s: tensor<1x2x5xf32>, %c: tensor<2xi64>) {
  // expected-error@below {{nn.non_max_suppression: at most four scalars follow the scores: a count, two thresholds and a sigma}}
  %i, %v, %n = nn.non_max_suppression %b, %s, %c : (tensor<1x5x4xf32>, tensor<1x2x5xf32>, tensor<2xi64>) -> (tensor<?x3xi64>, tensor<?x3xf32>, tensor<1xi64>)
  func.return
}
// -----
func.func @f(%b: tensor<1x5x4xf32>, %s: tensor<1x0x5xf32>) {
  // expected-error@below {{nn.non_max_suppression: scores [1, 0, 5] are none}}
  %i, %v, %n = nn.non_max_suppression %b, %s : (tensor<1x5x4xf32>, tensor<1x0x5xf32>) -> (tensor<?x3xi64>, tensor<?x3xf32>, tensor<1xi64>)
  func.return
}
// -----
func.func @f(%b: tensor<1x5x4xf32>, %s: tensor<1x2x5xf32>) {
  // expected-error@below {{nn.multiclass_nms: a threshold that changes (nms_eta 0.5) is not supported; use 1}}
  %r, %i, %n = nn.multiclass_nms %b, %s {nms_eta = 0.5 : f64} : (tensor<1x5x4xf32>, tensor<1x2x5xf32>) -> (tensor<?x6xf32>, tensor<?x1xi64>, tensor<1xi64>)
  func.return
}
// -----
func.func @f(%b: tensor<0x5x4xf32>, %s: tensor<0x5xf32>, %n: tensor<1xi64>) {
  // expected-error@below {{nn.multiclass_nms: takes scores [class, box] and numbers [batch] of boxes, not [0, 5] and [1]}}
  %o, %i, %c = nn.multiclass_nms %b, %s, %n : (tensor<0x5x4xf32>, tensor<0x5xf32>, tensor<1xi64>) -> (tensor<?x6xf32>, tensor<?x1xi64>, tensor<1xi64>)
  func.return
}
// -----
func.func @f(%b: tensor<1x5x4xf32>, %s: tensor<1x2x5xf32>) {
  // expected-error@below {{nn.matrix_nms: nms_top_k 0 keeps nothing; use -1 for all}}
  %r, %i, %n = nn.matrix_nms %b, %s {nms_top_k = 0 : i64} : (tensor<1x5x4xf32>, tensor<1x2x5xf32>) -> (tensor<?x6xf32>, tensor<?x1xi64>, tensor<1xi64>)
  func.return
}
// -----
func.func @f(%s: tensor<1x4x2x3xf32>, %d: tensor<1x8x2x4xf32>, %i: tensor<3xf32>) {
  // expected-error@below {{nn.proposal: takes scores [image, 4, row, column], deltas [image, 8, row, column] and an image [3 or 4], not [1, 4, 2, 3], [1, 8, 2, 4] and [3]}}
  %r, %p = nn.proposal %s, %d, %i {base_size = 4 : i64, pre_nms_topn = 9 : i64, post_nms_topn = 4 : i64, nms_thresh = 0.5 : f64, feat_stride = 2 : i64, min_size = 1 : i64, ratio = [0.5, 2.0], scale = [1.0]} : (tensor<1x4x2x3xf32>, tensor<1x8x2x4xf32>, tensor<3xf32>) -> (tensor<4x5xf32>, tensor<4xf32>)
  func.return
}
// -----
func.func @f(%s: tensor<1x4x2x3xf32>, %d: tensor<1x8x2x3xf32>, %i: tensor<3xf32>) {
  // expected-error@below {{nn.proposal: 0 boxes are none; use 1 or more}}
  %r, %p = nn.proposal %s, %d, %i {base_size = 4 : i64, pre_nms_topn = 0 : i64, post_nms_topn = 4 : i64, nms_thresh = 0.5 : f64, feat_stride = 2 : i64, min_size = 1 : i64, ratio = [0.5, 2.0], scale = [1.0]} : (tensor<1x4x2x3xf32>, tensor<1x8x2x3xf32>, tensor<3xf32>) -> (tensor<4x5xf32>, tensor<4xf32>)
  func.return
}
// -----
func.func @f(%i: tensor<2x3xf32>, %a: tensor<2x3x2x4xf32>, %d: tensor<2x8x2x3xf32>, %s: tensor<2x3x2x3xf32>) {
  // expected-error@below {{nn.generate_proposals: takes images [image, 3 or 4], anchors [row, column, anchor, 4], deltas [image, anchor * 4, row, column] and scores [image, anchor, row, column], not [2, 3], [2, 3, 2, 4], [2, 8, 2, 3], [2, 3, 2, 3]}}
  %r, %p, %c = nn.generate_proposals %i, %a, %d, %s {min_size = 0.1 : f64, nms_threshold = 0.5 : f64, pre_nms_count = 9 : i64, post_nms_count = 4 : i64} : (tensor<2x3xf32>, tensor<2x3x2x4xf32>, tensor<2x8x2x3xf32>, tensor<2x3x2x3xf32>) -> (tensor<?x4xf32>, tensor<?xf32>, tensor<2xi64>)
  func.return
}
// -----
func.func @f(%b: tensor<2x24xf32>, %s: tensor<2x19xf32>, %p: tensor<1x2x24xf32>) {
  // expected-error@below {{nn.detection_output: operands [2, 24], [2, 19], [1, 2, 24] are not logits, scores and priors of as many boxes}}
  %y = nn.detection_output %b, %s, %p {keep_top_k = array<i64: 5>, nms_threshold = 0.4 : f64, normalized = true} : (tensor<2x24xf32>, tensor<2x19xf32>, tensor<1x2x24xf32>) -> tensor<1x1x10x7xf32>
  func.return
}
// -----
func.func @f(%b: tensor<2x24xf32>, %s: tensor<2x18xf32>, %p: tensor<1x2x24xf32>) {
  // expected-error@below {{nn.detection_output: decrease_label_id goes with background_label_id 0, not 1}}
  %y = nn.detection_output %b, %s, %p {keep_top_k = array<i64: 5>, nms_threshold = 0.4 : f64, normalized = true, decrease_label_id = true, background_label_id = 1 : i64} : (tensor<2x24xf32>, tensor<2x18xf32>, tensor<1x2x24xf32>) -> tensor<1x1x10x7xf32>
  func.return
}
// -----
func.func @f(%r: tensor<5x4xf32>, %x: tensor<1x2x8x8xf32>) {
  // expected-error@below {{nn.experimental_detectron_roi_feature_extractor: needs images, a scale for each, and an output_size; has 1 images, 2 scales and 2}}
  %y, %s = nn.experimental_detectron_roi_feature_extractor %r, %x {output_size = 2 : i64, sampling_ratio = 2 : i64, pyramid_scales = array<i64: 4, 8>} : (tensor<5x4xf32>, tensor<1x2x8x8xf32>) -> (tensor<5x2x2x2xf32>, tensor<5x4xf32>)
  func.return
}
