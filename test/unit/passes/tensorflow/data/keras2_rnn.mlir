builtin.module attributes {tf.versions = {bad_consumers = [], min_consumer = 0 : i32, producer = 2474 : i32}} {
  func.func @__inference_flat_10719(%arg0: tensor<2x4x3xf32> {tf._user_specified_name = "x"}, %arg1: tensor<*x!tf_type.resource> {tf._user_specified_name = "resource", tf_saved_model.bound_input = @"simple_rnn/simple_rnn_cell/kernel"}, %arg2: tensor<*x!tf_type.resource> {tf._user_specified_name = "resource", tf_saved_model.bound_input = @"simple_rnn/simple_rnn_cell/bias"}, %arg3: tensor<*x!tf_type.resource> {tf._user_specified_name = "resource", tf_saved_model.bound_input = @"simple_rnn/simple_rnn_cell/recurrent_kernel"}) -> tensor<2x?x2xf32> attributes {allow_soft_placement = false, tf.entry_function = {control_outputs = "model_9/simple_rnn/simple_rnn_cell/MatMul/ReadVariableOp,model_9/simple_rnn/simple_rnn_cell/BiasAdd/ReadVariableOp,model_9/simple_rnn/simple_rnn_cell/MatMul_1/ReadVariableOp,model_9/simple_rnn/while", inputs = "x,model_9_simple_rnn_simple_rnn_cell_matmul_readvariableop_resource,model_9_simple_rnn_simple_rnn_cell_biasadd_readvariableop_resource,model_9_simple_rnn_simple_rnn_cell_matmul_1_readvariableop_resource", outputs = "identity_RetVal"}} {
    %cst = "tf.Const"() <{value = dense<0.000000e+00> : tensor<2x2xf32>}> : () -> tensor<2x2xf32>
    %cst_1 = "tf.Const"() <{value = dense<-1> : tensor<i32>}> {device = ""} : () -> tensor<i32>
    %cst_2 = "tf.Const"() <{value = dense<[1, 0, 2]> : tensor<3xi32>}> {device = ""} : () -> tensor<3xi32>
    %cst_3 = "tf.Const"() <{value = dense<0> : tensor<i32>}> {device = ""} : () -> tensor<i32>
    %cst_4 = "tf.Const"() <{value = dense<[2, 3]> : tensor<2xi32>}> {device = ""} : () -> tensor<2xi32>
    %cst_5 = "tf.Const"() <{value = dense<2> : tensor<2xi32>}> {device = ""} : () -> tensor<2xi32>
    %cst_6 = "tf.Const"() <{value = dense<4> : tensor<i32>}> : () -> tensor<i32>
    %0 = "tf.TensorListReserve"(%cst_5, %cst_6) {device = ""} : (tensor<2xi32>, tensor<i32>) -> tensor<!tf_type.variant<tensor<2x2xf32>>>
    %1 = "tf.Transpose"(%arg0, %cst_2) {device = ""} : (tensor<2x4x3xf32>, tensor<3xi32>) -> tensor<4x2x3xf32>
    %2 = "tf.TensorListFromTensor"(%1, %cst_4) {device = ""} : (tensor<4x2x3xf32>, tensor<2xi32>) -> tensor<!tf_type.variant<tensor<2x3xf32>>>
    %3, %4, %5, %6, %7, %8, %9, %10, %11, %12 = "tf.While"(%cst_3, %cst_1, %cst_3, %0, %cst, %cst_6, %2, %arg1, %arg2, %arg3) <{body = @model_9_simple_rnn_while_body_106530, cond = @model_9_simple_rnn_while_cond_106520, is_stateless = false, parallel_iterations = 32 : i64, shape_invariant}> {_lower_using_switch_merge = true, _num_original_outputs = 10 : i64, _read_only_resource_inputs = [7 : i64, 8 : i64, 9 : i64], device = ""} : (tensor<i32>, tensor<i32>, tensor<i32>, tensor<!tf_type.variant<tensor<2x2xf32>>>, tensor<2x2xf32>, tensor<i32>, tensor<!tf_type.variant<tensor<2x3xf32>>>, tensor<*x!tf_type.resource>, tensor<*x!tf_type.resource>, tensor<*x!tf_type.resource>) -> (tensor<i32>, tensor<i32>, tensor<i32>, tensor<!tf_type.variant<tensor<2x2xf32>>>, tensor<2x2xf32>, tensor<i32>, tensor<!tf_type.variant<tensor<2x3xf32>>>, tensor<!tf_type.resource>, tensor<!tf_type.resource>, tensor<!tf_type.resource>)
    %13 = "tf.TensorListStack"(%6, %cst_5) <{num_elements = -1 : i64}> {device = ""} : (tensor<!tf_type.variant<tensor<2x2xf32>>>, tensor<2xi32>) -> tensor<?x2x2xf32>
    %14 = "tf.Transpose"(%13, %cst_2) {device = ""} : (tensor<?x2x2xf32>, tensor<3xi32>) -> tensor<2x?x2xf32>
    %15 = "tf.Identity"(%14) {device = ""} : (tensor<2x?x2xf32>) -> tensor<2x?x2xf32>
    func.return %15 : tensor<2x?x2xf32>
  }
  func.func private @model_9_simple_rnn_while_body_106530(%arg0: tensor<i32> {tf._user_specified_name = "model_9/simple_rnn/while/loop_counter"}, %arg1: tensor<i32> {tf._user_specified_name = "model_9/simple_rnn/while/maximum_iterations"}, %arg2: tensor<i32>, %arg3: tensor<!tf_type.variant<tensor<2x2xf32>>>, %arg4: tensor<2x2xf32>, %arg5: tensor<i32> {tf._user_specified_name = "model_9/simple_rnn/strided_slice_1"}, %arg6: tensor<!tf_type.variant<tensor<2x3xf32>>> {tf._user_specified_name = "model_9/simple_rnn/TensorArrayUnstack/TensorListFromTensor"}, %arg7: tensor<*x!tf_type.resource> {tf._user_specified_name = "resource"}, %arg8: tensor<*x!tf_type.resource> {tf._user_specified_name = "resource"}, %arg9: tensor<*x!tf_type.resource> {tf._user_specified_name = "resource"}) -> (tensor<i32>, tensor<i32>, tensor<i32>, tensor<!tf_type.variant<tensor<2x2xf32>>>, tensor<2x?xf32>, tensor<i32>, tensor<!tf_type.variant<tensor<2x3xf32>>>, tensor<*x!tf_type.resource>, tensor<*x!tf_type.resource>, tensor<*x!tf_type.resource>) attributes {tf._construction_context = "kEagerRuntime", tf.signature.is_stateful} {
    %cst = "tf.Const"() <{value = dense<[2, 3]> : tensor<2xi32>}> {device = ""} : () -> tensor<2xi32>
    %cst_1 = "tf.Const"() <{value = dense<1> : tensor<i32>}> {device = ""} : () -> tensor<i32>
    %0 = "tf.AddV2"(%arg0, %cst_1) {device = ""} : (tensor<i32>, tensor<i32>) -> tensor<i32>
    %1 = "tf.AddV2"(%arg2, %cst_1) {device = ""} : (tensor<i32>, tensor<i32>) -> tensor<i32>
    %2 = "tf.ReadVariableOp"(%arg8) {device = ""} : (tensor<*x!tf_type.resource>) -> tensor<*xf32>
    %3 = "tf.ReadVariableOp"(%arg9) {device = ""} : (tensor<*x!tf_type.resource>) -> tensor<*xf32>
    %4 = "tf.MatMul"(%arg4, %3) <{grad_a = false, grad_b = false, transpose_a = false, transpose_b = false}> {device = ""} : (tensor<2x2xf32>, tensor<*xf32>) -> tensor<2x?xf32>
    %5 = "tf.ReadVariableOp"(%arg7) {device = ""} : (tensor<*x!tf_type.resource>) -> tensor<*xf32>
    %6 = "tf.Identity"(%0) {device = ""} : (tensor<i32>) -> tensor<i32>
    %7 = "tf.Identity"(%arg1) {device = ""} : (tensor<i32>) -> tensor<i32>
    %8 = "tf.Identity"(%1) {device = ""} : (tensor<i32>) -> tensor<i32>
    %9 = "tf.TensorListGetItem"(%arg6, %arg2, %cst) {device = ""} : (tensor<!tf_type.variant<tensor<2x3xf32>>>, tensor<i32>, tensor<2xi32>) -> tensor<2x3xf32>
    %10 = "tf.MatMul"(%9, %5) <{grad_a = false, grad_b = false, transpose_a = false, transpose_b = false}> {device = ""} : (tensor<2x3xf32>, tensor<*xf32>) -> tensor<2x?xf32>
    %11 = "tf.BiasAdd"(%10, %2) <{data_format = "NHWC"}> {device = ""} : (tensor<2x?xf32>, tensor<*xf32>) -> tensor<2x?xf32>
    %12 = "tf.AddV2"(%11, %4) {device = ""} : (tensor<2x?xf32>, tensor<2x?xf32>) -> tensor<2x?xf32>
    %13 = "tf.Tanh"(%12) {device = ""} : (tensor<2x?xf32>) -> tensor<2x?xf32>
    %14 = "tf.Identity"(%13) {device = ""} : (tensor<2x?xf32>) -> tensor<2x?xf32>
    %15 = "tf.TensorListSetItem"(%arg3, %arg2, %13) <{resize_if_index_out_of_bounds = false}> {device = ""} : (tensor<!tf_type.variant<tensor<2x2xf32>>>, tensor<i32>, tensor<2x?xf32>) -> tensor<!tf_type.variant<tensor<2x2xf32>>>
    %16 = "tf.Identity"(%15) {device = ""} : (tensor<!tf_type.variant<tensor<2x2xf32>>>) -> tensor<!tf_type.variant<tensor<2x2xf32>>>
    func.return %6, %7, %8, %16, %14, %arg5, %arg6, %arg7, %arg8, %arg9 : tensor<i32>, tensor<i32>, tensor<i32>, tensor<!tf_type.variant<tensor<2x2xf32>>>, tensor<2x?xf32>, tensor<i32>, tensor<!tf_type.variant<tensor<2x3xf32>>>, tensor<*x!tf_type.resource>, tensor<*x!tf_type.resource>, tensor<*x!tf_type.resource>
  }
  func.func private @model_9_simple_rnn_while_cond_106520(%arg0: tensor<i32> {tf._user_specified_name = "model_9/simple_rnn/while/loop_counter"}, %arg1: tensor<i32> {tf._user_specified_name = "model_9/simple_rnn/while/maximum_iterations"}, %arg2: tensor<i32>, %arg3: tensor<!tf_type.variant<tensor<2x2xf32>>>, %arg4: tensor<2x2xf32>, %arg5: tensor<i32> {tf._user_specified_name = "model_9/simple_rnn/strided_slice_1"}, %arg6: tensor<!tf_type.variant<tensor<2x3xf32>>>, %arg7: tensor<*x!tf_type.resource>, %arg8: tensor<*x!tf_type.resource>, %arg9: tensor<*x!tf_type.resource>) -> tensor<i1> attributes {tf._construction_context = "kEagerRuntime"} {
    %0 = "tf.Less"(%arg2, %arg5) {device = ""} : (tensor<i32>, tensor<i32>) -> tensor<i1>
    %1 = "tf.Identity"(%0) {device = ""} : (tensor<i1>) -> tensor<i1>
    func.return %1 : tensor<i1>
  }
  "tf_saved_model.global_tensor"() {sym_name = "simple_rnn/simple_rnn_cell/kernel", type = tensor<3x2xf32>, value = #nn.blob<dense<[[-0.026015691, 0.11969015], [-0.36577797, 0.4469228], [0.52274615, 0.46627176]]> : tensor<3x2xf32>>} : () -> ()
  "tf_saved_model.global_tensor"() {sym_name = "simple_rnn/simple_rnn_cell/bias", type = tensor<2xf32>, value = #nn.blob<dense<[0.0898481, -0.94103545]> : tensor<2xf32>>} : () -> ()
  "tf_saved_model.global_tensor"() {sym_name = "simple_rnn/simple_rnn_cell/recurrent_kernel", type = tensor<2x2xf32>, value = #nn.blob<dense<[[-0.2654741, 0.039202172], [-0.082890406, 0.8942874]]> : tensor<2x2xf32>>} : () -> ()
}
