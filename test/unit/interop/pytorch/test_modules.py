"""Modules of PyTorch in memory. Left out where PyTorch is missing."""

import logging
from typing import Any
from unittest.mock import Mock

import numpy as np
import pytest
import torch
from torch import nn
from xdsl.utils.exceptions import DiagnosticException

import lowstream
from lowstream.interop import pytorch as reader
from lowstream.interop.pytorch import (
    _converted_by_rules,  # pyright: ignore[reportPrivateUsage]
    _why,  # pyright: ignore[reportPrivateUsage]
)


class Streaming(nn.Module):
    """A convolution, a normalization, an LSTM and two outputs."""

    def __init__(self):
        super().__init__()
        self.convolution = nn.Conv2d(3, 8, 3, padding=1)
        self.normalization = nn.BatchNorm2d(8)
        self.lstm = nn.LSTM(8, 16, batch_first=True)
        self.linear = nn.Linear(16, 6)

    def forward(self, x: torch.Tensor) -> tuple[torch.Tensor, ...]:
        y = torch.relu(self.normalization(self.convolution(x))).mean(2).transpose(1, 2)
        gate, value = self.linear(self.lstm(y)[0]).chunk(2, -1)
        return nn.functional.silu(gate), value


class Named(nn.Module):
    """Two inputs, one of them an integer's."""

    def forward(self, table: torch.Tensor, index: torch.Tensor) -> torch.Tensor:
        return table[index] * 2


def assert_agrees(model: lowstream.Model, network: Any, *inputs: torch.Tensor) -> None:
    results = (
        lowstream.compile_model(model).create_infer_request().infer([x.numpy() for x in inputs])
    )
    with torch.no_grad():
        wanted = network(*inputs)
    wanted = wanted if isinstance(wanted, tuple) else (wanted,)
    for number, want in enumerate(wanted):
        np.testing.assert_allclose(results[number], want.numpy(), rtol=1e-5, atol=1e-5)


def test_a_module_has_the_shapes_of_its_example():
    network, x = Streaming().eval(), torch.randn(2, 3, 5, 7)
    model = lowstream.read_model(network, example_input=x)
    assert [port.shape for port in model.inputs] == [(2, 3, 5, 7)]
    assert_agrees(model, network, x)


def test_an_exported_program():
    network, x = Streaming().eval(), torch.randn(2, 3, 5, 7)
    assert_agrees(lowstream.read_model(torch.export.export(network, (x,))), network, x)


@pytest.mark.parametrize("kind", [tuple, dict])
def test_several_inputs(kind: type):
    inputs = {"table": torch.randn(5, 3), "index": torch.tensor([4, 0])}
    example = tuple(inputs.values()) if kind is tuple else inputs
    model = lowstream.read_model(Named().eval(), example_input=example)
    assert_agrees(model, Named(), *inputs.values())


class Differences(nn.Module):
    """`torch.diff`, which OpenVINO's front end reads of exported programs only."""

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        return torch.diff(x, prepend=x[:, :1])


@pytest.mark.parametrize("kind", [tuple, list, dict])
def test_what_cannot_be_traced_is_exported(kind: type):
    x = torch.randn(2, 5)
    model = lowstream.read_model(
        Differences().eval(), example_input={"x": x} if kind is dict else kind([x])
    )
    assert [port.shape for port in model.inputs] == [(2, 5)]
    assert_agrees(model, Differences(), x)


class Untraceable(nn.Module):
    def forward(self, x: torch.Tensor) -> torch.Tensor:
        raise ValueError("no such luck")


class Airy(nn.Module):
    """A function that nothing decomposes."""

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        return torch.special.airy_ai(x)


def test_the_module_of_a_program_is_read_as_the_program():
    """It has no other mode than that in which it was exported, and says that it trains."""
    x = torch.ones(1, 4)
    module = torch.export.export(nn.ReLU().eval(), (x,)).module()
    assert lowstream.read_model(module, example_input=x).inputs[0].shape == (1, 4)


@pytest.mark.parametrize("drops", [nn.Dropout(), nn.LSTM(4, 4, 2, dropout=0.5)])
def test_dropout_of_training(drops: nn.Module):
    x = torch.ones(2, 1, 4)
    for exported in (program := torch.export.export(drops.train(), (x,))), program.module():
        options = {} if exported is program else {"example_input": x}
        with pytest.raises(DiagnosticException, match=r"drops elements, .* call model\.eval\(\)"):
            lowstream.read_model(exported, **options)
    lowstream.read_model(torch.export.export(drops.eval(), (x,)))


def test_an_untraceable_module_logs_no_traceback(caplog: pytest.LogCaptureFixture):
    with pytest.raises(DiagnosticException, match=r"shapes cannot be multiplied \(1x7 and 4x3\)"):
        lowstream.read_model(nn.Linear(4, 3).eval(), example_input=torch.ones(1, 7))
    assert [record for record in caplog.records if record.levelno >= logging.ERROR] == []


@pytest.mark.parametrize(
    ("network", "options", "message"),
    [
        (
            Named().eval(),
            {},
            r"a Named of PyTorch has no shapes; read_model\(model, example_input=…\)",
        ),
        (
            Named().eval(),
            {"example_input": (1, 3)},
            r"holds no tensor, but \(1, 3\); give one for each input",
        ),
        (
            Named(),
            {"example_input": torch.zeros(1)},
            r"Named is in training mode, .* call model.eval\(\) first",
        ),
        (
            Untraceable().eval(),
            {"example_input": torch.zeros(1)},
            "Untraceable cannot be traced: .*no such luck.*; torch.export cannot .*no such luck",
        ),
        (
            Airy().eval(),
            {"example_input": torch.zeros(1)},
            "OpenVINO does not convert aten.special_airy_ai.default as it is here;",
        ),
    ],
)
def test_what_cannot_be_read_is_one_line(network: nn.Module, options: Any, message: str):
    with pytest.raises(DiagnosticException, match=message) as error:
        lowstream.read_model(network, **options)
    assert "\n" not in str(error.value)


class Quotient(nn.Module):
    """Of integers."""

    def __init__(self, rounding_mode: str):
        super().__init__()
        self.rounding_mode = rounding_mode

    def forward(self, x: torch.Tensor, y: torch.Tensor) -> torch.Tensor:
        return torch.div(x, y, rounding_mode=self.rounding_mode)


@pytest.mark.parametrize("exported", [False, True])
@pytest.mark.parametrize("rounding_mode", ["trunc", "floor"])
def test_quotients_of_integers(rounding_mode: str, exported: bool):
    network = Quotient(rounding_mode).eval()
    inputs = (torch.tensor([-7, 7, -7, 7]), torch.tensor([2, 2, -2, -2]))
    given = torch.export.export(network, inputs) if exported else network
    model = lowstream.read_model(given, example_input=None if exported else inputs)
    assert_agrees(model, network, *inputs)


class Projected(nn.Module):
    """An LSTM with projections; the last states are results, too."""

    def __init__(self, **options: bool):
        super().__init__()
        self.lstm = nn.LSTM(3, 8, num_layers=2, proj_size=5, **options)

    def forward(self, x: torch.Tensor, *states: torch.Tensor) -> tuple[torch.Tensor, ...]:
        y, last = self.lstm(x, states or None)
        return y, *last


@pytest.mark.parametrize("bidirectional", [False, True])
@pytest.mark.parametrize("batch_first", [False, True])
@pytest.mark.parametrize("bias", [False, True])
@pytest.mark.parametrize("given", [False, True])
def test_lstms_with_projections_are_loops(
    bidirectional: bool, batch_first: bool, bias: bool, given: bool
):
    torch.manual_seed(0)
    network = Projected(bidirectional=bidirectional, batch_first=batch_first, bias=bias).eval()
    x, forward = torch.randn(4, 4, 3), network.lstm.forward
    rows = 4 if bidirectional else 2
    states = (torch.randn(rows, 4, 5), torch.randn(rows, 4, 8)) if given else ()
    model = lowstream.read_model(network, example_input=(x, *states))
    assert sum(op.name == "infra.loop" for op in model.module.walk()) == rows
    assert network.lstm.forward == forward
    assert_agrees(model, network, x, *states)


def test_experts_as_groups_get_advice():
    error = RuntimeError(
        "-- No conversion rule found for operations: aten.histc.default, transformers.grouped_mm_fallback.default"
    )
    assert "set_experts_implementation('batched_mm')" in _why(error)
    assert "aten.histc" in _why(RuntimeError(str(error).split(", ")[0]))


def test_what_pytorch_leaves_as_it_was_is_decomposed_twice_at_most(monkeypatch: pytest.MonkeyPatch):
    error = RuntimeError("-- No conversion rule found for operations: aten.histc.default")
    convert = Mock(side_effect=error)
    decompose = Mock(side_effect=lambda program, names: program if names else None)
    monkeypatch.setattr(reader, "decomposed_by_torch", decompose)
    monkeypatch.setattr(reader, "decomposed_program", Mock(side_effect=lambda program: program))
    with pytest.raises(RuntimeError) as raised:
        _converted_by_rules(Mock(convert_model=convert), object())
    assert raised.value is error
    assert convert.call_count == 3


@pytest.mark.parametrize("type", [torch.bfloat16, torch.float8_e4m3fn, torch.float16])
def test_tensors_of_narrow_floats_are_inputs(type: torch.dtype):
    layer, x = nn.ReLU().eval(), torch.tensor([[-1.5, 0.25, 2.0]]).to(type)
    compiled = lowstream.compile_model(lowstream.read_model(layer, example_input=x.float()))
    np.testing.assert_array_equal(compiled([x])[0], [[0.0, 0.25, 2.0]])


class Calls(nn.Module):
    """A function of tensors."""

    def __init__(self, function: Any):
        super().__init__()
        self.function = function

    def forward(self, *tensors: torch.Tensor) -> torch.Tensor:
        return self.function(*tensors)


MATRIX, IMAGE = torch.randn(3, 5) * 10, torch.randn(1, 2, 6, 7)
PAIR = torch.randn(2, 3, 4), torch.randn(2, 5, 4)
functional, TABLE = nn.functional, torch.randn(9, 4)
INDICES, BEGINS = torch.tensor([1, 3, 0, 2, 3, 5]), torch.tensor([0, 0, 4])
MISREAD: dict[str, Any] = {
    "variance": (lambda x: torch.var(x, 1, correction=0.5), MATRIX),
    "variance_of_all": (torch.var, MATRIX),
    "variance_mean": (lambda x: torch.var_mean(x, (0, 1), correction=3, keepdim=True), MATRIX),
    "deviation": (lambda x: x.std(-1, correction=2), MATRIX),
    "deviation_mean": (lambda x: torch.std_mean(x, False), MATRIX),
    "booleans_summed": (lambda x: (x > 0).cumsum(1), MATRIX),
    "narrow_products": (lambda x: (x > 0).to(torch.int8).add(99).prod(1), MATRIX),
    "bags": (nn.EmbeddingBag(9, 4, mode="mean", padding_idx=3), INDICES.reshape(2, 3)),
    "bags_greatest": (
        lambda i: functional.embedding_bag(i, TABLE, BEGINS, mode="max", padding_idx=-8),
        INDICES,
    ),
    "bags_weighted": (
        lambda i, w: functional.embedding_bag(
            i,
            TABLE,
            torch.tensor([0, 2, 6]),
            mode="sum",
            padding_idx=3,
            per_sample_weights=w,
            include_last_offset=True,
        ),
        INDICES,
        torch.randn(6),
    ),
    "antialias": (
        lambda x: functional.interpolate(
            x, (3, 9), mode="bilinear", antialias=True, align_corners=True
        ),
        IMAGE,
    ),
    "antialias_factors": (
        lambda x: functional.interpolate(
            x, scale_factor=(0.4, 1.7), mode="bicubic", antialias=True
        ),
        IMAGE,
    ),
    "instance": (
        lambda x: functional.instance_norm(
            x, x[0, :, 0, 0], x[0, :, 1, 1].abs(), use_input_stats=True
        ),
        IMAGE,
    ),
    "unfold": (lambda x: functional.unfold(x, 2), IMAGE[:0]),
    "round": (lambda x: torch.round(x, decimals=1), MATRIX),
    "round_tens": (lambda x: x.round(decimals=-1), MATRIX),
    "vstack": (lambda x: torch.vstack([x, x]), MATRIX[0]),
    "softplus": (nn.Softplus(3, 0.2), MATRIX),
    "any": (lambda x: (x > 9).any((0, -1), True), MATRIX),
    "all": (lambda x: (x > -30).all((0, 1)), MATRIX),
    "cdist1": (lambda a, b: torch.cdist(a, b, 1.0), *PAIR),
    "cdist3": (lambda a, b: torch.cdist(a, b, 3.0), *PAIR),
    "cdist_most": (lambda a, b: torch.cdist(a, b, float("inf")), *PAIR),
    "average": (nn.AvgPool2d(3, 2, 1, ceil_mode=True), IMAGE),
    "average_inside": (nn.AvgPool2d((4, 3), 3, (2, 1), ceil_mode=True), IMAGE),
}


WITHOUT_A_RULE: dict[str, Any] = {
    "diagonal": (lambda x: x.diagonal(1) * 2, MATRIX),
    "index_add": (lambda x: x.index_add(1, torch.tensor([0, 0]), x[:, :2], alpha=2), MATRIX),
    "kth": (lambda x: torch.kthvalue(x, 2, 0, True), MATRIX),
    "median": (lambda x: x.median(1), MATRIX),
    "median_of_all": (torch.median, MATRIX),
    "truncated": (torch.trunc, MATRIX),
    "fraction": (torch.frac, MATRIX),
}


@pytest.mark.parametrize("name", WITHOUT_A_RULE)
def test_what_the_front_end_has_no_rule_for_in_programs(name: str):
    function, *inputs = WITHOUT_A_RULE[name]
    network = Calls(function).eval()
    assert_agrees(
        lowstream.read_model(torch.export.export(network, tuple(inputs))), network, *inputs
    )


@pytest.mark.parametrize("exported", [False, True])
@pytest.mark.parametrize("name", MISREAD)
def test_what_the_front_end_reads_as_something_else(name: str, exported: bool):
    function, *inputs = MISREAD[name]
    network = Calls(function).eval()
    if exported:
        model = lowstream.read_model(torch.export.export(network, tuple(inputs)))
    else:
        model = lowstream.read_model(network, example_input=tuple(inputs))
    assert_agrees(model, network, *inputs)
