"""What users can do about a layer that is not in low precision: the advice in its reason, or the one listed here."""

from __future__ import annotations

import re

NOTHING = "nothing to change"
"""The beginning of the advice where nothing needs to change."""

_OTHERS = tuple(
    (re.compile(pattern), advice)
    for pattern, advice in (
        (r"levels; low precision takes (\d+ to \d+)", r"give it \1 levels"),
        (
            r"products, and 32 bits may overflow; (\d+) are safe",
            r"sum at most \1 products in one layer, then add",
        ),
        (r"takes one scale there, so ([^(]*[^( ])", r"\1"),
        (r"mode '.*' gives values between codes; 'nearest' gives codes", "use mode 'nearest'"),
        (r"computed while running; low precision takes constants", "give it constant limits"),
        (
            r"single point other than 0|interval that is too short for f32",
            "give it a wider interval",
        ),
        (r"it is dequantized in front of it", f"{NOTHING}: the kernel of its product does that"),
        (r"the FakeQuantize behind it gives codes", f"{NOTHING}: one kernel computes both"),
        (r"it adds a bias, which belongs to", f"{NOTHING}: the kernel of its product adds it"),
        (r"codes that are used as they are", f"{NOTHING}: its codes are used as they are"),
        (r"it gives integers, which are exact", f"{NOTHING}"),
        (r"it turns codes back into values", f"{NOTHING}: it is computed with what reads it"),
        (
            r"its body has a row for each operation",
            f"{NOTHING}: look at the operations of its body",
        ),
        (r"a FakeQuantize behind it makes codes", "put that FakeQuantize in front of it"),
        (
            r"its inputs are not quantized$",
            f"{NOTHING}: it is no product; quantize what products read",
        ),
        (
            r"computes on the codes of its other input",
            f"{NOTHING}: one of two inputs is read as codes, the other as values",
        ),
        (r"nothing behind it computes on 8-bit codes", "remove it, or quantize what reads it"),
        (r"has no 8-bit form", f"{NOTHING}: it computes in floating point in every model"),
        (r"is computed; weights in low precision", "make the weights constant"),
        (r"scales along dimensions .*; one can be kept", "quantize it per tensor"),
        (r"its constant (?:is larger than|differs along)", "quantize its other input, too"),
        (
            r"lets the reset gate enlarge",
            "use an activation that is bounded: Tanh, Sigmoid, HardSigmoid",
        ),
        (
            r"(?:keeps input \d in floating point|disables .*)$",
            "use a preset that computes it: lpt{preset=…}",
        ),
        (r"a callback of the configuration", "let the callback of the configuration pass it"),
        (
            r"no 8-bit type that .* lets its consumers take",
            "use a preset with types that its consumers share: lpt{preset=…}",
        ),
        (
            r"(?:has|an input has) a scale of 0",
            "widen the interval of its FakeQuantize: all its values are 0",
        ),
        (
            r"negative scale",
            "make the scale positive: negate the weights or the constant behind it",
        ),
        (r"scale in front of it that is not positive", "make the constant in front of it positive"),
        (
            r"too far apart|(?:too large|cannot be divided by)|that no numbers express",
            "give its inputs FakeQuantize of like intervals",
        ),
        (r"is broadcast along the dimension in which", "quantize the other input per tensor"),
        (r"nothing quantized is ever given to it", "put a FakeQuantize on what is given to it"),
        (r"has values off the grid", "give it values that the FakeQuantize keeps"),
    )
)
"""By a pattern of a reason without advice, the advice; `\1` is a group of the pattern."""

_NAMES = re.compile(r" \(FakeQuantize ('.*')\)$")


def advice_about(reason: str) -> str:
    """The advice for this reason; empty where there is none."""
    for pattern, advice in _OTHERS:
        if (found := pattern.search(reason)) is not None:
            return found.expand(advice)
    _, mark, last = _NAMES.sub("", reason).rpartition("; ")
    return last if mark else ""


def named_in(reason: str) -> list[str]:
    """The names in a reason; the FakeQuantize that it is about is the last one."""
    return re.findall(r"'([^']*)'", reason)
