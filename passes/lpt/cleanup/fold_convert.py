"""Converted constants."""

from __future__ import annotations

from typing import ClassVar

from xdsl.pattern_rewriter import PatternRewriter, op_type_rewrite_pattern

from ....dialects.elements import bits_of
from ....dialects.inferred import copy_name, tensor
from ....dialects.nn import ConstantOp, ConvertOp, constant_of
from ....reference.arrays import array_of, blob_of
from ....reference.executor import evaluate
from ..pattern import NamedPattern


class FoldConvert(NamedPattern[ConvertOp]):
    """
    `convert(constant)` is a constant, but for weights of 8 bits or less: these are shorter as they are, and
    kernels convert them while they load.

    Declines weights of 8 bits.
    """

    name: ClassVar[str] = "fold_convert"

    @op_type_rewrite_pattern
    def match_and_rewrite(self, op: ConvertOp, rewriter: PatternRewriter, /) -> None:
        blob = constant_of(op.input)
        if blob is None or bits_of(tensor(op.input).element_type) <= 8:
            return
        (found,) = evaluate(op, [array_of(blob)])
        constant = ConstantOp(blob_of(found, tensor(op.result).element_type))
        copy_name(op, constant)
        rewriter.replace(op, constant)
