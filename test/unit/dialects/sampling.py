"""Operands for every operation, drawn at random: the table that tests of all operations go through."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np
from hypothesis import strategies as st
from xdsl.dialects import func
from xdsl.dialects.builtin import IntegerAttr, ModuleOp, TensorType, i64
from xdsl.ir import Attribute, Block, Region, SSAValue

from lowstream.dialects import nn
from lowstream.dialects.inferred import InferredOp
from lowstream.reference.arrays import Array, blob_of, element_of

Draw = st.DrawFn
Kind = type[InferredOp]


@dataclass
class Sample:
    """Operands of one operation (those in `constant` by position are known while compiling)."""

    operands: Sequence[Array]
    properties: dict[str, Attribute] = field(default_factory=dict[str, Attribute])
    constant: frozenset[int] = frozenset()


Sampler = Callable[[Kind, Draw], Sample]

SAMPLERS: dict[Kind, Sampler] = {}
"""By operation, what draws operands for it; unary and binary operations without an entry get their kind's."""


def sampled(*ops: Kind) -> Callable[[Sampler], Sampler]:
    def register(function: Sampler) -> Sampler:
        SAMPLERS.update(dict.fromkeys(ops, function))
        return function

    return register


dtypes = st.sampled_from([np.float32, np.float64, np.float16, np.int8, np.uint8, np.int64])
sizes = st.integers(1, 4)
shapes = st.lists(sizes, max_size=4)


def array(shape: Sequence[int], dtype: Any = np.float32) -> Array:
    return (np.arange(np.prod(shape, dtype=int)) % 7 + 1).reshape(shape).astype(dtype)


def integers(*values: int) -> Array:
    return np.array(values, np.int64)


def i64_attr(value: int) -> IntegerAttr[Any]:
    return IntegerAttr(value, i64)


def type_of(array: Array) -> TensorType[Any]:
    return TensorType(element_of(array.dtype), array.shape)


def module_of(op: Kind, sample: Sample, constant: frozenset[int]) -> ModuleOp:
    """A function of the operands of a sample that are not constant."""
    given = [i for i in range(len(sample.operands)) if i not in constant]
    block = Block(arg_types=[type_of(sample.operands[i]) for i in given])
    values: list[SSAValue] = []
    for i, operand in enumerate(sample.operands):
        if i in constant:
            known = nn.ConstantOp(blob_of(operand))
            block.add_op(known)
            values.append(known.result)
        else:
            values.append(block.args[given.index(i)])
    instance = op.of(*values, **sample.properties)
    block.add_ops([instance, func.ReturnOp(*instance.results)])
    types = [argument.type for argument in block.args], list(instance.result_types)
    return ModuleOp([func.FuncOp("main", types, Region(block))])
