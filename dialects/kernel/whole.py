"""Kernels that compute their results as a whole: elements depend on each other, so nothing is fused into them."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Self

from xdsl.dialects import arith
from xdsl.dialects.builtin import (
    BoolAttr,
    FloatAttr,
    IntegerType,
    MemRefType,
    StringAttr,
    TensorType,
    f32,
    f64,
    i1,
    i32,
    i64,
)
from xdsl.ir import Attribute, Region, SSAValue
from xdsl.irdl import (
    AttrSizedOperandSegments,
    ParsePropInAttrDict,
    prop_def,
    region_def,
    var_operand_def,
    var_result_def,
)
from xdsl.utils.exceptions import VerifyException

from ..inferred import Shape, choice, label
from ..operation import op_definition
from ..properties import INTEGER, flag_prop, integer
from .base import EmittedOp, YieldOp
from .reduce import COMBINERS, neutral
from .types import SHAPED, body_type, shaped

SELECTED = 4
"""A sort has room for so many times the elements that it keeps, where that is not more than there are."""


class WholeKernelOp(EmittedOp):
    """In tensor form `outs` is empty, in memref form there are no results. The body is computed on scalars."""

    ins = var_operand_def(SHAPED)
    outs = var_operand_def(MemRefType)
    results_ = var_result_def(TensorType)
    body = region_def("single_block")

    irdl_options = (AttrSizedOperandSegments(as_property=True), ParsePropInAttrDict())

    @property
    def reads(self) -> tuple[SSAValue, ...]:
        return tuple(self.ins)

    def on(self, ins: Sequence[SSAValue], outs: Sequence[SSAValue]) -> Self:
        """The same kernel on memory."""
        properties = dict(self.properties)
        properties.pop("operandSegmentSizes", None)
        return self.build(
            operands=[ins, outs],
            result_types=[[]],
            properties=properties,
            attributes=dict(self.attributes),
            regions=[self.body.clone()],
        )

    def check_scalars(self, takes: Sequence[Attribute], *gives: Attribute) -> None:
        """Raises VerifyException where the body has other arguments or yields something else."""
        block = self.body.block
        last = block.last_op
        given = [value.type for value in last.values] if isinstance(last, YieldOp) else []
        if [arg.type for arg in block.args] != list(takes) or given != list(gives):
            made, taken = (", ".join(map(str, types)) for types in (gives, takes))
            raise VerifyException(f"{label(self)}: the body is to make {made} of {taken}")


@op_definition
class ScatterOp(WholeKernelOp):
    """
    Elements at places that are computed, made of what is there and of updates.

    The result is `data`, but for each index p of `updates`, in row-major order,
    `result[q] = body(result[q], updates[p])` where q is p with `indices[p]` along `axis`, or `indices[p[axis]]`
    if the indices are a vector. An index below 0 counts from the end; one that lies outside then changes nothing.

    Once memory is planned, the data lie in the result.

        %y = kernel.scatter axis 0 ins(%x, %i, %u : tensor<8x4xf32>, tensor<2xi64>, tensor<2x4xf32>) outs()
            -> tensor<8x4xf32> {
        ^bb0(%there: f32, %update: f32):
          kernel.yield %update : f32
        }
    """

    name = "kernel.scatter"

    axis = prop_def(INTEGER)

    assembly_format = (
        "`axis` $axis `ins` `(` $ins `:` type($ins) `)` `outs` `(` ($outs^ `:` type($outs))? `)` "
        "attr-dict-with-keyword (`->` type($results_)^)? $body"
    )

    def __init__(
        self,
        axis: int,
        ins: Sequence[SSAValue],
        body: Region,
        result: TensorType[Any],
    ):
        super().__init__(
            operands=[ins, []],
            result_types=[[result]],
            properties={"axis": integer(axis)},
            regions=[body],
        )

    @property
    def data(self) -> SSAValue:
        """The tensor that is updated."""
        return self.ins[0]

    def verify_(self) -> None:
        if len(self.ins) != 3 or len(self.outputs) != 1:
            raise VerifyException(
                f"{label(self)}: takes data, indices and updates, gives one result"
            )
        data, indices, updates = map(shaped, self.ins)
        axis, sizes = self.axis.value.data, updates.get_shape()
        places = indices.get_shape()
        fits = 0 <= axis < len(sizes) == len(data.get_shape()) and all(
            d == axis or count <= size
            for d, (count, size) in enumerate(zip(sizes, data.get_shape(), strict=True))
        )
        fits = fits and (places == sizes or places == (sizes[axis],))
        if not fits or not isinstance(indices.get_element_type(), IntegerType):
            raise VerifyException(
                f"{label(self)}: indices {indices} do not say where along axis {axis} of {data} the updates "
                f"{updates} go"
            )
        result = shaped(self.outputs[0])
        alike = {type.get_element_type() for type in (data, updates, result)}
        if len(alike) > 1 or result.get_shape() != data.get_shape():
            raise VerifyException(f"{label(self)}: {data} with updates {updates} is no {result}")
        if self.outs and self.outs[0] is not self.data:
            raise VerifyException(
                f"{label(self)}: once memory is planned, the data lie in the result"
            )
        scalar = body_type(data.get_element_type())
        self.check_scalars([scalar, scalar], scalar)


@op_definition
class SortOp(WholeKernelOp):
    """
    The order of elements along the last dimension, as their numbers: first comes what the body says is before all
    others, what is equal stays in order. The result holds the first of them, as many as fit.

    A second result is room for merging, and then both hold all elements; without one, each element is inserted.
    Booleans need none. Where the first result holds at most a quarter of the elements, the second one is room for four
    times as many, which are selected.

        %order = kernel.sort ins(%x : tensor<2x8xf32>) outs() -> tensor<2x3xi32> {
        ^bb0(%a: f32, %b: f32):
          %before = arith.cmpf ogt, %a, %b : f32
          kernel.yield %before : i1
        }
    """

    name = "kernel.sort"

    assembly_format = (
        "`ins` `(` $ins `:` type($ins) `)` `outs` `(` ($outs^ `:` type($outs))? `)` "
        "attr-dict-with-keyword (`->` type($results_)^)? $body"
    )

    def __init__(self, x: SSAValue, body: Region, results: Sequence[TensorType[Any]]):
        super().__init__(operands=[[x], []], result_types=[results], regions=[body])

    def verify_(self) -> None:
        if len(self.ins) != 1 or len(self.outputs) not in (1, 2):
            raise VerifyException(
                f"{label(self)}: takes one operand, gives an order and maybe room for it"
            )
        x, *made = (shaped(value) for value in (*self.ins, *self.outputs))
        *rows, size = x.get_shape() or (0,)
        for one in made:
            *outer, count = one.get_shape() or (0,)
            fits = outer == rows and count <= size
            if not fits or one.get_element_type() != i32:
                raise VerifyException(f"{label(self)}: {one} is no order of {x}")
        if len(made) > 1 and made[1].get_shape()[-1] != (count := self.room_of(size)):
            raise VerifyException(f"{label(self)}: room {made[1]} is not for {count} elements")
        scalar = body_type(x.get_element_type())
        self.check_scalars([scalar, scalar], i1)

    @property
    def count(self) -> int:
        """The number of elements that are kept."""
        return shaped(self.outputs[0]).get_shape()[-1]

    def room_of(self, size: int) -> int:
        """How many of so many elements there is room for."""
        return sort_room(self.count, size)


def sort_room(count: int, size: int) -> int:
    """How many elements a sort has room for that keeps `count` of `size`: all, or some that are selected."""
    return SELECTED * count if SELECTED * count <= size else size


@op_definition
class OrderOp(WholeKernelOp):
    """
    The order of elements by their keys, as their numbers: the least key comes first, and equal ones stay in order. The
    body gives an element's key. The result holds the first of them, as many as fit.

    Lines of [outer, line, inner] elements are compared side by side, and each keeps its first ones sorted. Rows of
    [row, element] are sorted one by one; further results are room for their keys, and for words of a key and a number,
    twice as many as the next power of two of those that are kept.

        %order = kernel.order ins(%x : tensor<2x8x16xi32>) outs() -> tensor<2x3x16xi32> {
        ^bb0(%a: i32):
          kernel.yield %a : i32
        }
        %first, %keys, %words = kernel.order ins(%y : tensor<2x8xi32>) outs()
            -> tensor<2x3xi32>, tensor<2x8xi32>, tensor<2x2x4xi64> {
        ^bb0(%a: i32):
          kernel.yield %a : i32
        }
    """

    name = "kernel.order"

    assembly_format = (
        "`ins` `(` $ins `:` type($ins) `)` `outs` `(` ($outs^ `:` type($outs))? `)` "
        "attr-dict-with-keyword (`->` type($results_)^)? $body"
    )

    def __init__(self, x: SSAValue, count: int, body: Region):
        results = [TensorType(*each) for each in _ordered(shaped(x).get_shape(), count)]
        super().__init__(operands=[[x], []], result_types=[results], regions=[body])

    def verify_(self) -> None:
        if len(self.ins) != 1 or len(sizes := shaped(self.ins[0]).get_shape()) not in (2, 3):
            raise VerifyException(f"{label(self)}: takes rows or lines, of rank 2 or 3")
        x, *made = map(shaped, (*self.ins, *self.outputs))
        places = made[0].get_shape() if made else ()
        found = [(each.get_element_type(), each.get_shape()) for each in made]
        if len(places) < 2 or places[1] > sizes[1] or found != _ordered(sizes, places[1]):
            listed = ", ".join(map(str, made))
            raise VerifyException(f"{label(self)}: {listed} is no order of {x}")
        self.check_scalars([body_type(x.get_element_type())], i32)

    @property
    def count(self) -> int:
        """The number of elements that are kept."""
        return shaped(self.outputs[0]).get_shape()[1]


def _ordered(sizes: Shape, count: int) -> list[tuple[Attribute, Shape]]:
    """Element types and shapes of what an order gives."""
    first, size, *inner = sizes
    order = (i32, (first, count, *inner))
    words = 1 << max(count - 1, 0).bit_length()
    return [order] if inner else [order, (i32, (first, size)), (i64, (first, 2, words))]


@op_definition
class ScanOp(WholeKernelOp):
    """
    What becomes of the elements of lines one after the other: the body takes what it carried from the element before,
    0 for the first one, and an element; it gives what it carries to the next one, and the result's element.

    Lines go along the second dimension of [outer, line, inner], where `reverse` from the last element to the first.

        %sums = kernel.scan ins(%x : tensor<2x8x3xf32>) outs() attributes {reverse = false} -> tensor<2x8x3xf32> {
        ^bb0(%before: f64, %a: f32):
          %wide = arith.extf %a : f32 to f64
          %sum = arith.addf %before, %wide : f64
          %rounded = arith.truncf %sum : f64 to f32
          kernel.yield %sum, %rounded : f64, f32
        }
    """

    name = "kernel.scan"

    reverse = flag_prop(False)

    assembly_format = (
        "`ins` `(` $ins `:` type($ins) `)` `outs` `(` ($outs^ `:` type($outs))? `)` "
        "attr-dict-with-keyword (`->` type($results_)^)? $body"
    )

    def __init__(self, x: SSAValue, reverse: bool, body: Region):
        super().__init__(
            operands=[[x], []],
            result_types=[[x.type]],
            properties={"reverse": BoolAttr.from_bool(reverse)},
            regions=[body],
        )

    def verify_(self) -> None:
        if len(self.ins) != 1 or len(self.outputs) != 1:
            raise VerifyException(f"{label(self)}: takes one operand, gives one result")
        x, made = shaped(self.ins[0]), shaped(self.outputs[0])
        if len(x.get_shape()) != 3 or made.get_shape() != x.get_shape():
            raise VerifyException(
                f"{label(self)}: {made} of {x}; both are [outer, line, inner], of one shape"
            )
        carried = [arg.type for arg in self.body.block.args[:1]]
        takes, gives = (body_type(each.get_element_type()) for each in (x, made))
        self.check_scalars([*carried, takes], *carried, gives)


@op_definition
class ReduceWindowsOp(WholeKernelOp):
    """
    Combines the rows of x `[size…, channel]` in each window, by a `combiner` of `kernel.reduce`. Limits of windows are
    computed: row p lies in window w where `begins[w, d] <= p[d] < ends[w, d]` in each dimension d. Rows are combined in
    row-major order, beginning with the neutral element. The body makes the result of what that gives.

        %y = kernel.reduce_windows "max" ins(%x, %b, %e : tensor<6x8x3xf32>, tensor<4x2xi32>, tensor<4x2xi32>) outs()
            -> tensor<4x3xf32> {
        ^bb0(%most: f32):
          kernel.yield %most : f32
        }
    """

    name = "kernel.reduce_windows"

    combiner = prop_def(StringAttr)

    assembly_format = (
        "$combiner `ins` `(` $ins `:` type($ins) `)` `outs` `(` ($outs^ `:` type($outs))? `)` "
        "attr-dict-with-keyword (`->` type($results_)^)? $body"
    )

    def __init__(
        self, combiner: str, ins: Sequence[SSAValue], body: Region, result: TensorType[Any]
    ):
        super().__init__(
            operands=[ins, []],
            result_types=[[result]],
            properties={"combiner": StringAttr(combiner)},
            regions=[body],
        )

    def verify_(self) -> None:
        if len(self.ins) != 3 or len(self.outputs) != 1:
            raise VerifyException(f"{label(self)}: takes x, begins and ends, gives one result")
        choice(self, "combiner", *COMBINERS)
        x, begins, ends, result = map(shaped, (*self.ins, *self.outputs))
        shape, limits = x.get_shape(), begins.get_shape()
        rank = len(shape) - 1
        fits = rank > 0 and limits[1:] == (rank,) and limits == ends.get_shape()
        fits = fits and {begins.get_element_type(), ends.get_element_type()} <= {i32, i64}
        if not fits or result.get_shape() != (limits[0], shape[rank]):
            raise VerifyException(
                f"{label(self)}: {begins} and {ends} are not limits of windows of {x} that make {result}"
            )
        scalar, made = (body_type(each.get_element_type()) for each in (x, result))
        neutral(self.combiner.data, scalar)
        self.check_scalars([scalar], made)


def _suppressed(
    element: Attribute, scores: Shape, count: int, width: int
) -> list[tuple[Attribute, Shape]]:
    """Element types and shapes of what a suppression of scores gives: numbers and scores, and its room."""
    *rows, boxes = scores
    pairs = [(kind, (*rows, size)) for size in (count, boxes) for kind in (i32, element)]
    return [*pairs, (element, (*rows, width, boxes))]


def _is_lowest(value: SSAValue) -> bool:
    match value.owner:
        case arith.ConstantOp(value=FloatAttr() as number):
            return number.value.data == float("-inf")
        case _:
            return False


@op_definition
class NonMaxSuppressionOp(WholeKernelOp):
    """
    Greedy non-maximum suppression: the box of the greatest score is taken, then the scores of those that are left
    become what the body says of them, and so on. A score of minus infinity, or NaN, takes a box out; of equal scores
    the first one is taken.

    Operands are boxes [row, box, coordinate], and scores [row, class, box]. The body takes a score, the coordinates of
    the box that was taken, and those of the box with that score. Results are the numbers of the boxes taken (-1 behind
    the last one), their scores (0 there), and room that only the kernel reads: for numbers of boxes, for scores, and
    for coordinates [row, class, coordinate, box].

        %n, %s, %left, %scores, %places = kernel.non_max_suppression
            ins(%boxes, %x : tensor<1x8x1xf32>, tensor<1x2x8xf32>) outs()
            -> tensor<1x2x3xi32>, tensor<1x2x3xf32>, tensor<1x2x8xi32>, tensor<1x2x8xf32>, tensor<1x2x1x8xf32> {
        ^bb0(%score: f32, %taken: f32, %other: f32):
          %less = arith.subf %score, %taken : f32
          kernel.yield %less : f32
        }
    """

    name = "kernel.non_max_suppression"

    assembly_format = (
        "`ins` `(` $ins `:` type($ins) `)` `outs` `(` ($outs^ `:` type($outs))? `)` "
        "attr-dict-with-keyword (`->` type($results_)^)? $body"
    )

    def __init__(self, boxes: SSAValue, scores: SSAValue, count: int, body: Region):
        type = shaped(scores)
        element, sizes = type.get_element_type(), type.get_shape()
        width = shaped(boxes).get_shape()[-1]
        results = [TensorType(*each) for each in _suppressed(element, sizes, count, width)]
        super().__init__(operands=[[boxes, scores], []], result_types=[results], regions=[body])

    @property
    def only_removes(self) -> bool:
        """Whether the body keeps each score or makes it minus infinity: `select(..., score, -inf)`, or the reverse."""
        block = self.body.block
        end = block.last_op
        assert isinstance(end, YieldOp)
        chosen = end.operands[0].owner
        if not isinstance(chosen, arith.SelectOp):
            return False
        choices = (chosen.lhs, chosen.rhs)
        return block.args[0] in choices and any(map(_is_lowest, choices))

    def verify_(self) -> None:
        if len(self.ins) != 2 or len(self.outputs) != 5:
            raise VerifyException(
                f"{label(self)}: takes boxes and scores; gives numbers, scores and room for both and for boxes"
            )
        boxes, scores = map(shaped, self.ins)
        element, sizes, places = scores.get_element_type(), scores.get_shape(), boxes.get_shape()
        if (
            len(sizes) != 3
            or len(places) != 3
            or places[:2] != (sizes[0], sizes[2])
            or boxes.get_element_type() != element
            or element not in (f32, f64)
        ):
            raise VerifyException(f"{label(self)}: {scores} are not scores of the boxes {boxes}")
        made = list(map(shaped, self.outputs))
        count = (made[0].get_shape() or (0,))[-1]
        found = [(each.get_element_type(), each.get_shape()) for each in made]
        if count > sizes[2] or found != _suppressed(element, sizes, count, places[2]):
            listed = ", ".join(map(str, made))
            raise VerifyException(f"{label(self)}: {scores} cannot give {listed}")
        self.check_scalars([element] * (1 + 2 * places[2]), element)
