"""Weights as packed codes in blocks: what they are, and what is refused."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from onnx import ModelProto, TensorProto
from xdsl.utils.exceptions import DiagnosticException

from lowstream import compile_model, read_model
from lowstream.test.unit.interop.onnx.graphs import FLOAT, Array, check, node, random
from lowstream.test.unit.interop.onnx.test_runtime_operators import codes, of_runtime


@pytest.mark.parametrize("bits", [4, 8])
@pytest.mark.parametrize("points", ["none", "packed", "numbers"])
@pytest.mark.parametrize(("depth", "block"), [(32, 16), (40, 16)])
def test_weights_in_blocks(bits: int, points: str, depth: int, block: int):
    if bits == 8 and points == "numbers":
        points = "packed"  # ONNX Runtime has no others for 8 bits
    blocks, rows = -(-depth // block), 5
    given = {"none": "", "packed": "p", "numbers": "n"}[points]
    each = node("MatMulNBits", f"x w s {given}", "y", K=depth, N=rows, bits=bits, block_size=block)
    constants = {
        "w": codes(rows, blocks, block * bits // 8),
        "s": np.abs(random(rows * blocks)) * 0.02 + 0.01,
        "p": codes(rows * -(-blocks * bits // 8)),
        "n": random(rows, blocks) + 8,
    }
    ports = {"x": (FLOAT, [2, 3, depth])}
    proto = of_runtime(each, inputs=ports, outputs="y", constants=constants)
    check(proto, {"x": random(2, 3, depth)}, 1e-4)


def test_codes_of_four_bits_are_the_default():
    constants = {"w": codes(5, 2, 8), "s": random(10)}
    each = node("MatMulNBits", "x w s", "y", K=32, N=5, block_size=16)
    ports = {"x": (FLOAT, [2, 32])}
    check(
        of_runtime(each, inputs=ports, outputs="y", constants=constants), {"x": random(2, 32)}, 1e-4
    )


def test_rows_of_blocks_of_128_along_dimension_1_are_the_default():
    constants = {"t": codes(6, 128), "s": random(6, 2)}
    each = node("GatherBlockQuantized", "t i s", "y")
    ports = {"i": (TensorProto.INT64, [3])}
    proto = of_runtime(each, inputs=ports, outputs="y", constants=constants)
    check(proto, {"i": np.array([4, 1, 5])}, 1e-4)


@pytest.mark.parametrize("kind", [0, 1])
@pytest.mark.parametrize(("rows", "depth", "block"), [(12, 64, 16), (5, 24, 32), (3, 15, 16)])
def test_codes_that_choose_among_numbers(kind: int, rows: int, depth: int, block: int):
    """Blocks may end within a row, and the last one early."""
    count = rows * depth
    flags = {"K": depth, "N": rows, "block_size": block, "quant_type": kind}
    constants = {
        "w": codes(-(-count // 2)),
        "s": np.abs(random(-(-count // block))) + 0.1,
    }
    ports = {"x": (FLOAT, [2, 3, depth])}
    each = node("MatMulBnb4", "x w s", "y", **flags)
    check(
        of_runtime(each, inputs=ports, outputs="y", constants=constants),
        {"x": random(2, 3, depth)},
        1e-4,
    )


ROWS, DEPTH, BLOCK = 5, 40, 16


def product(given: dict[str, Array], depth: int = DEPTH, **attributes: int) -> ModelProto:
    """`MatMulNBits` of 5 rows of 40 codes, 3 blocks of 16 of them."""
    constants: dict[str, Array] = {"w": codes(ROWS, 3, 8), "s": random(ROWS, 3), **given}
    names = " ".join(name if name in constants else "-" for name in "wszgb")
    sizes = {"K": DEPTH, "N": ROWS, "bits": 4, "block_size": BLOCK}
    each = node("MatMulNBits", f"x {names}", "y", **{**sizes, **attributes})
    types = {"x": (FLOAT, [2, depth])}
    return of_runtime(each, inputs=types, outputs="y", constants=constants)


GROUPS = np.random.default_rng(3).permutation(np.arange(DEPTH) // BLOCK).astype(np.int32)


@pytest.mark.parametrize("points", ["none", "numbers"])
def test_columns_that_are_sorted_into_other_blocks(points: str):
    """Weights stay packed: the columns of what they multiply are sorted instead."""
    given = {"g": GROUPS, **({"z": random(ROWS, 3) + 8} if points == "numbers" else {})}
    proto = product(given)
    check(proto, {"x": random(2, DEPTH)}, 1e-4)
    assert "ui4" in str(read_model(proto).module)


def test_groups_behind_the_last_column_are_padding():
    given: dict[str, Array] = {"w": codes(ROWS, 3, 8), "s": random(ROWS, 3)}
    x, padded = random(2, DEPTH), np.concatenate([GROUPS, np.zeros(8, np.int32)])
    wanted, result = (
        compile_model(read_model(product({**given, "g": groups})))([x])["y"]
        for groups in (GROUPS, padded)
    )
    np.testing.assert_array_equal(result, wanted)


@pytest.mark.parametrize("order", [np.arange(DEPTH, dtype=np.int32) // BLOCK, GROUPS])
def test_zero_points_in_codes_belong_to_groups(order: Array):
    """ONNX Runtime 1.31 takes others, even where the groups are the blocks."""
    weights, points, scales = codes(ROWS, 3, 8), codes(ROWS, 2), random(ROWS, 3)
    x = random(2, DEPTH)
    values, zeros = (
        np.stack([packed & 15, packed >> 4], -1).reshape(ROWS, -1) for packed in (weights, points)
    )
    whole = values[:, :DEPTH] - zeros[:, order].astype(np.float32)
    proto = product({"w": weights, "s": scales, "z": points, "g": order})
    result = compile_model(read_model(proto)).create_infer_request().infer({"x": x})[0]
    np.testing.assert_allclose(np.asarray(result), x @ (whole * scales[:, order]).T, 1e-4, 1e-4)


HALVES = np.ones((ROWS, 3), np.float16)
REFUSED: dict[str, tuple[dict[str, Any], dict[str, Any], str]] = {
    "codes": ({"w": codes(3, ROWS, 8)}, {}, "codes (input 1) have shape [3, 5, 8], and not [5, 3"),
    "signed": ({"w": codes(ROWS, 3, 8).view(np.int8)}, {}, "codes are packed in elements of i8"),
    "scales": ({"s": random(3, ROWS)}, {}, "scales (input 2) have shape [3, 5], and not [5, 3]"),
    "integers": ({"s": HALVES.astype(np.int32)}, {}, "scales (input 2) are of i32; convert"),
    "points": ({"z": codes(ROWS, 3)}, {}, "zero points (input 3) have shape [5, 3], and not [5, 2"),
    "floats": (
        {"z": random(ROWS, 2)},
        {},
        "zero points (input 3) have shape [5, 2], and not [5, 3",
    ),
    "booleans": ({"z": HALVES.astype(bool)}, {}, "zero points (input 3) are of i1; convert"),
    "groups": ({"g": np.zeros(DEPTH, np.int32)}, {}, "its groups (input 4) must be constants, 16"),
    "bias": ({"b": random(1, ROWS)}, {}, "a bias (input 5) has shape [1, 5], and not [5]"),
    "no rows": ({}, {"N": 0}, "N is 0, K 40 and block_size 16; use whole bytes of 4 bits"),
    "no depth": ({}, {"K": 0}, "N is 5, K 0 and block_size 16; use whole bytes of 4 bits"),
    "no block": ({}, {"block_size": 0}, "block_size 0; use whole bytes of 4 bits"),
    "odd block": ({}, {"block_size": 15}, "block_size 15; use whole bytes of 4 bits"),
}


@pytest.mark.parametrize("case", REFUSED)
def test_what_does_not_fit(case: str):
    """Each of these is refused by ONNX Runtime, too."""
    given, attributes, message = REFUSED[case]
    with pytest.raises(DiagnosticException) as raised:
        read_model(product(given, **attributes))
    assert "com.microsoft.MatMulNBits 'y': " in str(raised.value)
    assert message in str(raised.value)


def test_integers_that_are_multiplied():
    proto = product({})
    proto.graph.input[0].type.tensor_type.elem_type = TensorProto.INT32
    with pytest.raises(DiagnosticException, match="'y': input 0 is of i32; convert it to a float"):
        read_model(proto)
