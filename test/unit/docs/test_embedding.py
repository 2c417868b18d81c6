"""The example of embedding: a compiler with a dialect of its own that uses lowstream's patterns and passes."""

import inspect
import re
from importlib import import_module
from pathlib import Path
from types import ModuleType

import numpy as np
import pytest

import lowstream

FOLDER = Path(__file__).parents[3] / "docs/examples/embedding"
PAGE = (FOLDER.parents[1] / "pass_library.md").read_text()
TEXT = (FOLDER / "model.mlir").read_text()


@pytest.fixture
def tone(monkeypatch: pytest.MonkeyPatch) -> ModuleType:
    monkeypatch.syspath_prepend(FOLDER)
    return import_module("tone_compiler")


def test_its_operation_ends_in_the_scale_of_an_integer_product(tone: ModuleType):
    text = str(tone.compiled(tone.parse(TEXT)))
    assert "tone." not in text
    assert "(tensor<1x4xi8>, tensor<4x4xi8>) -> tensor<1x4xi32>" in text
    assert text.count("nn.multiply") == 1, "both gains are in the scale behind the product"


def test_what_its_transformation_declines_is_lowered(tone: ModuleType):
    unquantized = TEXT.replace("tone.gain %q by", "tone.gain %x by")
    text = str(tone.compiled(tone.parse(unquantized)))
    assert "tone." not in text
    assert "lpt.declined" in text


def test_it_computes_what_the_operations_mean(tone: ModuleType):
    x = np.array([[0.5, -0.25, 0.125, -1]], np.float32)
    weights = np.array([[9, -3, 5, 1], [0, 7, 2, -8], [4, 4, -6, 3], [1, 0, 2, 5]]) / 16
    expected = x @ weights * 10 ** ((6 - 3) / 20)
    module = tone.compiled(tone.parse(TEXT))
    request = lowstream.compile_model(module).create_infer_request()
    np.testing.assert_allclose(request.infer({"X": x})["Y"], expected, rtol=1e-5)


def test_its_driver_prints_what_a_file_becomes(
    tone: ModuleType, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
):
    monkeypatch.setattr("sys.argv", ["tone", str(FOLDER / "model.mlir")])
    tone.main()
    assert capsys.readouterr().out == str(tone.compiled(tone.parse(TEXT))) + "\n"


def test_the_page_shows_its_lines():
    (shown,) = re.findall(r"```python\n(.*?)```", PAGE, re.DOTALL)
    source = (FOLDER / "tone_compiler/__init__.py").read_text()
    for line in shown.splitlines():
        assert line.partition("  #")[0].removesuffix("...").rstrip() in source


@pytest.mark.parametrize("place", re.findall(r"^::: (\S+)$", PAGE, re.MULTILINE))
def test_what_the_page_promises_is_there(place: str):
    module, _, name = place.rpartition(".")
    assert inspect.getdoc(getattr(import_module(module), name))
