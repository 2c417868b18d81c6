"""Gather: elements at computed indices."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Unpack

from xdsl.dialects.builtin import (
    IntegerType,
)
from xdsl.ir import Attribute, SSAValue
from xdsl.irdl import prop_def, var_operand_def
from xdsl.utils.exceptions import VerifyException

from ..inferred import label
from ..operation import op_definition
from ..properties import INTEGER, integer
from .access import ACCESSES, Access, Reading, access_list, accesses_of
from .base import INS_OUTS_ACCESS, Epilogue, KernelOp, Written
from .types import SHAPED, Shaped, body_type, shaped


@op_definition
class GatherOp(KernelOp):
    """
    A body on elements of each `x` that lie, along `axis`, where its `indices` say.

    At point p the body gets `x[points(p)]` of each x, but with index `indices[places(p)]` in dimension `axis`, followed
    by one scalar for each of `ins`. An index below 0 counts from the end; one that lies outside then gives 0.

        %y = kernel.gather [2, 4] axis 0 x(%x : tensor<8x4xf32>) points [affine_map<(d0, d1) -> (0, d1)>]
            indices(%i : tensor<2xi32>) places [affine_map<(d0, d1) -> (d0)>] ins() outs()
            access [affine_map<(d0, d1) -> (d0, d1)>] -> tensor<2x4xf32> {
        ^bb0(%e: f32):
          kernel.yield %e : f32
        }
    """

    name = "kernel.gather"

    x = var_operand_def(SHAPED)
    indices = var_operand_def(SHAPED)
    axis = prop_def(INTEGER)
    points = prop_def(ACCESSES)
    places = prop_def(ACCESSES)

    assembly_format = (
        "$domain `axis` $axis `x` `(` $x `:` type($x) `)` `points` $points "
        "`indices` `(` $indices `:` type($indices) `)` `places` $places "
        f"{INS_OUTS_ACCESS} $body"
    )

    def __init__(
        self,
        domain: Sequence[int],
        axis: int,
        x: Sequence[SSAValue],
        indices: Sequence[SSAValue],
        readings: Sequence[Reading],
        epilogue: Epilogue,
        **written: Unpack[Written],
    ):
        own = {
            "axis": integer(axis),
            "points": access_list(tuple([points for points, _ in readings])),
            "places": access_list(tuple([places for _, places in readings])),
        }
        super().__init__([x, indices], domain, epilogue, own, **written)

    @property
    def factors(self) -> tuple[Sequence[SSAValue], ...]:
        return (self.x, self.indices)

    @property
    def accumulators(self) -> list[Attribute]:
        return [body_type(shaped(x).get_element_type()) for x in self.x]

    @property
    def readings(self) -> list[Reading]:
        """The accesses of each x, along all other dimensions, and of its indices."""
        return list(zip(accesses_of(self.points), accesses_of(self.places), strict=True))

    def verify_(self) -> None:
        if not len(self.x) == len(self.indices) == len(self.points) == len(self.places):
            raise VerifyException(
                f"{label(self)}: {len(self.x)} operands are looked up by {len(self.indices)} indices, with "
                f"{len(self.points)} points and {len(self.places)} places"
            )
        for value, index, reading in zip(self.x, self.indices, self.readings, strict=True):
            self._check(shaped(value), shaped(index), *reading)
        self.check_body()

    def _check(self, x: Shaped, indices: Shaped, points: Access, places: Access) -> None:
        axis, sizes = self.axis.value.data, list(x.get_shape())
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
