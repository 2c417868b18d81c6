"""What the pages of passes show to type is typed, and says what the pages say; what they make of IR, they make."""

import re
import shutil
import textwrap
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from xdsl.dialects.builtin import ModuleOp
from xdsl.parser import Parser

import lowstream
from lowstream.dialects import context
from lowstream.dialects.origins import ORIGINS
from lowstream.passes.lpt import Lpt
from lowstream.test.unit.docs.pages import FENCE, ROOT, assert_says, run

PASSES = ROOT / "docs" / "passes"
LIT = ROOT / "test" / "filecheck" / "passes"

PITCH = ROOT / "docs" / "examples" / "pitch" / "pitch.mlir"

MODELS = {
    "legalize-tf-to-nn": LIT / "raise_tf_while_to_lstm.mlir",
    "legalize-tfl-to-nn": LIT / "legalize_tfl_to_nn" / "elementwise.mlir",
    "make-stateful": Path(__file__).parent / "ir" / "pair.mlir",
    "prepare-composite-functions": LIT / "prepare_composite_functions" / "keras.mlir",
    "raise-tf-while-to-lstm": LIT / "raise_tf_while_to_lstm.mlir",
    "view-op-graph": Path(__file__).parent / "ir" / "litert.mlir",
}
"""`model.mlir` of pages that it is another for than the pitch follower."""

XY = """
func.func @main(%x: tensor<2x1x16xf32> {nn.names = ["X"]}, %y: tensor<3x4xf32> {nn.names = ["Y"]},
    %h0: tensor<1x16xf32> {nn.names = ["H"]}) -> (tensor<2x1x16xf32> {nn.names = ["Z"]}, tensor<3x4xf32>) {
  %z = infra.tensor_iterator %x, %h0
      inputs [#infra.sliced<axis = 0, start = 0, end = -1, stride = 1, part_size = 1>, #infra.merged<result = 1>]
      outputs [#infra.concatenated<result = 0, axis = 0, start = 0, end = -1, stride = 1, part_size = 1>]
      body_names ["X_t", "H_t"] {nn.name = "TI"} : (tensor<2x1x16xf32>, tensor<1x16xf32>) -> tensor<2x1x16xf32> {
  ^bb0(%xt: tensor<1x1x16xf32>, %ht: tensor<1x16xf32>):
    %zero = nn.constant dense<0> : tensor<1xi64>
    %step = nn.squeeze %xt, %zero : (tensor<1x1x16xf32>, tensor<1xi64>) -> tensor<1x16xf32>
    %next = nn.add %step, %ht : (tensor<1x16xf32>, tensor<1x16xf32>) -> tensor<1x16xf32>
    %out = nn.unsqueeze %next, %zero : (tensor<1x16xf32>, tensor<1xi64>) -> tensor<1x1x16xf32>
    infra.yield %out, %next : tensor<1x1x16xf32>, tensor<1x16xf32>
  }
  %t = nn.tanh %y : tensor<3x4xf32>
  func.return %z, %t : tensor<2x1x16xf32>, tensor<3x4xf32>
}
"""
"""The example of LowLatency2's specification, with another input."""

BLOCKED = "## A model with a constant in the way"
"""The section of the page about `reshape` whose model is one that cannot be reshaped."""

BLOCK = re.compile(r"(?:^    .*\n)+", re.MULTILINE)


def typed(text: str) -> Iterator[tuple[str, str]]:
    """The lines of a page to type, each with what it says: the block that follows that of the line at once."""
    pieces = re.split(r"\n\n", FENCE.sub("", text).replace("\n\n    ", "\n\n\0    "))
    for piece, after in zip(pieces, [*pieces[1:], ""], strict=True):
        if not BLOCK.fullmatch(f"{piece.lstrip(chr(0))}\n"):
            continue
        lines = textwrap.dedent(piece.lstrip("\0")).splitlines()
        if not starts(lines[0]):
            continue
        said = textwrap.dedent(after.lstrip("\0")) if after.startswith("\0    ") else ""
        is_said = bool(said) and not starts(said)
        for number, line in enumerate(lines, 1):
            yield line, said if is_said and number == len(lines) else ""


def starts(line: str) -> bool:
    """Whether a line is one to type."""
    return re.match(r"opt-tool |lowstream[ .]|python |model\.\w+\(", line) is not None


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    return tmp_path


def put_model(folder: Path, page: str, text: str = "") -> None:
    """The model that a page is read with."""
    shutil.copy(PITCH.with_suffix(".safetensors"), folder)
    shutil.copy(PITCH.parents[1] / "block.mlir", folder)
    if text:
        (folder / "model.mlir").write_text(text)
    else:
        shutil.copy(MODELS.get(page, PITCH), folder / "model.mlir")


@pytest.mark.parametrize("page", sorted(PASSES.glob("*.md")), ids=lambda path: path.stem)
def test_what_is_typed_says_what_the_page_says(
    page: Path, folder: Path, monkeypatch: pytest.MonkeyPatch
):
    text = page.read_text()
    for language, code in FENCE.findall((PASSES / "lpt-configuration.md").read_text()):
        if language == "toml" and "preset" in code:
            (folder / "mine.toml").write_text(code)
    first, mark, blocked = text.partition(BLOCKED)
    put_model(folder, page.stem, XY if mark else "")
    follow(first, monkeypatch)
    if mark:
        put_model(folder, page.stem, (LIT / "blocking_constant.mlir").read_text())
        follow(blocked, monkeypatch)


def follow(text: str, monkeypatch: pytest.MonkeyPatch) -> None:
    for line, expected in typed(text):
        if line.startswith(("opt-tool ", "lowstream ")):
            said = run(line, monkeypatch, may_fail=bool(expected))
            if expected:
                assert as_one(expected) in as_one(said), f"{line}\nsays\n{said}"
        elif "…" not in line.partition("#")[0]:
            if line.startswith("python -c"):
                line = line.partition("'")[2].rstrip("'")
            names: dict[str, Any] = {
                "lowstream": lowstream,
                "model": lowstream.read_model("model.mlir"),
                "Lpt": Lpt,
            }
            exec(line, names)


def as_one(text: str) -> str:
    """A text in one line: pages break long ones; places and files differ."""
    return re.sub(r"[\w./-]*\.mlir(?::\d+:\d+)?:", "model.mlir:", " ".join(text.split()))


def test_what_is_typed_is_found():
    text = (
        "Say\n\n    opt-tool --lpt model.mlir\n\n    note: said\n\nand\n\n    model.walk()\n\nso."
    )
    assert list(typed(text)) == [("opt-tool --lpt model.mlir", "note: said"), ("model.walk()", "")]


EXCERPTS = {
    "lpt-configuration.md": ROOT / "docs/examples/lpt/maximum_of_codes/__init__.py",
}


@pytest.mark.parametrize("page", EXCERPTS)
def test_excerpts_are_of_the_code(page: str):
    code = EXCERPTS[page].read_text()
    shown = [
        text for language, text in FENCE.findall((PASSES / page).read_text()) if "class " in text
    ]
    assert shown
    for text in shown:
        assert text in code


def test_a_configuration_of_python_is_followed(folder: Path):
    (code,) = (
        text
        for language, text in FENCE.findall((PASSES / "lpt-configuration.md").read_text())
        if language == "python" and "class " not in text
    )
    put_model(folder, "lpt-configuration")
    names: dict[str, Any] = {"model": lowstream.read_model("model.mlir")}
    exec(code, names)
    rows = lowstream.precision_report(names["model"])
    assert any(row["inputs"][:1] == ["i8"] for row in rows if row["type"] == "MatMul")


BECOMES = {"low-latency2": ("low-latency2", 0), "decompose-ops": ("decompose-ops", 0)}
"""By page, the pass that makes the second of two neighbouring pieces of IR of the first, and which that is."""


def parsed(text: str) -> ModuleOp:
    """A piece of IR; one without a function gives its last value, of its one free one."""
    if "func.func" not in text:
        type = text.rstrip().rpartition(" ")[2]
        text = f"func.func @main(%x: {type}) -> {type} {{\n{text}func.return %y : {type}\n}}"
    module = Parser(context(), text).parse_module()
    for op in module.walk():
        op.attributes.pop(ORIGINS, None)
        for result in op.results:
            result.name_hint = None
        for region in op.regions:
            for argument in region.block.args:
                argument.name_hint = None
    return module


@pytest.mark.parametrize("page", BECOMES)
def test_before_becomes_after(page: str):
    pipeline, number = BECOMES[page]
    pieces = [
        text
        for language, text in FENCE.findall((PASSES / f"{page}.md").read_text())
        if language == "mlir"
    ]
    before, after = map(parsed, pieces[number : number + 2])
    lowstream.run_passes(before, pipeline)
    assert_says(str(parsed(str(before))), str(after), page)
