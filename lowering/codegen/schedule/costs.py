"""What register tiles cost on a core that computes and loads two vectors in a cycle: a model, not a measurement."""

from __future__ import annotations

from collections.abc import Sequence
from math import prod

from xdsl.utils.exceptions import DiagnosticException

from ...machine import FIRST_LEVEL_BYTES, SECOND_LEVEL_BYTES, Isa, Product

INDEPENDENT_ACCUMULATORS = 10
"""Accumulators that keep two pipelined units busy: latency 5 times 2 per cycle."""

MOST_VECTORS = 6
"""Vectors of weights that share a broadcast activation."""

EPILOGUE_CYCLES = 3
"""What the body costs for one vector of sums, about."""

START_CYCLES = 30
"""What a block costs beside that: filling and draining the pipelines."""

NEAR_BYTES = FIRST_LEVEL_BYTES // 2
"""Weights that stay in half the first-level cache; of more, a tile is fetched while the one before computes."""

FAR_BYTES = SECOND_LEVEL_BYTES
"""Weights of so much do not stay in the second-level cache."""


def panel_bytes(weights: int) -> int:
    """
    Bytes that the rows of a panel may have, operands and results. A panel goes through all tiles of weights before the
    next one does, and must stay in a nearer cache than the weights, which are read again for each panel.
    """
    if weights <= NEAR_BYTES:
        return NEAR_BYTES
    return 1 << 16 if weights < FAR_BYTES else FAR_BYTES


LONGEST_EPILOGUE = 1600
"""Operations of bodies at the end of a tile; for more, sums go through memory and a loop over positions."""


def most_rows(isa: Isa, vectors: int, products: int = 1) -> int:
    """Rows whose sums stay in registers, beside a step's weights, an activation and what an instruction needs."""
    return max(1, (isa.registers - 2 - vectors) // (vectors * products))


def check_lanes(what: str, isa: Isa, lanes: int) -> None:
    """Raises DiagnosticException where weights were packed for another instruction set."""
    if lanes != isa.lanes:
        raise DiagnosticException(
            f"{what} are packed for {lanes} lanes, {isa.name} has {isa.lanes}; run pack-weights for {isa.name}"
        )


def check_block(name: str, isa: Isa, vectors: int, block: Sequence[int], products: int = 1) -> None:
    """Raises DiagnosticException where the sums of a block that was decided before do not stay in registers."""
    if prod(block) > most_rows(isa, vectors, products):
        sums = " x ".join(map(str, (*block, vectors * products)))
        raise DiagnosticException(
            f"{name}: a block of {sums} vectors of sums does not fit into the {isa.registers} registers of "
            f"{isa.name}; run pack-weights for {isa.name}"
        )


def parts(size: int, block: int) -> list[tuple[int, int]]:
    """How many blocks there are of which size, if what is left over is a block as well."""
    whole, rest = divmod(size, block)
    return [(whole, block), (1, rest)] if rest else [(whole, block)]


def tiles_cycles(
    products: Sequence[Product],
    steps: Sequence[int],
    rows: int,
    vectors: int,
    units: int,
    groups: int = 1,
) -> float:
    """One block of rows with all tiles of `vectors` vectors; `steps` are those of each product."""
    return sum(
        count * block_cycles(products, steps, rows, width * groups)
        for count, width in parts(units, vectors)
    )


def block_cycles(
    products: Sequence[Product], steps: Sequence[int], rows: int, vectors: int
) -> float:
    """A sum waits for the one before, unless it is an integer: those have independent accumulators."""
    cycles = START_CYCLES + EPILOGUE_CYCLES * rows * vectors
    for product, count in zip(products, steps, strict=True):
        computing = rows * vectors + (rows if product.offset else 0)
        waiting = INDEPENDENT_ACCUMULATORS if product.kind[0][0] == "f" else 0
        cycles += count * max(computing, rows + vectors, waiting) / 2
    return cycles
