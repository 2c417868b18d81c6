builtin.module attributes {tf.versions = {bad_consumers = [], min_consumer = 0 : i32, producer = 2474 : i32}} {
  func.func @__inference_call_29011(%arg0: tensor<2x5x3xf32> {tf._user_specified_name = "x"}, %arg1: tensor<!tf_type.resource<tensor<3x16xf32>>> {tf._user_specified_name = "resource", tf_saved_model.bound_input = @"lstm_8/lstm_cell/kernel"}, %arg2: tensor<!tf_type.resource<tensor<4x16xf32>>> {tf._user_specified_name = "resource", tf_saved_model.bound_input = @"lstm_8/lstm_cell/recurrent_kernel"}, %arg3: tensor<!tf_type.resource<tensor<16xf32>>> {tf._user_specified_name = "resource", tf_saved_model.bound_input = @"lstm_8/lstm_cell/bias"}) -> tensor<2x5x4xf32> attributes {allow_soft_placement = false, tf.entry_function = {control_outputs = "functional_7_1/lstm_8_1/lstm_cell_1/Cast/ReadVariableOp,functional_7_1/lstm_8_1/lstm_cell_1/Cast_1/ReadVariableOp,functional_7_1/lstm_8_1/lstm_cell_1/BiasAdd/ReadVariableOp,functional_7_1/lstm_8_1/while", inputs = "x,functional_7_1_lstm_8_1_lstm_cell_1_cast_readvariableop_resource,functional_7_1_lstm_8_1_lstm_cell_1_cast_1_readvariableop_resource,functional_7_1_lstm_8_1_lstm_cell_1_biasadd_readvariableop_resource", outputs = "identity_RetVal"}} {
    %cst = "tf.Const"() <{value = dense<5> : tensor<i32>}> : () -> tensor<i32>
    %cst_1 = "tf.Const"() <{value = dense<0.000000e+00> : tensor<2x4xf32>}> {device = ""} : () -> tensor<2x4xf32>
    %cst_2 = "tf.Const"() <{value = dense<[1, 0, 2]> : tensor<3xi32>}> {device = ""} : () -> tensor<3xi32>
    %cst_3 = "tf.Const"() <{value = dense<3.000000e+01> : tensor<f32>}> {device = ""} : () -> tensor<f32>
    %cst_4 = "tf.Const"() <{value = dense<0> : tensor<i32>}> {device = ""} : () -> tensor<i32>
    %cst_5 = "tf.Const"() <{value = dense<[2, 3]> : tensor<2xi32>}> {device = ""} : () -> tensor<2xi32>
    %cst_6 = "tf.Const"() <{value = dense<[2, 4]> : tensor<2xi32>}> {device = ""} : () -> tensor<2xi32>
    %0 = "tf.TensorListReserve"(%cst_6, %cst) {device = ""} : (tensor<2xi32>, tensor<i32>) -> tensor<!tf_type.variant<tensor<2x4xf32>>>
    %1 = "tf.Mul"(%arg0, %cst_3) {device = ""} : (tensor<2x5x3xf32>, tensor<f32>) -> tensor<2x5x3xf32>
    %2 = "tf.Transpose"(%1, %cst_2) {device = ""} : (tensor<2x5x3xf32>, tensor<3xi32>) -> tensor<5x2x3xf32>
    %3 = "tf.TensorListFromTensor"(%2, %cst_5) {device = ""} : (tensor<5x2x3xf32>, tensor<2xi32>) -> tensor<!tf_type.variant<tensor<2x3xf32>>>
    %4, %5, %6, %7, %8, %9, %10, %11, %12, %13 = "tf.While"(%cst_4, %cst, %cst_4, %0, %cst_1, %cst_1, %3, %arg1, %arg2, %arg3) <{body = @functional_7_1_lstm_8_1_while_body_289290, cond = @functional_7_1_lstm_8_1_while_cond_289280, is_stateless = false, parallel_iterations = 32 : i64, shape_invariant}> {_lower_using_switch_merge = true, _num_original_outputs = 10 : i64, _read_only_resource_inputs = [7 : i64, 8 : i64, 9 : i64], device = ""} : (tensor<i32>, tensor<i32>, tensor<i32>, tensor<!tf_type.variant<tensor<2x4xf32>>>, tensor<2x4xf32>, tensor<2x4xf32>, tensor<!tf_type.variant<tensor<2x3xf32>>>, tensor<!tf_type.resource<tensor<3x16xf32>>>, tensor<!tf_type.resource<tensor<4x16xf32>>>, tensor<!tf_type.resource<tensor<16xf32>>>) -> (tensor<i32>, tensor<i32>, tensor<i32>, tensor<!tf_type.variant<tensor<2x4xf32>>>, tensor<2x4xf32>, tensor<2x4xf32>, tensor<!tf_type.variant<tensor<2x3xf32>>>, tensor<!tf_type.resource<tensor<3x16xf32>>>, tensor<!tf_type.resource<tensor<4x16xf32>>>, tensor<!tf_type.resource<tensor<16xf32>>>)
    %14 = "tf.TensorListStack"(%7, %cst_6) <{num_elements = 5 : i64}> {device = ""} : (tensor<!tf_type.variant<tensor<2x4xf32>>>, tensor<2xi32>) -> tensor<5x2x4xf32>
    %15 = "tf.Transpose"(%14, %cst_2) {device = ""} : (tensor<5x2x4xf32>, tensor<3xi32>) -> tensor<2x5x4xf32>
    %16 = "tf.Identity"(%15) {device = ""} : (tensor<2x5x4xf32>) -> tensor<2x5x4xf32>
    func.return %16 : tensor<2x5x4xf32>
  }
  func.func private @functional_7_1_lstm_8_1_while_body_289290(%arg0: tensor<i32> {tf._user_specified_name = "functional_7_1/lstm_8_1/while/loop_counter"}, %arg1: tensor<i32> {tf._user_specified_name = "functional_7_1/lstm_8_1/Max"}, %arg2: tensor<i32>, %arg3: tensor<!tf_type.variant<tensor<2x4xf32>>>, %arg4: tensor<2x4xf32>, %arg5: tensor<2x4xf32>, %arg6: tensor<!tf_type.variant<tensor<2x3xf32>>> {tf._user_specified_name = "functional_7_1/lstm_8_1/TensorArrayUnstack/TensorListFromTensor"}, %arg7: tensor<!tf_type.resource<tensor<3x16xf32>>> {tf._user_specified_name = "resource"}, %arg8: tensor<!tf_type.resource<tensor<4x16xf32>>> {tf._user_specified_name = "resource"}, %arg9: tensor<!tf_type.resource<tensor<16xf32>>> {tf._user_specified_name = "resource"}) -> (tensor<i32>, tensor<i32>, tensor<i32>, tensor<!tf_type.variant<tensor<2x4xf32>>>, tensor<2x4xf32>, tensor<2x4xf32>, tensor<!tf_type.variant<tensor<2x3xf32>>>, tensor<!tf_type.resource<tensor<3x16xf32>>>, tensor<!tf_type.resource<tensor<4x16xf32>>>, tensor<!tf_type.resource<tensor<16xf32>>>) attributes {tf._construction_context = "kEagerRuntime", tf.signature.is_stateful} {
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
  func.func private @functional_7_1_lstm_8_1_while_cond_289280(%arg0: tensor<i32> {tf._user_specified_name = "functional_7_1/lstm_8_1/while/loop_counter"}, %arg1: tensor<i32> {tf._user_specified_name = "functional_7_1/lstm_8_1/Max"}, %arg2: tensor<i32>, %arg3: tensor<!tf_type.variant<tensor<2x4xf32>>>, %arg4: tensor<2x4xf32>, %arg5: tensor<2x4xf32>, %arg6: tensor<!tf_type.variant<tensor<2x3xf32>>>, %arg7: tensor<!tf_type.resource<tensor<3x16xf32>>>, %arg8: tensor<!tf_type.resource<tensor<4x16xf32>>>, %arg9: tensor<!tf_type.resource<tensor<16xf32>>>) -> tensor<i1> attributes {tf._construction_context = "kEagerRuntime"} {
    %cst = "tf.Const"() <{value = dense<5> : tensor<i32>}> {device = ""} : () -> tensor<i32>
    %0 = "tf.Less"(%arg0, %arg1) {device = ""} : (tensor<i32>, tensor<i32>) -> tensor<i1>
    %1 = "tf.Less"(%arg2, %cst) {device = ""} : (tensor<i32>, tensor<i32>) -> tensor<i1>
    %2 = "tf.LogicalAnd"(%0, %1) {device = ""} : (tensor<i1>, tensor<i1>) -> tensor<i1>
    %3 = "tf.Identity"(%2) {device = ""} : (tensor<i1>) -> tensor<i1>
    func.return %3 : tensor<i1>
  }
  "tf_saved_model.global_tensor"() {sym_name = "lstm_8/lstm_cell/kernel", type = tensor<3x16xf32>, value = #nn.blob<dense<1.0> : tensor<3x16xf32>>} : () -> ()
  "tf_saved_model.global_tensor"() {sym_name = "lstm_8/lstm_cell/recurrent_kernel", type = tensor<4x16xf32>, value = #nn.blob<dense<[[-0.33434212, -0.03227808, -0.076265745, 0.03613403, 0.31013054, 0.062344655, 0.1337616, 0.23005237, 0.028015299, -0.17568131, -0.014270169, 0.403484, 0.48051947, 0.24104287, 0.395696, 0.26256353], [-0.07634931, -0.32967603, 0.22985683, 0.30577058, 0.17493531, -0.13933113, 0.027362525, -0.21035585, -0.006399216, 0.2987961, -0.40046737, -0.07206893, 0.4654962, -0.3442438, -0.23216921, -0.012636942], [-0.030046795, -0.2867387, 0.009220568, 0.1300748, 0.0330758, 0.0014203725, 0.5734746, 0.16043009, -0.16060875, -0.26948884, 0.042533226, 0.37125647, -0.37009588, -0.36802635, -0.18355449, -0.00043528527], [0.13990268, -0.19997464, -0.029096574, 0.5795016, -0.30800793, -0.22013707, -0.010617532, -0.22390178, -0.35671708, -0.080796964, -0.009728519, -0.06637397, -0.11738502, 0.3364541, 0.26831138, 0.27008826]]> : tensor<4x16xf32>>} : () -> ()
  "tf_saved_model.global_tensor"() {sym_name = "lstm_8/lstm_cell/bias", type = tensor<16xf32>, value = #nn.blob<dense<[8.0, 8.0, 8.0, 8.0, 1.0, 1.0, 1.0, 1.0, 8.0, 8.0, 8.0, 8.0, 8.0, 8.0, 8.0, 8.0]> : tensor<16xf32>>} : () -> ()
}
