"""`Converter`: models of TensorFlow and Keras as LiteRT models, quantized or not."""

from __future__ import annotations

import warnings
from collections.abc import Callable, Collection, Iterable, Sequence
from dataclasses import dataclass, field
from enum import Enum
from os import PathLike
from pathlib import Path
from typing import Any, cast

import numpy as np
from xdsl.dialects.builtin import IntegerType, ModuleOp, i8

from ..dialects import context, infra
from ..dialects.elements import bits_of, is_integer
from ..dialects.inferred import label
from ..dialects.module import entry_of
from ..interop.model import Model, readable_module_of
from ..interop.tensorflow import SIGNATURE
from ..passes.errors import DiagnosticError
from ..reference.arrays import element_of
from .requests.request import Inputs


class Optimize(Enum):
    """The members of `Converter.optimizations`."""

    DEFAULT = "DEFAULT"
    """Weights of 8 bits; with a representative dataset, activations, too."""


class OpsSet(Enum):
    """The members of `TargetSpec.supported_ops`."""

    TFLITE_BUILTINS = "TFLITE_BUILTINS"
    TFLITE_BUILTINS_INT8 = "TFLITE_BUILTINS_INT8"
    """Operators on codes of 8 bits."""
    EXPERIMENTAL_TFLITE_BUILTINS_ACTIVATIONS_INT16_WEIGHTS_INT8 = (
        "EXPERIMENTAL_TFLITE_BUILTINS_ACTIVATIONS_INT16_WEIGHTS_INT8"
    )
    """Operators on activations of 16 bits and weights of 8."""


CODES = {
    OpsSet.TFLITE_BUILTINS_INT8: i8,
    OpsSet.EXPERIMENTAL_TFLITE_BUILTINS_ACTIVATIONS_INT16_WEIGHTS_INT8: IntegerType(16),
}
"""The activations of the sets of operators that are quantized."""


@dataclass
class TargetSpec:
    """What the target runtime supports; values of `tf.lite` are accepted, too."""

    supported_ops: Collection[Any] = (OpsSet.TFLITE_BUILTINS,)
    supported_types: Collection[Any] = ()
    """With float16, weights are of that type."""


@dataclass
class Converter:
    """
    A TensorFlow model on its way to LiteRT.

        converter = lowstream.Converter.from_keras_model(model)
        converter.optimizations = [lowstream.Optimize.DEFAULT]
        Path("model.tflite").write_bytes(converter.convert())

    `model` is the same as lowstream has it, to be changed by passes before it is converted, or compiled. The others are
    those of TensorFlow's converter and mean the same.
    """

    model: Model
    optimizations: Collection[Any] = ()
    representative_dataset: Callable[[], Iterable[Inputs]] | Iterable[Inputs] | None = None
    target_spec: TargetSpec = field(default_factory=TargetSpec)
    inference_input_type: Any = "float32"
    inference_output_type: Any = "float32"

    def __post_init__(self) -> None:
        self.model = Model(readable_module_of(self.model))  # or what another library holds

    @classmethod
    def from_saved_model(
        cls, directory: str | PathLike[str], signature: str = SIGNATURE
    ) -> Converter:
        """
        The model that a saved model directory holds.

        Raises DiagnosticException where it is none, or has something that is not supported.
        """
        from ..interop.tensorflow.importer import module_of_directory

        return cls(Model(module_of_directory(Path(directory), signature)))

    @classmethod
    def from_keras_model(cls, model: Any) -> Converter:
        """A model of Keras 2 (`tf_keras`) or 3, with the inputs and outputs it was built with, in order."""
        from ..interop.tensorflow.keras import imported

        return cls(Model(imported(model)))

    @classmethod
    def from_concrete_functions(cls, functions: Sequence[Any] | Any) -> Converter:
        """The model that one concrete function computes, which may stand in a list."""
        from ..interop.tensorflow.importer import module_of_signature

        listed: list[Any] = [functions]
        if isinstance(functions, list | tuple):
            listed = [*cast("Sequence[Any]", functions)]
        if len(listed) != 1:
            raise DiagnosticError(
                f"Converter.from_concrete_functions: {len(listed)} functions; a model has one, "
                "convert each for itself"
            )
        return cls(Model(module_of_signature(listed[0])))

    def convert(self) -> bytes:
        """
        The bytes of a .tflite file.

        Raises DiagnosticException, naming the operation, for what LiteRT cannot say, and for options that do not fit
        each other.
        """
        from ..interop.tflite import tflite_bytes

        operators = {_member(OpsSet, each) for each in self.target_spec.supported_ops}
        optimizes = bool({_member(Optimize, each) for each in self.optimizations})
        types = {_type(each) for each in self.target_spec.supported_types}
        ports = _codes(self.inference_input_type), _codes(self.inference_output_type)
        if self.representative_dataset is not None and optimizes and "float16" not in types:
            wide = [CODES[each] for each in operators if bits_of(CODES.get(each, i8)) > 8]
            return tflite_bytes(self._quantized(wide[0] if wide else i8, *ports))
        if ports != (None, None) or operators & CODES.keys():
            raise DiagnosticError(
                "Converter.convert: codes need optimizations = [Optimize.DEFAULT] and a representative_dataset"
            )
        if not optimizes:
            return tflite_bytes(self.model.module)
        return tflite_bytes(self.model.module, "float16" if "float16" in types else "int8")

    def _quantized(
        self, codes: IntegerType, inputs: IntegerType | None, outputs: IntegerType | None
    ) -> ModuleOp:
        """The model with its values quantized over the ranges that the representative dataset gives them."""
        from ..passes.legalize import legalized
        from ..passes.nn_to_tfl.prepare import prepare
        from ..passes.quantize.insert import code_ports, quantize
        from ..passes.quantize.plan import QuantizationPlan
        from .calibration import intervals

        for each in (inputs, outputs):
            if each is not None and bits_of(each) != bits_of(codes):
                raise DiagnosticError(
                    f"Converter.convert: inputs and outputs of {bits_of(each)} bits beside activations of "
                    f"{bits_of(codes)}; use types of as many bits, or float32"
                )
        bits = bits_of(codes)
        module = legalized(self.model.module).clone()
        prepare(context(), module)
        data = self.representative_dataset
        samples: Iterable[Inputs] = data() if callable(data) else () if data is None else data
        entry = entry_of(module)
        _warn_of_bodies(module)
        known = intervals(module, lambda block: QuantizationPlan.of(block, bits).values, samples)
        grids = quantize(QuantizationPlan.of(entry.body.block, bits), known, codes)
        code_ports(entry, grids, inputs, outputs)
        return module


def _warn_of_bodies(module: ModuleOp) -> None:
    """Warns of loops and branches that have products with constant weights: these stay in f32."""
    from ..passes.quantize.plan import QuantizationPlan

    for op in module.walk():
        if isinstance(op, infra.IteratorOp | infra.IfOp) and any(
            QuantizationPlan.of(region.block).weights for region in op.regions
        ):
            warnings.warn(
                f"Converter.convert: {label(op)}: products in its body stay in f32; "
                "lowstream.quantize calibrates those of loops, for lpt",
                stacklevel=4,
            )


def _member(kind: type[Enum], given: Any) -> Any:
    """The member of an enumeration that is given, or whose name TensorFlow's member has."""
    try:
        return kind(getattr(given, "value", given))
    except ValueError:
        known = ", ".join(each.name for each in kind)
        raise DiagnosticError(f"Converter.convert: {given} is none of {known}") from None


def _type(given: Any) -> str:
    """NumPy's name of a type, which may be one of TensorFlow's."""
    return np.dtype(getattr(given, "as_numpy_dtype", given)).name


def _codes(given: Any) -> IntegerType | None:
    """The code type that an input or output type is; None for f32."""
    name = _type(given)
    if name not in ("float32", "int8", "uint8", "int16"):
        raise DiagnosticError(
            f"Converter.convert: inference types are float32, int8, uint8 and int16, not {name}"
        )
    element = None if name == "float32" else element_of(np.dtype(name))
    assert element is None or is_integer(element)
    return element
