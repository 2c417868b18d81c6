"""Products of codes around zero points that are computed, constant or both: exact, and of 8 bits as far as can be."""

import numpy as np
import pytest

from lowstream import compile_model, precision_report, read_model
from lowstream.test.unit.interop.narrow_weights import narrow_weights
from lowstream.test.unit.interop.onnx.graphs import FLOAT, UINT8, check, model, node, random

CODES = np.random.default_rng(1)
WEIGHTS = {
    "i8": narrow_weights(CODES, 2, 6, 5),
    "u8": CODES.integers(0, 256, (6, 5)).astype(np.uint8),
}
POINTS = {"i8": np.array(7, np.int8), "u8": CODES.integers(0, 256, 5).astype(np.uint8)}


def products(proto):
    """What products take."""
    rows = precision_report(read_model(proto))
    return [
        row["inputs"]
        for row in rows
        if row["type"] in ("MatMul", "Convolution", "GroupConvolution")
    ]


@pytest.mark.parametrize(("kind", "point"), [("i8", "-"), ("i8", "point"), ("u8", "point")])
def test_dynamically_quantized_matrices(kind: str, point: str):
    nodes = [
        node("DynamicQuantizeLinear", "x", "codes step start"),
        node("MatMulInteger", f"codes weights start {point}".replace(" -", ""), "sums"),
        node("Cast", "sums", "values", to=FLOAT),
        node("Mul", "values step", "product"),
    ]
    constants = {"weights": WEIGHTS[kind], "point": POINTS[kind]}
    proto = model(nodes, {"x": (FLOAT, [2, 3, 6])}, "product", constants)
    check(proto, {"x": random(2, 3, 6)})
    assert {one for inputs in products(proto) for one in inputs} == {"u8", "i8"}


def test_all_8_bits_are_exact():
    """ONNX Runtime's are not on every CPU."""
    codes, weights = np.full((2, 6), 255, np.uint8), np.full((6, 5), 127, np.int8)
    codes[1], weights[:, 2] = CODES.integers(0, 256, 6), -128
    nodes = [node("MatMulInteger", "codes weights", "sums")]
    proto = model(nodes, {"codes": (UINT8, [2, 6])}, "sums", {"weights": weights})
    (sums,) = compile_model(read_model(proto))([codes]).values()
    np.testing.assert_array_equal(sums, codes.astype(int) @ weights.astype(int))
    assert products(proto) == [["u8", "i8"]]


@pytest.mark.parametrize("group", [1, 2])
def test_dynamically_quantized_images(group: int):
    filters = narrow_weights(CODES, 4, 4 // group, 3, 3)
    nodes = [
        node("DynamicQuantizeLinear", "x", "codes step start"),
        node("ConvInteger", "codes filters start", "sums", pads=[1, 1, 0, 2], group=group),
        node("Cast", "sums", "values", to=FLOAT),
        node("Mul", "values step", "product"),
    ]
    proto = model(nodes, {"x": (FLOAT, [1, 4, 6, 5])}, "product", {"filters": filters})
    check(proto, {"x": random(1, 4, 6, 5)})
    assert products(proto) == [["u8", "i8"]]


@pytest.mark.parametrize("sizes", [[6, 5], ["h", "w"]], ids=["known", "unknown"])
@pytest.mark.parametrize(
    ("group", "padding"),
    [
        (1, {"pads": [1, 1, 0, 2], "strides": [2, 1]}),
        (2, {"pads": [1, 0, 2, 1], "dilations": [1, 2]}),
        (1, {"auto_pad": "SAME_LOWER", "strides": [2, 2]}),
        (4, {"auto_pad": "SAME_UPPER"}),
        (2, {"auto_pad": "VALID"}),
    ],
)
def test_both_zero_points_of_images(sizes, group, padding):
    """Codes of 8 bits are multiplied, but where pads depend on unknown sizes."""
    filters = CODES.integers(0, 256, (8, 4 // group, 3, 3)).astype(np.uint8)
    nodes = [
        node("DynamicQuantizeLinear", "x", "codes step start"),
        node("ConvInteger", "codes filters start point", "sums", group=group, **padding),
        node("Cast", "sums", "values", to=FLOAT),
        node("Mul", "values step", "product"),
    ]
    constants = {"filters": filters, "point": np.array(121, np.uint8)}
    proto = model(nodes, {"x": (FLOAT, [1, 4, *sizes])}, "product", constants)
    check(proto, {"x": random(1, 4, 6, 5)})
    if "h" not in sizes or not padding.get("auto_pad", "").startswith("SAME"):
        assert products(proto) == [["u8", "i8"]] * 2


def test_the_depth_of_one_matrix_is_enough():
    nodes = [
        node("DynamicQuantizeLinear", "x", "codes step start"),
        node("MatMulInteger", "codes weights start point", "sums"),
        node("Cast", "sums", "values", to=FLOAT),
        node("Mul", "values step", "product"),
    ]
    constants = {"weights": WEIGHTS["u8"], "point": POINTS["u8"]}
    proto = model(nodes, {"x": (FLOAT, ["rows", "depth"])}, "product", constants)
    check(proto, {"x": random(3, 6)})
    assert {one for inputs in products(proto) for one in inputs} == {"u8", "i8"}
