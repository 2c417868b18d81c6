"""MLIR gets colours: every character is a token of a kind, and kinds are the right ones."""

from pathlib import Path

import pytest
from pygments.lexers import get_lexer_by_name
from pygments.token import Token

FILES = Path(__file__).parents[2] / "filecheck" / "dialects"
TEXT = (
    '%0:2 = nn.split %x {n = -1.5e-3 : f32, s = "a\\"b"} : tensor<?x4xf8E4M3FN> -> (!a.b, i1) // c'
)


def kinds(text: str) -> dict[str, str]:
    tokens = get_lexer_by_name("mlir").get_tokens(text)
    return {value: str(kind).removeprefix("Token.") for kind, value in tokens}


def test_kinds():
    found = kinds(TEXT)
    assert {
        text: found[text] for text in ("nn.split", "%x", "-1.5e-3", "f8E4M3FN", "!a.b", "i1")
    } == {
        "nn.split": "Name.Builtin",
        "%x": "Name.Variable",
        "-1.5e-3": "Literal.Number.Float",
        "f8E4M3FN": "Keyword.Type",
        "!a.b": "Keyword.Type",
        "i1": "Keyword.Type",
    }
    assert found["// c"] == "Comment.Single" and found['"a\\"b"'] == "Literal.String"


@pytest.mark.parametrize("page", sorted(FILES.rglob("*.mlir")), ids=str)
def test_nothing_is_left_over(page: Path):
    tokens = get_lexer_by_name("mlir").get_tokens(page.read_text())
    assert {value for kind, value in tokens if kind in (Token.Text, Token.Error)} == set()
