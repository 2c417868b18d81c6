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
    ("builtin", "begin", "options", "said"),
    [
        (
            "ADD",
            1,
            {},
            "its sums do not begin with a constant 0; begin with 0, and add the number a",
        ),
        (
            "MUL",
            1,
            {},
            "reduces windows by MUL; supported are ADD of floating-point numbers, MAXIMUM",
        ),
        (
            "ADD",
            0,
            {"baseDilations": [1, 2]},
            r"base_dilations are \[1, 2\], only 1 is supported; ",
        ),
    ],
)
def test_other_windows_are_refused(builtin: str, begin: float, options: dict[str, Any], said: str):
    with pytest.raises(DiagnosticException, match=rf"^STABLEHLO_REDUCE_WINDOW: {said}"):
        tflite_module(reduced((2, 3), builtin, begin, **options))


def test_an_operator_with_numbers_as_padding_is_refused_by_name():
    x, filters = Tensor((1, 1, 4), "float32"), Tensor((1, 1, 2), "float32", data=noise(1, 1, 2))
    main = Part(x)
    result = main("STABLEHLO_CONVOLUTION", [x, filters], (1, 1, 3), padding=[0, 0])
    with pytest.raises(DiagnosticException, match="STABLEHLO_CONVOLUTION: it is StableHLO's"):
        tflite_module(serialize(Graph([main.gives(result)])))
