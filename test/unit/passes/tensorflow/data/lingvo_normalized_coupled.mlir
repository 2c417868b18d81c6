builtin.module attributes {tf.versions = {bad_consumers = [], min_consumer = 0 : i32, producer = 2474 : i32}} {
  func.func @__inference_flat_553(%arg0: tensor<2x3xf32> {tf._user_specified_name = "x"}, %arg1: tensor<*x!tf_type.resource> {tf._user_specified_name = "resource", tf_saved_model.bound_input = @Variable}, %arg2: tensor<*x!tf_type.resource> {tf._user_specified_name = "resource", tf_saved_model.bound_input = @Variable_1}, %arg3: tensor<*x!tf_type.resource> {tf._user_specified_name = "resource", tf_saved_model.bound_input = @Variable_2}) -> tensor<*xf32> attributes {allow_soft_placement = false, tf.entry_function = {control_outputs = "ReadVariableOp,ReadVariableOp_1,ReadVariableOp_2", inputs = "x,readvariableop_resource,readvariableop_1_resource,readvariableop_2_resource", outputs = "identity_RetVal"}} {
    %0 = "tf.ReadVariableOp"(%arg2) {device = ""} : (tensor<*x!tf_type.resource>) -> tensor<*xf32>
    %1 = "tf.ReadVariableOp"(%arg3) {device = ""} : (tensor<*x!tf_type.resource>) -> tensor<*xf32>
    %2 = "tf.ReadVariableOp"(%arg1) {device = ""} : (tensor<*x!tf_type.resource>) -> tensor<*xf32>
    %3 = "tf.PartitionedCall"(%arg0, %2, %0, %1) <{config = "", config_proto = "\0A\07\0A\03CPU\10\01\0A\07\0A\03GPU\10\002\02J\008\01\82\01\00\92\01\02J\00", executor_type = "", f = @__inference_cell_5500}> {_collective_manager_ids = [], _read_only_resource_inputs = [], device = ""} : (tensor<2x3xf32>, tensor<*xf32>, tensor<*xf32>, tensor<*xf32>) -> tensor<*xf32>
    %4 = "tf.Identity"(%3) {device = ""} : (tensor<*xf32>) -> tensor<*xf32>
    func.return %4 : tensor<*xf32>
  }
  func.func private @__inference_cell_5500(%arg0: tensor<2x3xf32> {tf._user_specified_name = "x"}, %arg1: tensor<*xf32> {tf._user_specified_name = "w"}, %arg2: tensor<*xf32> {tf._user_specified_name = "bias"}, %arg3: tensor<*xf32> {tf._user_specified_name = "rest_0"}) -> tensor<*xf32> attributes {tf._construction_context = "kEagerRuntime", tf._implements = "LayerNormalizedLstmCellSimple,CoupleInputForgetGates"} {
    %cst = "tf.Const"() <{value = dense<0.000000e+00> : tensor<2x2xf32>}> {device = ""} : () -> tensor<2x2xf32>
    %cst_1 = "tf.Const"() <{value = dense<1.000000e+00> : tensor<f32>}> {device = ""} : () -> tensor<f32>
    %cst_2 = "tf.Const"() <{value = dense<-1> : tensor<i32>}> {device = ""} : () -> tensor<i32>
    %cst_3 = "tf.Const"() <{value = dense<1.000000e-08> : tensor<f32>}> {device = ""} : () -> tensor<f32>
    %cst_4 = "tf.Const"() <{value = dense<2.500000e-01> : tensor<f32>}> {device = ""} : () -> tensor<f32>
    %cst_5 = "tf.Const"() <{value = dense<-2.500000e-01> : tensor<f32>}> {device = ""} : () -> tensor<f32>
    %cst_6 = "tf.Const"() <{value = dense<1> : tensor<i32>}> {device = ""} : () -> tensor<i32>
    %cst_7 = "tf.Const"() <{value = dense<0> : tensor<i32>}> {device = ""} : () -> tensor<i32>
    %0, %1, %2 = "tf.Split"(%cst_7, %arg3) {device = ""} : (tensor<i32>, tensor<*xf32>) -> (tensor<*xf32>, tensor<*xf32>, tensor<*xf32>)
    %3, %4, %5 = "tf.Split"(%cst_7, %arg2) {device = ""} : (tensor<i32>, tensor<*xf32>) -> (tensor<*xf32>, tensor<*xf32>, tensor<*xf32>)
    %6 = "tf.ConcatV2"(%arg0, %cst, %cst_6) {device = ""} : (tensor<2x3xf32>, tensor<2x2xf32>, tensor<i32>) -> tensor<2x5xf32>
    %7 = "tf.MatMul"(%6, %arg1) <{grad_a = false, grad_b = false, transpose_a = false, transpose_b = false}> {device = ""} : (tensor<2x5xf32>, tensor<*xf32>) -> tensor<2x?xf32>
    %8, %9, %10 = "tf.Split"(%cst_6, %7) {device = ""} : (tensor<i32>, tensor<2x?xf32>) -> (tensor<2x?xf32>, tensor<2x?xf32>, tensor<2x?xf32>)
    %11 = "tf.Mean"(%8, %cst_2) <{keep_dims = true}> {device = ""} : (tensor<2x?xf32>, tensor<i32>) -> tensor<2x1xf32>
    %12 = "tf.Sub"(%8, %11) {device = ""} : (tensor<2x?xf32>, tensor<2x1xf32>) -> tensor<2x?xf32>
    %13 = "tf.SquaredDifference"(%8, %11) {device = ""} : (tensor<2x?xf32>, tensor<2x1xf32>) -> tensor<2x?xf32>
    %14 = "tf.Mean"(%13, %cst_2) <{keep_dims = true}> {device = ""} : (tensor<2x?xf32>, tensor<i32>) -> tensor<2x1xf32>
    %15 = "tf.AddV2"(%14, %cst_3) {device = ""} : (tensor<2x1xf32>, tensor<f32>) -> tensor<2x1xf32>
    %16 = "tf.Rsqrt"(%15) {device = ""} : (tensor<2x1xf32>) -> tensor<2x1xf32>
    %17 = "tf.Mul"(%12, %16) {device = ""} : (tensor<2x?xf32>, tensor<2x1xf32>) -> tensor<2x?xf32>
    %18 = "tf.Mul"(%17, %0) {device = ""} : (tensor<2x?xf32>, tensor<*xf32>) -> tensor<*xf32>
    %19 = "tf.AddV2"(%18, %3) {device = ""} : (tensor<*xf32>, tensor<*xf32>) -> tensor<*xf32>
    %20 = "tf.Tanh"(%19) {device = ""} : (tensor<*xf32>) -> tensor<*xf32>
    %21 = "tf.Mean"(%9, %cst_2) <{keep_dims = true}> {device = ""} : (tensor<2x?xf32>, tensor<i32>) -> tensor<2x1xf32>
    %22 = "tf.Sub"(%9, %21) {device = ""} : (tensor<2x?xf32>, tensor<2x1xf32>) -> tensor<2x?xf32>
    %23 = "tf.SquaredDifference"(%9, %21) {device = ""} : (tensor<2x?xf32>, tensor<2x1xf32>) -> tensor<2x?xf32>
    %24 = "tf.Mean"(%23, %cst_2) <{keep_dims = true}> {device = ""} : (tensor<2x?xf32>, tensor<i32>) -> tensor<2x1xf32>
    %25 = "tf.AddV2"(%24, %cst_3) {device = ""} : (tensor<2x1xf32>, tensor<f32>) -> tensor<2x1xf32>
    %26 = "tf.Rsqrt"(%25) {device = ""} : (tensor<2x1xf32>) -> tensor<2x1xf32>
    %27 = "tf.Mul"(%22, %26) {device = ""} : (tensor<2x?xf32>, tensor<2x1xf32>) -> tensor<2x?xf32>
    %28 = "tf.Mul"(%27, %1) {device = ""} : (tensor<2x?xf32>, tensor<*xf32>) -> tensor<*xf32>
    %29 = "tf.AddV2"(%28, %4) {device = ""} : (tensor<*xf32>, tensor<*xf32>) -> tensor<*xf32>
    %30 = "tf.Sigmoid"(%29) {device = ""} : (tensor<*xf32>) -> tensor<*xf32>
    %31 = "tf.Sub"(%cst_1, %30) {device = ""} : (tensor<f32>, tensor<*xf32>) -> tensor<*xf32>
    %32 = "tf.Mul"(%31, %20) {device = ""} : (tensor<*xf32>, tensor<*xf32>) -> tensor<*xf32>
    %33 = "tf.Mean"(%10, %cst_2) <{keep_dims = true}> {device = ""} : (tensor<2x?xf32>, tensor<i32>) -> tensor<2x1xf32>
    %34 = "tf.Sub"(%10, %33) {device = ""} : (tensor<2x?xf32>, tensor<2x1xf32>) -> tensor<2x?xf32>
    %35 = "tf.SquaredDifference"(%10, %33) {device = ""} : (tensor<2x?xf32>, tensor<2x1xf32>) -> tensor<2x?xf32>
    %36 = "tf.Mean"(%35, %cst_2) <{keep_dims = true}> {device = ""} : (tensor<2x?xf32>, tensor<i32>) -> tensor<2x1xf32>
    %37 = "tf.AddV2"(%36, %cst_3) {device = ""} : (tensor<2x1xf32>, tensor<f32>) -> tensor<2x1xf32>
    %38 = "tf.Rsqrt"(%37) {device = ""} : (tensor<2x1xf32>) -> tensor<2x1xf32>
    %39 = "tf.Mul"(%34, %38) {device = ""} : (tensor<2x?xf32>, tensor<2x1xf32>) -> tensor<2x?xf32>
    %40 = "tf.Mul"(%39, %2) {device = ""} : (tensor<2x?xf32>, tensor<*xf32>) -> tensor<*xf32>
    %41 = "tf.AddV2"(%40, %5) {device = ""} : (tensor<*xf32>, tensor<*xf32>) -> tensor<*xf32>
    %42 = "tf.Sigmoid"(%41) {device = ""} : (tensor<*xf32>) -> tensor<*xf32>
    %43 = "tf.Mul"(%30, %cst) {device = ""} : (tensor<*xf32>, tensor<2x2xf32>) -> tensor<*xf32>
    %44 = "tf.AddV2"(%43, %32) {device = ""} : (tensor<*xf32>, tensor<*xf32>) -> tensor<*xf32>
    %45 = "tf.Minimum"(%44, %cst_4) {device = ""} : (tensor<*xf32>, tensor<f32>) -> tensor<*xf32>
    %46 = "tf.Maximum"(%45, %cst_5) {device = ""} : (tensor<*xf32>, tensor<f32>) -> tensor<*xf32>
    %47 = "tf.Tanh"(%46) {device = ""} : (tensor<*xf32>) -> tensor<*xf32>
    %48 = "tf.Mul"(%42, %47) {device = ""} : (tensor<*xf32>, tensor<*xf32>) -> tensor<*xf32>
    %49 = "tf.Identity"(%48) {device = ""} : (tensor<*xf32>) -> tensor<*xf32>
    func.return %49 : tensor<*xf32>
  }
  "tf_saved_model.global_tensor"() {sym_name = "Variable", type = tensor<5x6xf32>, value = #nn.blob<dense<[[0.43056375, -0.019915922, -0.8897143, 0.3134637, 0.42768893, -0.22497314], [-0.14080018, 0.2429923, -0.45439014, 0.21919428, 0.09964926, -0.3374663], [-0.69605094, -0.112802915, -0.43771112, 0.5007051, 0.07204268, 0.39104226], [0.06731097, 0.13145056, -0.39149946, 0.3340237, 0.8923491, -0.15484378], [-0.29638726, -0.07891835, -0.24064015, -0.35073966, 0.06909682, -0.14545877]]> : tensor<5x6xf32>>} : () -> ()
  "tf_saved_model.global_tensor"() {sym_name = "Variable_1", type = tensor<6xf32>, value = #nn.blob<dense<[0.7194368, 0.000100821475, 0.16195598, 0.47601095, -0.15037793, 0.7183683]> : tensor<6xf32>>} : () -> ()
  "tf_saved_model.global_tensor"() {sym_name = "Variable_2", type = tensor<6xf32>, value = #nn.blob<dense<[-0.3163471, -0.40416384, -0.18313351, -0.057358697, -0.7006591, -0.017547391]> : tensor<6xf32>>} : () -> ()
}
