"""What is slower than it was when the committed numbers were measured."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

SLOWER = 0.05
"""A ratio to a peer that is so much less than before, as a part, is told."""


def regressions(
    name: str,
    before: Mapping[str, Any],
    conditions: Mapping[str, Any],
    results: Sequence[Mapping[str, Any]],
) -> list[str]:
    """
    A line for each ratio to a peer that is lower than in the file of before, `{"conditions": …, name: […]}`; of
    another CPU, one that says so; nothing where nothing is known of before.
    """
    if (cpu := before["conditions"]["cpu"]) != conditions["cpu"]:
        return [f"{name}: the committed numbers are those of {cpu}; nothing to compare"]
    known = {_label(each): dict(_ratios(each)) for each in before[name]}
    found, compared = list[str](), False
    for each in results:
        label = _label(each)
        for peer, ratio in _ratios(each):
            was = known.get(label, {}).get(peer)
            compared |= was is not None
            if was is not None and ratio < (1 - SLOWER) * was:
                found.append(f"{name}: {label}: {ratio:.2f} of {peer}, was {was:.2f}")
    if compared and not found:
        return [f"{name}: no ratio is more than {SLOWER:.0%} below the committed one"]
    return found


def _label(result: Mapping[str, Any]) -> str:
    """What was measured: all that is a word or a whole number."""
    return ", ".join(str(each) for each in result.values() if isinstance(each, str | int))


def _ratios(result: Mapping[str, Any]) -> Iterator[tuple[str, float]]:
    """Each peer's median by ours; a time that has no peer is not compared."""
    if not isinstance(result.get("microseconds"), dict) and "pairs" not in result:
        return
    one = result.get("ratio", result.get("ratios", {}))
    yield from (one if isinstance(one, dict) else {"openvino": one}).items()
    for peer, pair in result.get("pairs", {}).items():
        yield peer, pair["ratio"]["median"]
