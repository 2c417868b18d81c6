"""The machine that this process runs on."""

from __future__ import annotations

import os
import platform
from functools import cache

CPU_INFORMATION = "/proc/cpuinfo"


@cache
def host_cpu() -> str:
    """
    Identifies this kind of CPU: its name, and a digest of its features. Linux says both in a file; asking LLVM would
    load it, so that it is asked only where there is no such file.
    """
    import hashlib

    fields: dict[str, str] = {}
    try:
        with open(CPU_INFORMATION, encoding="utf-8", errors="replace") as file:
            for line in file:
                key, _, value = line.partition(":")
                if not key.strip():
                    break
                fields[key.strip()] = value.strip()
    except OSError:
        pass
    features = fields.get("flags") or fields.get("Features") or _features_by_llvm()
    name = fields.get("model name", fields.get("CPU part", "unknown"))
    digest = hashlib.blake2b(features.encode(), digest_size=6).hexdigest()
    return f"{platform.machine()} {name} {digest}"


def _features_by_llvm() -> str:
    from ..lowering.machine import host_features

    return " ".join(sorted(host_features()))


def usable_cores() -> int:
    """The cores that this process may use."""
    return len(os.sched_getaffinity(0))
