"""Types that are made without xDSL's verifier are those that xDSL makes."""

from collections.abc import Sequence
from typing import Any

import numpy as np
import pytest
from xdsl.dialects.builtin import (
    DYNAMIC_INDEX,
    MemRefType,
    StridedLayoutAttr,
    TensorType,
    f32,
    i1,
    i8,
)
from xdsl.ir import Attribute

from lowstream.dialects.tensor_types import dense_memref, strided_memref, typed


@pytest.mark.parametrize("element", [f32, i1, i8], ids=str)
@pytest.mark.parametrize("shape", [(), (0,), (1, 2, 3), (DYNAMIC_INDEX, 4)], ids=str)
def test_types_are_those_of_xdsl(element: Attribute, shape: Sequence[int]):
    strides = tuple(range(len(shape)))
    layout = StridedLayoutAttr(strides, None)
    for made, wanted in (
        (typed(element, shape), TensorType(element, shape)),
        (dense_memref(element, tuple(shape)), MemRefType(element, shape)),
        (strided_memref(element, tuple(shape), strides), MemRefType(element, shape, layout)),
    ):
        assert made == wanted and hash(made) == hash(wanted)
        assert str(made) == str(wanted) and made.parameters == wanted.parameters
        assert type(made) is type(wanted)
        made.verify()


def test_sizes_are_plain_integers():
    """Whatever else equals one is not printed in the place of all that equal it."""
    sizes: Any = [np.int64(997), np.int64(996) == 996]
    made = typed(f32, sizes)
    assert str(made) == "tensor<997x1xf32>"
    assert {type(size) for size in made.get_shape()} == {int}
    assert str(typed(f32, [1, 997])) == "tensor<1x997xf32>"


def test_equal_types_are_made_once(monkeypatch: pytest.MonkeyPatch):
    """And xDSL verifies none of them."""

    def fail(self: TensorType[Attribute]) -> None:
        raise AssertionError("verified")

    monkeypatch.setattr(TensorType, "_verify", fail)
    assert typed(f32, [1213, 2]) is typed(f32, (1213, 2))
