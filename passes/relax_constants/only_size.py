"""The size that constants leave to an unknown dimension of the inputs."""

from __future__ import annotations

import math
from collections.abc import Iterator

from xdsl.dialects.builtin import DYNAMIC_INDEX, ModuleOp, TensorType

from ...dialects import nn
from ...dialects.inferred import Shape, shape_of, tensor
from ...dialects.module import entry_of
from ...dialects.rewriter import Rewriter
from ..infer_shapes import shape_errors
from .constant_elements import constant_of


def only_shape(module: ModuleOp) -> tuple[int, Shape] | None:
    """
    The number of the one input that has an unknown dimension, and the shape that constants leave it: `nn.reshape` of
    [?, 1, 40] to [6, 1, 40] fits 6 alone.
    """
    unknown = [
        (number, shape)
        for number, argument in enumerate(entry_of(module).body.block.args)
        if isinstance(argument.type, TensorType) and DYNAMIC_INDEX in (shape := shape_of(argument))
    ]
    if len(unknown) != 1 or unknown[0][1].count(DYNAMIC_INDEX) > 1:
        return None
    ((number, before),) = unknown
    for size in dict.fromkeys(_sizes_asked_for(module)):
        shape = tuple(size if old == DYNAMIC_INDEX else old for old in before)
        if not retype_input(module.clone(), number, shape):
            return number, shape
    return None


def retype_input(module: ModuleOp, number: int, shape: Shape) -> int:
    """Gives an input another shape; types follow. Returns how many operations do not fit."""
    argument = entry_of(module).body.block.args[number]
    type = TensorType(tensor(argument).element_type, shape)
    Rewriter.replace_value_with_new_type(argument, type)
    return len(set(shape_errors(module)))


def _sizes_asked_for(module: ModuleOp) -> Iterator[int]:
    """The sizes that unknown dimensions have if a constant target of a reshape fits."""
    for op in module.walk():
        if not isinstance(op, nn.ReshapeOp) or (target := constant_of(op.shape)) is None:
            continue
        source = shape_of(op.input)
        known = math.prod(size for size in source if size != DYNAMIC_INDEX)
        if source.count(DYNAMIC_INDEX) == 1 and min(target, default=0) > 0 and known > 0:
            size, rest = divmod(math.prod(target), known)
            if not rest:
                yield size
