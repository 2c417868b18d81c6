"""What operations mean, against independent computations one number at a time."""

import math
from collections.abc import Sequence
from fractions import Fraction
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from xdsl.dialects.builtin import (
    BoolAttr,
    FloatAttr,
    IntegerAttr,
    IntegerType,
    Signedness,
    StringAttr,
    TensorType,
    f32,
    f64,
    i8,
    i64,
)
from xdsl.ir import Attribute, Block

from lowstream.dialects import nn, qnn, rnn
from lowstream.dialects.inferred import InferredOp
from lowstream.reference import executor
from lowstream.reference.arrays import Array, blob_of, element_of
from lowstream.reference.meaning import evaluate

assert executor  # its import fills the table of meanings

ui8 = IntegerType(8, Signedness.UNSIGNED)


def apply(kind: type[InferredOp], *operands: Array, **properties: Attribute) -> list[Array]:
    types = [TensorType(element_of(operand.dtype), operand.shape) for operand in operands]
    return evaluate(kind.of(*Block(arg_types=types).args, **properties), operands)


def only(kind: type[InferredOp], *operands: Array, **properties: Attribute) -> Array:
    (result,) = apply(kind, *operands, **properties)
    return result


def f(*values: float) -> Array:
    return np.array(values, np.float32)


# --- arithmetic -----------------------------------------------------------------------------


def test_integers_divide_toward_minus_infinity():
    a, b = np.array([7, -7, 7, -7], np.int32), np.array([2, 2, -2, -2], np.int32)
    assert only(nn.DivideOp, a, b).tolist() == [3, -4, -4, 3]


def test_floats_divide_by_zero():
    result = only(nn.DivideOp, f(1, -1, 0), f(0, 0, 0))
    assert result[:2].tolist() == [math.inf, -math.inf]
    assert math.isnan(result[2])


def test_convert_goes_toward_zero_and_floats_to_the_nearest_even():
    assert only(nn.ConvertOp, f(1.9, -1.9, 0.5), destination_type=i8).tolist() == [1, -1, 0]
    close = np.array([1 + 2**-24, 1 + 3 * 2**-24])  # halves between f32 values
    expected = [1.0, 1 + 4 * 2**-24]
    assert only(nn.ConvertOp, close, destination_type=f32).tolist() == expected


def test_integers_are_clamped_to_what_lies_within_the_limits():
    limits = {"min": FloatAttr(-1.5, f64), "max": FloatAttr(2.5, f64)}
    x = np.array([-128, -2, -1, 2, 3, 127], np.int8)
    assert only(nn.ClampOp, x, **limits).tolist() == [-1, -1, -1, 2, 2, 2]
    wide = {"min": FloatAttr(-1e9, f64), "max": FloatAttr(math.inf, f64)}
    assert only(nn.ClampOp, x, **wide).tolist() == x.tolist()


@pytest.mark.parametrize("x", [-1e30, -100.0, -1.0, 0.0, 1e-30, 3.0, 100.0, 1e30])
def test_sigmoid_and_tanh(x: float):
    exact = 1 / (1 + math.exp(-x)) if x > -700 else 0.0
    assert only(nn.SigmoidOp, f(x))[0] == pytest.approx(exact, rel=1e-6, abs=1e-38)
    assert only(nn.TanhOp, f(x))[0] == pytest.approx(math.tanh(x), rel=1e-6)


# --- matrix products ------------------------------------------------------------------------


@pytest.mark.parametrize("left", [np.uint8, np.int8])
def test_8_bit_products_are_exact(left: Any):
    """Extremes over a depth at which f32 could not hold the sum."""
    depth = 70_001
    low, high = np.iinfo(left).min, np.iinfo(left).max
    a = np.array([[low if k % 3 else high for k in range(depth)]] * 2, left)
    b = np.array([[-128 if k % 2 else 127] for k in range(depth)], np.int8)
    expected = sum(int(x) * int(y) for x, y in zip(a[0], b[:, 0], strict=True))
    result = only(nn.MatMulOp, a, b)
    assert result.dtype == np.int32
    assert result.tolist() == [[expected]] * 2


@given(st.integers(1, 3), st.integers(1, 3), st.integers(1, 3), st.booleans(), st.booleans())
def test_transpose_flags(m: int, k: int, n: int, flip_a: bool, flip_b: bool):
    a, b = np.random.default_rng(m * 9 + k * 3 + n).integers(-9, 9, (2, 3, 3)).astype(np.float64)
    a, b = a[:m, :k], b[:k, :n]
    flags = {"transpose_a": BoolAttr.from_bool(flip_a), "transpose_b": BoolAttr.from_bool(flip_b)}
    result = only(nn.MatMulOp, a.T if flip_a else a, b.T if flip_b else b, **flags)
    for i in range(m):
        for j in range(n):
            assert result[i, j] == sum(a[i, t] * b[t, j] for t in range(k))


@pytest.mark.parametrize("flags", [(False, False), (True, True)])
def test_a_vector_is_a_row_on_the_left_and_a_column_on_the_right(flags: tuple[bool, bool]):
    properties = dict(
        zip(("transpose_a", "transpose_b"), map(BoolAttr.from_bool, flags), strict=True)
    )
    assert only(nn.MatMulOp, f(1, 2), f(3, 4), **properties) == 11


# --- quantization ---------------------------------------------------------------------------


def quantized(x: Fraction, low: Fraction, high: Fraction, levels: int) -> Fraction:
    """The specification's formula, with the output interval equal to the input interval."""
    if x <= min(low, high):
        return low
    if x > max(low, high):
        return high
    step = (high - low) / (levels - 1)
    return round((x - low) / step) * step + low  # round takes halves to even


def attribute(value: int) -> IntegerAttr[Any]:
    return IntegerAttr(value, i64)


@given(
    st.lists(st.integers(-1200, 1200), min_size=1, max_size=20),
    st.integers(-8, 7),
    st.sampled_from([2, 3, 5, 17, 129, 257]),
)
def test_fake_quantize_is_exact_where_the_steps_are(eighths: Sequence[int], low: int, levels: int):
    """Inputs are eighths, steps powers of two: f32 computes what the formula says, halves too."""
    x, limit = [Fraction(e, 8) for e in eighths], low + Fraction(levels - 1, 4)
    interval = f(low), f(float(limit)), f(low), f(float(limit))
    result = only(qnn.FakeQuantizeOp, f(*map(float, x)), *interval, levels=attribute(levels))
    assert result.tolist() == [float(quantized(v, Fraction(low), limit, levels)) for v in x]


@given(
    st.floats(-300, 300, width=32),
    st.floats(-200, 100, width=32),
    st.floats(0.015625, 200, width=32),
    st.sampled_from([2, 16, 255, 256]),
)
def test_fake_quantize_is_within_one_step_of_the_formula(
    x: float, low: float, width: float, levels: int
):
    high = float(np.float32(low + width))
    interval = f(low), f(high), f(low), f(high)
    result = only(qnn.FakeQuantizeOp, f(x), *interval, levels=attribute(levels))
    exact = quantized(Fraction(x), Fraction(low), Fraction(high), levels)
    step = (high - low) / (levels - 1)
    assert abs(result[0] - float(exact)) <= step * 1.001 + 1e-5 * max(abs(low), abs(high))


def test_fake_quantize_to_codes_is_exact_and_saturates():
    interval = f(-1), f(127 / 128), f(-128), f(127)
    x = f(-2, -1, -0.5, 0, 0.5 / 128, 1.5 / 128, 127 / 128, 2)
    codes = only(qnn.FakeQuantizeOp, x, *interval, levels=attribute(256), output_type=i8)
    assert codes.dtype == np.int8
    assert codes.tolist() == [-128, -128, -64, 0, 0, 2, 127, 127]


@pytest.mark.parametrize("levels", [2, 16, 256, 65536])
@pytest.mark.parametrize(
    ("low", "high"), [(-3e38, 3e38), (-3.4e38, 1e38), (-1e38, 3.4e38), (0, 1e-40), (-1e-45, 1e-45)]
)
@pytest.mark.parametrize("wide", ["input", "output"])
def test_fake_quantize_knows_intervals_wider_than_its_type_and_as_narrow_as_it_has(
    levels: int, low: float, high: float, wide: str
):
    narrow = [f(-1), f(1)]
    limits = [*narrow, f(low), f(high)] if wide == "output" else [f(low), f(high), *narrow]
    a, b, c, d = (float(each[0]) for each in limits)
    x = np.linspace(a, b, 7, dtype=np.float32)
    result = only(qnn.FakeQuantizeOp, x, *limits, levels=attribute(levels))
    exact = [c + round((float(v) - a) / (b - a) * (levels - 1)) / (levels - 1) * (d - c) for v in x]
    np.testing.assert_allclose(
        result, exact, rtol=1e-6, atol=1.001 * (d - c) / (levels - 1) + 2e-45
    )


def test_fake_quantize_with_an_interval_of_one_point_is_a_step():
    x = f(-1, 2, 3)
    result = only(qnn.FakeQuantizeOp, x, f(2), f(2), f(5), f(5), levels=attribute(256))
    assert result.tolist() == [5, 5, 5]
    result = only(qnn.FakeQuantizeOp, x, f(2), f(2), f(-1), f(1), levels=attribute(2))
    assert result.tolist() == [-1, -1, 1]


@given(st.lists(st.integers(0, 255), min_size=4, max_size=4), st.integers(0, 255))
def test_dequantize(codes: Sequence[int], zero_point: int):
    scales = [0.5, 0.25, 2.0, 0.125]
    result = only(
        qnn.DequantizeOp,
        np.array(codes, np.uint8),
        scale=blob_of(f(*scales)),
        zero_point=blob_of(np.array(zero_point, np.uint8)),
    )
    assert result.dtype == np.float32
    assert result.tolist() == [(q - zero_point) * s for q, s in zip(codes, scales, strict=True)]


# --- recurrent layers -----------------------------------------------------------------------

FUNCTIONS = {
    "sigmoid": lambda x: 1 / (1 + math.exp(-x)),
    "tanh": math.tanh,
    "relu": lambda x: max(x, 0.0),
    "hard_sigmoid": lambda x: min(max(0.2 * x + 0.5, 0.0), 1.0),
}


class Gates:
    """The rows of one gate after another, in double precision: `part(k, j)` is `x W_kj + h R_kj + b_kj`."""

    def __init__(self, hidden: int, x: Array, h: Array, w: Array, r: Array, b: Array):
        self.hidden, self.x, self.h = hidden, x.tolist(), h.tolist()
        self.w, self.r, self.b = w.tolist(), r.tolist(), b.tolist()

    def input(self, gate: int, unit: int) -> float:
        row = self.w[gate * self.hidden + unit]
        return sum(a * b for a, b in zip(self.x, row, strict=True))

    def recurrent(self, gate: int, unit: int, scale: Sequence[float] | None = None) -> float:
        row = self.r[gate * self.hidden + unit]
        scales = scale or [1.0] * self.hidden
        return sum(a * s * b for a, s, b in zip(self.h, scales, row, strict=True))

    def bias(self, gate: int, unit: int) -> float:
        return self.b[gate * self.hidden + unit]

    def part(self, gate: int, unit: int) -> float:
        return self.input(gate, unit) + self.recurrent(gate, unit) + self.bias(gate, unit)


def function(name: str, clip: float) -> Any:
    plain = FUNCTIONS[name]
    return (lambda x: plain(min(max(x, -clip), clip))) if clip else plain


def lstm(gates: Gates, c: Array, names: Sequence[str], clip: float) -> list[list[float]]:
    gate, candidate = function(names[0], clip), function(names[1], clip)
    output = function(names[2], 0)
    hidden, cells = list[float](), list[float]()
    for j in range(gates.hidden):
        forget, enter = gate(gates.part(0, j)), gate(gates.part(1, j))
        cells.append(forget * float(c[j]) + enter * candidate(gates.part(2, j)))
        hidden.append(gate(gates.part(3, j)) * output(cells[-1]))
    return [hidden, cells]


def gru(gates: Gates, linear: bool, names: Sequence[str], clip: float) -> list[list[float]]:
    gate, candidate = function(names[0], clip), function(names[1], clip)
    units = range(gates.hidden)
    reset = [gate(gates.part(1, j)) for j in units]
    hidden = list[float]()
    for j in units:
        update = gate(gates.part(0, j))
        after = reset[j] * (gates.recurrent(2, j) + gates.bias(3, j)) if linear else 0.0
        past = after if linear else gates.recurrent(2, j, reset)
        new = candidate(gates.input(2, j) + past + gates.bias(2, j))
        hidden.append((1 - update) * new + update * gates.h[j])
    return [hidden]


def draw(seed: int, *shape: int) -> Array:
    return np.random.default_rng(seed).normal(size=shape).astype(np.float32)


def names(*values: str) -> Any:
    return rnn.names(*values)


cells = settings(max_examples=20)(
    given(
        st.integers(1, 3),
        st.integers(1, 3),
        st.integers(1, 3),
        st.lists(st.sampled_from(sorted(FUNCTIONS)), min_size=3, max_size=3),
        st.sampled_from([0.0, 0.5]),
    )
)


def cell_properties(hidden: int, functions: Sequence[str], clip: float) -> dict[str, Attribute]:
    return {
        "hidden_size": attribute(hidden),
        "clip": FloatAttr(clip, f64),
        "activations": names(*functions),
    }


@cells
def test_lstm_cell(batch: int, inputs: int, hidden: int, functions: list[str], clip: float):
    x, h, c = draw(1, batch, inputs), draw(2, batch, hidden), draw(3, batch, hidden)
    w, r, b = draw(4, 4 * hidden, inputs), draw(5, 4 * hidden, hidden), draw(6, 4 * hidden)
    properties = cell_properties(hidden, functions, clip)
    result = apply(rnn.LstmCellOp, x, h, c, w, r, b, **properties)
    for i in range(batch):
        expected = lstm(Gates(hidden, x[i], h[i], w, r, b), c[i], functions, clip)
        np.testing.assert_allclose([state[i] for state in result], expected, rtol=1e-5, atol=1e-5)


@pytest.mark.parametrize("linear", [False, True])
@cells
def test_gru_cell(
    linear: bool, batch: int, inputs: int, hidden: int, functions: list[str], clip: float
):
    x, h = draw(1, batch, inputs), draw(2, batch, hidden)
    w, r, b = (
        draw(4, 3 * hidden, inputs),
        draw(5, 3 * hidden, hidden),
        draw(6, (3 + linear) * hidden),
    )
    properties = cell_properties(hidden, functions[:2], clip)
    properties["linear_before_reset"] = BoolAttr.from_bool(linear)
    result = apply(rnn.GruCellOp, x, h, w, r, b, **properties)
    for i in range(batch):
        expected = gru(Gates(hidden, x[i], h[i], w, r, b), linear, functions, clip)
        np.testing.assert_allclose([state[i] for state in result], expected, rtol=1e-5, atol=1e-5)


@cells
def test_rnn_cell(batch: int, inputs: int, hidden: int, functions: list[str], clip: float):
    x, h = draw(1, batch, inputs), draw(2, batch, hidden)
    w, r, b = draw(4, hidden, inputs), draw(5, hidden, hidden), draw(6, hidden)
    properties = cell_properties(hidden, functions[:1], clip)
    result = only(rnn.RnnCellOp, x, h, w, r, b, **properties)
    for i in range(batch):
        gates = Gates(hidden, x[i], h[i], w, r, b)
        expected = [function(functions[0], clip)(gates.part(0, j)) for j in range(hidden)]
        np.testing.assert_allclose(result[i], expected, rtol=1e-5, atol=1e-5)


@pytest.mark.parametrize("direction", ["forward", "reverse"])
def test_a_sequence_is_its_cell_at_each_step_that_counts(direction: str):
    steps, hidden, lengths = 4, 2, [4, 2, 0]
    x, h, c = draw(1, 3, steps, 3), draw(2, 3, 1, hidden), draw(3, 3, 1, hidden)
    w, r, b = draw(4, 1, 8, 3), draw(5, 1, 8, hidden), draw(6, 1, 8)
    size = attribute(hidden)
    y, last_h, last_c = apply(
        rnn.LstmSequenceOp,
        *(x, h, c, np.array(lengths, np.int32), w, r, b),
        hidden_size=size,
        direction=StringAttr(direction),
    )
    for i, length in enumerate(lengths):
        state = h[i], c[i]
        order = range(length) if direction == "forward" else reversed(range(length))
        outputs = np.zeros((steps, hidden), np.float32)
        for t in order:
            state = apply(
                rnn.LstmCellOp, x[i, t : t + 1], *state, w[0], r[0], b[0], hidden_size=size
            )
            outputs[t] = state[0]
        np.testing.assert_allclose(y[i, 0], outputs, rtol=1e-6, atol=1e-6)
        np.testing.assert_allclose(last_h[i], state[0], rtol=1e-6, atol=1e-6)
        np.testing.assert_allclose(last_c[i], state[1], rtol=1e-6, atol=1e-6)


def test_both_directions_are_one_after_the_other():
    x, n = draw(1, 2, 3, 3), np.array([3, 2], np.int64)
    h, w, r, b = draw(2, 2, 2, 2), draw(4, 2, 2, 3), draw(5, 2, 2, 2), draw(6, 2, 2)
    both = apply(
        rnn.RnnSequenceOp,
        x,
        h,
        n,
        w,
        r,
        b,
        hidden_size=attribute(2),
        direction=StringAttr("bidirectional"),
    )
    for way, direction in enumerate(("forward", "reverse")):
        half = slice(way, way + 1)
        alone = apply(
            rnn.RnnSequenceOp,
            *(x, h[:, half], n, w[half], r[half], b[half]),
            hidden_size=attribute(2),
            direction=StringAttr(direction),
        )
        for whole, part in zip(both, alone, strict=True):
            assert np.array_equal(whole[:, half], part)


@pytest.mark.parametrize(
    ("shifts", "axes"), [([1], [0]), ([-7], [1, -1, 0]), ([5, -4, 2], [0, 2, -3]), ([0], [1])]
)
def test_roll_is_numpy_s(shifts: list[int], axes: list[int]):
    x = np.arange(24, dtype=np.int8).reshape(2, 3, 4)
    op = nn.RollOp.of(
        Block(arg_types=[TensorType(i8, x.shape)]).args[0],
        *(nn.ConstantOp(blob_of(np.array(each, np.int64))) for each in (shifts, axes)),
    )
    (found,) = evaluate(op, [x, np.array(shifts), np.array(axes)])
    np.testing.assert_array_equal(found, np.roll(x, shifts, axes))


# --- attention ------------------------------------------------------------------------------


def test_heads_of_queries_share_those_of_keys():
    """OpenVINO has no such form outside of its plugins."""
    rng = np.random.default_rng(1)
    query, key, value = (rng.normal(size=(1, n, 3, 4)).astype(np.float32) for n in (4, 2, 2))
    shared = only(nn.ScaledDotProductAttentionOp, query, key, value)
    own = [np.repeat(each, 2, axis=1) for each in (key, value)]
    np.testing.assert_allclose(shared, only(nn.ScaledDotProductAttentionOp, query, *own), rtol=1e-6)


# --- linear algebra -------------------------------------------------------------------------


def test_rows_are_multiplied_by_the_matrix_of_their_group():
    rng = np.random.default_rng(0)
    a, b = rng.normal(size=(7, 4)), rng.normal(size=(3, 5, 4))
    ends = np.array([2, 2, 6], np.int64)
    wanted = np.concatenate([a[:2] @ b[0].T, a[2:6] @ b[2].T, np.zeros((1, 5))])
    np.testing.assert_allclose(only(nn.GroupedMatMulOp, a, b, ends), wanted)
    rows = rng.normal(size=(3, 2, 4))
    np.testing.assert_allclose(only(nn.GroupedMatMulOp, rows, b), rows @ b.swapaxes(1, 2))


def test_matrices_are_inverted_and_the_adjoint_has_their_determinants():
    x = np.random.default_rng(0).normal(size=(2, 3, 3))
    np.testing.assert_allclose(only(nn.InverseOp, x), np.linalg.inv(x))
    adjoint = only(nn.InverseOp, x, adjoint=BoolAttr.from_bool(True))
    np.testing.assert_allclose(adjoint, np.linalg.inv(x) * np.linalg.det(x)[:, None, None])


def test_determinants_of_singular_matrices_are_0():
    x = np.random.default_rng(0).normal(size=(2, 3, 4, 4))
    np.testing.assert_allclose(only(nn.DeterminantOp, x), np.linalg.det(x))
    ranks = np.array([np.zeros((2, 2)), [[1, 2], [2, 4]], [[0, 1], [1, 0]]])
    np.testing.assert_array_equal(only(nn.DeterminantOp, ranks), [0, 0, -1])


@pytest.mark.parametrize("y", [-3.5, -1.0, 1e-9, 0.3, 2.0, 4.0])
def test_the_error_function_is_inverted(y: float):
    assert only(nn.ErfInvOp, np.array(math.erf(y))) == pytest.approx(y, rel=1e-7)
