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
