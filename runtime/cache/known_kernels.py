"""Machine code of kernels in the cache: what was compiled for one model need not be compiled for another."""

from __future__ import annotations

import hashlib
from dataclasses import dataclass, field

from .cache import cache
from .keys import digest_of_compiler


@dataclass(frozen=True)
class KnownKernels:
    """
    Object files by what decides their code: the kernel, and this compiler. Several kernels are compiled into one file,
    so a note of each kernel says which file has it. Files are named after their bytes.
    """

    compiler: str
    read: dict[str, bytes | None] = field(default_factory=dict[str, bytes | None])
    """The files that were read already."""

    def load(self, key: str) -> bytes | None:
        """The object file that has a kernel."""
        if (digest := cache.recall(self._name(key))) is None:
            return None
        if digest not in self.read:
            self.read[digest] = cache.load_object(digest)
        return self.read[digest]

    def store(self, objects: dict[str, bytes]) -> None:
        """Keeps the object files of kernels."""
        digests = {code: hashlib.sha256(code).hexdigest() for code in set(objects.values())}
        cache.store_objects({digest: code for code, digest in digests.items()})
        cache.remember({self._name(key): digests[code] for key, code in objects.items()})

    def _name(self, key: str) -> str:
        return hashlib.sha256(f"{self.compiler} {key}".encode()).hexdigest()


def known_kernels() -> KnownKernels | None:
    """The known kernels of the cache; None where it is off."""
    return None if cache.dir is None else KnownKernels(digest_of_compiler())
