builtin.module attributes {tf.versions = {bad_consumers = [], min_consumer = 0 : i32, producer = 2474 : i32}} {
  func.func @__inference_flat_19294(%arg0: tensor<2x4x3xf32> {tf._user_specified_name = "x"}, %arg1: tensor<*x!tf_type.resource> {tf._user_specified_name = "resource", tf_saved_model.bound_input = @"gru/gru_cell/bias"}, %arg2: tensor<*x!tf_type.resource> {tf._user_specified_name = "resource", tf_saved_model.bound_input = @"gru/gru_cell/kernel"}, %arg3: tensor<*x!tf_type.resource> {tf._user_specified_name = "resource", tf_saved_model.bound_input = @"gru/gru_cell/recurrent_kernel"}) -> (tensor<2x4x2xf32>, tensor<2x2xf32>) attributes {allow_soft_placement = false, tf.entry_function = {control_outputs = "functional_7_1/gru_1/gru_cell_1/split/ReadVariableOp,functional_7_1/gru_1/gru_cell_1/Cast/ReadVariableOp,functional_7_1/gru_1/gru_cell_1/Cast_1/ReadVariableOp,functional_7_1/gru_1/while", inputs = "x,functional_7_1_gru_1_gru_cell_1_split_readvariableop_resource,functional_7_1_gru_1_gru_cell_1_cast_readvariableop_resource,functional_7_1_gru_1_gru_cell_1_cast_1_readvariableop_resource", outputs = "identity_RetVal,identity_1_RetVal"}} {
    %cst = "tf.Const"() <{value = dense<4> : tensor<i32>}> : () -> tensor<i32>
    %cst_1 = "tf.Const"() <{value = dense<0.000000e+00> : tensor<2x2xf32>}> {device = ""} : () -> tensor<2x2xf32>
    %cst_2 = "tf.Const"() <{value = dense<[1, 0, 2]> : tensor<3xi32>}> {device = ""} : () -> tensor<3xi32>
    %cst_3 = "tf.Const"() <{value = dense<0> : tensor<i32>}> {device = ""} : () -> tensor<i32>
    %cst_4 = "tf.Const"() <{value = dense<[2, 3]> : tensor<2xi32>}> {device = ""} : () -> tensor<2xi32>
    %cst_5 = "tf.Const"() <{value = dense<2> : tensor<2xi32>}> {device = ""} : () -> tensor<2xi32>
    %0 = "tf.TensorListReserve"(%cst_5, %cst) {device = ""} : (tensor<2xi32>, tensor<i32>) -> tensor<!tf_type.variant<tensor<2x2xf32>>>
    %1 = "tf.Transpose"(%arg0, %cst_2) {device = ""} : (tensor<2x4x3xf32>, tensor<3xi32>) -> tensor<4x2x3xf32>
    %2 = "tf.TensorListFromTensor"(%1, %cst_4) {device = ""} : (tensor<4x2x3xf32>, tensor<2xi32>) -> tensor<!tf_type.variant<tensor<2x3xf32>>>
    %3, %4, %5, %6, %7, %8, %9, %10, %11 = "tf.While"(%cst_3, %cst, %cst_3, %0, %cst_1, %2, %arg1, %arg2, %arg3) <{body = @functional_7_1_gru_1_while_body_191960, cond = @functional_7_1_gru_1_while_cond_191950, is_stateless = false, parallel_iterations = 32 : i64, shape_invariant}> {_lower_using_switch_merge = true, _num_original_outputs = 9 : i64, _read_only_resource_inputs = [6 : i64, 7 : i64, 8 : i64], device = ""} : (tensor<i32>, tensor<i32>, tensor<i32>, tensor<!tf_type.variant<tensor<2x2xf32>>>, tensor<2x2xf32>, tensor<!tf_type.variant<tensor<2x3xf32>>>, tensor<*x!tf_type.resource>, tensor<*x!tf_type.resource>, tensor<*x!tf_type.resource>) -> (tensor<i32>, tensor<i32>, tensor<i32>, tensor<!tf_type.variant<tensor<2x2xf32>>>, tensor<2x2xf32>, tensor<!tf_type.variant<tensor<2x3xf32>>>, tensor<!tf_type.resource>, tensor<!tf_type.resource>, tensor<!tf_type.resource>)
    %12 = "tf.Identity"(%7) {device = ""} : (tensor<2x2xf32>) -> tensor<2x2xf32>
    %13 = "tf.TensorListStack"(%6, %cst_5) <{num_elements = 4 : i64}> {device = ""} : (tensor<!tf_type.variant<tensor<2x2xf32>>>, tensor<2xi32>) -> tensor<4x2x2xf32>
    %14 = "tf.Transpose"(%13, %cst_2) {device = ""} : (tensor<4x2x2xf32>, tensor<3xi32>) -> tensor<2x4x2xf32>
    %15 = "tf.Identity"(%14) {device = ""} : (tensor<2x4x2xf32>) -> tensor<2x4x2xf32>
    func.return %15, %12 : tensor<2x4x2xf32>, tensor<2x2xf32>
  }
  func.func private @functional_7_1_gru_1_while_body_191960(%arg0: tensor<i32> {tf._user_specified_name = "functional_7_1/gru_1/while/loop_counter"}, %arg1: tensor<i32> {tf._user_specified_name = "functional_7_1/gru_1/Max"}, %arg2: tensor<i32>, %arg3: tensor<!tf_type.variant<tensor<2x2xf32>>>, %arg4: tensor<2x2xf32>, %arg5: tensor<!tf_type.variant<tensor<2x3xf32>>> {tf._user_specified_name = "functional_7_1/gru_1/TensorArrayUnstack/TensorListFromTensor"}, %arg6: tensor<*x!tf_type.resource> {tf._user_specified_name = "resource"}, %arg7: tensor<*x!tf_type.resource> {tf._user_specified_name = "resource"}, %arg8: tensor<*x!tf_type.resource> {tf._user_specified_name = "resource"}) -> (tensor<i32>, tensor<i32>, tensor<i32>, tensor<!tf_type.variant<tensor<2x2xf32>>>, tensor<*xf32>, tensor<!tf_type.variant<tensor<2x3xf32>>>, tensor<*x!tf_type.resource>, tensor<*x!tf_type.resource>, tensor<*x!tf_type.resource>) attributes {tf._construction_context = "kEagerRuntime", tf.signature.is_stateful} {
    %cst = "tf.Const"() <{value = dense<[2, 3]> : tensor<2xi32>}> {device = ""} : () -> tensor<2xi32>
    %cst_1 = "tf.Const"() <{value = dense<1> : tensor<i32>}> {device = ""} : () -> tensor<i32>
    %cst_2 = "tf.Const"() <{value = dense<0> : tensor<i32>}> {device = ""} : () -> tensor<i32>
    %cst_3 = "tf.Const"() <{value = dense<-1> : tensor<i32>}> {device = ""} : () -> tensor<i32>
    %cst_4 = "tf.Const"() <{value = dense<0> : tensor<2xi32>}> {device = ""} : () -> tensor<2xi32>
    %cst_5 = "tf.Const"() <{value = dense<[0, 2]> : tensor<2xi32>}> {device = ""} : () -> tensor<2xi32>
    %cst_6 = "tf.Const"() <{value = dense<1> : tensor<2xi32>}> {device = ""} : () -> tensor<2xi32>
    %cst_7 = "tf.Const"() <{value = dense<[0, 4]> : tensor<2xi32>}> {device = ""} : () -> tensor<2xi32>
    %cst_8 = "tf.Const"() <{value = dense<1.000000e+00> : tensor<f32>}> {device = ""} : () -> tensor<f32>
    %0 = "tf.AddV2"(%arg0, %cst_1) {device = ""} : (tensor<i32>, tensor<i32>) -> tensor<i32>
    %1 = "tf.ReadVariableOp"(%arg8) {device = ""} : (tensor<*x!tf_type.resource>) -> tensor<*xf32>
    %2 = "tf.ReadVariableOp"(%arg7) {device = ""} : (tensor<*x!tf_type.resource>) -> tensor<*xf32>
    %3 = "tf.ReadVariableOp"(%arg6) {device = ""} : (tensor<*x!tf_type.resource>) -> tensor<*xf32>
    %4 = "tf.Identity"(%0) {device = ""} : (tensor<i32>) -> tensor<i32>
    %5 = "tf.Identity"(%arg1) {device = ""} : (tensor<i32>) -> tensor<i32>
    %6, %7 = "tf.Split"(%cst_2, %3) {device = ""} : (tensor<i32>, tensor<*xf32>) -> (tensor<*xf32>, tensor<*xf32>)
    %8 = "tf.Squeeze"(%6) <{squeeze_dims = [0 : i64]}> {device = ""} : (tensor<*xf32>) -> tensor<*xf32>
    %9 = "tf.Squeeze"(%7) <{squeeze_dims = [0 : i64]}> {device = ""} : (tensor<*xf32>) -> tensor<*xf32>
    %10 = "tf.AddV2"(%arg2, %cst_1) {device = ""} : (tensor<i32>, tensor<i32>) -> tensor<i32>
    %11 = "tf.Identity"(%10) {device = ""} : (tensor<i32>) -> tensor<i32>
    %12 = "tf.MatMul"(%arg4, %1) <{grad_a = false, grad_b = false, transpose_a = false, transpose_b = false}> {device = ""} : (tensor<2x2xf32>, tensor<*xf32>) -> tensor<2x?xf32>
    %13 = "tf.AddV2"(%12, %9) {device = ""} : (tensor<2x?xf32>, tensor<*xf32>) -> tensor<*xf32>
    %14 = "tf.StridedSlice"(%13, %cst_4, %cst_5, %cst_6) <{begin_mask = 3 : i64, ellipsis_mask = 0 : i64, end_mask = 1 : i64, new_axis_mask = 0 : i64, shrink_axis_mask = 0 : i64}> {device = ""} : (tensor<*xf32>, tensor<2xi32>, tensor<2xi32>, tensor<2xi32>) -> tensor<*xf32>
    %15 = "tf.StridedSlice"(%13, %cst_5, %cst_7, %cst_6) <{begin_mask = 1 : i64, ellipsis_mask = 0 : i64, end_mask = 1 : i64, new_axis_mask = 0 : i64, shrink_axis_mask = 0 : i64}> {device = ""} : (tensor<*xf32>, tensor<2xi32>, tensor<2xi32>, tensor<2xi32>) -> tensor<*xf32>
    %16 = "tf.StridedSlice"(%13, %cst_7, %cst_4, %cst_6) <{begin_mask = 1 : i64, ellipsis_mask = 0 : i64, end_mask = 3 : i64, new_axis_mask = 0 : i64, shrink_axis_mask = 0 : i64}> {device = ""} : (tensor<*xf32>, tensor<2xi32>, tensor<2xi32>, tensor<2xi32>) -> tensor<*xf32>
    %17 = "tf.TensorListGetItem"(%arg5, %arg2, %cst) {device = ""} : (tensor<!tf_type.variant<tensor<2x3xf32>>>, tensor<i32>, tensor<2xi32>) -> tensor<2x3xf32>
    %18 = "tf.MatMul"(%17, %2) <{grad_a = false, grad_b = false, transpose_a = false, transpose_b = false}> {device = ""} : (tensor<2x3xf32>, tensor<*xf32>) -> tensor<2x?xf32>
    %19 = "tf.BiasAdd"(%18, %8) <{data_format = "NHWC"}> {device = ""} : (tensor<2x?xf32>, tensor<*xf32>) -> tensor<2x?xf32>
    %20, %21, %22 = "tf.Split"(%cst_3, %19) {device = ""} : (tensor<i32>, tensor<2x?xf32>) -> (tensor<2x?xf32>, tensor<2x?xf32>, tensor<2x?xf32>)
    %23 = "tf.AddV2"(%20, %14) {device = ""} : (tensor<2x?xf32>, tensor<*xf32>) -> tensor<*xf32>
    %24 = "tf.Sigmoid"(%23) {device = ""} : (tensor<*xf32>) -> tensor<*xf32>
    %25 = "tf.Mul"(%24, %arg4) {device = ""} : (tensor<*xf32>, tensor<2x2xf32>) -> tensor<*xf32>
    %26 = "tf.Sub"(%cst_8, %24) {device = ""} : (tensor<f32>, tensor<*xf32>) -> tensor<*xf32>
    %27 = "tf.AddV2"(%21, %15) {device = ""} : (tensor<2x?xf32>, tensor<*xf32>) -> tensor<*xf32>
    %28 = "tf.Sigmoid"(%27) {device = ""} : (tensor<*xf32>) -> tensor<*xf32>
    %29 = "tf.Mul"(%28, %16) {device = ""} : (tensor<*xf32>, tensor<*xf32>) -> tensor<*xf32>
    %30 = "tf.AddV2"(%22, %29) {device = ""} : (tensor<2x?xf32>, tensor<*xf32>) -> tensor<*xf32>
    %31 = "tf.Tanh"(%30) {device = ""} : (tensor<*xf32>) -> tensor<*xf32>
    %32 = "tf.Mul"(%26, %31) {device = ""} : (tensor<*xf32>, tensor<*xf32>) -> tensor<*xf32>
    %33 = "tf.AddV2"(%25, %32) {device = ""} : (tensor<*xf32>, tensor<*xf32>) -> tensor<*xf32>
    %34 = "tf.Identity"(%33) {device = ""} : (tensor<*xf32>) -> tensor<*xf32>
    %35 = "tf.TensorListSetItem"(%arg3, %arg2, %33) <{resize_if_index_out_of_bounds = false}> {device = ""} : (tensor<!tf_type.variant<tensor<2x2xf32>>>, tensor<i32>, tensor<*xf32>) -> tensor<!tf_type.variant<tensor<2x2xf32>>>
    %36 = "tf.Identity"(%35) {device = ""} : (tensor<!tf_type.variant<tensor<2x2xf32>>>) -> tensor<!tf_type.variant<tensor<2x2xf32>>>
    func.return %4, %5, %11, %36, %34, %arg5, %arg6, %arg7, %arg8 : tensor<i32>, tensor<i32>, tensor<i32>, tensor<!tf_type.variant<tensor<2x2xf32>>>, tensor<*xf32>, tensor<!tf_type.variant<tensor<2x3xf32>>>, tensor<*x!tf_type.resource>, tensor<*x!tf_type.resource>, tensor<*x!tf_type.resource>
  }
  func.func private @functional_7_1_gru_1_while_cond_191950(%arg0: tensor<i32> {tf._user_specified_name = "functional_7_1/gru_1/while/loop_counter"}, %arg1: tensor<i32> {tf._user_specified_name = "functional_7_1/gru_1/Max"}, %arg2: tensor<i32>, %arg3: tensor<!tf_type.variant<tensor<2x2xf32>>>, %arg4: tensor<2x2xf32>, %arg5: tensor<!tf_type.variant<tensor<2x3xf32>>>, %arg6: tensor<*x!tf_type.resource>, %arg7: tensor<*x!tf_type.resource>, %arg8: tensor<*x!tf_type.resource>) -> tensor<i1> attributes {tf._construction_context = "kEagerRuntime"} {
    %cst = "tf.Const"() <{value = dense<4> : tensor<i32>}> {device = ""} : () -> tensor<i32>
    %0 = "tf.Less"(%arg0, %arg1) {device = ""} : (tensor<i32>, tensor<i32>) -> tensor<i1>
    %1 = "tf.Less"(%arg2, %cst) {device = ""} : (tensor<i32>, tensor<i32>) -> tensor<i1>
    %2 = "tf.LogicalAnd"(%0, %1) {device = ""} : (tensor<i1>, tensor<i1>) -> tensor<i1>
    %3 = "tf.Identity"(%2) {device = ""} : (tensor<i1>) -> tensor<i1>
    func.return %3 : tensor<i1>
  }
  "tf_saved_model.global_tensor"() {sym_name = "gru/gru_cell/bias", type = tensor<2x6xf32>, value = #nn.blob<dense<[[0.25972545, -0.27255666, -0.2692966, 0.20277506, 0.19747159, 1.1989686], [0.83816636, -0.5867892, 0.1751124, -0.66549444, -0.8278384, 0.371773]]> : tensor<2x6xf32>>} : () -> ()
  "tf_saved_model.global_tensor"() {sym_name = "gru/gru_cell/kernel", type = tensor<3x6xf32>, value = #nn.blob<dense<[[0.7701305, 0.350706, -0.6130015, -0.8119034, -0.37770978, 0.52660763], [-0.16752407, -0.3337864, 0.069141276, -0.70776296, -0.5696639, 0.25516272], [-0.15157674, -0.22661813, 0.15881751, -0.29243562, -0.34314552, -0.22990508]]> : tensor<3x6xf32>>} : () -> ()
  "tf_saved_model.global_tensor"() {sym_name = "gru/gru_cell/recurrent_kernel", type = tensor<2x6xf32>, value = #nn.blob<dense<[[0.3013103, 0.029909968, -0.5972988, -0.15152846, 0.32411197, 0.935376], [-0.571177, 0.16926765, -0.12937413, 0.41275972, 0.22477749, 0.73608845]]> : tensor<2x6xf32>>} : () -> ()
}
