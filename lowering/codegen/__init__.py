"""
Kernels to LLVM IR: one emitter for each kernel.

`schedule` decides, and the emitters follow: `convolution`, `mat_mul` (both by the `microkernel`), `whole`, and the
files beside them. `entry` has the functions that callers call, `ir` writes the text.
"""
