"""What lowstream uses of onnx_ir."""

from typing import Any

class Model: ...

def to_proto(model: Model, /) -> Any: ...
