"""`lpt` changes nothing when it is applied to its own result: neither meaning, nor text, nor reasons."""

import pytest
from xdsl.context import Context

from lowstream.passes.lpt import Lpt
from lowstream.test.unit.passes.lpt.random_graphs import graph_of

FOUND = {
    76: "a FakeQuantize in a body that only became one of codes",
    77: "weights of 16 levels with a zero point",
    84: "what an LSTM's constant first state adds to its gates",
    88: "constants that i8 holds without their zero point",
    90: "the same, of codes with a zero point",
    95: "quantize/dequantize around 128, which i8 spares the zero point",
    102: "sums of a convolution with 1",
    119: "a constant for each element behind dequantization",
    150: "the constants of a sequence",
    168: "what a state is given, rounded to f16",
    188: "a FakeQuantize of codes that gives each of them back",
    262: "both directions of a sequence, joined in front of a FakeQuantize",
    281: "a FakeQuantize of 1024 levels, and a constant taken off it",
    288: "what columns were scaled and a zero point taken off, as a factor",
    400: "a zero point that is nearly whole",
    444: "a scale of one element in a tensor of its own",
    1093: "a concatenation in front of two FakeQuantize, of which nobody reads one",
    1218: "a symmetric FakeQuantize that lpt gave a zero point",
    1236: "a bias behind columns with scales of their own",
    1283: "a concatenation of what is computed from codes",
    1436: "the reset gate of a GRU times a first state of 0",
    20262637: "a state that is given a sum of codes",
    20262229: "a scale taken off a sum with a constant",
    20263194: "a factor between a concatenation and the FakeQuantize that takes it",
    20262970: "a concatenation of a FakeQuantize and of codes that a constant is taken off",
    40000329: "a constant less codes, whose zero point is nearly whole",
    911115008: "a pool that became sums, which hide the FakeQuantize that a reason names",
}
"""Seeds of the second edition, and what their second run saw otherwise than their first."""

LATER = {
    1000136: "codes of a constant, taken off a sum of codes",
    8201826: "what the body of a loop computes on codes",
    9100158: "a scale that is negative, behind a concatenation",
    9101796: "a factor that passed a bias",
    9100779: "a constant of codes with a zero point, on the left of a product",
}
"""The same of the third edition."""

LATEST = {
    31000248: "a factor that passed a sum, far behind the conversion of the codes",
}
"""The same of the fourth edition."""

GRAPHS = [
    *map(graph_of, range(60)),
    *(graph_of(seed, edition=2) for seed in FOUND),
    *(graph_of(seed, edition=3) for seed in LATER),
    *(graph_of(seed, edition=4) for seed in (*range(4), *LATEST)),
]


@pytest.mark.parametrize("graph", GRAPHS, ids=str)
def test_a_second_run_changes_nothing(graph):
    module, _ = graph.build()
    Lpt(graph.preset).apply(Context(), module)
    once = str(module)
    Lpt(graph.preset).apply(Context(), module)
    assert str(module) == once
