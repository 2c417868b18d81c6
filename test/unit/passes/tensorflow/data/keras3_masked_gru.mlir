builtin.module attributes {tf.versions = {bad_consumers = [], min_consumer = 0 : i32, producer = 2474 : i32}} {
  func.func @__inference_flat_24143(%arg0: tensor<2x4x3xf32> {tf._user_specified_name = "x"}, %arg1: tensor<*x!tf_type.resource> {tf._user_specified_name = "resource", tf_saved_model.bound_input = @"gru_2/gru_cell/bias"}, %arg2: tensor<*x!tf_type.resource> {tf._user_specified_name = "resource", tf_saved_model.bound_input = @"gru_2/gru_cell/kernel"}, %arg3: tensor<*x!tf_type.resource> {tf._user_specified_name = "resource", tf_saved_model.bound_input = @"gru_2/gru_cell/recurrent_kernel"}) -> tensor<2x2xf32> attributes {allow_soft_placement = false, tf.entry_function = {control_outputs = "functional_15_1/gru_2_1/gru_cell_1/split/ReadVariableOp,functional_15_1/gru_2_1/gru_cell_1/Cast/ReadVariableOp,functional_15_1/gru_2_1/gru_cell_1/Cast_1/ReadVariableOp,functional_15_1/gru_2_1/while", inputs = "x,functional_15_1_gru_2_1_gru_cell_1_split_readvariableop_resource,functional_15_1_gru_2_1_gru_cell_1_cast_readvariableop_resource,functional_15_1_gru_2_1_gru_cell_1_cast_1_readvariableop_resource", outputs = "identity_RetVal"}} {
    %cst = "tf.Const"() <{value = dense<4> : tensor<i32>}> : () -> tensor<i32>
    %cst_1 = "tf.Const"() <{value = dense<0.000000e+00> : tensor<2x2xf32>}> {device = ""} : () -> tensor<2x2xf32>
    %cst_2 = "tf.Const"() <{value = dense<[1, 0, 2]> : tensor<3xi32>}> {device = ""} : () -> tensor<3xi32>
    %cst_3 = "tf.Const"() <{value = dense<1> : tensor<1xi32>}> {device = ""} : () -> tensor<1xi32>
    %cst_4 = "tf.Const"() <{value = dense<0> : tensor<1xi32>}> {device = ""} : () -> tensor<1xi32>
    %cst_5 = "tf.Const"() <{value = dense<-1> : tensor<1xi32>}> {device = ""} : () -> tensor<1xi32>
    %cst_6 = "tf.Const"() <{value = dense<0.000000e+00> : tensor<f32>}> {device = ""} : () -> tensor<f32>
    %cst_7 = "tf.Const"() <{value = dense<-1> : tensor<i32>}> {device = ""} : () -> tensor<i32>
    %cst_8 = "tf.Const"() <{value = dense<0> : tensor<i32>}> {device = ""} : () -> tensor<i32>
    %cst_9 = "tf.Const"() <{value = dense<[2, 3]> : tensor<2xi32>}> {device = ""} : () -> tensor<2xi32>
    %cst_10 = "tf.Const"() <{value = dense<[2, 1]> : tensor<2xi32>}> {device = ""} : () -> tensor<2xi32>
    %cst_11 = "tf.Const"() <{value = dense<2> : tensor<2xi32>}> {device = ""} : () -> tensor<2xi32>
    %cst_12 = "tf.Const"() <{value = dense<1> : tensor<i32>}> {device = ""} : () -> tensor<i32>
    %0 = "tf.TensorListReserve"(%cst_11, %cst_12) {device = ""} : (tensor<2xi32>, tensor<i32>) -> tensor<!tf_type.variant<tensor<2x2xf32>>>
    %1 = "tf.NotEqual"(%arg0, %cst_6) <{incompatible_shape_error = true}> {device = ""} : (tensor<2x4x3xf32>, tensor<f32>) -> tensor<2x4x3xi1>
    %2 = "tf.Any"(%1, %cst_5) <{keep_dims = false}> {device = ""} : (tensor<2x4x3xi1>, tensor<1xi32>) -> tensor<2x4xi1>
    %3 = "tf.ExpandDims"(%2, %cst_7) {device = ""} : (tensor<2x4xi1>, tensor<i32>) -> tensor<2x4x1xi1>
    %4 = "tf.Transpose"(%3, %cst_2) {device = ""} : (tensor<2x4x1xi1>, tensor<3xi32>) -> tensor<4x2x1xi1>
    %5 = "tf.TensorListFromTensor"(%4, %cst_10) {device = ""} : (tensor<4x2x1xi1>, tensor<2xi32>) -> tensor<!tf_type.variant<tensor<2x1xi1>>>
    %6 = "tf.Any"(%1, %cst_7) <{keep_dims = true}> {device = ""} : (tensor<2x4x3xi1>, tensor<i32>) -> tensor<2x4x1xi1>
    %7 = "tf.SelectV2"(%6, %arg0, %cst_6) {device = ""} : (tensor<2x4x1xi1>, tensor<2x4x3xf32>, tensor<f32>) -> tensor<2x4x3xf32>
    %8 = "tf.Transpose"(%7, %cst_2) {device = ""} : (tensor<2x4x3xf32>, tensor<3xi32>) -> tensor<4x2x3xf32>
    %9 = "tf.TensorListFromTensor"(%8, %cst_9) {device = ""} : (tensor<4x2x3xf32>, tensor<2xi32>) -> tensor<!tf_type.variant<tensor<2x3xf32>>>
    %10, %11, %12, %13, %14, %15, %16, %17, %18, %19, %20 = "tf.While"(%cst_8, %cst, %cst_8, %0, %cst_1, %cst_1, %9, %5, %arg1, %arg2, %arg3) <{body = @functional_15_1_gru_2_1_while_body_240300, cond = @functional_15_1_gru_2_1_while_cond_240290, is_stateless = false, parallel_iterations = 32 : i64, shape_invariant}> {_lower_using_switch_merge = true, _num_original_outputs = 11 : i64, _read_only_resource_inputs = [8 : i64, 9 : i64, 10 : i64], device = ""} : (tensor<i32>, tensor<i32>, tensor<i32>, tensor<!tf_type.variant<tensor<2x2xf32>>>, tensor<2x2xf32>, tensor<2x2xf32>, tensor<!tf_type.variant<tensor<2x3xf32>>>, tensor<!tf_type.variant<tensor<2x1xi1>>>, tensor<*x!tf_type.resource>, tensor<*x!tf_type.resource>, tensor<*x!tf_type.resource>) -> (tensor<i32>, tensor<i32>, tensor<i32>, tensor<!tf_type.variant<tensor<2x2xf32>>>, tensor<2x2xf32>, tensor<2x2xf32>, tensor<!tf_type.variant<tensor<2x3xf32>>>, tensor<!tf_type.variant<tensor<2x1xi1>>>, tensor<!tf_type.resource>, tensor<!tf_type.resource>, tensor<!tf_type.resource>)
    %21 = "tf.TensorListStack"(%13, %cst_11) <{num_elements = 1 : i64}> {device = ""} : (tensor<!tf_type.variant<tensor<2x2xf32>>>, tensor<2xi32>) -> tensor<1x2x2xf32>
    %22 = "tf.StridedSlice"(%21, %cst_5, %cst_4, %cst_3) <{begin_mask = 0 : i64, ellipsis_mask = 0 : i64, end_mask = 0 : i64, new_axis_mask = 0 : i64, shrink_axis_mask = 1 : i64}> {device = ""} : (tensor<1x2x2xf32>, tensor<1xi32>, tensor<1xi32>, tensor<1xi32>) -> tensor<2x2xf32>
    %23 = "tf.Identity"(%22) {device = ""} : (tensor<2x2xf32>) -> tensor<2x2xf32>
    func.return %23 : tensor<2x2xf32>
  }
  func.func private @functional_15_1_gru_2_1_while_body_240300(%arg0: tensor<i32> {tf._user_specified_name = "functional_15_1/gru_2_1/while/loop_counter"}, %arg1: tensor<i32> {tf._user_specified_name = "functional_15_1/gru_2_1/Max"}, %arg2: tensor<i32>, %arg3: tensor<!tf_type.variant<tensor<2x2xf32>>>, %arg4: tensor<2x2xf32>, %arg5: tensor<2x2xf32>, %arg6: tensor<!tf_type.variant<tensor<2x3xf32>>> {tf._user_specified_name = "functional_15_1/gru_2_1/TensorArrayUnstack/TensorListFromTensor"}, %arg7: tensor<!tf_type.variant<tensor<2x1xi1>>> {tf._user_specified_name = "functional_15_1/gru_2_1/TensorArrayUnstack_1/TensorListFromTensor"}, %arg8: tensor<*x!tf_type.resource> {tf._user_specified_name = "resource"}, %arg9: tensor<*x!tf_type.resource> {tf._user_specified_name = "resource"}, %arg10: tensor<*x!tf_type.resource> {tf._user_specified_name = "resource"}) -> (tensor<i32>, tensor<i32>, tensor<i32>, tensor<!tf_type.variant<tensor<2x2xf32>>>, tensor<*xf32>, tensor<*xf32>, tensor<!tf_type.variant<tensor<2x3xf32>>>, tensor<!tf_type.variant<tensor<2x1xi1>>>, tensor<*x!tf_type.resource>, tensor<*x!tf_type.resource>, tensor<*x!tf_type.resource>) attributes {tf._construction_context = "kEagerRuntime", tf.signature.is_stateful} {
    %cst = "tf.Const"() <{value = dense<[2, 3]> : tensor<2xi32>}> {device = ""} : () -> tensor<2xi32>
    %cst_1 = "tf.Const"() <{value = dense<[2, 1]> : tensor<2xi32>}> {device = ""} : () -> tensor<2xi32>
    %cst_2 = "tf.Const"() <{value = dense<0> : tensor<i32>}> {device = ""} : () -> tensor<i32>
    %cst_3 = "tf.Const"() <{value = dense<1> : tensor<2xi32>}> {device = ""} : () -> tensor<2xi32>
    %cst_4 = "tf.Const"() <{value = dense<1> : tensor<i32>}> {device = ""} : () -> tensor<i32>
    %cst_5 = "tf.Const"() <{value = dense<-1> : tensor<i32>}> {device = ""} : () -> tensor<i32>
    %cst_6 = "tf.Const"() <{value = dense<0> : tensor<2xi32>}> {device = ""} : () -> tensor<2xi32>
    %cst_7 = "tf.Const"() <{value = dense<[0, 2]> : tensor<2xi32>}> {device = ""} : () -> tensor<2xi32>
    %cst_8 = "tf.Const"() <{value = dense<[0, 4]> : tensor<2xi32>}> {device = ""} : () -> tensor<2xi32>
    %cst_9 = "tf.Const"() <{value = dense<1.000000e+00> : tensor<f32>}> {device = ""} : () -> tensor<f32>
    %0 = "tf.AddV2"(%arg0, %cst_4) {device = ""} : (tensor<i32>, tensor<i32>) -> tensor<i32>
    %1 = "tf.ReadVariableOp"(%arg10) {device = ""} : (tensor<*x!tf_type.resource>) -> tensor<*xf32>
    %2 = "tf.ReadVariableOp"(%arg9) {device = ""} : (tensor<*x!tf_type.resource>) -> tensor<*xf32>
    %3 = "tf.ReadVariableOp"(%arg8) {device = ""} : (tensor<*x!tf_type.resource>) -> tensor<*xf32>
    %4 = "tf.Identity"(%0) {device = ""} : (tensor<i32>) -> tensor<i32>
    %5 = "tf.Identity"(%arg1) {device = ""} : (tensor<i32>) -> tensor<i32>
    %6, %7 = "tf.Split"(%cst_2, %3) {device = ""} : (tensor<i32>, tensor<*xf32>) -> (tensor<*xf32>, tensor<*xf32>)
    %8 = "tf.Squeeze"(%6) <{squeeze_dims = [0 : i64]}> {device = ""} : (tensor<*xf32>) -> tensor<*xf32>
    %9 = "tf.Squeeze"(%7) <{squeeze_dims = [0 : i64]}> {device = ""} : (tensor<*xf32>) -> tensor<*xf32>
    %10 = "tf.AddV2"(%arg2, %cst_4) {device = ""} : (tensor<i32>, tensor<i32>) -> tensor<i32>
    %11 = "tf.Identity"(%10) {device = ""} : (tensor<i32>) -> tensor<i32>
    %12 = "tf.MatMul"(%arg5, %1) <{grad_a = false, grad_b = false, transpose_a = false, transpose_b = false}> {device = ""} : (tensor<2x2xf32>, tensor<*xf32>) -> tensor<2x?xf32>
    %13 = "tf.AddV2"(%12, %9) {device = ""} : (tensor<2x?xf32>, tensor<*xf32>) -> tensor<*xf32>
    %14 = "tf.StridedSlice"(%13, %cst_6, %cst_7, %cst_3) <{begin_mask = 3 : i64, ellipsis_mask = 0 : i64, end_mask = 1 : i64, new_axis_mask = 0 : i64, shrink_axis_mask = 0 : i64}> {device = ""} : (tensor<*xf32>, tensor<2xi32>, tensor<2xi32>, tensor<2xi32>) -> tensor<*xf32>
    %15 = "tf.StridedSlice"(%13, %cst_7, %cst_8, %cst_3) <{begin_mask = 1 : i64, ellipsis_mask = 0 : i64, end_mask = 1 : i64, new_axis_mask = 0 : i64, shrink_axis_mask = 0 : i64}> {device = ""} : (tensor<*xf32>, tensor<2xi32>, tensor<2xi32>, tensor<2xi32>) -> tensor<*xf32>
    %16 = "tf.StridedSlice"(%13, %cst_8, %cst_6, %cst_3) <{begin_mask = 1 : i64, ellipsis_mask = 0 : i64, end_mask = 3 : i64, new_axis_mask = 0 : i64, shrink_axis_mask = 0 : i64}> {device = ""} : (tensor<*xf32>, tensor<2xi32>, tensor<2xi32>, tensor<2xi32>) -> tensor<*xf32>
    %17 = "tf.TensorListGetItem"(%arg7, %arg2, %cst_1) {device = ""} : (tensor<!tf_type.variant<tensor<2x1xi1>>>, tensor<i32>, tensor<2xi32>) -> tensor<2x1xi1>
    %18 = "tf.TensorListGetItem"(%arg6, %arg2, %cst) {device = ""} : (tensor<!tf_type.variant<tensor<2x3xf32>>>, tensor<i32>, tensor<2xi32>) -> tensor<2x3xf32>
    %19 = "tf.MatMul"(%18, %2) <{grad_a = false, grad_b = false, transpose_a = false, transpose_b = false}> {device = ""} : (tensor<2x3xf32>, tensor<*xf32>) -> tensor<2x?xf32>
    %20 = "tf.BiasAdd"(%19, %8) <{data_format = "NHWC"}> {device = ""} : (tensor<2x?xf32>, tensor<*xf32>) -> tensor<2x?xf32>
    %21, %22, %23 = "tf.Split"(%cst_5, %20) {device = ""} : (tensor<i32>, tensor<2x?xf32>) -> (tensor<2x?xf32>, tensor<2x?xf32>, tensor<2x?xf32>)
    %24 = "tf.AddV2"(%21, %14) {device = ""} : (tensor<2x?xf32>, tensor<*xf32>) -> tensor<*xf32>
    %25 = "tf.Sigmoid"(%24) {device = ""} : (tensor<*xf32>) -> tensor<*xf32>
    %26 = "tf.Mul"(%25, %arg5) {device = ""} : (tensor<*xf32>, tensor<2x2xf32>) -> tensor<*xf32>
    %27 = "tf.Sub"(%cst_9, %25) {device = ""} : (tensor<f32>, tensor<*xf32>) -> tensor<*xf32>
    %28 = "tf.AddV2"(%22, %15) {device = ""} : (tensor<2x?xf32>, tensor<*xf32>) -> tensor<*xf32>
    %29 = "tf.Sigmoid"(%28) {device = ""} : (tensor<*xf32>) -> tensor<*xf32>
    %30 = "tf.Mul"(%29, %16) {device = ""} : (tensor<*xf32>, tensor<*xf32>) -> tensor<*xf32>
    %31 = "tf.AddV2"(%23, %30) {device = ""} : (tensor<2x?xf32>, tensor<*xf32>) -> tensor<*xf32>
    %32 = "tf.Tanh"(%31) {device = ""} : (tensor<*xf32>) -> tensor<*xf32>
    %33 = "tf.Mul"(%27, %32) {device = ""} : (tensor<*xf32>, tensor<*xf32>) -> tensor<*xf32>
    %34 = "tf.AddV2"(%26, %33) {device = ""} : (tensor<*xf32>, tensor<*xf32>) -> tensor<*xf32>
    %35 = "tf.SelectV2"(%17, %34, %arg4) {device = ""} : (tensor<2x1xi1>, tensor<*xf32>, tensor<2x2xf32>) -> tensor<*xf32>
    %36 = "tf.Identity"(%35) {device = ""} : (tensor<*xf32>) -> tensor<*xf32>
    %37 = "tf.TensorListSetItem"(%arg3, %cst_2, %35) <{resize_if_index_out_of_bounds = false}> {device = ""} : (tensor<!tf_type.variant<tensor<2x2xf32>>>, tensor<i32>, tensor<*xf32>) -> tensor<!tf_type.variant<tensor<2x2xf32>>>
    %38 = "tf.Identity"(%37) {device = ""} : (tensor<!tf_type.variant<tensor<2x2xf32>>>) -> tensor<!tf_type.variant<tensor<2x2xf32>>>
    %39 = "tf.SelectV2"(%17, %34, %arg5) {device = ""} : (tensor<2x1xi1>, tensor<*xf32>, tensor<2x2xf32>) -> tensor<*xf32>
    %40 = "tf.Identity"(%39) {device = ""} : (tensor<*xf32>) -> tensor<*xf32>
    func.return %4, %5, %11, %38, %36, %40, %arg6, %arg7, %arg8, %arg9, %arg10 : tensor<i32>, tensor<i32>, tensor<i32>, tensor<!tf_type.variant<tensor<2x2xf32>>>, tensor<*xf32>, tensor<*xf32>, tensor<!tf_type.variant<tensor<2x3xf32>>>, tensor<!tf_type.variant<tensor<2x1xi1>>>, tensor<*x!tf_type.resource>, tensor<*x!tf_type.resource>, tensor<*x!tf_type.resource>
  }
  func.func private @functional_15_1_gru_2_1_while_cond_240290(%arg0: tensor<i32> {tf._user_specified_name = "functional_15_1/gru_2_1/while/loop_counter"}, %arg1: tensor<i32> {tf._user_specified_name = "functional_15_1/gru_2_1/Max"}, %arg2: tensor<i32>, %arg3: tensor<!tf_type.variant<tensor<2x2xf32>>>, %arg4: tensor<2x2xf32>, %arg5: tensor<2x2xf32>, %arg6: tensor<!tf_type.variant<tensor<2x3xf32>>>, %arg7: tensor<!tf_type.variant<tensor<2x1xi1>>>, %arg8: tensor<*x!tf_type.resource>, %arg9: tensor<*x!tf_type.resource>, %arg10: tensor<*x!tf_type.resource>) -> tensor<i1> attributes {tf._construction_context = "kEagerRuntime"} {
    %cst = "tf.Const"() <{value = dense<4> : tensor<i32>}> {device = ""} : () -> tensor<i32>
    %0 = "tf.Less"(%arg0, %arg1) {device = ""} : (tensor<i32>, tensor<i32>) -> tensor<i1>
    %1 = "tf.Less"(%arg2, %cst) {device = ""} : (tensor<i32>, tensor<i32>) -> tensor<i1>
    %2 = "tf.LogicalAnd"(%0, %1) {device = ""} : (tensor<i1>, tensor<i1>) -> tensor<i1>
    %3 = "tf.Identity"(%2) {device = ""} : (tensor<i1>) -> tensor<i1>
    func.return %3 : tensor<i1>
  }
  "tf_saved_model.global_tensor"() {sym_name = "gru_2/gru_cell/bias", type = tensor<2x6xf32>, value = #nn.blob<dense<[[-0.063241504, -0.032078702, 0.64536446, -0.5073992, 0.1763542, -0.25378373], [0.6825285, 1.2638493, 0.15171987, 0.8370955, -0.2651028, -0.79970324]]> : tensor<2x6xf32>>} : () -> ()
  "tf_saved_model.global_tensor"() {sym_name = "gru_2/gru_cell/kernel", type = tensor<3x6xf32>, value = #nn.blob<dense<[[0.10785029, -0.88440895, -1.1009676, 0.2382353, -0.47709265, 0.50110316], [1.0701857, -0.29136345, -0.3446974, -0.0058480627, 0.33737335, -0.5678996], [0.62273586, 0.4956108, 0.33055323, -0.2699205, 0.45815104, 0.42860642]]> : tensor<3x6xf32>>} : () -> ()
  "tf_saved_model.global_tensor"() {sym_name = "gru_2/gru_cell/recurrent_kernel", type = tensor<2x6xf32>, value = #nn.blob<dense<[[-0.60048544, 1.0450921, -0.15026367, 0.18459299, -0.26207772, 0.19244839], [0.5800412, -0.40368432, -0.82771295, -0.22499274, -0.653023, -0.37928635]]> : tensor<2x6xf32>>} : () -> ()
}
