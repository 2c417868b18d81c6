"""Single layers as fusion leaves them: kernels on tensors, their weights constant, planned for a machine."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from math import prod
from typing import Any

import numpy as np
from xdsl.dialects.builtin import (
    FunctionType,
    IntegerType,
    ModuleOp,
    Signedness,
    TensorType,
    f32,
    i8,
    i32,
)
from xdsl.dialects.func import FuncOp, ReturnOp
from xdsl.ir import Block, Region

from lowstream.dialects import context, kernel, nn
from lowstream.dialects.kernel import Access, Term
from lowstream.lowering.expand_math import ExpandMath
from lowstream.lowering.kernel_bodies.bodies import Scalar, build_body
from lowstream.lowering.machine import Isa
from lowstream.lowering.pack_weights import PackWeights
from lowstream.lowering.plan import PlanMemory
from lowstream.reference.arrays import blob_of

ui8 = IntegerType(8, Signedness.UNSIGNED)


@dataclass(frozen=True)
class Convolution:
    """`positions` of the output; codes are scaled, limited and stored as codes, floats go through a relu."""

    name: str
    positions: tuple[int, ...]
    taps: tuple[int, ...]
    channels: int
    units: int
    stride: int = 1
    groups: int = 1
    is_float: bool = False

    @property
    def macs(self) -> int:
        """Products of one run."""
        return prod(self.positions) * prod(self.taps) * self.units * self.channels // self.groups

    def program(self, isa: Isa) -> kernel.ProgramOp:
        """The planned program."""
        sizes = [(p - 1) * self.stride + t for p, t in zip(self.positions, self.taps, strict=True)]
        element = f32 if self.is_float else ui8
        filters = _constant(self.is_float, self.units, *self.taps, self.channels // self.groups)
        domain = [1, *self.positions, self.units]
        ones = [1] * len(self.taps)
        block = Block(arg_types=[TensorType(element, [1, *sizes, self.channels])])
        ins = [_vector(self.units), _vector(self.units)]
        access = [Access(len(domain), (Term(len(domain) - 1),))] * 2
        op = kernel.ConvolutionOp(
            domain,
            self.groups,
            kernel.ConvolutionWindow(self.taps, [self.stride] * len(self.taps), ones),
            block.args[0],
            filters.result,
            kernel.Epilogue(
                [one.result for one in ins],
                [*access, Access.identity(len(domain))],
                _end(self.is_float),
            ),
            results=[TensorType(element, domain)],
        )
        return _planned(block, [filters, *ins], op, isa)


@dataclass(frozen=True)
class MatMulLayer:
    """`rows` x `depth` activations times constant weights."""

    name: str
    rows: int
    depth: int
    columns: int
    is_float: bool = False

    @property
    def macs(self) -> int:
        """Products of one run."""
        return self.rows * self.depth * self.columns

    def program(self, isa: Isa) -> kernel.ProgramOp:
        """The planned program."""
        element = f32 if self.is_float else ui8
        weights = _constant(self.is_float, self.columns, self.depth)
        block = Block(arg_types=[TensorType(element, [self.rows, self.depth])])
        ins = [_vector(self.columns), _vector(self.columns)]
        op = kernel.MatMulOp(
            [self.rows, self.columns],
            1,
            [block.args[0]],
            [weights.result],
            kernel.Epilogue(
                [one.result for one in ins],
                [*[Access(2, (Term(1),))] * 2, Access.identity(2)],
                _end(self.is_float),
            ),
            results=[TensorType(element, [self.rows, self.columns])],
        )
        return _planned(block, [weights, *ins], op, isa)


def _end(is_float: bool) -> Region:
    """What comes after the sums."""

    def body(total: Scalar, scale: Scalar, shift: Scalar) -> Scalar:
        if is_float:
            return (total + shift).at_least(0)
        value = total.convert(i32, f32).fma(scale, shift)
        return value.clamp(0, 255).round_even().convert(f32, i32)

    return build_body([f32 if is_float else i32, f32, f32], body)


def _constant(is_float: bool, *shape: int) -> nn.ConstantOp:
    rng = np.random.default_rng(0)
    if is_float:
        return nn.ConstantOp(blob_of(rng.normal(size=shape).astype(np.float32)))
    return nn.ConstantOp(blob_of(rng.integers(-127, 128, shape, np.int8), i8))


def _vector(size: int) -> nn.ConstantOp:
    return nn.ConstantOp(blob_of(np.random.default_rng(1).uniform(1e-3, 1e-2, size).astype("f")))


def _planned(
    block: Block, constants: Sequence[nn.ConstantOp], op: Any, isa: Isa
) -> kernel.ProgramOp:
    (result,) = op.results
    block.add_ops([*constants, op, ReturnOp(result)])
    type = FunctionType.from_lists([arg.type for arg in block.args], [result.type])
    module = ModuleOp([FuncOp("main", type, Region(block))])
    for item in (PackWeights(isa.name), ExpandMath(), PlanMemory()):
        item.apply(context(), module)
    module.verify()
    (program,) = (op for op in module.ops if isinstance(op, kernel.ProgramOp))
    return program


INT8: tuple[Convolution | MatMulLayer, ...] = (
    MatMulLayer("GEMM 512 x 1024 x 1024", 512, 1024, 1024),
    MatMulLayer("GEMM 16 x 1024 x 1024", 16, 1024, 1024),
    MatMulLayer("GEMV 1 x 1024 x 1024", 1, 1024, 1024),
    Convolution("7x7 stride 2, 3 -> 64 @112", (112, 112), (7, 7), 3, 64, 2),
    Convolution("3x3 64 -> 64 @56", (56, 56), (3, 3), 64, 64),
    Convolution("1x1 256 -> 64 @56", (56, 56), (1, 1), 256, 64),
    Convolution("1x1 64 -> 256 @56", (56, 56), (1, 1), 64, 256),
    Convolution("3x3 512 -> 512 @7", (7, 7), (3, 3), 512, 512),
    Convolution("1x1 24 -> 144 @56", (56, 56), (1, 1), 24, 144),
    Convolution("depthwise 3x3 144 @56", (56, 56), (3, 3), 144, 144, groups=144),
    Convolution("depthwise 3x3 192 @28", (28, 28), (3, 3), 192, 192, groups=192),
)
FLOAT: tuple[Convolution | MatMulLayer, ...] = (
    MatMulLayer("GEMM 512 x 1024 x 1024", 512, 1024, 1024, True),
    Convolution("7x7 stride 2, 3 -> 64 @112", (112, 112), (7, 7), 3, 64, 2, is_float=True),
    Convolution("3x3 64 -> 64 @56", (56, 56), (3, 3), 64, 64, is_float=True),
    Convolution("1x1 256 -> 64 @56", (56, 56), (1, 1), 256, 64, is_float=True),
    Convolution("3x3 512 -> 512 @7", (7, 7), (3, 3), 512, 512, is_float=True),
)
"""The layers of the table, by what they compute in."""
