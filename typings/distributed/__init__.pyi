from typing import Any

Client: Any
LocalCluster: Any
as_completed: Any

class WorkerPlugin:
    name: str
