"""`Converter`: models of TensorFlow and Keras as LiteRT models."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from os import PathLike
from pathlib import Path
from typing import Any, cast

from xdsl.utils.exceptions import DiagnosticException

from ..model import Model
from . import SIGNATURE


@dataclass(frozen=True)
class Converter:
    """
    A TensorFlow model on its way to LiteRT.

        converter = lowstream.Converter.from_keras_model(model)
        Path("model.tflite").write_bytes(converter.convert())

    `model` is the same as lowstream has it, to be changed by passes before it is converted, or compiled.
    """

    model: Model

    @classmethod
    def from_saved_model(
        cls, directory: str | PathLike[str], signature: str = SIGNATURE
    ) -> Converter:
        """
        The model that a saved model directory holds.

        Raises DiagnosticException where it is none, or has something that is not supported.
        """
        from .importer import module_of_directory

        return cls(Model(module_of_directory(Path(directory), signature)))

    @classmethod
    def from_keras_model(cls, model: Any) -> Converter:
        """A model of Keras 2 (`tf_keras`) or 3, with the inputs and outputs it was built with, in order."""
        from .keras import imported

        return cls(Model(imported(model)))

    @classmethod
    def from_concrete_functions(cls, functions: Sequence[Any] | Any) -> Converter:
        """The model that one concrete function computes, which may stand in a list."""
        from .importer import module_of_signature

        listed: list[Any] = [functions]
        if isinstance(functions, list | tuple):
            listed = [*cast("Sequence[Any]", functions)]
        if len(listed) != 1:
            raise DiagnosticException(
                f"Converter.from_concrete_functions: {len(listed)} functions; a model has one, "
                "convert each for itself"
            )
        return cls(Model(module_of_signature(listed[0])))

    def convert(self) -> bytes:
        """
        The bytes of a .tflite file.

        Raises DiagnosticException, naming the operation, for what LiteRT cannot say.
        """
        from ..tflite import tflite_bytes

        return tflite_bytes(self.model.module)
