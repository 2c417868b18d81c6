"""Executables are the same after they were bytes."""

from dataclasses import fields

from lowstream.passes.shapes.partial_shape import Shape
from lowstream.runtime.cache.packed import pack, unpack
from lowstream.runtime.executable import Executable, Kernel, Origin, State, StateQuantization
from lowstream.runtime.ports import Port

PORT = Port("state", ("s", "alias"), Shape((2, -1)), "float32", False, ((1, 3),), ((2, 2), (1, 5)))
STATE = State(
    PORT,
    assigned=True,
    init=bytes(8),
    current=(2, 4),
    following=(2, 5),
    quantization=StateQuantization("int8", [[0.5], [0.25]], 3),
    flag=1,
    sizes=((1, 2),),
    in_place=True,
)
KERNEL = Kernel("k", (Origin("sum", "Add", True),), "f32", (2, 4), ("u8", "i8"), 7)
WHOLE = Executable(
    cpu="Zen 4",
    isa="avx512_vnni",
    threads=2,
    inputs=(PORT,),
    outputs=(PORT, PORT),
    states=(STATE,),
    kernels=(KERNEL,),
    arena_bytes=64,
    failures=("too few",),
    objects=(b"code", b"more"),
    weights=b"weights",
    aliases=((0, 1),),
)


def test_every_field_comes_back():
    for each in (WHOLE, STATE, PORT, KERNEL):
        kept = [one for one in fields(each) if one.compare]
        assert [one.name for one in kept if getattr(each, one.name) == one.default] == []
    assert unpack(pack(WHOLE)) == WHOLE
