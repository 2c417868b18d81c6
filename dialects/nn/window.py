"""Windows that move over spatial dimensions, the geometry of convolutions and pooling."""

from __future__ import annotations

from abc import ABC
from collections.abc import Sequence
from dataclasses import dataclass

from xdsl.dialects.builtin import DYNAMIC_INDEX, DenseArrayBase, IntegerType, i64
from xdsl.irdl import traits_def

from ..inferred import Shape, TensorOp, check_bytes, choice, spelled, tensor
from ..properties import INTEGERS, integers_prop, word_prop
from ..tensor_types import typed
from ..traits import HasWindow

SIZES = INTEGERS
"""A number for each spatial dimension."""


def sizes_attribute(sizes: Sequence[int]) -> DenseArrayBase[IntegerType]:
    """Such numbers as an attribute."""
    return DenseArrayBase.from_list(i64, sizes)


@dataclass(frozen=True)
class Window:
    """
    A kernel at `positions` `stride` apart, its elements `dilation` apart, over an input with `padding`.

    `auto_pad` decides on padding: `explicit` takes what is given, `valid` none, `same_upper` and
    `same_lower` what ⌈size / stride⌉ positions need, an odd rest at the end or the beginning.
    `rounding` decides on a last position that reaches over the padded input: `floor` drops it, `ceil`
    keeps it, `ceil_torch` keeps it if it begins within the input or the padding before it.
    """

    kernel: Shape
    strides: Shape
    dilations: Shape
    pads_begin: Shape
    pads_end: Shape
    auto_pad: str
    rounding: str

    @property
    def extents(self) -> Shape:
        """What the kernel spans in each dimension."""
        return tuple(
            size if size == DYNAMIC_INDEX else (size - 1) * dilation + 1
            for size, dilation in zip(self.kernel, self.dilations, strict=True)
        )

    def positions(self, sizes: Sequence[int]) -> Shape:
        """How many in each dimension, below 1 where the kernel does not fit; unknown of unknown sizes."""
        return tuple(self._positions(i, size) for i, size in enumerate(sizes))

    def _positions(self, i: int, size: int) -> int:
        extent, stride = self.extents[i], self.strides[i]
        same = self.auto_pad in ("same_upper", "same_lower") and self.rounding == "floor"
        if size == DYNAMIC_INDEX or (extent == DYNAMIC_INDEX and not same):
            return DYNAMIC_INDEX
        if same:
            return -(-size // stride)
        begin, end = self._pads(i, size)
        room = size + begin + end - extent
        if room < 0 or self.rounding == "floor":
            return room // stride + 1
        count = -(-room // stride) + 1
        over = self.rounding == "ceil_torch" and (count - 1) * stride >= size + begin
        return count - over

    def padding(self, sizes: Sequence[int]) -> list[tuple[int, int]]:
        """Before and after each dimension of known size."""
        return [self._pads(i, size) for i, size in enumerate(sizes)]

    def _pads(self, i: int, size: int) -> tuple[int, int]:
        if self.auto_pad == "explicit":
            return self.pads_begin[i], self.pads_end[i]
        if self.auto_pad == "valid":
            return 0, 0
        positions = -(-size // self.strides[i])
        total = max((positions - 1) * self.strides[i] + self.extents[i] - size, 0)
        less = total // 2
        return (less, total - less) if self.auto_pad == "same_upper" else (total - less, less)


class WindowedOp(TensorOp, ABC):
    """An operation at every position of a window. Padding is read only with `auto_pad` `explicit`."""

    traits = traits_def(HasWindow())

    strides = integers_prop()
    pads_begin = integers_prop()
    pads_end = integers_prop()
    dilations = integers_prop()
    auto_pad = word_prop("explicit")

    def window(self, kernel: Shape, rounding: str = "floor") -> Window:
        """The window with a kernel of these sizes. Raises VerifyException where a property does not fit."""
        auto_pad = choice(self, "auto_pad", "explicit", "valid", "same_upper", "same_lower")
        if 0 in kernel:
            raise self.op_error(f"a window of {spelled(kernel)} sees nothing; give it elements")
        strides, dilations = (
            sizes_of(self, "strides", kernel, 1),
            sizes_of(self, "dilations", kernel, 1),
        )
        begin, end = (
            sizes_of(self, name, kernel, 0) if auto_pad == "explicit" else ()
            for name in ("pads_begin", "pads_end")
        )
        return Window(kernel, strides, dilations, begin, end, auto_pad, rounding)


def sizes_of(op: TensorOp, name: str, kernel: Shape, least: int) -> Shape:
    """A property with a number for each spatial dimension. Raises VerifyException where it has not."""
    property = op.properties[name]
    assert isinstance(property, DenseArrayBase)
    values = tuple(int(value) for value in property.get_values())
    if len(values) != len(kernel) or any(value < least for value in values):
        raise op.op_error(
            f"{name} {list(values)} must be {len(kernel)} numbers of at least {least}, "
            "one for each spatial dimension"
        )
    return values


def checked_positions(op: TensorOp, window: Window, sizes: Sequence[int]) -> Shape:
    """The positions. Raises VerifyException, naming `op`, where the kernel does not fit."""
    positions = window.positions(sizes)
    for i, count in enumerate(positions):
        if sizes[i] != DYNAMIC_INDEX and count != DYNAMIC_INDEX and count < 1:
            raise op.op_error(
                f"a window of {window.extents[i]} elements does not fit the {sizes[i]} of "
                f"spatial dimension {i} with its padding"
            )
    if DYNAMIC_INDEX not in sizes:
        padded(op, [(0, 0), (0, 0), *window.padding(sizes)])
    return positions


def padded(op: TensorOp, pads: Sequence[tuple[int, int]]) -> Shape:
    """The shape of the first operand with padding. Raises VerifyException, naming `op`, where it is too large."""
    type = tensor(op.operands[0])
    sizes = tuple(
        size if size == DYNAMIC_INDEX else size + before + after
        for size, (before, after) in zip(type.get_shape(), pads, strict=True)
    )
    check_bytes(op, "its input with padding", typed(type.element_type, sizes))
    return sizes
