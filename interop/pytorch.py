"""Models of PyTorch, read by way of the graph that OpenVINO's front end makes of them."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise
from typing import Any, cast

from xdsl.dialects.builtin import ModuleOp
from xdsl.utils.exceptions import DiagnosticException

from .needs import needs
from .openvino import module_of_model
from .openvino.package import import_openvino


def module_of_torch(model: Any, example_input: Any) -> ModuleOp:
    """
    The module of a `torch.nn.Module`, as it computes `example_input`: a tensor, a tuple of positional inputs or a dict
    of named ones. Inputs have the example's shapes; `Model.reshape` gives them others.

    Raises DiagnosticException where it cannot be traced, or has something that cannot be said here.
    """
    name = type(model).__qualname__
    if example_input is None:
        raise DiagnosticException(
            f"a {name} of PyTorch has no shapes; read_model(model, example_input=…) with a tensor, a tuple or a dict "
            "of inputs"
        )
    if model.training:
        raise DiagnosticException(
            f"{name} is in training mode, where dropout and batch normalization compute otherwise; call "
            "model.eval() first"
        )
    converted = _converted(model, name, example_input=example_input)
    _fix_shapes(converted, _tensors(example_input))
    return module_of_model(converted)


def module_of_program(program: Any) -> ModuleOp:
    """The module of a `torch.export.ExportedProgram`. Raises DiagnosticException as `module_of_torch` does."""
    converted = _converted(program, "the exported program")
    given = program.example_inputs
    if given is not None:
        positional, named = given
        _fix_shapes(converted, _tensors((*positional, *named.values())), program.range_constraints)
    return module_of_model(converted)


def _converted(model: Any, name: str, **options: Any) -> Any:
    try:
        openvino = import_openvino()
    except ImportError:
        raise DiagnosticException(needs("reading a model of PyTorch", "openvino")) from None
    try:
        return openvino.convert_model(model, **options)
    except Exception as error:  # noqa: BLE001 (whatever the model's own code raises while it is traced)
        raise DiagnosticException(
            f"{name} cannot be traced: {_why(str(error))}; torch.export.export or torch.onnx.export may take it"
        ) from None


def _why(message: str) -> str:
    """The line of OpenVINO's message that says what the model's own code raised, or else the first one."""
    lines = [line.strip(" .") for line in message.splitlines() if line.strip()]
    for before, line in pairwise(lines):
        if before.endswith("xception:"):
            return line
    return lines[0] if lines else "it says nothing"


def _tensors(example: Any) -> list[Any]:
    """The tensors of an example, in the order of the arguments; tuples may hold further ones."""
    if isinstance(example, dict):
        return _tensors(list(cast("dict[str, Any]", example).values()))
    if isinstance(example, list | tuple):
        return [each for part in cast("Sequence[Any]", example) for each in _tensors(part)]
    return [example] if hasattr(example, "shape") else []


def _fix_shapes(converted: Any, tensors: Sequence[Any], free: Any = None) -> None:
    """Gives inputs the example's shapes where tracing left them open, unless the program says what is `free`."""
    if free or len(tensors) != len(converted.inputs):
        return
    converted.reshape(
        {port: list(each.shape) for port, each in zip(converted.inputs, tensors, strict=True)}
    )
