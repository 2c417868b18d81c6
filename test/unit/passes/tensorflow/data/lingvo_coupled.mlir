builtin.module attributes {tf.versions = {bad_consumers = [], min_consumer = 0 : i32, producer = 2474 : i32}} {
  func.func @__inference_flat_326(%arg0: tensor<2x3xf32> {tf._user_specified_name = "x"}, %arg1: tensor<*x!tf_type.resource> {tf._user_specified_name = "resource", tf_saved_model.bound_input = @Variable}, %arg2: tensor<*x!tf_type.resource> {tf._user_specified_name = "resource", tf_saved_model.bound_input = @Variable_1}, %arg3: tensor<*x!tf_type.resource> {tf._user_specified_name = "resource", tf_saved_model.bound_input = @Variable_2}) -> tensor<?x?xf32> attributes {allow_soft_placement = false, tf.entry_function = {control_outputs = "ReadVariableOp,ReadVariableOp_1,ReadVariableOp_2", inputs = "x,readvariableop_resource,readvariableop_1_resource,readvariableop_2_resource", outputs = "identity_RetVal"}} {
    %0 = "tf.ReadVariableOp"(%arg2) {device = ""} : (tensor<*x!tf_type.resource>) -> tensor<*xf32>
    %1 = "tf.ReadVariableOp"(%arg3) {device = ""} : (tensor<*x!tf_type.resource>) -> tensor<*xf32>
    %2 = "tf.ReadVariableOp"(%arg1) {device = ""} : (tensor<*x!tf_type.resource>) -> tensor<*xf32>
    %3 = "tf.PartitionedCall"(%arg0, %2, %0, %1) <{config = "", config_proto = "\0A\07\0A\03CPU\10\01\0A\07\0A\03GPU\10\002\02J\008\01\82\01\00\92\01\02J\00", executor_type = "", f = @__inference_cell_3230}> {_collective_manager_ids = [], _read_only_resource_inputs = [], device = ""} : (tensor<2x3xf32>, tensor<*xf32>, tensor<*xf32>, tensor<*xf32>) -> tensor<?x?xf32>
    %4 = "tf.Identity"(%3) {device = ""} : (tensor<?x?xf32>) -> tensor<?x?xf32>
    func.return %4 : tensor<?x?xf32>
  }
  func.func private @__inference_cell_3230(%arg0: tensor<2x3xf32> {tf._user_specified_name = "x"}, %arg1: tensor<*xf32> {tf._user_specified_name = "w"}, %arg2: tensor<*xf32> {tf._user_specified_name = "bias"}, %arg3: tensor<*xf32> {tf._user_specified_name = "rest_0"}) -> tensor<?x?xf32> attributes {tf._construction_context = "kEagerRuntime", tf._implements = "LSTMCellSimple,CoupleInputForgetGates"} {
    %cst = "tf.Const"() <{value = dense<0.000000e+00> : tensor<2x2xf32>}> {device = ""} : () -> tensor<2x2xf32>
    %cst_1 = "tf.Const"() <{value = dense<0.000000e+00> : tensor<2x3xf32>}> {device = ""} : () -> tensor<2x3xf32>
    %cst_2 = "tf.Const"() <{value = dense<1.000000e+00> : tensor<f32>}> {device = ""} : () -> tensor<f32>
    %cst_3 = "tf.Const"() <{value = dense<2.500000e-01> : tensor<f32>}> {device = ""} : () -> tensor<f32>
    %cst_4 = "tf.Const"() <{value = dense<-2.500000e-01> : tensor<f32>}> {device = ""} : () -> tensor<f32>
    %cst_5 = "tf.Const"() <{value = dense<1> : tensor<i32>}> {device = ""} : () -> tensor<i32>
    %cst_6 = "tf.Const"() <{value = dense<0> : tensor<i32>}> {device = ""} : () -> tensor<i32>
    %0, %1, %2 = "tf.Split"(%cst_6, %arg2) {device = ""} : (tensor<i32>, tensor<*xf32>) -> (tensor<*xf32>, tensor<*xf32>, tensor<*xf32>)
    %3 = "tf.ConcatV2"(%arg0, %cst_1, %cst_5) {device = ""} : (tensor<2x3xf32>, tensor<2x3xf32>, tensor<i32>) -> tensor<2x6xf32>
    %4 = "tf.MatMul"(%3, %arg1) <{grad_a = false, grad_b = false, transpose_a = false, transpose_b = false}> {device = ""} : (tensor<2x6xf32>, tensor<*xf32>) -> tensor<2x?xf32>
    %5, %6, %7 = "tf.Split"(%cst_5, %4) {device = ""} : (tensor<i32>, tensor<2x?xf32>) -> (tensor<2x?xf32>, tensor<2x?xf32>, tensor<2x?xf32>)
    %8 = "tf.AddV2"(%5, %0) {device = ""} : (tensor<2x?xf32>, tensor<*xf32>) -> tensor<*xf32>
    %9 = "tf.Tanh"(%8) {device = ""} : (tensor<*xf32>) -> tensor<*xf32>
    %10 = "tf.AddV2"(%6, %1) {device = ""} : (tensor<2x?xf32>, tensor<*xf32>) -> tensor<*xf32>
    %11 = "tf.Sigmoid"(%10) {device = ""} : (tensor<*xf32>) -> tensor<*xf32>
    %12 = "tf.Sub"(%cst_2, %11) {device = ""} : (tensor<f32>, tensor<*xf32>) -> tensor<*xf32>
    %13 = "tf.Mul"(%12, %9) {device = ""} : (tensor<*xf32>, tensor<*xf32>) -> tensor<*xf32>
    %14 = "tf.AddV2"(%7, %2) {device = ""} : (tensor<2x?xf32>, tensor<*xf32>) -> tensor<*xf32>
    %15 = "tf.Sigmoid"(%14) {device = ""} : (tensor<*xf32>) -> tensor<*xf32>
    %16 = "tf.Mul"(%11, %cst) {device = ""} : (tensor<*xf32>, tensor<2x2xf32>) -> tensor<*xf32>
    %17 = "tf.AddV2"(%16, %13) {device = ""} : (tensor<*xf32>, tensor<*xf32>) -> tensor<*xf32>
    %18 = "tf.Minimum"(%17, %cst_3) {device = ""} : (tensor<*xf32>, tensor<f32>) -> tensor<*xf32>
    %19 = "tf.Maximum"(%18, %cst_4) {device = ""} : (tensor<*xf32>, tensor<f32>) -> tensor<*xf32>
    %20 = "tf.Tanh"(%19) {device = ""} : (tensor<*xf32>) -> tensor<*xf32>
    %21 = "tf.Mul"(%15, %20) {device = ""} : (tensor<*xf32>, tensor<*xf32>) -> tensor<*xf32>
    %22 = "tf.MatMul"(%21, %arg3) <{grad_a = false, grad_b = false, transpose_a = false, transpose_b = false}> {device = ""} : (tensor<*xf32>, tensor<*xf32>) -> tensor<?x?xf32>
    %23 = "tf.Identity"(%22) {device = ""} : (tensor<?x?xf32>) -> tensor<?x?xf32>
    func.return %23 : tensor<?x?xf32>
  }
  "tf_saved_model.global_tensor"() {sym_name = "Variable", type = tensor<6x6xf32>, value = #nn.blob<dense<[[-1.0689121, -0.00078346656, 0.4497832, -0.11833166, -0.31467745, 0.115755536], [0.35007587, 0.33182877, 0.98623693, 0.10458373, -0.29620504, -0.06298959], [-0.036249273, 0.054368693, -0.015013906, 0.08698297, -0.835425, 0.41481447], [-0.28736964, -0.5865793, 0.31887558, 0.658663, 0.24651408, 0.08057965], [-0.46611014, 1.4357836, 0.4401293, -0.5696473, -0.38981897, 0.043489624], [-0.77736557, 0.0843152, -0.22953577, 0.6131353, 0.48107734, -1.3556427]]> : tensor<6x6xf32>>} : () -> ()
  "tf_saved_model.global_tensor"() {sym_name = "Variable_1", type = tensor<6xf32>, value = #nn.blob<dense<[0.020851294, -0.80873376, 0.554819, 0.084052935, 0.27420273, -0.5325624]> : tensor<6xf32>>} : () -> ()
  "tf_saved_model.global_tensor"() {sym_name = "Variable_2", type = tensor<2x3xf32>, value = #nn.blob<dense<[[0.91421515, 1.0100367, -0.5323855], [0.18640757, -0.3366512, -0.011784968]]> : tensor<2x3xf32>>} : () -> ()
}
