builtin.module attributes {tf.versions = {bad_consumers = [], min_consumer = 0 : i32, producer = 2474 : i32}} {
  func.func @__inference_flat_21788(%arg0: tensor<2x4x3xf32> {tf._user_specified_name = "x"}, %arg1: tensor<*x!tf_type.resource> {tf._user_specified_name = "resource", tf_saved_model.bound_input = @"lstm_12/lstm_cell/kernel"}, %arg2: tensor<*x!tf_type.resource> {tf._user_specified_name = "resource", tf_saved_model.bound_input = @"lstm_12/lstm_cell/recurrent_kernel"}, %arg3: tensor<*x!tf_type.resource> {tf._user_specified_name = "resource", tf_saved_model.bound_input = @"lstm_12/lstm_cell/bias"}) -> tensor<?x4x2xf32> attributes {allow_soft_placement = false, tf.entry_function = {control_outputs = "model_13/lstm_12/Read/ReadVariableOp,model_13/lstm_12/Read_1/ReadVariableOp,model_13/lstm_12/Read_2/ReadVariableOp", inputs = "x,model_13_lstm_12_read_readvariableop_resource,model_13_lstm_12_read_1_readvariableop_resource,model_13_lstm_12_read_2_readvariableop_resource", outputs = "identity_RetVal"}} {
    %cst = "tf.Const"() <{value = dense<0.000000e+00> : tensor<4x2xf32>}> : () -> tensor<4x2xf32>
    %0 = "tf.ReadVariableOp"(%arg2) {device = ""} : (tensor<*x!tf_type.resource>) -> tensor<*xf32>
    %1 = "tf.Identity"(%0) {device = ""} : (tensor<*xf32>) -> tensor<*xf32>
    %2 = "tf.ReadVariableOp"(%arg3) {device = ""} : (tensor<*x!tf_type.resource>) -> tensor<*xf32>
    %3 = "tf.Identity"(%2) {device = ""} : (tensor<*xf32>) -> tensor<*xf32>
    %4 = "tf.ReadVariableOp"(%arg1) {device = ""} : (tensor<*x!tf_type.resource>) -> tensor<*xf32>
    %5 = "tf.Identity"(%4) {device = ""} : (tensor<*xf32>) -> tensor<*xf32>
    %6, %7, %8, %9, %10 = "tf.PartitionedCall"(%arg0, %cst, %cst, %5, %1, %3) <{config = "", config_proto = "\0A\07\0A\03CPU\10\01\0A\07\0A\03GPU\10\002\02J\008\01\82\01\00\92\01\02J\00", executor_type = "", f = @__inference_standard_lstm_215170}> {_collective_manager_ids = [], _read_only_resource_inputs = [], device = ""} : (tensor<2x4x3xf32>, tensor<4x2xf32>, tensor<4x2xf32>, tensor<*xf32>, tensor<*xf32>, tensor<*xf32>) -> (tensor<4x2xf32>, tensor<?x4x2xf32>, tensor<4x2xf32>, tensor<4x2xf32>, tensor<f32>)
    %11 = "tf.Identity"(%7) {device = ""} : (tensor<?x4x2xf32>) -> tensor<?x4x2xf32>
    func.return %11 : tensor<?x4x2xf32>
  }
  func.func private @__inference_standard_lstm_215170(%arg0: tensor<2x4x3xf32> {tf._user_specified_name = "inputs"}, %arg1: tensor<4x2xf32> {tf._user_specified_name = "init_h"}, %arg2: tensor<4x2xf32> {tf._user_specified_name = "init_c"}, %arg3: tensor<*xf32> {tf._user_specified_name = "kernel"}, %arg4: tensor<*xf32> {tf._user_specified_name = "recurrent_kernel"}, %arg5: tensor<*xf32> {tf._user_specified_name = "bias"}) -> (tensor<4x2xf32>, tensor<?x4x2xf32>, tensor<4x2xf32>, tensor<4x2xf32>, tensor<f32>) attributes {tf._construction_context = "kEagerRuntime", tf.api_implements = "lstm_9a14b3af-7ad6-41e0-8bdd-7f0c2cac01ed", tf.api_preferred_device = "CPU", tf.go_backwards = false, tf.time_major = true} {
    %cst = "tf.Const"() <{value = dense<2> : tensor<i32>}> : () -> tensor<i32>
    %cst_1 = "tf.Const"() <{value = dense<1.000000e+00> : tensor<f32>}> {device = "/device:CPU:0"} : () -> tensor<f32>
    %cst_2 = "tf.Const"() <{value = dense<-1> : tensor<i32>}> {device = ""} : () -> tensor<i32>
    %cst_3 = "tf.Const"() <{value = dense<0> : tensor<i32>}> {device = ""} : () -> tensor<i32>
    %cst_4 = "tf.Const"() <{value = dense<-1> : tensor<1xi32>}> {device = ""} : () -> tensor<1xi32>
    %cst_5 = "tf.Const"() <{value = dense<1> : tensor<1xi32>}> {device = ""} : () -> tensor<1xi32>
    %cst_6 = "tf.Const"() <{value = dense<0> : tensor<1xi32>}> {device = ""} : () -> tensor<1xi32>
    %cst_7 = "tf.Const"() <{value = dense<[4, 3]> : tensor<2xi32>}> {device = ""} : () -> tensor<2xi32>
    %cst_8 = "tf.Const"() <{value = dense<[4, 2]> : tensor<2xi32>}> {device = ""} : () -> tensor<2xi32>
    %0 = "tf.TensorListFromTensor"(%arg0, %cst_7) {device = ""} : (tensor<2x4x3xf32>, tensor<2xi32>) -> tensor<!tf_type.variant<tensor<4x3xf32>>>
    %1 = "tf.TensorListReserve"(%cst_8, %cst) {device = ""} : (tensor<2xi32>, tensor<i32>) -> tensor<!tf_type.variant<tensor<4x2xf32>>>
    %2, %3, %4, %5, %6, %7, %8, %9, %10, %11, %12 = "tf.While"(%cst_3, %cst_2, %cst_3, %1, %arg1, %arg2, %cst, %0, %arg3, %arg4, %arg5) <{body = @while_body_214340, cond = @while_cond_214330, is_stateless = true, parallel_iterations = 32 : i64, shape_invariant}> {T = [i32, i32, i32, !tf_type.variant, f32, f32, i32, !tf_type.variant, f32, f32, f32], _lower_using_switch_merge = true, _num_original_outputs = 11 : i64, _read_only_resource_inputs = [], device = "", output_shapes = [#tf_type.shape, #tf_type.shape, #tf_type.shape, #tf_type.shape, #tf_type.shape<4x2>, #tf_type.shape<4x2>, #tf_type.shape, #tf_type.shape, #tf_type.shape<3x8>, #tf_type.shape<2x8>, #tf_type.shape<8>]} : (tensor<i32>, tensor<i32>, tensor<i32>, tensor<!tf_type.variant<tensor<4x2xf32>>>, tensor<4x2xf32>, tensor<4x2xf32>, tensor<i32>, tensor<!tf_type.variant<tensor<4x3xf32>>>, tensor<*xf32>, tensor<*xf32>, tensor<*xf32>) -> (tensor<i32>, tensor<i32>, tensor<i32>, tensor<!tf_type.variant<tensor<4x2xf32>>>, tensor<4x2xf32>, tensor<4x2xf32>, tensor<i32>, tensor<!tf_type.variant<tensor<4x3xf32>>>, tensor<3x8xf32>, tensor<2x8xf32>, tensor<8xf32>)
    %13 = "tf.Identity"(%6) {device = ""} : (tensor<4x2xf32>) -> tensor<4x2xf32>
    %14 = "tf.Identity"(%7) {device = ""} : (tensor<4x2xf32>) -> tensor<4x2xf32>
    %15 = "tf.TensorListStack"(%5, %cst_8) <{num_elements = -1 : i64}> {device = ""} : (tensor<!tf_type.variant<tensor<4x2xf32>>>, tensor<2xi32>) -> tensor<?x4x2xf32>
    %16 = "tf.Identity"(%15) {device = ""} : (tensor<?x4x2xf32>) -> tensor<?x4x2xf32>
    %17 = "tf.StridedSlice"(%15, %cst_4, %cst_6, %cst_5) <{begin_mask = 0 : i64, ellipsis_mask = 0 : i64, end_mask = 0 : i64, new_axis_mask = 0 : i64, shrink_axis_mask = 1 : i64}> {device = ""} : (tensor<?x4x2xf32>, tensor<1xi32>, tensor<1xi32>, tensor<1xi32>) -> tensor<4x2xf32>
    %18 = "tf.Identity"(%17) {device = ""} : (tensor<4x2xf32>) -> tensor<4x2xf32>
    %19 = "tf.Identity"(%cst_1) {device = ""} : (tensor<f32>) -> tensor<f32>
    func.return %18, %16, %13, %14, %19 : tensor<4x2xf32>, tensor<?x4x2xf32>, tensor<4x2xf32>, tensor<4x2xf32>, tensor<f32>
  }
  func.func private @while_body_214340(%arg0: tensor<i32> {tf._user_specified_name = "while/loop_counter"}, %arg1: tensor<i32> {tf._user_specified_name = "while/maximum_iterations"}, %arg2: tensor<i32>, %arg3: tensor<!tf_type.variant<tensor<4x2xf32>>>, %arg4: tensor<4x2xf32>, %arg5: tensor<4x2xf32>, %arg6: tensor<i32> {tf._user_specified_name = "strided_slice"}, %arg7: tensor<!tf_type.variant<tensor<4x3xf32>>> {tf._user_specified_name = "TensorArrayUnstack/TensorListFromTensor"}, %arg8: tensor<3x8xf32> {tf._user_specified_name = "kernel"}, %arg9: tensor<2x8xf32> {tf._user_specified_name = "recurrent_kernel"}, %arg10: tensor<8xf32> {tf._user_specified_name = "bias"}) -> (tensor<i32>, tensor<i32>, tensor<i32>, tensor<!tf_type.variant<tensor<4x2xf32>>>, tensor<4x2xf32>, tensor<4x2xf32>, tensor<i32>, tensor<!tf_type.variant<tensor<4x3xf32>>>, tensor<3x8xf32>, tensor<2x8xf32>, tensor<8xf32>) attributes {tf._construction_context = "kEagerRuntime"} {
    %cst = "tf.Const"() <{value = dense<[4, 3]> : tensor<2xi32>}> {device = ""} : () -> tensor<2xi32>
    %cst_1 = "tf.Const"() <{value = dense<1> : tensor<i32>}> {device = ""} : () -> tensor<i32>
    %0 = "tf.AddV2"(%arg2, %cst_1) {device = ""} : (tensor<i32>, tensor<i32>) -> tensor<i32>
    %1 = "tf.Identity"(%0) {device = ""} : (tensor<i32>) -> tensor<i32>
    %2 = "tf.MatMul"(%arg4, %arg9) <{grad_a = false, grad_b = false, transpose_a = false, transpose_b = false}> {device = ""} : (tensor<4x2xf32>, tensor<2x8xf32>) -> tensor<4x8xf32>
    %3 = "tf.TensorListGetItem"(%arg7, %arg2, %cst) {device = ""} : (tensor<!tf_type.variant<tensor<4x3xf32>>>, tensor<i32>, tensor<2xi32>) -> tensor<4x3xf32>
    %4 = "tf.MatMul"(%3, %arg8) <{grad_a = false, grad_b = false, transpose_a = false, transpose_b = false}> {device = ""} : (tensor<4x3xf32>, tensor<3x8xf32>) -> tensor<4x8xf32>
    %5 = "tf.AddV2"(%4, %2) {device = ""} : (tensor<4x8xf32>, tensor<4x8xf32>) -> tensor<4x8xf32>
    %6 = "tf.BiasAdd"(%5, %arg10) <{data_format = "NHWC"}> {device = ""} : (tensor<4x8xf32>, tensor<8xf32>) -> tensor<4x8xf32>
    %7, %8, %9, %10 = "tf.Split"(%cst_1, %6) {device = ""} : (tensor<i32>, tensor<4x8xf32>) -> (tensor<4x2xf32>, tensor<4x2xf32>, tensor<4x2xf32>, tensor<4x2xf32>)
    %11 = "tf.Sigmoid"(%7) {device = ""} : (tensor<4x2xf32>) -> tensor<4x2xf32>
    %12 = "tf.Sigmoid"(%8) {device = ""} : (tensor<4x2xf32>) -> tensor<4x2xf32>
    %13 = "tf.Mul"(%12, %arg5) {device = ""} : (tensor<4x2xf32>, tensor<4x2xf32>) -> tensor<4x2xf32>
    %14 = "tf.Sigmoid"(%10) {device = ""} : (tensor<4x2xf32>) -> tensor<4x2xf32>
    %15 = "tf.Tanh"(%9) {device = ""} : (tensor<4x2xf32>) -> tensor<4x2xf32>
    %16 = "tf.Mul"(%11, %15) {device = ""} : (tensor<4x2xf32>, tensor<4x2xf32>) -> tensor<4x2xf32>
    %17 = "tf.AddV2"(%13, %16) {device = ""} : (tensor<4x2xf32>, tensor<4x2xf32>) -> tensor<4x2xf32>
    %18 = "tf.Identity"(%17) {device = ""} : (tensor<4x2xf32>) -> tensor<4x2xf32>
    %19 = "tf.Tanh"(%17) {device = ""} : (tensor<4x2xf32>) -> tensor<4x2xf32>
    %20 = "tf.Mul"(%14, %19) {device = ""} : (tensor<4x2xf32>, tensor<4x2xf32>) -> tensor<4x2xf32>
    %21 = "tf.Identity"(%20) {device = ""} : (tensor<4x2xf32>) -> tensor<4x2xf32>
    %22 = "tf.TensorListSetItem"(%arg3, %arg2, %20) <{resize_if_index_out_of_bounds = false}> {device = ""} : (tensor<!tf_type.variant<tensor<4x2xf32>>>, tensor<i32>, tensor<4x2xf32>) -> tensor<!tf_type.variant<tensor<4x2xf32>>>
    %23 = "tf.Identity"(%22) {device = ""} : (tensor<!tf_type.variant<tensor<4x2xf32>>>) -> tensor<!tf_type.variant<tensor<4x2xf32>>>
    %24 = "tf.AddV2"(%arg0, %cst_1) {device = ""} : (tensor<i32>, tensor<i32>) -> tensor<i32>
    %25 = "tf.Identity"(%24) {device = ""} : (tensor<i32>) -> tensor<i32>
    %26 = "tf.Identity"(%arg1) {device = ""} : (tensor<i32>) -> tensor<i32>
    func.return %25, %26, %1, %23, %21, %18, %arg6, %arg7, %arg8, %arg9, %arg10 : tensor<i32>, tensor<i32>, tensor<i32>, tensor<!tf_type.variant<tensor<4x2xf32>>>, tensor<4x2xf32>, tensor<4x2xf32>, tensor<i32>, tensor<!tf_type.variant<tensor<4x3xf32>>>, tensor<3x8xf32>, tensor<2x8xf32>, tensor<8xf32>
  }
  func.func private @while_cond_214330(%arg0: tensor<i32> {tf._user_specified_name = "while/loop_counter"}, %arg1: tensor<i32> {tf._user_specified_name = "while/maximum_iterations"}, %arg2: tensor<i32>, %arg3: tensor<!tf_type.variant<tensor<4x2xf32>>>, %arg4: tensor<4x2xf32>, %arg5: tensor<4x2xf32>, %arg6: tensor<i32> {tf._user_specified_name = "strided_slice"}, %arg7: tensor<!tf_type.variant<tensor<4x3xf32>>>, %arg8: tensor<3x8xf32>, %arg9: tensor<2x8xf32>, %arg10: tensor<8xf32>) -> tensor<i1> attributes {tf._construction_context = "kEagerRuntime"} {
    %0 = "tf.Less"(%arg2, %arg6) {device = ""} : (tensor<i32>, tensor<i32>) -> tensor<i1>
    %1 = "tf.Identity"(%0) {device = ""} : (tensor<i1>) -> tensor<i1>
    func.return %1 : tensor<i1>
  }
  "tf_saved_model.global_tensor"() {sym_name = "lstm_12/lstm_cell/kernel", type = tensor<3x8xf32>, value = #nn.blob<dense<[[0.103752546, 0.37618566, -0.60129493, -0.5401508, -0.15586887, -0.60835886, 0.3447966, -0.6665264], [0.034191508, -1.2290478, -0.55238986, -0.16951767, -0.12951985, -0.8958229, 0.05433454, 0.487432], [0.3241202, -0.32929152, -0.29364842, -0.59315014, 0.314894, 0.7208294, -0.26297775, -0.848909]]> : tensor<3x8xf32>>} : () -> ()
  "tf_saved_model.global_tensor"() {sym_name = "lstm_12/lstm_cell/recurrent_kernel", type = tensor<2x8xf32>, value = #nn.blob<dense<[[0.100002125, 0.35388473, -1.3610619, 0.06917802, 1.0821935, 0.4103238, 0.2752294, 0.20106064], [0.5309494, -0.47058362, -0.4226689, 0.20378466, -0.34266466, 0.12935121, -0.95628124, 0.37897733]]> : tensor<2x8xf32>>} : () -> ()
  "tf_saved_model.global_tensor"() {sym_name = "lstm_12/lstm_cell/bias", type = tensor<8xf32>, value = #nn.blob<dense<[0.4234857, 0.021838952, 0.08221147, 0.81032556, -0.5415473, -0.4565783, -0.54690313, -0.21236509]> : tensor<8xf32>>} : () -> ()
}
