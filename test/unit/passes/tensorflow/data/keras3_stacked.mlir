builtin.module attributes {tf.versions = {bad_consumers = [], min_consumer = 0 : i32, producer = 2474 : i32}} {
  func.func @__inference_flat_20151(%arg0: tensor<2x4x3xf32> {tf._user_specified_name = "x"}, %arg1: tensor<*x!tf_type.resource> {tf._user_specified_name = "resource", tf_saved_model.bound_input = @"sequential/lstm_7/lstm_cell/kernel"}, %arg2: tensor<*x!tf_type.resource> {tf._user_specified_name = "resource", tf_saved_model.bound_input = @"sequential/lstm_7/lstm_cell/recurrent_kernel"}, %arg3: tensor<*x!tf_type.resource> {tf._user_specified_name = "resource", tf_saved_model.bound_input = @"sequential/lstm_7/lstm_cell/bias"}, %arg4: tensor<*x!tf_type.resource> {tf._user_specified_name = "resource", tf_saved_model.bound_input = @"sequential/lstm_8/lstm_cell/kernel"}, %arg5: tensor<*x!tf_type.resource> {tf._user_specified_name = "resource", tf_saved_model.bound_input = @"sequential/lstm_8/lstm_cell/recurrent_kernel"}, %arg6: tensor<*x!tf_type.resource> {tf._user_specified_name = "resource", tf_saved_model.bound_input = @"sequential/lstm_8/lstm_cell/bias"}, %arg7: tensor<*x!tf_type.resource> {tf._user_specified_name = "resource", tf_saved_model.bound_input = @"sequential/dense/kernel"}, %arg8: tensor<*x!tf_type.resource> {tf._user_specified_name = "resource", tf_saved_model.bound_input = @"sequential/dense/bias"}) -> tensor<2x?xf32> attributes {allow_soft_placement = false, tf.entry_function = {control_outputs = "sequential_1/lstm_7_1/lstm_cell_1/Cast/ReadVariableOp,sequential_1/lstm_7_1/lstm_cell_1/Cast_1/ReadVariableOp,sequential_1/lstm_7_1/lstm_cell_1/BiasAdd/ReadVariableOp,sequential_1/lstm_7_1/while,sequential_1/lstm_8_1/lstm_cell_1/Cast/ReadVariableOp,sequential_1/lstm_8_1/lstm_cell_1/Cast_1/ReadVariableOp,sequential_1/lstm_8_1/lstm_cell_1/BiasAdd/ReadVariableOp,sequential_1/lstm_8_1/while,sequential_1/dense_1/Cast/ReadVariableOp,sequential_1/dense_1/BiasAdd/ReadVariableOp", inputs = "x,sequential_1_lstm_7_1_lstm_cell_1_cast_readvariableop_resource,sequential_1_lstm_7_1_lstm_cell_1_cast_1_readvariableop_resource,sequential_1_lstm_7_1_lstm_cell_1_biasadd_readvariableop_resource,sequential_1_lstm_8_1_lstm_cell_1_cast_readvariableop_resource,sequential_1_lstm_8_1_lstm_cell_1_cast_1_readvariableop_resource,sequential_1_lstm_8_1_lstm_cell_1_biasadd_readvariableop_resource,sequential_1_dense_1_cast_readvariableop_resource,sequential_1_dense_1_biasadd_readvariableop_resource", outputs = "identity_RetVal"}} {
    %cst = "tf.Const"() <{value = dense<4> : tensor<i32>}> : () -> tensor<i32>
    %cst_1 = "tf.Const"() <{value = dense<0.000000e+00> : tensor<2x3xf32>}> {device = ""} : () -> tensor<2x3xf32>
    %cst_2 = "tf.Const"() <{value = dense<1> : tensor<1xi32>}> {device = ""} : () -> tensor<1xi32>
    %cst_3 = "tf.Const"() <{value = dense<0> : tensor<1xi32>}> {device = ""} : () -> tensor<1xi32>
    %cst_4 = "tf.Const"() <{value = dense<-1> : tensor<1xi32>}> {device = ""} : () -> tensor<1xi32>
    %cst_5 = "tf.Const"() <{value = dense<0.000000e+00> : tensor<2x2xf32>}> {device = ""} : () -> tensor<2x2xf32>
    %cst_6 = "tf.Const"() <{value = dense<[1, 0, 2]> : tensor<3xi32>}> {device = ""} : () -> tensor<3xi32>
    %cst_7 = "tf.Const"() <{value = dense<1> : tensor<i32>}> {device = ""} : () -> tensor<i32>
    %cst_8 = "tf.Const"() <{value = dense<0> : tensor<i32>}> {device = ""} : () -> tensor<i32>
    %cst_9 = "tf.Const"() <{value = dense<[2, 3]> : tensor<2xi32>}> {device = ""} : () -> tensor<2xi32>
    %cst_10 = "tf.Const"() <{value = dense<2> : tensor<2xi32>}> {device = ""} : () -> tensor<2xi32>
    %0 = "tf.TensorListReserve"(%cst_10, %cst) {device = ""} : (tensor<2xi32>, tensor<i32>) -> tensor<!tf_type.variant<tensor<2x2xf32>>>
    %1 = "tf.TensorListReserve"(%cst_9, %cst_7) {device = ""} : (tensor<2xi32>, tensor<i32>) -> tensor<!tf_type.variant<tensor<2x3xf32>>>
    %2 = "tf.ReadVariableOp"(%arg8) {device = ""} : (tensor<*x!tf_type.resource>) -> tensor<*xf32>
    %3 = "tf.ReadVariableOp"(%arg7) {device = ""} : (tensor<*x!tf_type.resource>) -> tensor<*xf32>
    %4 = "tf.Transpose"(%arg0, %cst_6) {device = ""} : (tensor<2x4x3xf32>, tensor<3xi32>) -> tensor<4x2x3xf32>
    %5 = "tf.TensorListFromTensor"(%4, %cst_9) {device = ""} : (tensor<4x2x3xf32>, tensor<2xi32>) -> tensor<!tf_type.variant<tensor<2x3xf32>>>
    %6, %7, %8, %9, %10, %11, %12, %13, %14, %15 = "tf.While"(%cst_8, %cst, %cst_8, %0, %cst_5, %cst_5, %5, %arg1, %arg2, %arg3) <{body = @sequential_1_lstm_7_1_while_body_199270, cond = @sequential_1_lstm_7_1_while_cond_199260, is_stateless = false, parallel_iterations = 32 : i64, shape_invariant}> {_lower_using_switch_merge = true, _num_original_outputs = 10 : i64, _read_only_resource_inputs = [7 : i64, 8 : i64, 9 : i64], device = ""} : (tensor<i32>, tensor<i32>, tensor<i32>, tensor<!tf_type.variant<tensor<2x2xf32>>>, tensor<2x2xf32>, tensor<2x2xf32>, tensor<!tf_type.variant<tensor<2x3xf32>>>, tensor<*x!tf_type.resource>, tensor<*x!tf_type.resource>, tensor<*x!tf_type.resource>) -> (tensor<i32>, tensor<i32>, tensor<i32>, tensor<!tf_type.variant<tensor<2x2xf32>>>, tensor<2x2xf32>, tensor<2x2xf32>, tensor<!tf_type.variant<tensor<2x3xf32>>>, tensor<!tf_type.resource>, tensor<!tf_type.resource>, tensor<!tf_type.resource>)
    %16 = "tf.TensorListStack"(%9, %cst_10) <{num_elements = 4 : i64}> {device = ""} : (tensor<!tf_type.variant<tensor<2x2xf32>>>, tensor<2xi32>) -> tensor<4x2x2xf32>
    %17 = "tf.TensorListFromTensor"(%16, %cst_10) {device = ""} : (tensor<4x2x2xf32>, tensor<2xi32>) -> tensor<!tf_type.variant<tensor<2x2xf32>>>
    %18, %19, %20, %21, %22, %23, %24, %25, %26, %27 = "tf.While"(%cst_8, %cst, %cst_8, %1, %cst_1, %cst_1, %17, %arg4, %arg5, %arg6) <{body = @sequential_1_lstm_8_1_while_body_200620, cond = @sequential_1_lstm_8_1_while_cond_200610, is_stateless = false, parallel_iterations = 32 : i64, shape_invariant}> {_lower_using_switch_merge = true, _num_original_outputs = 10 : i64, _read_only_resource_inputs = [7 : i64, 8 : i64, 9 : i64], device = ""} : (tensor<i32>, tensor<i32>, tensor<i32>, tensor<!tf_type.variant<tensor<2x3xf32>>>, tensor<2x3xf32>, tensor<2x3xf32>, tensor<!tf_type.variant<tensor<2x2xf32>>>, tensor<*x!tf_type.resource>, tensor<*x!tf_type.resource>, tensor<*x!tf_type.resource>) -> (tensor<i32>, tensor<i32>, tensor<i32>, tensor<!tf_type.variant<tensor<2x3xf32>>>, tensor<2x3xf32>, tensor<2x3xf32>, tensor<!tf_type.variant<tensor<2x2xf32>>>, tensor<!tf_type.resource>, tensor<!tf_type.resource>, tensor<!tf_type.resource>)
    %28 = "tf.TensorListStack"(%21, %cst_9) <{num_elements = 1 : i64}> {device = ""} : (tensor<!tf_type.variant<tensor<2x3xf32>>>, tensor<2xi32>) -> tensor<1x2x3xf32>
    %29 = "tf.StridedSlice"(%28, %cst_4, %cst_3, %cst_2) <{begin_mask = 0 : i64, ellipsis_mask = 0 : i64, end_mask = 0 : i64, new_axis_mask = 0 : i64, shrink_axis_mask = 1 : i64}> {device = ""} : (tensor<1x2x3xf32>, tensor<1xi32>, tensor<1xi32>, tensor<1xi32>) -> tensor<2x3xf32>
    %30 = "tf.MatMul"(%29, %3) <{grad_a = false, grad_b = false, transpose_a = false, transpose_b = false}> {device = ""} : (tensor<2x3xf32>, tensor<*xf32>) -> tensor<2x?xf32>
    %31 = "tf.BiasAdd"(%30, %2) <{data_format = "NHWC"}> {device = ""} : (tensor<2x?xf32>, tensor<*xf32>) -> tensor<2x?xf32>
    %32 = "tf.Identity"(%31) {device = ""} : (tensor<2x?xf32>) -> tensor<2x?xf32>
    func.return %32 : tensor<2x?xf32>
  }
  func.func private @sequential_1_lstm_7_1_while_body_199270(%arg0: tensor<i32> {tf._user_specified_name = "sequential_1/lstm_7_1/while/loop_counter"}, %arg1: tensor<i32> {tf._user_specified_name = "sequential_1/lstm_7_1/Max"}, %arg2: tensor<i32>, %arg3: tensor<!tf_type.variant<tensor<2x2xf32>>>, %arg4: tensor<2x2xf32>, %arg5: tensor<2x2xf32>, %arg6: tensor<!tf_type.variant<tensor<2x3xf32>>> {tf._user_specified_name = "sequential_1/lstm_7_1/TensorArrayUnstack/TensorListFromTensor"}, %arg7: tensor<*x!tf_type.resource> {tf._user_specified_name = "resource"}, %arg8: tensor<*x!tf_type.resource> {tf._user_specified_name = "resource"}, %arg9: tensor<*x!tf_type.resource> {tf._user_specified_name = "resource"}) -> (tensor<i32>, tensor<i32>, tensor<i32>, tensor<!tf_type.variant<tensor<2x2xf32>>>, tensor<2x2xf32>, tensor<2x2xf32>, tensor<!tf_type.variant<tensor<2x3xf32>>>, tensor<*x!tf_type.resource>, tensor<*x!tf_type.resource>, tensor<*x!tf_type.resource>) attributes {tf._construction_context = "kEagerRuntime", tf.signature.is_stateful} {
    %cst = "tf.Const"() <{value = dense<[2, 3]> : tensor<2xi32>}> {device = ""} : () -> tensor<2xi32>
    %cst_1 = "tf.Const"() <{value = dense<1> : tensor<i32>}> {device = ""} : () -> tensor<i32>
    %0 = "tf.ReadVariableOp"(%arg9) {device = ""} : (tensor<*x!tf_type.resource>) -> tensor<*xf32>
    %1 = "tf.ReadVariableOp"(%arg8) {device = ""} : (tensor<*x!tf_type.resource>) -> tensor<*xf32>
    %2 = "tf.ReadVariableOp"(%arg7) {device = ""} : (tensor<*x!tf_type.resource>) -> tensor<*xf32>
    %3 = "tf.AddV2"(%arg2, %cst_1) {device = ""} : (tensor<i32>, tensor<i32>) -> tensor<i32>
    %4 = "tf.Identity"(%3) {device = ""} : (tensor<i32>) -> tensor<i32>
    %5 = "tf.MatMul"(%arg4, %1) <{grad_a = false, grad_b = false, transpose_a = false, transpose_b = false}> {device = ""} : (tensor<2x2xf32>, tensor<*xf32>) -> tensor<2x?xf32>
    %6 = "tf.Identity"(%arg1) {device = ""} : (tensor<i32>) -> tensor<i32>
    %7 = "tf.AddV2"(%arg0, %cst_1) {device = ""} : (tensor<i32>, tensor<i32>) -> tensor<i32>
    %8 = "tf.Identity"(%7) {device = ""} : (tensor<i32>) -> tensor<i32>
    %9 = "tf.TensorListGetItem"(%arg6, %arg2, %cst) {device = ""} : (tensor<!tf_type.variant<tensor<2x3xf32>>>, tensor<i32>, tensor<2xi32>) -> tensor<2x3xf32>
    %10 = "tf.MatMul"(%9, %2) <{grad_a = false, grad_b = false, transpose_a = false, transpose_b = false}> {device = ""} : (tensor<2x3xf32>, tensor<*xf32>) -> tensor<2x?xf32>
    %11 = "tf.AddV2"(%10, %5) {device = ""} : (tensor<2x?xf32>, tensor<2x?xf32>) -> tensor<2x?xf32>
    %12 = "tf.BiasAdd"(%11, %0) <{data_format = "NHWC"}> {device = ""} : (tensor<2x?xf32>, tensor<*xf32>) -> tensor<2x?xf32>
    %13, %14, %15, %16 = "tf.Split"(%cst_1, %12) {device = ""} : (tensor<i32>, tensor<2x?xf32>) -> (tensor<2x?xf32>, tensor<2x?xf32>, tensor<2x?xf32>, tensor<2x?xf32>)
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
    %28 = "tf.TensorListSetItem"(%arg3, %arg2, %26) <{resize_if_index_out_of_bounds = false}> {device = ""} : (tensor<!tf_type.variant<tensor<2x2xf32>>>, tensor<i32>, tensor<2x2xf32>) -> tensor<!tf_type.variant<tensor<2x2xf32>>>
    %29 = "tf.Identity"(%28) {device = ""} : (tensor<!tf_type.variant<tensor<2x2xf32>>>) -> tensor<!tf_type.variant<tensor<2x2xf32>>>
    func.return %8, %6, %4, %29, %27, %24, %arg6, %arg7, %arg8, %arg9 : tensor<i32>, tensor<i32>, tensor<i32>, tensor<!tf_type.variant<tensor<2x2xf32>>>, tensor<2x2xf32>, tensor<2x2xf32>, tensor<!tf_type.variant<tensor<2x3xf32>>>, tensor<*x!tf_type.resource>, tensor<*x!tf_type.resource>, tensor<*x!tf_type.resource>
  }
  func.func private @sequential_1_lstm_7_1_while_cond_199260(%arg0: tensor<i32> {tf._user_specified_name = "sequential_1/lstm_7_1/while/loop_counter"}, %arg1: tensor<i32> {tf._user_specified_name = "sequential_1/lstm_7_1/Max"}, %arg2: tensor<i32>, %arg3: tensor<!tf_type.variant<tensor<2x2xf32>>>, %arg4: tensor<2x2xf32>, %arg5: tensor<2x2xf32>, %arg6: tensor<!tf_type.variant<tensor<2x3xf32>>>, %arg7: tensor<*x!tf_type.resource>, %arg8: tensor<*x!tf_type.resource>, %arg9: tensor<*x!tf_type.resource>) -> tensor<i1> attributes {tf._construction_context = "kEagerRuntime"} {
    %cst = "tf.Const"() <{value = dense<4> : tensor<i32>}> {device = ""} : () -> tensor<i32>
    %0 = "tf.Less"(%arg2, %cst) {device = ""} : (tensor<i32>, tensor<i32>) -> tensor<i1>
    %1 = "tf.Less"(%arg0, %arg1) {device = ""} : (tensor<i32>, tensor<i32>) -> tensor<i1>
    %2 = "tf.LogicalAnd"(%1, %0) {device = ""} : (tensor<i1>, tensor<i1>) -> tensor<i1>
    %3 = "tf.Identity"(%2) {device = ""} : (tensor<i1>) -> tensor<i1>
    func.return %3 : tensor<i1>
  }
  func.func private @sequential_1_lstm_8_1_while_body_200620(%arg0: tensor<i32> {tf._user_specified_name = "sequential_1/lstm_8_1/while/loop_counter"}, %arg1: tensor<i32> {tf._user_specified_name = "sequential_1/lstm_8_1/Max"}, %arg2: tensor<i32>, %arg3: tensor<!tf_type.variant<tensor<2x3xf32>>>, %arg4: tensor<2x3xf32>, %arg5: tensor<2x3xf32>, %arg6: tensor<!tf_type.variant<tensor<2x2xf32>>> {tf._user_specified_name = "sequential_1/lstm_8_1/TensorArrayUnstack/TensorListFromTensor"}, %arg7: tensor<*x!tf_type.resource> {tf._user_specified_name = "resource"}, %arg8: tensor<*x!tf_type.resource> {tf._user_specified_name = "resource"}, %arg9: tensor<*x!tf_type.resource> {tf._user_specified_name = "resource"}) -> (tensor<i32>, tensor<i32>, tensor<i32>, tensor<!tf_type.variant<tensor<2x3xf32>>>, tensor<2x3xf32>, tensor<2x3xf32>, tensor<!tf_type.variant<tensor<2x2xf32>>>, tensor<*x!tf_type.resource>, tensor<*x!tf_type.resource>, tensor<*x!tf_type.resource>) attributes {tf._construction_context = "kEagerRuntime", tf.signature.is_stateful} {
    %cst = "tf.Const"() <{value = dense<2> : tensor<2xi32>}> {device = ""} : () -> tensor<2xi32>
    %cst_1 = "tf.Const"() <{value = dense<0> : tensor<i32>}> {device = ""} : () -> tensor<i32>
    %cst_2 = "tf.Const"() <{value = dense<1> : tensor<i32>}> {device = ""} : () -> tensor<i32>
    %0 = "tf.ReadVariableOp"(%arg9) {device = ""} : (tensor<*x!tf_type.resource>) -> tensor<*xf32>
    %1 = "tf.ReadVariableOp"(%arg8) {device = ""} : (tensor<*x!tf_type.resource>) -> tensor<*xf32>
    %2 = "tf.ReadVariableOp"(%arg7) {device = ""} : (tensor<*x!tf_type.resource>) -> tensor<*xf32>
    %3 = "tf.AddV2"(%arg2, %cst_2) {device = ""} : (tensor<i32>, tensor<i32>) -> tensor<i32>
    %4 = "tf.Identity"(%3) {device = ""} : (tensor<i32>) -> tensor<i32>
    %5 = "tf.MatMul"(%arg4, %1) <{grad_a = false, grad_b = false, transpose_a = false, transpose_b = false}> {device = ""} : (tensor<2x3xf32>, tensor<*xf32>) -> tensor<2x?xf32>
    %6 = "tf.Identity"(%arg1) {device = ""} : (tensor<i32>) -> tensor<i32>
    %7 = "tf.AddV2"(%arg0, %cst_2) {device = ""} : (tensor<i32>, tensor<i32>) -> tensor<i32>
    %8 = "tf.Identity"(%7) {device = ""} : (tensor<i32>) -> tensor<i32>
    %9 = "tf.TensorListGetItem"(%arg6, %arg2, %cst) {device = ""} : (tensor<!tf_type.variant<tensor<2x2xf32>>>, tensor<i32>, tensor<2xi32>) -> tensor<2x2xf32>
    %10 = "tf.MatMul"(%9, %2) <{grad_a = false, grad_b = false, transpose_a = false, transpose_b = false}> {device = ""} : (tensor<2x2xf32>, tensor<*xf32>) -> tensor<2x?xf32>
    %11 = "tf.AddV2"(%10, %5) {device = ""} : (tensor<2x?xf32>, tensor<2x?xf32>) -> tensor<2x?xf32>
    %12 = "tf.BiasAdd"(%11, %0) <{data_format = "NHWC"}> {device = ""} : (tensor<2x?xf32>, tensor<*xf32>) -> tensor<2x?xf32>
    %13, %14, %15, %16 = "tf.Split"(%cst_2, %12) {device = ""} : (tensor<i32>, tensor<2x?xf32>) -> (tensor<2x?xf32>, tensor<2x?xf32>, tensor<2x?xf32>, tensor<2x?xf32>)
    %17 = "tf.Sigmoid"(%13) {device = ""} : (tensor<2x?xf32>) -> tensor<2x?xf32>
    %18 = "tf.Sigmoid"(%14) {device = ""} : (tensor<2x?xf32>) -> tensor<2x?xf32>
    %19 = "tf.Mul"(%18, %arg5) {device = ""} : (tensor<2x?xf32>, tensor<2x3xf32>) -> tensor<2x3xf32>
    %20 = "tf.Sigmoid"(%16) {device = ""} : (tensor<2x?xf32>) -> tensor<2x?xf32>
    %21 = "tf.Tanh"(%15) {device = ""} : (tensor<2x?xf32>) -> tensor<2x?xf32>
    %22 = "tf.Mul"(%17, %21) {device = ""} : (tensor<2x?xf32>, tensor<2x?xf32>) -> tensor<2x?xf32>
    %23 = "tf.AddV2"(%19, %22) {device = ""} : (tensor<2x3xf32>, tensor<2x?xf32>) -> tensor<2x3xf32>
    %24 = "tf.Identity"(%23) {device = ""} : (tensor<2x3xf32>) -> tensor<2x3xf32>
    %25 = "tf.Tanh"(%23) {device = ""} : (tensor<2x3xf32>) -> tensor<2x3xf32>
    %26 = "tf.Mul"(%20, %25) {device = ""} : (tensor<2x?xf32>, tensor<2x3xf32>) -> tensor<2x3xf32>
    %27 = "tf.Identity"(%26) {device = ""} : (tensor<2x3xf32>) -> tensor<2x3xf32>
    %28 = "tf.TensorListSetItem"(%arg3, %cst_1, %26) <{resize_if_index_out_of_bounds = false}> {device = ""} : (tensor<!tf_type.variant<tensor<2x3xf32>>>, tensor<i32>, tensor<2x3xf32>) -> tensor<!tf_type.variant<tensor<2x3xf32>>>
    %29 = "tf.Identity"(%28) {device = ""} : (tensor<!tf_type.variant<tensor<2x3xf32>>>) -> tensor<!tf_type.variant<tensor<2x3xf32>>>
    func.return %8, %6, %4, %29, %27, %24, %arg6, %arg7, %arg8, %arg9 : tensor<i32>, tensor<i32>, tensor<i32>, tensor<!tf_type.variant<tensor<2x3xf32>>>, tensor<2x3xf32>, tensor<2x3xf32>, tensor<!tf_type.variant<tensor<2x2xf32>>>, tensor<*x!tf_type.resource>, tensor<*x!tf_type.resource>, tensor<*x!tf_type.resource>
  }
  func.func private @sequential_1_lstm_8_1_while_cond_200610(%arg0: tensor<i32> {tf._user_specified_name = "sequential_1/lstm_8_1/while/loop_counter"}, %arg1: tensor<i32> {tf._user_specified_name = "sequential_1/lstm_8_1/Max"}, %arg2: tensor<i32>, %arg3: tensor<!tf_type.variant<tensor<2x3xf32>>>, %arg4: tensor<2x3xf32>, %arg5: tensor<2x3xf32>, %arg6: tensor<!tf_type.variant<tensor<2x2xf32>>>, %arg7: tensor<*x!tf_type.resource>, %arg8: tensor<*x!tf_type.resource>, %arg9: tensor<*x!tf_type.resource>) -> tensor<i1> attributes {tf._construction_context = "kEagerRuntime"} {
    %cst = "tf.Const"() <{value = dense<4> : tensor<i32>}> {device = ""} : () -> tensor<i32>
    %0 = "tf.Less"(%arg2, %cst) {device = ""} : (tensor<i32>, tensor<i32>) -> tensor<i1>
    %1 = "tf.Less"(%arg0, %arg1) {device = ""} : (tensor<i32>, tensor<i32>) -> tensor<i1>
    %2 = "tf.LogicalAnd"(%1, %0) {device = ""} : (tensor<i1>, tensor<i1>) -> tensor<i1>
    %3 = "tf.Identity"(%2) {device = ""} : (tensor<i1>) -> tensor<i1>
    func.return %3 : tensor<i1>
  }
  "tf_saved_model.global_tensor"() {sym_name = "sequential/lstm_7/lstm_cell/kernel", type = tensor<3x8xf32>, value = #nn.blob<dense<[[-0.022611797, -0.44125047, 0.20524627, 0.64865166, 0.08310062, 0.6488524, -0.5567435, -0.66253763], [-0.3126306, -0.51902354, 0.09591496, -0.23522258, -0.50028026, 0.104883075, -0.05216974, -0.66758525], [-0.5687258, -0.6407576, -0.45753258, 0.3415559, 0.10320306, 0.3788212, 0.062920034, -0.314134]]> : tensor<3x8xf32>>} : () -> ()
  "tf_saved_model.global_tensor"() {sym_name = "sequential/lstm_7/lstm_cell/recurrent_kernel", type = tensor<2x8xf32>, value = #nn.blob<dense<[[0.035862327, -0.65222025, -0.48881954, -0.031312305, 0.28961104, -0.13528256, 0.14238596, 0.45929074], [-0.16527611, 0.30467722, -0.11732321, -0.39473242, 0.3535757, -0.085471116, -0.7120303, 0.26639968]]> : tensor<2x8xf32>>} : () -> ()
  "tf_saved_model.global_tensor"() {sym_name = "sequential/lstm_7/lstm_cell/bias", type = tensor<8xf32>, value = #nn.blob<dense<[0.0, 0.0, 1.0, 1.0, 0.0, 0.0, 0.0, 0.0]> : tensor<8xf32>>} : () -> ()
  "tf_saved_model.global_tensor"() {sym_name = "sequential/lstm_8/lstm_cell/kernel", type = tensor<2x12xf32>, value = #nn.blob<dense<[[0.33471167, -0.10342479, -0.40396336, -0.26014525, 0.05792564, 0.64756835, -0.33204424, -0.2314111, 0.18566328, -0.4827877, 0.52955925, 0.4849193], [0.29576123, 0.5185188, -0.63885117, -0.633184, 0.07363665, 0.46783543, 0.57692814, 0.10024214, -0.116817415, -0.44939792, -0.42411256, 0.34377688]]> : tensor<2x12xf32>>} : () -> ()
  "tf_saved_model.global_tensor"() {sym_name = "sequential/lstm_8/lstm_cell/recurrent_kernel", type = tensor<3x12xf32>, value = #nn.blob<dense<[[0.05116892, -0.36476213, 0.028702999, -0.10565129, 0.008391035, -0.3120692, 0.16372253, -0.4880741, -0.02397436, 0.37606862, 0.5859185, 0.06754533], [0.2689874, -0.32443702, 0.21300967, 0.11966787, -0.13976344, 0.09721763, -0.15316293, 0.036806427, 0.8200642, 0.02269674, -0.046945408, -0.18349317], [0.22653267, -0.021823492, 0.31357965, -0.30441797, 0.20268686, -0.70255125, -0.13805616, 0.16734368, -0.05740757, -0.38992456, -0.039089113, -0.13643996]]> : tensor<3x12xf32>>} : () -> ()
  "tf_saved_model.global_tensor"() {sym_name = "sequential/lstm_8/lstm_cell/bias", type = tensor<12xf32>, value = #nn.blob<dense<[0.0, 0.0, 0.0, 1.0, 1.0, 1.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0]> : tensor<12xf32>>} : () -> ()
  "tf_saved_model.global_tensor"() {sym_name = "sequential/dense/kernel", type = tensor<3x2xf32>, value = #nn.blob<dense<[[-0.7327349, 0.4177159], [-0.36131793, -0.95121574], [0.062102556, -0.3617295]]> : tensor<3x2xf32>>} : () -> ()
  "tf_saved_model.global_tensor"() {sym_name = "sequential/dense/bias", type = tensor<2xf32>, value = #nn.blob<dense<0.0> : tensor<2xf32>>} : () -> ()
}
