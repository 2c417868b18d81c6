builtin.module attributes {tf.versions = {bad_consumers = [], min_consumer = 0 : i32, producer = 2474 : i32}} {
  func.func @__inference_flat_13509(%arg0: tensor<2x4x3xf32> {tf._user_specified_name = "x"}, %arg1: tensor<*x!tf_type.resource> {tf._user_specified_name = "resource", tf_saved_model.bound_input = @"lstm_9/Variable"}, %arg2: tensor<*x!tf_type.resource> {tf._user_specified_name = "resource", tf_saved_model.bound_input = @"lstm_9/Variable_1"}, %arg3: tensor<*x!tf_type.resource> {tf._user_specified_name = "resource", tf_saved_model.bound_input = @"lstm_9/lstm_cell/kernel"}, %arg4: tensor<*x!tf_type.resource> {tf._user_specified_name = "resource", tf_saved_model.bound_input = @"lstm_9/lstm_cell/recurrent_kernel"}, %arg5: tensor<*x!tf_type.resource> {tf._user_specified_name = "resource", tf_saved_model.bound_input = @"lstm_9/lstm_cell/bias"}) -> tensor<2x2xf32> attributes {allow_soft_placement = false, tf.entry_function = {control_outputs = "model_10/lstm_9/Read/ReadVariableOp,model_10/lstm_9/Read_1/ReadVariableOp,model_10/lstm_9/Read_2/ReadVariableOp,model_10/lstm_9/Read_3/ReadVariableOp,model_10/lstm_9/Read_4/ReadVariableOp,model_10/lstm_9/AssignVariableOp,model_10/lstm_9/AssignVariableOp_1", inputs = "x,model_10_lstm_9_read_readvariableop_resource,model_10_lstm_9_read_1_readvariableop_resource,model_10_lstm_9_read_2_readvariableop_resource,model_10_lstm_9_read_3_readvariableop_resource,model_10_lstm_9_read_4_readvariableop_resource", outputs = "identity_RetVal"}} {
    %0 = "tf.ReadVariableOp"(%arg2) {device = ""} : (tensor<*x!tf_type.resource>) -> tensor<*xf32>
    %1 = "tf.Identity"(%0) {device = ""} : (tensor<*xf32>) -> tensor<*xf32>
    %2 = "tf.ReadVariableOp"(%arg3) {device = ""} : (tensor<*x!tf_type.resource>) -> tensor<*xf32>
    %3 = "tf.Identity"(%2) {device = ""} : (tensor<*xf32>) -> tensor<*xf32>
    %4 = "tf.ReadVariableOp"(%arg4) {device = ""} : (tensor<*x!tf_type.resource>) -> tensor<*xf32>
    %5 = "tf.Identity"(%4) {device = ""} : (tensor<*xf32>) -> tensor<*xf32>
    %6 = "tf.ReadVariableOp"(%arg5) {device = ""} : (tensor<*x!tf_type.resource>) -> tensor<*xf32>
    %7 = "tf.Identity"(%6) {device = ""} : (tensor<*xf32>) -> tensor<*xf32>
    %8 = "tf.ReadVariableOp"(%arg1) {device = ""} : (tensor<*x!tf_type.resource>) -> tensor<*xf32>
    %9 = "tf.Identity"(%8) {device = ""} : (tensor<*xf32>) -> tensor<*xf32>
    %10, %11, %12, %13, %14 = "tf.PartitionedCall"(%arg0, %9, %1, %3, %5, %7) <{config = "", config_proto = "\0A\07\0A\03CPU\10\01\0A\07\0A\03GPU\10\002\02J\008\01\82\01\00\92\01\02J\00", executor_type = "", f = @__inference_standard_lstm_132330}> {_collective_manager_ids = [], _read_only_resource_inputs = [], device = ""} : (tensor<2x4x3xf32>, tensor<*xf32>, tensor<*xf32>, tensor<*xf32>, tensor<*xf32>, tensor<*xf32>) -> (tensor<2x2xf32>, tensor<2x1x2xf32>, tensor<2x2xf32>, tensor<2x2xf32>, tensor<f32>)
    "tf.AssignVariableOp"(%arg1, %12) <{validate_shape = true}> {device = ""} : (tensor<*x!tf_type.resource>, tensor<2x2xf32>) -> ()
    "tf.AssignVariableOp"(%arg2, %13) <{validate_shape = true}> {device = ""} : (tensor<*x!tf_type.resource>, tensor<2x2xf32>) -> ()
    %15 = "tf.Identity"(%10) {device = ""} : (tensor<2x2xf32>) -> tensor<2x2xf32>
    func.return %15 : tensor<2x2xf32>
  }
  func.func private @__inference_standard_lstm_132330(%arg0: tensor<2x4x3xf32> {tf._user_specified_name = "inputs"}, %arg1: tensor<*xf32> {tf._user_specified_name = "init_h"}, %arg2: tensor<*xf32> {tf._user_specified_name = "init_c"}, %arg3: tensor<*xf32> {tf._user_specified_name = "kernel"}, %arg4: tensor<*xf32> {tf._user_specified_name = "recurrent_kernel"}, %arg5: tensor<*xf32> {tf._user_specified_name = "bias"}) -> (tensor<2x2xf32>, tensor<2x1x2xf32>, tensor<2x2xf32>, tensor<2x2xf32>, tensor<f32>) attributes {tf._construction_context = "kEagerRuntime", tf.api_implements = "lstm_c2b24d6a-c3b5-496b-8108-07279a1ad830", tf.api_preferred_device = "CPU", tf.go_backwards = false, tf.time_major = false} {
    %cst = "tf.Const"() <{value = dense<4> : tensor<i32>}> : () -> tensor<i32>
    %cst_1 = "tf.Const"() <{value = dense<1.000000e+00> : tensor<f32>}> {device = "/device:CPU:0"} : () -> tensor<f32>
    %cst_2 = "tf.Const"() <{value = dense<-1> : tensor<i32>}> {device = ""} : () -> tensor<i32>
    %cst_3 = "tf.Const"() <{value = dense<[1, 0, 2]> : tensor<3xi32>}> {device = ""} : () -> tensor<3xi32>
    %cst_4 = "tf.Const"() <{value = dense<0> : tensor<i32>}> {device = ""} : () -> tensor<i32>
    %cst_5 = "tf.Const"() <{value = dense<-1> : tensor<1xi32>}> {device = ""} : () -> tensor<1xi32>
    %cst_6 = "tf.Const"() <{value = dense<1> : tensor<1xi32>}> {device = ""} : () -> tensor<1xi32>
    %cst_7 = "tf.Const"() <{value = dense<0> : tensor<1xi32>}> {device = ""} : () -> tensor<1xi32>
    %cst_8 = "tf.Const"() <{value = dense<[2, 3]> : tensor<2xi32>}> {device = ""} : () -> tensor<2xi32>
    %cst_9 = "tf.Const"() <{value = dense<2> : tensor<2xi32>}> {device = ""} : () -> tensor<2xi32>
    %cst_10 = "tf.Const"() <{value = dense<1> : tensor<i32>}> {device = ""} : () -> tensor<i32>
    %0 = "tf.TensorListReserve"(%cst_9, %cst_10) {device = ""} : (tensor<2xi32>, tensor<i32>) -> tensor<!tf_type.variant<tensor<2x2xf32>>>
    %1 = "tf.Transpose"(%arg0, %cst_3) {device = ""} : (tensor<2x4x3xf32>, tensor<3xi32>) -> tensor<4x2x3xf32>
    %2 = "tf.TensorListFromTensor"(%1, %cst_8) {device = ""} : (tensor<4x2x3xf32>, tensor<2xi32>) -> tensor<!tf_type.variant<tensor<2x3xf32>>>
    %3, %4, %5, %6, %7, %8, %9, %10, %11, %12, %13 = "tf.While"(%cst_4, %cst_2, %cst_4, %0, %arg1, %arg2, %cst, %2, %arg3, %arg4, %arg5) <{body = @while_body_131470, cond = @while_cond_131460, is_stateless = true, parallel_iterations = 32 : i64, shape_invariant}> {T = [i32, i32, i32, !tf_type.variant, f32, f32, i32, !tf_type.variant, f32, f32, f32], _lower_using_switch_merge = true, _num_original_outputs = 11 : i64, _read_only_resource_inputs = [], device = "", output_shapes = [#tf_type.shape, #tf_type.shape, #tf_type.shape, #tf_type.shape, #tf_type.shape<2x2>, #tf_type.shape<2x2>, #tf_type.shape, #tf_type.shape, #tf_type.shape<3x8>, #tf_type.shape<2x8>, #tf_type.shape<8>]} : (tensor<i32>, tensor<i32>, tensor<i32>, tensor<!tf_type.variant<tensor<2x2xf32>>>, tensor<*xf32>, tensor<*xf32>, tensor<i32>, tensor<!tf_type.variant<tensor<2x3xf32>>>, tensor<*xf32>, tensor<*xf32>, tensor<*xf32>) -> (tensor<i32>, tensor<i32>, tensor<i32>, tensor<!tf_type.variant<tensor<2x2xf32>>>, tensor<2x2xf32>, tensor<2x2xf32>, tensor<i32>, tensor<!tf_type.variant<tensor<2x3xf32>>>, tensor<3x8xf32>, tensor<2x8xf32>, tensor<8xf32>)
    %14 = "tf.Identity"(%7) {device = ""} : (tensor<2x2xf32>) -> tensor<2x2xf32>
    %15 = "tf.Identity"(%8) {device = ""} : (tensor<2x2xf32>) -> tensor<2x2xf32>
    %16 = "tf.TensorListStack"(%6, %cst_9) <{num_elements = 1 : i64}> {device = ""} : (tensor<!tf_type.variant<tensor<2x2xf32>>>, tensor<2xi32>) -> tensor<1x2x2xf32>
    %17 = "tf.StridedSlice"(%16, %cst_5, %cst_7, %cst_6) <{begin_mask = 0 : i64, ellipsis_mask = 0 : i64, end_mask = 0 : i64, new_axis_mask = 0 : i64, shrink_axis_mask = 1 : i64}> {device = ""} : (tensor<1x2x2xf32>, tensor<1xi32>, tensor<1xi32>, tensor<1xi32>) -> tensor<2x2xf32>
    %18 = "tf.Identity"(%17) {device = ""} : (tensor<2x2xf32>) -> tensor<2x2xf32>
    %19 = "tf.Transpose"(%16, %cst_3) {device = ""} : (tensor<1x2x2xf32>, tensor<3xi32>) -> tensor<2x1x2xf32>
    %20 = "tf.Identity"(%19) {device = ""} : (tensor<2x1x2xf32>) -> tensor<2x1x2xf32>
    %21 = "tf.Identity"(%cst_1) {device = ""} : (tensor<f32>) -> tensor<f32>
    func.return %18, %20, %14, %15, %21 : tensor<2x2xf32>, tensor<2x1x2xf32>, tensor<2x2xf32>, tensor<2x2xf32>, tensor<f32>
  }
  func.func private @while_body_131470(%arg0: tensor<i32> {tf._user_specified_name = "while/loop_counter"}, %arg1: tensor<i32> {tf._user_specified_name = "while/maximum_iterations"}, %arg2: tensor<i32>, %arg3: tensor<!tf_type.variant<tensor<2x2xf32>>>, %arg4: tensor<2x2xf32>, %arg5: tensor<2x2xf32>, %arg6: tensor<i32> {tf._user_specified_name = "strided_slice"}, %arg7: tensor<!tf_type.variant<tensor<2x3xf32>>> {tf._user_specified_name = "TensorArrayUnstack/TensorListFromTensor"}, %arg8: tensor<3x8xf32> {tf._user_specified_name = "kernel"}, %arg9: tensor<2x8xf32> {tf._user_specified_name = "recurrent_kernel"}, %arg10: tensor<8xf32> {tf._user_specified_name = "bias"}) -> (tensor<i32>, tensor<i32>, tensor<i32>, tensor<!tf_type.variant<tensor<2x2xf32>>>, tensor<2x2xf32>, tensor<2x2xf32>, tensor<i32>, tensor<!tf_type.variant<tensor<2x3xf32>>>, tensor<3x8xf32>, tensor<2x8xf32>, tensor<8xf32>) attributes {tf._construction_context = "kEagerRuntime"} {
    %cst = "tf.Const"() <{value = dense<[2, 3]> : tensor<2xi32>}> {device = ""} : () -> tensor<2xi32>
    %cst_1 = "tf.Const"() <{value = dense<0> : tensor<i32>}> {device = ""} : () -> tensor<i32>
    %cst_2 = "tf.Const"() <{value = dense<1> : tensor<i32>}> {device = ""} : () -> tensor<i32>
    %0 = "tf.AddV2"(%arg2, %cst_2) {device = ""} : (tensor<i32>, tensor<i32>) -> tensor<i32>
    %1 = "tf.Identity"(%0) {device = ""} : (tensor<i32>) -> tensor<i32>
    %2 = "tf.MatMul"(%arg4, %arg9) <{grad_a = false, grad_b = false, transpose_a = false, transpose_b = false}> {device = ""} : (tensor<2x2xf32>, tensor<2x8xf32>) -> tensor<2x8xf32>
    %3 = "tf.TensorListGetItem"(%arg7, %arg2, %cst) {device = ""} : (tensor<!tf_type.variant<tensor<2x3xf32>>>, tensor<i32>, tensor<2xi32>) -> tensor<2x3xf32>
    %4 = "tf.MatMul"(%3, %arg8) <{grad_a = false, grad_b = false, transpose_a = false, transpose_b = false}> {device = ""} : (tensor<2x3xf32>, tensor<3x8xf32>) -> tensor<2x8xf32>
    %5 = "tf.AddV2"(%4, %2) {device = ""} : (tensor<2x8xf32>, tensor<2x8xf32>) -> tensor<2x8xf32>
    %6 = "tf.BiasAdd"(%5, %arg10) <{data_format = "NHWC"}> {device = ""} : (tensor<2x8xf32>, tensor<8xf32>) -> tensor<2x8xf32>
    %7, %8, %9, %10 = "tf.Split"(%cst_2, %6) {device = ""} : (tensor<i32>, tensor<2x8xf32>) -> (tensor<2x2xf32>, tensor<2x2xf32>, tensor<2x2xf32>, tensor<2x2xf32>)
    %11 = "tf.Sigmoid"(%7) {device = ""} : (tensor<2x2xf32>) -> tensor<2x2xf32>
    %12 = "tf.Sigmoid"(%8) {device = ""} : (tensor<2x2xf32>) -> tensor<2x2xf32>
    %13 = "tf.Mul"(%12, %arg5) {device = ""} : (tensor<2x2xf32>, tensor<2x2xf32>) -> tensor<2x2xf32>
    %14 = "tf.Sigmoid"(%10) {device = ""} : (tensor<2x2xf32>) -> tensor<2x2xf32>
    %15 = "tf.Tanh"(%9) {device = ""} : (tensor<2x2xf32>) -> tensor<2x2xf32>
    %16 = "tf.Mul"(%11, %15) {device = ""} : (tensor<2x2xf32>, tensor<2x2xf32>) -> tensor<2x2xf32>
    %17 = "tf.AddV2"(%13, %16) {device = ""} : (tensor<2x2xf32>, tensor<2x2xf32>) -> tensor<2x2xf32>
    %18 = "tf.Identity"(%17) {device = ""} : (tensor<2x2xf32>) -> tensor<2x2xf32>
    %19 = "tf.Tanh"(%17) {device = ""} : (tensor<2x2xf32>) -> tensor<2x2xf32>
    %20 = "tf.Mul"(%14, %19) {device = ""} : (tensor<2x2xf32>, tensor<2x2xf32>) -> tensor<2x2xf32>
    %21 = "tf.Identity"(%20) {device = ""} : (tensor<2x2xf32>) -> tensor<2x2xf32>
    %22 = "tf.TensorListSetItem"(%arg3, %cst_1, %20) <{resize_if_index_out_of_bounds = false}> {device = ""} : (tensor<!tf_type.variant<tensor<2x2xf32>>>, tensor<i32>, tensor<2x2xf32>) -> tensor<!tf_type.variant<tensor<2x2xf32>>>
    %23 = "tf.Identity"(%22) {device = ""} : (tensor<!tf_type.variant<tensor<2x2xf32>>>) -> tensor<!tf_type.variant<tensor<2x2xf32>>>
    %24 = "tf.AddV2"(%arg0, %cst_2) {device = ""} : (tensor<i32>, tensor<i32>) -> tensor<i32>
    %25 = "tf.Identity"(%24) {device = ""} : (tensor<i32>) -> tensor<i32>
    %26 = "tf.Identity"(%arg1) {device = ""} : (tensor<i32>) -> tensor<i32>
    func.return %25, %26, %1, %23, %21, %18, %arg6, %arg7, %arg8, %arg9, %arg10 : tensor<i32>, tensor<i32>, tensor<i32>, tensor<!tf_type.variant<tensor<2x2xf32>>>, tensor<2x2xf32>, tensor<2x2xf32>, tensor<i32>, tensor<!tf_type.variant<tensor<2x3xf32>>>, tensor<3x8xf32>, tensor<2x8xf32>, tensor<8xf32>
  }
  func.func private @while_cond_131460(%arg0: tensor<i32> {tf._user_specified_name = "while/loop_counter"}, %arg1: tensor<i32> {tf._user_specified_name = "while/maximum_iterations"}, %arg2: tensor<i32>, %arg3: tensor<!tf_type.variant<tensor<2x2xf32>>>, %arg4: tensor<2x2xf32>, %arg5: tensor<2x2xf32>, %arg6: tensor<i32> {tf._user_specified_name = "strided_slice"}, %arg7: tensor<!tf_type.variant<tensor<2x3xf32>>>, %arg8: tensor<3x8xf32>, %arg9: tensor<2x8xf32>, %arg10: tensor<8xf32>) -> tensor<i1> attributes {tf._construction_context = "kEagerRuntime"} {
    %0 = "tf.Less"(%arg2, %arg6) {device = ""} : (tensor<i32>, tensor<i32>) -> tensor<i1>
    %1 = "tf.Identity"(%0) {device = ""} : (tensor<i1>) -> tensor<i1>
    func.return %1 : tensor<i1>
  }
  "tf_saved_model.global_tensor"() {sym_name = "lstm_9/Variable", type = tensor<2x2xf32>, value = #nn.blob<dense<0.0> : tensor<2x2xf32>>} : () -> ()
  "tf_saved_model.global_tensor"() {sym_name = "lstm_9/Variable_1", type = tensor<2x2xf32>, value = #nn.blob<dense<0.0> : tensor<2x2xf32>>} : () -> ()
  "tf_saved_model.global_tensor"() {sym_name = "lstm_9/lstm_cell/kernel", type = tensor<3x8xf32>, value = #nn.blob<dense<[[0.19925283, 0.94113314, 0.34258786, 0.43973985, 0.018030634, -0.98569477, -0.9051289, -0.62297386], [-0.06341602, 0.15499924, 0.34470707, -0.17022902, 0.47846463, -0.13987438, -0.35224476, 0.42582086], [-0.4572225, -1.3645425, -0.5299784, 0.04707977, -1.5400889, -0.17856902, -0.16604517, -0.713228]]> : tensor<3x8xf32>>} : () -> ()
  "tf_saved_model.global_tensor"() {sym_name = "lstm_9/lstm_cell/recurrent_kernel", type = tensor<2x8xf32>, value = #nn.blob<dense<[[-0.7412517, -0.23123097, -0.2735501, 0.6299592, 0.18743153, -0.79042774, -0.42732573, 0.35257077], [0.9479884, 0.19324975, 0.15535627, 0.93037623, -0.011335722, -0.15455048, -0.7066244, -0.25650805]]> : tensor<2x8xf32>>} : () -> ()
  "tf_saved_model.global_tensor"() {sym_name = "lstm_9/lstm_cell/bias", type = tensor<8xf32>, value = #nn.blob<dense<[1.0893564, -0.7108707, 0.0055958536, -0.70416373, 0.06423788, 0.4438236, -0.12182466, 0.36517364]> : tensor<8xf32>>} : () -> ()
}
