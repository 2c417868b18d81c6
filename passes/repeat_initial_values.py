"""Constant initial values of states, repeated where new shapes of inputs give what is assigned more rows."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, Any, cast

from xdsl.dialects.builtin import DYNAMIC_INDEX, ModuleOp, TensorType
from xdsl.ir import SSAValue
from xdsl.rewriter import InsertPoint
from xdsl.utils.exceptions import VerifyException

from ..dialects import infra, nn
from ..dialects.inferred import Shape, shape_of
from ..dialects.nn.writer import Writer

if TYPE_CHECKING:
    from ..dialects.blob import BlobAttr


def repeat_initial_values(module: ModuleOp, retyped: Callable[[ModuleOp], None]) -> bool:
    """
    Repeats constant initial values of states along dimensions of size 1, as often as the rows are that the model
    assigns once `retyped` has given its inputs new shapes. Returns whether there are any.
    """
    reads = _reads_of_constants(module)
    shapes = _assigned_shapes(module, reads, retyped)
    for name, shape in shapes.items():
        for read in reads[name]:
            constant = cast(nn.ConstantOp, read.init.owner)
            write = Writer(InsertPoint.before(read), constant)
            read.operands[0] = write.constant(_repeated(constant.value, shape))
    return bool(shapes)


def _reads_of_constants(module: ModuleOp) -> dict[str, list[infra.ReadValueOp]]:
    """The reads of each variable whose initial value is a constant with a dimension of size 1."""
    reads = defaultdict[str, list[infra.ReadValueOp]](list)
    for op in module.walk():
        if isinstance(op, infra.ReadValueOp):
            reads[op.variable.string_value()].append(op)
    return {
        name: found
        for name, found in reads.items()
        if all(isinstance(read.init.owner, nn.ConstantOp) for read in found)
        and 1 in shape_of(found[0].init)
    }


def _assigned_shapes(
    module: ModuleOp,
    reads: Mapping[str, list[infra.ReadValueOp]],
    retyped: Callable[[ModuleOp], None],
) -> dict[str, Shape]:
    """The shape of what is assigned to each of these variables, where it has more rows than the initial value."""
    trial = module.clone()
    for variable in trial.ops:
        if isinstance(variable, infra.VariableOp) and variable.sym_name.data in reads:
            old = cast(TensorType[Any], variable.type)
            sizes = [DYNAMIC_INDEX if size == 1 else size for size in old.get_shape()]
            variable.properties["type"] = TensorType(old.element_type, sizes)
    try:
        retyped(trial)
    except VerifyException:
        return {}
    found: dict[str, Shape] = {}
    for op in trial.walk():
        if isinstance(op, infra.AssignOp) and (name := op.variable.string_value()) in reads:
            sizes = zip(shape_of(reads[name][0].init), _shape_after(op.value), strict=True)
            shape = tuple(new if old == 1 and new != DYNAMIC_INDEX else old for old, new in sizes)
            if shape != shape_of(reads[name][0].init):
                found[name] = shape
    return found


def _shape_after(value: SSAValue) -> Shape:
    """The shape of a value; of what an iterator gives, after one iteration."""
    if not isinstance(value.owner, infra.IteratorOp):
        return shape_of(value)
    port = value.owner.outputs.data[value.owner.results.index(value)]
    is_last = isinstance(port, infra.IterationAttr)
    return shape_of(value.owner.yielded[port.result.data] if is_last else value)


def _repeated(value: BlobAttr, shape: Shape) -> BlobAttr:
    import numpy as np

    from ..reference.arrays import array_of, blob_of_view

    element = value.type.element_type
    return blob_of_view(np.broadcast_to(array_of(value), shape), element)
