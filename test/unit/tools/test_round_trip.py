"""`--verify-roundtrip`: what is printed of a module is read as the same module."""

import pytest
from xdsl.context import Context
from xdsl.dialects.builtin import Builtin, ModuleOp, StringAttr, f32
from xdsl.ir import Dialect
from xdsl.irdl import IRDLOperation, irdl_op_definition, opt_prop_def, result_def
from xdsl.parser import Parser
from xdsl.printer import Printer
from xdsl.utils.exceptions import DiagnosticException

from lowstream.dialects.locations import blamed
from lowstream.tools.opt.round_trip import verify_round_trip


@irdl_op_definition
class ForgetfulOp(IRDLOperation):
    """Its text says nothing of the unit, and has no value that begins with a digit."""

    name = "mine.make"
    value = opt_prop_def(StringAttr)
    unit = opt_prop_def(StringAttr)
    result = result_def(f32)

    def print(self, printer: Printer) -> None:
        printer.print_string(f" {self.value.data}" if self.value is not None else " nothing")

    @classmethod
    def parse(cls, parser: Parser) -> "ForgetfulOp":
        value = StringAttr(parser.parse_identifier())
        return cls.build(properties={"value": value}, result_types=[f32])


@pytest.fixture
def ctx() -> Context:
    ctx = Context()
    ctx.load_dialect(Builtin)
    ctx.load_dialect(Dialect("mine", [ForgetfulOp]))
    return ctx


def module(value: str, unit: str | None = None) -> ModuleOp:
    properties = {
        "value": StringAttr(value),
        "unit": None if unit is None else StringAttr(unit),
    }
    return ModuleOp([ForgetfulOp.build(properties=properties, result_types=[f32])])


def test_what_is_read_as_it_was(ctx: Context):
    verify_round_trip(module("gain"), ctx)


def test_what_is_read_as_something_else(ctx: Context):
    lossy = module("gain", "dB")
    with pytest.raises(
        DiagnosticException, match=r"^mine\.make: is printed and read as another operation: .*gain$"
    ) as error:
        verify_round_trip(lossy, ctx)
    assert blamed(error.value) is lossy.body.block.first_op


def test_what_cannot_be_read(ctx: Context):
    with pytest.raises(
        DiagnosticException, match=r"^is printed as '%0 = mine\.make 3dB', which is not read: .*"
    ):
        verify_round_trip(module("3dB"), ctx)
