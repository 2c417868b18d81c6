"""Calls of Keras models: their inputs and outputs, with names."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from xdsl.dialects.builtin import ModuleOp
from xdsl.utils.exceptions import DiagnosticException

from ...passes.legalize import legalized
from .importer import module_of_function, tensorflow
from .names import unique


def module_of_keras(model: Any) -> ModuleOp:
    """
    The module of a model of Keras 2 (`tf_keras`) or 3. Raises DiagnosticException where it has something that is not
    supported.
    """
    return legalized(imported(model))


def imported(model: Any) -> ModuleOp:
    """As `module_of_keras`, but in TensorFlow's operations."""
    call = KerasCall.of(model)
    return module_of_function(call.function(), call.input_names, call.output_names)


@dataclass(frozen=True)
class KerasCall:
    """A built model of Keras 2 or 3, and the specifications of its inputs."""

    model: Any
    specifications: Sequence[Any]
    output_names: Sequence[str]

    @classmethod
    def of(cls, model: Any) -> KerasCall:
        """How `model` is called. Raises DiagnosticException where it was not built."""
        tf = tensorflow()
        inputs = getattr(model, "inputs", None)
        if not inputs:
            raise DiagnosticException(
                "Converter.from_keras_model: the model does not know its inputs; give it Input layers, "
                "call it once, or save it and use from_saved_model"
            )
        names = _unique([_plain_name(tensor.name, "input") for tensor in inputs])
        specifications = [
            tf.TensorSpec(tuple(tensor.shape), tf.as_dtype(tensor.dtype), name=name)
            for tensor, name in zip(inputs, names, strict=True)
        ]
        count = len(model.outputs)
        listed = [_plain_name(name, "output") for name in getattr(model, "output_names", ())]
        outputs = listed if len(listed) == count else [f"output_{i}" for i in range(count)]
        return cls(model, specifications, _unique(outputs, names))

    @property
    def input_names(self) -> list[str]:
        """The names of the inputs, in the model's order."""
        return [specification.name for specification in self.specifications]

    def function(self) -> Any:
        """The concrete function of inference, from a list of inputs to a list of outputs."""
        tf = tensorflow()

        def call(*tensors: Any) -> list[Any]:
            given = tf.nest.pack_sequence_as(_structure(self.model), list(tensors))
            return tf.nest.flatten(self.model(given, training=False))

        return tf.function(call, autograph=False).get_concrete_function(*self.specifications)


def _structure(model: Any) -> Any:
    """The nested structure in which the model takes its inputs."""
    inputs = getattr(model, "input", model.inputs)
    return inputs[0] if isinstance(inputs, list) and len(inputs) == 1 else inputs  # pyright: ignore[reportUnknownArgumentType, reportUnknownVariableType]


def _plain_name(name: str, fallback: str) -> str:
    """A name without TensorFlow's output number and scopes."""
    return name.split(":")[0].split("/")[-1] or fallback


def _unique(names: Sequence[str], taken: Sequence[str] = ()) -> list[str]:
    found: list[str] = []
    for name in names:
        found.append(unique(name, (*found, *taken)))
    return found
