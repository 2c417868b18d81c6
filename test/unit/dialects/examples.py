"""The lines of IR in docstrings of operations, as functions: what is not defined in them is given."""

import inspect
import textwrap

from xdsl.dialects import func
from xdsl.dialects.builtin import ModuleOp
from xdsl.ir import Block, Operation, Region
from xdsl.parser import Parser

from lowstream.dialects import context


def text_of(op: type[Operation]) -> str:
    """The first indented paragraph of the docstring with the operation in it."""
    paragraphs = inspect.cleandoc(op.__doc__ or "").split("\n\n")
    code = [p for p in paragraphs if p.startswith("    ") and op.name in p]
    assert code, f"{op.name} has no example"
    return textwrap.dedent(code[0])


def example_of(op: type[Operation]) -> ModuleOp:
    """The example as a module that gives the results of its last operation."""
    parser = Parser(context(), text_of(op), op.name)
    block = Block()
    while (each := parser.parse_optional_operation()) is not None:
        block.add_op(each)
    for references in parser.forward_ssa_references.values():
        for value in references.values():
            value.replace_all_uses_with(block.insert_arg(value.type, len(block.args)))
            value.erase()
    last = block.last_op
    assert isinstance(last, op)
    block.add_op(func.ReturnOp(*last.results))
    types = [argument.type for argument in block.args]
    return ModuleOp([func.FuncOp("main", (types, list(last.result_types)), Region(block))])
