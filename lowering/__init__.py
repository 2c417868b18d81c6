"""Model to machine: passes from nn to kernels, then `codegen` from kernels to LLVM IR."""
