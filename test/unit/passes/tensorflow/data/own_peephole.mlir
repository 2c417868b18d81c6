builtin.module attributes {tf.versions = {bad_consumers = [], min_consumer = 0 : i32, producer = 2474 : i32}} {
  func.func @__inference_flat_158(%arg0: tensor<2x4x3xf32> {tf._user_specified_name = "x"}, %arg1: tensor<*x!tf_type.resource> {tf._user_specified_name = "resource", tf_saved_model.bound_input = @Variable}, %arg2: tensor<*x!tf_type.resource> {tf._user_specified_name = "resource", tf_saved_model.bound_input = @Variable_1}, %arg3: tensor<*x!tf_type.resource> {tf._user_specified_name = "resource", tf_saved_model.bound_input = @Variable_2}, %arg4: tensor<*x!tf_type.resource> {tf._user_specified_name = "resource", tf_saved_model.bound_input = @Variable_3}) -> tensor<*xf32> attributes {allow_soft_placement = false, tf.entry_function = {control_outputs = "ReadVariableOp,ReadVariableOp_1,ReadVariableOp_2,ReadVariableOp_3", inputs = "x,readvariableop_resource,readvariableop_1_resource,readvariableop_2_resource,readvariableop_3_resource,unknown,unknown_0", outputs = "identity_RetVal"}} {
    %arg6 = nn.constant dense<[[1.7997074, 1.1441659], [-0.32542282, 0.7738066]]> : tensor<2x2xf32>
    %arg5 = nn.constant dense<[[0.18905339, -0.5227485], [-0.41306356, -2.4414673]]> : tensor<2x2xf32>
    %0 = "tf.ReadVariableOp"(%arg2) {device = ""} : (tensor<*x!tf_type.resource>) -> tensor<*xf32>
    %1 = "tf.ReadVariableOp"(%arg3) {device = ""} : (tensor<*x!tf_type.resource>) -> tensor<*xf32>
    %2 = "tf.ReadVariableOp"(%arg4) {device = ""} : (tensor<*x!tf_type.resource>) -> tensor<*xf32>
    %3 = "tf.ReadVariableOp"(%arg1) {device = ""} : (tensor<*x!tf_type.resource>) -> tensor<*xf32>
    %4 = "tf.PartitionedCall"(%arg0, %arg5, %arg6, %3, %0, %1, %2) <{config = "", config_proto = "\0A\07\0A\03CPU\10\01\0A\07\0A\03GPU\10\002\02J\008\01\82\01\00\92\01\02J\00", executor_type = "", f = @__inference_lstm_1510}> {_collective_manager_ids = [], _read_only_resource_inputs = [], device = ""} : (tensor<2x4x3xf32>, tensor<2x2xf32>, tensor<2x2xf32>, tensor<*xf32>, tensor<*xf32>, tensor<*xf32>, tensor<*xf32>) -> tensor<*xf32>
    %5 = "tf.Identity"(%4) {device = ""} : (tensor<*xf32>) -> tensor<*xf32>
    func.return %5 : tensor<*xf32>
  }
  func.func private @__inference_lstm_1510(%arg0: tensor<2x4x3xf32> {tf._user_specified_name = "x"}, %arg1: tensor<2x2xf32> {tf._user_specified_name = "h"}, %arg2: tensor<2x2xf32> {tf._user_specified_name = "c"}, %arg3: tensor<*xf32> {tf._user_specified_name = "w"}, %arg4: tensor<*xf32> {tf._user_specified_name = "r"}, %arg5: tensor<*xf32> {tf._user_specified_name = "p"}, %arg6: tensor<*xf32> {tf._user_specified_name = "b"}) -> tensor<*xf32> attributes {tf._construction_context = "kEagerRuntime", tf._implements = "recurrent_cells.PeepholeLSTM"} {
    %cst = "tf.Const"() <{value = dense<[0, 4]> : tensor<2xi32>}> {device = ""} : () -> tensor<2xi32>
    %cst_1 = "tf.Const"() <{value = dense<[0, 3]> : tensor<2xi32>}> {device = ""} : () -> tensor<2xi32>
    %cst_2 = "tf.Const"() <{value = dense<[0, 2]> : tensor<2xi32>}> {device = ""} : () -> tensor<2xi32>
    %cst_3 = "tf.Const"() <{value = dense<1> : tensor<2xi32>}> {device = ""} : () -> tensor<2xi32>
    %cst_4 = "tf.Const"() <{value = dense<[0, 1]> : tensor<2xi32>}> {device = ""} : () -> tensor<2xi32>
    %cst_5 = "tf.Const"() <{value = dense<0> : tensor<2xi32>}> {device = ""} : () -> tensor<2xi32>
    %cst_6 = "tf.Const"() <{value = dense<1> : tensor<i32>}> {device = ""} : () -> tensor<i32>
    %cst_7 = "tf.Const"() <{value = dense<0> : tensor<i32>}> {device = ""} : () -> tensor<i32>
    %0 = "tf.MatMul"(%arg1, %arg4) <{grad_a = false, grad_b = false, transpose_a = false, transpose_b = false}> {device = ""} : (tensor<2x2xf32>, tensor<*xf32>) -> tensor<2x?xf32>
    %1, %2, %3 = "tf.Split"(%cst_7, %arg5) {device = ""} : (tensor<i32>, tensor<*xf32>) -> (tensor<*xf32>, tensor<*xf32>, tensor<*xf32>)
    %4 = "tf.Mul"(%1, %arg2) {device = ""} : (tensor<*xf32>, tensor<2x2xf32>) -> tensor<*xf32>
    %5 = "tf.Mul"(%2, %arg2) {device = ""} : (tensor<*xf32>, tensor<2x2xf32>) -> tensor<*xf32>
    %6 = "tf.StridedSlice"(%arg0, %cst_5, %cst_4, %cst_3) <{begin_mask = 1 : i64, ellipsis_mask = 0 : i64, end_mask = 1 : i64, new_axis_mask = 0 : i64, shrink_axis_mask = 2 : i64}> {device = ""} : (tensor<2x4x3xf32>, tensor<2xi32>, tensor<2xi32>, tensor<2xi32>) -> tensor<2x3xf32>
    %7 = "tf.MatMul"(%6, %arg3) <{grad_a = false, grad_b = false, transpose_a = false, transpose_b = false}> {device = ""} : (tensor<2x3xf32>, tensor<*xf32>) -> tensor<2x?xf32>
    %8 = "tf.AddV2"(%7, %0) {device = ""} : (tensor<2x?xf32>, tensor<2x?xf32>) -> tensor<2x?xf32>
    %9 = "tf.AddV2"(%8, %arg6) {device = ""} : (tensor<2x?xf32>, tensor<*xf32>) -> tensor<*xf32>
    %10, %11, %12, %13 = "tf.Split"(%cst_6, %9) {device = ""} : (tensor<i32>, tensor<*xf32>) -> (tensor<*xf32>, tensor<*xf32>, tensor<*xf32>, tensor<*xf32>)
    %14 = "tf.Tanh"(%12) {device = ""} : (tensor<*xf32>) -> tensor<*xf32>
    %15 = "tf.AddV2"(%10, %4) {device = ""} : (tensor<*xf32>, tensor<*xf32>) -> tensor<*xf32>
    %16 = "tf.Sigmoid"(%15) {device = ""} : (tensor<*xf32>) -> tensor<*xf32>
    %17 = "tf.Mul"(%16, %14) {device = ""} : (tensor<*xf32>, tensor<*xf32>) -> tensor<*xf32>
    %18 = "tf.AddV2"(%11, %5) {device = ""} : (tensor<*xf32>, tensor<*xf32>) -> tensor<*xf32>
    %19 = "tf.Sigmoid"(%18) {device = ""} : (tensor<*xf32>) -> tensor<*xf32>
    %20 = "tf.Mul"(%19, %arg2) {device = ""} : (tensor<*xf32>, tensor<2x2xf32>) -> tensor<*xf32>
    %21 = "tf.AddV2"(%20, %17) {device = ""} : (tensor<*xf32>, tensor<*xf32>) -> tensor<*xf32>
    %22 = "tf.Tanh"(%21) {device = ""} : (tensor<*xf32>) -> tensor<*xf32>
    %23 = "tf.Mul"(%3, %21) {device = ""} : (tensor<*xf32>, tensor<*xf32>) -> tensor<*xf32>
    %24 = "tf.AddV2"(%13, %23) {device = ""} : (tensor<*xf32>, tensor<*xf32>) -> tensor<*xf32>
    %25 = "tf.Sigmoid"(%24) {device = ""} : (tensor<*xf32>) -> tensor<*xf32>
    %26 = "tf.Mul"(%25, %22) {device = ""} : (tensor<*xf32>, tensor<*xf32>) -> tensor<*xf32>
    %27 = "tf.MatMul"(%26, %arg4) <{grad_a = false, grad_b = false, transpose_a = false, transpose_b = false}> {device = ""} : (tensor<*xf32>, tensor<*xf32>) -> tensor<?x?xf32>
    %28 = "tf.Mul"(%1, %21) {device = ""} : (tensor<*xf32>, tensor<*xf32>) -> tensor<*xf32>
    %29 = "tf.Mul"(%2, %21) {device = ""} : (tensor<*xf32>, tensor<*xf32>) -> tensor<*xf32>
    %30 = "tf.StridedSlice"(%arg0, %cst_4, %cst_2, %cst_3) <{begin_mask = 1 : i64, ellipsis_mask = 0 : i64, end_mask = 1 : i64, new_axis_mask = 0 : i64, shrink_axis_mask = 2 : i64}> {device = ""} : (tensor<2x4x3xf32>, tensor<2xi32>, tensor<2xi32>, tensor<2xi32>) -> tensor<2x3xf32>
    %31 = "tf.MatMul"(%30, %arg3) <{grad_a = false, grad_b = false, transpose_a = false, transpose_b = false}> {device = ""} : (tensor<2x3xf32>, tensor<*xf32>) -> tensor<2x?xf32>
    %32 = "tf.AddV2"(%31, %27) {device = ""} : (tensor<2x?xf32>, tensor<?x?xf32>) -> tensor<2x?xf32>
    %33 = "tf.AddV2"(%32, %arg6) {device = ""} : (tensor<2x?xf32>, tensor<*xf32>) -> tensor<*xf32>
    %34, %35, %36, %37 = "tf.Split"(%cst_6, %33) {device = ""} : (tensor<i32>, tensor<*xf32>) -> (tensor<*xf32>, tensor<*xf32>, tensor<*xf32>, tensor<*xf32>)
    %38 = "tf.Tanh"(%36) {device = ""} : (tensor<*xf32>) -> tensor<*xf32>
    %39 = "tf.AddV2"(%34, %28) {device = ""} : (tensor<*xf32>, tensor<*xf32>) -> tensor<*xf32>
    %40 = "tf.Sigmoid"(%39) {device = ""} : (tensor<*xf32>) -> tensor<*xf32>
    %41 = "tf.Mul"(%40, %38) {device = ""} : (tensor<*xf32>, tensor<*xf32>) -> tensor<*xf32>
    %42 = "tf.AddV2"(%35, %29) {device = ""} : (tensor<*xf32>, tensor<*xf32>) -> tensor<*xf32>
    %43 = "tf.Sigmoid"(%42) {device = ""} : (tensor<*xf32>) -> tensor<*xf32>
    %44 = "tf.Mul"(%43, %21) {device = ""} : (tensor<*xf32>, tensor<*xf32>) -> tensor<*xf32>
    %45 = "tf.AddV2"(%44, %41) {device = ""} : (tensor<*xf32>, tensor<*xf32>) -> tensor<*xf32>
    %46 = "tf.Tanh"(%45) {device = ""} : (tensor<*xf32>) -> tensor<*xf32>
    %47 = "tf.Mul"(%3, %45) {device = ""} : (tensor<*xf32>, tensor<*xf32>) -> tensor<*xf32>
    %48 = "tf.AddV2"(%37, %47) {device = ""} : (tensor<*xf32>, tensor<*xf32>) -> tensor<*xf32>
    %49 = "tf.Sigmoid"(%48) {device = ""} : (tensor<*xf32>) -> tensor<*xf32>
    %50 = "tf.Mul"(%49, %46) {device = ""} : (tensor<*xf32>, tensor<*xf32>) -> tensor<*xf32>
    %51 = "tf.MatMul"(%50, %arg4) <{grad_a = false, grad_b = false, transpose_a = false, transpose_b = false}> {device = ""} : (tensor<*xf32>, tensor<*xf32>) -> tensor<?x?xf32>
    %52 = "tf.Mul"(%1, %45) {device = ""} : (tensor<*xf32>, tensor<*xf32>) -> tensor<*xf32>
    %53 = "tf.Mul"(%2, %45) {device = ""} : (tensor<*xf32>, tensor<*xf32>) -> tensor<*xf32>
    %54 = "tf.StridedSlice"(%arg0, %cst_2, %cst_1, %cst_3) <{begin_mask = 1 : i64, ellipsis_mask = 0 : i64, end_mask = 1 : i64, new_axis_mask = 0 : i64, shrink_axis_mask = 2 : i64}> {device = ""} : (tensor<2x4x3xf32>, tensor<2xi32>, tensor<2xi32>, tensor<2xi32>) -> tensor<2x3xf32>
    %55 = "tf.MatMul"(%54, %arg3) <{grad_a = false, grad_b = false, transpose_a = false, transpose_b = false}> {device = ""} : (tensor<2x3xf32>, tensor<*xf32>) -> tensor<2x?xf32>
    %56 = "tf.AddV2"(%55, %51) {device = ""} : (tensor<2x?xf32>, tensor<?x?xf32>) -> tensor<2x?xf32>
    %57 = "tf.AddV2"(%56, %arg6) {device = ""} : (tensor<2x?xf32>, tensor<*xf32>) -> tensor<*xf32>
    %58, %59, %60, %61 = "tf.Split"(%cst_6, %57) {device = ""} : (tensor<i32>, tensor<*xf32>) -> (tensor<*xf32>, tensor<*xf32>, tensor<*xf32>, tensor<*xf32>)
    %62 = "tf.Tanh"(%60) {device = ""} : (tensor<*xf32>) -> tensor<*xf32>
    %63 = "tf.AddV2"(%58, %52) {device = ""} : (tensor<*xf32>, tensor<*xf32>) -> tensor<*xf32>
    %64 = "tf.Sigmoid"(%63) {device = ""} : (tensor<*xf32>) -> tensor<*xf32>
    %65 = "tf.Mul"(%64, %62) {device = ""} : (tensor<*xf32>, tensor<*xf32>) -> tensor<*xf32>
    %66 = "tf.AddV2"(%59, %53) {device = ""} : (tensor<*xf32>, tensor<*xf32>) -> tensor<*xf32>
    %67 = "tf.Sigmoid"(%66) {device = ""} : (tensor<*xf32>) -> tensor<*xf32>
    %68 = "tf.Mul"(%67, %45) {device = ""} : (tensor<*xf32>, tensor<*xf32>) -> tensor<*xf32>
    %69 = "tf.AddV2"(%68, %65) {device = ""} : (tensor<*xf32>, tensor<*xf32>) -> tensor<*xf32>
    %70 = "tf.Tanh"(%69) {device = ""} : (tensor<*xf32>) -> tensor<*xf32>
    %71 = "tf.Mul"(%3, %69) {device = ""} : (tensor<*xf32>, tensor<*xf32>) -> tensor<*xf32>
    %72 = "tf.AddV2"(%61, %71) {device = ""} : (tensor<*xf32>, tensor<*xf32>) -> tensor<*xf32>
    %73 = "tf.Sigmoid"(%72) {device = ""} : (tensor<*xf32>) -> tensor<*xf32>
    %74 = "tf.Mul"(%73, %70) {device = ""} : (tensor<*xf32>, tensor<*xf32>) -> tensor<*xf32>
    %75 = "tf.MatMul"(%74, %arg4) <{grad_a = false, grad_b = false, transpose_a = false, transpose_b = false}> {device = ""} : (tensor<*xf32>, tensor<*xf32>) -> tensor<?x?xf32>
    %76 = "tf.Mul"(%1, %69) {device = ""} : (tensor<*xf32>, tensor<*xf32>) -> tensor<*xf32>
    %77 = "tf.Mul"(%2, %69) {device = ""} : (tensor<*xf32>, tensor<*xf32>) -> tensor<*xf32>
    %78 = "tf.StridedSlice"(%arg0, %cst_1, %cst, %cst_3) <{begin_mask = 1 : i64, ellipsis_mask = 0 : i64, end_mask = 1 : i64, new_axis_mask = 0 : i64, shrink_axis_mask = 2 : i64}> {device = ""} : (tensor<2x4x3xf32>, tensor<2xi32>, tensor<2xi32>, tensor<2xi32>) -> tensor<2x3xf32>
    %79 = "tf.MatMul"(%78, %arg3) <{grad_a = false, grad_b = false, transpose_a = false, transpose_b = false}> {device = ""} : (tensor<2x3xf32>, tensor<*xf32>) -> tensor<2x?xf32>
    %80 = "tf.AddV2"(%79, %75) {device = ""} : (tensor<2x?xf32>, tensor<?x?xf32>) -> tensor<2x?xf32>
    %81 = "tf.AddV2"(%80, %arg6) {device = ""} : (tensor<2x?xf32>, tensor<*xf32>) -> tensor<*xf32>
    %82, %83, %84, %85 = "tf.Split"(%cst_6, %81) {device = ""} : (tensor<i32>, tensor<*xf32>) -> (tensor<*xf32>, tensor<*xf32>, tensor<*xf32>, tensor<*xf32>)
    %86 = "tf.Tanh"(%84) {device = ""} : (tensor<*xf32>) -> tensor<*xf32>
    %87 = "tf.AddV2"(%82, %76) {device = ""} : (tensor<*xf32>, tensor<*xf32>) -> tensor<*xf32>
    %88 = "tf.Sigmoid"(%87) {device = ""} : (tensor<*xf32>) -> tensor<*xf32>
    %89 = "tf.Mul"(%88, %86) {device = ""} : (tensor<*xf32>, tensor<*xf32>) -> tensor<*xf32>
    %90 = "tf.AddV2"(%83, %77) {device = ""} : (tensor<*xf32>, tensor<*xf32>) -> tensor<*xf32>
    %91 = "tf.Sigmoid"(%90) {device = ""} : (tensor<*xf32>) -> tensor<*xf32>
    %92 = "tf.Mul"(%91, %69) {device = ""} : (tensor<*xf32>, tensor<*xf32>) -> tensor<*xf32>
    %93 = "tf.AddV2"(%92, %89) {device = ""} : (tensor<*xf32>, tensor<*xf32>) -> tensor<*xf32>
    %94 = "tf.Tanh"(%93) {device = ""} : (tensor<*xf32>) -> tensor<*xf32>
    %95 = "tf.Mul"(%3, %93) {device = ""} : (tensor<*xf32>, tensor<*xf32>) -> tensor<*xf32>
    %96 = "tf.AddV2"(%85, %95) {device = ""} : (tensor<*xf32>, tensor<*xf32>) -> tensor<*xf32>
    %97 = "tf.Sigmoid"(%96) {device = ""} : (tensor<*xf32>) -> tensor<*xf32>
    %98 = "tf.Mul"(%97, %94) {device = ""} : (tensor<*xf32>, tensor<*xf32>) -> tensor<*xf32>
    %99 = "tf.Pack"(%26, %50, %74, %98) <{axis = 1 : i64}> {device = ""} : (tensor<*xf32>, tensor<*xf32>, tensor<*xf32>, tensor<*xf32>) -> tensor<*xf32>
    %100 = "tf.Identity"(%99) {device = ""} : (tensor<*xf32>) -> tensor<*xf32>
    func.return %100 : tensor<*xf32>
  }
  "tf_saved_model.global_tensor"() {sym_name = "Variable", type = tensor<3x8xf32>, value = #nn.blob<dense<[[0.17279209, 0.41080907, 0.16521853, -0.6515786, 0.45267794, 0.22318728, -0.2684766, 0.29055905], [0.1822862, 0.14706625, 0.014211121, 0.2733565, -0.36822703, -0.08145498, -0.24105966, 0.2994231], [0.019861054, -0.14622837, -0.39095423, -0.12859613, 0.0040710904, -0.13780145, 0.6470319, 0.5033622]]> : tensor<3x8xf32>>} : () -> ()
  "tf_saved_model.global_tensor"() {sym_name = "Variable_1", type = tensor<2x8xf32>, value = #nn.blob<dense<[[-1.3555813, -0.94450665, -0.08738605, -0.2110952, 0.1068215, 0.108660966, 1.0589194, -0.55601037], [-0.18880251, 1.0213858, 0.3233515, 0.33153167, -0.2570032, -0.8240376, 0.083732374, 0.054507043]]> : tensor<2x8xf32>>} : () -> ()
  "tf_saved_model.global_tensor"() {sym_name = "Variable_2", type = tensor<6xf32>, value = #nn.blob<dense<[-0.613676, -0.34161332, -0.03602184, -0.4723758, -0.049134985, 0.047741514]> : tensor<6xf32>>} : () -> ()
  "tf_saved_model.global_tensor"() {sym_name = "Variable_3", type = tensor<8xf32>, value = #nn.blob<dense<[0.017793119, -0.25314584, 0.29687405, 0.44558346, 0.16042416, -0.4091151, 0.36582613, -0.25072002]> : tensor<8xf32>>} : () -> ()
}
