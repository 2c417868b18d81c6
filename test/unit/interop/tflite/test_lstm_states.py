"""LSTMs whose states go on from call to call, as TensorFlow's converter writes them, with all they may have."""

from collections.abc import Sequence
from typing import Any

import numpy as np
import pytest
from ai_edge_litert.interpreter import Interpreter, OpResolverType
from xdsl.utils.exceptions import DiagnosticException

import lowstream
from lowstream.interop.tflite import tflite_bytes, tflite_module
from lowstream.passes.nn_to_tfl.tensors import TensorQuantization
from lowstream.reference.arrays import Array
from lowstream.reference.executor import Executor
from lowstream.test.unit.interop.tflite.graph import Graph, Operator, Subgraph, Tensor
from lowstream.test.unit.interop.tflite.lstm_forms import (
    BATCH,
    CELLS,
    INPUTS,
    OPTIONS,
    PROJECTED,
    SEQUENCES,
    STEPS,
    Options,
    Weights,
)
from lowstream.test.unit.interop.tflite.serialize import parse, serialize
from lowstream.test.unit.interop.tflite.test_recurrent import noise

TANH, RELU = 4, 1


class Operands(Weights):
    """The operands of a builtin; of noise that now and then reaches the clips."""

    def __init__(self, x: Tensor):
        self.tensors: list[Tensor | None] = [x]

    def add(self, *shape: int, present: bool = True, scale: float = 1.0) -> None:
        array = noise(*shape, seed=len(self.tensors)) * np.float32(scale) if present else None
        self.tensors.append(None if array is None else Tensor(shape, "float32", data=array))

    def add_states(self, o: Options) -> None:
        for size in (o.outputs, CELLS):
            name = f"state{len(self.tensors)}"
            self.tensors.append(Tensor((BATCH, size), "float32", name, variable=True))


def options_of(o: Options, **more: Any) -> dict[str, Any]:
    activation = TANH if o.activation == "TANH" else RELU
    clips = {"cellClip": o.cell_clip, "projClip": o.proj_clip}
    return {"fusedActivationFunction": activation, **clips, **more}


def file_of(builtin: str, operands: Operands, shapes: Sequence[Any], options: Any) -> bytes:
    x = operands.tensors[0]
    assert x is not None
    outputs = [Tensor(tuple(shape), "float32") for shape in shapes]
    op = Operator(builtin, operands.tensors, outputs, options)
    return serialize(Graph([Subgraph("main", [x], outputs, [op])]))


def check(data: bytes, calls: int = 4, codes: int | None = None) -> None:
    """LiteRT, the reference and the compiled model, call by call."""
    module = tflite_module(data)
    reference, request = Executor(module), lowstream.compile_model(module).create_infer_request()
    kernels = OpResolverType.BUILTIN_WITHOUT_DEFAULT_DELEGATES
    interpreter: Any = Interpreter(model_content=data, experimental_op_resolver_type=kernels)
    interpreter.allocate_tensors()
    (taken,) = interpreter.get_input_details()
    seen: list[Array] = []
    for call in range(calls):
        x = noise(*taken["shape"], seed=call)
        if codes is not None:
            x = np.clip(np.rint(x * 40), -128, 127).astype(np.int8)
        interpreter.set_tensor(taken["index"], x)
        interpreter.invoke()
        found = [interpreter.get_tensor(d["index"]) for d in interpreter.get_output_details()]
        seen += found
        for ours in (reference.run([x]), list(request.infer([x]))):
            for mine, theirs in zip(ours, found, strict=True):
                assert mine.dtype == theirs.dtype
                if codes is None:
                    np.testing.assert_allclose(mine, theirs, rtol=1e-5, atol=1e-5)
                else:
                    assert np.abs(mine.astype(int) - theirs).max() <= codes
    assert len(np.unique(np.concatenate([each.reshape(-1) for each in seen]))) > 2


@pytest.mark.parametrize("name", SEQUENCES)
def test_a_sequence(name: str):
    o = SEQUENCES[name]
    lead = (STEPS, BATCH) if o.time_major else (BATCH, STEPS)
    operands = Operands(Tensor((*lead, INPUTS), "float32"))
    operands.add_weights(o)
    operands.add_states(o)
    operands.add_norms(o)
    more = {"timeMajor": o.time_major, "diagonalRecurrentTensors": o.diagonal}
    shape = (*lead, o.outputs)
    check(file_of("UNIDIRECTIONAL_SEQUENCE_LSTM", operands, [shape], options_of(o, **more)))


@pytest.mark.parametrize("name", OPTIONS)
def test_one_step(name: str):
    o, operands = OPTIONS[name], Operands(Tensor((BATCH, INPUTS), "float32"))
    operands.add_weights(o)
    operands.add_states(o)
    operands.add_norms(o)
    check(file_of("LSTM", operands, [(BATCH, o.outputs)], options_of(o)))


@pytest.mark.parametrize("name", [name for name, o in OPTIONS.items() if not o.normalized])
def test_both_directions(name: str):
    o, operands = OPTIONS[name], Operands(Tensor((BATCH, STEPS, INPUTS), "float32"))
    for _ in range(2):
        operands.add_weights(o)
    for _ in range(2):
        operands.add_states(o)
    operands.tensors += [None] * 9
    shapes = [(BATCH, STEPS, o.outputs)] * 2
    options = options_of(o, timeMajor=False, mergeOutputs=False)
    check(file_of("BIDIRECTIONAL_SEQUENCE_LSTM", operands, shapes, options))


def test_the_clip_is_written_back():
    o, operands = OPTIONS["cell_clip"], Operands(Tensor((BATCH, STEPS, INPUTS), "float32"))
    operands.add_weights(o)
    operands.add_states(o)
    operands.add_norms(o)
    shape = (BATCH, STEPS, o.outputs)
    options = options_of(o, timeMajor=False)
    module = tflite_module(file_of("UNIDIRECTIONAL_SEQUENCE_LSTM", operands, [shape], options))
    written = tflite_bytes(module)
    (op,) = (op for op in parse(written).subgraphs[0].operators if "LSTM" in op.builtin)
    assert op.options["cellClip"] == o.cell_clip
    check(written)


# --- integers -------------------------------------------------------------------------------

X = TensorQuantization((1 / 40,), (0,))
SYMMETRIC = 1 / 127


def codes_of(array: Array, element: str, scale: float) -> Tensor:
    codes = np.rint(array / scale).clip(-(2**31), 2**31 - 1).astype(element)
    return Tensor(array.shape, element, data=codes, quantization=TensorQuantization((scale,), (0,)))


def weights_in_codes(projected: bool, peephole: bool, bias_scale: float) -> list[Tensor | None]:
    """Operands 1 to 17: of inputs, of states, peepholes, biases and the projection; what there is not is None."""
    outputs = PROJECTED if projected else CELLS
    weights: list[Tensor | None] = [
        codes_of(noise(CELLS, INPUTS, seed=i).clip(-1, 1), "int8", SYMMETRIC) for i in range(4)
    ]
    weights += [
        codes_of(noise(CELLS, outputs, seed=4 + i).clip(-1, 1), "int8", SYMMETRIC) for i in range(4)
    ]
    peepholes = [codes_of(noise(CELLS, seed=20 + i).clip(-1, 1), "int16", 2**-15) for i in range(3)]
    weights += peepholes if peephole else [None] * 3
    weights += [codes_of(noise(CELLS, seed=8 + i), "int32", bias_scale) for i in range(4)]
    if projected:
        weights.append(codes_of(noise(PROJECTED, CELLS, seed=12).clip(-1, 1), "int8", SYMMETRIC))
        weights.append(codes_of(noise(PROJECTED, seed=13), "int32", SYMMETRIC / 128))
    else:
        weights += [None] * 2
    return weights


def in_integers(
    projected: bool,
    cell_clip: float,
    cell_scale: float,
    peephole: bool = False,
    normalized: bool = False,
) -> bytes:
    """An LSTM of LiteRT's 8x8_16; weights and states in codes."""
    outputs = PROJECTED if projected else CELLS
    state = TensorQuantization((1.5 / 128,), (4,))
    hidden = TensorQuantization((1 / 128,), (-3,)) if projected else state
    x = Tensor((BATCH, STEPS, INPUTS), "int8", quantization=X)
    norms = [codes_of(1 + noise(CELLS, seed=30 + i) / 8, "int16", 2**-14) for i in range(4)]
    bias_scale = 2**-24 if normalized else SYMMETRIC / 40
    weights = weights_in_codes(projected, peephole, bias_scale)
    states: list[Tensor | None] = [
        Tensor((BATCH, outputs), "int8", "h", quantization=state, variable=True),
        Tensor(
            (BATCH, CELLS),
            "int16",
            "c",
            quantization=TensorQuantization((cell_scale,), (0,)),
            variable=True,
        ),
    ]
    gates = [
        Tensor(
            (), "int16", quantization=TensorQuantization((2**-11 if normalized else 2**-12,), (0,))
        )
        for _ in range(4)
    ]
    y = Tensor((BATCH, STEPS, outputs), "int8", quantization=state)
    options = {"fusedActivationFunction": TANH, "cellClip": cell_clip, "timeMajor": False}
    op = Operator(
        "UNIDIRECTIONAL_SEQUENCE_LSTM",
        [x, *weights, *states, *(norms if normalized else [None] * 4)],
        [y],
        options,
        [*gates, Tensor((), "int8", quantization=hidden)],
    )
    return serialize(Graph([Subgraph("main", [x], [y], [op])]))


@pytest.mark.parametrize("projected", [False, True])
@pytest.mark.parametrize(("cell_clip", "cell_scale"), [(0.0, 2**-11), (0.7, 2**-12), (0.0, 2**-15)])
def test_in_integers(projected: bool, cell_clip: float, cell_scale: float):
    """The last cell state of the three saturates at 1."""
    check(in_integers(projected, cell_clip, cell_scale), calls=20, codes=1)


@pytest.mark.parametrize(
    ("projected", "peephole", "normalized"),
    [(False, True, False), (False, False, True), (False, True, True), (True, False, True)],
)
def test_peepholes_and_normalization_in_integers(projected: bool, peephole: bool, normalized: bool):
    check(in_integers(projected, 0.0, 2**-11, peephole, normalized), calls=5, codes=1)


def test_peepholes_beside_a_projection_are_refused_in_integers():
    """LiteRT 2.3.0 takes the number of outputs for that of cells."""
    with pytest.raises(DiagnosticException, match="peepholes beside a projection"):
        tflite_module(in_integers(True, 0.0, 2**-11, peephole=True))
