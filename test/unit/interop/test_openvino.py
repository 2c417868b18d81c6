"""Constants and names of OpenVINO IR."""

import gc
import re
from pathlib import Path

import numpy as np
import openvino as ov
import openvino.opset15 as opset
import pytest
from xdsl.dialects.builtin import BoolAttr
from xdsl.utils.exceptions import DiagnosticException

import lowstream
from lowstream import compile_model, read_model
from lowstream.dialects import nn
from lowstream.dialects.inferred import friendly_name
from lowstream.interop.openvino.graph import module_of
from lowstream.interop.openvino.nodes import properties_of
from lowstream.reference.arrays import array_of
from lowstream.test.unit.interop.nodes import AXES, constant, noise
from lowstream.test.unit.interop.openvino_models import assert_agrees, model_of, parameter, save

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


@pytest.mark.parametrize("element", ["u2", "u3", "nf4"])
@pytest.mark.parametrize("count", [16, 13])
def test_codes_that_only_constants_have(tmp_path: Path, element: str, count: int):
    """In a file and in memory."""
    raw = np.arange(0x10, 0x110, 0x22, dtype=np.uint8)[
        : {"u2": -(-count // 4), "u3": 6}.get(element, -(-count // 2))
    ]
    data = ov.Tensor(raw, ov.Shape([count]), getattr(ov.Type, element))
    numbers = opset.convert(ov.op.Constant(data), "f32")
    path = save(tmp_path, [numbers], [])
    (wanted,) = ov.Core().compile_model(path, "CPU")([]).values()
    for model in (path, ov.Core().read_model(path)):
        found = compile_model(read_model(model)).create_infer_request().infer([])[0]
        np.testing.assert_array_equal(found, wanted)


@pytest.mark.parametrize("type", [np.int8, np.uint8, np.int16])
def test_products_of_integers_are_integers_of_that_type(tmp_path: Path, type: type):
    """Sums beyond it wrap around."""
    x, y = parameter(2, 3, dtype=type), parameter(4, 3, dtype=type)
    path = save(tmp_path, [opset.matmul(x, y, False, True)], [x, y])
    left, right = np.arange(6).reshape(2, 3).astype(type), np.arange(12).reshape(4, 3).astype(type)
    (found,) = compile_model(path)([left, right * type(9)]).values()
    assert found.dtype == type
    np.testing.assert_array_equal(found, left @ (right * type(9)).T)


@pytest.mark.parametrize("right", ["i32", "f16", "u64"])
def test_types_are_promoted(tmp_path: Path, right: str):
    """Also of a constant, whose conversion is known as the model is read."""
    x = parameter(2, 4, dtype=np.int8)
    other = opset.constant([[2], [3]], getattr(ov.Type, right))
    promoted = opset.convert_promote_types(x, other, promote_unsafe=True)
    outputs = [promoted.output(1), opset.add(promoted.output(0), promoted.output(1))]
    path = save(tmp_path, outputs, [x])
    assert_agrees(path, [np.arange(8, dtype=np.int8).reshape(2, 4)])


def test_single_bits_lie_highest_first(tmp_path: Path):
    """As OpenVINO's Convert reads them."""
    packed = ov.Tensor(np.array([0b10110001, 0b01000000], np.uint8), ov.Shape([2, 5]), ov.Type.u1)
    bits = opset.convert(ov.op.Constant(packed), "f32")
    x = parameter(2, 5)
    assert_agrees(save(tmp_path, [opset.add(x, bits)], [x]), [np.zeros((2, 5), np.float32)])


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


def test_a_model_in_memory():
    x, weights = parameter(2, 3), noise(2, 3)
    model = model_of([opset.result(opset.add(x, constant(weights)))], [x])
    values = noise(2, 3)
    for compiled in (lowstream.compile_model(model), lowstream.compile_model(read_model(model))):
        np.testing.assert_array_equal(compiled({"x": values})[0], values + weights)
    with pytest.raises(
        DiagnosticException,
        match=r"Model is not a model of lowstream's; read it first: lowstream.read_model\(model\)$",
    ):
        lowstream.run_passes(model, "lpt")  # pyright: ignore[reportArgumentType]


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


def test_axes_that_a_model_computes_are_constants_and_sizes_follow_its_inputs():
    x = parameter(2, 3, 4, name="x")
    rank = opset.squeeze(opset.shape_of(opset.shape_of(x)), constant([0], np.int64))
    zero, one = (constant(n, np.int64) for n in (0, 1))
    axes = opset.range(one, rank, one, ov.Type.i64)
    batch = opset.gather(opset.shape_of(x), constant([0], np.int64), zero)
    target = opset.concat([batch, constant([-1], np.int64)], 0)
    y = opset.add(opset.reduce_sum(x, axes, keep_dims=False), constant(1.0))
    rows = opset.reshape(x, target, special_zero=False)
    model = read_model(model_of([opset.result(y), opset.result(rows)], [x]))
    names = [op.name for op in model.module.walk()]
    assert (names.count("nn.shape_of"), names.count("nn.range")) == (1, 0)
    model.reshape({"x": [5, 3, 4]})
    results = lowstream.compile_model(model).create_infer_request().infer({"x": np.ones((5, 3, 4))})
    np.testing.assert_array_equal(results[0], np.full(5, 13))
    assert np.asarray(results[1]).shape == (5, 12)


def test_equal_attributes_that_differ_stay_apart():
    """Python takes 0.0 and -0.0, and 1 and True, to be equal."""
    for alpha in (0.0, -0.0, 0.0):
        found = properties_of(nn.EluOp, {"alpha": alpha})["alpha"]
        assert str(found) == f"{alpha:.6e} : f64"
    for given, wanted in ((True, BoolAttr.from_bool(True)), (1, BoolAttr.from_bool(True))):
        assert properties_of(nn.MatMulOp, {"transpose_b": given})["transpose_b"] == wanted
