"""
`kernel`: what the code generator emits.

A kernel exists in two forms. On tensors it is a pure operation with results; on memrefs (after
`plan-memory`) it writes into `outs` and has no results. In both, a kernel runs its body, scalar
operations of `arith`, `math` and `functions.py`, at every point of its `domain`; `access` says which element of each of
`ins` and `outs` a point reads or writes. Bodies are signless: 8-bit elements enter as i32, extended as
their memory type says, f16 and bf16 as f32; what is yielded is saturated or rounded to the type of its
memory (`body_type`).
"""

from xdsl.ir import Dialect

from .access import Access, Term
from .base import FITS, KernelOp, YieldOp
from .convolution import ConvolutionOp
from .functions import ErfcOp, SigmoidOp
from .gather import GatherOp
from .kernels import MapOp, MatMulOp, offsets_attribute
from .layout import ConvolutionLayout, DepthwiseLayout, PackedLayout, Window
from .memory import (
    BufferOp,
    ConstantOp,
    CopyOp,
    ForOp,
    IfOp,
    IfUnsetOp,
    IndexOp,
    OddCallOp,
    ViewOp,
    WhileOp,
)
from .movement import ConcatOp, PadOp, ReshapeOp, SliceOp
from .program import ProgramOp
from .reduce import COMBINERS, ReduceOp, neutral
from .types import ALIGNMENT, SHAPED, Shaped, body_type, shaped, storage_bytes, strides_of

__all__ = [
    "ALIGNMENT",
    "COMBINERS",
    "FITS",
    "SHAPED",
    "Access",
    "BufferOp",
    "ConcatOp",
    "ConstantOp",
    "ConvolutionLayout",
    "ConvolutionOp",
    "CopyOp",
    "DepthwiseLayout",
    "ErfcOp",
    "ForOp",
    "GatherOp",
    "IfOp",
    "IfUnsetOp",
    "IndexOp",
    "Kernel",
    "KernelOp",
    "MapOp",
    "MatMulOp",
    "OddCallOp",
    "PackedLayout",
    "PadOp",
    "ProgramOp",
    "ReduceOp",
    "ReshapeOp",
    "Shaped",
    "SigmoidOp",
    "SliceOp",
    "Term",
    "ViewOp",
    "WhileOp",
    "Window",
    "YieldOp",
    "body_type",
    "neutral",
    "offsets_attribute",
    "shaped",
    "storage_bytes",
    "strides_of",
]

Kernel = Dialect(
    "kernel",
    [
        MapOp,
        MatMulOp,
        ConvolutionOp,
        ReduceOp,
        GatherOp,
        ReshapeOp,
        ConcatOp,
        PadOp,
        SliceOp,
        YieldOp,
        SigmoidOp,
        ErfcOp,
        ProgramOp,
        ConstantOp,
        BufferOp,
        ViewOp,
        CopyOp,
        ForOp,
        WhileOp,
        IfOp,
        IndexOp,
        OddCallOp,
        IfUnsetOp,
    ],
)
