"""Errors of users, as OpenVINO's users catch them, and how they quote values."""

from __future__ import annotations

from collections.abc import Generator
from contextlib import contextmanager

from xdsl.utils.exceptions import DiagnosticException, VerifyException


class DiagnosticError(DiagnosticException, RuntimeError):
    """A DiagnosticException for errors that OpenVINO raises as RuntimeError: `except` catches it under both names."""


class InvalidModuleError(VerifyException, DiagnosticError):
    """The same for a module that does not verify."""


class AbsentError(DiagnosticError, AttributeError):
    """The same for an attribute that has no value now: `hasattr` is false, and `inspect.getmembers` leaves it out."""


LONGEST = 80
"""Characters of a value in a message."""


def shown(value: object) -> str:
    """A value as a message quotes it: on one line, and of a long one the beginning."""
    try:
        text = " ".join(repr(value).splitlines())
    except Exception:  # noqa: BLE001 (of any kind: what is to be said is another error)
        # Python writes no decimal number of more than 4300 digits
        text = hex(value) if isinstance(value, int) else object.__repr__(value)
    return shortened(text)


def shortened(text: str) -> str:
    """Text, and of a long one the beginning."""
    return text if len(text) <= LONGEST else f"{text[:LONGEST]}… ({len(text)} characters)"


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


@contextmanager
def where(place: str) -> Generator[None]:
    """Inside, a DiagnosticException says where it was raised: which input, which step."""
    try:
        yield
    except DiagnosticException as error:
        raise DiagnosticError(f"{place}: {error}") from error
