"""No class hides a field of a base: xDSL takes the field, and says nothing of a function of its name."""

import ast
import inspect
from functools import cache
from types import ModuleType

import pytest
from xdsl.ir import Operation
from xdsl.irdl import IRDLOperation

from lowstream.dialects import context
from lowstream.dialects.operation import Op, op_definition
from lowstream.dialects.properties import integer_prop


@cache
def functions_in(module: ModuleType) -> dict[str, set[str]]:
    """The names of the functions of each class of a file."""
    return {
        each.name: {inner.name for inner in each.body if isinstance(inner, ast.FunctionDef)}
        for each in ast.parse(inspect.getsource(module)).body
        if isinstance(each, ast.ClassDef)
    }


def hidden_fields(kind: type[Operation]) -> set[str]:
    """The fields of an operation that are called as a function of its class or of a base."""
    assert issubclass(kind, IRDLOperation)
    definition = kind.get_irdl_definition()
    values = (*definition.operands, *definition.results, *definition.regions)
    fields = {*(name for name, _ in values), *definition.accessor_names}
    functions = [
        functions_in(module).get(base.__name__, set())
        for base in kind.__mro__
        if issubclass(base, IRDLOperation) and (module := inspect.getmodule(base))
    ]
    return fields & set[str]().union(*functions)


@pytest.mark.parametrize("dialect", ["infra", "kernel", "nn", "qnn", "rnn", "tfl"])
def test_no_function_is_called_as_a_field(dialect: str):
    found = context()
    found.load_registered_dialect(dialect)
    operations = [*found.get_dialect(dialect).operations]
    assert operations
    assert {kind.name: hidden for kind in operations if (hidden := hidden_fields(kind))} == {}


class _Axis(Op):
    axis = integer_prop()


@op_definition
class _Hiding(_Axis):
    name = "test.hiding"

    @property
    def axis(self) -> int:
        return 0


def test_a_hidden_field_is_found():
    assert hidden_fields(_Hiding) == {"axis"}
