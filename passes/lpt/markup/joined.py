"""Which FakeQuantize are joined: their codes meet in operations that preserve precision."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field, replace
from typing import Self

from xdsl.dialects.builtin import AnyFloat, TensorType
from xdsl.ir import Attribute, Block, Operation, SSAValue

from ....dialects.inferred import tensor
from ....dialects.nn import ConcatOp, constant_of
from ....dialects.qnn import DequantizeOp, FakeQuantizeOp
from ..attributes import preserves_precision
from ..constants import scaled_or_shifted
from ..quantization_details import dequantization_of
from ..target import Target


@dataclass(eq=False)
class Joined:
    """
    FakeQuantize, the operations that preserve precision behind them, and their values.

    `codes` are the types of codes that join them and that no FakeQuantize gives. `is_open` where another value joins
    them that nothing quantizes; `is_fixed` where one has a grid that is not to change: of such codes, of those that the
    model makes itself, or behind arithmetic with a constant.
    """

    quantizers: list[FakeQuantizeOp] = field(default_factory=list[FakeQuantizeOp])
    codes: list[Attribute] = field(default_factory=list[Attribute])
    operations: list[Operation] = field(default_factory=list[Operation])
    values: list[SSAValue] = field(default_factory=list[SSAValue])
    is_open: bool = False
    is_fixed: bool = False

    def on_another_grid(self) -> Self:
        """What arithmetic with a constant makes of them: the same codes, which share no parameters with others."""
        return replace(
            self,
            quantizers=[*self.quantizers],
            codes=[*self.codes],
            operations=[],
            values=[],
            is_fixed=True,
        )


class Joins:
    """What is joined in a block: for every value, with what."""

    def __init__(self, block: Block, target: Target):
        self.of: dict[SSAValue, Joined] = {}
        for op in block.ops:
            if isinstance(op, FakeQuantizeOp):
                self._add(_alone(op), op.results)
            elif isinstance(op, DequantizeOp):
                codes = Joined(codes=[tensor(op.input).element_type], is_fixed=True)
                self._add(self.of.get(op.input, codes), op.results)
            elif preserves_precision(op):
                if not target.gives_values(op):
                    self._join(op)
            elif (value := scaled_or_shifted(op)) is not None and value in self.of:
                self._add(self.of[value].on_another_grid(), op.results)

    @property
    def groups(self) -> list[Joined]:
        """Each group once, in the order of their first operations."""
        return list(dict.fromkeys(self.of.values()))

    def _join(self, op: Operation) -> None:
        known = [self.of.get(value) for value in data_of(op)]
        whole = Joined()
        for group in dict.fromkeys(group for group in known if group is not None):
            whole = self._merge(whole, group)
        whole.is_open |= None in known
        whole.operations.append(op)
        self._add(whole, op.results)

    def _merge(self, first: Joined, second: Joined) -> Joined:
        """The larger group, with what was in the smaller one."""
        small, large = sorted((first, second), key=lambda group: len(group.values))
        large.quantizers += small.quantizers
        large.codes += small.codes
        large.operations += small.operations
        large.is_open |= small.is_open
        large.is_fixed |= small.is_fixed
        self._add(large, small.values)
        return large

    def _add(self, group: Joined, values: Iterable[SSAValue]) -> None:
        for value in values:
            self.of[value] = group
            group.values.append(value)


def _alone(op: FakeQuantizeOp) -> Joined:
    """A FakeQuantize before others join it; where its codes are used as they are, they stay of their type."""
    if op.output_type is None:
        return Joined(quantizers=[op])
    if dequantization_of(op) is None:
        return Joined(codes=[op.output_type], is_fixed=True)
    return Joined(quantizers=[op], is_fixed=True)


def data_of(op: Operation) -> list[SSAValue]:
    """The operands that an operation preserves the precision of; a value to pad with is none."""
    values = [value for value in op.operands if is_value(value)]
    if isinstance(op, ConcatOp):
        return values
    return [value for value in values if constant_of(value) is None]


def is_value(value: SSAValue) -> bool:
    """Whether this is a tensor in floating point."""
    return isinstance(value.type, TensorType) and isinstance(tensor(value).element_type, AnyFloat)
