"""Loops that append to sequences: what is appended is what a loop puts together, and the sequence a tensor of that."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

from .package import import_onnx


def appended(body: Any, place: int) -> str | None:
    """What each iteration appends to the sequence in this place, if it does nothing else with it."""
    before, after = body.input[2 + place].name, body.output[1 + place].name
    inserts = [node for node in body.node if node.op_type == "SequenceInsert"]
    found = [node for node in inserts if (node.input[0], node.output[0]) == (before, after)]
    reads = list(_reads(body))
    if len(found) != 1 or len(found[0].input) > 2 or reads.count(before) != 1 or after in reads:
        return None
    return str(found[0].input[1])


def _reads(graph: Any) -> Iterator[str]:
    """The names that nodes read, bodies within included."""
    for node in graph.node:
        yield from node.input
        for attribute in node.attribute:
            for inner in (attribute.g, *attribute.graphs):
                yield from _reads(inner)
                yield from (each.name for each in inner.output)


def stacking(body: Any, places: Sequence[int], values: Sequence[str]) -> Any:
    """
    A copy of the body that does not carry the sequences in these places: the values that it would append to them are
    further results, the last ones.
    """
    copy = type(body)()
    copy.CopyFrom(body)
    names = {body.output[1 + place].name for place in places}
    for place in sorted(places, reverse=True):
        del copy.input[2 + place]
        del copy.output[1 + place]
    for i in reversed(range(len(copy.node))):
        if names & set(copy.node[i].output):
            del copy.node[i]
    copy.output.extend(map(import_onnx().helper.make_empty_tensor_value_info, values))
    return copy


def is_counted(body: Any) -> bool:
    """Whether a body only passes on whether it runs, so that the trip count alone says how often."""
    name = body.output[0].name
    writers = [node.op_type for node in body.node if name in node.output]
    return all(type in ("Identity", "Constant") for type in writers)
