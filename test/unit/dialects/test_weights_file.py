"""A weights file is checked before anything is read from it, and never leaves the module's folder."""

import json
import os
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from safetensors.numpy import save_file
from xdsl.dialects.builtin import IntegerType, TensorType, f32
from xdsl.utils.exceptions import DiagnosticException, ParseError

from lowstream.dialects import context
from lowstream.dialects.blob import load_reference
from lowstream.dialects.nn import ConstantOp
from lowstream.dialects.weights_file import WeightsFile
from lowstream.interop.mlir import parse_module

NAME = "w.safetensors"


def write(folder: Path, header: Any, data: bytes = b"", length: int | None = None) -> None:
    raw = header if isinstance(header, bytes) else json.dumps(header).encode()
    size = len(raw) if length is None else length
    (folder / NAME).write_bytes(size.to_bytes(8, "little") + raw + data)


def entry(**changes: Any) -> dict[str, Any]:
    return {"dtype": "F32", "shape": [2], "data_offsets": [0, 8], **changes}


def test_reads_what_safetensors_writes(tmp_path: Path):
    arrays = {"a": np.arange(6, dtype=np.float32).reshape(2, 3), "b": np.array(-1, np.int8)}
    save_file(arrays, tmp_path / NAME)
    type, data = WeightsFile.open(tmp_path, NAME).tensor("a")
    assert type == TensorType(f32, [2, 3])
    assert bytes(data) == arrays["a"].tobytes()
    assert data.readonly


def test_packed_types_are_rows_of_bytes_with_their_shape_in_the_metadata(tmp_path: Path):
    rows = entry(dtype="U8", data_offsets=[0, 2])
    write(tmp_path, {"q": rows, "__metadata__": {"packed:q": "i4:3x1"}}, b"\x21\x03")
    type, data = WeightsFile.open(tmp_path, NAME).tensor("q")
    assert type == TensorType(IntegerType(4), [3, 1])
    assert bytes(data) == b"\x21\x03"


@pytest.mark.parametrize(
    ("contents", "message"),
    [
        (b"", "truncated"),
        (b"1234567", "truncated"),
        ((9).to_bytes(8, "little") + b"{}", "truncated"),
        ((2**64 - 1).to_bytes(8, "little") + b"{}", "truncated"),
        ((1).to_bytes(8, "little") + b"{", "the header is not JSON"),
        ((1).to_bytes(8, "little") + b"\xff", "the header is not JSON"),
        ((2).to_bytes(8, "little") + b"[]", "the header is not a JSON object"),
        ((100_000).to_bytes(8, "little") + b"[" * 100_000, "the header is not JSON"),
    ],
)
def test_what_is_no_weights_file(tmp_path: Path, contents: bytes, message: str):
    (tmp_path / NAME).write_bytes(contents)
    with pytest.raises(DiagnosticException, match=message):
        WeightsFile.open(tmp_path, NAME)


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"data_offsets": [0, 16]}, "lies at 0..16, the file has 8 bytes"),
        ({"data_offsets": [8, 0]}, "lies at 8..0"),
        ({"data_offsets": [-8, 0]}, "lies at -8..0"),
        ({"data_offsets": [2**64, 2**64 + 8]}, "the file has 8 bytes"),
        ({"data_offsets": [0]}, "malformed entry of tensor 'k'"),
        ({"data_offsets": [0, 8.0]}, "malformed"),
        ({"data_offsets": ["0", "8"]}, "malformed"),
        ({"data_offsets": None}, "malformed"),
        ({"shape": [float("inf")]}, "malformed"),
        ({"shape": [True, 2]}, "malformed"),
        ({"shape": [-2]}, "malformed"),
        ({"shape": [2**62]}, "malformed"),
        ({"shape": 2}, "malformed"),
        ({"dtype": "F6_E2M3"}, "malformed"),
        ({"dtype": ["F32"]}, "malformed"),
    ],
    ids=str,
)
def test_a_malformed_entry(tmp_path: Path, changes: dict[str, Any], message: str):
    write(tmp_path, {"k": entry(**changes)}, bytes(8))
    with pytest.raises(DiagnosticException, match=message):
        WeightsFile.open(tmp_path, NAME).tensor("k")


@pytest.mark.parametrize("metadata", [[], "text", {"packed:k": 5}, {"packed:k": "i4:axb"}], ids=str)
def test_malformed_metadata(tmp_path: Path, metadata: Any):
    write(tmp_path, {"k": entry(dtype="?"), "__metadata__": metadata}, bytes(8))
    with pytest.raises(DiagnosticException, match="malformed"):
        WeightsFile.open(tmp_path, NAME).tensor("k")


@pytest.mark.parametrize("key", ["other", "__metadata__", ""])
def test_a_tensor_that_is_not_there(tmp_path: Path, key: str):
    write(tmp_path, {"k": entry(), "__metadata__": {}}, bytes(8))
    with pytest.raises(DiagnosticException, match=f"{NAME}: no tensor '{key}'"):
        WeightsFile.open(tmp_path, NAME).tensor(key)


json_values = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=3),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=3), inner),
    max_leaves=5,
)


@given(
    st.fixed_dictionaries(
        {},
        optional={
            "dtype": st.sampled_from(["F32", "U8"]) | json_values,
            "shape": st.lists(st.integers(), max_size=2) | json_values,
            "data_offsets": st.lists(st.integers(-9, 9), min_size=2, max_size=2) | json_values,
        },
    )
    | json_values,
    json_values,
)
def test_any_header_gives_a_tensor_or_a_diagnostic(
    tmp_path_factory: pytest.TempPathFactory, listed: Any, metadata: Any
):
    folder = tmp_path_factory.mktemp("any")
    write(folder, {"k": listed, "__metadata__": metadata}, bytes(8))
    try:
        type, data = WeightsFile.open(folder, NAME).tensor("k")
    except DiagnosticException:
        return
    assert isinstance(type, TensorType)
    assert data.nbytes <= 8


@pytest.mark.parametrize("name", ["/etc/passwd", "../w.safetensors", "a/../../w", "", ".", "a\0b"])
def test_a_name_that_leaves_the_folder(tmp_path: Path, name: str):
    with pytest.raises(DiagnosticException, match="outside the module's folder"):
        WeightsFile.open(tmp_path, name)


def test_a_link_that_leaves_the_folder(tmp_path: Path):
    folder = tmp_path / "model"
    folder.mkdir()
    write(tmp_path, {"k": entry()}, bytes(8))
    (folder / "link").symlink_to(tmp_path / NAME)
    (folder / "up").symlink_to(tmp_path)
    for name in ("link", f"up/{NAME}"):
        with pytest.raises(DiagnosticException, match="is a link out of the module's folder"):
            WeightsFile.open(folder, name)


def test_a_link_within_the_folder_is_followed(tmp_path: Path):
    write(tmp_path, {"k": entry()}, bytes(8))
    (tmp_path / "link").symlink_to(NAME)
    assert WeightsFile.open(tmp_path, "link").tensor("k")[1].nbytes == 8


def test_what_is_no_file(tmp_path: Path):
    os.mkfifo(tmp_path / "pipe")  # opening it would wait for ever
    (tmp_path / "folder").mkdir()
    (tmp_path / "loop").symlink_to("loop")
    for name in ("pipe", "folder"):
        with pytest.raises(DiagnosticException, match="is not a regular file"):
            WeightsFile.open(tmp_path, name)
    for name in ("loop", "n" * 300):
        with pytest.raises(DiagnosticException, match="cannot be read"):
            WeightsFile.open(tmp_path, name)
    with pytest.raises(DiagnosticException, match="is missing; it belongs beside"):
        WeightsFile.open(tmp_path, "absent")


def test_a_rewritten_file_is_read_anew(tmp_path: Path):
    for value in (1.0, 2.0):
        save_file({"k": np.array([value], np.float32)}, tmp_path / "new")
        os.replace(tmp_path / "new", tmp_path / NAME)
        data = WeightsFile.open(tmp_path, NAME).tensor("k")[1]
        assert np.frombuffer(data, np.float32)[0] == value


def test_a_reference_in_text(tmp_path: Path):
    save_file({"k": np.array([1, 2], np.float32)}, tmp_path / NAME)
    type, _ = WeightsFile.open(tmp_path, NAME).tensor("k")

    def parse(digest: str, shape: str = "2") -> ConstantOp:
        text = f'%0 = nn.constant #nn.blob<"{NAME}", "k", "{digest}"> : tensor<{shape}xf32>'
        (op,) = parse_module(text, str(tmp_path / "m.mlir"), context()).ops
        assert isinstance(op, ConstantOp)
        return op

    with pytest.raises(ParseError, match="belongs to another model") as raised:
        parse("0" * 32)
    digest = raised.value.msg.split("has digest ")[1][:32]
    assert parse(digest).value.type == type
    assert load_reference(tmp_path, NAME, "k", digest).buffer is not None
    with pytest.raises(ParseError, match="the weights file holds a tensor<2xf32>, not a"):
        parse(digest, "1x2")
    # The same key with other contents: exchanged weights.
    save_file({"k": np.array([2, 1], np.float32)}, tmp_path / NAME)
    with pytest.raises(ParseError, match="belongs to another model"):
        parse(digest)
