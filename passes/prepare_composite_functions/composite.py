"""What is declared of a composite function: its annotation, its contract, and what replaces it."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, cast

from xdsl.dialects import func
from xdsl.dialects.builtin import (
    DYNAMIC_INDEX,
    BoolAttr,
    StringAttr,
    TensorType,
    UnrankedTensorType,
    f32,
)
from xdsl.ir import Attribute, SSAValue

from ..tensorflow import function_attribute, truth
from .contract import Interface
from .writing import TfWriter

IMPLEMENTS = "tf._implements"
"""The attribute that says what a function implements, in text or with attributes."""

API_IMPLEMENTS = "tf.api_implements"
"""The attribute that Keras writes: what a function implements, and an id of the layer."""


class CannotFuseError(Exception):
    """A function cannot be replaced; the message says why, and what to do."""


def boolean(name: str, attributes: Mapping[str, Attribute]) -> bool | None:
    """The attribute of this name; None where it is not there. Raises CannotFuseError where it is no boolean."""
    attribute = attributes.get(name)
    if (value := truth(attribute)) is None and attribute is not None:
        raise CannotFuseError(f"has {name} = {attribute}; set it to true or false")
    return value


@dataclass(frozen=True)
class Annotation:
    """What a function says it implements: a name, and what else stands in the attribute."""

    name: str
    options: Mapping[str, Attribute] = field(default_factory=dict[str, Attribute])

    @classmethod
    def of(cls, function: func.FuncOp) -> Annotation | None:
        """
        The annotation of a function; None where it has none. Of `"name,Option,…"` the options are true; Keras'
        ids (`lstm_<id>`) stay in the name.
        """
        implements = function.attributes.get(IMPLEMENTS)
        if isinstance(implements, StringAttr):
            name, *flags = (part.strip() for part in implements.data.split(","))
            return cls(name, {flag: BoolAttr.from_bool(True) for flag in flags})
        if (found := function_attribute(implements)) is not None:
            return cls(*found)
        api = function.attributes.get(API_IMPLEMENTS)
        return cls(api.data) if isinstance(api, StringAttr) else None


@dataclass(frozen=True)
class Call:
    """
    What a builder is given: the function that it writes anew, the function's arguments by the names of the contract
    (those that are absent are not in it), sizes by name, and where to write.
    """

    function: func.FuncOp
    annotation: Annotation
    arguments: Mapping[str, SSAValue]
    sizes: Mapping[str, int]
    write: TfWriter
    used: frozenset[int]
    """The results that somebody reads."""

    def size(self, name: str) -> int:
        """A size of the contract; `DYNAMIC_INDEX` where it is not known."""
        return self.sizes.get(name, DYNAMIC_INDEX)

    def require_f32(self) -> None:
        """Raises CannotFuseError for arguments of other elements, which LiteRT's LSTMs do not compute with."""
        for name, value in self.arguments.items():
            tensor = cast(TensorType[Any] | UnrankedTensorType[Any], value.type)
            if tensor.element_type != f32:
                raise CannotFuseError(
                    f"has an argument '{name}' of {tensor.element_type}; LiteRT's fused operations compute in f32"
                )

    def flag(self, name: str) -> bool | None:
        """
        A boolean among the function's attributes; None where it is not there. Raises CannotFuseError for another
        attribute.
        """
        return boolean(name, self.function.attributes)


Builder = Callable[[Call], Sequence[SSAValue]]
"""Writes what replaces a function's body. Returns its results. Raises CannotFuseError where that cannot be."""


@dataclass(frozen=True)
class Composite:
    """
    A kind of composite functions: those annotated `annotation` (or, with `prefix`, whose annotation begins so)
    become what `builder` writes, where their arguments are those of `interface`.

        Composite("my.MinimalGatedUnit", Interface((Argument("x", "batch", "inputs"), …), results=1), build)

    An interface may depend on the function and on the types of its arguments: it is then a callable of these.
    """

    annotation: str
    interface: Interface | Callable[[func.FuncOp, Sequence[Attribute]], Interface]
    builder: Builder
    prefix: bool = False

    def matches(self, annotation: Annotation) -> bool:
        """Whether functions of this annotation are of this kind."""
        if self.prefix:
            return annotation.name.startswith(self.annotation)
        return annotation.name == self.annotation

    def interface_of(self, function: func.FuncOp, types: Sequence[Attribute]) -> Interface:
        """The contract that a function with arguments of these types has to keep."""
        if isinstance(self.interface, Interface):
            return self.interface
        return self.interface(function, types)
