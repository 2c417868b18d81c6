builtin.module attributes {tf.versions = {bad_consumers = [], min_consumer = 0 : i32, producer = 2474 : i32}} {
  func.func @__inference_flat_449(%arg0: tensor<2x3xf32> {tf._user_specified_name = "x"}, %arg1: tensor<*x!tf_type.resource> {tf._user_specified_name = "resource", tf_saved_model.bound_input = @Variable}, %arg2: tensor<*x!tf_type.resource> {tf._user_specified_name = "resource", tf_saved_model.bound_input = @Variable_1}, %arg3: tensor<*x!tf_type.resource> {tf._user_specified_name = "resource", tf_saved_model.bound_input = @Variable_2}, %arg4: tensor<*x!tf_type.resource> {tf._user_specified_name = "resource", tf_saved_model.bound_input = @Variable_3}) -> tensor<?x?xf32> attributes {allow_soft_placement = false, tf.entry_function = {control_outputs = "ReadVariableOp,ReadVariableOp_1,ReadVariableOp_2,ReadVariableOp_3", inputs = "x,readvariableop_resource,readvariableop_1_resource,readvariableop_2_resource,readvariableop_3_resource", outputs = "identity_RetVal"}} {
    %0 = "tf.ReadVariableOp"(%arg2) {device = ""} : (tensor<*x!tf_type.resource>) -> tensor<*xf32>
    %1 = "tf.ReadVariableOp"(%arg3) {device = ""} : (tensor<*x!tf_type.resource>) -> tensor<*xf32>
    %2 = "tf.ReadVariableOp"(%arg4) {device = ""} : (tensor<*x!tf_type.resource>) -> tensor<*xf32>
    %3 = "tf.ReadVariableOp"(%arg1) {device = ""} : (tensor<*x!tf_type.resource>) -> tensor<*xf32>
    %4 = "tf.PartitionedCall"(%arg0, %3, %0, %1, %2) <{config = "", config_proto = "\0A\07\0A\03CPU\10\01\0A\07\0A\03GPU\10\002\02J\008\01\82\01\00\92\01\02J\00", executor_type = "", f = @__inference_cell_4460}> {_collective_manager_ids = [], _read_only_resource_inputs = [], device = ""} : (tensor<2x3xf32>, tensor<*xf32>, tensor<*xf32>, tensor<*xf32>, tensor<*xf32>) -> tensor<?x?xf32>
    %5 = "tf.Identity"(%4) {device = ""} : (tensor<?x?xf32>) -> tensor<?x?xf32>
    func.return %5 : tensor<?x?xf32>
  }
  func.func private @__inference_cell_4460(%arg0: tensor<2x3xf32> {tf._user_specified_name = "x"}, %arg1: tensor<*xf32> {tf._user_specified_name = "w"}, %arg2: tensor<*xf32> {tf._user_specified_name = "bias"}, %arg3: tensor<*xf32> {tf._user_specified_name = "rest_0"}, %arg4: tensor<*xf32> {tf._user_specified_name = "rest_1"}) -> tensor<?x?xf32> attributes {tf._construction_context = "kEagerRuntime", tf._implements = "lingvo.LayerNormalizedLSTMCellSimple"} {
    %cst = "tf.Const"() <{value = dense<0.000000e+00> : tensor<2x2xf32>}> {device = ""} : () -> tensor<2x2xf32>
    %cst_1 = "tf.Const"() <{value = dense<0.000000e+00> : tensor<2x3xf32>}> {device = ""} : () -> tensor<2x3xf32>
    %cst_2 = "tf.Const"() <{value = dense<-1> : tensor<i32>}> {device = ""} : () -> tensor<i32>
    %cst_3 = "tf.Const"() <{value = dense<1.000000e-08> : tensor<f32>}> {device = ""} : () -> tensor<f32>
    %cst_4 = "tf.Const"() <{value = dense<2.500000e-01> : tensor<f32>}> {device = ""} : () -> tensor<f32>
    %cst_5 = "tf.Const"() <{value = dense<-2.500000e-01> : tensor<f32>}> {device = ""} : () -> tensor<f32>
    %cst_6 = "tf.Const"() <{value = dense<1> : tensor<i32>}> {device = ""} : () -> tensor<i32>
    %cst_7 = "tf.Const"() <{value = dense<0> : tensor<i32>}> {device = ""} : () -> tensor<i32>
    %0, %1, %2, %3 = "tf.Split"(%cst_7, %arg4) {device = ""} : (tensor<i32>, tensor<*xf32>) -> (tensor<*xf32>, tensor<*xf32>, tensor<*xf32>, tensor<*xf32>)
    %4, %5, %6, %7 = "tf.Split"(%cst_7, %arg2) {device = ""} : (tensor<i32>, tensor<*xf32>) -> (tensor<*xf32>, tensor<*xf32>, tensor<*xf32>, tensor<*xf32>)
    %8 = "tf.ConcatV2"(%arg0, %cst_1, %cst_6) {device = ""} : (tensor<2x3xf32>, tensor<2x3xf32>, tensor<i32>) -> tensor<2x6xf32>
    %9 = "tf.MatMul"(%8, %arg1) <{grad_a = false, grad_b = false, transpose_a = false, transpose_b = false}> {device = ""} : (tensor<2x6xf32>, tensor<*xf32>) -> tensor<2x?xf32>
    %10, %11, %12, %13 = "tf.Split"(%cst_6, %9) {device = ""} : (tensor<i32>, tensor<2x?xf32>) -> (tensor<2x?xf32>, tensor<2x?xf32>, tensor<2x?xf32>, tensor<2x?xf32>)
    %14 = "tf.Mean"(%10, %cst_2) <{keep_dims = true}> {device = ""} : (tensor<2x?xf32>, tensor<i32>) -> tensor<2x1xf32>
    %15 = "tf.Sub"(%10, %14) {device = ""} : (tensor<2x?xf32>, tensor<2x1xf32>) -> tensor<2x?xf32>
    %16 = "tf.SquaredDifference"(%10, %14) {device = ""} : (tensor<2x?xf32>, tensor<2x1xf32>) -> tensor<2x?xf32>
    %17 = "tf.Mean"(%16, %cst_2) <{keep_dims = true}> {device = ""} : (tensor<2x?xf32>, tensor<i32>) -> tensor<2x1xf32>
    %18 = "tf.AddV2"(%17, %cst_3) {device = ""} : (tensor<2x1xf32>, tensor<f32>) -> tensor<2x1xf32>
    %19 = "tf.Rsqrt"(%18) {device = ""} : (tensor<2x1xf32>) -> tensor<2x1xf32>
    %20 = "tf.Mul"(%15, %19) {device = ""} : (tensor<2x?xf32>, tensor<2x1xf32>) -> tensor<2x?xf32>
    %21 = "tf.Mul"(%20, %0) {device = ""} : (tensor<2x?xf32>, tensor<*xf32>) -> tensor<*xf32>
    %22 = "tf.AddV2"(%21, %4) {device = ""} : (tensor<*xf32>, tensor<*xf32>) -> tensor<*xf32>
    %23 = "tf.Tanh"(%22) {device = ""} : (tensor<*xf32>) -> tensor<*xf32>
    %24 = "tf.Mean"(%11, %cst_2) <{keep_dims = true}> {device = ""} : (tensor<2x?xf32>, tensor<i32>) -> tensor<2x1xf32>
    %25 = "tf.Sub"(%11, %24) {device = ""} : (tensor<2x?xf32>, tensor<2x1xf32>) -> tensor<2x?xf32>
    %26 = "tf.SquaredDifference"(%11, %24) {device = ""} : (tensor<2x?xf32>, tensor<2x1xf32>) -> tensor<2x?xf32>
    %27 = "tf.Mean"(%26, %cst_2) <{keep_dims = true}> {device = ""} : (tensor<2x?xf32>, tensor<i32>) -> tensor<2x1xf32>
    %28 = "tf.AddV2"(%27, %cst_3) {device = ""} : (tensor<2x1xf32>, tensor<f32>) -> tensor<2x1xf32>
    %29 = "tf.Rsqrt"(%28) {device = ""} : (tensor<2x1xf32>) -> tensor<2x1xf32>
    %30 = "tf.Mul"(%25, %29) {device = ""} : (tensor<2x?xf32>, tensor<2x1xf32>) -> tensor<2x?xf32>
    %31 = "tf.Mul"(%30, %1) {device = ""} : (tensor<2x?xf32>, tensor<*xf32>) -> tensor<*xf32>
    %32 = "tf.AddV2"(%31, %5) {device = ""} : (tensor<*xf32>, tensor<*xf32>) -> tensor<*xf32>
    %33 = "tf.Sigmoid"(%32) {device = ""} : (tensor<*xf32>) -> tensor<*xf32>
    %34 = "tf.Mul"(%33, %23) {device = ""} : (tensor<*xf32>, tensor<*xf32>) -> tensor<*xf32>
    %35 = "tf.Mean"(%12, %cst_2) <{keep_dims = true}> {device = ""} : (tensor<2x?xf32>, tensor<i32>) -> tensor<2x1xf32>
    %36 = "tf.Sub"(%12, %35) {device = ""} : (tensor<2x?xf32>, tensor<2x1xf32>) -> tensor<2x?xf32>
    %37 = "tf.SquaredDifference"(%12, %35) {device = ""} : (tensor<2x?xf32>, tensor<2x1xf32>) -> tensor<2x?xf32>
    %38 = "tf.Mean"(%37, %cst_2) <{keep_dims = true}> {device = ""} : (tensor<2x?xf32>, tensor<i32>) -> tensor<2x1xf32>
    %39 = "tf.AddV2"(%38, %cst_3) {device = ""} : (tensor<2x1xf32>, tensor<f32>) -> tensor<2x1xf32>
    %40 = "tf.Rsqrt"(%39) {device = ""} : (tensor<2x1xf32>) -> tensor<2x1xf32>
    %41 = "tf.Mul"(%36, %40) {device = ""} : (tensor<2x?xf32>, tensor<2x1xf32>) -> tensor<2x?xf32>
    %42 = "tf.Mul"(%41, %2) {device = ""} : (tensor<2x?xf32>, tensor<*xf32>) -> tensor<*xf32>
    %43 = "tf.AddV2"(%42, %6) {device = ""} : (tensor<*xf32>, tensor<*xf32>) -> tensor<*xf32>
    %44 = "tf.Sigmoid"(%43) {device = ""} : (tensor<*xf32>) -> tensor<*xf32>
    %45 = "tf.Mean"(%13, %cst_2) <{keep_dims = true}> {device = ""} : (tensor<2x?xf32>, tensor<i32>) -> tensor<2x1xf32>
    %46 = "tf.Sub"(%13, %45) {device = ""} : (tensor<2x?xf32>, tensor<2x1xf32>) -> tensor<2x?xf32>
    %47 = "tf.SquaredDifference"(%13, %45) {device = ""} : (tensor<2x?xf32>, tensor<2x1xf32>) -> tensor<2x?xf32>
    %48 = "tf.Mean"(%47, %cst_2) <{keep_dims = true}> {device = ""} : (tensor<2x?xf32>, tensor<i32>) -> tensor<2x1xf32>
    %49 = "tf.AddV2"(%48, %cst_3) {device = ""} : (tensor<2x1xf32>, tensor<f32>) -> tensor<2x1xf32>
    %50 = "tf.Rsqrt"(%49) {device = ""} : (tensor<2x1xf32>) -> tensor<2x1xf32>
    %51 = "tf.Mul"(%46, %50) {device = ""} : (tensor<2x?xf32>, tensor<2x1xf32>) -> tensor<2x?xf32>
    %52 = "tf.Mul"(%51, %3) {device = ""} : (tensor<2x?xf32>, tensor<*xf32>) -> tensor<*xf32>
    %53 = "tf.AddV2"(%52, %7) {device = ""} : (tensor<*xf32>, tensor<*xf32>) -> tensor<*xf32>
    %54 = "tf.Sigmoid"(%53) {device = ""} : (tensor<*xf32>) -> tensor<*xf32>
    %55 = "tf.Mul"(%44, %cst) {device = ""} : (tensor<*xf32>, tensor<2x2xf32>) -> tensor<*xf32>
    %56 = "tf.AddV2"(%55, %34) {device = ""} : (tensor<*xf32>, tensor<*xf32>) -> tensor<*xf32>
    %57 = "tf.Minimum"(%56, %cst_4) {device = ""} : (tensor<*xf32>, tensor<f32>) -> tensor<*xf32>
    %58 = "tf.Maximum"(%57, %cst_5) {device = ""} : (tensor<*xf32>, tensor<f32>) -> tensor<*xf32>
    %59 = "tf.Tanh"(%58) {device = ""} : (tensor<*xf32>) -> tensor<*xf32>
    %60 = "tf.Mul"(%54, %59) {device = ""} : (tensor<*xf32>, tensor<*xf32>) -> tensor<*xf32>
    %61 = "tf.MatMul"(%60, %arg3) <{grad_a = false, grad_b = false, transpose_a = false, transpose_b = false}> {device = ""} : (tensor<*xf32>, tensor<*xf32>) -> tensor<?x?xf32>
    %62 = "tf.Identity"(%61) {device = ""} : (tensor<?x?xf32>) -> tensor<?x?xf32>
    func.return %62 : tensor<?x?xf32>
  }
  "tf_saved_model.global_tensor"() {sym_name = "Variable", type = tensor<6x8xf32>, value = #nn.blob<dense<[[-0.63281846, 0.93357277, -0.48458976, -0.1480419, 0.25074145, -0.32378033, -0.11965621, -0.2818199], [-0.06673038, -0.5852713, -0.21899404, -0.10344646, -0.16686301, 0.028344978, -0.1465511, 0.3766057], [-0.16159797, -0.0683248, -0.33239067, -0.2632574, -0.6322464, 0.25939247, -0.571259, -0.3729282], [0.17962232, 0.20128669, -0.20005737, -1.009633, 0.21025665, 0.12978172, -0.7061906, 0.38516104], [-0.3505499, -0.5630941, 0.047865357, -0.08923522, 0.101312004, -0.802874, 0.90611506, -0.3013293], [-0.76982963, 0.3094211, -0.17740206, 0.16242924, -0.16980422, -0.02987018, 0.12288642, -0.37332645]]> : tensor<6x8xf32>>} : () -> ()
  "tf_saved_model.global_tensor"() {sym_name = "Variable_1", type = tensor<8xf32>, value = #nn.blob<dense<[0.3393698, -0.23495005, -0.43484357, 0.038516212, 0.22252063, -0.11453967, -0.4312599, 0.30989277]> : tensor<8xf32>>} : () -> ()
  "tf_saved_model.global_tensor"() {sym_name = "Variable_2", type = tensor<2x3xf32>, value = #nn.blob<dense<[[-0.8801644, -0.51543206, 0.019761445], [-0.6805297, 0.013997132, -0.027431559]]> : tensor<2x3xf32>>} : () -> ()
  "tf_saved_model.global_tensor"() {sym_name = "Variable_3", type = tensor<8xf32>, value = #nn.blob<dense<[0.4493699, -0.45739517, -0.31295326, 0.16659084, -1.2287818, 1.5500212, -0.34932536, -0.36491752]> : tensor<8xf32>>} : () -> ()
}
