"""Convolutions of one tap whose steps are multiplied two by two, against their meaning in NumPy."""

from __future__ import annotations

from dataclasses import replace
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest
from xdsl.dialects.builtin import i8

from lowstream.dialects.elements import limits_of
from lowstream.lowering.codegen.convolution.pointwise import pointwise_kernel
from lowstream.lowering.machine import AVX2, AVX_VNNI, Isa
from lowstream.lowering.pack_weights.convolution import pack_filters
from lowstream.test.unit.lowering.codegen.convolution.convolutions import ConvolutionCase as Case
from lowstream.test.unit.lowering.codegen.judge import check_results
from lowstream.test.unit.lowering.codegen.kernels import ui8
from lowstream.test.unit.lowering.codegen.native import Native
from lowstream.test.unit.lowering.codegen.partitions import check_shares


@pytest.mark.host
@pytest.mark.parametrize("kind", [(ui8, i8), (i8, i8), (ui8, ui8)], ids=str)
@pytest.mark.parametrize("channels", [64, 68, 96, 132])
@pytest.mark.parametrize("units", [64, 83, 128])
def test_fast_inner_product(
    kind: tuple[Any, Any], channels: int, units: int, monkeypatch: pytest.MonkeyPatch
):
    """
    Random codes and extremes in every place, in several panels, whichever threads share them; of lines, too. Nearest
    misses: an odd number of pairs of channels, few channels, units or positions, groups, more taps, sums of columns,
    and an instruction set that multiplies bytes.
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
        replace(case, taps=(1, 3)),
        replace(case, column_sums=True),
    ]
    assert not any(map(is_paired, misses))
    assert not is_paired(replace(case, kind=(ui8, i8)), AVX_VNNI)


def is_paired(case: Case, isa: Isa = AVX2) -> bool:
    layout, _ = case.packing(isa)
    return layout is not None and layout.fast_inner_product == 1


@pytest.mark.host
def test_shares_of_a_fast_inner_product():
    case = Case(batch=3, positions=(5, 9), taps=(1, 1), channels=68, units=150, kind=(ui8, i8))
    program = case.program(AVX2)
    product = SimpleNamespace(of=pointwise_kernel)
    for parts in (2, 3):
        check_shares(product, program, AVX2, case.inputs(program, AVX2), parts)
