"""opt-tool: passes in the order of their flags, errors in one line, files whole or not at all."""

import os
import subprocess
import sys
from dataclasses import dataclass
from io import BytesIO, TextIOWrapper
from pathlib import Path

import pytest
from xdsl.context import Context
from xdsl.dialects.builtin import ModuleOp
from xdsl.passes import ModulePass
from xdsl.rewriter import Rewriter
from xdsl.utils.exceptions import DiagnosticException, ParseError

from lowstream.dialects import blob, nn
from lowstream.dialects.inferred import label
from lowstream.passes.registry import PASSES
from lowstream.tools.opt.arguments import OF_XDSL, byte_count
from lowstream.tools.opt.elision import limit_for
from lowstream.tools.opt_tool import OptTool, main

RELU = """\
func.func @main(%x: tensor<4xf32>) -> tensor<4xf32> {
  %y = nn.relu %x : tensor<4xf32>
  func.return %y : tensor<4xf32>
}
"""
SHAPE_ERROR = RELU.replace("nn.relu %x : tensor<4xf32>", "nn.relu %x : tensor<5xf32>")
INVALID = """\
func.func @main(%x: tensor<4xf32>) {
  %y = nn.clamp %x {min = 1.0 : f64, max = 0.0 : f64} : tensor<4xf32>
  func.return
}
"""
LARGE = (
    f'%0 = nn.constant {{nn.name = "w"}} dense<[{", ".join("1" * 4999)}, 2]> : tensor<5000xi8>\n'
)


@pytest.fixture
def model(tmp_path: Path) -> Path:
    path = tmp_path / "in.mlir"
    path.write_text(RELU)
    return path


def fails(capsys: pytest.CaptureFixture[str], status: int, *args: str | Path) -> str:
    """What is printed on stderr by a run that ends with this status."""
    with pytest.raises(SystemExit) as error:
        main([str(argument) for argument in args])
    assert error.value.code == status
    captured = capsys.readouterr()
    assert not captured.out
    return captured.err


def pipeline(*args: str) -> list[str]:
    return [str(item) for item in OptTool(args).pipeline.passes]


# --- passes ---------------------------------------------------------------------------------


def test_passes_run_in_the_order_of_their_flags():
    assert pipeline("--cse", "--fold-constants", "in.mlir", "--cse") == [
        "cse",
        "fold-constants",
        "cse",
    ]
    assert pipeline("--fold-constants", "--cse", "--cse") == ["fold-constants", "cse", "cse"]


def test_old_names_of_passes_are_understood_but_not_listed(capsys: pytest.CaptureFixture[str]):
    renamed = {info.old_name: info.name for info in PASSES if info.old_name}
    assert renamed
    assert pipeline(*(f"--{old}" for old in renamed)) == [*renamed.values()]
    with pytest.raises(SystemExit):
        main(["--help"])
    listed = capsys.readouterr().out
    assert not [old for old in renamed if old in listed]


def test_options_are_those_of_the_pipeline():
    flags = pipeline("--low-latency2=use-const-initializer=false", "--lpt-main=only=mat-mul")
    assert flags == pipeline(
        "-p", "low-latency2{use-const-initializer=false},lpt-main{only=mat-mul}"
    )
    assert flags == ["low-latency2{use_const_initializer=false}", 'lpt-main{only="mat-mul"}']


@pytest.mark.parametrize("flag", ["--cse", "--lpt", "--low-latency2", "--verify-numerics"])
def test_a_bare_flag_does_not_take_the_input_file(flag: str):
    assert OptTool([flag, "in.mlir"]).args.input_file == "in.mlir"


def test_all_passes_of_xdsl_are_flags(model: Path, capsys: pytest.CaptureFixture[str]):
    main(["--canonicalize", "--dce", str(model)])
    assert "nn.relu" in capsys.readouterr().out


@pytest.mark.parametrize(
    ("args", "message"),
    [
        (["-p", "cse", "--dce"], "-p cannot be mixed with --dce; use one of both"),
        (["-p", "no-such"], "there is no pass 'no-such'; opt-tool --help lists passes"),
        (["--no-such"], "unrecognized arguments: --no-such"),
        (["--ls"], "unrecognized arguments: --ls"),
        (["--lpt=levels=16"], "lpt has no option 'levels'; its options are preset, config"),
        (["--lpt=pre-set=all"], "lpt has no option 'pre-set'; did you mean preset?"),
        (
            ["--lpt=disabled=relu"],
            "lpt has no option 'disabled'; it is a key of the file that config=… names",
        ),
        (["--lpt", "--disabled=relu"], "did you mean --lpt=config=FILE with disabled in the file?"),
        (["--cse=a=1"], "cse has no option 'a'; it has none"),
        (["--replace-constant=name=a"], "replace-constant needs file=…"),
        (["--lpt=preset"], "lpt{preset}': lpt: preset needs a value"),
        (["--lpt=config"], "lpt{config}': lpt: config needs a value"),
        (["--lpt={"], "Expected argument name at '{}'"),
        (
            ["--low-latency2=use-const-initializer=2"],
            "low-latency2: use-const-initializer takes true or false, not 2",
        ),
        (["--verify-numerics=x=1"], "--verify-numerics: 'x=1' is none of inputs=N, steps=N"),
        (["--max-bytes=many"], "argument --max-bytes: 'many' is not a number of bytes"),
        (["--max-bytes=1KK"], "argument --max-bytes: '1KK' is not a number of bytes"),
        (["--max-bytes=K"], "argument --max-bytes: 'K' is not a number of bytes"),
        (["--verify-each", "--disable-verify"], "--verify-each contradicts --disable-verify"),
        (["--verify-each=0"], "--verify-each takes no value; --disable-verify is its opposite"),
        (["--mlir-disable-threading"], "threading; passes run one after the other; leave it out"),
        (["-mlir-print-local-scope"], "scope; nothing is printed as an alias; leave it out"),
    ],
    ids=lambda value: value[0] if isinstance(value, list) else "",
)
def test_usage(capsys: pytest.CaptureFixture[str], args: list[str], message: str):
    (error,) = fails(capsys, 2, *args).splitlines()
    assert error.startswith("opt-tool: error: ")
    assert message in error


@pytest.mark.parametrize(
    ("text", "count"), [("0", 0), ("1024", 1024), ("3K", 3072), ("2M", 2 << 20), ("1G", 1 << 30)]
)
def test_byte_counts(text: str, count: int):
    assert byte_count(text) == count


def test_help_lists_our_passes_apart_from_xdsls(capsys: pytest.CaptureFixture[str]):
    with pytest.raises(SystemExit) as error:
        main(["--help"])
    assert error.value.code == 0
    text = capsys.readouterr().out
    ours, others = text.split("lowstream's passes:")[1].split("xDSL's passes:")
    others, examples = others.split("examples:")
    for info in PASSES:
        flag = f"--{info.name}" + (f"[='{info.options}']" if info.options else "")
        assert {"reshape": "--reshape, --shape NAME=SHAPE,…"}.get(info.name, flag) in ours
        assert " ".join(info.summary.split()[:3]) in " ".join(ours.split())
        assert f"--{info.name}" not in others.split()
    assert "--canonicalize" in others.split()
    assert examples.startswith("\n  opt-tool --low-latency2 --lpt in.mlir -o out.mlir\n")


@pytest.mark.parametrize("flag", ["-o", "--output", "--output-file"])
def test_the_output_is_called_as_in_other_tools(flag: str):
    assert OptTool(["in.mlir", flag, "out.mlir"]).args.output_file == "out.mlir"


def test_help_says_what_options_of_xdsls_driver_are_here():
    actions = OptTool([]).arg_parser._actions  # pyright: ignore[reportPrivateUsage]
    assert OF_XDSL.items() <= {action.dest: action.help for action in actions}.items()


# --- errors ---------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("text", "error"),
    [
        (SHAPE_ERROR, ":2:16: error: operand is used with type tensor<5xf32>"),
        (INVALID, ":2:8: error: nn.clamp: min 1.0 is not below max 0.0"),
        (
            RELU.replace("relu", "rellu"),
            ":2:17: error: Operation nn.rellu is not registered; is it",
        ),
        (RELU.replace("%y : t", "%y, %y : t"), ":4:1: error: expected 1 operand types but had 2"),
        ("", ":1:1: error: "),
    ],
)
def test_wrong_input_is_one_line(
    model: Path, capsys: pytest.CaptureFixture[str], text: str, error: str
):
    model.write_text(text)
    line = fails(capsys, 1, "--cse", model)
    assert line.startswith(f"{model}{error}")
    assert line.count("\n") == 1


def test_files_that_cannot_be_read(tmp_path: Path, capsys: pytest.CaptureFixture[str]):
    absent = tmp_path / "absent.mlir"
    (tmp_path / "abscent.mlir").touch()
    assert fails(capsys, 1, absent) == (
        f"{absent}: error: No such file or directory; did you mean {tmp_path / 'abscent.mlir'}?\n"
    )
    assert fails(capsys, 1, tmp_path).startswith(f"{tmp_path}: error: this folder is not a saved ")
    binary = tmp_path / "binary.mlir"
    binary.write_bytes(b"\xff\xfe")
    assert (
        fails(capsys, 1, binary)
        == f"{binary}:1:1: error: not UTF-8; an .mlir file is text, and so is standard input\n"
    )


def test_lines_are_counted_in_the_whole_of_a_split_file(
    model: Path, capsys: pytest.CaptureFixture[str]
):
    model.write_text(f"{RELU}// -----\n{SHAPE_ERROR}")
    with pytest.raises(SystemExit):
        main(["--split-input-file", str(model)])
    assert capsys.readouterr().err.startswith(f"{model}:7:16: error: ")


@pytest.mark.parametrize(
    ("text", "kind"), [(SHAPE_ERROR, ParseError), (INVALID, DiagnosticException)]
)
def test_debug_shows_the_traceback(model: Path, text: str, kind: type[Exception]):
    model.write_text(text)
    with pytest.raises(kind):
        main(["--debug", str(model)])


@dataclass(frozen=True)
class Break(ModulePass):
    """Leaves what does not verify."""

    name = "break"

    def apply(self, ctx: Context, op: ModuleOp) -> None:
        for relu in [inner for inner in op.walk() if isinstance(inner, nn.ReluOp)]:
            Rewriter.replace_op(
                relu, nn.MatMulOp.create(operands=[relu.input] * 2, result_types=[relu.result.type])
            )


@dataclass(frozen=True)
class Change(ModulePass):
    """Leaves what computes something else."""

    name = "change"

    def apply(self, ctx: Context, op: ModuleOp) -> None:
        for relu in [inner for inner in op.walk() if isinstance(inner, nn.ReluOp)]:
            Rewriter.replace_op(relu, nn.TanhOp.of(relu.input))


@dataclass(frozen=True)
class Crash(ModulePass):
    """Makes a mistake."""

    name = "crash"

    def apply(self, ctx: Context, op: ModuleOp) -> None:
        raise KeyError("no\nsuch")


@dataclass(frozen=True)
class Refuse(ModulePass):
    """Refuses an operation that it made."""

    name = "refuse"

    def apply(self, ctx: Context, op: ModuleOp) -> None:
        for relu in [inner for inner in op.walk() if isinstance(inner, nn.ReluOp)]:
            made = nn.TanhOp.of(relu.input)
            made.attributes.update(relu.attributes)
            Rewriter.replace_op(relu, made)
            raise DiagnosticException(f"{label(made)}: is refused")


@pytest.fixture
def with_wrong_passes(monkeypatch: pytest.MonkeyPatch) -> None:
    def register(tool: OptTool) -> None:
        for item in (Break, Change, Crash, Refuse):
            tool.register_pass(item.name, lambda item=item: item)
        real(tool)

    real = OptTool.register_all_passes
    monkeypatch.setattr(OptTool, "register_all_passes", register)


@pytest.mark.usefixtures("with_wrong_passes")
def test_a_pass_that_leaves_an_invalid_module_is_named(
    model: Path, capsys: pytest.CaptureFixture[str]
):
    line = fails(capsys, 1, "--cse", "--break", "--dce", model)
    assert line.startswith(f"{model}: error: break left an invalid module: nn.mat_mul: ")
    assert line.count("\n") == 1


@pytest.mark.usefixtures("with_wrong_passes")
def test_a_pass_that_changes_a_result_is_named(model: Path, capsys: pytest.CaptureFixture[str]):
    main(["--cse", "--change", str(model)])
    assert "nn.tanh" in capsys.readouterr().out
    main(["--cse", "--verify-numerics", str(model)])
    assert "nn.relu" in capsys.readouterr().out
    line = fails(capsys, 1, "--cse", "--change", "--verify-numerics=inputs=1,steps=1", model)
    assert line.startswith(f"{model}: error: change changed what @main gives: ")
    assert line.count("\n") == 1


@pytest.mark.usefixtures("with_wrong_passes")
def test_what_a_pass_made_stands_where_its_layer_does(
    model: Path, capsys: pytest.CaptureFixture[str]
):
    named = RELU.replace("nn.relu %x", 'nn.relu %x {nn.name = "act"}')
    model.write_text(f"{LARGE}// -----\n{named}")
    with pytest.raises(SystemExit):
        main(["--refuse", "--split-input-file", str(model)])
    assert capsys.readouterr().err == f"{model}:4:8: error: nn.tanh 'act': is refused\n"
    model.write_text(RELU)
    assert fails(capsys, 1, "--refuse", model) == f"{model}: error: nn.tanh: is refused\n"


@pytest.mark.usefixtures("with_wrong_passes")
def test_a_mistake_of_ours_names_the_pass_and_its_reproducer(
    model: Path, capsys: pytest.CaptureFixture[str]
):
    wrong = "error: crash: a mistake of lowstream's, KeyError: 'no\\nsuch'; --debug shows where; "
    line = fails(capsys, 1, "--cse", "--crash", model)
    assert line == (
        f"{model}: {wrong}please report it with the file, or with what "
        "--mlir-pass-pipeline-crash-reproducer=FILE makes: all it takes\n"
    )
    model.write_text(LARGE)
    crash = model.with_name("crash.mlir")
    option = f"--mlir-pass-pipeline-crash-reproducer={crash}"
    line = fails(capsys, 1, "--cse", "--crash", option, model)
    assert line == (
        f"{model}: {wrong.removesuffix('; ')}; {crash} reproduces it: please report it with that file\n"
    )
    assert (
        "dense" not in crash.read_text()
    )  # but in the file of weights that the reproducer refers to
    assert fails(capsys, 1, "--run-reproducer", crash).startswith(f"{crash}: {wrong}")
    with pytest.raises(KeyError):
        main(["--crash", "--debug", str(model)])


def test_a_terminal_is_spared_large_constants():
    terminal, pipe = TextIOWrapper(BytesIO()), TextIOWrapper(BytesIO())
    terminal.isatty = lambda: True
    assert [limit_for(terminal, asked) for asked in (None, 5, 0, -1)] == [16, 5, 0, None]
    assert [limit_for(pipe, asked) for asked in (None, 5, 0, -1)] == [None, 5, 0, None]


# --- output ---------------------------------------------------------------------------------


def test_large_constants_go_beside_the_output(model: Path, capsys: pytest.CaptureFixture[str]):
    model.write_text(f"{LARGE}// -----\n{LARGE.replace('2]', '3]')}// -----\n{LARGE}")
    out = model.with_name("out.mlir")
    main([str(model), "--split-input-file", "-o", str(out)])
    text = out.read_text()
    assert text.count('"out.safetensors", "w", ') == 2
    assert text.count('"out.safetensors", "w_2", ') == 1
    assert {path.name for path in model.parent.iterdir()} == {
        "in.mlir",
        "out.mlir",
        "out.safetensors",
    }
    capsys.readouterr()
    main([str(out), "--split-input-file"])
    main([str(model), "--split-input-file"])
    inline = capsys.readouterr().out
    assert inline[: len(inline) // 2] == inline[len(inline) // 2 :]


def test_other_targets_and_forms_go_to_files_too(model: Path):
    out = model.with_name("out.mlir")
    main([str(model), "--print-op-generic", "-o", str(out)])
    assert '"nn.relu"' in out.read_text()


@pytest.mark.parametrize("text", [SHAPE_ERROR, INVALID])
def test_nothing_is_written_where_something_is_wrong(
    model: Path, capsys: pytest.CaptureFixture[str], text: str
):
    model.write_text(f"{LARGE}// -----\n{text}")
    out = model.with_name("out.mlir")
    fails(capsys, 1, model, "--split-input-file", "-o", out)
    assert list(model.parent.iterdir()) == [model]
    out.write_text("as it was")
    fails(capsys, 1, model, "--split-input-file", "-o", out)
    assert out.read_text() == "as it was"


def test_an_output_in_no_folder(model: Path, capsys: pytest.CaptureFixture[str]):
    out = model.with_name("absent") / "out.mlir"
    line = fails(capsys, 1, model, "-o", out)
    assert line == f"{out}: error: there is no folder {out.parent}\n"


def test_the_input_may_be_the_output(model: Path):
    model.write_text(LARGE)
    for _ in range(2):
        main([str(model), "-o", str(model)])
    assert '"in.safetensors", "w", ' in model.read_text()


def test_output_that_is_no_regular_file(model: Path):
    main([str(model), "-o", os.devnull])
    assert [path.name for path in model.parent.iterdir()] == ["in.mlir"]


def test_max_bytes(
    model: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
):
    monkeypatch.setattr(blob, "MAX_BYTES", blob.MAX_BYTES)
    model.write_text("%0 = nn.constant dense<1> : tensor<1025xi8>")
    main([str(model), "--max-bytes", "2K"])
    capsys.readouterr()
    assert "over the limit of 1024" in fails(capsys, 1, model, "--max-bytes=1K")


# --- the process ----------------------------------------------------------------------------


def command(*args: str | Path) -> list[str]:
    return [sys.executable, "-P", "-m", "lowstream.tools.opt_tool", *map(str, args)]


def test_reads_standard_input():
    done = subprocess.run(command(), input=SHAPE_ERROR, capture_output=True, text=True, check=False)
    assert done.returncode == 1
    assert done.stderr.startswith("stdin:2:16: error: ")


def test_a_reader_that_leaves_is_no_error(model: Path):
    model.write_text("".join(LARGE.replace("%0", f"%{i}") for i in range(10)))
    process = subprocess.Popen(command(model), stdout=subprocess.PIPE, stderr=subprocess.PIPE)
    assert process.stdout is not None
    assert process.stderr is not None
    process.stdout.read(1)
    process.stdout.close()
    assert process.stderr.read() == b""
    process.stderr.close()
    process.wait()


HEAVY = ("numpy", "llvmlite", "rich", "openvino", "safetensors")


@pytest.mark.parametrize("what", ["help", "parse"])
def test_imports_no_more_than_it_needs(model: Path, what: str):
    args = ["--help"] if what == "help" else ["--cse", str(model)]
    code = (
        "import sys, atexit; from lowstream.tools.opt_tool import main\n"
        "atexit.register(lambda: print(*sys.modules, file=sys.stderr)); main(sys.argv[1:])"
    )
    done = subprocess.run(
        [sys.executable, "-P", "-c", code, *args], capture_output=True, text=True, check=True
    )
    loaded = set(done.stderr.split())
    assert not loaded.intersection(HEAVY)
    passes = {f"lowstream.{info.module}" for info in PASSES}
    assert not loaded & passes
    dialects = {name for name in loaded if name.startswith("lowstream.dialects.nn")}
    assert bool(dialects) == (what == "parse")


def test_a_marker_is_any_bytes(model: Path, capsys: pytest.CaptureFixture[str]):
    text = model.read_bytes()
    model.write_bytes(text + b"\n\xff\n" + text)
    main([str(model), f"--split-input-file={os.fsdecode(bytes([255]))}"])
    assert capsys.readouterr().out.count("func.func") == 2 * text.count(b"func.func")
