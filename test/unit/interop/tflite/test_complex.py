"""Complex numbers between builtins, as LiteRT computes them."""

import numpy as np
import pytest
from xdsl.utils.exceptions import DiagnosticException

from lowstream.interop.tflite import tflite_module
from lowstream.test.unit.interop.tflite.graph import Graph, Tensor
from lowstream.test.unit.interop.tflite.put_together import Part, check, noise, number
from lowstream.test.unit.interop.tflite.serialize import serialize

COMPLEX = "complex64"


@pytest.mark.parametrize("lengths", [(1, 16), (4, 8)], ids=str)
def test_transforms_and_what_makes_real_numbers_of_them(lengths: tuple[int, int]):
    """Signals are cut, or made longer with zeros."""
    half = lengths[1] // 2 + 1
    main = Part(x := Tensor((2, 3, 12), "float32"))
    y = main("RFFT2D", [x, number(lengths)], (2, lengths[0], half), COMPLEX)
    wide = main("EXPAND_DIMS", [y, number(-2)], (2, lengths[0], 1, half), COMPLEX)
    same = main("SQUEEZE", [wide], (2, lengths[0], half), COMPLEX, squeezeDims=[-2])
    flat = main("RESHAPE", [same, number([2, -1])], (2, lengths[0] * half), COMPLEX)
    parts = [main(kind, [y], y.shape) for kind in ("REAL", "IMAG", "COMPLEX_ABS")]
    cast = main("CAST", [flat], flat.shape)
    sizes = main("SHAPE", [flat], (2,), "int32", outType=2)
    check(serialize(Graph([main.gives(*parts, cast, sizes)])), noise(2, 3, 12))


def test_real_numbers_are_made_complex():
    main = Part(x := Tensor((2, 3), "float32"))
    y = main("CAST", [x], (2, 3), COMPLEX)
    turned = main("TRANSPOSE", [y, number([1, 0])], (3, 2), COMPLEX)
    parts = [main(kind, [turned], (3, 2)) for kind in ("REAL", "IMAG")]
    check(
        serialize(Graph([main.gives(*parts)])), np.array([[1, np.inf, -2], [0, 3, 4]], np.float32)
    )


@pytest.mark.parametrize("gives", [False, True])
def test_what_else_takes_or_gives_complex_numbers_is_refused(gives: bool):
    main = Part(x := Tensor((1, 4), "float32"))
    y = main("RFFT2D", [x, number([1, 4])], (1, 3), COMPLEX)
    last = y if gives else main("REAL", [main("MUL", [y, y], (1, 3), COMPLEX)], (1, 3))
    reason = (
        "complex numbers cannot be given or taken" if gives else "^MUL: complex numbers are read"
    )
    with pytest.raises(DiagnosticException, match=reason):
        tflite_module(serialize(Graph([main.gives(last)])))
