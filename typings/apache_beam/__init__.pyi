from typing import Any

class DoFn:
    @staticmethod
    def StateParam(state_spec: Any) -> Any: ...

Create: Any
FlatMap: Any
Map: Any
ParDo: Any
io: Any
Pipeline: Any
Reshuffle: Any
