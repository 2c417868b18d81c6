"""Properties that say what is wanted: OpenVINO's `openvino.properties.hint`."""

from __future__ import annotations

from enum import StrEnum

from .property import Property


class PerformanceMode(StrEnum):
    """Whether one call is to be quick, or many are."""

    LATENCY = "LATENCY"
    THROUGHPUT = "THROUGHPUT"
    CUMULATIVE_THROUGHPUT = "CUMULATIVE_THROUGHPUT"


class ExecutionMode(StrEnum):
    """Whether sums may be those of transformed tiles."""

    PERFORMANCE = "PERFORMANCE"
    ACCURACY = "ACCURACY"


class SchedulingCoreType(StrEnum):
    """Which cores run threads: any."""

    ANY_CORE = "ANY_CORE"


allow_auto_batching = Property("ALLOW_AUTO_BATCHING")
dynamic_quantization_group_size = Property("DYNAMIC_QUANTIZATION_GROUP_SIZE")
enable_cpu_pinning = Property("ENABLE_CPU_PINNING")
enable_cpu_reservation = Property("ENABLE_CPU_RESERVATION")
enable_hyper_threading = Property("ENABLE_HYPER_THREADING")
execution_mode = Property("EXECUTION_MODE_HINT")
inference_precision = Property("INFERENCE_PRECISION_HINT")
kv_cache_precision = Property("KV_CACHE_PRECISION")
model_distribution_policy = Property("MODEL_DISTRIBUTION_POLICY")
num_requests = Property("PERFORMANCE_HINT_NUM_REQUESTS")
performance_mode = Property("PERFORMANCE_HINT")
scheduling_core_type = Property("SCHEDULING_CORE_TYPE")
