"""Builtins that few models have, as LiteRT computes them."""

from typing import Any

import numpy as np
import pytest
from ai_edge_litert.interpreter import Interpreter
from xdsl.utils.exceptions import DiagnosticException

import lowstream
from lowstream.interop.tflite import tflite_module
from lowstream.passes.nn_to_tfl.tensors import TensorQuantization
from lowstream.reference.arrays import Array
from lowstream.reference.executor import Executor
from lowstream.test.unit.interop.tflite.graph import Graph, Operator, Subgraph, Tensor
from lowstream.test.unit.interop.tflite.put_together import Part, check, noise, number
from lowstream.test.unit.interop.tflite.serialize import serialize


def part(*inputs: Tensor, **made: tuple[Any, ...]) -> bytes:
    """A file of builtins by name, each `inputs, shape, element, options`."""
    built = Part(*inputs)
    results = [built(name, *given[:3], **given[3]) for name, given in made.items()]
    return serialize(Graph([built.gives(*results)]))


def f32(*shape: int) -> Tensor:
    return Tensor(shape, "float32")


PLANE = {"padding": 1, "strideH": 1, "strideW": 2, "filterHeight": 2, "filterWidth": 2}
VOLUME = {"padding": 1, "strideD": 1, "strideH": 2, "strideW": 1}
VOLUME |= {f"dilation{letter}Factor": 1 for letter in "DHW"}
SEGMENTS = number([2, 0, -1, 0])


def test_segments():
    x = f32(4, 3)
    names = [f"UNSORTED_SEGMENT_{kind}" for kind in ("SUM", "PROD", "MAX", "MIN")]
    made = {name: ([x, SEGMENTS, number(4)], (4, 3), "float32", {}) for name in names}
    check(
        part(x, **made, SEGMENT_SUM=([x, number([0, 0, 1, 2])], (3, 3), "float32", {})), noise(4, 3)
    )


def test_layers_with_windows():
    x, line, volume = f32(1, 4, 6, 5), f32(1, 2, 2, 5), f32(1, 2, 2, 2, 3)
    filters = Tensor((2, 3, 2, 4, 3), "float32", data=noise(2, 3, 2, 4, 3))
    sizes = number([1, 3, 5, 3, 4])
    check(
        part(
            *(x, line, volume),
            L2_POOL_2D=([x], (1, 3, 3, 5), "float32", PLANE),
            LOCAL_RESPONSE_NORMALIZATION=(
                *([line], (1, 2, 2, 5), "float32"),
                {"radius": 1, "alpha": 0.5, "beta": 0.75, "bias": 2.0},
            ),
            CONV_3D_TRANSPOSE=([sizes, filters, volume], (1, 3, 5, 3, 4), "float32", VOLUME),
        ),
        *(noise(*each.shape) for each in (x, line, volume)),
    )


def test_angles_and_diagonals():
    y, x = f32(3, 3), f32(3, 3)
    places = np.array([-1, 0, 1], np.float32)
    grid = [np.ascontiguousarray(each) for each in np.meshgrid(places, places)]
    data = part(
        *(y, x),
        ATAN2=([y, x], (3, 3), "float32", {}),
        MATRIX_DIAG=([y], (3, 3, 3), "float32", {}),
        RANK=([y], (), "int32", {}),
        ZEROS_LIKE=([y], (3, 3), "float32", {}),
        SPARSE_TO_DENSE=(
            [
                *map(number, ([[0, 1], [2, 0]], [3, 2])),
                *(number(n, "float32") for n in ([5, 6], 7)),
            ],
            *((3, 2), "float32", {}),
        ),
    )
    check(data, *grid)


@pytest.mark.parametrize("shape", [(3, 3), (2, 2, 3), (4, 2)])
def test_diagonals_are_set(shape: tuple[int, ...]):
    diagonal = (*shape[:-2], min(shape[-2:]))
    x, y = f32(*shape), f32(*diagonal)
    check(
        part(x, y, MATRIX_SET_DIAG=([x, y], shape, "float32", {})), noise(*shape), noise(*diagonal)
    )


@pytest.mark.parametrize(("low", "high"), [(-1.0, 2.0), (0.0, 0.0)])
def test_fake_quantization(low: float, high: float):
    x = f32(2, 5)
    options = {"min": low, "max": high, "numBits": 8, "narrowRange": False}
    module = tflite_module(part(x, FAKE_QUANT=([x], (2, 5), "float32", options)))
    given = noise(2, 5)
    (found,) = Executor(module).run([given])
    assert np.abs(found - given.clip(low, high)).max() <= (high - low) / 255


@pytest.mark.parametrize(
    ("builtin", "reason"),
    [
        ("RANDOM_UNIFORM", "give them as an input"),
        ("PLACEHOLDER_FOR_GREATER_OP_CODES", "there is no such operation here"),
    ],
)
def test_others_are_refused_in_words(builtin: str, reason: str):
    x = f32(2)
    with pytest.raises(DiagnosticException, match=f"{builtin}: .*{reason}"):
        tflite_module(part(x, **{builtin: ([x], (2,), "float32", {})}))


def test_rows_of_keys():
    wanted = Tensor((4,), "int32")
    table = Tensor((3, 2), "float32", data=noise(3, 2))
    found, hits = Tensor((4, 2), "float32"), Tensor((4,), "uint8")
    operator = Operator("HASHTABLE_LOOKUP", [wanted, number([-3, 5, 9]), table], [found, hits])
    graph = Graph([Subgraph("main", [wanted], [found, hits], [operator])])
    check(serialize(graph), np.array([9, 4, -3, 5], np.int32))


@pytest.mark.parametrize("combiner", [0, 1, 2])
@pytest.mark.parametrize("bags", [[[0, 0], [2, 0], [2, 1]], [[0, 1, 0], [1, 0, 0], [1, 0, 1]]])
def test_sums_of_embeddings(combiner: int, bags: list[list[int]]):
    weights, table = Tensor((3,), "float32"), Tensor((5, 2, 2), "float32")
    sizes = [3] if len(bags[0]) == 2 else [2, 3]
    given = [number([4, 0, 3]), number(bags), number([*sizes, 2]), weights, table]
    main = Part(weights, table)
    result = main("EMBEDDING_LOOKUP_SPARSE", given, (*sizes, 2, 2), combiner=combiner)
    data = serialize(Graph([main.gives(result)]))
    check(data, np.abs(noise(3)) + 0.1, noise(5, 2, 2, seed=1))


@pytest.mark.parametrize("element", ["int32", "int64"])
def test_shapes_that_broadcast(element: str):
    x, y = Tensor((3,), element), Tensor((2,), element)
    data = part(x, y, BROADCAST_ARGS=([x, y], (3,), element, {}))
    check(data, np.array([4, 1, 3], element), np.array([5, 1], element))


NONE, RELU = 0, 1
"""Fused activations; the kernel on codes has no other than RELU."""


class Svdf:
    """An SVDF with a state, of numbers or of codes."""

    BATCH, INPUTS, UNITS, RANK, MEMORY = 2, 3, 2, 2, 4

    def __init__(self, in_codes: bool):
        self.in_codes = in_codes
        filters = self.UNITS * self.RANK
        self.x = self.tensor("int8", 1 / 32, (self.BATCH, self.INPUTS))
        weights = self.tensor("int8", 1 / 64, noise(filters, self.INPUTS, seed=1))
        times = self.tensor("int16", 2.0**-13, noise(filters, self.MEMORY, seed=2))
        bias = self.tensor("int32", 2.0**-24, noise(self.UNITS, seed=3))
        state = self.tensor("int16", 2.0**-11, (self.BATCH, filters * self.MEMORY), variable=True)
        self.y = self.tensor("int8", 1 / 16, (self.BATCH, self.UNITS))
        options = {"rank": self.RANK, "fusedActivationFunction": RELU if in_codes else NONE}
        given = [self.x, weights, times, bias, state]
        operator = Operator("SVDF", given, [self.y], options)
        self.data = serialize(Graph([Subgraph("main", [self.x], [self.y], [operator])]))

    def tensor(self, element: str, scale: float, of: Any, **options: Any) -> Tensor:
        data = of if isinstance(of, np.ndarray) else None
        shape = tuple(of if data is None else data.shape)
        if not self.in_codes:
            return Tensor(shape, "float32", data=data, **options)
        if data is not None:
            limits = np.iinfo(element)
            data = np.rint(data / scale).clip(limits.min, limits.max).astype(element)
        return Tensor(
            shape, element, data=data, quantization=TensorQuantization((scale,), (0,)), **options
        )

    def sample(self, seed: int) -> Array:
        x = noise(self.BATCH, self.INPUTS, seed=seed)
        return np.rint(x * 32).clip(-128, 127).astype(np.int8) if self.in_codes else x


@pytest.mark.parametrize("in_codes", [False, True])
def test_svdf_keeps_features(in_codes: bool):
    svdf = Svdf(in_codes)
    interpreter: Any = Interpreter(model_content=svdf.data)
    interpreter.allocate_tensors()
    request = lowstream.compile_model(tflite_module(svdf.data)).create_infer_request()
    for step in range(7):
        x = svdf.sample(step)
        interpreter.set_tensor(interpreter.get_input_details()[0]["index"], x)
        interpreter.invoke()
        expected = interpreter.get_tensor(interpreter.get_output_details()[0]["index"])
        found = request.infer([x])[0]
        if in_codes:
            assert np.abs(found.astype(int) - expected.astype(int)).max() <= 1
            assert np.abs(expected).max() > 20
        else:
            np.testing.assert_allclose(found, expected, rtol=1e-5, atol=1e-5)


@pytest.mark.parametrize("padding", [1, 2])
def test_transposed_convolutions_of_mediapipe(padding: int):
    """As its kernel computes them, which adds each input times the filter where the window reaches."""
    x, filters, bias = noise(1, 3, 4, 2), noise(3, 3, 2, 2, seed=1), noise(3, seed=2)
    stride, size = (2, 1), (3, 4)  # of height and width
    cut = [
        max(0, k - (n - 1) % s - 1) if padding == 1 else 0
        for n, k, s in zip(size, (3, 2), stride, strict=True)
    ]
    whole = np.zeros((1, 2 * 2 + 3, 3 + 2, 3), np.float32)
    for row, column in np.ndindex(size):
        added = np.einsum("c,ohwc->hwo", x[0, row, column], filters)
        whole[0, 2 * row : 2 * row + 3, column : column + 2] += added
    ends = [n - c + c // 2 for n, c in zip(whole.shape[1:3], cut, strict=True)]
    expected = whole[:, cut[0] // 2 : ends[0], cut[1] // 2 : ends[1]] + bias
    given = Tensor(x.shape, "float32")
    constants = [Tensor(each.shape, "float32", data=each) for each in (filters, bias)]
    result = Tensor(expected.shape, "float32")
    options = np.array([padding, *reversed(stride)], "<i4").tobytes()
    code = "Convolution2DTransposeBias"
    made = Operator("CUSTOM", [given, *constants], [result], custom=code, custom_options=options)
    module = tflite_module(serialize(Graph([Subgraph("main", [given], [result], [made])])))
    np.testing.assert_allclose(Executor(module).run([x])[0], expected, rtol=1e-5, atol=1e-5)


SAME, VALID = 1, 2


@pytest.mark.parametrize("padding", [SAME, VALID])
@pytest.mark.parametrize(("stride", "size"), [((2, 2), (2, 2)), ((2, 1), (3, 2))])
def test_where_maxima_lie(padding: int, stride: tuple[int, int], size: tuple[int, int]):
    """Places are those in the window, as MediaPipe's kernel counts them."""
    x = noise(1, 5, 4, 2)
    same = padding == SAME
    counts = [
        (n - (1 if same else k)) // s + 1 for n, k, s in zip((5, 4), size, stride, strict=True)
    ]
    pads = [
        max((c - 1) * s + k - n, 0) // 2 * same
        for c, s, k, n in zip(counts, stride, size, (5, 4), strict=True)
    ]
    most = np.full((1, *counts, 2), -np.inf, np.float32)
    places = np.zeros(most.shape, np.float32)
    for i, j, dy, dx in np.ndindex(*counts, *size):
        row, column = i * stride[0] - pads[0] + dy, j * stride[1] - pads[1] + dx
        if 0 <= row < 5 and 0 <= column < 4:
            greater = x[0, row, column] > most[0, i, j]
            places[0, i, j] = np.where(greater, dy * size[1] + dx, places[0, i, j])
            most[0, i, j] = np.where(greater, x[0, row, column], most[0, i, j])
    given, results = Tensor(x.shape, "float32"), [Tensor(most.shape, "float32") for _ in range(2)]
    options = np.array([padding, *reversed(stride), *reversed(size), 1], "<i4").tobytes()
    code = "MaxPoolingWithArgmax2D"
    made = Operator("CUSTOM", [given], results, custom=code, custom_options=options)
    module = tflite_module(serialize(Graph([Subgraph("main", [given], results, [made])])))
    found = Executor(module).run([x])
    np.testing.assert_array_equal(found[0], np.maximum(most, 0))
    np.testing.assert_allclose(found[1], places + 0.1)


def test_maxima_go_back():
    x, places = noise(1, 2, 2, 3), np.array([0, 5, 3, 2] * 3, np.float32).reshape(1, 2, 2, 3) + 0.1
    expected = np.zeros((1, 4, 6, 3), np.float32)
    for row, column, channel in np.ndindex(2, 2, 3):
        y, z = divmod(int(places[0, row, column, channel]), 3)
        expected[0, 2 * row + y, 3 * column + z, channel] = x[0, row, column, channel]
    given, result = (
        [Tensor(x.shape, "float32") for _ in range(2)],
        Tensor(expected.shape, "float32"),
    )
    options = np.array([SAME, 3, 2, 3, 2, 0], "<i4").tobytes()
    code = "MaxUnpooling2D"
    made = Operator("CUSTOM", given, [result], custom=code, custom_options=options)
    module = tflite_module(serialize(Graph([Subgraph("main", given, [result], [made])])))
    np.testing.assert_array_equal(Executor(module).run([x, places])[0], expected)
    made.custom_options = np.array([SAME, 2, 2, 3, 2, 0], "<i4").tobytes()
    with pytest.raises(
        DiagnosticException, match=r"MaxUnpooling2D: windows \[2, 3\], \[2, 2\] apart"
    ):
        tflite_module(serialize(Graph([Subgraph("main", given, [result], [made])])))


def test_unsigned_codes_of_4_bits():
    codes = np.array([[0, 15, 8], [3, 7, 12]], np.uint8)
    grid = TensorQuantization((0.5,), (7,))
    built = Part(x := f32(2, 3))
    values = built(
        "DEQUANTIZE", [Tensor(codes.shape, "uint4", data=codes, quantization=grid)], (2, 3)
    )
    total = built("ADD", [x, values], (2, 3))
    (found,) = Executor(tflite_module(serialize(Graph([built.gives(total)])))).run([noise(2, 3)])
    np.testing.assert_allclose(found, noise(2, 3) + (codes.astype(np.float32) - 7) / 2)


def test_halves_of_the_range_of_floats():
    built = Part(x := f32(4))
    narrow = built("CAST", [x], (4,), "bfloat16")
    given = np.array([1.37, -2.01, 300, 1e-3], np.float32)
    check(serialize(Graph([built.gives(built("CAST", [narrow], (4,), "float32"))])), given)


def test_bits():
    """Floats as integers, integers as floats, and integers with another sign."""
    x, n = f32(3), Tensor((2,), "int32")
    built = Part(x, n)
    whole = built("BITCAST", [x], (3,), "int32")
    real = built("BITCAST", [n], (2,), "float32")
    unsigned = built("BITCAST", [n], (2,), "uint32")
    check(
        serialize(Graph([built.gives(whole, real, unsigned)])),
        np.array([-1.5, 0.0, 3e38], np.float32),
        np.array([0x3FC00000, -0x3FC00000], np.int32),
    )


def test_bits_of_other_widths_are_refused():
    built = Part(x := f32(3))
    data = serialize(Graph([built.gives(built("BITCAST", [x], (3, 2), "int16"))]))
    with pytest.raises(DiagnosticException, match="the bits of f32 as i16 are not supported; use"):
        tflite_module(data)


def test_bits_of_quantized_values_are_refused():
    x = Tensor((3,), "int8", quantization=TensorQuantization((0.5,), (0,)))
    built = Part(x)
    data = serialize(Graph([built.gives(built("BITCAST", [x], (3,), "uint8"))]))
    with pytest.raises(DiagnosticException, match="the bits of quantized values are not supported"):
        tflite_module(data)


def test_buckets():
    x, n = f32(5), Tensor((4,), "int32")
    built = Part(x, n)
    options = {"boundaries": [-0.5, 0.0, 2.0]}
    results = [built("BUCKETIZE", [each], each.shape, "int32", **options) for each in (x, n)]
    check(
        serialize(Graph([built.gives(*results)])),
        np.array([-1.5, -0.5, 0.0, 3e38, 1.9], np.float32),
        np.array([-1, 0, 2, 7], np.int32),
    )
