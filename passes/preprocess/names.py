"""OpenVINO's enumerations of preprocessing, layouts, and element types by their names."""

from __future__ import annotations

from collections.abc import Sequence
from enum import Enum
from typing import Any, TypeVar

import numpy as np
from xdsl.dialects.builtin import DYNAMIC_INDEX
from xdsl.ir import Attribute

from ...dialects.element_names import OPENVINO
from ..errors import DiagnosticError, shown

_Kind = TypeVar("_Kind", bound=Enum)


class ColorFormat(Enum):
    """How an image says colors: the planes that it has, and the channels of each."""

    UNDEFINED = "undefined"
    NV12_SINGLE_PLANE = "NV12"
    NV12_TWO_PLANES = "NV12 of two planes"
    I420_SINGLE_PLANE = "I420"
    I420_THREE_PLANES = "I420 of three planes"
    RGB = "RGB"
    BGR = "BGR"
    GRAY = "GRAY"
    RGBX = "RGBX"
    BGRX = "BGRX"


class ResizeAlgorithm(Enum):
    """What `resize` makes a pixel of; the values are modes of `nn.interpolate`."""

    RESIZE_LINEAR = "linear"
    RESIZE_CUBIC = "cubic"
    RESIZE_NEAREST = "nearest"
    RESIZE_BILINEAR_PILLOW = "bilinear_pillow"
    RESIZE_BICUBIC_PILLOW = "bicubic_pillow"


class PaddingMode(Enum):
    """What `pad` puts around; the values are modes of `nn.pad`."""

    CONSTANT = "constant"
    REFLECT = "reflect"
    SYMMETRIC = "symmetric"


EXAMPLES = "'NCHW', 'N?HW' or 'N...C'"

PLANES = {
    ColorFormat.NV12_SINGLE_PLANE: ("",),
    ColorFormat.NV12_TWO_PLANES: ("y", "uv"),
    ColorFormat.I420_SINGLE_PLANE: ("",),
    ColorFormat.I420_THREE_PLANES: ("y", "u", "v"),
}
"""What the planes of video are called."""

CHANNELS = {
    ColorFormat.RGB: 3,
    ColorFormat.BGR: 3,
    ColorFormat.RGBX: 4,
    ColorFormat.BGRX: 4,
}
"""How many channels a pixel has that says its color alone."""


def member(kind: type[_Kind], given: Any) -> _Kind:
    """A member, by itself, its name, or OpenVINO's of that name. Raises DiagnosticException for others."""
    name = str(getattr(given, "name", given)).rpartition(".")[-1]
    if name in kind.__members__:
        return kind[name]
    raise DiagnosticError(
        f"there is no {kind.__name__} {shown(given)}; there are {', '.join(kind.__members__)}"
    )


def element_type(given: Any) -> Attribute:
    """
    An element type by OpenVINO's name ("u8"), as openvino.Type, or as NumPy's type. Raises DiagnosticException for
    others.
    """
    if given is None:  # of which NumPy makes f64
        raise _no_element_type(given)
    if hasattr(given, "get_type_name"):
        name = given.get_type_name()
    elif isinstance(given, str) and given in OPENVINO:
        name = given
    else:
        try:
            dtype = np.dtype(given)
        except (TypeError, ValueError):
            raise _no_element_type(given) from None
        name = "boolean" if dtype.kind == "b" else f"{dtype.kind}{8 * dtype.itemsize}"
    if name not in OPENVINO:
        raise _no_element_type(given)
    return OPENVINO[name]


def _no_element_type(given: Any) -> DiagnosticError:
    return DiagnosticError(
        f"there is no element type {shown(given)}; there are {', '.join(OPENVINO)}"
    )


class Layout:
    """
    What the dimensions of a tensor are: "NHWC", "N?HW", "N...C" or "[batch,height,width,channels]"; "" says nothing.
    `before` are those from the left; where there are dots, `after` are those from the right, else None. Equals the text
    that says the same. Raises DiagnosticException for text that is no layout.
    """

    def __init__(self, given: Any = ""):
        said = given.to_string() if hasattr(given, "to_string") else given
        if not isinstance(said, str):
            raise DiagnosticError(f"{shown(given)} is not a layout; write one as {EXAMPLES}")
        text = said.replace(" ", "")
        if text.startswith("[") and text.endswith("]"):
            names = [name for name in text[1:-1].split(",") if name]
        elif text == SCALAR:
            names = []
        else:
            names = [*text.replace("...", "…")] or ["…"]
        names = [LONG.get(name.lower(), name.upper()).replace("...", "…") for name in names]
        known = [name for name in names if name not in "?…"]
        if len(set(known)) < len(known) or names.count("…") > 1:
            raise DiagnosticError(f"layout {shown(given)} names a dimension twice")
        if not all(name.isidentifier() for name in known):
            raise DiagnosticError(f"{shown(given)} is not a layout; write one as {EXAMPLES}")
        has_dots = "…" in names
        place = names.index("…") if has_dots else len(names)
        self.before = tuple(names[:place])
        self.after = tuple(names[place + 1 :]) if has_dots else None

    @staticmethod
    def of(names: Sequence[str]) -> Layout:
        """The layout of dimensions of these names."""
        return Layout(f"[{','.join(names)}]")

    @staticmethod
    def scalar() -> Layout:
        """The layout of a tensor without dimensions."""
        return Layout("[]")

    @property
    def empty(self) -> bool:
        """Whether it says nothing."""
        return self == UNKNOWN

    def has_name(self, name: str) -> bool:
        """Whether a dimension is called so."""
        return LONG.get(name.lower(), name.upper()) in (*self.before, *(self.after or ()))

    def get_index_by_name(self, name: str) -> int:
        """
        The dimension of this name, from the right where dots are in between. Raises DiagnosticException where there is
        none.
        """
        if not self.has_name(name):
            raise DiagnosticError(f"layout {self} has no {name}")
        name = LONG.get(name.lower(), name.upper())
        if name in self.before:
            return self.before.index(name)
        assert self.after is not None
        return self.after.index(name) - len(self.after)

    def names(self, rank: int) -> list[str]:
        """The name of each of `rank` dimensions. Raises DiagnosticException where it has not that many."""
        if not self.fits(rank):
            raise DiagnosticError(f"layout {self} does not fit a tensor of {rank} dimensions")
        after = self.after or ()
        return [*self.before, *["?"] * (rank - len(self.before) - len(after)), *after]

    def fits(self, rank: int) -> bool:
        """Whether a tensor may have so many dimensions."""
        if self.after is None:
            return rank == len(self.before)
        return rank >= len(self.before) + len(self.after)

    def index(self, name: str, rank: int) -> int:
        """Which of `rank` dimensions has this name. Raises DiagnosticException where none has."""
        names = self.names(rank)
        if name not in names:
            raise DiagnosticError(
                f"layout {self} has no {SHORT.get(name, name)} ({name}); say it with set_layout"
            )
        return names.index(name)

    def order_to(self, other: Layout, rank: int) -> list[int] | None:
        """
        Which dimension of this each one of `other` is; None where both are the same. Raises DiagnosticException where
        one has no counterpart.
        """
        mine, wanted = self.names(rank), other.names(rank)
        if mine == wanted or not (self.is_known and other.is_known):
            return None
        order = [mine.index(name) if name != "?" and name in mine else -1 for name in wanted]
        rest = [place for place in range(rank) if place not in order]
        if any(mine[place] != "?" and wanted.count("?") == 0 for place in rest) or len(
            rest
        ) != order.count(-1):
            raise DiagnosticError(
                f"layout {self} cannot become {other}: they name different dimensions"
            )
        places = iter(rest)
        order = [next(places) if place < 0 else place for place in order]
        return None if order == list(range(rank)) else order

    def moved(self, order: Sequence[int]) -> Layout:
        """The layout after a transposition by `order`."""
        if not self.is_known:
            return self
        names = self.names(len(order))
        return Layout.of([names[place] for place in order])

    @property
    def is_known(self) -> bool:
        """Whether any dimension has a name."""
        return any(name != "?" for name in (*self.before, *(self.after or ())))

    def to_string(self) -> str:
        """`[N,...,C]`."""
        dots = [] if self.after is None else ["...", *self.after]
        return f"[{','.join((*self.before, *dots))}]" if self.before or dots else SCALAR

    __str__ = to_string

    def __repr__(self) -> str:
        return f"<Layout {self}>"

    def __eq__(self, other: object) -> bool:
        if isinstance(other, str):
            other = Layout(other)
        return isinstance(other, Layout) and (self.before, self.after) == (
            other.before,
            other.after,
        )

    def __hash__(self) -> int:
        return hash((self.before, self.after))


SCALAR = "**SCALAR**"
"""OpenVINO's text of the layout without dimensions."""

LONG = {"batch": "N", "channels": "C", "channel": "C", "height": "H", "width": "W", "depth": "D"}
SHORT = {"N": "batch", "C": "channels", "H": "height", "W": "width", "D": "depth"}
"""What OpenVINO calls dimensions in words."""

UNKNOWN = Layout()
"""A layout that says nothing."""

NHWC = Layout("NHWC")
"""The layout of images."""


def plane_shapes(
    format: ColorFormat, image: Sequence[int], layout: Layout
) -> list[tuple[int, ...]]:
    """
    The shape of each plane of an image of the shape `image`. Raises DiagnosticException where video is not laid out as
    NHWC, or cannot be halved.
    """
    rank = len(image)
    if format in (ColorFormat.UNDEFINED, ColorFormat.GRAY):
        return [tuple(image)]
    sizes = list(image)
    sizes[layout.index("C", rank)] = CHANNELS.get(format, 1)
    if format in CHANNELS:
        return [tuple(sizes)]
    if layout.names(rank) != [*"NHWC"]:
        raise DiagnosticError(f"an image of {format.value} is laid out as NHWC, not {layout}")
    batch, height, width, _ = sizes
    if len(PLANES[format]) == 1:
        if height != DYNAMIC_INDEX and height % 2:
            raise DiagnosticError(
                f"an image of {height} rows cannot be one of {format.value}: they are halved"
            )
        return [(batch, height if height == DYNAMIC_INDEX else height // 2 * 3, width, 1)]
    half = [size if size == DYNAMIC_INDEX else size // 2 for size in (height, width)]
    channels = 4 - len(PLANES[format])
    return [(batch, height, width, 1)] + [(batch, *half, channels)] * (len(PLANES[format]) - 1)
