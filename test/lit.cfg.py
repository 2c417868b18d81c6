"""How lit runs `test/filecheck`: which words call which tools, quoted, so that any path works."""

import os
import shlex
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Any

import lit.formats

from lowstream.test.forked_tools import ForkedTools

if TYPE_CHECKING:
    config: Any = ...

# The word in a RUN line, and the module that runs with this interpreter.
TOOLS = {
    "opt-tool": "lowstream.tools.opt_tool",
    "translate-tool": "lowstream.tools.translate_tool",
    "run-tool": "lowstream.tools.run_tool",
    "benchmark-tool": "lowstream.tools.benchmark_tool",
    "xdsl-opt": "xdsl.tools.xdsl_opt",
    "filecheck": "filecheck",
}

test = Path(__file__).parent
build = test.parent / "build" / "lit"

config.name = "lowstream"
# Coverage is measured by processes that start and end as Python's do.
config.test_format = (
    lit.formats.ShTest() if "COVERAGE_PROCESS_START" in os.environ else ForkedTools()
)
config.suffixes = [".mlir"]
config.excludes = ["unit"]
config.test_source_root = str(test)
config.test_exec_root = str(build)

# Tools come before paths, so that no path is taken for a tool.
word = r"(?<![\w./%-]){}(?![\w./-])"
python = f"{shlex.quote(sys.executable)} -P"  # -P: the folder a test runs in is not imported from
config.substitutions.append((word.format("python"), python))
for tool, module in TOOLS.items():
    config.substitutions.append((word.format(tool), f"{python} -m {module}"))
# lit's own substitutions follow, and put the path where `%/s` stands.
for path in "sSpt":
    config.substitutions.append((f"%{path}", f'"%/{path}"'))

config.environment["PYTHONWARNINGS"] = "error"
# What a test compiles is found neither by the next one nor by the user.
config.environment["XDG_CACHE_HOME"] = str(build / "cache")
for name, value in os.environ.items():
    if name.startswith(("COVERAGE_", "LOWSTREAM_", "PYTHONPATH")):
        config.environment[name] = value
