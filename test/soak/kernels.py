"""
Compares the kernels of the networks in build/networks with their meaning, on each instruction set of this CPU.

    python test/soak/kernels.py ["MobileNetV3.int8" …] [--threads 2 | --emulated] [--again]

Each is a process of its own, which a wrong kernel may end. Kernels whose code agreed before are not compared again:
build/kernels.json has digests of it (`network.py`); after a change to what kernels mean, say `--again`. The smallest
networks come first. The exit status is 1 if one differs.
"""

from __future__ import annotations

import argparse
import os
import sys
import time
from collections.abc import Iterator, Sequence
from contextlib import redirect_stdout
from io import StringIO
from multiprocessing import get_context
from multiprocessing.connection import Connection
from pathlib import Path

from xdsl.utils.exceptions import DiagnosticException

from lowstream.lowering.machine import ENVIRONMENT, NEON_DOT, available_isas
from lowstream.test.soak.network import Network, Record, compare
from lowstream.tools.table import print_table

FOLDER = Path(__file__).parents[2] / "build" / "networks"

RECORD = FOLDER.parent / "kernels.json"


def failure_of(network: Network, isa: str, options: argparse.Namespace) -> str:
    """What a process of its own says of the kernel that differs; empty if none does."""
    fork = get_context("fork")
    answers, answer = fork.Pipe(duplex=False)
    child = fork.Process(target=_compare, args=(network, isa, options, answer))
    child.start()
    answer.close()
    try:
        failure: str = answers.recv()
    except EOFError:
        failure = ""
    child.join()
    return f"ended with {child.exitcode}" if child.exitcode else failure


def _compare(
    network: Network, isa: str, options: argparse.Namespace, answer: Connection[str]
) -> None:
    os.environ[ENVIRONMENT] = isa
    if options.emulated:
        from lowstream.test.emulated.target import emulate

        emulate()
    try:
        with redirect_stdout(StringIO()):
            found = compare(network, Record(RECORD), options.threads, options.again)
    except DiagnosticException as error:
        answer.send(str(error))
    else:
        answer.send("")
        print(f"{network.name} {isa}: {found}", flush=True)


def compared(network: Network, isas: Sequence[str], options: argparse.Namespace) -> Iterator[str]:
    """A cell for each instruction set: the seconds, or that kernels differ, which is said at once."""
    for isa in isas:
        begin = time.monotonic()
        if failure := failure_of(network, isa, options):
            print(f"{network.name} {isa}: {failure}", flush=True)
            yield "differs"
        else:
            yield f"{time.monotonic() - begin:.0f}"


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("networks", nargs="*", help="names of files without .xml (default: all)")
    parser.add_argument("--threads", type=int, default=1)
    parser.add_argument("--emulated", action="store_true", help="on an emulated CPU of AArch64")
    parser.add_argument("--again", action="store_true", help="also kernels that agreed before")
    options = parser.parse_args()
    files = sorted(FOLDER.glob("*.xml"), key=lambda path: path.with_suffix(".bin").stat().st_size)
    built = {path.stem: path for path in files}
    if not built:
        sys.exit(f"There are no networks in {FOLDER}: run python bench/build_networks.py first")
    if unknown := [name for name in options.networks if name not in built]:
        sys.exit(f"{unknown[0]} is not in {FOLDER}; there are {', '.join(built)}")
    isas = [isa.name for isa in available_isas(NEON_DOT.requires if options.emulated else None)]
    rows: list[list[str]] = []
    for name in options.networks or built:
        rows.append([name, *compared(Network.read(built[name]), isas, options)])
        print(f"{' '.join(rows[-1])}: done", flush=True)
    print_table("seconds", ["network", *isas], rows)
    failed = sum(cell == "differs" for row in rows for cell in row)
    print(f"{len(rows)} networks on {', '.join(isas)}: {failed} differ")
    sys.exit(failed > 0)


if __name__ == "__main__":
    main()
