"""
Colours for MLIR, for Pygments: the site, rich and Sphinx find it by the name `mlir`.

Source: https://mlir.llvm.org/docs/LangRef/, "Notation".
"""

from __future__ import annotations

from typing import ClassVar

from pygments.lexer import RegexLexer, bygroups, include  # pyright: ignore[reportUnknownVariableType]
from pygments.token import (
    Comment,
    Keyword,
    Name,
    Number,
    Operator,
    Punctuation,
    String,
    Text,
    Whitespace,
)

SUFFIX = r"[a-zA-Z0-9_$.\-]+"
"""What follows a sigil."""

SCALAR = r"(?:[su]?i\d+|bf16|tf32|f\d+(?:E\d+M\d+\w*)?|index|none)\b"
"""A type of one word."""


class MlirLexer(RegexLexer):
    """Names of operations, values, blocks, symbols, attributes, types, numbers, strings and comments."""

    name = "MLIR"
    url = "https://mlir.llvm.org"
    aliases: ClassVar = ["mlir"]
    filenames: ClassVar = ["*.mlir"]
    mimetypes: ClassVar = ["text/x-mlir"]

    tokens: ClassVar = {
        "root": [
            (r"\s+", Whitespace),
            (r"//.*?$", Comment.Single),
            (r'(@)("(?:[^"\\\n]|\\.)*")', bygroups(Name.Function, Name.Function)),
            (r'"(?:[^"\\\n]|\\.)*"', String),
            (rf"@{SUFFIX}", Name.Function),
            (rf"%{SUFFIX}(?:#\d+)?", Name.Variable),
            (rf"\^{SUFFIX}", Name.Label),
            (rf"#{SUFFIX}", Name.Decorator),
            (rf"!{SUFFIX}", Keyword.Type),
            (r"\b(tensor|memref|vector)(<)", bygroups(Keyword.Type, Punctuation), "shape"),
            (SCALAR, Keyword.Type),
            (
                r"\b(?:true|false|unit|dense|dense_resource|sparse|array|loc|affine_map)\b",
                Keyword.Constant,
            ),
            include("number"),
            (r"[a-zA-Z_][\w$]*(?:\.[\w$]+)+", Name.Builtin),  # an operation and its dialect
            (r"[a-zA-Z_][\w$]*", Name.Attribute),
            (r"->|[=:+\-*?]", Operator),
            (r"[()\[\]{}<>,;|]", Punctuation),
            (r".", Text),
        ],
        "number": [
            (r"-?0x[0-9a-fA-F]+", Number.Hex),
            (r"-?\d+\.\d*(?:[eE][+-]?\d+)?", Number.Float),
            (r"-?\d+", Number.Integer),
        ],
        "shape": [
            (r"(\d+|\?|\*)(x)", bygroups(Number.Integer, Punctuation)),
            (r">", Punctuation, "#pop"),
            include("root"),
        ],
    }
