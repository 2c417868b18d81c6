builtin.module attributes {tf.versions = {bad_consumers = [], min_consumer = 0 : i32, producer = 2474 : i32}} {
  func.func @__inference_call_31025(%arg0: tensor<2x5x3xf32> {tf._user_specified_name = "x"}, %arg1: tensor<!tf_type.resource<tensor<2x12xf32>>> {tf._user_specified_name = "resource", tf_saved_model.bound_input = @"gru/gru_cell/bias"}, %arg2: tensor<!tf_type.resource<tensor<3x12xf32>>> {tf._user_specified_name = "resource", tf_saved_model.bound_input = @"gru/gru_cell/kernel"}, %arg3: tensor<!tf_type.resource<tensor<4x12xf32>>> {tf._user_specified_name = "resource", tf_saved_model.bound_input = @"gru/gru_cell/recurrent_kernel"}) -> tensor<2x5x4xf32> attributes {allow_soft_placement = false, tf.entry_function = {control_outputs = "functional_9_1/gru_1/gru_cell_1/split/ReadVariableOp,functional_9_1/gru_1/gru_cell_1/Cast/ReadVariableOp,functional_9_1/gru_1/gru_cell_1/Cast_1/ReadVariableOp,functional_9_1/gru_1/while", inputs = "x,functional_9_1_gru_1_gru_cell_1_split_readvariableop_resource,functional_9_1_gru_1_gru_cell_1_cast_readvariableop_resource,functional_9_1_gru_1_gru_cell_1_cast_1_readvariableop_resource", outputs = "identity_RetVal"}} {
    %cst = "tf.Const"() <{value = dense<5> : tensor<i32>}> : () -> tensor<i32>
    %cst_1 = "tf.Const"() <{value = dense<0.000000e+00> : tensor<2x4xf32>}> {device = ""} : () -> tensor<2x4xf32>
    %cst_2 = "tf.Const"() <{value = dense<[1, 0, 2]> : tensor<3xi32>}> {device = ""} : () -> tensor<3xi32>
    %cst_3 = "tf.Const"() <{value = dense<0> : tensor<i32>}> {device = ""} : () -> tensor<i32>
    %cst_4 = "tf.Const"() <{value = dense<[2, 3]> : tensor<2xi32>}> {device = ""} : () -> tensor<2xi32>
    %cst_5 = "tf.Const"() <{value = dense<[2, 4]> : tensor<2xi32>}> {device = ""} : () -> tensor<2xi32>
    %0 = "tf.TensorListReserve"(%cst_5, %cst) {device = ""} : (tensor<2xi32>, tensor<i32>) -> tensor<!tf_type.variant<tensor<2x4xf32>>>
    %1 = "tf.Transpose"(%arg0, %cst_2) {device = ""} : (tensor<2x5x3xf32>, tensor<3xi32>) -> tensor<5x2x3xf32>
    %2 = "tf.TensorListFromTensor"(%1, %cst_4) {device = ""} : (tensor<5x2x3xf32>, tensor<2xi32>) -> tensor<!tf_type.variant<tensor<2x3xf32>>>
    %3, %4, %5, %6, %7, %8, %9, %10, %11 = "tf.While"(%cst_3, %cst, %cst_3, %0, %cst_1, %2, %arg1, %arg2, %arg3) <{body = @functional_9_1_gru_1_while_body_309280, cond = @functional_9_1_gru_1_while_cond_309270, is_stateless = false, parallel_iterations = 32 : i64, shape_invariant}> {_lower_using_switch_merge = true, _num_original_outputs = 9 : i64, _read_only_resource_inputs = [6 : i64, 7 : i64, 8 : i64], device = ""} : (tensor<i32>, tensor<i32>, tensor<i32>, tensor<!tf_type.variant<tensor<2x4xf32>>>, tensor<2x4xf32>, tensor<!tf_type.variant<tensor<2x3xf32>>>, tensor<!tf_type.resource<tensor<2x12xf32>>>, tensor<!tf_type.resource<tensor<3x12xf32>>>, tensor<!tf_type.resource<tensor<4x12xf32>>>) -> (tensor<i32>, tensor<i32>, tensor<i32>, tensor<!tf_type.variant<tensor<2x4xf32>>>, tensor<2x4xf32>, tensor<!tf_type.variant<tensor<2x3xf32>>>, tensor<!tf_type.resource<tensor<2x12xf32>>>, tensor<!tf_type.resource<tensor<3x12xf32>>>, tensor<!tf_type.resource<tensor<4x12xf32>>>)
    %12 = "tf.TensorListStack"(%6, %cst_5) <{num_elements = 5 : i64}> {device = ""} : (tensor<!tf_type.variant<tensor<2x4xf32>>>, tensor<2xi32>) -> tensor<5x2x4xf32>
    %13 = "tf.Transpose"(%12, %cst_2) {device = ""} : (tensor<5x2x4xf32>, tensor<3xi32>) -> tensor<2x5x4xf32>
    %14 = "tf.Identity"(%13) {device = ""} : (tensor<2x5x4xf32>) -> tensor<2x5x4xf32>
    func.return %14 : tensor<2x5x4xf32>
  }
  func.func private @functional_9_1_gru_1_while_body_309280(%arg0: tensor<i32> {tf._user_specified_name = "functional_9_1/gru_1/while/loop_counter"}, %arg1: tensor<i32> {tf._user_specified_name = "functional_9_1/gru_1/Max"}, %arg2: tensor<i32>, %arg3: tensor<!tf_type.variant<tensor<2x4xf32>>>, %arg4: tensor<2x4xf32>, %arg5: tensor<!tf_type.variant<tensor<2x3xf32>>> {tf._user_specified_name = "functional_9_1/gru_1/TensorArrayUnstack/TensorListFromTensor"}, %arg6: tensor<!tf_type.resource<tensor<2x12xf32>>> {tf._user_specified_name = "resource"}, %arg7: tensor<!tf_type.resource<tensor<3x12xf32>>> {tf._user_specified_name = "resource"}, %arg8: tensor<!tf_type.resource<tensor<4x12xf32>>> {tf._user_specified_name = "resource"}) -> (tensor<i32>, tensor<i32>, tensor<i32>, tensor<!tf_type.variant<tensor<2x4xf32>>>, tensor<2x4xf32>, tensor<!tf_type.variant<tensor<2x3xf32>>>, tensor<!tf_type.resource<tensor<2x12xf32>>>, tensor<!tf_type.resource<tensor<3x12xf32>>>, tensor<!tf_type.resource<tensor<4x12xf32>>>) attributes {tf._construction_context = "kEagerRuntime", tf.signature.is_stateful} {
    %cst = "tf.Const"() <{value = dense<[2, 3]> : tensor<2xi32>}> {device = ""} : () -> tensor<2xi32>
    %cst_1 = "tf.Const"() <{value = dense<1> : tensor<i32>}> {device = ""} : () -> tensor<i32>
    %cst_2 = "tf.Const"() <{value = dense<0> : tensor<i32>}> {device = ""} : () -> tensor<i32>
    %cst_3 = "tf.Const"() <{value = dense<-1> : tensor<i32>}> {device = ""} : () -> tensor<i32>
    %cst_4 = "tf.Const"() <{value = dense<0> : tensor<2xi32>}> {device = ""} : () -> tensor<2xi32>
    %cst_5 = "tf.Const"() <{value = dense<[0, 4]> : tensor<2xi32>}> {device = ""} : () -> tensor<2xi32>
    %cst_6 = "tf.Const"() <{value = dense<1> : tensor<2xi32>}> {device = ""} : () -> tensor<2xi32>
    %cst_7 = "tf.Const"() <{value = dense<[0, 8]> : tensor<2xi32>}> {device = ""} : () -> tensor<2xi32>
    %cst_8 = "tf.Const"() <{value = dense<1.000000e+00> : tensor<f32>}> {device = ""} : () -> tensor<f32>
    %0 = "tf.AddV2"(%arg0, %cst_1) {device = ""} : (tensor<i32>, tensor<i32>) -> tensor<i32>
    %1 = "tf.ReadVariableOp"(%arg8) {device = ""} : (tensor<!tf_type.resource<tensor<4x12xf32>>>) -> tensor<4x12xf32>
    %2 = "tf.ReadVariableOp"(%arg7) {device = ""} : (tensor<!tf_type.resource<tensor<3x12xf32>>>) -> tensor<3x12xf32>
    %3 = "tf.ReadVariableOp"(%arg6) {device = ""} : (tensor<!tf_type.resource<tensor<2x12xf32>>>) -> tensor<2x12xf32>
    %4 = "tf.Identity"(%0) {device = ""} : (tensor<i32>) -> tensor<i32>
    %5 = "tf.Identity"(%arg1) {device = ""} : (tensor<i32>) -> tensor<i32>
    %6, %7 = "tf.Split"(%cst_2, %3) {device = ""} : (tensor<i32>, tensor<2x12xf32>) -> (tensor<1x12xf32>, tensor<1x12xf32>)
    %8 = "tf.Squeeze"(%6) <{squeeze_dims = [0 : i64]}> {device = ""} : (tensor<1x12xf32>) -> tensor<12xf32>
    %9 = "tf.Squeeze"(%7) <{squeeze_dims = [0 : i64]}> {device = ""} : (tensor<1x12xf32>) -> tensor<12xf32>
    %10 = "tf.AddV2"(%arg2, %cst_1) {device = ""} : (tensor<i32>, tensor<i32>) -> tensor<i32>
    %11 = "tf.Identity"(%10) {device = ""} : (tensor<i32>) -> tensor<i32>
    %12 = "tf.MatMul"(%arg4, %1) <{grad_a = false, grad_b = false, transpose_a = false, transpose_b = false}> {device = ""} : (tensor<2x4xf32>, tensor<4x12xf32>) -> tensor<2x12xf32>
    %13 = "tf.AddV2"(%12, %9) {device = ""} : (tensor<2x12xf32>, tensor<12xf32>) -> tensor<2x12xf32>
    %14 = "tf.StridedSlice"(%13, %cst_4, %cst_5, %cst_6) <{begin_mask = 3 : i64, ellipsis_mask = 0 : i64, end_mask = 1 : i64, new_axis_mask = 0 : i64, shrink_axis_mask = 0 : i64}> {device = ""} : (tensor<2x12xf32>, tensor<2xi32>, tensor<2xi32>, tensor<2xi32>) -> tensor<2x4xf32>
    %15 = "tf.StridedSlice"(%13, %cst_5, %cst_7, %cst_6) <{begin_mask = 1 : i64, ellipsis_mask = 0 : i64, end_mask = 1 : i64, new_axis_mask = 0 : i64, shrink_axis_mask = 0 : i64}> {device = ""} : (tensor<2x12xf32>, tensor<2xi32>, tensor<2xi32>, tensor<2xi32>) -> tensor<2x4xf32>
    %16 = "tf.StridedSlice"(%13, %cst_7, %cst_4, %cst_6) <{begin_mask = 1 : i64, ellipsis_mask = 0 : i64, end_mask = 3 : i64, new_axis_mask = 0 : i64, shrink_axis_mask = 0 : i64}> {device = ""} : (tensor<2x12xf32>, tensor<2xi32>, tensor<2xi32>, tensor<2xi32>) -> tensor<2x4xf32>
    %17 = "tf.TensorListGetItem"(%arg5, %arg2, %cst) {device = ""} : (tensor<!tf_type.variant<tensor<2x3xf32>>>, tensor<i32>, tensor<2xi32>) -> tensor<2x3xf32>
    %18 = "tf.MatMul"(%17, %2) <{grad_a = false, grad_b = false, transpose_a = false, transpose_b = false}> {device = ""} : (tensor<2x3xf32>, tensor<3x12xf32>) -> tensor<2x12xf32>
    %19 = "tf.BiasAdd"(%18, %8) <{data_format = "NHWC"}> {device = ""} : (tensor<2x12xf32>, tensor<12xf32>) -> tensor<2x12xf32>
    %20, %21, %22 = "tf.Split"(%cst_3, %19) {device = ""} : (tensor<i32>, tensor<2x12xf32>) -> (tensor<2x4xf32>, tensor<2x4xf32>, tensor<2x4xf32>)
    %23 = "tf.AddV2"(%20, %14) {device = ""} : (tensor<2x4xf32>, tensor<2x4xf32>) -> tensor<2x4xf32>
    %24 = "tf.Sigmoid"(%23) {device = ""} : (tensor<2x4xf32>) -> tensor<2x4xf32>
    %25 = "tf.Mul"(%24, %arg4) {device = ""} : (tensor<2x4xf32>, tensor<2x4xf32>) -> tensor<2x4xf32>
    %26 = "tf.Sub"(%cst_8, %24) {device = ""} : (tensor<f32>, tensor<2x4xf32>) -> tensor<2x4xf32>
    %27 = "tf.AddV2"(%21, %15) {device = ""} : (tensor<2x4xf32>, tensor<2x4xf32>) -> tensor<2x4xf32>
    %28 = "tf.Sigmoid"(%27) {device = ""} : (tensor<2x4xf32>) -> tensor<2x4xf32>
    %29 = "tf.Mul"(%28, %16) {device = ""} : (tensor<2x4xf32>, tensor<2x4xf32>) -> tensor<2x4xf32>
    %30 = "tf.AddV2"(%22, %29) {device = ""} : (tensor<2x4xf32>, tensor<2x4xf32>) -> tensor<2x4xf32>
    %31 = "tf.Tanh"(%30) {device = ""} : (tensor<2x4xf32>) -> tensor<2x4xf32>
    %32 = "tf.Mul"(%26, %31) {device = ""} : (tensor<2x4xf32>, tensor<2x4xf32>) -> tensor<2x4xf32>
    %33 = "tf.AddV2"(%25, %32) {device = ""} : (tensor<2x4xf32>, tensor<2x4xf32>) -> tensor<2x4xf32>
    %34 = "tf.Identity"(%33) {device = ""} : (tensor<2x4xf32>) -> tensor<2x4xf32>
    %35 = "tf.TensorListSetItem"(%arg3, %arg2, %33) <{resize_if_index_out_of_bounds = false}> {device = ""} : (tensor<!tf_type.variant<tensor<2x4xf32>>>, tensor<i32>, tensor<2x4xf32>) -> tensor<!tf_type.variant<tensor<2x4xf32>>>
    %36 = "tf.Identity"(%35) {device = ""} : (tensor<!tf_type.variant<tensor<2x4xf32>>>) -> tensor<!tf_type.variant<tensor<2x4xf32>>>
    func.return %4, %5, %11, %36, %34, %arg5, %arg6, %arg7, %arg8 : tensor<i32>, tensor<i32>, tensor<i32>, tensor<!tf_type.variant<tensor<2x4xf32>>>, tensor<2x4xf32>, tensor<!tf_type.variant<tensor<2x3xf32>>>, tensor<!tf_type.resource<tensor<2x12xf32>>>, tensor<!tf_type.resource<tensor<3x12xf32>>>, tensor<!tf_type.resource<tensor<4x12xf32>>>
  }
  func.func private @functional_9_1_gru_1_while_cond_309270(%arg0: tensor<i32> {tf._user_specified_name = "functional_9_1/gru_1/while/loop_counter"}, %arg1: tensor<i32> {tf._user_specified_name = "functional_9_1/gru_1/Max"}, %arg2: tensor<i32>, %arg3: tensor<!tf_type.variant<tensor<2x4xf32>>>, %arg4: tensor<2x4xf32>, %arg5: tensor<!tf_type.variant<tensor<2x3xf32>>>, %arg6: tensor<!tf_type.resource<tensor<2x12xf32>>>, %arg7: tensor<!tf_type.resource<tensor<3x12xf32>>>, %arg8: tensor<!tf_type.resource<tensor<4x12xf32>>>) -> tensor<i1> attributes {tf._construction_context = "kEagerRuntime"} {
    %cst = "tf.Const"() <{value = dense<5> : tensor<i32>}> {device = ""} : () -> tensor<i32>
    %0 = "tf.Less"(%arg0, %arg1) {device = ""} : (tensor<i32>, tensor<i32>) -> tensor<i1>
    %1 = "tf.Less"(%arg2, %cst) {device = ""} : (tensor<i32>, tensor<i32>) -> tensor<i1>
    %2 = "tf.LogicalAnd"(%0, %1) {device = ""} : (tensor<i1>, tensor<i1>) -> tensor<i1>
    %3 = "tf.Identity"(%2) {device = ""} : (tensor<i1>) -> tensor<i1>
    func.return %3 : tensor<i1>
  }
  "tf_saved_model.global_tensor"() {sym_name = "gru/gru_cell/bias", type = tensor<2x12xf32>, value = #nn.blob<dense<0.0> : tensor<2x12xf32>>} : () -> ()
  "tf_saved_model.global_tensor"() {sym_name = "gru/gru_cell/kernel", type = tensor<3x12xf32>, value = #nn.blob<dense<[[-0.23094866, 0.29076552, 0.5741629, -0.21562442, -0.14201623, 0.021258116, -0.25928345, 0.19566745, 0.0964185, 0.5655014, 0.5645737, -0.10275525], [-0.07319516, -0.60679305, -0.5465478, -0.58186305, -0.23585594, -0.39969045, 0.4348759, 0.07595551, 0.3786263, -0.0869714, 0.36928755, 0.02562362], [0.4211933, -0.33728427, -0.57192725, -0.35361052, -0.16949064, -0.1645473, 0.48302072, -0.19592291, 0.621579, -0.25780663, -0.24640772, 0.103788316]]> : tensor<3x12xf32>>} : () -> ()
  "tf_saved_model.global_tensor"() {sym_name = "gru/gru_cell/recurrent_kernel", type = tensor<4x12xf32>, value = #nn.blob<dense<[[-0.09806943, 0.16605215, -0.2960818, -0.13004023, -0.21019664, -0.43104634, 0.5505988, 0.0957354, 0.15278533, 0.043540258, -0.30767635, 0.44274437], [0.14429949, -0.15399407, -0.1101221, -0.37136942, -0.49220303, 0.32505, -0.059731647, -0.13987525, -0.5347014, 0.3265921, -0.13816589, 0.1506962], [-0.1270475, 0.28124943, 0.48712543, -0.2412206, -0.41634703, 0.34246528, 0.14034033, -0.1206999, 0.40243697, -0.27340394, -0.17771938, -0.12688063], [-0.4968162, -0.201202, 0.33823085, 0.18048403, 0.117839, 0.15001336, 0.29244635, 0.3298171, -0.074468866, 0.5355038, -0.16220039, -0.12807699]]> : tensor<4x12xf32>>} : () -> ()
}
