"""Contracts of composite functions: what binds, and what messages say was expected."""

import struct
from typing import Any

import pytest
from hypothesis import example, given
from hypothesis import strategies as st
from xdsl.dialects.builtin import (
    DYNAMIC_INDEX,
    NoneType,
    TensorType,
    UnrankedTensorType,
    f32,
)
from xdsl.ir import Attribute

from lowstream.passes.prepare_composite_functions import Argument, Interface
from lowstream.passes.prepare_composite_functions.contract import ContractError, Size
from lowstream.passes.prepare_composite_functions.flexbuffer import encode_map


def tensor(*shape: int) -> Attribute:
    return TensorType(f32, shape)


LSTM = Interface(
    (
        Argument("x", "batch", "inputs"),
        Argument("weights", "inputs + outputs", "4*cells"),
        Argument("bias", "4*cells"),
        Argument("projection", "cells", "outputs", optional=True),
    ),
    results=1,
    known=("cells",),
)


@given(*[st.integers(1, 50)] * 4)
def test_sizes_follow_from_shapes(batch: int, inputs: int, cells: int, outputs: int):
    types = [
        tensor(batch, inputs),
        tensor(inputs + outputs, 4 * cells),
        tensor(4 * cells),
        tensor(cells, outputs),
    ]
    names, sizes = LSTM.bind(types)
    assert names == ["x", "weights", "bias", "projection"]
    assert sizes == {"batch": batch, "inputs": inputs, "cells": cells, "outputs": outputs}


def test_what_is_unknown_follows_where_it_can():
    unknown = DYNAMIC_INDEX
    types = [tensor(unknown, 3), tensor(5, unknown), tensor(16), NoneType()]
    names, sizes = LSTM.bind(types)
    assert names == ["x", "weights", "bias", None]
    assert sizes == {"inputs": 3, "outputs": 2, "cells": 4}


WRONG: dict[str, tuple[list[Attribute], str]] = {
    "count": ([tensor(1, 3)], r"has 1 arguments; expected are (x, weights, bias, projection?)"),
    "rank": (
        [tensor(1, 3), tensor(5), tensor(16)],
        "an argument 'weights' of rank 1; expected 2, [inputs + outputs, 4*cells]",
    ),
    "unranked": (
        [UnrankedTensorType(f32), tensor(5, 16), tensor(16)],
        (
            "argument 'x' that is a tensor<*xf32>; expected a tensor of rank 2, [batch, inputs]; give the input "
            "of the model a known rank"
        ),
    ),
    "multiple": (
        [tensor(1, 3), tensor(5, 16), tensor(18)],
        "argument 'bias' of shape [18]; expected [4*cells] = [16]",
    ),
    "part": (
        [tensor(1, 3), tensor(5, DYNAMIC_INDEX), tensor(18)],
        "argument 'bias' of shape [18]; expected [4*cells]",
    ),
    "sum": (
        [tensor(1, 3), tensor(5, 16), tensor(16), tensor(4, 7)],
        "argument 'weights' of shape [5, 16]; expected [inputs + outputs, 4*cells] = [10, 16]",
    ),
    "unknown": (
        [tensor(1, 3), tensor(5, DYNAMIC_INDEX), tensor(DYNAMIC_INDEX)],
        "does not tell cells by the types of its arguments; give them fixed sizes",
    ),
    "none": (
        [NoneType(), tensor(5, 16), tensor(16)],
        (
            "argument 'x' that is a none; expected a tensor of rank 2, [batch, inputs]; give the input of the "
            "model a known rank"
        ),
    ),
}


@pytest.mark.parametrize("case", WRONG)
def test_messages_say_what_was_expected(case: str):
    types, message = WRONG[case]
    with pytest.raises(ContractError) as error:
        LSTM.bind(types)
    assert str(error.value).endswith(message)


def test_sizes_have_numbers():
    """`3` and `2*steps + 1`"""
    padded = Interface((Argument("x", 3, "2*steps + 1"), Argument("y", "steps + 4")), results=1)
    assert padded.bind([tensor(3, 7), tensor(7)])[1] == {"steps": 3}
    for x, y in [((2, 7), 7), ((3, 7), 8), ((3, 8), 7), ((3, DYNAMIC_INDEX), 3)]:
        with pytest.raises(ContractError, match="expected"):
            padded.bind([tensor(*x), tensor(y)])


@pytest.mark.parametrize("text", ["", "4*", "cells - 1", "*cells", "a b"])
def test_sizes_are_sums(text: str):
    with pytest.raises(ValueError, match="is not a sum like"):
        Size.of(text)


# --- options of custom operations -----------------------------------------------------------------


def decode(data: bytes) -> dict[str, Any]:
    """A map of numbers, booleans and texts, read as the format's page says."""

    def integer(at: int, width: int, signed: bool = False) -> int:
        return int.from_bytes(data[at : at + width], "little", signed=signed)

    root_width, root_type = data[-1], data[-2]
    at = len(data) - 2 - root_width
    vector = at - integer(at, root_width)
    width = 1 << (root_type & 3)
    assert root_type >> 2 == 9
    count = integer(vector - width, width)
    key_width = integer(vector - 2 * width, width)
    place = vector - 3 * width
    keys = place - integer(place, width)
    assert integer(keys - key_width, key_width) == count
    found: dict[str, Any] = {}
    for i in range(count):
        at = keys + i * key_width
        start = at - integer(at, key_width)
        key = data[start : data.index(0, start)].decode()
        kind = data[vector + count * width + i]
        at = vector + i * width
        match kind >> 2:
            case 1:
                found[key] = integer(at, width, signed=True)
            case 3:
                found[key] = struct.unpack("<f" if width == 4 else "<d", data[at : at + width])[0]
            case 26:
                found[key] = bool(integer(at, width))
            case 5:
                start, size = at - integer(at, width), 1 << (kind & 3)
                length = integer(start - size, size)
                found[key] = data[start : start + length].decode()
            case other:
                raise AssertionError(f"type {other}")
    assert list(found) == sorted(found, key=str.encode)
    return found


keys = st.text(st.characters(exclude_characters="\0", exclude_categories=["Cs"]), max_size=300)
values = st.one_of(
    st.booleans(),
    st.integers(-(2**63), 2**63 - 1),
    st.floats(allow_nan=False),
    st.text(st.characters(exclude_categories=["Cs"]), max_size=300),
)


@given(st.dictionaries(keys, values, max_size=8))
@example({"k" * 300: 1, "few": True})  # places in two bytes
@example({"long": "x" * 70_000, "few": True})  # in four
def test_options_are_read_back(options: dict[str, Any]):
    assert decode(encode_map(options)) == options


def test_no_options_are_the_bytes_that_tensorflow_writes():
    assert encode_map({}).hex() == "00000100002401"


def test_a_key_ends_at_a_zero_byte():
    with pytest.raises(ValueError, match="holds a zero byte"):
        encode_map({"a\0b": 1})
