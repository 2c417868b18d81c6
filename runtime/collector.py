"""
Compiling and measuring without Python's garbage collector. It else takes a quarter of the time of compiling: a compiler
makes many objects that all live until it is done, and the collector looks at them again and again.
"""

from __future__ import annotations

import gc
from collections.abc import Generator
from contextlib import contextmanager


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
        gc.enable()


def count_as_old() -> None:
    """
    Counts all there is to what the collector looks at last. It is for modules that were just imported: they live as
    long as the process, and else it looks at them first thing after compiling. What somebody froze stays so.
    """
    if gc.get_freeze_count() == 0:
        gc.freeze()
        gc.unfreeze()  # which makes them old
