"""A progress bar on a terminal, and nothing elsewhere."""

import sys

import pytest
from xdsl.dialects.builtin import ModuleOp
from xdsl.transforms.dead_code_elimination import DeadCodeElimination

from lowstream.dialects import context
from lowstream.passes.instrumentation import apply_pass, tracked
from lowstream.tools import progress


def run() -> None:
    with progress.progress("m.mlir"):
        apply_pass(DeadCodeElimination(), context(), ModuleOp([]))
        list(tracked("ab", "packing"))


class AtOnce:
    """A timer whose time is up."""

    def __init__(self, _: float, show: object):
        assert callable(show)
        self.start, self.daemon = show, False

    def cancel(self) -> None:
        pass


class Never(AtOnce):
    """A timer that is stopped before its time."""

    def __init__(self, moment: float, show: object):
        super().__init__(moment, show)
        self.start = self.cancel


def test_passes_and_parts_are_shown(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
):
    monkeypatch.setenv("TTY_COMPATIBLE", "1")
    monkeypatch.setattr(progress, "Timer", AtOnce)
    run()
    assert capsys.readouterr() == ("", "")
    monkeypatch.setattr(sys.stderr, "isatty", lambda: True)
    run()
    out, err = capsys.readouterr()
    assert not out
    assert "m.mlir: packing" in err
    assert err.endswith("\x1b[1A\x1b[2K")  # it is cleared


def test_nothing_is_shown_of_a_moment(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
):
    monkeypatch.setattr(progress, "Timer", Never)
    monkeypatch.setattr(sys.stderr, "isatty", lambda: True)
    run()
    assert capsys.readouterr() == ("", "")


def test_parts_are_told():
    told: list[tuple[str, float]] = []

    class Told(progress.PassInstrumentation):
        def advanced(self, what: str, done: float) -> None:
            told.append((what, done))

    with progress.instrumented(Told()):
        assert list(tracked("abcd", "letters")) == list("abcd")
    assert told == [("letters", done) for done in (0, 0.25, 0.5, 0.75)]
