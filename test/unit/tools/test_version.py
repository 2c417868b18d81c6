"""Every tool says whose version it is of."""

from collections.abc import Callable, Sequence
from importlib.metadata import version

import pytest

from lowstream.tools import benchmark_tool, command, opt_tool, run_tool, translate_tool

Main = Callable[[Sequence[str]], None]
TOOLS = {
    "opt-tool": opt_tool.main,
    "translate-tool": translate_tool.main,
    "run-tool": run_tool.main,
    "benchmark-tool": benchmark_tool.main,
    "lowstream": command.main,
}


@pytest.mark.parametrize("flag", ["--version", "-v"])
@pytest.mark.parametrize("main", TOOLS.values(), ids=TOOLS)
def test_version(main: Main, flag: str, capsys: pytest.CaptureFixture[str]):
    with pytest.raises(SystemExit) as end:
        main([flag])
    assert end.value.code == 0
    ours, theirs = version("lowstream"), f"xDSL {version('xdsl')}, llvmlite {version('llvmlite')}"
    assert capsys.readouterr().out == f"lowstream {ours} ({theirs})\n"
