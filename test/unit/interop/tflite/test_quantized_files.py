"""Quantized files of TensorFlow's converter, read and written again, are the operators that they were."""

from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from ai_edge_litert.interpreter import Interpreter, OpResolverType

from lowstream.interop.tflite import tflite_bytes, tflite_module
from lowstream.passes.nn_to_tfl.tensors import TensorQuantization
from lowstream.reference.arrays import Array
from lowstream.runtime.compiler import compile_model
from lowstream.test.unit.interop.tflite.graph import Operator, Tensor
from lowstream.test.unit.interop.tflite.serialize import parse, serialize

FILES = Path(__file__).parent / "files"

INTEGERS = sorted(
    path for path in FILES.glob("quantized_*.tflite") if path.stem != "quantized_weights"
)

CODES = 3
"""How far what is compiled here may be from LiteRT, whose kernels round sums in integers, layer by layer."""


def ran(data: bytes, calls: Sequence[Sequence[Array]], delegated: bool = False) -> list[Array]:
    """The outputs of all calls."""
    kernels = OpResolverType.BUILTIN_WITHOUT_DEFAULT_DELEGATES
    interpreter: Any = Interpreter(
        model_content=data,
        experimental_op_resolver_type=OpResolverType.AUTO if delegated else kernels,
    )
    interpreter.allocate_tensors()
    found: list[Array] = []
    for call in calls:
        for detail, array in zip(interpreter.get_input_details(), call, strict=True):
            interpreter.set_tensor(detail["index"], array)
        interpreter.invoke()
        found += [interpreter.get_tensor(d["index"]) for d in interpreter.get_output_details()]
    return found


def noise(data: bytes) -> list[list[Array]]:
    chance = np.random.default_rng(0)
    calls: list[list[Array]] = []
    for _ in range(4):
        call: list[Array] = []
        for tensor in parse(data).subgraphs[0].inputs:
            if tensor.element == "float32":
                call.append(chance.normal(size=tensor.shape).astype(np.float32))
            else:
                info = np.iinfo(tensor.element)
                numbers = chance.integers(info.min, info.max, tensor.shape, endpoint=True)
                call.append(numbers.astype(tensor.element))
        calls.append(call)
    return calls


def operators(data: bytes) -> list[Operator]:
    return parse(data).subgraphs[0].operators


def computes(data: bytes) -> list[Operator]:
    """All operators but RESHAPE: a FULLY_CONNECTED takes four dimensions as well as two."""
    return [op for op in operators(data) if op.builtin != "RESHAPE"]


def same_tensor(ours: Tensor | None, theirs: Tensor | None) -> None:
    """Element type and quantization; a bias that adds nothing may be left out, or be there."""
    if ours is None or theirs is None:
        given = ours or theirs
        assert given is None or (given.data is not None and not given.data.any())
        return
    assert ours.element == theirs.element
    assert (ours.quantization is None) == (theirs.quantization is None)
    if ours.quantization is None or theirs.quantization is None:
        return
    for mine, its in zip(
        (ours.quantization.scales, ours.quantization.zero_points),
        (theirs.quantization.scales, theirs.quantization.zero_points),
        strict=True,
    ):
        np.testing.assert_allclose(mine, its, rtol=1e-6)
    if ours.data is not None and theirs.data is not None:
        np.testing.assert_array_equal(ours.data, theirs.data)


@pytest.mark.parametrize("file", INTEGERS, ids=lambda file: file.stem)
def test_integers_stay_integers_operator_for_operator(file: Path):
    data = file.read_bytes()
    written = tflite_bytes(tflite_module(data))
    assert [op.builtin for op in computes(written)] == [op.builtin for op in computes(data)]
    assert len(operators(written)) <= len(operators(data)) + 1
    for ours, theirs in zip(computes(written), computes(data), strict=True):
        operands = max(len(ours.inputs), len(theirs.inputs))
        for place in range(operands):
            mine, its = (
                op.inputs[place] if place < len(op.inputs) else None for op in (ours, theirs)
            )
            same_tensor(mine, its)
        same_tensor(ours.outputs[0], theirs.outputs[0])
        for option in ("padding", "strideH", "fusedActivationFunction", "keepDims", "alpha"):
            assert ours.options.get(option, 0) == theirs.options.get(option, 0), option
    assert len(written) <= 1.1 * len(data)


@pytest.mark.parametrize("file", INTEGERS, ids=lambda file: file.stem)
def test_integers_give_the_same_codes(file: Path):
    data = file.read_bytes()
    module = tflite_module(data)
    written, calls = tflite_bytes(module), noise(data)
    for ours, theirs in zip(ran(written, calls), ran(data, calls), strict=True):
        assert ours.dtype == theirs.dtype and len(np.unique(theirs)) > 1
        np.testing.assert_array_equal(ours, theirs)
    for ours, theirs in zip(ran(written, calls, True), ran(data, calls, True), strict=True):
        np.testing.assert_array_equal(ours, theirs)
    request = compile_model(module).create_infer_request()
    step = step_of(operators(data)[-1])
    for call, theirs in zip(calls, ran(written, calls), strict=True):
        (ours,) = request.infer(call)
        difference = np.abs(ours.astype(np.float64) - theirs.astype(np.float64)).max()
        assert difference <= CODES * step * 1.001


def with_biases(data: bytes) -> bytes:
    """The same model as if it had been trained: networks begin with biases of 0."""
    chance, graph = np.random.default_rng(0), parse(data)
    for op in graph.subgraphs[0].operators:
        if op.builtin not in ("CONV_2D", "DEPTHWISE_CONV_2D", "FULLY_CONNECTED"):
            continue
        x, weights, *_ = op.inputs
        assert x and x.quantization and weights and weights.quantization
        outputs = weights.shape[-1 if op.builtin == "DEPTHWISE_CONV_2D" else 0]
        scales = tuple(x.quantization.scales[0] * scale for scale in weights.quantization.scales)
        grid = TensorQuantization(scales, (0,) * len(scales))
        codes = chance.integers(-2000, 2000, outputs).astype(np.int32)
        op.inputs = [x, weights, Tensor((outputs,), "int32", data=codes, quantization=grid)]
    return serialize(graph)


@pytest.mark.parametrize("file", INTEGERS, ids=lambda file: file.stem)
def test_biases_stay(file: Path):
    data = with_biases(file.read_bytes())
    written, calls = tflite_bytes(tflite_module(data)), noise(data)
    assert [op.builtin for op in computes(written)] == [op.builtin for op in computes(data)]
    for ours, theirs in zip(computes(written), computes(data), strict=True):
        for mine, its in zip(ours.inputs, theirs.inputs, strict=False):
            same_tensor(mine, its)
    for ours, theirs in zip(ran(written, calls), ran(data, calls), strict=True):
        np.testing.assert_array_equal(ours, theirs)


def step_of(last: Operator) -> float:
    """How far apart the outputs of neighbouring codes are."""
    (codes, *_), (result,) = last.inputs, last.outputs
    if result.element != "float32":
        return 1.0
    assert codes is not None and codes.quantization is not None
    return codes.quantization.scales[0]


def test_read_and_written_again_and_again_it_is_the_same():
    data = tflite_bytes(tflite_module(INTEGERS[0].read_bytes()))
    assert tflite_bytes(tflite_module(data)) == data


def test_weights_in_codes_stay_codes():
    """
    LiteRT's own kernel for these quantizes what they are multiplied with in each call. The first product does so
    here; in the second, of few outputs, a model here says numbers, and so does the file: the codes become numbers once.
    """
    data = (FILES / "quantized_weights.tflite").read_bytes()
    module = tflite_module(data)
    written, calls = tflite_bytes(module), noise(data)
    first, dequantize, second = operators(written)
    assert [first.builtin, dequantize.builtin] == ["FULLY_CONNECTED", "DEQUANTIZE"]
    assert second.builtin == "FULLY_CONNECTED"
    held = [first.inputs[1], dequantize.inputs[0]]
    assert all(tensor and tensor.data is not None and tensor.element == "int8" for tensor in held)
    assert len(written) <= 1.1 * len(data)
    request = compile_model(module).create_infer_request()
    for call, theirs in zip(calls, ran(written, calls), strict=True):
        off = np.abs(request.infer(call)[0] - theirs)
        assert off.max() < 0.02 * np.abs(theirs).max()
