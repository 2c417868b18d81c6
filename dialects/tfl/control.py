"""Control flow (operations that call functions), and the state kept between calls: variables and resources."""

from __future__ import annotations

from xdsl.dialects.builtin import IntegerAttr, StringAttr, TensorType
from xdsl.ir import Attribute
from xdsl.irdl import (
    AnyAttr,
    IRDLOperation,
    irdl_op_definition,
    operand_def,
    opt_prop_def,
    result_def,
    traits_def,
)
from xdsl.traits import MemoryAllocEffect, MemoryWriteEffect

from .operation import FUNCTION, INTEGERS, TEXT, operation


@irdl_op_definition
class VariableOp(IRDLOperation):
    """
    A tensor that keeps its contents from call to call; they are zeros at first. What takes it may change it, as a
    fused LSTM does its states.

        %h = "tfl.variable"() {nn.name = "h"} : () -> tensor<1x4xf32>
    """

    name = "tfl.variable"

    variable = result_def(TensorType)

    traits = traits_def(MemoryAllocEffect())

    def __init__(self, type: Attribute):
        super().__init__(result_types=[type])


@irdl_op_definition
class StoreOp(IRDLOperation):
    """
    A file has no such operator: the operator that gives `value` writes it into the variable.

        "tfl.store"(%x, %h) : (tensor<1x4xf32>, tensor<1x4xf32>) -> ()
    """

    name = "tfl.store"

    value = operand_def(AnyAttr())
    variable = operand_def(AnyAttr())

    traits = traits_def(MemoryWriteEffect())


WhileOp = operation("while", "input* -> output*", cond_subgraph=FUNCTION, body_subgraph=FUNCTION)
IfOp = operation("if", "cond, input* -> output*", then_subgraph=FUNCTION, else_subgraph=FUNCTION)
StablehloCompositeOp = operation(
    "stablehlo_composite",
    "input* -> output*",
    table="StableHLOCompositeOptions",
    composite=opt_prop_def(StringAttr, prop_name="name"),
    decomposition_subgraph=FUNCTION,
    composite_attributes=INTEGERS,
    composite_attributes_format=opt_prop_def(IntegerAttr),
    composite_version=opt_prop_def(IntegerAttr, prop_name="version"),
)
CallOnceOp = operation("call_once", init_subgraph=FUNCTION)
VarHandleOp = operation("var_handle", " -> resource_handle", container=TEXT, shared_name=TEXT)
ReadVariableOp = operation("read_variable", "resource_id -> result")
AssignVariableOp = operation("assign_variable", "resource_id, value")
