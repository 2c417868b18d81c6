"""Many elements once each: what is compared grows with their number, not with its square."""

from __future__ import annotations

import numpy as np

from lowstream import Model, compile_model
from lowstream.dialects import context
from lowstream.interop.mlir import parse_module

COUNT = 30_000


def test_many_elements():
    """A table of all pairs would be over the limit of bytes."""
    x, some = f"tensor<{COUNT}xi32>", "tensor<?xi64>"
    results = f"tensor<?xi32>, {some}, tensor<{COUNT}xi64>, {some}"
    text = f"""func.func @main(%x: {x}) -> ({results}) {{
      %values, %first, %inverse, %counts = nn.unique %x : ({x}) -> ({results})
      func.return %values, %first, %inverse, %counts : {results}
    }}"""
    request = compile_model(Model(parse_module(text, "u.mlir", context()))).create_infer_request()
    numbers = np.random.default_rng(0).integers(0, 1000, COUNT, np.int32)
    found = request.infer([numbers])
    wanted = np.unique(numbers, return_index=True, return_inverse=True, return_counts=True)
    for index, expected in enumerate(wanted):
        np.testing.assert_array_equal(found[index], expected)
