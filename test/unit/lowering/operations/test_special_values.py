"""What elementwise operations make of zeros, infinities, extremes and NaN: the same everywhere."""

from collections.abc import Iterator
from functools import cache
from itertools import product
from typing import Any

import numpy as np
import pytest
from xdsl.dialects import func
from xdsl.dialects.builtin import (
    BoolAttr,
    FloatAttr,
    IntegerAttr,
    IntegerType,
    ModuleOp,
    Signedness,
    StringAttr,
    TensorType,
    UnitAttr,
    f32,
    f64,
)
from xdsl.ir import Attribute, Block, Operation, Region, SSAValue

from lowstream.dialects import kernel, nn, qnn
from lowstream.dialects.nn.comparison import LogicalOp
from lowstream.dialects.nn.functions import FloatingOp
from lowstream.lowering.lower_to_kernels import Fused, lower
from lowstream.lowering.machine import Isa, available_isas, choose_isa
from lowstream.reference.arrays import Array, blob_of, element_of
from lowstream.reference.executor import Executor
from lowstream.reference.program import ProgramExecutor
from lowstream.test.unit.lowering.codegen.kernels import VECTOR_ISAS, each_vector_isa
from lowstream.test.unit.lowering.codegen.scattered import Scattered

FLOATS = ["f2", "f4", "f8"]
INTEGERS = ["i1", "u1", "i2", "u2", "i4", "u4", "i8", "u8"]
ORDERED = [name for name in INTEGERS if name not in ("u4", "u8")]
"""Bodies are signless: what orders or divides the others is refused."""

TOLERANCE = {"f2": 2e-3, "f4": 3e-6, "f8": 1e-13}
LIMITS: dict[str, Attribute] = {"min": FloatAttr(-1.5, f64), "max": FloatAttr(100.0, f64)}
VARIANTS: dict[type[Operation], list[dict[str, Attribute]]] = {
    nn.ClampOp: [LIMITS],
    nn.DivideOp: [{}, {"m_pythondiv": BoolAttr.from_bool(False)}],
    nn.EluOp: [{"alpha": FloatAttr(1.5, f64)}],
    nn.GeluOp: [{"approximation_mode": StringAttr(mode)} for mode in ("erf", "tanh")],
    nn.RoundOp: [{"mode": StringAttr(f"half_{side}")} for side in ("to_even", "away_from_zero")],
}
EXPONENTS = [-3, -2, -1.5, -1, -0.75, -0.5, 0, 0.25, 0.5, 0.75, 1, 1.25, 1.5, 2, 2.5, 3]
"""Powers that are multiplied out where they are constant."""


def special(name: str) -> Array:
    """The numbers of a type on which functions fail."""
    dtype = np.dtype(name)
    if dtype.kind in "iu":
        limits = np.iinfo(dtype)
        numbers = [0, 1, 2, 3, 7, limits.max // 2, limits.max - 1, limits.max]
        below = [limits.min, limits.min + 1, -1, -2, -3, -7] if dtype.kind == "i" else []
        return np.array([*numbers, *below], dtype)
    limits = np.finfo(dtype)
    sizes = [0, 1, 0.5, 1 / 3, 2, 2.5, 3, 7, 20, 80, 88, 100, 1000, np.inf]
    sizes += [float(n) for n in (limits.max, limits.tiny, limits.smallest_subnormal, limits.eps)]
    # Beside the limits of integers.
    sizes += [127.5, 129, 255.5, 256, 65536, 2.0**31, 3e9, 2.0**32, 2.0**63, 1.5e19, 2.0**64]
    with np.errstate(over="ignore"):
        return np.array([*sizes, *(-size for size in sizes), np.nan], dtype)


def operations(name: str, x: SSAValue, y: SSAValue) -> Iterator[Operation]:
    """Each elementwise operation that there is of this type."""
    floating = name in FLOATS
    for kind in nn.Nn.operations:
        many: list[SSAValue] = [x, y] if issubclass(kind, nn.BinaryOp) else [x]
        if not issubclass(kind, nn.UnaryOp | nn.BinaryOp) or issubclass(
            kind, LogicalOp | nn.LogicalNotOp
        ):
            continue
        if not floating and (
            issubclass(kind, FloatingOp) or kind in (nn.SigmoidOp, nn.TanhOp, nn.ReluOp)
        ):
            continue
        if floating and issubclass(kind, nn.BitwiseOp | nn.BitwiseNotOp):
            continue
        if floating and name == "f8" and kind in (nn.FloorModOp, nn.ModOp):
            continue  # exact up to quotients of 318 bits
        for properties in VARIANTS.get(kind, [{}]):
            yield kind.of(*many, **properties)
    for target in (*FLOATS, *INTEGERS, "?"):
        yield nn.ConvertOp.of(x, destination_type=element_of(np.dtype(target)))
    if not floating:
        return
    for exponent in EXPONENTS:
        yield (number := nn.ConstantOp(blob_of(np.array(exponent, name))))
        yield nn.PowerOp.of(x, number.result)
    yield (half := nn.ConstantOp(blob_of(np.array(0.5, name))))
    yield nn.SwishOp.of(x)
    yield nn.SeluOp.of(x, half.result, half.result)
    yield from (kind.of(x) for kind in (nn.IsNanOp, nn.IsInfOp, nn.IsFiniteOp))
    for sign in ("negative", "positive"):
        yield nn.IsInfOp.of(x, **{f"detect_{sign}": BoolAttr.from_bool(False)})
    yield nn.HardSigmoidOp.of(x, half.result, half.result)
    yield nn.PReluOp.of(x, half.result)


def module_of(name: str) -> tuple[ModuleOp, list[Array], list[str]]:
    """All of them of all pairs, the pairs, and what each result is."""
    pairs = np.array(list(product(special(name), repeat=2))).T.copy()
    block = Block(arg_types=[TensorType(element_of(pairs.dtype), [pairs.shape[1]])] * 2)
    block.add_ops(operations(name, *block.args))
    results = [op.results[0] for op in block.ops if not isinstance(op, nn.ConstantOp)]
    names = [str(result.owner) for result in results]
    block.add_op(func.ReturnOp(*results))
    types = [arg.type for arg in block.args], [result.type for result in results]
    return ModuleOp([func.FuncOp("main", types, Region(block))]), list(pairs), names


@cache
def planned(name: str) -> tuple[kernel.ProgramOp, list[Array], list[Array]]:
    """The accurate program, the same for all instruction sets, its inputs, and what its kernels give for them."""
    module, inputs, _ = module_of(name)
    program = Fused.of(module, choose_isa()).finished({}, accurate=True)
    return program, inputs, ProgramExecutor(program).run(inputs)


@pytest.mark.parametrize("name", [*FLOATS, *ORDERED])
def test_kernels_give_what_operations_mean(name: str):
    module, inputs, names = module_of(name)
    with np.errstate(all="ignore"):
        wanted = Executor(module).run(inputs)
    _, _, found = planned(name)
    wrong: list[Any] = []
    for have, want, what in zip(found, wanted, names, strict=True):
        same = (have == want) | ((have != have) & (want != want))
        if want.dtype.kind == "f":
            wide, least = want.astype(np.float64), np.finfo(want.dtype).smallest_subnormal
            with np.errstate(invalid="ignore"):
                # A subnormal factor is off by a unit, which the other factor magnifies.
                unit = 8 * float(least) * np.maximum(1, np.abs(inputs[0].astype(np.float64)))
                near = TOLERANCE[want.dtype.str[1:]] * np.abs(wide) + unit
                same |= np.isfinite(wide) & (np.abs(have.astype(np.float64) - wide) <= near)
        wrong += [
            (what, inputs[0][i], inputs[1][i], "gives", have[i], "not", want[i])
            for i in np.flatnonzero(~same)[:3]
        ]
    assert wrong == []


def machines() -> Iterator[tuple[str, Isa]]:
    """Halves and singles on each instruction set, of which there are conversions; other types on one each, in turn."""
    isas = VECTOR_ISAS
    yield from product(FLOATS[:2], isas)
    yield from ((name, isas[i % len(isas)]) for i, name in enumerate(("f8", "i1", "i4", "i8")))


@pytest.mark.parametrize(
    ("name", "isa"), [*machines()], ids=lambda each: getattr(each, "name", each)
)
def test_machines_give_what_kernels_do(name: str, isa: Isa):
    """And no division traps."""
    program, inputs, wanted = planned(name)
    Scattered(program, isa).check(inputs, wanted)


@pytest.mark.parametrize("levels", [2, 16, 256, 65536])
@pytest.mark.parametrize("limit", [3e38, 3.4e38, 1e-38, 1e-40, 1e-45])
def test_intervals_as_wide_and_as_narrow_as_f32_has_are_quantized(limit: float, levels: int):
    wide, narrow = [-limit, limit], [-1.0, 1.0]
    block = Block(arg_types=[TensorType(f32, [9])])
    for limits in ([*wide, *wide], [*wide, *narrow], [*narrow, *wide]):
        constants = [nn.ConstantOp(blob_of(np.array(each, np.float32))) for each in limits]
        operands = [block.args[0], *(constant.result for constant in constants)]
        block.add_ops(constants)
        block.add_op(qnn.FakeQuantizeOp.of(*operands, levels=IntegerAttr(levels, 64)))
    results = [op.results[0] for op in block.ops if isinstance(op, qnn.FakeQuantizeOp)]
    block.add_op(func.ReturnOp(*results))
    types = list(block.arg_types), [result.type for result in results]
    module = ModuleOp([func.FuncOp("main", types, Region(block))])
    x = np.array([-np.inf, -limit, -limit / 3, -0.4, 0, 0.4, limit / 3, limit, np.inf], np.float32)
    program = lower(module)
    found = ProgramExecutor(program).run([x])
    for have, want, end in zip(found, Executor(module).run([x]), (limit, 1, limit), strict=True):
        assert np.all(np.isfinite(have))
        if limit > 1:
            step = 2.0 * end / (levels - 1)  # halves of a code may be rounded either way
            values = have.astype(np.float64), want.astype(np.float64)
            np.testing.assert_allclose(*values, rtol=1e-5, atol=1.001 * step)
    (isa, *_) = available_isas()
    Scattered(program, isa).check([x], found)


@each_vector_isa
def test_gates_of_special_values(isa: Isa):
    pairs = np.array(list(product(special("f4"), repeat=2))).T.copy()
    block = Block(arg_types=[TensorType(element_of(pairs.dtype), [pairs.shape[1]])] * 2)
    x, y = nn.SigmoidOp.of(block.args[0]), nn.TanhOp.of(block.args[1])
    gate = nn.MultiplyOp.of(x.results[0], y.results[0])
    block.add_ops([x, y, gate, func.ReturnOp(gate.results[0])])
    types = [arg.type for arg in block.args], [gate.results[0].type]
    module = ModuleOp([func.FuncOp("main", types, Region(block))])
    program = lower(module, isa.name)
    assert str(program).count("arith.divf") == 1
    with np.errstate(all="ignore"):
        (wanted,) = Executor(module).run(list(pairs))
        (given,) = ProgramExecutor(program).run(list(pairs))
    np.testing.assert_allclose(given, wanted, rtol=TOLERANCE["f4"], atol=2e-44)
    Scattered(program, isa).check(list(pairs), [given])


@each_vector_isa
@pytest.mark.parametrize("point", [0.0, 0.3, -1e-45, 3e38])
def test_two_levels_around_a_point_are_told_apart_exactly(isa: Isa, point: float):
    """In one channel; the interval of another is none, or its output is one point, too."""
    t = np.float32(point)
    near = [t, np.nextafter(t, np.float32(-np.inf)), np.nextafter(t, np.float32(np.inf))]
    row = np.array([*near, -5, 5, np.inf, -np.inf, np.nan, -0.0], np.float32)
    x = np.tile(row, (3, 4))
    high = [[point], [point + 1 if point < 2 else 3.1e38], [point]]
    limits = [np.array(each, np.float32) for each in (point, high, -1, [[1], [1], [-1]])]
    constants = [nn.ConstantOp(blob_of(each)) for each in limits]
    block = Block(arg_types=[TensorType(f32, x.shape)])
    fake = qnn.FakeQuantizeOp.of(
        block.args[0], *(each.result for each in constants), levels=IntegerAttr(2, 64)
    )
    block.add_ops([*constants, fake, func.ReturnOp(fake.results[0])])
    types = list(block.arg_types), [fake.results[0].type]
    module = ModuleOp([func.FuncOp("main", types, Region(block))])
    (wanted,) = Executor(module).run([x])
    np.testing.assert_array_equal(
        wanted[0], np.where(np.isnan(x[0]), x[0], np.sign((x[0] > t) - 0.5))
    )
    program = lower(module, isa.name)
    found = ProgramExecutor(program).run([x])
    np.testing.assert_array_equal(found[0][0], wanted[0])
    np.testing.assert_array_equal(found[0][1:, 3:8], wanted[1:, 3:8])
    Scattered(program, isa).check([x], found)


@each_vector_isa
@pytest.mark.parametrize("are_known", [False, True])
@pytest.mark.parametrize("name", ["f4", "f8"])
def test_what_is_no_number_has_no_code(isa: Isa, are_known: bool, name: str):
    """
    It stays NaN, and becomes 0 in an integer type, whether intervals are constants or computed; numbers are quantized
    in their own type.
    """
    x = np.tile(np.array([np.nan, 0.3, np.inf, -np.inf, -5], name), 9)
    x[1::5] = np.random.default_rng(5).uniform(-1, 2, 9)
    limits = [np.array(each, name) for each in (-1, 2, 1, 200)]
    element = element_of(x.dtype)
    one = TensorType(element, [])
    block = Block(arg_types=[TensorType(element, x.shape), *([] if are_known else [one] * 4)])
    constants = [nn.ConstantOp(blob_of(each)) for each in limits if are_known]
    operands = [*block.args, *(each.result for each in constants)]
    fakes = [
        qnn.FakeQuantizeOp.of(*operands, levels=IntegerAttr(200, 64), **to)
        for to in ({}, {"output_type": IntegerType(8, Signedness.UNSIGNED)})
    ]
    results = [each.results[0] for each in fakes]
    block.add_ops([*constants, *fakes, func.ReturnOp(*results)])
    types = list(block.arg_types), [result.type for result in results]
    module = ModuleOp([func.FuncOp("main", types, Region(block))])
    given = [x] if are_known else [x, *limits]
    with np.errstate(invalid="ignore"):
        wanted = Executor(module).run(given)
    assert np.isnan(wanted[0][::5]).all()
    assert not wanted[1][::5].any()
    program = lower(module, isa.name)
    found = ProgramExecutor(program).run(given)
    np.testing.assert_allclose(found[0], wanted[0], TOLERANCE[name])
    np.testing.assert_array_equal(found[1], wanted[1])
    Scattered(program, isa).check(given, found)


@each_vector_isa
@pytest.mark.parametrize("name", ["f4", "f8"])
def test_steps_from_zero_are_of_the_type(isa: Isa, name: str):
    """A step of 0.1 is another one in f32 and in f64."""
    x = np.linspace(-0.4, 0.9, 64).astype(name)
    type = TensorType(element_of(x.dtype), x.shape)
    block = Block(arg_types=[type])
    ends = [nn.ConstantOp(blob_of(np.array(each, name))) for each in (-0.3, 0.7)]
    limits = [each.result for each in ends] * 2
    fake = qnn.FakeQuantizeOp.of(
        block.args[0], *limits, levels=IntegerAttr(11, 64), from_zero=UnitAttr()
    )
    block.add_ops([*ends, fake, func.ReturnOp(fake.results[0])])
    module = ModuleOp([func.FuncOp("main", ([type], [type]), Region(block))])
    (wanted,) = Executor(module).run([x])
    (found,) = ProgramExecutor(lower(module, isa.name)).run([x])
    np.testing.assert_allclose(found, wanted, 0, TOLERANCE[name])
