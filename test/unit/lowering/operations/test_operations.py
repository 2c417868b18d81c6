"""Every operation compiles, and its kernels give what it means."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
import pytest
from hypothesis import Phase, given, settings
from hypothesis import strategies as st
from xdsl.dialects.builtin import ModuleOp

from lowstream.dialects import kernel, nn, qnn
from lowstream.dialects.inferred import InferredOp
from lowstream.dialects.nn.convolution import ConvolutionBase
from lowstream.dialects.nn.derived import DerivedOp
from lowstream.lowering.lower_to_kernels import lower
from lowstream.lowering.machine import Isa, available_isas
from lowstream.lowering.nn_to_kernels import NnToKernels
from lowstream.reference.arrays import Array
from lowstream.reference.executor import Executor
from lowstream.reference.program import ProgramExecutor
from lowstream.test.unit.dialects.sampling import Kind, Sample, module_of
from lowstream.test.unit.dialects.test_inference import draw_from, sampler_of
from lowstream.test.unit.lowering.codegen.scattered import Scattered

OPERATIONS = [
    op for dialect in (nn.Nn, qnn.Qnn) for op in dialect.operations if issubclass(op, InferredOp)
]
BY_NAME = pytest.mark.parametrize("op", OPERATIONS, ids=lambda op: op.name)
ISAS = available_isas()

SEARCH = [Phase.generate]
"""Samples are small; making them smaller takes long, as each is compiled."""

POSITIVE = (nn.LogOp, nn.SqrtOp, nn.PowerOp, nn.BatchNormInferenceOp)
"""Operations that are not defined below 0."""

COMPUTED = {
    nn.GatherOp: (0, 1),
    nn.GatherElementsOp: (0, 1),
    nn.GatherNdOp: (0, 1),
    nn.OneHotOp: (0, 2, 3),
    nn.ReverseSequenceOp: (0, 1),
    nn.ScatterElementsUpdateOp: (0, 1, 2),
    nn.ScatterNdUpdateOp: (0, 1, 2),
    nn.ScatterUpdateOp: (0, 1, 2),
    nn.SearchSortedOp: (0, 1),
    nn.SliceScatterOp: (0, 1),
}
"""Operands of integers that a model may compute; those of other operations say what the operation does."""


def test_every_operation_has_a_rule():
    from xdsl.context import Context

    from lowstream.lowering.nn_to_kernels.rule import KERNEL_RULES

    NnToKernels().apply(Context(), ModuleOp([]))
    assert [
        op.name for op in OPERATIONS if op not in KERNEL_RULES and not issubclass(op, DerivedOp)
    ] == []


def is_structural(op: Kind, i: int, operand: Array, sample: Sample) -> bool:
    """Whether an operand says what the operation does, and so must be known while compiling."""
    if i in sample.constant or (op is qnn.FakeQuantizeOp and i):
        return True
    if sample.is_example:
        return False
    if issubclass(op, nn.BinaryOp | nn.MatMulOp | nn.SelectOp | ConvolutionBase):
        return operand.dtype == np.int64 and issubclass(op, ConvolutionBase) and i == 2
    return operand.dtype.kind in "iu" and i not in COMPUTED.get(op, (0,))


def drawn(op: Kind, data: st.DataObject) -> tuple[ModuleOp, list[Array]]:
    """A module of one operation, and inputs for it."""
    sample = sampler_of(op)(op, draw_from(data))
    operands = list(sample.operands)
    rng = np.random.default_rng(len(operands) + operands[0].size)
    constant = frozenset(
        i for i, operand in enumerate(operands) if is_structural(op, i, operand, sample)
    )
    for i, operand in enumerate(operands):
        is_place = bool(i) and (
            op in COMPUTED or (sample.is_example and operand.dtype.kind in "iu")
        )
        if i not in constant and not is_place:
            operands[i] = varied(operand, rng, op)
    sample.operands = operands
    given = [operand for i, operand in enumerate(operands) if i not in constant]
    return module_of(op, sample, constant), given


def varied(operand: Array, rng: np.random.Generator, op: Kind) -> Array:
    """The numbers in another order, some of them negative where the operation and the type know such."""
    mixed = rng.permutation(operand.reshape(-1)).reshape(operand.shape)
    if operand.dtype.kind in "bu" or op in POSITIVE or not operand.size:
        return mixed
    signs = np.where(rng.random(operand.shape) < 0.5, -1, 1).astype(operand.dtype)
    return mixed * signs


TOLERANCE = {np.dtype(np.float16): 2e-3, np.dtype(np.float32): 1e-5, np.dtype(np.float64): 1e-6}


def same(have: Sequence[Any], want: Sequence[Any]) -> None:
    """Integers are equal, floating-point numbers nearly."""
    for a, b in zip(have, want, strict=True):
        assert (a.dtype, a.shape) == (b.dtype, b.shape)
        if a.dtype.kind != "f":
            np.testing.assert_array_equal(a, b)
            continue
        tolerance = TOLERANCE[a.dtype]
        with np.errstate(invalid="ignore"):
            np.testing.assert_allclose(a, b, rtol=tolerance, atol=tolerance)


def checked(module: ModuleOp, inputs: list[Array], isa: Isa) -> tuple[kernel.ProgramOp, list[Any]]:
    """The program of a module, and what its kernels give: what the operation means."""
    with np.errstate(all="ignore"):
        want = Executor(module).run(inputs)
    program = lower(module, isa.name)
    have = ProgramExecutor(program).run(inputs)
    same(have, want)
    return program, have


@BY_NAME
@settings(max_examples=4, phases=SEARCH)
@given(data=st.data())
def test_kernels_give_what_the_operation_means(op: Kind, data: st.DataObject):
    """In more samples than are compiled; 3 others are those of `test_machines_give_what_kernels_do`."""
    checked(*drawn(op, data), ISAS[0])


@BY_NAME
@settings(max_examples=3, phases=SEARCH)
@given(data=st.data())
def test_machines_give_what_kernels_do(op: Kind, data: st.DataObject):
    """
    But for the sign of zero and the kind of NaN; and they touch nothing beside their operands. What does ends
    this process. Each sample is on one instruction set; `codegen/` holds every kind of kernel to all of them.
    """
    module, inputs = drawn(op, data)
    isa = data.draw(st.sampled_from(ISAS))
    program, wanted = checked(module, inputs, isa)
    Scattered(program, isa).check(inputs, wanted)
