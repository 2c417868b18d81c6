"""Kernels that look up, move, sort, scatter and sum take every element type: one program of all of them for each."""

import numpy as np
import pytest
from numpy.testing import assert_array_equal

from lowstream import compile_model
from lowstream.interop.model import Model
from lowstream.reference.executor import Executor
from lowstream.test.unit.runtime.runtime_models import module

TEXT = """
func.func @main(%x: tensor<3x4xTYPE>, %u: tensor<3x2xTYPE>, %i: tensor<3x2xi64>)
    -> (tensor<3x4xTYPE>, tensor<3x2xTYPE>, tensor<4x3xTYPE>, tensor<3x6xTYPE>, tensor<3x3xTYPE>, tensor<3x3xi64>,
        tensor<3x4xTYPE>) {
  %axis = nn.constant dense<1> : tensor<i64>
  %order = nn.constant dense<[1, 0]> : tensor<2xi64>
  %k = nn.constant dense<3> : tensor<i64>
  %put = nn.scatter_elements_update %x, %i, %u, %axis {reduction = "max", use_init_val = true}
      : (tensor<3x4xTYPE>, tensor<3x2xi64>, tensor<3x2xTYPE>, tensor<i64>) -> tensor<3x4xTYPE>
  %found = nn.gather_elements %x, %i {axis = 1 : i64} : (tensor<3x4xTYPE>, tensor<3x2xi64>) -> tensor<3x2xTYPE>
  %transposed = nn.transpose %x, %order : (tensor<3x4xTYPE>, tensor<2xi64>) -> tensor<4x3xTYPE>
  %joined = nn.concat %x, %u {axis = 1 : i64} : (tensor<3x4xTYPE>, tensor<3x2xTYPE>) -> tensor<3x6xTYPE>
  %best, %at = nn.top_k %x, %k {axis = 1 : i64, mode = "max", sort = "value", index_element_type = i64}
      : (tensor<3x4xTYPE>, tensor<i64>) -> (tensor<3x3xTYPE>, tensor<3x3xi64>)
  %sums = nn.cum_sum %x, %axis : tensor<3x4xTYPE>, tensor<i64>
  func.return %put, %found, %transposed, %joined, %best, %at, %sums
      : tensor<3x4xTYPE>, tensor<3x2xTYPE>, tensor<4x3xTYPE>, tensor<3x6xTYPE>, tensor<3x3xTYPE>, tensor<3x3xi64>,
        tensor<3x4xTYPE>
}
"""


LEAST = """
func.func @main(%x: tensor<2x3xTYPE>, %i: tensor<2xi64>)
    -> (tensor<2xTYPE>, tensor<2xTYPE>, tensor<2x3xTYPE>, tensor<3x3xTYPE>) {
  %axis = nn.constant dense<1> : tensor<1xi64>
  %most = nn.reduce_max %x, %axis {keep_dims = false} : (tensor<2x3xTYPE>, tensor<1xi64>) -> tensor<2xTYPE>
  %least = nn.reduce_min %x, %axis {keep_dims = false} : (tensor<2x3xTYPE>, tensor<1xi64>) -> tensor<2xTYPE>
  %both = nn.maximum %x, %x : (tensor<2x3xTYPE>, tensor<2x3xTYPE>) -> tensor<2x3xTYPE>
  %count = nn.constant dense<3> : tensor<i64>
  %rows = nn.segment_max %x, %i, %count {fill_mode = "zero"}
      : (tensor<2x3xTYPE>, tensor<2xi64>, tensor<i64>) -> tensor<3x3xTYPE>
  func.return %most, %least, %both, %rows : tensor<2xTYPE>, tensor<2xTYPE>, tensor<2x3xTYPE>, tensor<3x3xTYPE>
}
"""
"""What begins with the least or the greatest number of a type, which is no infinity in some."""


@pytest.mark.parametrize("type", ["f8E4M3FN", "f4E2M1FN", "ui64"])
def test_the_least_number_of_a_type_is_one_of_its_own(type: str):
    read = module(LEAST.replace("TYPE", type))
    compiled = compile_model(Model(read))
    x = np.array([[1, 0, 1], [0, 0, 1]]).astype(compiled.inputs[0].dtype)
    inputs = [x, np.array([1, 1])]
    for have, want in zip(compiled(inputs).values(), Executor(read).run(inputs), strict=True):
        assert_array_equal(have, want)


@pytest.mark.parametrize("type", ["ui32", "ui64", "i4", "ui4", "bf16", "f8E4M3FN", "f8E5M2"])
def test_kernels_take_every_element_type(type: str):
    read = module(TEXT.replace("TYPE", type))
    compiled = compile_model(Model(read))
    random = np.random.default_rng(2)
    largest = {"ui32": 2**32 - 1, "ui64": 2**64 - 1}.get(type, 7)
    x, u = (random.integers(0, largest, (3, n), np.uint64, endpoint=True) for n in (4, 2))
    dtypes = [port.dtype for port in compiled.inputs]
    i = np.array([[0, 2], [3, 1], [-1, 0]])
    inputs = [each.astype(dtype) for each, dtype in zip((x, u, i), dtypes, strict=True)]
    wanted = Executor(read).run(inputs)
    for have, want in zip(compiled(inputs).values(), wanted, strict=True):
        assert_array_equal(have.astype(want.dtype), want)


BY_INDEX = """
func.func @main(%on: tensor<TYPE>, %off: tensor<TYPE>, %i: tensor<4xi64>) -> tensor<4x3xTYPE> {
  %depth = nn.constant dense<3> : tensor<i64>
  %y = nn.one_hot %i, %depth, %on, %off {axis = -1 : i64, negative_indices_mode = "normalize"}
      : (tensor<4xi64>, tensor<i64>, tensor<TYPE>, tensor<TYPE>) -> tensor<4x3xTYPE>
  func.return %y : tensor<4x3xTYPE>
}
"""


@pytest.mark.parametrize("type", ["ui32", "ui64", "i64", "f32"])
def test_indices_have_signs_where_values_have_none(type: str):
    read = module(BY_INDEX.replace("TYPE", type))
    compiled = compile_model(Model(read))
    dtype = compiled.inputs[0].dtype
    inputs = [np.array(7, dtype), np.array(2, dtype), np.array([-1, 0, -3, 2])]
    assert_array_equal(compiled(inputs)[0], Executor(read).run(inputs)[0])


DIFFERENCE = """
func.func @main(%x: tensor<4xi1>, %i: tensor<3x1xi64>, %u: tensor<3xi1>) -> tensor<4xi1> {
  %y = nn.scatter_nd_update %x, %i, %u {reduction = "sub"}
      : (tensor<4xi1>, tensor<3x1xi64>, tensor<3xi1>) -> tensor<4xi1>
  func.return %y : tensor<4xi1>
}
"""


def test_a_difference_of_booleans_is_whether_they_differ():
    read = module(DIFFERENCE)
    inputs = [np.array([True, False, True, False]), np.array([[0], [2], [3]]), np.ones(3, np.bool_)]
    wanted = [False, False, False, True]
    assert_array_equal(Executor(read).run(inputs)[0], wanted)
    assert_array_equal(compile_model(Model(read))(inputs)[0], wanted)


PRODUCT = """
func.func @main(%x: tensor<2x3xTYPE>, %y: tensor<3x2xTYPE>) -> tensor<2x2xTYPE> {
  %z = nn.mat_mul %x, %y : (tensor<2x3xTYPE>, tensor<3x2xTYPE>) -> tensor<2x2xTYPE>
  func.return %z : tensor<2x2xTYPE>
}
"""


@pytest.mark.parametrize("type", ["i16", "ui16", "i32", "ui32", "i64"])
def test_products_of_integers_wrap_around(type: str):
    read = module(PRODUCT.replace("TYPE", type))
    compiled = compile_model(Model(read))
    dtype = compiled.inputs[0].dtype
    most = min(int(np.iinfo(dtype).max), 2**40)
    x = np.array([[1, 2, 3], [5, 0, 7]], dtype)
    y = np.array([[most, most - 1], [5, most], [most, 9]], dtype)
    (have,) = compiled([x, y]).values()
    assert_array_equal(have, Executor(read).run([x, y])[0])
    assert_array_equal(have, x @ y)
