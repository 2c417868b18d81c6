"""How the sizes of a model follow those of its inputs."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

from xdsl.dialects.builtin import (
    DYNAMIC_INDEX,
    ModuleOp,
    TensorType,
)
from xdsl.ir import Operation, SSAValue

from ...dialects.inferred import (
    shape_of,
    tensor,
)
from ...dialects.module import entry_of
from ...dialects.rewriter import Rewriter
from ..infer_shapes import shape_errors

PROBE = 1009
"""A prime. Sizes of the inputs are multiplied by it, one after the other, to see which other sizes change with them."""

Size = tuple[int, ...]
"""
A size in the model as it is, followed by the same size in each probe. There is a probe for each distinct size of the
inputs: in it, all input dimensions of that size are `PROBE` times as large.
"""


@dataclass(frozen=True)
class ReadDimension:
    """A dimension whose size `nn.shape_of` can read while the model runs."""

    value: SSAValue
    index: int


@dataclass(frozen=True)
class Sizes:
    """
    How all sizes of a module follow its inputs. `known` has the shapes of each value, in the model and in each probe;
    `probed` the sizes that the probes multiply.
    """

    known: dict[SSAValue, list[tuple[int, ...]]]
    inputs: Sequence[SSAValue]
    probed: Sequence[int]

    @classmethod
    def of(cls, module: ModuleOp) -> Sizes:
        """Infers the shapes of the module and of its probes."""
        inputs = entry_of(module).body.block.args
        tensors = [value for value in inputs if isinstance(value.type, TensorType)]
        probed = sorted({size for value in tensors for size in shape_of(value) if size > 0})
        known = {value: [shape_of(value)] for value in values_of(module)}
        for size in probed:
            probe, _ = resized(module, size, size * PROBE)
            for value, other in zip(known, values_of(probe), strict=True):
                known[value].append(shape_of(other))
        return cls(known, tensors, probed)

    def of_value(self, value: SSAValue) -> list[Size]:
        """The sizes of a value's dimensions."""
        return list(zip(*self.known[value], strict=True)) if value in self.known else []

    @cached_property
    def runs(self) -> set[Size]:
        """The products of the sizes of adjacent dimensions, of every input."""
        return {
            product_of(dimensions[begin:end])
            for dimensions in map(self.of_value, self.inputs)
            for end in range(1, len(dimensions) + 1)
            for begin in range(end)
        }

    def literal(self, size: int) -> Size:
        """A size that is the same in every probe."""
        return (size,) * (len(self.probed) + 1)

    def input_dimensions(self, op: Operation) -> list[tuple[ReadDimension, Size]]:
        """The dimensions of inputs that an operation can read, being in the same block."""
        return [
            (ReadDimension(value, index), size)
            for value in self.inputs
            if op.parent is value.owner
            for index, size in enumerate(self.of_value(value))
        ]


def values_of(module: ModuleOp) -> list[SSAValue]:
    """All tensors of a module, in the order in which they stand."""
    values: list[SSAValue] = []
    for op in module.walk():
        values += op.results
        for region in op.regions:
            for block in region.blocks:
                values += block.args
    return [value for value in values if isinstance(value.type, TensorType)]


def resized(module: ModuleOp, old: int, new: int) -> tuple[ModuleOp, int]:
    """A copy whose inputs have dimensions of another size, and how many operations do not fit then."""
    probe = module.clone()
    for value in entry_of(probe).body.block.args:
        if isinstance(value.type, TensorType):
            shape = [new if size == old else size for size in shape_of(value)]
            type = TensorType(tensor(value).element_type, shape)
            Rewriter.replace_value_with_new_type(value, type)
    return probe, len(set(shape_errors(probe)))


def follows(size: Size) -> bool:
    """Whether a size changes with an input, in a way that the probes know."""
    return len(set(size)) > 1 and DYNAMIC_INDEX not in size


def is_dynamic(*values: SSAValue) -> bool:
    """Whether any of the values has an unknown dimension."""
    return any(DYNAMIC_INDEX in shape_of(value) for value in values)


def product_of(sizes: Sequence[Size], length: int = 0) -> Size:
    """How many elements dimensions of these sizes have."""
    columns = zip(*sizes, strict=True) if sizes else [()] * length
    return tuple(math.prod(column) for column in columns)
