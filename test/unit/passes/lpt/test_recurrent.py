"""
Trained recurrent layers in 8 bits: what they say of 50 samples, whichever way they are written.

`trained.npz` holds W, R and B of an LSTM and two GRUs of 24 units (`gru_linear` resets behind the product).
They were taught with Adam, 1500 batches of 32 such signals, to tell the sine of drifting pitch from noise.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path

import numpy as np
import pytest
from xdsl.dialects import func
from xdsl.dialects.builtin import BoolAttr, IntegerAttr, ModuleOp, StringAttr, TensorType, f32, i64
from xdsl.ir import Block, Operation, Region, SSAValue
from xdsl.rewriter import InsertPoint, Rewriter

from lowstream import compile_model
from lowstream.dialects import infra, nn, qnn, rnn
from lowstream.dialects.elements import bits_of
from lowstream.dialects.inferred import NAME, shape_of, tensor
from lowstream.dialects.module import entry_of
from lowstream.passes.pipeline import run_passes
from lowstream.reference.arrays import Array, blob_of
from lowstream.reference.executor import Executor

TRAINED = Path(__file__).parent / "trained.npz"
KINDS = ("lstm", "gru", "gru_linear")
STEPS, BATCH, UNITS = 50, 2, 24
LOUDEST = 2.0  # what samples are clipped to
TOLERANCE = 1e-2

ORDERS = ("low-latency2,lpt", "lpt,low-latency2")


def samples() -> Array:
    """What the layers listen to: a sine of drifting pitch, once loud and once low, in noise."""
    random = np.random.default_rng(123)
    drift = np.cumsum(random.normal(0, 0.01, (BATCH, STEPS)), axis=1)
    pitch = np.clip(random.uniform(0.1, 0.6, (BATCH, 1)) + drift, 0.05, 0.8)
    clean = random.uniform(0.4, 0.9, (BATCH, 1)) * np.sin(np.cumsum(pitch, axis=1))
    both = np.stack([clean, 0.5 * clean], axis=-1) + random.normal(0, 0.3, (BATCH, STEPS, 2))
    return np.clip(both, -LOUDEST, LOUDEST).astype(np.float32)


def rounded(weights: Array) -> Array:
    """What codes of 8 bits, with a scale for each row, keep of weights."""
    scale = abs(weights).max(axis=-1, keepdims=True) / np.float32(127)
    return np.rint(weights / scale) * scale


def quantized(value: SSAValue, high: Array | float) -> list[Operation]:
    """FakeQuantize to 255 levels, and its constants before it."""
    ends = [nn.ConstantOp(blob_of(np.asarray(sign * high, np.float32))) for sign in (-1, 1)]
    return [*ends, qnn.FakeQuantizeOp.of(value, *ends, *ends, levels=IntegerAttr(255, i64))]


@dataclass(frozen=True)
class Layer:
    """
    A trained layer over a sequence. With `low`, W and R are quantized, and X where `low_data` says so, too; W and R are
    rounded anyway.
    """

    kind: str
    low: bool = True
    steps: int = STEPS
    low_data: bool = True

    def module(self) -> ModuleOp:
        block = Block(arg_types=[TensorType(f32, [BATCH, self.steps, 2])])
        x: SSAValue = block.args[0]
        if self.low_data:
            x = self._quantized(block, x, LOUDEST)
        w, r, b = (np.load(TRAINED)[f"{self.kind}.{name}"][None] for name in "wrb")
        state = _add(block, nn.ConstantOp(blob_of(np.zeros((BATCH, 1, UNITS), np.float32))))
        lengths = _add(block, nn.ConstantOp(blob_of(np.full(BATCH, self.steps, np.int64))))
        weights = [
            self._quantized(
                block,
                _add(block, nn.ConstantOp(blob_of(rounded(array)))),
                abs(array).max(axis=-1, keepdims=True),
            )
            for array in (w, r)
        ]
        operands = [lengths, *weights, _add(block, nn.ConstantOp(blob_of(b)))]
        size = IntegerAttr(UNITS, i64)
        if self.kind == "lstm":
            layer = rnn.LstmSequenceOp.of(x, state, state, *operands, hidden_size=size)
        else:
            linear = BoolAttr.from_bool(self.kind == "gru_linear")
            layer = rnn.GruSequenceOp.of(
                x, state, *operands, hidden_size=size, linear_before_reset=linear
            )
        layer.attributes[NAME] = StringAttr("S")
        y = _add(block, layer)
        block.add_op(func.ReturnOp(y))
        types = ([block.args[0].type], [y.type])
        module = ModuleOp([func.FuncOp("main", types, Region(block))])
        module.verify()
        return module

    def _quantized(self, block: Block, value: SSAValue, high: Array | float) -> SSAValue:
        if self.low:
            for op in quantized(value, high):
                value = _add(block, op)
        return value


def _add(block: Block, op: Operation) -> SSAValue:
    block.add_op(op)
    return op.results[0]


def quantize_hidden(module: ModuleOp) -> None:
    """Gives every cell's H a FakeQuantize of its own, in the recursion."""
    for cell in list(module.walk()):
        if isinstance(cell, rnn.CellOp):
            new = quantized(cell.operands[1], 1.0)
            Rewriter.insert_op(new, InsertPoint.before(cell))
            cell.operands[1] = new[-1].results[0]


def told(module: ModuleOp, compiled: bool) -> Array:
    """The hidden states after each sample, of a module for the whole sequence or for one step."""
    x = samples()
    _, length, _ = shape_of(entry_of(module).body.block.args[0])
    frames = [x[:, start : start + length] for start in range(0, STEPS, length)]
    if not compiled:
        executor = Executor(module)
        return np.concatenate([executor.run([frame])[0] for frame in frames], axis=2)
    request = compile_model(module, profiling=True).create_infer_request()
    found = np.concatenate([np.array(request.infer([frame])[0]) for frame in frames], axis=2)
    products = [entry for entry in request.profiling_info if entry.node_type == "MatMul"]
    assert products
    assert all(entry.exec_type.endswith("_I8") for entry in products)
    return found


def check(module: ModuleOp, expected: Sequence[Array]) -> None:
    products = [op for op in module.walk() if isinstance(op, nn.MatMulOp)]
    assert products
    assert not any(isinstance(op, rnn.CellOp | rnn.SequenceOp) for op in module.walk())
    for product in products:
        assert all(bits_of(tensor(value).element_type) == 8 for value in product.operands)
    for compiled in (False, True):
        found = told(module, compiled)
        for wanted in expected:
            assert np.max(abs(found - wanted)) < TOLERANCE


@pytest.mark.parametrize("written_as", ["sequence", "iterator"])
@pytest.mark.parametrize("kind", KINDS)
def test_a_trained_layer_says_the_same_in_8_bits(kind: str, written_as: str):
    layer = Layer(kind)
    expected = [told(each.module(), False) for each in (layer, replace(layer, low=False))]
    module = layer.module()
    run_passes(module, "lpt" if written_as == "sequence" else "lower-sequences,lpt")
    check(module, expected)


@pytest.mark.parametrize("kind", KINDS)
def test_what_the_model_does_not_round_stays_as_fine(kind: str):
    module = Layer(kind).module()
    expected = told(module, False)
    run_passes(module, "lower-sequences,unroll-loops,lpt")
    assert not any(isinstance(op, rnn.CellOp) for op in module.walk())
    assert np.max(abs(told(module, False) - expected)) < 2e-4


@pytest.mark.parametrize("kind", KINDS)
def test_hidden_states_have_codes_beside_data_in_floating_point(kind: str):
    module = Layer(kind, steps=5, low_data=False).module()
    x = samples()[:, :5]
    (expected,) = Executor(module).run([x])
    run_passes(module, "lpt")
    assert np.max(abs(Executor(module).run([x])[0] - expected)) < 2e-4
    products = [op for op in module.walk() if isinstance(op, nn.MatMulOp)]
    low = [op for op in products if bits_of(tensor(op.a).element_type) == 8]
    assert (len(products), len(low)) == {"lstm": (3, 2), "gru": (6, 4), "gru_linear": (6, 4)}[kind]
    once = str(module)
    run_passes(module, "lpt")
    assert str(module) == once


@pytest.mark.parametrize("order", ORDERS)
@pytest.mark.parametrize("kind", KINDS)
def test_a_trained_layer_says_the_same_step_by_step(kind: str, order: str):
    whole = Layer(kind)
    expected = [told(each.module(), False) for each in (whole, replace(whole, low=False))]
    module = replace(whole, steps=1).module()
    run_passes(module, order)
    assert not any(isinstance(op, infra.IteratorOp | rnn.SequenceOp) for op in module.walk())
    check(module, expected)


@pytest.mark.parametrize("kind", KINDS)
def test_a_hidden_state_that_is_quantized_keeps_its_grid(kind: str):
    module = Layer(kind).module()
    run_passes(module, "lower-sequences")
    quantize_hidden(module)
    expected = told(module, False)
    run_passes(module, "lpt")
    check(module, [expected])
    (iterator,) = (op for op in module.walk() if isinstance(op, infra.IteratorOp))
    per_step = {"lstm": 2, "gru": 5, "gru_linear": 4}
    inner = [op for op in iterator.walk() if isinstance(op, nn.MatMulOp)]
    assert len(inner) == per_step[kind]


def test_quantized_layers_run_in_8_bits_unasked():
    module = Layer("lstm").module()
    request = compile_model(module, profiling=True).create_infer_request()
    found = np.array(request.infer([samples()])[0])
    assert np.max(abs(found - told(module, False))) < TOLERANCE
    counted = [e for e in request.profiling_info if e.node_type == "MatMul"]
    assert len(counted) == 3
    assert all(e.exec_type.endswith("_I8") for e in counted)
