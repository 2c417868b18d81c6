"""
A dynamic number of rows is computed block by block, as many blocks as there are rows for.

    y = f(x)[0 : n]   →   infra.loop of ceil(n / block) iterations, each f of a block of rows of x

Behind a detector's suppression there is room for a thousand regions, of which an image may have a dozen: the loop
computes convolutions, products and what stands between them for these alone. Results of a loop are zeros beyond.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from xdsl.dialects.builtin import ArrayAttr, IntAttr, IntegerAttr, StringAttr, TensorType, i1, i64
from xdsl.ir import Block, Operation, Region, SSAValue
from xdsl.rewriter import InsertPoint

from ...dialects import infra, nn
from ...dialects.blob import BlobAttr
from ...dialects.inferred import InferredOp, constant_integers, normalize_axis, shape_of, tensor
from ...dialects.nn.convolution import ConvolutionBase
from ...dialects.nn.detection.regions import AlignOp
from ...dialects.nn.pooling import PoolingOp
from ...dialects.nn.writer import Writer
from ...dialects.origins import origin_of, set_origins
from ...dialects.rewriter import Rewriter
from ...dialects.traits import Elementwise
from ...dialects.walk import block_operations
from ...passes.decompose_ops import decompose_all
from ...passes.raise_loop_ports.loop import scalar
from .bounded import Bounded, is_same
from .data_movement import wide
from .laws import axes_of

BLOCKS = 16
"""The number of blocks of rows: with that many, the last one computes few rows that do not exist."""

FEWEST_ROWS = 16
"""A block of fewer rows reads weights too often."""

HEAVY = (ConvolutionBase, nn.MatMulOp, AlignOp)
"""What is worth a loop."""

Moves = Callable[[Any, int], Sequence[bool] | None]
"""Which operands have a row for each row of the result; None where rows depend on each other."""


def _elementwise(op: Operation, rows: int) -> Sequence[bool]:
    rank = len(shape_of(op.results[0]))
    shapes = [shape_of(operand) for operand in op.operands]
    return [len(shape) == rank and shape[0] == rows for shape in shapes]


def _first(op: Operation, rows: int) -> Sequence[bool]:
    return [number == 0 for number in range(len(op.operands))]


def _product(op: nn.MatMulOp, rows: int) -> Sequence[bool] | None:
    left, right = shape_of(op.a), shape_of(op.b)
    is_inner = len(left) < 2 or (len(left) == 2 and op.transpose_a) or len(right) >= len(left) > 2
    return None if is_inner or len(right) > 2 else (True, False)


def _regions(op: AlignOp, rows: int) -> Sequence[bool]:
    return False, True, True


def _transposed(op: nn.TransposeOp, rows: int) -> Sequence[bool] | None:
    order = constant_integers(op.order)
    return (True, False) if order and order[0] == 0 else None


def _reduced(op: nn.ReduceOp, rows: int) -> Sequence[bool] | None:
    return None if 0 in axes_of(op) else (True, False)


def _joined(op: nn.ConcatOp, rows: int) -> Sequence[bool] | None:
    axis = normalize_axis(op, op.axis.value.data, len(shape_of(op.result)))
    return None if axis == 0 else [True] * len(op.operands)


MOVES: dict[type[Any], Moves] = {
    AlignOp: _regions,
    ConvolutionBase: _first,
    PoolingOp: _first,
    nn.MatMulOp: _product,
    nn.ReshapeOp: _first,
    nn.TransposeOp: _transposed,
    nn.ReduceOp: _reduced,
    nn.ConcatOp: _joined,
}
"""By operation whose results may be computed row by row, what it reads of each row."""


@dataclass
class _Group:
    """Operations on rows of one number, behind all that they read."""

    rows: int
    size: SSAValue
    members: list[InferredOp] = field(default_factory=list[InferredOp])

    @property
    def block(self) -> int:
        """How many rows an iteration computes: a divisor of all, where there is one of about the size."""
        least = max(FEWEST_ROWS, -(-self.rows // BLOCKS))
        return next((n for n in range(least, 2 * least) if self.rows % n == 0), least)


class Blocks:
    """Puts operations of a block whose results have a dynamic number of rows into loops."""

    def __init__(self, block: Block, known: Mapping[SSAValue, Bounded]):
        self.order = {op: number for number, op in enumerate(block_operations(block))}
        self.sizes = {
            each.value: each.sizes[0] for each in known.values() if each.sizes.keys() == {0}
        }

    def run(self) -> None:
        """Writes the loops."""
        groups = list[_Group]()
        for op in self.order:
            if isinstance(op, InferredOp) and self._moves(op) is not None:
                self._join(groups, op)
        groups = [group for group in groups if group.rows > group.block]
        taken = {op for group in groups for op in group.members}
        for group in groups:
            self._reach_back(group, taken)
        for group in groups:
            _Writing(group, self._moves).write()

    def _moves(self, op: Operation) -> Sequence[bool] | None:
        """Which operands have rows, if the operation computes each row of a result from one of theirs."""
        if len(op.results) != 1 or (value := op.results[0]) not in self.sizes or op.regions:
            return None
        rows = shape_of(value)[0]
        found = next((moves for kind, moves in MOVES.items() if isinstance(op, kind)), None)
        if found is None and op.has_trait(Elementwise):
            found = _elementwise
        moved = None if found is None else found(op, rows)
        if moved is None or not any(moved):
            return None
        pairs = zip(op.operands, moved, strict=True)
        is_row = all(shape_of(operand)[:1] == (rows,) for operand, each in pairs if each)
        return moved if is_row else None

    def _join(self, groups: list[_Group], op: InferredOp) -> None:
        """Adds an operation to the group whose results it reads, if all else that it reads stands in front of that."""
        rows, size = shape_of(op.results[0])[0], self.sizes[op.results[0]]
        for group in reversed(groups):
            members = {*group.members}
            begin = self.order[group.members[0]]
            owners = [operand.owner for operand in op.operands]
            if (
                any(owner in members for owner in owners)
                and (group.rows == rows and is_same(group.size, size))
                and all(owner in members or self._is_in_front(owner, begin) for owner in owners)
            ):
                group.members.append(op)
                return
        if isinstance(op, HEAVY):
            groups.append(_Group(rows, size, [op]))

    def _is_in_front(self, owner: Operation | Block, place: int) -> bool:
        return isinstance(owner, Block | nn.ConstantOp) or self.order[owner] < place

    def _reach_back(self, group: _Group, taken: set[Operation]) -> None:
        """Adds what only the members read, which stands in front of the first one, if that is in no group."""
        for op in group.members:
            for operand in op.operands:
                owner = operand.owner
                if (
                    isinstance(owner, InferredOp)
                    and owner not in taken
                    and self._moves(owner) is not None
                    and shape_of(operand)[0] == group.rows
                    and all(use.operation in group.members for use in operand.uses)
                ):
                    group.members.append(owner)
                    taken.add(owner)
        group.members.sort(key=self.order.__getitem__)


class _Writing:
    """Writes the loop of a group where its first member that is heavy stands."""

    def __init__(self, group: _Group, moves: Callable[[Operation], Sequence[bool] | None]):
        self.group, self.moves = group, moves
        self.place: Operation = next(op for op in group.members if isinstance(op, HEAVY))
        self.count = -(-group.rows // group.block)
        self.body = Block()
        self.inside = Writer(InsertPoint.at_end(self.body), self.place)
        self.here = dict[tuple[SSAValue, bool], SSAValue]()
        """Values of the body, by those of the entry and whether they have rows."""
        self.operands, self.ports = list[SSAValue](), list[infra.PortAttr]()

    def write(self) -> None:
        group, write = self.group, Writer(InsertPoint.before(self.place))
        for op in group.members:
            self._copy(op)
        given: list[SSAValue] = [
            result
            for op in group.members
            for result in op.results
            if any(use.operation not in group.members for use in result.uses)
        ]
        self.body.add_op(infra.YieldOp(*(self.here[value, True] for value in given)))
        trip = write(nn.AddOp, wide(write, group.size), group.block - 1)
        trip = scalar(write, write(nn.DivideOp, trip, group.block))
        types = [self._type(value, self.count * group.block) for value in given]
        outputs = [
            infra.ConcatenatedAttr(IntAttr(number), *self._slicing())
            for number in range(len(given))
        ]
        operands = [trip, write.constant(TRUE), *map(self._padded, self.operands, self.ports)]
        names = [StringAttr(f"rows{number}") for number in range(len(self.ports))]
        loop = infra.LoopOp.create(
            operands=operands,
            result_types=types,
            properties={
                "inputs": ArrayAttr(self.ports),
                "outputs": ArrayAttr(outputs),
                "body_names": ArrayAttr(names),
                "most_iterations": IntegerAttr(self.count, i64),
            },
            regions=[Region(self.body)],
        )
        set_origins(loop, origin_of(self.place))
        write.builder.insert(loop)
        for value, result in zip(given, loop.results, strict=True):
            value.replace_all_uses_with(
                write.part(result, [0] * len(shape_of(value)), shape_of(value))
            )
        for op in reversed(group.members):
            Rewriter.erase_op(op)
        decompose_all(block_operations(self.body))

    def _copy(self, op: InferredOp) -> None:
        """Writes a member on a block of rows."""
        moved = self.moves(op)
        assert moved is not None
        if isinstance(op, nn.ReshapeOp):
            shape = self.inside.integers(self.group.block, *shape_of(op.result)[1:])
            operands = [self._value(op.input, has_rows=True), shape]
        else:
            operands = [self._value(*pair) for pair in zip(op.operands, moved, strict=True)]
        self.here[op.results[0], True] = self._insert(op, operands)

    def _value(self, value: SSAValue, has_rows: bool) -> SSAValue:
        """A block of the rows of a value, or all of it."""
        if (value, has_rows) not in self.here:
            owned = None if has_rows else self._owned(value)
            self.here[value, has_rows] = owned or self._argument(value, has_rows)
        return self.here[value, has_rows]

    def _insert(self, op: InferredOp, operands: Sequence[SSAValue]) -> SSAValue:
        """The operation once more, in the body, on other operands."""
        new = type(op).of(*operands, **op.properties)
        new.attributes.update(op.attributes)
        set_origins(new, origin_of(op))
        return self.inside.builder.insert(new).results[0]

    def _owned(self, value: SSAValue) -> SSAValue | None:
        """A value that is computed of constants alone, computed in the body; None for others."""
        op = value.owner
        if isinstance(op, nn.ConstantOp):
            return self.inside.builder.insert(op.clone()).result
        if not isinstance(op, InferredOp) or len(op.results) != 1 or not _is_constant(op):
            return None
        return self._insert(op, [self._value(each, has_rows=False) for each in op.operands])

    def _argument(self, value: SSAValue, has_rows: bool) -> SSAValue:
        """What the loop gives the body of a value."""
        self.operands.append(value)
        slices = infra.SlicedAttr(*self._slicing())
        self.ports.append(slices if has_rows else infra.InvariantAttr())
        type = self._type(value, self.group.block) if has_rows else value.type
        return self.body.insert_arg(type, len(self.body.args))

    def _slicing(self) -> Sequence[IntAttr]:
        """Axis, start, end, stride and size of the parts of an operand or a result."""
        block = self.group.block
        return [IntAttr(each) for each in (0, 0, -1, block, block)]

    def _type(self, value: SSAValue, rows: int) -> TensorType[Any]:
        return TensorType(tensor(value).element_type, [rows, *shape_of(value)[1:]])

    def _padded(self, value: SSAValue, port: infra.PortAttr) -> SSAValue:
        """An operand with rows for whole blocks."""
        missing = self.count * self.group.block - self.group.rows
        if not missing or isinstance(port, infra.InvariantAttr):
            return value
        write, rank = Writer(InsertPoint.before(self.place)), len(shape_of(value))
        begin, end = write.integers(*[0] * rank), write.integers(missing, *[0] * (rank - 1))
        fill = write.scalar_like(value, 0)
        return write(nn.PadOp, value, begin, end, fill, pad_mode="constant")


def _is_constant(op: Operation) -> bool:
    """Whether all that an operation is computed of is constant."""
    owners = [operand.owner for operand in op.operands]
    return bool(owners) and all(
        isinstance(owner, Operation) and (isinstance(owner, nn.ConstantOp) or _is_constant(owner))
        for owner in owners
    )


TRUE = BlobAttr.of(TensorType(i1, []), True)
"""The condition of a loop that always holds."""
