"""Every example in a docstring is written as ONNX, runs in ONNX Runtime, and is read back."""

from pathlib import Path

import numpy as np
from xdsl.ir import Operation

from lowstream import Model
from lowstream.test.unit.dialects.test_examples import TENSORS, by_name, inputs_of, read
from lowstream.test.unit.interop.onnx.written import assert_written

INSIDE = 2
"""The greatest index that all examples have: those outside give 0 here, an error there."""


@by_name(TENSORS)
def test_an_example_is_written(op: type[Operation], tmp_path: Path):
    given = inputs_of(read(op))
    inputs = [x if x.dtype.kind in "fb" else np.asarray(np.minimum(x, INSIDE)) for x in given]
    assert_written(Model(read(op)), tmp_path / "m.onnx", inputs)
