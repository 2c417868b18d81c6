"""Operators of exported programs that OpenVINO's front end cannot read, several in a program."""

import math
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import torch
from torch import nn
from torch.nn import functional
from xdsl.utils.exceptions import DiagnosticException

import lowstream
from lowstream.interop.mlir import SourceError
from lowstream.reference.executor import Executor
from lowstream.test.unit.interop.pytorch.test_modules import Calls

X, Y = torch.randn(2, 3, 5, generator=torch.Generator().manual_seed(0)).mul(3)
ROUND, SIGNAL = X.round(), torch.linspace(-1, 1, 40).reshape(1, 40) ** 3
EXTREMES = torch.tensor([0.0, -0.0, math.inf, -math.inf, math.nan, -2.0, 1e30, 0.1, 20.0, 1.0])
INDEX, WINDOW = X.abs().long().clamp(max=2), torch.hann_window(8)
VOLUME = torch.arange(48.0).reshape(1, 2, 2, 3, 4)
PLACES = torch.linspace(-1.4, 1.4, 24).reshape(1, 2, 2, 2, 3)


def fields(modes: list[tuple[str, str, bool]]) -> Callable[[Any, Any], Any]:
    return lambda x, grid: tuple(functional.grid_sample(x, grid, *mode) for mode in modes)


def assert_agrees(network: nn.Module, *inputs: torch.Tensor) -> None:
    """What the exported program is read as computes the same."""
    program = torch.export.export(network.eval(), inputs)
    results = Executor(lowstream.read_model(program).module).run([x.numpy() for x in inputs])
    with torch.no_grad():
        wanted = network(*inputs)
    wanted = wanted if isinstance(wanted, tuple) else (wanted,)
    for result, want in zip(results, wanted, strict=True):
        np.testing.assert_allclose(result, want.numpy(), rtol=1e-5, atol=1e-5)


PROGRAMS: dict[str, Any] = {
    "special": (
        lambda x, y: (
            torch.hypot(x, y),
            x.copysign(y),
            y.copysign(-0.0),
            x.signbit(),
            torch.fmax(x.sqrt(), y),
            torch.fmin(x, y.sqrt()),
            x.lgamma(),
            x.digamma(),
            x.exp2(),
        ),
        X,
        Y,
    ),
    "special_extremes": (
        lambda x: (
            torch.hypot(x, x.flip(0)),
            x.copysign(x.flip(0)),
            x.signbit(),
            torch.fmax(x, x.flip(0)),
            x.lgamma(),
            x.digamma(),
        ),
        EXTREMES,
    ),
    "composed": (lambda x: torch.special.multigammaln(x.abs() + 2, 2), X),
    "scans": (
        lambda x: (
            *x.cummax(1),
            *x.round().cummin(0),
            x.sqrt().cummax(0).values,
            x.cumprod(1),
            (x > 0).cumprod(0),
            (x * 40).logcumsumexp(1),
        ),
        X,
    ),
    "counts": (
        lambda x: (
            x.histc(4),
            x.histc(3, -1, 2),
            (x * 0).histc(2),
            *x.mode(1),
            *x.int().mode(0, True),
            x.sqrt().nanmedian(),
            *x.sqrt().nanmedian(1),
        ),
        ROUND,
    ),
    "searches": (
        lambda x, y: (
            torch.searchsorted(x, y),
            torch.searchsorted(x, y, right=True, out_int32=True),
            torch.searchsorted(x[0], y, side="right"),
        ),
        ROUND.sort(-1).values,
        Y.round(),
    ),
    "scattered": (
        lambda x, i: (
            x.scatter_reduce(0, i, x, "prod"),
            x.scatter_reduce(0, i[:2], x, "mean", include_self=False),
            x.scatter_reduce(1, i, x, "amax", include_self=False),
            x.index_reduce(0, i[0, :2], x[:2], "amin"),
            x.long() >> i,
            x.masked_select(x > 0),
        ),
        X,
        INDEX,
    ),
    "windows": (lambda x: (x.unfold(1, 2, 2), x.unfold(0, 3, 1)), X),
    "products": (lambda x, y: torch.addbmm(x[:, :3], x[None], y.T[None], beta=2, alpha=0.5), X, Y),
    "volumes": (
        fields(
            [
                ("nearest", "border", True),
                ("bilinear", "reflection", False),
            ]
        ),
        VOLUME,
        PLACES,
    ),
}


@pytest.mark.parametrize("name", PROGRAMS)
def test_programs_agree(name: str):
    function, *inputs = PROGRAMS[name]
    assert_agrees(Calls(function), *inputs)


def spectrum(x: torch.Tensor) -> torch.Tensor:
    return torch.stft(x, 8, 4, window=WINDOW, return_complex=True)


class Constants(nn.Module):
    """Complex weights, as of a Fourier neural operator."""

    def __init__(self):
        super().__init__()
        self.weight = nn.Parameter(torch.complex(X[:, :2], Y[:, :2]))

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        modes = torch.fft.rfft(x)[:, :3].reshape(1, 3)
        return torch.fft.irfft(torch.einsum("bi,io->bo", modes, self.weight), n=6, norm="ortho")


COMPLEX: dict[str, Any] = {
    "there_and_back": (
        Calls(lambda x: torch.istft(spectrum(x) * (0.5 + 0.25j), 8, 4, window=WINDOW)),
        SIGNAL,
    ),
    "parts": (
        Calls(lambda x, y: torch.istft(torch.complex(x, y), 8, 4, window=WINDOW)),
        X.T.reshape(1, 5, 3),
        Y.T.reshape(1, 5, 3),
    ),
    "weights": (Constants(), SIGNAL),
    "odd_length": (Calls(lambda x: torch.fft.irfft(torch.fft.rfft(x), n=5)), X),
    "both_ways": (
        Calls(lambda x: torch.fft.ifft2(torch.fft.fft2(x, norm="ortho").conj() ** 2).real),
        X,
    ),
    "polar": (
        Calls(
            lambda x, y: torch.view_as_real(
                (torch.polar(x, y) / torch.complex(y, x)).sgn() + x.reshape(3, 5)
            ).sum(0)
        ),
        X,
        Y,
    ),
    "sizes_and_angles": (
        Calls(lambda x: (spectrum(x).abs(), torch.fft.fft(x + 1)[:, 1:4].angle())),
        SIGNAL,
    ),
}


@pytest.mark.parametrize("name", COMPLEX)
def test_complex_numbers_are_pairs(name: str):
    network, *inputs = COMPLEX[name]
    assert_agrees(network, *inputs)


@pytest.mark.parametrize(
    ("function", "message"),
    [
        (torch.fft.rfft, "a result of the exported program is complex; return torch.view_as_real"),
        (lambda x: torch.fft.rfft(x).sqrt().abs(), "aten.sqrt of complex numbers has no rule"),
    ],
)
def test_complex_numbers_without_a_rule(function: Any, message: str):
    program = torch.export.export(Calls(function).eval(), (SIGNAL,))
    with pytest.raises(DiagnosticException, match=message):
        lowstream.read_model(program)


def test_free_shapes_of_complex_numbers():
    export: Any = torch.export
    shapes = {"tensors": ({1: export.Dim("n", min=4)},)}
    network = Calls(lambda x: torch.fft.rfft(x).abs()).eval()
    program = export.export(network, (SIGNAL,), dynamic_shapes=shapes)
    with pytest.raises(DiagnosticException, match="export it without dynamic_shapes"):
        lowstream.read_model(program)


def test_boxes_are_suppressed():
    """Of torchvision's schema, which need not be installed."""
    library: Any = torch.library.Library("torchvision", "FRAGMENT")
    library.define("nms(Tensor dets, Tensor scores, float iou_threshold) -> Tensor")

    def shape(boxes: Any, scores: Any, threshold: float) -> Any:
        return scores.new_empty(torch.library.get_ctx().new_dynamic_size(), dtype=torch.int64)

    torch.library.register_fake("torchvision::nms", shape, lib=library)
    boxes = torch.tensor([[0.0, 0, 4, 4], [0, 0, 4, 5], [9, 9, 12, 12]])
    inputs = (boxes, torch.tensor([0.2, 0.9, 0.5]))
    suppress: Any = Calls(lambda *x: torch.ops.torchvision.nms(*x, 0.5)).eval()
    model = lowstream.read_model(torch.export.export(suppress, inputs))
    (found,) = Executor(model.module).run([x.numpy() for x in inputs])
    assert found.tolist() == [1, 2]


def test_a_program_in_a_file(tmp_path: Path):
    module = torch.nn.Sequential(torch.nn.Linear(3, 4), torch.nn.ReLU()).eval()
    x = torch.ones(2, 3)
    torch.export.save(torch.export.export(module, (x,)), path := tmp_path / "m.pt2")
    (found,) = lowstream.compile_model(path)(x.numpy()).values()
    np.testing.assert_allclose(found, module(x).detach(), rtol=1e-5, atol=1e-5)
    path.write_bytes(b"PK\3\4")
    with pytest.raises(
        SourceError, match=r"cannot load it .*; write it again with torch\.export\.save"
    ):
        lowstream.read_model(path)
