"""Convolutions in 8 bits are exact, and the transposed ones are the transposes."""

from typing import Any

import numpy as np
import numpy.typing as npt
import pytest
from xdsl.dialects.builtin import DYNAMIC_INDEX, DenseArrayBase, StringAttr, TensorType, f32, i64
from xdsl.ir import Attribute, Block
from xdsl.utils.exceptions import VerifyException

from lowstream.dialects import nn
from lowstream.reference.arrays import element_of
from lowstream.reference.executor import evaluate

Array = npt.NDArray[Any]


def run(op: Any, *operands: Array, **values: list[int] | str) -> Array:
    types = [TensorType(element_of(array.dtype), array.shape) for array in operands]
    properties: dict[str, Attribute] = {
        name: StringAttr(value) if isinstance(value, str) else DenseArrayBase.from_list(i64, value)
        for name, value in {"auto_pad": "explicit", **values}.items()
    }
    (result,) = evaluate(op.of(*Block(arg_types=types).args, **properties), operands)
    return result


GEOMETRY = {"strides": [2, 1], "pads_begin": [1, 0], "pads_end": [0, 2], "dilations": [1, 2]}


@pytest.mark.parametrize(
    ("low", "high", "dtype"), [(0, 255, np.uint8), (-128, 127, np.int8)], ids=["u8", "s8"]
)
def test_eight_bits_are_exact(low: int, high: int, dtype: Any):
    """The law as loops over Python's integers, at random codes and at the extremes."""
    random = np.random.default_rng(0)
    x = random.choice([low, high, low + 1], (2, 3, 5, 6)).astype(dtype)
    filters = random.choice([-128, 127, 3], (4, 3, 3, 2)).astype(np.int8)
    result = run(nn.ConvolutionOp, x, filters, **GEOMETRY)
    assert result.dtype == np.int32
    wide, weights = x.astype(object), filters.astype(object)
    for n, o, p, q in np.ndindex(*result.shape):
        total = 0
        for i, k, m in np.ndindex(3, 3, 2):
            row, column = p * 2 + k - 1, q + m * 2
            if 0 <= row < 5 and 0 <= column < 6:
                total += wide[n, i, row, column] * weights[o, i, k, m]
        assert result[n, o, p, q] == total


@pytest.mark.parametrize("grouped", [False, True])
def test_backprop_is_the_transpose(grouped: bool):
    """`<conv(x), y> = <x, backprop(y)>` with the same filters, in exact integers."""
    random = np.random.default_rng(1)
    forward: Any = nn.GroupConvolutionOp if grouped else nn.ConvolutionOp
    backward: Any = nn.GroupConvolutionBackpropDataOp if grouped else nn.ConvolutionBackpropDataOp
    # In the forward direction, filters are [outputs, inputs]; in the other one, [inputs, outputs].
    shape = (2, 3, 2, 3, 2) if grouped else (3, 4, 3, 2)
    filters = random.integers(-128, 128, shape, dtype=np.int8)
    x = random.integers(-128, 128, (2, 4, 5, 6), dtype=np.int8)
    images = run(forward, x, filters, **GEOMETRY)
    y = random.integers(-128, 128, images.shape, dtype=np.int8)
    back = run(backward, y, filters, np.array([5, 6]), output_padding=[0, 0], **GEOMETRY)
    assert back.shape == x.shape and back.dtype == np.int32
    assert np.vdot(images, y.astype(np.int64)) == np.vdot(x, back.astype(np.int64))


def test_what_is_too_small_is_one_line():
    """The size of an input can be unknown until it is there."""
    unknown, filters = TensorType(f32, [1, 1, DYNAMIC_INDEX]), np.ones((1, 1, 3), np.float32)
    x, w = Block(arg_types=[unknown, TensorType(f32, filters.shape)]).args
    properties: dict[str, Attribute] = {
        name: DenseArrayBase.from_list(i64, [value])
        for name, value in (("strides", 1), ("pads_begin", 0), ("pads_end", 0), ("dilations", 1))
    }
    op = nn.ConvolutionOp.of(x, w, **properties)
    assert evaluate(op, [np.ones((1, 1, 4), np.float32), filters])[0].shape == (1, 1, 2)
    with pytest.raises(VerifyException, match="window of 3 elements does not fit the 2 of"):
        evaluate(op, [np.ones((1, 1, 2), np.float32), filters])
