"""Which constant holds an old size and so keeps a model from following its inputs."""

from __future__ import annotations

from collections import deque
from collections.abc import Iterator
from collections.abc import Set as AbstractSet
from dataclasses import dataclass

from xdsl.dialects.builtin import IntegerType, ModuleOp, TensorType
from xdsl.ir import Block, BlockArgument, Operation, SSAValue

from ..dialects import infra, nn, qnn
from ..dialects.inferred import (
    constant_integers,
    friendly_name,
    label,
    normalize_axis,
    shape_of,
    tensor,
)

INDEXED = (nn.SqueezeOp, nn.UnsqueezeOp, nn.SplitOp, nn.TransposeOp)
"""Operations whose operands behind the first are axes."""

SHAPED = (nn.ReshapeOp, nn.BroadcastOp, nn.SliceOp)
"""Operations that take sizes of their result from an operand."""

BROADCASTING = (nn.BinaryOp, nn.SelectOp, nn.MatMulOp, qnn.FakeQuantizeOp, qnn.DequantizeOp)
"""Operations for which a dimension of 1 fits any other."""


@dataclass(frozen=True)
class Obstacle:
    """`reader` gets its dimension number `dimension` from `constant`, which says `size`."""

    constant: nn.ConstantOp
    reader: Operation
    dimension: int
    size: int


def advice(obstacle: Obstacle) -> str:
    """What stands in the way, and the three ways out."""
    name = friendly_name(obstacle.constant)
    constant = f"constant '{name}'" if name else "a constant without a name"
    reader = friendly_name(obstacle.reader) or "…"
    return (
        f"{constant} holds {obstacle.size} for dimension {obstacle.dimension} of "
        f'{label(obstacle.reader)}: cut it off (trim{{inputs="{reader}"}}), replace it '
        f'(replace-constant{{name="{name or "…"}" file=….npy}}) or let it follow the inputs '
        "(relax-constants)"
    )


def obstacle_to(
    module: ModuleOp, trial: ModuleOp, failed: Operation, old_sizes: AbstractSet[int]
) -> Obstacle | None:
    """
    The constant nearest to `failed`, an operation of `trial`, that holds one of the old sizes where
    the new ones did not get through. `trial` is a copy of `module` with new input types.
    """
    originals = dict(zip(trial.walk(), module.walk(), strict=True))
    copies = {old: new for new, old in originals.items()}
    start = originals[failed]
    for old, new in zip(start.operands, failed.operands, strict=True):
        if isinstance(old.type, TensorType):
            sizes = zip(shape_of(old), shape_of(new), strict=False)
            old_sizes = old_sizes | {a for a, b in sizes if a != b and a > 0}
    suspects = [
        obstacle
        for op in _upstream(start)
        for obstacle in _held_sizes(op)
        if op is start or _is_same(obstacle, copies[op])
    ]
    for obstacle in suspects:
        if obstacle.size in old_sizes:
            return obstacle
    for obstacle in suspects:  # flattened dimensions are products
        if any(size > 1 and obstacle.size % size == 0 for size in old_sizes):
            return obstacle
    return None


def _is_same(obstacle: Obstacle, copy: Operation) -> bool:
    """Whether the reader gives what it gave before, in the dimension if it takes that from the constant."""
    old, new = obstacle.reader.results, copy.results
    if isinstance(obstacle.reader, SHAPED):
        index = obstacle.dimension
        return shape_of(old[0])[index : index + 1] == shape_of(new[0])[index : index + 1]
    return [value.type for value in old] == [value.type for value in new]


def _upstream(start: Operation) -> Iterator[Operation]:
    """The operation and all it depends on, the nearest first, in bodies and out of them."""
    pending, seen = deque([start]), {start}
    while pending:
        op = pending.popleft()
        yield op
        for value in op.operands:
            for owner in _givers(value):
                if owner not in seen:
                    seen.add(owner)
                    pending.append(owner)


def _givers(value: SSAValue) -> Iterator[Operation]:
    """The operations that a value comes from directly."""
    owner = value.owner
    if isinstance(owner, Block):
        assert isinstance(value, BlockArgument)
        body = owner.parent_op()
        match body:
            case infra.IteratorOp() if value.index < len(body.operands_):
                yield from _givers(body.operands_[value.index])
            case infra.IfOp():
                yield from _givers(body.inputs[value.index])
            case _:
                pass
        return
    yield owner
    for region in owner.regions:
        for block in region.blocks:
            if block.last_op is not None:
                yield block.last_op


def _held_sizes(op: Operation) -> Iterator[Obstacle]:
    """The sizes that an operation takes from constants."""
    match op:
        case nn.ReshapeOp() | nn.BroadcastOp():
            target = op.shape if isinstance(op, nn.ReshapeOp) else op.target_shape
            for dimension, (constant, size) in enumerate(_elements(target)):
                if constant is not None and size > 0:
                    yield Obstacle(constant, op, dimension, size)
        case nn.SliceOp():
            axes = constant_integers(op.axes) or ()
            for bounds in (op.stop, op.start):
                for listed, (constant, size) in zip(axes, _elements(bounds), strict=False):
                    if constant is not None and size > 0:
                        axis = normalize_axis(op, listed, len(shape_of(op.input)))
                        yield Obstacle(constant, op, axis, size)
        case infra.LoopOp():
            for constant, size in _elements(op.trip_count):
                axes = [port.axis.data for port in op.inputs if isinstance(port, infra.SlicedAttr)]
                if constant is not None and axes:
                    yield Obstacle(constant, op, axes[0], size)
        case _:
            pass
    for value in op.operands[:1] if isinstance(op, INDEXED) else op.operands:
        if (constant := _data(op, value)) is not None:
            for dimension, size in enumerate(shape_of(value)):
                if size != 1 or not isinstance(op, BROADCASTING):
                    yield Obstacle(constant, op, dimension, size)


def _elements(value: SSAValue) -> list[tuple[nn.ConstantOp | None, int]]:
    """Where the elements of a vector of sizes come from, and what they are."""
    match value.owner:
        case nn.ConstantOp() as constant:
            return [(constant, size) for size in constant_integers(value) or ()]
        case nn.ConvertOp() | nn.ReshapeOp() | nn.SqueezeOp() | nn.UnsqueezeOp() as op:
            return _elements(op.operands[0])
        case nn.ConcatOp() as op:
            return [element for part in op.inputs for element in _elements(part)]
        case _:
            count = shape_of(value)[:1]
            return [(None, 0)] * (count[0] if count and count[0] > 0 else 1)


def _data(op: Operation, value: SSAValue) -> nn.ConstantOp | None:
    """The constant that gives data, be it converted or dequantized; axes and sizes are no data."""
    while not isinstance(owner := value.owner, nn.ConstantOp):
        if not isinstance(owner, nn.ConvertOp | qnn.DequantizeOp | qnn.FakeQuantizeOp):
            return None
        value = owner.operands[0]
    element = tensor(value).element_type
    is_index = isinstance(element, IntegerType) and element.width.data >= 32
    is_tensor = isinstance(op, nn.BinaryOp | nn.ConcatOp) or not op.name.startswith("nn.")
    return owner if is_tensor or not is_index else None
