"""Operands for every operation, drawn at random: the table that tests of all operations go through."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from functools import cache
from typing import Any

import numpy as np
from hypothesis import strategies as st
from xdsl.dialects import func
from xdsl.dialects.builtin import IntegerAttr, ModuleOp, TensorType, i64
from xdsl.ir import Attribute, Block, Region, SSAValue

from lowstream.dialects import nn
from lowstream.dialects.inferred import InferredOp, tensor
from lowstream.dialects.tables import registered
from lowstream.reference.arrays import Array, array_of, blob_of, dtype_of, element_of
from lowstream.test.unit.dialects.examples import example_of

Draw = st.DrawFn
Kind = type[InferredOp]


@dataclass
class Sample:
    """
    Operands of one operation (those in `constant` by position are known while compiling). Where they are those of
    the example, all others may be computed.
    """

    operands: Sequence[Array]
    properties: dict[str, Attribute] = field(default_factory=dict[str, Attribute])
    constant: frozenset[int] = frozenset()
    is_example: bool = False


Sampler = Callable[[Kind, Draw], Sample]

SAMPLERS: dict[Kind, Sampler] = {}
"""By operation, what draws operands for it; those without an entry get their kind's, or their example's."""


def sampled(*ops: Kind) -> Callable[[Sampler], Sampler]:
    return registered(SAMPLERS, ops)


@cache
def in_example(op: Kind) -> InferredOp:
    """The operation in the example of its docstring, which is to stay as it is."""
    (instance,) = (each for each in example_of(op).walk() if isinstance(each, op))
    return instance


def exemplary(op: Kind, draw: Draw) -> Sample:
    """Operands of the types of the example in the docstring, with what is constant there."""
    instance = in_example(op)
    known = [nn.constant_of(operand) for operand in instance.operands]
    operands = [
        array(tensor(operand).get_shape(), dtype_of(tensor(operand).element_type))
        if blob is None
        else array_of(blob)
        for operand, blob in zip(instance.operands, known, strict=True)
    ]
    constant = frozenset(i for i, blob in enumerate(known) if blob is not None)
    return Sample(operands, dict(instance.properties), constant, is_example=True)


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
