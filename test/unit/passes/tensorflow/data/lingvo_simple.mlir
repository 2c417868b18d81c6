builtin.module attributes {tf.versions = {bad_consumers = [], min_consumer = 0 : i32, producer = 2474 : i32}} {
  func.func @__inference_flat_201(%arg0: tensor<2x3xf32> {tf._user_specified_name = "x"}, %arg1: tensor<*x!tf_type.resource> {tf._user_specified_name = "resource", tf_saved_model.bound_input = @Variable}, %arg2: tensor<*x!tf_type.resource> {tf._user_specified_name = "resource", tf_saved_model.bound_input = @Variable_1}, %arg3: tensor<*x!tf_type.resource> {tf._user_specified_name = "resource", tf_saved_model.bound_input = @Variable_2}) -> tensor<?x?xf32> attributes {allow_soft_placement = false, tf.entry_function = {control_outputs = "ReadVariableOp,ReadVariableOp_1,ReadVariableOp_2", inputs = "x,readvariableop_resource,readvariableop_1_resource,readvariableop_2_resource", outputs = "identity_RetVal"}} {
    %0 = "tf.ReadVariableOp"(%arg2) {device = ""} : (tensor<*x!tf_type.resource>) -> tensor<*xf32>
    %1 = "tf.ReadVariableOp"(%arg3) {device = ""} : (tensor<*x!tf_type.resource>) -> tensor<*xf32>
    %2 = "tf.ReadVariableOp"(%arg1) {device = ""} : (tensor<*x!tf_type.resource>) -> tensor<*xf32>
    %3 = "tf.PartitionedCall"(%arg0, %2, %0, %1) <{config = "", config_proto = "\0A\07\0A\03CPU\10\01\0A\07\0A\03GPU\10\002\02J\008\01\82\01\00\92\01\02J\00", executor_type = "", f = @__inference_cell_1980}> {_collective_manager_ids = [], _read_only_resource_inputs = [], device = ""} : (tensor<2x3xf32>, tensor<*xf32>, tensor<*xf32>, tensor<*xf32>) -> tensor<?x?xf32>
    %4 = "tf.Identity"(%3) {device = ""} : (tensor<?x?xf32>) -> tensor<?x?xf32>
    func.return %4 : tensor<?x?xf32>
  }
  func.func private @__inference_cell_1980(%arg0: tensor<2x3xf32> {tf._user_specified_name = "x"}, %arg1: tensor<*xf32> {tf._user_specified_name = "w"}, %arg2: tensor<*xf32> {tf._user_specified_name = "bias"}, %arg3: tensor<*xf32> {tf._user_specified_name = "rest_0"}) -> tensor<?x?xf32> attributes {tf._construction_context = "kEagerRuntime", tf._implements = "lingvo.LSTMCellSimple"} {
    %cst = "tf.Const"() <{value = dense<0.000000e+00> : tensor<2x2xf32>}> {device = ""} : () -> tensor<2x2xf32>
    %cst_1 = "tf.Const"() <{value = dense<0.000000e+00> : tensor<2x3xf32>}> {device = ""} : () -> tensor<2x3xf32>
    %cst_2 = "tf.Const"() <{value = dense<2.500000e-01> : tensor<f32>}> {device = ""} : () -> tensor<f32>
    %cst_3 = "tf.Const"() <{value = dense<-2.500000e-01> : tensor<f32>}> {device = ""} : () -> tensor<f32>
    %cst_4 = "tf.Const"() <{value = dense<1> : tensor<i32>}> {device = ""} : () -> tensor<i32>
    %cst_5 = "tf.Const"() <{value = dense<0> : tensor<i32>}> {device = ""} : () -> tensor<i32>
    %0, %1, %2, %3 = "tf.Split"(%cst_5, %arg2) {device = ""} : (tensor<i32>, tensor<*xf32>) -> (tensor<*xf32>, tensor<*xf32>, tensor<*xf32>, tensor<*xf32>)
    %4 = "tf.ConcatV2"(%arg0, %cst_1, %cst_4) {device = ""} : (tensor<2x3xf32>, tensor<2x3xf32>, tensor<i32>) -> tensor<2x6xf32>
    %5 = "tf.MatMul"(%4, %arg1) <{grad_a = false, grad_b = false, transpose_a = false, transpose_b = false}> {device = ""} : (tensor<2x6xf32>, tensor<*xf32>) -> tensor<2x?xf32>
    %6, %7, %8, %9 = "tf.Split"(%cst_4, %5) {device = ""} : (tensor<i32>, tensor<2x?xf32>) -> (tensor<2x?xf32>, tensor<2x?xf32>, tensor<2x?xf32>, tensor<2x?xf32>)
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
    %21 = "tf.Minimum"(%20, %cst_2) {device = ""} : (tensor<*xf32>, tensor<f32>) -> tensor<*xf32>
    %22 = "tf.Maximum"(%21, %cst_3) {device = ""} : (tensor<*xf32>, tensor<f32>) -> tensor<*xf32>
    %23 = "tf.Tanh"(%22) {device = ""} : (tensor<*xf32>) -> tensor<*xf32>
    %24 = "tf.Mul"(%18, %23) {device = ""} : (tensor<*xf32>, tensor<*xf32>) -> tensor<*xf32>
    %25 = "tf.MatMul"(%24, %arg3) <{grad_a = false, grad_b = false, transpose_a = false, transpose_b = false}> {device = ""} : (tensor<*xf32>, tensor<*xf32>) -> tensor<?x?xf32>
    %26 = "tf.Identity"(%25) {device = ""} : (tensor<?x?xf32>) -> tensor<?x?xf32>
    func.return %26 : tensor<?x?xf32>
  }
  "tf_saved_model.global_tensor"() {sym_name = "Variable", type = tensor<6x8xf32>, value = #nn.blob<dense<[[0.29687405, 0.44558346, 0.16042416, -0.4091151, 0.36582613, -0.25072002, 0.43958032, -0.5358937], [0.4572336, -0.010031727, -0.62437445, -0.15694973, 0.02705114, 0.13639566, -0.49109405, -0.5536865], [0.099792264, -0.2333748, 0.117752805, 0.37975976, -0.8243937, 0.12719406, 0.61232346, -0.14876342], [-0.40540728, 0.3761219, 0.12672326, 0.44794154, -0.17260785, -0.74090916, -0.055005383, -0.22291407], [0.3876619, 0.09681642, -0.8154246, -0.59758157, 0.44189453, 0.33988252, -0.32012168, -0.0005243983], [0.22278678, 0.23420216, 0.4381211, 0.12824282, -0.04741417, -0.12942404, 0.52787143, -1.1254271]]> : tensor<6x8xf32>>} : () -> ()
  "tf_saved_model.global_tensor"() {sym_name = "Variable_1", type = tensor<8xf32>, value = #nn.blob<dense<[-0.06932766, 0.016500052, -0.7126745, 0.16640681, -0.3256405, 0.4312224, -0.06279604, 0.3345766]> : tensor<8xf32>>} : () -> ()
  "tf_saved_model.global_tensor"() {sym_name = "Variable_2", type = tensor<2x3xf32>, value = #nn.blob<dense<[[0.6094218, 0.1914648, -0.43786058], [-0.7571593, 0.87669206, -0.055646095]]> : tensor<2x3xf32>>} : () -> ()
}
