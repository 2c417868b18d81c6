"""Boxes taken one after the other: scores that are equal, or none, and boxes that are left over."""

from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from xdsl.dialects.builtin import FloatAttr, IntegerAttr, TensorType, f32, f64, i64
from xdsl.ir import Block

from lowstream.dialects import kernel, nn
from lowstream.lowering.kernel_bodies.bodies import Scalar, build_body, select
from lowstream.lowering.lower_to_kernels import lower
from lowstream.lowering.machine import Isa
from lowstream.reference.executor import Executor
from lowstream.test.unit.dialects.sampling import Sample, module_of
from lowstream.test.unit.lowering.codegen.kernels import VECTOR_ISAS
from lowstream.test.unit.lowering.codegen.native import Native
from lowstream.test.unit.pairwise import each_pair

NONE = -1

ISAS = VECTOR_ISAS


@each_pair(
    isa=ISAS,
    element=[np.float32, np.float64],
    sigma=[0.0, 0.5],
    count=[1, 7, 15, 16, 17, 33, 100],
)
def test_any_number_of_boxes(isa: Isa, element: type[np.floating[Any]], sigma: float, count: int):
    """Crowded boxes, some of them with equal scores, against the operation's meaning."""
    rng = np.random.default_rng(count)
    low = rng.integers(0, 8, (2, count, 2)).astype(element)
    boxes = np.concatenate([low, low + rng.integers(1, 5, (2, count, 2))], -1).astype(element)
    scores = rng.integers(-2, 16, (2, 3, count)).astype(element) / 16
    scores[rng.random(scores.shape) < 0.1] = np.nan
    numbers = {"iou_threshold": 0.3, "score_threshold": 0.05, "soft_nms_sigma": sigma}
    properties = {name: FloatAttr(number, f64) for name, number in numbers.items()}
    sample = Sample([boxes, scores], {**properties, "max_output": IntegerAttr(count, i64)})
    module = module_of(nn.SelectBoxesOp, sample, frozenset())
    wanted, wanted_scores = Executor(module).run(sample.operands)
    found, found_scores = Native(lower(module, isa.name), isa).run(sample.operands)
    np.testing.assert_array_equal(found, wanted)
    np.testing.assert_allclose(found_scores, wanted_scores, rtol=1e-6)


@pytest.mark.parametrize("rows", [1, 2])
def test_the_first_of_equal_scores_is_taken_and_nan_never(rows: int):
    """Boxes 0 to 3 are one, 4 to 6 lie alone."""
    low = np.array([[0, 0]] * 4 + [[2, 2], [4, 4], [6, 6]], np.float32)
    boxes = np.repeat(np.concatenate([low, low + 1], 1)[None], rows, 0)
    x = np.array([[0.5, 0.9, 0.9, 0.1, 0.9, np.nan, 0.2], [np.nan] * 6 + [np.inf]], np.float32)
    numbers = {"iou_threshold": 1.0, "score_threshold": 0.2}
    properties = {name: FloatAttr(number, f64) for name, number in numbers.items()}
    sample = Sample(
        [boxes, np.repeat(x[None], rows, 0)], {**properties, "max_output": IntegerAttr(4, i64)}
    )
    isa = ISAS[0]
    module = module_of(nn.SelectBoxesOp, sample, frozenset())
    found, scores = Native(lower(module, isa.name), isa).run(sample.operands)
    for row in range(rows):
        np.testing.assert_array_equal(found[row], [[1, 4, NONE, NONE], [6, NONE, NONE, NONE]])
        wanted = np.array([[0.9, 0.9, 0, 0], [np.inf, 0, 0, 0]], np.float32)
        np.testing.assert_array_equal(scores[row], wanted)


@pytest.mark.parametrize("isa", ISAS, ids=lambda isa: isa.name)
@settings(max_examples=25)
@given(
    data=st.data(),
    element=st.sampled_from([np.float32, np.float64]),
    count=st.integers(0, 70),
    iou_threshold=st.sampled_from([0.0, 0.25, 0.6, 1.0, 1.5]),
    score_threshold=st.sampled_from([-np.inf, 0.0, 0.5, 1.0]),
    levels=st.sampled_from([1, 4, 1000]),
    extent=st.sampled_from([1, 4, 30]),
    seed=st.integers(0, 1000),
)
def test_what_is_removed_and_in_which_order(
    isa: Isa,
    data: st.DataObject,
    element: type[np.floating[Any]],
    count: int,
    iou_threshold: float,
    score_threshold: float,
    levels: int,
    extent: int,
    seed: int,
):
    """Fewer boxes than fill a vector, or many vectors; equal boxes, boxes without area, many equal scores."""
    rng = np.random.default_rng(seed)
    low = rng.integers(0, extent, (2, count, 2))
    boxes = np.concatenate([low, low + rng.integers(0, 6, (2, count, 2))], -1).astype(element)
    scores = (rng.integers(0, levels + 1, (2, 2, count)) / levels).astype(element)
    scores[rng.random(scores.shape) < 0.05] = np.nan
    scores[rng.random(scores.shape) < 0.05] = np.inf
    numbers = {"iou_threshold": iou_threshold, "score_threshold": score_threshold}
    properties = {name: FloatAttr(number, f64) for name, number in numbers.items()}
    most = data.draw(st.integers(0, count), "max_output")
    sample = Sample([boxes, scores], {**properties, "max_output": IntegerAttr(most, i64)})
    module = module_of(nn.SelectBoxesOp, sample, frozenset())
    wanted = Executor(module).run(sample.operands)
    native = Native(lower(module, isa.name), isa)
    native.run([boxes, np.full_like(scores, np.inf)])  # leaves numbers and scores in the room
    found = native.run(sample.operands)
    for have, want in zip(found, wanted, strict=True):
        np.testing.assert_array_equal(have, want)


def removed(condition: Scalar, score: Scalar) -> Scalar:
    return select(condition, -np.inf, score)


def kept(condition: Scalar, score: Scalar) -> Scalar:
    return select(condition, score, -np.inf)


def cleared(condition: Scalar, score: Scalar) -> Scalar:
    return select(condition, 0.0, score)


def doubled(condition: Scalar, score: Scalar) -> Scalar:
    return select(condition, -np.inf, score + score)


def lessened(condition: Scalar, score: Scalar) -> Scalar:
    return score - 1


@pytest.mark.parametrize(
    ("rescored", "only_removes"),
    [(removed, True), (kept, True), (cleared, False), (doubled, False), (lessened, False)],
)
def test_a_body_that_only_removes(rescored: Any, only_removes: bool):
    def body(score: Scalar, taken: Scalar, other: Scalar) -> Scalar:
        return rescored(taken >= other, score)

    types = [TensorType(f32, shape) for shape in ((1, 8, 1), (1, 2, 8))]
    boxes, scores = Block(arg_types=types).args
    op = kernel.NonMaxSuppressionOp(boxes, scores, 3, build_body([f32] * 3, body))
    op.verify()
    assert op.only_removes == only_removes
