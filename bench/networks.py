"""
ResNet-50 and MobileNetV2, the published architectures, written once and built for two formats: OpenVINO's, with
FakeQuantize on activations and i8 constants with a scale for each output channel as weights, and ONNX, with
QuantizeLinear and DequantizeLinear. Weights are random (He-scaled) and activation ranges are measured on a
random image, so results are right or wrong against another runtime, never accurate.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import numpy as np
import onnx
import openvino as ov
import openvino.opset15 as op
from onnx import helper, numpy_helper

IMAGE = (1, 3, 224, 224)
CLASSES = 1000
HIGHEST = 127
LEVELS = 256

Value = Any
"""A tensor of the format that is built."""


class Builder(ABC):
    """
    Quantizes while it builds where `ranges` are given, else notes what it would quantize. The input has this
    `shape`.
    """

    def __init__(
        self, ranges: Sequence[float] | None = None, shape: Sequence[int] = IMAGE, seed: int = 0
    ):
        self.ranges, self.shape = ranges, shape
        self.random = np.random.default_rng(seed)
        self.points: list[Value] = []

    # --- what a format provides -------------------------------------------------------------

    @abstractmethod
    def image(self) -> Value: ...

    @abstractmethod
    def fake_quantize(self, x: Value, high: float, signed: bool) -> Value: ...

    @abstractmethod
    def convolve(
        self, x: Value, codes: Any, scale: Any, bias: Any, stride: int, groups: int
    ) -> Value: ...

    @abstractmethod
    def clamp(self, x: Value, high: float | None) -> Value: ...

    @abstractmethod
    def add(self, x: Value, y: Value) -> Value: ...

    @abstractmethod
    def max_pool(self, x: Value) -> Value: ...

    @abstractmethod
    def mean(self, x: Value) -> Value: ...

    @abstractmethod
    def multiply(self, x: Value, codes: Any, scale: Any) -> Value: ...

    # --- what networks are written in -------------------------------------------------------

    def quantize(self, x: Value, signed: bool = False) -> Value:
        """The value on a grid of 256 levels, symmetric around 0 or from 0 on."""
        self.points.append(x)
        if self.ranges is None:
            return x
        return self.fake_quantize(x, self.ranges[len(self.points) - 1], signed)

    def conv(
        self,
        x: Value,
        inputs: int,
        outputs: int,
        kernel: int,
        stride: int = 1,
        groups: int = 1,
        gain: float = 2.0,
    ) -> Value:
        """A convolution with `kernel // 2` around it, and a bias."""
        shape = (outputs, inputs // groups, kernel, kernel)
        codes, scale = self._weights(shape, gain)
        bias = self.random.normal(0, 0.05, outputs).astype(np.float32)
        return self.convolve(x, codes, scale, bias, stride, groups)

    def classify(self, x: Value, features: int) -> Value:
        """Global average, then a product with the classes."""
        return self.connect(self.quantize(self.mean(x)), features, CLASSES)

    def connect(self, x: Value, inputs: int, outputs: int) -> Value:
        """A product with weights."""
        return self.multiply(x, *self._weights((outputs, inputs), 2.0))

    def _weights(self, shape: tuple[int, ...], gain: float) -> tuple[Any, Any]:
        """Codes, and a scale for each of the first dimension."""
        fan_in = int(np.prod(shape[1:]))
        weights = self.random.normal(0, np.sqrt(gain / fan_in), shape)
        axes = tuple(range(1, len(shape)))
        scale = (np.abs(weights).max(axis=axes, keepdims=True) / HIGHEST).astype(np.float32)
        return np.clip(np.round(weights / scale), -HIGHEST, HIGHEST).astype(np.int8), scale


def resnet50(b: Builder, x: Value) -> Value:
    """He et al. 2015, with the stride on the 3x3 convolutions."""
    y = b.clamp(b.conv(b.quantize(x, signed=True), 3, 64, 7, 2), None)
    y, channels = b.max_pool(b.quantize(y)), 64
    for stage, (blocks, width) in enumerate(((3, 64), (4, 128), (6, 256), (3, 512))):
        for block in range(blocks):
            stride = 2 if block == 0 and stage > 0 else 1
            z = b.quantize(b.clamp(b.conv(y, channels, width, 1), None))
            z = b.quantize(b.clamp(b.conv(z, width, width, 3, stride), None))
            z = b.quantize(b.conv(z, width, width * 4, 1, gain=0.5), signed=True)
            if block == 0:
                y = b.quantize(b.conv(y, channels, width * 4, 1, stride, gain=1.0), signed=True)
            y, channels = b.quantize(b.clamp(b.add(z, y), None)), width * 4
    return b.classify(y, 2048)


def mobilenetv2(b: Builder, x: Value) -> Value:
    """Sandler et al. 2018."""
    y, channels = b.quantize(b.clamp(b.conv(b.quantize(x, signed=True), 3, 32, 3, 2), 6.0)), 32
    stages = (
        (1, 16, 1, 1),
        (6, 24, 2, 2),
        (6, 32, 3, 2),
        (6, 64, 4, 2),
        (6, 96, 3, 1),
        (6, 160, 3, 2),
    )
    for expansion, width, blocks, first_stride in (*stages, (6, 320, 1, 1)):
        for block in range(blocks):
            stride, hidden, z = first_stride if block == 0 else 1, channels * expansion, y
            if expansion != 1:
                z = b.quantize(b.clamp(b.conv(z, channels, hidden, 1), 6.0))
            z = b.quantize(b.clamp(b.conv(z, hidden, hidden, 3, stride, groups=hidden), 6.0))
            z = b.quantize(b.conv(z, hidden, width, 1, gain=1.0), signed=True)
            same = stride == 1 and channels == width
            y, channels = b.quantize(b.add(y, z), signed=True) if same else z, width
    return b.classify(b.quantize(b.clamp(b.conv(y, 320, 1280, 1), 6.0)), 1280)


Network = Callable[[Builder, Value], Value]

NETWORKS: dict[str, Network] = {
    "resnet50": resnet50,
    "mobilenetv2": mobilenetv2,
}


# --- formats --------------------------------------------------------------------------------


class OpenVinoBuilder(Builder):
    """Builds an `ov.Model`."""

    def image(self) -> Value:
        self.input = op.parameter(self.shape, np.float32, "image")
        self.input.output(0).set_names({"image"})
        return self.input

    def fake_quantize(self, x: Value, high: float, signed: bool) -> Value:
        low = -high * (HIGHEST + 1) / HIGHEST if signed else 0.0
        ends = [op.constant(np.float32(end)) for end in (low, high, low, high)]
        return op.fake_quantize(x, *ends, LEVELS)

    def convolve(
        self, x: Value, codes: Any, scale: Any, bias: Any, stride: int, groups: int
    ) -> Value:
        pad, steps = [codes.shape[-1] // 2] * 2, [stride] * 2
        if groups == 1:
            y = op.convolution(x, self._filters(codes, scale), steps, pad, pad, [1, 1])
        else:
            shape = (groups, len(codes) // groups, *codes.shape[1:])
            w = self._filters(codes.reshape(shape), scale.reshape(groups, -1, 1, 1, 1))
            y = op.group_convolution(x, w, steps, pad, pad, [1, 1])
        return op.add(y, op.constant(bias.reshape(1, -1, 1, 1)))

    def _filters(self, codes: Any, scale: Any) -> Value:
        if self.ranges is None:
            return op.constant(codes.astype(np.float32) * scale)
        return op.multiply(op.convert(op.constant(codes), "f32"), op.constant(scale))

    def clamp(self, x: Value, high: float | None) -> Value:
        return op.relu(x) if high is None else op.clamp(x, 0.0, high)

    def add(self, x: Value, y: Value) -> Value:
        return op.add(x, y)

    def max_pool(self, x: Value) -> Value:
        pool = op.max_pool(x, [2, 2], [1, 1], [1, 1], [1, 1], [3, 3], "floor", "explicit")
        return pool.output(0)

    def mean(self, x: Value) -> Value:
        return op.reduce_mean(x, op.constant(np.array([2, 3])), False)

    def multiply(self, x: Value, codes: Any, scale: Any) -> Value:
        return op.matmul(x, self._filters(codes, scale), False, True)


class OnnxBuilder(Builder):
    """Builds an `onnx.ModelProto`."""

    def __init__(
        self, ranges: Sequence[float] | None = None, shape: Sequence[int] = IMAGE, seed: int = 0
    ):
        super().__init__(ranges, shape, seed)
        self.nodes: list[Any] = []
        self.constants: list[Any] = []

    def image(self) -> Value:
        return "image"

    def _node(self, kind: str, *inputs: str, **attributes: Any) -> str:
        name = f"{kind}_{len(self.nodes)}"
        self.nodes.append(helper.make_node(kind, list(inputs), [name], name, **attributes))
        return name

    def _constant(self, array: Any) -> str:
        name = f"constant_{len(self.constants)}"
        self.constants.append(numpy_helper.from_array(np.asarray(array, order="C"), name))
        return name

    def fake_quantize(self, x: Value, high: float, signed: bool) -> Value:
        last = HIGHEST if signed else LEVELS - 1
        zero = self._constant(np.array(0, np.int8 if signed else np.uint8))
        scale = self._constant(np.float32(high / last))
        return self._node(
            "DequantizeLinear", self._node("QuantizeLinear", x, scale, zero), scale, zero
        )

    def convolve(
        self, x: Value, codes: Any, scale: Any, bias: Any, stride: int, groups: int
    ) -> Value:
        kernel = codes.shape[-1]
        inputs = (x, self._filters(codes, scale), self._constant(bias))
        attributes = {"strides": [stride] * 2, "pads": [kernel // 2] * 4, "group": groups}
        return self._node("Conv", *inputs, **attributes)

    def _filters(self, codes: Any, scale: Any) -> str:
        if self.ranges is None:
            return self._constant(codes.astype(np.float32) * scale)
        parts = (codes, scale.reshape(-1), np.zeros(len(codes), np.int8))
        return self._node("DequantizeLinear", *map(self._constant, parts), axis=0)

    def clamp(self, x: Value, high: float | None) -> Value:
        if high is None:
            return self._node("Relu", x)
        return self._node("Clip", x, *(self._constant(np.float32(end)) for end in (0.0, high)))

    def add(self, x: Value, y: Value) -> Value:
        return self._node("Add", x, y)

    def max_pool(self, x: Value) -> Value:
        return self._node("MaxPool", x, kernel_shape=[3, 3], strides=[2, 2], pads=[1] * 4)

    def mean(self, x: Value) -> Value:
        return self._node("Flatten", self._node("GlobalAveragePool", x))

    def multiply(self, x: Value, codes: Any, scale: Any) -> Value:
        return self._node("Gemm", x, self._filters(codes, scale), transB=1)


def save_networks(name: str, quantized: bool, folder: Path) -> tuple[Path, Path]:
    """Writes one of NETWORKS as OpenVINO's IR and as ONNX; gives their paths."""
    network = NETWORKS[name]
    ranges = _ranges(network) if quantized else None
    title = f"{name}_{'int8' if quantized else 'f32'}"
    return save(network, title, ranges, IMAGE, (1, CLASSES), folder)


def save(
    network: Network,
    title: str,
    ranges: Sequence[float] | None,
    shape: Sequence[int],
    output: Sequence[int],
    folder: Path,
) -> tuple[Path, Path]:
    """Writes what takes an input of a shape and gives an `output`, in both formats."""
    ir, proto = folder / f"{title}.xml", folder / f"{title}.onnx"
    b = OpenVinoBuilder(ranges, shape)
    result = op.result(network(b, b.image()))
    result.output(0).set_names({"logits"})
    ov.save_model(_model([result], [b.input], title), ir, compress_to_fp16=False)
    c = OnnxBuilder(ranges, shape)
    logits = network(c, c.image())
    ports = [
        [helper.make_tensor_value_info(port, onnx.TensorProto.FLOAT, shape)]
        for port, shape in (("image", shape), (logits, output))
    ]
    graph = helper.make_graph(c.nodes, title, *ports, initializer=c.constants)
    model = helper.make_model(graph, opset_imports=[helper.make_opsetid("", 17)], ir_version=10)
    onnx.save(model, proto)
    return ir, proto


def _model(*parts: Any) -> ov.Model:
    """OpenVINO's own annotations of this constructor do not fit what it takes."""
    model: Any = ov.Model
    return model(*parts)


def _ranges(network: Network) -> list[float]:
    """The largest magnitude of what is quantized, for a random image."""
    b = OpenVinoBuilder()
    network(b, b.image())
    probe = _model([op.result(point) for point in b.points], [b.input], "probe")
    image = np.random.default_rng(7).uniform(-1, 1, IMAGE).astype(np.float32)
    values = ov.compile_model(probe, "CPU", {"INFERENCE_PRECISION_HINT": "f32"})(image)
    return [max(1e-3, float(np.abs(values[i]).max())) for i in range(len(b.points))]
