"""What ONNX's operators are in ours, where they differ: a function for each, by families."""

from . import (  # noqa: F401  # pyright: ignore[reportUnusedImport]
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
