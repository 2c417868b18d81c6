"""
LLVM IR, written as text while it is built: the types, values and instructions that emitters use
(https://llvm.org/docs/LangRef.html).

A kernel has thousands of instructions, none of which is looked at again. So a value is no more than its type and its
name, and the builder appends a line of text to a block; llvmlite's objects, with operands and names to look up, take
five times as long to make and print. What they check is left to LLVM's parser. Names are not quoted: all are of
letters, digits and dots.
"""

from .builder import IRBuilder
from .module import Block, Function, Module, Table
from .types import (
    ArrayType,
    DoubleType,
    FloatType,
    FunctionType,
    HalfType,
    IntType,
    PointerType,
    Type,
    VectorType,
    VoidType,
)
from .values import Constant, Value

__all__ = [
    "ArrayType",
    "Block",
    "Constant",
    "DoubleType",
    "FloatType",
    "Function",
    "FunctionType",
    "HalfType",
    "IRBuilder",
    "IntType",
    "Module",
    "PointerType",
    "Table",
    "Type",
    "Value",
    "VectorType",
    "VoidType",
]
