"""`--verify-diagnostics`: what comments expect is compared with what is said, line by line."""

import pytest
from xdsl.utils.exceptions import DiagnosticException
from xdsl.utils.lexer import Location

from lowstream.tools.diagnostics import Diagnostic, Severity
from lowstream.tools.opt.expected_diagnostics import ExpectedDiagnostics


def wrong(text: str, *said: tuple[Severity, int | None, str], which: str = "all") -> list[str]:
    """What is wrong with diagnostics of these severities, lines and texts."""
    expected = ExpectedDiagnostics.of(text, "a.mlir", which)
    for severity, line, what in said:
        place = None if line is None else Location("a.mlir", line, 1)
        expected.take(Diagnostic(severity, "a.mlir", place, what))
    return [str(each) for each in expected.finish()]


@pytest.mark.parametrize(
    ("comment", "line"),
    [
        ("// expected-error {{one}}", 2),
        ("// expected-error@+1 {{one}}", 3),
        ("// expected-error @+2 {{one}}", 4),
        ("x // expected-error@-1 {{one}}", 1),
        ("// expected-error@above {{one}}", 1),
        ("// expected-error@below {{one}}", 3),
        ("// expected-error@unknown {{one}}", None),
        ("// expected-error-re@below {{o{{[mn]}}e}}", 3),
    ],
)
def test_lines(comment: str, line: int | None):
    text = f"first\n{comment}\nthird\nfourth\n"
    assert not wrong(text, ("error", line, "this one is wrong"))
    place = "a.mlir" if line is None else f"a.mlir:{line}:1"
    assert wrong(text, ("error", line, "other"))[0] == f"{place}: error: unexpected error: other"
    elsewhere = wrong(text, ("error", 9, "this one is wrong"))
    assert elsewhere[0].startswith("a.mlir:9:1: error: unexpected error: this one")
    assert elsewhere[1].startswith("a.mlir:2:")
    assert elsewhere[1].endswith('" was not produced')


@pytest.mark.parametrize("severity", ["error", "warning", "note", "remark"])
def test_severities(severity: Severity):
    text = f"// expected-{severity} {{{{what}}}}"
    assert not wrong(text, (severity, 1, "what"))
    other: Severity = "note" if severity == "error" else "error"
    assert wrong(text, (other, 1, "what")) == [
        f"a.mlir:1:1: error: unexpected {other}: what",
        f'a.mlir:1:4: error: expected {severity} "what" was not produced',
    ]


def test_above_and_below_pass_over_other_comments():
    text = (
        "one\n// expected-error@above {{a}}\n// expected-note@below {{b}}\n"
        "// expected-error@below {{c}}\nfive\n"
    )
    assert not wrong(text, ("error", 1, "a"), ("note", 5, "b"), ("error", 5, "c"))


def test_each_is_said_once():
    text = "// expected-error {{twice}}"
    assert wrong(text, ("error", 1, "twice"), ("error", 1, "twice")) == [
        "a.mlir:1:1: error: unexpected error: twice"
    ]


def test_what_is_expected_may_be_all_that_counts():
    text = "// expected-error {{one}}"
    assert not wrong(text, ("error", 1, "one"), ("warning", 3, "two"), which="only-expected")
    assert wrong(text, ("warning", 3, "two"), which="only-expected")


def test_text_is_no_expression_and_may_hold_braces():
    assert not wrong("// expected-error {{[4] {a = {1}} (}}", ("error", 1, "see [4] {a = {1}} ("))
    assert not wrong('x "expected-error {{one}}"')


def test_an_expression_that_is_none():
    with pytest.raises(DiagnosticException, match=r"^a\.mlir:1:4: error: .* in '\{\{\(\}\}'$"):
        wrong("// expected-error-re {{{{(}}}}")
