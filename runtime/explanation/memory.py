"""The memory plan of a program as a picture: which bytes of the arena hold what, from step to step."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from html import escape

from xdsl.ir import Operation, SSAValue

from ...dialects import kernel
from ...dialects.kernel import shaped, storage_bytes
from ...dialects.kernel.plan_verifier import root_of
from ...dialects.origins import origins_of
from ...dialects.short_types import short_type
from ...passes.precision_report import LOW

WIDTH, HEIGHT = 1000, 400
"""Of the picture's coordinates; it is stretched to the page."""


@dataclass(frozen=True)
class Piece:
    """A buffer: `size` bytes of the arena from `offset` on, from step `start` to step `end`, both included."""

    offset: int
    size: int
    start: int
    end: int
    type: str
    writer: str

    @property
    def kind(self) -> str:
        """How it is coloured."""
        return "low" if self.type.partition("[")[0] in LOW else "wide"


@dataclass(frozen=True)
class MemoryPlan:
    """The buffers of a program, in so many steps: one for each kernel and copy."""

    pieces: tuple[Piece, ...]
    steps: int
    arena_bytes: int
    weight_bytes: int

    @classmethod
    def of(cls, program: kernel.ProgramOp) -> MemoryPlan:
        """Reads it off the program."""
        lives: dict[SSAValue, _Life] = {}
        steps = [op for op in program.walk() if isinstance(op, kernel.EmittedOp | kernel.CopyOp)]
        span: dict[Operation, tuple[int, int]] = {op: (n, n) for n, op in enumerate(steps)}
        for op in program.walk():
            if isinstance(op, kernel.ForOp | kernel.WhileOp):
                inside = [n for each in op.walk() if each in span for n in span[each]]
                span |= {op: (min(inside), max(inside))} if inside else {}
        for op in program.walk():
            for value in op.operands:
                root = root_of(value)
                if isinstance(root.owner, kernel.BufferOp) and not isinstance(op, kernel.ViewOp):
                    _touch(lives, root, _whole(op, root, span), op)
        pieces = tuple(
            Piece(
                _buffer(root).offset.value.data,
                storage_bytes(shaped(root)),
                *life.steps,
                short_type(root.type),
                life.writer,
            )
            for root, life in lives.items()
        )
        weights = sum(
            storage_bytes(op.value.type)
            for op in program.walk()
            if isinstance(op, kernel.ConstantOp)
        )
        return cls(pieces, len(steps), storage_bytes(shaped(program.arena)), weights)

    def svg(self) -> str:
        """Steps go to the right, bytes up."""
        if not self.pieces:
            return ""
        across, up = WIDTH / max(self.steps, 1), HEIGHT / max(self.arena_bytes, 1)
        shapes = "\n".join(
            f'<rect class="{piece.kind}" x="{piece.start * across:.2f}" '
            f'width="{(piece.end + 1 - piece.start) * across:.2f}" '
            f'y="{HEIGHT - (piece.offset + piece.size) * up:.2f}" height="{piece.size * up:.2f}">'
            f"<title>{escape(_hint(piece))}</title></rect>"
            for piece in self.pieces
        )
        return (
            f'<svg class="memory" viewBox="0 0 {WIDTH} {HEIGHT}" preserveAspectRatio="none" role="img" '
            f'aria-label="memory plan">\n{shapes}\n</svg>'
        )


@dataclass
class _Life:
    steps: tuple[int, int]
    writer: str


def _touch(
    lives: dict[SSAValue, _Life], root: SSAValue, steps: tuple[int, int] | None, op: Operation
) -> None:
    if steps is None:
        return
    if (life := lives.get(root)) is None:
        origins = origins_of(op)
        lives[root] = _Life(steps, origins[0].name if origins else op.name)
    else:
        life.steps = min(life.steps[0], steps[0]), max(life.steps[1], steps[1])


def _whole(
    op: Operation, root: SSAValue, span: dict[Operation, tuple[int, int]]
) -> tuple[int, int] | None:
    """The steps of an access: of the outermost loop around it that the buffer is outside of."""
    found = span.get(op)
    around = op.parent_op()
    while around is not None and not around.is_ancestor(_buffer(root)):
        found = span.get(around, found)
        around = around.parent_op()
    return found


def _buffer(root: SSAValue) -> kernel.BufferOp:
    owner = root.owner
    assert isinstance(owner, kernel.BufferOp), "it lies in the arena"
    return owner


def _hint(piece: Piece) -> str:
    steps = f"step {piece.start}" + (f" to {piece.end}" if piece.end > piece.start else "")
    place = f"bytes {piece.offset:,} to {piece.offset + piece.size:,}"
    return f"{piece.type} of {piece.writer}, {place}, {steps}"


def largest(plan: MemoryPlan, count: int) -> Sequence[Piece]:
    """The largest buffers, the first ones first where sizes are the same."""
    return sorted(plan.pieces, key=lambda piece: (-piece.size, piece.start))[:count]


def rows_of(plan: MemoryPlan, count: int) -> Iterator[tuple[str, ...]]:
    """Cells of the largest buffers."""
    for piece in largest(plan, count):
        yield (
            piece.writer,
            piece.type,
            f"{piece.size:,}",
            f"{piece.offset:,}",
            f"{piece.start} – {piece.end}",
        )
