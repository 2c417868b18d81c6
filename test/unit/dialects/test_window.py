"""Where windows lie, against counting them one by one."""

from hypothesis import given
from hypothesis import strategies as st
from xdsl.dialects.builtin import DYNAMIC_INDEX

from lowstream.dialects.nn.window import Window

SMALL = st.integers(1, 6)
PADS = st.integers(0, 4)


def window(
    kernel: int,
    stride: int,
    dilation: int,
    pads: tuple[int, int] = (0, 0),
    auto_pad: str = "explicit",
    rounding: str = "floor",
) -> Window:
    """In one dimension."""
    begin, end = pads
    return Window((kernel,), (stride,), (dilation,), (begin,), (end,), auto_pad, rounding)


@given(st.integers(1, 20), SMALL, SMALL, SMALL, st.tuples(PADS, PADS))
def test_floor_counts_positions_that_fit(
    size: int, kernel: int, stride: int, dilation: int, pads: tuple[int, int]
):
    (extent,) = window(kernel, stride, dilation).extents
    assert extent == range(0, kernel * dilation, dilation)[-1] + 1
    room = size + sum(pads)
    fitting = [p for p in range(0, room, stride) if p + extent <= room]
    (found,) = window(kernel, stride, dilation, pads).positions([size])
    assert max(found, 0) == len(fitting)


@given(st.integers(1, 20), SMALL, SMALL, SMALL, st.tuples(PADS, PADS))
def test_ceil_keeps_a_last_position_that_reaches_over_the_end(
    size: int, kernel: int, stride: int, dilation: int, pads: tuple[int, int]
):
    """PyTorch's does so only where it begins within the input or the padding before it."""
    begin, end = pads
    (extent,) = window(kernel, stride, dilation).extents
    room = size + begin + end
    if room < extent:
        for rounding in ("ceil", "ceil_torch"):
            assert (
                window(kernel, stride, dilation, pads, rounding=rounding).positions([size])[0] < 1
            )
        return
    begins = [0]
    while begins[-1] + extent < room:
        begins.append(begins[-1] + stride)
    (found,) = window(kernel, stride, dilation, pads, rounding="ceil").positions([size])
    assert found == len(begins)
    kept = begins[:-1] if begins[-1] >= size + begin else begins
    (found,) = window(kernel, stride, dilation, pads, rounding="ceil_torch").positions([size])
    assert found == len(kept)


@given(st.integers(1, 20), SMALL, SMALL, SMALL)
def test_same_pads_what_a_position_for_each_stride_needs(
    size: int, kernel: int, stride: int, dilation: int
):
    """An odd rest is at the end for `same_upper`, and at the beginning for `same_lower`."""
    upper, lower = (
        window(kernel, stride, dilation, auto_pad=f"same_{side}") for side in ("upper", "lower")
    )
    ((before, after),) = upper.padding([size])
    assert lower.padding([size]) == [(after, before)]
    assert after - before in (0, 1)
    assert upper.positions([size]) == lower.positions([size]) == (len(range(0, size, stride)),)
    last = range(0, size, stride)[-1] + upper.extents[0]
    assert before + after == max(last - size, 0)


def test_valid_has_no_padding():
    assert window(3, 2, 1, (1, 1), "valid").padding([5]) == [(0, 0)]
    assert window(3, 2, 1, (1, 2)).padding([5]) == [(1, 2)]


@given(st.integers(1, 20), SMALL)
def test_same_has_as_many_positions_for_any_kernel(size: int, stride: int):
    same = window(DYNAMIC_INDEX, stride, 1, auto_pad="same_lower")
    assert same.positions([size]) == (len(range(0, size, stride)),)
    assert window(DYNAMIC_INDEX, stride, 1).positions([size]) == (DYNAMIC_INDEX,)
    assert same.positions([DYNAMIC_INDEX]) == (DYNAMIC_INDEX,)
