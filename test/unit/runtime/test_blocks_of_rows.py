"""A dynamic number of rows behind products and convolutions: as many as there are have the reference's values."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy.testing import assert_allclose

import lowstream
from lowstream.interop.model import Model
from lowstream.reference.executor import Executor
from lowstream.test.unit.runtime.runtime_models import module

REGIONS = """
func.func @main(%x: tensor<{rows}x4xf32>, %n: tensor<1xi64>, %image: tensor<1x8x9x9xf32>)
    -> (tensor<?x8x4x4xf32>, tensor<?x5xf32>, tensor<?x1xf32>) {{
  %0 = nn.constant dense<0> : tensor<1xi64>
  %1 = nn.constant dense<1> : tensor<1xi64>
  %image_of = nn.constant dense<0> : tensor<{rows}xi64>
  %filters = nn.constant dense<0.125> : tensor<8x8x3x3xf32>
  %shift = nn.constant dense<[[[[0.5]], [[1.0]], [[-1.0]], [[0.25]], [[0.0]], [[2.0]], [[-2.0]], [[0.1]]]]>
      : tensor<1x8x1x1xf32>
  %w = nn.constant dense<0.03125> : tensor<128x5xf32>
  %flat = nn.constant dense<[-1, 128]> : tensor<2xi64>
  %r = nn.slice %x, %0, %n, %1, %0
      : (tensor<{rows}x4xf32>, tensor<1xi64>, tensor<1xi64>, tensor<1xi64>, tensor<1xi64>) -> tensor<?x4xf32>
  %i = nn.slice %image_of, %0, %n, %1, %0
      : (tensor<{rows}xi64>, tensor<1xi64>, tensor<1xi64>, tensor<1xi64>, tensor<1xi64>) -> tensor<?xi64>
  %a = nn.roi_align %image, %r, %i {{aligned_mode = "asymmetric", mode = "avg",
       pooled_h = 4 : i64, pooled_w = 4 : i64, sampling_ratio = 2 : i64, spatial_scale = 1.0 : f64}}
      : (tensor<1x8x9x9xf32>, tensor<?x4xf32>, tensor<?xi64>) -> tensor<?x8x4x4xf32>
  %c = nn.convolution %a, %filters {{strides = array<i64: 1, 1>, dilations = array<i64: 1, 1>,
       pads_begin = array<i64: 1, 1>, pads_end = array<i64: 1, 1>, auto_pad = "explicit"}}
      : (tensor<?x8x4x4xf32>, tensor<8x8x3x3xf32>) -> tensor<?x8x4x4xf32>
  %s = nn.add %c, %shift : (tensor<?x8x4x4xf32>, tensor<1x8x1x1xf32>) -> tensor<?x8x4x4xf32>
  %y = nn.relu %s : tensor<?x8x4x4xf32>
  %f = nn.reshape %y, %flat : (tensor<?x8x4x4xf32>, tensor<2xi64>) -> tensor<?x128xf32>
  %p = nn.mat_mul %f, %w : (tensor<?x128xf32>, tensor<128x5xf32>) -> tensor<?x5xf32>
  %most = nn.reduce_max %p, %0 {{keep_dims = true}} : (tensor<?x5xf32>, tensor<1xi64>) -> tensor<1x5xf32>
  %d = nn.subtract %p, %most : (tensor<?x5xf32>, tensor<1x5xf32>) -> tensor<?x5xf32>
  %z = nn.reduce_sum %d, %1 {{keep_dims = true}} : (tensor<?x5xf32>, tensor<1xi64>) -> tensor<?x1xf32>
  func.return %y, %p, %z : tensor<?x8x4x4xf32>, tensor<?x5xf32>, tensor<?x1xf32>
}}
"""
"""The first n regions of an image, convolved and multiplied; what depends on all of them stands behind."""


@settings(max_examples=4)
@given(rows=st.sampled_from((17, 37, 40, 64)), threads=st.integers(1, 2))
def test_as_many_rows_as_there_are_are_computed(rows: int, threads: int):
    text = REGIONS.format(rows=rows)
    request = lowstream.compile_model(
        Model(module(text)), num_threads=threads
    ).create_infer_request()
    reference, random = Executor(module(text)), np.random.default_rng(rows)
    corners = np.sort(random.random((rows, 2, 2), np.float32) * 8, axis=1)
    image = random.standard_normal((1, 8, 9, 9), np.float32)
    for n in (rows, 0, 1, 16, 17, rows - 1):
        inputs = [corners.reshape(rows, 4), np.array([n]), image]
        if n == 0:
            assert [len(each) for each in request.infer(inputs)] == [0, 0, 0]
            continue
        for have, want in zip(request.infer(inputs), reference.run(inputs), strict=True):
            assert_allclose(have, want, rtol=1e-4, atol=1e-4)


SQUARE = """
func.func @main(%x: tensor<32x32xf32>, %n: tensor<1xi64>, %w: tensor<32x32xf32>, %v: tensor<32xf32>)
    -> tensor<{result}> {{
  %0 = nn.constant dense<0> : tensor<1xi64>
  %1 = nn.constant dense<1> : tensor<1xi64>
  %first = nn.constant dense<0> : tensor<i64>
  %turn = nn.constant dense<[1, 0]> : tensor<2xi64>
  %s = nn.slice %x, %0, %n, %1, %0
      : (tensor<32x32xf32>, tensor<1xi64>, tensor<1xi64>, tensor<1xi64>, tensor<1xi64>) -> tensor<?x32xf32>
  %p = nn.mat_mul %s, %w : (tensor<?x32xf32>, tensor<32x32xf32>) -> tensor<?x32xf32>
  %q = nn.mat_mul %w, %s {{transpose_b = true}} : (tensor<32x32xf32>, tensor<?x32xf32>) -> tensor<32x?xf32>
  {body}
  func.return %y : tensor<{result}>
}}
"""
"""A dynamic number of rows (`s`, `p`), and columns (`q`), at most as many as there are of the others."""

BODIES = {
    "a vector of columns": (
        "?x32xf32",
        "%y = nn.add %p, %v : (tensor<?x32xf32>, tensor<32xf32>) -> tensor<?x32xf32>",
    ),
    "turned columns": (
        "?x32xf32",
        """%t = nn.transpose %q, %turn : (tensor<32x?xf32>, tensor<2xi64>) -> tensor<?x32xf32>
  %y = nn.mat_mul %t, %w : (tensor<?x32xf32>, tensor<32x32xf32>) -> tensor<?x32xf32>""",
    ),
    "turned factor": (
        "?x32xf32",
        """%y = nn.mat_mul %q, %w {transpose_a = true}
      : (tensor<32x?xf32>, tensor<32x32xf32>) -> tensor<?x32xf32>""",
    ),
    "sums of columns": (
        "?x1xf32",
        """%r = nn.reduce_sum %q, %0 {keep_dims = false} : (tensor<32x?xf32>, tensor<1xi64>) -> tensor<?xf32>
  %shape = nn.constant dense<[-1, 1]> : tensor<2xi64>
  %t = nn.reshape %r, %shape : (tensor<?xf32>, tensor<2xi64>) -> tensor<?x1xf32>
  %one = nn.constant dense<2.0> : tensor<1x1xf32>
  %y = nn.mat_mul %t, %one : (tensor<?x1xf32>, tensor<1x1xf32>) -> tensor<?x1xf32>""",
    ),
    "a product for each row": (
        "?x4x4xf32",
        """%flat = nn.constant dense<[-1, 4, 8]> : tensor<3xi64>
  %a = nn.reshape %p, %flat : (tensor<?x32xf32>, tensor<3xi64>) -> tensor<?x4x8xf32>
  %y = nn.mat_mul %a, %a {transpose_b = true} : (tensor<?x4x8xf32>, tensor<?x4x8xf32>) -> tensor<?x4x4xf32>""",
    ),
    "rows taken apart": (
        "?x4xf32",
        """%halves = nn.constant dense<[-1, 16]> : tensor<2xi64>
  %a = nn.reshape %p, %halves : (tensor<?x32xf32>, tensor<2xi64>) -> tensor<?x16xf32>
  %f = nn.constant dense<0.5> : tensor<16x4xf32>
  %y = nn.mat_mul %a, %f : (tensor<?x16xf32>, tensor<16x4xf32>) -> tensor<?x4xf32>""",
    ),
    "all rows for each": (
        "?x32xf32",
        """%h = nn.tanh %s : tensor<?x32xf32>
  %a = nn.mat_mul %p, %s {transpose_b = true} : (tensor<?x32xf32>, tensor<?x32xf32>) -> tensor<?x?xf32>
  %y = nn.mat_mul %a, %h : (tensor<?x?xf32>, tensor<?x32xf32>) -> tensor<?x32xf32>""",
    ),
    "two numbers of rows": (
        "?x32xf32",
        """%m = nn.add %n, %1 : (tensor<1xi64>, tensor<1xi64>) -> tensor<1xi64>
  %u = nn.slice %x, %0, %m, %1, %0
      : (tensor<32x32xf32>, tensor<1xi64>, tensor<1xi64>, tensor<1xi64>, tensor<1xi64>) -> tensor<?x32xf32>
  %z = nn.mat_mul %u, %w : (tensor<?x32xf32>, tensor<32x32xf32>) -> tensor<?x32xf32>
  %y = nn.concat %p, %z {axis = 0 : i64} : (tensor<?x32xf32>, tensor<?x32xf32>) -> tensor<?x32xf32>""",
    ),
    "rows of what stands behind": (
        "?x32xf32",
        """%t = nn.transpose %q, %turn : (tensor<32x?xf32>, tensor<2xi64>) -> tensor<?x32xf32>
  %h = nn.tanh %t : tensor<?x32xf32>
  %y = nn.multiply %p, %h : (tensor<?x32xf32>, tensor<?x32xf32>) -> tensor<?x32xf32>""",
    ),
}
"""By what is read, whose place in a row only the operation tells: all sizes are the same."""


@pytest.mark.parametrize("name", BODIES)
def test_rows_are_those_that_operations_have(name: str):
    result, body = BODIES[name]
    text = SQUARE.format(result=result, body=body)
    request = lowstream.compile_model(Model(module(text))).create_infer_request()
    reference, random = Executor(module(text)), np.random.default_rng(1)
    x, w, v = (random.standard_normal(shape, np.float32) for shape in ((32, 32), (32, 32), 32))
    for n in (1, 16, 17, 31):
        inputs = [x, np.array([n]), w, v]
        wanted = reference.run(inputs)[0]
        assert_allclose(request.infer(inputs)[0], wanted, rtol=1e-3, atol=1e-3)
