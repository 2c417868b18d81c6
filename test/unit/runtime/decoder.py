"""A decoder whose caches are inputs and results, and what its calls are compared with."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.testing import assert_allclose, assert_array_equal

import lowstream

WIDTH = 4

DECODER = """
func.func @main(%x: tensor<?x?x4xf32> {nn.names = ["x"]}, %keys: tensor<?x?x4xf32> {nn.names = ["keys"]},
    %values: tensor<?x?x4xf32> {nn.names = ["values"]})
    -> (tensor<?x?x4xf32> {nn.names = ["y"]}, tensor<?x?x4xf32> {nn.names = ["all keys"]},
        tensor<?x?x4xf32> {nn.names = ["all values"]}) {
  %k = nn.concat %keys, %x {axis = 1 : i64} : (tensor<?x?x4xf32>, tensor<?x?x4xf32>) -> tensor<?x?x4xf32>
  %twice = nn.add %x, %x : (tensor<?x?x4xf32>, tensor<?x?x4xf32>) -> tensor<?x?x4xf32>
  %v = nn.concat %values, %twice {axis = 1 : i64} : (tensor<?x?x4xf32>, tensor<?x?x4xf32>) -> tensor<?x?x4xf32>
  %scores = nn.mat_mul %x, %k {transpose_b = true} : (tensor<?x?x4xf32>, tensor<?x?x4xf32>) -> tensor<?x?x?xf32>
  %weights = nn.softmax %scores {axis = 2 : i64} : tensor<?x?x?xf32>
  %y = nn.mat_mul %weights, %v : (tensor<?x?x?xf32>, tensor<?x?x4xf32>) -> tensor<?x?x4xf32>
  func.return %y, %k, %v : tensor<?x?x4xf32>, tensor<?x?x4xf32>, tensor<?x?x4xf32>
}
"""

Array = Any
Caches = tuple[Array, Array]


def numbers(*shape: int) -> Array:
    return np.random.default_rng(sum(shape)).standard_normal(shape, np.float32)


def expected(x: Array, keys: Array, values: Array) -> list[Array]:
    keys, values = np.concatenate([keys, x], 1), np.concatenate([values, 2 * x], 1)
    scores = x.astype(np.float64) @ keys.transpose(0, 2, 1)
    weights = np.exp(scores - scores.max(-1, keepdims=True))
    return [weights / weights.sum(-1, keepdims=True) @ values, keys, values]


class Stepped:
    """A request whose calls are each compared with NumPy; what a call gave without sharing is to stay."""

    def __init__(self, compiled: lowstream.CompiledModel, batch: int = 1, begun: bool = True):
        self.request, self.batch, self.count = compiled.create_infer_request(), batch, 0
        self.kept: list[tuple[Array, Array]] = []
        self.caches: Caches = numbers(batch, 2, WIDTH), numbers(batch, 2, WIDTH) + 1
        for _ in range(4 * begun):
            self.step(self.caches)

    def step(
        self,
        caches: Caches | None,
        share_inputs: bool = False,
        share_outputs: bool = False,
        is_async: bool = False,
        tokens: int = 1,
    ) -> None:
        """A call with these caches; without, with those of the call before."""
        self.count += 1
        x = numbers(self.batch, tokens, WIDTH) + self.count
        if caches is not None:
            self.given = caches[0].copy(), caches[1].copy()
        own = caches is not None and is_async and not share_inputs and caches[0].base is None
        wanted = expected(x, *self.given)
        arrays = {"x": x}
        if caches is not None:
            keys, values = caches
            arrays |= {
                "keys": keys.copy() if own else keys,
                "values": values.copy() if own else values,
            }
        if is_async:
            self.request.start_async(arrays, share_inputs=share_inputs)
            for array in arrays.values() if own else ():
                array[...] = np.nan
            self.request.wait()
            results = self.request.results
        else:
            results = self.request.infer(arrays, share_inputs, share_outputs)
        for result, each in zip(results, wanted, strict=True):
            assert result.shape == each.shape
            assert_allclose(result, each, rtol=1e-5, atol=1e-5)
        if not share_outputs:
            self.kept += [(result, result.copy()) for result in results]
        self.caches = results["all keys"], results["all values"]

    def check_kept(self) -> None:
        for result, copy in self.kept:
            assert_array_equal(result, copy)
