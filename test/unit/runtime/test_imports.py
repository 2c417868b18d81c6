"""Dataclasses whose methods are compiled when first looked up are like any others."""

import dataclasses
import inspect
import os
import pickle
import subprocess
import sys
from dataclasses import FrozenInstanceError, dataclass, field, replace
from typing import Any

import pytest
from xdsl.irdl import IRDLOperation, OpDef, irdl_op_definition
from xdsl.irdl.declarative_assembly_format import FormatProgram

from lowstream.runtime.imports import formats_parsed_later, methods_compiled_later


def declare() -> type[Any]:
    @dataclass(frozen=True, order=True)
    class Point:
        x: int
        y: int = 2
        names: list[str] = field(default_factory=list[str], compare=False)

    return Point


with methods_compiled_later():

    @dataclass(frozen=True)
    class Base:
        x: int

    @dataclass(frozen=True, slots=True)
    class Derived(Base):
        """A class that adds a field."""

        y: int = 5

        def __post_init__(self):
            assert self.x != self.y, "they are alike"

    Point = declare()


@pytest.mark.skipif(
    not hasattr(dataclasses, "_create_fn"), reason="compiles the methods of a class at once"
)
def test_a_method_is_compiled_when_first_looked_up():
    with methods_compiled_later():
        late = declare()
    assert not inspect.isfunction(vars(late)["__lt__"])
    assert late(1) < late(2)
    assert inspect.isfunction(vars(late)["__lt__"])
    assert not inspect.isfunction(vars(late)["__gt__"])


def test_a_docstring_is_made_when_first_read():
    with methods_compiled_later():
        late = declare()
    assert not isinstance(vars(late)["__doc__"], str)
    assert late(1).__doc__ == late.__doc__ == vars(late)["__doc__"] == Point.__doc__


def test_afterwards_all_is_as_it_was():
    assert inspect.isfunction(vars(declare())["__lt__"])
    with methods_compiled_later(), methods_compiled_later():
        pass
    assert inspect.isfunction(vars(declare())["__lt__"])
    with pytest.raises(ValueError, match="stop"), methods_compiled_later():
        raise ValueError("stop")
    assert inspect.isfunction(vars(declare())["__lt__"])


def test_it_is_described_as_any_other():
    at_once = declare()
    assert inspect.signature(Point) == inspect.signature(at_once)
    assert (
        Point.__doc__
        == at_once.__doc__
        == "Point(x: int, y: int = 2, names: list[str] = <factory>)"
    )
    assert Point.__init__.__qualname__ == at_once.__init__.__qualname__
    assert Derived.__doc__ == "A class that adds a field."
    assert repr(Point(1)) == repr(at_once(1))
    assert repr(Point(1)) == repr(Point(1))


def test_objects_are_equal_hashed_ordered_and_frozen():
    assert Point(1) == Point(1, 2, ["a"]) != Point(2)
    assert len({Point(1), Point(1), Point(2)}) == 2
    assert sorted([Point(3), Point(1), Point(2)]) == [Point(1), Point(2), Point(3)]
    assert Point(1) != (1, 2)
    with pytest.raises(FrozenInstanceError):
        Point(1).x = 2
    with pytest.raises(FrozenInstanceError):
        del Point(1).x
    with pytest.raises(TypeError, match="missing 1 required positional argument: 'x'"):
        Point()


@pytest.mark.parametrize("count", range(3))
def test_equality_is_that_of_the_fields_that_are_compared(count: int):
    kept = [(f"x{n}", Any) for n in range(count)] + [("note", Any, field(default=0, compare=False))]
    with methods_compiled_later():
        late: Any = dataclasses.make_dataclass("Late", kept)
        other: Any = dataclasses.make_dataclass("Other", kept)
    one = late(*range(count))
    assert one == late(*range(count), note=5) and one != other(*range(count))
    assert late.__eq__(one, 5) is NotImplemented
    assert all(one != replace(one, **{name: float("nan")}) for name, *_ in kept[:-1])
    nan = [float("nan")] * count
    assert late(*nan) == late(*nan)  # the same object, as in a tuple
    assert (late.__eq__.__name__, late.__eq__.__qualname__) == ("__eq__", "Late.__eq__")
    assert vars(late)["__eq__"] is not vars(other)["__eq__"]


def test_a_class_with_slots_inherits_them():
    assert Derived(1) == replace(Derived(1, 6), y=5)
    assert pickle.loads(pickle.dumps(Derived(1))) == Derived(1)
    assert repr(Derived(1)) == "Derived(x=1, y=5)" and repr(Base(1)) == "Base(x=1)"
    assert Base(1) != Derived(1)
    assert Base.__init__ is not Derived.__init__
    with pytest.raises(AssertionError, match="they are alike"):
        Derived(5)


def test_formats_are_parsed_when_first_needed(monkeypatch: pytest.MonkeyPatch):
    at_once, parsed = FormatProgram.from_str, list[str]()

    def parse(text: str, definition: OpDef) -> FormatProgram:
        parsed.append(text)
        return at_once(text, definition)

    monkeypatch.setattr(FormatProgram, "from_str", staticmethod(parse))
    with formats_parsed_later():

        @irdl_op_definition
        class NothingOp(IRDLOperation):
            name = "test.nothing"
            assembly_format = "attr-dict"

    assert not parsed
    assert str(NothingOp()) == "test.nothing"
    assert str(NothingOp()) == "test.nothing"
    assert parsed == ["attr-dict"]


def test_afterwards_formats_are_parsed_at_once():
    at_once = FormatProgram.from_str
    with formats_parsed_later(), formats_parsed_later():
        assert FormatProgram.from_str is not at_once
    assert FormatProgram.from_str is at_once


LOADS_NUMPY = """
import os, sys
seen = []
class Finder:
    def find_spec(self, name, path=None, target=None):
        if name == "numpy":
            seen.append(os.environ.get("OPENBLAS_THREAD_TIMEOUT"))
sys.meta_path.insert(0, Finder())
from lowstream import compile_model
print(seen, os.environ.get("OPENBLAS_THREAD_TIMEOUT"))
"""


def seen_by_numpy(environment: dict[str, str]) -> str:
    """OPENBLAS_THREAD_TIMEOUT while NumPy is loaded, and after that."""
    said = subprocess.run(
        [sys.executable, "-P", "-c", LOADS_NUMPY],
        check=True,
        capture_output=True,
        text=True,
        env={**os.environ, **environment},
    )
    return said.stdout


def test_threads_of_numpy_sleep_soon_and_the_environment_stays():
    assert seen_by_numpy({}) == "['20'] None\n"


def test_the_users_choice_for_threads_of_numpy_stays():
    assert seen_by_numpy({"OPENBLAS_THREAD_TIMEOUT": "9"}) == "['9'] 9\n"
