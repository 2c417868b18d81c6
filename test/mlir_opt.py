"""
Plain mlir-opt, the argument, reads what opt-tool prints: for each page of test/filecheck, the module as it is and as
the page's first command leaves it, in the generic form, and back. `make mlir` runs this.
"""

import shlex
import subprocess
import sys
import tempfile
from collections.abc import Iterator, Sequence
from contextlib import redirect_stderr, redirect_stdout
from io import StringIO
from pathlib import Path

from lowstream.tools import opt_tool

PAGES = Path(__file__).parent / "filecheck"

COMMON = ("--split-input-file", "--mlir-print-op-generic", "--allow-unregistered-dialect")


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


def wrong(mlir_opt: str, command: Sequence[str], folder: Path) -> str | None:
    """What mlir-opt says of a module, or we of what it prints; None where it is read."""
    if (text := printed(*command)) is None:
        return None
    done = subprocess.run(
        [mlir_opt, *COMMON], input=text, capture_output=True, text=True, check=False
    )
    if done.returncode:
        return done.stderr.splitlines()[0]
    back = folder / "back.mlir"
    back.write_text(done.stdout)
    return None if printed(str(back)) is not None else "opt-tool does not read it back"


def main() -> None:
    (mlir_opt,) = sys.argv[1:]
    count = failures = 0
    with tempfile.TemporaryDirectory() as folder:
        pages = [page for page in PAGES.rglob("*.mlir") if not page.name.startswith("invalid")]
        for page in sorted(page for page in pages if "opt_tool" not in page.parts):
            for command in commands(page):
                count += 1
                if said := wrong(mlir_opt, command, Path(folder)):
                    failures += 1
                    print(f"{shlex.join(command)}: {said}")
    print(f"{count} modules, {failures} that {mlir_opt} does not read")
    sys.exit(failures > 0)


if __name__ == "__main__":
    main()
