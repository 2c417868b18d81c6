builtin.module attributes {tf.versions = {bad_consumers = [], min_consumer = 0 : i32, producer = 2474 : i32}} {
  func.func @__inference_flat_167(%arg0: tensor<1x6x5x4xf32> {tf._user_specified_name = "x"}) -> (tensor<1x6x5x4xf32>, tensor<1x6x5x4xf32>, tensor<1x3x2x4xf32>, tensor<1x3x2x4xf32>, tensor<1x4x4x4xf32>, tensor<1x4x4x4xf32>, tensor<1x2x2x4xf32>, tensor<1x2x2x4xf32>, tensor<1x7x5x4xf32>, tensor<1x4x2x4xf32>, tensor<1x4x6x3xf32>, tensor<1x4x6x3xf32>, tensor<1x4x5x2xf32>, tensor<1x4x5x2xf32>) attributes {allow_soft_placement = false, tf.entry_function = {control_outputs = "", inputs = "x", outputs = "identity_RetVal,identity_1_RetVal,identity_2_RetVal,identity_3_RetVal,identity_4_RetVal,identity_5_RetVal,identity_6_RetVal,identity_7_RetVal,identity_8_RetVal,identity_9_RetVal,identity_10_RetVal,identity_11_RetVal,identity_12_RetVal,identity_13_RetVal"}} {
    %cst = "tf.Const"() <{value = dense<[0, 3, 1, 2]> : tensor<4xi32>}> {device = ""} : () -> tensor<4xi32>
    %0 = "tf.AvgPool"(%arg0) <{data_format = "NHWC", ksize = [1 : i64, 3 : i64, 2 : i64, 1 : i64], padding = "SAME", strides = [1 : i64, 1 : i64, 1 : i64, 1 : i64]}> {device = ""} : (tensor<1x6x5x4xf32>) -> tensor<1x6x5x4xf32>
    %1 = "tf.Identity"(%0) {device = ""} : (tensor<1x6x5x4xf32>) -> tensor<1x6x5x4xf32>
    %2 = "tf.AvgPool"(%arg0) <{data_format = "NHWC", ksize = [1 : i64, 3 : i64, 2 : i64, 1 : i64], padding = "SAME", strides = [1 : i64, 2 : i64, 3 : i64, 1 : i64]}> {device = ""} : (tensor<1x6x5x4xf32>) -> tensor<1x3x2x4xf32>
    %3 = "tf.Identity"(%2) {device = ""} : (tensor<1x3x2x4xf32>) -> tensor<1x3x2x4xf32>
    %4 = "tf.AvgPool"(%arg0) <{data_format = "NHWC", ksize = [1 : i64, 3 : i64, 2 : i64, 1 : i64], padding = "VALID", strides = [1 : i64, 1 : i64, 1 : i64, 1 : i64]}> {device = ""} : (tensor<1x6x5x4xf32>) -> tensor<1x4x4x4xf32>
    %5 = "tf.Identity"(%4) {device = ""} : (tensor<1x4x4x4xf32>) -> tensor<1x4x4x4xf32>
    %6 = "tf.AvgPool"(%arg0) <{data_format = "NHWC", ksize = [1 : i64, 3 : i64, 2 : i64, 1 : i64], padding = "VALID", strides = [1 : i64, 2 : i64, 3 : i64, 1 : i64]}> {device = ""} : (tensor<1x6x5x4xf32>) -> tensor<1x2x2x4xf32>
    %7 = "tf.Identity"(%6) {device = ""} : (tensor<1x2x2x4xf32>) -> tensor<1x2x2x4xf32>
    %8 = "tf.MaxPool"(%arg0) <{data_format = "NHWC", explicit_paddings = [], ksize = [1 : i64, 3 : i64, 2 : i64, 1 : i64], padding = "SAME", strides = [1 : i64, 1 : i64, 1 : i64, 1 : i64]}> {device = ""} : (tensor<1x6x5x4xf32>) -> tensor<1x6x5x4xf32>
    %9 = "tf.Identity"(%8) {device = ""} : (tensor<1x6x5x4xf32>) -> tensor<1x6x5x4xf32>
    %10 = "tf.MaxPool"(%arg0) <{data_format = "NHWC", explicit_paddings = [], ksize = [1 : i64, 3 : i64, 2 : i64, 1 : i64], padding = "SAME", strides = [1 : i64, 2 : i64, 3 : i64, 1 : i64]}> {device = ""} : (tensor<1x6x5x4xf32>) -> tensor<1x3x2x4xf32>
    %11 = "tf.Identity"(%10) {device = ""} : (tensor<1x3x2x4xf32>) -> tensor<1x3x2x4xf32>
    %12 = "tf.MaxPool"(%arg0) <{data_format = "NHWC", explicit_paddings = [], ksize = [1 : i64, 3 : i64, 2 : i64, 1 : i64], padding = "VALID", strides = [1 : i64, 1 : i64, 1 : i64, 1 : i64]}> {device = ""} : (tensor<1x6x5x4xf32>) -> tensor<1x4x4x4xf32>
    %13 = "tf.Identity"(%12) {device = ""} : (tensor<1x4x4x4xf32>) -> tensor<1x4x4x4xf32>
    %14 = "tf.MaxPool"(%arg0) <{data_format = "NHWC", explicit_paddings = [], ksize = [1 : i64, 3 : i64, 2 : i64, 1 : i64], padding = "VALID", strides = [1 : i64, 2 : i64, 3 : i64, 1 : i64]}> {device = ""} : (tensor<1x6x5x4xf32>) -> tensor<1x2x2x4xf32>
    %15 = "tf.Identity"(%14) {device = ""} : (tensor<1x2x2x4xf32>) -> tensor<1x2x2x4xf32>
    %16 = "tf.MaxPool"(%arg0) <{data_format = "NHWC", explicit_paddings = [0 : i64, 0 : i64, 1 : i64, 2 : i64, 0 : i64, 1 : i64, 0 : i64, 0 : i64], ksize = [1 : i64, 3 : i64, 2 : i64, 1 : i64], padding = "EXPLICIT", strides = [1 : i64, 1 : i64, 1 : i64, 1 : i64]}> {device = ""} : (tensor<1x6x5x4xf32>) -> tensor<1x7x5x4xf32>
    %17 = "tf.Identity"(%16) {device = ""} : (tensor<1x7x5x4xf32>) -> tensor<1x7x5x4xf32>
    %18 = "tf.MaxPool"(%arg0) <{data_format = "NHWC", explicit_paddings = [0 : i64, 0 : i64, 1 : i64, 2 : i64, 0 : i64, 1 : i64, 0 : i64, 0 : i64], ksize = [1 : i64, 3 : i64, 2 : i64, 1 : i64], padding = "EXPLICIT", strides = [1 : i64, 2 : i64, 3 : i64, 1 : i64]}> {device = ""} : (tensor<1x6x5x4xf32>) -> tensor<1x4x2x4xf32>
    %19 = "tf.Identity"(%18) {device = ""} : (tensor<1x4x2x4xf32>) -> tensor<1x4x2x4xf32>
    %20 = "tf.Transpose"(%arg0, %cst) {device = ""} : (tensor<1x6x5x4xf32>, tensor<4xi32>) -> tensor<1x4x6x5xf32>
    %21 = "tf.MaxPool"(%20) <{data_format = "NCHW", explicit_paddings = [], ksize = [1 : i64, 1 : i64, 2 : i64, 3 : i64], padding = "SAME", strides = [1 : i64, 1 : i64, 1 : i64, 2 : i64]}> {device = ""} : (tensor<1x4x6x5xf32>) -> tensor<1x4x6x3xf32>
    %22 = "tf.Identity"(%21) {device = ""} : (tensor<1x4x6x3xf32>) -> tensor<1x4x6x3xf32>
    %23 = "tf.AvgPool"(%20) <{data_format = "NCHW", ksize = [1 : i64, 1 : i64, 2 : i64, 3 : i64], padding = "SAME", strides = [1 : i64, 1 : i64, 1 : i64, 2 : i64]}> {device = ""} : (tensor<1x4x6x5xf32>) -> tensor<1x4x6x3xf32>
    %24 = "tf.Identity"(%23) {device = ""} : (tensor<1x4x6x3xf32>) -> tensor<1x4x6x3xf32>
    %25 = "tf.MaxPool"(%20) <{data_format = "NCHW", explicit_paddings = [], ksize = [1 : i64, 1 : i64, 2 : i64, 3 : i64], padding = "VALID", strides = [1 : i64, 1 : i64, 1 : i64, 2 : i64]}> {device = ""} : (tensor<1x4x6x5xf32>) -> tensor<1x4x5x2xf32>
    %26 = "tf.Identity"(%25) {device = ""} : (tensor<1x4x5x2xf32>) -> tensor<1x4x5x2xf32>
    %27 = "tf.AvgPool"(%20) <{data_format = "NCHW", ksize = [1 : i64, 1 : i64, 2 : i64, 3 : i64], padding = "VALID", strides = [1 : i64, 1 : i64, 1 : i64, 2 : i64]}> {device = ""} : (tensor<1x4x6x5xf32>) -> tensor<1x4x5x2xf32>
    %28 = "tf.Identity"(%27) {device = ""} : (tensor<1x4x5x2xf32>) -> tensor<1x4x5x2xf32>
    func.return %9, %1, %11, %3, %13, %5, %15, %7, %17, %19, %22, %24, %26, %28 : tensor<1x6x5x4xf32>, tensor<1x6x5x4xf32>, tensor<1x3x2x4xf32>, tensor<1x3x2x4xf32>, tensor<1x4x4x4xf32>, tensor<1x4x4x4xf32>, tensor<1x2x2x4xf32>, tensor<1x2x2x4xf32>, tensor<1x7x5x4xf32>, tensor<1x4x2x4xf32>, tensor<1x4x6x3xf32>, tensor<1x4x6x3xf32>, tensor<1x4x5x2xf32>, tensor<1x4x5x2xf32>
  }
}
