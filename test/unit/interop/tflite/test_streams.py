"""Files of fixed lengths become models of one step: what errors advise is followed until nothing is in the way."""

import re
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest
from xdsl.utils.exceptions import DiagnosticException

import lowstream
from lowstream.dialects import infra
from lowstream.interop.model import Model
from lowstream.interop.tflite import tflite_bytes, tflite_module
from lowstream.passes.reshape import reshape
from lowstream.test.unit.interop.tflite.put_together import noise

FILES = Path(__file__).parent / "files"


def as_it_is(name: str) -> Model:
    return lowstream.read_model(str(FILES / name))


def written_again(name: str) -> Model:
    """Loops are other operators in the files that we write."""
    return Model(tflite_module(tflite_bytes(as_it_is(name).module)))


def follow_advice(model: Model, shape: str) -> list[str]:
    """Reshapes input 0. Returns what was run before that was possible, the first of each error's ways out."""
    done = list[str]()
    while (error := error_of_reshape(model, shape)) is not None:
        advice = re.search(r"\((relax-constants|replace-constant\{.*?\}|trim\{.*?\})\)", error)
        assert advice is not None, error
        assert advice[1] not in done, "it was followed already"
        lowstream.run_passes(model, advice[1])
        done.append(advice[1])
    return done


def error_of_reshape(model: Model, shape: str) -> str | None:
    try:
        reshape(model.module, {0: shape})
    except DiagnosticException as error:
        return str(error)
    return None


def test_low_latency2_names_all_that_leaves_one_iteration(caplog: pytest.LogCaptureFixture):
    lowstream.run_passes(as_it_is("stream.tflite"), "low-latency2")
    passes = "--relax-constants --reshape x=1x1x3 --low-latency2"
    assert f"for one, reshape first: {passes}" in caplog.text


@pytest.mark.parametrize("read", [as_it_is, written_again])
@pytest.mark.parametrize(
    ("name", "whole", "axis"),
    [
        ("gru.tflite", (2, 5, 3), 1),
        ("stream.tflite", (1, 5, 3), 1),
        ("stream_last.tflite", (1, 5, 3), 1),
    ],
)
def test_a_file_becomes_a_stream(
    read: Callable[[str], Model], name: str, whole: tuple[int, ...], axis: int
):
    x = noise(*whole)
    expected = lowstream.compile_model(as_it_is(name)).create_infer_request().infer([x])
    model = read(name)
    one = "x".join(str(1 if i == axis else size) for i, size in enumerate(whole))
    assert len(follow_advice(model, one)) <= 1
    lowstream.run_passes(model, "low-latency2")
    assert not any(isinstance(op, infra.IteratorOp) for op in model.module.walk())
    request = lowstream.compile_model(model).create_infer_request()
    steps = [
        [np.array(result) for result in request.infer([part])]
        for part in np.split(x, whole[axis], axis)
    ]
    for found, wanted in zip(zip(*steps, strict=True), expected, strict=True):
        is_sequence = np.shape(wanted)[1:2] == (whole[axis],)
        streamed = np.concatenate(found, axis) if is_sequence else found[-1]
        np.testing.assert_allclose(streamed, wanted, rtol=1e-5, atol=1e-6)
