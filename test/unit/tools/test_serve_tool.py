"""`lowstream serve`, up to where it listens."""

import socket
from pathlib import Path
from typing import Any

import pytest
import uvicorn
from fastapi.testclient import TestClient

from lowstream.test.unit.runtime import runtime_models
from lowstream.tools import serve_tool


def test_the_command(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
):
    (tmp_path / "sums.mlir").write_text(runtime_models.TYPES)
    ran: list[tuple[Any, int]] = []

    def run(server: uvicorn.Server, sockets: list[socket.socket]) -> None:
        ran.append((server.config.app, sockets[0].getsockname()[1]))

    monkeypatch.setattr(uvicorn.Server, "run", run)
    serve_tool.main([str(tmp_path / "sums.mlir"), "--port", "0", "--name", "my sums"])
    ((app, port),) = ran
    said = capsys.readouterr()
    assert said.out == f"http://127.0.0.1:{port}/v2/models/my%20sums\n"
    assert said.err == "compiling sums.mlir\n"  # in a log, too, where no bar shows it
    with TestClient(app) as client:
        assert client.get("/v2/models/my%20sums").json()["inputs"][0]["shape"] == [3]


@pytest.mark.parametrize("host", ["127.0.0.1", "no such host"])
def test_what_cannot_listen(tmp_path: Path, host: str, capsys: pytest.CaptureFixture[str]):
    (tmp_path / "sums.mlir").write_text(runtime_models.TYPES)
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = taken.getsockname()[1]
        with pytest.raises(SystemExit) as ended:
            serve_tool.main([str(tmp_path / "sums.mlir"), "--host", host, "--port", str(port)])
    said = capsys.readouterr()
    assert (ended.value.code, said.out) == (1, "")
    assert f"cannot listen on {host}, port {port}: " in said.err
    assert said.err.count("\n") == 2  # the first says that it compiles


@pytest.mark.parametrize("name", ["a/b", "stats"])
def test_names_that_paths_cannot_have(
    tmp_path: Path, name: str, capsys: pytest.CaptureFixture[str]
):
    (tmp_path / "sums.mlir").write_text(runtime_models.TYPES)
    with pytest.raises(SystemExit) as ended:
        serve_tool.main([str(tmp_path / "sums.mlir"), "--name", name])
    assert ended.value.code == 1
    assert (
        f"requests cannot call a model '{name}'; give a --name without '/'"
        in capsys.readouterr().err
    )
