"""Squeeze without axes of sizes that are unknown, as `squeeze()` of PyTorch is exported."""

from collections.abc import Sequence
from pathlib import Path

import onnx
import pytest
from onnx import helper

from lowstream import compile_model, read_model
from lowstream.test.unit.interop.onnx.graphs import FLOAT, check, model, node, random
from lowstream.test.unit.interop.onnx.test_errors import message_of


def squeezed(declared: Sequence[int | str] | None) -> onnx.ModelProto:
    nodes = [node("Relu", "x", "r"), node("Squeeze", "r", "s"), node("Neg", "s", "y")]
    proto = model(nodes, {"x": (FLOAT, ["batch", 1, 4])}, "y")
    if declared is not None:
        proto.graph.output[0].CopyFrom(helper.make_tensor_value_info("y", FLOAT, declared))
    return proto


@pytest.mark.parametrize(("declared", "batch"), [(["batch"], 1), ([4], 1), (["batch", 4], 3)])
def test_the_declared_rank_says_what_is_one(declared: Sequence[int | str], batch: int):
    check(squeezed(declared), {"x": random(batch, 1, 4)})


def test_a_size_that_is_not_one_after_all():
    request = compile_model(read_model(squeezed([4]))).create_infer_request()
    with pytest.raises(RuntimeError, match="dimension 0 is 2, only 1 can be squeezed"):
        request.infer({"x": random(2, 1, 4)})


@pytest.mark.parametrize("declared", [None, [1, 1, 4]])
def test_ranks_that_do_not_say_it(declared: Sequence[int] | None, tmp_path: Path):
    assert "Squeeze 's': neither with its unknown sizes nor without" in message_of(
        squeezed(declared), tmp_path
    )
