"""
Makes models in `data/` of TensorFlow's operations over space, each in many forms beside one another.

    python make_windows.py     # needs what make_models.py needs
"""

from collections.abc import Callable, Iterator
from itertools import product
from typing import Any

import numpy as np
import tensorflow

from lowstream.test.unit.passes.tensorflow.make_models import write  # pyright: ignore[reportMissingImports]

tf: Any = tensorflow
raw: Any = tf.raw_ops
NUMBERS = np.random.default_rng(3)

IMAGE = (1, 6, 5, 4)
EXPLICIT = [0, 0, 1, 2, 0, 1, 0, 0]


def numbers(*shape: int) -> Any:
    return NUMBERS.normal(size=shape).astype(np.float32)


FILTERS = numbers(3, 2, 4, 4)
GROUPED = numbers(3, 2, 2, 4)
DEPTHWISE = numbers(3, 2, 4, 2)
VOLUME = numbers(2, 3, 1, 3, 2)
STATISTICS = [np.abs(numbers(4)) + np.float32(0.1) for _ in range(4)]


def windows() -> Iterator[dict[str, Any]]:
    """Strides, dilations and padding in the ways that TensorFlow's kernels take together."""
    for padding, strides, dilations in product(
        ("SAME", "VALID", "EXPLICIT"), ((1, 1), (2, 3)), ((1, 1), (1, 2))
    ):
        if strides == (1, 1) or dilations == (1, 1):
            yield {
                "padding": padding,
                "strides": [1, *strides, 1],
                "dilations": [1, *dilations, 1],
                "explicit_paddings": EXPLICIT if padding == "EXPLICIT" else [],
            }


def first(x: Any, function: Callable[[Any], Any]) -> Any:
    """What a function makes of an image with its channels in front."""
    return function(tf.transpose(x, (0, 3, 1, 2)))


def convolutions(x: Any) -> list[Any]:
    found = [raw.Conv2D(input=x, filter=w, **g) for w in (FILTERS, GROUPED) for g in windows()]
    front = {"padding": "SAME", "data_format": "NCHW", "dilations": [1, 1, 1, 2]}
    found.append(
        first(x, lambda y: raw.Conv2D(input=y, filter=GROUPED, strides=[1, 1, 2, 1], **front))
    )
    padding = [0, 0, 0, 0, 1, 2, 0, 1]
    front = {"padding": "EXPLICIT", "explicit_paddings": padding, "data_format": "NCHW"}
    found.append(
        first(x, lambda y: raw.Conv2D(input=y, filter=FILTERS, strides=[1, 1, 1, 2], **front))
    )
    return found


def depthwise(x: Any) -> list[Any]:
    found: list[Any] = []
    for geometry in windows():
        geometry["strides"] = [1, *geometry["strides"][1:2] * 2, 1]  # TensorFlow wants equal ones
        found.append(raw.DepthwiseConv2dNative(input=x, filter=DEPTHWISE, **geometry))
    return found


def pools(x: Any) -> list[Any]:
    found: list[Any] = []
    for geometry in windows():
        if geometry.pop("dilations") != [1, 1, 1, 1]:
            continue
        found.append(raw.MaxPool(input=x, ksize=[1, 3, 2, 1], **geometry))
        if not geometry.pop("explicit_paddings"):
            found.append(raw.AvgPool(value=x, ksize=[1, 3, 2, 1], **geometry))
    front = {"ksize": [1, 1, 2, 3], "strides": [1, 1, 1, 2], "data_format": "NCHW"}
    for padding in ("SAME", "VALID"):
        found.append(first(x, lambda y, p=padding: raw.MaxPool(input=y, padding=p, **front)))
        found.append(first(x, lambda y, p=padding: raw.AvgPool(value=y, padding=p, **front)))
    return found


def norms(x: Any) -> list[Any]:
    scale, offset, mean, variance = STATISTICS
    found: list[Any] = []
    for training in (False, True):
        given = {"scale": scale, "offset": offset, "mean": mean, "variance": variance}
        given |= {"is_training": training, "epsilon": 0.01}
        if training:
            given["mean"] = given["variance"] = np.zeros(0, np.float32)
        found.append(raw.FusedBatchNormV3(x=x, **given).y)
        found.append(raw.FusedBatchNormV3(x=x[:, None], data_format="NDHWC", **given).y)
        found.append(
            first(x, lambda y, g=given: raw.FusedBatchNormV3(x=y, data_format="NCHW", **g).y)
        )
    return found


def transposed(x: Any) -> list[Any]:
    """Of each padding, two sizes that make the same image."""
    found: list[Any] = []
    filters = numbers(3, 4, 2, 4)
    for padding, sizes in {
        "SAME": ((12, 15), (11, 14)),
        "VALID": ((13, 16), (14, 18)),
        "EXPLICIT": ((10, 15), (11, 16)),
    }.items():
        for height, width in sizes:
            found.append(
                raw.Conv2DBackpropInput(
                    input_sizes=[1, height, width, 2],
                    filter=filters,
                    out_backprop=x,
                    strides=[1, 2, 3, 1],
                    padding=padding,
                    explicit_paddings=EXPLICIT if padding == "EXPLICIT" else [],
                )
            )
    front = {"strides": [1, 1, 2, 3], "padding": "SAME", "data_format": "NCHW"}
    found.append(
        first(
            x,
            lambda y: raw.Conv2DBackpropInput(
                input_sizes=[1, 2, 11, 14], filter=filters, out_backprop=y, **front
            ),
        )
    )
    return found


def volumes(x: Any) -> list[Any]:
    x, found = tf.reshape(x, (1, 5, 4, 2, 3)), list[Any]()
    back = {"filter": numbers(2, 3, 1, 2, 3), "out_backprop": x}
    for padding, sizes in {"SAME": [1, 9, 4, 3, 2], "VALID": [1, 11, 6, 4, 2]}.items():
        form = {"strides": [1, 2, 1, 2, 1], "padding": padding}
        pool = {"ksize": [1, 2, 3, 2, 1], **form}
        found.append(raw.Conv3D(input=x, filter=VOLUME, **form))
        found += [raw.MaxPool3D(input=x, **pool), raw.AvgPool3D(input=x, **pool)]
        found.append(raw.Conv3DBackpropInputV2(input_sizes=sizes, **back, **form))
    return found


def images(x: Any) -> list[Any]:
    found: list[Any] = []
    for (align, half), size in product(
        ((False, False), (True, False), (False, True)), ((12, 9), (3, 4))
    ):
        form = {"images": x, "size": size, "align_corners": align, "half_pixel_centers": half}
        found += [raw.ResizeBilinear(**form), raw.ResizeNearestNeighbor(**form)]
    found.append(raw.DepthToSpace(input=x, block_size=2))
    found.append(raw.SpaceToDepth(input=x[:, :, :4], block_size=2))
    block = {"block_shape": [2, 3], "paddings": [[1, 1], [0, 1]]}
    apart = raw.SpaceToBatchND(input=x, **block)
    found += [apart, raw.BatchToSpaceND(input=apart, block_shape=[2, 3], crops=[[0, 1], [1, 0]])]
    pads = [[0, 0], [1, 2], [2, 0], [0, 0]]
    found += [raw.MirrorPad(input=x, paddings=pads, mode=mode) for mode in ("REFLECT", "SYMMETRIC")]
    return found


MODELS = {
    "image_convolutions": convolutions,
    "image_depthwise": depthwise,
    "image_pools": pools,
    "image_norms": norms,
    "image_transposed": transposed,
    "image_volumes": volumes,
    "image_sizes": images,
}


if __name__ == "__main__":
    image = numbers(*IMAGE)
    for name, function in MODELS.items():
        write(name, function, image, IMAGE)
