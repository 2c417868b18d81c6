// RUN: opt-tool %s --prepare-composite-functions --allow-unregistered-dialect | filecheck %s
// RUN: opt-tool %s --prepare-composite-functions --prepare-composite-functions --allow-unregistered-dialect | filecheck %s

// Lingvo's cell: input weights are the first columns of the transposed weights, gates stand as c, i, f, o. The limit
// of the cell is the one in its own body, and any batch will do.
// CHECK-LABEL: func.func @lingvo
// CHECK:       [[WX:%.*]], [[WH:%.*]] = "tf.SplitV"({{.*}}) : (tensor<8x5xf32>, tensor<2xi32>, tensor<i32>) -> (tensor<8x3xf32>, tensor<8x2xf32>)
// CHECK:       [[XC:%.*]], [[XI:%.*]], [[XF:%.*]], [[XO:%.*]] = "tf.SplitV"([[WX]],
// CHECK:       [[HC:%.*]], [[HI:%.*]], [[HF:%.*]], [[HO:%.*]] = "tf.SplitV"([[WH]],
// CHECK:       "tf.Fill"
// CHECK:       "tfl.lstm"(%x, [[XI]], [[XF]], [[XC]], [[XO]], [[HI]], [[HF]], [[HC]], [[HO]], {{.*}}cell_clip = 5.000000e+00 : f32{{.*}}kernel_type = #tfl<lstm_kernel_type_attr FULL>}> ({
// CHECK-NEXT:  }) : {{.*}} -> tensor<?x2xf32>
func.func @lingvo(%x: tensor<?x3xf32>, %w: tensor<5x8xf32>, %b: tensor<8xf32>) -> tensor<?x2xf32> attributes {tf._implements = "lingvo.LSTMCellSimple"} {
  %cap = "tf.Const"() <{value = dense<5.0> : tensor<f32>}> : () -> tensor<f32>
  %low = "tf.Const"() <{value = dense<-5.0> : tensor<f32>}> : () -> tensor<f32>
  %below = "tf.Minimum"(%cap, %b) : (tensor<f32>, tensor<8xf32>) -> tensor<8xf32>
  %0 = "tf.Maximum"(%below, %low) : (tensor<8xf32>, tensor<f32>) -> tensor<8xf32>
  %1 = "tf.Body"(%x, %0) : (tensor<?x3xf32>, tensor<8xf32>) -> tensor<?x2xf32>
  func.return %1 : tensor<?x2xf32>
}

// Coupled gates have no input gate, normalized ones included: operands 1, 5, 12 and 20 are absent.
// CHECK-LABEL: func.func @coupled
// CHECK:       [[N:%.*]] = "tfl.no_value"
// CHECK:       "tfl.lstm"(%x, [[N]], {{%.*}}, {{%.*}}, {{%.*}}, [[N]], {{%.*}}, {{%.*}}, {{%.*}}, [[N]], [[N]], [[N]], [[N]], {{%.*}}, {{%.*}}, {{%.*}}, {{%.*}}, [[N]], {{%.*}}, {{%.*}}, [[N]], {{%.*}}, {{%.*}}, {{%.*}})
// CHECK-SAME:    cell_clip = 0.000000e+00 : f32
func.func @coupled(%x: tensor<2x3xf32>, %w: tensor<7x6xf32>, %b: tensor<6xf32>, %p: tensor<2x4xf32>, %s: tensor<6xf32>) -> tensor<2x4xf32> attributes {tf._implements = "LayerNormalizedLstmCellSimple,CoupleInputForgetGates"} {
  %0 = "tf.Body"(%x) : (tensor<2x3xf32>) -> tensor<2x4xf32>
  func.return %0 : tensor<2x4xf32>
}

// CHECK-LABEL: func.func @custom
// CHECK-NEXT:  [[Y:%.*]] = "tfl.custom"(%x) <{custom_code = "my:op", custom_option = #tfl<const_bytes : "0x6E0001030101010304022401">}> : (tensor<*xf32>) -> tensor<*xf32>
// CHECK-NEXT:  func.return [[Y]]
func.func @custom(%x: tensor<*xf32>) -> tensor<*xf32> attributes {tf._implements = #tf_type.func<@"my:op", {n = 3 : i64, tfl_fusable_op = true}>} {
  %0 = "tf.Body"(%x) : (tensor<*xf32>) -> tensor<*xf32>
  func.return %0 : tensor<*xf32>
}

// It does not ask for that.
// CHECK-LABEL: func.func @not_custom
// CHECK-NEXT:  "tf.Body"
func.func @not_custom(%x: tensor<*xf32>) -> tensor<*xf32> attributes {tf._implements = #tf_type.func<@"my:op", {n = 3 : i64, tfl_fusable_op = false}>} {
  %0 = "tf.Body"(%x) : (tensor<*xf32>) -> tensor<*xf32>
  func.return %0 : tensor<*xf32>
}
