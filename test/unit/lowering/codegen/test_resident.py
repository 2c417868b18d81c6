"""What of LLVM's library may be dropped: what the file still says, and nothing else."""

import ctypes
from pathlib import Path

import pytest
from llvmlite import binding

from lowstream.lowering.codegen import resident

SMAPS = """\
1000-3000 r--p 00000000 fe:00 10                         /lib/libllvmlite.so
Size:                  8 kB
Anonymous:             0 kB
3000-9000 r-xp 00002000 fe:00 10                         /lib/libllvmlite.so
Rss:                  24 kB
Anonymous:             0 kB
9000-a000 r--p 00008000 fe:00 10                         /lib/libllvmlite.so
Anonymous:             4 kB
a000-b000 rw-p 00009000 fe:00 10                         /lib/libllvmlite.so
Anonymous:             0 kB
b000-c000 r-xp 00000000 fe:00 11                         /lib/libllvmlite.so.old
Anonymous:             0 kB
c000-d000 r-xp 00000000 00:00 0                          [vdso]
Anonymous:             0 kB
d000-e000 r-xp 00000000 fe:00 12                         /a folder/libllvmlite.so
Anonymous:             0 kB
"""


def test_only_what_is_as_in_the_file():
    """Not what the loader wrote relocations to, nor what may be written to, nor other files."""
    assert list(resident._unchanged(SMAPS, "libllvmlite.so")) == [
        (0x1000, 0x3000),
        (0x3000, 0x9000),
        (0xD000, 0xE000),
    ]


@pytest.mark.skipif(not resident.IS_HOST, reason="elsewhere nothing is dropped")
def test_llvm_works_without(monkeypatch: pytest.MonkeyPatch):
    binding.initialize_native_target()
    libc, dropped = ctypes.CDLL(None), list[int]()

    class Libc:
        def madvise(self, begin: ctypes.c_void_p, size: ctypes.c_size_t, advice: int) -> None:
            assert libc.madvise(begin, size, advice) == 0
            dropped.append(size.value)

    monkeypatch.setattr(resident.ctypes, "CDLL", lambda name: Libc())
    resident._drop_library.cache_clear()
    resident.drop_unneeded()
    size = (Path(binding.__file__).parent / resident.LIBRARY).stat().st_size
    assert size // 2 < sum(dropped) < size
    with binding.parse_assembly("define i32 @f() { ret i32 1 }") as module:
        assert "ret i32 1" in str(module)
