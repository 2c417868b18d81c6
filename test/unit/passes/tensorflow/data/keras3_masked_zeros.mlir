builtin.module attributes {tf.versions = {bad_consumers = [], min_consumer = 0 : i32, producer = 2474 : i32}} {
  func.func @__inference_flat_247(%arg0: tensor<2x4x3xf32> {tf._user_specified_name = "x"}, %arg1: tensor<*x!tf_type.resource> {tf._user_specified_name = "resource", tf_saved_model.bound_input = @"lstm/lstm_cell/kernel"}, %arg2: tensor<*x!tf_type.resource> {tf._user_specified_name = "resource", tf_saved_model.bound_input = @"lstm/lstm_cell/recurrent_kernel"}, %arg3: tensor<*x!tf_type.resource> {tf._user_specified_name = "resource", tf_saved_model.bound_input = @"lstm/lstm_cell/bias"}) -> tensor<2x4x2xf32> attributes {allow_soft_placement = false, tf.entry_function = {control_outputs = "functional_1/lstm_1/lstm_cell_1/Cast/ReadVariableOp,functional_1/lstm_1/lstm_cell_1/Cast_1/ReadVariableOp,functional_1/lstm_1/lstm_cell_1/BiasAdd/ReadVariableOp,functional_1/lstm_1/while", inputs = "x,functional_1_lstm_1_lstm_cell_1_cast_readvariableop_resource,functional_1_lstm_1_lstm_cell_1_cast_1_readvariableop_resource,functional_1_lstm_1_lstm_cell_1_biasadd_readvariableop_resource", outputs = "identity_RetVal"}} {
    %cst = "tf.Const"() <{value = dense<4> : tensor<i32>}> : () -> tensor<i32>
    %cst_1 = "tf.Const"() <{value = dense<0.000000e+00> : tensor<2x2xf32>}> {device = ""} : () -> tensor<2x2xf32>
    %cst_2 = "tf.Const"() <{value = dense<[1, 0, 2]> : tensor<3xi32>}> {device = ""} : () -> tensor<3xi32>
    %cst_3 = "tf.Const"() <{value = dense<-1> : tensor<1xi32>}> {device = ""} : () -> tensor<1xi32>
    %cst_4 = "tf.Const"() <{value = dense<0.000000e+00> : tensor<f32>}> {device = ""} : () -> tensor<f32>
    %cst_5 = "tf.Const"() <{value = dense<-1> : tensor<i32>}> {device = ""} : () -> tensor<i32>
    %cst_6 = "tf.Const"() <{value = dense<0> : tensor<i32>}> {device = ""} : () -> tensor<i32>
    %cst_7 = "tf.Const"() <{value = dense<[2, 3]> : tensor<2xi32>}> {device = ""} : () -> tensor<2xi32>
    %cst_8 = "tf.Const"() <{value = dense<[2, 1]> : tensor<2xi32>}> {device = ""} : () -> tensor<2xi32>
    %cst_9 = "tf.Const"() <{value = dense<2> : tensor<2xi32>}> {device = ""} : () -> tensor<2xi32>
    %0 = "tf.TensorListReserve"(%cst_9, %cst) {device = ""} : (tensor<2xi32>, tensor<i32>) -> tensor<!tf_type.variant<tensor<2x2xf32>>>
    %1 = "tf.NotEqual"(%arg0, %cst_4) <{incompatible_shape_error = true}> {device = ""} : (tensor<2x4x3xf32>, tensor<f32>) -> tensor<2x4x3xi1>
    %2 = "tf.Any"(%1, %cst_3) <{keep_dims = false}> {device = ""} : (tensor<2x4x3xi1>, tensor<1xi32>) -> tensor<2x4xi1>
    %3 = "tf.ExpandDims"(%2, %cst_5) {device = ""} : (tensor<2x4xi1>, tensor<i32>) -> tensor<2x4x1xi1>
    %4 = "tf.Transpose"(%3, %cst_2) {device = ""} : (tensor<2x4x1xi1>, tensor<3xi32>) -> tensor<4x2x1xi1>
    %5 = "tf.TensorListFromTensor"(%4, %cst_8) {device = ""} : (tensor<4x2x1xi1>, tensor<2xi32>) -> tensor<!tf_type.variant<tensor<2x1xi1>>>
    %6 = "tf.Any"(%1, %cst_5) <{keep_dims = true}> {device = ""} : (tensor<2x4x3xi1>, tensor<i32>) -> tensor<2x4x1xi1>
    %7 = "tf.SelectV2"(%6, %arg0, %cst_4) {device = ""} : (tensor<2x4x1xi1>, tensor<2x4x3xf32>, tensor<f32>) -> tensor<2x4x3xf32>
    %8 = "tf.Transpose"(%7, %cst_2) {device = ""} : (tensor<2x4x3xf32>, tensor<3xi32>) -> tensor<4x2x3xf32>
    %9 = "tf.TensorListFromTensor"(%8, %cst_7) {device = ""} : (tensor<4x2x3xf32>, tensor<2xi32>) -> tensor<!tf_type.variant<tensor<2x3xf32>>>
    %10, %11, %12, %13, %14, %15, %16, %17, %18, %19, %20, %21, %22 = "tf.While"(%cst_6, %cst, %cst_6, %0, %cst_1, %cst_1, %cst_1, %9, %5, %arg1, %arg2, %arg3, %cst_1) <{body = @functional_1_lstm_1_while_body_1440, cond = @functional_1_lstm_1_while_cond_1430, is_stateless = false, parallel_iterations = 32 : i64, shape_invariant}> {_lower_using_switch_merge = true, _num_original_outputs = 13 : i64, _read_only_resource_inputs = [9 : i64, 10 : i64, 11 : i64], device = ""} : (tensor<i32>, tensor<i32>, tensor<i32>, tensor<!tf_type.variant<tensor<2x2xf32>>>, tensor<2x2xf32>, tensor<2x2xf32>, tensor<2x2xf32>, tensor<!tf_type.variant<tensor<2x3xf32>>>, tensor<!tf_type.variant<tensor<2x1xi1>>>, tensor<*x!tf_type.resource>, tensor<*x!tf_type.resource>, tensor<*x!tf_type.resource>, tensor<2x2xf32>) -> (tensor<i32>, tensor<i32>, tensor<i32>, tensor<!tf_type.variant<tensor<2x2xf32>>>, tensor<2x2xf32>, tensor<2x2xf32>, tensor<2x2xf32>, tensor<!tf_type.variant<tensor<2x3xf32>>>, tensor<!tf_type.variant<tensor<2x1xi1>>>, tensor<!tf_type.resource>, tensor<!tf_type.resource>, tensor<!tf_type.resource>, tensor<2x2xf32>)
    %23 = "tf.TensorListStack"(%13, %cst_9) <{num_elements = 4 : i64}> {device = ""} : (tensor<!tf_type.variant<tensor<2x2xf32>>>, tensor<2xi32>) -> tensor<4x2x2xf32>
    %24 = "tf.Transpose"(%23, %cst_2) {device = ""} : (tensor<4x2x2xf32>, tensor<3xi32>) -> tensor<2x4x2xf32>
    %25 = "tf.Identity"(%24) {device = ""} : (tensor<2x4x2xf32>) -> tensor<2x4x2xf32>
    func.return %25 : tensor<2x4x2xf32>
  }
  func.func private @functional_1_lstm_1_while_body_1440(%arg0: tensor<i32> {tf._user_specified_name = "functional_1/lstm_1/while/loop_counter"}, %arg1: tensor<i32> {tf._user_specified_name = "functional_1/lstm_1/Max"}, %arg2: tensor<i32>, %arg3: tensor<!tf_type.variant<tensor<2x2xf32>>>, %arg4: tensor<2x2xf32>, %arg5: tensor<2x2xf32>, %arg6: tensor<2x2xf32>, %arg7: tensor<!tf_type.variant<tensor<2x3xf32>>> {tf._user_specified_name = "functional_1/lstm_1/TensorArrayUnstack/TensorListFromTensor"}, %arg8: tensor<!tf_type.variant<tensor<2x1xi1>>> {tf._user_specified_name = "functional_1/lstm_1/TensorArrayUnstack_1/TensorListFromTensor"}, %arg9: tensor<*x!tf_type.resource> {tf._user_specified_name = "resource"}, %arg10: tensor<*x!tf_type.resource> {tf._user_specified_name = "resource"}, %arg11: tensor<*x!tf_type.resource> {tf._user_specified_name = "resource"}, %arg12: tensor<2x2xf32> {tf._user_specified_name = "functional_1/lstm_1/zeros_like"}) -> (tensor<i32>, tensor<i32>, tensor<i32>, tensor<!tf_type.variant<tensor<2x2xf32>>>, tensor<2x2xf32>, tensor<2x2xf32>, tensor<2x2xf32>, tensor<!tf_type.variant<tensor<2x3xf32>>>, tensor<!tf_type.variant<tensor<2x1xi1>>>, tensor<*x!tf_type.resource>, tensor<*x!tf_type.resource>, tensor<*x!tf_type.resource>, tensor<2x2xf32>) attributes {tf._construction_context = "kEagerRuntime", tf.signature.is_stateful} {
    %cst = "tf.Const"() <{value = dense<[2, 3]> : tensor<2xi32>}> {device = ""} : () -> tensor<2xi32>
    %cst_1 = "tf.Const"() <{value = dense<[2, 1]> : tensor<2xi32>}> {device = ""} : () -> tensor<2xi32>
    %cst_2 = "tf.Const"() <{value = dense<1> : tensor<i32>}> {device = ""} : () -> tensor<i32>
    %0 = "tf.AddV2"(%arg0, %cst_2) {device = ""} : (tensor<i32>, tensor<i32>) -> tensor<i32>
    %1 = "tf.ReadVariableOp"(%arg11) {device = ""} : (tensor<*x!tf_type.resource>) -> tensor<*xf32>
    %2 = "tf.ReadVariableOp"(%arg10) {device = ""} : (tensor<*x!tf_type.resource>) -> tensor<*xf32>
    %3 = "tf.ReadVariableOp"(%arg9) {device = ""} : (tensor<*x!tf_type.resource>) -> tensor<*xf32>
    %4 = "tf.Identity"(%0) {device = ""} : (tensor<i32>) -> tensor<i32>
    %5 = "tf.Identity"(%arg1) {device = ""} : (tensor<i32>) -> tensor<i32>
    %6 = "tf.AddV2"(%arg2, %cst_2) {device = ""} : (tensor<i32>, tensor<i32>) -> tensor<i32>
    %7 = "tf.Identity"(%6) {device = ""} : (tensor<i32>) -> tensor<i32>
    %8 = "tf.MatMul"(%arg5, %2) <{grad_a = false, grad_b = false, transpose_a = false, transpose_b = false}> {device = ""} : (tensor<2x2xf32>, tensor<*xf32>) -> tensor<2x?xf32>
    %9 = "tf.TensorListGetItem"(%arg8, %arg2, %cst_1) {device = ""} : (tensor<!tf_type.variant<tensor<2x1xi1>>>, tensor<i32>, tensor<2xi32>) -> tensor<2x1xi1>
    %10 = "tf.TensorListGetItem"(%arg7, %arg2, %cst) {device = ""} : (tensor<!tf_type.variant<tensor<2x3xf32>>>, tensor<i32>, tensor<2xi32>) -> tensor<2x3xf32>
    %11 = "tf.MatMul"(%10, %3) <{grad_a = false, grad_b = false, transpose_a = false, transpose_b = false}> {device = ""} : (tensor<2x3xf32>, tensor<*xf32>) -> tensor<2x?xf32>
    %12 = "tf.AddV2"(%11, %8) {device = ""} : (tensor<2x?xf32>, tensor<2x?xf32>) -> tensor<2x?xf32>
    %13 = "tf.BiasAdd"(%12, %1) <{data_format = "NHWC"}> {device = ""} : (tensor<2x?xf32>, tensor<*xf32>) -> tensor<2x?xf32>
    %14, %15, %16, %17 = "tf.Split"(%cst_2, %13) {device = ""} : (tensor<i32>, tensor<2x?xf32>) -> (tensor<2x?xf32>, tensor<2x?xf32>, tensor<2x?xf32>, tensor<2x?xf32>)
    %18 = "tf.Sigmoid"(%14) {device = ""} : (tensor<2x?xf32>) -> tensor<2x?xf32>
    %19 = "tf.Sigmoid"(%15) {device = ""} : (tensor<2x?xf32>) -> tensor<2x?xf32>
    %20 = "tf.Mul"(%19, %arg6) {device = ""} : (tensor<2x?xf32>, tensor<2x2xf32>) -> tensor<2x2xf32>
    %21 = "tf.Sigmoid"(%17) {device = ""} : (tensor<2x?xf32>) -> tensor<2x?xf32>
    %22 = "tf.Tanh"(%16) {device = ""} : (tensor<2x?xf32>) -> tensor<2x?xf32>
    %23 = "tf.Mul"(%18, %22) {device = ""} : (tensor<2x?xf32>, tensor<2x?xf32>) -> tensor<2x?xf32>
    %24 = "tf.AddV2"(%20, %23) {device = ""} : (tensor<2x2xf32>, tensor<2x?xf32>) -> tensor<2x2xf32>
    %25 = "tf.SelectV2"(%9, %24, %arg6) {device = ""} : (tensor<2x1xi1>, tensor<2x2xf32>, tensor<2x2xf32>) -> tensor<2x2xf32>
    %26 = "tf.Identity"(%25) {device = ""} : (tensor<2x2xf32>) -> tensor<2x2xf32>
    %27 = "tf.Tanh"(%24) {device = ""} : (tensor<2x2xf32>) -> tensor<2x2xf32>
    %28 = "tf.Mul"(%21, %27) {device = ""} : (tensor<2x?xf32>, tensor<2x2xf32>) -> tensor<2x2xf32>
    %29 = "tf.SelectV2"(%9, %28, %arg12) {device = ""} : (tensor<2x1xi1>, tensor<2x2xf32>, tensor<2x2xf32>) -> tensor<2x2xf32>
    %30 = "tf.Identity"(%29) {device = ""} : (tensor<2x2xf32>) -> tensor<2x2xf32>
    %31 = "tf.TensorListSetItem"(%arg3, %arg2, %29) <{resize_if_index_out_of_bounds = false}> {device = ""} : (tensor<!tf_type.variant<tensor<2x2xf32>>>, tensor<i32>, tensor<2x2xf32>) -> tensor<!tf_type.variant<tensor<2x2xf32>>>
    %32 = "tf.Identity"(%31) {device = ""} : (tensor<!tf_type.variant<tensor<2x2xf32>>>) -> tensor<!tf_type.variant<tensor<2x2xf32>>>
    %33 = "tf.SelectV2"(%9, %28, %arg5) {device = ""} : (tensor<2x1xi1>, tensor<2x2xf32>, tensor<2x2xf32>) -> tensor<2x2xf32>
    %34 = "tf.Identity"(%33) {device = ""} : (tensor<2x2xf32>) -> tensor<2x2xf32>
    func.return %4, %5, %7, %32, %30, %34, %26, %arg7, %arg8, %arg9, %arg10, %arg11, %arg12 : tensor<i32>, tensor<i32>, tensor<i32>, tensor<!tf_type.variant<tensor<2x2xf32>>>, tensor<2x2xf32>, tensor<2x2xf32>, tensor<2x2xf32>, tensor<!tf_type.variant<tensor<2x3xf32>>>, tensor<!tf_type.variant<tensor<2x1xi1>>>, tensor<*x!tf_type.resource>, tensor<*x!tf_type.resource>, tensor<*x!tf_type.resource>, tensor<2x2xf32>
  }
  func.func private @functional_1_lstm_1_while_cond_1430(%arg0: tensor<i32> {tf._user_specified_name = "functional_1/lstm_1/while/loop_counter"}, %arg1: tensor<i32> {tf._user_specified_name = "functional_1/lstm_1/Max"}, %arg2: tensor<i32>, %arg3: tensor<!tf_type.variant<tensor<2x2xf32>>>, %arg4: tensor<2x2xf32>, %arg5: tensor<2x2xf32>, %arg6: tensor<2x2xf32>, %arg7: tensor<!tf_type.variant<tensor<2x3xf32>>>, %arg8: tensor<!tf_type.variant<tensor<2x1xi1>>>, %arg9: tensor<*x!tf_type.resource>, %arg10: tensor<*x!tf_type.resource>, %arg11: tensor<*x!tf_type.resource>, %arg12: tensor<2x2xf32>) -> tensor<i1> attributes {tf._construction_context = "kEagerRuntime"} {
    %cst = "tf.Const"() <{value = dense<4> : tensor<i32>}> {device = ""} : () -> tensor<i32>
    %0 = "tf.Less"(%arg0, %arg1) {device = ""} : (tensor<i32>, tensor<i32>) -> tensor<i1>
    %1 = "tf.Less"(%arg2, %cst) {device = ""} : (tensor<i32>, tensor<i32>) -> tensor<i1>
    %2 = "tf.LogicalAnd"(%0, %1) {device = ""} : (tensor<i1>, tensor<i1>) -> tensor<i1>
    %3 = "tf.Identity"(%2) {device = ""} : (tensor<i1>) -> tensor<i1>
    func.return %3 : tensor<i1>
  }
  "tf_saved_model.global_tensor"() {sym_name = "lstm/lstm_cell/kernel", type = tensor<3x8xf32>, value = #nn.blob<dense<[[0.17279209, 0.41080907, 0.16521853, -0.6515786, 0.45267794, 0.22318728, -0.2684766, 0.29055905], [0.1822862, 0.14706625, 0.014211121, 0.2733565, -0.36822703, -0.08145498, -0.24105966, 0.2994231], [0.019861054, -0.14622837, -0.39095423, -0.12859613, 0.0040710904, -0.13780145, 0.6470319, 0.5033622]]> : tensor<3x8xf32>>} : () -> ()
  "tf_saved_model.global_tensor"() {sym_name = "lstm/lstm_cell/recurrent_kernel", type = tensor<2x8xf32>, value = #nn.blob<dense<[[-1.3555813, -0.94450665, -0.08738605, -0.2110952, 0.1068215, 0.108660966, 1.0589194, -0.55601037], [-0.18880251, 1.0213858, 0.3233515, 0.33153167, -0.2570032, -0.8240376, 0.083732374, 0.054507043]]> : tensor<2x8xf32>>} : () -> ()
  "tf_saved_model.global_tensor"() {sym_name = "lstm/lstm_cell/bias", type = tensor<8xf32>, value = #nn.blob<dense<[-0.613676, -0.34161332, -0.03602184, -0.4723758, -0.049134985, 0.047741514, 0.017793119, -0.25314584]> : tensor<8xf32>>} : () -> ()
}
