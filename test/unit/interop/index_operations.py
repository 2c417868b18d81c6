"""Operations that look up, scatter, sort and transform, each over x [2, 4]."""

from collections.abc import Iterator
from typing import Any

import numpy as np
import openvino.opset1 as opset1
import openvino.opset3 as opset3
import openvino.opset4 as opset4
import openvino.opset5 as opset5
import openvino.opset15 as opset
import openvino.opset16 as opset16
from openvino.utils.node_factory import NodeFactory

from lowstream.test.unit.interop.nodes import AXES, Build, constant, image, noise, number, numbers


def places(*shape: int, below: int) -> Any:
    """Indices below a number, some of them counted from the end."""
    return constant(np.arange(np.prod(shape)).reshape(shape) * 5 % (2 * below) - below, AXES)


def indexing() -> Iterator[tuple[str, Build]]:
    yield "gather_elements", lambda x: opset.gather_elements(x, places(2, 6, below=4), 1)
    yield (
        "gather_elements/outer",
        lambda x: opset.gather_elements(image(x, 3), places(3, 4, 3, below=2), 0),
    )
    yield "gather_nd", lambda x: opset.gather_nd(image(x, 3), constant([[1, 2], [0, 3]], AXES))
    yield (
        "gather_nd/batch",
        lambda x: opset.gather_nd(image(x, 3), constant([[[3, 2], [1, 0]]] * 2, AXES), 1),
    )
    for batch in (1, 2):
        yield (
            f"gather_nd/5 {batch} batch dimensions",
            lambda x, batch=batch: opset5.gather_nd(
                image(x, 3), constant(np.arange(8).reshape(2, 4, 1) % 3, AXES), batch
            ),
        )
    for mode, axes in (
        ("index", numbers(1, -1)),
        ("mask", constant([True, False, True], np.bool_)),
    ):
        yield (
            f"reverse/{mode}",
            lambda x, m=mode, a=axes: NodeFactory("opset1").create(
                "Reverse", [image(x, 3), a], {"mode": m}
            ),
        )
    for place, start, stop, size in (("within", -1, 0, 2), ("before", -9, -10, 1)):
        limits = numbers(1, start), numbers(9, stop), numbers(2, -2), numbers(1, 2)
        yield (
            f"slice_scatter/{place}",
            lambda x, limits=limits, size=size: opset.slice_scatter(
                image(x, 5), constant(noise(2, 2, size)), *limits
            ),
        )


def patches_and_bounds() -> Iterator[tuple[str, Build]]:
    for mode in ("valid", "same_upper", "same_lower"):
        yield (
            f"extract_image_patches/{mode}",
            lambda x, m=mode: opset.extract_image_patches(
                image(x, 7, 6), [3, 2], [2, 3], [1, 2], m
            ),
        )
    ordered = constant(np.sort(noise(2, 5), -1))
    for flag in (True, False):
        yield (
            f"bucketize/{flag}",
            lambda x, f=flag: opset.bucketize(opset.floor(x), constant([-1, 0, 1.5]), "i32", f),
        )
        yield f"search_sorted/{flag}", lambda x, f=flag: opset.search_sorted(ordered, x, f)

    def diagonal(x):
        return opset.convert(opset.floor(number(x)), "i64")

    yield (
        "eye",
        lambda x: opset.eye(constant(3, AXES), constant(6, AXES), diagonal(x), "f32", numbers(2)),
    )


def scatters() -> Iterator[tuple[str, Build]]:
    axis = constant(1, AXES)
    yield (
        "scatter_update",
        lambda x: opset.scatter_update(
            image(x, 3), numbers(3, 1, 3), constant(noise(2, 3, 3)), axis
        ),
    )
    repeated = constant([[3, 1, 3], [0, 0, 0]], AXES)
    yield (
        "scatter_elements_update/3",
        lambda x: opset3.scatter_elements_update(x, repeated, constant(noise(2, 3)), axis),
    )
    for kind in ("none", "sum", "prod", "min", "max", "mean"):
        for keep in (True, False):
            yield (
                f"scatter_elements_update/{kind} {keep}",
                lambda x, k=kind, i=keep: opset.scatter_elements_update(
                    x, repeated, constant(noise(2, 3)), axis, k, i
                ),
            )
    slices = constant([[1, 2], [0, 3], [1, 2]], AXES)
    yield (
        "scatter_nd_update/4",
        lambda x: opset4.scatter_nd_update(image(x, 3), slices, constant(noise(3, 3))),
    )
    for kind in ("none", "sum", "sub", "prod", "min", "max"):
        yield (
            f"scatter_nd_update/{kind}",
            lambda x, k=kind: opset.scatter_nd_update(
                image(x, 3), slices, constant(noise(3, 3)), k
            ),
        )


def sorting() -> Iterator[tuple[str, Build]]:
    for mode in ("max", "min"):
        for kind in ("value", "index"):
            yield (
                f"top_k/{mode} {kind}",
                lambda x, m=mode, s=kind: opset.topk(
                    image(x, 5), constant(3, AXES), -1, m, s, "i64", True
                ),
            )
    flat = constant([240], AXES)
    yield (
        "top_k/most",
        lambda x: opset.topk(
            opset.reshape(image(x, 30), flat, False), constant(70, AXES), 0, "min", "value"
        ),
    )
    yield "top_k/1", lambda x: opset1.topk(image(x, 5), constant(2, AXES), 1, "max", "value")


def columns() -> Iterator[tuple[str, Build]]:
    yield (
        "col2im",
        lambda x: opset.col2im(
            opset.reshape(image(x, 24), numbers(2, 8, 12), False),
            numbers(5, 7),
            numbers(2, 2),
            [2, 2],
            [1, 2],
            [1, 1],
            [1, 1],
        ),
    )


def fourier() -> Iterator[tuple[str, Build]]:
    for name in ("dft", "idft"):
        build = getattr(opset, name)
        yield name, lambda x, b=build: b(image(x, 5, 2), numbers(-1, 0))
        yield (
            f"{name}/sizes",
            lambda x, b=build: b(image(x, 5, 2), numbers(2, 1), numbers(3, 6)),
        )
    yield "rdft", lambda x: opset.rdft(image(x, 5), numbers(0, -1))
    yield "rdft/sizes", lambda x: opset.rdft(image(x, 5), numbers(2, 1), numbers(4, 3))
    yield "irdft", lambda x: opset.irdft(image(x, 5, 2), numbers(1, -1))
    for size in (4, 7):
        yield (
            f"irdft/{size}",
            lambda x, n=size: opset.irdft(image(x, 5, 2), numbers(1, 2), numbers(3, n)),
        )
    window = constant(noise(5, seed=3))
    for size, transposed in ((8, False), (7, True)):
        yield (
            f"stft/{size}",
            lambda x, n=size, t=transposed: opset.stft(
                opset.reshape(image(x, 5), numbers(2, 20), False),
                window,
                constant(n, AXES),
                constant(3, AXES),
                t,
            ),
        )
    for size, center, length in ((7, False, []), (6, True, []), (6, True, [20]), (7, True, [4])):
        yield (
            f"istft/{size} {center} {length}",
            lambda x, n=size, c=center, m=length: opset16.istft(
                image(x, 5, 2),
                constant(np.array([1, 2, 3, 2, 1], np.float32)),
                constant(n, AXES),
                constant(3, AXES),
                c,
                not c,
                *(constant(each, AXES) for each in m),
            ),
        )


def dynamic_shapes() -> Iterator[tuple[str, Build]]:
    yield "non_zero", lambda x: opset3.non_zero(opset.floor(image(x, 3)), "i32")
    yield "non_zero/bool", lambda x: opset3.non_zero(opset.greater(x, constant(0)))
    for flag in (True, False):
        yield (
            f"unique/{flag}",
            lambda x, f=flag: opset.unique(opset.floor(image(x, 3)), None, f).outputs(),
        )
        yield (
            f"unique/slices {flag}",
            lambda x, f=flag: opset.unique(
                opset.sign(opset.reshape(x, numbers(4, 2), False)), constant(0, AXES), f
            ).outputs(),
        )

    def chosen(x):
        return opset3.non_zero(opset.greater(x, constant(0)))

    yield (
        "non_zero/looked up",
        lambda x: opset.add(
            opset.gather_nd(x, opset.transpose(chosen(x), numbers(1, 0))), constant(1)
        ),
    )


def rows_and_paths() -> Iterator[tuple[str, Build]]:
    flags = numbers(1, 1, 3, 3)

    def rows(x):
        return opset.transpose(image(x, 3), numbers(1, 0, 2))

    for mode in ("ZERO", "LOWEST"):
        for count in ((), (constant(5, AXES),)):
            yield (
                f"segment_max/{mode} {len(count)}",
                lambda x, m=mode, n=count: opset16.segment_max(rows(x), flags, *n, fill_mode=m),
            )
    yield (
        "sparse_fill_empty_rows",
        lambda x: opset16.sparse_fill_empty_rows(
            opset.reshape(x, numbers(8), False),
            numbers(7, 4),
            constant([[1, 0], [1, 2], [1, 3], [2, 0], [4, 1], [4, 2], [5, 0], [5, 3]], AXES),
            constant(-1.5),
        ).outputs(),
    )
    parents = constant(np.arange(24).reshape(4, 2, 3) * 5 % 3)
    for length in (4, 3):
        yield (
            f"gather_tree/{length}",
            lambda x, n=length: opset.gather_tree(
                opset.floor(opset.reshape(image(x, 3), numbers(4, 2, 3), False)),
                parents,
                constant([n, 2]),
                constant(0),
            ),
        )


INDEX_OPERATIONS: dict[str, Build] = {
    **dict(indexing()),
    **dict(patches_and_bounds()),
    **dict(scatters()),
    **dict(sorting()),
    **dict(columns()),
    **dict(fourier()),
    **dict(dynamic_shapes()),
    **dict(rows_and_paths()),
}  # fmt: skip
"""By name of our operation; after a slash, what is tried of it."""
