"""What a `tf.While` does, read from the functions it names."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from xdsl.dialects import func
from xdsl.ir import Block, BlockArgument, SSAValue
from xdsl.utils.exceptions import DiagnosticException

from ..tensorflow import TfOp
from .translation import Translation


def origin(value: SSAValue) -> SSAValue:
    """What a value is, behind operations that only pass it on."""
    while (tf := TfOp.of(value.owner)) is not None and tf.name == "Identity":
        value = tf.operands[0]
    return value


@dataclass(frozen=True)
class While:
    """The functions of a `tf.While`, and what they do with each loop variable."""

    op: TfOp
    condition: Block
    body: Block

    @classmethod
    def of(cls, t: Translation, op: TfOp) -> While:
        blocks: list[Block] = []
        for role in ("cond", "body"):
            name = op.symbol(role)
            if (function := t.functions.get(name)) is None or not function.body.blocks:
                raise DiagnosticException(
                    f"tf.{op.name}: there is no function @{name} for its {role}"
                )
            blocks.append(function.body.block)
        return cls(op, *blocks)

    @property
    def after(self) -> Sequence[SSAValue]:
        """What the body gives for the next step."""
        assert isinstance(self.body.last_op, func.ReturnOp)
        return self.body.last_op.operands

    def is_invariant(self, index: int) -> bool:
        return origin(self.after[index]) is self.body.args[index]

    def counts(self, index: int) -> bool:
        """Whether a variable is one more at each step."""
        tf = TfOp.of(origin(self.after[index]).owner)
        if tf is None or tf.name not in ("Add", "AddV2"):
            return False
        left, right = map(origin, tf.operands)
        argument = self.body.args[index]
        return (left is argument and _is_one(right)) or (right is argument and _is_one(left))

    def written(self, index: int) -> TfOp | None:
        """The operation that sets an element of a list at each step; None where that is not all."""
        tf = TfOp.of(origin(self.after[index]).owner)
        if tf is None or tf.name != "TensorListSetItem":
            return None
        return tf if origin(tf.operands[0]) is self.body.args[index] else None

    def readers(self, index: int) -> list[TfOp] | None:
        """The operations that take elements of a list; None where something else is done with it."""
        found: list[TfOp] = []
        pending: list[SSAValue] = [self.body.args[index]]
        while pending:
            for use in pending.pop().uses:
                tf = TfOp.of(use.operation)
                if tf is not None and tf.name == "Identity":
                    pending.append(use.operation.results[0])
                elif tf is not None and tf.name == "TensorListGetItem" and use.index == 0:
                    found.append(tf)
                elif use.operation is not self.body.last_op or use.index != index:
                    return None
        return found

    def comparisons(self) -> list[tuple[int, SSAValue]] | None:
        """
        `variable < limit` for each part of the condition, where that is all it says: the number of the
        variable, and the limit in the function of the condition.
        """
        assert isinstance(self.condition.last_op, func.ReturnOp)
        pending, found = [self.condition.last_op.operands[0]], list[tuple[int, SSAValue]]()
        while pending:
            tf = TfOp.of(origin(pending.pop()).owner)
            if tf is not None and tf.name == "LogicalAnd":
                pending += tf.operands
                continue
            if tf is None or tf.name not in ("Less", "Greater"):
                return None
            left, right = map(origin, tf.operands)
            smaller, limit = (left, right) if tf.name == "Less" else (right, left)
            if not isinstance(smaller, BlockArgument) or not self.counts(smaller.index):
                return None
            found.append((smaller.index, limit))
        return found


def _is_one(value: SSAValue) -> bool:
    from ...reference.tfl import dense_array

    tf = TfOp.of(value.owner)
    if tf is None or tf.name != "Const":
        return False
    array = dense_array(tf.get("value"))
    return array.size == 1 and array.reshape(-1)[0] == 1
