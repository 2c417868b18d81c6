"""The kernels: elementwise maps and matrix products, each with a body of scalar operations."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, cast

from xdsl.dialects.builtin import (
    I64,
    AffineMapAttr,
    ArrayAttr,
    DenseArrayBase,
    DictionaryAttr,
    IntegerAttr,
    IntegerType,
    MemRefType,
    TensorType,
    i32,
    i64,
)
from xdsl.ir import Attribute, Operation, Region, SSAValue
from xdsl.irdl import (
    AttrSizedOperandSegments,
    IRDLOperation,
    ParsePropInAttrDict,
    irdl_op_definition,
    operand_def,
    opt_prop_def,
    prop_def,
    region_def,
    result_def,
    traits_def,
    var_operand_def,
    var_result_def,
)
from xdsl.traits import IsTerminator, Pure
from xdsl.utils.exceptions import VerifyException

from ..inferred import Shape, label
from .access import Access
from .layout import PackedLayout
from .types import SHAPED, Shaped, body_type, shaped, storage_bytes


@irdl_op_definition
class YieldOp(IRDLOperation):
    """
    Ends a kernel's body and gives one scalar for each of its outputs.

        kernel.yield %y : f32
    """

    name = "kernel.yield"

    values = var_operand_def()

    traits = traits_def(IsTerminator())
    assembly_format = "($values^ `:` type($values))? attr-dict"

    def __init__(self, *values: SSAValue | Operation):
        super().__init__(operands=[values])


class KernelOp(IRDLOperation):
    """What all kernels share. In tensor form `outs` is empty, in memref form there are no results."""

    domain = prop_def(DenseArrayBase.constr(I64))
    access = prop_def(ArrayAttr[AffineMapAttr])
    body = region_def("single_block")

    irdl_options = (AttrSizedOperandSegments(as_property=True), ParsePropInAttrDict())

    @property
    def shape(self) -> Shape:
        """The sizes of the domain."""
        return tuple(self.domain.get_values())

    @property
    def accesses(self) -> list[Access]:
        """One for each of ins, then one for each output."""
        return [Access.of(attribute.data) for attribute in self.access]

    @property
    def outputs(self) -> Sequence[SSAValue]:
        """What the kernel writes: its results on tensors, its outs on memrefs."""
        return cast(Sequence[SSAValue], self.results or getattr(self, "outs", ()))

    def check_body(
        self,
        block_args: Sequence[SSAValue],
        leading: Sequence[Attribute],
        domain: Sequence[int],
        ins: Sequence[SSAValue],
        access: Sequence[Access],
        terminator: Operation | None,
    ) -> None:
        """Raises VerifyException where arguments, yields or accesses do not fit the operands."""
        outputs = self.outputs
        if (
            len({isinstance(value.type, TensorType) for value in (*self.operands, *self.results)})
            > 1
        ):
            raise VerifyException(
                f"{label(self)}: mixes tensors and memrefs; results go with tensors, outs with memrefs"
            )
        if len(access) != len(ins) + len(outputs):
            raise VerifyException(
                f"{label(self)}: {len(access)} accesses for {len(ins)} inputs and {len(outputs)} outputs"
            )
        for value, one in zip((*ins, *outputs), access, strict=True):
            if one.rank != len(domain) or not one.within(domain, shaped(value).get_shape()):
                raise VerifyException(
                    f"{label(self)}: access {one.map().data} leaves an operand of type {value.type} on "
                    f"domain {list(domain)}"
                )
        wanted = [*leading, *(body_type(shaped(v).get_element_type()) for v in ins)]
        if [arg.type for arg in block_args] != wanted:
            raise VerifyException(
                f"{label(self)}: body takes {[str(a.type) for a in block_args]}, the operands give "
                f"{[str(t) for t in wanted]}"
            )
        if not isinstance(terminator, YieldOp):
            raise VerifyException(f"{label(self)}: the body must end in kernel.yield")
        given = [value.type for value in terminator.values]
        wanted = [body_type(shaped(v).get_element_type()) for v in outputs]
        if given != wanted:
            raise VerifyException(
                f"{label(self)}: body yields {[str(t) for t in given]}, the outputs take "
                f"{[str(t) for t in wanted]}"
            )


@irdl_op_definition
class MapOp(KernelOp):
    """
    `out[access(p)] = body(in[access(p)], …)` at every point p of the domain.

        %y = kernel.map [2, 8] ins(%a, %b : tensor<2x8xf32>, tensor<8xf32>) outs()
            access [affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d1)>,
                    affine_map<(d0, d1) -> (d0, d1)>] -> tensor<2x8xf32> {
        ^bb0(%x: f32, %z: f32):
          %s = arith.addf %x, %z : f32
          kernel.yield %s : f32
        }
    """

    name = "kernel.map"

    ins = var_operand_def(SHAPED)
    outs = var_operand_def(MemRefType)
    results_ = var_result_def(TensorType)

    assembly_format = (
        "$domain `ins` `(` ($ins^ `:` type($ins))? `)` `outs` `(` ($outs^ `:` type($outs))? `)` "
        "`access` $access attr-dict-with-keyword (`->` type($results_)^)? $body"
    )

    def __init__(
        self,
        domain: Sequence[int],
        ins: Sequence[SSAValue],
        access: Sequence[Access],
        body: Region,
        results: Sequence[TensorType[Any]] = (),
        outs: Sequence[SSAValue] = (),
        attributes: dict[str, Attribute] | None = None,
    ):
        super().__init__(
            operands=[ins, outs],
            result_types=[results],
            properties=_properties(domain, access),
            regions=[body],
            attributes=attributes or {},
        )

    def verify_(self) -> None:
        block = self.body.block
        self.check_body(block.args, (), self.shape, self.ins, self.accesses, block.last_op)


@irdl_op_definition
class MatMulOp(KernelOp):
    """
    Sums of products, and a body on each of them while it is still in registers.

    Product p contracts `a[p]` [batch…, M, K] with `b[p]` [batch…, N, K], both read along their last
    dimension; a missing or single batch dimension repeats. The domain is [batch…, M, N / groups]: at its
    point (…, m, n) the body gets, for each product and, within it, each group g, the exact sum

        acc[p][g] = sum_k a[p][…, m, k] * b[p][…, g * N / groups + n, k]      (i32, or f32 in order of k)

    followed by one scalar for each of `ins`. Groups are how the gates of a recurrent cell meet: group g
    holds gate g of the same unit.

    Once packed (`pack-weights`), `b[p]` is laid out for the vector unit as `layout` says (`PackedLayout`).
    `offset_a` lists, for each product, what is added to the 8-bit codes of a (128 turns i8 into u8 where
    only u8 x i8 is fast; the body then subtracts the weights' sums).
    """

    name = "kernel.mat_mul"

    a = var_operand_def(SHAPED)
    b = var_operand_def(SHAPED)
    ins = var_operand_def(SHAPED)
    outs = var_operand_def(MemRefType)
    results_ = var_result_def(TensorType)
    groups = prop_def(IntegerAttr[I64])
    offset_a = opt_prop_def(DenseArrayBase.constr(I64))
    layout = opt_prop_def(DictionaryAttr)

    assembly_format = (
        "$domain `groups` $groups `a` `(` $a `:` type($a) `)` `b` `(` $b `:` type($b) `)` "
        "`ins` `(` ($ins^ `:` type($ins))? `)` `outs` `(` ($outs^ `:` type($outs))? `)` "
        "`access` $access attr-dict-with-keyword (`->` type($results_)^)? $body"
    )

    def __init__(
        self,
        domain: Sequence[int],
        groups: int,
        a: Sequence[SSAValue],
        b: Sequence[SSAValue],
        ins: Sequence[SSAValue],
        access: Sequence[Access],
        body: Region,
        results: Sequence[TensorType[Any]] = (),
        outs: Sequence[SSAValue] = (),
        offset_a: Sequence[int] | None = None,
        layout: PackedLayout | None = None,
        attributes: dict[str, Attribute] | None = None,
    ):
        properties = _properties(domain, access)
        properties["groups"] = IntegerAttr(groups, 64)
        if offset_a is not None:
            properties["offset_a"] = offsets_attribute(offset_a)
        if layout is not None:
            properties["layout"] = layout.attribute()
        super().__init__(
            operands=[a, b, ins, outs],
            result_types=[results],
            properties=properties,
            regions=[body],
            attributes=attributes or {},
        )

    @property
    def packed(self) -> PackedLayout | None:
        """How b is laid out, once it is packed."""
        return None if self.layout is None else PackedLayout.of(self.layout)

    @property
    def offsets(self) -> Sequence[int]:
        """What is added to the codes of each a."""
        return [0] * len(self.a) if self.offset_a is None else self.offset_a.get_values()

    @property
    def accumulator(self) -> Attribute:
        """The type in which products are summed."""
        return _sum_type(shaped(self.a[0]).get_element_type())

    def verify_(self) -> None:
        groups, block = self.groups.value.data, self.body.block
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
        for a, b in zip(self.a, self.b, strict=True):
            self._verify_product(shaped(a), shaped(b), groups)
        leading = [self.accumulator] * (len(self.a) * groups)
        self.check_body(block.args, leading, self.shape, self.ins, self.accesses, block.last_op)

    def _verify_product(self, a: Shaped, b: Shaped, groups: int) -> None:
        *batch, rows, columns = self.shape
        left, right = a.get_shape(), b.get_shape()
        if {_sum_type(a.get_element_type()), _sum_type(b.get_element_type())} != {self.accumulator}:
            raise VerifyException(
                f"{label(self)}: cannot sum {a.get_element_type()} x {b.get_element_type()} in "
                f"{self.accumulator}"
            )
        if len(left) < 2 or left[-2] != rows or not _repeats(left[:-2], batch):
            raise VerifyException(
                f"{label(self)}: left operand {a} does not fit domain {list(self.shape)}"
            )
        if (packed := self.packed) is None:
            wanted, kind = (columns * groups, left[-1]), "right"
        else:
            wanted, kind = packed.shape(columns, groups, left[-1]), "packed"
        if right[-len(wanted) :] != wanted or not _repeats(right[: -len(wanted)], batch):
            raise VerifyException(f"{label(self)}: {kind} operand {b} is not {list(wanted)}")


def _sum_type(element: Attribute) -> Attribute:
    """The type in which products of such elements are summed."""
    return i32 if isinstance(element, IntegerType) else body_type(element)


def _repeats(shape: Sequence[int], batch: Sequence[int]) -> bool:
    """Whether batch dimensions, aligned at the back, are those of the domain, or repeat."""
    pairs = zip(reversed(shape), reversed(batch), strict=False)
    return len(shape) <= len(batch) and all(have in (1, want) for have, want in pairs)


def offsets_attribute(offsets: Sequence[int]) -> DenseArrayBase[I64]:
    """The `offset_a` property."""
    return DenseArrayBase.from_list(i64, offsets)


def _properties(domain: Sequence[int], access: Sequence[Access]) -> dict[str, Attribute]:
    return {
        "domain": DenseArrayBase.from_list(i64, domain),
        "access": ArrayAttr([one.map() for one in access]),
    }


@irdl_op_definition
class ReshapeOp(IRDLOperation):
    """
    The same elements in row-major order under another shape; costs nothing once memory is planned.

        %y = kernel.reshape %x : tensor<1x1x8xf32> -> tensor<1x8xf32>
    """

    name = "kernel.reshape"

    input = operand_def(TensorType)
    result = result_def(TensorType)

    traits = traits_def(Pure())
    assembly_format = "$input attr-dict `:` type($input) `->` type($result)"

    def __init__(self, input: SSAValue, result: TensorType[Any]):
        super().__init__(operands=[input], result_types=[result])

    def verify_(self) -> None:
        source, target = shaped(self.input), shaped(self.result)
        same = source.get_element_type() == target.get_element_type()
        if not same or storage_bytes(source) != storage_bytes(target):
            raise VerifyException(
                f"{label(self)}: {source} and {target} differ in size or element type"
            )


@irdl_op_definition
class ConcatOp(IRDLOperation):
    """
    The inputs one after the other along `axis`; once memory is planned, each is made in its place.

        %y = kernel.concat %a, %b axis 1 : (tensor<2x4xf32>, tensor<2x8xf32>) -> tensor<2x12xf32>
    """

    name = "kernel.concat"

    inputs = var_operand_def(TensorType)
    result = result_def(TensorType)
    axis = prop_def(IntegerAttr[I64])

    traits = traits_def(Pure())
    assembly_format = "$inputs `axis` $axis attr-dict `:` functional-type(operands, results)"

    def __init__(self, inputs: Sequence[SSAValue], axis: int, result: TensorType[Any]):
        super().__init__(
            operands=[inputs], properties={"axis": IntegerAttr(axis, 64)}, result_types=[result]
        )

    def verify_(self) -> None:
        axis, result = self.axis.value.data, shaped(self.result)
        shape = list(result.get_shape())
        rank = len(shape)
        inputs = [shaped(value) for value in self.inputs]
        fits = 0 <= axis < rank and bool(inputs)
        for one in inputs:
            other = list(one.get_shape())
            fits = fits and len(other) == rank
            fits = fits and other[:axis] + other[axis + 1 :] == shape[:axis] + shape[axis + 1 :]
            fits = fits and one.get_element_type() == result.get_element_type()
        if not fits or sum(one.get_shape()[axis] for one in inputs) != shape[axis]:
            listed = ", ".join(map(str, inputs))
            raise VerifyException(
                f"{label(self)}: {listed or 'nothing'} along axis {axis} is not {result}"
            )
