"""
The IR that the pages of passes show is what passes make: each piece is found in what is printed of a model.

A page shows less than is printed: `…` stands for anything, a line may end before the types, constants between lines and
comments are left away, values have other names. Else the lines of a piece follow each other as they do in the print.
"""

import re
from io import StringIO
from pathlib import Path

import pytest
from xdsl.dialects.builtin import ModuleOp
from xdsl.passes import ModulePass
from xdsl.printer import Printer

import lowstream
from lowstream.dialects import context
from lowstream.interop.mlir import parse_module
from lowstream.passes.instrumentation import PassInstrumentation, instrumented
from lowstream.test.unit.docs.pages import FENCE, ROOT

PASSES = ROOT / "docs" / "passes"
PLACES = [
    *(Path(__file__).parent / "ir").glob("*.mlir"),
    *(ROOT / "docs" / "examples").glob("*.mlir"),
]
"""The models that pages show: those of their own, and those that readers have."""

LOWER = "lpt,lower-to-kernels{isa=avx512_vnni}"

MARKUP = "lpt-prerequisites,lpt-markup"
MAIN = f"{MARKUP},lpt-main"

TFL = "fold-constants{dequantization=true},nn-to-tfl"

SHOWN = {
    "decompose-cells": [("plain_cell", ""), ("plain_cell", "decompose-cells")],
    "fold-constants": [("fold", ""), ("fold", "fold-constants")],
    "infer-shapes": [("infer", ""), ("infer", "infer-shapes")],
    "legalize-tf-to-nn": [("tf", ""), ("tf", "legalize-tf-to-nn")],
    "legalize-tfl-to-nn": [("tfl", ""), ("tfl", "legalize-tfl-to-nn")],
    "nn-to-tfl": [("litert", ""), ("litert", "nn-to-tfl")],
    "tfl-weights": [("fold", TFL), ("fold", f"{TFL},tfl-weights{{type=int8 least=8}}")],
    "view-op-graph": [("litert", "")],
    "low-latency2": [
        ("one", ""),
        ("one", "low-latency2"),
        ("two", "low-latency2"),
        ("gru", ""),
        ("gru", "low-latency2"),
    ],
    "lower-sequences": [("rnn", ""), ("rnn", "lower-sequences")],
    "lower-to-kernels": [
        ("convolution", "lpt"),
        ("convolution", LOWER, "fuse-kernels"),
        ("convolution", LOWER, "algebraic-simplification"),
        ("convolutions", LOWER, "eliminate-redundant-clamps"),
        ("convolution", LOWER),
    ],
    "lower-to-kernels-lookup-tables": [
        ("lookup", LOWER, "fuse-kernels"),
        ("lookup", LOWER, "create-lookup-tables"),
    ],
    "lpt": [
        ("steps", ""),
        ("steps", "lpt-prerequisites"),
        ("steps", MARKUP),
        ("steps", MAIN),
        ("steps", "lpt"),
    ],
    "lpt-cleanup": [("steps", MAIN), ("steps", f"{MAIN},lpt-cleanup")],
    "lpt-data-movement": [("movement", MARKUP), ("movement", MAIN)],
    "lpt-elementwise": [
        ("activation", MARKUP),
        ("activation", MAIN),
        ("addition", MARKUP),
        ("addition", MAIN),
    ],
    "lpt-fake-quantize": [
        ("fake_quantize", ""),
        ("fake_quantize", MAIN),
        ("block", ""),
        ("block", "lpt"),
    ],
    "lpt-main": [("steps", MAIN)],
    "lpt-markup": [("steps", MARKUP)],
    "lpt-pooling": [("pooling", MARKUP), ("pooling", MAIN)],
    "lpt-prerequisites": [("steps", ""), ("steps", "lpt-prerequisites")],
    "lpt-products": [("product", ""), ("product", "lpt")],
    "lpt-recurrence": [("cell", ""), ("cell", "lpt"), ("state", ""), ("state", "lpt")],
    "make-stateful": [("pair", ""), ("pair", "make-stateful{inputs=h outputs=hn}")],
    "prepare-composite-functions": [("keras", ""), ("keras", "prepare-composite-functions")],
    "quantize-states": [("quantized_state", ""), ("quantized_state", "quantize-states")],
    "raise-loop-ports": [("while", ""), ("while", "raise-loop-ports")],
    "raise-tf-while-to-lstm": [("recurrence", ""), ("recurrence", "raise-tf-while-to-lstm")],
    "reshape": [
        ("specification", ""),
        ("specification", 'reshape{inputs="X=1x1x16"},low-latency2'),
        ("blocked", ""),
        ("blocked", 'trim{inputs=Reshape_layer},reshape{inputs="Reshape_layer=1x1x10"}'),
    ],
    "unroll-loops": [("unroll", ""), ("unroll", "unroll-loops")],
}
"""By page, the model and the passes of each of its pieces, in their order; a third word is the last of those within."""

STATEMENT = re.compile(r"[%}^…\"]|(?:infra|func|kernel|nn|qnn)\.")
"""How a line begins that goes on with none before it."""


class Kept(PassInstrumentation):
    """What a pass leaves, one within others too."""

    def __init__(self, name: str):
        self.name, self.text = name, ""

    def after_pass(self, item: ModulePass, module: ModuleOp) -> None:
        if item.name == self.name:
            self.text = text_of(module)


def printed(model: str, pipeline: str, last: str = "") -> str:
    """What is printed of a model after passes."""
    (path,) = (path for path in PLACES if path.stem == model)
    text = path.read_bytes()
    module, kept = parse_module(text, model, context(), True, {}), Kept(last)
    if pipeline:
        with instrumented(kept):
            lowstream.run_passes(module, pipeline)
    return kept.text or text_of(module)


def text_of(module: ModuleOp) -> str:
    stream = StringIO()
    Printer(stream).print_op(module)
    return stream.getvalue()


def pattern(shown: str) -> re.Pattern[str]:
    """What a piece of a page looks for."""
    lines: list[str] = []
    for line in re.sub(r" *//.*", "", shown).splitlines():
        if STATEMENT.match(line.strip()) or not lines:
            lines.append(line)
        else:
            lines[-1] += f" {line}"
    defined = set(re.findall(r"%\w+(?=(?:, %\w+)* = | : )", shown))
    values = dict.fromkeys(defined, False)
    constants = r"(?:[ ]*%\S+ = \"?(?:nn\.c|arith\.c|tf\.C|tfl\.pseudo_c)onst[^\n]*\n)*"
    parts = [
        r"(?:[^\n]*\n)*?" if line.strip() == "…" else rf"[ ]*{_line(line, values)}[^\n]*\n"
        for line in lines
    ]
    return re.compile(f"^{constants.join(parts)}", re.MULTILINE)


def _line(line: str, values: dict[str, bool]) -> str:
    """A line, whose values have any names, but each that the piece defines the same everywhere."""
    made: list[str] = []
    for token in re.findall(r"…|%\w+|\s+|[^…%\s]+", line.strip()):
        if token == "…":
            made.append(r"[^\n]*?")
        elif token.isspace():
            made.append(r"\s*")
        elif token[0] != "%":
            made.append(re.escape(token))
        elif token not in values:
            made.append(r"%\w+")
        elif values[token]:
            made.append(rf"(?P=v{token[1:]})\b")
        else:
            values[token] = True
            made.append(rf"(?P<v{token[1:]}>%\w+)")
    return "".join(made)


@pytest.mark.parametrize("page", SHOWN)
def test_a_page_shows_what_is_made(page: str):
    pieces = [
        text
        for language, text in FENCE.findall((PASSES / f"{page}.md").read_text())
        if language == "mlir"
    ]
    assert len(pieces) == len(SHOWN[page])
    for piece, words in zip(pieces, SHOWN[page], strict=True):
        text = printed(*words)
        assert pattern(piece).search(text), f"{piece}\nis not in\n{text}"


def test_what_is_not_made_is_not_found():
    text = printed("product", "")
    shown = "%a = nn.convert %b to f32 : …\n%c = nn.multiply %a, %d"
    assert pattern(shown).search(text)
    assert pattern(shown.replace("%a, %d", "%d, %a")).search(text) is None
    assert pattern(shown.replace("f32", "f16")).search(text) is None
    assert pattern(shown.replace("multiply", "add")).search(text) is None


def test_every_page_with_ir_is_looked_at():
    exact = {"decompose-ops"}  # in test_pass_pages.py
    with_ir = {path.stem for path in PASSES.glob("*.md") if "```mlir" in path.read_text()}
    assert with_ir <= SHOWN.keys() | exact
