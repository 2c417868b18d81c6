"""
`tfl`: LiteRT's fused recurrent operations, operand for operand and attribute for attribute.

What TensorFlow's tools print is read, and what is printed here they read: these operations have no form but
the generic one there. An operand that is absent is the value of `tfl.no_value`. States are values: an
operation starts at those it is given; what LiteRT's kernel leaves in its variables is nobody's result.
"""

from xdsl.ir import Dialect

from .attributes import ConstBytesAttr, LstmKernelTypeAttr
from .bidirectional import BidirectionalSequenceLstmOp
from .constants import NoValueOp, PseudoConstOp
from .custom import CustomOp
from .lstm import LstmOp, LstmOperation, UnidirectionalSequenceLstmOp
from .parts import ACTIVATIONS, GATES, Attributes, Parts, is_absent

__all__ = [
    "ACTIVATIONS",
    "GATES",
    "Attributes",
    "BidirectionalSequenceLstmOp",
    "ConstBytesAttr",
    "CustomOp",
    "LstmKernelTypeAttr",
    "LstmOp",
    "LstmOperation",
    "NoValueOp",
    "Parts",
    "PseudoConstOp",
    "Tfl",
    "UnidirectionalSequenceLstmOp",
    "is_absent",
]

Tfl = Dialect(
    "tfl",
    [
        NoValueOp,
        PseudoConstOp,
        CustomOp,
        LstmOp,
        UnidirectionalSequenceLstmOp,
        BidirectionalSequenceLstmOp,
    ],
    [ConstBytesAttr, LstmKernelTypeAttr],
)
