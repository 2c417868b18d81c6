"""Trains the pitch network: first in f32, then with its quantization in the loop.

    OPENBLAS_NUM_THREADS=1 .venv/bin/python docs/examples/pitch/train.py

Writes pitch.mlir and, beside it, pitch.safetensors. Seeds are fixed: the same NumPy on the same CPU
gives the same weights.
"""

import argparse
import tempfile
import time
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np
import openvino
import voice
from network import LAYERS, STATE_RANGE, WEIGHTS, Network, codes
from numpy.typing import NDArray
from openvino_form import openvino_model
from voice import MIDDLE, Array, Score, Voice

import lowstream

CLIPS, SECONDS = 1200, 2.5  # the training set: 50 minutes
BATCH = 32
STEPS, QUANTIZED_STEPS = 900, 300
RATE, QUANTIZED_RATE = 4e-3, 1e-3  # at the start; both fall to nothing


@dataclass
class Adam:
    """Kingma and Ba, 2015, with the gradient's length limited to 1."""

    parameters: dict[str, Array]

    def __post_init__(self) -> None:
        self.mean = {name: np.zeros_like(p) for name, p in self.parameters.items()}
        self.square = {name: np.zeros_like(p) for name, p in self.parameters.items()}
        self.steps = 0

    def step(self, gradient: dict[str, Array], rate: float) -> None:
        self.steps += 1
        length = float(np.sqrt(sum(float(np.vdot(g, g)) for g in gradient.values())))
        shrink = min(1.0, 1.0 / (length + 1e-9))
        for name, g in gradient.items():
            self.mean[name] += 0.1 * (shrink * g - self.mean[name])
            self.square[name] += 0.01 * ((shrink * g) ** 2 - self.square[name])
            mean = self.mean[name] / (1 - 0.9**self.steps)
            square = self.square[name] / (1 - 0.99**self.steps)
            self.parameters[name] -= rate * mean / (np.sqrt(square) + 1e-8)


def loss(answers: Array, true: Array) -> tuple[float, Array]:
    """Cross-entropy of voicing plus, where voiced, how far off the octaves are (Huber's distance).

    Returns it with its derivative by the answers [time, batch, 2]; `true` is Hz, 0 for unvoiced.
    """
    voiced = true > 0
    logit = answers[..., 0]
    entropy = np.logaddexp(0, logit) - voiced * logit
    octaves = np.log2(np.where(voiced, true, MIDDLE) / MIDDLE)
    off = (answers[..., 1] - octaves) * voiced
    knee = np.float32(0.03)
    distance = np.where(np.abs(off) < knee, off**2 / (2 * knee), np.abs(off) - knee / 2)
    weight = 4.0
    slope = np.stack([1 / (1 + np.exp(-logit)) - voiced, weight * np.clip(off / knee, -1, 1)], -1)
    return float(np.mean(entropy + weight * distance)), (slope / true.size).astype(np.float32)


def lesson(voices: list[Voice]) -> tuple[Array, Array]:
    """What is heard [time, voice, LINES], and the pitch to find in it [time, voice]."""
    heard = np.stack([voice.frames(v.sound) for v in voices], axis=1)
    return heard, np.stack([voice.truth(v) for v in voices], axis=1)


def score(network: Network, voices: list[Voice]) -> Score:
    heard, true = lesson(voices)
    answers = network.answer(heard)
    return Score.of(voice.pitch(answers), true)


def train(steps: int, quantized_steps: int, clips: int) -> Network:
    voices = [voice.synthesize(SECONDS, seed) for seed in range(clips)]
    heard, true = lesson(voices)
    test = voice.held_out()
    random = np.random.default_rng(0)
    network = Network.random(0)
    started = time.monotonic()
    for quantized, count, top in ((False, steps, RATE), (True, quantized_steps, QUANTIZED_RATE)):
        network.quantized = quantized
        if quantized:
            network.ranges["lstm0"] = round(float(np.percentile(np.abs(heard), 99.99)), 3)
        optimizer = Adam(network.parameters)
        for step in range(count):
            batch = random.choice(clips, BATCH, replace=False)
            value, gradient = network.gradient(heard[:, batch], partial(loss, true=true[:, batch]))
            rate = top * min(1.0, (step + 1) / 50) * (1 + np.cos(np.pi * step / count)) / 2
            optimizer.step(gradient, rate)
            if (step + 1) % 50 == 0 or step + 1 == count:
                s = score(network, test)
                print(
                    f"{'int8' if quantized else 'f32'} step {step + 1:4}: loss {value:.4f}, "
                    f"held out: voicing {s.voicing:.2%}, within 50 cents {s.near:.2%}, "
                    f"median {s.cents:.1f} cents ({time.monotonic() - started:.0f} s)",
                    flush=True,
                )
    return network


def export(network: Network) -> dict[str, NDArray[Any]]:
    """i8 codes, their scales, biases, and the quantizers' ranges, by name."""
    arrays: dict[str, NDArray[Any]] = {}
    for name, parameter in network.parameters.items():
        if name in WEIGHTS:
            arrays[name], arrays[f"{name}.scale"] = codes(parameter)
        else:
            arrays[name] = parameter[None]
    for name, high in network.ranges.items():
        arrays[f"{name}.range"] = np.array(high, np.float32)
    for name in LAYERS:
        arrays[f"{name}.state.range"] = np.array(STATE_RANGE, np.float32)
    return arrays


def save(arrays: dict[str, NDArray[Any]], file: Path) -> None:
    """Imports the network's OpenVINO form, as any quantized model is, and writes it as .mlir."""
    with tempfile.TemporaryDirectory() as folder:
        xml = Path(folder) / "pitch.xml"
        openvino.save_model(openvino_model(arrays), xml, compress_to_fp16=False)
        lowstream.save_model(lowstream.read_model(xml), file)


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawTextHelpFormatter
    )
    parser.add_argument("--steps", type=int, default=STEPS, help="in f32")
    parser.add_argument("--quantized-steps", type=int, default=QUANTIZED_STEPS, help="then in int8")
    parser.add_argument("--clips", type=int, default=CLIPS, help=f"to learn from, {SECONDS} s each")
    parser.add_argument(
        "-o", "--output", type=Path, default=Path(__file__).with_name("pitch.mlir"), help=".mlir"
    )
    arguments = parser.parse_args()
    network = train(arguments.steps, arguments.quantized_steps, arguments.clips)
    save(export(network), arguments.output)


if __name__ == "__main__":
    main()
