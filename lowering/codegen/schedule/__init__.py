"""Schedules: how a kernel goes over its points. Pure functions from shapes to frozen data, no LLVM."""

from .convolution import ConvolutionSchedule
from .map import MapSchedule
from .mat_mul import MatMulSchedule

__all__ = ["ConvolutionSchedule", "MapSchedule", "MatMulSchedule"]
