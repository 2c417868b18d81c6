"""Kernels to LLVM IR: one emitter per kernel, one record per instruction set."""
