// RUN: not opt-tool %s --reshape='inputs="X=2x3"' 2>&1 | filecheck %s

// A slice that does not fit computes nothing, so that no size follows from it while advice is looked for.
// CHECK: error: reshape: nn.slice: start, stop, step and axes differ in length;
func.func @main(%x: tensor<1x3xf32> {nn.names = ["X"]}) -> (tensor<1x3xf32> {nn.names = ["Y"]}) {
  %sizes = nn.shape_of %x : tensor<1x3xf32> -> tensor<2xi64>
  %zero = nn.constant dense<[0]> : tensor<1xi64>
  %one = nn.constant dense<[1]> : tensor<1xi64>
  %flat = nn.constant dense<[-1]> : tensor<1xi64>
  %size = nn.slice %sizes, %zero, %one, %one, %zero : (tensor<2xi64>, tensor<1xi64>, tensor<1xi64>, tensor<1xi64>, tensor<1xi64>) -> tensor<1xi64>
  %many = nn.broadcast %zero, %size {mode = "numpy"} : (tensor<1xi64>, tensor<1xi64>) -> tensor<1xi64>
  %part = nn.slice %sizes, %many, %one, %one, %zero : (tensor<2xi64>, tensor<1xi64>, tensor<1xi64>, tensor<1xi64>, tensor<1xi64>) -> tensor<1xi64>
  %both = nn.concat %part, %flat {axis = 0 : i64} : (tensor<1xi64>, tensor<1xi64>) -> tensor<2xi64>
  %y = nn.reshape %x, %both : (tensor<1x3xf32>, tensor<2xi64>) -> tensor<1x3xf32>
  func.return %y : tensor<1x3xf32>
}
