"""
Which values of a model are to be codes, and which of them share a grid: what LiteRT has kernels on codes for says so.

A product with its bias and activation is one kernel, so that only its end is quantized. What moves elements gives the
codes that it takes.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field, replace

from xdsl.dialects.builtin import Float32Type, TensorType
from xdsl.ir import Block, Operation, SSAValue

from ...dialects import infra, nn, rnn, tfl
from ...dialects.blob import element_count
from ...dialects.inferred import shape_of, tensor
from ...dialects.names import names_of
from ...dialects.nn.convolution import ConvolutionBase
from ...dialects.traits import moved_data, multiplied
from ..nn_to_tfl.fused_on_codes import CLAMPS
from ..nn_to_tfl.recurrent import has_kernel
from ..scale_weights import output_axes

Fixed = tuple[float, int]
"""The scale and zero point of the only codes that a kernel gives."""


def is_real(value: SSAValue) -> bool:
    """Whether a value is a tensor of f32."""
    return isinstance(value.type, TensorType) and isinstance(
        tensor(value).element_type, Float32Type
    )


def codes_of(op: Operation, bits: int) -> tfl.Codes:
    """The codes that LiteRT's kernel gives of codes of 8 or 16 bits; None where it has none."""
    if multiplied(type(op)) or isinstance(op, nn.ClampOp):
        is_known = not isinstance(op, nn.ClampOp) or op.limits in CLAMPS
        return "any" if is_known and _fits(op) else None
    kinds = [tfl.OPERATIONS.get(name) for name in names_of(type(op)).of("litert")]
    for kind in kinds:
        found = kind and (kind.CODES if bits == 8 else kind.CODES_16)
        if found:
            return found
    return None


def _fits(op: Operation) -> bool:
    """Whether a kernel on codes takes the operands: no volumes, and of sequences only what `is_integer_lstm` says."""
    is_volume = isinstance(op, ConvolutionBase) and len(shape_of(op.operands[0])) > 4
    return not is_volume and not isinstance(op, rnn.SequenceOp)


def _data(op: Operation, codes: tfl.Codes) -> list[SSAValue]:
    """The operands that a kernel takes in codes: not what it pads with, by how much it scales, or one slope."""
    data = [value for value in op.operands if is_real(value)]
    if isinstance(op, nn.PReluOp) and element_count(tensor(op.slope)) == 1:
        return data[:1]
    is_pair = isinstance(op, nn.MaximumOp | nn.MinimumOp)
    return data[:1] if codes == "same" and not is_pair else data


def has_constant_weights(op: Operation) -> bool:
    """Whether `lpt` can compute the products of a sequence in integers."""
    return isinstance(op, rnn.SequenceOp) and all(
        nn.constant_of(value) is not None for value in (op.w, op.r)
    )


def blocks_that_run(block: Block) -> Iterator[Block]:
    """A model's entry and the bodies of iterators in it, but for branches, of which a sample runs only one."""
    yield block
    for op in block.ops:
        if isinstance(op, infra.IteratorOp):
            yield from blocks_that_run(op.body.block)


def is_integer_lstm(op: Operation) -> bool:
    """Whether a sequence can run in integers: its last cell state stays inside, and what it begins with is known."""
    return (
        isinstance(op, rnn.LstmSequenceOp)
        and has_kernel(op)
        and op.c_next.first_use is None
        and tensor(op.x).has_static_shape()
        and all(nn.constant_of(value) is not None for value in (op.w, op.r, op.b, op.h, op.c))
    )


@dataclass
class QuantizationPlan:
    """The values to quantize, by the first of those that share a grid, in the order of the model."""

    groups: dict[SSAValue, list[SSAValue]] = field(default_factory=dict[SSAValue, list[SSAValue]])
    fixed: dict[SSAValue, Fixed] = field(default_factory=dict[SSAValue, Fixed])
    weights: list[tuple[Operation, int]] = field(default_factory=list[tuple[Operation, int]])
    """Constant operands of products, which have scales of their own."""

    @classmethod
    def of(
        cls,
        block: Block,
        bits: int = 8,
        is_sequence: Callable[[Operation], bool] = is_integer_lstm,
    ) -> QuantizationPlan:
        """The plan for codes of 8 or 16 bits in a model's entry; `is_sequence` says of which sequences."""
        return _Planner(block, bits, is_sequence).plan()

    def of_products(self) -> QuantizationPlan:
        """The plan of the groups of which a product takes a value: for `lpt`, a grid of another group only rounds."""
        groups = {
            first: group
            for first, group in self.groups.items()
            if any(_leads_to_product(value) for value in group)
        }
        return replace(self, groups=groups)

    @property
    def values(self) -> list[SSAValue]:
        """All values to quantize."""
        return [value for group in self.groups.values() for value in group]


def _leads_to_product(value: SSAValue) -> bool:
    """Whether a product, of convolutions, matrices or a sequence, takes a value, as it is or moved."""
    for use in value.uses:
        user = use.operation
        if multiplied(type(user)) or isinstance(user, rnn.SequenceOp):
            return True
        if value in moved_data(user) and any(map(_leads_to_product, user.results)):
            return True
    return False


class _Planner:
    """Sets of values that share a grid."""

    def __init__(self, block: Block, bits: int, is_sequence: Callable[[Operation], bool]):
        self.block, self.bits, self.is_sequence = block, bits, is_sequence
        self.parents: dict[SSAValue, SSAValue] = {}
        self.roots: list[SSAValue] = []
        self.weights: list[tuple[Operation, int]] = []
        self.fixed: dict[SSAValue, Fixed] = {}

    def plan(self) -> QuantizationPlan:
        for op in self.block.ops:
            if self.bits == 8 and self.is_sequence(op):
                assert isinstance(op, rnn.SequenceOp)
                outputs, last = op.results[:2]
                self._computes([op.operands[0]], [outputs, last])
                self._join(outputs, last)
                first = 2 + op.state_count  # W; R comes next
                self.weights += [(op, first), (op, first + 1)]
            elif not op.results or not all(map(is_real, op.results)):
                continue
            elif data := moved_data(op):
                for value in (*data, *op.results[1:]):
                    self._join(op.results[0], value)
            elif (codes := codes_of(op, self.bits)) is not None:
                self._kernel(op, codes)
        wanted = {self._first(value) for value in self.roots}
        plan = QuantizationPlan(weights=self.weights)
        for value in self._values():
            if (first := self._first(value)) in wanted and not self._moves(value):
                plan.groups.setdefault(first, []).append(value)
                if value in self.fixed:
                    plan.fixed[value] = self.fixed[value]
        return plan

    def _kernel(self, op: Operation, codes: tfl.Codes) -> None:
        data = _data(op, codes)
        if output_axes(op) and nn.constant_of(op.operands[1]) is not None:
            self.weights.append((op, 1))
            data = data[:1]
        bias = _bias(op)
        data = [value for value in data if value is not bias and not _is_inside(value)]
        results = [value for value in op.results if not _is_inside(value)]
        if codes == "same":
            for value in data:
                self._join(op.results[0], value)
        elif isinstance(codes, tuple):
            self.fixed[op.results[0]] = codes
        self._computes(data, results)

    def _computes(self, operands: Sequence[SSAValue], results: Sequence[SSAValue]) -> None:
        self.roots += [*operands, *results]

    def _join(self, left: SSAValue, right: SSAValue) -> None:
        self.parents[self._first(right)] = self._first(left)

    def _first(self, value: SSAValue) -> SSAValue:
        while (parent := self.parents.get(value, value)) is not value:
            value = parent
        return value

    def _values(self) -> Iterator[SSAValue]:
        """All values of f32, where they begin."""
        yield from filter(is_real, self.block.args)
        for op in self.block.ops:
            yield from filter(is_real, op.results)

    def _moves(self, value: SSAValue) -> bool:
        """Whether a value has the codes of what it is made of, or is nobody's."""
        op = value.owner
        if value.first_use is None or _is_inside(value):
            return True
        return isinstance(op, Operation) and bool(moved_data(op))


def _bias(op: Operation) -> SSAValue | None:
    """The constant that an operation adds to a product."""
    if isinstance(op, nn.AddOp):
        for value, other in ((op.lhs, op.rhs), (op.rhs, op.lhs)):
            if nn.constant_of(value) is not None and _is_inside(other):
                return value
    return None


def _is_inside(value: SSAValue) -> bool:
    """Whether a value stays within one kernel: what comes next is its bias or its activation function."""
    op, chain = value.owner, value
    while (use := chain.first_use) is not None and chain.has_one_use():
        user = use.operation
        if isinstance(user, nn.TransposeOp):
            chain = user.result
            continue
        return isinstance(op, Operation) and _takes(op, user, shape_of(chain))
    return False


def _takes(op: Operation, user: Operation, shape: Sequence[int]) -> bool:
    """Whether the kernel of an operation does what a user does, too."""
    while isinstance(op, nn.TransposeOp) and isinstance(op.input.owner, Operation):
        if not op.input.has_one_use():
            return False
        op = op.input.owner
    is_product = bool(output_axes(op)) and nn.constant_of(op.operands[1]) is not None
    if isinstance(user, nn.AddOp) and is_product:
        return shape_of(user.result) == tuple(shape) and any(
            nn.constant_of(each) is not None for each in user.operands
        )
    is_activation = isinstance(user, nn.ReluOp) or (
        isinstance(user, nn.ClampOp) and user.limits in CLAMPS
    )
    kinds = [tfl.OPERATIONS.get(name) for name in names_of(type(op)).of("litert")]
    fuses = any(
        kind is not None and "fused_activation_function" in kind.get_irdl_definition().properties
        for kind in kinds
    )
    is_kernel = is_product or not multiplied(type(op))
    return is_activation and fuses and is_kernel and codes_of(op, 8) is not None
