builtin.module attributes {tf.versions = {bad_consumers = [], min_consumer = 0 : i32, producer = 2474 : i32}} {
  func.func @__inference_call_18572(%arg0: tensor<2x5x3xf32> {tf._user_specified_name = "x"}, %arg1: tensor<!tf_type.resource<tensor<3x12xf32>>> {tf._user_specified_name = "resource", tf_saved_model.bound_input = @"gru/gru_cell/kernel"}, %arg2: tensor<!tf_type.resource<tensor<4x12xf32>>> {tf._user_specified_name = "resource", tf_saved_model.bound_input = @"gru/gru_cell/recurrent_kernel"}, %arg3: tensor<!tf_type.resource<tensor<2x12xf32>>> {tf._user_specified_name = "resource", tf_saved_model.bound_input = @"gru/gru_cell/bias"}) -> tensor<2x?x4xf32> attributes {allow_soft_placement = false, tf.entry_function = {control_outputs = "model_9/gru/Read/ReadVariableOp,model_9/gru/Read_1/ReadVariableOp,model_9/gru/Read_2/ReadVariableOp", inputs = "x,model_9_gru_read_readvariableop_resource,model_9_gru_read_1_readvariableop_resource,model_9_gru_read_2_readvariableop_resource", outputs = "identity_RetVal"}} {
    %cst = "tf.Const"() <{value = dense<0.000000e+00> : tensor<2x4xf32>}> : () -> tensor<2x4xf32>
    %0 = "tf.ReadVariableOp"(%arg2) {device = ""} : (tensor<!tf_type.resource<tensor<4x12xf32>>>) -> tensor<4x12xf32>
    %1 = "tf.Identity"(%0) {device = ""} : (tensor<4x12xf32>) -> tensor<4x12xf32>
    %2 = "tf.ReadVariableOp"(%arg3) {device = ""} : (tensor<!tf_type.resource<tensor<2x12xf32>>>) -> tensor<2x12xf32>
    %3 = "tf.Identity"(%2) {device = ""} : (tensor<2x12xf32>) -> tensor<2x12xf32>
    %4 = "tf.ReadVariableOp"(%arg1) {device = ""} : (tensor<!tf_type.resource<tensor<3x12xf32>>>) -> tensor<3x12xf32>
    %5 = "tf.Identity"(%4) {device = ""} : (tensor<3x12xf32>) -> tensor<3x12xf32>
    %6, %7, %8, %9 = "tf.PartitionedCall"(%arg0, %cst, %5, %1, %3) <{config = "", config_proto = "\0A\07\0A\03CPU\10\01\0A\07\0A\03GPU\10\002\02J\008\01\82\01\00\92\01\02J\00", executor_type = "", f = @__inference_standard_gru_183580}> {_collective_manager_ids = [], _read_only_resource_inputs = [], device = ""} : (tensor<2x5x3xf32>, tensor<2x4xf32>, tensor<3x12xf32>, tensor<4x12xf32>, tensor<2x12xf32>) -> (tensor<2x4xf32>, tensor<2x?x4xf32>, tensor<2x4xf32>, tensor<f32>)
    %10 = "tf.Identity"(%7) {device = ""} : (tensor<2x?x4xf32>) -> tensor<2x?x4xf32>
    func.return %10 : tensor<2x?x4xf32>
  }
  func.func private @__inference_standard_gru_183580(%arg0: tensor<2x5x3xf32> {tf._user_specified_name = "inputs"}, %arg1: tensor<2x4xf32> {tf._user_specified_name = "init_h"}, %arg2: tensor<3x12xf32> {tf._user_specified_name = "kernel"}, %arg3: tensor<4x12xf32> {tf._user_specified_name = "recurrent_kernel"}, %arg4: tensor<2x12xf32> {tf._user_specified_name = "bias"}) -> (tensor<2x4xf32>, tensor<2x?x4xf32>, tensor<2x4xf32>, tensor<f32>) attributes {tf._construction_context = "kEagerRuntime", tf.api_implements = "gru_325393ee-42fc-4e58-ac9c-0f669878c3eb", tf.api_preferred_device = "CPU", tf.go_backwards = false, tf.time_major = false} {
    %cst = "tf.Const"() <{value = dense<5> : tensor<i32>}> : () -> tensor<i32>
    %cst_1 = "tf.Const"() <{value = dense<1.000000e+00> : tensor<f32>}> {device = "/device:CPU:0"} : () -> tensor<f32>
    %cst_2 = "tf.Const"() <{value = dense<-1> : tensor<i32>}> {device = ""} : () -> tensor<i32>
    %cst_3 = "tf.Const"() <{value = dense<[1, 0, 2]> : tensor<3xi32>}> {device = ""} : () -> tensor<3xi32>
    %cst_4 = "tf.Const"() <{value = dense<0> : tensor<i32>}> {device = ""} : () -> tensor<i32>
    %cst_5 = "tf.Const"() <{value = dense<-1> : tensor<1xi32>}> {device = ""} : () -> tensor<1xi32>
    %cst_6 = "tf.Const"() <{value = dense<1> : tensor<1xi32>}> {device = ""} : () -> tensor<1xi32>
    %cst_7 = "tf.Const"() <{value = dense<0> : tensor<1xi32>}> {device = ""} : () -> tensor<1xi32>
    %cst_8 = "tf.Const"() <{value = dense<[2, 3]> : tensor<2xi32>}> {device = ""} : () -> tensor<2xi32>
    %cst_9 = "tf.Const"() <{value = dense<[2, 4]> : tensor<2xi32>}> {device = ""} : () -> tensor<2xi32>
    %0, %1 = "tf.Unpack"(%arg4) <{axis = 0 : i64}> {device = ""} : (tensor<2x12xf32>) -> (tensor<12xf32>, tensor<12xf32>)
    %2 = "tf.TensorListReserve"(%cst_9, %cst) {device = ""} : (tensor<2xi32>, tensor<i32>) -> tensor<!tf_type.variant<tensor<2x4xf32>>>
    %3 = "tf.Transpose"(%arg0, %cst_3) {device = ""} : (tensor<2x5x3xf32>, tensor<3xi32>) -> tensor<5x2x3xf32>
    %4 = "tf.TensorListFromTensor"(%3, %cst_8) {device = ""} : (tensor<5x2x3xf32>, tensor<2xi32>) -> tensor<!tf_type.variant<tensor<2x3xf32>>>
    %5, %6, %7, %8, %9, %10, %11, %12, %13, %14, %15 = "tf.While"(%cst_4, %cst_2, %cst_4, %2, %arg1, %cst, %4, %arg2, %0, %arg3, %1) <{body = @while_body_182690, cond = @while_cond_182680, is_stateless = true, parallel_iterations = 32 : i64, shape_invariant}> {T = [i32, i32, i32, !tf_type.variant, f32, i32, !tf_type.variant, f32, f32, f32, f32], _lower_using_switch_merge = true, _num_original_outputs = 11 : i64, _read_only_resource_inputs = [], device = "", output_shapes = [#tf_type.shape, #tf_type.shape, #tf_type.shape, #tf_type.shape, #tf_type.shape<2x4>, #tf_type.shape, #tf_type.shape, #tf_type.shape<3x12>, #tf_type.shape<12>, #tf_type.shape<4x12>, #tf_type.shape<12>]} : (tensor<i32>, tensor<i32>, tensor<i32>, tensor<!tf_type.variant<tensor<2x4xf32>>>, tensor<2x4xf32>, tensor<i32>, tensor<!tf_type.variant<tensor<2x3xf32>>>, tensor<3x12xf32>, tensor<12xf32>, tensor<4x12xf32>, tensor<12xf32>) -> (tensor<i32>, tensor<i32>, tensor<i32>, tensor<!tf_type.variant<tensor<2x4xf32>>>, tensor<2x4xf32>, tensor<i32>, tensor<!tf_type.variant<tensor<2x3xf32>>>, tensor<3x12xf32>, tensor<12xf32>, tensor<4x12xf32>, tensor<12xf32>)
    %16 = "tf.Identity"(%9) {device = ""} : (tensor<2x4xf32>) -> tensor<2x4xf32>
    %17 = "tf.TensorListStack"(%8, %cst_9) <{num_elements = -1 : i64}> {device = ""} : (tensor<!tf_type.variant<tensor<2x4xf32>>>, tensor<2xi32>) -> tensor<?x2x4xf32>
    %18 = "tf.StridedSlice"(%17, %cst_5, %cst_7, %cst_6) <{begin_mask = 0 : i64, ellipsis_mask = 0 : i64, end_mask = 0 : i64, new_axis_mask = 0 : i64, shrink_axis_mask = 1 : i64}> {device = ""} : (tensor<?x2x4xf32>, tensor<1xi32>, tensor<1xi32>, tensor<1xi32>) -> tensor<2x4xf32>
    %19 = "tf.Identity"(%18) {device = ""} : (tensor<2x4xf32>) -> tensor<2x4xf32>
    %20 = "tf.Transpose"(%17, %cst_3) {device = ""} : (tensor<?x2x4xf32>, tensor<3xi32>) -> tensor<2x?x4xf32>
    %21 = "tf.Identity"(%20) {device = ""} : (tensor<2x?x4xf32>) -> tensor<2x?x4xf32>
    %22 = "tf.Identity"(%cst_1) {device = ""} : (tensor<f32>) -> tensor<f32>
    func.return %19, %21, %16, %22 : tensor<2x4xf32>, tensor<2x?x4xf32>, tensor<2x4xf32>, tensor<f32>
  }
  func.func private @while_body_182690(%arg0: tensor<i32> {tf._user_specified_name = "while/loop_counter"}, %arg1: tensor<i32> {tf._user_specified_name = "while/maximum_iterations"}, %arg2: tensor<i32>, %arg3: tensor<!tf_type.variant<tensor<2x4xf32>>>, %arg4: tensor<2x4xf32>, %arg5: tensor<i32> {tf._user_specified_name = "strided_slice"}, %arg6: tensor<!tf_type.variant<tensor<2x3xf32>>> {tf._user_specified_name = "TensorArrayUnstack/TensorListFromTensor"}, %arg7: tensor<3x12xf32> {tf._user_specified_name = "kernel"}, %arg8: tensor<12xf32> {tf._user_specified_name = "unstack"}, %arg9: tensor<4x12xf32> {tf._user_specified_name = "recurrent_kernel"}, %arg10: tensor<12xf32> {tf._user_specified_name = "unstack"}) -> (tensor<i32>, tensor<i32>, tensor<i32>, tensor<!tf_type.variant<tensor<2x4xf32>>>, tensor<2x4xf32>, tensor<i32>, tensor<!tf_type.variant<tensor<2x3xf32>>>, tensor<3x12xf32>, tensor<12xf32>, tensor<4x12xf32>, tensor<12xf32>) attributes {tf._construction_context = "kEagerRuntime"} {
    %cst = "tf.Const"() <{value = dense<[2, 3]> : tensor<2xi32>}> {device = ""} : () -> tensor<2xi32>
    %cst_1 = "tf.Const"() <{value = dense<1> : tensor<i32>}> {device = ""} : () -> tensor<i32>
    %cst_2 = "tf.Const"() <{value = dense<1.000000e+00> : tensor<f32>}> {device = ""} : () -> tensor<f32>
    %0 = "tf.AddV2"(%arg2, %cst_1) {device = ""} : (tensor<i32>, tensor<i32>) -> tensor<i32>
    %1 = "tf.Identity"(%0) {device = ""} : (tensor<i32>) -> tensor<i32>
    %2 = "tf.MatMul"(%arg4, %arg9) <{grad_a = false, grad_b = false, transpose_a = false, transpose_b = false}> {device = ""} : (tensor<2x4xf32>, tensor<4x12xf32>) -> tensor<2x12xf32>
    %3 = "tf.BiasAdd"(%2, %arg10) <{data_format = "NHWC"}> {device = ""} : (tensor<2x12xf32>, tensor<12xf32>) -> tensor<2x12xf32>
    %4, %5, %6 = "tf.Split"(%cst_1, %3) {device = ""} : (tensor<i32>, tensor<2x12xf32>) -> (tensor<2x4xf32>, tensor<2x4xf32>, tensor<2x4xf32>)
    %7 = "tf.TensorListGetItem"(%arg6, %arg2, %cst) {device = ""} : (tensor<!tf_type.variant<tensor<2x3xf32>>>, tensor<i32>, tensor<2xi32>) -> tensor<2x3xf32>
    %8 = "tf.MatMul"(%7, %arg7) <{grad_a = false, grad_b = false, transpose_a = false, transpose_b = false}> {device = ""} : (tensor<2x3xf32>, tensor<3x12xf32>) -> tensor<2x12xf32>
    %9 = "tf.BiasAdd"(%8, %arg8) <{data_format = "NHWC"}> {device = ""} : (tensor<2x12xf32>, tensor<12xf32>) -> tensor<2x12xf32>
    %10, %11, %12 = "tf.Split"(%cst_1, %9) {device = ""} : (tensor<i32>, tensor<2x12xf32>) -> (tensor<2x4xf32>, tensor<2x4xf32>, tensor<2x4xf32>)
    %13 = "tf.AddV2"(%10, %4) {device = ""} : (tensor<2x4xf32>, tensor<2x4xf32>) -> tensor<2x4xf32>
    %14 = "tf.Sigmoid"(%13) {device = ""} : (tensor<2x4xf32>) -> tensor<2x4xf32>
    %15 = "tf.Mul"(%14, %arg4) {device = ""} : (tensor<2x4xf32>, tensor<2x4xf32>) -> tensor<2x4xf32>
    %16 = "tf.Sub"(%cst_2, %14) {device = ""} : (tensor<f32>, tensor<2x4xf32>) -> tensor<2x4xf32>
    %17 = "tf.AddV2"(%11, %5) {device = ""} : (tensor<2x4xf32>, tensor<2x4xf32>) -> tensor<2x4xf32>
    %18 = "tf.Sigmoid"(%17) {device = ""} : (tensor<2x4xf32>) -> tensor<2x4xf32>
    %19 = "tf.Mul"(%18, %6) {device = ""} : (tensor<2x4xf32>, tensor<2x4xf32>) -> tensor<2x4xf32>
    %20 = "tf.AddV2"(%12, %19) {device = ""} : (tensor<2x4xf32>, tensor<2x4xf32>) -> tensor<2x4xf32>
    %21 = "tf.Tanh"(%20) {device = ""} : (tensor<2x4xf32>) -> tensor<2x4xf32>
    %22 = "tf.Mul"(%16, %21) {device = ""} : (tensor<2x4xf32>, tensor<2x4xf32>) -> tensor<2x4xf32>
    %23 = "tf.AddV2"(%15, %22) {device = ""} : (tensor<2x4xf32>, tensor<2x4xf32>) -> tensor<2x4xf32>
    %24 = "tf.Identity"(%23) {device = ""} : (tensor<2x4xf32>) -> tensor<2x4xf32>
    %25 = "tf.TensorListSetItem"(%arg3, %arg2, %23) <{resize_if_index_out_of_bounds = false}> {device = ""} : (tensor<!tf_type.variant<tensor<2x4xf32>>>, tensor<i32>, tensor<2x4xf32>) -> tensor<!tf_type.variant<tensor<2x4xf32>>>
    %26 = "tf.Identity"(%25) {device = ""} : (tensor<!tf_type.variant<tensor<2x4xf32>>>) -> tensor<!tf_type.variant<tensor<2x4xf32>>>
    %27 = "tf.AddV2"(%arg0, %cst_1) {device = ""} : (tensor<i32>, tensor<i32>) -> tensor<i32>
    %28 = "tf.Identity"(%27) {device = ""} : (tensor<i32>) -> tensor<i32>
    %29 = "tf.Identity"(%arg1) {device = ""} : (tensor<i32>) -> tensor<i32>
    func.return %28, %29, %1, %26, %24, %arg5, %arg6, %arg7, %arg8, %arg9, %arg10 : tensor<i32>, tensor<i32>, tensor<i32>, tensor<!tf_type.variant<tensor<2x4xf32>>>, tensor<2x4xf32>, tensor<i32>, tensor<!tf_type.variant<tensor<2x3xf32>>>, tensor<3x12xf32>, tensor<12xf32>, tensor<4x12xf32>, tensor<12xf32>
  }
  func.func private @while_cond_182680(%arg0: tensor<i32> {tf._user_specified_name = "while/loop_counter"}, %arg1: tensor<i32> {tf._user_specified_name = "while/maximum_iterations"}, %arg2: tensor<i32>, %arg3: tensor<!tf_type.variant<tensor<2x4xf32>>>, %arg4: tensor<2x4xf32>, %arg5: tensor<i32> {tf._user_specified_name = "strided_slice"}, %arg6: tensor<!tf_type.variant<tensor<2x3xf32>>>, %arg7: tensor<3x12xf32>, %arg8: tensor<12xf32>, %arg9: tensor<4x12xf32>, %arg10: tensor<12xf32>) -> tensor<i1> attributes {tf._construction_context = "kEagerRuntime"} {
    %0 = "tf.Less"(%arg2, %arg5) {device = ""} : (tensor<i32>, tensor<i32>) -> tensor<i1>
    %1 = "tf.Identity"(%0) {device = ""} : (tensor<i1>) -> tensor<i1>
    func.return %1 : tensor<i1>
  }
  "tf_saved_model.global_tensor"() {sym_name = "gru/gru_cell/kernel", type = tensor<3x12xf32>, value = #nn.blob<dense<[[-0.23094866, 0.29076552, 0.5741629, -0.21562442, -0.14201623, 0.021258116, -0.25928345, 0.19566745, 0.0964185, 0.5655014, 0.5645737, -0.10275525], [-0.07319516, -0.60679305, -0.5465478, -0.58186305, -0.23585594, -0.39969045, 0.4348759, 0.07595551, 0.3786263, -0.0869714, 0.36928755, 0.02562362], [0.4211933, -0.33728427, -0.57192725, -0.35361052, -0.16949064, -0.1645473, 0.48302072, -0.19592291, 0.621579, -0.25780663, -0.24640772, 0.103788316]]> : tensor<3x12xf32>>} : () -> ()
  "tf_saved_model.global_tensor"() {sym_name = "gru/gru_cell/recurrent_kernel", type = tensor<4x12xf32>, value = #nn.blob<dense<[[-0.09806943, 0.16605215, -0.2960818, -0.13004023, -0.21019664, -0.43104634, 0.5505988, 0.0957354, 0.15278533, 0.043540258, -0.30767635, 0.44274437], [0.14429949, -0.15399407, -0.1101221, -0.37136942, -0.49220303, 0.32505, -0.059731647, -0.13987525, -0.5347014, 0.3265921, -0.13816589, 0.1506962], [-0.1270475, 0.28124943, 0.48712543, -0.2412206, -0.41634703, 0.34246528, 0.14034033, -0.1206999, 0.40243697, -0.27340394, -0.17771938, -0.12688063], [-0.4968162, -0.201202, 0.33823085, 0.18048403, 0.117839, 0.15001336, 0.29244635, 0.3298171, -0.074468866, 0.5355038, -0.16220039, -0.12807699]]> : tensor<4x12xf32>>} : () -> ()
  "tf_saved_model.global_tensor"() {sym_name = "gru/gru_cell/bias", type = tensor<2x12xf32>, value = #nn.blob<dense<0.0> : tensor<2x12xf32>>} : () -> ()
}
