builtin.module attributes {tf.versions = {bad_consumers = [], min_consumer = 0 : i32, producer = 2474 : i32}} {
  func.func @__inference_flat_305(%arg0: tensor<2x4x3xf32> {tf._user_specified_name = "x"}, %arg1: tensor<*x!tf_type.resource> {tf._user_specified_name = "resource", tf_saved_model.bound_input = @Variable}, %arg2: tensor<*x!tf_type.resource> {tf._user_specified_name = "resource", tf_saved_model.bound_input = @Variable_1}, %arg3: tensor<*x!tf_type.resource> {tf._user_specified_name = "resource", tf_saved_model.bound_input = @Variable_2}) -> tensor<*xf32> attributes {allow_soft_placement = false, tf.entry_function = {control_outputs = "ReadVariableOp,ReadVariableOp_1,ReadVariableOp_2", inputs = "x,readvariableop_resource,readvariableop_1_resource,readvariableop_2_resource,unknown", outputs = "identity_RetVal"}} {
    %arg4 = nn.constant dense<[[1.0783424, 0.7224309], [0.21057181, 0.28403816]]> : tensor<2x2xf32>
    %0 = "tf.ReadVariableOp"(%arg2) {device = ""} : (tensor<*x!tf_type.resource>) -> tensor<*xf32>
    %1 = "tf.ReadVariableOp"(%arg3) {device = ""} : (tensor<*x!tf_type.resource>) -> tensor<*xf32>
    %2 = "tf.ReadVariableOp"(%arg1) {device = ""} : (tensor<*x!tf_type.resource>) -> tensor<*xf32>
    %3 = "tf.PartitionedCall"(%arg0, %arg4, %2, %0, %1) <{config = "", config_proto = "\0A\07\0A\03CPU\10\01\0A\07\0A\03GPU\10\002\02J\008\01\82\01\00\92\01\02J\00", executor_type = "", f = @__inference_unit_3000}> {_collective_manager_ids = [], _read_only_resource_inputs = [], device = ""} : (tensor<2x4x3xf32>, tensor<2x2xf32>, tensor<*xf32>, tensor<*xf32>, tensor<*xf32>) -> tensor<*xf32>
    %4 = "tf.Identity"(%3) {device = ""} : (tensor<*xf32>) -> tensor<*xf32>
    func.return %4 : tensor<*xf32>
  }
  func.func private @__inference_unit_3000(%arg0: tensor<2x4x3xf32> {tf._user_specified_name = "x"}, %arg1: tensor<2x2xf32> {tf._user_specified_name = "h"}, %arg2: tensor<*xf32> {tf._user_specified_name = "w"}, %arg3: tensor<*xf32> {tf._user_specified_name = "r"}, %arg4: tensor<*xf32> {tf._user_specified_name = "b"}) -> tensor<*xf32> attributes {tf._construction_context = "kEagerRuntime", tf._implements = "recurrent_cells.MinimalGatedUnit"} {
    %cst = "tf.Const"() <{value = dense<1.000000e+00> : tensor<f32>}> {device = ""} : () -> tensor<f32>
    %cst_1 = "tf.Const"() <{value = dense<[0, 4]> : tensor<2xi32>}> {device = ""} : () -> tensor<2xi32>
    %cst_2 = "tf.Const"() <{value = dense<[0, 3]> : tensor<2xi32>}> {device = ""} : () -> tensor<2xi32>
    %cst_3 = "tf.Const"() <{value = dense<[0, 2]> : tensor<2xi32>}> {device = ""} : () -> tensor<2xi32>
    %cst_4 = "tf.Const"() <{value = dense<1> : tensor<2xi32>}> {device = ""} : () -> tensor<2xi32>
    %cst_5 = "tf.Const"() <{value = dense<[0, 1]> : tensor<2xi32>}> {device = ""} : () -> tensor<2xi32>
    %cst_6 = "tf.Const"() <{value = dense<0> : tensor<2xi32>}> {device = ""} : () -> tensor<2xi32>
    %cst_7 = "tf.Const"() <{value = dense<-1> : tensor<i32>}> {device = ""} : () -> tensor<i32>
    %0, %1 = "tf.Split"(%cst_7, %arg3) {device = ""} : (tensor<i32>, tensor<*xf32>) -> (tensor<*xf32>, tensor<*xf32>)
    %2 = "tf.MatMul"(%arg1, %0) <{grad_a = false, grad_b = false, transpose_a = false, transpose_b = false}> {device = ""} : (tensor<2x2xf32>, tensor<*xf32>) -> tensor<2x?xf32>
    %3, %4 = "tf.Split"(%cst_7, %arg4) {device = ""} : (tensor<i32>, tensor<*xf32>) -> (tensor<*xf32>, tensor<*xf32>)
    %5, %6 = "tf.Split"(%cst_7, %arg2) {device = ""} : (tensor<i32>, tensor<*xf32>) -> (tensor<*xf32>, tensor<*xf32>)
    %7 = "tf.StridedSlice"(%arg0, %cst_6, %cst_5, %cst_4) <{begin_mask = 1 : i64, ellipsis_mask = 0 : i64, end_mask = 1 : i64, new_axis_mask = 0 : i64, shrink_axis_mask = 2 : i64}> {device = ""} : (tensor<2x4x3xf32>, tensor<2xi32>, tensor<2xi32>, tensor<2xi32>) -> tensor<2x3xf32>
    %8 = "tf.MatMul"(%7, %5) <{grad_a = false, grad_b = false, transpose_a = false, transpose_b = false}> {device = ""} : (tensor<2x3xf32>, tensor<*xf32>) -> tensor<2x?xf32>
    %9 = "tf.AddV2"(%8, %2) {device = ""} : (tensor<2x?xf32>, tensor<2x?xf32>) -> tensor<2x?xf32>
    %10 = "tf.AddV2"(%9, %3) {device = ""} : (tensor<2x?xf32>, tensor<*xf32>) -> tensor<*xf32>
    %11 = "tf.Sigmoid"(%10) {device = ""} : (tensor<*xf32>) -> tensor<*xf32>
    %12 = "tf.Mul"(%11, %arg1) {device = ""} : (tensor<*xf32>, tensor<2x2xf32>) -> tensor<*xf32>
    %13 = "tf.MatMul"(%12, %1) <{grad_a = false, grad_b = false, transpose_a = false, transpose_b = false}> {device = ""} : (tensor<*xf32>, tensor<*xf32>) -> tensor<?x?xf32>
    %14 = "tf.Sub"(%cst, %11) {device = ""} : (tensor<f32>, tensor<*xf32>) -> tensor<*xf32>
    %15 = "tf.Mul"(%14, %arg1) {device = ""} : (tensor<*xf32>, tensor<2x2xf32>) -> tensor<*xf32>
    %16 = "tf.MatMul"(%7, %6) <{grad_a = false, grad_b = false, transpose_a = false, transpose_b = false}> {device = ""} : (tensor<2x3xf32>, tensor<*xf32>) -> tensor<2x?xf32>
    %17 = "tf.AddV2"(%16, %13) {device = ""} : (tensor<2x?xf32>, tensor<?x?xf32>) -> tensor<2x?xf32>
    %18 = "tf.AddV2"(%17, %4) {device = ""} : (tensor<2x?xf32>, tensor<*xf32>) -> tensor<*xf32>
    %19 = "tf.Tanh"(%18) {device = ""} : (tensor<*xf32>) -> tensor<*xf32>
    %20 = "tf.Mul"(%11, %19) {device = ""} : (tensor<*xf32>, tensor<*xf32>) -> tensor<*xf32>
    %21 = "tf.AddV2"(%15, %20) {device = ""} : (tensor<*xf32>, tensor<*xf32>) -> tensor<*xf32>
    %22 = "tf.MatMul"(%21, %0) <{grad_a = false, grad_b = false, transpose_a = false, transpose_b = false}> {device = ""} : (tensor<*xf32>, tensor<*xf32>) -> tensor<?x?xf32>
    %23 = "tf.StridedSlice"(%arg0, %cst_5, %cst_3, %cst_4) <{begin_mask = 1 : i64, ellipsis_mask = 0 : i64, end_mask = 1 : i64, new_axis_mask = 0 : i64, shrink_axis_mask = 2 : i64}> {device = ""} : (tensor<2x4x3xf32>, tensor<2xi32>, tensor<2xi32>, tensor<2xi32>) -> tensor<2x3xf32>
    %24 = "tf.MatMul"(%23, %5) <{grad_a = false, grad_b = false, transpose_a = false, transpose_b = false}> {device = ""} : (tensor<2x3xf32>, tensor<*xf32>) -> tensor<2x?xf32>
    %25 = "tf.AddV2"(%24, %22) {device = ""} : (tensor<2x?xf32>, tensor<?x?xf32>) -> tensor<2x?xf32>
    %26 = "tf.AddV2"(%25, %3) {device = ""} : (tensor<2x?xf32>, tensor<*xf32>) -> tensor<*xf32>
    %27 = "tf.Sigmoid"(%26) {device = ""} : (tensor<*xf32>) -> tensor<*xf32>
    %28 = "tf.Mul"(%27, %21) {device = ""} : (tensor<*xf32>, tensor<*xf32>) -> tensor<*xf32>
    %29 = "tf.MatMul"(%28, %1) <{grad_a = false, grad_b = false, transpose_a = false, transpose_b = false}> {device = ""} : (tensor<*xf32>, tensor<*xf32>) -> tensor<?x?xf32>
    %30 = "tf.Sub"(%cst, %27) {device = ""} : (tensor<f32>, tensor<*xf32>) -> tensor<*xf32>
    %31 = "tf.Mul"(%30, %21) {device = ""} : (tensor<*xf32>, tensor<*xf32>) -> tensor<*xf32>
    %32 = "tf.MatMul"(%23, %6) <{grad_a = false, grad_b = false, transpose_a = false, transpose_b = false}> {device = ""} : (tensor<2x3xf32>, tensor<*xf32>) -> tensor<2x?xf32>
    %33 = "tf.AddV2"(%32, %29) {device = ""} : (tensor<2x?xf32>, tensor<?x?xf32>) -> tensor<2x?xf32>
    %34 = "tf.AddV2"(%33, %4) {device = ""} : (tensor<2x?xf32>, tensor<*xf32>) -> tensor<*xf32>
    %35 = "tf.Tanh"(%34) {device = ""} : (tensor<*xf32>) -> tensor<*xf32>
    %36 = "tf.Mul"(%27, %35) {device = ""} : (tensor<*xf32>, tensor<*xf32>) -> tensor<*xf32>
    %37 = "tf.AddV2"(%31, %36) {device = ""} : (tensor<*xf32>, tensor<*xf32>) -> tensor<*xf32>
    %38 = "tf.MatMul"(%37, %0) <{grad_a = false, grad_b = false, transpose_a = false, transpose_b = false}> {device = ""} : (tensor<*xf32>, tensor<*xf32>) -> tensor<?x?xf32>
    %39 = "tf.StridedSlice"(%arg0, %cst_3, %cst_2, %cst_4) <{begin_mask = 1 : i64, ellipsis_mask = 0 : i64, end_mask = 1 : i64, new_axis_mask = 0 : i64, shrink_axis_mask = 2 : i64}> {device = ""} : (tensor<2x4x3xf32>, tensor<2xi32>, tensor<2xi32>, tensor<2xi32>) -> tensor<2x3xf32>
    %40 = "tf.MatMul"(%39, %5) <{grad_a = false, grad_b = false, transpose_a = false, transpose_b = false}> {device = ""} : (tensor<2x3xf32>, tensor<*xf32>) -> tensor<2x?xf32>
    %41 = "tf.AddV2"(%40, %38) {device = ""} : (tensor<2x?xf32>, tensor<?x?xf32>) -> tensor<2x?xf32>
    %42 = "tf.AddV2"(%41, %3) {device = ""} : (tensor<2x?xf32>, tensor<*xf32>) -> tensor<*xf32>
    %43 = "tf.Sigmoid"(%42) {device = ""} : (tensor<*xf32>) -> tensor<*xf32>
    %44 = "tf.Mul"(%43, %37) {device = ""} : (tensor<*xf32>, tensor<*xf32>) -> tensor<*xf32>
    %45 = "tf.MatMul"(%44, %1) <{grad_a = false, grad_b = false, transpose_a = false, transpose_b = false}> {device = ""} : (tensor<*xf32>, tensor<*xf32>) -> tensor<?x?xf32>
    %46 = "tf.Sub"(%cst, %43) {device = ""} : (tensor<f32>, tensor<*xf32>) -> tensor<*xf32>
    %47 = "tf.Mul"(%46, %37) {device = ""} : (tensor<*xf32>, tensor<*xf32>) -> tensor<*xf32>
    %48 = "tf.MatMul"(%39, %6) <{grad_a = false, grad_b = false, transpose_a = false, transpose_b = false}> {device = ""} : (tensor<2x3xf32>, tensor<*xf32>) -> tensor<2x?xf32>
    %49 = "tf.AddV2"(%48, %45) {device = ""} : (tensor<2x?xf32>, tensor<?x?xf32>) -> tensor<2x?xf32>
    %50 = "tf.AddV2"(%49, %4) {device = ""} : (tensor<2x?xf32>, tensor<*xf32>) -> tensor<*xf32>
    %51 = "tf.Tanh"(%50) {device = ""} : (tensor<*xf32>) -> tensor<*xf32>
    %52 = "tf.Mul"(%43, %51) {device = ""} : (tensor<*xf32>, tensor<*xf32>) -> tensor<*xf32>
    %53 = "tf.AddV2"(%47, %52) {device = ""} : (tensor<*xf32>, tensor<*xf32>) -> tensor<*xf32>
    %54 = "tf.MatMul"(%53, %0) <{grad_a = false, grad_b = false, transpose_a = false, transpose_b = false}> {device = ""} : (tensor<*xf32>, tensor<*xf32>) -> tensor<?x?xf32>
    %55 = "tf.StridedSlice"(%arg0, %cst_2, %cst_1, %cst_4) <{begin_mask = 1 : i64, ellipsis_mask = 0 : i64, end_mask = 1 : i64, new_axis_mask = 0 : i64, shrink_axis_mask = 2 : i64}> {device = ""} : (tensor<2x4x3xf32>, tensor<2xi32>, tensor<2xi32>, tensor<2xi32>) -> tensor<2x3xf32>
    %56 = "tf.MatMul"(%55, %5) <{grad_a = false, grad_b = false, transpose_a = false, transpose_b = false}> {device = ""} : (tensor<2x3xf32>, tensor<*xf32>) -> tensor<2x?xf32>
    %57 = "tf.AddV2"(%56, %54) {device = ""} : (tensor<2x?xf32>, tensor<?x?xf32>) -> tensor<2x?xf32>
    %58 = "tf.AddV2"(%57, %3) {device = ""} : (tensor<2x?xf32>, tensor<*xf32>) -> tensor<*xf32>
    %59 = "tf.Sigmoid"(%58) {device = ""} : (tensor<*xf32>) -> tensor<*xf32>
    %60 = "tf.Mul"(%59, %53) {device = ""} : (tensor<*xf32>, tensor<*xf32>) -> tensor<*xf32>
    %61 = "tf.MatMul"(%60, %1) <{grad_a = false, grad_b = false, transpose_a = false, transpose_b = false}> {device = ""} : (tensor<*xf32>, tensor<*xf32>) -> tensor<?x?xf32>
    %62 = "tf.Sub"(%cst, %59) {device = ""} : (tensor<f32>, tensor<*xf32>) -> tensor<*xf32>
    %63 = "tf.Mul"(%62, %53) {device = ""} : (tensor<*xf32>, tensor<*xf32>) -> tensor<*xf32>
    %64 = "tf.MatMul"(%55, %6) <{grad_a = false, grad_b = false, transpose_a = false, transpose_b = false}> {device = ""} : (tensor<2x3xf32>, tensor<*xf32>) -> tensor<2x?xf32>
    %65 = "tf.AddV2"(%64, %61) {device = ""} : (tensor<2x?xf32>, tensor<?x?xf32>) -> tensor<2x?xf32>
    %66 = "tf.AddV2"(%65, %4) {device = ""} : (tensor<2x?xf32>, tensor<*xf32>) -> tensor<*xf32>
    %67 = "tf.Tanh"(%66) {device = ""} : (tensor<*xf32>) -> tensor<*xf32>
    %68 = "tf.Mul"(%59, %67) {device = ""} : (tensor<*xf32>, tensor<*xf32>) -> tensor<*xf32>
    %69 = "tf.AddV2"(%63, %68) {device = ""} : (tensor<*xf32>, tensor<*xf32>) -> tensor<*xf32>
    %70 = "tf.Pack"(%21, %37, %53, %69) <{axis = 1 : i64}> {device = ""} : (tensor<*xf32>, tensor<*xf32>, tensor<*xf32>, tensor<*xf32>) -> tensor<*xf32>
    %71 = "tf.Identity"(%70) {device = ""} : (tensor<*xf32>) -> tensor<*xf32>
    func.return %71 : tensor<*xf32>
  }
  "tf_saved_model.global_tensor"() {sym_name = "Variable", type = tensor<3x4xf32>, value = #nn.blob<dense<[[0.43958032, -0.5358937, 0.4572336, -0.010031727], [-0.62437445, -0.15694973, 0.02705114, 0.13639566], [-0.49109405, -0.5536865, 0.099792264, -0.2333748]]> : tensor<3x4xf32>>} : () -> ()
  "tf_saved_model.global_tensor"() {sym_name = "Variable_1", type = tensor<2x4xf32>, value = #nn.blob<dense<[[0.117752805, 0.37975976, -0.8243937, 0.12719406], [0.61232346, -0.14876342, -0.40540728, 0.3761219]]> : tensor<2x4xf32>>} : () -> ()
  "tf_saved_model.global_tensor"() {sym_name = "Variable_2", type = tensor<4xf32>, value = #nn.blob<dense<[0.12672326, 0.44794154, -0.17260785, -0.74090916]> : tensor<4xf32>>} : () -> ()
}
