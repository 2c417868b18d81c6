"""Which element types LiteRT's builtins compute in, and what else can be computed in instead."""

from __future__ import annotations

from xdsl.dialects.builtin import BFloat16Type
from xdsl.ir import Attribute
from xdsl.utils.exceptions import DiagnosticException

from ...dialects.elements import bits_of, is_integer
from ...reference.arrays import dtype_of

FLOAT = ("float32",)
NUMBERS = ("float32", "int32", "int64")
MOVED = ("float32", "int32", "int64", "int16", "int8", "uint8", "bool")

COMPUTED_IN: dict[str, tuple[str, ...]] = {
    "ABS": ("float32", "int32"),
    "ADD": NUMBERS,
    "AVERAGE_POOL_2D": FLOAT,
    "BATCH_MATMUL": FLOAT,
    "BATCH_TO_SPACE_ND": ("float32", "int32", "int64", "int8", "uint8"),
    "BROADCAST_TO": MOVED,
    "CEIL": FLOAT,
    "CONCATENATION": MOVED,
    "CONV_2D": FLOAT,
    "CONV_3D": FLOAT,
    "CONV_3D_TRANSPOSE": FLOAT,
    "DEPTHWISE_CONV_2D": FLOAT,
    "DEPTH_TO_SPACE": ("float32", "int32", "int64", "int8", "uint8"),
    "DIV": ("float32", "int32"),
    "DYNAMIC_UPDATE_SLICE": ("float32", "int32", "int64", "int8", "bool"),
    "ELU": FLOAT,
    "EQUAL": (*NUMBERS, "bool"),
    "EXP": FLOAT,
    "FLOOR": FLOAT,
    "FLOOR_DIV": ("float32", "int32"),
    "FLOOR_MOD": NUMBERS,
    "FULLY_CONNECTED": FLOAT,
    "GATHER": MOVED,
    "GELU": FLOAT,
    "GREATER": NUMBERS,
    "GREATER_EQUAL": NUMBERS,
    "HARD_SWISH": FLOAT,
    "LEAKY_RELU": FLOAT,
    "LESS": NUMBERS,
    "LESS_EQUAL": NUMBERS,
    "LOG": FLOAT,
    "LOGISTIC": FLOAT,
    "MAXIMUM": NUMBERS,
    "MAX_POOL_2D": FLOAT,
    "MEAN": FLOAT,
    "MINIMUM": NUMBERS,
    "MIRROR_PAD": NUMBERS,
    "MUL": NUMBERS,
    "NEG": NUMBERS,
    "NOT_EQUAL": (*NUMBERS, "bool"),
    "PAD": ("float32", "int32", "int64"),
    "PADV2": ("float32", "int32", "int64"),
    "POW": ("float32", "int32"),
    "PRELU": FLOAT,
    "REDUCE_MAX": NUMBERS,
    "REDUCE_MIN": NUMBERS,
    "REDUCE_PROD": NUMBERS,
    "RELU": FLOAT,
    "RELU6": FLOAT,
    "RELU_0_TO_1": FLOAT,
    "RELU_N1_TO_1": FLOAT,
    "RESIZE_BILINEAR": FLOAT,
    "RESIZE_NEAREST_NEIGHBOR": FLOAT,
    "REVERSE_SEQUENCE": ("float32", "int32", "int64", "int16", "uint8"),
    "REVERSE_V2": ("float32", "int32", "int64", "uint8", "bool"),
    "ROUND": FLOAT,
    "SIGN": ("float32", "int32"),
    "SOFTMAX": FLOAT,
    "SPACE_TO_BATCH_ND": ("float32", "int32", "int64", "int8", "uint8"),
    "SPACE_TO_DEPTH": ("float32", "int32", "int64", "int8", "uint8"),
    "SPLIT": ("float32", "int32", "int16", "int8", "uint8"),
    "SPLIT_V": MOVED[:-1],
    "SQRT": FLOAT,
    "SQUARED_DIFFERENCE": ("float32", "int32"),
    "STRIDED_SLICE": MOVED,
    "SUB": NUMBERS,
    "SUM": NUMBERS,
    "TANH": FLOAT,
    "TILE": ("float32", "int32", "int64", "uint8", "bool"),
    "TRANSPOSE": MOVED,
    "TRANSPOSE_CONV": FLOAT,
}
"""The element types without quantization that each builtin's kernel takes; those not listed take any."""

HOLD: dict[str, tuple[str, ...]] = {
    "float16": ("float32",),
    "bool": ("int32", "float32"),
    "int8": ("int32", "float32"),
    "uint8": ("int32", "float32"),
    "int16": ("int32", "float32"),
    "uint16": ("int32", "float32"),
    "uint32": ("int64",),
    "int32": ("int64",),
}
"""By element type, the ones that hold all of its values."""


def carrier(builtin: str, element: str) -> str:
    """
    The type in which `builtin` computes with an element type: its own, or one that holds all its values.

    Raises DiagnosticException where LiteRT has none.
    """
    known = COMPUTED_IN.get(builtin, (element,))
    for candidate in (element, *HOLD.get(element, ())):
        if candidate in known:
            return candidate
    raise DiagnosticException(
        f"LiteRT's {builtin} computes in {', '.join(known)}, not in {element}; "
        "convert the model to one of these"
    )


def element_name(element: Attribute) -> str:
    """NumPy's name of an element type. Raises DiagnosticException for those LiteRT has not."""
    if isinstance(element, BFloat16Type) or (is_integer(element) and 1 < bits_of(element) < 8):
        raise DiagnosticException(
            f"LiteRT computes with no {element}; convert to f32 or an integer of 8 bits or more"
        )
    return dtype_of(element).name
