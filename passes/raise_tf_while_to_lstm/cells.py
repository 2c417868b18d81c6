"""The formulas of an LSTM's, a GRU's and a simple RNN's step."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import permutations, product

from ...dialects import rnn
from .formulas import (
    Activated,
    AffineSum,
    CarriedValue,
    Chosen,
    Element,
    Formula,
    Rest,
    Sum,
    Times,
    WeightedFactor,
)

Gate = tuple[AffineSum, AffineSum]
"""What enters a gate: the part with the input, and the part with the output of the step before."""


@dataclass(frozen=True)
class Cell:
    """
    One step: the element it takes, its states before and after, what enters its gates in the order of `rnn`, and the
    activations of `rnn`'s attribute.
    """

    kind: type[rnn.SequenceOp]
    x: Element
    states: tuple[CarriedValue, ...]
    after: tuple[Formula, ...]
    gates: tuple[Gate, ...]
    activations: tuple[Activated, ...]
    linear_before_reset: bool = False


def factors(formula: Formula, count: int = 2) -> Iterator[Sequence[Formula]]:
    """The factors of a product, in every order."""
    if isinstance(formula, Times) and len(formula.factors) == count:
        yield from permutations(formula.factors)


def terms(formula: Formula, count: int = 2) -> Iterator[Sequence[Formula]]:
    """The terms of a sum, in every order."""
    if isinstance(formula, Sum) and len(formula.terms) == count:
        yield from permutations(formula.terms)


def unmasked(formula: Formula) -> Formula:
    """What a step gives where it counts."""
    return formula.yes if isinstance(formula, Chosen) else formula


def sides(affine: Formula, h: Formula) -> tuple[Element, Gate] | None:
    """What enters a gate from the input, and from `h`; vectors go with the input."""
    if not isinstance(affine, AffineSum) or len(affine.products) != 2:
        return None
    for first, second in permutations(affine.products):
        if isinstance(first.factor, Element) and second.factor == h:
            width = affine.width
            own = AffineSum((first,), affine.vectors, width)
            return first.factor, (own, AffineSum((second,), (), width))
    return None


def lstm(h: CarriedValue, c: CarriedValue, new_h: Formula, new_c: Formula) -> Cell | None:
    """`c' = f(z_f) c + f(z_i) g(z_c);  h' = f(z_o) k(c')`"""
    for leave, shown in factors(new_h):
        if not (isinstance(shown, Activated) and shown.argument == new_c):
            continue
        for kept, entered in terms(new_c):
            for (forget, old), (enter, candidate) in product(factors(kept), factors(entered)):
                if old != c or not _same_function(forget, enter, leave):
                    continue
                gates, functions = [forget, enter, candidate, leave], (forget, candidate, shown)
                cell = _cell(rnn.LstmSequenceOp, gates, (h, c), (new_h, new_c), functions)
                if cell is not None:
                    return cell
    return None


def gru(h: CarriedValue, new_h: Formula) -> Cell | None:
    """`h' = z h + (1 - z) g(…)`"""
    for kept, entered in terms(new_h):
        for (update, old), (rest, candidate) in product(factors(kept), factors(entered)):
            if old != h or rest != Rest(update) or not isinstance(update, Activated):
                continue
            if isinstance(candidate, Activated) and (found := _gru(h, new_h, update, candidate)):
                return found
    return None


def _gru(h: CarriedValue, new_h: Formula, update: Activated, candidate: Activated) -> Cell | None:
    gate = sides(update.argument, h)
    for reset, own, recurrent, linear in _resets(h, candidate.argument):
        other = sides(reset.argument, h)
        if gate is None or other is None or not _same_function(update, reset):
            continue
        if gate[0] != other[0] or own.products[0].factor != gate[0]:
            continue
        gates = (gate[1], other[1], (own, recurrent))
        functions = update, candidate
        return Cell(rnn.GruSequenceOp, gate[0], (h,), (new_h,), gates, functions, linear)
    return None


def _resets(
    h: CarriedValue, argument: Formula
) -> Iterator[tuple[Activated, AffineSum, AffineSum, bool]]:
    """The reset gate, and the two sides of the candidate, in both forms of a GRU."""
    for own, scaled in terms(argument):
        for reset, recurrent in factors(scaled):
            if (
                isinstance(own, AffineSum)
                and len(own.products) == 1
                and isinstance(reset, Activated)
                and isinstance(recurrent, AffineSum)
                and [product.factor for product in recurrent.products] == [h]
            ):
                yield reset, own, recurrent, True
    if isinstance(argument, AffineSum) and len(argument.products) == 2:
        for own, scaled in permutations(argument.products):
            for reset, old in factors(scaled.factor):
                if old == h and isinstance(reset, Activated):
                    width = argument.width
                    x = AffineSum((own,), argument.vectors, width)
                    yield (
                        reset,
                        x,
                        AffineSum((WeightedFactor(h, scaled.weights),), (), width),
                        False,
                    )


def simple(h: CarriedValue, new_h: Formula) -> Cell | None:
    """`h' = f(z)`"""
    return _cell(rnn.RnnSequenceOp, [new_h], (h,), (new_h,), (new_h,))


def _cell(
    kind: type[rnn.SequenceOp],
    gates: Sequence[Formula],
    states: tuple[CarriedValue, ...],
    after: tuple[Formula, ...],
    functions: Sequence[Formula],
) -> Cell | None:
    """A cell whose gates are activations of a sum with the same input and output."""
    activated = [gate for gate in gates if isinstance(gate, Activated)]
    found = [side for gate in activated if (side := sides(gate.argument, states[0])) is not None]
    if len(found) < len(gates) or len({x for x, _ in found}) != 1:
        return None
    activations = tuple(each for each in functions if isinstance(each, Activated))
    return Cell(kind, found[0][0], states, after, tuple(gate for _, gate in found), activations)


def _same_function(*gates: Formula) -> bool:
    found = {
        (gate.function, gate.alpha, gate.beta) if isinstance(gate, Activated) else None
        for gate in gates
    }
    return len(found) == 1 and None not in found
