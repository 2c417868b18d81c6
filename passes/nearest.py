"""Suggestions for misspelled words."""

from __future__ import annotations

from collections.abc import Iterable

ALIKE = 0.1
"""How much less similar than the best suggestion the second one may be, of 1."""


def nearest(word: str, known: Iterable[str]) -> list[str]:
    """The known word that is most similar to a word in any case, and a second one that is nearly as similar."""
    from difflib import SequenceMatcher, get_close_matches  # few words are wrong

    word, by_folded = word.casefold(), {each.casefold(): each for each in known}
    found = get_close_matches(word, by_folded, 2)
    ratios = [SequenceMatcher(None, each, word).ratio() for each in found]
    alike = zip(found, ratios, strict=True)
    return [by_folded[each] for each, ratio in alike if ratio > ratios[0] - ALIKE]


def other_names(name: str, known: Iterable[str]) -> str:
    """The advice where a model has nothing of this name: similar names, or where to find all."""
    near = " or ".join(map(repr, nearest(name, known)))
    return (
        f"did you mean {near}?"
        if near
        else "names are the attributes nn.name of the printed module"
    )
