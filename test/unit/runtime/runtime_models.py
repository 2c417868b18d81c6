"""Small models for the tests of the runtime, as text, and tensors of others."""

from typing import Any

import numpy as np
from xdsl.dialects.builtin import ModuleOp

from lowstream.dialects import context
from lowstream.interop.mlir import parse_module

SUMS = """
infra.variable @total : tensor<1x4xf32>
func.func @main(%x: tensor<1x4xf32> {nn.names = ["X", "alias"]})
    -> (tensor<1x4xf32> {nn.names = ["Y"]}, tensor<1x4xf32> {nn.names = ["twice"]}) {
  %start = nn.constant dense<[[0.0, 1.0, 2.0, 3.0]]> : tensor<1x4xf32>
  %t = infra.read_value @total, %start : tensor<1x4xf32> -> tensor<1x4xf32>
  %y = nn.add %x, %t : (tensor<1x4xf32>, tensor<1x4xf32>) -> tensor<1x4xf32>
  %z = nn.add %y, %y {nn.name = "doubled"} : (tensor<1x4xf32>, tensor<1x4xf32>) -> tensor<1x4xf32>
  infra.assign @total, %y : tensor<1x4xf32>
  func.return %y, %z : tensor<1x4xf32>, tensor<1x4xf32>
}
"""
"""A running sum that begins at 0, 1, 2, 3, and its double."""

START = [[0.0, 1.0, 2.0, 3.0]]

STARTS_FROM_INPUT = """
infra.variable @last : tensor<4xf32>
func.func @main(%x: tensor<4xf32> {nn.names = ["X"]}) -> (tensor<4xf32> {nn.names = ["Y"]}) {
  %half = nn.constant dense<0.5> : tensor<f32>
  %start = nn.multiply %x, %half : (tensor<4xf32>, tensor<f32>) -> tensor<4xf32>
  %t = infra.read_value @last, %start : tensor<4xf32> -> tensor<4xf32>
  %y = nn.add %x, %t : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
  infra.assign @last, %x : tensor<4xf32>
  func.return %y : tensor<4xf32>
}
"""
"""`Y = X + the former X`; before the first call that is half of X."""

TYPES = """
func.func @main(%a: tensor<3xi32> {nn.names = ["a"]}, %b: tensor<3xi32> {nn.names = ["b"]})
    -> (tensor<3xi32> {nn.names = ["sum"]}) {
  %y = nn.add %a, %b : (tensor<3xi32>, tensor<3xi32>) -> tensor<3xi32>
  func.return %y : tensor<3xi32>
}
"""

UNKNOWN = """
infra.variable @total : tensor<1xf32>
func.func @main(%x: tensor<?x2xf32> {nn.names = ["X"]}) -> (tensor<?x2xf32> {nn.names = ["Y"]}) {
  %zero = nn.constant dense<0.0> : tensor<1xf32>
  %one = nn.constant dense<1.0> : tensor<1xf32>
  %t = infra.read_value @total, %zero : tensor<1xf32> -> tensor<1xf32>
  %n = nn.add %t, %one : (tensor<1xf32>, tensor<1xf32>) -> tensor<1xf32>
  %y = nn.add %x, %n : (tensor<?x2xf32>, tensor<1xf32>) -> tensor<?x2xf32>
  infra.assign @total, %n : tensor<1xf32>
  func.return %y : tensor<?x2xf32>
}
"""
"""`Y = X + the number of calls`, for any number of rows."""

FIFO = """
infra.variable @fifo : tensor<?x2xf32>
func.func @main(%x: tensor<?x2xf32> {nn.names = ["X"]})
    -> (tensor<?x2xf32> {nn.names = ["all"]}, tensor<2x2xf32> {nn.names = ["Y"]}) {
  %none = nn.constant dense<0.0> : tensor<0x2xf32>
  %old = infra.read_value @fifo, %none : tensor<0x2xf32> -> tensor<?x2xf32>
  %all = nn.concat %old, %x {axis = 0 : i64} : (tensor<?x2xf32>, tensor<?x2xf32>) -> tensor<?x2xf32>
  %y = nn.mat_mul %all, %all {transpose_a = true}
      : (tensor<?x2xf32>, tensor<?x2xf32>) -> tensor<2x2xf32>
  %shape = nn.shape_of %all {output_type = i64} : tensor<?x2xf32> -> tensor<2xi64>
  %zero = nn.constant dense<[0]> : tensor<1xi64>
  %one = nn.constant dense<[1]> : tensor<1xi64>
  %four = nn.constant dense<[4]> : tensor<1xi64>
  %rows = nn.slice %shape, %zero, %one, %one, %zero
      : (tensor<2xi64>, tensor<1xi64>, tensor<1xi64>, tensor<1xi64>, tensor<1xi64>) -> tensor<1xi64>
  %more = nn.subtract %rows, %four : (tensor<1xi64>, tensor<1xi64>) -> tensor<1xi64>
  %first = nn.maximum %more, %zero : (tensor<1xi64>, tensor<1xi64>) -> tensor<1xi64>
  %last = nn.slice %all, %first, %rows, %one, %zero
      : (tensor<?x2xf32>, tensor<1xi64>, tensor<1xi64>, tensor<1xi64>, tensor<1xi64>) -> tensor<?x2xf32>
  infra.assign @fifo, %last : tensor<?x2xf32>
  func.return %all, %y : tensor<?x2xf32>, tensor<2x2xf32>
}
"""
"""The last four rows go before those of `X`; `Y` multiplies all of them with themselves."""

LOOP = """
infra.variable @total : tensor<1x4xf32>
func.func @main(%x: tensor<3x4xf32> {nn.names = ["X"]}) -> (tensor<1x4xf32> {nn.names = ["Y"]}) {
  %zero = nn.constant dense<0.0> : tensor<1x4xf32>
  %t = infra.read_value @total, %zero : tensor<1x4xf32> -> tensor<1x4xf32>
  %y = infra.tensor_iterator %x, %t
      inputs [#infra.sliced<axis = 0, start = 0, end = -1, stride = 1, part_size = 1>, #infra.merged<result = 0>]
      outputs [#infra.iteration<result = 0, iteration = -1>]
      body_names ["X_t", "T_t"] : (tensor<3x4xf32>, tensor<1x4xf32>) -> tensor<1x4xf32> {
  ^bb0(%xt: tensor<1x4xf32>, %tt: tensor<1x4xf32>):
    %next = nn.add %xt, %tt : (tensor<1x4xf32>, tensor<1x4xf32>) -> tensor<1x4xf32>
    infra.yield %next : tensor<1x4xf32>
  }
  infra.assign @total, %y : tensor<1x4xf32>
  func.return %y : tensor<1x4xf32>
}
"""
"""`Y` = the sum of all rows so far, in a loop."""

QUANTIZED = """
func.func @main(%x: tensor<1x16xf32> {nn.names = ["X"]}) -> (tensor<1x16xf32> {nn.names = ["Y"]}) {
  %low = nn.constant dense<-1.28> : tensor<f32>
  %high = nn.constant dense<1.27> : tensor<f32>
  %q = qnn.fake_quantize %x, %low, %high, %low, %high {nn.name = "fq", levels = 256 : i64}
      : (tensor<1x16xf32>, tensor<f32>, tensor<f32>, tensor<f32>, tensor<f32>) -> tensor<1x16xf32>
  %w = nn.constant dense<2> : tensor<16x16xi8>
  %c = nn.convert %w to f32 : tensor<16x16xi8> -> tensor<16x16xf32>
  %s = nn.constant dense<0.5> : tensor<16x1xf32>
  %d = nn.multiply %c, %s : (tensor<16x16xf32>, tensor<16x1xf32>) -> tensor<16x16xf32>
  %y = nn.mat_mul %q, %d {nn.name = "product", transpose_b = true}
      : (tensor<1x16xf32>, tensor<16x16xf32>) -> tensor<1x16xf32>
  %t = nn.tanh %y {nn.name = "activation"} : tensor<1x16xf32>
  func.return %t : tensor<1x16xf32>
}
"""


PRODUCTS = """
func.func @main(%x: tensor<4x16xf32> {nn.names = ["X"]}) -> (tensor<4x64xf32> {nn.names = ["Y"]}) {
  %low = nn.constant dense<-1.28> : tensor<f32>
  %high = nn.constant dense<1.27> : tensor<f32>
  %q = qnn.fake_quantize %x, %low, %high, %low, %high {levels = 256 : i64}
      : (tensor<4x16xf32>, tensor<f32>, tensor<f32>, tensor<f32>, tensor<f32>) -> tensor<4x16xf32>
  %w = nn.constant dense<2> : tensor<64x16xi8>
  %c = nn.convert %w to f32 : tensor<64x16xi8> -> tensor<64x16xf32>
  %s = nn.constant dense<0.5> : tensor<64x1xf32>
  %d = nn.multiply %c, %s : (tensor<64x16xf32>, tensor<64x1xf32>) -> tensor<64x16xf32>
  %y = nn.mat_mul %q, %d {transpose_b = true} : (tensor<4x16xf32>, tensor<64x16xf32>) -> tensor<4x64xf32>
  %t = nn.tanh %y : tensor<4x64xf32>
  %v = nn.constant dense<0.125> : tensor<64x64xf32>
  %z = nn.mat_mul %t, %v : (tensor<4x64xf32>, tensor<64x64xf32>) -> tensor<4x64xf32>
  %r = nn.mat_mul %z, %v : (tensor<4x64xf32>, tensor<64x64xf32>) -> tensor<4x64xf32>
  func.return %r : tensor<4x64xf32>
}
"""
"""A product of bytes, and one of floats twice."""


def module(text: str) -> ModuleOp:
    """The module of a text, verified."""
    parsed = parse_module(text, "test.mlir", context())
    parsed.verify()
    return parsed


class Exchanged:
    """A tensor of another library, as DLPack hands it over."""

    def __init__(self, array: np.ndarray):
        self._array = array

    def __dlpack__(self, **options: Any) -> Any:
        return self._array.__dlpack__(**options)

    def __dlpack_device__(self) -> Any:
        return self._array.__dlpack_device__()
