"""The softmax of rows, one after the other, each of which stays in a near cache."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Unpack

from xdsl.dialects.builtin import AffineMapAttr, f32
from xdsl.ir import Attribute, Region, SSAValue
from xdsl.irdl import operand_def, prop_def, region_def
from xdsl.utils.exceptions import VerifyException

from ..inferred import label
from ..operation import op_definition
from ..properties import INTEGER, integer
from .access import Access
from .base import INS_OUTS_ACCESS, Epilogue, KernelOp, Written, YieldOp
from .types import SHAPED, body_type, shaped


@op_definition
class SoftmaxOp(KernelOp):
    """
    Softmax, or its logarithm, along the last dimension of the domain [row…, N].

    `x_access` says which element x[n] of the operand belongs to point (row, n). For each row

        p[n], e[n] = power(x[n], max_n x[n])                                          (f32)
        t          = total(sum_n e[n])     (`partials` partial accumulators, as in `kernel.reduce`)

    and at point (row, n) the body gets p[n] and t, then one scalar for each of `ins`.

        %y = kernel.softmax [4, 8] partials 8 x(%x : tensor<4x8xf32>) x_access affine_map<(d0, d1) -> (d0, d1)>
            ins() outs() access [affine_map<(d0, d1) -> (d0, d1)>] -> tensor<4x8xf32> power {
        ^bb0(%x: f32, %most: f32):
          %less = arith.subf %x, %most : f32
          %p = math.exp %less : f32
          kernel.yield %p, %p : f32, f32
        } total {
        ^bb0(%sum: f32):
          kernel.yield %sum : f32
        } finish {
        ^bb0(%p: f32, %t: f32):
          %y = arith.divf %p, %t : f32
          kernel.yield %y : f32
        }
    """

    name = "kernel.softmax"

    x = operand_def(SHAPED)
    partial_accumulators = prop_def(INTEGER)
    x_access = prop_def(AffineMapAttr)
    power = region_def("single_block")
    total = region_def("single_block")

    assembly_format = (
        "$domain `partials` $partial_accumulators `x` `(` $x `:` type($x) `)` `x_access` $x_access "
        f"{INS_OUTS_ACCESS} `power` $power `total` $total `finish` $body"
    )

    def __init__(
        self,
        domain: Sequence[int],
        partials: int,
        x: SSAValue,
        reading: Access,
        regions: tuple[Region, Region],
        epilogue: Epilogue,
        **written: Unpack[Written],
    ):
        """`regions` are power and total."""
        own = {"partial_accumulators": integer(partials), "x_access": reading.map()}
        super().__init__([x], domain, epilogue, own, regions, **written)

    @property
    def factors(self) -> tuple[Sequence[SSAValue], ...]:
        return ([self.x],)

    @property
    def accumulators(self) -> list[Attribute]:
        return [f32, f32]

    @property
    def own_regions(self) -> list[Region]:
        return [self.power.clone(), self.total.clone()]

    @property
    def reading(self) -> Access:
        """Which element of x belongs to a point."""
        return Access.of(self.x_access)

    @property
    def partials(self) -> int:
        """How many partial accumulators the sum of a row has."""
        return self.partial_accumulators.value.data

    def verify_(self) -> None:
        if not self.shape or self.shape[-1] < 1:
            raise VerifyException(
                f"{label(self)}: domain {list(self.shape)}; its last dimension needs an element"
            )
        if self.partials < 1 or self.partials & (self.partials - 1):
            raise VerifyException(f"{label(self)}: {self.partials} partials; it is a power of two")
        x, reading = shaped(self.x), self.reading
        if reading.rank != len(self.shape) or not reading.within(self.shape, x.get_shape()):
            raise VerifyException(
                f"{label(self)}: x_access {reading.map().data} leaves an operand of type {self.x.type} on domain "
                f"{list(self.shape)}"
            )
        if body_type(x.get_element_type()) != f32:
            raise VerifyException(f"{label(self)}: x {self.x.type} is not computed with in f32")
        for name, region, takes, gives in (
            ("power", self.power, 2, 2),
            ("total", self.total, 1, 1),
        ):
            last = region.block.last_op
            have = [value.type for value in last.values] if isinstance(last, YieldOp) else []
            if [arg.type for arg in region.block.args] != [f32] * takes or have != [f32] * gives:
                raise VerifyException(
                    f"{label(self)}: {name} must take {takes} and yield {gives} of f32"
                )
        self.check_body()
