"""What operations say that they have in common holds for what the reference computes."""

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from lowstream.dialects import nn, rnn
from lowstream.dialects.inferred import InferredOp
from lowstream.dialects.traits import (
    Broadcasts,
    DataMovement,
    Elementwise,
    MovesOrFillsWithZero,
    Multiplies,
    moved_data,
    multiplied,
)
from lowstream.reference.meaning import evaluate
from lowstream.test.unit.dialects.sampling import Kind, Sample, type_of
from lowstream.test.unit.dialects.test_inference import (
    OPERATIONS,
    build,
    draw_from,
    sampler_of,
)


def having(trait: type[Any]) -> Callable[[Any], Any]:
    ops = [op for op in OPERATIONS if op.get_trait(trait) is not None]
    assert ops
    return pytest.mark.parametrize("op", ops, ids=lambda op: op.name)


def drawn(op: Kind, data: st.DataObject) -> tuple[Sample, InferredOp]:
    sample = sampler_of(op)(op, draw_from(data))
    return sample, build(op, sample, [type_of(operand) for operand in sample.operands])


@having(DataMovement)
@settings(max_examples=10)
@given(data=st.data())
def test_what_is_moved_was_there(op: Kind, data: st.DataObject):
    sample, instance = drawn(op, data)
    numbers = [list(instance.operands).index(operand) for operand in moved_data(instance)]
    if not numbers:  # it puts elements together
        return
    there = np.concatenate([sample.operands[i].reshape(-1) for i in numbers])
    for result in evaluate(instance, sample.operands):
        assert np.isin(result, there).all()


@having(MovesOrFillsWithZero)
@settings(max_examples=10)
@given(data=st.data())
def test_what_is_moved_was_there_or_is_zero(op: Kind, data: st.DataObject):
    sample, instance = drawn(op, data)
    there = np.append(sample.operands[0].reshape(-1), 0)
    for result in evaluate(instance, sample.operands):
        assert np.isin(result, there).all()


@having(Elementwise)
@settings(max_examples=10)
@given(data=st.data())
def test_equal_elements_give_equal_elements(op: Kind, data: st.DataObject):
    sample, instance = drawn(op, data)
    equal = [np.full_like(x, x.reshape(-1)[0] if x.size else 0) for x in sample.operands]
    (result,) = evaluate(instance, equal)
    shapes = [x.shape for x in sample.operands]
    is_broadcast = op.get_trait(Broadcasts) is not None
    assert result.shape == (np.broadcast_shapes(*shapes) if is_broadcast else shapes[0])
    assert len(np.unique(result)) <= 1
    (one,) = evaluate(instance, [x.reshape(-1)[:1] for x in equal])
    assert not result.size or np.array_equal(one, result.reshape(-1)[:1], equal_nan=True)


@pytest.mark.parametrize(
    "op", [op for op in OPERATIONS if multiplied(op) and op.name.startswith("nn.")], ids=str
)
@settings(max_examples=10)
@given(data=st.data())
def test_a_product_is_linear_in_both_operands(op: Kind, data: st.DataObject):
    sample, instance = drawn(op, data)
    for number in multiplied(op)[0]:
        doubled = list(sample.operands)
        doubled[number] = doubled[number] * doubled[number].dtype.type(2)
        (result,), (twice,) = evaluate(instance, sample.operands), evaluate(instance, doubled)
        assert np.allclose(twice, 2 * result)


@pytest.mark.parametrize("op", list(rnn.Rnn.operations), ids=lambda op: op.name)
def test_recurrent_layers_multiply_inputs_and_states_by_weights(op: type[rnn.RecurrentOp]):
    (x, w), (h, r) = multiplied(op)
    count = len(op.get_irdl_definition().operands)
    assert (x, h, w, r) == (0, 1, count - 3, count - 2)


def test_every_product_of_the_opset_says_so():
    """Also the one that profiles once did not know."""
    kinds = {op.name for op in nn.Nn.operations if op.get_trait(Multiplies)}
    assert kinds == {
        "nn.mat_mul",
        "nn.convolution",
        "nn.group_convolution",
        "nn.convolution_backprop_data",
        "nn.group_convolution_backprop_data",
    }
