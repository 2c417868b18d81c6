"""What lowstream uses of Keras."""

from typing import Any

class Model: ...

def __getattr__(name: str) -> Any: ...
