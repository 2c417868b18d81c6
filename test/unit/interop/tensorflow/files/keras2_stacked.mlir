builtin.module attributes {tf.versions = {bad_consumers = [], min_consumer = 0 : i32, producer = 2474 : i32}} {
  func.func @__inference_call_12893(%arg0: tensor<2x5x3xf32> {tf._user_specified_name = "x"}, %arg1: tensor<!tf_type.resource<tensor<3x24xf32>>> {tf._user_specified_name = "resource", tf_saved_model.bound_input = @"lstm_6/lstm_cell/kernel"}, %arg2: tensor<!tf_type.resource<tensor<6x24xf32>>> {tf._user_specified_name = "resource", tf_saved_model.bound_input = @"lstm_6/lstm_cell/recurrent_kernel"}, %arg3: tensor<!tf_type.resource<tensor<24xf32>>> {tf._user_specified_name = "resource", tf_saved_model.bound_input = @"lstm_6/lstm_cell/bias"}, %arg4: tensor<!tf_type.resource<tensor<6x16xf32>>> {tf._user_specified_name = "resource", tf_saved_model.bound_input = @"lstm_5/lstm_cell/kernel"}, %arg5: tensor<!tf_type.resource<tensor<4x16xf32>>> {tf._user_specified_name = "resource", tf_saved_model.bound_input = @"lstm_5/lstm_cell/recurrent_kernel"}, %arg6: tensor<!tf_type.resource<tensor<16xf32>>> {tf._user_specified_name = "resource", tf_saved_model.bound_input = @"lstm_5/lstm_cell/bias"}, %arg7: tensor<!tf_type.resource<tensor<4x3xf32>>> {tf._user_specified_name = "resource", tf_saved_model.bound_input = @"dense/kernel"}, %arg8: tensor<!tf_type.resource<tensor<3xf32>>> {tf._user_specified_name = "resource", tf_saved_model.bound_input = @"dense/bias"}) -> tensor<2x3xf32> attributes {allow_soft_placement = false, tf.entry_function = {control_outputs = "model_5/lstm_6/Read/ReadVariableOp,model_5/lstm_6/Read_1/ReadVariableOp,model_5/lstm_6/Read_2/ReadVariableOp,model_5/lstm_5/Read/ReadVariableOp,model_5/lstm_5/Read_1/ReadVariableOp,model_5/lstm_5/Read_2/ReadVariableOp,model_5/dense/MatMul/ReadVariableOp,model_5/dense/BiasAdd/ReadVariableOp", inputs = "x,model_5_lstm_6_read_readvariableop_resource,model_5_lstm_6_read_1_readvariableop_resource,model_5_lstm_6_read_2_readvariableop_resource,model_5_lstm_5_read_readvariableop_resource,model_5_lstm_5_read_1_readvariableop_resource,model_5_lstm_5_read_2_readvariableop_resource,model_5_dense_matmul_readvariableop_resource,model_5_dense_biasadd_readvariableop_resource", outputs = "identity_RetVal"}} {
    %cst = "tf.Const"() <{value = dense<0.000000e+00> : tensor<2x4xf32>}> : () -> tensor<2x4xf32>
    %cst_1 = "tf.Const"() <{value = dense<0.000000e+00> : tensor<2x6xf32>}> : () -> tensor<2x6xf32>
    %0 = "tf.ReadVariableOp"(%arg8) {device = ""} : (tensor<!tf_type.resource<tensor<3xf32>>>) -> tensor<3xf32>
    %1 = "tf.ReadVariableOp"(%arg7) {device = ""} : (tensor<!tf_type.resource<tensor<4x3xf32>>>) -> tensor<4x3xf32>
    %2 = "tf.ReadVariableOp"(%arg5) {device = ""} : (tensor<!tf_type.resource<tensor<4x16xf32>>>) -> tensor<4x16xf32>
    %3 = "tf.Identity"(%2) {device = ""} : (tensor<4x16xf32>) -> tensor<4x16xf32>
    %4 = "tf.ReadVariableOp"(%arg6) {device = ""} : (tensor<!tf_type.resource<tensor<16xf32>>>) -> tensor<16xf32>
    %5 = "tf.Identity"(%4) {device = ""} : (tensor<16xf32>) -> tensor<16xf32>
    %6 = "tf.ReadVariableOp"(%arg4) {device = ""} : (tensor<!tf_type.resource<tensor<6x16xf32>>>) -> tensor<6x16xf32>
    %7 = "tf.Identity"(%6) {device = ""} : (tensor<6x16xf32>) -> tensor<6x16xf32>
    %8 = "tf.ReadVariableOp"(%arg2) {device = ""} : (tensor<!tf_type.resource<tensor<6x24xf32>>>) -> tensor<6x24xf32>
    %9 = "tf.Identity"(%8) {device = ""} : (tensor<6x24xf32>) -> tensor<6x24xf32>
    %10 = "tf.ReadVariableOp"(%arg3) {device = ""} : (tensor<!tf_type.resource<tensor<24xf32>>>) -> tensor<24xf32>
    %11 = "tf.Identity"(%10) {device = ""} : (tensor<24xf32>) -> tensor<24xf32>
    %12 = "tf.ReadVariableOp"(%arg1) {device = ""} : (tensor<!tf_type.resource<tensor<3x24xf32>>>) -> tensor<3x24xf32>
    %13 = "tf.Identity"(%12) {device = ""} : (tensor<3x24xf32>) -> tensor<3x24xf32>
    %14, %15, %16, %17, %18 = "tf.PartitionedCall"(%arg0, %cst_1, %cst_1, %13, %9, %11) <{config = "", config_proto = "\0A\07\0A\03CPU\10\01\0A\07\0A\03GPU\10\002\02J\008\01\82\01\00\92\01\02J\00", executor_type = "", f = @__inference_standard_lstm_121880}> {_collective_manager_ids = [], _read_only_resource_inputs = [], device = ""} : (tensor<2x5x3xf32>, tensor<2x6xf32>, tensor<2x6xf32>, tensor<3x24xf32>, tensor<6x24xf32>, tensor<24xf32>) -> (tensor<2x6xf32>, tensor<2x?x6xf32>, tensor<2x6xf32>, tensor<2x6xf32>, tensor<f32>)
    %19, %20, %21, %22, %23 = "tf.PartitionedCall"(%15, %cst, %cst, %7, %3, %5) <{config = "", config_proto = "\0A\07\0A\03CPU\10\01\0A\07\0A\03GPU\10\002\02J\008\01\82\01\00\92\01\02J\00", executor_type = "", f = @__inference_standard_lstm_126110}> {_collective_manager_ids = [], _read_only_resource_inputs = [], device = ""} : (tensor<2x?x6xf32>, tensor<2x4xf32>, tensor<2x4xf32>, tensor<6x16xf32>, tensor<4x16xf32>, tensor<16xf32>) -> (tensor<2x4xf32>, tensor<2x1x4xf32>, tensor<2x4xf32>, tensor<2x4xf32>, tensor<f32>)
    %24 = "tf.MatMul"(%19, %1) <{grad_a = false, grad_b = false, transpose_a = false, transpose_b = false}> {device = ""} : (tensor<2x4xf32>, tensor<4x3xf32>) -> tensor<2x3xf32>
    %25 = "tf.BiasAdd"(%24, %0) <{data_format = "NHWC"}> {device = ""} : (tensor<2x3xf32>, tensor<3xf32>) -> tensor<2x3xf32>
    %26 = "tf.Identity"(%25) {device = ""} : (tensor<2x3xf32>) -> tensor<2x3xf32>
    func.return %26 : tensor<2x3xf32>
  }
  func.func private @__inference_standard_lstm_121880(%arg0: tensor<2x5x3xf32> {tf._user_specified_name = "inputs"}, %arg1: tensor<2x6xf32> {tf._user_specified_name = "init_h"}, %arg2: tensor<2x6xf32> {tf._user_specified_name = "init_c"}, %arg3: tensor<3x24xf32> {tf._user_specified_name = "kernel"}, %arg4: tensor<6x24xf32> {tf._user_specified_name = "recurrent_kernel"}, %arg5: tensor<24xf32> {tf._user_specified_name = "bias"}) -> (tensor<2x6xf32>, tensor<2x?x6xf32>, tensor<2x6xf32>, tensor<2x6xf32>, tensor<f32>) attributes {tf._construction_context = "kEagerRuntime", tf.api_implements = "lstm_0c731cdd-ab78-4750-b855-7960de31b45f", tf.api_preferred_device = "CPU", tf.go_backwards = false, tf.time_major = false} {
    %cst = "tf.Const"() <{value = dense<1.000000e+00> : tensor<f32>}> {device = "/device:CPU:0"} : () -> tensor<f32>
    %cst_1 = "tf.Const"() <{value = dense<-1> : tensor<i32>}> {device = ""} : () -> tensor<i32>
    %cst_2 = "tf.Const"() <{value = dense<[1, 0, 2]> : tensor<3xi32>}> {device = ""} : () -> tensor<3xi32>
    %cst_3 = "tf.Const"() <{value = dense<0> : tensor<i32>}> {device = ""} : () -> tensor<i32>
    %cst_4 = "tf.Const"() <{value = dense<-1> : tensor<1xi32>}> {device = ""} : () -> tensor<1xi32>
    %cst_5 = "tf.Const"() <{value = dense<[2, 3]> : tensor<2xi32>}> {device = ""} : () -> tensor<2xi32>
    %cst_6 = "tf.Const"() <{value = dense<[2, 6]> : tensor<2xi32>}> {device = ""} : () -> tensor<2xi32>
    %cst_7 = "tf.Const"() <{value = dense<0> : tensor<1xi32>}> {device = ""} : () -> tensor<1xi32>
    %cst_8 = "tf.Const"() <{value = dense<1> : tensor<1xi32>}> {device = ""} : () -> tensor<1xi32>
    %cst_9 = "tf.Const"() <{value = dense<5> : tensor<i32>}> : () -> tensor<i32>
    %0 = "tf.TensorListReserve"(%cst_6, %cst_9) {device = ""} : (tensor<2xi32>, tensor<i32>) -> tensor<!tf_type.variant<tensor<2x6xf32>>>
    %1 = "tf.Transpose"(%arg0, %cst_2) {device = ""} : (tensor<2x5x3xf32>, tensor<3xi32>) -> tensor<5x2x3xf32>
    %2 = "tf.TensorListFromTensor"(%1, %cst_5) {device = ""} : (tensor<5x2x3xf32>, tensor<2xi32>) -> tensor<!tf_type.variant<tensor<2x3xf32>>>
    %3, %4, %5, %6, %7, %8, %9, %10, %11, %12, %13 = "tf.While"(%cst_3, %cst_1, %cst_3, %0, %arg1, %arg2, %cst_9, %2, %arg3, %arg4, %arg5) <{body = @while_body_121030, cond = @while_cond_121020, is_stateless = true, parallel_iterations = 32 : i64, shape_invariant}> {T = [i32, i32, i32, !tf_type.variant, f32, f32, i32, !tf_type.variant, f32, f32, f32], _lower_using_switch_merge = true, _num_original_outputs = 11 : i64, _read_only_resource_inputs = [], device = "", output_shapes = [#tf_type.shape, #tf_type.shape, #tf_type.shape, #tf_type.shape, #tf_type.shape<2x6>, #tf_type.shape<2x6>, #tf_type.shape, #tf_type.shape, #tf_type.shape<3x24>, #tf_type.shape<6x24>, #tf_type.shape<24>]} : (tensor<i32>, tensor<i32>, tensor<i32>, tensor<!tf_type.variant<tensor<2x6xf32>>>, tensor<2x6xf32>, tensor<2x6xf32>, tensor<i32>, tensor<!tf_type.variant<tensor<2x3xf32>>>, tensor<3x24xf32>, tensor<6x24xf32>, tensor<24xf32>) -> (tensor<i32>, tensor<i32>, tensor<i32>, tensor<!tf_type.variant<tensor<2x6xf32>>>, tensor<2x6xf32>, tensor<2x6xf32>, tensor<i32>, tensor<!tf_type.variant<tensor<2x3xf32>>>, tensor<3x24xf32>, tensor<6x24xf32>, tensor<24xf32>)
    %14 = "tf.Identity"(%7) {device = ""} : (tensor<2x6xf32>) -> tensor<2x6xf32>
    %15 = "tf.Identity"(%8) {device = ""} : (tensor<2x6xf32>) -> tensor<2x6xf32>
    %16 = "tf.TensorListStack"(%6, %cst_6) <{num_elements = -1 : i64}> {device = ""} : (tensor<!tf_type.variant<tensor<2x6xf32>>>, tensor<2xi32>) -> tensor<?x2x6xf32>
    %17 = "tf.StridedSlice"(%16, %cst_4, %cst_7, %cst_8) <{begin_mask = 0 : i64, ellipsis_mask = 0 : i64, end_mask = 0 : i64, new_axis_mask = 0 : i64, shrink_axis_mask = 1 : i64}> {device = ""} : (tensor<?x2x6xf32>, tensor<1xi32>, tensor<1xi32>, tensor<1xi32>) -> tensor<2x6xf32>
    %18 = "tf.Identity"(%17) {device = ""} : (tensor<2x6xf32>) -> tensor<2x6xf32>
    %19 = "tf.Transpose"(%16, %cst_2) {device = ""} : (tensor<?x2x6xf32>, tensor<3xi32>) -> tensor<2x?x6xf32>
    %20 = "tf.Identity"(%19) {device = ""} : (tensor<2x?x6xf32>) -> tensor<2x?x6xf32>
    %21 = "tf.Identity"(%cst) {device = ""} : (tensor<f32>) -> tensor<f32>
    func.return %18, %20, %14, %15, %21 : tensor<2x6xf32>, tensor<2x?x6xf32>, tensor<2x6xf32>, tensor<2x6xf32>, tensor<f32>
  }
  func.func private @__inference_standard_lstm_126110(%arg0: tensor<2x?x6xf32> {tf._user_specified_name = "inputs"}, %arg1: tensor<2x4xf32> {tf._user_specified_name = "init_h"}, %arg2: tensor<2x4xf32> {tf._user_specified_name = "init_c"}, %arg3: tensor<6x16xf32> {tf._user_specified_name = "kernel"}, %arg4: tensor<4x16xf32> {tf._user_specified_name = "recurrent_kernel"}, %arg5: tensor<16xf32> {tf._user_specified_name = "bias"}) -> (tensor<2x4xf32>, tensor<2x1x4xf32>, tensor<2x4xf32>, tensor<2x4xf32>, tensor<f32>) attributes {tf._construction_context = "kEagerRuntime", tf.api_implements = "lstm_2b17b61f-563a-4de0-aa8b-6708ed06fc3a", tf.api_preferred_device = "CPU", tf.go_backwards = false, tf.time_major = false} {
    %cst = "tf.Const"() <{value = dense<5> : tensor<i32>}> : () -> tensor<i32>
    %cst_1 = "tf.Const"() <{value = dense<1.000000e+00> : tensor<f32>}> {device = "/device:CPU:0"} : () -> tensor<f32>
    %cst_2 = "tf.Const"() <{value = dense<-1> : tensor<i32>}> {device = ""} : () -> tensor<i32>
    %cst_3 = "tf.Const"() <{value = dense<[1, 0, 2]> : tensor<3xi32>}> {device = ""} : () -> tensor<3xi32>
    %cst_4 = "tf.Const"() <{value = dense<0> : tensor<i32>}> {device = ""} : () -> tensor<i32>
    %cst_5 = "tf.Const"() <{value = dense<-1> : tensor<1xi32>}> {device = ""} : () -> tensor<1xi32>
    %cst_6 = "tf.Const"() <{value = dense<1> : tensor<1xi32>}> {device = ""} : () -> tensor<1xi32>
    %cst_7 = "tf.Const"() <{value = dense<0> : tensor<1xi32>}> {device = ""} : () -> tensor<1xi32>
    %cst_8 = "tf.Const"() <{value = dense<[2, 6]> : tensor<2xi32>}> {device = ""} : () -> tensor<2xi32>
    %cst_9 = "tf.Const"() <{value = dense<[2, 4]> : tensor<2xi32>}> {device = ""} : () -> tensor<2xi32>
    %cst_10 = "tf.Const"() <{value = dense<1> : tensor<i32>}> {device = ""} : () -> tensor<i32>
    %0 = "tf.TensorListReserve"(%cst_9, %cst_10) {device = ""} : (tensor<2xi32>, tensor<i32>) -> tensor<!tf_type.variant<tensor<2x4xf32>>>
    %1 = "tf.Transpose"(%arg0, %cst_3) {device = ""} : (tensor<2x?x6xf32>, tensor<3xi32>) -> tensor<?x2x6xf32>
    %2 = "tf.TensorListFromTensor"(%1, %cst_8) {device = ""} : (tensor<?x2x6xf32>, tensor<2xi32>) -> tensor<!tf_type.variant<tensor<2x6xf32>>>
    %3, %4, %5, %6, %7, %8, %9, %10, %11, %12, %13 = "tf.While"(%cst_4, %cst_2, %cst_4, %0, %arg1, %arg2, %cst, %2, %arg3, %arg4, %arg5) <{body = @while_body_125250, cond = @while_cond_125240, is_stateless = true, parallel_iterations = 32 : i64, shape_invariant}> {T = [i32, i32, i32, !tf_type.variant, f32, f32, i32, !tf_type.variant, f32, f32, f32], _lower_using_switch_merge = true, _num_original_outputs = 11 : i64, _read_only_resource_inputs = [], device = "", output_shapes = [#tf_type.shape, #tf_type.shape, #tf_type.shape, #tf_type.shape, #tf_type.shape<2x4>, #tf_type.shape<2x4>, #tf_type.shape, #tf_type.shape, #tf_type.shape<6x16>, #tf_type.shape<4x16>, #tf_type.shape<16>]} : (tensor<i32>, tensor<i32>, tensor<i32>, tensor<!tf_type.variant<tensor<2x4xf32>>>, tensor<2x4xf32>, tensor<2x4xf32>, tensor<i32>, tensor<!tf_type.variant<tensor<2x6xf32>>>, tensor<6x16xf32>, tensor<4x16xf32>, tensor<16xf32>) -> (tensor<i32>, tensor<i32>, tensor<i32>, tensor<!tf_type.variant<tensor<2x4xf32>>>, tensor<2x4xf32>, tensor<2x4xf32>, tensor<i32>, tensor<!tf_type.variant<tensor<2x6xf32>>>, tensor<6x16xf32>, tensor<4x16xf32>, tensor<16xf32>)
    %14 = "tf.Identity"(%7) {device = ""} : (tensor<2x4xf32>) -> tensor<2x4xf32>
    %15 = "tf.Identity"(%8) {device = ""} : (tensor<2x4xf32>) -> tensor<2x4xf32>
    %16 = "tf.TensorListStack"(%6, %cst_9) <{num_elements = 1 : i64}> {device = ""} : (tensor<!tf_type.variant<tensor<2x4xf32>>>, tensor<2xi32>) -> tensor<1x2x4xf32>
    %17 = "tf.StridedSlice"(%16, %cst_5, %cst_7, %cst_6) <{begin_mask = 0 : i64, ellipsis_mask = 0 : i64, end_mask = 0 : i64, new_axis_mask = 0 : i64, shrink_axis_mask = 1 : i64}> {device = ""} : (tensor<1x2x4xf32>, tensor<1xi32>, tensor<1xi32>, tensor<1xi32>) -> tensor<2x4xf32>
    %18 = "tf.Identity"(%17) {device = ""} : (tensor<2x4xf32>) -> tensor<2x4xf32>
    %19 = "tf.Transpose"(%16, %cst_3) {device = ""} : (tensor<1x2x4xf32>, tensor<3xi32>) -> tensor<2x1x4xf32>
    %20 = "tf.Identity"(%19) {device = ""} : (tensor<2x1x4xf32>) -> tensor<2x1x4xf32>
    %21 = "tf.Identity"(%cst_1) {device = ""} : (tensor<f32>) -> tensor<f32>
    func.return %18, %20, %14, %15, %21 : tensor<2x4xf32>, tensor<2x1x4xf32>, tensor<2x4xf32>, tensor<2x4xf32>, tensor<f32>
  }
  func.func private @while_body_121030(%arg0: tensor<i32> {tf._user_specified_name = "while/loop_counter"}, %arg1: tensor<i32> {tf._user_specified_name = "while/maximum_iterations"}, %arg2: tensor<i32>, %arg3: tensor<!tf_type.variant<tensor<2x6xf32>>>, %arg4: tensor<2x6xf32>, %arg5: tensor<2x6xf32>, %arg6: tensor<i32> {tf._user_specified_name = "strided_slice"}, %arg7: tensor<!tf_type.variant<tensor<2x3xf32>>> {tf._user_specified_name = "TensorArrayUnstack/TensorListFromTensor"}, %arg8: tensor<3x24xf32> {tf._user_specified_name = "kernel"}, %arg9: tensor<6x24xf32> {tf._user_specified_name = "recurrent_kernel"}, %arg10: tensor<24xf32> {tf._user_specified_name = "bias"}) -> (tensor<i32>, tensor<i32>, tensor<i32>, tensor<!tf_type.variant<tensor<2x6xf32>>>, tensor<2x6xf32>, tensor<2x6xf32>, tensor<i32>, tensor<!tf_type.variant<tensor<2x3xf32>>>, tensor<3x24xf32>, tensor<6x24xf32>, tensor<24xf32>) attributes {tf._construction_context = "kEagerRuntime"} {
    %cst = "tf.Const"() <{value = dense<[2, 3]> : tensor<2xi32>}> {device = ""} : () -> tensor<2xi32>
    %cst_1 = "tf.Const"() <{value = dense<1> : tensor<i32>}> {device = ""} : () -> tensor<i32>
    %0 = "tf.AddV2"(%arg2, %cst_1) {device = ""} : (tensor<i32>, tensor<i32>) -> tensor<i32>
    %1 = "tf.Identity"(%0) {device = ""} : (tensor<i32>) -> tensor<i32>
    %2 = "tf.MatMul"(%arg4, %arg9) <{grad_a = false, grad_b = false, transpose_a = false, transpose_b = false}> {device = ""} : (tensor<2x6xf32>, tensor<6x24xf32>) -> tensor<2x24xf32>
    %3 = "tf.TensorListGetItem"(%arg7, %arg2, %cst) {device = ""} : (tensor<!tf_type.variant<tensor<2x3xf32>>>, tensor<i32>, tensor<2xi32>) -> tensor<2x3xf32>
    %4 = "tf.MatMul"(%3, %arg8) <{grad_a = false, grad_b = false, transpose_a = false, transpose_b = false}> {device = ""} : (tensor<2x3xf32>, tensor<3x24xf32>) -> tensor<2x24xf32>
    %5 = "tf.AddV2"(%4, %2) {device = ""} : (tensor<2x24xf32>, tensor<2x24xf32>) -> tensor<2x24xf32>
    %6 = "tf.BiasAdd"(%5, %arg10) <{data_format = "NHWC"}> {device = ""} : (tensor<2x24xf32>, tensor<24xf32>) -> tensor<2x24xf32>
    %7, %8, %9, %10 = "tf.Split"(%cst_1, %6) {device = ""} : (tensor<i32>, tensor<2x24xf32>) -> (tensor<2x6xf32>, tensor<2x6xf32>, tensor<2x6xf32>, tensor<2x6xf32>)
    %11 = "tf.Sigmoid"(%7) {device = ""} : (tensor<2x6xf32>) -> tensor<2x6xf32>
    %12 = "tf.Sigmoid"(%8) {device = ""} : (tensor<2x6xf32>) -> tensor<2x6xf32>
    %13 = "tf.Mul"(%12, %arg5) {device = ""} : (tensor<2x6xf32>, tensor<2x6xf32>) -> tensor<2x6xf32>
    %14 = "tf.Sigmoid"(%10) {device = ""} : (tensor<2x6xf32>) -> tensor<2x6xf32>
    %15 = "tf.Tanh"(%9) {device = ""} : (tensor<2x6xf32>) -> tensor<2x6xf32>
    %16 = "tf.Mul"(%11, %15) {device = ""} : (tensor<2x6xf32>, tensor<2x6xf32>) -> tensor<2x6xf32>
    %17 = "tf.AddV2"(%13, %16) {device = ""} : (tensor<2x6xf32>, tensor<2x6xf32>) -> tensor<2x6xf32>
    %18 = "tf.Identity"(%17) {device = ""} : (tensor<2x6xf32>) -> tensor<2x6xf32>
    %19 = "tf.Tanh"(%17) {device = ""} : (tensor<2x6xf32>) -> tensor<2x6xf32>
    %20 = "tf.Mul"(%14, %19) {device = ""} : (tensor<2x6xf32>, tensor<2x6xf32>) -> tensor<2x6xf32>
    %21 = "tf.Identity"(%20) {device = ""} : (tensor<2x6xf32>) -> tensor<2x6xf32>
    %22 = "tf.TensorListSetItem"(%arg3, %arg2, %20) <{resize_if_index_out_of_bounds = false}> {device = ""} : (tensor<!tf_type.variant<tensor<2x6xf32>>>, tensor<i32>, tensor<2x6xf32>) -> tensor<!tf_type.variant<tensor<2x6xf32>>>
    %23 = "tf.Identity"(%22) {device = ""} : (tensor<!tf_type.variant<tensor<2x6xf32>>>) -> tensor<!tf_type.variant<tensor<2x6xf32>>>
    %24 = "tf.AddV2"(%arg0, %cst_1) {device = ""} : (tensor<i32>, tensor<i32>) -> tensor<i32>
    %25 = "tf.Identity"(%24) {device = ""} : (tensor<i32>) -> tensor<i32>
    %26 = "tf.Identity"(%arg1) {device = ""} : (tensor<i32>) -> tensor<i32>
    func.return %25, %26, %1, %23, %21, %18, %arg6, %arg7, %arg8, %arg9, %arg10 : tensor<i32>, tensor<i32>, tensor<i32>, tensor<!tf_type.variant<tensor<2x6xf32>>>, tensor<2x6xf32>, tensor<2x6xf32>, tensor<i32>, tensor<!tf_type.variant<tensor<2x3xf32>>>, tensor<3x24xf32>, tensor<6x24xf32>, tensor<24xf32>
  }
  func.func private @while_cond_121020(%arg0: tensor<i32> {tf._user_specified_name = "while/loop_counter"}, %arg1: tensor<i32> {tf._user_specified_name = "while/maximum_iterations"}, %arg2: tensor<i32>, %arg3: tensor<!tf_type.variant<tensor<2x6xf32>>>, %arg4: tensor<2x6xf32>, %arg5: tensor<2x6xf32>, %arg6: tensor<i32> {tf._user_specified_name = "strided_slice"}, %arg7: tensor<!tf_type.variant<tensor<2x3xf32>>>, %arg8: tensor<3x24xf32>, %arg9: tensor<6x24xf32>, %arg10: tensor<24xf32>) -> tensor<i1> attributes {tf._construction_context = "kEagerRuntime"} {
    %0 = "tf.Less"(%arg2, %arg6) {device = ""} : (tensor<i32>, tensor<i32>) -> tensor<i1>
    %1 = "tf.Identity"(%0) {device = ""} : (tensor<i1>) -> tensor<i1>
    func.return %1 : tensor<i1>
  }
  func.func private @while_body_125250(%arg0: tensor<i32> {tf._user_specified_name = "while/loop_counter"}, %arg1: tensor<i32> {tf._user_specified_name = "while/maximum_iterations"}, %arg2: tensor<i32>, %arg3: tensor<!tf_type.variant<tensor<2x4xf32>>>, %arg4: tensor<2x4xf32>, %arg5: tensor<2x4xf32>, %arg6: tensor<i32> {tf._user_specified_name = "strided_slice"}, %arg7: tensor<!tf_type.variant<tensor<2x6xf32>>> {tf._user_specified_name = "TensorArrayUnstack/TensorListFromTensor"}, %arg8: tensor<6x16xf32> {tf._user_specified_name = "kernel"}, %arg9: tensor<4x16xf32> {tf._user_specified_name = "recurrent_kernel"}, %arg10: tensor<16xf32> {tf._user_specified_name = "bias"}) -> (tensor<i32>, tensor<i32>, tensor<i32>, tensor<!tf_type.variant<tensor<2x4xf32>>>, tensor<2x4xf32>, tensor<2x4xf32>, tensor<i32>, tensor<!tf_type.variant<tensor<2x6xf32>>>, tensor<6x16xf32>, tensor<4x16xf32>, tensor<16xf32>) attributes {tf._construction_context = "kEagerRuntime"} {
    %cst = "tf.Const"() <{value = dense<[2, 6]> : tensor<2xi32>}> {device = ""} : () -> tensor<2xi32>
    %cst_1 = "tf.Const"() <{value = dense<0> : tensor<i32>}> {device = ""} : () -> tensor<i32>
    %cst_2 = "tf.Const"() <{value = dense<1> : tensor<i32>}> {device = ""} : () -> tensor<i32>
    %0 = "tf.AddV2"(%arg2, %cst_2) {device = ""} : (tensor<i32>, tensor<i32>) -> tensor<i32>
    %1 = "tf.Identity"(%0) {device = ""} : (tensor<i32>) -> tensor<i32>
    %2 = "tf.MatMul"(%arg4, %arg9) <{grad_a = false, grad_b = false, transpose_a = false, transpose_b = false}> {device = ""} : (tensor<2x4xf32>, tensor<4x16xf32>) -> tensor<2x16xf32>
    %3 = "tf.TensorListGetItem"(%arg7, %arg2, %cst) {device = ""} : (tensor<!tf_type.variant<tensor<2x6xf32>>>, tensor<i32>, tensor<2xi32>) -> tensor<2x6xf32>
    %4 = "tf.MatMul"(%3, %arg8) <{grad_a = false, grad_b = false, transpose_a = false, transpose_b = false}> {device = ""} : (tensor<2x6xf32>, tensor<6x16xf32>) -> tensor<2x16xf32>
    %5 = "tf.AddV2"(%4, %2) {device = ""} : (tensor<2x16xf32>, tensor<2x16xf32>) -> tensor<2x16xf32>
    %6 = "tf.BiasAdd"(%5, %arg10) <{data_format = "NHWC"}> {device = ""} : (tensor<2x16xf32>, tensor<16xf32>) -> tensor<2x16xf32>
    %7, %8, %9, %10 = "tf.Split"(%cst_2, %6) {device = ""} : (tensor<i32>, tensor<2x16xf32>) -> (tensor<2x4xf32>, tensor<2x4xf32>, tensor<2x4xf32>, tensor<2x4xf32>)
    %11 = "tf.Sigmoid"(%7) {device = ""} : (tensor<2x4xf32>) -> tensor<2x4xf32>
    %12 = "tf.Sigmoid"(%8) {device = ""} : (tensor<2x4xf32>) -> tensor<2x4xf32>
    %13 = "tf.Mul"(%12, %arg5) {device = ""} : (tensor<2x4xf32>, tensor<2x4xf32>) -> tensor<2x4xf32>
    %14 = "tf.Sigmoid"(%10) {device = ""} : (tensor<2x4xf32>) -> tensor<2x4xf32>
    %15 = "tf.Tanh"(%9) {device = ""} : (tensor<2x4xf32>) -> tensor<2x4xf32>
    %16 = "tf.Mul"(%11, %15) {device = ""} : (tensor<2x4xf32>, tensor<2x4xf32>) -> tensor<2x4xf32>
    %17 = "tf.AddV2"(%13, %16) {device = ""} : (tensor<2x4xf32>, tensor<2x4xf32>) -> tensor<2x4xf32>
    %18 = "tf.Identity"(%17) {device = ""} : (tensor<2x4xf32>) -> tensor<2x4xf32>
    %19 = "tf.Tanh"(%17) {device = ""} : (tensor<2x4xf32>) -> tensor<2x4xf32>
    %20 = "tf.Mul"(%14, %19) {device = ""} : (tensor<2x4xf32>, tensor<2x4xf32>) -> tensor<2x4xf32>
    %21 = "tf.Identity"(%20) {device = ""} : (tensor<2x4xf32>) -> tensor<2x4xf32>
    %22 = "tf.TensorListSetItem"(%arg3, %cst_1, %20) <{resize_if_index_out_of_bounds = false}> {device = ""} : (tensor<!tf_type.variant<tensor<2x4xf32>>>, tensor<i32>, tensor<2x4xf32>) -> tensor<!tf_type.variant<tensor<2x4xf32>>>
    %23 = "tf.Identity"(%22) {device = ""} : (tensor<!tf_type.variant<tensor<2x4xf32>>>) -> tensor<!tf_type.variant<tensor<2x4xf32>>>
    %24 = "tf.AddV2"(%arg0, %cst_2) {device = ""} : (tensor<i32>, tensor<i32>) -> tensor<i32>
    %25 = "tf.Identity"(%24) {device = ""} : (tensor<i32>) -> tensor<i32>
    %26 = "tf.Identity"(%arg1) {device = ""} : (tensor<i32>) -> tensor<i32>
    func.return %25, %26, %1, %23, %21, %18, %arg6, %arg7, %arg8, %arg9, %arg10 : tensor<i32>, tensor<i32>, tensor<i32>, tensor<!tf_type.variant<tensor<2x4xf32>>>, tensor<2x4xf32>, tensor<2x4xf32>, tensor<i32>, tensor<!tf_type.variant<tensor<2x6xf32>>>, tensor<6x16xf32>, tensor<4x16xf32>, tensor<16xf32>
  }
  func.func private @while_cond_125240(%arg0: tensor<i32> {tf._user_specified_name = "while/loop_counter"}, %arg1: tensor<i32> {tf._user_specified_name = "while/maximum_iterations"}, %arg2: tensor<i32>, %arg3: tensor<!tf_type.variant<tensor<2x4xf32>>>, %arg4: tensor<2x4xf32>, %arg5: tensor<2x4xf32>, %arg6: tensor<i32> {tf._user_specified_name = "strided_slice"}, %arg7: tensor<!tf_type.variant<tensor<2x6xf32>>>, %arg8: tensor<6x16xf32>, %arg9: tensor<4x16xf32>, %arg10: tensor<16xf32>) -> tensor<i1> attributes {tf._construction_context = "kEagerRuntime"} {
    %0 = "tf.Less"(%arg2, %arg6) {device = ""} : (tensor<i32>, tensor<i32>) -> tensor<i1>
    %1 = "tf.Identity"(%0) {device = ""} : (tensor<i1>) -> tensor<i1>
    func.return %1 : tensor<i1>
  }
  "tf_saved_model.global_tensor"() {sym_name = "lstm_6/lstm_cell/kernel", type = tensor<3x24xf32>, value = #nn.blob<dense<[[-0.17213896, 0.21672383, 0.42795572, -0.16071695, -0.10585266, 0.015844852, -0.19325846, 0.14584193, 0.071866125, 0.42149982, 0.4208084, -0.07658926, -0.05455646, -0.45227683, -0.40737265, -0.4336951, -0.17579663, -0.2979117, 0.32413736, 0.056613892, 0.2822114, -0.06482467, 0.2752507, 0.0190987], [0.31393895, -0.25139683, -0.4262894, -0.26356572, -0.12633085, -0.12264633, 0.36002246, -0.1460323, 0.46329758, -0.19215772, -0.18366146, 0.07735923, -0.18242031, 0.39048842, -0.042300254, 0.1313676, -0.23904659, 0.005752206, 0.45883295, -0.24363935, -0.30744496, -0.1986317, -0.10248652, -0.31856522], [-0.4521423, -0.33851856, -0.3932119, 0.25643775, -0.31007427, -0.09221786, -0.43789136, 0.33881345, -0.3684744, -0.1510624, -0.38905466, 0.37321976, -0.007096857, -0.21622029, -0.19658235, 0.4397889, -0.38390923, 0.3877788, -0.05885297, -0.01154688, 0.3998514, -0.45161957, 0.46180412, 0.3734201]]> : tensor<3x24xf32>>} : () -> ()
  "tf_saved_model.global_tensor"() {sym_name = "lstm_6/lstm_cell/recurrent_kernel", type = tensor<6x24xf32>, value = #nn.blob<dense<[[-0.06119156, 0.2791325, -0.08114013, -0.31047338, 0.34355256, -0.043269534, 0.027167456, -0.2072383, -0.16046554, 0.32221442, 0.29492766, 0.010789848, 0.043317895, -0.11354138, 0.14226544, 0.45545048, -0.18688649, 0.070306875, -0.25496516, -0.06381793, -0.16799851, -0.114910424, -0.19174743, -0.074292906], [0.06687951, -0.12436861, -0.2613725, 0.22584431, 0.09133964, 0.3360936, 0.21332993, -0.14988324, 0.003099732, 0.116352916, -0.3827518, 0.099142626, -0.23080888, -0.34908953, -0.054573465, 0.18360117, -0.18111968, -0.2605751, -0.18208821, 0.088410705, 0.20095253, 0.13296472, -0.09038738, 0.28610212], [-0.1298201, -0.23073295, -0.18573008, -0.21223731, 0.24543764, 0.13118166, -0.21763565, 0.28935444, -0.16462725, -0.4051416, 0.20442775, 0.00018718932, 0.15620933, -0.1372265, -0.053322405, 0.24084863, -0.31399432, -0.07267865, 0.3082202, 0.043831877, 0.12166418, 0.17522384, 0.23214537, 0.067233205], [-0.304304, -0.17363685, 0.23402764, 0.21463692, 0.19144475, -0.24306047, 0.36798427, 0.18453135, -0.18146831, 0.020801023, 0.020726688, -0.33519036, -0.3581405, 0.14738464, -0.08995989, 0.2164697, 0.020689033, -0.29577625, 0.117978565, -0.003497947, -0.08051553, -0.21469878, 0.060069725, -0.04586839], [0.1026101, 0.26445004, 0.092043065, 0.2846121, -0.15316753, 0.20664908, -0.024140667, -0.004563011, -0.14759211, 0.096723124, 0.21842746, -0.05776542, -0.09672411, 0.071065016, -0.14212498, 0.072049685, -0.14545119, 0.081217796, 0.27232742, -0.6856762, 0.12183845, 0.12959819, -0.06425806, 0.1829622], [-0.068766505, 0.030260002, -0.37062567, -0.053745903, -0.12819026, 0.09018927, -0.14326991, 0.123844825, -0.32536522, -0.19360846, -0.29976606, -0.13482228, -0.21605189, 0.38673657, 0.4057443, -0.07151284, -0.15208198, 0.09947713, -0.12935443, -0.10134124, -0.27159327, -0.100564286, -0.12441864, 0.13007547]]> : tensor<6x24xf32>>} : () -> ()
  "tf_saved_model.global_tensor"() {sym_name = "lstm_6/lstm_cell/bias", type = tensor<24xf32>, value = #nn.blob<dense<[0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 1.0, 1.0, 1.0, 1.0, 1.0, 1.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0]> : tensor<24xf32>>} : () -> ()
  "tf_saved_model.global_tensor"() {sym_name = "lstm_5/lstm_cell/kernel", type = tensor<6x16xf32>, value = #nn.blob<dense<[[0.510564, -0.20358884, 0.047509193, -0.08546692, -0.104390085, 0.3069058, -0.1731022, -0.4270906, 0.24934167, 0.2582957, 0.29309475, 0.2308737, -0.11687395, 0.47807223, -0.3539468, -0.52138555], [-0.038073063, -0.13927731, 0.37050325, -0.4096105, -0.40526536, 0.3644439, -0.082057714, -0.40137005, -0.26321858, 0.07824236, 0.19683468, 0.3677364, 0.23994815, -0.4532143, 0.22009975, -0.10696769], [-0.06996879, 0.49120015, -0.22750077, 0.31142217, -0.014216304, 0.22922659, 0.39329845, -0.06514627, -0.51415735, -0.22453544, -0.068674624, 0.42218775, 0.08935052, 0.11843866, 0.11369908, -0.07153824], [-0.20663151, -0.49884748, -0.45018196, -0.09084675, 0.25608426, -0.37098786, 0.16142827, 0.1404345, 0.27632213, -0.025639117, 0.42663848, -0.42358005, 0.22371256, 0.10386139, 0.111857355, -0.3042124], [0.3203631, -0.47645023, -0.49571753, 0.4636531, 0.17163384, -0.4221875, -0.443195, -0.3969639, 0.48975807, 0.0566898, 0.27459902, 0.11023843, 0.36258072, -0.33285505, 0.19136024, 0.44483155], [0.33927155, -0.008844197, -0.41813323, 0.28510958, 0.35465312, -0.061403006, -0.4646741, 0.4003412, -0.37737262, 0.056681097, -0.28265932, 0.22063792, -0.026130915, -0.16055396, -0.4796428, -0.25730735]]> : tensor<6x16xf32>>} : () -> ()
  "tf_saved_model.global_tensor"() {sym_name = "lstm_5/lstm_cell/recurrent_kernel", type = tensor<4x16xf32>, value = #nn.blob<dense<[[-0.12568092, 0.2303841, 0.012102805, 0.3536378, -0.24582972, 0.1918368, 0.30657277, 0.5712192, 0.29345784, -0.20456955, -0.056048483, -0.13929838, -0.2771291, 0.100832015, 0.05464355, 0.21896175], [-0.1094176, -0.48576292, 0.006436195, 0.24791637, 0.045436867, -0.2565903, 0.2986071, -0.2052966, -0.003387088, -0.4237633, -0.123520315, 0.3041939, -0.3805249, -0.10503005, -0.09321358, -0.19860777], [-0.0031031813, 0.020662148, -0.27817404, 0.20393261, -0.076218724, -0.27676454, -0.020304134, -0.34542337, 0.057581224, 0.33915177, 0.38656655, -0.22366439, -0.44892725, -0.04099083, 0.18919905, 0.34877703], [-0.11136913, 0.24302931, 0.17077865, -0.16063532, 0.17021006, -0.050871402, 0.12202727, -0.20228612, 0.19050199, 0.2272576, -0.6698361, -0.1450576, -0.2538758, -0.15590896, 0.35353944, -0.121593826]]> : tensor<4x16xf32>>} : () -> ()
  "tf_saved_model.global_tensor"() {sym_name = "lstm_5/lstm_cell/bias", type = tensor<16xf32>, value = #nn.blob<dense<[0.0, 0.0, 0.0, 0.0, 1.0, 1.0, 1.0, 1.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0]> : tensor<16xf32>>} : () -> ()
  "tf_saved_model.global_tensor"() {sym_name = "dense/kernel", type = tensor<4x3xf32>, value = #nn.blob<dense<[[0.4727925, -0.67253613, 0.06483668], [0.13858306, -0.123161554, -0.8064249], [-0.46301776, 0.19169581, -0.20243663], [-0.24588609, 0.52033544, -0.0634591]]> : tensor<4x3xf32>>} : () -> ()
  "tf_saved_model.global_tensor"() {sym_name = "dense/bias", type = tensor<3xf32>, value = #nn.blob<dense<0.0> : tensor<3xf32>>} : () -> ()
}
