"""What LiteRT computes otherwise than a model says it: bits, the error function, and results of computed sizes."""

import numpy as np
import pytest

from lowstream.interop.tflite import tflite_module
from lowstream.reference.executor import Executor
from lowstream.test.unit.interop.tflite.interpreter import LiteRt
from lowstream.test.unit.interop.tflite.test_recurrent import parsed

EDGES = [0, 1, -1, 2**31 - 1, -(2**31), 0x55555555, -0x55555556, 65536]


@pytest.mark.parametrize("kind", ["i32", "i8", "ui8", "i1"])
def test_bits(kind: str):
    count = len(EDGES)
    a, b = (each.reshape(-1) for each in np.meshgrid(EDGES, EDGES))
    dtype = {"i32": np.int32, "i8": np.int8, "ui8": np.uint8, "i1": np.bool_}[kind]
    type = f"tensor<{count**2}x{kind}>"
    module = parsed(f"""
    func.func @main(%a: {type}, %b: {type}) -> ({type}, {type}) {{
      %y = nn.bitwise_and %a, %b : ({type}, {type}) -> {type}
      %z = nn.bitwise_or %a, %b : ({type}, {type}) -> {type}
      func.return %y, %z : {type}, {type}
    }}""")
    inputs = [each.astype(dtype) for each in (a, b)]
    found = LiteRt(module).run(inputs)
    np.testing.assert_array_equal(found[0], inputs[0] & inputs[1])
    np.testing.assert_array_equal(found[1], inputs[0] | inputs[1])


@pytest.mark.parametrize("kind", ["i32", "i8", "ui16"])
def test_shifts_to_the_left(kind: str):
    type = f"tensor<6x{kind}>"
    module = parsed(f"""
    func.func @main(%a: {type}, %b: {type}) -> {type} {{
      %y = nn.bitwise_left_shift %a, %b : ({type}, {type}) -> {type}
      func.return %y : {type}
    }}""")
    dtype = {"i32": np.int32, "i8": np.int8, "ui16": np.uint16}[kind]
    numbers = np.array([[1, -2, 3, 4, 5, 5], [0, 3, 7, 31, 40, -1]]).astype(dtype)
    np.testing.assert_array_equal(
        LiteRt(module).run([*numbers])[0], Executor(module).run([*numbers])[0]
    )


def test_the_error_function():
    module = parsed("""
    func.func @main(%x: tensor<9xf32>) -> tensor<9xf32> {
      %y = nn.erf %x : tensor<9xf32>
      func.return %y : tensor<9xf32>
    }""")
    x = np.array([0, 1e-20, -1e-3, 0.5, -1, 2, 3.7, -4, 50], np.float32)
    (expected,) = Executor(module).run([x])
    np.testing.assert_allclose(LiteRt(module).run([x])[0], expected, rtol=1e-6)


def test_results_of_computed_sizes():
    module = parsed("""
    func.func @main(%x: tensor<2x3xi32>) -> (tensor<2x?xi64>, tensor<?xi32>, tensor<6xi64>) {
      %n = nn.non_zero %x {output_type = i64} : tensor<2x3xi32> -> tensor<2x?xi64>
      %u, %first, %i, %counts = nn.unique %x
          {sorted = false, index_element_type = i64, count_element_type = i64}
          : (tensor<2x3xi32>) -> (tensor<?xi32>, tensor<?xi64>, tensor<6xi64>, tensor<?xi64>)
      func.return %n, %u, %i : tensor<2x?xi64>, tensor<?xi32>, tensor<6xi64>
    }""")
    x = np.array([[0, 7, 3], [7, 0, -1]], np.int32)
    expected = Executor(module).run([x])
    model = LiteRt(module)
    assert {"WHERE", "UNIQUE"} < {*model.operators}
    for found in (model.run([x]), Executor(tflite_module(model.data)).run([x])):
        for ours, reference in zip(found, expected, strict=True):
            np.testing.assert_array_equal(ours, reference)
