"""`--split-input-file`: a file as parts that are run one by one, as mlir-opt has it."""

from __future__ import annotations

import os
import re

MARKER = "// -----"
"""The line between two parts, where the option gives no other."""


def parts(text: bytes, marker: str) -> list[bytes]:
    """The parts of a file, each below as many empty lines as stand before it: its lines keep their numbers."""
    line = re.escape(os.fsencode(marker))
    ends = [found.span() for found in re.finditer(rb"^%s[ \t]*\r?$" % line, text, re.MULTILINE)]
    starts = [0, *(end for _, end in ends)]
    stops = [*(start for start, _ in ends), len(text)]
    return [
        b"\n" * text.count(b"\n", 0, start) + text[start:stop]
        for start, stop in zip(starts, stops, strict=True)
    ]
