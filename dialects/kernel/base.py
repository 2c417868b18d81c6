"""What all kernels share: a domain, accesses and a body of scalar operations."""

from __future__ import annotations

import struct
from abc import ABC, abstractmethod
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from types import MappingProxyType
from typing import TYPE_CHECKING, Any, Self, TypedDict, Unpack, cast

from xdsl.dialects.builtin import (
    I32,
    DenseArrayBase,
    IntegerType,
    MemRefType,
    TensorType,
    i32,
)
from xdsl.ir import Attribute, Operation, Region, SSAValue
from xdsl.irdl import (
    AttrSizedOperandSegments,
    ParsePropInAttrDict,
    VarOperand,
    prop_def,
    region_def,
    traits_def,
    var_operand_def,
    var_result_def,
)
from xdsl.traits import IsTerminator
from xdsl.utils.exceptions import VerifyException

from ..accessors import operands_of
from ..formatted import FormattedOp
from ..inferred import Shape, label
from ..operation import initialize, op_definition
from ..properties import INTEGERS, integers
from ..walk import block_operations
from .access import ACCESSES, MANY, Access, access_list, accesses_of
from .types import SHAPED, body_type, shaped

NO_OVERFLOW = "kernel.no_overflow"
"""Flag of an `arith.fptosi` in a body: its operand is not NaN and does not overflow, so nothing saturates."""

INS_OUTS_ACCESS = (
    "`ins` `(` ($ins^ `:` type($ins))? `)` `outs` `(` ($outs^ `:` type($outs))? `)` "
    "`access` $access attr-dict-with-keyword (`->` type($results_)^)?"
)
"""The part of the text of every kernel over a domain."""


@op_definition
class YieldOp(FormattedOp):
    """
    Ends a kernel's body and gives one scalar for each of its outputs.

        kernel.yield %y : f32
    """

    name = "kernel.yield"

    values = var_operand_def()

    traits = traits_def(IsTerminator())
    assembly_format = "($values^ `:` type($values))? attr-dict"

    def __init__(self, *values: SSAValue | Operation):
        initialize(self, [SSAValue.get(v) if isinstance(v, Operation) else v for v in values])


class EmittedOp(FormattedOp, ABC):
    """An operation that becomes a function: it has tensor results, or writes `outs` on planned memory."""

    if TYPE_CHECKING:  # each defines them in its own order of operands
        ins: VarOperand
        outs: VarOperand

    @property
    @abstractmethod
    def reads(self) -> tuple[SSAValue, ...]:
        """All operands but `outs`."""

    @property
    def outputs(self) -> Sequence[SSAValue]:
        """What the kernel writes: its results on tensors, its outs on memrefs."""
        return cast(Sequence[SSAValue], self.results or self.outs)


def outside_bodies(op: Operation) -> list[Operation]:
    """`all_operations` without those inside of kernels: most operations of a program are in bodies."""
    found = [op]
    for region in op.regions if not isinstance(op, EmittedOp) else ():
        for block in region.blocks:
            for inner in block_operations(block):
                if inner.regions:
                    found += outside_bodies(inner)
                else:
                    found.append(inner)
    return found


class Written(TypedDict, total=False):
    """The results of kernels, or `outs`, and attributes of them."""

    results: Sequence[TensorType[Any]]
    outs: Sequence[SSAValue]
    attributes: dict[str, Attribute] | None


@dataclass(frozen=True)
class Epilogue:
    """
    What becomes of what a kernel makes of its factors, while that is in registers: `body` gets it, and one scalar for
    each of `ins`. `access` says which element of each of `ins`, and then of each output, belongs to a point.
    """

    ins: Sequence[SSAValue]
    access: Sequence[Access]
    body: Region


class KernelOp(EmittedOp):
    """
    What kernels over the points of a domain share. In tensor form `outs` is empty, in memref form there are no results.

    Operands come in segments: the factors, which a kernel combines as its definition says, then `ins`, whose
    elements the body gets as they are, then `outs`.
    """

    ins = var_operand_def(SHAPED)
    outs = var_operand_def(MemRefType)
    results_ = var_result_def(TensorType)
    domain = prop_def(INTEGERS)
    access = prop_def(ACCESSES)
    body = region_def("single_block")

    irdl_options = (AttrSizedOperandSegments(as_property=True), ParsePropInAttrDict())

    def __init__(
        self,
        factors: Sequence[SSAValue | Sequence[SSAValue]],
        domain: Sequence[int],
        epilogue: Epilogue,
        own: Mapping[str, Attribute | None] = MappingProxyType({}),
        own_regions: Sequence[Region] = (),
        **written: Unpack[Written],
    ):
        """With its `own` properties, where they are given, and its `own_regions`."""
        given = {name: each for name, each in own.items() if each is not None}
        segments = _segments(*factors, epilogue.ins, written.get("outs", ()))
        initialize(
            self,
            operands=[value for segment in segments for value in segment],
            result_types=written.get("results", ()),
            properties=kernel_properties(domain, epilogue.access) | given | _sizes_of(segments),
            regions=[*own_regions, epilogue.body],
            attributes=written.get("attributes") or {},
        )

    @property
    def shape(self) -> Shape:
        """The sizes of the domain."""
        return _sizes_in(self.domain.data.data)

    @property
    def accesses(self) -> list[Access]:
        """One for each of ins, then one for each output."""
        return list(accesses_of(self.access))

    @property
    def factors(self) -> tuple[Sequence[SSAValue], ...]:
        """The segments of operands before `ins`."""
        return ()

    @property
    def accumulators(self) -> list[Attribute]:
        """The types of the body's leading arguments: what the kernel makes of its factors."""
        return []

    @property
    def own_regions(self) -> list[Region]:
        """Copies of the regions before the body, which belong to the kernel."""
        return []

    @property
    def reads(self) -> tuple[SSAValue, ...]:
        """Factors and ins."""
        operands = operands_of(self)
        return operands[: len(operands) - len(self.outs)] if self.outs else operands

    def rebuilt(
        self,
        factors: Sequence[Sequence[SSAValue]],
        ins: Sequence[SSAValue],
        access: Sequence[Access],
        body: Region,
        results: Sequence[TensorType[Any]] = (),
        outs: Sequence[SSAValue] = (),
        domain: Sequence[int] | None = None,
    ) -> Self:
        """The same kernel on other operands, with another body."""
        segments = _segments(*factors, ins, outs)
        properties = dict(self.properties)
        properties.pop(AttrSizedOperandSegments.attribute_name, None)
        properties |= kernel_properties(self.shape if domain is None else domain, access)
        return self.create(
            operands=[value for segment in segments for value in segment],
            result_types=results,
            properties=properties | _sizes_of(segments),
            attributes=self.attributes,
            regions=[*self.own_regions, body],
        )

    def check_body(self) -> None:
        """Raises VerifyException where arguments, yields or accesses do not fit the operands."""
        block, outputs, access = self.body.block, self.outputs, self.accesses
        if len({isinstance(v.type, TensorType) for v in (*self.operands, *self.results)}) > 1:
            raise VerifyException(
                f"{label(self)}: mixes tensors and memrefs; results go with tensors, outs with memrefs"
            )
        if len(access) != len(self.ins) + len(outputs):
            raise VerifyException(
                f"{label(self)}: {len(access)} accesses for {len(self.ins)} inputs and {len(outputs)} "
                "outputs"
            )
        for value, one in zip((*self.ins, *outputs), access, strict=True):
            if one.rank != len(self.shape) or not one.within(self.shape, shaped(value).get_shape()):
                raise VerifyException(
                    f"{label(self)}: access {one.map().data} leaves an operand of type {value.type} on "
                    f"domain {list(self.shape)}"
                )
        wanted = [*self.accumulators, *(body_type(shaped(v).get_element_type()) for v in self.ins)]
        if [arg.type for arg in block.args] != wanted:
            raise VerifyException(
                f"{label(self)}: body takes {[str(a.type) for a in block.args]}, the operands give "
                f"{[str(t) for t in wanted]}"
            )
        if not isinstance(terminator := block.last_op, YieldOp):
            raise VerifyException(f"{label(self)}: the body must end in kernel.yield")
        given = [value.type for value in terminator.values]
        wanted = [body_type(shaped(v).get_element_type()) for v in outputs]
        if given != wanted:
            raise VerifyException(
                f"{label(self)}: body yields {[str(t) for t in given]}, the outputs take "
                f"{[str(t) for t in wanted]}"
            )


@lru_cache(MANY)
def _sizes_in(packed: bytes) -> Shape:
    """The integers of 64 bits that a property holds."""
    return struct.unpack(f"<{len(packed) // 8}q", packed)


def kernel_properties(domain: Sequence[int], access: Sequence[Access]) -> dict[str, Attribute]:
    """The properties that every kernel has."""
    return {
        "domain": integers(domain),
        "access": access_list(tuple(access)),
    }


def _segments(*given: SSAValue | Sequence[SSAValue]) -> list[Sequence[SSAValue]]:
    """Segments of operands; one that is always a single operand may be given as that."""
    return [
        each if isinstance(each, (tuple, list)) or not isinstance(each, SSAValue) else (each,)
        for each in given
    ]


def _sizes_of(segments: Sequence[Sequence[SSAValue]]) -> dict[str, Attribute]:
    """The property with the number of operands of each segment."""
    return {AttrSizedOperandSegments.attribute_name: _sizes(tuple(map(len, segments)))}


@lru_cache(MANY)
def _sizes(sizes: Shape) -> DenseArrayBase[I32]:
    return DenseArrayBase.from_list(i32, sizes)


def sum_type(element: Attribute) -> Attribute:
    """The type in which products of such elements are summed."""
    return i32 if isinstance(element, IntegerType) else body_type(element)
