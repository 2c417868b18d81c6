"""Matrix products to LLVM IR: dense ones, and of compressed weights."""
