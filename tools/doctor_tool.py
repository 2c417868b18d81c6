"""`lowstream doctor`: shows the machine, instruction set, packages and cache, and how to install what is missing."""

from __future__ import annotations

import argparse
import re
import warnings
from collections.abc import Iterator, Sequence
from importlib.metadata import PackageNotFoundError, distribution, version

from ..passes.needs import install
from .options import Parser
from .table import print_table

DESCRIPTION = """\
Shows what lowstream finds here: its version, the CPU and the instruction set
that models are compiled for, the packages that only some of it needs, and the
cache of what was compiled.
"""

EXAMPLES = """\
examples:
  lowstream doctor
  LOWSTREAM_ISA=avx2 lowstream doctor        with another instruction set
"""

DEVELOPERS = ("dev", "docs")
"""The extras that hold what only tests, checks and pages need."""

MIB = 1 << 20


def arguments(prog: str = "lowstream doctor") -> Parser:
    """The command line."""
    return Parser(prog, DESCRIPTION, EXAMPLES)


def main(args: Sequence[str] | None = None, prog: str = "lowstream doctor") -> None:
    """The command line."""
    arguments(prog).run(args, _doctor)


def _doctor(options: argparse.Namespace) -> None:
    del options
    for title, rows in (("machine", machine()), ("packages", packages()), ("cache", cache())):
        print_table(title, ["", ""], [list(row) for row in rows], texts=2)


def machine() -> Iterator[tuple[str, str]]:
    """The CPU and what models are compiled for. Raises DiagnosticException where LOWSTREAM_ISA names none."""
    import platform

    from ..lowering.machine import available_isas, choose_isa
    from ..runtime.host import host_cpu, usable_cores

    name, _, _ = host_cpu().rpartition(" ")
    yield "CPU", name
    yield "cores", str(usable_cores())
    yield "instruction set", choose_isa().name
    yield "others", ", ".join(isa.name for isa in available_isas() if isa is not choose_isa())
    yield "Python", platform.python_version()


def packages() -> Iterator[tuple[str, str]]:
    """Our version and those of what it is made of; then of each extra its packages, or how to install them."""
    for name in ("lowstream", "xdsl", "llvmlite", "numpy"):
        yield name, version_of(name)
    for package, extras in optional().items():
        have = version_of(package) or f"not installed: {install(package)}"
        yield package, f"{have} (for {', '.join(extras)})"


def optional() -> dict[str, list[str]]:
    """The packages of all extras but the developers', each with those that it belongs to."""
    try:
        listed = distribution("lowstream").requires or []
    except PackageNotFoundError:  # sources that were put on the path
        return {}
    found: dict[str, list[str]] = {}
    for line in listed:
        requirement, _, marker = line.partition(";")
        extra = re.search(r"extra == [\"'](.+?)[\"']", marker)
        if extra and extra[1] not in DEVELOPERS:
            package = re.split(r"[<>=~! \[]", requirement.strip())[0]
            found.setdefault(package, []).append(extra[1])
    return found


def version_of(package: str) -> str:
    """The version of a package, nothing where it is not installed."""
    try:
        return version(package)
    except PackageNotFoundError:
        return ""


def cache() -> Iterator[tuple[str, str]]:
    """Where what was compiled is kept, and how much of it."""
    from ..runtime.cache.cache import ELSEWHERE, cache

    try:
        with warnings.catch_warnings(record=True) as said:
            warnings.simplefilter("always")
            folder = cache.folder
        entries, size = cache.used
    except OSError as error:
        yield "folder", f"{error.filename} cannot be read: {error.strerror}; {ELSEWHERE}"
        return
    if folder is None:
        yield "folder", str(said[0].message) if said else "none: LOWSTREAM_CACHE_DIR is empty"
        return
    yield "folder", str(folder)
    yield "programs", str(entries)
    yield "size", f"{size / MIB:.1f} of {cache.size / MIB:.0f} MiB"


if __name__ == "__main__":
    main()
