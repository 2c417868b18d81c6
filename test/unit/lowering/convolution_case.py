"""Models of one convolution, for tests of passes that write convolutions in other ways."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any, Self

import numpy as np
from xdsl.dialects.builtin import FunctionType, ModuleOp, TensorType, f32, i8
from xdsl.dialects.func import FuncOp, ReturnOp
from xdsl.ir import Block, Region, SSAValue
from xdsl.rewriter import InsertPoint

from lowstream.dialects import nn
from lowstream.dialects.inferred import InferredOp
from lowstream.dialects.nn.writer import Writer
from lowstream.lowering.lower_to_kernels import lower
from lowstream.lowering.machine import available_isas, choose_isa
from lowstream.reference.arrays import Array, blob_of
from lowstream.reference.executor import Executor
from lowstream.test.unit.lowering.codegen.native import Native

ISAS = [isa.name for isa in available_isas()]


@dataclass(frozen=True)
class ConvolutionCase:
    """A convolution of codes, or of integers as f32, with a bias and a relu behind it where it is `followed`."""

    sizes: tuple[int, ...]
    kernel: tuple[int, ...]
    strides: tuple[int, ...]
    dilations: tuple[int, ...]
    pads: tuple[tuple[int, int], ...]
    auto_pad: str = "explicit"
    groups: int = 1
    inputs: int = 3
    outputs: int = 5
    batch: int = 1
    codes: bool = True
    followed: bool = True
    outside: int = 0
    scaled: bool = False
    """Whether columns of codes have scales, powers of 2: sums stay exact."""
    shared: bool = False
    """Whether all columns have the same."""

    @property
    def kind(self) -> type[InferredOp]:
        return nn.GroupConvolutionOp if self.groups > 1 else nn.ConvolutionOp

    @property
    def filter_channels(self) -> tuple[int, int]:
        """In the order in which filters have them."""
        return self.outputs, self.inputs

    def more_operands(self, write: Writer) -> list[SSAValue]:
        """Those behind the filters."""
        return []

    @property
    def more_properties(self) -> dict[str, Any]:
        return {}

    @property
    def module(self) -> ModuleOp:
        """Raises VerifyException where the window does not fit."""
        rng = np.random.default_rng(0)
        element = i8 if self.codes else f32
        block = Block(arg_types=[TensorType(element, self._input_shape)])
        extensions: dict[str, Any] = {"pad_value": self.outside} if self.outside else {}
        write = Writer(InsertPoint.at_end(block))
        shape = (*self.filter_channels, *self.kernel)
        filters = rng.integers(-128, 128, (self.groups, *shape) if self.groups > 1 else shape)
        if self.scaled:
            extensions["column_scale"] = blob_of(self._scales(filters.shape))
        value: SSAValue = write(
            self.kind,
            block.args[0],
            write.constant(blob_of(filters.astype(self._dtype), element)),
            *self.more_operands(write),
            strides=self.strides,
            dilations=self.dilations,
            pads_begin=[low for low, _ in self.pads],
            pads_end=[high for _, high in self.pads],
            auto_pad=self.auto_pad,
            **extensions,
            **self.more_properties,
        )
        if self.followed:
            value = write(nn.ConvertOp, value, destination_type=f32)
            bias = rng.integers(-9, 9, (self.groups * self.outputs, *(1 for _ in self.sizes)))
            value = write(nn.AddOp, value, write.constant(blob_of(bias.astype(np.float32))))
            value = write(nn.ReluOp, value)
        block.add_op(ReturnOp(value))
        type = FunctionType.from_lists([block.args[0].type], [value.type])
        return ModuleOp([FuncOp("main", type, Region(block))])

    @property
    def input(self) -> Array:
        return np.random.default_rng(1).integers(-128, 128, self._input_shape).astype(self._dtype)

    def of(self, *, codes: bool) -> Self:
        return replace(self, codes=codes)

    def check_machine_code(self, isa: str) -> None:
        """Bit by bit: sums of codes are exact, and those of integers as f32 in any order."""
        native = Native(lower(self.module, isa), choose_isa(isa))
        wanted = Executor(self.module).run([self.input])
        np.testing.assert_array_equal(native.run([self.input])[0], wanted[0])

    def _scales(self, filters: tuple[int, ...]) -> Array:
        lead = len(filters) - len(self.kernel) - 1
        shape = (*filters[:lead], *[1] * len(self.kernel), 1 if self.shared else filters[-1])
        return 2.0 ** np.random.default_rng(2).integers(-2, 3, shape).astype(np.float32)

    @property
    def _input_shape(self) -> list[int]:
        return [self.batch, self.groups * self.inputs, *self.sizes]

    @property
    def _dtype(self) -> type[np.generic]:
        return np.int8 if self.codes else np.float32
