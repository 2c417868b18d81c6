"""
The loops of a register tile as assembly for x86-64: one call in LLVM IR in place of thousands of instructions. LLVM
takes some 25 microseconds for an instruction, and half of the instructions of a kernel that multiplies are in its inner
loops.
"""

from __future__ import annotations

from dataclasses import dataclass

from ...machine import Isa, ProductInstruction
from .. import ir
from ..run_time import table_of
from ..vectors import I8, I64, POINTER, splat
from .paired_steps import LOADS, MULTIPLY_WORDS
from .tile import Tile
from .tile_text import MACS, MULTIPLY_BYTES, TileText

PAIR_BYTES = 4
"""Bytes of two steps, which are broadcast together."""

MASK_BYTES, NO_BYTE = 32, 0x80
"""A mask of `vpshufb`, and what in it gives 0."""

GENERAL_REGISTERS = 13
"""
General registers of x86-64 without the stack pointer, the frame pointer, and the base pointer that LLVM uses in frames
with aligned variables.
"""


@dataclass(frozen=True)
class TileInputs:
    """
    The inputs of a tile: where LHS and RHS begin; how many bytes after the RHS cache lines are prefetched; where the
    numbers of counted loops are; the table of numbers that are known only at run time; memory on the stack, if the sums
    go there.
    """

    x: ir.Value
    y: ir.Value
    prefetched: ir.Value | None = None
    counted: ir.Value | None = None
    table: ir.Value | None = None
    stored: ir.Value | None = None


def has_assembly(isa: Isa, product: ProductInstruction) -> bool:
    """Whether there is assembly for a product, if not for all its tiles."""
    mac = product.mac
    if mac.matched:
        return isa.vector == "ymm"
    if mac.name == MULTIPLY_WORDS:
        return isa.vector == "ymm" and all(element in LOADS for element in product.kind)
    is_known = mac.name == MACS.get(mac.kr) and (mac.kr > 1 or product.kind == ("f32", "f32"))
    return isa.vector in ("ymm", "zmm") and is_known


def is_written(isa: Isa, tile: Tile) -> bool:
    """Whether there is assembly for a tile, and registers enough."""
    mac, vectors = MACS[tile.kr], ("ymm", "zmm")
    if tile.widened is not None or tile.matched:
        mac, vectors = MULTIPLY_BYTES if tile.matched else MULTIPLY_WORDS, ("ymm",)
    has = isa.vector in vectors and any(each.name == mac for each in isa.macs)
    whole = all(each.count != 0 for each in tile.loops[:-1])
    room = tile.registers <= isa.registers and tile.general_registers <= GENERAL_REGISTERS
    return has and whole and room and tile.fits


def emit_tile(
    b: ir.IRBuilder, isa: Isa, tile: Tile, given: TileInputs, type: ir.VectorType
) -> list[ir.Value]:
    """
    The sums, by accumulator, column and row. If they go to memory, there are none here: those of all accumulators
    together are stored by row and column.
    """
    text = TileText(isa, tile)
    general = text.general
    results: list[ir.Type] = [*[type] * text.vectors, POINTER, POINTER, *[I64] * general]
    arguments = [given.x, given.y]
    fixed = [f"=&{{{register}}}" for register in text.registers]
    outputs = [*fixed, *["=&r"] * (2 + general)]
    inputs = [str(text.vectors), str(text.vectors + 1)]
    for value in (given.table if tile.has_table else None, given.prefetched, given.counted):
        if value is not None:
            arguments.append(value)
            inputs.append("r")
    if tile.offset:
        arguments.append(splat(I8, tile.kr * isa.lanes, tile.offset))
        inputs.append("v")
    stored = [] if given.stored is None else [given.stored]
    for place in (*stored, *_masks(b, tile)):
        arguments.append(ir.Value(place.type, f"elementtype({type.text}) {place.name}"))
        inputs.append("*m")
    clobbered = ["~{memory}", "~{flags}"]
    signature = ir.FunctionType(
        b.module.struct(*results), [argument.type for argument in arguments]
    )
    assembly = text.write(given.prefetched is not None, given.stored is not None)
    constraints = ",".join([*outputs, *inputs, *clobbered])
    found = b.asm(signature, assembly, constraints, arguments)
    return [b.extract_value(found, n) for n in range(0 if given.stored else tile.sums)]


def _masks(b: ir.IRBuilder, tile: Tile) -> list[ir.Value]:
    """
    Where the masks of `vpshufb` lie that make words of the first two of four bytes, and of the last two: in their lower
    halves; in their upper halves where they have signs.
    """
    if tile.widened is None or not tile.widens_lhs:
        return []
    found: list[ir.Value] = []
    for first in (0, 2):
        words = [
            [n, NO_BYTE] if tile.widened[0] == "u8" else [NO_BYTE, n] for n in (first, first + 1)
        ]
        mask = bytes([byte for word in words for byte in word] * (MASK_BYTES // PAIR_BYTES))
        numbers = memoryview(mask).cast("q").tolist()
        found.append(table_of(b, numbers, MASK_BYTES))
    return found
