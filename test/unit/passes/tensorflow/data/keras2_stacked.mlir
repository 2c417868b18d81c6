builtin.module attributes {tf.versions = {bad_consumers = [], min_consumer = 0 : i32, producer = 2474 : i32}} {
  func.func @__inference_flat_12572(%arg0: tensor<2x4x3xf32> {tf._user_specified_name = "x"}, %arg1: tensor<*x!tf_type.resource> {tf._user_specified_name = "resource", tf_saved_model.bound_input = @"lstm_7/lstm_cell/kernel"}, %arg2: tensor<*x!tf_type.resource> {tf._user_specified_name = "resource", tf_saved_model.bound_input = @"lstm_7/lstm_cell/recurrent_kernel"}, %arg3: tensor<*x!tf_type.resource> {tf._user_specified_name = "resource", tf_saved_model.bound_input = @"lstm_7/lstm_cell/bias"}, %arg4: tensor<*x!tf_type.resource> {tf._user_specified_name = "resource", tf_saved_model.bound_input = @"lstm_8/lstm_cell/kernel"}, %arg5: tensor<*x!tf_type.resource> {tf._user_specified_name = "resource", tf_saved_model.bound_input = @"lstm_8/lstm_cell/recurrent_kernel"}, %arg6: tensor<*x!tf_type.resource> {tf._user_specified_name = "resource", tf_saved_model.bound_input = @"lstm_8/lstm_cell/bias"}, %arg7: tensor<*x!tf_type.resource> {tf._user_specified_name = "resource", tf_saved_model.bound_input = @"dense/kernel"}, %arg8: tensor<*x!tf_type.resource> {tf._user_specified_name = "resource", tf_saved_model.bound_input = @"dense/bias"}) -> tensor<2x?xf32> attributes {allow_soft_placement = false, tf.entry_function = {control_outputs = "sequential/lstm_7/Read/ReadVariableOp,sequential/lstm_7/Read_1/ReadVariableOp,sequential/lstm_7/Read_2/ReadVariableOp,sequential/lstm_8/Read/ReadVariableOp,sequential/lstm_8/Read_1/ReadVariableOp,sequential/lstm_8/Read_2/ReadVariableOp,sequential/dense/MatMul/ReadVariableOp,sequential/dense/BiasAdd/ReadVariableOp", inputs = "x,sequential_lstm_7_read_readvariableop_resource,sequential_lstm_7_read_1_readvariableop_resource,sequential_lstm_7_read_2_readvariableop_resource,sequential_lstm_8_read_readvariableop_resource,sequential_lstm_8_read_1_readvariableop_resource,sequential_lstm_8_read_2_readvariableop_resource,sequential_dense_matmul_readvariableop_resource,sequential_dense_biasadd_readvariableop_resource", outputs = "identity_RetVal"}} {
    %cst = "tf.Const"() <{value = dense<0.000000e+00> : tensor<2x2xf32>}> : () -> tensor<2x2xf32>
    %cst_1 = "tf.Const"() <{value = dense<0.000000e+00> : tensor<2x3xf32>}> : () -> tensor<2x3xf32>
    %0 = "tf.ReadVariableOp"(%arg8) {device = ""} : (tensor<*x!tf_type.resource>) -> tensor<*xf32>
    %1 = "tf.ReadVariableOp"(%arg7) {device = ""} : (tensor<*x!tf_type.resource>) -> tensor<*xf32>
    %2 = "tf.ReadVariableOp"(%arg2) {device = ""} : (tensor<*x!tf_type.resource>) -> tensor<*xf32>
    %3 = "tf.Identity"(%2) {device = ""} : (tensor<*xf32>) -> tensor<*xf32>
    %4 = "tf.ReadVariableOp"(%arg3) {device = ""} : (tensor<*x!tf_type.resource>) -> tensor<*xf32>
    %5 = "tf.Identity"(%4) {device = ""} : (tensor<*xf32>) -> tensor<*xf32>
    %6 = "tf.ReadVariableOp"(%arg1) {device = ""} : (tensor<*x!tf_type.resource>) -> tensor<*xf32>
    %7 = "tf.Identity"(%6) {device = ""} : (tensor<*xf32>) -> tensor<*xf32>
    %8 = "tf.ReadVariableOp"(%arg5) {device = ""} : (tensor<*x!tf_type.resource>) -> tensor<*xf32>
    %9 = "tf.Identity"(%8) {device = ""} : (tensor<*xf32>) -> tensor<*xf32>
    %10 = "tf.ReadVariableOp"(%arg6) {device = ""} : (tensor<*x!tf_type.resource>) -> tensor<*xf32>
    %11 = "tf.Identity"(%10) {device = ""} : (tensor<*xf32>) -> tensor<*xf32>
    %12 = "tf.ReadVariableOp"(%arg4) {device = ""} : (tensor<*x!tf_type.resource>) -> tensor<*xf32>
    %13 = "tf.Identity"(%12) {device = ""} : (tensor<*xf32>) -> tensor<*xf32>
    %14, %15, %16, %17, %18 = "tf.PartitionedCall"(%arg0, %cst, %cst, %7, %3, %5) <{config = "", config_proto = "\0A\07\0A\03CPU\10\01\0A\07\0A\03GPU\10\002\02J\008\01\82\01\00\92\01\02J\00", executor_type = "", f = @__inference_standard_lstm_118670}> {_collective_manager_ids = [], _read_only_resource_inputs = [], device = ""} : (tensor<2x4x3xf32>, tensor<2x2xf32>, tensor<2x2xf32>, tensor<*xf32>, tensor<*xf32>, tensor<*xf32>) -> (tensor<2x2xf32>, tensor<2x?x2xf32>, tensor<2x2xf32>, tensor<2x2xf32>, tensor<f32>)
    %19, %20, %21, %22, %23 = "tf.PartitionedCall"(%15, %cst_1, %cst_1, %13, %9, %11) <{config = "", config_proto = "\0A\07\0A\03CPU\10\01\0A\07\0A\03GPU\10\002\02J\008\01\82\01\00\92\01\02J\00", executor_type = "", f = @__inference_standard_lstm_122900}> {_collective_manager_ids = [], _read_only_resource_inputs = [], device = ""} : (tensor<2x?x2xf32>, tensor<2x3xf32>, tensor<2x3xf32>, tensor<*xf32>, tensor<*xf32>, tensor<*xf32>) -> (tensor<2x3xf32>, tensor<2x1x3xf32>, tensor<2x3xf32>, tensor<2x3xf32>, tensor<f32>)
    %24 = "tf.MatMul"(%19, %1) <{grad_a = false, grad_b = false, transpose_a = false, transpose_b = false}> {device = ""} : (tensor<2x3xf32>, tensor<*xf32>) -> tensor<2x?xf32>
    %25 = "tf.BiasAdd"(%24, %0) <{data_format = "NHWC"}> {device = ""} : (tensor<2x?xf32>, tensor<*xf32>) -> tensor<2x?xf32>
    %26 = "tf.Identity"(%25) {device = ""} : (tensor<2x?xf32>) -> tensor<2x?xf32>
    func.return %26 : tensor<2x?xf32>
  }
  func.func private @__inference_standard_lstm_118670(%arg0: tensor<2x4x3xf32> {tf._user_specified_name = "inputs"}, %arg1: tensor<2x2xf32> {tf._user_specified_name = "init_h"}, %arg2: tensor<2x2xf32> {tf._user_specified_name = "init_c"}, %arg3: tensor<*xf32> {tf._user_specified_name = "kernel"}, %arg4: tensor<*xf32> {tf._user_specified_name = "recurrent_kernel"}, %arg5: tensor<*xf32> {tf._user_specified_name = "bias"}) -> (tensor<2x2xf32>, tensor<2x?x2xf32>, tensor<2x2xf32>, tensor<2x2xf32>, tensor<f32>) attributes {tf._construction_context = "kEagerRuntime", tf.api_implements = "lstm_cf61dc9c-435d-4c69-9a70-fd2dad47414b", tf.api_preferred_device = "CPU", tf.go_backwards = false, tf.time_major = false} {
    %cst = "tf.Const"() <{value = dense<1.000000e+00> : tensor<f32>}> {device = "/device:CPU:0"} : () -> tensor<f32>
    %cst_1 = "tf.Const"() <{value = dense<-1> : tensor<i32>}> {device = ""} : () -> tensor<i32>
    %cst_2 = "tf.Const"() <{value = dense<[1, 0, 2]> : tensor<3xi32>}> {device = ""} : () -> tensor<3xi32>
    %cst_3 = "tf.Const"() <{value = dense<0> : tensor<i32>}> {device = ""} : () -> tensor<i32>
    %cst_4 = "tf.Const"() <{value = dense<-1> : tensor<1xi32>}> {device = ""} : () -> tensor<1xi32>
    %cst_5 = "tf.Const"() <{value = dense<[2, 3]> : tensor<2xi32>}> {device = ""} : () -> tensor<2xi32>
    %cst_6 = "tf.Const"() <{value = dense<2> : tensor<2xi32>}> {device = ""} : () -> tensor<2xi32>
    %cst_7 = "tf.Const"() <{value = dense<0> : tensor<1xi32>}> {device = ""} : () -> tensor<1xi32>
    %cst_8 = "tf.Const"() <{value = dense<1> : tensor<1xi32>}> {device = ""} : () -> tensor<1xi32>
    %cst_9 = "tf.Const"() <{value = dense<4> : tensor<i32>}> : () -> tensor<i32>
    %0 = "tf.TensorListReserve"(%cst_6, %cst_9) {device = ""} : (tensor<2xi32>, tensor<i32>) -> tensor<!tf_type.variant<tensor<2x2xf32>>>
    %1 = "tf.Transpose"(%arg0, %cst_2) {device = ""} : (tensor<2x4x3xf32>, tensor<3xi32>) -> tensor<4x2x3xf32>
    %2 = "tf.TensorListFromTensor"(%1, %cst_5) {device = ""} : (tensor<4x2x3xf32>, tensor<2xi32>) -> tensor<!tf_type.variant<tensor<2x3xf32>>>
    %3, %4, %5, %6, %7, %8, %9, %10, %11, %12, %13 = "tf.While"(%cst_3, %cst_1, %cst_3, %0, %arg1, %arg2, %cst_9, %2, %arg3, %arg4, %arg5) <{body = @while_body_117820, cond = @while_cond_117810, is_stateless = true, parallel_iterations = 32 : i64, shape_invariant}> {T = [i32, i32, i32, !tf_type.variant, f32, f32, i32, !tf_type.variant, f32, f32, f32], _lower_using_switch_merge = true, _num_original_outputs = 11 : i64, _read_only_resource_inputs = [], device = "", output_shapes = [#tf_type.shape, #tf_type.shape, #tf_type.shape, #tf_type.shape, #tf_type.shape<2x2>, #tf_type.shape<2x2>, #tf_type.shape, #tf_type.shape, #tf_type.shape<3x8>, #tf_type.shape<2x8>, #tf_type.shape<8>]} : (tensor<i32>, tensor<i32>, tensor<i32>, tensor<!tf_type.variant<tensor<2x2xf32>>>, tensor<2x2xf32>, tensor<2x2xf32>, tensor<i32>, tensor<!tf_type.variant<tensor<2x3xf32>>>, tensor<*xf32>, tensor<*xf32>, tensor<*xf32>) -> (tensor<i32>, tensor<i32>, tensor<i32>, tensor<!tf_type.variant<tensor<2x2xf32>>>, tensor<2x2xf32>, tensor<2x2xf32>, tensor<i32>, tensor<!tf_type.variant<tensor<2x3xf32>>>, tensor<3x8xf32>, tensor<2x8xf32>, tensor<8xf32>)
    %14 = "tf.Identity"(%7) {device = ""} : (tensor<2x2xf32>) -> tensor<2x2xf32>
    %15 = "tf.Identity"(%8) {device = ""} : (tensor<2x2xf32>) -> tensor<2x2xf32>
    %16 = "tf.TensorListStack"(%6, %cst_6) <{num_elements = -1 : i64}> {device = ""} : (tensor<!tf_type.variant<tensor<2x2xf32>>>, tensor<2xi32>) -> tensor<?x2x2xf32>
    %17 = "tf.StridedSlice"(%16, %cst_4, %cst_7, %cst_8) <{begin_mask = 0 : i64, ellipsis_mask = 0 : i64, end_mask = 0 : i64, new_axis_mask = 0 : i64, shrink_axis_mask = 1 : i64}> {device = ""} : (tensor<?x2x2xf32>, tensor<1xi32>, tensor<1xi32>, tensor<1xi32>) -> tensor<2x2xf32>
    %18 = "tf.Identity"(%17) {device = ""} : (tensor<2x2xf32>) -> tensor<2x2xf32>
    %19 = "tf.Transpose"(%16, %cst_2) {device = ""} : (tensor<?x2x2xf32>, tensor<3xi32>) -> tensor<2x?x2xf32>
    %20 = "tf.Identity"(%19) {device = ""} : (tensor<2x?x2xf32>) -> tensor<2x?x2xf32>
    %21 = "tf.Identity"(%cst) {device = ""} : (tensor<f32>) -> tensor<f32>
    func.return %18, %20, %14, %15, %21 : tensor<2x2xf32>, tensor<2x?x2xf32>, tensor<2x2xf32>, tensor<2x2xf32>, tensor<f32>
  }
  func.func private @__inference_standard_lstm_122900(%arg0: tensor<2x?x2xf32> {tf._user_specified_name = "inputs"}, %arg1: tensor<2x3xf32> {tf._user_specified_name = "init_h"}, %arg2: tensor<2x3xf32> {tf._user_specified_name = "init_c"}, %arg3: tensor<*xf32> {tf._user_specified_name = "kernel"}, %arg4: tensor<*xf32> {tf._user_specified_name = "recurrent_kernel"}, %arg5: tensor<*xf32> {tf._user_specified_name = "bias"}) -> (tensor<2x3xf32>, tensor<2x1x3xf32>, tensor<2x3xf32>, tensor<2x3xf32>, tensor<f32>) attributes {tf._construction_context = "kEagerRuntime", tf.api_implements = "lstm_d3ac74c6-3398-4716-91a3-b670fe605ef7", tf.api_preferred_device = "CPU", tf.go_backwards = false, tf.time_major = false} {
    %cst = "tf.Const"() <{value = dense<4> : tensor<i32>}> : () -> tensor<i32>
    %cst_1 = "tf.Const"() <{value = dense<1.000000e+00> : tensor<f32>}> {device = "/device:CPU:0"} : () -> tensor<f32>
    %cst_2 = "tf.Const"() <{value = dense<-1> : tensor<i32>}> {device = ""} : () -> tensor<i32>
    %cst_3 = "tf.Const"() <{value = dense<[1, 0, 2]> : tensor<3xi32>}> {device = ""} : () -> tensor<3xi32>
    %cst_4 = "tf.Const"() <{value = dense<0> : tensor<i32>}> {device = ""} : () -> tensor<i32>
    %cst_5 = "tf.Const"() <{value = dense<-1> : tensor<1xi32>}> {device = ""} : () -> tensor<1xi32>
    %cst_6 = "tf.Const"() <{value = dense<1> : tensor<1xi32>}> {device = ""} : () -> tensor<1xi32>
    %cst_7 = "tf.Const"() <{value = dense<0> : tensor<1xi32>}> {device = ""} : () -> tensor<1xi32>
    %cst_8 = "tf.Const"() <{value = dense<2> : tensor<2xi32>}> {device = ""} : () -> tensor<2xi32>
    %cst_9 = "tf.Const"() <{value = dense<[2, 3]> : tensor<2xi32>}> {device = ""} : () -> tensor<2xi32>
    %cst_10 = "tf.Const"() <{value = dense<1> : tensor<i32>}> {device = ""} : () -> tensor<i32>
    %0 = "tf.TensorListReserve"(%cst_9, %cst_10) {device = ""} : (tensor<2xi32>, tensor<i32>) -> tensor<!tf_type.variant<tensor<2x3xf32>>>
    %1 = "tf.Transpose"(%arg0, %cst_3) {device = ""} : (tensor<2x?x2xf32>, tensor<3xi32>) -> tensor<?x2x2xf32>
    %2 = "tf.TensorListFromTensor"(%1, %cst_8) {device = ""} : (tensor<?x2x2xf32>, tensor<2xi32>) -> tensor<!tf_type.variant<tensor<2x2xf32>>>
    %3, %4, %5, %6, %7, %8, %9, %10, %11, %12, %13 = "tf.While"(%cst_4, %cst_2, %cst_4, %0, %arg1, %arg2, %cst, %2, %arg3, %arg4, %arg5) <{body = @while_body_122040, cond = @while_cond_122030, is_stateless = true, parallel_iterations = 32 : i64, shape_invariant}> {T = [i32, i32, i32, !tf_type.variant, f32, f32, i32, !tf_type.variant, f32, f32, f32], _lower_using_switch_merge = true, _num_original_outputs = 11 : i64, _read_only_resource_inputs = [], device = "", output_shapes = [#tf_type.shape, #tf_type.shape, #tf_type.shape, #tf_type.shape, #tf_type.shape<2x3>, #tf_type.shape<2x3>, #tf_type.shape, #tf_type.shape, #tf_type.shape<2x12>, #tf_type.shape<3x12>, #tf_type.shape<12>]} : (tensor<i32>, tensor<i32>, tensor<i32>, tensor<!tf_type.variant<tensor<2x3xf32>>>, tensor<2x3xf32>, tensor<2x3xf32>, tensor<i32>, tensor<!tf_type.variant<tensor<2x2xf32>>>, tensor<*xf32>, tensor<*xf32>, tensor<*xf32>) -> (tensor<i32>, tensor<i32>, tensor<i32>, tensor<!tf_type.variant<tensor<2x3xf32>>>, tensor<2x3xf32>, tensor<2x3xf32>, tensor<i32>, tensor<!tf_type.variant<tensor<2x2xf32>>>, tensor<2x12xf32>, tensor<3x12xf32>, tensor<12xf32>)
    %14 = "tf.Identity"(%7) {device = ""} : (tensor<2x3xf32>) -> tensor<2x3xf32>
    %15 = "tf.Identity"(%8) {device = ""} : (tensor<2x3xf32>) -> tensor<2x3xf32>
    %16 = "tf.TensorListStack"(%6, %cst_9) <{num_elements = 1 : i64}> {device = ""} : (tensor<!tf_type.variant<tensor<2x3xf32>>>, tensor<2xi32>) -> tensor<1x2x3xf32>
    %17 = "tf.StridedSlice"(%16, %cst_5, %cst_7, %cst_6) <{begin_mask = 0 : i64, ellipsis_mask = 0 : i64, end_mask = 0 : i64, new_axis_mask = 0 : i64, shrink_axis_mask = 1 : i64}> {device = ""} : (tensor<1x2x3xf32>, tensor<1xi32>, tensor<1xi32>, tensor<1xi32>) -> tensor<2x3xf32>
    %18 = "tf.Identity"(%17) {device = ""} : (tensor<2x3xf32>) -> tensor<2x3xf32>
    %19 = "tf.Transpose"(%16, %cst_3) {device = ""} : (tensor<1x2x3xf32>, tensor<3xi32>) -> tensor<2x1x3xf32>
    %20 = "tf.Identity"(%19) {device = ""} : (tensor<2x1x3xf32>) -> tensor<2x1x3xf32>
    %21 = "tf.Identity"(%cst_1) {device = ""} : (tensor<f32>) -> tensor<f32>
    func.return %18, %20, %14, %15, %21 : tensor<2x3xf32>, tensor<2x1x3xf32>, tensor<2x3xf32>, tensor<2x3xf32>, tensor<f32>
  }
  func.func private @while_body_117820(%arg0: tensor<i32> {tf._user_specified_name = "while/loop_counter"}, %arg1: tensor<i32> {tf._user_specified_name = "while/maximum_iterations"}, %arg2: tensor<i32>, %arg3: tensor<!tf_type.variant<tensor<2x2xf32>>>, %arg4: tensor<2x2xf32>, %arg5: tensor<2x2xf32>, %arg6: tensor<i32> {tf._user_specified_name = "strided_slice"}, %arg7: tensor<!tf_type.variant<tensor<2x3xf32>>> {tf._user_specified_name = "TensorArrayUnstack/TensorListFromTensor"}, %arg8: tensor<3x8xf32> {tf._user_specified_name = "kernel"}, %arg9: tensor<2x8xf32> {tf._user_specified_name = "recurrent_kernel"}, %arg10: tensor<8xf32> {tf._user_specified_name = "bias"}) -> (tensor<i32>, tensor<i32>, tensor<i32>, tensor<!tf_type.variant<tensor<2x2xf32>>>, tensor<2x2xf32>, tensor<2x2xf32>, tensor<i32>, tensor<!tf_type.variant<tensor<2x3xf32>>>, tensor<3x8xf32>, tensor<2x8xf32>, tensor<8xf32>) attributes {tf._construction_context = "kEagerRuntime"} {
    %cst = "tf.Const"() <{value = dense<[2, 3]> : tensor<2xi32>}> {device = ""} : () -> tensor<2xi32>
    %cst_1 = "tf.Const"() <{value = dense<1> : tensor<i32>}> {device = ""} : () -> tensor<i32>
    %0 = "tf.AddV2"(%arg2, %cst_1) {device = ""} : (tensor<i32>, tensor<i32>) -> tensor<i32>
    %1 = "tf.Identity"(%0) {device = ""} : (tensor<i32>) -> tensor<i32>
    %2 = "tf.MatMul"(%arg4, %arg9) <{grad_a = false, grad_b = false, transpose_a = false, transpose_b = false}> {device = ""} : (tensor<2x2xf32>, tensor<2x8xf32>) -> tensor<2x8xf32>
    %3 = "tf.TensorListGetItem"(%arg7, %arg2, %cst) {device = ""} : (tensor<!tf_type.variant<tensor<2x3xf32>>>, tensor<i32>, tensor<2xi32>) -> tensor<2x3xf32>
    %4 = "tf.MatMul"(%3, %arg8) <{grad_a = false, grad_b = false, transpose_a = false, transpose_b = false}> {device = ""} : (tensor<2x3xf32>, tensor<3x8xf32>) -> tensor<2x8xf32>
    %5 = "tf.AddV2"(%4, %2) {device = ""} : (tensor<2x8xf32>, tensor<2x8xf32>) -> tensor<2x8xf32>
    %6 = "tf.BiasAdd"(%5, %arg10) <{data_format = "NHWC"}> {device = ""} : (tensor<2x8xf32>, tensor<8xf32>) -> tensor<2x8xf32>
    %7, %8, %9, %10 = "tf.Split"(%cst_1, %6) {device = ""} : (tensor<i32>, tensor<2x8xf32>) -> (tensor<2x2xf32>, tensor<2x2xf32>, tensor<2x2xf32>, tensor<2x2xf32>)
    %11 = "tf.Sigmoid"(%7) {device = ""} : (tensor<2x2xf32>) -> tensor<2x2xf32>
    %12 = "tf.Sigmoid"(%8) {device = ""} : (tensor<2x2xf32>) -> tensor<2x2xf32>
    %13 = "tf.Mul"(%12, %arg5) {device = ""} : (tensor<2x2xf32>, tensor<2x2xf32>) -> tensor<2x2xf32>
    %14 = "tf.Sigmoid"(%10) {device = ""} : (tensor<2x2xf32>) -> tensor<2x2xf32>
    %15 = "tf.Tanh"(%9) {device = ""} : (tensor<2x2xf32>) -> tensor<2x2xf32>
    %16 = "tf.Mul"(%11, %15) {device = ""} : (tensor<2x2xf32>, tensor<2x2xf32>) -> tensor<2x2xf32>
    %17 = "tf.AddV2"(%13, %16) {device = ""} : (tensor<2x2xf32>, tensor<2x2xf32>) -> tensor<2x2xf32>
    %18 = "tf.Identity"(%17) {device = ""} : (tensor<2x2xf32>) -> tensor<2x2xf32>
    %19 = "tf.Tanh"(%17) {device = ""} : (tensor<2x2xf32>) -> tensor<2x2xf32>
    %20 = "tf.Mul"(%14, %19) {device = ""} : (tensor<2x2xf32>, tensor<2x2xf32>) -> tensor<2x2xf32>
    %21 = "tf.Identity"(%20) {device = ""} : (tensor<2x2xf32>) -> tensor<2x2xf32>
    %22 = "tf.TensorListSetItem"(%arg3, %arg2, %20) <{resize_if_index_out_of_bounds = false}> {device = ""} : (tensor<!tf_type.variant<tensor<2x2xf32>>>, tensor<i32>, tensor<2x2xf32>) -> tensor<!tf_type.variant<tensor<2x2xf32>>>
    %23 = "tf.Identity"(%22) {device = ""} : (tensor<!tf_type.variant<tensor<2x2xf32>>>) -> tensor<!tf_type.variant<tensor<2x2xf32>>>
    %24 = "tf.AddV2"(%arg0, %cst_1) {device = ""} : (tensor<i32>, tensor<i32>) -> tensor<i32>
    %25 = "tf.Identity"(%24) {device = ""} : (tensor<i32>) -> tensor<i32>
    %26 = "tf.Identity"(%arg1) {device = ""} : (tensor<i32>) -> tensor<i32>
    func.return %25, %26, %1, %23, %21, %18, %arg6, %arg7, %arg8, %arg9, %arg10 : tensor<i32>, tensor<i32>, tensor<i32>, tensor<!tf_type.variant<tensor<2x2xf32>>>, tensor<2x2xf32>, tensor<2x2xf32>, tensor<i32>, tensor<!tf_type.variant<tensor<2x3xf32>>>, tensor<3x8xf32>, tensor<2x8xf32>, tensor<8xf32>
  }
  func.func private @while_cond_117810(%arg0: tensor<i32> {tf._user_specified_name = "while/loop_counter"}, %arg1: tensor<i32> {tf._user_specified_name = "while/maximum_iterations"}, %arg2: tensor<i32>, %arg3: tensor<!tf_type.variant<tensor<2x2xf32>>>, %arg4: tensor<2x2xf32>, %arg5: tensor<2x2xf32>, %arg6: tensor<i32> {tf._user_specified_name = "strided_slice"}, %arg7: tensor<!tf_type.variant<tensor<2x3xf32>>>, %arg8: tensor<3x8xf32>, %arg9: tensor<2x8xf32>, %arg10: tensor<8xf32>) -> tensor<i1> attributes {tf._construction_context = "kEagerRuntime"} {
    %0 = "tf.Less"(%arg2, %arg6) {device = ""} : (tensor<i32>, tensor<i32>) -> tensor<i1>
    %1 = "tf.Identity"(%0) {device = ""} : (tensor<i1>) -> tensor<i1>
    func.return %1 : tensor<i1>
  }
  func.func private @while_body_122040(%arg0: tensor<i32> {tf._user_specified_name = "while/loop_counter"}, %arg1: tensor<i32> {tf._user_specified_name = "while/maximum_iterations"}, %arg2: tensor<i32>, %arg3: tensor<!tf_type.variant<tensor<2x3xf32>>>, %arg4: tensor<2x3xf32>, %arg5: tensor<2x3xf32>, %arg6: tensor<i32> {tf._user_specified_name = "strided_slice"}, %arg7: tensor<!tf_type.variant<tensor<2x2xf32>>> {tf._user_specified_name = "TensorArrayUnstack/TensorListFromTensor"}, %arg8: tensor<2x12xf32> {tf._user_specified_name = "kernel"}, %arg9: tensor<3x12xf32> {tf._user_specified_name = "recurrent_kernel"}, %arg10: tensor<12xf32> {tf._user_specified_name = "bias"}) -> (tensor<i32>, tensor<i32>, tensor<i32>, tensor<!tf_type.variant<tensor<2x3xf32>>>, tensor<2x3xf32>, tensor<2x3xf32>, tensor<i32>, tensor<!tf_type.variant<tensor<2x2xf32>>>, tensor<2x12xf32>, tensor<3x12xf32>, tensor<12xf32>) attributes {tf._construction_context = "kEagerRuntime"} {
    %cst = "tf.Const"() <{value = dense<2> : tensor<2xi32>}> {device = ""} : () -> tensor<2xi32>
    %cst_1 = "tf.Const"() <{value = dense<0> : tensor<i32>}> {device = ""} : () -> tensor<i32>
    %cst_2 = "tf.Const"() <{value = dense<1> : tensor<i32>}> {device = ""} : () -> tensor<i32>
    %0 = "tf.AddV2"(%arg2, %cst_2) {device = ""} : (tensor<i32>, tensor<i32>) -> tensor<i32>
    %1 = "tf.Identity"(%0) {device = ""} : (tensor<i32>) -> tensor<i32>
    %2 = "tf.MatMul"(%arg4, %arg9) <{grad_a = false, grad_b = false, transpose_a = false, transpose_b = false}> {device = ""} : (tensor<2x3xf32>, tensor<3x12xf32>) -> tensor<2x12xf32>
    %3 = "tf.TensorListGetItem"(%arg7, %arg2, %cst) {device = ""} : (tensor<!tf_type.variant<tensor<2x2xf32>>>, tensor<i32>, tensor<2xi32>) -> tensor<2x2xf32>
    %4 = "tf.MatMul"(%3, %arg8) <{grad_a = false, grad_b = false, transpose_a = false, transpose_b = false}> {device = ""} : (tensor<2x2xf32>, tensor<2x12xf32>) -> tensor<2x12xf32>
    %5 = "tf.AddV2"(%4, %2) {device = ""} : (tensor<2x12xf32>, tensor<2x12xf32>) -> tensor<2x12xf32>
    %6 = "tf.BiasAdd"(%5, %arg10) <{data_format = "NHWC"}> {device = ""} : (tensor<2x12xf32>, tensor<12xf32>) -> tensor<2x12xf32>
    %7, %8, %9, %10 = "tf.Split"(%cst_2, %6) {device = ""} : (tensor<i32>, tensor<2x12xf32>) -> (tensor<2x3xf32>, tensor<2x3xf32>, tensor<2x3xf32>, tensor<2x3xf32>)
    %11 = "tf.Sigmoid"(%7) {device = ""} : (tensor<2x3xf32>) -> tensor<2x3xf32>
    %12 = "tf.Sigmoid"(%8) {device = ""} : (tensor<2x3xf32>) -> tensor<2x3xf32>
    %13 = "tf.Mul"(%12, %arg5) {device = ""} : (tensor<2x3xf32>, tensor<2x3xf32>) -> tensor<2x3xf32>
    %14 = "tf.Sigmoid"(%10) {device = ""} : (tensor<2x3xf32>) -> tensor<2x3xf32>
    %15 = "tf.Tanh"(%9) {device = ""} : (tensor<2x3xf32>) -> tensor<2x3xf32>
    %16 = "tf.Mul"(%11, %15) {device = ""} : (tensor<2x3xf32>, tensor<2x3xf32>) -> tensor<2x3xf32>
    %17 = "tf.AddV2"(%13, %16) {device = ""} : (tensor<2x3xf32>, tensor<2x3xf32>) -> tensor<2x3xf32>
    %18 = "tf.Identity"(%17) {device = ""} : (tensor<2x3xf32>) -> tensor<2x3xf32>
    %19 = "tf.Tanh"(%17) {device = ""} : (tensor<2x3xf32>) -> tensor<2x3xf32>
    %20 = "tf.Mul"(%14, %19) {device = ""} : (tensor<2x3xf32>, tensor<2x3xf32>) -> tensor<2x3xf32>
    %21 = "tf.Identity"(%20) {device = ""} : (tensor<2x3xf32>) -> tensor<2x3xf32>
    %22 = "tf.TensorListSetItem"(%arg3, %cst_1, %20) <{resize_if_index_out_of_bounds = false}> {device = ""} : (tensor<!tf_type.variant<tensor<2x3xf32>>>, tensor<i32>, tensor<2x3xf32>) -> tensor<!tf_type.variant<tensor<2x3xf32>>>
    %23 = "tf.Identity"(%22) {device = ""} : (tensor<!tf_type.variant<tensor<2x3xf32>>>) -> tensor<!tf_type.variant<tensor<2x3xf32>>>
    %24 = "tf.AddV2"(%arg0, %cst_2) {device = ""} : (tensor<i32>, tensor<i32>) -> tensor<i32>
    %25 = "tf.Identity"(%24) {device = ""} : (tensor<i32>) -> tensor<i32>
    %26 = "tf.Identity"(%arg1) {device = ""} : (tensor<i32>) -> tensor<i32>
    func.return %25, %26, %1, %23, %21, %18, %arg6, %arg7, %arg8, %arg9, %arg10 : tensor<i32>, tensor<i32>, tensor<i32>, tensor<!tf_type.variant<tensor<2x3xf32>>>, tensor<2x3xf32>, tensor<2x3xf32>, tensor<i32>, tensor<!tf_type.variant<tensor<2x2xf32>>>, tensor<2x12xf32>, tensor<3x12xf32>, tensor<12xf32>
  }
  func.func private @while_cond_122030(%arg0: tensor<i32> {tf._user_specified_name = "while/loop_counter"}, %arg1: tensor<i32> {tf._user_specified_name = "while/maximum_iterations"}, %arg2: tensor<i32>, %arg3: tensor<!tf_type.variant<tensor<2x3xf32>>>, %arg4: tensor<2x3xf32>, %arg5: tensor<2x3xf32>, %arg6: tensor<i32> {tf._user_specified_name = "strided_slice"}, %arg7: tensor<!tf_type.variant<tensor<2x2xf32>>>, %arg8: tensor<2x12xf32>, %arg9: tensor<3x12xf32>, %arg10: tensor<12xf32>) -> tensor<i1> attributes {tf._construction_context = "kEagerRuntime"} {
    %0 = "tf.Less"(%arg2, %arg6) {device = ""} : (tensor<i32>, tensor<i32>) -> tensor<i1>
    %1 = "tf.Identity"(%0) {device = ""} : (tensor<i1>) -> tensor<i1>
    func.return %1 : tensor<i1>
  }
  "tf_saved_model.global_tensor"() {sym_name = "lstm_7/lstm_cell/kernel", type = tensor<3x8xf32>, value = #nn.blob<dense<[[-0.38482884, -0.4068252, -0.6002029, -0.65280104, -0.40552872, 0.3571071, 0.23035192, -0.2650709], [0.015930116, -0.27124968, 0.23091823, -0.616454, 0.639859, 0.7134475, 0.16406167, -0.39229953], [-0.09719771, 0.6768127, 0.7119848, 0.20252573, 0.290793, 0.059802294, 0.24374783, 0.29240257]]> : tensor<3x8xf32>>} : () -> ()
  "tf_saved_model.global_tensor"() {sym_name = "lstm_7/lstm_cell/recurrent_kernel", type = tensor<2x8xf32>, value = #nn.blob<dense<[[0.4361552, 0.116983294, 0.4869684, 0.5960079, -0.12633163, 0.36253315, 0.18331994, -0.15074433], [0.1402712, -0.8408348, -0.16617993, -0.039130118, 0.12998009, 0.46825147, -0.085863814, -0.025435846]]> : tensor<2x8xf32>>} : () -> ()
  "tf_saved_model.global_tensor"() {sym_name = "lstm_7/lstm_cell/bias", type = tensor<8xf32>, value = #nn.blob<dense<[0.0, 0.0, 1.0, 1.0, 0.0, 0.0, 0.0, 0.0]> : tensor<8xf32>>} : () -> ()
  "tf_saved_model.global_tensor"() {sym_name = "lstm_8/lstm_cell/kernel", type = tensor<2x12xf32>, value = #nn.blob<dense<[[0.10141075, 0.14538968, 0.4340924, -0.23338771, 0.23553336, 0.6218822, 0.15936351, 0.26873738, 0.35117316, 0.52972686, 0.45998204, -0.23953], [-0.043476224, -0.507846, 0.3201154, -0.31297356, -0.29343826, 0.01885277, -0.49467254, 0.06537354, 0.45564997, 0.04912591, -0.054175794, -0.0451591]]> : tensor<2x12xf32>>} : () -> ()
  "tf_saved_model.global_tensor"() {sym_name = "lstm_8/lstm_cell/recurrent_kernel", type = tensor<3x12xf32>, value = #nn.blob<dense<[[0.5217124, -0.189918, 0.51926273, 0.13633347, 0.14282602, 0.46973652, -0.09534753, -0.26114684, 0.20427947, 0.06148544, -0.039698068, 0.19519112], [0.20558034, 0.09691106, 0.09612041, 0.2857396, 0.23993132, -0.66145813, -0.0853887, -0.46205372, -0.1260796, 0.14655927, -0.2961105, -0.12854056], [-0.14727038, 0.2960865, -0.23445144, 0.46665084, 0.16984025, 0.37587613, 0.1995689, -0.008570038, 0.15321071, 0.5393475, -0.044276882, -0.30257928]]> : tensor<3x12xf32>>} : () -> ()
  "tf_saved_model.global_tensor"() {sym_name = "lstm_8/lstm_cell/bias", type = tensor<12xf32>, value = #nn.blob<dense<[0.0, 0.0, 0.0, 1.0, 1.0, 1.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0]> : tensor<12xf32>>} : () -> ()
  "tf_saved_model.global_tensor"() {sym_name = "dense/kernel", type = tensor<3x2xf32>, value = #nn.blob<dense<[[-0.82619256, -0.08527398], [-0.26621175, 0.4042312], [0.94550395, -0.002852559]]> : tensor<3x2xf32>>} : () -> ()
  "tf_saved_model.global_tensor"() {sym_name = "dense/bias", type = tensor<2xf32>, value = #nn.blob<dense<0.0> : tensor<2xf32>>} : () -> ()
}
