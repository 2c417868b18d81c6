"""Fourier transforms, of whole signals and of frames."""

import numpy as np
import pytest
from xdsl.utils.exceptions import DiagnosticException

from lowstream import compile_model, read_model
from lowstream.test.unit.interop.onnx.graphs import FLOAT, check, model, node, random


def test_spectra_of_signals_and_frames():
    inputs = {"real": (FLOAT, [2, 10, 1]), "complex": (FLOAT, [2, 10, 2])}
    numbers = {"size": 8, "four": 4, "three": 3, "axis": 1}
    nodes = [
        node("DFT", "real - axis", "pairs"),
        node("DFT", "real size axis", "half", onesided=1),
        node("DFT", "complex", "whole"),
        node("DFT", "complex - axis", "back", inverse=1),
        node("STFT", "real three window", "frames"),
        node("STFT", "real three - four", "both", onesided=0),
    ]
    constants = {name: np.array(value, np.int64) for name, value in numbers.items()}
    proto = model(
        nodes,
        inputs,
        "pairs half whole back frames both",
        {**constants, "window": random(5, seed=2)},
    )
    check(proto, {"real": random(2, 10, 1), "complex": random(2, 10, 2, seed=1)})


@pytest.mark.parametrize(
    ("length", "size", "step"), [(11, 6, 3), (12, 5, 2), (13, 5, 3), (9, 3, 5), (76, 70, 1)]
)
def test_signals_without_a_last_dimension(length: int, size: int, step: int):
    """As exporters write them; of an unknown length, too. Frames end before the signal or with it; rows may be many."""
    proto = model(
        [node("STFT", "x step window", "frames")],
        {"x": (FLOAT, ["batch", "length"])},
        "frames",
        {"step": np.array(step, np.int64), "window": random(size, seed=2)},
    )
    check(proto, {"x": random(2, length)}, 1e-3)  # ONNX Runtime sums in f32


def test_frames_of_an_unknown_signal_are_refused():
    nodes = [node("STFT", "x three window", "frames", onesided=0)]
    constants = {"three": np.array(3, np.int64), "window": random(6, seed=2)}
    proto = model(nodes, {"x": (FLOAT, [2, "length", 1])}, "frames", constants)
    with pytest.raises(DiagnosticException, match=r"3 apart, of a signal \[\?\] are not"):
        read_model(proto)


@pytest.mark.parametrize(
    "edges",
    [(8, 16, 8192, 0.0, 4096.0), (40, 512, 16000, 20.0, 7600.0), (5, 8, 8000, 100.0, 300.0)],
)
def test_bands_of_the_mel_scale(edges: tuple[float, ...]):
    """Also where bands are narrower than frequencies are far apart."""
    names = ["bands", "length", "rate", "low", "high"]
    constants = {
        name: np.array(edge) if isinstance(edge, int) else np.array(edge, np.float32)
        for name, edge in zip(names, edges, strict=True)
    }
    nodes = [node("MelWeightMatrix", " ".join(names), "m"), node("Add", "m x", "y")]
    proto = model(nodes, {"x": (FLOAT, [1, 1])}, "y", constants)
    check(proto, {"x": random(1, 1)})


@pytest.mark.parametrize("edges", [(0.0, 5000.0), (300.0, 100.0), (-5.0, 100.0)])
def test_bands_of_frequencies_that_a_signal_has_not_are_refused(edges: tuple[float, float]):
    constants = {"four": np.array(4), "rate": np.array(8000)}
    constants |= {name: np.array(edge, np.float32) for name, edge in zip("ab", edges, strict=True)}
    proto = model([node("MelWeightMatrix", "four four rate a b", "y")], {}, "y", constants)
    with pytest.raises(
        DiagnosticException, match=r"MelWeightMatrix 'y': frequencies from .* are none"
    ):
        read_model(proto)


def test_the_axis_was_an_attribute():
    nodes = [node("DFT", "x", "first"), node("DFT", "x", "other", axis=2)]
    proto = model(nodes, {"x": (FLOAT, [2, 4, 5, 2])}, "first other", opset=17)
    check(proto, {"x": random(2, 4, 5, 2)})


def test_one_side_of_a_spectrum_gives_real_numbers():
    """ONNX Runtime has no such transform; NumPy has."""
    proto = model(
        [node("DFT", "x", "y", onesided=1, inverse=1)], {"x": (FLOAT, [2, 5, 2])}, "y", opset=20
    )
    x = random(2, 5, 2)
    result = np.asarray(compile_model(read_model(proto)).create_infer_request().infer({"x": x})[0])
    wanted = np.fft.irfft(x[..., 0] + 1j * x[..., 1])[..., None]
    np.testing.assert_allclose(result, wanted, 1e-5, 1e-5)


def test_one_side_of_complex_numbers_is_refused():
    proto = model([node("DFT", "x", "y", onesided=1)], {"x": (FLOAT, [2, 5, 2])}, "y", opset=20)
    with pytest.raises(DiagnosticException, match="one side of a spectrum is that of real numbers"):
        read_model(proto)
