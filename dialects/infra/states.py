"""States of a model: variables, and what reads and sets them."""

from __future__ import annotations

from typing import Any

from xdsl.dialects.builtin import (
    ModuleOp,
    StringAttr,
    SymbolNameConstraint,
    SymbolRefAttr,
    TensorType,
)
from xdsl.ir import Attribute, Operation, SSAValue
from xdsl.irdl import (
    IRDLOperation,
    irdl_op_definition,
    operand_def,
    prop_def,
    result_def,
    traits_def,
)
from xdsl.traits import (
    MemoryReadEffect,
    MemoryWriteEffect,
    SymbolOpInterface,
)
from xdsl.utils.exceptions import VerifyException

from ..inferred import compatible, label


@irdl_op_definition
class VariableOp(IRDLOperation):
    """
    Declares a state of the model: its id and its type. Reads and assigns refer to it.

        infra.variable @"TI/H_t/variable_1" : tensor<1x128xf32>
    """

    name = "infra.variable"

    sym_name = prop_def(SymbolNameConstraint())
    type = prop_def(TensorType)

    traits = traits_def(SymbolOpInterface())
    assembly_format = "$sym_name attr-dict `:` $type"

    def __init__(self, name: str, type: TensorType[Any]):
        super().__init__(properties={"sym_name": StringAttr(name), "type": type})

    def verify_(self) -> None:
        if not self.sym_name.data:
            raise VerifyException(
                f'{label(self)}: the id "" names nothing; give the variable another'
            )


def variables_of(op: Operation) -> dict[str, VariableOp]:
    """The variables of the module around `op`, by id."""
    module = op
    while not isinstance(module, ModuleOp):
        if (parent := module.parent_op()) is None:
            return {}
        module = parent
    return {v.sym_name.data: v for v in module.ops if isinstance(v, VariableOp)}


def _verify_use(op: Operation, name: str, type: Attribute) -> None:
    variable = variables_of(op).get(name)
    if variable is None:
        raise VerifyException(f"{label(op)}: variable '{name}' is not declared in this module")
    if not compatible(type, variable.type):
        raise VerifyException(
            f"{label(op)}: has type {type}, variable '{name}' is declared as {variable.type}"
        )


@irdl_op_definition
class ReadValueOp(IRDLOperation):
    """
    The variable's value when the call (inside a body: the iteration or the branch) began, or `init` while
    the variable is unset or after a reset (OpenVINO `ReadValue-6`).

        %h = infra.read_value @"TI/H_t/variable_1", %zero : tensor<1x128xf32>
    """

    name = "infra.read_value"

    variable = prop_def(SymbolRefAttr)
    init = operand_def(TensorType)
    result = result_def(TensorType)

    traits = traits_def(MemoryReadEffect())
    assembly_format = "$variable `,` $init attr-dict `:` type($init) `->` type($result)"

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
class AssignOp(IRDLOperation):
    """
    Sets the variable for the next call (inside a body: for what begins after this iteration or branch); all
    assigns of a call commit together when it succeeds (OpenVINO `Assign-6`).

        infra.assign @"TI/H_t/variable_1", %h : tensor<1x128xf32>
    """

    name = "infra.assign"

    variable = prop_def(SymbolRefAttr)
    value = operand_def(TensorType)

    traits = traits_def(MemoryWriteEffect())
    assembly_format = "$variable `,` $value attr-dict `:` type($value)"

    def __init__(self, variable: str, value: SSAValue | Operation):
        super().__init__(operands=[value], properties={"variable": SymbolRefAttr(variable)})

    def verify_(self) -> None:
        _verify_use(self, self.variable.string_value(), self.value.type)
