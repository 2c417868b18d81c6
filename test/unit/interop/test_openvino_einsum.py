"""Einsum of OpenVINO means here what it means to its CPU plugin in f32."""

from pathlib import Path

import numpy as np
import openvino as ov
import openvino.opset15 as opset
import pytest

from lowstream import read_model
from lowstream.interop.mlir import SourceError
from lowstream.test.unit.interop.nodes import noise
from lowstream.test.unit.interop.openvino_models import assert_agrees, parameter, save

SIZES = {"a": 2, "b": 3, "c": 4, "d": 5, "e": 2}


def shapes_of(equation: str, ellipsis: tuple[int, ...]) -> list[tuple[int, ...]]:
    """Shapes for the inputs, an ellipsis of which has these sizes."""
    return [
        tuple(
            size
            for part in term.replace("...", ".")
            for size in (ellipsis if part == "." else (SIZES[part],))
        )
        for term in equation.replace(" ", "").partition("->")[0].split(",")
    ]


@pytest.mark.parametrize(
    "equation",
    [
        "ab,bc->ac",
        "ab,cb->ac",
        "ab,bc",
        "abc,cd->abd",
        "abc,adc->abd",
        "acbd,aebd->abce",
        "abcd,cd->ab",
        "ab,ab->ab",
        "ab,ab->",
        "a,b->ab",
        "a,b->ba",
        "ab,c->bac",
        "abc,d->db",
        ",ab->ba",
        "abc->cab",
        "abc->b",
        "ab->ab",
        "ab,bc,cd->ad",
        "ab,ac,ad->bcd",
        "...ab,...bc->...ac",
        "...ab,bc->c...a",
        "a...b,ca->...bc",
        "...b,b",
    ],
)
def test_equations(tmp_path: Path, equation: str):
    shapes = shapes_of(equation, (2, 3))
    inputs = [parameter(*shape, name=f"x{i}") for i, shape in enumerate(shapes)]
    path = save(tmp_path, [opset.einsum(inputs, equation)], inputs)
    feeds = [noise(*shape, seed=i) for i, shape in enumerate(shapes)]
    model = assert_agrees(path, feeds, atol=1e-5)
    (port,) = model.outputs
    assert port.shape == opset.einsum(inputs, equation).shape


def test_an_ellipsis_of_fewer_dimensions_is_aligned_at_the_back(tmp_path: Path):
    shapes = [(5, 3, 2, 4), (3, 4, 2)]
    inputs = [parameter(*shape, name=f"x{i}") for i, shape in enumerate(shapes)]
    path = save(tmp_path, [opset.einsum(inputs, "...ab,...bc->...ac")], inputs)
    assert_agrees(path, [noise(*shape, seed=i) for i, shape in enumerate(shapes)], atol=1e-5)


def test_unknown_sizes(tmp_path: Path):
    x = opset.parameter(ov.PartialShape("?,3,?"), np.float32)
    y = opset.parameter(ov.PartialShape("?,?,2"), np.float32)
    path = save(tmp_path, [opset.einsum([x, y], "abc,acd->adb")], [x, y])
    assert_agrees(path, [noise(2, 3, 4), noise(2, 4, 2)], [noise(1, 3, 5), noise(1, 5, 2)])


@pytest.mark.parametrize(
    "equation", ["abc,cde->abde", "abcd,d->abc", "abcd,dce->aeb", "abcd,aecd->acbe"]
)
def test_unknown_sizes_that_are_put_together(tmp_path: Path, equation: str):
    """Where one size is unknown, it is what is left; where several are, they are computed."""
    shapes = shapes_of(equation, ())
    inputs = [opset.parameter(ov.PartialShape([-1] * len(shape)), np.float32) for shape in shapes]
    path = save(tmp_path, [opset.einsum(inputs, equation)], inputs)
    steps = [[noise(*(n * size for size in shape)) for shape in shapes] for n in (1, 2)]
    assert_agrees(path, *steps, atol=2e-5)


@pytest.mark.parametrize(
    ("shapes", "equation", "message"),
    [
        (
            ["3,?"],
            "aa->a",
            "takes the diagonal of dimensions [3, ?]; they must be known and equal",
        ),
    ],
)
def test_what_cannot_be_said_is_one_line(
    tmp_path: Path, shapes: list[str], equation: str, message: str
):
    inputs = [opset.parameter(ov.PartialShape(shape), np.float32) for shape in shapes]
    path = save(tmp_path, [opset.einsum(inputs, equation, name="e")], inputs)
    with pytest.raises(SourceError) as error:
        read_model(path)
    assert str(error.value) == f"{path}: error: Einsum (opset7) 'e': {message}"
