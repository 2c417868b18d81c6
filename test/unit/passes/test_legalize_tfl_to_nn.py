"""LiteRT's LSTMs with all their options: what legalization gives computes the same."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from xdsl.dialects import func
from xdsl.dialects.builtin import BoolAttr, FloatAttr, ModuleOp, StringAttr, TensorType, f32
from xdsl.ir import Attribute, Block, Region, SSAValue
from xdsl.utils.exceptions import DiagnosticException

import lowstream
from lowstream.dialects import tfl
from lowstream.passes.pipeline import run_passes
from lowstream.reference.arrays import Array
from lowstream.reference.executor import Executor

BATCH, STEPS, INPUTS, CELLS = 2, 3, 4, 3


@dataclass(frozen=True)
class Options:
    """What an LSTM has beside its gates."""

    coupled: bool = False
    peephole: bool = False
    projection: int = 0
    projection_bias: bool = False
    normalized: bool = False
    diagonal: bool = False
    cell_clip: float = 0.0
    proj_clip: float = 0.0
    activation: str = "TANH"
    time_major: bool = False

    @property
    def outputs(self) -> int:
        return self.projection or CELLS

    @property
    def is_plain(self) -> bool:
        others = (self.coupled, self.peephole, self.projection, self.normalized)
        return self.activation in ("TANH", "RELU") and not any(others)


@st.composite
def options(draw: st.DrawFn) -> Options:
    projection = draw(st.sampled_from([0, 0, 2]))
    return Options(
        coupled=draw(st.booleans()),
        peephole=draw(st.booleans()),
        projection=projection,
        projection_bias=bool(projection) and draw(st.booleans()),
        normalized=draw(st.booleans()),
        diagonal=not projection and draw(st.booleans()),
        cell_clip=draw(st.sampled_from([0.0, 0.3])),
        proj_clip=draw(st.sampled_from([0.0, 0.2])),
        activation=draw(st.sampled_from(["TANH", "RELU", "RELU6", "RELU_N1_TO_1", "NONE"])),
        time_major=draw(st.booleans()),
    )


class Model:
    """A module of one LSTM, whose operands are the arguments."""

    def __init__(self, seed: int):
        self.numbers = np.random.default_rng(seed)
        self.block = Block()
        self.arrays: list[Array] = []
        self.none = tfl.NoValueOp()
        self.block.add_op(self.none)

    def value(self, *shape: int, present: bool = True) -> SSAValue:
        if not present:
            return self.none.none_val
        self.arrays.append(self.numbers.normal(0, 0.7, shape).astype(np.float32))
        return self.block.insert_arg(TensorType(f32, shape), len(self.block.args))

    def weights(self, o: Options, inputs: int = INPUTS) -> list[SSAValue]:
        recurrent = (CELLS,) if o.diagonal else (CELLS, o.outputs)
        there = [not o.coupled, True, True, True]
        return [
            *(self.value(CELLS, inputs, present=p) for p in there),
            *(self.value(*recurrent, present=p) for p in there),
            *(self.value(CELLS, present=o.peephole and p) for p in (not o.coupled, True, True)),
            *(self.value(CELLS, present=p) for p in there),
            self.value(o.outputs, CELLS, present=bool(o.projection)),
            self.value(o.outputs, present=o.projection_bias),
        ]

    def states(self, o: Options) -> list[SSAValue]:
        return [self.value(BATCH, o.outputs), self.value(BATCH, CELLS)]

    def norms(self, o: Options) -> list[SSAValue]:
        there = (not o.coupled, True, True, True)
        return [self.value(CELLS, present=o.normalized and p) for p in there]

    def sequence(self, o: Options, inputs: int = INPUTS) -> SSAValue:
        return self.value(*((STEPS, BATCH) if o.time_major else (BATCH, STEPS)), inputs)

    def module(self, op: Any) -> ModuleOp:
        self.block.add_ops([op, func.ReturnOp(*op.results)])
        types = [arg.type for arg in self.block.args], [r.type for r in op.results]
        return ModuleOp([func.FuncOp("main", types, Region(self.block))])


def properties(o: Options, **more: Attribute) -> dict[str, Attribute]:
    return {
        "fused_activation_function": StringAttr(o.activation),
        "cell_clip": FloatAttr(o.cell_clip, f32),
        "proj_clip": FloatAttr(o.proj_clip, f32),
        **more,
    }


def step(o: Options, seed: int) -> tuple[ModuleOp, list[Array]]:
    model = Model(seed)
    o = Options(**{**vars(o), "diagonal": False})
    operands = [model.value(BATCH, INPUTS), *model.weights(o), *model.states(o), *model.norms(o)]
    type = TensorType(f32, [BATCH, o.outputs])
    kind: dict[str, Attribute] = {"kernel_type": tfl.LstmKernelTypeAttr.of("FULL")}
    return model.module(tfl.LstmOp.of(operands, [type], **properties(o, **kind))), model.arrays


def forward(o: Options, seed: int) -> tuple[ModuleOp, list[Array]]:
    model = Model(seed)
    operands = [model.sequence(o), *model.weights(o), *model.states(o), *model.norms(o)]
    lead = [STEPS, BATCH] if o.time_major else [BATCH, STEPS]
    more = {
        "time_major": BoolAttr.from_bool(o.time_major),
        "diagonal_recurrent_tensors": BoolAttr.from_bool(o.diagonal),
    }
    type = TensorType(f32, [*lead, o.outputs])
    op = tfl.UnidirectionalSequenceLstmOp.of(operands, [type], **properties(o, **more))
    return model.module(op), model.arrays


def both(o: Options, seed: int, auxiliary: str, merge: bool) -> tuple[ModuleOp, list[Array]]:
    model = Model(seed)
    o = Options(**{**vars(o), "diagonal": False, "normalized": False})
    crossed, size = auxiliary == "crossed", 5
    x = model.sequence(o)
    weights = [*model.weights(o), *model.weights(o, size if crossed else INPUTS)]
    states = [*model.states(o), *model.states(o)]
    extra = model.sequence(o, size) if auxiliary else model.none.none_val
    present = auxiliary == "weights"
    there = [present and not o.coupled, present, present, present] * 2
    more = [model.value(CELLS, size, present=p) for p in there]
    lead = [STEPS, BATCH] if o.time_major else [BATCH, STEPS]
    sizes = [2 * o.outputs if merge else o.outputs, o.outputs]
    given = {
        "time_major": BoolAttr.from_bool(o.time_major),
        "merge_outputs": BoolAttr.from_bool(merge),
    }
    types = [TensorType(f32, [*lead, size]) for size in sizes]
    op = tfl.BidirectionalSequenceLstmOp.of(
        [x, *weights, *states, extra, *more], types, **properties(o, **given)
    )
    return model.module(op), model.arrays


def check(module: ModuleOp, inputs: Sequence[Array]) -> ModuleOp:
    """Legalizes a module, which gives the same as before. Returns it."""
    module.verify()
    expected = Executor(module).run(inputs)
    run_passes(module, "legalize-tfl-to-nn")
    assert not any(op.name.startswith("tfl.") for op in module.walk())
    for before, after in zip(expected, Executor(module).run(inputs), strict=True):
        np.testing.assert_allclose(after, before, rtol=2e-5, atol=2e-6)
    return module


@settings(max_examples=30)
@given(options(), st.integers(0, 99))
def test_one_step(o: Options, seed: int):
    module, inputs = step(o, seed)
    check(module, inputs)


@settings(max_examples=30)
@given(options(), st.integers(0, 99))
def test_a_sequence(o: Options, seed: int):
    module, inputs = forward(o, seed)
    legal = [op.name for op in check(module, inputs).walk()]
    assert ("rnn.lstm_sequence" in legal) == o.is_plain
    assert ("infra.tensor_iterator" in legal) != o.is_plain


@settings(max_examples=30)
@given(options(), st.integers(0, 99), st.sampled_from(["", "crossed", "weights"]), st.booleans())
def test_both_directions(o: Options, seed: int, auxiliary: str, merge: bool):
    module, inputs = both(o, seed, auxiliary, merge)
    check(module, inputs)


@settings(max_examples=6)
@given(options(), st.integers(0, 9))
def test_what_is_compiled(o: Options, seed: int):
    o = Options(**{**vars(o), "normalized": False})
    module, inputs = forward(o, seed)
    (expected,) = Executor(module).run(inputs)
    results = lowstream.compile_model(module).create_infer_request().infer(list(inputs))
    np.testing.assert_allclose(results[0], expected, rtol=1e-5, atol=1e-5)


def test_an_activation_of_signs_has_no_meaning():
    module, _ = forward(Options(activation="SIGN_BIT"), 0)
    with pytest.raises(DiagnosticException, match="SIGN_BIT has no meaning here; use one of NONE"):
        run_passes(module, "legalize-tfl-to-nn")
