"""`make kernels` says of each network and instruction set what a process of its own found, also if that was ended."""

import argparse
import os
import signal

import pytest
from xdsl.dialects.builtin import ModuleOp
from xdsl.utils.exceptions import DiagnosticException

from lowstream.lowering.machine import ENVIRONMENT
from lowstream.test.soak import kernels
from lowstream.test.soak.network import Network, Record

pytestmark = pytest.mark.filterwarnings("ignore:This process.*is multi-threaded:DeprecationWarning")


def test_each_instruction_set_has_a_process(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
):
    def compare(network: Network, record: Record, threads: int, again: bool) -> str:
        match os.environ[ENVIRONMENT]:
            case "right":
                print("a table")
            case "wrong":
                raise DiagnosticException("kernel.map 'x' differs")
            case _:
                os.kill(os.getpid(), signal.SIGKILL)
        return "1 of 2 kernels are new"

    monkeypatch.setattr(kernels, "compare", compare)
    options = argparse.Namespace(emulated=False, threads=1, again=False)
    network = Network("small", ModuleOp([]), [])
    found = list(kernels.compared(network, ["right", "wrong", "fatal"], options))
    assert found[1:] == ["differs", "differs"]
    assert found[0].isdecimal()
    printed = capsys.readouterr().out
    assert "small wrong: kernel.map 'x' differs\n" in printed
    assert "small fatal: ended with -9\n" in printed
