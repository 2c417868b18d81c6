"""How every tool ends on wrong input: one line that says what is wrong, and exit status 1."""

from __future__ import annotations

import os
import sys
import warnings
from collections.abc import Generator
from contextlib import contextmanager

from xdsl.utils.exceptions import DiagnosticException, ParseError

from ..dialects.verification import one_line, what_is_wrong
from ..interop.mlir import SourceError, parse_error_line
from . import INTERRUPTED


@contextmanager
def one_line_errors(source: str, debug: bool = False) -> Generator[None]:
    """
    Turns an error that wrong input raises into one line on stderr and exit status 1.

    `source` is the file that is wrong where the error does not say one; `debug` lets the traceback
    pass. A warning is one line, too.
    """
    try:
        with _one_line_warnings(source):
            yield
    except BrokenPipeError:
        # The reader of our output has seen enough; nothing is left to say, nor to flush.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        raise SystemExit(1) from None
    except KeyboardInterrupt:
        raise SystemExit(INTERRUPTED) from None
    except Exception as error:
        if debug:
            raise
        print(describe(error, source), file=sys.stderr)
        raise SystemExit(1) from None


@contextmanager
def _one_line_warnings(source: str) -> Generator[None]:
    def show(message: Warning | str, *_: object) -> None:
        print(f"{source}: warning: {message}", file=sys.stderr)

    before, warnings.showwarning = warnings.showwarning, show
    try:
        yield
    finally:
        warnings.showwarning = before


def describe(error: BaseException, source: str) -> str:
    """The one line that an error is: `file:line:column: error: what`, or `file: error: what`."""
    match error:
        case ParseError():
            return parse_error_line(error)
        case SourceError():
            return one_line(str(error))
        case OSError(filename=str() as file, strerror=str() as what):
            return f"{file}: error: {what}"
        case OSError(strerror=str() as what):  # of a stream that has no name: standard output
            pass
        case RecursionError():
            what = "operations or types are nested too deeply; flatten them"
        case MemoryError():
            what = "does not fit into memory; use a smaller model"
        case UnicodeDecodeError():
            what = f"byte {error.start} is not UTF-8; is this a text file?"
        # The last of xDSL's targets and passes, about operations they do not know.
        case DiagnosticException() | OSError() | NotImplementedError():
            what = what_is_wrong(error)
        case _:
            what = (
                f"a mistake of lowstream's, {type(error).__name__}: {one_line(str(error))}; --debug shows where; "
                "please report it with the file"
            )
    return f"{source}: error: {what}"
