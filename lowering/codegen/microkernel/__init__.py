"""The GEMM microkernel, which convolutions and matrix products share."""
