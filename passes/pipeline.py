"""Runs a pipeline, given as text or as pass objects, on a module."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import Field, fields, replace
from types import NoneType
from typing import Any, cast, get_args, get_origin, get_type_hints

from xdsl.context import Context
from xdsl.dialects.builtin import ModuleOp
from xdsl.passes import ModulePass
from xdsl.utils.arg_spec import ArgSpec, ParameterListType
from xdsl.utils.arg_spec import parse_pipeline as parse_specs
from xdsl.utils.exceptions import ArgSpecParseError, DiagnosticException
from xdsl.utils.hints import isa

from ..dialects import context
from ..dialects.verification import verify
from .anchor import has_anchor, without_anchor
from .errors import shown
from .instrumentation import apply_pass
from .nearest import nearest
from .registry import Factories, aliases, all_factories

Pipeline = str | ModulePass | Sequence["Pipeline"]
"""`"low-latency2{use-const-initializer=false},lpt"`, a pass, or several of these."""


_VALUE = re.compile(r""""(?:[^"\\]|\\.)*"|(?<=[=,])[^\s"=,{}\[\]]+""")
_PLAIN = re.compile(r"[\w-]+|[-+]?\d+(\.\d*([eE][-+]?\d+)?)?", re.ASCII)


def quoted(pipeline: str) -> str:
    """The same pipeline with paths in quotes, as xDSL needs: `precision-report{file="my.csv"}`."""

    def quote(value: re.Match[str]) -> str:
        is_quoted = value[0].startswith('"')
        return value[0] if is_quoted or _PLAIN.fullmatch(value[0]) else f'"{value[0]}"'

    return _VALUE.sub(quote, pipeline)


def parse_pipeline(pipeline: Pipeline, available: Factories | None = None) -> list[ModulePass]:
    """
    The passes of a pipeline, out of those available (by default all); text may be in mlir-opt's form, too,
    `builtin.module(…)`.

    Raises DiagnosticException where the text names a pass, an option or a value that does not exist.
    """
    if isinstance(pipeline, ModulePass):
        return [pipeline]
    if not isinstance(pipeline, str):
        return [one for part in _listed(pipeline) for one in parse_pipeline(part, available)]
    available = all_factories() if available is None else available
    if has_anchor(pipeline):
        pipeline = without_anchor(pipeline)
    try:
        return [_instance(spec, available) for spec in parse_specs(quoted(pipeline))]
    except ArgSpecParseError as error:
        what = syntax_error(error, quoted(pipeline))
        if "=" in pipeline:
            what += '; put a value that has = or , in quotes: reshape{inputs="X=1x2,Y=3"}'
        raise DiagnosticException(f"pipeline '{pipeline}': {what}") from error
    except (DiagnosticException, ValueError) as error:
        what = " ".join(str(error).split())
        raise DiagnosticException(f"pipeline '{pipeline}': {what}") from error


def syntax_error(error: ArgSpecParseError, text: str) -> str:
    """What xDSL expected in a text, which it shows in several lines with a caret, and where."""
    what = str(error).rpartition("^")[2].strip()
    column = re.search(r":1:(\d+)", str(error))
    rest = text[int(column[1]) - 1 :] if column else ""
    place = f"at '{rest}'" if rest else "at the end"
    return f"{what.removesuffix(' here')} {place}"


def _instance(spec: ArgSpec, available: Factories) -> ModulePass:
    """The pass that a text names, with its options. Raises DiagnosticException where either does not exist."""
    require_pass(spec.name, available)
    cls = available[spec.name]()
    hints, required = get_type_hints(cls), cls.required_fields()
    taken = [field for field in fields(cls) if field.init and field.name != "name"]
    options = {_option(field): hints[field.name] for field in taken}
    for word, values in spec.parameters.items():
        if (name := word.replace("_", "-")) not in options:
            hint = _instead(word, taken) or _similar(word, options) or _list(options)
            raise DiagnosticException(f"{spec.name} has no option '{word}'{hint}")
        if not _takes(options[name], values):
            said = ",".join(map(str, values)) or "nothing"
            raise DiagnosticException(
                f"{spec.name}: {name} takes {_described(options[name])}, not {said}"
            )
    given = {name.replace("_", "-") for name in spec.parameters}
    for field in taken:
        if field.name in required and _option(field) not in given:
            raise DiagnosticException(f"{spec.name} needs {_option(field)}=…")
    return cls.from_pass_spec(replace(spec, name=cls.name))


def _instead(word: str, options: Iterable[Field[Any]]) -> str:
    """The option that names a file, where an unknown one is a key of such files."""
    holders = [_option(field) for field in options if is_key(word, field)]
    return "".join(f"; it is a key of the file that {holder}=… names" for holder in holders)


def is_key(word: str, option: Field[Any]) -> bool:
    """Whether an option names a file that may have this key."""
    return word.replace("-", "_") in option.metadata.get("keys", ())


def _list(options: Iterable[str]) -> str:
    return f"; its options are {', '.join(options)}" if options else "; it has none"


def require_pass(name: str, available: Factories) -> None:
    """Raises DiagnosticException where there is no pass of this name."""
    if name not in available:
        listed = available.keys() - aliases().keys()
        hint = _similar(name, listed) or "; opt-tool --help lists passes"
        raise DiagnosticException(f"there is no pass '{name}'{hint}")


def _option(field: Field[Any]) -> str:
    """The name of an option in text; its metadata says it where a field cannot have that name."""
    return field.metadata.get("option", field.name).replace("_", "-")


def _takes(type: Any, values: ParameterListType) -> bool:
    """Whether an option of a type takes a value, by xDSL's rules."""
    if not values:
        return isa(None, type) or isa(values, type)
    return isa(values, type) or (len(values) == 1 and isa(values[0], type))


_WORDS = {bool: "true or false", int: "a number", float: "a number", str: "text"}


def _described(type: Any) -> str:
    """The values that an option of a type takes, in words."""
    if get_origin(type) is tuple:
        return f"{_described(get_args(type)[0])}, once or more"
    parts = [part for part in get_args(type) if part not in (NoneType, ...)] or [type]
    words = (_described(part) if get_args(part) else _WORDS.get(part, str(part)) for part in parts)
    return " or ".join(dict.fromkeys(words))


def _similar(name: str, known: Iterable[str]) -> str:
    near = nearest(name.replace("_", "-"), known)
    return f"; did you mean {' or '.join(near)}?" if near else ""


def _listed(pipeline: object) -> Sequence[Pipeline]:
    if not isinstance(pipeline, Sequence):
        said = f"a pipeline is text, a pass object or a list of these, not {shown(pipeline)}"
        if isinstance(pipeline, type):
            said += f"; make an object of it, {pipeline.__name__}(…)"
        raise DiagnosticException(said)
    return cast(Sequence[Pipeline], pipeline)


def run_passes(module: ModuleOp, pipeline: Pipeline, ctx: Context | None = None) -> None:
    """Runs the passes in order and verifies the module after each. It is changed in place."""
    ctx = context() if ctx is None else ctx
    verify(module)
    for item in parse_pipeline(pipeline):
        apply_pass(item, ctx, module, lambda: verify(module))
