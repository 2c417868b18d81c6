"""What opt-tool says of a command line that is wrong, and of what was meant."""

from __future__ import annotations

import argparse
import shlex
from collections.abc import Container, Mapping, Sequence
from itertools import pairwise

from ..options import with_suggestions

ONLY_IN_MLIR_OPT = {
    "--mlir-disable-threading": "passes run one after the other; leave it out",
    "--mlir-print-ir-module-scope": "the whole module is printed anyway; leave it out",
    "--mlir-print-local-scope": "nothing is printed as an alias; leave it out",
    "--mlir-print-op-on-diagnostic": "errors have the place of the operation, with which it is found; leave it out",
    "--mlir-print-stacktrace-on-diagnostic": "--debug shows the traceback of an error",
    "--emit-bytecode": "text is written, which with --mlir-print-op-generic mlir-opt reads; it has --emit-bytecode",
    "--mlir-use-nameloc-as-prefix": "values keep the names that they have in the text; leave it out",
    "--inline": "functions are not inlined in general; --legalize-tf-to-nn inlines those of TensorFlow",
    "--symbol-dce": "private functions without calls stay; remove them, or leave it out",
}
"""What to do in the place of options of mlir-opt that are none here."""


def usage_error(
    message: str,
    words: Sequence[str],
    passes: Container[str],
    flags: Mapping[str, argparse.Action],
) -> str:
    """What argparse says of the words, with what to do."""
    for word in words:
        name, is_assigned, _ = word.partition("=")
        name = f"--{name.lstrip('-')}"
        if name == "--verify-each" and is_assigned:
            return f"{name} takes no value; --disable-verify is its opposite"
        if message.startswith("unrecognized") and name in ONLY_IN_MLIR_OPT:
            return f"unrecognized arguments: {word}; {ONLY_IN_MLIR_OPT[name]}"
    for flag, word in pairwise(words):
        is_bare = flag.startswith("--") and flag.endswith("=")  # see `spelled_out`
        if is_bare and "=" in word and not word.startswith("-"):
            return f"{message}; options of a pass follow it with =: {shlex.quote(f'{flag}{word}')}"
    for before, word in pairwise(["", *words]):
        is_bare = before.endswith("=") or not before.startswith("-")
        if message.startswith("unrecognized") and is_bare and word in passes:
            return f"{message}; '{word}' is a pass: --{word}"
    return with_suggestions(message, flags)
