"""`update_precisions = false`: computes on codes in floating point."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from xdsl.dialects.builtin import DYNAMIC_INDEX, DenseArrayBase, ModuleOp, StringAttr, f32, i64
from xdsl.ir import Attribute, Operation, SSAValue
from xdsl.pattern_rewriter import PatternRewriter
from xdsl.transforms.dead_code_elimination import dce

from ....dialects.elements import bits_of, is_integer
from ....dialects.inferred import InferredOp, shape_of, tensor
from ....dialects.locations import rewriter_of
from ....dialects.nn import (
    BinaryOp,
    ConcatOp,
    ConstantOp,
    ConvertOp,
    PadOp,
    SubtractOp,
    constant_of,
)
from ....dialects.nn.convolution import BackwardConvolution, ForwardConvolution
from ....dialects.qnn import FakeQuantizeOp
from ....dialects.walk import all_operations
from ....reference.arrays import array_of, blob_of
from ..attributes import note_declined
from ..products import PRODUCTS


def compute_codes_in_float(module: ModuleOp) -> None:
    """
    `op(q) = convert(op(convert(q)))` in f32 for every operation on codes, and `fq'(x) = convert(fq(x))`; conversions to
    codes and back cancel. It helps to find out whether 8-bit types cause a wrong result.

    States, bodies and inputs keep their types.
    """
    for op in all_operations(module):
        if op.parent is None:
            continue  # the module itself, or a conversion that went
        if isinstance(op, FakeQuantizeOp):
            if op.output_type is not None:
                kept = {key: value for key, value in op.properties.items() if key != "output_type"}
                _replace(op, FakeQuantizeOp.of(*op.operands, **kept), rewriter_of(op))
        elif isinstance(op, InferredOp) and _computes_on_codes(op):
            _recompute(op, rewriter_of(op))
    dce(module)


def _is_code(value: SSAValue) -> bool:
    element: Attribute = tensor(value).element_type
    return is_integer(element) and 1 < bits_of(element) <= 8


def _computes_on_codes(op: InferredOp) -> bool:
    return (
        not op.regions
        and op.name.startswith("nn.")
        and bool(op.operands)
        and not isinstance(op, ConvertOp)
        and any(_is_code(op.operands[port]) for port in _data_ports(op))
    )


def _data_ports(op: Operation) -> Sequence[int]:
    """The operands that hold what is computed on: all of some operations, the first of others."""
    if isinstance(op, PRODUCTS):
        return range(2)
    if isinstance(op, PadOp):
        return (0,) if op.pad_value is None else (0, 3)
    return range(len(op.operands) if isinstance(op, BinaryOp | ConcatOp) else 1)


def _recompute(op: InferredOp, rewriter: PatternRewriter) -> None:
    extensions = ("pad_value", "zero_point")
    properties = {key: value for key, value in op.properties.items() if key not in extensions}
    operands = list(op.operands)
    for port in _data_ports(op):
        operands[port] = _in_float(operands[port], rewriter)
    if isinstance(op, ForwardConvolution) and op.outside:
        window = op.window(op.split_filters(shape_of(op.filters)).kernel)
        sizes = shape_of(op.input)[2:]
        if window.auto_pad.startswith("same") and DYNAMIC_INDEX in sizes:
            return  # how much is padded is known while running
        pads = window.padding(sizes)
        operands[0] = _padded(operands[0], pads, op.outside, rewriter)
        zeros = DenseArrayBase.from_list(i64, [0 for _ in sizes])
        properties |= {"pads_begin": zeros, "pads_end": zeros, "auto_pad": StringAttr("explicit")}
    if isinstance(op, BackwardConvolution) and op.code_of_zero:
        code = ConstantOp(blob_of(np.asarray(op.code_of_zero, np.float32)))
        shifted = SubtractOp.of(operands[0], code.result)
        rewriter.insert((code, shifted))
        operands[0] = shifted.result
    _replace(op, type(op).of(*operands, **properties), rewriter)


def _replace(op: Operation, new: Operation, rewriter: PatternRewriter) -> None:
    """Puts an operation in floating point, and conversions of its results, in the place of one on codes."""
    new.attributes |= op.attributes
    note_declined(
        new, "the configuration computes codes in floating point (update_precisions = false)"
    )
    results: list[SSAValue] = []
    converts: list[Operation] = []
    for before, after in zip(op.results, new.results, strict=True):
        if before.type != after.type:
            converts.append(ConvertOp.of(after, destination_type=tensor(before).element_type))
            after = converts[-1].results[0]
        results.append(after)
    rewriter.replace(op, [new, *converts], results)
    for convert in converts:
        for use in list(convert.results[0].uses):
            user = use.operation
            if isinstance(user, ConvertOp) and user.result.type == convert.operands[0].type:
                rewriter_of(user).replace(user, [], [convert.operands[0]])


def _in_float(value: SSAValue, rewriter: PatternRewriter) -> SSAValue:
    """The codes in f32: those that were converted from it, or constants, at once."""
    if not is_integer(tensor(value).element_type):
        return value
    if isinstance(value.owner, ConvertOp) and tensor(value.owner.input).element_type == f32:
        return value.owner.input
    blob = constant_of(value)
    new = (
        ConvertOp.of(value, destination_type=f32)
        if blob is None
        else ConstantOp(blob_of(array_of(blob).astype(np.float32)))
    )
    rewriter.insert(new)
    return new.results[0]


def _padded(
    value: SSAValue, pads: Sequence[tuple[int, int]], code: int, rewriter: PatternRewriter
) -> SSAValue:
    """With the code that stands for 0 around it."""
    around = [(0, 0), (0, 0), *pads]
    ends = [
        ConstantOp(blob_of(np.asarray([pad[end] for pad in around], np.int64))) for end in (0, 1)
    ]
    outside = ConstantOp(blob_of(np.asarray(code, np.float32)))
    rewriter.insert((*ends, outside))
    padded = PadOp.of(
        value, *(end.result for end in ends), outside.result, pad_mode=StringAttr("constant")
    )
    rewriter.insert(padded)
    return padded.result
