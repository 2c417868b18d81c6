builtin.module attributes {tf.versions = {bad_consumers = [], min_consumer = 0 : i32, producer = 2474 : i32}} {
  func.func @__inference_flat_10452(%arg0: tensor<2x4x3xf32> {tf._user_specified_name = "x"}, %arg1: tensor<*x!tf_type.resource> {tf._user_specified_name = "resource", tf_saved_model.bound_input = @"gru_1/gru_cell/kernel"}, %arg2: tensor<*x!tf_type.resource> {tf._user_specified_name = "resource", tf_saved_model.bound_input = @"gru_1/gru_cell/bias"}, %arg3: tensor<*x!tf_type.resource> {tf._user_specified_name = "resource", tf_saved_model.bound_input = @"gru_1/gru_cell/recurrent_kernel"}) -> tensor<2x2xf32> attributes {allow_soft_placement = false, tf.entry_function = {control_outputs = "model_8/gru_1/gru_cell/MatMul/ReadVariableOp,model_8/gru_1/gru_cell/BiasAdd/ReadVariableOp,model_8/gru_1/gru_cell/ReadVariableOp,model_8/gru_1/gru_cell/ReadVariableOp_1,model_8/gru_1/while", inputs = "x,model_8_gru_1_gru_cell_matmul_readvariableop_resource,model_8_gru_1_gru_cell_biasadd_readvariableop_resource,model_8_gru_1_gru_cell_readvariableop_resource", outputs = "identity_RetVal"}} {
    %cst = "tf.Const"() <{value = dense<0.000000e+00> : tensor<2x2xf32>}> : () -> tensor<2x2xf32>
    %cst_1 = "tf.Const"() <{value = dense<4> : tensor<i32>}> : () -> tensor<i32>
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
    %3, %4, %5, %6, %7, %8, %9, %10, %11, %12 = "tf.While"(%cst_4, %cst_2, %cst_4, %0, %cst, %cst_1, %2, %arg1, %arg2, %arg3) <{body = @model_8_gru_1_while_body_103550, cond = @model_8_gru_1_while_cond_103540, is_stateless = false, parallel_iterations = 32 : i64, shape_invariant}> {_lower_using_switch_merge = true, _num_original_outputs = 10 : i64, _read_only_resource_inputs = [7 : i64, 8 : i64, 9 : i64], device = ""} : (tensor<i32>, tensor<i32>, tensor<i32>, tensor<!tf_type.variant<tensor<2x2xf32>>>, tensor<2x2xf32>, tensor<i32>, tensor<!tf_type.variant<tensor<2x3xf32>>>, tensor<*x!tf_type.resource>, tensor<*x!tf_type.resource>, tensor<*x!tf_type.resource>) -> (tensor<i32>, tensor<i32>, tensor<i32>, tensor<!tf_type.variant<tensor<2x2xf32>>>, tensor<2x2xf32>, tensor<i32>, tensor<!tf_type.variant<tensor<2x3xf32>>>, tensor<!tf_type.resource>, tensor<!tf_type.resource>, tensor<!tf_type.resource>)
    %13 = "tf.TensorListStack"(%6, %cst_9) <{num_elements = 1 : i64}> {device = ""} : (tensor<!tf_type.variant<tensor<2x2xf32>>>, tensor<2xi32>) -> tensor<1x2x2xf32>
    %14 = "tf.StridedSlice"(%13, %cst_5, %cst_7, %cst_6) <{begin_mask = 0 : i64, ellipsis_mask = 0 : i64, end_mask = 0 : i64, new_axis_mask = 0 : i64, shrink_axis_mask = 1 : i64}> {device = ""} : (tensor<1x2x2xf32>, tensor<1xi32>, tensor<1xi32>, tensor<1xi32>) -> tensor<2x2xf32>
    %15 = "tf.Identity"(%14) {device = ""} : (tensor<2x2xf32>) -> tensor<2x2xf32>
    func.return %15 : tensor<2x2xf32>
  }
  func.func private @model_8_gru_1_while_body_103550(%arg0: tensor<i32> {tf._user_specified_name = "model_8/gru_1/while/loop_counter"}, %arg1: tensor<i32> {tf._user_specified_name = "model_8/gru_1/while/maximum_iterations"}, %arg2: tensor<i32>, %arg3: tensor<!tf_type.variant<tensor<2x2xf32>>>, %arg4: tensor<2x2xf32>, %arg5: tensor<i32> {tf._user_specified_name = "model_8/gru_1/strided_slice_1"}, %arg6: tensor<!tf_type.variant<tensor<2x3xf32>>> {tf._user_specified_name = "model_8/gru_1/TensorArrayUnstack/TensorListFromTensor"}, %arg7: tensor<*x!tf_type.resource> {tf._user_specified_name = "resource"}, %arg8: tensor<*x!tf_type.resource> {tf._user_specified_name = "resource"}, %arg9: tensor<*x!tf_type.resource> {tf._user_specified_name = "resource"}) -> (tensor<i32>, tensor<i32>, tensor<i32>, tensor<!tf_type.variant<tensor<2x2xf32>>>, tensor<2x2xf32>, tensor<i32>, tensor<!tf_type.variant<tensor<2x3xf32>>>, tensor<*x!tf_type.resource>, tensor<*x!tf_type.resource>, tensor<*x!tf_type.resource>) attributes {tf._construction_context = "kEagerRuntime", tf.signature.is_stateful} {
    %cst = "tf.Const"() <{value = dense<[2, 3]> : tensor<2xi32>}> {device = ""} : () -> tensor<2xi32>
    %cst_1 = "tf.Const"() <{value = dense<0> : tensor<i32>}> {device = ""} : () -> tensor<i32>
    %cst_2 = "tf.Const"() <{value = dense<1> : tensor<i32>}> {device = ""} : () -> tensor<i32>
    %cst_3 = "tf.Const"() <{value = dense<[2, 2, -1]> : tensor<3xi32>}> {device = ""} : () -> tensor<3xi32>
    %cst_4 = "tf.Const"() <{value = dense<-1> : tensor<i32>}> {device = ""} : () -> tensor<i32>
    %cst_5 = "tf.Const"() <{value = dense<0> : tensor<2xi32>}> {device = ""} : () -> tensor<2xi32>
    %cst_6 = "tf.Const"() <{value = dense<[0, 4]> : tensor<2xi32>}> {device = ""} : () -> tensor<2xi32>
    %cst_7 = "tf.Const"() <{value = dense<1> : tensor<2xi32>}> {device = ""} : () -> tensor<2xi32>
    %cst_8 = "tf.Const"() <{value = dense<1.000000e+00> : tensor<f32>}> {device = ""} : () -> tensor<f32>
    %0 = "tf.ReadVariableOp"(%arg8) {device = ""} : (tensor<*x!tf_type.resource>) -> tensor<*xf32>
    %1 = "tf.ReadVariableOp"(%arg7) {device = ""} : (tensor<*x!tf_type.resource>) -> tensor<*xf32>
    %2 = "tf.ReadVariableOp"(%arg9) {device = ""} : (tensor<*x!tf_type.resource>) -> tensor<*xf32>
    %3 = "tf.StridedSlice"(%2, %cst_5, %cst_6, %cst_7) <{begin_mask = 3 : i64, ellipsis_mask = 0 : i64, end_mask = 1 : i64, new_axis_mask = 0 : i64, shrink_axis_mask = 0 : i64}> {device = ""} : (tensor<*xf32>, tensor<2xi32>, tensor<2xi32>, tensor<2xi32>) -> tensor<*xf32>
    %4 = "tf.StridedSlice"(%2, %cst_6, %cst_5, %cst_7) <{begin_mask = 1 : i64, ellipsis_mask = 0 : i64, end_mask = 3 : i64, new_axis_mask = 0 : i64, shrink_axis_mask = 0 : i64}> {device = ""} : (tensor<*xf32>, tensor<2xi32>, tensor<2xi32>, tensor<2xi32>) -> tensor<*xf32>
    %5 = "tf.AddV2"(%arg0, %cst_2) {device = ""} : (tensor<i32>, tensor<i32>) -> tensor<i32>
    %6 = "tf.Identity"(%5) {device = ""} : (tensor<i32>) -> tensor<i32>
    %7 = "tf.Identity"(%arg1) {device = ""} : (tensor<i32>) -> tensor<i32>
    %8 = "tf.AddV2"(%arg2, %cst_2) {device = ""} : (tensor<i32>, tensor<i32>) -> tensor<i32>
    %9 = "tf.Identity"(%8) {device = ""} : (tensor<i32>) -> tensor<i32>
    %10 = "tf.MatMul"(%arg4, %3) <{grad_a = false, grad_b = false, transpose_a = false, transpose_b = false}> {device = ""} : (tensor<2x2xf32>, tensor<*xf32>) -> tensor<2x?xf32>
    %11, %12, %13 = "tf.SplitV"(%10, %cst_3, %cst_4) {device = ""} : (tensor<2x?xf32>, tensor<3xi32>, tensor<i32>) -> (tensor<2x2xf32>, tensor<2x2xf32>, tensor<2x?xf32>)
    %14 = "tf.TensorListGetItem"(%arg6, %arg2, %cst) {device = ""} : (tensor<!tf_type.variant<tensor<2x3xf32>>>, tensor<i32>, tensor<2xi32>) -> tensor<2x3xf32>
    %15 = "tf.MatMul"(%14, %1) <{grad_a = false, grad_b = false, transpose_a = false, transpose_b = false}> {device = ""} : (tensor<2x3xf32>, tensor<*xf32>) -> tensor<2x?xf32>
    %16 = "tf.BiasAdd"(%15, %0) <{data_format = "NHWC"}> {device = ""} : (tensor<2x?xf32>, tensor<*xf32>) -> tensor<2x?xf32>
    %17, %18, %19 = "tf.Split"(%cst_4, %16) {device = ""} : (tensor<i32>, tensor<2x?xf32>) -> (tensor<2x?xf32>, tensor<2x?xf32>, tensor<2x?xf32>)
    %20 = "tf.AddV2"(%17, %11) {device = ""} : (tensor<2x?xf32>, tensor<2x2xf32>) -> tensor<2x2xf32>
    %21 = "tf.Sigmoid"(%20) {device = ""} : (tensor<2x2xf32>) -> tensor<2x2xf32>
    %22 = "tf.Mul"(%21, %arg4) {device = ""} : (tensor<2x2xf32>, tensor<2x2xf32>) -> tensor<2x2xf32>
    %23 = "tf.Sub"(%cst_8, %21) {device = ""} : (tensor<f32>, tensor<2x2xf32>) -> tensor<2x2xf32>
    %24 = "tf.AddV2"(%18, %12) {device = ""} : (tensor<2x?xf32>, tensor<2x2xf32>) -> tensor<2x2xf32>
    %25 = "tf.Sigmoid"(%24) {device = ""} : (tensor<2x2xf32>) -> tensor<2x2xf32>
    %26 = "tf.Mul"(%25, %arg4) {device = ""} : (tensor<2x2xf32>, tensor<2x2xf32>) -> tensor<2x2xf32>
    %27 = "tf.MatMul"(%26, %4) <{grad_a = false, grad_b = false, transpose_a = false, transpose_b = false}> {device = ""} : (tensor<2x2xf32>, tensor<*xf32>) -> tensor<2x?xf32>
    %28 = "tf.AddV2"(%19, %27) {device = ""} : (tensor<2x?xf32>, tensor<2x?xf32>) -> tensor<2x?xf32>
    %29 = "tf.Tanh"(%28) {device = ""} : (tensor<2x?xf32>) -> tensor<2x?xf32>
    %30 = "tf.Mul"(%23, %29) {device = ""} : (tensor<2x2xf32>, tensor<2x?xf32>) -> tensor<2x2xf32>
    %31 = "tf.AddV2"(%22, %30) {device = ""} : (tensor<2x2xf32>, tensor<2x2xf32>) -> tensor<2x2xf32>
    %32 = "tf.Identity"(%31) {device = ""} : (tensor<2x2xf32>) -> tensor<2x2xf32>
    %33 = "tf.TensorListSetItem"(%arg3, %cst_1, %31) <{resize_if_index_out_of_bounds = false}> {device = ""} : (tensor<!tf_type.variant<tensor<2x2xf32>>>, tensor<i32>, tensor<2x2xf32>) -> tensor<!tf_type.variant<tensor<2x2xf32>>>
    %34 = "tf.Identity"(%33) {device = ""} : (tensor<!tf_type.variant<tensor<2x2xf32>>>) -> tensor<!tf_type.variant<tensor<2x2xf32>>>
    func.return %6, %7, %9, %34, %32, %arg5, %arg6, %arg7, %arg8, %arg9 : tensor<i32>, tensor<i32>, tensor<i32>, tensor<!tf_type.variant<tensor<2x2xf32>>>, tensor<2x2xf32>, tensor<i32>, tensor<!tf_type.variant<tensor<2x3xf32>>>, tensor<*x!tf_type.resource>, tensor<*x!tf_type.resource>, tensor<*x!tf_type.resource>
  }
  func.func private @model_8_gru_1_while_cond_103540(%arg0: tensor<i32> {tf._user_specified_name = "model_8/gru_1/while/loop_counter"}, %arg1: tensor<i32> {tf._user_specified_name = "model_8/gru_1/while/maximum_iterations"}, %arg2: tensor<i32>, %arg3: tensor<!tf_type.variant<tensor<2x2xf32>>>, %arg4: tensor<2x2xf32>, %arg5: tensor<i32> {tf._user_specified_name = "model_8/gru_1/strided_slice_1"}, %arg6: tensor<!tf_type.variant<tensor<2x3xf32>>>, %arg7: tensor<*x!tf_type.resource>, %arg8: tensor<*x!tf_type.resource>, %arg9: tensor<*x!tf_type.resource>) -> tensor<i1> attributes {tf._construction_context = "kEagerRuntime"} {
    %0 = "tf.Less"(%arg2, %arg5) {device = ""} : (tensor<i32>, tensor<i32>) -> tensor<i1>
    %1 = "tf.Identity"(%0) {device = ""} : (tensor<i1>) -> tensor<i1>
    func.return %1 : tensor<i1>
  }
  "tf_saved_model.global_tensor"() {sym_name = "gru_1/gru_cell/kernel", type = tensor<3x6xf32>, value = #nn.blob<dense<[[-0.7972823, 0.7699581, 1.146199, -0.38428867, 0.027826408, 0.6987113], [-0.74062014, -0.99493015, -0.6484721, -0.2835334, -0.2892211, 0.3036736], [0.13426818, -0.62303865, 0.28368998, 0.9370407, 0.59852713, 0.49555373]]> : tensor<3x6xf32>>} : () -> ()
  "tf_saved_model.global_tensor"() {sym_name = "gru_1/gru_cell/bias", type = tensor<6xf32>, value = #nn.blob<dense<[-0.3843365, -0.747823, 0.48063412, 0.6554986, 0.4000216, 0.121285155]> : tensor<6xf32>>} : () -> ()
  "tf_saved_model.global_tensor"() {sym_name = "gru_1/gru_cell/recurrent_kernel", type = tensor<2x6xf32>, value = #nn.blob<dense<[[0.010088964, 0.4918157, -0.4830664, 0.37550732, -0.04362421, 0.5654529], [0.23300527, -0.5449399, 0.06399648, 0.6091107, -0.5646169, -0.27956995]]> : tensor<2x6xf32>>} : () -> ()
}
