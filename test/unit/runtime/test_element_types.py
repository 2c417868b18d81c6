"""Elements that NumPy has only through ml_dtypes, and integers without sign, at all ends of a model."""

from __future__ import annotations

import sys
from typing import Any

import ml_dtypes
import numpy as np
import pytest
from numpy.testing import assert_array_equal
from xdsl.utils.exceptions import DiagnosticException

import lowstream
from lowstream.dialects.elements import EXTENDED
from lowstream.reference.executor import Executor
from lowstream.test.unit.runtime.runtime_models import module

Array = np.ndarray[Any, Any]

PASSES = """
infra.variable @s : tensor<{n}x{t}>
func.func @main(%x: tensor<{n}x{t}> {{nn.names = ["X"]}}) -> (tensor<{n}x{t}>, tensor<{n}x{t}>, tensor<{n}xf32>) {{
  %c = nn.constant dense<1> : tensor<{n}xi8>
  %k = nn.convert %c to {t} : tensor<{n}xi8> -> tensor<{n}x{t}>
  %r = infra.read_value @s, %k : tensor<{n}x{t}> -> tensor<{n}x{t}>
  infra.assign @s, %x : tensor<{n}x{t}>
  %wide = nn.convert %x to f32 : tensor<{n}x{t}> -> tensor<{n}xf32>
  func.return %x, %r, %wide : tensor<{n}x{t}>, tensor<{n}x{t}>, tensor<{n}xf32>
}}
"""


@pytest.mark.parametrize("name", EXTENDED)
def test_every_code_goes_through(name: str):
    """As an input, a state and an output, and to f32 as ml_dtypes has it; a constant is the state's first value."""
    element, dtype = EXTENDED[name], np.dtype(getattr(ml_dtypes, name))
    bits = {"bfloat16": 16, "float4_e2m1fn": 4}.get(name, 8)
    codes = np.arange(2**bits).astype(f"u{dtype.itemsize}").view(dtype)
    model = module(PASSES.format(t=element, n=codes.size))
    request = lowstream.compile_model(model).create_infer_request()
    (state,) = request.query_state()
    first = request.infer([codes])
    assert_array_equal(first[0].astype(np.float32), codes.astype(np.float32))
    assert first[0].dtype == first[1].dtype == state.state.dtype == dtype
    assert_array_equal(first[1].astype(np.float32), np.ones(codes.size))
    assert_array_equal(first[2], codes.astype(np.float32))
    assert_array_equal(request.infer([codes])[1].astype(np.float32), codes.astype(np.float32))
    (wanted, *_) = Executor(model).run([codes])
    assert_array_equal(wanted, codes.astype(np.float32))


def test_arrays_are_converted_where_nothing_is_lost():
    text = 'func.func @main(%x: tensor<2xT> {nn.names = ["X"]}) -> tensor<2xT> { func.return %x : tensor<2xT> }'
    requests = {
        element: lowstream.compile_model(module(text.replace("T", element))).create_infer_request()
        for element in ("bf16", "i4", "f32", "f8E4M3FN")
    }
    half = np.array([0.1, 3], ml_dtypes.bfloat16)
    assert_array_equal(requests["bf16"].infer([np.array([0.1, 3], np.float32)])[0], half)
    assert_array_equal(requests["bf16"].infer([np.array([-256, 256])])[0], [-256, 256])
    assert_array_equal(requests["f32"].infer([half])[0], half.astype(np.float32))
    assert_array_equal(requests["i4"].infer([np.array([-8, 7])])[0].astype(int), [-8, 7])
    for element, wrong, reason in (
        ("bf16", np.array([257, 0]), "257 is outside -256 … 256"),
        ("i4", np.array([8, 0]), "8 is outside -8 … 7"),
        ("i4", half, "round and convert it yourself"),
        ("f8E4M3FN", np.array([0, 500.0]), "500.0 is too large for it"),
    ):
        with pytest.raises(DiagnosticException, match=reason):
            requests[element].infer([wrong])
    room = np.zeros(2, np.float32)
    request = requests["bf16"]
    request.set_tensor("X", half)
    request.set_tensor("output0", room)
    half[0] = 4
    request.infer()
    assert_array_equal(room, [4, 3])


def test_without_the_package(monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setitem(sys.modules, "ml_dtypes", None)
    text = (
        "func.func @main(%x: tensor<2xbf16>) -> tensor<2xbf16> { func.return %x : tensor<2xbf16> }"
    )
    with pytest.raises(
        DiagnosticException, match=r"^input 'input0' has elements of bfloat16, .* pip"
    ):
        lowstream.compile_model(module(text)).create_infer_request().infer([np.zeros(2)])


ORDERS = ("less", "less_equal", "greater", "greater_equal", "equal")
CHOICES = ("maximum", "minimum", "divide", "floor_mod", "mod", "power", "multiply", "subtract")


@pytest.mark.parametrize("bits", [32, 64])
def test_integers_without_sign(bits: int):
    """All bits count: in every order, quotient and remainder, in reductions, and as real numbers."""
    t, dtype = f"ui{bits}", np.dtype(f"u{bits // 8}")
    edges = np.array([0, 1, 2, 3, 7, 2 ** (bits - 1) - 1, 2 ** (bits - 1), 2**bits - 1], dtype)
    x, y = np.repeat(edges, 8).reshape(8, 8), np.tile(edges, 8).reshape(8, 8)
    lines, results = list[str](), list[str]()
    for name in (*ORDERS, *CHOICES):
        to = "i1" if name in ORDERS else t
        lines += [
            f"%{name} = nn.{name} %x, %y : (tensor<8x8x{t}>, tensor<8x8x{t}>) -> tensor<8x8x{to}>"
        ]
        results += [f"%{name} : tensor<8x8x{to}>"]
    for name in ("reduce_max", "reduce_min", *(["reduce_mean"] if bits < 64 else [])):
        lines += [
            f"%{name} = nn.{name} %x, %axis : (tensor<8x8x{t}>, tensor<1xi64>) -> tensor<8x{t}>"
        ]
        results += [f"%{name} : tensor<8x{t}>"]
    lines += [f"%sign = nn.sign %x : tensor<8x8x{t}>", f"%relu = nn.relu %x : tensor<8x8x{t}>"]
    lines += [f"%real = nn.convert %x to f64 : tensor<8x8x{t}> -> tensor<8x8xf64>"]
    results += [f"%sign : tensor<8x8x{t}>", f"%relu : tensor<8x8x{t}>", "%real : tensor<8x8xf64>"]
    names = ", ".join(result.split(" : ")[0] for result in results)
    types = ", ".join(result.split(" : ")[1] for result in results)
    model = module(
        f"func.func @main(%x: tensor<8x8x{t}>, %y: tensor<8x8x{t}>) -> ({types}) {{\n"
        "%axis = nn.constant dense<0> : tensor<1xi64>\n"
        + "\n".join(lines)
        + f"\nfunc.return {names} : {types}\n}}"
    )
    found = lowstream.compile_model(model).create_infer_request().infer([x, y])
    with np.errstate(divide="ignore"):
        meant = Executor(model).run([x, y])
    for name, have, want in zip(names.split(", "), found, meant, strict=True):
        assert have.dtype == want.dtype
        assert_array_equal(have, want, name)
    assert_array_equal(found[0], x < y)
    assert_array_equal(found[len(ORDERS)], np.maximum(x, y))
    assert_array_equal(found[len(ORDERS) + len(CHOICES)], x.max(0))


def test_half_the_bits_of_a_nan_are_one():
    """Also where the upper half of them is that of an infinity."""
    model = module(
        "func.func @main(%x: tensor<2xf32>) -> tensor<2xbf16> {"
        "  %y = nn.convert %x to bf16 : tensor<2xf32> -> tensor<2xbf16>"
        "  func.return %y : tensor<2xbf16> }"
    )
    x = np.array([0x7F800001, 0xFF800001], np.uint32).view(np.float32)
    assert np.isnan(lowstream.compile_model(model).create_infer_request().infer([x])[0]).all()


def test_conversions_between_all_of_them():
    """f32 to each and back is as ml_dtypes has it; machine and reference agree on every pair."""
    names = [*EXTENDED, "float16", "int8", "uint32", "float64"]
    element = {**EXTENDED, "float16": "f16", "int8": "i8", "uint32": "ui32", "float64": "f64"}
    numbers = [0, -0.0, 1, -1, 0.3, 2.5, 3.5, -7, -8, 7.9, 15, 16, 17, 240, 248, 448, 465, 6e4]
    numbers += [1e-3, 2e-7, 1e30, -9, 0.25, 0.75, 1.25, 5, 57344, 61439, 61441, np.inf, np.nan]
    numbers += [
        2.0**-127,
        1.25 * 2.0**-127,
        1.5 * 2.0**-127,
        1.75 * 2.0**-127,
    ]  # the least of f8E8M0FNU
    x = np.array([*numbers, -np.inf], np.float32)
    count, lines, results, types = x.size, list[str](), list[str](), list[str]()
    for i, one in enumerate(names):
        a = f"tensor<{count}x{element[one]}>"
        lines.append(f"%a{i} = nn.convert %x to {element[one]} : tensor<{count}xf32> -> {a}")
        for j, other in enumerate(names):
            if i == j:
                continue
            b = f"tensor<{count}x{element[other]}>"
            lines.append(f"%b{i}_{j} = nn.convert %a{i} to {element[other]} : {a} -> {b}")
            results.append(f"%b{i}_{j}")
            types.append(b)
        results.append(f"%a{i}")
        types.append(a)
    model = module(
        f"func.func @main(%x: tensor<{count}xf32>) -> ({', '.join(types)}) {{\n"
        + "\n".join(lines)
        + f"\nfunc.return {', '.join(results)} : {', '.join(types)}\n}}"
    )
    found = lowstream.compile_model(model).create_infer_request().infer([x])
    meant = Executor(model).run([x])
    for result, have, want in zip(results, found, meant, strict=True):
        wide = have if have.dtype == want.dtype else have.astype(want.dtype)
        assert_array_equal(wide, want, result)
    for i, name in enumerate(names):
        if not name.startswith(("float8_e4", "float8_e5", "bfloat")):
            continue
        with np.errstate(all="ignore"):
            wanted = x.astype(getattr(ml_dtypes, name)).astype(np.float32)
        assert_array_equal(found[results.index(f"%a{i}")].astype(np.float32), wanted)
