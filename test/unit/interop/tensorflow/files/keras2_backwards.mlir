builtin.module attributes {tf.versions = {bad_consumers = [], min_consumer = 0 : i32, producer = 2474 : i32}} {
  func.func @__inference_call_4292(%arg0: tensor<2x5x3xf32> {tf._user_specified_name = "x"}, %arg1: tensor<!tf_type.resource<tensor<3x16xf32>>> {tf._user_specified_name = "resource", tf_saved_model.bound_input = @"lstm_2/lstm_cell/kernel"}, %arg2: tensor<!tf_type.resource<tensor<4x16xf32>>> {tf._user_specified_name = "resource", tf_saved_model.bound_input = @"lstm_2/lstm_cell/recurrent_kernel"}, %arg3: tensor<!tf_type.resource<tensor<16xf32>>> {tf._user_specified_name = "resource", tf_saved_model.bound_input = @"lstm_2/lstm_cell/bias"}) -> tensor<2x?x4xf32> attributes {allow_soft_placement = false, tf.entry_function = {control_outputs = "model_2/lstm_2/Read/ReadVariableOp,model_2/lstm_2/Read_1/ReadVariableOp,model_2/lstm_2/Read_2/ReadVariableOp", inputs = "x,model_2_lstm_2_read_readvariableop_resource,model_2_lstm_2_read_1_readvariableop_resource,model_2_lstm_2_read_2_readvariableop_resource", outputs = "identity_RetVal"}} {
    %cst = "tf.Const"() <{value = dense<0.000000e+00> : tensor<2x4xf32>}> : () -> tensor<2x4xf32>
    %0 = "tf.ReadVariableOp"(%arg2) {device = ""} : (tensor<!tf_type.resource<tensor<4x16xf32>>>) -> tensor<4x16xf32>
    %1 = "tf.Identity"(%0) {device = ""} : (tensor<4x16xf32>) -> tensor<4x16xf32>
    %2 = "tf.ReadVariableOp"(%arg3) {device = ""} : (tensor<!tf_type.resource<tensor<16xf32>>>) -> tensor<16xf32>
    %3 = "tf.Identity"(%2) {device = ""} : (tensor<16xf32>) -> tensor<16xf32>
    %4 = "tf.ReadVariableOp"(%arg1) {device = ""} : (tensor<!tf_type.resource<tensor<3x16xf32>>>) -> tensor<3x16xf32>
    %5 = "tf.Identity"(%4) {device = ""} : (tensor<3x16xf32>) -> tensor<3x16xf32>
    %6, %7, %8, %9, %10 = "tf.PartitionedCall"(%arg0, %cst, %cst, %5, %1, %3) <{config = "", config_proto = "\0A\07\0A\03CPU\10\01\0A\07\0A\03GPU\10\002\02J\008\01\82\01\00\92\01\02J\00", executor_type = "", f = @__inference_standard_lstm_40130}> {_collective_manager_ids = [], _read_only_resource_inputs = [], device = ""} : (tensor<2x5x3xf32>, tensor<2x4xf32>, tensor<2x4xf32>, tensor<3x16xf32>, tensor<4x16xf32>, tensor<16xf32>) -> (tensor<2x4xf32>, tensor<2x?x4xf32>, tensor<2x4xf32>, tensor<2x4xf32>, tensor<f32>)
    %11 = "tf.Identity"(%7) {device = ""} : (tensor<2x?x4xf32>) -> tensor<2x?x4xf32>
    func.return %11 : tensor<2x?x4xf32>
  }
  func.func private @__inference_standard_lstm_40130(%arg0: tensor<2x5x3xf32> {tf._user_specified_name = "inputs"}, %arg1: tensor<2x4xf32> {tf._user_specified_name = "init_h"}, %arg2: tensor<2x4xf32> {tf._user_specified_name = "init_c"}, %arg3: tensor<3x16xf32> {tf._user_specified_name = "kernel"}, %arg4: tensor<4x16xf32> {tf._user_specified_name = "recurrent_kernel"}, %arg5: tensor<16xf32> {tf._user_specified_name = "bias"}) -> (tensor<2x4xf32>, tensor<2x?x4xf32>, tensor<2x4xf32>, tensor<2x4xf32>, tensor<f32>) attributes {tf._construction_context = "kEagerRuntime", tf.api_implements = "lstm_aa40e3df-0be9-4105-88be-89d1f79bb1c1", tf.api_preferred_device = "CPU", tf.go_backwards = true, tf.time_major = false} {
    %cst = "tf.Const"() <{value = dense<1.000000e+00> : tensor<f32>}> {device = "/device:CPU:0"} : () -> tensor<f32>
    %cst_1 = "tf.Const"() <{value = dense<-1> : tensor<i32>}> {device = ""} : () -> tensor<i32>
    %cst_2 = "tf.Const"() <{value = dense<[1, 0, 2]> : tensor<3xi32>}> {device = ""} : () -> tensor<3xi32>
    %cst_3 = "tf.Const"() <{value = dense<0> : tensor<i32>}> {device = ""} : () -> tensor<i32>
    %cst_4 = "tf.Const"() <{value = dense<-1> : tensor<1xi32>}> {device = ""} : () -> tensor<1xi32>
    %cst_5 = "tf.Const"() <{value = dense<0> : tensor<1xi32>}> {device = ""} : () -> tensor<1xi32>
    %cst_6 = "tf.Const"() <{value = dense<[2, 3]> : tensor<2xi32>}> {device = ""} : () -> tensor<2xi32>
    %cst_7 = "tf.Const"() <{value = dense<[2, 4]> : tensor<2xi32>}> {device = ""} : () -> tensor<2xi32>
    %cst_8 = "tf.Const"() <{value = dense<1> : tensor<1xi32>}> {device = ""} : () -> tensor<1xi32>
    %cst_9 = "tf.Const"() <{value = dense<5> : tensor<i32>}> : () -> tensor<i32>
    %0 = "tf.TensorListReserve"(%cst_7, %cst_9) {device = ""} : (tensor<2xi32>, tensor<i32>) -> tensor<!tf_type.variant<tensor<2x4xf32>>>
    %1 = "tf.Transpose"(%arg0, %cst_2) {device = ""} : (tensor<2x5x3xf32>, tensor<3xi32>) -> tensor<5x2x3xf32>
    %2 = "tf.ReverseV2"(%1, %cst_5) {device = ""} : (tensor<5x2x3xf32>, tensor<1xi32>) -> tensor<5x2x3xf32>
    %3 = "tf.TensorListFromTensor"(%2, %cst_6) {device = ""} : (tensor<5x2x3xf32>, tensor<2xi32>) -> tensor<!tf_type.variant<tensor<2x3xf32>>>
    %4, %5, %6, %7, %8, %9, %10, %11, %12, %13, %14 = "tf.While"(%cst_3, %cst_1, %cst_3, %0, %arg1, %arg2, %cst_9, %3, %arg3, %arg4, %arg5) <{body = @while_body_39280, cond = @while_cond_39270, is_stateless = true, parallel_iterations = 32 : i64, shape_invariant}> {T = [i32, i32, i32, !tf_type.variant, f32, f32, i32, !tf_type.variant, f32, f32, f32], _lower_using_switch_merge = true, _num_original_outputs = 11 : i64, _read_only_resource_inputs = [], device = "", output_shapes = [#tf_type.shape, #tf_type.shape, #tf_type.shape, #tf_type.shape, #tf_type.shape<2x4>, #tf_type.shape<2x4>, #tf_type.shape, #tf_type.shape, #tf_type.shape<3x16>, #tf_type.shape<4x16>, #tf_type.shape<16>]} : (tensor<i32>, tensor<i32>, tensor<i32>, tensor<!tf_type.variant<tensor<2x4xf32>>>, tensor<2x4xf32>, tensor<2x4xf32>, tensor<i32>, tensor<!tf_type.variant<tensor<2x3xf32>>>, tensor<3x16xf32>, tensor<4x16xf32>, tensor<16xf32>) -> (tensor<i32>, tensor<i32>, tensor<i32>, tensor<!tf_type.variant<tensor<2x4xf32>>>, tensor<2x4xf32>, tensor<2x4xf32>, tensor<i32>, tensor<!tf_type.variant<tensor<2x3xf32>>>, tensor<3x16xf32>, tensor<4x16xf32>, tensor<16xf32>)
    %15 = "tf.Identity"(%8) {device = ""} : (tensor<2x4xf32>) -> tensor<2x4xf32>
    %16 = "tf.Identity"(%9) {device = ""} : (tensor<2x4xf32>) -> tensor<2x4xf32>
    %17 = "tf.TensorListStack"(%7, %cst_7) <{num_elements = -1 : i64}> {device = ""} : (tensor<!tf_type.variant<tensor<2x4xf32>>>, tensor<2xi32>) -> tensor<?x2x4xf32>
    %18 = "tf.StridedSlice"(%17, %cst_4, %cst_5, %cst_8) <{begin_mask = 0 : i64, ellipsis_mask = 0 : i64, end_mask = 0 : i64, new_axis_mask = 0 : i64, shrink_axis_mask = 1 : i64}> {device = ""} : (tensor<?x2x4xf32>, tensor<1xi32>, tensor<1xi32>, tensor<1xi32>) -> tensor<2x4xf32>
    %19 = "tf.Identity"(%18) {device = ""} : (tensor<2x4xf32>) -> tensor<2x4xf32>
    %20 = "tf.Transpose"(%17, %cst_2) {device = ""} : (tensor<?x2x4xf32>, tensor<3xi32>) -> tensor<2x?x4xf32>
    %21 = "tf.Identity"(%20) {device = ""} : (tensor<2x?x4xf32>) -> tensor<2x?x4xf32>
    %22 = "tf.Identity"(%cst) {device = ""} : (tensor<f32>) -> tensor<f32>
    func.return %19, %21, %15, %16, %22 : tensor<2x4xf32>, tensor<2x?x4xf32>, tensor<2x4xf32>, tensor<2x4xf32>, tensor<f32>
  }
  func.func private @while_body_39280(%arg0: tensor<i32> {tf._user_specified_name = "while/loop_counter"}, %arg1: tensor<i32> {tf._user_specified_name = "while/maximum_iterations"}, %arg2: tensor<i32>, %arg3: tensor<!tf_type.variant<tensor<2x4xf32>>>, %arg4: tensor<2x4xf32>, %arg5: tensor<2x4xf32>, %arg6: tensor<i32> {tf._user_specified_name = "strided_slice"}, %arg7: tensor<!tf_type.variant<tensor<2x3xf32>>> {tf._user_specified_name = "TensorArrayUnstack/TensorListFromTensor"}, %arg8: tensor<3x16xf32> {tf._user_specified_name = "kernel"}, %arg9: tensor<4x16xf32> {tf._user_specified_name = "recurrent_kernel"}, %arg10: tensor<16xf32> {tf._user_specified_name = "bias"}) -> (tensor<i32>, tensor<i32>, tensor<i32>, tensor<!tf_type.variant<tensor<2x4xf32>>>, tensor<2x4xf32>, tensor<2x4xf32>, tensor<i32>, tensor<!tf_type.variant<tensor<2x3xf32>>>, tensor<3x16xf32>, tensor<4x16xf32>, tensor<16xf32>) attributes {tf._construction_context = "kEagerRuntime"} {
    %cst = "tf.Const"() <{value = dense<[2, 3]> : tensor<2xi32>}> {device = ""} : () -> tensor<2xi32>
    %cst_1 = "tf.Const"() <{value = dense<1> : tensor<i32>}> {device = ""} : () -> tensor<i32>
    %0 = "tf.AddV2"(%arg2, %cst_1) {device = ""} : (tensor<i32>, tensor<i32>) -> tensor<i32>
    %1 = "tf.Identity"(%0) {device = ""} : (tensor<i32>) -> tensor<i32>
    %2 = "tf.MatMul"(%arg4, %arg9) <{grad_a = false, grad_b = false, transpose_a = false, transpose_b = false}> {device = ""} : (tensor<2x4xf32>, tensor<4x16xf32>) -> tensor<2x16xf32>
    %3 = "tf.TensorListGetItem"(%arg7, %arg2, %cst) {device = ""} : (tensor<!tf_type.variant<tensor<2x3xf32>>>, tensor<i32>, tensor<2xi32>) -> tensor<2x3xf32>
    %4 = "tf.MatMul"(%3, %arg8) <{grad_a = false, grad_b = false, transpose_a = false, transpose_b = false}> {device = ""} : (tensor<2x3xf32>, tensor<3x16xf32>) -> tensor<2x16xf32>
    %5 = "tf.AddV2"(%4, %2) {device = ""} : (tensor<2x16xf32>, tensor<2x16xf32>) -> tensor<2x16xf32>
    %6 = "tf.BiasAdd"(%5, %arg10) <{data_format = "NHWC"}> {device = ""} : (tensor<2x16xf32>, tensor<16xf32>) -> tensor<2x16xf32>
    %7, %8, %9, %10 = "tf.Split"(%cst_1, %6) {device = ""} : (tensor<i32>, tensor<2x16xf32>) -> (tensor<2x4xf32>, tensor<2x4xf32>, tensor<2x4xf32>, tensor<2x4xf32>)
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
    %22 = "tf.TensorListSetItem"(%arg3, %arg2, %20) <{resize_if_index_out_of_bounds = false}> {device = ""} : (tensor<!tf_type.variant<tensor<2x4xf32>>>, tensor<i32>, tensor<2x4xf32>) -> tensor<!tf_type.variant<tensor<2x4xf32>>>
    %23 = "tf.Identity"(%22) {device = ""} : (tensor<!tf_type.variant<tensor<2x4xf32>>>) -> tensor<!tf_type.variant<tensor<2x4xf32>>>
    %24 = "tf.AddV2"(%arg0, %cst_1) {device = ""} : (tensor<i32>, tensor<i32>) -> tensor<i32>
    %25 = "tf.Identity"(%24) {device = ""} : (tensor<i32>) -> tensor<i32>
    %26 = "tf.Identity"(%arg1) {device = ""} : (tensor<i32>) -> tensor<i32>
    func.return %25, %26, %1, %23, %21, %18, %arg6, %arg7, %arg8, %arg9, %arg10 : tensor<i32>, tensor<i32>, tensor<i32>, tensor<!tf_type.variant<tensor<2x4xf32>>>, tensor<2x4xf32>, tensor<2x4xf32>, tensor<i32>, tensor<!tf_type.variant<tensor<2x3xf32>>>, tensor<3x16xf32>, tensor<4x16xf32>, tensor<16xf32>
  }
  func.func private @while_cond_39270(%arg0: tensor<i32> {tf._user_specified_name = "while/loop_counter"}, %arg1: tensor<i32> {tf._user_specified_name = "while/maximum_iterations"}, %arg2: tensor<i32>, %arg3: tensor<!tf_type.variant<tensor<2x4xf32>>>, %arg4: tensor<2x4xf32>, %arg5: tensor<2x4xf32>, %arg6: tensor<i32> {tf._user_specified_name = "strided_slice"}, %arg7: tensor<!tf_type.variant<tensor<2x3xf32>>>, %arg8: tensor<3x16xf32>, %arg9: tensor<4x16xf32>, %arg10: tensor<16xf32>) -> tensor<i1> attributes {tf._construction_context = "kEagerRuntime"} {
    %0 = "tf.Less"(%arg2, %arg6) {device = ""} : (tensor<i32>, tensor<i32>) -> tensor<i1>
    %1 = "tf.Identity"(%0) {device = ""} : (tensor<i1>) -> tensor<i1>
    func.return %1 : tensor<i1>
  }
  "tf_saved_model.global_tensor"() {sym_name = "lstm_2/lstm_cell/kernel", type = tensor<3x16xf32>, value = #nn.blob<dense<[[-0.20520326, 0.25835192, 0.51015705, -0.1915873, -0.12618473, 0.018888295, -0.23037937, 0.17385513, 0.085670054, 0.50246114, 0.5016369, -0.09130046, -0.06503561, -0.5391497, -0.48562044, -0.5169989], [-0.2095635, -0.35513428, 0.38639736, 0.06748825, 0.33641827, -0.07727611, 0.32812065, 0.022767186, 0.37424004, -0.2996849, -0.50817066, -0.31419116, -0.15059635, -0.14620411, 0.4291752, -0.17408207], [0.5522874, -0.22906718, -0.21893898, 0.09221834, -0.21745944, 0.46549302, -0.05042523, 0.15660053, -0.28496242, 0.006857097, 0.5469652, -0.29043737, -0.3664987, -0.23678467, -0.12217203, -0.3797549]]> : tensor<3x16xf32>>} : () -> ()
  "tf_saved_model.global_tensor"() {sym_name = "lstm_2/lstm_cell/recurrent_kernel", type = tensor<4x16xf32>, value = #nn.blob<dense<[[-0.07209575, 0.12207331, -0.21766466, -0.09559914, -0.15452617, -0.3168839, 0.4047729, 0.07037991, 0.11232019, 0.03200864, -0.22618839, 0.3254837, -0.18906017, -0.32908136, -0.4413285, 0.3474832], [0.09115096, -0.08466374, -0.14575332, -0.31314164, -0.42280322, 0.16216335, 0.06702889, -0.088218, -0.3810211, 0.26083776, -0.16976462, 0.20717338, 0.025429849, -0.28155506, 0.13634041, -0.51422185], [-0.116549775, 0.26313624, 0.34945187, -0.27096337, -0.45058358, 0.2376507, 0.23004036, -0.09782941, 0.3290329, -0.1964301, -0.2307482, -0.0035139918, -0.15204579, 0.37759477, 0.17473623, 0.05755074], [-0.43323863, -0.20554975, 0.16172177, 0.19934124, 0.17041227, -0.0082989335, 0.31394354, 0.33432835, -0.10871211, 0.5261588, -0.1496787, -0.027028397, -0.2750719, 0.23529597, 0.112632364, -0.09595339]]> : tensor<4x16xf32>>} : () -> ()
  "tf_saved_model.global_tensor"() {sym_name = "lstm_2/lstm_cell/bias", type = tensor<16xf32>, value = #nn.blob<dense<[0.0, 0.0, 0.0, 0.0, 1.0, 1.0, 1.0, 1.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0]> : tensor<16xf32>>} : () -> ()
}
