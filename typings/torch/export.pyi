from typing import Any

class ExportedProgram:
    def __getattr__(self, name: str) -> Any: ...

def export(
    module: Any, args: tuple[Any, ...], kwargs: dict[str, Any] | None = None
) -> ExportedProgram: ...
