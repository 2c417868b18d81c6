"""Every example in a docstring is written as ONNX, runs in ONNX Runtime, and is read back."""

from pathlib import Path

import numpy as np
import pytest
from xdsl.ir import Operation

from lowstream import Model, save_model
from lowstream.dialects import nn
from lowstream.interop.mlir import SourceError
from lowstream.test.unit.dialects.test_examples import TENSORS, by_name, inputs_of, read
from lowstream.test.unit.interop.onnx.written import assert_written

INSIDE = 2
"""The greatest index that all examples have: those outside give 0 here, an error there."""


REFUSED: dict[type[Operation], str] = {nn.NmsRotatedOp: "boxes are rotated"}
"""What ONNX cannot say, and the reason."""


@by_name(list(REFUSED))
def test_an_example_is_refused(op: type[Operation], tmp_path: Path):
    with pytest.raises(SourceError, match=REFUSED[op]):
        save_model(Model(read(op)), tmp_path / "m.onnx")


@by_name([op for op in TENSORS if op not in REFUSED])
def test_an_example_is_written(op: type[Operation], tmp_path: Path):
    given = inputs_of(read(op))
    inputs = [x if x.dtype.kind in "fb" else np.asarray(np.minimum(x, INSIDE)) for x in given]
    assert_written(Model(read(op)), tmp_path / "m.onnx", inputs)
