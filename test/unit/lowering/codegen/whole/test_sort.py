"""Orders, by insertion and by merging, of numbers of which some are equal and some are none."""

from collections.abc import Sequence

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from xdsl.dialects.builtin import IntegerAttr, ModuleOp, StringAttr, i64

from lowstream.dialects import nn
from lowstream.dialects.kernel.whole import SELECTED, SortOp
from lowstream.lowering.codegen.whole.sort import SortKernel
from lowstream.lowering.lower_to_kernels import lower
from lowstream.lowering.machine import available_isas
from lowstream.lowering.nn_to_kernels.sorting import FEW
from lowstream.reference.arrays import Array
from lowstream.test.unit.dialects.sampling import Sample, module_of
from lowstream.test.unit.lowering.codegen.judge import check
from lowstream.test.unit.lowering.codegen.kernels import VECTOR_ISAS
from lowstream.test.unit.lowering.codegen.native import Native
from lowstream.test.unit.pairwise import each_pair

SIZE = 2 * FEW + 3
LARGE = SELECTED * (FEW + 1) + 7


def sorted_rows(x: Array, count: int, mode: str) -> Sequence[Array]:
    """The first elements of rows in order, as machine code gives them, and where they lay."""
    isa = available_isas()[0]
    return Native(lower(top_k_module(x, count, mode), isa.name), isa).run([x])


def top_k_module(x: Array, count: int, mode: str, axis: int = 1) -> ModuleOp:
    """The first elements of rows in order."""
    properties = {
        "axis": IntegerAttr(axis, i64),
        "mode": StringAttr(mode),
        "sort": StringAttr("value"),
    }
    return module_of(nn.TopKOp, Sample([x, np.array(count)], properties), frozenset({1}))


@pytest.mark.parametrize("kind", ["f2", "f4", "f8"])
@pytest.mark.parametrize("count", [1, FEW, SIZE])
@pytest.mark.parametrize("mode", ["max", "min"])
def test_nan_is_greater_than_any_number_and_equal_ones_stay_in_order(
    kind: str, count: int, mode: str
):
    x = np.random.default_rng(count).integers(-9, 9, (2, SIZE)).astype(kind)
    x[:, ::2] *= -1  # zeros of both signs are equal
    x[0, 3::7], x[1, :] = np.nan, np.nan
    values, indices = sorted_rows(x, count, mode)
    keys = np.where(np.isnan(x), np.inf, x)
    order = np.argsort(-keys if mode == "max" else keys, 1, kind="stable")[:, :count]
    np.testing.assert_array_equal(indices, order)
    np.testing.assert_array_equal(values, np.take_along_axis(x, order, 1))


@pytest.mark.parametrize(
    ("module", "algorithm", "vectors"),
    [
        (top_k_module(np.zeros((2, LARGE), "f8"), FEW + 1, "max"), "selection", 0),
        (top_k_module(np.zeros((2, SIZE), "f8"), FEW, "max"), "insertion", 0),
        (module_of(nn.NonZeroOp, Sample([np.zeros(9, bool)], {}), frozenset()), "partition", 2),
    ],
    ids=["selection", "insertion", "partition"],
)
def test_how_rows_are_sorted_is_decided_before_emission(
    module: ModuleOp, algorithm: str, vectors: int
):
    isa = available_isas()[0]
    (op,) = (op for op in lower(module, isa.name).walk() if isinstance(op, SortOp))
    sort = SortKernel.of(op, isa)
    assert (sort.algorithm, sort.vectors(4)) == (algorithm, vectors)


KINDS = ["f4", "f2", "f8", "i8", "u8", "i4", "u4", "i1", "u1"]


@each_pair(kind=KINDS, axis=[0, 1, 2], mode=["max", "min"])
def test_the_first_one_along_any_axis(kind: str, axis: int, mode: str):
    """Of equal ones the first, both zeros too; of lines of NaN and infinity; of the ends of integers."""
    rng = np.random.default_rng(axis)
    x = rng.integers(0, 5, (5, 18, 21)).astype(kind)
    if np.issubdtype(x.dtype, np.floating):
        x[rng.random(x.shape) < 0.6] = -0.0
        x[:, ::2], x[..., ::3] = np.inf if mode == "min" else -np.inf, np.nan
    else:
        ends = np.iinfo(x.dtype)
        x[:, ::2], x[..., ::3], x[::2, 1::2] = ends.max, ends.min, ends.max
    first = x.argmax(axis) if mode == "max" else np.argsort(x, axis, kind="stable").take(0, axis)
    number = np.expand_dims(first, axis)
    for isa in VECTOR_ISAS:
        values, indices = Native(lower(top_k_module(x, 1, mode, axis), isa.name), isa).run([x])
        np.testing.assert_array_equal(indices, number)
        assert values.tobytes() == np.take_along_axis(x, number, axis).tobytes()


@pytest.mark.parametrize("count", [3, SIZE])
@pytest.mark.parametrize("mode", ["max", "min"])
def test_true_is_greater_than_false(count: int, mode: str):
    x = np.random.default_rng(count).random((2, SIZE)) < 0.4
    values, indices = sorted_rows(x, count, mode)
    order = np.argsort(x ^ (mode == "max"), 1, kind="stable")[:, :count]
    np.testing.assert_array_equal(indices, order)
    np.testing.assert_array_equal(values, np.take_along_axis(x, order, 1))


@each_pair(size=[1, 16, 17, 100], share=[0, 0.02, 0.5, 0.98, 1], mode=["max", "min"])
def test_booleans_go_by_vectors(size: int, share: float, mode: str):
    x = np.random.default_rng(size).random((2, size)) < share
    order = np.argsort(x ^ (mode == "max"), 1, kind="stable")
    for isa in VECTOR_ISAS:
        _, indices = Native(lower(top_k_module(x, size, mode), isa.name), isa).run([x])
        np.testing.assert_array_equal(indices, order)


@pytest.mark.parametrize("mode", ["min", "max"])
@pytest.mark.parametrize("kind", ["int64", "uint64"])
@pytest.mark.parametrize("count", [FEW + 1, SIZE])
def test_both_halves_of_elements_of_64_bits_decide(kind: str, count: int, mode: str):
    """Of either sign, equal in one half or in both; equal ones stay in order."""
    rng = np.random.default_rng(count)
    words = rng.choice(np.array([0, 1, 2**31 - 1, 2**31, 2**32 - 1], np.uint64), (2, 2, SIZE))
    x = (words[0] << np.uint64(32) | words[1]).view(kind)
    values, indices = sorted_rows(x, count, mode)
    order = np.argsort(~x if mode == "max" else x, 1, kind="stable")[:, :count]
    np.testing.assert_array_equal(indices, order)
    np.testing.assert_array_equal(values, np.take_along_axis(x, order, 1))


@settings(max_examples=30)
@given(
    size=st.integers(SELECTED * (FEW + 1), 3 * LARGE),
    spread=st.sampled_from([1, 5, 10000]),
    arranged=st.sampled_from(["any", "up", "down"]),
    mode=st.sampled_from(["max", "min"]),
    kind=st.sampled_from(["f4", "f8"]),
    seed=st.integers(0, 1000),
)
def test_the_first_are_selected_of_many(
    size: int, spread: int, arranged: str, mode: str, kind: str, seed: int
):
    """However elements lie, and however many are equal, those that are kept are the first of all in order."""
    x = np.random.default_rng(seed).integers(0, spread, (2, size)).astype(kind)
    x[1, ::9] = np.nan
    if arranged != "any":
        x = np.sort(x, 1)[:, :: 1 if arranged == "up" else -1].copy()
    values, indices = sorted_rows(x, FEW + 1, mode)
    keys = np.where(np.isnan(x), np.inf, x)
    order = np.argsort(-keys if mode == "max" else keys, 1, kind="stable")[:, : FEW + 1]
    np.testing.assert_array_equal(indices, order)
    np.testing.assert_array_equal(values, np.take_along_axis(x, order, 1))


@pytest.mark.parametrize("size", [LARGE - 8, LARGE])
def test_what_is_selected_is_what_it_means(size: int):
    """On each instruction set, with what is left of the room: of one less, all elements are sorted."""
    x = np.random.default_rng(size).integers(0, 99, (2, size)).astype(np.float64)
    for isa in VECTOR_ISAS:
        check(lower(top_k_module(x, FEW + 1, "max"), isa.name), isa, [x])
