"""Rows of indices and points, where only the run can tell how many there are, or how much they read."""

import numpy as np
import pytest
from numpy.testing import assert_allclose

import lowstream
from lowstream.interop.model import Model
from lowstream.reference.executor import Executor
from lowstream.test.unit.runtime.runtime_models import module

START = """
  %0 = nn.constant dense<0> : tensor<1xi64>
  %1 = nn.constant dense<1> : tensor<1xi64>
  %s = nn.slice %x, %0, %n, %1, %0
      : (tensor<4x3xf32>, tensor<1xi64>, tensor<1xi64>, tensor<1xi64>, tensor<1xi64>) -> tensor<?x3xf32>
"""
"""The first n of 4 rows."""

LOOK_UP = f"""
func.func @main(%x: tensor<4x3xf32>, %n: tensor<1xi64>, %i: tensor<2x1xi64>, %ij: tensor<2x2xi64>)
    -> (tensor<2x3xf32>, tensor<2xf32>) {{{START}
  %rows = nn.gather_nd %s, %i : (tensor<?x3xf32>, tensor<2x1xi64>) -> tensor<2x3xf32>
  %elements = nn.gather_nd %s, %ij : (tensor<?x3xf32>, tensor<2x2xi64>) -> tensor<2xf32>
  func.return %rows, %elements : tensor<2x3xf32>, tensor<2xf32>
}}
"""

SCATTER = f"""
func.func @main(%x: tensor<4x3xf32>, %n: tensor<1xi64>, %i: tensor<2x1xi64>, %ij: tensor<2x2xi64>)
    -> (tensor<?x3xf32>, tensor<5x3xf32>) {{{START}
  %two = nn.constant dense<[[7.0, 8.0, 9.0], [1.0, 2.0, 3.0]]> : tensor<2x3xf32>
  %into = nn.scatter_nd_update %s, %i, %two
      : (tensor<?x3xf32>, tensor<2x1xi64>, tensor<2x3xf32>) -> tensor<?x3xf32>
  %places = nn.constant dense<[[3], [0], [-1], [1]]> : tensor<4x1xi64>
  %some = nn.slice %places, %0, %n, %1, %0
      : (tensor<4x1xi64>, tensor<1xi64>, tensor<1xi64>, tensor<1xi64>, tensor<1xi64>) -> tensor<?x1xi64>
  %zeros = nn.constant dense<0.0> : tensor<5x3xf32>
  %from = nn.scatter_nd_update %zeros, %some, %s
      : (tensor<5x3xf32>, tensor<?x1xi64>, tensor<?x3xf32>) -> tensor<5x3xf32>
  func.return %into, %from : tensor<?x3xf32>, tensor<5x3xf32>
}}
"""


@pytest.mark.parametrize("text", [LOOK_UP, SCATTER], ids=["gather_nd", "scatter_nd_update"])
def test_rows_of_indices_count_from_what_is_there(text: str):
    compiled, reference = lowstream.compile_model(Model(module(text))), Executor(module(text))
    x = np.random.default_rng(0).uniform(1, 2, (4, 3)).astype(np.float32)
    for n in (1, 2, 4):
        for row in (-n, -1, 0, n - 1):
            inputs = [x, np.array([n]), np.array([[0], [row]]), np.array([[0, -3], [row, 2]])]
            for have, want in zip(compiled(inputs).values(), reference.run(inputs), strict=True):
                assert_allclose(have, want)


POINTS = """
func.func @main(%x: tensor<1x2x4x3xf32>, %p: tensor<1x1x5x2xf32>, %n: tensor<1xi64>) -> tensor<1x2x1x?xf32> {
  %0 = nn.constant dense<0> : tensor<1xi64>
  %1 = nn.constant dense<1> : tensor<1xi64>
  %2 = nn.constant dense<2> : tensor<1xi64>
  %s = nn.slice %p, %0, %n, %1, %2
      : (tensor<1x1x5x2xf32>, tensor<1xi64>, tensor<1xi64>, tensor<1xi64>, tensor<1xi64>) -> tensor<1x1x?x2xf32>
  %y = nn.grid_sample %x, %s : (tensor<1x2x4x3xf32>, tensor<1x1x?x2xf32>) -> tensor<1x2x1x?xf32>
  func.return %y : tensor<1x2x1x?xf32>
}
"""


def test_an_image_is_read_at_as_many_points_as_there_are():
    compiled, reference = lowstream.compile_model(Model(module(POINTS))), Executor(module(POINTS))
    x, points = np.random.default_rng(1).uniform(-1, 1, (2, 1, 2, 4, 3)).astype(np.float32)
    points = points.ravel()[:10].reshape(1, 1, 5, 2)
    for n in (0, 1, 5):
        inputs = [x, points, np.array([n])]
        (want,) = reference.run(inputs)
        assert want.shape == (1, 2, 1, n)
        assert_allclose(compiled(inputs)[0], want, rtol=1e-5, atol=1e-6)
