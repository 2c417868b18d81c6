"""`decompose-cells`: a decomposed cell computes what the cell does."""

from dataclasses import dataclass

import numpy as np
from hypothesis import given
from hypothesis import strategies as st
from xdsl.dialects.builtin import ModuleOp
from xdsl.parser import Parser

from lowstream.dialects import context, nn, rnn
from lowstream.dialects.inferred import friendly_name
from lowstream.dialects.module import entry_of
from lowstream.passes.pipeline import run_passes
from lowstream.reference.arrays import Array, blob_of
from lowstream.reference.executor import Executor

INPUTS, HIDDEN = 3, 2
GATES = {"lstm_cell": 4, "gru_cell": 3, "rnn_cell": 1}
FUNCTIONS = {"lstm_cell": 3, "gru_cell": 2, "rnn_cell": 1}
DTYPES = {"f32": np.float32, "f64": np.float64}


@dataclass(frozen=True)
class Cell:
    """A cell; each of its three weights an argument, a constant, or a constant of equal elements."""

    kind: str
    linear: bool
    activations: tuple[str, ...]
    clip: float
    cell_clip: float
    batch: int
    element: str
    weights: tuple[str, ...]
    seed: int

    @property
    def states(self) -> int:
        return 2 if self.kind == "lstm_cell" else 1

    def arrays(self) -> list[Array]:
        rows = GATES[self.kind] * HIDDEN
        states = [(self.batch, HIDDEN)] * self.states
        weights = [(rows, INPUTS), (rows, HIDDEN), (rows + self.linear * HIDDEN,)]
        random = np.random.default_rng(self.seed)
        arrays = [
            random.standard_normal(shape).astype(DTYPES[self.element])
            for shape in [(self.batch, INPUTS), *states, *weights]
        ]
        for weight, array in zip(self.weights, arrays[-3:], strict=True):
            if weight == "uniform":
                array[...] = 0.5
        return arrays

    def module(self) -> ModuleOp:
        arrays = self.arrays()
        types = [f"tensor<{'x'.join(map(str, array.shape))}x{self.element}>" for array in arrays]
        results = ", ".join(types[1 : 1 + self.states])
        text = f"""
        func.func @main({", ".join(f"%v{i}: {t}" for i, t in enumerate(types))}) -> ({results}) {{
          %y:{self.states} = rnn.{self.kind} {", ".join(f"%v{i}" for i in range(len(types)))} {{
              hidden_size = {HIDDEN} : i64, clip = {self.clip} : f64, nn.name = "cell",
              activations = [{", ".join(f'"{name}"' for name in self.activations)}]
              {", linear_before_reset = true" if self.linear else ""}
              {f", cell_clip = {self.cell_clip} : f64" if self.kind == "lstm_cell" else ""}
            }} : ({", ".join(types)}) -> ({results})
          func.return {", ".join(f"%y#{i}" for i in range(self.states))} : {results}
        }}"""
        module = Parser(context(), text).parse_module()
        module.verify()
        body = entry_of(module).body.block
        assert body.first_op is not None
        for weight, argument, array in zip(self.weights, body.args[-3:], arrays[-3:], strict=True):
            if weight != "argument":
                constant = nn.ConstantOp(blob_of(array))
                body.insert_op_before(constant, body.first_op)
                argument.replace_all_uses_with(constant.result)
        return module


@st.composite
def cells(draw: st.DrawFn) -> Cell:
    kind = draw(st.sampled_from(tuple(GATES)))
    return Cell(
        kind,
        kind == "gru_cell" and draw(st.booleans()),
        tuple(draw(st.sampled_from(rnn.ACTIVATIONS)) for _ in range(FUNCTIONS[kind])),
        draw(st.sampled_from((0.0, 0.25))),
        draw(st.sampled_from((0.0, 0.5))),
        draw(st.sampled_from((1, 3))),
        draw(st.sampled_from(tuple(DTYPES))),
        tuple(draw(st.sampled_from(("argument", "constant", "uniform"))) for _ in range(3)),
        draw(st.integers(0, 99)),
    )


@given(cell=cells())
def test_a_decomposed_cell_computes_the_same(cell: Cell):
    module, arrays = cell.module(), cell.arrays()
    expected = Executor(module).run(arrays)
    run_passes(module, "decompose-cells")
    assert not any(op.name.startswith("rnn.") for op in module.walk())
    for ours, reference in zip(Executor(module).run(arrays), expected, strict=True):
        assert ours.dtype == reference.dtype
        np.testing.assert_allclose(ours, reference, rtol=1e-5, atol=1e-6)


@given(cell=cells())
def test_the_new_hidden_state_has_the_name_and_nothing_is_left_over(cell: Cell):
    module = cell.module()
    run_passes(module, "decompose-cells")
    (named,) = [op for op in module.walk() if friendly_name(op) == "cell"]
    returned = entry_of(module).get_return_op()
    assert returned is not None
    assert returned.operands[0].owner is named
    assert all(op.results[0].first_use for op in module.walk() if isinstance(op, nn.ConstantOp))
