"""`offset-codes`: the same products, of the greatest codes too, on every instruction set."""

from __future__ import annotations

import numpy as np
import pytest
from numpy.testing import assert_array_equal
from xdsl.context import Context

import lowstream
from lowstream.dialects import kernel
from lowstream.interop.model import Model
from lowstream.lowering.lower_to_kernels import fusing_passes
from lowstream.lowering.machine import ENVIRONMENT, Isa, available_isas
from lowstream.test.unit.runtime.runtime_models import module

ROWS, DEPTH, COLUMNS = 13, 19, 80


def model(weights: np.ndarray) -> Model:
    """`Y = X W`, and the same of each of two batches."""
    data = weights.tobytes().hex().upper()
    shape, flat = "2x13x19", "13x19"
    return Model(
        module(f"""
        func.func @main(%x: tensor<{flat}xi8> {{nn.names = ["X"]}}, %z: tensor<{shape}xi8> {{nn.names = ["Z"]}})
            -> (tensor<13x80xi32> {{nn.names = ["A"]}}, tensor<2x13x80xi32> {{nn.names = ["B"]}}) {{
          %w = nn.constant dense<"0x{data}"> : tensor<19x80xi8>
          %a = nn.mat_mul %x, %w : (tensor<{flat}xi8>, tensor<19x80xi8>) -> tensor<13x80xi32>
          %b = nn.mat_mul %z, %w : (tensor<{shape}xi8>, tensor<19x80xi8>) -> tensor<2x13x80xi32>
          func.return %a, %b : tensor<13x80xi32>, tensor<2x13x80xi32>
        }}""")
    )


@pytest.mark.parametrize("isa", available_isas(), ids=lambda isa: isa.name)
def test_products_are_exact(isa: Isa, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setenv(ENVIRONMENT, isa.name)
    random = np.random.default_rng(0)
    weights = random.integers(-128, 128, (DEPTH, COLUMNS), np.int8)
    weights[:, :2] = -128, 127
    x = random.integers(-128, 128, (3, ROWS, DEPTH), np.int8)
    x[:, :2] = [[-128], [127]]
    request = lowstream.compile_model(model(weights), num_threads=1).create_infer_request()
    found = request.infer({"X": x[0], "Z": x[1:]})
    wanted = x.astype(np.int32) @ weights.astype(np.int32)
    assert_array_equal(found["A"], wanted[0])
    assert_array_equal(found["B"], wanted[1:])


@pytest.mark.parametrize("isa", available_isas(), ids=lambda isa: isa.name)
def test_codes_are_those_that_the_instruction_takes(isa: Isa):
    lowered = model(np.ones((DEPTH, COLUMNS), np.int8)).module
    for each in fusing_passes(isa.name):
        each.apply(Context(), lowered)
    products = [op for op in lowered.walk() if isinstance(op, kernel.MatMulOp)]
    is_vnni = "vnni" in isa.name
    assert len(products) == 2
    assert [("ui8" in str(op.a[0].type)) for op in products] == [is_vnni] * 2
