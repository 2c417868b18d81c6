"""What cannot be read is named, with what to do; and what helps does."""

import re
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from xdsl.utils.exceptions import DiagnosticException

import lowstream
from lowstream.dialects import nn, tfl
from lowstream.interop.model import Model
from lowstream.interop.tflite import tflite_bytes, tflite_module
from lowstream.passes.nn_to_tfl.tensors import TensorQuantization
from lowstream.reference.executor import Executor
from lowstream.test.unit.interop.tflite.graph import Graph, Operator, Tensor
from lowstream.test.unit.interop.tflite.put_together import Part, by_litert, noise, number
from lowstream.test.unit.interop.tflite.serialize import parse, serialize

X = (2, 3)


def custom() -> bytes:
    """`mystery(exp(x) * w)`"""
    main = Part(x := Tensor(X, "float32", "x"))
    weights = number(noise(*X), "float32")
    weights.name = "layer/weights"
    scaled = main("MUL", [main("EXP", [x], X), weights], X)
    scaled.name = "layer/scaled"
    result = Tensor(X, "float32", "y")
    main.graph.operators.append(
        Operator("CUSTOM", [scaled, None], [result], custom="Mystery", custom_options=b"\x01\x02")
    )
    return serialize(Graph([main.gives(result)]))


def test_a_custom_operation_is_kept():
    again = parse(tflite_bytes(tflite_module(custom())))
    (op,) = (op for op in again.subgraphs[0].operators if op.builtin == "CUSTOM")
    assert (op.custom, op.custom_options) == ("Mystery", b"\x01\x02")


def test_a_custom_operation_takes_constants_as_they_are():
    """Sums of products in 32-bit codes, too."""
    main = Part(x := Tensor(X, "float32", "x"))
    bias = number([5, -7, 2**30])
    bias.quantization = TensorQuantization((0.1,), (0,))
    result = Tensor(X, "float32", "y")
    main.graph.operators.append(Operator("CUSTOM", [x, bias], [result], custom="Mystery"))
    module = tflite_module(serialize(Graph([main.gives(result)])))
    (op,) = (op for op in module.walk() if isinstance(op, tfl.CustomOp))
    given = nn.constant_of(op.operands[1])
    assert given is not None and given.data.values() == [5, -7, 2**30]


def test_a_custom_operation_is_not_compiled_and_what_lies_before_it_is():
    model = Model(tflite_module(custom()))
    with pytest.raises(
        DiagnosticException, match=r"tfl.custom 'y': .* knows what 'Mystery' computes; .* trim"
    ) as error:
        lowstream.compile_model(model)
    advice = re.search(r"trim\{.*\}", str(error.value))
    assert advice is not None
    lowstream.run_passes(model, advice.group())
    x = noise(*X, seed=1)
    (found,) = lowstream.compile_model(model).create_infer_request().infer([x])
    np.testing.assert_allclose(found, np.exp(x) * noise(*X), rtol=1e-5)


def test_constants_have_the_names_of_their_tensors(tmp_path: Path):
    """So that passes find them."""
    model = Model(tflite_module(custom()))
    np.save(tmp_path / "w.npy", np.full(X, 2, np.float32))
    lowstream.run_passes(
        model,
        f'trim{{outputs="layer/scaled"}},replace-constant{{name="layer/weights" file="{tmp_path}/w.npy"}}',
    )
    x = noise(*X)
    (found,) = Executor(model.module).run([x])
    np.testing.assert_allclose(found, np.exp(x) * 2, rtol=1e-6)


def test_an_operation_that_is_not_known_is_named():
    main = Part(x := Tensor((2, 4), "float32"))
    main.gives(main("STABLEHLO_CBRT", [x], (2, 4)))
    with pytest.raises(DiagnosticException, match=r"^STABLEHLO_CBRT: it is StableHLO's"):
        tflite_module(serialize(Graph([main.graph])))


def test_elements_that_are_no_numbers_are_named():
    main = Part(x := Tensor((2,), "float32", "text"))
    data = bytearray(serialize(Graph([main.gives(x)])))
    with pytest.raises(
        DiagnosticException, match=r"tensor 'text' has elements of type STRING, which"
    ):
        tflite_module(_retyped(bytes(data), "STRING"))


def _retyped(data: bytes, element: str) -> bytes:
    from lowstream.test.unit.interop.tflite.test_sparse import packed, schema

    model = schema.ModelT.InitFromPackedBuf(data, 0)
    model.subgraphs[0].tensors[0].type = getattr(schema.TensorType, element)
    return packed(model)


@pytest.mark.parametrize(("count", "axis"), [(4, 0), (2, 3), (2, -3), (2, 1)])
def test_scales_that_fit_no_dimension_are_refused(count: int, axis: int):
    main = Part(x := Tensor(X, "int8", "x"))
    x.quantization = TensorQuantization((0.1,) * count, (0,) * count, axis)
    with pytest.raises(
        DiagnosticException, match=rf"^tensor 'x' has {count} scales .* \[2, 3\] has no"
    ):
        tflite_module(serialize(Graph([main.gives(x)])))


def test_what_has_to_be_constant_is_named():
    main = Part(x := Tensor(X, "float32"), order := Tensor((2,), "int32"))
    main.gives(main("TRANSPOSE", [x, order], X))
    with pytest.raises(
        DiagnosticException, match=r"^TRANSPOSE: its permutation must be constant; conv"
    ):
        tflite_module(serialize(Graph([main.graph])))


def test_codes_as_wide_as_sums_are_refused_as_outputs():
    main = Part(x := Tensor(X, "float32"))
    result = main("QUANTIZE", [x], X, "int32")
    result.name, result.quantization = "y", TensorQuantization((0.1,), (0,))
    with pytest.raises(
        DiagnosticException, match=r"^output 'y' is in int32 codes, .* 8-bit or 16-bit"
    ):
        tflite_module(serialize(Graph([main.gives(result)])))


@pytest.mark.parametrize("scale", [1e-4, 0.5])
def test_codes_of_16_bits_are_given(scale: float):
    main = Part(x := Tensor(X, "float32"))
    result = main("QUANTIZE", [x], X, "int16")
    result.quantization = TensorQuantization((scale,), (0,))
    data = serialize(Graph([main.gives(result)]))
    given = noise(*X) * 5
    (expected,) = by_litert(data, [given])
    (found,) = Executor(tflite_module(data)).run([given])
    assert found.dtype == expected.dtype == np.int16
    assert np.abs(found.astype(int) - expected).max() <= 1


EXACT = {
    "LOGISTIC": lambda x: 1 / (1 + np.exp(-x)),
    "TANH": np.tanh,
    "SOFTMAX": lambda x: np.exp(x) / np.exp(x).sum(1, keepdims=True),
}


@pytest.mark.parametrize("scale", [2**-12, 2e-4, 1e-3])
@pytest.mark.parametrize("builtin", EXACT)
def test_functions_of_16_bits_are_exact_to_one_code(builtin: str, scale: float):
    """LiteRT's tables and fixed point are off by more; of 10 codes that is seldom much."""
    codes = np.random.default_rng(0).integers(-32768, 32768, (500, 10), np.int16)
    x = Tensor(codes.shape, "int16", "x", quantization=TensorQuantization((scale,), (0,)))
    main = Part(x)
    result = main(
        builtin, [x], codes.shape, "int16", **{"beta": 1.0} if builtin == "SOFTMAX" else {}
    )
    result.quantization = TensorQuantization((2**-15,), (0,))
    data = serialize(Graph([main.gives(result)]))
    (found,) = Executor(tflite_module(data)).run([codes])
    exact = EXACT[builtin](codes * scale) * 2**15
    assert np.abs(found - exact.clip(-(2**15), 2**15 - 1)).max() <= 1
    (theirs,) = by_litert(data, [codes])
    assert np.abs(found.astype(int) - theirs).max() <= 32


@pytest.mark.parametrize("builtin", ["EXPAND_DIMS", "SQUEEZE"])
def test_sizes_may_be_unknown_on_both_sides_of_a_new_dimension(builtin: str):
    grows = builtin == "EXPAND_DIMS"
    before, after = ((-1, -1), (-1, 1, -1))[:: 1 if grows else -1]
    main = Part(x := Tensor(before, "float32"))
    inputs: list[Tensor | None] = [x, number(1)] if grows else [x]
    options: dict[str, Any] = {} if grows else {"squeezeDims": [1]}
    main.gives(main(builtin, inputs, after, **options))
    given = noise(*(2, 3) if grows else (2, 1, 3))
    (found,) = Executor(tflite_module(serialize(Graph([main.graph])))).run([given])
    np.testing.assert_array_equal(found, given.reshape((2, 1, 3) if grows else (2, 3)))
