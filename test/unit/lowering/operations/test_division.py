"""Quotients and remainders are exact: of all pairs of bytes, of wide integers, and of floats of any two sizes."""

from collections.abc import Callable, Sequence
from itertools import product
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from xdsl.dialects import func
from xdsl.dialects.builtin import BoolAttr, ModuleOp, TensorType, f32
from xdsl.ir import Block, Operation, Region

from lowstream.dialects import kernel, nn
from lowstream.dialects.kernel import Access
from lowstream.lowering.kernel_bodies.bodies import Scalar, build_body
from lowstream.lowering.lower_to_kernels import lower
from lowstream.lowering.machine import Isa
from lowstream.reference.arrays import Array, element_of
from lowstream.reference.executor import Executor
from lowstream.test.unit.lowering.codegen.judge import check
from lowstream.test.unit.lowering.codegen.kernels import dense, each_vector_isa, one_kernel
from lowstream.test.unit.lowering.codegen.scattered import Scattered

TOWARD_ZERO = {"m_pythondiv": BoolAttr.from_bool(False)}

OPERATIONS: list[Callable[..., Any]] = [
    nn.DivideOp.of,
    lambda x, y: nn.DivideOp.of(x, y, **TOWARD_ZERO),
    nn.FloorModOp.of,
    nn.ModOp.of,
]


def divided(x: Array, y: Array) -> ModuleOp:
    """All operations of two arrays."""
    block = Block(arg_types=[TensorType(element_of(each.dtype), each.shape) for each in (x, y)])
    ops = [make(*block.args) for make in OPERATIONS]
    results = [op.results[0] for op in ops]
    block.add_ops([*ops, func.ReturnOp(*results)])
    types = [each.type for each in block.args], [each.type for each in results]
    return ModuleOp([func.FuncOp("main", types, Region(block))])


def pairs(numbers: Sequence[int], name: str) -> list[Array]:
    """All pairs of these numbers, those that are divided first."""
    return list(np.array([*product(numbers, repeat=2)], name).T.copy())


@each_vector_isa
@pytest.mark.parametrize("name", ["i1", "u1"])
def test_all_pairs_of_bytes(isa: Isa, name: str):
    limits = np.iinfo(name)
    x, y = pairs(range(limits.min, limits.max + 1), name)
    module = divided(x, y)
    with np.errstate(all="ignore"):
        wanted = Executor(module).run([x, y])
    assert [each.size for each in wanted] == [1 << 16] * 4
    Scattered(lower(module, isa.name), isa).check([x, y], wanted)


@each_vector_isa
@pytest.mark.parametrize("name", ["i2", "u2", "i4", "u4", "i8", "u8"])
def test_wide_integers(isa: Isa, name: str):
    """
    Beside multiples, where a quotient that is rounded would be the next integer; vectors of numbers that a float holds,
    up to the longest, and of longer ones.
    """
    limits, rng = np.iinfo(name), np.random.default_rng(3)
    x, y = (rng.integers(limits.min, limits.max, 2099, name, endpoint=True) for _ in range(2))
    whole = {16: 16, 32: 24, 64: 53}[limits.bits]
    x[700:] >>= limits.bits - whole - (limits.min < 0)
    y[700:] >>= limits.bits - whole - (limits.min < 0)
    y[::2] >>= rng.integers(0, limits.bits, y[::2].size).astype(name)
    with np.errstate(all="ignore"):
        x[::3] = np.where(y[::3], x[::3] // y[::3] * y[::3] - np.arange(x[::3].size) % 3, 0)
    edges = [limits.min, limits.min + 1, 0, 1, 2, 3, limits.max - 1, limits.max]
    edges += [2**whole - 1] if whole < limits.bits else []
    edges += [-1, -2, -(2 ** (whole - 1))] if limits.min else [limits.max // 2 + 1]
    more = pairs(edges, name)
    x, y = np.concatenate([x, more[0]]), np.concatenate([y, more[1]])
    module = divided(x, y)
    with np.errstate(all="ignore"):
        wanted = Executor(module).run([x, y])
    Scattered(lower(module, isa.name), isa).check([x, y], wanted)


def remainders(count: int) -> kernel.ProgramOp:
    """`kernel.remainder` of so many pairs."""

    def make(ins: Any, outs: Any) -> Operation:
        def rest(x: Scalar, y: Scalar) -> Scalar:
            return x.apply(kernel.RemainderOp, y)

        access = [Access.identity(1)] * 3
        return kernel.MapOp([count], ins, access, build_body([f32, f32], rest), outs=outs)

    return one_kernel([dense(f32, count)] * 2, [dense(f32, count)], make)


WORDS = st.lists(st.integers(0, 2**32 - 1), min_size=18, max_size=18)


@each_vector_isa
@settings(max_examples=25)
@given(x=WORDS, y=WORDS, near=st.booleans())
def test_remainders_of_any_two_floats(isa: Isa, x: list[int], y: list[int], near: bool):
    """Lanes with short quotients beside lanes with long ones, and vectors of short ones alone."""
    left, right = (np.array(words, np.uint32).view(np.float32) for words in (x, y))
    if near:  # quotients of few bits
        right = np.ldexp(np.frexp(right)[0], np.frexp(left)[1] - np.array(y) % 24).astype(
            np.float32
        )
    check(remainders(18), isa, [left, right], same_sign)


def same_sign(have: Array, want: Array) -> None:
    """Equal, zeros too in their signs."""
    np.testing.assert_array_equal(have, want)
    is_number = want == want
    np.testing.assert_array_equal(np.signbit(have[is_number]), np.signbit(want[is_number]))
