"""
A small compiler that is not lowstream's: it has a context, a dialect and a driver of its own, and takes what it
needs of lowstream's dialects, patterns and passes.

    tone model.mlir
"""

from __future__ import annotations

import sys
from dataclasses import replace
from pathlib import Path

from xdsl.context import Context
from xdsl.dialects.builtin import Builtin, ModuleOp
from xdsl.dialects.func import Func
from xdsl.parser import Parser
from xdsl.pattern_rewriter import GreedyRewritePatternApplier, PatternRewriteWalker
from xdsl.transforms.dead_code_elimination import DeadCodeElimination

from lowstream.dialects import DIALECTS
from lowstream.passes.lpt import Lpt
from lowstream.passes.lpt.cleanup.fold_convert import FoldConvert
from lowstream.passes.lpt.config import preset

from .dialect import TONE, GainOp
from .rewrites import FoldGainIntoScale, LowerGain

__all__ = ["CONFIG", "GainOp", "compiled", "context", "main", "parse"]

CONFIG = replace(preset("cpu-x86"), additional=(FoldGainIntoScale(),))
"""lowstream's configuration for x86, and one transformation more, of our own operation."""


def context() -> Context:
    """Our dialect, what xDSL has of functions, and those of lowstream's dialects that we use."""
    ctx = Context()
    ctx.load_dialect(Builtin)
    ctx.load_dialect(Func)
    ctx.load_dialect(TONE)
    for name in ("nn", "qnn", "infra", "rnn"):
        ctx.register_dialect(name, DIALECTS[name])
    return ctx


def parse(text: str) -> ModuleOp:
    """The module that a text spells, verified."""
    module = Parser(context(), text).parse_module()
    module.verify()
    return module


def compiled(module: ModuleOp) -> ModuleOp:
    """Changes a module in place: to low precision, and without operations of ours."""
    Lpt(config=CONFIG).apply(context(), module)
    patterns = GreedyRewritePatternApplier([LowerGain(), FoldConvert()])
    PatternRewriteWalker(patterns).rewrite_module(module)
    DeadCodeElimination().apply(context(), module)
    module.verify()
    return module


def main() -> None:
    """Prints what a file compiles to."""
    print(compiled(parse(Path(sys.argv[1]).read_text())))
