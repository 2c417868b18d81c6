from typing import Any

class DoFn:
    @staticmethod
    def StateParam(state_spec: Any) -> Any: ...

Create: Any
ParDo: Any
Pipeline: Any
