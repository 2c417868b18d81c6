"""
Compares the kernels of the networks in build/networks with their meaning, on each instruction set of this CPU.

    python test/soak/kernels.py ["MobileNetV3.int8" …] [--threads 2 | --emulated]

Each is a process of its own, which a wrong kernel may end. The exit status is 1 if one differs.
"""

from __future__ import annotations

import argparse
import os
import subprocess
import sys
import time
from pathlib import Path

from lowstream.lowering.machine import ENVIRONMENT, NEON_DOT, available_isas

FOLDER = Path(__file__).parents[2] / "build" / "networks"

RUN_TOOL = "from lowstream.tools.run_tool import main; main()"
EMULATED = "from lowstream.test.emulated.target import emulate; emulate(); " + RUN_TOOL


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


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("networks", nargs="*", help="names of files without .xml (default: all)")
    parser.add_argument("--threads", type=int, default=1)
    parser.add_argument("--emulated", action="store_true", help="on an emulated CPU of AArch64")
    options = parser.parse_args()
    built = {path.stem: path for path in sorted(FOLDER.glob("*.xml"))}
    if not built:
        sys.exit(f"There are no networks in {FOLDER}: run python bench/build_networks.py first")
    if unknown := [name for name in options.networks if name not in built]:
        sys.exit(f"{unknown[0]} is not in {FOLDER}; there are {', '.join(built)}")
    chosen = options.networks or list(built)
    run_tool = EMULATED if options.emulated else RUN_TOOL
    isas = [isa.name for isa in available_isas(NEON_DOT.requires if options.emulated else None)]
    begin, failed = time.monotonic(), 0
    for name in chosen:
        for isa in isas:
            if failure := failure_of(run_tool, built[name], isa, options.threads):
                failed += 1
                print(f"{isa}: {failure}", flush=True)
        print(f"{name}: done", flush=True)
    print(
        f"{len(chosen)} networks on {', '.join(isas)}: {failed} differ, {time.monotonic() - begin:.0f} s"
    )
    sys.exit(failed > 0)


if __name__ == "__main__":
    main()
