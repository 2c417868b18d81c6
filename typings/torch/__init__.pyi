"""What lowstream uses of PyTorch; the rest is untyped, since no environment of the checks has it."""

from typing import Any

from . import export as export
from . import fx as fx
from . import nn as nn
from . import onnx as onnx

class Tensor:
    def __getattr__(self, name: str) -> Any: ...
    def __getitem__(self, index: Any) -> Tensor: ...
    def __mul__(self, other: Any) -> Tensor: ...

def __getattr__(name: str) -> Any: ...
