"""
Each pass over the inputs of all lit tests, once and again: `make twice`, or with PASSES="lpt low-latency2".

A second run changes nothing. Parts of a file that a pass refuses say nothing, nor do those that are written for one
step of `lpt`, with its markup in them.
"""

from __future__ import annotations

import sys
import time
import warnings
from collections.abc import Iterator
from difflib import unified_diff
from pathlib import Path

from xdsl.dialects.builtin import ModuleOp
from xdsl.parser import Parser
from xdsl.utils.exceptions import (
    DiagnosticException,
    ParseError,
    PassFailedException,
    VerifyException,
)

from lowstream import run_passes
from lowstream.dialects import context

INPUTS = Path(__file__).parents[1] / "filecheck"

PASSES = (
    "low-latency2",
    "make-stateful",
    "quantize-states",
    "infer-shapes",
    "relax-constants",
    "unroll-loops",
    "lower-sequences",
    "decompose-cells",
    "decompose-ops",
    "prepare-composite-functions",
    "legalize-tf-to-nn",
    "legalize-tfl-to-nn",
    "raise-loop-ports",
    "raise-tf-while-to-lstm",
    "fold-constants",
    "lpt",
)
"""Those that rewrite models as they come."""

REASONS = {
    ("shift_data.mlir", "lpt"): "a grouped convolution by 1 is what multiply_to_group_convolution "
    "writes, and undone, whoever wrote it",
    ("assign_and_read_value.mlir", "lpt"): "what a state is given is looked at before the movement "
    "of data in front of it, which gives codes",
    (
        "batch_norm_decomposition.mlir",
        "lpt",
    ): "behind a concatenation it is decomposed in the last step, "
    "and only a second run makes it a part of the dequantization",
}
"""Files in which a second run may change something, and why."""

SEPARATOR = "// -----"


def parts() -> Iterator[tuple[Path, str]]:
    """The inputs, as `--split-input-file` has them."""
    for path in sorted(INPUTS.rglob("*.mlir")):
        for part in path.read_text().split(SEPARATOR):
            yield path, part


def parsed(text: str) -> ModuleOp | None:
    """The module, if it is one."""
    known = context()
    known.allow_unregistered = True
    try:
        module = Parser(known, text).parse_module()
        module.verify()
    except (ParseError, VerifyException, DiagnosticException):
        return None
    return module


def change(text: str, name: str) -> str | None:
    """What a second run of a pass changes; None where the first one refuses the module."""
    if (module := parsed(text)) is None:
        return None
    try:
        run_passes(module, name)
    except (DiagnosticException, PassFailedException, VerifyException):
        return None
    once = str(module).splitlines()
    run_passes(module, name)
    return "\n".join(unified_diff(once, str(module).splitlines(), n=0, lineterm=""))


def main() -> None:
    names = sys.argv[1:] or PASSES
    runs = failures = 0
    warnings.simplefilter("ignore")
    for path, text in parts():
        for name in names:
            if name == "lpt" and " lpt.intervals" in text:
                continue
            if (changed := change(text, name)) is None:
                continue
            runs += 1
            if changed and (path.name, name) not in REASONS:
                failures += 1
                print(f"{path}: {name}\n{changed}", flush=True)
    print(f"{runs} runs, {failures} failures; {time.process_time():.0f} s of CPU time")
    sys.exit(failures > 0)


if __name__ == "__main__":
    main()
