"""Input made to hurt ends in one line, in little memory, and without a traceback."""

import json
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

BYTES = 256 << 20
"""What any of them may take."""

LAUNCHER = """
import json, os, resource, sys

import lowstream.tools.opt_tool
from lowstream.test.forked_tools import run_as_main

for line in sys.stdin:
    errors, *words = json.loads(line)
    pid = os.fork()
    if not pid:
        resource.setrlimit(resource.RLIMIT_CPU, (10, 10))
        resource.setrlimit(resource.RLIMIT_AS, (4 << 30, 4 << 30))
        os.dup2(os.open(os.devnull, os.O_WRONLY), 1)
        os.dup2(os.open(errors, os.O_WRONLY | os.O_CREAT | os.O_TRUNC), 2)
        status = run_as_main("lowstream.tools.opt_tool", words, os.environ | {"PYTHONWARNINGS": "error"})
        sys.stderr.flush()
        os._exit(status)
    _, status, used = os.wait4(pid, 0)
    print(json.dumps([os.waitstatus_to_exitcode(status), used.ru_maxrss * 1024]), flush=True)
"""
"""
A process counts what its parent had in memory when it was started: this one has what the tool imports. What does not
end, or takes all memory, is ended.
"""

Run = Callable[..., tuple[int, str]]


@pytest.fixture(scope="module")
def launcher() -> Iterator[subprocess.Popen[str]]:
    """A process whose forks are runs of the tool, which begin where it has imported everything."""
    command = [sys.executable, "-P", "-c", LAUNCHER]
    with subprocess.Popen(
        command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
    ) as process:
        yield process


@pytest.fixture
def run(launcher: subprocess.Popen[str], tmp_path: Path) -> Run:
    """Gives exit status and errors of opt-tool on an input; fails where it takes more than it may."""

    def opt_tool(text: str | bytes, *args: str) -> tuple[int, str]:
        path, errors = tmp_path / "in.mlir", tmp_path / "errors"
        path.write_bytes(text if isinstance(text, bytes) else text.encode())
        assert launcher.stdin is not None
        assert launcher.stdout is not None
        print(json.dumps([str(errors), str(path), *args]), file=launcher.stdin, flush=True)
        status, most = json.loads(launcher.stdout.readline())
        assert most < BYTES
        return status, errors.read_text()

    return opt_tool


def nested(depth: int, opening: str, closing: str) -> str:
    return opening * depth + closing * depth


DOUBLING = "\n".join(f"!t{i + 1} = tuple<!t{i}, !t{i}>" for i in range(40))

HOSTILE: dict[str, tuple[str | bytes, str]] = {
    "unterminated string": (
        '"' + "a" * 100_000,
        "in.mlir:1:1: error: the text ends too early (End",
    ),
    "string of backslashes": (
        '"' + "\\\\" * 100_000,
        "in.mlir:1:1: error: the text ends too early (End",
    ),
    "nested regions": (
        nested(10_000, '"a.b"() ({\n', "}) : () -> ()\n"),
        "nested too deeply",
    ),
    "nested arrays": (
        f'"a.b"() {{a = {nested(50_000, "[", "]")}}} : () -> ()',
        "nested too deeply",
    ),
    "nested types": (f"!a = {'tuple<' * 50_000}i1{'>' * 50_000}", "nested too deeply"),
    "nested literal": (
        f"%0 = nn.constant dense<{nested(50_000, '[', ']')}> : tensor<1xi8>",
        "nested too deeply",
    ),
    "nested affine": (
        f'"a.b"() {{a = affine_map<(d0) -> ({"(" * 50_000}d0)>}} : () -> ()',
        "nested too deeply",
    ),
    "doubling aliases": (f'!t0 = i1\n{DOUBLING}\n"a.b"() {{a = !t40}} : () -> ()', "aliases"),
    "splat of a foreign dialect": (
        "%0 = arith.constant dense<1.0> : tensor<200000000xf32>",
        "a splat of 200000000 elements would be expanded here; write an nn.constant",
    ),
    "splat over the budget": (
        "%0 = nn.constant dense<1.0> : tensor<20000000000xf32>",
        "over the limit of 4294967296; raise it with --max-bytes",
    ),
    "product of dimensions beyond 64 bits": (
        f"%0 = nn.constant dense<1.0> : tensor<{'99999999x' * 20}f32>",
        "more elements than memory has addresses",
    ),
    "splat as a target shape": (
        (
            "func.func @f(%x: tensor<1xf32>) {\n"
            "%s = nn.constant dense<1> : tensor<500000000xi64>\n"
            "%y = nn.reshape %x, %s : (tensor<1xf32>, tensor<500000000xi64>) -> tensor<1xf32>\n"
            "func.return\n}"
        ),
        "nn.reshape: the number of target dimensions is unknown",
    ),
    "splat as a quantization interval": (
        (
            "func.func @f(%x: tensor<500000000xf32>) {\n"
            "%l = nn.constant dense<1.0> : tensor<500000000xf32>\n"
            "%y = qnn.fake_quantize %x, %l, %l, %l, %l {levels = 1 : i64} : "
            f"({', '.join(['tensor<500000000xf32>'] * 5)}) -> tensor<500000000xf32>\nfunc.return\n}}"
        ),
        "qnn.fake_quantize: 1 levels",
    ),
    "padding of a pooling": (
        (
            "func.func @main(%x: tensor<1x1x8xf32>) -> tensor<1x1x1xf32> {\n"
            "%y = nn.max_pool %x {kernel = array<i64: 2>, strides = array<i64: 9000000000>, pads_begin = "
            "array<i64: 1>, pads_end = array<i64: 8000000000>, dilations = array<i64: 1>} "
            ": tensor<1x1x8xf32> -> tensor<1x1x1xf32>\nfunc.return %y : tensor<1x1x1xf32>\n}"
        ),
        "nn.max_pool: its input with padding of type tensor<1x1x8000000009xf32> would take",
    ),
    "result of a tile": (
        (
            "func.func @main(%x: tensor<1xf32>) -> tensor<9000000000xf32> {\n"
            "%n = nn.constant dense<9000000000> : tensor<1xi64>\n"
            "%y = nn.tile %x, %n : (tensor<1xf32>, tensor<1xi64>) -> tensor<9000000000xf32>\n"
            "func.return %y : tensor<9000000000xf32>\n}"
        ),
        "nn.tile: a value of type tensor<9000000000xf32> would take 36000000000 bytes, over the limit",
    ),
    "input of a function": (
        "func.func @main(%x: tensor<9000000000xf32>) {\nfunc.return\n}",
        "func.func: a value of type tensor<9000000000xf32> would take 36000000000 bytes, over the limit",
    ),
    "number of many bits": (
        '"a.b"() {a = 1 : i99999999999} : () -> ()',
        "in.mlir:1:18: error: an integer of more than 16777215 bits",
    ),
    "many splits": (
        (
            "func.func @f(%x: tensor<?xf32>) {\n"
            "%a = nn.constant dense<0> : tensor<i64>\n"
            "%y = nn.split %x, %a {num_splits = 999999999999 : i64} : "
            "(tensor<?xf32>, tensor<i64>) -> tensor<?xf32>\nfunc.return\n}"
        ),
        "nn.split: 999999999999 splits for 1 results",
    ),
    "weights outside the folder": (
        '%0 = nn.constant #nn.blob<"/etc/passwd", "k", "0"> : tensor<1xi8>',
        "outside the module's folder",
    ),
    "weights above the folder": (
        '%0 = nn.constant #nn.blob<"../w.safetensors", "k", "0"> : tensor<1xi8>',
        "outside the module's folder",
    ),
    "weights that are missing": (
        '%0 = nn.constant #nn.blob<"w.safetensors", "k", "0"> : tensor<1xi8>',
        "'w.safetensors' is missing",
    ),
    "number of many digits": (f'"a.b"() {{a = {"9" * 100_000}}} : () -> ()', "in.mlir:1:"),
    "not text": (b"\x80" * 1000, "in.mlir:1:1: error: not UTF-8"),
    "NUL": (b"\0", "in.mlir:1:1: error: Unexpected character"),
    "nothing": (b"", "in.mlir:1:1: error: the file is empty; a model has a function"),
    "no operation of this name": ("%0 = nn.rellu %x : tensor<1xf32>", "nn.rellu"),
}


@pytest.mark.parametrize(("text", "message"), HOSTILE.values(), ids=HOSTILE)
def test_ends_in_one_line(run: Run, text: str | bytes, message: str):
    args = (
        ["--allow-unregistered-dialect"]
        if b"a.b" in (text if isinstance(text, bytes) else text.encode())
        else []
    )
    status, errors = run(text, *args)
    assert errors.count("\n") == 1, errors[-1000:]
    assert message in errors
    assert len(errors) < 500
    assert status == 1


def test_a_splat_stays_one_value(run: Run):
    text = "%0 = nn.constant dense<1.0> : tensor<200000000xf32>"
    assert run(text, "--canonicalize") == (0, "")


def test_the_budget_is_lowered(run: Run):
    text = "%0 = nn.constant dense<1.0> : tensor<1024xf32>"
    assert run(text, "--max-bytes=4K") == (0, "")
    status, errors = run(text, "--max-bytes", "4095")
    assert status == 1
    assert "over the limit of 4095" in errors


def test_links_out_of_the_folder(run: Run, tmp_path: Path):
    (tmp_path / "w.safetensors").symlink_to("/etc/passwd")
    text = '%0 = nn.constant #nn.blob<"w.safetensors", "k", "0"> : tensor<1xi8>'
    status, errors = run(text)
    assert status == 1
    assert "is a link out of the module's folder" in errors
