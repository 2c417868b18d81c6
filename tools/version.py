"""`--version`, the same in every tool."""

from __future__ import annotations

import argparse
from typing import Any


def add_version(parser: argparse.ArgumentParser) -> None:
    """Adds the flag."""
    parser.add_argument("-v", "--version", action=_Version, nargs=0, help="show the version")


class _Version(argparse.Action):
    def __call__(self, parser: argparse.ArgumentParser, *_: Any) -> None:
        ours, xdsl, llvmlite = map(_version_of, ("lowstream", "xdsl", "llvmlite"))
        print(f"lowstream {ours} (xDSL {xdsl}, llvmlite {llvmlite})", flush=True)
        parser.exit()


def _version_of(package: str) -> str:
    from importlib.metadata import PackageNotFoundError, version

    try:
        return version(package)
    except PackageNotFoundError:  # sources that were put on the path
        return "of unknown version"
