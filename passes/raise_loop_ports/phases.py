"""The rules of `raise-loop-ports`, in order."""

from __future__ import annotations

from .appended import raise_appended
from .comparisons import compare_integers
from .concatenations import raise_concatenations
from .conjunctions import raise_conjunctions
from .counters import replace_counters
from .hoisted import hoist_slices
from .invariants import raise_invariants
from .loop import PortRule
from .slices import raise_slices
from .tested_slices import gather_tested_slices
from .trip_counts import drop_lengths, fold_trip_count, raise_trip_count
from .unused import drop_unused

PHASES: tuple[tuple[PortRule, ...], ...] = (
    (
        drop_unused,
        raise_invariants,
        fold_trip_count,
        raise_conjunctions,
        compare_integers,
        raise_trip_count,
        hoist_slices,
        raise_slices,
        gather_tested_slices,
        raise_concatenations,
        raise_appended,
        replace_counters,
    ),
    (drop_lengths,),
)
"""Each phase until nothing changes: what is sliced is known when lengths go."""
