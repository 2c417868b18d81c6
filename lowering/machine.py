"""
The machine as data: instruction sets, one record each. A new CPU is a new record in `ISAS`, not an `if` elsewhere.

A record says how wide vectors are, which multiply-accumulate instructions (`instructions.Mac`) there are for which
element types, and what LLVM may use.
"""

from __future__ import annotations

import os
from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cache

from xdsl.dialects.builtin import Float32Type, Float64Type, IntegerType
from xdsl.ir import Attribute
from xdsl.utils.exceptions import DiagnosticException

from ..dialects.elements import CODES, is_narrow_float, is_unsigned
from .instructions import (
    CODE_OF_WORD,
    DOT,
    FMA,
    LOADED_CODE,
    MULTIPLY_ADD,
    PACK,
    VPDPBUSD_256,
    VPDPBUSD_512,
    VPDPWSSD_256,
    VPDPWSSD_512,
    VPERMD,
    VPERMI2D,
    VPMADDUBSW_256,
    VPMADDUBSW_NARROW_256,
    VPMADDWD_256,
    VPMADDWD_512,
    WORD_CODES,
    Kind,
    Mac,
    Narrow,
    Permute,
)

ENVIRONMENT = "LOWSTREAM_ISA"
"""The environment variable that forces an instruction set."""

CACHE_LINE = 64

FIRST_LEVEL_BYTES, SECOND_LEVEL_BYTES = 48 << 10, 1 << 20
"""About the size of a core's caches."""

PANEL_BYTES = 1 << 16
"""Of rows that go through all weights together, where these stay in the second-level cache."""

LEAST_FIRST_LEVEL_BYTES, MOST_SECOND_LEVEL_BYTES = 32 << 10, 2 << 20
"""
The smallest and the largest caches of cores of these years: https://en.wikichip.org/wiki/amd/microarchitectures/zen_4
has 32 KiB and 1 MiB, https://en.wikichip.org/wiki/intel/microarchitectures/golden_cove 48 KiB and, in servers, 2 MiB.
"""

FIRST_LEVEL_WAYS, FIRST_LEVEL_WAY_BYTES = 8, 4 << 10
"""
The least associativity of the first-level cache, and the bytes of a way: of lines that lie a multiple of these apart,
it holds so many. Both cores above have ways of this size.
"""


@dataclass(frozen=True)
class ProductInstruction:
    """The multiply-accumulate that one product of a matrix kernel takes; `offset` is added to the 8-bit codes of a."""

    kind: Kind
    mac: Mac
    offset: int


@dataclass(frozen=True)
class Isa:
    """
    An instruction set: `requires` is what a host must have, `cpu` and `features` what LLVM gets.
    """

    name: str
    lanes: int  # of 32 bits in a vector
    registers: int
    macs: tuple[Mac, ...]  # the best first
    cpu: str
    features: str
    requires: frozenset[str]
    half: bool  # converts f16 in hardware
    narrow: Narrow | None = None
    permute: Permute | None = None
    vector: str = ""  # x86-64's name for its vector registers
    second_level_bytes: int = SECOND_LEVEL_BYTES  # of its cores' caches
    panel_bytes: int = PANEL_BYTES  # of a convolution's positions
    memory_bytes_per_cycle: int = 0  # that a core waits for; 0 where nobody measured it
    shorter: Isa | None = None  # vectors of half the length, two of whose FMAs are as fast as one

    def __hash__(self) -> int:
        """Of its name: schedules are cached by it, and all fields together have dozens of parts."""
        return hash((self.name, self.lanes))

    @property
    def has_evex(self) -> bool:
        """
        Whether instructions have the EVEX encoding: 32 registers, operands that are broadcast from memory, and lanes
        that are compressed.
        """
        return bool(self.vector) and self.registers == 32

    @property
    def lookup_operations(self) -> int:
        """About how many instructions a `kernel.lookup` takes for a vector."""
        if self.permute is None:
            return LOADED_CODE * self.lanes
        parts = CODES // WORD_CODES // (self.permute.lanes * self.permute.tables)
        masks, blends = 2 * (parts.bit_length() - 1), parts - 1
        return parts + masks + blends + CODE_OF_WORD

    def with_lanes(self, lanes: int) -> Isa:
        """The variant with shorter vectors if that has so many lanes, else this one."""
        return self.shorter if self.shorter and self.shorter.lanes == lanes else self

    def products(
        self,
        elements: Sequence[tuple[Attribute, Attribute]],
        kr: int | None = None,
        offsets: Sequence[int] | None = None,
        single_row: bool = False,
    ) -> tuple[ProductInstruction, ...]:
        """
        The fastest way to compute products of these elements (a, b) in one kernel: with one KR, since they share a
        packed layout. Codes times floats are products of floats. KR or the offsets of a may be decided already, or that
        weights are packed for a `single_row`. Raises DiagnosticException where there is none.
        """
        kinds = [kind_of(a, b) for a, b in elements]
        any_row = single_row or kr is not None
        macs = [mac for mac in self.macs if any_row or not mac.single_row]
        depths = {mac.kr for mac in macs} if kr is None else {kr}
        wanted = [None] * len(kinds) if offsets is None else offsets
        for each in sorted(depths, reverse=True):
            found = [self._product(macs, *one, each) for one in zip(kinds, wanted, strict=True)]
            products = tuple(product for product in found if product is not None)
            if len(products) == len(kinds):
                return products
        listed = ", ".join(f"{a} x {b}" for a, b in kinds)
        raise DiagnosticException(
            f"kernel.mat_mul: {self.name} has no way to sum products of {listed} in one kernel"
            + (
                "; convert the operands to f32 or to 8 bits"
                if kr is None
                else f" with {kr} elements of k at once"
            )
        )

    def _product(
        self, macs: Sequence[Mac], kind: Kind, offset: int | None, kr: int
    ) -> ProductInstruction | None:
        """Where only the other signedness is fast, `a` of i8 is read as u8, `a + 128`, and u8 as i8, `a - 128`."""
        for mac in macs:
            if mac.kr != kr:
                continue
            if offset in (None, 0) and kind in mac.kinds:
                return ProductInstruction(kind, mac, 0)
            shift, other = (128, "u8") if kind[0] == "i8" else (-128, "i8")
            is_code = kind[0] in ("i8", "u8")
            if offset in (None, shift) and is_code and (other, kind[1]) in mac.kinds:
                return ProductInstruction((other, kind[1]), mac, shift)
        return None


def kind_of(a: Attribute, b: Attribute) -> Kind:
    """The element types that are multiplied: where b has floats, codes of a are floats as well."""
    left, right = element_name(a), element_name(b)
    return (right, right) if right == "f32" and isinstance(a, IntegerType) else (left, right)


def element_name(element: Attribute) -> str:
    """The name of an element type in kinds: "u8", "i8", "f32". Integers of less than 8 bits take a byte."""
    match element:
        case IntegerType():
            sign = "u" if is_unsigned(element) else "i"
            return f"{sign}{max(element.width.data, 8)}"
        case Float32Type():
            return "f32"
        case Float64Type():
            return "f64"
        case _ if is_narrow_float(element):
            return "f32"
        case _:
            raise DiagnosticException(f"kernels have no elements of {element}; convert to f32")


AVX512_SHORT = Isa(
    name="avx512_vnni",
    lanes=8,
    registers=32,
    macs=(FMA,),
    cpu="x86-64-v4",
    features="+avx512vnni,-prefer-256-bit",
    requires=frozenset(
        {"avx512f", "avx512bw", "avx512dq", "avx512vl", "avx512vnni", "f16c", "fma"}
    ),
    half=True,
    permute=VPERMI2D,
    vector="ymm",
)
AVX512_VNNI = replace(
    AVX512_SHORT,
    lanes=16,
    macs=(VPDPBUSD_512, VPDPWSSD_512, VPMADDWD_512, FMA, MULTIPLY_ADD),
    narrow=PACK,
    vector="zmm",
    shorter=AVX512_SHORT,
)
AVX_VNNI = Isa(
    name="avx_vnni",
    lanes=8,
    registers=16,
    macs=(VPDPBUSD_256, VPDPWSSD_256, VPMADDWD_256, FMA, MULTIPLY_ADD),
    cpu="x86-64-v3",
    features="+avxvnni",
    requires=frozenset({"avx2", "fma", "f16c", "bmi2", "avxvnni"}),
    half=True,
    narrow=PACK,
    permute=VPERMD,
    vector="ymm",
)

ZEN_3_SECOND_LEVEL_BYTES, ZEN_3_MEMORY_BYTES_PER_CYCLE = 512 << 10, 4
"""
Of the last cores that have AVX2 and no VNNI: https://en.wikichip.org/wiki/amd/microarchitectures/zen_3. Memory's speed
is measured.
"""

AVX2 = replace(
    AVX_VNNI,
    name="avx2",
    macs=(VPMADDWD_256, FMA, MULTIPLY_ADD, VPMADDUBSW_256, VPMADDUBSW_NARROW_256),
    features="",
    requires=AVX_VNNI.requires - {"avxvnni"},
    second_level_bytes=ZEN_3_SECOND_LEVEL_BYTES,
    panel_bytes=ZEN_3_SECOND_LEVEL_BYTES // 2,
    memory_bytes_per_cycle=ZEN_3_MEMORY_BYTES_PER_CYCLE,
)
NEON_DOT = Isa(
    name="neon_dot",
    lanes=4,
    registers=32,
    macs=(DOT, FMA, MULTIPLY_ADD),
    cpu="generic",
    features="+neon,+dotprod",
    requires=frozenset({"neon", "dotprod"}),
    half=True,
)
PORTABLE = Isa(
    name="portable",
    lanes=4,
    registers=16,
    macs=(FMA, MULTIPLY_ADD),
    cpu="",
    features="",
    requires=frozenset(),
    half=False,
)

ISAS = (AVX512_VNNI, AVX_VNNI, AVX2, NEON_DOT, PORTABLE)
"""The best first; the last one runs everywhere."""

FEWEST_REGISTERS, MOST_LANES = min(isa.registers for isa in ISAS), max(isa.lanes for isa in ISAS)
"""For passes before `pack-weights`, which know no instruction set: what they choose is good on each."""


CPU_INFORMATION = "/proc/cpuinfo"

OF_LINUX = {"asimddp": "dotprod"}
"""
Features of AArch64 by Linux's names (https://docs.kernel.org/arch/arm64/elf_hwcaps.html) which LLVM 22 does not find.
"""


@cache
def host_features() -> frozenset[str]:
    """The features of this CPU, as LLVM names them."""
    from llvmlite import binding

    found = frozenset(name for name, has in binding.get_host_cpu_features().items() if has)
    try:
        with open(CPU_INFORMATION, encoding="utf-8", errors="replace") as file:
            return found | features_in(file.read())
    except OSError:
        return found


def features_in(information: str) -> frozenset[str]:
    """What Linux's information on a CPU adds to the features that LLVM finds."""
    lines = (line.partition(":") for line in information.splitlines())
    told = (value.split() for key, _, value in lines if key.strip() == "Features")
    return frozenset(OF_LINUX[name] for name in next(told, list[str]()) if name in OF_LINUX)


def available_isas(features: frozenset[str] | None = None) -> tuple[Isa, ...]:
    """The instruction sets of a CPU with these features (default: this one), the best first."""
    have = host_features() if features is None else features
    return tuple(isa for isa in ISAS if isa.requires <= have)


def choose_isa(name: str | None = None, features: frozenset[str] | None = None) -> Isa:
    """
    The best instruction set of this CPU, or the one called `name` (default: the value of LOWSTREAM_ISA). Raises
    DiagnosticException where there is none of that name or the CPU lacks it.
    """
    available = available_isas(features)
    wanted = os.environ.get(ENVIRONMENT, "") if name is None else name
    if not wanted:
        return available[0]
    for isa in available:
        if isa.name == wanted:
            return isa
    known = any(isa.name == wanted for isa in ISAS)
    problem = "is not supported by this CPU" if known else "is not an instruction set"
    listed = ", ".join(isa.name for isa in available)
    asked = f"{ENVIRONMENT}={wanted}" if name is None else f"isa={wanted}"
    raise DiagnosticException(f"{asked} {problem}; this machine has {listed}")


def planned_isa(name: str | None) -> Isa:
    """
    The instruction set to plan for, without running anything: the one called `name`, whatever this CPU has; for None
    that of `choose_isa`. Raises DiagnosticException where there is none of that name.
    """
    if name is None:
        return choose_isa()
    for isa in ISAS:
        if isa.name == name:
            return isa
    listed = ", ".join(isa.name for isa in ISAS)
    raise DiagnosticException(f"isa={name} is not an instruction set; there are {listed}")
