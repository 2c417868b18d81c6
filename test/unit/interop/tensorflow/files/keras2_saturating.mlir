builtin.module attributes {tf.versions = {bad_consumers = [], min_consumer = 0 : i32, producer = 2474 : i32}} {
  func.func @__inference_call_15752(%arg0: tensor<2x5x3xf32> {tf._user_specified_name = "x"}, %arg1: tensor<!tf_type.resource<tensor<3x16xf32>>> {tf._user_specified_name = "resource", tf_saved_model.bound_input = @"lstm_8/lstm_cell/kernel"}, %arg2: tensor<!tf_type.resource<tensor<4x16xf32>>> {tf._user_specified_name = "resource", tf_saved_model.bound_input = @"lstm_8/lstm_cell/recurrent_kernel"}, %arg3: tensor<!tf_type.resource<tensor<16xf32>>> {tf._user_specified_name = "resource", tf_saved_model.bound_input = @"lstm_8/lstm_cell/bias"}) -> tensor<2x?x4xf32> attributes {allow_soft_placement = false, tf.entry_function = {control_outputs = "model_7/lstm_8/Read/ReadVariableOp,model_7/lstm_8/Read_1/ReadVariableOp,model_7/lstm_8/Read_2/ReadVariableOp", inputs = "x,model_7_lstm_8_read_readvariableop_resource,model_7_lstm_8_read_1_readvariableop_resource,model_7_lstm_8_read_2_readvariableop_resource", outputs = "identity_RetVal"}} {
    %cst = "tf.Const"() <{value = dense<3.000000e+01> : tensor<f32>}> {device = ""} : () -> tensor<f32>
    %cst_1 = "tf.Const"() <{value = dense<0.000000e+00> : tensor<2x4xf32>}> : () -> tensor<2x4xf32>
    %0 = "tf.ReadVariableOp"(%arg2) {device = ""} : (tensor<!tf_type.resource<tensor<4x16xf32>>>) -> tensor<4x16xf32>
    %1 = "tf.Identity"(%0) {device = ""} : (tensor<4x16xf32>) -> tensor<4x16xf32>
    %2 = "tf.ReadVariableOp"(%arg3) {device = ""} : (tensor<!tf_type.resource<tensor<16xf32>>>) -> tensor<16xf32>
    %3 = "tf.Identity"(%2) {device = ""} : (tensor<16xf32>) -> tensor<16xf32>
    %4 = "tf.ReadVariableOp"(%arg1) {device = ""} : (tensor<!tf_type.resource<tensor<3x16xf32>>>) -> tensor<3x16xf32>
    %5 = "tf.Identity"(%4) {device = ""} : (tensor<3x16xf32>) -> tensor<3x16xf32>
    %6 = "tf.Mul"(%arg0, %cst) {device = ""} : (tensor<2x5x3xf32>, tensor<f32>) -> tensor<2x5x3xf32>
    %7, %8, %9, %10, %11 = "tf.PartitionedCall"(%6, %cst_1, %cst_1, %5, %1, %3) <{config = "", config_proto = "\0A\07\0A\03CPU\10\01\0A\07\0A\03GPU\10\002\02J\008\01\82\01\00\92\01\02J\00", executor_type = "", f = @__inference_standard_lstm_154810}> {_collective_manager_ids = [], _read_only_resource_inputs = [], device = ""} : (tensor<2x5x3xf32>, tensor<2x4xf32>, tensor<2x4xf32>, tensor<3x16xf32>, tensor<4x16xf32>, tensor<16xf32>) -> (tensor<2x4xf32>, tensor<2x?x4xf32>, tensor<2x4xf32>, tensor<2x4xf32>, tensor<f32>)
    %12 = "tf.Identity"(%8) {device = ""} : (tensor<2x?x4xf32>) -> tensor<2x?x4xf32>
    func.return %12 : tensor<2x?x4xf32>
  }
  func.func private @__inference_standard_lstm_154810(%arg0: tensor<2x5x3xf32> {tf._user_specified_name = "inputs"}, %arg1: tensor<2x4xf32> {tf._user_specified_name = "init_h"}, %arg2: tensor<2x4xf32> {tf._user_specified_name = "init_c"}, %arg3: tensor<3x16xf32> {tf._user_specified_name = "kernel"}, %arg4: tensor<4x16xf32> {tf._user_specified_name = "recurrent_kernel"}, %arg5: tensor<16xf32> {tf._user_specified_name = "bias"}) -> (tensor<2x4xf32>, tensor<2x?x4xf32>, tensor<2x4xf32>, tensor<2x4xf32>, tensor<f32>) attributes {tf._construction_context = "kEagerRuntime", tf.api_implements = "lstm_db98ecbf-3d53-401e-8b56-fc9885f055bb", tf.api_preferred_device = "CPU", tf.go_backwards = false, tf.time_major = false} {
    %cst = "tf.Const"() <{value = dense<1.000000e+00> : tensor<f32>}> {device = "/device:CPU:0"} : () -> tensor<f32>
    %cst_1 = "tf.Const"() <{value = dense<-1> : tensor<i32>}> {device = ""} : () -> tensor<i32>
    %cst_2 = "tf.Const"() <{value = dense<[1, 0, 2]> : tensor<3xi32>}> {device = ""} : () -> tensor<3xi32>
    %cst_3 = "tf.Const"() <{value = dense<0> : tensor<i32>}> {device = ""} : () -> tensor<i32>
    %cst_4 = "tf.Const"() <{value = dense<-1> : tensor<1xi32>}> {device = ""} : () -> tensor<1xi32>
    %cst_5 = "tf.Const"() <{value = dense<[2, 3]> : tensor<2xi32>}> {device = ""} : () -> tensor<2xi32>
    %cst_6 = "tf.Const"() <{value = dense<[2, 4]> : tensor<2xi32>}> {device = ""} : () -> tensor<2xi32>
    %cst_7 = "tf.Const"() <{value = dense<0> : tensor<1xi32>}> {device = ""} : () -> tensor<1xi32>
    %cst_8 = "tf.Const"() <{value = dense<1> : tensor<1xi32>}> {device = ""} : () -> tensor<1xi32>
    %cst_9 = "tf.Const"() <{value = dense<5> : tensor<i32>}> : () -> tensor<i32>
    %0 = "tf.TensorListReserve"(%cst_6, %cst_9) {device = ""} : (tensor<2xi32>, tensor<i32>) -> tensor<!tf_type.variant<tensor<2x4xf32>>>
    %1 = "tf.Transpose"(%arg0, %cst_2) {device = ""} : (tensor<2x5x3xf32>, tensor<3xi32>) -> tensor<5x2x3xf32>
    %2 = "tf.TensorListFromTensor"(%1, %cst_5) {device = ""} : (tensor<5x2x3xf32>, tensor<2xi32>) -> tensor<!tf_type.variant<tensor<2x3xf32>>>
    %3, %4, %5, %6, %7, %8, %9, %10, %11, %12, %13 = "tf.While"(%cst_3, %cst_1, %cst_3, %0, %arg1, %arg2, %cst_9, %2, %arg3, %arg4, %arg5) <{body = @while_body_153960, cond = @while_cond_153950, is_stateless = true, parallel_iterations = 32 : i64, shape_invariant}> {T = [i32, i32, i32, !tf_type.variant, f32, f32, i32, !tf_type.variant, f32, f32, f32], _lower_using_switch_merge = true, _num_original_outputs = 11 : i64, _read_only_resource_inputs = [], device = "", output_shapes = [#tf_type.shape, #tf_type.shape, #tf_type.shape, #tf_type.shape, #tf_type.shape<2x4>, #tf_type.shape<2x4>, #tf_type.shape, #tf_type.shape, #tf_type.shape<3x16>, #tf_type.shape<4x16>, #tf_type.shape<16>]} : (tensor<i32>, tensor<i32>, tensor<i32>, tensor<!tf_type.variant<tensor<2x4xf32>>>, tensor<2x4xf32>, tensor<2x4xf32>, tensor<i32>, tensor<!tf_type.variant<tensor<2x3xf32>>>, tensor<3x16xf32>, tensor<4x16xf32>, tensor<16xf32>) -> (tensor<i32>, tensor<i32>, tensor<i32>, tensor<!tf_type.variant<tensor<2x4xf32>>>, tensor<2x4xf32>, tensor<2x4xf32>, tensor<i32>, tensor<!tf_type.variant<tensor<2x3xf32>>>, tensor<3x16xf32>, tensor<4x16xf32>, tensor<16xf32>)
    %14 = "tf.Identity"(%7) {device = ""} : (tensor<2x4xf32>) -> tensor<2x4xf32>
    %15 = "tf.Identity"(%8) {device = ""} : (tensor<2x4xf32>) -> tensor<2x4xf32>
    %16 = "tf.TensorListStack"(%6, %cst_6) <{num_elements = -1 : i64}> {device = ""} : (tensor<!tf_type.variant<tensor<2x4xf32>>>, tensor<2xi32>) -> tensor<?x2x4xf32>
    %17 = "tf.StridedSlice"(%16, %cst_4, %cst_7, %cst_8) <{begin_mask = 0 : i64, ellipsis_mask = 0 : i64, end_mask = 0 : i64, new_axis_mask = 0 : i64, shrink_axis_mask = 1 : i64}> {device = ""} : (tensor<?x2x4xf32>, tensor<1xi32>, tensor<1xi32>, tensor<1xi32>) -> tensor<2x4xf32>
    %18 = "tf.Identity"(%17) {device = ""} : (tensor<2x4xf32>) -> tensor<2x4xf32>
    %19 = "tf.Transpose"(%16, %cst_2) {device = ""} : (tensor<?x2x4xf32>, tensor<3xi32>) -> tensor<2x?x4xf32>
    %20 = "tf.Identity"(%19) {device = ""} : (tensor<2x?x4xf32>) -> tensor<2x?x4xf32>
    %21 = "tf.Identity"(%cst) {device = ""} : (tensor<f32>) -> tensor<f32>
    func.return %18, %20, %14, %15, %21 : tensor<2x4xf32>, tensor<2x?x4xf32>, tensor<2x4xf32>, tensor<2x4xf32>, tensor<f32>
  }
  func.func private @while_body_153960(%arg0: tensor<i32> {tf._user_specified_name = "while/loop_counter"}, %arg1: tensor<i32> {tf._user_specified_name = "while/maximum_iterations"}, %arg2: tensor<i32>, %arg3: tensor<!tf_type.variant<tensor<2x4xf32>>>, %arg4: tensor<2x4xf32>, %arg5: tensor<2x4xf32>, %arg6: tensor<i32> {tf._user_specified_name = "strided_slice"}, %arg7: tensor<!tf_type.variant<tensor<2x3xf32>>> {tf._user_specified_name = "TensorArrayUnstack/TensorListFromTensor"}, %arg8: tensor<3x16xf32> {tf._user_specified_name = "kernel"}, %arg9: tensor<4x16xf32> {tf._user_specified_name = "recurrent_kernel"}, %arg10: tensor<16xf32> {tf._user_specified_name = "bias"}) -> (tensor<i32>, tensor<i32>, tensor<i32>, tensor<!tf_type.variant<tensor<2x4xf32>>>, tensor<2x4xf32>, tensor<2x4xf32>, tensor<i32>, tensor<!tf_type.variant<tensor<2x3xf32>>>, tensor<3x16xf32>, tensor<4x16xf32>, tensor<16xf32>) attributes {tf._construction_context = "kEagerRuntime"} {
    %cst = "tf.Const"() <{value = dense<[2, 3]> : tensor<2xi32>}> {device = ""} : () -> tensor<2xi32>
    %cst_1 = "tf.Const"() <{value = dense<1> : tensor<i32>}> {device = ""} : () -> tensor<i32>
    %0 = "tf.AddV2"(%arg2, %cst_1) {device = ""} : (tensor<i32>, tensor<i32>) -> tensor<i32>
    %1 = "tf.Identity"(%0) {device = ""} : (tensor<i32>) -> tensor<i32>
    %2 = "tf.MatMul"(%arg4, %arg9) <{grad_a = false, grad_b = false, transpose_a = false, transpose_b = false}> {device = ""} : (tensor<2x4xf32>, tensor<4x16xf32>) -> tensor<2x16xf32>
    %3 = "tf.TensorListGetItem"(%arg7, %arg2, %cst) {device = ""} : (tensor<!tf_type.variant<tensor<2x3xf32>>>, tensor<i32>, tensor<2xi32>) -> tensor<2x3xf32>
    %4 = "tf.MatMul"(%3, %arg8) <{grad_a = false, grad_b = false, transpose_a = false, transpose_b = false}> {device = ""} : (tensor<2x3xf32>, tensor<3x16xf32>) -> tensor<2x16xf32>
    %5 = "tf.AddV2"(%4, %2) {device = ""} : (tensor<2x16xf32>, tensor<2x16xf32>) -> tensor<2x16xf32>
    %6 = "tf.BiasAdd"(%5, %arg10) <{data_format = "NHWC"}> {device = ""} : (tensor<2x16xf32>, tensor<16xf32>) -> tensor<2x16xf32>
    %7, %8, %9, %10 = "tf.Split"(%cst_1, %6) {device = ""} : (tensor<i32>, tensor<2x16xf32>) -> (tensor<2x4xf32>, tensor<2x4xf32>, tensor<2x4xf32>, tensor<2x4xf32>)
    %11 = "tf.Sigmoid"(%7) {device = ""} : (tensor<2x4xf32>) -> tensor<2x4xf32>
    %12 = "tf.Sigmoid"(%8) {device = ""} : (tensor<2x4xf32>) -> tensor<2x4xf32>
    %13 = "tf.Mul"(%12, %arg5) {device = ""} : (tensor<2x4xf32>, tensor<2x4xf32>) -> tensor<2x4xf32>
    %14 = "tf.Sigmoid"(%10) {device = ""} : (tensor<2x4xf32>) -> tensor<2x4xf32>
    %15 = "tf.Tanh"(%9) {device = ""} : (tensor<2x4xf32>) -> tensor<2x4xf32>
    %16 = "tf.Mul"(%11, %15) {device = ""} : (tensor<2x4xf32>, tensor<2x4xf32>) -> tensor<2x4xf32>
    %17 = "tf.AddV2"(%13, %16) {device = ""} : (tensor<2x4xf32>, tensor<2x4xf32>) -> tensor<2x4xf32>
    %18 = "tf.Identity"(%17) {device = ""} : (tensor<2x4xf32>) -> tensor<2x4xf32>
    %19 = "tf.Tanh"(%17) {device = ""} : (tensor<2x4xf32>) -> tensor<2x4xf32>
    %20 = "tf.Mul"(%14, %19) {device = ""} : (tensor<2x4xf32>, tensor<2x4xf32>) -> tensor<2x4xf32>
    %21 = "tf.Identity"(%20) {device = ""} : (tensor<2x4xf32>) -> tensor<2x4xf32>
    %22 = "tf.TensorListSetItem"(%arg3, %arg2, %20) <{resize_if_index_out_of_bounds = false}> {device = ""} : (tensor<!tf_type.variant<tensor<2x4xf32>>>, tensor<i32>, tensor<2x4xf32>) -> tensor<!tf_type.variant<tensor<2x4xf32>>>
    %23 = "tf.Identity"(%22) {device = ""} : (tensor<!tf_type.variant<tensor<2x4xf32>>>) -> tensor<!tf_type.variant<tensor<2x4xf32>>>
    %24 = "tf.AddV2"(%arg0, %cst_1) {device = ""} : (tensor<i32>, tensor<i32>) -> tensor<i32>
    %25 = "tf.Identity"(%24) {device = ""} : (tensor<i32>) -> tensor<i32>
    %26 = "tf.Identity"(%arg1) {device = ""} : (tensor<i32>) -> tensor<i32>
    func.return %25, %26, %1, %23, %21, %18, %arg6, %arg7, %arg8, %arg9, %arg10 : tensor<i32>, tensor<i32>, tensor<i32>, tensor<!tf_type.variant<tensor<2x4xf32>>>, tensor<2x4xf32>, tensor<2x4xf32>, tensor<i32>, tensor<!tf_type.variant<tensor<2x3xf32>>>, tensor<3x16xf32>, tensor<4x16xf32>, tensor<16xf32>
  }
  func.func private @while_cond_153950(%arg0: tensor<i32> {tf._user_specified_name = "while/loop_counter"}, %arg1: tensor<i32> {tf._user_specified_name = "while/maximum_iterations"}, %arg2: tensor<i32>, %arg3: tensor<!tf_type.variant<tensor<2x4xf32>>>, %arg4: tensor<2x4xf32>, %arg5: tensor<2x4xf32>, %arg6: tensor<i32> {tf._user_specified_name = "strided_slice"}, %arg7: tensor<!tf_type.variant<tensor<2x3xf32>>>, %arg8: tensor<3x16xf32>, %arg9: tensor<4x16xf32>, %arg10: tensor<16xf32>) -> tensor<i1> attributes {tf._construction_context = "kEagerRuntime"} {
    %0 = "tf.Less"(%arg2, %arg6) {device = ""} : (tensor<i32>, tensor<i32>) -> tensor<i1>
    %1 = "tf.Identity"(%0) {device = ""} : (tensor<i1>) -> tensor<i1>
    func.return %1 : tensor<i1>
  }
  "tf_saved_model.global_tensor"() {sym_name = "lstm_8/lstm_cell/kernel", type = tensor<3x16xf32>, value = #nn.blob<dense<1.0> : tensor<3x16xf32>>} : () -> ()
  "tf_saved_model.global_tensor"() {sym_name = "lstm_8/lstm_cell/recurrent_kernel", type = tensor<4x16xf32>, value = #nn.blob<dense<[[-0.33434212, -0.03227808, -0.076265745, 0.03613403, 0.31013054, 0.062344655, 0.1337616, 0.23005237, 0.028015299, -0.17568131, -0.014270169, 0.403484, 0.48051947, 0.24104287, 0.395696, 0.26256353], [-0.07634931, -0.32967603, 0.22985683, 0.30577058, 0.17493531, -0.13933113, 0.027362525, -0.21035585, -0.006399216, 0.2987961, -0.40046737, -0.07206893, 0.4654962, -0.3442438, -0.23216921, -0.012636942], [-0.030046795, -0.2867387, 0.009220568, 0.1300748, 0.0330758, 0.0014203725, 0.5734746, 0.16043009, -0.16060875, -0.26948884, 0.042533226, 0.37125647, -0.37009588, -0.36802635, -0.18355449, -0.00043528527], [0.13990268, -0.19997464, -0.029096574, 0.5795016, -0.30800793, -0.22013707, -0.010617532, -0.22390178, -0.35671708, -0.080796964, -0.009728519, -0.06637397, -0.11738502, 0.3364541, 0.26831138, 0.27008826]]> : tensor<4x16xf32>>} : () -> ()
  "tf_saved_model.global_tensor"() {sym_name = "lstm_8/lstm_cell/bias", type = tensor<16xf32>, value = #nn.blob<dense<[8.0, 8.0, 8.0, 8.0, 1.0, 1.0, 1.0, 1.0, 8.0, 8.0, 8.0, 8.0, 8.0, 8.0, 8.0, 8.0]> : tensor<16xf32>>} : () -> ()
}
