// RUN: python -c 'import sys, numpy; numpy.save(sys.argv[1], [1, 4])' %t.flat.npy
// RUN: python -c 'import sys, numpy; numpy.save(sys.argv[1], [1, 1, 4])' %t.shape.npy
// RUN: opt-tool %s --replace-constant='name=flat,shape file="'%t.flat.npy'","'%t.shape.npy'"' 2>&1 | filecheck %s --check-prefixes CHECK,OPEN
// RUN: opt-tool %s --replace-constant='name=flat,shape file="'%t.flat.npy'","'%t.shape.npy'"' --reshape='inputs="X=1x1x4"' --low-latency2 2>/dev/null | filecheck %s --check-prefixes CHECK,STEP
// RUN: opt-tool %s --replace-constant='name=bias file="'%t.shape.npy'"' | filecheck %s --check-prefix DATA

// Two constants hold the length of the signal, 3. With data for a length of 1, X has no known length until it is
// reshaped; then one iteration is left.
// OPEN:        replace-constant: the new data is for another size of input X, which is tensor<1x?x4xf32> now; reshape it
// CHECK-LABEL: func.func @main
// OPEN-SAME:     (%x: tensor<1x?x4xf32>
// STEP-SAME:     (%x: tensor<1x1x4xf32>
// CHECK:         nn.constant {nn.name = "flat"} dense<[1, 4]> : tensor<2xi64>
// CHECK:         nn.constant {nn.name = "shape"} dense<[1, 1, 4]> : tensor<3xi64>
// CHECK:         nn.reshape {{.*}} -> tensor<1x4xf32>
// CHECK:         nn.reshape {{.*}} -> tensor<1x1x4xf32>
// STEP-NOT:      infra.tensor_iterator
// STEP:          infra.assign @"TI/H_t/variable_1"

// Other data for what fits alone: the shape is another, the element type stays, and types follow.
// DATA-LABEL:  func.func @main(%x: tensor<1x3x4xf32> {{.*}}, {{.*}}) -> (tensor<1x4xf32> {{.*}}, tensor<3xi32>)
// DATA:          nn.constant {nn.name = "bias"} dense<[1, 1, 4]> : tensor<3xi32>
func.func @main(%x: tensor<1x3x4xf32> {nn.names = ["X"]}, %h0: tensor<1x4xf32> {nn.names = ["H"]}) -> (tensor<1x4xf32> {nn.names = ["Y"]}, tensor<1xi32>) {
  %flat = nn.constant {nn.name = "flat"} dense<[3, 4]> : tensor<2xi64>
  %shape = nn.constant {nn.name = "shape"} dense<[1, 3, 4]> : tensor<3xi64>
  %f = nn.reshape %x, %flat {nn.name = "Flatten"} : (tensor<1x3x4xf32>, tensor<2xi64>) -> tensor<3x4xf32>
  %m = nn.tanh %f : tensor<3x4xf32>
  %r = nn.reshape %m, %shape {nn.name = "Reshape_1"} : (tensor<3x4xf32>, tensor<3xi64>) -> tensor<1x3x4xf32>
  %y = infra.tensor_iterator %r, %h0
      inputs [#infra.sliced<axis = 1, start = 0, end = -1, stride = 1, part_size = 1>, #infra.merged<result = 0>]
      outputs [#infra.iteration<result = 0, iteration = -1>]
      body_names ["X_t", "H_t"] {nn.name = "TI"} : (tensor<1x3x4xf32>, tensor<1x4xf32>) -> tensor<1x4xf32> {
  ^bb0(%xt: tensor<1x1x4xf32>, %ht: tensor<1x4xf32>):
    %axis = nn.constant dense<1> : tensor<1xi64>
    %x0 = nn.squeeze %xt, %axis : (tensor<1x1x4xf32>, tensor<1xi64>) -> tensor<1x4xf32>
    %next = nn.add %x0, %ht : (tensor<1x4xf32>, tensor<1x4xf32>) -> tensor<1x4xf32>
    infra.yield %next : tensor<1x4xf32>
  }
  %bias = nn.constant {nn.name = "bias"} dense<7> : tensor<1xi32>
  %b = nn.add %bias, %bias : (tensor<1xi32>, tensor<1xi32>) -> tensor<1xi32>
  func.return %y, %b : tensor<1x4xf32>, tensor<1xi32>
}
