"""Files that appear whole or not at all, whatever happens while they are written."""

from __future__ import annotations

import errno
import os
from collections.abc import Generator
from contextlib import contextmanager
from pathlib import Path
from tempfile import TemporaryDirectory


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
        raise _named(error, path) from None
    finally:
        draft.unlink(missing_ok=True)


@contextmanager
def drafts_of(path: Path) -> Generator[Path]:
    """A path to write to, of the same name in a folder beside it; files are moved from there by whoever wrote them."""
    try:
        with TemporaryDirectory(dir=path.parent, prefix=f".{path.name}.") as folder:
            yield Path(folder) / path.name
    except OSError as error:
        raise _named(error, path) from None


def _named(error: OSError, path: Path) -> OSError:
    """
    The error about the file that was to be written; some name the draft, and some no file. NumPy's has no number where
    it could not write all bytes.
    """
    what = error.strerror or f"not written whole ({error}); is there room on the disk?"
    return OSError(error.errno or errno.EIO, what, str(path))
