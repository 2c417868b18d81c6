"""Tables of the tools."""

import re
from io import StringIO

import pytest

from lowstream.tools.table import print_table


class Terminal(StringIO):
    """A stream that claims to be a terminal."""

    def isatty(self) -> bool:
        return True


@pytest.mark.parametrize("columns", ["10", "200"])
def test_no_number_or_word_is_broken_however_narrow_a_terminal(
    columns: str, monkeypatch: pytest.MonkeyPatch
):
    monkeypatch.setenv("COLUMNS", columns)
    terminal = Terminal()
    rows = [["features", "install it", "1x16x32x32", "8.38625"]]
    print_table("outputs", ["output", "package", "shape", "max"], rows, terminal, texts=2)
    words = re.sub(r"\x1b\[\d*m", "", terminal.getvalue()).split()
    assert {"features", "install", "it", "1x16x32x32", "8.38625", "package"} <= {*words}
