"""Functions of TensorFlow as modules: TensorFlow prints MLIR, which passes legalize."""

from __future__ import annotations

import io
import os
import re
from collections.abc import Sequence
from pathlib import Path
from typing import Any, cast

from xdsl.dialects.builtin import ModuleOp
from xdsl.printer import Printer
from xdsl.utils.exceptions import DiagnosticException, ParseError

from ...dialects import context
from ...dialects.module import entry_of, names_attribute
from ...passes.needs import needs
from ...passes.pipeline import run_passes
from ..formats import READERS
from ..mlir import parse_error_line, parse_module, verify

MARKER = "saved_model.pb"
"""A directory with this file is a saved model."""

SHAPES = "tf-shape-inference"
"""TensorFlow's pass that infers types, through functions too."""

EMPTY_SHAPE = re.compile(r"#tf_type\.shape(?!<)")

PIPELINE = "prepare-composite-functions,legalize-tf-to-nn,raise-tf-while-to-lstm"
"""The passes that fuse recurrent layers and legalize everything in `tf`."""


def tensorflow() -> Any:
    """The tensorflow package, with its log messages turned off. Raises DiagnosticException where it is missing."""
    os.environ.setdefault("TF_CPP_MIN_LOG_LEVEL", "3")
    try:
        import tensorflow as tf  # pyright: ignore[reportMissingImports]
    except ImportError:
        raise DiagnosticException(needs("reading a model of TensorFlow", "tensorflow")) from None
    return cast(Any, tf)


def is_saved_model(path: Path) -> bool:
    """Whether a directory holds a saved model."""
    return (path / MARKER).is_file()


def module_of_directory(path: Path, signature: str) -> ModuleOp:
    """
    A signature of a saved model as a module of `nn`, `infra` and fused `tfl` operations.

    Raises DiagnosticException where it is none, or has something that is not supported.
    """
    if not is_saved_model(path):
        models = (each for each in sorted(path.iterdir()) if each.suffix in READERS)
        named = next((f", such as {each}" for each in models), "")
        raise DiagnosticException(
            f"this folder is not a saved model of TensorFlow, which has {MARKER} in it; give the file of a model{named}"
        )
    tf = tensorflow()
    try:
        loaded = tf.saved_model.load(str(path))
    except (ValueError, RuntimeError, OSError, tf.errors.OpError) as error:
        first = (str(error).strip().splitlines() or [type(error).__name__])[0]
        raise DiagnosticException(f"TensorFlow cannot read {path}: {first}") from None
    if signature not in loaded.signatures:
        known = ", ".join(loaded.signatures) or "none; save it with signatures"
        raise DiagnosticException(f"{path} has no signature '{signature}'; it has {known}")
    return module_of_signature(loaded.signatures[signature])


def module_of_signature(function: Any) -> ModuleOp:
    """A function that gives its outputs by name, or in a nest, as a module with the names of both."""
    positional, named = function.structured_input_signature
    tf = tensorflow()
    inputs = [spec.name or "" for spec in tf.nest.flatten((positional, named))]
    outputs = function.structured_outputs
    if not isinstance(outputs, dict):
        outputs = {f"output_{i}": each for i, each in enumerate(tf.nest.flatten(outputs))}
    return module_of_function(function, inputs, sorted(cast(dict[str, Any], outputs)))


def module_of_function(function: Any, inputs: Sequence[str], outputs: Sequence[str]) -> ModuleOp:
    """
    A concrete function as a module of `nn`, `infra` and fused `tfl` operations; variables that it assigns
    are states.

    Raises DiagnosticException, naming the operation, for what is not supported.
    """
    module = imported(function)
    run_passes(module, PIPELINE)
    entry = entry_of(module)
    if len(inputs) == len(entry.args):
        entry.properties["arg_attrs"] = names_attribute([[name] if name else [] for name in inputs])
    if len(outputs) == len(entry.function_type.outputs):
        entry.properties["res_attrs"] = names_attribute([[name] for name in outputs])
    return module


def imported(function: Any) -> ModuleOp:
    """A concrete function in TensorFlow's own operations, and the values that it captures."""
    from .names import name_operations
    from .variables import bind_captures, type_captures

    convert = tensorflow().mlir.experimental.convert_function
    module = _parsed(convert(function, show_debug_info=False))
    name_operations(module, convert(function, show_debug_info=True))
    type_captures(module, function)
    infer = tensorflow().mlir.experimental.run_pass_pipeline
    module = _parsed(infer(_printed(module), SHAPES))
    bind_captures(module, function)
    return module


def _printed(module: ModuleOp) -> str:
    """The module as text for TensorFlow: it needs the brackets of empty shapes, which xDSL leaves out."""
    text = io.StringIO()
    Printer(text, print_generic_format=True).print_op(module)
    return EMPTY_SHAPE.sub(r"\g<0><>", text.getvalue())


def _parsed(text: str) -> ModuleOp:
    """The module that TensorFlow printed."""
    try:
        module = parse_module(text, "TensorFlow", context())
    except ParseError as error:
        raise DiagnosticException(parse_error_line(error)) from None
    verify(module)
    return module
