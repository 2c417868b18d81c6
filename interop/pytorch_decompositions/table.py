"""Which operators of PyTorch are decomposed, in a traced module and in an exported program."""

from __future__ import annotations

from collections.abc import Callable, Generator, Mapping, Sequence
from contextlib import contextmanager
from functools import partial
from importlib import import_module
from typing import Any

Decomposition = Callable[..., Any]
"""Takes the arguments of an operator. Gives what it computes, or NotImplemented where the front end is right."""

OVERLOADS: dict[str, Decomposition] = {}
"""By the name of the operator and its overload in ATen, for exported programs."""

CALLS: dict[str, Decomposition] = {}
"""By the name of the function that a module calls, for traces."""


def decomposes_overload(*overloads: str) -> Callable[[Decomposition], Decomposition]:
    """Registers what these operators are in an exported program; the arguments are those of ATen."""
    return partial(_register, OVERLOADS, overloads)


def decomposes_call(*names: str) -> Callable[[Decomposition], Decomposition]:
    """Registers what calls of these functions are in a trace; the arguments are those of the function."""
    return partial(_register, CALLS, names)


def decomposes(*overloads: str) -> Callable[[Decomposition], Decomposition]:
    """Registers both, of functions that have the name and the arguments of the operator."""

    def register(decomposition: Decomposition) -> Decomposition:
        _register(CALLS, [name.partition(".")[0] for name in overloads], decomposition)
        return _register(OVERLOADS, overloads, decomposition)

    return register


def _register(
    table: dict[str, Decomposition], names: Sequence[str], decomposition: Decomposition
) -> Decomposition:
    table.update(dict.fromkeys(names, decomposition))
    return decomposition


@contextmanager
def decomposed_calls() -> Generator[None]:
    """While a module of PyTorch is traced, its calls of these operators are calls of others."""

    class Mode(import_module("torch.overrides").TorchFunctionMode):
        def __torch_function__(
            self, function: Any, types: Any, args: Sequence[Any] = (), kwargs: Any = None
        ) -> Any:
            named: Mapping[str, Any] = kwargs or {}
            decompose = CALLS.get(getattr(function, "__name__", ""))
            if decompose is not None and "out" not in named:
                result = decompose(*args, **named)
                if result is not NotImplemented:
                    return result
            return function(*args, **named)

    with Mode():
        yield


def decomposed_program(program: Any) -> Any:
    """A `torch.export.ExportedProgram` without these operators."""
    aten = import_module("torch").ops.aten
    table = dict[Any, Decomposition]()
    for name, decompose in OVERLOADS.items():
        operator, _, overload = name.partition(".")
        table[getattr(getattr(aten, operator), overload)] = decompose
    found = {node.target for node in program.graph.nodes if node.op == "call_function"}
    table = {overload: each for overload, each in table.items() if overload in found}
    return program.run_decompositions(table) if table else program


def decomposed_by_torch(program: Any, names: Sequence[str]) -> Any:
    """
    An exported program without the operators of these names (`aten.hypot.default`), as PyTorch itself decomposes them.
    None where it decomposes none of them.
    """
    known = import_module("torch._decomp").decomposition_table
    table = {
        node.target: known[node.target]
        for node in program.graph.nodes
        if node.op == "call_function" and str(node.target) in names and node.target in known
    }
    return program.run_decompositions(table) if table else None
