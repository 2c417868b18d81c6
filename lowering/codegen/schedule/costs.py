"""What register tiles cost on a core that computes and loads two vectors in a cycle: a model, not a measurement."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from math import prod

from xdsl.utils.exceptions import DiagnosticException

from ...machine import (
    CACHE_LINE,
    FIRST_LEVEL_BYTES,
    PANEL_BYTES,
    SECOND_LEVEL_BYTES,
    Isa,
    ProductInstruction,
)

INDEPENDENT_ACCUMULATORS = 10
"""Accumulators that keep two pipelined units busy: latency 5 times 2 per cycle."""

MOST_NR_VECTORS = 6
"""Vectors of weights that share a broadcast activation."""

EPILOGUE_CYCLES = 3
"""What the body costs for one vector of sums, about."""

START_CYCLES = 30
"""What a register tile costs beside that: filling and draining the pipelines."""

OVERLAPPING_SUMS = 14
"""Vectors of sums whose bodies wait in the scheduler all at once, while products of the next register tile go on."""

OVERLAPPING_START_CYCLES = 6
"""What a register tile of so few costs beside that."""

DRAIN_CYCLES = 1.1
"""What each further vector costs: the pipelines drain before the next register tile fills them."""

SHIFT_MACS = 0.25
"""
Multiply-accumulates in whose place a broadcast activation is shifted by its offset, on average: none on Zen 5, where
other units do it, one on Intel's cores.
"""

PRODUCT_CYCLES, OPERATION_CYCLES = 1 / 3.3, 1 / 3.8
"""
Those of a multiplication and of its addition where these are two operations, and of any operation: there are four units
on Zen 3, but those that multiply also add, so that multiplications wait.
"""

WORDS_CYCLES = 0.6
"""
Those of loading or broadcasting words where a multiplication and its addition are two operations: 13 rows of one vector
take up to 1.3 times as long as 6 of two, which load half as much.
"""

WIDENING = {"i16": 0, "u8": 1, "i8": 2}
"""Operations that make words of the elements of an activation, which is loaded with the mask of a shuffle then."""

MATCHED_REGISTERS = 3
"""Registers beside sums and weights where these are matched: for an activation, a product, and ones."""

LEAST_PAIRS = 4
"""Steps in an iteration where one load has the bytes of two."""

LOAD_CYCLES = 0.1
"""What is left of loading a vector of weights, which may come from the second-level cache."""

NEAR_BYTES = FIRST_LEVEL_BYTES // 2
"""Weights that stay in half the first-level cache; of more, a tile is fetched while the one before computes."""

FAR_BYTES = SECOND_LEVEL_BYTES
"""Weights of so much do not stay in the second-level cache."""

BYTES_PER_CYCLE = 24
"""
So many bytes of a tile's weights arrive in a cycle, about, where they do not stay in the first-level cache: a register
tile of few rows waits for them.
"""

LOADED = 1.2
"""
How much longer a step takes to load its weights and broadcast its elements than two loads in a cycle, where each load
is an instruction of its own.
"""

LINE_CYCLES = 10
"""
What a step costs whose vectors are a line of a matrix where it lies: nothing has fetched it ahead, and lines that are a
power of two apart compete for few places in the caches.
"""


@dataclass(frozen=True)
class Arrival:
    """Cycles that the weights of a step take to arrive: so many for the step, and for each of its vectors."""

    step: float = 0
    vector: float = 0

    def cycles(self, nr_vectors: int) -> float:
        """The cycles of a step of `nr_vectors` vectors."""
        return self.step + self.vector * nr_vectors


AT_ONCE = Arrival()
"""Weights in the first-level cache."""


def panel_bytes(weights: int, beside: int = PANEL_BYTES) -> int:
    """
    Bytes that the rows of a panel may have, operands and results; `beside` weights that stay in the second-level cache.
    A panel goes through all tiles of weights before the next one does, and must stay in a nearer cache than the
    weights, which are read again for each panel.
    """
    if weights <= NEAR_BYTES:
        return NEAR_BYTES
    return beside if weights < FAR_BYTES else FAR_BYTES


MOST_SHAPES = 1 << 10
"""The number of shapes whose register tiles are remembered: in a network, few differ."""

MOST_STEPS = 8
"""Steps in one iteration of an inner loop."""

LONGEST_EPILOGUE = 400
"""Operations of bodies at the end of a tile that are emitted one after the other."""


MOST_TOGETHER = 4
"""
Long bodies that take turns. While a division waits for what is before it, the scheduler holds little more than a body
(97 operations in that of Golden Cove); more bodies than these need more registers than there are.
"""


def epilogue_in_loop(sums: int, operations: int) -> bool:
    """Whether the sums of a tile, so many vectors, go through memory and a loop over positions: the body is long."""
    return sums > 1 and sums * operations > LONGEST_EPILOGUE


def largest_mr(
    isa: Isa,
    products: Sequence[ProductInstruction],
    nr_vectors: int,
    shuffles: int = 0,
    columns: int = 1,
) -> int:
    """
    Rows whose sums, of each of `columns`, stay in registers, beside a step's weights, an activation and what an
    instruction needs; or beside the weights and the orders of all `shuffles`. Of several products, the sums of one wait
    on the stack for those of the next: they have half of the registers, since where they are more, the body waits for
    the stack.
    """
    if len(products) > 1:
        return max(1, isa.registers // 2 // nr_vectors)
    if products[0].mac.matched:
        return max(1, (isa.registers - nr_vectors - MATCHED_REGISTERS) // nr_vectors)
    if products[0].mac.paired:
        return max(1, (isa.registers - pair_registers(nr_vectors)) // nr_vectors)
    others = 2 * shuffles + 1 if shuffles else nr_vectors + (not fills_registers(isa, products[0]))
    return max(1, (isa.registers - 1 - others) // (nr_vectors * columns))


def pair_registers(nr_vectors: int) -> int:
    """
    Registers of a pair of steps beside the sums: for the weights of both and for an activation of both, which is
    changed for the last vector, and copied for others.
    """
    return 2 * nr_vectors + (2 if nr_vectors == 1 else 4)


def fills_registers(isa: Isa, product: ProductInstruction) -> bool:
    """
    Whether register tiles may take all of the 16 registers, and do: those of f32 in assembly for x86-64. LLVM, which
    writes those of weights that are not packed, keeps a sum more on the stack.
    """
    return isa.vector == "ymm" and not isa.has_evex and product.kind[0] == "f32"


def unrolled_steps(
    isa: Isa, product: ProductInstruction, sums: int, nr_vectors: int, is_packed: bool
) -> int:
    """
    The most steps in one iteration of an inner loop beside so many vectors of sums. LLVM loads the weights of all steps
    first, which must have room in registers, or it would spill sums. Assembly loads those of one step at a time: that
    is what products with packed weights are, of floats or by `vpmaddwd`. With 16 registers, a step has so few
    multiply-accumulates that the end of an iteration takes a sixth of its time.
    """
    if is_packed and (fills_registers(isa, product) or product.mac.adds):
        return MOST_STEPS
    return max(1, (isa.registers - 1 - sums) // nr_vectors)


def independent_accumulators(products: Sequence[ProductInstruction], sums: int) -> int:
    """
    How many keep the units busy beside each other sum of integers. An addition of its own takes a cycle, and waits for
    no other.
    """
    if all(product.mac.adds for product in products):
        return 1
    return max(1, INDEPENDENT_ACCUMULATORS // sums)


def pairs_of_steps(unroll: int, steps: int) -> int:
    """Steps in an iteration where they come in pairs: a power of two, so that most depths leave none."""
    most = max(1, min(max(unroll, LEAST_PAIRS), steps))
    return 1 << most.bit_length() - 1


def odd_lines(count: int, bytes: int) -> int:
    """
    Elements of a row of `count`, of so many bytes each: whole cache lines, an odd number of them, so that rows lie in
    different sets of a cache.
    """
    per_line = CACHE_LINE // bytes
    return (-(-count // per_line) | 1) * per_line


def check_lanes(what: str, isa: Isa, lanes: int) -> None:
    """Raises DiagnosticException where weights were packed for another instruction set."""
    if lanes != isa.lanes:
        raise DiagnosticException(
            f"{what} are packed for {lanes} lanes, {isa.name} has {isa.lanes}; run pack-weights for {isa.name}"
        )


def check_mr(
    name: str, isa: Isa, products: Sequence[ProductInstruction], nr_vectors: int, mr: Sequence[int]
) -> None:
    """Raises DiagnosticException where the sums of a register tile that was decided before do not stay in registers."""
    if prod(mr) > largest_mr(isa, products, nr_vectors):
        sums = " x ".join(map(str, (*mr, nr_vectors * len(products))))
        raise DiagnosticException(
            f"{name}: a register tile of {sums} vectors of sums does not fit into the {isa.registers} registers of "
            f"{isa.name}; run pack-weights for {isa.name}"
        )


def parts(size: int, part: int) -> list[tuple[int, int]]:
    """How many parts there are of which size, if what is left over is one as well."""
    whole, rest = divmod(size, part)
    return [(whole, part), (1, rest)] if rest else [(whole, part)]


def tiles_cycles(
    isa: Isa,
    products: Sequence[ProductInstruction],
    steps: Sequence[int],
    mr: int,
    nr_vectors: int,
    units: int,
    groups: int = 1,
    arrival: Arrival = AT_ONCE,
    overlapping: bool = False,
) -> float:
    """
    `mr` rows with all tiles of `nr_vectors` vectors; `steps` are those of each product.
    """
    return sum(
        count * register_tile_cycles(isa, products, steps, mr, width * groups, arrival, overlapping)
        for count, width in parts(units, nr_vectors)
    )


def register_tile_cycles(
    isa: Isa,
    products: Sequence[ProductInstruction],
    steps: Sequence[int],
    mr: int,
    nr_vectors: int,
    arrival: Arrival,
    overlapping: bool,
) -> float:
    """
    A sum waits for the one before, unless it is an integer: those have independent accumulators. Register tiles may
    be `overlapping`: while the bodies of one are computed, the products of the next begin.
    """
    sums = mr * nr_vectors
    cycles = EPILOGUE_CYCLES * sums
    if overlapping:
        cycles += OVERLAPPING_START_CYCLES + DRAIN_CYCLES * max(0, sums - OVERLAPPING_SUMS)
        cycles += LOAD_CYCLES * nr_vectors * sum(steps)
    else:
        cycles += START_CYCLES
    for product, count in zip(products, steps, strict=True):
        computed = _step_cycles(isa, product, mr, nr_vectors)
        cycles += count * max(computed, arrival.cycles(nr_vectors))
    return cycles


def _step_cycles(isa: Isa, product: ProductInstruction, mr: int, nr_vectors: int) -> float:
    """The cycles in which the products of a step are computed, and its operands loaded."""
    sums = mr * nr_vectors
    if product.mac.matched:
        return max(3 * sums * OPERATION_CYCLES, (mr + nr_vectors) * WORDS_CYCLES)
    if product.mac.adds:
        widening = WIDENING.get(product.kind[0], 0)
        operations = 2 * sums + widening * mr + nr_vectors * (product.kind[1] != "i16")
        loads = nr_vectors + mr * (1 + (widening > 0))
        product_cycles = OPERATION_CYCLES if product.mac.paired else PRODUCT_CYCLES
        costs = ((2 * sums, product_cycles), (operations, OPERATION_CYCLES), (loads, WORDS_CYCLES))
        return max(count * cycles for count, cycles in costs)
    computing = sums + (SHIFT_MACS * mr if product.offset else 0)
    waiting = INDEPENDENT_ACCUMULATORS if product.kind[0][0] == "f" else 0
    loading = (mr + nr_vectors) * (LOADED if fills_registers(isa, product) else 1)
    return max(computing, loading, waiting) / 2
