"""Further operators of ONNX Runtime: attention with a past or of codes, channels last, packed tables, older ones."""

from typing import Any

import numpy as np
import pytest
from xdsl.utils.exceptions import DiagnosticException

from lowstream import compile_model, read_model
from lowstream.test.unit.interop.onnx.graphs import (
    FLOAT,
    INT32,
    INT64,
    Array,
    check,
    node,
    random,
    runtime,
)
from lowstream.test.unit.interop.onnx.test_runtime_operators import (
    I8,
    U8,
    codes,
    of_runtime,
    weights,
)

ELEMENTS = {"float32": FLOAT, "int32": INT32, "int64": INT64, "uint8": U8, "int8": I8}


def put(
    each: Any,
    given: dict[str, Array],
    constants: dict[str, Array] | None = None,
    unknown: bool = False,
    outputs: str = "y",
) -> Any:
    """The model of a node whose inputs have these shapes, or sizes that nobody knows."""
    ports = {
        name: (
            ELEMENTS[a.dtype.name],
            [f"{name}{i}" if unknown and i < 2 else n for i, n in enumerate(a.shape)],
        )
        for name, a in given.items()
    }
    return of_runtime(each, inputs=ports, outputs=outputs, constants=constants)


PROJECTION = {"w": random(6, 12), "b": random(12, seed=1)}
CODED = {
    "w": weights(6, 12),
    "b": random(12),
    "s": np.array(0.02, np.float32),
    "t": np.abs(random(12)) * 0.02,
    "z": np.array(7, np.uint8),
    "p": codes(12, type=np.int8) // 9,
}


@pytest.mark.parametrize("unknown", [False, True])
@pytest.mark.parametrize("causal", [0, 1])
def test_attention_behind_a_past(causal: int, unknown: bool):
    each = node("Attention", "x w b m past", "y r", num_heads=2, unidirectional=causal)
    mask = np.array([[1, 1, 0, 1, 1], [1, 0, 1, 1, 1]], np.int32)
    given = {"x": random(2, 3, 6), "m": mask, "past": random(2, 2, 2, 2, 2, seed=2)}
    check(put(each, given, PROJECTION, unknown, "y r"), given)


@pytest.mark.parametrize("past", [False, True])
def test_attention_of_codes(past: bool):
    inputs = "x w b s t - z p" + " past" * past
    each = node("QAttention", inputs, "y r" if past else "y", num_heads=2, unidirectional=1)
    given = {"x": codes(2, 3, 6)} | ({"past": random(2, 2, 2, 2, 2)} if past else {})
    check(put(each, given, CODED, outputs="y r" if past else "y"), given, 1e-4)


@pytest.mark.parametrize("kind", ["lengths", "mask"])
def test_masks_of_sequences_whose_length_nobody_knows(kind: str):
    mask = np.array([2, 3] if kind == "lengths" else [[1, 0, 1], [1, 1, 0]], np.int32)
    given = {"x": random(2, 3, 6), "m": mask}
    each = node("Attention", "x w b m", "y", num_heads=2, unidirectional=1)
    check(put(each, given, PROJECTION, unknown=True), given)


def test_three_numbers_for_two_sequences_are_refused():
    each = node("Attention", "x w b m", "y", num_heads=2)
    given = {"x": random(2, 3, 6), "m": np.zeros(3, np.int32)}
    with pytest.raises(
        DiagnosticException, match="a mask of 3 numbers for 2 sequences is not supported"
    ):
        read_model(put(each, given, PROJECTION))


@pytest.mark.parametrize("unknown", [False, True])
@pytest.mark.parametrize("count", [2, 3])
def test_queries_keys_and_values_side_by_side(count: int, unknown: bool):
    """ONNX Runtime has no kernels of these for CPUs: they are what each by itself is."""
    x, bias = random(2, 3, 2, count, 4), {"b": random(24)}
    parts = [np.ascontiguousarray(x[:, :, :, i].reshape(2, 3, 8)) for i in range(count)]
    q = parts[0] if count == 3 else random(2, 5, 8, seed=1)
    apart = dict(zip("qkv", (q, *parts[-2:]), strict=True))
    given = {"x": x} if count == 3 else {"q": q, "x": x}
    inputs = "x - - b" if count == 3 else "q x - b"
    packed = put(node("MultiHeadAttention", inputs, "y", num_heads=2), given, bias, unknown)
    (found,) = compile_model(read_model(packed)).create_infer_request().infer(given).values()
    alone = put(node("MultiHeadAttention", "q k v b", "y", num_heads=2), apart, bias)
    np.testing.assert_allclose(found, runtime(alone, apart)[0], 1e-5, 1e-5)


@pytest.mark.parametrize("coded", [False, True])
def test_embeddings_of_as_many_words_as_there_are(coded: bool):
    given = dict.fromkeys("is", np.array([[1, 0, 1, 1], [0, 0, 1, 0]], np.int32))
    sizes = {"a": (9, 8), "p": (6, 8), "g": (2, 8), "v": (8,), "w": (8,)}
    if not coded:
        tables = {name: random(*size, seed=n) for n, (name, size) in enumerate(sizes.items())}
        each = node("EmbedLayerNormalization", "i s a p g v w", "y n")
        check(put(each, given, tables, True, "y n"), given)
        return
    constants = {name: codes(*size) for name, size in sizes.items()}
    scales = {f"s{n}": np.array(0.01 + 0.003 * n, np.float32) for n in range(5)}
    points = {f"z{n}": np.array(100 + n, np.uint8) for n in range(5)}
    inputs = " ".join(["i s a p g v w -", *scales, *points])
    each = node("QEmbedLayerNormalization", inputs, "y n")
    check(put(each, given, constants | scales | points, True, "y n"), given, 1e-4)


def test_channels_last():
    x = codes(1, 7, 6, 4)
    pooling = node("NhwcMaxPool", "x", "y", kernel_shape=[3, 2], strides=[2, 1], pads=[1, 0, 1, 1])
    check(put(pooling, {"x": x}), {"x": x})
    constants = {
        "f": weights(6, 2, 3, 3),
        **{
            name: np.array(value, np.float32)
            for name, value in (("s", 0.01), ("t", 0.02), ("r", 0.3))
        },
        "z": np.array(9, np.uint8),
        "p": np.array(0, np.int8),
    }
    each = node("QLinearConv", "x s z f t p r z", "y", group=2, channels_last=1, pads=[1, 0, 1, 0])
    proto = put(each, {"x": x}, constants)
    (found,) = compile_model(read_model(proto))([x]).values()
    (wanted,) = runtime(proto, {"x": x})
    assert found.shape == wanted.shape and np.abs(found.astype(int) - wanted).max() <= 1


@pytest.mark.parametrize("bits", [4, 8])
@pytest.mark.parametrize("points", ["", "p"])
@pytest.mark.parametrize("axes", [(0, 1), (-2, -1)])
def test_rows_of_packed_tables(bits: int, points: str, axes: tuple[int, int]):
    flags = {"bits": bits, "block_size": 16, "gather_axis": axes[0], "quantize_axis": axes[1]}
    each = node("GatherBlockQuantized", f"t i s {points}", "y", **flags)
    given = {"i": np.array([[3, 0], [4, 3]], np.int64)}
    constants = {
        "t": codes(5, 48 * bits // 8),
        "s": np.abs(random(5, 3)) + 0.01,
        "p": codes(5, -(-3 * bits // 8)),
    }
    check(put(each, given, constants), given)


def test_rows_of_tables_in_blocks_along_the_first_dimension():
    """ONNX Runtime gathers along that alone."""
    flags = {"bits": 8, "block_size": 16, "gather_axis": 1, "quantize_axis": 0}
    table, scale, where = codes(48, 5), random(3, 5), np.array([[3, 0], [4, 3]], np.int64)
    proto = put(
        node("GatherBlockQuantized", "t i s", "y", **flags), {"i": where}, {"t": table, "s": scale}
    )
    (found,) = compile_model(read_model(proto))([where]).values()
    wanted = (table.astype(np.float32) - 128) * np.repeat(scale, 16, 0)
    np.testing.assert_array_equal(found, wanted[:, where])


@pytest.mark.parametrize("axes", [(1, 1), (-1, 1), (1, -1)])
def test_rows_are_not_gathered_along_their_blocks(axes: tuple[int, int]):
    flags = {"bits": 8, "block_size": 16, "gather_axis": axes[0], "quantize_axis": axes[1]}
    constants = {"t": codes(5, 48), "s": random(5, 3)}
    proto = put(
        node("GatherBlockQuantized", "t i s", "y", **flags), {"i": np.array([0])}, constants
    )
    with pytest.raises(DiagnosticException, match="rows are gathered along quantize_axis"):
        read_model(proto)


@pytest.mark.parametrize(
    ("each", "constants"),
    [
        (node("Trilu", "x k", "y", upper=0), {"k": np.array(-1, np.int64)}),
        (node("ExpandDims", "x k", "y"), {"k": np.array(-2, np.int32)}),
        (node("Pad", "x k v", "y"), {"k": np.array([1, 0, 2, 1]), "v": np.array(2.5, np.float32)}),
        (node("GatherND", "x k", "y"), {"k": np.array([[1, 2], [2, 0]])}),
        (node("Inverse", "x", "y"), {}),
        (node("CDist", "x k", "y", metric="euclidean"), {"k": random(5, 3)}),
        (node("CDist", "x k", "y"), {"k": random(5, 3)}),
    ],
    ids=lambda each: getattr(each, "op_type", ""),
)
def test_older_operators(each: Any, constants: dict[str, Array]):
    given = {"x": random(3, 3) + 3 * np.eye(3, dtype=np.float32)}
    check(put(each, given, constants), given, 1e-4)


def test_ranges_have_steps_of_one():
    given = {"x": np.zeros(4, np.float32)}
    each = node("Range", "a b", "r")
    proto = of_runtime(
        each,
        node("Add", "x r", "y"),
        inputs={"x": (FLOAT, [4])},
        outputs="y",
        constants={"a": np.array(2, np.float32), "b": np.array(6, np.float32)},
    )
    proto.graph.node[1].domain = ""
    check(proto, given)
