"""Operators of QONNX give what its documents say, element by element, and convolutions behind them run in 8 bits."""

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from onnx import ModelProto, NodeProto, helper
from xdsl.utils.exceptions import DiagnosticException

from lowstream import compile_model, precision_report, read_model, run_passes
from lowstream.interop.onnx.package import QONNX
from lowstream.test.unit.interop.onnx.graphs import FLOAT, Array, model, node, random

MODES: dict[str, Any] = {
    "ROUND": np.rint,
    "half_even": np.rint,
    "HALF_UP": lambda x: np.trunc(x + np.copysign(0.5, x)),
    "HALF_DOWN": lambda x: np.sign(x) * np.ceil(np.abs(x) - 0.5),
    "UP": lambda x: np.sign(x) * np.ceil(np.abs(x)),
    "DOWN": np.trunc,
    "FLOOR": np.floor,
    "CEIL": np.ceil,
}


def number(value: float) -> Array:
    return np.array(value, np.float32)


def of_qonnx(
    *nodes: NodeProto,
    inputs: Mapping[str, tuple[int, Sequence[int]]],
    constants: Mapping[str, Array],
    domain: str = QONNX[0],
) -> ModelProto:
    """A model whose Quant, BipolarQuant and Trunc are of the domain."""
    for each in nodes:
        each.domain = domain if each.op_type.endswith(("Quant", "Trunc", "Fancy")) else ""
    proto = model(nodes, inputs, "y", constants)
    proto.opset_import.append(helper.make_opsetid(domain, 1))
    return proto


def result_of(proto: ModelProto, **feeds: Array) -> Array:
    return np.asarray(compile_model(read_model(proto)).create_infer_request().infer(feeds)[0])


def limits_of(bits: int, signed: bool, narrow: bool) -> tuple[int, int]:
    least = -(2 ** (bits - 1)) + narrow if signed else 0
    return least, least + 2**bits - 1 - narrow


HALVES = np.arange(-40, 40, dtype=np.float32) / 2
"""All halves are ties, in steps of 1."""


@given(
    bits=st.sampled_from([2, 3, 4, 8, 12, 32]),
    signed=st.booleans(),
    narrow=st.booleans(),
    mode=st.sampled_from(list(MODES)),
    point=st.integers(-3, 3),
    scale=st.sampled_from([0.25, 1.0, 2.0]),
    domain=st.sampled_from(QONNX),
    is_constant=st.booleans(),
)
def test_quant(
    bits: int,
    signed: bool,
    narrow: bool,
    mode: str,
    point: int,
    scale: float,
    domain: str,
    is_constant: bool,
):
    """Scales are powers of two, so that quotients are exact, ties among them."""
    each = node("Quant", "x s z b", "y", signed=signed, narrow=narrow, rounding_mode=mode)
    parameters = {"s": number(scale), "z": number(point)}
    x = HALVES * np.float32(scale)
    proto = of_qonnx(
        each,
        inputs={"x": (FLOAT, [80])} | ({} if is_constant else {"s": (FLOAT, []), "z": (FLOAT, [])}),
        constants={"b": number(bits)} | (parameters if is_constant else {}),
        domain=domain,
    )
    code = MODES[mode](np.clip(x / scale + point, *limits_of(bits, signed, narrow)))
    given = result_of(proto, x=x, **({} if is_constant else parameters))
    np.testing.assert_array_equal(given, (code - point) * np.float32(scale))


@pytest.mark.parametrize(
    ("bits", "narrow", "point", "scale"),
    [
        (4, True, 1, 1.0),
        (4, True, 2, 1.0),
        (4, False, 1, 1.0),
        (8, False, 2, 1.0),
        (4, False, 0, -1.0),
    ],
    ids=["odd codes", "odd least code", "odd zero point", "all bytes", "negative scale"],
)
def test_ties_of_constant_intervals(bits: int, narrow: bool, point: int, scale: float):
    """Halves go to even codes, be they even steps from the least code, from the zero point, or from neither."""
    proto = of_qonnx(
        node("Quant", "x s z b", "y", narrow=narrow),
        inputs={"x": (FLOAT, [80])},
        constants={"s": number(scale), "z": number(point), "b": number(bits)},
    )
    code = np.rint(np.clip(HALVES / scale + point, *limits_of(bits, True, narrow)))
    np.testing.assert_array_equal(result_of(proto, x=HALVES), (code - point) * scale)


def test_an_infinite_scale_gives_no_number():
    proto = of_qonnx(
        node("Quant", "x s z b", "y"),
        inputs={"x": (FLOAT, [80])},
        constants={"s": number(np.inf), "z": number(0), "b": number(4)},
    )
    assert np.isnan(result_of(proto, x=HALVES)).all()


@pytest.mark.parametrize(
    ("bits", "point", "count"),
    [(8, 0, 1), (9, 0, 0), (4, 7, 1), (4, 8, 0), (4, -8, 1), (4, -9, 0), (4, 0.5, 0)],
)
def test_up_to_8_bits_are_a_fake_quantize(bits: int, point: float, count: int):
    """Around a zero point that is one of the codes."""
    proto = of_qonnx(
        node("Quant", "x s z b", "y"),
        inputs={"x": (FLOAT, [80])},
        constants={"s": number(1), "z": number(point), "b": number(bits)},
    )
    assert str(read_model(proto).module).count("qnn.fake_quantize") == count
    code = np.rint(np.clip(HALVES + point, *limits_of(bits, True, False)))
    np.testing.assert_array_equal(result_of(proto, x=HALVES), code - point)


def test_defaults_are_signed_and_wide_and_even_halves():
    proto = of_qonnx(
        node("IntQuant", "x s z b", "y"),
        inputs={"x": (FLOAT, [80])},
        constants={"s": number(1), "z": number(0), "b": number(4)},
    )
    np.testing.assert_array_equal(result_of(proto, x=HALVES), np.rint(HALVES.clip(-8, 7)))


@pytest.mark.parametrize("narrow", [False, True])
def test_one_bit_without_a_sign_is_no_or_yes(narrow: bool):
    """A narrow interval of it has one code."""
    proto = of_qonnx(
        node("Quant", "x s z b", "y", signed=0, narrow=narrow),
        inputs={"x": (FLOAT, [80])},
        constants={"s": number(2), "z": number(0), "b": number(1)},
    )
    wanted = 0 * HALVES if narrow else 2 * (HALVES > 1)
    np.testing.assert_array_equal(result_of(proto, x=HALVES), wanted)


@pytest.mark.parametrize("type", ["BipolarQuant", "Quant"])
def test_one_bit_is_a_sign(type: str):
    """0 is positive."""
    each = node(type, "x s" if type == "BipolarQuant" else "x s z b", "y")
    scale = np.array([0.5, 2], np.float32)
    constants = {"s": scale, "z": number(0), "b": number(1)}
    proto = of_qonnx(each, inputs={"x": (FLOAT, [3, 2])}, constants=constants)
    x = np.array([[0, -0.0], [-1, 1], [1e-9, -1e-9]], np.float32)
    wanted = np.array([[1, 1], [-1, 1], [1, -1]], np.float32) * scale
    np.testing.assert_array_equal(result_of(proto, x=x), wanted)


@pytest.mark.parametrize("mode", [None, *MODES])
def test_trunc(mode: str | None):
    """
    Version 1 drops bits from 8 to 5 and keeps the scale; version 2 limits codes to 4 bits in the new one, of which it
    takes the nearest power of two.
    """
    x = np.arange(-128, 128, dtype=np.float32) / 4
    words = {} if mode is None else {"rounding_mode": mode}
    rounded = MODES[mode or "FLOOR"]
    constants = {"s": number(0.25), "z": number(8), "i": number(8), "o": number(5)}
    ports = {"x": (FLOAT, [256])}
    old = of_qonnx(node("Trunc", "x s z i o", "y", **words), inputs=ports, constants=constants)
    code = np.rint(x / 0.25 + 8)
    np.testing.assert_array_equal(result_of(old, x=x), (rounded(code / 8) - 8) * 0.25)
    for signed, narrow in ((1, 0), (1, 1), (0, 0)):
        each = node("Trunc", "x s z i t o", "y", signed=signed, narrow=narrow, **words)
        further = constants | {"t": number(1.875), "o": number(4)}
        new = of_qonnx(each, inputs=ports, constants=further)
        limits = limits_of(4, bool(signed), bool(narrow))
        wanted = (rounded((code / 8).clip(*limits)) - 1) * 1.875
        np.testing.assert_array_equal(result_of(new, x=x), wanted)


def test_a_convolution_between_quants_runs_in_8_bits():
    """Weights have a scale for each filter."""
    proto = of_qonnx(
        node("Quant", "x s z b", "q", signed=0),
        node("Quant", "w t z b", "v", narrow=1),
        node("Conv", "q v", "y"),
        inputs={"x": (FLOAT, [1, 3, 8, 8])},
        constants={
            "s": number(1 / 64),
            "z": number(0),
            "b": number(8),
            "w": random(4, 3, 3, 3),
            "t": np.array([1, 2, 3, 4], np.float32).reshape(4, 1, 1, 1) / 64,
        },
    )
    low = read_model(proto)
    run_passes(low, "lpt")
    (row,) = (row for row in precision_report(low) if row["type"] == "Convolution")
    assert row["inputs"] == ["u8", "i8"]


@pytest.mark.parametrize(
    ("each", "constants", "message"),
    [
        (node("FloatQuant", "x", "y"), {}, "this operator of QONNX is not supported; export"),
        (node("Quant", "x s z x", "y"), {}, r"number of bits \(input 3\) is computed; make it"),
        (node("Quant", "x s z b", "y"), {"b": number(2.5)}, "is 2.5; use one whole number from 1"),
        (node("Quant", "x s z b", "y"), {"b": number(0)}, "is 0.0; use one whole number from 1"),
        (node("Quant", "x s z b", "y"), {"b": number(33)}, "is 33.0; use one whole number from 1"),
        (
            node("Quant", "x s z b", "y"),
            {"b": np.array([4, 8], np.float32)},
            "is 4.0, 8.0; use one whole number",
        ),
        (
            node("Quant", "x s z b", "y", rounding_mode="odd"),
            {"b": number(4)},
            "rounding_mode 'ODD' is not supported; use ROUND, HALF_EVEN",
        ),
        (node("Trunc", "x x z b b b", "y"), {"b": number(4)}, "its scale .input 1. is computed"),
        (
            node("Trunc", "x s z b t b", "y"),
            {"b": number(4), "t": number(0)},
            "its scale .input 4. is not positive everywhere; quantize again",
        ),
    ],
)
def test_what_is_refused(each: NodeProto, constants: dict[str, Array], message: str):
    further = {"s": number(1), "z": number(0)} | constants
    proto = of_qonnx(each, inputs={"x": (FLOAT, [2])}, constants=further)
    with pytest.raises(DiagnosticException, match=f"{QONNX[0]}.{each.op_type} 'y': .*{message}"):
        read_model(proto)
