"""Errors of users, as OpenVINO's users catch them."""

from __future__ import annotations

from collections.abc import Generator
from contextlib import contextmanager

from xdsl.utils.exceptions import DiagnosticException, VerifyException


class DiagnosticError(DiagnosticException, RuntimeError):
    """A DiagnosticException for errors that OpenVINO raises as RuntimeError: `except` catches it under both names."""


class InvalidModuleError(VerifyException, DiagnosticError):
    """The same for a module that does not verify."""


@contextmanager
def as_runtime_error() -> Generator[None]:
    """Inside, a DiagnosticException becomes a RuntimeError as well; the original one is its cause."""
    try:
        yield
    except RuntimeError:
        raise
    except DiagnosticException as error:
        kind = InvalidModuleError if isinstance(error, VerifyException) else DiagnosticError
        raise kind(str(error)) from error
