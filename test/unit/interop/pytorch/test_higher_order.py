"""Operators of programs of PyTorch that take functions."""

from importlib import import_module
from typing import Any

import pytest
import torch

from lowstream.test.unit.interop.pytorch.test_modules import Calls
from lowstream.test.unit.interop.pytorch.test_programs import assert_agrees

X = torch.linspace(-1, 1, 12).reshape(3, 4)
scan: Any = import_module("torch._higher_order_ops").scan
each_row: Any = import_module("torch._higher_order_ops.map").map
flexible: Any = import_module("torch.nn.attention.flex_attention")


def running(x: Any, w: Any) -> Any:
    """Two carries and two results of each step, the last of which comes first."""

    def step(carry: Any, row: Any) -> Any:
        following = carry[0] @ w + row
        return (following, carry[1] + 1), (following.clone(), row * carry[1])

    (last, count), rows = scan(step, (x[0], x.sum()), x, reverse=True)
    return last, count, *rows


def attention(x: Any) -> Any:
    """Scores are moved, and three keys at most are looked at; two heads share their keys and values."""
    query, rest = x.reshape(1, 4, 3, 1) * 8, x[:2].reshape(1, 2, 4, 1)
    mask = flexible.create_block_mask(lambda b, h, i, j: i + 1 >= j, None, None, 3, 4, device="cpu")
    return flexible.flex_attention(
        query, rest, rest + 1, lambda s, b, h, i, j: s + (i - j) * 0.5, mask, enable_gqa=True
    )


FUNCTIONS: dict[str, Any] = {
    "scan": (running, X, torch.eye(4) / 2),
    "map": (lambda x, y: each_row(lambda a, b: a.sin() + b, x, y), X, X[0] * 2),
    "attention": (attention, X),
}


@pytest.mark.parametrize("name", FUNCTIONS)
def test_what_takes_functions(name: str):
    function, *inputs = FUNCTIONS[name]
    with torch.no_grad():
        assert_agrees(Calls(function), *inputs)
