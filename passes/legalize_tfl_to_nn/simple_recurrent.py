"""LiteRT's simple recurrent layers as `rnn`, with the state that each direction keeps in a variable."""

from __future__ import annotations

from collections.abc import Sequence

from xdsl.ir import SSAValue
from xdsl.utils.exceptions import DiagnosticException

from ...dialects import nn, rnn, tfl
from ...dialects.inferred import shape_of
from ...dialects.properties import Property
from ..lower_sequences import lengths_of
from .recurrent import keep, state_of
from .sequences import FUNCTIONS, swapped
from .translation import Translation, rule
from .values import quantization_of


@rule("RNN")
def cell(t: Translation, op: tfl.TflOp) -> None:
    """What only marks a state as set, which the writer of states makes, is none."""
    x, *weights, state = op.operands
    marks = not any(output in each.operands for each in t.operations for output in op.results)
    if marks and shape_of(state) == (1, 1):
        return
    w, r, b = map(t.value, weights)
    activations = _function(op)
    made = rnn.RnnCellOp.of(
        *(t.value(x), state_of(t, state), w, r, b),
        hidden_size=shape_of(r)[0],
        activations=activations,
    )
    (after,) = t.builder.insert(made).results
    t.set(op.results[0], after)
    keep(t, [state], [after])


@rule("UNIDIRECTIONAL_SEQUENCE_RNN")
def sequence(t: Translation, op: tfl.TflOp) -> None:
    x, *weights, state = op.operands
    y = _run(t, op, t.value(x), [t.value(each) for each in weights], state)
    t.set(op.results[0], y)


@rule("BIDIRECTIONAL_SEQUENCE_RNN")
def bidirectional(t: Translation, op: tfl.TflOp) -> None:
    """
    A second input with weights is concatenated to the first, and its weights to theirs. LiteRT ignores a second input
    without weights.
    """
    x, *both, second, forward, backward = op.operands
    given = t.value(x)
    directions = [[t.value(each) for each in both[i : i + 3]] for i in (0, 4)]
    if not tfl.is_absent(second) and not tfl.is_absent(forward):
        given = t(nn.ConcatOp, given, t.value(second), axis=2)
        for weights, more in zip(directions, (forward, backward), strict=True):
            weights[0] = t(nn.ConcatOp, weights[0], t.value(more), axis=1)
    results = [
        _run(t, op, given, directions[i], both[3 + 4 * i], ("forward", "reverse")[i])
        for i in range(2)
    ]
    if len(op.results) == 1:
        results = [t(nn.ConcatOp, *results, axis=2)]
    for output, value in zip(op.results, results, strict=True):
        t.set(output, value)


def _run(
    t: Translation,
    op: tfl.TflOp,
    x: SSAValue,
    weights: Sequence[SSAValue],
    state: SSAValue,
    direction: str = "forward",
) -> SSAValue:
    """The outputs of one direction, in the order of the input; its state is assigned."""
    activations, attributes = _function(op), tfl.Attributes.of(op)
    x = swapped(t, x, attributes)
    first = t.integers(0)
    w, r, b = (t(nn.UnsqueezeOp, each, first) for each in weights)
    before = t(nn.UnsqueezeOp, state_of(t, state), t.integers(1))
    made = rnn.RnnSequenceOp.of(
        *(x, before, lengths_of(t, x), w, r, b),
        hidden_size=shape_of(r)[1],
        direction=direction,
        activations=activations,
    )
    y, after = (t(nn.SqueezeOp, each, t.integers(1)) for each in t.builder.insert(made).results)
    keep(t, [state], [after])
    return swapped(t, y, attributes)


def _function(op: tfl.TflOp) -> Property:
    """Its activation. Raises DiagnosticException for one that `rnn` or LiteRT's kernel does not have."""
    if quantization_of(op.operands[0]) is not None:
        raise DiagnosticException("LiteRT has no such kernel of integers; convert the model anew")
    activation = tfl.Attributes.of(op).activation
    if activation not in FUNCTIONS:
        raise DiagnosticException(
            f"activation {activation} cannot be read here, only {', '.join(FUNCTIONS)}"
        )
    return rnn.names(FUNCTIONS[activation])
