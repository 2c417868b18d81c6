"""Convolutions whose steps are multiplied two by two, against their meaning in NumPy."""

from __future__ import annotations

from dataclasses import replace
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest
from xdsl.dialects.builtin import i8

from lowstream.dialects.elements import limits_of
from lowstream.lowering.codegen.convolution.im2col import im2col_kernel
from lowstream.lowering.machine import AVX2, AVX_VNNI, Isa
from lowstream.lowering.pack_weights.convolution import pack_filters
from lowstream.test.unit.lowering.codegen.convolution.convolutions import ConvolutionCase as Case
from lowstream.test.unit.lowering.codegen.judge import check_results
from lowstream.test.unit.lowering.codegen.kernels import ui8
from lowstream.test.unit.lowering.codegen.native import Native
from lowstream.test.unit.lowering.codegen.partitions import check_shares
from lowstream.test.unit.pairwise import each_pair


@pytest.mark.host
@each_pair(kind=[(ui8, i8), (i8, i8), (ui8, ui8)], channels=[64, 68, 96, 132], units=[64, 83, 128])
def test_fast_inner_product(
    kind: tuple[Any, Any], channels: int, units: int, monkeypatch: pytest.MonkeyPatch
):
    """
    Random codes and extremes in every place, in several panels, whichever threads share them; of lines, too. Nearest
    misses: an odd number of pairs of channels, few channels, units or positions, groups, sums of columns, and an
    instruction set that multiplies bytes.
    """
    from lowstream.lowering.codegen.schedule import mat_mul as schedule

    monkeypatch.setattr(schedule, "WIDENED_BYTES", 1)
    case = Case(batch=2, positions=(3, 9), taps=(1, 1), channels=channels, units=units, kind=kind)
    strided = replace(case, strides=(2, 2))
    for hit in (case, strided, replace(case, over=1, room=3)):
        assert is_paired(hit)
        hit.check(AVX2)
    program = case.program(AVX2)
    inputs, native = case.inputs(program, AVX2), Native(program, AVX2)
    layout, _ = case.packing(AVX2)
    assert layout is not None
    for element, left in ((kind[0], 0), (kind[0], 1)):
        inputs[0][...] = limits_of(element)[left]
        for code in limits_of(kind[1]):
            filters = np.full(case.filters, code, inputs[1].dtype)
            inputs[1] = pack_filters(filters, layout, 1).joined()
            check_results(native, inputs)
    misses = [
        replace(case, channels=channels + 2),
        replace(case, channels=60),
        replace(case, units=63),
        replace(strided, positions=(3, 7)),
        replace(case, groups=2),
        replace(case, taps=(1, 3), column_sums=True),
    ]
    assert not any(map(is_paired, misses))
    assert not is_paired(replace(case, kind=(ui8, i8)), AVX_VNNI)


@pytest.mark.host
@pytest.mark.parametrize(
    ("taps", "strides"),
    [((3, 3), (2, 2)), ((1, 3), (1, 1)), ((3, 1), (1, 2)), ((5, 2), (3, 1)), ((9,), (4,))],
)
@pytest.mark.parametrize("channels", [32, 36, 44])
def test_windows_are_gathered(
    taps: tuple[int, ...],
    strides: tuple[int, ...],
    channels: int,
    monkeypatch: pytest.MonkeyPatch,
):
    """
    Taps that lie beside the channels, and that do not; in several panels. Nearest misses: channels that do not fill a
    vector of words, or half of a pair of steps, few positions in a line, and taps that lie apart.
    """
    from lowstream.lowering.codegen.schedule import mat_mul as schedule

    monkeypatch.setattr(schedule, "WIDENED_BYTES", 1)
    positions = (3, 9)[-len(taps) :]
    near = (1,) * len(taps)
    case = Case(2, positions, taps, strides, near, channels=channels, units=83, kind=(ui8, i8))
    for hit in (case, replace(case, over=1, room=3), replace(case, kind=(i8, i8))):
        assert is_paired(hit)
        hit.check(AVX2)
    misses = [
        replace(case, channels=12),
        replace(case, channels=channels + 2),
        replace(case, positions=(*positions[:-1], 7)),
        replace(case, dilations=(2,) * len(taps)),
    ]
    assert not any(map(is_paired, misses))


def is_paired(case: Case, isa: Isa = AVX2) -> bool:
    layout, _ = case.packing(isa)
    return layout is not None and layout.fast_inner_product == 1


@pytest.mark.host
def test_shares_of_a_fast_inner_product():
    case = Case(batch=3, positions=(5, 9), taps=(1, 1), channels=68, units=150, kind=(ui8, i8))
    program = case.program(AVX2)
    product = SimpleNamespace(of=im2col_kernel)
    for parts in (2, 3):
        check_shares(product, program, AVX2, case.inputs(program, AVX2), parts)
