from typing import Any

PipelineOptions: Any
