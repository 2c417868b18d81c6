"""
Compiling and measuring without Python's garbage collector. Otherwise, it takes a quarter of the time of compiling: a
compiler makes many objects that live until it is done, and the collector visits them again and again.
"""

from __future__ import annotations

import gc
from collections.abc import Generator
from contextlib import contextmanager

MOST_PUT_OFF = 1 << 19
"""The number of objects that compilations may make before the collector visits all objects."""

_put_off = 0

_somebody_froze = False
"""Whether frozen objects were seen. They are looked for no more then, as Python counts them one by one."""


@contextmanager
def collector_paused() -> Generator[None]:
    """Pauses the collector inside, if it is enabled."""
    if not gc.isenabled():
        yield
        return
    gc.disable()
    before = gc.get_count()[0]
    try:
        yield
    finally:
        _put_off_collection(gc.get_count()[0] - before)
        gc.enable()


def _put_off_collection(made: int) -> None:
    """
    Puts off the next collection. Otherwise, it would come at once and visit all that was made meanwhile, which takes a
    twentieth of the time of compiling: half of it lives on, and the garbage is some 10 MB.
    """
    global _put_off
    _put_off += max(made, 0)
    if _put_off < MOST_PUT_OFF:
        count_as_old()
    else:
        _put_off = 0
        gc.collect()


def count_as_old() -> None:
    """
    Moves all objects to the oldest generation, after modules were imported: these live as long as the process, and the
    collector would otherwise visit them right after compiling. What somebody froze stays frozen.
    """
    global _somebody_froze
    _somebody_froze = _somebody_froze or gc.get_freeze_count() > 0
    if not _somebody_froze:
        gc.freeze()
        gc.unfreeze()  # which makes them old
