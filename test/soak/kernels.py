"""
Compares the kernels of the networks in build/networks with their meaning, on each instruction set of this CPU.

    python test/soak/kernels.py ["MobileNetV3.int8" …] [--threads 2 | --emulated] [--again]

Each is a process of its own, which a wrong kernel may end. What agreed is kept in build/kernels.json for the compiler
that it was tried with: a run that was ended goes on where it was, unless `--again` is said. The smallest networks come
first. The exit status is 1 if one differs.
"""

from __future__ import annotations

import argparse
import json
import os
import subprocess
import sys
import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from lowstream.lowering.machine import ENVIRONMENT, NEON_DOT, available_isas
from lowstream.runtime.cache.keys import digest_of_compiler
from lowstream.tools.table import print_table

FOLDER = Path(__file__).parents[2] / "build" / "networks"

RUN_TOOL = "from lowstream.tools.run_tool import main; main()"
EMULATED = "from lowstream.test.emulated.target import emulate; emulate(); " + RUN_TOOL


@dataclass
class Agreed:
    """The seconds that networks took whose kernels agreed, in a file."""

    file: Path
    seconds: dict[str, float]

    @classmethod
    def of(cls, file: Path, again: bool) -> Agreed:
        """What the file has of this compiler, which may be nothing."""
        kept = json.loads(file.read_text()) if file.exists() and not again else {}
        is_ours = kept.get("compiler") == digest_of_compiler()
        return cls(file, kept["seconds"] if is_ours else {})

    def keep(self, run: str, seconds: float) -> None:
        self.seconds[run] = seconds
        kept = {"compiler": digest_of_compiler(), "seconds": self.seconds}
        unfinished = self.file.with_suffix(".unfinished")
        unfinished.write_text(json.dumps(kept, indent=1))
        unfinished.replace(self.file)


def failure_of(run_tool: str, network: Path, isa: str, threads: int) -> str:
    """What `run-tool` says of the kernel that differs; empty if none does."""
    command = [sys.executable, "-P", "-c", run_tool]
    command += [str(network), "--bisect-kernels", "--threads", str(threads)]
    done = subprocess.run(
        command, env=os.environ | {ENVIRONMENT: isa}, capture_output=True, text=True, check=False
    )
    if not done.returncode:
        return ""
    return done.stderr.strip() or f"ended with {done.returncode}"


def compared(
    network: Path, isas: Sequence[str], options: argparse.Namespace, agreed: Agreed
) -> Iterator[str]:
    """A cell for each instruction set: the seconds, or that kernels differ, which is said at once."""
    for isa in isas:
        run = f"{network.stem} {isa} {options.threads}"
        if (seconds := agreed.seconds.get(run)) is None:
            begin = time.monotonic()
            run_tool = EMULATED if options.emulated else RUN_TOOL
            if failure := failure_of(run_tool, network, isa, options.threads):
                print(f"{isa}: {failure}", flush=True)
                yield "differs"
                continue
            seconds = time.monotonic() - begin
            agreed.keep(run, seconds)
        yield f"{seconds:.0f}"


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("networks", nargs="*", help="names of files without .xml (default: all)")
    parser.add_argument("--threads", type=int, default=1)
    parser.add_argument("--emulated", action="store_true", help="on an emulated CPU of AArch64")
    parser.add_argument("--again", action="store_true", help="also what agreed before")
    options = parser.parse_args()
    files = sorted(FOLDER.glob("*.xml"), key=lambda path: path.with_suffix(".bin").stat().st_size)
    built = {path.stem: path for path in files}
    if not built:
        sys.exit(f"There are no networks in {FOLDER}: run python bench/build_networks.py first")
    if unknown := [name for name in options.networks if name not in built]:
        sys.exit(f"{unknown[0]} is not in {FOLDER}; there are {', '.join(built)}")
    isas = [isa.name for isa in available_isas(NEON_DOT.requires if options.emulated else None)]
    agreed = Agreed.of(FOLDER.parent / "kernels.json", options.again)
    rows: list[list[str]] = []
    for name in options.networks or built:
        rows.append([name, *compared(built[name], isas, options, agreed)])
        print(f"{' '.join(rows[-1])}: done", flush=True)
    print_table("seconds", ["network", *isas], rows)
    failed = sum(cell == "differs" for row in rows for cell in row)
    print(f"{len(rows)} networks on {', '.join(isas)}: {failed} differ")
    sys.exit(failed > 0)


if __name__ == "__main__":
    main()
