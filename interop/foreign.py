"""Models that other libraries hold in memory, and the readers for them."""

from __future__ import annotations

import sys
from collections.abc import Callable
from dataclasses import dataclass
from functools import reduce
from importlib import import_module

from xdsl.dialects.builtin import ModuleOp
from xdsl.utils.exceptions import DiagnosticException


@dataclass(frozen=True)
class Holder:
    """
    A class of another library whose objects are models.

    Whoever has an object has imported its library, so that none is imported to tell what an object is.
    """

    package: str
    cls: str
    reader: str
    """The function that reads one, below this package: `module:function`."""

    takes_example: bool = False
    """Whether the reader traces the model with an example input."""

    @property
    def name(self) -> str:
        """Its name in messages."""
        return f"{self.package}.{self.cls}"

    def holds(self, model: object) -> bool:
        """Whether an object is a model of this kind."""
        try:
            found = reduce(getattr, self.cls.split("."), sys.modules[self.package])
        except (KeyError, AttributeError):  # not imported, or not yet as a whole
            return False
        return isinstance(found, type) and isinstance(model, found)

    def load(self) -> Callable[..., ModuleOp]:
        """The reader."""
        module, _, function = self.reader.partition(":")
        return getattr(import_module(f".{module}", __package__), function)


HOLDERS = (
    Holder("openvino", "Model", "openvino:module_of_model"),
    Holder("onnx", "ModelProto", "onnx:module_of_proto"),
    Holder("builtins", "bytes", "onnx:module_of_bytes"),
    Holder("torch", "nn.Module", "pytorch:module_of_torch", takes_example=True),
    Holder("torch", "export.ExportedProgram", "pytorch:module_of_program"),
    Holder("keras", "Model", "tensorflow.keras:module_of_keras"),
    Holder("tf_keras", "Model", "tensorflow.keras:module_of_keras"),
)


def holder_of(model: object) -> Holder | None:
    """The kind of model that an object is."""
    return next((holder for holder in HOLDERS if holder.holds(model)), None)


def module_of_foreign(model: object, example_input: object = None) -> ModuleOp:
    """
    The module of a model that another library holds. `example_input` is what a model is traced with that is only
    a program.

    Raises DiagnosticException where it is no model of a known kind, or cannot be said here.
    """
    holder = holder_of(model)
    if holder is None:
        kinds = ", ".join(each.name for each in HOLDERS if each.package != "builtins")
        raise DiagnosticException(
            f"{called(model)} cannot be read; give a path, the bytes of an .onnx, one of {kinds}, "
            "or what read_model gave"
        )
    if holder.takes_example:
        return holder.load()(model, example_input)
    if example_input is not None:
        raise DiagnosticException(
            f"{called(model)} is not traced, so example_input says nothing; leave it away, and reshape what is read"
        )
    return holder.load()(model)


def called(given: object) -> str:
    """The name of an object in messages."""
    kind = type(given)
    name = f"{kind.__module__}.{kind.__qualname__}".removeprefix("builtins.")
    return f"{'an' if name[0] in 'aeio' else 'a'} {name}"
