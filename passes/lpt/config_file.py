"""Configurations in files: what a TOML file changes in a preset. Every error names the file and the key."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from typing import Any, NoReturn, TypeVar, cast

from xdsl.dialects.builtin import IntegerType, f32, f64, i8
from xdsl.utils.exceptions import DiagnosticException

from ..lpt_extensions import transformation_names
from .callbacks import CALLBACKS
from .config import (
    DEFAULT,
    PRESETS,
    Callback,
    LptConfig,
    PerTensorRestriction,
    PrecisionsRestriction,
    preset,
)
from .names import similar_transformations, why_no_input, why_no_operation
from .precision import ui8

CODES = {"u8": ui8, "i8": i8}
COMPUTED = {"f32": f32, "f64": f64}
T = TypeVar("T")
_PORT, _RANK = re.compile(r"input([0-9]+)"), re.compile(r"rank([0-9]+)")


def read_config(path: str, base: str | None = None) -> LptConfig:
    """
    The configuration of a file: `base`, or the preset that it names, with what it says instead.

    Raises DiagnosticException where the file is not there, is no TOML, or says what is not known.
    """
    import tomllib

    try:
        with open(path, "rb") as file:
            tables = tomllib.load(file)
    except OSError as error:
        raise DiagnosticException(f"lpt: {path}: {error.strerror or error}") from error
    except (tomllib.TOMLDecodeError, UnicodeDecodeError) as error:
        raise DiagnosticException(f"{_place(path, str(error))}: not TOML: {error}") from error
    top = ConfigValue(path, (), tables)
    top.knows(*KEYS)
    named = top.entry("preset").text() if "preset" in tables else DEFAULT
    if named not in PRESETS:
        top.entry("preset").wrong(f"no preset '{named}'", PRESETS)
    config = preset(base or named)
    for key, change in KEYS.items():
        if key in tables:
            config = change(config, top.entry(key))
    return config


def _place(path: str, message: str) -> str:
    line = re.search(r"at line (\d+)", message)
    return f"{path}:{line[1]}" if line else path


@dataclass(frozen=True)
class ConfigValue:
    """A value of the file, and the keys that lead to it."""

    path: str
    keys: tuple[str, ...]
    value: Any

    def wrong(self, what: str, allowed: Any) -> NoReturn:
        """Raises DiagnosticException: where, what is wrong, what is allowed."""
        where = f"{self.path}: {'.'.join(map(_spelled, self.keys))}" if self.keys else self.path
        raise DiagnosticException(f"{where}: {what}; there is {', '.join(map(str, allowed))}")

    def a(self, kind: type[T], called: str) -> T:
        """The value, of this type."""
        if type(self.value) is not kind:
            shown = repr(self.value) if isinstance(self.value, str) else str(self.value).lower()
            where = f"{self.path}: {'.'.join(map(_spelled, self.keys))}"
            raise DiagnosticException(f"{where}: {shown} is not {called}")
        return cast(T, self.value)

    def text(self) -> str:
        """The value, a string."""
        return self.a(str, "a string")

    def table(self) -> Mapping[str, ConfigValue]:
        """The entries of a table."""
        entries = cast(dict[str, Any], self.a(dict, "a table"))
        return {
            key: ConfigValue(self.path, (*self.keys, key), value) for key, value in entries.items()
        }

    def items(self) -> list[ConfigValue]:
        """The elements of an array, each called as the array is."""
        return [replace(self, value=one) for one in cast(list[Any], self.a(list, "an array"))]

    def entry(self, key: str) -> ConfigValue:
        """An entry that is there."""
        return self.table()[key]

    def knows(self, *keys: str) -> None:
        """Refuses all other keys."""
        for key in self.table():
            if key not in keys:
                self.entry(key).wrong("unknown key", keys)

    def one_of(self, known: Mapping[str, T], called: str) -> T:
        """What the value, a string, stands for."""
        if (name := self.text()) not in known:
            self.wrong(f"no {called} '{name}'", known)
        return known[name]

    def operation(self) -> str:
        """The last key, the name of an operation."""
        self.holds(why_no_operation(name := self.keys[-1]))
        return name

    def port(self, operation: str, number: int) -> int:
        """The number of an input that an operation has."""
        self.holds(why_no_input(operation, number))
        return number

    def holds(self, why_not: str | None) -> None:
        """Raises DiagnosticException where there is a reason why not, which says what is allowed."""
        if why_not:
            where = ".".join(map(_spelled, self.keys))
            raise DiagnosticException(f"{self.path}: {where}: {why_not}")

    def transformation(self, name: str) -> str:
        """A name that a transformation has."""
        if name not in (known := transformation_names()):
            self.wrong(f"no transformation '{name}'", similar_transformations(name, known))
        return name


def _spelled(key: str) -> str:
    return key if re.fullmatch(r"[\w-]+", key, re.ASCII) else f'"{key}"'


def _codes(node: ConfigValue) -> tuple[IntegerType, ...]:
    return tuple(one.one_of(CODES, "precision") for one in node.items())


def _precisions(config: LptConfig, node: ConfigValue) -> LptConfig:
    """`[precisions."nn.mat_mul"]` says all that this operation takes; others are as they were."""
    found: list[PrecisionsRestriction] = []
    for operation, ports in node.table().items():
        ports.operation()
        for key, value in ports.table().items():
            if rank := _RANK.fullmatch(key):
                found += [
                    PrecisionsRestriction(
                        operation, _port(inner, operation, key), _codes(inner), int(rank[1])
                    )
                    for key, inner in value.table().items()
                ]
            else:
                port = _port(value, operation, key)
                found.append(PrecisionsRestriction(operation, port, _codes(value)))
    kept = [one for one in config.precisions if one.operation not in node.value]
    return replace(config, precisions=(*kept, *found))


def _port(node: ConfigValue, operation: str, key: str) -> int:
    if not (match := _PORT.fullmatch(key)):
        node.wrong("unknown key", ("input0", "input1", "…", "rank5.input0", "…"))
    return node.port(operation, int(match[1]))


def _per_tensor(config: LptConfig, node: ConfigValue) -> LptConfig:
    found: list[PerTensorRestriction] = []
    for operation, ports in node.table().items():
        ports.operation()
        numbers = [
            one.port(operation, one.a(int, "the number of an input")) for one in ports.items()
        ]
        found += [PerTensorRestriction(operation, number) for number in numbers]
    kept = [one for one in config.per_tensor if one.operation not in node.value]
    return replace(config, per_tensor=(*kept, *found))


def _callbacks(config: LptConfig, node: ConfigValue) -> LptConfig:
    found: list[Callback] = []
    for name, questions in node.table().items():
        questions.transformation(name)
        found += [Callback(name, one.one_of(CALLBACKS, "callback")) for one in questions.items()]
    kept = [one for one in config.callbacks if one.transformation not in node.value]
    return replace(config, callbacks=(*kept, *found))


def _disabled(config: LptConfig, node: ConfigValue) -> LptConfig:
    names = (one.transformation(one.text()) for one in node.items())
    return replace(config, disabled=frozenset(names))


KEYS: dict[str, Callable[[LptConfig, ConfigValue], LptConfig]] = {
    "preset": lambda config, node: config,
    "default_precisions": lambda config, node: replace(config, default_precisions=_codes(node)),
    "update_precisions": lambda config, node: replace(
        config, update_precisions=node.a(bool, "true or false")
    ),
    "dequantization_precision": lambda config, node: replace(
        config, dequantization_precision=node.one_of(COMPUTED, "precision")
    ),
    "disabled": _disabled,
    "precisions": _precisions,
    "per_tensor": _per_tensor,
    "callbacks": _callbacks,
}
"""What a file may say, and what that changes."""
