"""Zero padding in front of a convolution."""

from __future__ import annotations

from typing import ClassVar

from xdsl.dialects.builtin import DenseArrayBase, StringAttr, i64
from xdsl.ir import Operation
from xdsl.pattern_rewriter import PatternRewriter

from ....dialects.inferred import constant_integers, shape_of
from ....dialects.nn import PadOp, constant_of
from ....dialects.nn.convolution import ForwardConvolution
from ....reference.arrays import array_of
from ..pattern import NamedPattern


class PadFusion(NamedPattern[ForwardConvolution]):
    """
    `conv(pad(x, 0), w) = conv'(x, w)`, where `conv'` pads by as much more. Kernels read no padding, so this saves the
    padded copy. On codes the padding value must be the convolution's own, the code of 0.

    Declines other values and modes, cropping, computed sizes, `same_upper` and `same_lower`.
    """

    name: ClassVar[str] = "pad_fusion"

    def match_and_rewrite(self, op: Operation, rewriter: PatternRewriter, /) -> None:
        if not isinstance(op, ForwardConvolution):
            return
        pad = op.input.owner
        if not isinstance(pad, PadOp) or (more := padding(pad, op.outside)) is None:
            return
        window = op.window(op.split_filters(shape_of(op.filters)).kernel)
        if window.auto_pad not in ("explicit", "valid"):
            return
        none = (0,) * len(window.kernel)
        properties = {
            name: DenseArrayBase.from_list(
                i64, [a + b for a, b in zip(pads or none, added, strict=True)]
            )
            for name, pads, added in zip(
                ("pads_begin", "pads_end"), (window.pads_begin, window.pads_end), more, strict=True
            )
        }
        properties |= {"auto_pad": StringAttr("explicit")}
        fused = type(op).of(pad.input, *op.operands[1:], **(op.properties | properties))
        fused.attributes |= op.attributes
        rewriter.replace(op, fused)


def padding(pad: PadOp, outside: int) -> tuple[list[int], list[int]] | None:
    """The padding before and after each spatial dimension; None if it pads others or with another value."""
    begin, end = constant_integers(pad.pads_begin), constant_integers(pad.pads_end)
    if pad.pad_mode.data != "constant" or begin is None or end is None:
        return None
    if any(count < 0 for count in (*begin, *end)) or any((*begin[:2], *end[:2])):
        return None
    if pad.pad_value is None:
        return (list(begin[2:]), list(end[2:])) if outside == 0 else None
    value = constant_of(pad.pad_value)
    if value is None or (array_of(value) != outside).any():
        return None
    return list(begin[2:]), list(end[2:])
