builtin.module attributes {tf.versions = {bad_consumers = [], min_consumer = 0 : i32, producer = 2474 : i32}} {
  func.func @__inference_flat_9244(%arg0: tensor<2x4x3xf32> {tf._user_specified_name = "x"}, %arg1: tensor<*x!tf_type.resource> {tf._user_specified_name = "resource", tf_saved_model.bound_input = @"bidirectional_2/forward_lstm_6/lstm_cell/kernel"}, %arg2: tensor<*x!tf_type.resource> {tf._user_specified_name = "resource", tf_saved_model.bound_input = @"bidirectional_2/forward_lstm_6/lstm_cell/recurrent_kernel"}, %arg3: tensor<*x!tf_type.resource> {tf._user_specified_name = "resource", tf_saved_model.bound_input = @"bidirectional_2/forward_lstm_6/lstm_cell/bias"}, %arg4: tensor<*x!tf_type.resource> {tf._user_specified_name = "resource", tf_saved_model.bound_input = @"bidirectional_2/backward_lstm_6/lstm_cell/kernel"}, %arg5: tensor<*x!tf_type.resource> {tf._user_specified_name = "resource", tf_saved_model.bound_input = @"bidirectional_2/backward_lstm_6/lstm_cell/recurrent_kernel"}, %arg6: tensor<*x!tf_type.resource> {tf._user_specified_name = "resource", tf_saved_model.bound_input = @"bidirectional_2/backward_lstm_6/lstm_cell/bias"}) -> tensor<2x4xf32> attributes {allow_soft_placement = false, tf.entry_function = {control_outputs = "model_6/bidirectional_2/forward_lstm_6/Read/ReadVariableOp,model_6/bidirectional_2/forward_lstm_6/Read_1/ReadVariableOp,model_6/bidirectional_2/forward_lstm_6/Read_2/ReadVariableOp,model_6/bidirectional_2/backward_lstm_6/Read/ReadVariableOp,model_6/bidirectional_2/backward_lstm_6/Read_1/ReadVariableOp,model_6/bidirectional_2/backward_lstm_6/Read_2/ReadVariableOp", inputs = "x,model_6_bidirectional_2_forward_lstm_6_read_readvariableop_resource,model_6_bidirectional_2_forward_lstm_6_read_1_readvariableop_resource,model_6_bidirectional_2_forward_lstm_6_read_2_readvariableop_resource,model_6_bidirectional_2_backward_lstm_6_read_readvariableop_resource,model_6_bidirectional_2_backward_lstm_6_read_1_readvariableop_resource,model_6_bidirectional_2_backward_lstm_6_read_2_readvariableop_resource", outputs = "identity_RetVal"}} {
    %cst = "tf.Const"() <{value = dense<1> : tensor<i32>}> {device = ""} : () -> tensor<i32>
    %cst_1 = "tf.Const"() <{value = dense<0.000000e+00> : tensor<2x2xf32>}> : () -> tensor<2x2xf32>
    %0 = "tf.ReadVariableOp"(%arg5) {device = ""} : (tensor<*x!tf_type.resource>) -> tensor<*xf32>
    %1 = "tf.Identity"(%0) {device = ""} : (tensor<*xf32>) -> tensor<*xf32>
    %2 = "tf.ReadVariableOp"(%arg6) {device = ""} : (tensor<*x!tf_type.resource>) -> tensor<*xf32>
    %3 = "tf.Identity"(%2) {device = ""} : (tensor<*xf32>) -> tensor<*xf32>
    %4 = "tf.ReadVariableOp"(%arg4) {device = ""} : (tensor<*x!tf_type.resource>) -> tensor<*xf32>
    %5 = "tf.Identity"(%4) {device = ""} : (tensor<*xf32>) -> tensor<*xf32>
    %6 = "tf.ReadVariableOp"(%arg2) {device = ""} : (tensor<*x!tf_type.resource>) -> tensor<*xf32>
    %7 = "tf.Identity"(%6) {device = ""} : (tensor<*xf32>) -> tensor<*xf32>
    %8 = "tf.ReadVariableOp"(%arg3) {device = ""} : (tensor<*x!tf_type.resource>) -> tensor<*xf32>
    %9 = "tf.Identity"(%8) {device = ""} : (tensor<*xf32>) -> tensor<*xf32>
    %10 = "tf.ReadVariableOp"(%arg1) {device = ""} : (tensor<*x!tf_type.resource>) -> tensor<*xf32>
    %11 = "tf.Identity"(%10) {device = ""} : (tensor<*xf32>) -> tensor<*xf32>
    %12, %13, %14, %15, %16 = "tf.PartitionedCall"(%arg0, %cst_1, %cst_1, %5, %1, %3) <{config = "", config_proto = "\0A\07\0A\03CPU\10\01\0A\07\0A\03GPU\10\002\02J\008\01\82\01\00\92\01\02J\00", executor_type = "", f = @__inference_standard_lstm_89610}> {_collective_manager_ids = [], _read_only_resource_inputs = [], device = ""} : (tensor<2x4x3xf32>, tensor<2x2xf32>, tensor<2x2xf32>, tensor<*xf32>, tensor<*xf32>, tensor<*xf32>) -> (tensor<2x2xf32>, tensor<2x1x2xf32>, tensor<2x2xf32>, tensor<2x2xf32>, tensor<f32>)
    %17, %18, %19, %20, %21 = "tf.PartitionedCall"(%arg0, %cst_1, %cst_1, %11, %7, %9) <{config = "", config_proto = "\0A\07\0A\03CPU\10\01\0A\07\0A\03GPU\10\002\02J\008\01\82\01\00\92\01\02J\00", executor_type = "", f = @__inference_standard_lstm_85310}> {_collective_manager_ids = [], _read_only_resource_inputs = [], device = ""} : (tensor<2x4x3xf32>, tensor<2x2xf32>, tensor<2x2xf32>, tensor<*xf32>, tensor<*xf32>, tensor<*xf32>) -> (tensor<2x2xf32>, tensor<2x1x2xf32>, tensor<2x2xf32>, tensor<2x2xf32>, tensor<f32>)
    %22 = "tf.ConcatV2"(%17, %12, %cst) {device = ""} : (tensor<2x2xf32>, tensor<2x2xf32>, tensor<i32>) -> tensor<2x4xf32>
    %23 = "tf.Identity"(%22) {device = ""} : (tensor<2x4xf32>) -> tensor<2x4xf32>
    func.return %23 : tensor<2x4xf32>
  }
  func.func private @__inference_standard_lstm_89610(%arg0: tensor<2x4x3xf32> {tf._user_specified_name = "inputs"}, %arg1: tensor<2x2xf32> {tf._user_specified_name = "init_h"}, %arg2: tensor<2x2xf32> {tf._user_specified_name = "init_c"}, %arg3: tensor<*xf32> {tf._user_specified_name = "kernel"}, %arg4: tensor<*xf32> {tf._user_specified_name = "recurrent_kernel"}, %arg5: tensor<*xf32> {tf._user_specified_name = "bias"}) -> (tensor<2x2xf32>, tensor<2x1x2xf32>, tensor<2x2xf32>, tensor<2x2xf32>, tensor<f32>) attributes {tf._construction_context = "kEagerRuntime", tf.api_implements = "lstm_8b524b81-d27f-4812-b458-6a937f79814b", tf.api_preferred_device = "CPU", tf.go_backwards = true, tf.time_major = false} {
    %cst = "tf.Const"() <{value = dense<4> : tensor<i32>}> : () -> tensor<i32>
    %cst_1 = "tf.Const"() <{value = dense<1.000000e+00> : tensor<f32>}> {device = "/device:CPU:0"} : () -> tensor<f32>
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
    %2 = "tf.ReverseV2"(%1, %cst_7) {device = ""} : (tensor<4x2x3xf32>, tensor<1xi32>) -> tensor<4x2x3xf32>
    %3 = "tf.TensorListFromTensor"(%2, %cst_8) {device = ""} : (tensor<4x2x3xf32>, tensor<2xi32>) -> tensor<!tf_type.variant<tensor<2x3xf32>>>
    %4, %5, %6, %7, %8, %9, %10, %11, %12, %13, %14 = "tf.While"(%cst_4, %cst_2, %cst_4, %0, %arg1, %arg2, %cst, %3, %arg3, %arg4, %arg5) <{body = @while_body_88750, cond = @while_cond_88740, is_stateless = true, parallel_iterations = 32 : i64, shape_invariant}> {T = [i32, i32, i32, !tf_type.variant, f32, f32, i32, !tf_type.variant, f32, f32, f32], _lower_using_switch_merge = true, _num_original_outputs = 11 : i64, _read_only_resource_inputs = [], device = "", output_shapes = [#tf_type.shape, #tf_type.shape, #tf_type.shape, #tf_type.shape, #tf_type.shape<2x2>, #tf_type.shape<2x2>, #tf_type.shape, #tf_type.shape, #tf_type.shape<3x8>, #tf_type.shape<2x8>, #tf_type.shape<8>]} : (tensor<i32>, tensor<i32>, tensor<i32>, tensor<!tf_type.variant<tensor<2x2xf32>>>, tensor<2x2xf32>, tensor<2x2xf32>, tensor<i32>, tensor<!tf_type.variant<tensor<2x3xf32>>>, tensor<*xf32>, tensor<*xf32>, tensor<*xf32>) -> (tensor<i32>, tensor<i32>, tensor<i32>, tensor<!tf_type.variant<tensor<2x2xf32>>>, tensor<2x2xf32>, tensor<2x2xf32>, tensor<i32>, tensor<!tf_type.variant<tensor<2x3xf32>>>, tensor<3x8xf32>, tensor<2x8xf32>, tensor<8xf32>)
    %15 = "tf.Identity"(%8) {device = ""} : (tensor<2x2xf32>) -> tensor<2x2xf32>
    %16 = "tf.Identity"(%9) {device = ""} : (tensor<2x2xf32>) -> tensor<2x2xf32>
    %17 = "tf.TensorListStack"(%7, %cst_9) <{num_elements = 1 : i64}> {device = ""} : (tensor<!tf_type.variant<tensor<2x2xf32>>>, tensor<2xi32>) -> tensor<1x2x2xf32>
    %18 = "tf.StridedSlice"(%17, %cst_5, %cst_7, %cst_6) <{begin_mask = 0 : i64, ellipsis_mask = 0 : i64, end_mask = 0 : i64, new_axis_mask = 0 : i64, shrink_axis_mask = 1 : i64}> {device = ""} : (tensor<1x2x2xf32>, tensor<1xi32>, tensor<1xi32>, tensor<1xi32>) -> tensor<2x2xf32>
    %19 = "tf.Identity"(%18) {device = ""} : (tensor<2x2xf32>) -> tensor<2x2xf32>
    %20 = "tf.Transpose"(%17, %cst_3) {device = ""} : (tensor<1x2x2xf32>, tensor<3xi32>) -> tensor<2x1x2xf32>
    %21 = "tf.Identity"(%20) {device = ""} : (tensor<2x1x2xf32>) -> tensor<2x1x2xf32>
    %22 = "tf.Identity"(%cst_1) {device = ""} : (tensor<f32>) -> tensor<f32>
    func.return %19, %21, %15, %16, %22 : tensor<2x2xf32>, tensor<2x1x2xf32>, tensor<2x2xf32>, tensor<2x2xf32>, tensor<f32>
  }
  func.func private @__inference_standard_lstm_85310(%arg0: tensor<2x4x3xf32> {tf._user_specified_name = "inputs"}, %arg1: tensor<2x2xf32> {tf._user_specified_name = "init_h"}, %arg2: tensor<2x2xf32> {tf._user_specified_name = "init_c"}, %arg3: tensor<*xf32> {tf._user_specified_name = "kernel"}, %arg4: tensor<*xf32> {tf._user_specified_name = "recurrent_kernel"}, %arg5: tensor<*xf32> {tf._user_specified_name = "bias"}) -> (tensor<2x2xf32>, tensor<2x1x2xf32>, tensor<2x2xf32>, tensor<2x2xf32>, tensor<f32>) attributes {tf._construction_context = "kEagerRuntime", tf.api_implements = "lstm_1375b38b-e344-4f45-8a4e-7bc99318eabf", tf.api_preferred_device = "CPU", tf.go_backwards = false, tf.time_major = false} {
    %cst = "tf.Const"() <{value = dense<4> : tensor<i32>}> : () -> tensor<i32>
    %cst_1 = "tf.Const"() <{value = dense<1.000000e+00> : tensor<f32>}> {device = "/device:CPU:0"} : () -> tensor<f32>
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
    %3, %4, %5, %6, %7, %8, %9, %10, %11, %12, %13 = "tf.While"(%cst_4, %cst_2, %cst_4, %0, %arg1, %arg2, %cst, %2, %arg3, %arg4, %arg5) <{body = @while_body_84450, cond = @while_cond_84440, is_stateless = true, parallel_iterations = 32 : i64, shape_invariant}> {T = [i32, i32, i32, !tf_type.variant, f32, f32, i32, !tf_type.variant, f32, f32, f32], _lower_using_switch_merge = true, _num_original_outputs = 11 : i64, _read_only_resource_inputs = [], device = "", output_shapes = [#tf_type.shape, #tf_type.shape, #tf_type.shape, #tf_type.shape, #tf_type.shape<2x2>, #tf_type.shape<2x2>, #tf_type.shape, #tf_type.shape, #tf_type.shape<3x8>, #tf_type.shape<2x8>, #tf_type.shape<8>]} : (tensor<i32>, tensor<i32>, tensor<i32>, tensor<!tf_type.variant<tensor<2x2xf32>>>, tensor<2x2xf32>, tensor<2x2xf32>, tensor<i32>, tensor<!tf_type.variant<tensor<2x3xf32>>>, tensor<*xf32>, tensor<*xf32>, tensor<*xf32>) -> (tensor<i32>, tensor<i32>, tensor<i32>, tensor<!tf_type.variant<tensor<2x2xf32>>>, tensor<2x2xf32>, tensor<2x2xf32>, tensor<i32>, tensor<!tf_type.variant<tensor<2x3xf32>>>, tensor<3x8xf32>, tensor<2x8xf32>, tensor<8xf32>)
    %14 = "tf.Identity"(%7) {device = ""} : (tensor<2x2xf32>) -> tensor<2x2xf32>
    %15 = "tf.Identity"(%8) {device = ""} : (tensor<2x2xf32>) -> tensor<2x2xf32>
    %16 = "tf.TensorListStack"(%6, %cst_9) <{num_elements = 1 : i64}> {device = ""} : (tensor<!tf_type.variant<tensor<2x2xf32>>>, tensor<2xi32>) -> tensor<1x2x2xf32>
    %17 = "tf.StridedSlice"(%16, %cst_5, %cst_7, %cst_6) <{begin_mask = 0 : i64, ellipsis_mask = 0 : i64, end_mask = 0 : i64, new_axis_mask = 0 : i64, shrink_axis_mask = 1 : i64}> {device = ""} : (tensor<1x2x2xf32>, tensor<1xi32>, tensor<1xi32>, tensor<1xi32>) -> tensor<2x2xf32>
    %18 = "tf.Identity"(%17) {device = ""} : (tensor<2x2xf32>) -> tensor<2x2xf32>
    %19 = "tf.Transpose"(%16, %cst_3) {device = ""} : (tensor<1x2x2xf32>, tensor<3xi32>) -> tensor<2x1x2xf32>
    %20 = "tf.Identity"(%19) {device = ""} : (tensor<2x1x2xf32>) -> tensor<2x1x2xf32>
    %21 = "tf.Identity"(%cst_1) {device = ""} : (tensor<f32>) -> tensor<f32>
    func.return %18, %20, %14, %15, %21 : tensor<2x2xf32>, tensor<2x1x2xf32>, tensor<2x2xf32>, tensor<2x2xf32>, tensor<f32>
  }
  func.func private @while_body_88750(%arg0: tensor<i32> {tf._user_specified_name = "while/loop_counter"}, %arg1: tensor<i32> {tf._user_specified_name = "while/maximum_iterations"}, %arg2: tensor<i32>, %arg3: tensor<!tf_type.variant<tensor<2x2xf32>>>, %arg4: tensor<2x2xf32>, %arg5: tensor<2x2xf32>, %arg6: tensor<i32> {tf._user_specified_name = "strided_slice"}, %arg7: tensor<!tf_type.variant<tensor<2x3xf32>>> {tf._user_specified_name = "TensorArrayUnstack/TensorListFromTensor"}, %arg8: tensor<3x8xf32> {tf._user_specified_name = "kernel"}, %arg9: tensor<2x8xf32> {tf._user_specified_name = "recurrent_kernel"}, %arg10: tensor<8xf32> {tf._user_specified_name = "bias"}) -> (tensor<i32>, tensor<i32>, tensor<i32>, tensor<!tf_type.variant<tensor<2x2xf32>>>, tensor<2x2xf32>, tensor<2x2xf32>, tensor<i32>, tensor<!tf_type.variant<tensor<2x3xf32>>>, tensor<3x8xf32>, tensor<2x8xf32>, tensor<8xf32>) attributes {tf._construction_context = "kEagerRuntime"} {
    %cst = "tf.Const"() <{value = dense<[2, 3]> : tensor<2xi32>}> {device = ""} : () -> tensor<2xi32>
    %cst_1 = "tf.Const"() <{value = dense<0> : tensor<i32>}> {device = ""} : () -> tensor<i32>
    %cst_2 = "tf.Const"() <{value = dense<1> : tensor<i32>}> {device = ""} : () -> tensor<i32>
    %0 = "tf.AddV2"(%arg2, %cst_2) {device = ""} : (tensor<i32>, tensor<i32>) -> tensor<i32>
    %1 = "tf.Identity"(%0) {device = ""} : (tensor<i32>) -> tensor<i32>
    %2 = "tf.MatMul"(%arg4, %arg9) <{grad_a = false, grad_b = false, transpose_a = false, transpose_b = false}> {device = ""} : (tensor<2x2xf32>, tensor<2x8xf32>) -> tensor<2x8xf32>
    %3 = "tf.TensorListGetItem"(%arg7, %arg2, %cst) {device = ""} : (tensor<!tf_type.variant<tensor<2x3xf32>>>, tensor<i32>, tensor<2xi32>) -> tensor<2x3xf32>
    %4 = "tf.MatMul"(%3, %arg8) <{grad_a = false, grad_b = false, transpose_a = false, transpose_b = false}> {device = ""} : (tensor<2x3xf32>, tensor<3x8xf32>) -> tensor<2x8xf32>
    %5 = "tf.AddV2"(%4, %2) {device = ""} : (tensor<2x8xf32>, tensor<2x8xf32>) -> tensor<2x8xf32>
    %6 = "tf.BiasAdd"(%5, %arg10) <{data_format = "NHWC"}> {device = ""} : (tensor<2x8xf32>, tensor<8xf32>) -> tensor<2x8xf32>
    %7, %8, %9, %10 = "tf.Split"(%cst_2, %6) {device = ""} : (tensor<i32>, tensor<2x8xf32>) -> (tensor<2x2xf32>, tensor<2x2xf32>, tensor<2x2xf32>, tensor<2x2xf32>)
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
    %22 = "tf.TensorListSetItem"(%arg3, %cst_1, %20) <{resize_if_index_out_of_bounds = false}> {device = ""} : (tensor<!tf_type.variant<tensor<2x2xf32>>>, tensor<i32>, tensor<2x2xf32>) -> tensor<!tf_type.variant<tensor<2x2xf32>>>
    %23 = "tf.Identity"(%22) {device = ""} : (tensor<!tf_type.variant<tensor<2x2xf32>>>) -> tensor<!tf_type.variant<tensor<2x2xf32>>>
    %24 = "tf.AddV2"(%arg0, %cst_2) {device = ""} : (tensor<i32>, tensor<i32>) -> tensor<i32>
    %25 = "tf.Identity"(%24) {device = ""} : (tensor<i32>) -> tensor<i32>
    %26 = "tf.Identity"(%arg1) {device = ""} : (tensor<i32>) -> tensor<i32>
    func.return %25, %26, %1, %23, %21, %18, %arg6, %arg7, %arg8, %arg9, %arg10 : tensor<i32>, tensor<i32>, tensor<i32>, tensor<!tf_type.variant<tensor<2x2xf32>>>, tensor<2x2xf32>, tensor<2x2xf32>, tensor<i32>, tensor<!tf_type.variant<tensor<2x3xf32>>>, tensor<3x8xf32>, tensor<2x8xf32>, tensor<8xf32>
  }
  func.func private @while_cond_88740(%arg0: tensor<i32> {tf._user_specified_name = "while/loop_counter"}, %arg1: tensor<i32> {tf._user_specified_name = "while/maximum_iterations"}, %arg2: tensor<i32>, %arg3: tensor<!tf_type.variant<tensor<2x2xf32>>>, %arg4: tensor<2x2xf32>, %arg5: tensor<2x2xf32>, %arg6: tensor<i32> {tf._user_specified_name = "strided_slice"}, %arg7: tensor<!tf_type.variant<tensor<2x3xf32>>>, %arg8: tensor<3x8xf32>, %arg9: tensor<2x8xf32>, %arg10: tensor<8xf32>) -> tensor<i1> attributes {tf._construction_context = "kEagerRuntime"} {
    %0 = "tf.Less"(%arg2, %arg6) {device = ""} : (tensor<i32>, tensor<i32>) -> tensor<i1>
    %1 = "tf.Identity"(%0) {device = ""} : (tensor<i1>) -> tensor<i1>
    func.return %1 : tensor<i1>
  }
  func.func private @while_body_84450(%arg0: tensor<i32> {tf._user_specified_name = "while/loop_counter"}, %arg1: tensor<i32> {tf._user_specified_name = "while/maximum_iterations"}, %arg2: tensor<i32>, %arg3: tensor<!tf_type.variant<tensor<2x2xf32>>>, %arg4: tensor<2x2xf32>, %arg5: tensor<2x2xf32>, %arg6: tensor<i32> {tf._user_specified_name = "strided_slice"}, %arg7: tensor<!tf_type.variant<tensor<2x3xf32>>> {tf._user_specified_name = "TensorArrayUnstack/TensorListFromTensor"}, %arg8: tensor<3x8xf32> {tf._user_specified_name = "kernel"}, %arg9: tensor<2x8xf32> {tf._user_specified_name = "recurrent_kernel"}, %arg10: tensor<8xf32> {tf._user_specified_name = "bias"}) -> (tensor<i32>, tensor<i32>, tensor<i32>, tensor<!tf_type.variant<tensor<2x2xf32>>>, tensor<2x2xf32>, tensor<2x2xf32>, tensor<i32>, tensor<!tf_type.variant<tensor<2x3xf32>>>, tensor<3x8xf32>, tensor<2x8xf32>, tensor<8xf32>) attributes {tf._construction_context = "kEagerRuntime"} {
    %cst = "tf.Const"() <{value = dense<[2, 3]> : tensor<2xi32>}> {device = ""} : () -> tensor<2xi32>
    %cst_1 = "tf.Const"() <{value = dense<0> : tensor<i32>}> {device = ""} : () -> tensor<i32>
    %cst_2 = "tf.Const"() <{value = dense<1> : tensor<i32>}> {device = ""} : () -> tensor<i32>
    %0 = "tf.AddV2"(%arg2, %cst_2) {device = ""} : (tensor<i32>, tensor<i32>) -> tensor<i32>
    %1 = "tf.Identity"(%0) {device = ""} : (tensor<i32>) -> tensor<i32>
    %2 = "tf.MatMul"(%arg4, %arg9) <{grad_a = false, grad_b = false, transpose_a = false, transpose_b = false}> {device = ""} : (tensor<2x2xf32>, tensor<2x8xf32>) -> tensor<2x8xf32>
    %3 = "tf.TensorListGetItem"(%arg7, %arg2, %cst) {device = ""} : (tensor<!tf_type.variant<tensor<2x3xf32>>>, tensor<i32>, tensor<2xi32>) -> tensor<2x3xf32>
    %4 = "tf.MatMul"(%3, %arg8) <{grad_a = false, grad_b = false, transpose_a = false, transpose_b = false}> {device = ""} : (tensor<2x3xf32>, tensor<3x8xf32>) -> tensor<2x8xf32>
    %5 = "tf.AddV2"(%4, %2) {device = ""} : (tensor<2x8xf32>, tensor<2x8xf32>) -> tensor<2x8xf32>
    %6 = "tf.BiasAdd"(%5, %arg10) <{data_format = "NHWC"}> {device = ""} : (tensor<2x8xf32>, tensor<8xf32>) -> tensor<2x8xf32>
    %7, %8, %9, %10 = "tf.Split"(%cst_2, %6) {device = ""} : (tensor<i32>, tensor<2x8xf32>) -> (tensor<2x2xf32>, tensor<2x2xf32>, tensor<2x2xf32>, tensor<2x2xf32>)
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
    %22 = "tf.TensorListSetItem"(%arg3, %cst_1, %20) <{resize_if_index_out_of_bounds = false}> {device = ""} : (tensor<!tf_type.variant<tensor<2x2xf32>>>, tensor<i32>, tensor<2x2xf32>) -> tensor<!tf_type.variant<tensor<2x2xf32>>>
    %23 = "tf.Identity"(%22) {device = ""} : (tensor<!tf_type.variant<tensor<2x2xf32>>>) -> tensor<!tf_type.variant<tensor<2x2xf32>>>
    %24 = "tf.AddV2"(%arg0, %cst_2) {device = ""} : (tensor<i32>, tensor<i32>) -> tensor<i32>
    %25 = "tf.Identity"(%24) {device = ""} : (tensor<i32>) -> tensor<i32>
    %26 = "tf.Identity"(%arg1) {device = ""} : (tensor<i32>) -> tensor<i32>
    func.return %25, %26, %1, %23, %21, %18, %arg6, %arg7, %arg8, %arg9, %arg10 : tensor<i32>, tensor<i32>, tensor<i32>, tensor<!tf_type.variant<tensor<2x2xf32>>>, tensor<2x2xf32>, tensor<2x2xf32>, tensor<i32>, tensor<!tf_type.variant<tensor<2x3xf32>>>, tensor<3x8xf32>, tensor<2x8xf32>, tensor<8xf32>
  }
  func.func private @while_cond_84440(%arg0: tensor<i32> {tf._user_specified_name = "while/loop_counter"}, %arg1: tensor<i32> {tf._user_specified_name = "while/maximum_iterations"}, %arg2: tensor<i32>, %arg3: tensor<!tf_type.variant<tensor<2x2xf32>>>, %arg4: tensor<2x2xf32>, %arg5: tensor<2x2xf32>, %arg6: tensor<i32> {tf._user_specified_name = "strided_slice"}, %arg7: tensor<!tf_type.variant<tensor<2x3xf32>>>, %arg8: tensor<3x8xf32>, %arg9: tensor<2x8xf32>, %arg10: tensor<8xf32>) -> tensor<i1> attributes {tf._construction_context = "kEagerRuntime"} {
    %0 = "tf.Less"(%arg2, %arg6) {device = ""} : (tensor<i32>, tensor<i32>) -> tensor<i1>
    %1 = "tf.Identity"(%0) {device = ""} : (tensor<i1>) -> tensor<i1>
    func.return %1 : tensor<i1>
  }
  "tf_saved_model.global_tensor"() {sym_name = "bidirectional_2/forward_lstm_6/lstm_cell/kernel", type = tensor<3x8xf32>, value = #nn.blob<dense<[[-0.45155892, -0.09243943, -0.048352227, 0.569554, 0.28980651, -0.37587658, 0.34098387, 0.38531563], [-0.05582286, -0.12883116, -0.096901625, -0.8474962, 0.094371505, 0.11728896, -0.43276426, 0.37122312], [-0.68648344, -0.2759064, -0.23760954, 0.9937549, -0.799592, 0.28131512, 0.47106165, 0.18886279]]> : tensor<3x8xf32>>} : () -> ()
  "tf_saved_model.global_tensor"() {sym_name = "bidirectional_2/forward_lstm_6/lstm_cell/recurrent_kernel", type = tensor<2x8xf32>, value = #nn.blob<dense<[[0.590904, -0.5013688, -1.1401293, 0.38340893, -0.5979141, -0.16319993, -0.589423, 0.5261709], [0.4325751, -0.36003184, 0.45174593, 0.06063863, -0.069694415, 0.028708331, -0.10137468, 0.30750263]]> : tensor<2x8xf32>>} : () -> ()
  "tf_saved_model.global_tensor"() {sym_name = "bidirectional_2/forward_lstm_6/lstm_cell/bias", type = tensor<8xf32>, value = #nn.blob<dense<[0.15517378, -0.17473358, 0.5031279, -0.3057378, 0.14346682, 0.21107769, 0.73940355, -0.25272068]> : tensor<8xf32>>} : () -> ()
  "tf_saved_model.global_tensor"() {sym_name = "bidirectional_2/backward_lstm_6/lstm_cell/kernel", type = tensor<3x8xf32>, value = #nn.blob<dense<[[0.8715412, 0.08808248, -0.096988454, -0.3362364, 0.2931467, 0.024467623, -0.55180466, -0.56394356], [-0.2777596, -0.338003, 0.5451512, 0.6877692, 0.4342798, 0.17893444, -0.2141191, 0.027241606], [0.44235352, 1.0654861, 0.4564496, -0.14020607, 0.019012539, -0.24127245, -0.3911993, -0.092121]]> : tensor<3x8xf32>>} : () -> ()
  "tf_saved_model.global_tensor"() {sym_name = "bidirectional_2/backward_lstm_6/lstm_cell/recurrent_kernel", type = tensor<2x8xf32>, value = #nn.blob<dense<[[0.09780735, 0.9179508, 0.026016235, 0.67867905, 0.88374454, 0.039403934, 0.80389947, 0.3574677], [-0.20876765, 0.13259001, 0.011438909, -0.11616951, -0.09939062, 0.072104655, 0.21709058, -0.44244093]]> : tensor<2x8xf32>>} : () -> ()
  "tf_saved_model.global_tensor"() {sym_name = "bidirectional_2/backward_lstm_6/lstm_cell/bias", type = tensor<8xf32>, value = #nn.blob<dense<[-0.004693831, -0.76117754, 0.13039775, 0.31179973, 0.08197742, 0.14292657, 0.29497156, -0.33255044]> : tensor<8xf32>>} : () -> ()
}
