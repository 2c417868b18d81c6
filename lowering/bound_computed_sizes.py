"""
`bound-computed-sizes`: values whose size is only known at run time are computed at their largest size.

Such a size begins at `slice(x, 0, n)` with a computed n. A law of each operation (`computed_sizes/laws.py`) moves the
slice behind it: `f(slice(x, 0, n)) = slice(f(x), 0, n)`; elements beyond n are computed and ignored. Operations whose
results such elements would change are rewritten (`computed_sizes/rewrites.py`). The slices so reach the results of the
model, which are returned at their largest size, and the sizes as further results.
"""

from __future__ import annotations

from xdsl.context import Context
from xdsl.dialects import func
from xdsl.dialects.builtin import (
    ArrayAttr,
    DenseArrayBase,
    DictionaryAttr,
    FunctionType,
    ModuleOp,
    i64,
)
from xdsl.ir import Block, Operation, SSAValue
from xdsl.passes import ModulePass
from xdsl.rewriter import InsertPoint, Rewriter

from ..dialects import nn
from ..dialects.inferred import InferredOp, tensor
from ..dialects.kernel import SIZES
from ..dialects.module import entry_of
from ..dialects.nn.writer import Writer
from ..dialects.origins import origin_of, set_origins
from ..dialects.traits import Elementwise
from ..dialects.walk import block_operations
from .computed_sizes.bounded import Bounded, begins, refusal
from .computed_sizes.laws import LAWS, elementwise
from .computed_sizes.rewrites import REWRITES


class BoundComputedSizes(ModulePass):
    """Applies the laws to the entry, first operation first."""

    name = "bound-computed-sizes"

    def apply(self, ctx: Context, op: ModuleOp) -> None:
        entry = entry_of(op)
        _Bounding(entry.body.block).run(entry)


class _Bounding:
    def __init__(self, block: Block):
        self.block = block
        self.known: dict[SSAValue, Bounded] = {}

    def run(self, entry: func.FuncOp) -> None:
        """Bounds every value; slices and what read them go."""
        replaced: list[Operation] = []
        for op in block_operations(self.block):
            if isinstance(op, func.ReturnOp):
                self._leave(entry, op)
            elif begins(op) or any(operand in self.known for operand in op.operands):
                self._move(op)
                replaced.append(op)
            elif any(value in self.known for inner in op.walk() for value in inner.operands):
                raise refusal(op)
        for op in reversed(replaced):
            op.detach()
            op.erase()

    def _move(self, op: Operation) -> None:
        given = [self.known.get(operand, Bounded(operand, {})) for operand in op.operands]
        if (rewrite := REWRITES.get(type(op))) is not None:
            found = rewrite(Writer(InsertPoint.before(op)), op, given)
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
        new = type(op).of(*(each.value for each in given), **op.properties)
        new.attributes.update(op.attributes)
        set_origins(new, origin_of(op))
        Rewriter.insert_op(new, InsertPoint.before(op))
        for old, result in zip(op.results, new.results, strict=True):
            if not tensor(result).has_static_shape():
                raise refusal(op)
            self.known[old] = Bounded(result, sizes)

    def _replace(self, old: SSAValue, new: Bounded) -> None:
        """A value of known size replaces the old one at once."""
        if new.sizes:
            self.known[old] = new
        else:
            old.replace_all_uses_with(new.value)

    def _leave(self, entry: func.FuncOp, op: func.ReturnOp) -> None:
        """Returned values keep all their elements; their sizes become further results."""
        operands, places = list(op.operands), list[int]()
        write = Writer(InsertPoint.before(op))
        made: dict[SSAValue, int] = {}
        for number, value in enumerate(op.operands):
            if (bounded := self.known.get(value)) is None:
                continue
            operands[number] = bounded.value
            for dimension, size in sorted(bounded.sizes.items()):
                if size not in made:
                    made[size] = len(operands)
                    wide = tensor(size).element_type == i64
                    operands.append(
                        size if wide else write(nn.ConvertOp, size, destination_type=i64)
                    )
                places += [number, dimension, made[size]]
        if not places:
            return
        self._name(entry, len(operands))
        Rewriter.replace_op(op, func.ReturnOp(*operands))
        inputs = entry.function_type.inputs.data
        entry.properties["function_type"] = FunctionType.from_lists(
            list(inputs), [value.type for value in operands]
        )
        entry.attributes[SIZES] = DenseArrayBase.from_list(i64, places)

    def _name(self, entry: func.FuncOp, count: int) -> None:
        """Further results have no tensor names."""
        if (attributes := entry.res_attrs) is not None:
            more = [DictionaryAttr({})] * (count - len(attributes))
            entry.properties["res_attrs"] = ArrayAttr([*attributes, *more])
