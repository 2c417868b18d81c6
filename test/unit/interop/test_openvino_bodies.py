"""Iterators, loops, branches and states of OpenVINO mean here what they mean to its CPU plugin in f32."""

from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np
import openvino as ov
import openvino.opset3 as opset3
import openvino.opset15 as opset
import pytest

from lowstream import read_model
from lowstream.dialects import infra
from lowstream.dialects.inferred import friendly_name
from lowstream.reference.executor import Executor
from lowstream.test.unit.interop.nodes import AXES, constant, noise
from lowstream.test.unit.interop.openvino_models import assert_agrees, model_of, parameter, save


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


def test_if_of_a_scalar_and_a_vector(tmp_path: Path):
    """OpenVINO makes such branches of ONNX's, as of the suppression of Faster R-CNN."""
    condition, x = parameter(dtype=np.bool_), parameter(2, name="x")
    branch: Any = opset.if_op(condition)
    body = parameter(2, name="a")
    then, other = opset.result(constant(np.float32(7))), opset.result(opset.relu(body))
    branch.set_then_body(model_of([then], []))
    branch.set_else_body(model_of([other], [body]))
    branch.set_input(x.output(0), None, body)
    path = save(tmp_path, [branch.set_output(then, other)], [condition, x])
    assert_agrees(path, [np.array(False), noise(2)])
    (taken,) = Executor(read_model(path).module).run([np.array(True), noise(2)])
    np.testing.assert_array_equal(taken, np.array([7], np.float32))


def test_if_of_scalars(tmp_path: Path):
    """They stay scalars."""
    condition = parameter(dtype=np.bool_)
    branch: Any = opset.if_op(condition)
    then, other = (opset.result(constant(np.float32(number))) for number in (7, 8))
    branch.set_then_body(model_of([then], []))
    branch.set_else_body(model_of([other], []))
    path = save(tmp_path, [branch.set_output(then, other)], [condition])
    assert_agrees(path, [np.array(True)], [np.array(False)])


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


def test_what_is_assigned_goes_on(tmp_path: Path):
    """An Assign gives its operand, which other operations may use; OpenVINO reads that, and cannot compile it."""
    x = parameter(1, 4)
    total, assign = remember(x, [constant(noise(1, 4))], 6)
    path = save(tmp_path, [opset.relu(assign), opset.relu(total)], [x], [assign])
    executor = Executor(read_model(path).module)
    for step in range(3):
        after, before = executor.run([noise(1, 4, seed=step)])
        np.testing.assert_array_equal(after, before)


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
