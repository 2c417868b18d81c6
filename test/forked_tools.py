"""
Lit's commands in forks of one process that has imported everything: a tool starts in milliseconds.

A RUN line still is what it says, each command a process with its own arguments, environment, pipes and
status; only the imports are made once. Forks end with `os._exit`, so that nothing of lit runs in them.
"""

import gc
import os
import subprocess
import sys
import traceback
import types
import warnings
from collections.abc import Mapping, Sequence
from importlib import import_module
from typing import Any

import lit.formats
import lit.TestRunner

from lowstream.dialects import DIALECTS, context
from lowstream.passes.registry import PASSES

FORKED = {"lowstream.tools.opt_tool": "lowstream.tools.opt_tool", "filecheck": "filecheck.main"}
"""What `-m` names, and the module whose `main` that calls; other commands of RUN lines are started as ever."""

WHEN_NEEDED = ("lowstream.passes.numerics", "lowstream.tools.opt.print_ir", "numpy.random")
"""What many of them import only when they need it."""


def run_as_main(module: str, words: Sequence[str], env: Mapping[str, str]) -> int:
    """The status of `python -P -m module words`, in this process."""
    sys.argv = [module, *words]
    os.environ.clear()
    os.environ.update(env)
    sys.stdin = open(0, encoding="utf-8")  # noqa: SIM115 - until the process ends
    sys.stdout = open(1, "w", encoding="utf-8")  # noqa: SIM115
    sys.stderr = open(2, "w", encoding="utf-8", buffering=1)  # noqa: SIM115
    warnings.simplefilter(env["PYTHONWARNINGS"])  # pyright: ignore[reportArgumentType]
    try:
        import_module(FORKED[module]).main()
    except SystemExit as end:
        return end.code if isinstance(end.code, int) else int(end.code is not None)
    except BaseException:  # noqa: BLE001 - as Python ends
        traceback.print_exc()
        return 1
    return 0


class ForkedProcess(subprocess.Popen[str]):
    """A process that does not go on to `exec` if its command is one of `FORKED`."""

    def __init__(self, args: list[str], *, env: dict[str, str], **options: Any):
        *python, module = args[:4]
        forked = python == [sys.executable, "-P", "-m"] and module in FORKED

        def run() -> None:
            # Popen's constructor returns when its own pipe is closed, here as by `exec`.
            os.closerange(3, os.sysconf("SC_OPEN_MAX"))
            status = run_as_main(module, args[4:], env)
            for stream in (sys.stdout, sys.stderr):
                stream.flush()
            os._exit(status)

        super().__init__(args, env=env, preexec_fn=run if forked else None, **options)


class ForkingSubprocess(types.ModuleType):
    """The module `subprocess` as lit sees it, with everything imported that forks need."""

    def __init__(self):
        super().__init__(subprocess.__name__)
        vars(self).update(vars(subprocess), Popen=ForkedProcess)
        for module in (*FORKED.values(), *WHEN_NEEDED):
            import_module(module)
        for info in PASSES:
            info.load()
        known = context()
        for dialect in ("builtin", "func", *DIALECTS):  # xDSL's other ones take seconds to import
            known.get_optional_dialect(dialect)
        gc.freeze()  # a fork's collector looks at, and so copies, nothing of this


class ForkedTools(lit.formats.ShTest):
    """Shell tests as lit has them, with `ForkedProcess` for its processes."""

    def __init__(self):
        super().__init__()
        self.prepare()  # in lit's own process: its workers are forks of it

    def prepare(self) -> None:
        if not isinstance(lit.TestRunner.subprocess, ForkingSubprocess):
            lit.TestRunner.subprocess = ForkingSubprocess()

    def execute(self, test: Any, litConfig: Any) -> Any:  # noqa: N803
        self.prepare()
        return super().execute(test, litConfig)
