"""A file with several signatures is that of its first subgraph, and a warning names the others."""

from __future__ import annotations

from pathlib import Path
from typing import Any, cast

import flatbuffers  # pyright: ignore[reportMissingTypeStubs]
import numpy as np
import pytest
from xdsl.utils.exceptions import DiagnosticException

from lowstream import Model, compile_model, read_model
from lowstream.interop.mlir import SourceError
from lowstream.interop.tflite import tflite_module
from lowstream.interop.tflite.schema import IDENTIFIER, schema
from lowstream.test.unit.interop.tflite.graph import Graph, Operator, Signature, Subgraph, Tensor
from lowstream.test.unit.interop.tflite.serialize import serialize


def subgraph(builtin: str) -> Subgraph:
    x, y = (Tensor((2,), "float32", name) for name in ("x", "y"))
    return Subgraph(builtin, [x], [y], [Operator(builtin, [x], [y])])


def file_of(numbers: list[int]) -> bytes:
    """Two subgraphs, RELU and ABS, and a signature for each of the numbers."""
    data = serialize(Graph([subgraph("RELU"), subgraph("ABS")], Signature(("x",), ("y",), "s0")))
    model = cast(Any, schema).ModelT.InitFromPackedBuf(data, 0)
    first = model.signatureDefs[0]
    model.signatureDefs = []
    for place, number in enumerate(numbers):
        packed = cast(Any, schema).SignatureDefT()
        packed.signatureKey, packed.subgraphIndex = f"s{place}", number
        packed.inputs, packed.outputs = first.inputs, first.outputs
        model.signatureDefs.append(packed)
    builder = cast(Any, flatbuffers).Builder(1 << 12)
    builder.Finish(model.Pack(builder), IDENTIFIER)
    return bytes(builder.Output())


def test_signatures_of_other_subgraphs_are_named():
    with pytest.warns(UserWarning, match=r"and not s1; read_model\(path, signature='s1'\)"):
        module = tflite_module(file_of([0, 1]))
    x = np.array([-1, 2], np.float32)
    np.testing.assert_array_equal(compile_model(Model(module))([x])[0], [0, 2])


def test_two_names_of_one_subgraph_are_no_others():
    tflite_module(file_of([0, 0]))


def test_another_signature_is_read_by_its_key(tmp_path: Path):
    (path := tmp_path / "two.tflite").write_bytes(file_of([0, 1]))
    x = np.array([-1, 2], np.float32)
    for key, wanted in (("s0", [0, 2]), ("s1", [1, 2])):
        model = read_model(path, signature=key)
        np.testing.assert_array_equal(compile_model(model)([x])[0], wanted)
        assert [*model.inputs[0].names] == ["x"]


def test_what_has_no_such_signature(tmp_path: Path):
    (path := tmp_path / "two.tflite").write_bytes(file_of([0, 1]))
    with pytest.raises(SourceError, match="there is no signature 's2' in it; it has 's0', 's1'"):
        read_model(path, signature="s2")
    (other := tmp_path / "m.mlir").write_text("func.func @main() { func.return }")
    with pytest.raises(
        SourceError, match=r"only a \.tflite file and a saved model have signatures"
    ):
        read_model(other, signature="s0")
    with pytest.raises(DiagnosticException, match="has no signatures, as a"):
        read_model(b"", signature="s0")
