"""Views of other shapes are those of NumPy, which gives none where elements would have to move."""

from math import prod

import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st
from xdsl.dialects.builtin import f32

from lowstream.dialects.kernel import strides_of
from lowstream.dialects.tensor_types import strided_memref
from lowstream.lowering.plan.memref_layout import reshaped

SIZES = st.lists(st.sampled_from([1, 2, 3, 4, 6]), min_size=1, max_size=4)


@settings(max_examples=60)
@given(sizes=SIZES, data=st.data())
def test_a_reshape_of_part_of_an_array_is_a_view_where_numpy_has_one(
    sizes: list[int], data: st.DataObject
):
    counts = [data.draw(st.integers(1, size)) for size in sizes]
    part = np.arange(prod(sizes)).reshape(sizes)[tuple(map(slice, counts))]
    shape, left = list[int](), part.size
    while left > 1:
        divisors = [n for n in range(1, left + 1) if left % n == 0]
        shape.append(data.draw(st.sampled_from(divisors)))
        left //= shape[-1]
    shape = data.draw(st.permutations(shape))
    type = strided_memref(f32, tuple(counts), tuple(n // part.itemsize for n in part.strides))
    view = reshaped(type, shape)
    wanted = part.reshape(shape)
    assert (view is not None) == np.shares_memory(wanted, part)
    if view is not None:
        strides = [stride * part.itemsize for stride in strides_of(view)]
        found = np.lib.stride_tricks.as_strided(part, shape, strides)
        np.testing.assert_array_equal(found, wanted)
