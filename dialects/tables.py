"""Tables that modules fill when they are imported, as rules, meanings and emitters register themselves."""

from __future__ import annotations

from importlib import import_module
from pkgutil import iter_modules


def import_modules(package: str) -> None:
    """Imports every module of a package, for what it registers."""
    for module in iter_modules(import_module(package).__path__):
        import_module(f"{package}.{module.name}")
