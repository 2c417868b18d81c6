"""
`nn`: tensor computation with the semantics and attribute names of the OpenVINO opset, in snake_case.

Each operation is the newest version of its namesake; importers normalize older ones. What OpenVINO takes
as an input (axes, target shapes) is an operand here.
"""

from xdsl.ir import Dialect

from ..blob import BlobAttr
from .comparison import (
    EqualOp,
    GreaterEqualOp,
    GreaterOp,
    LessEqualOp,
    LessOp,
    LogicalAndOp,
    LogicalNotOp,
    LogicalOrOp,
    LogicalXorOp,
    NotEqualOp,
    SelectOp,
)
from .constant import ConstantOp, constant_of
from .elementwise import (
    AddOp,
    BinaryOp,
    ClampOp,
    ConvertOp,
    DivideOp,
    MaximumOp,
    MinimumOp,
    MultiplyOp,
    ReluOp,
    SigmoidOp,
    SubtractOp,
    TanhOp,
    UnaryOp,
)
from .matrix import MatMulOp
from .movement import ConcatOp, SliceOp, SplitOp, TransposeOp
from .shape import BroadcastOp, ReshapeOp, ShapeOfOp, SqueezeOp, UnsqueezeOp

__all__ = [
    "AddOp",
    "BinaryOp",
    "BlobAttr",
    "BroadcastOp",
    "ClampOp",
    "ConcatOp",
    "ConstantOp",
    "ConvertOp",
    "DivideOp",
    "EqualOp",
    "GreaterEqualOp",
    "GreaterOp",
    "LessEqualOp",
    "LessOp",
    "LogicalAndOp",
    "LogicalNotOp",
    "LogicalOrOp",
    "LogicalXorOp",
    "MatMulOp",
    "MaximumOp",
    "MinimumOp",
    "MultiplyOp",
    "Nn",
    "NotEqualOp",
    "ReluOp",
    "ReshapeOp",
    "SelectOp",
    "ShapeOfOp",
    "SigmoidOp",
    "SliceOp",
    "SplitOp",
    "SqueezeOp",
    "SubtractOp",
    "TanhOp",
    "TransposeOp",
    "UnaryOp",
    "UnsqueezeOp",
    "constant_of",
]

Nn = Dialect(
    "nn",
    [
        ConstantOp,
        ConvertOp,
        ReluOp,
        SigmoidOp,
        TanhOp,
        ClampOp,
        AddOp,
        SubtractOp,
        MultiplyOp,
        DivideOp,
        MaximumOp,
        MinimumOp,
        EqualOp,
        NotEqualOp,
        LessOp,
        LessEqualOp,
        GreaterOp,
        GreaterEqualOp,
        LogicalAndOp,
        LogicalOrOp,
        LogicalXorOp,
        LogicalNotOp,
        SelectOp,
        MatMulOp,
        ReshapeOp,
        SqueezeOp,
        UnsqueezeOp,
        ShapeOfOp,
        BroadcastOp,
        SplitOp,
        SliceOp,
        ConcatOp,
        TransposeOp,
    ],
    [BlobAttr],
)
