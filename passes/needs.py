"""Errors about optional packages that are missing, with the command that installs them."""

from __future__ import annotations

import re
import shlex


def needs(what: str, *packages: str) -> str:
    """
    Says that something needs packages, and the command that installs them. It names the packages in the versions of
    lowstream's own metadata, so that it works wherever lowstream was installed from.
    """
    listed = f"{packages[0]} package" if len(packages) == 1 else f"packages {', '.join(packages)}"
    return f"{what} needs the {listed}: {install(*packages)}"


def install(*packages: str) -> str:
    """The command that installs packages in the versions of lowstream's own metadata."""
    return f"pip install {shlex.join(map(_requirement, packages))}"


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
