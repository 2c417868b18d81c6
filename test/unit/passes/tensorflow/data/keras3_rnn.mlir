builtin.module attributes {tf.versions = {bad_consumers = [], min_consumer = 0 : i32, producer = 2474 : i32}} {
  func.func @__inference_flat_19714(%arg0: tensor<2x4x3xf32> {tf._user_specified_name = "x"}, %arg1: tensor<*x!tf_type.resource> {tf._user_specified_name = "resource", tf_saved_model.bound_input = @"simple_rnn/simple_rnn_cell/kernel"}, %arg2: tensor<*x!tf_type.resource> {tf._user_specified_name = "resource", tf_saved_model.bound_input = @"simple_rnn/simple_rnn_cell/bias"}, %arg3: tensor<*x!tf_type.resource> {tf._user_specified_name = "resource", tf_saved_model.bound_input = @"simple_rnn/simple_rnn_cell/recurrent_kernel"}) -> tensor<2x4x2xf32> attributes {allow_soft_placement = false, tf.entry_function = {control_outputs = "functional_9_1/simple_rnn_1/simple_rnn_cell_1/Cast/ReadVariableOp,functional_9_1/simple_rnn_1/simple_rnn_cell_1/BiasAdd/ReadVariableOp,functional_9_1/simple_rnn_1/simple_rnn_cell_1/Cast_1/ReadVariableOp,functional_9_1/simple_rnn_1/while", inputs = "x,functional_9_1_simple_rnn_1_simple_rnn_cell_1_cast_readvariableop_resource,functional_9_1_simple_rnn_1_simple_rnn_cell_1_biasadd_readvariableop_resource,functional_9_1_simple_rnn_1_simple_rnn_cell_1_cast_1_readvariableop_resource", outputs = "identity_RetVal"}} {
    %cst = "tf.Const"() <{value = dense<4> : tensor<i32>}> : () -> tensor<i32>
    %cst_1 = "tf.Const"() <{value = dense<0.000000e+00> : tensor<2x2xf32>}> {device = ""} : () -> tensor<2x2xf32>
    %cst_2 = "tf.Const"() <{value = dense<[1, 0, 2]> : tensor<3xi32>}> {device = ""} : () -> tensor<3xi32>
    %cst_3 = "tf.Const"() <{value = dense<0> : tensor<i32>}> {device = ""} : () -> tensor<i32>
    %cst_4 = "tf.Const"() <{value = dense<[2, 3]> : tensor<2xi32>}> {device = ""} : () -> tensor<2xi32>
    %cst_5 = "tf.Const"() <{value = dense<2> : tensor<2xi32>}> {device = ""} : () -> tensor<2xi32>
    %0 = "tf.TensorListReserve"(%cst_5, %cst) {device = ""} : (tensor<2xi32>, tensor<i32>) -> tensor<!tf_type.variant<tensor<2x2xf32>>>
    %1 = "tf.Transpose"(%arg0, %cst_2) {device = ""} : (tensor<2x4x3xf32>, tensor<3xi32>) -> tensor<4x2x3xf32>
    %2 = "tf.TensorListFromTensor"(%1, %cst_4) {device = ""} : (tensor<4x2x3xf32>, tensor<2xi32>) -> tensor<!tf_type.variant<tensor<2x3xf32>>>
    %3, %4, %5, %6, %7, %8, %9, %10, %11 = "tf.While"(%cst_3, %cst, %cst_3, %0, %cst_1, %2, %arg1, %arg2, %arg3) <{body = @functional_9_1_simple_rnn_1_while_body_196490, cond = @functional_9_1_simple_rnn_1_while_cond_196480, is_stateless = false, parallel_iterations = 32 : i64, shape_invariant}> {_lower_using_switch_merge = true, _num_original_outputs = 9 : i64, _read_only_resource_inputs = [6 : i64, 7 : i64, 8 : i64], device = ""} : (tensor<i32>, tensor<i32>, tensor<i32>, tensor<!tf_type.variant<tensor<2x2xf32>>>, tensor<2x2xf32>, tensor<!tf_type.variant<tensor<2x3xf32>>>, tensor<*x!tf_type.resource>, tensor<*x!tf_type.resource>, tensor<*x!tf_type.resource>) -> (tensor<i32>, tensor<i32>, tensor<i32>, tensor<!tf_type.variant<tensor<2x2xf32>>>, tensor<2x2xf32>, tensor<!tf_type.variant<tensor<2x3xf32>>>, tensor<!tf_type.resource>, tensor<!tf_type.resource>, tensor<!tf_type.resource>)
    %12 = "tf.TensorListStack"(%6, %cst_5) <{num_elements = 4 : i64}> {device = ""} : (tensor<!tf_type.variant<tensor<2x2xf32>>>, tensor<2xi32>) -> tensor<4x2x2xf32>
    %13 = "tf.Transpose"(%12, %cst_2) {device = ""} : (tensor<4x2x2xf32>, tensor<3xi32>) -> tensor<2x4x2xf32>
    %14 = "tf.Identity"(%13) {device = ""} : (tensor<2x4x2xf32>) -> tensor<2x4x2xf32>
    func.return %14 : tensor<2x4x2xf32>
  }
  func.func private @functional_9_1_simple_rnn_1_while_body_196490(%arg0: tensor<i32> {tf._user_specified_name = "functional_9_1/simple_rnn_1/while/loop_counter"}, %arg1: tensor<i32> {tf._user_specified_name = "functional_9_1/simple_rnn_1/Max"}, %arg2: tensor<i32>, %arg3: tensor<!tf_type.variant<tensor<2x2xf32>>>, %arg4: tensor<2x2xf32>, %arg5: tensor<!tf_type.variant<tensor<2x3xf32>>> {tf._user_specified_name = "functional_9_1/simple_rnn_1/TensorArrayUnstack/TensorListFromTensor"}, %arg6: tensor<*x!tf_type.resource> {tf._user_specified_name = "resource"}, %arg7: tensor<*x!tf_type.resource> {tf._user_specified_name = "resource"}, %arg8: tensor<*x!tf_type.resource> {tf._user_specified_name = "resource"}) -> (tensor<i32>, tensor<i32>, tensor<i32>, tensor<!tf_type.variant<tensor<2x2xf32>>>, tensor<2x?xf32>, tensor<!tf_type.variant<tensor<2x3xf32>>>, tensor<*x!tf_type.resource>, tensor<*x!tf_type.resource>, tensor<*x!tf_type.resource>) attributes {tf._construction_context = "kEagerRuntime", tf.signature.is_stateful} {
    %cst = "tf.Const"() <{value = dense<[2, 3]> : tensor<2xi32>}> {device = ""} : () -> tensor<2xi32>
    %cst_1 = "tf.Const"() <{value = dense<1> : tensor<i32>}> {device = ""} : () -> tensor<i32>
    %0 = "tf.AddV2"(%arg0, %cst_1) {device = ""} : (tensor<i32>, tensor<i32>) -> tensor<i32>
    %1 = "tf.AddV2"(%arg2, %cst_1) {device = ""} : (tensor<i32>, tensor<i32>) -> tensor<i32>
    %2 = "tf.ReadVariableOp"(%arg7) {device = ""} : (tensor<*x!tf_type.resource>) -> tensor<*xf32>
    %3 = "tf.ReadVariableOp"(%arg8) {device = ""} : (tensor<*x!tf_type.resource>) -> tensor<*xf32>
    %4 = "tf.MatMul"(%arg4, %3) <{grad_a = false, grad_b = false, transpose_a = false, transpose_b = false}> {device = ""} : (tensor<2x2xf32>, tensor<*xf32>) -> tensor<2x?xf32>
    %5 = "tf.ReadVariableOp"(%arg6) {device = ""} : (tensor<*x!tf_type.resource>) -> tensor<*xf32>
    %6 = "tf.Identity"(%0) {device = ""} : (tensor<i32>) -> tensor<i32>
    %7 = "tf.Identity"(%arg1) {device = ""} : (tensor<i32>) -> tensor<i32>
    %8 = "tf.Identity"(%1) {device = ""} : (tensor<i32>) -> tensor<i32>
    %9 = "tf.TensorListGetItem"(%arg5, %arg2, %cst) {device = ""} : (tensor<!tf_type.variant<tensor<2x3xf32>>>, tensor<i32>, tensor<2xi32>) -> tensor<2x3xf32>
    %10 = "tf.MatMul"(%9, %5) <{grad_a = false, grad_b = false, transpose_a = false, transpose_b = false}> {device = ""} : (tensor<2x3xf32>, tensor<*xf32>) -> tensor<2x?xf32>
    %11 = "tf.BiasAdd"(%10, %2) <{data_format = "NHWC"}> {device = ""} : (tensor<2x?xf32>, tensor<*xf32>) -> tensor<2x?xf32>
    %12 = "tf.AddV2"(%11, %4) {device = ""} : (tensor<2x?xf32>, tensor<2x?xf32>) -> tensor<2x?xf32>
    %13 = "tf.Tanh"(%12) {device = ""} : (tensor<2x?xf32>) -> tensor<2x?xf32>
    %14 = "tf.Identity"(%13) {device = ""} : (tensor<2x?xf32>) -> tensor<2x?xf32>
    %15 = "tf.TensorListSetItem"(%arg3, %arg2, %13) <{resize_if_index_out_of_bounds = false}> {device = ""} : (tensor<!tf_type.variant<tensor<2x2xf32>>>, tensor<i32>, tensor<2x?xf32>) -> tensor<!tf_type.variant<tensor<2x2xf32>>>
    %16 = "tf.Identity"(%15) {device = ""} : (tensor<!tf_type.variant<tensor<2x2xf32>>>) -> tensor<!tf_type.variant<tensor<2x2xf32>>>
    func.return %6, %7, %8, %16, %14, %arg5, %arg6, %arg7, %arg8 : tensor<i32>, tensor<i32>, tensor<i32>, tensor<!tf_type.variant<tensor<2x2xf32>>>, tensor<2x?xf32>, tensor<!tf_type.variant<tensor<2x3xf32>>>, tensor<*x!tf_type.resource>, tensor<*x!tf_type.resource>, tensor<*x!tf_type.resource>
  }
  func.func private @functional_9_1_simple_rnn_1_while_cond_196480(%arg0: tensor<i32> {tf._user_specified_name = "functional_9_1/simple_rnn_1/while/loop_counter"}, %arg1: tensor<i32> {tf._user_specified_name = "functional_9_1/simple_rnn_1/Max"}, %arg2: tensor<i32>, %arg3: tensor<!tf_type.variant<tensor<2x2xf32>>>, %arg4: tensor<2x2xf32>, %arg5: tensor<!tf_type.variant<tensor<2x3xf32>>>, %arg6: tensor<*x!tf_type.resource>, %arg7: tensor<*x!tf_type.resource>, %arg8: tensor<*x!tf_type.resource>) -> tensor<i1> attributes {tf._construction_context = "kEagerRuntime"} {
    %cst = "tf.Const"() <{value = dense<4> : tensor<i32>}> {device = ""} : () -> tensor<i32>
    %0 = "tf.Less"(%arg0, %arg1) {device = ""} : (tensor<i32>, tensor<i32>) -> tensor<i1>
    %1 = "tf.Less"(%arg2, %cst) {device = ""} : (tensor<i32>, tensor<i32>) -> tensor<i1>
    %2 = "tf.LogicalAnd"(%0, %1) {device = ""} : (tensor<i1>, tensor<i1>) -> tensor<i1>
    %3 = "tf.Identity"(%2) {device = ""} : (tensor<i1>) -> tensor<i1>
    func.return %3 : tensor<i1>
  }
  "tf_saved_model.global_tensor"() {sym_name = "simple_rnn/simple_rnn_cell/kernel", type = tensor<3x2xf32>, value = #nn.blob<dense<[[-0.0001366485, -0.049295638], [1.2441322, -0.8057599], [0.088611275, 0.6220531]]> : tensor<3x2xf32>>} : () -> ()
  "tf_saved_model.global_tensor"() {sym_name = "simple_rnn/simple_rnn_cell/bias", type = tensor<2xf32>, value = #nn.blob<dense<[-0.65314806, 0.2840353]> : tensor<2xf32>>} : () -> ()
  "tf_saved_model.global_tensor"() {sym_name = "simple_rnn/simple_rnn_cell/recurrent_kernel", type = tensor<2x2xf32>, value = #nn.blob<dense<[[0.3587565, -0.15104099], [0.8700605, -0.53424644]]> : tensor<2x2xf32>>} : () -> ()
}
