"""LSTMs of PyTorch with projections, as loops: OpenVINO's front end does not know such layers."""

from __future__ import annotations

from collections.abc import Generator
from contextlib import contextmanager
from functools import partial
from importlib import import_module
from typing import Any

_STEPS = """
def steps(gates: Tensor, h: Tensor, c: Tensor, recurrent: Tensor, projection: Tensor):
    out = torch.zeros((gates.shape[0], gates.shape[1], h.shape[1]))
    for t in range(gates.shape[0]):
        i, f, g, o = torch.chunk(gates[t] + torch.matmul(h, recurrent.t()), 4, 1)
        c = torch.sigmoid(f) * c + torch.sigmoid(i) * torch.tanh(g)
        h = torch.matmul(torch.sigmoid(o) * torch.tanh(c), projection.t())
        out[t] = h
    return out, h, c
"""
"""In TorchScript, which a trace keeps as a loop; `gates` is what the inputs add to them."""


@contextmanager
def projections_as_loops(model: Any) -> Generator[None]:
    """While a model of PyTorch is traced, each of its LSTMs with projections is a loop over the steps."""
    torch: Any = import_module("torch")
    layers = [
        layer
        for layer in model.modules()
        if isinstance(layer, torch.nn.LSTM) and layer.proj_size and "forward" not in vars(layer)
    ]
    steps = torch.jit.CompilationUnit(_STEPS).steps if layers else None
    for layer in layers:
        layer.forward = partial(_forward, torch, layer, steps, layer.forward)
    try:
        yield
    finally:
        for layer in layers:
            del layer.forward


def _forward(torch: Any, layer: Any, steps: Any, original: Any, x: Any, states: Any = None) -> Any:
    """What `torch.nn.LSTM.forward` gives for a batch of sequences; others are left to it."""
    if not isinstance(x, torch.Tensor) or x.dim() != 3:
        return original(x, states)
    x = x.transpose(0, 1) if layer.batch_first else x
    directions = ("", "_reverse") if layer.bidirectional else ("",)
    last_h, last_c = list[Any](), list[Any]()
    for number in range(layer.num_layers):
        parts = list[Any]()
        for direction in directions:
            weights = partial(_parameter, layer, f"_l{number}{direction}")
            gates = torch.matmul(x, weights("weight_ih").t())
            if layer.bias:
                gates = gates + weights("bias_ih") + weights("bias_hh")
            if states is None:
                h, c = (
                    torch.zeros(x.shape[1], size) for size in (layer.proj_size, layer.hidden_size)
                )
            else:
                h, c = (state[len(last_h)] for state in states)
            gates = gates.flip(0) if direction else gates
            y, h, c = steps(gates, h, c, weights("weight_hh"), weights("weight_hr"))
            parts.append(y.flip(0) if direction else y)
            last_h.append(h)
            last_c.append(c)
        x = torch.cat(parts, 2)
    x = x.transpose(0, 1) if layer.batch_first else x
    return x, (torch.stack(last_h), torch.stack(last_c))


def _parameter(layer: Any, suffix: str, name: str) -> Any:
    return getattr(layer, name + suffix)
