"""Rules of random models: states and iterators."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from xdsl.dialects.builtin import ArrayAttr, IntAttr, StringAttr, TensorType, f32
from xdsl.ir import Attribute, Block, Region

from lowstream.dialects import infra
from lowstream.dialects.inferred import tensor
from lowstream.test.unit.lowering.graph_arithmetic import quantized_product
from lowstream.test.unit.lowering.graph_writer import Graph, Known


def state(g: Graph) -> Sequence[Known]:
    """Read, and perhaps assigned: from a constant, an input or something computed, while it is unset."""
    init = g.pick(lambda known: known.small and known.element == f32)
    if init is None or g.chance():
        init = Known(g.constant(g.array(g.one([(2, 4), (1, 4), (3,)]))))
    name = f"state_{len(g.variables)}"
    type = tensor(init.value)
    g.variables.append(infra.VariableOp(name, type))
    g.pool.append(Known(g.add(infra.ReadValueOp(name, init.value, type))))
    following = g.pick(lambda known: known.small and known.value.type == type)
    if following is not None and g.number(0, 3):
        g.block.add_op(infra.AssignOp(name, following.value))
    return []


def iterate(g: Graph) -> Sequence[Known]:
    """An iterator with every kind of port."""
    sliced = g.pick(lambda known: any(size in (2, 3, 4) for size in known.shape))
    if sliced is None:
        return []
    axis = g.one([i for i, size in enumerate(sliced.shape) if size in (2, 3, 4)])
    ports, known, types, merged = _inputs(g, sliced, axis)
    block = Block(arg_types=types)
    pool = [replace(k, value=arg) for k, arg in zip(known, block.args, strict=True)]
    pool[1 : 1 + merged] = [Known(arg) for arg in block.args[1 : 1 + merged]]
    rules = [rule for rule in g.rules if rule not in OUTER]
    body = Graph(g.draw, block, pool, g.variables, rules)
    body.grow(g.number(0, 4))
    results = _results(body, types[1 : 1 + merged])
    outputs, given, given_types = _outputs(g, results, sliced.shape[axis])
    block.add_op(infra.YieldOp(*(result.value for result in results)))
    op = infra.TensorIteratorOp(
        operands=[[each.value for each in known]],
        result_types=[given_types],
        properties={
            "inputs": ArrayAttr(ports),
            "outputs": ArrayAttr(outputs),
            "body_names": ArrayAttr([StringAttr(f"p{i}") for i in range(len(ports))]),
        },
        regions=[Region(block)],
    )
    g.block.add_op(op)
    return [replace(k, value=r) for k, r in zip(given, op.results, strict=True)]


def _inputs(
    g: Graph, sliced: Known, axis: int
) -> tuple[list[Attribute], list[Known], list[Attribute], int]:
    """Ports, operands, types of the body's arguments, and how many are merged, behind the one that is sliced."""
    start, end, stride = g.one([(0, -1, 1), (-1, 0, -1)])
    ports: list[Attribute] = [infra.SlicedAttr(*map(IntAttr, (axis, start, end, stride, 1)))]
    part = list(sliced.shape)
    part[axis] = 1
    known = [sliced]
    types: list[Attribute] = [TensorType(sliced.element, part)]
    for _ in range(g.number(0, 2)):
        one = g.pick(lambda known: known.small and known.element == f32)
        known.append(one or Known(g.constant(g.array((2, 4)))))
        ports.append(infra.MergedAttr(IntAttr(len(ports) - 1)))
        types.append(known[-1].value.type)
    merged = len(ports) - 1
    if g.chance():
        known.append(g.one(g.pool))
        ports.append(infra.InvariantAttr())
        types.append(known[-1].value.type)
    return ports, known, types, merged


def _results(body: Graph, merged: Sequence[Attribute]) -> list[Known]:
    """Values of these types, which go around, and others."""
    results: list[Known] = []
    for type in merged:
        found = body.pick(lambda known, type=type: known.small and known.value.type == type)
        assert found is not None
        results.append(found)
    count = body.number(0 if merged else 1, 2)
    return results + [body.one(body.pool) for _ in range(count)]


def _outputs(
    g: Graph, results: Sequence[Known], iterations: int
) -> tuple[list[Attribute], list[Known], list[Attribute]]:
    """Ports, what is known of their values, and their types."""
    ports: list[Attribute] = []
    known: list[Known] = []
    types: list[Attribute] = []
    for number, result in enumerate(results):
        for _ in range(g.number(0, 2)):
            if g.chance():
                ports.append(infra.IterationAttr(IntAttr(number), IntAttr(-1)))
                types.append(result.value.type)
            elif result.shape:
                shape = list(result.shape)
                axis = g.number(0, len(shape) - 1)
                stride = g.one([1, -1]) * shape[axis]
                limits = (0, -1) if stride > 0 else (-1, 0)
                numbers = (number, axis, *limits, stride, shape[axis])
                ports.append(infra.ConcatenatedAttr(*map(IntAttr, numbers)))
                shape[axis] *= iterations
                types.append(TensorType(result.element, shape))
            else:
                continue
            known.append(result)
    return ports, known, types


OUTER = (state, quantized_product)
"""What a body does not have."""
