"""LiteRT's LSTMs with what they have beside gates, written, run and read again."""

from collections.abc import Sequence

import numpy as np
import pytest
from xdsl.dialects.builtin import ModuleOp

from lowstream.interop.tflite import tflite_module
from lowstream.reference.arrays import Array
from lowstream.reference.executor import Executor
from lowstream.test.unit.interop.tflite.interpreter import LiteRt
from lowstream.test.unit.interop.tflite.lstm_forms import (
    BATCH,
    CELLS,
    INPUTS,
    OPTIONS,
    SEQUENCES,
    STEPS,
    Options,
    Weights,
)
from lowstream.test.unit.interop.tflite.test_recurrent import close, noise, parsed


class Operands(Weights):
    """The operands of an operation, as arguments of a function where they are present."""

    def __init__(self):
        self.names: list[str] = []
        self.arrays: list[Array] = []

    def add(self, *shape: int, present: bool = True, scale: float = 1.0) -> None:
        if present:
            self.arrays.append(noise(*shape, seed=len(self.arrays)) * np.float32(scale))
        self.names.append(f"%a{len(self.arrays) - 1}" if present else "%none")

    def add_states(self, o: Options) -> None:
        self.add(BATCH, o.outputs)
        self.add(BATCH, CELLS)

    @property
    def types(self) -> list[str]:
        sizes = ["x".join(map(str, array.shape)) for array in self.arrays]
        return [f"tensor<{size}xf32>" for size in sizes]

    def module(
        self, op: str, o: Options, properties: str, results: Sequence[str], end: str = ""
    ) -> ModuleOp:
        types = self.types
        arguments = ", ".join(f"%a{i}: {type}" for i, type in enumerate(types))
        given = (types[int(n[2:])] if n != "%none" else "none" for n in self.names)
        listed, values = ", ".join(results), ", ".join(f"%y{i}" for i in range(len(results)))
        return parsed(
            f"func.func @main({arguments}) -> ({listed}) {{\n"
            '%none = "tfl.no_value"() <{value}> : () -> none\n'
            f'{values} = "tfl.{op}"({", ".join(self.names)}) '
            f'<{{fused_activation_function = "{o.activation}", cell_clip = {o.cell_clip} : f32, '
            f"proj_clip = {o.proj_clip} : f32, asymmetric_quantize_inputs = false, {properties}}}>"
            f"{end} : ({', '.join(given)}) -> ({listed})\n"
            f"func.return {values} : {listed}\n}}"
        )


def check(module: ModuleOp, inputs: list[Array], builtin: str) -> None:
    expected = Executor(module).run(inputs)
    for delegated in (True, False):
        model = LiteRt(module, delegated)
        assert model.operators.count(builtin) == 1
        for _ in range(2):  # every call begins with the states that it is given
            close(model.run(inputs), expected)
    close(Executor(tflite_module(model.data)).run(inputs), expected)


@pytest.mark.parametrize("name", SEQUENCES)
def test_a_sequence(name: str):
    o, operands = SEQUENCES[name], Operands()
    lead = (STEPS, BATCH) if o.time_major else (BATCH, STEPS)
    operands.add(*lead, INPUTS)
    operands.add_weights(o)
    operands.add_states(o)
    operands.add_norms(o)
    properties = (
        f"time_major = {str(o.time_major).lower()}, "
        f"diagonal_recurrent_tensors = {str(o.diagonal).lower()}"
    )
    result = f"tensor<{lead[0]}x{lead[1]}x{o.outputs}xf32>"
    module = operands.module("unidirectional_sequence_lstm", o, properties, [result])
    check(module, operands.arrays, "UNIDIRECTIONAL_SEQUENCE_LSTM")


@pytest.mark.parametrize("name", OPTIONS)
def test_one_step(name: str):
    o, operands = OPTIONS[name], Operands()
    operands.add(BATCH, INPUTS)
    operands.add_weights(o)
    operands.add_states(o)
    operands.add_norms(o)
    kind = "kernel_type = #tfl<lstm_kernel_type_attr FULL>"
    result = f"tensor<{BATCH}x{o.outputs}xf32>"
    module = operands.module("lstm", o, kind, [result], end=" ({\n})")
    check(module, operands.arrays, "LSTM")


@pytest.mark.parametrize("merged", [False, True])
@pytest.mark.parametrize("name", [name for name, o in OPTIONS.items() if not o.normalized])
def test_both_directions(name: str, merged: bool):
    o, operands = OPTIONS[name], Operands()
    operands.add(BATCH, STEPS, INPUTS)
    operands.add_weights(o)
    operands.add_weights(o)
    operands.add_states(o)
    operands.add_states(o)
    for _ in range(9):  # no second input
        operands.add(present=False)
    properties = f"time_major = false, merge_outputs = {str(merged).lower()}"
    sizes = [2 * o.outputs if merged else o.outputs, o.outputs]
    results = [f"tensor<{BATCH}x{STEPS}x{size}xf32>" for size in sizes]
    module = operands.module("bidirectional_sequence_lstm", o, properties, results)
    check(module, operands.arrays, "BIDIRECTIONAL_SEQUENCE_LSTM")
