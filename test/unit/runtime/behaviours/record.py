"""
What behaviours come to in one runtime, one line of JSON for each: OpenVINO's requests damage its heap at times, so
that it is asked in a process of its own.

    python -m lowstream.test.unit.runtime.behaviours.record openvino FOLDER GROUP FIRST
"""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path
from typing import Any

from .compiling import COMPILING
from .editing import EDITING
from .holding import HOLDING
from .inspecting import INSPECTING
from .modelling import MODELLING
from .moving import MOVING
from .noting import NOTING
from .porting import PORTING
from .requesting import REQUESTING
from .side import Behaviour, Side, outcome
from .streaming import STREAMING
from .using import USING

GROUPS: dict[str, dict[str, Behaviour]] = {
    "compiling": COMPILING,
    "editing": EDITING,
    "holding": HOLDING,
    "inspecting": INSPECTING,
    "modelling": MODELLING,
    "moving": MOVING,
    "noting": NOTING,
    "porting": PORTING,
    "requesting": REQUESTING,
    "streaming": STREAMING,
    "using": USING,
}

ALL: dict[str, Behaviour] = {
    name: each for group in GROUPS.values() for name, each in group.items()
}

CRASHED = "crashes"

DEADLY = ("set_tensor of an output: part of an image", "AsyncInferQueue[beyond]")
"""What OpenVINO 2026.4 does not survive, or not always."""

MODULE = "lowstream.test.unit.runtime.behaviours.record"


def same_form(value: Any) -> Any:
    """As JSON has it: tuples are lists, keys are text."""
    return json.loads(json.dumps(value))


def recorded(group: str, folder: Path) -> dict[str, Any]:
    """
    OpenVINO's outcomes. Where its process dies, another goes on; a behaviour with which two died in a row is one that
    crashes.
    """
    found: dict[str, Any] = {}
    before, names = -1, list(GROUPS[group])
    while len(found) < len(names):
        arguments = ["openvino", str(folder), group, str(len(found))]
        command = [sys.executable, "-P", "-W", "ignore", "-m", MODULE, *arguments]
        process = subprocess.run(command, capture_output=True, text=True, check=False)
        for line in process.stdout.splitlines():
            if line.startswith("["):
                name, value = json.loads(line)
                found[name] = value
        if len(found) < len(names):
            assert process.returncode < 0, process.stderr
            if before == len(found):
                found[names[before]] = CRASHED
            before = len(found)
    return found


def main(runtime: str, folder: str, group: str, first: str) -> None:
    side = Side(runtime, Path(folder))
    for name, behaviour in list(GROUPS[group].items())[int(first) :]:
        value = CRASHED if name in DEADLY else outcome(behaviour, side)
        print(json.dumps([name, value]), flush=True)


if __name__ == "__main__":
    main(*sys.argv[1:])
