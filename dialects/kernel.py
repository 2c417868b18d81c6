"""
`kernel`: what the code generator emits.

A kernel exists in two forms. On tensors it is a pure operation with results; on memrefs (after
`plan-memory`) it writes into `outs` and has no results. In both, a kernel runs its body, scalar
operations of `arith` and `math`, at every point of its `domain`; `access` says which element of each of
`ins` and `outs` a point reads or writes. Bodies are signless: 8-bit elements enter as i32, extended as
their memory type says, f16 and bf16 as f32; what is yielded is saturated or rounded to the type of its
memory (`body_type`).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, cast

from xdsl.dialects.builtin import (
    I64,
    AffineMapAttr,
    ArrayAttr,
    BFloat16Type,
    BoolAttr,
    DenseArrayBase,
    DictionaryAttr,
    Float16Type,
    IndexType,
    IntegerAttr,
    IntegerType,
    MemRefType,
    StringAttr,
    TensorType,
    f32,
    i1,
    i32,
    i64,
)
from xdsl.ir import Attribute, Dialect, Operation, Region, SSAValue
from xdsl.ir.affine import (
    AffineBinaryOpExpr,
    AffineBinaryOpKind,
    AffineConstantExpr,
    AffineDimExpr,
    AffineExpr,
    AffineMap,
)
from xdsl.irdl import (
    AnyOf,
    AttrSizedOperandSegments,
    IRDLOperation,
    ParsePropInAttrDict,
    base,
    irdl_op_definition,
    operand_def,
    opt_operand_def,
    opt_prop_def,
    prop_def,
    region_def,
    result_def,
    traits_def,
    var_operand_def,
    var_result_def,
)
from xdsl.traits import IsolatedFromAbove, IsTerminator, NoTerminator, Pure
from xdsl.utils.exceptions import VerifyException

from .blob import BlobAttr, bits_of
from .inferred import Shape, label

Shaped = TensorType[Any] | MemRefType[Any]
SHAPED = AnyOf((base(TensorType), base(MemRefType)))
"""Operands of a kernel: tensors before the memory is planned, memrefs after."""

ALIGNMENT = 64
"""Bytes to which buffers in the arena and constants among the weights are aligned: a cache line."""


def body_type(element: Attribute) -> Attribute:
    """The scalar type by which a body handles elements of this type."""
    match element:
        case IntegerType() if element.width.data == 1:
            return i1
        case IntegerType():
            return IntegerType(max(element.width.data, 32))
        case Float16Type() | BFloat16Type():
            return f32
        case _:
            return element


def shaped(value: SSAValue) -> Shaped:
    """The tensor or memref type of a kernel's operand."""
    assert isinstance(value.type, TensorType | MemRefType)
    return cast(Shaped, value.type)


def strides_of(type: MemRefType[Any]) -> Shape:
    """Elements between neighbours along each dimension of a memref."""
    strides = type.get_strides()
    assert strides is not None and None not in strides
    return cast(Shape, tuple(strides))


def storage_bytes(type: Shaped) -> int:
    """Bytes from the first to the last element of a tensor or memref, both included; `i1` is a byte here."""
    size = max(bits_of(type.get_element_type()), 8) // 8
    shape = type.get_shape()
    if 0 in shape:
        return 0
    if isinstance(type, MemRefType):
        reach = sum((n - 1) * s for n, s in zip(shape, strides_of(type), strict=True))
        return (reach + 1) * size
    total = size
    for n in shape:
        total *= n
    return total


# --- access ---------------------------------------------------------------------------------


@dataclass(frozen=True)
class Term:
    """One index of an operand: `step * d[dim] + offset`, or `offset` alone where `dim` is None."""

    dim: int | None
    step: int = 1
    offset: int = 0


@dataclass(frozen=True)
class Access:
    """Which element of an operand a point of a domain of `rank` dimensions reads or writes."""

    rank: int
    terms: tuple[Term, ...]

    @classmethod
    def identity(cls, rank: int) -> Access:
        """Every point its own element."""
        return cls(rank, tuple(Term(i) for i in range(rank)))

    @classmethod
    def broadcast(cls, domain: Sequence[int], shape: Sequence[int]) -> Access:
        """NumPy's rule: aligned at the back, dimensions of size 1 repeat."""
        lead = len(domain) - len(shape)
        return cls(
            len(domain),
            tuple(
                Term(None) if size == 1 and domain[lead + i] != 1 else Term(lead + i)
                for i, size in enumerate(shape)
            ),
        )

    @classmethod
    def of(cls, map: AffineMap) -> Access:
        """Reads an affine map whose results each use at most one dimension. Raises VerifyException else."""
        return cls(map.num_dims, tuple(_term(expression) for expression in map.results))

    def map(self) -> AffineMapAttr:
        """The attribute that prints this access."""
        return AffineMapAttr(AffineMap(self.rank, 0, tuple(_expression(t) for t in self.terms)))

    def after(self, inner: Access) -> Access:
        """`self` read at the point that `inner` gives: the access of a fused kernel."""
        terms: list[Term] = []
        for term in self.terms:
            if term.dim is None:
                terms.append(term)
                continue
            source = inner.terms[term.dim]
            offset = term.step * source.offset + term.offset
            terms.append(
                Term(source.dim, term.step * source.step if source.dim is not None else 1, offset)
            )
        return Access(inner.rank, tuple(terms))

    @property
    def is_identity(self) -> bool:
        """Whether point and element have the same index."""
        return self == Access.identity(self.rank)

    def within(self, domain: Sequence[int], shape: Sequence[int]) -> bool:
        """Whether all points of `domain` stay inside an operand of this shape."""
        if len(self.terms) != len(shape):
            return False
        for term, size in zip(self.terms, shape, strict=True):
            count = 1 if term.dim is None else domain[term.dim]
            ends = (term.offset, term.offset + term.step * (count - 1))
            if count and not (min(ends) >= 0 and max(ends) < size):
                return False
        return True


def _term(expression: AffineExpr) -> Term:
    match expression:
        case AffineConstantExpr():
            return Term(None, 1, expression.value)
        case AffineDimExpr():
            return Term(expression.position)
        case AffineBinaryOpExpr(AffineBinaryOpKind.Add, left, AffineConstantExpr() as right):
            inner = _term(left)
            return Term(inner.dim, inner.step, inner.offset + right.value)
        case AffineBinaryOpExpr(AffineBinaryOpKind.Mul, left, AffineConstantExpr() as right):
            inner = _term(left)
            return Term(inner.dim, inner.step * right.value, inner.offset * right.value)
        case _:
            raise VerifyException(
                f"access {expression} uses more than one dimension; use d * c + c"
            )


def _expression(term: Term) -> AffineExpr:
    if term.dim is None:
        return AffineExpr.constant(term.offset)
    expression: AffineExpr = AffineExpr.dimension(term.dim)
    if term.step != 1:
        expression = AffineBinaryOpExpr(
            AffineBinaryOpKind.Mul, expression, AffineConstantExpr(term.step)
        )
    if term.offset:
        expression = AffineBinaryOpExpr(
            AffineBinaryOpKind.Add, expression, AffineConstantExpr(term.offset)
        )
    return expression


# --- kernels --------------------------------------------------------------------------------


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

    irdl_options = (AttrSizedOperandSegments(as_property=True), ParsePropInAttrDict())

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
            access [affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d1)>, affine_map<(d0, d1) -> (d0, d1)>] -> tensor<2x8xf32> {
        ^bb0(%x: f32, %z: f32):
          %s = arith.addf %x, %z : f32
          kernel.yield %s : f32
        }
    """

    name = "kernel.map"

    ins = var_operand_def(SHAPED)
    outs = var_operand_def(MemRefType)
    results_ = var_result_def(TensorType)
    domain = prop_def(DenseArrayBase.constr(I64))
    access = prop_def(ArrayAttr[AffineMapAttr])
    body = region_def("single_block")

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

    @property
    def shape(self) -> Shape:
        """The sizes of the domain."""
        return cast(Shape, tuple(self.domain.get_values()))

    @property
    def accesses(self) -> list[Access]:
        """One for each of ins, then one for each output."""
        return [Access.of(attribute.data) for attribute in self.access]

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
    domain = prop_def(DenseArrayBase.constr(I64))
    groups = prop_def(IntegerAttr[I64])
    access = prop_def(ArrayAttr[AffineMapAttr])
    offset_a = opt_prop_def(DenseArrayBase.constr(I64))
    layout = opt_prop_def(DictionaryAttr)
    body = region_def("single_block")

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
    def shape(self) -> Shape:
        """The sizes of the domain."""
        return cast(Shape, tuple(self.domain.get_values()))

    @property
    def accesses(self) -> list[Access]:
        """One for each of ins, then one for each output."""
        return [Access.of(attribute.data) for attribute in self.access]

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
        element = shaped(self.a[0]).get_element_type()
        return i32 if isinstance(element, IntegerType) else body_type(element)

    def verify_(self) -> None:
        groups, block = self.groups.value.data, self.body.block
        if not self.a or len(self.a) != len(self.b) or len(self.offsets) != len(self.a):
            raise VerifyException(
                f"{label(self)}: {len(self.a)} left and {len(self.b)} right operands; they go in pairs"
            )
        for a, b in zip(self.a, self.b, strict=True):
            self._verify_product(shaped(a), shaped(b), groups)
        leading = [self.accumulator] * (len(self.a) * groups)
        self.check_body(block.args, leading, self.shape, self.ins, self.accesses, block.last_op)

    def _verify_product(self, a: Shaped, b: Shaped, groups: int) -> None:
        *batch, rows, columns = self.shape
        left = a.get_shape()
        expected = (*batch, rows)[len(batch) + 1 - (len(left) - 1) :]
        if (
            len(left) < 2
            or any(
                have not in (1, want) for have, want in zip(left[:-2], expected[:-1], strict=True)
            )
            or left[-2] != rows
        ):
            raise VerifyException(
                f"{label(self)}: left operand {a} does not fit domain {list(self.shape)}"
            )
        if self.layout is None:
            right = b.get_shape()
            if len(right) < 2 or right[-2:] != (columns * groups, left[-1]):
                raise VerifyException(
                    f"{label(self)}: right operand {b} is not [{columns * groups}, {left[-1]}]"
                )
            return
        wanted = PackedLayout.of(self.layout).shape(columns, groups, left[-1])
        if b.get_shape()[-len(wanted) :] != wanted:
            raise VerifyException(f"{label(self)}: packed operand {b} is not {list(wanted)}")


@dataclass(frozen=True)
class PackedLayout:
    """
    Weights [N, K] in the order in which a kernel streams them: [tiles][ceil(K / step)][groups][vectors][lanes][step].

    Tile t, vector v, lane l hold unit n = (t * vectors + v) * lanes + l of every group; what lies past N /
    groups or past K is zero.
    """

    lanes: int
    step: int
    vectors: int

    @classmethod
    def of(cls, attribute: DictionaryAttr) -> PackedLayout:
        """Reads the `layout` property."""
        numbers = [
            cast(IntegerAttr, attribute.data[key]).value.data
            for key in ("lanes", "step", "vectors")
        ]
        return cls(*numbers)

    def attribute(self) -> DictionaryAttr:
        """The `layout` property."""
        fields = {"lanes": self.lanes, "step": self.step, "vectors": self.vectors}
        return DictionaryAttr({key: IntegerAttr(value, 64) for key, value in fields.items()})

    def shape(self, columns: int, groups: int, depth: int) -> Shape:
        """The packed shape of [groups * columns, depth] weights."""
        tiles = -(-columns // (self.lanes * self.vectors))
        return (tiles, -(-depth // self.step), groups, self.vectors, self.lanes, self.step)


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
        if storage_bytes(shaped(self.input)) != storage_bytes(shaped(self.result)):
            raise VerifyException(
                f"{label(self)}: {self.input.type} and {self.result.type} differ in size"
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


# --- memory ---------------------------------------------------------------------------------


@irdl_op_definition
class ConstantOp(IRDLOperation):
    """
    Data at a place among the program's weights, `offset` bytes from their start.

        %w = kernel.constant dense<1.0> : tensor<8xf32> at 64 : memref<8xf32>
    """

    name = "kernel.constant"

    value = prop_def(BlobAttr)
    offset = prop_def(IntegerAttr[I64])
    result = result_def(MemRefType)

    traits = traits_def(Pure())
    assembly_format = "$value `at` $offset attr-dict `:` type($result)"

    def __init__(self, value: BlobAttr, offset: int):
        shape, element = value.type.get_shape(), value.type.element_type
        super().__init__(
            properties={"value": value, "offset": IntegerAttr(offset, 64)},
            result_types=[MemRefType(element, shape)],
        )


@irdl_op_definition
class BufferOp(IRDLOperation):
    """
    A value's place in the arena, `offset` bytes from its start.

        %b = kernel.buffer %arena at 128 : memref<4096xi8> -> memref<1x128xf32>
    """

    name = "kernel.buffer"

    arena = operand_def(MemRefType)
    offset = prop_def(IntegerAttr[I64])
    result = result_def(MemRefType)

    traits = traits_def(Pure())
    assembly_format = "$arena `at` $offset attr-dict `:` type($arena) `->` type($result)"

    def __init__(self, arena: SSAValue, offset: int, type: MemRefType[Any]):
        super().__init__(
            operands=[arena], properties={"offset": IntegerAttr(offset, 64)}, result_types=[type]
        )


@irdl_op_definition
class ViewOp(IRDLOperation):
    """
    Part of a buffer, or a buffer under another shape: starts `offset + index * step` bytes into the base.

        %v = kernel.view %x offset 0 : memref<1x1x8xf32> -> memref<1x8xf32>
        %p = kernel.view %x offset 0 index %i step 32 : memref<1x3x8xf32> -> memref<1x1x8xf32, strided<[24, 8, 1]>>
    """

    name = "kernel.view"

    base = operand_def(MemRefType)
    index = opt_operand_def(IndexType)
    offset = prop_def(IntegerAttr[I64])
    step = opt_prop_def(IntegerAttr[I64])
    result = result_def(MemRefType)

    traits = traits_def(Pure())
    assembly_format = "$base `offset` $offset (`index` $index^ `step` $step)? attr-dict `:` type($base) `->` type($result)"

    def __init__(
        self,
        source: SSAValue,
        type: MemRefType[Any],
        offset: int = 0,
        index: SSAValue | None = None,
        step: int = 0,
    ):
        properties: dict[str, Attribute] = {"offset": IntegerAttr(offset, 64)}
        if index is not None:
            properties["step"] = IntegerAttr(step, 64)
        super().__init__(operands=[source, index], properties=properties, result_types=[type])


@irdl_op_definition
class CopyOp(IRDLOperation):
    """
    Elements of the source to the target, same shape and type.

        kernel.copy %next to %carried : memref<1x8xf32> to memref<1x8xf32>
    """

    name = "kernel.copy"

    source = operand_def(MemRefType)
    target = operand_def(MemRefType)

    assembly_format = "$source `to` $target attr-dict `:` type($source) `to` type($target)"

    def __init__(self, source: SSAValue, target: SSAValue):
        super().__init__(operands=[source, target])

    def verify_(self) -> None:
        source, target = shaped(self.source), shaped(self.target)
        if (source.get_shape(), source.get_element_type()) != (
            target.get_shape(),
            target.get_element_type(),
        ):
            raise VerifyException(f"{label(self)}: cannot copy {source} to {target}")


@irdl_op_definition
class ForOp(IRDLOperation):
    """
    Runs its body `count` times with index 0, 1, …

        kernel.for 3 {
        ^bb0(%i: index):
          …
        }
    """

    name = "kernel.for"

    count = prop_def(IntegerAttr[I64])
    body = region_def("single_block")

    traits = traits_def(NoTerminator())
    assembly_format = "$count attr-dict-with-keyword $body"

    def __init__(self, count: int, body: Region):
        super().__init__(properties={"count": IntegerAttr(count, 64)}, regions=[body])

    def verify_(self) -> None:
        if [arg.type for arg in self.body.block.args] != [IndexType()] or self.count.value.data < 0:
            raise VerifyException(f"{label(self)}: needs a count and one index argument")


@irdl_op_definition
class IfUnsetOp(IRDLOperation):
    """
    Runs its body while state number `state` is unset: what computes its initial value.

        kernel.if_unset 0 { … }
    """

    name = "kernel.if_unset"

    state = prop_def(IntegerAttr[I64])
    body = region_def("single_block")

    traits = traits_def(NoTerminator())
    assembly_format = "$state attr-dict-with-keyword $body"

    def __init__(self, state: int, body: Region):
        super().__init__(properties={"state": IntegerAttr(state, 64)}, regions=[body])


@irdl_op_definition
class ProgramOp(IRDLOperation):
    """
    A whole inference in the order of emission, on planned memory.

    Arguments: inputs, outputs, then for each state its current and its next value, then the arena. A state
    that is not in `assigned` keeps its current value; the next value of the others becomes current when a
    call succeeds. `inits` holds each state's initial value where it is constant, else unit, and a
    `kernel.if_unset` computes it into the current value.

        kernel.program @main inputs ["X"] outputs ["Y"] states ["TI/H_t/variable_1"] assigned [true] inits […] {
        ^bb0(%x: memref<1x4xf32>, %y: memref<1x8xf32>, %h: memref<1x8xf32>, %h_next: memref<1x8xf32>, %arena: memref<512xi8>):
          …
        }
    """

    name = "kernel.program"

    sym_name = prop_def(StringAttr)
    inputs = prop_def(ArrayAttr[StringAttr])
    outputs = prop_def(ArrayAttr[StringAttr])
    states = prop_def(ArrayAttr[StringAttr])
    assigned = prop_def(ArrayAttr[BoolAttr])
    inits = prop_def(ArrayAttr)
    body = region_def("single_block")

    traits = traits_def(NoTerminator(), IsolatedFromAbove())
    assembly_format = (
        "$sym_name `inputs` $inputs `outputs` $outputs `states` $states `assigned` $assigned "
        "`inits` $inits attr-dict-with-keyword $body"
    )

    @property
    def input_args(self) -> Sequence[SSAValue]:
        """The arguments that hold the inputs."""
        return self.body.block.args[: len(self.inputs)]

    @property
    def output_args(self) -> Sequence[SSAValue]:
        """The arguments that hold the outputs."""
        start = len(self.inputs)
        return self.body.block.args[start : start + len(self.outputs)]

    @property
    def state_args(self) -> Sequence[tuple[SSAValue, SSAValue]]:
        """Current and next value of each state."""
        rest = self.body.block.args[len(self.inputs) + len(self.outputs) : -1]
        return list(zip(rest[::2], rest[1::2], strict=True))

    @property
    def arena(self) -> SSAValue:
        """The argument that holds intermediate values."""
        return self.body.block.args[-1]

    def verify_(self) -> None:
        states = len(self.states)
        wanted = len(self.inputs) + len(self.outputs) + 2 * states + 1
        if len(self.body.block.args) != wanted or {len(self.assigned), len(self.inits)} != {states}:
            raise VerifyException(
                f"{label(self)}: {len(self.body.block.args)} arguments, its ports and states need {wanted}"
            )
        from .plan import check_plan

        check_plan(self)


Kernel = Dialect(
    "kernel",
    [
        MapOp,
        MatMulOp,
        ReshapeOp,
        ConcatOp,
        YieldOp,
        ProgramOp,
        ConstantOp,
        BufferOp,
        ViewOp,
        CopyOp,
        ForOp,
        IfUnsetOp,
    ],
)
