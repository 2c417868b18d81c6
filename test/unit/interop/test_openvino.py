"""OpenVINO IR means here what it means to OpenVINO: its CPU plugin in f32 is the judge."""

import gc
import re
import sys
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt
import openvino as ov
import openvino.opset1 as opset1
import openvino.opset2 as opset2
import openvino.opset3 as opset3
import openvino.opset15 as opset
import pytest
from network_operations import NETWORK_OPERATIONS
from nodes import AXES, Array, constant, noise

from lowstream import Model, read_model
from lowstream.dialects import infra, nn
from lowstream.dialects.inferred import friendly_name
from lowstream.interop.mlir import SourceError
from lowstream.interop.openvino.graph import module_of, operation_classes
from lowstream.reference.arrays import array_of
from lowstream.reference.executor import Executor


def parameter(*shape: int, dtype: npt.DTypeLike = np.float32, name: str = "x") -> Any:
    node = opset.parameter(list(shape), dtype)
    node.set_friendly_name(name)
    node.output(0).set_names({name})
    return node


def model_of(results: Sequence[Any], inputs: Sequence[Any], sinks: Sequence[Any] = ()) -> Any:
    build: Any = ov.Model
    return build(list(results), list(sinks), list(inputs), "model")


def save(
    folder: Path, outputs: Sequence[Any], inputs: Sequence[Any], sinks: Sequence[Any] = ()
) -> Path:
    results = [opset.result(output) for output in outputs]
    model = model_of(results, inputs, sinks)
    ov.save_model(model, folder / "model.xml", compress_to_fp16=False)
    return folder / "model.xml"


def assert_agrees(path: Path, *steps: Sequence[Array], atol: float = 2e-6) -> Model:
    """The reference executor gives OpenVINO's results, step by step."""
    model = read_model(path)
    executor = Executor(model.module)
    request = ov.compile_model(
        path, "CPU", {"INFERENCE_PRECISION_HINT": "f32"}
    ).create_infer_request()
    for inputs in steps:
        theirs, ours = request.infer(list(inputs)), executor.run(list(inputs))
        for i, array in enumerate(ours):
            assert array.dtype == theirs[i].dtype
            np.testing.assert_allclose(array, theirs[i], rtol=0, atol=atol)
    return model


# --- operations -----------------------------------------------------------------------------


def cell(
    build: Callable[..., Any], gates: int, bias: int, *states: Any, **attributes: Any
) -> Callable[[Any], Any]:
    """A cell over x [2, 4] with hidden size 3."""
    weights = [noise(gates * 3, 4, seed=1), noise(gates * 3, 3, seed=2), noise(bias * 3, seed=3)]
    return lambda x: build(x, *states, *map(constant, weights), 3, **attributes)


def sequence(
    build: Callable[..., Any], gates: int, states: int, ways: int = 1, **attributes: Any
) -> Callable[[Any], Any]:
    """A sequence of 3 steps over x [2, 4]; the second batch entry ends after 2."""

    def over(x: Any) -> Any:
        steps = opset.multiply(opset.unsqueeze(x, constant([1], AXES)), constant(noise(3, 1)))
        initial = [constant(noise(2, ways, 3, seed=seed)) for seed in range(states)]
        shapes = ((ways, gates * 3, 4), (ways, gates * 3, 3), (ways, gates * 3))
        weights = [constant(noise(*shape, seed=i)) for i, shape in enumerate(shapes)]
        return build(steps, *initial, constant([3, 2], np.int32), *weights, 3, **attributes)

    return over


def positive(x: Any) -> Any:
    return opset.greater(x, constant(0))


def halves(x: Any) -> Any:
    """Multiples of 1/2, which round to either side."""
    return opset.divide(opset.floor(opset.multiply(x, constant(4))), constant(2))


H, C = constant(noise(2, 3, seed=4)), constant(noise(2, 3, seed=5))
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
    "elu": lambda x: opset.elu(x, 1.5),
    "hard_sigmoid": lambda x: opset.hard_sigmoid(x, constant(0.4), constant(0.3)),
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
    "squeeze/1": lambda x: opset1.squeeze(opset.reshape(x, constant([2, 1, 4], AXES), False), constant([1], AXES)),
    "unsqueeze": lambda x: opset.unsqueeze(x, constant([0, 3], AXES)),
    "shape_of": lambda x: opset.shape_of(x, "i32"),
    "shape_of/1": lambda x: opset1.shape_of(x),
    "broadcast": lambda x: opset.broadcast(x, constant([3, 2, 4], AXES)),
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
    "lstm_cell": cell(opset.lstm_cell, 4, 4, H, C),
    "lstm_cell/1": cell(opset1.lstm_cell, 4, 4, H, C, clip=0.5),
    "gru_cell": cell(opset.gru_cell, 3, 3, H),
    "gru_cell/linear": cell(opset.gru_cell, 3, 4, H, linear_before_reset=True),
    "lstm_sequence": sequence(opset.lstm_sequence, 4, 2, direction="forward"),
    "lstm_sequence/both": sequence(opset.lstm_sequence, 4, 2, 2, direction="bidirectional"),
    "gru_sequence": sequence(opset.gru_sequence, 3, 1, direction="reverse"),
    "rnn_sequence": sequence(opset.rnn_sequence, 1, 1, direction="forward"),
    **NETWORK_OPERATIONS,
    "rnn_cell": cell(opset.rnn_cell, 1, 1, H, activations=["relu"], activations_alpha=[], activations_beta=[]),
}  # fmt: skip


@pytest.mark.parametrize("name", OPERATIONS)
def test_operation(tmp_path: Path, name: str):
    x = parameter(2, 4)
    node = OPERATIONS[name](x)
    path = save(tmp_path, node if isinstance(node, list) else node.outputs(), [x])
    tolerance = 1e-5 if name in NETWORK_OPERATIONS else 2e-6
    assert_agrees(path, [noise(2, 4, seed=7) * 2], atol=tolerance)


def test_every_tensor_operation_is_tried():
    """What a dialect gains is held against OpenVINO too; `dequantize` is none of its operations."""
    names = {op.name.partition(".")[2] for op in operation_classes().values()}
    assert names - {"dequantize"} == {case.partition("/")[0] for case in OPERATIONS}


# --- constants ------------------------------------------------------------------------------

TYPES = {
    "f64": np.float64, "f32": np.float32, "f16": np.float16, "i64": np.int64, "i32": np.int32, "i16": np.int16,
    "i8": np.int8, "u64": np.uint64, "u32": np.uint32, "u16": np.uint16, "u8": np.uint8, "boolean": np.bool_,
    "bf16": np.float32, "i4": np.int8, "u4": np.uint8,
}  # fmt: skip


@pytest.mark.parametrize("element", TYPES)
@pytest.mark.parametrize("shape", [(3, 3), (), (0, 2)], ids=str)
def test_constants_of_every_type(tmp_path: Path, element: str, shape: tuple[int, ...]):
    values = (np.arange(np.prod(shape)) % 8).reshape(shape)
    if element not in ("boolean", "u4") and not element.startswith("u"):
        values = values - 4
    node = opset.constant(values.astype(TYPES[element]), getattr(ov.Type, element))
    model = read_model(save(tmp_path, [node], []))
    (found,) = (op for op in model.module.walk() if isinstance(op, nn.ConstantOp))
    array = array_of(found.value)
    assert array.dtype == TYPES[element]
    np.testing.assert_array_equal(array, values.astype(TYPES[element]))


def test_one_repeated_element_is_a_splat(tmp_path: Path):
    outputs = [constant(np.full((2, 9), 1.5)), constant(np.arange(18))]
    model = read_model(save(tmp_path, outputs, []))
    splats = [op.value.data.splat for op in model.module.walk() if isinstance(op, nn.ConstantOp)]
    assert sorted(splats) == [False, True]


def test_constants_are_views_that_outlive_the_model():
    values = noise(64, 64)
    node = constant(values)
    model = model_of([opset.result(node)], [])
    module = module_of(model)
    (found,) = (op for op in module.walk() if isinstance(op, nn.ConstantOp))
    array = array_of(found.value)
    assert np.shares_memory(array, node.data)
    del model, node
    gc.collect()
    np.testing.assert_array_equal(array, values)


# --- iteration ------------------------------------------------------------------------------


def test_tensor_iterator_with_every_port(tmp_path: Path):
    """Body parameters lie in another order than the ports; the ports' order is kept."""
    x, scale = parameter(2, 3, 4, name="x"), parameter(2, 1, 4, name="scale")
    by_scale, state, backward, forward = (
        parameter(2, *shape, name=name)
        for name, shape in (("S", (1, 4)), ("H", (4,)), ("B", (1, 4)), ("F", (1, 4)))
    )
    mixed = opset.multiply(opset.subtract(forward, opset.tanh(backward)), by_scale)
    next_state = opset.add(state, opset.squeeze(mixed, constant([1], AXES)))
    each = opset.unsqueeze(next_state, constant([1], AXES))
    results = [opset.result(node) for node in (each, next_state, mixed)]
    iterator = opset.tensor_iterator()
    iterator.set_friendly_name("TI")
    iterator.set_body(model_of(results, [by_scale, state, backward, forward]))
    iterator.set_sliced_input(forward, x.output(0), 0, 1, 1, -1, 1)
    iterator.set_invariant_input(by_scale, scale.output(0))
    iterator.set_sliced_input(backward, x.output(0), -1, -1, 1, 0, 1)
    iterator.set_merged_input(state, constant(noise(2, 4)).output(0), results[1].output(0))
    outputs = [
        iterator.get_iter_value(results[1].output(0), -1),
        iterator.get_concatenated_slices(results[0].output(0), 0, 1, 1, -1, 1),
        iterator.get_concatenated_slices(results[2].output(0), -1, -1, 1, 0, 1),
    ]
    path = save(tmp_path, outputs, [x, scale])
    model = assert_agrees(path, [noise(2, 3, 4, seed=1), noise(2, 1, 4, seed=2)])

    (op,) = (op for op in model.module.walk() if isinstance(op, infra.TensorIteratorOp))
    assert friendly_name(op) == "TI"
    assert [name.data for name in op.body_names] == ["F", "S", "B", "H"]
    assert [port.name for port in op.inputs] == [
        "infra.sliced",
        "infra.invariant",
        "infra.sliced",
        "infra.merged",
    ]
    assert isinstance(merged := op.inputs.data[3], infra.MergedAttr)
    assert merged.result.data == 1
    assert [port.name for port in op.outputs] == [
        "infra.iteration",
        "infra.concatenated",
        "infra.concatenated",
    ]


@pytest.mark.parametrize(
    ("start", "end", "stride", "part", "firsts"),
    [
        (0, -1, 1, 1, [0, 1, 2, 3, 4, 5]),
        (0, -1, 2, 2, [0, 2, 4]),
        (0, 0, 1, 1, [0]),
        (0, 3, 1, 1, [0, 1, 2, 3]),
        (1, 3, 1, 1, [1, 2, 3]),
        (1, -2, 1, 1, [1, 2, 3, 4]),
        (-3, -1, 1, 1, [3, 4, 5]),
        (5, 5, 1, 1, [5]),
        (-1, 0, -1, 1, [5, 4, 3, 2, 1, 0]),
        (-1, 2, -1, 1, [5, 4, 3, 2]),
        (4, 0, -1, 1, [4, 3, 2, 1, 0]),
        (-1, -3, -1, 1, [5, 4, 3]),
    ],
)
def test_borders_of_slices_are_counted_in(
    tmp_path: Path, start: int, end: int, stride: int, part: int, firsts: list[int]
):
    """As OpenVINO's shape inference counts them; its CPU plugin refuses or shifts most of these."""
    x, piece, state = parameter(6), parameter(part), parameter(1)
    digits = opset.add(
        opset.multiply(state, constant(10)), opset.slice(
            piece, constant([0], AXES), constant([1], AXES), constant([1], AXES), constant([0], AXES)
        ),
    )  # fmt: skip
    result = opset.result(digits)
    iterator = opset.tensor_iterator()
    iterator.set_body(model_of([result], [piece, state]))
    iterator.set_sliced_input(piece, x.output(0), start, stride, part, end, 0)
    iterator.set_merged_input(state, constant([0]).output(0), result.output(0))
    last = iterator.get_iter_value(result.output(0), -1)
    model = read_model(save(tmp_path, [last], [x]))
    assert iterator.get_num_iterations() == len(firsts)
    (found,) = Executor(model.module).run([np.arange(6, dtype=np.float32)])
    assert found == [int("".join(map(str, firsts)))]


@pytest.mark.parametrize("counted", [True, False])
def test_loop(tmp_path: Path, counted: bool):
    """`state = state * 2 + x + iteration` until it exceeds 40."""
    x, trips = parameter(1), parameter(dtype=np.int64, name="trips")
    step, state, i = parameter(1, name="X"), parameter(1, name="H"), parameter(dtype=np.int64)
    total = opset.add(opset.multiply(state, constant([2])), step)
    if counted:
        total = opset.add(total, opset.convert(i, "f32"))
    go_on = opset.reshape(opset.less(total, constant([40])), constant([], AXES), False)
    results = [opset.result(total), opset.result(go_on)]
    loop = opset.loop(trips, constant(True, np.bool_))
    loop.set_function(model_of(results, [i, state, step] if counted else [state, step]))
    loop.set_special_body_ports([0 if counted else -1, 1])
    loop.set_invariant_input(step, x.output(0))
    loop.set_merged_input(state, constant([1]).output(0), results[0].output(0))
    last = loop.get_iter_value(results[0].output(0), -1)
    every = loop.get_concatenated_slices(results[0].output(0), 0, 1, 1, -1, 0)
    path = save(tmp_path, [last, every], [x, trips])
    feeds = [[np.array([1], np.float32), np.array(n, np.int64)] for n in (1, 3, 100)]
    model = assert_agrees(path, *feeds)
    (op,) = (op for op in model.module.walk() if isinstance(op, infra.LoopOp))
    assert [name.data for name in op.body_names] == ["X", "H"]
    assert (op.current_iteration is not None) == counted


def test_if(tmp_path: Path):
    """The bodies take different inputs, in different orders."""
    condition, x, y, z = parameter(dtype=np.bool_), *(parameter(2, name=n) for n in "xyz")
    a, b, c, d = (parameter(2, name=name) for name in "abcd")
    then = [opset.result(opset.subtract(b, a)), opset.result(opset.relu(b))]
    other = [opset.result(opset.multiply(c, d)), opset.result(c)]
    branch: Any = opset.if_op(condition)
    branch.set_then_body(model_of(then, [a, b]))
    branch.set_else_body(model_of(other, [d, c]))
    branch.set_input(x.output(0), b, c)
    branch.set_input(y.output(0), a, None)
    branch.set_input(z.output(0), None, d)
    outputs = [branch.set_output(then[1], other[0]), branch.set_output(then[0], other[1])]
    path = save(tmp_path, outputs, [condition, x, y, z])
    arrays = [noise(2, seed=seed) for seed in range(3)]
    assert_agrees(path, [np.array(True), *arrays], [np.array(False), *arrays])


# --- states ---------------------------------------------------------------------------------


def remember(x: Any, initial: Sequence[Any], version: int) -> tuple[Any, Any]:
    """`memory += x`: the sum and the Assign."""
    if version == 3:
        total = opset.add(opset3.read_value(*initial, "memory"), x)
        return total, opset3.assign(total, "memory")
    info = ov.op.util.VariableInfo()
    info.variable_id, info.data_type = "memory", ov.Type.f32
    info.data_shape = ov.PartialShape([1, 4])
    variable = ov.op.util.Variable(info)
    read: Any = ov.op.read_value
    total = opset.add(read(*initial, variable), x)
    return total, ov.op.assign(total, variable)


@pytest.mark.parametrize(
    ("version", "initial"),
    [(3, [constant(noise(1, 4))]), (6, [constant(noise(1, 4))]), (6, [])],
    ids=["version 3", "version 6", "without an initial value"],
)
def test_states(tmp_path: Path, version: int, initial: Sequence[Any]):
    x = parameter(1, 4)
    total, assign = remember(x, initial, version)
    path = save(tmp_path, [total], [x], [assign])
    model = assert_agrees(path, *([noise(1, 4, seed=step)] for step in range(3)))
    assert list(infra.variables_of(model.entry)) == ["memory"]


# --- names ----------------------------------------------------------------------------------


def test_tensor_names(tmp_path: Path):
    """They are the names that OpenVINO gives, for an output those of the tensor that feeds it."""
    x, y = parameter(2, name="x"), parameter(2, name="y")
    x.output(0).set_names({"x", "image"})
    total = opset.add(x, y, name="total")
    total.output(0).set_names({"sum"})
    path = save(tmp_path, [total, x, opset.relu(y)], [x, y])
    model, theirs = read_model(path), ov.Core().read_model(path)
    for ours, port in zip(
        model.inputs + model.outputs, theirs.inputs + theirs.outputs, strict=True
    ):
        assert list(ours.names) == sorted(port.get_names())
    assert model.inputs[0].names == ("image", "x")
    assert model.outputs[0].names == ("sum",)
    assert "total" in {friendly_name(op) for op in model.module.walk()}


def test_friendly_names_where_tensors_have_none(tmp_path: Path):
    """Unless another port has that name."""
    x, y, z = parameter(2, name="x"), parameter(2, name="y"), parameter(2, name="z")
    parts = opset.split(opset.add(x, opset.add(y, z)), constant(0, AXES), 2, name="parts")
    path = save(tmp_path, [parts.output(1), opset.relu(z, name="last")], [x, y, z])
    text = re.sub(' (output_)?names="[^z"]*"', "", path.read_text())
    path.write_text(text.replace('names="z"', 'names="y"'))
    model = read_model(path)
    assert [port.names for port in model.inputs] == [("x",), (), ("y",)]
    assert [port.names for port in model.outputs] == [("parts.1",), ("last",)]


def test_unknown_dimensions(tmp_path: Path):
    x = opset.parameter(ov.PartialShape("?,1..8,3"), np.float32)
    model = assert_agrees(save(tmp_path, [opset.relu(x)], [x]), [noise(2, 5, 3)])
    assert model.inputs[0].shape == (-1, -1, 3)
    assert model.outputs[0].dtype == np.float32


# --- what cannot be read --------------------------------------------------------------------


UNSUPPORTED = {
    "operation": (
        lambda x: opset.cosh(x, name="c"),
        ("", ""),
        "Cosh (opset1) 'c': this operation is not supported",
    ),
    "attribute": (
        lambda x: opset.divide(x, x, name="d"),
        ('m_pythondiv="true"', 'm_pythondiv="false"'),
        "Divide (opset1) 'd': attribute m_pythondiv = False is not supported, only True",
    ),
    "attribute's value": (
        lambda x: opset.multiply(x, x, name="m"),
        ('auto_broadcast="numpy"', 'auto_broadcast="pdpd"'),
        "Multiply (opset1) 'm': attribute auto_broadcast.auto_broadcast_axis = 0 is not supported",
    ),
    "gate order": (
        cell(opset1.lstm_cell, 4, 4, H, C, name="cell"),
        ('weights_format="fico"', 'weights_format="ifco"'),
        "LSTMCell (opset1) 'cell': attribute weights_format = 'ifco' is not supported, only 'fico'",
    ),
    "coupled gates": (
        cell(opset1.lstm_cell, 4, 4, H, C, name="cell"),
        ('input_forget="false"', 'input_forget="true"'),
        "LSTMCell (opset1) 'cell': attribute input_forget = True is not supported, only False",
    ),
    "indices": (
        lambda x: opset.add(
            opset.max_pool(
                opset.reshape(x, constant([1, 2, 4], AXES), False),
                [2],
                [1],
                [0],
                [0],
                [2],
                name="p",
            ).output(1),
            constant(1, AXES),
        ),
        ("", ""),
        "MaxPool (opset14) 'p': its indices (output 1) are used, which is not supported",
    ),
    "element type": (
        lambda x: opset.add(opset.convert(opset.constant([1], ov.Type.nf4, name="k"), "f32"), x),
        ("", ""),
        "Constant (opset1) 'k': element type nf4 is not supported; supported are ",
    ),
    "quantization": (
        lambda x: opset.fake_quantize(
            x, constant(1), constant(0), constant(0), constant(1), 256, name="fq"
        ),
        ("", ""),
        "qnn.fake_quantize 'fq': input interval [1, 0] gives a scale that is not positive; ",
    ),
}


@pytest.mark.parametrize("case", UNSUPPORTED)
def test_what_cannot_be_said_is_one_line(tmp_path: Path, case: str):
    build, (old, new), message = UNSUPPORTED[case]
    x = parameter(2, 4)
    path = save(tmp_path, build(x).outputs(), [x])
    text = path.read_text()
    assert old in text
    path.write_text(text.replace(old, new))
    with pytest.raises(SourceError) as error:
        read_model(path)
    assert str(error.value).startswith(f"{path}: error: {message}")
    assert "\n" not in str(error.value)


def test_unknown_rank_is_one_line(tmp_path: Path):
    x = opset.parameter(ov.PartialShape.dynamic(), np.float32)
    x.set_friendly_name("x")
    path = save(tmp_path, [opset.relu(x)], [x])
    with pytest.raises(SourceError, match="'x': the number of dimensions is unknown"):
        read_model(path)


@pytest.fixture
def weighted(tmp_path: Path) -> Path:
    x = parameter(2, 4)
    return save(tmp_path, [opset.matmul(x, constant(noise(4, 5)), False, False)], [x])


def test_missing_weights(weighted: Path):
    weights = weighted.with_suffix(".bin")
    weights.unlink()
    with pytest.raises(SourceError) as error:
        read_model(weighted)
    assert str(error.value).startswith(f"{weights}: error: no such file")


def test_truncated_weights(weighted: Path):
    weights = weighted.with_suffix(".bin")
    weights.write_bytes(weights.read_bytes()[:-1])
    with pytest.raises(SourceError) as error:
        read_model(weighted)
    assert str(error.value).startswith(f"{weights}: error: shorter than model.xml says")


@pytest.mark.parametrize("length", [0, 3, 400, 1500])
def test_truncated_text(weighted: Path, length: int):
    text = weighted.read_bytes()
    assert len(text) > length
    weighted.write_bytes(text[:length])
    with pytest.raises(SourceError) as error:
        read_model(weighted)
    assert str(error.value).startswith(f"{weighted}: error: not ")
    assert "\n" not in str(error.value)


def test_missing_file(tmp_path: Path):
    with pytest.raises(FileNotFoundError, match=r"nothing\.xml"):
        read_model(tmp_path / "nothing.xml")


def test_without_openvino(weighted: Path, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setitem(sys.modules, "openvino", None)
    with pytest.raises(SourceError, match=r"pip install 'lowstream\[openvino\]'"):
        read_model(weighted)
