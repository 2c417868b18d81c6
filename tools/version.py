"""`--version`, the same in every tool."""

from __future__ import annotations

import argparse
from typing import Any


class VersionLine(str):
    """What a tool prints for `--version`: filled in, as xDSL's driver does with its own, only when it is asked for."""

    def format(self, *_: object, **__: object) -> str:
        ours, xdsl, llvmlite = map(_version_of, ("lowstream", "xdsl", "llvmlite"))
        return f"{self}: lowstream {ours} (xDSL {xdsl}, llvmlite {llvmlite})"


def add_version(parser: argparse.ArgumentParser) -> None:
    """Adds the flag."""
    parser.add_argument("-v", "--version", action=_Version, nargs=0, help="show the version")


class _Version(argparse.Action):
    def __call__(self, parser: argparse.ArgumentParser, *_: Any) -> None:
        print(VersionLine(parser.prog).format())
        parser.exit()


def _version_of(package: str) -> str:
    from importlib.metadata import PackageNotFoundError, version

    try:
        return version(package)
    except PackageNotFoundError:  # sources that were put on the path
        return "of unknown version"
