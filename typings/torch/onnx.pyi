"""What lowstream uses of PyTorch's exporter to ONNX."""

from typing import Any

class ONNXProgram:
    @property
    def model_proto(self) -> Any: ...

def __getattr__(name: str) -> Any: ...
