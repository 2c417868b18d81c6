"""Boxes of detectors that stay, as LiteRT chooses them."""

from typing import Any, cast

import numpy as np
import pytest
from flatbuffers import flexbuffers  # pyright: ignore[reportMissingTypeStubs]
from xdsl.utils.exceptions import DiagnosticException

import lowstream
from lowstream.interop.tflite import tflite_module
from lowstream.reference.arrays import Array
from lowstream.reference.executor import Executor
from lowstream.test.unit.interop.tflite.graph import Graph, Operator, Tensor
from lowstream.test.unit.interop.tflite.put_together import Part, by_litert, number
from lowstream.test.unit.interop.tflite.serialize import serialize

OPTIONS = {
    "max_detections": 5,
    "max_classes_per_detection": 1,
    "detections_per_class": 4,
    "use_regular_nms": False,
    "nms_score_threshold": 0.25,
    "nms_iou_threshold": 0.5,
    "num_classes": 3,
    "y_scale": 10.0,
    "x_scale": 10.0,
    "h_scale": 5.0,
    "w_scale": 5.0,
}


def suppression(
    name: str, boxes: int, count: int, iou: float, least: float, sigma: float = 0.0
) -> bytes:
    """A file of a builtin that chooses among so many boxes."""
    x, scores = Tensor((boxes, 4), "float32"), Tensor((boxes,), "float32")
    thresholds = [number(each, "float32") for each in (iou, least)]
    indices, best = Tensor((count,), "int32"), Tensor((count,), "float32")
    found = Tensor((), "int32")
    part, soft = Part(x, scores), name.endswith("5")
    if soft:
        thresholds.append(number(sigma, "float32"))
    results = [indices, best, found] if soft else [indices, found]
    operator = Operator(name, [x, scores, number(count), *thresholds], results)
    part.graph.operators.append(operator)
    return serialize(Graph([part.gives(*results)]))


@pytest.mark.parametrize("name", ["NON_MAX_SUPPRESSION_V4", "NON_MAX_SUPPRESSION_V5"])
@pytest.mark.parametrize("count", [3, 20])
@pytest.mark.parametrize("seed", range(3))
def test_boxes_that_stay(name: str, count: int, seed: int):
    """Corners come in any order; there are fewer boxes than may stay, or more."""
    random = np.random.default_rng(seed)
    boxes = random.uniform(0, 1, (12, 4)).astype(np.float32)
    scores = random.permutation(12).astype(np.float32) / 12
    data = suppression(name, 12, count, 0.3, 0.2)
    wanted = by_litert(data, [boxes, scores])
    have = Executor(tflite_module(data)).run([boxes, scores])
    assert have[-1] == wanted[-1] > 2
    for one, other in zip(have[:-1], wanted[:-1], strict=True):
        np.testing.assert_array_equal(one[: have[-1]], other[: have[-1]])
        assert not one[have[-1] :].any()


def test_an_overlap_that_reaches_the_threshold():
    boxes = np.array([[0, 0, 2, 1], [1, 0, 2, 1]], np.float32)  # half of it
    data = suppression("NON_MAX_SUPPRESSION_V4", 2, 2, 0.5, 0)
    inputs = [boxes, np.array([1, 0.5], np.float32)]
    assert Executor(tflite_module(data)).run(inputs)[1] == by_litert(data, inputs)[1]


def test_scores_that_only_shrink():
    data = suppression("NON_MAX_SUPPRESSION_V5", 3, 3, 1.0, 0.1, sigma=0.5)
    boxes = np.array([[0, 0, 1, 1], [0, 0.1, 1, 1], [0, 0.5, 1, 1]], np.float32)
    inputs = [boxes, np.array([0.9, 0.85, 0.8], np.float32)]
    for one, other in zip(
        Executor(tflite_module(data)).run(inputs), by_litert(data, inputs), strict=True
    ):
        np.testing.assert_allclose(one, other, rtol=1e-5)
    with pytest.raises(
        DiagnosticException, match=r"a soft_nms_sigma of 0\.5 beside an iou_threshold"
    ):
        tflite_module(suppression("NON_MAX_SUPPRESSION_V5", 3, 3, 0.5, 0.1, sigma=0.5))


def detector(boxes: int, anchors: Array, left_out: str = "", **options: Any) -> bytes:
    """A file of the last operation of an SSD model, with four scores for each box."""
    x, scores = Tensor((1, boxes, 4), "float32"), Tensor((1, boxes, 4), "float32")
    count = OPTIONS["max_detections"]
    shapes = [(1, count, 4), (1, count), (1, count), (1,)]
    results = [Tensor(cast(Any, shape), "float32") for shape in shapes]
    given = {name: each for name, each in {**OPTIONS, **options}.items() if name != left_out}
    made = cast(Any, flexbuffers).Dumps(given)
    operator = Operator(
        "CUSTOM",
        [x, scores, Tensor(anchors.shape, "float32", "anchors", anchors)],
        results,
        custom="TFLite_Detection_PostProcess",
        custom_options=bytes(made),
    )
    part = Part(x, scores)
    part.graph.operators.append(operator)
    return serialize(Graph([part.gives(*results)]))


@pytest.mark.parametrize("regular", [False, True])
@pytest.mark.parametrize("classes", [3, 4])
@pytest.mark.parametrize("seed", range(4))
def test_detections(regular: bool, classes: int, seed: int):
    """Of three classes the first score is the background's."""
    random = np.random.default_rng(seed)
    anchors = random.uniform(0.2, 0.8, (9, 4)).astype(np.float32)
    boxes = random.normal(0, 2, (1, 9, 4)).astype(np.float32)
    scores = (random.permutation(36).astype(np.float32) / 36).reshape(1, 9, 4)
    data = detector(9, anchors, use_regular_nms=regular, num_classes=classes)
    wanted = by_litert(data, [boxes, scores])
    have = Executor(tflite_module(data)).run([boxes, scores])
    assert have[3] == wanted[3] > 0
    for one, other in zip(have[:3], wanted[:3], strict=True):
        count = int(have[3][0])
        np.testing.assert_allclose(one[:, :count], other[:, :count], rtol=1e-5, atol=1e-6)
        assert not one[:, count:].any()


def test_detections_are_compiled():
    random = np.random.default_rng(5)
    anchors = random.uniform(0.2, 0.8, (9, 4)).astype(np.float32)
    inputs = [random.normal(0, 2, (1, 9, 4)), random.uniform(0, 1, (1, 9, 4))]
    inputs = [each.astype(np.float32) for each in inputs]
    module = tflite_module(detector(9, anchors))
    found = lowstream.compile_model(module).create_infer_request().infer(inputs)
    wanted = Executor(module).run(inputs)
    assert wanted[3] > 0
    for one, other in zip(found, wanted, strict=True):
        np.testing.assert_allclose(one, other, rtol=1e-5, atol=1e-6)


def test_what_is_not_read_of_detections():
    anchors = np.ones((9, 4), np.float32)
    with pytest.raises(DiagnosticException, match="use max_classes_per_detection = 1"):
        tflite_module(detector(9, anchors, max_classes_per_detection=2))
    with pytest.raises(DiagnosticException, match="PostProcess: no option h_scale"):
        tflite_module(detector(9, anchors, left_out="h_scale"))
