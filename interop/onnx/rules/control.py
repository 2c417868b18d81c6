"""Control flow: If, Loop and Scan, whose bodies take what they read of the graph around them as operands."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING, Any

from xdsl.dialects.builtin import (
    DYNAMIC_INDEX,
    ArrayAttr,
    IntAttr,
    IntegerAttr,
    StringAttr,
    TensorType,
    UnitAttr,
    i1,
    i64,
)
from xdsl.ir import Attribute, Block, Operation, Region, SSAValue
from xdsl.rewriter import InsertPoint
from xdsl.utils.exceptions import DiagnosticException

from ....dialects import infra, nn
from ....dialects.blob import BlobAttr
from ....dialects.inferred import constant_integers, shape_of, tensor
from ....dialects.nn.writer import Writer
from ....passes.erase_unused import erase_dead
from ..node import InvalidNodeError, Node, Stack, Value, Values
from ..rule_table import rule
from ..stacks import appended, is_counted, stacking

if TYPE_CHECKING:
    from ..graph import Scope

MOST_ITERATIONS = 1024
"""Loops that carry sequences are unrolled, up to so many iterations."""


@rule("If")
def if_(node: Node) -> Values:
    """
    A branch whose condition is known is written without an If. So is one that squeezes what the other returns
    unchanged: exporters ask so whether a dimension has size 1, and what follows fits only one rank. A branch that does
    not fit the shapes of the model fails if it is taken.
    """
    branches = [node.needed("then_branch"), node.needed("else_branch")]
    if (known := node.known(0)) is not None:
        return node.scope.inlined(branches[not any(known)], [])
    bodies = _bodies(node, branches)
    ranks = [[tensor(each).get_num_dims() for each in results] for _, results in bodies]
    if ranks[0] != ranks[1]:
        squeezing = [i for i in (0, 1) if _squeezes(*bodies[i]) and _passes(*bodies[1 - i])]
        if not squeezing:
            raise node.refuse(
                f"its branches give {ranks[0]} and {ranks[1]} dimensions, and only a run knows which; give the inputs "
                "of the model fixed shapes"
            )
        return node.scope.inlined(branches[squeezing[0]], [])
    taken: dict[SSAValue, None] = {}
    for scope, _ in bodies:
        taken |= dict.fromkeys(scope.captured)
    regions: list[Region] = []
    for scope, results in bodies:
        for value in taken:  # both bodies are given the same, in the same order
            argument = scope.block.insert_arg(value.type, len(scope.block.args))
            if (old := scope.captured.get(value)) is not None:
                results = [argument if result is old else result for result in results]
                old.replace_all_uses_with(argument)
        for argument in list(scope.block.args)[: len(scope.captured)]:
            scope.block.erase_arg(argument)
        scope.block.add_op(infra.YieldOp(*results))
        erase_dead(scope.block)
        regions.append(Region(scope.block))
    return list(
        _inferred(node, infra.IfOp, [node.write.reshaped(node[0], ()), *taken], {}, regions)
    )


def _bodies(node: Node, branches: Sequence[Any]) -> list[tuple[Scope, list[SSAValue]]]:
    found = dict[int, tuple[Any, list[SSAValue]]]()
    errors = dict[int, InvalidNodeError]()
    for i, graph in enumerate(branches):
        try:
            found[i] = node.scope.body(graph, [])
        except InvalidNodeError as error:
            if errors:
                raise
            errors[i] = error
    for i, error in errors.items():
        found[i] = node.scope.failing_body(str(error), found[1 - i][1])
    return [found[i] for i in range(len(branches))]


def _passes(scope: Scope, results: Sequence[SSAValue]) -> bool:
    """Whether a body returns values of the surrounding graph unchanged."""
    return all(result in scope.captured.values() for result in results)


def _squeezes(scope: Scope, results: Sequence[SSAValue]) -> bool:
    """Whether a body returns values of the surrounding graph without dimensions of size 1."""
    return all(
        isinstance(op := result.owner, nn.SqueezeOp) and op.input in scope.captured.values()
        for result in results
    )


def _inferred(
    node: Node,
    kind: type[infra.IfOp | infra.IteratorOp],
    operands: Sequence[SSAValue],
    properties: dict[str, Attribute],
    regions: Sequence[Region],
) -> Sequence[SSAValue]:
    """An operation with bodies; the types of its results follow from these."""
    draft = kind.create(operands=operands, properties=properties, regions=regions)
    types = draft.infer_types(constant_integers)
    bodies = [draft.detach_region(region) for region in list(draft.regions)]
    draft.erase()
    made = kind.create(operands=operands, properties=properties, regions=bodies, result_types=types)
    return node.write.builder.insert(made).results


@rule("Loop")
def loop(node: Node) -> Values:
    """
    The arguments of the body are the number of the iteration, the condition (true) and carried values. Its results are
    whether another iteration may follow, carried values, and values that are stacked over all iterations.
    """
    body, carried = node.needed("body"), list(node.inputs[2:])
    if all(isinstance(value, SSAValue) for value in carried):
        return _loop(node, body, carried)
    trip = [] if node.get(0) is None else node.known(0)
    if not (trip and trip[0] <= MOST_ITERATIONS and is_counted(body)):
        places = [i for i, value in enumerate(carried) if not isinstance(value, SSAValue)]
        values = [None if carried[i] is None else appended(body, i) for i in places]
        if None not in values:
            appends = dict(zip(places, map(str, values), strict=True))
            return _stacked_or_unrolled(node, body, carried, appends)
    return _unrolled(node, body, carried)


def _stacked_or_unrolled(
    node: Node, body: Any, carried: list[Value], appends: dict[int, str]
) -> Values:
    """
    A loop that appends to sequences. Where its body needs to know the number of the iteration, as that of EmbeddingBag
    does, it is unrolled.
    """
    try:
        return _stacked(node, body, carried, appends)
    except DiagnosticException as error:
        try:
            return _unrolled(node, body, carried)
        except DiagnosticException:
            raise error from None


def _stacked(node: Node, body: Any, carried: list[Value], appends: dict[int, str]) -> list[Value]:
    """A loop that appends to sequences, which are what they held before, and what it puts together."""
    others = [value for i, value in enumerate(carried) if i not in appends]
    results = _loop(node, stacking(body, list(appends), list(appends.values())), others)
    rest, stacks = results[: len(results) - len(appends)], results[len(results) - len(appends) :]
    for place, tensor_ in zip(appends, stacks, strict=True):
        assert isinstance(tensor_, SSAValue)
        rest.insert(place, _behind(node, carried[place], tensor_))
    return rest


def _behind(node: Node, sequence: Value, appended: SSAValue) -> Stack:
    """The values of a sequence, and behind them those that a loop put together."""
    if isinstance(sequence, Stack):
        parts = [sequence.tensor]
    else:
        assert isinstance(sequence, tuple)
        parts = _rows(node, sequence)
    return Stack(node.write(nn.ConcatOp, *parts, appended, axis=0) if parts else appended)


def _rows(node: Node, values: Iterable[Value]) -> list[SSAValue]:
    """Tensors as those of one row each, in a dimension in front, along which they can be put together."""
    write = node.write
    return [write(nn.UnsqueezeOp, node.tensor_of(each), write.integers(0)) for each in values]


def _loop(node: Node, body: Any, carried: Sequence[Value]) -> list[Value]:
    """A loop that carries tensors."""
    write = node.write
    trip, go_on = node.get(0), node.get(1)
    start = [value for value in carried if isinstance(value, SSAValue)]
    trip = write.constant(_scalar(i64, -1)) if trip is None else _counted(node, trip)
    go_on = write.constant(_scalar(i1, 1)) if go_on is None else write.reshaped(go_on, ())
    types = [tensor(value) for value in start]
    number, true = _arguments(node, body)
    scope, results = _settled(node, body, [number, true], types)
    block, count = scope.block, len(start)
    iteration = block.insert_arg(TensorType(i64, []), len(block.args))  # it comes last here
    front = Writer(InsertPoint.at_start(block))
    given = [
        front.reshaped(iteration, number.get_shape()),
        front.constant(BlobAttr.of(true, 1)),
    ]
    for argument, value in zip(list(block.args)[:2], given, strict=True):
        results = [value if each is argument else each for each in results]
        argument.replace_all_uses_with(value)
        block.erase_arg(argument)
    condition, *back = results
    inner = scope.write
    condition = inner.reshaped(condition, ())
    stacked = [inner(nn.UnsqueezeOp, each, inner.integers(0)) for each in back[count:]]
    block.add_op(infra.YieldOp(condition, *back[:count], *stacked))
    outputs = [infra.IterationAttr(IntAttr(1 + i), IntAttr(-1)) for i in range(count)]
    outputs += [_put_together(1 + count + i, 0, False) for i in range(len(stacked))]
    inputs = [infra.MergedAttr(IntAttr(1 + i)) for i in range(count)]
    return _iterator(
        node,
        infra.LoopOp,
        scope,
        [trip, go_on],
        [info.name for info in body.input[2:]],
        start,
        inputs,
        outputs,
        {"body_condition": IntegerAttr(0, i64), "current_iteration": UnitAttr()},
    )


def _arguments(node: Node, body: Any) -> tuple[TensorType[Any], TensorType[Any]]:
    """
    The types of the number of the iteration and of the condition in a body. Both are scalars or have one dimension of
    size 1: the number as the body says, the condition as that of the loop.
    """
    number = body.input[0].type.tensor_type.shape.dim
    condition = () if (go_on := node.get(1)) is None else shape_of(go_on)
    return TensorType(i64, [1] * len(number)), TensorType(i1, [1] * len(condition))


def _counted(node: Node, trip: SSAValue) -> SSAValue:
    """A trip count for `infra.loop`, where one below 0 is no limit; in ONNX there is no iteration then."""
    known = node.known(0)
    if known and known[0] < 0:
        return node.write.constant(_scalar(i64, 0))
    trip = node.write.reshaped(trip, ())
    return trip if known else node.write(nn.MaximumOp, trip, 0)


def _scalar(element: Attribute, value: int) -> BlobAttr:
    return BlobAttr.of(TensorType(element, []), value)


def _put_together(result: int, axis: int, reverse: bool) -> infra.ConcatenatedAttr:
    start, end, stride = (-1, 0, -1) if reverse else (0, -1, 1)
    return infra.ConcatenatedAttr(*map(IntAttr, (result, axis, start, end, stride, 1)))


def _settled(
    node: Node,
    graph: Any,
    before: Sequence[Attribute],
    carried: list[TensorType[Any]],
    after: Sequence[Attribute] = (),
) -> tuple[Scope, list[SSAValue]]:
    """
    The body, its arguments with types that fit all iterations: a dimension that an iteration changes is unknown.
    `before` and `after` are the numbers of arguments before and after the carried ones. The results begin with as many
    as `before`, without the iteration.
    """
    first = 1 if before else 0
    while True:
        scope, results = node.scope.body(graph, [*before, *carried, *after])
        back = [tensor(each) for each in results[first : first + len(carried)]]
        joined: list[TensorType[Any]] = []
        for old, new in zip(carried, back, strict=True):
            if old.element_type != new.element_type or old.get_num_dims() != new.get_num_dims():
                raise node.refuse(
                    f"what it carries is a {old} before and a {new} after an iteration"
                )
            pairs = zip(old.get_shape(), new.get_shape(), strict=True)
            joined.append(
                TensorType(old.element_type, [a if a == b else DYNAMIC_INDEX for a, b in pairs])
            )
        if joined == carried:
            return scope, results
        carried = joined


def _iterator(
    node: Node,
    kind: type[infra.IteratorOp],
    scope: Scope,
    ahead: Sequence[SSAValue],
    names: Sequence[str],
    operands: Sequence[SSAValue],
    inputs: Sequence[infra.PortAttr],
    outputs: Sequence[infra.PortAttr],
    properties: dict[str, Attribute],
) -> list[Value]:
    """The iterator. Values that its body takes from the surrounding graph are invariant."""
    taken, block = list(scope.captured), scope.block
    erase_dead(scope.block)
    names = [*names, *(f"{len(operands) + i}" for i in range(len(taken)))]
    properties = properties | {
        "inputs": ArrayAttr([*inputs, *[infra.InvariantAttr()] * len(taken)]),
        "outputs": ArrayAttr(outputs),
        "body_names": ArrayAttr(map(StringAttr, names)),
    }
    given = [*ahead, *operands, *taken]
    return [*node.recurrence(_inferred(node, kind, given, properties, [Region(block)]))]


def _unrolled(node: Node, body: Any, carried: list[Value]) -> Values:
    """A loop that carries sequences, unrolled: its number of iterations must be known."""
    write = node.write
    trip = (
        node.integers(0, "trip counts of a loop over sequences")[0]
        if node.get(0) is not None
        else -1
    )
    known = [1] if node.get(1) is None else node.integers(1, "conditions of a loop over sequences")
    number, true = _arguments(node, body)
    outputs: list[list[Value]] = []
    iteration = 0
    while any(known) and iteration != trip:
        if iteration >= MOST_ITERATIONS:
            raise node.refuse(f"carries sequences and runs more than {MOST_ITERATIONS} times")
        given = [
            write.constant(BlobAttr.of(number, iteration)),
            write.constant(BlobAttr.of(true, 1)),
        ]
        condition, *results = node.scope.inlined(body, [*given, *carried])
        assert isinstance(condition, SSAValue)
        if (now := constant_integers(condition)) is None:
            raise node.refuse("carries sequences, and only a run knows when it ends")
        known, carried, iteration = list(now), results[: len(carried)], iteration + 1
        outputs.append(results[len(carried) :])
    if not outputs and len(node.outputs) > len(carried):
        raise node.refuse("runs no iteration, so what it puts together has no type")
    stacked = (_rows(node, values) for values in zip(*outputs, strict=True))
    return [*carried, *(write(nn.ConcatOp, *rows, axis=0) for rows in stacked)]


@rule("Scan")
def scan(node: Node) -> Values:
    """Before version 9, each entry of a batch is scanned for itself, in a loop around."""
    body = node.needed("body")
    if node.version < 9:
        return _scan_batches(node, body)
    return _scan(node, body, [node[i] for i in range(len(node.inputs))])


def _scan(node: Node, body: Any, values: Sequence[SSAValue]) -> list[Value]:
    """An iteration for each part of the scanned inputs."""
    scanned = node.needed("num_scan_inputs")
    states, sequences = list(values[: len(values) - scanned]), list(values[len(values) - scanned :])
    results = len(body.output) - len(states)
    ranks = [len(shape_of(value)) for value in sequences]
    axes = node("scan_input_axes") or [0] * scanned
    axes = [axis % rank for axis, rank in zip(axes, ranks, strict=True)]
    directions = node("scan_input_directions") or node("directions") or [0] * scanned
    types: list[Attribute] = []
    for value, axis in zip(sequences, axes, strict=True):
        shape = list(shape_of(value))
        del shape[axis]
        types.append(TensorType(tensor(value).element_type, shape))
    scope, given = _settled(node, body, [], [tensor(value) for value in states], types)
    block = scope.block
    inputs: list[infra.PortAttr] = [infra.MergedAttr(IntAttr(i)) for i in range(len(states))]
    for i, (axis, direction, value) in enumerate(zip(axes, directions, sequences, strict=True)):
        place = len(states) + i
        old = block.args[place]
        part = _part_of(block, place, value, axis)
        given = [part if each is old else each for each in given]
        old.replace_all_uses_with(part)
        block.erase_arg(old)
        start, end, stride = (-1, 0, -1) if direction else (0, -1, 1)
        inputs.append(infra.SlicedAttr(*map(IntAttr, (axis, start, end, stride, 1))))
    inner = scope.write
    output_axes = node("scan_output_axes") or [0] * results
    output_directions = node("scan_output_directions") or [0] * results
    outputs: list[infra.PortAttr] = [
        infra.IterationAttr(IntAttr(i), IntAttr(-1)) for i in range(len(states))
    ]
    stacked: list[SSAValue] = []
    for i, value in enumerate(given[len(states) :]):
        axis = output_axes[i] % (len(shape_of(value)) + 1)
        stacked.append(inner(nn.UnsqueezeOp, value, inner.integers(axis)))
        outputs.append(_put_together(len(states) + i, axis, bool(output_directions[i])))
    block.add_op(infra.YieldOp(*given[: len(states)], *stacked))
    names = [info.name for info in body.input]
    operands = [*states, *sequences]
    return _iterator(node, infra.TensorIteratorOp, scope, [], names, operands, inputs, outputs, {})


def _part_of(block: Block, place: int, whole: SSAValue, axis: int) -> SSAValue:
    """What an iteration is given of a scanned input by a new argument of its body, without the axis of size 1."""
    shape = list(shape_of(whole))
    shape[axis] = 1
    part = block.insert_arg(TensorType(tensor(whole).element_type, shape), place)
    axes = nn.ConstantOp(BlobAttr.of(TensorType(i64, [1]), [axis]))
    squeezed = nn.SqueezeOp.of(part, axes.result)
    _in_front(block, [axes, squeezed])
    return squeezed.result


def _in_front(block: Any, ops: Sequence[Operation]) -> None:
    if (first := block.first_op) is None:
        block.add_ops(ops)
    else:
        block.insert_ops_before(list(ops), first)


def _scan_batches(node: Node, body: Any) -> Values:
    """`Scan-8` has a batch dimension in front of everything, and scans its entries one by one."""
    if node.get(0) is not None:
        raise node.refuse(
            "sequence_lens (input 0) are not supported; export the model with opset 9 or later"
        )
    write = node.write
    values = [node[i] for i in range(1, len(node.inputs))]
    batch = shape_of(values[0])[0]
    if batch == DYNAMIC_INDEX:
        raise node.refuse("the size of its batch is unknown; give the model's inputs fixed shapes")
    rows: list[list[Value]] = []
    for entry in range(batch):
        own = [
            write(nn.SqueezeOp, write.slice(value, entry, entry + 1, 0), write.integers(0))
            for value in values
        ]
        rows.append(_scan(node, body, own))
    columns = (_rows(node, column) for column in zip(*rows, strict=True))
    return [write(nn.ConcatOp, *column, axis=0) for column in columns]
