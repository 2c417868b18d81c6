"""An .xml read here is the module that OpenVINO's own reader leads to, whatever its text leaves open."""

from __future__ import annotations

import gc
import re
from collections.abc import Callable, Sequence
from pathlib import Path
from random import Random
from typing import Any
from xml.etree import ElementTree

import numpy as np
import openvino as ov
import openvino.opset1 as opset1
import openvino.opset15 as opset
import pytest
from xdsl.dialects.builtin import f16, f32, i32, i64

from lowstream import read_model
from lowstream.dialects import nn
from lowstream.dialects.tensor_types import typed
from lowstream.interop.openvino.ir_file import IrModel, Layer
from lowstream.test.unit.interop.nodes import AXES, constant, noise
from lowstream.test.unit.interop.openvino_models import (
    assert_alike,
    model_of,
    parameter,
    save,
)
from lowstream.test.unit.interop.test_openvino_bodies import (
    remember,
    test_if,
    test_loop,
    test_tensor_iterator_with_every_port,
)


def states(folder: Path) -> None:
    x = parameter(1, 4)
    result, assign = remember(x, [constant(noise(1, 4))], 6)
    save(folder, [opset.relu(assign), result], [x], [assign])


BODIES: dict[str, Callable[[Path], None]] = {
    "iterator": test_tensor_iterator_with_every_port,
    "loop": lambda folder: test_loop(folder, True),
    "if": test_if,
    "states": states,
}


@pytest.mark.parametrize("case", BODIES)
@pytest.mark.parametrize("seed", range(3))
def test_bodies_with_layers_in_any_order(tmp_path: Path, case: str, seed: int):
    BODIES[case](tmp_path)
    random, root = Random(seed), ElementTree.parse(path := tmp_path / "model.xml").getroot()
    for name in ("layers", "edges", "port_map", "then_port_map", "back_edges"):
        for parent in root.iter(name):
            parent[:] = random.sample(list(parent), len(parent))
    path.write_bytes(ElementTree.tostring(root))
    assert_alike(path)


def chain(folder: Path) -> Path:
    x = parameter(2, 4)
    total = opset.add(opset.relu(x, name="r"), constant(noise(2, 4)), name="s")
    parts = opset.split(total, constant(1, AXES), 2, name="p")
    return save(
        folder,
        [parts.output(1), opset.topk(total, constant(2, AXES), 1, "max", "none").output(1)],
        [x],
    )


EDITS: dict[str, Sequence[tuple[str, str]]] = {
    "names with commas": [('names="x"', 'names="a\\,b,c"')],
    "names of results": [('output_names="[^"]*"', 'output_names="first"')],
    "no names": [(' (output_)?names="[^"]*"', "")],
    "another input": [('shape="2,4"', 'shape="5,4"')],
    "a range": [('shape="2,4"', 'shape="1..8,4"')],
    "a range of one size": [('shape="2,4"', 'shape="[2..2, 4]"')],
    "an unknown size": [('shape="2,4"', 'shape="?,-1"')],
    "stale sizes": [("<dim>2</dim>", "<dim>3</dim>")],
    "legacy spelling": [('type="ReLU"', 'type="relu"'), ('type="Add"', 'type="add"')],
}


@pytest.mark.parametrize("case", EDITS)
def test_what_somebody_edited(tmp_path: Path, case: str):
    path = chain(tmp_path)
    text = path.read_text()
    # The constant would not fit other rows.
    if "shape" in EDITS[case][0][0]:
        text = text.replace(
            'shape="2, 4" offset="0" size="32"', 'shape="1, 4" offset="0" size="16"'
        )
    for pattern, replacement in EDITS[case]:
        assert re.search(pattern, text)
        text = re.sub(pattern, lambda _, new=replacement: new, text)
    path.write_text(text)
    assert_alike(path)


LEFT_AWAY: dict[str, tuple[Callable[[Any], Any], Sequence[str]]] = {
    "convolution": (
        lambda x: opset.convolution(x, constant(noise(2, 3, 1, 1)), [1, 1], [0, 0], [0, 0], [1, 1]),
        ["strides", "pads_begin", "pads_end", "dilations", "auto_pad"],
    ),
    "transposed convolution": (
        lambda x: opset.convolution_backprop_data(x, constant(noise(3, 2, 2, 2)), [1, 1]),
        ["pads_begin", "pads_end", "dilations", "output_padding", "auto_pad"],
    ),
    "pool": (
        lambda x: opset.max_pool(x, [1, 1], [1, 1], [0, 0], [0, 0], [2, 2]),
        [
            "strides",
            "pads_begin",
            "pads_end",
            "dilations",
            "rounding_type",
            "axis",
            "index_element_type",
        ],
    ),
    "shuffle": (lambda x: opset.shuffle_channels(x, 1, 1), ["axis", "group"]),
    "slice": (
        lambda x: opset.strided_slice(
            x,
            *(constant(n, AXES) for n in ([0, 0], [1, 1], [1, 1])),
            begin_mask=[0, 0],
            end_mask=[0, 0],
        ),
        ["new_axis_mask", "shrink_axis_mask", "ellipsis_mask"],
    ),
    "interpolate": (
        lambda x: opset1.interpolate(
            x, constant([4, 4], AXES), {"axes": [2, 3], "mode": "nearest", "align_corners": True}
        ),
        ["align_corners", "pads_begin", "pads_end"],
    ),
}


@pytest.mark.parametrize("case", LEFT_AWAY)
def test_attributes_that_files_leave_away(tmp_path: Path, case: str):
    build, attributes = LEFT_AWAY[case]
    x = parameter(1, 3, 4, 4)
    path = save(tmp_path, build(x).outputs()[:1], [x])
    whole = read_model(path).module
    text = path.read_text()
    for name in attributes:
        text = re.sub(f' {name}="[^"]*"', "", text)
    path.write_text(text)
    assert read_model(path).module.is_structurally_equivalent(whole)


def test_axes_of_the_first_normalization(tmp_path: Path):
    """`MVN-1` in files of OpenVINO's older converter has no axes."""
    import openvino.opset2 as opset2

    x = parameter(1, 3, 4, 4)
    path = save(tmp_path, [opset2.mvn(x, False, True, 0.5)], [x])
    text, whole = path.read_text(), read_model(path).module
    assert 'reduction_axes="2, 3"' in text
    path.write_text(text.replace(' reduction_axes="2, 3"', ""))
    assert read_model(path).module.is_structurally_equivalent(whole)


def test_version_10_has_other_types_outside(tmp_path: Path):
    """As OpenVINO's older interface had: f16 is given as f32, i64 taken as i32, and other types as f32."""
    x, n = parameter(2, 4, dtype=np.float16, name="x"), parameter(2, 4, dtype=np.int64, name="n")
    wide = opset.add(n, n, name="sum")
    path = save(tmp_path, [opset.relu(x, name="r"), wide, opset.convert(n, "u8", name="c")], [x, n])
    text = path.read_text()
    path.write_text(
        re.sub(' output_names="[^"]*"', "", text.replace('version="11"', 'version="10"'))
    )
    model, theirs = read_model(path), read_model(ov.Core().read_model(path))
    for ours, other in zip(
        model.inputs + model.outputs, theirs.inputs + theirs.outputs, strict=True
    ):
        assert (ours.names, ours.type) == (other.names, other.type)
    assert [port.type.element_type for port in model.inputs + model.outputs] == [
        f32,
        i64,
        f32,
        i32,
        f32,
    ]
    (inner,) = (op for op in model.module.walk() if isinstance(op, nn.ReluOp))
    assert inner.result.type == typed(f16, (2, 4))


def test_constants_are_views_of_the_file(tmp_path: Path):
    """Which several may share; what nothing needs is not asked for."""
    x, weights = parameter(64, 64), constant(noise(64, 64))
    path = save(tmp_path, [opset.matmul(x, weights, False, False), opset.add(x, weights)], [x])
    data = path.with_suffix(".bin")
    found = [
        op.value.data for op in read_model(path).module.walk() if isinstance(op, nn.ConstantOp)
    ]
    assert [bytes(blob.buffer) for blob in found] == [data.read_bytes()]
    assert all(memoryview(blob.buffer).readonly for blob in found)
    relu = model_of([opset.result(opset.relu(x))], [x])
    ov.save_model(relu, path)
    data.unlink()
    assert read_model(path).outputs[0].shape == (64, 64)


@pytest.mark.parametrize("kind", BODIES)
def test_nothing_is_left_of_what_was_read(tmp_path: Path, kind: str):
    """Without a garbage collector, which rests while models are compiled."""
    BODIES[kind](tmp_path)
    gc.collect()
    gc.disable()
    try:
        read_model(tmp_path / "model.xml")
        assert not any(isinstance(each, IrModel | Layer) for each in gc.get_objects())
    finally:
        gc.enable()
