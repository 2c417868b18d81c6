"""
Emits `kernel.mat_mul`: tiles of sums of products, finished by the body while in registers.

Panels of rows outside, then tiles of units, then blocks of rows, so that a tile's weights and a panel's
activations are read from near memory again and again; for one row the weights are streamed once. What is
not packed is gathered along the units, `step` elements of k at a time: slower, but the same sums in the
same order.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from itertools import product as every
from typing import Any

from llvmlite import ir
from xdsl.dialects.builtin import IntegerType, MemRefType
from xdsl.ir import Block

from ...dialects.kernel import Access, MatMulOp, PackedLayout, Term
from .body import body_text, emit_body
from .elements import (
    Operand,
    decode,
    load_lanes,
    load_raw,
    memref,
    store_lanes,
)
from .isa import Isa, Kind
from .schedule import MatMulSchedule
from .vectors import (
    F32,
    F64,
    I8,
    I32,
    I64,
    POINTER,
    VOID,
    broadcast,
    byte_offset,
    index,
    loop,
    scaled,
    splat,
    zero,
)

Sums = dict[tuple[int, int, int], ir.Value]
"""One product's accumulators by group, vector and row."""


@dataclass(frozen=True)
class MatMulKernel:
    """
    What of a matrix product decides its machine code; equal ones share a function, whatever their number
    of rows.

    `a` and `b` move along [batch…, row or unit, k] (packed `b`: along the batch alone), `ins` and `outs` along
    [batch…, row, unit].
    """

    batch: tuple[int, ...]
    columns: int
    groups: int
    depths: tuple[int, ...]
    a: tuple[Operand, ...]
    b: tuple[Operand, ...]
    ins: tuple[Operand, ...]
    outs: tuple[Operand, ...]
    packed: PackedLayout | None
    schedule: MatMulSchedule
    text: str
    body: Block = field(compare=False)

    @classmethod
    def of(cls, op: MatMulOp, isa: Isa) -> tuple[MatMulKernel, int]:
        """The kernel of an operation on planned memory, and its number of rows."""
        *batch, rows, columns = op.shape
        rank, products = len(op.shape), len(op.a)
        view = _factor if op.packed is None else _packed
        weights = [view(memref(value), rank) for value in op.b]
        moving = [_factor(memref(value), rank) for value in op.a]
        moving += [
            Operand.of(memref(value), access)
            for value, access in zip((*op.ins, *op.outs), op.accesses, strict=True)
        ]
        rows, moving, weights = _merge_batch(batch, rows, moving, weights)
        a, ins, outs = (
            tuple(moving[:products]),
            tuple(moving[products : products + len(op.ins)]),
            tuple(moving[products + len(op.ins) :]),
        )
        depths = tuple(memref(value).get_shape()[-1] for value in op.a)
        groups = op.groups.value.data
        kinds = [(x.element, y.element) for x, y in zip(a, weights, strict=True)]
        block = op.body.block
        text, operations = body_text(block), sum(1 for _ in block.ops)
        schedule = MatMulSchedule.follow(
            isa, rows, columns, depths, groups, kinds, op.packed, op.offsets, operations
        )
        kernel = cls(
            tuple(batch),
            columns,
            groups,
            depths,
            a,
            tuple(weights),
            ins,
            outs,
            op.packed,
            schedule,
            text,
            block,
        )
        return kernel, rows

    def emit(self, module: ir.Module, isa: Isa, name: str) -> ir.Function:
        """A function of a pointer to each of a, b, ins and outs, and of the number of rows."""
        count = len(self.operands)
        function = ir.Function(module, ir.FunctionType(VOID, [POINTER] * count + [I64]), name)
        function.linkage = "internal"
        b = ir.IRBuilder(function.append_basic_block())
        *arguments, rows = function.args
        pointers = [
            byte_offset(b, pointer, operand.offset * operand.size)
            for pointer, operand in zip(arguments, self.operands, strict=True)
        ]
        _Emission(b, isa, self, rows).batch(0, pointers)
        b.ret_void()
        return function

    @property
    def operands(self) -> tuple[Operand, ...]:
        """In the order of the function's arguments."""
        return (*self.a, *self.b, *self.ins, *self.outs)


def _factor(type: MemRefType[Any], rank: int) -> Operand:
    """How a or unpacked b moves along [batch…, row or unit, k]: aligned at the back, 1 repeats."""
    shape = type.get_shape()
    lead = rank - len(shape)
    terms = [
        Term(None) if size == 1 and i < len(shape) - 2 else Term(lead + i)
        for i, size in enumerate(shape)
    ]
    return Operand.of(type, Access(rank, tuple(terms)))


def _packed(type: MemRefType[Any], rank: int) -> Operand:
    """How packed b moves along [batch…]."""
    shape = type.get_shape()
    inside = len(PackedLayout.shape(PackedLayout(1, 1, 1), 1, 1, 1))
    batch, lead = shape[:-inside], rank - 2 - (len(shape) - inside)
    terms = [Term(None) if size == 1 else Term(lead + i) for i, size in enumerate(batch)]
    terms += [Term(None)] * inside
    return Operand.of(type, Access(rank - 2, tuple(terms)))


def _merge_batch(
    batch: list[int], rows: int, moving: list[Operand], weights: list[Operand]
) -> tuple[int, list[Operand], list[Operand]]:
    """
    Drops from `batch` what is of size 1, and turns into rows what shares its weights and steps as rows do.
    `moving` are the operands along [batch…, row, …].
    """
    may_merge = True
    for d in reversed(range(len(batch))):
        size, row = batch[d], len(batch)
        steps_on = rows == 1 or all(o.strides[d] == rows * o.strides[row] for o in moving)
        may_merge &= size == 1 or (steps_on and not any(o.strides[d] for o in weights))
        if size != 1 and not may_merge:
            continue
        if size != 1 and rows == 1:
            moving = [_with_stride(o, row, o.strides[d]) for o in moving]
        rows *= size
        del batch[d]
        moving, weights = ([_without(o, d) for o in each] for each in (moving, weights))
    return rows, moving, weights


def _with_stride(operand: Operand, d: int, stride: int) -> Operand:
    strides = (*operand.strides[:d], stride, *operand.strides[d + 1 :])
    return replace(operand, strides=strides)


def _without(operand: Operand, d: int) -> Operand:
    return replace(operand, strides=operand.strides[:d] + operand.strides[d + 1 :])


@dataclass
class _Emission:
    """One function's worth of emission. Pointers are those of `kernel.operands`."""

    b: ir.IRBuilder
    isa: Isa
    kernel: MatMulKernel
    rows: ir.Value

    def batch(self, level: int, pointers: Sequence[ir.Value]) -> None:
        """Loops over the batch dimensions."""
        if level == len(self.kernel.batch):
            self.panels(pointers)
            return

        def iteration(i: ir.Value, carried: list[ir.Value]) -> list[ir.Value]:
            strides = [operand.strides[level] for operand in self.kernel.operands]
            self.batch(level + 1, self._advance(pointers, i, strides))
            return []

        loop(self.b, self.kernel.batch[level], [], iteration)

    def panels(self, pointers: Sequence[ir.Value]) -> None:
        """Loops over panels of rows."""
        b, panel = self.b, index(self.kernel.schedule.panel)
        count = b.udiv(b.add(self.rows, b.sub(panel, index(1))), panel)
        strides = [stride * self.kernel.schedule.panel for stride in self._row_strides()]

        def iteration(i: ir.Value, carried: list[ir.Value]) -> list[ir.Value]:
            left = b.sub(self.rows, b.mul(i, panel))
            rows = b.select(b.icmp_signed("<", left, panel), left, panel)
            self.tiles(self._advance(pointers, i, strides), rows)
            return []

        loop(b, count, [], iteration)

    def tiles(self, pointers: Sequence[ir.Value], rows: ir.Value) -> None:
        """Loops over tiles of units."""
        schedule, columns = self.kernel.schedule, self.kernel.columns
        width = schedule.vectors * schedule.lanes
        whole, rest = divmod(columns, width)
        strides = self._tile_strides(width)

        def iteration(i: ir.Value, carried: list[ir.Value]) -> list[ir.Value]:
            self.row_blocks(self._advance(pointers, i, strides), rows, width)
            return []

        loop(self.b, whole, [], iteration)
        if rest:
            self.row_blocks(self._advance(pointers, index(whole), strides), rows, rest)

    def row_blocks(self, pointers: Sequence[ir.Value], rows: ir.Value, width: int) -> None:
        """Loops over blocks of rows, then over the rows left over."""
        b, block = self.b, self.kernel.schedule.rows
        strides = self._row_strides()

        def blocks_of(size: int, first: ir.Value, count: ir.Value) -> None:
            start = self._advance(pointers, first, strides)

            def iteration(i: ir.Value, carried: list[ir.Value]) -> list[ir.Value]:
                self.block(self._advance(start, i, [s * size for s in strides]), size, width)
                return []

            loop(b, count, [], iteration)

        if block == 1:
            blocks_of(1, index(0), rows)
            return
        blocks = b.udiv(rows, index(block))
        done = b.mul(blocks, index(block))
        blocks_of(block, index(0), blocks)
        blocks_of(1, done, b.sub(rows, done))

    def block(self, pointers: Sequence[ir.Value], rows: int, width: int) -> None:
        """The sums of a tile for some rows, and the body on each vector of them."""
        sums: list[Sums] = []
        for p in range(len(self.kernel.a)):
            left, right = pointers[p], pointers[len(self.kernel.a) + p]
            sums.append(_Product(self, p, left, right, rows, width).sum())
        if rows > 1 and self.kernel.schedule.ends_in_loop:
            self._finish_in_loop(pointers, sums, rows, width)
        else:
            self._finish(pointers, sums, rows, width)

    def _finish_in_loop(
        self, pointers: Sequence[ir.Value], sums: Sequence[Sums], rows: int, width: int
    ) -> None:
        """Row by row: the sums wait in memory, each row's in a row."""
        b = self.b
        keys = [(p, key) for p, each in enumerate(sums) for key in each if key[2] == 0]
        vector = sums[0][0, 0, 0].type
        assert isinstance(vector, ir.VectorType)
        with b.goto_entry_block():
            waiting = b.alloca(vector, rows * len(keys))
        for row in range(rows):
            for i, (p, (group, v, _)) in enumerate(keys):
                place = b.gep(waiting, [index(row * len(keys) + i)])
                b.store(sums[p][group, v, row], place)

        def iteration(row: ir.Value, carried: list[ir.Value]) -> list[ir.Value]:
            mine = [Sums() for _ in sums]
            first = b.mul(row, index(len(keys)))
            for i, (p, key) in enumerate(keys):
                mine[p][key] = b.load(b.gep(waiting, [b.add(first, index(i))]))
            self._finish(self._advance(pointers, row, self._row_strides()), mine, 1, width)
            return []

        loop(b, rows, [], iteration)

    def _finish(
        self, pointers: Sequence[ir.Value], sums: Sequence[Sums], rows: int, width: int
    ) -> None:
        pointers = pointers[2 * len(self.kernel.a) :]
        kernel, b, isa = self.kernel, self.b, self.isa
        lanes = isa.lanes
        count = len(kernel.ins)
        at = dict[tuple[int, int, int], ir.Value]()  # inputs by operand, vector and row
        for v, row in every(range(-(-width // lanes)), range(rows)):
            active = min(lanes, width - v * lanes)
            arguments = [each[group, v, row] for each in sums for group in range(kernel.groups)]
            for o, operand in enumerate(kernel.ins):
                row_stride, stride = operand.strides[-2:]
                key = (o, v if stride else 0, row if row_stride else 0)
                if key not in at:
                    pointer = self._point(pointers[o], operand, v, row)
                    at[key] = load_lanes(b, isa, pointer, operand.element, stride, lanes, active)
                arguments.append(at[key])
            results = emit_body(b, isa, kernel.body, lanes, arguments)
            for o, (operand, value) in enumerate(zip(kernel.outs, results, strict=True)):
                pointer = self._point(pointers[count + o], operand, v, row)
                stride = operand.strides[-1]
                store_lanes(b, isa, pointer, operand.element, stride, value, active)

    def _point(self, pointer: ir.Value, operand: Operand, v: int, row: int) -> ir.Value:
        row_stride, stride = operand.strides[-2:]
        elements = row * row_stride + v * self.isa.lanes * stride
        return byte_offset(self.b, pointer, elements * operand.size)

    def _advance(
        self, pointers: Sequence[ir.Value], i: ir.Value, strides: Sequence[int]
    ) -> list[ir.Value]:
        """The pointers `i` times their strides (in elements) further."""
        return [
            byte_offset(self.b, pointer, scaled(self.b, i, stride * operand.size))
            if stride
            else pointer
            for pointer, operand, stride in zip(
                pointers, self.kernel.operands, strides, strict=True
            )
        ]

    def _row_strides(self) -> list[int]:
        kernel = self.kernel
        others = [operand.strides[-2] for operand in (*kernel.ins, *kernel.outs)]
        return [*(a.strides[-2] for a in kernel.a), *[0] * len(kernel.b), *others]

    def _tile_strides(self, width: int) -> list[int]:
        kernel = self.kernel
        others = [width * operand.strides[-1] for operand in (*kernel.ins, *kernel.outs)]
        if kernel.packed is None:
            weights = [width * b.strides[-2] for b in kernel.b]
        else:
            step = kernel.packed.step
            weights = [-(-k // step) * step * kernel.groups * width for k in kernel.depths]
        return [*[0] * len(kernel.a), *weights, *others]


class _Product:
    """The sums of one product, for a tile of `width` units and some rows."""

    def __init__(
        self,
        emission: _Emission,
        number: int,
        left: ir.Value,
        right: ir.Value,
        rows: int,
        width: int,
    ):
        kernel = emission.kernel
        self.b, self.isa, self.kernel = emission.b, emission.isa, kernel
        self.schedule, self.lanes = kernel.schedule, emission.isa.lanes
        self.product = kernel.schedule.products[number]
        self.step = self.product.mac.step
        self.depth = kernel.depths[number]
        self.x, self.y = kernel.a[number], kernel.b[number]
        self.left, self.right = left, right
        self.rows, self.width = rows, width
        self.keys = list(every(range(kernel.groups), range(-(-width // self.lanes)), range(rows)))

    def sum(self) -> Sums:
        """Goes over k; chains of sums are added last."""
        b, schedule, step = self.b, self.schedule, self.step
        chains = schedule.chains
        steps, tail = divmod(self.depth, step)
        iterations, rest = divmod(steps, schedule.unroll)
        accumulator = ir.VectorType(_accumulator(self.product.kind), self.lanes)
        start = [zero(accumulator)] * (len(self.keys) * chains)

        def iteration(i: ir.Value, sums: list[ir.Value]) -> list[ir.Value]:
            at = scaled(b, i, schedule.unroll)
            left = byte_offset(b, self.left, scaled(b, at, self.left_bytes))
            right = byte_offset(b, self.right, scaled(b, at, self.right_bytes))
            for u in range(schedule.unroll):
                self.add(sums, left, right, u, step)
            return sums

        sums = loop(b, iterations, start, iteration)
        done = iterations * schedule.unroll
        left = byte_offset(b, self.left, done * self.left_bytes)
        right = byte_offset(b, self.right, done * self.right_bytes)
        for u in range(rest):
            self.add(sums, left, right, u, step)
        if tail:
            self.add(sums, left, right, rest, tail)
        totals = sums[: len(self.keys)]
        for chain in range(1, chains):
            more = sums[chain * len(self.keys) :]
            totals = [b.add(x, y) for x, y in zip(totals, more, strict=False)]
        return dict(zip(self.keys, totals, strict=True))

    @property
    def left_bytes(self) -> int:
        """From one step of k to the next in a …"""
        return self.step * self.x.strides[-1] * self.x.size

    @property
    def right_bytes(self) -> int:
        """… and in b."""
        if self.kernel.packed is None:
            return self.step * self.y.strides[-1] * self.y.size
        vectors = self.kernel.groups * self.schedule.vectors
        return vectors * self.lanes * self.step * self.y.size

    def add(
        self, sums: list[ir.Value], left: ir.Value, right: ir.Value, u: int, count: int
    ) -> None:
        """Adds the products of step number u after these places; `count` elements of it are there."""
        mac, kind = self.product.mac, self.product.kind
        first = u % self.schedule.chains * len(self.keys)
        xs = [self.activation(left, row, u, count) for row in range(self.rows)]
        ys = dict[tuple[int, int], ir.Value]()
        for n, (group, v, row) in enumerate(self.keys, first):
            if (group, v) not in ys:
                ys[group, v] = self.weights(right, group, v, u, count)
            sums[n] = mac.emit(self.b, sums[n], xs[row], ys[group, v], kind)

    def activation(self, left: ir.Value, row: int, u: int, count: int) -> ir.Value:
        """The elements of one step in all lanes, as the Mac takes them."""
        b, x = self.b, self.x
        row_bytes = x.strides[-2] * x.size
        pointer = byte_offset(b, left, row * row_bytes + u * self.left_bytes)
        if self.step == 1:
            raw = load_raw(b, pointer, x.element, 0, self.lanes, self.lanes)
            return raw if _is_integer(x) else decode(b, self.isa, raw, x.element)
        word = self.word(pointer, x.strides[-1], count)
        codes = ir.VectorType(I8, self.lanes * self.step)
        value = b.bitcast(broadcast(b, word, self.lanes), codes)
        if not self.product.offset:
            return value
        return b.xor(value, splat(I8, self.lanes * self.step, self.product.offset))

    def weights(self, right: ir.Value, group: int, v: int, u: int, count: int) -> ir.Value:
        """The elements of one step for a vector of units, as the Mac takes them."""
        b, y, lanes = self.b, self.y, self.lanes
        if self.kernel.packed is not None:
            vector = (u * self.kernel.groups + group) * self.schedule.vectors + v
            pointer = byte_offset(b, right, vector * lanes * self.step * y.size)
            whole = lanes * self.step
            raw = load_raw(b, pointer, y.element, 1, whole, whole)
            return raw if _is_integer(y) else decode(b, self.isa, raw, y.element)
        unit = group * self.kernel.columns + v * lanes
        unit_stride, stride = y.strides[-2:]
        pointer = byte_offset(b, right, unit * unit_stride * y.size + u * self.right_bytes)
        active = min(lanes, self.width - v * lanes)
        if self.step == 1:
            raw = load_raw(b, pointer, y.element, unit_stride, lanes, active)
            return raw if _is_integer(y) else decode(b, self.isa, raw, y.element)
        words: ir.Value = zero(ir.VectorType(ir.IntType(8 * self.step), lanes))
        for lane in range(active):
            word = self.word(byte_offset(b, pointer, lane * unit_stride), stride, count)
            words = b.insert_element(words, word, ir.Constant(I32, lane))
        return b.bitcast(words, ir.VectorType(I8, lanes * self.step))

    def word(self, pointer: ir.Value, stride: int, count: int) -> ir.Value:
        """`count` bytes, `stride` apart, as one integer of `step` bytes; never a byte more."""
        b, whole = self.b, ir.IntType(8 * self.step)
        if stride == 1 and count == self.step:
            return b.load(pointer, align=1, typ=whole)
        word: ir.Value = ir.Constant(whole, 0)
        for i in range(count):
            byte = b.zext(b.load(byte_offset(b, pointer, i * stride), align=1, typ=I8), whole)
            word = b.or_(word, b.shl(byte, ir.Constant(whole, 8 * i)))
        return word


def _is_integer(operand: Operand) -> bool:
    return isinstance(operand.element, IntegerType)


def _accumulator(kind: Kind) -> ir.Type:
    return {"f32": F32, "f64": F64}.get(kind[0], I32)
