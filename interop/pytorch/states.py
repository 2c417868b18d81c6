"""Buffers that a module of PyTorch changes when it is called, as states."""

from __future__ import annotations

from collections.abc import Generator, Sequence
from contextlib import contextmanager
from importlib import import_module
from typing import Any

from xdsl.dialects.builtin import ModuleOp

from ...dialects import nn
from ...dialects.inferred import tensor
from ...dialects.module import entry_of
from ...passes.make_stateful import add_state, drop_ports
from ...reference.arrays import blob_of


@contextmanager
def buffers_restored(model: Any) -> Generator[list[str]]:
    """
    Buffers are afterwards what they were before. Gives a list, which then has the names of those that were written, or
    replaced by others of their shape.
    """
    torch: Any = import_module("torch")
    changed = list[str]()
    before = {
        name: (buffer, _writes(buffer), buffer.clone()) for name, buffer in model.named_buffers()
    }
    try:
        yield changed
    finally:
        after = dict(model.named_buffers())
        for name, (buffer, writes, value) in before.items():
            found = after.get(name)
            if found is None or found.shape != value.shape:
                continue
            if found is buffer and _writes(buffer) == writes:
                continue
            changed.append(name)
            with torch.no_grad():
                buffer.copy_(value)
            owner, _, attribute = name.rpartition(".")
            setattr(model.get_submodule(owner), attribute, buffer)


def _writes(buffer: Any) -> int:
    """How often a buffer was written in its place; tensors of inference mode cannot be, where they are traced."""
    return 0 if buffer.is_inference() else buffer._version


def changing_buffers(program: Any) -> list[str]:
    """The names of the buffers that an exported program changes."""
    schemas = (getattr(node.target, "_schema", None) for node in program.graph.nodes)
    if any(schema is not None and schema.is_mutable for schema in schemas):
        program = program.run_decompositions({})  # says what is changed by writing in place
    return list(dict.fromkeys(program.graph_signature.buffers_to_mutate.values()))


def with_ports(
    module: Any, names: Sequence[str], inputs: Any, named: Any, free: Sequence[Any] | None = None
) -> Any:
    """
    A `torch.nn.Module` as an exported program that has these buffers as its first inputs, and their next values as its
    first results. The sizes of inputs are those given, unless they are `free`: two specifications of dynamic shapes.
    """
    torch: Any = import_module("torch")

    class Functional(torch.nn.Module):
        def forward(self, buffers: Sequence[Any], inputs: Any, named: Any) -> Any:
            values = dict(zip(names, (each.clone() for each in buffers), strict=True))
            results = torch.func.functional_call(module, values, inputs, named)
            return [values[name] for name in names], results

    shapes = None if free is None else ([None] * len(names), *free)
    given = (_buffers(module, names), inputs, named)
    return torch.export.export(Functional(), given, dynamic_shapes=shapes)


def _buffers(module: Any, names: Sequence[str]) -> list[Any]:
    return [module.get_buffer(name).detach().cpu() for name in names]


def as_states(converted: ModuleOp, module: Any, names: Sequence[str]) -> None:
    """Makes states of the first inputs and results, which begin with the values that the module's buffers have."""
    entry = entry_of(converted)
    for number, (name, value) in enumerate(zip(names, _buffers(module, names), strict=True)):
        element = tensor(entry.body.block.args[number]).element_type
        numbers = value.double() if value.is_floating_point() else value
        initial = nn.ConstantOp(blob_of(numbers.numpy(), element))
        add_state(entry, name, number, number, initial)
    drop_ports(entry, set(range(len(names))), set(range(len(names))))
