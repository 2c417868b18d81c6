// RUN: opt-tool %s --split-input-file --allow-unregistered-dialect --legalize-tf-to-nn | filecheck %s

// What initializers assign is what variables begin with; the entry is the other function.
// CHECK: infra.variable @v : tensor<1x2xf32>
// CHECK-NOT: @init
// CHECK: func.func @serve(%x: tensor<1x2xf32>)
// CHECK: [[V:%.*]] = nn.constant dense<2.0> : tensor<1x2xf32>
// CHECK: [[R:%.*]] = infra.read_value @v, [[V]]
// CHECK: [[S:%.*]] = nn.add [[R]], %x
// CHECK: infra.assign @v, [[S]]
// CHECK-NOT: tf_saved_model
"tf_saved_model.session_initializer"() <{initializers = [@init]}> : () -> ()
func.func @init() {
  %c = arith.constant dense<2.0> : tensor<1x2xf32>
  %v = "tf.VarHandleOp"() <{container = "", shared_name = "v"}> : () -> tensor<!tf_type.resource<tensor<1x2xf32>>>
  "tf.AssignVariableOp"(%v, %c) : (tensor<!tf_type.resource<tensor<1x2xf32>>>, tensor<1x2xf32>) -> ()
  func.return
}
func.func @serve(%x: tensor<1x2xf32>) -> tensor<1x2xf32> {
  %v = "tf.VarHandleOp"() <{container = "", shared_name = "v"}> : () -> tensor<!tf_type.resource<tensor<1x2xf32>>>
  %r = "tf.ReadVariableOp"(%v) : (tensor<!tf_type.resource<tensor<1x2xf32>>>) -> tensor<1x2xf32>
  %s = "tf.AddV2"(%r, %x) : (tensor<1x2xf32>, tensor<1x2xf32>) -> tensor<1x2xf32>
  "tf.AssignVariableOp"(%v, %s) : (tensor<!tf_type.resource<tensor<1x2xf32>>>, tensor<1x2xf32>) -> ()
  func.return %s : tensor<1x2xf32>
}

// -----

// A value of the module gives way to one that an initializer assigns; it may read the value, and be computed. What
// the entry does not assign is a constant.
// CHECK-NOT: infra.variable
// CHECK: func.func @serve
// CHECK: [[V:%.*]] = nn.constant dense<3.0>
// CHECK: [[D:%.*]] = nn.add [[V]], [[V]]
// CHECK-NOT: infra.read_value
// CHECK: nn.add [[D]], %x
"tf_saved_model.global_tensor"() <{is_mutable, sym_name = "v", type = tensor<2xf32>, value = dense<3.0> : tensor<2xf32>}> : () -> ()
"tf_saved_model.session_initializer"() <{initializers = [@nothing, @double]}> : () -> ()
func.func @nothing() {
  func.return
}
func.func @double(%v: tensor<!tf_type.resource<tensor<2xf32>>> {tf_saved_model.bound_input = @v}) {
  %r = "tf.ReadVariableOp"(%v) : (tensor<!tf_type.resource<tensor<2xf32>>>) -> tensor<2xf32>
  %d = "tf.AddV2"(%r, %r) : (tensor<2xf32>, tensor<2xf32>) -> tensor<2xf32>
  "tf.AssignVariableOp"(%v, %d) : (tensor<!tf_type.resource<tensor<2xf32>>>, tensor<2xf32>) -> ()
  func.return
}
func.func @serve(%x: tensor<2xf32>, %v: tensor<!tf_type.resource<tensor<2xf32>>> {tf_saved_model.bound_input = @v}) -> tensor<2xf32> {
  %r = "tf.ReadVariableOp"(%v) : (tensor<!tf_type.resource<tensor<2xf32>>>) -> tensor<2xf32>
  %s = "tf.AddV2"(%r, %x) : (tensor<2xf32>, tensor<2xf32>) -> tensor<2xf32>
  func.return %s : tensor<2xf32>
}
