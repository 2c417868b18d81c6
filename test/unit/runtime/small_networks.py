"""Narrow networks of the layers that ResNet and MobileNet have, with odd sizes and odd numbers of channels."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

import numpy as np
from xdsl.dialects import func
from xdsl.dialects.builtin import (
    BoolAttr,
    DenseArrayBase,
    FloatAttr,
    IntegerAttr,
    ModuleOp,
    TensorType,
    f32,
    f64,
    i64,
)
from xdsl.ir import Block, Region, SSAValue

# The import of the executor fills the table of meanings.
import lowstream.reference.executor  # noqa: F401  # pyright: ignore[reportUnusedImport]
from lowstream.dialects import nn, qnn
from lowstream.reference.arrays import Array, blob_of
from lowstream.reference.meaning import evaluate

IMAGE = (1, 3, 37, 33)
CLASSES = 21
LEVELS = 256


@dataclass
class Network:
    """
    Writes a network and computes what each value is for `image`, from which ranges of FakeQuantize follow. It is
    in f32 unless `low`.
    """

    low: bool
    random: np.random.Generator = field(default_factory=lambda: np.random.default_rng(0))
    block: Block = field(default_factory=lambda: Block(arg_types=[TensorType(f32, IMAGE)]))

    def __post_init__(self):
        self.image = self.random.normal(size=IMAGE).astype(np.float32)
        self.arrays: dict[SSAValue, Array] = {self.block.args[0]: self.image}

    @property
    def start(self) -> SSAValue:
        """The image, quantized."""
        return self.quantize(self.block.args[0], signed=True)

    def module(self, result: SSAValue) -> ModuleOp:
        """The network that gives this value."""
        self.block.add_op(func.ReturnOp(result))
        types = ([TensorType(f32, IMAGE)], [result.type])
        module = ModuleOp([func.FuncOp("main", types, Region(self.block))])
        module.verify()
        return module

    def add(self, kind: Any, *operands: SSAValue, **properties: Any) -> SSAValue:
        """Any operation of one result."""
        op = kind.of(*operands, **properties)
        self.block.add_op(op)
        (result,) = op.results
        (self.arrays[result],) = evaluate(op, [self.arrays[value] for value in operands])
        return result

    def constant(self, array: Any) -> SSAValue:
        op = nn.ConstantOp(blob_of(np.asarray(array)))
        self.block.add_op(op)
        self.arrays[op.result] = np.asarray(array)
        return op.result

    # --- layers -----------------------------------------------------------------------------

    def quantize(self, x: SSAValue, signed: bool = False) -> SSAValue:
        """On 256 levels that hold what `image` gives."""
        high = np.float32(abs(self.arrays[x]).max())
        return self.on_levels(x, -high if signed else 0 * high, high) if self.low else x

    def on_levels(self, x: SSAValue, low: Any, high: Any, levels: int = LEVELS) -> SSAValue:
        """A FakeQuantize."""
        ends = [self.constant(end) for end in (low, high)]
        return self.add(qnn.FakeQuantizeOp, x, *ends, *ends, levels=IntegerAttr(levels, i64))

    def weights(self, *shape: int) -> SSAValue:
        """With a scale for each of the first dimension."""
        fan_in = np.prod(shape[1:])
        array = self.random.normal(0, np.sqrt(2 / fan_in), shape).astype(np.float32)
        high = abs(array).max(tuple(range(1, len(shape))), keepdims=True)
        x = self.constant(array)
        return self.on_levels(x, -high, high, LEVELS - 1) if self.low else x

    def convolution(
        self, x: SSAValue, outputs: int, size: int, stride: int = 1, dilation: int = 1
    ) -> SSAValue:
        """With as much padding as keeps positions, and a bias."""
        channels = self.arrays[x].shape[1]
        filters = self.weights(outputs, channels, size, size)
        return self._biased(self._window(nn.ConvolutionOp, x, filters, size, stride, dilation))

    def depthwise(self, x: SSAValue, stride: int = 1) -> SSAValue:
        """3x3, ReLU6."""
        filters = self.weights(self.arrays[x].shape[1], 1, 1, 3, 3)
        y = self._biased(self._window(nn.GroupConvolutionOp, x, filters, 3, stride))
        return self.quantize(self.relu6(y))

    def _window(
        self, kind: Any, x: SSAValue, filters: SSAValue, size: int, stride: int, dilation: int = 1
    ) -> SSAValue:
        pads = twice(size // 2 * dilation)
        window = {"pads_begin": pads, "pads_end": pads, "dilations": twice(dilation)}
        return self.add(kind, x, filters, strides=twice(stride), **window)

    def _biased(self, x: SSAValue) -> SSAValue:
        bias = self.random.normal(0, 0.1, (1, self.arrays[x].shape[1], 1, 1)).astype(np.float32)
        return self.add(nn.AddOp, x, self.constant(bias))

    def relu(self, x: SSAValue) -> SSAValue:
        return self.quantize(self.add(nn.ReluOp, x))

    def relu6(self, x: SSAValue) -> SSAValue:
        return self.add(nn.ClampOp, x, min=FloatAttr(0.0, f64), max=FloatAttr(6.0, f64))

    def sum(self, x: SSAValue, y: SSAValue) -> SSAValue:
        return self.add(nn.AddOp, x, y)

    def max_pool(self, x: SSAValue) -> SSAValue:
        """3x3, every second position."""
        ones, sizes = twice(1), {"kernel": twice(3), "strides": twice(2)}
        op = nn.MaxPoolOp.of(x, pads_begin=ones, pads_end=ones, dilations=ones, **sizes)
        self.block.add_op(op)
        self.arrays[op.results[0]] = evaluate(op, [self.arrays[x]])[0]
        return op.results[0]

    def classified(self, x: SSAValue) -> SSAValue:
        """The mean of all positions, then a product."""
        mean = self.add(
            nn.ReduceMeanOp, x, self.constant([2, 3]), keep_dims=BoolAttr.from_bool(False)
        )
        filters = self.weights(CLASSES, self.arrays[mean].shape[1])
        flag = BoolAttr.from_bool(True)
        return self.add(nn.MatMulOp, self.quantize(mean), filters, transpose_b=flag)


def twice(number: int) -> DenseArrayBase[Any]:
    return DenseArrayBase.from_list(i64, [number, number])


def residual(low: bool) -> tuple[ModuleOp, Array]:
    """Bottlenecks as ResNet has, one with a dilation; and an image."""
    n = Network(low)
    y = n.max_pool(n.relu(n.convolution(n.start, 19, 7, 2)))
    for outputs, stride, dilation in ((19, 1, 2), (37, 2, 1)):
        z = n.relu(n.convolution(y, 9, 1))
        z = n.relu(n.convolution(z, 17, 3, stride, dilation))
        z = n.quantize(n.convolution(z, outputs, 1), signed=True)
        if n.arrays[y].shape != n.arrays[z].shape:
            y = n.quantize(n.convolution(y, outputs, 1, stride), signed=True)
        y = n.relu(n.sum(z, y))
    return n.module(n.classified(y)), n.image


def inverted(low: bool) -> tuple[ModuleOp, Array]:
    """Inverted bottlenecks as MobileNet has; and an image."""
    n = Network(low)
    y = n.quantize(n.relu6(n.convolution(n.start, 7, 3, 2)))
    for outputs, stride in ((7, 1), (13, 2)):
        z = n.quantize(n.relu6(n.convolution(y, 37, 1)))
        z = n.quantize(n.convolution(n.depthwise(z, stride), outputs, 1), signed=True)
        same = n.arrays[y].shape == n.arrays[z].shape
        y = n.quantize(n.sum(y, z), signed=True) if same else z
    return n.module(n.classified(n.quantize(n.relu6(n.convolution(y, 71, 1))))), n.image


NETWORKS = {"residual": residual, "inverted": inverted}
