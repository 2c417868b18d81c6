"""A synthesized voice whose pitch is known, and what the network hears and is asked about it.

The voice sings vowels: harmonics of a gliding, trembling fundamental (sometimes a faint one) under
moving formants, interrupted by hisses, plosive bursts and pauses, over a noise floor. Every 10 ms
the network hears one frame, the lowest 64 lines of the log spectrum of the last 64 ms.
"""

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

Array = NDArray[np.float32]

RATE = 8000  # samples per second
HOP = 80  # samples between frames: 10 ms
WINDOW = 512  # samples a frame looks back on: 64 ms, so lines are 15.6 Hz apart
LINES = 64  # spectral lines in a frame: up to 1 kHz
DELAY = WINDOW / 2 / RATE  # seconds from a sound to the middle of the window that hears it

LOWEST, HIGHEST = 80.0, 400.0  # Hz, of the fundamental
MIDDLE = 160.0  # Hz; the network gives pitch in octaves from here
BANDWIDTH = 3600.0  # Hz; no harmonic above, so nothing aliases

# The first three formants of a, e, i, o, u (after Peterson and Barney, 1952), Hz.
VOWELS = np.array(
    [[730, 1090, 2440], [530, 1840, 2480], [270, 2290, 3010], [570, 840, 2410], [300, 870, 2240]],
    np.float64,
)
FORMANT_WIDTHS = np.array([80.0, 100.0, 140.0])  # Hz


@dataclass(frozen=True)
class Voice:
    """A sound and its fundamental, both per sample; 0 Hz where there is no pitch."""

    sound: Array
    fundamental: Array


def synthesize(seconds: float, seed: int) -> Voice:
    """The voice number `seed`: vowels, hisses, bursts and pauses in random order."""
    random = np.random.default_rng(seed)
    length = round(seconds * RATE)
    sound = np.zeros(length)
    fundamental = np.zeros(length)
    loudness = 10 ** random.uniform(-1.3, -0.5)
    at = round(random.uniform(0, 0.3) * RATE)
    while at < length:
        kind = random.choice(["vowel", "hiss", "burst", "pause"], p=[0.45, 0.25, 0.1, 0.2])
        longest = {"vowel": 1.4, "hiss": 0.2, "burst": 0.06, "pause": 0.4}[kind]
        count = min(length - at, round(random.uniform(longest / 5, longest) * RATE) + 1)
        part = slice(at, at + count)
        if kind == "vowel":
            fundamental[part] = melody(count, random)
            sound[part] = loudness * vowel(fundamental[part], random)
        elif kind in ("hiss", "burst"):
            noise = np.diff(random.normal(0, 0.3, count + 1), n=int(random.integers(0, 2)))
            sound[part] = loudness * random.uniform(0.2, 1.0) * envelope(count) * noise[:count]
        at += count
    floor = loudness * 10 ** random.uniform(-2.2, -1.2)
    sound += random.normal(0, floor, length)
    return Voice(sound.astype(np.float32), fundamental.astype(np.float32))


def envelope(count: int) -> NDArray[np.float64]:
    """Fades in and out within 15 ms (or half the part, when that is shorter)."""
    edge = min(count / 2, 0.015 * RATE)
    from_edge = np.minimum(np.arange(count) + 0.5, count - 0.5 - np.arange(count))
    return np.sin(np.pi / 2 * np.minimum(1.0, from_edge / edge)) ** 2


def melody(count: int, random: np.random.Generator) -> NDArray[np.float64]:
    """A fundamental that glides from one pitch over another to a third, with vibrato."""
    limits = np.log2(LOWEST * 1.05), np.log2(HIGHEST / 1.05)
    middle = random.uniform(*limits)
    reach = random.uniform(0.0, 0.6) * min(1.0, 2 * count / RATE)  # octaves; short parts glide less
    points = np.clip(middle + random.uniform(-reach, reach, 3), *limits)
    place = np.linspace(0.0, 2.0, count, endpoint=False)
    smooth = (1 - np.cos(np.pi * (place % 1.0))) / 2
    before = np.minimum(place.astype(int), 1)
    octave = points[before] * (1 - smooth) + points[before + 1] * smooth
    seconds = np.arange(count) / RATE
    depth = random.uniform(0, 50) / 1200 * np.minimum(1.0, seconds / 0.3)  # grows as singers' does
    vibrato = depth * np.sin(2 * np.pi * (random.uniform(4.5, 6.5) * seconds + random.uniform()))
    return np.clip(2.0 ** (octave + vibrato), LOWEST, HIGHEST)


def vowel(fundamental: NDArray[np.float64], random: np.random.Generator) -> NDArray[np.float64]:
    """Harmonics in phase, so they add up to glottal pulses, each as loud as the formants let it be.

    Amplitudes are computed every hop and interpolated: formants move much more slowly than that.
    """
    count = len(fundamental)
    ticks = np.arange(0, count + HOP, HOP)
    pitch = np.interp(ticks, np.arange(count), fundamental)
    start, end = VOWELS[random.choice(len(VOWELS), 2)] * random.uniform(0.85, 1.2)
    formants = start + (end - start) * np.linspace(0, 1, len(ticks))[:, None]
    phase = np.cumsum(2 * np.pi * fundamental / RATE) % (2 * np.pi)
    tilt = random.uniform(0.8, 1.4)
    faint = 10 ** random.uniform(-1.0, 0.0)  # how much of the fundamental itself is left
    out = np.zeros(count)
    for harmonic in range(1, int(BANDWIDTH / fundamental.min()) + 1):
        frequency = harmonic * pitch
        resonances = 1 / np.hypot(
            1 - (frequency[:, None] / formants) ** 2,
            FORMANT_WIDTHS * frequency[:, None] / formants**2,
        )
        amplitude = resonances.prod(axis=1) * harmonic**-tilt * (frequency < BANDWIDTH)
        if harmonic == 1:
            amplitude *= faint
        out += np.interp(np.arange(count), ticks, amplitude) * np.cos(
            (harmonic * phase).astype(np.float32)
        )
    breath = random.normal(0, random.uniform(0.0, 0.05), count)
    return envelope(count) * (out / (np.sqrt(np.mean(out**2)) * 2) + breath)


def held_out() -> list[Voice]:
    """Voices that training never hears, to be judged by."""
    return [synthesize(6.0, 1_000_000 + k) for k in range(20)]


HANN = np.hanning(WINDOW + 1)[:-1]


def spectrum(window: Array) -> Array:
    """The frame of the last WINDOW samples: log magnitudes, about -1 for silence to 1 for loud."""
    lines = np.abs(np.fft.rfft(HANN * window, axis=-1)[..., 1 : LINES + 1])
    return ((np.log10(lines + 0.01) + 0.25) / 1.75).astype(np.float32)


def stream(sound: Array) -> Iterator[Array]:
    """One frame [LINES] per hop, as a microphone would allow: nothing later is looked at."""
    window = np.zeros(WINDOW, np.float32)
    for at in range(0, len(sound) - HOP + 1, HOP):
        window = np.concatenate([window[HOP:], sound[at : at + HOP]])
        yield spectrum(window)


def frames(sound: Array) -> Array:
    """What `stream` yields, at once: [frames, LINES]."""
    padded = np.concatenate([np.zeros(WINDOW - HOP, np.float32), sound])
    windows = np.lib.stride_tricks.sliding_window_view(padded, WINDOW)
    return spectrum(windows[::HOP])


def truth(voice: Voice) -> Array:
    """The fundamental in Hz that each frame of `frames(voice.sound)` should yield, 0 for none.

    That is the one in the middle of its window: the network answers DELAY late.
    """
    ends = np.arange(1, len(voice.sound) // HOP + 1) * HOP
    middles = ends - WINDOW // 2
    return np.where(middles >= 0, voice.fundamental[np.maximum(middles, 0)], 0).astype(np.float32)


def pitch(answers: Array) -> Array:
    """The network's answers [..., 2], as a fundamental in Hz, 0 for none.

    An answer is the logit of there being a pitch, and that pitch in octaves from MIDDLE.
    """
    return np.where(answers[..., 0] > 0, MIDDLE * 2.0 ** answers[..., 1], 0).astype(np.float32)


@dataclass(frozen=True)
class Score:
    """How near a found pitch is to the true one."""

    voicing: float  # frames where both or neither have a pitch, of all
    near: float  # frames within half a semitone, of those where both have one
    cents: float  # the median distance there; a semitone is 100 cents

    @classmethod
    def of(cls, found: Array, true: Array) -> "Score":
        both = (found > 0) & (true > 0)
        cents = 1200 * np.abs(np.log2(found[both] / true[both])) if both.any() else np.zeros(1)
        return cls(
            float(np.mean((found > 0) == (true > 0))),
            float(np.mean(cents < 50)),
            float(np.median(cents)),
        )
