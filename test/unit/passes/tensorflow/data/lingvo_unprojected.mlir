builtin.module attributes {tf.versions = {bad_consumers = [], min_consumer = 0 : i32, producer = 2474 : i32}} {
  func.func @__inference_flat_262(%arg0: tensor<2x3xf32> {tf._user_specified_name = "x"}, %arg1: tensor<*x!tf_type.resource> {tf._user_specified_name = "resource", tf_saved_model.bound_input = @Variable}, %arg2: tensor<*x!tf_type.resource> {tf._user_specified_name = "resource", tf_saved_model.bound_input = @Variable_1}) -> tensor<*xf32> attributes {allow_soft_placement = false, tf.entry_function = {control_outputs = "ReadVariableOp,ReadVariableOp_1", inputs = "x,readvariableop_resource,readvariableop_1_resource", outputs = "identity_RetVal"}} {
    %0 = "tf.ReadVariableOp"(%arg2) {device = ""} : (tensor<*x!tf_type.resource>) -> tensor<*xf32>
    %1 = "tf.ReadVariableOp"(%arg1) {device = ""} : (tensor<*x!tf_type.resource>) -> tensor<*xf32>
    %2 = "tf.PartitionedCall"(%arg0, %1, %0) <{config = "", config_proto = "\0A\07\0A\03CPU\10\01\0A\07\0A\03GPU\10\002\02J\008\01\82\01\00\92\01\02J\00", executor_type = "", f = @__inference_cell_2590}> {_collective_manager_ids = [], _read_only_resource_inputs = [], device = ""} : (tensor<2x3xf32>, tensor<*xf32>, tensor<*xf32>) -> tensor<*xf32>
    %3 = "tf.Identity"(%2) {device = ""} : (tensor<*xf32>) -> tensor<*xf32>
    func.return %3 : tensor<*xf32>
  }
  func.func private @__inference_cell_2590(%arg0: tensor<2x3xf32> {tf._user_specified_name = "x"}, %arg1: tensor<*xf32> {tf._user_specified_name = "w"}, %arg2: tensor<*xf32> {tf._user_specified_name = "bias"}) -> tensor<*xf32> attributes {tf._construction_context = "kEagerRuntime", tf._implements = "LSTMCellSimple"} {
    %cst = "tf.Const"() <{value = dense<0.000000e+00> : tensor<2x2xf32>}> {device = ""} : () -> tensor<2x2xf32>
    %cst_1 = "tf.Const"() <{value = dense<2.500000e-01> : tensor<f32>}> {device = ""} : () -> tensor<f32>
    %cst_2 = "tf.Const"() <{value = dense<-2.500000e-01> : tensor<f32>}> {device = ""} : () -> tensor<f32>
    %cst_3 = "tf.Const"() <{value = dense<1> : tensor<i32>}> {device = ""} : () -> tensor<i32>
    %cst_4 = "tf.Const"() <{value = dense<0> : tensor<i32>}> {device = ""} : () -> tensor<i32>
    %0, %1, %2, %3 = "tf.Split"(%cst_4, %arg2) {device = ""} : (tensor<i32>, tensor<*xf32>) -> (tensor<*xf32>, tensor<*xf32>, tensor<*xf32>, tensor<*xf32>)
    %4 = "tf.ConcatV2"(%arg0, %cst, %cst_3) {device = ""} : (tensor<2x3xf32>, tensor<2x2xf32>, tensor<i32>) -> tensor<2x5xf32>
    %5 = "tf.MatMul"(%4, %arg1) <{grad_a = false, grad_b = false, transpose_a = false, transpose_b = false}> {device = ""} : (tensor<2x5xf32>, tensor<*xf32>) -> tensor<2x?xf32>
    %6, %7, %8, %9 = "tf.Split"(%cst_3, %5) {device = ""} : (tensor<i32>, tensor<2x?xf32>) -> (tensor<2x?xf32>, tensor<2x?xf32>, tensor<2x?xf32>, tensor<2x?xf32>)
    %10 = "tf.AddV2"(%6, %0) {device = ""} : (tensor<2x?xf32>, tensor<*xf32>) -> tensor<*xf32>
    %11 = "tf.Tanh"(%10) {device = ""} : (tensor<*xf32>) -> tensor<*xf32>
    %12 = "tf.AddV2"(%7, %1) {device = ""} : (tensor<2x?xf32>, tensor<*xf32>) -> tensor<*xf32>
    %13 = "tf.Sigmoid"(%12) {device = ""} : (tensor<*xf32>) -> tensor<*xf32>
    %14 = "tf.Mul"(%13, %11) {device = ""} : (tensor<*xf32>, tensor<*xf32>) -> tensor<*xf32>
    %15 = "tf.AddV2"(%8, %2) {device = ""} : (tensor<2x?xf32>, tensor<*xf32>) -> tensor<*xf32>
    %16 = "tf.Sigmoid"(%15) {device = ""} : (tensor<*xf32>) -> tensor<*xf32>
    %17 = "tf.AddV2"(%9, %3) {device = ""} : (tensor<2x?xf32>, tensor<*xf32>) -> tensor<*xf32>
    %18 = "tf.Sigmoid"(%17) {device = ""} : (tensor<*xf32>) -> tensor<*xf32>
    %19 = "tf.Mul"(%16, %cst) {device = ""} : (tensor<*xf32>, tensor<2x2xf32>) -> tensor<*xf32>
    %20 = "tf.AddV2"(%19, %14) {device = ""} : (tensor<*xf32>, tensor<*xf32>) -> tensor<*xf32>
    %21 = "tf.Minimum"(%20, %cst_1) {device = ""} : (tensor<*xf32>, tensor<f32>) -> tensor<*xf32>
    %22 = "tf.Maximum"(%21, %cst_2) {device = ""} : (tensor<*xf32>, tensor<f32>) -> tensor<*xf32>
    %23 = "tf.Tanh"(%22) {device = ""} : (tensor<*xf32>) -> tensor<*xf32>
    %24 = "tf.Mul"(%18, %23) {device = ""} : (tensor<*xf32>, tensor<*xf32>) -> tensor<*xf32>
    %25 = "tf.Identity"(%24) {device = ""} : (tensor<*xf32>) -> tensor<*xf32>
    func.return %25 : tensor<*xf32>
  }
  "tf_saved_model.global_tensor"() {sym_name = "Variable", type = tensor<5x8xf32>, value = #nn.blob<dense<[[-0.34428248, 0.07212854, -0.095705666, 0.42607114, 0.016964091, 0.006874792, -0.35728985, 0.23478405], [-0.5169334, 0.33294472, 0.76196873, -0.762343, -1.2331146, 0.30843937, 1.2739489, -0.5004624], [-0.62534785, 0.29448447, -0.4203608, -0.25301275, -0.17405874, 0.26600105, -0.20265119, 0.13894142], [-0.088266626, -0.42233557, -0.15991312, -0.47519982, 0.003257493, -0.5619331, -0.54644716, 0.72848094], [-0.02659211, -0.026951013, 0.2557682, -0.2104285, -0.114267685, 0.21257436, 0.14120792, -0.5796484]]> : tensor<5x8xf32>>} : () -> ()
  "tf_saved_model.global_tensor"() {sym_name = "Variable_1", type = tensor<8xf32>, value = #nn.blob<dense<[0.4166713, -0.29521748, -0.52803946, -0.45023754, -0.19527267, 0.81365013, -0.58776796, 0.080037944]> : tensor<8xf32>>} : () -> ()
}
