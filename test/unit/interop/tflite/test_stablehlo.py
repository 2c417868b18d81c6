"""StableHLO's operators that LiteRT has kernels for."""

from typing import Any

import numpy as np
import pytest
from xdsl.utils.exceptions import DiagnosticException

from lowstream.interop.tflite import tflite_module
from lowstream.reference.executor import Executor
from lowstream.test.unit.interop.tflite.graph import Graph, Operator, Subgraph, Tensor
from lowstream.test.unit.interop.tflite.put_together import Part, check, noise, number
from lowstream.test.unit.interop.tflite.serialize import serialize


def function(builtin: str, element: str = "float32") -> Subgraph:
    """A function of two numbers; without a builtin, the second one."""
    x, y = Tensor((), element), Tensor((), element)
    body = Subgraph("function", [x, y], [y])
    if builtin:
        body.outputs = [Tensor((), element)]
        body.operators.append(Operator(builtin, [x, y], body.outputs))
    return body


def scattered(x: Tensor, indices: Tensor, updates: Tensor, builtin: str, **options: Any) -> bytes:
    main = Part(x, updates)
    result = main(
        "STABLEHLO_SCATTER",
        [x, indices, updates],
        x.shape,
        **{"updateComputationSubgraphIndex": 1, **options},
    )
    return serialize(Graph([main.gives(result), function(builtin)]))


ELEMENTS = {
    "updateWindowDims": [],
    "insertedWindowDims": [0, 1],
    "scatterDimsToOperandDims": [1, 0],
    "indexVectorDim": 0,
}
COLUMNS = {
    "updateWindowDims": [0],
    "insertedWindowDims": [1],
    "scatterDimsToOperandDims": [1],
    "indexVectorDim": 1,
}


@pytest.mark.parametrize("name", ["", "ADD", "MULTIPLY", "MAXIMUM", "MINIMUM"])
def test_elements_are_updated_at_indices(name: str):
    """An index is a column; what lies outside changes nothing."""
    x, updates = Tensor((3, 4), "float32"), Tensor((5,), "float32")
    indices = number([[3, 0, 3, -1, 4], [2, 1, 2, 0, 1]])
    data = scattered(x, indices, updates, name and f"STABLEHLO_{name}", **ELEMENTS)
    check(data, noise(3, 4), noise(5, seed=1))


def test_columns_are_updated():
    x, updates = Tensor((3, 4), "float32"), Tensor((3, 2), "float32")
    data = scattered(x, number([2, 0]), updates, "ADD", **COLUMNS)
    given, added = noise(3, 4), noise(3, 2, seed=1)
    (found,) = Executor(tflite_module(data)).run([given, added])
    given[:, [2, 0]] += added
    np.testing.assert_array_equal(found, given)


def test_parts_of_slices_and_other_functions_are_refused():
    x, updates = Tensor((3, 4), "float32"), Tensor((2, 2), "float32")
    with pytest.raises(
        DiagnosticException,
        match=r"STABLEHLO_SCATTER: updates \[2, 2\] are parts of slices of \[3, 4\]; update whole",
    ):
        tflite_module(scattered(x, number([2, 0]), updates, "", **COLUMNS))
    updates = Tensor((3, 2), "float32")
    with pytest.raises(DiagnosticException, match=r"SCATTER: its function is none of addition, mu"):
        tflite_module(scattered(x, number([2, 0]), updates, "SUB", **COLUMNS))


def reduced(
    shape: tuple[int, ...], builtin: str, begin: float, element: str = "float32", **options: Any
) -> bytes:
    x, rank = Tensor(shape, element), len(shape)
    given: dict[str, Any] = (
        {name: [1] * rank for name in WINDOWS} | {"padding": [0] * (2 * rank)} | options
    )
    pads = np.reshape(given["padding"], (rank, 2)).sum(1)
    reach = (np.array(given["windowDimensions"]) - 1) * given["windowDilations"]
    sizes = (shape + pads - reach - 1) // given["windowStrides"] + 1
    main = Part(x)
    start = number(begin, element)
    given["bodySubgraphIndex"] = 1
    result = main("STABLEHLO_REDUCE_WINDOW", [x, start], sizes, element, **given)
    return serialize(Graph([main.gives(result), function(builtin, element)]))


WINDOWS = ("windowDimensions", "windowStrides", "baseDilations", "windowDilations")
VOLUME = {"windowDimensions": [1, 1, 2, 2, 3], "windowStrides": [1, 1, 2, 1, 1]}
PADDED = {
    "windowDimensions": [2, 1, 3],
    "windowDilations": [1, 1, 2],
    "padding": [1, 0, 0, 0, 2, 1],
}


@pytest.mark.parametrize(
    ("builtin", "begin"), [("ADD", 0), ("MAXIMUM", -np.inf), ("MINIMUM", -0.5)]
)
@pytest.mark.parametrize(
    ("shape", "options"), [((1, 2, 4, 3, 4), VOLUME), ((3, 2, 6), PADDED), ((2, 3), {})]
)
def test_windows_are_reduced(
    builtin: str, begin: float, shape: tuple[int, ...], options: dict[str, Any]
):
    check(reduced(shape, builtin, begin, **options), noise(*shape), compiled=begin == -0.5)


def test_the_least_integer_is_the_minimum_of_a_window():
    least, greatest = -(2**31), 2**31 - 1
    x = np.array([[least, 7, -3, greatest]], np.int32)
    check(reduced(x.shape, "MINIMUM", greatest, "int32", windowDimensions=[1, 2]), x)


@pytest.mark.parametrize(
    ("builtin", "begin", "element", "options"),
    [
        ("ADD", 1, "float32", {"padding": [1, 0, 0, 2]}),
        ("MULTIPLY", 2, "float32", {"windowStrides": [1, 2]}),
        ("ADD", 0, "int32", {"windowDilations": [1, 2]}),
        ("MAXIMUM", 0, "float32", {"baseDilations": [2, 3], "padding": [0, 1, 1, 0]}),
        ("AND", True, "bool", {}),
        ("LOGICAL_OR", False, "bool", {"windowStrides": [2, 1]}),
    ],
)
def test_windows_that_are_no_pooling(
    builtin: str, begin: float, element: str, options: dict[str, Any]
):
    x = (noise(3, 6) * 9).astype(element)
    name = builtin if builtin.startswith("LOGICAL") else f"STABLEHLO_{builtin}"
    data = reduced(x.shape, name, begin, element, windowDimensions=[2, 2], **options)
    check(data, x)


def test_windows_of_other_functions_are_refused():
    with pytest.raises(DiagnosticException, match="REDUCE_WINDOW: reduces windows by a function"):
        tflite_module(reduced((2, 3), "", 0))


REDUCTIONS = {"ADD": 1, "MUL": 2, "MINIMUM": 3, "MAXIMUM": 4, "ALL": 5, "ANY": 6}


@pytest.mark.parametrize(
    ("name", "begin"),
    [("ADD", 0), ("MUL", 1), ("MINIMUM", 9), ("MAXIMUM", -9), ("ALL", 1), ("ANY", 0)],
)
def test_windows_without_padding(name: str, begin: float):
    element = "bool" if name.startswith("A") and name != "ADD" else "float32"
    x = Tensor((4, 5), element)
    main, sizes = Part(x), (number(each, "int64") for each in ([2, 3], [2, 1], [1, 1]))
    given = [x, number(begin, element), *sizes]
    result = main("REDUCE_WINDOW", given, (2, 3), element, reduceFunction=REDUCTIONS[name])
    check(serialize(Graph([main.gives(result)])), noise(4, 5).astype(element))


@pytest.mark.parametrize("element", ["float32", "int32"])
def test_arithmetic(element: str):
    x, y = (Tensor((2, 3), element) for _ in range(2))
    main = Part(x, y)
    names = ("ADD", "MULTIPLY", "MAXIMUM", "MINIMUM")
    results = [main(f"STABLEHLO_{name}", [x, y], (2, 3), element) for name in names]
    given = [(noise(2, 3, seed=n) * 9).astype(element) for n in (0, 1)]
    check(serialize(Graph([main.gives(*results)])), *given)


def test_bits():
    x, y = (Tensor((2, 3), "int32") for _ in range(2))
    a, b = (Tensor((2, 2), "bool") for _ in range(2))
    main = Part(x, y, a, b)
    shifted = main("STABLEHLO_SHIFT_LEFT", [x, y], (2, 3), "int32")
    both = main("STABLEHLO_AND", [a, b], (2, 2), "bool")
    given = np.arange(-2, 4, dtype=np.int32).reshape(2, 3), np.array([[0, 3, 31]] * 2, np.int32)
    truth = np.array([[0, 1], [0, 1]], bool), np.array([[0, 0], [1, 1]], bool)
    check(serialize(Graph([main.gives(shifted, both)])), *given, *truth)


@pytest.mark.parametrize(
    ("low", "high", "between"),
    [([1, 0], [0, 2], [0, 0]), ([-1, 1], [1, -2], [0, 0]), ([0, 2], [1, -1], [2, 1])],
)
def test_padding(low: list[int], high: list[int], between: list[int]):
    sizes = [
        size + (size - 1) * gap + first + last
        for size, gap, first, last in zip((3, 4), between, low, high, strict=True)
    ]
    x = Tensor((3, 4), "float32")
    main = Part(x)
    options: dict[str, Any] = {
        "edgePaddingLow": low,
        "edgePaddingHigh": high,
        "interiorPadding": between,
    }
    result = main("STABLEHLO_PAD", [x, number(7, "float32")], sizes, **options)
    check(serialize(Graph([main.gives(result)])), noise(3, 4))


def test_elements_that_are_apart():
    x = Tensor((2, 3, 2), "float32")
    main = Part(x)
    result = main("DILATE", [x, number([2, 1, 3]), number(7, "float32")], (3, 3, 4))
    check(serialize(Graph([main.gives(result)])), noise(2, 3, 2))


def gathered(
    shape: tuple[int, ...], indices: Any, axis: int, result: tuple[int, ...], options: Any
) -> bytes:
    x = Tensor(shape, "float32")
    main = Part(x)
    names = ("offsetDims", "collapsedSliceDims", "startIndexMap", "sliceSizes")
    given = dict(zip(names, options, strict=True))
    found = main("STABLEHLO_GATHER", [x, number(indices)], result, indexVectorDim=axis, **given)
    return serialize(Graph([main.gives(found)]))


@pytest.mark.parametrize(
    ("shape", "indices", "axis", "result", "options"),
    [
        ((4, 5), [[3], [-1], [9]], 1, (3, 5), ([1], [0], [0], [1, 5])),
        ((4, 5), [[1, 4], [0, 1]], 1, (2, 3, 2), ([0, 1], [], [1, 0], [2, 3])),
        ((3, 4, 2), [[[2], [0]], [[1], [1]]], 2, (2, 2, 2, 2), ([0, 3], [1], [1], [2, 1, 2])),
    ],
)
def test_slices_at_indices(
    shape: tuple[int, ...], indices: Any, axis: int, result: tuple[int, ...], options: Any
):
    """What reaches beyond is moved inside."""
    check(gathered(shape, indices, axis, result, options), noise(*shape))


def test_rows_at_numbers():
    """LiteRT 2.3.0 crashes where each number is an index of its own."""
    data = gathered((4, 5), [3, 0, 1], 1, (3, 5), ([1], [0], [0], [1, 5]))
    (found,) = Executor(tflite_module(data)).run([noise(4, 5)])
    np.testing.assert_array_equal(found, noise(4, 5)[[3, 0, 1]])


def test_an_operator_with_numbers_as_padding_is_refused_by_name():
    x, filters = Tensor((1, 1, 4), "float32"), Tensor((1, 1, 2), "float32", data=noise(1, 1, 2))
    main = Part(x)
    result = main("STABLEHLO_CONVOLUTION", [x, filters], (1, 1, 3), padding=[0, 0])
    with pytest.raises(DiagnosticException, match="STABLEHLO_CONVOLUTION: it is StableHLO's"):
        tflite_module(serialize(Graph([main.gives(result)])))
