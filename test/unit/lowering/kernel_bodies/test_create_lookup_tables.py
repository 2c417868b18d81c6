"""Lookups give what kernels computed, bit by bit: by the reference and by the machine."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from unittest.mock import patch

import numpy as np
import pytest
from hypothesis import event, given
from hypothesis import strategies as st
from xdsl.dialects import arith, func
from xdsl.dialects.builtin import FunctionType, IntegerType, ModuleOp, TensorType, f32, i8, i32
from xdsl.ir import Block, Region

from lowstream.dialects import context
from lowstream.dialects.kernel import Access, LookupOp, MapOp, ProgramOp
from lowstream.lowering.kernel_bodies import create_lookup_tables
from lowstream.lowering.kernel_bodies.bodies import Scalar, build_body
from lowstream.lowering.kernel_bodies.create_lookup_tables import CreateLookupTables
from lowstream.lowering.kernel_bodies.range_analysis import RangeAnalysis
from lowstream.lowering.machine import available_isas, choose_isa
from lowstream.lowering.plan import PlanMemory
from lowstream.reference.executor import Executor
from lowstream.test.unit.lowering.codegen.kernels import ui8
from lowstream.test.unit.lowering.codegen.native import Native

SUMS = np.array([-(2**31), 2**31 - 1, -70000, *range(-400, 400)], np.int32)

FUNCTIONS: dict[str, Callable[[Scalar], Scalar]] = {
    "gated": lambda x: x.sigmoid() * x,
    "tanh": lambda x: x.tanh(),
    "reciprocal": lambda x: 1 / x,  # infinite at 0
    "root": lambda x: x.square_root().exp(),  # NaN below 0
}


@dataclass(frozen=True)
class Layer:
    """Codes of x, a function of these, and the codes that are stored, perhaps by way of an f32."""

    source: IntegerType
    first: int
    zero_point: int
    scale: float
    function: str
    factor: float
    target: IntegerType
    count: int = 256

    def module(self) -> ModuleOp:
        """A kernel of this layer."""
        types = [TensorType(each, [SUMS.size]) for each in (self.source, self.target)]
        access, body = [Access.identity(1)] * 2, build_body([i32], self._body)
        block = Block(arg_types=types[:1])
        block.add_op(kernel := MapOp([SUMS.size], block.args, access, body, results=types[1:]))
        block.add_op(func.ReturnOp(*kernel.results))
        signature = FunctionType.from_lists(types[:1], types[1:])
        return ModuleOp([func.FuncOp("main", signature, Region(block))])

    def _body(self, x: Scalar) -> Scalar:
        codes = x.cast(arith.SIToFPOp, f32)
        if self.source == i32:
            codes = (codes * 0.7).round_even() + self.zero_point
            codes = codes.clamp(self.first, self.first + self.count - 1)
        numbers = (codes - self.zero_point) * self.scale
        found = (FUNCTIONS[self.function](numbers) * self.factor).round_even()
        return found.cast(arith.FPToSIOp, i32)


LAYERS = st.builds(
    Layer,
    source=st.sampled_from([i32, i8, ui8]),
    first=st.integers(-300, 300),
    zero_point=st.sampled_from([0, 3, -128]),
    scale=st.sampled_from([0.02, -0.5, 3.0]),
    function=st.sampled_from(list(FUNCTIONS)),
    factor=st.sampled_from([100.0, -3.0, 1e6]),
    target=st.sampled_from([i8, ui8, i32]),
)


@given(layer=LAYERS, isa=st.sampled_from([isa.name for isa in available_isas()]))
def test_the_same_is_stored(layer: Layer, isa: str):
    module = layer.module()
    inputs = [SUMS if layer.source == i32 else np.resize(np.arange(256), SUMS.size)]
    inputs = [inputs[0].astype({i32: "i4", i8: "i1", ui8: "u1"}[layer.source])]
    (wanted,) = Executor(module).run(inputs)
    CreateLookupTables("avx512_vnni").apply(context(), module)
    module.verify()
    is_lookup = any(isinstance(op, LookupOp) for op in module.walk())
    assert is_lookup or layer.target == i32
    event("lookup" if is_lookup else "no lookup")
    (have,) = Executor(module).run(inputs)
    np.testing.assert_array_equal(have, wanted)
    if is_lookup:
        PlanMemory().apply(context(), module)
        (program,) = module.ops
        assert isinstance(program, ProgramOp)
        (stored,) = Native(program, choose_isa(isa)).run(inputs)
        np.testing.assert_array_equal(stored, wanted)


@pytest.mark.parametrize("count", [256, 257])
def test_as_many_codes_as_the_table_has(count: int):
    """Of 257 numbers, two would share an element."""
    module = Layer(i32, -1, 0, 0.02, "tanh", 100.0, i8, count).module()
    CreateLookupTables("avx512_vnni").apply(context(), module)
    assert any(isinstance(op, LookupOp) for op in module.walk()) == (count == 256)


def test_a_body_that_costs_less_than_a_lookup_is_not_analyzed():
    """AVX2 looks up by loads, which cost more than a tanh; AVX-512's permutations cost less."""
    module = Layer(i8, -128, 0, 0.02, "tanh", 100.0, i8).module()
    with patch.object(create_lookup_tables, "RangeAnalysis", side_effect=RangeAnalysis) as analysis:
        CreateLookupTables("avx2").apply(context(), module)
        assert not analysis.called
        CreateLookupTables("avx512_vnni").apply(context(), module)
        assert analysis.called
