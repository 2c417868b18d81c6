"""Prepares a module for export: products of codes become products of dequantized values."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
from xdsl.dialects.builtin import ModuleOp, TensorType, f32
from xdsl.ir import Operation, SSAValue
from xdsl.pattern_rewriter import GreedyRewritePatternApplier, PatternRewriteWalker
from xdsl.rewriter import InsertPoint

from ....dialects import nn, qnn, rnn
from ....dialects.blob import BlobAttr
from ....dialects.inferred import copy_name, shape_of
from ....dialects.nn.convolution import ForwardConvolution
from ....dialects.rewriter import Rewriter
from ....passes.decompose_cells import decompose
from ....passes.expand_column_scales import expand_column_scales
from ....passes.expand_zero_points import expand_zero_points
from ....passes.lpt.dequantization import Dequantization, dequantize
from ....passes.lpt.prerequisites.convert_subtract_constant import ConvertSubtractConstant
from ....passes.lpt.prerequisites.fuse_convert_to_fake_quantize import FuseConvertToFakeQuantize
from ....passes.lpt.prerequisites.raise_dequantization import RaiseDequantization
from ....reference.arrays import Array, array_of, blob_of
from ...following import SCALE, Following
from .quantization import holds_codes


def legalize(module: ModuleOp) -> None:
    """
    Dequantizes the operands of products, where ONNX Runtime looks for dequantization, and raises patterns of arithmetic
    to operations. Recurrent cells that clip their state are decomposed.
    """
    expand_column_scales(module)
    expand_zero_points(module)
    for op in list(module.walk()):
        if isinstance(op, rnn.LstmCellOp) and op.cell_clip.value.data:
            decompose(op)
        if isinstance(op, nn.MatMulOp | ForwardConvolution) and holds_codes(op.operands[0]):
            dequantize_operands(op)
    patterns = RaiseDequantization(), ConvertSubtractConstant(), FuseConvertToFakeQuantize()
    PatternRewriteWalker(GreedyRewritePatternApplier([*patterns])).rewrite_module(module)
    for op in list(module.walk()):
        if isinstance(op, nn.GroupConvolutionOp) and isinstance(op.filters.owner, qnn.DequantizeOp):
            flatten_groups(op, op.filters.owner)


def flatten_groups(op: nn.GroupConvolutionOp, filters: qnn.DequantizeOp) -> None:
    """
    Removes the dimension for groups from codes of filters, so that scales are along one axis; they are reshaped
    afterwards.
    """
    codes, grid = nn.constant_of(filters.input), Dequantization.on(filters.result)
    if codes is None or grid is None:
        return
    groups, outputs, *rest = codes.type.get_shape()
    flat = nn.ConstantOp(
        BlobAttr(
            replace(codes.data, type=TensorType(codes.type.element_type, [groups * outputs, *rest]))
        )
    )
    arrays = [
        array
        if array.ndim == 0
        else np.broadcast_to(array, (groups, outputs, *array.shape[2:])).reshape(
            groups * outputs, *array.shape[2:]
        )
        for array in (grid.scale, grid.zero_point)
    ]
    values = dequantize(flat.result, arrays[0], arrays[1], grid.element)
    shape = nn.ConstantOp(blob_of(np.array([groups, outputs, *rest], np.int64)))
    grouped = nn.ReshapeOp.of(values, shape)
    Rewriter.insert_op([flat, values, shape, grouped], InsertPoint.before(op))
    op.operands[1] = grouped.result


def dequantize_operands(product: nn.MatMulOp | ForwardConvolution) -> None:
    """
    `(product(q, w) - product(z, w)) * s = product((q - z) * a, w * (s / a))`, with `a` the scale of the codes where it
    is known. A product without dequantization stays.
    """
    if (found := Following.matched(product)) is None:
        return
    data, weights = product.operands
    if nn.constant_of(weights) is None and found.scales.size > 1:
        return
    scale = scale_of(data)
    left = dequantize(data, np.array(scale, np.float32), np.array(found.zero_point), f32)
    right = dequantize(
        weights, _broadcast(product, found.scales / scale), np.zeros((), np.int32), f32
    )
    kept = {name: value for name, value in product.properties.items() if name != "pad_value"}
    real = type(product).create(
        operands=[left.result, right.result],
        properties=kept,
        result_types=[found.last.results[0].type],
    )
    for name_of in (found.last, product):
        copy_name(name_of, real)
    Rewriter.insert_op([left, right, real], InsertPoint.before(product))
    found.last.results[0].replace_all_uses_with(real.results[0])
    for op in (*reversed(found.ops), product):
        op.detach()
        op.erase()


def scale_of(codes: SSAValue) -> float:
    """The scale of codes, where a FakeQuantize computes them."""
    owner = codes.owner
    if not isinstance(owner, qnn.FakeQuantizeOp):
        return SCALE
    blobs = [nn.constant_of(limit) for limit in owner.operands[1:3]]
    ends = [
        float(array_of(b).reshape(-1)[0]) for b in blobs if b is not None and b.data.nbytes <= 8
    ]
    step = (ends[1] - ends[0]) / (owner.levels.value.data - 1) if len(ends) == 2 else 0.0
    return step if step > 0 else SCALE


def _broadcast(product: Operation, scales: Array) -> Array:
    """Scales of output channels in a shape that broadcasts to the weights, with groups as a dimension."""
    if scales.size > 1 and isinstance(product, nn.GroupConvolutionOp):
        groups, rank = shape_of(product.filters)[0], len(shape_of(product.filters))
        return scales.reshape([groups, -1, *[1] * (rank - 2)])
    return scales
