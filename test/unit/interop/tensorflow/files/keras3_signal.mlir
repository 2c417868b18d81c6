builtin.module attributes {tf.versions = {bad_consumers = [], min_consumer = 0 : i32, producer = 2474 : i32}} {
  func.func @__inference_call_6324(%arg0: tensor<2x9x3xf32> {tf._user_specified_name = "x"}, %arg1: tensor<!tf_type.resource<tensor<2x3x4xf32>>> {tf._user_specified_name = "resource", tf_saved_model.bound_input = @"conv1d/kernel"}, %arg2: tensor<!tf_type.resource<tensor<4xf32>>> {tf._user_specified_name = "resource", tf_saved_model.bound_input = @"conv1d/bias"}, %arg3: tensor<!tf_type.resource<tensor<3x4x1xf32>>> {tf._user_specified_name = "resource", tf_saved_model.bound_input = @"depthwise_conv1d/kernel"}, %arg4: tensor<!tf_type.resource<tensor<4xf32>>> {tf._user_specified_name = "resource", tf_saved_model.bound_input = @"depthwise_conv1d/bias"}, %arg5: tensor<!tf_type.resource<tensor<4xf32>>> {tf._user_specified_name = "resource", tf_saved_model.bound_input = @"layer_normalization/gamma"}, %arg6: tensor<!tf_type.resource<tensor<4xf32>>> {tf._user_specified_name = "resource", tf_saved_model.bound_input = @"layer_normalization/beta"}) -> tensor<2x4xf32> attributes {allow_soft_placement = false, tf.entry_function = {control_outputs = "functional_4_1/conv1d_1/convolution/ExpandDims_1/ReadVariableOp,functional_4_1/conv1d_1/Reshape/ReadVariableOp,functional_4_1/depthwise_conv1d_1/ExpandDims_1/ReadVariableOp,functional_4_1/depthwise_conv1d_1/Reshape/ReadVariableOp,functional_4_1/layer_normalization_1/Reshape/ReadVariableOp,functional_4_1/layer_normalization_1/Reshape_1/ReadVariableOp", inputs = "x,functional_4_1_conv1d_1_convolution_expanddims_1_readvariableop_resource,functional_4_1_conv1d_1_reshape_readvariableop_resource,functional_4_1_depthwise_conv1d_1_expanddims_1_readvariableop_resource,functional_4_1_depthwise_conv1d_1_reshape_readvariableop_resource,functional_4_1_layer_normalization_1_reshape_readvariableop_resource,functional_4_1_layer_normalization_1_reshape_1_readvariableop_resource", outputs = "identity_RetVal"}} {
    %cst = "tf.Const"() <{value = dense<[[0, 0], [2, 0], [0, 0]]> : tensor<3x2xi32>}> {device = ""} : () -> tensor<3x2xi32>
    %cst_1 = "tf.Const"() <{value = dense<[1, 1, 4]> : tensor<3xi32>}> {device = ""} : () -> tensor<3xi32>
    %cst_2 = "tf.Const"() <{value = dense<2> : tensor<1xi32>}> {device = ""} : () -> tensor<1xi32>
    %cst_3 = "tf.Const"() <{value = dense<[[0, 1]]> : tensor<1x2xi32>}> {device = ""} : () -> tensor<1x2xi32>
    %cst_4 = "tf.Const"() <{value = dense<-3> : tensor<i32>}> {device = ""} : () -> tensor<i32>
    %cst_5 = "tf.Const"() <{value = dense<0> : tensor<i32>}> {device = ""} : () -> tensor<i32>
    %cst_6 = "tf.Const"() <{value = dense<1> : tensor<i32>}> {device = ""} : () -> tensor<i32>
    %cst_7 = "tf.Const"() <{value = dense<1.000000e-03> : tensor<f32>}> {device = ""} : () -> tensor<f32>
    %cst_8 = "tf.Const"() <{value = dense<-1> : tensor<1xi32>}> {device = ""} : () -> tensor<1xi32>
    %0 = "tf.ReadVariableOp"(%arg1) {device = ""} : (tensor<!tf_type.resource<tensor<2x3x4xf32>>>) -> tensor<2x3x4xf32>
    %1 = "tf.ExpandDims"(%0, %cst_5) {device = ""} : (tensor<2x3x4xf32>, tensor<i32>) -> tensor<1x2x3x4xf32>
    %2 = "tf.ReadVariableOp"(%arg2) {device = ""} : (tensor<!tf_type.resource<tensor<4xf32>>>) -> tensor<4xf32>
    %3 = "tf.Reshape"(%2, %cst_1) {device = ""} : (tensor<4xf32>, tensor<3xi32>) -> tensor<1x1x4xf32>
    %4 = "tf.Squeeze"(%3) <{squeeze_dims = []}> {device = ""} : (tensor<1x1x4xf32>) -> tensor<4xf32>
    %5 = "tf.ReadVariableOp"(%arg3) {device = ""} : (tensor<!tf_type.resource<tensor<3x4x1xf32>>>) -> tensor<3x4x1xf32>
    %6 = "tf.ExpandDims"(%5, %cst_5) {device = ""} : (tensor<3x4x1xf32>, tensor<i32>) -> tensor<1x3x4x1xf32>
    %7 = "tf.ReadVariableOp"(%arg4) {device = ""} : (tensor<!tf_type.resource<tensor<4xf32>>>) -> tensor<4xf32>
    %8 = "tf.Reshape"(%7, %cst_1) {device = ""} : (tensor<4xf32>, tensor<3xi32>) -> tensor<1x1x4xf32>
    %9 = "tf.Squeeze"(%8) <{squeeze_dims = []}> {device = ""} : (tensor<1x1x4xf32>) -> tensor<4xf32>
    %10 = "tf.ReadVariableOp"(%arg6) {device = ""} : (tensor<!tf_type.resource<tensor<4xf32>>>) -> tensor<4xf32>
    %11 = "tf.Reshape"(%10, %cst_1) {device = ""} : (tensor<4xf32>, tensor<3xi32>) -> tensor<1x1x4xf32>
    %12 = "tf.ReadVariableOp"(%arg5) {device = ""} : (tensor<!tf_type.resource<tensor<4xf32>>>) -> tensor<4xf32>
    %13 = "tf.Reshape"(%12, %cst_1) {device = ""} : (tensor<4xf32>, tensor<3xi32>) -> tensor<1x1x4xf32>
    %14 = "tf.Pad"(%arg0, %cst) {device = ""} : (tensor<2x9x3xf32>, tensor<3x2xi32>) -> tensor<2x11x3xf32>
    %15 = "tf.SpaceToBatchND"(%14, %cst_2, %cst_3) {device = ""} : (tensor<2x11x3xf32>, tensor<1xi32>, tensor<1x2xi32>) -> tensor<4x6x3xf32>
    %16 = "tf.ExpandDims"(%15, %cst_4) {device = ""} : (tensor<4x6x3xf32>, tensor<i32>) -> tensor<4x1x6x3xf32>
    %17 = "tf.Conv2D"(%16, %1) <{data_format = "NHWC", dilations = [1 : i64, 1 : i64, 1 : i64, 1 : i64], explicit_paddings = [], padding = "VALID", strides = [1 : i64, 1 : i64, 1 : i64, 1 : i64], use_cudnn_on_gpu = true}> {device = ""} : (tensor<4x1x6x3xf32>, tensor<1x2x3x4xf32>) -> tensor<4x1x5x4xf32>
    %18 = "tf.Squeeze"(%17) <{squeeze_dims = [-3 : i64]}> {device = ""} : (tensor<4x1x5x4xf32>) -> tensor<4x5x4xf32>
    %19 = "tf.BatchToSpaceND"(%18, %cst_2, %cst_3) {device = ""} : (tensor<4x5x4xf32>, tensor<1xi32>, tensor<1x2xi32>) -> tensor<2x9x4xf32>
    %20 = "tf.BiasAdd"(%19, %4) <{data_format = "NHWC"}> {device = ""} : (tensor<2x9x4xf32>, tensor<4xf32>) -> tensor<2x9x4xf32>
    %21 = "tf.Tanh"(%20) {device = ""} : (tensor<2x9x4xf32>) -> tensor<2x9x4xf32>
    %22 = "tf.ExpandDims"(%21, %cst_6) {device = ""} : (tensor<2x9x4xf32>, tensor<i32>) -> tensor<2x1x9x4xf32>
    %23 = "tf.DepthwiseConv2dNative"(%22, %6) <{data_format = "NHWC", dilations = [1 : i64, 1 : i64, 1 : i64, 1 : i64], explicit_paddings = [], padding = "SAME", strides = [1 : i64, 1 : i64, 1 : i64, 1 : i64]}> {device = ""} : (tensor<2x1x9x4xf32>, tensor<1x3x4x1xf32>) -> tensor<2x1x9x4xf32>
    %24 = "tf.Squeeze"(%23) <{squeeze_dims = [1 : i64]}> {device = ""} : (tensor<2x1x9x4xf32>) -> tensor<2x9x4xf32>
    %25 = "tf.BiasAdd"(%24, %9) <{data_format = "NHWC"}> {device = ""} : (tensor<2x9x4xf32>, tensor<4xf32>) -> tensor<2x9x4xf32>
    %26 = "tf.ExpandDims"(%25, %cst_6) {device = ""} : (tensor<2x9x4xf32>, tensor<i32>) -> tensor<2x1x9x4xf32>
    %27 = "tf.MaxPool"(%26) <{data_format = "NHWC", explicit_paddings = [], ksize = [1 : i64, 1 : i64, 2 : i64, 1 : i64], padding = "VALID", strides = [1 : i64, 1 : i64, 2 : i64, 1 : i64]}> {device = ""} : (tensor<2x1x9x4xf32>) -> tensor<2x1x4x4xf32>
    %28 = "tf.Squeeze"(%27) <{squeeze_dims = [1 : i64]}> {device = ""} : (tensor<2x1x4x4xf32>) -> tensor<2x4x4xf32>
    %29 = "tf.Mean"(%28, %cst_8) <{keep_dims = true}> {device = ""} : (tensor<2x4x4xf32>, tensor<1xi32>) -> tensor<2x4x1xf32>
    %30 = "tf.Neg"(%29) {device = ""} : (tensor<2x4x1xf32>) -> tensor<2x4x1xf32>
    %31 = "tf.StopGradient"(%29) {device = ""} : (tensor<2x4x1xf32>) -> tensor<2x4x1xf32>
    %32 = "tf.SquaredDifference"(%28, %31) {device = ""} : (tensor<2x4x4xf32>, tensor<2x4x1xf32>) -> tensor<2x4x4xf32>
    %33 = "tf.Mean"(%32, %cst_8) <{keep_dims = true}> {device = ""} : (tensor<2x4x4xf32>, tensor<1xi32>) -> tensor<2x4x1xf32>
    %34 = "tf.AddV2"(%33, %cst_7) {device = ""} : (tensor<2x4x1xf32>, tensor<f32>) -> tensor<2x4x1xf32>
    %35 = "tf.Rsqrt"(%34) {device = ""} : (tensor<2x4x1xf32>) -> tensor<2x4x1xf32>
    %36 = "tf.Mul"(%35, %13) {device = ""} : (tensor<2x4x1xf32>, tensor<1x1x4xf32>) -> tensor<2x4x4xf32>
    %37 = "tf.Mul"(%30, %36) {device = ""} : (tensor<2x4x1xf32>, tensor<2x4x4xf32>) -> tensor<2x4x4xf32>
    %38 = "tf.AddV2"(%37, %11) {device = ""} : (tensor<2x4x4xf32>, tensor<1x1x4xf32>) -> tensor<2x4x4xf32>
    %39 = "tf.Mul"(%28, %36) {device = ""} : (tensor<2x4x4xf32>, tensor<2x4x4xf32>) -> tensor<2x4x4xf32>
    %40 = "tf.AddV2"(%39, %38) {device = ""} : (tensor<2x4x4xf32>, tensor<2x4x4xf32>) -> tensor<2x4x4xf32>
    %41 = "tf.Max"(%40, %cst_6) <{keep_dims = false}> {device = ""} : (tensor<2x4x4xf32>, tensor<i32>) -> tensor<2x4xf32>
    %42 = "tf.Identity"(%41) {device = ""} : (tensor<2x4xf32>) -> tensor<2x4xf32>
    func.return %42 : tensor<2x4xf32>
  }
  "tf_saved_model.global_tensor"() {sym_name = "conv1d/kernel", type = tensor<2x3x4xf32>, value = #nn.blob<dense<[[[-0.23905456, 0.3009709, 0.59431505, -0.22319248], [-0.14700079, 0.022004247, -0.26838386, 0.2025351], [0.09980261, 0.58534956, 0.5843893, -0.10636181]], [[-0.07576418, -0.62809044, -0.5657307, -0.6022855], [-0.2441341, -0.41371894, 0.45013928, 0.07862145], [0.39191544, -0.090023935, 0.382249, 0.026522934]]]> : tensor<2x3x4xf32>>} : () -> ()
  "tf_saved_model.global_tensor"() {sym_name = "conv1d/bias", type = tensor<4xf32>, value = #nn.blob<dense<0.0> : tensor<4xf32>>} : () -> ()
  "tf_saved_model.global_tensor"() {sym_name = "depthwise_conv1d/kernel", type = tensor<3x4x1xf32>, value = #nn.blob<dense<[[[0.54198486], [0.47966784], [-0.40447816], [0.068487525]], [[0.48064417], [-0.21990848], [-0.09566277], [-0.2370511]], [[0.13033819], [0.18528622], [-0.0783155], [-0.36471704]]]> : tensor<3x4x1xf32>>} : () -> ()
  "tf_saved_model.global_tensor"() {sym_name = "depthwise_conv1d/bias", type = tensor<4xf32>, value = #nn.blob<dense<0.0> : tensor<4xf32>>} : () -> ()
  "tf_saved_model.global_tensor"() {sym_name = "layer_normalization/gamma", type = tensor<4xf32>, value = #nn.blob<dense<1.0> : tensor<4xf32>>} : () -> ()
  "tf_saved_model.global_tensor"() {sym_name = "layer_normalization/beta", type = tensor<4xf32>, value = #nn.blob<dense<0.0> : tensor<4xf32>>} : () -> ()
}
