"""What the page about ONNX shows is what happens."""

import re
import shutil
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).parents[3]


def test_states_are_fed_as_shown(tmp_path: Path):
    text = (ROOT / "docs/onnx.md").read_text()
    script, printed = re.findall(r"^```(?:python)?\n(.*?)^```$", text, re.M | re.S)
    for name in ("pitch.mlir", "pitch.safetensors"):
        shutil.copy(ROOT / "docs/examples/pitch" / name, tmp_path)
    command = [sys.executable, "-c", script]
    ran = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, check=True)
    assert ran.stdout == printed
