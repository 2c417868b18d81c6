"""What newcomers get wrong: each is one line that says what, and where it can, what was meant."""

import importlib
import os
import re
import shlex
import subprocess
import sys
from contextlib import nullcontext
from pathlib import Path
from signal import SIGPIPE

import numpy as np
import pytest

from lowstream.test.unit.tools.test_command import PRODUCT, TEXT, Fails, fails, folder
from lowstream.tools import progress
from lowstream.tools.command import COMMANDS, main
from lowstream.tools.diagnostics import describe
from lowstream.tools.opt_tool import OptTool

__all__ = ["fails", "folder"]

WRONG = {
    "run nothing": "nothing: error: No such file or directory; nothing of a name like that is in /…",
    "run .": ".: error: this folder is not a saved model of … give the file of a model, such as empty.mlir",
    "run none": "none: error: this folder … which has saved_model.pb in it; give the file of a model",
    "run m.pt": "m.pt: error: cannot read '.pt' files; load the module with PyTorch, …) or torch.onnx.export",
    "run m.mlmodel": "m.mlmodel: error: cannot read '.mlmodel' files; Core ML runs it … coremltools made it of",
    "run m.safetensors": "m.safetensors: error: cannot read '.safetensors' files; it holds weights … torch.onnx.export",
    "run folder.onnx": "folder.onnx: error: this folder is not a saved model of … give the file of a model",
    "run whole.mlir": "whole.mlir:4:1: error: the text ends too early (…); is the file whole?",
    "run m.bin": "m.bin: error: cannot read '.bin' files; these are the weights of the .xml beside it, so give that",
    "run m.onnx": "m.onnx: error: not a model, but an empty file; copy it or export it again",
    "run plain": "plain: error: cannot read a file that has no ending; supported: .mlir, …",
    "run empty.mlir": "empty.mlir:1:1: error: the file is empty; a model has a function",
    "run m.mlir --input X=words.npy": "…: only numbers can be converted",
    "run p.mlir --input rows.npy": "p.mlir: error: input 'X' takes 1x2, rows.npy holds 3x2; if … array[:, None]",
    "run m.mlir --output m.mlir": "m.mlir: error: this is not a folder; --output takes one",
    "run m.mlir -o m.mlir": "m.mlir: error: this is not a folder; --output takes one",
    "run m.mlir --report no/r.csv": "no/r.csv: error: there is no folder no",
    "explain m.mlir -o no/r.html": "no/r.html: error: there is no folder no",
    "translate m.mlir -o no/m.xml": "no/m.xml: error: there is no folder no",
    "translate m.mlir -o none": "none: error: this is a folder; give a file in it, such as none/model.mlir",
    "translate m.mlir -o m": "m: error: cannot write a file that has no ending; supported: .mlir, …",
    "quantize m.mlir --input x.npy -o no/q.mlir": "no/q.mlir: error: there is no folder no",
    "opt m.mlir --lpt -o no/m.mlir": "no/m.mlir: error: there is no folder no",
    "run m.mlir -p reshape{inputs=X=1}": '…put a value that has = or , in quotes: reshape{inputs="X=1x2,Y=3"}',
    "run m.mlir -p lpt;dce": "…pipeline 'lpt;dce': Unknown token at ';dce'",
    "opt m.mlir --split-input-file -o m.xml": "m.xml: error: --split-input-file is for .mlir; leave it out",
    "opt m.mlir --verify-diagnostics -o m.xml": "m.xml: error: --verify-diagnostics is for .mlir; leave it out",
    "opt m.mlir -t wat -o m.xml": "m.xml: error: --target is for .mlir; leave it out",
    "opt m.mlir --mlir-print-op-generic -o m.dot": "m.dot: error: --mlir-print-op-generic is for .mlir; leave it out",
    "opt m.mlir -o m.pb": "m.pb: error: cannot write '.pb' files; supported: .mlir, …",
    "opt m.mlir -o m.ONNX": "m.ONNX: error: cannot write '.ONNX' files; supported: .mlir, …",
    "opt m.mlir -o m.safetensors": "m.safetensors: error: cannot write '.safetensors' files; supported: .mlir, …",
    "opt m.onnx --verify-diagnostics": "m.onnx: error: --verify-diagnostics is for .mlir; leave it out",
    "opt m.onnx --run-reproducer": "m.onnx: error: --run-reproducer is for .mlir; leave it out",
    "run m.mlir -p func.func(cse)": "…the whole module, not on func.func in it; write builtin.module(cse)",
    "run m.mlir -p LPT": "…: there is no pass 'LPT'; did you mean lpt?",
    "run empty": "empty: error: No such file or directory; did you mean empty.mlir?",
    "run m.mlir -p low-latency": "…: there is no pass 'low-latency'; did you mean low-latency2?",
}

UNKNOWN = {
    "serve": "…the following arguments are required: model; --help shows examples",
    "benchmark m.mlir --input x.npy": "…; --input is an option of lowstream quantize, run, explain",
    "run m.mlir --vs openvino": "…unrecognized arguments: --vs openvino; --vs is an option of lowstream benchmark",
    "run m.mlir --lpt": "…unrecognized arguments: --lpt; did you mean -p lpt?",
    "opt m.mlir --low-latency": "…unrecognized arguments: --low-latency; did you mean --low-latency2?",
    "explain m.mlir --html": "…unrecognized arguments: --html; --help lists the options",
    "run m.mlir --bogus": "…unrecognized arguments: --bogus; --help lists the options",
    "translate m.mlir --lpt": "…unrecognized arguments: --lpt; did you mean opt-tool --lpt?",
    "translate m.mlir -p lpt": "…unrecognized arguments: -p lpt; did you mean opt-tool -p?",
    "run m.mlir --input X=x.npy H=x.npy": "…unrecognized arguments: H=x.npy; did you mean --input H=x.npy?",
    "run m.mlir x.npy": "…unrecognized arguments: x.npy; did you mean --input x.npy?",
    "run m.mlir -p low-latency2 lpt": "…unrecognized arguments: lpt; did you mean -p …,lpt?",
    "run m.mlir n.mlir": "…unrecognized arguments: n.mlir; --help lists the options",
    "opt m.mlir --lpt --preset=all": "…or --lpt-prerequisites=preset=…?",
    "opt m.mlir --use-const-initializer=false": "…; did you mean --low-latency2=use-const-initializer=…?",
    "opt m.mlir --trim inputs=a": "…: inputs=a; options of a pass follow it with =: --trim=inputs=a",
    "opt --trim inputs=a m.mlir": "…: m.mlir; options of a pass follow it with =: --trim=inputs=a",
    "translate m.mlir m.xml": "…unrecognized arguments: m.xml; did you mean -o m.xml?",
    "translate m.mlir --shape=--": "…argument --reshape/--shape: expected one argument",
    "show m.mlir": "lowstream: error: there is no command 'show'; commands: opt, …",
    "ovc m.onnx": "lowstream: error: there is no command 'ovc'; did you mean translate?",
    "Explian m.onnx": "lowstream: error: there is no command 'Explian'; did you mean explain?",
    "lpt m.onnx": "lowstream: error: there is no command 'lpt'; it is a pass: lowstream opt --lpt",
    "benchmark m.xml -hint latency": "…unrecognized arguments: -hint; --help lists the options",
    "opt --LPT m.mlir": "…unrecognized arguments: --LPT; did you mean --lpt?",
    "opt low-latency2 m.mlir": "…unrecognized arguments: m.mlir; 'low-latency2' is a pass: --low-latency2",
    "opt m.mlir lpt": "…unrecognized arguments: lpt; 'lpt' is a pass: --lpt",
    "opt m.mlir n.mlir -p lpt": "…unrecognized arguments: n.mlir; did you mean -o n.mlir?",
    "opt -pass-pipeline=any(lpt,func.func(cse)) m.mlir": "…not on func.func in it; write builtin.module(lpt,cse)",
    "run ''": "…argument model: the path is empty; is a variable of the shell unset?",
    "opt ''": "…the path is empty; is a variable of the shell unset?",
    "translate m.mlir -o ''": "…argument -o/--output: the path is empty; is a variable of the shell unset?",
    "opt m.mlir -o ''": "…the path is empty; is a variable of the shell unset?",
    "serve m.mlir --port 99999": "…'99999' is not a port, a number from 0 to 65535",
    "opt m.mlir -mlir-elide-elementsattrs-if-larger=-2": "…'-2' is neither a number of elements nor -1",
    "run m.mlir --bisect-kernels --report r.csv": "…for --bisect-kernels, which runs one step and writes nothing",
    "help explian": "lowstream: error: there is no command 'explian'; did you mean explain?",
    "serve m.mlir --idle -1": "…'-1' is not a number of seconds",
}


@pytest.mark.parametrize(
    ("status", "words"), [*((1, words) for words in WRONG), *((2, words) for words in UNKNOWN)]
)
def test_one_line_says_what_is_wrong(status: int, words: str, folder: Path, fails: Fails):
    (folder / "plain").write_text(TEXT)
    (folder / "whole.mlir").write_text(TEXT[: TEXT.index("  func.return")])
    for name in ("none", "folder.onnx"):
        (folder / name).mkdir()
    for name in ("empty.mlir", "m.pt", "m.mlmodel", "m.bin", "m.onnx", "m.safetensors"):
        (folder / name).touch()
    (folder / "p.mlir").write_text(PRODUCT)
    np.save("rows.npy", np.zeros((3, 2), np.float32))
    np.save("words.npy", np.array(["a", "b"]))
    np.save("x.npy", np.zeros(2, np.float32))
    before, _, after = (WRONG | UNKNOWN)[words].partition("…")
    said = fails(status, *shlex.split(words))
    assert said.startswith(before)
    assert said.endswith(after)


@pytest.mark.parametrize("name", ["", *COMMANDS])
def test_help_teaches_with_examples(
    name: str, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
):
    monkeypatch.setenv("COLUMNS", "80")
    with pytest.raises(SystemExit):
        main([*filter(None, [name]), "--help"])
    said = capsys.readouterr().out
    assert "\nexamples:\n" in said
    assert "exit status" in said
    assert [line for line in said.splitlines() if len(line) > 80] == []
    examples = said.partition("\nexamples:\n")[2].partition("\n\n")[0]
    for line in re.findall(
        r"^  (?:cat .*\| )?(?:lowstream (\S+)|(opt)-tool) (.*?)(?:  .*)?$", examples, re.M
    ):
        command, words = line[0] or line[1], shlex.split(line[2])
        if words != ["--help"]:
            parse(command, words)


def parse(command: str, words: list[str]) -> None:
    """Ends the process where a command does not take these words."""
    if command == "opt":
        OptTool(words)
    else:
        importlib.import_module(f"lowstream.tools.{COMMANDS[command][0]}").arguments().parse_args(
            words
        )


def test_a_full_disk_is_that_of_the_output():
    with pytest.raises(OSError, match="No space left") as full, open("/dev/full", "w") as stream:
        stream.write("text")
    assert describe(full.value, "m.mlir") == "the output: error: No space left on device"


@pytest.mark.parametrize("words", ["opt --help", "run --help", "--version"])
@pytest.mark.parametrize(
    ("output", "status", "said"),
    [
        ("full", 1, "the output: error: No space left on device\n"),
        ("closed", 128 + SIGPIPE, ""),
        ("none", 0, ""),
    ],
)
def test_what_cannot_be_written_is_a_failure(words: str, output: str, status: int, said: str):
    """A pipe whose reader has gone is one in silence; without any standard output there is nothing to fail."""
    read, write = os.pipe()
    os.close(read)
    with open("/dev/full", "wb") as full, open(write, "wb") as closed:
        command = [sys.executable, "-P", "-m", "lowstream", *words.split()]
        if output == "none":
            command = ["sh", "-c", '"$@" >&-', "sh", *command]
        ran = subprocess.run(
            command,
            stdout=closed if output == "closed" else full,
            stderr=subprocess.PIPE,
            text=True,
            check=False,
        )
    assert (ran.returncode, ran.stderr) == (status, said)


@pytest.mark.parametrize(
    ("target", "what"),
    [
        ("/x", "Unknown token at '/x'"),
        ("a{", "Expected argument name at the end"),
        ("b", "invalid choice: 'b'"),
    ],
)
def test_targets_that_are_none(fails: Fails, target: str, what: str):
    assert f"argument --target: {what}" in fails(2, "opt", "m.mlir", "--target", target).replace(
        "-t/", ""
    )


def test_names_of_files_that_are_not_utf_8(folder: Path, capfd: pytest.CaptureFixture[str]):
    """A text cannot name the file of its weights so; a page escapes what it shows."""
    name, numbers = os.fsdecode(b"n\xff"), ", ".join(map(str, range(2000)))
    text = TEXT.replace("nn.add %x, %x : (tensor<2xf32>", "nn.add %x, %w : (tensor<2xf32>")
    constant = f"%w = nn.constant dense<[{numbers}]> : tensor<2000xf32>\n  %y"
    Path(f"{name}.mlir").write_text(text.replace("2xf32", "2000xf32").replace("%y", constant, 1))
    main(["explain", f"{name}.mlir", "-o", f"{name}.html"])
    assert "n\\udcff" in Path(f"{name}.html").read_text()
    main(["translate", f"{name}.mlir", "-o", f"{name}.onnx"])
    with pytest.raises(SystemExit):
        main(["translate", f"{name}.mlir", "-o", f"o{name}.mlir"])
    assert "error: the name is not UTF-8" in capfd.readouterr().err
    assert not Path(f"o{name}.mlir").exists()


@pytest.mark.filterwarnings("default:--threads")
@pytest.mark.parametrize("command", [["run"], ["explain", "--measure"]])
def test_more_threads_than_cores(command: list[str], capsys: pytest.CaptureFixture[str]):
    for count in ("100000", "1"):
        with pytest.raises(SystemExit):
            main([*command, "none.mlir", "--threads", count])
    warned, *_ = said = capsys.readouterr().err.splitlines()
    assert "warning: --threads 100000 is more than the" in warned
    assert len(said) == 3


def test_line_breaks_in_words_are_blanks(fails: Fails):
    assert fails(1, "opt", "a\nb.mlir").startswith(r"a b.mlir: error: 'a\nb.mlir' is no path; ")
    assert fails(2, "run", "m.mlir", "--threads", "1\n2").endswith(
        "'1 2' is not a number of 1 or more"
    )


@pytest.mark.parametrize(
    ("encoding", "closed"),
    [("ascii", ""), ("latin-1", "2>&-"), ("utf-8", ""), ("ascii", ">&- 2>&-")],
)
def test_any_encoding_and_any_output(folder: Path, encoding: str, closed: str):
    """What ASCII does not have is an escape: µs is \\xb5s."""
    tool = f'"{sys.executable}" -P -m lowstream run m.mlir {closed}'
    environment = os.environ | {"PYTHONIOENCODING": encoding}
    ran = subprocess.run(tool, shell=True, env=environment, capture_output=True, check=False)
    assert (ran.returncode, ran.stderr) == (0, b"")
    micro = b"\\xb5s" if encoding == "ascii" else "µs".encode(encoding)
    assert (micro in ran.stdout) == (closed != ">&- 2>&-")


def test_a_model_that_is_compiled_by_a_call_shows_how_far_it_is(
    folder: Path, monkeypatch: pytest.MonkeyPatch
):
    shown: list[str] = []
    monkeypatch.setattr(progress, "progress", lambda title: nullcontext(shown.append(title)))
    np.save("x.npy", np.zeros((3, 2), np.float32))
    main(["run", "m.mlir", "--input", "x.npy"])
    assert shown == ["m.mlir"]  # while it was compiled
    main(["run", "unknown.mlir", "--input", "x.npy"])
    assert shown[1:] == ["unknown.mlir"] * 4  # and in each of three calls
