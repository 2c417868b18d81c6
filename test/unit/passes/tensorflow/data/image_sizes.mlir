builtin.module attributes {tf.versions = {bad_consumers = [], min_consumer = 0 : i32, producer = 2474 : i32}} {
  func.func @__inference_flat_408(%arg0: tensor<1x6x5x4xf32> {tf._user_specified_name = "x"}) -> (tensor<1x12x9x4xf32>, tensor<1x12x9x4xf32>, tensor<1x3x4x4xf32>, tensor<1x3x4x4xf32>, tensor<1x12x9x4xf32>, tensor<1x12x9x4xf32>, tensor<1x3x4x4xf32>, tensor<1x3x4x4xf32>, tensor<1x12x9x4xf32>, tensor<1x12x9x4xf32>, tensor<1x3x4x4xf32>, tensor<1x3x4x4xf32>, tensor<1x12x10x1xf32>, tensor<1x3x2x16xf32>, tensor<6x4x2x4xf32>, tensor<1x7x5x4xf32>, tensor<1x9x7x4xf32>, tensor<1x9x7x4xf32>) attributes {allow_soft_placement = false, tf.entry_function = {control_outputs = "", inputs = "x", outputs = "identity_RetVal,identity_1_RetVal,identity_2_RetVal,identity_3_RetVal,identity_4_RetVal,identity_5_RetVal,identity_6_RetVal,identity_7_RetVal,identity_8_RetVal,identity_9_RetVal,identity_10_RetVal,identity_11_RetVal,identity_12_RetVal,identity_13_RetVal,identity_14_RetVal,identity_15_RetVal,identity_16_RetVal,identity_17_RetVal"}} {
    %cst = "tf.Const"() <{value = dense<[2, 3]> : tensor<2xi32>}> {device = ""} : () -> tensor<2xi32>
    %cst_1 = "tf.Const"() <{value = dense<[[0, 1], [1, 0]]> : tensor<2x2xi32>}> {device = ""} : () -> tensor<2x2xi32>
    %cst_2 = "tf.Const"() <{value = dense<[[0, 0], [1, 2], [2, 0], [0, 0]]> : tensor<4x2xi32>}> {device = ""} : () -> tensor<4x2xi32>
    %cst_3 = "tf.Const"() <{value = dense<[12, 9]> : tensor<2xi32>}> {device = ""} : () -> tensor<2xi32>
    %cst_4 = "tf.Const"() <{value = dense<[3, 4]> : tensor<2xi32>}> {device = ""} : () -> tensor<2xi32>
    %cst_5 = "tf.Const"() <{value = dense<[[1, 1], [0, 1]]> : tensor<2x2xi32>}> {device = ""} : () -> tensor<2x2xi32>
    %cst_6 = "tf.Const"() <{value = dense<0> : tensor<3xi32>}> {device = ""} : () -> tensor<3xi32>
    %cst_7 = "tf.Const"() <{value = dense<[0, 0, 4]> : tensor<3xi32>}> {device = ""} : () -> tensor<3xi32>
    %cst_8 = "tf.Const"() <{value = dense<1> : tensor<3xi32>}> {device = ""} : () -> tensor<3xi32>
    %0 = "tf.DepthToSpace"(%arg0) <{block_size = 2 : i64, data_format = "NHWC"}> {device = ""} : (tensor<1x6x5x4xf32>) -> tensor<1x12x10x1xf32>
    %1 = "tf.Identity"(%0) {device = ""} : (tensor<1x12x10x1xf32>) -> tensor<1x12x10x1xf32>
    %2 = "tf.MirrorPad"(%arg0, %cst_2) <{mode = "REFLECT"}> {device = ""} : (tensor<1x6x5x4xf32>, tensor<4x2xi32>) -> tensor<1x9x7x4xf32>
    %3 = "tf.Identity"(%2) {device = ""} : (tensor<1x9x7x4xf32>) -> tensor<1x9x7x4xf32>
    %4 = "tf.MirrorPad"(%arg0, %cst_2) <{mode = "SYMMETRIC"}> {device = ""} : (tensor<1x6x5x4xf32>, tensor<4x2xi32>) -> tensor<1x9x7x4xf32>
    %5 = "tf.Identity"(%4) {device = ""} : (tensor<1x9x7x4xf32>) -> tensor<1x9x7x4xf32>
    %6 = "tf.ResizeBilinear"(%arg0, %cst_3) <{align_corners = false, half_pixel_centers = false}> {device = ""} : (tensor<1x6x5x4xf32>, tensor<2xi32>) -> tensor<1x12x9x4xf32>
    %7 = "tf.Identity"(%6) {device = ""} : (tensor<1x12x9x4xf32>) -> tensor<1x12x9x4xf32>
    %8 = "tf.ResizeBilinear"(%arg0, %cst_4) <{align_corners = false, half_pixel_centers = false}> {device = ""} : (tensor<1x6x5x4xf32>, tensor<2xi32>) -> tensor<1x3x4x4xf32>
    %9 = "tf.Identity"(%8) {device = ""} : (tensor<1x3x4x4xf32>) -> tensor<1x3x4x4xf32>
    %10 = "tf.ResizeBilinear"(%arg0, %cst_3) <{align_corners = true, half_pixel_centers = false}> {device = ""} : (tensor<1x6x5x4xf32>, tensor<2xi32>) -> tensor<1x12x9x4xf32>
    %11 = "tf.Identity"(%10) {device = ""} : (tensor<1x12x9x4xf32>) -> tensor<1x12x9x4xf32>
    %12 = "tf.ResizeBilinear"(%arg0, %cst_4) <{align_corners = true, half_pixel_centers = false}> {device = ""} : (tensor<1x6x5x4xf32>, tensor<2xi32>) -> tensor<1x3x4x4xf32>
    %13 = "tf.Identity"(%12) {device = ""} : (tensor<1x3x4x4xf32>) -> tensor<1x3x4x4xf32>
    %14 = "tf.ResizeBilinear"(%arg0, %cst_3) <{align_corners = false, half_pixel_centers = true}> {device = ""} : (tensor<1x6x5x4xf32>, tensor<2xi32>) -> tensor<1x12x9x4xf32>
    %15 = "tf.Identity"(%14) {device = ""} : (tensor<1x12x9x4xf32>) -> tensor<1x12x9x4xf32>
    %16 = "tf.ResizeBilinear"(%arg0, %cst_4) <{align_corners = false, half_pixel_centers = true}> {device = ""} : (tensor<1x6x5x4xf32>, tensor<2xi32>) -> tensor<1x3x4x4xf32>
    %17 = "tf.Identity"(%16) {device = ""} : (tensor<1x3x4x4xf32>) -> tensor<1x3x4x4xf32>
    %18 = "tf.ResizeNearestNeighbor"(%arg0, %cst_3) <{align_corners = false, half_pixel_centers = false}> {device = ""} : (tensor<1x6x5x4xf32>, tensor<2xi32>) -> tensor<1x12x9x4xf32>
    %19 = "tf.Identity"(%18) {device = ""} : (tensor<1x12x9x4xf32>) -> tensor<1x12x9x4xf32>
    %20 = "tf.ResizeNearestNeighbor"(%arg0, %cst_4) <{align_corners = false, half_pixel_centers = false}> {device = ""} : (tensor<1x6x5x4xf32>, tensor<2xi32>) -> tensor<1x3x4x4xf32>
    %21 = "tf.Identity"(%20) {device = ""} : (tensor<1x3x4x4xf32>) -> tensor<1x3x4x4xf32>
    %22 = "tf.ResizeNearestNeighbor"(%arg0, %cst_3) <{align_corners = true, half_pixel_centers = false}> {device = ""} : (tensor<1x6x5x4xf32>, tensor<2xi32>) -> tensor<1x12x9x4xf32>
    %23 = "tf.Identity"(%22) {device = ""} : (tensor<1x12x9x4xf32>) -> tensor<1x12x9x4xf32>
    %24 = "tf.ResizeNearestNeighbor"(%arg0, %cst_4) <{align_corners = true, half_pixel_centers = false}> {device = ""} : (tensor<1x6x5x4xf32>, tensor<2xi32>) -> tensor<1x3x4x4xf32>
    %25 = "tf.Identity"(%24) {device = ""} : (tensor<1x3x4x4xf32>) -> tensor<1x3x4x4xf32>
    %26 = "tf.ResizeNearestNeighbor"(%arg0, %cst_3) <{align_corners = false, half_pixel_centers = true}> {device = ""} : (tensor<1x6x5x4xf32>, tensor<2xi32>) -> tensor<1x12x9x4xf32>
    %27 = "tf.Identity"(%26) {device = ""} : (tensor<1x12x9x4xf32>) -> tensor<1x12x9x4xf32>
    %28 = "tf.ResizeNearestNeighbor"(%arg0, %cst_4) <{align_corners = false, half_pixel_centers = true}> {device = ""} : (tensor<1x6x5x4xf32>, tensor<2xi32>) -> tensor<1x3x4x4xf32>
    %29 = "tf.Identity"(%28) {device = ""} : (tensor<1x3x4x4xf32>) -> tensor<1x3x4x4xf32>
    %30 = "tf.SpaceToBatchND"(%arg0, %cst, %cst_5) {device = ""} : (tensor<1x6x5x4xf32>, tensor<2xi32>, tensor<2x2xi32>) -> tensor<6x4x2x4xf32>
    %31 = "tf.BatchToSpaceND"(%30, %cst, %cst_1) {device = ""} : (tensor<6x4x2x4xf32>, tensor<2xi32>, tensor<2x2xi32>) -> tensor<1x7x5x4xf32>
    %32 = "tf.Identity"(%31) {device = ""} : (tensor<1x7x5x4xf32>) -> tensor<1x7x5x4xf32>
    %33 = "tf.Identity"(%30) {device = ""} : (tensor<6x4x2x4xf32>) -> tensor<6x4x2x4xf32>
    %34 = "tf.StridedSlice"(%arg0, %cst_6, %cst_7, %cst_8) <{begin_mask = 7 : i64, ellipsis_mask = 0 : i64, end_mask = 3 : i64, new_axis_mask = 0 : i64, shrink_axis_mask = 0 : i64}> {device = ""} : (tensor<1x6x5x4xf32>, tensor<3xi32>, tensor<3xi32>, tensor<3xi32>) -> tensor<1x6x4x4xf32>
    %35 = "tf.SpaceToDepth"(%34) <{block_size = 2 : i64, data_format = "NHWC"}> {device = ""} : (tensor<1x6x4x4xf32>) -> tensor<1x3x2x16xf32>
    %36 = "tf.Identity"(%35) {device = ""} : (tensor<1x3x2x16xf32>) -> tensor<1x3x2x16xf32>
    func.return %7, %19, %9, %21, %11, %23, %13, %25, %15, %27, %17, %29, %1, %36, %33, %32, %3, %5 : tensor<1x12x9x4xf32>, tensor<1x12x9x4xf32>, tensor<1x3x4x4xf32>, tensor<1x3x4x4xf32>, tensor<1x12x9x4xf32>, tensor<1x12x9x4xf32>, tensor<1x3x4x4xf32>, tensor<1x3x4x4xf32>, tensor<1x12x9x4xf32>, tensor<1x12x9x4xf32>, tensor<1x3x4x4xf32>, tensor<1x3x4x4xf32>, tensor<1x12x10x1xf32>, tensor<1x3x2x16xf32>, tensor<6x4x2x4xf32>, tensor<1x7x5x4xf32>, tensor<1x9x7x4xf32>, tensor<1x9x7x4xf32>
  }
}
