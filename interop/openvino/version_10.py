"""What OpenVINO adds to files of version 10: conversions to the input and output types of its older interface."""

from __future__ import annotations

from xdsl.dialects import func
from xdsl.dialects.builtin import ModuleOp, f16, f32, i32
from xdsl.ir import Attribute, Operation
from xdsl.rewriter import InsertPoint

from ...dialects.elements import bits_of, is_integer
from ...dialects.inferred import copy_name, shape_of, tensor
from ...dialects.module import entry_of
from ...dialects.nn import ConvertOp
from ...dialects.rewriter import Rewriter
from ...dialects.tensor_types import typed


def convert_ports(module: ModuleOp) -> None:
    """Inputs of f16 become f32; outputs of integers of 32 and 64 bits become i32, and others f32."""
    entry = entry_of(module)
    block = entry.body.block
    for argument in list(block.args):
        if tensor(argument).element_type == f16:
            wide = Rewriter.replace_value_with_new_type(argument, typed(f32, shape_of(argument)))
            users = list(wide.uses)
            convert = ConvertOp.of(wide, destination_type=f16)
            Rewriter.insert_op(convert, InsertPoint.at_start(block))
            for use in users:
                use.operation.operands[use.index] = convert.result
    last = block.last_op
    assert isinstance(last, func.ReturnOp)
    for number, value in enumerate(last.operands):
        type = tensor(value)
        if (wanted := _legacy(type.element_type)) == type.element_type:
            continue
        convert = ConvertOp.of(value, destination_type=wanted)
        source = value.owner
        if isinstance(source, Operation):
            copy_name(source, convert)
        Rewriter.insert_op(convert, InsertPoint.before(last))
        last.operands[number] = convert.result
    entry.update_function_type()


def _legacy(element: Attribute) -> Attribute:
    if is_integer(element) and bits_of(element) in (32, 64):
        return i32
    return f32
