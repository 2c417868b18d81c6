"""Tables of choices: what is written is read, what is damaged is said to be, and kernels find their own."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from xdsl.utils.exceptions import DiagnosticException

from lowstream.dialects import context, kernel
from lowstream.interop.mlir import parse_module
from lowstream.lowering.lower_to_kernels import Fused
from lowstream.lowering.machine import AVX2, AVX512_VNNI
from lowstream.lowering.pack_weights import anchors
from lowstream.lowering.tuning_configuration import (
    TuningConfiguration,
    TuningTable,
    description,
    read_table,
    table_text,
)

SIZES = st.integers(1, 100)
CHOICES = st.builds(TuningConfiguration, SIZES, st.lists(SIZES, min_size=1, max_size=2).map(tuple))
TABLES = st.dictionaries(st.text(), st.dictionaries(st.text(), CHOICES))

MODEL = """
func.func @main(%x: tensor<1x3x5x5xf32>) -> tensor<1x7xf32> {
  %f = nn.constant dense<0.5> : tensor<8x3x3x3xf32>
  %c = nn.convolution %x, %f {strides = array<i64: 2, 2>, dilations = array<i64: 1, 1>,
      pads_begin = array<i64: 1, 1>, pads_end = array<i64: 1, 1>}
      : (tensor<1x3x5x5xf32>, tensor<8x3x3x3xf32>) -> tensor<1x8x3x3xf32>
  %d = nn.constant dense<0.5> : tensor<8x1x1x3x3xf32>
  %g = nn.group_convolution %c, %d {strides = array<i64: 1, 1>, dilations = array<i64: 1, 1>,
      pads_begin = array<i64: 0, 0>, pads_end = array<i64: 0, 0>}
      : (tensor<1x8x3x3xf32>, tensor<8x1x1x3x3xf32>) -> tensor<1x8x1x1xf32>
  %s = nn.constant dense<[1, 8]> : tensor<2xi64>
  %r = nn.reshape %g, %s {special_zero = false} : (tensor<1x8x1x1xf32>, tensor<2xi64>) -> tensor<1x8xf32>
  %w = nn.constant dense<0.25> : tensor<7x8xf32>
  %y = nn.mat_mul %r, %w {transpose_b = true} : (tensor<1x8xf32>, tensor<7x8xf32>) -> tensor<1x7xf32>
  func.return %y : tensor<1x7xf32>
}
"""

DESCRIPTIONS = [
    "convolution of 1x7x7x3xf32 by f32, taps 3x3 strides 2x2 to 1x3x3x8",
    "convolution of 1x3x3x8xf32 by f32, taps 3x3, 8 groups to 1x1x1x8",
    "product of 1x8xf32 by f32 to 1x7",
]


@given(table=TABLES)
def test_what_is_written_is_read(table: TuningTable, tmp_path_factory: pytest.TempPathFactory):
    path = tmp_path_factory.mktemp("table") / "schedules.json"
    path.write_text(table_text(table), encoding="utf-8")
    assert read_table(path) == table


def test_old_names_of_fields_are_understood(tmp_path: Path):
    path = tmp_path / "schedules.json"
    path.write_text('{"avx2": {"product": {"vectors": 2, "block": [3, 1]}}}')
    table = read_table(path)
    assert table == {"avx2": {"product": TuningConfiguration(2, (3, 1))}}
    path.write_text(table_text(table))
    assert "vectors" not in path.read_text().replace("nr_vectors", "")
    assert read_table(path) == table


@pytest.mark.parametrize(
    "data",
    [
        b"",
        b"\xff",
        b"[]",
        b'{"avx2": 3}',
        b'{"avx2": {"product": 3}}',
        b'{"avx2": {"product": {"nr_vectors": 2}}}',
        b'{"avx2": {"product": {"mr": 3, "nr_vectors": 2}}}',
        b'{"avx2": {"product": {"mr": [3], "nr_vectors": 0}}}',
        b'{"avx2": {"product": {"mr": ["3"], "nr_vectors": 2}}}',
        b'{"avx2": {"product": {"mr": [3], "nr_vectors": true}}}',
        b'{"avx2": {"product": {"mr": [3], "nr_vectors": 2, "panel": 1}}}',
        b'{"avx2": {"product": {"mr": [3], "nr_vectors": 2}}',
        b"[" * 100_000,
    ],
)
def test_what_is_no_table(tmp_path: Path, data: bytes):
    path = tmp_path / "schedules.json"
    path.write_bytes(data)
    with pytest.raises(DiagnosticException) as error:
        read_table(path)
    assert str(error.value) == (
        f"{path} is not a table of schedules; remove it, and measure again (benchmark-tool --tune)"
    )


def test_a_kernel_is_described_alike_from_fusion_to_planned_memory():
    module = parse_module(MODEL, "m.mlir", context())
    fused = Fused.of(module, AVX2)
    assert [description(op) for op in anchors(fused.module)] == DESCRIPTIONS
    program = fused.program({})
    planned = [
        op for op in program.walk() if isinstance(op, kernel.ConvolutionOp | kernel.MatMulOp)
    ]
    assert [description(op) for op in planned] == DESCRIPTIONS
    assert not any(op.mr for op in planned)


def test_a_choice_reaches_the_planned_program():
    """And changes nothing of what is fused: the next program is without it."""
    module = parse_module(MODEL, "m.mlir", context())
    fused = Fused.of(module, AVX512_VNNI)
    configurations = {
        DESCRIPTIONS[0]: TuningConfiguration(1, (3, 3)),
        DESCRIPTIONS[1]: TuningConfiguration(1, (1,)),
    }
    for chosen in (configurations, {}):
        program = fused.program(chosen)
        first, second = (op for op in program.walk() if isinstance(op, kernel.ConvolutionOp))
        assert first.measured_mr == ((3, 3) if chosen else None)
        assert second.measured_mr is None
