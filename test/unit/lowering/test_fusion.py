"""Fusion: how domains correspond, the order of a block, and that long networks take time in proportion."""

from __future__ import annotations

import itertools
from collections import Counter
from collections.abc import Sequence
from math import prod
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from xdsl.dialects import test
from xdsl.dialects.builtin import ModuleOp, i32
from xdsl.ir import Block, Operation
from xdsl.parser import Parser

from lowstream.dialects import context, kernel
from lowstream.dialects.kernel import Access, Term
from lowstream.lowering import fusion
from lowstream.lowering.fusion import FuseKernels
from lowstream.lowering.fusion.domains import correspondence, reindexed
from lowstream.lowering.fusion.kernel_builder import MAX_BODY, MAX_OPERANDS
from lowstream.lowering.fusion.rules.merge_gathers import MAX_LOOKUPS
from lowstream.lowering.fusion.topology import restore_order
from lowstream.lowering.kernel_bodies.vectorize_reductions import VectorizeReductions
from lowstream.lowering.nn_to_kernels import NnToKernels
from lowstream.passes.decompose_ops import DecomposeOps
from lowstream.passes.instrumentation import PassInstrumentation, instrumented
from lowstream.reference.executor import Executor

PAGES = Path(__file__).parents[2] / "filecheck" / "lowering" / "fusion"


def at(access: Access, point: tuple[int, ...]) -> tuple[int, ...]:
    return tuple(t.offset + (0 if t.dim is None else t.step * point[t.dim]) for t in access.terms)


@st.composite
def readers(draw: st.DrawFn) -> tuple[tuple[int, ...], tuple[int, ...], Access]:
    """A producer's domain, a consumer's, and how the consumer reads what the producer writes."""
    producer = tuple(draw(st.lists(st.integers(1, 3), min_size=1, max_size=3)))
    consumer = tuple(draw(st.lists(st.integers(1, 3), min_size=1, max_size=3)))
    if draw(st.booleans()):
        consumer = tuple(draw(st.permutations(producer)))
    terms = tuple(
        draw(st.sampled_from([Term(None), *(Term(d) for d, n in enumerate(consumer) if n <= size)]))
        for size in producer
    )
    return producer, consumer, Access(len(consumer), terms)


@given(readers())
def test_correspondence_maps_each_point_to_one(
    case: tuple[tuple[int, ...], tuple[int, ...], Access],
):
    """Found exactly where the consumer reads each element once; then it names the point that made it."""
    producer, consumer, read = case
    dims = correspondence(producer, Access.identity(len(producer)), consumer, read)
    points = list(np.ndindex(consumer))
    elements = [at(read, point) for point in points]
    once = sorted(elements) == sorted(np.ndindex(producer))
    assert (dims is not None) == once
    if dims is None:
        return
    identity = reindexed(Access.identity(len(consumer)), len(producer), dims)
    for point, element in zip(points, elements, strict=True):
        assert at(identity, element) == point


def chain(layers: int) -> ModuleOp:
    lines = []
    for i in range(layers):
        lines.append(
            f"%m{i} = nn.mat_mul %y{i}, %w : (tensor<2x2xf32>, tensor<2x2xf32>) -> tensor<2x2xf32>"
        )
        lines.append(
            f"%a{i} = nn.add %m{i}, %y{i} : (tensor<2x2xf32>, tensor<2x2xf32>) -> tensor<2x2xf32>"
        )
        lines.append(f"%y{i + 1} = nn.relu %a{i} : tensor<2x2xf32>")
    body = "\n".join(lines)
    return Parser(
        context(),
        "func.func @main(%y0: tensor<2x2xf32>) -> tensor<2x2xf32> {"
        "%w = nn.constant dense<[[1.0, 2.0], [3.0, 4.0]]> : tensor<2x2xf32>\n"
        f"{body}\nfunc.return %y{layers} : tensor<2x2xf32>}}",
    ).parse_module()


def added(count: int) -> str:
    """Vectors `%a0`, `%a1`, … added to `%x` one after the other; the last sum is `%s<count>`."""
    names = ["%x", *(f"%s{i + 1}" for i in range(count))]
    return "\n".join(
        f"%s{i + 1} = nn.add {names[i]}, %a{i} : (tensor<2xf32>, tensor<2xf32>) -> tensor<2xf32>"
        for i in range(count)
    )


def fused(text: str) -> list[kernel.KernelOp]:
    module = Parser(context(), text).parse_module()
    NnToKernels().apply(context(), module)
    FuseKernels().apply(context(), module)
    module.verify()
    return [op for op in module.walk() if isinstance(op, kernel.KernelOp)]


@pytest.mark.parametrize(("count", "kernels"), [(MAX_OPERANDS - 3, 1), (MAX_OPERANDS - 2, 2)])
def test_a_chain_is_cut_where_a_kernel_would_have_too_many_operands(count: int, kernels: int):
    """With what both have, whatever they share: the sum so far is counted as a result and as an operand."""
    arguments = ", ".join(f"%a{i}: tensor<2xf32>" for i in range(count))
    found = fused(
        f"func.func @main(%x: tensor<2xf32>, {arguments}) -> tensor<2xf32> {{ {added(count)}"
        f" func.return %s{count} : tensor<2xf32> }}"
    )
    assert len(found) == kernels
    assert len(found[0].operands) == MAX_OPERANDS - 2


@pytest.mark.parametrize(("count", "kernels"), [(MAX_BODY - 2, 1), (MAX_BODY - 1, 2)])
def test_a_chain_is_cut_where_a_body_would_be_too_long(count: int, kernels: int):
    """With what both have, their ends included."""
    chain = [f"%t{i + 1} = nn.tanh %t{i} : tensor<2xf32>" for i in range(count)]
    found = fused(
        "func.func @main(%t0: tensor<2xf32>) -> tensor<2xf32> {"
        + "\n".join(chain)
        + f" func.return %t{count} : tensor<2xf32> }}"
    )
    assert len(found) == kernels
    assert len(found[0].body.block.ops) == MAX_BODY - 1


@pytest.mark.parametrize(("more", "merged"), [(0, True), (1, False)])
def test_products_of_too_many_operands_stay_apart(more: int, merged: bool):
    """Each with as many vectors as fill half of what one kernel may read, and one of them with one more."""
    counts = (MAX_OPERANDS // 2 - 2, MAX_OPERANDS // 2 - 2 + more)
    lines = list[str]()
    for product, count in zip("uv", counts, strict=True):
        lines.append(
            f"%{product}0 = nn.mat_mul %x, %w : (tensor<1x2xf32>, tensor<2x2xf32>) -> tensor<1x2xf32>"
        )
        lines += [
            f"%{product}{i + 1} = nn.add %{product}{i}, %a{i} : (tensor<1x2xf32>, tensor<2xf32>) -> tensor<1x2xf32>"
            for i in range(count)
        ]
    ends = (f"%u{counts[0]}", f"%v{counts[1]}")
    arguments = ", ".join(f"%a{i}: tensor<2xf32>" for i in range(max(counts)))
    found = fused(
        f"func.func @main(%x: tensor<1x2xf32>, %w: tensor<2x2xf32>, {arguments}) -> tensor<1x2xf32> {{"
        + "\n".join(lines)
        + f"%sum = nn.multiply {ends[0]}, {ends[1]} : (tensor<1x2xf32>, tensor<1x2xf32>) -> tensor<1x2xf32>"
        "func.return %sum : tensor<1x2xf32> }"
    )
    products = [op for op in found if isinstance(op, kernel.MatMulOp)]
    assert len(products) == 2 - merged


def looked_up(gathers: int, steps: Sequence[str] = ()) -> list[int]:
    """
    How many operands each kernel looks up of a sum of rows at indices, the first two of which take steps such as `tanh`
    and `add %a0`.
    """
    row = "tensor<1x2xf32>"
    lines = ["%axis = nn.constant dense<0> : tensor<i64>", "%s0 = nn.constant dense<0.0> : " + row]
    for g in range(gathers):
        lines.append(
            f"%g{g}_0 = nn.gather %x, %i{g}, %axis {{batch_dims = 0 : i64}}"
            f" : (tensor<5x2xf32>, tensor<1xi64>, tensor<i64>) -> {row}"
        )
        taken = steps if g < 2 else ()
        for n, step in enumerate(taken):
            name, *more = step.split()
            types = f"({row}, tensor<2xf32>) -> {row}" if more else row
            lines.append(f"%g{g}_{n + 1} = nn.{name} {', '.join([f'%g{g}_{n}', *more])} : {types}")
        end = f"%g{g}_{len(taken)}"
        lines.append(f"%s{g + 1} = nn.add %s{g}, {end} : ({row}, {row}) -> {row}")
    indices = [f"%i{g}: tensor<1xi64>" for g in range(gathers)]
    vectors = [f"%a{n}: tensor<2xf32>" for n in range(len(steps))]
    arguments = ", ".join(["%x: tensor<5x2xf32>", *indices, *vectors])
    found = fused(
        f"func.func @main({arguments}) -> {row} {{\n"
        + "\n".join(lines)
        + f"\nfunc.return %s{gathers} : {row} }}"
    )
    return [len(op.x) for op in found if isinstance(op, kernel.GatherOp)]


def test_a_kernel_looks_up_so_many_operands():
    assert looked_up(MAX_LOOKUPS) == [MAX_LOOKUPS]
    assert looked_up(MAX_LOOKUPS + 1) == [MAX_LOOKUPS, 1]


@pytest.mark.parametrize(
    ("step", "most"),
    [("add %a{}", MAX_OPERANDS // 2 - 3), ("tanh", MAX_BODY // 2 - 2)],
    ids=["operands", "body"],
)
def test_gathers_of_too_much_stay_apart(step: str, most: int):
    for count, lookups in ((most, [2]), (most + 1, [1, 1])):
        assert looked_up(2, [step.format(n) for n in range(count)]) == lookups


def test_work_grows_with_the_network(monkeypatch):
    """Rules are tried, and graphs walked, in proportion to the layers, skip connections or not."""
    counts: list[int] = []
    for layers in (10, 40):
        calls = itertools.count()
        module = chain(layers)
        NnToKernels().apply(context(), module)
        with monkeypatch.context() as patch:
            for rule in map(type, fusion.FUSION_RULES):
                patch.setattr(
                    rule,
                    "apply",
                    lambda self, op, apply=rule.apply, calls=calls: (next(calls), apply(self, op))[
                        1
                    ],
                )
            FuseKernels().apply(context(), module)
        module.verify()
        assert sum(isinstance(op, kernel.KernelOp) for op in module.walk()) == layers
        counts.append(next(calls))
    assert counts[1] <= 5 * counts[0]


@pytest.mark.parametrize(
    "rule", [*fusion.FUSION_RULES, *fusion.LAST_RULES], ids=lambda rule: type(rule).__name__
)
def test_every_rule_has_a_file_and_a_page_of_its_own(rule: fusion.FusionRule[Operation]):
    """Named after it, with a hit and a nearest miss at least."""
    name = type(rule).__module__.rpartition(".")[2]
    assert name.replace("_", "") == type(rule).__name__.lower()
    page = (PAGES / f"{name}.mlir").read_text()
    assert page.count("CHECK-LABEL") >= 2


def test_order_is_restored_and_otherwise_kept():
    """What is defined outside stays there."""
    outer = test.TestOp(result_types=[i32])
    Block([outer])
    first = test.TestOp(outer.results, result_types=[i32])
    second = test.TestOp([first.results[0], first.results[0]], result_types=[i32])
    third = test.TestOp([second.results[0], first.results[0]], result_types=[i32])
    alone, last = test.TestOp(), test.TestOp()
    block = Block([alone, third, second, last, first])
    restore_order(block)
    assert list(block.ops) == [alone, first, second, third, last]
    assert outer.parent is not block


@st.composite
def normalized(draw: st.DrawFn) -> tuple[str, tuple[int, ...]]:
    """A transpose, a reshape that merges, a normalization over what it merged or a part of it, and back again."""
    shape = tuple(draw(st.lists(st.integers(1, 4), min_size=2, max_size=4)))
    order = draw(st.permutations(range(len(shape))))
    permuted = [shape[d] for d in order]
    cut = draw(st.integers(0, len(shape) - 1))
    merged = [*permuted[:cut], 1, prod(permuted[cut:])] if draw(st.booleans()) else [prod(permuted)]
    if draw(st.booleans()):
        merged += [1]
    axes = draw(st.lists(st.sampled_from(range(len(merged))), min_size=1, unique=True))
    back = [order.index(d) for d in range(len(shape))]

    def typed(sizes: Sequence[int]) -> str:
        return f"tensor<{''.join(f'{size}x' for size in sizes)}f32>"

    def vector(name: str, numbers: Sequence[int]) -> str:
        return f"%{name} = nn.constant dense<{list(numbers)}> : tensor<{len(numbers)}xi64>\n"

    def index(name: str) -> str:
        return f"tensor<{len(lists[name])}xi64>"

    lists = {
        "order": order,
        "merged": merged,
        "axes": sorted(axes),
        "apart": permuted,
        "back": back,
    }
    x, y, z = typed(shape), typed(permuted), typed(merged)
    return (
        f"func.func @main(%x: {x}) -> {x} {{\n"
        + "".join(vector(name, numbers) for name, numbers in lists.items())
        + f"%0 = nn.transpose %x, %order : ({x}, {index('order')}) -> {y}\n"
        f"%1 = nn.reshape %0, %merged : ({y}, {index('merged')}) -> {z}\n"
        f'%2 = nn.mvn %1, %axes {{eps = 0.5 : f64, eps_mode = "inside_sqrt", normalize_variance = true}}'
        f" : {z}, {index('axes')}\n"
        f"%3 = nn.reshape %2, %apart : ({z}, {index('apart')}) -> {y}\n"
        f"%4 = nn.transpose %3, %back : ({y}, {index('back')}) -> {x}\n"
        f"func.return %4 : {x}\n}}",
        shape,
    )


@settings(max_examples=60, deadline=None)
@given(normalized())
def test_kernels_meet_across_reshapes(case: tuple[str, tuple[int, ...]]):
    """Fused and vectorized, they compute what the model does."""
    text, shape = case
    module = Parser(context(), text).parse_module()
    x = np.random.default_rng(0).normal(size=shape).astype(np.float32)
    (wanted,) = Executor(module).run([x])
    for item in (DecomposeOps(), NnToKernels(), FuseKernels(), VectorizeReductions("portable")):
        item.apply(context(), module)
        module.verify()
    (found,) = Executor(module).run([x])
    np.testing.assert_allclose(found, wanted, rtol=0, atol=2e-6)


def test_a_normalization_over_all_needs_no_transpose():
    """Statistics and what they are applied to are read in the order in which they lie."""
    x, flat = "tensor<1x5x7xf32>", "tensor<1x1x35xf32>"
    found = fused(
        f"func.func @main(%a: tensor<1x7x5xf32>) -> tensor<1x7x5xf32> {{\n"
        "%order = nn.constant dense<[0, 2, 1]> : tensor<3xi64>\n"
        "%flat = nn.constant dense<[1, 1, 35]> : tensor<3xi64>\n"
        "%apart = nn.constant dense<[1, 5, 7]> : tensor<3xi64>\n"
        "%axes = nn.constant dense<[2]> : tensor<1xi64>\n"
        "%e = nn.exp %a : tensor<1x7x5xf32>\n"
        f"%0 = nn.transpose %e, %order : (tensor<1x7x5xf32>, tensor<3xi64>) -> {x}\n"
        f"%1 = nn.reshape %0, %flat : ({x}, tensor<3xi64>) -> {flat}\n"
        f"%2 = nn.reduce_max %1, %axes {{keep_dims = true}} : ({flat}, tensor<1xi64>) -> tensor<1x1x1xf32>\n"
        f"%3 = nn.subtract %1, %2 : ({flat}, tensor<1x1x1xf32>) -> {flat}\n"
        f"%4 = nn.reshape %3, %apart : ({flat}, tensor<3xi64>) -> {x}\n"
        f"%5 = nn.transpose %4, %order : ({x}, tensor<3xi64>) -> tensor<1x7x5xf32>\n"
        "func.return %5 : tensor<1x7x5xf32> }"
    )
    assert [op.name for op in found] == ["kernel.map", "kernel.reduce", "kernel.map"]


@st.composite
def upsampled(draw: st.DrawFn) -> tuple[str, tuple[int, ...]]:
    """What is repeated, as `nn.interpolate` does, and read in another order, by a transpose or a sum."""
    sizes = tuple(draw(st.lists(st.integers(1, 3), min_size=1, max_size=3)))
    times = [draw(st.integers(1, 3)) for _ in sizes]
    order = draw(st.permutations(range(len(sizes))))
    whole = [size * n for size, n in zip(sizes, times, strict=True)]
    apart = [each for pair in zip(sizes, times, strict=True) for each in pair]
    rank = len(sizes)

    def typed(sizes: Sequence[int]) -> str:
        return f"tensor<{''.join(f'{size}x' for size in sizes)}f32>"

    def access(rank: int, dims: Sequence[int]) -> str:
        names = ", ".join(f"d{d}" for d in range(rank))
        return f"affine_map<({names}) -> ({', '.join(f'd{d}' for d in dims)})>"

    x, parts, y = typed(sizes), typed(apart), typed(whole)
    z = typed([whole[d] for d in order])
    reads = access(2 * rank, range(0, 2 * rank, 2)), access(2 * rank, range(2 * rank))
    scaled = draw(st.booleans())
    moves = access(rank, range(rank)), access(rank, order)
    text = (
        f"func.func @main(%x: {x}) -> {z} {{\n"
        f"%0 = kernel.map {apart} ins(%x : {x}) outs() access [{reads[0]}, {reads[1]}] -> {parts} {{\n"
        "^bb0(%a: f32):\nkernel.yield %a : f32\n}\n"
        f"%1 = kernel.reshape %0 : {parts} -> {y}\n"
        f"%2 = kernel.map {whole} ins(%1 : {y}) outs() access [{moves[0]}, {moves[1]}] -> {z} {{\n"
        "^bb0(%a: f32):\n%b = arith.addf %a, %a : f32\n"
        f"kernel.yield {'%b' if scaled else '%a'} : f32\n}}\n"
        f"%3 = kernel.map {[whole[d] for d in order]} ins(%2 : {z}) outs() access"
        f" [{access(rank, range(rank))}, {access(rank, range(rank))}] -> {z} {{\n"
        "^bb0(%a: f32):\n%b = arith.mulf %a, %a : f32\nkernel.yield %b : f32\n}\n"
        f"func.return %3 : {z}\n}}"
    )
    return text, sizes


@settings(max_examples=60, deadline=None)
@given(upsampled())
def test_what_is_repeated_is_so_in_any_order(case: tuple[str, tuple[int, ...]]):
    """Fused, the kernels compute the same bits."""
    text, shape = case
    module = Parser(context(), text).parse_module()
    x = np.random.default_rng(0).normal(size=shape).astype(np.float32)
    (wanted,) = Executor(module).run([x])
    FuseKernels().apply(context(), module)
    module.verify()
    (found,) = Executor(module).run([x])
    np.testing.assert_array_equal(found, wanted)


class _Counting(PassInstrumentation):
    """Counts how often each pattern rewrites something."""

    def __init__(self):
        self.counts = Counter[str]()

    def rewritten(self, pattern: str) -> None:
        self.counts[pattern] += 1


@pytest.mark.parametrize(
    ("behind", "fusions"),
    [("%4", 1), ("%2", 2)],
    ids=["nobody else reads what is in between", "something else does"],
)
def test_a_chain_behind_a_kernel_is_fused_at_once(behind: str, fusions: int):
    module = Parser(
        context(),
        f"""
        func.func @main(%x: tensor<2x3xf32>, %w: tensor<4x3xf32>) -> (tensor<2x4xf32>, tensor<2x4xf32>) {{
          %0 = nn.mat_mul %x, %w {{transpose_b = true}} : (tensor<2x3xf32>, tensor<4x3xf32>) -> tensor<2x4xf32>
          %c = nn.constant dense<[1.0, 2.0, 3.0, 4.0]> : tensor<4xf32>
          %1 = nn.relu %0 : tensor<2x4xf32>
          %2 = nn.add %1, %c : (tensor<2x4xf32>, tensor<4xf32>) -> tensor<2x4xf32>
          %3 = nn.tanh %2 : tensor<2x4xf32>
          %4 = nn.abs %3 : tensor<2x4xf32>
          func.return %4, {behind} : tensor<2x4xf32>, tensor<2x4xf32>
        }}
        """,
    ).parse_module()
    counting = _Counting()
    with instrumented(counting):
        for item in (NnToKernels(), FuseKernels()):
            item.apply(context(), module)
    kernels = [op for op in module.walk() if isinstance(op, kernel.EmittedOp)]
    assert len(kernels) == 1
    assert counting.counts["FuseConsumer"] == fusions
