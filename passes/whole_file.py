"""Files that appear whole or not at all, whatever happens while they are written."""

from __future__ import annotations

import os
from collections.abc import Generator
from contextlib import contextmanager
from pathlib import Path


@contextmanager
def replacing(path: Path) -> Generator[Path]:
    """A path to write to, beside `path`; it takes the place of `path` if the block succeeds."""
    draft = path.with_name(f".{path.name}.{os.urandom(4).hex()}.tmp")
    try:
        draft.touch()
        mode = draft.stat().st_mode
        yield draft
        draft.chmod(mode)  # safetensors makes files for their owner alone
        os.replace(draft, path)
    except OSError as error:
        raise OSError(error.errno, error.strerror, str(path)) from None
    finally:
        draft.unlink(missing_ok=True)
