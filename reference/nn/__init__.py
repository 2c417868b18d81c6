"""The meaning of the `nn` dialect, in files as the dialect is."""

# Their import fills the table of meanings.
from . import (  # noqa: F401
    activation,  # pyright: ignore[reportUnusedImport]
    blocks,  # pyright: ignore[reportUnusedImport]
    comparison,  # pyright: ignore[reportUnusedImport]
    convolution,  # pyright: ignore[reportUnusedImport]
    elementwise,  # pyright: ignore[reportUnusedImport]
    functions,  # pyright: ignore[reportUnusedImport]
    interpolate,  # pyright: ignore[reportUnusedImport]
    matrix,  # pyright: ignore[reportUnusedImport]
    movement,  # pyright: ignore[reportUnusedImport]
    normalization,  # pyright: ignore[reportUnusedImport]
    pooling,  # pyright: ignore[reportUnusedImport]
    reduction,  # pyright: ignore[reportUnusedImport]
    selection,  # pyright: ignore[reportUnusedImport]
    shape,  # pyright: ignore[reportUnusedImport]
)
