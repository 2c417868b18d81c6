"""Modules as text: parsing that survives hostile input, and errors that are one line."""

from __future__ import annotations

import math
import re
from bisect import bisect_right
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from functools import cached_property, lru_cache
from typing import Any

from xdsl.context import Context
from xdsl.dialects.builtin import (
    UNKNOWN_LOC,
    ArrayAttr,
    DenseResourceAttr,
    DictionaryAttr,
    FileLineColLoc,
    FixedBitwidthType,
    IntAttr,
    ModuleOp,
    StringAttr,
    UnregisteredOp,
)
from xdsl.ir import Attribute, Operation, ParametrizedAttribute, SSAValue, TypeAttribute
from xdsl.irdl import IRDLOperation
from xdsl.parser import Parser
from xdsl.utils.exceptions import DiagnosticException, ParseError, VerifyException
from xdsl.utils.lexer import Input, Span
from xdsl.utils.mlir_lexer import MLIRLexer

from ..dialects import DIALECTS
from ..dialects.blob import refuse_elided
from ..dialects.inferred import label
from ..dialects.properties import MANY
from ..dialects.verification import RAW_ERRORS, explained, one_line
from ..dialects.verification import verify as verify_module
from ..passes.errors import DiagnosticError
from .ir_version import current_version, name_now, too_new, upgrade, version_in

SPLAT_LIMIT = 1 << 20
"""Elements up to which a builtin `dense` splat may be expanded, as xDSL does with all of them."""

WIDEST_INTEGER = (1 << 24) - 1
"""Bits of an integer type, as in MLIR. xDSL computes with the bounds of a type, numbers of as many bits."""

STRING_LITERAL = re.compile(r'"(?:[^"\\\n\v\f]++|\\(?:["nt\\]|[0-9A-Fa-f]{2}))*+"')
"""
xDSL's expression with possessive quantifiers: its own takes time exponential in the length of a
string that is never closed. test/unit/interop/test_mlir.py tells when this can go.
"""

setattr(MLIRLexer, "_unescaped_characters_regex", STRING_LITERAL)  # noqa: B010

FOREIGN = (
    "; is it misspelled? Other packages' dialects are known where their entry point in xdsl.universe is installed, and "
    "opt-tool --allow-unregistered-dialect lets any pass"
)
"""What errors add about a name that no registered dialect has."""


NO_CUSTOM_FORM = f"Operation {UnregisteredOp.name} does not have a custom format."
"""What xDSL says of any operation that is not registered, in a form that is not generic."""

END_OF_FILE = "nd of file"
"""What xDSL says where a text ends within a string or a symbol, of the place where that begins."""

UNDEFINED = "values used but not defined"
"""How xDSL begins to say, at the end of a text, which values nothing defines."""

BYTECODE = b"ML\xefR"
"""How files of MLIR begin that are no text."""

PLAIN_SHAPED = re.compile(r"(?:tensor|memref)<(?:[0-9]+x|\?x)*+[a-z]\w{0,7}>", re.ASCII)
"""A tensor or memref of sizes and a builtin element type, of no more than `WIDEST_INTEGER` bits."""


@lru_cache(MANY)
def _plain_shaped(text: str) -> TypeAttribute | None:
    """The type that a text spells; nothing where there is something wrong with it."""
    try:
        return Parser(Context(), text).parse_type()
    except ParseError:
        return None


Resource = str | bool
"""An external resource of a file, such as the pipeline of a reproducer."""


class SourceError(DiagnosticError):
    """An error that is a whole line: `file: error: what`, or `file:line:column: error: what`."""


ALIAS_LIMIT = 10_000
"""Attributes that one alias may stand for, those in others counted: forty lines of `!b = tuple<!a, !a>`
would be a million millions."""


COUNTS = re.compile(r"(?:_\d+)+$")
"""
What MLIR's printers append to a name to tell values apart, `%a_1_0` for the second `%a_1`. xDSL takes off one
number only, and then its own printer gives two values one name. test/unit/interop/test_mlir.py tells when this
can go.
"""


class _Parser(Parser):
    """
    xDSL's parser, safe from hostile text. Operations get the places where their names stand, as MLIR's parser has it,
    if the text gives them no location.
    """

    def __init__(self, ctx: Context, text: str, name: str):
        super().__init__(ctx, text, name)
        self._names: list[int] = []
        self._operation = ""
        self._file = StringAttr(name)
        self.resources: dict[str, Mapping[str, Resource]] = {}

    @cached_property
    def _lines(self) -> list[int]:
        """Where each line begins."""
        text = self.lexer.input.content
        return [0, *(found.end() for found in re.finditer("\n", text))]

    def _parse_op_result_list(self) -> list[tuple[Span, int]]:
        results = super()._parse_op_result_list()
        self._names.append(self._current_token.span.start)
        return results

    def parse_operation(self) -> Operation:
        op = super().parse_operation()
        start = self._names.pop()
        if op.location is UNKNOWN_LOC:
            line = bisect_right(self._lines, start)
            column = start - self._lines[line - 1] + 1
            op.location = FileLineColLoc(self._file, IntAttr(line), IntAttr(column))
        return op

    def _parse_external_resources(self) -> None:
        def entry() -> None:
            name = self.parse_identifier()
            self.parse_punctuation(":")
            self.resources[name] = dict(
                self.parse_comma_separated_list(
                    self.Delimiter.BRACES, self._parse_external_resource
                )
            )

        self.parse_comma_separated_list(self.Delimiter.BRACES, entry)

    def _parse_external_resource(self) -> tuple[str, Resource]:
        key = self.parse_identifier()
        self.parse_punctuation(":")
        value = self.parse_optional_str_literal()
        return key, self.parse_boolean() if value is None else value

    def _get_op_by_name(self, name: str) -> type[Operation]:
        self._operation = name
        return super()._get_op_by_name(name_now(name))

    def without_custom_form(self) -> str:
        """What is said of an operation of no registered dialect in a form that only its dialect reads."""
        return (
            f"{self._operation} is of no registered dialect, so that only its generic form is read; "
            "mlir-opt --mlir-print-op-generic writes it"
        )

    def _register_ssa_definition(self, name: str, values: Sequence[SSAValue], span: Span) -> None:
        super()._register_ssa_definition(name, values, span)
        for value in values:
            if value.name_hint is not None:
                value.name_hint = COUNTS.sub("", value.name_hint) or None

    def _parse_alias_def(self) -> None:
        start = self.pos
        super()._parse_alias_def()
        name, value = next(reversed(self.attribute_aliases.items()))
        if _weight(value, {}) > ALIAS_LIMIT:
            self.raise_error(
                f"alias '{name}' stands for more than {ALIAS_LIMIT} attributes; use fewer aliases "
                "of aliases",
                start,
            )

    def _parse_optional_integer_or_float_type(self) -> TypeAttribute | None:
        start = self.pos
        type = super()._parse_optional_integer_or_float_type()
        bits = type.bitwidth if isinstance(type, FixedBitwidthType) else 0
        if bits > WIDEST_INTEGER:
            self.raise_error(
                f"an integer of more than {WIDEST_INTEGER} bits; use a narrower type", start
            )
        return type

    def _parse_optional_builtin_type(self) -> TypeAttribute | None:
        text, start = self.lexer.input.content, self.pos
        if not (found := PLAIN_SHAPED.match(text, start)) or not (type := _plain_shaped(found[0])):
            return super()._parse_optional_builtin_type()
        self._resume_from(found.end())
        return type

    def _parse_builtin_dense_resource_attr(self) -> DenseResourceAttr:
        refuse_elided(self)
        return super()._parse_builtin_dense_resource_attr()

    def _parse_dense_literal_type(self) -> Any:
        type = super()._parse_dense_literal_type()
        count = math.prod(type.get_shape())
        # Elements that are written out take at least a character each; more can only be a splat.
        if count > max(SPLAT_LIMIT, self.pos):
            self.raise_error(
                f"a splat of {count} elements would be expanded here; write an nn.constant, "
                "which keeps it as one value"
            )
        return type


def _weight(attribute: Attribute, known: dict[int, int]) -> int:
    """The number of attributes that this one prints with it; one that occurs twice is visited once."""
    if id(attribute) not in known:
        match attribute:
            case ParametrizedAttribute():
                parts: Iterable[Attribute] = attribute.parameters
            case ArrayAttr():
                parts = attribute.data
            case DictionaryAttr():
                parts = attribute.data.values()
            case _:
                parts = ()
        known[id(attribute)] = 1 + sum(_weight(part, known) for part in parts)
    return known[id(attribute)]


def parse_module(
    text: str | bytes,
    name: str,
    ctx: Context,
    allow_implicit_module: bool = True,
    resources: dict[str, Mapping[str, Resource]] | None = None,
) -> ModuleOp:
    """
    The module that `text` spells, of the IR's current version; `name` is its file, beside which weights are looked for.
    `resources` is given the external resources of the file.

    Raises ParseError, and nothing else, for whatever is wrong with the text.
    """
    if isinstance(text, bytes):
        text = _decode(text, name)
    parser = None
    try:
        parser = _Parser(ctx, text, name)
        module = parser.parse_module(allow_implicit_module)
        upgrade(module)
        if resources is not None:
            resources.update(parser.resources)
        return module
    except ParseError as error:
        if not text.strip():
            error.msg = "the file is empty; a model has a function"
        elif parser is not None and error.msg.startswith(UNDEFINED):
            _blame_undefined(error, text, next(iter(parser.forward_ssa_references)))
        elif _is_at_the_end(error, text):
            said = error.msg.strip().rstrip(".!")
            error.msg = f"the text ends too early ({said}); is the file whole?"
        if parser is not None and error.msg == NO_CUSTOM_FORM:
            error.msg = parser.without_custom_form()
        if error.msg.endswith("is not registered"):
            version = version_in(text)
            error.msg += f"; {too_new(version)}" if version > current_version() else FOREIGN
        raise
    except RecursionError:
        what = "operations, attributes or types are nested too deeply here; flatten them"
    except RAW_ERRORS as error:
        what = str(error) if isinstance(error, DiagnosticException) else explained(error)
        raise ParseError(_at(text, name, parser), what) from error
    raise ParseError(_at(text, name, parser), what)


def _is_at_the_end(error: ParseError, text: str) -> bool:
    """Whether what is wrong is missing at the end of a text, or its last word, of which a part may be missing."""
    span = error.span
    if span.start >= len(text.rstrip()) or END_OF_FILE in error.msg:
        return True
    return span.end == len(text) and text[span.start : span.end].isprintable()


def _blame_undefined(error: ParseError, text: str, name: str) -> None:
    """Says where a value of this name, which nothing defines, is used first."""
    use = re.compile(rf"//.*|(%{re.escape(name)})(?![\w$.-])")
    places = (found.span(1) for found in use.finditer(text) if found[1])
    error.span = replace(error.span, **dict(zip(("start", "end"), next(places), strict=True)))
    error.msg = f"%{name} is used and nowhere defined; is it misspelled?"


def verify(module: ModuleOp) -> None:
    """
    Verifies a module that was just read. Raises VerifyException, and nothing else, with one line, for anything that is
    wrong with it.
    """
    verify_module(module)
    for op in module.walk():
        _verify_attribute_names(op)


def _verify_attribute_names(op: Operation) -> None:
    """
    Attributes of others carry a prefix, `nn.name`; one that has none is the operation's own, or a
    misspelled one that would go unheeded.
    """
    if op.dialect_name() not in DIALECTS or not isinstance(op, IRDLOperation):
        return
    definition = op.get_irdl_definition()
    own = [*definition.properties, *definition.attributes]
    for name in op.attributes:
        if "." not in name and name not in own:
            known = f"its attributes are {', '.join(own)}" if own else "it has none"
            raise VerifyException(f"{label(op)}: unknown attribute '{name}'; {known}")


def _decode(data: bytes, name: str) -> str:
    try:
        return data.decode()
    except UnicodeDecodeError as error:
        if data.startswith(BYTECODE):
            what = "MLIR's bytecode; mlir-opt without --emit-bytecode writes text"
            raise ParseError(Span(0, 0, Input(data, name)), what) from None
        span = Span(error.start, error.end, Input(data, name))
        raise ParseError(
            span, "not UTF-8; an .mlir file is text, and so is standard input"
        ) from None


def _at(text: str, name: str, parser: Parser | None) -> Span[str]:
    position = 0 if parser is None else parser.pos
    return Span(position, position, Input(text, name))


def parse_error_line(error: ParseError) -> str:
    """`file:line:column: error: what`."""
    return f"{error.span.get_location()}: error: {one_line(error.msg)}"
