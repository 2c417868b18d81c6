"""Models that other libraries hold in memory, and the readers for them."""

from __future__ import annotations

import sys
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import reduce
from importlib import import_module
from typing import cast

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
    Holder("torch.onnx", "ONNXProgram", "onnx:module_of_program"),
    Holder("onnx_ir", "Model", "onnx:module_of_ir"),
    *(
        Holder("builtins", cls, "onnx:module_of_bytes")
        for cls in ("bytes", "bytearray", "memoryview")
    ),
    Holder("io", "BytesIO", "onnx:module_of_stream"),
    Holder("torch", "nn.Module", "pytorch:module_of_torch", takes_example=True),
    Holder("torch.export", "ExportedProgram", "pytorch:module_of_program"),
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
        raise DiagnosticException(f"{called(model)} cannot be read; {_advice(model)}")
    if holder.takes_example:
        return holder.load()(model, example_input)
    if example_input is not None:
        raise DiagnosticException(
            f"{called(model)} is not traced, so example_input says nothing; leave it away, and reshape what is read"
        )
    return holder.load()(model)


def _advice(model: object) -> str:
    """What to give in the place of an object that is no model."""
    if isinstance(model, type):
        return f"{model.__qualname__} is a class, so give an object of it"
    if hasattr(model, "read"):
        return "give the path of the file, or of an .onnx the bytes that read() returns"
    if isinstance(model, Mapping) and _are_weights(cast(Mapping[object, object], model)):
        return "it holds weights without their graph, so load them into their module (load_state_dict), and give that"
    kinds = ", ".join(each.name for each in HOLDERS if each.package not in ("builtins", "io"))
    return f"give a path, the bytes of an .onnx, one of {kinds}, or what read_model gave"


def _are_weights(found: Mapping[object, object]) -> bool:
    """Whether it is what `state_dict` gives, or a .safetensors file: tensors by name."""
    return bool(found) and all(hasattr(each, "shape") for each in found.values())


def called(given: object) -> str:
    """The name of an object in messages."""
    kind = type(given)
    name = f"{kind.__module__}.{kind.__qualname__}".removeprefix("builtins.")
    return f"{'an' if name[0] in 'aeio' else 'a'} {name}"
