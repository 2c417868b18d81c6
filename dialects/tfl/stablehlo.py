"""StableHLO's operations that LiteRT has kernels for, and its own with their meaning."""

from __future__ import annotations

from .operation import (
    FUNCTION,
    INTEGER,
    INTEGERS,
    MAYBE_FLAG,
    NUMBERS,
    operation,
)

StablehloAddOp, StablehloMultiplyOp, StablehloMaximumOp, StablehloMinimumOp = (
    operation(f"stablehlo_{name}", "lhs, rhs -> output", elements=NUMBERS)
    for name in ("add", "multiply", "maximum", "minimum")
)
StablehloAndOp = operation("stablehlo_and", "lhs, rhs -> output")
StablehloShiftLeftOp = operation("stablehlo_shift_left", "lhs, rhs -> output")
StablehloPadOp = operation(
    "stablehlo_pad",
    "input, padding_value -> output",
    edge_padding_low=INTEGERS,
    edge_padding_high=INTEGERS,
    interior_padding=INTEGERS,
)
StablehloGatherOp = operation(
    "stablehlo_gather",
    "operand, start_indices -> output",
    offset_dims=INTEGERS,
    collapsed_slice_dims=INTEGERS,
    start_index_map=INTEGERS,
    index_vector_dim=INTEGER,
    slice_sizes=INTEGERS,
    indices_are_sorted=MAYBE_FLAG,
)
StablehloScatterOp = operation(
    "stablehlo_scatter",
    "input, indices, updates -> output",
    update_window_dims=INTEGERS,
    inserted_window_dims=INTEGERS,
    scatter_dims_to_operand_dims=INTEGERS,
    index_vector_dim=INTEGER,
    indices_are_sorted=MAYBE_FLAG,
    unique_indices=MAYBE_FLAG,
    update_computation_subgraph=FUNCTION,
)
StablehloReduceWindowOp = operation(
    "stablehlo_reduce_window",
    "input, init_value -> output",
    window_dimensions=INTEGERS,
    window_strides=INTEGERS,
    base_dilations=INTEGERS,
    window_dilations=INTEGERS,
    padding=INTEGERS,
    body_subgraph=FUNCTION,
)
DilateOp = operation("dilate", "input, dilations, padding_value -> output")
ReduceWindowOp = operation(
    "reduce_window",
    "input, init_value, window_dimensions, window_strides, window_dilations -> output",
    reduce_function=INTEGER,
)
