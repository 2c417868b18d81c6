"""The machine code of kernels in the cache: what one model had compiled, others need not compile again."""

from __future__ import annotations

import hashlib
from dataclasses import dataclass

from .cache import cache
from .keys import digest_of_compiler


@dataclass(frozen=True)
class KnownKernels:
    """Object files by what decides their code: the kernel, and this compiler."""

    compiler: str

    def load(self, key: str) -> bytes | None:
        """The object file of a kernel."""
        return cache.load_object(self._name(key))

    def store(self, objects: dict[str, bytes]) -> None:
        """Keeps the object files of kernels."""
        cache.store_objects({self._name(key): code for key, code in objects.items()})

    def _name(self, key: str) -> str:
        return hashlib.sha256(f"{self.compiler} {key}".encode()).hexdigest()


def known_kernels() -> KnownKernels | None:
    """Those in the cache; None where it is off."""
    return None if cache.folder is None else KnownKernels(digest_of_compiler())
