"""Kernels in NumPy: packing has an inverse, accesses are what their composition says."""

from __future__ import annotations

from dataclasses import replace
from unittest.mock import patch

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from lowstream.dialects.kernel import Access, PackedLayout, Term
from lowstream.lowering.pack_weights.mat_mul import pack
from lowstream.reference import arrays
from lowstream.reference.kernel import indices
from lowstream.reference.unpacked_weights import unpacked

layouts = st.builds(PackedLayout, st.integers(1, 4), st.integers(1, 4), st.integers(1, 3))


@given(
    layouts,
    st.integers(1, 3),
    st.integers(1, 9),
    st.integers(1, 9),
    st.sampled_from([(), (2,)]),
    st.sampled_from([np.int8, np.int16, np.int32]),
    st.booleans(),
    st.integers(0, 2000),
)
def test_unpacked_is_the_inverse_of_pack(
    layout: PackedLayout,
    groups: int,
    columns: int,
    depth: int,
    batch: tuple[int, ...],
    dtype: type,
    is_transposed: bool,
    piece: int,
):
    weights = np.arange(2 * groups * columns * depth, dtype=np.int32) % 100 + 1
    weights = np.resize(weights, (*batch, groups * columns, depth)).astype(dtype)
    if is_transposed:
        weights = np.ascontiguousarray(weights.swapaxes(-1, -2)).swapaxes(-1, -2)
    with patch.object(arrays, "PIECE", piece):
        packed = pack(weights, layout, groups, columns).joined()
    assert packed.dtype == dtype
    assert packed.shape == (*batch, *layout.shape(columns, groups, depth))
    assert packed.sum() == weights.sum()  # what fills up is zero
    np.testing.assert_array_equal(unpacked(packed, layout, groups, columns, depth), weights)


@given(layouts, st.integers(1, 3), st.integers(1, 9), st.integers(1, 19))
def test_unpacked_is_the_inverse_of_pack_in_four_bits(
    layout: PackedLayout, groups: int, columns: int, depth: int
):
    layout = replace(layout, bits=4)
    weights = np.arange(groups * columns * depth, dtype=np.int8).reshape(-1, depth) % 16 - 8
    packed = pack(weights, layout, groups, columns).joined()
    assert packed.shape == layout.shape(columns, groups, depth)
    np.testing.assert_array_equal(unpacked(packed, layout, groups, columns, depth), weights)


def terms(rank: int) -> st.SearchStrategy[Term]:
    constant = st.builds(Term, st.none(), st.just(1), st.integers(0, 3))
    if not rank:
        return constant
    return constant | st.builds(
        Term, st.integers(0, rank - 1), st.integers(1, 3), st.integers(0, 2)
    )


def accesses(rank: int, results: int) -> st.SearchStrategy[Access]:
    listed = st.lists(terms(rank), min_size=results, max_size=results)
    return listed.map(lambda found: Access(rank, tuple(found)))


def at(access: Access, point: tuple[int, ...]) -> tuple[int, ...]:
    """The element that a point reads."""
    return tuple(t.offset + (0 if t.dim is None else t.step * point[t.dim]) for t in access.terms)


@given(accesses(2, 3), accesses(3, 2), st.tuples(*[st.integers(0, 5)] * 3))
def test_after_is_composition(outer: Access, inner: Access, point: tuple[int, ...]):
    assert at(outer.after(inner), point) == at(outer, at(inner, point))


@given(accesses(2, 2))
def test_identity_is_neutral(access: Access):
    assert access.after(Access.identity(2)) == access
    assert Access.identity(2).after(access) == access
    assert Access.identity(2).is_identity


@given(accesses(2, 2))
def test_map_prints_the_access(access: Access):
    assert Access.of(access.map()) == access


@given(accesses(2, 2), st.tuples(*[st.integers(1, 4)] * 2), st.tuples(*[st.integers(1, 9)] * 2))
def test_within_is_all_points(access: Access, domain: tuple[int, int], shape: tuple[int, int]):
    inside = all(
        0 <= index < size
        for point in np.ndindex(domain)
        for index, size in zip(at(access, point), shape, strict=True)
    )
    assert access.within(domain, shape) == inside
    if inside:
        array = np.arange(np.prod(shape)).reshape(shape)
        read = np.broadcast_to(array[indices(access, domain)], domain)
        assert all(read[point] == array[at(access, point)] for point in np.ndindex(domain))


@given(
    st.sampled_from(
        [((2, 3), (3,)), ((2, 3), (1, 3)), ((2, 3), (2, 1)), ((2, 3), ()), ((1, 1), (1,))]
    )
)
def test_broadcast_is_that_of_numpy(shapes: tuple[tuple[int, ...], tuple[int, ...]]):
    domain, shape = shapes
    array = np.arange(np.prod(shape, dtype=int)).reshape(shape)
    read = np.broadcast_to(array[indices(Access.broadcast(domain, shape), domain)], domain)
    np.testing.assert_array_equal(read, np.broadcast_to(array, domain))
