"""Constants: what is packed, printed, parsed and viewed stays the same data."""

import io
import math
from collections.abc import Iterator

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from xdsl.dialects.builtin import (
    IntegerType,
    Signedness,
    TensorType,
    bf16,
    f16,
    f32,
    f64,
    i1,
    i8,
    i16,
    i32,
    i64,
)
from xdsl.ir import Attribute
from xdsl.printer import Printer
from xdsl.utils.exceptions import DiagnosticException

from lowstream.dialects import blob as blob_module
from lowstream.dialects import context
from lowstream.dialects.blob import (
    INLINE_LIMIT,
    Blob,
    BlobAttr,
    DeferredBlob,
    byte_size,
    element_count,
)
from lowstream.dialects.elements import bits_of, is_unsigned, pack, unpack
from lowstream.dialects.nn import ConstantOp
from lowstream.interop.mlir import parse_module
from lowstream.reference.arrays import array_of, blob_of

UNSIGNED = [IntegerType(width, Signedness.UNSIGNED) for width in (4, 8, 16, 32, 64)]
ELEMENTS = [f64, f32, f16, bf16, i64, i32, i16, i8, IntegerType(4), i1, *UNSIGNED]

elements = st.sampled_from(ELEMENTS)
shapes = st.lists(st.integers(0, 5), max_size=3)


def clear_padding(type: TensorType, raw: bytes) -> bytes:
    """The same elements; bits of the last byte that belong to none of them are 0."""
    used = element_count(type) * bits_of(type.element_type) % 8
    return raw[:-1] + bytes([raw[-1] & ((1 << used) - 1)]) if used else raw


@st.composite
def blobs(draw: st.DrawFn) -> Blob:
    """Any bits at all, as any element type, NaNs of every kind among them; sometimes a splat."""
    element = draw(elements)
    type = TensorType(element, draw(shapes))
    if draw(st.booleans()):
        raw = draw(st.binary(min_size=byte_size(type), max_size=byte_size(type)))
        return Blob(type, clear_padding(type, raw))
    one = TensorType(element, [])
    raw = draw(st.binary(min_size=byte_size(one), max_size=byte_size(one)))
    return Blob(type, clear_padding(one, raw), splat=True)


def text_of(blob: Blob) -> str:
    stream = io.StringIO()
    Printer(stream).print_op(ConstantOp(BlobAttr(blob)))
    return stream.getvalue()


def parsed(text: str) -> Blob:
    (op,) = parse_module(text, "text", context()).ops
    assert isinstance(op, ConstantOp)
    return op.value.data


@given(blobs())
def test_text_reads_back_bit_for_bit(blob: Blob):
    again = parsed(text_of(blob))
    assert again.type == blob.type
    assert bytes(again.expanded()) == bytes(blob.expanded())
    assert again == blob


@given(blobs())
def test_an_array_of_it_packs_to_the_same_bytes(blob: Blob):
    again = blob_of(array_of(BlobAttr(blob)), blob.type.element_type)
    assert again.type == blob.type
    assert bytes(again.data.expanded()) == bytes(blob.expanded())


@given(elements, st.data())
def test_unpack_is_the_inverse_of_pack(element: Attribute, data: st.DataObject):
    if isinstance(element, IntegerType):
        width = element.width.data
        low = 0 if is_unsigned(element) else -(2 ** (width - 1))
        number = st.integers(low, low + 2**width - 1)
    else:
        number = {
            bf16: st.floats(width=16, allow_nan=False),
            f16: st.floats(width=16, allow_nan=False),
            f32: st.floats(width=32, allow_nan=False),
            f64: st.floats(allow_nan=False),
        }[element]
    values = data.draw(st.lists(number, max_size=9))
    if element == bf16:  # keeps 8 of the 11 significant bits
        values = unpack(element, pack(element, values), len(values))
    assert unpack(element, pack(element, values), len(values)) == values


@pytest.mark.parametrize("element", ELEMENTS, ids=str)
def test_python_and_numpy_pack_alike(element: Attribute):
    values = [0, 1, 1, 0, 1]
    ours = BlobAttr.of(TensorType(element, [5]), values)
    assert ours == blob_of(np.array(values), element)
    assert array_of(ours).tolist() == values


def test_narrow_elements_are_packed_from_the_low_bits_up():
    assert pack(IntegerType(4), [1, -2, 3]) == bytes([0xE1, 0x03])
    assert pack(i1, [1, 0, 1, 1, 0, 0, 0, 0, 1]) == bytes([0b1101, 0b1])


def test_bf16_rounds_to_the_nearest_even():
    values = [1 + 1 / 256, 1 + 3 / 256, 3.4e38, math.inf, -math.inf]
    rounded = [1.0, 1 + 4 / 256, math.inf, math.inf, -math.inf]
    assert unpack(bf16, pack(bf16, values), 5) == rounded
    blob = blob_of(np.array(values, np.float32), bf16)
    assert array_of(blob).tolist() == rounded


@pytest.mark.parametrize("bits", [0x7FFFFFFF, 0xFFFFFFFF, 0x7F800001])
def test_nan_stays_nan_in_bf16(bits: int):
    nan = np.array([bits], np.uint32).view(np.float32)
    assert np.isnan(array_of(blob_of(nan, bf16))).all()


@pytest.mark.parametrize(
    ("element", "value"), [(i8, 128), (i8, -129), (UNSIGNED[0], 16), (i1, 2), (f16, 1e6)], ids=str
)
def test_a_value_out_of_range_is_refused(element: Attribute, value: float):
    with pytest.raises(DiagnosticException, match="outside the range"):
        pack(element, [value])


@pytest.mark.parametrize("element", [IntegerType(2), IntegerType(24), IntegerType(128)], ids=str)
def test_other_widths_are_refused(element: Attribute):
    with pytest.raises(DiagnosticException, match="are not supported"):
        BlobAttr.of(TensorType(element, [2]), [1, 1])


def test_a_splat_equals_what_it_expands_to():
    type = TensorType(IntegerType(4), [3])
    splat, expanded = BlobAttr.of(type, -3), BlobAttr.of(type, [-3, -3, -3])
    assert splat == expanded
    assert hash(splat) == hash(expanded)
    assert splat.data.digest == expanded.data.digest
    assert splat != BlobAttr.of(type, [-3, -3, 3])
    assert splat.data.values() == [-3, -3, -3]
    assert splat.data.distinct() == [-3]


def test_equal_contents_of_another_type_differ():
    assert BlobAttr.of(TensorType(i8, [2]), 1) != BlobAttr.of(TensorType(i8, [2, 1]), 1)
    assert BlobAttr.of(TensorType(i8, [2]), 1) != BlobAttr.of(TensorType(UNSIGNED[1], [2]), 1)


def test_arrays_of_constants_are_read_only_and_share_their_bytes():
    data = bytearray(range(8))
    array = array_of(BlobAttr(Blob(TensorType(i8, [8]), data)))
    assert np.shares_memory(array, np.frombuffer(data, np.int8))
    assert not array.flags.writeable


def test_repeated_elements_become_a_splat():
    assert blob_of(np.full((2, 3), 7, np.int8)).data.splat
    assert not blob_of(np.array([0.0, -0.0])).data.splat  # equal, yet not the same bits


def test_the_budget_guards_splats_too(monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(blob_module, "MAX_BYTES", 1000)
    BlobAttr.of(TensorType(i8, [1000]), 0)
    with pytest.raises(DiagnosticException, match="over the limit of 1000; raise it with --max-by"):
        BlobAttr.of(TensorType(i8, [1001]), 0)


def test_a_large_constant_is_left_out_of_messages():
    data = ", ".join("1" * (INLINE_LIMIT + 1))
    text = f"""
    %0 = nn.constant dense<[{data}]> : tensor<{INLINE_LIMIT + 1}xi8>
    %1 = nn.add %0, %0 : (tensor<{INLINE_LIMIT + 1}xi8>, tensor<{INLINE_LIMIT + 1}xi8>) -> tensor<2xi8>
    """
    module = parse_module(text, "text", context())
    with pytest.raises(DiagnosticException) as raised:
        module.verify()
    (note,) = raised.value.__notes__
    assert "dense<…>" in note
    assert len(note) < 1000


def deferred(values: bytes, asked: list[str], sign: object = None) -> DeferredBlob:
    """The bytes one by one, each in the place of the one before."""

    def make() -> Iterator[bytearray]:
        asked.append("all")
        piece = bytearray(1)
        for value in values:
            piece[0] = value
            yield piece

    return DeferredBlob(TensorType(i8, [len(values)]), make, sign)


def test_deferred_data_is_computed_when_it_is_asked_for():
    asked: list[str] = []
    blob = deferred(b"abc", asked)
    assert blob.nbytes == 3
    assert hash(blob) == hash(deferred(b"abd", asked))
    assert not asked
    for count in (1, 2):
        assert [bytes(piece) for piece in blob.pieces()] == [b"a", b"b", b"c"]
        assert len(asked) == count  # nobody keeps them
    for _ in range(2):
        assert bytes(blob.buffer) == b"abc"
        assert [bytes(piece) for piece in blob.pieces()] == [b"abc"]
        assert len(asked) == 3  # it stays


def test_deferred_data_tells_equal_ones():
    asked: list[str] = []
    blob, same = deferred(b"abc", asked, 1), deferred(b"abc", asked, 1)
    assert blob == blob
    assert not asked
    assert blob == same != deferred(b"abd", asked, 1)
    assert {BlobAttr(blob): 1}[BlobAttr(same)] == 1
    plain = Blob(blob.type, b"abc")
    assert blob.digest == plain.digest
    assert str(BlobAttr(blob)) == str(BlobAttr(plain))


def test_the_budget_guards_what_is_deferred(monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(blob_module, "MAX_BYTES", 2)
    with pytest.raises(DiagnosticException, match="would take 3 bytes, over the limit of 2"):
        deferred(b"abc", [])
