"""Inputs and results of an exported program, which OpenVINO's front end knows less about than the program does."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from importlib import import_module
from inspect import Parameter, signature
from typing import Any

from xdsl.utils.exceptions import DiagnosticException

_SAME = ("aten.clone.default", "aten.alias.default", "aten.detach.default")
"""Operators whose result OpenVINO's front end takes for their operand."""


def with_distinct_results(program: Any) -> Any:
    """A program none of whose results is another one; OpenVINO's front end cannot name a value twice."""
    if not _repeated(program):
        return program
    program = program.run_decompositions({})  # the program that was given stays as it is
    expand = import_module("torch").ops.aten.expand.default
    output = program.graph.output_node()
    results = list(output.args[0])
    for place in _repeated(program):
        node = results[place]
        with program.graph.inserting_before(output):
            same = program.graph.call_function(expand, (node, [-1] * node.meta["val"].dim()))
        same.meta = dict(node.meta)
        results[place] = same
        program.graph_signature.output_specs[place].arg.name = same.name
    output.args = (tuple(results),)
    return program


def _repeated(program: Any) -> list[int]:
    """Which results of a program a former one is, too."""
    seen, repeated = set[Any](), list[int]()
    for place, node in enumerate(program.graph.output_node().args[0]):
        if not hasattr(node, "target"):
            continue
        while str(node.target) in _SAME:
            node = node.args[0]
        if node in seen:
            repeated.append(place)
        seen.add(node)
    return repeated


def name_inputs(converted: Any, program: Any) -> None:
    """
    Gives the inputs of OpenVINO's model of a program, in place, their names and sizes; those that are fixed leave, such
    as None. A size that the program leaves free is unknown.
    """
    values = _inputs(program)
    parameters = converted.get_parameters()
    if len(parameters) != len(values):
        return
    for parameter, (name, value) in zip(parameters, values.items(), strict=True):
        if value is None:
            converted.remove_parameter(parameter)
            continue
        sizes = getattr(value, "shape", ())  # an integer that is free has none
        parameter.set_partial_shape(_openvino().PartialShape([_size(size) for size in sizes]))
        if parameter.get_element_type().is_dynamic():
            parameter.set_element_type(_openvino().Type.i64)
        parameter.output(0).set_names({name})
        parameter.set_friendly_name(name)
    converted.validate_nodes_and_infer_types()


def example_of(program: Any) -> tuple[Any, Any]:
    """The positional and the named inputs that a program was exported with. Raises DiagnosticException without any."""
    if program.example_inputs is None:
        raise DiagnosticException(
            "the exported program has no example_inputs, and must be exported again for its states, loops or complex "
            "numbers; read it before they are removed"
        )
    return program.example_inputs


def free_sizes(program: Any) -> tuple[Any, Any] | None:
    """
    The dynamic shapes of the positional and the named inputs, as `torch.export.export` takes them, that leave free what
    the program leaves free; None where that is nothing.
    """
    automatic = import_module("torch.export").Dim.AUTO
    sizes: list[Any] = [_free(value, automatic) for value in _inputs(program).values()]
    if not any(sizes):
        return None
    return import_module("torch.utils._pytree").tree_unflatten(sizes, program.call_spec.in_spec)


def _free(value: Any, automatic: Any) -> Any:
    if hasattr(value, "shape"):
        return {
            place: automatic for place, size in enumerate(value.shape) if not isinstance(size, int)
        }
    return None if value is None else automatic


def tensors_of(example: Any) -> list[Any]:
    """The tensors of an example, in the order of the arguments, also those in containers that PyTorch knows."""
    leaves: list[Any] = import_module("torch.utils._pytree").tree_leaves(example)
    return [each for each in leaves if hasattr(each.__class__, "shape")]


def check_tensors(name: str, tensors: Sequence[Any]) -> None:
    """Raises DiagnosticException where a module of this name is given what inputs here cannot be."""
    torch: Any = import_module("torch")
    for each in tensors:
        if not isinstance(each, torch.Tensor):
            continue
        if each.is_complex():
            what, instead = (
                "complex",
                "give torch.view_as_real of it, and let the module view it as complex",
            )
        elif each.is_nested:
            what, instead = "nested", "pad it, and give a mask"
        elif each.layout != torch.strided:
            what, instead = f"of layout {each.layout}", "give its to_dense()"
        else:
            continue
        raise DiagnosticException(
            f"an input of {name} is {what}, as inputs here cannot be; {instead}"
        )


def describe_inputs(converted: Any, module: Any, inputs: Sequence[Any], named: Any) -> None:
    """
    Gives the inputs of OpenVINO's model of a traced module, in place, the shapes and element types of its example, and
    the names of the arguments where each of them is one tensor.
    """
    tensors, parameters = tensors_of((inputs, named)), converted.get_parameters()
    if len(tensors) != len(parameters):
        return
    for parameter, each in zip(parameters, tensors, strict=True):
        parameter.set_partial_shape(_openvino().PartialShape(list(each.shape)))
        if parameter.get_element_type().is_dynamic():
            parameter.set_element_type(_elements()[str(each.dtype)])
    given = [name for name, value in _arguments(module, inputs) if value is not None]
    if not named and len(given) == len(parameters):
        for parameter, name in zip(parameters, given, strict=True):
            parameter.output(0).set_names({name})
            parameter.set_friendly_name(name)
    converted.validate_nodes_and_infer_types()


def _arguments(module: Any, inputs: Sequence[Any]) -> list[tuple[str, Any]]:
    """The positional arguments of a module by their names; none where it takes any number of them."""
    parameters = signature(module.forward).parameters.values()
    names = [each.name for each in parameters if each.kind == Parameter.POSITIONAL_OR_KEYWORD]
    return list(zip(names, inputs, strict=False)) if len(names) >= len(inputs) else []


def _elements() -> Mapping[str, Any]:
    return import_module("openvino.frontend.pytorch.utils").pt_to_ov_type_map


def _inputs(program: Any) -> Mapping[str, Any]:
    """The values that inputs had while a program was exported, by their names; None of those that are fixed."""
    nodes = {node.name: node for node in program.graph.nodes if node.op == "placeholder"}
    specs = (each.arg for each in program.graph_signature.input_specs if _is_given(each))
    return {
        each.name: None if hasattr(each, "value") else nodes[each.name].meta.get("val")
        for each in specs
    }


def _is_given(spec: Any) -> bool:
    return spec.kind.name == "USER_INPUT"


def _size(size: Any) -> int:
    return size if isinstance(size, int) else -1


def _openvino() -> Any:
    return import_module("openvino")
