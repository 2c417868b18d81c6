"""A compiled model as plain data: what the cache keeps, pickle carries and requests run."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, fields, replace
from functools import cache
from typing import Any

import numpy as np

from ..lowering.calling_convention import CONVENTION
from ..passes.errors import DiagnosticError
from ..passes.shapes.partial_shape import Shape
from .cache.trust import Bytes
from .host import host_cpu
from .ports import Port


@dataclass(frozen=True)
class StateQuantization:
    """
    What the codes of a quantized state mean: `(code - zero_point) * scale`. `type` is the NumPy type of the codes;
    the numbers are for the whole tensor, or nested lists that broadcast to it.
    """

    type: str
    scale: Any
    zero_point: Any


@dataclass(frozen=True)
class State:
    """
    A state of a model: `port` is what its variable is declared as. A program reads a value of shape `current`
    and, where `assigned`, leaves one of shape `following`. `init` is the initial value where that is constant,
    else the program computes it. Where there is a `quantization`, the port's are values, and memory holds their
    codes. `flag` is the number of the state that says whether this one is set; without, programs and the context
    know it.

    In a program of a bucket, `current` and `following` are the largest shapes, and values fill their beginnings, with
    zeros behind them. `sizes` pairs a dimension of what a call leaves with the number of the output that holds its
    size. With `in_place`, that lies where the value before lay.
    """

    port: Port
    assigned: bool
    init: bytes | None
    current: tuple[int, ...]
    following: tuple[int, ...]
    quantization: StateQuantization | None = None
    flag: int | None = None
    sizes: tuple[tuple[int, int], ...] = ()
    in_place: bool = False

    @property
    def stored(self) -> np.dtype[Any]:
        """The NumPy type of what memory holds."""
        return self.port.dtype if self.quantization is None else np.dtype(self.quantization.type)

    @property
    def is_dynamic(self) -> bool:
        """Whether its value may have another shape in another call."""
        return -1 in self.port.shape


@dataclass(frozen=True)
class Origin:
    """An operation of the model that a kernel computes: its friendly name, OpenVINO's name of its type."""

    name: str
    type: str
    low_precision: bool


@dataclass(frozen=True)
class Kernel:
    """
    A kernel of a program, in the order of its counters, and the operations that it computes. `type` and `shape` are
    those of the first thing it writes, `factors` the types of what it multiplies, `multiply_accumulates` how often it
    does in one run.
    """

    name: str
    origins: tuple[Origin, ...]
    type: str = ""
    shape: tuple[int, ...] = ()
    factors: tuple[str, ...] = ()
    multiply_accumulates: int = 0


@dataclass(frozen=True)
class Executable:
    """
    Native code for one CPU, the weights it reads, and what a caller must know about both.

    `kernels` has an entry for each counter; it is empty where the program does not count. `failures` says why the
    program may end itself. `aliases` pairs an output with the input over which it is written, behind what counts of it,
    where there are zeros.
    """

    cpu: str
    isa: str
    threads: int
    inputs: tuple[Port, ...]
    outputs: tuple[Port, ...]
    states: tuple[State, ...]
    kernels: tuple[Kernel, ...]
    arena_bytes: int
    failures: tuple[str, ...]
    objects: tuple[Bytes, ...]
    weights: Bytes
    aliases: tuple[tuple[int, int], ...] = ()
    is_from_cache: bool = field(default=False, compare=False)
    """Whether it was compiled before; not part of the description."""

    def description(self) -> dict[str, Any]:
        """Everything but the bytes, for JSON, which asks `fields_of` for what the dictionary holds."""
        described = fields_of(self)
        del described["objects"], described["weights"], described["is_from_cache"]
        states = [replace(state, init=None) for state in self.states]
        return {**described, "states": states, "convention": CONVENTION}

    def tensors(self) -> dict[str, Bytes]:
        """The bytes, the weights first."""
        inits = {f"init{n}": state.init for n, state in enumerate(self.states)}
        return {
            "weights": self.weights,
            **{f"object{n}": code for n, code in enumerate(self.objects)},
            **{name: init for name, init in inits.items() if init is not None},
        }

    @classmethod
    def of(cls, description: dict[str, Any], tensors: Mapping[str, Bytes]) -> Executable:
        """
        The inverse of `description` and `tensors`. Raises DiagnosticException where this version of lowstream would
        call the program in another way.
        """
        if description.get("convention") != CONVENTION:
            raise DiagnosticError(
                "the model was compiled by another version of lowstream; compile it again with this one"
            )
        return cls(
            cpu=description["cpu"],
            isa=description["isa"],
            threads=description["threads"],
            inputs=tuple(_port(port) for port in description["inputs"]),
            outputs=tuple(_port(port) for port in description["outputs"]),
            states=tuple(
                _state(state, tensors.get(f"init{n}"))
                for n, state in enumerate(description["states"])
            ),
            kernels=tuple(map(_kernel, description["kernels"])),
            arena_bytes=description["arena_bytes"],
            failures=tuple(description["failures"]),
            objects=tuple(tensors[name] for name in tensors if name.startswith("object")),
            weights=tensors["weights"],
            aliases=tuple((output, input) for output, input in description["aliases"]),
        )

    @property
    def changes_shapes(self) -> bool:
        """Whether a state has another shape after a call than before, so that the next call needs another program."""
        return self.moves_states or any(state.sizes for state in self.states)

    @property
    def moves_states(self) -> bool:
        """Whether what a call leaves of a state does not lie as the next call wants it, so that it has to be copied."""
        return any(state.current != state.following for state in self.states)

    @property
    def has_known_sizes(self) -> bool:
        """Whether outputs have the same size in every call."""
        return not any(port.sizes for port in self.outputs)

    @property
    def results(self) -> tuple[Port, ...]:
        """The outputs as users see them."""
        return tuple(port.declared for port in self.outputs if port.role != "size")

    def check_cpu(self) -> None:
        """Raises DiagnosticException where this was compiled for another kind of CPU."""
        if self.cpu != host_cpu():
            raise DiagnosticError(
                f"the model was compiled for {self.isa} on another CPU ({self.cpu}); compile it again on this one "
                f"({host_cpu()})"
            )


def fields_of(each: object) -> dict[str, Any]:
    """The fields of an object of these classes, as they are: `dataclasses.asdict` copies what they hold."""
    return {name: getattr(each, name) for name in _names_of_fields(type(each))}


@cache
def _names_of_fields(kind: Any) -> tuple[str, ...]:
    return tuple(field.name for field in fields(kind))


def _port(given: dict[str, Any]) -> Port:
    names, shape = tuple(given["names"]), Shape(tuple(given["shape"]))
    sizes, limits = (tuple((a, b) for a, b in given[name]) for name in ("sizes", "limits"))
    return Port(given["role"], names, shape, given["type"], bool(given["is_used"]), sizes, limits)


def _state(given: dict[str, Any], init: Bytes | None) -> State:
    quantization = given["quantization"]
    return State(
        _port(given["port"]),
        bool(given["assigned"]),
        None if init is None else bytes(init),
        tuple(given["current"]),
        tuple(given["following"]),
        None if quantization is None else StateQuantization(**quantization),
        given["flag"],
        tuple((dimension, place) for dimension, place in given["sizes"]),
        given["in_place"],
    )


def _kernel(given: dict[str, Any]) -> Kernel:
    return Kernel(
        given["name"],
        tuple(Origin(**origin) for origin in given["origins"]),
        given["type"],
        tuple(given["shape"]),
        tuple(given["factors"]),
        given["multiply_accumulates"],
    )
