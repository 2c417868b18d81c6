"""The table of rules, and helpers to write them."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any

from xdsl.dialects.builtin import DYNAMIC_INDEX, TensorType, i64
from xdsl.ir import SSAValue

from ...dialects import nn
from ...dialects.blob import BlobAttr
from ...dialects.elements import is_integer
from ...dialects.inferred import InferredOp, constant_integers, copy_name, shape_of, tensor
from ...dialects.names import Framework, namesakes
from ...dialects.nn.writer import Writer
from ..tensorflow import TfOp

Results = SSAValue | Sequence[SSAValue]
"""One result or several."""


@dataclass(frozen=True)
class Rule:
    """Writes an operation on tensors; `moves` says that every element of its results is one of the first operand."""

    write: Callable[..., Results]
    moves: bool


RULES: dict[str, Rule] = {}
"""By TensorFlow's name."""


def rule(*names: str, moves: bool = False) -> Callable[[Any], Any]:
    """Registers the decorated function, which takes where to write, the operation and its operands."""

    def register(function: Callable[..., Results]) -> Callable[..., Results]:
        RULES.update(dict.fromkeys(names, Rule(function, moves)))
        return function

    return register


def namesake_rules(framework: Framework) -> Iterator[tuple[str, Rule]]:
    """
    Operations that have a namesake here become that, operand for operand. Properties without a default need a rule.
    """
    for name, ours in namesakes(framework, InferredOp).items():
        properties = ours.get_irdl_definition().properties.values()
        if all(definition.default_value is not None for definition in properties):
            yield name, Rule(partial(_namesake, ours), moves=False)


def _namesake(ours: type[InferredOp], t: Legalizer, op: TfOp, *operands: SSAValue) -> SSAValue:
    return t(ours, *operands)


class Legalizer(Writer):
    """Writes operations of ours."""

    def known(self, value: SSAValue) -> Sequence[int] | None:
        """The integers of a value that may be replaced by them: of a constant."""
        return constant_integers(value)

    def like(self, value: SSAValue, number: float) -> SSAValue:
        """A number of the element type of `value`."""
        whole = is_integer(tensor(value).element_type)
        return self.scalar_like(value, int(number) if whole else number)

    def long(self, value: SSAValue) -> SSAValue:
        """Sizes, axes and limits as i64, of the name that a constant has."""
        if (known := self.known(value)) is None or tensor(value).element_type == i64:
            return self.converted(value, i64)
        result = self.constant(BlobAttr.of(TensorType(i64, shape_of(value)), known))
        if isinstance(value.owner, nn.ConstantOp):
            assert isinstance(result.owner, nn.ConstantOp)
            copy_name(value.owner, result.owner)
        return result

    def integers_of(self, op: TfOp, value: SSAValue, what: str) -> Sequence[int]:
        """The integers of a value. Raises DiagnosticException, naming `op`, where they are not known."""
        if (found := self.known(value)) is None:
            raise op.unknown(what)
        return found

    def known_one_by_one(self, numbers: SSAValue) -> list[int | None]:
        """The integers of a list, None for each unknown one; None if not even their number is known."""
        while isinstance(numbers.owner, nn.ConvertOp):
            numbers = numbers.owner.input
        parts = numbers.owner.inputs if isinstance(numbers.owner, nn.ConcatOp) else [numbers]
        found: list[int | None] = []
        for part in parts:
            scalar = part.owner.input if isinstance(part.owner, nn.UnsqueezeOp) else part
            known = self.known(scalar)
            if known is None and DYNAMIC_INDEX in shape_of(part):
                return []
            found += [None] * shape_of(part)[0] if known is None else known
        return found
