"""States of a model: variables, and operations that read and assign them."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, ClassVar, cast

from xdsl.dialects.builtin import (
    DYNAMIC_INDEX,
    IntegerAttr,
    IntegerType,
    ModuleOp,
    StringAttr,
    SymbolNameConstraint,
    SymbolRefAttr,
    TensorType,
    UnitAttr,
    i1,
)
from xdsl.ir import Attribute, Operation, SSAValue
from xdsl.irdl import (
    irdl_op_definition,
    operand_def,
    opt_prop_def,
    prop_def,
    result_def,
    traits_def,
)
from xdsl.traits import MemoryReadEffect, MemoryWriteEffect, SymbolOpInterface
from xdsl.utils.exceptions import VerifyException

from ..blob import BlobAttr
from ..compatible import compatible
from ..formatted import FormattedOp
from ..inferred import label, spelled
from ..names import Names

STREAMS = "infra.streams"
"""
The attribute of a module that says of how many streams each call has a row; of one by default. Each stream is to get
the bits that it would get alone: what depends on the number of rows is to count those of one stream.
"""


def streams_of(module: ModuleOp) -> int:
    """How many streams share a call."""
    said = module.attributes.get(STREAMS)
    return said.value.data if isinstance(said, IntegerAttr) else 1


@irdl_op_definition
class VariableOp(FormattedOp):
    """
    Declares a state of the model: its id and its type. Reads and assigns refer to it.

        infra.variable @"TI/H_t/variable_1" : tensor<1x128xf32>

    Where LPT made it one of codes, the scale and the zero point say what they mean, as `qnn.dequantize` does:
    the user of the model sees values.

        infra.variable @h scale <dense<0.5> : tensor<f32>> zero_point <dense<128> : tensor<ui8>> : tensor<1x4xui8>

    Where only the run tells whether it is set, `flag` is the variable that says so (`flag-states`). That is none of
    the model's.
    """

    name = "infra.variable"

    sym_name = prop_def(SymbolNameConstraint())
    type = prop_def(TensorType)
    scale = opt_prop_def(BlobAttr)
    zero_point = opt_prop_def(BlobAttr)
    flag = opt_prop_def(SymbolRefAttr)

    traits = traits_def(SymbolOpInterface())
    assembly_format = "$sym_name (`scale` $scale^)? (`zero_point` $zero_point^)? (`flag` $flag^)? attr-dict `:` $type"

    def __init__(self, name: str, type: TensorType[Any]):
        super().__init__(properties={"sym_name": StringAttr(name), "type": type})

    @property
    def _label(self) -> str:
        return f"{self.name} '{self.sym_name.data}'"

    def verify_(self) -> None:
        if not self.sym_name.data:
            raise VerifyException(
                f'{label(self)}: the id "" names nothing; give the variable another'
            )
        if self.flag is not None:
            _verify_use(self, self.flag.string_value(), TensorType(i1, []))
        if self.scale is None:
            if self.zero_point is not None:
                raise VerifyException(f"{self._label}: has a zero point, but no scale")
            return
        codes = cast(TensorType[Any], self.type)
        if not isinstance(codes.element_type, IntegerType):
            raise VerifyException(
                f"{self._label}: has a scale, so it holds codes; {codes} are none"
            )
        for grid in (self.scale, self.zero_point):
            if grid is not None and not _broadcasts_to(grid.type.get_shape(), codes.get_shape()):
                raise VerifyException(
                    f"{self._label}: scale or zero point of shape {spelled(grid.type.get_shape())} does not broadcast "
                    f"to {codes}"
                )


def _broadcasts_to(shape: Sequence[int], other: Sequence[int]) -> bool:
    return len(shape) <= len(other) and all(
        size in (1, whole) or whole == DYNAMIC_INDEX
        for size, whole in zip(shape[::-1], other[::-1], strict=False)
    )


def variables_of(op: Operation) -> dict[str, VariableOp]:
    """The variables of the module around `op`, by id; none outside of modules."""
    module = module_around(op)
    ops = () if module is None else module.ops
    return {v.sym_name.data: v for v in ops if isinstance(v, VariableOp)}


def module_around(op: Operation) -> ModuleOp | None:
    """The nearest module that holds an operation, or that it is."""
    while not isinstance(op, ModuleOp):
        if (parent := op.parent_op()) is None:
            return None
        op = parent
    return op


def _verify_use(op: Operation, name: str, type: Attribute) -> None:
    variable = variables_of(op).get(name)
    if variable is None:
        raise VerifyException(f"{label(op)}: variable '{name}' is not declared in this module")
    if not compatible(type, variable.type):
        raise VerifyException(
            f"{label(op)}: has type {type}, variable '{name}' is declared as {variable.type}"
        )


PADDED = "infra.padded"
"""The attribute of an argument of the entry that is `padded` as a value that is read (`ReadValueOp`)."""

RETURNED = "infra.returned"
"""The attribute of an argument of the entry that is returned unchanged and may share its memory with the result."""


@irdl_op_definition
class ReadValueOp(FormattedOp):
    """
    The variable's value when the call (inside a body: the iteration or the branch) began, or `init` while
    the variable is unset or after a reset.

        %h = infra.read_value @"TI/H_t/variable_1", %zero : tensor<1x128xf32> -> tensor<1x128xf32>

    `padded` says that only what a slice behind it takes of the value counts, and that there are zeros beyond
    (`bound-inputs`).
    """

    name = "infra.read_value"
    NAMES: ClassVar = Names("ReadValue-6", "", "READ_VARIABLE")

    variable = prop_def(SymbolRefAttr)
    init = operand_def(TensorType)
    result = result_def(TensorType)
    padded = opt_prop_def(UnitAttr)

    traits = traits_def(MemoryReadEffect())
    assembly_format = (
        "$variable `,` $init (`padded` $padded^)? attr-dict `:` type($init) `->` type($result)"
    )

    def __init__(self, variable: str, init: SSAValue | Operation, type: TensorType[Any]):
        super().__init__(
            operands=[init],
            properties={"variable": SymbolRefAttr(variable)},
            result_types=[type],
        )

    def verify_(self) -> None:
        _verify_use(self, self.variable.string_value(), self.result.type)
        if not compatible(self.init.type, self.result.type):
            raise VerifyException(
                f"{label(self)}: init has type {self.init.type}, the result {self.result.type}"
            )


@irdl_op_definition
class AssignOp(FormattedOp):
    """
    Sets the variable for the next call (inside a body: for what begins after this iteration or branch); all
    assigns of a call commit together when it succeeds.

        infra.assign @"TI/H_t/variable_1", %h : tensor<1x128xf32>

    `in_place` says that it is what was read but for elements that did not count (`bound-dynamic-shapes`): it may be
    written over the old value, which stays as it was as long as nobody counts them.
    """

    name = "infra.assign"
    NAMES: ClassVar = Names("Assign-6", "", "ASSIGN_VARIABLE")

    variable = prop_def(SymbolRefAttr)
    value = operand_def(TensorType)
    in_place = opt_prop_def(UnitAttr)

    traits = traits_def(MemoryWriteEffect())
    assembly_format = "$variable `,` $value (`in_place` $in_place^)? attr-dict `:` type($value)"

    def __init__(self, variable: str, value: SSAValue | Operation):
        super().__init__(operands=[value], properties={"variable": SymbolRefAttr(variable)})

    def verify_(self) -> None:
        _verify_use(self, self.variable.string_value(), self.value.type)
