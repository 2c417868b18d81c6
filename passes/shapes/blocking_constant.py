"""Finds the blocking constant: the one that holds an old size, so that a model does not follow its inputs."""

from __future__ import annotations

from collections import deque
from collections.abc import Iterator, Sequence
from collections.abc import Set as AbstractSet
from dataclasses import dataclass

from xdsl.dialects import func
from xdsl.dialects.builtin import IntegerType, ModuleOp, TensorType
from xdsl.ir import BlockArgument, Operation, SSAValue

from ...dialects import infra, nn, qnn
from ...dialects.elements import bits_of
from ...dialects.inferred import (
    constant_integers,
    friendly_name,
    label,
    normalize_axis,
    shape_of,
    tensor,
)
from ...dialects.module import entry_of
from ...dialects.traits import Broadcasts, moved_data

SHAPED = (nn.ReshapeOp, nn.BroadcastOp, nn.SliceOp, nn.StridedSliceOp)
"""Operations whose result shape is an operand."""


@dataclass(frozen=True)
class BlockingConstant:
    """`constant` fixes dimension `dimension` of `reader` to `size`."""

    constant: nn.ConstantOp
    reader: Operation
    dimension: int
    size: int

    def __str__(self) -> str:
        name = friendly_name(self.constant)
        constant = f"constant '{name}'" if name else "a constant without a name"
        return (
            f"{constant} holds {self.size} for dimension {self.dimension} of {label(self.reader)}"
        )


def workarounds(
    module: ModuleOp, failed: Operation, blocking: BlockingConstant | None
) -> Iterator[str]:
    """Workarounds for an operation with shape errors under the new sizes, besides `relax-constants`."""
    if blocking is None:
        if name := next(
            filter(None, (trim_name(module, value) for value in failed.operands)), None
        ):
            yield f'end the model in front of it (trim{{outputs="{name}"}})'
        return
    if name := constant_name(module, blocking.constant):
        yield f'replace it (replace-constant{{name="{name}" file=….npy}})'
    end = _in_entry(module, blocking.reader.results[0])
    if end is not None and _is_read(end) and (names := trim_names(module, end.results)):
        yield f'cut it off (trim{{inputs="{names}"}})'


def constant_name(module: ModuleOp, constant: nn.ConstantOp) -> str | None:
    """The name by which `replace-constant` finds a constant."""
    name = friendly_name(constant)
    return name if name and _is_only(module, name, nn.ConstantOp) else None


def trim_name(module: ModuleOp, value: SSAValue) -> str | None:
    """The name by which `trim` finds a value, or the operation whose body contains it."""
    op = _in_entry(module, value)
    if op is None or isinstance(op, nn.ConstantOp):
        return None
    name = friendly_name(op)
    if not name or not _is_only(module, name, Operation):
        return None
    if len(op.results) == 1 or value not in op.results:
        return name
    return f"{name}.{op.results.index(value)}"


def trim_names(module: ModuleOp, values: Sequence[SSAValue]) -> str | None:
    """The names by which `trim` finds those of an operation's results that something reads; None without names."""
    read = [value for value in values if value.first_use is not None] or values[:1]
    names = [trim_name(module, value) for value in read]
    return None if None in names else ",".join(filter(None, dict.fromkeys(names)))


def _in_entry(module: ModuleOp, value: SSAValue) -> Operation | None:
    """The operation of the entry that makes a value, or whose body contains it; None where an input gives it."""
    if not isinstance(value.owner, Operation):
        return None
    return entry_of(module).body.block.find_ancestor_op_in_block(value.owner)


def _is_read(op: Operation) -> bool:
    """Whether something is left of a model that begins behind an operation."""
    uses = (use for result in op.results for use in result.uses)
    return any(not isinstance(use.operation, func.ReturnOp) for use in uses)


def _is_only(module: ModuleOp, name: str, kind: type[Operation]) -> bool:
    """Whether exactly one operation of a kind has this name."""
    return sum(isinstance(op, kind) and friendly_name(op) == name for op in module.walk()) == 1


def blocking_constant_of(
    module: ModuleOp, trial: ModuleOp, failed: Operation, old_sizes: AbstractSet[int]
) -> BlockingConstant | None:
    """
    The constant nearest to `failed`, an operation of `trial`, that holds an old size where the new ones were not
    propagated. `trial` is a copy of `module` with new input types.
    """
    originals = dict(zip(trial.walk(), module.walk(), strict=True))
    copies = {old: new for new, old in originals.items()}
    start = originals[failed]
    for old, new in zip(start.operands, failed.operands, strict=True):
        if isinstance(old.type, TensorType):
            sizes = zip(shape_of(old), shape_of(new), strict=False)
            old_sizes = old_sizes | {a for a, b in sizes if a != b and a > 0 and b != 0}
    suspects = [
        blocking
        for op in upstream(start)
        for blocking in held_sizes(op)
        if op is start or _is_same(op, blocking.dimension, copies[op])
    ]
    for blocking in suspects:
        if blocking.size in old_sizes:
            return blocking
    for blocking in suspects:  # flattened dimensions are products
        is_multiple = any(size > 1 and blocking.size % size == 0 for size in old_sizes)
        if is_multiple and isinstance(blocking.reader, SHAPED):
            return blocking
    return None


def _is_same(op: Operation, dimension: int, copy: Operation) -> bool:
    """
    Whether an operation's result is what it was before, in this dimension if that comes from an operand; or is missing
    now because its operand is.
    """
    if isinstance(op, SHAPED):
        part, old, new = (
            slice(dimension, dimension + 1),
            shape_of(op.result),
            shape_of(copy.results[0]),
        )
        return old[part] == new[part] or (0 in new and 0 not in old)
    return op.result_types == copy.result_types


def upstream(start: Operation) -> Iterator[Operation]:
    """The operation and all it depends on, the nearest first, in bodies and out of them."""
    pending, seen = deque([start]), {start}
    while pending:
        op = pending.popleft()
        yield op
        for value in op.operands:
            for owner in _producers(value):
                if owner not in seen:
                    seen.add(owner)
                    pending.append(owner)


def _producers(value: SSAValue) -> Iterator[Operation]:
    """The operations that directly compute a value."""
    if (outer := _outside(value)) is not None:
        yield from _producers(outer[1])
    elif isinstance(owner := value.owner, Operation):
        yield owner
        for region in owner.regions:
            for block in region.blocks:
                if block.last_op is not None:
                    yield block.last_op


def _outside(value: SSAValue) -> tuple[Operation, SSAValue] | None:
    """The operation whose body a value is an argument of, and the operand that it is (or begins as)."""
    if not isinstance(value, BlockArgument):
        return None
    match value.block.parent_op():
        case infra.IteratorOp() as op if value.index < len(op.operands_):
            return op, op.operands_[value.index]
        case infra.IfOp() as op:
            return op, op.inputs[value.index]
        case _:
            return None


def held_sizes(op: Operation) -> Iterator[BlockingConstant]:
    """The sizes that an operation takes from constants."""
    match op:
        case nn.ReshapeOp() | nn.BroadcastOp():
            target = op.shape if isinstance(op, nn.ReshapeOp) else op.target_shape
            for dimension, (constant, size) in enumerate(_elements(target)):
                if constant is not None and size > 0:
                    yield BlockingConstant(constant, op, dimension, size)
        case nn.SliceOp():
            axes = constant_integers(op.axes) or ()
            for bounds in (op.stop, op.start):
                for listed, (constant, size) in zip(axes, _elements(bounds), strict=False):
                    if constant is not None and size > 0:
                        axis = normalize_axis(op, listed, len(shape_of(op.input)))
                        yield BlockingConstant(constant, op, axis, size)
        case nn.StridedSliceOp():
            for bounds in map(_elements, (op.end, op.begin)):
                for entry in op.entries(len(bounds), len(shape_of(op.input))):
                    constant, size = bounds[entry.place] if entry.kind == "slice" else (None, 0)
                    if constant is not None and size > 0:
                        yield BlockingConstant(constant, op, entry.dimension, size)
        case nn.TileOp():
            repeats = _elements(op.repeats)
            for back, (constant, size) in enumerate(reversed(repeats), 1):
                if constant is not None and size > 1:
                    yield BlockingConstant(constant, op, len(shape_of(op.result)) - back, size)
        case infra.LoopOp():
            for constant, size in _elements(op.trip_count):
                axes = [port.axis.data for port in op.inputs if isinstance(port, infra.SlicedAttr)]
                if constant is not None and axes:
                    yield BlockingConstant(constant, op, axes[0], size)
        case _:
            pass
    for value in _data_operands(op):
        if (found := _data(op, value)) is not None:
            constant, reader = found
            for dimension, size in enumerate(shape_of(value)):
                if size != 1 or op.get_trait(Broadcasts) is None:
                    yield BlockingConstant(constant, reader, dimension, size)


def _data_operands(op: Operation) -> Sequence[SSAValue]:
    """The operands that are not axes, sizes or conditions."""
    match op:
        case infra.IteratorOp():
            return op.operands_
        case infra.IfOp():
            return op.inputs
        case _:
            return moved_data(op) or op.operands


def _elements(value: SSAValue) -> list[tuple[nn.ConstantOp | None, int]]:
    """The sources and the values of the elements of a vector of sizes."""
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


def _data(op: Operation, value: SSAValue) -> tuple[nn.ConstantOp, Operation] | None:
    """
    The constant behind an operand, perhaps converted or dequantized, and the operation that reads it: `op`, or the one
    whose body it is in. Axes and sizes are not data.
    """
    reader = op
    while not isinstance(owner := value.owner, nn.ConstantOp):
        if (outer := _outside(value)) is not None:
            reader, value = outer
        elif isinstance(owner, nn.ConvertOp | qnn.DequantizeOp | qnn.FakeQuantizeOp):
            value = owner.operands[0]
        else:
            return None
    element = tensor(value).element_type
    is_index = bits_of(element) >= 32 and isinstance(element, IntegerType)
    is_tensor = isinstance(op, nn.BinaryOp | nn.ConcatOp) or not op.name.startswith("nn.")
    return (owner, reader) if is_tensor or not is_index else None
