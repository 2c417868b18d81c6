"""One operator of an ONNX model, as rules see it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, TypeAlias

from xdsl.dialects.builtin import StringAttr
from xdsl.ir import Attribute, Operation, SSAValue
from xdsl.utils.exceptions import DiagnosticException

from ...dialects.inferred import NAME, shape_of, tensor
from ...passes.folding_writer import FoldingWriter
from .elements import element_of

if TYPE_CHECKING:
    from .graph import Scope


@dataclass(frozen=True)
class Stack:
    """A sequence of which only a run knows the length: its tensors, side by side in a new first dimension."""

    tensor: SSAValue


Value: TypeAlias = "SSAValue | tuple[Value, ...] | Stack | None"
"""A tensor, a sequence of values, or None: an input that is left out, or an empty optional."""

Values: TypeAlias = "Value | list[Value]"
"""The result of a rule: a list with a value for each output of the operator, or its only output."""


class LocatedError(DiagnosticException):
    """An error that already names its operator."""


class InvalidNodeError(LocatedError):
    """An operator's inputs have types that do not fit it."""


KINDS: dict[type[object], Any] = {float: float | int, tuple: Sequence, list: Sequence}
"""What an attribute may be where its default is of this type."""


@dataclass
class Node:
    """
    An operator: its type, the version of that, its attributes (those left out have ONNX's defaults) and its inputs.
    `write` writes operations where it stands; `scope` knows the names of the graph around it.
    """

    type: str
    version: int
    name: str
    attributes: dict[str, Any]
    inputs: Sequence[Value]
    outputs: Sequence[str]
    write: FoldingWriter
    scope: Scope

    def __getitem__(self, index: int) -> SSAValue:
        """An input that is a tensor. Raises DiagnosticException where it is none."""
        return self.tensor_of(self.value(index), f"input {index}")

    def tensor_of(self, value: Value, what: str = "an element of its sequence") -> SSAValue:
        """A value that is a tensor. Raises DiagnosticException where it is none."""
        if isinstance(value, SSAValue):
            return value
        is_what = "is left out" if value is None else "is a sequence"
        raise DiagnosticException(f"{what} {is_what}; it must be a tensor")

    def value(self, index: int) -> Value:
        """An input of any kind; None where it is left out."""
        return self.inputs[index] if index < len(self.inputs) else None

    def get(self, index: int) -> SSAValue | None:
        """An input that may be left out."""
        return None if self.value(index) is None else self[index]

    def sequence(self, index: int) -> tuple[Value, ...]:
        """An input that is a sequence. Raises DiagnosticException where it is none."""
        value = self.value(index)
        if isinstance(value, Stack):
            raise DiagnosticException(
                f"only a run knows how many values the sequence (input {index}) has; give the model fixed shapes, or "
                "put its values together (ConcatFromSequence)"
            )
        if not isinstance(value, tuple):
            raise DiagnosticException(f"input {index} is not a sequence")
        return value

    def __call__(self, name: str, default: object = None) -> Any:
        """
        An attribute's value; the default where it is left out and ONNX has none. Raises DiagnosticException where it is
        of another type.
        """
        value = self.attributes.get(name, default)
        wanted = type(default)
        if default is not None and not isinstance(value, KINDS.get(wanted, wanted)):
            raise self._wrong(name, value, wanted)
        return value

    def choice(self, name: str, default: str, choices: Mapping[str, str]) -> str:
        """What an attribute's word stands for. Raises DiagnosticException where it is none of the choices."""
        if (word := self(name, default)) not in choices:
            raise self.refuse(
                f"attribute {name} is '{word}'; use {' or '.join(map(repr, choices))}"
            )
        return choices[word]

    def number(self, name: str) -> int:
        """An attribute that is a whole number. Raises DiagnosticException where it is none, or left out."""
        if not isinstance(value := self.needed(name), int):
            raise self._wrong(name, value, int)
        return value

    def _wrong(self, name: str, value: Any, wanted: type) -> DiagnosticException:
        return DiagnosticException(
            f"attribute {name} is of type {type(value).__name__}, not {wanted.__name__}; export the model again"
        )

    def needed(self, name: str) -> Any:
        """An attribute's value. Raises DiagnosticException where it is left out."""
        if name not in self.attributes:
            raise DiagnosticException(f"attribute {name} is missing")
        return self.attributes[name]

    def uses(self, index: int) -> bool:
        """Whether an output has a name, so that something may read it."""
        return index < len(self.outputs) and bool(self.outputs[index])

    def known(self, index: int) -> list[int] | None:
        """The integers of an input, if they are constants, or follow from known sizes."""
        value = self.get(index)
        found = None if value is None else self._integers(value)
        return None if found is None else list(found)

    def _integers(self, value: SSAValue) -> Sequence[int] | None:
        return self.scope.model.sizes.integers(value, f"{self.type} '{self.name}'")

    def integers(self, index: int, what: str) -> list[int]:
        """The integers of an input that must be constant. Raises DiagnosticException where they are not."""
        value = self[index]
        if (found := self._integers(value)) is None:
            raise DiagnosticException(
                f"{what} (input {index}) are computed from what only a run knows; give the inputs of the model fixed "
                "shapes, or make them constants"
            )
        return list(found)

    def axis(self, rank: int, name: str = "axis") -> int:
        """An attribute that names a dimension, counted from the front."""
        axis = int(self.needed(name))
        if not -rank <= axis < rank:
            raise DiagnosticException(f"{name} {axis} is out of range for rank {rank}")
        return axis % rank

    def rank(self, index: int = 0, least: int = 0) -> int:
        """The number of dimensions of an input. Raises DiagnosticException where there are fewer than `least`."""
        rank = len(shape_of(self[index]))
        if rank < least:
            raise self.refuse(
                f"input {index} has rank {rank}, which must be at least {least}; export the model again"
            )
        return rank

    def element(self, index: int = 0) -> Attribute:
        """The element type of an input."""
        return tensor(self[index]).element_type

    def type_named(self, name: str) -> Attribute | None:
        """The element type that an attribute says; None where it is left out or 0."""
        number = self(name, 0)
        return element_of(number) if number else None

    def before_bias(self, product: SSAValue) -> SSAValue:
        """
        A product that the node adds a bias to. The sum takes the node's name, so reports give the product one of its
        own.
        """
        if isinstance(owner := product.owner, Operation) and NAME not in owner.attributes:
            owner.attributes[NAME] = StringAttr(f"{self.name}/WithoutBiases")
        return product

    def recurrence(self, results: Sequence[SSAValue], part: str = "") -> Sequence[SSAValue]:
        """The result of a loop or a sequence, named after the node, or a part of it: states are named after that."""
        owner = results[0].owner if results else None
        if self.name and isinstance(owner, Operation):
            owner.attributes[NAME] = StringAttr(f"{self.name}/{part}" if part else self.name)
        return results

    def refuse(self, what: str) -> DiagnosticException:
        """The error for something that this reader does not support."""
        return DiagnosticException(what)
