from typing import Any, NamedTuple

class ModelHandler:
    def __init__(
        self, *, min_batch_size: int | None = None, max_batch_size: int | None = None
    ) -> None: ...

class PredictionResult(NamedTuple):
    example: Any
    inference: Any
    model_id: str | None = None

RunInference: Any
