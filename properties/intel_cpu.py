"""Properties of CPUs: OpenVINO's `openvino.properties.intel_cpu`."""

from __future__ import annotations

from .property import Property

denormals_optimization = Property("CPU_DENORMALS_OPTIMIZATION")
sparse_weights_decompression_rate = Property("CPU_SPARSE_WEIGHTS_DECOMPRESSION_RATE")
