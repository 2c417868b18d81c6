"""
Bisection by layer: compiles each layer of a model alone, and runs it on the reference's inputs of that layer.

A layer ends where something is quantized, before each product (its left operand) and where the model ends. So an error
is found where it arises, and not by what later layers make of it.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from xdsl.dialects import func
from xdsl.dialects.builtin import FunctionType, ModuleOp
from xdsl.ir import Block, BlockArgument, Operation, Region, SSAValue

from ..dialects import infra, nn, qnn
from ..dialects.inferred import label
from ..dialects.module import entry_of
from ..passes.lpt.products import PRODUCTS

if TYPE_CHECKING:
    import numpy.typing as npt

    Array = npt.NDArray[Any]


@dataclass(frozen=True)
class LayerDifference:
    """How far machine and reference are apart at the end of a layer, over all its elements."""

    layer: str
    dtype: str
    largest: float
    """In codes where the layer ends in a FakeQuantize, else as a part of the reference's largest magnitude."""
    share: float
    """The part of the elements that differ at all."""
    is_code: bool

    @property
    def is_close(self) -> bool:
        """
        Whether elements are at most one code apart, or 1e-5 of the largest number. The rounding of a code's value, or
        of a number in f16, comes on top.
        """
        rounding = 2**-10 if self.dtype == "float16" else 1e-5
        if not self.is_code:
            return self.largest <= rounding
        return self.largest <= (1 if "int" in self.dtype else 1 + 255 * rounding)


def compare_layers(module: ModuleOp, inputs: Sequence[Array]) -> Iterator[LayerDifference]:
    """
    The difference at each layer, in the order of the model, for one inference from reset states; `inputs` are
    those of the entry. Raises DiagnosticException where a layer cannot be compiled.
    """
    from .compiler import compile_model

    values = reference_values(module, inputs)
    for layer in layers_of(module):
        compiled = compile_model(layer.module, num_threads=1, pipeline=None)
        request = compiled.create_infer_request()
        (found,) = request.infer([values[value] for value in layer.inputs])
        yield difference(layer, values[layer.output], found)


def reference_values(module: ModuleOp, inputs: Sequence[Array]) -> dict[SSAValue, Array]:
    """The value that the reference gives each value of the entry, in one inference from reset states."""
    from ..reference.executor import Executor

    values: dict[SSAValue, Array] = dict(zip(entry_of(module).body.block.args, inputs, strict=True))

    def observe(op: Operation, _: Sequence[Array], results: Sequence[Array]) -> None:
        values.update(zip(op.results, results, strict=True))

    Executor(module).run(inputs, observe)
    return values


def difference(layer: Layer, wanted: Array, found: Array) -> LayerDifference:
    """How far the machine's result at the end of a layer is from the expected one."""
    import numpy as np

    step = _step(layer.output)
    wide, other = wanted.astype(np.float64), found.astype(np.float64)
    apart = np.asarray(np.abs(other - wide))
    apart[np.isnan(wide) & np.isnan(other)] = 0
    unit = max(float(np.abs(wide).max(initial=0.0)), _least(wanted)) if step is None else step
    largest = float((apart / unit).max(initial=0.0))
    share = float((apart > 0).mean()) if apart.size else 0.0
    return LayerDifference(layer.name, str(wanted.dtype), largest, share, step is not None)


def _least(array: Array) -> float:
    """The least magnitude that differences are relative to, where the reference is 0 or subnormal."""
    import numpy as np

    if array.dtype.kind != "f":
        return 1.0
    return max(float(np.finfo(array.dtype).smallest_normal), 1e-30)


def _step(value: SSAValue) -> Array | None:
    """The step between the values of a FakeQuantize that gives this value; None if another operation does."""
    import numpy as np

    from ..reference.arrays import array_of

    op = value.owner
    if not isinstance(op, qnn.FakeQuantizeOp):
        return None
    low, high = (nn.constant_of(limit) for limit in (op.output_low, op.output_high))
    if low is None or high is None:
        return None
    width = array_of(high).astype(np.float64) - array_of(low)
    return np.maximum(np.abs(width) / (op.levels.value.data - 1), 1e-30)


@dataclass(frozen=True)
class Layer:
    """
    A part of a model as a module of its own, with one result; `inputs` and `output` are values of the whole model.
    """

    name: str
    module: ModuleOp
    inputs: tuple[SSAValue, ...]
    output: SSAValue


def layers_of(module: ModuleOp) -> list[Layer]:
    """The layers of the entry, in order."""
    block = entry_of(module).body.block
    ends: dict[SSAValue, None] = {}
    for op in block.ops:
        if isinstance(op, PRODUCTS):
            ends[op.operands[0]] = None
        if isinstance(op, qnn.FakeQuantizeOp):
            ends[op.result] = None
        if isinstance(op, func.ReturnOp | infra.AssignOp):
            ends |= dict.fromkeys(op.operands)
        if isinstance(op, infra.ReadValueOp | infra.IteratorOp | infra.IfOp):
            ends |= dict.fromkeys((*op.operands, *op.results))
    order = {op: i for i, op in enumerate(block.ops)}
    inner = [
        value
        for value in ends
        if isinstance(owner := value.owner, Operation)
        and not isinstance(owner, nn.ConstantOp | infra.ReadValueOp)
    ]
    inner.sort(key=lambda value: order[_owner(value)])
    return [_layer(value, ends, lambda op: order[op]) for value in inner]


def _owner(value: SSAValue) -> Operation:
    assert isinstance(value.owner, Operation)
    return value.owner


def _layer(
    output: SSAValue, ends: dict[SSAValue, None], order: Callable[[Operation], int]
) -> Layer:
    inputs: dict[SSAValue, None] = {}
    needed: set[Operation] = set()
    waiting = [output]
    while waiting:
        value = waiting.pop()
        is_end = value is not output and value in ends and nn.constant_of(value) is None
        if isinstance(value, BlockArgument) or is_end:
            inputs[value] = None
        elif (owner := _owner(value)) not in needed:
            needed.add(owner)
            waiting += [
                v
                for inner in owner.walk()
                for v in inner.operands
                if not owner.is_ancestor(v.owner)
            ]
    block = Block(arg_types=[value.type for value in inputs])
    mapping: dict[SSAValue, SSAValue] = dict(zip(inputs, block.args, strict=True))
    for op in sorted(needed, key=order):
        block.add_op(op.clone(mapping))
    block.add_op(func.ReturnOp(mapping[output]))
    type = FunctionType.from_lists(list(block.arg_types), [output.type])
    whole = ModuleOp([func.FuncOp("main", type, Region(block))])
    return Layer(label(_owner(output)), whole, tuple(inputs), output)
