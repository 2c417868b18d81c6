"""Operators of exported programs that OpenVINO's front end cannot read, several in a program."""

import math
from collections.abc import Callable
from itertools import product
from pathlib import Path
from typing import Any
from unittest.mock import Mock

import numpy as np
import pytest
import torch
from torch import nn
from torch.nn import functional
from xdsl.utils.exceptions import DiagnosticException

import lowstream
from lowstream.interop.mlir import SourceError
from lowstream.interop.pytorch.decompositions.table import OVERLOADS
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
    "products": (
        lambda x, y: (
            torch.addbmm(x[:, :3], x[None], y.T[None], beta=2, alpha=0.5),
            functional.bilinear(x, y, y.reshape(3, 5, 1) * x[:, None], x[0, :3]),
            functional.bilinear(x, y, y.reshape(3, 5, 1) * x[:, None]),
        ),
        X,
        Y,
    ),
    "diagonals": (
        lambda x: (
            x.T.diagonal(1) * 2,
            x.diag(-2),
            x[None].diagonal(0, 2, 1),
            x.diagonal(4),
            x[:, :2].diagonal(-1) * 2,
            x.diagonal(7),
            x[0].masked_scatter(x > 0, x.T.abs()),
        ),
        X,
    ),
    "heads": (
        lambda x, y: functional.scaled_dot_product_attention(
            x.reshape(1, 6, 5, 1), *y.reshape(2, 1, 2, 3, 1), enable_gqa=True, scale=0.5
        ),
        torch.cat([X, Y]),
        torch.stack([X[:2, :3], Y[:2, :3]]),
    ),
    "round": (lambda x: torch.round(x, decimals=0), X),
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
    "real": (Calls(lambda x: torch.stft(x, 8, 4, window=WINDOW, return_complex=False)), SIGNAL),
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
    shapes = {"tensors": ({0: export.Dim("n", min=2)},)}
    network = Calls(lambda x: torch.fft.rfft(x).abs()).eval()
    program = export.export(network, (X,), dynamic_shapes=shapes)
    (result,) = Executor(lowstream.read_model(program).module).run([X[:2].numpy()])
    np.testing.assert_allclose(result, torch.fft.rfft(X[:2]).abs(), rtol=1e-5)


def test_attention_that_drops():
    query = X.reshape(1, 3, 5, 1)
    network = Calls(lambda x: functional.scaled_dot_product_attention(x, x, x, dropout_p=0.5))
    with pytest.raises(DiagnosticException, match="drops elements, as in training"):
        lowstream.read_model(network.eval(), example_input=query)


def test_regions_of_whole_pixels():
    """What torchvision's functions give: pixels of images [N, C, H, W] that lie in bins, which may be cut off."""
    x = torch.linspace(-3, 1, 2 * 8 * 6 * 5).reshape(2, 8, 6, 5).sin()
    ends = [0, 0.5, 1, 3.4, 5], [1, -2, 2, 9, 3], [1, 7, 7, 9, 9], [0, 1, 2, 1, 2]
    rois = torch.tensor(ends)
    (greatest, _), (means, _) = (
        OVERLOADS[f"torchvision.{name}.default"](x, rois, 1.0, 2, 2)
        for name in ("roi_pool", "ps_roi_pool")
    )
    for number, (image, *ends) in enumerate(rois.tolist()):
        left, top, right, bottom = (
            math.floor(abs(end) + 0.5) * (1 if end > 0 else -1) for end in ends
        )
        for row, column in product(range(2), repeat=2):
            cut = [
                inside(first, max(last - first + further, 1) / 2, place, size)
                for further in (1, 0)
                for first, last, place, size in ((top, bottom, row, 6), (left, right, column, 5))
            ]
            whole = x[int(image), :, cut[0], cut[1]].flatten(1)
            wanted = whole.amax(1) if whole.numel() else torch.zeros(8)
            torch.testing.assert_close(greatest[number, :, row, column], wanted)
            own = x[int(image), 2 * row + column :: 4, cut[2], cut[3]].flatten(1)
            wanted = own.mean(1) if own.numel() else torch.zeros(2)
            torch.testing.assert_close(means[number, :, row, column], wanted)


def inside(first: int, size: float, place: int, length: int) -> slice:
    low, high = math.floor(size * place) + first, math.ceil(size * (place + 1)) + first
    return slice(*(min(max(end, 0), length) for end in (low, high)))


def test_regions_that_read_channels_of_their_own(monkeypatch: pytest.MonkeyPatch):
    bins = torch.arange(48.0).reshape(2, 12, 1, 2).expand(2, 12, 1, 2)
    align = Mock(return_value=bins)
    monkeypatch.setattr(torch.ops.torchvision, "roi_align", Mock(default=align), raising=False)
    aligned, _ = OVERLOADS["torchvision.ps_roi_align.default"](X, Y, 0.5, 1, 2, 3)
    assert align.call_args.args == (X, Y, 0.5, 1, 2, 3, True)
    torch.testing.assert_close(aligned[..., 0], bins[:, 0::2, :, 0])
    torch.testing.assert_close(aligned[..., 1], bins[:, 1::2, :, 1])


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
