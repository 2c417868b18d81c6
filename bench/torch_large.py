"""Networks of full size that no package has at hand: text detection and recognition, and networks of sound."""

from __future__ import annotations

from typing import Any

import torch
from torch import Tensor, nn
from torch.nn import functional


def normalized(inputs: int, outputs: int, kernel: int, stride: int = 1, groups: int = 1) -> Any:
    """A convolution and its normalization."""
    conv = nn.Conv2d(inputs, outputs, kernel, stride, kernel // 2, groups=groups, bias=False)
    return nn.Sequential(conv, nn.BatchNorm2d(outputs))


def activated(inputs: int, outputs: int, kernel: int, stride: int = 1, groups: int = 1) -> Any:
    """The same, and a hard-swish."""
    return nn.Sequential(*normalized(inputs, outputs, kernel, stride, groups), nn.Hardswish())


class LargeUNet(nn.Module):
    """Ronneberger et al. 2015 of half the channels: 3x3 convolutions in pairs, transposed ones on the way up."""

    def __init__(self) -> None:
        super().__init__()
        sizes = (32, 64, 128, 256, 512)
        self.downs = nn.ModuleList(map(self._level, (3, *sizes[:-1]), sizes))
        self.ups = nn.ModuleList(nn.ConvTranspose2d(2 * n, n, 2, 2) for n in sizes[-2::-1])
        self.joins = nn.ModuleList(self._level(2 * n, n) for n in sizes[-2::-1])
        self.last = nn.Conv2d(32, 2, 1)

    @staticmethod
    def _level(inputs: int, outputs: int) -> nn.Module:
        pairs = ((inputs, outputs), (outputs, outputs))
        return nn.Sequential(
            *(nn.Sequential(*normalized(i, o, 3), nn.ReLU(inplace=True)) for i, o in pairs)
        )

    def forward(self, x: Tensor) -> Tensor:
        kept: list[Tensor] = []
        for down in self.downs:
            x = down(functional.max_pool2d(x, 2) if kept else x)
            kept.append(x)
        kept.pop()
        for up, join in zip(self.ups, self.joins, strict=True):
            x = join(torch.cat([kept.pop(), up(x)], 1))
        return self.last(x)


class TextDetector(nn.Module):
    """Liao et al. 2020 on a narrow MobileNetV3, as PP-OCR has it: few channels, large maps, a map of probabilities."""

    STAGES = (
        ((3, 1, 16, 8), (3, 2, 32, 16), (3, 1, 40, 16)),
        ((5, 2, 40, 24), (5, 1, 64, 24), (5, 1, 64, 24)),
        ((3, 2, 120, 40), (3, 1, 104, 40), (3, 1, 96, 40), (3, 1, 240, 56), (3, 1, 336, 56)),
        ((5, 2, 336, 80), (5, 1, 480, 80), (5, 1, 480, 80)),
    )
    WIDTH = 96

    def __init__(self) -> None:
        super().__init__()
        self.first, channels = activated(3, 8, 3, 2), 8
        self.stages = nn.ModuleList()
        laterals: list[Any] = []
        for blocks in self.STAGES:
            stage: list[Any] = []
            for kernel, stride, hidden, outputs in blocks:
                stage.append(Inverted(channels, hidden, outputs, kernel, stride))
                channels = outputs
            self.stages.append(nn.Sequential(*stage))
            laterals.append(nn.Conv2d(channels, self.WIDTH, 1, bias=False))
        self.laterals = nn.ModuleList(laterals)
        quarter = self.WIDTH // 4
        self.smooth = nn.ModuleList(
            nn.Conv2d(self.WIDTH, quarter, 3, padding=1, bias=False) for _ in laterals
        )
        self.head = nn.Sequential(
            *normalized(self.WIDTH, quarter, 3),
            nn.ReLU(),
            nn.ConvTranspose2d(quarter, quarter, 2, 2),
            nn.BatchNorm2d(quarter),
            nn.ReLU(),
            nn.ConvTranspose2d(quarter, 1, 2, 2),
            nn.Sigmoid(),
        )

    def forward(self, x: Tensor) -> Tensor:
        x, maps = self.first(x), list[Tensor]()
        for stage in self.stages:
            x = stage(x)
            maps.append(x)
        maps = [lateral(each) for lateral, each in zip(self.laterals, maps, strict=True)]
        for level in (2, 1, 0):
            maps[level] = maps[level] + functional.interpolate(maps[level + 1], scale_factor=2.0)
        found = [
            functional.interpolate(smooth(each), scale_factor=float(2**level))
            for level, (smooth, each) in enumerate(zip(self.smooth, maps, strict=True))
        ]
        return self.head(torch.cat(found[::-1], 1))


class Inverted(nn.Module):
    """An inverted residual block."""

    def __init__(self, inputs: int, hidden: int, outputs: int, kernel: int, stride: int):
        super().__init__()
        self.is_residual = stride == 1 and inputs == outputs
        self.body = nn.Sequential(
            activated(inputs, hidden, 1),
            activated(hidden, hidden, kernel, stride, hidden),
            normalized(hidden, outputs, 1),
        )

    def forward(self, x: Tensor) -> Tensor:
        return x + self.body(x) if self.is_residual else self.body(x)


class TextRecognizer(nn.Module):
    """Shi et al. 2015 (CRNN): convolutions down to one line, two bidirectional LSTMs along it."""

    def __init__(self, classes: int = 37):
        super().__init__()
        layers: list[Any] = []
        inputs = 1
        for outputs, pool in (
            (64, (2, 2)),
            (128, (2, 2)),
            (256, None),
            (256, (2, 1)),
            (512, None),
            (512, (2, 1)),
        ):
            layers += [*normalized(inputs, outputs, 3), nn.ReLU()]
            layers += [] if pool is None else [nn.MaxPool2d(pool)]
            inputs = outputs
        self.body = nn.Sequential(*layers, nn.Conv2d(512, 512, (2, 1)), nn.ReLU())
        self.lines = nn.LSTM(512, 256, 2, bidirectional=True, batch_first=True)
        self.last = nn.Linear(512, classes)

    def forward(self, x: Tensor) -> Tensor:
        return self.last(self.lines(self.body(x).squeeze(2).transpose(1, 2))[0])


class TwoWays(nn.Module):
    """Two bidirectional LSTMs of 256 cells over a sequence."""

    def __init__(self) -> None:
        super().__init__()
        self.layers = nn.LSTM(80, 256, 2, bidirectional=True, batch_first=True)

    def forward(self, x: Tensor) -> Tensor:
        return self.layers(x)[0]


class DeepSpeech(nn.Module):
    """Hannun et al. 2014, as Mozilla built it: three products, an LSTM, two products, on windows of 19 frames."""

    def __init__(self, width: int = 1024, classes: int = 29):
        super().__init__()
        self.before = nn.ModuleList(
            [nn.Linear(494, width), nn.Linear(width, width), nn.Linear(width, width)]
        )
        self.along = nn.LSTM(width, width, batch_first=True)
        self.after, self.last = nn.Linear(width, width), nn.Linear(width, classes)

    def forward(self, x: Tensor) -> Tensor:
        for layer in self.before:
            x = layer(x).clamp(0, 20)
        return self.last(self.after(self.along(x)[0]).clamp(0, 20))


class Separator(nn.Module):
    """Luo and Mesgarani 2019 (Conv-TasNet): masks in a learned basis, from dilated depthwise convolutions."""

    def __init__(self, basis: int = 512, width: int = 128, hidden: int = 512, speakers: int = 2):
        super().__init__()
        self.basis, self.speakers = basis, speakers
        self.encode = nn.Conv1d(1, basis, 16, 8, bias=False)
        self.enter = nn.Sequential(nn.GroupNorm(1, basis), nn.Conv1d(basis, width, 1))
        self.blocks = nn.ModuleList(
            self._block(width, hidden, 2**i) for _ in range(3) for i in range(8)
        )
        self.mask = nn.Sequential(nn.PReLU(), nn.Conv1d(width, speakers * basis, 1), nn.Sigmoid())
        self.decode = nn.ConvTranspose1d(basis, 1, 16, 8, bias=False)

    @staticmethod
    def _block(width: int, hidden: int, dilation: int) -> nn.Module:
        return nn.Sequential(
            nn.Conv1d(width, hidden, 1),
            nn.PReLU(),
            nn.GroupNorm(1, hidden),
            nn.Conv1d(hidden, hidden, 3, padding=dilation, dilation=dilation, groups=hidden),
            nn.PReLU(),
            nn.GroupNorm(1, hidden),
            nn.Conv1d(hidden, width, 1),
        )

    def forward(self, x: Tensor) -> Tensor:
        code = self.encode(x)
        y = self.enter(code)
        for block in self.blocks:
            y = y + block(y)
        masks = self.mask(y).view(self.speakers, self.basis, -1)
        return self.decode(masks * code)


class DualPath(nn.Module):
    """Luo et al. 2020 (DPRNN): LSTMs within chunks of a signal and across them, in turns."""

    def __init__(self, width: int = 64, chunk: int = 100, blocks: int = 2):
        super().__init__()
        self.width, self.chunk = width, chunk
        self.encode = nn.Conv1d(1, width, 16, 8, bias=False)
        self.paths = nn.ModuleList(
            nn.LSTM(width, 128, bidirectional=True, batch_first=True) for _ in range(2 * blocks)
        )
        self.leave = nn.ModuleList(nn.Linear(256, width) for _ in range(2 * blocks))
        self.norms = nn.ModuleList(nn.LayerNorm(width) for _ in range(2 * blocks))
        self.mask = nn.Sequential(nn.PReLU(), nn.Conv1d(width, width, 1), nn.Sigmoid())
        self.decode = nn.ConvTranspose1d(width, 1, 16, 8, bias=False)

    def forward(self, x: Tensor) -> Tensor:
        code = self.encode(x)
        y = code.transpose(1, 2).reshape(-1, self.chunk, self.width)  # chunks, places, channels
        for path, leave, norm in zip(self.paths, self.leave, self.norms, strict=True):
            y = (y + norm(leave(path(y)[0]))).transpose(0, 1)
        y = y.reshape(1, -1, self.width).transpose(1, 2)
        return self.decode(self.mask(y) * code)
