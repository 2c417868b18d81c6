builtin.module attributes {tf.versions = {bad_consumers = [], min_consumer = 0 : i32, producer = 2474 : i32}} {
  func.func @__inference_flat_23870(%arg0: tensor<2x4x3xf32> {tf._user_specified_name = "x"}, %arg1: tensor<*x!tf_type.resource> {tf._user_specified_name = "resource", tf_saved_model.bound_input = @"lstm_12/lstm_cell/kernel"}, %arg2: tensor<*x!tf_type.resource> {tf._user_specified_name = "resource", tf_saved_model.bound_input = @"lstm_12/lstm_cell/recurrent_kernel"}) -> tensor<2x2xf32> attributes {allow_soft_placement = false, tf.entry_function = {control_outputs = "functional_14_1/lstm_12_1/lstm_cell_1/Cast/ReadVariableOp,functional_14_1/lstm_12_1/lstm_cell_1/Cast_1/ReadVariableOp,functional_14_1/lstm_12_1/while", inputs = "x,functional_14_1_lstm_12_1_lstm_cell_1_cast_readvariableop_resource,functional_14_1_lstm_12_1_lstm_cell_1_cast_1_readvariableop_resource", outputs = "identity_RetVal"}} {
    %cst = "tf.Const"() <{value = dense<4> : tensor<i32>}> : () -> tensor<i32>
    %cst_1 = "tf.Const"() <{value = dense<0.000000e+00> : tensor<2x2xf32>}> {device = ""} : () -> tensor<2x2xf32>
    %cst_2 = "tf.Const"() <{value = dense<[1, 0, 2]> : tensor<3xi32>}> {device = ""} : () -> tensor<3xi32>
    %cst_3 = "tf.Const"() <{value = dense<1> : tensor<1xi32>}> {device = ""} : () -> tensor<1xi32>
    %cst_4 = "tf.Const"() <{value = dense<0> : tensor<1xi32>}> {device = ""} : () -> tensor<1xi32>
    %cst_5 = "tf.Const"() <{value = dense<-1> : tensor<1xi32>}> {device = ""} : () -> tensor<1xi32>
    %cst_6 = "tf.Const"() <{value = dense<0> : tensor<i32>}> {device = ""} : () -> tensor<i32>
    %cst_7 = "tf.Const"() <{value = dense<[2, 3]> : tensor<2xi32>}> {device = ""} : () -> tensor<2xi32>
    %cst_8 = "tf.Const"() <{value = dense<2> : tensor<2xi32>}> {device = ""} : () -> tensor<2xi32>
    %cst_9 = "tf.Const"() <{value = dense<1> : tensor<i32>}> {device = ""} : () -> tensor<i32>
    %0 = "tf.TensorListReserve"(%cst_8, %cst_9) {device = ""} : (tensor<2xi32>, tensor<i32>) -> tensor<!tf_type.variant<tensor<2x2xf32>>>
    %1 = "tf.Transpose"(%arg0, %cst_2) {device = ""} : (tensor<2x4x3xf32>, tensor<3xi32>) -> tensor<4x2x3xf32>
    %2 = "tf.TensorListFromTensor"(%1, %cst_7) {device = ""} : (tensor<4x2x3xf32>, tensor<2xi32>) -> tensor<!tf_type.variant<tensor<2x3xf32>>>
    %3, %4, %5, %6, %7, %8, %9, %10, %11 = "tf.While"(%cst_6, %cst, %cst_6, %0, %cst_1, %cst_1, %2, %arg1, %arg2) <{body = @functional_14_1_lstm_12_1_while_body_237800, cond = @functional_14_1_lstm_12_1_while_cond_237790, is_stateless = false, parallel_iterations = 32 : i64, shape_invariant}> {_lower_using_switch_merge = true, _num_original_outputs = 9 : i64, _read_only_resource_inputs = [7 : i64, 8 : i64], device = ""} : (tensor<i32>, tensor<i32>, tensor<i32>, tensor<!tf_type.variant<tensor<2x2xf32>>>, tensor<2x2xf32>, tensor<2x2xf32>, tensor<!tf_type.variant<tensor<2x3xf32>>>, tensor<*x!tf_type.resource>, tensor<*x!tf_type.resource>) -> (tensor<i32>, tensor<i32>, tensor<i32>, tensor<!tf_type.variant<tensor<2x2xf32>>>, tensor<2x2xf32>, tensor<2x2xf32>, tensor<!tf_type.variant<tensor<2x3xf32>>>, tensor<!tf_type.resource>, tensor<!tf_type.resource>)
    %12 = "tf.TensorListStack"(%6, %cst_8) <{num_elements = 1 : i64}> {device = ""} : (tensor<!tf_type.variant<tensor<2x2xf32>>>, tensor<2xi32>) -> tensor<1x2x2xf32>
    %13 = "tf.StridedSlice"(%12, %cst_5, %cst_4, %cst_3) <{begin_mask = 0 : i64, ellipsis_mask = 0 : i64, end_mask = 0 : i64, new_axis_mask = 0 : i64, shrink_axis_mask = 1 : i64}> {device = ""} : (tensor<1x2x2xf32>, tensor<1xi32>, tensor<1xi32>, tensor<1xi32>) -> tensor<2x2xf32>
    %14 = "tf.Identity"(%13) {device = ""} : (tensor<2x2xf32>) -> tensor<2x2xf32>
    func.return %14 : tensor<2x2xf32>
  }
  func.func private @functional_14_1_lstm_12_1_while_body_237800(%arg0: tensor<i32> {tf._user_specified_name = "functional_14_1/lstm_12_1/while/loop_counter"}, %arg1: tensor<i32> {tf._user_specified_name = "functional_14_1/lstm_12_1/Max"}, %arg2: tensor<i32>, %arg3: tensor<!tf_type.variant<tensor<2x2xf32>>>, %arg4: tensor<2x2xf32>, %arg5: tensor<2x2xf32>, %arg6: tensor<!tf_type.variant<tensor<2x3xf32>>> {tf._user_specified_name = "functional_14_1/lstm_12_1/TensorArrayUnstack/TensorListFromTensor"}, %arg7: tensor<*x!tf_type.resource> {tf._user_specified_name = "resource"}, %arg8: tensor<*x!tf_type.resource> {tf._user_specified_name = "resource"}) -> (tensor<i32>, tensor<i32>, tensor<i32>, tensor<!tf_type.variant<tensor<2x2xf32>>>, tensor<2x2xf32>, tensor<2x2xf32>, tensor<!tf_type.variant<tensor<2x3xf32>>>, tensor<*x!tf_type.resource>, tensor<*x!tf_type.resource>) attributes {tf._construction_context = "kEagerRuntime", tf.signature.is_stateful} {
    %cst = "tf.Const"() <{value = dense<0.166666672> : tensor<f32>}> : () -> tensor<f32>
    %cst_1 = "tf.Const"() <{value = dense<[2, 3]> : tensor<2xi32>}> {device = ""} : () -> tensor<2xi32>
    %cst_2 = "tf.Const"() <{value = dense<0> : tensor<i32>}> {device = ""} : () -> tensor<i32>
    %cst_3 = "tf.Const"() <{value = dense<1> : tensor<i32>}> {device = ""} : () -> tensor<i32>
    %cst_4 = "tf.Const"() <{value = dense<3.000000e+00> : tensor<f32>}> {device = ""} : () -> tensor<f32>
    %0 = "tf.AddV2"(%arg0, %cst_3) {device = ""} : (tensor<i32>, tensor<i32>) -> tensor<i32>
    %1 = "tf.ReadVariableOp"(%arg8) {device = ""} : (tensor<*x!tf_type.resource>) -> tensor<*xf32>
    %2 = "tf.ReadVariableOp"(%arg7) {device = ""} : (tensor<*x!tf_type.resource>) -> tensor<*xf32>
    %3 = "tf.Identity"(%0) {device = ""} : (tensor<i32>) -> tensor<i32>
    %4 = "tf.Identity"(%arg1) {device = ""} : (tensor<i32>) -> tensor<i32>
    %5 = "tf.AddV2"(%arg2, %cst_3) {device = ""} : (tensor<i32>, tensor<i32>) -> tensor<i32>
    %6 = "tf.Identity"(%5) {device = ""} : (tensor<i32>) -> tensor<i32>
    %7 = "tf.MatMul"(%arg4, %1) <{grad_a = false, grad_b = false, transpose_a = false, transpose_b = false}> {device = ""} : (tensor<2x2xf32>, tensor<*xf32>) -> tensor<2x?xf32>
    %8 = "tf.TensorListGetItem"(%arg6, %arg2, %cst_1) {device = ""} : (tensor<!tf_type.variant<tensor<2x3xf32>>>, tensor<i32>, tensor<2xi32>) -> tensor<2x3xf32>
    %9 = "tf.MatMul"(%8, %2) <{grad_a = false, grad_b = false, transpose_a = false, transpose_b = false}> {device = ""} : (tensor<2x3xf32>, tensor<*xf32>) -> tensor<2x?xf32>
    %10 = "tf.AddV2"(%9, %7) {device = ""} : (tensor<2x?xf32>, tensor<2x?xf32>) -> tensor<2x?xf32>
    %11, %12, %13, %14 = "tf.Split"(%cst_3, %10) {device = ""} : (tensor<i32>, tensor<2x?xf32>) -> (tensor<2x?xf32>, tensor<2x?xf32>, tensor<2x?xf32>, tensor<2x?xf32>)
    %15 = "tf.Tanh"(%13) {device = ""} : (tensor<2x?xf32>) -> tensor<2x?xf32>
    %16 = "tf.AddV2"(%11, %cst_4) {device = ""} : (tensor<2x?xf32>, tensor<f32>) -> tensor<2x?xf32>
    %17 = "tf.Relu6"(%16) {device = ""} : (tensor<2x?xf32>) -> tensor<2x?xf32>
    %18 = "tf.Mul"(%17, %cst) {device = ""} : (tensor<2x?xf32>, tensor<f32>) -> tensor<2x?xf32>
    %19 = "tf.Mul"(%18, %15) {device = ""} : (tensor<2x?xf32>, tensor<2x?xf32>) -> tensor<2x?xf32>
    %20 = "tf.AddV2"(%12, %cst_4) {device = ""} : (tensor<2x?xf32>, tensor<f32>) -> tensor<2x?xf32>
    %21 = "tf.Relu6"(%20) {device = ""} : (tensor<2x?xf32>) -> tensor<2x?xf32>
    %22 = "tf.Mul"(%21, %cst) {device = ""} : (tensor<2x?xf32>, tensor<f32>) -> tensor<2x?xf32>
    %23 = "tf.Mul"(%22, %arg5) {device = ""} : (tensor<2x?xf32>, tensor<2x2xf32>) -> tensor<2x2xf32>
    %24 = "tf.AddV2"(%23, %19) {device = ""} : (tensor<2x2xf32>, tensor<2x?xf32>) -> tensor<2x2xf32>
    %25 = "tf.Identity"(%24) {device = ""} : (tensor<2x2xf32>) -> tensor<2x2xf32>
    %26 = "tf.Tanh"(%24) {device = ""} : (tensor<2x2xf32>) -> tensor<2x2xf32>
    %27 = "tf.AddV2"(%14, %cst_4) {device = ""} : (tensor<2x?xf32>, tensor<f32>) -> tensor<2x?xf32>
    %28 = "tf.Relu6"(%27) {device = ""} : (tensor<2x?xf32>) -> tensor<2x?xf32>
    %29 = "tf.Mul"(%28, %cst) {device = ""} : (tensor<2x?xf32>, tensor<f32>) -> tensor<2x?xf32>
    %30 = "tf.Mul"(%29, %26) {device = ""} : (tensor<2x?xf32>, tensor<2x2xf32>) -> tensor<2x2xf32>
    %31 = "tf.Identity"(%30) {device = ""} : (tensor<2x2xf32>) -> tensor<2x2xf32>
    %32 = "tf.TensorListSetItem"(%arg3, %cst_2, %30) <{resize_if_index_out_of_bounds = false}> {device = ""} : (tensor<!tf_type.variant<tensor<2x2xf32>>>, tensor<i32>, tensor<2x2xf32>) -> tensor<!tf_type.variant<tensor<2x2xf32>>>
    %33 = "tf.Identity"(%32) {device = ""} : (tensor<!tf_type.variant<tensor<2x2xf32>>>) -> tensor<!tf_type.variant<tensor<2x2xf32>>>
    func.return %3, %4, %6, %33, %31, %25, %arg6, %arg7, %arg8 : tensor<i32>, tensor<i32>, tensor<i32>, tensor<!tf_type.variant<tensor<2x2xf32>>>, tensor<2x2xf32>, tensor<2x2xf32>, tensor<!tf_type.variant<tensor<2x3xf32>>>, tensor<*x!tf_type.resource>, tensor<*x!tf_type.resource>
  }
  func.func private @functional_14_1_lstm_12_1_while_cond_237790(%arg0: tensor<i32> {tf._user_specified_name = "functional_14_1/lstm_12_1/while/loop_counter"}, %arg1: tensor<i32> {tf._user_specified_name = "functional_14_1/lstm_12_1/Max"}, %arg2: tensor<i32>, %arg3: tensor<!tf_type.variant<tensor<2x2xf32>>>, %arg4: tensor<2x2xf32>, %arg5: tensor<2x2xf32>, %arg6: tensor<!tf_type.variant<tensor<2x3xf32>>>, %arg7: tensor<*x!tf_type.resource>, %arg8: tensor<*x!tf_type.resource>) -> tensor<i1> attributes {tf._construction_context = "kEagerRuntime"} {
    %cst = "tf.Const"() <{value = dense<4> : tensor<i32>}> {device = ""} : () -> tensor<i32>
    %0 = "tf.Less"(%arg0, %arg1) {device = ""} : (tensor<i32>, tensor<i32>) -> tensor<i1>
    %1 = "tf.Less"(%arg2, %cst) {device = ""} : (tensor<i32>, tensor<i32>) -> tensor<i1>
    %2 = "tf.LogicalAnd"(%0, %1) {device = ""} : (tensor<i1>, tensor<i1>) -> tensor<i1>
    %3 = "tf.Identity"(%2) {device = ""} : (tensor<i1>) -> tensor<i1>
    func.return %3 : tensor<i1>
  }
  "tf_saved_model.global_tensor"() {sym_name = "lstm_12/lstm_cell/kernel", type = tensor<3x8xf32>, value = #nn.blob<dense<[[0.1802004, 0.7073348, -0.0986844, -0.19134746, 0.54679525, -0.6333193, -0.6229451, -0.69526803], [-0.07868898, 0.19701348, -0.045286473, 0.2748881, 0.4153736, 0.24829264, -0.40432692, -0.13404384], [0.6241236, -0.5233433, -0.12671185, -0.20863691, -0.09004433, -0.5378342, -0.67466676, 1.277982]]> : tensor<3x8xf32>>} : () -> ()
  "tf_saved_model.global_tensor"() {sym_name = "lstm_12/lstm_cell/recurrent_kernel", type = tensor<2x8xf32>, value = #nn.blob<dense<[[0.47295055, -0.3563086, -0.029482488, 0.33835426, -0.17183049, 0.30826178, -0.30764234, -0.17926458], [-0.04238438, -0.22874776, -1.2264112, 0.010576042, 0.130811, 0.23809823, -0.4969925, 0.17212369]]> : tensor<2x8xf32>>} : () -> ()
}
