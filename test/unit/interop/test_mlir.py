"""Whatever is wrong with a text is one ParseError at its place, or one diagnostic of the verifier."""

import re
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from xdsl.dialects.builtin import ModuleOp
from xdsl.ir import Attribute
from xdsl.parser import Parser
from xdsl.utils.exceptions import DiagnosticException, ParseError, VerifyException

from lowstream.dialects import context
from lowstream.dialects.verification import what_is_wrong
from lowstream.interop import mlir
from lowstream.interop.mlir import (
    ALIAS_LIMIT,
    SPLAT_LIMIT,
    STRING_LITERAL,
    parse_error_line,
    parse_module,
    verify,
)
from lowstream.passes.pipeline import run_passes

SEEDS = sorted((Path(__file__).parents[2] / "fuzz" / "seeds").glob("*.mlir"))

UPSTREAM = """
from xdsl.utils.mlir_lexer import MLIRLexer
print(MLIRLexer._unescaped_characters_regex.pattern)
"""


def upstream_pattern() -> str:
    """xDSL's own expression for strings, from a process where nothing replaced it."""
    command = [sys.executable, "-P", "-c", UPSTREAM]
    return subprocess.run(command, check=True, capture_output=True, text=True).stdout.rstrip("\n")


def test_xdsl_still_needs_our_expression_for_strings():
    """When this fails, xDSL has changed its lexer: see whether STRING_LITERAL can go."""
    assert upstream_pattern() == r'"(?:[^"\\\n\v\f]+|\\(?:["nt\\]|[0-9A-Fa-f]{2}))*"'


def test_our_expression_matches_what_xdsl_s_does():
    theirs = re.compile(upstream_pattern())

    @given(st.text('"\\n0aF\n\vä', max_size=12))
    def agree(text: str) -> None:
        expected = theirs.match('"' + text)
        found = STRING_LITERAL.match('"' + text)
        assert (found and found.span()) == (expected and expected.span())

    agree()


@pytest.mark.parametrize(
    ("attribute", "message"),
    [
        ('nn.name = "r"', None),
        ("someone.thing = 1 : i64", None),
        ("negative_slope = 0.1 : f32", "nn.relu: unknown attribute 'negative_slope'; it has none"),
    ],
)
def test_attributes_of_others_have_a_prefix(attribute: str, message: str | None):
    text = f"func.func @f(%x: tensor<4xf32>) {{\n%y = nn.relu %x {{{attribute}}} : tensor<4xf32>\nfunc.return\n}}"
    module = parse_module(text, "m.mlir", context())
    if message is None:
        verify(module)
    else:
        with pytest.raises(VerifyException, match=message):
            verify(module)


@pytest.mark.parametrize("seed", SEEDS, ids=lambda path: path.stem)
def test_what_the_fuzzer_found(seed: Path):
    with pytest.raises((ParseError, DiagnosticException)):
        verify(parse_module(seed.read_text(), seed.name, context()))


@pytest.mark.parametrize(
    ("text", "line"),
    [
        ('"builtin.module"() ({\n}) : () -> ()\n^0:', 3),
        ('"builtin.module"() ({\n  ^1: }) : () -> ()', 2),
        ('\n"a.b"() {a = ² : i8} : () -> ()', 2),
        (f"func.func @f()\n  -> tensor<{'9' * 5000}xf32>", 2),
    ],
    ids=["stray label", "block name", "superscript", "digits"],
)
def test_raw_errors_become_parse_errors_near_their_place(text: str, line: int):
    with pytest.raises(ParseError) as raised:
        parse_module(text, "m.mlir", context())
    assert parse_error_line(raised.value).startswith(f"m.mlir:{line}:")


@pytest.mark.parametrize(
    ("attribute", "message"),
    [
        ("1 : i99999999999", "an integer of more than 16777215 bits; use a narrower type"),
        ("tensor<1xui16777216>", "an integer of more than 16777215 bits; use a narrower type"),
        ("1.0e+300 : f32", "a number is out of the range of its type"),
        ("dense<1.0e+39> : tensor<2xf32>", "a number is out of the range of its type"),
        ("array<i8: 300>", "out of range"),
    ],
)
def test_numbers_out_of_range_are_parse_errors(attribute: str, message: str):
    with pytest.raises(ParseError) as raised:
        parse_module(f'func.func private @f() attributes {{"a.b" = {attribute}}}', "m", context())
    assert message in raised.value.msg


def test_the_widest_integers_are_read():
    parse_module('func.func private @f() attributes {"a.b" = 1 : i16777215}', "m", context())


@pytest.mark.parametrize("check", [verify, lambda module: run_passes(module, "cse")])
def test_what_does_not_verify_is_one_line_for_every_caller(check: Callable[[ModuleOp], None]):
    text = '%x = "test.x"() : () -> i8\n%y = "nn.relu"(%x) : (i8) -> tensor<1xi8>'
    ctx = context()
    ctx.allow_unregistered = True
    with pytest.raises(VerifyException) as raised:
        check(parse_module(text, "m", ctx))
    assert str(raised.value).startswith("nn.relu: operand 'input' at position 0 does not verify: ")
    assert "\n" not in str(raised.value)


ORDER = """func.func @f(%x: tensor<3xf32>) -> tensor<3xf32> {
  BODY
}"""


@pytest.mark.parametrize(
    ("body", "message"),
    [
        (
            "%y = nn.relu %y : tensor<3xf32> func.return %y : tensor<3xf32>",
            "nn.relu: operand 0 is given by itself; move what gives it in front",
        ),
        (
            "%y = nn.relu %z : tensor<3xf32> %z = nn.relu %x : tensor<3xf32> func.return %y : tensor<3xf32>",
            "nn.relu: operand 0 is given by a later operation; move what gives it in front",
        ),
        (
            "infra.yield %x : tensor<3xf32>",
            "infra.yield: ends bodies of iterators and branches; a function ends in func.return",
        ),
    ],
    ids=["itself", "later", "yield"],
)
def test_what_could_not_run_does_not_verify(body: str, message: str):
    with pytest.raises(VerifyException) as raised:
        verify(parse_module(ORDER.replace("BODY", body), "m", context()))
    assert str(raised.value) == message


@pytest.mark.parametrize(("name", "type"), [("cmpf", "f32"), ("cmpi", "i32")])
def test_comparisons_have_a_predicate_that_is_known(name: str, type: str):
    text = (
        f'func.func @f(%x: {type}) {{ %y = "arith.{name}"(%x, %x) <{{predicate = 16 : i64'
        f"{', fastmath = #arith.fastmath<none>' if type == 'f32' else ''}}}> : ({type}, {type}) -> i1 func.return }}"
    )
    verify(parse_module(text.replace("16", "9"), "m", context()))
    with pytest.raises(VerifyException, match=f"arith.{name}: predicate 16 is none; they are 0"):
        verify(parse_module(text, "m", context()))


def test_deep_nesting_is_a_parse_error():
    text = f"#a = {'[' * 5000}{']' * 5000}"
    with pytest.raises(ParseError, match="nested too deeply here"):
        parse_module(text, "m.mlir", context())


@pytest.mark.parametrize(
    ("text", "said"),
    [
        (
            b"%y = hlo.relu %x : tensor<4xf32>",
            "1:15: error: hlo.relu is of no registered dialect, ",
        ),
        (b"ML\xefR\x01MLIR20.0.0", "1:1: error: MLIR's bytecode; mlir-opt without --emit-bytecode"),
        (
            b"func.func @f() {",
            "1:17: error: the text ends too early (in block definition); is the ",
        ),
        (
            b"func.func @f() -> ten",
            "1:19: error: the text ends too early (type expected); is the file whole?",
        ),
        (
            b'func.func @f() -> f32 {\n  %x = "nn.re',
            "2:8: error: the text ends too early (End of file reached before closing string literal); ",
        ),
        (
            b"func.func @f() -> f32 {\n  // %x and %x1\n  func.return %x : f32\n}\n",
            "3:15: error: %x is used and nowhere defined; is it misspelled?",
        ),
    ],
)
def test_what_other_tools_write_that_is_not_read(text: bytes, said: str):
    ctx = context()
    ctx.allow_unregistered = True
    with pytest.raises(ParseError) as raised:
        parse_module(text, "m.mlir", ctx)
    assert parse_error_line(raised.value).startswith(f"m.mlir:{said}")


def test_bytes_that_are_no_text_have_a_place():
    with pytest.raises(ParseError) as raised:
        parse_module(b"// \xc3\xa4\n  \xff", "m.mlir", context())
    assert parse_error_line(raised.value) == (
        "m.mlir:2:3: error: not UTF-8; an .mlir file is text, and so is standard input"
    )


def test_a_foreign_dense_splat_is_expanded_up_to_a_limit():
    text = "%0 = arith.constant dense<1> : tensor<{}xi8>"
    parse_module(text.format(SPLAT_LIMIT), "m.mlir", context())
    with pytest.raises(ParseError, match="would be expanded here"):
        parse_module(text.format(SPLAT_LIMIT + 1), "m.mlir", context())


def test_aliases_may_stand_for_many_attributes_up_to_a_limit():
    numbers = ", ".join("1" * (ALIAS_LIMIT // 2))
    text = "#a = [{}]\nfunc.func @f() attributes {{b = #a}} {{\n func.return\n}}"
    with pytest.raises(ParseError, match="alias '#a' stands for more than"):
        parse_module(text.format(f"{numbers}, {numbers}"), "m.mlir", context())
    parse_module(text.format(numbers.replace(" ", "")[: ALIAS_LIMIT // 4 - 1]), "m", context())


def test_verify_names_an_operation_whose_verifier_stumbles():
    text = '"func.func"() <{sym_name = "f", function_type = i8}> ({\n"func.return"() : () -> ()\n}) : () -> ()'
    with pytest.raises(VerifyException) as raised:
        verify(parse_module(text, "m.mlir", context()))
    assert what_is_wrong(raised.value).startswith("func.func: ")


def test_an_operation_is_named_where_only_the_verifier_knows_it():
    module = parse_module('"nn.relu"() : () -> ()', "m.mlir", context())
    with pytest.raises(VerifyException) as raised:
        verify(module)
    assert what_is_wrong(raised.value) == "nn.relu: Expected 1 operand, but got 0"


COUNTED = """
func.func @f(%x: tensor<2xf32>) -> tensor<2xf32> {
  %a = nn.relu %x : tensor<2xf32>
  %a_1_0 = nn.relu %a : tensor<2xf32>
  %a_2 = nn.relu %a_1_0 : tensor<2xf32>
  func.return %a_2 : tensor<2xf32>
}"""
"""Names as MLIR's printers count them."""


def test_values_keep_names_of_their_own():
    once = str(parse_module(COUNTED, "m.mlir", context()))
    assert str(parse_module(once, "m.mlir", context())) == once


def test_xdsl_still_mixes_up_counted_names():
    with pytest.raises(ParseError):
        Parser(context(), str(Parser(context(), COUNTED).parse_module())).parse_module()


def type_of(text: str) -> Attribute | str:
    """A type as files spell it, or what is wrong with it."""
    function = f'func.func private @f() attributes {{"a.b" = {text}}}'
    try:
        (op,) = parse_module(function, "m", context()).ops
    except ParseError as error:
        return parse_error_line(error)
    return op.attributes["a.b"]


@pytest.mark.parametrize("type", ["tensor<2x?x0x3xf32>", "memref<3xui8>", "tensor<f8E4M3FN>"])
def test_a_type_is_parsed_once(type: str):
    assert type_of(type) is type_of(type)


PIECES = ["0", "1", "12", "?", "x", "0x3", "f32", "ui8", "bf16", "wat", "index", " ", "*", ",", ">"]


@given(
    st.lists(st.sampled_from(PIECES), max_size=6).map("".join),
    st.sampled_from(["tensor", "memref"]),
)
def test_a_type_is_what_xdsl_reads(inside: str, kind: str):
    text = f"{kind}<{inside}>"
    found = type_of(text)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(mlir, "PLAIN_SHAPED", re.compile("(?!)"))
        assert type_of(text) == found
