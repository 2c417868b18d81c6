"""Every operation of `nn`, written and run in LiteRT, gives what the reference gives."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from xdsl.dialects.builtin import DYNAMIC_INDEX, ModuleOp
from xdsl.ir import Operation
from xdsl.utils.exceptions import DiagnosticException

from lowstream.dialects import nn, qnn, rnn
from lowstream.dialects.inferred import InferredOp, shape_of
from lowstream.dialects.walk import all_operations
from lowstream.interop.tflite import tflite_module
from lowstream.passes.decompose_ops import decompose_all
from lowstream.passes.nn_to_tfl.writer import EMITTERS
from lowstream.passes.pipeline import run_passes
from lowstream.reference.executor import Executor
from lowstream.test.unit.dialects.examples import example_of
from lowstream.test.unit.dialects.sampling import Kind, Sample, module_of
from lowstream.test.unit.dialects.test_inference import draw_from, sampler_of
from lowstream.test.unit.interop.tflite.interpreter import LiteRt
from lowstream.test.unit.interop.tflite.test_recurrent import noise, parsed, written_and_read

OPERATIONS = [
    op
    for dialect in (nn.Nn, qnn.Qnn, rnn.Rnn)
    for op in dialect.operations
    if issubclass(op, InferredOp)
]

POSITIVE = (nn.LogOp, nn.SqrtOp, nn.PowerOp, nn.RangeOp)
"""Operations that are not defined below 0."""


def written_or_refused(module: ModuleOp, name: str) -> LiteRt | None:
    """The model, or None where the error names the operation, or the constant that it was folded to."""
    try:
        return LiteRt(module)
    except DiagnosticException as error:
        if name in str(error) or "nn.constant" in str(error):
            return None
        raise


UNREADABLE = tuple(op for op in rnn.Rnn.operations if issubclass(op, rnn.SequenceOp))
"""Operations that are written as loops, which are not read."""


def is_sized(op: Operation) -> bool:
    """Whether sizes of operands say those of results; elements that decide them are no shape LiteRT cuts to."""
    shapes = [shape_of(value) for value in (*op.operands, *op.results)]
    return not any(DYNAMIC_INDEX in shape for shape in shapes)


def is_known(op: type[Operation]) -> bool:
    """Whether LiteRT has operators for an operation, or for all that its example is decomposed into."""
    if op in EMITTERS or op in UNREADABLE:
        return True
    module = example_of(op)
    if not all(is_sized(each) for each in module.walk() if isinstance(each, op)):
        return False
    decompose_all(all_operations(module), lambda _: True)
    run_passes(module, "decompose-cells")
    parts = {type(each) for each in module.walk() if isinstance(each, InferredOp)}
    return op not in parts and all(part in EMITTERS for part in parts)


PARTLY = (nn.FakeConvertOp, nn.RandomUniformOp, nn.UniqueOp)
"""Operations of which LiteRT has all parts, but not for the types or results that samples have."""


def read_back(model: LiteRt) -> ModuleOp | None:
    try:
        return tflite_module(model.data)
    except DiagnosticException as error:
        if "WHILE" in str(error):
            return None
        raise


@pytest.mark.parametrize("op", OPERATIONS, ids=lambda op: op.name)
def test_litert_computes_what_the_reference_does(op: Kind):
    written, known = 0, op not in PARTLY and is_known(op)

    @settings(max_examples=6 if known else 3)  # which operators there are does not depend on sizes
    @given(data=st.data())
    def check(data: st.DataObject):
        nonlocal written
        sample = sampler_of(op)(op, draw_from(data))
        operands = list(sample.operands)
        if (dtype := operands[0].dtype).kind == "f" and op not in POSITIVE:
            operands[0] = (operands[0] * 0.37 - 1).astype(dtype)
        constant = set(sample.constant)
        constant |= {i for i, operand in enumerate(operands) if i and operand.dtype == np.int64}
        if len(operands) > 1 and data.draw(st.booleans()):
            constant.add(len(operands) - 1)
        sample = Sample(operands, sample.properties, frozenset(constant))
        module = module_of(op, sample, sample.constant)
        module.verify()
        inputs = [operand for i, operand in enumerate(operands) if i not in constant]
        expected = Executor(module).run(inputs)
        if (model := written_or_refused(module, op.name)) is None:
            return
        written += 1
        again = read_back(model)
        assert again is not None or op in UNREADABLE
        found = [model.run(inputs)]
        if again is not None:
            found.append(Executor(again).run(inputs))
        for ours, reference in [
            pair for each in found for pair in zip(each, expected, strict=True)
        ]:
            assert ours.shape == reference.shape and ours.dtype == reference.dtype
            exact = reference.dtype.kind != "f"
            tolerance = 0 if exact else 1e-2 if reference.dtype == np.float16 else 1e-5
            np.testing.assert_allclose(
                ours.astype(np.float64), reference.astype(np.float64), tolerance, tolerance
            )

    check()
    assert bool(written) == known


SPLIT = """
func.func @main(%x: tensor<2x4xf32>) -> (tensor<2x1xf32>, tensor<2x3xf32>) {
  %axis = nn.constant dense<1> : tensor<i64>
  %lengths = nn.constant dense<[1, 3, 0]> : tensor<3xi64>
  %a, %b, %c = nn.variadic_split %x, %axis, %lengths : (tensor<2x4xf32>, tensor<i64>, tensor<3xi64>)
      -> (tensor<2x1xf32>, tensor<2x3xf32>, tensor<2x0xf32>)
  func.return %a, %b : tensor<2x1xf32>, tensor<2x3xf32>
}
"""


def test_an_empty_part_that_nothing_uses_is_not_written():
    """As Keras splits what a GRU makes of its state."""
    written_and_read(parsed(SPLIT), [noise(2, 4)])
