"""How every tool ends on wrong input: one line that says what is wrong, and exit status 1."""

from __future__ import annotations

import os
import re
import sys
from collections.abc import Generator
from contextlib import contextmanager

from xdsl.utils.exceptions import DiagnosticException, ParseError

REPORTED = (
    DiagnosticException,
    ParseError,
    OSError,
    UnicodeDecodeError,
    RecursionError,
    MemoryError,
)
"""What wrong input can raise; anything else is a mistake of ours and keeps its traceback."""

_MARKED_OPERATION = re.compile(r'"([^"\n]+)" ?\([^\n]*\n *\^[\^-]')
"""The operation that xDSL's verifier underlines in the module it attaches to an error."""


@contextmanager
def one_line_errors(source: str, debug: bool = False) -> Generator[None]:
    """
    Turns an error that wrong input raises into one line on stderr and exit status 1.

    `source` is the file that is wrong where the error does not say one; `debug` lets the traceback
    pass.
    """
    try:
        yield
    except BrokenPipeError:
        # The reader of our output has seen enough; nothing is left to say, nor to flush.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        raise SystemExit(1) from None
    except REPORTED as error:
        if debug:
            raise
        print(describe(error, source), file=sys.stderr)
        raise SystemExit(1) from None


def describe(error: BaseException, source: str) -> str:
    """The one line that an error is: `file:line:column: error: what`, or `file: error: what`."""
    match error:
        case ParseError():
            return f"{error.span.get_location()}: error: {_one_line(error.msg)}"
        case OSError(filename=str() as file, strerror=str() as what):
            return f"{file}: error: {what}"
        case RecursionError():
            what = "operations or types are nested too deeply; flatten them"
        case MemoryError():
            what = "does not fit into memory; use a smaller model or set --max-bytes"
        case UnicodeDecodeError():
            what = f"byte {error.start} is not UTF-8; is this a text file?"
        case _:
            what = what_is_wrong(error)
            if ": error: " in what:  # it says the file itself
                return what
    return f"{source}: error: {what}"


def what_is_wrong(error: BaseException) -> str:
    """The message in one line, headed by the operation where only xDSL's verifier knows it."""
    message = _one_line(str(error)) or type(error).__name__
    for note in getattr(error, "__notes__", ()):
        if (marked := _MARKED_OPERATION.search(note)) is not None and marked[1] not in message:
            return f"{marked[1]}: {message}"
    return message


def _one_line(message: str) -> str:
    return " ".join(message.split())
