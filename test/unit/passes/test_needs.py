"""What a message advises where a package is missing can be followed."""

import re
import shlex
import tomllib
from importlib import metadata
from pathlib import Path

import pytest

from lowstream.passes.needs import needs

ROOT = Path(__file__).parents[3]
EXTRAS = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]["optional-dependencies"]
FOLDERS = ("cluster", "dialects", "interop", "lowering", "passes", "reference", "runtime", "tools")


@pytest.mark.parametrize(
    ("package", "extra"),
    [
        ("openvino", "openvino"),
        ("tensorflow", "tensorflow"),
        ("ai-edge-litert", "litert"),
        ("onnx", "onnx"),
        ("ml_dtypes", "ml_dtypes"),
        ("onnxruntime", "dev"),
        ("matplotlib", "plot"),
    ],
)
def test_the_advice_installs_what_the_extra_does(package: str, extra: str):
    said, command = needs("this", package).split(": ")
    assert said == f"this needs the {package} package"
    *install, requirement = shlex.split(command)
    assert install == ["pip", "install"]
    assert requirement in EXTRAS[extra]
    assert re.split(r"[<>=]", requirement)[0] == package


def test_sources_that_are_not_installed(monkeypatch: pytest.MonkeyPatch):
    def none(name: str) -> list[str]:
        raise metadata.PackageNotFoundError(name)

    monkeypatch.setattr(metadata, "requires", none)
    assert needs("this", "onnx").endswith(": pip install onnx")


def test_a_package_is_not_one_that_begins_like_it(monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(metadata, "requires", lambda _: ["onnxruntime==1.0", "onnx==2.0"])
    assert needs("this", "onnx").endswith(": pip install onnx==2.0")


def test_nothing_is_advised_by_hand():
    """Least of all to install lowstream from an index that does not have it."""
    sources = [file for folder in FOLDERS for file in (ROOT / folder).rglob("*.py")]
    wrong = re.compile(r"pip install '|lowstream\[")
    assert not [file for file in sources if wrong.search(file.read_text())]
