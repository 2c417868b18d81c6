"""Families: operations that share operands, results and inference, and differ in what they compute."""

from __future__ import annotations

from typing import ClassVar, TypeVar, cast

from ..inferred import TensorOp
from ..names import Names
from ..operation import op_definition

OpT = TypeVar("OpT", bound=TensorOp)


def member(base: type[OpT], name: str, law: str, names: Names) -> type[OpT]:
    """The class of an operation of a family, `SinOp` of `sin`, by its law and its names elsewhere."""
    title = "".join(map(str.capitalize, name.split("_")))
    body = {
        "__doc__": law,
        "__annotations__": {"NAMES": ClassVar[Names]},
        "__module__": base.__module__,
        "name": f"nn.{name}",
        "NAMES": names,
    }
    return op_definition(cast(type[OpT], type(f"{title}Op", (base,), body)))
