"""One recurrent layer in all of its forms: whichever passes it went through, it computes the same."""

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from xdsl.dialects.builtin import ModuleOp
from xdsl.parser import Parser

from lowstream import compile_model
from lowstream.dialects import context, infra, nn, rnn
from lowstream.dialects.module import entry_of
from lowstream.passes.pipeline import run_passes
from lowstream.reference.arrays import Array, blob_of
from lowstream.reference.executor import Executor

GATES = {"lstm": 4, "gru": 3, "rnn": 1}
FUNCTIONS = {"lstm": 3, "gru": 2, "rnn": 1}
KEEP = "low-latency2{use-const-initializer=false}"

WHOLE_FORMS = {
    "sequence": "",
    "iterator": "lower-sequences",
    "unrolled": "lower-sequences,unroll-loops",
    "decomposed iterator": "lower-sequences,decompose-cells",
    "decomposed": "lower-sequences,unroll-loops,decompose-cells",
}
"""How a layer is called once for all steps."""

STREAMING_FORMS = {
    "cell": KEEP,
    "decomposed cell": f"{KEEP},decompose-cells",
    "inlined iterator": f"lower-sequences,{KEEP}",
}
"""How a layer of one step becomes one that is called for each step."""


@dataclass(frozen=True)
class Layer:
    """A recurrent layer; its weights are constants, or with `arguments` inputs."""

    kind: str
    direction: str
    steps: int
    batch: int
    inputs: int
    hidden: int
    activations: tuple[str, ...]
    clip: float
    linear: bool
    lengths: tuple[int, ...]
    arguments: bool
    seed: int

    @property
    def states(self) -> int:
        return 2 if self.kind == "lstm" else 1

    @property
    def directions(self) -> int:
        return 2 if self.direction == "bidirectional" else 1

    @property
    def covered(self) -> bool:
        return all(length >= self.steps for length in self.lengths)

    def arrays(self) -> list[Array]:
        """X, the states before, lengths, W, R and B."""
        random, size, directions = np.random.default_rng(self.seed), self.hidden, self.directions
        rows = GATES[self.kind] * size
        shapes = [
            *[(self.batch, directions, size)] * self.states,
            (directions, rows, self.inputs),
            (directions, rows, size),
            (directions, rows + self.linear * size),
        ]
        arrays = [random.standard_normal(shape).astype(np.float32) for shape in shapes]
        x = random.standard_normal((self.batch, self.steps, self.inputs)).astype(np.float32)
        return [x, *arrays[:-3], np.array(self.lengths, np.int64), *arrays[-3:]]

    def module(self) -> ModuleOp:
        arrays = self.arrays()
        types = [
            f"tensor<{'x'.join(map(str, array.shape))}x{'i64' if array.dtype == np.int64 else 'f32'}>"
            for array in arrays
        ]
        y = f"tensor<{self.batch}x{self.directions}x{self.steps}x{self.hidden}xf32>"
        results = ", ".join([y, *types[1 : 1 + self.states]])
        text = f"""
        func.func @main({", ".join(f"%v{i}: {t}" for i, t in enumerate(types))}) -> ({results}) {{
          %y:{1 + self.states} = rnn.{self.kind}_sequence
              {", ".join(f"%v{i}" for i in range(len(types)))} {{
              hidden_size = {self.hidden} : i64, clip = {self.clip} : f64, nn.name = "S",
              direction = "{self.direction}",
              activations = [{", ".join(f'"{name}"' for name in self.activations)}]
              {", linear_before_reset = true" if self.linear else ""}
              {f", cell_clip = {self.clip} : f64" if self.kind == "lstm" else ""}
            }} : ({", ".join(types)}) -> ({results})
          func.return {", ".join(f"%y#{i}" for i in range(1 + self.states))} : {results}
        }}"""
        module = Parser(context(), text).parse_module()
        body = entry_of(module).body.block
        first = body.first_op
        assert first is not None
        for argument, array in list(zip(body.args, arrays, strict=True))[1 + self.states :]:
            if not self.arguments:
                constant = nn.ConstantOp(blob_of(array))
                body.insert_op_before(constant, first)
                argument.replace_all_uses_with(constant.result)
        module.verify()
        return module


@st.composite
def layers(draw: st.DrawFn, kind: str, direction: str) -> Layer:
    steps, batch = draw(st.integers(1, 4)), draw(st.integers(1, 3))
    short = st.lists(st.integers(0, steps + 1), min_size=batch, max_size=batch)
    return Layer(
        kind,
        direction,
        steps,
        batch,
        draw(st.integers(1, 3)),
        draw(st.integers(1, 5)),
        tuple(draw(st.sampled_from(rnn.ACTIVATIONS)) for _ in range(FUNCTIONS[kind])),
        draw(st.sampled_from((0.0, 0.5))),
        kind == "gru" and draw(st.booleans()),
        tuple(draw(st.one_of(st.just([steps] * batch), short))),
        draw(st.booleans()),
        draw(st.integers(0, 99)),
    )


def check(ours: Sequence[Array], expected: Sequence[Array], form: str) -> None:
    assert len(ours) == len(expected)
    for mine, theirs in zip(ours, expected, strict=True):
        assert (mine.dtype, mine.shape) == (theirs.dtype, theirs.shape), form
        np.testing.assert_allclose(mine, theirs, rtol=1e-5, atol=1e-5, err_msg=form)


def compiled(module: ModuleOp, feeds: Sequence[Sequence[Array]]) -> list[list[Array]]:
    request = compile_model(module).create_infer_request()
    found: list[list[Array]] = []
    for feed in feeds:
        results = request.infer(list(feed))
        found.append([np.array(results[i]) for i in range(len(results))])
    return found


@pytest.mark.parametrize("direction", rnn.DIRECTIONS)
@pytest.mark.parametrize("kind", GATES)
def test_forms_agree(kind: str, direction: str):
    @settings(max_examples=4)
    @given(
        layer=layers(kind, direction),
        whole=st.sampled_from([*WHOLE_FORMS]),
        streaming=st.sampled_from([*STREAMING_FORMS]),
    )
    def agree(layer: Layer, whole: str, streaming: str):
        """All of them in the reference, one of each kind as it is compiled."""
        arrays = layer.arrays()
        expected = Executor(layer.module()).run(arrays)
        for form, pipeline in WHOLE_FORMS.items():
            module = layer.module()
            run_passes(module, pipeline)
            names = {op.name for op in module.walk()}
            assert form == "sequence" or not any(name.endswith("_sequence") for name in names)
            assert ("infra.tensor_iterator" in names) == ("iterator" in form)
            check(Executor(module).run(arrays), expected, form)
            if form == whole:
                (results,) = compiled(module, [arrays])
                check(results, expected, f"compiled {form}")
        if layer.direction != "forward" or not layer.covered:
            return
        for form, pipeline in STREAMING_FORMS.items():
            module = replace(layer, steps=1).module()
            run_passes(module, pipeline)
            assert not any(
                isinstance(op, infra.IteratorOp | rnn.SequenceOp) for op in module.walk()
            )
            x, *rest = arrays
            feeds = [[x[:, step : step + 1], *rest] for step in range(layer.steps)]
            executor = Executor(module)
            ways = {"": [executor.run(feed) for feed in feeds]}
            if form == streaming:
                ways["compiled "] = compiled(module, feeds)
            for way, runs in ways.items():
                outputs = np.concatenate([run[0] for run in runs], axis=2)
                check([outputs, *runs[-1][1:]], expected, f"{way}{form}")

    agree()
