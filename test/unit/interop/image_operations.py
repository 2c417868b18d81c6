"""Operations on images and regions of them, each over x [2, 4]."""

from collections.abc import Callable, Iterator
from typing import Any

import numpy as np
import openvino.opset1 as opset1
import openvino.opset3 as opset3
import openvino.opset16 as opset

from lowstream.test.unit.interop.nodes import AXES, constant, noise

Build = Callable[[Any], Any]


def picture(x: Any, *shape: int) -> Any:
    """Different everywhere, with x in it."""
    one = opset.reduce_sum(x, constant([0, 1], AXES))
    return opset.multiply(constant(noise(*shape)), one)


def colors() -> Iterator[tuple[str, Build]]:
    def levels(x: Any, *shape: int) -> Any:
        return opset.add(opset.multiply(picture(x, *shape), constant(40)), constant(128))

    def whole(x: Any, *shape: int) -> Any:
        return opset.convert(opset.clamp(levels(x, *shape), 0, 255), "u8")

    def small(colors: Any) -> Any:
        return opset.divide(colors, constant(256))

    for name in ("rgb", "bgr"):
        for kind in ("nv12", "i420"):
            build = getattr(opset, f"{kind}_to_{name}")
            yield f"{kind}_to_{name}", lambda x, b=build: small(b(levels(x, 2, 6, 6, 1)))
    yield "nv12_to_rgb/u8", lambda x: opset.nv12_to_rgb(whole(x, 1, 6, 4, 1))
    yield (
        "nv12_to_bgr/planes",
        lambda x: small(opset.nv12_to_bgr(levels(x, 1, 4, 6, 1), levels(x, 1, 2, 3, 2))),
    )
    yield (
        "i420_to_rgb/planes",
        lambda x: small(
            opset.i420_to_rgb(levels(x, 1, 4, 6, 1), levels(x, 1, 2, 3, 1), levels(x, 1, 2, 3, 1))
        ),
    )


ROIS = [[0, 0, 4, 4], [1.5, 2, 8.2, 6.3], [3, 3, 3.5, 3.2], [-1, -2, 12, 9]]
IMAGES = constant([0, 1, 0, 1], np.int32)


def regions() -> Iterator[tuple[str, Build]]:
    for mode in ("avg", "max"):
        for aligned in ("asymmetric", "half_pixel_for_nn", "half_pixel"):
            yield (
                f"roi_align/{mode} {aligned}",
                lambda x, m=mode, a=aligned: opset.roi_align(
                    picture(x, 2, 3, 8, 9), constant(ROIS), IMAGES, 2, 3, 2, 0.7, m, a
                ),
            )
    yield (
        "roi_align/3",
        lambda x: opset3.roi_align(
            picture(x, 2, 3, 8, 9), constant(ROIS), IMAGES, 2, 3, 1, 0.7, "avg"
        ),
    )


def deformable() -> Iterator[tuple[str, Build]]:
    plain = [1, 2], [1, 0], [0, 1], [1, 2]
    offsets, mask = constant(noise(2, 24, 5, 2) * 1.5), constant(noise(2, 12, 5, 2))
    filters = constant(noise(6, 2, 3, 2))
    for pad in (True, False):
        yield (
            f"deformable_convolution/{pad}",
            lambda x, p=pad: opset.deformable_convolution(
                picture(x, 2, 4, 6, 5), offsets, filters, *plain, mask, "explicit", 2, 2, p
            ),
        )
    yield (
        "deformable_convolution/1",
        lambda x: opset1.deformable_convolution(
            picture(x, 2, 4, 6, 5), offsets, filters, *plain, "explicit", 2, 2
        ),
    )


IMAGE_OPERATIONS: dict[str, Build] = {
    **dict(colors()),
    **dict(regions()),
    **dict(deformable()),
}
"""By name of our operation; after a slash, what is tried of it."""
