"""The Fourier transform (`RFFT2D`), and the parts and absolute values of its complex results."""

from __future__ import annotations

from .elementwise import UnaryOp
from .operation import operation

Rfft2dOp = operation("rfft2d", "input, fft_length -> output", elements=())
RealOp = operation("real", base=UnaryOp, elements=())
ImagOp = operation("imag", base=UnaryOp, elements=())
ComplexAbsOp = operation("complex_abs", base=UnaryOp, elements=())
