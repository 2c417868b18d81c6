"""Quantization as NVIDIA's Model Optimizer exports it is that of ONNX's own operators."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from onnx import ModelProto, TensorProto, helper
from xdsl.utils.exceptions import DiagnosticException

from lowstream import compile_model, read_model
from lowstream.test.unit.interop.onnx.graphs import FLOAT, model, node, random

F8, I4, U8 = TensorProto.FLOAT8E4M3FN, TensorProto.INT4, TensorProto.UINT8
X = random(3, 64) * 200


def made(nodes: list[Any], *tensors: Any) -> ModelProto:
    proto = model(nodes, {"x": (FLOAT, X.shape)}, "y", opset=21)
    proto.graph.initializer.extend(tensors)
    return proto


def of_tensorrt(type: str, inputs: str, output: str, **attributes: Any) -> Any:
    each = node(type, inputs, output, **attributes)
    each.domain = "trt"
    return each


def same(proto: ModelProto, wanted: ModelProto) -> None:
    found, expected = (compile_model(read_model(each))(X)[0] for each in (proto, wanted))
    assert found.any()
    np.testing.assert_array_equal(found, expected)


@pytest.mark.parametrize(("name", "element", "scale"), [("FP8", F8, 0.75), ("INT4", I4, 30.0)])
def test_activations(name: str, element: int, scale: float):
    """ONNX says the type of codes by a zero point."""
    step, zero = (
        helper.make_tensor("s", FLOAT, [], [scale]),
        helper.make_tensor("z", element, [], [0]),
    )
    codes = of_tensorrt(f"TRT_{name}QuantizeLinear", "x s", "q")
    values = of_tensorrt(f"TRT_{name}DequantizeLinear", "q s", "y")
    own = [node("QuantizeLinear", "x s z", "q"), node("DequantizeLinear", "q s z", "y")]
    same(made([codes, values], step), made(own, step, zero))


@pytest.mark.parametrize("blocks", [{"axis": 0, "block_size": 32}, {"axis": 1}], ids=str)
def test_weights_of_4_bits(blocks: dict[str, int]):
    """AWQ has scales of blocks of inputs; others have one for each output."""
    shape = [2, 5] if len(blocks) == 2 else [5]
    codes = np.random.default_rng(0).integers(-8, 8, 64 * 5)
    tensors = [
        helper.make_tensor("w", I4, [64, 5], codes),
        helper.make_tensor("s", FLOAT, shape, np.linspace(0.1, 1, np.prod(shape))),
    ]
    product = node("MatMul", "x d", "y")
    same(
        made([of_tensorrt("TRT_INT4DequantizeLinear", "w s", "d", **blocks), product], *tensors),
        made([node("DequantizeLinear", "w s", "d", **blocks), product], *tensors),
    )


def test_blocks_whose_scales_are_powers_of_two():
    """A byte of 127 is a scale of 1."""
    codes = np.arange(5 * 64) % 120
    weights = helper.make_tensor("w", F8, [5, 64], codes.astype(np.uint8).tobytes(), raw=True)
    bytes_ = np.array([[127, 120], [130, 127], [128, 129], [127, 126], [100, 127]], np.uint8)
    product = node("Gemm", "x d", "y", transB=1)
    powers = 2.0 ** (bytes_.astype(np.float32) - 127)
    same(
        made(
            [of_tensorrt("TRT_MXFP8DequantizeLinear", "w s", "d"), product],
            weights,
            helper.make_tensor("s", U8, [5, 2], bytes_.reshape(-1)),
        ),
        made(
            [node("DequantizeLinear", "w s", "d", axis=1, block_size=32), product],
            weights,
            helper.make_tensor("s", FLOAT, [5, 2], powers.reshape(-1)),
        ),
    )


@pytest.mark.parametrize(
    ("each", "message"),
    [
        (of_tensorrt("TRT_MXFP8DequantizeLinear", "x x", "y"), "of f32, are no constant of UINT8"),
        (of_tensorrt("EfficientNMS_TRT", "x", "y"), "this operator or plugin of TensorRT is not"),
    ],
)
def test_what_is_refused(each: Any, message: str):
    with pytest.raises(DiagnosticException, match=message):
        read_model(made([each]))
