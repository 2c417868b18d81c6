builtin.module attributes {tf.versions = {bad_consumers = [], min_consumer = 0 : i32, producer = 2474 : i32}} {
  func.func @__inference_flat_20390(%arg0: tensor<2x4x3xf32> {tf._user_specified_name = "x"}, %arg1: tensor<*x!tf_type.resource> {tf._user_specified_name = "resource", tf_saved_model.bound_input = @"lstm_9/lstm_cell/kernel"}, %arg2: tensor<*x!tf_type.resource> {tf._user_specified_name = "resource", tf_saved_model.bound_input = @"lstm_9/rnn_state"}, %arg3: tensor<*x!tf_type.resource> {tf._user_specified_name = "resource", tf_saved_model.bound_input = @"lstm_9/lstm_cell/recurrent_kernel"}, %arg4: tensor<*x!tf_type.resource> {tf._user_specified_name = "resource", tf_saved_model.bound_input = @"lstm_9/lstm_cell/bias"}, %arg5: tensor<*x!tf_type.resource> {tf._user_specified_name = "resource", tf_saved_model.bound_input = @"lstm_9/rnn_state_1"}) -> tensor<2x2xf32> attributes {allow_soft_placement = false, tf.entry_function = {control_outputs = "functional_11_1/lstm_9_1/lstm_cell_1/Cast/ReadVariableOp,functional_11_1/lstm_9_1/lstm_cell_1/Cast_1/ReadVariableOp,functional_11_1/lstm_9_1/lstm_cell_1/Cast_2/ReadVariableOp,functional_11_1/lstm_9_1/lstm_cell_1/BiasAdd/ReadVariableOp,functional_11_1/lstm_9_1/lstm_cell_1/mul/ReadVariableOp,functional_11_1/lstm_9_1/ReadVariableOp,functional_11_1/lstm_9_1/ReadVariableOp_1,functional_11_1/lstm_9_1/while,functional_11_1/lstm_9_1/AssignVariableOp,functional_11_1/lstm_9_1/AssignVariableOp_1", inputs = "x,functional_11_1_lstm_9_1_lstm_cell_1_cast_readvariableop_resource,functional_11_1_lstm_9_1_lstm_cell_1_cast_1_readvariableop_resource,functional_11_1_lstm_9_1_lstm_cell_1_cast_2_readvariableop_resource,functional_11_1_lstm_9_1_lstm_cell_1_biasadd_readvariableop_resource,functional_11_1_lstm_9_1_lstm_cell_1_mul_readvariableop_resource", outputs = "identity_RetVal"}} {
    %cst = "tf.Const"() <{value = dense<4> : tensor<i32>}> : () -> tensor<i32>
    %cst_1 = "tf.Const"() <{value = dense<[1, 0, 2]> : tensor<3xi32>}> {device = ""} : () -> tensor<3xi32>
    %cst_2 = "tf.Const"() <{value = dense<1> : tensor<1xi32>}> {device = ""} : () -> tensor<1xi32>
    %cst_3 = "tf.Const"() <{value = dense<0> : tensor<1xi32>}> {device = ""} : () -> tensor<1xi32>
    %cst_4 = "tf.Const"() <{value = dense<-1> : tensor<1xi32>}> {device = ""} : () -> tensor<1xi32>
    %cst_5 = "tf.Const"() <{value = dense<0> : tensor<i32>}> {device = ""} : () -> tensor<i32>
    %cst_6 = "tf.Const"() <{value = dense<[2, 3]> : tensor<2xi32>}> {device = ""} : () -> tensor<2xi32>
    %cst_7 = "tf.Const"() <{value = dense<2> : tensor<2xi32>}> {device = ""} : () -> tensor<2xi32>
    %cst_8 = "tf.Const"() <{value = dense<1> : tensor<i32>}> {device = ""} : () -> tensor<i32>
    %0 = "tf.TensorListReserve"(%cst_7, %cst_8) {device = ""} : (tensor<2xi32>, tensor<i32>) -> tensor<!tf_type.variant<tensor<2x2xf32>>>
    %1 = "tf.ReadVariableOp"(%arg2) {device = ""} : (tensor<*x!tf_type.resource>) -> tensor<*xf32>
    %2 = "tf.ReadVariableOp"(%arg5) {device = ""} : (tensor<*x!tf_type.resource>) -> tensor<*xf32>
    %3 = "tf.Transpose"(%arg0, %cst_1) {device = ""} : (tensor<2x4x3xf32>, tensor<3xi32>) -> tensor<4x2x3xf32>
    %4 = "tf.TensorListFromTensor"(%3, %cst_6) {device = ""} : (tensor<4x2x3xf32>, tensor<2xi32>) -> tensor<!tf_type.variant<tensor<2x3xf32>>>
    %5, %6, %7, %8, %9, %10, %11, %12, %13, %14 = "tf.While"(%cst_5, %cst, %cst_5, %0, %1, %2, %4, %arg1, %arg3, %arg4) <{body = @functional_11_1_lstm_9_1_while_body_203070, cond = @functional_11_1_lstm_9_1_while_cond_203060, is_stateless = false, parallel_iterations = 32 : i64, shape_invariant}> {_lower_using_switch_merge = true, _num_original_outputs = 10 : i64, _read_only_resource_inputs = [7 : i64, 8 : i64, 9 : i64], device = ""} : (tensor<i32>, tensor<i32>, tensor<i32>, tensor<!tf_type.variant<tensor<2x2xf32>>>, tensor<*xf32>, tensor<*xf32>, tensor<!tf_type.variant<tensor<2x3xf32>>>, tensor<*x!tf_type.resource>, tensor<*x!tf_type.resource>, tensor<*x!tf_type.resource>) -> (tensor<i32>, tensor<i32>, tensor<i32>, tensor<!tf_type.variant<tensor<2x2xf32>>>, tensor<2x2xf32>, tensor<2x2xf32>, tensor<!tf_type.variant<tensor<2x3xf32>>>, tensor<!tf_type.resource>, tensor<!tf_type.resource>, tensor<!tf_type.resource>)
    "tf.AssignVariableOp"(%arg2, %9) <{validate_shape = true}> {device = ""} : (tensor<*x!tf_type.resource>, tensor<2x2xf32>) -> ()
    "tf.AssignVariableOp"(%arg5, %10) <{validate_shape = true}> {device = ""} : (tensor<*x!tf_type.resource>, tensor<2x2xf32>) -> ()
    %15 = "tf.TensorListStack"(%8, %cst_7) <{num_elements = 1 : i64}> {device = ""} : (tensor<!tf_type.variant<tensor<2x2xf32>>>, tensor<2xi32>) -> tensor<1x2x2xf32>
    %16 = "tf.StridedSlice"(%15, %cst_4, %cst_3, %cst_2) <{begin_mask = 0 : i64, ellipsis_mask = 0 : i64, end_mask = 0 : i64, new_axis_mask = 0 : i64, shrink_axis_mask = 1 : i64}> {device = ""} : (tensor<1x2x2xf32>, tensor<1xi32>, tensor<1xi32>, tensor<1xi32>) -> tensor<2x2xf32>
    %17 = "tf.Identity"(%16) {device = ""} : (tensor<2x2xf32>) -> tensor<2x2xf32>
    func.return %17 : tensor<2x2xf32>
  }
  func.func private @functional_11_1_lstm_9_1_while_body_203070(%arg0: tensor<i32> {tf._user_specified_name = "functional_11_1/lstm_9_1/while/loop_counter"}, %arg1: tensor<i32> {tf._user_specified_name = "functional_11_1/lstm_9_1/Max"}, %arg2: tensor<i32>, %arg3: tensor<!tf_type.variant<tensor<2x2xf32>>>, %arg4: tensor<2x2xf32>, %arg5: tensor<2x2xf32>, %arg6: tensor<!tf_type.variant<tensor<2x3xf32>>> {tf._user_specified_name = "functional_11_1/lstm_9_1/TensorArrayUnstack/TensorListFromTensor"}, %arg7: tensor<*x!tf_type.resource> {tf._user_specified_name = "resource"}, %arg8: tensor<*x!tf_type.resource> {tf._user_specified_name = "resource"}, %arg9: tensor<*x!tf_type.resource> {tf._user_specified_name = "resource"}) -> (tensor<i32>, tensor<i32>, tensor<i32>, tensor<!tf_type.variant<tensor<2x2xf32>>>, tensor<2x2xf32>, tensor<2x2xf32>, tensor<!tf_type.variant<tensor<2x3xf32>>>, tensor<*x!tf_type.resource>, tensor<*x!tf_type.resource>, tensor<*x!tf_type.resource>) attributes {tf._construction_context = "kEagerRuntime", tf.signature.is_stateful} {
    %cst = "tf.Const"() <{value = dense<[2, 3]> : tensor<2xi32>}> {device = ""} : () -> tensor<2xi32>
    %cst_1 = "tf.Const"() <{value = dense<0> : tensor<i32>}> {device = ""} : () -> tensor<i32>
    %cst_2 = "tf.Const"() <{value = dense<1> : tensor<i32>}> {device = ""} : () -> tensor<i32>
    %0 = "tf.AddV2"(%arg0, %cst_2) {device = ""} : (tensor<i32>, tensor<i32>) -> tensor<i32>
    %1 = "tf.ReadVariableOp"(%arg9) {device = ""} : (tensor<*x!tf_type.resource>) -> tensor<*xf32>
    %2 = "tf.ReadVariableOp"(%arg8) {device = ""} : (tensor<*x!tf_type.resource>) -> tensor<*xf32>
    %3 = "tf.ReadVariableOp"(%arg7) {device = ""} : (tensor<*x!tf_type.resource>) -> tensor<*xf32>
    %4 = "tf.Identity"(%0) {device = ""} : (tensor<i32>) -> tensor<i32>
    %5 = "tf.Identity"(%arg1) {device = ""} : (tensor<i32>) -> tensor<i32>
    %6 = "tf.AddV2"(%arg2, %cst_2) {device = ""} : (tensor<i32>, tensor<i32>) -> tensor<i32>
    %7 = "tf.Identity"(%6) {device = ""} : (tensor<i32>) -> tensor<i32>
    %8 = "tf.MatMul"(%arg4, %2) <{grad_a = false, grad_b = false, transpose_a = false, transpose_b = false}> {device = ""} : (tensor<2x2xf32>, tensor<*xf32>) -> tensor<2x?xf32>
    %9 = "tf.TensorListGetItem"(%arg6, %arg2, %cst) {device = ""} : (tensor<!tf_type.variant<tensor<2x3xf32>>>, tensor<i32>, tensor<2xi32>) -> tensor<2x3xf32>
    %10 = "tf.MatMul"(%9, %3) <{grad_a = false, grad_b = false, transpose_a = false, transpose_b = false}> {device = ""} : (tensor<2x3xf32>, tensor<*xf32>) -> tensor<2x?xf32>
    %11 = "tf.AddV2"(%10, %8) {device = ""} : (tensor<2x?xf32>, tensor<2x?xf32>) -> tensor<2x?xf32>
    %12 = "tf.BiasAdd"(%11, %1) <{data_format = "NHWC"}> {device = ""} : (tensor<2x?xf32>, tensor<*xf32>) -> tensor<2x?xf32>
    %13, %14, %15, %16 = "tf.Split"(%cst_2, %12) {device = ""} : (tensor<i32>, tensor<2x?xf32>) -> (tensor<2x?xf32>, tensor<2x?xf32>, tensor<2x?xf32>, tensor<2x?xf32>)
    %17 = "tf.Sigmoid"(%13) {device = ""} : (tensor<2x?xf32>) -> tensor<2x?xf32>
    %18 = "tf.Sigmoid"(%14) {device = ""} : (tensor<2x?xf32>) -> tensor<2x?xf32>
    %19 = "tf.Mul"(%18, %arg5) {device = ""} : (tensor<2x?xf32>, tensor<2x2xf32>) -> tensor<2x2xf32>
    %20 = "tf.Sigmoid"(%16) {device = ""} : (tensor<2x?xf32>) -> tensor<2x?xf32>
    %21 = "tf.Tanh"(%15) {device = ""} : (tensor<2x?xf32>) -> tensor<2x?xf32>
    %22 = "tf.Mul"(%17, %21) {device = ""} : (tensor<2x?xf32>, tensor<2x?xf32>) -> tensor<2x?xf32>
    %23 = "tf.AddV2"(%19, %22) {device = ""} : (tensor<2x2xf32>, tensor<2x?xf32>) -> tensor<2x2xf32>
    %24 = "tf.Identity"(%23) {device = ""} : (tensor<2x2xf32>) -> tensor<2x2xf32>
    %25 = "tf.Tanh"(%23) {device = ""} : (tensor<2x2xf32>) -> tensor<2x2xf32>
    %26 = "tf.Mul"(%20, %25) {device = ""} : (tensor<2x?xf32>, tensor<2x2xf32>) -> tensor<2x2xf32>
    %27 = "tf.Identity"(%26) {device = ""} : (tensor<2x2xf32>) -> tensor<2x2xf32>
    %28 = "tf.TensorListSetItem"(%arg3, %cst_1, %26) <{resize_if_index_out_of_bounds = false}> {device = ""} : (tensor<!tf_type.variant<tensor<2x2xf32>>>, tensor<i32>, tensor<2x2xf32>) -> tensor<!tf_type.variant<tensor<2x2xf32>>>
    %29 = "tf.Identity"(%28) {device = ""} : (tensor<!tf_type.variant<tensor<2x2xf32>>>) -> tensor<!tf_type.variant<tensor<2x2xf32>>>
    func.return %4, %5, %7, %29, %27, %24, %arg6, %arg7, %arg8, %arg9 : tensor<i32>, tensor<i32>, tensor<i32>, tensor<!tf_type.variant<tensor<2x2xf32>>>, tensor<2x2xf32>, tensor<2x2xf32>, tensor<!tf_type.variant<tensor<2x3xf32>>>, tensor<*x!tf_type.resource>, tensor<*x!tf_type.resource>, tensor<*x!tf_type.resource>
  }
  func.func private @functional_11_1_lstm_9_1_while_cond_203060(%arg0: tensor<i32> {tf._user_specified_name = "functional_11_1/lstm_9_1/while/loop_counter"}, %arg1: tensor<i32> {tf._user_specified_name = "functional_11_1/lstm_9_1/Max"}, %arg2: tensor<i32>, %arg3: tensor<!tf_type.variant<tensor<2x2xf32>>>, %arg4: tensor<2x2xf32>, %arg5: tensor<2x2xf32>, %arg6: tensor<!tf_type.variant<tensor<2x3xf32>>>, %arg7: tensor<*x!tf_type.resource>, %arg8: tensor<*x!tf_type.resource>, %arg9: tensor<*x!tf_type.resource>) -> tensor<i1> attributes {tf._construction_context = "kEagerRuntime"} {
    %cst = "tf.Const"() <{value = dense<4> : tensor<i32>}> {device = ""} : () -> tensor<i32>
    %0 = "tf.Less"(%arg0, %arg1) {device = ""} : (tensor<i32>, tensor<i32>) -> tensor<i1>
    %1 = "tf.Less"(%arg2, %cst) {device = ""} : (tensor<i32>, tensor<i32>) -> tensor<i1>
    %2 = "tf.LogicalAnd"(%0, %1) {device = ""} : (tensor<i1>, tensor<i1>) -> tensor<i1>
    %3 = "tf.Identity"(%2) {device = ""} : (tensor<i1>) -> tensor<i1>
    func.return %3 : tensor<i1>
  }
  "tf_saved_model.global_tensor"() {sym_name = "lstm_9/lstm_cell/kernel", type = tensor<3x8xf32>, value = #nn.blob<dense<[[-0.7272349, -1.1889749, 0.44144332, 0.38067517, 0.36614344, -0.24373557, 0.091473065, -0.4826633], [0.8671756, 0.39551213, 0.37112802, -0.9749924, 0.40365103, 0.74698603, 0.60813105, 0.39456517], [-0.00047858452, -0.17091642, 0.30082086, 0.19138467, 0.11818726, -0.15461238, 0.84062827, -0.5839217]]> : tensor<3x8xf32>>} : () -> ()
  "tf_saved_model.global_tensor"() {sym_name = "lstm_9/rnn_state", type = tensor<2x2xf32>, value = #nn.blob<dense<0.0> : tensor<2x2xf32>>} : () -> ()
  "tf_saved_model.global_tensor"() {sym_name = "lstm_9/lstm_cell/recurrent_kernel", type = tensor<2x8xf32>, value = #nn.blob<dense<[[-0.011316228, -0.29009044, 0.51602155, 0.7152408, 0.62204444, 0.37770358, -0.701301, 1.0406164], [0.25834805, -0.05423162, 0.010750298, -0.16975957, 0.21194029, 0.15508391, -0.18005002, -1.2849457]]> : tensor<2x8xf32>>} : () -> ()
  "tf_saved_model.global_tensor"() {sym_name = "lstm_9/lstm_cell/bias", type = tensor<8xf32>, value = #nn.blob<dense<[-0.017560668, 0.23841798, 0.26308393, -0.0767325, 0.22665739, 0.51415944, -0.23512514, 0.7331395]> : tensor<8xf32>>} : () -> ()
  "tf_saved_model.global_tensor"() {sym_name = "lstm_9/rnn_state_1", type = tensor<2x2xf32>, value = #nn.blob<dense<0.0> : tensor<2x2xf32>>} : () -> ()
}
