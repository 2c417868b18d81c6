"""Kernels to LLVM IR that compute their results as a whole, not point by point."""
