"""Each operation of OpenVINO means here what it means to its CPU plugin in f32."""

from collections.abc import Callable
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np
import openvino.opset1 as opset1
import openvino.opset2 as opset2
import openvino.opset15 as opset
import pytest

from lowstream import read_model, save_model
from lowstream.interop.openvino.nodes import operation_classes
from lowstream.reference.executor import Executor
from lowstream.test.unit.interop.algebra_operations import ALGEBRA_OPERATIONS
from lowstream.test.unit.interop.detection_operations import DETECTION_OPERATIONS
from lowstream.test.unit.interop.image_operations import IMAGE_OPERATIONS
from lowstream.test.unit.interop.index_operations import INDEX_OPERATIONS
from lowstream.test.unit.interop.nodes import AXES, Array, constant, noise
from lowstream.test.unit.interop.openvino_models import (
    F32,
    assert_alike,
    assert_near,
    core,
    model_of,
    parameter,
    save,
)
from lowstream.test.unit.interop.recurrent_nodes import C, H, cell, sequence
from lowstream.test.unit.interop.tensor_operations import TENSOR_OPERATIONS
from lowstream.test.unit.interop.window_operations import WINDOW_OPERATIONS


def positive(x: Any) -> Any:
    return opset.greater(x, constant(0))


def halves(x: Any) -> Any:
    """Multiples of 1/2, which round to either side."""
    return opset.divide(opset.floor(opset.multiply(x, constant(4))), constant(2))


OPERATIONS: dict[str, Callable[[Any], Any]] = {
    "relu": opset.relu,
    "sigmoid": opset.sigmoid,
    "tanh": opset.tanh,
    "clamp": lambda x: opset.clamp(x, -0.5, 1.0),
    "add": lambda x: opset.add(x, constant(noise(4))),
    "add/none": lambda x: opset.add(x, constant(noise(2, 4)), "none"),
    "subtract": lambda x: opset.subtract(x, constant(noise(2, 1))),
    "multiply": lambda x: opset.multiply(x, constant(3)),
    "divide": lambda x: opset.divide(x, constant(noise(2, 4))),
    "maximum": lambda x: opset.maximum(x, constant(0.25)),
    "minimum": lambda x: opset.minimum(x, constant(0.25)),
    "power": lambda x: opset.power(opset.absolute(x), constant(noise(2, 1))),
    "squared_difference": lambda x: opset.squared_difference(x, constant(noise(4))),
    "floor_mod": lambda x: opset.floor_mod(x, constant(0.75)),
    "exp": opset.exp,
    "log": lambda x: opset.log(opset.absolute(x)),
    "sqrt": lambda x: opset.sqrt(opset.absolute(x)),
    "erf": opset.erf,
    "abs": opset.absolute,
    "negative": opset.negative,
    "floor": opset.floor,
    "ceiling": opset.ceiling,
    "sign": opset.sign,
    "round": lambda x: opset.round(halves(x), "half_to_even"),
    "round/away": lambda x: opset.round(halves(x), "half_away_from_zero"),
    "p_relu": lambda x: opset.prelu(x, constant([0.5, -0.5, 2, 0])),
    "p_relu/scalar": lambda x: opset.prelu(x, constant([0.5])),
    "p_relu/broadcast": lambda x: opset.prelu(x, constant([[0.5], [0.25]])),
    "p_relu/last dimension": lambda x: opset.prelu(
        opset.reshape(x, constant([1, 2, 4], AXES), False), constant([0.5, -0.5, 2, 0])
    ),
    "p_relu/channels": lambda x: opset.prelu(
        opset.reshape(x, constant([1, 2, 4], AXES), False), constant([0.5, -0.5])
    ),
    "elu": lambda x: opset.elu(x, 1.5),
    "hard_sigmoid": lambda x: opset.hard_sigmoid(x, constant(0.4), constant(0.3)),
    "hsigmoid": lambda x: opset.hsigmoid(opset.multiply(x, constant(3))),
    "hswish": lambda x: opset.hswish(opset.multiply(x, constant(3))),
    "swish": opset.swish,
    "swish/beta": lambda x: opset.swish(x, constant(1.5)),
    "gelu": lambda x: opset.gelu(x, "erf"),
    "gelu/tanh": lambda x: opset.gelu(x, "tanh"),
    "gelu/2": opset2.gelu,
    "equal": lambda x: opset.equal(x, opset.relu(x)),
    "not_equal": lambda x: opset.not_equal(x, opset.relu(x)),
    "less": lambda x: opset.less(x, constant(noise(4))),
    "less_equal": lambda x: opset.less_equal(x, opset.relu(x)),
    "greater": lambda x: opset.greater(x, constant(noise(4))),
    "greater_equal": lambda x: opset.greater_equal(x, opset.relu(x)),
    "logical_and": lambda x: opset.logical_and(positive(x), opset.less(x, constant(1))),
    "logical_or": lambda x: opset.logical_or(positive(x), opset.less(x, constant(-1))),
    "logical_xor": lambda x: opset.logical_xor(positive(x), opset.less(x, constant(1))),
    "logical_not": lambda x: opset.logical_not(positive(x)),
    "select": lambda x: opset.select(positive(x), x, constant(noise(1, 4))),
    "convert": lambda x: opset.convert(x, "i32"),
    "mat_mul": lambda x: opset.matmul(x, constant(noise(5, 4)), False, True),
    "mat_mul/transposed": lambda x: opset.matmul(x, constant(noise(2, 5)), True, False),
    "reshape": lambda x: opset.reshape(x, constant([0, -1, 2], AXES), True),
    "squeeze": lambda x: opset.squeeze(opset.reshape(x, constant([2, 1, 4], AXES), False), constant([1], AXES)),
    "squeeze/none listed": lambda x: opset.squeeze(
        opset.reshape(x, constant([1, 2, 1, 4], AXES), False), constant([], AXES)
    ),
    "squeeze/1": lambda x: opset1.squeeze(opset.reshape(x, constant([2, 1, 4], AXES), False), constant([1], AXES)),
    "unsqueeze": lambda x: opset.unsqueeze(x, constant([0, 3], AXES)),
    "shape_of": lambda x: opset.shape_of(x, "i32"),
    "shape_of/1": lambda x: opset1.shape_of(x),
    "broadcast": lambda x: opset.broadcast(x, constant([3, 2, 4], AXES)),
    "broadcast/explicit": lambda x: opset.broadcast(
        x, constant([2, 3, 4], AXES), constant([0, 2], AXES), "explicit"
    ),
    "broadcast/1 explicit": lambda x: opset1.broadcast(
        x, constant([3, 2, 4], AXES), constant([1, 2], AXES), "explicit"
    ),
    "broadcast/explicit scalar": lambda x: opset.broadcast(
        opset.reduce_sum(x, constant([0, 1], AXES)), constant([3, 2], AXES), constant([], AXES), "explicit"
    ),
    "broadcast/explicit computed": lambda x: opset.broadcast(
        opset.reduce_sum(x, constant([0], AXES)), opset.shape_of(x), constant([1], AXES), "explicit"
    ),
    "broadcast/1": lambda x: opset1.broadcast(x, constant([3, 2, 4], AXES)),
    "split": lambda x: opset.split(x, constant(1, AXES), 2),
    "concat": lambda x: opset.concat([x, constant(noise(2, 1))], 1),
    "transpose": lambda x: opset.transpose(x, constant([1, 0], AXES)),
    "slice": lambda x: opset.slice(
        x, constant([0], AXES), constant([4], AXES), constant([2], AXES), constant([1], AXES)
    ),
    "fake_quantize": lambda x: opset.fake_quantize(
        x, constant([[-1], [-2]]), constant([[1], [2]]), constant([[-1], [-2]]), constant([[1], [2]]), 256
    ),
    "fake_quantize/one point": lambda x: opset.fake_quantize(
        x, constant(0.125), constant(0.125), constant([[-1], [2]]), constant([[1], [-2]]), 2
    ),
    "fake_quantize/a point and an interval": lambda x: opset.fake_quantize(
        x, constant([[0], [-0.5]]), constant([[0], [0.5]]), constant(-1), constant(1), 2
    ),
    "lstm_cell": cell(opset.lstm_cell, 4, 4, H, C),
    "lstm_cell/1": cell(opset1.lstm_cell, 4, 4, H, C, clip=0.5),
    "gru_cell": cell(opset.gru_cell, 3, 3, H),
    "gru_cell/linear": cell(opset.gru_cell, 3, 4, H, linear_before_reset=True),
    "lstm_sequence": sequence(opset.lstm_sequence, 4, 2, direction="forward"),
    "lstm_sequence/both": sequence(opset.lstm_sequence, 4, 2, 2, direction="bidirectional"),
    "gru_sequence": sequence(opset.gru_sequence, 3, 1, direction="reverse"),
    "rnn_sequence": sequence(opset.rnn_sequence, 1, 1, direction="forward"),
    **ALGEBRA_OPERATIONS,
    **DETECTION_OPERATIONS,
    **TENSOR_OPERATIONS,
    **WINDOW_OPERATIONS,
    **INDEX_OPERATIONS,
    **IMAGE_OPERATIONS,
    "rnn_cell": cell(opset.rnn_cell, 1, 1, H, activations=["relu"], activations_alpha=[], activations_beta=[]),
}  # fmt: skip


INPUT = noise(2, 4, seed=7) * 2

LONGER = {
    **TENSOR_OPERATIONS,
    **WINDOW_OPERATIONS,
    **INDEX_OPERATIONS,
    **IMAGE_OPERATIONS,
    **ALGEBRA_OPERATIONS,
}
"""Operations whose sums are longer, or whose functions OpenVINO approximates."""

COMPILED_TOGETHER = 32
"""How many operations are outputs of one model: OpenVINO takes 20 ms to compile any."""

WITHOUT_CACHE = {"CPU_RUNTIME_CACHE_CAPACITY": 0}
"""OpenVINO would take one deformable convolution for another, whose `bilinear_interpolation_pad` differs."""


def outputs_of(name: str, x: Any) -> list[Any]:
    node = OPERATIONS[name](x)
    return node if isinstance(node, list) else node.outputs()


@cache
def results_of_openvino(batch: int) -> dict[str, list[Array]]:
    """What OpenVINO gives for each operation of a batch."""
    x, names = parameter(2, 4), [*OPERATIONS][batch * COMPILED_TOGETHER :][:COMPILED_TOGETHER]
    outputs = {name: outputs_of(name, x) for name in names}
    results = [opset.result(output) for each in outputs.values() for output in each]
    compiled = core().compile_model(model_of(results, [x]), "CPU", F32 | WITHOUT_CACHE)
    given = iter(compiled.create_infer_request().infer([INPUT]).values())
    return {name: [np.array(next(given)) for _ in each] for name, each in outputs.items()}


@pytest.mark.parametrize(("number", "name"), [*enumerate(OPERATIONS)], ids=OPERATIONS)
def test_operation(tmp_path: Path, number: int, name: str):
    """The reference gives what OpenVINO does, also for what is written and read again."""
    x = parameter(2, 4)
    model = assert_alike(save(tmp_path, outputs_of(name, x), [x]))
    ours = Executor(model.module).run([INPUT])
    theirs = results_of_openvino(number // COMPILED_TOGETHER)[name]
    assert_near(ours, theirs, 1e-5 if name in LONGER else 2e-6)
    save_model(model, tmp_path / "again.xml")
    again = read_model(tmp_path / "again.xml")
    assert_near(Executor(again.module).run([INPUT]), ours, 1e-6)


def test_every_tensor_operation_is_tried():
    """
    What a dialect gains is held against OpenVINO too; `dequantize` is none of its operations, and its plugins have no
    kernel of `grouped_mat_mul`.
    """
    names = {op.name.partition(".")[2] for op in operation_classes().values()}
    assert names - {"dequantize", "grouped_mat_mul"} == {
        case.partition("/")[0] for case in OPERATIONS
    }
