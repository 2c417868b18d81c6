builtin.module attributes {tf.versions = {bad_consumers = [], min_consumer = 0 : i32, producer = 2474 : i32}} {
  func.func @__inference_flat_352(%arg0: tensor<2x3xf32> {tf._user_specified_name = "x"}, %arg1: tensor<*x!tf_type.resource> {tf._user_specified_name = "resource", tf_saved_model.bound_input = @Variable}, %arg2: tensor<*x!tf_type.resource> {tf._user_specified_name = "resource", tf_saved_model.bound_input = @Variable_1}, %arg3: tensor<*x!tf_type.resource> {tf._user_specified_name = "resource", tf_saved_model.bound_input = @Variable_2}, %arg4: tensor<*x!tf_type.resource> {tf._user_specified_name = "resource", tf_saved_model.bound_input = @Variable_3}) -> tensor<*xf32> attributes {allow_soft_placement = false, tf.entry_function = {control_outputs = "ReadVariableOp,ReadVariableOp_1,ReadVariableOp_2,ReadVariableOp_3", inputs = "x,readvariableop_resource,readvariableop_1_resource,readvariableop_2_resource,readvariableop_3_resource", outputs = "identity_RetVal"}} {
    %0 = "tf.ReadVariableOp"(%arg2) {device = ""} : (tensor<*x!tf_type.resource>) -> tensor<*xf32>
    %1 = "tf.ReadVariableOp"(%arg3) {device = ""} : (tensor<*x!tf_type.resource>) -> tensor<*xf32>
    %2 = "tf.ReadVariableOp"(%arg4) {device = ""} : (tensor<*x!tf_type.resource>) -> tensor<*xf32>
    %3 = "tf.ReadVariableOp"(%arg1) {device = ""} : (tensor<*x!tf_type.resource>) -> tensor<*xf32>
    %4 = "tf.PartitionedCall"(%arg0, %3, %0, %1, %2) <{config = "", config_proto = "\0A\07\0A\03CPU\10\01\0A\07\0A\03GPU\10\002\02J\008\01\82\01\00\92\01\02J\00", executor_type = "", f = @__inference_unit_3490}> {_collective_manager_ids = [], _read_only_resource_inputs = [], device = ""} : (tensor<2x3xf32>, tensor<*xf32>, tensor<*xf32>, tensor<*xf32>, tensor<*xf32>) -> tensor<*xf32>
    %5 = "tf.Identity"(%4) {device = ""} : (tensor<*xf32>) -> tensor<*xf32>
    func.return %5 : tensor<*xf32>
  }
  func.func private @__inference_unit_3490(%arg0: tensor<2x3xf32> {tf._user_specified_name = "x"}, %arg1: tensor<*xf32> {tf._user_specified_name = "w"}, %arg2: tensor<*xf32> {tf._user_specified_name = "b"}, %arg3: tensor<*xf32> {tf._user_specified_name = "v"}, %arg4: tensor<*xf32> {tf._user_specified_name = "c"}) -> tensor<*xf32> attributes {tf._construction_context = "kEagerRuntime", tf._implements = "recurrent_cells.GatedLinearUnit"} {
    %0 = "tf.MatMul"(%arg0, %arg1) <{grad_a = false, grad_b = false, transpose_a = false, transpose_b = false}> {device = ""} : (tensor<2x3xf32>, tensor<*xf32>) -> tensor<2x?xf32>
    %1 = "tf.AddV2"(%0, %arg2) {device = ""} : (tensor<2x?xf32>, tensor<*xf32>) -> tensor<*xf32>
    %2 = "tf.MatMul"(%arg0, %arg3) <{grad_a = false, grad_b = false, transpose_a = false, transpose_b = false}> {device = ""} : (tensor<2x3xf32>, tensor<*xf32>) -> tensor<2x?xf32>
    %3 = "tf.AddV2"(%2, %arg4) {device = ""} : (tensor<2x?xf32>, tensor<*xf32>) -> tensor<*xf32>
    %4 = "tf.Sigmoid"(%3) {device = ""} : (tensor<*xf32>) -> tensor<*xf32>
    %5 = "tf.Mul"(%1, %4) {device = ""} : (tensor<*xf32>, tensor<*xf32>) -> tensor<*xf32>
    %6 = "tf.Identity"(%5) {device = ""} : (tensor<*xf32>) -> tensor<*xf32>
    func.return %6 : tensor<*xf32>
  }
  "tf_saved_model.global_tensor"() {sym_name = "Variable", type = tensor<3x2xf32>, value = #nn.blob<dense<[[-0.055005383, -0.22291407], [0.3876619, 0.09681642], [-0.8154246, -0.59758157]]> : tensor<3x2xf32>>} : () -> ()
  "tf_saved_model.global_tensor"() {sym_name = "Variable_1", type = tensor<2xf32>, value = #nn.blob<dense<[0.44189453, 0.33988252]> : tensor<2xf32>>} : () -> ()
  "tf_saved_model.global_tensor"() {sym_name = "Variable_2", type = tensor<3x2xf32>, value = #nn.blob<dense<[[-0.32012168, -0.0005243983], [0.22278678, 0.23420216], [0.4381211, 0.12824282]]> : tensor<3x2xf32>>} : () -> ()
  "tf_saved_model.global_tensor"() {sym_name = "Variable_3", type = tensor<2xf32>, value = #nn.blob<dense<[-0.04741417, -0.12942404]> : tensor<2xf32>>} : () -> ()
}
