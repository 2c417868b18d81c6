"""`lowstream serve`, from where it begins to compile to where it ends."""

import ctypes
import http.client
import json
import re
import signal
import socket
import threading
from collections.abc import Callable, Generator
from contextlib import contextmanager
from pathlib import Path
from types import FrameType
from typing import Any

import pytest
import uvicorn

from lowstream.test.unit.runtime import runtime_models
from lowstream.tools import serve_tool
from lowstream.tools.server import service

Answer = tuple[int, Any]


@pytest.fixture
def ports(monkeypatch: pytest.MonkeyPatch) -> list[int]:
    """Where servers listen."""
    found: list[int] = []
    listening = serve_tool._listening

    def seen(host: str, port: int) -> socket.socket:
        listens = listening(host, port)
        found.append(listens.getsockname()[1])
        return listens

    monkeypatch.setattr(serve_tool, "_listening", seen)
    return found


@pytest.fixture
def arguments(tmp_path: Path) -> list[str]:
    (tmp_path / "sums.mlir").write_text(runtime_models.TYPES)
    return [str(tmp_path / "sums.mlir"), "--port", "0", "--name", "my sums"]


class SignalStack(ctypes.Structure):
    """C's `stack_t`."""

    _fields_ = (("address", ctypes.c_void_p), ("flags", ctypes.c_int), ("size", ctypes.c_size_t))


@pytest.fixture
def no_signal_stack() -> None:
    """
    Handlers of signals run on the stack of the thread, as in a process of the tool alone. OpenVINO gives a thread that
    compiles another stack for them, and takes its memory back: the next signal would end the process.
    """
    disable = 2
    libc = ctypes.CDLL(None)
    assert libc.sigaltstack(ctypes.byref(SignalStack(None, disable, 0)), None) == 0


def ask(port: int, method: str, path: str) -> tuple[int, str, http.client.HTTPMessage]:
    connection = http.client.HTTPConnection("127.0.0.1", port)
    connection.request(method, path)
    answer = connection.getresponse()
    text = answer.read().decode()
    connection.close()
    return answer.status, text, answer.headers


def get(port: int, path: str) -> Answer:
    status, text, _ = ask(port, "GET", path)
    return status, json.loads(text)


def while_it_compiles(monkeypatch: pytest.MonkeyPatch, act: Callable[[], None]) -> None:
    """Compiling acts before it begins."""
    compile_model = service.compile_model

    def held(*arguments: Any, **options: Any) -> Any:
        act()
        return compile_model(*arguments, **options)

    monkeypatch.setattr(service, "compile_model", held)


def once_it_is_ready(monkeypatch: pytest.MonkeyPatch, act: Callable[[], None]) -> None:
    """Before it waits for a signal it acts; then it ends without one."""

    capture_signals = uvicorn.Server.capture_signals

    @contextmanager
    def acts(server: uvicorn.Server) -> Generator[None]:
        with capture_signals(server):
            if threading.current_thread() is threading.main_thread():  # the server's enters it, too
                act()
                server.should_exit = True
            yield

    monkeypatch.setattr(uvicorn.Server, "capture_signals", acts)


def test_what_is_answered_before_the_model_is_ready_and_after(
    arguments: list[str],
    ports: list[int],
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
):
    model = "/v2/models/my%20sums"
    ready = ["/v2/health/ready", f"{model}/ready", f"{model}/versions/1/ready"]
    said: list[str] = []

    def early() -> None:
        (port,) = ports
        assert get(port, "/v2/health/live") == (200, {"live": True})
        for path in ready:
            status, answer = get(port, path)
            assert (status, answer["ready"]) == (503, False)
        others = [("GET", path) for path in ("/v2", model, f"{model}/config", "/v2/models/stats")]
        others += [("POST", f"{model}/infer"), ("POST", "/v2/repository/index")]
        others += [("GET", "/v2/models/other/ready"), ("GET", "/none"), ("POST", "/v2/logging")]
        for method, path in others:
            status, text, headers = ask(port, method, path)
            assert (status, headers["Retry-After"]) == (503, "1")
            why = "'my sums' is being compiled; /v2/health/ready says when it is ready"
            assert json.loads(text) == {"error": why}
        status, text, _ = ask(port, "GET", "/metrics")
        assert (status, "lowstream_sequences 0.0" in text) == (200, True)
        assert f'lowstream_requests_total{{status="503"}} {len(others)}.0' in text
        said.append(capsys.readouterr().err)

    def late() -> None:
        (port,) = ports
        assert capsys.readouterr().out == f"http://127.0.0.1:{port}{model}\n"
        for path in ready:
            status, answer = get(port, path)
            assert (status, answer["ready"]) == (200, True)
        assert get(port, model)[1]["inputs"][0]["shape"] == [3]
        assert get(port, "/v2/models/other/ready")[0] == 404
        assert ask(port, "POST", f"{model}/infer")[0] == 400
        assert 'status="503"' in ask(port, "GET", "/metrics")[1]  # it goes on counting
        said.append("late")

    while_it_compiles(monkeypatch, early)
    once_it_is_ready(monkeypatch, late)
    serve_tool.main(arguments)
    (port,) = ports
    # In a log, too, where no bar shows it; who let the system choose the port learns it before the model is ready.
    assert said == [
        f"compiling sums.mlir; http://127.0.0.1:{port}/v2/health/live answers\n",
        "late",
    ]


def test_a_model_that_does_not_compile(
    arguments: list[str], ports: list[int], capsys: pytest.CaptureFixture[str]
):
    """Nobody is told that it is ready, and the port is free again."""
    Path(arguments[0]).write_text(runtime_models.TYPES.replace("tensor<3x", "tensor<?x"))
    with pytest.raises(SystemExit) as ended:
        serve_tool.main([*arguments, "-p", "no-such-pass"])
    said = capsys.readouterr()
    assert (ended.value.code, said.out) == (1, "")
    compiling, error = said.err.splitlines()
    assert compiling.startswith("compiling sums.mlir; http://127.0.0.1:")
    assert "no-such-pass" in error
    with pytest.raises(ConnectionRefusedError):
        get(ports[0], "/v2/health/live")


@pytest.mark.usefixtures("no_signal_stack")
@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
@pytest.mark.parametrize("when", [while_it_compiles, once_it_is_ready])
def test_signals(
    number: signal.Signals,
    when: Callable[..., None],
    arguments: list[str],
    ports: list[int],
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
):
    """What is interrupted is unwound. Then SIGTERM does what it did before, which ends the process."""
    ended: list[int] = []

    def ends(number: int, _: FrameType | None) -> None:
        with pytest.raises(ConnectionRefusedError):
            get(ports[0], "/v2/health/live")
        ended.append(number)
        raise SystemExit(-number)

    before = signal.signal(signal.SIGTERM, ends)
    # Shells start what runs in their background with SIGINT ignored.
    interrupts = signal.signal(signal.SIGINT, signal.default_int_handler)
    try:
        when(monkeypatch, lambda: signal.raise_signal(number))
        with pytest.raises(SystemExit) as exit_:
            serve_tool.main(arguments)
        assert signal.getsignal(signal.SIGTERM) is ends
    finally:
        signal.signal(signal.SIGTERM, before)
        signal.signal(signal.SIGINT, interrupts)
    is_term = number == signal.SIGTERM
    assert (exit_.value.code, ended) == ((-number, [number]) if is_term else (130, []))
    assert (capsys.readouterr().out == "") == (when is while_it_compiles)
    with pytest.raises(ConnectionRefusedError):
        get(ports[0], "/v2/health/live")


@pytest.mark.parametrize("host", ["127.0.0.1", "no such host"])
def test_what_cannot_listen(arguments: list[str], host: str, capsys: pytest.CaptureFixture[str]):
    """Known before it compiles."""
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = taken.getsockname()[1]
        with pytest.raises(SystemExit) as ended:
            serve_tool.main([*arguments, "--host", host, "--port", str(port)])
    said = capsys.readouterr()
    assert (ended.value.code, said.out) == (1, "")
    place = re.escape(f"cannot listen on {host}, port {port}")
    assert re.search(rf"{place}: [^()]*; choose another --host or --port$", said.err)
    assert said.err.count("\n") == 1


@pytest.mark.parametrize("name", ["a/b", "stats", ""])
def test_names_that_paths_cannot_have(
    arguments: list[str], name: str, capsys: pytest.CaptureFixture[str]
):
    with pytest.raises(SystemExit) as ended:
        serve_tool.main([*arguments, "--name", name])
    assert ended.value.code == 1
    assert (
        f"requests cannot call a model '{name}'; give a --name without '/'"
        in capsys.readouterr().err
    )
