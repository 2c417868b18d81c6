"""No operation or attribute is added without a test of how it reads, prints and verifies."""

from pathlib import Path

import pytest
from xdsl.ir import Dialect

from lowstream.dialects import infra, nn, qnn, rnn

FILECHECK = Path(__file__).parents[2] / "filecheck" / "dialects"


@pytest.mark.parametrize("dialect", [nn.Nn, qnn.Qnn, rnn.Rnn, infra.Infra], ids=lambda d: d.name)
def test_every_name_is_round_tripped(dialect: Dialect):
    text = "".join(path.read_text() for path in (FILECHECK / dialect.name).glob("*.mlir"))
    checked = [line for line in text.splitlines() if "CHECK-NEXT:" in line or "CHECK:" in line]
    for op in dialect.operations:
        assert any(f"{op.name} " in line or line.endswith(op.name) for line in checked), op.name
    for attribute in dialect.attributes:
        assert any(f"#{attribute.name}" in line for line in text.splitlines()), attribute.name
