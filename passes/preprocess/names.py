"""OpenVINO's enumerations of preprocessing, layouts, and element types by their names."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from enum import Enum
from typing import Any, TypeVar

import numpy as np
from xdsl.dialects.builtin import DYNAMIC_INDEX
from xdsl.ir import Attribute

from ...dialects.element_names import OPENVINO
from ..errors import DiagnosticError

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
    ColorFormat.GRAY: 1,
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
        f"there is no {kind.__name__} {given!r}; there are {', '.join(kind.__members__)}"
    )


def element_type(given: Any) -> Attribute:
    """
    An element type by OpenVINO's name ("u8"), as openvino.Type, or as NumPy's type. Raises DiagnosticException for
    others.
    """
    if hasattr(given, "get_type_name"):
        name = given.get_type_name()
    elif isinstance(given, str) and given in OPENVINO:
        name = given
    else:
        try:
            dtype = np.dtype(given)
        except TypeError:
            raise _no_element_type(given) from None
        name = "boolean" if dtype.kind == "b" else f"{dtype.kind}{8 * dtype.itemsize}"
    if name not in OPENVINO:
        raise _no_element_type(given)
    return OPENVINO[name]


def _no_element_type(given: Any) -> DiagnosticError:
    return DiagnosticError(f"there is no element type {given!r}; there are {', '.join(OPENVINO)}")


@dataclass(frozen=True)
class Layout:
    """
    What the dimensions of a tensor are: "NHWC", "N?HW", "N...C" or "[batch,height,width,channels]". `before` are those
    from the left; where there are dots, `after` are those from the right, else None.
    """

    before: tuple[str, ...]
    after: tuple[str, ...] | None

    @classmethod
    def of(cls, given: Any) -> Layout:
        """The layout of a text, or one of OpenVINO's. Raises DiagnosticException where it is none."""
        text = str(getattr(given, "to_string", lambda: given)()).replace(" ", "")
        if text.startswith("[") and text.endswith("]"):
            names = [name for name in text[1:-1].split(",") if name]
        else:
            names = [*text.replace("...", "…")]
        names = [LONG.get(name.lower(), name.upper()).replace("...", "…") for name in names]
        known = [name for name in names if name not in "?…"]
        if len(set(known)) < len(known) or names.count("…") > 1:
            raise DiagnosticError(f"layout '{given}' names a dimension twice")
        if not all(name.isidentifier() for name in known):
            raise DiagnosticError(
                f"'{given}' is not a layout; write one as 'NCHW', 'N?HW' or 'N...C'"
            )
        if "…" not in names:
            return cls(tuple(names), None)
        place = names.index("…")
        return cls(tuple(names[:place]), tuple(names[place + 1 :]))

    def names(self, rank: int) -> list[str]:
        """The name of each of `rank` dimensions. Raises DiagnosticException where it has not that many."""
        known = len(self.before) + len(self.after or ())
        if known > rank or (self.after is None and known != rank):
            raise DiagnosticError(f"layout {self} does not fit a tensor of {rank} dimensions")
        return [*self.before, *["?"] * (rank - known), *(self.after or ())]

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
        return Layout(tuple(names[place] for place in order), None)

    @property
    def is_known(self) -> bool:
        """Whether any dimension has a name."""
        return any(name != "?" for name in (*self.before, *(self.after or ())))

    def __str__(self) -> str:
        dots = [] if self.after is None else ["...", *self.after]
        return f"[{','.join((*self.before, *dots))}]"


LONG = {"batch": "N", "channels": "C", "channel": "C", "height": "H", "width": "W", "depth": "D"}
SHORT = {"N": "batch", "C": "channels", "H": "height", "W": "width", "D": "depth"}
"""What OpenVINO calls dimensions in words."""

UNKNOWN = Layout((), ())
"""A layout that says nothing."""

NHWC = Layout(tuple("NHWC"), None)
"""That of images."""


def plane_shapes(
    format: ColorFormat, image: Sequence[int], layout: Layout
) -> list[tuple[int, ...]]:
    """
    The shape of each plane of an image of the shape `image`. Raises DiagnosticException where video is not laid out as
    NHWC, or cannot be halved.
    """
    rank = len(image)
    if format is ColorFormat.UNDEFINED:
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
