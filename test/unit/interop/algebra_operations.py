"""Operations beside those of networks, each over x [2, 4]: inverses, bits, 8-bit floats."""

from collections.abc import Iterator

import numpy as np
import openvino as ov
import openvino.opset1 as opset1
import openvino.opset14 as opset14
import openvino.opset15 as opset
import openvino.opset17 as opset17

from lowstream.test.unit.interop.nodes import Build, constant, image, noise, numbers


def fake_converts() -> Iterator[tuple[str, Build]]:
    """Also of numbers beyond the largest ones, and below the least normal ones."""
    for type in ("f8e4m3", "f8e5m2"):
        for size in (1e5, 1.0, 3e-3):
            yield (
                f"fake_convert/{type} {size}",
                lambda x, t=type, s=size: opset.divide(
                    opset.fake_convert(
                        opset.multiply(x, constant(s)),
                        constant([3.0, 1.5, 0.5, 1.0]),
                        constant([0.25, 0.5, 0.0, -1.0]),
                        t,
                    ),
                    constant(s),
                ),
            )
    halfway = constant([[34.01, 33.99, -34.005, 50.006], [50.1, 0.002929, 0.00293, 1000]])
    for type in ("f8e4m3", "f8e5m2"):
        yield (
            f"fake_convert/{type} by way of f16",
            lambda x, t=type: opset.fake_convert(
                opset.add(opset.multiply(x, constant(0)), halfway), constant(1), None, t
            ),
        )
    yield "fake_convert", lambda x: opset.fake_convert(x, constant([1.0]))


def binary_convolution(outside: float, pad: str) -> Build:
    bits = np.random.default_rng(3).integers(0, 2, 8 * 8 * 9).astype(np.uint8)
    filters = ov.Tensor(np.packbits(bits), ov.Shape([8, 8, 3, 3]), ov.Type.u1)
    return lambda x: opset1.binary_convolution(
        opset.reshape(image(x, 10, 2), numbers(1, 8, 5, 4), False),
        ov.op.Constant(filters),
        [2, 1], [1, 0], [1, 1], [1, 1], "xnor-popcount", outside, pad,
    )  # fmt: skip


def inverses() -> Iterator[tuple[str, Build]]:
    yield "inverse", lambda x: opset14.inverse(opset.add(image(x, 4), constant(noise(4, 4))))
    yield "inverse/one", lambda x: opset14.inverse(opset.matmul(x, x, False, True))
    scaled = (np.tanh(noise(2, 1)) * 0.9).astype(np.float32)
    yield "erf_inv", lambda x: opset17.erfinv(opset.multiply(opset.tanh(x), constant(scaled)))
    limits = constant([[-1, 1, 0, 2]])
    yield (
        "erf_inv/limits",
        lambda x: opset17.erfinv(opset.add(opset.multiply(x, constant(0)), limits)),
    )


def losses() -> Iterator[tuple[str, Build]]:
    """Of labels that repeat, of which the first 4 and 3 count, in 6 and 5 steps."""
    repeated = [[1, 1, 0, 1, 3, 3], [2, 2, 2, 0, 0, 0]]
    operands = [opset.constant(np.array(n, np.int32)) for n in ([6, 5], repeated, [4, 3], 2)]
    for merge in (True, False):
        for name, flags in (
            ("plain", {}),
            ("collapse", {"preprocess_collapse_repeated": True}),
            ("unique", {"unique": True}),
        ):
            yield (
                f"ctc_loss/{name} {merge}",
                lambda x, m=merge, f=flags: opset.ctc_loss(
                    opset.transpose(image(x, 6), numbers(0, 2, 1)),
                    *operands[: 3 if m else 4],
                    ctc_merge_repeated=m,
                    **f,
                ),
            )


def randoms() -> Iterator[tuple[str, Build]]:
    for kind in ("tensorflow", "pytorch"):
        yield (
            f"random_uniform/{kind}",
            lambda x, k=kind: opset.random_uniform(
                numbers(3, 7),
                opset.reduce_min(x, numbers(0, 1), False),
                constant(2),
                "f32",
                150,
                10,
                k,
            ),
        )
        for type in ("i32", "i64"):
            low, high = (opset.constant(n, getattr(ov.Type, type)) for n in (-5, 100))
            yield (
                f"random_uniform/{kind} {type}",
                lambda x, k=kind, t=type, a=low, b=high: opset.random_uniform(
                    numbers(9), a, b, t, 2**33 + 1, 0, k
                ),
            )
    yield (
        "random_uniform/many",
        lambda x: opset.random_uniform(
            numbers(1300), constant(0), constant(1), "f32", 7, 2**35 + 3, "pytorch"
        ),
    )
    for again in (True, False):
        for log in (True, False):
            yield (
                f"multinomial/{again} {log}",
                lambda x, r=again, p=log: opset.multinomial(
                    opset.absolute(x), numbers(9 if r else 4), "i64", r, p, 3, 9
                ),
            )


ALGEBRA_OPERATIONS = {
    **dict(randoms()),
    **dict(losses()),
    **dict(fake_converts()),
    **dict(inverses()),
    "binary_convolution": binary_convolution(0.0, "explicit"),
    "binary_convolution/1": binary_convolution(1.0, "explicit"),
    "binary_convolution/-1": binary_convolution(-1.0, "same_upper"),
}
"""By name of our operation; after a slash, what is tried of it."""
