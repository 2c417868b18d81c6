"""Shape inference says what the reference gives, for every operation."""

from collections.abc import Sequence
from typing import Any, cast

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from xdsl.dialects.builtin import (
    DYNAMIC_INDEX,
    BoolAttr,
    FloatAttr,
    StringAttr,
    TensorType,
    f16,
    f32,
    f64,
    i1,
    i8,
    i32,
    i64,
)
from xdsl.ir import Attribute, Block, Region, SSAValue
from xdsl.utils.exceptions import VerifyException

from lowstream.dialects import context, infra, nn, qnn, rnn
from lowstream.dialects.compatible import compatible
from lowstream.dialects.inferred import InferredOp, constant_integers
from lowstream.interop.mlir import parse_module
from lowstream.reference.arrays import Array, blob_of, dtype_of, element_of
from lowstream.reference.executor import Executor
from lowstream.reference.meaning import evaluate
from lowstream.test.unit.dialects.detection_samples import SAMPLERS
from lowstream.test.unit.dialects.sampling import (
    Draw,
    Kind,
    Sample,
    Sampler,
    array,
    dtypes,
    exemplary,
    i64_attr,
    integers,
    sampled,
    shapes,
    sizes,
    type_of,
)


@sampled(nn.ReluOp)
def unary(op: Kind, draw: Draw) -> Sample:
    return Sample([array(draw(shapes), draw(dtypes))])


@sampled(nn.SigmoidOp, nn.TanhOp)
def floating(op: Kind, draw: Draw) -> Sample:
    return Sample([array(draw(shapes))])


@sampled(nn.ClampOp)
def clamp(op: Kind, draw: Draw) -> Sample:
    limits: dict[str, Attribute] = {"min": FloatAttr(-1.0, f64), "max": FloatAttr(2.5, f64)}
    return Sample([array(draw(shapes), draw(dtypes))], limits)


@sampled(nn.ConvertOp)
def convert(op: Kind, draw: Draw) -> Sample:
    target = draw(st.sampled_from([f32, f16, f64, i8, i32, i64]))
    return Sample([array(draw(shapes), draw(dtypes))], {"destination_type": target})


@sampled(
    nn.AddOp,
    nn.SubtractOp,
    nn.MultiplyOp,
    nn.DivideOp,
    nn.MaximumOp,
    nn.MinimumOp,
    nn.PowerOp,
    nn.SquaredDifferenceOp,
    nn.FloorModOp,
)
def binary(op: Kind, draw: Draw) -> Sample:
    whole, dtype = draw(shapes), draw(dtypes)
    left = [draw(st.sampled_from([1, size])) for size in whole]
    right = [
        size if other == 1 else draw(st.sampled_from([1, size]))
        for size, other in zip(whole, left, strict=True)
    ]
    return Sample([array(left[draw(st.integers(0, len(left))) :], dtype), array(right, dtype)])


@sampled(
    nn.EqualOp,
    nn.NotEqualOp,
    nn.LessOp,
    nn.LessEqualOp,
    nn.GreaterOp,
    nn.GreaterEqualOp,
)
def comparison(op: Kind, draw: Draw) -> Sample:
    return binary(op, draw)


@sampled(nn.LogicalAndOp, nn.LogicalOrOp, nn.LogicalXorOp)
def logical(op: Kind, draw: Draw) -> Sample:
    return Sample([operand > 3 for operand in binary(op, draw).operands])


@sampled(nn.LogicalNotOp)
def logical_not(op: Kind, draw: Draw) -> Sample:
    return Sample([array(draw(shapes)) > 3])


@sampled(nn.SelectOp)
def select(op: Kind, draw: Draw) -> Sample:
    values = binary(op, draw)
    return Sample([np.array(draw(st.booleans())), *values.operands])


@sampled(nn.MatMulOp)
def mat_mul(op: Kind, draw: Draw) -> Sample:
    m, k, n = draw(sizes), draw(sizes), draw(sizes)
    batch = draw(st.lists(sizes, max_size=2))
    flip_a, flip_b = draw(st.booleans()), draw(st.booleans())
    a = draw(st.sampled_from([[k], [*batch, *((k, m) if flip_a else (m, k))]]))
    b = draw(
        st.sampled_from(
            [
                [k],
                [*((n, k) if flip_b else (k, n))],
                [*[1] * len(batch), *((n, k) if flip_b else (k, n))],
            ]
        )
    )
    left, right = draw(
        st.sampled_from([(np.float32,) * 2, (np.uint8, np.int8), (np.int8, np.int8)])
    )
    flags = {"transpose_a": BoolAttr.from_bool(flip_a), "transpose_b": BoolAttr.from_bool(flip_b)}
    return Sample([array(a, left), array(b, right)], dict(flags))


@sampled(nn.ReshapeOp)
def reshape(op: Kind, draw: Draw) -> Sample:
    source = draw(st.lists(st.integers(0, 4), max_size=4))
    total = int(np.prod(source, dtype=int))
    target = list(draw(st.permutations(source)))
    copies = draw(st.booleans()) and 0 not in source
    for i, size in enumerate(source):
        if copies and target[i] == size and draw(st.booleans()):
            target[i] = 0
    if total and target and draw(st.booleans()):
        target[draw(st.integers(0, len(target) - 1))] = -1
    constant = frozenset({1}) if draw(st.booleans()) else frozenset[int]()
    flag = BoolAttr.from_bool(copies)
    return Sample([array(source), integers(*target)], {"special_zero": flag}, constant)


@sampled(nn.SqueezeOp)
def squeeze(op: Kind, draw: Draw) -> Sample:
    shape = draw(st.lists(st.sampled_from([1, 1, 3]), max_size=4))
    if draw(st.booleans()):
        return Sample([array(shape)])
    rank, skip = len(shape), draw(st.booleans())
    allowed = [axis for axis in range(-rank, rank) if skip or shape[axis] == 1]
    axes = draw(st.lists(st.sampled_from(allowed), unique_by=lambda a: a % rank)) if allowed else []
    flag = BoolAttr.from_bool(skip)
    return Sample([array(shape), integers(*axes)], {"allow_axis_skip": flag}, frozenset({1}))


@sampled(nn.UnsqueezeOp)
def unsqueeze(op: Kind, draw: Draw) -> Sample:
    shape = draw(shapes)
    more = draw(st.integers(1, 3))
    rank = len(shape) + more
    axes = draw(
        st.lists(
            st.integers(-rank, rank - 1), min_size=more, max_size=more, unique_by=lambda a: a % rank
        )
    )
    return Sample([array(shape), integers(*axes)], constant=frozenset({1}))


@sampled(nn.ShapeOfOp)
def shape_of(op: Kind, draw: Draw) -> Sample:
    return Sample([array(draw(shapes))], {"output_type": draw(st.sampled_from([i32, i64]))})


@sampled(nn.BroadcastOp)
def broadcast(op: Kind, draw: Draw) -> Sample:
    target = draw(shapes)
    source = [draw(st.sampled_from([1, size])) for size in target]
    source = source[draw(st.integers(0, len(source))) :]
    constant = frozenset({1}) if draw(st.booleans()) else frozenset[int]()
    if draw(st.booleans()):
        return Sample([array(source), integers(*target)], constant=constant)
    # Both ways: the target may have ones where the source has not.
    low = [draw(st.sampled_from([1, size])) for size in target]
    mode: dict[str, Attribute] = {"mode": StringAttr("bidirectional")}
    return Sample([array(target), integers(*low)], mode, frozenset({1}))


@sampled(nn.SplitOp)
def split(op: Kind, draw: Draw) -> Sample:
    parts, shape = draw(st.integers(1, 3)), draw(st.lists(sizes, min_size=1, max_size=3))
    axis = draw(st.integers(-len(shape), len(shape) - 1))
    shape[axis] *= parts
    return Sample([array(shape), np.array(axis)], {"num_splits": i64_attr(parts)}, frozenset({1}))


@sampled(nn.SliceOp)
def slice_(op: Kind, draw: Draw) -> Sample:
    shape = draw(st.lists(sizes, min_size=1, max_size=3))
    rank = len(shape)
    axes = draw(st.lists(st.integers(-rank, rank - 1), unique_by=lambda a: a % rank))
    limits = st.lists(
        st.integers(-6, 6) | st.sampled_from([2**63 - 1, -(2**63)]),
        min_size=len(axes),
        max_size=len(axes),
    )
    steps = st.lists(st.sampled_from([1, 2, -1, -3]), min_size=len(axes), max_size=len(axes))
    operands = [
        array(shape),
        *(integers(*draw(part)) for part in (limits, limits, steps)),
        integers(*axes),
    ]
    known = draw(st.sampled_from([{1, 2, 3, 4}, {4}, {2, 4}, set[int]()]))
    return Sample(operands, constant=frozenset(known))


@sampled(nn.ConcatOp)
def concat(op: Kind, draw: Draw) -> Sample:
    shape = draw(st.lists(sizes, min_size=1, max_size=3))
    axis = draw(st.integers(-len(shape), len(shape) - 1))
    parts: list[Array] = []
    for size in draw(st.lists(sizes, min_size=1, max_size=3)):
        part = list(shape)
        part[axis] = size
        parts.append(array(part))
    return Sample(parts, {"axis": i64_attr(axis)})


@sampled(nn.TransposeOp)
def transpose(op: Kind, draw: Draw) -> Sample:
    shape = draw(shapes)
    order = draw(st.permutations(range(len(shape))) | st.just([]))
    return Sample([array(shape), integers(*order)], constant=frozenset({1}))


@sampled(qnn.FakeQuantizeOp)
def fake_quantize(op: Kind, draw: Draw) -> Sample:
    shape = draw(shapes)
    limits = [array([draw(st.sampled_from([1, size])) for size in shape]) for _ in range(4)]
    limits[1] = limits[1] + np.float32(100)
    properties: dict[str, Attribute] = {"levels": i64_attr(draw(st.sampled_from([2, 255, 256])))}
    if draw(st.booleans()):
        properties["output_type"] = i8
    return Sample([array(shape), *limits], properties)


@sampled(qnn.DequantizeOp)
def dequantize(op: Kind, draw: Draw) -> Sample:
    shape = draw(shapes)
    scale = array(
        [draw(st.sampled_from([1, size])) for size in shape],
        draw(st.sampled_from([np.float32, np.float16])),
    )
    properties: dict[str, Attribute] = {"scale": blob_of(scale)}
    if draw(st.booleans()):
        properties["zero_point"] = blob_of(np.array(3, np.uint8))
    if draw(st.booleans()):
        properties["output_type"] = f64
    return Sample([array(shape, draw(st.sampled_from([np.uint8, np.int8, np.int32])))], properties)


@sampled(rnn.LstmCellOp, rnn.GruCellOp, rnn.RnnCellOp)
def cell(op: Kind, draw: Draw) -> Sample:
    assert issubclass(op, rnn.CellOp)
    batch, inputs, hidden = draw(sizes), draw(sizes), draw(sizes)
    linear = op is rnn.GruCellOp and draw(st.booleans())
    rows = op.GATES * hidden
    states = 2 if op is rnn.LstmCellOp else 1
    properties: dict[str, Attribute] = {"hidden_size": i64_attr(hidden)}
    if linear:
        properties["linear_before_reset"] = BoolAttr.from_bool(True)
    bias = rows + hidden if linear else rows
    shapes = [(batch, inputs), *[(batch, hidden)] * states, (rows, inputs), (rows, hidden), (bias,)]
    return Sample([array(shape) for shape in shapes], properties)


@sampled(rnn.LstmSequenceOp, rnn.GruSequenceOp, rnn.RnnSequenceOp)
def sequence(op: Kind, draw: Draw) -> Sample:
    assert issubclass(op, rnn.SequenceOp)
    batch, steps, inputs, hidden = draw(sizes), draw(sizes), draw(sizes), draw(sizes)
    direction = draw(st.sampled_from(["forward", "reverse", "bidirectional"]))
    directions = 2 if direction == "bidirectional" else 1
    rows = op.GATES * hidden
    states = 2 if op is rnn.LstmSequenceOp else 1
    properties: dict[str, Attribute] = {
        "hidden_size": i64_attr(hidden),
        "direction": StringAttr(direction),
    }
    lengths = draw(st.lists(st.integers(0, steps), min_size=batch, max_size=batch))
    before = [(batch, steps, inputs), *[(batch, directions, hidden)] * states]
    after = [(directions, rows, inputs), (directions, rows, hidden), (directions, rows)]
    operands = [*map(array, before), np.array(lengths, np.int32), *map(array, after)]
    return Sample(operands, properties)


def build(op: Kind, sample: Sample, types: Sequence[TensorType[Any]]) -> InferredOp:
    values: list[SSAValue] = list(Block(arg_types=types).args)
    for i in sample.constant:
        values[i] = nn.ConstantOp(blob_of(sample.operands[i])).result
    return op.of(*values, **sample.properties)


DIALECTS = (nn.Nn, qnn.Qnn, rnn.Rnn)
OPERATIONS = [op for d in DIALECTS for op in d.operations if issubclass(op, InferredOp)]


def sampler_of(op: Kind) -> Sampler:
    if op in SAMPLERS:
        return SAMPLERS[op]
    if issubclass(op, nn.UnaryOp):
        return floating
    return binary if issubclass(op, nn.BinaryOp) else exemplary


def draw_from(data: st.DataObject) -> Draw:
    """What composite strategies call `draw`, for a test that draws within itself."""
    return cast(Draw, data.draw)


by_name = pytest.mark.parametrize("op", OPERATIONS, ids=lambda op: op.name)


TELL_SIZES = (
    nn.NonZeroOp,
    nn.UniqueOp,
    nn.SparseFillEmptyRowsOp,
    nn.NonMaxSuppressionOp,
    nn.MulticlassNmsOp,
    nn.MatrixNmsOp,
    nn.GenerateProposalsOp,
    nn.NmsRotatedOp,
)
"""Operations of which only the run tells how large results are."""


def knowing_less(op: Kind, sample: Sample, data: st.DataObject) -> InferredOp | None:
    """The operation where some dimensions are unknown; None where it refuses that, as it has to."""
    types: list[TensorType[Any]] = []
    for operand in sample.operands:
        known = [data.draw(st.sampled_from([size, DYNAMIC_INDEX])) for size in operand.shape]
        types.append(
            TensorType(
                element_of(operand.dtype), known if operand.dtype != np.int64 else operand.shape
            )
        )
    if op is nn.SqueezeOp and any(DYNAMIC_INDEX in type.get_shape() for type in types):
        skips = sample.properties.get("allow_axis_skip") == BoolAttr.from_bool(True)
        if not sample.operands[-1].size or len(sample.operands) == 1 or skips:
            with pytest.raises(VerifyException, match="are 1 is unknown"):
                build(op, sample, types)
            return None
    instance = build(op, sample, types)
    instance.verify()
    return instance


@by_name
@settings(max_examples=8)
@given(data=st.data())
def test_inferred_types_are_what_the_reference_gives(op: Kind, data: st.DataObject):
    """Of operands with unknown dimensions, they are types that fit."""
    sample = sampler_of(op)(op, draw_from(data))
    instance = build(op, sample, [type_of(operand) for operand in sample.operands])
    instance.verify()
    less_known = knowing_less(op, sample, data)
    results = evaluate(less_known or instance, sample.operands)
    if less_known is not None:
        for inferred, result in zip(less_known.result_types, results, strict=True):
            assert isinstance(inferred, TensorType)
            assert compatible(inferred, TensorType(inferred.element_type, result.shape))
    for inferred, result in zip(instance.result_types, results, strict=True):
        assert isinstance(inferred, TensorType)
        assert dtype_of(inferred.element_type) == result.dtype
        assert compatible(inferred, TensorType(inferred.element_type, result.shape))
        needed = {i for i, operand in enumerate(sample.operands) if i and operand.dtype == np.int64}
        if op in TELL_SIZES:
            continue
        if needed <= sample.constant or op is nn.DivideOp:
            assert inferred.get_shape() == result.shape


ITERATOR = """
func.func @main(%x: tensor<{size}x2xf32>, %h: tensor<2xf32>) -> (tensor<{size}x2xf32>, tensor<2xf32>) {{
  %y, %last = infra.tensor_iterator %x, %h
    inputs [#infra.sliced<{slicing}>, #infra.merged<result = 1>]
    outputs [#infra.concatenated<result = 0, {slicing}>, #infra.iteration<result = 1, iteration = -1>]
    body_names ["x", "h"] : (tensor<{size}x2xf32>, tensor<2xf32>) -> (tensor<{size}x2xf32>, tensor<2xf32>) {{
  ^bb0(%x_t: tensor<{part}x2xf32>, %h_t: tensor<2xf32>):
    %one = nn.constant dense<1.0> : tensor<f32>
    %sum = nn.add %h_t, %one : (tensor<2xf32>, tensor<f32>) -> tensor<2xf32>
    infra.yield %x_t, %sum : tensor<{part}x2xf32>, tensor<2xf32>
  }}
  func.return %y, %last : tensor<{size}x2xf32>, tensor<2xf32>
}}
"""


@given(st.integers(1, 4), st.integers(1, 3), st.booleans())
def test_an_iterator_puts_its_parts_back_together(count: int, part: int, backward: bool):
    size = count * part
    start, end, stride = (-1, 0, -part) if backward else (0, -1, part)
    slicing = f"axis = 0, start = {start}, end = {end}, stride = {stride}, part_size = {part}"
    text = ITERATOR.format(size=size, part=part, slicing=slicing)
    module = parse_module(text, "text", context())
    module.verify()
    x = array([size, 2])
    y, last = Executor(module).run([x, np.zeros(2, np.float32)])
    assert np.array_equal(y, x)
    assert last.tolist() == [count, count]


def test_how_many_coordinates_rows_of_indices_have_follows_from_the_updates():
    data, indices, updates = (
        Block(arg_types=[TensorType(element, shape)]).args[0]
        for element, shape in (
            (f32, [3, 4]),
            (i64, [6, DYNAMIC_INDEX]),
            (f32, [6]),
        )
    )
    op = nn.ScatterNdUpdateOp.of(data, indices, updates)
    assert op.result.type == data.type
    rows = Block(arg_types=[TensorType(f32, [6, 5])]).args[0]
    with pytest.raises(VerifyException, match=r"updates \[6, 5\] at indices \[6, \?\] do not fit"):
        nn.ScatterNdUpdateOp.of(data, indices, rows)


def test_bodies_that_give_different_numbers_of_values():
    condition, x = Block(arg_types=[TensorType(i1, []), TensorType(f32, [])]).args
    first, second = (Block(arg_types=[TensorType(f32, [])]) for _ in range(2))
    first.add_op(infra.YieldOp(first.args[0]))
    second.add_op(infra.YieldOp(second.args[0], second.args[0]))
    op = infra.IfOp.create(operands=[condition, x], regions=[Region(first), Region(second)])
    with pytest.raises(VerifyException, match=r"infra\.if: its bodies give 1 and 2 values"):
        op.infer_types(constant_integers)


@pytest.mark.parametrize(
    ("source", "target", "expected"),
    [
        ([0, 5], [0, 1, -1], [0, 1, 5]),
        ([0, 6, 5], [0, -1, 3], [0, 10, 3]),
        ([2, 0, 4], [0, 0, -1], [2, 0, 4]),
        ([0, 5], [0, -1, 0], None),
        ([2, 6], [0, -1], [2, 6]),
    ],
)
def test_what_is_left_of_an_empty_tensor_counts_no_copied_dimensions(
    source: list[int], target: list[int], expected: list[int] | None
):
    """As with a batch of none: OpenVINO's Reshape gives these, too."""
    x = Block(arg_types=[TensorType(f32, source)]).args[0]
    shape = nn.ConstantOp(blob_of(np.array(target, np.int64))).result
    if expected is None:
        with pytest.raises(VerifyException, match=r"0 at 2 has no dimension to copy"):
            nn.ReshapeOp.of(x, shape, special_zero=True)
        return
    op = nn.ReshapeOp.of(x, shape, special_zero=True)
    assert op.result.type == TensorType(f32, expected)
    (result,) = evaluate(op, [array(source), np.array(target)])
    assert list(result.shape) == expected
