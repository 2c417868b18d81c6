"""
No operation or attribute is added without a test of how it reads, prints and verifies. Those of tensor dialects have
one by the examples in their docstrings (`test_examples.py`).
"""

from pathlib import Path

import pytest
from xdsl.ir import Dialect

from lowstream.dialects import infra, nn, qnn, quant, rnn, tfl

FILECHECK = Path(__file__).parents[2] / "filecheck" / "dialects"


DIALECTS = [nn.Nn, qnn.Qnn, rnn.Rnn, infra.Infra, quant.Quant, tfl.Tfl]

WITH_EXAMPLES = DIALECTS[:3]


@pytest.mark.parametrize("dialect", DIALECTS, ids=lambda d: d.name)
def test_every_name_is_round_tripped(dialect: Dialect):
    text = "".join(path.read_text() for path in (FILECHECK / dialect.name).glob("*.mlir"))
    checked = [line for line in text.splitlines() if "CHECK-NEXT:" in line or "CHECK:" in line]
    for op in () if dialect in WITH_EXAMPLES else dialect.operations:
        forms = (f"{op.name} ", f'"{op.name}"(')
        assert any(f in line or line.endswith(op.name) for line in checked for f in forms), op.name
    for attribute in dialect.attributes:
        forms = (
            f"!{attribute.name}",
            f"#{attribute.name}",
            f"#{attribute.name.replace('.', '<', 1)} ",
        )
        assert any(f in line for line in text.splitlines() for f in forms), attribute.name
