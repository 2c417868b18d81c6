"""What the main step is made of: one law for one operation, applied or declined with a reason."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Sequence
from typing import Any, ClassVar, Generic, TypeVar

from xdsl.dialects.builtin import StringAttr
from xdsl.ir import Operation, SSAValue
from xdsl.pattern_rewriter import PatternRewriter

from ...dialects.compatible import meet
from ...dialects.inferred import NAME, copy_name, friendly_name, shape_of, tensor
from ...dialects.origins import ORIGINAL
from ...dialects.qnn import DequantizeOp
from ...dialects.rewriter import Rewriter
from ...dialects.tensor_types import typed
from .attributes import DECLINED
from .plan import LptPlan

OpT = TypeVar("OpT", bound=Operation)


class Transformation(ABC, Generic[OpT]):
    """
    A law about one operation. Its docstring is the law; its guards are when the law holds.

    `name` is how users disable it or run it alone; `op` the operation it is about;
    `preserves_precision` says that the operation computes on codes as on values, so that precisions
    propagate through it.
    """

    name: ClassVar[str]
    op: ClassVar[type[Any]]
    preserves_precision: ClassVar[bool] = False

    @classmethod
    def about(cls, kind: type[Operation]) -> Transformation[Any]:
        """The same law about another operation."""
        law: type[Transformation[Any]] = type(
            f"{cls.__name__}Of{kind.__name__}", (cls,), {"op": kind}
        )
        return law()

    def preserves(self, op: OpT) -> bool:
        """Whether this operation, with its attributes, gives codes where it takes some; others of its kind may not."""
        return self.preserves_precision

    @abstractmethod
    def transform(self, op: OpT, plan: LptPlan, rewriter: PatternRewriter) -> str | None:
        """
        Rewrites `op` and returns None, or leaves everything as it is and returns why, in words that
        a user can act on. Where there was nothing to do, the reason is empty.
        """


def replace(
    op: Operation,
    moved: Operation | Sequence[Operation],
    dequantizations: list[DequantizeOp],
    rewriter: PatternRewriter,
) -> None:
    """
    Puts `moved`, on codes, and a dequantization of each of its results in the place of `op`: one
    operation, or a constant for each result.

    The dequantizations take the name of `op`; `moved` becomes `<name>_original`.
    """
    moved = [moved] if isinstance(moved, Operation) else moved
    for each in moved:
        pass_on_attributes(op, each, dequantizations)
    for old, code, dequantization in zip(
        op.results, results_of(moved), dequantizations, strict=True
    ):
        _keep_sizes(code, old)
        _keep_sizes(dequantization.result, old)
    results = [dequantization.result for dequantization in dequantizations]
    rewriter.replace(op, [*moved, *dequantizations], results)


def results_of(operations: Sequence[Operation]) -> list[SSAValue]:
    """The results of all of them, in order."""
    return [result for operation in operations for result in operation.results]


def pass_on_attributes(op: Operation, moved: Operation, last: Sequence[Operation]) -> None:
    """Gives what is `last` in the place of `op` its name, and `moved` all else, and the name `<name>_original`."""
    moved.attributes |= {key: value for key, value in op.attributes.items() if key != DECLINED}
    if (name := friendly_name(op)) is not None:
        moved.attributes[NAME] = StringAttr(name + ORIGINAL)
        for each in last:
            each.attributes[NAME] = StringAttr(name)


def _keep_sizes(new: SSAValue, old: SSAValue) -> None:
    """What a model says of the sizes of a value stays known, where it is more than inference finds."""
    inferred = tensor(new)
    known = meet(typed(inferred.element_type, shape_of(old)), inferred)
    if known != inferred:
        Rewriter.replace_value_with_new_type(new, known)


def rewrite(
    op: Operation, dequantization: DequantizeOp | str, rewriter: PatternRewriter
) -> str | None:
    """Puts a dequantization, named as it was, in the place of `op`; or passes on why there is none."""
    if isinstance(dequantization, str):
        return dequantization
    copy_name(op, dequantization)
    rewriter.replace(op, dequantization)
    return None


def give_name_back(dequantization: DequantizeOp) -> None:
    """Names the operation below a dequantization that vanishes as it was before `replace`."""
    owner, name = dequantization.input.owner, friendly_name(dequantization)
    if (
        isinstance(owner, Operation)
        and name is not None
        and friendly_name(owner) == name + ORIGINAL
    ):
        owner.attributes[NAME] = StringAttr(name)
