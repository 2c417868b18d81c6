builtin.module attributes {tf.versions = {bad_consumers = [], min_consumer = 0 : i32, producer = 2474 : i32}} {
  func.func @__inference_flat_20879(%arg0: tensor<?x?x3xf32> {tf._user_specified_name = "x"}, %arg1: tensor<*x!tf_type.resource> {tf._user_specified_name = "resource", tf_saved_model.bound_input = @"lstm_11/lstm_cell/kernel"}, %arg2: tensor<*x!tf_type.resource> {tf._user_specified_name = "resource", tf_saved_model.bound_input = @"lstm_11/lstm_cell/recurrent_kernel"}, %arg3: tensor<*x!tf_type.resource> {tf._user_specified_name = "resource", tf_saved_model.bound_input = @"lstm_11/lstm_cell/bias"}) -> tensor<?x?x2xf32> attributes {allow_soft_placement = false, tf.entry_function = {control_outputs = "functional_13_1/lstm_11_1/lstm_cell_1/Cast/ReadVariableOp,functional_13_1/lstm_11_1/lstm_cell_1/Cast_1/ReadVariableOp,functional_13_1/lstm_11_1/lstm_cell_1/BiasAdd/ReadVariableOp,functional_13_1/lstm_11_1/while", inputs = "x,functional_13_1_lstm_11_1_lstm_cell_1_cast_readvariableop_resource,functional_13_1_lstm_11_1_lstm_cell_1_cast_1_readvariableop_resource,functional_13_1_lstm_11_1_lstm_cell_1_biasadd_readvariableop_resource", outputs = "identity_RetVal"}} {
    %cst = "tf.Const"() <{value = dense<[-1, 3]> : tensor<2xi32>}> {device = ""} : () -> tensor<2xi32>
    %cst_1 = "tf.Const"() <{value = dense<[-1, 2]> : tensor<2xi32>}> {device = ""} : () -> tensor<2xi32>
    %cst_2 = "tf.Const"() <{value = dense<0> : tensor<1xi32>}> {device = ""} : () -> tensor<1xi32>
    %cst_3 = "tf.Const"() <{value = dense<1> : tensor<1xi32>}> {device = ""} : () -> tensor<1xi32>
    %cst_4 = "tf.Const"() <{value = dense<0> : tensor<i32>}> {device = ""} : () -> tensor<i32>
    %cst_5 = "tf.Const"() <{value = dense<[1, 0, 2]> : tensor<3xi32>}> {device = ""} : () -> tensor<3xi32>
    %cst_6 = "tf.Const"() <{value = dense<0.000000e+00> : tensor<f32>}> {device = ""} : () -> tensor<f32>
    %cst_7 = "tf.Const"() <{value = dense<2> : tensor<i32>}> {device = ""} : () -> tensor<i32>
    %0 = "tf.Shape"(%arg0) {device = ""} : (tensor<?x?x3xf32>) -> tensor<3xi32>
    %1 = "tf.StridedSlice"(%0, %cst_2, %cst_3, %cst_3) <{begin_mask = 0 : i64, ellipsis_mask = 0 : i64, end_mask = 0 : i64, new_axis_mask = 0 : i64, shrink_axis_mask = 1 : i64}> {device = ""} : (tensor<3xi32>, tensor<1xi32>, tensor<1xi32>, tensor<1xi32>) -> tensor<i32>
    %2 = "tf.Pack"(%1, %cst_7) <{axis = 0 : i64}> {device = ""} : (tensor<i32>, tensor<i32>) -> tensor<2xi32>
    %3 = "tf.Fill"(%2, %cst_6) {device = ""} : (tensor<2xi32>, tensor<f32>) -> tensor<?x2xf32>
    %4 = "tf.Transpose"(%arg0, %cst_5) {device = ""} : (tensor<?x?x3xf32>, tensor<3xi32>) -> tensor<?x?x3xf32>
    %5 = "tf.Shape"(%4) {device = ""} : (tensor<?x?x3xf32>) -> tensor<3xi32>
    %6 = "tf.StridedSlice"(%5, %cst_2, %cst_3, %cst_3) <{begin_mask = 0 : i64, ellipsis_mask = 0 : i64, end_mask = 0 : i64, new_axis_mask = 0 : i64, shrink_axis_mask = 1 : i64}> {device = ""} : (tensor<3xi32>, tensor<1xi32>, tensor<1xi32>, tensor<1xi32>) -> tensor<i32>
    %7 = "tf.TensorListReserve"(%cst_1, %6) {device = ""} : (tensor<2xi32>, tensor<i32>) -> tensor<!tf_type.variant<tensor<?x2xf32>>>
    %8 = "tf.TensorListFromTensor"(%4, %cst) {device = ""} : (tensor<?x?x3xf32>, tensor<2xi32>) -> tensor<!tf_type.variant<tensor<?x3xf32>>>
    %9, %10, %11, %12, %13, %14, %15, %16, %17, %18, %19 = "tf.While"(%cst_4, %6, %cst_4, %7, %3, %3, %6, %8, %arg1, %arg2, %arg3) <{body = @functional_13_1_lstm_11_1_while_body_207950, cond = @functional_13_1_lstm_11_1_while_cond_207940, is_stateless = false, parallel_iterations = 32 : i64, shape_invariant}> {_lower_using_switch_merge = true, _num_original_outputs = 11 : i64, _read_only_resource_inputs = [8 : i64, 9 : i64, 10 : i64], device = ""} : (tensor<i32>, tensor<i32>, tensor<i32>, tensor<!tf_type.variant<tensor<?x2xf32>>>, tensor<?x2xf32>, tensor<?x2xf32>, tensor<i32>, tensor<!tf_type.variant<tensor<?x3xf32>>>, tensor<*x!tf_type.resource>, tensor<*x!tf_type.resource>, tensor<*x!tf_type.resource>) -> (tensor<i32>, tensor<i32>, tensor<i32>, tensor<!tf_type.variant<tensor<?x2xf32>>>, tensor<?x2xf32>, tensor<?x2xf32>, tensor<i32>, tensor<!tf_type.variant<tensor<?x3xf32>>>, tensor<!tf_type.resource>, tensor<!tf_type.resource>, tensor<!tf_type.resource>)
    %20 = "tf.TensorListStack"(%12, %cst_1) <{num_elements = -1 : i64}> {device = ""} : (tensor<!tf_type.variant<tensor<?x2xf32>>>, tensor<2xi32>) -> tensor<?x?x2xf32>
    %21 = "tf.Transpose"(%20, %cst_5) {device = ""} : (tensor<?x?x2xf32>, tensor<3xi32>) -> tensor<?x?x2xf32>
    %22 = "tf.Identity"(%21) {device = ""} : (tensor<?x?x2xf32>) -> tensor<?x?x2xf32>
    func.return %22 : tensor<?x?x2xf32>
  }
  func.func private @functional_13_1_lstm_11_1_while_body_207950(%arg0: tensor<i32> {tf._user_specified_name = "functional_13_1/lstm_11_1/while/loop_counter"}, %arg1: tensor<i32> {tf._user_specified_name = "functional_13_1/lstm_11_1/strided_slice_3"}, %arg2: tensor<i32>, %arg3: tensor<!tf_type.variant<tensor<?x2xf32>>>, %arg4: tensor<?x2xf32>, %arg5: tensor<?x2xf32>, %arg6: tensor<i32> {tf._user_specified_name = "functional_13_1/lstm_11_1/strided_slice_3"}, %arg7: tensor<!tf_type.variant<tensor<?x3xf32>>> {tf._user_specified_name = "functional_13_1/lstm_11_1/TensorArrayUnstack/TensorListFromTensor"}, %arg8: tensor<*x!tf_type.resource> {tf._user_specified_name = "resource"}, %arg9: tensor<*x!tf_type.resource> {tf._user_specified_name = "resource"}, %arg10: tensor<*x!tf_type.resource> {tf._user_specified_name = "resource"}) -> (tensor<i32>, tensor<i32>, tensor<i32>, tensor<!tf_type.variant<tensor<?x2xf32>>>, tensor<?x2xf32>, tensor<?x2xf32>, tensor<i32>, tensor<!tf_type.variant<tensor<?x3xf32>>>, tensor<*x!tf_type.resource>, tensor<*x!tf_type.resource>, tensor<*x!tf_type.resource>) attributes {tf._construction_context = "kEagerRuntime", tf.signature.is_stateful} {
    %cst = "tf.Const"() <{value = dense<[-1, 3]> : tensor<2xi32>}> {device = ""} : () -> tensor<2xi32>
    %cst_1 = "tf.Const"() <{value = dense<1> : tensor<i32>}> {device = ""} : () -> tensor<i32>
    %0 = "tf.AddV2"(%arg0, %cst_1) {device = ""} : (tensor<i32>, tensor<i32>) -> tensor<i32>
    %1 = "tf.ReadVariableOp"(%arg10) {device = ""} : (tensor<*x!tf_type.resource>) -> tensor<*xf32>
    %2 = "tf.ReadVariableOp"(%arg9) {device = ""} : (tensor<*x!tf_type.resource>) -> tensor<*xf32>
    %3 = "tf.ReadVariableOp"(%arg8) {device = ""} : (tensor<*x!tf_type.resource>) -> tensor<*xf32>
    %4 = "tf.Identity"(%0) {device = ""} : (tensor<i32>) -> tensor<i32>
    %5 = "tf.Identity"(%arg1) {device = ""} : (tensor<i32>) -> tensor<i32>
    %6 = "tf.AddV2"(%arg2, %cst_1) {device = ""} : (tensor<i32>, tensor<i32>) -> tensor<i32>
    %7 = "tf.Identity"(%6) {device = ""} : (tensor<i32>) -> tensor<i32>
    %8 = "tf.MatMul"(%arg4, %2) <{grad_a = false, grad_b = false, transpose_a = false, transpose_b = false}> {device = ""} : (tensor<?x2xf32>, tensor<*xf32>) -> tensor<?x?xf32>
    %9 = "tf.TensorListGetItem"(%arg7, %arg2, %cst) {device = ""} : (tensor<!tf_type.variant<tensor<?x3xf32>>>, tensor<i32>, tensor<2xi32>) -> tensor<?x3xf32>
    %10 = "tf.MatMul"(%9, %3) <{grad_a = false, grad_b = false, transpose_a = false, transpose_b = false}> {device = ""} : (tensor<?x3xf32>, tensor<*xf32>) -> tensor<?x?xf32>
    %11 = "tf.AddV2"(%10, %8) {device = ""} : (tensor<?x?xf32>, tensor<?x?xf32>) -> tensor<?x?xf32>
    %12 = "tf.BiasAdd"(%11, %1) <{data_format = "NHWC"}> {device = ""} : (tensor<?x?xf32>, tensor<*xf32>) -> tensor<?x?xf32>
    %13, %14, %15, %16 = "tf.Split"(%cst_1, %12) {device = ""} : (tensor<i32>, tensor<?x?xf32>) -> (tensor<?x?xf32>, tensor<?x?xf32>, tensor<?x?xf32>, tensor<?x?xf32>)
    %17 = "tf.Sigmoid"(%13) {device = ""} : (tensor<?x?xf32>) -> tensor<?x?xf32>
    %18 = "tf.Sigmoid"(%14) {device = ""} : (tensor<?x?xf32>) -> tensor<?x?xf32>
    %19 = "tf.Mul"(%18, %arg5) {device = ""} : (tensor<?x?xf32>, tensor<?x2xf32>) -> tensor<?x2xf32>
    %20 = "tf.Sigmoid"(%16) {device = ""} : (tensor<?x?xf32>) -> tensor<?x?xf32>
    %21 = "tf.Tanh"(%15) {device = ""} : (tensor<?x?xf32>) -> tensor<?x?xf32>
    %22 = "tf.Mul"(%17, %21) {device = ""} : (tensor<?x?xf32>, tensor<?x?xf32>) -> tensor<?x?xf32>
    %23 = "tf.AddV2"(%19, %22) {device = ""} : (tensor<?x2xf32>, tensor<?x?xf32>) -> tensor<?x2xf32>
    %24 = "tf.Identity"(%23) {device = ""} : (tensor<?x2xf32>) -> tensor<?x2xf32>
    %25 = "tf.Tanh"(%23) {device = ""} : (tensor<?x2xf32>) -> tensor<?x2xf32>
    %26 = "tf.Mul"(%20, %25) {device = ""} : (tensor<?x?xf32>, tensor<?x2xf32>) -> tensor<?x2xf32>
    %27 = "tf.Identity"(%26) {device = ""} : (tensor<?x2xf32>) -> tensor<?x2xf32>
    %28 = "tf.TensorListSetItem"(%arg3, %arg2, %26) <{resize_if_index_out_of_bounds = false}> {device = ""} : (tensor<!tf_type.variant<tensor<?x2xf32>>>, tensor<i32>, tensor<?x2xf32>) -> tensor<!tf_type.variant<tensor<?x2xf32>>>
    %29 = "tf.Identity"(%28) {device = ""} : (tensor<!tf_type.variant<tensor<?x2xf32>>>) -> tensor<!tf_type.variant<tensor<?x2xf32>>>
    func.return %4, %5, %7, %29, %27, %24, %arg6, %arg7, %arg8, %arg9, %arg10 : tensor<i32>, tensor<i32>, tensor<i32>, tensor<!tf_type.variant<tensor<?x2xf32>>>, tensor<?x2xf32>, tensor<?x2xf32>, tensor<i32>, tensor<!tf_type.variant<tensor<?x3xf32>>>, tensor<*x!tf_type.resource>, tensor<*x!tf_type.resource>, tensor<*x!tf_type.resource>
  }
  func.func private @functional_13_1_lstm_11_1_while_cond_207940(%arg0: tensor<i32> {tf._user_specified_name = "functional_13_1/lstm_11_1/while/loop_counter"}, %arg1: tensor<i32> {tf._user_specified_name = "functional_13_1/lstm_11_1/strided_slice_3"}, %arg2: tensor<i32>, %arg3: tensor<!tf_type.variant<tensor<?x2xf32>>>, %arg4: tensor<?x2xf32>, %arg5: tensor<?x2xf32>, %arg6: tensor<i32> {tf._user_specified_name = "functional_13_1/lstm_11_1/strided_slice_3"}, %arg7: tensor<!tf_type.variant<tensor<?x3xf32>>>, %arg8: tensor<*x!tf_type.resource>, %arg9: tensor<*x!tf_type.resource>, %arg10: tensor<*x!tf_type.resource>) -> tensor<i1> attributes {tf._construction_context = "kEagerRuntime"} {
    %0 = "tf.Less"(%arg0, %arg1) {device = ""} : (tensor<i32>, tensor<i32>) -> tensor<i1>
    %1 = "tf.Less"(%arg2, %arg6) {device = ""} : (tensor<i32>, tensor<i32>) -> tensor<i1>
    %2 = "tf.LogicalAnd"(%0, %1) {device = ""} : (tensor<i1>, tensor<i1>) -> tensor<i1>
    %3 = "tf.Identity"(%2) {device = ""} : (tensor<i1>) -> tensor<i1>
    func.return %3 : tensor<i1>
  }
  "tf_saved_model.global_tensor"() {sym_name = "lstm_11/lstm_cell/kernel", type = tensor<3x8xf32>, value = #nn.blob<dense<[[0.6111728, -0.10485119, -0.2701375, -0.1388597, -0.6697339, 0.15230729, 0.65935075, 0.5692303], [-0.78289956, 0.68175596, -0.38211843, -0.95647615, -0.61473614, -0.48325706, -0.0034739203, -0.51598775], [-0.7551227, -0.13224702, 0.961952, -0.35117543, 0.23212676, 0.039973415, 1.3290339, -0.9491291]]> : tensor<3x8xf32>>} : () -> ()
  "tf_saved_model.global_tensor"() {sym_name = "lstm_11/lstm_cell/recurrent_kernel", type = tensor<2x8xf32>, value = #nn.blob<dense<[[0.5476908, -0.6406925, -0.29620764, -0.048340827, 1.5930431, -0.38150266, -0.94444203, 0.6486818], [-0.41961804, -0.121475175, -0.012020911, 0.04849439, -0.08506931, 0.13387822, 0.1936798, 0.42696142]]> : tensor<2x8xf32>>} : () -> ()
  "tf_saved_model.global_tensor"() {sym_name = "lstm_11/lstm_cell/bias", type = tensor<8xf32>, value = #nn.blob<dense<[-0.21361656, -0.37436506, -0.5317751, 0.29635444, -0.023149073, 0.2766023, 0.26909813, 0.8429385]> : tensor<8xf32>>} : () -> ()
}
