"""Convolutions to LLVM IR: by the microkernel, depthwise, and by Winograd's algorithm."""
