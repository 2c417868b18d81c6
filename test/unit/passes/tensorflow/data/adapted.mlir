builtin.module attributes {tf.versions = {bad_consumers = [], min_consumer = 0 : i32, producer = 2474 : i32}} {
  func.func @__inference_flat_133(%arg0: tensor<2x4x3xf32> {tf._user_specified_name = "x"}, %arg1: tensor<*x!tf_type.resource> {tf._user_specified_name = "resource", tf_saved_model.bound_input = @Variable}, %arg2: tensor<*x!tf_type.resource> {tf._user_specified_name = "resource", tf_saved_model.bound_input = @Variable_1}, %arg3: tensor<*x!tf_type.resource> {tf._user_specified_name = "resource", tf_saved_model.bound_input = @Variable_2}) -> tensor<*xf32> attributes {allow_soft_placement = false, tf.entry_function = {control_outputs = "ReadVariableOp,ReadVariableOp_1,ReadVariableOp_2", inputs = "x,readvariableop_resource,readvariableop_1_resource,readvariableop_2_resource,unknown", outputs = "identity_RetVal"}} {
    %arg4 = nn.constant dense<0.0> : tensor<2x2xf32>
    %0 = "tf.ReadVariableOp"(%arg2) {device = ""} : (tensor<*x!tf_type.resource>) -> tensor<*xf32>
    %1 = "tf.ReadVariableOp"(%arg3) {device = ""} : (tensor<*x!tf_type.resource>) -> tensor<*xf32>
    %2 = "tf.ReadVariableOp"(%arg1) {device = ""} : (tensor<*x!tf_type.resource>) -> tensor<*xf32>
    %3, %4, %5, %6, %7 = "tf.PartitionedCall"(%arg0, %arg4, %arg4, %2, %0, %1) <{config = "", config_proto = "\0A\07\0A\03CPU\10\01\0A\07\0A\03GPU\10\002\02J\008\01\82\01\00\92\01\02J\00", executor_type = "", f = @__inference_my_lstm_1230}> {_collective_manager_ids = [], _read_only_resource_inputs = [], device = ""} : (tensor<2x4x3xf32>, tensor<2x2xf32>, tensor<2x2xf32>, tensor<*xf32>, tensor<*xf32>, tensor<*xf32>) -> (tensor<*xf32>, tensor<*xf32>, tensor<*xf32>, tensor<*xf32>, tensor<f32>)
    %8 = "tf.Identity"(%4) {device = ""} : (tensor<*xf32>) -> tensor<*xf32>
    func.return %8 : tensor<*xf32>
  }
  func.func private @__inference_my_lstm_1230(%arg0: tensor<2x4x3xf32> {tf._user_specified_name = "x"}, %arg1: tensor<2x2xf32> {tf._user_specified_name = "h"}, %arg2: tensor<2x2xf32> {tf._user_specified_name = "c"}, %arg3: tensor<*xf32> {tf._user_specified_name = "w"}, %arg4: tensor<*xf32> {tf._user_specified_name = "r"}, %arg5: tensor<*xf32> {tf._user_specified_name = "b"}) -> (tensor<*xf32>, tensor<*xf32>, tensor<*xf32>, tensor<*xf32>, tensor<f32>) attributes {tf._construction_context = "kEagerRuntime", tf.api_implements = "lstm_adapter-of-my-own", tf.api_preferred_device = "CPU", tf.go_backwards = false, tf.time_major = false} {
    %cst = "tf.Const"() <{value = dense<[0, 4]> : tensor<2xi32>}> {device = ""} : () -> tensor<2xi32>
    %cst_1 = "tf.Const"() <{value = dense<[0, 3]> : tensor<2xi32>}> {device = ""} : () -> tensor<2xi32>
    %cst_2 = "tf.Const"() <{value = dense<[0, 2]> : tensor<2xi32>}> {device = ""} : () -> tensor<2xi32>
    %cst_3 = "tf.Const"() <{value = dense<1> : tensor<2xi32>}> {device = ""} : () -> tensor<2xi32>
    %cst_4 = "tf.Const"() <{value = dense<[0, 1]> : tensor<2xi32>}> {device = ""} : () -> tensor<2xi32>
    %cst_5 = "tf.Const"() <{value = dense<0> : tensor<2xi32>}> {device = ""} : () -> tensor<2xi32>
    %cst_6 = "tf.Const"() <{value = dense<1> : tensor<i32>}> {device = ""} : () -> tensor<i32>
    %cst_7 = "tf.Const"() <{value = dense<1.000000e+00> : tensor<f32>}> {device = ""} : () -> tensor<f32>
    %0 = "tf.Identity"(%cst_7) {device = ""} : (tensor<f32>) -> tensor<f32>
    %1 = "tf.MatMul"(%arg1, %arg4) <{grad_a = false, grad_b = false, transpose_a = false, transpose_b = false}> {device = ""} : (tensor<2x2xf32>, tensor<*xf32>) -> tensor<2x?xf32>
    %2 = "tf.StridedSlice"(%arg0, %cst_5, %cst_4, %cst_3) <{begin_mask = 1 : i64, ellipsis_mask = 0 : i64, end_mask = 1 : i64, new_axis_mask = 0 : i64, shrink_axis_mask = 2 : i64}> {device = ""} : (tensor<2x4x3xf32>, tensor<2xi32>, tensor<2xi32>, tensor<2xi32>) -> tensor<2x3xf32>
    %3 = "tf.MatMul"(%2, %arg3) <{grad_a = false, grad_b = false, transpose_a = false, transpose_b = false}> {device = ""} : (tensor<2x3xf32>, tensor<*xf32>) -> tensor<2x?xf32>
    %4 = "tf.AddV2"(%3, %1) {device = ""} : (tensor<2x?xf32>, tensor<2x?xf32>) -> tensor<2x?xf32>
    %5 = "tf.AddV2"(%4, %arg5) {device = ""} : (tensor<2x?xf32>, tensor<*xf32>) -> tensor<*xf32>
    %6, %7, %8, %9 = "tf.Split"(%cst_6, %5) {device = ""} : (tensor<i32>, tensor<*xf32>) -> (tensor<*xf32>, tensor<*xf32>, tensor<*xf32>, tensor<*xf32>)
    %10 = "tf.Sigmoid"(%7) {device = ""} : (tensor<*xf32>) -> tensor<*xf32>
    %11 = "tf.Mul"(%10, %arg2) {device = ""} : (tensor<*xf32>, tensor<2x2xf32>) -> tensor<*xf32>
    %12 = "tf.Sigmoid"(%6) {device = ""} : (tensor<*xf32>) -> tensor<*xf32>
    %13 = "tf.Sigmoid"(%9) {device = ""} : (tensor<*xf32>) -> tensor<*xf32>
    %14 = "tf.Tanh"(%8) {device = ""} : (tensor<*xf32>) -> tensor<*xf32>
    %15 = "tf.Mul"(%12, %14) {device = ""} : (tensor<*xf32>, tensor<*xf32>) -> tensor<*xf32>
    %16 = "tf.AddV2"(%11, %15) {device = ""} : (tensor<*xf32>, tensor<*xf32>) -> tensor<*xf32>
    %17 = "tf.Tanh"(%16) {device = ""} : (tensor<*xf32>) -> tensor<*xf32>
    %18 = "tf.Mul"(%13, %17) {device = ""} : (tensor<*xf32>, tensor<*xf32>) -> tensor<*xf32>
    %19 = "tf.MatMul"(%18, %arg4) <{grad_a = false, grad_b = false, transpose_a = false, transpose_b = false}> {device = ""} : (tensor<*xf32>, tensor<*xf32>) -> tensor<?x?xf32>
    %20 = "tf.StridedSlice"(%arg0, %cst_4, %cst_2, %cst_3) <{begin_mask = 1 : i64, ellipsis_mask = 0 : i64, end_mask = 1 : i64, new_axis_mask = 0 : i64, shrink_axis_mask = 2 : i64}> {device = ""} : (tensor<2x4x3xf32>, tensor<2xi32>, tensor<2xi32>, tensor<2xi32>) -> tensor<2x3xf32>
    %21 = "tf.MatMul"(%20, %arg3) <{grad_a = false, grad_b = false, transpose_a = false, transpose_b = false}> {device = ""} : (tensor<2x3xf32>, tensor<*xf32>) -> tensor<2x?xf32>
    %22 = "tf.AddV2"(%21, %19) {device = ""} : (tensor<2x?xf32>, tensor<?x?xf32>) -> tensor<2x?xf32>
    %23 = "tf.AddV2"(%22, %arg5) {device = ""} : (tensor<2x?xf32>, tensor<*xf32>) -> tensor<*xf32>
    %24, %25, %26, %27 = "tf.Split"(%cst_6, %23) {device = ""} : (tensor<i32>, tensor<*xf32>) -> (tensor<*xf32>, tensor<*xf32>, tensor<*xf32>, tensor<*xf32>)
    %28 = "tf.Sigmoid"(%25) {device = ""} : (tensor<*xf32>) -> tensor<*xf32>
    %29 = "tf.Mul"(%28, %16) {device = ""} : (tensor<*xf32>, tensor<*xf32>) -> tensor<*xf32>
    %30 = "tf.Sigmoid"(%24) {device = ""} : (tensor<*xf32>) -> tensor<*xf32>
    %31 = "tf.Sigmoid"(%27) {device = ""} : (tensor<*xf32>) -> tensor<*xf32>
    %32 = "tf.Tanh"(%26) {device = ""} : (tensor<*xf32>) -> tensor<*xf32>
    %33 = "tf.Mul"(%30, %32) {device = ""} : (tensor<*xf32>, tensor<*xf32>) -> tensor<*xf32>
    %34 = "tf.AddV2"(%29, %33) {device = ""} : (tensor<*xf32>, tensor<*xf32>) -> tensor<*xf32>
    %35 = "tf.Tanh"(%34) {device = ""} : (tensor<*xf32>) -> tensor<*xf32>
    %36 = "tf.Mul"(%31, %35) {device = ""} : (tensor<*xf32>, tensor<*xf32>) -> tensor<*xf32>
    %37 = "tf.MatMul"(%36, %arg4) <{grad_a = false, grad_b = false, transpose_a = false, transpose_b = false}> {device = ""} : (tensor<*xf32>, tensor<*xf32>) -> tensor<?x?xf32>
    %38 = "tf.StridedSlice"(%arg0, %cst_2, %cst_1, %cst_3) <{begin_mask = 1 : i64, ellipsis_mask = 0 : i64, end_mask = 1 : i64, new_axis_mask = 0 : i64, shrink_axis_mask = 2 : i64}> {device = ""} : (tensor<2x4x3xf32>, tensor<2xi32>, tensor<2xi32>, tensor<2xi32>) -> tensor<2x3xf32>
    %39 = "tf.MatMul"(%38, %arg3) <{grad_a = false, grad_b = false, transpose_a = false, transpose_b = false}> {device = ""} : (tensor<2x3xf32>, tensor<*xf32>) -> tensor<2x?xf32>
    %40 = "tf.AddV2"(%39, %37) {device = ""} : (tensor<2x?xf32>, tensor<?x?xf32>) -> tensor<2x?xf32>
    %41 = "tf.AddV2"(%40, %arg5) {device = ""} : (tensor<2x?xf32>, tensor<*xf32>) -> tensor<*xf32>
    %42, %43, %44, %45 = "tf.Split"(%cst_6, %41) {device = ""} : (tensor<i32>, tensor<*xf32>) -> (tensor<*xf32>, tensor<*xf32>, tensor<*xf32>, tensor<*xf32>)
    %46 = "tf.Sigmoid"(%43) {device = ""} : (tensor<*xf32>) -> tensor<*xf32>
    %47 = "tf.Mul"(%46, %34) {device = ""} : (tensor<*xf32>, tensor<*xf32>) -> tensor<*xf32>
    %48 = "tf.Sigmoid"(%42) {device = ""} : (tensor<*xf32>) -> tensor<*xf32>
    %49 = "tf.Sigmoid"(%45) {device = ""} : (tensor<*xf32>) -> tensor<*xf32>
    %50 = "tf.Tanh"(%44) {device = ""} : (tensor<*xf32>) -> tensor<*xf32>
    %51 = "tf.Mul"(%48, %50) {device = ""} : (tensor<*xf32>, tensor<*xf32>) -> tensor<*xf32>
    %52 = "tf.AddV2"(%47, %51) {device = ""} : (tensor<*xf32>, tensor<*xf32>) -> tensor<*xf32>
    %53 = "tf.Tanh"(%52) {device = ""} : (tensor<*xf32>) -> tensor<*xf32>
    %54 = "tf.Mul"(%49, %53) {device = ""} : (tensor<*xf32>, tensor<*xf32>) -> tensor<*xf32>
    %55 = "tf.MatMul"(%54, %arg4) <{grad_a = false, grad_b = false, transpose_a = false, transpose_b = false}> {device = ""} : (tensor<*xf32>, tensor<*xf32>) -> tensor<?x?xf32>
    %56 = "tf.StridedSlice"(%arg0, %cst_1, %cst, %cst_3) <{begin_mask = 1 : i64, ellipsis_mask = 0 : i64, end_mask = 1 : i64, new_axis_mask = 0 : i64, shrink_axis_mask = 2 : i64}> {device = ""} : (tensor<2x4x3xf32>, tensor<2xi32>, tensor<2xi32>, tensor<2xi32>) -> tensor<2x3xf32>
    %57 = "tf.MatMul"(%56, %arg3) <{grad_a = false, grad_b = false, transpose_a = false, transpose_b = false}> {device = ""} : (tensor<2x3xf32>, tensor<*xf32>) -> tensor<2x?xf32>
    %58 = "tf.AddV2"(%57, %55) {device = ""} : (tensor<2x?xf32>, tensor<?x?xf32>) -> tensor<2x?xf32>
    %59 = "tf.AddV2"(%58, %arg5) {device = ""} : (tensor<2x?xf32>, tensor<*xf32>) -> tensor<*xf32>
    %60, %61, %62, %63 = "tf.Split"(%cst_6, %59) {device = ""} : (tensor<i32>, tensor<*xf32>) -> (tensor<*xf32>, tensor<*xf32>, tensor<*xf32>, tensor<*xf32>)
    %64 = "tf.Sigmoid"(%60) {device = ""} : (tensor<*xf32>) -> tensor<*xf32>
    %65 = "tf.Sigmoid"(%63) {device = ""} : (tensor<*xf32>) -> tensor<*xf32>
    %66 = "tf.Sigmoid"(%61) {device = ""} : (tensor<*xf32>) -> tensor<*xf32>
    %67 = "tf.Mul"(%66, %52) {device = ""} : (tensor<*xf32>, tensor<*xf32>) -> tensor<*xf32>
    %68 = "tf.Tanh"(%62) {device = ""} : (tensor<*xf32>) -> tensor<*xf32>
    %69 = "tf.Mul"(%64, %68) {device = ""} : (tensor<*xf32>, tensor<*xf32>) -> tensor<*xf32>
    %70 = "tf.AddV2"(%67, %69) {device = ""} : (tensor<*xf32>, tensor<*xf32>) -> tensor<*xf32>
    %71 = "tf.Identity"(%70) {device = ""} : (tensor<*xf32>) -> tensor<*xf32>
    %72 = "tf.Tanh"(%70) {device = ""} : (tensor<*xf32>) -> tensor<*xf32>
    %73 = "tf.Mul"(%65, %72) {device = ""} : (tensor<*xf32>, tensor<*xf32>) -> tensor<*xf32>
    %74 = "tf.Identity"(%73) {device = ""} : (tensor<*xf32>) -> tensor<*xf32>
    %75 = "tf.Pack"(%18, %36, %54, %73) <{axis = 1 : i64}> {device = ""} : (tensor<*xf32>, tensor<*xf32>, tensor<*xf32>, tensor<*xf32>) -> tensor<*xf32>
    %76 = "tf.Identity"(%75) {device = ""} : (tensor<*xf32>) -> tensor<*xf32>
    func.return %74, %76, %74, %71, %0 : tensor<*xf32>, tensor<*xf32>, tensor<*xf32>, tensor<*xf32>, tensor<f32>
  }
  "tf_saved_model.global_tensor"() {sym_name = "Variable", type = tensor<3x8xf32>, value = #nn.blob<dense<[[0.17279209, 0.41080907, 0.16521853, -0.6515786, 0.45267794, 0.22318728, -0.2684766, 0.29055905], [0.1822862, 0.14706625, 0.014211121, 0.2733565, -0.36822703, -0.08145498, -0.24105966, 0.2994231], [0.019861054, -0.14622837, -0.39095423, -0.12859613, 0.0040710904, -0.13780145, 0.6470319, 0.5033622]]> : tensor<3x8xf32>>} : () -> ()
  "tf_saved_model.global_tensor"() {sym_name = "Variable_1", type = tensor<2x8xf32>, value = #nn.blob<dense<[[-1.3555813, -0.94450665, -0.08738605, -0.2110952, 0.1068215, 0.108660966, 1.0589194, -0.55601037], [-0.18880251, 1.0213858, 0.3233515, 0.33153167, -0.2570032, -0.8240376, 0.083732374, 0.054507043]]> : tensor<2x8xf32>>} : () -> ()
  "tf_saved_model.global_tensor"() {sym_name = "Variable_2", type = tensor<8xf32>, value = #nn.blob<dense<[-0.613676, -0.34161332, -0.03602184, -0.4723758, -0.049134985, 0.047741514, 0.017793119, -0.25314584]> : tensor<8xf32>>} : () -> ()
}
