"""LSTMs with peepholes and coupled gates, in both directions, and with the batch in front."""

from typing import Any

import numpy as np
import pytest

from lowstream import compile_model, read_model
from lowstream.test.unit.interop.onnx.graphs import FLOAT, INT32, check, model, node

STEPS, BATCH, INPUT, HIDDEN = 3, 2, 4, 5
RANDOM = np.random.default_rng(6)
WEIGHTS = {
    name: RANDOM.normal(size=(2, *shape)).astype(np.float32)
    for name, shape in {
        "w": (4 * HIDDEN, INPUT),
        "r": (4 * HIDDEN, HIDDEN),
        "b": (8 * HIDDEN,),
        "p": (3 * HIDDEN,),
    }.items()
}
X = RANDOM.normal(size=(STEPS, BATCH, INPUT)).astype(np.float32)


def layer(shape: tuple[int | str, ...], lengths: str = "-", **attributes: Any):
    return model(
        [
            node(
                "LSTM", f"x w r b {lengths} - - p", "y h c",
                hidden_size=HIDDEN, direction="bidirectional", clip=2.0, **attributes,
            )
        ],
        {"x": (FLOAT, shape)} | ({} if lengths == "-" else {"lengths": (INT32, ["batch"])}),
        "y h c",
        WEIGHTS,
    )  # fmt: skip


@pytest.mark.parametrize("shape", [X.shape, ("steps", "batch", INPUT)], ids=["known", "unknown"])
def test_sequences_may_have_lengths_of_their_own(shape: tuple[int | str, ...]):
    """Behind its end a sequence gives zeros, and its states stay; backwards it begins at its end."""
    check(layer(shape, "lengths"), {"x": X, "lengths": np.array([2, 3], np.int32)})


def test_gates_see_the_cell():
    check(layer(X.shape), {"x": X})
    check(layer(X.shape, input_forget=1), {"x": X})


def test_the_batch_may_come_first():
    results, transposed = (
        list(compile_model(read_model(layer(x.shape, layout=n)))([x]).values())
        for n, x in enumerate((X, X.transpose(1, 0, 2)))
    )
    np.testing.assert_allclose(transposed[0], results[0].transpose(2, 0, 1, 3), rtol=1e-6)
    for have, want in zip(transposed[1:], results[1:], strict=True):
        np.testing.assert_allclose(have, want.transpose(1, 0, 2), rtol=1e-6)


def test_sizes_may_be_unknown():
    check(layer(("steps", "batch", INPUT)), {"x": X})
    results = compile_model(read_model(layer(("batch", "steps", INPUT), layout=1)))(
        [X.transpose(1, 0, 2)]
    )
    wanted = compile_model(read_model(layer(X.shape)))([X])
    np.testing.assert_allclose(results[0], wanted[0].transpose(2, 0, 1, 3), rtol=1e-6)
