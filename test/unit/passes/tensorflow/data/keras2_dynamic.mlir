builtin.module attributes {tf.versions = {bad_consumers = [], min_consumer = 0 : i32, producer = 2474 : i32}} {
  func.func @__inference_flat_16901(%arg0: tensor<?x?x3xf32> {tf._user_specified_name = "x"}, %arg1: tensor<*x!tf_type.resource> {tf._user_specified_name = "resource", tf_saved_model.bound_input = @"lstm_11/lstm_cell/kernel"}, %arg2: tensor<*x!tf_type.resource> {tf._user_specified_name = "resource", tf_saved_model.bound_input = @"lstm_11/lstm_cell/recurrent_kernel"}, %arg3: tensor<*x!tf_type.resource> {tf._user_specified_name = "resource", tf_saved_model.bound_input = @"lstm_11/lstm_cell/bias"}) -> tensor<?x?x2xf32> attributes {allow_soft_placement = false, tf.entry_function = {control_outputs = "model_12/lstm_11/Read/ReadVariableOp,model_12/lstm_11/Read_1/ReadVariableOp,model_12/lstm_11/Read_2/ReadVariableOp", inputs = "x,model_12_lstm_11_read_readvariableop_resource,model_12_lstm_11_read_1_readvariableop_resource,model_12_lstm_11_read_2_readvariableop_resource", outputs = "identity_RetVal"}} {
    %cst = "tf.Const"() <{value = dense<0> : tensor<1xi32>}> {device = ""} : () -> tensor<1xi32>
    %cst_1 = "tf.Const"() <{value = dense<1> : tensor<1xi32>}> {device = ""} : () -> tensor<1xi32>
    %cst_2 = "tf.Const"() <{value = dense<0.000000e+00> : tensor<f32>}> {device = ""} : () -> tensor<f32>
    %cst_3 = "tf.Const"() <{value = dense<2> : tensor<i32>}> {device = ""} : () -> tensor<i32>
    %0 = "tf.ReadVariableOp"(%arg2) {device = ""} : (tensor<*x!tf_type.resource>) -> tensor<*xf32>
    %1 = "tf.Identity"(%0) {device = ""} : (tensor<*xf32>) -> tensor<*xf32>
    %2 = "tf.ReadVariableOp"(%arg3) {device = ""} : (tensor<*x!tf_type.resource>) -> tensor<*xf32>
    %3 = "tf.Identity"(%2) {device = ""} : (tensor<*xf32>) -> tensor<*xf32>
    %4 = "tf.ReadVariableOp"(%arg1) {device = ""} : (tensor<*x!tf_type.resource>) -> tensor<*xf32>
    %5 = "tf.Identity"(%4) {device = ""} : (tensor<*xf32>) -> tensor<*xf32>
    %6 = "tf.Shape"(%arg0) {device = ""} : (tensor<?x?x3xf32>) -> tensor<3xi32>
    %7 = "tf.StridedSlice"(%6, %cst, %cst_1, %cst_1) <{begin_mask = 0 : i64, ellipsis_mask = 0 : i64, end_mask = 0 : i64, new_axis_mask = 0 : i64, shrink_axis_mask = 1 : i64}> {device = ""} : (tensor<3xi32>, tensor<1xi32>, tensor<1xi32>, tensor<1xi32>) -> tensor<i32>
    %8 = "tf.Pack"(%7, %cst_3) <{axis = 0 : i64}> {device = ""} : (tensor<i32>, tensor<i32>) -> tensor<2xi32>
    %9 = "tf.Fill"(%8, %cst_2) {device = ""} : (tensor<2xi32>, tensor<f32>) -> tensor<?x2xf32>
    %10, %11, %12, %13, %14 = "tf.PartitionedCall"(%arg0, %9, %9, %5, %1, %3) <{config = "", config_proto = "\0A\07\0A\03CPU\10\01\0A\07\0A\03GPU\10\002\02J\008\01\82\01\00\92\01\02J\00", executor_type = "", f = @__inference_standard_lstm_166280}> {_collective_manager_ids = [], _read_only_resource_inputs = [], device = ""} : (tensor<?x?x3xf32>, tensor<?x2xf32>, tensor<?x2xf32>, tensor<*xf32>, tensor<*xf32>, tensor<*xf32>) -> (tensor<?x2xf32>, tensor<?x?x2xf32>, tensor<?x2xf32>, tensor<?x2xf32>, tensor<f32>)
    %15 = "tf.Identity"(%11) {device = ""} : (tensor<?x?x2xf32>) -> tensor<?x?x2xf32>
    func.return %15 : tensor<?x?x2xf32>
  }
  func.func private @__inference_standard_lstm_166280(%arg0: tensor<?x?x3xf32> {tf._user_specified_name = "inputs"}, %arg1: tensor<?x2xf32> {tf._user_specified_name = "init_h"}, %arg2: tensor<?x2xf32> {tf._user_specified_name = "init_c"}, %arg3: tensor<*xf32> {tf._user_specified_name = "kernel"}, %arg4: tensor<*xf32> {tf._user_specified_name = "recurrent_kernel"}, %arg5: tensor<*xf32> {tf._user_specified_name = "bias"}) -> (tensor<?x2xf32>, tensor<?x?x2xf32>, tensor<?x2xf32>, tensor<?x2xf32>, tensor<f32>) attributes {tf._construction_context = "kEagerRuntime", tf.api_implements = "lstm_d0b134e5-3a30-4110-ba45-aa6ae8cb7305", tf.api_preferred_device = "CPU", tf.go_backwards = false, tf.time_major = false} {
    %cst = "tf.Const"() <{value = dense<1.000000e+00> : tensor<f32>}> {device = "/device:CPU:0"} : () -> tensor<f32>
    %cst_1 = "tf.Const"() <{value = dense<-1> : tensor<i32>}> {device = ""} : () -> tensor<i32>
    %cst_2 = "tf.Const"() <{value = dense<[-1, 3]> : tensor<2xi32>}> {device = ""} : () -> tensor<2xi32>
    %cst_3 = "tf.Const"() <{value = dense<[-1, 2]> : tensor<2xi32>}> {device = ""} : () -> tensor<2xi32>
    %cst_4 = "tf.Const"() <{value = dense<0> : tensor<1xi32>}> {device = ""} : () -> tensor<1xi32>
    %cst_5 = "tf.Const"() <{value = dense<1> : tensor<1xi32>}> {device = ""} : () -> tensor<1xi32>
    %cst_6 = "tf.Const"() <{value = dense<-1> : tensor<1xi32>}> {device = ""} : () -> tensor<1xi32>
    %cst_7 = "tf.Const"() <{value = dense<0> : tensor<i32>}> {device = ""} : () -> tensor<i32>
    %cst_8 = "tf.Const"() <{value = dense<[1, 0, 2]> : tensor<3xi32>}> {device = ""} : () -> tensor<3xi32>
    %0 = "tf.Transpose"(%arg0, %cst_8) {device = ""} : (tensor<?x?x3xf32>, tensor<3xi32>) -> tensor<?x?x3xf32>
    %1 = "tf.Shape"(%0) {device = ""} : (tensor<?x?x3xf32>) -> tensor<3xi32>
    %2 = "tf.StridedSlice"(%1, %cst_4, %cst_5, %cst_5) <{begin_mask = 0 : i64, ellipsis_mask = 0 : i64, end_mask = 0 : i64, new_axis_mask = 0 : i64, shrink_axis_mask = 1 : i64}> {device = ""} : (tensor<3xi32>, tensor<1xi32>, tensor<1xi32>, tensor<1xi32>) -> tensor<i32>
    %3 = "tf.TensorListReserve"(%cst_3, %2) {device = ""} : (tensor<2xi32>, tensor<i32>) -> tensor<!tf_type.variant<tensor<?x2xf32>>>
    %4 = "tf.TensorListFromTensor"(%0, %cst_2) {device = ""} : (tensor<?x?x3xf32>, tensor<2xi32>) -> tensor<!tf_type.variant<tensor<?x3xf32>>>
    %5, %6, %7, %8, %9, %10, %11, %12, %13, %14, %15 = "tf.While"(%cst_7, %cst_1, %cst_7, %3, %arg1, %arg2, %2, %4, %arg3, %arg4, %arg5) <{body = @while_body_165430, cond = @while_cond_165420, is_stateless = true, parallel_iterations = 32 : i64, shape_invariant}> {T = [i32, i32, i32, !tf_type.variant, f32, f32, i32, !tf_type.variant, f32, f32, f32], _lower_using_switch_merge = true, _num_original_outputs = 11 : i64, _read_only_resource_inputs = [], device = "", output_shapes = [#tf_type.shape, #tf_type.shape, #tf_type.shape, #tf_type.shape, #tf_type.shape<?x2>, #tf_type.shape<?x2>, #tf_type.shape, #tf_type.shape, #tf_type.shape<3x8>, #tf_type.shape<2x8>, #tf_type.shape<8>]} : (tensor<i32>, tensor<i32>, tensor<i32>, tensor<!tf_type.variant<tensor<?x2xf32>>>, tensor<?x2xf32>, tensor<?x2xf32>, tensor<i32>, tensor<!tf_type.variant<tensor<?x3xf32>>>, tensor<*xf32>, tensor<*xf32>, tensor<*xf32>) -> (tensor<i32>, tensor<i32>, tensor<i32>, tensor<!tf_type.variant<tensor<?x2xf32>>>, tensor<?x2xf32>, tensor<?x2xf32>, tensor<i32>, tensor<!tf_type.variant<tensor<?x3xf32>>>, tensor<3x8xf32>, tensor<2x8xf32>, tensor<8xf32>)
    %16 = "tf.Identity"(%9) {device = ""} : (tensor<?x2xf32>) -> tensor<?x2xf32>
    %17 = "tf.Identity"(%10) {device = ""} : (tensor<?x2xf32>) -> tensor<?x2xf32>
    %18 = "tf.TensorListStack"(%8, %cst_3) <{num_elements = -1 : i64}> {device = ""} : (tensor<!tf_type.variant<tensor<?x2xf32>>>, tensor<2xi32>) -> tensor<?x?x2xf32>
    %19 = "tf.StridedSlice"(%18, %cst_6, %cst_4, %cst_5) <{begin_mask = 0 : i64, ellipsis_mask = 0 : i64, end_mask = 0 : i64, new_axis_mask = 0 : i64, shrink_axis_mask = 1 : i64}> {device = ""} : (tensor<?x?x2xf32>, tensor<1xi32>, tensor<1xi32>, tensor<1xi32>) -> tensor<?x2xf32>
    %20 = "tf.Identity"(%19) {device = ""} : (tensor<?x2xf32>) -> tensor<?x2xf32>
    %21 = "tf.Transpose"(%18, %cst_8) {device = ""} : (tensor<?x?x2xf32>, tensor<3xi32>) -> tensor<?x?x2xf32>
    %22 = "tf.Identity"(%21) {device = ""} : (tensor<?x?x2xf32>) -> tensor<?x?x2xf32>
    %23 = "tf.Identity"(%cst) {device = ""} : (tensor<f32>) -> tensor<f32>
    func.return %20, %22, %16, %17, %23 : tensor<?x2xf32>, tensor<?x?x2xf32>, tensor<?x2xf32>, tensor<?x2xf32>, tensor<f32>
  }
  func.func private @while_body_165430(%arg0: tensor<i32> {tf._user_specified_name = "while/loop_counter"}, %arg1: tensor<i32> {tf._user_specified_name = "while/maximum_iterations"}, %arg2: tensor<i32>, %arg3: tensor<!tf_type.variant<tensor<?x2xf32>>>, %arg4: tensor<?x2xf32>, %arg5: tensor<?x2xf32>, %arg6: tensor<i32> {tf._user_specified_name = "strided_slice"}, %arg7: tensor<!tf_type.variant<tensor<?x3xf32>>> {tf._user_specified_name = "TensorArrayUnstack/TensorListFromTensor"}, %arg8: tensor<3x8xf32> {tf._user_specified_name = "kernel"}, %arg9: tensor<2x8xf32> {tf._user_specified_name = "recurrent_kernel"}, %arg10: tensor<8xf32> {tf._user_specified_name = "bias"}) -> (tensor<i32>, tensor<i32>, tensor<i32>, tensor<!tf_type.variant<tensor<?x2xf32>>>, tensor<?x2xf32>, tensor<?x2xf32>, tensor<i32>, tensor<!tf_type.variant<tensor<?x3xf32>>>, tensor<3x8xf32>, tensor<2x8xf32>, tensor<8xf32>) attributes {tf._construction_context = "kEagerRuntime"} {
    %cst = "tf.Const"() <{value = dense<[-1, 3]> : tensor<2xi32>}> {device = ""} : () -> tensor<2xi32>
    %cst_1 = "tf.Const"() <{value = dense<1> : tensor<i32>}> {device = ""} : () -> tensor<i32>
    %0 = "tf.AddV2"(%arg2, %cst_1) {device = ""} : (tensor<i32>, tensor<i32>) -> tensor<i32>
    %1 = "tf.Identity"(%0) {device = ""} : (tensor<i32>) -> tensor<i32>
    %2 = "tf.MatMul"(%arg4, %arg9) <{grad_a = false, grad_b = false, transpose_a = false, transpose_b = false}> {device = ""} : (tensor<?x2xf32>, tensor<2x8xf32>) -> tensor<?x8xf32>
    %3 = "tf.TensorListGetItem"(%arg7, %arg2, %cst) {device = ""} : (tensor<!tf_type.variant<tensor<?x3xf32>>>, tensor<i32>, tensor<2xi32>) -> tensor<?x3xf32>
    %4 = "tf.MatMul"(%3, %arg8) <{grad_a = false, grad_b = false, transpose_a = false, transpose_b = false}> {device = ""} : (tensor<?x3xf32>, tensor<3x8xf32>) -> tensor<?x8xf32>
    %5 = "tf.AddV2"(%4, %2) {device = ""} : (tensor<?x8xf32>, tensor<?x8xf32>) -> tensor<?x8xf32>
    %6 = "tf.BiasAdd"(%5, %arg10) <{data_format = "NHWC"}> {device = ""} : (tensor<?x8xf32>, tensor<8xf32>) -> tensor<?x8xf32>
    %7, %8, %9, %10 = "tf.Split"(%cst_1, %6) {device = ""} : (tensor<i32>, tensor<?x8xf32>) -> (tensor<?x2xf32>, tensor<?x2xf32>, tensor<?x2xf32>, tensor<?x2xf32>)
    %11 = "tf.Sigmoid"(%7) {device = ""} : (tensor<?x2xf32>) -> tensor<?x2xf32>
    %12 = "tf.Sigmoid"(%8) {device = ""} : (tensor<?x2xf32>) -> tensor<?x2xf32>
    %13 = "tf.Mul"(%12, %arg5) {device = ""} : (tensor<?x2xf32>, tensor<?x2xf32>) -> tensor<?x2xf32>
    %14 = "tf.Sigmoid"(%10) {device = ""} : (tensor<?x2xf32>) -> tensor<?x2xf32>
    %15 = "tf.Tanh"(%9) {device = ""} : (tensor<?x2xf32>) -> tensor<?x2xf32>
    %16 = "tf.Mul"(%11, %15) {device = ""} : (tensor<?x2xf32>, tensor<?x2xf32>) -> tensor<?x2xf32>
    %17 = "tf.AddV2"(%13, %16) {device = ""} : (tensor<?x2xf32>, tensor<?x2xf32>) -> tensor<?x2xf32>
    %18 = "tf.Identity"(%17) {device = ""} : (tensor<?x2xf32>) -> tensor<?x2xf32>
    %19 = "tf.Tanh"(%17) {device = ""} : (tensor<?x2xf32>) -> tensor<?x2xf32>
    %20 = "tf.Mul"(%14, %19) {device = ""} : (tensor<?x2xf32>, tensor<?x2xf32>) -> tensor<?x2xf32>
    %21 = "tf.Identity"(%20) {device = ""} : (tensor<?x2xf32>) -> tensor<?x2xf32>
    %22 = "tf.TensorListSetItem"(%arg3, %arg2, %20) <{resize_if_index_out_of_bounds = false}> {device = ""} : (tensor<!tf_type.variant<tensor<?x2xf32>>>, tensor<i32>, tensor<?x2xf32>) -> tensor<!tf_type.variant<tensor<?x2xf32>>>
    %23 = "tf.Identity"(%22) {device = ""} : (tensor<!tf_type.variant<tensor<?x2xf32>>>) -> tensor<!tf_type.variant<tensor<?x2xf32>>>
    %24 = "tf.AddV2"(%arg0, %cst_1) {device = ""} : (tensor<i32>, tensor<i32>) -> tensor<i32>
    %25 = "tf.Identity"(%24) {device = ""} : (tensor<i32>) -> tensor<i32>
    %26 = "tf.Identity"(%arg1) {device = ""} : (tensor<i32>) -> tensor<i32>
    func.return %25, %26, %1, %23, %21, %18, %arg6, %arg7, %arg8, %arg9, %arg10 : tensor<i32>, tensor<i32>, tensor<i32>, tensor<!tf_type.variant<tensor<?x2xf32>>>, tensor<?x2xf32>, tensor<?x2xf32>, tensor<i32>, tensor<!tf_type.variant<tensor<?x3xf32>>>, tensor<3x8xf32>, tensor<2x8xf32>, tensor<8xf32>
  }
  func.func private @while_cond_165420(%arg0: tensor<i32> {tf._user_specified_name = "while/loop_counter"}, %arg1: tensor<i32> {tf._user_specified_name = "while/maximum_iterations"}, %arg2: tensor<i32>, %arg3: tensor<!tf_type.variant<tensor<?x2xf32>>>, %arg4: tensor<?x2xf32>, %arg5: tensor<?x2xf32>, %arg6: tensor<i32> {tf._user_specified_name = "strided_slice"}, %arg7: tensor<!tf_type.variant<tensor<?x3xf32>>>, %arg8: tensor<3x8xf32>, %arg9: tensor<2x8xf32>, %arg10: tensor<8xf32>) -> tensor<i1> attributes {tf._construction_context = "kEagerRuntime"} {
    %0 = "tf.Less"(%arg2, %arg6) {device = ""} : (tensor<i32>, tensor<i32>) -> tensor<i1>
    %1 = "tf.Identity"(%0) {device = ""} : (tensor<i1>) -> tensor<i1>
    func.return %1 : tensor<i1>
  }
  "tf_saved_model.global_tensor"() {sym_name = "lstm_11/lstm_cell/kernel", type = tensor<3x8xf32>, value = #nn.blob<dense<[[0.9087027, 0.054445766, 0.5808957, -0.0357522, -1.0787954, 0.24524175, -0.20913966, -0.73104244], [0.39241832, 0.14342879, -0.26270482, 0.4340347, -0.436036, 0.32171616, -0.47023022, 0.26697737], [-0.550374, 0.7445941, 0.12715375, 0.7164376, -0.411223, -0.23805119, 0.4198324, -1.3718586]]> : tensor<3x8xf32>>} : () -> ()
  "tf_saved_model.global_tensor"() {sym_name = "lstm_11/lstm_cell/recurrent_kernel", type = tensor<2x8xf32>, value = #nn.blob<dense<[[-0.5333954, 0.51658845, 0.23255466, 0.48938468, -0.15488045, 0.28199968, -0.36542213, -0.6859802], [-0.8473975, -0.2758548, -0.27447072, -0.3146887, -1.7744025, -0.9993018, -0.26631624, 0.14350832]]> : tensor<2x8xf32>>} : () -> ()
  "tf_saved_model.global_tensor"() {sym_name = "lstm_11/lstm_cell/bias", type = tensor<8xf32>, value = #nn.blob<dense<[-0.28939632, -0.4384486, -1.1542367, 1.0107496, -0.55055565, 0.84169835, 0.78034294, 0.13696453]> : tensor<8xf32>>} : () -> ()
}
