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
"""The attribute of an exception that holds the operation it is about."""


def place_of(location: Attribute | None) -> Location | None:
    """The file, line and column in a location: of several the first, of a call what is called, as in MLIR."""
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
    """An operation that a rewrite makes stands where the one that it is made of does, if it has no place of its own."""
    if source is not None and op.location is UNKNOWN_LOC:
        op.location = source.location


def rewriter_of(op: Operation) -> PatternRewriter:
    """A rewriter of an operation, whose place those that it inserts inherit."""
    rewriter = PatternRewriter(op)
    rewriter.operation_insertion_handler.append(lambda new: inherit(new, op))
    return rewriter


def blamed_on(error: ErrorT, op: Operation | None) -> ErrorT:
    """The error, which notes the operation that it is about."""
    setattr(error, _BLAMED, op)
    return error


def blamed(error: BaseException | None) -> Operation | None:
    """
    The operation that an error is about: noted, or one that the code which raised it was looking at and calls by its
    `label`. None where there is no such operation.
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
    """The operations that local variables held where an error was raised, the innermost calls' first."""
    for frame, _ in reversed(list(walk_tb(error.__traceback__))):
        for value in frame.f_locals.values():
            if isinstance(value, Operation):
                yield value
