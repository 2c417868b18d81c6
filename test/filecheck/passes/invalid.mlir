// RUN: not opt-tool %s --infer-shapes 2>&1 | filecheck %s
// RUN: not opt-tool %s --verify-numerics=steps=few 2>&1 | filecheck %s --check-prefix USAGE
// RUN: not opt-tool %s --low-latency2=use-const-initializer=1 2>&1 | filecheck %s --check-prefix OPTION
// RUN: not opt-tool %s --reshape='inputs="Z=3"' 2>&1 | filecheck %s --check-prefix RESHAPE
// RUN: not opt-tool %s --trim=outputs=halve 2>&1 | filecheck %s --check-prefix TRIM
// RUN: not opt-tool %s --replace-constant='name=axis file="'%s'"' 2>&1 | filecheck %s --check-prefix REPLACE

// RESHAPE: invalid.mlir: error: reshape: there is no input 'Z'; inputs: 0
// TRIM: invalid.mlir: error: trim: nothing is named 'halve'; did you mean 'halves'?
// REPLACE: invalid.mlir: error: not an .npy file of numbers: the magic string is not correct

// USAGE: --verify-numerics: 'steps=few' is none of inputs=N, steps=N and seed=N
// OPTION: use-const-initializer

// A sum of unknown size could be split; one of three elements cannot.
// CHECK: invalid.mlir:20:17: error: nn.split 'halves': dimension 0 of size 3 does not split into 2
func.func @known_now(%x: tensor<3xf32>) -> tensor<?xf32> {
  %sum = nn.add %x, %x : (tensor<3xf32>, tensor<3xf32>) -> tensor<?xf32>
  %axis = nn.constant {nn.name = "axis"} dense<0> : tensor<i64>
  %low, %high = nn.split %sum, %axis {num_splits = 2 : i64, nn.name = "halves"} : (tensor<?xf32>, tensor<i64>) -> (tensor<?xf32>, tensor<?xf32>)
  func.return %low : tensor<?xf32>
}
