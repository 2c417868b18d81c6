"""Operations that Python builds, by `of`: what does not fit is one line that names the operation."""

from typing import Any

import pytest
from xdsl.dialects import test
from xdsl.dialects.builtin import TensorType, f32
from xdsl.utils.exceptions import VerifyException

from lowstream.dialects import nn
from lowstream.dialects.inferred import InferredOp

ROW = TensorType(f32, [2, 3])
X = test.TestOp(result_types=[ROW])
TWO = test.TestOp(result_types=[ROW, ROW])
SCALAR = test.TestOp(result_types=[f32])


def test_an_operation_with_one_result_is_its_result():
    assert nn.ReluOp.of(X).input is X.results[0]


@pytest.mark.parametrize(
    ("op", "operands", "properties", "message"),
    [
        (nn.ReluOp, [1], {}, "nn.relu: operand 0 is 1, no value; give a value, or an"),
        (nn.AddOp, [X, TWO], {}, "nn.add: operand 1 is test.op with 2 results; give a value, or"),
        (nn.ReluOp, [], {}, "nn.relu: Expected 1 operand, but got 0"),
        (nn.ReluOp, [SCALAR], {}, "nn.relu: operand 'input' at position 0 does not verify: f32"),
        (nn.ReluOp, [X], {"axis": 1}, "nn.relu: unknown property axis; it has none"),
        (nn.SoftmaxOp, [X], {"axes": 1}, "nn.softmax: unknown property axes; it has axis"),
        (nn.SoftmaxOp, [X], {}, "nn.softmax: property axis is missing; give axis=…"),
        (nn.SoftmaxOp, [X], {"axis": "a"}, 'nn.softmax: property axis: "a" should be of base'),
    ],
)
def test_what_does_not_fit(
    op: type[InferredOp], operands: list[Any], properties: dict[str, Any], message: str
):
    with pytest.raises(VerifyException) as error:
        op.of(*operands, **properties)
    assert str(error.value).startswith(message)
    assert "\n" not in str(error.value)
