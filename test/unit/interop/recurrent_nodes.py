"""Recurrent operations of OpenVINO, as functions of an input [2, 4]."""

from collections.abc import Callable
from typing import Any

import numpy as np
import openvino.opset15 as opset

from lowstream.test.unit.interop.nodes import AXES, constant, noise

H, C = constant(noise(2, 3, seed=4)), constant(noise(2, 3, seed=5))
"""States of a cell, [2, 3]."""


def cell(
    build: Callable[..., Any], gates: int, bias: int, *states: Any, **attributes: Any
) -> Callable[[Any], Any]:
    """A cell over x [2, 4] with hidden size 3."""
    weights = [noise(gates * 3, 4, seed=1), noise(gates * 3, 3, seed=2), noise(bias * 3, seed=3)]
    return lambda x: build(x, *states, *map(constant, weights), 3, **attributes)


def sequence(
    build: Callable[..., Any], gates: int, states: int, directions: int = 1, **attributes: Any
) -> Callable[[Any], Any]:
    """A sequence of 3 steps over x [2, 4]; the second batch entry ends after 2."""

    def over(x: Any) -> Any:
        steps = opset.multiply(opset.unsqueeze(x, constant([1], AXES)), constant(noise(3, 1)))
        initial = [constant(noise(2, directions, 3, seed=seed)) for seed in range(states)]
        shapes = ((directions, gates * 3, 4), (directions, gates * 3, 3), (directions, gates * 3))
        weights = [constant(noise(*shape, seed=i)) for i, shape in enumerate(shapes)]
        return build(steps, *initial, constant([3, 2], np.int32), *weights, 3, **attributes)

    return over
