"""
Compares the kernels of the networks in build/networks with their meaning, on each instruction set of this CPU.

    python test/soak/kernels.py ["MobileNetV3.int8" …] [--threads 2 | --emulated] [--again]

Each is a process of its own, which a wrong kernel may end. Kernels whose code agreed before are not compared again:
build/kernels.json has digests of it (`network.py`). The smallest networks come first. The exit status is 1 if one
differs.
"""

from __future__ import annotations

import argparse
import os
import subprocess
import sys
import time
from collections.abc import Iterator, Sequence
from pathlib import Path

from lowstream.lowering.machine import ENVIRONMENT, NEON_DOT, available_isas
from lowstream.test.soak.network import arguments
from lowstream.tools.table import print_table

FOLDER = Path(__file__).parents[2] / "build" / "networks"

NETWORK = Path(__file__).with_name("network.py")

RECORD = FOLDER.parent / "kernels.json"


def failure_of(network: Path, isa: str, options: Sequence[str]) -> str:
    """What is said of the kernel that differs; empty if none does."""
    command = [sys.executable, "-P", str(NETWORK), str(network), str(RECORD), *options]
    done = subprocess.run(
        command, env=os.environ | {ENVIRONMENT: isa}, capture_output=True, text=True, check=False
    )
    if not done.returncode:
        print(f"{network.stem} {isa}: {done.stdout.splitlines()[-1]}", flush=True)
        return ""
    return done.stderr.strip() or f"ended with {done.returncode}"


def compared(network: Path, isas: Sequence[str], options: Sequence[str]) -> Iterator[str]:
    """A cell for each instruction set: the seconds, or that kernels differ, which is said at once."""
    for isa in isas:
        begin = time.monotonic()
        if failure := failure_of(network, isa, options):
            print(f"{network.stem} {isa}: {failure}", flush=True)
            yield "differs"
        else:
            yield f"{time.monotonic() - begin:.0f}"


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, parents=[arguments()])
    parser.add_argument("networks", nargs="*", help="names of files without .xml (default: all)")
    options = parser.parse_args()
    files = sorted(FOLDER.glob("*.xml"), key=lambda path: path.with_suffix(".bin").stat().st_size)
    built = {path.stem: path for path in files}
    if not built:
        sys.exit(f"There are no networks in {FOLDER}: run python bench/build_networks.py first")
    if unknown := [name for name in options.networks if name not in built]:
        sys.exit(f"{unknown[0]} is not in {FOLDER}; there are {', '.join(built)}")
    isas = [isa.name for isa in available_isas(NEON_DOT.requires if options.emulated else None)]
    passed = [f"--threads={options.threads}", *["--emulated"] * options.emulated]
    passed += ["--again"] * options.again
    rows: list[list[str]] = []
    for name in options.networks or built:
        rows.append([name, *compared(built[name], isas, passed)])
        print(f"{' '.join(rows[-1])}: done", flush=True)
    print_table("seconds", ["network", *isas], rows)
    failed = sum(cell == "differs" for row in rows for cell in row)
    print(f"{len(rows)} networks on {', '.join(isas)}: {failed} differ")
    sys.exit(failed > 0)


if __name__ == "__main__":
    main()
