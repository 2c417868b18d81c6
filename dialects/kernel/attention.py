"""Attention: two matrix products with a softmax between them, whose scores never reach memory as a whole."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from math import prod
from typing import Unpack

from xdsl.dialects.builtin import (
    DictionaryAttr,
    f32,
)
from xdsl.ir import Attribute, Region, SSAValue, TypeAttribute
from xdsl.irdl import (
    operand_def,
    opt_prop_def,
    prop_def,
    region_def,
    var_operand_def,
)
from xdsl.utils.exceptions import VerifyException

from ..inferred import Shape, label
from ..operation import op_definition
from ..properties import INTEGER, integer
from .access import ACCESSES, Access, access_list
from .base import INS_OUTS_ACCESS, Epilogue, KernelOp, Written, YieldOp, sum_type
from .mat_mul import repeats
from .packed_layout import PackedLayout, check_bits
from .types import SHAPED, Shaped, body_type, shaped


@dataclass(frozen=True)
class Softmax:
    """
    What becomes of scores, each a region of one result: `score` of a sum of products and an element of each mask,
    `power` of a score and the greatest of its row, `total` of the sum of a row's powers, `weight` of a power, that
    total and each of the scales, an element of the type `weights`.
    """

    score: Region
    power: Region
    total: Region
    weight: Region
    weights: TypeAttribute
    masks: Sequence[SSAValue] = ()
    mask_access: Sequence[Access] = ()
    scales: Sequence[SSAValue] = ()

    @property
    def regions(self) -> list[Region]:
        """All, in the operation's order."""
        return [self.score, self.power, self.total, self.weight]


@op_definition
class AttentionOp(KernelOp):
    """
    Attention: `value`, summed with the weights that `query` gives each of so many `keys`.

    `query` is [batch…, M, E], `key` [batch…, keys, E] and `value` [batch…, D, keys], each read along its last
    dimension; a missing or single batch dimension repeats. The domain is [batch…, M, D]. For row (…, m) and key n

        s[n] = score(sum_e query[…, m, e] * key[…, n, e], masks at (…, m, n))         (f32)
        p[n] = power(s[n], max_n s[n])                                                (f32)
        t    = total(sum_n p[n])           (`partials` partial accumulators, as in `kernel.reduce`)
        w[n] = weight(p[n], t, scales)                              (an element of type `weights`)

    and at its point (…, m, d) the body gets `sum_n w[n] * value[…, d, n]` and t, then one scalar for each of `ins`.
    Sums of products are those of `kernel.mat_mul`: exact in i32, or f32 in order. `mask_access` says which element of
    each mask belongs to (…, m, n); a scale is one f32. Once packed (`pack-weights`), key and value are laid out as
    `key_layout` and `value_layout` say, and `offset_query` is added to the 8-bit codes of query, as in
    `kernel.mat_mul`.

        %y = kernel.attention [4, 8] keys 5 weights f32 query(%q : tensor<4x8xf32>) key(%k : tensor<5x8xf32>)
            value(%v : tensor<8x5xf32>) masks() mask_access [] ins() outs()
            access [affine_map<(d0, d1) -> (d0, d1)>] -> tensor<4x8xf32> score {
        ^bb0(%sum: f32):
          kernel.yield %sum : f32
        } power {
        ^bb0(%s: f32, %most: f32):
          %less = arith.subf %s, %most : f32
          %p = math.exp %less : f32
          kernel.yield %p : f32
        } total {
        ^bb0(%sum: f32):
          kernel.yield %sum : f32
        } weight {
        ^bb0(%p: f32, %t: f32):
          kernel.yield %p : f32
        } finish {
        ^bb0(%sum: f32, %t: f32):
          %y = arith.divf %sum, %t : f32
          kernel.yield %y : f32
        }
    """

    name = "kernel.attention"

    query = operand_def(SHAPED)
    key = operand_def(SHAPED)
    value = operand_def(SHAPED)
    masks = var_operand_def(SHAPED)
    scales = var_operand_def(SHAPED)
    keys = prop_def(INTEGER)
    weights = prop_def(TypeAttribute)
    mask_access = prop_def(ACCESSES)
    partial_accumulators = opt_prop_def(INTEGER)
    offset_query = opt_prop_def(INTEGER)
    key_layout = opt_prop_def(DictionaryAttr)
    value_layout = opt_prop_def(DictionaryAttr)
    score = region_def("single_block")
    power = region_def("single_block")
    total = region_def("single_block")
    weight = region_def("single_block")

    assembly_format = (
        "$domain `keys` $keys `weights` $weights (`partials` $partial_accumulators^)? "
        "`query` `(` $query `:` type($query) `)` `key` `(` $key `:` type($key) `)` "
        "`value` `(` $value `:` type($value) `)` `masks` `(` ($masks^ `:` type($masks))? `)` "
        "`mask_access` $mask_access (`scales` `(` $scales^ `:` type($scales) `)`)? "
        f"{INS_OUTS_ACCESS} "
        "`score` $score `power` $power `total` $total `weight` $weight `finish` $body"
    )

    def __init__(
        self,
        domain: Sequence[int],
        keys: int,
        factors: Sequence[SSAValue],
        softmax: Softmax,
        epilogue: Epilogue,
        offset: int = 0,
        layouts: tuple[PackedLayout, PackedLayout] | None = None,
        **written: Unpack[Written],
    ):
        """`factors` are query, key and value, `layouts` those of key and value."""
        key_layout, value_layout = (None, None) if layouts is None else layouts
        own = {
            "keys": integer(keys),
            "weights": softmax.weights,
            "mask_access": access_list(tuple(softmax.mask_access)),
            "offset_query": integer(offset) if offset else None,
            "key_layout": None if key_layout is None else key_layout.attribute(),
            "value_layout": None if value_layout is None else value_layout.attribute(),
        }
        segments = [*([factor] for factor in factors), softmax.masks, softmax.scales]
        super().__init__(segments, domain, epilogue, own, softmax.regions, **written)

    @property
    def factors(self) -> tuple[Sequence[SSAValue], ...]:
        return ([self.query], [self.key], [self.value], self.masks, self.scales)

    @property
    def accumulators(self) -> list[Attribute]:
        return [self.accumulator, self.total_type]

    @property
    def own_regions(self) -> list[Region]:
        return [one.clone() for one in self.softmax.regions]

    @property
    def softmax(self) -> Softmax:
        """What becomes of scores."""
        regions = self.score, self.power, self.total, self.weight
        return Softmax(*regions, self.weights, self.masks, self.mask_accesses, self.scales)

    @property
    def accumulator(self) -> Attribute:
        """The type in which products with `value` are summed."""
        return sum_type(self.weights)

    @property
    def total_type(self) -> Attribute:
        """The type of a row's total."""
        return f32

    @property
    def partials(self) -> int:
        """How many partial accumulators the sum of a row's powers has."""
        return 1 if self.partial_accumulators is None else self.partial_accumulators.value.data

    @property
    def offset(self) -> int:
        """What is added to the codes of query."""
        return 0 if self.offset_query is None else self.offset_query.value.data

    @property
    def score_shape(self) -> Shape:
        """The sizes of what masks belong to: [batch…, M, keys]."""
        return (*self.shape[:-1], self.keys.value.data)

    @property
    def mask_accesses(self) -> list[Access]:
        """One for each mask, from (…, m, n)."""
        return [Access.of(attribute) for attribute in self.mask_access]

    @property
    def layouts(self) -> tuple[PackedLayout | None, PackedLayout | None]:
        """How key and value are laid out, once they are packed."""
        key, value = (
            None if one is None else PackedLayout.of(one)
            for one in (self.key_layout, self.value_layout)
        )
        return key, value

    def verify_(self) -> None:
        if len(self.shape) < 2 or self.keys.value.data < 1:
            raise VerifyException(
                f"{label(self)}: domain {list(self.shape)} and {self.keys.value.data} keys; it needs rows, columns "
                "and a key"
            )
        if self.partials < 1 or self.partials & (self.partials - 1):
            raise VerifyException(f"{label(self)}: {self.partials} partials; it is a power of two")
        depth = shaped(self.query).get_shape()[-1:]
        *batch, rows, columns = self.shape
        query = shaped(self.query).get_shape()
        if len(query) < 2 or query[-2] != rows or not repeats(query[:-2], batch):
            raise VerifyException(
                f"{label(self)}: query {shaped(self.query)} does not fit domain {list(self.shape)}"
            )
        keys, (key_layout, value_layout) = self.keys.value.data, self.layouts
        self._verify_right("key", shaped(self.key), key_layout, (keys, *depth))
        self._verify_right("value", shaped(self.value), value_layout, (columns, keys))
        self._verify_types()
        self._verify_masks()
        self._verify_scales()
        self._verify_regions()
        self.check_body()

    def _verify_right(
        self, what: str, type: Shaped, layout: PackedLayout | None, wanted: Shape
    ) -> None:
        check_bits(self, layout)
        units, depth = wanted
        inner = wanted if layout is None else layout.shape(units, 1, depth)
        shape = type.get_shape()
        if shape[-len(inner) :] != inner or not repeats(shape[: -len(inner)], self.shape[:-2]):
            raise VerifyException(f"{label(self)}: {what} {type} is not {list(inner)}")

    def _verify_types(self) -> None:
        query, key, value = (
            shaped(one).get_element_type() for one in (self.query, self.key, self.value)
        )
        for left, right in ((query, key), (self.weights, value)):
            if sum_type(left) != sum_type(right):
                raise VerifyException(
                    f"{label(self)}: cannot sum {left} x {right} in {sum_type(left)}"
                )

    def _verify_masks(self) -> None:
        accesses = self.mask_accesses
        if len(accesses) != len(self.masks):
            raise VerifyException(
                f"{label(self)}: {len(accesses)} mask accesses for {len(self.masks)} masks"
            )
        for mask, access in zip(self.masks, accesses, strict=True):
            sizes = shaped(mask).get_shape()
            if access.rank != len(self.shape) or not access.within(self.score_shape, sizes):
                raise VerifyException(
                    f"{label(self)}: mask access {access.map().data} leaves a mask of type {mask.type} on scores "
                    f"{list(self.score_shape)}"
                )

    def _verify_scales(self) -> None:
        for scale in self.scales:
            if prod(shaped(scale).get_shape()) != 1 or shaped(scale).get_element_type() != f32:
                raise VerifyException(f"{label(self)}: scale {scale.type} is not one f32")

    def _verify_regions(self) -> None:
        query = sum_type(shaped(self.query).get_element_type())
        masks = [body_type(shaped(mask).get_element_type()) for mask in self.masks]
        weight = body_type(self.weights)
        for name, region, takes, gives in (
            ("score", self.score, [query, *masks], f32),
            ("power", self.power, [f32, f32], f32),
            ("total", self.total, [f32], f32),
            ("weight", self.weight, [f32] * (2 + len(self.scales)), weight),
        ):
            block = region.block
            last = block.last_op
            have = [value.type for value in last.values] if isinstance(last, YieldOp) else []
            if [arg.type for arg in block.args] != takes or have != [gives]:
                raise VerifyException(
                    f"{label(self)}: {name} must take {', '.join(map(str, takes))} and yield {gives}"
                )
