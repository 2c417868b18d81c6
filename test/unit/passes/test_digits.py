"""Numbers in text are written in ASCII digits."""

import pytest
from xdsl.parser import Parser
from xdsl.utils.exceptions import DiagnosticException

from lowstream import PartialShape
from lowstream.dialects import context
from lowstream.passes.digits import integer, natural
from lowstream.passes.reshape import parse_shapes


@pytest.mark.parametrize("text", ["0", "7", "007", str(2**64 - 1)])
def test_numbers(text: str):
    assert natural(text) == integer(text) == int(text)
    assert integer(f"-{text}") == -int(text)
    assert natural(f"-{text}") is None


@pytest.mark.parametrize("text", ["", "-", "٣", "²", "1_000", "+1", " 1", "--1", "1.0", "9" * 5000])
def test_other_text(text: str):
    """Python reads a number in half of them, and fails at the last one."""
    assert natural(text) is None
    assert integer(text) is None


def test_shapes_in_other_digits_are_refused():
    module = Parser(context(), "func.func @main() {func.return}").parse_module()
    with pytest.raises(DiagnosticException, match="'٣' is not a dimension"):
        PartialShape("[٣,3]")
    with pytest.raises(DiagnosticException, match="is not a list of inputs and shapes"):
        parse_shapes("X=٣x3", module)
