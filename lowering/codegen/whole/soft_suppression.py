"""
The best remaining box is taken, again and again, and each time the scores of those that are left are computed anew.

Remaining boxes are stored without gaps, their coordinates too, so that whole vectors of them are loaded. A sweep over
them computes new scores and removes suppressed boxes: a vector moves as a whole where all of its boxes stay, else one
box after the other. So each sweep takes less time, as fewer boxes remain.
"""

from __future__ import annotations

from .. import ir
from ..body import emit_body
from ..loop_nest import Values
from ..vectors import I64, broadcast, fold_lanes, index, loop_while, splat
from .suppression import Suppression


class SoftSuppression(Suppression):
    """One class of one row, whose scores change."""

    def take(self) -> ir.Value:
        b = self.b

        def take(carried: Values) -> Values:
            taken, left = carried
            place = self._best(left)
            self.taken.store(taken, self.numbers.load(place))
            self.taken_scores.store(taken, self.left_scores.load(place))
            return [b.add(taken, index(1)), self._rescore(left, place)]

        left = self.begin(list(zip(self.room, self.boxes, strict=True)))
        taken, _ = loop_while(b, [index(0), left], self.more, take)
        return taken

    def _rescore(self, count: ir.Value, place: ir.Value) -> ir.Value:
        """Computes new scores, and removes the box at `place` and all suppressed ones; gives the number of the rest."""
        b = self.b
        taken = {
            lanes: [column.repeated(place, lanes) for column in self.room]
            for lanes in (self.isa.lanes, 1)
        }

        def vector(k: ir.Value, lanes: int, carried: Values) -> Values:
            (left,) = carried
            number, old = self.numbers.load(k, lanes), self.left_scores.load(k, lanes)
            boxes = [column.load(k, lanes) for column in self.room]
            arguments = [old, *taken[lanes], *boxes]
            (new,) = emit_body(b, self.isa, self.body, lanes, arguments)
            is_taken = b.icmp_signed("==", self._places(k, lanes), broadcast(b, place, lanes))
            new = b.select(is_taken, splat(self.element, lanes, float("-inf")), new)
            stays = self.stays(new)
            all_stay = b.icmp_signed("==", self.bits(stays), ir.Constant(ir.IntType(lanes), -1))
            columns = (self.numbers, self.left_scores, *self.room)
            with b.if_then(all_stay):
                for column, value in zip(columns, (number, new, *boxes), strict=True):
                    column.store(left, value)

            def move(i: ir.Value, left: ir.Value) -> None:
                self.left_scores.store(left, broadcast(b, b.extract_element(new, i), 1))
                for column in (self.numbers, *self.room):
                    column.store(left, column.load(b.add(k, i)))

            moved = self.one_by_one(b.not_(all_stay), stays, left, move)
            return [b.select(all_stay, b.add(left, index(lanes)), moved)]

        return self.over(count, [index(0)], vector)[0]

    def _best(self, count: ir.Value) -> ir.Value:
        """The place of the greatest score; of equal ones the first."""
        b, lanes = self.b, self.isa.lanes

        def vector(k: ir.Value, lanes: int, carried: Values) -> Values:
            best, places = carried
            score = self.left_scores.load(k, lanes)
            wins = b.fcmp_ordered(">", score, best)
            return [b.select(wins, score, best), b.select(wins, self._places(k, lanes), places)]

        def better(x: ir.Value, y: ir.Value) -> ir.Value:
            return b.select(b.fcmp_ordered(">", y, x), y, x)

        lowest = splat(self.element, lanes, float("-inf"))
        none = splat(I64, lanes, 0)
        whole, best, places = self.vectors(lanes, count, [index(0), lowest, none], vector)
        most = fold_lanes(b, [best], better)
        is_most = b.fcmp_ordered("==", best, broadcast(b, b.extract_element(most, index(0)), lanes))
        candidates = b.select(is_most, places, broadcast(b, count, lanes))
        place = fold_lanes(b, [candidates], b.smin)
        *_, place = self.vectors(1, count, [whole, most, place], vector)
        return b.extract_element(place, index(0))

    def _places(self, k: ir.Value, lanes: int) -> ir.Value:
        numbers = ir.Constant(ir.VectorType(I64, lanes), list(range(lanes)))
        return self.b.add(broadcast(self.b, k, lanes), numbers)
