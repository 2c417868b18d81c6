"""
`bound-dynamic-shapes`: values whose size is only known at run time (data-dependent) are computed at their upper bound.

Such a size begins at `slice(x, 0, n)` with a computed n. A law of each operation (`dynamic_shapes/laws.py`) moves the
slice behind it: `f(slice(x, 0, n)) = slice(f(x), 0, n)`; elements beyond n are computed and ignored. Operations whose
results such elements would change are rewritten (`dynamic_shapes/rewrites.py`). The slices so reach the results of the
model, which are returned at their largest size, and the sizes as further results. What costs much for each row is
computed for those that exist (`dynamic_shapes/blocks.py`).
"""

from __future__ import annotations

from collections.abc import Container, Iterator, Sequence

from xdsl.context import Context
from xdsl.dialects import func
from xdsl.dialects.builtin import (
    ArrayAttr,
    DenseArrayBase,
    DictionaryAttr,
    ModuleOp,
    UnitAttr,
    i1,
    i64,
)
from xdsl.ir import Block, BlockArgument, Operation, SSAValue
from xdsl.passes import ModulePass
from xdsl.rewriter import InsertPoint

from ...dialects import infra, nn
from ...dialects.accessors import operands_of
from ...dialects.inferred import InferredOp, shape_of, tensor
from ...dialects.kernel import ALIASES, SIZES, STATE_SIZES
from ...dialects.module import entry_of
from ...dialects.nn.derived import DerivedOp
from ...dialects.nn.writer import Writer
from ...dialects.origins import origin_of, set_origins
from ...dialects.rewriter import Rewriter
from ...dialects.traits import Elementwise
from ...dialects.walk import block_operations
from ...passes.decompose_ops import decompose_all
from ...passes.errors import DiagnosticError
from ...passes.infer_shapes import KnownIntegers
from ...passes.shapes.sum_of_sizes import Sum
from .appended import appended_to, appends, is_padded
from .blocks import Blocks
from .bound_iterations import bound
from .bounded import Bounded, begins, is_same, masked, refusal
from .branches import bodies_in_front, either
from .data_movement import LARGEST, wide
from .interval_analysis import IntervalAnalysis, always
from .laws import LAWS, elementwise
from .repeated import check_carried, enter, given_back, is_unknown
from .repetitions import broadcast, numbers
from .rewrites import REWRITES
from .selection import MASKS, top_k
from .strided import as_slices, is_computed


class BoundDynamicShapes(ModulePass):
    """Applies the laws to the entry, first operation first."""

    name = "bound-dynamic-shapes"

    def apply(self, ctx: Context, op: ModuleOp) -> None:
        entry = entry_of(op)
        _Bounding(entry.body.block, infra.room_of(op)).run(entry)


class _Bounding:
    def __init__(self, block: Block, room: int, known: dict[SSAValue, Bounded] | None = None):
        self.block = block
        self.room = room
        self.known: dict[SSAValue, Bounded] = known or {}
        self.replaced: list[Operation] = []
        self.assigned: list[tuple[infra.AssignOp, Bounded]] = []

    def run(self, parent: func.FuncOp | infra.LoopOp) -> None:
        """Bounds every value; slices and what read them go."""
        for op in block_operations(self.block):
            if isinstance(op, func.ReturnOp) and isinstance(parent, func.FuncOp):
                self._leave(parent, op)
            elif isinstance(op, infra.YieldOp) and isinstance(parent, infra.LoopOp):
                self._give_back(parent, op)
            elif isinstance(op, infra.AssignOp) and isinstance(parent, func.FuncOp):
                self._assign(op)
            else:
                self._bound(op)
        for op in reversed(self.replaced):
            op.detach()
            op.erase()
        if isinstance(parent, func.FuncOp) and self.known:
            Blocks(self.block, self.known).run()
        decompose_all(block_operations(self.block))

    def _bound(self, op: Operation) -> None:
        if isinstance(op, infra.LoopOp) and is_unknown(op):
            self._repeat(op)
        elif isinstance(op, nn.MaximumOp | nn.MinimumOp) and (found := always(op)) is not None:
            op.result.replace_all_uses_with(found)
            self.replaced.append(op)
        elif isinstance(op, nn.StridedSliceOp) and is_computed(op):
            self._write_slices(op)
        elif begins(op) or any(operand in self.known for operand in operands_of(op)):
            self._move(op)
            self.replaced.append(op)
        elif self.known and any(v in self.known for inner in op.walk() for v in inner.operands):
            raise refusal(op)

    def _move(self, op: Operation) -> None:
        given, write = self._all(op.operands), Writer(InsertPoint.before(op))
        if isinstance(op, infra.IfOp):
            self._choose(write, op)
            return
        if not begins(op) and not any(each.sizes for each in given) and self._settled(op, given):
            return
        if isinstance(op, nn.BroadcastOp) and not given[1].sizes:
            self._replace(op.result, broadcast(write, op, given[0], self._most))
            return
        if isinstance(op, nn.RangeOp):
            self._replace(op.result, numbers(write, op, self._most))
            return
        if isinstance(op, DerivedOp) and (mask := MASKS.get(type(op))) is not None:
            self._decompose(op, mask(write, op, given))
            return
        if isinstance(op, nn.TopKOp):
            self.known |= zip(op.results, top_k(write, op, given), strict=True)
            return
        if (rewrite := REWRITES.get(type(op))) is not None:
            found = rewrite(write, op, given)
            if found is not None:
                owner = found.value.owner
                if isinstance(owner, Operation) and all(
                    found.value is not each.value for each in given
                ):
                    set_origins(owner, origin_of(op))
                self._replace(op.results[0], found)
                return
        law = next((law for kind, law in LAWS.items() if isinstance(op, kind)), None)
        if law is None and op.has_trait(Elementwise):
            law = elementwise
        if law is None or not isinstance(op, InferredOp):
            raise refusal(op)
        sizes = law(op, given)
        new = _inserted(op, [each.value for each in given])
        for old, result in zip(op.results, new.results, strict=True):
            if not tensor(result).has_static_shape():
                raise refusal(op)
            self.known[old] = Bounded(result, sizes)

    def _settled(self, op: Operation, given: Sequence[Bounded]) -> bool:
        """Writes the operation once more, if sizes of operands that are known now are all it needs. Returns whether."""
        if not isinstance(op, InferredOp) or op.regions:
            return False
        new = _inserted(op, [each.value for each in given])
        is_known = all(tensor(result).has_static_shape() for result in new.results)
        if is_known:
            for old, result in zip(op.results, new.results, strict=True):
                self._replace(old, Bounded(result, {}))
        else:
            new.detach()
            new.erase()
        return is_known

    def _most(self, size: SSAValue) -> int | None:
        """The largest that a size may be, as that of another value; equal ones are found soonest among the last."""
        compared = set[SSAValue]()
        for bounded in reversed(self.known.values()):
            for d, other in bounded.sizes.items():
                if other not in compared and is_same(size, other):
                    return shape_of(bounded.value)[d]
                compared.add(other)
        return None

    def _all(self, values: Sequence[SSAValue]) -> list[Bounded]:
        return [self.known.get(value, Bounded(value, {})) for value in values]

    def _choose(self, write: Writer, op: infra.IfOp) -> None:
        """Both bodies are computed."""
        for each in bodies_in_front(op):
            self._bound(each)
        condition = write.reshaped(op.condition, ())
        if tensor(condition).element_type != i1:
            condition = write(nn.NotEqualOp, condition, 0)
        bodies = (self._all(op.yielded(number)) for number in (0, 1))
        for result, *pair in zip(op.results, *bodies, strict=True):
            self._replace(result, either(write, condition, *pair))

    def _repeat(self, op: infra.LoopOp) -> None:
        """The body of a loop is bounded as the entry is; what it concatenates has room for all iterations."""
        behind = op.next_op
        _Bounding(op.body.block, self.room, enter(op, self._all(op.operands))).run(op)
        check_carried(op)
        for result, type in zip(op.results, op.infer_types(KnownIntegers()), strict=True):
            Rewriter.replace_value_with_new_type(result, type)
        most = IntervalAnalysis().of_sum(Sum.of(op.trip_count)).high
        new = bound(op, self.room if most > LARGEST else max(int(most), 0))
        self.known |= {result: Bounded(result, {}) for result in new.results}
        self._bound_until(new.next_op, behind)

    def _give_back(self, parent: infra.LoopOp, op: infra.YieldOp) -> None:
        write = Writer(InsertPoint.before(op))
        op.operands = [
            given_back(write, parent, number, each)
            for number, each in enumerate(self._all(op.operands))
        ]

    def _decompose(self, op: DerivedOp, operands: Sequence[SSAValue]) -> None:
        """On operands of known size, an operation can be decomposed; sizes may begin in what it becomes."""
        before = op.prev_op
        new = _inserted(op, operands)
        for old, result in zip(op.results, new.results, strict=True):
            old.replace_all_uses_with(result)
        decompose_all([new])
        self._bound_until(before.next_op if before else self.block.first_op, op)

    def _write_slices(self, op: nn.StridedSliceOp) -> None:
        before, write = op.prev_op, Writer(InsertPoint.before(op))
        result = as_slices(write, op)
        if isinstance(owner := result.owner, Operation):
            owner.attributes.update(op.attributes)
            set_origins(owner, origin_of(op))
        op.result.replace_all_uses_with(result)
        self.replaced.append(op)
        self._bound_until(before.next_op if before else self.block.first_op, op)

    def _bound_until(self, each: Operation | None, end: Operation | None) -> None:
        while each is not end:
            assert each is not None
            following = each.next_op
            self._bound(each)
            each = following

    def _replace(self, old: SSAValue, new: Bounded) -> None:
        """A value whose size is known replaces the old one at once; what reads another type is looked at again."""
        if new.sizes:
            self.known[old] = new
            return
        if old.type != new.value.type:
            self.known[new.value] = new
        old.replace_all_uses_with(new.value)

    def _leave(self, entry: func.FuncOp, op: func.ReturnOp) -> None:
        """Returned values keep all their elements; their sizes become further results."""
        operands = list(op.operands)
        write = Writer(InsertPoint.before(op))
        made: dict[SSAValue, int] = {}

        def places_of(number: int, bounded: Bounded) -> Iterator[int]:
            for dimension, size in sorted(bounded.sizes.items()):
                place = next((place for each, place in made.items() if is_same(each, size)), None)
                if place is None:
                    place = made[size] = len(operands)
                    operands.append(wide(write, size))
                yield from (number, dimension, place)

        places, of_states, aliases = list[int](), list[int](), dict[int, int]()
        for number, value in enumerate(op.operands):
            if (bounded := self.known.get(value)) is not None:
                operands[number] = bounded.value
                places += places_of(number, bounded)
                if isinstance(given := appended_to(bounded.value, bounded.sizes), BlockArgument):
                    aliases.setdefault(given.index, number)
        self._check_padded(entry, aliases)
        if not self.known and not self.replaced:
            return
        states = list(infra.variables_of(entry))
        for assign, bounded in self.assigned:
            of_states += places_of(states.index(assign.variable.string_value()), bounded)
        self._name(entry, len(operands))
        Rewriter.replace_op(op, func.ReturnOp(*operands))
        entry.update_function_type()
        pairs = [each for input, output in aliases.items() for each in (output, input)]
        for attribute, listed in ((SIZES, places), (STATE_SIZES, of_states), (ALIASES, pairs)):
            if listed:
                entry.attributes[attribute] = DenseArrayBase.from_list(i64, listed)

    def _check_padded(self, entry: func.FuncOp, aliases: Container[int]) -> None:
        """Who appends to an input keeps zeros beyond what counts; others do not, so none may have been relied on."""
        for number, argument in enumerate(entry.args):
            if is_padded(argument) and number not in aliases:
                raise DiagnosticError(
                    f"input {number} has room for what is appended to it, and no result is written there; do not mark "
                    f"it {infra.PADDED}"
                )

    def _assign(self, op: infra.AssignOp) -> None:
        """A state keeps all elements, those that do not count as zeros; its sizes become further results."""
        if (bounded := self.known.get(op.value)) is None:
            return
        value = bounded.value
        if appends(bounded, op):
            op.in_place = UnitAttr()
        else:
            write = Writer(InsertPoint.before(op))
            for axis, size in bounded.sizes.items():
                value = masked(write, value, axis, size, 0)
        op.operands[0] = value
        self.assigned.append((op, bounded))

    def _name(self, entry: func.FuncOp, count: int) -> None:
        """Further results have no tensor names."""
        if (attributes := entry.res_attrs) is not None:
            more = [DictionaryAttr({})] * (count - len(attributes))
            entry.properties["res_attrs"] = ArrayAttr([*attributes, *more])


def _inserted(op: InferredOp, operands: Sequence[SSAValue]) -> InferredOp:
    """The operation once more, in front of it, on other operands."""
    new = type(op).of(*operands, **op.properties)
    new.attributes.update(op.attributes)
    set_origins(new, origin_of(op))
    Rewriter.insert_op(new, InsertPoint.before(op))
    return new
