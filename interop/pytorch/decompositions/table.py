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
"""For exported programs, by the name of the operator and its overload, in ATen or behind the name of a library."""

UNREAD: dict[str, Decomposition] = {}
"""As `OVERLOADS`, where the front end refused them."""

CALLS: dict[str, Decomposition] = {}
"""By the name of the function that a module calls, for traces."""


def decomposes_overload(*overloads: str) -> Callable[[Decomposition], Decomposition]:
    """Registers what these operators are in an exported program; the arguments are those of ATen."""
    return partial(_register, OVERLOADS, overloads)


def decomposes_unread(*overloads: str) -> Callable[[Decomposition], Decomposition]:
    """Registers what these operators are in an exported program in which the front end cannot read them."""
    return partial(_register, UNREAD, overloads)


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
    table = _by_operator(OVERLOADS)
    found = any(node.target in table for node in program.graph.nodes if node.op == "call_function")
    return program.run_decompositions(table) if found else program


def _by_operator(named: Mapping[str, Decomposition]) -> dict[Any, Decomposition]:
    """What is named, by the operators of PyTorch; those of libraries are there once these are imported."""
    operators = import_module("torch").ops
    table = dict[Any, Decomposition]()
    for name, decompose in named.items():
        *space, operator, overload = name.split(".")
        packet = getattr(getattr(operators, *space or ["aten"]), operator, None)
        if packet is not None:
            table[getattr(packet, overload)] = decompose
    return table


def _core() -> Any:
    return import_module("torch.export").default_decompositions().materialize()


def _is_composed(target: Any) -> bool:
    """Whether an operator says of which others it is composed, as those of torchao do."""
    return hasattr(target, "_can_decompose") and target._can_decompose()


def _composition(target: Any) -> Decomposition:
    """What an operator is composed of: not `target.decompose`, which calls what PyTorch takes for the decomposition."""
    composite = import_module("torch._C").DispatchKey.CompositeImplicitAutograd
    return target.py_kernels.get(composite, partial(target._op_dk, composite))


def decomposed_by_torch(program: Any, names: Sequence[str]) -> Any:
    """
    An exported program without the operators of these names (`aten.hypot.default`), as PyTorch itself decomposes them,
    or what they come from. None where it decomposes none of them.
    """
    if not names:
        return None
    known = import_module("torch._decomp").decomposition_table | _by_operator(UNREAD)
    calls = [node.target for node in program.graph.nodes if node.op == "call_function"]
    found = [target for target in calls if str(target) in names]
    if not found:  # others are decomposed into them while they are converted
        hidden = {target: known[target] for target in known if str(target) in names}
        return program.run_decompositions(_core() | hidden | _by_operator(OVERLOADS))
    table = {target: known[target] for target in found if target in known}
    table |= {
        target: _composition(target)
        for target in found
        if target not in known and _is_composed(target)
    }
    return program.run_decompositions(table) if table else None
