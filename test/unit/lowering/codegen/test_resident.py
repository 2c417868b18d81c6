"""What of LLVM's library may be dropped: what the file still says, and nothing else."""

import ctypes
from pathlib import Path

import pytest
from llvmlite import binding

from lowstream.lowering.codegen import resident

MAPS = """\
1000-3000 r--p 00000000 fe:00 10                         /lib/libllvmlite.so
3000-9000 r-xp 00002000 fe:00 10                         /lib/libllvmlite.so
9000-a000 r--p 00008000 fe:00 10                         /lib/libllvmlite.so
a000-b000 r--p 00009000 fe:00 10                         /lib/libllvmlite.so
b000-c000 rw-p 0000a000 fe:00 10                         /lib/libllvmlite.so
c000-d000 rw-p 00000000 00:00 0
d000-e000 r-xp 00000000 fe:00 11                         /lib/libllvmlite.so.old
e000-f000 r-xp 00000000 00:00 0                          [vdso]
f0000-f2000 r-xp 00000000 fe:00 12                       /a folder/libllvmlite.so
f2000-f3000 r--p 00002000 fe:00 12                       /a folder/libllvmlite.so
f3000-f4000 rw-p 00003000 fe:00 12                       /a folder/libllvmlite.so
"""


def test_only_what_is_as_in_the_file():
    """Not what the loader wrote relocations to, nor what may be written to, nor other files."""
    assert list(resident._unchanged(MAPS, "libllvmlite.so")) == [
        (0x1000, 0x3000),
        (0x3000, 0x9000),
        (0x9000, 0xA000),
        (0xF0000, 0xF2000),
    ]


@pytest.mark.skipif(not resident.IS_HOST, reason="elsewhere nothing is dropped")
def test_what_the_loader_has_written_is_kept():
    """As smaps says, which has these pages as anonymous."""
    binding.initialize_native_target()
    dropped = dict(resident._unchanged(resident.MAPS.read_text(), resident.LIBRARY))
    begin = 0
    for line in Path("/proc/self/smaps").read_text().splitlines():
        if head := resident._HEAD.fullmatch(line):
            begin = int(head[1], 16)
        elif line.startswith("Anonymous:") and begin in dropped:
            assert line.split()[1] == "0"
            del dropped[begin]
    assert not dropped


@pytest.mark.skipif(not resident.IS_HOST, reason="elsewhere nothing is dropped")
def test_llvm_works_without(monkeypatch: pytest.MonkeyPatch):
    binding.initialize_native_target()
    libc, dropped = ctypes.CDLL(None), list[int]()

    class Libc:
        def madvise(self, begin: ctypes.c_void_p, size: ctypes.c_size_t, advice: int) -> None:
            assert libc.madvise(begin, size, advice) == 0
            dropped.append(size.value)

    monkeypatch.setattr(resident.ctypes, "CDLL", lambda name: Libc())
    resident.drop_unneeded.cache_clear()
    resident.drop_unneeded()
    size = (Path(binding.__file__).parent / resident.LIBRARY).stat().st_size
    assert size // 2 < sum(dropped) < size
    with binding.parse_assembly("define i32 @f() { ret i32 1 }") as module:
        assert "ret i32 1" in str(module)
