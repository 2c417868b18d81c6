"""
Plain mlir-opt, the argument, reads what opt-tool prints: for each page of test/filecheck, the module as it is and as
the page's first command leaves it, in the generic form, and back. `make mlir` runs this.
"""

import re
import shlex
import subprocess
import sys
import tempfile
from bisect import bisect_right
from collections.abc import Iterator
from contextlib import redirect_stderr, redirect_stdout
from io import StringIO
from itertools import accumulate
from pathlib import Path

from lowstream.tools import opt_tool

PAGES = Path(__file__).parent / "filecheck"

COMMON = ("--split-input-file", "--mlir-print-op-generic", "--allow-unregistered-dialect")


SAID = re.compile(r"within split at <stdin>:(\d+) offset :\d+:\d+: (error: .*)")
"""What it says of a part, by the line that the part begins with."""


def printed(*words: str) -> str | None:
    """What opt-tool prints, None where it fails."""
    out = StringIO()
    with redirect_stdout(out), redirect_stderr(StringIO()):
        try:
            opt_tool.main([*words, *COMMON])
        except SystemExit:
            return None
    return out.getvalue()


def commands(page: Path) -> Iterator[list[str]]:
    """No passes, then those of the first command that has some and makes no files."""
    yield [str(page)]
    for line in page.read_text().splitlines():
        _, mark, command = line.partition("RUN: opt-tool ")
        if mark and "%t" not in command:
            words = shlex.split(command.split("|")[0].split(">")[0])
            flags = [word for word in words if word not in ("%s", *COMMON)]
            if flags and not any("%" in flag for flag in flags):
                yield [str(page), *flags]
                return


def main() -> None:
    (mlir_opt,) = sys.argv[1:]
    pages = [page for page in sorted(PAGES.rglob("*.mlir")) if not page.name.startswith("invalid")]
    every = [each for page in pages if "opt_tool" not in page.parts for each in commands(page)]
    modules = [(command, text) for command in every if (text := printed(*command)) is not None]
    lines = list(accumulate((text.count("\n") + 1 for _, text in modules), initial=1))
    done = subprocess.run(
        [mlir_opt, *COMMON],
        input="// -----\n".join(text for _, text in modules),
        capture_output=True,
        text=True,
        check=False,
    )
    for line, what in SAID.findall(done.stderr):
        print(f"{shlex.join(modules[bisect_right(lines, int(line)) - 1][0])}: {what}")
    with tempfile.TemporaryDirectory() as folder:
        back = Path(folder) / "back.mlir"
        back.write_text(done.stdout)
        is_read = printed(str(back)) is not None
    print(f"{len(modules)} modules; {mlir_opt} ends with {done.returncode}")
    print(f"what it prints is {'' if is_read else 'not '}read by opt-tool")
    sys.exit(done.returncode or not is_read)


if __name__ == "__main__":
    main()
