"""Whether a module is valid: what is wrong with it is one line that names the operation."""

from __future__ import annotations

import re
import struct
from collections.abc import Generator, Hashable
from contextlib import contextmanager
from typing import Any, cast

from xdsl.dialects.builtin import IntegerAttr, MemRefType, ModuleOp, TensorType
from xdsl.ir import Operation
from xdsl.utils.exceptions import (
    AlreadyRegisteredConstructException,
    BuilderNotFoundException,
    DiagnosticException,
    InvalidIRException,
    PyRDLError,
    UnregisteredConstructException,
    VerifyException,
)

from .accessors import operands_of
from .inferred import check_bytes, label
from .locations import blamed_on
from .walk import all_operations

RAW_ERRORS = (
    AlreadyRegisteredConstructException,
    ArithmeticError,
    AssertionError,
    AttributeError,
    BuilderNotFoundException,
    DiagnosticException,
    InvalidIRException,
    LookupError,
    NotImplementedError,
    PyRDLError,
    TypeError,
    UnregisteredConstructException,
    ValueError,
    struct.error,
)
"""The errors that xDSL's parser and verifiers raise on wrong input, beside ParseError."""

SCALAR_DIALECTS = ("arith.", "math.")
"""The dialects of operations in kernels' bodies."""

VERIFIED_ALONE = (*SCALAR_DIALECTS, "kernel.yield", "kernel.buffer", "kernel.view")
"""How the names begin of operations whose verifiers look at types, properties and attributes alone."""

_MARKED_OPERATION = re.compile(r'"([^"\n]+)" ?\([^\n]*\n *\^[\^-]')
"""The operation that xDSL's verifier underlines in the module it attaches to an error."""


def verify(module: ModuleOp) -> None:
    """
    Verifies a module.

    Raises VerifyException, and nothing else, in one line, for whatever is wrong with it: some of xDSL's
    verifiers stumble over what they should report.
    """
    with _explaining(module):
        module.verify()
    for op in all_operations(module):
        check_size(op)
        _verify_predicate(op)
        _verify_order(op)


def verify_program(module: ModuleOp) -> None:
    """
    The same of what lowering made of a valid module. Most of it is scalar operations in the bodies of kernels and
    places in memory (`VERIFIED_ALONE`): of those that are alike, one is verified.
    """
    different = dict[Hashable, Operation]()
    others = list[Operation]()
    for op in all_operations(module):
        if op.name.startswith(VERIFIED_ALONE):
            different.setdefault(_looks(op), op)
        else:
            others.append(op)
    with _explaining(module):
        for op in (*different.values(), *others):
            op.verify(verify_nested_ops=False)
    for op in (*different.values(), *others):
        check_size(op)
        _verify_predicate(op)
        _verify_order(op)


def _looks(op: Operation) -> Hashable:
    """Everything that the verifier of an operation looks at that is verified alone."""
    types = (*op.operand_types, None, *op.result_types)
    return type(op), types, *op.properties.items(), *op.attributes.items()


@contextmanager
def _explaining(module: ModuleOp) -> Generator[None]:
    """Turns the errors of verifiers into a VerifyException of one line."""
    try:
        yield
    except VerifyException as error:
        culprit = _culprit(module, str(error))
        # Its notes are the whole module.
        raise blamed_on(VerifyException(what_is_wrong(error)), culprit) from None
    except RAW_ERRORS as error:
        culprit = _culprit(module) or module
        wrong = VerifyException(f"{culprit.name}: {explained(error)}")
        raise blamed_on(wrong, culprit) from error


def check_size(op: Operation) -> None:
    """Raises VerifyException, naming the operation, where a value it gives takes more than `MAX_BYTES`."""
    types = [result.type for result in op.results]
    for region in op.regions:
        for block in region.blocks:
            types += block.arg_types
    for type in types:
        if isinstance(type, (TensorType, MemRefType)):  # a union asks each class in turn, in Python
            check_bytes(op, "a value", cast(Any, type))


def _verify_order(op: Operation) -> None:
    """
    Checks that no operation uses a result of itself or of a later operation of its block, except at module level:
    xDSL's verifier does not.
    """
    for block in (block for region in op.regions for block in region.blocks):
        given = set[Operation]()
        for inner in () if isinstance(op, ModuleOp) else block.ops:
            for place, operand in enumerate(operands_of(inner)):
                if operand.owner not in given and operand.owner.parent is block:
                    raise VerifyException(
                        f"{label(inner)}: operand {place} is given by "
                        f"{'itself' if operand.owner is inner else 'a later operation'}; move what gives it in front"
                    )
            given.add(inner)


def _verify_predicate(op: Operation) -> None:
    """Checks that the predicate of a comparison exists: xDSL's printer looks its name up."""
    if op.name not in ("arith.cmpf", "arith.cmpi"):
        return
    from xdsl.dialects import arith

    is_float = isinstance(op, arith.CmpfOp)
    known = arith.CMPF_COMPARISON_OPERATIONS if is_float else arith.CMPI_COMPARISON_OPERATIONS
    predicate = cast(IntegerAttr[Any], op.properties["predicate"]).value.data
    if not 0 <= predicate < len(known):
        raise VerifyException(
            f"{label(op)}: predicate {predicate} is none; they are 0 ({known[0]}) to {len(known) - 1} ({known[-1]})"
        )


def _culprit(module: ModuleOp, message: str | None = None) -> Operation | None:
    """The first operation that does not verify, with this message if one is given."""
    for op in all_operations(module):
        try:
            op.verify(verify_nested_ops=False)
        except RAW_ERRORS as error:
            if message is None or str(error) == message:
                return op
    return None


def explained(error: Exception) -> str:
    """The message of an error that is not meant for users."""
    if isinstance(error, struct.error | OverflowError):
        return f"a number is out of the range of its type ({error})"
    detail = one_line(str(error))
    return f"malformed ({type(error).__name__}{': ' if detail else ''}{detail})"


def what_is_wrong(error: BaseException) -> str:
    """The message in one line, headed by the operation where only xDSL's verifier knows it."""
    message = one_line(str(error)) or type(error).__name__
    for note in getattr(error, "__notes__", ()):
        if (marked := _MARKED_OPERATION.search(note)) is not None and marked[1] not in message:
            return f"{marked[1]}: {message}"
    return message


_CONTROL = re.compile(r"[\x00-\x1f\x7f-\x9f]")


def one_line(message: str) -> str:
    """The message with its line breaks as spaces. What would steer a terminal, as a name in a file may, is escaped."""
    return _CONTROL.sub(lambda found: f"\\x{ord(found[0]):02x}", " ".join(message.split()))
