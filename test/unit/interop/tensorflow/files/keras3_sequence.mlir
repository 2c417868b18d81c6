builtin.module attributes {tf.versions = {bad_consumers = [], min_consumer = 0 : i32, producer = 2474 : i32}} {
  func.func @__inference_call_21571(%arg0: tensor<2x5x3xf32> {tf._user_specified_name = "x"}, %arg1: tensor<!tf_type.resource<tensor<3x16xf32>>> {tf._user_specified_name = "resource", tf_saved_model.bound_input = @"lstm_1/lstm_cell/kernel"}, %arg2: tensor<!tf_type.resource<tensor<4x16xf32>>> {tf._user_specified_name = "resource", tf_saved_model.bound_input = @"lstm_1/lstm_cell/recurrent_kernel"}, %arg3: tensor<!tf_type.resource<tensor<16xf32>>> {tf._user_specified_name = "resource", tf_saved_model.bound_input = @"lstm_1/lstm_cell/bias"}) -> tensor<2x5x4xf32> attributes {allow_soft_placement = false, tf.entry_function = {control_outputs = "functional_1_1/lstm_1_1/lstm_cell_1/Cast/ReadVariableOp,functional_1_1/lstm_1_1/lstm_cell_1/Cast_1/ReadVariableOp,functional_1_1/lstm_1_1/lstm_cell_1/BiasAdd/ReadVariableOp,functional_1_1/lstm_1_1/while", inputs = "x,functional_1_1_lstm_1_1_lstm_cell_1_cast_readvariableop_resource,functional_1_1_lstm_1_1_lstm_cell_1_cast_1_readvariableop_resource,functional_1_1_lstm_1_1_lstm_cell_1_biasadd_readvariableop_resource", outputs = "identity_RetVal"}} {
    %cst = "tf.Const"() <{value = dense<5> : tensor<i32>}> : () -> tensor<i32>
    %cst_1 = "tf.Const"() <{value = dense<0.000000e+00> : tensor<2x4xf32>}> {device = ""} : () -> tensor<2x4xf32>
    %cst_2 = "tf.Const"() <{value = dense<[1, 0, 2]> : tensor<3xi32>}> {device = ""} : () -> tensor<3xi32>
    %cst_3 = "tf.Const"() <{value = dense<0> : tensor<i32>}> {device = ""} : () -> tensor<i32>
    %cst_4 = "tf.Const"() <{value = dense<[2, 3]> : tensor<2xi32>}> {device = ""} : () -> tensor<2xi32>
    %cst_5 = "tf.Const"() <{value = dense<[2, 4]> : tensor<2xi32>}> {device = ""} : () -> tensor<2xi32>
    %0 = "tf.TensorListReserve"(%cst_5, %cst) {device = ""} : (tensor<2xi32>, tensor<i32>) -> tensor<!tf_type.variant<tensor<2x4xf32>>>
    %1 = "tf.Transpose"(%arg0, %cst_2) {device = ""} : (tensor<2x5x3xf32>, tensor<3xi32>) -> tensor<5x2x3xf32>
    %2 = "tf.TensorListFromTensor"(%1, %cst_4) {device = ""} : (tensor<5x2x3xf32>, tensor<2xi32>) -> tensor<!tf_type.variant<tensor<2x3xf32>>>
    %3, %4, %5, %6, %7, %8, %9, %10, %11, %12 = "tf.While"(%cst_3, %cst, %cst_3, %0, %cst_1, %cst_1, %2, %arg1, %arg2, %arg3) <{body = @functional_1_1_lstm_1_1_while_body_214890, cond = @functional_1_1_lstm_1_1_while_cond_214880, is_stateless = false, parallel_iterations = 32 : i64, shape_invariant}> {_lower_using_switch_merge = true, _num_original_outputs = 10 : i64, _read_only_resource_inputs = [7 : i64, 8 : i64, 9 : i64], device = ""} : (tensor<i32>, tensor<i32>, tensor<i32>, tensor<!tf_type.variant<tensor<2x4xf32>>>, tensor<2x4xf32>, tensor<2x4xf32>, tensor<!tf_type.variant<tensor<2x3xf32>>>, tensor<!tf_type.resource<tensor<3x16xf32>>>, tensor<!tf_type.resource<tensor<4x16xf32>>>, tensor<!tf_type.resource<tensor<16xf32>>>) -> (tensor<i32>, tensor<i32>, tensor<i32>, tensor<!tf_type.variant<tensor<2x4xf32>>>, tensor<2x4xf32>, tensor<2x4xf32>, tensor<!tf_type.variant<tensor<2x3xf32>>>, tensor<!tf_type.resource<tensor<3x16xf32>>>, tensor<!tf_type.resource<tensor<4x16xf32>>>, tensor<!tf_type.resource<tensor<16xf32>>>)
    %13 = "tf.TensorListStack"(%6, %cst_5) <{num_elements = 5 : i64}> {device = ""} : (tensor<!tf_type.variant<tensor<2x4xf32>>>, tensor<2xi32>) -> tensor<5x2x4xf32>
    %14 = "tf.Transpose"(%13, %cst_2) {device = ""} : (tensor<5x2x4xf32>, tensor<3xi32>) -> tensor<2x5x4xf32>
    %15 = "tf.Identity"(%14) {device = ""} : (tensor<2x5x4xf32>) -> tensor<2x5x4xf32>
    func.return %15 : tensor<2x5x4xf32>
  }
  func.func private @functional_1_1_lstm_1_1_while_body_214890(%arg0: tensor<i32> {tf._user_specified_name = "functional_1_1/lstm_1_1/while/loop_counter"}, %arg1: tensor<i32> {tf._user_specified_name = "functional_1_1/lstm_1_1/Max"}, %arg2: tensor<i32>, %arg3: tensor<!tf_type.variant<tensor<2x4xf32>>>, %arg4: tensor<2x4xf32>, %arg5: tensor<2x4xf32>, %arg6: tensor<!tf_type.variant<tensor<2x3xf32>>> {tf._user_specified_name = "functional_1_1/lstm_1_1/TensorArrayUnstack/TensorListFromTensor"}, %arg7: tensor<!tf_type.resource<tensor<3x16xf32>>> {tf._user_specified_name = "resource"}, %arg8: tensor<!tf_type.resource<tensor<4x16xf32>>> {tf._user_specified_name = "resource"}, %arg9: tensor<!tf_type.resource<tensor<16xf32>>> {tf._user_specified_name = "resource"}) -> (tensor<i32>, tensor<i32>, tensor<i32>, tensor<!tf_type.variant<tensor<2x4xf32>>>, tensor<2x4xf32>, tensor<2x4xf32>, tensor<!tf_type.variant<tensor<2x3xf32>>>, tensor<!tf_type.resource<tensor<3x16xf32>>>, tensor<!tf_type.resource<tensor<4x16xf32>>>, tensor<!tf_type.resource<tensor<16xf32>>>) attributes {tf._construction_context = "kEagerRuntime", tf.signature.is_stateful} {
    %cst = "tf.Const"() <{value = dense<[2, 3]> : tensor<2xi32>}> {device = ""} : () -> tensor<2xi32>
    %cst_1 = "tf.Const"() <{value = dense<1> : tensor<i32>}> {device = ""} : () -> tensor<i32>
    %0 = "tf.AddV2"(%arg0, %cst_1) {device = ""} : (tensor<i32>, tensor<i32>) -> tensor<i32>
    %1 = "tf.ReadVariableOp"(%arg9) {device = ""} : (tensor<!tf_type.resource<tensor<16xf32>>>) -> tensor<16xf32>
    %2 = "tf.ReadVariableOp"(%arg8) {device = ""} : (tensor<!tf_type.resource<tensor<4x16xf32>>>) -> tensor<4x16xf32>
    %3 = "tf.ReadVariableOp"(%arg7) {device = ""} : (tensor<!tf_type.resource<tensor<3x16xf32>>>) -> tensor<3x16xf32>
    %4 = "tf.Identity"(%0) {device = ""} : (tensor<i32>) -> tensor<i32>
    %5 = "tf.Identity"(%arg1) {device = ""} : (tensor<i32>) -> tensor<i32>
    %6 = "tf.AddV2"(%arg2, %cst_1) {device = ""} : (tensor<i32>, tensor<i32>) -> tensor<i32>
    %7 = "tf.Identity"(%6) {device = ""} : (tensor<i32>) -> tensor<i32>
    %8 = "tf.MatMul"(%arg4, %2) <{grad_a = false, grad_b = false, transpose_a = false, transpose_b = false}> {device = ""} : (tensor<2x4xf32>, tensor<4x16xf32>) -> tensor<2x16xf32>
    %9 = "tf.TensorListGetItem"(%arg6, %arg2, %cst) {device = ""} : (tensor<!tf_type.variant<tensor<2x3xf32>>>, tensor<i32>, tensor<2xi32>) -> tensor<2x3xf32>
    %10 = "tf.MatMul"(%9, %3) <{grad_a = false, grad_b = false, transpose_a = false, transpose_b = false}> {device = ""} : (tensor<2x3xf32>, tensor<3x16xf32>) -> tensor<2x16xf32>
    %11 = "tf.AddV2"(%10, %8) {device = ""} : (tensor<2x16xf32>, tensor<2x16xf32>) -> tensor<2x16xf32>
    %12 = "tf.BiasAdd"(%11, %1) <{data_format = "NHWC"}> {device = ""} : (tensor<2x16xf32>, tensor<16xf32>) -> tensor<2x16xf32>
    %13, %14, %15, %16 = "tf.Split"(%cst_1, %12) {device = ""} : (tensor<i32>, tensor<2x16xf32>) -> (tensor<2x4xf32>, tensor<2x4xf32>, tensor<2x4xf32>, tensor<2x4xf32>)
    %17 = "tf.Sigmoid"(%13) {device = ""} : (tensor<2x4xf32>) -> tensor<2x4xf32>
    %18 = "tf.Sigmoid"(%14) {device = ""} : (tensor<2x4xf32>) -> tensor<2x4xf32>
    %19 = "tf.Mul"(%18, %arg5) {device = ""} : (tensor<2x4xf32>, tensor<2x4xf32>) -> tensor<2x4xf32>
    %20 = "tf.Sigmoid"(%16) {device = ""} : (tensor<2x4xf32>) -> tensor<2x4xf32>
    %21 = "tf.Tanh"(%15) {device = ""} : (tensor<2x4xf32>) -> tensor<2x4xf32>
    %22 = "tf.Mul"(%17, %21) {device = ""} : (tensor<2x4xf32>, tensor<2x4xf32>) -> tensor<2x4xf32>
    %23 = "tf.AddV2"(%19, %22) {device = ""} : (tensor<2x4xf32>, tensor<2x4xf32>) -> tensor<2x4xf32>
    %24 = "tf.Identity"(%23) {device = ""} : (tensor<2x4xf32>) -> tensor<2x4xf32>
    %25 = "tf.Tanh"(%23) {device = ""} : (tensor<2x4xf32>) -> tensor<2x4xf32>
    %26 = "tf.Mul"(%20, %25) {device = ""} : (tensor<2x4xf32>, tensor<2x4xf32>) -> tensor<2x4xf32>
    %27 = "tf.Identity"(%26) {device = ""} : (tensor<2x4xf32>) -> tensor<2x4xf32>
    %28 = "tf.TensorListSetItem"(%arg3, %arg2, %26) <{resize_if_index_out_of_bounds = false}> {device = ""} : (tensor<!tf_type.variant<tensor<2x4xf32>>>, tensor<i32>, tensor<2x4xf32>) -> tensor<!tf_type.variant<tensor<2x4xf32>>>
    %29 = "tf.Identity"(%28) {device = ""} : (tensor<!tf_type.variant<tensor<2x4xf32>>>) -> tensor<!tf_type.variant<tensor<2x4xf32>>>
    func.return %4, %5, %7, %29, %27, %24, %arg6, %arg7, %arg8, %arg9 : tensor<i32>, tensor<i32>, tensor<i32>, tensor<!tf_type.variant<tensor<2x4xf32>>>, tensor<2x4xf32>, tensor<2x4xf32>, tensor<!tf_type.variant<tensor<2x3xf32>>>, tensor<!tf_type.resource<tensor<3x16xf32>>>, tensor<!tf_type.resource<tensor<4x16xf32>>>, tensor<!tf_type.resource<tensor<16xf32>>>
  }
  func.func private @functional_1_1_lstm_1_1_while_cond_214880(%arg0: tensor<i32> {tf._user_specified_name = "functional_1_1/lstm_1_1/while/loop_counter"}, %arg1: tensor<i32> {tf._user_specified_name = "functional_1_1/lstm_1_1/Max"}, %arg2: tensor<i32>, %arg3: tensor<!tf_type.variant<tensor<2x4xf32>>>, %arg4: tensor<2x4xf32>, %arg5: tensor<2x4xf32>, %arg6: tensor<!tf_type.variant<tensor<2x3xf32>>>, %arg7: tensor<!tf_type.resource<tensor<3x16xf32>>>, %arg8: tensor<!tf_type.resource<tensor<4x16xf32>>>, %arg9: tensor<!tf_type.resource<tensor<16xf32>>>) -> tensor<i1> attributes {tf._construction_context = "kEagerRuntime"} {
    %cst = "tf.Const"() <{value = dense<5> : tensor<i32>}> {device = ""} : () -> tensor<i32>
    %0 = "tf.Less"(%arg0, %arg1) {device = ""} : (tensor<i32>, tensor<i32>) -> tensor<i1>
    %1 = "tf.Less"(%arg2, %cst) {device = ""} : (tensor<i32>, tensor<i32>) -> tensor<i1>
    %2 = "tf.LogicalAnd"(%0, %1) {device = ""} : (tensor<i1>, tensor<i1>) -> tensor<i1>
    %3 = "tf.Identity"(%2) {device = ""} : (tensor<i1>) -> tensor<i1>
    func.return %3 : tensor<i1>
  }
  "tf_saved_model.global_tensor"() {sym_name = "lstm_1/lstm_cell/kernel", type = tensor<3x16xf32>, value = #nn.blob<dense<[[-0.20520326, 0.25835192, 0.51015705, -0.1915873, -0.12618473, 0.018888295, -0.23037937, 0.17385513, 0.085670054, 0.50246114, 0.5016369, -0.09130046, -0.06503561, -0.5391497, -0.48562044, -0.5169989], [-0.2095635, -0.35513428, 0.38639736, 0.06748825, 0.33641827, -0.07727611, 0.32812065, 0.022767186, 0.37424004, -0.2996849, -0.50817066, -0.31419116, -0.15059635, -0.14620411, 0.4291752, -0.17408207], [0.5522874, -0.22906718, -0.21893898, 0.09221834, -0.21745944, 0.46549302, -0.05042523, 0.15660053, -0.28496242, 0.006857097, 0.5469652, -0.29043737, -0.3664987, -0.23678467, -0.12217203, -0.3797549]]> : tensor<3x16xf32>>} : () -> ()
  "tf_saved_model.global_tensor"() {sym_name = "lstm_1/lstm_cell/recurrent_kernel", type = tensor<4x16xf32>, value = #nn.blob<dense<[[-0.07209575, 0.12207331, -0.21766466, -0.09559914, -0.15452617, -0.3168839, 0.4047729, 0.07037991, 0.11232019, 0.03200864, -0.22618839, 0.3254837, -0.18906017, -0.32908136, -0.4413285, 0.3474832], [0.09115096, -0.08466374, -0.14575332, -0.31314164, -0.42280322, 0.16216335, 0.06702889, -0.088218, -0.3810211, 0.26083776, -0.16976462, 0.20717338, 0.025429849, -0.28155506, 0.13634041, -0.51422185], [-0.116549775, 0.26313624, 0.34945187, -0.27096337, -0.45058358, 0.2376507, 0.23004036, -0.09782941, 0.3290329, -0.1964301, -0.2307482, -0.0035139918, -0.15204579, 0.37759477, 0.17473623, 0.05755074], [-0.43323863, -0.20554975, 0.16172177, 0.19934124, 0.17041227, -0.0082989335, 0.31394354, 0.33432835, -0.10871211, 0.5261588, -0.1496787, -0.027028397, -0.2750719, 0.23529597, 0.112632364, -0.09595339]]> : tensor<4x16xf32>>} : () -> ()
  "tf_saved_model.global_tensor"() {sym_name = "lstm_1/lstm_cell/bias", type = tensor<16xf32>, value = #nn.blob<dense<[0.0, 0.0, 0.0, 0.0, 1.0, 1.0, 1.0, 1.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0]> : tensor<16xf32>>} : () -> ()
}
