"""`KernelBuilder`, on which all fusions work: a kernel under construction."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any, Self

from xdsl.dialects.builtin import TensorType
from xdsl.ir import Attribute, Block, Region, SSAValue
from xdsl.rewriter import InsertPoint

from ...dialects.inferred import shape_of, tensor
from ...dialects.kernel import Access, KernelOp, Term, YieldOp, body_type
from ...dialects.operation import erase
from ...dialects.origins import Origin, origins_of, set_origins
from ...dialects.rewriter import Rewriter, append, replace_all_uses
from ...dialects.walk import block_operations
from .inlining import end_body, move_body

MAX_OPERANDS = 32
"""
The most arrays of one kernel. It limits compile time: a chain of hundreds of elementwise operations shall not become
one function, whose body takes LLVM ever longer. It is no limit of a machine: addresses beyond its registers are on the
stack.
"""

MAX_BODY = 256
"""The most operations of a fused body, for the same reason: a chain may read one array alone."""


@dataclass
class KernelBuilder:
    """
    A kernel on tensors under construction: `anchor` with other operands, another body and, where `properties`
    say so, other properties.

    `outputs` lists, in order, the yielded scalar, the type of the result, its access, and the value of the
    old kernels that it stands for.
    """

    anchor: KernelOp
    domain: tuple[int, ...]
    block: Block
    factors: list[list[SSAValue]]
    ins: list[SSAValue] = field(default_factory=list[SSAValue])
    access: list[Access] = field(default_factory=list[Access])
    outputs: list[tuple[SSAValue, TensorType[Any], Access, SSAValue]] = field(
        default_factory=list[tuple[SSAValue, TensorType[Any], Access, SSAValue]]
    )
    origins: list[Origin] = field(default_factory=list[Origin])
    properties: dict[str, Attribute] = field(default_factory=dict[str, Attribute])

    @classmethod
    def of(cls, op: KernelOp) -> Self:
        """The kernel as it is. Its body moves here: the kernel that is built replaces it."""
        block, read = op.body.detach_block(0), op.accesses
        yields = end_body(block)
        for argument in block.args:
            argument.name_hint = None
        factors = [list(segment) for segment in op.factors]
        ins, access = list(op.ins), read[: len(op.ins)]
        builder = cls(op, op.shape, block, factors, ins, access)
        if len(set(ins)) < len(ins):
            builder._merge_equal_reads()
        builder._add_outputs(op, yields, read[len(op.ins) :])
        return builder

    def add_sums(self, op: KernelOp) -> list[SSAValue]:
        """Adds arguments for the accumulators of `op`."""
        return [
            self.block.insert_arg(type, len(self.block.args) - len(self.ins))
            for type in op.accumulators
        ]

    def inline(self, op: KernelOp, arguments: Sequence[SSAValue], access: Sequence[Access]) -> None:
        """Moves the body of a kernel here, with these arguments, its outputs with these accesses, and its origins."""
        self._add_outputs(op, move_body(self.block, op.body.block, arguments), access)

    def _add_outputs(
        self, op: KernelOp, yields: Sequence[SSAValue], access: Sequence[Access]
    ) -> None:
        for value, result, one in zip(yields, op.results, access, strict=True):
            self.outputs.append((value, tensor(result), one, result))
        self.origins += origins_of(op)

    def _merge_equal_reads(self) -> None:
        """Elements that are read twice become one argument, the first."""
        ins, access, self.ins, self.access = self.ins, self.access, [], []
        arguments = self.block.args[len(self.block.args) - len(ins) :]
        for old, value, one in zip(arguments, ins, access, strict=True):
            replace_all_uses(old, self.read(value, one))
            self.block.erase_arg(old)

    def read(self, value: SSAValue, access: Access) -> SSAValue:
        """The argument for an element of `value`; a new one unless it is read with this access already."""
        lead, place = len(self.block.args) - len(self.ins), self._place(access)
        for i, (have, how) in enumerate(zip(self.ins, self.access, strict=True)):
            if have is value and self._place(how) == place:
                return self.block.args[lead + i]
        self.ins.append(value)
        self.access.append(access)
        return self.block.insert_arg(body_type(tensor(value).element_type), len(self.block.args))

    def _place(self, access: Access) -> Sequence[Term]:
        """The terms of an access; dimensions of size 1 are ignored."""
        return [
            Term(None, 1, term.offset)
            if term.dim is not None and self.domain[term.dim] == 1
            else term
            for term in access.terms
        ]

    def drop_outputs(self, dead: set[SSAValue]) -> None:
        """Removes the outputs that stand for these values."""
        self.outputs = [output for output in self.outputs if output[3] not in dead]

    def drop_unread(self) -> None:
        """Removes inputs that the body does not use."""
        lead = len(self.block.args) - len(self.ins)
        for i in reversed(range(len(self.ins))):
            argument = self.block.args[lead + i]
            if argument.first_use is None:
                self.block.erase_arg(argument)
                del self.ins[i], self.access[i]

    def build(self) -> KernelOp:
        """The operation; its results are in the order of `outputs`."""
        append(self.block, YieldOp(*(value for value, *_ in self.outputs)))
        _erase_dead(self.block)
        self.drop_unread()
        results = [type for _, type, _, _ in self.outputs]
        access = [
            _plain(one, self.domain, shape)
            for one, shape in zip(
                (*self.access, *(one for _, _, one, _ in self.outputs)),
                (*map(shape_of, self.ins), *(type.get_shape() for type in results)),
                strict=True,
            )
        ]
        region = Region(self.block)
        op = self.anchor.rebuilt(
            self.factors, self.ins, access, region, results, domain=self.domain
        )
        op.properties |= self.properties
        set_origins(op, self.origins)
        for result, (_, _, _, old) in zip(op.results, self.outputs, strict=True):
            result.name_hint = old.name_hint
        return op

    def replace(self, old: Sequence[KernelOp]) -> None:
        """Replaces the old kernels by the built one. Results that only they read are dropped."""
        self.drop_outputs(
            {value for *_, value in self.outputs if all(use.operation in old for use in value.uses)}
        )
        new = self.build()
        Rewriter.insert_op(new, InsertPoint.after(old[-1]))
        for result, output in zip(new.results, self.outputs, strict=True):
            replace_all_uses(output[3], result)
        for op in reversed(old):
            Rewriter.erase_op(op)


def _plain(access: Access, domain: Sequence[int], shape: Sequence[int]) -> Access:
    """The same access, in the identity's form for dimensions of size 1."""
    if len(shape) != len(domain):
        return access
    terms = zip(access.terms, domain, shape, strict=True)
    return Access(
        access.rank,
        tuple(Term(i) if d == s == 1 else term for i, (term, d, s) in enumerate(terms)),
    )


def _erase_dead(block: Block) -> None:
    for op in reversed(block_operations(block)):
        if op.results and all(result.first_use is None for result in op.results):
            op.detach()
            erase(op)
