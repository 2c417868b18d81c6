"""
What behaviours come to in one runtime, one line of JSON for each: OpenVINO's requests damage its heap at times, so
that it is asked in a process of its own.

    python -m lowstream.test.unit.runtime.behaviours.record openvino FOLDER

reads lines of a group and the number of the first behaviour to try.
"""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from .asking import ASKING
from .compiling import COMPILING
from .configuring import CONFIGURING
from .editing import EDITING
from .holding import HOLDING
from .inspecting import INSPECTING
from .limiting import LIMITING
from .modelling import MODELLING
from .moving import MOVING
from .noting import NOTING
from .porting import PORTING
from .requesting import REQUESTING
from .rewiring import REWIRING
from .side import Behaviour, Side, outcome
from .streaming import STREAMING
from .tensoring import TENSORING
from .using import USING

GROUPS: dict[str, dict[str, Behaviour]] = {
    "asking": ASKING,
    "compiling": COMPILING,
    "configuring": CONFIGURING,
    "editing": EDITING,
    "holding": HOLDING,
    "inspecting": INSPECTING,
    "limiting": LIMITING,
    "modelling": MODELLING,
    "moving": MOVING,
    "noting": NOTING,
    "porting": PORTING,
    "requesting": REQUESTING,
    "rewiring": REWIRING,
    "streaming": STREAMING,
    "tensoring": TENSORING,
    "using": USING,
}

ALL: dict[str, Behaviour] = {
    name: each for group in GROUPS.values() for name, each in group.items()
}

CRASHED = "crashes"

DEADLY = ("set_tensor of an output: part of an image", "AsyncInferQueue[beyond]")
"""What OpenVINO 2026.4 does not survive, or not always."""

DONE = "done\n"
"""What follows the last outcome of a group."""

MODULE = "lowstream.test.unit.runtime.behaviours.record"


def same_form(value: Any) -> Any:
    """As JSON has it: tuples are lists, keys are text."""
    return json.loads(json.dumps(value))


class Recorder:
    """
    OpenVINO's outcomes, group by group, from one process. Where it dies, another goes on; a behaviour with which two
    died in a row is one that crashes.
    """

    def __init__(self, folder: Path):
        self.command = [sys.executable, "-P", "-W", "ignore", "-m", MODULE, "openvino", str(folder)]
        self.process: subprocess.Popen[str] | None = None

    def recorded(self, group: str) -> dict[str, Any]:
        """The outcomes of a group."""
        found: dict[str, Any] = {}
        before, names = -1, list(GROUPS[group])
        while len(found) < len(names):
            found.update(self._answers(group, len(found)))
            if len(found) < len(names):
                if before == len(found):
                    found[names[before]] = CRASHED
                before = len(found)
        return found

    def _answers(self, group: str, first: int) -> Iterator[tuple[str, Any]]:
        """What a process comes to before it dies, if it does."""
        if self.process is None:
            self.process = subprocess.Popen(
                self.command,
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=subprocess.STDOUT,
                text=True,
            )
        asked, answers = self.process.stdin, self.process.stdout
        assert asked is not None and answers is not None
        print(group, first, file=asked, flush=True)
        said: list[str] = []
        for line in answers:
            if line == DONE:
                return
            if line.startswith("["):
                yield json.loads(line)
            else:
                said.append(line)
        assert self.process.wait() < 0, "".join(said)
        self.close()

    def close(self) -> None:
        """Lets the process end."""
        if self.process is not None:
            self.process.communicate()
            self.process = None


def main(runtime: str, folder: str) -> None:
    for line in sys.stdin:
        group, first = line.split()
        side = Side(runtime, Path(folder))
        for name, behaviour in list(GROUPS[group].items())[int(first) :]:
            value = CRASHED if name in DEADLY else outcome(behaviour, side)
            print(json.dumps([name, value]), flush=True)
        print(DONE, end="", flush=True)


if __name__ == "__main__":
    main(*sys.argv[1:])
