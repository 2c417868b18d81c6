"""Gather: elements at computed indices."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Unpack

from xdsl.dialects.builtin import (
    AffineMapAttr,
    IntegerType,
)
from xdsl.ir import Attribute, Region, SSAValue
from xdsl.irdl import irdl_op_definition, operand_def, prop_def
from xdsl.utils.exceptions import VerifyException

from ..inferred import label
from ..properties import INTEGER, integer
from .access import Access
from .base import INS_OUTS_ACCESS, KernelOp, Written
from .types import SHAPED, body_type, shaped


@irdl_op_definition
class GatherOp(KernelOp):
    """
    A body on elements of `x` that lie, along `axis`, where `indices` say.

    At point p the body gets `x[points(p)]`, but with index `indices[places(p)]` in dimension `axis`, followed by one
    scalar for each of `ins`. An index below 0 counts from the end; one that lies outside then gives 0.

        %y = kernel.gather [2, 4] axis 0 x(%x : tensor<8x4xf32>) points affine_map<(d0, d1) -> (0, d1)>
            indices(%i : tensor<2xi32>) places affine_map<(d0, d1) -> (d0)> ins() outs()
            access [affine_map<(d0, d1) -> (d0, d1)>] -> tensor<2x4xf32> {
        ^bb0(%e: f32):
          kernel.yield %e : f32
        }
    """

    name = "kernel.gather"

    x = operand_def(SHAPED)
    indices = operand_def(SHAPED)
    axis = prop_def(INTEGER)
    points = prop_def(AffineMapAttr)
    places = prop_def(AffineMapAttr)

    assembly_format = (
        "$domain `axis` $axis `x` `(` $x `:` type($x) `)` `points` $points "
        "`indices` `(` $indices `:` type($indices) `)` `places` $places "
        f"{INS_OUTS_ACCESS} $body"
    )

    def __init__(
        self,
        domain: Sequence[int],
        axis: int,
        x: SSAValue,
        indices: SSAValue,
        points: Access,
        places: Access,
        ins: Sequence[SSAValue],
        access: Sequence[Access],
        body: Region,
        **written: Unpack[Written],
    ):
        own = {"axis": integer(axis), "points": points.map(), "places": places.map()}
        super().__init__([x, indices], domain, ins, access, [body], own, **written)

    @property
    def factors(self) -> tuple[Sequence[SSAValue], ...]:
        return ([self.x], [self.indices])

    @property
    def accumulators(self) -> list[Attribute]:
        return [body_type(shaped(self.x).get_element_type())]

    @property
    def reading(self) -> tuple[Access, Access]:
        """The accesses of x, along all other dimensions, and of the indices."""
        return Access.of(self.points), Access.of(self.places)

    def verify_(self) -> None:
        x, indices = shaped(self.x), shaped(self.indices)
        axis, (points, places) = self.axis.value.data, self.reading
        sizes = list(x.get_shape())
        if not 0 <= axis < len(sizes) or not isinstance(indices.get_element_type(), IntegerType):
            raise VerifyException(
                f"{label(self)}: axis {axis} of {x} cannot be looked up by indices {indices}"
            )
        sizes[axis] = 1  # whatever lies there
        for operand, access, shape in (
            (x, points, sizes),
            (indices, places, indices.get_shape()),
        ):
            if access.rank != len(self.shape) or not access.within(self.shape, shape):
                raise VerifyException(
                    f"{label(self)}: access {access.map().data} leaves an operand of type {operand} on domain "
                    f"{list(self.shape)}"
                )
        self.check_body()
