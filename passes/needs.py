"""What helps where a package is missing that only some of lowstream needs."""

from __future__ import annotations

import re
import shlex


def needs(what: str, package: str) -> str:
    """
    Says that something needs a package, and the command that installs it: the package itself, in a version that
    lowstream's own metadata names, so that it works wherever lowstream was installed from.
    """
    return f"{what} needs the {package} package: {install(package)}"


def install(package: str) -> str:
    """The command that installs a package in a version that lowstream's own metadata names."""
    return f"pip install {shlex.quote(_requirement(package))}"


def _requirement(package: str) -> str:
    from importlib.metadata import PackageNotFoundError, requires

    try:
        listed = requires("lowstream") or []
    except PackageNotFoundError:  # sources that were put on the path
        listed = []
    for line in listed:
        requirement = line.partition(";")[0].strip()
        if re.match(re.escape(package) + r"\W", requirement):
            return requirement
    return package
