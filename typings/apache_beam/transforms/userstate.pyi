from typing import Any

class ReadModifyWriteStateSpec:
    def __init__(self, name: str, coder: Any) -> None: ...

class BagStateSpec:
    def __init__(self, name: str, coder: Any) -> None: ...
