"""Models of PyTorch, read by way of the graph that OpenVINO's front end makes of them."""

from __future__ import annotations

import logging
import re
from collections.abc import Generator, Sequence
from contextlib import contextmanager, suppress
from importlib import import_module
from itertools import pairwise
from pathlib import Path
from typing import Any, cast

from xdsl.dialects.builtin import BoolAttr, IntegerType, ModuleOp
from xdsl.utils.exceptions import DiagnosticException

from ...dialects import nn
from ...dialects.inferred import tensor
from ...dialects.verification import what_is_wrong
from ...dialects.walk import all_operations
from ...passes.errors import shown
from ...passes.needs import needs
from ..mlir import SourceError
from ..openvino import module_of_model
from ..openvino.package import import_openvino
from .complex_numbers import without_complex_numbers
from .decompositions import (
    decomposed_by_torch,
    decomposed_calls,
    decomposed_program,
)
from .higher_order import without_higher_order
from .operations import as_operations
from .ports import (
    check_tensors,
    describe_inputs,
    example_of,
    free_sizes,
    name_inputs,
    tensors_of,
    with_distinct_results,
)
from .projections import projections_as_loops
from .regions import with_adaptive_points
from .states import (
    as_states,
    buffers_restored,
    changing_buffers,
    with_ports,
)
from .transforms import transforms_as_operations
from .weights import weights_dequantized


def module_of_torch(model: Any, example_input: Any) -> ModuleOp:
    """
    The module of a `torch.nn.Module`, as it computes `example_input`: a tensor, a tuple of positional inputs or a dict
    of named ones. Inputs have the example's shapes; `Model.reshape` gives them others.

    Where OpenVINO's front end cannot trace it, it is read as `torch.export` exports it. Raises DiagnosticException
    where it cannot be exported either, or has something that cannot be said here.
    """
    name = type(model).__qualname__
    if example_input is None:
        raise DiagnosticException(
            f"a {name} of PyTorch has no shapes; read_model(model, example_input=…) with a tensor, a tuple or a dict "
            "of inputs"
        )
    if not tensors_of(example_input) and example_input not in ((), [], {}):
        raise DiagnosticException(
            f"example_input of a {name} holds no tensor, but {shown(example_input)}; give one for each input, such "
            "as torch.zeros(1, 3, 224, 224)"
        )
    check_tensors(name, tensors_of(example_input))
    if "eval" in vars(model):  # refuses: the mode was fixed when the program was exported
        return module_of_program(
            _exported(model, example_input, f"{name} is the module of an exported program")
        )
    if model.training:
        raise DiagnosticException(
            f"{name} is in training mode, where dropout and batch normalization compute otherwise; call "
            "model.eval() first"
        )
    openvino = _openvino()
    changed = list[str]()
    try:
        with buffers_restored(model) as changed, projections_as_loops(model), decomposed_calls():
            converted = openvino.convert_model(model, example_input=example_input)
        describe_inputs(converted, model, *_arguments(example_input))
    except Exception as error:  # noqa: BLE001 (whatever the model's own code raises while it is traced)
        return module_of_program(
            _exported(model, example_input, f"{name} cannot be traced: {_why(error)}")
        )
    if changed:
        return _with_states(model, changed, *_arguments(example_input))
    return _truncating(module_of_model(with_adaptive_points(converted)))


def _exported(model: Any, example: Any, untraced: str) -> Any:
    """The program that `torch.export` makes of a module; its operations differ from those of a trace."""
    from torch.export import export

    try:
        with _errors_unlogged():
            return export(model, *_arguments(example))
    except Exception as error:  # noqa: BLE001 (whatever the model's own code raises)
        raise DiagnosticException(
            f"{untraced}; torch.export cannot take it either: {_why(error)}; torch.onnx.export may"
        ) from None


@contextmanager
def _errors_unlogged() -> Generator[None]:
    """Inside, PyTorch does not log errors that it raises as well: of operators on shapes, and of files."""
    loggers = [
        logging.getLogger(name) for name in ("torch._subclasses.fake_tensor", "torch.export")
    ]
    before = [logger.disabled for logger in loggers]
    for logger in loggers:
        logger.disabled = True
    try:
        yield
    finally:
        for logger, was in zip(loggers, before, strict=True):
            logger.disabled = was


def _arguments(example: Any) -> tuple[tuple[Any, ...], dict[str, Any]]:
    """The positional and the named arguments of an example; a tensor that is given twice is two inputs."""
    seen = list[Any]()

    def distinct(value: Any) -> Any:
        if not hasattr(value, "shape"):
            return value
        seen.append(value)
        return value if all(each is not value for each in seen[:-1]) else value.clone()

    example = import_module("torch.utils._pytree").tree_map(distinct, example)
    if isinstance(example, dict):
        return (), cast("dict[str, Any]", example)
    return tuple(
        cast("Sequence[Any]", example) if isinstance(example, list | tuple) else (example,)
    ), {}


def _with_states(
    model: Any, buffers: Sequence[str], inputs: Any, named: Any, free: Any = None
) -> ModuleOp:
    """The module of a module of PyTorch that changes these buffers, which are states."""
    try:
        program = with_ports(model, buffers, inputs, named, free)
    except Exception as error:  # noqa: BLE001 (whatever the model's own code raises)
        raise DiagnosticException(
            f"{type(model).__qualname__} changes its buffers ({', '.join(buffers)}), and torch.export cannot take it: "
            f"{_why(error)}; give what changes as inputs and outputs, and run make-stateful"
        ) from None
    module = _converted(program)
    as_states(module, model, buffers)
    return module


def module_of_program(program: Any) -> ModuleOp:
    """
    The module of a `torch.export.ExportedProgram`; the buffers that it changes are states. Raises DiagnosticException
    as `module_of_torch` does, and where dropout is that of training.
    """
    for part in program.graph_module.modules():
        for node in part.graph.nodes if hasattr(part, "graph") else ():
            if _drops(node):
                raise DiagnosticException(
                    f"{node.target} of the exported program drops elements, as in training; call model.eval() before "
                    "it is exported, and give functions training=self.training"
                )
            if _normalizes_a_batch(node):
                raise DiagnosticException(
                    f"{node.target} of the exported program normalizes by the batch, and changes its running averages, "
                    "as in training; call model.eval() before it is exported"
                )
    if not (names := changing_buffers(program)):
        return _converted(program)
    return _with_states(program.module(), names, *example_of(program), free_sizes(program))


def _normalizes_a_batch(node: Any) -> bool:
    """Whether a node of a program is a batch normalization in training mode that keeps averages."""
    return str(node.target) == "aten.batch_norm.default" and bool(node.args[3] and node.args[5])


def read_program(path: Path) -> ModuleOp:
    """
    The module of a program that `torch.export.save` wrote (.pt2).

    Raises SourceError where PyTorch cannot load it, or as `module_of_program` does.
    """
    try:
        import torch
    except ImportError:
        raise SourceError(
            f"{path}: error: {needs('reading .pt2 files', 'torch', 'openvino')}"
        ) from None
    try:
        with _errors_unlogged():
            program = torch.export.load(path)
    except Exception as error:  # noqa: BLE001 (archives of another kind or version fail in many ways)
        raise SourceError(
            f"{path}: error: PyTorch {torch.__version__} cannot load it ({_why(error)}); write it again with "
            "torch.export.save"
        ) from None
    try:
        return module_of_program(program)
    except DiagnosticException as error:
        raise SourceError(f"{path}: error: {what_is_wrong(error)}") from None


def _drops(node: Any) -> bool:
    """Whether a node of a program is a dropout, or recurrent layers with one between them, in training mode."""
    if (schema := getattr(node.target, "_schema", None)) is None:
        return False
    given = dict(zip((each.name for each in schema.arguments), node.args, strict=False)) | dict(
        node.kwargs
    )
    dropped = given.get("p", given.get("dropout", 0)) if given.get("train") else 0
    return max(dropped, given.get("dropout_p") or 0) > 0


def _converted(program: Any) -> ModuleOp:
    openvino = _openvino()
    try:
        readable = decomposed_program(without_complex_numbers(without_higher_order(program)))
        converted = _converted_by_rules(openvino, with_distinct_results(readable))
        name_inputs(converted, program)
    except DiagnosticException:
        raise
    except Exception as error:  # noqa: BLE001 (whatever OpenVINO's front end raises)
        raise DiagnosticException(
            f"the exported program cannot be converted: {_why(error)}; torch.onnx.export may take the module"
        ) from None
    return _truncating(module_of_model(with_adaptive_points(converted)))


_ATTEMPTS = 2
"""How often an operator is decomposed: where a program calls it, and where others are composed of it."""


def _converted_by_rules(openvino: Any, program: Any, tried: Sequence[str] = ()) -> Any:
    """
    OpenVINO's graph of a program. What its front end has no rule for, PyTorch decomposes, unless that was `tried` as
    often as may help; if it does not, the error is that of the program as it is given.
    """
    try:
        return openvino.convert_model(program, extension=_extensions())
    except Exception as error:
        with suppress(Exception):  # of PyTorch, too
            names = [name for name in _unconverted(error) if tried.count(name) < _ATTEMPTS]
            if (simpler := decomposed_by_torch(program, names)) is not None:
                return _converted_by_rules(openvino, decomposed_program(simpler), [*tried, *names])
        raise


def _extensions() -> list[Any]:
    """What OpenVINO's front end learns of exported programs."""
    return [*weights_dequantized(), *as_operations(), *transforms_as_operations()]


def _truncating(module: ModuleOp) -> ModuleOp:
    """
    The module, whose quotients of integers without a Floor behind them round toward zero: OpenVINO's front end lets all
    round down, and puts a Floor behind those that PyTorch rounds down.
    """
    for op in all_operations(module):
        if isinstance(op, nn.DivideOp) and isinstance(tensor(op.result).element_type, IntegerType):
            rounds_down = any(isinstance(use.operation, nn.FloorOp) for use in op.result.uses)
            op.m_pythondiv = BoolAttr.from_bool(rounds_down)
    return module


def _openvino() -> Any:
    try:
        return import_openvino()
    except ImportError:
        raise DiagnosticException(needs("reading a model of PyTorch", "openvino")) from None


def _unconverted(error: Exception) -> list[str]:
    """The operations that OpenVINO's message says it cannot convert."""
    names: list[str] = re.findall(r"^-- (\S+) with a message", str(error), re.MULTILINE)
    for unknown in re.findall(
        r"^-- No conversion rule found for operations: (.+)", str(error), re.M
    ):
        names += unknown.split(", ")
    return names


def _why(error: Exception) -> str:
    """
    The part of OpenVINO's message that says why: the operations that it cannot convert, or the line that the model's
    own code raised, or else the first line.
    """
    names = _unconverted(error)
    if any("grouped_mm" in name for name in names):
        return "OpenVINO does not convert experts in groups (set_experts_implementation('batched_mm') changes them)"
    if names:
        return f"OpenVINO does not convert {', '.join(dict.fromkeys(names))} as it is here"
    lines = [line.strip(" .") for line in str(error).splitlines() if line.strip()]
    for before, line in pairwise(lines):
        if before.endswith("xception:"):
            return line
    return lines[0] if lines else "it says nothing"
