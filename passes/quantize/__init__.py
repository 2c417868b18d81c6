"""
Quantization after training: which values of a model become codes, given the intervals that they lie in.

`plan` says which values share a grid, `runtime.calibration` measures them, `insert` writes fake quantizations, of which
`lpt` and `nn-to-tfl` make arithmetic on codes.
"""
