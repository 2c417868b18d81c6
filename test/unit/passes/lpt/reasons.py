"""Every reason that `lpt` can give, from its source, as a pattern: what it fills in may be anything."""

import ast
import re
from collections.abc import Iterator
from pathlib import Path

from lowstream.passes import lpt

FOLDER = Path(lpt.__file__).parent
NO_REASONS = ("config.py", "config_file.py", "names.py", "attributes.py")
"""Files whose texts are errors and names."""


def reasons() -> dict[str, str]:
    """Patterns, and the functions that give them, `file:function`."""
    found: dict[str, str] = {}
    for path in sorted(FOLDER.rglob("*.py")):
        if path.name in NO_REASONS:
            continue
        for text, function in reasons_of(path).items():
            found.setdefault(text, f"{path.relative_to(FOLDER)}:{function}")
    return found


def reasons_of(path: Path) -> dict[str, str]:
    """The patterns of one file, and the functions that give them."""
    found: dict[str, str] = {}
    module = ast.parse(path.read_text())
    named = {
        target.id: node.value
        for node in module.body
        if isinstance(node, ast.Assign)
        for target in node.targets
        if isinstance(target, ast.Name)
    }
    for function in ast.walk(module):
        if isinstance(function, ast.FunctionDef):
            for text in _returned(function, named):
                found.setdefault(text, function.name)
    return found


def _returned(function: ast.FunctionDef, named: dict[str, ast.expr]) -> Iterator[str]:
    for node in ast.walk(function):
        if isinstance(node, ast.Return) and node.value is not None:
            for value in _choices(node.value):
                known = named.get(value.id, value) if isinstance(value, ast.Name) else value
                pattern = _pattern(known)
                if " " in pattern:
                    yield pattern


def _choices(value: ast.expr) -> Iterator[ast.expr]:
    if isinstance(value, ast.IfExp):
        yield from (*_choices(value.body), *_choices(value.orelse))
    else:
        yield value


def _pattern(value: ast.expr) -> str:
    match value:
        case ast.Constant(value=str(text)):
            return re.escape(text).replace(r"\ ", " ")
        case ast.JoinedStr():
            return "".join(map(_pattern, value.values))
        case ast.FormattedValue():
            return ".*"
        case _:
            return ""
