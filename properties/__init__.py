"""
Names of properties, for `compile_model` and `get_property`: OpenVINO's `openvino.properties`.

    from lowstream.properties import hint

    lowstream.compile_model(model, "CPU", {hint.performance_mode: hint.PerformanceMode.THROUGHPUT})
"""

from __future__ import annotations

from . import device, hint, intel_cpu, log, streams
from .property import Property

__all__ = ["Property", "device", "hint", "intel_cpu", "log", "streams"]

available_devices = Property("AVAILABLE_DEVICES")
cache_dir = Property("CACHE_DIR")
cache_mode = Property("CACHE_MODE")
enable_mmap = Property("ENABLE_MMAP")
enable_profiling = Property("PERF_COUNT")
execution_devices = Property("EXECUTION_DEVICES")
inference_num_threads = Property("INFERENCE_NUM_THREADS")
model_name = Property("NETWORK_NAME")
num_streams = Property("NUM_STREAMS")
optimal_number_of_infer_requests = Property("OPTIMAL_NUMBER_OF_INFER_REQUESTS")
range_for_async_infer_requests = Property("RANGE_FOR_ASYNC_INFER_REQUESTS")
range_for_streams = Property("RANGE_FOR_STREAMS")
supported_properties = Property("SUPPORTED_PROPERTIES")
weights_path = Property("WEIGHTS_PATH")
