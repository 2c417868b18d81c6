"""Errors of users as OpenVINO's users catch them."""

from __future__ import annotations

from collections.abc import Generator
from contextlib import contextmanager

from xdsl.utils.exceptions import DiagnosticException, VerifyException


class DiagnosticError(DiagnosticException, RuntimeError):
    """A DiagnosticException where OpenVINO raises a RuntimeError: `except` finds it under both names."""


class InvalidModuleError(VerifyException, DiagnosticError):
    """The same of a module that does not verify."""


@contextmanager
def as_runtime_error() -> Generator[None]:
    """Makes a DiagnosticException from within a RuntimeError, too; the first is its cause."""
    try:
        yield
    except RuntimeError:
        raise
    except DiagnosticException as error:
        kind = InvalidModuleError if isinstance(error, VerifyException) else DiagnosticError
        raise kind(str(error)) from error
