"""
Ten minutes of `lowstream serve` among callers of whom some do wrong: `make soak`, or with SOAK="--seconds 60".

Eight callers stream frames through the pitch tracker and compare each answer, bit for bit, with a request of their own:
300 a second, due at times of their own however long the server takes (an open loop). Beside them one sends what is
malformed, too large, half, or a few bytes that expand to millions, goes away amid calls, and leaves sequences behind.
Fails where an answer is wrong, where a caller gets another status than it should, where the server's memory grows, or
where it does not end on SIGTERM.
"""

from __future__ import annotations

import argparse
import http.client
import itertools
import json
import os
import re
import signal
import socket
import statistics
import subprocess
import sys
import tempfile
import threading
import time
import zlib
from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from functools import cache, partial
from pathlib import Path
from typing import Any

import numpy as np
from rich.console import Console
from rich.table import Table

import lowstream

MODEL = Path(__file__).resolve().parents[2] / "docs" / "examples" / "pitch" / "pitch.mlir"
PASSES = "low-latency2,lpt"
ROUTE = "/v2/models/pitch/infer"
BINARY = "Inference-Header-Content-Length"
MOST_BYTES = 100_000
CALLERS = 8
EXPANDING = zlib.compress(bytes(1 << 24))
"""A few bytes that stand for many; made once, since that takes a core from the others for longer than many calls."""
PAUSE = 0.1
"""Seconds between rounds of wrongs; without it, they take as much of the server as the callers do."""
GROWTH = 2.0
"""Megabytes by which memory may differ between the second tenth of the time and the last one."""


@dataclass
class Answer:
    """A status, a body, and how much of it is JSON."""

    status: int
    content: bytes
    length: int


class Connection:
    """One that stays, and takes less than the server does: http.client takes longer, from cores that both share."""

    def __init__(self, port: int):
        self._socket = socket.create_connection(("127.0.0.1", port))
        self._socket.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)

    def answer(self, request: bytes) -> Answer:
        """To a request, as it is sent."""
        self._socket.sendall(request)
        found = b""
        while (end := found.find(b"\r\n\r\n")) < 0:
            found += self._more()
        lengths = dict(LENGTHS.findall(found[:end].lower()))
        size = (begin := end + 4) + int(lengths[b"content-length"])
        while len(found) < size:
            found += self._more()
        length = int(lengths.get(BINARY.lower().encode(), 0))
        return Answer(int(found[9:12]), found[begin:], length)

    def _more(self) -> bytes:
        if not (found := self._socket.recv(1 << 16)):
            raise ConnectionError("the server closed a connection that was to stay")
        return found


LENGTHS = re.compile(rb"([a-z-]*content-length): (\d+)")


@cache
def described(header: bytes) -> list[dict[str, Any]]:
    """The outputs of an answer; those of a stream have one header."""
    return json.loads(header)["outputs"]


@dataclass
class Soak:
    """What all callers share."""

    port: int
    compiled: lowstream.CompiledModel
    rate: float
    """Requests in a second that are due from those who do right."""
    ends: float
    statuses: Counter[str] = field(default_factory=Counter[str])
    seconds: list[float] = field(default_factory=list[float])
    """From when each call of those who do right was due to its answer."""
    failures: list[str] = field(default_factory=list[str])

    @property
    def goes_on(self) -> bool:
        return time.monotonic() < self.ends and not self.failures

    def caller(self, work: Callable[[], None]) -> threading.Thread:
        def run() -> None:
            try:
                work()
            except Exception as error:  # noqa: BLE001 (of any kind: it ends the soak)
                self.failures.append(f"{type(error).__name__}: {error}")

        thread = threading.Thread(target=run)
        thread.start()
        return thread

    def body(self, frame: Any, **parameters: Any) -> tuple[bytes, dict[str, str]]:
        """A request whose tensor follows as bytes, and its headers."""
        (port,) = self.compiled.inputs
        header = {
            "inputs": [
                {
                    "name": port.any_name,
                    "datatype": "FP32",
                    "shape": list(frame.shape),
                    "parameters": {"binary_data_size": frame.nbytes},
                }
            ],
            "parameters": {"binary_data_output": True, **parameters},
        }
        text = json.dumps(header).encode()
        return text + frame.tobytes(), {BINARY: str(len(text))}

    # --- who does right -----------------------------------------------------------------------

    def streams(self, name: str, seed: int) -> None:
        """Sequences of 200 frames, one after the other."""
        (port,) = self.compiled.inputs
        frames = np.random.default_rng(seed).normal(size=(200, *port.shape)).astype(np.float32)
        connection = Connection(self.port)
        alone = self.compiled.create_infer_request()
        first, later = (
            self.raw(*self.body(frames[0], sequence_id=name, sequence_start=is_first))
            for is_first in (True, False)
        )
        due = time.perf_counter() + seed / self.rate
        while self.goes_on:
            alone.reset_state()
            for step, frame in enumerate(frames):
                time.sleep(max(0.0, due - time.perf_counter()))
                head = later if step else first
                answer = connection.answer(head[: -frame.nbytes] + frame.tobytes())
                self.seconds.append(time.perf_counter() - due)
                due += CALLERS / self.rate
                self.expect(answer.status, 200, answer.content)
                self.compare(answer, alone.infer([frame]))

    def compare(self, answer: Answer, wanted: Any) -> None:
        at = answer.length
        for output in described(answer.content[:at]):
            size = output["parameters"]["binary_data_size"]
            found = np.frombuffer(answer.content[at : at + size], np.float32)
            assert (*output["shape"],) == wanted[output["name"]].shape
            assert found.tobytes() == wanted[output["name"]].tobytes(), "other values than alone"
            at += size

    # --- who does wrong -----------------------------------------------------------------------

    def disturbs(self) -> None:
        """One wrong after the other, and a pause after each round."""
        (port,) = self.compiled.inputs
        frame = np.zeros(port.shape, np.float32)
        number = itertools.count()
        sequence = {"sequence_id": 1, "sequence_start": True}
        while self.goes_on:
            body, headers = self.body(frame, **sequence)
            self.post(b"{", {}, 400)
            self.post(os.urandom(300), {}, 400)
            self.post(body[:-8], headers, 400)
            self.post(body + b"more", headers, 400)
            self.post(body, headers | {BINARY: "many"}, 400)
            self.post(*self.body(np.zeros((2, 3), np.float32), **sequence), 400)
            self.post(*self.body(frame, sequence_id="never begun"), 400)
            self.post(bytes(MOST_BYTES + 1), {}, 413)
            self.post(EXPANDING, {"Content-Encoding": "deflate"}, 413)
            self.post(body, headers | {"Content-Encoding": "gzip"}, 400)
            self.goes_away(b"POST " + ROUTE.encode() + b" HTTP/1.1\r\nHost: x\r\nContent-Le")
            self.goes_away(self.raw(body, headers)[:-10])  # before its body is whole
            self.goes_away(self.raw(body, headers))  # before it is answered
            self.goes_away(os.urandom(200))
            abandoned = self.body(frame, sequence_id=f"left {next(number)}", sequence_start=True)
            self.post(*abandoned, 200, 503)
            time.sleep(PAUSE)

    def post(self, body: bytes, headers: dict[str, str], *statuses: int) -> None:
        connection = http.client.HTTPConnection("127.0.0.1", self.port)
        try:
            connection.request("POST", ROUTE, body, headers)
            answer = connection.getresponse()
            content = answer.read()
        finally:
            connection.close()
        self.expect(answer.status, *statuses, content)

    def raw(self, body: bytes, headers: dict[str, str]) -> bytes:
        lines = [f"POST {ROUTE} HTTP/1.1", "Host: x", f"Content-Length: {len(body)}"]
        lines += [f"{name}: {value}" for name, value in headers.items()]
        return "\r\n".join([*lines, "", ""]).encode() + body

    def goes_away(self, sent: bytes) -> None:
        with socket.create_connection(("127.0.0.1", self.port)) as connection:
            connection.sendall(sent)
        self.statuses["gone away"] += 1

    def expect(self, status: int, *wanted: Any) -> None:
        *statuses, content = wanted
        self.statuses[str(status)] += 1
        if status not in statuses:
            raise AssertionError(f"status {status} instead of {statuses}: {content[:200]!r}")


def resident(pid: int) -> float:
    """Megabytes of a process in memory."""
    status = Path(f"/proc/{pid}/status").read_text()
    found = re.search(r"VmRSS:\s+(\d+) kB", status)
    if found is None:
        raise SystemExit("soak: the server has ended")
    return int(found[1]) / 1024


def watch(soak: Soak, pid: int) -> Iterator[tuple[float, float]]:
    """Seconds since the begin, and memory then, once a second."""
    begin = time.monotonic()
    while soak.goes_on:
        yield time.monotonic() - begin, resident(pid)
        time.sleep(min(1.0, max(0.0, soak.ends - time.monotonic())))


def free_port() -> int:
    with socket.create_server(("127.0.0.1", 0)) as found:
        return found.getsockname()[1]


def serve(port: int, errors: Any) -> subprocess.Popen[str]:
    """The server, once it is ready."""
    command = [sys.executable, "-P", "-m", "lowstream", "serve", str(MODEL), "-p", PASSES]
    command += ["--name", "pitch", "--port", str(port), "--capacity", "16", "--idle", "5"]
    command += ["--most-bytes", str(MOST_BYTES), "--threads", "1"]
    server = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=errors, text=True)
    assert server.stdout is not None
    if not server.stdout.readline():
        raise SystemExit("soak: the server did not start")
    return server


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--seconds", type=float, default=600, help="how long (default: 600)")
    parser.add_argument("--rate", type=float, default=300, help="requests in a second (300)")
    options = parser.parse_args()
    seconds: float = options.seconds
    model = lowstream.read_model(MODEL)
    compiled = lowstream.compile_model(model, num_threads=1, pipeline=PASSES)
    with tempfile.TemporaryFile("w+") as errors:
        server = serve(port := free_port(), errors)
        try:
            soak = Soak(port, compiled, options.rate, time.monotonic() + seconds)
            callers = [
                soak.caller(partial(soak.streams, f"stream {number}", number))
                for number in range(CALLERS)
            ]
            callers.append(soak.caller(soak.disturbs))
            memory = list(watch(soak, server.pid))
            for caller in callers:
                caller.join()
            server.send_signal(signal.SIGTERM)
            status = server.wait(30)
        finally:
            server.kill()
        errors.seek(0)
        said = errors.read()
    sys.exit(report(soak, memory, seconds, status, said))


def report(
    soak: Soak, memory: list[tuple[float, float]], seconds: float, status: int, said: str
) -> int:
    """Prints what was seen; the exit status."""
    early = [size for at, size in memory if 0.1 <= at / seconds < 0.2]
    late = [size for at, size in memory if at / seconds >= 0.9]
    growth = statistics.median(late) - statistics.median(early) if early and late else 0.0
    failures = list(soak.failures)
    if growth > GROWTH:
        failures.append(f"memory grew by {growth:.1f} MB")
    if status not in (0, -signal.SIGTERM):
        failures.append(f"the server ended with status {status}")
    if "Traceback" in said:
        failures.append(f"the server printed: {said[-2000:]}")
    table = Table("", "", show_header=False)
    table.add_row("seconds", f"{seconds:.0f}")
    for name, count in sorted(soak.statuses.items()):
        table.add_row(f"status {name}" if name.isdecimal() else name, f"{count}")
    if soak.seconds:
        calls = np.array(soak.seconds) * 1e3
        table.add_row("answers that were compared", f"{len(calls)}")
        table.add_row(
            "ms, median and 99 %", " ".join(f"{np.percentile(calls, p):.2f}" for p in (50, 99))
        )
    if memory:
        tenths = [memory[len(memory) * n // 10 :][: max(1, len(memory) // 10)] for n in range(10)]
        sizes = (f"{statistics.median(size for _, size in tenth):.1f}" for tenth in tenths)
        table.add_row(
            "MB, first, then median of each tenth", f"{memory[0][1]:.1f}  {' '.join(sizes)}"
        )
    console = Console()
    console.print(table)
    for failure in failures:
        console.print(f"soak: {failure}", style="red", markup=False)
    return bool(failures)


if __name__ == "__main__":
    main()
