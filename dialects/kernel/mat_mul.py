"""Matrix products (GEMM): sums of products, and an epilogue on each."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Unpack

from xdsl.dialects.builtin import (
    I64,
    DenseArrayBase,
    DictionaryAttr,
    UnitAttr,
    i8,
    i64,
)
from xdsl.ir import Attribute, SSAValue
from xdsl.irdl import opt_prop_def, prop_def, var_operand_def
from xdsl.utils.exceptions import VerifyException

from ..inferred import Shape, label
from ..operation import op_definition
from ..properties import INTEGER, INTEGERS, integer
from .base import INS_OUTS_ACCESS, Epilogue, KernelOp, Written, sum_type
from .packed_layout import PackedLayout, check_bits, check_matched, check_mr, check_pairs
from .types import SHAPED, Shaped, shaped


@op_definition
class MatMulOp(KernelOp):
    """
    A matrix product (GEMM): sums of products, and a body on each while it is in registers, the epilogue.

    Product p contracts `a[p]` [batch…, M, K] with `b[p]` [batch…, N, K], both read along their last
    dimension; a missing or single batch dimension repeats. The domain is [batch…, M, N / groups]: at its
    point (…, m, n) the body gets, for each product and, within it, each group g, the exact sum

        acc[p][g] = sum_k a[p][…, m, k] * b[p][…, g * N / groups + n, k]      (i32, or f32 in order of k)

    followed by one scalar for each of `ins`. With groups, a point sees all gates of a recurrent
    cell: group g holds gate g of the same unit.

    With `k_by_n`, each b is [batch…, K, N], and read along its last dimension but one.

    Once packed (`pack-weights`), `b[p]` is laid out for the vector unit as `layout` says (`PackedLayout`), codes of
    4 bits two in a byte.
    `offset_a` lists, for each product, what is added to the 8-bit codes of a (128 turns i8 into u8 where
    only u8 x i8 is fast; the body then subtracts the weights' sums). `mr` says how many rows (MR)
    are summed at once, where that was measured.

        %y = kernel.mat_mul [1, 8] groups 1 a(%x : tensor<1x4xui8>) b(%w : tensor<8x4xi8>) ins() outs()
            access [affine_map<(d0, d1) -> (d0, d1)>] -> tensor<1x8xi32> {
        ^bb0(%sum: i32):
          kernel.yield %sum : i32
        }
    """

    name = "kernel.mat_mul"

    a = var_operand_def(SHAPED)
    b = var_operand_def(SHAPED)
    groups = prop_def(INTEGER)
    offset_a = opt_prop_def(INTEGERS)
    layout = opt_prop_def(DictionaryAttr)
    k_by_n = opt_prop_def(UnitAttr)
    mr = opt_prop_def(INTEGERS)

    assembly_format = (
        "$domain `groups` $groups `a` `(` $a `:` type($a) `)` `b` `(` $b `:` type($b) `)` "
        f"{INS_OUTS_ACCESS} $body"
    )

    def __init__(
        self,
        domain: Sequence[int],
        groups: int,
        a: Sequence[SSAValue],
        b: Sequence[SSAValue],
        epilogue: Epilogue,
        offset_a: Sequence[int] | None = None,
        layout: PackedLayout | None = None,
        k_by_n: bool = False,
        **written: Unpack[Written],
    ):
        own = {
            "groups": integer(groups),
            "offset_a": None if offset_a is None else offsets_attribute(offset_a),
            "layout": None if layout is None else layout.attribute(),
            "k_by_n": UnitAttr() if k_by_n else None,
        }
        super().__init__([a, b], domain, epilogue, own, **written)

    @property
    def factors(self) -> tuple[Sequence[SSAValue], ...]:
        return (self.a, self.b)

    @property
    def accumulators(self) -> list[Attribute]:
        return [self.accumulator] * (len(self.a) * self.groups.value.data)

    @property
    def packed(self) -> PackedLayout | None:
        """How b is laid out, once it is packed."""
        return None if self.layout is None else PackedLayout.of(self.layout)

    @property
    def measured_mr(self) -> Shape | None:
        """The rows of a register tile, where they were measured."""
        return None if self.mr is None else tuple(self.mr.get_values())

    @property
    def offsets(self) -> Sequence[int]:
        """What is added to the codes of each a."""
        return [0] * len(self.a) if self.offset_a is None else self.offset_a.get_values()

    @property
    def accumulator(self) -> Attribute:
        """The type in which products are summed."""
        return sum_type(shaped(self.a[0]).get_element_type())

    def verify_(self) -> None:
        groups = self.groups.value.data
        if not self.a or len(self.a) != len(self.b) or len(self.offsets) != len(self.a):
            raise VerifyException(
                f"{label(self)}: {len(self.a)} left and {len(self.b)} right operands, "
                f"{len(self.offsets)} offsets; they go together"
            )
        if len(self.shape) < 2 or groups < 1:
            raise VerifyException(
                f"{label(self)}: domain {list(self.shape)} in {groups} groups; it needs rows, columns and a "
                "group"
            )
        if self.k_by_n is not None and self.layout is not None:
            raise VerifyException(
                f"{label(self)}: its right operands are packed and k_by_n; leave one out"
            )
        check_bits(self, self.packed, (4, 8))
        for a, b in zip(self.a, self.b, strict=True):
            self._verify_product(shaped(a), shaped(b), groups)
            elements = [shaped(value).get_element_type() for value in (a, b)]
            is_plain = len(self.a) == groups == 1
            depth = shaped(a).get_shape()[-1]
            check_matched(self, self.packed, elements, depth, self.offsets[0], is_plain)
            is_plain &= not any(self.offsets)
            check_pairs(self, self.packed, elements, depth, is_plain)
        check_mr(self, self.measured_mr, self.layout is not None, 1)
        self.check_body()

    def _verify_product(self, a: Shaped, b: Shaped, groups: int) -> None:
        *batch, rows, columns = self.shape
        left, right = a.get_shape(), b.get_shape()
        left_type, right_type = a.get_element_type(), b.get_element_type()
        if {sum_type(left_type), sum_type(right_type)} != {self.accumulator}:
            raise VerifyException(
                f"{label(self)}: cannot sum {a.get_element_type()} x {b.get_element_type()} in "
                f"{self.accumulator}"
            )
        if len(left) < 2 or left[-2] != rows or not repeats(left[:-2], batch):
            raise VerifyException(
                f"{label(self)}: left operand {a} does not fit domain {list(self.shape)}"
            )
        if (packed := self.packed) is None:
            wanted, kind = (columns * groups, left[-1]), "right"
            wanted = wanted if self.k_by_n is None else wanted[::-1]
        else:
            wanted, kind = packed.shape(columns, groups, left[-1]), "packed"
        if packed is not None and packed.bits < 8 and right_type != i8:
            raise VerifyException(
                f"{label(self)}: codes of {packed.bits} bits lie in i8, not in {right_type}"
            )
        if right[-len(wanted) :] != wanted or not repeats(right[: -len(wanted)], batch):
            raise VerifyException(f"{label(self)}: {kind} operand {b} is not {list(wanted)}")


def repeats(shape: Sequence[int], batch: Sequence[int]) -> bool:
    """Whether batch dimensions, aligned at the back, are those of the domain, or repeat."""
    pairs = zip(reversed(shape), reversed(batch), strict=False)
    return len(shape) <= len(batch) and all(have in (1, want) for have, want in pairs)


def offsets_attribute(offsets: Sequence[int]) -> DenseArrayBase[I64]:
    """The `offset_a` property."""
    return DenseArrayBase.from_list(i64, offsets)
