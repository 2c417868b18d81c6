"""FakeQuantize that maps each code to itself."""

from __future__ import annotations

from typing import ClassVar

import numpy as np
from xdsl.dialects.builtin import IntegerType
from xdsl.ir import Attribute
from xdsl.pattern_rewriter import PatternRewriter, op_type_rewrite_pattern

from ....dialects.elements import bits_of, is_integer
from ....dialects.inferred import tensor
from ....dialects.nn import ConvertOp, constant_of
from ....dialects.qnn import FakeQuantizeOp
from ....reference.arrays import array_of, dtype_of
from ..pattern import NamedPattern


class EliminateFakeQuantize(NamedPattern[FakeQuantizeOp]):
    """
    `fq(convert(q)) = convert(q)`, and `= q` where it gives codes of that type, if its intervals are all codes
    of the type and it has as many levels.
    """

    name: ClassVar[str] = "eliminate_fake_quantize"

    @op_type_rewrite_pattern
    def match_and_rewrite(self, op: FakeQuantizeOp, rewriter: PatternRewriter, /) -> None:
        convert = op.input.owner
        if not isinstance(convert, ConvertOp):
            return
        element: Attribute = tensor(convert.input).element_type
        if not is_integer(element) or bits_of(element) != 8:
            return
        if op.output_type not in (None, element) or not gives_all_back(op, element):
            return
        rewriter.replace(op, [], [op.input if op.output_type is None else convert.input])


def gives_all_back(op: FakeQuantizeOp, element: IntegerType) -> bool:
    """Whether both intervals are all codes of a type, and levels lie one apart."""
    limits = np.iinfo(dtype_of(element))
    if op.levels.value.data != limits.max - limits.min + 1:
        return False
    blobs = [constant_of(operand) for operand in op.operands[1:]]
    return all(
        blob is not None and bool((array_of(blob) == limit).all())
        for blob, limit in zip(blobs, (limits.min, limits.max) * 2, strict=True)
    )
