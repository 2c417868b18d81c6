"""
Mutates the repository's .mlir files and lets each mutant be parsed, verified and printed.

`make fuzz` runs it for a minute. What neither succeeds nor ends in a diagnostic is made small and kept in
test/fuzz/seeds, where test/unit/interop/test_mlir.py finds it.
"""

from __future__ import annotations

import argparse
import io
import random
import re
import signal
import sys
import time
import traceback
from collections.abc import Sequence
from hashlib import sha256
from pathlib import Path
from types import FrameType

from xdsl.printer import Printer
from xdsl.utils.exceptions import DiagnosticException, ParseError

from lowstream.dialects import context
from lowstream.interop.mlir import parse_module, verify

ROOT = Path(__file__).parents[2]
SEEDS = Path(__file__).parent / "seeds"
TOKEN = re.compile(r'"[^"\n]*"|[\w.$]+|->|\s+|.', re.DOTALL)
EXTREMES = (
    "-1",
    "0",
    "1",
    "?",
    "18446744073709551616",
    "1.0e+400",
    "0x7FF0000000000001",
    '""',
    "*",
)
LONGEST = 4000
"""Characters of a mutant, so that many run in a minute."""
PATIENCE = 5
"""Seconds after which a mutant counts as one that hangs."""


def survives(text: str) -> BaseException | None:
    """What this text raises beside a diagnostic, or None."""
    signal.alarm(PATIENCE)
    try:
        module = parse_module(text, "fuzz.mlir", CONTEXT)
        verify(module)
        Printer(io.StringIO()).print_op(module)
    except (DiagnosticException, ParseError):
        return None
    except BaseException as error:
        if isinstance(error, KeyboardInterrupt):
            raise
        return error
    finally:
        signal.alarm(0)
    return None


def mutant(corpus: Sequence[list[str]], random: random.Random) -> str:
    """A file with a few of its tokens dropped, doubled, swapped, made extreme, or taken from another."""
    tokens = list(random.choice(corpus))
    for _ in range(random.choice((1, 1, 1, 2, 3))):
        if not tokens:
            break
        i = random.randrange(len(tokens))
        j = min(len(tokens), i + random.randint(1, 12))
        match random.randrange(7):
            case 0:
                del tokens[i:j]
            case 1:
                tokens[i:i] = tokens[i:j]
            case 2:
                k = random.randrange(len(tokens))
                tokens[i], tokens[k] = tokens[k], tokens[i]
            case 3:
                tokens[i] = random.choice(EXTREMES)
            case 4:
                other = random.choice(corpus)
                k = random.randrange(len(other))
                tokens[i:j] = other[k : k + random.randint(1, 12)]
            case 5:
                same = [k for k, token in enumerate(tokens) if token[0] == tokens[i][0]]
                tokens[i] = tokens[random.choice(same)]
            case _:
                k = random.randrange(len(tokens[i]))
                tokens[i] = tokens[i][:k] + chr(random.randrange(1, 0x250)) + tokens[i][k + 1 :]
    return "".join(tokens)


def smaller(text: str, kind: type[BaseException]) -> str:
    """A part of the text that raises the same, found by leaving out lines, then tokens."""
    for pattern in (re.compile(r"[^\n]*\n|[^\n]+"), TOKEN):
        parts = pattern.findall(text)
        size = max(1, len(parts) // 2)
        while size:
            i = 0
            while i < len(parts):
                shorter = parts[:i] + parts[i + size :]
                if type(survives("".join(shorter))) is kind:
                    parts = shorter
                else:
                    i += size
            size //= 2
        text = "".join(parts)
    return text


def keep(text: str, error: BaseException) -> None:
    """Puts the smaller text among the seeds and says what it raises."""
    text = smaller(text, type(error))
    final = survives(text) or error
    where = traceback.extract_tb(final.__traceback__)[-1]
    digest = sha256(text.encode()).hexdigest()[:8]
    path = SEEDS / f"{type(final).__name__}-{digest}.mlir"
    path.write_text(text)
    print(f"{path}: {type(final).__name__}: {final} at {where.filename}:{where.lineno}")


def generic(text: str) -> str | None:
    """The generic form of a valid module."""
    stream = io.StringIO()
    try:
        module = parse_module(text, "fuzz.mlir", CONTEXT)
        verify(module)
        Printer(stream, print_generic_format=True).print_op(module)
    except (DiagnosticException, ParseError):
        return None
    return stream.getvalue()


def corpus() -> list[list[str]]:
    """The tokens of each module in the repository's tests, in the generic form too."""
    texts = [path.read_text() for path in sorted((ROOT / "test").rglob("*.mlir"))]
    chunks = [chunk for text in texts for chunk in text.split("// -----")]
    code = ["".join(re.split(r"(?m)^ *//[^\n]*\n", chunk)) for chunk in chunks]
    code += [text for text in map(generic, list(code)) if text is not None]
    return [TOKEN.findall(text) for text in code if text.strip() and len(text) < LONGEST]


def expire(signum: int, frame: FrameType | None) -> None:
    raise TimeoutError(f"took more than {PATIENCE} s")


def main() -> None:
    """Fuzzes for a while; exit status 1 where something was found."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--seconds", type=float, default=60)
    parser.add_argument("--seed", type=int, default=int(time.time()))
    args = parser.parse_args()
    generator = random.Random(args.seed)
    files, count, found = corpus(), 0, set[str]()
    SEEDS.mkdir(exist_ok=True)
    end = time.monotonic() + args.seconds
    while time.monotonic() < end:
        text = mutant(files, generator)
        count += 1
        if (error := survives(text)) is not None:
            where = traceback.extract_tb(error.__traceback__)[-1]
            place = f"{type(error).__name__} {where.filename}:{where.lineno}"
            if place not in found:
                found.add(place)
                keep(text, error)
    print(f"seed {args.seed}: {count} mutants of {len(files)} modules, {len(found)} findings")
    sys.exit(bool(found))


CONTEXT = context()
signal.signal(signal.SIGALRM, expire)

if __name__ == "__main__":
    main()
