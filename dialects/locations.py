"""Where an operation stands in the source of its module, and which operation an error is about."""

from __future__ import annotations

from collections.abc import Iterator
from traceback import walk_tb
from typing import TypeVar

from xdsl.dialects.builtin import (
    UNKNOWN_LOC,
    ArrayAttr,
    CallSiteLoc,
    FileLineColLoc,
    FusedLoc,
    NameLoc,
)
from xdsl.ir import Attribute, Operation
from xdsl.pattern_rewriter import PatternRewriter
from xdsl.utils.lexer import Location

from .inferred import label

ErrorT = TypeVar("ErrorT", bound=Exception)

_BLAMED = "_operation"
"""The attribute of an exception that holds the operation that it is about."""


def place_of(location: Attribute | None) -> Location | None:
    """
    The file, line and column of a location: of several locations the first, of a call site the callee, as in MLIR.
    """
    match location:
        case FileLineColLoc():
            line, column = location.line.data, location.column.data
            return Location(location.filename.data, line, column)
        case NameLoc():
            return place_of(location.location)
        case CallSiteLoc():
            return place_of(location.callee) or place_of(location.caller)
        case FusedLoc(locations=ArrayAttr() as several):
            places = map(place_of, several)
            return next((place for place in places if place is not None), None)
        case _:
            return None


def inherit(op: Operation, source: Operation | None) -> None:
    """Gives an operation that a rewrite creates the location of the original, if it has none of its own."""
    if source is not None and op.location is UNKNOWN_LOC:
        op.location = source.location


def rewriter_of(op: Operation) -> PatternRewriter:
    """A rewriter of an operation, whose location inserted operations inherit."""
    rewriter = PatternRewriter(op)
    rewriter.operation_insertion_handler.append(lambda new: inherit(new, op))
    return rewriter


def blamed_on(error: ErrorT, op: Operation | None) -> ErrorT:
    """The error, with a note of the operation that it is about."""
    setattr(error, _BLAMED, op)
    return error


def blamed(error: BaseException | None) -> Operation | None:
    """
    The operation that an error is about: the noted one, or one that a local variable held where the error was raised
    and that the message names by its `label`. None where there is none.
    """
    while error is not None:
        if isinstance(noted := getattr(error, _BLAMED, None), Operation):
            return noted
        message = str(error)
        for op in _looked_at(error):
            if f"{label(op)}:" in message:
                return op
        error = error.__cause__ or error.__context__
    return None


def _looked_at(error: BaseException) -> Iterator[Operation]:
    """The operations in local variables where an error was raised, those of the innermost calls first."""
    for frame, _ in reversed(list(walk_tb(error.__traceback__))):
        for value in frame.f_locals.values():
            if isinstance(value, Operation):
                yield value
