"""Buffers that modules of PyTorch change are states."""

from importlib import import_module
from typing import Any

import numpy as np
import pytest
import torch
from torch import nn
from xdsl.utils.exceptions import DiagnosticException

import lowstream


class Copied(nn.Module):
    """A simple layer whose buffer is written in its place."""

    def __init__(self):
        super().__init__()
        self.hidden = nn.Buffer(torch.arange(4.0).reshape(1, 4))
        self.linear = nn.Linear(4, 4)

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        self.hidden.copy_(torch.tanh(self.linear(x) + self.hidden))
        return self.hidden * 2


class Replaced(Copied):
    """A layer whose buffer becomes another tensor."""

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        self.hidden = torch.tanh(self.linear(x) + self.hidden)
        return self.hidden * 2


class Inside(nn.Module):
    """Layers with states of their own, and a counter."""

    def __init__(self):
        super().__init__()
        self.calls = nn.Buffer(torch.zeros((), dtype=torch.int64))
        self.layers = nn.Sequential(Copied(), Copied())

    def forward(self, x: torch.Tensor) -> tuple[torch.Tensor, torch.Tensor]:
        self.calls += 1
        return self.layers(x) * self.calls, self.calls + 1


@pytest.mark.parametrize("exported", [False, True])
@pytest.mark.parametrize("kind", [Copied, Replaced, Inside])
def test_buffers_that_a_call_changes(kind: type[nn.Module], exported: bool):
    network: Any = kind().eval()
    frames = torch.randn(3, 1, 4)
    before = {name: value.clone() for name, value in network.named_buffers()}
    if exported:
        model = lowstream.read_model(torch.export.export(network, (frames[0],)))
    else:
        model = lowstream.read_model(network, example_input=frames[0])
    for name, value in network.named_buffers():
        torch.testing.assert_close(value, before[name], msg="reading changes nothing")
    request = lowstream.compile_model(model).create_infer_request()
    assert {state.name for state in request.query_state()} == set(before)
    for frame in frames:
        results = request.infer([frame.numpy()])
        with torch.no_grad():
            wanted = network(frame)
        for number, want in enumerate(wanted if isinstance(wanted, tuple) else (wanted,)):
            np.testing.assert_allclose(results[number], want.numpy(), 1e-5, 1e-5)


class Summed(nn.Module):
    """All rows so far, summed up."""

    def __init__(self):
        super().__init__()
        self.total = nn.Buffer(torch.zeros(4))

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        self.total += x.sum(0)
        return self.total * 1


def test_programs_with_free_shapes_that_change_buffers():
    export: Any = import_module("torch.export")
    free = {"x": {0: export.Dim("batch", min=2, max=8)}}
    network, x = Summed().eval(), torch.arange(12.0).reshape(3, 4)
    program = export.export(network, (x,), dynamic_shapes=free)
    request = lowstream.compile_model(lowstream.read_model(program)).create_infer_request()
    for rows in (x, x[:2]):
        np.testing.assert_allclose(request.infer([rows.numpy()])[0], network(rows))


def test_programs_without_an_example_that_change_buffers_are_refused():
    program = import_module("torch.export").export(Summed().eval(), (torch.ones(3, 4),))
    program.example_inputs = None
    with pytest.raises(DiagnosticException, match=r"has no example_inputs, .* for its states"):
        lowstream.read_model(program)
