"""
Candidates come in the order of their scores, and each is compared only with the boxes that were taken before it.

The numbers and scores of the candidates are a binary heap, the best one at the root: few of them may be needed, so they
are not sorted as a whole. The coordinates of the boxes that were taken are stored without gaps, so that whole vectors
of them are compared with a candidate, the last ones first, until one of them suppresses it.
"""

from __future__ import annotations

from dataclasses import dataclass

from .. import ir
from ..body import emit_body
from ..loop_nest import Values
from ..vectors import I1, I64, broadcast, index, loop_while
from .suppression import Suppression


@dataclass(frozen=True)
class _Candidate:
    """A box that may be taken; both are vectors of one lane."""

    score: ir.Value
    number: ir.Value


class HardSuppression(Suppression):
    """One class of one row, whose scores stay what they are."""

    def take(self) -> ir.Value:
        b = self.b

        def step(carried: Values) -> Values:
            taken, left = carried
            best, last = self._candidate(index(0)), b.sub(left, index(1))
            self._sift(index(0), self._candidate(last), last)
            stays = self._stays_beside(best, taken)
            with b.if_then(stays):
                self._add(best, taken)
            return [b.add(taken, b.zext(stays, I64)), last]

        left = self.begin([])
        self._make_heap(left)
        return loop_while(b, [index(0), left], self.more, step)[0]

    def _make_heap(self, count: ir.Value) -> None:
        """Sifts each candidate that has children, from the last one to the root."""
        b = self.b

        def more(carried: Values) -> ir.Value:
            return b.icmp_signed(">", carried[0], index(0))

        def step(carried: Values) -> Values:
            place = b.sub(carried[0], index(1))
            self._sift(place, self._candidate(place), count)
            return [place]

        loop_while(b, [b.lshr(count, index(1))], more, step)

    def _sift(self, place: ir.Value, candidate: _Candidate, count: ir.Value) -> None:
        """Puts a candidate at this place of a heap, or below it, where better ones move up."""
        b = self.b

        def child(place: ir.Value) -> ir.Value:
            return b.add(b.shl(place, index(1)), index(1))

        def more(carried: Values) -> ir.Value:
            place, moves = carried
            return b.and_(moves, b.icmp_signed("<", child(place), count))

        def step(carried: Values) -> Values:
            place, _ = carried
            first = child(place)
            second = b.add(first, index(1))
            second = b.select(b.icmp_signed("<", second, count), second, first)
            is_second = self._is_better(self._candidate(second), self._candidate(first))
            best = b.select(is_second, second, first)
            moved = self._candidate(best)
            moves = self._is_better(moved, candidate)
            with b.if_then(moves):
                self._put(place, moved)
            return [b.select(moves, best, place), moves]

        place, _ = loop_while(b, [place, ir.Constant(I1, 1)], more, step)
        self._put(place, candidate)

    def _candidate(self, place: ir.Value) -> _Candidate:
        return _Candidate(self.left_scores.load(place), self.numbers.load(place))

    def _put(self, place: ir.Value, candidate: _Candidate) -> None:
        self.left_scores.store(place, candidate.score)
        self.numbers.store(place, candidate.number)

    def _is_better(self, x: _Candidate, y: _Candidate) -> ir.Value:
        """Of equal scores the first one is better."""
        b = self.b
        equal = b.fcmp_ordered("==", x.score, y.score)
        is_first = b.icmp_signed("<", x.number, y.number)
        better = b.or_(b.fcmp_ordered(">", x.score, y.score), b.and_(equal, is_first))
        return b.extract_element(better, index(0))

    def _stays_beside(self, candidate: _Candidate, taken: ir.Value) -> ir.Value:
        """
        Whether none of so many taken boxes suppresses a candidate. The last vector that is compared begins at the first
        box, so some of its boxes may have been compared before.
        """
        b, lanes = self.b, self._lanes
        number = self._number(candidate)
        score = broadcast(b, b.extract_element(candidate.score, index(0)), lanes)
        box = [column.repeated(number, lanes) for column in self.boxes]

        def more(carried: Values) -> ir.Value:
            end, stays = carried
            return b.and_(stays, b.icmp_signed(">", end, index(0)))

        def step(carried: Values) -> Values:
            start = b.sub(carried[0], index(lanes))
            first = b.smax(start, index(0))
            others = [column.load(first, lanes) for column in self.room]
            (new,) = emit_body(b, self.isa, self.body, lanes, [score, *others, *box])
            bits = self.bits(self.stays(new))
            return [start, b.icmp_signed("==", bits, ir.Constant(ir.IntType(lanes), -1))]

        return loop_while(b, [taken, ir.Constant(I1, 1)], more, step)[1]

    def _add(self, candidate: _Candidate, taken: ir.Value) -> None:
        """Takes a candidate. The first one fills a whole vector, which is compared before there are as many boxes."""
        b, number = self.b, self._number(candidate)
        self.taken.store(taken, candidate.number)
        self.taken_scores.store(taken, candidate.score)
        with b.if_then(b.icmp_signed("==", taken, index(0))):
            for to, of in zip(self.room, self.boxes, strict=True):
                to.store(index(0), of.repeated(number, self._lanes))
        for to, of in zip(self.room, self.boxes, strict=True):
            to.store(taken, of.load(number))

    def _number(self, candidate: _Candidate) -> ir.Value:
        return self.b.sext(self.b.extract_element(candidate.number, index(0)), I64)

    @property
    def _lanes(self) -> int:
        """Taken boxes that are compared at once; there is room for no more than all boxes."""
        return self.isa.lanes if self.isa.lanes <= self.size else 1
