"""Tests of kernels on a CPU that this machine does not have."""
