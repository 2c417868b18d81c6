"""`infra`: states (`variable`, `read_value`, `assign`), iteration (`tensor_iterator`, `loop`) and choice (`if`)."""

from xdsl.ir import Dialect

from .branch import IfOp
from .iterators import IteratorOp, LoopOp, TensorIteratorOp, YieldOp
from .ports import (
    ConcatenatedAttr,
    InvariantAttr,
    IterationAttr,
    MergedAttr,
    PortAttr,
    SlicedAttr,
    Slicing,
)
from .states import AssignOp, ReadValueOp, VariableOp, variables_of

__all__ = [
    "AssignOp",
    "ConcatenatedAttr",
    "IfOp",
    "Infra",
    "InvariantAttr",
    "IterationAttr",
    "IteratorOp",
    "LoopOp",
    "MergedAttr",
    "PortAttr",
    "ReadValueOp",
    "SlicedAttr",
    "Slicing",
    "TensorIteratorOp",
    "VariableOp",
    "YieldOp",
    "variables_of",
]

Infra = Dialect(
    "infra",
    [VariableOp, ReadValueOp, AssignOp, TensorIteratorOp, LoopOp, IfOp, YieldOp],
    [SlicedAttr, MergedAttr, InvariantAttr, ConcatenatedAttr, IterationAttr],
)
