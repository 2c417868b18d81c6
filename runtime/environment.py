"""The environment variables that lowstream reads, and a warning about unknown ones."""

from __future__ import annotations

import os
import warnings
from functools import cache

from .cache.cache import FOLDER_VARIABLE
from .cache.keys import ISA_VARIABLE
from .cache.trust import KEY_VARIABLE

PREFIX = "LOWSTREAM_"

VARIABLES = (FOLDER_VARIABLE, ISA_VARIABLE, KEY_VARIABLE)


def check_environment() -> None:
    """Warns, once, of each variable that has the prefix of ours and no effect."""
    for name in os.environ:
        if name.startswith(PREFIX) and name not in VARIABLES:
            _warn(name)


@cache
def _warn(name: str) -> None:
    warnings.warn(
        f"the environment variable {name} has no effect; lowstream reads {', '.join(VARIABLES)}",
        stacklevel=4,
    )
