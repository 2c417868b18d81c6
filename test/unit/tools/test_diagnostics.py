"""Every error that wrong input can raise is one line and exit status 1."""

from errno import ENOMEM
from signal import SIGINT, SIGPIPE

import pytest
from xdsl.utils.exceptions import DiagnosticException, ParseError, VerifyException
from xdsl.utils.lexer import Input, Span

from lowstream.interop.mlir import SourceError
from lowstream.tools.diagnostics import describe, one_line_errors

SPAN = Span(3, 4, Input("ab\ncd", "in.mlir"))
NO_MEMORY = "m.xml: error: does not fit into memory; use a smaller model"


def marked(message: str) -> VerifyException:
    """What xDSL's verifier raises: the module beside the message, the operation underlined."""
    error = VerifyException(message)
    error.add_note(
        '"builtin.module"() ({\n  "func.func"() <{}> ({\n  ^bb0(%x: i8):\n'
        '    %y = "nn.relu"(%x) : (i8) -> i8\n    ^^^^^^^^^^^^-----\n    | wrong\n'
    )
    return error


def not_loaded(why: str) -> OSError:
    """What llvmlite raises for its library, while it handles what the system says."""
    error = OSError("cannot load x")
    error.__context__ = OSError(why)
    return error


@pytest.mark.parametrize(
    ("error", "line"),
    [
        (ParseError(SPAN, "expected\n  this"), "in.mlir:2:1: error: expected this"),
        (SourceError("m.mlir: error: what"), "m.mlir: error: what"),
        (SourceError("m.mlir: error: what\nand why"), "m.mlir: error: what and why"),
        (DiagnosticException("nn.add 'a': two\nlines"), "m.xml: error: nn.add 'a': two lines"),
        (marked("operand\nmissing"), "m.xml: error: nn.relu: operand missing"),
        (marked("nn.relu 'r': wrong"), "m.xml: error: nn.relu 'r': wrong"),
        (FileNotFoundError(2, "No such file", "w.bin"), "w.bin: error: No such file"),
        (NotImplementedError("no llvm for nn.relu"), "m.xml: error: no llvm for nn.relu"),
        (OSError("disk"), "m.xml: error: disk"),
        (OSError(28, "No space left on device"), "the output: error: No space left on device"),
        (RecursionError(), "m.xml: error: operations or types are nested too deeply; flatten them"),
        (MemoryError(), NO_MEMORY),
        (OSError(ENOMEM, "Cannot allocate memory"), NO_MEMORY),
        (OSError(ENOMEM, "Cannot allocate memory", "w.bin"), NO_MEMORY),
        (not_loaded("x.so: failed to map segment from shared object"), NO_MEMORY),
        (not_loaded("x.so: no such file"), "m.xml: error: cannot load x"),
        (
            UnicodeDecodeError("utf-8", b"a\xff", 1, 2, "bad"),
            "m.xml: error: byte 1 is not UTF-8; is this a text file?",
        ),
    ],
    ids=lambda value: type(value).__name__,
)
def test_errors(error: Exception, line: str, capsys: pytest.CaptureFixture[str]):
    assert describe(error, "m.xml").startswith(line)
    with pytest.raises(SystemExit) as ended, one_line_errors("m.xml"):
        raise error
    assert ended.value.code == 1
    printed = capsys.readouterr().err
    assert printed.startswith(line)
    assert printed.count("\n") == 1
    with pytest.raises(type(error)), one_line_errors("m.xml", debug=True):
        raise error


def test_our_own_mistakes_are_one_line_that_says_so(capsys: pytest.CaptureFixture[str]):
    with pytest.raises(SystemExit) as ended, one_line_errors("m.xml"):
        raise KeyError("a\nb")
    assert ended.value.code == 1
    assert capsys.readouterr().err == (
        "m.xml: error: a mistake of lowstream's, KeyError: 'a\\nb'; --debug shows where; please report it "
        "with the file\n"
    )
    with pytest.raises(KeyError), one_line_errors("m.xml", debug=True):
        raise KeyError("a")


@pytest.mark.parametrize(
    ("end", "status"), [(KeyboardInterrupt, 128 + SIGINT), (BrokenPipeError, 128 + SIGPIPE)]
)
def test_an_end_from_outside_is_no_error(
    end: type[BaseException], status: int, capsys: pytest.CaptureFixture[str]
):
    with pytest.raises(SystemExit) as ended, one_line_errors("m.xml"):
        raise end
    assert ended.value.code == status
    assert not capsys.readouterr().err
