"""How every tool ends on wrong input: one line that says what is wrong, and exit status 1."""

from __future__ import annotations

import errno
import io
import os
import re
import sys
import warnings
from collections.abc import Callable, Generator
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from typing import Literal

from xdsl.ir import Operation
from xdsl.utils.exceptions import DiagnosticException, MultipleSpansParseError, ParseError
from xdsl.utils.lexer import Location, Span

from ..dialects.inferred import friendly_name
from ..dialects.locations import blamed, place_of
from ..dialects.origins import origins_of
from ..dialects.verification import one_line, what_is_wrong
from ..interop.mlir import SourceError, parse_module
from . import BROKEN_PIPE, INTERRUPTED

Severity = Literal["error", "warning", "note", "remark"]

REPORT_IT = "please report it with the file"
"""How what is said of a mistake of ours ends."""

_LINE = re.compile(r"(?P<file>.*?)(?::(?P<line>\d+):(?P<column>\d+))?: error: (?P<what>.*)")
"""What a SourceError says."""


@dataclass(frozen=True)
class Diagnostic:
    """What is said about a source: how bad it is, where it is, if that is known, and what."""

    severity: Severity
    source: str
    place: Location | None
    message: str

    def __str__(self) -> str:
        return f"{self.place or self.source}: {self.severity}: {self.message}"


@contextmanager
def one_line_errors(source: str, debug: bool = False) -> Generator[None]:
    """
    Turns an error that wrong input raises into one line on stderr and exit status 1.

    `source` is the file that is wrong where the error does not say one; `debug` lets the traceback
    pass. A warning is one line, too.
    """
    try:
        with warnings_to(lambda message: print(f"{source}: warning: {message}", file=sys.stderr)):
            yield
            sys.stdout.flush()
    except BrokenPipeError:  # the reader of our output has seen enough
        forget_output()
        raise SystemExit(BROKEN_PIPE) from None
    except KeyboardInterrupt:
        raise SystemExit(INTERRUPTED) from None
    except Exception as error:
        if debug:
            raise
        print(describe(error, source), file=sys.stderr)
        if isinstance(error, OSError) and error.errno == errno.ENOSPC:
            forget_output()
        raise SystemExit(1) from None


def forget_output() -> None:
    """Lets what standard output could not take go nowhere, so that the end of the process does not say so again."""
    with suppress(io.UnsupportedOperation):  # what has no descriptor is no file
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())


@contextmanager
def warnings_to(show: Callable[[str], None]) -> Generator[None]:
    """Gives the text of each warning to a function."""

    def shown(message: Warning | str, *_: object) -> None:
        show(str(message))

    before, warnings.showwarning = warnings.showwarning, shown
    try:
        yield
    finally:
        warnings.showwarning = before


def describe(error: BaseException, source: str) -> str:
    """The one line that an error is: `file:line:column: error: what`, or `file: error: what`."""
    first, *notes = diagnostics_of(error, source)
    return one_line("; ".join([str(first), *(f"{note.message} {note.place}" for note in notes)]))


def diagnostics_of(
    error: BaseException, source: str, text: Callable[[], bytes] | None = None
) -> list[Diagnostic]:
    """
    What an error says, and its notes. `text` gives what was read where that is not a file: the place of an operation
    that a pass made is that of the one which had its friendly name.
    """

    def diagnostic(place: Location | None, what: str) -> Diagnostic:
        return Diagnostic("error", source, place, what)

    match error:
        case ParseError():
            found = [diagnostic(error.span.get_location(), one_line(error.msg))]
            if isinstance(error, MultipleSpansParseError):
                found += [_note(source, span, said or error.ref_text) for span, said in error.refs]
            return found
        case SourceError():
            if (said := _LINE.fullmatch(one_line(str(error)))) is None:
                return [diagnostic(None, one_line(str(error)))]
            file, line, column, what = said.groups()
            place = None if line is None else Location(file, int(line), int(column))
            return [Diagnostic("error", file, place, what)]
        case OSError() | ImportError() if _is_of_memory(error):
            return [diagnostic(None, _without_place(MemoryError()))]
        case OSError(filename=str() as file, strerror=str() as what):
            return [Diagnostic("error", file, None, what)]
        case OSError(errno=errno.ENOSPC, strerror=str() as what):  # of standard output
            return [Diagnostic("error", "the output", None, what)]
        case OSError(strerror=str() as what):  # of a stream that has no name
            return [diagnostic(None, what)]
        # The last of xDSL's targets and passes, about operations they do not know.
        case DiagnosticException() | OSError() | NotImplementedError():
            op = blamed(error)
            place = None if op is None else _place_of(op, source, text)
            return [diagnostic(place, what_is_wrong(error))]
        case _:
            return [diagnostic(None, _without_place(error))]


def _is_of_memory(error: BaseException) -> bool:
    """Whether the system had no memory, which it says of a mapping or of a library that is loaded, too."""
    if isinstance(error, OSError) and error.errno == errno.ENOMEM:
        return True
    causes = (error, error.__cause__, error.__context__)
    return any("failed to map segment" in str(cause) for cause in causes)


def _without_place(error: BaseException) -> str:
    """What an error says that comes from no place of a file: a limit of this machine, or a mistake of ours."""
    match error:
        case RecursionError():
            return "operations or types are nested too deeply; flatten them"
        case MemoryError():
            return "does not fit into memory; use a smaller model"
        case UnicodeDecodeError():
            return f"byte {error.start} is not UTF-8; is this a text file?"
        case _:
            return (
                f"a mistake of lowstream's, {type(error).__name__}: {one_line(str(error))}; --debug shows where; "
                f"{REPORT_IT}"
            )


def _note(source: str, span: Span[str] | Span[bytes], what: str | None) -> Diagnostic:
    return Diagnostic("note", source, span.get_location(), one_line(what or "here"))


def about(
    op: Operation, severity: Severity, message: str, source: str, text: Callable[[], bytes]
) -> Diagnostic:
    """What is said of an operation, where it stands."""
    return Diagnostic(severity, source, _place_of(op, source, text), message)


def _place_of(op: Operation, source: str, text: Callable[[], bytes] | None) -> Location | None:
    if (place := place_of(op.location)) is not None:
        return place
    names = [friendly_name(op), *(origin.name for origin in origins_of(op))]
    if text is None and source.endswith(".mlir"):
        text = Path(source).read_bytes
    if text is None or not any(names):
        return None
    try:
        places = _named_places(text(), source)
    except (OSError, ParseError):
        return None
    return next((places[name] for name in names if name in places), None)


@lru_cache(maxsize=1)
def _named_places(text: bytes, source: str) -> dict[str | None, Location | None]:
    """Where a text has the operations of friendly names."""
    from ..dialects import context

    ctx = context()
    ctx.allow_unregistered = True
    return {
        name: place_of(op.location)
        for op in parse_module(text, source, ctx).walk()
        if (name := friendly_name(op)) is not None
    }
