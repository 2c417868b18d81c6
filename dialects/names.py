"""The names of operations in OpenVINO, TensorFlow, LiteRT and ONNX."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal, TypeVar

from xdsl.dialects.builtin import UnregisteredOp
from xdsl.ir import Operation

OpT = TypeVar("OpT", bound=Operation)

Framework = Literal["openvino", "tensorflow", "litert", "onnx"]


@dataclass(frozen=True)
class Names:
    """
    The namesakes of an operation; several are separated by spaces, the one to write comes first.

    OpenVINO's type is spelled as in its `.xml` files, with the newest opset that changed it, as ONNX's is (`Exp-13`).
    """

    openvino: str = ""
    tensorflow: str = ""
    litert: str = ""
    onnx: str = ""

    def of(self, framework: Framework) -> list[str]:
        """The names in a framework, without versions."""
        listed: str = getattr(self, framework)
        return [name.partition("-")[0] for name in listed.split()]


def names_of(kind: type[Operation]) -> Names:
    """The names of an operation elsewhere, from its class variable `NAMES`."""
    names = getattr(kind, "NAMES", Names())
    assert isinstance(names, Names)
    return names


def namesakes(framework: Framework, kind: type[OpT]) -> dict[str, type[OpT]]:
    """The tensor operations of a kind, by their names in a framework."""
    from . import DIALECTS

    return {
        name: op
        for dialect in ("nn", "qnn", "rnn")
        for op in DIALECTS[dialect]().operations
        if issubclass(op, kind)
        for name in names_of(op).of(framework)
    }


SPELLED = {"Const": "Constant", "PReLU": "PRelu", "ReLU": "Relu", "SoftMax": "Softmax"}
"""OpenVINO's types that its files and its API spell differently, the API's behind those of files."""


def type_name(op: Operation) -> str:
    """
    OpenVINO's name of an operation's type: `nn.mat_mul` is a MatMul. Without one there, a foreign operation has
    its own, and ours theirs in camel case.
    """
    if isinstance(op, UnregisteredOp):
        return op.op_name.data
    if names := names_of(type(op)).of("openvino"):
        return names[0]
    words = op.name.rpartition(".")[2].split("_")
    return "".join(map(str.capitalize, words)) if "." in op.name else op.name
