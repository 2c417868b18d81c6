"""translate-tool: endings decide, errors are one line, nothing is left half-written."""

import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import numpy as np
import openvino as ov
import openvino.opset15 as opset
import pytest

from lowstream import read_model
from lowstream.tools.translate_tool import main


@pytest.fixture
def xml(tmp_path: Path) -> Path:
    x: Any = opset.parameter([1, 64], np.float32)
    weights = np.arange(64 * 32, dtype=np.float32).reshape(64, 32)
    model: Any = ov.Model
    ov.save_model(
        model([opset.matmul(x, opset.constant(weights), False, False)], [x], "m"),
        tmp_path / "m.xml",
        compress_to_fp16=False,
    )
    return tmp_path / "m.xml"


def files(folder: Path) -> set[str]:
    return {file.name for file in folder.iterdir()} - {"m.xml", "m.bin"}


def fails(capsys: pytest.CaptureFixture[str], status: int, *arguments: str | Path) -> str:
    with pytest.raises(SystemExit) as error:
        main([str(argument) for argument in arguments])
    assert error.value.code == status
    captured = capsys.readouterr()
    assert not captured.out
    return captured.err


def test_xml_to_mlir_and_on(xml: Path):
    first, second = xml.with_name("first.mlir"), xml.with_name("second.mlir")
    main([str(xml), "-o", str(first)])
    main([str(first), "-o", str(second)])
    assert files(xml.parent) == {
        "first.mlir",
        "first.safetensors",
        "second.mlir",
        "second.safetensors",
    }
    assert second.read_text() == first.read_text().replace("first.", "second.")
    assert read_model(second).module.is_structurally_equivalent(read_model(xml).module)


def test_standard_output_has_everything_inline(xml: Path, capsys: pytest.CaptureFixture[str]):
    main([str(xml)])
    printed = xml.with_name("printed.mlir")
    printed.write_text(capsys.readouterr().out)
    assert "safetensors" not in printed.read_text()
    assert read_model(printed).module.is_structurally_equivalent(read_model(xml).module)


def test_wrong_input_is_one_line(xml: Path, capsys: pytest.CaptureFixture[str]):
    output = xml.with_name("out.mlir")
    xml.write_text(xml.read_text().replace('type="MatMul"', 'type="Cosh"'))
    message = fails(capsys, 1, xml, "-o", output)
    assert message.startswith(f"{xml}: error: ")
    assert message.count("\n") == 1
    assert not files(xml.parent)


def test_missing_input(xml: Path, capsys: pytest.CaptureFixture[str]):
    missing = xml.with_name(f"{xml.stem}e.xml")
    what = f"No such file or directory; did you mean {xml}?"
    assert fails(capsys, 1, missing) == f"{missing}: error: {what}\n"


def test_unsupported_output_lists_what_is(xml: Path, capsys: pytest.CaptureFixture[str]):
    output = xml.with_name("m.pth")
    message = f"{output}: error: cannot write '.pth' files; supported: .mlir, .xml, .onnx, .tflite, .dot, .svg\n"
    assert fails(capsys, 1, xml, "-o", output) == message


def test_unwritable_output_is_named(xml: Path, capsys: pytest.CaptureFixture[str]):
    output = xml.with_name("nowhere") / "m.mlir"
    message = f"{output}: error: there is no folder {output.parent}\n"
    assert fails(capsys, 1, xml, "-o", output) == message


def test_usage(capsys: pytest.CaptureFixture[str]):
    assert fails(capsys, 2).startswith("translate-tool: error: ")
    said = fails(capsys, 2, "m.xml", "--outptu", "m.mlir")
    assert said.endswith("--outptu m.mlir; did you mean --output?\n")


@pytest.mark.parametrize("ending", ["mlir", "xml", "onnx", "tflite"])
def test_a_file_that_is_too_large_is_named_and_not_there(xml: Path, ending: str):
    """As on a full disk. Python writes no bytecode meanwhile: what is cut off would stay, and end later imports."""
    output = xml.with_name(f"o.{ending}")
    tool = f'ulimit -f 1; exec "{sys.executable}" -B -P -m lowstream translate {xml} -o {output}'
    environment = os.environ | {"PYTHONWARNINGS": "error"}
    ran = subprocess.run(
        tool, shell=True, env=environment, capture_output=True, text=True, check=False
    )
    assert (ran.returncode, ran.stdout) == (1, "")
    written = output.with_suffix(".safetensors") if ending == "mlir" else output
    assert ran.stderr.startswith(f"{written}: error: ") and ran.stderr.count("\n") == 1
    assert not files(xml.parent)


def test_debug_shows_the_traceback(tmp_path: Path):
    with pytest.raises(FileNotFoundError):
        main([str(tmp_path / "no.mlir"), "--debug"])
