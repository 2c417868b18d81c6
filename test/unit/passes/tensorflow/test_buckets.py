"""TensorFlow's Bucketize: the interval that each element falls into."""

import numpy as np
import pytest
from xdsl.utils.exceptions import DiagnosticException

from lowstream.passes.pipeline import run_passes
from lowstream.reference.executor import Executor
from lowstream.test.unit.passes.tensorflow.test_operations import X, Y, module, unary


@pytest.mark.parametrize("boundaries", ["[-0.5, 0.0, 1.0]", "array<f32: -0.5, 0.0, 1.0>", "[]"])
def test_buckets(boundaries: str):
    parsed = module(unary("Bucketize", f"boundaries = {boundaries}"))
    run_passes(parsed, "legalize-tf-to-nn")
    x = X.copy()
    x[0, 0] = [-0.5, 0, 1, -1]
    (found,) = Executor(parsed).run([x, Y])
    limits = [] if boundaries == "[]" else [-0.5, 0.0, 1.0]
    np.testing.assert_array_equal(found, np.digitize(x, limits) if limits else np.zeros(x.shape))


@pytest.mark.parametrize(
    ("boundaries", "message"),
    [
        ("[1.0, 0.0]", r"tf.Bucketize: its boundaries \[1.0, 0.0\] are not sorted; sort them"),
        ("[1 : i64]", "attribute 'boundaries' is .* must be a list of floating-point numbers"),
    ],
)
def test_buckets_are_refused(boundaries: str, message: str):
    with pytest.raises(DiagnosticException, match=message):
        run_passes(module(unary("Bucketize", f"boundaries = {boundaries}")), "legalize-tf-to-nn")
