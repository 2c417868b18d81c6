builtin.module attributes {tf.versions = {bad_consumers = [], min_consumer = 0 : i32, producer = 2474 : i32}} {
  func.func @__inference_call_3095(%arg0: tensor<2x9x3xf32> {tf._user_specified_name = "x"}, %arg1: tensor<!tf_type.resource<tensor<2x3x4xf32>>> {tf._user_specified_name = "resource", tf_saved_model.bound_input = @"conv1d/kernel"}, %arg2: tensor<!tf_type.resource<tensor<4xf32>>> {tf._user_specified_name = "resource", tf_saved_model.bound_input = @"conv1d/bias"}, %arg3: tensor<!tf_type.resource<tensor<3x4x1xf32>>> {tf._user_specified_name = "resource", tf_saved_model.bound_input = @"depthwise_conv1d/depthwise_kernel"}, %arg4: tensor<!tf_type.resource<tensor<4xf32>>> {tf._user_specified_name = "resource", tf_saved_model.bound_input = @"depthwise_conv1d/bias"}, %arg5: tensor<!tf_type.resource<tensor<4xf32>>> {tf._user_specified_name = "resource", tf_saved_model.bound_input = @"layer_normalization/gamma"}, %arg6: tensor<!tf_type.resource<tensor<4xf32>>> {tf._user_specified_name = "resource", tf_saved_model.bound_input = @"layer_normalization/beta"}) -> tensor<2x4xf32> attributes {allow_soft_placement = false, tf.entry_function = {control_outputs = "model_4/conv1d/Conv1D/ExpandDims_1/ReadVariableOp,model_4/conv1d/BiasAdd/ReadVariableOp,model_4/depthwise_conv1d/ExpandDims_1/ReadVariableOp,model_4/depthwise_conv1d/BiasAdd/ReadVariableOp,model_4/layer_normalization/mul/ReadVariableOp,model_4/layer_normalization/add/ReadVariableOp", inputs = "x,model_4_conv1d_conv1d_expanddims_1_readvariableop_resource,model_4_conv1d_biasadd_readvariableop_resource,model_4_depthwise_conv1d_expanddims_1_readvariableop_resource,model_4_depthwise_conv1d_biasadd_readvariableop_resource,model_4_layer_normalization_mul_readvariableop_resource,model_4_layer_normalization_add_readvariableop_resource", outputs = "identity_RetVal"}} {
    %cst = "tf.Const"() <{value = dense<2> : tensor<i32>}> {device = ""} : () -> tensor<i32>
    %cst_1 = "tf.Const"() <{value = dense<2> : tensor<1xi32>}> {device = ""} : () -> tensor<1xi32>
    %cst_2 = "tf.Const"() <{value = dense<[[0, 1]]> : tensor<1x2xi32>}> {device = ""} : () -> tensor<1x2xi32>
    %cst_3 = "tf.Const"() <{value = dense<-3> : tensor<i32>}> {device = ""} : () -> tensor<i32>
    %cst_4 = "tf.Const"() <{value = dense<0> : tensor<i32>}> {device = ""} : () -> tensor<i32>
    %cst_5 = "tf.Const"() <{value = dense<[[0, 0], [2, 0], [0, 0]]> : tensor<3x2xi32>}> {device = ""} : () -> tensor<3x2xi32>
    %cst_6 = "tf.Const"() <{value = dense<1> : tensor<i32>}> {device = ""} : () -> tensor<i32>
    %cst_7 = "tf.Const"() <{value = dense<> : tensor<0xf32>}> {device = ""} : () -> tensor<0xf32>
    %cst_8 = "tf.Const"() <{value = dense<[2, 4, 4]> : tensor<3xi32>}> {device = ""} : () -> tensor<3xi32>
    %cst_9 = "tf.Const"() <{value = dense<1.000000e+00> : tensor<8xf32>}> : () -> tensor<8xf32>
    %cst_10 = "tf.Const"() <{value = dense<[1, 8, 4, 1]> : tensor<4xi32>}> : () -> tensor<4xi32>
    %cst_11 = "tf.Const"() <{value = dense<0.000000e+00> : tensor<8xf32>}> : () -> tensor<8xf32>
    %0 = "tf.ReadVariableOp"(%arg2) {device = ""} : (tensor<!tf_type.resource<tensor<4xf32>>>) -> tensor<4xf32>
    %1 = "tf.ReadVariableOp"(%arg1) {device = ""} : (tensor<!tf_type.resource<tensor<2x3x4xf32>>>) -> tensor<2x3x4xf32>
    %2 = "tf.ExpandDims"(%1, %cst_4) {device = ""} : (tensor<2x3x4xf32>, tensor<i32>) -> tensor<1x2x3x4xf32>
    %3 = "tf.ReadVariableOp"(%arg4) {device = ""} : (tensor<!tf_type.resource<tensor<4xf32>>>) -> tensor<4xf32>
    %4 = "tf.ReadVariableOp"(%arg3) {device = ""} : (tensor<!tf_type.resource<tensor<3x4x1xf32>>>) -> tensor<3x4x1xf32>
    %5 = "tf.ExpandDims"(%4, %cst_4) {device = ""} : (tensor<3x4x1xf32>, tensor<i32>) -> tensor<1x3x4x1xf32>
    %6 = "tf.ReadVariableOp"(%arg6) {device = ""} : (tensor<!tf_type.resource<tensor<4xf32>>>) -> tensor<4xf32>
    %7 = "tf.ReadVariableOp"(%arg5) {device = ""} : (tensor<!tf_type.resource<tensor<4xf32>>>) -> tensor<4xf32>
    %8 = "tf.Pad"(%arg0, %cst_5) {device = ""} : (tensor<2x9x3xf32>, tensor<3x2xi32>) -> tensor<2x11x3xf32>
    %9 = "tf.SpaceToBatchND"(%8, %cst_1, %cst_2) {device = ""} : (tensor<2x11x3xf32>, tensor<1xi32>, tensor<1x2xi32>) -> tensor<4x6x3xf32>
    %10 = "tf.ExpandDims"(%9, %cst_3) {device = ""} : (tensor<4x6x3xf32>, tensor<i32>) -> tensor<4x1x6x3xf32>
    %11 = "tf.Conv2D"(%10, %2) <{data_format = "NHWC", dilations = [1 : i64, 1 : i64, 1 : i64, 1 : i64], explicit_paddings = [], padding = "VALID", strides = [1 : i64, 1 : i64, 1 : i64, 1 : i64], use_cudnn_on_gpu = true}> {device = ""} : (tensor<4x1x6x3xf32>, tensor<1x2x3x4xf32>) -> tensor<4x1x5x4xf32>
    %12 = "tf.Squeeze"(%11) <{squeeze_dims = [-3 : i64]}> {device = ""} : (tensor<4x1x5x4xf32>) -> tensor<4x5x4xf32>
    %13 = "tf.BatchToSpaceND"(%12, %cst_1, %cst_2) {device = ""} : (tensor<4x5x4xf32>, tensor<1xi32>, tensor<1x2xi32>) -> tensor<2x9x4xf32>
    %14 = "tf.BiasAdd"(%13, %0) <{data_format = "NHWC"}> {device = ""} : (tensor<2x9x4xf32>, tensor<4xf32>) -> tensor<2x9x4xf32>
    %15 = "tf.Tanh"(%14) {device = ""} : (tensor<2x9x4xf32>) -> tensor<2x9x4xf32>
    %16 = "tf.ExpandDims"(%15, %cst_6) {device = ""} : (tensor<2x9x4xf32>, tensor<i32>) -> tensor<2x1x9x4xf32>
    %17 = "tf.DepthwiseConv2dNative"(%16, %5) <{data_format = "NHWC", dilations = [1 : i64, 1 : i64, 1 : i64, 1 : i64], explicit_paddings = [], padding = "SAME", strides = [1 : i64, 1 : i64, 1 : i64, 1 : i64]}> {device = ""} : (tensor<2x1x9x4xf32>, tensor<1x3x4x1xf32>) -> tensor<2x1x9x4xf32>
    %18 = "tf.BiasAdd"(%17, %3) <{data_format = "NHWC"}> {device = ""} : (tensor<2x1x9x4xf32>, tensor<4xf32>) -> tensor<2x1x9x4xf32>
    %19 = "tf.Squeeze"(%18) <{squeeze_dims = [1 : i64]}> {device = ""} : (tensor<2x1x9x4xf32>) -> tensor<2x9x4xf32>
    %20 = "tf.ExpandDims"(%19, %cst) {device = ""} : (tensor<2x9x4xf32>, tensor<i32>) -> tensor<2x9x1x4xf32>
    %21 = "tf.MaxPool"(%20) <{data_format = "NHWC", explicit_paddings = [], ksize = [1 : i64, 2 : i64, 1 : i64, 1 : i64], padding = "VALID", strides = [1 : i64, 2 : i64, 1 : i64, 1 : i64]}> {device = ""} : (tensor<2x9x1x4xf32>) -> tensor<2x4x1x4xf32>
    %22 = "tf.Squeeze"(%21) <{squeeze_dims = [2 : i64]}> {device = ""} : (tensor<2x4x1x4xf32>) -> tensor<2x4x4xf32>
    %23 = "tf.Reshape"(%22, %cst_10) {device = ""} : (tensor<2x4x4xf32>, tensor<4xi32>) -> tensor<1x8x4x1xf32>
    %y, %batch_mean, %batch_variance, %reserve_space, %reserve_space_1, %reserve_space_2 = "tf.FusedBatchNormV3"(%23, %cst_9, %cst_11, %cst_7, %cst_7) <{data_format = "NCHW", epsilon = 1.000000e-03 : f32, exponential_avg_factor = 1.000000e+00 : f32, is_training = true}> {device = ""} : (tensor<1x8x4x1xf32>, tensor<8xf32>, tensor<8xf32>, tensor<0xf32>, tensor<0xf32>) -> (tensor<1x8x4x1xf32>, tensor<8xf32>, tensor<8xf32>, tensor<8xf32>, tensor<8xf32>, tensor<*xf32>)
    %24 = "tf.Reshape"(%y, %cst_8) {device = ""} : (tensor<1x8x4x1xf32>, tensor<3xi32>) -> tensor<2x4x4xf32>
    %25 = "tf.Mul"(%24, %7) {device = ""} : (tensor<2x4x4xf32>, tensor<4xf32>) -> tensor<2x4x4xf32>
    %26 = "tf.AddV2"(%25, %6) {device = ""} : (tensor<2x4x4xf32>, tensor<4xf32>) -> tensor<2x4x4xf32>
    %27 = "tf.Max"(%26, %cst_6) <{keep_dims = false}> {device = ""} : (tensor<2x4x4xf32>, tensor<i32>) -> tensor<2x4xf32>
    %28 = "tf.Identity"(%27) {device = ""} : (tensor<2x4xf32>) -> tensor<2x4xf32>
    func.return %28 : tensor<2x4xf32>
  }
  "tf_saved_model.global_tensor"() {sym_name = "conv1d/kernel", type = tensor<2x3x4xf32>, value = #nn.blob<dense<[[[-0.23905456, 0.3009709, 0.59431505, -0.22319248], [-0.14700079, 0.022004247, -0.26838386, 0.2025351], [0.09980261, 0.58534956, 0.5843893, -0.10636181]], [[-0.07576418, -0.62809044, -0.5657307, -0.6022855], [-0.2441341, -0.41371894, 0.45013928, 0.07862145], [0.39191544, -0.090023935, 0.382249, 0.026522934]]]> : tensor<2x3x4xf32>>} : () -> ()
  "tf_saved_model.global_tensor"() {sym_name = "conv1d/bias", type = tensor<4xf32>, value = #nn.blob<dense<0.0> : tensor<4xf32>>} : () -> ()
  "tf_saved_model.global_tensor"() {sym_name = "depthwise_conv1d/depthwise_kernel", type = tensor<3x4x1xf32>, value = #nn.blob<dense<[[[0.54198486], [0.47966784], [-0.40447816], [0.068487525]], [[0.48064417], [-0.21990848], [-0.09566277], [-0.2370511]], [[0.13033819], [0.18528622], [-0.0783155], [-0.36471704]]]> : tensor<3x4x1xf32>>} : () -> ()
  "tf_saved_model.global_tensor"() {sym_name = "depthwise_conv1d/bias", type = tensor<4xf32>, value = #nn.blob<dense<0.0> : tensor<4xf32>>} : () -> ()
  "tf_saved_model.global_tensor"() {sym_name = "layer_normalization/gamma", type = tensor<4xf32>, value = #nn.blob<dense<1.0> : tensor<4xf32>>} : () -> ()
  "tf_saved_model.global_tensor"() {sym_name = "layer_normalization/beta", type = tensor<4xf32>, value = #nn.blob<dense<0.0> : tensor<4xf32>>} : () -> ()
}
