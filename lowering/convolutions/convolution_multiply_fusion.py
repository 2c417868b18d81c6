"""
`convolution-multiply-fusion`: constant factors behind convolutions go into the filters, and constants that are added
one behind another are one. Together they are what is left of a batch normalization: a bias.
"""

from __future__ import annotations

from xdsl.context import Context
from xdsl.dialects.builtin import ModuleOp, f32
from xdsl.ir import Operation, SSAValue
from xdsl.passes import ModulePass

from ...dialects import nn
from ...dialects.inferred import shape_of, tensor
from ...dialects.nn.convolution import ConvolutionBase
from ...dialects.origins import origin_of, set_origins
from ...dialects.rewriter import Rewriter
from ...dialects.walk import all_operations
from ...passes.erase_unused import erase_unused


class ConvolutionMultiplyFusion(ModulePass):
    """
    `scale * (conv(x, f) + b) = conv(x, scale * f) + scale * b` and `(conv(x, f) + a) + b = conv(x, f) + (a + b)` in
    f32, where f, a, b and a scale for each output are constants, and nobody else reads the sums.
    """

    name = "convolution-multiply-fusion"

    def apply(self, ctx: Context, op: ModuleOp) -> None:
        for inner in all_operations(op):  # in order: what is behind a sum finds the fused one
            if isinstance(inner, nn.MultiplyOp):
                _fuse_scale(inner)
            elif isinstance(inner, nn.AddOp):
                _fuse_bias(inner)


def _fuse_scale(op: nn.MultiplyOp) -> None:
    from ...passes.scale_weights import ScaledProduct

    found = ScaledProduct.of(op)
    if found is None or not isinstance(found.product, ConvolutionBase) or not found.scale_weights():
        return
    _replace(op, found.value)


def _fuse_bias(op: nn.AddOp) -> None:
    """Adds the constant to that of the sum in front, unless it takes more elements than either."""
    from ...passes.scale_weights import constant_array, constant_place, replace_constant

    if (place := constant_place(op)) is None:
        return
    value = op.operands[1 - place]
    before = value.owner
    if not isinstance(before, nn.AddOp) or not value.has_one_use():
        return
    if (first := constant_place(before)) is None or tensor(value).element_type != f32:
        return
    product = before.operands[1 - first]
    shapes = [shape_of(each) for each in (product, value, op.result)]
    if not isinstance(product.owner, ConvolutionBase) or shapes[1:] != shapes[:-1]:
        return
    a, b = constant_array(before.operands[first]), constant_array(op.operands[place])
    if (a + b).size == max(a.size, b.size):
        replace_constant(before, first, a + b)
        _replace(op, value)


def _replace(op: Operation, value: SSAValue) -> None:
    """The value computes what the operation did, and is called after it, too."""
    owner = value.owner
    assert isinstance(owner, Operation)
    set_origins(owner, [*origin_of(owner), *origin_of(op)])
    constants = [each for each in op.operands if each is not value]
    Rewriter.replace_op(op, [], [value])
    erase_unused(*constants)
