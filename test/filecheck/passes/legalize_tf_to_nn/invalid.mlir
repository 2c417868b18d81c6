// What legalize-tf-to-nn refuses, and how it says so.
// RUN: opt-tool %s --split-input-file --verify-diagnostics --legalize-tf-to-nn --allow-unregistered-dialect

func.func @unknown_channels(%x: tensor<1x7x7x?xf32>, %w: tensor<3x3x3x8xf32>) -> tensor<*xf32> {
  // expected-error@below {{tf.Conv2D: how many channels its input has is unknown, so in how many groups filters [3, 3, 3, 8] take them; give the inputs of the model their channels}}
  %y = "tf.Conv2D"(%x, %w) {strides = [1, 1, 1, 1], padding = "SAME"} : (tensor<1x7x7x?xf32>, tensor<3x3x3x8xf32>) -> tensor<*xf32>
  func.return %y : tensor<*xf32>
}

// -----

func.func @uneven_groups(%x: tensor<1x7x7x6xf32>, %w: tensor<3x3x3x7xf32>) -> tensor<*xf32> {
  // expected-error@below {{tf.Conv2D: filters [3, 3, 3, 7] do not fit an input of 6 channels; these must be a multiple of 3, and the 7 outputs one of the groups that makes}}
  %y = "tf.Conv2D"(%x, %w) {strides = [1, 1, 1, 1], padding = "SAME"} : (tensor<1x7x7x6xf32>, tensor<3x3x3x7xf32>) -> tensor<*xf32>
  func.return %y : tensor<*xf32>
}

// -----

func.func @unknown_filters(%x: tensor<1x7x7x3xf32>, %w: tensor<3x?x3x8xf32>) -> tensor<*xf32> {
  // expected-error@below {{tf.Conv2D: filters [3, ?, 3, 8]; they must have 4 dimensions of known size}}
  %y = "tf.Conv2D"(%x, %w) {strides = [1, 1, 1, 1], padding = "SAME"} : (tensor<1x7x7x3xf32>, tensor<3x?x3x8xf32>) -> tensor<*xf32>
  func.return %y : tensor<*xf32>
}

// -----

func.func @format(%x: tensor<1x7x7x3xf32>, %w: tensor<3x3x3x8xf32>) -> tensor<*xf32> {
  // expected-error@below {{tf.Conv2D: data_format 'NDHWC' of 4 dimensions has no meaning here; use NHWC or NCHW}}
  %y = "tf.Conv2D"(%x, %w) {strides = [1, 1, 1, 1], padding = "SAME", data_format = "NDHWC"} : (tensor<1x7x7x3xf32>, tensor<3x3x3x8xf32>) -> tensor<*xf32>
  func.return %y : tensor<*xf32>
}

// -----

func.func @rank(%x: tensor<7x7x3xf32>, %w: tensor<3x3x3x8xf32>) -> tensor<*xf32> {
  // expected-error@below {{tf.Conv2D: takes a tensor [7, 7, 3]; it must have 4 dimensions, batch and channels among them}}
  %y = "tf.Conv2D"(%x, %w) {strides = [1, 1, 1, 1], padding = "SAME"} : (tensor<7x7x3xf32>, tensor<3x3x3x8xf32>) -> tensor<*xf32>
  func.return %y : tensor<*xf32>
}

// -----

func.func @padding(%x: tensor<1x7x7x3xf32>, %w: tensor<3x3x3x8xf32>) -> tensor<*xf32> {
  // expected-error@below {{tf.Conv2D: padding 'FULL' has no meaning; use SAME, VALID, EXPLICIT}}
  %y = "tf.Conv2D"(%x, %w) {strides = [1, 1, 1, 1], padding = "FULL"} : (tensor<1x7x7x3xf32>, tensor<3x3x3x8xf32>) -> tensor<*xf32>
  func.return %y : tensor<*xf32>
}

// -----

func.func @strides(%x: tensor<1x7x7x3xf32>, %w: tensor<3x3x3x8xf32>) -> tensor<*xf32> {
  // expected-error@below {{tf.Conv2D: strides [1, 2, 2] must have 4 numbers, one for each dimension}}
  %y = "tf.Conv2D"(%x, %w) {strides = [1, 2, 2], padding = "VALID"} : (tensor<1x7x7x3xf32>, tensor<3x3x3x8xf32>) -> tensor<*xf32>
  func.return %y : tensor<*xf32>
}

// -----

func.func @few_paddings(%x: tensor<1x7x7x3xf32>, %w: tensor<3x3x3x8xf32>) -> tensor<*xf32> {
  // expected-error@below {{tf.Conv2D: explicit_paddings [0, 0, 1, 1] must have 8 numbers, two for each dimension}}
  %y = "tf.Conv2D"(%x, %w) {strides = [1, 1, 1, 1], padding = "EXPLICIT", explicit_paddings = [0, 0, 1, 1]} : (tensor<1x7x7x3xf32>, tensor<3x3x3x8xf32>) -> tensor<*xf32>
  func.return %y : tensor<*xf32>
}

// -----

func.func @paddings(%x: tensor<1x7x7x3xf32>, %w: tensor<3x3x3x8xf32>) -> tensor<*xf32> {
  // expected-error@below {{tf.Conv2D: explicit_paddings [0, 0, 1, 1, 0, 0, 0, 1] pad batch or channels; pad them with tf.Pad}}
  %y = "tf.Conv2D"(%x, %w) {strides = [1, 1, 1, 1], padding = "EXPLICIT", explicit_paddings = [0, 0, 1, 1, 0, 0, 0, 1]} : (tensor<1x7x7x3xf32>, tensor<3x3x3x8xf32>) -> tensor<*xf32>
  func.return %y : tensor<*xf32>
}

// -----

func.func @large(%x: tensor<1x7x9x3xf32>, %w: tensor<9x9x3x8xf32>) -> tensor<*xf32> {
  // expected-error@below {{tf.Conv2D: nn.convolution: a window of 9 elements does not fit the 7 of spatial dimension 0 with its padding}}
  %y = "tf.Conv2D"(%x, %w) {strides = [1, 1, 1, 1], padding = "VALID"} : (tensor<1x7x9x3xf32>, tensor<9x9x3x8xf32>) -> tensor<*xf32>
  func.return %y : tensor<*xf32>
}

// -----

func.func @over_channels(%x: tensor<1x7x7x3xf32>) -> tensor<*xf32> {
  // expected-error@below {{tf.MaxPool: ksize [1, 1, 1, 3] goes over batch or channels; only 1 has a meaning there}}
  %y = "tf.MaxPool"(%x) {ksize = [1, 1, 1, 3], strides = [1, 1, 1, 3], padding = "VALID"} : (tensor<1x7x7x3xf32>) -> tensor<*xf32>
  func.return %y : tensor<*xf32>
}

// -----

func.func @no_such_size(%x: tensor<1x4x4x6xf32>, %w: tensor<3x3x2x6xf32>) -> tensor<*xf32> {
  %s = "tf.Const"() {value = dense<[1, 9, 8, 2]> : tensor<4xi32>} : () -> tensor<4xi32>
  // expected-error@below {{tf.Conv2DBackpropInput: a convolution of [9, 8] makes [5, 4] of it, and this input is [4, 4]; give the inputs of the model sizes that fit}}
  %y = "tf.Conv2DBackpropInput"(%s, %w, %x) {strides = [1, 2, 2, 1], padding = "SAME"} : (tensor<4xi32>, tensor<3x3x2x6xf32>, tensor<1x4x4x6xf32>) -> tensor<*xf32>
  func.return %y : tensor<*xf32>
}

// -----

func.func @transposed_groups(%x: tensor<1x4x4x6xf32>, %w: tensor<3x3x2x6xf32>) -> tensor<*xf32> {
  %s = "tf.Const"() {value = dense<[1, 8, 8, 4]> : tensor<4xi32>} : () -> tensor<4xi32>
  // expected-error@below {{tf.Conv2DBackpropInput: filters make 2 channels, its result has 4; transposed convolutions in groups are not supported}}
  %y = "tf.Conv2DBackpropInput"(%s, %w, %x) {strides = [1, 2, 2, 1], padding = "SAME"} : (tensor<4xi32>, tensor<3x3x2x6xf32>, tensor<1x4x4x6xf32>) -> tensor<*xf32>
  func.return %y : tensor<*xf32>
}

// -----

func.func @computed_sizes(%x: tensor<1x4x4x6xf32>, %w: tensor<3x3x2x6xf32>, %s: tensor<?xi32>) -> tensor<*xf32> {
  // expected-error@below {{tf.Conv2DBackpropInput: how many sizes of its result there are is unknown; give the inputs of the model sizes}}
  %y = "tf.Conv2DBackpropInput"(%s, %w, %x) {strides = [1, 2, 2, 1], padding = "SAME"} : (tensor<?xi32>, tensor<3x3x2x6xf32>, tensor<1x4x4x6xf32>) -> tensor<*xf32>
  func.return %y : tensor<*xf32>
}

// -----

func.func @both(%x: tensor<1x4x4x2xf32>) -> tensor<*xf32> {
  %s = "tf.Const"() {value = dense<8> : tensor<2xi32>} : () -> tensor<2xi32>
  // expected-error@below {{tf.ResizeBilinear: align_corners and half_pixel_centers exclude each other; set one of them}}
  %y = "tf.ResizeBilinear"(%x, %s) {align_corners = true, half_pixel_centers = true} : (tensor<1x4x4x2xf32>, tensor<2xi32>) -> tensor<*xf32>
  func.return %y : tensor<*xf32>
}

// -----

func.func @blocks(%x: tensor<1x4x4x2xf32>) -> tensor<*xf32> {
  %b = "tf.Const"() {value = dense<2> : tensor<2xi32>} : () -> tensor<2xi32>
  %p = "tf.Const"() {value = dense<0> : tensor<1x2xi32>} : () -> tensor<1x2xi32>
  // expected-error@below {{tf.SpaceToBatchND: 2 sizes of a block and 2 of padding or cropping do not fit 4 dimensions; it needs two of the latter for each of the former}}
  %y = "tf.SpaceToBatchND"(%x, %b, %p) : (tensor<1x4x4x2xf32>, tensor<2xi32>, tensor<1x2xi32>) -> tensor<*xf32>
  func.return %y : tensor<*xf32>
}

// -----

func.func @integer(%x: tensor<2xf32>) -> tensor<*xf32> {
  // expected-error@below {{tf.Pack: its attribute 'axis' is "two"; it must be an integer}}
  %y = "tf.Pack"(%x, %x) {axis = "two"} : (tensor<2xf32>, tensor<2xf32>) -> tensor<*xf32>
  func.return %y : tensor<*xf32>
}

// -----

func.func @float(%x: tensor<2xf32>) -> tensor<*xf32> {
  // expected-error@below {{tf.LeakyRelu: its attribute 'alpha' is "small"; it must be a floating-point number}}
  %y = "tf.LeakyRelu"(%x) {alpha = "small"} : (tensor<2xf32>) -> tensor<*xf32>
  func.return %y : tensor<*xf32>
}

// -----

func.func @integers(%x: tensor<1x4x4x2xf32>) -> tensor<*xf32> {
  // expected-error@below {{tf.MaxPool: its attribute 'ksize' is [1 : i64, "2"]; it must be a list of integers}}
  %y = "tf.MaxPool"(%x) {ksize = [1, "2"], strides = [1, 2, 2, 1], padding = "SAME"} : (tensor<1x4x4x2xf32>) -> tensor<*xf32>
  func.return %y : tensor<*xf32>
}

// -----

func.func @columns(%x: tensor<4xf32>) -> tensor<*xf32> {
  %a = "tf.Const"() {value = dense<0> : tensor<1xi32>} : () -> tensor<1xi32>
  %b = "tf.Const"() {value = dense<0> : tensor<2xi32>} : () -> tensor<2xi32>
  // expected-error@below {{tf.StridedSlice: malformed (ValueError: zip() argument 2 is shorter than argument 1)}}
  %y = "tf.StridedSlice"(%x, %b, %a, %b) : (tensor<4xf32>, tensor<2xi32>, tensor<1xi32>, tensor<2xi32>) -> tensor<*xf32>
  func.return %y : tensor<*xf32>
}

// -----

// expected-error@below {{tf_saved_model.global_tensor: its sym_name is 1 : i64; it must be a string, the variable's name}}
"tf_saved_model.global_tensor"() {sym_name = 1, value = dense<0.0> : tensor<1xf32>} : () -> ()
func.func @nameless(%x: tensor<4xf32>) -> tensor<*xf32> {
  %y = "tf.Identity"(%x) : (tensor<4xf32>) -> tensor<*xf32>
  func.return %y : tensor<*xf32>
}

// -----

func.func @results(%x: tensor<4xf32>) -> tensor<*xf32> {
  // expected-error@below {{tf.Relu: has 2 results; it gives 1}}
  %y, %z = "tf.Relu"(%x) : (tensor<4xf32>) -> (tensor<*xf32>, tensor<*xf32>)
  func.return %y : tensor<*xf32>
}

// -----

// expected-error@unknown {{initializer @restore reads what is not a variable; save the model with the values of its variables}}
"tf_saved_model.session_initializer"() <{initializers = [@restore]}> : () -> ()
func.func @restore(%file: tensor<!tf_type.string> {tf_saved_model.bound_input}) {
  func.return
}
func.func @serve(%x: tensor<2xf32>) -> tensor<2xf32> {
  %y = "tf.Relu"(%x) : (tensor<2xf32>) -> tensor<2xf32>
  func.return %y : tensor<2xf32>
}

// -----

// expected-error@unknown {{function @several has 2 blocks; functions of models have one, and branch by operations such as infra.if}}
func.func @calls(%x: tensor<2xf32>) -> tensor<2xf32> {
  %y = "tf.PartitionedCall"(%x) {f = @several} : (tensor<2xf32>) -> tensor<2xf32>
  func.return %y : tensor<2xf32>
}
func.func private @several(%x: tensor<2xf32>) -> tensor<2xf32> {
  %y = "tf.Relu"(%x) : (tensor<2xf32>) -> tensor<2xf32>
  func.return %y : tensor<2xf32>
^more:
  func.return %y : tensor<2xf32>
}

// -----

// expected-error@unknown {{function @serve has 2 arguments, and attributes for 1; give each its own, {} for none}}
"func.func"() <{sym_name = "serve", function_type = (tensor<2xf32>, tensor<2xf32>) -> tensor<2xf32>, arg_attrs = [{}]}> ({
^bb0(%x: tensor<2xf32>, %y: tensor<2xf32>):
  %z = "tf.AddV2"(%x, %y) : (tensor<2xf32>, tensor<2xf32>) -> tensor<2xf32>
  func.return %z : tensor<2xf32>
}) : () -> ()
