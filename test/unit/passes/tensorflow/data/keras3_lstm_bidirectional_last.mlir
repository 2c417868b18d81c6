builtin.module attributes {tf.versions = {bad_consumers = [], min_consumer = 0 : i32, producer = 2474 : i32}} {
  func.func @__inference_flat_19049(%arg0: tensor<2x4x3xf32> {tf._user_specified_name = "x"}, %arg1: tensor<*x!tf_type.resource> {tf._user_specified_name = "resource", tf_saved_model.bound_input = @"bidirectional_2/forward_lstm_6/lstm_cell/kernel"}, %arg2: tensor<*x!tf_type.resource> {tf._user_specified_name = "resource", tf_saved_model.bound_input = @"bidirectional_2/forward_lstm_6/lstm_cell/recurrent_kernel"}, %arg3: tensor<*x!tf_type.resource> {tf._user_specified_name = "resource", tf_saved_model.bound_input = @"bidirectional_2/forward_lstm_6/lstm_cell/bias"}, %arg4: tensor<*x!tf_type.resource> {tf._user_specified_name = "resource", tf_saved_model.bound_input = @"bidirectional_2/backward_lstm_6/lstm_cell/kernel"}, %arg5: tensor<*x!tf_type.resource> {tf._user_specified_name = "resource", tf_saved_model.bound_input = @"bidirectional_2/backward_lstm_6/lstm_cell/recurrent_kernel"}, %arg6: tensor<*x!tf_type.resource> {tf._user_specified_name = "resource", tf_saved_model.bound_input = @"bidirectional_2/backward_lstm_6/lstm_cell/bias"}) -> tensor<2x4xf32> attributes {allow_soft_placement = false, tf.entry_function = {control_outputs = "functional_6_1/bidirectional_2_1/forward_lstm_6_1/lstm_cell_1/Cast/ReadVariableOp,functional_6_1/bidirectional_2_1/forward_lstm_6_1/lstm_cell_1/Cast_1/ReadVariableOp,functional_6_1/bidirectional_2_1/forward_lstm_6_1/lstm_cell_1/BiasAdd/ReadVariableOp,functional_6_1/bidirectional_2_1/forward_lstm_6_1/while,functional_6_1/bidirectional_2_1/backward_lstm_6_1/lstm_cell_1/Cast/ReadVariableOp,functional_6_1/bidirectional_2_1/backward_lstm_6_1/lstm_cell_1/Cast_1/ReadVariableOp,functional_6_1/bidirectional_2_1/backward_lstm_6_1/lstm_cell_1/BiasAdd/ReadVariableOp,functional_6_1/bidirectional_2_1/backward_lstm_6_1/while", inputs = "x,functional_6_1_bidirectional_2_1_forward_lstm_6_1_lstm_cell_1_cast_readvariableop_resource,functional_6_1_bidirectional_2_1_forward_lstm_6_1_lstm_cell_1_cast_1_readvariableop_resource,functional_6_1_bidirectional_2_1_forward_lstm_6_1_lstm_cell_1_biasadd_readvariableop_resource,functional_6_1_bidirectional_2_1_backward_lstm_6_1_lstm_cell_1_cast_readvariableop_resource,functional_6_1_bidirectional_2_1_backward_lstm_6_1_lstm_cell_1_cast_1_readvariableop_resource,functional_6_1_bidirectional_2_1_backward_lstm_6_1_lstm_cell_1_biasadd_readvariableop_resource", outputs = "identity_RetVal"}} {
    %cst = "tf.Const"() <{value = dense<4> : tensor<i32>}> : () -> tensor<i32>
    %cst_1 = "tf.Const"() <{value = dense<-1> : tensor<i32>}> {device = ""} : () -> tensor<i32>
    %cst_2 = "tf.Const"() <{value = dense<0.000000e+00> : tensor<2x2xf32>}> {device = ""} : () -> tensor<2x2xf32>
    %cst_3 = "tf.Const"() <{value = dense<[1, 0, 2]> : tensor<3xi32>}> {device = ""} : () -> tensor<3xi32>
    %cst_4 = "tf.Const"() <{value = dense<1> : tensor<1xi32>}> {device = ""} : () -> tensor<1xi32>
    %cst_5 = "tf.Const"() <{value = dense<-1> : tensor<1xi32>}> {device = ""} : () -> tensor<1xi32>
    %cst_6 = "tf.Const"() <{value = dense<0> : tensor<i32>}> {device = ""} : () -> tensor<i32>
    %cst_7 = "tf.Const"() <{value = dense<0> : tensor<1xi32>}> {device = ""} : () -> tensor<1xi32>
    %cst_8 = "tf.Const"() <{value = dense<[2, 3]> : tensor<2xi32>}> {device = ""} : () -> tensor<2xi32>
    %cst_9 = "tf.Const"() <{value = dense<2> : tensor<2xi32>}> {device = ""} : () -> tensor<2xi32>
    %cst_10 = "tf.Const"() <{value = dense<1> : tensor<i32>}> {device = ""} : () -> tensor<i32>
    %0 = "tf.TensorListReserve"(%cst_9, %cst_10) {device = ""} : (tensor<2xi32>, tensor<i32>) -> tensor<!tf_type.variant<tensor<2x2xf32>>>
    %1 = "tf.Transpose"(%arg0, %cst_3) {device = ""} : (tensor<2x4x3xf32>, tensor<3xi32>) -> tensor<4x2x3xf32>
    %2 = "tf.ReverseV2"(%1, %cst_7) {device = ""} : (tensor<4x2x3xf32>, tensor<1xi32>) -> tensor<4x2x3xf32>
    %3 = "tf.TensorListFromTensor"(%2, %cst_8) {device = ""} : (tensor<4x2x3xf32>, tensor<2xi32>) -> tensor<!tf_type.variant<tensor<2x3xf32>>>
    %4, %5, %6, %7, %8, %9, %10, %11, %12, %13 = "tf.While"(%cst_6, %cst, %cst_6, %0, %cst_2, %cst_2, %3, %arg4, %arg5, %arg6) <{body = @functional_6_1_bidirectional_2_1_backward_lstm_6_1_while_body_189640, cond = @functional_6_1_bidirectional_2_1_backward_lstm_6_1_while_cond_189630, is_stateless = false, parallel_iterations = 32 : i64, shape_invariant}> {_lower_using_switch_merge = true, _num_original_outputs = 10 : i64, _read_only_resource_inputs = [7 : i64, 8 : i64, 9 : i64], device = ""} : (tensor<i32>, tensor<i32>, tensor<i32>, tensor<!tf_type.variant<tensor<2x2xf32>>>, tensor<2x2xf32>, tensor<2x2xf32>, tensor<!tf_type.variant<tensor<2x3xf32>>>, tensor<*x!tf_type.resource>, tensor<*x!tf_type.resource>, tensor<*x!tf_type.resource>) -> (tensor<i32>, tensor<i32>, tensor<i32>, tensor<!tf_type.variant<tensor<2x2xf32>>>, tensor<2x2xf32>, tensor<2x2xf32>, tensor<!tf_type.variant<tensor<2x3xf32>>>, tensor<!tf_type.resource>, tensor<!tf_type.resource>, tensor<!tf_type.resource>)
    %14 = "tf.TensorListStack"(%7, %cst_9) <{num_elements = 1 : i64}> {device = ""} : (tensor<!tf_type.variant<tensor<2x2xf32>>>, tensor<2xi32>) -> tensor<1x2x2xf32>
    %15 = "tf.StridedSlice"(%14, %cst_5, %cst_7, %cst_4) <{begin_mask = 0 : i64, ellipsis_mask = 0 : i64, end_mask = 0 : i64, new_axis_mask = 0 : i64, shrink_axis_mask = 1 : i64}> {device = ""} : (tensor<1x2x2xf32>, tensor<1xi32>, tensor<1xi32>, tensor<1xi32>) -> tensor<2x2xf32>
    %16 = "tf.TensorListFromTensor"(%1, %cst_8) {device = ""} : (tensor<4x2x3xf32>, tensor<2xi32>) -> tensor<!tf_type.variant<tensor<2x3xf32>>>
    %17, %18, %19, %20, %21, %22, %23, %24, %25, %26 = "tf.While"(%cst_6, %cst, %cst_6, %0, %cst_2, %cst_2, %16, %arg1, %arg2, %arg3) <{body = @functional_6_1_bidirectional_2_1_forward_lstm_6_1_while_body_188260, cond = @functional_6_1_bidirectional_2_1_forward_lstm_6_1_while_cond_188250, is_stateless = false, parallel_iterations = 32 : i64, shape_invariant}> {_lower_using_switch_merge = true, _num_original_outputs = 10 : i64, _read_only_resource_inputs = [7 : i64, 8 : i64, 9 : i64], device = ""} : (tensor<i32>, tensor<i32>, tensor<i32>, tensor<!tf_type.variant<tensor<2x2xf32>>>, tensor<2x2xf32>, tensor<2x2xf32>, tensor<!tf_type.variant<tensor<2x3xf32>>>, tensor<*x!tf_type.resource>, tensor<*x!tf_type.resource>, tensor<*x!tf_type.resource>) -> (tensor<i32>, tensor<i32>, tensor<i32>, tensor<!tf_type.variant<tensor<2x2xf32>>>, tensor<2x2xf32>, tensor<2x2xf32>, tensor<!tf_type.variant<tensor<2x3xf32>>>, tensor<!tf_type.resource>, tensor<!tf_type.resource>, tensor<!tf_type.resource>)
    %27 = "tf.TensorListStack"(%20, %cst_9) <{num_elements = 1 : i64}> {device = ""} : (tensor<!tf_type.variant<tensor<2x2xf32>>>, tensor<2xi32>) -> tensor<1x2x2xf32>
    %28 = "tf.StridedSlice"(%27, %cst_5, %cst_7, %cst_4) <{begin_mask = 0 : i64, ellipsis_mask = 0 : i64, end_mask = 0 : i64, new_axis_mask = 0 : i64, shrink_axis_mask = 1 : i64}> {device = ""} : (tensor<1x2x2xf32>, tensor<1xi32>, tensor<1xi32>, tensor<1xi32>) -> tensor<2x2xf32>
    %29 = "tf.ConcatV2"(%28, %15, %cst_1) {device = ""} : (tensor<2x2xf32>, tensor<2x2xf32>, tensor<i32>) -> tensor<2x4xf32>
    %30 = "tf.Identity"(%29) {device = ""} : (tensor<2x4xf32>) -> tensor<2x4xf32>
    func.return %30 : tensor<2x4xf32>
  }
  func.func private @functional_6_1_bidirectional_2_1_backward_lstm_6_1_while_body_189640(%arg0: tensor<i32> {tf._user_specified_name = "functional_6_1/bidirectional_2_1/backward_lstm_6_1/while/loop_counter"}, %arg1: tensor<i32> {tf._user_specified_name = "functional_6_1/bidirectional_2_1/backward_lstm_6_1/Max"}, %arg2: tensor<i32>, %arg3: tensor<!tf_type.variant<tensor<2x2xf32>>>, %arg4: tensor<2x2xf32>, %arg5: tensor<2x2xf32>, %arg6: tensor<!tf_type.variant<tensor<2x3xf32>>> {tf._user_specified_name = "functional_6_1/bidirectional_2_1/backward_lstm_6_1/TensorArrayUnstack/TensorListFromTensor"}, %arg7: tensor<*x!tf_type.resource> {tf._user_specified_name = "resource"}, %arg8: tensor<*x!tf_type.resource> {tf._user_specified_name = "resource"}, %arg9: tensor<*x!tf_type.resource> {tf._user_specified_name = "resource"}) -> (tensor<i32>, tensor<i32>, tensor<i32>, tensor<!tf_type.variant<tensor<2x2xf32>>>, tensor<2x2xf32>, tensor<2x2xf32>, tensor<!tf_type.variant<tensor<2x3xf32>>>, tensor<*x!tf_type.resource>, tensor<*x!tf_type.resource>, tensor<*x!tf_type.resource>) attributes {tf._construction_context = "kEagerRuntime", tf.signature.is_stateful} {
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
  func.func private @functional_6_1_bidirectional_2_1_backward_lstm_6_1_while_cond_189630(%arg0: tensor<i32> {tf._user_specified_name = "functional_6_1/bidirectional_2_1/backward_lstm_6_1/while/loop_counter"}, %arg1: tensor<i32> {tf._user_specified_name = "functional_6_1/bidirectional_2_1/backward_lstm_6_1/Max"}, %arg2: tensor<i32>, %arg3: tensor<!tf_type.variant<tensor<2x2xf32>>>, %arg4: tensor<2x2xf32>, %arg5: tensor<2x2xf32>, %arg6: tensor<!tf_type.variant<tensor<2x3xf32>>>, %arg7: tensor<*x!tf_type.resource>, %arg8: tensor<*x!tf_type.resource>, %arg9: tensor<*x!tf_type.resource>) -> tensor<i1> attributes {tf._construction_context = "kEagerRuntime"} {
    %cst = "tf.Const"() <{value = dense<4> : tensor<i32>}> {device = ""} : () -> tensor<i32>
    %0 = "tf.Less"(%arg0, %arg1) {device = ""} : (tensor<i32>, tensor<i32>) -> tensor<i1>
    %1 = "tf.Less"(%arg2, %cst) {device = ""} : (tensor<i32>, tensor<i32>) -> tensor<i1>
    %2 = "tf.LogicalAnd"(%0, %1) {device = ""} : (tensor<i1>, tensor<i1>) -> tensor<i1>
    %3 = "tf.Identity"(%2) {device = ""} : (tensor<i1>) -> tensor<i1>
    func.return %3 : tensor<i1>
  }
  func.func private @functional_6_1_bidirectional_2_1_forward_lstm_6_1_while_body_188260(%arg0: tensor<i32> {tf._user_specified_name = "functional_6_1/bidirectional_2_1/forward_lstm_6_1/while/loop_counter"}, %arg1: tensor<i32> {tf._user_specified_name = "functional_6_1/bidirectional_2_1/forward_lstm_6_1/Max"}, %arg2: tensor<i32>, %arg3: tensor<!tf_type.variant<tensor<2x2xf32>>>, %arg4: tensor<2x2xf32>, %arg5: tensor<2x2xf32>, %arg6: tensor<!tf_type.variant<tensor<2x3xf32>>> {tf._user_specified_name = "functional_6_1/bidirectional_2_1/forward_lstm_6_1/TensorArrayUnstack/TensorListFromTensor"}, %arg7: tensor<*x!tf_type.resource> {tf._user_specified_name = "resource"}, %arg8: tensor<*x!tf_type.resource> {tf._user_specified_name = "resource"}, %arg9: tensor<*x!tf_type.resource> {tf._user_specified_name = "resource"}) -> (tensor<i32>, tensor<i32>, tensor<i32>, tensor<!tf_type.variant<tensor<2x2xf32>>>, tensor<2x2xf32>, tensor<2x2xf32>, tensor<!tf_type.variant<tensor<2x3xf32>>>, tensor<*x!tf_type.resource>, tensor<*x!tf_type.resource>, tensor<*x!tf_type.resource>) attributes {tf._construction_context = "kEagerRuntime", tf.signature.is_stateful} {
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
  func.func private @functional_6_1_bidirectional_2_1_forward_lstm_6_1_while_cond_188250(%arg0: tensor<i32> {tf._user_specified_name = "functional_6_1/bidirectional_2_1/forward_lstm_6_1/while/loop_counter"}, %arg1: tensor<i32> {tf._user_specified_name = "functional_6_1/bidirectional_2_1/forward_lstm_6_1/Max"}, %arg2: tensor<i32>, %arg3: tensor<!tf_type.variant<tensor<2x2xf32>>>, %arg4: tensor<2x2xf32>, %arg5: tensor<2x2xf32>, %arg6: tensor<!tf_type.variant<tensor<2x3xf32>>>, %arg7: tensor<*x!tf_type.resource>, %arg8: tensor<*x!tf_type.resource>, %arg9: tensor<*x!tf_type.resource>) -> tensor<i1> attributes {tf._construction_context = "kEagerRuntime"} {
    %cst = "tf.Const"() <{value = dense<4> : tensor<i32>}> {device = ""} : () -> tensor<i32>
    %0 = "tf.Less"(%arg0, %arg1) {device = ""} : (tensor<i32>, tensor<i32>) -> tensor<i1>
    %1 = "tf.Less"(%arg2, %cst) {device = ""} : (tensor<i32>, tensor<i32>) -> tensor<i1>
    %2 = "tf.LogicalAnd"(%0, %1) {device = ""} : (tensor<i1>, tensor<i1>) -> tensor<i1>
    %3 = "tf.Identity"(%2) {device = ""} : (tensor<i1>) -> tensor<i1>
    func.return %3 : tensor<i1>
  }
  "tf_saved_model.global_tensor"() {sym_name = "bidirectional_2/forward_lstm_6/lstm_cell/kernel", type = tensor<3x8xf32>, value = #nn.blob<dense<[[0.36767805, -0.2842761, -0.18225743, 0.018821293, 0.36442456, -0.11058131, 0.75829864, -0.45385915], [0.6432572, -0.42891076, -0.08153324, 0.1820231, 1.0274199, 0.44791308, -0.20293142, 0.64955956], [-0.10685245, -0.39572293, 0.22434235, 0.047235426, 0.4768332, -0.27486917, 0.19075175, 0.31727466]]> : tensor<3x8xf32>>} : () -> ()
  "tf_saved_model.global_tensor"() {sym_name = "bidirectional_2/forward_lstm_6/lstm_cell/recurrent_kernel", type = tensor<2x8xf32>, value = #nn.blob<dense<[[0.13902278, -0.014491766, -0.34880918, 0.4518759, 0.06861225, 0.24815199, -0.17538913, 0.0065058456], [-0.518614, 0.04276265, 0.38260517, 0.046496645, 0.4296964, 0.15645523, 0.68192834, -0.09502482]]> : tensor<2x8xf32>>} : () -> ()
  "tf_saved_model.global_tensor"() {sym_name = "bidirectional_2/forward_lstm_6/lstm_cell/bias", type = tensor<8xf32>, value = #nn.blob<dense<[-0.81931514, 0.21624412, -0.082594745, -0.4871467, 0.3256327, 0.13216457, 0.2226693, -0.16618797]> : tensor<8xf32>>} : () -> ()
  "tf_saved_model.global_tensor"() {sym_name = "bidirectional_2/backward_lstm_6/lstm_cell/kernel", type = tensor<3x8xf32>, value = #nn.blob<dense<[[0.09852358, 0.12716952, 0.88732755, -0.3419799, -0.0052471, 0.1819299, -0.86239344, -0.80148417], [1.0829092, -0.88355947, 0.28746456, -0.4241127, -0.38158005, -0.99126244, -0.4503693, 0.3921893], [-0.6943714, 0.29771343, 0.15664887, 1.0091511, -0.2372668, 0.631707, 0.44443446, -0.14333421]]> : tensor<3x8xf32>>} : () -> ()
  "tf_saved_model.global_tensor"() {sym_name = "bidirectional_2/backward_lstm_6/lstm_cell/recurrent_kernel", type = tensor<2x8xf32>, value = #nn.blob<dense<[[-0.831478, 0.7547202, -0.6821945, -0.23670797, 0.44158828, 0.5579778, -0.42272335, -0.016000843], [-0.12928922, 0.5907793, 1.2523167, -0.9149434, 0.45821145, -1.4290876, 0.007033186, -0.5543923]]> : tensor<2x8xf32>>} : () -> ()
  "tf_saved_model.global_tensor"() {sym_name = "bidirectional_2/backward_lstm_6/lstm_cell/bias", type = tensor<8xf32>, value = #nn.blob<dense<[0.9959094, 0.083184265, -0.36838588, -0.24965642, -0.28764787, 0.0941558, -0.079074234, 0.3279428]> : tensor<8xf32>>} : () -> ()
}
