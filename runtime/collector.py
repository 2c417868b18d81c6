"""
Compiling and measuring without Python's garbage collector. It else takes a quarter of the time of compiling: a compiler
makes many objects that all live until it is done, and the collector looks at them again and again.
"""

from __future__ import annotations

import gc
from collections.abc import Generator
from contextlib import contextmanager

MOST_PUT_OFF = 1 << 19
"""Objects that several compilations make, up to which their garbage lies until the collector looks at all there is."""

_put_off = 0


@contextmanager
def collector_paused() -> Generator[None]:
    """Lets garbage lie meanwhile, if it was collected before."""
    if not gc.isenabled():
        yield
        return
    gc.disable()
    try:
        yield
    finally:
        _put_off_collection()
        gc.enable()


def _put_off_collection() -> None:
    """
    Else the collector would look at all that was made meanwhile first thing, which takes a twentieth of the time of
    compiling: half of it lives on, and the rest is some 10 MB.
    """
    global _put_off
    _put_off += gc.get_count()[0]
    if _put_off < MOST_PUT_OFF:
        count_as_old()
    else:
        _put_off = 0
        gc.collect()


def count_as_old() -> None:
    """
    Counts all there is to what the collector looks at last. It is for modules that were just imported: they live as
    long as the process, and else it looks at them first thing after compiling. What somebody froze stays so.
    """
    if gc.get_freeze_count() == 0:
        gc.freeze()
        gc.unfreeze()  # which makes them old
