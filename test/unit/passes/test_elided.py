"""Names in tables tell layers apart, however narrow these are."""

import re
from collections.abc import Sequence
from contextlib import redirect_stderr, redirect_stdout
from io import StringIO

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from lowstream.passes.elided import elided
from lowstream.passes.precision_report import PrecisionRow, print_table
from lowstream.tools import table

PARTS = (
    "__module",
    "lstm",
    "cell",
    "layer",
    "0",
    "1",
    "12",
    "aten::linear",
    "MatMul",
    "x_original",
)
NAMES = st.lists(
    st.lists(st.sampled_from(PARTS), min_size=1, max_size=12).map("/".join)
    | st.text("ab.", max_size=60),
    max_size=12,
)
TWINS = [f"{'prefix/' * 9}{n}{'/suffix' * 9}" for n in (1, 2, 12)]


@given(NAMES, st.integers(3, 60))
@example(TWINS, 10)
@example(TWINS, 3)
@example([*TWINS, "p…1"], 3)
@example(["", "a" * 5, "a" * 4 + "…", "a…a"], 3)
def test_those_that_differ_still_do(names, width):
    shown = elided(names, width)
    assert len(set(zip(names, shown, strict=True))) == len(set(names)) == len(set(shown))
    assert all(len(one) <= width for one in shown)
    assert all(one == name for one, name in zip(shown, names, strict=True) if len(name) <= width)


def test_the_tail_is_what_tells():
    names = [f"__module.lstm.cells.{n}" for n in range(12)]
    assert elided(names, 12) == [f"__m…{name[-8:]}" for name in names]


def test_what_all_begin_with_goes_where_it_must():
    names = [f"__module.encoder.layers.{n}.self_attn/aten::linear/MatMul" for n in (3, 4)]
    assert elided(names, 24) == ["…3.self_…::linear/MatMul", "…4.self_…::linear/MatMul"]


def cells(text: str) -> list[str]:
    """The first column."""
    return [match[1].rstrip() for match in re.finditer(r"^│ (.*?) │", text, re.MULTILINE)]


@settings(max_examples=40, deadline=None)
@given(NAMES.filter(any), st.integers(40, 200))
@example(TWINS, 40)
def test_the_precision_report_prints_them_apart(names, width):
    names = [name.strip() for name in names if name.strip()]
    reason = "input 0 is not quantized; put a FakeQuantize on it"
    rows = [
        PrecisionRow(
            name=n,
            type="ConvolutionBackpropData",
            inputs=["f32"] * 5,
            outputs=["f32"],
            reason=reason,
        )
        for n in names
    ]
    with pytest.MonkeyPatch.context() as patch, redirect_stderr(StringIO()) as printed:
        patch.setenv("COLUMNS", str(width))
        print_table(rows)
    found = [cell for cell in cells(printed.getvalue()) if cell]
    assert len(set(found)) == len(set(names))
    assert max(map(len, printed.getvalue().splitlines())) <= width


@settings(max_examples=40, deadline=None)
@given(NAMES.filter(any), st.integers(40, 200))
@example(TWINS, 40)
def test_tables_of_tools_print_them_apart(names, width):
    names = [name.strip() for name in names if name.strip()]
    rows: Sequence[Sequence[str]] = [[name, "1.25", "kernel.mat_mul"] for name in names]
    with pytest.MonkeyPatch.context() as patch, redirect_stdout(StringIO()) as printed:
        patch.setenv("COLUMNS", str(width))
        patch.setattr(printed, "isatty", lambda: True)
        table.print_table("title", ["layer", "µs", "type"], rows)
    assert len(set(cells(printed.getvalue()))) == len(set(names))
