"""Inputs and results of modules and programs of PyTorch: their names, sizes and types."""

from dataclasses import dataclass
from typing import Any

import numpy as np
import pytest
import torch
from torch import nn
from xdsl.utils.exceptions import DiagnosticException

import lowstream
from lowstream.reference.executor import Executor
from lowstream.test.unit.interop.pytorch.test_modules import Calls

export: Any = torch.export
X = torch.linspace(-1, 1, 12).reshape(3, 4)
FREE = export.Dim.AUTO


@dataclass
class Scaled:
    """A container that PyTorch knows."""

    value: torch.Tensor
    factors: dict[str, torch.Tensor]


export.register_dataclass(Scaled, serialized_type_name="Scaled")


class Ports(nn.Module):
    """Inputs in between that may be missing, and what is no tensor."""

    def forward(
        self,
        x: torch.Tensor,
        mask: torch.Tensor | None = None,
        y: Any = None,
        scale: float = 1.0,
    ) -> torch.Tensor:
        assert mask is None
        assert y is not None
        return x * scale - y


def inputs_of(model: lowstream.Model) -> list[tuple[str, tuple[int, ...]]]:
    return [
        (port.any_name, tuple(-1 if each.is_dynamic else int(each) for each in port.partial_shape))
        for port in model.inputs
    ]


def results_of(model: lowstream.Model, *inputs: torch.Tensor) -> list[Any]:
    return Executor(model.module).run([x.numpy() for x in inputs])


def test_inputs_that_are_fixed_leave():
    network = Ports().eval()
    program = export.export(network, (X, None), {"y": X + 1, "scale": 2.0})
    traced = lowstream.read_model(network, example_input=(X, None, X + 1))
    for model, scale in ((lowstream.read_model(program), 2), (traced, 1)):
        assert inputs_of(model) == [("x", (3, 4)), ("y", (3, 4))]
        (result,) = results_of(model, X, X + 1)
        np.testing.assert_allclose(result, X * scale - X - 1, rtol=1e-6)


def test_weights_are_no_inputs():
    network = nn.Linear(4, 2).eval()
    model = lowstream.read_model(export.export(network, (X,)))
    assert inputs_of(model) == [("input", (3, 4))]
    np.testing.assert_allclose(results_of(model, X)[0], network(X).detach(), rtol=1e-5)


def test_a_tensor_that_is_given_twice_is_two_inputs():
    network = Calls(lambda x, y: torch.diff(x) - y[:, 1:]).eval()
    model = lowstream.read_model(network, example_input=(X, X))
    (result,) = results_of(model, X, X * 2)
    np.testing.assert_allclose(result, X.diff() - 2 * X[:, 1:], rtol=1e-6)


@pytest.mark.parametrize("exported", [False, True])
def test_containers(exported: bool):
    network = Calls(lambda x: x.value * x.factors["a"]).eval()
    example = Scaled(X, {"a": X + 1})
    given: Any = export.export(network, (example,)) if exported else network
    model = lowstream.read_model(given, example_input=None if exported else (example,))
    assert [shape for _, shape in inputs_of(model)] == [(3, 4)] * 2
    np.testing.assert_allclose(results_of(model, X, X + 1)[0], X * (X + 1), rtol=1e-6)


def test_sizes_that_a_program_leaves_free():
    class Numbered(nn.Module):
        def forward(self, x: torch.Tensor, number: int) -> torch.Tensor:
            return x[:, :2] * number

    shapes = ({0: export.Dim("rows", min=2, max=8)}, export.Dim.DYNAMIC)
    program = export.export(Numbered().eval(), (X, 3), dynamic_shapes=shapes)
    model = lowstream.read_model(program)
    assert inputs_of(model) == [("x", (-1, 4)), ("number", ())]
    (result,) = results_of(model, X[:2], torch.tensor(5))
    np.testing.assert_allclose(result, X[:2, :2] * 5, rtol=1e-6)


@pytest.mark.parametrize("same", [lambda y: y, torch.clone, torch.detach, lambda y: y.contiguous()])
def test_results_that_are_the_same(same: Any):
    def function(x: Any) -> tuple[Any, ...]:
        y = x * 2
        return y, x, same(y), y > 0, x.sum(), same(x.sum())

    program = export.export(Calls(function).eval(), (X,))
    before = str(program.graph)
    results = results_of(lowstream.read_model(program), X + 1)
    assert str(program.graph) == before
    for result, wanted in zip(results, function(X + 1), strict=True):
        np.testing.assert_allclose(result, wanted, rtol=1e-5)


def test_scripts_have_the_types_of_the_example():
    class Branches(nn.Module):
        def forward(self, x: torch.Tensor) -> torch.Tensor:
            if bool(x.sum() > 0):
                return x * 2
            return torch.sub(x, 1)

    script: Any = torch.jit.script(Branches().eval())
    model = lowstream.read_model(script, example_input=X + 2)
    for x in (X + 2, X - 2):
        np.testing.assert_allclose(results_of(model, x)[0], script(x), rtol=1e-6)


@pytest.mark.parametrize(
    ("example", "message"),
    [
        (torch.complex(X, X), r"is complex, .* torch.view_as_real"),
        (X.to_sparse(), r"is of layout torch.sparse_coo, .* to_dense\(\)"),
        (torch.nested.nested_tensor([X, X[:1]]), r"is nested, .* pad it"),
    ],
)
def test_tensors_that_inputs_cannot_be(example: Any, message: str):
    with pytest.raises(DiagnosticException, match=f"an input of Calls {message}"):
        lowstream.read_model(Calls(torch.abs).eval(), example_input=example)


def test_programs_that_cannot_be_read():
    network = nn.BatchNorm1d(4)
    with pytest.raises(DiagnosticException, match=r"normalizes by the batch, .* call model.eval"):
        lowstream.read_model(export.export(network.train(), (X,)))
    program = export.export(Calls(torch.abs).eval(), (torch.complex(X, X),))
    with pytest.raises(DiagnosticException, match=r"^input .* of the exported program is complex;"):
        lowstream.read_model(program)
