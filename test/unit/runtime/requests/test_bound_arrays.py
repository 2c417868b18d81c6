"""Arrays that a request was told to use: each call reads what they hold then, and writes to them."""

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from numpy.testing import assert_array_equal
from xdsl.utils.exceptions import DiagnosticException

import lowstream
from lowstream.test.unit.runtime import runtime_models

Array = np.ndarray[Any, Any]

DOUBLES = """
func.func @main(%x: tensor<2x3xf32> {nn.names = ["X"]}) -> (tensor<2x3xf32> {nn.names = ["Y"]}) {
  %y = nn.add %x, %x : (tensor<2x3xf32>, tensor<2x3xf32>) -> tensor<2x3xf32>
  func.return %y : tensor<2x3xf32>
}
"""

CODES = DOUBLES.replace("f32", "i16")


def read_only() -> tuple[Array, Array]:
    room = np.zeros((2, 3), np.float32)
    view = room[...]
    view.flags.writeable = False
    return room, view


def unaligned() -> Array:
    return np.frombuffer(bytearray(25), np.float32, 6, offset=1).reshape(2, 3)


WRITABLE: dict[str, Callable[[], Array]] = {
    "dense": lambda: np.zeros((2, 3), np.float32),
    "strided": lambda: np.zeros((5, 6), np.float32)[1:3, 2:5],
    "every other": lambda: np.zeros((4, 6), np.float32)[::2, ::2],
    "transposed": lambda: np.zeros((3, 2), np.float32).T,
    "negative strides": lambda: np.zeros((2, 3), np.float32)[::-1, ::-1],
    "of higher rank": lambda: np.zeros((2, 7, 3), np.float32)[:, 4],
    "a field of records": lambda: np.zeros((2, 3), [("id", "i1"), ("x", "f4")])["x"],
    "unaligned": unaligned,
    "byte-swapped": lambda: np.zeros((2, 3), ">f4"),
    "wider": lambda: np.zeros((2, 3)),
    "wider and strided": lambda: np.zeros((3, 4)).T[1:3],
}
"""Arrays of 2 x 3 to which float32 can be written."""


@pytest.fixture(scope="module")
def doubles() -> lowstream.CompiledModel:
    return lowstream.compile_model(runtime_models.module(DOUBLES))


@pytest.mark.parametrize("kind", WRITABLE)
@pytest.mark.parametrize("as_input", [True, False])
@pytest.mark.parametrize("as_output", [True, False])
def test_every_call_sees_what_was_written(
    doubles: lowstream.CompiledModel, kind: str, as_input: bool, as_output: bool
):
    request = doubles.create_infer_request()
    x = WRITABLE[kind]() if as_input else np.zeros((2, 3), np.float32)
    y = WRITABLE[kind]() if as_output else np.zeros((2, 3), np.float32)
    request.set_tensor("X", x)
    request.set_tensor("Y", y)
    for call in range(3):
        x[...] = values = np.arange(6).reshape(2, 3) + 100 * call
        results = request.infer()
        for found in (y, results["Y"]):
            assert_array_equal(found, 2 * values)
        assert results["Y"].dtype == np.float32
    request.start_async()
    request.wait()
    assert np.shares_memory(request.get_tensor("X"), x)
    assert np.shares_memory(request.get_tensor("Y"), y)
    native = request._binding
    assert native and all(array.flags.carray for array in (*native.inputs, *native.outputs))


SOURCES: dict[str, Callable[[], tuple[Array, Any]]] = {
    "read-only": read_only,
    "broadcast": lambda: (room := np.zeros((2, 1), np.float32), np.broadcast_to(room, (2, 3))),
    "narrower": lambda: (room := np.zeros((2, 3), np.float16), room),
    "integers": lambda: (room := np.zeros((2, 3), np.int64), room),
    "booleans": lambda: (room := np.zeros((2, 3), bool), room),
    "memoryview": lambda: (room := np.zeros((2, 3), np.float32), memoryview(room.data)),
    "subclass": lambda: (room := np.zeros((2, 3), np.float32), room.view(np.matrix)),
    "DLPack": lambda: (room := np.zeros((2, 3), np.float32), runtime_models.Exchanged(room)),
    "interface": lambda: (room := np.zeros((2, 3), np.float32), Interface(room)),
}
"""Memory, and what shows it as an input of 2 x 3."""


class Interface:
    """What shows its memory as NumPy asks for it."""

    def __init__(self, array: Array):
        self.__array_interface__ = array.__array_interface__


@pytest.mark.parametrize("kind", SOURCES)
def test_every_call_sees_what_others_wrote(doubles: lowstream.CompiledModel, kind: str):
    request = doubles.create_infer_request()
    room, x = SOURCES[kind]()
    request.set_tensor("X", x)
    for call in (0, 1):
        room[...] = call
        assert_array_equal(request.infer()["Y"], np.full((2, 3), 2 * call))


def test_tensors_of_openvino(doubles: lowstream.CompiledModel):
    ov = pytest.importorskip("openvino", reason="the extra 'openvino' is not installed")
    request = doubles.create_infer_request()
    x, y = ov.Tensor(np.ones((2, 3), np.float32)), ov.Tensor(np.zeros((2, 3)))
    assert_array_equal(request.infer({"X": x})["Y"], np.full((2, 3), 2))
    request.set_tensor("X", x)
    request.set_tensor("Y", y)
    x.data[...] = 3
    request.infer()
    assert_array_equal(y.data, np.full((2, 3), 6))
    words = ov.Tensor(ov.Type.bf16, [2, 3])
    words.data.view(np.uint16)[...] = 0x3FC0
    assert_array_equal(request.infer({"X": words})["Y"], np.full((2, 3), 3))
    nibbles = ov.Tensor(ov.Type.i4, [2, 3])
    for use in (lambda: request.infer({"X": nibbles}), lambda: request.set_tensor("X", nibbles)):
        with pytest.raises(
            DiagnosticException, match=r"^input 'X' was given elements of i4, two to a byte; give"
        ):
            use()


def test_a_buffer_of_bytes():
    text = DOUBLES.replace("2x3xf32", "3xui8")
    request = lowstream.compile_model(runtime_models.module(text)).create_infer_request()
    x, y = bytearray(b"abc"), bytearray(3)
    request.set_tensor("X", x)
    request.set_tensor("Y", y)
    x[0] = 1
    request.infer()
    assert y == bytes([2, 2 * 98, 2 * 99])


@pytest.mark.parametrize(
    ("x", "message"),
    [
        ([[1.0] * 3] * 2, "'X' was given a list, whose memory cannot be used in place: make it an"),
        (np.float32(1), r"'X' was given what|'X' was given a float32, whose memory"),
        ([[1.0], [1.0, 2.0]], "'X' was given what is not an array"),
        (np.zeros((3, 2), np.float32), "reshape the array"),
        (np.zeros((2, 3), complex), "only numbers can be converted"),
        (np.zeros((2, 3), object), "only numbers can be converted"),
        (np.ma.array(np.zeros((2, 3)), mask=True), r"a masked array; give array.filled\(value\)"),
    ],
)
def test_what_cannot_be_read_is_refused(doubles: lowstream.CompiledModel, x: Any, message: str):
    request = doubles.create_infer_request()
    request.infer([np.ones((2, 3), np.float32)])
    with pytest.raises(DiagnosticException, match=message):
        request.set_tensor("X", x)
    assert_array_equal(request.infer()["Y"], np.full((2, 3), 2))  # as it was


def test_floats_are_no_integers():
    request = lowstream.compile_model(runtime_models.module(CODES)).create_infer_request()
    with pytest.raises(DiagnosticException, match=r"'X' .*: round and convert it yourself"):
        request.set_tensor("X", np.zeros((2, 3)))


def test_values_are_checked_when_they_are_read():
    """What the array holds when it is set does not matter; what a call finds out of range, it says."""
    request = lowstream.compile_model(runtime_models.module(CODES)).create_infer_request()
    x = np.full((2, 3), 1 << 20)
    request.set_tensor("X", x)
    with pytest.raises(
        DiagnosticException, match=r"^input 'X' .* 1048576 is outside -32768 … 32767$"
    ):
        request.infer()
    x[...] = 7
    assert_array_equal(request.infer()["Y"], np.full((2, 3), 14))


def test_infer_does_not_write_into_what_was_set(doubles: lowstream.CompiledModel):
    request = doubles.create_infer_request()
    x = np.zeros((3, 2), np.float32).T
    request.set_tensor("X", x)
    request.infer([np.ones((2, 3), np.float32)])
    assert_array_equal(request.infer()["Y"], np.full((2, 3), 2))
    assert not x.any()


@pytest.mark.parametrize(
    ("y", "message"),
    [
        (read_only()[1], "it is read-only; give one that can be written"),
        (
            np.broadcast_to(np.zeros(3, np.float32), (2, 3)),
            "it is read-only; give one that can be written",
        ),
        (
            np.lib.stride_tricks.as_strided(np.zeros(4, np.float32), (2, 3), (4, 4)),
            "several of its elements lie in one place; use a copy",
        ),
        (np.zeros((2, 3), np.float16), "float16 does not hold every float32"),
        (np.zeros((2, 3), np.int32), "int32 does not hold every float32"),
        (np.zeros((2, 3), complex), "complex128 does not hold every float32"),
        (np.zeros((2, 3), object), "object does not hold every float32"),
        (np.zeros(6, np.float32), "reshape the array"),
    ],
)
def test_what_cannot_be_written_is_refused(
    doubles: lowstream.CompiledModel, y: Array, message: str
):
    request = doubles.create_infer_request()
    with pytest.raises(
        DiagnosticException, match=rf"^output 'Y' takes float32\[2, 3\], was given .*: {message}$"
    ):
        request.set_tensor("Y", y)


def test_a_list_is_no_place_for_outputs(doubles: lowstream.CompiledModel):
    with pytest.raises(
        DiagnosticException,
        match=r"^output 'Y' was given a list, whose memory cannot be used in place: make it an array$",
    ):
        doubles.create_infer_request().set_tensor("Y", [[0.0] * 3] * 2)


@given(
    st.sampled_from(["int8", "uint8", "int16", "int32", "int64", "float16", "float32", "float64"]),
    st.sampled_from(["int8", "uint8", "int16", "uint16", "int32", "int64", "float32", "float64"]),
)
def test_outputs_of_other_types_lose_nothing(type: str, target: str):
    """Where every value of a type has a counterpart, and only there."""
    port = lowstream.runtime.ports.Port("output", ("Y",), (2,), type)
    y = np.zeros(2, target)
    limits = np.iinfo(type) if np.dtype(type).kind in "iu" else np.finfo(type)
    ends = np.array([limits.min, limits.max], type)
    if np.dtype(type).kind in "iu" and np.dtype(target).kind == "f":
        fits = np.dtype(type).itemsize * 8 <= np.finfo(target).nmant + 1
    else:
        fits = np.can_cast(type, target)
    if fits:
        port.target(y)[...] = ends
        assert [int(value) for value in y] == [int(value) for value in ends]
    else:
        with pytest.raises(DiagnosticException, match=f"{target} does not hold every {type}"):
            port.target(y)


# --- inputs of unknown size -------------------------------------------------------------------


def test_arrays_stay_bound_when_shapes_change():
    text = DOUBLES.replace("2x3", "?x3").replace(
        'nn.names = ["X"]}', 'nn.names = ["X"]}, %w: tensor<3xf32> {nn.names = ["W"]}'
    )
    text = text.replace(
        "nn.add %x, %x : (tensor<?x3xf32>, tensor<?x3xf32>)",
        "nn.add %x, %w : (tensor<?x3xf32>, tensor<3xf32>)",
    )
    request = lowstream.compile_model(runtime_models.module(text)).create_infer_request()
    w, x = np.ones(3), np.zeros((3, 2), np.float32).T
    request.set_tensor("W", w)
    request.set_tensor("X", x)
    for call in range(3):
        w[...] = x[...] = call
        assert_array_equal(request.infer()["Y"], np.full((2, 3), 2 * call))
        assert_array_equal(request.infer([np.ones((1, 3)), w])["Y"], np.full((1, 3), 1 + call))
        request.set_tensor("W", w)
        request.set_tensor("X", x)
    assert np.shares_memory(request.get_tensor("W"), w)


def test_an_output_of_another_shape_than_its_array():
    text = DOUBLES.replace("2x3", "?x3")
    request = lowstream.compile_model(runtime_models.module(text)).create_infer_request()
    two, three = np.zeros((2, 3)), np.zeros((3, 6), np.float32)[:, ::2]
    request.set_tensor("Y", two)
    request.infer([np.ones((2, 3), np.float32)])
    assert_array_equal(two, np.full((2, 3), 2))
    for _ in range(2):
        with pytest.raises(
            DiagnosticException,
            match=r"^output 'Y' has shape \[3, 3\] for these inputs, the array that was set for it \[2, 3\]; set",
        ):
            request.infer([np.ones((3, 3), np.float32)])
    request.set_tensor("Y", three)
    request.infer([np.ones((3, 3), np.float32)])
    assert_array_equal(three, np.full((3, 3), 2))
