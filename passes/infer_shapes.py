"""`infer-shapes`: gives every value the type that the values it is made of determine."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, TypeGuard, cast

from xdsl.context import Context
from xdsl.dialects import func
from xdsl.dialects.builtin import DYNAMIC_INDEX, ModuleOp, TensorType
from xdsl.ir import Attribute, Block, Operation, SSAValue
from xdsl.passes import ModulePass
from xdsl.rewriter import Rewriter

from ..dialects import infra, nn
from ..dialects.inferred import (
    InferredOp,
    Shape,
    compatible,
    constant_integers,
    normalize_axis,
    shape_of,
    tensor,
)

if TYPE_CHECKING:
    from ..reference.arrays import Array

MOST_ELEMENTS = 1024
"""Values with more elements than this are no shapes; they are not computed."""


@dataclass(frozen=True)
class InferShapes(ModulePass):
    """
    Every result of our operations gets the type its operands give, in order, bodies included.

    The types of inputs and of states are taken as they are, and so is what foreign operations give.
    A type that was more specific than the operands can tell becomes less so.
    """

    name = "infer-shapes"

    def apply(self, ctx: Context, op: ModuleOp) -> None:
        infer_types(op)


def infer_types(module: ModuleOp, keep: bool = False) -> None:
    """
    Infers all types of a module. With `keep`, for rewrites that replaced values by equal ones, what
    the old types knew stays known.

    Raises VerifyException where operands do not fit their use.
    """
    inference = _Inference(keep)
    for op in list(module.walk()):
        if isinstance(op, func.FuncOp) and not op.is_declaration:
            for block in op.body.blocks:
                inference.infer_block(block)
            op.update_function_type()


@dataclass(frozen=True)
class _Inference:
    """One way through a module; `keep` as in `infer_types`."""

    keep: bool

    def infer_block(self, block: Block) -> None:
        known = KnownIntegers()
        for op in block.ops:
            match op:
                case infra.IteratorOp():
                    self._infer_iterations(op)
                    self._retype(op.results, op.infer_types(known))
                case infra.IfOp():
                    for body in op.bodies:
                        self._retype(body.args, [value.type for value in op.inputs])
                        self.infer_block(body)
                    self._retype(op.results, op.infer_types(known))
                case infra.ReadValueOp():
                    variable = infra.variables_of(op)[op.variable.string_value()]
                    self._retype(op.results, [variable.type])
                case InferredOp():
                    self._retype(op.results, op.infer_types(known))
                case _:
                    for region in op.regions:
                        for inner in region.blocks:
                            self.infer_block(inner)

    def _infer_iterations(self, iterator: infra.IteratorOp) -> None:
        """Where an iteration may change a dimension of a merged input, it is unknown."""
        body, ports = iterator.body.block, len(iterator.inputs)
        self._retype(body.args[:ports], [_first_type(iterator, i) for i in range(ports)])
        while True:
            self.infer_block(body)
            joined = list(body.arg_types)
            for i, port in enumerate(iterator.inputs):
                if isinstance(port, infra.MergedAttr):
                    back = iterator.yielded[port.result.data]
                    joined[i] = _join(tensor(body.args[i]), tensor(back))
            if joined == list(body.arg_types):
                return
            _Inference(keep=False)._retype(body.args, joined)

    def _retype(self, values: Sequence[SSAValue], types: Sequence[Attribute]) -> None:
        for value, type in zip(list(values), types, strict=True):
            if self.keep:
                type = _meet(value.type, type)
            if value.type != type:
                Rewriter.replace_value_with_new_type(value, type)


def _first_type(iterator: infra.IteratorOp, index: int) -> Attribute:
    """The type of a body argument in the first iteration."""
    operand, port = iterator.operands_[index], iterator.inputs.data[index]
    if not isinstance(port, infra.SlicedAttr):
        return operand.type
    shape = list(shape_of(operand))
    shape[normalize_axis(iterator, port.axis.data, len(shape))] = port.part_size.data
    return TensorType(tensor(operand).element_type, shape)


def _join(left: TensorType[Any], right: TensorType[Any]) -> TensorType[Any]:
    """The most specific type that values of either type have."""
    assert left.element_type == right.element_type, "verified, and not for inference to change"
    sizes = zip(left.get_shape(), right.get_shape(), strict=True)
    return TensorType(left.element_type, [a if a == b else DYNAMIC_INDEX for a, b in sizes])


def _meet(old: Attribute, new: Attribute) -> Attribute:
    """What both types say of a value; `new` where they contradict each other."""
    if not compatible(old, new):
        return new
    before, after = cast(TensorType[Any], old), cast(TensorType[Any], new)
    sizes = zip(before.get_shape(), after.get_shape(), strict=True)
    return TensorType(after.element_type, [a if b == DYNAMIC_INDEX else b for a, b in sizes])


@dataclass
class KnownIntegers:
    """
    What the values of one block are, as far as constants and known shapes determine it. The
    reference computes it when it is first asked for.
    """

    _arrays: dict[SSAValue, Array | None] = field(default_factory=dict[SSAValue, "Array | None"])

    def __call__(self, value: SSAValue) -> Sequence[int] | None:
        if isinstance(value.owner, nn.ConstantOp):
            return constant_integers(value)
        pending = [value]
        while pending:
            missing = [each for each in _inputs(pending[-1]) if each not in self._arrays]
            pending += missing
            if not missing:
                self._compute(pending.pop())
        array = self._arrays[value]
        return None if array is None else [int(element) for element in array.reshape(-1)]

    def _compute(self, value: SSAValue) -> None:
        from ..reference.executor import evaluate

        self._arrays.setdefault(value, None)
        if not _is_computable(op := value.owner):
            return
        if isinstance(op, nn.ShapeOfOp):
            inputs = [_any_array(shape_of(op.input))]
        else:
            inputs = [self._arrays[each] for each in op.operands]
        if all(array is not None for array in inputs):
            results = evaluate(op, [array for array in inputs if array is not None])
            self._arrays.update(zip(op.results, results, strict=True))


def _any_array(shape: Shape) -> Array | None:
    """An array of this shape, for those who only look at that."""
    import numpy as np

    return None if DYNAMIC_INDEX in shape else np.broadcast_to(np.zeros(()), shape)


def _inputs(value: SSAValue) -> Sequence[SSAValue]:
    """The values that have to be known to compute this one."""
    op = value.owner
    return op.operands if _is_computable(op) and not isinstance(op, nn.ShapeOfOp) else ()


def _is_computable(op: Operation | Block) -> TypeGuard[Operation]:
    """Whether the reference can compute this, and it is small enough to be part of a shape."""
    from ..reference.executor import MEANINGS

    return type(op) in MEANINGS and all(
        DYNAMIC_INDEX not in shape_of(result) and math.prod(shape_of(result)) <= MOST_ELEMENTS
        for result in cast(Operation, op).results
    )
