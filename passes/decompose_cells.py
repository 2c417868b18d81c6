"""`decompose-cells`: recurrent cells become the matrix products and gates that they stand for."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from xdsl.context import Context
from xdsl.dialects.builtin import ModuleOp, StringAttr
from xdsl.ir import Operation, SSAValue
from xdsl.passes import ModulePass
from xdsl.rewriter import InsertPoint

from ..dialects import nn, rnn
from ..dialects.inferred import NAME, friendly_name
from ..dialects.nn.writer import Writer
from ..dialects.rewriter import Rewriter
from ..dialects.walk import all_operations
from .erase_unused import erase_unused
from .infer_shapes import infer_types
from .weights import folded, is_known, rows


class DecomposeCells(ModulePass):
    """
    `rnn.lstm_cell`, `rnn.gru_cell` and `rnn.rnn_cell` become `nn` operations, in the form of models
    that write their cells out: `x W^T + h R^T + b`, in this order, split into gates.

    With `clip` a clamp stands before the activation of each gate, with `cell_clip` one behind the new cell
    state. The operation that gives the new hidden state takes the cell's name; the products of a cell
    `C` are `C/X` and `C/H`, those of a GRU's candidate `C/X/candidate` and `C/H/candidate`. Known
    weights are cut under their dequantization, which each part keeps.
    """

    name = "decompose-cells"

    def apply(self, ctx: Context, op: ModuleOp) -> None:
        retyped = False
        for cell in all_operations(op):
            if isinstance(cell, rnn.CellOp):
                operands, types = list(cell.operands), list(cell.result_types)
                retyped |= types != [result.type for result in decompose(cell)]
                erase_unused(*operands)
        if retyped:
            infer_types(op, keep=True)


Terms = Callable[[Writer, SSAValue], Sequence[SSAValue]]
"""Writes a hidden state as a sum; the recurrent weights multiply each term."""


def decompose(
    cell: rnn.CellOp, terms: Terms = lambda write, hidden: [hidden]
) -> Sequence[SSAValue]:
    """Replaces a cell by products and gates. Returns the operations that compute its results."""
    write = _Writer(cell, terms)
    match cell:
        case rnn.LstmCellOp():
            results = _lstm(cell, write)
        case rnn.GruCellOp():
            results = _gru(cell, write)
        case rnn.RnnCellOp():
            results = _rnn(cell, write)
        case _:
            raise AssertionError(f"{cell.name} is not a cell that is known here")
    if (name := cell.attributes.get(NAME)) is not None:
        last = results[0].owner
        assert isinstance(last, Operation)
        last.attributes[NAME] = name
    Rewriter.replace_op(cell, [], results)
    return results


def _lstm(cell: rnn.LstmCellOp, write: _Writer) -> Sequence[SSAValue]:
    """`f, i, c, o = split(x W^T + h R^T + b);  C' = s(f) * C + s(i) * g(c);  H' = s(o) * h(C')`"""
    sums = write.linear(cell.x, write.terms(write, cell.h), cell.w, cell.r, cell.b)
    forget, enter, candidate, leave = write.split(sums, 4, 1)
    kept = write(nn.MultiplyOp, write.gate(0, forget), cell.c)
    entered = write(nn.MultiplyOp, write.gate(0, enter), write.gate(1, candidate))
    c_next = write(nn.AddOp, kept, entered)
    if limit := cell.cell_clip.value.data:
        c_next = write.clamp(c_next, -limit, limit)
    shown = write.activation(2, c_next)
    return write(nn.MultiplyOp, write.gate(0, leave), shown), c_next


def _gru(cell: rnn.GruCellOp, write: _Writer) -> Sequence[SSAValue]:
    """
    `z, r = split(x W_zr^T + h R_zr^T + b_zr);  c = g(x W_h^T + (s(r) * h) R_h^T + b_h);
    H' = (1 - s(z)) * c + s(z) * h`; with `linear_before_reset`,
    `c = g(x W_h^T + b_h + s(r) * (h R_h^T + b_rh))`.
    """
    size = cell.hidden_size.value.data
    first, last = (0, 2 * size), (2 * size, 3 * size)
    w, r, b = ((rows(write, v, *first), rows(write, v, *last)) for v in (cell.w, cell.r, cell.b))
    hidden = write.terms(write, cell.h)
    update, reset = write.split(write.linear(cell.x, hidden, w[0], r[0], b[0]), 2, 1)
    update, reset = write.gate(0, update), write.gate(0, reset)
    if cell.linear_before_reset:
        entered = write(nn.AddOp, write.product(cell.x, w[1], "X/candidate"), b[1])
        bias = rows(write, cell.b, 3 * size, 4 * size)
        carried = write(nn.AddOp, write.products(hidden, r[1], "H/candidate"), bias)
        if all(map(is_known, (*hidden, r[1], bias))):
            carried = folded(write, carried)
        sums = write(nn.AddOp, entered, write(nn.MultiplyOp, reset, carried))
    else:
        kept = write.terms(write, write(nn.MultiplyOp, reset, cell.h))
        sums = write.linear(cell.x, kept, w[1], r[1], b[1], "/candidate")
    one = write.scalar_like(cell.x, 1)
    renewed = write(nn.MultiplyOp, write(nn.SubtractOp, one, update), write.gate(1, sums))
    return (write(nn.AddOp, renewed, write(nn.MultiplyOp, update, cell.h)),)


def _rnn(cell: rnn.RnnCellOp, write: _Writer) -> Sequence[SSAValue]:
    """`H' = f(x W^T + h R^T + b)`"""
    hidden = write.terms(write, cell.h)
    return (write.gate(0, write.linear(cell.x, hidden, cell.w, cell.r, cell.b)),)


FUNCTIONS: dict[str, type[nn.UnaryOp]] = {
    "sigmoid": nn.SigmoidOp,
    "tanh": nn.TanhOp,
    "relu": nn.ReluOp,
}
"""Activations that are one operation."""


class _Writer(Writer):
    """Writes operations before a cell."""

    def __init__(self, cell: rnn.CellOp, terms: Terms):
        super().__init__(InsertPoint.before(cell))
        self.functions = cell.functions
        self.clip = cell.clip.value.data
        self.name = friendly_name(cell)
        self.terms = terms

    def product(self, x: SSAValue, w: SSAValue, role: str) -> SSAValue:
        """`x w^T`"""
        product = nn.MatMulOp.of(x, w, transpose_b=True)
        if self.name is not None:
            product.attributes[NAME] = StringAttr(f"{self.name}/{role}")
        return self.builder.insert(product).result

    def products(self, terms: Sequence[SSAValue], w: SSAValue, role: str) -> SSAValue:
        """`sum(terms) w^T`, a product for each term."""
        first, *rest = (
            self.product(term, w, f"{role}/{number}" if number else role)
            for number, term in enumerate(terms)
        )
        for product in rest:
            first = self(nn.AddOp, first, product)
        return first

    def linear(
        self,
        x: SSAValue,
        hidden: Sequence[SSAValue],
        w: SSAValue,
        r: SSAValue,
        b: SSAValue,
        part: str = "",
    ) -> SSAValue:
        """`x w^T + h r^T + b`, where h is the sum of the terms in `hidden`; where these are known, of one constant"""
        entered, carried = self.product(x, w, f"X{part}"), self.products(hidden, r, f"H{part}")
        if all(map(is_known, (*hidden, r, b))):
            return self(nn.AddOp, entered, folded(self, self(nn.AddOp, carried, b)))
        return self(nn.AddOp, self(nn.AddOp, entered, carried), b)

    def gate(self, function: int, value: SSAValue) -> SSAValue:
        """An activation, after the cell's clip."""
        if self.clip:
            value = self.clamp(value, -self.clip, self.clip)
        return self.activation(function, value)

    def activation(self, function: int, value: SSAValue) -> SSAValue:
        wanted = self.functions[function]
        if wanted.name != "hard_sigmoid":
            return self(FUNCTIONS[wanted.name], value)
        line = self(nn.AddOp, self(nn.MultiplyOp, value, wanted.alpha), wanted.beta)
        return self.clamp(line, 0, 1)
