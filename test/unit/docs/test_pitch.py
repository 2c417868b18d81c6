"""The pitch example: its signal, its network's gradients, and the network as an OpenVINO model."""

import importlib

import numpy as np
import pytest

import lowstream
from lowstream.test.unit.interop.narrow_weights import LARGEST

voice = importlib.import_module("voice")
network = importlib.import_module("network")
train = importlib.import_module("train")

SECOND = voice.RATE
EXACT = {"INFERENCE_PRECISION_HINT": "f32", "DYNAMIC_QUANTIZATION_GROUP_SIZE": 0}
"""Else OpenVINO quantizes what meets an i8 weight, on its own account."""


def test_a_voice_is_the_same_each_time_and_within_its_range():
    first, again, other = voice.synthesize(2, 7), voice.synthesize(2, 7), voice.synthesize(2, 8)
    assert np.array_equal(first.sound, again.sound)
    assert not np.array_equal(first.sound, other.sound)
    sung = first.fundamental[first.fundamental > 0]
    assert voice.LOWEST <= sung.min() <= sung.max() <= voice.HIGHEST
    assert np.abs(first.sound).max() < 2


def test_streamed_frames_are_the_frames_at_once():
    sound = voice.synthesize(1.003, 3).sound
    assert np.array_equal(np.stack(list(voice.stream(sound))), voice.frames(sound))


@pytest.mark.parametrize("samples", [80, 81, 159, 160, 511, 512, 513])
def test_each_hop_yields_a_frame_and_a_truth(samples: int):
    spoken = voice.synthesize(samples / SECOND, 3)
    assert len(list(voice.stream(spoken.sound))) == samples // voice.HOP
    assert len(voice.frames(spoken.sound)) == samples // voice.HOP
    assert len(voice.truth(spoken)) == samples // voice.HOP


def test_a_frame_knows_nothing_later():
    sound = voice.synthesize(1, 3).sound
    cut = sound.copy()
    cut[40 * voice.HOP :] = 1
    same = voice.frames(sound) == voice.frames(cut)
    assert same[:40].all()
    assert not same[40].all()


def test_the_truth_is_the_pitch_half_a_window_ago():
    fundamental = np.zeros(SECOND, np.float32)
    fundamental[2000:] = 200
    true = voice.truth(voice.Voice(np.zeros(SECOND, np.float32), fundamental))
    first = int(np.argmax(true > 0))
    assert (first + 1) * voice.HOP - voice.WINDOW // 2 - 2000 in range(voice.HOP)


def test_the_fundamental_is_heard_where_the_truth_says():
    """A tone of the true pitch puts the peak of its frame on the nearest line."""
    tone = np.sin(2 * np.pi * 312.5 * np.arange(SECOND) / SECOND).astype(np.float32)
    assert (voice.frames(tone)[50].argmax() + 1) * voice.RATE / voice.WINDOW == 312.5


def test_pitch_reads_answers():
    answers = np.array([[2.0, 1.0], [0.1, -1.0], [-3.0, 1.0]], np.float32)
    assert voice.pitch(answers).tolist() == [2 * voice.MIDDLE, voice.MIDDLE / 2, 0]


def test_a_score_counts_voicing_everywhere_and_distance_where_both_have_a_pitch():
    true = np.array([100, 100, 0, 0, 100], np.float32)
    found = np.array([100, 100 * 2 ** (1 / 12), 0, 90, 0], np.float32)
    score = voice.Score.of(found, true)
    assert score.voicing == pytest.approx(3 / 5)
    assert score.near == pytest.approx(1 / 2)
    assert score.cents == pytest.approx(50, abs=0.01)


def test_codes_are_symmetric_per_output_channel():
    weights = np.random.default_rng(0).normal(size=(5, 9)).astype(np.float32)
    weights[3] = 0
    codes, scale = network.codes(weights)
    assert codes.dtype == np.int8
    assert scale.shape == (5, 1)
    assert np.abs(codes.astype(int)).max(axis=1).tolist() == [127, 127, 127, 0, 127]
    assert np.all(np.abs(codes * scale - weights) <= scale * 0.5001)


def test_fake_quantize_keeps_zero_and_both_ends():
    x = np.array([-2, -128 / 127, 0, 0.5 / 127 * 0.99, 1, 2], np.float32)
    codes = np.rint(network.fake_quantize(x, 1.0) * 127).tolist()
    assert codes == [-128, -128, 0, 0, 127, 127]


def lesson() -> tuple[np.ndarray, np.ndarray]:
    """Five frames for three voices, and their pitch."""
    random = np.random.default_rng(0)
    heard = random.normal(0, 0.5, (5, 3, voice.LINES)).astype(np.float32)
    pitch = random.uniform(80, 400, (5, 3)).astype(np.float32)
    return heard, pitch * (random.uniform(size=(5, 3)) > 0.4)


def test_gradients_are_those_of_the_loss():
    heard, true = lesson()
    random = np.random.default_rng(1)
    net = network.Network.random(1)
    _, gradient = net.gradient(heard, lambda answers: train.loss(answers, true))
    for name, slope in gradient.items():
        direction = random.normal(size=slope.shape).astype(np.float32)
        direction /= np.linalg.norm(direction)
        direction += slope / np.linalg.norm(slope)
        here, losses = net.parameters[name], []
        for step in (0.01, -0.01):
            net.parameters[name] = here + step * direction
            losses.append(train.loss(net.answer(heard), true)[0])
        net.parameters[name] = here
        measured = (losses[0] - losses[1]) / 0.02
        assert measured == pytest.approx(float(np.vdot(slope, direction)), rel=0.01), name


def test_a_lesson_lowers_the_loss_in_int8_too():
    heard, true = lesson()
    net = network.Network.random(1)
    net.quantized = True
    optimizer = train.Adam(net.parameters)
    losses: list[float] = []
    for _ in range(20):
        loss, gradient = net.gradient(heard, lambda answers: train.loss(answers, true))
        losses.append(loss)
        optimizer.step(gradient, 3e-3)
    assert losses[-1] < losses[0] / 2


@pytest.mark.parametrize(("quantized", "apart"), [(True, 1e-4), (False, 1e-6)])
def test_the_openvino_form_answers_as_the_network_does(
    quantized: bool, apart: float, monkeypatch: pytest.MonkeyPatch
):
    monkeypatch.setattr(network, "LARGEST_CODE", LARGEST)
    openvino = pytest.importorskip("openvino")
    form = importlib.import_module("openvino_form")
    net = network.Network.random(1)
    net.quantized = True
    arrays = train.export(net)
    if not quantized:
        net = net.float_twin()
        arrays = {name: array for name, array in arrays.items() if not name.endswith("range")}
    frames = lesson()[0][:1, :1]
    model = openvino.compile_model(form.openvino_model(arrays), "CPU", EXACT)
    assert np.abs(model([frames])[0] - net.answer(frames)).max() < apart


def test_a_stream_of_frames_is_answered_as_by_openvino(monkeypatch: pytest.MonkeyPatch):
    """Each frame, with states that both keep."""
    monkeypatch.setattr(network, "LARGEST_CODE", LARGEST)
    openvino = pytest.importorskip("openvino")
    passes = importlib.import_module("openvino.passes")
    form = importlib.import_module("openvino_form")
    net = network.Network.random(1)
    net.quantized = True
    theirs, ours = (form.openvino_model(train.export(net)) for _ in range(2))
    manager = passes.Manager()
    manager.register_pass(passes.LowLatency2())
    manager.run_passes(theirs)
    model = lowstream.read_model(ours)
    lowstream.run_passes(model, "lpt,low-latency2")
    requests = [
        openvino.compile_model(theirs, "CPU", EXACT).create_infer_request(),
        lowstream.compile_model(model).create_infer_request(),
    ]
    for frame in lesson()[0][:, :1]:
        one, other = (request.infer({"frame": frame[None]})["answers"] for request in requests)
        assert np.abs(one - other).max() < 1e-4
