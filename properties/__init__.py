"""
Names of properties, for `compile_model` and `get_property`: OpenVINO's `openvino.properties`.

    from lowstream.properties import hint

    lowstream.compile_model(model, "CPU", {hint.performance_mode: hint.PerformanceMode.THROUGHPUT})
"""

from __future__ import annotations

from enum import StrEnum

from . import device, hint, intel_cpu, log, streams
from .property import Property

__all__ = ["CacheMode", "Property", "device", "hint", "intel_cpu", "log", "streams"]


class CacheMode(StrEnum):
    """Whether files in the cache are to be quick to load: they hold weights."""

    OPTIMIZE_SPEED = "OPTIMIZE_SPEED"


available_devices = Property("AVAILABLE_DEVICES")
cache_dir = Property("CACHE_DIR")
cache_mode = Property("CACHE_MODE")
enable_mmap = Property("ENABLE_MMAP")
enable_profiling = Property("PERF_COUNT")
enable_weightless = Property("ENABLE_WEIGHTLESS")
execution_devices = Property("EXECUTION_DEVICES")
force_tbb_terminate = Property("FORCE_TBB_TERMINATE")
inference_num_threads = Property("INFERENCE_NUM_THREADS")
key_cache_group_size = Property("KEY_CACHE_GROUP_SIZE")
key_cache_precision = Property("KEY_CACHE_PRECISION")
loaded_from_cache = Property("LOADED_FROM_CACHE")
model_name = Property("NETWORK_NAME")
num_streams = Property("NUM_STREAMS")
optimal_number_of_infer_requests = Property("OPTIMAL_NUMBER_OF_INFER_REQUESTS")
range_for_async_infer_requests = Property("RANGE_FOR_ASYNC_INFER_REQUESTS")
range_for_streams = Property("RANGE_FOR_STREAMS")
supported_properties = Property("SUPPORTED_PROPERTIES")
value_cache_group_size = Property("VALUE_CACHE_GROUP_SIZE")
value_cache_precision = Property("VALUE_CACHE_PRECISION")
weights_path = Property("WEIGHTS_PATH")
