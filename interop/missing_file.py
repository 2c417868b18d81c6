"""What is said of a path where there is no file."""

from __future__ import annotations

import os
import re
from pathlib import Path

from ..passes.errors import DiagnosticError, shortened, shown
from .formats import READERS
from .mlir import SourceError

SIMILAR = 0.8
"""How much of two names is the same if one may be meant by the other; their endings are."""

LONGEST_NAME = 255
"""Characters of a file's name on Linux's file systems (NAME_MAX)."""


class MissingFileError(SourceError, FileNotFoundError):
    """A path leads nowhere; the line says what is there."""

    def __init__(self, path: Path):
        shown_path = str(path) if len(path.name) <= LONGEST_NAME else shortened(str(path))
        super().__init__(f"{shown_path}: error: No such file or directory; {_advice(path)}")


def require_path(path: Path) -> None:
    """
    Raises MissingFileError where a path leads nowhere, and DiagnosticException where it is text of a model, which may
    be longer than any path.
    """
    if "\n" in str(path):
        raise DiagnosticError(
            f"{shown(str(path))} is no path; write the text into a file, or parse it (xdsl.parser.Parser) and give the "
            "module"
        )
    if not os.path.exists(path):  # Path's raises OSError where a name is too long
        raise MissingFileError(path)


def _begins(name: str, path: Path) -> bool:
    """Whether a file is the one that was meant, without its ending or a part of it."""
    return name.startswith(f"{path.stem if path.suffix in READERS else path.name}.")


def _advice(path: Path) -> str:
    from difflib import get_close_matches  # few paths are wrong

    if re.match(r"\w+:/", str(path)):
        return "download the file, and give its path"
    if str(path).startswith("~") and (expanded := os.path.expanduser(path)) != str(path):
        return f"~ is for shells; give {expanded}"
    if os.path.islink(path):
        return f"it is a link to {os.readlink(path)}, where there is no file"
    folder = path.parent
    try:
        names = [each.name for each in folder.iterdir()]
    except (OSError, ValueError):  # with a null character, it is no path
        return f"there is no folder {folder.absolute()} that can be listed"
    near = get_close_matches(path.name, names, 1, SIMILAR)
    near += [name for name in sorted(names) if Path(name).suffix in READERS and _begins(name, path)]
    if near:
        return f"did you mean {path.with_name(near[0])}?"
    return f"nothing of a name like that is in {folder.absolute()}"
