"""Operations on images and regions of them, each over x [2, 4]."""

from collections.abc import Iterator
from itertools import product
from typing import Any

import numpy as np
import openvino.opset1 as opset1
import openvino.opset3 as opset3
import openvino.opset16 as opset
from openvino.utils.node_factory import NodeFactory

from lowstream.test.unit.interop.nodes import AXES, Build, constant, noise


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
                f"roi_align/{mode} {aligned} by size",
                lambda x, m=mode, a=aligned: opset.roi_align(
                    picture(x, 2, 3, 8, 9), constant(ROIS), IMAGES, 2, 1, 0, 0.7, m, a
                ),
            )
    yield (
        "roi_align/3",
        lambda x: opset3.roi_align(
            picture(x, 2, 3, 8, 9), constant(ROIS), IMAGES, 2, 3, 1, 0.7, "avg"
        ),
    )


def rotated() -> Iterator[tuple[str, Build]]:
    rois = constant([[4, 4, 5, 3, 0.3], [3.5, 5, 2.2, 6, -1.0], [2, 2, 9, 9, 2.0]])
    for clockwise, ratio in product((True, False), (2, 0)):
        yield (
            f"roi_align_rotated/{clockwise} {ratio}",
            lambda x, c=clockwise, r=ratio: opset.roi_align_rotated(
                picture(x, 2, 3, 8, 9), rois, constant([0, 1, 0], np.int32), 2, 3, r, 0.8, c
            ),
        )


LISTED = np.concatenate([[[0], [1], [0], [1]], ROIS], 1)
PARTS = [
    [0, 0.1, 0.2, 0.7, 0.8],
    [1, 0, 0, 1, 1],
    [0, 0.3, 0.3, 0.35, 0.9],
    [1, -0.2, 0.1, 1.3, 0.9],
]


def bins() -> Iterator[tuple[str, Build]]:
    yield (
        "roi_pooling/max",
        lambda x: opset.roi_pooling(picture(x, 2, 3, 8, 9), constant(LISTED), [2, 3], 0.7, "max"),
    )
    for sizes in ([2, 3], [1, 2]):
        yield (
            f"roi_pooling/bilinear {sizes}",
            lambda x, s=sizes: opset.roi_pooling(
                picture(x, 2, 3, 8, 9), constant(PARTS), s, 1.0, "bilinear"
            ),
        )
    yield (
        "psroi_pooling/average",
        lambda x: opset.psroi_pooling(
            picture(x, 2, 12, 8, 9), constant(LISTED), 3, 2, 0.7, 1, 1, "average"
        ),
    )
    yield (
        "psroi_pooling/bilinear",
        lambda x: opset.psroi_pooling(
            picture(x, 2, 18, 8, 9), constant(PARTS), 3, 2, 0.8, 2, 3, "bilinear"
        ),
    )


def deformed_bins() -> Iterator[tuple[str, Build]]:
    for classes in (0, 1, 3):
        offsets = () if not classes else (constant(noise(4, 2 * classes, 2, 2)),)
        yield (
            f"deformable_psroi_pooling/{classes}",
            lambda x, o=offsets: opset.deformable_psroi_pooling(
                picture(x, 2, 12, 8, 9),
                constant(LISTED),
                *(3, 0.7, 2, "bilinear_deformable", 2, 3, 0.3, 2),
                *o,
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


def priors() -> Iterator[tuple[str, Build]]:
    cells, size = constant([3, 4], AXES), constant([24, 40], AXES)
    common = {"offset": 0.3, "variance": [0.1, 0.1, 0.2, 0.2], "clip": True}
    for name, steps in {
        "none": {},
        "one": {"step": 6.0},
        "two": {"step_w": 5.0, "step_h": 7.0},
    }.items():
        attributes = {"width": [8.0, 12.0], "height": [6.0, 20.0], **common, **steps}
        yield (
            f"prior_box_clustered/{name}",
            lambda x, a=attributes: opset.prior_box_clustered(cells, size, a),
        )
    fixed = {"min_size": [], "max_size": [], "fixed_size": [9.0, 14.5], "density": [2.0, 3.0]}
    sizes = {"min_size": [8.0, 12.0], "max_size": [16.0, 20.0], "aspect_ratio": [2.0, 3.0, 2.0]}
    for name, more in {
        "flipped": {"flip": True, "step": 9.0},
        "order": {"min_max_aspect_ratios_order": False, "step": 0.0, "variance": []},
        "dense": {**fixed, "flip": True},
        "dense ratios": {**fixed, "fixed_ratio": [0.5, 1.0], "clip": False, "aspect_ratio": [2.0]},
        "parts": {"scale_all_sizes": False, "max_size": [], "min_size": [0.2, 0.4], "step": 0.1},
    }.items():
        yield (
            f"prior_box/{name}",
            lambda x, a={**common, **sizes, **more}: opset.prior_box(cells, size, a),
        )


def detectron() -> Iterator[tuple[str, Build]]:
    def built(name: str, attributes: dict[str, Any], *operands: Any) -> Any:
        inputs = [each.output(0) for each in operands]
        return NodeFactory("opset16").create(f"ExperimentalDetectron{name}", inputs, attributes)

    images = constant(noise(1, 2, 4, 5)), constant(noise(1, 3, 32, 60))
    for flatten, step in ((True, 0.0), (False, 3.0)):
        attributes = {"flatten": flatten, "h": 0, "w": 0, "stride_x": step, "stride_y": step}
        yield (
            f"experimental_detectron_prior_grid_generator/{flatten}",
            lambda x, a=attributes: built("PriorGridGenerator", a, picture(x, 3, 4), *images),
        )
    for count in (4, 6):
        yield (
            f"experimental_detectron_top_k_rois/{count}",
            lambda x, c=count: built(
                "TopKROIs",
                {"max_rois": c},
                picture(x, 6, 4),
                constant([0.1, 0.5, 0.5, 0.9, 0.2, 0.5]),
            ),
        )


def embeddings() -> Iterator[tuple[str, Build]]:
    def index(values: Any) -> Any:
        return constant(values, np.int32)

    def table(x: Any) -> Any:
        return picture(x, 5, 2)

    flat, bags, none = index([0, 2, 3, 4]), index([0, 2, 2]), index(1)
    weights = constant([0.5, 0.5, 2, 3])
    for reduction in ("sum", "mean"):
        yield (
            f"embedding_bag_offsets/{reduction}",
            lambda x, r=reduction: opset.embedding_bag_offsets(
                table(x), flat, bags, none, reduction=r
            ),
        )
        yield (
            f"embedding_bag_packed/{reduction}",
            lambda x, r=reduction: opset.embedding_bag_packed(
                table(x), index([[0, 2], [3, 4]]), reduction=r
            ),
        )
    yield (
        "embedding_bag_offsets/negative",
        lambda x: opset.embedding_bag_offsets(table(x), flat, bags, index(-1)),
    )
    yield (
        "embedding_bag_offsets_sum",
        lambda x: opset.embedding_bag_offsets_sum(table(x), flat, bags, none, weights),
    )
    yield (
        "embedding_bag_offsets_sum/empty",
        lambda x: opset.embedding_bag_offsets_sum(table(x), flat, bags),
    )
    yield (
        "embedding_bag_packed_sum",
        lambda x: opset.embedding_bag_packed_sum(
            table(x), index([[0, 2], [3, 4]]), constant([[0.5, 0.5], [1, 2]])
        ),
    )
    for options in ((), (none,), (none, weights)):
        yield (
            f"embedding_segments_sum/{len(options)}",
            lambda x, o=options: opset.embedding_segments_sum(
                table(x), flat, index([0, 0, 2, 2]), index(4), *o
            ),
        )


def yolo() -> Iterator[tuple[str, Build]]:
    yield "reorg_yolo", lambda x: opset.reorg_yolo(picture(x, 2, 8, 4, 6), [2])
    for softmax in (False, True):
        yield (
            f"region_yolo/{softmax}",
            lambda x, s=softmax: opset.region_yolo(
                picture(x, 2, 20, 3, 2), 4, 5, 2 if s else 6, s, [0, 1], 1, 3, [1.0, 2.0]
            ),
        )


def decoders() -> Iterator[tuple[str, Build]]:
    mask = np.ones((7, 2), np.float32)
    mask[5:, 1] = 0
    lengths = constant([7, 5], np.int32)
    for merges in (True, False):
        yield (
            f"ctc_greedy_decoder/{merges}",
            lambda x, m=merges: opset.ctc_greedy_decoder(picture(x, 7, 2, 3), constant(mask), m),
        )
        for blank in (None, 0):
            yield (
                f"ctc_greedy_decoder_seq_len/{merges} {blank}",
                lambda x, m=merges, b=blank: opset.ctc_greedy_decoder_seq_len(
                    picture(x, 2, 7, 3),
                    lengths,
                    None if b is None else constant(b, np.int32),
                    m,
                ).outputs(),
            )


IMAGE_OPERATIONS: dict[str, Build] = {
    **dict(colors()),
    **dict(regions()),
    **dict(rotated()),
    **dict(bins()),
    **dict(deformed_bins()),
    **dict(deformable()),
    **dict(priors()),
    **dict(detectron()),
    **dict(embeddings()),
    **dict(yolo()),
    **dict(decoders()),
}
"""By name of our operation; after a slash, what is tried of it."""
