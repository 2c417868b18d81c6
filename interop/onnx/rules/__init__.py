"""What ONNX's operators are in ours, where they differ: a function for each, by families."""

from . import (
    arithmetic,
    attention,
    control,
    convolution,
    elements,
    image,
    indexing,
    movement,
    normalization,
    quantization,
    recurrent,
    reduction,
    sequences,
    shape,
)

__all__ = [
    "arithmetic",
    "control",
    "convolution",
    "elements",
    "image",
    "indexing",
    "movement",
    "normalization",
    "quantization",
    "recurrent",
    "reduction",
    "sequences",
    "shape",
]
