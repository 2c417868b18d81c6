"""Reductions over a window of points."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Unpack

from xdsl.dialects.builtin import (
    DenseArrayBase,
    Float32Type,
    Float64Type,
    FloatAttr,
    IntegerAttr,
    IntegerType,
    StringAttr,
    i64,
)
from xdsl.ir import Attribute, Region, SSAValue
from xdsl.irdl import (
    opt_prop_def,
    prop_def,
    region_def,
    var_operand_def,
)
from xdsl.utils.exceptions import VerifyException

from ..inferred import Shape, choice, label
from ..operation import op_definition
from ..properties import INTEGER, INTEGERS, integer
from .access import ACCESSES, Access, Reading, access_list, accesses_of
from .base import INS_OUTS_ACCESS, Epilogue, KernelOp, Written, YieldOp
from .types import SHAPED, body_type, shaped

COMBINERS = ("sum", "product", "max", "min", "and", "or")
"""Functions that combine two elements; all have a neutral element."""


@op_definition
class ReduceOp(KernelOp):
    """
    Combines what lies in a window at every point of the domain, and a body on each result while it is in a register.

    At point p, element w of the window reads `x[points(p) + steps(w)]` of each of `x`; the region `element` makes
    one scalar of them. `combiner` puts those of the window together, in row-major order, beginning with its
    neutral element; the body gets that, followed by one scalar for each of `ins`.

    With `partials` p there are p partial accumulators: element w adds to the one of its last index modulo p, in order;
    then the upper half of them is combined into the lower one until one is left. Only sums and products of
    floating-point numbers depend on p.

        %y = kernel.reduce "max" [1, 4, 4, 8] window [3, 3] x(%x : tensor<1x9x9x8xui8>)
            points [affine_map<(d0, d1, d2, d3) -> (d0, d1 * 2, d2 * 2, d3)>]
            steps [affine_map<(d0, d1) -> (0, d0, d1, 0)>] ins() outs()
            access [affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>] -> tensor<1x4x4x8xui8> element {
        ^bb0(%e: i32):
          kernel.yield %e : i32
        } finish {
        ^bb0(%most: i32):
          kernel.yield %most : i32
        }
    """

    name = "kernel.reduce"

    x = var_operand_def(SHAPED)
    combiner = prop_def(StringAttr)
    window = prop_def(INTEGERS)
    points = prop_def(ACCESSES)
    steps = prop_def(ACCESSES)
    partial_accumulators = opt_prop_def(INTEGER)
    element = region_def("single_block")

    assembly_format = (
        "$combiner $domain `window` $window (`partials` $partial_accumulators^)? "
        "`x` `(` ($x^ `:` type($x))? `)` `points` $points `steps` $steps "
        f"{INS_OUTS_ACCESS} `element` $element `finish` $body"
    )

    def __init__(
        self,
        combiner: str,
        domain: Sequence[int],
        window: Sequence[int],
        x: Sequence[SSAValue],
        readings: Sequence[Reading],
        element: Region,
        epilogue: Epilogue,
        partials: int = 1,
        **written: Unpack[Written],
    ):
        own = {
            "combiner": StringAttr(combiner),
            "window": DenseArrayBase.from_list(i64, window),
            "points": access_list(tuple([points for points, _ in readings])),
            "steps": access_list(tuple([steps for _, steps in readings])),
            "partial_accumulators": integer(partials) if partials > 1 else None,
        }
        super().__init__([x], domain, epilogue, own, [element], **written)

    @property
    def factors(self) -> tuple[Sequence[SSAValue], ...]:
        return (self.x,)

    @property
    def accumulator(self) -> Attribute:
        """The type of combined elements."""
        last = self.element.block.last_op
        assert isinstance(last, YieldOp)
        return last.values[0].type

    @property
    def accumulators(self) -> list[Attribute]:
        return [self.accumulator]

    @property
    def extents(self) -> Shape:
        """The sizes of the window."""
        return tuple(self.window.get_values())

    @property
    def partials(self) -> int:
        """How many partial results there are."""
        return 1 if self.partial_accumulators is None else self.partial_accumulators.value.data

    @property
    def readings(self) -> list[Reading]:
        """For each of x: the access to the first element of a point's window, and the access inside of it."""
        return list(zip(accesses_of(self.points), accesses_of(self.steps), strict=True))

    def reads_at(self, readings: Sequence[Reading]) -> None:
        """Sets `readings`."""
        points, steps = zip(*readings, strict=True)
        self.properties["points"] = access_list(points)
        self.properties["steps"] = access_list(steps)

    @property
    def own_regions(self) -> list[Region]:
        return [self.element.clone()]

    def verify_(self) -> None:
        choice(self, "combiner", *COMBINERS)
        if min(self.extents, default=0) < 0 or self.partials < 1:
            raise VerifyException(
                f"{label(self)}: window {list(self.extents)} in {self.partials} partial "
                "accumulators; sizes are 0 or more"
            )
        if self.partials & (self.partials - 1) or (self.partials > 1 and not self.extents):
            raise VerifyException(
                f"{label(self)}: {self.partials} partials for window {list(self.extents)}; a window with "
                "dimensions has a power of two"
            )
        if not len(self.x) == len(self.points) == len(self.steps):
            raise VerifyException(
                f"{label(self)}: {len(self.x)} operands, {len(self.points)} points and "
                f"{len(self.steps)} steps; they go together"
            )
        for value, (points, steps) in zip(self.x, self.readings, strict=True):
            self._verify_reading(value, points, steps)
        self._verify_element()
        self.check_body()

    def _verify_reading(self, value: SSAValue, points: Access, steps: Access) -> None:
        shape = shaped(value).get_shape()
        fits = points.rank == len(self.shape) and steps.rank == len(self.extents)
        fits = fits and len(points.terms) == len(steps.terms) == len(shape)
        if fits and 0 not in (*self.shape, *self.extents):
            low, high = points.reach(self.shape)
            low_step, high_step = steps.reach(self.extents)
            fits = all(
                a + b >= 0 and c + d < size
                for a, b, c, d, size in zip(low, low_step, high, high_step, shape, strict=True)
            )
        if not fits:
            raise VerifyException(
                f"{label(self)}: points {points.map().data} with steps {steps.map().data} leave an operand "
                f"of type {value.type} on domain {list(self.shape)} and window {list(self.extents)}"
            )

    def _verify_element(self) -> None:
        block = self.element.block
        wanted = [body_type(shaped(value).get_element_type()) for value in self.x]
        if [arg.type for arg in block.args] != wanted:
            raise VerifyException(
                f"{label(self)}: element takes {[str(a.type) for a in block.args]}, the operands give "
                f"{[str(t) for t in wanted]}"
            )
        last = block.last_op
        if not isinstance(last, YieldOp) or len(last.values) != 1:
            raise VerifyException(f"{label(self)}: element must yield one scalar")
        neutral(self.combiner.data, self.accumulator)


def neutral(combiner: str, type: Attribute) -> IntegerAttr[Any] | FloatAttr[Any]:
    """The start value of a reduction. Raises VerifyException where the type has none."""
    match combiner, type:
        case "sum" | "product", Float32Type() | Float64Type():
            return FloatAttr(float(combiner == "product"), type)
        case "max" | "min", Float32Type() | Float64Type():
            return FloatAttr(float("-inf" if combiner == "max" else "inf"), type)
        case "and" | "or", IntegerType() if type.width.data == 1:
            return IntegerAttr(int(combiner == "and"), type)
        case "sum" | "product", IntegerType() if type.width.data > 1:
            return IntegerAttr(int(combiner == "product"), type)
        case "max" | "min", IntegerType() if type.width.data > 1:
            limit = 2 ** (type.width.data - 1)
            return IntegerAttr(-limit if combiner == "max" else limit - 1, type)
        case _:
            raise VerifyException(f"kernel.reduce: {combiner} of {type} is not a reduction")
