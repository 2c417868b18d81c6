"""
LPT moves nothing by more than one code at any FakeQuantize, nor does the machine, in models of all that it knows.

`make graphs` tries thousands more.
"""

from hypothesis import example, given, settings
from hypothesis import strategies as st
from random_graphs import RandomGraph, graph_of
from side_by_side import compare, optimized, wrong_on_machine
from test_numerics import SEEDS
from xdsl.dialects.builtin import f16, f32
from xdsl.ir import Operation

from lowstream.dialects import nn, qnn

GRAPHS = st.builds(RandomGraph, SEEDS, st.integers(3, 30), st.sampled_from((f32, f32, f32, f16)))


@settings(max_examples=200)
@given(GRAPHS)
@example(graph_of(4108))  # a constant whose zero point, -4.0058, was taken for -4
def test_lpt_changes_no_fake_quantize_by_more_than_a_code(graph):
    module, inputs = graph.build()
    after, aligned = optimized(module)
    apart = compare(module, inputs, graph, after, aligned)
    assert [one for one in apart if not one.is_close] == []


@settings(max_examples=40)
@given(GRAPHS)
def test_the_machine_computes_what_lpt_leaves(graph):
    module, inputs = graph.build()
    after, _ = optimized(module)
    assert wrong_on_machine(after, inputs) == []


WRITTEN: tuple[type[Operation], ...] = (
    nn.ConvolutionOp,
    nn.GroupConvolutionOp,
    nn.ConvolutionBackpropDataOp,
    nn.GroupConvolutionBackpropDataOp,
    nn.MatMulOp,
    nn.MaxPoolOp,
    nn.AvgPoolOp,
    nn.AddOp,
    nn.MultiplyOp,
    nn.SubtractOp,
    nn.ReluOp,
    nn.ClampOp,
    nn.PReluOp,
    nn.ConcatOp,
    nn.SplitOp,
    nn.VariadicSplitOp,
    nn.SliceOp,
    nn.StridedSliceOp,
    nn.PadOp,
    nn.ReshapeOp,
    nn.SqueezeOp,
    nn.UnsqueezeOp,
    nn.BroadcastOp,
    nn.TransposeOp,
    nn.InterpolateOp,
    nn.ReduceMeanOp,
    nn.ReduceSumOp,
    nn.ReduceMaxOp,
    nn.ReduceMinOp,
    nn.MvnOp,
    nn.NormalizeL2Op,
    nn.GatherOp,
    nn.DepthToSpaceOp,
    nn.BatchToSpaceOp,
    nn.SpaceToBatchOp,
    nn.ShuffleChannelsOp,
    qnn.FakeQuantizeOp,
)


def test_graphs_have_every_operation_and_low_ones():
    """Else the properties above would say less than they seem to."""
    seen: set[type[Operation]] = set()
    compared = products = low = 0
    for seed in range(100):
        graph = graph_of(seed)
        module, inputs = graph.build()
        seen.update(type(op) for op in module.walk())
        after, aligned = optimized(module)
        names = [one.name for one in compare(module, inputs, graph, after, aligned)]
        compared += sum(name.startswith("fq") for name in names)
        found = [op for op in after.walk() if isinstance(op, nn.ConvolutionOp | nn.MatMulOp)]
        products += len(found)
        low += sum("i8>" in str(op.operands[0].type) for op in found)
    assert seen.issuperset(WRITTEN)
    assert compared > 200
    assert low > products / 3
