"""Arrays that a port takes: as they are, converted without loss, or refused in one line."""

from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra import numpy as arrays
from numpy.testing import assert_array_equal
from xdsl.utils.exceptions import DiagnosticException

from lowstream.passes.shapes.partial_shape import Shape
from lowstream.runtime.aligned_buffers import ALIGNMENT, address_of, buffer_for
from lowstream.runtime.ports import Port
from lowstream.test.unit.runtime.runtime_models import Exchanged

INTEGERS = ("int8", "uint8", "int16", "uint16", "int32", "uint32", "int64", "uint64", "bool")
FLOATS = ("float16", "float32", "float64")


def port(type: str, *shape: int) -> Port:
    return Port("input", ("X", "alias"), Shape(shape), type)


@pytest.mark.parametrize("type", INTEGERS + FLOATS)
def test_an_array_of_the_type_is_taken_as_it_is(type: str):
    x = np.ones((2, 3), type)
    assert port(type, 2, 3).accept(x) is x


@given(
    st.sampled_from(INTEGERS).flatmap(lambda type: arrays.arrays(type, 4)),
    st.sampled_from(INTEGERS + FLOATS),
)
def test_integers_keep_their_values_or_are_refused(x: np.ndarray, type: str):
    values = [int(value) for value in x]
    target = np.dtype(type)
    if target.kind == "f":
        bits = {2: 11, 4: 24, 8: 53}[target.itemsize]
        fits = all(abs(value) <= 2**bits for value in values)
    elif target.kind == "b":
        fits = all(value in (0, 1) for value in values)
    else:
        limits = np.iinfo(target)
        fits = all(limits.min <= value <= limits.max for value in values)
    if fits or x.dtype == target:
        accepted = port(type, 4).accept(x)
        assert accepted.dtype == target
        assert [int(value) for value in accepted] == values
    else:
        with pytest.raises(
            DiagnosticException, match=r"^input 'X' takes \w+\[4\], was given .* is outside"
        ):
            port(type, 4).accept(x)


@pytest.mark.parametrize(("type", "bits"), [("float16", 11), ("float32", 24), ("float64", 53)])
def test_the_integers_that_a_float_type_holds_in_a_row(type: str, bits: int):
    most = 2**bits
    assert_array_equal(port(type, 2).accept(np.array([-most, most])), [-most, most])
    for beyond in (-most - 1, most + 1):
        with pytest.raises(DiagnosticException, match=f"{beyond} is outside -{most} … {most}"):
            port(type, 2).accept(np.array([0, beyond]))


@given(
    arrays.arrays("float64", 4, elements=st.floats(-1e30, 1e30, width=64)),
    st.sampled_from(("float32", "float64")),
)
def test_floats_round_to_nearest(x: np.ndarray, type: str):
    assert_array_equal(port(type, 4).accept(x), x.astype(type))


def test_nan_and_infinity_are_floats():
    x = np.array([np.nan, np.inf, -np.inf])
    assert_array_equal(port("float16", 3).accept(x), x.astype(np.float16))


@pytest.mark.parametrize(
    ("type", "given", "why"),
    [
        ("float32", [1e39], "1e[+]39 is too large for it"),
        ("float16", np.array([70000], np.float32), "70000.0 is too large for it"),
        ("int32", [1.0], "round and convert it yourself"),
        ("bool", [np.nan], "round and convert it yourself"),
        ("float32", [1j], "only numbers can be converted"),
        ("float32", ["1"], "only numbers can be converted"),
        ("float32", [None], "only numbers can be converted"),
        ("float32", [1.0, 2.0], "reshape the array"),
        ("float32", 1.0, "reshape the array"),
        ("float32", [[1.0]], "reshape the array"),
        ("int8", [-129], r"-129 is outside -128 … 127"),
    ],
)
def test_refusals_say_what_is_wanted_and_given(type: str, given: Any, why: str):
    pattern = rf"^input 'X' takes {type}\[1\], was given [^\n]*: {why}$"
    with pytest.raises(DiagnosticException, match=pattern):
        port(type, 1).accept(given)


def test_what_is_no_array():
    with pytest.raises(
        DiagnosticException, match=r"^input 'X' was given what is not an array: [^\n]*$"
    ):
        port("float32", 2).accept([[1.0], [1.0, 2.0]])


def test_dlpack_and_buffers():
    x = np.arange(3, dtype=np.float32)
    assert np.shares_memory(port("float32", 3).accept(Exchanged(x)), x)
    assert_array_equal(port("uint8", 3).accept(bytearray(b"abc")), [97, 98, 99])


def test_other_byte_order():
    assert_array_equal(port("int32", 2).accept(np.array([1, 2], ">i4")), [1, 2])


def test_dimensions_with_limits_take_sizes_within():
    limited = Port("input", ("X",), Shape((-1, 2)), "float32", limits=((2, 4), (2, 2)))
    for size in (2, 4):
        assert limited.accept(np.ones((size, 2), np.float32)).shape == (size, 2)
    for size in (1, 5):
        with pytest.raises(
            DiagnosticException, match=r"takes float32\[2\.\.4, 2\], was given float32\["
        ):
            limited.accept(np.ones((size, 2), np.float32))


def test_unknown_dimensions_take_any_size():
    assert port("float32", -1, 2).accept(np.zeros((5, 2), np.float32)).shape == (5, 2)
    with pytest.raises(
        DiagnosticException, match=r"takes float32\[\?, 2\], was given float32\[5, 3\]"
    ):
        port("float32", -1, 2).accept(np.zeros((5, 3), np.float32))


@pytest.mark.parametrize("shape", [(), (3,), (0, 4), (7, 5)])
def test_buffers_are_aligned_and_zero(shape: tuple[int, ...]):
    buffer = buffer_for(port("float32", *shape))
    assert (buffer.shape, buffer.dtype) == (shape, np.float32)
    assert address_of(buffer) % ALIGNMENT == 0
    assert not buffer.any()


def test_alignment_is_that_of_kernels():
    from lowstream.dialects.kernel import ALIGNMENT as KERNELS

    assert ALIGNMENT == KERNELS
