"""Rows of weights: of what they are computed from, and the same numbers."""

from dataclasses import dataclass

import numpy as np
from hypothesis import given
from hypothesis import strategies as st
from xdsl.dialects.builtin import IntegerAttr, IntegerType, f32, i64
from xdsl.ir import Block, SSAValue
from xdsl.rewriter import InsertPoint

from lowstream.dialects import nn, qnn
from lowstream.dialects.inferred import shape_of, tensor
from lowstream.dialects.nn.writer import Writer
from lowstream.passes.weights import is_known, rows
from lowstream.reference.arrays import Array, blob_of
from lowstream.reference.executor import evaluate


@dataclass(frozen=True)
class Weights:
    """Quantized weights: codes of `bits`, and how their scales broadcast to them."""

    shape: tuple[int, ...]
    form: str
    bits: int
    scale: tuple[int, ...]
    seed: int

    def write(self, write: Writer) -> SSAValue:
        random = np.random.default_rng(self.seed)
        codes = random.integers(-8, 8, self.shape)
        scale = random.uniform(0.5, 2, self.scale).astype(np.float32)
        zero = random.integers(-3, 4, self.scale).astype(np.float32)
        quantized = write.constant(blob_of(codes, IntegerType(self.bits)))
        scales, zeros = write.constant(blob_of(scale)), write.constant(blob_of(zero))
        match self.form:
            case "chain":
                real = write(nn.ConvertOp, quantized, destination_type=f32)
                return write(nn.MultiplyOp, write(nn.SubtractOp, real, zeros), scales)
            case "dequantize":
                return write(qnn.DequantizeOp, quantized, scale=blob_of(scale))
            case "fake_quantize":
                real = write.constant(blob_of(codes.astype(np.float32)))
                low, high = (write.constant(blob_of(limit)) for limit in (-scale, scale))
                levels = IntegerAttr(255, i64)
                return write(qnn.FakeQuantizeOp, real, low, high, low, high, levels=levels)
            case _:
                return write.constant(blob_of(codes.astype(np.float32)))


@st.composite
def weights(draw: st.DrawFn) -> Weights:
    shape = tuple(draw(st.lists(st.integers(1, 4), min_size=1, max_size=3)))
    scale = tuple(draw(st.sampled_from((1, size))) for size in shape)
    form = draw(st.sampled_from(("chain", "dequantize", "fake_quantize", "constant")))
    return Weights(
        shape,
        form,
        draw(st.sampled_from((4, 8))),
        scale[draw(st.integers(0, len(scale))) :],
        draw(st.integers(0, 99)),
    )


def array_of(value: SSAValue) -> Array:
    op = value.owner
    assert not isinstance(op, Block)
    return evaluate(op, [array_of(operand) for operand in op.operands])[0]


@given(case=weights(), data=st.data())
def test_rows_of_known_weights_are_made_of_rows_of_constants(case: Weights, data: st.DataObject):
    write = Writer(InsertPoint.at_end(Block()))
    whole = case.write(write)
    assert is_known(whole)
    count = case.shape[0]
    start = data.draw(st.integers(0, count - 1))
    stop = data.draw(st.integers(start + 1, count))
    drop = stop == start + 1 and data.draw(st.booleans())
    part = rows(write, whole, start, stop, drop)
    expected = array_of(whole)[start] if drop else array_of(whole)[start:stop]
    assert shape_of(part) == expected.shape
    assert tensor(part).element_type == f32
    np.testing.assert_array_equal(array_of(part), expected)
    assert type(part.owner) is type(whole.owner)


def test_what_an_input_scales_is_not_known():
    block = Block(arg_types=[])
    write = Writer(InsertPoint.at_end(block))
    scales = write.constant(blob_of(np.ones((2, 1), np.float32)))
    argument = block.insert_arg(scales.type, 0)
    weights = write(nn.MultiplyOp, scales, argument)
    assert not is_known(weights)
    part = rows(write, weights, 1, 2, drop=True)
    assert isinstance(part.owner, nn.SqueezeOp)
    assert shape_of(part) == (1,)
    assert rows(write, weights, 0, 2) is weights
