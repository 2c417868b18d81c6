builtin.module attributes {tf.versions = {bad_consumers = [], min_consumer = 0 : i32, producer = 2474 : i32}} {
  func.func @__inference_flat_15978(%arg0: tensor<2x4x3xf32> {tf._user_specified_name = "x"}, %arg1: tensor<*x!tf_type.resource> {tf._user_specified_name = "resource", tf_saved_model.bound_input = @"lstm_10/lstm_cell/kernel"}, %arg2: tensor<*x!tf_type.resource> {tf._user_specified_name = "resource", tf_saved_model.bound_input = @"lstm_10/lstm_cell/recurrent_kernel"}, %arg3: tensor<*x!tf_type.resource> {tf._user_specified_name = "resource", tf_saved_model.bound_input = @"lstm_10/lstm_cell/bias"}) -> (tensor<2x?x2xf32>, tensor<2x2xf32>, tensor<2x2xf32>) attributes {allow_soft_placement = false, tf.entry_function = {control_outputs = "model_11/lstm_10/Read/ReadVariableOp,model_11/lstm_10/Read_1/ReadVariableOp,model_11/lstm_10/Read_2/ReadVariableOp", inputs = "x,model_11_lstm_10_read_readvariableop_resource,model_11_lstm_10_read_1_readvariableop_resource,model_11_lstm_10_read_2_readvariableop_resource", outputs = "identity_RetVal,identity_1_RetVal,identity_2_RetVal"}} {
    %cst = "tf.Const"() <{value = dense<-1> : tensor<i32>}> {device = ""} : () -> tensor<i32>
    %cst_1 = "tf.Const"() <{value = dense<0.000000e+00> : tensor<f32>}> {device = ""} : () -> tensor<f32>
    %cst_2 = "tf.Const"() <{value = dense<0.000000e+00> : tensor<2x2xf32>}> : () -> tensor<2x2xf32>
    %0 = "tf.ReadVariableOp"(%arg2) {device = ""} : (tensor<*x!tf_type.resource>) -> tensor<*xf32>
    %1 = "tf.Identity"(%0) {device = ""} : (tensor<*xf32>) -> tensor<*xf32>
    %2 = "tf.ReadVariableOp"(%arg3) {device = ""} : (tensor<*x!tf_type.resource>) -> tensor<*xf32>
    %3 = "tf.Identity"(%2) {device = ""} : (tensor<*xf32>) -> tensor<*xf32>
    %4 = "tf.ReadVariableOp"(%arg1) {device = ""} : (tensor<*x!tf_type.resource>) -> tensor<*xf32>
    %5 = "tf.Identity"(%4) {device = ""} : (tensor<*xf32>) -> tensor<*xf32>
    %6 = "tf.NotEqual"(%arg0, %cst_1) <{incompatible_shape_error = true}> {device = ""} : (tensor<2x4x3xf32>, tensor<f32>) -> tensor<2x4x3xi1>
    %7 = "tf.Any"(%6, %cst) <{keep_dims = true}> {device = ""} : (tensor<2x4x3xi1>, tensor<i32>) -> tensor<2x4x1xi1>
    %8 = "tf.Cast"(%7) <{Truncate = false}> {device = ""} : (tensor<2x4x1xi1>) -> tensor<2x4x1xf32>
    %9 = "tf.Mul"(%arg0, %8) {device = ""} : (tensor<2x4x3xf32>, tensor<2x4x1xf32>) -> tensor<2x4x3xf32>
    %10 = "tf.Squeeze"(%7) <{squeeze_dims = [-1 : i64]}> {device = ""} : (tensor<2x4x1xi1>) -> tensor<2x4xi1>
    %11, %12, %13, %14, %15 = "tf.PartitionedCall"(%9, %cst_2, %cst_2, %5, %1, %3, %10) <{config = "", config_proto = "\0A\07\0A\03CPU\10\01\0A\07\0A\03GPU\10\002\02J\008\01\82\01\00\92\01\02J\00", executor_type = "", f = @__inference_standard_lstm_149710}> {_collective_manager_ids = [], _read_only_resource_inputs = [], device = ""} : (tensor<2x4x3xf32>, tensor<2x2xf32>, tensor<2x2xf32>, tensor<*xf32>, tensor<*xf32>, tensor<*xf32>, tensor<2x4xi1>) -> (tensor<2x2xf32>, tensor<2x?x2xf32>, tensor<2x2xf32>, tensor<2x2xf32>, tensor<f32>)
    %16 = "tf.Identity"(%12) {device = ""} : (tensor<2x?x2xf32>) -> tensor<2x?x2xf32>
    %17 = "tf.Identity"(%13) {device = ""} : (tensor<2x2xf32>) -> tensor<2x2xf32>
    %18 = "tf.Identity"(%14) {device = ""} : (tensor<2x2xf32>) -> tensor<2x2xf32>
    func.return %16, %17, %18 : tensor<2x?x2xf32>, tensor<2x2xf32>, tensor<2x2xf32>
  }
  func.func private @__inference_standard_lstm_149710(%arg0: tensor<2x4x3xf32> {tf._user_specified_name = "inputs"}, %arg1: tensor<2x2xf32> {tf._user_specified_name = "init_h"}, %arg2: tensor<2x2xf32> {tf._user_specified_name = "init_c"}, %arg3: tensor<*xf32> {tf._user_specified_name = "kernel"}, %arg4: tensor<*xf32> {tf._user_specified_name = "recurrent_kernel"}, %arg5: tensor<*xf32> {tf._user_specified_name = "bias"}, %arg6: tensor<2x4xi1> {tf._user_specified_name = "mask"}) -> (tensor<2x2xf32>, tensor<2x?x2xf32>, tensor<2x2xf32>, tensor<2x2xf32>, tensor<f32>) attributes {tf._construction_context = "kEagerRuntime", tf.api_implements = "lstm_5a4c13cf-e2d0-46ec-bbb0-485e1d075908", tf.api_preferred_device = "CPU", tf.go_backwards = false, tf.time_major = false} {
    %cst = "tf.Const"() <{value = dense<4> : tensor<i32>}> : () -> tensor<i32>
    %cst_1 = "tf.Const"() <{value = dense<1.000000e+00> : tensor<f32>}> {device = "/device:CPU:0"} : () -> tensor<f32>
    %cst_2 = "tf.Const"() <{value = dense<0.000000e+00> : tensor<2x2xf32>}> {device = ""} : () -> tensor<2x2xf32>
    %cst_3 = "tf.Const"() <{value = dense<[1, 0, 2]> : tensor<3xi32>}> {device = ""} : () -> tensor<3xi32>
    %cst_4 = "tf.Const"() <{value = dense<0> : tensor<i32>}> {device = ""} : () -> tensor<i32>
    %cst_5 = "tf.Const"() <{value = dense<-1> : tensor<1xi32>}> {device = ""} : () -> tensor<1xi32>
    %cst_6 = "tf.Const"() <{value = dense<1> : tensor<1xi32>}> {device = ""} : () -> tensor<1xi32>
    %cst_7 = "tf.Const"() <{value = dense<0> : tensor<1xi32>}> {device = ""} : () -> tensor<1xi32>
    %cst_8 = "tf.Const"() <{value = dense<-1> : tensor<i32>}> {device = ""} : () -> tensor<i32>
    %cst_9 = "tf.Const"() <{value = dense<[2, 3]> : tensor<2xi32>}> {device = ""} : () -> tensor<2xi32>
    %cst_10 = "tf.Const"() <{value = dense<[2, 1]> : tensor<2xi32>}> {device = ""} : () -> tensor<2xi32>
    %cst_11 = "tf.Const"() <{value = dense<2> : tensor<2xi32>}> {device = ""} : () -> tensor<2xi32>
    %0 = "tf.ExpandDims"(%arg6, %cst_8) {device = ""} : (tensor<2x4xi1>, tensor<i32>) -> tensor<2x4x1xi1>
    %1 = "tf.TensorListReserve"(%cst_11, %cst) {device = ""} : (tensor<2xi32>, tensor<i32>) -> tensor<!tf_type.variant<tensor<2x2xf32>>>
    %2 = "tf.Transpose"(%arg0, %cst_3) {device = ""} : (tensor<2x4x3xf32>, tensor<3xi32>) -> tensor<4x2x3xf32>
    %3 = "tf.TensorListFromTensor"(%2, %cst_9) {device = ""} : (tensor<4x2x3xf32>, tensor<2xi32>) -> tensor<!tf_type.variant<tensor<2x3xf32>>>
    %4 = "tf.Transpose"(%0, %cst_3) {device = ""} : (tensor<2x4x1xi1>, tensor<3xi32>) -> tensor<4x2x1xi1>
    %5 = "tf.TensorListFromTensor"(%4, %cst_10) {device = ""} : (tensor<4x2x1xi1>, tensor<2xi32>) -> tensor<!tf_type.variant<tensor<2x1xi1>>>
    %6, %7, %8, %9, %10, %11, %12, %13, %14, %15, %16, %17, %18 = "tf.While"(%cst_4, %cst_8, %cst_4, %1, %cst_2, %arg1, %arg2, %cst, %3, %5, %arg3, %arg4, %arg5) <{body = @while_body_148680, cond = @while_cond_148670, is_stateless = true, parallel_iterations = 32 : i64, shape_invariant}> {T = [i32, i32, i32, !tf_type.variant, f32, f32, f32, i32, !tf_type.variant, !tf_type.variant, f32, f32, f32], _lower_using_switch_merge = true, _num_original_outputs = 13 : i64, _read_only_resource_inputs = [], device = "", output_shapes = [#tf_type.shape, #tf_type.shape, #tf_type.shape, #tf_type.shape, #tf_type.shape<2x2>, #tf_type.shape<2x2>, #tf_type.shape<2x2>, #tf_type.shape, #tf_type.shape, #tf_type.shape, #tf_type.shape<3x8>, #tf_type.shape<2x8>, #tf_type.shape<8>]} : (tensor<i32>, tensor<i32>, tensor<i32>, tensor<!tf_type.variant<tensor<2x2xf32>>>, tensor<2x2xf32>, tensor<2x2xf32>, tensor<2x2xf32>, tensor<i32>, tensor<!tf_type.variant<tensor<2x3xf32>>>, tensor<!tf_type.variant<tensor<2x1xi1>>>, tensor<*xf32>, tensor<*xf32>, tensor<*xf32>) -> (tensor<i32>, tensor<i32>, tensor<i32>, tensor<!tf_type.variant<tensor<2x2xf32>>>, tensor<2x2xf32>, tensor<2x2xf32>, tensor<2x2xf32>, tensor<i32>, tensor<!tf_type.variant<tensor<2x3xf32>>>, tensor<!tf_type.variant<tensor<2x1xi1>>>, tensor<3x8xf32>, tensor<2x8xf32>, tensor<8xf32>)
    %19 = "tf.Identity"(%11) {device = ""} : (tensor<2x2xf32>) -> tensor<2x2xf32>
    %20 = "tf.Identity"(%12) {device = ""} : (tensor<2x2xf32>) -> tensor<2x2xf32>
    %21 = "tf.TensorListStack"(%9, %cst_11) <{num_elements = -1 : i64}> {device = ""} : (tensor<!tf_type.variant<tensor<2x2xf32>>>, tensor<2xi32>) -> tensor<?x2x2xf32>
    %22 = "tf.StridedSlice"(%21, %cst_5, %cst_7, %cst_6) <{begin_mask = 0 : i64, ellipsis_mask = 0 : i64, end_mask = 0 : i64, new_axis_mask = 0 : i64, shrink_axis_mask = 1 : i64}> {device = ""} : (tensor<?x2x2xf32>, tensor<1xi32>, tensor<1xi32>, tensor<1xi32>) -> tensor<2x2xf32>
    %23 = "tf.Identity"(%22) {device = ""} : (tensor<2x2xf32>) -> tensor<2x2xf32>
    %24 = "tf.Transpose"(%21, %cst_3) {device = ""} : (tensor<?x2x2xf32>, tensor<3xi32>) -> tensor<2x?x2xf32>
    %25 = "tf.Identity"(%24) {device = ""} : (tensor<2x?x2xf32>) -> tensor<2x?x2xf32>
    %26 = "tf.Identity"(%cst_1) {device = ""} : (tensor<f32>) -> tensor<f32>
    func.return %23, %25, %19, %20, %26 : tensor<2x2xf32>, tensor<2x?x2xf32>, tensor<2x2xf32>, tensor<2x2xf32>, tensor<f32>
  }
  func.func private @while_body_148680(%arg0: tensor<i32> {tf._user_specified_name = "while/loop_counter"}, %arg1: tensor<i32> {tf._user_specified_name = "while/maximum_iterations"}, %arg2: tensor<i32>, %arg3: tensor<!tf_type.variant<tensor<2x2xf32>>>, %arg4: tensor<2x2xf32>, %arg5: tensor<2x2xf32>, %arg6: tensor<2x2xf32>, %arg7: tensor<i32> {tf._user_specified_name = "strided_slice"}, %arg8: tensor<!tf_type.variant<tensor<2x3xf32>>> {tf._user_specified_name = "TensorArrayUnstack/TensorListFromTensor"}, %arg9: tensor<!tf_type.variant<tensor<2x1xi1>>> {tf._user_specified_name = "TensorArrayUnstack_1/TensorListFromTensor"}, %arg10: tensor<3x8xf32> {tf._user_specified_name = "kernel"}, %arg11: tensor<2x8xf32> {tf._user_specified_name = "recurrent_kernel"}, %arg12: tensor<8xf32> {tf._user_specified_name = "bias"}) -> (tensor<i32>, tensor<i32>, tensor<i32>, tensor<!tf_type.variant<tensor<2x2xf32>>>, tensor<2x2xf32>, tensor<2x2xf32>, tensor<2x2xf32>, tensor<i32>, tensor<!tf_type.variant<tensor<2x3xf32>>>, tensor<!tf_type.variant<tensor<2x1xi1>>>, tensor<3x8xf32>, tensor<2x8xf32>, tensor<8xf32>) attributes {tf._construction_context = "kEagerRuntime"} {
    %cst = "tf.Const"() <{value = dense<[2, 3]> : tensor<2xi32>}> {device = ""} : () -> tensor<2xi32>
    %cst_1 = "tf.Const"() <{value = dense<[2, 1]> : tensor<2xi32>}> {device = ""} : () -> tensor<2xi32>
    %cst_2 = "tf.Const"() <{value = dense<1> : tensor<i32>}> {device = ""} : () -> tensor<i32>
    %0 = "tf.AddV2"(%arg2, %cst_2) {device = ""} : (tensor<i32>, tensor<i32>) -> tensor<i32>
    %1 = "tf.Identity"(%0) {device = ""} : (tensor<i32>) -> tensor<i32>
    %2 = "tf.MatMul"(%arg5, %arg11) <{grad_a = false, grad_b = false, transpose_a = false, transpose_b = false}> {device = ""} : (tensor<2x2xf32>, tensor<2x8xf32>) -> tensor<2x8xf32>
    %3 = "tf.TensorListGetItem"(%arg9, %arg2, %cst_1) {device = ""} : (tensor<!tf_type.variant<tensor<2x1xi1>>>, tensor<i32>, tensor<2xi32>) -> tensor<2x1xi1>
    %4 = "tf.TensorListGetItem"(%arg8, %arg2, %cst) {device = ""} : (tensor<!tf_type.variant<tensor<2x3xf32>>>, tensor<i32>, tensor<2xi32>) -> tensor<2x3xf32>
    %5 = "tf.MatMul"(%4, %arg10) <{grad_a = false, grad_b = false, transpose_a = false, transpose_b = false}> {device = ""} : (tensor<2x3xf32>, tensor<3x8xf32>) -> tensor<2x8xf32>
    %6 = "tf.AddV2"(%5, %2) {device = ""} : (tensor<2x8xf32>, tensor<2x8xf32>) -> tensor<2x8xf32>
    %7 = "tf.BiasAdd"(%6, %arg12) <{data_format = "NHWC"}> {device = ""} : (tensor<2x8xf32>, tensor<8xf32>) -> tensor<2x8xf32>
    %8, %9, %10, %11 = "tf.Split"(%cst_2, %7) {device = ""} : (tensor<i32>, tensor<2x8xf32>) -> (tensor<2x2xf32>, tensor<2x2xf32>, tensor<2x2xf32>, tensor<2x2xf32>)
    %12 = "tf.Sigmoid"(%8) {device = ""} : (tensor<2x2xf32>) -> tensor<2x2xf32>
    %13 = "tf.Sigmoid"(%9) {device = ""} : (tensor<2x2xf32>) -> tensor<2x2xf32>
    %14 = "tf.Mul"(%13, %arg6) {device = ""} : (tensor<2x2xf32>, tensor<2x2xf32>) -> tensor<2x2xf32>
    %15 = "tf.Sigmoid"(%11) {device = ""} : (tensor<2x2xf32>) -> tensor<2x2xf32>
    %16 = "tf.Tanh"(%10) {device = ""} : (tensor<2x2xf32>) -> tensor<2x2xf32>
    %17 = "tf.Mul"(%12, %16) {device = ""} : (tensor<2x2xf32>, tensor<2x2xf32>) -> tensor<2x2xf32>
    %18 = "tf.AddV2"(%14, %17) {device = ""} : (tensor<2x2xf32>, tensor<2x2xf32>) -> tensor<2x2xf32>
    %19 = "tf.SelectV2"(%3, %18, %arg6) {device = ""} : (tensor<2x1xi1>, tensor<2x2xf32>, tensor<2x2xf32>) -> tensor<2x2xf32>
    %20 = "tf.Identity"(%19) {device = ""} : (tensor<2x2xf32>) -> tensor<2x2xf32>
    %21 = "tf.Tanh"(%18) {device = ""} : (tensor<2x2xf32>) -> tensor<2x2xf32>
    %22 = "tf.Mul"(%15, %21) {device = ""} : (tensor<2x2xf32>, tensor<2x2xf32>) -> tensor<2x2xf32>
    %23 = "tf.SelectV2"(%3, %22, %arg4) {device = ""} : (tensor<2x1xi1>, tensor<2x2xf32>, tensor<2x2xf32>) -> tensor<2x2xf32>
    %24 = "tf.Identity"(%23) {device = ""} : (tensor<2x2xf32>) -> tensor<2x2xf32>
    %25 = "tf.TensorListSetItem"(%arg3, %arg2, %23) <{resize_if_index_out_of_bounds = false}> {device = ""} : (tensor<!tf_type.variant<tensor<2x2xf32>>>, tensor<i32>, tensor<2x2xf32>) -> tensor<!tf_type.variant<tensor<2x2xf32>>>
    %26 = "tf.Identity"(%25) {device = ""} : (tensor<!tf_type.variant<tensor<2x2xf32>>>) -> tensor<!tf_type.variant<tensor<2x2xf32>>>
    %27 = "tf.SelectV2"(%3, %22, %arg5) {device = ""} : (tensor<2x1xi1>, tensor<2x2xf32>, tensor<2x2xf32>) -> tensor<2x2xf32>
    %28 = "tf.Identity"(%27) {device = ""} : (tensor<2x2xf32>) -> tensor<2x2xf32>
    %29 = "tf.AddV2"(%arg0, %cst_2) {device = ""} : (tensor<i32>, tensor<i32>) -> tensor<i32>
    %30 = "tf.Identity"(%29) {device = ""} : (tensor<i32>) -> tensor<i32>
    %31 = "tf.Identity"(%arg1) {device = ""} : (tensor<i32>) -> tensor<i32>
    func.return %30, %31, %1, %26, %24, %28, %20, %arg7, %arg8, %arg9, %arg10, %arg11, %arg12 : tensor<i32>, tensor<i32>, tensor<i32>, tensor<!tf_type.variant<tensor<2x2xf32>>>, tensor<2x2xf32>, tensor<2x2xf32>, tensor<2x2xf32>, tensor<i32>, tensor<!tf_type.variant<tensor<2x3xf32>>>, tensor<!tf_type.variant<tensor<2x1xi1>>>, tensor<3x8xf32>, tensor<2x8xf32>, tensor<8xf32>
  }
  func.func private @while_cond_148670(%arg0: tensor<i32> {tf._user_specified_name = "while/loop_counter"}, %arg1: tensor<i32> {tf._user_specified_name = "while/maximum_iterations"}, %arg2: tensor<i32>, %arg3: tensor<!tf_type.variant<tensor<2x2xf32>>>, %arg4: tensor<2x2xf32>, %arg5: tensor<2x2xf32>, %arg6: tensor<2x2xf32>, %arg7: tensor<i32> {tf._user_specified_name = "strided_slice"}, %arg8: tensor<!tf_type.variant<tensor<2x3xf32>>>, %arg9: tensor<!tf_type.variant<tensor<2x1xi1>>>, %arg10: tensor<3x8xf32>, %arg11: tensor<2x8xf32>, %arg12: tensor<8xf32>) -> tensor<i1> attributes {tf._construction_context = "kEagerRuntime"} {
    %0 = "tf.Less"(%arg2, %arg7) {device = ""} : (tensor<i32>, tensor<i32>) -> tensor<i1>
    %1 = "tf.Identity"(%0) {device = ""} : (tensor<i1>) -> tensor<i1>
    func.return %1 : tensor<i1>
  }
  "tf_saved_model.global_tensor"() {sym_name = "lstm_10/lstm_cell/kernel", type = tensor<3x8xf32>, value = #nn.blob<dense<[[0.36042193, 0.22351241, 0.858124, 0.38941878, -0.15247978, -0.34041178, -0.42265317, 0.23793373], [-0.16186091, 1.3645835, 0.9212238, -0.107262, -0.16456562, 0.8450883, -0.9416799, -0.22577552], [0.47537848, -0.4560488, -0.23841499, -0.17557058, 0.33040425, 0.06876344, 0.20104371, 0.29764187]]> : tensor<3x8xf32>>} : () -> ()
  "tf_saved_model.global_tensor"() {sym_name = "lstm_10/lstm_cell/recurrent_kernel", type = tensor<2x8xf32>, value = #nn.blob<dense<[[0.014969114, 0.55528307, -0.36447942, -0.71806073, -0.8884359, -0.8105049, -0.27525786, 0.51502347], [0.08708338, -0.2992733, -0.5349278, -0.26444283, -0.20183319, -0.2825497, -0.7162722, -0.23790391]]> : tensor<2x8xf32>>} : () -> ()
  "tf_saved_model.global_tensor"() {sym_name = "lstm_10/lstm_cell/bias", type = tensor<8xf32>, value = #nn.blob<dense<[0.50856805, -1.0873045, -0.12030434, -1.0606742, 0.091523804, -0.3737447, -1.0428438, 0.050351094]> : tensor<8xf32>>} : () -> ()
}
