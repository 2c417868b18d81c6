"""The two runtimes as behaviours see them: the same small models, compiled, and outcomes in one form."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from datetime import timedelta
from functools import cache, cached_property
from importlib import import_module
from pathlib import Path
from typing import Any

import numpy as np

from lowstream.test.unit.runtime import runtime_models

Behaviour = Callable[["Side"], Any]

A, B = np.array([[1, 2, 3]], np.float32), np.array([[4, 5, 6]], np.float32)
ONES = np.ones((1, 4), np.float32)
ROWS = np.arange(6, dtype=np.float32).reshape(3, 2)

FLAGS = np.array([0, 3, 0, 5, 7], np.int32)


TWO = """
func.func @main(%a: tensor<1x3xf32> {nn.names = ["a"]}, %b: tensor<1x3xf32> {nn.names = ["b"]})
    -> (tensor<1x3xf32> {nn.names = ["sum"]}, tensor<1x3xf32> {nn.names = ["product"]}) {
  %s = nn.add %a, %b {nn.name = "add"} : (tensor<1x3xf32>, tensor<1x3xf32>) -> tensor<1x3xf32>
  %p = nn.multiply %a, %b {nn.name = "times"} : (tensor<1x3xf32>, tensor<1x3xf32>) -> tensor<1x3xf32>
  func.return %s, %p : tensor<1x3xf32>, tensor<1x3xf32>
}
"""

PLACES = """
func.func @main(%x: tensor<5xi32> {nn.names = ["X"]}) -> (tensor<1x?xi64> {nn.names = ["Y"]}) {
  %y = nn.non_zero %x {output_type = i64} : tensor<5xi32> -> tensor<1x?xi64>
  func.return %y : tensor<1x?xi64>
}
"""

MODELS = {
    "two": TWO,
    "sums": runtime_models.SUMS,
    "unknown": runtime_models.UNKNOWN,
    "whole": runtime_models.TYPES,
    "places": PLACES,
}


class Side:
    """`openvino` or `lowstream`, with models from files that both read."""

    def __init__(self, name: str, folder: Path):
        self.name, self.folder = name, folder
        self.module: Any = import_module(name)
        self.core: Any = self.module.Core()
        self.kept: list[Any] = []

    @property
    def is_openvino(self) -> bool:
        return self.name == "openvino"

    def path(self, model: str) -> str:
        return str(self.folder / f"{model}.xml")

    @cache  # noqa: B019
    def compiled(self, model: str, **config: Any) -> Any:
        return self.core.compile_model(self.path(model), "CPU", config)

    @cached_property
    def two(self) -> Any:
        """sum, product = a + b, a * b, of [1, 3]."""
        return self.compiled("two")

    @cached_property
    def sums(self) -> Any:
        """A running sum Y, and twice that, of X [1, 4]; begins with 0, 1, 2, 3."""
        return self.compiled("sums")

    @cached_property
    def unknown(self) -> Any:
        """Y = X + the number of calls, of X [?, 2]."""
        return self.compiled("unknown")

    @cached_property
    def whole(self) -> Any:
        """sum = a + b, of i32 [3]."""
        return self.compiled("whole")

    @cached_property
    def places(self) -> Any:
        """Where X, i32 [5], is not zero: [1, ?]."""
        return self.compiled("places")

    def request(self, model: str, *inputs: Any) -> Any:
        """A request of a model, after a call where there are inputs."""
        request = getattr(self, model).create_infer_request()
        if inputs:
            request.infer(list(inputs))
        return request

    def read(self, model: str = "two") -> Any:
        return self.core.read_model(self.path(model))

    def tensor(self, array: Any) -> Any:
        """An array as `set_tensor` takes it, in place: OpenVINO's own, or itself."""
        self.kept.append(array)  # OpenVINO's does not
        return self.module.Tensor(array, shared_memory=True) if self.is_openvino else array

    def type(self, name: str) -> Any:
        return getattr(self.module.Type, name) if self.is_openvino else name


def plain(value: Any) -> Any:
    """A value in a form that processes exchange and that is the same of both."""
    match value:
        case np.ndarray():
            return value.dtype.name, value.tolist()
        case None | bool() | int() | float() | str() | bytes():
            return value
        case timedelta():
            return "timedelta"
        case _ if type(value).__name__ == "Tensor":
            return plain(np.array(value.data))
        case _ if hasattr(value, "any_name"):
            return value.any_name
        case _ if hasattr(value, "get_type_name"):
            return value.get_type_name()
        case Mapping():
            return {plain(key): plain(value[key]) for key in value}
        case set() | frozenset():
            return {"set of": sorted(map(plain, value))}
        case _ if isinstance(value, Iterable):
            return [plain(each) for each in value]
        case _:
            return type(value).__name__


def outcome(behaviour: Behaviour, side: Side) -> Any:
    """What a behaviour comes to: a plain value, or the kind of error."""
    try:
        return plain(behaviour(side))
    except RuntimeError:
        return "raises RuntimeError"
    except Exception as error:  # noqa: BLE001
        return f"raises {type(error).__name__}"


def after(*steps: Any) -> Any:
    """The last of several values, whose expressions were evaluated in order."""
    return steps[-1]
