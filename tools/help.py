"""The help of a tool, which arrives or fails: argparse says nothing of a write that failed."""

from __future__ import annotations

import argparse
import sys
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from _typeshed import SupportsWrite


def print_help(parser: argparse.ArgumentParser, file: SupportsWrite[str] | None = None) -> None:
    """Prints a parser's help, on standard output if no file is given. Raises OSError where that is full or closed."""
    print(parser.format_help(), end="", file=file)
    sys.stdout.flush()
