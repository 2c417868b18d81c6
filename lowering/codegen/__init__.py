"""Kernels to LLVM IR: one emitter per kernel."""
