"""Linking object files gives what LLVM's linker gives, in memory that is never written and run."""

import ctypes
import re
import subprocess
import sys
from collections.abc import Iterable
from pathlib import Path

import pytest
from llvmlite import binding

from lowstream import compile_model
from lowstream.lowering.codegen import link, load
from lowstream.lowering.codegen.compile import machine_of
from lowstream.lowering.codegen.link import LinkedObjects, UnknownRelocationError
from lowstream.lowering.codegen.load import Library
from lowstream.lowering.machine import choose_isa
from lowstream.test.unit.runtime import runtime_models

pytestmark = [
    pytest.mark.host,
    pytest.mark.skipif(not link.IS_HOST, reason="LLVM's linker is the one used here"),
]

CALLS = """
declare i32 @abs(i32)
declare i32 @other(i32)
@counter = internal global i32 7
@empty = internal global [5 x i32] zeroinitializer
define i32 @entry(i32 %x) {
  %a = call i32 @abs(i32 %x)
  %b = call i32 @other(i32 %a)
  %n = load volatile i32, ptr @counter
  %m = add i32 %n, 1
  store volatile i32 %m, ptr @counter
  %z = load volatile i32, ptr getelementptr ([5 x i32], ptr @empty, i64 0, i64 4)
  %s = add i32 %m, %z
  %r = add i32 %b, %s
  ret i32 %r
}
"""
"""`|x|` of the process's library, a function of another object, and a variable that counts calls."""

OTHER = """
@table = internal constant [4 x ptr] [ptr @ten, ptr @twenty, ptr @ten, ptr @twenty]
define internal i32 @ten() { ret i32 10 }
define internal i32 @twenty() { ret i32 20 }
define i32 @other(i32 %i) {
  %p = getelementptr [4 x ptr], ptr @table, i64 0, i32 %i
  %f = load ptr, ptr %p
  %r = call i32 %f()
  ret i32 %r
}
"""
"""A table of addresses."""


def object_of(assembly: str) -> bytes:
    """An object file."""
    parsed = binding.parse_assembly(assembly)
    parsed.verify()
    return machine_of(choose_isa()).emit_object(parsed)


def called(library: Library, x: int) -> int:
    """The result of the entry."""
    return ctypes.CFUNCTYPE(ctypes.c_int, ctypes.c_int)(library["entry"])(x)


@pytest.mark.parametrize("linker", ["ours", "LLVM"])
def test_objects_find_each_other_their_data_and_the_process(
    linker: str, monkeypatch: pytest.MonkeyPatch
):
    def refuse(*_: object) -> None:
        pytest.fail("the other linker was used")

    monkeypatch.setattr(load, "IS_HOST", linker == "ours")
    monkeypatch.setattr(load, "_linked_by_llvm" if linker == "ours" else "LinkedObjects", refuse)
    library = Library(map(object_of, (CALLS, OTHER)), ["entry"])
    assert [called(library, x) for x in (0, -1, 2, -3)] == [10 + 8, 20 + 9, 10 + 10, 20 + 11]


def test_what_is_written_is_not_run():
    linked = LinkedObjects(map(object_of, (CALLS, OTHER)), link.address_in_process)
    assert list(rights_of(linked.addresses["entry"]))[:2] == ["r-x", "rw-"]
    linked.release()


def rights_of(address: int) -> Iterable[str]:
    """What may be done with the pages from this one on."""
    for line in Path("/proc/self/maps").read_text().splitlines():
        begin, end, rights = re.split("[- ]", line, maxsplit=2)
        if int(begin, 16) <= address < int(end, 16):
            yield rights[:3]
            address = int(end, 16)


def test_what_is_released_is_gone():
    linked = LinkedObjects([object_of(OTHER)], link.address_in_process)
    address = linked.addresses["other"]
    linked.release()
    assert not list(rights_of(address))


def test_llvm_links_what_we_do_not_know():
    assembly = "@stdout = external global ptr\ndefine ptr @entry() { ret ptr @stdout }"
    code = object_of(assembly)
    with pytest.raises(UnknownRelocationError):
        LinkedObjects([code], link.address_in_process)
    assert Library([code], ["entry"])["entry"]


def test_threads_may_run_until_the_process_ends():
    script = (
        "import ctypes, threading; from lowstream.test.unit.lowering.codegen import test_link as t;"
        "library = t.Library([t.object_of('define i32 @entry(i32 %x) {\\n br label %l\\nl:\\n br label %l\\n}')],"
        "['entry']); threading.Thread(target=t.called, args=(library, 0), daemon=True).start()"
    )
    found = subprocess.run([sys.executable, "-P", "-c", script], check=False)
    assert found.returncode == 0


def test_a_model_is_linked_without_llvm(monkeypatch: pytest.MonkeyPatch):
    executable = compile_model(runtime_models.module(runtime_models.SUMS)).executable()
    monkeypatch.setattr(load, "_linked_by_llvm", None)
    load.LoadedProgram(map(bytes, executable.objects), executable.threads)
