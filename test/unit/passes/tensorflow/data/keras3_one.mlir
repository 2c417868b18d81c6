builtin.module attributes {tf.versions = {bad_consumers = [], min_consumer = 0 : i32, producer = 2474 : i32}} {
  func.func @__inference_flat_24359(%arg0: tensor<1x4x3xf32> {tf._user_specified_name = "x"}, %arg1: tensor<*x!tf_type.resource> {tf._user_specified_name = "resource", tf_saved_model.bound_input = @"lstm_13/lstm_cell/kernel"}, %arg2: tensor<*x!tf_type.resource> {tf._user_specified_name = "resource", tf_saved_model.bound_input = @"lstm_13/lstm_cell/recurrent_kernel"}, %arg3: tensor<*x!tf_type.resource> {tf._user_specified_name = "resource", tf_saved_model.bound_input = @"lstm_13/lstm_cell/bias"}) -> tensor<1x2xf32> attributes {allow_soft_placement = false, tf.entry_function = {control_outputs = "functional_16_1/lstm_13_1/lstm_cell_1/Cast/ReadVariableOp,functional_16_1/lstm_13_1/lstm_cell_1/Cast_1/ReadVariableOp,functional_16_1/lstm_13_1/lstm_cell_1/BiasAdd_1/ReadVariableOp,functional_16_1/lstm_13_1/while", inputs = "x,functional_16_1_lstm_13_1_lstm_cell_1_cast_readvariableop_resource,functional_16_1_lstm_13_1_lstm_cell_1_cast_1_readvariableop_resource,functional_16_1_lstm_13_1_lstm_cell_1_biasadd_1_readvariableop_resource", outputs = "identity_RetVal"}} {
    %cst = "tf.Const"() <{value = dense<4> : tensor<i32>}> : () -> tensor<i32>
    %cst_1 = "tf.Const"() <{value = dense<0.000000e+00> : tensor<1x2xf32>}> {device = ""} : () -> tensor<1x2xf32>
    %cst_2 = "tf.Const"() <{value = dense<[1, 0, 2]> : tensor<3xi32>}> {device = ""} : () -> tensor<3xi32>
    %cst_3 = "tf.Const"() <{value = dense<1> : tensor<1xi32>}> {device = ""} : () -> tensor<1xi32>
    %cst_4 = "tf.Const"() <{value = dense<0> : tensor<1xi32>}> {device = ""} : () -> tensor<1xi32>
    %cst_5 = "tf.Const"() <{value = dense<-1> : tensor<1xi32>}> {device = ""} : () -> tensor<1xi32>
    %cst_6 = "tf.Const"() <{value = dense<0> : tensor<i32>}> {device = ""} : () -> tensor<i32>
    %cst_7 = "tf.Const"() <{value = dense<[1, 3]> : tensor<2xi32>}> {device = ""} : () -> tensor<2xi32>
    %cst_8 = "tf.Const"() <{value = dense<[1, 2]> : tensor<2xi32>}> {device = ""} : () -> tensor<2xi32>
    %cst_9 = "tf.Const"() <{value = dense<1> : tensor<i32>}> {device = ""} : () -> tensor<i32>
    %0 = "tf.TensorListReserve"(%cst_8, %cst_9) {device = ""} : (tensor<2xi32>, tensor<i32>) -> tensor<!tf_type.variant<tensor<1x2xf32>>>
    %1 = "tf.Transpose"(%arg0, %cst_2) {device = ""} : (tensor<1x4x3xf32>, tensor<3xi32>) -> tensor<4x1x3xf32>
    %2 = "tf.TensorListFromTensor"(%1, %cst_7) {device = ""} : (tensor<4x1x3xf32>, tensor<2xi32>) -> tensor<!tf_type.variant<tensor<1x3xf32>>>
    %3, %4, %5, %6, %7, %8, %9, %10, %11, %12 = "tf.While"(%cst_6, %cst, %cst_6, %0, %cst_1, %cst_1, %2, %arg1, %arg2, %arg3) <{body = @functional_16_1_lstm_13_1_while_body_242750, cond = @functional_16_1_lstm_13_1_while_cond_242740, is_stateless = false, parallel_iterations = 32 : i64, shape_invariant}> {_lower_using_switch_merge = true, _num_original_outputs = 10 : i64, _read_only_resource_inputs = [7 : i64, 8 : i64, 9 : i64], device = ""} : (tensor<i32>, tensor<i32>, tensor<i32>, tensor<!tf_type.variant<tensor<1x2xf32>>>, tensor<1x2xf32>, tensor<1x2xf32>, tensor<!tf_type.variant<tensor<1x3xf32>>>, tensor<*x!tf_type.resource>, tensor<*x!tf_type.resource>, tensor<*x!tf_type.resource>) -> (tensor<i32>, tensor<i32>, tensor<i32>, tensor<!tf_type.variant<tensor<1x2xf32>>>, tensor<1x2xf32>, tensor<1x2xf32>, tensor<!tf_type.variant<tensor<1x3xf32>>>, tensor<!tf_type.resource>, tensor<!tf_type.resource>, tensor<!tf_type.resource>)
    %13 = "tf.TensorListStack"(%6, %cst_8) <{num_elements = 1 : i64}> {device = ""} : (tensor<!tf_type.variant<tensor<1x2xf32>>>, tensor<2xi32>) -> tensor<1x1x2xf32>
    %14 = "tf.StridedSlice"(%13, %cst_5, %cst_4, %cst_3) <{begin_mask = 0 : i64, ellipsis_mask = 0 : i64, end_mask = 0 : i64, new_axis_mask = 0 : i64, shrink_axis_mask = 1 : i64}> {device = ""} : (tensor<1x1x2xf32>, tensor<1xi32>, tensor<1xi32>, tensor<1xi32>) -> tensor<1x2xf32>
    %15 = "tf.Identity"(%14) {device = ""} : (tensor<1x2xf32>) -> tensor<1x2xf32>
    func.return %15 : tensor<1x2xf32>
  }
  func.func private @functional_16_1_lstm_13_1_while_body_242750(%arg0: tensor<i32> {tf._user_specified_name = "functional_16_1/lstm_13_1/while/loop_counter"}, %arg1: tensor<i32> {tf._user_specified_name = "functional_16_1/lstm_13_1/Max"}, %arg2: tensor<i32>, %arg3: tensor<!tf_type.variant<tensor<1x2xf32>>>, %arg4: tensor<1x2xf32>, %arg5: tensor<1x2xf32>, %arg6: tensor<!tf_type.variant<tensor<1x3xf32>>> {tf._user_specified_name = "functional_16_1/lstm_13_1/TensorArrayUnstack/TensorListFromTensor"}, %arg7: tensor<*x!tf_type.resource> {tf._user_specified_name = "resource"}, %arg8: tensor<*x!tf_type.resource> {tf._user_specified_name = "resource"}, %arg9: tensor<*x!tf_type.resource> {tf._user_specified_name = "resource"}) -> (tensor<i32>, tensor<i32>, tensor<i32>, tensor<!tf_type.variant<tensor<1x2xf32>>>, tensor<1x2xf32>, tensor<1x2xf32>, tensor<!tf_type.variant<tensor<1x3xf32>>>, tensor<*x!tf_type.resource>, tensor<*x!tf_type.resource>, tensor<*x!tf_type.resource>) attributes {tf._construction_context = "kEagerRuntime", tf.signature.is_stateful} {
    %cst = "tf.Const"() <{value = dense<[1, 3]> : tensor<2xi32>}> {device = ""} : () -> tensor<2xi32>
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
    %8 = "tf.MatMul"(%arg4, %2) <{grad_a = false, grad_b = false, transpose_a = false, transpose_b = false}> {device = ""} : (tensor<1x2xf32>, tensor<*xf32>) -> tensor<1x?xf32>
    %9 = "tf.Squeeze"(%8) <{squeeze_dims = []}> {device = ""} : (tensor<1x?xf32>) -> tensor<*xf32>
    %10 = "tf.TensorListGetItem"(%arg6, %arg2, %cst) {device = ""} : (tensor<!tf_type.variant<tensor<1x3xf32>>>, tensor<i32>, tensor<2xi32>) -> tensor<1x3xf32>
    %11 = "tf.MatMul"(%10, %3) <{grad_a = false, grad_b = false, transpose_a = false, transpose_b = false}> {device = ""} : (tensor<1x3xf32>, tensor<*xf32>) -> tensor<1x?xf32>
    %12 = "tf.BiasAdd"(%11, %9) <{data_format = "NHWC"}> {device = ""} : (tensor<1x?xf32>, tensor<*xf32>) -> tensor<1x?xf32>
    %13 = "tf.BiasAdd"(%12, %1) <{data_format = "NHWC"}> {device = ""} : (tensor<1x?xf32>, tensor<*xf32>) -> tensor<1x?xf32>
    %14, %15, %16, %17 = "tf.Split"(%cst_2, %13) {device = ""} : (tensor<i32>, tensor<1x?xf32>) -> (tensor<1x?xf32>, tensor<1x?xf32>, tensor<1x?xf32>, tensor<1x?xf32>)
    %18 = "tf.Sigmoid"(%14) {device = ""} : (tensor<1x?xf32>) -> tensor<1x?xf32>
    %19 = "tf.Sigmoid"(%15) {device = ""} : (tensor<1x?xf32>) -> tensor<1x?xf32>
    %20 = "tf.Mul"(%19, %arg5) {device = ""} : (tensor<1x?xf32>, tensor<1x2xf32>) -> tensor<1x2xf32>
    %21 = "tf.Sigmoid"(%17) {device = ""} : (tensor<1x?xf32>) -> tensor<1x?xf32>
    %22 = "tf.Tanh"(%16) {device = ""} : (tensor<1x?xf32>) -> tensor<1x?xf32>
    %23 = "tf.Mul"(%18, %22) {device = ""} : (tensor<1x?xf32>, tensor<1x?xf32>) -> tensor<1x?xf32>
    %24 = "tf.AddV2"(%20, %23) {device = ""} : (tensor<1x2xf32>, tensor<1x?xf32>) -> tensor<1x2xf32>
    %25 = "tf.Identity"(%24) {device = ""} : (tensor<1x2xf32>) -> tensor<1x2xf32>
    %26 = "tf.Tanh"(%24) {device = ""} : (tensor<1x2xf32>) -> tensor<1x2xf32>
    %27 = "tf.Mul"(%21, %26) {device = ""} : (tensor<1x?xf32>, tensor<1x2xf32>) -> tensor<1x2xf32>
    %28 = "tf.Identity"(%27) {device = ""} : (tensor<1x2xf32>) -> tensor<1x2xf32>
    %29 = "tf.TensorListSetItem"(%arg3, %cst_1, %27) <{resize_if_index_out_of_bounds = false}> {device = ""} : (tensor<!tf_type.variant<tensor<1x2xf32>>>, tensor<i32>, tensor<1x2xf32>) -> tensor<!tf_type.variant<tensor<1x2xf32>>>
    %30 = "tf.Identity"(%29) {device = ""} : (tensor<!tf_type.variant<tensor<1x2xf32>>>) -> tensor<!tf_type.variant<tensor<1x2xf32>>>
    func.return %4, %5, %7, %30, %28, %25, %arg6, %arg7, %arg8, %arg9 : tensor<i32>, tensor<i32>, tensor<i32>, tensor<!tf_type.variant<tensor<1x2xf32>>>, tensor<1x2xf32>, tensor<1x2xf32>, tensor<!tf_type.variant<tensor<1x3xf32>>>, tensor<*x!tf_type.resource>, tensor<*x!tf_type.resource>, tensor<*x!tf_type.resource>
  }
  func.func private @functional_16_1_lstm_13_1_while_cond_242740(%arg0: tensor<i32> {tf._user_specified_name = "functional_16_1/lstm_13_1/while/loop_counter"}, %arg1: tensor<i32> {tf._user_specified_name = "functional_16_1/lstm_13_1/Max"}, %arg2: tensor<i32>, %arg3: tensor<!tf_type.variant<tensor<1x2xf32>>>, %arg4: tensor<1x2xf32>, %arg5: tensor<1x2xf32>, %arg6: tensor<!tf_type.variant<tensor<1x3xf32>>>, %arg7: tensor<*x!tf_type.resource>, %arg8: tensor<*x!tf_type.resource>, %arg9: tensor<*x!tf_type.resource>) -> tensor<i1> attributes {tf._construction_context = "kEagerRuntime"} {
    %cst = "tf.Const"() <{value = dense<4> : tensor<i32>}> {device = ""} : () -> tensor<i32>
    %0 = "tf.Less"(%arg0, %arg1) {device = ""} : (tensor<i32>, tensor<i32>) -> tensor<i1>
    %1 = "tf.Less"(%arg2, %cst) {device = ""} : (tensor<i32>, tensor<i32>) -> tensor<i1>
    %2 = "tf.LogicalAnd"(%0, %1) {device = ""} : (tensor<i1>, tensor<i1>) -> tensor<i1>
    %3 = "tf.Identity"(%2) {device = ""} : (tensor<i1>) -> tensor<i1>
    func.return %3 : tensor<i1>
  }
  "tf_saved_model.global_tensor"() {sym_name = "lstm_13/lstm_cell/kernel", type = tensor<3x8xf32>, value = #nn.blob<dense<[[-0.63519925, -0.78954494, -0.47737467, -0.12010935, 0.5750517, 0.34992954, 0.23188192, -0.21186803], [-0.36095616, 0.016632328, 0.068833366, 0.12810561, 0.18577406, -0.058806974, -0.96232814, -0.5576195], [-0.41280717, 0.8483664, -0.21363623, 0.33751705, 0.73211926, 0.16668183, -0.19639578, -0.1466105]]> : tensor<3x8xf32>>} : () -> ()
  "tf_saved_model.global_tensor"() {sym_name = "lstm_13/lstm_cell/recurrent_kernel", type = tensor<2x8xf32>, value = #nn.blob<dense<[[-0.5111963, 0.15326944, 0.5640349, 0.2849057, 0.3856586, 0.35884047, 1.0020115, -0.31690654], [0.07876193, 0.35273802, 0.62363315, -1.2138212, -0.2611708, -0.10424683, -0.5147101, 0.42356718]]> : tensor<2x8xf32>>} : () -> ()
  "tf_saved_model.global_tensor"() {sym_name = "lstm_13/lstm_cell/bias", type = tensor<8xf32>, value = #nn.blob<dense<[0.10949476, -0.19822481, -0.81706023, -0.66188616, -0.49266735, 0.22740601, -0.60963047, -1.034714]> : tensor<8xf32>>} : () -> ()
}
