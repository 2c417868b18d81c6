"""Networks that no package has at hand, written small: YOLOv8's, DeepLabV3's, U-Net's, Silero's and Tacotron's kind."""

from __future__ import annotations

from typing import Any

import torch
from torch import Tensor, nn
from torch.nn import functional


def convolved(inputs: int, outputs: int, kernel: int = 3, stride: int = 1, **more: Any) -> Any:
    """A convolution, its normalization, and SiLU."""
    padding = more.pop("padding", kernel // 2)
    conv = nn.Conv2d(inputs, outputs, kernel, stride, padding, bias=False, **more)
    return nn.Sequential(conv, nn.BatchNorm2d(outputs), nn.SiLU())


class C2f(nn.Module):
    """Halves of channels; one goes through residual blocks, all that come by are joined."""

    def __init__(self, inputs: int, outputs: int, blocks: int = 1):
        super().__init__()
        half = self.half = outputs // 2
        self.first = convolved(inputs, outputs, 1)
        self.blocks = nn.ModuleList(
            nn.Sequential(convolved(half, half), convolved(half, half)) for _ in range(blocks)
        )
        self.last = convolved((2 + blocks) * half, outputs, 1)

    def forward(self, x: Tensor) -> Tensor:
        parts = list(self.first(x).chunk(2, 1))
        for block in self.blocks:
            parts.append(parts[-1] + block(parts[-1]))
        return self.last(torch.cat(parts, 1))


class Yolo(nn.Module):
    """A backbone with pooling of several reaches, a way up, and boxes as expectations over bins."""

    BINS = 16

    def __init__(self, classes: int = 4):
        super().__init__()
        self.early = nn.Sequential(convolved(3, 16, 3, 2), convolved(16, 32, 3, 2), C2f(32, 32))
        self.late = nn.Sequential(convolved(32, 64, 3, 2), C2f(64, 64))
        self.reduce, self.expand = convolved(64, 32, 1), convolved(128, 64, 1)
        self.up = C2f(96, 32)
        self.heads = nn.ModuleList(nn.Conv2d(c, 4 * self.BINS + classes, 1) for c in (32, 64))

    def forward(self, x: Tensor) -> Tensor:
        early = self.early(x)
        late = self.late(early)
        pooled = [self.reduce(late)]
        for _ in range(3):
            pooled.append(functional.max_pool2d(pooled[-1], 5, 1, 2))
        late = self.expand(torch.cat(pooled, 1))
        early = self.up(torch.cat([functional.interpolate(late, scale_factor=2.0), early], 1))
        maps = [head(each) for head, each in zip(self.heads, (early, late), strict=True)]
        flat = torch.cat([each.flatten(2) for each in maps], 2)
        boxes, classes = flat.split([4 * self.BINS, flat.shape[1] - 4 * self.BINS], 1)
        bins = boxes.view(boxes.shape[0], 4, self.BINS, -1).softmax(2)
        distances = (bins * torch.arange(self.BINS).view(1, 1, -1, 1)).sum(2)
        anchors = torch.cat([self._anchors(each) for each in maps], 1)
        low, high = distances.chunk(2, 1)
        low, high = anchors - low, anchors + high
        return torch.cat([(low + high) / 2, high - low, classes.sigmoid()], 1)

    @staticmethod
    def _anchors(map: Tensor) -> Tensor:
        rows, columns = (torch.arange(n) + 0.5 for n in map.shape[-2:])
        grid = torch.meshgrid(rows, columns, indexing="ij")
        return torch.stack(grid[::-1]).flatten(1)


class DeepLab(nn.Module):
    """Dilated convolutions of several reaches beside the mean of the image, on a short backbone."""

    def __init__(self, classes: int = 5):
        super().__init__()
        self.body = nn.Sequential(
            convolved(3, 16, 3, 2), convolved(16, 32, 3, 2), convolved(32, 32, 3, 2)
        )
        self.reaches = nn.ModuleList(
            [convolved(32, 16, 1), *(convolved(32, 16, padding=r, dilation=r) for r in (6, 12, 18))]
        )
        self.whole = nn.Sequential(nn.AdaptiveAvgPool2d(1), nn.Conv2d(32, 16, 1), nn.ReLU())
        self.last = nn.Sequential(convolved(80, 32, 1), nn.Conv2d(32, classes, 1))

    def forward(self, x: Tensor) -> Tensor:
        y = self.body(x)
        mean = functional.interpolate(
            self.whole(y), y.shape[-2:], mode="bilinear", align_corners=False
        )
        y = self.last(torch.cat([*(reach(y) for reach in self.reaches), mean], 1))
        return functional.interpolate(y, x.shape[-2:], mode="bilinear", align_corners=False)


class UNet(nn.Module):
    """Down by pooling, up by transposed convolutions, joined with what was there on the way down."""

    def __init__(self) -> None:
        super().__init__()
        sizes = (1, 8, 16, 32)
        self.downs = nn.ModuleList(map(convolved, sizes[:-1], sizes[1:]))
        self.bottom = convolved(32, 64)
        self.ups = nn.ModuleList(nn.ConvTranspose2d(2 * n, n, 2, 2) for n in sizes[:0:-1])
        self.joins = nn.ModuleList(convolved(2 * n, n) for n in sizes[:0:-1])
        self.last = nn.Conv2d(8, 2, 1)

    def forward(self, x: Tensor) -> Tensor:
        kept: list[Tensor] = []
        for down in self.downs:
            kept.append(down(x))
            x = functional.max_pool2d(kept[-1], 2)
        x = self.bottom(x)
        for up, join in zip(self.ups, self.joins, strict=True):
            x = up(x)
            before = kept.pop()
            gaps = [a - b for a, b in zip(before.shape[-2:], x.shape[-2:], strict=True)]
            x = join(torch.cat([functional.pad(x, [0, gaps[1], 0, gaps[0]]), before], 1))
        return self.last(x)


class Vad(nn.Module):
    """Magnitudes of a Fourier transform by convolution, an encoder, one step of an LSTM, a probability."""

    def __init__(self) -> None:
        super().__init__()
        self.transform = nn.Conv1d(1, 258, 256, 128, bias=False)
        sizes = (129, 32, 16, 32)
        self.encoder = nn.ModuleList(
            nn.Conv1d(a, b, 3, s, 1) for a, b, s in zip(sizes, sizes[1:], (1, 2, 2), strict=False)
        )
        self.cell, self.last = nn.LSTMCell(32, 32), nn.Conv1d(32, 1, 1)

    def forward(self, x: Tensor, state: Tensor) -> tuple[Tensor, Tensor]:
        real, imaginary = self.transform(functional.pad(x, (0, 64), "reflect")[:, None]).chunk(2, 1)
        y = torch.sqrt(real**2 + imaginary**2 + 1e-9)
        for layer in self.encoder:
            y = functional.relu(layer(y))
        h, c = self.cell(y[..., -1], (state[0], state[1]))
        probability = torch.sigmoid(self.last(functional.relu(h)[..., None])).mean(2)
        return probability, torch.stack([h, c])


class Tacotron(nn.Module):
    """A decoder that attends to texts by content and by where it looked before, a frame in each of its steps."""

    STEPS = 6

    def __init__(self, width: int = 32, bands: int = 20):
        super().__init__()
        self.bands, self.width = bands, width
        self.embed = nn.Embedding(30, width)
        self.encoder = nn.LSTM(width, width // 2, batch_first=True, bidirectional=True)
        self.prenet = nn.Sequential(nn.Linear(bands, 16), nn.ReLU())
        self.cell = nn.LSTMCell(16 + width, width)
        self.place, self.query = nn.Conv1d(1, 16, 5, padding=2), nn.Linear(width, 16)
        self.key, self.energy = nn.Linear(width, 16), nn.Linear(16, 1)
        self.frame, self.stop = nn.Linear(2 * width, bands), nn.Linear(2 * width, 1)

    def forward(self, text: Tensor) -> tuple[Tensor, Tensor]:
        memory, _ = self.encoder(self.embed(text))
        keys = self.key(memory)
        batch, length = text.shape
        looked = torch.zeros(batch, 1, length)
        frame, context = torch.zeros(batch, self.bands), torch.zeros(batch, self.width)
        h, c = torch.zeros(batch, self.width), torch.zeros(batch, self.width)
        frames: list[Tensor] = []
        stops: list[Tensor] = []
        for _ in range(self.STEPS):
            h, c = self.cell(torch.cat([self.prenet(frame), context], 1), (h, c))
            score = keys + self.query(h)[:, None] + self.place(looked).transpose(1, 2)
            weights = self.energy(torch.tanh(score)).squeeze(2).softmax(1)
            looked, context = looked + weights[:, None], torch.bmm(weights[:, None], memory)[:, 0]
            both = torch.cat([h, context], 1)
            frame = self.frame(both)
            frames.append(frame)
            stops.append(torch.sigmoid(self.stop(both)))
        return torch.stack(frames, 1), torch.cat(stops, 1)
