"""A file with several signatures is that of its first subgraph, and a warning names the others."""

from __future__ import annotations

from typing import Any, cast

import flatbuffers  # pyright: ignore[reportMissingTypeStubs]
import numpy as np
import pytest

from lowstream import Model, compile_model
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
    with pytest.warns(
        UserWarning, match=r"and not s1; convert the model with signature_keys=\['s1'\]"
    ):
        module = tflite_module(file_of([0, 1]))
    x = np.array([-1, 2], np.float32)
    np.testing.assert_array_equal(compile_model(Model(module))([x])[0], [0, 2])


def test_two_names_of_one_subgraph_are_no_others():
    tflite_module(file_of([0, 0]))
