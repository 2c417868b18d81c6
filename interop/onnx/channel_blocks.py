"""How many channels lie in a block of ONNX Runtime's layout NCHWc, which a saved model does not say."""

from __future__ import annotations

import warnings
from collections.abc import Iterator
from typing import Any

from xdsl.utils.exceptions import DiagnosticException

from ...reference.arrays import Array, array_of
from .elements import constant_data
from .initializers import Data
from .package import BLOCKED

NARROW, WIDE = 8, 16
"""The sizes that there are: https://github.com/microsoft/onnxruntime/blob/main/onnxruntime/core/mlas/lib/platform.cpp"""


def channels_in_block(graph: Any, data: Data) -> int:
    """
    What the filters of a graph prove. Only blocks of 8 have filters whose number is no multiple of 16; only those of 16
    end with 8 filters of zeros, which fill a block. Where nothing proves anything, a warning says that the size is the
    one that ONNX Runtime has on this CPU: it takes the file to be of the CPU that it runs on.

    Raises DiagnosticException where filters contradict each other.
    """
    sizes = {size for each in _filters(graph, data) if (size := _proven(each)) is not None}
    if len(sizes) > 1:
        raise DiagnosticException(
            f"filters lie in blocks of {NARROW} and of {WIDE} channels; let ONNX Runtime optimize the model again"
        )
    if sizes:
        return sizes.pop()
    size = _of_host()
    warnings.warn(
        f"nothing in the model says how many channels its blocks have; {size} are taken, as in files that ONNX Runtime "
        "writes on this CPU. A file of another CPU would give wrong results: optimize it no further than "
        "ORT_ENABLE_EXTENDED",
        stacklevel=2,
    )
    return size


def _filters(graph: Any, data: Data) -> Iterator[Array]:
    constants = {each.name: each for each in graph.initializer}
    for node in graph.node:
        if node.domain == BLOCKED and node.op_type == "Conv" and node.input[1] in constants:
            packed = constants[node.input[1]]
            yield array_of(constant_data(packed, data.of(packed)))


def _proven(filters: Array) -> int | None:
    """The size of a block that filters `[output, input, *kernel]` prove; None where it could be either."""
    if len(filters) % WIDE:
        return NARROW
    last = filters[-WIDE:].reshape(-1, WIDE)
    return WIDE if last.any() and not last[:, NARROW:].any() else None


def _of_host() -> int:
    from llvmlite import binding

    features = binding.get_host_cpu_features()
    is_narrow = "sse2" in features and not features.get("avx512f", False)
    return NARROW if is_narrow else WIDE
